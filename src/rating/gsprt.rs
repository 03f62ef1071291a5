//! The generalized log-likelihood ratio of two hypotheses, given counts by score. It decides nothing: bounds
//! and verdicts are in [`super::sprt`].
//!
//! Source: M. Van den Bergh, "Comments on normalized Elo" and "The generalized maximum likelihood ratio for
//! the expectation value of a distribution", as in fishtest's `LLRcalc.py`.

use super::score::{Score, spaced_scores};

/// What stands for a count of 0, so that every outcome stays possible under both hypotheses.
const ZERO_COUNT: f64 = 1e-3;

/// Fishtest's limits of the fixed-point iteration for the normalized model.
const MAX_ROUNDS: usize = 10;
const SETTLED: f64 = 1e-9;

/// Halving alone ends long before: the doubles between 0 and 1 are fewer than 2^62.
const MAX_STEPS: usize = 2000;

/// The largest lead for which the normalized model's first round has a solution, whatever the counts: beyond
/// about 0.98 for games and 0.94 for pairs, its quadratic is below 0 at every score.
pub(super) const MAX_LEAD: f64 = 0.9;

/// Log-likelihood ratio of the mean score being `score1` rather than `score0`, both properly between 0 and 1;
/// 0 without observations.
pub(super) fn llr_of_scores<const N: usize>(counts: [u64; N], score0: Score, score1: Score) -> f64 {
    let seen = Outcomes::regularized(counts);
    let expecting = |score: Score| seen.constrained(spaced_scores::<N>().map(|value| score.deviation(value)));
    match (expecting(score0), expecting(score1)) {
        (Some(p0), Some(p1)) if counts != [0; N] => seen.log_ratio(p0, p1),
        _ => 0.0,
    }
}

/// Log-likelihood ratio of the lead of the mean score over ½, in standard deviations of one observation,
/// being `lead1` rather than `lead0`, both within [`MAX_LEAD`]; 0 without observations.
pub(super) fn llr_of_leads<const N: usize>(counts: [u64; N], lead0: f64, lead1: f64) -> f64 {
    if counts == [0; N] {
        return 0.0;
    }
    let seen = Outcomes::regularized(counts);
    seen.log_ratio(seen.leading(lead0), seen.leading(lead1))
}

/// The observed distribution over the scores 0, 1/(N−1), …, 1, every share above 0.
struct Outcomes<const N: usize> {
    shares: [f64; N],
    observations: f64,
}

impl<const N: usize> Outcomes<N> {
    fn regularized(counts: [u64; N]) -> Self {
        let counts = counts.map(|count| if count == 0 { ZERO_COUNT } else { count as f64 });
        let observations = counts.iter().sum();
        Outcomes { shares: counts.map(|count| count / observations), observations }
    }

    /// N·Σ p̂·ln(p1/p0).
    fn log_ratio(&self, p0: [f64; N], p1: [f64; N]) -> f64 {
        self.observations * (0..N).map(|i| self.shares[i] * (p1[i] / p0[i]).ln()).sum::<f64>()
    }

    /// The most likely distribution under which the given deviations have the mean 0: p = p̂/(1 +
    /// θ·deviation), θ being the root of Σ p̂·deviation/(1 + θ·deviation). `None` when all deviations have
    /// one sign, so that no distribution has that mean.
    fn constrained(&self, deviations: [f64; N]) -> Option<[f64; N]> {
        let mean = (0..N).map(|i| self.shares[i] * deviations[i]).sum::<f64>();
        // The sum falls with θ and is the observed mean at θ = 0: the root lies on the side of that mean's
        // sign, and before the θ at which the outcome of the extreme deviation on the other side gets
        // probability 1.
        let pick = if mean > 0.0 { f64::min } else { f64::max };
        let extreme = deviations.into_iter().reduce(pick)?;
        if mean == 0.0 {
            return Some(self.shares);
        }
        if extreme * mean.signum() >= 0.0 {
            return None;
        }
        let extreme_share = (0..N).filter(|&i| deviations[i] == extreme).map(|i| self.shares[i]).sum::<f64>();
        let end = (extreme_share - 1.0) / extreme;
        // The root is sought as a fraction of the way from that end back to 0. With many games it lies so
        // near the end that θ itself could not tell the two apart.
        let divisor = |back: f64, i: usize| {
            if deviations[i] == extreme {
                extreme_share + back * (1.0 - extreme_share)
            } else {
                1.0 + (1.0 - back) * end * deviations[i]
            }
        };
        let (mut near, mut far) = (0.0, 1.0);
        let mut back = 0.5;
        // Newton's steps, and halving where they leave the interval.
        for _ in 0..MAX_STEPS {
            let (mut sum, mut slope) = (0.0, 0.0);
            for (i, (share, deviation)) in self.shares.iter().zip(deviations).enumerate() {
                let pull = deviation / divisor(back, i);
                sum += share * pull;
                slope += share * pull * pull * end;
            }
            if sum * mean > 0.0 {
                far = back;
            } else {
                near = back;
            }
            let newton = back - sum / slope;
            let next = if newton > near && newton < far { newton } else { near + (far - near) / 2.0 };
            if next == back {
                break;
            }
            back = next;
        }
        Some(std::array::from_fn(|i| self.shares[i] / divisor(back, i)))
    }

    /// The most likely distribution whose mean leads ½ by `lead` of its own standard deviations: fishtest's
    /// iteration from the uniform distribution, at most ten rounds, fewer when it settles or a round has no
    /// solution.
    fn leading(&self, lead: f64) -> [f64; N] {
        let values = spaced_scores::<N>();
        let mut shares = [1.0 / N as f64; N];
        for _ in 0..MAX_ROUNDS {
            let mean = (0..N).map(|i| shares[i] * values[i]).sum::<f64>();
            let sigma = (0..N).map(|i| shares[i] * (values[i] - mean).powi(2)).sum::<f64>().sqrt();
            let next = self
                .constrained(values.map(|value| {
                    value - 0.5 - 0.5 * lead * sigma * (1.0 + ((value - mean) / sigma).powi(2))
                }));
            let Some(next) = next else {
                break;
            };
            let change = (0..N).map(|i| (next[i] - shares[i]).abs()).fold(0.0, f64::max);
            shares = next;
            if change < SETTLED {
                break;
            }
        }
        shares
    }
}
