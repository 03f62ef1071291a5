//! Standings: results become points, counts by colour and by reason, and ratings.
//!
//! A pure function of the games in the order of their ids: no time, date, path or machine is in it, so that any way
//! of coming to the same games comes to the same table.

use std::collections::{BTreeMap, BTreeSet};

use super::id::GameId;
use crate::rating::{self, Anchor, Estimate, Games, PairCounts, Pairs, RatingOptions, Ratings};

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

/// What a format says of players besides their games, in the order of players; empty where it says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// Points for no game.
    pub byes: Vec<f64>,
    /// Places from 1.
    pub places: Vec<u64>,
    /// Players without a line.
    pub out: BTreeSet<usize>,
    /// Games of a pairing where Buchholz and Sonneborn-Berger are asked for.
    pub tie_breaks: Option<u64>,
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
    /// Whether Red moved first.
    pub red_first: bool,
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

    /// Points of a game each, a draw being half of one, over games; none without games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }

    fn plus(self, other: Tally) -> Tally {
        Tally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

/// One player's line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its number: players are numbered as the collector came to know them.
    pub player: usize,
    /// The name.
    pub name: String,
    /// Points.
    pub points: f64,
    /// As Red.
    pub red: Tally,
    /// As Blue.
    pub blue: Tally,
    /// Points among them that it has for no game.
    pub byes: f64,
    /// The place that the format gives it.
    pub place: Option<u64>,
    /// The points of its opponents, each once a pairing.
    pub buchholz: Option<f64>,
    /// The points of its opponents, each as often as it won a pairing of them.
    pub sonneborn_berger: Option<f64>,
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

/// What two players' games against each other come to, seen from the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Duel {
    /// Their games; double forfeits left out, which say nothing of either.
    pub games: Games,
    /// Their complete pairs.
    pub pairs: Pairs,
    /// How many of the even pairs are two draws.
    pub drawn_pairs: u64,
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
    /// The match of the first two players, where there are no others.
    pub duel: Option<Duel>,
    /// The joint rating that the lines' figures are taken from; none where it is impossible.
    pub ratings: Option<Ratings>,
}

impl Standings {
    /// Whether the two best have the same points.
    pub fn is_tied(&self) -> bool {
        matches!(self.lines.as_slice(), [first, second, ..] if first.points == second.points)
    }
}

/// What to rate with, beside the games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rating<'a> {
    /// A player whose rating is given, in Elo: it fixes the scale of its group.
    pub anchor: Option<(&'a str, f64)>,
    /// Whether what moving first is worth is fitted, too.
    pub first_mover: bool,
}

/// What a player's games against one other came to.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    /// Games in which it moved first, and the others.
    first: Tally,
    second: Tally,
    pairs: Pairs,
    drawn_pairs: u64,
}

#[derive(Clone, Debug, Default)]
struct Player {
    /// Games lost by a fault.
    forfeits: u64,
    red: Tally,
    blue: Tally,
    /// By [`How`], and by the reason's number.
    reasons: [Vec<u64>; 3],
    met: BTreeMap<usize, Met>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    Won,
    Drawn,
    Lost,
}

impl How {
    const ALL: [How; 3] = [How::Won, How::Drawn, How::Lost];

    fn word(self) -> &'static str {
        match self {
            How::Won => "won",
            How::Drawn => "drawn",
            How::Lost => "lost",
        }
    }
}

/// A game that waits for the other of its pair: its players, and what Red scored in half points, if anything counts.
#[derive(Clone, Copy, Debug)]
struct Half {
    red: usize,
    blue: usize,
    halves: Option<usize>,
}

/// Collects games into a table, one at a time; their order makes no difference but for ids, which must not repeat.
///
/// Two games are a pair where their ids are of one round and pair, the numbers 1 and 2, 3 and 4, … in it, and the
/// same two players have swapped colours between them.
#[derive(Clone, Debug)]
pub struct Collector {
    points: Points,
    names: Vec<String>,
    index: BTreeMap<String, usize>,
    players: Vec<Player>,
    /// Reasons and clauses, as few as they are: a game names them by their number.
    words: Vec<String>,
    halves: BTreeMap<(u64, u64, u64), Half>,
    games: u64,
}

impl Collector {
    /// An empty table with these players; more may come with the games.
    pub fn new(points: Points, names: &[String]) -> Collector {
        let mut collector = Collector {
            points,
            names: Vec::new(),
            index: BTreeMap::new(),
            players: Vec::new(),
            words: Vec::new(),
            halves: BTreeMap::new(),
            games: 0,
        };
        for name in names {
            collector.player(name);
        }
        collector
    }

    /// The number of a player, who is added where there is none of that name.
    pub fn player(&mut self, name: &str) -> usize {
        if let Some(&at) = self.index.get(name) {
            return at;
        }
        let at = self.names.len();
        self.index.insert(name.to_owned(), at);
        self.names.push(name.to_owned());
        self.players.push(Player::default());
        at
    }

