//! The line languages between the arbiter and a bot: `protocol/SPEC.md` as code.
//!
//! [`Intake`] makes lines of bytes within the limits, [`Front`] is the seam behind which a seat's language lies,
//! [`read`] and [`mod@print`] are our own, [`ucc`] is an older league's (`protocol/UCC.md`), [`Clause`] names what can be broken. No I/O: bytes come in, text goes out.

mod clause;
mod front;
mod intake;
pub mod print;
mod said;
mod sbp;
pub mod ucc;

pub use clause::Clause;
pub use front::{Front, GameOver, Protocol, Question, Wants};
pub use intake::{GAME_LIMIT, Intake, LINE_LIMIT, TURN_LIMIT};
pub use said::{
    LineFault, MOST_SCORE, OptionDeclared, OptionKind, Said, SaidMove, Shown, State, read, read_begun,
    score_told,
};
