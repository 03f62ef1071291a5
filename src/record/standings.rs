//! `standings.json`: a table as a file. Derived; no time, date, path or machine is in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rating::Estimate;
use crate::tournament::{Line, Standings, Tally};

/// The version of the file's format.
pub const STANDINGS_FORMAT: u32 = 1;

/// Wins, draws and losses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireTally {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl From<Tally> for WireTally {
    fn from(t: Tally) -> WireTally {
        WireTally { wins: t.wins, draws: t.draws, losses: t.losses }
    }
}

/// A rating as it is written: a value with half its 95 % interval, a bound, or nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum WireEstimate {
    /// A value.
    Value {
        /// Elo.
        elo: f64,
        /// Half the width of its 95 % interval.
        error: f64,
    },
    /// All was won: the rating is above this.
    AtLeast {
        /// Elo.
        elo: f64,
    },
    /// All was lost: the rating is below this.
    AtMost {
        /// Elo.
        elo: f64,
    },
    /// The games say nothing of it.
    Unknown,
}

impl From<Estimate> for WireEstimate {
    fn from(estimate: Estimate) -> WireEstimate {
        // Hundredths of an Elo are far below any error, and far above what two builds could differ in.
        let round = |x: f64| (x * 100.0).round() / 100.0 + 0.0;
        match estimate {
            Estimate::Value { elo, error } => WireEstimate::Value { elo: round(elo), error: round(error) },
            Estimate::AtLeast(elo) => WireEstimate::AtLeast { elo: round(elo) },
            Estimate::AtMost(elo) => WireEstimate::AtMost { elo: round(elo) },
            Estimate::Unknown => WireEstimate::Unknown,
        }
    }
}

/// One player's line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WireLine {
    /// The name.
    pub name: String,
    /// Games.
    pub games: u64,
    /// Points.
    pub points: f64,
    /// As either colour.
    pub total: WireTally,
    /// As Red.
    pub red: WireTally,
    /// As Blue.
    pub blue: WireTally,
    /// The Bradley-Terry rating, mean 0 in its group.
    pub elo: WireEstimate,
    /// Players of different groups never met: their ratings do not compare.
    pub group: usize,
    /// How its games ended.
    pub reasons: BTreeMap<String, u64>,
    /// Against each other player.
    pub against: BTreeMap<String, WireTally>,
}

/// The file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StandingsFile {
    /// [`STANDINGS_FORMAT`].
    pub format: u32,
    /// Games counted.
    pub games: u64,
    /// Groups of players.
    pub groups: usize,
    /// The lines, best first.
    pub standings: Vec<WireLine>,
}

impl From<&Standings> for StandingsFile {
    fn from(standings: &Standings) -> StandingsFile {
        let line = |line: &Line| WireLine {
            name: line.name.clone(),
            games: line.total().games(),
            points: line.points,
            total: line.total().into(),
            red: line.red.into(),
            blue: line.blue.into(),
            elo: line.elo.into(),
            group: line.group,
            reasons: line.reasons.clone(),
            against: line.against.iter().map(|(name, &tally)| (name.clone(), tally.into())).collect(),
        };
        StandingsFile {
            format: STANDINGS_FORMAT,
            games: standings.games,
            groups: standings.groups,
            standings: standings.lines.iter().map(line).collect(),
        }
    }
}

impl StandingsFile {
    /// The file's text.
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).expect("a table holds nothing JSON cannot") + "\n"
    }
}
