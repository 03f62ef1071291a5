//! The vocabulary of Stratego and its rules as values.
//!
//! Rule books, boards, pieces, deployments, positions with their legal moves, battles, the repetition rules, what
//! each side may see, and notation. Pure: no clock, no file, no randomness of its own, nothing of bots.

mod battle;
mod board;
mod dead;
mod deployment;
mod file;
mod moves;
pub mod notation;
mod piece;
mod position;
mod repetition;
mod rules;
mod variant;
mod view;

pub use battle::{Battle, Outcome, fight};
pub use board::{Board, BoardError, Coordinates, FILE_LETTERS, MOST_SQUARES, Square};
pub use deployment::{Deployment, DeploymentError};
pub use file::toml_reason;
pub use moves::MoveList;
pub use piece::{Colour, PieceId, Rank};
pub use position::{Ending, Illegal, Move, NoRescue, Played, Position, RescueChoice};
pub use repetition::{ChaseFacts, ChaseRuling, ChaseTurn, Shuttle};
pub use rules::{
    Army, BOOKS, BoardSize, BothImmobile, Captured, Chase, ClockExpiry, DeploymentBy, EqualRanks, Filling,
    FirstMover, IllegalMove, PARAMETERS, Parameter, Rescue, Reveal, RuleSet, Rules, RulesError, Scoring,
    ScoutStrike, WinnerAdvances, book,
};
pub use variant::{VARIANTS, Variant, apply_variants};
pub use view::{SeenBattle, SeenMove, SeenRescue, SeenSquare, Sight, View};