    fn word(&mut self, word: &str) -> usize {
        self.words.iter().position(|w| w == word).unwrap_or_else(|| {
            self.words.push(word.to_owned());
            self.words.len() - 1
        })
    }

    /// The name of a player, by its number: first those that the table began with.
    pub fn name(&self, player: usize) -> &str {
        &self.names[player]
    }

    /// The players' names, by number.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// What two players' games against each other come to, seen from the first.
    pub fn duel(&self, one: usize, other: usize) -> Duel {
        let met = |a: usize, b: usize| -> Met {
            self.players.get(a).and_then(|p| p.met.get(&b)).copied().unwrap_or_default()
        };
        let (mine, theirs) = (met(one, other), met(other, one));
        let total = mine.first.plus(mine.second);
        // The loser's count is the other's wins: a double forfeit is a loss of both, and no game here.
        let losses = theirs.first.wins + theirs.second.wins;
        Duel {
            games: Games { wins: total.wins, draws: total.draws, losses },
            pairs: mine.pairs,
            drawn_pairs: mine.drawn_pairs,
        }
    }

    /// Another event's games follow, whose ids begin anew: pairs that wait for a game will not get it.
    pub fn next_event(&mut self) {
        self.halves.clear();
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Settled<'_>) {
        self.games += 1;
        let (red, blue) = (self.player(game.red), self.player(game.blue));
        let (for_red, for_blue) = match game.result {
            GameResult::Red => (How::Won, How::Lost),
            GameResult::Blue => (How::Lost, How::Won),
            GameResult::Draw => (How::Drawn, How::Drawn),
            GameResult::BothLose => (How::Lost, How::Lost),
        };
        // The clause is the loser's; a winner's line tells only the reason.
        let reason = self.word(game.reason);
        let clause = game.clause.map(|clause| self.word(clause));
        for (player, other, how, is_red) in [(red, blue, for_red, true), (blue, red, for_blue, false)] {
            let lost = how == How::Lost;
            let word = if lost { clause.unwrap_or(reason) } else { reason };
            let tally = Tally {
                wins: u64::from(how == How::Won),
                draws: u64::from(how == How::Drawn),
                losses: u64::from(lost),
            };
            let p = &mut self.players[player];
            p.forfeits += u64::from(lost && clause.is_some());
            let colour = if is_red { &mut p.red } else { &mut p.blue };
            *colour = colour.plus(tally);
            let counts = &mut p.reasons[how as usize];
            if counts.len() <= word {
                counts.resize(word + 1, 0);
            }
            counts[word] += 1;
            let met = p.met.entry(other).or_default();
            let turn = if game.red_first == is_red { &mut met.first } else { &mut met.second };
            *turn = turn.plus(tally);
        }
        self.pair(game, red, blue);
    }

