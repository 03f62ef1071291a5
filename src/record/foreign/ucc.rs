//! Logs of the manager of the UCC programming competition 2012: both setups, a line a move with what became of it,
//! an ending, a result line.
//!
//! Real logs break off, repeat lines, and carry the manager's complaints; all of that is remarked and none of it is
//! an error. An error is only what leaves no game: a setup that is none. Endings for which the manager had no words
//! are written with ours.

use std::fmt::Write;
use std::io::BufRead;

use super::lines::Lines;
use super::{
    ForeignGame, Loss, Losses, MOST_PLIES, Next, ReadError, Remark, SIDE, SQUARES, Told, push_number, winner,
    won_by,
};
use crate::game::notation::{self, WrittenMove};
use crate::game::{Colour, Coordinates, FILE_LETTERS, Move, Outcome, Rank, Rules, book};
use crate::protocol::ucc as protocol;
use crate::record::game::RecordedTurn;
use crate::tournament::GameResult;

/// How many oddities of a game are told; more are counted.
const MOST_REMARKS: usize = 8;

/// A file that no board reaches: what lies off the board to the left or above has no other name.
const OFF: u8 = FILE_LETTERS.len() as u8 - 1;

/// The rank that a word names.
pub(super) fn rank(text: &str) -> Option<Rank> {
    protocol::rank(text.chars().next().filter(|first| first.len_utf8() == text.len())?)
}

/// The manager's words for a colour: in full, and as it begins a move.
const fn words(colour: Colour) -> (&'static str, &'static str) {
    match colour {
        Colour::Red => ("RED", "RED"),
        Colour::Blue => ("BLUE", "BLU"),
    }
}

fn colour(word: &str) -> Option<Colour> {
    Colour::BOTH.into_iter().find(|&c| words(c).0 == word || words(c).1 == word)
}

/// A line that begins a side's setup: whose, and the path of its program.
fn setup_of(line: &str) -> Option<(Colour, &str)> {
    if !line.trim_ascii_end().as_bytes().ends_with(b"P") {
        return None;
    }
    let (path, word) = line.trim_end().strip_suffix(" SETUP")?.rsplit_once(' ')?;
    let colour = Colour::BOTH.into_iter().find(|&c| words(c).0 == word)?;
    Some((colour, path))
}

/// The ply of a line of a move, from 0, with what follows.
fn ply_of(line: &str) -> Option<(u64, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..10).contains(&digits) {
        return None;
    }
    let turn: u64 = line[..digits].parse().ok().filter(|&n| n > 0)?;
    let rest = line[digits..].strip_prefix(' ')?;
    let (side, rest) = match rest.strip_prefix("RED:") {
        Some(rest) => (Colour::Red, rest),
        None => (Colour::Blue, rest.strip_prefix("BLU:").or_else(|| rest.strip_prefix("BLUE:"))?),
    };
    Some(((turn - 1) * 2 + side as u64, rest))
}

/// Whether a line tells that this is such a log.
pub(super) fn is_telling(line: &str) -> bool {
    setup_of(line).is_some() || ply_of(line).is_some()
}

pub(super) struct Reader<R> {
    lines: Lines<R>,
    /// The line that begins the next game, where it was read already.
    ahead: Option<String>,
    /// Whether any game, good or bad, was found.
    any: bool,
    /// Whether the last one was bad, so that what else is of it is passed over: the next begins with Red's setup.
    bad: bool,
}

/// A game as far as it was read.
#[derive(Default)]
struct Draft {
    game: ForeignGame,
    /// The setups that were read, whether or not the manager took them.
    setups: [bool; 2],
    letters: Vec<u8>,
    /// The ply that comes next, once one was read.
    next: Option<u64>,
    last: String,
    /// Why the moves that follow do not count.
    cut: bool,
    ended: bool,
    /// Whose turn the game ended on, with whether that side is then the winner.
    turn: Option<Colour>,
    told_result: bool,
    more_remarks: u64,
}

impl Draft {
    fn remark(&mut self, line: u64, text: impl Into<String>) {
        if self.game.remarks.len() < MOST_REMARKS {
            self.game.remarks.push(Remark { line, text: text.into() });
        } else {
            self.more_remarks += 1;
        }
    }
}

