//! What a side may see: its view of each move, and of the board.
//!
//! Everything that reaches a bot is built from [`SeenMove`] and [`View`], so that nothing the rule book hides can
//! slip into a line: a `SeenMove` holds no hidden rank, and a `View` shows none.

use super::battle::Outcome;
use super::moves::MoveList;
use super::piece::{Colour, PieceId, Rank};
use super::position::{Move, Played, Position};
use super::rules::{Captured, Reveal, RuleSet};
use super::{Board, Square};

/// A battle as one side saw it; `None` where a rank was not told to that side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenBattle {
    /// The attacker's rank.
    pub attacker: Option<Rank>,
    /// The defender's rank.
    pub defender: Option<Rank>,
    /// What became of the attacker.
    pub outcome: Outcome,
    /// Whether the winning defender moved to the attacker's square.
    pub advances: bool,
}

/// A rescue as one side saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenRescue {
    /// The rank that came back, or `None` where captured pieces are their owner's secret.
    pub rank: Option<Rank>,
    /// Where it was put.
    pub to: Square,
}

/// A move as one side saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenMove {
    /// Who moved.
    pub mover: Colour,
    /// From where to where.
    pub mv: Move,
    /// The battle.
    pub battle: Option<SeenBattle>,
    /// The rescue.
    pub rescue: Option<SeenRescue>,
}

impl Played {
    /// What `side` is told of this move.
    ///
    /// Both see both ranks, but for silent defence (rule text 000): there the striking side is told the defender's
    /// rank only if a scout struck, if it was the flag, or if the defender was removed and captured pieces are
    /// public. The rank of a rescued piece is hidden from the other side where
    /// captured pieces are their owner's secret.
    pub fn seen_by(&self, side: Colour, rules: &RuleSet) -> SeenMove {
        let own = self.mover == side;
        SeenMove {
            mover: self.mover,
            mv: self.mv,
            battle: self.battle.map(|b| {
                let silent = rules.silent_defence
                    && own
                    && b.attacker != Rank::Scout
                    && b.defender != Rank::Flag
                    && (b.outcome == Outcome::Lost || rules.captured == Captured::Owner);
                SeenBattle {
                    attacker: Some(b.attacker),
                    defender: (!silent).then_some(b.defender),
                    outcome: b.outcome,
                    advances: b.advances,
                }
            }),
            rescue: self.rescue.map(|(_, choice)| SeenRescue {
                rank: (own || rules.captured == Captured::Public).then_some(choice.rank),
                to: choice.to,
            }),
        }
    }
}

/// What one side knows of the enemy's pieces by the rule book's word, for its view of the board.
#[derive(Clone, Debug)]
pub struct Sight {
    side: Colour,
    /// Enemy pieces that have moved.
    moved: u64,
    /// Enemy pieces whose rank the view shows.
    known: u64,
    /// Of these, the ones that a battle showed, which moving may conceal again.
    by_battle: u64,
}

impl Sight {
    /// The sight of a side before the first move.
    pub fn new(side: Colour) -> Sight {
        Sight { side, moved: 0, known: 0, by_battle: 0 }
    }

    /// Shows an enemy piece for the rest of the game: an open flag.
    pub fn show(&mut self, piece: PieceId) {
        if piece.colour() != self.side {
            self.known |= 1 << piece.number();
        }
    }

    /// Takes in a move of either side.
    pub fn observe(&mut self, played: &Played, rules: &RuleSet, board: &Board) {
        let enemy = self.side.other();
        let seen = played.seen_by(self.side, rules);
        if played.mover == enemy {
            let bit = 1u64 << played.piece.number();
            self.moved |= bit;
            if rules.reveal == Reveal::UntilMoved {
                self.known &= !(bit & self.by_battle);
                self.by_battle &= !bit;
            }
            let (a, b) = (board.coordinates(played.mv.from), board.coordinates(played.mv.to));
            if a.file.abs_diff(b.file) + a.rank.abs_diff(b.rank) > 1 {
                // A run tells the scout, whatever the book says of battles.
                self.known |= bit;
                self.by_battle &= !bit;
            }
        }
        if let (Some(battle), Some(struck)) = (seen.battle, played.struck) {
            let (theirs, told) = if played.mover == enemy {
                (played.piece, battle.attacker.is_some())
            } else {
                (struck, battle.defender.is_some())
            };
            let bit = 1u64 << theirs.number();
            if battle.advances && struck.colour() == enemy {
                self.moved |= bit;
            }
            if told && rules.reveal != Reveal::Never && self.known & bit == 0 {
                self.known |= bit;
                self.by_battle |= bit;
            }
        }
        if let (Some(rescue), Some((piece, _))) = (seen.rescue, played.rescue)
            && played.mover == enemy
        {
            let bit = 1u64 << piece.number();
            self.moved &= !bit;
            self.known &= !bit;
            self.by_battle &= !bit;
            if rescue.rank.is_some() && rules.reveal != Reveal::Never {
                self.known |= bit;
                self.by_battle |= bit;
            }
        }
    }

    /// The position as this side sees it.
    pub fn view<'a>(&'a self, position: &'a Position) -> View<'a> {
        View { position, sight: self }
    }

    /// What this side sees on a square.
    pub fn square(&self, position: &Position, square: Square) -> SeenSquare {
        if position.board().is_lake(square) {
            return SeenSquare::Lake;
        }
        match position.piece(square) {
            None => SeenSquare::Empty,
            Some((piece, rank)) if piece.colour() == self.side => SeenSquare::Own(rank),
            Some((piece, rank)) => {
                let bit = 1u64 << piece.number();
                if self.known & bit != 0 {
                    SeenSquare::Known(rank)
                } else if self.moved & bit != 0 {
                    SeenSquare::Moved
                } else {
                    SeenSquare::Unknown
                }
            }
        }
    }
}

/// A position as one side sees it: what a front may tell of it, and no more.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    position: &'a Position,
    sight: &'a Sight,
}

impl<'a> View<'a> {
    /// Whose view it is.
    pub fn side(&self) -> Colour {
        self.sight.side
    }

    /// The board.
    pub fn board(&self) -> &'a Board {
        self.position.board()
    }

    /// How many plies were played.
    pub fn plies(&self) -> u32 {
        self.position.plies()
    }

    /// What is seen on a square.
    pub fn square(&self, square: Square) -> SeenSquare {
        self.sight.square(self.position, square)
    }

    /// The squares on which a colour's pieces stand, in the order of squares: that they do is no secret.
    pub fn occupied(&self, colour: Colour) -> impl Iterator<Item = Square> + 'a {
        let of =
            move |(square, piece, _): (Square, PieceId, Rank)| (piece.colour() == colour).then_some(square);
        self.position.pieces().filter_map(of)
    }

    /// The moves that the side to move may make. They depend on its own ranks and on public facts alone (SPEC.md,
    /// `rule.chase-public`), so they are for that side to know.
    pub fn legal_moves(&self, moves: &mut MoveList) {
        self.position.legal_moves(moves);
    }
}

/// A square as one side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenSquare {
    /// No piece.
    Empty,
    /// A lake.
    Lake,
    /// An own piece.
    Own(Rank),
    /// An enemy piece whose rank this side knows by the book.
    Known(Rank),
    /// An enemy piece that has moved.
    Moved,
    /// An enemy piece that has not moved.
    Unknown,
}
