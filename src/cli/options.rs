//! Options that several verbs share: the rules and the time.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::failure::usage;
use crate::clock::{IDLE_LIMIT, TimeControl, TimeSettings, parse_span, print_span};
use crate::game::{BOOKS, RuleSet, Rules, VARIANTS, apply_variants, book};
use crate::process::Limits;

/// Which rules.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct RulesOptions {
    /// Rule book: a name (see `arbiter rules`) or a file
    #[arg(long, value_name = "NAME|FILE")]
    pub rules: Option<String>,
    /// Variants of the rule book, comma-separated (see `arbiter rules`)
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub variant: Vec<String>,
    /// Change one parameter of the rule book (repeatable)
    #[arg(long, value_name = "PARAMETER=VALUE")]
    pub set: Vec<String>,
    /// Price of an illegal move: loss or retry:N
    #[arg(long, value_name = "PRICE")]
    pub on_illegal: Option<String>,
    /// Draw after so many plies (the parameter `length`)
    #[arg(long, value_name = "N")]
    pub max_plies: Option<u32>,
}

/// The rule book of a name or file.
pub fn rule_set(name: &str) -> anyhow::Result<RuleSet> {
    if let Some(set) = book(name) {
        return Ok(set);
    }
    if name.contains('/') || name.ends_with(".toml") {
        let text = fs::read_to_string(name).map_err(|e| usage(format!("rule book {name}: {e}")))?;
        let mut set = RuleSet::from_toml(&text).map_err(|e| usage(format!("rule book {name}: {e}")))?;
        if set.name.is_empty() {
            let stem = Path::new(name).file_stem().map(|s| s.to_string_lossy().into_owned());
            set.name = stem.unwrap_or_default();
        }
        return Ok(set);
    }
    let names: Vec<&str> = BOOKS.iter().map(|(name, _)| *name).collect();
    Err(usage(format!(
        "no rule book `{name}`; there are {} (a file of your own: --rules ./mine.toml)",
        names.join(", ")
    )))
}

impl RulesOptions {
    /// These options where they are given, otherwise those.
    pub fn or(self, file: RulesOptions) -> RulesOptions {
        RulesOptions {
            rules: self.rules.or(file.rules),
            variant: file.variant.into_iter().chain(self.variant).collect(),
            set: file.set.into_iter().chain(self.set).collect(),
            on_illegal: self.on_illegal.or(file.on_illegal),
            max_plies: self.max_plies.or(file.max_plies),
        }
    }

    /// Changes a rule set as the options say: variants first, then single parameters. A book that was changed says
    /// so in its title; its name goes on to say from which book it began, which is what bots are told
    /// (SPEC.md, `newgame.decides`).
    pub fn change(&self, set: &mut RuleSet) -> anyhow::Result<()> {
        let before = set.clone();
        self.change_values(set)?;
        let changes: Vec<String> = set
            .values()
            .zip(before.values())
            .filter(|((_, now), (_, then))| now != then)
            .map(|((name, now), _)| format!("{name}={now}"))
            .collect();
        if !changes.is_empty() {
            set.title = format!("{}, changed: {}", before.title, changes.join(" "));
        }
        Ok(())
    }

    /// Each parameter that the options set, with the option that does; of two the later one counts.
    pub fn origins(&self) -> BTreeMap<&str, String> {
        let variants = VARIANTS.iter().filter(|v| self.variant.iter().any(|name| name == v.name));
        let by_variant = variants.flat_map(|v| {
            v.sets.iter().map(|(name, _)| (*name, format!("--variant {} [{}]", v.name, v.source)))
        });
        let pairs = self.set.iter().filter_map(|change| change.split_once('='));
        let by_set = pairs.map(|(name, _)| (name.trim(), "--set".to_owned()));
        by_variant.chain(by_set).collect()
    }

    fn change_values(&self, set: &mut RuleSet) -> anyhow::Result<()> {
        let variants: Vec<&str> = self.variant.iter().map(String::as_str).collect();
        apply_variants(set, &variants).map_err(|e| usage(format!("--variant: {e}")))?;
        for change in &self.set {
            let (name, value) = change.split_once('=').ok_or_else(|| {
                usage(format!("--set {change}: it takes PARAMETER=VALUE, as in no-attack=off"))
            })?;
            set.set(name.trim(), value.trim()).map_err(|e| usage(format!("--set {e}")))?;
        }
        if let Some(price) = &self.on_illegal {
            set.set("illegal", price).map_err(|e| usage(format!("--on-illegal: {e}")))?;
        }
        if let Some(plies) = self.max_plies {
            set.set("length", &plies.to_string()).map_err(|e| usage(format!("--max-plies: {e}")))?;
        }
        Ok(())
    }

