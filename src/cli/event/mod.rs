//! Playing an event: `play` and `tournament` are the same thing with other words.
//!
//! Its parts: whether its bots may play (`admit`), what is written down of the plan (`plan`), going on with an event
//! that is there (`resume`), how long it will take (`estimate`), the loop that follows a run (`run`), and what is said
//! of it (`tell`).

mod admit;
mod estimate;
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
use crate::game::{DeploymentBy, Rules};
use crate::process::{Sandbox, adopt_orphans, cores};
use crate::rating::SprtVerdict;
use crate::record::{
    EventFile, EventFolder, EventSprt, JOURNAL, StandingsFile, Start, read_journal, write_whole,
};
use crate::referee::Adjudication;
use crate::report;
use crate::runtime::{Bot, Desk, RunPlan};
use crate::tournament::{Collector, Dealer, Extras, GameId, Past, Planned, Total};
pub use admit::unconfined;
use admit::{confine, confinement_lines, enough_descriptors, probe, recorded_layer, tellable};
use plan::plan_file;
pub use plan::{Kind, chance, extras, points_of, sprt_of};
use resume::{folder_failure, go_on_from, hold, read_event, refuse_what_is_no_event};
use run::run;
pub use tell::Say;
use tell::{gate_words, header};

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
    /// The format.
    pub kind: Kind,
    /// How many of the first bots run a gauntlet.
    pub seeds: usize,
    /// Rounds; 0 where the format is to say how many.
    pub rounds: u64,
    /// Games of each pair in a round.
    pub games: u64,
    /// The test that ends a match of two.
    pub sprt: Option<EventSprt>,
    /// The verdict of the test that is a failure.
    pub fail_on: Option<SprtVerdict>,
    /// Whether all pairings meet the same seeds.
    pub shared: bool,
    /// Whether the plan may grow: more rounds, more bots at the end.
    pub extend: bool,
    /// Bots that play no more.
    pub withdraw: Vec<String>,
    /// Bots that play no more, and whose games count for nothing.
    pub disqualify: Vec<String>,
    /// Whether the plan is only told.
    pub dry_run: bool,
    /// After so many games a bot's process makes room for a new one.
    pub games_per_process: u64,
    /// How many games run at once; none: as many as the cores can carry.
    pub concurrency: Option<usize>,
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

