//! What a run says while it goes: one stream of events, told as JSON (protocol/events.schema.json) or in the words of
//! cutechess-cli or fastchess, so that scripts that parse theirs parse ours. It decides nothing.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::event::Say;
use super::output;
use crate::protocol::Clause;
use crate::rating::{Estimate, Games, Odds, SprtVerdict};
use crate::record::{GameRecord, RecordedFault, StandingsFile, WireLine, WireMatch};
use crate::tournament::{Collector, Duel, GameId, Gate};

/// The version of the stream: raised where a key changes its meaning or goes.
pub const STREAM_VERSION: u32 = 1;

/// Whose words a run uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Style {
    /// cutechess-cli's
    Cutechess,
    /// fastchess's
    Fastchess,
}

/// An event of a run, as `--json` prints it.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum StreamEvent<'a> {
    /// The run begins, or goes on.
    RunStarted {
        /// [`STREAM_VERSION`].
        version: u32,
        /// The arbiter's version.
        arbiter: &'a str,
        /// The event's name.
        name: &'a str,
        /// The event's folder.
        folder: &'a Path,
        /// The format.
        format: &'a str,
        /// The rule book's name.
        rules: &'a str,
        /// The time control.
        time: &'a str,
        /// The event's seed.
        seed: u64,
        /// Games planned.
        games: u64,
        /// Whether it will be that many: `exact`, `at-least` or `at-most`.
        games_are: &'a str,
        /// Games that have their result already.
        settled: u64,
        /// The bots' names.
        bots: &'a [String],
    },
    /// A game begins.
    GameStarted {
        /// Its id.
        id: String,
        /// Red's name.
        red: &'a str,
        /// Blue's name.
        blue: &'a str,
    },
    /// A game has its result, which is durable.
    GameFinished {
        /// Its id.
        id: &'a str,
        /// Red's name.
        red: &'a str,
        /// Blue's name.
        blue: &'a str,
        /// `red`, `blue`, `draw` or `both-lose`.
        result: &'a str,
        /// The reason.
        reason: &'a str,
        /// The clause that was broken, where one was.
        clause: Option<&'a str>,
        /// Plies played.
        plies: u32,
        /// Who moved first.
        first: &'a str,
        /// The end in words.
        sentence: &'a str,
        /// What bots did wrong.
        faults: &'a [RecordedFault],
    },
    /// Where the sequential test stands, after each game and at the end.
    Sprt {
        /// The log-likelihood ratio of the games that count, which are those before the first that is missing.
        llr: f64,
        /// Where the first hypothesis is accepted.
        lower: f64,
        /// Where the second is.
        upper: f64,
        /// How many games count.
        games: u64,
        /// `h0`, `h1` or `undecided`.
        verdict: &'a str,
    },
    /// A game came to nothing, and will be played again by the next run.
    GameVoid {
        /// Its id.
        id: &'a str,
        /// Why.
        cause: &'a str,
    },
    /// The run was asked to stop: games in play are broken off.
    RunStopping,
    /// The run ends. Nothing follows.
    RunFinished {
        /// The exit code.
        exit: u8,
        /// Games that have their result, of all runs of the event.
        games: u64,
        /// Groups of bots that never met.
        groups: usize,
        /// The table, best first, as in standings.json.
        standings: &'a [WireLine],
        /// The match of two, where there are no others, as in standings.json.
        #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
        duel: Option<&'a WireMatch>,
    },
}

/// What the styles tell of an event's conditions.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The time control.
    pub time: String,
    /// The setup book's file.
    pub setups: Option<String>,
    /// The sequential test, where one runs: as it stands.
    pub gate: Option<Gate>,
}

/// The voice of a run.
#[derive(Debug)]
pub struct Stream {
    say: Say,
    conditions: Conditions,
    /// Games are numbered as they start, as those programs do.
    numbers: BTreeMap<GameId, u64>,
    started: u64,
    total: u64,
    finished: u64,
}

