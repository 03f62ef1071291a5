//! `arbiter export`: events, games, moves and ratings as tables, for SQL and notebooks. It copies what the journals say
//! and computes nothing but the ratings that `arbiter standings` shows.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::types::Value;

use super::event;
use super::failure::{Exit, fail, usage};
use super::output;
use super::standings::{Played, read};
use crate::record::{
    GameRecord, JOURNAL, JournalError, RecordedTurn, StandingsFile, WireEstimate, partial, read_records,
    scan_journal,
};
use crate::tournament::{Collector, GameId};

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    /// Folders of events
    #[arg(value_name = "RESULTS", required = true)]
    folders: Vec<PathBuf>,
    /// The file: .sqlite or .db for a database, .csv for games, with .events.csv, .moves.csv and .ratings.csv beside it
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Write over a file that is there
    #[arg(long)]
    overwrite: bool,
}

/// A table: its name, its columns with their types, and what makes a row its own.
struct Table {
    name: &'static str,
    columns: &'static [(&'static str, &'static str)],
    key: &'static str,
}

const EVENTS: Table = Table {
    name: "events",
    columns: &[
        ("event", "INTEGER NOT NULL"),
        ("name", "TEXT NOT NULL"),
        ("rules", "TEXT NOT NULL"),
        ("time", "TEXT NOT NULL"),
        ("seed", "INTEGER NOT NULL"),
        ("arbiter", "TEXT NOT NULL"),
        ("games", "INTEGER NOT NULL"),
    ],
    key: "event",
};

const GAMES: Table = Table {
    name: "games",
    columns: &[
        ("event", "INTEGER NOT NULL"),
        ("game", "TEXT NOT NULL"),
        ("round", "INTEGER NOT NULL"),
        ("pair", "INTEGER NOT NULL"),
        ("number", "INTEGER NOT NULL"),
        ("red", "TEXT NOT NULL"),
        ("blue", "TEXT NOT NULL"),
        ("result", "TEXT NOT NULL"),
        ("reason", "TEXT NOT NULL"),
        ("clause", "TEXT"),
        ("plies", "INTEGER NOT NULL"),
        ("first", "TEXT NOT NULL"),
        ("red_points", "REAL"),
        ("red_us", "INTEGER NOT NULL"),
        ("blue_us", "INTEGER NOT NULL"),
        ("red_setup", "TEXT"),
        ("blue_setup", "TEXT"),
        ("red_seed", "INTEGER NOT NULL"),
        ("blue_seed", "INTEGER NOT NULL"),
    ],
    key: "event, game",
};

const MOVES: Table = Table {
    name: "moves",
    columns: &[
        ("event", "INTEGER NOT NULL"),
        ("game", "TEXT NOT NULL"),
        ("ply", "INTEGER NOT NULL"),
        ("side", "TEXT NOT NULL"),
        ("move", "TEXT NOT NULL"),
        ("us", "INTEGER"),
        ("attacker", "TEXT"),
        ("defender", "TEXT"),
        ("outcome", "TEXT"),
    ],
    key: "event, game, ply",
};

const RATINGS: Table = Table {
    name: "ratings",
    columns: &[
        ("event", "INTEGER NOT NULL"),
        ("bot", "TEXT NOT NULL"),
        ("hash", "TEXT"),
        ("place", "INTEGER NOT NULL"),
        ("games", "INTEGER NOT NULL"),
        ("wins", "INTEGER NOT NULL"),
        ("draws", "INTEGER NOT NULL"),
        ("losses", "INTEGER NOT NULL"),
        ("points", "REAL NOT NULL"),
        ("elo", "REAL"),
        ("elo_error", "REAL"),
        ("elo_kind", "TEXT NOT NULL"),
        ("pool", "INTEGER NOT NULL"),
    ],
    key: "event, bot",
};

const TABLES: [&Table; 4] = [&EVENTS, &GAMES, &MOVES, &RATINGS];

/// Where rows go.
trait Sink {
    fn row(&mut self, table: &Table, values: &[Value]) -> anyhow::Result<()>;
}

