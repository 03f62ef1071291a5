//! Ratings: what counts of wins, draws and losses say about strength.
//!
//! Everything here is a pure function of counts: Elo and normalized Elo of two players with their intervals
//! ([`Games`], [`Pairs`]), the sequential test ([`Sprt`]), and the joint rating of many players ([`rate`]).
//!
//! What it refuses to do: it reads no file, no clock and no randomness; it rounds and prints nothing; it
//! knows no player names, only indices; and no public function returns nan or an infinity. Where the counts
//! carry no finite figure the answer says so in its type: [`Estimate::AtLeast`], [`Estimate::AtMost`],
//! [`Estimate::Unknown`] or `None`.
//!
//! Ratings are in Elo: 400 points are odds of ten to one. Every interval has a coverage of 95 %. The same
//! input gives the same bits in the same build, since every sum runs in a fixed order.

mod bound;
mod bradley_terry;
mod connection;
mod counts;
mod elo;
mod estimate;
mod fit;
mod glicko;
mod gsprt;
mod normal;
mod ratio;
mod score;
mod sprt;

pub use bradley_terry::{
    Anchor, ORDO_POINTS_PER_ELO, PairCounts, PlayerRating, RatingError, RatingOptions, Ratings, rate,
};
pub use counts::{Games, Pairs};
pub use elo::NELO_PER_SIGMA;
pub use estimate::Estimate;
pub use glicko::{GlickoGame, GlickoRating, glicko_period};
pub use normal::Z95;
pub use ratio::{Correlation, Odds, Proportion, pair_correlation};
pub use sprt::{Sprt, SprtBounds, SprtError, SprtModel, SprtVerdict};

#[cfg(test)]
mod tests;