/// A piece of a line, for messages.
fn shown(text: &str) -> String {
    let short: String = text.trim().chars().take(60).collect();
    short.escape_debug().to_string()
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(stream: R) -> Reader<R> {
        Reader { lines: Lines::new(stream), ahead: None, any: false, bad: false }
    }

    pub(super) fn next(&mut self) -> Next {
        let next = self.read();
        self.bad = matches!(next, Some(Err(_)));
        next
    }

    fn read(&mut self) -> Next {
        let mut draft = Draft { letters: empty_field(), ..Draft::default() };
        // To the line that begins a game.
        let header = loop {
            if let Some(header) = self.ahead.take() {
                break header;
            }
            let bad = self.bad;
            let number = self.lines.number() + 1;
            match self.lines.next_line() {
                None if self.any || number == 1 => return None,
                None => {
                    self.any = true;
                    let why = "no game is in it: a log has a line `NAME RED SETUP`";
                    return Some(Err(ReadError::at(number - 1, why)));
                }
                Some(Err(error)) => {
                    self.any = true;
                    return Some(Err(error));
                }
                Some(Ok(line)) if setup_of(line).is_some_and(|(side, _)| side == Colour::Red || !bad) => {
                    break line.to_owned();
                }
                Some(Ok(line)) if line.trim_ascii().is_empty() || self.any => {}
                Some(Ok(line)) => draft.remark(number, format!("before the setups: `{}`", shown(line))),
            }
        };
        self.any = true;
        let (mut side, path) = setup_of(&header).expect("it was asked");
        draft.name(side, path);
        // Both setups, then the rest.
        let mut row = 0;
        loop {
            let number = self.lines.number() + 1;
            let line = match self.lines.next_line() {
                None => break,
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(line)) => line,
            };
            if let Some((colour, path)) = setup_of(line) {
                if colour == side || draft.setups[colour.index()] || draft.ended || draft.next.is_some() {
                    self.ahead = Some(line.to_owned());
                    break;
                }
                if !draft.setups[side.index()] {
                    self.ahead = Some(line.to_owned());
                    return Some(Err(ReadError::at(number, cut_setup(side, row))));
                }
                draft.name(colour, path);
                (side, row) = (colour, 0);
                continue;
            }
            if !draft.setups[side.index()] {
                if let Err(why) = draft.row(side, &mut row, line) {
                    return Some(Err(ReadError::at(number, why)));
                }
                continue;
            }
            draft.line(number, line);
        }
        let number = self.lines.number();
        if !draft.setups[side.index()] {
            return Some(Err(ReadError::at(number, cut_setup(side, row))));
        }
        if draft.setups != [true; 2] {
            let missing = Colour::BOTH[usize::from(draft.setups[0])];
            return Some(Err(ReadError::at(number, format!("the log breaks off before {missing}'s setup"))));
        }
        Some(Ok(draft.done(number, self.lines.is_whole())))
    }
}

fn cut_setup(side: Colour, row: u8) -> String {
    format!("{side}'s setup breaks off after {row} of 4 rows")
}

/// The field before the setups: lakes alone.
fn empty_field() -> Vec<u8> {
    let mut letters = vec![b'A'; SQUARES];
    for rank in [4, 5] {
        for file in [2, 3, 6, 7] {
            letters[rank * usize::from(SIDE) + file] = b'_';
        }
    }
    letters
}

impl Draft {
    fn name(&mut self, side: Colour, path: &str) {
        // The program's path on a machine that is gone: its last part is the name.
        let name = path.trim().rsplit('/').next().unwrap_or_default();
        let name = Some(name.to_owned()).filter(|name| !name.is_empty() && name != "-");
        match side {
            Colour::Red => self.game.red = name,
            Colour::Blue => self.game.blue = name,
        }
    }

