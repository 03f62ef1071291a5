//! `arbiter tournament` and `arbiter play`: from arguments and files to an event.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::adjudication::{AdjudicationOptions, adjudication_options};
use super::bots::{Registry, Wanted, name_apart, number_or_text};
use super::event::{self, Affinity, Again, Event, Kind, Say, sprt_of};
use super::failure::{Exit, usage};
use super::include::Included;
use super::logs::{Found, NamedGame, event_of, named_game};
use super::options::{LimitOptions, RulesOptions, TimeOptions, check, rule_set, time_options};
use super::output;
use super::setups::rules_and_book;
use super::stream::Style;
use crate::game::{DeploymentBy, Rules};
use crate::process::{Sandbox, cores};
use crate::rating::SprtVerdict;
use crate::record::{EventSprt, GameRecord, Start};
use crate::tournament::GameId;

/// Options of everything that plays games.
#[derive(Debug, Clone, clap::Args)]
pub struct PlayOptions {
    #[command(flatten)]
    pub rules: RulesOptions,
    /// Where two bots end with equal points: one more game with drawn colours, by the event's own rules (drawn) or
    /// by another rule book, with a reduced army for one
    #[arg(long, value_name = "drawn|BOOK")]
    pub tie_break: Option<String>,
    /// Begin each game from a file's deployments and past moves (keys red, blue, first, moves), or go on from a ply of
    /// a recorded game: EVENT/ID:PLY, LOG:PLY, LOG#N:PLY
    #[arg(long, value_name = "FILE|GAME:PLY", conflicts_with = "setups")]
    pub start: Option<PathBuf>,
    /// Setup book to deploy from (deployment-by=book): each opening is played twice, colours swapped
    #[arg(long, value_name = "FILE")]
    pub setups: Option<PathBuf>,
    #[command(flatten)]
    pub time: TimeOptions,
    /// Seed of all that chance decides; without it one is drawn, and recorded
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Games at once: a number, or auto for as many as the cores carry, by the threads that the bots declare
    #[arg(long, value_name = "N|auto")]
    pub concurrency: Option<String>,
    /// Keep a game and its bots on one core: auto, none, or the cores to use, as in 0,2-3 [default: auto]
    #[arg(long, value_name = "WHICH")]
    pub affinity: Option<String>,
    /// Stop a bot, with all that it started, while its opponent thinks
    #[arg(long)]
    pub freeze: bool,
    /// A new process for every game
    #[arg(long)]
    pub restart: bool,
    /// A new process after so many games
    #[arg(long, value_name = "N")]
    pub games_per_process: Option<u64>,
    /// Confine bots: off, try (by what this machine has), require (refuse to start without the base) [default: try]
    #[arg(long, value_name = "HOW")]
    pub sandbox: Option<String>,
    #[command(flatten)]
    pub limits: LimitOptions,
    #[command(flatten)]
    pub adjudication: AdjudicationOptions,
    /// How often a bot that does not start in the middle of a run is tried again
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub start_retries: u32,
    /// Registry of bots; without it the first bots.toml from here upward
    #[arg(long, value_name = "FILE")]
    pub bots: Option<PathBuf>,
    /// The event's folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// One JSON event a line on standard output
    #[arg(long)]
    pub json: bool,
    /// Say it word for word as another program does, for scripts that parse it
    #[arg(long, value_enum, value_name = "PROGRAM", conflicts_with_all = ["json", "quiet"])]
    pub style: Option<Style>,
    /// With --style: ratings after so many games
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub rating_interval: u64,
    /// Only the standings
    #[arg(short, long)]
    pub quiet: bool,
    /// Keep transcripts of what went over the bots' pipes
    #[arg(long)]
    pub wire: bool,
    /// Show the bots' standard error as it comes
    #[arg(long)]
    pub stderr: bool,
}

/// Arguments of `play`.
#[derive(Debug, clap::Args)]
pub struct PlayArgs {
    /// Who plays Red first: a name in the registry, a program or script, or a quoted command line
    #[arg(required_unless_present = "again", requires = "blue")]
    pub red: Option<String>,
    /// Who plays Blue first
    #[arg(required_unless_present = "again")]
    pub blue: Option<String>,
    /// Play a recorded game again: its rules, time, deployments, seeds and first mover, with its bots as they are now,
    /// or with RED and BLUE
    #[arg(long, value_name = "EVENT/GAME", conflicts_with_all = ["games", "start", "setups", "tie_break", "seed", "rules",
        "variant", "set", "on_illegal", "max_plies"])]
    pub again: Option<String>,
    /// Games to play; colours alternate
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub games: u64,
    #[command(flatten)]
    pub options: PlayOptions,
}

