//! Limits of what a bot uses: memory, processes, processor time, scratch space, standard error.
//!
//! Where a cgroup can be had the kernel holds memory and processes; everything else, and all of it where there is
//! none, is looked at ten times a second by one thread, beside the games and never on the way of a move. Who passes
//! a limit is ended; the exit that follows is noticed as any other, and the breach says what it was.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use rustix::process::{Pid, Signal};

use super::confine::{Layer, Standing};
use super::group::Group;
use super::platform::keep_on;
use super::scratch;
use crate::protocol::Clause;

/// What a bot may use. A limit that is not there does not bind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Resident memory of all its processes, in bytes.
    pub memory: Option<u64>,
    /// Processes and threads.
    pub processes: Option<u64>,
    /// Processor time of all its processes in one game.
    pub cpu: Option<Duration>,
    /// Space in its scratch folder, in bytes.
    pub disk: Option<u64>,
    /// Bytes of standard error in one game.
    pub output: Option<u64>,
}

impl Limits {
    /// What a confined bot may use where nobody says otherwise: enough for any honest one, and not enough to take
    /// the machine from its opponent.
    pub fn usual() -> Limits {
        let most = 4 << 30;
        let machine = machine_memory().unwrap_or(most);
        Limits {
            memory: Some((machine / 2).clamp(256 << 20, most)),
            processes: Some(256),
            cpu: None,
            disk: Some(1 << 30),
            output: Some(1 << 30),
        }
    }

    /// These, and those where these say nothing.
    pub fn or(self, other: Limits) -> Limits {
        Limits {
            memory: self.memory.or(other.memory),
            processes: self.processes.or(other.processes),
            cpu: self.cpu.or(other.cpu),
            disk: self.disk.or(other.disk),
            output: self.output.or(other.output),
        }
    }

    /// The clauses of the limits that bind.
    pub fn clauses(&self) -> impl Iterator<Item = Clause> {
        let bound = [
            (self.memory.is_some(), Clause::LimitMemory),
            (self.processes.is_some(), Clause::LimitProcesses),
            (self.cpu.is_some(), Clause::LimitCpu),
            (self.disk.is_some(), Clause::LimitDisk),
            (self.output.is_some(), Clause::LimitOutput),
        ];
        bound.into_iter().filter(|(binds, _)| *binds).map(|(_, clause)| clause)
    }

    fn any(&self) -> bool {
        *self != Limits::default()
    }
}

/// Memory of this machine, or of the container it is, in bytes.
fn machine_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.split_ascii_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// A size as people write it.
pub fn size_words(bytes: u64) -> String {
    [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
        .iter()
        .find(|(unit, _)| bytes >= *unit)
        .map_or_else(|| format!("{bytes} bytes"), |(unit, name)| format!("{} {name}", bytes / unit))
}

/// The limit that a bot passed, and what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The clause that it broke.
    pub clause: Clause,
    /// What was seen.
    pub evidence: String,
}

/// A process with its descendants, being watched.
#[derive(Debug)]
pub(super) struct Watched {
    pid: u32,
    limits: Limits,
    scratch: Option<PathBuf>,
    group: Group,
    /// Processor time, in milliseconds, before this game.
    before: AtomicU64,
    /// Bytes of standard error in this game.
    output: AtomicU64,
    /// What it holds by descriptors alone, as of late.
    held: Mutex<Held>,
    breach: Mutex<Option<Breach>>,
}

static WATCHED: Mutex<Vec<Weak<Watched>>> = Mutex::new(Vec::new());

/// How often is looked.
const PAUSE: Duration = Duration::from_millis(100);

fn watched() -> MutexGuard<'static, Vec<Weak<Watched>>> {
    WATCHED.lock().expect("no one panics while holding it")
}

impl Watched {
    /// Begins to watch a process.
    pub(super) fn begin(
        pid: u32,
        limits: Limits,
        scratch: Option<&Path>,
        group: Group,
        cores: &[usize],
    ) -> Arc<Watched> {
        let one = Arc::new(Watched {
            pid,
            limits,
            scratch: scratch.map(Path::to_owned),
            group,
            before: AtomicU64::new(0),
            output: AtomicU64::new(0),
            held: Mutex::default(),
            breach: Mutex::new(None),
        });
        if limits.any() {
            let mut all = watched();
            all.push(Arc::downgrade(&one));
            if all.len() == 1 {
                let cores = cores.to_vec();
                // Where there is no thread to be had, the kernel's own limits hold, and the next bot tries again.
                let thread =
                    std::thread::Builder::new().name("limits".to_owned()).spawn(move || watch(&cores));
                if thread.is_err() {
                    all.clear();
                }
            }
        }
        one
    }

