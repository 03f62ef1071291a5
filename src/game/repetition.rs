//! The two repetition rules: two-squares, and the more-squares or chase rule.
//!
//! Both use public facts only: pieces are told apart as physical pieces, never by a hidden rank, so that a verdict
//! tells nothing and each bot can compute it. Sources: ISF game rules, articles 10 and 11, in the exact reading of
//! ARCHITECTURE.md ("How the repetition rules are read").
//!
//! **Two-squares.** A piece crosses a *border* when it steps from a square to its neighbour; a scout's run crosses
//! every border on its way. Under limit n a move is barred when it and the player's last n moves were all made by
//! the same piece and one border was crossed by every one of them.
//!
//! **Chase.** A move *threatens* the enemy pieces next to the square where it lands; a reply *evades* when it moves
//! a piece that was just threatened. A chase is alive while every move of the chaser threatens something and every
//! reply evades; a battle ends it. Under `isf` a move is barred when it threatens a piece that evaded in this
//! chase and the position after it stood already during this chase, with the same side to move; under `any` when
//! it threatens any piece and the arrangement stood already, whoever was to move. The exact undo of the player's
//! own previous move is never barred.

use super::battle::Outcome;
use super::board::{Coordinates, Square};
use super::piece::{Colour, PieceId};
use super::position::{Move, NONE, Position, key_change};
use super::rules::Chase;

/// The two-squares rule asked about one move: what it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuttle {
    /// The limit of the rule book.
    pub limit: u32,
    /// The player's last moves with their plies from 1, newest first, as far as the same piece made them without a
    /// break.
    pub moves: Vec<(u32, Move)>,
    /// How many of these, from the newest, cross one border together with the move that was asked about.
    pub sharing: u32,
    /// The borders that all of those cross, each by the two squares it divides; without any, those of the move alone.
    pub borders: Vec<(Square, Square)>,
    /// Whether the move is barred.
    pub barred: bool,
}

/// What the chase rule says of a move: the first of these, in this order, that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChaseRuling {
    /// No chase of the mover is alive, so nothing is barred.
    NoChase,
    /// Nothing has evaded yet, so nothing of the chase can have come back.
    NoEvasion,
    /// A battle ends all chases.
    Battle,
    /// It threatens no piece that counts: none that evaded, or under `any` none at all.
    NoThreat,
    /// It is the exact undo of the player's own previous move, which is never barred.
    Undo,
    /// The position after it has not stood in this chase.
    NewPosition,
    /// It brings back the position that stood after this ply, counted from 1: barred.
    Repeats(u32),
}

/// A move of a live chase, and the reply to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChaseTurn {
    /// The ply of the chaser's move, from 1; the reply is the next.
    pub ply: u32,
    /// The chaser's move.
    pub mv: Move,
    /// The pieces it threatened, and where they stood.
    pub threatened: Vec<(PieceId, Square)>,
    /// The reply, which evaded.
    pub reply: Move,
}

/// The chase rule asked about one move of the side to move: what is alive, and what would come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChaseFacts {
    /// The reading of the rule book: never `off`.
    pub reading: Chase,
    /// The mover's live chase from its first move on, ply by ply; empty where none is alive.
    pub turns: Vec<ChaseTurn>,
    /// Where the enemy pieces stand that have evaded in this chase.
    pub evaders: Vec<Square>,
    /// Where the enemy pieces stand that the move would threaten, were it to land there without a battle.
    pub threatens: Vec<Square>,
    /// The ply, from 1, after which the position stood that would come back, also where that bars nothing.
    pub repeats: Option<u32>,
    /// What follows.
    pub ruling: ChaseRuling,
}

impl ChaseFacts {
    /// Whether the move is barred.
    pub const fn barred(&self) -> bool {
        matches!(self.ruling, ChaseRuling::Repeats(_))
    }
}

/// What is remembered of a side's chase.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ChaseState {
    alive: bool,
    /// The ply, from 0, of the chase's first move.
    start: u32,
    /// The enemy pieces that the last move threatened, by their numbers.
    threatened: u64,
    /// The enemy pieces that evaded in this chase.
    evaded: u64,
}

/// The borders that a move crosses: those between `low` and `high` on one line.
#[derive(Clone, Copy)]
struct Borders {
    vertical: bool,
    line: u8,
    low: u8,
    high: u8,
}

impl Borders {
    fn shared(self, other: Borders) -> Option<Borders> {
        if self.vertical != other.vertical || self.line != other.line {
            return None;
        }
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low < high).then_some(Borders { low, high, ..self })
    }
}

