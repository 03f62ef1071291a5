//! A sequential test that ends an event: games are consumed in the order of their ids, whatever the order in which
//! they finish, so that concurrency and interruptions change no verdict.

use std::collections::BTreeMap;

use super::rounds::Outcome;
use crate::rating::{Games, Pairs, Sprt, SprtVerdict};

/// A test of the first player of a match of two against the second.
#[derive(Clone, Debug)]
pub struct Gate {
    sprt: Sprt,
    paired: bool,
    next: u64,
    waiting: BTreeMap<u64, Option<f64>>,
    first_of_pair: Option<Option<f64>>,
    games: [u64; 3],
    pairs: [u64; 5],
    verdict: SprtVerdict,
}

impl Gate {
    /// A test before its first game; on pairs of two games in a row where `paired`.
    pub fn new(sprt: Sprt, paired: bool) -> Gate {
        Gate {
            sprt,
            paired,
            next: 0,
            waiting: BTreeMap::new(),
            first_of_pair: None,
            games: [0; 3],
            pairs: [0; 5],
            verdict: SprtVerdict::Undecided,
        }
    }

    /// Tells the result of the game at a place in the order of ids, from 0. `first_is_red`: whether the first player
    /// is Red in it.
    pub fn tell(&mut self, index: u64, outcome: Outcome, first_is_red: bool) {
        let score = outcome.score().map(|s| if first_is_red { s } else { 1.0 - s });
        self.waiting.insert(index, score);
        while self.verdict == SprtVerdict::Undecided {
            let Some(score) = self.waiting.remove(&self.next) else { break };
            self.next += 1;
            self.count(score);
        }
    }

    /// A game that both lost by faults says nothing, nor does the pair it belongs to.
    fn count(&mut self, score: Option<f64>) {
        if let Some(score) = score {
            self.games[(score * 2.0) as usize] += 1;
        }
        if self.paired {
            match self.first_of_pair.take() {
                None => {
                    self.first_of_pair = Some(score);
                    return;
                }
                Some(first) => {
                    let Some((a, b)) = first.zip(score) else { return };
                    self.pairs[((a + b) * 2.0) as usize] += 1;
                }
            }
        }
        self.verdict = self.sprt.verdict(self.llr());
    }

    /// The log-likelihood ratio of what was consumed.
    pub fn llr(&self) -> f64 {
        if self.paired {
            let [lost_lost, lost_drawn, even, won_drawn, won_won] = self.pairs;
            self.sprt.llr_of_pairs(&Pairs { lost_lost, lost_drawn, even, won_drawn, won_won })
        } else {
            let [losses, draws, wins] = self.games;
            self.sprt.llr_of_games(&Games { wins, draws, losses })
        }
    }

    /// Games consumed.
    pub fn games(&self) -> u64 {
        self.next
    }

    /// The test.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// Where it stands.
    pub fn verdict(&self) -> SprtVerdict {
        self.verdict
    }
}
