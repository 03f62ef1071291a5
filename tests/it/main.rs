//! The integration tests: one binary, a module a concern.

mod known_games;
mod naive;
mod twin;
mod vectors;
