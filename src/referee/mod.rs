//! One game as a state machine without I/O, the handshake before it, and the bridge to another league's manager.
//!
//! Inputs go in one at a time, with the moment at which they happened; what is to be sent, and in the end one
//! verdict, come out. Laws (tests/it/referee_laws.rs): after the verdict every input is ignored; a tick before the
//! deadline changes nothing; a flag fall is decided by comparing stamps; the same inputs give the same outputs.

mod adjudication;
mod bridge;
mod game;
mod handshake;
mod verdict;

pub use crate::protocol::Wants;
pub use adjudication::{Adjudicated, Adjudication, ScoreDraw, ScoreError, ScoreResignation};
pub use bridge::{Bridge, BridgeEnd, BridgeInput, LAST_WORD};
pub use game::{Game, GamePlan, Input, PlayedTurn};
pub use handshake::{Handshake, Profile, Step};
pub use verdict::{Fault, Verdict};
