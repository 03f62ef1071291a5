//! Standard output: a reader that went away (`arbiter … | head`) ends the program, with 0.

use std::io::{self, Write};

/// Prints to standard output.
pub fn print(text: impl std::fmt::Display) {
    let mut out = io::stdout().lock();
    if let Err(error) = write!(out, "{text}").and_then(|()| out.flush()) {
        if error.kind() == io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        // The terminal is gone: what a run still records is more worth than what it says.
        tracing::debug!(%error, "standard output is gone");
    }
}

/// Prints a line to standard output.
pub fn line(text: impl std::fmt::Display) {
    print(format_args!("{text}\n"));
}
