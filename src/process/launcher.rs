//! The launcher: this program executing itself as a stub that ties its life to the arbiter's, then becomes the bot.
//!
//! A stub keeps the fast way of starting processes (no fork of a large parent, no unsafe hook between fork and exec),
//! and is where confinement is applied (`confine/stub.rs`).

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitCode};

/// The hidden first argument by which this program knows that it is the stub.
pub const LAUNCH: &str = "__launch";

/// The exit status by which the stub says that the bot could not be executed.
pub const CANNOT_EXECUTE: i32 = 127;

/// In place of orders: there are none.
pub(super) const NO_ORDERS: &str = "-";

/// Runs the stub, where the first argument is a stub's. Returns only where becoming the bot fails, or where a step of
/// it has to stay.
pub fn stub(args: &[OsString]) -> Option<ExitCode> {
    let word = args.first()?.to_str()?;
    let mut rest = args[1..].iter().cloned();
    match word {
        LAUNCH => Some(launch(&mut rest)),
        #[cfg(target_os = "linux")]
        super::confine::stub::INSIDE => Some(super::confine::stub::inside(rest)),
        #[cfg(target_os = "linux")]
        super::confine::stub::LAST => Some(super::confine::stub::last(rest)),
        _ => None,
    }
}

/// The first step: `__launch PARENT ORDERS REPORT PROGRAM ARG0 ARG…`.
fn launch(args: &mut impl Iterator<Item = OsString>) -> ExitCode {
    let parent = args.next().and_then(|p| p.to_str().and_then(|p| p.parse().ok()));
    let mut word = || args.next().and_then(|word| word.into_string().ok());
    let (orders, report) = (word(), word());
    let (Some(parent), Some(orders), Some(report), Some(program)) =
        (parent, orders, report, Program::read(args))
    else {
        eprintln!("arbiter: {LAUNCH} is for the arbiter itself");
        return ExitCode::from(2);
    };
    if !super::platform::die_with_parent(parent) {
        return ExitCode::from(1);
    }
    // A session of its own: no other bot's process can join its group, and no terminal is its.
    if let Err(error) = rustix::process::setsid() {
        eprintln!("arbiter: the stub gets no session of its own: {error}");
        return ExitCode::from(1);
    }
    #[cfg(target_os = "linux")]
    if orders != NO_ORDERS {
        return super::confine::stub::launch(parent, &orders, &report, &program);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (orders, report);
    program.become_it()
}

/// A program with its arguments.
pub(super) struct Program {
    path: OsString,
    arg0: OsString,
    args: Vec<OsString>,
}

impl Program {
    pub(super) fn read(words: &mut impl Iterator<Item = OsString>) -> Option<Program> {
        Some(Program { path: words.next()?, arg0: words.next()?, args: words.collect() })
    }

    /// The words that [`Program::read`] takes.
    #[cfg(target_os = "linux")]
    pub(super) fn words(&self) -> impl Iterator<Item = &OsString> {
        [&self.path, &self.arg0].into_iter().chain(&self.args)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.arg0(&self.arg0).args(&self.args);
        command
    }

    /// Becomes it. Returns only where that fails.
    pub(super) fn become_it(&self) -> ExitCode {
        self.complain(&self.command().exec());
        ExitCode::from(CANNOT_EXECUTE as u8)
    }

    /// Starts it.
    #[cfg(target_os = "linux")]
    pub(super) fn spawn(&self) -> io::Result<Child> {
        self.command().spawn().or_else(|error| match error.raw_os_error() {
            // A script without a first line: the shell's, as becoming it would make of it.
            Some(8) => Command::new("/bin/sh").arg(&self.path).args(&self.args).spawn(),
            _ => Err(error),
        })
    }

    /// Says why it could not be executed.
    pub(super) fn complain(&self, error: &io::Error) {
        let program = self.path.to_string_lossy();
        eprintln!("arbiter: cannot execute {program}: {}", explain(error));
    }
}

fn explain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => {
            format!("{error}; if the file is there, the interpreter in its first line is not")
        }
        io::ErrorKind::PermissionDenied => {
            format!(
                "{error}; what it needs to run may have to be granted: read = [\"FOLDER\"] in its registry entry"
            )
        }
        _ if error.raw_os_error() == Some(8) => {
            format!("{error}; a script needs a first line such as #!/usr/bin/env python3")
        }
        _ => error.to_string(),
    }
}
