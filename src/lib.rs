//! `arbiter`: the referee and arena for Stratego bots.
//!
//! The library is the program's inside, laid open so that tests reach its pure modules; the deliverable is the
//! binary. ARCHITECTURE.md has the map.

pub mod check;
pub mod cli;
pub mod clock;
pub mod game;
pub mod process;
pub mod protocol;
pub mod rating;
pub mod record;
pub mod referee;
pub mod report;
pub mod runtime;
pub mod tournament;