    /// The rule set, not yet checked.
    pub fn rule_set(&self) -> anyhow::Result<RuleSet> {
        let mut set = rule_set(self.rules.as_deref().unwrap_or("isf"))?;
        self.change(&mut set)?;
        Ok(set)
    }

    /// The rules.
    pub fn rules(&self) -> anyhow::Result<Arc<Rules>> {
        check(self.rule_set()?)
    }
}

/// Checks a rule set.
pub fn check(set: RuleSet) -> anyhow::Result<Arc<Rules>> {
    let name = set.name.clone();
    Rules::new(set).map_err(|e| usage(format!("rule book {name}: {e}")))
}

/// How much time.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct TimeOptions {
    /// Clock: BASE+INCREMENT in seconds, MOVES/BASE+INCREMENT, or none
    #[arg(long, value_name = "CONTROL")]
    pub time: Option<String>,
    /// Fixed time for each move, in seconds or as in 200ms [default: 1s]
    #[arg(long, value_name = "TIME", conflicts_with = "time")]
    pub move_time: Option<String>,
    /// Part of each turn that is not charged
    #[arg(long, value_name = "TIME")]
    pub delay: Option<String>,
    /// Granted above each budget before a clock falls [default: 20ms]
    #[arg(long, value_name = "TIME")]
    pub time_margin: Option<String>,
    /// For the deployment, or none [default: 10s]
    #[arg(long, value_name = "TIME")]
    pub setup_time: Option<String>,
    /// For the handshake, and for each readyok [default: 10s]
    #[arg(long, value_name = "TIME")]
    pub start_timeout: Option<String>,
    /// For taking what is written to it [default: 10s]
    #[arg(long, value_name = "TIME")]
    pub write_timeout: Option<String>,
}

impl TimeOptions {
    /// These options where they are given, otherwise those.
    pub fn or(self, file: TimeOptions) -> TimeOptions {
        let control = self.time.is_some() || self.move_time.is_some();
        TimeOptions {
            time: if control { self.time } else { file.time },
            move_time: if control { self.move_time } else { file.move_time },
            delay: self.delay.or(file.delay),
            time_margin: self.time_margin.or(file.time_margin),
            setup_time: self.setup_time.or(file.setup_time),
            start_timeout: self.start_timeout.or(file.start_timeout),
            write_timeout: self.write_timeout.or(file.write_timeout),
        }
    }

    /// The settings.
    pub fn settings(&self) -> anyhow::Result<TimeSettings> {
        let span = |option: &str, text: &Option<String>, default: Duration| match text {
            Some(text) => parse_span(text).map_err(|e| usage(format!("{option}: {e}"))),
            None => Ok(default),
        };
        let default = TimeSettings::default();
        let control = match (&self.time, &self.move_time) {
            (Some(time), _) => TimeControl::parse(time).map_err(|e| usage(format!("--time: {e}")))?,
            (None, Some(_)) => {
                let each = span("--move-time", &self.move_time, Duration::ZERO)?;
                if each.is_zero() {
                    return Err(usage("--move-time 0: nothing can be done in no time"));
                }
                TimeControl::PerMove(each)
            }
            (None, None) => default.control,
        };
        let unlimited = matches!(control, TimeControl::Unlimited { .. });
        let setup = match self.setup_time.as_deref() {
            Some("none") => None,
            // Whoever steps through a bot with a debugger steps through its start, too.
            None if unlimited => None,
            _ => Some(span("--setup-time", &self.setup_time, Duration::from_secs(10))?),
        };
        let start = if unlimited { IDLE_LIMIT } else { default.start };
        Ok(TimeSettings {
            control,
            setup,
            delay: span("--delay", &self.delay, default.delay)?,
            margin: span("--time-margin", &self.time_margin, default.margin)?,
            start: span("--start-timeout", &self.start_timeout, start)?,
            write: span("--write-timeout", &self.write_timeout, default.write)?,
        })
    }
}

/// What a bot may use, in words: of the command line, of a tournament file, or of a registry.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
pub struct LimitOptions {
    /// Resident memory of a bot, all its processes together, as in 512M, or none [default: 4G, or half of the machine's]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
    /// Processes and threads of a bot, or none [default: 256]
    #[arg(long, value_name = "N")]
    pub processes: Option<String>,
    /// Processor time of a bot in one game, or none [default: none]
    #[arg(long, value_name = "TIME")]
    pub cpu_time: Option<String>,
    /// Space of a bot's scratch folder, or none [default: 1G]
    #[arg(long, value_name = "SIZE")]
    pub disk: Option<String>,
    /// Standard error of a bot in one game, or none [default: 1G]
    #[arg(long, value_name = "SIZE")]
    pub output: Option<String>,
}

