//! A game as one line of games.jsonl, format version 1, and as one plain line of other programs.
//!
//! Wire structs: they say what stands in the file, not what is true. [`super::verify`] finds out.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::game::{Battle, Coordinates, Outcome, Rank, notation::WrittenMove};

/// The version of the line format, its field `v`.
pub const GAME_FORMAT: u32 = 1;

/// A turn as it stands in a record: `a4a5`, or `a9a10 rescue 8 c1`; plain lines write `A4-A5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedTurn {
    /// A move, with the rescue that was part of it.
    Move(WrittenMove, Option<(Rank, Coordinates)>),
    /// Text that is no move.
    Unreadable(String),
}

impl RecordedTurn {
    /// Reads a turn; text that is none is kept as it is.
    pub fn read(text: &str) -> RecordedTurn {
        let read = || {
            let mut words = text.split(' ');
            let first = words.next()?;
            let mv = WrittenMove::parse(first.as_bytes()).or_else(|| WrittenMove::parse_dashed(first))?;
            let rescue = match (words.next(), words.next(), words.next(), words.next()) {
                (None, ..) => None,
                (Some("rescue"), Some(rank), Some(square), None) if rank.len() == 1 => {
                    Some((Rank::from_letter(rank.chars().next()?)?, Coordinates::parse(square.as_bytes())?))
                }
                _ => return None,
            };
            Some(RecordedTurn::Move(mv, rescue))
        };
        read().unwrap_or_else(|| RecordedTurn::Unreadable(text.to_owned()))
    }
}

impl fmt::Display for RecordedTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordedTurn::Move(mv, None) => write!(f, "{mv}"),
            RecordedTurn::Move(mv, Some((rank, to))) => write!(f, "{mv} rescue {} {to}", rank.letter()),
            RecordedTurn::Unreadable(text) => f.write_str(text),
        }
    }
}

impl Serialize for RecordedTurn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RecordedTurn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = RecordedTurn;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a move as text")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<RecordedTurn, E> {
                Ok(RecordedTurn::read(text))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// A battle as it stands in a record: `[ply, "2", "6", "lost"]`, a fifth word `"advances"` where the defender did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedBattle {
    /// The ply it was fought at, from 1.
    pub ply: u32,
    /// The battle.
    pub battle: Battle,
}

impl Serialize for RecordedBattle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let b = &self.battle;
        let mut seq = serializer.serialize_seq(Some(4 + usize::from(b.advances)))?;
        seq.serialize_element(&self.ply)?;
        seq.serialize_element(&b.attacker.letter())?;
        seq.serialize_element(&b.defender.letter())?;
        seq.serialize_element(b.outcome.word())?;
        if b.advances {
            seq.serialize_element("advances")?;
        }
        seq.end()
    }
}

impl<'de> Deserialize<'de> for RecordedBattle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items;
        impl<'de> Visitor<'de> for Items {
            type Value = RecordedBattle;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a battle as [ply, attacker, defender, outcome]")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<RecordedBattle, A::Error> {
                let missing = || de::Error::custom("a battle is [ply, attacker, defender, outcome]");
                let ply = seq.next_element()?.ok_or_else(missing)?;
                let mut rank = || {
                    let letter: char = seq.next_element()?.ok_or_else(missing)?;
                    Rank::from_letter(letter).ok_or_else(|| de::Error::custom("no rank has that letter"))
                };
                let (attacker, defender) = (rank()?, rank()?);
                let word: Cow<'de, str> = seq.next_element()?.ok_or_else(missing)?;
                let outcome =
                    Outcome::from_word(&word).ok_or_else(|| de::Error::custom("won, lost or both"))?;
                let advances = seq.next_element::<Cow<'de, str>>()?.is_some();
                Ok(RecordedBattle { ply, battle: Battle { attacker, defender, outcome, advances } })
            }
        }
        deserializer.deserialize_seq(Items)
    }
}

/// Something of each side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sides<T> {
    /// Red's.
    pub red: T,
    /// Blue's.
    pub blue: T,
}

