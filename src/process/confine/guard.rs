//! The arbiter's side of one process's confinement: its orders, what its stub told, its scratch folder.
//!
//! Orders lie in a memory file and reports come through a pipe; the stub opens both through /proc, so that neither is
//! ever inherited, by it or by another bot that starts at the same moment.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::pipe::PipeFlags;

use super::super::group::Group;
use super::super::leftovers::unforeseen;
use super::super::limits::Limits;
use super::super::platform::Exit;
use super::super::scratch;
use super::{Confinement, Layer, Orders, Sandbox, Standing, Told};

/// What the arbiter holds of a confined process.
#[derive(Debug)]
pub(in super::super) struct Guard {
    orders: OwnedFd,
    /// Held until the stub has opened it: a pipe without a writer reads as ended.
    speak: Option<OwnedFd>,
    hear: OwnedFd,
    heard: Vec<u8>,
    scratch: Option<PathBuf>,
    lasting: bool,
    /// Keeps the system's entry of the process the one that its rules name.
    entry: Option<OwnedFd>,
    standings: Vec<Standing>,
    /// The doors of its cgroups, and which could not be passed.
    doors: Vec<PathBuf>,
    shut: Vec<(PathBuf, String)>,
    refused: Option<String>,
    exit: Option<Exit>,
}

/// The users that processes of bots get, one each: outside of what distributions give away.
const USERS: std::ops::Range<u32> = 1_900_000_000..2_000_000_000;

/// A user that no other process has.
fn new_user() -> Result<u32, String> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    static ORDER: LazyLock<Vec<u32>> = LazyLock::new(|| {
        let mut numbers: Vec<u32> = (0..2000).collect();
        // None tells when another was given away.
        numbers.sort_by_key(|&number| unforeseen(u64::from(number)));
        numbers
    });
    if !rustix::process::geteuid().is_root() {
        return Err("the arbiter does not run as root".to_owned());
    }
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let mapped = map.lines().any(|line| {
        let numbers: Vec<u64> = line.split_ascii_whitespace().filter_map(|n| n.parse().ok()).collect();
        matches!(numbers[..], [first, _, count] if first <= USERS.start.into() && first + count >= USERS.end.into())
    });
    if !mapped {
        return Err("this container maps too few users".to_owned());
    }
    // Of several arbiters on one machine each has its own thousands.
    let number = ORDER[COUNT.fetch_add(1, Ordering::Relaxed) % ORDER.len()];
    Ok(USERS.start + (std::process::id() % 50_000) * 2000 + number)
}

