//! Standard output and standard error, whose readers may go away.
//!
//! A reader that leaves (`arbiter … | head`) ends the program with 0; but an event is played to its end, since what
//! it records is more worth than what it says. Nothing is ever lost because nobody listens to standard error.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the program goes on when the reader of standard output has gone.
static PLAYING: AtomicBool = AtomicBool::new(false);
/// Whether it has gone, so that nothing more is said.
static UNREAD: AtomicBool = AtomicBool::new(false);
/// The first error of writing, by which the program ends when all else is done.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);

/// From now on a reader that goes away ends nothing.
pub fn play_on_unread() {
    PLAYING.store(true, Ordering::Relaxed);
}

/// Why standard output is incomplete, if it is. That its reader did not want the rest is no reason.
pub fn failed() -> Option<io::Error> {
    FAILED.lock().expect("no one panics while holding it").take()
}

/// Prints to standard output.
pub fn print(text: impl std::fmt::Display) {
    if UNREAD.load(Ordering::Relaxed) {
        return;
    }
    let mut out = io::stdout().lock();
    if let Err(error) = write!(out, "{text}").and_then(|()| out.flush()) {
        if error.kind() == io::ErrorKind::BrokenPipe {
            if !PLAYING.load(Ordering::Relaxed) {
                std::process::exit(0);
            }
            UNREAD.store(true, Ordering::Relaxed);
            return tell("standard output has no reader any more; the games go on and are recorded");
        }
        FAILED.lock().expect("no one panics while holding it").get_or_insert(error);
    }
}

/// Prints to standard output, if anybody reads it: for verbs whose exit code says more than their words.
pub fn print_if_read(text: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        FAILED.lock().expect("no one panics while holding it").get_or_insert(error);
    }
}

/// Prints a line to standard output.
pub fn line(text: impl std::fmt::Display) {
    print(format_args!("{text}\n"));
}

/// Prints a line to standard error, as well as that can be done.
pub fn tell(text: impl std::fmt::Display) {
    // One write a line, so that lines of several threads do not mix. `eprintln` would panic where nobody listens.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}
