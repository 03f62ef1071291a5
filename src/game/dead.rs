//! Dead positions: a proof that neither side can win any more, however both play.
//!
//! The board decides a game by a captured flag, which takes a battle, or by a side that cannot move on its turn. Where
//! no battle can come about any more, and each side will always have a move, neither can happen. What is shown here is
//! sound and not complete: of a position in which a side could still win only by the other's blunder, a strike at a
//! bomb for one, it says nothing.
//!
//! *No battle.* Bombs and flags stand still, so a mobile piece stays for ever in the part of the board that lakes and
//! they enclose: its room. Where no room touches an enemy's piece or an enemy's room, no piece ever stands next to an
//! enemy, and a scout's strike goes over empty squares to a neighbour of the last. The chase rule bars only moves next
//! to an enemy. Nothing comes back to the board, as books with rescue are left out.
//!
//! *Always a move.* In a room with an empty square some piece has an empty neighbour. The two-squares rule bars only
//! the piece that its side moved last, so two such rooms are enough. One is enough, too, where each of its squares has
//! two neighbours in it and at most three pieces are there. For if no other piece has an empty neighbour, the empty
//! squares touch only the piece that moved last. It is barred only from going back. If it cannot go elsewhere, the
//! squares behind it are full of pieces without an empty neighbour; each has two neighbours among these squares and the
//! piece's own, which takes a ring of four squares: three pieces more.

use super::Position;
use super::piece::Colour;
use super::rules::Rescue;

impl Position {
    /// Whether it is proved that neither side can win any more by the rules of the board. The proof holds until a
    /// battle, of which there will be none: to ask once after each battle is enough.
    pub fn is_dead(&self) -> bool {
        self.ended().is_none()
            && self.rules.rescue == Rescue::Off
            && Colour::BOTH.into_iter().all(|side| self.cannot_strike(side) && self.can_always_move(side))
    }

    /// The land next to these squares.
    fn around(&self, squares: u128) -> u128 {
        self.steps(squares).into_iter().fold(0, |all, step| all | step) & self.board().land
    }

    /// These squares moved by one in each direction.
    fn steps(&self, squares: u128) -> [u128; 4] {
        let board = self.board();
        let width = u32::from(board.width());
        [
            squares << width,
            squares >> width,
            (squares & board.not_last_file) << 1,
            (squares & board.not_first_file) >> 1,
        ]
    }

    /// The rooms of all of these squares: as far as a piece can go from them where only what cannot move is in the way.
    fn rooms(&self, from: u128) -> u128 {
        let still = Colour::BOTH
            .into_iter()
            .fold(0, |still, side| still | self.all[side.index()] & !self.movable[side.index()]);
        let mut rooms = from;
        loop {
            let wider = rooms | self.around(rooms) & !still;
            if wider == rooms {
                return rooms;
            }
            rooms = wider;
        }
    }

    fn cannot_strike(&self, side: Colour) -> bool {
        let (me, you) = (side.index(), side.other().index());
        let mine = self.rooms(self.movable[me]);
        let theirs = self.rooms(self.movable[you]) | self.all[you];
        (mine | self.around(mine)) & theirs == 0
    }