/// Arguments of `tournament`.
#[derive(Debug, clap::Args)]
pub struct TournamentArgs {
    /// A tournament file; without one, name the bots with --bot
    pub file: Option<PathBuf>,
    /// A bot (repeatable): BOT, or key=value words: cmd= name= arg= dir= env.NAME= option.NAME= threads=
    /// restart= proto= read= write= scratch=
    #[arg(long, value_name = "BOT", num_args = 1.., action = clap::ArgAction::Append)]
    pub bot: Vec<String>,
    /// Rounds: each pair meets --games times in each
    #[arg(long, value_name = "N")]
    pub rounds: Option<u64>,
    /// Games of each pair in a round; two give each the other's colour [default: 2]
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// round-robin, gauntlet, swiss, knockout, double-elimination or ladder [default: round-robin]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// How many of the first bots run a gauntlet [default: 1]
    #[arg(long, value_name = "N")]
    pub gauntlet_seeds: Option<usize>,
    /// End a match of two by a sequential test of the first bot against the second
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Risk of accepting ELO1 where ELO0 holds [default: 0.05]
    #[arg(long, value_name = "RISK")]
    pub alpha: Option<f64>,
    /// Risk of accepting ELO0 where ELO1 holds [default: 0.05]
    #[arg(long, value_name = "RISK")]
    pub beta: Option<f64>,
    /// What the test's Elo is: normalized or logistic [default: normalized]
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Exit 1 where the test accepts this: h0 or h1
    #[arg(long, value_name = "h0|h1")]
    pub fail_on: Option<String>,
    /// All pairings meet the same seeds; each game then gets new processes
    #[arg(long)]
    pub shared_seeds: bool,
    /// Go on with an event with more rounds, or more bots at the end of the list
    #[arg(long)]
    pub extend: bool,
    /// This bot of the event plays no more; opponents win the games that it owes them in a round (repeatable)
    #[arg(long, value_name = "NAME")]
    pub withdraw: Vec<String>,
    /// The same, and its games count for nothing in the standings (repeatable)
    #[arg(long, value_name = "NAME")]
    pub disqualify: Vec<String>,
    /// Print the plan, the number of games and about how long they take, and play nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Go on with an event although a bot was rebuilt; the change is recorded
    #[arg(long)]
    pub accept_changed: bool,
    #[command(flatten)]
    pub options: PlayOptions,
}

/// Keys of a tournament file that are paths, relative to it.
const PATHS: [&str; 5] = ["rules", "setups", "start", "registry", "out"];

fn one_or_more<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a path, or a list of paths")]
    enum Files {
        One(String),
        More(Vec<String>),
    }
    Ok(match Files::deserialize(input)? {
        Files::One(file) => vec![file],
        Files::More(files) => files,
    })
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct TournamentFile {
    /// Files whose keys count where this one has none; taken apart by [`Included`].
    #[serde(default, deserialize_with = "one_or_more")]
    #[expect(dead_code, reason = "it was followed before")]
    include: Vec<String>,
    name: Option<String>,
    rules: Option<String>,
    #[serde(default)]
    variant: Vec<String>,
    #[serde(default)]
    set: std::collections::BTreeMap<String, toml::Value>,
    setups: Option<PathBuf>,
    start: Option<PathBuf>,
    tie_break: Option<String>,
    format: Option<String>,
    gauntlet_seeds: Option<usize>,
    games_per_process: Option<u64>,
    sprt: Option<String>,
    alpha: Option<f64>,
    beta: Option<f64>,
    model: Option<String>,
    fail_on: Option<String>,
    shared_seeds: Option<bool>,
    rounds: Option<u64>,
    games: Option<u64>,
    time: Option<String>,
    move_time: Option<String>,
    delay: Option<String>,
    time_margin: Option<String>,
    setup_time: Option<String>,
    start_timeout: Option<String>,
    write_timeout: Option<String>,
    seed: Option<u64>,
    concurrency: Option<toml::Value>,
    registry: Option<PathBuf>,
    #[serde(default)]
    bots: Vec<String>,
    out: Option<PathBuf>,
    score_resignation: Option<String>,
    score_draw: Option<String>,
    dead_positions: Option<bool>,
    restart: Option<bool>,
    freeze: Option<bool>,
    sandbox: Option<String>,
    memory: Option<String>,
    #[serde(default, deserialize_with = "number_or_text")]
    processes: Option<String>,
    cpu_time: Option<String>,
    disk: Option<String>,
    output: Option<String>,
}

