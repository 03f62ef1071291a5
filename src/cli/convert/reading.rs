//! What is in one log, told in its order: nothing of it depends on other logs, so that many can be read at once.

use std::sync::Arc;

use super::super::logs::{self, Log};
use super::super::options::RulesOptions;
use crate::record::GameRecord;
use crate::record::foreign::{self, Format, Games, Losses};

/// What is to be read and written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) from: Option<Format>,
    pub(super) to: Format,
    pub(super) remarks: bool,
}

/// What a log tells.
#[derive(Debug)]
pub(super) enum Told {
    /// It is no log of games, only a file beside such.
    NoLog,
    /// It is one.
    Begun,
    /// Something of it cannot be read or written. The place may be empty.
    Problem { place: String, why: String },
    /// A game was read, and something of it is worth a note.
    Remark { place: String, text: String },
    /// A game in its new form.
    Game { id: String, text: String, losses: Losses },
}

/// Reads a log.
///
/// # Errors
/// Those of `tell` alone: what is wrong with the log is told.
pub(super) fn read(
    log: &Log,
    wanted: &Wanted,
    tell: &mut dyn FnMut(Told) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let problem = |place: &str, why: &str| Told::Problem { place: place.to_owned(), why: why.to_owned() };
    let (head, stream) = match log.open() {
        Ok(opened) => opened,
        Err(error) => return tell(problem("", &error.to_string())),
    };
    let format = match log.format(&head, wanted.from) {
        Ok(Some(format)) => format,
        Ok(None) => return tell(Told::NoLog),
        Err(why) => {
            let (place, why) = why.split_once(": ").unwrap_or(("", &why));
            return tell(problem(place, why));
        }
    };
    tell(Told::Begun)?;
    let rules = match format {
        Format::Plain => Some(logs::rules(&RulesOptions::default(), &log.path, format)),
        _ => None,
    };
    let rules = match rules.transpose() {
        Ok(rules) => rules,
        Err(error) => return tell(problem("", &error.to_string())),
    };
    let rules_of = |record: &GameRecord| match &rules {
        Some(rules) => Arc::clone(rules.of(record)),
        None => foreign::usual_rules(record),
    };
    for game in Games::new(format, stream, &log.game_name(format), &rules_of) {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                tell(problem(&error.place.to_string(), &error.reason))?;
                continue;
            }
        };
        for remark in game.remarks.iter().filter(|_| wanted.remarks) {
            tell(Told::Remark { place: format!("line {}", remark.line), text: remark.text.clone() })?;
        }
        let mut text = String::new();
        match foreign::write(wanted.to, &game, &mut text) {
            Ok(losses) => tell(Told::Game { id: game.id, text, losses })?,
            Err(why) => tell(problem(&format!("game {}", game.id), &why))?,
        }
    }
    Ok(())
}