/// A recorded game to be played again: under its own id, with its own seeds.
#[derive(Clone, Copy, Debug)]
pub struct Again {
    /// Its id.
    pub id: GameId,
    /// The seeds of its seats, Red's first.
    pub seeds: [u64; 2],
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

/// A table from a folder's journal, whose games the dealer is told, and the bytes of a torn last line.
fn table(
    folder: &Path,
    rules: &Rules,
    file: &EventFile,
    dealer: &mut Dealer,
) -> anyhow::Result<(Collector, u64)> {
    let names: Vec<String> = file.bots.iter().map(|b| b.name.clone()).collect();
    let mut collector = Collector::new(points_of(rules), &names);
    let mut stranger = None;
    let report = read_journal(&folder.join(JOURNAL), |game| {
        if file.counts(game.red) && file.counts(game.blue) {
            collector.add(game);
        }
        match Past::of(game, &names) {
            Some(past) => dealer.there(past),
            None => stranger = Some(game.id),
        }
    });
    let report = report.map_err(folder_failure)?;
    match stranger.map_or_else(|| dealer.begin(), Err) {
        Ok(()) => Ok((collector, report.torn)),
        Err(id) => Err(usage(format!("{}: game {id} is not in this event's plan", folder.display()))),
    }
}

/// Plays an event.
pub fn play(mut event: Event) -> anyhow::Result<Exit> {
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
    if event.rounds == 0 {
        event.rounds = match event.kind {
            Kind::Swiss => u64::from(bots.len().next_power_of_two().ilog2()),
            Kind::Ladder => 1_000_000_000,
            _ if event.sprt.is_some() => 1_000_000,
            _ => 1,
        };
    }
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
    if event.tie_break.is_some() && bots.len() != 2 && !event.kind.is_bracket() {
        return Err(usage(format!("a tie-break is between two bots; this event has {}", bots.len())));
    }
    let asked = event.again.is_some_and(|again| again.asked);
    let again = event.again.map(|again| Planned::new(again.id, 0, 1, 0));
    let mut dealer = plan::dealer(&file, points_of(&event.rules), again)?;
    let (mut collector, torn) = table(&event.out, &event.rules, &file, &mut dealer)?;
    if !event.withdraw.is_empty() || !event.disqualify.is_empty() {
        plan::leave(&mut file, &event, dealer.round())?;
        dealer = plan::dealer(&file, points_of(&event.rules), again)?;
        (collector, _) = table(&event.out, &event.rules, &file, &mut dealer)?;
    }
    if torn > 0 {
        tracing::warn!(
            "{}: the last line is torn ({torn} bytes); its game is played again",
            event.out.join(JOURNAL).display()
        );
    }
    let (settled, total) = (dealer.settled(), dealer.total());
    header(&event, &bots, &file, settled, total);
    if event.dry_run {
        return estimate::tell(&event, &bots, &dealer);
    }
    let conditions = Conditions {
        time: match event.time.control {
            TimeControl::PerMove(each) => format!("{}/move", each.as_secs_f64()),
            control => control.to_string(),
        },
        setups: event.setups.as_ref().map(|s| s.recorded.file.clone()),
        gate: dealer.gate().cloned(),
    };
    let mut stream = Stream::new(say, conditions, settled, total.games());
    stream.tell(&StreamEvent::RunStarted {
        version: STREAM_VERSION,
        arbiter: env!("CARGO_PKG_VERSION"),
        name: &event.name,
        folder: &event.out,
        format: event.kind.word(),
        rules: &event.rules.name,
        time: &event.time.control.to_string(),
        seed,
        games: total.games(),
        games_are: match total {
            Total::Exactly(_) => "exact",
            Total::AtLeast(_) => "at-least",
            Total::AtMost(_) => "at-most",
        },
        settled,
        bots: &names,
    });
    if dealer.is_over() {
        let folder = hold(&event.out)?;
        if before.is_some_and(|before| before != file) {
            write_plan(&event_path, &file)?;
        }
        say.people("all games are played; nothing is missing");
        let exit = judge(&event, &dealer, &stream);
        return conclude(
            &folder,
            &collector,
            &Extras { out: plan::out(&file), ..dealer.extras() },
            &stream,
            say,
            exit,
        );
    }
    let threads = bots.iter().map(|bot| bot.threads).max().unwrap_or(1);
    let missing = total.games().saturating_sub(settled).clamp(1, 4096) as usize;
    let concurrency = at_once(&event, threads).min(missing);
    enough_descriptors(concurrency)?;
    // Who has played an opening knows what its next opponent deploys; who was told a seed, what another will be.
    let by_opening = file.schedule.draws.is_some();
    let drawn = by_opening && event.rules.deployment_by == DeploymentBy::Seed;
    let anew = event.restart || event.setups.is_some() || drawn || event.shared;
    let bots: Vec<Arc<Bot>> = bots
        .into_iter()
        .map(|ready| {
            Arc::new(Bot {
                name: ready.name,
                protocol: ready.protocol,
                launch: ready.launch,
                options: ready.options.into_iter().collect(),
                restart: ready.restart || anew,
                threads: ready.threads,
            })
        })
        .collect();
    let main = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| fail(Exit::Internal, format!("no runtime: {e}")))?;
    let playing = |name: &str| !file.withdrawn.iter().any(|leave| leave.bot == name);
    let asked_in: Vec<Arc<Bot>> = bots.iter().filter(|bot| playing(&bot.name)).cloned().collect();
    let profiles = main.block_on(probe(&asked_in, &event))?;
    for (asked_in, (profile, standings)) in asked_in.iter().zip(profiles) {
        let bot = file.bots.iter_mut().find(|bot| bot.name == asked_in.name).expect("it is one of them");
        bot.reported_name = profile.name;
        bot.reported_version = profile.version;
        bot.confinement = standings.iter().map(recorded_layer).collect();
    }
    if !say.json && !say.quiet {
        confinement_lines(&event, &file.bots).into_iter().for_each(|line| say.people(line));
    }
    let folder = hold(&event.out)?;
    write_plan(&event_path, &file)?;
    let plan = RunPlan {
        bots,
        rules: event.rules.clone(),
        tie_break: event.tie_break.clone(),
        games_per_process: event.games_per_process,
        start: event.start.clone().filter(|_| !asked),
        again: event.start.clone().filter(|_| asked),
        seeds: event.again.map(|again| again.seeds),
        setups: event.setups.as_ref().map(|s| s.book.clone()),
        time: event.time,
        seed,
        by_opening,
        concurrency,
        cores: match &event.affinity {
            Affinity::None => Vec::new(),
            Affinity::Auto => cores(),
            Affinity::Cores(kept) => kept.clone(),
        },
        start_retries: event.start_retries,
        adjudication: event.adjudication,
        wire: say.wire,
        echo: say.stderr,
        warned: Arc::default(),
        live: say.board && !say.json && !say.quiet && say.style.is_none() && std::io::stdout().is_terminal(),
    };
    let desk = Arc::new(Desk::new(dealer));
    let (collector, mut ended) =
        main.block_on(run(&event, &folder, plan, &desk, collector, total.games(), &mut stream));
    if matches!(ended, Ok(Exit::Done)) {
        ended = Ok(desk.with(|dealer| judge(&event, dealer, &stream)));
    }
    let exit = match &ended {
        Ok(exit) => *exit,
        Err(error) => error.downcast_ref::<Failure>().map_or(Exit::Internal, |f| f.exit),
    };
    let extras = desk.with(|dealer| Extras { out: plan::out(&file), ..dealer.extras() });
    let concluded = conclude(&folder, &collector, &extras, &stream, say, exit);
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

/// How many games run at once where a bot thinks with so many threads.
fn at_once(event: &Event, threads: usize) -> usize {
    let carried = || (std::thread::available_parallelism().map_or(1, usize::from) / threads).max(1);
    event.concurrency.unwrap_or_else(carried)
}

/// Says what a test came to, and whether that is what was not to be.
fn judge(event: &Event, dealer: &Dealer, stream: &Stream) -> Exit {
    let Some(gate) = dealer.gate() else { return Exit::Done };
    event.say.people(gate_words(gate));
    stream.test(gate);
    if event.fail_on == Some(gate.verdict()) { Exit::Failed } else { Exit::Done }
}

fn write_plan(path: &Path, file: &EventFile) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(file).expect("a plan holds nothing JSON cannot") + "\n";
    write_whole(path, &text).map_err(|e| fail(Exit::Void, e))
}

/// Writes the standings and shows them.
pub fn conclude(
    folder: &EventFolder,
    collector: &Collector,
    extras: &Extras,
    stream: &Stream,
    say: Say,
    exit: Exit,
) -> anyhow::Result<Exit> {
    let file = StandingsFile::from(&collector.rated(&Default::default(), extras));
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
