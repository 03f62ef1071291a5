//! The board: its size, its lakes, the names of its squares, and the tables that make moving fast.
//!
//! A board is at most 128 squares, so that a set of squares is one `u128`. Holds no pieces.

use std::fmt;

use super::piece::Colour;

/// A square: `rank * width + file`, both from 0. Rank 0 is Red's back row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub(crate) u8);

impl Square {
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) const fn bit(self) -> u128 {
        1 << self.0
    }
}

/// A square as written, on the board or not: file and rank from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// File, from 0.
    pub file: u8,
    /// Rank, from 0.
    pub rank: u8,
}

/// The letters of files: `j` is skipped, as Gravon, StraDoS2 and the federation do. It stands last, where no board
/// reaches, so that a square written with it is a square off every board.
pub const FILE_LETTERS: &[u8; 26] = b"abcdefghiklmnopqrstuvwxyzj";

/// The most squares a board may have.
pub const MOST_SQUARES: usize = 128;

impl Coordinates {
    /// Reads `a1` .. `z99` at the head of `text` (small letters, no leading zero), and tells how many
    /// bytes it took.
    pub fn parse_prefix(text: &[u8]) -> Option<(Coordinates, usize)> {
        let file = FILE_LETTERS.iter().position(|l| Some(l) == text.first())? as u8;
        let first = *text.get(1)?;
        if !(b'1'..=b'9').contains(&first) {
            return None;
        }
        match text.get(2) {
            Some(second @ b'0'..=b'9') => {
                Some((Coordinates { file, rank: (first - b'0') * 10 + (second - b'0') - 1 }, 3))
            }
            _ => Some((Coordinates { file, rank: first - b'1' }, 2)),
        }
    }

    /// Reads exactly one square's name.
    pub fn parse(text: &[u8]) -> Option<Coordinates> {
        let (at, taken) = Coordinates::parse_prefix(text)?;
        (taken == text.len()).then_some(at)
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = FILE_LETTERS.get(self.file as usize).copied().unwrap_or(b'?') as char;
        write!(f, "{letter}{}", u32::from(self.rank) + 1)
    }
}

/// The four directions, in the order of the ray table.
pub(crate) const DIRECTIONS: usize = 4;

/// A board's shape with the tables made from it.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    width: u8,
    height: u8,
    rows: u8,
    lakes: u128,
    /// All squares that are no lakes.
    pub(crate) land: u128,
    /// All squares but those of the first file, and but those of the last.
    pub(crate) not_first_file: u128,
    pub(crate) not_last_file: u128,
    /// The land squares next to each square.
    pub(crate) neighbours: [u128; MOST_SQUARES],
    /// How many squares lie ahead in each direction (north, south, east, west) before edge or lake.
    pub(crate) reach: [[u8; DIRECTIONS]; MOST_SQUARES],
    pub(crate) file_of: [u8; MOST_SQUARES],
    pub(crate) rank_of: [u8; MOST_SQUARES],
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({}x{}, rows {}, lakes {})", self.width, self.height, self.rows, self.lakes_text())
    }
}

/// Why a board cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Wrong size.
    #[error(
        "a board is 2 to 25 files wide and 2 to 64 ranks high, at most 128 squares; {width}x{height} is not"
    )]
    Size {
        /// Files.
        width: u32,
        /// Ranks.
        height: u32,
    },
    /// The deployment rows of the two sides overlap, or there are none.
    #[error("{rows} deployment rows a side do not fit {height} ranks: 1 to {} can be had", height / 2)]
    Rows {
        /// Rows a side.
        rows: u32,
        /// Ranks.
        height: u32,
    },
    /// A lake off the board.
    #[error("lake {0} is not on the board")]
    LakeOffBoard(Coordinates),
    /// A lake where pieces are deployed.
    #[error("lake {0} lies in a deployment row")]
    LakeInRows(Coordinates),
}

