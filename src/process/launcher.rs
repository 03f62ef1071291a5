//! The launcher: this program executing itself as a stub that ties its life to the arbiter's, then becomes the bot.
//!
//! A stub keeps the fast way of starting processes (no fork of a large parent, no unsafe hook between fork and exec),
//! and is the room where confinement goes.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// The hidden first argument by which this program knows that it is the stub.
pub const LAUNCH: &str = "__launch";

/// The exit status by which the stub says that the bot could not be executed.
pub const CANNOT_EXECUTE: i32 = 127;

/// Runs the stub: `__launch PARENT PROGRAM ARG0 ARG…`. Returns only where that fails.
pub fn launch(mut args: impl Iterator<Item = OsString>) -> ExitCode {
    let parent = args.next().and_then(|p| p.to_str().and_then(|p| p.parse().ok()));
    let (Some(parent), Some(program), Some(arg0)) = (parent, args.next(), args.next()) else {
        eprintln!("arbiter: {LAUNCH} is for the arbiter itself");
        return ExitCode::from(2);
    };
    if !super::platform::die_with_parent(parent) {
        return ExitCode::from(1);
    }
    let error = Command::new(&program).arg0(arg0).args(args).exec();
    let program = program.to_string_lossy();
    eprintln!("arbiter: cannot execute {program}: {}", explain(&error));
    ExitCode::from(CANNOT_EXECUTE as u8)
}

fn explain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            format!("{error}; if the file is there, the interpreter in its first line is not")
        }
        _ if error.raw_os_error() == Some(8) => {
            format!("{error}; a script needs a first line such as #!/usr/bin/env python3")
        }
        _ => error.to_string(),
    }
}
