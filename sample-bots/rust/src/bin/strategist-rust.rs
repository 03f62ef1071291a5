//! A strategist. It guesses whole armies that fit all it has seen, looks some plies ahead in a number of them wherever
//! the two sides touch, and goes for what the guesses together promise.

use std::io;

use sample_bots::deploy::{self, Deployment};
use sample_bots::game::{Game, Move, Outcome, Rank, Square};
use sample_bots::guess;
use sample_bots::hunt::Hunt;
use sample_bots::odds::{self, Odds, value};
use sample_bots::protocol::{Bot, Spin, run};
use sample_bots::raid::Raids;
use sample_bots::rng::Rng;
use sample_bots::search::{Cell, Field, Ground};
use sample_bots::state::State;

struct Strategist {
    /// Nodes to search in one move, in thousands.
    nodes: u32,
}

const NODES: Spin = Spin { name: "Nodes", default: 30, min: 1, max: 10_000 };

/// Guesses from which the odds are counted.
const GUESSES: usize = 48;
/// Plies looked ahead after a move.
const DEPTH: u32 = 3;

impl Bot for Strategist {
    const NAME: &'static str = "strategist-rust";
    const OPTIONS: &'static [Spin] = &[NODES];

    fn set(&mut self, _name: &str, value: i64) {
        self.nodes = value as u32;
    }

    fn deploy(&self, game: &Game, rng: &mut Rng) -> Deployment {
        // A corner has the fewest sides. Bombs not only in the rear, and a back row of pieces that can stay there, so
        // that nothing tells where the flag is.
        let flag = rng.below(2) * (game.width - 1);
        let mut army = deploy::sensible(game, rng, flag, |rank| match rank {
            Rank::Flag => 0.0,
            Rank::Miner => 0.1,
            Rank::Bomb => 0.3,
            Rank::Spy | Rank::Sergeant => 0.4,
            Rank::General => 0.5,
            Rank::Scout | Rank::Marshal | Rank::Colonel => 0.6,
            Rank::Lieutenant => 0.7,
            Rank::Major | Rank::Captain => 0.8,
        });
        // Behind the bombs about the flag stand those that take the miner which gets through.
        let steps = |i: usize| (i % game.width).abs_diff(flag % game.width) + i / game.width;
        for i in (0..army.len()).filter(|&i| steps(i) == 2) {
            let guard = (0..army.len()).rev().find(|&j| army[j] == Some(Rank::Sergeant) && steps(j) > 2);
            if let Some(j) = guard.filter(|_| army[i] != Some(Rank::Sergeant)) {
                army.swap(i, j);
            }
        }
        army
    }

    fn choose(&self, state: &State, legal: &[Move], rng: &mut Rng) -> Move {
        let guesses = guess::draw(state, GUESSES, rng);
        let turn = Turn::new(state, guess::odds(state, &guesses));
        let ahead = turn.look_ahead(legal, &guesses, self.nodes * 1000);
        let scored =
            legal.iter().zip(ahead).map(|(&mv, ahead)| (turn.score(mv) + ahead + rng.unit() * 0.02, mv));
        scored.max_by(|a, b| a.0.total_cmp(&b.0)).expect("there is a legal move").1
    }
}

/// What is reckoned once a turn.
struct Turn<'a> {
    state: &'a State,
    odds: Vec<Odds>,
    /// How much a loss counts.
    care: f64,
    hunt: Hunt,
    raids: Raids,
    /// What our flag stands to lose as it is.
    at_stake: f64,
}

