//! Looking ahead where the two sides touch, on a board on which every rank is taken as known.
//!
//! It searches exchanges: pieces within two steps of an enemy move and strike in turn, each side may also let it be,
//! and only what is won and lost counts. Nodes are counted, never time, so that the same game gives the same moves.

use crate::game::{Game, Outcome, Rank, Square};

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Whether the piece is ours.
    pub mine: bool,
    /// Its rank.
    pub rank: Rank,
    /// Whether the other side does not know its rank.
    pub hidden: bool,
}

/// A board to search, and what pieces are worth on it.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    game: &'a Game,
    ground: &'a Ground,
    at: Vec<Option<Cell>>,
    /// The worth of each rank: the enemy's, ours.
    worth: [[f32; 12]; 2],
    /// How many nodes were visited.
    pub nodes: u32,
}

/// The squares about each square.
#[derive(Clone, Debug)]
pub struct Ground {
    next: Vec<Vec<Square>>,
    /// Those one or two steps away.
    about: Vec<Vec<Square>>,
}

impl Ground {
    /// Measures a board.
    pub fn new(game: &Game) -> Ground {
        let next: Vec<Vec<Square>> = (0..game.squares()).map(|s| game.neighbours(s).collect()).collect();
        let about = (0..game.squares()).map(|s| {
            let mut about: Vec<Square> = next[s]
                .iter()
                .flat_map(|&n| next[n].iter().copied().chain([n]))
                .filter(|&n| n != s)
                .collect();
            about.sort_unstable();
            about.dedup();
            about
        });
        Ground { about: about.collect(), next }
    }
}

/// What an uncertain gain counts: who strikes at what it does not know may be wrong.
const UNSURE: f32 = 0.6;

impl<'a> Field<'a> {
    /// An empty board.
    pub fn new(game: &'a Game, ground: &'a Ground, worth: [[f32; 12]; 2]) -> Field<'a> {
        Field { game, ground, at: vec![None; game.squares()], worth, nodes: 0 }
    }

    /// Puts a piece on a square.
    pub fn put(&mut self, square: Square, cell: Cell) {
        self.at[square] = Some(cell);
    }

    /// Whether an enemy of `mine` stands within two steps.
    pub fn touches(&self, square: Square, mine: bool) -> bool {
        self.ground.about[square].iter().any(|&s| self.at[s].is_some_and(|c| c.mine != mine))
    }

    /// What our side gains by a move, with what follows in `depth` plies.
    pub fn try_move(&mut self, from: Square, to: Square, depth: u32) -> f32 {
        let (before, struck) = (self.at[from], self.at[to]);
        let gain = self.make(from, to);
        let value = gain - self.best(false, depth, f32::NEG_INFINITY, f32::INFINITY);
        (self.at[from], self.at[to]) = (before, struck);
        value
    }

    /// What our side gains by leaving everything as it is here.
    pub fn wait(&mut self, depth: u32) -> f32 {
        -self.best(false, depth, f32::NEG_INFINITY, f32::INFINITY)
    }

    /// Makes a move and gives the mover's gain.
    fn make(&mut self, from: Square, to: Square) -> f32 {
        let Some(mut piece) = self.at[from].take() else { return 0.0 };
        let Some(struck) = self.at[to] else {
            self.at[to] = Some(piece);
            return 0.0;
        };
        let worth = |c: Cell| self.worth[usize::from(c.mine)][c.rank as usize];
        let (own, other) = (worth(piece), worth(struck));
        piece.hidden = false;
        match self.game.fight(piece.rank, struck.rank) {
            Outcome::Won => {
                self.at[to] = Some(piece);
                other
            }
            Outcome::Both => {
                self.at[to] = None;
                other - own
            }
            Outcome::Lost => {
                self.at[to] = Some(Cell { hidden: false, ..struck });
                -own
            }
        }
    }

    /// What the side to move can gain from here.
    fn best(&mut self, mine: bool, depth: u32, mut alpha: f32, beta: f32) -> f32 {
        self.nodes += 1;
        // Nobody is bound to move here.
        let mut best = 0.0;
        if depth == 0 || best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let ground = self.ground;
        // Strikes first: they cut most.
        for strikes in [true, false] {
            // A walk on the last ply gains nothing.
            if !strikes && depth == 1 {
                break;
            }
            for from in 0..self.at.len() {
                let Some(piece) = self.at[from].filter(|c| c.mine == mine && c.rank.moves()) else {
                    continue;
                };
                if !strikes && !self.touches(from, mine) {
                    continue;
                }
                for &to in &ground.next[from] {
                    let struck = self.at[to];
                    if struck.is_some() != strikes || struck.is_some_and(|c| c.mine == mine) {
                        continue;
                    }
                    let mut gain = self.make(from, to);
                    if gain > 0.0 && struck.is_some_and(|c| c.hidden) {
                        gain *= UNSURE;
                    }
                    let value = gain - self.best(!mine, depth - 1, gain - beta, gain - alpha);
                    (self.at[from], self.at[to]) = (Some(piece), struck);
                    best = f32::max(best, value);
                    alpha = alpha.max(value);
                    if best >= beta {
                        return best;
                    }
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_is_forked_is_lost_and_a_guarded_one_is_not_taken() {
        let game = Game::parse("board=5x5 rows=1".split(' '));
        let ground = Ground::new(&game);
        let worth = [[10.0; 12]; 2];
        let square = |name: &str| game.square(name).unwrap();
        let put = |field: &mut Field<'_>, name: &str, mine: bool, rank: Rank| {
            field.put(square(name), Cell { mine, rank, hidden: false });
        };
        let mut field = Field::new(&game, &ground, worth);
        put(&mut field, "a1", false, Rank::Major);
        put(&mut field, "b3", true, Rank::Miner);
        put(&mut field, "e5", true, Rank::Flag);
        let fields = field.at.clone();
        // Next to the major the miner falls; elsewhere it does not.
        assert_eq!(field.try_move(square("b3"), square("b2"), 1), 0.0);
        field.put(square("b1"), Cell { mine: false, rank: Rank::Major, hidden: false });
        assert_eq!(field.try_move(square("b3"), square("b2"), 1), -10.0);
        // Taken back by a marshal it is even.
        put(&mut field, "c2", true, Rank::Marshal);
        assert_eq!(field.try_move(square("b3"), square("b2"), 2), 0.0);
        field.at[square("b1")] = None;
        field.at[square("c2")] = None;
        assert_eq!(field.at, fields, "a search leaves the board as it was");
    }
}