fn word(value: &toml::Value) -> String {
    match value {
        toml::Value::String(s) => s.clone(),
        toml::Value::Boolean(on) => if *on { "on" } else { "off" }.to_owned(),
        other => other.to_string(),
    }
}

/// None: as many as the cores carry, which only who knows the bots can say.
fn concurrency(text: Option<&str>) -> anyhow::Result<Option<usize>> {
    match text {
        None => Ok(Some(1)),
        Some("auto") => Ok(None),
        Some(text) => text.parse().ok().filter(|n| (1..=4096).contains(n)).map(Some).ok_or_else(|| {
            usage(format!("--concurrency {text}: it takes auto or a whole number from 1 to 4096"))
        }),
    }
}

fn format_of(word: &str) -> anyhow::Result<Kind> {
    Kind::parse(word).ok_or_else(|| {
        usage(format!(
            "--format {word}: it takes round-robin, gauntlet, swiss, knockout, double-elimination or ladder"
        ))
    })
}

/// As many games as a process may have to play where nothing says fewer.
const MOST_GAMES: u64 = 1_000_000_000;

fn affinity(text: Option<&str>) -> anyhow::Result<Affinity> {
    let text = match text {
        None | Some("auto") => return Ok(Affinity::Auto),
        Some("none") => return Ok(Affinity::None),
        Some(text) => text,
    };
    let range = |part: &str| -> Option<std::ops::RangeInclusive<usize>> {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        Some(from.parse().ok()?..=to.parse().ok()?)
    };
    let (have, ranges): (_, Option<Vec<_>>) = (cores(), text.split(',').map(range).collect());
    let wanted: Vec<usize> = ranges.into_iter().flatten().flat_map(|range| range.take(1024)).collect();
    if wanted.is_empty() {
        return Err(usage(format!("--affinity {text}: it takes auto, none, or cores as in 0,2-3")));
    }
    match wanted.iter().find(|core| !have.contains(core)) {
        Some(core) => {
            Err(usage(format!("--affinity {text}: core {core} is none of those there are: {have:?}")))
        }
        None => Ok(Affinity::Cores(wanted)),
    }
}

/// Whether bots are confined, by the word of `--sandbox`.
pub(super) fn sandbox(text: Option<&str>) -> anyhow::Result<Sandbox> {
    match text {
        None | Some("try") => Ok(Sandbox::Try),
        Some("off") => Ok(Sandbox::Off),
        Some("require") => Ok(Sandbox::Require),
        Some(other) => Err(usage(format!("--sandbox {other}: it takes off, try or require"))),
    }
}

fn positive(option: &str, value: u64) -> anyhow::Result<u64> {
    if (1..=1_000_000_000).contains(&value) {
        Ok(value)
    } else {
        Err(usage(format!("{option} {value}: it takes a whole number from 1")))
    }
}

fn say(options: &PlayOptions, board: bool) -> Say {
    Say {
        json: options.json,
        quiet: options.quiet,
        stderr: options.stderr,
        wire: options.wire,
        board,
        style: options.style,
        rating_interval: options.rating_interval,
    }
}

fn seed(seed: Option<u64>) -> anyhow::Result<Option<u64>> {
    match seed {
        Some(seed) if seed >= 1 << 63 => Err(usage(format!("--seed {seed}: it must be below 2^63"))),
        seed => Ok(seed),
    }
}

/// The rules of the game that `--tie-break` asks for.
fn tie_break(word: Option<&str>, rules: &Arc<Rules>) -> anyhow::Result<Option<Arc<Rules>>> {
    let rules = match word {
        None => return Ok(None),
        // A game more has no opening of its own: its bots deploy.
        Some("drawn") if rules.deployment_by == DeploymentBy::Book => {
            let mut set = rules.set().clone();
            set.deployment_by = DeploymentBy::Bot;
            check(set)?
        }
        Some("drawn") => rules.clone(),
        Some(name) => check(rule_set(name)?)?,
    };
    Ok(Some(rules))
}

