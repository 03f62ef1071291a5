//! The ladder: an event without end that plays, next, the pairs whose games tell most.
//!
//! What is known of strengths is a normal distribution around the most likely ones (Bradley-Terry with a prior), and
//! the next pair is the one whose result is expected to shrink its total variance most. Pairs are chosen in batches
//! of a fixed size, from the results of all batches before: so concurrency and interruptions change nothing.

use std::collections::BTreeMap;

use super::rounds::{Outcome, Pairing, Rounds};
use super::schedule::Planned;

/// Pairs of a batch, which is a round in ids.
pub const LADDER_BATCH: usize = 8;

/// The standard deviation that strengths are thought to have beforehand, in units of ln 10 / 400 per Elo: 350 Elo.
const PRIOR: f64 = 350.0 * std::f64::consts::LN_10 / 400.0;

/// The state of a ladder.
#[derive(Clone, Debug)]
pub struct Ladder {
    players: usize,
    /// The round that each who withdrew is not paired from.
    withdrawn: BTreeMap<usize, u64>,
    round: u64,
    /// Pairings that may still be played.
    left: u64,
    games: u64,
    /// Points of the first against the second, draws as half, and games.
    scores: Vec<Vec<(f64, f64)>>,
    /// How often each two were paired.
    met: Vec<Vec<u64>>,
}

impl Ladder {
    /// A ladder of so many pairings at most, each of `games` games.
    pub fn new(players: usize, pairings: u64, games: u64, withdrawn: BTreeMap<usize, u64>) -> Ladder {
        let scores = vec![vec![(0.0, 0.0); players]; players];
        let met = vec![vec![0; players]; players];
        Ladder { players, withdrawn, round: 0, left: pairings, games, scores, met }
    }

    /// The precision matrix at these strengths, and the slope of the log-likelihood.
    fn precision(&self, at: &[f64]) -> (Vec<Vec<f64>>, Vec<f64>) {
        let n = self.players;
        let mut matrix = vec![vec![0.0; n]; n];
        let mut slope: Vec<f64> = at.iter().map(|x| -x / (PRIOR * PRIOR)).collect();
        for a in 0..n {
            matrix[a][a] += 1.0 / (PRIOR * PRIOR);
            for b in 0..n {
                let (score, games) = self.scores[a][b];
                let p = expected(at[a] - at[b]);
                slope[a] += score - games * p;
                matrix[a][a] += games * p * (1.0 - p);
                matrix[a][b] -= games * p * (1.0 - p);
            }
        }
        (matrix, slope)
    }

    /// The most likely strengths and their covariances.
    fn known(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut at = vec![0.0; self.players];
        // Newton's steps on a concave function; bounded, lest a first step far away goes further.
        for _ in 0..50 {
            let (matrix, slope) = self.precision(&at);
            let inverse = inverse(matrix);
            let mut most: f64 = 0.0;
            for a in 0..self.players {
                let step: f64 = inverse[a].iter().zip(&slope).map(|(i, s)| i * s).sum();
                at[a] += step.clamp(-1.0, 1.0);
                most = most.max(step.abs());
            }
            if most < 1e-9 {
                break;
            }
        }
        let covariance = inverse(self.precision(&at).0);
        (at, covariance)
    }
}

fn expected(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// The inverse of a symmetric positive definite matrix, by elimination: such a one needs no pivots.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for k in 0..n {
        let pivot = 1.0 / matrix[k][k];
        let row: Vec<f64> = (0..n).map(|j| if j == k { pivot } else { matrix[k][j] * pivot }).collect();
        for (_, line) in matrix.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = line[k];
            for (j, cell) in line.iter_mut().enumerate() {
                *cell = if j == k { -factor * pivot } else { *cell - factor * row[j] };
            }
        }
        matrix[k] = row;
    }
    matrix
}

impl Rounds for Ladder {
    fn next(&mut self) -> Option<Vec<Pairing>> {
        let most = (LADDER_BATCH as u64).min(self.left);
        self.round += 1;
        let gone = |player| self.withdrawn.get(&player).is_some_and(|&from| self.round >= from);
        let playing: Vec<usize> = (0..self.players).filter(|&player| !gone(player)).collect();
        if most == 0 || playing.len() < 2 {
            return None;
        }
        let (at, mut covariance) = self.known();
        let mut pairings: Vec<Pairing> = Vec::new();
        for pair in 1..=most {
            let mut best = (f64::MIN, 0, 1);
            for (n, &a) in playing.iter().enumerate() {
                for &b in &playing[n + 1..] {
                    let p = expected(at[a] - at[b]);
                    let weight = p * (1.0 - p) * self.games as f64;
                    let lead = |k: usize| covariance[k][a] - covariance[k][b];
                    let variance = lead(a) - lead(b);
                    let shrunk: f64 = (0..self.players).map(|k| lead(k) * lead(k)).sum();
                    let gain = weight * shrunk / (1.0 + weight * variance);
                    // A hair more is no reason: the last digits must not choose.
                    if gain > best.0 * (1.0 + 1e-9) || best.0 == f64::MIN {
                        best = (gain, a, b);
                    }
                }
            }
            let (_, a, b) = best;
            // As if it had been played: the next of the batch is chosen knowing that it will be.
            let p = expected(at[a] - at[b]);
            let weight = p * (1.0 - p) * self.games as f64;
            let lead: Vec<f64> = (0..self.players).map(|k| covariance[k][a] - covariance[k][b]).collect();
            let scale = weight / (1.0 + weight * (lead[a] - lead[b]));
            for (i, line) in covariance.iter_mut().enumerate() {
                for (j, cell) in line.iter_mut().enumerate() {
                    *cell -= scale * lead[i] * lead[j];
                }
            }
            let swap = self.games % 2 == 1 && self.met[a][b] % 2 == 1;
            self.met[a][b] += 1;
            let (first, second) = if swap { (b, a) } else { (a, b) };
            // Pairs meet more or less often: the first times of all are alike, the second times, …
            pairings.push(Pairing { pair, first, second, lap: self.met[a][b] });
        }
        self.left -= most;
        Some(pairings)
    }

    fn told(&mut self, _: &Pairing, games: &[(Planned, Outcome)], _: [u64; 2]) {
        for (game, outcome) in games {
            let Some(score) = outcome.score() else { continue };
            let [there, back] = [(game.red, game.blue, score), (game.blue, game.red, 1.0 - score)];
            for (a, b, score) in [there, back] {
                self.scores[a][b].0 += score;
                self.scores[a][b].1 += 1.0;
            }
        }
    }
}
