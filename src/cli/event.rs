//! Playing an event: `play` and `tournament` are the same thing with other words.

use std::collections::BTreeMap;
use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::bots::{Absent, Ready, Wanted};
use super::failure::{Exit, Failure, fail, usage};
use super::options::{LimitOptions, rules_words, time_words};
use super::output;
use super::reach::Reach;
use super::setups::NamedBook;
use super::stream::{Conditions, STREAM_VERSION, Stream, StreamEvent, Style};
use crate::clock::{TimeControl, TimeSettings};
use crate::game::{RuleSet, Rules, book};
use crate::process::{Layer, Limits, Sandbox, Standing, adopt_orphans, cores};
use crate::protocol::{Protocol, Wants};
use crate::record::{
    EVENT_FORMAT, EventBot, EventFile, EventFolder, EventLayer, EventSchedule, EventTieBreak, JOURNAL,
    JournalError, JournalWriter, Machine, StandingsFile, Start, read_journal, write_whole,
};
use crate::referee::Profile;
use crate::report;
use crate::runtime::{self, Bot, Finished, RunEvent, RunPlan, Seat, SeatError, Stop};
use crate::tournament::{
    Collector, Dealer, GameId, GameResult, Planned, Points, RoundRobin, Settled, tie_break_swaps,
};

/// An event to be played or gone on with.
pub struct Event {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub out: PathBuf,
    /// The bots.
    pub bots: Vec<Wanted>,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The rules of the game that breaks a tie of two bots, where one is to.
    pub tie_break: Option<Arc<Rules>>,
    /// What each game starts from, where that is given.
    pub start: Option<Start>,
    /// The recorded game that is played again, where it is one, instead of a schedule.
    pub again: Option<Again>,
    /// The setup book, where one deploys.
    pub setups: Option<NamedBook>,
    /// The time control.
    pub time: TimeSettings,
    /// The seed, where one was given.
    pub seed: Option<u64>,
    /// Rounds.
    pub rounds: u64,
    /// Games of each pair in a round.
    pub games: u64,
    /// How many games run at once.
    pub concurrency: usize,
    /// Which cores games are kept on.
    pub affinity: Affinity,
    /// Whether a bot is stopped while its opponent thinks.
    pub freeze: bool,
    /// Whether each game gets new processes.
    pub restart: bool,
    /// How often a bot that does not come to its seat is tried again.
    pub start_retries: u32,
    /// Whether bots that changed since the event began may go on in it.
    pub accept_changed: bool,
    /// Whether the folder was chosen anew for this run: then the same command would choose another.
    pub fresh_folder: bool,
    /// Whether bots are confined.
    pub sandbox: Sandbox,
    /// What a bot may use of which its registry does not say it.
    pub limits: LimitOptions,
    /// Files that tell who plays, and are therefore hidden from them.
    pub secret: Vec<PathBuf>,
    /// What is said.
    pub say: Say,
}

/// A recorded game to be played again: under its own id, of which its seeds are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Again {
    /// Its id.
    pub id: GameId,
    /// Whether its bots deployed themselves: then they are asked again, and the event's start holds what they are to
    /// answer.
    pub asked: bool,
}

/// Which cores games are kept on, each with its bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Affinity {
    /// None.
    None,
    /// All that the arbiter may use, in turn.
    Auto,
    /// These, in turn.
    Cores(Vec<usize>),
}

/// What a run says, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Say {
    /// One JSON event a line on standard output, and nothing else there.
    pub json: bool,
    /// Nothing but the result.
    pub quiet: bool,
    /// The bots' standard error as it comes.
    pub stderr: bool,
    /// Transcripts are kept.
    pub wire: bool,
    /// A live board where standard output is a terminal.
    pub board: bool,
    /// The words of another program, in place of ours.
    pub style: Option<Style>,
    /// Between how many games a style tells its ratings.
    pub rating_interval: u64,
}

impl Say {
    fn people(&self, text: impl std::fmt::Display) {
        if !self.json && !self.quiet && self.style.is_none() {
            output::line(text);
        }
    }
}

enum Message {
    Run(RunEvent),
    Durable(Box<Finished>, Result<(), JournalError>),
}

fn points(rules: &Rules) -> Points {
    let s = rules.scoring;
    Points { win: s.win, draw: s.draw, loss: s.loss, forfeit: s.forfeit }
}

/// A table from a folder's journal.
pub fn table(
    folder: &Path,
    rules: &Rules,
    names: &[String],
) -> anyhow::Result<(Collector, crate::record::ReadReport)> {
    let mut collector = Collector::new(points(rules), names);
    let report = read_journal(&folder.join(JOURNAL), |game| collector.add(game)).map_err(folder_failure)?;
    Ok((collector, report))
}