impl LimitOptions {
    /// These options where they are given, otherwise those.
    pub fn or(&self, file: LimitOptions) -> LimitOptions {
        LimitOptions {
            memory: self.memory.clone().or(file.memory),
            processes: self.processes.clone().or(file.processes),
            cpu_time: self.cpu_time.clone().or(file.cpu_time),
            disk: self.disk.clone().or(file.disk),
            output: self.output.clone().or(file.output),
        }
    }

    /// The limits, where nobody says otherwise those that are usual: for a confined bot some, for another none.
    pub fn limits(&self, usual: Limits) -> Result<Limits, String> {
        Ok(Limits {
            memory: limit("memory", &self.memory, usual.memory, |text| {
                size(text).filter(|&bytes| bytes >= LEAST_MEMORY).ok_or("a size from 16M, as in 512M or 4G")
            })?,
            processes: limit("processes", &self.processes, usual.processes, |text| {
                text.parse().ok().filter(|&n| n > 0).ok_or("a whole number from 1")
            })?,
            cpu: limit("cpu-time", &self.cpu_time, usual.cpu, |text| {
                parse_span(text).ok().filter(|span| !span.is_zero()).ok_or("a span, as in 60s or 2m")
            })?,
            disk: limit("disk", &self.disk, usual.disk, |text| size(text).ok_or("a size, as in 512M or 4G"))?,
            output: limit("output", &self.output, usual.output, |text| {
                size(text).ok_or("a size, as in 512M or 4G")
            })?,
        })
    }
}

/// Less than the stub of a bot takes with it would end every bot.
const LEAST_MEMORY: u64 = 16 << 20;

fn limit<T>(
    name: &str,
    text: &Option<String>,
    usual: Option<T>,
    read: impl Fn(&str) -> Result<T, &'static str>,
) -> Result<Option<T>, String> {
    match text.as_deref() {
        None => Ok(usual),
        Some("none") => Ok(None),
        Some(text) => {
            read(text).map(Some).map_err(|takes| format!("{name} {text}: it takes {takes}, or none"))
        }
    }
}

/// Bytes, as in `4096`, `512K`, `512M`, `4G`.
fn size(text: &str) -> Option<u64> {
    let text = text.trim_end_matches('B').trim_end_matches('i');
    let (number, unit) = match text.char_indices().next_back()? {
        (at, 'K' | 'k') => (&text[..at], 1 << 10),
        (at, 'M' | 'm') => (&text[..at], 1 << 20),
        (at, 'G' | 'g') => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    number.parse::<u64>().ok()?.checked_mul(unit).filter(|&bytes| bytes > 0)
}

/// The time settings as words, for event.json.
pub fn time_words(time: &TimeSettings) -> BTreeMap<String, String> {
    let mut words = BTreeMap::from([
        ("control".to_owned(), time.control.to_string()),
        ("delay".to_owned(), print_span(time.delay)),
        ("margin".to_owned(), print_span(time.margin)),
        ("setup".to_owned(), time.setup.map_or("none".to_owned(), print_span)),
        ("start".to_owned(), print_span(time.start)),
        ("write".to_owned(), print_span(time.write)),
    ]);
    if let TimeControl::Unlimited { idle } = time.control {
        words.insert("idle".to_owned(), print_span(idle));
    }
    words
}

/// The options that give the time settings of these words.
pub fn time_options(words: &BTreeMap<String, String>) -> TimeOptions {
    let word = |key: &str| words.get(key).cloned();
    let control = word("control");
    let move_time = control.as_deref().and_then(|c| c.strip_suffix(" a move")).map(str::to_owned);
    TimeOptions {
        time: control.filter(|_| move_time.is_none()),
        move_time,
        delay: word("delay"),
        time_margin: word("margin"),
        setup_time: word("setup"),
        start_timeout: word("start"),
        write_timeout: word("write"),
    }
}

/// The rule set as words, for event.json.
pub fn rules_words(rules: &RuleSet) -> BTreeMap<String, String> {
    let mut words: BTreeMap<String, String> = rules.values().map(|(k, v)| (k.to_owned(), v)).collect();
    words.insert("name".to_owned(), rules.name.clone());
    words
}

/// The rules that an event was played under, from the words of its event.json.
pub fn rules_of_words(words: &BTreeMap<String, String>) -> anyhow::Result<RuleSet> {
    let text: String =
        words.iter().map(|(k, v)| format!("{k} = {}\n", toml::Value::String(v.clone()))).collect();
    RuleSet::from_toml(&text).map_err(|e| usage(format!("event.json: rules: {e}")))
}
