//! The wire structs of every file that is written or read, the journal, and re-refereeing.
//!
//! `games.jsonl` is the only truth of an event; everything else is derived from it and can be made again.

mod game;
mod verify;

pub use game::{
    GAME_FORMAT, GameRecord, LineError, PlainGame, RecordedBattle, RecordedFault, RecordedTurn, Sides,
    check_line,
};
pub use verify::{Finding, FirstIllegal, Mismatch, verify_plain, verify_record};