/// Plays an event.
pub fn play(event: Event) -> anyhow::Result<Exit> {
    let say = event.say;
    if matches!(event.time.control, TimeControl::Unlimited { .. }) && event.rules.length.is_none() {
        return Err(usage("--time none needs a length limit, lest a game never ends: leave out length=off"));
    }
    output::play_on_unread();
    adopt_orphans();
    let mut bots = Vec::new();
    let launcher = std::env::current_exe()
        .map_err(|e| fail(Exit::Internal, format!("this program's own file is not to be found: {e}")))?;
    for wanted in &event.bots {
        match wanted.prepare(&launcher, &mut |text| say.people(text)) {
            Ok(ready) => bots.push(ready),
            Err(Absent::Optional(why)) => {
                tracing::warn!("bot `{}` is left out: {why}", wanted.name);
            }
            Err(Absent::Error(error)) => return Err(error),
        }
    }
    if bots.len() < 2 {
        return Err(usage(format!("an event needs two bots at least; {} can be had", bots.len())));
    }
    confine(&event, &mut bots)?;
    for bot in &bots {
        tellable(bot, &event)?;
    }
    let names: Vec<String> = bots.iter().map(|b| b.name.clone()).collect();
    let schedule = RoundRobin { players: bots.len(), rounds: event.rounds, games: event.games };
    let event_path = event.out.join("event.json");
    let before = read_event(&event_path)?;
    if before.is_none() {
        refuse_what_is_no_event(&event.out)?;
    }
    let seed = event.seed.or(before.as_ref().map(|b| b.seed)).unwrap_or_else(chance);
    let mut file = plan_file(&event, &bots, seed);
    if let Some(before) = &before {
        let differences = before.differences(&file);
        let changed: Vec<&String> = differences.iter().filter(|d| d.contains(".hash:")).collect();
        if differences.len() > changed.len() || (!changed.is_empty() && !event.accept_changed) {
            let advice = if differences.len() == changed.len() {
                "; --accept-changed goes on with the rebuilt bots, --out DIR begins another event"
            } else {
                "; --out DIR begins another event"
            };
            return Err(usage(format!(
                "{}: the event was planned otherwise{advice}\n  {}",
                event.out.display(),
                differences.join("\n  ")
            )));
        }
        file.command.clone_from(&before.command);
        file.machine.clone_from(&before.machine);
        file.arbiter.clone_from(&before.arbiter);
        file.changes.clone_from(&before.changes);
        file.changes.extend(changed.into_iter().cloned());
        for (bot, old) in file.bots.iter_mut().zip(&before.bots) {
            bot.reported_name.clone_from(&old.reported_name);
            bot.reported_version.clone_from(&old.reported_version);
        }
    }
    let (collector, report) = table(&event.out, &event.rules, &names)?;
    if report.torn > 0 {
        tracing::warn!(
            "{}: the last line is torn ({} bytes); its game is played again",
            event.out.join(JOURNAL).display(),
            report.torn
        );
    }
    if event.tie_break.is_some() && bots.len() != 2 {
        return Err(usage(format!("a tie-break is between two bots; this event has {}", bots.len())));
    }
    let tie_break = event.tie_break.as_ref().map(|_| tie_break_game(&event, seed));
    let total = event.again.map_or(schedule.total(), |_| 1);
    let planned = |id| event.again.map_or(schedule.game(id).is_some(), |again| again.id == id);
    let asked = event.again.is_some_and(|again| again.asked);
    let is_tie_break = |id| tie_break.is_some_and(|game| game.id == id);
    let mut settled = report.settled;
    let tie_broken = tie_break.is_some_and(|game| settled.remove(&game.id));
    if let Some(stranger) = settled.iter().find(|&&id| !planned(id) && !is_tie_break(id)) {
        return Err(usage(format!("{}: game {stranger} is not in this event's plan", event.out.display())));
    }
    let missing = total - settled.len() as u64;
    let tie_open = |collector: &Collector| {
        tie_break.filter(|_| !tie_broken && collector.standings().is_tied()).zip(event.tie_break.clone())
    };
    header(&event, &bots, &file, settled.len() as u64, total);
    let conditions = Conditions {
        time: match event.time.control {
            TimeControl::PerMove(each) => format!("{}/move", each.as_secs_f64()),
            control => control.to_string(),
        },
        setups: event.setups.as_ref().map(|s| s.recorded.file.clone()),
        sprt: None,
    };
    let mut stream = Stream::new(say, conditions, settled.len() as u64, total);
    stream.tell(&StreamEvent::RunStarted {
        version: STREAM_VERSION,
        arbiter: env!("CARGO_PKG_VERSION"),
        name: &event.name,
        folder: &event.out,
        rules: &event.rules.name,
        time: &event.time.control.to_string(),
        seed,
        games: total,
        settled: settled.len() as u64,
        bots: &names,
    });
    if missing == 0 && tie_open(&collector).is_none() {
        let folder = hold(&event.out)?;
        say.people("all games are played; nothing is missing");
        return conclude(&folder, &collector, &stream, say, Exit::Done);
    }
    let bots: Vec<Arc<Bot>> = bots
        .into_iter()
        .map(|ready| {
            Arc::new(Bot {
                name: ready.name,
                protocol: ready.protocol,
                launch: ready.launch,
                options: ready.options.into_iter().collect(),
                // Who has played an opening knows what its next opponent deploys.
                restart: ready.restart || event.restart || event.setups.is_some(),
                threads: ready.threads,
            })
        })
        .collect();
    let main = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| fail(Exit::Internal, format!("no runtime: {e}")))?;
    let profiles = main.block_on(probe(&bots, &event))?;
    for (bot, (profile, standings)) in file.bots.iter_mut().zip(profiles) {
        bot.reported_name = profile.name;
        bot.reported_version = profile.version;
        bot.confinement = standings.iter().map(recorded_layer).collect();
    }
    if !say.json && !say.quiet {
        confinement_lines(&event, &file.bots).into_iter().for_each(|line| say.people(line));
    }
    let folder = hold(&event.out)?;
    let text = serde_json::to_string_pretty(&file).expect("a plan holds nothing JSON cannot") + "\n";
    write_whole(&event_path, &text).map_err(|e| fail(Exit::Void, e))?;
    let concurrency = event.concurrency.min(missing as usize).max(1);
    let kept = match &event.affinity {
        Affinity::None => Vec::new(),
        Affinity::Auto => cores(),
        Affinity::Cores(kept) => kept.clone(),
    };
    let mut plan = RunPlan {
        bots,
        rules: event.rules.clone(),
        start: event.start.clone().filter(|_| !asked),
        again: event.start.clone().filter(|_| asked),
        setups: event.setups.as_ref().map(|s| s.book.clone()),
        time: event.time,
        seed,
        concurrency,
        cores: kept,
        start_retries: event.start_retries,
        wire: say.wire,
        echo: say.stderr,
        warned: Arc::default(),
        live: say.board && !say.json && !say.quiet && say.style.is_none() && std::io::stdout().is_terminal(),
    };
    let (mut collector, mut ended) = (collector, Ok(Exit::Done));
    if missing > 0 {
        let dealer = match event.again {
            None => Dealer::new(schedule, settled),
            Some(Again { id, .. }) => Dealer::of_games([Planned { id, red: 0, blue: 1, opening: 0 }]),
        };
        let games = run(&event, &folder, plan.clone(), dealer, collector, total, &mut stream);
        (collector, ended) = main.block_on(games);
    }
    if let (Ok(Exit::Done), Some((game, rules))) = (&ended, tie_open(&collector)) {
        say.people(format_args!("a tie: one more game, colours drawn, rules {}", rules.name));
        // Whatever the event's games start from belongs to its own rules.
        (plan.start, plan.setups, plan.rules, plan.concurrency) = (None, None, rules, 1);
        (collector, ended) =
            main.block_on(run(&event, &folder, plan, Dealer::of_games([game]), collector, 1, &mut stream));
    }
    let exit = match &ended {
        Ok(exit) => *exit,
        Err(error) => error.downcast_ref::<Failure>().map_or(Exit::Internal, |f| f.exit),
    };
    let concluded = conclude(&folder, &collector, &stream, say, exit);
    match (&ended, concluded) {
        (Err(_), Err(also)) => tracing::warn!("{also:#}"),
        (_, concluded) => drop(concluded?),
    }
    if exit == Exit::Interrupted {
        let folder = event.out.display();
        match event.fresh_folder {
            false => output::tell("interrupted; the same command goes on with what is missing"),
            true => output::tell(format_args!(
                "interrupted; the same command with --out {folder} --seed {seed} goes on"
            )),
        }
    }
    ended
}

