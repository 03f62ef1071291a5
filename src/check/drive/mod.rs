//! The cases, driven: the one part of the check that has a bot before it.

mod play;
mod script;
mod session;

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use self::script::{Driving, Kept};
use self::session::Halt;
use super::catalogue::{Case, Script};
use super::report::{Driven, Outcome, Row, conclude};
use crate::game::RuleSet;
use crate::process::Standing;
use crate::protocol::Clause;
use crate::runtime::{Bot, Stop, StopSignal, Watch};

/// The bot that is checked.
#[derive(Clone, Debug)]
pub struct Subject {
    /// How it is started, and the options to set.
    pub bot: Arc<Bot>,
    /// The same, confined: for the case that is about that, where the others run without.
    pub confined: Arc<Bot>,
}

/// What is checked, and how.
#[derive(Clone, Debug)]
pub struct Battery {
    /// The bot.
    pub subject: Subject,
    /// The rule book of the games.
    pub rules: RuleSet,
    /// Whether it was asked for; otherwise a bot that does not support it is asked for one that it supports.
    pub rules_given: bool,
    /// The seed: each case draws from it and from its own name, so that it is the same alone and among others.
    pub seed: u64,
    /// Cases at once.
    pub jobs: usize,
    /// How long the bot is waited for where a case is not about time.
    pub limit: Duration,
}

/// How often a case about time is tried before it is the bot that was late, and not the machine.
const TRIES: u32 = 3;

/// A case under way.
enum Place {
    Waiting,
    Running,
    Done(Box<Driven>),
}

/// What the cases came to.
#[derive(Clone, Debug)]
pub struct Checked {
    /// A row for each case, and for each clause that was watched.
    pub rows: Vec<Row>,
    /// The bot's own name and version.
    pub calls_itself: Option<String>,
    /// The rule book that was played, where it came to that.
    pub rules: Option<String>,
    /// What the bot was confined by and what not, where it was to be.
    pub standings: Vec<Standing>,
    /// How the arena failed, where it did.
    pub void: Vec<String>,
}

/// What the bot told in any of the cases.
#[derive(Debug, Default)]
struct Told {
    calls_itself: Option<String>,
    rules: Option<String>,
    standings: Vec<Standing>,
}

/// Drives the cases, several at once, and concludes; a clause that is watched in all cases is told where its slug is
/// `wanted`.
pub fn run(
    battery: &Battery,
    cases: Vec<Case>,
    wanted: &dyn Fn(&str) -> bool,
    stop: &StopSignal,
    tell: &(impl Fn(&str) + Sync),
) -> Checked {
    let told = Mutex::new(Told::default());
    let places: Mutex<Vec<Place>> = Mutex::new(cases.iter().map(|_| Place::Waiting).collect());
    let changed = std::sync::Condvar::new();
    thread::scope(|scope| {
        for _ in 0..battery.jobs.max(1) {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()
                    .expect("a runtime of one thread needs a few descriptors");
                while let Some((index, driven)) = next(&cases, &places, &changed) {
                    let driven = driven.unwrap_or_else(|| {
                        let case = &cases[index];
                        tell(&case.name);
                        let mut driven = drive(battery, case, stop, &runtime, &told);
                        let late = |driven: &Driven| match &driven.outcome {
                            Outcome::Failed(_) => true,
                            Outcome::Broke(clause, _) => *clause == Clause::TimeMove,
                            _ => false,
                        };
                        for _ in 1..TRIES {
                            if case.is_timed() && late(&driven) {
                                driven = drive(battery, case, stop, &runtime, &told);
                            }
                        }
                        driven
                    });
                    let mut places = places.lock().expect("no one panics while holding it");
                    places[index] = Place::Done(Box::new(driven));
                    changed.notify_all();
                }
            });
        }
    });
    let places = places.into_inner().expect("no one panics while holding it");
    let driven = places.into_iter().map(|place| match place {
        Place::Done(driven) => *driven,
        Place::Waiting | Place::Running => unreachable!("a worker leaves when every case is done"),
    });
    let seen: Vec<(Case, Driven)> = cases.into_iter().zip(driven).collect();
    let void = seen.iter().filter_map(|(_, driven)| match &driven.outcome {
        Outcome::Void(why) => Some(why.clone()),
        _ => None,
    });
    let Told { calls_itself, rules, standings } = told.into_inner().expect("no one panics while holding it");
    let bound = battery.subject.bot.launch.limits.clauses().collect();
    Checked { rows: conclude(&seen, wanted, &bound), calls_itself, rules, standings, void: void.collect() }
}