/// Runs the verb.
pub fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let events: Vec<Played> = args.folders.iter().map(|f| read(f)).collect::<anyhow::Result<_>>()?;
    let ending = args.to.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let files: Vec<PathBuf> = match ending {
        "sqlite" | "sqlite3" | "db" => vec![args.to.clone()],
        "csv" => TABLES.iter().map(|table| csv_path(&args.to, table)).collect(),
        _ => {
            return Err(usage(format!("--to {}: it ends with .sqlite, .db or .csv", args.to.display())));
        }
    };
    if let Some(there) = files.iter().find(|file| file.exists() && !args.overwrite) {
        return Err(usage(format!("{} is there already; --overwrite replaces it", there.display())));
    }
    let written = if ending == "csv" {
        CsvFiles::create(&files.iter().map(|f| partial(f)).collect::<Vec<_>>())
            .and_then(|mut sink| fill(&events, &mut sink).and_then(|games| sink.finish().map(|()| games)))
    } else {
        database(&partial(&args.to), &events)
    };
    let renamed = written.and_then(|games| {
        for file in &files {
            fs::rename(partial(file), file).map_err(|e| cannot_write(file, e))?;
        }
        Ok(games)
    });
    if renamed.is_err() {
        // Nothing half-written is left behind.
        files.iter().for_each(|file| drop(fs::remove_file(partial(file))));
    }
    let games = renamed?;
    let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    output::line(format_args!("{games} games in {}", names.join(", ")));
    Ok(Exit::Done)
}

fn cannot_write(path: &Path, error: impl std::fmt::Display) -> anyhow::Error {
    fail(Exit::Void, format!("{}: {error}", path.display()))
}

fn csv_path(to: &Path, table: &Table) -> PathBuf {
    match table.name {
        "games" => to.to_owned(),
        name => to.with_extension(format!("{name}.csv")),
    }
}

struct Database<'a> {
    connection: &'a rusqlite::Connection,
}

impl Sink for Database<'_> {
    fn row(&mut self, table: &Table, values: &[Value]) -> anyhow::Result<()> {
        let marks = vec!["?"; table.columns.len()].join(", ");
        let mut insert =
            self.connection.prepare_cached(&format!("INSERT INTO {} VALUES ({marks})", table.name))?;
        insert.execute(rusqlite::params_from_iter(values))?;
        Ok(())
    }
}

fn database(path: &Path, events: &[Played]) -> anyhow::Result<u64> {
    let write = || -> anyhow::Result<u64> {
        drop(fs::remove_file(path));
        let mut connection = rusqlite::Connection::open(path)?;
        // It is renamed when it is whole: no journal of its own is needed.
        connection.pragma_update(None, "journal_mode", "OFF")?;
        let transaction = connection.transaction()?;
        for table in TABLES {
            let columns: Vec<String> = table.columns.iter().map(|(n, t)| format!("\"{n}\" {t}")).collect();
            let sql =
                format!("CREATE TABLE {} ({}, PRIMARY KEY ({}))", table.name, columns.join(", "), table.key);
            transaction.execute(&sql, [])?;
        }
        let games = fill(events, &mut Database { connection: &transaction })?;
        transaction.commit()?;
        Ok(games)
    };
    write().map_err(|error| match error.downcast::<rusqlite::Error>() {
        Ok(sql) => cannot_write(path, sql),
        Err(other) => other,
    })
}

struct CsvFiles(Vec<(PathBuf, csv::Writer<fs::File>)>);

impl CsvFiles {
    fn create(paths: &[PathBuf]) -> anyhow::Result<CsvFiles> {
        let files = paths.iter().zip(TABLES).map(|(path, table)| {
            let file = fs::File::create(path).map_err(|e| cannot_write(path, e))?;
            let mut writer = csv::Writer::from_writer(file);
            let names = table.columns.iter().map(|(name, _)| name);
            writer.write_record(names).map_err(|e| cannot_write(path, e))?;
            Ok((path.clone(), writer))
        });
        Ok(CsvFiles(files.collect::<anyhow::Result<_>>()?))
    }

    fn finish(mut self) -> anyhow::Result<()> {
        self.0.iter_mut().try_for_each(|(path, writer)| writer.flush().map_err(|e| cannot_write(path, e)))
    }
}

