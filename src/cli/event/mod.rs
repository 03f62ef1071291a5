//! Playing an event: `play` and `tournament` are the same thing with other words.
//!
//! Its parts: whether its bots may play (`admit`), what is written down of the plan (`plan`), going on with an event
//! that is there (`resume`), the loop that follows a run (`run`), and what is said of it (`tell`).

mod admit;
mod plan;
mod resume;
mod run;
mod tell;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bots::{Absent, Wanted};
use super::failure::{Exit, Failure, fail, usage};
use super::options::LimitOptions;
use super::output;
use super::setups::NamedBook;
use super::stream::{Conditions, STREAM_VERSION, Stream, StreamEvent};
use crate::clock::{TimeControl, TimeSettings};
use crate::game::Rules;
use crate::process::{Sandbox, adopt_orphans, cores};
use crate::record::{EventFolder, JOURNAL, StandingsFile, Start, read_journal, write_whole};
use crate::referee::Adjudication;
use crate::report;
use crate::runtime::{Bot, RunPlan};
use crate::tournament::{Collector, Dealer, GameId, Planned, Points, RoundRobin, tie_break_swaps};
pub use admit::unconfined;
use admit::{confine, confinement_lines, enough_descriptors, probe, recorded_layer, tellable};
pub use plan::chance;
use plan::plan_file;
use resume::{folder_failure, go_on_from, hold, read_event, refuse_what_is_no_event};
use run::run;
pub use tell::Say;
use tell::header;

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
    /// What ends games beside the rules.
    pub adjudication: Adjudication,
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
        go_on_from(before, &mut file, &event)?;
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
    let concurrency = event.concurrency.min(missing as usize).max(1);
    enough_descriptors(concurrency)?;
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
        adjudication: event.adjudication,
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
