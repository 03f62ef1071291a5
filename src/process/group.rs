//! cgroups: one of its own for each process of a bot, by which the kernel holds and counts what it uses.
//!
//! Version 1 and 2 are taken as found, controller by controller, below the group that the arbiter itself is in. Version 2
//! gives controllers only to what lies below a group without processes: the arbiter steps down into one of its own where
//! it may. A controller that cannot be had is left out with its reason. Linux only.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use super::limits::Limits;

/// Where the arbiter's own groups are, by controller; the empty name is version 2 itself.
#[derive(Debug, Default)]
struct Found {
    /// The folder, and whether it is of version 2.
    folders: BTreeMap<String, (PathBuf, bool)>,
}

fn found() -> &'static Found {
    static FOUND: OnceLock<Found> = OnceLock::new();
    FOUND.get_or_init(|| find().unwrap_or_default())
}

fn find() -> Option<Found> {
    let read = |name: &str| fs::read_to_string(format!("/proc/self/{name}")).ok();
    Some(find_in(&read("cgroup")?, &read("mountinfo")?))
}

/// What a process of these groups finds below these mounts.
fn find_in(own: &str, mounts: &str) -> Found {
    let mut folders = BTreeMap::new();
    for line in own.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(names), Some(path)) = (parts.next(), parts.next()) else { continue };
        for name in names.split(',') {
            let of_mount = |mount: &str| {
                let (front, back) = mount.split_once(" - ")?;
                let mut back = back.split(' ');
                let (kind, options) = (back.next()?, back.nth(1)?);
                let fits = match name {
                    "" => kind == "cgroup2",
                    name => kind == "cgroup" && options.split(',').any(|option| option == name),
                };
                let front: Vec<&str> = front.split(' ').collect();
                let (root, at) = (front.get(3)?, front.get(4)?);
                // A container may see its own group as the top.
                let below = path.strip_prefix(root.trim_end_matches('/')).unwrap_or(path);
                fits.then(|| Path::new(at).join(below.trim_start_matches('/')))
            };
            if let Some(folder) = mounts.lines().find_map(of_mount) {
                folders.insert(name.to_owned(), (folder, name.is_empty()));
            }
        }
    }
    if let Some((folder, _)) = folders.get("").cloned() {
        let words = |file: &str| {
            let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
            text.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        let (has, given) = (words("cgroup.controllers"), words("cgroup.subtree_control"));
        let wanted: Vec<&str> = CONTROLLERS
            .into_iter()
            .filter(|&name| !folders.contains_key(name) && has.iter().any(|c| c == name))
            .filter(|&name| given.iter().all(|c| c != name))
            .collect();
        if !wanted.is_empty()
            && let Err(error) = step_down(&folder, &wanted)
        {
            tracing::debug!("{}: {}: {error}", folder.display(), wanted.join(", "));
        }
        for controller in words("cgroup.subtree_control") {
            folders.entry(controller).or_insert((folder.clone(), true));
        }
    }
    Found { folders }
}

/// The controllers that hold limits, and that share out a core.
const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpu"];

/// Moves this process into a group of its own below the one it is in, and asks for controllers for what lies beside it.
/// Where others are in that group, or it is not this process's to divide, nothing is changed.
fn step_down(folder: &Path, controllers: &[&str]) -> io::Result<()> {
    let own = folder.join(format!("arbiter-{}-itself", std::process::id()));
    let enter = |group: &Path| fs::write(group.join("cgroup.procs"), "0");
    fs::create_dir(&own)?;
    let asked: Vec<String> = controllers.iter().map(|name| format!("+{name}")).collect();
    let moved = enter(&own).and_then(|()| fs::write(folder.join("cgroup.subtree_control"), asked.join(" ")));
    if moved.is_err() {
        let _ = enter(folder);
        let _ = fs::remove_dir(&own);
    }
    moved
}

/// Removes the groups of arbiters that were killed, once for each place.
fn sweep(above: &Path) {
    static SWEPT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    let mut swept = SWEPT.lock().expect("no one panics while holding it");
    if swept.iter().any(|place| place == above) {
        return;
    }
    swept.push(above.to_owned());
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|n| n.strip_prefix("arbiter-")?.split('-').next());
        if owner.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// One controller's group of a process.
#[derive(Debug)]
struct Part {
    folder: PathBuf,
    version_2: bool,
    /// Why the process is not in it, where it could not join.
    shut: OnceLock<String>,
    /// Whether a process was seen in it.
    joined: AtomicBool,
}