    /// How its limits are held.
    pub(super) fn standings(&self, shares: bool, freezes: bool) -> Vec<Standing> {
        let [memory, processes, share, core] = self.group.words();
        let held = |by: Result<&str, &str>, most: String| match by {
            Ok(by) => format!("{most}, {by}"),
            Err(why) => format!("{most}, looked at ten times a second ({why})"),
        };
        let mut standings = Vec::new();
        let memory = self.limits.memory.map(|most| held(memory, size_words(most)));
        standings.extend(memory.map(|how| Standing::on(Layer::Memory, how)));
        let processes = self.limits.processes.map(|most| held(processes, most.to_string()));
        standings.extend(processes.map(|how| Standing::on(Layer::Processes, how)));
        standings.extend(shares.then(|| match share {
            Ok(by) => Standing::on(Layer::Share, format!("equal weight, {by}")),
            Err(why) => Standing::off(Layer::Share, why),
        }));
        let disk = self.limits.disk.filter(|_| self.scratch.is_some());
        let disk = disk.map(|most| format!("{}, looked at ten times a second", size_words(most)));
        standings.extend(disk.map(|how| Standing::on(Layer::Disk, how)));
        let how = core.map_or_else(|why| format!("signals ({why})"), str::to_owned);
        standings.extend(freezes.then(|| Standing::on(Layer::Freeze, how)));
        standings
    }

    pub(super) fn group(&self) -> &Group {
        &self.group
    }

    /// A game is over: what counts by game begins anew.
    pub(super) fn new_game(&self) {
        self.output.store(0, Ordering::Relaxed);
        if self.limits.cpu.is_some() {
            let used = self.group.cpu().unwrap_or_else(|| tree(&scan(), self.pid).cpu);
            self.before.store(used.as_millis() as u64, Ordering::Relaxed);
        }
    }

    /// So many bytes of standard error came.
    pub(super) fn wrote(&self, bytes: u64) {
        let all = self.output.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if let Some(most) = self.limits.output.filter(|&most| all > most) {
            self.end(
                Clause::LimitOutput,
                format!("it wrote {all} bytes to its standard error in one game; {most} are allowed"),
            );
        }
    }

    /// The limit that was passed, where one was; asked once more of the kernel where the bot has ended by itself.
    pub(super) fn breach(&self) -> Option<Breach> {
        let known = || self.breach.lock().expect("no one panics while holding it").clone();
        known().or_else(|| {
            self.look(None);
            known()
        })
    }

    fn end(&self, clause: Clause, evidence: String) {
        self.breach
            .lock()
            .expect("no one panics while holding it")
            .get_or_insert(Breach { clause, evidence });
        self.group.kill();
        // It may have left its own group. Its number is its own until it is reaped, and it is watched no longer than
        // that.
        if let Some(pid) = Pid::from_raw(self.pid as i32) {
            let _ = rustix::process::kill_process_group(pid, Signal::KILL);
        }
        tree(&scan(), self.pid).kill();
    }

