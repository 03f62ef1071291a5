//! A careful bot. Its strong pieces keep clear of unknown ones, it strikes where it is sure enough that it wins or
//! where the piece is cheap, and it advances otherwise. The longer nothing happens, the more pieces it calls cheap.

use std::io;

use sample_bots::deploy::{self, Deployment};
use sample_bots::game::{Game, Move, Outcome, Rank, Square};
use sample_bots::odds::{self, Odds, value};
use sample_bots::paths;
use sample_bots::protocol::{Bot, Spin, run};
use sample_bots::rng::Rng;
use sample_bots::state::{Piece, State};

struct Cautious {
    /// Plies without a battle after which one more rank is called cheap.
    patience: u32,
    /// How likely a battle must be won, in percent, for a piece that is not cheap.
    sure: u32,
}

const PATIENCE: Spin = Spin { name: "Patience", default: 10, min: 1, max: 100 };
const SURE: Spin = Spin { name: "Sure", default: 75, min: 50, max: 100 };

impl Bot for Cautious {
    const NAME: &'static str = "cautious-rust";
    const OPTIONS: &'static [Spin] = &[PATIENCE, SURE];

    fn set(&mut self, name: &str, value: i64) {
        if name == PATIENCE.name {
            self.patience = value as u32;
        } else {
            self.sure = value as u32;
        }
    }

    fn deploy(&self, game: &Game, rng: &mut Rng) -> Deployment {
        let flag = rng.below(game.width);
        deploy::sensible(game, rng, flag, |rank| match rank {
            Rank::Flag | Rank::Bomb => 0.1,
            Rank::Miner => 0.2,
            Rank::Spy | Rank::General | Rank::Marshal => 0.5,
            Rank::Colonel | Rank::Major => 0.6,
            Rank::Scout | Rank::Sergeant | Rank::Lieutenant | Rank::Captain => 0.9,
        })
    }

    fn choose(&self, state: &State, legal: &[Move], rng: &mut Rng) -> Move {
        let turn = Turn::new(state, self);
        let scored = legal.iter().map(|&mv| (turn.score(mv) + rng.unit() * 0.1, mv));
        scored.max_by(|a, b| a.0.total_cmp(&b.0)).expect("there is a legal move").1
    }
}

/// What is reckoned once a turn.
struct Turn<'a> {
    state: &'a State,
    odds: Vec<Odds>,
    /// The strongest rank that may strike at what it does not know.
    cheapest: Rank,
    /// How likely a win must be for the others.
    sure: f64,
    /// The enemy's squares, each with the steps to it.
    enemies: Vec<(Square, Vec<u32>)>,
}

impl<'a> Turn<'a> {
    fn new(state: &'a State, bot: &Cautious) -> Turn<'a> {
        let bolder = Rank::Lieutenant as usize + (state.quiet / bot.patience) as usize;
        Turn {
            state,
            odds: odds::all(state),
            cheapest: Rank::ALL[bolder.min(Rank::Marshal as usize)],
            sure: f64::from(bot.sure) / 100.0,
            enemies: state.enemies().map(|(square, _)| (square, paths::to(state, square))).collect(),
        }
    }

    fn score(&self, mv: Move) -> f64 {
        let Some(rank) = self.state.at(mv.from).and_then(|p| p.rank) else {
            return 0.0;
        };
        let strike = self.state.at(mv.to).map_or(0.0, |_| self.strike(rank, mv.to));
        let safety = self.danger(rank, mv.from, mv.to) - self.danger(rank, mv.to, mv.to);
        let way = self.pull(rank, mv.to) - self.pull(rank, mv.from);
        strike + safety + way
    }

    /// Whether a piece would strike at an enemy.
    fn wants(&self, rank: Rank, enemy: Square) -> bool {
        let known = self.state.at(enemy).is_some_and(|p| p.rank.is_some());
        let win = odds::chances(self.state, rank, &self.odds[enemy])[Outcome::Won as usize];
        win >= self.sure || (!known && self.cheap(rank))
    }

    /// Whether a piece may be risked. The last miners are not cheap while the enemy has bombs.
    fn cheap(&self, rank: Rank) -> bool {
        let spare = match rank {
            Rank::Spy => false,
            Rank::Miner => self.state.ours(Rank::Miner) > 2,
            _ => true,
        };
        rank <= self.cheapest && (spare || self.cheapest == Rank::Marshal)
    }

    /// What a strike is worth: what it gains less what it may lose, and where the piece is cheap what it shows.
    fn strike(&self, rank: Rank, enemy: Square) -> f64 {
        let expected = odds::strike(self.state, rank, &self.odds[enemy], 1.0);
        if !self.wants(rank, enemy) {
            expected.min(0.0) - value(self.state, true, rank)
        } else if self.cheap(rank) {
            expected.max(6.0 - 0.2 * value(self.state, true, rank))
        } else {
            expected.max(1.0)
        }
    }

    /// What the piece stands to lose on a square to the worst enemy next to it, once `taken` is ours.
    fn danger(&self, rank: Rank, square: Square, taken: Square) -> f64 {
        let near = self.state.game.neighbours(square).filter(|&s| s != taken);
        let enemies = near.filter_map(|s| self.state.at(s).filter(|p| !p.mine).map(|p| (s, p)));
        let fear = |(s, enemy): (Square, &Piece)| {
            let beats = |other: Rank| other.moves() && self.state.game.fight(other, rank) == Outcome::Won;
            let lost: f64 =
                Rank::ALL.into_iter().filter(|&r| beats(r)).map(|r| self.odds[s][r as usize]).sum();
            match enemy.rank {
                None if self.cheap(rank) => 0.1 * lost,
                _ => lost,
            }
        };
        value(self.state, true, rank) * enemies.map(fear).fold(0.0, f64::max)
    }

    /// How near the next piece to strike at is: more is nearer.
    fn pull(&self, rank: Rank, square: Square) -> f64 {
        let reach = self.enemies.iter().filter(|(_, steps)| steps[square] != paths::FAR);
        let best = reach
            .filter(|(enemy, _)| self.wants(rank, *enemy))
            .map(|(enemy, steps)| self.strike(rank, *enemy).min(20.0) * 0.85f64.powi(steps[square] as i32))
            .fold(0.0, f64::max);
        // With nothing to strike at, a step forward is still a step.
        best + 0.05 * self.state.game.depth(square, self.state.game.colour) as f64
    }
}

fn main() -> io::Result<()> {
    run(Cautious { patience: PATIENCE.default as u32, sure: SURE.default as u32 })
}