/// A bot's fault as it stands in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFault {
    /// `red` or `blue`.
    pub side: String,
    /// The slug of the broken clause.
    pub clause: String,
    /// What was seen, for people.
    pub evidence: String,
    /// The illegal move, where the fault is one and it was readable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<RecordedTurn>,
    /// The last lines of the bot's standard error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

/// One line of games.jsonl.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// [`GAME_FORMAT`].
    pub v: u32,
    /// Round, pair and game, as `1.3.2`.
    pub id: String,
    /// Red's name.
    pub red: String,
    /// Blue's name.
    pub blue: String,
    /// `red`, `blue`, `draw`, `both-lose` or `void`.
    pub result: String,
    /// Why the game ended: a reason of SPEC.md, section 18.
    pub reason: String,
    /// The clause that was broken, where one was.
    pub clause: Option<String>,
    /// Plies played.
    pub plies: u32,
    /// Of these, the ones that were given: played before this game began.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub given: u32,
    /// Who moved first.
    pub first: String,
    /// Each seat's seed.
    pub seeds: Sides<u64>,
    /// Each side's deployment; none where it came to none.
    pub setup: Sides<Option<String>>,
    /// The moves.
    pub moves: Vec<RecordedTurn>,
    /// The battles.
    pub battles: Vec<RecordedBattle>,
    /// Microseconds of each move.
    pub us: Vec<u64>,
    /// The score that was told with each turn, from -1000 to 1000, where scores may end a game; null where none was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Option<i16>>,
    /// What bots did wrong; two entries where both lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<RecordedFault>,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// Why a line is no record.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// Not the JSON it should be.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// Its checksum is another one.
    #[error("its checksum is {found}, its text has {computed}: the line was changed or torn")]
    Checksum {
        /// As written.
        found: String,
        /// As computed.
        computed: String,
    },
    /// A format of another version.
    #[error("format version {0} is not known to this program (it reads {GAME_FORMAT})")]
    Version(u64),
}

const CRC_KEY: &str = ",\"crc\":\"";

impl GameRecord {
    /// The line, with its checksum (CRC-32 of the text before it) and its LF.
    pub fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("a record holds nothing JSON cannot");
        line.pop();
        let crc = crc32fast::hash(line.as_bytes());
        line += &format!("{CRC_KEY}{crc:08x}\"}}\n");
        line
    }

    /// Reads a line.
    ///
    /// # Errors
    /// [`LineError`]. A checksum that does not fit is not looked at here: see [`check_line`].
    pub fn from_line(line: &str) -> Result<GameRecord, LineError> {
        let record: GameRecord = serde_json::from_str(line)?;
        if record.v != GAME_FORMAT {
            return Err(LineError::Version(u64::from(record.v)));
        }
        Ok(record)
    }
}

/// Compares a line's checksum with its text.
///
/// # Errors
/// [`LineError::Checksum`].
pub fn check_line(line: &str) -> Result<(), LineError> {
    let text = line.trim_end();
    let wrong = |found: &str, computed: u32| {
        Err(LineError::Checksum { found: found.to_owned(), computed: format!("{computed:08x}") })
    };
    // At the end, where it is written; otherwise it is looked for, to say what stands there.
    let usual = text.len().checked_sub(CRC_KEY.len() + 10);
    let at = usual.filter(|&at| text.as_bytes()[at..].starts_with(CRC_KEY.as_bytes()));
    let Some(at) = at.or_else(|| text.rfind(CRC_KEY)) else {
        return wrong("missing", crc32fast::hash(text.as_bytes()));
    };
    let found = text[at + CRC_KEY.len()..].trim_end_matches("\"}");
    let computed = crc32fast::hash(&text.as_bytes()[..at]);
    // As it is written: eight digits, small.
    let same = found.len() == 8
        && u32::from_str_radix(found, 16) == Ok(computed)
        && !found.bytes().any(|b| b.is_ascii_uppercase() || b == b'+');
    if same { Ok(()) } else { wrong(found, computed) }
}
