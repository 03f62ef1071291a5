//! The integration tests: one binary, a module a concern.

mod event;
mod fake;
mod hostile;
mod house;
mod known_games;
mod limits;
mod machine;
mod naive;
mod players;
mod referee_laws;
mod secrets;
mod security;
mod seeds;
mod setups;
mod twin;
mod vectors;
