//! A position: the pieces on their squares with all that the rules remember of the game so far; its legal
//! moves, and what a move makes of it.
//!
//! Sets of squares are `u128`s, pieces are numbers, and a position never asks who may see what (that is
//! [`super::view`]). The repetition rules are in [`super::repetition`].

use std::fmt;
use std::sync::Arc;

use super::battle::{self, Battle, Outcome};
use super::board::{Board, MOST_SQUARES, Square};
use super::deployment::Deployment;
use super::moves::MoveList;
use super::piece::{Colour, PieceId, Rank};
use super::repetition::ChaseState;
use super::rules::{BothImmobile, Chase, Rescue, Rules, ScoutStrike};

/// A move from a square to a square; a battle where an enemy stands on the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes or strikes.
    pub to: Square,
}

/// A captured piece brought back in the same turn as a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RescueChoice {
    /// Its rank.
    pub rank: Rank,
    /// Where it is put.
    pub to: Square,
}

/// Why a move is illegal. The order of the variants is the order of judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Illegal {
    /// A square is not on the board.
    OffBoard,
    /// Nothing stands on the first square.
    NoPiece,
    /// An enemy stands on the first square.
    NotYours,
    /// A bomb or flag stands there.
    Immobile,
    /// Both squares are the same.
    SameSquare,
    /// The second square is a lake.
    Lake,
    /// An own piece stands on the second square.
    OwnPiece,
    /// Not along a row or file.
    NotStraight,
    /// More than a square, and no scout.
    TooFar,
    /// Something is in the way.
    Blocked,
    /// A scout strikes from afar where it may not.
    StrikeFar,
    /// The two-squares rule.
    TwoSquares,
    /// The more-squares rule.
    Chase,
    /// A rescue that the rule book does not give here.
    Rescue,
}

impl Illegal {
    /// Every reason, in the order of judgement.
    pub const ALL: [Illegal; 14] = [
        Illegal::OffBoard,
        Illegal::NoPiece,
        Illegal::NotYours,
        Illegal::Immobile,
        Illegal::SameSquare,
        Illegal::Lake,
        Illegal::OwnPiece,
        Illegal::NotStraight,
        Illegal::TooFar,
        Illegal::Blocked,
        Illegal::StrikeFar,
        Illegal::TwoSquares,
        Illegal::Chase,
        Illegal::Rescue,
    ];

    /// The slug of the broken clause.
    pub const fn clause(self) -> &'static str {
        match self {
            Illegal::OffBoard => "move.off-board",
            Illegal::NoPiece => "move.no-piece",
            Illegal::NotYours => "move.not-yours",
            Illegal::Immobile => "move.immobile",
            Illegal::SameSquare => "move.same-square",
            Illegal::Lake => "move.lake",
            Illegal::OwnPiece => "move.own-piece",
            Illegal::NotStraight => "move.not-straight",
            Illegal::TooFar => "move.too-far",
            Illegal::Blocked => "move.blocked",
            Illegal::StrikeFar => "move.strike-far",
            Illegal::TwoSquares => "move.two-squares",
            Illegal::Chase => "move.chase",
            Illegal::Rescue => "move.rescue",
        }
    }

    /// The reason as the end of a sentence that starts with the move.
    pub const fn because(self) -> &'static str {
        match self {
            Illegal::OffBoard => "leaves the board",
            Illegal::NoPiece => "starts on a square where no piece stands",
            Illegal::NotYours => "moves a piece of the opponent",
            Illegal::Immobile => "moves a bomb or a flag",
            Illegal::SameSquare => "goes nowhere",
            Illegal::Lake => "goes into a lake",
            Illegal::OwnPiece => "goes where an own piece stands",
            Illegal::NotStraight => "does not go along a row or file",
            Illegal::TooFar => "goes more than one square, with a piece that is no scout",
            Illegal::Blocked => "goes through a piece or a lake",
            Illegal::StrikeFar => "runs and strikes in one turn",
            Illegal::TwoSquares => "is barred by the two-squares rule",
            Illegal::Chase => "is barred by the more-squares rule: it repeats a position of this chase",
            Illegal::Rescue => "asks for a rescue that the rules do not give here",
        }
    }
}

