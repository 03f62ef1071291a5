//! Ratios that describe a match without rating it: draws, pairs, and how far the games of a pair hang
//! together. A ratio without its error is not offered.

use super::counts::{Games, Pairs};
use super::normal::Z95;
use super::score::{Sample, Score, wilson};

/// A share of a whole with its Wilson 95 % interval; all three between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportion {
    /// The figure.
    pub value: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
}

/// A ratio of two counts with its 95 % interval, which comes from the Wilson interval of the first count's
/// share. `value` and `high` are `None` where the second count is 0: the ratio is then only known to be at
/// least `low`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odds {
    /// The figure.
    pub value: Option<f64>,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: Option<f64>,
}

/// The correlation of the two games of a pair with its 95 % interval; all three between −1 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation {
    /// The figure.
    pub value: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
}

impl Proportion {
    /// `part` of `part + rest`; `None` when both are 0.
    pub fn of(part: u64, rest: u64) -> Option<Proportion> {
        let (share, [low, high]) = share_of(part as f64, rest as f64)?;
        Some(Proportion { value: share.won, low: low.won, high: high.won })
    }

    /// Half the width of the interval.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl Odds {
    /// `numerator` to `denominator`; `None` when both are 0.
    pub fn of(numerator: u64, denominator: u64) -> Option<Odds> {
        odds_of(numerator as f64, denominator as f64)
    }
}

impl Games {
    /// Draws over games; `None` without games.
    pub fn draw_ratio(&self) -> Option<Proportion> {
        let (share, [low, high]) = share_of(self.draws as f64, self.wins as f64 + self.losses as f64)?;
        Some(Proportion { value: share.won, low: low.won, high: high.won })
    }
}

impl Pairs {
    /// Even pairs over pairs, (WL+DD)/N: what fastchess prints as DrawRatio. `None` without pairs.
    pub fn draw_ratio(&self) -> Option<Proportion> {
        let decided = [self.lost_lost, self.lost_drawn, self.won_drawn, self.won_won];
        let (share, [low, high]) =
            share_of(self.even as f64, decided.iter().map(|&count| count as f64).sum())?;
        Some(Proportion { value: share.won, low: low.won, high: high.won })
    }

    /// Pairs won over pairs lost, (WW+WD)/(LD+LL): what fastchess prints as PairsRatio. `None` when every
    /// pair was even.
    pub fn pairs_ratio(&self) -> Option<Odds> {
        odds_of(self.won_won as f64 + self.won_drawn as f64, self.lost_drawn as f64 + self.lost_lost as f64)
    }
}

/// The correlation of the scores of the two games of a pair, estimated from the counts of the same games and
/// pairs: ρ = 2·v(pair)/v(game) − 1. At 0 the pentanomial and the trinomial errors agree; below 0 the pairs
/// cancel the luck of seed or side and the pentanomial error is the smaller one.
///
/// The interval is Fisher's for an intraclass correlation of pairs (z-transform, standard error 1/√(N −
/// 3/2)). `None` when there are no pairs or all games ended alike. Games outside pairs blur the estimate; it
/// is held within −1 and 1.
pub fn pair_correlation(games: &Games, pairs: &Pairs) -> Option<Correlation> {
    let game = Sample::of(games.by_score())?;
    let pair = Sample::of(pairs.by_score())?;
    if game.variance == 0.0 {
        return None;
    }
    let value = (2.0 * pair.variance / game.variance - 1.0).clamp(-1.0, 1.0);
    if pair.observations < 2.0 || value.abs() == 1.0 {
        return Some(Correlation { value, low: -1.0, high: 1.0 });
    }
    let h = Z95 / (pair.observations - 1.5).sqrt();
    // Next to ±1 the way there and back may round past the value itself.
    let (low, high) = ((value.atanh() - h).tanh(), (value.atanh() + h).tanh());
    Some(Correlation { value, low: low.min(value), high: high.max(value) })
}

fn share_of(part: f64, rest: f64) -> Option<(Score, [Score; 2])> {
    let whole = part + rest;
    if whole == 0.0 {
        return None;
    }
    let share = Score { won: part / whole, lost: rest / whole };
    Some((share, wilson(share, whole)))
}

fn odds_of(numerator: f64, denominator: f64) -> Option<Odds> {
    let (_, [low, high]) = share_of(numerator, denominator)?;
    let finite = denominator > 0.0;
    Some(Odds {
        value: finite.then_some(numerator / denominator),
        low: low.won / low.lost,
        high: finite.then_some(high.won / high.lost),
    })
}
