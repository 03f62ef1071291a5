//! Bounds where one side won everything: the score test's 95 % bound of a rating gap, for opponents of any
//! strength. It is Wilson's bound when they are all alike. It is not for mixed results.

use super::normal::Z95;

/// Games that were all won, against one opponent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    /// What the winner's side has in hand at a gap of 0, in natural units (400/ln 10 Elo each).
    pub head_start: f64,
    pub games: f64,
}

/// The least gap, in natural units, at which winning everything is not yet too good to be true: the gap where
/// D²/V = z², D being the expected points lost and V the variance of the points. All sweeps have games.
///
/// With one opponent this is the Wilson bound of n wins in n games, ln(n/z²).
pub(super) fn least_gap(sweeps: &[Sweep]) -> f64 {
    let head_starts = || sweeps.iter().map(|sweep| sweep.head_start);
    // Past these ends an expected score differs from 0 or 1 by less than 1e-26: no count makes up for that.
    let mut low = -60.0 - head_starts().fold(f64::MIN, f64::max);
    let mut high = 60.0 - head_starts().fold(f64::MAX, f64::min);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        let (lost, variance) = losses_expected(sweeps, middle);
        if lost * lost > Z95 * Z95 * variance {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// How many standard deviations the swept points lie above what a gap of 0 leads to expect: √n against one
/// opponent without a head start.
pub(super) fn surprise(sweeps: &[Sweep]) -> f64 {
    let (lost, variance) = losses_expected(sweeps, 0.0);
    if variance > 0.0 { lost / variance.sqrt() } else { 0.0 }
}

fn losses_expected(sweeps: &[Sweep], gap: f64) -> (f64, f64) {
    let (mut lost, mut variance) = (0.0, 0.0);
    for sweep in sweeps {
        let loss = 1.0 / (1.0 + (gap + sweep.head_start).exp());
        let win = 1.0 / (1.0 + (-gap - sweep.head_start).exp());
        lost += sweep.games * loss;
        variance += sweep.games * loss * win;
    }
    (lost, variance)
}
