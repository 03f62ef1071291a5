//! `arbiter publish`: a copy of an event for the public. It leaves out what is the organiser's or a bot author's own
//! (machine, command lines, paths, options, standard error, transcripts), and of an event that goes on what would help
//! in games not yet played.

use std::fs::{self, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use super::event;
use super::failure::{Exit, fail, usage};
use super::output;
use super::standings::{Played, read};
use crate::record::{
    EventFile, GameRecord, JOURNAL, JournalError, Machine, StandingsFile, partial, read_records,
    scan_journal, write_whole,
};
use crate::report;
use crate::tournament::{Collector, Fixed, Gauntlet, PairOrder, RoundRobin};

/// Arguments of `publish`.
#[derive(Debug, clap::Args)]
pub struct PublishArgs {
    /// The event's folder; a run may be at work there
    event: PathBuf,
    /// Where the copy goes: a new folder, or an older copy
    #[arg(value_name = "DIR")]
    to: PathBuf,
    /// The event is over although games of its plan are missing
    #[arg(long)]
    over: bool,
}

/// Runs the verb.
pub fn run(args: &PublishArgs) -> anyhow::Result<Exit> {
    let played = read(&args.event)?;
    let event_path = args.to.join("event.json");
    if args.to.exists() {
        let empty = fs::read_dir(&args.to).is_ok_and(|mut entries| entries.next().is_none());
        let copy = fs::read_to_string(&event_path)
            .ok()
            .and_then(|text| serde_json::from_str::<EventFile>(&text).ok())
            .is_some_and(|file| !file.withheld.is_empty() && file.name == played.file.name);
        if !empty && !copy {
            return Err(usage(format!(
                "{}: that is no older copy of this event; name a new folder",
                args.to.display()
            )));
        }
    }
    let journal = args.event.join(JOURNAL);
    let names: Vec<String> = played.file.bots.iter().map(|b| b.name.clone()).collect();
    let mut collector = Collector::new(played.points, &names);
    let (ids, _) = scan_journal(&journal, |game| {
        if played.file.counts(game.red) && played.file.counts(game.blue) {
            collector.add(game);
        }
    })
    .map_err(|e| usage(e.to_string()))?;
    let over = args.over || is_over(&played.file, ids.len() as u64);
    // Under a book other games are yet to be played from the same deployments; and of deployments that a short seed
    // drew, whoever tries out all seeds finds the rest.
    let assigned = played.file.rules.get("deployment-by").is_some_and(|by| by != "bot");
    let shared = !over && (assigned || played.file.setups.is_some());
    let file = public_event(&played.file, over, shared);
    let cannot = |path: &PathBuf| {
        let path = path.display().to_string();
        move |error: std::io::Error| fail(Exit::Void, format!("{path}: {error}"))
    };
    fs::create_dir_all(&args.to).map_err(cannot(&args.to))?;
    let text = serde_json::to_string_pretty(&file).expect("a plan holds nothing JSON cannot") + "\n";
    // The plan first: a folder with games and no plan would be nobody's.
    write_whole(&event_path, &text).map_err(|e| fail(Exit::Void, e))?;
    let whole = args.to.join(JOURNAL);
    let partial = partial(&whole);
    let copy = || -> anyhow::Result<u64> {
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(&partial);
        let mut out = BufWriter::new(file.map_err(cannot(&partial))?);
        let mut games = 0;
        read_records(&journal, |_, record| -> anyhow::Result<()> {
            // What was settled after the table was made is for the next copy.
            if record.id.parse().is_ok_and(|id| ids.binary_search(&id).is_ok()) {
                games += 1;
                let mut game = public_game(record, &played, shared);
                if !over {
                    (game.seeds.red, game.seeds.blue) = (0, 0);
                }
                let line = game.to_line();
                out.write_all(line.as_bytes()).map_err(cannot(&partial))?;
            }
            Ok(())
        })
        .map_err(|error| match error.downcast::<JournalError>() {
            Ok(journal) => usage(journal.to_string()),
            Err(other) => other,
        })?;
        out.flush().map_err(cannot(&partial))?;
        fs::rename(&partial, &whole).map_err(cannot(&whole))?;
        Ok(games)
    };
    let games = copy().inspect_err(|_| drop(fs::remove_file(&partial)))?;
    let extras = event::extras(&args.event, &played.file, played.points)?;
    let table = StandingsFile::from(&collector.rated(&Default::default(), &extras));
    write_whole(&args.to.join("standings.json"), &table.to_text())
        .and_then(|()| write_whole(&args.to.join("standings.md"), &report::markdown(&table)))
        .map_err(|e| fail(Exit::Void, e))?;
    let state = match (over, shared) {
        (true, _) => "whole",
        (false, false) => "going on: its seeds are withheld",
        (false, true) => "going on: its seeds, deployments and moves are withheld",
    };
    output::line(format_args!("{games} games in {}; {state}", args.to.display()));
    Ok(Exit::Done)
}

/// Whether all games of the plan are played. A schedule whose games are not known beforehand is over when its
/// organiser says so.
fn is_over(file: &EventFile, settled: u64) -> bool {
    let schedule = &file.schedule;
    let (players, rounds, games) = (file.bots.len(), schedule.rounds, schedule.games);
    let order = PairOrder::ByLater;
    let fixed = match schedule.kind.as_str() {
        // A test may end it sooner, and whether it did is not looked at here.
        "round-robin" => Fixed::RoundRobin(RoundRobin { players, rounds, games, order }),
        "gauntlet" => {
            Fixed::Gauntlet(Gauntlet { players, seeds: schedule.seeds.unwrap_or(1), rounds, games })
        }
        _ => return false,
    };
    settled >= fixed.total()
}

fn public_event(file: &EventFile, over: bool, shared: bool) -> EventFile {
    let mut public = file.clone();
    public.command = Vec::new();
    public.machine = Machine { os: String::new(), arch: String::new(), cores: 0 };
    for bot in &mut public.bots {
        bot.argv = Vec::new();
        bot.program = String::new();
        bot.options.clear();
    }
    let mut withheld = vec!["command", "machine", "argv", "program", "options", "stderr", "wire"];
    if !over {
        // Seats' seeds are drawn from it, and with them deployments that the arena assigns.
        public.seed = 0;
        withheld.extend(["seed", "seeds"]);
    }
    if shared {
        withheld.extend(["setup", "moves", "battles"]);
    }
    public.withheld = withheld.into_iter().map(str::to_owned).collect();
    public
}

fn public_game(mut record: GameRecord, played: &Played, shared: bool) -> GameRecord {
    for fault in &mut record.faults {
        fault.stderr = Vec::new();
        let name = if fault.side == "red" { &record.red } else { &record.blue };
        let bots = played.file.bots.iter();
        let private =
            bots.flat_map(|b| std::iter::once(&b.program).chain(b.argv.iter().filter(|a| a.contains('/'))));
        for path in private.filter(|path| !path.is_empty()) {
            fault.evidence = fault.evidence.replace(path.as_str(), name);
        }
        if shared {
            fault.attempt = None;
        }
    }
    if shared {
        (record.setup.red, record.setup.blue) = (None, None);
        record.moves.clear();
        record.battles.clear();
        record.us.clear();
        record.given = 0;
    }
    record
}