    fn row(&mut self, side: Colour, row: &mut u8, line: &str) -> Result<(), String> {
        let line = line.trim();
        if *row == 0 && line == "INVALID!" {
            self.setups[side.index()] = true;
            return Ok(());
        }
        let width = usize::from(SIDE);
        if line.len() != width {
            return Err(format!("row {} of {side}'s setup is `{}`, not ten squares", *row + 1, shown(line)));
        }
        let first = match side {
            Colour::Red => 0,
            Colour::Blue => 6,
        };
        for (file, letter) in (0..).zip(line.chars()) {
            let square = match (letter, protocol::rank(letter)) {
                ('.', _) => continue,
                (_, Some(rank)) => notation::strados_letter(side, rank) as u8,
                _ => {
                    return Err(format!(
                        "`{}` in {side}'s setup is no rank (1 to 9, s, B, F)",
                        letter.escape_debug()
                    ));
                }
            };
            let at = usize::from(first + *row) * width + file;
            self.letters[at] = square;
        }
        *row += 1;
        self.setups[side.index()] = *row == 4;
        Ok(())
    }

    /// A line after the setups.
    fn line(&mut self, number: u64, line: &str) {
        let text = line.trim_ascii();
        if text.is_empty() {
            return;
        }
        if let Some((ply, rest)) = ply_of(text) {
            // The manager may have ended the game in the middle of a line.
            match rest.bytes().any(|b| b == b'G').then(|| rest.find("Game ends")).flatten() {
                None => self.ply(number, ply, text, rest.trim_ascii()),
                Some(at) => {
                    self.answer(number, ply, rest[..at].trim());
                    self.line(number, &rest[at..]);
                }
            }
        } else if let Some(rest) = text.strip_prefix("Game ends ") {
            self.end(number, rest);
        } else if let Some((side, word)) = result_line(text) {
            if self.told_result {
                return self.remark(number, "a second result line");
            }
            self.told_result = true;
            self.game.result = match (word, side) {
                ("VICTORY", Some(side)) => Some(won_by(side)),
                ("ILLEGAL" | "SURRENDER" | "BAD_SETUP", Some(side)) => Some(won_by(side.other())),
                ("ILLEGAL" | "BAD_SETUP", None) => Some(GameResult::BothLose),
                ("DRAW" | "DRAW_DEFAULT", _) => Some(GameResult::Draw),
                _ => None,
            };
        } else {
            self.remark(number, format!("`{}`", shown(text)));
        }
    }

    /// Where a ply stands in the order of play: whether it is the next one.
    fn in_order(&mut self, number: u64, ply: u64, text: &str) -> bool {
        if self.ended {
            self.remark(number, format!("a move after the end: `{}`", shown(text)));
            return false;
        }
        if self.cut {
            return false;
        }
        match self.next {
            // Red begins; a log in which Blue does, Blue's first line tells.
            None if ply < 2 => {}
            Some(next) if ply == next => {}
            Some(next) if ply + 1 == next => {
                let same = if self.last == text { "" } else { " with other words" };
                self.remark(number, format!("`{}` stands there again{same}", shown(text)));
                return false;
            }
            _ => {
                self.cut = true;
                self.remark(
                    number,
                    format!("moves are missing before `{}`: the game is cut there", shown(text)),
                );
                return false;
            }
        }
        true
    }

    fn ply(&mut self, number: u64, ply: u64, text: &str, rest: &str) {
        if !self.in_order(number, ply, text) {
            return;
        }
        if self.game.moves.len() == MOST_PLIES {
            self.cut = true;
            return self.remark(number, format!("more than {MOST_PLIES} plies: the game is cut there"));
        }
        match read_move(rest) {
            Some((mv, told)) => {
                if self.next.is_none() && ply == 1 {
                    self.game.first = Some(Colour::Blue);
                }
                self.next = Some(ply + 1);
                self.last.clear();
                self.last.push_str(text);
                self.game.moves.push(RecordedTurn::Move(mv, None));
                self.game.told.push(told);
            }
            None => {
                self.answer(number, ply, rest);
                self.cut = true;
            }
        }
    }

    /// An answer that is no move.
    fn answer(&mut self, number: u64, ply: u64, text: &str) {
        let side = Colour::BOTH[(ply % 2) as usize].title();
        let turn = ply / 2 + 1;
        match text {
            "" => self.remark(number, format!("{side} gave no answer on turn {turn}")),
            _ if text.starts_with("SURRENDER") => {}
            _ => self.remark(
                number,
                format!("{side}'s answer on turn {turn} is no whole move: `{}`", shown(text)),
            ),
        }
    }

