//! The standard normal distribution, and nothing of it but what intervals and likelihoods of superiority
//! need.

use std::f64::consts::SQRT_2;

use statrs::function::erf::erfc;

/// The 97.5 % point of the standard normal distribution: half the width, in standard deviations, of every
/// interval in this module.
pub const Z95: f64 = 1.959963984540054;

/// The probability that a standard normal variable is below `z`, to double precision in both tails.
pub(super) fn probability_below(z: f64) -> f64 {
    0.5 * erfc(-z / SQRT_2)
}
