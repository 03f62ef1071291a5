//! The observed mean score of a sample of games or pairs, with its variance and its Wilson interval. It knows
//! scores only: what they mean in Elo is said in [`super::elo`].

use super::normal::Z95;

/// A score between 0 and 1, kept as the shares won and lost: with many games and few losses the share won
/// rounds to 1, and the odds would be infinite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Score {
    pub won: f64,
    pub lost: f64,
}

/// The mean of a sample of equally spaced scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub score: Score,
    /// The score over ½. Its own sum: an even score has digits below those of its shares.
    pub lead: f64,
    /// Variance of one observation around the mean; 0 when all observations are alike.
    pub variance: f64,
    /// How many games or pairs were observed; at least 1.
    pub observations: f64,
}

impl Sample {
    /// The sample with `counts[i]` observations of the score i/(N−1); `None` without observations.
    pub fn of<const N: usize>(counts: [u64; N]) -> Option<Sample> {
        let observations = counts.iter().copied().map(u128::from).sum::<u128>() as f64;
        if observations == 0.0 {
            return None;
        }
        // Points in integers, where one is what the best outcome scores over the next: nothing cancels.
        let best = N as i128 - 1;
        let mean = |points: &dyn Fn(i128) -> i128| {
            let sum: i128 = (0..).zip(counts).map(|(rank, count)| points(rank) * i128::from(count)).sum();
            sum as f64 / best as f64 / observations
        };
        let score = Score { won: mean(&|rank| rank), lost: mean(&|rank| best - rank) };
        let lead = mean(&|rank| 2 * rank - best) / 2.0;
        let spread = |(count, value): (u64, f64)| count as f64 * score.deviation(value).powi(2);
        let variance = counts.into_iter().zip(spaced_scores::<N>()).map(spread).sum::<f64>() / observations;
        let alike = counts.iter().filter(|&&count| count > 0).count() == 1;
        Some(Sample { score, lead, variance: if alike { 0.0 } else { variance }, observations })
    }

    /// Half the width of the normal 95 % interval of the mean score.
    pub fn normal_error(&self) -> f64 {
        Z95 * (self.variance / self.observations).sqrt()
    }

    /// The Wilson 95 % interval of the mean score, lower end first.
    pub fn wilson(&self) -> [Score; 2] {
        wilson(self.score, self.observations)
    }
}

impl Score {
    /// How far a value is above this score, to all digits also where the score is next to 0 or 1.
    pub fn deviation(self, value: f64) -> f64 {
        value * self.lost - (1.0 - value) * self.won
    }
}

/// The Wilson (score test) 95 % interval of a proportion seen in `observations` trials, lower end first. It
/// touches 0 or 1 only where the proportion itself does. Source: E. B. Wilson, JASA 22 (1927).
pub(super) fn wilson(share: Score, observations: f64) -> [Score; 2] {
    let z2 = Z95 * Z95 / observations;
    let spread = (z2 * share.won * share.lost + z2 * z2 / 4.0).sqrt();
    let ends = |p: f64| {
        let upper = (p + z2 / 2.0 + spread) / (1.0 + z2);
        // The product of the two ends is known, and a quotient keeps the digits that a difference would lose.
        (p * p / (1.0 + z2) / upper, upper)
    };
    let (won_lower, won_upper) = ends(share.won);
    let (lost_lower, lost_upper) = ends(share.lost);
    [Score { won: won_lower, lost: lost_upper }, Score { won: won_upper, lost: lost_lower }]
}

/// The scores 0, 1/(N−1), …, 1.
pub(super) fn spaced_scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| i as f64 / (N - 1) as f64)
}
