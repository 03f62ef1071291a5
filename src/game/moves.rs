//! A list of moves that fits every position, with room that is known beforehand.

use super::board::Square;
use super::position::Move;

/// The legal moves of a position, in no order that means anything.
///
/// Room for 512 is enough on every board: a square is reached by at most one piece from each of four sides, and a
/// board has at most 128 squares.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::ROOM],
    count: usize,
}

impl MoveList {
    const ROOM: usize = 4 * super::board::MOST_SQUARES;

    /// An empty list.
    pub fn new() -> MoveList {
        MoveList { moves: [Move { from: Square(0), to: Square(0) }; MoveList::ROOM], count: 0 }
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, mv: Move) {
        debug_assert!(self.count < MoveList::ROOM);
        // The mask spares a check in the innermost loop of move generation.
        self.moves[self.count & (MoveList::ROOM - 1)] = mv;
        self.count += 1;
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.count {
            let mv = self.moves[index];
            if keep(mv) {
                self.moves[kept] = mv;
                kept += 1;
            }
        }
        self.count = kept;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];
    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.count]
    }
}

impl std::ops::DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.count]
    }
}