    /// `on RED's turn - REASON: …` or `in the SETUP phase - REASON: …`.
    fn end(&mut self, number: u64, rest: &str) {
        let (turn, text) = rest.split_once(" - REASON:").unwrap_or((rest, ""));
        let text = text.trim();
        if std::mem::replace(&mut self.ended, true) {
            return self.remark(number, format!("the game ends again: `{}`", shown(text)));
        }
        self.turn = turn.strip_prefix("on ").and_then(|t| colour(t.strip_suffix("'s turn")?));
        self.game.reason = reason(text).map(str::to_owned);
        match (text, &self.game.reason) {
            ("unknown", _) | (_, Some(_)) => {}
            _ => self.remark(number, format!("an ending that is not known: `{}`", shown(text))),
        }
        if self.game.reason.as_deref() == Some("illegal-setup") {
            self.turn = text.rsplit(' ').next().and_then(colour);
        }
    }

    fn done(mut self, number: u64, whole: bool) -> ForeignGame {
        if !self.ended {
            let how = if whole || self.cut { "" } else { ", in the middle of a line" };
            self.remark(number, format!("the log breaks off{how}: it tells no ending"));
        } else if !self.told_result {
            self.remark(number, "the log has no result line");
            self.game.result = self.result_of_reason();
        }
        if self.more_remarks > 0 {
            let text = format!("and {} oddities more", self.more_remarks);
            self.game.remarks.push(Remark { line: number, text });
        }
        if self.letters.iter().any(|letter| !matches!(letter, b'A' | b'_')) {
            self.game.field = Some(String::from_utf8(self.letters).expect("the letters are ASCII"));
        }
        self.game
    }

    /// How the game came out, where the log tells only why it ended and on whose turn.
    fn result_of_reason(&self) -> Option<GameResult> {
        match (self.game.reason.as_deref()?, self.turn) {
            ("flag-captured" | "no-legal-move", Some(side)) => Some(won_by(side)),
            (
                "resignation" | "illegal-move" | "time" | "protocol" | "process" | "illegal-setup",
                Some(side),
            ) => Some(won_by(side.other())),
            ("both-immobile" | "length", _) => Some(GameResult::Draw),
            _ => None,
        }
    }
}

/// `NAME COLOUR RESULT TURN RED BLUE`: whose result, and the word for it.
fn result_line(text: &str) -> Option<(Option<Colour>, &str)> {
    const WORDS: [&str; 7] =
        ["VICTORY", "ILLEGAL", "SURRENDER", "DRAW", "DRAW_DEFAULT", "BAD_SETUP", "INTERNAL_ERROR"];
    let mut words = text.rsplit(' ');
    for _ in 0..3 {
        words.next()?.parse::<i64>().ok()?;
    }
    let (word, side) = (words.next()?, words.next()?);
    let side = colour(side).map(Some).or_else(|| matches!(side, "BOTH" | "NONE").then_some(None))?;
    WORDS.contains(&word).then_some((side, word))
}

/// Reads `x y DIRECTION [n] OUTCOME`.
fn read_move(text: &str) -> Option<(WrittenMove, Told)> {
    let (x, rest) = text.split_once(' ')?;
    let (y, rest) = rest.split_once(' ')?;
    let (direction, rest) = rest.split_once(' ')?;
    let (x, y): (i32, i32) = (x.parse().ok()?, y.parse().ok()?);
    let (number, told) = match rest.split_once(' ').unwrap_or((rest, "")) {
        (first, _) if first.as_bytes().first()?.is_ascii_uppercase() => (1, rest),
        (first, told) => (first.parse::<i32>().ok()?.clamp(0, 1000), told),
    };
    let (dx, dy) = match direction {
        "UP" => (0, -1),
        "DOWN" => (0, 1),
        "LEFT" => (-1, 0),
        "RIGHT" => (1, 0),
        _ => return None,
    };
    let told = match told {
        "VICTORY_ATTRITION" => Told::Quiet,
        told => Told::read(told)?,
    };
    let from = at(i64::from(x), i64::from(y));
    let to = at(
        i64::from(x) + i64::from(dx) * i64::from(number),
        i64::from(y) + i64::from(dy) * i64::from(number),
    );
    Some((WrittenMove { from, to }, told))
}

