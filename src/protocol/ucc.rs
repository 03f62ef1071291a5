//! The front of bots of the UCC programming competition of 2012: `protocol/UCC.md` as code.
//!
//! That league's wire has no handshake, no options and no word for any rule: one game of the classic kind and its
//! end. What cannot be said in it is refused before a game ([`Front::unable`]); nothing is made up.

use std::fmt::Write;

use super::clause::Clause;
use super::front::{Front, GameOver, Question};
use super::print::NewGame;
use super::said::{self, LineFault, Said, SaidMove, Shown, State};
use crate::game::{
    Board, Colour, Coordinates, Deployment, Outcome, Rank, RuleSet, SeenMove, SeenSquare, View, book,
    notation::WrittenMove,
};

/// Files and ranks of that league's board.
pub const SIZE: u8 = 10;
/// Rows of a deployment.
pub const ROWS: usize = 4;

/// The parameters that its bots take as they were in that league, and that no line of its wire could change.
const FIXED: [&str; 11] = [
    "board",
    "lakes",
    "rows",
    "army",
    "deployment",
    "first-mover",
    "winner-advances",
    "silent-defence",
    "rescue",
    "open-flag",
    "deployment-by",
];

/// A rank's character: that league numbered from the marshal, 1, down to the scout, 9.
pub fn letter(rank: Rank) -> char {
    match rank {
        Rank::Flag => 'F',
        Rank::Bomb => 'B',
        Rank::Spy => 's',
        _ => char::from(b'1' + (Rank::Marshal as u8 - rank as u8)),
    }
}

/// The rank of a character.
pub fn rank(letter: char) -> Option<Rank> {
    Rank::ALL.into_iter().find(|&rank| self::letter(rank) == letter)
}

/// What a piece is worth in the line that ends a game: spy 1 to marshal 10, bomb and flag nothing.
pub fn worth(rank: Rank) -> u32 {
    (rank as u32).saturating_sub(Rank::Bomb as u32)
}

/// The name of a side in that league's lines.
pub const fn colour(side: Colour) -> &'static str {
    match side {
        Colour::Red => "RED",
        Colour::Blue => "BLUE",
    }
}

/// A deployment as its four rows, from the top of the board to its bottom.
pub fn rows(deployment: &Deployment, side: Colour) -> [String; ROWS] {
    let row = |number: usize| {
        // Deployments begin with their own back row, which is Blue's lowest here.
        let number = if side == Colour::Red { number } else { ROWS - 1 - number };
        let ranks = &deployment.squares()[number * SIZE as usize..][..SIZE as usize];
        ranks.iter().map(|rank| rank.map_or('.', letter)).collect()
    };
    [0, 1, 2, 3].map(row)
}

/// `X Y DIRECTION [N]`: a move along a row or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step(pub WrittenMove);

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let WrittenMove { from, to } = self.0;
        let (direction, squares) = match (from.file.cmp(&to.file), from.rank.cmp(&to.rank)) {
            (std::cmp::Ordering::Less, _) => ("RIGHT", to.file - from.file),
            (std::cmp::Ordering::Greater, _) => ("LEFT", from.file - to.file),
            (_, std::cmp::Ordering::Greater) => ("UP", from.rank - to.rank),
            _ => ("DOWN", to.rank - from.rank),
        };
        write!(f, "{} {} {direction}", from.file, from.rank)?;
        if squares > 1 { write!(f, " {squares}") } else { Ok(()) }
    }
}

/// Why words are no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoStep {
    /// They have not the form.
    Form,
    /// A square is off the board.
    OffBoard,
}

impl Step {
    /// Reads the words `X Y DIRECTION [N]`.
    ///
    /// # Errors
    /// [`NoStep`].
    pub fn read(words: &[&str]) -> Result<Step, NoStep> {
        let (x, y, direction, squares) = match *words {
            [x, y, direction] => (x, y, direction, "1"),
            [x, y, direction, squares] => (x, y, direction, squares),
            _ => return Err(NoStep::Form),
        };
        let number = |text: &str| said::read_number(text).map(|n| i64::try_from(n).unwrap_or(i64::MAX));
        let (Some(x), Some(y), Some(squares)) = (number(x), number(y), number(squares)) else {
            return Err(NoStep::Form);
        };
        let (dx, dy) = match direction {
            "LEFT" => (-1, 0),
            "RIGHT" => (1, 0),
            "UP" => (0, -1),
            "DOWN" => (0, 1),
            _ => return Err(NoStep::Form),
        };
        if squares == 0 {
            return Err(NoStep::Form);
        }
        let square = |x: i64, y: i64| {
            let on = 0..i64::from(SIZE);
            (on.contains(&x) && on.contains(&y)).then_some(Coordinates { file: x as u8, rank: y as u8 })
        };
        let end = |from: i64, by: i64| from.saturating_add(by.saturating_mul(squares));
        match (square(x, y), square(end(x, dx), end(y, dy))) {
            (Some(from), Some(to)) => Ok(Step(WrittenMove { from, to })),
            _ => Err(NoStep::OffBoard),
        }
    }
}

