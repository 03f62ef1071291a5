//! Game ids: round, pair and game, each from 1, written `1.3.2`. Stable: they do not depend on the order in which
//! games finish.

use std::fmt;
use std::str::FromStr;

/// The id of a game in an event. Ordered by round, pair, game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId {
    /// The round, from 1.
    pub round: u64,
    /// The pair within the round, from 1.
    pub pair: u64,
    /// The game within the pair, from 1.
    pub game: u64,
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.round, self.pair, self.game)
    }
}

impl FromStr for GameId {
    type Err = String;

    fn from_str(text: &str) -> Result<GameId, String> {
        let numbers: Option<Vec<u64>> =
            text.split('.').map(|n| n.parse().ok().filter(|&n| n > 0 && !text.contains('+'))).collect();
        match numbers.as_deref() {
            Some(&[round, pair, game]) => Ok(GameId { round, pair, game }),
            _ => Err(format!("`{text}` is no game id, which is ROUND.PAIR.GAME as in 1.3.2")),
        }
    }
}
