//! The stub of a confined bot, in at most three steps, each this program executing itself.
//!
//! The first leaves the arbiter's namespaces where that is possible. It stays outside, waits, and dies with the
//! arbiter; so does then all that is inside. The second is the first process inside: it furnishes the namespaces,
//! confines itself, starts the bot, collects orphans, and tells how the bot ended. Where there are no namespaces, or
//! /proc cannot be mounted in them, a step confines itself and becomes the bot.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use nix::sys::signal::{SigSet, Signal};
use rustix::io::FdFlags;
use rustix::process::{DumpableBehavior, WaitId, WaitIdOptions, WaitOptions};

use super::super::launcher::{CANNOT_EXECUTE, Program};
use super::super::platform::die_with_parent;
use super::{Layer, Orders, Standing, Told, calls, files, owner, spaces};

/// The hidden first argument of the second step, and of the last where that is a third.
pub(in super::super) const INSIDE: &str = "__launch-inside";
pub(in super::super) const LAST: &str = "__launch-last";

/// The exit status of a stub that could not do what it was ordered to.
const REFUSED: u8 = 126;

/// What a step works with.
struct Step {
    orders: Orders,
    orders_file: File,
    report: File,
    standings: Vec<Standing>,
}

impl Step {
    /// Opens what the descriptors of a process stand for.
    fn open(process: &str, orders: &str, report: &str) -> io::Result<Step> {
        let mut orders_file = File::open(format!("/proc/{process}/fd/{orders}"))?;
        let report = File::options().write(true).open(format!("/proc/{process}/fd/{report}"))?;
        let mut text = String::new();
        orders_file.read_to_string(&mut text)?;
        let orders = serde_json::from_str(&text)?;
        Ok(Step { orders, orders_file, report, standings: Vec::new() })
    }

    fn tell(&mut self, told: &Told) {
        let mut line = serde_json::to_vec(told).expect("a report holds nothing JSON cannot");
        line.push(b'\n');
        // Where nobody hears it any more, the arbiter is gone, and so are we in a moment.
        let _ = self.report.write_all(&line);
    }

    fn tell_standings(&mut self) {
        let standings = std::mem::take(&mut self.standings);
        self.tell(&Told::Layers(standings));
    }

    fn refuse(&mut self, why: String) -> ExitCode {
        self.tell(&Told::Refused(why));
        ExitCode::from(REFUSED)
    }

    /// Confines this process by all that needs no namespace. An error names what a base would need.
    fn confine(&mut self, own_proc: bool) -> Result<(), String> {
        owner::bound(&self.orders, &mut self.standings);
        // A user's paths are opened as the arbiter's user, who reaches them all.
        files::restrict(&self.orders, own_proc, &mut self.standings);
        owner::become_user(&self.orders, &mut self.standings);
        calls::restrict(&mut self.standings);
        let missing = Layer::missing_base(&self.standings);
        if self.orders.require && !missing.is_empty() {
            let why = |s: &&Standing| !s.in_force && s.layer < Layer::Rlimits;
            let causes: Vec<String> =
                self.standings.iter().filter(why).map(|s| format!("{}: {}", s.layer.word(), s.how)).collect();
            return Err(format!("{} cannot be had ({})", missing.join(", "), causes.join("; ")));
        }
        Ok(())
    }

    /// Hands the descriptors on to the next step.
    fn next(&self, word: &str, more: &[&str], program: &Program) -> Command {
        for file in [&self.orders_file, &self.report] {
            let _ = rustix::io::fcntl_setfd(file, FdFlags::empty());
        }
        let mut command = Command::new("/proc/self/exe");
        command
            .arg0("arbiter")
            .arg(word)
            .arg(self.orders_file.as_raw_fd().to_string())
            .arg(self.report.as_raw_fd().to_string())
            .args(more)
            .args(program.words());
        command
    }
}

/// The first step, as the arbiter starts it.
pub(in super::super) fn launch(parent: u32, orders: &str, report: &str, program: &Program) -> ExitCode {
    // What the arbiter itself was started with is none of a bot's business.
    close_fds::set_fds_cloexec(3, &[]);
    let mut step = match Step::open(&parent.to_string(), orders, report) {
        Ok(step) => step,
        Err(error) => {
            eprintln!("arbiter: the stub cannot read its orders: {error}");
            return ExitCode::from(REFUSED);
        }
    };
    for index in 0..step.orders.groups.len() {
        if let Err(error) = std::fs::write(&step.orders.groups[index], "0") {
            step.tell(&Told::Shut(index, error.to_string()));
        }
    }
    match spaces::leave() {
        Ok(()) => stay_outside(parent, &mut step, program),
        Err(why) => {
            for layer in [Layer::Pids, Layer::Proc, Layer::Hidden, Layer::Net, Layer::Ipc] {
                step.standings.push(Standing::off(layer, &why));
            }
            become_bot(&mut step, program, || die_with_parent(parent))
        }
    }
}

