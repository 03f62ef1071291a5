//! Machines that have less than this one: an ordinary user, no namespaces.

use std::path::Path;
use std::process::Command;

use crate::fake::fake_bot;

/// A machine to run the arbiter on: this one, or with something of it taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// This one, as whoever runs the tests.
    Whole,
    /// As an ordinary user.
    Ordinary,
    /// Whoever it is, without any namespace.
    WithoutSpaces,
    /// As an ordinary user, without any namespace: the base alone.
    Base,
}

impl Machine {
    pub const ALL: [Machine; 4] = [Machine::Whole, Machine::Ordinary, Machine::WithoutSpaces, Machine::Base];

    /// A program that is run on it.
    pub fn command(self, program: &Path) -> Command {
        let mut words: Vec<String> = Vec::new();
        if matches!(self, Machine::Ordinary | Machine::Base) && rustix::process::geteuid().is_root() {
            words.extend(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"].map(str::to_owned));
        }
        if matches!(self, Machine::WithoutSpaces | Machine::Base) {
            words.extend([fake_bot().display().to_string(), "without".to_owned(), "unshare".to_owned()]);
        }
        words.push(program.display().to_string());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }
}
