//! Standard output: a reader that went away (`arbiter … | head`) ends the program, with 0.

use std::io::{self, Write};
use std::sync::Mutex;

/// The first error of writing, by which the program ends when all else is done.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);

/// Why standard output is incomplete, if it is.
pub fn failed() -> Option<io::Error> {
    FAILED.lock().expect("no one panics while holding it").take()
}

/// Prints to standard output.
pub fn print(text: impl std::fmt::Display) {
    let mut out = io::stdout().lock();
    if let Err(error) = write!(out, "{text}").and_then(|()| out.flush()) {
        if error.kind() == io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        // What a run still records is more worth than what it says: it goes on, and the error is told at its end.
        FAILED.lock().expect("no one panics while holding it").get_or_insert(error);
    }
}

/// Prints a line to standard output.
pub fn line(text: impl std::fmt::Display) {
    print(format_args!("{text}\n"));
}