    /// Looks at what the kernel counts, and at the process's tree where that was scanned.
    fn look(&self, tree: Option<&Tree>) {
        let held = *self.held();
        if let Some(most) = self.limits.memory {
            let words = size_words(most);
            if self.group.out_of_memory() {
                return self.end(
                    Clause::LimitMemory,
                    format!("it used all of the {words} of memory that it may use"),
                );
            }
            let used = tree.map(|t| match t.memory(most, held.memory) {
                used if used > most && held.memory > 0 => t.memory(most, self.look_at_held(t).memory),
                used => used,
            });
            if let Some(used) = used.filter(|&used| used > most) {
                let used = size_words(used);
                return self
                    .end(Clause::LimitMemory, format!("it used {used} of memory; {words} are allowed"));
            }
        }
        if let Some(most) = self.limits.processes {
            if self.group.out_of_processes() {
                let evidence =
                    format!("it asked for more than the {most} processes and threads that it may have");
                return self.end(Clause::LimitProcesses, evidence);
            }
            if let Some(have) = tree.map(|t| t.threads).filter(|&have| have > most) {
                let evidence = format!("it had {have} processes and threads; {most} are allowed");
                return self.end(Clause::LimitProcesses, evidence);
            }
        }
        if let Some(most) = self.limits.cpu
            && let Some(used) = self.group.cpu().or(tree.map(|t| t.cpu))
        {
            let used = used.saturating_sub(Duration::from_millis(self.before.load(Ordering::Relaxed)));
            if used > most {
                let (used, most) = (used.as_secs_f64(), most.as_secs_f64());
                let evidence =
                    format!("it used {used:.1} s of processor time in one game; {most:.1} s are allowed");
                return self.end(Clause::LimitCpu, evidence);
            }
        }
        if let (Some(most), Some(folder)) = (self.limits.disk, &self.scratch) {
            let used = scratch::space(folder, most).map(|used| match used + held.disk {
                all if all >= most && used < most => {
                    used + self.look_at_held(&self::tree(&scan(), self.pid)).disk
                }
                all => all,
            });
            match used {
                None => self.end(
                    Clause::LimitDisk,
                    format!("folders lie more than {} deep in its scratch folder", scratch::DEPTH),
                ),
                Some(used) if used >= most => self.end(
                    Clause::LimitDisk,
                    format!(
                        "its scratch folder takes {}; it may fill less than {}",
                        size_words(used),
                        size_words(most)
                    ),
                ),
                Some(_) => {}
            }
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().expect("no one panics while holding it")
    }

    /// Finds out what it holds by descriptors alone. Nobody is accused of what he held a second ago.
    fn look_at_held(&self, tree: &Tree) -> Held {
        let held = tree.held(self.scratch.as_deref());
        *self.held() = held;
        held
    }

    /// Whether a limit counts what it may hold by descriptors alone.
    fn may_hold(&self) -> bool {
        (self.limits.memory.is_some() && !self.group.holds_memory())
            || (self.limits.disk.is_some() && self.scratch.is_some())
    }

    /// Whether its tree has to be looked at, since the kernel does not count for us.
    fn needs_tree(&self) -> bool {
        (self.limits.memory.is_some() && !self.group.holds_memory())
            || (self.limits.processes.is_some() && !self.group.holds_processes())
            || (self.limits.cpu.is_some() && self.group.cpu().is_none())
    }
}

/// What processes hold by descriptors alone, in bytes: it has no name any more, or never had one.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    /// In memory files.
    memory: u64,
    /// In files of the scratch folder that were removed.
    disk: u64,
}

fn watch(cores: &[usize]) {
    // Not on the core of the game whose worker happened to start it.
    keep_on(cores);
    for round in 0u64.. {
        std::thread::sleep(PAUSE);
        let all: Vec<Arc<Watched>> = {
            let mut all = watched();
            all.retain(|one| one.strong_count() > 0);
            if all.is_empty() {
                return;
            }
            all.iter().filter_map(Weak::upgrade).collect()
        };
        // What takes longer to find out is asked for less often.
        let thorough = round % 10 == 0 && all.iter().any(|one| one.may_hold());
        let table = if thorough || all.iter().any(|one| one.needs_tree()) { scan() } else { Vec::new() };
        for one in all {
            let tree = (thorough || one.needs_tree()).then(|| tree(&table, one.pid));
            if let Some(tree) = tree.as_ref().filter(|_| thorough && one.may_hold()) {
                one.look_at_held(tree);
            }
            one.look(tree.as_ref().filter(|_| one.needs_tree()));
        }
    }
}

/// A row of the system's table of processes.
struct Row {
    pid: u32,
    parent: u32,
    /// Whether it may do something: it is neither stopped nor dead.
    runs: bool,
    cpu: Duration,
    threads: u64,
    /// When it was started, in ticks.
    started: u64,
    memory: u64,
}

/// A process with its descendants.
struct Tree {
    pids: Vec<u32>,
    cpu: Duration,
    threads: u64,
    resident: u64,
}