    fn pair(&mut self, game: &Settled<'_>, red: usize, blue: usize) {
        let key = (game.id.round, game.id.pair, (game.id.game - 1) / 2);
        let halves = match game.result {
            GameResult::Red => Some(2),
            GameResult::Draw => Some(1),
            GameResult::Blue => Some(0),
            GameResult::BothLose => None,
        };
        let Some(half) = self.halves.remove(&key) else {
            self.halves.insert(key, Half { red, blue, halves });
            return;
        };
        if (half.red, half.blue) != (blue, red) {
            return;
        }
        if let (Some(first), Some(second)) = (half.halves, halves) {
            // Red of the first game is Blue of the second.
            let score = first + (2 - second);
            for (player, other, score) in [(blue, red, score), (red, blue, 4 - score)] {
                let met = self.players[player].met.entry(other).or_default();
                met.drawn_pairs += u64::from(first == 1 && second == 1);
                let pairs = &mut met.pairs;
                *[
                    &mut pairs.lost_lost,
                    &mut pairs.lost_drawn,
                    &mut pairs.even,
                    &mut pairs.won_drawn,
                    &mut pairs.won_won,
                ][score] += 1;
            }
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

    /// Whether a player has played any game.
    pub fn has_games(&self, player: usize) -> bool {
        !self.players[player].met.is_empty()
            || self.players[player].red.games() + self.players[player].blue.games() > 0
    }

    /// The table of games alone.
    pub fn standings(&self) -> Standings {
        self.rated(&Rating::default(), &Extras::default())
    }

    /// The table, rated as asked for, with what the format adds. An anchor that is no player fixes nothing.
    pub fn rated(&self, rating: &Rating<'_>, extras: &Extras) -> Standings {
        let mut counts = Vec::new();
        for (first, player) in self.players.iter().enumerate() {
            for (&second, met) in &player.met {
                // A double forfeit says nothing of which of two is the stronger: only games that one of them
                // won, or that were drawn, count; the loser's count is the other's wins.
                let losses = self.players[second].met.get(&first).map_or(0, |m| m.second.wins);
                let Tally { wins, draws, .. } = met.first;
                counts.push(PairCounts { first, second, wins, draws, losses });
            }
        }
        let anchor =
            rating.anchor.and_then(|(name, elo)| self.index.get(name).map(|&player| Anchor { player, elo }));
        let options = RatingOptions { anchor, first_mover: rating.first_mover };
        let ratings = rating::rate(self.players.len(), &counts, &options).ok();
        let mut lines: Vec<Line> = (self.players.iter().zip(&self.names).enumerate())
            .filter(|(i, _)| !extras.out.contains(i))
            .map(|(i, (player, name))| {
                let rated = ratings.as_ref().and_then(|r| r.players.get(i));
                let reasons = How::ALL.iter().zip(&player.reasons).flat_map(|(how, counts)| {
                    let counted = counts.iter().zip(&self.words).filter(|&(&count, _)| count > 0);
                    counted.map(move |(&count, word)| (format!("{} {word}", how.word()), count))
                });
                Line {
                    player: i,
                    name: name.clone(),
                    points: self.points_of(player) + extras.byes.get(i).unwrap_or(&0.0),
                    byes: extras.byes.get(i).copied().unwrap_or(0.0),
                    place: extras.places.get(i).copied(),
                    buchholz: None,
                    sonneborn_berger: None,
                    red: player.red,
                    blue: player.blue,
                    elo: rated.map_or(Estimate::Unknown, |r| r.estimate),
                    group: rated.map_or(0, |r| r.group),
                    reasons: reasons.collect(),
                    against: (player.met.iter())
                        .map(|(&o, met)| (self.names[o].clone(), met.first.plus(met.second)))
                        .collect(),
                }
            })
            .collect();
        // Who has no line is no group.
        let groups: BTreeSet<usize> = lines.iter().map(|line| line.group).collect();
        for line in &mut lines {
            line.group = groups.range(..line.group).count();
        }
        if let Some(games) = extras.tie_breaks {
            let points: BTreeMap<String, f64> = lines.iter().map(|l| (l.name.clone(), l.points)).collect();
            for line in &mut lines {
                let sum = |share: &dyn Fn(&Tally) -> f64| -> f64 {
                    line.against
                        .iter()
                        .map(|(other, tally)| points[other] * share(tally) / games as f64)
                        .sum()
                };
                let buchholz = sum(&|tally| tally.games() as f64);
                let berger = sum(&|tally| tally.wins as f64 + tally.draws as f64 / 2.0);
                (line.buchholz, line.sonneborn_berger) = (Some(buchholz), Some(berger));
            }
        }
        let elo = |line: &Line| line.elo.elo().unwrap_or(f64::MIN);
        lines.sort_by(|a, b| {
            let by_points = b.points.total_cmp(&a.points);
            let by_place = a.place.cmp(&b.place);
            let number = |value: Option<f64>| value.unwrap_or(0.0);
            let by_points = by_place
                .then(by_points)
                .then_with(|| number(b.buchholz).total_cmp(&number(a.buchholz)))
                .then_with(|| number(b.sonneborn_berger).total_cmp(&number(a.sonneborn_berger)));
            by_points.then_with(|| elo(b).total_cmp(&elo(a))).then_with(|| a.name.cmp(&b.name))
        });
        Standings {
            lines,
            games: self.games,
            groups: ratings.as_ref().map_or(1, |_| groups.len()),
            duel: (self.players.len() == 2).then(|| self.duel(0, 1)),
            ratings,
        }
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
            let red_first = true;
            collector.add(&Settled { id: id(n as u64 + 1), red, blue, result, reason, clause, red_first });
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

    #[test]
    fn a_pair_counts_when_it_is_complete_and_its_players_swapped_colours() {
        let plain = |red, blue, result| (red, blue, result, "flag-captured", None);
        let points = Points { win: 1.0, draw: 0.5, loss: 0.0, forfeit: 0.0 };
        let table = collect(
            points,
            &[
                plain("a", "b", GameResult::Red),
                plain("b", "a", GameResult::Draw),
                plain("a", "b", GameResult::Red),
                plain("b", "a", GameResult::Red),
                // The same colours twice, a double forfeit, and half a pair.
                plain("a", "b", GameResult::Red),
                plain("a", "b", GameResult::Red),
                plain("a", "b", GameResult::BothLose),
                plain("b", "a", GameResult::Blue),
                plain("a", "b", GameResult::Red),
            ],
        );
        let duel = table.duel.unwrap();
        assert_eq!(duel.games, Games { wins: 6, draws: 1, losses: 1 });
        assert_eq!(duel.pairs, Pairs { even: 1, won_drawn: 1, ..Pairs::default() });
    }

    #[test]
    fn pairs_do_not_reach_from_one_event_into_the_next() {
        let mut collector = Collector::new(SIX_THREE_ONE, &[]);
        let game = |n, red, blue| Settled {
            id: id(n),
            red,
            blue,
            result: GameResult::Red,
            reason: "flag-captured",
            clause: None,
            red_first: true,
        };
        collector.add(&game(1, "a", "b"));
        collector.next_event();
        collector.add(&game(2, "b", "a"));
        assert_eq!(collector.duel(0, 1).pairs, Pairs::default());
    }
}
