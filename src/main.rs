//! The binary `arbiter`; all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    arbiter::cli::main(std::env::args_os().collect())
}
