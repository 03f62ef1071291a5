//! `arbiter check`: whether a bot keeps to the protocol, clause by clause.
//!
//! The cases ([`catalogue`]), the specification they quote ([`spec`]), the opponents and positions that tempt a bot
//! ([`Opponent`], [`Trap`]) and what is concluded from what was seen ([`Report`]) are pure: no clock, no process, no
//! chance but a seed. Only `drive` has a bot before it. It refuses to rate: how well a bot plays is nothing to it.

mod catalogue;
mod drive;
mod opponent;
mod report;
mod show;
pub mod spec;
mod transcript;
mod trap;

pub use catalogue::{Case, Level, catalogue};
pub use drive::{Battery, Checked, Subject, confinement, run};
pub use opponent::{Opponent, Temper};
pub use report::{Driven, Outcome, Report, Row, Verdict};
pub use show::Format;
pub use transcript::Transcript;
pub use trap::{Trap, Trapped, find};