/// The game that breaks a tie: one more after the last round, with drawn colours.
fn tie_break_game(event: &Event, seed: u64) -> Planned {
    let id = GameId { round: event.rounds + 1, pair: 1, game: 1 };
    let (red, blue) = if tie_break_swaps(seed, id) { (1, 0) } else { (0, 1) };
    Planned { id, red, blue, opening: 0 }
}

/// Takes hold of an event's folder.
fn hold(path: &Path) -> anyhow::Result<EventFolder> {
    EventFolder::hold(path).map_err(folder_failure)
}

/// What the system refuses is the machine's fault; the rest is for the organiser to put right.
fn folder_failure(error: JournalError) -> anyhow::Error {
    match error {
        JournalError::Io { .. } => fail(Exit::Void, error),
        _ => usage(error),
    }
}

/// A new event begins in a new folder, or in an empty one: anything else there is somebody's.
fn refuse_what_is_no_event(path: &Path) -> anyhow::Result<()> {
    let shown = path.display();
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        Err(e) if e.kind() == ErrorKind::NotADirectory => {
            return Err(usage(format!("{shown}: it is a file; an event needs a folder (--out DIR)")));
        }
        Err(e) => return Err(fail(Exit::Void, format!("{shown}: {e}"))),
    };
    // A run that ended before its first game leaves its lock.
    let strange = entries.flatten().find(|entry| entry.file_name() != "lock");
    match strange.map(|entry| entry.file_name()) {
        None => Ok(()),
        Some(name) if name == JOURNAL => {
            Err(usage(format!("{shown}: there are games but no event.json; name another folder with --out")))
        }
        Some(name) => Err(usage(format!(
            "{shown}: this folder holds `{}` and no event; name a new or empty folder with --out",
            name.to_string_lossy()
        ))),
    }
}