/// A recorded game and the ply to go on from, where `--start` names these and no file.
fn recorded_start(word: &Path) -> anyhow::Result<Option<(NamedGame, usize)>> {
    let Some((game, ply)) = word.to_str().filter(|_| !word.is_file()).and_then(|w| w.rsplit_once(':')) else {
        return Ok(None);
    };
    let ply = ply.parse().map_err(|_| {
        usage(format!("--start {}: after the colon comes a ply, a whole number from 0", word.display()))
    })?;
    Ok(Some((named_game(game).map_err(|e| usage(format!("--start: {e}")))?, ply)))
}

/// The start that `--start` names: a file, or a ply of a recorded game.
fn given_start(path: Option<PathBuf>, rules: &Arc<Rules>) -> anyhow::Result<Option<Start>> {
    let Some(path) = path else { return Ok(None) };
    let shown = path.display();
    if let Some((game, ply)) = recorded_start(&path)? {
        let start = match &game.found {
            Found::Own(record) => Start::of_record(record, ply, rules),
            Found::Foreign(game) => Start::of_foreign(game, ply, rules),
        };
        return start.map(Some).map_err(|e| {
            usage(format!("--start {shown}: by the rules `{}`, {e} (--rules names others)", rules.name))
        });
    }
    if rules.deployment_by != DeploymentBy::Bot {
        return Err(usage(format!(
            "--start {shown}: the start deploys; deployment-by={} cannot do so, too",
            rules.deployment_by.word()
        )));
    }
    let text = std::fs::read_to_string(&path).map_err(|e| {
        usage(format!(
            "start file {shown}: {e} (a recorded game's ply is named GAME:PLY, as in results/league/1.3.2:40)"
        ))
    })?;
    Start::from_toml(&text, rules).map(Some).map_err(|e| usage(format!("start file {shown}: {e}")))
}

/// The test that `--sprt` asks for, or the file, checked. What the command line says goes before the file's.
fn sprt(args: &TournamentArgs, file: &TournamentFile) -> anyhow::Result<Option<EventSprt>> {
    let (alpha, beta) = (args.alpha.or(file.alpha), args.beta.or(file.beta));
    let model = args.model.clone().or(file.model.clone());
    let Some(text) = args.sprt.as_ref().or(file.sprt.as_ref()) else {
        let more = alpha.is_some() || beta.is_some() || model.is_some();
        return if more { Err(usage("--alpha, --beta and --model belong to --sprt")) } else { Ok(None) };
    };
    let numbers: Option<Vec<f64>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    let Some(&[elo0, elo1]) = numbers.as_deref() else {
        return Err(usage(format!("--sprt {text}: it takes two numbers, as in 0,5")));
    };
    let (alpha, beta) = (alpha.unwrap_or(0.05), beta.unwrap_or(0.05));
    let test = EventSprt { elo0, elo1, alpha, beta, model: model.unwrap_or_else(|| "normalized".to_owned()) };
    sprt_of(&test)?;
    Ok(Some(test))
}