/// The front, and what it keeps of its one game.
#[derive(Clone, Debug)]
pub(super) struct Ucc {
    side: Colour,
    /// The rows that came so far, in our letters.
    rows: Vec<String>,
    /// Plies that were told, or ended the game.
    plies: u32,
    /// Whether the last of them ended it.
    ended: bool,
    /// Whether both sides have deployed.
    started: bool,
    /// What each side's pieces are worth.
    worth: [u32; 2],
}

impl Default for Ucc {
    fn default() -> Ucc {
        Ucc { side: Colour::Red, rows: Vec::new(), plies: 0, ended: false, started: false, worth: [0; 2] }
    }
}

impl Ucc {
    fn row(&mut self, line: &str) -> Result<Said, LineFault> {
        let number = self.rows.len() + 1;
        let shown = Shown(line.as_bytes());
        if line.len() != SIZE as usize {
            let evidence =
                format!("row {number} is {shown}: {} characters, where a row has {SIZE}", line.len());
            return Err(LineFault::new(Clause::SetupLength, evidence));
        }
        let mut row = String::with_capacity(line.len());
        for (at, character) in (1..).zip(line.chars()) {
            match rank(character) {
                Some(rank) => row.push(rank.letter()),
                None if character == '.' => row.push('.'),
                None => {
                    let evidence = format!(
                        "character {at} of row {number}, {shown}, is no rank; there are 1 (marshal) to 9 (scout), s, B, F"
                    );
                    return Err(LineFault::new(Clause::SetupLetter, evidence));
                }
            }
        }
        self.rows.push(row);
        if self.rows.len() < ROWS {
            return Ok(Said::Part);
        }
        let mut rows = std::mem::take(&mut self.rows);
        if self.side == Colour::Blue {
            rows.reverse();
        }
        Ok(Said::Setup(rows.concat()))
    }

    fn answer(&self, line: &str) -> Result<Said, LineFault> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if words == ["SURRENDER"] {
            return Ok(Said::Resign);
        }
        let shown = Shown(line.as_bytes());
        match Step::read(&words) {
            Ok(Step(mv)) => Ok(Said::Move(SaidMove { mv, rescue: None, offers_draw: false })),
            Err(NoStep::OffBoard) => {
                let evidence = format!("{shown} begins or ends off the board");
                Err(LineFault::new(Clause::MoveOffBoard, evidence))
            }
            Err(NoStep::Form) => {
                let hint = if line.bytes().any(|b| b.is_ascii_lowercase()) {
                    "; words are written in capitals"
                } else if words.last() == Some(&"0") {
                    "; N counts squares from 1"
                } else {
                    ""
                };
                let evidence = format!(
                    "{shown} is malformed; wanted is `X Y UP|DOWN|LEFT|RIGHT [N]` or `SURRENDER`{hint}"
                );
                Err(LineFault::new(Clause::MoveSyntax, evidence))
            }
        }
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a String takes all that is written");
}

impl Front for Ucc {
    fn copy(&self) -> Box<dyn Front> {
        Box::new(self.clone())
    }

    fn hello(&self, _out: &mut String) -> bool {
        false
    }

    fn set_option(&self, _out: &mut String, _name: &str, _value: Option<&str>) {
        unreachable!("options are set in a handshake, of which there is none");
    }

    fn ask_ready(&self, _out: &mut String) {
        unreachable!("it is asked in a handshake, or for a second game, of which there is none");
    }

    fn farewell(&self, out: &mut String, played: bool) {
        // The end of a game said it already, and these bots tolerate no line twice.
        if !played {
            out.push_str("QUIT\n");
        }
    }

    fn new_game(&mut self, _out: &mut String, game: &NewGame<'_>) {
        let army = |rank: Rank| worth(rank) * u32::from(game.rules.army.count(rank));
        let worth = Rank::ALL.into_iter().map(army).sum();
        *self = Ucc { side: game.colour, worth: [worth; 2], ..Ucc::default() };
    }

    fn assigned(&mut self, _out: &mut String, _deployment: &Deployment) {
        unreachable!("such a game is refused: see `unable`");
    }

    fn ask_deployment(&mut self, out: &mut String) {
        put(out, format_args!("{} opponent {SIZE} {SIZE}\n", colour(self.side)));
    }

    fn placed(&mut self, _out: &mut String, _side: Colour, _view: View<'_>) {
        // Every deployment square is filled: see `unable`.
    }

