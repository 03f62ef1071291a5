//! `arbiter standings`: tables, made again from the journals of one event or several.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::event;
use super::failure::{Exit, usage};
use super::options::{check, rules_of_words};
use super::output;
use crate::rating::{GlickoGame, GlickoRating, glicko_period};
use crate::record::{
    EVENT_FORMAT, EventFile, EventFolder, JOURNAL, JournalError, StandingsFile, WireAnchor, WireMoment,
    scan_journal,
};
use crate::report;
use crate::tournament::{Collector, Extras, GameId, GameResult, Points, Rating, Settled};

/// Arguments of `standings`.
#[derive(Debug, clap::Args)]
pub struct StandingsArgs {
    /// An event's folder, or several whose games are rated together
    #[arg(value_name = "RESULTS", required = true)]
    folders: Vec<PathBuf>,
    /// A bot is its name and its content hash; count all versions of this name as one bot (repeatable)
    #[arg(long, value_name = "NAME")]
    join: Vec<String>,
    /// Leave out a bot's games (repeatable); the files stay as they are
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// Hold a bot's rating: it fixes the scale
    #[arg(long, value_name = "NAME=ELO", allow_hyphen_values = true)]
    anchor: Option<String>,
    /// Fit what moving first is worth, too
    #[arg(long)]
    first_mover: bool,
    /// How likely each bot is stronger than each other
    #[arg(long)]
    los: bool,
    /// Glicko-2 ratings, each round being a rating period
    #[arg(long)]
    glicko2: bool,
    /// How ratings moved: after each event, after each round, or after each N games
    #[arg(long, value_name = "event|round|N")]
    history: Option<Step>,
    /// standings.json on standard output
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Markdown on standard output
    #[arg(long)]
    markdown: bool,
}

/// Between which games a history looks at the ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Event,
    Round,
    Games(u64),
}

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Step, String> {
        match text {
            "event" => Ok(Step::Event),
            "round" => Ok(Step::Round),
            _ => match text.parse() {
                Ok(n) if n > 0 => Ok(Step::Games(n)),
                _ => Err("it takes event, round or a number of games".to_owned()),
            },
        }
    }
}

/// A history of more rows is no help to anyone.
const MOST_MOMENTS: usize = 500;

/// An event whose games are counted.
pub struct Played {
    /// Its folder.
    pub folder: PathBuf,
    /// What it was planned as.
    pub file: EventFile,
    /// Its points for results.
    pub points: Points,
}

/// A game as far as a history and Glicko-2 ask.
#[derive(Clone, Copy)]
struct Moment {
    event: usize,
    id: GameId,
    red: usize,
    blue: usize,
    result: GameResult,
    red_first: bool,
}

