//! What a bot said: one line, read under the state the conversation is in.

use std::fmt;

use super::clause::Clause;
use super::intake::LINE_LIMIT;
use crate::game::{Coordinates, Rank, notation::WrittenMove};

/// The state of a conversation with a bot (SPEC.md, section 14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// No question is open.
    Silent,
    /// `sbp` was asked.
    Handshake,
    /// `isready` was asked.
    Ready,
    /// `setup` was asked.
    Setup,
    /// `go` was asked.
    Turn,
    /// The game ended over an open question: its answer may still come, and counts for nothing.
    Over,
    /// The same, and `isready` was asked.
    OverReady,
    /// `quit` was sent, or the bot's input closed.
    Closed,
}

impl State {
    /// The name in SPEC.md and in vectors.
    pub const fn word(self) -> &'static str {
        match self {
            State::Silent => "silent",
            State::Handshake => "handshake",
            State::Ready => "ready",
            State::Setup => "setup",
            State::Turn => "turn",
            State::Over => "over",
            State::OverReady => "over-ready",
            State::Closed => "closed",
        }
    }
}

/// A fault in a line: the clause, and what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    /// The broken clause.
    pub clause: Clause,
    /// What was seen, for people: printable ASCII.
    pub evidence: String,
}

impl LineFault {
    pub(super) fn new(clause: Clause, evidence: impl Into<String>) -> LineFault {
        LineFault { clause, evidence: evidence.into() }
    }
}

/// How an option's value is typed, with its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// True or false.
    Check(bool),
    /// A whole number within bounds.
    Spin {
        /// The default.
        default: i64,
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// One of some texts.
    Combo {
        /// The default.
        default: String,
        /// The choices.
        choices: Vec<String>,
    },
    /// Any text.
    Text(String),
    /// Nothing: it is pressed.
    Button,
}

impl OptionKind {
    /// Checks a value for this option.
    ///
    /// # Errors
    /// What the option takes, as the end of a sentence.
    pub fn check(&self, value: &str) -> Result<(), String> {
        match self {
            OptionKind::Check(_) if value == "true" || value == "false" => Ok(()),
            OptionKind::Check(_) => Err("takes true or false".to_owned()),
            OptionKind::Spin { min, max, .. } => match read_integer(value) {
                Some(n) if (*min..=*max).contains(&n) => Ok(()),
                _ => Err(format!("takes a whole number from {min} to {max}")),
            },
            OptionKind::Combo { choices, .. } if choices.iter().any(|c| c == value) => Ok(()),
            OptionKind::Combo { choices, .. } => Err(format!("takes one of {}", choices.join(", "))),
            OptionKind::Text(_) => {
                let printable = value.bytes().all(|b| (0x20..0x7f).contains(&b));
                let single = value.trim() == value && !value.contains("  ");
                if printable && single && value.len() <= LINE_LIMIT {
                    Ok(())
                } else {
                    Err(format!("takes printable ASCII with single blanks, at most {LINE_LIMIT} characters"))
                }
            }
            OptionKind::Button => Ok(()),
        }
    }
}

/// An option that a bot declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclared {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: OptionKind,
}

/// A move as a bot wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaidMove {
    /// From where to where.
    pub mv: WrittenMove,
    /// The rescue asked for.
    pub rescue: Option<(Rank, Coordinates)>,
    /// Whether a draw was offered with it.
    pub offers_draw: bool,
}

/// A line of a bot, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// An empty line.
    Blank,
    /// `info TEXT`: logged, never judged.
    Info(String),
    /// A line that counts for nothing in its state.
    Ignored,
    /// A part of an answer, the rest of which is still to come.
    Part,
    /// `sbp N`.
    Version(u64),
    /// `id KEY TEXT`.
    Id(String, String),
    /// `option …`.
    Option(OptionDeclared),
    /// `want …`.
    Want(Vec<String>),
    /// `feature …`.
    Feature(Vec<String>),
    /// `supports …`.
    Supports(Vec<String>),
    /// `ok`.
    Ok,
    /// `readyok`.
    ReadyOk,
    /// `setup STRING`; the string is any word.
    Setup(String),
    /// `move …`.
    Move(SaidMove),
    /// `draw`.
    Draw,
    /// `resign`.
    Resign,
}

/// At most so many bytes of a bot's line are shown in evidence.
const SHOWN: usize = 120;

/// A bot's bytes as printable ASCII, cut where they are long.
pub struct Shown<'a>(pub &'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = &self.0[..self.0.len().min(SHOWN)];
        write!(f, "`{}`", cut.escape_ascii())?;
        if self.0.len() > SHOWN {
            write!(f, " and {} bytes more", self.0.len() - SHOWN)?;
        }
        Ok(())
    }
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// A line without the blanks and tabs around it, and where it began.
pub(super) fn trim(line: &[u8]) -> (&[u8], usize) {
    let begin = line.iter().position(|&b| !is_blank(b)).unwrap_or(line.len());
    let end = line.iter().rposition(|&b| !is_blank(b)).map_or(begin, |at| at + 1);
    (&line[begin..end], begin)
}