    fn flag(&mut self, _out: &mut String, _side: Colour, _at: Coordinates) {
        unreachable!("a game with open flags is refused: see `unable`");
    }

    fn start(&mut self, _out: &mut String) {
        self.started = true;
    }

    fn moved(&mut self, out: &mut String, seen: &SeenMove, board: &Board, last: bool) {
        (self.plies, self.ended) = (self.plies + 1, last);
        if let Some(battle) = &seen.battle {
            let mut gone = |side: Colour, rank: Option<Rank>| {
                self.worth[side.index()] -= rank.map_or(0, worth);
            };
            if battle.outcome != Outcome::Won {
                gone(seen.mover, battle.attacker);
            }
            if battle.outcome != Outcome::Lost {
                gone(seen.mover.other(), battle.defender);
            }
        }
        // `QUIT` comes in its place.
        if last {
            return;
        }
        put(out, format_args!("{} ", Step(seen.mv.written(board))));
        match &seen.battle {
            None => out.push_str("OK\n"),
            Some(battle) => {
                let outcome = match battle.outcome {
                    Outcome::Won => "KILLS",
                    Outcome::Lost => "DIES",
                    Outcome::Both => "BOTHDIE",
                };
                let [a, d] = [battle.attacker, battle.defender].map(|rank| rank.map_or('?', letter));
                put(out, format_args!("{outcome} {a} {d}\n"));
            }
        }
    }

    fn ask(&mut self, out: &mut String, question: Question<'_>) {
        if self.plies == 0 {
            out.push_str("START\n");
        }
        let view = question.view;
        for rank in 0..SIZE {
            for file in 0..SIZE {
                let square = view.board().square(Coordinates { file, rank });
                out.push(match square.map(|square| view.square(square)) {
                    Some(SeenSquare::Own(rank)) => letter(rank),
                    Some(SeenSquare::Known(_) | SeenSquare::Moved | SeenSquare::Unknown) => '#',
                    Some(SeenSquare::Empty) => '.',
                    Some(SeenSquare::Lake) | None => '+',
                });
            }
            out.push('\n');
        }
    }

    fn game_over(&mut self, out: &mut String, over: GameOver<'_>) {
        let loser = over.winner.map(Colour::other);
        let (told_of, result) = match (over.reason, over.winner) {
            ("flag-captured" | "no-legal-move", winner) => (winner, "VICTORY"),
            ("both-immobile", _) => (None, "DRAW"),
            ("resignation", _) => (loser, "SURRENDER"),
            ("illegal-setup", _) | ("double-forfeit", _) => (loser, "BAD_SETUP"),
            ("void", _) => (None, "INTERNAL_ERROR"),
            (_, None) => (None, "DRAW_DEFAULT"),
            (_, Some(_)) => (loser, "ILLEGAL"),
        };
        let name = match told_of {
            Some(side) if side == self.side => "you",
            Some(_) => "opponent",
            None => "neither",
        };
        let side = match (told_of, result) {
            (Some(side), _) => colour(side),
            (None, "INTERNAL_ERROR") => "NONE",
            (None, _) => "BOTH",
        };
        let turn = match (self.started, self.ended) {
            (false, _) => 0,
            (true, true) => self.plies.div_ceil(2),
            (true, false) => self.plies / 2 + 1,
        };
        let [red, blue] = self.worth;
        put(out, format_args!("QUIT {name} {side} {result} {turn} {red} {blue}\n"));
    }

    fn unable(&self, rules: &RuleSet, given: bool) -> Option<String> {
        if given {
            return Some("UCC has no word for a given deployment or past moves".to_owned());
        }
        let league = book("ucc2012").expect("a shipped book");
        FIXED.into_iter().find_map(|name| {
            let (value, fixed) = (rules.get(name)?, league.get(name)?);
            (value != fixed).then(|| format!("UCC has no word for {name}={value} (only for {name}={fixed})"))
        })
    }

    fn starts_with_game(&self) -> bool {
        true
    }

    fn tells_at_once(&self) -> bool {
        true
    }

    fn asks_again(&self) -> bool {
        false
    }

    fn read(&mut self, line: &[u8], state: State) -> Result<Said, LineFault> {
        if matches!(state, State::Over | State::OverReady | State::Closed) {
            return Ok(Said::Ignored);
        }
        let (line, begin) = said::trim(line);
        said::check_bytes(line, begin, false)?;
        let text = str::from_utf8(line).expect("printable ASCII was just checked");
        match state {
            State::Setup => self.row(text),
            State::Turn => self.answer(text),
            _ => Err(said::too_early(line)),
        }
    }

    fn read_begun(&self, bytes: &[u8]) -> Result<(), LineFault> {
        if bytes.is_empty() { Ok(()) } else { Err(said::too_early(bytes)) }
    }
}
