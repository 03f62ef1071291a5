//! `event.json`: what an event was planned as, on which machine, with which bots.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of the file's format.
pub const EVENT_FORMAT: u32 = 1;

/// What every bot spoke before there was another protocol.
fn sbp() -> String {
    "sbp".to_owned()
}

/// A bot as it was when the event began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventBot {
    /// Its name in the event.
    pub name: String,
    /// The protocol it speaks: `sbp` or `ucc`.
    #[serde(default = "sbp")]
    pub proto: String,
    /// Its command, as written.
    pub argv: Vec<String>,
    /// The program that command was resolved to.
    pub program: String,
    /// SHA-256 over its program, its file arguments and its sources.
    pub hash: String,
    /// Options set after its handshake.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// The name it gave itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_name: Option<String>,
    /// The version it gave itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_version: Option<String>,
    /// Which layers of confinement were in force for it, and which were not; empty where it was not confined.
    #[serde(default)]
    pub confinement: Vec<EventLayer>,
}

/// A layer of a bot's confinement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventLayer {
    /// Its name, as `arbiter doctor` lists it.
    pub layer: String,
    /// Whether it was in force.
    pub in_force: bool,
    /// By what; or why not.
    pub how: String,
}

/// The schedule of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventSchedule {
    /// `round-robin`, `gauntlet`, `swiss`, `knockout`, `double-elimination` or `ladder`.
    pub kind: String,
    /// Rounds; of a ladder, pairings.
    pub rounds: u64,
    /// Games of each pair in a round.
    pub games: u64,
    /// How the pairs of a round-robin are numbered: `by-later`; absent in events of earlier versions, which number
    /// them by the earlier player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// How many of the first players run the gauntlet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<usize>,
    /// The test that ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<EventSprt>,
    /// Whose seeds bots are told: `own`, each game's, or `shared` by all pairings. First movers and drawn deployments
    /// go by openings, which all pairings meet. Absent in events of earlier versions, which drew all by the game's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<String>,
}

/// A sequential test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventSprt {
    /// The first hypothesis, in Elo.
    pub elo0: f64,
    /// The second hypothesis, in Elo.
    pub elo1: f64,
    /// The risk of accepting the second where the first holds.
    pub alpha: f64,
    /// The risk of accepting the first where the second holds.
    pub beta: f64,
    /// `normalized` or `logistic`.
    pub model: String,
}

/// A bot that left an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventLeave {
    /// Its name in the event.
    pub bot: String,
    /// The first round that it is not paired in; 0 where all games are known beforehand.
    pub round: u64,
    /// Whether the games that it played count for nothing.
    pub disqualified: bool,
}

/// The game that breaks a tie of two bots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventTieBreak {
    /// Its round: the one after the last of the schedule; 0 where each pairing may have such a game.
    pub round: u64,
    /// Its number in its pair, where each pairing may have such a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// The rules it is played by: every parameter with its value.
    pub rules: BTreeMap<String, String>,
}

/// The setup book an event's deployments are drawn from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventSetups {
    /// The name of its file, without the folder.
    pub file: String,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

/// The machine an event began on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Operating system.
    pub os: String,
    /// Processor architecture.
    pub arch: String,
    /// Cores the arbiter could use.
    pub cores: usize,
}

/// The file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventFile {
    /// [`EVENT_FORMAT`].
    pub format: u32,
    /// The arbiter's version.
    pub arbiter: String,
    /// The protocol's version.
    pub protocol: u32,
    /// The event's name.
    pub name: String,
    /// The command line it began with.
    pub command: Vec<String>,
    /// The machine it began on.
    pub machine: Machine,
    /// The rule book it began from, and every parameter with its value.
    pub rules: BTreeMap<String, String>,
    /// The time control: every setting with its value.
    pub time: BTreeMap<String, String>,
    /// What ends games beside the rules: nothing where it is empty.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub adjudication: BTreeMap<String, String>,
    /// The seed of which all others are drawn.
    pub seed: u64,
    /// The schedule.
    pub schedule: EventSchedule,
    /// The game that breaks a tie, where one is to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tie_break: Option<EventTieBreak>,
    /// What each game starts from, where that is given: deployments and past moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The setup book, where one deploys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setups: Option<EventSetups>,
    /// The bots, in the order of the schedule's players.
    pub bots: Vec<EventBot>,
    /// Bots that play no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withdrawn: Vec<EventLeave>,
    /// Changes of bots that were accepted while it went on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// What was left out of a published copy: its place holds nothing, or 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
}

