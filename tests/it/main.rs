//! The integration tests: one binary, a module a concern.

mod house;
mod known_games;
mod naive;
mod twin;
mod vectors;
