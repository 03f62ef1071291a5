//! The integration tests: one binary, a module a concern.

mod check;
mod ci;
mod endings;
mod event;
mod explain;
mod fake;
mod fuzzed;
mod hostile;
mod house;
mod known_games;
mod messages;
mod naive;
mod own_life;
mod players;
mod referee_laws;
mod rule_books;
mod secrets;
mod seeds;
mod setups;
mod spec;
mod twin;
mod ucc;
mod vectors;