fn read_event(path: &Path) -> anyhow::Result<Option<EventFile>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(e) => return Err(fail(Exit::Void, format!("{}: {e}", path.display()))),
    };
    let file: EventFile =
        serde_json::from_str(&text).map_err(|e| usage(format!("{}: {e}", path.display())))?;
    if file.format != EVENT_FORMAT {
        let shown = path.display();
        return Err(usage(format!("{shown}: format {} is not known to this program", file.format)));
    }
    Ok(Some(file))
}

/// A seed where none was given: recorded, so that the event can be gone on with and played again. It has all the bits
/// that a seed may have: of a short one a bot could try out all, until its own seat's seed comes out, and know the
/// other's.
pub fn chance() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish() >> 1
}

fn plan_file(event: &Event, bots: &[Ready], seed: u64) -> EventFile {
    EventFile {
        format: EVENT_FORMAT,
        arbiter: env!("CARGO_PKG_VERSION").to_owned(),
        protocol: crate::protocol::print::VERSION,
        name: event.name.clone(),
        command: std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect(),
        machine: Machine {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        },
        rules: rules_words(event.rules.set()),
        time: time_words(&event.time),
        tie_break: event
            .tie_break
            .as_ref()
            .map(|rules| EventTieBreak { round: event.rounds + 1, rules: rules_words(rules.set()) }),
        start: event.start.as_ref().map(|s| s.canonical.clone()),
        seed,
        schedule: EventSchedule { kind: "round-robin".to_owned(), rounds: event.rounds, games: event.games },
        setups: event.setups.as_ref().map(|s| s.recorded.clone()),
        bots: bots
            .iter()
            .map(|bot| EventBot {
                name: bot.name.clone(),
                proto: bot.protocol.word().to_owned(),
                argv: bot.argv.clone(),
                program: bot.launch.program.display().to_string(),
                hash: bot.hash.clone(),
                options: bot.options.clone(),
                reported_name: None,
                reported_version: None,
                confinement: Vec::new(),
            })
            .collect(),
        changes: Vec::new(),
        withheld: Vec::new(),
    }
}

/// The rule book's name, with what was changed in it.
fn rules_title(rules: &RuleSet) -> String {
    let Some(book) = book(&rules.name) else { return rules.name.clone() };
    let changes: Vec<String> = (rules.values().zip(book.values()))
        .filter(|((_, now), (_, then))| now != then)
        .map(|((name, now), _)| format!("{name}={now}"))
        .collect();
    if changes.is_empty() { rules.name.clone() } else { format!("{} with {}", rules.name, changes.join(" ")) }
}

fn header(event: &Event, bots: &[Ready], file: &EventFile, settled: u64, total: u64) {
    let say = event.say;
    say.people(format_args!(
        "{}: {total} games, rules {}, time {}, seed {}, in {}",
        event.name,
        rules_title(event.rules.set()),
        event.time.control,
        file.seed,
        event.out.display()
    ));
    if let Some(NamedBook { book, recorded }) = &event.setups {
        let (count, hash) = (book.deployments().len(), &recorded.sha256[..12]);
        say.people(format_args!("  {count} deployments of the setup book {} [{hash}]", recorded.file));
    }
    for bot in bots {
        let speaks = match bot.protocol {
            Protocol::Sbp => String::new(),
            other => format!(", speaks {}", other.word()),
        };
        let (program, hash) = (bot.launch.program.display(), &bot.hash[..12]);
        say.people(format_args!("  {:<20} {program} [{hash}]{speaks}", bot.name));
    }
    if settled > 0 {
        say.people(format_args!("  {settled} games are there already; {} are missing", total - settled));
    }
}

