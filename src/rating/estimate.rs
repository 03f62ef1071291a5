//! The one shape of every rating figure. It refuses to hold a number that the counts do not carry.

/// What counts say about a rating or a rating difference, in Elo (or in nElo, where a function says so).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    /// The maximum-likelihood figure and half the width of its 95 % interval. An error of 0 in a joint rating
    /// marks the player at whom the scale is fixed.
    Value {
        /// In Elo.
        elo: f64,
        /// Half the width of the 95 % interval, in Elo.
        error: f64,
    },
    /// Nothing was lost, so the likelihood has no finite maximum: the lower end of the 95 % interval.
    AtLeast(f64),
    /// Nothing was won, so the likelihood has no finite maximum: the upper end of the 95 % interval.
    AtMost(f64),
    /// The counts say nothing about this figure.
    Unknown,
}

impl Estimate {
    /// The same finding seen from the other side: signs change, and a lower bound becomes an upper one.
    pub fn reversed(self) -> Estimate {
        match self {
            Estimate::Value { elo, error } => Estimate::Value { elo: -elo, error },
            Estimate::AtLeast(elo) => Estimate::AtMost(-elo),
            Estimate::AtMost(elo) => Estimate::AtLeast(-elo),
            Estimate::Unknown => Estimate::Unknown,
        }
    }

    /// The figure alone, be it a value or a bound, in Elo: what a table sorts by.
    pub fn elo(self) -> Option<f64> {
        match self {
            Estimate::Value { elo, .. } | Estimate::AtLeast(elo) | Estimate::AtMost(elo) => Some(elo),
            Estimate::Unknown => None,
        }
    }
}
