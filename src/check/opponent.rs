//! Opponents that lead a bot into trouble. They know all ranks, since what they are for is not to play fair: to
//! come near, to run, to block, to leave little to move.

use crate::game::{
    Colour, Deployment, Move, MoveList, Outcome, PieceId, Position, Rank, RescueChoice, Rules, Square, fight,
};
use crate::tournament::Draws;

/// What an opponent is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temper {
    /// Any legal move.
    Random,
    /// One piece to and fro, far from the other side.
    Shuttle,
    /// Next to the other side's pieces, without striking.
    Chase,
    /// Near the other side's pieces, and away from them where they threaten.
    Run,
    /// As few moves for the other side as can be.
    Block,
    /// All that it can win, the flag last.
    Strike,
    /// The far row, and pieces back where the rules bring them.
    Reach,
    /// Losing strikes, until little is left.
    Waste,
    /// No strikes at all.
    Quiet,
}

/// An opponent in one game.
#[derive(Debug)]
pub struct Opponent {
    temper: Temper,
    draws: Draws,
    /// The way back of the piece that moved last.
    back: Option<Move>,
}

type Turn = (Move, Option<RescueChoice>);

impl Opponent {
    /// An opponent whose choices among equals come from a seed.
    pub fn new(temper: Temper, seed: u64) -> Opponent {
        Opponent { temper, draws: Draws::new(seed), back: None }
    }

    /// Its move, in a position that has one for the side to move.
    pub fn choose(&mut self, position: &Position) -> Turn {
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        // Their order means nothing, but it must be the same each time.
        legal.sort_unstable();
        let scene = Scene::of(position);
        let mut best: Vec<Move> = Vec::new();
        let mut most = i64::MIN;
        for &mv in legal.iter() {
            let score = self.score(&scene, mv);
            if score > most {
                (most, best) = (score, Vec::new());
            }
            if score == most {
                best.push(mv);
            }
        }
        let mv = best[self.draws.below(best.len())];
        self.back = Some(Move { from: mv.to, to: mv.from });
        let rescue = if self.temper == Temper::Reach { rescue(position, mv) } else { None };
        (mv, rescue)
    }

    fn score(&self, scene: &Scene<'_>, mv: Move) -> i64 {
        let strike = scene.strike(mv);
        let quiet = strike.is_none();
        let near = |weight: i64| -weight * scene.nearest(mv.to);
        let half = |yes: bool, worth: i64| if yes { worth } else { 0 };
        match self.temper {
            Temper::Random => 0,
            Temper::Quiet => half(quiet, 100),
            Temper::Shuttle => {
                half(quiet, 1000) + half(self.back == Some(mv), 500) + scene.nearest(mv.to).min(6) * 10
                    - half(scene.steps(mv.from, mv.to) > 1, 50)
            }
            Temper::Chase => {
                let threatened = scene.threatened(mv);
                half(quiet, 1000) + half(threatened > 0, 300) + half(scene.chased(mv.from), 40) + near(10)
            }
            Temper::Run => {
                let in_danger = scene.beside_enemy(mv.from);
                half(quiet, 1000)
                    + half(in_danger, 200)
                    + half(in_danger && !scene.beside_enemy(mv.to), 100)
                    + half(in_danger && self.back == Some(mv), 50)
                    + near(5)
            }
            Temper::Block => half(quiet, 1000) - scene.mobility_after(mv) * 10 + near(1),
            Temper::Strike => match strike {
                Some((_, Rank::Flag)) => -2000,
                Some((Outcome::Won, rank)) => 1000 + rank as i64,
                Some((Outcome::Both, _)) => 300,
                Some((Outcome::Lost, _)) => -1000,
                None => near(10),
            },
            Temper::Reach => match strike {
                Some((Outcome::Won, rank)) if rank != Rank::Flag => 400,
                Some(_) => -1000,
                None => {
                    30 * scene.progress(mv) + half(scene.far_row(mv.to), 500)
                        - half(scene.far_row(mv.from), 200)
                }
            },
            Temper::Waste => match strike {
                Some((Outcome::Lost, rank)) if rank != Rank::Flag => 1000,
                Some((Outcome::Both, _)) => 900,
                Some(_) => -1000,
                None => near(10),
            },
        }
    }
}

