//! `standings.json`: a table as a file. Derived; no time, date, path or machine is in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rating::{Correlation, Estimate, Games, GlickoRating, Odds, Pairs, Proportion, pair_correlation};
use crate::tournament::{Duel, Line, Standings, Tally};

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

/// Hundredths of an Elo are far below any error, and far above what two builds could differ in.
fn round(elo: f64) -> f64 {
    (elo * 100.0).round() / 100.0 + 0.0
}

/// The same of what lies between 0 and 1.
fn round_share(share: f64) -> f64 {
    (share * 1e6).round() / 1e6 + 0.0
}

impl From<Estimate> for WireEstimate {
    fn from(estimate: Estimate) -> WireEstimate {
        match estimate {
            Estimate::Value { elo, error } => WireEstimate::Value { elo: round(elo), error: round(error) },
            Estimate::AtLeast(elo) => WireEstimate::AtLeast { elo: round(elo) },
            Estimate::AtMost(elo) => WireEstimate::AtMost { elo: round(elo) },
            Estimate::Unknown => WireEstimate::Unknown,
        }
    }
}

/// A share with its 95 % interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WireShare {
    /// The figure.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl From<Proportion> for WireShare {
    fn from(p: Proportion) -> WireShare {
        WireShare { value: round_share(p.value), low: round_share(p.low), high: round_share(p.high) }
    }
}

impl From<Correlation> for WireShare {
    fn from(c: Correlation) -> WireShare {
        WireShare { value: round_share(c.value), low: round_share(c.low), high: round_share(c.high) }
    }
}

/// A ratio of two counts with its 95 % interval; `null` where the second count is 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WireOdds {
    /// The figure.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: Option<f64>,
}

impl From<Odds> for WireOdds {
    fn from(o: Odds) -> WireOdds {
        WireOdds { value: o.value.map(round_share), low: round_share(o.low), high: o.high.map(round_share) }
    }
}

/// What the single games of a match say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WireGames {
    /// Elo difference.
    pub elo: WireEstimate,
    /// Normalized Elo, in its own points.
    pub nelo: WireEstimate,
    /// How likely the first is the stronger one.
    pub los: Option<f64>,
    /// Draws over games.
    pub draw_ratio: Option<WireShare>,
}

/// What the complete pairs of a match say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WirePairs {
    /// Pairs in which the first scored 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
    /// Elo difference.
    pub elo: WireEstimate,
    /// Normalized Elo, in its own points.
    pub nelo: WireEstimate,
    /// How likely the first is the stronger one.
    pub los: Option<f64>,
    /// Even pairs over pairs.
    pub draw_ratio: Option<WireShare>,
    /// Pairs won over pairs lost.
    pub pairs_ratio: Option<WireOdds>,
    /// How far the two games of a pair hang together: at 0 the errors of games and of pairs agree.
    pub correlation: Option<WireShare>,
}

/// A match of two, seen from the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WireMatch {
    /// The bot whose view it is: the first of the event.
    pub first: String,
    /// The other.
    pub second: String,
    /// Games that the first won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that the first lost. Double forfeits are in none of the three.
    pub losses: u64,
    /// The mean score of the first.
    pub score: Option<f64>,
    /// By games.
    pub games: WireGames,
    /// By pairs, where there are complete ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<WirePairs>,
}

impl WireMatch {
    /// The figures of two players' games.
    pub fn new(first: &str, second: &str, duel: &Duel) -> WireMatch {
        let Duel { games, pairs, .. } = duel;
        let Games { wins, draws, losses } = *games;
        let Pairs { lost_lost, lost_drawn, even, won_drawn, won_won } = *pairs;
        WireMatch {
            first: first.to_owned(),
            second: second.to_owned(),
            wins,
            draws,
            losses,
            score: games.score().map(round_share),
            games: WireGames {
                elo: games.elo().into(),
                nelo: games.nelo().into(),
                los: games.los().map(round_share),
                draw_ratio: games.draw_ratio().map(Into::into),
            },
            pairs: pairs.score().map(|_| WirePairs {
                counts: [lost_lost, lost_drawn, even, won_drawn, won_won],
                elo: pairs.elo().into(),
                nelo: pairs.nelo().into(),
                los: pairs.los().map(round_share),
                draw_ratio: pairs.draw_ratio().map(Into::into),
                pairs_ratio: pairs.pairs_ratio().map(Into::into),
                correlation: pair_correlation(games, pairs).map(Into::into),
            }),
        }
    }
}

