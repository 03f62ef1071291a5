//! What is written down of an event before its first game.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::adjudication::adjudication_words;
use super::super::bots::Ready;
use super::super::failure::usage;
use super::super::options::{rules_words, time_words};
use super::Event;
use super::resume::folder_failure;
use crate::game::Rules;
use crate::rating::{Sprt, SprtModel};
use crate::record::{
    EVENT_FORMAT, EventBot, EventFile, EventLeave, EventSchedule, EventSprt, EventTieBreak, JOURNAL, Machine,
    scan_journal,
};
use crate::tournament::{
    Dealer, Extras, Fixed, Format, Gate, Gauntlet, MOST_SWISS_PLAYERS, PairOrder, Past, Planned, Points,
    RoundRobin, Terms,
};

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Everyone against everyone
    RoundRobin,
    /// The first bots against all others
    Gauntlet,
    /// Who has done alike meets
    Swiss,
    /// Who loses a match is out
    Knockout,
    /// Who loses two matches is out
    DoubleElimination,
    /// Without end: the pairs whose games tell most
    Ladder,
}

impl Kind {
    /// The format of a word.
    pub fn parse(word: &str) -> Option<Kind> {
        clap::ValueEnum::from_str(word, false).ok()
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Kind::RoundRobin => "round-robin",
            Kind::Gauntlet => "gauntlet",
            Kind::Swiss => "swiss",
            Kind::Knockout => "knockout",
            Kind::DoubleElimination => "double-elimination",
            Kind::Ladder => "ladder",
        }
    }

    /// Whether its pairings decide who goes on.
    pub fn is_bracket(self) -> bool {
        matches!(self, Kind::Knockout | Kind::DoubleElimination)
    }
}

/// How pairs are numbered in new events, as event.json has it.
const BY_LATER: &str = "by-later";

/// Whose luck a game has, as event.json has it: its own, or that of all pairings.
const OWN: &str = "own";
const SHARED: &str = "shared";

/// The dealer of an event's plan, before it is told any games. `again` is the one game that is played where a
/// recorded one is played again.
pub(super) fn dealer(file: &EventFile, points: Points, again: Option<Planned>) -> anyhow::Result<Dealer> {
    let EventSchedule { kind, rounds, games, order, seeds, sprt, draws } = &file.schedule;
    let (rounds, games, players) = (*rounds, *games, file.bots.len());
    let kind = Kind::parse(kind).ok_or_else(|| usage(format!("event.json: no format `{kind}`")))?;
    let format = match kind {
        _ if again.is_some() => Format::Fixed(Fixed::Single(again.expect("it was just seen"))),
        Kind::RoundRobin => {
            let later = order.as_deref() == Some(BY_LATER);
            let order = if later { PairOrder::ByLater } else { PairOrder::ByEarlier };
            Format::Fixed(Fixed::RoundRobin(RoundRobin { players, rounds, games, order }))
        }
        Kind::Gauntlet => {
            let seeds = seeds.unwrap_or(1);
            if seeds == 0 || seeds >= players {
                return Err(usage(format!(
                    "a gauntlet of {players} bots takes 1 to {} gauntlet-seeds, not {seeds}",
                    players - 1
                )));
            }
            Format::Fixed(Fixed::Gauntlet(Gauntlet { players, seeds, rounds, games }))
        }
        Kind::Swiss if players > MOST_SWISS_PLAYERS => {
            return Err(usage(format!("a Swiss takes {MOST_SWISS_PLAYERS} bots at most")));
        }
        Kind::Swiss => Format::Swiss { rounds, games },
        Kind::Knockout => Format::Knockout { games },
        Kind::DoubleElimination => Format::DoubleElimination { games },
        Kind::Ladder => Format::Ladder { pairings: rounds, games },
    };
    let gate = match sprt {
        Some(_) if players != 2 || kind != Kind::RoundRobin => {
            return Err(usage(format!(
                "--sprt: a test is between two bots in a match, not {players} in a {}",
                kind.word()
            )));
        }
        Some(test) => Some(Gate::new(sprt_of(test)?, games % 2 == 0)),
        None => None,
    };
    let terms = Terms {
        players,
        points,
        seed: file.seed,
        shared: draws.as_deref() == Some(SHARED),
        tie_break: file.tie_break.is_some() && !kind.is_bracket(),
        gate,
        withdrawn: file
            .withdrawn
            .iter()
            .filter_map(|leave| Some((file.bots.iter().position(|b| b.name == leave.bot)?, leave.round)))
            .collect(),
    };
    Ok(Dealer::new(format, terms))
}

