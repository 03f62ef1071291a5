//! The line language between the arbiter and a bot: `protocol/SPEC.md` as code.
//!
//! [`Intake`] makes lines of bytes within the limits, [`read`] makes sense of a line, [`mod@print`] says what the
//! arbiter says, [`Clause`] names what can be broken. No I/O: bytes come in, text goes out.

mod clause;
mod intake;
pub mod print;
mod said;

pub use clause::Clause;
pub use intake::{GAME_LIMIT, Intake, LINE_LIMIT, TURN_LIMIT};
pub use said::{LineFault, OptionDeclared, OptionKind, Said, SaidMove, Shown, State, read, read_begun};