/// The next case that can be driven, in the order of the catalogue; with its outcome, where a case that it needs did
/// not pass. Waits while all that is left needs what is under way.
fn next(
    cases: &[Case],
    places: &Mutex<Vec<Place>>,
    changed: &std::sync::Condvar,
) -> Option<(usize, Option<Driven>)> {
    let mut held = places.lock().expect("no one panics while holding it");
    loop {
        let mut waits = false;
        'cases: for (index, case) in cases.iter().enumerate() {
            if !matches!(held[index], Place::Waiting) {
                continue;
            }
            for need in &case.needs {
                // One that was not asked for is taken for granted.
                let Some(at) = cases.iter().position(|other| other.name == *need) else { continue };
                match &held[at] {
                    Place::Waiting | Place::Running => {
                        waits = true;
                        continue 'cases;
                    }
                    Place::Done(driven) if !matches!(driven.outcome, Outcome::Passed(_)) => {
                        held[index] = Place::Running;
                        let why = format!("it needs {need}, which did not pass");
                        return Some((index, Some(nothing(Outcome::NotExercised(why)))));
                    }
                    Place::Done(_) => {}
                }
            }
            held[index] = Place::Running;
            return Some((index, None));
        }
        if !waits {
            return None;
        }
        held = changed.wait(held).expect("no one panics while holding it");
    }
}

/// The layers in force, and those that are not with their reasons.
pub fn confinement(standings: &[Standing]) -> String {
    let layers = |in_force: bool| standings.iter().filter(move |standing| standing.in_force == in_force);
    let here: Vec<&str> = layers(true).map(|standing| standing.layer.word()).collect();
    let not: Vec<String> = layers(false).map(|s| format!("{} ({})", s.layer.word(), s.how)).collect();
    let not = if not.is_empty() { String::new() } else { format!("; not by {}", not.join(", ")) };
    format!("{}{not}", if here.is_empty() { "nothing".to_owned() } else { here.join(", ") })
}

fn nothing(outcome: Outcome) -> Driven {
    Driven {
        outcome,
        exercised: Default::default(),
        transcript: Default::default(),
        stderr: Vec::new(),
        took: Duration::ZERO,
    }
}

fn drive(
    battery: &Battery,
    case: &Case,
    stop: &StopSignal,
    runtime: &tokio::runtime::Runtime,
    told: &Mutex<Told>,
) -> Driven {
    if stop.state() != Stop::No {
        return nothing(Outcome::Void("the check was stopped".to_owned()));
    }
    let watch = Watch::start();
    let seed = seed_of(battery.seed, &case.name);
    let mut driving = Driving { battery, case, seed, stop, session: None, kept: Kept::default(), book: None };
    let panicked = |panic: Box<dyn std::any::Any + Send>| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Err(Halt::Void(format!("the arbiter panicked: {text}")))
    };
    let went = std::panic::catch_unwind(AssertUnwindSafe(|| runtime.block_on(driving.run())))
        .unwrap_or_else(panicked);
    if let Some(mut session) = driving.session.take() {
        driving.kept.take(&session);
        let profile = &session.profile;
        let words: Vec<&str> =
            [&profile.name, &profile.version].into_iter().flatten().map(String::as_str).collect();
        let mut told = told.lock().expect("no one panics while holding it");
        if told.calls_itself.is_none() && !words.is_empty() {
            told.calls_itself = Some(words.join(" "));
        }
        if told.rules.is_none() {
            told.rules.clone_from(&driving.book);
        }
        if told.standings.is_empty() && !matches!(case.script, Script::Confined) {
            told.standings = session.process.standings();
        }
        drop(told);
        runtime.block_on(session.process.stop(None));
    }
    let outcome = match went {
        Ok(note) => Outcome::Passed(note),
        Err(Halt::Broke(clause, evidence)) => Outcome::Broke(clause, evidence),
        Err(Halt::Failed(why)) => Outcome::Failed(why),
        Err(Halt::Skip(why)) => Outcome::NotExercised(why),
        Err(Halt::Void(why)) => Outcome::Void(why),
    };
    let Kept { exercised, transcript, stderr } = driving.kept;
    Driven { outcome, exercised, transcript, stderr, took: watch.now().0 }
}

/// The seed of a case: FNV-1a over its name, begun from the battery's seed.
fn seed_of(seed: u64, name: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed;
    let hash = name.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    hash >> 1
}
