//! A strategist. It guesses whole armies that fit all it has seen, looks some plies ahead in a number of them wherever
//! the two sides touch, and goes for what the guesses together promise.

use std::io;

use sample_bots::deploy::{self, Deployment};
use sample_bots::game::{Game, Move, Outcome, Rank, Square};
use sample_bots::guess;
use sample_bots::odds::{self, Odds, value};
use sample_bots::paths;
use sample_bots::protocol::{Bot, Spin, run};
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
        deploy::sensible(game, rng, flag, |rank| match rank {
            Rank::Flag => 0.0,
            Rank::Miner => 0.1,
            Rank::Bomb => 0.3,
            Rank::Spy | Rank::Sergeant => 0.4,
            Rank::General => 0.5,
            Rank::Scout | Rank::Marshal | Rank::Colonel => 0.6,
            Rank::Lieutenant => 0.7,
            Rank::Major | Rank::Captain => 0.8,
        })
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
    targets: Vec<Target>,
}

/// An enemy piece to strike at.
struct Target {
    /// What each of our ranks would gain by it.
    gain: [f64; 12],
    /// The steps to it.
    steps: Vec<u32>,
}

impl<'a> Turn<'a> {
    fn new(state: &'a State, odds: Vec<Odds>) -> Turn<'a> {
        let quiet = f64::from(state.quiet);
        let mut turn = Turn { state, odds, care: (1.0 - quiet / 400.0).max(0.05), targets: Vec::new() };
        let tired = 1.0 / (1.0 + quiet / 25.0);
        let targets = state.enemies().map(|(square, piece)| {
            // What runs away is not worth an endless hunt.
            let worth = if piece.moved { tired } else { 1.0 };
            let gain = |rank: Rank| {
                let gain = odds::strike(state, rank, &turn.odds[square], turn.care);
                worth * (gain + turn.insight(rank, square))
            };
            let gain = Rank::ALL.map(|rank| if rank.moves() { gain(rank) } else { 0.0 });
            Target { gain, steps: paths::to(state, square) }
        });
        turn.targets = targets.collect();
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
            1.5 * (self.pull(rank, mv.to) - self.pull(rank, mv.from))
        } else if self.odds[mv.to][Rank::Flag as usize] == 1.0 {
            1000.0
        } else {
            self.insight(rank, mv.to)
        };
        // A piece that stays at home may be a bomb or the flag, and hides which of them is.
        let depth = self.state.game.depth(mv.from, self.state.game.colour) as f64;
        let home = if piece.moved { 0.0 } else { 2.0 * self.care / (1.0 + depth) };
        rest - secret - home
    }

    /// What a strike is worth beyond the pieces: a piece that stays and is known can be hunted by a stronger one, and
    /// a bomb may guard the flag.
    fn insight(&self, rank: Rank, square: Square) -> f64 {
        let odds = &self.odds[square];
        if self.state.at(square).is_some_and(|p| p.rank.is_none()) {
            let learn = |other: Rank| match self.state.game.fight(rank, other) {
                Outcome::Lost if self.beaten_by_us(other) => 0.15 * value(self.state, false, other),
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

    fn beaten_by_us(&self, other: Rank) -> bool {
        Rank::ALL.into_iter().any(|rank| {
            rank.moves() && self.state.game.fight(rank, other) == Outcome::Won && self.state.ours(rank) > 0
        })
    }

    /// What the best target in reach is worth from a square.
    fn pull(&self, rank: Rank, square: Square) -> f64 {
        self.targets
            .iter()
            .filter(|target| target.gain[rank as usize] > 0.0 && target.steps[square] != paths::FAR)
            .map(|target| target.gain[rank as usize] * 0.85f64.powi(target.steps[square] as i32))
            .fold(0.0, f64::max)
    }
}

fn main() -> io::Result<()> {
    run(Strategist { nodes: NODES.default as u32 })
}
