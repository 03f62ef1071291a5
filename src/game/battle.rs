//! Battles: what becomes of an attacker and a defender, and which of them ends where.

use super::piece::Rank;
use super::rules::{EqualRanks, RuleSet, WinnerAdvances};

/// What became of the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The defender was removed, the attacker stands on its square.
    Won,
    /// The attacker was removed.
    Lost,
    /// Both were removed.
    Both,
}

impl Outcome {
    /// `won`, `lost` or `both`: the word of protocol and files.
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Won => "won",
            Outcome::Lost => "lost",
            Outcome::Both => "both",
        }
    }

    /// Reads that word.
    pub fn from_word(word: &str) -> Option<Outcome> {
        [Outcome::Won, Outcome::Lost, Outcome::Both].into_iter().find(|o| o.word() == word)
    }
}

/// A battle as it was fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Battle {
    /// Rank of the piece that struck.
    pub attacker: Rank,
    /// Rank of the piece that was struck.
    pub defender: Rank,
    /// What became of the attacker.
    pub outcome: Outcome,
    /// Whether the winning defender moved to the square the attacker came from.
    pub advances: bool,
}

/// Fights a battle. `attacker` must be a rank that moves.
#[inline]
pub fn fight(rules: &RuleSet, attacker: Rank, defender: Rank) -> Battle {
    let outcome = match (attacker, defender) {
        (_, Rank::Flag) | (Rank::Miner, Rank::Bomb) | (Rank::Spy, Rank::Marshal) => Outcome::Won,
        (_, Rank::Bomb) => Outcome::Lost,
        _ if attacker > defender => Outcome::Won,
        _ if attacker < defender => Outcome::Lost,
        _ => match rules.equal_ranks {
            EqualRanks::Both => Outcome::Both,
            EqualRanks::Attacker => Outcome::Won,
        },
    };
    let advances = outcome == Outcome::Lost
        && defender.moves()
        && match rules.winner_advances {
            WinnerAdvances::Attacker => false,
            WinnerAdvances::Any => true,
            WinnerAdvances::AnyButScout => attacker != Rank::Scout,
        };
    Battle { attacker, defender, outcome, advances }
}
