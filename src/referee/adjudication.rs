//! Adjudication: ends of a game that no rule book has and an organiser may switch on. Each is off unless asked for.
//!
//! By scores (`info … score N`, SPEC.md, `turn.score`) a game ends only where both bots agree: no bot's word alone
//! costs or saves it a point.

use std::fmt;

use crate::game::Colour;
use crate::protocol::MOST_SCORE;

/// A win by the scores: each of the last `moves` moves of one side said at most `-score`, of the other at least `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreResignation {
    /// From 1 to [`MOST_SCORE`].
    pub score: i16,
    /// Moves of each side, from 1.
    pub moves: u32,
}

/// A draw by the scores: each of the last `moves` moves of both sides said between `-score` and `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreDraw {
    /// From 0 to [`MOST_SCORE`].
    pub score: i16,
    /// Moves of each side, from 1.
    pub moves: u32,
    /// Not before each side made so many moves.
    pub from: u32,
}

/// What ends a game beside its rule book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// A win where both bots' scores agree on it.
    pub resignation: Option<ScoreResignation>,
    /// A draw where both bots' scores agree on it.
    pub draw: Option<ScoreDraw>,
    /// A draw where it is proved that neither side can win any more ([`crate::game::Position::is_dead`]).
    pub dead: bool,
}

/// How a game was adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudicated {
    /// By both bots' scores the named side has lost.
    ScoreResignation(Colour),
    /// By both bots' scores nobody wins.
    ScoreDraw,
    /// Neither side can win any more.
    DeadPosition,
}

impl Adjudicated {
    /// Whether a reason of a record is one of scores.
    pub fn is_by_scores(reason: &str) -> bool {
        [Adjudicated::ScoreResignation(Colour::Red), Adjudicated::ScoreDraw]
            .iter()
            .any(|how| how.reason() == reason)
    }

    /// The word of protocol and records.
    pub const fn reason(self) -> &'static str {
        match self {
            Adjudicated::ScoreResignation(_) => "score-resignation",
            Adjudicated::ScoreDraw => "score-draw",
            Adjudicated::DeadPosition => "dead-position",
        }
    }

    /// The winner, or none where it is a draw.
    pub const fn winner(self) -> Option<Colour> {
        match self {
            Adjudicated::ScoreResignation(loser) => Some(loser.other()),
            _ => None,
        }
    }
}

impl Adjudication {
    /// Whether bots' scores are asked for.
    pub fn reads_scores(&self) -> bool {
        self.resignation.is_some() || self.draw.is_some()
    }

    /// What the scores of all plies so far come to, the last of which `mover` made; none where a bot said none.
    pub fn by_scores(&self, scores: &[Option<i16>], mover: Colour) -> Option<Adjudicated> {
        // The latest scores of the side that moved, or of the other: all of them, and as they have to be.
        let all = |skip: usize, moves: u32, fits: &dyn Fn(i16) -> bool| {
            let mut latest = scores.iter().rev().skip(skip).step_by(2);
            (0..moves).all(|_| latest.next().copied().flatten().is_some_and(fits))
        };
        if let Some(ScoreResignation { score, moves }) = self.resignation {
            let (high, low) = (|s: i16| s >= score, |s: i16| s <= -score);
            if all(0, moves, &low) && all(1, moves, &high) {
                return Some(Adjudicated::ScoreResignation(mover));
            }
            if all(0, moves, &high) && all(1, moves, &low) {
                return Some(Adjudicated::ScoreResignation(mover.other()));
            }
        }
        let ScoreDraw { score, moves, from } = self.draw?;
        let even = |s: i16| (-score..=score).contains(&s);
        let late = scores.len() as u64 >= 2 * u64::from(from);
        (late && all(0, moves, &even) && all(1, moves, &even)).then_some(Adjudicated::ScoreDraw)
    }
}

impl fmt::Display for ScoreResignation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "score={},moves={}", self.score, self.moves)
    }
}

impl fmt::Display for ScoreDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "score={},moves={},from={}", self.score, self.moves, self.from)
    }
}

