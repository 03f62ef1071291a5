//! Where each of our ranks has most to gain, and how near that is.

use crate::game::{Rank, Square};
use crate::paths;
use crate::state::State;

/// An enemy piece to strike at.
struct Target {
    /// What each of our ranks would gain by it.
    gain: [f64; 12],
    /// The steps to it.
    steps: Vec<u32>,
}

/// All enemy pieces as targets.
#[derive(Default)]
pub struct Hunt(Vec<Target>);

impl Hunt {
    /// Looks at each enemy piece; `gain` says what a rank would gain there. What runs away is not worth an endless
    /// hunt: it counts for less the longer nothing was struck, `quiet` plies by now.
    pub fn new(state: &State, quiet: f64, gain: impl Fn(Rank, Square) -> f64) -> Hunt {
        let tired = 1.0 / (1.0 + quiet / 25.0);
        let target = |square: Square, moved: bool| {
            let worth = if moved { tired } else { 1.0 };
            let gain = Rank::ALL.map(|rank| if rank.moves() { worth * gain(rank, square) } else { 0.0 });
            Target { gain, steps: paths::to(state, square) }
        };
        Hunt(state.enemies().map(|(square, piece)| target(square, piece.moved)).collect())
    }

    /// What the best target in reach is worth from a square.
    pub fn pull(&self, rank: Rank, square: Square) -> f64 {
        self.0
            .iter()
            .filter(|target| target.gain[rank as usize] > 0.0 && target.steps[square] != paths::FAR)
            .map(|target| target.gain[rank as usize] * 0.85f64.powi(target.steps[square] as i32))
            .fold(0.0, f64::max)
    }
}
