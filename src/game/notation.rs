//! Notation: moves as `a4a5`, and the field of letters that the StraDoS2 family of programs exchanges.
//!
//! A field has a letter a square, first row rank 1, each row from file a: Red `B` bomb, `C` spy, `D` scout .. `L`
//! marshal, `M` flag; Blue the same from `N` to `Y`; `A` or `a` empty, `_` lake.

use std::fmt;
use std::sync::Arc;

use super::board::{Board, Coordinates, Square};
use super::piece::{Colour, PieceId, Rank};
use super::position::{Illegal, Move, Position};
use super::rules::Rules;

/// A move as written: its squares may be off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenMove {
    /// Where it starts.
    pub from: Coordinates,
    /// Where it ends.
    pub to: Coordinates,
}

impl WrittenMove {
    /// Reads `a4a5`.
    pub fn parse(text: &[u8]) -> Option<WrittenMove> {
        let (from, taken) = Coordinates::parse_prefix(text)?;
        let to = Coordinates::parse(&text[taken..])?;
        Some(WrittenMove { from, to })
    }

    /// Reads `A4-A5` or `a4-a5`, as records of other programs write moves.
    pub fn parse_dashed(text: &str) -> Option<WrittenMove> {
        let text = text.to_ascii_lowercase();
        let (from, to) = text.split_once('-')?;
        Some(WrittenMove {
            from: Coordinates::parse(from.as_bytes())?,
            to: Coordinates::parse(to.as_bytes())?,
        })
    }

    /// The move on a board.
    ///
    /// # Errors
    /// [`Illegal::OffBoard`].
    pub fn on(self, board: &Board) -> Result<Move, Illegal> {
        match (board.square(self.from), board.square(self.to)) {
            (Some(from), Some(to)) => Ok(Move { from, to }),
            _ => Err(Illegal::OffBoard),
        }
    }
}

impl fmt::Display for WrittenMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl Move {
    /// The move with its squares' names.
    pub fn written(self, board: &Board) -> WrittenMove {
        WrittenMove { from: board.coordinates(self.from), to: board.coordinates(self.to) }
    }
}

/// The ranks in the order of StraDoS2's letters.
const STRADOS: [Rank; 12] = [
    Rank::Bomb,
    Rank::Spy,
    Rank::Scout,
    Rank::Miner,
    Rank::Sergeant,
    Rank::Lieutenant,
    Rank::Captain,
    Rank::Major,
    Rank::Colonel,
    Rank::General,
    Rank::Marshal,
    Rank::Flag,
];

/// StraDoS2's letter of a piece.
pub fn strados_letter(colour: Colour, rank: Rank) -> char {
    let index = STRADOS.iter().position(|&r| r == rank).expect("every rank has a letter") as u8;
    (match colour {
        Colour::Red => b'B',
        Colour::Blue => b'N',
    } + index) as char
}

/// The piece of a StraDoS2 letter.
pub fn strados_piece(letter: char) -> Option<(Colour, Rank)> {
    match letter {
        'B'..='M' => Some((Colour::Red, STRADOS[letter as usize - 'B' as usize])),
        'N'..='Y' => Some((Colour::Blue, STRADOS[letter as usize - 'N' as usize])),
        _ => None,
    }
}

/// Why a field was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// Too short or too long.
    #[error("a field has {wanted} letters, one a square; this one has {got}")]
    Length {
        /// Letters expected.
        wanted: usize,
        /// Letters found.
        got: usize,
    },
    /// A letter that stands for nothing there.
    #[error("`{}` at {at} is no StraDoS2 letter that can stand there", .letter.escape_default())]
    Letter {
        /// The letter.
        letter: char,
        /// Its square.
        at: Coordinates,
    },
    /// More pieces than a side can have.
    #[error("{0} has more than 64 pieces, the most a side can have")]
    TooMany(Colour),
}

/// The position of a field, which need hold no whole army.
///
/// # Errors
/// [`FieldError`]: wrong length, unknown letter, a piece on a lake, too many pieces.
pub fn position(rules: &Arc<Rules>, field: &str, first: Colour) -> Result<Position, FieldError> {
    let board = &rules.board;
    let (wanted, got) = (board.squares(), field.chars().count());
    if wanted != got {
        return Err(FieldError::Length { wanted, got });
    }
    let mut pieces = Vec::new();
    for (i, letter) in field.chars().enumerate() {
        let square = Square(i as u8);
        let lake = board.is_lake(square);
        match (letter, strados_piece(letter)) {
            ('A' | 'a', _) if !lake => {}
            ('_', _) if lake => {}
            (_, Some((colour, rank))) if !lake => pieces.push((colour, square, rank)),
            _ => {
                return Err(FieldError::Letter { letter, at: board.coordinates(square) });
            }
        }
    }
    for colour in Colour::BOTH {
        if pieces.iter().filter(|p| p.0 == colour).count() > PieceId::MOST {
            return Err(FieldError::TooMany(colour));
        }
    }
    Ok(Position::from_pieces(rules.clone(), &pieces, first))
}

/// The field of a position.
pub fn field(position: &Position) -> String {
    let board = position.board();
    let letter = |square: Square| match position.piece(square) {
        Some((piece, rank)) => strados_letter(piece.colour(), rank),
        None if board.is_lake(square) => '_',
        None => 'A',
    };
    (0..board.squares() as u8).map(|i| letter(Square(i))).collect()
}
