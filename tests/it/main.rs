//! The integration tests: one binary, a module a concern.

mod bridge;
mod event;
mod fake;
mod hostile;
mod house;
mod known_games;
mod naive;
mod own_life;
mod players;
mod referee_laws;
mod secrets;
mod seeds;
mod setups;
mod twin;
mod ucc;
mod vectors;