/// Runs `tournament`. `groups` are the words of each `--bot`.
pub fn tournament(args: TournamentArgs, groups: &[Vec<String>]) -> anyhow::Result<Exit> {
    let check = |text: &str| toml::from_str::<TournamentFile>(text).map(drop);
    let included = match &args.file {
        None => Included::default(),
        Some(path) => Included::read(path, &PATHS, &check)?,
    };
    let file: TournamentFile =
        included.keys.clone().try_into().expect("each file of them was checked by itself");
    let options = args.options.clone();
    let registry = match (&options.bots, &file.registry) {
        (Some(path), _) => Registry::find(Some(path))?,
        (None, Some(path)) => Registry::read(path)?,
        (None, None) => Registry::find(None)?,
    };
    let mut bots: Vec<Wanted> =
        file.bots.iter().map(|name| registry.bot(name)).collect::<anyhow::Result<_>>()?;
    for words in groups {
        bots.push(registry.bot_of_words(words)?);
    }
    if bots.is_empty() {
        return Err(usage("no bots: name a tournament file, or two bots at least with --bot"));
    }
    name_apart(&mut bots)?;
    let name = file.name.clone().unwrap_or_else(|| {
        let stem = args.file.as_deref().and_then(Path::file_stem).map(|s| s.to_string_lossy().into_owned());
        stem.unwrap_or_else(|| "tournament".to_owned())
    });
    let in_file = |key: &'static str| {
        let included = &included;
        move |error: anyhow::Error| included.error(key, &error)
    };
    if name.contains('/') || name.starts_with('.') || name.is_empty() {
        return Err(in_file("name")(usage(format!("name = `{name}`: an event's name is a folder's name"))));
    }
    if file.time.is_some() && file.move_time.is_some() {
        return Err(in_file("move-time")(usage("it has both time and move-time: leave out one of the two")));
    }
    if options.seed.is_none() {
        seed(file.seed).map_err(in_file("seed"))?;
    }
    let (say, time_seed) = (say(&options, false), seed(options.seed.or(file.seed))?);
    let test = match (&args.sprt, &file.sprt) {
        (None, Some(_)) => sprt(&args, &file).map_err(in_file("sprt"))?,
        _ => sprt(&args, &file)?,
    };
    let fail_on = match args.fail_on.as_deref().or(file.fail_on.as_deref()) {
        None => None,
        Some(_) if test.is_none() => return Err(usage("--fail-on belongs to --sprt")),
        Some("h0") => Some(SprtVerdict::AcceptH0),
        Some("h1") => Some(SprtVerdict::AcceptH1),
        Some(other) => return Err(usage(format!("--fail-on {other}: it is h0 or h1"))),
    };
    let file_rules = RulesOptions {
        rules: file.rules,
        variant: file.variant,
        set: file.set.iter().map(|(k, v)| format!("{k}={}", word(v))).collect(),
        ..RulesOptions::default()
    };
    // What the file says is judged by itself first, so that a value of it is not blamed on an option.
    let named = options.rules.rules.clone();
    named.as_deref().map(rule_set).transpose()?;
    let alone = RulesOptions { rules: named.or(file_rules.rules.clone()), ..file_rules.clone() };
    alone.rule_set().map_err(in_file("rules"))?;
    let rules = options.rules.or(file_rules);
    let setups = options.setups.or(file.setups);
    let (rules, setups) = rules_and_book(&rules, setups.as_deref())?;
    let start = match (options.start, file.start) {
        (None, Some(start)) => given_start(Some(start), &rules).map_err(in_file("start"))?,
        (start, _) => given_start(start, &rules)?,
    };
    let kind = match (&args.format, &file.format) {
        (None, Some(word)) => format_of(word).map_err(in_file("format"))?,
        (word, _) => word.as_deref().map_or(Ok(Kind::RoundRobin), format_of)?,
    };
    let tie_break = match (options.tie_break.as_deref(), file.tie_break.as_deref()) {
        (None, Some(word)) => tie_break(Some(word), &rules).map_err(in_file("tie-break"))?,
        (None, None) if kind.is_bracket() => tie_break(Some("drawn"), &rules)?,
        (word, _) => tie_break(word, &rules)?,
    };
    let rounds_given = args.rounds.or(file.rounds).is_some();
    if rounds_given && kind.is_bracket() {
        return Err(usage(format!("--rounds: a {} has as many as it needs", kind.word())));
    }
    let file_time = TimeOptions {
        time: file.time,
        move_time: file.move_time,
        delay: file.delay,
        time_margin: file.time_margin,
        setup_time: file.setup_time,
        start_timeout: file.start_timeout,
        write_timeout: file.write_timeout,
    };
    file_time.settings().map_err(in_file("time"))?;
    let file_adjudication = AdjudicationOptions {
        score_resignation: file.score_resignation,
        score_draw: file.score_draw,
        dead_positions: file.dead_positions.unwrap_or(false),
    };
    let without_draw = AdjudicationOptions { score_draw: None, ..file_adjudication.clone() };
    without_draw.read().map_err(in_file("score-resignation"))?;
    file_adjudication.read().map_err(in_file("score-draw"))?;
    let adjudication = options.adjudication.or(file_adjudication).read()?;
    let time = options.time.or(file_time);
    let at_once = match (&options.concurrency, &file.concurrency) {
        (None, Some(value)) => concurrency(Some(&word(value))).map_err(in_file("concurrency"))?,
        (text, _) => concurrency(text.as_deref())?,
    };
    let number =
        |option: &str, given: Option<u64>, in_the_file: Option<u64>, default: u64| match (given, in_the_file)
        {
            (None, Some(value)) => positive(option, value).map_err(in_file("rounds")),
            (given, _) => positive(option, given.unwrap_or(default)),
        };
    let event = Event {
        out: options.out.or(file.out).unwrap_or_else(|| Path::new("results").join(&name)),
        name,
        bots,
        rules,
        tie_break,
        start,
        again: None,
        setups,
        time: time.settings()?,
        seed: time_seed,
        kind,
        seeds: args.gauntlet_seeds.or(file.gauntlet_seeds).unwrap_or(1),
        rounds: if rounds_given { number("--rounds", args.rounds, file.rounds, 1)? } else { 0 },
        games: number("--games", args.games, file.games, 2)?,
        sprt: test,
        fail_on,
        shared: args.shared_seeds || file.shared_seeds.unwrap_or(false),
        extend: args.extend,
        withdraw: args.withdraw,
        disqualify: args.disqualify,
        dry_run: args.dry_run,
        games_per_process: number(
            "--games-per-process",
            options.games_per_process,
            file.games_per_process,
            MOST_GAMES,
        )?,
        concurrency: at_once,
        affinity: affinity(options.affinity.as_deref())?,
        freeze: options.freeze || file.freeze.unwrap_or(false),
        restart: options.restart || file.restart.unwrap_or(false),
        adjudication,
        start_retries: options.start_retries,
        accept_changed: args.accept_changed,
        fresh_folder: false,
        sandbox: sandbox(options.sandbox.as_deref().or(file.sandbox.as_deref()))?,
        limits: options.limits.or(LimitOptions {
            memory: file.memory,
            processes: file.processes,
            cpu_time: file.cpu_time,
            disk: file.disk,
            output: file.output,
        }),
        secret: args.file.into_iter().chain(registry.path().map(Path::to_owned)).collect(),
        say,
    };
    event::play(event)
}

