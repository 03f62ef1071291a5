//! The integration tests: one binary, a module a concern.

mod naive;
mod twin;