/// Judges a line by its bytes alone; `any` where bytes from 0x80 up are allowed in it.
pub(super) fn check_bytes(line: &[u8], begin: usize, any: bool) -> Result<(), LineFault> {
    let allowed = |b: u8| (0x20..0x7f).contains(&b) || b == b'\t' || (any && b >= 0x80);
    let Some(at) = line.iter().position(|&b| !allowed(b)) else { return Ok(()) };
    let what = match line[at] {
        0 => "a NUL".to_owned(),
        b'\r' => "a carriage return inside the line".to_owned(),
        b if b < 0x20 || b == 0x7f => format!("the control character 0x{b:02x}"),
        b => format!("the byte 0x{b:02x}, which is no ASCII"),
    };
    let evidence = format!("byte {} of the line is {what}: {}", begin + at + 1, Shown(line));
    Err(LineFault::new(Clause::LineBytes, evidence))
}

/// A line that came while no question was open.
pub(super) fn too_early(line: &[u8]) -> LineFault {
    LineFault::new(Clause::TurnEarly, format!("{} came while no question was open", Shown(line)))
}

/// What a bot's score may be at most: that it has won for certain.
pub const MOST_SCORE: i16 = 1000;

/// The score that the text of an `info` line tells: the whole number of at most [`MOST_SCORE`] either way behind its first word `score`.
/// None where it tells none; nothing in such a line is ever a fault.
pub fn score_told(info: &str) -> Option<i16> {
    let mut words = info.split_ascii_whitespace();
    words.find(|&word| word == "score")?;
    words.next()?.parse().ok().filter(|score| (-MOST_SCORE..=MOST_SCORE).contains(score))
}

/// Judges bytes that came without the end of their line while no question was open. Only an `info` line or an empty
/// one may have begun (SPEC.md, `turn.drain`): anything else would be taken for the answer to what is asked next.
///
/// # Errors
/// The fault: `turn.early`.
pub fn read_begun(bytes: &[u8]) -> Result<(), LineFault> {
    let begin = bytes.iter().position(|&b| !is_blank(b) && b != b'\r').unwrap_or(bytes.len());
    let bytes = &bytes[begin..];
    let word = bytes.split(|&b| is_blank(b)).next().unwrap_or_default();
    let info = if word.len() < bytes.len() { word == b"info" } else { b"info\r".starts_with(word) };
    if info {
        return Ok(());
    }
    let evidence = format!("{} was begun while no question was open", Shown(bytes));
    Err(LineFault::new(Clause::TurnEarly, evidence))
}

/// Reads a line, without its end, in a state.
///
/// # Errors
/// The first fault, in the order of SPEC.md, `line.order`.
pub fn read(line: &[u8], state: State) -> Result<Said, LineFault> {
    if state == State::Closed {
        return Ok(Said::Ignored);
    }
    let (line, begin) = trim(line);
    let first_end = line.iter().position(|&b| is_blank(b)).unwrap_or(line.len());
    let info = &line[..first_end] == b"info";
    check_bytes(line, begin, info)?;
    if info {
        return Ok(Said::Info(
            String::from_utf8_lossy(&line[first_end..]).trim_matches([' ', '\t']).to_owned(),
        ));
    }
    if line.is_empty() {
        return Ok(Said::Blank);
    }
    let line = str::from_utf8(line).expect("printable ASCII was just checked");
    let (word, rest) = line.split_at(first_end);
    let late = matches!(word, "setup" | "move" | "draw" | "resign");
    if matches!(state, State::Over | State::OverReady) && late {
        return Ok(Said::Ignored);
    }
    if matches!(state, State::Silent | State::Over) {
        return Err(too_early(line.as_bytes()));
    }
    let home = match word {
        "sbp" | "id" | "option" | "want" | "feature" | "supports" | "ok" => State::Handshake,
        "readyok" => State::Ready,
        "setup" => State::Setup,
        "move" | "draw" | "resign" => State::Turn,
        _ => {
            let lower = word.to_ascii_lowercase();
            let hint = match lower.as_str() {
                "bestmove" => "; an answer to `go` is `move a4 a5`",
                "move" | "setup" | "ok" | "readyok" | "draw" | "resign" | "id" | "want" | "info"
                    if lower != word =>
                {
                    "; words are written in small letters"
                }
                _ => "; what is not an answer goes to standard error, or behind `info`",
            };
            let evidence = format!("{} starts with no word of the protocol{hint}", Shown(line.as_bytes()));
            return Err(LineFault::new(Clause::LineUnknown, evidence));
        }
    };
    if home != state && (home, state) != (State::Ready, State::OverReady) {
        let awaited = match state {
            State::Handshake => "the handshake, ended by `ok`",
            State::Ready | State::OverReady => "`readyok`",
            State::Setup => "`setup STRING`",
            State::Turn => "`move`, `draw` or `resign`",
            State::Silent | State::Over | State::Closed => {
                unreachable!("no question is open in these states, which were handled above")
            }
        };
        let evidence = format!("{} came where {awaited} was awaited", Shown(line.as_bytes()));
        return Err(LineFault::new(Clause::LineUnexpected, evidence));
    }
    let mut words = rest.split_ascii_whitespace();
    let malformed = |clause| {
        let form = match clause {
            Clause::SetupSyntax => "`setup` and one word, a character for each deployment square",
            Clause::MoveSyntax => "`move a4 a5`, `draw` or `resign`",
            Clause::ReadySyntax => "`readyok` alone",
            _ => "what SPEC.md, section 3, says",
        };
        LineFault::new(clause, format!("{} is malformed; wanted is {form}", Shown(line.as_bytes())))
    };
    let alone = |said, clause| {
        if rest.is_empty() { Ok(said) } else { Err(malformed(clause)) }
    };
    match word {
        "move" => read_move(&mut words).map(Said::Move).ok_or_else(|| malformed(Clause::MoveSyntax)),
        "draw" => alone(Said::Draw, Clause::MoveSyntax),
        "resign" => alone(Said::Resign, Clause::MoveSyntax),
        "setup" => match (words.next(), words.next()) {
            (Some(deployment), None) => Ok(Said::Setup(deployment.to_owned())),
            _ => Err(malformed(Clause::SetupSyntax)),
        },
        "readyok" => alone(Said::ReadyOk, Clause::ReadySyntax),
        "ok" => alone(Said::Ok, Clause::HandshakeSyntax),
        _ => read_handshake(word, words.collect()).ok_or_else(|| malformed(Clause::HandshakeSyntax)),
    }
}