/// Runs `play`.
pub fn play(args: PlayArgs) -> anyhow::Result<Exit> {
    if let Some(word) = args.again.clone() {
        return again(&word, args);
    }
    let PlayArgs { red, blue, games, options, .. } = args;
    let registry = Registry::find(options.bots.as_deref())?;
    let named = [red, blue].map(|word| word.expect("clap asked for both"));
    let mut bots = named.iter().map(|word| registry.bot(word)).collect::<anyhow::Result<Vec<_>>>()?;
    name_apart(&mut bots)?;
    let games = positive("--games", games)?;
    // Two games of a round are a pair; an odd game more cannot be one.
    let (rounds, games) = if games % 2 == 0 { (games / 2, 2) } else { (games, 1) };
    let recorded = options.start.as_deref().map(recorded_start).transpose()?.flatten();
    let (rules, setups) = match recorded {
        // A recorded game goes on by its own rules where no others are asked for.
        Some((game, _)) if options.rules.rules.is_none() => {
            let mut set = game.rules()?;
            options.rules.change(&mut set)?;
            (check(set)?, None)
        }
        _ => rules_and_book(&options.rules, options.setups.as_deref())?,
    };
    let start = given_start(options.start.clone(), &rules)?;
    let tie_break = tie_break(options.tie_break.as_deref(), &rules)?;
    let name = format!("{}-{}", bots[0].name, bots[1].name);
    let say = say(&options, rounds * games == 1);
    let fresh_folder = options.out.is_none();
    let out = match options.out {
        Some(out) => out,
        None => new_folder(&name)?,
    };
    event::play(Event {
        name,
        out,
        bots,
        rules,
        tie_break,
        start,
        again: None,
        setups,
        time: options.time.settings()?,
        seed: seed(options.seed)?,
        kind: Kind::RoundRobin,
        seeds: 1,
        rounds,
        games,
        sprt: None,
        fail_on: None,
        shared: false,
        extend: false,
        withdraw: Vec::new(),
        disqualify: Vec::new(),
        dry_run: false,
        games_per_process: positive("--games-per-process", options.games_per_process.unwrap_or(MOST_GAMES))?,
        concurrency: concurrency(options.concurrency.as_deref())?,
        affinity: affinity(options.affinity.as_deref())?,
        freeze: options.freeze,
        restart: options.restart,
        adjudication: options.adjudication.read()?,
        start_retries: options.start_retries,
        accept_changed: false,
        fresh_folder,
        sandbox: sandbox(options.sandbox.as_deref())?,
        limits: options.limits,
        secret: registry.path().map(Path::to_owned).into_iter().collect(),
        say,
    })
}

