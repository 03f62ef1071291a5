//! A hunter. It reckons with what each enemy piece can be after all that battles and moves have told, goes where its
//! pieces have most to gain, miners to bombs, scouts to the unknown, all to where the flag is likely, and keeps out
//! of the reach of what beats it. The longer nothing happens, the less its losses count.

use std::io;

use sample_bots::deploy::{self, Deployment};
use sample_bots::game::{Game, Move, Outcome, Rank, Square};
use sample_bots::hunt::Hunt;
use sample_bots::odds::{self, Odds, value};
use sample_bots::protocol::{Bot, Spin, run};
use sample_bots::rng::Rng;
use sample_bots::state::{Piece, State};

struct Hunter {
    /// How much it dares, in percent.
    nerve: u32,
}

impl Bot for Hunter {
    const NAME: &'static str = "hunter-rust";
    const OPTIONS: &'static [Spin] = &[Spin { name: "Nerve", default: 100, min: 10, max: 400 }];

    fn set(&mut self, _name: &str, value: i64) {
        self.nerve = value as u32;
    }

    fn deploy(&self, game: &Game, rng: &mut Rng) -> Deployment {
        // A corner has the fewest sides.
        let flag = rng.below(2) * (game.width - 1);
        deploy::sensible(game, rng, flag, |rank| match rank {
            Rank::Flag | Rank::Bomb => 0.0,
            Rank::Miner => 0.15,
            Rank::Spy => 0.4,
            Rank::Marshal | Rank::Colonel => 0.6,
            Rank::General => 0.5,
            Rank::Sergeant | Rank::Lieutenant => 0.7,
            Rank::Major | Rank::Captain => 0.8,
            Rank::Scout => 0.9,
        })
    }

    fn choose(&self, state: &State, legal: &[Move], rng: &mut Rng) -> Move {
        let turn = Turn::new(state, self.nerve);
        let scored = legal.iter().map(|&mv| (turn.score(mv) + rng.unit() * 0.05, mv));
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
    threats: Vec<Threat>,
}

/// An enemy next to a piece of ours that it may beat.
struct Threat {
    piece: Square,
    by: Square,
    /// What the piece is worth to us, as likely as it is to be taken.
    loss: f64,
}

impl<'a> Turn<'a> {
    fn new(state: &'a State, nerve: u32) -> Turn<'a> {
        let quiet = state.quiet as f64 * f64::from(nerve) / 100.0;
        let odds = odds::all(state);
        let mut turn = Turn {
            state,
            odds,
            care: (1.0 - quiet / 120.0).max(0.05),
            hunt: Hunt::default(),
            threats: Vec::new(),
        };
        turn.hunt = Hunt::new(state, quiet, |rank, square| turn.gain(rank, square));
        for (square, piece) in state.pieces().filter(|(_, p)| p.mine) {
            for by in state.game.neighbours(square) {
                if let (Some(rank), Some(enemy)) = (piece.rank, state.at(by).filter(|p| !p.mine)) {
                    let loss = turn.fear(rank, piece.shown, by, enemy);
                    turn.threats.push(Threat { piece: square, by, loss });
                }
            }
        }
        turn
    }

    fn score(&self, mv: Move) -> f64 {
        let Some(piece) = self.state.at(mv.from) else {
            return 0.0;
        };
        let Some(rank) = piece.rank else { return 0.0 };
        let (mut strike, mut stands) = (0.0, 1.0);
        let mut shown = piece.shown || self.state.game.steps(mv.from, mv.to) > 1;
        if self.state.at(mv.to).is_some() {
            strike = self.gain(rank, mv.to);
            stands = odds::chances(self.state, rank, &self.odds[mv.to])[Outcome::Won as usize];
            shown = true;
        }
        let risk = self.reply(mv, rank, shown, stands);
        let way =
            if strike == 0.0 { self.hunt.pull(rank, mv.to) - self.hunt.pull(rank, mv.from) } else { 0.0 };
        // A rank that is still hidden is worth something.
        let secret = if shown && !piece.shown { 0.08 * value(self.state, true, rank) } else { 0.0 };
        strike - risk + way - secret * self.care
    }

    /// What a strike at a square gains, what it would show included.
    fn gain(&self, rank: Rank, square: Square) -> f64 {
        let odds = &self.odds[square];
        let mut gain = odds::strike(self.state, rank, odds, self.care);
        if self.state.at(square).is_some_and(|p| p.rank.is_none()) {
            // A piece that stays and is known can be hunted by a stronger one.
            let learn = |other: Rank| match self.state.game.fight(rank, other) {
                Outcome::Lost if self.state.beats(other) => 0.25 * value(self.state, false, other),
                _ => 0.0,
            };
            gain += Rank::ALL.into_iter().map(|r| odds[r as usize] * learn(r)).sum::<f64>();
        } else if odds[Rank::Bomb as usize] == 1.0 && rank == Rank::Miner {
            // A bomb is worth what it may guard.
            let flag: f64 = self.state.game.neighbours(square).map(|s| self.odds[s][0]).sum();
            gain += 40.0 * flag;
        }
        gain
    }

    /// What the enemy's best reply may take once the move is made and has won with the chance `stands`.
    fn reply(&self, mv: Move, rank: Rank, shown: bool, stands: f64) -> f64 {
        let near = self.state.game.neighbours(mv.to);
        let enemies = near.filter_map(|s| self.state.at(s).filter(|p| !p.mine).map(|p| (s, p)));
        let own = enemies.map(|(s, enemy)| stands * self.fear(rank, shown, s, enemy)).fold(0.0, f64::max);
        let (mut most, mut sum) = (own, own);
        for threat in self.threats.iter().filter(|t| t.piece != mv.from) {
            let loss = if threat.by == mv.to { (1.0 - stands) * threat.loss } else { threat.loss };
            most = most.max(loss);
            sum += loss;
        }
        // Only one piece can be taken at once; the others are in danger still.
        self.care * (most + 0.3 * (sum - most))
    }

    /// What an enemy on a square next to a piece of ours is likely to take from us.
    fn fear(&self, rank: Rank, shown: bool, square: Square, enemy: &Piece) -> f64 {
        let own = value(self.state, true, rank);
        let strike = |other: Rank| match self.state.game.fight(other, rank) {
            _ if !other.moves() => 0.0,
            Outcome::Won => own,
            Outcome::Both => (own - value(self.state, false, other)).max(0.0),
            Outcome::Lost => 0.0,
        };
        let loss: f64 = Rank::ALL.into_iter().map(|r| self.odds[square][r as usize] * strike(r)).sum();
        // Nobody strikes gladly at what it does not know, and what never moved is likely to stay.
        loss * if shown { 1.0 } else { 0.5 } * if enemy.moved { 1.0 } else { 0.6 }
    }
}

fn main() -> io::Result<()> {
    run(Hunter { nerve: 100 })
}