impl Stream {
    /// The voice of a run of an event in which so many games have their result already.
    pub fn new(say: Say, conditions: Conditions, settled: u64, total: u64) -> Stream {
        Stream { say, conditions, numbers: BTreeMap::new(), started: settled, total, finished: 0 }
    }

    /// Tells an event as JSON, where that is the language.
    pub fn tell(&self, event: &StreamEvent<'_>) {
        if self.say.json {
            output::line(serde_json::to_string(event).expect("an event holds nothing JSON cannot"));
        }
    }

    /// A game begins.
    pub fn started(&mut self, id: GameId, red: &str, blue: &str) {
        self.tell(&StreamEvent::GameStarted { id: id.to_string(), red, blue });
        self.started += 1;
        self.numbers.insert(id, self.started);
        if self.say.style.is_some() {
            let total = self.total.max(self.started);
            output::line(format_args!("Started game {} of {total} ({red} vs {blue})", self.started));
        }
    }

    /// Where the test stands.
    pub fn test(&self, gate: &Gate) {
        let bounds = gate.sprt().bounds();
        self.tell(&StreamEvent::Sprt {
            llr: gate.llr(),
            lower: bounds.lower,
            upper: bounds.upper,
            games: gate.games(),
            verdict: match gate.verdict() {
                SprtVerdict::Undecided => "undecided",
                SprtVerdict::AcceptH0 => "h0",
                SprtVerdict::AcceptH1 => "h1",
            },
        });
    }

    /// A game has its result; where a test runs, this is how it stands after it.
    pub fn finished(
        &mut self,
        id: GameId,
        record: &GameRecord,
        sentence: &str,
        collector: &Collector,
        gate: Option<Gate>,
    ) {
        let GameRecord { red, blue, result, reason, clause, plies, first, faults, .. } = record;
        self.tell(&StreamEvent::GameFinished {
            id: &record.id,
            red,
            blue,
            result,
            reason,
            clause: clause.as_deref(),
            plies: *plies,
            first,
            sentence,
            faults,
        });
        if let Some(gate) = gate {
            self.test(&gate);
            self.conditions.gate = Some(gate);
        }
        let number = self.numbers.remove(&id).unwrap_or(self.started);
        let Some(style) = self.say.style else { return };
        let score = match result.as_str() {
            "red" => "1-0",
            "blue" => "0-1",
            "draw" => "1/2-1/2",
            // Neither program knows a game that both lost.
            _ => "*",
        };
        output::line(format_args!(
            "Finished game {number} ({red} vs {blue}): {score} {{{}}}",
            braces(record)
        ));
        self.finished += 1;
        if style == Style::Cutechess && collector.names().len() == 2 {
            output::line(score_line(collector));
        }
        if self.finished.is_multiple_of(self.say.rating_interval.max(1)) {
            self.ratings(style, collector);
        }
    }

    /// A game came to nothing.
    pub fn void(&mut self, id: GameId, record: &GameRecord, cause: &str) {
        self.tell(&StreamEvent::GameVoid { id: &record.id, cause });
        let number = self.numbers.remove(&id).unwrap_or(self.started);
        if self.say.style.is_some() {
            let GameRecord { red, blue, .. } = record;
            output::line(format_args!("Finished game {number} ({red} vs {blue}): * {{No result}}"));
        }
    }

    /// The run ends.
    pub fn concluded(&self, exit: u8, file: &StandingsFile, collector: &Collector) {
        let StandingsFile { games, groups, standings, duel, .. } = file;
        let duel = duel.as_ref();
        self.tell(&StreamEvent::RunFinished { exit, games: *games, groups: *groups, standings, duel });
        let Some(style) = self.say.style else { return };
        if style == Style::Cutechess && collector.names().len() == 2 {
            output::line(score_line(collector));
        }
        self.ratings(style, collector);
        output::line(match style {
            Style::Cutechess => "Finished match",
            Style::Fastchess => "Tournament finished",
        });
    }