/// Refuses an event that a bot's language has no words for.
fn tellable(bot: &Ready, event: &Event) -> anyhow::Result<()> {
    let front = bot.protocol.front(Wants::default());
    let refuse =
        |why: String| Err(usage(format!("bot `{}` speaks {}: {why}", bot.name, bot.protocol.word())));
    if let Some((name, _)) = bot.options.first_key_value().filter(|_| front.starts_with_game()) {
        return refuse(format!("there are no options to set in that protocol, such as `{name}`"));
    }
    let games = [(Some(&event.rules), event.start.is_some()), (event.tie_break.as_ref(), false)];
    for (rules, given) in games.into_iter().filter_map(|(rules, given)| Some((rules?, given))) {
        if let Some(why) = front.unable(rules.set(), given) {
            return refuse(format!("{why}, so it cannot play `{}` so; see protocol/UCC.md", rules.name));
        }
    }
    Ok(())
}

/// Says what each bot may reach.
fn confine(event: &Event, bots: &mut [Ready]) -> anyhow::Result<()> {
    let out = canonical(&event.out);
    let of_results = out.parent().filter(|parent| parent.file_name().is_some_and(|name| name == "results"));
    let mut of_event: Vec<PathBuf> = event.secret.iter().map(|path| canonical(path)).collect();
    of_event.push(of_results.unwrap_or(&out).to_owned());
    for n in 0..bots.len() {
        let others: Vec<&Reach> =
            bots.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, b)| &b.reach).collect();
        bots[n].launch.confinement = bots[n].reach.confinement(event.sandbox, &others, &of_event);
        let usual = if event.sandbox == Sandbox::Off { Limits::default() } else { Limits::usual() };
        let limits = bots[n].limits.or(event.limits.clone()).limits(usual);
        bots[n].launch.freeze = event.freeze;
        if let Affinity::Cores(kept) = &event.affinity {
            bots[n].launch.free_cores.clone_from(kept);
        }
        bots[n].launch.limits =
            limits.map_err(|why| usage(format!("limits of bot `{}`: {why}", bots[n].name)))?;
    }
    Ok(())
}

/// A path without links, also of what is not there yet.
fn canonical(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = path.ancestors().find_map(|above| Some((above, std::fs::canonicalize(above).ok()?)));
    found.map_or(path.clone(), |(above, real)| match path.strip_prefix(above) {
        Ok(rest) if rest.as_os_str().is_empty() => real,
        Ok(rest) => real.join(rest),
        Err(_) => path.clone(),
    })
}

fn recorded_layer(standing: &Standing) -> EventLayer {
    EventLayer {
        layer: standing.layer.word().to_owned(),
        in_force: standing.in_force,
        how: standing.how.clone(),
    }
}

/// What is in force for each bot, and what is not; those that are alike on one line.
fn confinement_lines(event: &Event, bots: &[EventBot]) -> Vec<String> {
    if event.sandbox == Sandbox::Off && bots.iter().all(|bot| bot.confinement.is_empty()) {
        return vec![UNCONFINED.to_owned()];
    }
    let mut alike: Vec<(&[EventLayer], Vec<&str>)> = Vec::new();
    for bot in bots {
        match alike.iter_mut().find(|(layers, _)| *layers == &bot.confinement[..]) {
            Some((_, names)) => names.push(&bot.name),
            None => alike.push((&bot.confinement, vec![&bot.name])),
        }
    }
    let words = |layers: &[EventLayer], in_force: bool| -> Vec<String> {
        let chosen = layers.iter().filter(|layer| layer.in_force == in_force);
        // Of a limit the number is what matters.
        let told = |l: &EventLayer| !in_force || LIMITS.iter().any(|limit| limit.word() == l.layer);
        chosen.map(|l| if told(l) { format!("{} ({})", l.layer, l.how) } else { l.layer.clone() }).collect()
    };
    let line = |(layers, names): (&[EventLayer], Vec<&str>)| {
        let who = if names.len() == bots.len() { "all bots".to_owned() } else { names.join(", ") };
        let (in_force, missing) = (words(layers, true), words(layers, false));
        let confined = match in_force.is_empty() {
            true => format!("  {who} not confined: this system has no layer"),
            false => format!("  {who} confined by {}", in_force.join(", ")),
        };
        if missing.is_empty() { confined } else { format!("{confined}; not by {}", missing.join(", ")) }
    };
    let off = (event.sandbox == Sandbox::Off).then(|| UNCONFINED.to_owned());
    off.into_iter().chain(alike.into_iter().map(line)).collect()
}

