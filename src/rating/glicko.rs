//! Glicko-2 as a second opinion: ratings that move from period to period, where Bradley-Terry rates all games at
//! once. The arithmetic is the crate skillratings'; here its periods are fed with counts.
//!
//! Source: M. Glickman, "Example of the Glicko-2 system".

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// A player's rating after some periods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlickoRating {
    /// In Glicko's points; 1500 before the first game.
    pub rating: f64,
    /// One standard deviation, in the same points; 350 before the first game.
    pub deviation: f64,
    /// How much the rating is expected to move; 0.06 before the first game.
    pub volatility: f64,
}

impl Default for GlickoRating {
    fn default() -> GlickoRating {
        let Glicko2Rating { rating, deviation, volatility } = Glicko2Rating::new();
        GlickoRating { rating, deviation, volatility }
    }
}

/// A player's game in a period: against whom, and whether it won (1), drew (½) or lost (0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlickoGame {
    /// The player.
    pub player: usize,
    /// The other.
    pub other: usize,
    /// In half points: 0, 1 or 2.
    pub halves: u8,
}

/// The ratings after one more period, of the ratings before it; all games of the period count at once, each for both
/// its players. A system constant τ of 0.5.
///
/// # Panics
/// Where a game names a player that has no rating.
pub fn glicko_period(before: &[GlickoRating], games: &[GlickoGame]) -> Vec<GlickoRating> {
    let start = |player: usize| {
        let GlickoRating { rating, deviation, volatility } = before[player];
        Glicko2Rating { rating, deviation, volatility }
    };
    let mut results: Vec<Vec<(Glicko2Rating, Outcomes)>> = vec![Vec::new(); before.len()];
    for game in games {
        let outcome = |halves| match halves {
            0 => Outcomes::LOSS,
            1 => Outcomes::DRAW,
            _ => Outcomes::WIN,
        };
        results[game.player].push((start(game.other), outcome(game.halves)));
        results[game.other].push((start(game.player), outcome(2 - game.halves.min(2))));
    }
    let config = Glicko2Config { tau: 0.5, ..Glicko2Config::new() };
    (0..before.len())
        .map(|player| {
            let Glicko2Rating { rating, deviation, volatility } =
                glicko2_rating_period(&start(player), &results[player], &config);
            GlickoRating { rating, deviation, volatility }
        })
        .collect()
}