impl<'a> Turn<'a> {
    fn new(state: &'a State, odds: Vec<Odds>) -> Turn<'a> {
        let quiet = f64::from(state.quiet);
        let raids = Raids::new(state, &odds);
        let care = (1.0 - quiet / 400.0).max(0.05);
        let at_stake = raids.stake(state, None);
        let mut turn = Turn { state, odds, care, hunt: Hunt::default(), raids, at_stake };
        let gain =
            |rank, square| odds::strike(state, rank, &turn.odds[square], care) + turn.insight(rank, square);
        turn.hunt = Hunt::new(state, quiet, gain);
        turn
    }

    /// What each move gains with the exchanges that follow it, over as many guesses as the nodes allow.
    fn look_ahead(&self, legal: &[Move], guesses: &[guess::Guess], nodes: u32) -> Vec<f64> {
        let ground = Ground::new(&self.state.game);
        let worth = [false, true].map(|mine| {
            let care = if mine { self.care } else { 1.0 };
            Rank::ALL.map(|rank| (value(self.state, mine, rank) * care) as f32)
        });
        let mut sums = vec![0.0; legal.len()];
        let (mut used, mut tried) = (0, 0);
        for guess in guesses {
            let mut field = Field::new(&self.state.game, &ground, worth);
            for (square, piece) in self.state.pieces().filter(|(_, p)| p.mine) {
                let rank = piece.rank.unwrap_or(Rank::Scout);
                field.put(square, Cell { mine: true, rank, hidden: !piece.shown });
            }
            for &(square, rank) in guess {
                let hidden = self.state.at(square).is_some_and(|p| p.rank.is_none());
                field.put(square, Cell { mine: false, rank, hidden });
            }
            // What touches nobody changes nothing here.
            let wait = field.wait(DEPTH);
            for (sum, &Move { from, to }) in sums.iter_mut().zip(legal) {
                let near = field.touches(from, true) || field.touches(to, true);
                *sum += f64::from(if near { field.try_move(from, to, DEPTH) } else { wait });
            }
            tried += 1;
            used += field.nodes;
            if used > nodes {
                break;
            }
        }
        sums.iter_mut().for_each(|sum| *sum /= f64::from(tried.max(1)));
        sums
    }

    /// What a move is worth besides exchanges: the way it makes, what it shows and what it learns.
    fn score(&self, mv: Move) -> f64 {
        let Some(piece) = self.state.at(mv.from) else { return 0.0 };
        let Some(rank) = piece.rank else { return 0.0 };
        let strikes = self.state.at(mv.to).is_some();
        let shows = !piece.shown && (strikes || self.state.game.steps(mv.from, mv.to) > 1);
        // A rank that is still hidden is worth something.
        let secret = if shows { 0.2 * value(self.state, true, rank) * self.care } else { 0.0 };
        let rest = if !strikes {
            1.5 * (self.hunt.pull(rank, mv.to) - self.hunt.pull(rank, mv.from))
        } else if self.odds[mv.to][Rank::Flag as usize] == 1.0 {
            1000.0
        } else {
            self.insight(rank, mv.to)
        };
        // A piece that stays at home may be a bomb or the flag, and hides which of them is.
        let depth = self.state.game.depth(mv.from, self.state.game.colour) as f64;
        let home = if piece.moved { 0.0 } else { 2.0 * self.care / (1.0 + depth) };
        let guards = if strikes { 0.0 } else { self.at_stake - self.raids.stake(self.state, Some(mv)) };
        rest - secret - home + guards
    }

    /// What a strike is worth beyond the pieces: a piece that stays and is known can be hunted by a stronger one, and
    /// a bomb may guard the flag.
    fn insight(&self, rank: Rank, square: Square) -> f64 {
        let odds = &self.odds[square];
        if self.state.at(square).is_some_and(|p| p.rank.is_none()) {
            let learn = |other: Rank| match self.state.game.fight(rank, other) {
                Outcome::Lost if self.state.beats(other) => 0.15 * value(self.state, false, other),
                _ => 0.0,
            };
            Rank::ALL.into_iter().map(|r| odds[r as usize] * learn(r)).sum()
        } else if odds[Rank::Bomb as usize] == 1.0 && rank == Rank::Miner {
            let flag: f64 = self.state.game.neighbours(square).map(|s| self.odds[s][0]).sum();
            40.0 * flag
        } else {
            0.0
        }
    }
}

fn main() -> io::Result<()> {
    run(Strategist { nodes: NODES.default as u32 })
}
