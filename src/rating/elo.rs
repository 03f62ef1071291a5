//! Elo, normalized Elo and likelihood of superiority of one player over another, from games or from pairs.
//!
//! It refuses to assume that the two games of a pair are independent: pairs are judged by the variance of
//! pairs, games by the variance of games, and a caller reports both. Formulas: fishtest and fastchess
//! (`stats_pgn`, `elo_wdl`, `elo_pentanomial`); where those print nan or inf, the Wilson interval steps in.

use super::counts::{Games, Pairs};
use super::estimate::Estimate;
use super::normal::{Z95, probability_below};
use super::score::{Sample, Score};

/// Normalized Elo points per standard deviation of one game: 800/ln 10.
pub const NELO_PER_SIGMA: f64 = 347.435_585_522_601_46;

impl Games {
    /// Elo difference, trinomial: E(s) ± (E(s+h) − E(s−h))/2 with h = z·√(v/n).
    ///
    /// A score of 0 or 1 gives its Wilson bound. When every game was drawn, or the normal interval would
    /// leave the scores between 0 and 1, the error is half the width of the Wilson interval in Elo. Without
    /// games: unknown.
    pub fn elo(&self) -> Estimate {
        elo_of(Sample::of(self.by_score()))
    }

    /// Normalized Elo: (s−½)/√v · 800/ln 10, its error z/√n · 800/ln 10, both in nElo.
    ///
    /// When all games ended alike the variance is not known; then the Wilson end of the score, taken with the
    /// largest variance such a score can have, is a bound. All draws: 0 with the usual error.
    pub fn nelo(&self) -> Estimate {
        nelo_of(Sample::of(self.by_score()), 1.0)
    }

    /// Likelihood of superiority, Φ((s−½)/√(v/n)), between 0 and 1; `None` without games.
    ///
    /// When all games ended alike v is taken as ¼, the variance between equals that never draw: Φ(√n) after n
    /// wins, ½ after draws. That is the test whose inversion is the Wilson bound that [`Games::elo`] gives.
    pub fn los(&self) -> Option<f64> {
        los_of(Sample::of(self.by_score()))
    }

    /// The mean score between 0 and 1, a draw being half a win; `None` without games.
    pub fn score(&self) -> Option<f64> {
        Sample::of(self.by_score()).map(|sample| sample.score.won)
    }
}

impl Pairs {
    /// Elo difference, pentanomial: as [`Games::elo`], one pair being one observation of its mean score.
    ///
    /// The Wilson interval counts pairs, not games: fully dependent games are not ruled out.
    pub fn elo(&self) -> Estimate {
        elo_of(Sample::of(self.by_score()))
    }

    /// Normalized Elo: (s−½)/√(2v) · 800/ln 10, its error z/√(2N) · 800/ln 10, both in nElo, with the
    /// variance v of a pair's mean score. One kind of pair only: as [`Games::nelo`].
    pub fn nelo(&self) -> Estimate {
        nelo_of(Sample::of(self.by_score()), 2.0)
    }

    /// Likelihood of superiority, Φ((s−½)/√(v/N)), between 0 and 1; `None` without pairs. One kind of pair
    /// only: as [`Games::los`].
    pub fn los(&self) -> Option<f64> {
        los_of(Sample::of(self.by_score()))
    }

    /// The mean score between 0 and 1; `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        Sample::of(self.by_score()).map(|sample| sample.score.won)
    }
}

fn elo_of(sample: Option<Sample>) -> Estimate {
    let Some(sample) = sample else {
        return Estimate::Unknown;
    };
    let Score { won, lost } = sample.score;
    let [lower, upper] = sample.wilson();
    if lost == 0.0 {
        return Estimate::AtLeast(elo_of_score(lower));
    }
    if won == 0.0 {
        return Estimate::AtMost(elo_of_score(upper));
    }
    let h = sample.normal_error();
    let ends = if h > 0.0 && h < won.min(lost) {
        [Score { won: won - h, lost: lost + h }, Score { won: won + h, lost: lost - h }]
    } else {
        [lower, upper]
    };
    Estimate::Value {
        elo: elo_of_score(sample.score),
        error: (elo_of_score(ends[1]) - elo_of_score(ends[0])) / 2.0,
    }
}

fn nelo_of(sample: Option<Sample>, games_each: f64) -> Estimate {
    let Some(sample) = sample else {
        return Estimate::Unknown;
    };
    let points = |lead: f64, variance: f64| lead / (games_each * variance).sqrt() * NELO_PER_SIGMA;
    // Among the scores with a given mean, those that are always 0 or 1 vary most: the bound is safe.
    let bound = |end: Score| points((end.won - end.lost) / 2.0, end.won * end.lost);
    let Sample { lead, variance, .. } = sample;
    if variance > 0.0 || lead == 0.0 {
        let elo = if lead == 0.0 { 0.0 } else { points(lead, variance) };
        Estimate::Value { elo, error: Z95 * NELO_PER_SIGMA / (games_each * sample.observations).sqrt() }
    } else if lead > 0.0 {
        Estimate::AtLeast(bound(sample.wilson()[0]))
    } else {
        Estimate::AtMost(bound(sample.wilson()[1]))
    }
}

fn los_of(sample: Option<Sample>) -> Option<f64> {
    let sample = sample?;
    let variance = if sample.variance > 0.0 { sample.variance } else { 0.25 };
    Some(probability_below(sample.lead / (variance / sample.observations).sqrt()))
}

/// E(s) = −400·log10(1/s − 1); the caller sees to it that neither share is 0.
fn elo_of_score(score: Score) -> f64 {
    400.0 * (score.won / score.lost).log10()
}