/// A Glicko-2 rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WireGlicko {
    /// In Glicko's points, 1500 at first.
    pub rating: f64,
    /// One standard deviation.
    pub deviation: f64,
    /// Volatility.
    pub volatility: f64,
}

impl From<GlickoRating> for WireGlicko {
    fn from(g: GlickoRating) -> WireGlicko {
        WireGlicko {
            rating: round(g.rating),
            deviation: round(g.deviation),
            volatility: round_share(g.volatility),
        }
    }
}

/// The ratings at one moment of a history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WireMoment {
    /// After which event, round or game.
    pub after: String,
    /// Games counted until then.
    pub games: u64,
    /// Each rated player's figure.
    pub elo: BTreeMap<String, WireEstimate>,
}

/// A player whose rating was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WireAnchor {
    /// Its name.
    pub name: String,
    /// Its rating.
    pub elo: f64,
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
    /// Points among them for no game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byes: Option<f64>,
    /// The place that the format gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u64>,
    /// The points of its opponents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buchholz: Option<f64>,
    /// The points of its opponents, each by what it won of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sonneborn_berger: Option<f64>,
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
    /// Its Glicko-2 rating, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub glicko2: Option<WireGlicko>,
}

/// The file. What only `arbiter standings` with its options computes is left out where it was not asked for.
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
    /// The match of two, where there are no others.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub duel: Option<WireMatch>,
    /// The player whose rating fixes the scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<WireAnchor>,
    /// What moving first is worth, in Elo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_mover: Option<WireEstimate>,
    /// How likely each player is stronger than each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub los: Option<BTreeMap<String, BTreeMap<String, f64>>>,
    /// How the ratings moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<WireMoment>>,
}

impl From<&Standings> for StandingsFile {
    fn from(standings: &Standings) -> StandingsFile {
        let line = |line: &Line| WireLine {
            name: line.name.clone(),
            games: line.total().games(),
            points: line.points,
            byes: (line.byes > 0.0).then_some(line.byes),
            place: line.place,
            buchholz: line.buchholz,
            sonneborn_berger: line.sonneborn_berger,
            total: line.total().into(),
            red: line.red.into(),
            blue: line.blue.into(),
            elo: line.elo.into(),
            group: line.group,
            reasons: line.reasons.clone(),
            against: line.against.iter().map(|(name, &tally)| (name.clone(), tally.into())).collect(),
            glicko2: None,
        };
        let name = |player| standings.lines.iter().find(|l| l.player == player).map_or("", |l| &l.name);
        StandingsFile {
            format: STANDINGS_FORMAT,
            games: standings.games,
            groups: standings.groups,
            standings: standings.lines.iter().map(line).collect(),
            duel: standings.duel.as_ref().map(|duel| WireMatch::new(name(0), name(1), duel)),
            anchor: None,
            first_mover: standings.ratings.as_ref().and_then(|r| r.first_mover).map(Into::into),
            los: None,
            history: None,
        }
    }
}

impl StandingsFile {
    /// Adds how likely each player is stronger than each other.
    pub fn with_los(mut self, standings: &Standings) -> StandingsFile {
        let Some(ratings) = &standings.ratings else { return self };
        let row = |one: &Line| {
            let cells = standings.lines.iter().filter_map(|other| {
                Some((other.name.clone(), round_share(ratings.los(one.player, other.player)?)))
            });
            (one.name.clone(), cells.collect())
        };
        self.los = Some(standings.lines.iter().map(row).collect());
        self
    }

    /// The file's text.
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).expect("a table holds nothing JSON cannot") + "\n"
    }
}
