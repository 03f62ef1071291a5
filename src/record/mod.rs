//! The wire structs of every file that is written or read, the journal, and re-refereeing.
//!
//! `games.jsonl` is the only truth of an event; everything else is derived from it and can be made again.

mod event;
pub mod foreign;
mod game;
mod head;
mod journal;
mod setups;
mod standings;
mod start;
mod verify;

pub use event::{
    EVENT_FORMAT, EventBot, EventFile, EventLayer, EventLeave, EventSchedule, EventSetups, EventSprt,
    EventTieBreak, Machine,
};
pub use foreign::{ForeignGame, PlainGame};
pub use game::{
    GAME_FORMAT, GameRecord, LineError, RecordedBattle, RecordedFault, RecordedTurn, Sides, check_line,
};
pub use journal::{
    EventFolder, JOURNAL, JournalError, JournalWriter, PARTIAL, ReadReport, partial, read_journal,
    read_records, scan_journal, write_whole,
};
pub use setups::{BadSetup, BookError, Setup, SetupBook, SetupError, SetupKind, SetupLines};
pub use standings::{
    STANDINGS_FORMAT, StandingsFile, WireAnchor, WireEstimate, WireGames, WireGlicko, WireLine, WireMatch,
    WireMoment, WireOdds, WirePairs, WireShare, WireTally,
};
pub use start::{Start, StartError};
pub use verify::{
    Finding, FirstIllegal, Mismatch, RecordRef, position_after, verify_foreign, verify_plain, verify_record,
};
