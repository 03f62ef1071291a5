//! A second, deliberately naive implementation of the rules, written from the
//! rules' text alone, to check the fast engine against. Whole boards are copied
//! after every ply and every question is answered by looking back through them.

#![allow(dead_code, clippy::collapsible_if)]

/// A square: file and rank, both from 0.
pub type Spot = (u8, u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveChase {
    Off,
    Isf,
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveAdvance {
    Attacker,
    Any,
    AnyButScout,
}

#[derive(Clone, Debug)]
pub struct NaiveRules {
    pub width: u8,
    pub height: u8,
    pub lakes: Vec<(u8, u8)>,
    pub two_squares: Option<u32>,
    pub chase: NaiveChase,
    pub scout_strikes_far: bool,
    pub equal_ranks_attacker_wins: bool,
    pub winner_advances: NaiveAdvance,
    pub both_immobile_is_draw: bool,
    pub no_attack: Option<u32>,
    pub length: Option<u32>,
    pub repetition: Option<u32>,
}

impl NaiveRules {
    pub fn isf() -> NaiveRules {
        NaiveRules {
            width: 10,
            height: 10,
            lakes: vec![(2, 4), (3, 4), (2, 5), (3, 5), (6, 4), (7, 4), (6, 5), (7, 5)],
            two_squares: Some(3),
            chase: NaiveChase::Isf,
            scout_strikes_far: true,
            equal_ranks_attacker_wins: false,
            winner_advances: NaiveAdvance::Attacker,
            both_immobile_is_draw: true,
            no_attack: Some(200),
            length: Some(2000),
            repetition: None,
        }
    }
}

/// Red's letters B..M and Blue's N..Y stand for these ranks, in this order.
const RANKS: [char; 12] = ['B', 'S', '2', '3', '4', '5', '6', '7', '8', '9', 'M', 'F'];

/// What stands on a square. The number names the physical piece for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Lake,
    Empty,
    Piece(u16),
}

type Board = Vec<Cell>;

/// What never changes about a piece.
#[derive(Clone, Debug)]
struct Piece {
    red: bool,
    rank: char,
    letter: char,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Battle {
    Won,
    Lost,
    Both,
}

/// A move that was made, with all that later questions ask about it.
#[derive(Clone, Debug)]
struct Ply {
    red: bool,
    piece: u16,
    from: Spot,
    to: Spot,
    battle: bool,
    took_flag: bool,
    /// The defender that won and moved to the attacker's square of origin.
    advanced: Option<u16>,
    /// The enemy pieces next to the square where the moved piece landed.
    threatened: Vec<u16>,
    /// The whole board after the ply.
    after: Board,
}

#[derive(Clone, Debug)]
pub struct NaiveGame {
    rules: NaiveRules,
    red_first: bool,
    pieces: Vec<Piece>,
    start: Board,
    plies: Vec<Ply>,
}

impl NaiveGame {
    pub fn new(rules: NaiveRules, field: &str, red_first: bool) -> NaiveGame {
        let letters: Vec<char> = field.chars().collect();
        let width = rules.width as usize;
        assert_eq!(letters.len(), width * rules.height as usize);
        let mut pieces = Vec::new();
        let mut start = Vec::new();
        for (i, &letter) in letters.iter().enumerate() {
            let spot = ((i % width) as u8, (i / width) as u8);
            let lake = rules.lakes.contains(&spot);
            let cell = match letter {
                'A' | 'a' | '_' if lake => Cell::Lake,
                'A' | 'a' => Cell::Empty,
                'B'..='Y' if !lake => {
                    let n = letter as usize - 'B' as usize;
                    pieces.push(Piece { red: n < 12, rank: RANKS[n % 12], letter });
                    Cell::Piece(pieces.len() as u16 - 1)
                }
                _ => panic!("letter {letter} at {spot:?}"),
            };
            start.push(cell);
        }
        NaiveGame { rules, red_first, pieces, start, plies: Vec::new() }
    }

    pub fn red_to_move(&self) -> bool {
        match self.plies.last() {
            Some(ply) => !ply.red,
            None => self.red_first,
        }
    }

    /// May the side to move make this move? If not, the first clause it breaks.
    pub fn judge(&self, from: Spot, to: Spot) -> Result<(), &'static str> {
        let red = self.red_to_move();
        self.geometry(red, from, to)?;
        if self.two_squares_bars(red, from, to) {
            return Err("move.two-squares");
        }
        if self.chase_bars(from, to) {
            return Err("move.chase");
        }
        Ok(())
    }

    /// All moves that `judge` accepts, sorted.
    pub fn legal(&self) -> Vec<(Spot, Spot)> {
        let mut all = Vec::new();
        for (from, to) in self.candidates(self.red_to_move()) {
            if self.judge(from, to).is_ok() {
                all.push((from, to));
            }
        }
        all.sort();
        all
    }

    pub fn play(&mut self, from: Spot, to: Spot) -> String {
        if let Err(clause) = self.judge(from, to) {
            panic!("{from:?} {to:?}: {clause}");
        }
        self.carry_out(from, to)
    }

    /// Plays a move without asking the two-squares and chase rules.
    pub fn play_unjudged(&mut self, from: Spot, to: Spot) -> String {
        if let Err(clause) = self.geometry(self.red_to_move(), from, to) {
            panic!("{from:?} {to:?}: {clause}");
        }
        self.carry_out(from, to)
    }

    pub fn ending(&self) -> Option<&'static str> {
        // Flag captured?
        for ply in &self.plies {
            if ply.took_flag {
                return Some(if ply.red { "red flag-captured" } else { "blue flag-captured" });
            }
        }
        // The draw counters.
        if let Some(n) = self.rules.repetition {
            if self.times_seen() >= n {
                return Some("draw repetition");
            }
        }
        if let Some(n) = self.rules.no_attack {
            let quiet = self.plies.iter().rev().take_while(|p| !p.battle).count();
            if quiet >= n as usize {
                return Some("draw no-attack");
            }
        }
        if let Some(n) = self.rules.length {
            if self.plies.len() >= n as usize {
                return Some("draw length");
            }
        }
        // Can the side to move move?
        let red = self.red_to_move();
        let mut moves = self.candidates(red).into_iter();
        if moves.any(|(from, to)| self.judge(from, to).is_ok()) {
            return None;
        }
        if self.rules.both_immobile_is_draw {
            // The other side, were it to move now. The pass of the blocked side
            // does not evade, so no chase is alive and only two-squares bars.
            let mut moves = self.candidates(!red).into_iter();
            let other_moves = moves.any(|(from, to)| {
                self.geometry(!red, from, to).is_ok() && !self.two_squares_bars(!red, from, to)
            });
            if !other_moves {
                return Some("draw both-immobile");
            }
        }
        Some(if red { "blue no-legal-move" } else { "red no-legal-move" })
    }

    /// The present board in the letters.
    pub fn field(&self) -> String {
        let mut text = String::new();
        for &cell in self.board() {
            text.push(match cell {
                Cell::Lake => '_',
                Cell::Empty => 'A',
                Cell::Piece(id) => self.pieces[id as usize].letter,
            });
        }
        text
    }

    // ---- the board ----

    fn board(&self) -> &Board {
        match self.plies.last() {
            Some(ply) => &ply.after,
            None => &self.start,
        }
    }

    fn on_board(&self, spot: Spot) -> bool {
        spot.0 < self.rules.width && spot.1 < self.rules.height
    }

    fn index(&self, spot: Spot) -> usize {
        spot.1 as usize * self.rules.width as usize + spot.0 as usize
    }

    fn at(&self, spot: Spot) -> Cell {
        self.board()[self.index(spot)]
    }

    fn piece(&self, id: u16) -> &Piece {
        &self.pieces[id as usize]
    }

    /// Every pair of a square with a piece of that side and another square of
    /// the same row or file.
    fn candidates(&self, red: bool) -> Vec<(Spot, Spot)> {
        let mut all = Vec::new();
        for rank in 0..self.rules.height {
            for file in 0..self.rules.width {
                let from = (file, rank);
                let Cell::Piece(id) = self.at(from) else {
                    continue;
                };
                if self.piece(id).red != red {
                    continue;
                }
                for f in 0..self.rules.width {
                    all.push((from, (f, rank)));
                }
                for r in 0..self.rules.height {
                    if r != rank {
                        all.push((from, (file, r)));
                    }
                }
            }
        }
        all
    }

    /// The enemies of `red` orthogonally next to a square of a board.
    fn enemies_next_to(&self, board: &Board, red: bool, spot: Spot) -> Vec<u16> {
        let mut all = Vec::new();
        for (df, dr) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let file = spot.0 as i32 + df;
            let rank = spot.1 as i32 + dr;
            if file < 0 || rank < 0 || file >= self.rules.width as i32 || rank >= self.rules.height as i32 {
                continue;
            }
            if let Cell::Piece(id) = board[self.index((file as u8, rank as u8))] {
                if self.piece(id).red != red {
                    all.push(id);
                }
            }
        }
        all
    }

    // ---- the rules of a single move ----

    fn geometry(&self, red: bool, from: Spot, to: Spot) -> Result<(), &'static str> {
        if !self.on_board(from) || !self.on_board(to) {
            return Err("move.off-board");
        }
        let Cell::Piece(id) = self.at(from) else {
            return Err("move.no-piece");
        };
        let piece = self.piece(id);
        if piece.red != red {
            return Err("move.not-yours");
        }
        if piece.rank == 'B' || piece.rank == 'F' {
            return Err("move.immobile");
        }
        if from == to {
            return Err("move.same-square");
        }
        let strikes = match self.at(to) {
            Cell::Lake => return Err("move.lake"),
            Cell::Piece(other) if self.piece(other).red == red => return Err("move.own-piece"),
            Cell::Piece(_) => true,
            Cell::Empty => false,
        };
        if from.0 != to.0 && from.1 != to.1 {
            return Err("move.not-straight");
        }
        let steps = from.0.abs_diff(to.0) + from.1.abs_diff(to.1);
        if steps > 1 {
            if piece.rank != '2' {
                return Err("move.too-far");
            }
            let path = walk(from, to);
            for &between in &path[1..path.len() - 1] {
                if self.at(between) != Cell::Empty {
                    return Err("move.blocked");
                }
            }
            if strikes && !self.rules.scout_strikes_far {
                return Err("move.strike-far");
            }
        }
        Ok(())
    }

    // ---- two-squares ----

    /// Would this move and the player's last n moves all be of the same piece
    /// and cross one common border?
    fn two_squares_bars(&self, red: bool, from: Spot, to: Spot) -> bool {
        let Some(n) = self.rules.two_squares else {
            return false;
        };
        let Cell::Piece(id) = self.at(from) else {
            return false;
        };
        // The piece's last moves, back to where something reset its count.
        let mut last: Vec<&Ply> = Vec::new();
        for ply in self.plies.iter().rev() {
            if last.len() == n as usize {
                break;
            }
            if ply.red == red {
                if ply.piece != id {
                    break;
                }
                last.push(ply);
            } else if ply.advanced == Some(id) {
                break;
            }
        }
        if last.len() < n as usize {
            return false;
        }
        let mut common = borders(from, to);
        for ply in last {
            let crossed = borders(ply.from, ply.to);
            common.retain(|border| crossed.contains(border));
        }
        !common.is_empty()
    }

    // ---- chase ----

    /// Where in `plies` the first move of the chase stands that the side to
    /// move is carrying on, if one is alive: walk back as long as every reply
    /// evaded the move just before it and there was no battle.
    fn chase_start(&self) -> Option<usize> {
        let mut start = None;
        let mut next = self.plies.len(); // where the chaser's next move stands
        while next >= 2 {
            let own = &self.plies[next - 2];
            let reply = &self.plies[next - 1];
            if reply.battle || !own.threatened.contains(&reply.piece) {
                break;
            }
            next -= 2;
            start = Some(next);
            if own.battle {
                break; // a capture may be the first move of a chase, no other
            }
        }
        start
    }

    fn chase_bars(&self, from: Spot, to: Spot) -> bool {
        if self.rules.chase == NaiveChase::Off {
            return false;
        }
        let Some(start) = self.chase_start() else {
            return false;
        };
        if self.at(to) != Cell::Empty {
            return false; // a strike takes a piece off: no such position stood
        }
        let Cell::Piece(id) = self.at(from) else {
            return false;
        };
        let red = self.piece(id).red;

        // The exact undo of the player's own previous move is never barred.
        let previous = &self.plies[self.plies.len() - 2];
        if previous.piece == id && previous.from == to && previous.to == from {
            return false;
        }

        let mut after = self.board().clone();
        let (i, j) = (self.index(from), self.index(to));
        after.swap(i, j);
        let threatened = self.enemies_next_to(&after, red, to);

        let chase = &self.plies[start..];
        match self.rules.chase {
            NaiveChase::Off => false,
            NaiveChase::Isf => {
                let has_evaded = |id: &u16| chase.iter().any(|p| p.red != red && p.piece == *id);
                threatened.iter().any(has_evaded) && chase.iter().any(|p| p.red == red && p.after == after)
            }
            NaiveChase::Any => !threatened.is_empty() && chase.iter().any(|p| p.after == after),
        }
    }

    // ---- carrying a move out ----

    fn battle(&self, attacker: char, defender: char) -> Battle {
        if defender == 'F' {
            return Battle::Won;
        }
        if defender == 'B' {
            return if attacker == '3' { Battle::Won } else { Battle::Lost };
        }
        if attacker == 'S' && defender == 'M' {
            return Battle::Won;
        }
        let (a, d) = (strength(attacker), strength(defender));
        if a > d {
            Battle::Won
        } else if a < d {
            Battle::Lost
        } else if self.rules.equal_ranks_attacker_wins {
            Battle::Won
        } else {
            Battle::Both
        }
    }

    fn carry_out(&mut self, from: Spot, to: Spot) -> String {
        let red = self.red_to_move();
        let Cell::Piece(id) = self.at(from) else {
            panic!("no piece on {from:?}");
        };
        let (origin, target) = (self.index(from), self.index(to));
        let mut after = self.board().clone();
        let mut threatened = Vec::new();
        let mut advanced = None;
        let mut battle = false;
        let mut took_flag = false;
        let mut text = String::new();

        after[origin] = Cell::Empty;
        match self.at(to) {
            Cell::Lake => panic!("a lake on {to:?}"),
            Cell::Empty => {
                after[target] = Cell::Piece(id);
                threatened = self.enemies_next_to(&after, red, to);
            }
            Cell::Piece(other) => {
                battle = true;
                let (a, d) = (self.piece(id).rank, self.piece(other).rank);
                text = match self.battle(a, d) {
                    Battle::Won => {
                        after[target] = Cell::Piece(id);
                        threatened = self.enemies_next_to(&after, red, to);
                        took_flag = d == 'F';
                        format!("{a} {d} won")
                    }
                    Battle::Both => {
                        after[target] = Cell::Empty;
                        format!("{a} {d} both")
                    }
                    Battle::Lost => {
                        let advances = match self.rules.winner_advances {
                            NaiveAdvance::Attacker => false,
                            NaiveAdvance::Any => d != 'B',
                            NaiveAdvance::AnyButScout => d != 'B' && a != '2',
                        };
                        if advances {
                            after[target] = Cell::Empty;
                            after[origin] = Cell::Piece(other);
                            advanced = Some(other);
                            format!("{a} {d} lost advances")
                        } else {
                            format!("{a} {d} lost")
                        }
                    }
                };
            }
        }
        self.plies.push(Ply { red, piece: id, from, to, battle, took_flag, advanced, threatened, after });
        text
    }

    /// How often the present position has stood in the game, this time included.
    fn times_seen(&self) -> u32 {
        let board = self.board();
        let mut times = 0;
        let mut side = self.red_first; // to move in the position looked at
        if self.start == *board && side == self.red_to_move() {
            times += 1;
        }
        for ply in &self.plies {
            side = !side;
            if ply.after == *board && side == self.red_to_move() {
                times += 1;
            }
        }
        times
    }
}

/// How strong a piece that can move is.
fn strength(rank: char) -> u32 {
    match rank {
        'S' => 1,
        'M' => 10,
        _ => rank.to_digit(10).expect("a rank that moves"),
    }
}

/// All squares of a straight move, both ends included.
fn walk(from: Spot, to: Spot) -> Vec<Spot> {
    let mut all = vec![from];
    let mut here = from;
    while here != to {
        if here.0 < to.0 {
            here.0 += 1;
        } else if here.0 > to.0 {
            here.0 -= 1;
        } else if here.1 < to.1 {
            here.1 += 1;
        } else {
            here.1 -= 1;
        }
        all.push(here);
    }
    all
}

/// The borders a move crosses, each as its two squares, the smaller first.
fn borders(from: Spot, to: Spot) -> Vec<(Spot, Spot)> {
    let mut all = Vec::new();
    for pair in walk(from, to).windows(2) {
        all.push((pair[0].min(pair[1]), pair[0].max(pair[1])));
    }
    all
}
