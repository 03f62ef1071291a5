//! What a Stratego bot needs beside its ideas.
//!
//! [`protocol`] speaks with the arbiter, [`game`] reads the rules of a game, [`state`] keeps what the events told,
//! [`odds`] says what an unknown piece may be, [`guess`] draws whole armies that fit what is known, [`search`] looks
//! ahead in one of them, [`paths`] measures ways, [`hunt`] says where there is most to gain, [`raid`] who comes for
//! our flag, and [`deploy`] sets up an army. A bot is an implementation of [`protocol::Bot`]: where to deploy, and which of the legal moves to make.

pub mod deploy;
pub mod game;
pub mod guess;
pub mod hunt;
pub mod odds;
pub mod paths;
pub mod protocol;
pub mod raid;
pub mod rng;
pub mod search;
pub mod state;
