//! Processes that a bot leaves behind outside its process group: `setsid`, double forks.
//!
//! Every process of a bot inherits a mark in its environment, by which it is found and ended with the bot. The arbiter
//! adopts orphans, so that none is left to the system, and no zombie to anybody: whatever comes to it so, and is not a
//! bot that it started itself, has lost its bot and is ended. A confined bot is given its own orphans while it lives,
//! or has a namespace that ends with it. Linux only: elsewhere nothing is found.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

/// The variable that holds the mark.
pub(super) const VARIABLE: &str = "ARBITER_SEAT";

/// The bots' own processes: they are reaped by who started them, and by nobody else.
static LIVING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// A number in place of another, which nobody who knows some of them can tell from the others.
pub(super) fn unforeseen(number: u64) -> u64 {
    static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    KEY.hash_one(number)
}

/// A mark that no other bot of this run has, nor of another run. It names a bot's scratch folder and groups, and tells
/// it nothing of who else was started.
pub(super) fn new_mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{:016x}", std::process::id(), unforeseen(COUNT.fetch_add(1, Ordering::Relaxed)))
}

/// Whether orphans come to this process, and nobody but bots are its children.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Makes this process the one that orphans of its bots come to. It must start nothing but bots from then on, but for
/// what it waits for before the first of them.
pub fn adopt_orphans() {
    ADOPTS.store(true, Ordering::Relaxed);
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

fn living() -> std::sync::MutexGuard<'static, BTreeSet<u32>> {
    LIVING.lock().expect("no one panics while holding it")
}

/// Starts a bot. None is taken for an orphan between its start and its being known.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    let mut living = living();
    let child = command.spawn()?;
    living.insert(child.id());
    Ok(child)
}

pub(super) fn ended(pid: u32) {
    living().remove(&pid);
}

/// How often is looked again: a process may fork while it is looked for.
const ROUNDS: usize = 50;

/// Ends all processes that bear the mark, and reaps what orphans have come to us. Returns how many were ended.
pub(super) fn end(mark: &str) -> usize {
    let (mut all, mark) = (BTreeSet::new(), format!("{VARIABLE}={mark}"));
    for round in 0..ROUNDS {
        let found = marked(mark.as_bytes());
        if found.is_empty() {
            break;
        }
        if round > 0 {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        for &pid in &found {
            if let Some(pid) = Pid::from_raw(pid as i32) {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
        }
        all.extend(found);
    }
    reap_orphans();
    all.len()
}

/// The numbers of all processes, as the system lists them.
pub(super) fn processes() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// What the system tells of a process, from its state on: the name before it may be any bytes, also brackets.
pub(super) fn stat(pid: u32) -> Option<String> {
    behind_name(&std::fs::read(format!("/proc/{pid}/stat")).ok()?)
}

fn behind_name(stat: &[u8]) -> Option<String> {
    let name_ends = stat.iter().rposition(|&b| b == b')')?;
    String::from_utf8(stat[name_ends + 1..].to_vec()).ok()
}

/// Whether nothing of a process goes on: it is gone, or the system is ending the last of its threads. Its pipes are
/// closed a while before its exit can be noticed.
pub(super) fn is_ending(pid: u32) -> bool {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        // Gone, or kept from our sight.
        let there = Pid::from_raw(pid as i32).map(rustix::process::test_kill_process);
        return there == Some(Err(rustix::io::Errno::SRCH));
    };
    threads.flatten().all(|thread| {
        let line = std::fs::read(thread.path().join("stat")).ok();
        line.as_deref().and_then(behind_name).is_none_or(|words| ends(&words))
    })
}

/// Whether what the system tells of a thread says that it has begun to end.
fn ends(stat: &str) -> bool {
    /// The kernel's PF_EXITING.
    const EXITING: u64 = 4;
    let mut words = stat.split_ascii_whitespace();
    let gone = words.next().is_none_or(|state| matches!(state, "Z" | "X"));
    gone || words.nth(5).and_then(|flags| flags.parse::<u64>().ok()).is_none_or(|flags| flags & EXITING != 0)
}

fn marked(mark: &[u8]) -> Vec<u32> {
    let bears = |pid: &u32| {
        // A zombie's environment is empty, so what was ended is not found again.
        std::fs::read(format!("/proc/{pid}/environ")).is_ok_and(|e| e.split(|&b| b == 0).any(|v| v == mark))
    };
    processes().filter(bears).collect()
}

/// Ends the orphans that came to us, and takes the exit status of those that have ended.
fn reap_orphans() {
    let me = std::process::id();
    let living = living();
    for pid in processes() {
        let Some(words) = stat(pid) else { continue };
        let mut words = words.split_ascii_whitespace();
        let (state, parent) = (words.next(), words.next().and_then(|p| p.parse::<u32>().ok()));
        if parent == Some(me)
            && !living.contains(&pid)
            && let Some(pid) = Pid::from_raw(pid as i32)
        {
            if state != Some("Z") {
                if ADOPTS.load(Ordering::Relaxed) {
                    let _ = rustix::process::kill_process(pid, Signal::KILL);
                }
                continue;
            }
            let _ = rustix::process::waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
    }
}