    fn ratings(&self, style: Style, collector: &Collector) {
        if collector.names().len() != 2 {
            output::print(table(collector));
            return;
        }
        let duel = collector.duel(0, 1);
        match style {
            Style::Cutechess => output::print(cutechess(&duel, self.conditions.gate.as_ref())),
            Style::Fastchess => output::print(self.fastchess(&duel, collector)),
        }
    }

    fn fastchess(&self, duel: &Duel, collector: &Collector) -> String {
        let Duel { games, pairs, drawn_pairs } = duel;
        let Games { wins, draws, losses } = *games;
        let Conditions { time, setups, gate } = &self.conditions;
        let (first, second) = (collector.name(0), collector.name(1));
        let book = setups.as_deref().unwrap_or("NULL");
        let rule = "-".repeat(50);
        let paired = pairs.score().is_some();
        let (elo, nelo, los) = if paired {
            (pairs.elo(), pairs.nelo(), pairs.los())
        } else {
            (games.elo(), games.nelo(), games.los())
        };
        let mut text = format!("{rule}\nResults of {first} vs {second} ({time}, 1t, NULL, {book}):\n");
        // Where a figure is only bounded there is nothing true to print in its place.
        if let (Estimate::Value { elo, error }, Estimate::Value { elo: nelo, error: nelo_error }) =
            (elo, nelo)
        {
            text += &format!("Elo: {elo:.2} +/- {error:.2}, nElo: {nelo:.2} +/- {nelo_error:.2}\n");
        }
        let drawn = if paired { pairs.draw_ratio() } else { games.draw_ratio() };
        if let (Some(los), Some(drawn)) = (los, drawn) {
            let ratio = pairs.pairs_ratio().and_then(|r| r.value);
            let ratio = ratio.map_or(String::new(), |r| format!(", PairsRatio: {r:.2}"));
            text += &format!("LOS: {:.2} %, DrawRatio: {:.2} %{ratio}\n", los * 100.0, drawn.value * 100.0);
        }
        let count = wins + draws + losses;
        let points = wins as f64 + draws as f64 / 2.0;
        text += &format!(
            "Games: {count}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points:.1} ({:.2} %)\n",
            games.score().unwrap_or_default() * 100.0
        );
        if paired {
            let [ll, ld, even, wd, ww] =
                [pairs.lost_lost, pairs.lost_drawn, pairs.even, pairs.won_drawn, pairs.won_won];
            let ratio = Odds::of(even - drawn_pairs, *drawn_pairs).and_then(|r| r.value);
            let ratio = ratio.map_or(String::new(), |r| format!(", WL/DD Ratio: {r:.2}"));
            text += &format!("Ptnml(0-2): [{ll}, {ld}, {even}, {wd}, {ww}]{ratio}\n");
        }
        if let Some(gate) = gate {
            let (llr, percent) = llr(gate);
            let (sprt, bounds) = (gate.sprt(), gate.sprt().bounds());
            text += &format!(
                "LLR: {llr:.2} ({percent:.1}%) ({:.2}, {:.2}) [{:.2}, {:.2}]\n",
                bounds.lower,
                bounds.upper,
                sprt.elo0(),
                sprt.elo1()
            );
        }
        text + &rule + "\n"
    }
}

/// The log-likelihood ratio, and how much of the way to its bound that is, in percent.
fn llr(gate: &Gate) -> (f64, f64) {
    let (llr, bounds) = (gate.llr(), gate.sprt().bounds());
    let bound = if llr < 0.0 { -bounds.lower } else { bounds.upper };
    (llr, llr / bound * 100.0)
}

fn score_line(collector: &Collector) -> String {
    let games = collector.duel(0, 1).games;
    let Games { wins, draws, losses } = games;
    format!(
        "Score of {} vs {}: {wins} - {losses} - {draws}  [{:.3}] {}",
        collector.name(0),
        collector.name(1),
        games.score().unwrap_or_default(),
        wins + draws + losses
    )
}