impl Board {
    /// A board of `width` files and `height` ranks, with `rows` deployment rows a side.
    ///
    /// # Errors
    /// Where such a board cannot be: see [`BoardError`].
    pub fn new(width: u32, height: u32, rows: u32, lakes: &[Coordinates]) -> Result<Board, BoardError> {
        if !(2..=25).contains(&width)
            || !(2..=64).contains(&height)
            || (width * height) as usize > MOST_SQUARES
        {
            return Err(BoardError::Size { width, height });
        }
        if rows == 0 || rows * 2 > height {
            return Err(BoardError::Rows { rows, height });
        }
        let (w, h) = (width as u8, height as u8);
        let squares = width * height;
        let all = if squares == 128 { u128::MAX } else { (1u128 << squares) - 1 };
        let mut board = Board {
            width: w,
            height: h,
            rows: rows as u8,
            lakes: 0,
            land: all,
            not_first_file: 0,
            not_last_file: 0,
            neighbours: [0; MOST_SQUARES],
            reach: [[0; DIRECTIONS]; MOST_SQUARES],
            file_of: [0; MOST_SQUARES],
            rank_of: [0; MOST_SQUARES],
        };
        for &lake in lakes {
            let square = board.square(lake).ok_or(BoardError::LakeOffBoard(lake))?;
            if u32::from(lake.rank) < rows || u32::from(lake.rank) >= height - rows {
                return Err(BoardError::LakeInRows(lake));
            }
            board.lakes |= square.bit();
        }
        board.land &= !board.lakes;
        for index in 0..squares as u8 {
            let (file, rank) = (index % w, index / w);
            let i = index as usize;
            (board.file_of[i], board.rank_of[i]) = (file, rank);
            if file != 0 {
                board.not_first_file |= 1 << index;
            }
            if file != w - 1 {
                board.not_last_file |= 1 << index;
            }
            let steps = [(0i16, 1i16), (0, -1), (1, 0), (-1, 0)];
            for (direction, (df, dr)) in steps.into_iter().enumerate() {
                let (mut f, mut r) = (i16::from(file) + df, i16::from(rank) + dr);
                while (0..i16::from(w)).contains(&f) && (0..i16::from(h)).contains(&r) {
                    let bit = 1u128 << (r * i16::from(w) + f);
                    if board.lakes & bit != 0 {
                        break;
                    }
                    if board.reach[i][direction] == 0 {
                        board.neighbours[i] |= bit;
                    }
                    board.reach[i][direction] += 1;
                    (f, r) = (f + df, r + dr);
                }
            }
        }
        Ok(board)
    }

    /// Files.
    #[inline]
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Ranks.
    #[inline]
    pub fn height(&self) -> u8 {
        self.height
    }

    /// Deployment rows of each side.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// How many squares, lakes included.
    pub fn squares(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// How many deployment squares a side has.
    pub fn deployment_squares(&self) -> usize {
        self.width as usize * self.rows as usize
    }

    /// The square at these coordinates, if it is on the board.
    pub fn square(&self, at: Coordinates) -> Option<Square> {
        (at.file < self.width && at.rank < self.height).then(|| Square(at.rank * self.width + at.file))
    }

    /// The coordinates of a square.
    pub fn coordinates(&self, square: Square) -> Coordinates {
        Coordinates { file: square.0 % self.width, rank: square.0 / self.width }
    }

    /// Whether the square is a lake.
    #[inline]
    pub fn is_lake(&self, square: Square) -> bool {
        self.lakes & square.bit() != 0
    }

    /// The lakes, comma-separated in the order of squares.
    pub fn lakes_text(&self) -> String {
        let names: Vec<String> = (0..self.squares() as u8)
            .map(Square)
            .filter(|&s| self.is_lake(s))
            .map(|s| self.coordinates(s).to_string())
            .collect();
        names.join(",")
    }

    /// The square of a side's deployment string: own back row first, each row from file a.
    pub fn deployment_square(&self, colour: Colour, position: usize) -> Square {
        let (row, file) = (position as u8 / self.width, position as u8 % self.width);
        let rank = match colour {
            Colour::Red => row,
            Colour::Blue => self.height - 1 - row,
        };
        Square(rank * self.width + file)
    }

    /// A side's deployment squares.
    pub(crate) fn deployment_zone(&self, colour: Colour) -> u128 {
        (0..self.deployment_squares()).fold(0, |set, i| set | self.deployment_square(colour, i).bit())
    }

    /// A side's back row.
    pub(crate) fn back_row(&self, colour: Colour) -> u128 {
        (0..self.width as usize).fold(0, |set, i| set | self.deployment_square(colour, i).bit())
    }
}