/// What an event's format says of its bots besides their games.
pub fn extras(folder: &Path, file: &EventFile, points: Points) -> anyhow::Result<Extras> {
    let kind = Kind::parse(&file.schedule.kind);
    if matches!(kind, Some(Kind::RoundRobin | Kind::Gauntlet)) {
        return Ok(Extras { out: out(file), ..Extras::default() });
    }
    let mut dealer = dealer(file, points, None)?;
    let names: Vec<String> = file.bots.iter().map(|b| b.name.clone()).collect();
    let read = scan_journal(&folder.join(JOURNAL), |game| {
        if let Some(past) = Past::of(game, &names) {
            dealer.there(past);
        }
    });
    read.map_err(folder_failure)?;
    let in_plan = dealer.begin();
    in_plan.map_err(|id| usage(format!("{}: game {id} is not in this event's plan", folder.display())))?;
    Ok(Extras { out: out(file), ..dealer.extras() })
}

/// Whose games count for nothing.
pub(super) fn out(file: &EventFile) -> BTreeSet<usize> {
    file.bots.iter().enumerate().filter(|(_, bot)| !file.counts(&bot.name)).map(|(n, _)| n).collect()
}

/// Notes who leaves an event in which this round is played.
pub(super) fn leave(file: &mut EventFile, event: &Event, round: u64) -> anyhow::Result<()> {
    let rounds = !matches!(event.kind, Kind::RoundRobin | Kind::Gauntlet);
    let leaving = [(&event.withdraw, false), (&event.disqualify, true)];
    for (bot, disqualified) in
        leaving.into_iter().flat_map(|(bots, how)| bots.iter().map(move |bot| (bot, how)))
    {
        if !file.bots.iter().any(|known| known.name == *bot) {
            let names: Vec<&str> = file.bots.iter().map(|b| b.name.as_str()).collect();
            return Err(usage(format!(
                "--withdraw, --disqualify: no bot `{bot}`; there are {}",
                names.join(", ")
            )));
        }
        match file.withdrawn.iter_mut().find(|leave| leave.bot == *bot) {
            Some(leave) => leave.disqualified |= disqualified,
            None => file.withdrawn.push(EventLeave {
                bot: bot.clone(),
                round: if rounds { round + 1 } else { 0 },
                disqualified,
            }),
        }
    }
    Ok(())
}

/// The test of its words.
pub fn sprt_of(test: &EventSprt) -> anyhow::Result<Sprt> {
    let model = match test.model.as_str() {
        "normalized" => SprtModel::Normalized,
        "logistic" => SprtModel::Logistic,
        other => return Err(usage(format!("--model {other}: it is normalized or logistic"))),
    };
    Sprt::new(test.elo0, test.elo1, test.alpha, test.beta, model).map_err(|e| usage(format!("--sprt: {e}")))
}

/// Points for results, by the rules.
pub fn points_of(rules: &Rules) -> Points {
    let s = rules.scoring;
    Points { win: s.win, draw: s.draw, loss: s.loss, forfeit: s.forfeit }
}

/// A seed where none was given: recorded, so that the event can be gone on with and played again. It has all the bits
/// that a seed may have: of a short one a bot could try out all, until its own seat's seed comes out, and know the
/// other's.
pub fn chance() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish() >> 1
}

pub(super) fn plan_file(event: &Event, bots: &[Ready], seed: u64) -> EventFile {
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
        adjudication: adjudication_words(&event.adjudication),
        tie_break: event.tie_break.as_ref().map(|rules| EventTieBreak {
            round: if event.kind.is_bracket() { 0 } else { event.rounds + 1 },
            game: event.kind.is_bracket().then_some(event.games + 3),
            rules: rules_words(rules.set()),
        }),
        start: event.start.as_ref().map(|s| s.canonical.clone()),
        seed,
        schedule: EventSchedule {
            kind: event.kind.word().to_owned(),
            rounds: event.rounds,
            games: event.games,
            order: (event.kind == Kind::RoundRobin).then(|| BY_LATER.to_owned()),
            seeds: (event.kind == Kind::Gauntlet).then_some(event.seeds),
            sprt: event.sprt.clone(),
            draws: Some(if event.shared { SHARED } else { OWN }.to_owned()),
        },
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
        withdrawn: Vec::new(),
        changes: Vec::new(),
        withheld: Vec::new(),
    }
}