/// The layers that are limits.
const LIMITS: [Layer; 3] = [Layer::Memory, Layer::Processes, Layer::Disk];

const UNCONFINED: &str = "  not confined (--sandbox off): bots can read and do what you can";

/// What to do where a layer that is required cannot be had.
fn advice(why: &str) -> String {
    let named = Layer::ALL.iter().filter(|layer| why.contains(layer.word()));
    named.map(|layer| format!("\n  {}: needs {}", layer.word(), layer.advice())).collect()
}

/// What is said where `--sandbox require` asks for more than this machine has.
pub(super) fn unconfined(bot: &str, why: &str) -> anyhow::Error {
    usage(format!(
        "--sandbox require: bot `{bot}` is not started, for {why}{}\n`arbiter doctor` lists what this machine has; \
         --sandbox try goes on with it",
        advice(why)
    ))
}

/// Starts each bot once and asks who it is, so that one that cannot start is found before the first game.
async fn probe(bots: &[Arc<Bot>], event: &Event) -> anyhow::Result<Vec<(Profile, Vec<Standing>)>> {
    let (_stopper, stop) = runtime::stopping();
    let mut profiles = Vec::new();
    for bot in bots {
        let taken = match Seat::take(bot, &event.time, &stop, event.say.stderr, false).await {
            Ok(mut seat) => match seat.rehearse(event.rules.set(), &event.time, &stop).await {
                Ok(()) => Ok(seat),
                Err(error) => {
                    seat.leave(false).await;
                    Err(error)
                }
            },
            refused => refused,
        };
        match taken {
            Ok(mut seat) => {
                let (profile, refused) = (seat.profile.clone(), seat.refused.clone());
                let standings = seat.process.standings();
                seat.leave(true).await;
                if !refused.is_empty() {
                    return Err(usage(format!("bot `{}`: {}", bot.name, refused.join("; "))));
                }
                let told = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
                tracing::info!(
                    "bot `{}` calls itself {}, version {}; wants {:?}; supports {:?}",
                    bot.name,
                    told(&profile.name),
                    told(&profile.version),
                    profile.wants,
                    profile.supports
                );
                let supports = &profile.supports;
                if !supports.is_empty() && !supports.contains(&event.rules.name) {
                    return Err(usage(format!(
                        "bot `{}` does not play `{}`: it says it supports {}",
                        bot.name,
                        event.rules.name,
                        supports.join(", ")
                    )));
                }
                profiles.push((profile, standings));
            }
            Err(SeatError::Void(cause)) => {
                return Err(fail(Exit::Void, format!("bot `{}`: {cause}", bot.name)));
            }
            Err(SeatError::Unconfined(why)) => {
                return Err(unconfined(&bot.name, &why));
            }
            Err(SeatError::Fault { clause, evidence, stderr }) => {
                let last = if stderr.is_empty() {
                    "it wrote nothing to its standard error".to_owned()
                } else {
                    format!("its last words:\n  {}", stderr.join("\n  "))
                };
                let hint = match runtime::reach_hint(event.sandbox != Sandbox::Off, &stderr) {
                    "" => String::new(),
                    hint => format!("\n{hint}"),
                };
                return Err(fail(
                    Exit::Bot,
                    format!(
                        "bot `{}` cannot start [{clause}]: {evidence}\n  program: {}\n{last}{hint}",
                        bot.name,
                        bot.launch.program.display()
                    ),
                ));
            }
        }
    }
    Ok(profiles)
}

/// The state of a run that is being followed.
struct Following<'a> {
    event: &'a Event,
    folder: &'a EventFolder,
    stream: &'a mut Stream,
    dealer: Arc<Mutex<Dealer>>,
    collector: Collector,
    bar: ProgressBar,
    lines_on_board: usize,
    voids: BTreeMap<String, String>,
    broken: Option<JournalError>,
}