/// A square of the manager's coordinates, which may lie off the board.
fn at(x: i64, y: i64) -> Coordinates {
    let most = 98;
    match (u8::try_from(x), u8::try_from(y)) {
        (Ok(file), Ok(rank)) => Coordinates { file: file.min(OFF), rank: rank.min(most) },
        _ => {
            Coordinates { file: OFF, rank: u8::try_from(y).unwrap_or(if y < 0 { 0 } else { most }).min(most) }
        }
    }
}

/// The manager's words for endings, with ours; where a text is more than the words, it begins with them.
const ENDINGS: [(&str, &str); 18] = [
    ("Captured the flag", "flag-captured"),
    ("Destroyed all mobile enemy pieces", "no-legal-move"),
    ("Game declared a draw because neither player has mobile pieces", "both-immobile"),
    ("Game declared a draw after", "length"),
    ("This player has surrendered", "resignation"),
    ("Unintelligable response", "protocol"),
    ("Response timeout", "time"),
    ("SIGPIPE", "process"),
    ("An illegal setup was made by", "illegal-setup"),
    ("Selected unit cannot move that way", "illegal-move"),
    ("Coords outside board", "illegal-move"),
    ("Move does not select a piece", "illegal-move"),
    ("Selected piece belongs to other player", "illegal-move"),
    ("Selected piece is not mobile", "illegal-move"),
    ("Attempted move into square occupied", "illegal-move"),
    ("Board does not exit", "void"),
    ("Internal controller error", "void"),
    ("Status returned", "void"),
];

/// Endings that the manager had no words for and that are written with ours.
const OURS: [&str; 15] = [
    "repetition",
    "no-attack",
    "agreement",
    "limit",
    "adjudication",
    "double-forfeit",
    "both-missing",
    "game-clock",
    "time-and-missing",
    "missing",
    "no-legal-move",
    "both-immobile",
    "time",
    "void",
    "illegal-setup",
];

fn reason(text: &str) -> Option<&'static str> {
    let theirs = ENDINGS.iter().find(|(words, _)| text.starts_with(words)).map(|(_, ours)| *ours);
    theirs.or_else(|| OURS.into_iter().find(|ours| *ours == text))
}

/// What a game's log needs to tell and its source did not: what became of each move, and who is left.
struct Track {
    told: Vec<Told>,
    values: [u32; 2],
}

fn track(game: &ForeignGame, field: &str) -> Result<Track, String> {
    let mut values = [0; 2];
    for (side, rank) in field.chars().filter_map(notation::strados_piece) {
        values[side.index()] += protocol::worth(rank);
    }
    let told = if game.told.len() == game.moves.len() { game.told.clone() } else { replay(game, field)? };
    let first = game.first_mover().index();
    for (ply, told) in told.iter().enumerate() {
        let mover = (first + ply) % 2;
        if let Told::Struck(attacker, defender, outcome) = told {
            if *outcome != Outcome::Won {
                values[mover] = values[mover].saturating_sub(protocol::worth(*attacker));
            }
            if *outcome != Outcome::Lost {
                values[1 - mover] = values[1 - mover].saturating_sub(protocol::worth(*defender));
            }
        }
    }
    Ok(Track { told, values })
}

/// What became of each move by the rules of that league, its longest game and the repetition rules apart.
fn replay(game: &ForeignGame, field: &str) -> Result<Vec<Told>, String> {
    static LEAGUE: std::sync::LazyLock<std::sync::Arc<Rules>> = std::sync::LazyLock::new(|| {
        let mut set = book("ucc2012").expect("it is shipped");
        set.set("length", "off").expect("the parameter can be off");
        Rules::new(set).expect("it is checked")
    });
    let mut position = notation::position(&LEAGUE, field, game.first_mover()).map_err(|e| e.to_string())?;
    let mut all = Vec::with_capacity(game.moves.len());
    for (n, turn) in game.moves.iter().enumerate() {
        if game.told.get(n) == Some(&Told::Illegal) {
            all.push(Told::Illegal);
            continue;
        }
        let RecordedTurn::Move(written, _) = turn else { break };
        let played = written.on(position.board()).and_then(|mv: Move| position.play(mv, None));
        match played {
            Ok(played) => all.push(Told::of(played.battle.as_ref())),
            Err(_) if n + 1 == game.moves.len() => all.push(Told::Illegal),
            Err(illegal) => {
                return Err(format!(
                    "ply {}, {turn}, {}: a UCC log cannot go on after it",
                    n + 1,
                    illegal.because()
                ));
            }
        }
    }
    Ok(all)
}

