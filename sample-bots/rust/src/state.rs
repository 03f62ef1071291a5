//! The board as far as this side knows it, kept from the events.
//!
//! Nothing told is forgotten: the state remembers each rank that a battle showed, that a piece which moved is
//! neither flag nor bomb, and that one which ran is a scout, whatever the rule book's own view shows. The view is
//! needed for one thing only: on which squares the enemy deployed.

use crate::game::{Colour, Game, Move, Outcome, Rank, Ranks, Square};

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Whether it is ours.
    pub mine: bool,
    /// Its rank, where known; ours always are.
    pub rank: Option<Rank>,
    /// What it can be, as far as its doings tell.
    pub can_be: Ranks,
    /// Whether it has left its square.
    pub moved: bool,
    /// Whether its rank is known to the other side (told of our own pieces only).
    pub shown: bool,
    /// What its doings make likely, a factor for each rank (of the enemy's pieces only).
    pub lean: [f32; 12],
}

impl Piece {
    fn new(mine: bool, rank: Option<Rank>) -> Piece {
        Piece { mine, rank, can_be: Ranks::ALL, moved: false, shown: false, lean: [1.0; 12] }
    }

    fn narrow(&mut self, keep: impl Fn(Rank) -> bool) {
        self.can_be = self.can_be.filter(keep);
        self.rank = self.rank.or(self.can_be.single());
    }

    fn know(&mut self, rank: Option<Rank>) {
        self.rank = self.rank.or(rank);
    }

    /// Makes the ranks for which `of` says yes more or less likely.
    fn lean(&mut self, factor: f32, of: impl Fn(Rank) -> bool) {
        for rank in Rank::ALL.into_iter().filter(|&rank| of(rank)) {
            let lean = &mut self.lean[rank as usize];
            *lean = (*lean * factor).clamp(0.02, 50.0);
        }
    }

    /// Whether it might move: it is not known to be a bomb or flag.
    pub fn may_move(&self) -> bool {
        self.rank.is_none_or(Rank::moves)
    }
}

/// What this side knows of the game.
#[derive(Clone, Debug)]
pub struct State {
    /// The rules.
    pub game: Game,
    /// Plies since the last battle.
    pub quiet: u32,
    at: Vec<Option<Piece>>,
    /// Captured pieces of known rank: ours, the enemy's.
    gone: [[u8; 12]; 2],
}

impl State {
    /// The board before the deployment.
    pub fn new(game: Game) -> State {
        let at = vec![None; game.squares()];
        State { game, quiet: 0, at, gone: [[0; 12]; 2] }
    }

    /// The piece on a square.
    pub fn at(&self, square: Square) -> Option<&Piece> {
        self.at[square].as_ref()
    }

