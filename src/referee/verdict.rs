//! How a game came out: one sum type from which words for bots, records and people are derived.

use super::adjudication::Adjudicated;
use crate::game::{Colour, Ending};
use crate::protocol::{Clause, SaidMove};

/// A bot's fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Whose.
    pub side: Colour,
    /// The broken clause.
    pub clause: Clause,
    /// What was seen, for people: printable ASCII.
    pub evidence: String,
    /// The illegal move, where the fault is a readable one.
    pub attempt: Option<SaidMove>,
}

/// How a game came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The board decided.
    Board(Ending),
    /// The named side resigned.
    Resigned(Colour),
    /// Both agreed on a draw.
    Agreed,
    /// The organiser's conditions decided.
    Adjudicated(Adjudicated),
    /// A side lost by its fault.
    Forfeit(Fault),
    /// A side's clock fell where the rules make that a draw.
    ClockDraw(Fault),
    /// Both were at fault at once: Red's fault, then Blue's.
    DoubleForfeit(Box<[Fault; 2]>),
    /// The arena failed, or an operator stopped the game: nobody's result, to be played again.
    Void {
        /// Why, for people.
        cause: String,
    },
}

impl Verdict {
    /// The winner, if there is one.
    pub fn winner(&self) -> Option<Colour> {
        match self {
            Verdict::Board(ending) => ending.winner(),
            Verdict::Resigned(loser) => Some(loser.other()),
            Verdict::Adjudicated(how) => how.winner(),
            Verdict::Forfeit(fault) => Some(fault.side.other()),
            _ => None,
        }
    }

    /// `red`, `blue`, `draw`, `both-lose` or `void`: the result of records.
    pub fn result(&self) -> &'static str {
        match self {
            Verdict::DoubleForfeit(_) => "both-lose",
            Verdict::Void { .. } => "void",
            _ => self.winner().map_or("draw", Colour::word),
        }
    }

    /// The reason, as in `gameover` and in records (SPEC.md, section 18).
    pub fn reason(&self) -> &'static str {
        match self {
            Verdict::Board(ending) => ending.reason(),
            Verdict::Resigned(_) => "resignation",
            Verdict::Agreed => "agreement",
            Verdict::Adjudicated(how) => how.reason(),
            Verdict::Forfeit(fault) | Verdict::ClockDraw(fault) => fault.clause.reason(),
            Verdict::DoubleForfeit(_) => "double-forfeit",
            Verdict::Void { .. } => "void",
        }
    }

    /// The faults, Red's first.
    pub fn faults(&self) -> &[Fault] {
        match self {
            Verdict::Forfeit(fault) | Verdict::ClockDraw(fault) => std::slice::from_ref(fault),
            Verdict::DoubleForfeit(faults) => faults.as_slice(),
            _ => &[],
        }
    }

    /// The fault of one side.
    pub fn fault_of(&self, side: Colour) -> Option<&Fault> {
        self.faults().iter().find(|f| f.side == side)
    }

    /// The verdict in words for people, with the names of both sides.
    pub fn sentence(&self, red: &str, blue: &str) -> String {
        let name = |side| match side {
            Colour::Red => format!("{red} (Red)"),
            Colour::Blue => format!("{blue} (Blue)"),
        };
        match self {
            Verdict::Board(Ending::FlagCaptured(winner)) => format!("{} captures the flag", name(*winner)),
            Verdict::Board(Ending::NoLegalMove(winner)) => {
                format!("{} has no legal move", name(winner.other()))
            }
            Verdict::Board(Ending::BothImmobile) => "draw: neither side can move".to_owned(),
            Verdict::Board(Ending::Repetition) => "draw: the position has come back too often".to_owned(),
            Verdict::Board(Ending::NoAttack) => "draw: too long without an attack".to_owned(),
            Verdict::Board(Ending::Length) => "draw: the longest that a game may be".to_owned(),
            Verdict::Resigned(loser) => format!("{} resigns", name(*loser)),
            Verdict::Agreed => "draw by agreement".to_owned(),
            Verdict::Adjudicated(Adjudicated::ScoreResignation(loser)) => {
                format!("{} has lost by both bots' scores", name(*loser))
            }
            Verdict::Adjudicated(Adjudicated::ScoreDraw) => "draw by both bots' scores".to_owned(),
            Verdict::Adjudicated(Adjudicated::DeadPosition) => {
                "draw: neither side can win any more".to_owned()
            }
            Verdict::Forfeit(fault) => {
                format!("{} {} [{}]", name(fault.side), fault.clause.meaning(), fault.clause)
            }
            Verdict::ClockDraw(fault) => format!("draw: the clock of {} fell", name(fault.side)),
            Verdict::DoubleForfeit(faults) => {
                format!("both at fault: {} and {}", faults[0].clause, faults[1].clause)
            }
            Verdict::Void { cause } => format!("void: {cause}"),
        }
    }
}