async fn run(
    event: &Event,
    folder: &EventFolder,
    plan: RunPlan,
    dealer: Dealer,
    collector: Collector,
    total: u64,
    stream: &mut Stream,
) -> (Collector, anyhow::Result<Exit>) {
    let dealer = Arc::new(Mutex::new(dealer));
    let (sender, mut messages) = mpsc::unbounded_channel();
    let (stopper, stop) = runtime::stopping();
    let durable = sender.clone();
    let journal = JournalWriter::open(folder, move |finished, result| {
        let _ = durable.send(Message::Durable(finished, result));
    });
    let journal = match journal {
        Ok(journal) => journal,
        Err(error) => return (collector, Err(fail(Exit::Void, error))),
    };
    let tell = {
        let sender = sender.clone();
        move |event| {
            let _ = sender.send(Message::Run(event));
        }
    };
    let mut signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()]
        .map(|kind| signal(kind).expect("the runtime was made with signals"));
    let settled = dealer.lock().expect("a dealer does not panic").settled();
    let bar = progress(event, settled, total, plan.live);
    let concurrency = plan.concurrency;
    let workers = match runtime::start(Arc::new(plan), dealer.clone(), stop, tell) {
        Ok(workers) => workers,
        Err(e) => return (collector, Err(fail(Exit::Void, format!("no thread for a worker: {e}")))),
    };
    let mut following = Following {
        event,
        folder,
        stream,
        dealer,
        collector,
        bar,
        lines_on_board: 0,
        voids: BTreeMap::new(),
        broken: None,
    };
    let (mut idle, mut on_the_way, mut stopped) = (0, 0u64, Stop::No);
    while idle < concurrency || on_the_way > 0 {
        let [interrupt, terminate, hangup] = &mut signals;
        let message = tokio::select! {
            biased;
            _ = interrupt.recv() => None,
            _ = terminate.recv() => None,
            _ = hangup.recv() => None,
            message = messages.recv() => message,
        };
        match message {
            None => {
                following.stream.tell(&StreamEvent::RunStopping);
                stopped = stopper.further();
                if stopped == Stop::Kill {
                    // Bots die with the arbiter; what was handed to the journal is written first.
                    drop(journal);
                    std::process::exit(Exit::Interrupted as i32);
                }
                following.bar.suspend(|| output::tell("stopping; once more ends it at once"));
            }
            Some(Message::Run(RunEvent::Idle)) => idle += 1,
            Some(Message::Run(RunEvent::Finished(finished))) if finished.void.is_none() => {
                on_the_way += 1;
                let line = finished.record.to_line();
                journal.append(line, finished);
            }
            Some(Message::Run(RunEvent::Finished(finished))) => {
                if stopped == Stop::No {
                    following.void(&finished);
                }
            }
            Some(Message::Run(RunEvent::Started(planned))) => following.started(planned),
            Some(Message::Run(RunEvent::Turn { planned, position, left, last })) => {
                following.board(planned, &position, left, &last);
            }
            Some(Message::Durable(finished, Ok(()))) => {
                on_the_way -= 1;
                following.settled(&finished);
            }
            Some(Message::Durable(_, Err(error))) => {
                on_the_way -= 1;
                if following.broken.is_none() {
                    following.broken = Some(error);
                    if stopper.further() == Stop::Kill {
                        stopped = Stop::Kill;
                    }
                }
            }
        }
    }
    drop(journal);
    for worker in workers {
        let _ = worker.join();
    }
    following.bar.finish_and_clear();
    let Following { collector, voids, broken, .. } = following;
    let ended = if let Some(error) = broken {
        Err(format!(
            "games could not be recorded: {error}\nwhat is missing is played when the same command runs again"
        ))
    } else if stopped != Stop::No {
        Ok(Exit::Interrupted)
    } else if !voids.is_empty() {
        let list: Vec<String> = voids.iter().map(|(id, cause)| format!("\n  {id}: {cause}")).collect();
        Err(format!(
            "{} games came to nothing; the same command plays them again{}",
            voids.len(),
            list.concat()
        ))
    } else {
        Ok(Exit::Done)
    };
    (collector, ended.map_err(|why| fail(Exit::Void, why)))
}

fn progress(event: &Event, settled: u64, total: u64, live: bool) -> ProgressBar {
    let hidden = event.say.quiet || event.say.json || event.say.style.is_some() || live || total < 2;
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(total), target);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games  {rate}  {eta} left")
        .expect("the template is a constant")
        .with_key("rate", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{:.1} games/s", state.per_sec());
        });
    bar.set_style(style);
    bar.set_position(settled);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