/// A deployment with its flag in the back row, so that a game lasts.
pub(super) fn deployment(rules: &Rules, draws: &mut Draws) -> Deployment {
    let drawn = Deployment::draw(rules, |n| draws.below(n));
    let mut letters: Vec<char> = drawn.squares().iter().map(|s| s.map_or('.', Rank::letter)).collect();
    let flag =
        letters.iter().position(|&letter| letter == Rank::Flag.letter()).expect("every army has a flag");
    letters.swap(flag, draws.below(usize::from(rules.board.width())));
    let text: String = letters.into_iter().collect();
    Deployment::parse(rules, &text).expect("it is the same army")
}

/// The first rescue that the rules allow with a move.
fn rescue(position: &Position, mv: Move) -> Option<RescueChoice> {
    let squares = (0..position.board().squares()).filter_map(|n| square(position, n));
    let choices =
        squares.flat_map(|to| Rank::ALL.into_iter().rev().map(move |rank| RescueChoice { rank, to }));
    choices.into_iter().find(|&choice| position.judge_turn(mv, Some(choice)).is_ok())
}

/// Whether a move could bear a rescue.
pub(super) fn may_rescue(position: &Position, mv: Move) -> bool {
    let scene = Scene::of(position);
    scene.far_row(mv.to) && rescue(position, mv).is_some()
}

fn square(position: &Position, number: usize) -> Option<Square> {
    let width = usize::from(position.board().width());
    let at = crate::game::Coordinates { file: (number % width) as u8, rank: (number / width) as u8 };
    position.board().square(at)
}

/// All squares of a position's board, in their order.
pub(super) fn squares(position: &Position) -> impl Iterator<Item = Square> + '_ {
    (0..position.board().squares()).filter_map(|n| square(position, n))
}

/// A position as an opponent looks at it.
struct Scene<'a> {
    position: &'a Position,
    side: Colour,
    /// The other side's pieces.
    enemies: Vec<(Square, PieceId, Rank)>,
}

impl<'a> Scene<'a> {
    fn of(position: &'a Position) -> Scene<'a> {
        let side = position.to_move();
        let enemies = position.pieces().filter(|(_, piece, _)| piece.colour() != side).collect();
        Scene { position, side, enemies }
    }

    fn steps(&self, a: Square, b: Square) -> i64 {
        let board = self.position.board();
        let (a, b) = (board.coordinates(a), board.coordinates(b));
        i64::from(a.file.abs_diff(b.file)) + i64::from(a.rank.abs_diff(b.rank))
    }

    /// What a move strikes, and what becomes of it.
    fn strike(&self, mv: Move) -> Option<(Outcome, Rank)> {
        let (_, attacker) = self.position.piece(mv.from)?;
        let (_, defender) = self.position.piece(mv.to)?;
        Some((fight(self.position.rules(), attacker, defender).outcome, defender))
    }

    /// Steps to the nearest enemy piece that can move.
    fn nearest(&self, at: Square) -> i64 {
        let movable = self.enemies.iter().filter(|(_, _, rank)| rank.moves());
        movable.map(|&(square, ..)| self.steps(square, at)).filter(|&n| n > 0).min().unwrap_or(0)
    }

    fn beside_enemy(&self, at: Square) -> bool {
        self.nearest(at) == 1
    }

    /// How many movable enemies a quiet move would threaten.
    fn threatened(&self, mv: Move) -> usize {
        self.enemies
            .iter()
            .filter(|(square, _, rank)| rank.moves() && self.steps(*square, mv.to) == 1)
            .count()
    }

    /// Whether a piece stands two steps from an enemy, as one does from which it ran.
    fn chased(&self, from: Square) -> bool {
        self.nearest(from) <= 2
    }

    fn far_row(&self, at: Square) -> bool {
        let rank = self.position.board().coordinates(at).rank;
        match self.side {
            Colour::Red => rank + 1 == self.position.board().height(),
            Colour::Blue => rank == 0,
        }
    }

    /// Ranks gained towards the far row.
    fn progress(&self, mv: Move) -> i64 {
        let rank = |at| i64::from(self.position.board().coordinates(at).rank);
        let gained = rank(mv.to) - rank(mv.from);
        if self.side == Colour::Red { gained } else { -gained }
    }

    fn mobility_after(&self, mv: Move) -> i64 {
        let mut after = self.position.clone();
        after.play_known(mv);
        let mut legal = MoveList::new();
        after.legal_moves(&mut legal);
        legal.len() as i64
    }
}
