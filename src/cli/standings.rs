//! `arbiter standings`: an event's table, made again from its journal.

use std::path::PathBuf;

use super::event;
use super::failure::{Exit, usage};
use super::options::{check, rules_of_words};
use super::output;
use crate::record::{EventFile, EventFolder, JournalError, StandingsFile};
use crate::report;

/// Arguments of `standings`.
#[derive(Debug, clap::Args)]
pub struct StandingsArgs {
    /// An event's folder
    #[arg(value_name = "RESULTS")]
    folder: PathBuf,
    /// standings.json on standard output
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Markdown on standard output
    #[arg(long)]
    markdown: bool,
}

/// Runs the verb: shows the table, and writes standings.json and standings.md anew where no run is at work.
pub fn run(args: &StandingsArgs) -> anyhow::Result<Exit> {
    let path = args.folder.join("event.json");
    let text = std::fs::read_to_string(&path).map_err(|e| usage(format!("{}: {e}", path.display())))?;
    let event: EventFile =
        serde_json::from_str(&text).map_err(|e| usage(format!("{}: {e}", path.display())))?;
    let rules = check(rules_of_words(&event.rules)?)?;
    let names: Vec<String> = event.bots.iter().map(|b| b.name.clone()).collect();
    let (collector, report) = event::table(&args.folder, &rules, &names)?;
    if report.torn > 0 {
        tracing::warn!("the last line of the journal is torn and is left out");
    }
    let file = StandingsFile::from(&collector.standings());
    if args.json {
        output::print(file.to_text());
        return Ok(Exit::Done);
    }
    if args.markdown {
        output::print(report::markdown(&file));
        return Ok(Exit::Done);
    }
    output::print(report::terminal(&file));
    match EventFolder::hold(&args.folder) {
        Ok(folder) => event::write_standings(&folder, &file)?,
        // A run is at work there, or the folder is somebody else's: the table was shown all the same.
        Err(JournalError::InUse(_)) => {}
        Err(error) => tracing::warn!("standings.json and standings.md were not written anew: {error}"),
    }
    Ok(Exit::Done)
}
