//! Colours and ranks: the names of the two sides and of the twelve kinds of piece.
//!
//! Knows nothing of boards or rules; a rank's strength is here, what a battle makes of it is in
//! [`super::battle`].

use std::fmt;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// The side whose back row is rank 1.
    Red = 0,
    /// The side whose back row is the highest rank.
    Blue = 1,
}

impl Colour {
    /// Both sides, Red first.
    pub const BOTH: [Colour; 2] = [Colour::Red, Colour::Blue];

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Red => Colour::Blue,
            Colour::Blue => Colour::Red,
        }
    }

    /// 0 for Red, 1 for Blue: for arrays with an entry a side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `red` or `blue`, the word of protocol and files.
    pub const fn word(self) -> &'static str {
        match self {
            Colour::Red => "red",
            Colour::Blue => "blue",
        }
    }

    /// `Red` or `Blue`, for people.
    pub const fn title(self) -> &'static str {
        match self {
            Colour::Red => "Red",
            Colour::Blue => "Blue",
        }
    }

    /// Reads `red` or `blue`.
    pub fn from_word(word: &str) -> Option<Colour> {
        Colour::BOTH.into_iter().find(|c| c.word() == word)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The kind of a piece, weakest first; the order is the order of strength among movable pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Rank {
    /// Never moves; whoever takes it has won.
    Flag = 0,
    /// Never moves; removes all that strike it but miners.
    Bomb,
    /// Removes the marshal when it strikes first.
    Spy,
    /// Runs any number of empty squares in a line.
    Scout,
    /// Removes bombs.
    Miner,
    /// Rank 4.
    Sergeant,
    /// Rank 5.
    Lieutenant,
    /// Rank 6.
    Captain,
    /// Rank 7.
    Major,
    /// Rank 8.
    Colonel,
    /// Rank 9.
    General,
    /// Rank 10, the strongest.
    Marshal,
}

impl Rank {
    /// How many ranks there are.
    pub const COUNT: usize = 12;

    /// All ranks, in the order in which armies are written.
    pub const ALL: [Rank; Rank::COUNT] = [
        Rank::Flag,
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
    ];

    const LETTERS: &'static [u8; Rank::COUNT] = b"FBS23456789M";

    /// The protocol's letter: `F B S 2 3 4 5 6 7 8 9 M`.
    #[inline]
    pub const fn letter(self) -> char {
        Rank::LETTERS[self as usize] as char
    }

    /// The rank of a protocol letter.
    pub fn from_letter(letter: char) -> Option<Rank> {
        Rank::ALL.into_iter().find(|r| r.letter() == letter)
    }

    /// Whether pieces of this rank move at all: all but bombs and flags.
    #[inline]
    pub const fn moves(self) -> bool {
        !matches!(self, Rank::Flag | Rank::Bomb)
    }

    /// The name, lower case.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; Rank::COUNT] = [
            "flag",
            "bomb",
            "spy",
            "scout",
            "miner",
            "sergeant",
            "lieutenant",
            "captain",
            "major",
            "colonel",
            "general",
            "marshal",
        ];
        NAMES[self as usize]
    }
}

/// A physical piece: told apart from every other by its number, never by its rank.
///
/// Red's pieces are numbered from 0, Blue's from 64, each in the order of their squares at deployment.
/// A captured piece keeps its number. A rescued piece takes it up again, and counts as a new piece all the same:
/// no rule looks back over a battle or a rescue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceId(pub(crate) u8);

impl PieceId {
    /// How many pieces one side can have.
    pub const MOST: usize = 64;

    #[inline]
    pub(crate) const fn new(colour: Colour, number: usize) -> PieceId {
        PieceId(((colour as u8) << 6) | number as u8)
    }

    /// The side it belongs to.
    #[inline]
    pub const fn colour(self) -> Colour {
        if self.0 & 64 == 0 { Colour::Red } else { Colour::Blue }
    }

    /// Its number within its side, from 0.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 & 63
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}