/// Why the rules give no rescue with a move that is legal by itself. The order of the variants is the order of
/// judgement; all of them are [`Illegal::Rescue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoRescue {
    /// The rule book has no rescue.
    Off,
    /// The move does not end on the opponent's back row.
    NotFarRow,
    /// A scout does not rescue (rule text 000).
    Scout,
    /// The player has made two rescues (rule text 000).
    TwoMade,
    /// The piece has made one before (rule text 000).
    SamePiece,
    /// A bomb, or under rule text 001 a piece that does not move.
    Rank,
    /// The square is not among those to which a piece may come back.
    Place,
    /// The square is not free after the move.
    Occupied,
    /// No such piece of the player is captured.
    NoneCaptured,
}

/// Why a game is over on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The flag of the other side was taken.
    FlagCaptured(Colour),
    /// The other side cannot move on its turn. The winner is named.
    NoLegalMove(Colour),
    /// Neither side can move.
    BothImmobile,
    /// A position was seen as often as the book allows.
    Repetition,
    /// No battle for as many plies as the book allows.
    NoAttack,
    /// As many plies as the book allows.
    Length,
}

impl Ending {
    /// The winner, or none where it is a draw.
    pub const fn winner(self) -> Option<Colour> {
        match self {
            Ending::FlagCaptured(winner) | Ending::NoLegalMove(winner) => Some(winner),
            _ => None,
        }
    }

    /// The word of protocol and files.
    pub const fn reason(self) -> &'static str {
        match self {
            Ending::FlagCaptured(_) => "flag-captured",
            Ending::NoLegalMove(_) => "no-legal-move",
            Ending::BothImmobile => "both-immobile",
            Ending::Repetition => "repetition",
            Ending::NoAttack => "no-attack",
            Ending::Length => "length",
        }
    }
}

/// What a move did: the whole truth, for both sides' eyes. See [`Played::seen_by`] for what each is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who moved.
    pub mover: Colour,
    /// The piece that moved.
    pub piece: PieceId,
    /// From where to where.
    pub mv: Move,
    /// The piece that was struck, if any.
    pub struck: Option<PieceId>,
    /// The battle, if there was one.
    pub battle: Option<Battle>,
    /// The piece that came back, with what the player chose.
    pub rescue: Option<(PieceId, RescueChoice)>,
}

/// No piece.
pub(super) const NONE: u8 = u8::MAX;

/// A ply as the position remembers it: enough to take it back from a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    pub(super) piece: u8,
    pub(super) from: u8,
    pub(super) to: u8,
    struck: u8,
    battle: bool,
    rescued: u8,
    rescued_to: u8,
    /// The key of the position after this ply.
    pub(super) key: u64,
}

impl Past {
    /// Whether this ply took a piece from the board or brought one back.
    fn changes_pieces(&self) -> bool {
        self.battle || self.rescued != NONE
    }
}

/// The plies of a game, with room for more: a position that is copied is mostly played on from.
#[derive(Debug)]
pub(super) struct History(Vec<Past>);

impl History {
    const ROOM: usize = 1024;

    fn new() -> History {
        History(Vec::with_capacity(History::ROOM))
    }
}

impl Clone for History {
    fn clone(&self) -> History {
        let mut plies = Vec::with_capacity(self.0.len() + History::ROOM);
        plies.extend_from_slice(&self.0);
        History(plies)
    }
}

impl std::ops::Deref for History {
    type Target = Vec<Past>;
    #[inline]
    fn deref(&self) -> &Vec<Past> {
        &self.0
    }
}