impl Following<'_> {
    fn names(&self, planned: Planned) -> (&str, &str) {
        let bots = &self.collector;
        (bots.name(planned.red), bots.name(planned.blue))
    }

    fn started(&mut self, planned: Planned) {
        let bots = &self.collector;
        self.stream.started(planned.id, bots.name(planned.red), bots.name(planned.blue));
    }

    fn void(&mut self, finished: &Finished) {
        let cause = finished.void.clone().unwrap_or_default();
        self.stream.void(finished.planned.id, &finished.record, &cause);
        self.bar.suspend(|| tracing::warn!("game {} came to nothing: {cause}", finished.record.id));
        self.voids.insert(finished.record.id.clone(), cause);
    }

    fn settled(&mut self, finished: &Finished) {
        let record = &finished.record;
        self.dealer.lock().expect("a dealer does not panic").settle(finished.planned.id);
        self.collector.add(&Settled {
            id: finished.planned.id,
            red: &record.red,
            blue: &record.blue,
            result: match record.result.as_str() {
                "red" => GameResult::Red,
                "blue" => GameResult::Blue,
                "both-lose" => GameResult::BothLose,
                _ => GameResult::Draw,
            },
            reason: &record.reason,
            clause: record.clause.as_deref(),
            red_first: record.first == "red",
        });
        self.stream.finished(finished.planned.id, record, &finished.sentence, &self.collector);
        let score = match record.result.as_str() {
            "red" => "1-0",
            "blue" => "0-1",
            "draw" => "½-½",
            _ => "0-0",
        };
        let faults: Vec<String> = record
            .faults
            .iter()
            .map(|fault| {
                let who = if fault.side == "red" { &record.red } else { &record.blue };
                let last = fault
                    .stderr
                    .last()
                    .map_or(String::new(), |l| format!("\n    {who}'s last line on standard error: {l}"));
                format!("\n    {who}: {}{last}", fault.evidence)
            })
            .collect();
        let line = format!(
            "{:<8} {} - {} {score} in {} plies: {}{}",
            record.id,
            record.red,
            record.blue,
            record.plies,
            finished.sentence,
            faults.concat()
        );
        self.bar.suspend(|| self.event.say.people(line));
        self.bar.inc(1);
        self.keep_texts(finished);
    }

    fn keep_texts(&self, finished: &Finished) {
        let sides = ["red", "blue"];
        for (n, side) in sides.iter().enumerate() {
            let name = format!("{}-{side}.txt", finished.record.id);
            let texts = [
                ("stderr", (!finished.stderr[n].is_empty()).then(|| finished.stderr[n].text())),
                ("wire", finished.wire[n].clone()),
            ];
            for (kind, text) in texts {
                let Some(text) = text else { continue };
                let folder = self.folder.path().join(kind);
                let written =
                    std::fs::create_dir_all(&folder).and_then(|()| write_private(&folder.join(&name), &text));
                if let Err(error) = written {
                    tracing::warn!("{}/{name}: {error}", folder.display());
                }
            }
        }
    }

    fn board(
        &mut self,
        planned: Planned,
        position: &crate::game::Position,
        left: [Option<Duration>; 2],
        last: &str,
    ) {
        let colour = std::env::var_os("NO_COLOR").is_none();
        let (red, blue) = self.names(planned);
        let clock =
            |left: Option<Duration>| left.map_or(String::new(), |l| format!(" {:.1}s", l.as_secs_f64()));
        let text = format!(
            "{}  {red} (Red){} - {blue} (Blue){}\n\n{}\nply {}  {last}\n",
            planned.id,
            clock(left[0]),
            clock(left[1]),
            report::board(position, colour),
            position.plies(),
        );
        let up =
            if self.lines_on_board > 0 { format!("\x1b[{}A", self.lines_on_board) } else { String::new() };
        self.lines_on_board = text.matches('\n').count();
        output::print(format_args!("{up}{}", text.replace('\n', "\x1b[K\n")));
    }
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600).open(path)?.write_all(text.as_bytes())
}

/// Writes the standings and shows them.
pub fn conclude(
    folder: &EventFolder,
    collector: &Collector,
    stream: &Stream,
    say: Say,
    exit: Exit,
) -> anyhow::Result<Exit> {
    let file = StandingsFile::from(&collector.standings());
    let written = write_standings(folder, &file);
    stream.concluded(exit as u8, &file, collector);
    // One game is told by its own line.
    if !say.json && say.style.is_none() && file.games != 1 {
        output::print(report::terminal(&file));
    }
    written?;
    Ok(exit)
}

/// Writes standings.json and standings.md.
pub fn write_standings(folder: &EventFolder, file: &StandingsFile) -> anyhow::Result<()> {
    write_whole(&folder.path().join("standings.json"), &file.to_text())
        .and_then(|()| write_whole(&folder.path().join("standings.md"), &report::markdown(file)))
        .map_err(|e| fail(Exit::Void, e))
}
