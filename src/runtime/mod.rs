//! The only loops that wait: a referee driven with two processes, many games on few cores, stopping.
//!
//! A game, its worker thread and both its bots are kept on one core by default: in a game of turns only one of the
//! three has work at a time, and waking a process on another core costs more than all that the referee does.

mod bridge;
mod desk;
mod run;
mod seat;
mod stop;
mod table;
mod watch;
mod wire;

pub use bridge::bridge;
pub use desk::Desk;
pub use run::{Finished, RunEvent, RunPlan, descriptors, start};
pub use seat::reach_hint;
pub use seat::{Bot, Seat, SeatError};
pub(crate) use seat::{Closing, HungUp, LAST_LINES, exit_hint, limit_hint, silence_hint};
pub use stop::{Stop, StopSignal, Stopper, stopping};
pub use table::{Played, play};
pub use watch::Watch;
pub use wire::Wire;