/// A position in a game.
#[derive(Clone)]
pub struct Position {
    pub(super) rules: Arc<Rules>,
    /// The piece on each square.
    pub(super) at: [u8; MOST_SQUARES],
    /// The rank of each piece, by its number.
    rank: [Rank; 128],
    pub(super) all: [u128; 2],
    pub(super) movable: [u128; 2],
    scouts: [u128; 2],
    to_move: Colour,
    first: Colour,
    /// Plies since the last battle.
    quiet: u32,
    pub(super) key: u64,
    start_key: u64,
    pub(super) past: History,
    pub(super) chase: [ChaseState; 2],
    /// The piece that each side moved last, and how many times in a row.
    streak: [(u8, u32); 2],
    captured: [u64; 2],
    rescuers: [u64; 2],
    rescues: [u8; 2],
    ending: Option<Ending>,
}

/// Numbers without a pattern, odd: SplitMix64 (Steele, Lea, Flood 2014).
const fn odd_numbers(mut state: u64) -> [u64; 128] {
    let mut numbers = [0; 128];
    let mut i = 0;
    while i < 128 {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        numbers[i] = (z ^ (z >> 31)) | 1;
        i += 1;
    }
    numbers
}

static PIECE_KEYS: [u64; 128] = odd_numbers(1);
static SQUARE_KEYS: [u64; 128] = odd_numbers(2);

/// The key of a piece on a square. Keys of pieces are summed; equal keys are always checked against the boards,
/// so a collision costs time and never a wrong verdict.
#[inline]
pub(super) fn key(piece: u8, square: u8) -> u64 {
    PIECE_KEYS[(piece & 127) as usize].wrapping_mul(SQUARE_KEYS[(square & 127) as usize])
}

/// By how much the key changes when a piece goes from one square to another.
#[inline]
pub(super) fn key_change(piece: u8, from: u8, to: u8) -> u64 {
    let squares = SQUARE_KEYS[(to & 127) as usize].wrapping_sub(SQUARE_KEYS[(from & 127) as usize]);
    PIECE_KEYS[(piece & 127) as usize].wrapping_mul(squares)
}

impl Position {
    /// The position before the first move.
    pub fn new(rules: Arc<Rules>, red: &Deployment, blue: &Deployment, first: Colour) -> Position {
        let board = &rules.board;
        let mut pieces: Vec<(Colour, Square, Rank)> = Vec::with_capacity(128);
        for (colour, deployment) in [(Colour::Red, red), (Colour::Blue, blue)] {
            pieces.extend(deployment.pieces(board, colour).map(|(square, rank)| (colour, square, rank)));
        }
        pieces.sort_by_key(|&(_, square, _)| square);
        Position::from_pieces(rules, &pieces, first)
    }

    /// A position with any pieces anywhere, for records and tests: each with its own square, none on a lake, at
    /// most [`PieceId::MOST`] a side, in the order of their squares.
    pub(crate) fn from_pieces(
        rules: Arc<Rules>,
        pieces: &[(Colour, Square, Rank)],
        first: Colour,
    ) -> Position {
        let mut position = Position {
            at: [NONE; MOST_SQUARES],
            rank: [Rank::Flag; 128],
            all: [0; 2],
            movable: [0; 2],
            scouts: [0; 2],
            to_move: first,
            first,
            quiet: 0,
            key: 0,
            start_key: 0,
            past: History::new(),
            chase: [ChaseState::default(); 2],
            streak: [(NONE, 0); 2],
            captured: [0; 2],
            rescuers: [0; 2],
            rescues: [0; 2],
            ending: None,
            rules,
        };
        let mut next = [0usize; 2];
        for &(colour, square, rank) in pieces {
            let id = PieceId::new(colour, next[colour.index()]);
            next[colour.index()] += 1;
            position.rank[id.index()] = rank;
            position.put(id.0, square.0);
        }
        position.start_key = position.key;
        position
    }