/// Reads an event's plan.
pub fn read(folder: &Path) -> anyhow::Result<Played> {
    let path = folder.join("event.json");
    let bad = |why: String| usage(format!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(&path).map_err(|e| bad(e.to_string()))?;
    let file: EventFile = serde_json::from_str(&text).map_err(|e| bad(e.to_string()))?;
    if file.format > EVENT_FORMAT {
        return Err(bad(format!("format {} is not known to this program", file.format)));
    }
    let scoring = check(rules_of_words(&file.rules)?)?.scoring;
    let points =
        Points { win: scoring.win, draw: scoring.draw, loss: scoring.loss, forfeit: scoring.forfeit };
    Ok(Played { folder: folder.to_owned(), file, points })
}

/// Runs the verb: shows the table, and writes standings.json and standings.md of a single event anew where no run is
/// at work. What only the options ask for is shown, never written: the files are functions of the event alone.
pub fn run(args: &StandingsArgs) -> anyhow::Result<Exit> {
    let events: Vec<Played> = args.folders.iter().map(|f| read(f)).collect::<anyhow::Result<_>>()?;
    let mut seen = BTreeSet::new();
    for event in &events {
        let place = event.folder.canonicalize().unwrap_or_else(|_| event.folder.clone());
        if !seen.insert(place) {
            return Err(usage(format!("{}: its games would count twice", event.folder.display())));
        }
    }
    let names = Names::of(&events, &args.join)?;
    let anchor = args.anchor.as_deref().map(anchor).transpose()?;
    let without: BTreeSet<&str> = args.without.iter().map(String::as_str).collect();
    let known = |name: &str| events.iter().any(|e| e.file.bots.iter().any(|bot| bot.name == name));
    if let Some(stranger) = without.iter().find(|name| !known(name)) {
        return Err(usage(format!("--without {stranger}: no bot of that name played")));
    }
    let with_moments = args.history.is_some() || args.glicko2;
    let (mut collector, mut moments) = count(&events, &names, &without, with_moments)?;
    if let Some((name, _)) = &anchor
        && !collector.names().contains(name)
    {
        return Err(usage(format!("--anchor {name}: there are {}", collector.names().join(", "))));
    }
    let rating =
        Rating { anchor: anchor.as_ref().map(|(n, e)| (n.as_str(), *e)), first_mover: args.first_mover };
    // What a format adds belongs to one event.
    let mut extras = match events.as_slice() {
        [one] => event::extras(&one.folder, &one.file, one.points)?,
        _ => Extras::default(),
    };
    // Who counts in no event has no line.
    for (event, shown) in events.iter().zip(&names.0) {
        let left_out = |name: &str| !event.file.counts(name) || without.contains(name);
        let out = event.file.bots.iter().filter(|bot| left_out(&bot.name));
        extras.out.extend(out.map(|bot| collector.player(&shown[&bot.name])));
    }
    extras.out.retain(|&player| !collector.has_games(player));
    let standings = collector.rated(&rating, &extras);
    let mut file = StandingsFile::from(&standings);
    file.anchor = anchor.clone().map(|(name, elo)| WireAnchor { name, elo });
    if args.los {
        file = file.with_los(&standings);
    }
    // The order of play is not known; the order of ids is the same however often an event was interrupted.
    moments.sort_by_key(|m| (m.event, m.id));
    if args.glicko2 {
        let ratings = glicko(&moments, collector.names().len());
        for line in &mut file.standings {
            let player = collector.names().iter().position(|name| *name == line.name);
            line.glicko2 = player.map(|player| ratings[player].into());
        }
    }
    if let Some(step) = args.history {
        file.history = Some(history(&moments, step, &events, &collector, &rating)?);
    }
    if args.json {
        output::print(file.to_text());
        return Ok(Exit::Done);
    }
    if args.markdown {
        output::print(report::markdown(&file));
        return Ok(Exit::Done);
    }
    output::print(report::terminal(&file));
    output::print(report::terminal_details(&file));
    let plain = rating == Rating::default() && !args.los && !with_moments && without.is_empty();
    let [Played { folder, .. }] = events.as_slice() else { return Ok(Exit::Done) };
    if !plain {
        return Ok(Exit::Done);
    }
    match EventFolder::hold(folder) {
        Ok(folder) => event::write_standings(&folder, &file)?,
        // A run is at work there, or the folder is somebody else's: the table was shown all the same.
        Err(JournalError::InUse(_)) => {}
        Err(error) => tracing::warn!("standings.json and standings.md were not written anew: {error}"),
    }
    Ok(Exit::Done)
}

fn anchor(text: &str) -> anyhow::Result<(String, f64)> {
    let read = || {
        let (name, elo) = text.rsplit_once('=')?;
        let elo: f64 = elo.parse().ok().filter(|e: &f64| e.abs() <= 100_000.0)?;
        Some((name.to_owned(), elo))
    };
    read().ok_or_else(|| usage(format!("--anchor {text}: it takes NAME=ELO, as in mybot=1500")))
}

/// Which name each bot of each event is shown by.
struct Names(Vec<BTreeMap<String, String>>);

impl Names {
    fn of(events: &[Played], join: &[String]) -> anyhow::Result<Names> {
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for bot in events.iter().flat_map(|e| &e.file.bots) {
            versions.entry(&bot.name).or_default().insert(&bot.hash);
        }
        if let Some(stranger) = join.iter().find(|name| !versions.contains_key(name.as_str())) {
            let names: Vec<&str> = versions.keys().copied().collect();
            return Err(usage(format!("--join {stranger}: there are {}", names.join(", "))));
        }
        let shown = |event: &Played| {
            let shown = event.file.bots.iter().map(|bot| {
                let apart = versions[bot.name.as_str()].len() > 1 && !join.contains(&bot.name);
                let version = bot.hash.get(..8).unwrap_or(&bot.hash);
                (bot.name.clone(), if apart { format!("{}@{version}", bot.name) } else { bot.name.clone() })
            });
            shown.collect()
        };
        Ok(Names(events.iter().map(shown).collect()))
    }
}

fn count(
    events: &[Played],
    names: &Names,
    without: &BTreeSet<&str>,
    keep: bool,
) -> anyhow::Result<(Collector, Vec<Moment>)> {
    let points = events[0].points;
    let alike = events.iter().all(|e| e.points == points);
    if !alike {
        tracing::warn!("the events score by different points; here a win is 1, a draw ½, all else 0");
    }
    if let Some(other) = events.iter().find(|e| e.file.rules != events[0].file.rules) {
        tracing::warn!(
            "{} and {} were played by different rules: a rating over both mixes two games",
            events[0].folder.display(),
            other.folder.display()
        );
    }
    let points = if alike { points } else { Points { win: 1.0, draw: 0.5, loss: 0.0, forfeit: 0.0 } };
    let mut collector = Collector::new(points, &[]);
    let mut moments = Vec::new();
    for (event, (played, shown)) in events.iter().zip(&names.0).enumerate() {
        for change in &played.file.changes {
            tracing::warn!("{}: its games count for the last version: {change}", played.folder.display());
        }
        for bot in &played.file.bots {
            collector.player(&shown[&bot.name]);
        }
        collector.next_event();
        let path = played.folder.join(JOURNAL);
        let read = scan_journal(&path, |game| {
            if [game.red, game.blue].iter().any(|name| !played.file.counts(name) || without.contains(*name)) {
                return;
            }
            let name = |name| shown.get(name).map_or(name, String::as_str);
            let game = Settled { red: name(game.red), blue: name(game.blue), ..*game };
            collector.add(&game);
            if keep {
                moments.push(Moment {
                    event,
                    id: game.id,
                    red: collector.player(game.red),
                    blue: collector.player(game.blue),
                    result: game.result,
                    red_first: game.red_first,
                });
            }
        });
        if read.map_err(|e| usage(e.to_string()))?.1 > 0 {
            tracing::warn!("{}: the last line is torn and is left out", path.display());
        }
    }
    Ok((collector, moments))
}

/// Ratings after all rounds of all events, each of them a period. Double forfeits are no games.
fn glicko(moments: &[Moment], players: usize) -> Vec<GlickoRating> {
    let rounds = moments.chunk_by(|a, b| (a.event, a.id.round) == (b.event, b.id.round));
    rounds.fold(vec![GlickoRating::default(); players], |ratings, round| {
        let games = round.iter().filter_map(|m| {
            let halves = match m.result {
                GameResult::Red => 2,
                GameResult::Draw => 1,
                GameResult::Blue => 0,
                GameResult::BothLose => return None,
            };
            Some(GlickoGame { player: m.red, other: m.blue, halves })
        });
        glicko_period(&ratings, &games.collect::<Vec<_>>())
    })
}

fn history(
    moments: &[Moment],
    step: Step,
    events: &[Played],
    all: &Collector,
    rating: &Rating<'_>,
) -> anyhow::Result<Vec<WireMoment>> {
    let stretches: Vec<&[Moment]> = match step {
        Step::Event => moments.chunk_by(|a, b| a.event == b.event).collect(),
        Step::Round => moments.chunk_by(|a, b| (a.event, a.id.round) == (b.event, b.id.round)).collect(),
        Step::Games(n) => moments.chunks(n.try_into().unwrap_or(usize::MAX)).collect(),
    };
    if stretches.len() > MOST_MOMENTS {
        let games = moments.len() / 50;
        return Err(usage(format!(
            "--history: that makes {} rows; {games} games a row, say, make 50",
            stretches.len()
        )));
    }
    let points = Points { win: 1.0, draw: 0.5, loss: 0.0, forfeit: 0.0 };
    let mut collector = Collector::new(points, all.names());
    let mut rows = Vec::new();
    for stretch in stretches {
        for m in stretch {
            let (red, blue) = (all.name(m.red), all.name(m.blue));
            let (reason, clause) = ("", None);
            let Moment { id, result, red_first, .. } = *m;
            collector.add(&Settled { id, red, blue, result, reason, clause, red_first });
        }
        let last = stretch.last().expect("chunks are not empty");
        let name = &events[last.event].file.name;
        let after = match (step, events.len()) {
            (Step::Event, _) => name.clone(),
            (Step::Round, 1) => format!("round {}", last.id.round),
            (Step::Round, _) => format!("{name} round {}", last.id.round),
            (Step::Games(_), 1) => last.id.to_string(),
            (Step::Games(_), _) => format!("{name} {}", last.id),
        };
        let standings = collector.rated(rating, &Extras::default());
        let played = standings.lines.iter().filter(|l| l.total().games() > 0);
        let elo = played.map(|l| (l.name.clone(), l.elo.into())).collect();
        rows.push(WireMoment { after, games: collector.games(), elo });
    }
    Ok(rows)
}
