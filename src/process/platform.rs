//! What differs between systems: watching for a process's exit, tying it to its parent's life, and cores.
//!
//! Linux has pidfds, parent-death signals and affinity. Elsewhere the exit is polled for, and the rest is left out.

use std::io;
use std::task::{Context, Poll};

use rustix::process::{Pid, WaitId, WaitIdOptions, WaitIdStatus};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exit::Status(status) => write!(f, "exited with status {status}"),
            Exit::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "was ended by signal {signal} ({name})"),
                None => write!(f, "was ended by signal {signal}"),
            },
        }
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        _ => return None,
    })
}

fn read_status(status: &WaitIdStatus) -> Exit {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(status), _) => Exit::Status(status),
        (None, signal) => Exit::Signal(signal.unwrap_or_default()),
    }
}

/// Watches a child until it exits, and leaves it unreaped: as long as it is, its number and its group's cannot be
/// another's.
#[derive(Debug)]
pub(super) struct ExitWatch {
    pid: Pid,
    exit: Option<Exit>,
    #[cfg(target_os = "linux")]
    pidfd: tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>,
    #[cfg(not(target_os = "linux"))]
    again: std::pin::Pin<Box<tokio::time::Sleep>>,
}

impl ExitWatch {
    pub(super) fn new(pid: Pid) -> io::Result<ExitWatch> {
        Ok(ExitWatch {
            pid,
            exit: None,
            #[cfg(target_os = "linux")]
            pidfd: {
                let fd = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty())?;
                // SAFETY: the AsyncFd owns the descriptor, and nothing else closes it or takes it out.
                #[allow(unsafe_code)]
                unsafe {
                    tokio::io::unix::AsyncFd::register_with_interest(fd, tokio::io::Interest::READABLE)?
                }
            },
            #[cfg(not(target_os = "linux"))]
            again: Box::pin(tokio::time::sleep(std::time::Duration::ZERO)),
        })
    }

    /// How it ended, if it has: asked of the system, without waiting.
    pub(super) fn now(&mut self) -> Option<Exit> {
        if self.exit.is_none() {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            let status = rustix::process::waitid(WaitId::Pid(self.pid), options).ok().flatten();
            self.exit = status.as_ref().map(read_status);
        }
        self.exit
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Exit> {
        loop {
            #[cfg(target_os = "linux")]
            {
                if let Some(exit) = self.exit {
                    return Poll::Ready(exit);
                }
                match self.pidfd.poll_read_ready(cx) {
                    Poll::Pending => return Poll::Pending,
                    Poll::Ready(ready) => {
                        if let Ok(mut guard) = ready {
                            guard.clear_ready();
                        }
                        // Readable means exited; only a status that cannot be had is a reason to look again.
                        if let Some(exit) = self.now() {
                            return Poll::Ready(exit);
                        }
                    }
                }
            }
            #[cfg(not(target_os = "linux"))]
            {
                if let Some(exit) = self.now() {
                    return Poll::Ready(exit);
                }
                if self.again.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                let next = tokio::time::Instant::now() + std::time::Duration::from_millis(5);
                self.again.as_mut().reset(next);
            }
        }
    }

    /// Ends every process of the child's group and takes its exit status, so that no zombie is left. Only when it
    /// has exited, or is about to.
    pub(super) fn reap(&mut self) {
        let _ = rustix::process::kill_process_group(self.pid, rustix::process::Signal::KILL);
        let _ = rustix::process::waitid(WaitId::Pid(self.pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    }
}

/// Asks that this process, and what it becomes by exec, is killed when the thread that started it ends; false where
/// that thread's process, `parent`, is gone already.
pub(super) fn die_with_parent(parent: u32) -> bool {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    rustix::process::getppid().is_some_and(|pid| pid.as_raw_nonzero().get() as u32 == parent)
}

/// The cores this process may use, in ascending order; empty where the system does not tell.
pub fn cores() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = rustix::thread::sched_getaffinity(None) {
        return (0..rustix::thread::CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect();
    }
    Vec::new()
}

/// Makes sure that this process may have so many files open, and raises its own limit for that as far as it may;
/// otherwise tells how many it may have.
///
/// # Errors
/// The number that it may have.
pub fn allow_descriptors(needed: u64) -> Result<(), u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let have = getrlimit(Resource::Nofile);
    let (now, most) = (have.current.unwrap_or(u64::MAX), have.maximum.unwrap_or(u64::MAX));
    if now >= needed {
        Ok(())
    } else if most < needed {
        Err(most)
    } else {
        // No more than is needed: bots that are not confined inherit it.
        setrlimit(Resource::Nofile, Rlimit { current: Some(needed), ..have }).map_err(|_| now)
    }
}

/// Keeps the calling thread, and what it starts from now on, on these cores. Best effort: a refusal costs speed.
pub fn keep_on(cores: &[usize]) {
    #[cfg(target_os = "linux")]
    if !cores.is_empty() {
        let mut set = rustix::thread::CpuSet::new();
        cores.iter().for_each(|&core| set.set(core));
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = cores;
}

/// Lets processes use these cores, every thread of them, whatever their starter was kept on. Best effort.
pub(super) fn let_use(pids: &[u32], cores: &[usize]) {
    #[cfg(target_os = "linux")]
    if !cores.is_empty() {
        let mut set = rustix::thread::CpuSet::new();
        cores.iter().for_each(|&core| set.set(core));
        let threads =
            |pid: &u32| std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        for thread in pids.iter().flat_map(threads) {
            let number =
                thread.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
            let _ = number.map(|thread| rustix::thread::sched_setaffinity(Some(thread), &set));
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (pids, cores);
}
