//! StraDos3, the position strings of OpenSpiel's yorktown: the 100 letters, a blank, `r` or `b` for the side to move,
//! a blank, the ply number. A game is written as the position it starts from.

use std::fmt::Write;
use std::io::BufRead;

use super::lines::Lines;
use super::{ForeignGame, Loss, Losses, Next, ReadError};
use crate::game::Colour;

pub(super) struct Reader<R> {
    lines: Lines<R>,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(stream: R) -> Reader<R> {
        Reader { lines: Lines::new(stream) }
    }

    pub(super) fn next(&mut self) -> Next {
        loop {
            let read = match self.lines.next_line()? {
                Ok(text) if text.trim_ascii().is_empty() => continue,
                Ok(text) => read(text),
                Err(error) => return Some(Err(error)),
            };
            return Some(read.map_err(|why| ReadError::at(self.lines.number(), why)));
        }
    }
}

fn read(text: &str) -> Result<ForeignGame, String> {
    let mut words = text.split_ascii_whitespace();
    let field = super::field(words.next().unwrap_or_default())?;
    let first = match words.next() {
        Some("r") => Colour::Red,
        Some("b") => Colour::Blue,
        other => {
            return Err(format!(
                "after the field comes `r` or `b`, not `{}`",
                other.unwrap_or_default().escape_debug()
            ));
        }
    };
    let before =
        words.next().and_then(|n| n.parse().ok()).ok_or("after the side to move comes the ply's number")?;
    if let Some(more) = words.next() {
        return Err(format!("after the ply's number comes nothing more, not `{}`", more.escape_debug()));
    }
    Ok(ForeignGame { field: Some(field), first: Some(first), before, ..ForeignGame::default() })
}

pub(super) fn write(game: &ForeignGame, out: &mut String) -> Result<Losses, String> {
    let field = game.field.as_ref().ok_or("it has no field, and a StraDos3 string is one")?;
    let side = match game.first_mover() {
        Colour::Red => 'r',
        Colour::Blue => 'b',
    };
    writeln!(out, "{field} {side} {}", game.before).expect("text can be written");
    let mut losses = Losses::default();
    losses.add_if(!game.moves.is_empty(), Loss::Moves);
    losses.add_if(!game.told.is_empty(), Loss::Battles);
    losses.add_if(game.red.is_some() || game.blue.is_some(), Loss::Names);
    losses.add_if(game.result.is_some(), Loss::Results);
    losses.add_if(game.reason.is_some(), Loss::Endings);
    losses.add_if(game.kind.is_some(), Loss::Kinds);
    Ok(losses)
}
