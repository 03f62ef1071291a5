//! The integration tests: one binary, a module a concern.

mod hostile;
mod known_games;
mod naive;
mod twin;
mod vectors;
