//! Ataraxos text: the 100 letters on the first line, each perhaps followed by the marks `@` and `.` of visible or
//! moved pieces, then one number a ply.
//!
//! A number says where a piece starts and how far it goes, seen from its own side: cells count from 0, rank by rank
//! from the own back row; Blue's are 99 less that. Red begins.

use std::fmt::Write;
use std::io::BufRead;

use super::lines::Lines;
use super::{ForeignGame, Loss, Losses, MOST_PLIES, Next, ReadError, SIDE};
use crate::game::notation::WrittenMove;
use crate::game::{Colour, Coordinates};
use crate::record::game::RecordedTurn;

/// Numbers from here on go along a rank, those below along a file.
const ALONG_RANK: u16 = 900;

pub(super) struct Reader<R> {
    lines: Lines<R>,
    /// The field of the game that comes next, where its line was read already.
    ahead: Option<String>,
    /// Whether the game is bad, so that its numbers are passed over.
    skip: bool,
}

/// Reads a first line, marks left out.
pub(super) fn field(text: &str) -> Result<String, String> {
    let letters: String = text.chars().filter(|c| !matches!(c, '@' | '.')).collect();
    super::field(&letters)
}

fn looks_like_a_field(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(stream: R) -> Reader<R> {
        Reader { lines: Lines::new(stream), ahead: None, skip: false }
    }

    pub(super) fn next(&mut self) -> Next {
        let mut game =
            ForeignGame { field: self.ahead.take(), first: Some(Colour::Red), ..Default::default() };
        loop {
            let number = self.lines.number() + 1;
            let text = match self.lines.next_line() {
                None => return game.field.is_some().then_some(Ok(game)),
                Some(Ok(text)) => text.trim(),
                Some(Err(error)) => {
                    self.skip = true;
                    return Some(Err(error));
                }
            };
            if text.is_empty() {
                continue;
            }
            if looks_like_a_field(text) {
                let read = field(text).map_err(|why| ReadError::at(number, why));
                self.skip = read.is_err();
                match (read, game.field.is_some()) {
                    (Err(error), _) => return Some(Err(error)),
                    (Ok(next), true) => {
                        self.ahead = Some(next);
                        return Some(Ok(game));
                    }
                    (Ok(first), false) => game.field = Some(first),
                }
                continue;
            }
            if self.skip {
                continue;
            }
            let mover = [Colour::Red, Colour::Blue][game.moves.len() % 2];
            let wrong = match text.parse::<u16>().ok().and_then(|n| decode(n, mover)) {
                None => format!(
                    "ply {}, `{}`, is no number from 0 to 1799",
                    game.moves.len() + 1,
                    text.chars().take(40).collect::<String>().escape_debug()
                ),
                Some(_) if game.field.is_none() => {
                    "a ply before any field: the first line is the field".to_owned()
                }
                Some(_) if game.moves.len() == MOST_PLIES => {
                    format!("more than {MOST_PLIES} plies: no game is that long")
                }
                Some(mv) => {
                    game.moves.push(RecordedTurn::Move(mv, None));
                    continue;
                }
            };
            self.skip = true;
            return Some(Err(ReadError::at(number, wrong)));
        }
    }
}

/// A cell's square, seen from one side.
fn square(cell: u16, side: Colour) -> Coordinates {
    let side_cells = u16::from(SIDE);
    let cell = match side {
        Colour::Red => cell,
        Colour::Blue => side_cells * side_cells - 1 - cell,
    };
    Coordinates { file: (cell % side_cells) as u8, rank: (cell / side_cells) as u8 }
}

fn decode(number: u16, mover: Colour) -> Option<WrittenMove> {
    let from = number % 100;
    let (rank, file) = (from / 10, from % 10);
    let past = |index: u16, own: u16| if index >= own { index + 1 } else { index };
    let to = match number {
        0..ALONG_RANK => past(number / 100, rank) * 10 + file,
        ALONG_RANK..1800 => rank * 10 + past(number / 100 - 9, file),
        _ => return None,
    };
    Some(WrittenMove { from: square(from, mover), to: square(to, mover) })
}

fn encode(mv: WrittenMove, mover: Colour) -> Option<u16> {
    let cell = |at: Coordinates| {
        let cell = u16::from(at.rank) * 10 + u16::from(at.file);
        (at.file < SIDE && at.rank < SIDE).then(|| match mover {
            Colour::Red => cell,
            Colour::Blue => 99 - cell,
        })
    };
    let (from, to) = (cell(mv.from)?, cell(mv.to)?);
    let short = |index: u16, own: u16| if index > own { index - 1 } else { index };
    if from == to {
        None
    } else if from % 10 == to % 10 {
        Some(short(to / 10, from / 10) * 100 + from)
    } else if from / 10 == to / 10 {
        Some((short(to % 10, from % 10) + 9) * 100 + from)
    } else {
        None
    }
}

pub(super) fn write(game: &ForeignGame, out: &mut String) -> Result<Losses, String> {
    let field = game.field.as_ref().ok_or("it has no field, with which Ataraxos text begins")?;
    if game.first_mover() == Colour::Blue {
        return Err("Blue moves first, and in Ataraxos text Red does".to_owned());
    }
    writeln!(out, "{field}").expect("text can be written");
    for (n, turn) in game.moves.iter().enumerate() {
        let refuse =
            |why: &str| Err(format!("ply {}, {turn}, {why}: Ataraxos text has no number for it", n + 1));
        let RecordedTurn::Move(mv, rescue) = turn else { return refuse("is no move") };
        if rescue.is_some() {
            return refuse("brings a piece back");
        }
        match encode(*mv, [Colour::Red, Colour::Blue][n % 2]) {
            Some(number) => writeln!(out, "{number}").expect("text can be written"),
            None => return refuse("leaves the board or goes along no line"),
        }
    }
    let mut losses = Losses::default();
    losses.add_if(!game.told.is_empty(), Loss::Battles);
    losses.add_if(game.told.contains(&super::Told::Illegal), Loss::Refusals);
    losses.add_if(game.red.is_some() || game.blue.is_some(), Loss::Names);
    losses.add_if(game.result.is_some(), Loss::Results);
    losses.add_if(game.reason.is_some(), Loss::Endings);
    losses.add_if(game.kind.is_some(), Loss::Kinds);
    losses.add_if(game.before > 0, Loss::Before);
    Ok(losses)
}
