//! Deployments: where a side puts its army before the first move, and how that is written.
//!
//! A deployment's string has one character a deployment square, own back row first, each row from file a,
//! `.` for an empty one; the same string serves both colours.

use super::board::Board;
use super::piece::{Colour, Rank};
use super::rules::{Filling, Rules};

/// A deployment that fits its rule book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployment {
    squares: Vec<Option<Rank>>,
}

/// Why a deployment was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeploymentError {
    /// Too short or too long.
    #[error("a deployment has {wanted} characters, one a deployment square; this one has {got}")]
    Length {
        /// Characters expected.
        wanted: usize,
        /// Characters found.
        got: usize,
    },
    /// A character that stands for nothing.
    #[error("character {position} is `{}`, which is no rank (F B S 2 3 4 5 6 7 8 9 M) nor `.`", .letter.escape_default())]
    Letter {
        /// 1-based.
        position: usize,
        /// The character.
        letter: char,
    },
    /// The army is not the book's.
    #[error("{got} of {} ({}), where the army has {wanted}", .rank.name(), .rank.letter())]
    Count {
        /// The first rank, in the order of armies, whose count is wrong.
        rank: Rank,
        /// Pieces the army has.
        wanted: u8,
        /// Pieces deployed.
        got: usize,
    },
}

impl DeploymentError {
    /// The slug of the broken clause.
    pub const fn clause(&self) -> &'static str {
        match self {
            DeploymentError::Length { .. } => "setup.length",
            DeploymentError::Letter { .. } => "setup.letter",
            DeploymentError::Count { .. } => "setup.count",
        }
    }
}

impl Deployment {
    /// Reads a deployment string under a rule book.
    ///
    /// # Errors
    /// [`DeploymentError`]: wrong length, unknown letter, wrong army.
    pub fn parse(rules: &Rules, text: &str) -> Result<Deployment, DeploymentError> {
        let wanted = rules.board.deployment_squares();
        let got = text.chars().count();
        if got != wanted {
            return Err(DeploymentError::Length { wanted, got });
        }
        let squares = text
            .chars()
            .enumerate()
            .map(|(i, letter)| match letter {
                '.' => Ok(None),
                _ => Rank::from_letter(letter)
                    .map(Some)
                    .ok_or(DeploymentError::Letter { position: i + 1, letter }),
            })
            .collect::<Result<Vec<_>, _>>()?;
        for rank in Rank::ALL {
            let got = squares.iter().filter(|&&s| s == Some(rank)).count();
            let wanted = rules.army.count(rank);
            if got != wanted as usize {
                return Err(DeploymentError::Count { rank, wanted, got });
            }
        }
        // Where every square is to be filled the army is as large as the rows, so the counts have settled it.
        debug_assert!(rules.deployment == Filling::Any || squares.iter().all(Option::is_some));
        Ok(Deployment { squares })
    }

    /// A deployment drawn by a source of numbers: `below(n)` must give one from 0 to n - 1.
    pub fn draw(rules: &Rules, mut below: impl FnMut(usize) -> usize) -> Deployment {
        let mut squares: Vec<Option<Rank>> = Rank::ALL
            .into_iter()
            .flat_map(|rank| std::iter::repeat_n(Some(rank), rules.army.count(rank) as usize))
            .collect();
        squares.resize(rules.board.deployment_squares(), None);
        for last in (1..squares.len()).rev() {
            squares.swap(last, below(last + 1));
        }
        Deployment { squares }
    }

    /// What stands on each deployment square, own back row first.
    pub fn squares(&self) -> &[Option<Rank>] {
        &self.squares
    }

    /// Each piece with its square, for one colour.
    pub(crate) fn pieces<'a>(
        &'a self,
        board: &'a Board,
        colour: Colour,
    ) -> impl Iterator<Item = (super::board::Square, Rank)> + 'a {
        let at =
            move |(i, rank): (usize, &Option<Rank>)| rank.map(|r| (board.deployment_square(colour, i), r));
        self.squares.iter().enumerate().filter_map(at)
    }
}

impl std::fmt::Display for Deployment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.squares.iter().try_for_each(|s| write!(f, "{}", s.map_or('.', Rank::letter)))
    }
}