impl Chase {
    /// How many plies apart two positions are at least that this reading may call the same: under `isf` the same
    /// side is to move. None where there is no such rule.
    const fn stride(self) -> Option<usize> {
        match self {
            Chase::Off => None,
            Chase::Isf => Some(2),
            Chase::Any => Some(1),
        }
    }
}

impl Position {
    fn borders(&self, from: u8, to: u8) -> Borders {
        let board = self.board();
        let (from, to) = (from as usize, to as usize);
        let (f0, r0, f1, r1) =
            (board.file_of[from], board.rank_of[from], board.file_of[to], board.rank_of[to]);
        if f0 == f1 {
            Borders { vertical: true, line: f0, low: r0.min(r1), high: r0.max(r1) }
        } else {
            Borders { vertical: false, line: r0, low: f0.min(f1), high: f0.max(f1) }
        }
    }

    /// Whether the two-squares rule bars this pseudo-legal move of `side`.
    pub(super) fn two_squares_bars(&self, side: Colour, mv: Move) -> bool {
        let Some(limit) = self.rules.two_squares else {
            return false;
        };
        self.streak(side, self.at[mv.from.index()]) >= limit && self.sharing(side, mv, limit).0 == limit
    }

    /// How many of the side's last moves, at most `most` of them, cross one border together with this one, and
    /// which borders all of these cross.
    fn sharing(&self, side: Colour, mv: Move, most: u32) -> (u32, Borders) {
        let (mut count, mut borders) = (0, self.borders(mv.from.0, mv.to.0));
        for past in self.last_moves(side).take(most as usize) {
            match borders.shared(self.borders(past.from, past.to)) {
                Some(still) => (count, borders) = (count + 1, still),
                None => break,
            }
        }
        (count, borders)
    }

    /// What the two-squares rule says of a move of the side to move; nothing where the book has no such rule.
    pub fn shuttle(&self, mv: Move) -> Option<Shuttle> {
        let limit = self.rules.two_squares?;
        let side = self.to_move();
        let streak = self.streak(side, self.at[mv.from.index()]);
        let plies = (1..self.plies()).rev().step_by(2);
        let moves = self
            .last_moves(side)
            .take(streak as usize)
            .zip(plies)
            .map(|(past, ply)| (ply, Move { from: Square(past.from), to: Square(past.to) }))
            .collect();
        let (sharing, crossed) = self.sharing(side, mv, streak);
        let square = |along: u8| {
            let (file, rank) = if crossed.vertical { (crossed.line, along) } else { (along, crossed.line) };
            self.board()
                .square(Coordinates { file, rank })
                .expect("a border lies between squares of the board")
        };
        let borders = (crossed.low..crossed.high).map(|low| (square(low), square(low + 1))).collect();
        Some(Shuttle { limit, moves, sharing, borders, barred: self.two_squares_bars(side, mv) })
    }

    /// What the chase rule says of a move of the side to move, which must be one that squares and pieces allow;
    /// nothing where the book has no such rule.
    pub fn chase_facts(&self, mv: Move) -> Option<ChaseFacts> {
        let reading = self.rules.chase;
        let stride = reading.stride()?;
        let side = self.to_move();
        let chase = &self.chase[side.index()];
        let squares = |set: u64| {
            let of = |(square, piece, _): (Square, PieceId, _)| {
                let theirs = piece.colour() != side && set >> piece.number() & 1 == 1;
                theirs.then_some(square)
            };
            self.pieces().filter_map(of).collect()
        };
        let quiet = self.all[side.other().index()] & mv.to.bit() == 0;
        Some(ChaseFacts {
            reading,
            turns: if chase.alive { self.chase_turns(side, chase.start) } else { Vec::new() },
            evaders: squares(if chase.alive { chase.evaded } else { 0 }),
            threatens: squares(self.threats(side, mv.to.0)),
            repeats: if chase.alive && quiet { self.came_back(mv, chase.start, stride) } else { None },
            ruling: self.chase_ruling(mv),
        })
    }

    /// The moves of a live chase and the replies, from its first ply on (counted from 0), with the boards of then.
    fn chase_turns(&self, side: Colour, start: u32) -> Vec<ChaseTurn> {
        let turns = (start as usize..self.past.len()).step_by(2).map(|index| {
            let (past, reply) = (&self.past[index], &self.past[index + 1]);
            let at = self.board_before(&self.at, index + 1);
            let around = self.board().neighbours[past.to as usize];
            let threatened = (0..self.board().squares() as u8)
                .map(|square| (PieceId(at[square as usize]), Square(square)))
                .filter(|(piece, square)| {
                    around & square.bit() != 0 && piece.0 != NONE && piece.colour() != side
                })
                .collect();
            ChaseTurn {
                ply: index as u32 + 1,
                mv: Move { from: Square(past.from), to: Square(past.to) },
                threatened,
                reply: Move { from: Square(reply.from), to: Square(reply.to) },
            }
        });
        turns.collect()
    }