/// Plays a recorded game again.
fn again(word: &str, args: PlayArgs) -> anyhow::Result<Exit> {
    let PlayArgs { red, blue, options, .. } = args;
    let wrong = |why: String| usage(format!("--again {word}: {why}"));
    let game = named_game(word).map_err(|e| wrong(e.to_string()))?;
    let Found::Own(record) = &game.found else {
        return Err(wrong(format!(
            "it has no seeds, being no game of an event: --start {word}:0 plays from its start"
        )));
    };
    let file = event_of(&game.path)?.ok_or_else(|| {
        wrong("beside its games is no event.json, which tells rules, time and bots".to_owned())
    })?;
    let rules = check(game.rules()?)?;
    let start = Start::of_record(record, record.given as usize, &rules).map_err(|e| wrong(e.to_string()))?;
    let id: GameId = record.id.parse().map_err(wrong)?;
    if file.withheld.iter().any(|key| key == "seeds") {
        return Err(wrong("its seeds are withheld in this copy of the event".to_owned()));
    }
    let registry = Registry::find(options.bots.as_deref())?;
    let bot = |given: &Option<String>, name: &str| match given {
        Some(given) => registry.bot(given),
        None => {
            let known = file.bots.iter().find(|bot| bot.name == name);
            registry.bot_again(
                known.ok_or_else(|| wrong(format!("event.json has no bot `{name}`: name RED and BLUE")))?,
            )
        }
    };
    let mut bots = vec![bot(&red, &record.red)?, bot(&blue, &record.blue)?];
    name_apart(&mut bots)?;
    let name = format!("{}-{}-again", bots[0].name, bots[1].name);
    let fresh_folder = options.out.is_none();
    let out = options.out.clone().map_or_else(|| new_folder(&name), Ok)?;
    let asked = rules.deployment_by == DeploymentBy::Bot && file.start.is_none() && record.given == 0;
    let exit = event::play(Event {
        name,
        out: out.clone(),
        bots,
        rules,
        tie_break: None,
        start: Some(start),
        again: Some(Again { id, seeds: [record.seeds.red, record.seeds.blue], asked }),
        setups: None,
        time: options.time.clone().or(time_options(&file.time)).settings()?,
        seed: Some(file.seed),
        kind: Kind::RoundRobin,
        seeds: 1,
        rounds: 1,
        games: 1,
        sprt: None,
        fail_on: None,
        shared: false,
        extend: false,
        withdraw: Vec::new(),
        disqualify: Vec::new(),
        dry_run: false,
        games_per_process: 1,
        concurrency: Some(1),
        affinity: affinity(options.affinity.as_deref())?,
        freeze: options.freeze,
        restart: options.restart,
        adjudication: options.adjudication.clone().or(adjudication_options(&file.adjudication)).read()?,
        start_retries: options.start_retries,
        accept_changed: false,
        fresh_folder,
        sandbox: sandbox(options.sandbox.as_deref())?,
        secret: registry.path().map(Path::to_owned).into_iter().chain([game.path.clone()]).collect(),
        say: say(&options, true),
        limits: options.limits,
    })?;
    if exit == Exit::Done && !options.json && !options.quiet {
        let played = named_game(&out.join(&record.id).to_string_lossy())?;
        if let Found::Own(new) = &played.found {
            output::line(compared(record, new));
        }
    }
    Ok(exit)
}

/// In what a game that was played again is another one.
fn compared(old: &GameRecord, new: &GameRecord) -> String {
    let parted = old.moves.iter().zip(&new.moves).position(|(a, b)| a != b);
    let parted =
        parted.or((old.moves.len() != new.moves.len()).then(|| old.moves.len().min(new.moves.len())));
    match parted {
        None if (&old.result, &old.reason) == (&new.result, &new.reason) => {
            "the same game, move for move".to_owned()
        }
        None => format!("the same moves; it was {}, {}, then", old.result, old.reason),
        Some(n) => {
            let turn =
                |game: &GameRecord| game.moves.get(n).map_or("its end".to_owned(), ToString::to_string);
            format!(
                "another game from ply {} on: {} then, {} now; it was {}, {}, after {} plies",
                n + 1,
                turn(old),
                turn(new),
                old.result,
                old.reason,
                old.plies
            )
        }
    }
}

/// The first folder of that name under `results` that is not there yet.
fn new_folder(name: &str) -> anyhow::Result<PathBuf> {
    (1..100_000)
        .map(|n| Path::new("results").join(format!("{name}-{n}")))
        .find(|path| !path.exists())
        .ok_or_else(|| usage("results/: there are too many games of these two; name a folder with --out"))
}