impl Part {
    fn new(found: &Found, controller: &str, mark: &str) -> Result<Part, String> {
        let (above, version_2) = found.folders.get(controller).ok_or_else(|| match controller {
            "" => "no cgroup of version 2".to_owned(),
            _ => format!("no {controller} controller is given to the arbiter"),
        })?;
        sweep(above);
        let folder = above.join(format!("arbiter-{mark}"));
        match fs::create_dir(&folder) {
            // Controllers of version 2 share one group.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                Err(format!("{}: {error}", above.display()))
            }
            _ => Ok(Part {
                folder,
                version_2: *version_2,
                shut: OnceLock::new(),
                joined: AtomicBool::new(false),
            }),
        }
    }

    fn set(&self, file: &str, value: impl ToString) -> Result<(), String> {
        let path = self.folder.join(file);
        fs::write(&path, value.to_string()).map_err(|e| format!("{}: {e}", path.display()))
    }

    fn get(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap_or_default()
    }

    /// Whether it holds and counts the process: only one that was seen in it.
    fn holds(&self) -> bool {
        if !self.joined.load(Ordering::Relaxed) {
            self.joined.store(!self.get("cgroup.procs").is_empty(), Ordering::Relaxed);
        }
        self.joined.load(Ordering::Relaxed)
    }

    /// The number behind a word in a file of `word number` lines.
    fn count(&self, file: &str, word: &str) -> Option<u64> {
        let text = self.get(file);
        let of_line = |line: &str| line.strip_prefix(word)?.trim_start().parse().ok();
        text.lines().find_map(of_line)
    }
}

/// The groups of one process; where there is none, why.
#[derive(Debug)]
pub(super) struct Group {
    memory: Result<Part, String>,
    pids: Result<Part, String>,
    /// Weighs as much as any other group, however many processes are in it.
    share: Result<Part, String>,
    /// What kills, freezes and counts time: version 2 itself, without any controller; or the freezer of version 1.
    core: Result<Part, String>,
}

impl Group {
    /// Makes the groups that limits need; with `share` where its processes are to weigh no more than another's, and
    /// with `core` where they are to be frozen or found.
    pub(super) fn new(limits: &Limits, share: bool, core: bool, mark: &str) -> Group {
        Group::new_in(found(), limits, share, core, mark)
    }

    fn new_in(found: &Found, limits: &Limits, share: bool, core: bool, mark: &str) -> Group {
        let nobody = || Err("not asked for".to_owned());
        let memory = limits.memory.map_or_else(nobody, |most| {
            let part = Part::new(found, "memory", mark)?;
            if part.version_2 {
                part.set("memory.max", most)?;
                // Without swap a limit is a limit; a kernel without swap has no such file.
                let _ = part.set("memory.swap.max", 0);
            } else {
                part.set("memory.limit_in_bytes", most)?;
                let _ = part.set("memory.memsw.limit_in_bytes", most);
            }
            Ok(part)
        });
        let pids = limits.processes.map_or_else(nobody, |most| {
            let part = Part::new(found, "pids", mark)?;
            // Two are the stub's.
            part.set("pids.max", most + 2)?;
            Ok(part)
        });
        // The usual weight is the same for each.
        let share = if share { Part::new(found, "cpu", mark) } else { nobody() };
        let core = match core || limits.cpu.is_some() {
            true => {
                Part::new(found, "", mark).or_else(|why| Part::new(found, "freezer", mark).map_err(|_| why))
            }
            false => nobody(),
        };
        Group { memory, pids, share, core }
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        [&self.memory, &self.pids, &self.share, &self.core].into_iter().filter_map(|part| part.as_ref().ok())
    }

    /// The process could not join by this door.
    pub(super) fn stays_out(&self, door: &Path, why: &str) {
        for part in self.parts().filter(|part| door.parent() == Some(&part.folder)) {
            let _ = part.shut.set(format!("the bot could not join its cgroup: {why}"));
        }
    }

    /// The files by which a process joins, by its number.
    pub(super) fn doors(&self) -> Vec<PathBuf> {
        self.doors_named(|_| "cgroup.procs")
    }

    /// The files by which a process of one thread joins itself. A thread that moves itself waits for nobody in
    /// version 1, where a process waits until all of the system has taken notice: ten milliseconds and more.
    pub(super) fn own_doors(&self) -> Vec<PathBuf> {
        self.doors_named(|part| if part.version_2 { "cgroup.procs" } else { "tasks" })
    }