impl Tree {
    /// Its memory, with what it holds in memory files. What processes share, or a memory file shares with what is
    /// resident, is counted once where it matters and can be told.
    fn memory(&self, most: u64, held: u64) -> u64 {
        let all = self.resident + held;
        if all <= most || (self.pids.len() < 2 && held == 0) {
            return all;
        }
        let share = |pid: &u32| {
            let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
            let of = |word: &str| {
                let line = text.lines().find_map(|line| line.strip_prefix(word))?;
                Some(line.split_ascii_whitespace().next()?.parse::<u64>().ok()? * 1024)
            };
            let (all, shared) = (of("Pss:")?, of("Pss_Shmem:")?);
            Some((all.saturating_sub(shared), shared))
        };
        let shares: Option<Vec<(u64, u64)>> = self.pids.iter().map(share).collect();
        shares.map_or(self.resident.max(held), |shares| {
            let (own, shared) = shares.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            own + shared.max(held)
        })
    }

    /// What it holds by descriptors alone, as far as the system shows.
    fn held(&self, scratch: Option<&Path>) -> Held {
        let disk = scratch.and_then(|folder| fs::metadata(folder).ok()).map(|meta| meta.dev());
        let (mut seen, mut held) = (BTreeSet::new(), Held::default());
        let folders = self.pids.iter().filter_map(|pid| fs::read_dir(format!("/proc/{pid}/fd")).ok());
        for path in folders.flatten().flatten().map(|entry| entry.path()) {
            let Ok(name) = fs::read_link(&path) else { continue };
            let name = name.as_os_str().as_bytes();
            if !name.ends_with(b" (deleted)") {
                continue;
            }
            let Ok(meta) = fs::metadata(&path) else { continue };
            if meta.nlink() > 0 || !meta.is_file() || !seen.insert((meta.dev(), meta.ino())) {
                continue;
            }
            if name.starts_with(b"/memfd:") {
                held.memory += meta.blocks() * 512;
            } else if Some(meta.dev()) == disk {
                held.disk += meta.blocks() * 512;
            }
        }
        held
    }

    fn kill(&self) {
        for pid in self.pids.iter().filter_map(|&pid| Pid::from_raw(pid as i32)) {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    }
}

fn scan() -> Vec<Row> {
    let page = rustix::param::page_size() as u64;
    let tick = rustix::param::clock_ticks_per_second();
    let row = |pid: u32| {
        let stat = super::leftovers::stat(pid)?;
        let words: Vec<&str> = stat.split_ascii_whitespace().collect();
        let number = |at: usize| words.get(at)?.parse::<u64>().ok();
        // Counted from the state: parent, user and system time of its own and of those it waited for, threads,
        // start, pages.
        let ticks = number(11)? + number(12)? + number(13)? + number(14)?;
        Some(Row {
            pid,
            parent: number(1)? as u32,
            runs: !matches!(*words.first()?, "T" | "t" | "Z" | "X"),
            cpu: Duration::from_millis(ticks * 1000 / tick),
            threads: number(17)?,
            started: number(19)?,
            memory: number(21)? * page,
        })
    };
    super::leftovers::processes().filter_map(row).collect()
}

fn tree(table: &[Row], root: u32) -> Tree {
    let mut children: BTreeMap<u32, Vec<&Row>> = BTreeMap::new();
    table.iter().for_each(|row| children.entry(row.parent).or_default().push(row));
    let mut tree = Tree { pids: Vec::new(), cpu: Duration::ZERO, threads: 0, resident: 0 };
    let mut seen = BTreeSet::new();
    let mut open: Vec<&Row> = table.iter().filter(|row| row.pid == root).collect();
    while let Some(row) = open.pop() {
        if seen.insert(row.pid) {
            tree.pids.push(row.pid);
            tree.cpu += row.cpu;
            tree.threads += row.threads;
            tree.resident += row.memory;
            open.extend(children.get(&row.pid).into_iter().flatten());
        }
    }
    tree
}

/// Those of a process and what is below it that may do something.
pub(super) fn running(root: u32) -> Vec<u32> {
    let table = scan();
    let runs: BTreeSet<u32> = table.iter().filter(|row| row.runs).map(|row| row.pid).collect();
    tree(&table, root).pids.into_iter().filter(|pid| runs.contains(pid)).collect()
}

/// The first child of a process, where it still has it.
pub(super) fn first_child(parent: u32) -> Option<u32> {
    let children = scan().into_iter().filter(|row| row.parent == parent);
    children.min_by_key(|row| (row.started, row.pid)).map(|row| row.pid)
}

/// The processes below one, itself the first.
pub(super) fn descendants(root: u32) -> Vec<u32> {
    tree(&scan(), root).pids
}
