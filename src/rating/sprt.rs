//! The sequential probability ratio test between two Elo hypotheses: its bounds, its log-likelihood ratio and
//! its verdict. It holds no state between games: the ratio is a function of the counts so far.

use std::error::Error;
use std::f64::consts::SQRT_2;
use std::fmt;

use super::counts::{Games, Pairs};
use super::elo::NELO_PER_SIGMA;
use super::gsprt::{MAX_LEAD, llr_of_leads, llr_of_scores};
use super::score::Score;

/// In which points the hypotheses are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SprtModel {
    /// Elo of the mean score, s = 1/(1 + 10^(−elo/400)).
    Logistic,
    /// Normalized Elo: the lead of the mean score in standard deviations. The default of the field, since the
    /// length of the test then does not depend on how many games are drawn.
    Normalized,
}

/// A checked test plan: hypotheses `elo0 < elo1`, risks `alpha` and `beta` of a wrong verdict under each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    model: SprtModel,
    bounds: SprtBounds,
}

/// The log-likelihood ratios at which the test ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtBounds {
    /// At or below it the first hypothesis is accepted.
    pub lower: f64,
    /// At or above it the second hypothesis is accepted.
    pub upper: f64,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SprtVerdict {
    /// Between the bounds: more games are needed.
    Undecided,
    /// At or below the lower bound: `elo0` is accepted.
    AcceptH0,
    /// At or above the upper bound: `elo1` is accepted.
    AcceptH1,
}

/// Why a test plan is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SprtError {
    /// The hypotheses are not finite or not in rising order.
    Hypotheses {
        /// The first hypothesis.
        elo0: f64,
        /// The second hypothesis.
        elo1: f64,
    },
    /// A hypothesis is further from 0 than [`SprtModel::max_elo`], where the likelihood ratio may not exist.
    TooFar {
        /// In Elo.
        elo: f64,
        /// The largest that can be tested.
        limit: f64,
    },
    /// The risks are not each above 0 and together below 1.
    Risks {
        /// The risk of rejecting a true first hypothesis.
        alpha: f64,
        /// The risk of rejecting a true second hypothesis.
        beta: f64,
    },
}

impl Sprt {
    /// Checks a plan. `elo0` and `elo1` are in the points of the model; `alpha` is the risk of accepting
    /// `elo1` when `elo0` holds, `beta` the reverse.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: SprtModel) -> Result<Sprt, SprtError> {
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        let limit = model.max_elo();
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| elo.abs() > limit) {
            return Err(SprtError::TooFar { elo, limit });
        }
        let bounds = SprtBounds::new(alpha, beta)?;
        Ok(Sprt { elo0, elo1, model, bounds })
    }

    /// The first hypothesis, in Elo.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The second hypothesis, in Elo.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// What the hypotheses are told in.
    pub fn model(&self) -> SprtModel {
        self.model
    }

    /// Where the test stops.
    pub fn bounds(&self) -> SprtBounds {
        self.bounds
    }

    /// Log-likelihood ratio of `elo1` over `elo0` given single games; 0 without games.
    ///
    /// The generalized ratio N·Σ p̂·ln(p1/p0): p0 and p1 are the most likely distributions of results under
    /// each hypothesis. A count of 0 is taken as 0.001, so the ratio is finite and grows with one-sided
    /// results.
    pub fn llr_of_games(&self, games: &Games) -> f64 {
        let counts = games.by_score();
        match self.model {
            SprtModel::Logistic => {
                llr_of_scores(counts, expected_score(self.elo0), expected_score(self.elo1))
            }
            SprtModel::Normalized => {
                llr_of_leads(counts, self.elo0 / NELO_PER_SIGMA, self.elo1 / NELO_PER_SIGMA)
            }
        }
    }

    /// The same given complete pairs. Normalized points are per game, hence √2 times as many deviations a
    /// pair.
    pub fn llr_of_pairs(&self, pairs: &Pairs) -> f64 {
        let counts = pairs.by_score();
        match self.model {
            SprtModel::Logistic => {
                llr_of_scores(counts, expected_score(self.elo0), expected_score(self.elo1))
            }
            SprtModel::Normalized => {
                let lead = |elo: f64| elo / NELO_PER_SIGMA * SQRT_2;
                llr_of_leads(counts, lead(self.elo0), lead(self.elo1))
            }
        }
    }

    /// Where a log-likelihood ratio leaves the test.
    pub fn verdict(&self, llr: f64) -> SprtVerdict {
        if llr >= self.bounds.upper {
            SprtVerdict::AcceptH1
        } else if llr <= self.bounds.lower {
            SprtVerdict::AcceptH0
        } else {
            SprtVerdict::Undecided
        }
    }
}

impl SprtModel {
    /// How far from 0 a hypothesis may lie, in the points of the model.
    pub fn max_elo(self) -> f64 {
        match self {
            SprtModel::Logistic => 2000.0,
            // The lead of a pair is √2 times that of a game and must stay within what the iteration reaches.
            SprtModel::Normalized => (MAX_LEAD / SQRT_2 * NELO_PER_SIGMA).floor(),
        }
    }
}

impl SprtBounds {
    /// Wald's bounds ln(β/(1−α)) and ln((1−β)/α).
    pub fn new(alpha: f64, beta: f64) -> Result<SprtBounds, SprtError> {
        // Risks next to 0 are refused with the rest when their logarithms overflow.
        let (lower, upper) = ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln());
        if alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0 && lower.is_finite() && upper.is_finite() {
            Ok(SprtBounds { lower, upper })
        } else {
            Err(SprtError::Risks { alpha, beta })
        }
    }
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SprtError::Hypotheses { elo0, elo1 } => {
                write!(f, "an SPRT needs elo0 below elo1, not {elo0} and {elo1}")
            }
            SprtError::TooFar { elo, limit } => {
                write!(f, "an SPRT hypothesis lies within ±{limit} points in this model, not at {elo}")
            }
            SprtError::Risks { alpha, beta } => {
                write!(
                    f,
                    "SPRT risks are each above 0 and together below 1, not alpha {alpha} and beta {beta}"
                )
            }
        }
    }
}

impl Error for SprtError {}

fn expected_score(elo: f64) -> Score {
    let share = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    Score { won: share(elo), lost: share(-elo) }
}
