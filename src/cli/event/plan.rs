//! What is written down of an event before its first game.

use super::super::adjudication::adjudication_words;
use super::super::bots::Ready;
use super::super::options::{rules_words, time_words};
use super::Event;
use crate::record::{EVENT_FORMAT, EventBot, EventFile, EventSchedule, EventTieBreak, Machine};

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