    fn doors_named(&self, name: impl Fn(&Part) -> &'static str) -> Vec<PathBuf> {
        let mut doors: Vec<PathBuf> = self.parts().map(|part| part.folder.join(name(part))).collect();
        // Controllers of version 2 share one group.
        doors.dedup();
        doors
    }

    pub(super) fn holds_memory(&self) -> bool {
        self.memory.as_ref().is_ok_and(Part::holds)
    }

    pub(super) fn holds_processes(&self) -> bool {
        self.pids.as_ref().is_ok_and(Part::holds)
    }

    /// By what memory and processes are held, cores shared, processes frozen; or why not.
    pub(super) fn words(&self) -> [Result<&'static str, &str>; 4] {
        [&self.memory, &self.pids, &self.share, &self.core].map(|part| {
            let part = match part {
                Ok(part) => part,
                Err(why) => return Err(why.as_str()),
            };
            let version = if part.version_2 { "cgroup v2" } else { "cgroup v1" };
            part.shut.get().map_or(Ok(version), |why| Err(why.as_str()))
        })
    }

    /// Whether the kernel has killed one of its processes for want of memory.
    pub(super) fn out_of_memory(&self) -> bool {
        self.memory.as_ref().is_ok_and(|part| {
            let file = if part.version_2 { "memory.events" } else { "memory.oom_control" };
            part.count(file, "oom_kill ").is_some_and(|kills| kills > 0)
        })
    }

    /// Whether the kernel has refused it a process or thread.
    pub(super) fn out_of_processes(&self) -> bool {
        self.pids.as_ref().is_ok_and(|part| part.count("pids.events", "max").is_some_and(|times| times > 0))
    }

    fn core(&self) -> Option<&Part> {
        self.core.as_ref().ok().filter(|part| part.holds())
    }

    /// The processor time that all its processes have used.
    pub(super) fn cpu(&self) -> Option<Duration> {
        self.core()?.count("cpu.stat", "usage_usec").map(Duration::from_micros)
    }

    /// Stops all its processes, or lets them go on; false where that is not possible.
    pub(super) fn freeze(&self, stop: bool) -> bool {
        self.core().is_some_and(|part| match part.version_2 {
            true => part.set("cgroup.freeze", u8::from(stop)).is_ok(),
            false => part.set("freezer.state", if stop { "FROZEN" } else { "THAWED" }).is_ok(),
        })
    }

