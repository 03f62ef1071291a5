//! Plain lines: one JSON object a line, neutral and ours, and lines of our own games.jsonl, which are told from them
//! by their deployments.
//!
//! Keys: `id`, `field` (100 letters), `moves` (`A4-A5`), and where known `variant`, `red`, `blue`, `first`, `before`
//! (plies played before), `outcomes` (in the words of the UCC 2012 manager), `result`, `reason`. Others are passed
//! over.

use std::fmt;
use std::io::BufRead;

use serde::de::{self, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::lines::Lines;
use super::{
    Dashed, ForeignGame, Losses, MOST_PLIES, Next, ReadError, RulesOf, Told, result_of_word, result_word,
};
use crate::game::Colour;
use crate::record::game::{GameRecord, RecordedTurn, check_line};

/// A game as a plain line.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PlainGame {
    /// Any name.
    #[serde(default)]
    pub id: String,
    /// What kind of game.
    #[serde(default)]
    pub variant: Option<String>,
    /// Red's name.
    #[serde(default)]
    pub red: Option<String>,
    /// Blue's name.
    #[serde(default)]
    pub blue: Option<String>,
    /// StraDoS2 letters, a square each.
    #[serde(default)]
    pub field: Option<String>,
    /// Who moves first.
    #[serde(default)]
    pub first: Option<String>,
    /// Plies played before.
    #[serde(default)]
    pub before: u32,
    /// The moves, as `A4-A5`.
    #[serde(default, deserialize_with = "few")]
    pub moves: Vec<RecordedTurn>,
    /// What became of each, in the words of the UCC 2012 manager: `OK`, `KILLS a d`, `DIES a d`, `BOTHDIE a d`,
    /// `VICTORY_FLAG`, `ILLEGAL`.
    #[serde(default, deserialize_with = "few")]
    pub outcomes: Vec<Told>,
    /// How it came out.
    #[serde(default)]
    pub result: Option<String>,
    /// Why it ended.
    #[serde(default)]
    pub reason: Option<String>,
}

/// A list of at most [`MOST_PLIES`].
fn few<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct Few<T>(std::marker::PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Few<T> {
        type Value = Vec<T>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MOST_PLIES}")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(item) = seq.next_element()? {
                if list.len() == MOST_PLIES {
                    return Err(de::Error::custom(format!(
                        "more than {MOST_PLIES} plies: no game is that long"
                    )));
                }
                list.push(item);
            }
            Ok(list)
        }
    }
    deserializer.deserialize_seq(Few(std::marker::PhantomData))
}

impl Serialize for Told {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Words;
        impl Visitor<'_> for Words {
            type Value = Told;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("OK, KILLS a d, DIES a d, BOTHDIE a d, VICTORY_FLAG or ILLEGAL")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Told, E> {
                Told::read(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(Words)
    }
}

impl TryFrom<PlainGame> for ForeignGame {
    type Error = String;

    fn try_from(game: PlainGame) -> Result<ForeignGame, String> {
        let first = match game.first.as_deref() {
            None => None,
            Some(word) => Some(
                Colour::from_word(word)
                    .ok_or_else(|| format!("first is `{}`, neither red nor blue", word.escape_debug()))?,
            ),
        };
        let result = match game.result.as_deref() {
            None => None,
            Some(word) => Some(result_of_word(word).ok_or_else(|| {
                format!("result is `{}`, none of red, blue, draw, both-lose", word.escape_debug())
            })?),
        };
        if game.outcomes.len() > game.moves.len() {
            return Err(format!("{} outcomes of {} moves", game.outcomes.len(), game.moves.len()));
        }
        Ok(ForeignGame {
            id: game.id,
            kind: game.variant,
            red: game.red,
            blue: game.blue,
            field: game.field.as_deref().map(super::field).transpose()?,
            first,
            before: game.before,
            moves: game.moves,
            told: game.outcomes,
            result,
            reason: game.reason,
            remarks: Vec::new(),
            lost: Losses::default(),
        })
    }
}

pub(super) struct Reader<'a, R> {
    lines: Lines<R>,
    rules: RulesOf<'a>,
}

impl<'a, R: BufRead> Reader<'a, R> {
    pub(super) fn new(stream: R, rules: RulesOf<'a>) -> Reader<'a, R> {
        Reader { lines: Lines::new(stream), rules }
    }

    pub(super) fn next(&mut self) -> Next {
        loop {
            let text = match self.lines.next_line()? {
                Ok(text) if text.trim_ascii().is_empty() => continue,
                Ok(text) => read(text, self.rules),
                Err(error) => return Some(Err(error)),
            };
            let (number, torn) = (self.lines.number(), !self.lines.is_whole());
            return Some(text.map_err(|why| {
                ReadError::at(
                    number,
                    if torn { format!("it is torn, its end is missing ({why})") } else { why },
                )
            }));
        }
    }
}

/// Whether a line is one of our own journal: only those have deployments.
pub fn is_own(text: &str) -> bool {
    text.contains("\"setup\":")
}

fn read(text: &str, rules: RulesOf<'_>) -> Result<ForeignGame, String> {
    if is_own(text) {
        check_line(text).map_err(|e| e.to_string())?;
        let record = GameRecord::from_line(text).map_err(|e| e.to_string())?;
        return ForeignGame::of_record(&record, &rules(&record))
            .map_err(|why| format!("game {}: {why}", record.id));
    }
    let game: PlainGame =
        serde_json::from_str(text).map_err(|e| format!("neither a record nor a plain game: {e}"))?;
    if game.field.is_none() && game.moves.is_empty() && game.id.is_empty() {
        return Err("neither a record nor a plain game: it has no id, no field and no moves".to_owned());
    }
    game.try_into()
}

#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    red: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blue: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<u32>,
    moves: Moves<'a>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    outcomes: &'a [Told],
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

struct Moves<'a>(&'a [RecordedTurn]);

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Text<'a>(Dashed<'a>);
        impl Serialize for Text<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for turn in self.0 {
            seq.serialize_element(&Text(Dashed(turn)))?;
        }
        seq.end()
    }
}

pub(super) fn write(game: &ForeignGame, out: &mut String) -> Losses {
    let told_by_move = game.first_by_piece().unwrap_or(Colour::Red);
    let line = Line {
        id: &game.id,
        variant: game.kind.as_deref(),
        red: game.red.as_deref(),
        blue: game.blue.as_deref(),
        field: game.field.as_deref(),
        first: game.first.filter(|&first| first != told_by_move).map(Colour::word),
        before: Some(game.before).filter(|&n| n > 0),
        moves: Moves(&game.moves),
        outcomes: &game.told,
        result: game.result.map(result_word),
        reason: game.reason.as_deref(),
    };
    out.push_str(&serde_json::to_string(&line).expect("a game holds nothing JSON cannot"));
    out.push('\n');
    Losses::default()
}