    fn can_always_move(&self, side: Colour) -> bool {
        let movable = self.movable[side.index()];
        let (mut left, mut loose) = (movable, 0);
        while left != 0 {
            let room = self.rooms(left & left.wrapping_neg());
            let pieces = movable & room;
            left &= !room;
            if pieces == room {
                continue;
            }
            loose += 1;
            let [a, b, c, d] = self.steps(room);
            let two_neighbours = a & b | a & c | a & d | b & c | b & d | c & d;
            let ring = room & !two_neighbours == 0 && pieces.count_ones() <= 3;
            if ring || loose == 2 || self.rules.two_squares.is_none() {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::{Ending, MoveList, Rank, Rules, Square, book};

    /// Numbers without a pattern (SplitMix64).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            (z ^ (z >> 31)) as usize % most
        }
    }

    fn rules(size: &str, changes: &[(&str, &str)]) -> Arc<Rules> {
        let mut set = book("isf").expect("a shipped book");
        for (name, value) in
            [("board", size), ("lakes", "none"), ("rows", "1"), ("deployment", "any"), ("army", "F1,B1,91")]
                .iter()
                .chain(changes)
        {
            set.set(name, value).unwrap_or_else(|e| panic!("{name}={value}: {e}"));
        }
        Rules::new(set).expect("a possible book")
    }

    /// A position as it is drawn, the highest rank of the board first: Red's pieces by their letters, Blue's flags,
    /// bombs and sergeants as `f`, `b` and `s`, anything empty else.
    fn drawn(rules: &Arc<Rules>, rows: &[&str], first: Colour) -> Position {
        let width = rules.board.width() as usize;
        let mut pieces = Vec::new();
        for (rank, row) in rows.iter().rev().enumerate() {
            for (file, letter) in row.chars().enumerate() {
                let (colour, rank_letter) = match letter {
                    'f' => (Colour::Blue, 'F'),
                    'b' => (Colour::Blue, 'B'),
                    's' => (Colour::Blue, '4'),
                    '.' => continue,
                    other => (Colour::Red, other),
                };
                let square = Square((rank * width + file) as u8);
                pieces.push((colour, square, Rank::from_letter(rank_letter).expect("a rank")));
            }
        }
        Position::from_pieces(rules.clone(), &pieces, first)
    }

    #[test]
    fn closed_rooms_are_dead_and_open_ones_are_not() {
        let rules = rules("6x4", &[]);
        let dead = |rows: &[&str]| drawn(&rules, rows, Colour::Red).is_dead();
        // Two by two with a piece each, walls of both between them.
        assert!(dead(&["4.Bb.s", "..Bb..", "BBBbbb", "FBBbbf"]));
        // A corridor: the two-squares rule may leave its only piece without a move.
        assert!(!dead(&["4..B.s", "BBBb..", "BBBbbb", "FBBbbf"]));
        // A wall of its own alone does not keep an enemy from striking at it.
        assert!(!dead(&["4.B..s", "..B...", "BBB...", "FBB..f"]));
        // A room without an empty square has no move.
        assert!(!dead(&["44Bb.s", "44Bb..", "BBBbbb", "FBBbbf"]));
        // Four pieces on one ring are not proved, two are.
        assert!(dead(&["44Bb.s", "..Bb..", "BBBbbb", "FBBbbf"]));
    }

    #[test]
    fn without_the_two_squares_rule_a_corridor_is_enough() {
        let rules = rules("6x4", &[("two-squares", "off")]);
        let position = drawn(&rules, &["4.BBbs", "BBBBb.", "BBBBbb", "FBBBbf"], Colour::Red);
        assert!(position.is_dead());
        let with = self::rules("6x4", &[]);
        assert!(!drawn(&with, &["4.BBbs", "BBBBb.", "BBBBbb", "FBBBbf"], Colour::Red).is_dead());
    }

    /// Plays on at random, mostly with the piece that moved last, which is what the two-squares rule bars.
    fn play_on(mut position: Position, numbers: &mut Numbers, plies: usize) -> (bool, Option<Ending>) {
        let mut moves = MoveList::new();
        let mut last = [None; 2];
        let mut battle = false;
        for _ in 0..plies {
            if let Some(ending) = position.outcome() {
                return (battle, Some(ending));
            }
            position.legal_moves(&mut moves);
            let side = position.to_move().index();
            let again: Vec<_> = moves
                .iter()
                .filter(|mv| position.piece(mv.from).map(|p| p.0) == last[side])
                .copied()
                .collect();
            let from = if !again.is_empty() && numbers.below(256) > 20 { &again[..] } else { &moves[..] };
            let mv = from[numbers.below(from.len())];
            last[side] = position.piece(mv.from).map(|p| p.0);
            battle |= position.play(mv, None).expect("it is legal").battle.is_some();
        }
        (battle, None)
    }

    #[test]
    fn no_game_that_goes_on_from_a_dead_position_has_a_battle_or_a_winner() {
        let rules: Vec<_> = [("off", "off"), ("3", "isf"), ("1", "any"), ("5", "off")]
            .into_iter()
            .flat_map(|(two, chase)| {
                let set = [("two-squares", two), ("chase", chase), ("no-attack", "off"), ("length", "off")];
                ["6x4", "5x5", "7x6"].map(|size| self::rules(size, &set))
            })
            .collect();
        let mut numbers = Numbers(7);
        let (mut dead, mut alive, mut decided) = (0, 0, 0);
        for round in 0..60_000 {
            let rules = &rules[round % rules.len()];
            let width = rules.board.width() as usize;
            let height = rules.board.squares() / width;
            // Each its half, more or less walled.
            let density = 30 + numbers.below(60);
            let pieces: Vec<_> = (0..rules.board.squares())
                .filter_map(|square| {
                    let colour = if square % width < width / 2 { Colour::Red } else { Colour::Blue };
                    let border = square % width == width / 2 - 1 || square % width == width / 2;
                    let letter = match numbers.below(100) {
                        n if n < density || border && n < 97 => 'B',
                        n if n < density + 8 => ['4', '2', 'M'][numbers.below(3)],
                        _ => return None,
                    };
                    Some((colour, Square(square as u8), Rank::from_letter(letter).expect("a rank")))
                })
                .collect();
            assert!(height > 1);
            let of = |colour| pieces.iter().filter(|p| p.0 == colour).count();
            if of(Colour::Red) > 60 || of(Colour::Blue) > 60 {
                continue;
            }
            let position = Position::from_pieces(rules.clone(), &pieces, Colour::Red);
            if position.outcome().is_some() {
                continue;
            }
            let is_dead = position.is_dead();
            if !is_dead && alive > 2000 {
                continue;
            }
            let (battle, ending) = play_on(position, &mut numbers, if is_dead { 300 } else { 60 });
            let decisive = ending.and_then(Ending::winner).is_some();
            if is_dead {
                dead += 1;
                assert!(!battle && !decisive, "round {round}: {ending:?}");
            } else {
                alive += 1;
                decided += u32::from(battle || decisive);
            }
        }
        assert!(dead > 200 && decided > 200, "{dead} dead, {alive} not, of which {decided} decided");
    }
}
