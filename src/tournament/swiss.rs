//! The Swiss system: who has done alike meets, and nobody twice while that can be avoided.
//!
//! A round is one matching of maximum weight. What weighs more than all below it together, from the top: no second
//! bye; no rematch; nobody three times more often Red than Blue or the reverse; equal scores; colours that balance;
//! the upper half of a score group against its lower half in the order of the players; the event's seed. The bye is
//! a player of the matching that has a score below all others.

use std::collections::BTreeMap;

use rustworkx_core::max_weight_matching::max_weight_matching;
use rustworkx_core::petgraph::graph::UnGraph;

use super::rounds::{Outcome, Pairing, Rounds, points_of};
use super::schedule::Planned;
use super::seed::Draws;
use super::standings::Points;

/// So many players can be paired: more would need numbers above 128 bits to weigh a matching by.
pub const MOST_SWISS_PLAYERS: usize = 512;

/// The state of a Swiss event.
#[derive(Clone, Debug)]
pub struct Swiss {
    rounds: u64,
    games: u64,
    points: Points,
    seed: u64,
    round: u64,
    scores: Vec<f64>,
    byes: Vec<u64>,
    /// Games won of who had withdrawn.
    free: Vec<u64>,
    /// The round that each who withdrew is not paired from.
    withdrawn: BTreeMap<usize, u64>,
    /// Games as Red less games as Blue.
    reds: Vec<i64>,
    last_red: Vec<bool>,
    met: BTreeMap<(usize, usize), u64>,
}

impl Swiss {
    /// An event before its first round.
    pub fn new(
        players: usize,
        rounds: u64,
        games: u64,
        points: Points,
        seed: u64,
        withdrawn: BTreeMap<usize, u64>,
    ) -> Swiss {
        Swiss {
            rounds,
            games,
            points,
            seed,
            round: 0,
            scores: vec![0.0; players],
            byes: vec![0; players],
            free: vec![0; players],
            withdrawn,
            reds: vec![0; players],
            last_red: vec![false; players],
            met: BTreeMap::new(),
        }
    }

    /// Whom each bye and each pair costs how much, dearest first.
    fn costs(&self, places: &Places, a: usize, b: usize, draws: &mut Draws) -> [u64; 7] {
        let chance = draws.below(1 << 30) as u64;
        let players = self.scores.len();
        if b == players {
            let apart = places.groups - places.group[a];
            return [self.byes[a], 0, 0, apart * apart, 0, 0, chance];
        }
        let met = self.met.get(&(a.min(b), a.max(b))).copied().unwrap_or(0);
        let apart = places.group[a].abs_diff(places.group[b]);
        // Over an even number of games colours balance by themselves.
        let same = self.games % 2 == 1 && self.reds[a].signum() * self.reds[b].signum() > 0;
        let hard = same && self.reds[a].abs().min(self.reds[b].abs()) >= 2;
        let half = places.size[&places.group[a]] / 2;
        let fold = if apart == 0 { places.at[a].abs_diff(places.at[b]).abs_diff(half) } else { 0 };
        [0, met, u64::from(hard), apart * apart, u64::from(same), fold, chance]
    }

    /// Who has Red first: whoever had it less often, or not last, or the seed's choice.
    fn ordered(&self, a: usize, b: usize, draws: &mut Draws) -> (usize, usize) {
        let chance = draws.below(2) == 1;
        let swap = match self.reds[a].cmp(&self.reds[b]) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal if self.last_red[a] != self.last_red[b] => self.last_red[a],
            std::cmp::Ordering::Equal => chance,
        };
        if swap { (b, a) } else { (a, b) }
    }
}

/// Where players stand: their score group from 0 at the top, and their place in the table.
struct Places {
    group: Vec<u64>,
    groups: u64,
    size: BTreeMap<u64, u64>,
    at: Vec<u64>,
}

