//! Start files: both deployments and the moves already played, from which games go on.
//!
//! TOML with the keys `red`, `blue` (deployments in the protocol's letters), `first` (`red` or `blue`; `red` where it
//! is left out) and `moves` (each as `a4a5`, or `a9a10 rescue 8 c1`). A game that starts so is told to its bots like
//! any other: deployments assigned, the past moves as events, then the question.

use std::sync::Arc;

use serde::Deserialize;

use super::foreign::ForeignGame;
use super::game::{GameRecord, RecordedTurn};
use crate::game::{Colour, Deployment, Illegal, Move, Position, RescueChoice, Rules, toml_reason};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StartFile {
    red: String,
    blue: String,
    #[serde(default)]
    first: Option<String>,
    #[serde(default)]
    moves: Vec<RecordedTurn>,
}

/// A start that the rules allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Red's deployment and Blue's.
    pub deployments: [Deployment; 2],
    /// Who moves, or moved, first.
    pub first: Colour,
    /// The moves already played.
    pub history: Vec<(Move, Option<RescueChoice>)>,
    /// All of it in one line, by which plans are compared.
    pub canonical: String,
}

/// Why a start was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// No TOML, an unknown key, a key that is missing.
    #[error("{0}")]
    Toml(String),
    /// A value that is none.
    #[error("{key}: {reason}")]
    Value {
        /// The key.
        key: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// A past move that the rules refuse.
    #[error("moves: ply {ply}, {turn}, {reason}")]
    Move {
        /// The ply, from 1.
        ply: usize,
        /// The move.
        turn: String,
        /// The reason, as the end of a sentence.
        reason: String,
    },
}

impl Start {
    /// Reads a start file's text under some rules.
    ///
    /// # Errors
    /// [`StartError`]: each past move must be legal, and the game must not be over before the question.
    pub fn from_toml(text: &str, rules: &Arc<Rules>) -> Result<Start, StartError> {
        let file: StartFile = toml::from_str(text).map_err(|e| StartError::Toml(toml_reason(text, &e)))?;
        let first = match file.first.as_deref() {
            None => Colour::Red,
            Some(word) => Colour::from_word(word).ok_or_else(|| StartError::Value {
                key: "first",
                reason: format!("`{word}` is neither red nor blue"),
            })?,
        };
        Start::of_turns(rules, [&file.red, &file.blue], first, &file.moves)
    }

    /// The start of a recorded game's first `plies` plies.
    ///
    /// # Errors
    /// [`StartError`]; a record without both deployments, or of fewer plies, has none.
    pub fn of_record(record: &GameRecord, plies: usize, rules: &Arc<Rules>) -> Result<Start, StartError> {
        let missing = |key| StartError::Value { key, reason: "the record has no such deployment".to_owned() };
        let red = record.setup.red.as_deref().ok_or_else(|| missing("red"))?;
        let blue = record.setup.blue.as_deref().ok_or_else(|| missing("blue"))?;
        let first = Colour::from_word(&record.first).ok_or_else(|| StartError::Value {
            key: "first",
            reason: format!("`{}` is neither red nor blue", record.first),
        })?;
        Start::of_turns(rules, [red, blue], first, head(&record.moves, plies)?)
    }

    /// The start of the first `plies` plies of a game from elsewhere.
    ///
    /// # Errors
    /// [`StartError`]; a game whose field is no two deployments, or of fewer plies, has none.
    pub fn of_foreign(game: &ForeignGame, plies: usize, rules: &Arc<Rules>) -> Result<Start, StartError> {
        let no_field = |reason: String| StartError::Value { key: "field", reason };
        let [red, blue] = game.deployments(rules).map_err(no_field)?;
        Start::of_turns(rules, [&red, &blue], game.first_mover(), head(&game.moves, plies)?)
    }

    fn of_turns(
        rules: &Arc<Rules>,
        [red, blue]: [&str; 2],
        first: Colour,
        turns: &[RecordedTurn],
    ) -> Result<Start, StartError> {
        let deployment = |key, text: &str| {
            Deployment::parse(rules, text)
                .map_err(|e| StartError::Value { key, reason: format!("{e} [{}]", e.clause()) })
        };
        let deployments = [deployment("red", red)?, deployment("blue", blue)?];
        let mut position = Position::new(rules.clone(), &deployments[0], &deployments[1], first);
        let mut history = Vec::new();
        for (ply, turn) in (1..).zip(turns) {
            let refuse = |reason: String| StartError::Move { ply, turn: turn.to_string(), reason };
            if let Some(ending) = position.outcome() {
                return Err(refuse(format!("comes after the game's end by {}", ending.reason())));
            }
            let RecordedTurn::Move(written, rescue) = turn else {
                return Err(refuse("is no move, as in a4a5".to_owned()));
            };
            let because = |illegal: Illegal| refuse(illegal.because().to_owned());
            let mv = written.on(position.board()).map_err(because)?;
            let rescue = match *rescue {
                Some((rank, to)) => {
                    let to = position.board().square(to).ok_or_else(|| because(Illegal::Rescue))?;
                    Some(RescueChoice { rank, to })
                }
                None => None,
            };
            position.play(mv, rescue).map_err(because)?;
            history.push((mv, rescue));
        }
        if let Some(ending) = position.outcome() {
            let reason = format!("the game is over before its first question, by {}", ending.reason());
            return Err(StartError::Value { key: "moves", reason });
        }
        let moves: Vec<String> = turns.iter().map(RecordedTurn::to_string).collect();
        let canonical =
            format!("red {} blue {} first {first} moves {}", deployments[0], deployments[1], moves.join(","));
        Ok(Start { deployments, first, history, canonical })
    }
}

fn head(turns: &[RecordedTurn], plies: usize) -> Result<&[RecordedTurn], StartError> {
    turns.get(..plies).ok_or_else(|| StartError::Value {
        key: "ply",
        reason: format!("the game has {} plies, not {plies}", turns.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::book;

    const RED: &str = "FB........S...................2.M.9..32.";

    fn read(text: &str) -> Result<Start, StartError> {
        Start::from_toml(text, &Rules::new(book("barrage").unwrap()).unwrap())
    }

    fn file(more: &str) -> String {
        format!("red = \"{RED}\"\nblue = \"{RED}\"\n{more}")
    }

    #[test]
    fn a_start_with_past_moves_is_read() {
        let start = read(&file("first = \"blue\"\nmoves = [\"c7c6\", \"e4e5\"]\n")).unwrap_err().to_string();
        // c6 is a lake.
        assert_eq!(start, "moves: ply 1, c7c6, goes into a lake");
        let start = read(&file("first = \"blue\"\nmoves = [\"e7e6\", \"e4e5\"]\n")).unwrap();
        assert_eq!((start.first, start.history.len()), (Colour::Blue, 2));
        assert!(start.canonical.ends_with("first blue moves e7e6,e4e5"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_key_or_ply() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(
            error("red = 1")
                .contains("line 1, column 7: `red`: it takes a text in quotes; here is the number 1")
        );
        assert!(
            error(&file("reds = \"x\"\n"))
                .contains("line 3, column 1: unknown key `reds`; there are red, blue, first, moves")
        );
        assert!(error(&file("first = \"green\"\n")).contains("first: `green` is neither red nor blue"));
        assert!(error("red = \"F\"\nblue = \"F\"\n").contains("red: a deployment has 40 characters"));
        assert!(error(&file("moves = [\"e4e5\", \"hello\"]\n")).contains("ply 2, hello, is no move"));
        assert!(error(&file("moves = [\"e4e5\", \"e5e6\"]\n")).contains("moves a piece of the opponent"));
    }
}
