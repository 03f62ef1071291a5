//! A board for people, all pieces shown: for the terminal.

use crate::game::{Colour, Coordinates, FILE_LETTERS, Position};

/// The board with its squares' names, Red's pieces in capitals on the left of a dot, Blue's marked; with ANSI colours
/// where `colour` is set.
pub fn board(position: &Position, colour: bool) -> String {
    let board = position.board();
    let mut text = String::new();
    for rank in (0..board.height()).rev() {
        text += &format!("{:>3} ", u32::from(rank) + 1);
        for file in 0..board.width() {
            let square = board.square(Coordinates { file, rank }).expect("within the board's own size");
            text += &match position.piece(square) {
                Some((piece, rank)) => match (piece.colour(), colour) {
                    (Colour::Red, true) => format!("\x1b[1;31m {} \x1b[0m", rank.letter()),
                    (Colour::Blue, true) => format!("\x1b[1;34m {} \x1b[0m", rank.letter()),
                    (Colour::Red, false) => format!(" {} ", rank.letter()),
                    (Colour::Blue, false) => format!("({})", rank.letter()),
                },
                None if board.is_lake(square) => if colour { "\x1b[36m~~~\x1b[0m" } else { "~~~" }.to_owned(),
                None => " . ".to_owned(),
            };
        }
        text.push('\n');
    }
    text += "    ";
    for file in 0..board.width() {
        text += &format!(" {} ", FILE_LETTERS[file as usize] as char);
    }
    text.push('\n');
    text
}