    #[inline]
    fn put(&mut self, piece: u8, square: u8) {
        let (side, bit) = ((piece >> 6) as usize, 1u128 << square);
        self.at[square as usize] = piece;
        self.key = self.key.wrapping_add(key(piece, square));
        self.all[side] |= bit;
        let rank = self.rank[piece as usize];
        if rank.moves() {
            self.movable[side] |= bit;
        }
        if rank == Rank::Scout {
            self.scouts[side] |= bit;
        }
    }

    #[inline]
    fn lift(&mut self, piece: u8, square: u8) {
        let (side, bit) = ((piece >> 6) as usize, 1u128 << square);
        self.at[square as usize] = NONE;
        self.key = self.key.wrapping_sub(key(piece, square));
        self.all[side] &= !bit;
        self.movable[side] &= !bit;
        self.scouts[side] &= !bit;
    }

    #[inline]
    fn shift(&mut self, piece: u8, from: u8, to: u8) {
        let side = (piece >> 6) as usize;
        let (off, on) = (!(1u128 << from), 1u128 << to);
        self.at[from as usize] = NONE;
        self.at[to as usize] = piece;
        self.key = self.key.wrapping_add(key_change(piece, from, to));
        self.all[side] = self.all[side] & off | on;
        self.movable[side] = self.movable[side] & off | on;
        if self.rank[piece as usize] == Rank::Scout {
            self.scouts[side] = self.scouts[side] & off | on;
        }
    }

