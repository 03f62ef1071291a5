//! The seam between the referee and the languages that bots speak.
//!
//! The referee says *what*: a new game, a move that was made, a question. The front of a seat says it in its bot's
//! language, and reads what the bot answers into [`Said`]. A front is handed what its own side may see
//! ([`SeenMove`], [`View`]) and no position, so that no language can tell what the rules hide. It judges the form of
//! a line; what an answer is worth is the referee's business, whatever the language.
//!
//! A further language is one more file with its front, and its name in [`Protocol`].

use std::fmt;

use super::clause::Clause;
use super::print::NewGame;
use super::said::{LineFault, Said, State};
use super::sbp::Sbp;
use super::ucc::Ucc;
use crate::clock::{Clocks, TimeControl};
use crate::game::{
    Board, Colour, Coordinates, Deployment, MoveList, RuleSet, SeenMove, View, notation::WrittenMove,
};

/// The helps a bot asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// Its view of the board with each question.
    pub board: bool,
    /// Its legal moves with each question.
    pub legal: bool,
    /// The clocks with each question.
    pub clock: bool,
    /// Each event at once.
    pub ponder: bool,
    /// A new process for every game.
    pub fresh: bool,
}

/// A question for a move.
#[derive(Debug)]
pub struct Question<'a> {
    /// What the asked side sees.
    pub view: View<'a>,
    /// Room for a list of its legal moves.
    pub legal: &'a mut MoveList,
    /// Whether the opponent's draw offer stands.
    pub draw_offered: bool,
    /// The move that was refused and taken back, where the question is put again.
    pub refused: Option<(Clause, WrittenMove)>,
    /// Both clocks.
    pub clocks: &'a Clocks,
    /// The time control.
    pub control: &'a TimeControl,
}

/// The end of a game, as one side is told it.
#[derive(Clone, Copy, Debug)]
pub struct GameOver<'a> {
    /// The winner, if there is one.
    pub winner: Option<Colour>,
    /// The reason (SPEC.md, section 18).
    pub reason: &'a str,
    /// The clause that this side broke, for it alone.
    pub clause: Option<&'a str>,
}

/// The front of one seat: its bot's language, and where the conversation in it stands.
///
/// Each method but [`Front::read`] appends to `out` what is to be sent, which may be nothing where the language has
/// no word for it.
pub trait Front: fmt::Debug + Send {
    /// Another front in the same state.
    fn copy(&self) -> Box<dyn Front>;

    /// Asks who the bot is; false where the language has no handshake, and a process is ready when it runs.
    fn hello(&self, out: &mut String) -> bool;
    /// Sets an option; no value for one that is pressed.
    fn set_option(&self, out: &mut String, name: &str, value: Option<&str>);
    /// Asks whether it is ready.
    fn ask_ready(&self, out: &mut String);
    /// Tells it to exit; `played` where it was told of the end of a game before.
    fn farewell(&self, out: &mut String, played: bool);

    /// Opens a game.
    fn new_game(&mut self, out: &mut String, game: &NewGame<'_>);
    /// Tells the deployment that the arena gives this side.
    fn assigned(&mut self, out: &mut String, deployment: &Deployment);
    /// Asks for a deployment.
    fn ask_deployment(&mut self, out: &mut String);
    /// Tells where a side's pieces stand.
    fn placed(&mut self, out: &mut String, side: Colour, view: View<'_>);
    /// Tells where a side's flag stands.
    fn flag(&mut self, out: &mut String, side: Colour, at: Coordinates);
    /// Both sides have deployed.
    fn start(&mut self, out: &mut String);
    /// A move was made; `last` where it ended the game, which is told next.
    fn moved(&mut self, out: &mut String, seen: &SeenMove, board: &Board, last: bool);
    /// Asks for a move.
    fn ask(&mut self, out: &mut String, question: Question<'_>);
    /// The game is over.
    fn game_over(&mut self, out: &mut String, over: GameOver<'_>);

    /// Why a game cannot be told in this language, as the end of a sentence; `given` where it starts from assigned
    /// deployments or past moves.
    fn unable(&self, rules: &RuleSet, given: bool) -> Option<String>;
    /// Whether a process starts with its game, so that the start-up allowance belongs to its deployment.
    fn starts_with_game(&self) -> bool;
    /// Whether an event is told as soon as it has happened, and not only with the next question.
    fn tells_at_once(&self) -> bool;
    /// Whether a refused move can be asked for again in this language.
    fn asks_again(&self) -> bool;

    /// Reads a line, without its end, in a state.
    ///
    /// # Errors
    /// The first fault in it.
    fn read(&mut self, line: &[u8], state: State) -> Result<Said, LineFault>;
    /// Judges bytes that came without the end of their line while no question was open.
    ///
    /// # Errors
    /// The fault, where they would be taken for the answer to what is asked next.
    fn read_begun(&self, bytes: &[u8]) -> Result<(), LineFault>;
}

impl Clone for Box<dyn Front> {
    fn clone(&self) -> Box<dyn Front> {
        self.copy()
    }
}

impl From<Wants> for Box<dyn Front> {
    /// The front of a bot of our own protocol.
    fn from(wants: Wants) -> Box<dyn Front> {
        Protocol::Sbp.front(wants)
    }
}

/// The languages that bots may speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// Our own: SPEC.md.
    #[default]
    Sbp,
    /// The UCC programming competition's of 2012: UCC.md.
    Ucc,
}

impl Protocol {
    /// All of them.
    pub const ALL: &'static [Protocol] = &[Protocol::Sbp, Protocol::Ucc];

    /// The word in registries and files.
    pub const fn word(self) -> &'static str {
        match self {
            Protocol::Sbp => "sbp",
            Protocol::Ucc => "ucc",
        }
    }

    /// The protocol of a word.
    pub fn from_word(word: &str) -> Option<Protocol> {
        Protocol::ALL.iter().copied().find(|p| p.word() == word)
    }

    /// The front of a seat, for one game or one handshake.
    pub fn front(self, wants: Wants) -> Box<dyn Front> {
        match self {
            Protocol::Sbp => Box::new(Sbp::new(wants)),
            Protocol::Ucc => Box::new(Ucc::default()),
        }
    }
}
