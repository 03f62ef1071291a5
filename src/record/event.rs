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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventSchedule {
    /// `round-robin`.
    pub kind: String,
    /// Rounds.
    pub rounds: u64,
    /// Games of each pair in a round.
    pub games: u64,
}

/// The game that breaks a tie of two bots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventTieBreak {
    /// Its round: the one after the last of the schedule.
    pub round: u64,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Changes of bots that were accepted while it went on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// What was left out of a published copy: its place holds nothing, or 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
}

impl EventFile {
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
        let schedule = |s: &EventSchedule| format!("{} of {} rounds by {} games", s.kind, s.rounds, s.games);
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
