//! `arbiter man` and `arbiter completions`: the command line, written down for man and for shells.

use std::fs;
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;

use super::failure::{Exit, fail};
use super::output;

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// A folder for all pages, one a verb; without it the page arbiter(1) is printed
    dir: Option<PathBuf>,
}

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the page of the program, or writes all pages into a folder.
pub fn man(args: &ManArgs, command: Command) -> anyhow::Result<Exit> {
    // It has no page of its own.
    let command = command.disable_help_subcommand(true);
    let Some(dir) = &args.dir else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).expect("memory takes it");
        output::print(String::from_utf8_lossy(&page));
        return Ok(Exit::Done);
    };
    fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(command, dir)).map_err(|e| {
        fail(Exit::Void, format!("{}: {e}; name a folder that can be written", dir.display()))
    })?;
    Ok(Exit::Done)
}

/// Prints a shell's completion script.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "arbiter", &mut script);
    output::print(String::from_utf8_lossy(&script));
    Exit::Done
}