/// Starts the first process inside, and waits for it.
fn stay_outside(parent: u32, step: &mut Step, program: &Program) -> ExitCode {
    // A signal to the bot's group is meant for the bot; this process ends when it does.
    let _ = SigSet::from_iter([Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP]).thread_block();
    // New namespaces may have taken away the tie to the parent.
    if !die_with_parent(parent) {
        return ExitCode::FAILURE;
    }
    let started = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)
        .map_err(io::Error::from)
        .and_then(|(life, held)| {
            rustix::io::fcntl_setfd(&life, FdFlags::empty())?;
            let child = step.next(INSIDE, &[&life.as_raw_fd().to_string()], program).spawn()?;
            Ok((child, held))
        });
    let (mut child, _held) = match started {
        Ok(started) => started,
        Err(error) => return step.refuse(format!("no process can be started in its namespaces: {error}")),
    };
    let_go();
    match child.wait().map(|status| (status.code(), std::os::unix::process::ExitStatusExt::signal(&status))) {
        Ok((Some(code), _)) => ExitCode::from(code as u8),
        Ok((None, signal)) => {
            step.tell(&Told::Signal(signal.unwrap_or_default()));
            ExitCode::FAILURE
        }
        Err(_) => ExitCode::FAILURE,
    }
}

/// Gives up standard input and output: that the bot closes its own must be noticed.
fn let_go() {
    if let Ok(null) = File::options().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
}

/// The second step: `__launch-inside ORDERS REPORT LIFE PROGRAM ARG0 ARG…`.
pub(in super::super) fn inside(mut args: impl Iterator<Item = OsString>) -> ExitCode {
    let mut word = || args.next().and_then(|word| word.into_string().ok());
    let (Some(orders), Some(report), Some(life)) = (word(), word(), word()) else { return ExitCode::FAILURE };
    let Some(program) = Program::read(&mut args) else { return ExitCode::FAILURE };
    // Opened anew, so that the ones that were inherited can be closed with the exec.
    let Ok(mut step) = Step::open("self", &orders, &report) else { return ExitCode::FAILURE };
    let Ok(mut life) =
        File::options().read(true).custom_flags(libc::O_NONBLOCK).open(format!("/proc/self/fd/{life}"))
    else {
        return ExitCode::FAILURE;
    };
    close_fds::set_fds_cloexec(3, &[]);
    // The first step is outside: its number means nothing here, and a pipe that only it holds tells that it lives.
    let mut tied = move || {
        let asked = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        asked.is_ok() && !matches!(life.read(&mut [0]), Ok(0))
    };
    let own_proc = spaces::furnish(&step.orders, &mut step.standings);
    if !own_proc {
        // A /proc that is shared knows the bot by another number than the one it has here: a step of its own,
        // which becomes the bot, can name it.
        step.tell_standings();
    } else if let Err(why) = step.confine(true) {
        return step.refuse(why);
    }
    // A change of user takes the tie away, and this is after the last.
    if !tied() {
        return ExitCode::FAILURE;
    }
    let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
    step.tell_standings();
    // What was blocked outside would be inherited by the bot.
    let _ = SigSet::all().thread_unblock();
    let started = if own_proc { program.spawn() } else { step.next(LAST, &[], &program).spawn() };
    let child = match started {
        Ok(child) => child,
        Err(error) => {
            program.complain(&error);
            return ExitCode::from(CANNOT_EXECUTE as u8);
        }
    };
    let_go();
    let bot = rustix::process::Pid::from_child(&child);
    let seen = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        // The first process of a namespace is given all its orphans, and takes their leave. The bot's own it leaves where
        // it is until its end is told: so long whoever looks can see that it has ended.
        let _ = rustix::process::waitid(WaitId::All, seen);
        let of_bot = rustix::process::waitid(WaitId::Pid(bot), seen | WaitIdOptions::NOHANG);
        let ended = match of_bot {
            Ok(Some(status)) => Some((status.exit_status(), status.terminating_signal())),
            _ => match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == bot => {
                    Some((status.exit_status(), status.terminating_signal()))
                }
                Ok(_) | Err(rustix::io::Errno::INTR) => None,
                Err(_) => return ExitCode::FAILURE,
            },
        };
        if let Some(ended) = ended {
            let (told, code) = match ended {
                (Some(status), _) => (Told::Exit(status), status as u8),
                (None, signal) => (Told::Signal(signal.unwrap_or_default()), 1),
            };
            step.tell(&told);
            return ExitCode::from(code);
        }
    }
}

/// A third step: `__launch-last ORDERS REPORT PROGRAM ARG0 ARG…`.
pub(in super::super) fn last(mut args: impl Iterator<Item = OsString>) -> ExitCode {
    let mut word = || args.next().and_then(|word| word.into_string().ok());
    let (Some(orders), Some(report)) = (word(), word()) else { return ExitCode::FAILURE };
    let Some(program) = Program::read(&mut args) else { return ExitCode::FAILURE };
    let Ok(mut step) = Step::open("self", &orders, &report) else { return ExitCode::FAILURE };
    close_fds::set_fds_cloexec(3, &[]);
    // It ends with its namespace.
    become_bot(&mut step, &program, || true)
}

fn become_bot(step: &mut Step, program: &Program, tie: impl Fn() -> bool) -> ExitCode {
    // Its orphans stay below it, where they are counted, and come to the arbiter when it ends.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    if let Err(why) = step.confine(false) {
        return step.refuse(why);
    }
    if !tie() {
        return ExitCode::FAILURE;
    }
    step.tell_standings();
    program.become_it()
}