/// A name that fits on a line of a log.
fn name(name: &Option<String>) -> String {
    let text = name.as_deref().unwrap_or_default();
    // At the beginning of a file the last of these would be read as a byte order mark.
    let unfit = |c: char| c.is_control() || c == '\u{feff}';
    let text: String = text.chars().map(|c| if unfit(c) { '_' } else { c }).collect();
    if text.trim().is_empty() { "-".to_owned() } else { text }
}

pub(super) fn write(game: &ForeignGame, out: &mut String) -> Result<Losses, String> {
    const TEXT: &str = "text can be written";
    let field = game.field.as_deref().unwrap_or_default();
    if field.is_empty() && !game.moves.is_empty() {
        return Err("it has moves and no field, with which a UCC log begins".to_owned());
    }
    let names = [name(&game.red), name(&game.blue)];
    for side in Colour::BOTH {
        setup(side, &names[side.index()], field, out)?;
    }
    let first = game.first_mover();
    let Track { told, values } = track(game, field)?;
    // Turns are counted as if Red had begun.
    let shift = first.index();
    let turn_of = |ply: usize| (ply + shift) / 2 + 1;
    for (ply, (turn, told)) in game.moves.iter().zip(&told).enumerate() {
        let side = Colour::BOTH[(ply + shift) % 2];
        push_number(turn_of(ply), out);
        out.push(' ');
        out.push_str(words(side).1);
        out.push_str(": ");
        written(turn, ply, out)?;
        match told {
            Told::Quiet => out.push_str(" OK\n"),
            told => writeln!(out, " {told}").expect(TEXT),
        }
    }
    if told.len() < game.moves.len() {
        let turn = &game.moves[told.len()];
        return Err(format!("ply {}, {turn}, is no move: a UCC log cannot hold it", told.len() + 1));
    }
    end(game, &names, values, turn_of, out);
    let mut losses = Losses::default();
    losses.add_if(game.kind.is_some(), Loss::Kinds);
    losses.add_if(game.before > 0, Loss::Before);
    losses.add_if(game.moves.is_empty() && game.first_mover() == Colour::Blue, Loss::First);
    Ok(losses)
}

fn setup(side: Colour, name: &str, field: &str, out: &mut String) -> Result<(), String> {
    writeln!(out, "{name} {} SETUP", words(side).0).expect("text can be written");
    let width = usize::from(SIDE);
    let rows = match side {
        Colour::Red => 0..4,
        Colour::Blue => 6..10,
    };
    let pieces = || {
        field
            .char_indices()
            .filter_map(|(at, letter)| Some((at, notation::strados_piece(letter)?)))
            .filter(move |(_, piece)| piece.0 == side)
    };
    if let Some((at, _)) = pieces().find(|(at, _)| !rows.contains(&(at / width))) {
        let at = Coordinates { file: (at % width) as u8, rank: (at / width) as u8 };
        return Err(format!(
            "{side} has a piece on {at}, outside of its four rows: a UCC log begins with setups"
        ));
    }
    let lakes = field.char_indices().filter(|(_, letter)| *letter == '_').map(|(at, _)| at);
    if !field.is_empty() && !lakes.eq((0..SQUARES).filter(|&at| empty_field()[at] == b'_')) {
        return Err("its lakes are not the usual ones, which a UCC log takes for granted".to_owned());
    }
    if pieces().next().is_none() {
        out.push_str("INVALID!\n");
        return Ok(());
    }
    for row in rows {
        for letter in field[row * width..(row + 1) * width].chars() {
            out.push(notation::strados_piece(letter).map_or('.', |(_, rank)| protocol::letter(rank)));
        }
        out.push('\n');
    }
    Ok(())
}

