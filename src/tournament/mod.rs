//! Who plays whom, with which seed and colour, and what the results come to.
//!
//! A format is dealt out by [`Dealer`]: known beforehand (`schedule`), or by rounds that follow from results
//! (`rounds`: Swiss, brackets, ladder). Pure: schedules are functions of their parameters, seeds of one number, tables
//! of the games.

mod bracket;
mod dealer;
mod gate;
mod id;
mod ladder;
mod rounds;
mod schedule;
mod seed;
mod standings;
mod swiss;

pub use dealer::{Dealer, Format, Issue, Past, Terms, Total};
pub use gate::Gate;
pub use id::GameId;
pub use ladder::LADDER_BATCH;
pub use rounds::Outcome;
pub use schedule::{Fixed, Gauntlet, PairOrder, Planned, RoundRobin};
pub use seed::{
    Draws, blue_first, blue_first_in, opening_seed, opening_setups, public_id, seat_seed, setup_order,
    tie_break_swaps,
};
pub use standings::{Collector, Duel, Extras, GameResult, Line, Points, Rating, Settled, Standings, Tally};
pub use swiss::MOST_SWISS_PLAYERS;