impl Sink for CsvFiles {
    fn row(&mut self, table: &Table, values: &[Value]) -> anyhow::Result<()> {
        let at = TABLES.iter().position(|t| t.name == table.name).expect("all tables are in the list");
        let (path, writer) = &mut self.0[at];
        let cells = values.iter().map(|value| match value {
            Value::Null => String::new(),
            Value::Integer(n) => n.to_string(),
            Value::Real(x) => x.to_string(),
            Value::Text(text) => text.clone(),
            Value::Blob(_) => unreachable!("no column holds bytes"),
        });
        writer.write_record(cells).map_err(|e| cannot_write(path, e))
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn maybe(word: Option<&str>) -> Value {
    word.map_or(Value::Null, text)
}

fn whole(n: u64) -> Value {
    // Seeds and counts are below 2^63.
    Value::Integer(i64::try_from(n).unwrap_or(i64::MAX))
}

/// Copies all events, and says how many games they have.
fn fill(events: &[Played], sink: &mut dyn Sink) -> anyhow::Result<u64> {
    let mut all = 0;
    for (number, played) in (1u64..).zip(events) {
        let path = played.folder.join(JOURNAL);
        let torn = read_records(&path, |_, record| game(number, &record, sink)).map_err(wrong_journal)?;
        if torn > 0 {
            tracing::warn!("{}: the last line is torn and is left out", path.display());
        }
        let names: Vec<String> = played.file.bots.iter().map(|b| b.name.clone()).collect();
        let mut collector = Collector::new(played.points, &names);
        scan_journal(&path, |game| {
            if played.file.counts(game.red) && played.file.counts(game.blue) {
                collector.add(game);
            }
        })
        .map_err(|e| usage(e.to_string()))?;
        let extras = event::extras(&played.folder, &played.file, played.points)?;
        let table = StandingsFile::from(&collector.rated(&Default::default(), &extras));
        let word = |key: &str| played.file.time.get(key).map_or("", String::as_str);
        let rules = played.file.rules.get("name").map_or("", String::as_str);
        let seed = whole(played.file.seed);
        let event = [
            whole(number),
            text(&played.file.name),
            text(rules),
            text(word("control")),
            seed,
            text(&played.file.arbiter),
            whole(table.games),
        ];
        sink.row(&EVENTS, &event)?;
        ratings(number, played, &table, sink)?;
        all += table.games;
    }
    Ok(all)
}

fn wrong_journal(error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<JournalError>() {
        Ok(journal) => usage(journal.to_string()),
        Err(other) => other,
    }
}

fn game(event: u64, record: &GameRecord, sink: &mut dyn Sink) -> anyhow::Result<()> {
    let id: GameId = record.id.parse().map_err(usage)?;
    // Moves alternate: who cannot move has lost, or the game is a draw.
    let blue_first = record.first == "blue";
    let side = |ply: usize| if ply.is_multiple_of(2) == blue_first { "blue" } else { "red" };
    let mut spent = [0u64; 2];
    for (ply, us) in record.us.iter().enumerate() {
        spent[usize::from(side(ply) == "blue")] += us;
    }
    let points = match record.result.as_str() {
        "red" => Value::Real(1.0),
        "blue" => Value::Real(0.0),
        "draw" => Value::Real(0.5),
        _ => Value::Null,
    };
    let row = [
        whole(event),
        text(&record.id),
        whole(id.round),
        whole(id.pair),
        whole(id.game),
        text(&record.red),
        text(&record.blue),
        text(&record.result),
        text(&record.reason),
        maybe(record.clause.as_deref()),
        whole(u64::from(record.plies)),
        text(&record.first),
        points,
        whole(spent[0]),
        whole(spent[1]),
        maybe(record.setup.red.as_deref()),
        maybe(record.setup.blue.as_deref()),
        whole(record.seeds.red),
        whole(record.seeds.blue),
    ];
    sink.row(&GAMES, &row)?;
    let mut battles = record.battles.iter().peekable();
    for (at, turn) in record.moves.iter().enumerate() {
        let ply = at as u64 + 1;
        let battle = battles.next_if(|b| u64::from(b.ply) == ply).map(|b| b.battle);
        let letter = |rank: Option<crate::game::Rank>| {
            rank.map_or(Value::Null, |r| Value::Text(r.letter().to_string()))
        };
        let row = [
            whole(event),
            text(&record.id),
            whole(ply),
            text(side(at)),
            Value::Text(RecordedTurn::to_string(turn)),
            record.us.get(at).map_or(Value::Null, |&us| whole(us)),
            letter(battle.map(|b| b.attacker)),
            letter(battle.map(|b| b.defender)),
            maybe(battle.map(|b| b.outcome.word())),
        ];
        sink.row(&MOVES, &row)?;
    }
    Ok(())
}

fn ratings(event: u64, played: &Played, table: &StandingsFile, sink: &mut dyn Sink) -> anyhow::Result<()> {
    for (place, line) in (1u64..).zip(&table.standings) {
        let (elo, error, kind) = match line.elo {
            WireEstimate::Value { elo, error } => (Value::Real(elo), Value::Real(error), "value"),
            WireEstimate::AtLeast { elo } => (Value::Real(elo), Value::Null, "at-least"),
            WireEstimate::AtMost { elo } => (Value::Real(elo), Value::Null, "at-most"),
            WireEstimate::Unknown => (Value::Null, Value::Null, "unknown"),
        };
        let hash = played.file.bots.iter().find(|b| b.name == line.name).map(|b| b.hash.as_str());
        let row = [
            whole(event),
            text(&line.name),
            maybe(hash),
            whole(place),
            whole(line.games),
            whole(line.total.wins),
            whole(line.total.draws),
            whole(line.total.losses),
            Value::Real(line.points),
            elo,
            error,
            text(kind),
            whole(line.group as u64),
        ];
        sink.row(&RATINGS, &row)?;
    }
    Ok(())
}