    /// Whether a chase of `side` could bar a move of it now.
    #[inline]
    pub(super) fn chase_may_bar(&self, side: Colour) -> bool {
        let chase = &self.chase[side.index()];
        chase.alive && chase.evaded != 0
    }

    /// The enemies of `side`, by their numbers, next to a square.
    #[inline]
    fn threats(&self, side: Colour, square: u8) -> u64 {
        let mut around = self.board().neighbours[square as usize] & self.all[side.other().index()];
        let mut threatened = 0;
        while around != 0 {
            let enemy = self.at[around.trailing_zeros() as usize];
            threatened |= 1u64 << (enemy & 63);
            around &= around - 1;
        }
        threatened
    }

    /// Whether the chase rule bars this pseudo-legal move of the side to move.
    #[inline]
    pub(super) fn chase_bars(&self, mv: Move) -> bool {
        matches!(self.chase_ruling(mv), ChaseRuling::Repeats(_))
    }

    /// What the chase rule says of this pseudo-legal move of the side to move.
    #[inline]
    fn chase_ruling(&self, mv: Move) -> ChaseRuling {
        let side = self.to_move();
        let chase = &self.chase[side.index()];
        let (Some(stride), true) = (self.rules.chase.stride(), chase.alive) else {
            return ChaseRuling::NoChase;
        };
        // Before the first evasion nothing of the chase can have come back: its window holds only the position
        // after its first move. So both readings may ask for an evasion here.
        if chase.evaded == 0 {
            return ChaseRuling::NoEvasion;
        }
        if self.all[side.other().index()] & mv.to.bit() != 0 {
            return ChaseRuling::Battle;
        }
        let threats = self.threats(side, mv.to.0);
        let counts = if self.rules.chase == Chase::Any { threats } else { threats & chase.evaded };
        if counts == 0 {
            return ChaseRuling::NoThreat;
        }
        let piece = self.at[mv.from.index()];
        let undone = self.last_moves(side).next().expect("a live chase has a move");
        if (undone.piece, undone.from, undone.to) == (piece, mv.to.0, mv.from.0) {
            return ChaseRuling::Undo;
        }
        self.came_back(mv, chase.start, stride).map_or(ChaseRuling::NewPosition, ChaseRuling::Repeats)
    }

    /// The latest ply, from 1, not before ply `start` (from 0) and with a stride back from the move's own, after
    /// which the arrangement stood that a move into an empty square would make.
    fn came_back(&self, mv: Move, start: u32, stride: usize) -> Option<u32> {
        let piece = self.at[mv.from.index()];
        let after = self.key.wrapping_add(key_change(piece, mv.from.0, mv.to.0));
        let mut at = None;
        let now = self.past.len();
        let mut index = now.wrapping_sub(stride);
        while index < now && index >= start as usize {
            if self.past[index].key == after {
                let board = at.get_or_insert_with(|| {
                    let mut board = self.at;
                    board.swap(mv.from.index(), mv.to.index());
                    board
                });
                if self.board_before(&self.at, index + 1) == *board {
                    return Some(index as u32 + 1);
                }
            }
            index = index.wrapping_sub(stride);
        }
        None
    }

    /// Follows both sides' chases over a move of the side to move, which is carried out on the board but not yet
    /// in the history.
    #[inline]
    pub(super) fn follow_chases(&mut self, piece: u8, to: u8, battle: Option<Outcome>) {
        let mover = self.to_move();
        let (me, you) = (mover.index(), mover.other().index());
        let theirs = &mut self.chase[you];
        if theirs.alive {
            let bit = 1u64 << (piece & 63);
            if battle.is_none() && theirs.threatened & bit != 0 {
                theirs.evaded |= bit;
            } else {
                theirs.alive = false;
            }
        }
        let stands = matches!(battle, None | Some(Outcome::Won));
        let threatened = if stands { self.threats(mover, to) } else { 0 };
        let start = self.past.len() as u32;
        let mine = &mut self.chase[me];
        if threatened == 0 {
            mine.alive = false;
        } else if mine.alive && battle.is_none() {
            mine.threatened = threatened;
        } else {
            *mine = ChaseState { alive: true, start, threatened, evaded: 0 };
        }
    }
}
