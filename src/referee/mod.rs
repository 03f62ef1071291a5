//! One game as a state machine without I/O, and the handshake before it.
//!
//! Inputs go in one at a time, with the moment at which they happened; what is to be sent, and in the end one
//! verdict, come out. Laws (tests/it/referee_laws.rs): after the verdict every input is ignored; a tick before the
//! deadline changes nothing; a flag fall is decided by comparing stamps; the same inputs give the same outputs.

mod game;
mod handshake;
mod verdict;

pub use crate::protocol::Wants;
pub use game::{Game, GamePlan, Input, PlayedTurn};
pub use handshake::{Handshake, Profile, Step};
pub use verdict::{Fault, Verdict};