    /// The rules it is played under.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.rules.board
    }

    /// The side to move.
    #[inline]
    pub fn to_move(&self) -> Colour {
        self.to_move
    }

    /// The side that made, or makes, the first move.
    pub fn first(&self) -> Colour {
        self.first
    }

    /// Plies played.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.past.len() as u32
    }

    /// The piece on a square, with its rank.
    pub fn piece(&self, square: Square) -> Option<(PieceId, Rank)> {
        let piece = self.at[square.index()];
        (piece != NONE).then(|| (PieceId(piece), self.rank[piece as usize]))
    }

    /// The rank of a piece, on the board or captured.
    pub fn rank_of(&self, piece: PieceId) -> Rank {
        self.rank[piece.index()]
    }

    /// All pieces on the board in the order of squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, PieceId, Rank)> + '_ {
        let squares = (0..self.board().squares() as u8).map(Square);
        squares.filter_map(|s| self.piece(s).map(|(id, rank)| (s, id, rank)))
    }

    #[inline]
    fn enemies(&self) -> u128 {
        self.all[self.to_move.other().index()]
    }

    /// Calls `visit` with each move that squares and pieces allow `side`, repetition rules apart, until it says
    /// to stop.
    #[inline(always)]
    fn pseudo_moves(&self, side: Colour, visit: impl FnMut(Move) -> bool) -> bool {
        // Nearly every board is ten wide, and sets are shifted faster by a number that the compiler knows.
        match self.rules.board.width() {
            10 => self.pseudo_moves_on::<10>(side, visit),
            _ => self.pseudo_moves_on::<0>(side, visit),
        }
    }

    /// The same on boards of `WIDTH` files, or of any width where it is 0.
    #[inline(always)]
    fn pseudo_moves_on<const WIDTH: u8>(&self, side: Colour, mut visit: impl FnMut(Move) -> bool) -> bool {
        let board = &self.rules.board;
        let (own, enemy) = (self.all[side.index()], self.all[side.other().index()]);
        let open = board.land & !own;
        let (movers, scouts) = (self.movable[side.index()], self.scouts[side.index()]);
        let width = if WIDTH == 0 { board.width() } else { WIDTH };
        let (up, far) = (u32::from(width), self.rules.scout_strike == ScoutStrike::Far);
        // North, south, east, west: as in the board's table of reaches.
        let steps: [(u128, u128, i16); 4] = [
            ((movers << up) & open, (scouts << up) & open, i16::from(width)),
            ((movers >> up) & open, (scouts >> up) & open, -i16::from(width)),
            (((movers & board.not_last_file) << 1) & open, ((scouts & board.not_last_file) << 1) & open, 1),
            (
                ((movers & board.not_first_file) >> 1) & open,
                ((scouts & board.not_first_file) >> 1) & open,
                -1,
            ),
        ];
        for (direction, (targets, runs, delta)) in steps.into_iter().enumerate() {
            for (half, base) in [(targets as u64, 0u8), ((targets >> 64) as u64, 64)] {
                let mut half = half;
                while half != 0 {
                    let to = base + half.trailing_zeros() as u8;
                    half &= half - 1;
                    let from = (i16::from(to) - delta) as u8;
                    if visit(Move { from: Square(from), to: Square(to) }) {
                        return true;
                    }
                }
            }
            let mut runs = runs & !enemy;
            while runs != 0 {
                let first = runs.trailing_zeros() as i16;
                runs &= runs - 1;
                let from = first - delta;
                let mut to = first;
                // Lakes end a reach, so what stands in the way is a piece.
                for _ in 1..board.reach[from as usize][direction] {
                    to += delta;
                    let piece = self.at[to as usize];
                    if piece != NONE && (PieceId(piece).colour() == side || !far) {
                        break;
                    }
                    if visit(Move { from: Square(from as u8), to: Square(to as u8) }) {
                        return true;
                    }
                    if piece != NONE {
                        break;
                    }
                }
            }
        }
        false
    }

    /// Puts every legal move of the side to move into `moves`, which is emptied first. The order is fixed but
    /// means nothing. A game that is over has none.
    #[inline]
    pub fn legal_moves(&self, moves: &mut MoveList) {
        moves.clear();
        if self.ending.is_some() {
            return;
        }
        self.pseudo_moves(self.to_move, |mv| {
            moves.push(mv);
            false
        });
        if self.may_bar() {
            moves.retain(|mv| self.barred(mv).is_none());
        }
    }

    /// Whether a repetition rule could bar any move now. Says yes more often than one does.
    #[inline]
    fn may_bar(&self) -> bool {
        let side = self.to_move.index();
        self.rules.two_squares.is_some_and(|limit| self.streak[side].1 >= limit)
            || self.chase_may_bar(self.to_move)
    }

    /// Which repetition rule bars this move, which must be a pseudo-legal one of the side to move.
    pub(super) fn barred(&self, mv: Move) -> Option<Illegal> {
        if self.two_squares_bars(self.to_move, mv) {
            Some(Illegal::TwoSquares)
        } else if self.chase_bars(mv) {
            Some(Illegal::Chase)
        } else {
            None
        }
    }

    /// How often in a row `side` moved this piece, as its last moves.
    pub(super) fn streak(&self, side: Colour, piece: u8) -> u32 {
        let (last, times) = self.streak[side.index()];
        if last == piece { times } else { 0 }
    }

    /// The last moves of a side, newest first.
    pub(super) fn last_moves(&self, side: Colour) -> impl Iterator<Item = &Past> {
        let skip = usize::from(side == self.to_move);
        self.past.iter().rev().skip(skip).step_by(2)
    }

    fn has_move(&self) -> bool {
        let may_bar = self.may_bar();
        self.pseudo_moves(self.to_move, |mv| !may_bar || self.barred(mv).is_none())
    }

    /// Whether the side not to move could move, were it its turn. The pass of the other side is no evasion, so
    /// no chase goes on over it; the two-squares rule counts as ever.
    fn opponent_could_move(&self) -> bool {
        let side = self.to_move.other();
        self.pseudo_moves(side, |mv| !self.two_squares_bars(side, mv))
    }

    /// Whether a side could move, were it its turn.
    pub fn could_move(&self, side: Colour) -> bool {
        if side == self.to_move { self.has_move() } else { self.opponent_could_move() }
    }

    /// How the game ended with the last move, as far as flags and counters tell; mobility is not asked.
    #[inline]
    pub fn ended(&self) -> Option<Ending> {
        self.ending
    }

    /// How the game ended, if it is over: flag, counters, then whether the side to move can move.
    pub fn outcome(&self) -> Option<Ending> {
        if self.ending.is_some() {
            return self.ending;
        }
        if self.has_move() {
            return None;
        }
        if self.rules.both_immobile == BothImmobile::Draw && !self.opponent_could_move() {
            return Some(Ending::BothImmobile);
        }
        Some(Ending::NoLegalMove(self.to_move.other()))
    }

    /// Judges a move of the side to move.
    ///
    /// # Errors
    /// The first reason, in the order of [`Illegal`], why it is illegal.
    pub fn judge(&self, mv: Move) -> Result<(), Illegal> {
        self.judge_geometry(mv)?;
        match self.barred(mv) {
            Some(illegal) => Err(illegal),
            None => Ok(()),
        }
    }

    /// Judges a move by squares and pieces alone.
    ///
    /// # Errors
    /// As [`Position::judge`], repetition rules apart.
    pub fn judge_geometry(&self, Move { from, to }: Move) -> Result<(), Illegal> {
        let board = self.board();
        let side = self.to_move;
        if from.index() >= board.squares() || to.index() >= board.squares() {
            return Err(Illegal::OffBoard);
        }
        let piece = self.at[from.index()];
        if piece == NONE {
            return Err(Illegal::NoPiece);
        }
        if PieceId(piece).colour() != side {
            return Err(Illegal::NotYours);
        }
        let rank = self.rank[piece as usize];
        if !rank.moves() {
            return Err(Illegal::Immobile);
        }
        if from == to {
            return Err(Illegal::SameSquare);
        }
        if board.is_lake(to) {
            return Err(Illegal::Lake);
        }
        if self.all[side.index()] & to.bit() != 0 {
            return Err(Illegal::OwnPiece);
        }
        let (a, b) = (board.coordinates(from), board.coordinates(to));
        if a.file != b.file && a.rank != b.rank {
            return Err(Illegal::NotStraight);
        }
        let distance = a.file.abs_diff(b.file) + a.rank.abs_diff(b.rank);
        if distance > 1 {
            if rank != Rank::Scout {
                return Err(Illegal::TooFar);
            }
            if self.obstacle(Move { from, to }).is_some() {
                return Err(Illegal::Blocked);
            }
            if self.rules.scout_strike == ScoutStrike::Adjacent && self.enemies() & to.bit() != 0 {
                return Err(Illegal::StrikeFar);
            }
        }
        Ok(())
    }

    /// The squares that a move along a row or file crosses between its two ends, nearest first.
    pub fn crossed(&self, Move { from, to }: Move) -> impl Iterator<Item = Square> + use<> {
        let (a, b) = (self.board().coordinates(from), self.board().coordinates(to));
        let distance = i16::from(a.file.abs_diff(b.file) + a.rank.abs_diff(b.rank));
        let delta = (i16::from(to.0) - i16::from(from.0)) / distance.max(1);
        (1..distance).map(move |step| Square((i16::from(from.0) + step * delta) as u8))
    }

    /// The first lake or piece between the two ends of a move along a row or file.
    pub fn obstacle(&self, mv: Move) -> Option<Square> {
        let open = self.board().land & !(self.all[0] | self.all[1]);
        self.crossed(mv).find(|square| open & square.bit() == 0)
    }

    /// Judges a move together with a rescue.
    ///
    /// # Errors
    /// As [`Position::judge`]; [`Illegal::Rescue`] where the move is legal and the rescue is not.
    pub fn judge_turn(&self, mv: Move, rescue: Option<RescueChoice>) -> Result<(), Illegal> {
        self.judge(mv)?;
        match rescue {
            Some(choice) => self.rescued(mv, choice).map(|_| ()).map_err(|_| Illegal::Rescue),
            None => Ok(()),
        }
    }

    /// The piece that a rescue would bring back with a legal move of the side to move. Whether a strike will be won
    /// is not asked: the price of a rescue must not depend on a hidden rank, so a rescue borne by a strike that is
    /// not won lapses.
    ///
    /// # Errors
    /// The first reason why the rule book gives no such rescue here.
    pub fn rescued(&self, mv: Move, choice: RescueChoice) -> Result<PieceId, NoRescue> {
        let side = self.to_move;
        let board = self.board();
        let mover = self.at[mv.from.index()];
        let text000 = match self.rules.rescue {
            Rescue::Off => return Err(NoRescue::Off),
            Rescue::Text000 => true,
            Rescue::Text001 => false,
        };
        if board.back_row(side.other()) & mv.to.bit() == 0 {
            return Err(NoRescue::NotFarRow);
        }
        if text000 {
            if self.rank[mover as usize] == Rank::Scout {
                return Err(NoRescue::Scout);
            }
            if self.rescues[side.index()] >= 2 {
                return Err(NoRescue::TwoMade);
            }
            if self.rescuers[side.index()] & (1 << (mover & 63)) != 0 {
                return Err(NoRescue::SamePiece);
            }
        }
        if if text000 { choice.rank == Rank::Bomb } else { !choice.rank.moves() } {
            return Err(NoRescue::Rank);
        }
        let zone = if text000 { board.deployment_zone(side) } else { board.back_row(side) };
        if choice.to.index() >= board.squares() || zone & choice.to.bit() == 0 {
            return Err(NoRescue::Place);
        }
        let occupied = (self.all[0] | self.all[1]) & !mv.from.bit() | mv.to.bit();
        if occupied & choice.to.bit() != 0 {
            return Err(NoRescue::Occupied);
        }
        // Of several captured pieces of that rank one that has made no rescue comes back first: better for its
        // player, and the same for both sides' knowledge.
        let captured = (0..64u8)
            .filter(|n| self.captured[side.index()] >> n & 1 == 1)
            .filter(|n| self.rank[(side.index() as u8 * 64 + n) as usize] == choice.rank);
        captured
            .min_by_key(|n| (self.rescuers[side.index()] >> n & 1, *n))
            .map(|n| PieceId(side.index() as u8 * 64 + n))
            .ok_or(NoRescue::NoneCaptured)
    }

    /// Plays a move after judging it.
    ///
    /// # Errors
    /// As [`Position::judge_turn`]; the position is then unchanged.
    pub fn play(&mut self, mv: Move, rescue: Option<RescueChoice>) -> Result<Played, Illegal> {
        self.judge_turn(mv, rescue)?;
        let rescued = match rescue {
            Some(choice) => Some((self.rescued(mv, choice).map_err(|_| Illegal::Rescue)?.0, choice)),
            None => None,
        };
        let struck = self.at[mv.to.index()];
        let lapses = struck != NONE && {
            let mover = self.rank[self.at[mv.from.index()] as usize];
            battle::fight(&self.rules, mover, self.rank[struck as usize]).outcome != Outcome::Won
        };
        Ok(self.carry_out(mv, if lapses { None } else { rescued }))
    }

    /// Plays a move that is known to be legal by squares and pieces: one of [`Position::legal_moves`], or one
    /// that [`Position::judge_geometry`] accepted.
    #[inline]
    pub fn play_known(&mut self, mv: Move) -> Played {
        self.carry_out(mv, None)
    }

    #[inline]
    fn carry_out(&mut self, mv: Move, rescued: Option<(u8, RescueChoice)>) -> Played {
        let (from, to) = (mv.from.0, mv.to.0);
        let mover = self.to_move;
        let (me, you) = (mover.index(), mover.other().index());
        let (piece, struck) = (self.at[from as usize], self.at[to as usize]);
        let (last, times) = self.streak[me];
        self.streak[me] = (piece, if last == piece { times + 1 } else { 1 });
        let battle = if struck == NONE {
            self.shift(piece, from, to);
            self.quiet += 1;
            None
        } else {
            Some(self.carry_out_battle(piece, struck, from, to))
        };
        let mut past = Past {
            piece,
            from,
            to,
            struck,
            battle: battle.is_some(),
            rescued: NONE,
            rescued_to: NONE,
            key: 0,
        };
        if let Some((returning, choice)) = rescued {
            self.put(returning, choice.to.0);
            self.captured[me] &= !(1 << (returning & 63));
            self.rescuers[me] |= 1 << (piece & 63);
            self.rescues[me] += 1;
            (past.rescued, past.rescued_to) = (returning, choice.to.0);
        }
        past.key = self.key;
        if self.rules.chase != Chase::Off {
            self.follow_chases(piece, to, battle.map(|b| b.outcome));
        }
        self.past.0.push(past);
        self.to_move = Colour::BOTH[you];
        self.ending = self.ending_of_last_move(battle);
        Played {
            mover,
            piece: PieceId(piece),
            mv,
            struck: (struck != NONE).then_some(PieceId(struck)),
            battle,
            rescue: rescued.map(|(id, choice)| (PieceId(id), choice)),
        }
    }

    fn carry_out_battle(&mut self, piece: u8, struck: u8, from: u8, to: u8) -> Battle {
        let (me, you) = ((piece >> 6) as usize, (struck >> 6) as usize);
        let battle = battle::fight(&self.rules, self.rank[piece as usize], self.rank[struck as usize]);
        self.quiet = 0;
        if battle.outcome != Outcome::Lost {
            self.lift(struck, to);
            self.captured[you] |= 1 << (struck & 63);
            if self.streak[you].0 == struck {
                self.streak[you] = (NONE, 0);
            }
        }
        if battle.outcome == Outcome::Won {
            self.shift(piece, from, to);
        } else {
            self.lift(piece, from);
            self.captured[me] |= 1 << (piece & 63);
            self.streak[me] = (NONE, 0);
        }
        if battle.advances {
            self.shift(struck, to, from);
            if self.streak[you].0 == struck {
                self.streak[you] = (NONE, 0);
            }
        }
        battle
    }

    #[inline]
    fn ending_of_last_move(&self, battle: Option<Battle>) -> Option<Ending> {
        if battle.is_some_and(|b| b.defender == Rank::Flag) {
            return Some(Ending::FlagCaptured(self.to_move.other()));
        }
        if let Some(times) = self.rules.repetition
            && self.times_seen(times) >= times
        {
            return Some(Ending::Repetition);
        }
        if self.rules.no_attack.is_some_and(|limit| self.quiet >= limit) {
            return Some(Ending::NoAttack);
        }
        if self.rules.length.is_some_and(|limit| self.plies() >= limit) {
            return Some(Ending::Length);
        }
        None
    }

    /// How often the present position was seen in the game with the same side to move, itself included; counting
    /// stops at `enough`.
    fn times_seen(&self, enough: u32) -> u32 {
        let mut seen = 1;
        let now = self.past.len();
        let mut before = now;
        while before >= 2 && seen < enough {
            // Nothing that a battle took comes back: a rescued piece counts as a new one.
            if self.past[before - 1].changes_pieces() || self.past[before - 2].changes_pieces() {
                break;
            }
            before -= 2;
            let key = if before == 0 { self.start_key } else { self.past[before - 1].key };
            if key == self.key && self.board_before(&self.at, before) == self.at {
                seen += 1;
            }
        }
        seen
    }

    /// The board as it stood after `plies` plies, taken back from `board`, the board as it is now.
    pub(super) fn board_before(&self, board: &[u8; MOST_SQUARES], plies: usize) -> [u8; MOST_SQUARES] {
        let mut at = *board;
        for past in self.past[plies..].iter().rev() {
            if past.rescued != NONE {
                at[past.rescued_to as usize] = NONE;
            }
            at[past.to as usize] = past.struck;
            // Where a defender advanced it stands on the attacker's square; the attacker goes back over it.
            at[past.from as usize] = past.piece;
        }
        at
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Position({} to move, ply {}, {})",
            self.to_move,
            self.plies(),
            super::notation::field(self)
        )
    }
}