impl EventFile {
    /// Whether a bot's games count.
    pub fn counts(&self, bot: &str) -> bool {
        !self.withdrawn.iter().any(|leave| leave.disqualified && leave.bot == bot)
    }

    /// In what the plan of another run differs from this event's, as `key: here … there …`.
    pub fn differences(&self, other: &EventFile) -> Vec<String> {
        let mut differences = Vec::new();
        let mut compare = |key: String, here: &str, there: &str| {
            if here != there {
                differences.push(format!("{key}: the event has `{here}`, this run `{there}`"));
            }
        };
        for (kind, here, there) in [
            ("rules", &self.rules, &other.rules),
            ("time", &self.time, &other.time),
            ("adjudication", &self.adjudication, &other.adjudication),
        ] {
            let keys: std::collections::BTreeSet<&String> = here.keys().chain(there.keys()).collect();
            for key in keys {
                let value = |map: &BTreeMap<String, String>| {
                    map.get(key).cloned().unwrap_or_else(|| "off".to_owned())
                };
                compare(format!("{kind}.{key}"), &value(here), &value(there));
            }
        }
        let tie_break = |file: &EventFile| match &file.tie_break {
            Some(game) => game.rules.iter().map(|(k, v)| format!("{k}={v} ")).collect(),
            None => "none".to_owned(),
        };
        compare("tie-break".to_owned(), &tie_break(self), &tie_break(other));
        let given = |start: &Option<String>| start.clone().unwrap_or_else(|| "none".to_owned());
        compare("start".to_owned(), &given(&self.start), &given(&other.start));
        compare("seed".to_owned(), &self.seed.to_string(), &other.seed.to_string());
        let schedule = |s: &EventSchedule| {
            let seeds = s.seeds.map_or(String::new(), |n| format!(", {n} seeds"));
            let sprt = s.sprt.as_ref().map_or(String::new(), |t| {
                format!(", sprt {},{} at {} and {}, {}", t.elo0, t.elo1, t.alpha, t.beta, t.model)
            });
            let draws = if s.draws.as_deref() == Some("shared") { ", shared seeds" } else { "" };
            format!("{} of {} rounds by {} games{seeds}{sprt}{draws}", s.kind, s.rounds, s.games)
        };
        compare("schedule".to_owned(), &schedule(&self.schedule), &schedule(&other.schedule));
        let setups = |f: &EventFile| f.setups.clone().map_or_else(Default::default, |s| (s.file, s.sha256));
        let ((here, this), (there, that)) = (setups(self), setups(other));
        compare("setups.file".to_owned(), &here, &there);
        compare("setups.sha256".to_owned(), &this, &that);
        let names = |f: &EventFile| f.bots.iter().map(|b| b.name.clone()).collect::<Vec<_>>().join(", ");
        compare("bots".to_owned(), &names(self), &names(other));
        for here in &self.bots {
            if let Some(there) = other.bots.iter().find(|b| b.name == here.name) {
                compare(format!("bots.{}.proto", here.name), &here.proto, &there.proto);
                compare(format!("bots.{}.argv", here.name), &here.argv.join(" "), &there.argv.join(" "));
                compare(format!("bots.{}.hash", here.name), &here.hash, &there.hash);
                compare(
                    format!("bots.{}.options", here.name),
                    &format!("{:?}", here.options),
                    &format!("{:?}", there.options),
                );
            }
        }
        differences
    }
}
