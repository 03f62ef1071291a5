//! Standings: results become points, counts by colour and by reason, and ratings.
//!
//! A pure function of the games in the order of their ids: no time, date, path or machine is in it, so that any way
//! of coming to the same games comes to the same table.

use std::collections::BTreeMap;

use super::id::GameId;
use crate::rating::{self, Estimate, PairCounts, RatingOptions};

/// Points for results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points {
    /// For a win.
    pub win: f64,
    /// For a draw.
    pub draw: f64,
    /// For a game lost on the board.
    pub loss: f64,
    /// For a game lost by a fault.
    pub forfeit: f64,
}

/// How a game came out, as far as a table asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Red won.
    Red,
    /// Blue won.
    Blue,
    /// Nobody.
    Draw,
    /// Both lost by faults.
    BothLose,
}

/// A game as a table sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled<'a> {
    /// Its id.
    pub id: GameId,
    /// Red's name.
    pub red: &'a str,
    /// Blue's name.
    pub blue: &'a str,
    /// Its result.
    pub result: GameResult,
    /// The reason.
    pub reason: &'a str,
    /// The clause that was broken, where a fault decided.
    pub clause: Option<&'a str>,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl Tally {
    /// Games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn plus(self, other: Tally) -> Tally {
        Tally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl Standings {
    /// Whether the two best have the same points.
    pub fn is_tied(&self) -> bool {
        matches!(self.lines.as_slice(), [first, second, ..] if first.points == second.points)
    }
}

/// One player's line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The name.
    pub name: String,
    /// Points.
    pub points: f64,
    /// As Red.
    pub red: Tally,
    /// As Blue.
    pub blue: Tally,
    /// The rating.
    pub elo: Estimate,
    /// The group of players that met, directly or over others; ratings of two groups do not compare.
    pub group: usize,
    /// How its games ended: `won flag-captured`, `lost time.move`, … with counts.
    pub reasons: BTreeMap<String, u64>,
    /// Results against each other player, by the other's name.
    pub against: BTreeMap<String, Tally>,
}

impl Line {
    /// As either colour.
    pub fn total(&self) -> Tally {
        self.red.plus(self.blue)
    }
}

/// A table, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// The lines.
    pub lines: Vec<Line>,
    /// Games counted.
    pub games: u64,
    /// Groups of players that never met.
    pub groups: usize,
}

#[derive(Clone, Debug, Default)]
struct Player {
    /// Games lost by a fault.
    forfeits: u64,
    red: Tally,
    blue: Tally,
    reasons: BTreeMap<String, u64>,
    against: BTreeMap<usize, Tally>,
}

/// Collects games into a table, one at a time; their order makes no difference but for ids, which must not repeat.
#[derive(Clone, Debug)]
pub struct Collector {
    points: Points,
    names: Vec<String>,
    index: BTreeMap<String, usize>,
    players: Vec<Player>,
    games: u64,
}

impl Collector {
    /// An empty table with these players; more may come with the games.
    pub fn new(points: Points, names: &[String]) -> Collector {
        let mut collector =
            Collector { points, names: Vec::new(), index: BTreeMap::new(), players: Vec::new(), games: 0 };
        for name in names {
            collector.player(name);
        }
        collector
    }

    fn player(&mut self, name: &str) -> usize {
        if let Some(&at) = self.index.get(name) {
            return at;
        }
        let at = self.names.len();
        self.index.insert(name.to_owned(), at);
        self.names.push(name.to_owned());
        self.players.push(Player::default());
        at
    }

    /// The name of a player, by its number: first those that the table began with.
    pub fn name(&self, player: usize) -> &str {
        &self.names[player]
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Settled<'_>) {
        self.games += 1;
        let (red, blue) = (self.player(game.red), self.player(game.blue));
        let (win, draw, loss) = (
            Tally { wins: 1, ..Tally::default() },
            Tally { draws: 1, ..Tally::default() },
            Tally { losses: 1, ..Tally::default() },
        );
        let (for_red, for_blue) = match game.result {
            GameResult::Red => (win, loss),
            GameResult::Blue => (loss, win),
            GameResult::Draw => (draw, draw),
            GameResult::BothLose => (loss, loss),
        };
        let forfeit = game.clause.is_some();
        for (player, other, tally, is_red) in [(red, blue, for_red, true), (blue, red, for_blue, false)] {
            let word = match tally {
                Tally { wins: 1, .. } => "won",
                Tally { draws: 1, .. } => "drawn",
                _ => "lost",
            };
            // The clause is the loser's; a winner's line tells only the reason.
            let how = if word == "lost" { game.clause.unwrap_or(game.reason) } else { game.reason };
            let p = &mut self.players[player];
            p.forfeits += u64::from(word == "lost" && forfeit);
            let colour = if is_red { &mut p.red } else { &mut p.blue };
            *colour = colour.plus(tally);
            *p.reasons.entry(format!("{word} {how}")).or_default() += 1;
            let met = p.against.entry(other).or_default();
            *met = met.plus(tally);
        }
    }