fn cutechess(duel: &Duel, gate: Option<&Gate>) -> String {
    let mut text = String::new();
    if let (Estimate::Value { elo, error }, Some(los), Some(drawn)) =
        (duel.games.elo(), duel.games.los(), duel.games.draw_ratio())
    {
        text += &format!(
            "Elo difference: {elo:.1} +/- {error:.1}, LOS: {:.1} %, DrawRatio: {:.1} %\n",
            los * 100.0,
            drawn.value * 100.0
        );
    }
    if let Some(gate) = gate {
        let (llr, percent) = llr(gate);
        let decided = match gate.verdict() {
            SprtVerdict::Undecided => "",
            SprtVerdict::AcceptH0 => " - H0 was accepted",
            SprtVerdict::AcceptH1 => " - H1 was accepted",
        };
        let bounds = gate.sprt().bounds();
        text += &format!(
            "SPRT: llr {llr:.2} ({percent:.1}%), lbound {:.2}, ubound {:.2}{decided}\n",
            bounds.lower, bounds.upper
        );
    }
    text
}

/// The table of more than two bots: Elo is what the score against all others comes to, as cutechess-cli has it.
fn table(collector: &Collector) -> String {
    let players = collector.names().len();
    let mut rows: Vec<(Games, &str)> = (0..players)
        .map(|one| {
            let mut sum = Games::default();
            for other in (0..players).filter(|&other| other != one) {
                let Games { wins, draws, losses } = collector.duel(one, other).games;
                sum = Games { wins: sum.wins + wins, draws: sum.draws + draws, losses: sum.losses + losses };
            }
            (sum, collector.name(one))
        })
        .collect();
    rows.sort_by(|a, b| b.0.score().unwrap_or(0.0).total_cmp(&a.0.score().unwrap_or(0.0)));
    let mut text = format!(
        "{:>4} {:<25} {:>7} {:>7} {:>7} {:>7} {:>7}\n",
        "Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"
    );
    for (rank, (games, name)) in (1..).zip(rows) {
        let (elo, error) = match games.elo() {
            Estimate::Value { elo, error } => (format!("{elo:.0}"), format!("{error:.0}")),
            Estimate::AtLeast(bound) => (format!(">{bound:.0}"), "-".to_owned()),
            Estimate::AtMost(bound) => (format!("<{bound:.0}"), "-".to_owned()),
            Estimate::Unknown => ("-".to_owned(), "-".to_owned()),
        };
        let percent = |share: Option<f64>| format!("{:.1}%", share.unwrap_or_default() * 100.0);
        let played = games.wins + games.draws + games.losses;
        let drawn = games.draw_ratio().map(|r| r.value);
        text += &format!(
            "{rank:>4} {name:<25} {elo:>7} {error:>7} {played:>7} {:>7} {:>7}\n",
            percent(games.score()),
            percent(drawn)
        );
    }
    text
}

/// Why a game ended, in the words that both programs put in braces.
fn braces(record: &GameRecord) -> String {
    let (winner, loser) = match record.result.as_str() {
        "red" => ("Red", "Blue"),
        "blue" => ("Blue", "Red"),
        "draw" if record.reason == "agreement" => return "Draw by agreement".to_owned(),
        "draw" => return "Draw by adjudication".to_owned(),
        _ => return "No result".to_owned(),
    };
    let clause = record.clause.as_deref().and_then(Clause::from_slug);
    match (record.reason.as_str(), clause) {
        ("flag-captured", _) => format!("{winner} captures the flag"),
        ("no-legal-move", _) => format!("{loser} has no legal move"),
        ("resignation", _) => format!("{loser} resigns"),
        (_, Some(Clause::TimeMove | Clause::TimeSetup)) => format!("{loser} loses on time"),
        ("time", _) => format!("{loser}'s connection stalls"),
        ("process" | "limit", _) => format!("{loser} disconnects"),
        (_, Some(_)) => format!("{loser} makes an illegal move"),
        _ => format!("{winner} wins by adjudication"),
    }
}
