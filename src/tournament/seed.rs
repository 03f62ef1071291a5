//! Seeds: everything that chance decides in an event is drawn from one number.
//!
//! A seat's seed is a function of the event's seed, the game's id and the seat: never of the folder, the worker or
//! the order of play. It tells nothing of another seat's: each is the head of a SHA-256 of all that names it.

use sha2::{Digest, Sha256};

use super::id::GameId;

fn draw(event_seed: u64, what: &str) -> u64 {
    let digest = Sha256::digest(format!("arbiter 1 {event_seed} {what}").as_bytes());
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
}

/// The seed of a seat, below 2^63. `seat` is `red` or `blue`.
pub fn seat_seed(event_seed: u64, id: GameId, seat: &str) -> u64 {
    draw(event_seed, &format!("seat {id} {seat}")) >> 1
}

/// The id of a game that its bots are told: unique, and telling nothing of the opponent or the pair.
pub fn public_id(event_seed: u64, id: GameId) -> String {
    format!("g{:010x}", draw(event_seed, &format!("name {id}")) >> 24)
}

/// Whether Blue moves first in a game whose first mover is drawn. The same colour does in all games of a pair: since
/// the players swap colours between them, each moves first in turn.
pub fn blue_first(event_seed: u64, id: GameId) -> bool {
    draw(event_seed, &format!("first {}.{}", id.round, id.pair)) & 1 == 1
}

/// Whether Blue moves first in the games of an opening: the same colour, so that who swaps colours moves first in turn.
pub fn blue_first_in(event_seed: u64, opening: u64) -> bool {
    draw(event_seed, &format!("first {opening}")) & 1 == 1
}

/// The seed that the deployment of a seat is drawn by in the games of an opening, below 2^63. No bot is told it.
pub fn opening_seed(event_seed: u64, opening: u64, seat: &str) -> u64 {
    draw(event_seed, &format!("opening {opening} {seat}")) >> 1
}

/// Which of `size` setups the sides of an opening get, Red's first. The setups are dealt like cards: two different
/// ones to each opening, and none again before fewer than two are left; then all are shuffled anew.
///
/// # Panics
/// Where `size` is 0.
pub fn opening_setups(event_seed: u64, opening: u64, size: usize) -> [usize; 2] {
    let openings = (size as u64 / 2).max(1);
    let order = setup_order(event_seed, opening / openings, size);
    let at = (opening % openings) as usize * 2;
    [order[at], order[(at + 1) % size]]
}

/// A shuffle of `size` setups. Openings are dealt from it: the first two setups of shuffle 0 to the first of them.
pub fn setup_order(event_seed: u64, shuffle: u64, size: usize) -> Vec<usize> {
    let mut draws = Draws::new(draw(event_seed, &format!("setups {shuffle}")));
    let mut order: Vec<usize> = (0..size).collect();
    for last in (1..size).rev() {
        order.swap(last, draws.below(last + 1));
    }
    order
}

/// Whether the second of two players gets Red in a tie-break game: colours are drawn for it.
pub fn tie_break_swaps(event_seed: u64, id: GameId) -> bool {
    draw(event_seed, &format!("tie-break {id}")) & 1 == 1
}

/// A source of numbers for what the arena draws itself: deployments, say. SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Draws {
    state: u64,
}

impl Draws {
    /// Draws from a seed.
    pub fn new(seed: u64) -> Draws {
        Draws { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n` - 1, each as likely as the others.
    ///
    /// # Panics
    /// Where `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        let unfair = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.next()) * u128::from(n);
            if product as u64 >= unfair {
                return (product >> 64) as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_of_an_event_have_seeds_of_their_own() {
        let mut seen = std::collections::BTreeSet::new();
        for round in 1..20 {
            for pair in 1..10 {
                for game in 1..3 {
                    for seat in ["red", "blue"] {
                        let seed = seat_seed(7, GameId { round, pair, game }, seat);
                        assert!(seed < 1 << 63);
                        assert!(seen.insert(seed));
                    }
                }
            }
        }
    }

    #[test]
    fn players_that_swap_colours_move_first_in_turn_and_the_colour_varies_between_pairs() {
        let id = |pair, game| GameId { round: 1, pair, game };
        assert!((1..50).all(|pair| blue_first(3, id(pair, 1)) == blue_first(3, id(pair, 2))));
        let first = (1..200).filter(|&pair| blue_first(3, id(pair, 1))).count();
        assert!((60..140).contains(&first), "{first}");
    }

    #[test]
    fn setups_are_dealt_two_an_opening_and_none_twice_before_all_were_dealt() {
        for size in 2..20 {
            let openings = size as u64 / 2;
            for shuffle in 0..3 {
                let dealt: std::collections::BTreeSet<usize> =
                    (0..openings).flat_map(|n| opening_setups(5, shuffle * openings + n, size)).collect();
                assert_eq!(dealt.len(), size / 2 * 2, "{size}");
                assert!(dealt.iter().all(|&n| n < size));
            }
        }
        assert_eq!(opening_setups(5, 7, 1), [0, 0]);
        assert_eq!(opening_setups(5, 0, 100)[..], setup_order(5, 0, 100)[..2]);
        assert_ne!(setup_order(5, 0, 100), setup_order(5, 1, 100));
        assert_ne!(setup_order(5, 0, 100), setup_order(6, 0, 100));
    }

    #[test]
    fn draws_are_fair_enough_to_shuffle_with() {
        let mut draws = Draws::new(1);
        let mut counts = [0; 7];
        (0..70_000).for_each(|_| counts[draws.below(7)] += 1);
        assert!(counts.iter().all(|&c| (9_500..10_500).contains(&c)), "{counts:?}");
    }
}
