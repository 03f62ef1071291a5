//! Enemies on their way to our flag, and who of ours can meet them.

use std::collections::VecDeque;

use crate::game::{Move, Outcome, Rank, Square};
use crate::odds::Odds;
use crate::paths::FAR;
use crate::state::State;

/// What a flag that nobody defends is worth, at no distance, and how that fades with each step.
const STAKE: f64 = 40.0;
const FADES: f64 = 0.9;
/// Steps from which on nobody is feared yet.
const HORIZON: u32 = 12;
/// How likely what never moved is to set out now.
const STAYS: f64 = 0.3;

/// An enemy's shortest way to our flag.
struct Raid {
    /// What it puts at stake.
    stake: f64,
    /// By how many moves a piece of ours on each square comes too late to meet it on that way.
    late: Vec<i32>,
    /// Which of our ranks would stop it.
    stops: [bool; 12],
}

/// The ways of all enemies to our flag.
pub struct Raids(Vec<Raid>);

/// What comes: a miner, which no bomb of ours stops, or another.
#[derive(Clone, Copy, PartialEq)]
enum Raider {
    Miner,
    Other,
}

impl Raids {
    /// Looks for them.
    pub fn new(state: &State, odds: &[Odds]) -> Raids {
        let flag = state.pieces().find(|(_, p)| p.mine && p.rank == Some(Rank::Flag));
        let Some((flag, _)) = flag else { return Raids(Vec::new()) };
        let mut raids = Vec::new();
        for raider in [Raider::Miner, Raider::Other] {
            let steps = steps(state, flag, raider);
            for (square, piece) in state.enemies().filter(|(s, p)| p.may_move() && steps[*s] <= HORIZON) {
                let odds = &odds[square];
                let miner = odds[Rank::Miner as usize];
                let chance = match raider {
                    Raider::Miner => miner,
                    Raider::Other => 1.0 - miner - odds[Rank::Flag as usize] - odds[Rank::Bomb as usize],
                };
                let chance = if piece.moved { chance } else { STAYS * chance };
                if chance < 0.02 {
                    continue;
                }
                let stops = Rank::ALL.map(|own| own.moves() && stops(state, own, raider, odds));
                let stake = STAKE * chance * FADES.powi(steps[square] as i32);
                raids.push(Raid { stake, late: late(state, &way(state, &steps, square)), stops });
            }
        }
        Raids(raids)
    }

    /// What is at stake once a move is made: of all those whom none of ours can meet.
    pub fn stake(&self, state: &State, made: Option<Move>) -> f64 {
        let own: Vec<(Square, Rank)> = state
            .pieces()
            .filter(|(_, p)| p.mine)
            .filter_map(|(at, p)| {
                Some((made.filter(|mv| mv.from == at).map_or(at, |mv| mv.to), p.rank.filter(|r| r.moves())?))
            })
            .collect();
        let met = |raid: &Raid| own.iter().any(|&(at, rank)| raid.stops[rank as usize] && raid.late[at] <= 0);
        self.0.iter().filter(|raid| !met(raid)).map(|raid| raid.stake).sum()
    }
}

/// Steps to the flag. Pieces of ours that are not bombs can be fought.
fn steps(state: &State, flag: Square, raider: Raider) -> Vec<u32> {
    let mut steps = vec![FAR; state.game.squares()];
    steps[flag] = 0;
    let mut queue = VecDeque::from([flag]);
    while let Some(square) = queue.pop_front() {
        for next in state.game.neighbours(square) {
            let bars = state.at(next).is_some_and(|p| match p.mine {
                true => p.rank == Some(Rank::Bomb) && raider == Raider::Other,
                false => !p.may_move(),
            });
            if steps[next] == FAR && !bars {
                steps[next] = steps[square] + 1;
                queue.push_back(next);
            }
        }
    }
    steps
}

/// The squares of a shortest way, the flag's left out.
fn way(state: &State, steps: &[u32], from: Square) -> Vec<Square> {
    let next = |&at: &Square| state.game.neighbours(at).find(|&n| steps[n] < steps[at]);
    std::iter::successors(Some(from), next).take_while(|&at| steps[at] > 0).collect()
}

/// How late a piece of ours comes from each square: steps to some square of the way, less those that the raider needs
/// to it.
fn late(state: &State, way: &[Square]) -> Vec<i32> {
    let mut late = vec![i32::MAX; state.game.squares()];
    let mut open: Vec<Vec<Square>> = way.iter().rev().map(|&square| vec![square]).collect();
    let mut cost = 0;
    while cost < open.len() {
        for square in std::mem::take(&mut open[cost]) {
            if late[square] != i32::MAX {
                continue;
            }
            late[square] = cost as i32 + 1 - way.len() as i32;
            if open.len() == cost + 1 {
                open.push(Vec::new());
            }
            let free = |&n: &Square| state.at(n).is_none_or(|p| p.mine && p.may_move());
            open[cost + 1].extend(state.game.neighbours(square).filter(free));
        }
        cost += 1;
    }
    late
}

/// Whether a rank of ours is rather likely to stop it.
fn stops(state: &State, own: Rank, raider: Raider, odds: &Odds) -> bool {
    let holds = |other: &Rank| state.game.fight(own, *other) != Outcome::Lost;
    if raider == Raider::Miner {
        return holds(&Rank::Miner);
    }
    let others = || Rank::ALL.into_iter().filter(|rank| rank.moves() && *rank != Rank::Miner);
    let chance = |ranks: &mut dyn Iterator<Item = Rank>| ranks.map(|r| odds[r as usize]).sum::<f64>();
    chance(&mut others().filter(holds)) >= 0.5 * chance(&mut others())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn state(deployment: &str) -> State {
        let mut state = State::new(Game::parse("colour=red board=4x6 rows=2".split(' ')));
        state.deploy(deployment);
        state.see(&format!("????/..../..../..../{}/{}", &deployment[4..], &deployment[..4]));
        state
    }

    #[test]
    fn a_miner_is_feared_until_somebody_can_meet_it() {
        let state = state("FB26....");
        let square = |name: &str| state.game.square(name).unwrap();
        let mut odds = vec![[0.0; 12]; state.game.squares()];
        odds[square("a6")][Rank::Miner as usize] = 1.0;
        let raids = Raids::new(&state, &odds);
        let at_stake = |to: &str| raids.stake(&state, Some(Move { from: square("d1"), to: square(to) }));
        assert_eq!(at_stake("b2"), 0.0);
        assert!(at_stake("d6") > 0.0);
    }

    #[test]
    fn bombs_about_a_flag_stop_all_but_miners() {
        let state = state("FB26B...");
        let [flag, a6] = ["a1", "a6"].map(|name| state.game.square(name).unwrap());
        assert_eq!(steps(&state, flag, Raider::Other)[a6], FAR);
        assert_eq!(steps(&state, flag, Raider::Miner)[a6], 5);
    }
}
