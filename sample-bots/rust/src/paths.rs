//! How far it is from one square to another, round lakes and pieces that stand in the way.

use std::collections::VecDeque;

use crate::game::Square;
use crate::state::State;

/// The distance of a square that cannot be reached.
pub const FAR: u32 = u32::MAX;

/// The steps from every square to `target`, for our pieces: across empty squares and our own movable pieces, which
/// can make way.
pub fn to(state: &State, target: Square) -> Vec<u32> {
    let mut steps = vec![FAR; state.game.squares()];
    steps[target] = 0;
    let mut queue = VecDeque::from([target]);
    while let Some(square) = queue.pop_front() {
        for next in state.game.neighbours(square) {
            if steps[next] == FAR {
                let open = state.at(next).is_none_or(|p| p.mine && p.may_move());
                if open {
                    steps[next] = steps[square] + 1;
                    queue.push_back(next);
                }
            }
        }
    }
    steps
}
