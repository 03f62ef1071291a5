//! The integration tests: one binary, a module a concern.

mod endings;
mod event;
mod explain;
mod fake;
mod foreign;
mod fuzzed;
mod hostile;
mod house;
mod known_games;
mod manual;
mod messages;
mod naive;
mod new_bot;
mod own_life;
mod players;
mod referee_laws;
mod rule_books;
mod secrets;
mod seeds;
mod setups;
mod twin;
mod ucc;
mod vectors;
