//! How a run of the program ends: one enum of exit codes, and errors that carry theirs.

use std::fmt;

/// Exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All was done.
    Done = 0,
    /// What was tested failed: a log that does not verify, a bot that does not comply.
    Failed = 1,
    /// Arguments or configuration are wrong.
    Usage = 2,
    /// A bot could not start.
    Bot = 3,
    /// Games were left void by the arena, or could not be recorded.
    Void = 4,
    /// The arbiter is at fault.
    Internal = 5,
    /// Interrupted; the event can be resumed.
    Interrupted = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> std::process::ExitCode {
        std::process::ExitCode::from(exit as u8)
    }
}

/// An error with its exit code.
#[derive(Debug)]
pub struct Failure {
    /// The code.
    pub exit: Exit,
    message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// An error that ends the program with this code.
pub fn fail(exit: Exit, message: impl fmt::Display) -> anyhow::Error {
    anyhow::Error::new(Failure { exit, message: message.to_string() })
}

/// A usage or configuration error.
pub fn usage(message: impl fmt::Display) -> anyhow::Error {
    fail(Exit::Usage, message)
}