    /// Ends all its processes, whatever they did to their names, groups and sessions.
    pub(super) fn kill(&self) {
        let Some(part) = self.core().or_else(|| self.parts().find(|part| part.holds())) else { return };
        if part.version_2 && part.set("cgroup.kill", 1).is_ok() {
            return;
        }
        for _ in 0..50 {
            let listed = part.get("cgroup.procs");
            let pids: Vec<i32> = listed.lines().filter_map(|line| line.parse().ok()).collect();
            if pids.is_empty() {
                return;
            }
            for pid in pids.into_iter().filter_map(rustix::process::Pid::from_raw) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
            self.freeze(false);
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for part in self.parts() {
            // What was killed takes its moment to leave.
            for _ in 0..200 {
                match fs::remove_dir(&part.folder) {
                    Err(error) if error.raw_os_error() == Some(16) => {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    _ => break,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine with version 2 alone, as files: what the kernel does with them is left out.
    fn version_2(given: &str) -> (tempfile::TempDir, PathBuf, Found) {
        let top = tempfile::tempdir().expect("a folder");
        let scope = top.path().join("user.slice/run.scope");
        fs::create_dir_all(&scope).expect("a folder");
        fs::write(scope.join("cgroup.controllers"), "cpu memory pids\n").expect("a file");
        fs::write(scope.join("cgroup.subtree_control"), given).expect("a file");
        let mounts = format!(
            "24 1 0:22 / /proc rw - proc proc rw\n35 24 0:30 / {} rw,nosuid - cgroup2 cgroup2 rw\n",
            top.path().display()
        );
        let found = find_in("0::/user.slice/run.scope\n", &mounts);
        (top, scope, found)
    }

    fn read(path: PathBuf) -> String {
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    #[test]
    fn version_2_holds_memory_and_processes_where_its_controllers_are_given() {
        let (_top, scope, found) = version_2("cpu memory pids\n");
        let limits = Limits { memory: Some(1 << 20), processes: Some(30), ..Limits::default() };
        let group = Group::new_in(&found, &limits, true, true, "1-2");
        let own = scope.join("arbiter-1-2");
        fs::write(own.join("cgroup.procs"), "17\n").expect("a file");
        assert_eq!(group.words(), [Ok("cgroup v2"); 4]);
        assert_eq!(group.doors(), [own.join("cgroup.procs")]);
        assert_eq!(read(own.join("memory.max")), "1048576");
        assert_eq!(read(own.join("memory.swap.max")), "0");
        assert_eq!(read(own.join("pids.max")), "32");
        assert!(!group.out_of_memory() && !group.out_of_processes());
        fs::write(own.join("memory.events"), "low 0\nmax 7\noom 1\noom_kill 1\n").expect("a file");
        fs::write(own.join("pids.events"), "max 3\n").expect("a file");
        fs::write(own.join("cpu.stat"), "usage_usec 2500000\nuser_usec 1\n").expect("a file");
        assert!(group.out_of_memory() && group.out_of_processes());
        assert_eq!(group.cpu(), Some(Duration::from_millis(2500)));
        assert!(group.freeze(true));
        assert_eq!(read(own.join("cgroup.freeze")), "1");
        group.kill();
        assert_eq!(read(own.join("cgroup.kill")), "1");
        assert!(!scope.join(format!("arbiter-{}-itself", std::process::id())).exists());
    }

    #[test]
    fn a_group_that_was_not_joined_holds_nothing_and_says_why() {
        let (_top, _scope, found) = version_2("cpu memory pids\n");
        let limits = Limits { memory: Some(1 << 20), processes: Some(30), ..Limits::default() };
        let group = Group::new_in(&found, &limits, true, true, "1-2");
        let door = group.own_doors().remove(0);
        fs::write(&door, "").expect("a file");
        fs::write(door.with_file_name("cpu.stat"), "usage_usec 0\n").expect("a file");
        assert!(!group.holds_memory() && !group.holds_processes());
        assert_eq!((group.cpu(), group.freeze(true)), (None, false));
        group.stays_out(Path::new("/elsewhere/cgroup.procs"), "no entry");
        assert_eq!(group.words(), [Ok("cgroup v2"); 4]);
        group.stays_out(&door, "no entry");
        assert_eq!(group.words(), [Err("the bot could not join its cgroup: no entry"); 4]);
        fs::write(&door, "17\n").expect("a file");
        assert!(group.holds_memory() && group.holds_processes() && group.freeze(true));
        assert_eq!(group.cpu(), Some(Duration::ZERO));
        // One that has ended was in it, and what was counted stands.
        fs::write(&door, "").expect("a file");
        assert!(group.holds_memory() && group.cpu().is_some());
    }

    #[test]
    fn the_arbiter_steps_down_where_controllers_are_not_given_yet_and_back_where_it_may_not() {
        let (_top, scope, _) = version_2("cpu\n");
        let own = scope.join(format!("arbiter-{}-itself", std::process::id()));
        assert_eq!(read(own.join("cgroup.procs")), "0");
        assert_eq!(read(scope.join("cgroup.subtree_control")), "+memory +pids");
        assert!(!scope.join("cgroup.procs").exists());
        let barred = tempfile::tempdir().expect("a folder");
        fs::create_dir(barred.path().join("cgroup.subtree_control")).expect("a folder cannot be written");
        assert!(step_down(barred.path(), &["memory"]).is_err());
        assert_eq!(read(barred.path().join("cgroup.procs")), "0");
    }

    #[test]
    fn controllers_of_version_1_go_before_those_of_version_2() {
        let mounts = "1 0 0:1 / /c/memory rw - cgroup cgroup rw,memory\n\
                      2 0 0:2 /docker/a1 /c/pids rw - cgroup cgroup rw,pids\n\
                      3 0 0:3 / /c/unified rw - cgroup2 cgroup2 rw\n";
        let found = find_in("5:pids:/docker/a1\n4:memory:/user\n0::/\n", mounts);
        let folder =
            |name: &str| found.folders.get(name).map(|(path, two)| (path.display().to_string(), *two));
        assert_eq!(folder("memory"), Some(("/c/memory/user".to_owned(), false)));
        assert_eq!(folder("pids"), Some(("/c/pids/".to_owned(), false)));
        assert_eq!(folder(""), Some(("/c/unified/".to_owned(), true)));
    }
}