fn read_move<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<SaidMove> {
    let first = words.next()?;
    let mv = match WrittenMove::parse(first.as_bytes()) {
        Some(mv) => mv,
        None => WrittenMove {
            from: Coordinates::parse(first.as_bytes())?,
            to: Coordinates::parse(words.next()?.as_bytes())?,
        },
    };
    let mut next = words.next();
    let mut rescue = None;
    if next == Some("rescue") {
        let rank = words.next().filter(|w| w.len() == 1)?;
        let rank = Rank::from_letter(rank.chars().next()?)?;
        rescue = Some((rank, Coordinates::parse(words.next()?.as_bytes())?));
        next = words.next();
    }
    let offers_draw = next == Some("offer-draw");
    if offers_draw {
        next = words.next();
    }
    next.is_none().then_some(SaidMove { mv, rescue, offers_draw })
}

fn read_handshake(word: &str, words: Vec<&str>) -> Option<Said> {
    let owned = |words: &[&str]| {
        (!words.is_empty()).then(|| words.iter().map(|&w| w.to_owned()).collect::<Vec<String>>())
    };
    match word {
        "sbp" => {
            let [version] = words[..] else { return None };
            read_number(version).map(Said::Version)
        }
        "id" => {
            let (key, text) = words.split_first()?;
            (!text.is_empty()).then(|| Said::Id((*key).to_owned(), text.join(" ")))
        }
        "want" => owned(&words).map(Said::Want),
        "feature" => owned(&words).map(Said::Feature),
        "supports" => owned(&words).map(Said::Supports),
        "option" => read_option(&words).map(Said::Option),
        _ => None,
    }
}

/// A number of the grammar: digits without a leading zero, below 2^63.
pub(super) fn read_number(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|&n: &u64| plain && n < 1 << 63)
}

fn read_integer(text: &str) -> Option<i64> {
    match text.strip_prefix('-') {
        Some(digits) => read_number(digits).map(|n| -(n as i64)),
        None => read_number(text).map(|n| n as i64),
    }
}

fn read_option(words: &[&str]) -> Option<OptionDeclared> {
    let rest = match words {
        ["name", rest @ ..] => rest,
        _ => return None,
    };
    let at = rest.iter().position(|&w| w == "type")?;
    let (name, rest) = (&rest[..at], &rest[at + 1..]);
    if name.is_empty() || name.iter().any(|w| ["default", "min", "max", "var", "value"].contains(w)) {
        return None;
    }
    let kind = match *rest {
        ["check", "default", value] => OptionKind::Check(value.parse().ok()?),
        ["spin", "default", default, "min", min, "max", max] => {
            let (default, min, max) = (read_integer(default)?, read_integer(min)?, read_integer(max)?);
            if !(min..=max).contains(&default) {
                return None;
            }
            OptionKind::Spin { default, min, max }
        }
        ["combo", "default", ref texts @ ..] => {
            let mut texts = texts.split(|&w| w == "var").map(|words| words.join(" "));
            let default = texts.next()?;
            let choices: Vec<String> = texts.collect();
            if choices.iter().any(String::is_empty) || !choices.contains(&default) {
                return None;
            }
            OptionKind::Combo { default, choices }
        }
        ["string", "default", ref text @ ..] => OptionKind::Text(text.join(" ")),
        ["button"] => OptionKind::Button,
        _ => return None,
    };
    Some(OptionDeclared { name: name.join(" "), kind })
}