    /// Points are made of counts, so that the order of games cannot show in their last digits.
    fn points_of(&self, player: &Player) -> f64 {
        let tally = player.red.plus(player.blue);
        let lost = tally.losses - player.forfeits;
        let sum = |count: u64, points: f64| count as f64 * points;
        sum(tally.wins, self.points.win)
            + sum(tally.draws, self.points.draw)
            + sum(lost, self.points.loss)
            + sum(player.forfeits, self.points.forfeit)
    }

    /// The table.
    pub fn standings(&self) -> Standings {
        let mut counts = Vec::new();
        for (first, player) in self.players.iter().enumerate() {
            for (&second, tally) in player.against.iter().filter(|&(&second, _)| second > first) {
                // A double forfeit says nothing of which of two is the stronger: only games that one of them
                // won, or that were drawn, count; the loser's count is the other's wins.
                let wins = tally.wins;
                let losses = self.players[second].against.get(&first).map_or(0, |t| t.wins);
                counts.push(PairCounts { first, second, wins, draws: tally.draws, losses });
            }
        }
        let ratings = rating::rate(self.players.len(), &counts, &RatingOptions::default());
        let mut lines: Vec<Line> = (self.players.iter().zip(&self.names).enumerate())
            .map(|(i, (player, name))| {
                let rated = ratings.as_ref().ok().and_then(|r| r.players.get(i));
                Line {
                    name: name.clone(),
                    points: self.points_of(player),
                    red: player.red,
                    blue: player.blue,
                    elo: rated.map_or(Estimate::Unknown, |r| r.estimate),
                    group: rated.map_or(0, |r| r.group),
                    reasons: player.reasons.clone(),
                    against: player.against.iter().map(|(&o, &t)| (self.names[o].clone(), t)).collect(),
                }
            })
            .collect();
        let elo = |line: &Line| line.elo.elo().unwrap_or(f64::MIN);
        lines.sort_by(|a, b| {
            let by_points = b.points.total_cmp(&a.points);
            by_points.then_with(|| elo(b).total_cmp(&elo(a))).then_with(|| a.name.cmp(&b.name))
        });
        Standings { lines, games: self.games, groups: ratings.map_or(1, |r| r.groups) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(game: u64) -> GameId {
        GameId { round: 1, pair: 1, game }
    }

    fn collect(points: Points, games: &[(&str, &str, GameResult, &str, Option<&str>)]) -> Standings {
        let mut collector = Collector::new(points, &[]);
        for (n, &(red, blue, result, reason, clause)) in games.iter().enumerate() {
            collector.add(&Settled { id: id(n as u64 + 1), red, blue, result, reason, clause });
        }
        collector.standings()
    }

    const SIX_THREE_ONE: Points = Points { win: 6.0, draw: 3.0, loss: 1.0, forfeit: 0.0 };

    #[test]
    fn a_forfeit_scores_less_than_a_loss_where_the_scoring_says_so() {
        let table = collect(
            SIX_THREE_ONE,
            &[
                ("a", "b", GameResult::Red, "flag-captured", None),
                ("b", "a", GameResult::Blue, "time", Some("time.move")),
                ("a", "b", GameResult::Draw, "no-attack", None),
            ],
        );
        assert_eq!((table.lines[0].name.as_str(), table.lines[0].points), ("a", 15.0));
        assert_eq!(table.lines[1].points, 4.0);
        assert_eq!(table.lines[1].reasons["lost time.move"], 1);
        assert_eq!(table.lines[0].reasons["won time"], 1);
        assert_eq!(table.lines[0].red, Tally { wins: 1, draws: 1, losses: 0 });
    }

    #[test]
    fn a_double_forfeit_is_a_loss_of_both_and_no_rating() {
        let table =
            collect(SIX_THREE_ONE, &[("a", "b", GameResult::BothLose, "double-forfeit", Some("time.setup"))]);
        assert!(table.lines.iter().all(|l| l.points == 0.0 && l.total().losses == 1));
        assert!(table.lines.iter().all(|l| l.elo.elo().is_none_or(|e| e == 0.0)), "{table:?}");
    }
}