impl Places {
    fn of(scores: &[f64]) -> Places {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        let (mut group, mut at) = (vec![0; scores.len()], vec![0; scores.len()]);
        let mut size = BTreeMap::new();
        let mut number = 0;
        for (place, &player) in order.iter().enumerate() {
            if place > 0 && scores[player] != scores[order[place - 1]] {
                number += 1;
            }
            (group[player], at[player]) = (number, place as u64);
            *size.entry(number).or_insert(0) += 1;
        }
        Places { group, groups: number + 1, size, at }
    }
}

impl Rounds for Swiss {
    fn next(&mut self) -> Option<Vec<Pairing>> {
        if self.round == self.rounds {
            return None;
        }
        self.round += 1;
        let players = self.scores.len();
        let gone = |player| self.withdrawn.get(&player).is_some_and(|&from| self.round >= from);
        let mut playing: Vec<usize> = (0..players).filter(|&player| !gone(player)).collect();
        if playing.len() < 2 {
            return None;
        }
        if playing.len() % 2 == 1 {
            playing.push(players);
        }
        let nodes = playing.len();
        let places = Places::of(&self.scores);
        let mut draws = Draws::new(self.seed ^ self.round.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut edges = Vec::new();
        for (n, &a) in playing.iter().enumerate() {
            for &b in &playing[n + 1..] {
                edges.push((a as u32, b as u32, self.costs(&places, a, b, &mut draws)));
            }
        }
        // Each kind of cost counts more than the most that all kinds below it can come to.
        let mut worth = [0i128; 7];
        let mut below = 0i128;
        for kind in (0..7).rev() {
            worth[kind] = below + 1;
            let most = edges.iter().map(|e| e.2[kind]).max().unwrap_or(0);
            below += worth[kind] * i128::from(most) * (nodes as i128 / 2);
        }
        let weighed: Vec<(u32, u32, i128)> = edges
            .iter()
            .map(|(a, b, costs)| {
                (*a, *b, below + 1 - costs.iter().zip(worth).map(|(&c, w)| i128::from(c) * w).sum::<i128>())
            })
            .collect();
        let graph = UnGraph::<(), i128>::from_edges(&weighed);
        let matched: Result<_, std::convert::Infallible> =
            max_weight_matching(&graph, true, |edge| Ok(*edge.weight()), false);
        let mut pairs: Vec<(usize, usize)> =
            matched.expect("weighing cannot fail").into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
        pairs.sort_by_key(|&(a, b)| {
            let place = |p: usize| places.at.get(p).copied().unwrap_or(u64::MAX);
            (b == players, place(a).min(place(b)))
        });
        let mut pairings = Vec::new();
        for (a, b) in pairs {
            if b == players {
                self.byes[a] += 1;
                self.scores[a] += self.points.win * self.games as f64;
                continue;
            }
            let (first, second) = self.ordered(a, b, &mut draws);
            let (pair, lap) = (pairings.len() as u64 + 1, self.round);
            pairings.push(Pairing { pair, first, second, lap });
        }
        Some(pairings)
    }

    fn told(&mut self, pairing: &Pairing, games: &[(Planned, Outcome)], free: [u64; 2]) {
        let Pairing { first, second, .. } = *pairing;
        let points = points_of(pairing, games, &self.points);
        for ((player, points), free) in [first, second].into_iter().zip(points).zip(free) {
            self.scores[player] += points + free as f64 * self.points.win;
            self.free[player] += free;
        }
        *self.met.entry((first.min(second), first.max(second))).or_default() += 1;
        for (game, _) in games {
            self.reds[game.red] += 1;
            self.reds[game.blue] -= 1;
            self.last_red[game.red] = true;
            self.last_red[game.blue] = false;
        }
    }

    fn byes(&self) -> Vec<f64> {
        let games = self.byes.iter().zip(&self.free).map(|(byes, free)| byes * self.games + free);
        games.map(|n| n as f64 * self.points.win).collect()
    }
}