/// Why a text is no condition on scores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoreError {
    /// A word that is none of its keys.
    #[error("`{0}` is none of {1}, each with its number")]
    Word(String, &'static str),
    /// A number that cannot be.
    #[error("{0}={1}: it takes a whole number from {2} to {3}")]
    Number(&'static str, String, u32, u32),
}

/// Reads `key=number,…`; what is not said is as it was.
fn read(
    text: &str,
    names: &'static str,
    keys: &mut [(&'static str, &mut u32, u32, u32)],
) -> Result<(), ScoreError> {
    for word in text.split(',').map(str::trim) {
        let found = word.split_once('=').and_then(|(name, value)| {
            keys.iter_mut().find(|(key, ..)| *key == name).map(|(key, slot, low, high)| {
                let range = *low..=*high;
                let number = value.parse().ok().filter(|n| range.contains(n));
                number.map(|n| **slot = n).ok_or(ScoreError::Number(key, value.to_owned(), *low, *high))
            })
        });
        found.unwrap_or_else(|| Err(ScoreError::Word(word.to_owned(), names)))?;
    }
    Ok(())
}

/// More moves than a game has.
const MOST_MOVES: u32 = 1_000_000;

impl std::str::FromStr for ScoreResignation {
    type Err = ScoreError;

    /// `score=900,moves=4`; either may be left out.
    fn from_str(text: &str) -> Result<ScoreResignation, ScoreError> {
        let (mut score, mut moves) = (900, 4);
        let most = MOST_SCORE.unsigned_abs().into();
        read(
            text,
            "score, moves",
            &mut [("score", &mut score, 1, most), ("moves", &mut moves, 1, MOST_MOVES)],
        )?;
        Ok(ScoreResignation { score: score as i16, moves })
    }
}

impl std::str::FromStr for ScoreDraw {
    type Err = ScoreError;

    /// `score=20,moves=10,from=80`; any may be left out.
    fn from_str(text: &str) -> Result<ScoreDraw, ScoreError> {
        let (mut score, mut moves, mut from) = (20, 10, 80);
        let most = MOST_SCORE.unsigned_abs().into();
        let keys = &mut [
            ("score", &mut score, 0, most),
            ("moves", &mut moves, 1, MOST_MOVES),
            ("from", &mut from, 0, MOST_MOVES),
        ];
        read(text, "score, moves, from", keys)?;
        Ok(ScoreDraw { score: score as i16, moves, from })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(adjudication: &str, scores: &[i16]) -> Option<Adjudicated> {
        let (resignation, draw) = match adjudication.strip_prefix("draw:") {
            Some(draw) => (None, Some(draw.parse().expect("a condition"))),
            None => (Some(adjudication.parse().expect("a condition")), None),
        };
        // 9999 stands for no score.
        let scores: Vec<_> = scores.iter().map(|&s| Some(s).filter(|&s| s != 9999)).collect();
        let mover = if scores.len() % 2 == 1 { Colour::Red } else { Colour::Blue };
        Adjudication { resignation, draw, dead: false }.by_scores(&scores, mover)
    }

    #[test]
    fn a_win_takes_the_last_moves_of_both_sides() {
        let win = "score=500,moves=2";
        let blue_lost = Some(Adjudicated::ScoreResignation(Colour::Blue));
        assert_eq!(judge(win, &[600, -600, 600, -600]), blue_lost);
        assert_eq!(
            judge(win, &[0, 600, -500, 500, -500]),
            blue_lost.map(|_| Adjudicated::ScoreResignation(Colour::Red))
        );
        assert_eq!(judge(win, &[600, -600, 600]), None);
        assert_eq!(judge(win, &[600, -499, 600, -600]), None);
        assert_eq!(judge(win, &[600, 600, 600, 600]), None, "both cannot win");
        assert_eq!(judge(win, &[600, -600, 9999, -600]), None, "a bot that says nothing agrees to nothing");
    }

    #[test]
    fn a_draw_takes_both_sides_and_its_time() {
        let draw = "draw:score=10,moves=1,from=2";
        assert_eq!(judge(draw, &[0, 0]), None);
        assert_eq!(judge(draw, &[300, 300, 10, -10]), Some(Adjudicated::ScoreDraw));
        assert_eq!(judge(draw, &[0, 0, 11, 0]), None);
    }

    #[test]
    fn conditions_read_back_and_bad_ones_say_what_is_wrong() {
        let win: ScoreResignation = "moves=3".parse().expect("the score has a usual value");
        assert_eq!(win, win.to_string().parse().expect("as printed"));
        let draw: ScoreDraw = "from=0,score=5".parse().expect("a condition");
        assert_eq!(draw, draw.to_string().parse().expect("as printed"));
        let wrong = |text: &str| text.parse::<ScoreResignation>().expect_err("it is none").to_string();
        assert_eq!(wrong("score=0"), "score=0: it takes a whole number from 1 to 1000");
        assert_eq!(wrong("scores=5"), "`scores=5` is none of score, moves, each with its number");
        assert_eq!(wrong("score=-5"), "score=-5: it takes a whole number from 1 to 1000");
    }
}