impl Guard {
    /// Prepares what a process needs; nothing where it is not to be confined.
    pub(in super::super) fn new(
        confinement: &Confinement,
        limits: &Limits,
        group: &Group,
        mark: &str,
    ) -> io::Result<Option<Guard>> {
        if confinement.sandbox == Sandbox::Off || !cfg!(target_os = "linux") {
            return Ok(None);
        }
        let user = match &confinement.keep_user {
            Some(why) => Err(why.clone()),
            None => new_user(),
        };
        let scratch = match &confinement.lasting {
            Some(folder) => folder.clone(),
            None => {
                let folder = scratch::place(mark);
                scratch::make(&folder)?;
                if let Ok(user) = user {
                    let (uid, gid) =
                        (rustix::process::Uid::from_raw(user), rustix::process::Gid::from_raw(user));
                    rustix::fs::chown(&folder, Some(uid), Some(gid))?;
                }
                folder
            }
        };
        let names = |paths: &[PathBuf]| paths.iter().map(|p| p.as_os_str().to_owned()).collect::<Vec<_>>();
        let mut write = names(&confinement.write);
        write.push(scratch.as_os_str().to_owned());
        let doors = group.own_doors();
        let orders = Orders {
            require: confinement.sandbox == Sandbox::Require,
            read: names(&confinement.read),
            write,
            hidden: names(&confinement.hidden),
            user,
            groups: names(&doors),
            file: limits.disk,
            processes: limits.processes,
        };
        let text = serde_json::to_vec(&orders).expect("orders hold nothing JSON cannot");
        let (hear, speak) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Some(Guard {
            orders: memory_file(&text)?,
            speak: Some(speak),
            hear,
            heard: Vec::new(),
            scratch: Some(scratch),
            lasting: confinement.lasting.is_some(),
            entry: None,
            standings: Vec::new(),
            doors,
            shut: Vec::new(),
            refused: None,
            exit: None,
        }))
    }

    /// How the stub finds its orders, and where it tells what became of them.
    pub(in super::super) fn words(&self) -> [String; 2] {
        let speak = self.speak.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        [self.orders.as_raw_fd().to_string(), speak.to_string()]
    }

    /// Its scratch folder.
    pub(in super::super) fn scratch(&self) -> Option<&Path> {
        self.scratch.as_deref()
    }

    /// Notes which process it is the guard of.
    pub(in super::super) fn follow(&mut self, pid: u32) {
        use rustix::fs::{Mode, OFlags};
        #[cfg(target_os = "linux")]
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        #[cfg(not(target_os = "linux"))]
        let flags = OFlags::CLOEXEC;
        self.entry = rustix::fs::open(format!("/proc/{pid}"), flags, Mode::empty()).ok();
    }

    fn listen(&mut self) {
        let mut chunk = [0; 4096];
        while let Ok(count) = rustix::io::read(&self.hear, &mut chunk[..]) {
            if count == 0 {
                break;
            }
            self.heard.extend_from_slice(&chunk[..count]);
        }
        while let Some(end) = self.heard.iter().position(|&b| b == b'\n') {
            let line: Vec<u8> = self.heard.drain(..=end).collect();
            match serde_json::from_slice(&line) {
                Ok(Told::Layers(standings)) => {
                    self.standings.extend(standings);
                    // The stub has long opened its end.
                    self.speak = None;
                }
                Ok(Told::Shut(index, why)) => {
                    self.shut.extend(self.doors.get(index).map(|d| (d.clone(), why)))
                }
                Ok(Told::Refused(why)) => self.refused = Some(why),
                Ok(Told::Exit(status)) => self.exit = Some(Exit::Status(status)),
                Ok(Told::Signal(signal)) => self.exit = Some(Exit::Signal(signal)),
                Err(error) => tracing::error!("a stub's report is not readable: {error}"),
            }
        }
    }

    /// Which layers are in force, as far as it was told.
    pub(in super::super) fn standings(&mut self) -> Vec<Standing> {
        self.listen();
        let mut standings = self.standings.clone();
        standings.sort_by_key(|s| s.layer);
        standings
    }

    /// The doors of cgroups that the stub could not pass, and why, each told once.
    pub(in super::super) fn shut(&mut self) -> Vec<(PathBuf, String)> {
        self.listen();
        std::mem::take(&mut self.shut)
    }

    /// Why the stub did not become the bot, where it refused to.
    pub(in super::super) fn refused(&mut self) -> Option<String> {
        self.listen();
        self.refused.clone()
    }

    /// How many processes are above the bot, the first of which we see.
    pub(in super::super) fn above(&mut self) -> usize {
        self.listen();
        let inside = |standing: &Standing| standing.layer == Layer::Pids && standing.in_force;
        if self.standings.iter().any(inside) { 2 } else { 0 }
    }

    /// How the bot itself ended, where the process that we see is not the bot.
    pub(in super::super) fn exit(&mut self) -> Option<Exit> {
        self.listen();
        self.exit
    }

    /// Empties the scratch folder, unless it is to last.
    pub(in super::super) fn empty_scratch(&self) {
        let Some(folder) = self.scratch.as_ref().filter(|_| !self.lasting) else { return };
        if let Err(error) = scratch::empty(folder) {
            tracing::warn!("{}: {error}", folder.display());
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(folder) = self.scratch.take().filter(|_| !self.lasting)
            && let Err(error) = scratch::remove(&folder)
        {
            tracing::warn!("{}: {error}", folder.display());
        }
    }
}

#[cfg(target_os = "linux")]
fn memory_file(text: &[u8]) -> io::Result<OwnedFd> {
    let file = rustix::fs::memfd_create("arbiter-orders", rustix::fs::MemfdFlags::CLOEXEC)?;
    let mut rest = text;
    while !rest.is_empty() {
        rest = &rest[rustix::io::write(&file, rest)?..];
    }
    Ok(file)
}

#[cfg(not(target_os = "linux"))]
fn memory_file(_: &[u8]) -> io::Result<OwnedFd> {
    Err(io::ErrorKind::Unsupported.into())
}
