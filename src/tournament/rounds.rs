//! Formats whose next round follows from the results before: what they have in common.
//!
//! A round's results are told when all of them are there, in the order of its pairs, so that neither the order in
//! which games finish nor an interruption can show in what is played.

use super::id::GameId;
use super::schedule::Planned;
use super::standings::{GameResult, Points};

/// How a game came out, for one that asks what follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Its result.
    pub result: GameResult,
    /// Whether a fault decided.
    pub fault: bool,
}

impl Outcome {
    /// The points of Red, or of Blue.
    pub fn points(&self, points: &Points, red: bool) -> f64 {
        let lost = if self.fault { points.forfeit } else { points.loss };
        match (self.result, red) {
            (GameResult::Red, true) | (GameResult::Blue, false) => points.win,
            (GameResult::Draw, _) => points.draw,
            _ => lost,
        }
    }

    /// What it says of strength: 1 where Red won, ½ where nobody did, nothing where both failed.
    pub fn score(&self) -> Option<f64> {
        match self.result {
            GameResult::Red => Some(1.0),
            GameResult::Blue => Some(0.0),
            GameResult::Draw => Some(0.5),
            GameResult::BothLose => None,
        }
    }
}

/// Two players that meet in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Its number in the round, from 1.
    pub pair: u64,
    /// Who has Red in its first game.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// Which lap of openings and luck it takes, from 1: pairings of one lap meet the same.
    pub lap: u64,
}

impl Pairing {
    /// A game of it, in a round.
    pub fn game(&self, round: u64, game: u64, swapped: bool, opening: u64) -> Planned {
        let Pairing { pair, first, second, lap } = *self;
        let (red, blue) = if swapped { (second, first) } else { (first, second) };
        let luck = GameId { round: lap, pair, game };
        Planned { luck, ..Planned::new(GameId { round, pair, game }, red, blue, opening) }
    }
}

/// The points of both players of a pairing: of the first, then of the second.
pub fn points_of(pairing: &Pairing, games: &[(Planned, Outcome)], points: &Points) -> [f64; 2] {
    let sum = |player: usize| games.iter().map(|(g, o)| o.points(points, g.red == player)).sum();
    [sum(pairing.first), sum(pairing.second)]
}

/// A format that goes by rounds.
pub trait Rounds: std::fmt::Debug + Send {
    /// The pairings of the next round, all before being told; `None` when the event is over.
    fn next(&mut self) -> Option<Vec<Pairing>>;

    /// Tells what came of a pairing, its games in the order of their ids, and how many more the first and the second
    /// won without playing, since the other had withdrawn.
    fn told(&mut self, pairing: &Pairing, games: &[(Planned, Outcome)], free: [u64; 2]);

    /// Whether one of two has to go on, so that ties are broken.
    fn decides(&self) -> bool {
        false
    }

    /// Points that players have for no game, in the order of players.
    fn byes(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Places from 1, where the format itself gives them.
    fn places(&self) -> Vec<u64> {
        Vec::new()
    }
}
