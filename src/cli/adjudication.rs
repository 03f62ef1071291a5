//! Options that end games beside the rule book, and how an event's file holds them.

use std::collections::BTreeMap;

use super::failure::usage;
use crate::referee::Adjudication;

/// Adjudication; all of it is off unless asked for.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct AdjudicationOptions {
    /// A side has lost where both bots' scores (`info … score N`) say so for some moves, as in score=900,moves=4
    #[arg(long, value_name = "CONDITION")]
    pub score_resignation: Option<String>,
    /// A draw where both bots' scores say so for some moves, as in score=20,moves=10,from=80
    #[arg(long, value_name = "CONDITION")]
    pub score_draw: Option<String>,
    /// A draw where it is proved that neither side can win any more
    #[arg(long)]
    pub dead_positions: bool,
}

impl AdjudicationOptions {
    /// These options where they are given, otherwise those.
    pub fn or(self, file: AdjudicationOptions) -> AdjudicationOptions {
        AdjudicationOptions {
            score_resignation: self.score_resignation.or(file.score_resignation),
            score_draw: self.score_draw.or(file.score_draw),
            dead_positions: self.dead_positions || file.dead_positions,
        }
    }

    /// What they ask for.
    pub fn read(&self) -> anyhow::Result<Adjudication> {
        let resignation = self
            .score_resignation
            .as_deref()
            .map(|text| text.parse().map_err(|e| usage(format!("--{RESIGNATION} {text}: {e}"))));
        let draw = self
            .score_draw
            .as_deref()
            .map(|text| text.parse().map_err(|e| usage(format!("--{DRAW} {text}: {e}"))));
        Ok(Adjudication {
            resignation: resignation.transpose()?,
            draw: draw.transpose()?,
            dead: self.dead_positions,
        })
    }
}

const RESIGNATION: &str = "score-resignation";
const DRAW: &str = "score-draw";
const DEAD: &str = "dead-positions";

/// As event.json holds it: only what is on.
pub fn adjudication_words(adjudication: &Adjudication) -> BTreeMap<String, String> {
    let Adjudication { resignation, draw, dead } = adjudication;
    let words = [
        (RESIGNATION, resignation.map(|condition| condition.to_string())),
        (DRAW, draw.map(|condition| condition.to_string())),
        (DEAD, dead.then(|| "on".to_owned())),
    ];
    words.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// The options that event.json's words come from.
pub fn adjudication_options(words: &BTreeMap<String, String>) -> AdjudicationOptions {
    AdjudicationOptions {
        score_resignation: words.get(RESIGNATION).cloned(),
        score_draw: words.get(DRAW).cloned(),
        dead_positions: words.contains_key(DEAD),
    }
}
