//! Who plays whom, with which seed and colour, and what the results come to.
//!
//! Pure: schedules are functions of their parameters, seeds of one number, tables of the games.

mod id;
mod schedule;
mod seed;
mod standings;

pub use id::GameId;
pub use schedule::{Dealer, Planned, RoundRobin};
pub use seed::{Draws, blue_first, opening_setups, public_id, seat_seed, setup_order, tie_break_swaps};
pub use standings::{Collector, Duel, GameResult, Line, Points, Rating, Settled, Standings, Tally};