    /// All pieces with their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, &Piece)> {
        self.at.iter().enumerate().filter_map(|(s, p)| p.as_ref().map(|p| (s, p)))
    }

    /// The enemy's pieces with their squares.
    pub fn enemies(&self) -> impl Iterator<Item = (Square, &Piece)> {
        self.pieces().filter(|(_, p)| !p.mine)
    }

    /// How many pieces of a rank we have left.
    pub fn ours(&self, rank: Rank) -> usize {
        self.pieces().filter(|(_, p)| p.mine && p.rank == Some(rank)).count()
    }

    /// Whether some piece that we have left beats an enemy of this rank.
    pub fn beats(&self, other: Rank) -> bool {
        let wins = |rank: Rank| rank.moves() && self.game.fight(rank, other) == Outcome::Won;
        Rank::ALL.into_iter().any(|rank| wins(rank) && self.ours(rank) > 0)
    }

    /// How many of the enemy's pieces of a rank are not known to be captured.
    pub fn theirs(&self, rank: Rank) -> usize {
        self.game.army[rank as usize].saturating_sub(self.gone[1][rank as usize]) as usize
    }

    /// How many of each rank hide among the enemy's unknown pieces.
    pub fn hidden(&self) -> [usize; 12] {
        let mut hidden = Rank::ALL.map(|rank| self.theirs(rank));
        for rank in self.enemies().filter_map(|(_, p)| p.rank) {
            hidden[rank as usize] = hidden[rank as usize].saturating_sub(1);
        }
        hidden
    }

    /// Takes in the own deployment.
    pub fn deploy(&mut self, text: &str) {
        for (i, letter) in text.chars().enumerate().take(self.game.rows * self.game.width) {
            let square = self.game.deployment_square(i, self.game.colour);
            self.at[square] = Rank::from_letter(letter).map(|rank| Piece::new(true, Some(rank)));
        }
    }

    /// Takes in a `flag` line.
    pub fn flag(&mut self, colour: Colour, square: Square) {
        if colour != self.game.colour {
            self.at[square] = Some(Piece::new(false, Some(Rank::Flag)));
        }
    }

    /// Takes in the view after `board`. No event tells on which squares the enemy deployed, and where the rules
    /// leave some of them empty only the view does.
    pub fn see(&mut self, rows: &str) {
        const KNOWN: &str = "fbscdeghijkm";
        for (i, row) in rows.split('/').enumerate().take(self.game.height) {
            let first = (self.game.height - 1 - i) * self.game.width;
            for (file, letter) in row.chars().enumerate().take(self.game.width) {
                let rank = KNOWN.find(letter).map(|i| Rank::ALL[i]);
                let square = &mut self.at[first + file];
                if rank.is_some() || letter == '?' || letter == '!' {
                    let piece = square.get_or_insert_with(|| Piece::new(false, None));
                    piece.know(rank);
                    if letter == '!' {
                        piece.moved = true;
                        piece.narrow(Rank::moves);
                    }
                } else if letter == '.' {
                    *square = None;
                }
            }
        }
    }

    /// Takes in the words after `moved`; a line that makes no sense changes nothing.
    pub fn moved(&mut self, words: &[&str]) {
        let [colour, from, to, rest @ ..] = words else {
            return;
        };
        let (Some(colour), Some(from), Some(to)) =
            (Colour::from_word(colour), self.game.square(from), self.game.square(to))
        else {
            return;
        };
        let mine = colour == self.game.colour;
        // An enemy that was not seen before is met here for the first time.
        let mut piece = self.at[from].take().unwrap_or(Piece::new(mine, None));
        piece.moved = true;
        piece.narrow(Rank::moves);
        if self.game.steps(from, to) > 1 {
            piece.narrow(|rank| rank == Rank::Scout);
            piece.shown = true;
        }
        self.quiet += 1;
        if !mine {
            self.read_intent(&mut piece, from, to);
        }
        let rest = match rest {
            ["battle", attacker, defender, outcome, rest @ ..] => {
                self.quiet = 0;
                let struck = self.at[to].take().unwrap_or(Piece::new(!mine, None));
                let outcome = match *outcome {
                    "won" => Outcome::Won,
                    "lost" => Outcome::Lost,
                    _ => Outcome::Both,
                };
                let advances = rest.first() == Some(&"advances");
                self.battle(Move { from, to }, [piece, struck], [attacker, defender], outcome, advances);
                &rest[usize::from(advances)..]
            }
            rest => {
                self.at[to] = Some(piece);
                rest
            }
        };
        if let ["rescue", rank, square, ..] = rest
            && let Some(square) = self.game.square(square)
        {
            let rank = Rank::from_letter(rank.chars().next().unwrap_or('?'));
            self.at[square] = Some(Piece { shown: mine, ..Piece::new(mine, rank) });
            if let Some(rank) = rank {
                let gone = &mut self.gone[usize::from(!mine)][rank as usize];
                *gone = gone.saturating_sub(1);
            }
        }
    }

    /// Nobody walks up to what is known to be stronger, nor away from what is weaker, nor leaves standing what it
    /// could take: so an enemy's walk says something of its rank, and of its fellows' ranks that stayed.
    fn read_intent(&mut self, mover: &mut Piece, from: Square, to: Square) {
        if self.at[to].is_some() {
            return;
        }
        let game = &self.game;
        let beats = |other: Rank, own: Rank| other.moves() && game.fight(other, own) == Outcome::Won;
        let known = |square: Square| {
            self.at[square].filter(|p| p.mine && p.shown).and_then(|p| p.rank).filter(|r| r.moves())
        };
        for own in game.neighbours(to).filter_map(known) {
            mover.lean(2.5, |rank| beats(rank, own));
            mover.lean(0.5, |rank| !beats(rank, own));
        }
        for own in game.neighbours(from).filter_map(known) {
            mover.lean(0.4, |rank| beats(rank, own));
            mover.lean(1.6, |rank| beats(own, rank));
        }
        let stayed: Vec<(Square, Rank)> = (0..self.at.len())
            .filter(|&s| self.at[s].is_some_and(|p| !p.mine && p.rank.is_none()))
            .flat_map(|s| game.neighbours(s).filter_map(known).map(move |own| (s, own)))
            .collect();
        for (square, own) in stayed {
            if let Some(piece) = &mut self.at[square] {
                piece.lean(0.6, |rank| rank.moves() && self.game.fight(rank, own) == Outcome::Won);
            }
        }
    }

    fn battle(
        &mut self,
        mv: Move,
        [mut attacker, mut defender]: [Piece; 2],
        told: [&str; 2],
        outcome: Outcome,
        advances: bool,
    ) {
        let [first, second] = told.map(|word| word.chars().next().and_then(Rank::from_letter));
        attacker.know(first);
        defender.know(second);
        // A rank that was not told shows in part by the outcome.
        if let Some(rank) = attacker.rank {
            defender.narrow(|other| self.game.fight(rank, other) == outcome);
        }
        (attacker.shown, defender.shown) = (true, true);
        if outcome != Outcome::Lost {
            self.bury(&defender);
        }
        if outcome != Outcome::Won {
            self.bury(&attacker);
        }
        match outcome {
            Outcome::Won => self.at[mv.to] = Some(attacker),
            Outcome::Lost => {
                defender.moved |= advances;
                self.at[if advances { mv.from } else { mv.to }] = Some(defender);
            }
            Outcome::Both => {}
        }
    }

    fn bury(&mut self, piece: &Piece) {
        if let Some(rank) = piece.rank {
            self.gone[usize::from(!piece.mine)][rank as usize] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        let mut state = State::new(Game::parse("colour=red board=4x4 rows=1 army=F1,21,31,M1".split(' ')));
        state.deploy("F23M");
        state.see("????/..../..../F23M");
        state
    }

    fn apply(state: &mut State, line: &str) {
        state.moved(&line.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn a_battle_shows_a_rank_for_good_and_buries_the_loser() {
        let mut state = state();
        apply(&mut state, "red b1 b4 battle 2 M lost");
        let b4 = state.game.square("b4").unwrap();
        assert_eq!(state.at(b4).unwrap().rank, Some(Rank::Marshal));
        assert_eq!(state.ours(Rank::Scout), 0);
        apply(&mut state, "blue b4 b3");
        state.see("?.??/.!../..../F.3M");
        assert_eq!(state.at(state.game.square("b3").unwrap()).unwrap().rank, Some(Rank::Marshal));
        assert_eq!(state.hidden()[Rank::Marshal as usize], 0);
    }

    #[test]
    fn a_run_shows_a_scout_and_a_step_a_piece_that_moves() {
        let mut state = state();
        apply(&mut state, "blue a4 a2");
        assert_eq!(state.at(state.game.square("a2").unwrap()).unwrap().rank, Some(Rank::Scout));
        apply(&mut state, "blue d4 d3");
        let d3 = state.at(state.game.square("d3").unwrap()).unwrap();
        assert!(d3.rank.is_none() && !d3.can_be.has(Rank::Flag) && d3.can_be.has(Rank::Marshal));
    }

    #[test]
    fn what_is_not_told_is_concluded_and_an_advance_moves_the_defender() {
        let mut state = state();
        apply(&mut state, "red d1 d4 battle M ? lost advances rescue 2 b2 and more");
        let d1 = state.at(state.game.square("d1").unwrap()).unwrap();
        assert!(!d1.mine && d1.moved && d1.rank == Some(Rank::Bomb));
        assert_eq!(state.at(state.game.square("b2").unwrap()).unwrap().rank, Some(Rank::Scout));
    }
}