/// Writes `x y DIRECTION [n]`.
fn written(turn: &RecordedTurn, ply: usize, out: &mut String) -> Result<(), String> {
    let refuse = |why: &str| Err(format!("ply {}, {turn}, {why}: a UCC log has no words for it", ply + 1));
    let RecordedTurn::Move(WrittenMove { from, to }, rescue) = turn else { return refuse("is no move") };
    if rescue.is_some() {
        return refuse("brings a piece back");
    }
    let (direction, number) = match (from.file, from.rank) {
        (file, rank) if file == to.file && rank > to.rank => ("UP", rank - to.rank),
        (file, rank) if file == to.file => ("DOWN", to.rank - rank),
        (0, rank) if rank == to.rank && to.file == OFF => ("LEFT", 1),
        (_, 0) if to.file == OFF => ("UP", 1),
        (file, rank) if rank == to.rank && file > to.file => ("LEFT", file - to.file),
        (file, rank) if rank == to.rank => ("RIGHT", to.file - file),
        _ => return refuse("goes along no line"),
    };
    push_number(usize::from(from.file), out);
    out.push(' ');
    push_number(usize::from(from.rank), out);
    out.push(' ');
    out.push_str(direction);
    if number != 1 {
        out.push(' ');
        push_number(usize::from(number), out);
    }
    Ok(())
}

/// Writes the ending and the result line.
fn end(
    game: &ForeignGame,
    names: &[String; 2],
    values: [u32; 2],
    turn_of: impl Fn(usize) -> usize,
    out: &mut String,
) {
    const TEXT: &str = "text can be written";
    if game.result.is_none() && game.reason.is_none() {
        return;
    }
    let plies = game.moves.len();
    let word = game.reason.as_deref().unwrap_or("unknown");
    let mover = |ply: usize| Colour::BOTH[(ply + game.first_mover().index()) % 2];
    let last = mover((plies + 1) % 2);
    let wins = game.result.and_then(winner);
    // The game ends on the turn of who won by the board, or lost by his own doing.
    let fault =
        matches!(word, "resignation" | "illegal-move" | "illegal-setup" | "time" | "protocol" | "process");
    let side = match wins {
        Some(winner) if fault => winner.other(),
        Some(winner) => winner,
        None => last,
    };
    let turn = match word {
        "length" => plies / 2 + 1,
        _ if plies == 0 => 1,
        _ if side == last => turn_of(plies - 1),
        _ => turn_of(plies),
    };
    let (title, _) = words(side);
    if word == "illegal-setup" {
        out.push_str("Game ends in the SETUP phase - REASON: ");
    } else {
        write!(out, "Game ends on {title}'s turn - REASON: ").expect(TEXT);
    }
    let text = match (ENDINGS.iter().find(|(_, ours)| *ours == word), wins) {
        (Some((text, "length")), None) => format!("{text} {turn} turns"),
        (Some((text, "illegal-setup")), Some(_)) => format!("{text} {title}"),
        // The manager's words name a winner or a draw: with another result they would say what is not so.
        (Some((text, "flag-captured" | "no-legal-move" | "resignation")), Some(_)) => (*text).to_owned(),
        (Some((text, "illegal-move" | "protocol" | "time")), Some(_)) => (*text).to_owned(),
        (Some((text, "both-immobile")), None) => (*text).to_owned(),
        (Some((text, "process")), Some(_)) => format!("{text} - Broken pipe (AI program no longer running)"),
        _ => word.to_owned(),
    };
    writeln!(out, "{text}").expect(TEXT);
    let result = match (game.result, word) {
        (None, _) => return,
        (Some(GameResult::Draw), "length") => "DRAW_DEFAULT",
        (Some(GameResult::Draw), _) => "DRAW",
        (Some(_), "resignation") => "SURRENDER",
        (Some(_), "illegal-setup") => "BAD_SETUP",
        (Some(GameResult::BothLose), _) => "ILLEGAL",
        (Some(_), _) if fault => "ILLEGAL",
        (Some(_), _) => "VICTORY",
    };
    let turn = if word == "illegal-setup" { 0 } else { turn };
    let (name, title) = match game.result {
        Some(GameResult::BothLose) => ("neither", "BOTH"),
        _ => (names[side.index()].as_str(), title),
    };
    writeln!(out, "{name} {title} {result} {turn} {} {}", values[0], values[1]).expect(TEXT);
}
