//! Knockout and double elimination: a graph of matches, each between whoever comes from two others.
//!
//! Players are seeded in their order: the first meet only at the end, and where their number is no power of two
//! the first ones have no match in the first round.

use super::rounds::{Outcome, Pairing, Rounds, points_of};
use super::schedule::Planned;
use super::standings::Points;

/// Who sits on a side of a match.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A player, or nobody where there are not so many.
    Seed(usize),
    /// Who won a match.
    Winner(usize),
    /// Who lost it.
    Loser(usize),
}

#[derive(Clone, Debug)]
struct Match {
    round: u64,
    pair: u64,
    sides: [Source; 2],
    /// Who losing it is out.
    last: bool,
    /// Winner and loser, where it is decided; either may be nobody.
    decided: Option<[Option<usize>; 2]>,
}

/// The state of a bracket.
#[derive(Clone, Debug)]
pub struct Bracket {
    players: usize,
    points: Points,
    matches: Vec<Match>,
    /// The final that is played again where the one who came without a loss lost it.
    again: Option<usize>,
    round: u64,
    /// The round that each player was out in.
    out: Vec<Option<u64>>,
}

/// The seeds of 2^k slots in the order of slots: the sum of two that meet first is always the same.
fn slots(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let next = order.len() * 2;
        order = order.into_iter().flat_map(|seed| [seed, next - 1 - seed]).collect();
    }
    order
}

impl Bracket {
    fn empty(players: usize, points: Points) -> Bracket {
        Bracket { players, points, matches: Vec::new(), again: None, round: 0, out: vec![None; players] }
    }

    fn add(&mut self, sides: [Source; 2], last: bool) -> usize {
        let before = |source: &Source| match *source {
            Source::Seed(_) => 0,
            Source::Winner(m) | Source::Loser(m) => self.matches[m].round,
        };
        let round = 1 + sides.iter().map(before).max().unwrap_or(0);
        let pair = 1 + self.matches.iter().filter(|m| m.round == round).count() as u64;
        self.matches.push(Match { round, pair, sides, last, decided: None });
        self.matches.len() - 1
    }

    /// The matches of each round of those who have not lost.
    fn winners(&mut self, last: bool) -> Vec<Vec<usize>> {
        let seeds = slots(self.players.next_power_of_two());
        let first = seeds.chunks(2).map(|s| self.add([Source::Seed(s[0]), Source::Seed(s[1])], last));
        let mut rounds = vec![first.collect::<Vec<usize>>()];
        while rounds[rounds.len() - 1].len() > 1 {
            let before = rounds[rounds.len() - 1].clone();
            let next = before.chunks(2).map(|m| self.add([Source::Winner(m[0]), Source::Winner(m[1])], last));
            let next = next.collect();
            rounds.push(next);
        }
        rounds
    }

    /// Who loses is out.
    pub fn knockout(players: usize, points: Points) -> Bracket {
        let mut bracket = Bracket::empty(players, points);
        bracket.winners(true);
        bracket
    }

    /// Who loses twice is out.
    pub fn double(players: usize, points: Points) -> Bracket {
        let mut bracket = Bracket::empty(players, points);
        let winners = bracket.winners(false);
        let mut left: Vec<Source> = winners[0].iter().map(|&m| Source::Loser(m)).collect();
        for round in &winners[1..] {
            let met: Vec<usize> = left.chunks(2).map(|s| bracket.add([s[0], s[1]], true)).collect();
            // Those who fall out of the other half first: so two who met are kept apart for long.
            let fallen = round.iter().rev().map(|&m| Source::Loser(m));
            let pairs: Vec<[Source; 2]> =
                met.iter().map(|&m| Source::Winner(m)).zip(fallen).map(Into::into).collect();
            left = pairs.into_iter().map(|sides| Source::Winner(bracket.add(sides, true))).collect();
        }
        let top = Source::Winner(winners[winners.len() - 1][0]);
        let last = bracket.add([top, left[0]], false);
        bracket.again = Some(bracket.add([Source::Winner(last), Source::Loser(last)], true));
        bracket
    }

    fn side(&self, source: Source) -> Option<usize> {
        match source {
            Source::Seed(seed) => (seed < self.players).then_some(seed),
            Source::Winner(m) => self.matches[m].decided.expect("rounds are told in order")[0],
            Source::Loser(m) => self.matches[m].decided.expect("rounds are told in order")[1],
        }
    }

    fn decide(&mut self, m: usize, winner: Option<usize>, loser: Option<usize>) {
        self.matches[m].decided = Some([winner, loser]);
        // Who loses the final without a loss before has the other chance; who had one is out.
        let is_final = self.again == Some(m + 1);
        let came_unbeaten = is_final && winner == self.side(self.matches[m].sides[0]);
        if let Some(player) = loser.filter(|_| self.matches[m].last || came_unbeaten) {
            self.out[player] = Some(self.matches[m].round);
        }
    }
}

impl Rounds for Bracket {
    fn next(&mut self) -> Option<Vec<Pairing>> {
        loop {
            self.round += 1;
            let now: Vec<usize> =
                (0..self.matches.len()).filter(|&m| self.matches[m].round == self.round).collect();
            if now.is_empty() {
                return None;
            }
            let mut pairings = Vec::new();
            for m in now {
                let [a, b] = self.matches[m].sides.map(|source| self.side(source));
                let over = self.again == Some(m) && b.is_some_and(|loser| self.out[loser].is_some());
                match (a, b) {
                    _ if over => self.matches[m].decided = Some([a, b]),
                    // The better seed begins with Red.
                    (Some(a), Some(b)) => {
                        let pair = self.matches[m].pair;
                        let lap = self.round;
                        pairings.push(Pairing { pair, first: a.min(b), second: a.max(b), lap });
                    }
                    (a, b) => self.decide(m, a.or(b), None),
                }
            }
            if !pairings.is_empty() {
                return Some(pairings);
            }
        }
    }

    fn told(&mut self, pairing: &Pairing, games: &[(Planned, Outcome)], free: [u64; 2]) {
        let m = self.matches.iter().position(|m| (m.round, m.pair) == (self.round, pairing.pair));
        let [a, b] = points_of(pairing, games, &self.points);
        // Who withdrew goes no further, whatever it had won. Where nothing could tell two apart the better seed goes
        // on; it is the first.
        let second = if free == [0, 0] { b > a } else { free[1] > 0 };
        let (winner, loser) =
            if second { (pairing.second, pairing.first) } else { (pairing.first, pairing.second) };
        self.decide(m.expect("only pairings of the round are told"), Some(winner), Some(loser));
    }

    fn decides(&self) -> bool {
        true
    }

    fn places(&self) -> Vec<u64> {
        let later = |mine: Option<u64>| {
            self.out.iter().filter(|&&out| mine.is_some_and(|mine| out.is_none_or(|out| out > mine))).count()
                as u64
        };
        self.out.iter().map(|&out| 1 + later(out)).collect()
    }
}
