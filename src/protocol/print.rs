//! What the arbiter says in SBP: every line to a bot of our own protocol is printed here.
//!
//! Events are printed from [`SeenMove`] and [`View`] alone, so that nothing hidden can reach a line.

use std::fmt::Write;

use crate::clock::{Clocks, TimeControl, TimeSettings};
use crate::game::{
    Board, Colour, Coordinates, Deployment, Move, Rank, RuleSet, SeenMove, SeenSquare, View,
    notation::WrittenMove,
};

/// The version this program speaks.
pub const VERSION: u32 = 1;

/// The letters of enemy pieces whose rank is known, in the order of [`Rank::ALL`].
const KNOWN: &[u8; Rank::COUNT] = b"fbscdeghijkm";

/// What `newgame` tells of a seat and its game.
#[derive(Clone, Copy, Debug)]
pub struct NewGame<'a> {
    /// The game's id.
    pub id: &'a str,
    /// The bot's side.
    pub colour: Colour,
    /// Who moves first.
    pub first: Colour,
    /// The seat's seed, below 2^63.
    pub seed: u64,
    /// The time control.
    pub time: &'a TimeSettings,
    /// The rule book.
    pub rules: &'a RuleSet,
}

/// Parameters that are the organiser's alone.
const NOT_TOLD: &[&str] = &["scoring"];

pub(super) fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a String takes all that is written");
    out.push('\n');
}

/// `newgame …`.
pub fn newgame(out: &mut String, game: &NewGame<'_>) {
    let mut words =
        format!("newgame id={} colour={} first={} seed={}", game.id, game.colour, game.first, game.seed);
    let mut word = |text: String| {
        words.push(' ');
        words.push_str(&text);
    };
    word(match game.time.control {
        TimeControl::Unlimited { .. } => "time=none".to_owned(),
        TimeControl::PerMove(span) => format!("move-time={}", span.as_millis()),
        TimeControl::Clock { base, increment, period } => {
            let period = period.map_or(String::new(), |moves| format!("{moves}/"));
            format!("time={period}{}+{}", base.as_millis(), increment.as_millis())
        }
    });
    word(format!("delay={}", game.time.delay.as_millis()));
    word(game.time.setup.map_or("setup-time=none".to_owned(), |s| format!("setup-time={}", s.as_millis())));
    word(format!("rules={}", game.rules.name));
    for (name, value) in game.rules.values().filter(|(name, _)| !NOT_TOLD.contains(name)) {
        word(format!("{name}={value}"));
    }
    line(out, format_args!("{words}"));
}

/// `setup assigned …`.
pub fn assigned(out: &mut String, deployment: &Deployment) {
    line(out, format_args!("setup assigned {deployment}"));
}

/// `placed COLOUR SQUARE …`: where a side's pieces stand.
pub fn placed(out: &mut String, colour: Colour, view: View<'_>) {
    write!(out, "placed {colour}").expect("a String takes all that is written");
    for square in view.occupied(colour) {
        write!(out, " {}", view.board().coordinates(square)).expect("a String takes all that is written");
    }
    out.push('\n');
}

/// `flag COLOUR SQUARE`.
pub fn flag(out: &mut String, colour: Colour, at: Coordinates) {
    line(out, format_args!("flag {colour} {at}"));
}

fn letter(rank: Option<Rank>) -> char {
    rank.map_or('?', Rank::letter)
}

/// `moved …`.
pub fn moved(out: &mut String, seen: &SeenMove, board: &Board) {
    let WrittenMove { from, to } = seen.mv.written(board);
    write!(out, "moved {} {from} {to}", seen.mover).expect("a String takes all that is written");
    if let Some(battle) = &seen.battle {
        let advances = if battle.advances { " advances" } else { "" };
        let (attacker, defender) = (letter(battle.attacker), letter(battle.defender));
        write!(out, " battle {attacker} {defender} {}{advances}", battle.outcome.word())
            .expect("a String takes all that is written");
    }
    if let Some(rescue) = &seen.rescue {
        write!(out, " rescue {} {}", letter(rescue.rank), board.coordinates(rescue.to))
            .expect("a String takes all that is written");
    }
    out.push('\n');
}

/// `board …`: one side's view.
pub fn board(out: &mut String, view: View<'_>) {
    out.push_str("board ");
    let board = view.board();
    for rank in (0..board.height()).rev() {
        for file in 0..board.width() {
            let square = board.square(Coordinates { file, rank }).expect("within the board's own size");
            out.push(match view.square(square) {
                SeenSquare::Empty => '.',
                SeenSquare::Lake => '~',
                SeenSquare::Own(rank) => rank.letter(),
                SeenSquare::Known(rank) => KNOWN[rank as usize] as char,
                SeenSquare::Moved => '!',
                SeenSquare::Unknown => '?',
            });
        }
        out.push(if rank == 0 { '\n' } else { '/' });
    }
}

/// `legal …`; `moves` are put into the order of squares.
pub fn legal(out: &mut String, moves: &mut [Move], board: &Board) {
    moves.sort_unstable();
    out.push_str("legal");
    for mv in moves {
        write!(out, " {}", mv.written(board)).expect("a String takes all that is written");
    }
    out.push('\n');
}

/// `illegal CLAUSE FROM TO`.
pub fn illegal(out: &mut String, slug: &str, mv: WrittenMove) {
    line(out, format_args!("illegal {slug} {} {}", mv.from, mv.to));
}

/// `go …`, with the clocks where the bot wants them.
pub fn go(out: &mut String, clocks: &Clocks, control: &TimeControl, side: Colour, wants_clock: bool) {
    out.push_str("go");
    if wants_clock {
        if let (Some(red), Some(blue)) = (clocks.left(0), clocks.left(1)) {
            write!(out, " clock={},{}", red.as_millis(), blue.as_millis())
                .expect("a String takes all that is written");
        }
        if let Some(moves) = clocks.moves_to_go(side.index()) {
            write!(out, " moves-to-go={moves}").expect("a String takes all that is written");
        }
        if let TimeControl::PerMove(span) = control {
            write!(out, " move-time={}", span.as_millis()).expect("a String takes all that is written");
        }
    }
    out.push('\n');
}

/// `gameover …`; `clause` for the side at fault alone.
pub fn gameover(out: &mut String, winner: Option<Colour>, reason: &str, clause: Option<&str>) {
    let winner = winner.map_or("none", Colour::word);
    let clause = clause.map_or(String::new(), |slug| format!(" clause={slug}"));
    line(out, format_args!("gameover winner={winner} reason={reason}{clause}"));
}
