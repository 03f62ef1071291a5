//! The rule book as data: every parameter on which Stratego's rule texts disagree.
//!
//! [`RuleSet`] is what a file or an option says; [`Rules`] is a rule set that was checked, with its board.
//! [`Rules::new`] is the only door between them. Each parameter has one name, used alike in rule files, in
//! `--set NAME=VALUE`, in the protocol's `newgame` line and in event.json; [`PARAMETERS`] is the list.
//! Nothing here reads files: [`RuleSet::from_toml`] takes text.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::board::{Board, Coordinates};
use super::piece::{PieceId, Rank};

/// Defines a parameter that is one word of a few.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// All values.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The word that stands for this value in files and lines.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }

        impl Value for $name {
            fn read(text: &str) -> Result<Self, String> {
                $name::ALL.iter().copied().find(|v| v.word() == text)
                    .ok_or_else(|| format!("it takes {}", [$($word),+].join(" or ")))
            }
            fn print(&self) -> String {
                self.word().to_owned()
            }
        }
    };
}

/// How a parameter's value is read and printed.
trait Value: Sized {
    fn read(text: &str) -> Result<Self, String>;
    fn print(&self) -> String;
}

words! {
    /// Which deployment squares are filled.
    Filling {
        /// Every square of the deployment rows holds a piece.
        Filled = "filled",
        /// Any squares of the deployment rows.
        Any = "any",
    }
}
words! {
    /// Who makes the first move.
    FirstMover {
        /// Red, always.
        Red = "red",
        /// Drawn by the event's seed, one colour for both games of a pair, so that the players move first in turn.
        Seed = "seed",
    }
}
words! {
    /// How far a scout strikes.
    ScoutStrike {
        /// At the end of its run.
        Far = "far",
        /// Only the next square: a run and a strike are two turns (rule text 000, rule 8).
        Adjacent = "adjacent",
    }
}
words! {
    /// What becomes of two equal ranks.
    EqualRanks {
        /// Both are removed.
        Both = "both",
        /// The attacker wins and takes the square ("Aggressor Advantage").
        Attacker = "attacker",
    }
}
words! {
    /// Which winner of a battle moves into the loser's square. Bombs and flags never do.
    WinnerAdvances {
        /// Only a winning attacker.
        Attacker = "attacker",
        /// A winning defender too (rule text 000, rule 6).
        Any = "any",
        /// A winning defender too, but not where a scout struck ("Siege and Capture").
        AnyButScout = "any-but-scout",
    }
}
words! {
    /// The more-squares or chase rule: SPEC.md, section 10.
    Chase {
        /// No such rule.
        Off = "off",
        /// As the International Stratego Federation has it.
        Isf = "isf",
        /// Any threat counts, and a position counts whoever was to move.
        Any = "any",
    }
}
words! {
    /// What it is when neither side can move.
    BothImmobile {
        /// A draw (ISF article 12).
        Draw = "draw",
        /// A loss of the side to move.
        Loss = "loss",
    }
}
words! {
    /// How long the view shows a battle's survivor to the opponent. The battle's ranks are told at once anyway.
    Reveal {
        /// Not at all: the piece is concealed again.
        Never = "never",
        /// Until it next moves.
        UntilMoved = "until-moved",
        /// Until the end of the game.
        UntilEnd = "until-end",
    }
}
words! {
    /// Who sees captured pieces.
    Captured {
        /// Both sides.
        Public = "public",
        /// Only their owner.
        Owner = "owner",
    }
}
words! {
    /// Whether reaching the opponent's back row brings a captured piece back.
    Rescue {
        /// It does not.
        Off = "off",
        /// As rule text 000 has it: two a player, no bombs, not by scouts, not twice by one piece.
        Text000 = "000",
        /// As rule text 001 has it: a movable piece, to the own back row, one a turn.
        Text001 = "001",
    }
}
words! {
    /// Who deploys the pieces.
    DeploymentBy {
        /// The bot.
        Bot = "bot",
        /// The arena, at random from the event's seed.
        Seed = "seed",
        /// The arena, from a setup book.
        Book = "book",
    }
}
words! {
    /// What the fall of a clock costs.
    ClockExpiry {
        /// The game.
        Loss = "loss",
        /// Half of it.
        Draw = "draw",
    }
}

/// The price of an illegal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IllegalMove {
    /// The game.
    Loss,
    /// It is taken back and the bot asked again, so many times a turn, its clock running.
    Retry(u32),
}

impl Value for IllegalMove {
    fn read(text: &str) -> Result<Self, String> {
        match text.strip_prefix("retry:") {
            _ if text == "loss" => Ok(IllegalMove::Loss),
            Some(times) => Ok(IllegalMove::Retry(read_number(times, 1, 1000)?)),
            None => Err("it takes loss or retry:N".to_owned()),
        }
    }
    fn print(&self) -> String {
        match self {
            IllegalMove::Loss => "loss".to_owned(),
            IllegalMove::Retry(times) => format!("retry:{times}"),
        }
    }
}

fn read_number(text: &str, least: u32, most: u32) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| format!("it takes a whole number from {least} to {most}"))
}

/// A limit in moves or plies, or none.
impl Value for Option<u32> {
    fn read(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(None),
            _ => read_number(text, 1, 1_000_000)
                .map(Some)
                .map_err(|_| "it takes off or a whole number from 1 to 1000000".to_owned()),
        }
    }
    fn print(&self) -> String {
        self.map_or_else(|| "off".to_owned(), |n| n.to_string())
    }
}

impl Value for bool {
    fn read(text: &str) -> Result<Self, String> {
        match text {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err("it takes on or off".to_owned()),
        }
    }
    fn print(&self) -> String {
        if *self { "on" } else { "off" }.to_owned()
    }
}

/// How many pieces of each rank a side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Army(pub [u8; Rank::COUNT]);

impl Army {
    /// How many of one rank.
    pub fn count(&self, rank: Rank) -> u8 {
        self.0[rank as usize]
    }

    /// How many pieces in all.
    pub fn size(&self) -> usize {
        self.0.iter().map(|&n| n as usize).sum()
    }
}

impl Value for Army {
    fn read(text: &str) -> Result<Self, String> {
        let wrong = |item: &str| {
            format!("`{item}` is no rank letter (one of F B S 2 3 4 5 6 7 8 9 M) with its count, as in B6")
        };
        let mut counts = [0u8; Rank::COUNT];
        for item in text.split(',') {
            let mut chars = item.chars();
            let rank = chars.next().and_then(Rank::from_letter).ok_or_else(|| wrong(item))?;
            let count: u8 = chars.as_str().parse().ok().filter(|&n| n <= 64).ok_or_else(|| wrong(item))?;
            if std::mem::replace(&mut counts[rank as usize], count) != 0 {
                return Err(format!("the {} stands twice", rank.name()));
            }
        }
        Ok(Army(counts))
    }
    fn print(&self) -> String {
        let items: Vec<String> = Rank::ALL
            .into_iter()
            .filter(|&r| self.count(r) > 0)
            .map(|r| format!("{}{}", r.letter(), self.count(r)))
            .collect();
        items.join(",")
    }
}

/// Width and height in squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardSize {
    /// Files.
    pub width: u32,
    /// Ranks.
    pub height: u32,
}

impl Value for BoardSize {
    fn read(text: &str) -> Result<Self, String> {
        text.split_once('x')
            .and_then(|(w, h)| Some(BoardSize { width: w.parse().ok()?, height: h.parse().ok()? }))
            .ok_or_else(|| "it takes WIDTHxHEIGHT, as in 10x10".to_owned())
    }
    fn print(&self) -> String {
        format!("{}x{}", self.width, self.height)
    }
}

impl Value for Vec<Coordinates> {
    fn read(text: &str) -> Result<Self, String> {
        let mut squares = text
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty() && *name != "none")
            .map(|name| {
                Coordinates::parse(name.as_bytes()).ok_or_else(|| format!("`{name}` is no square, as in c5"))
            })
            .collect::<Result<Vec<Coordinates>, String>>()?;
        squares.sort_by_key(|c| (c.rank, c.file));
        squares.dedup();
        Ok(squares)
    }
    fn print(&self) -> String {
        let names: Vec<String> = self.iter().map(Coordinates::to_string).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(",") }
    }
}

impl Value for u32 {
    fn read(text: &str) -> Result<Self, String> {
        read_number(text, 1, 64)
    }
    fn print(&self) -> String {
        self.to_string()
    }
}

/// Points for a win, a draw and a loss, and for a forfeit in place of a loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scoring {
    /// For a win.
    pub win: f64,
    /// For a draw, each.
    pub draw: f64,
    /// For a game lost on the board.
    pub loss: f64,
    /// For a game lost by a fault.
    pub forfeit: f64,
}

impl Value for Scoring {
    fn read(text: &str) -> Result<Self, String> {
        let points: Option<Vec<f64>> =
            text.split('-').map(|p| p.parse().ok().filter(|v: &f64| v.is_finite() && *v >= 0.0)).collect();
        match points.as_deref() {
            Some(&[win, draw, loss]) => Ok(Scoring { win, draw, loss, forfeit: loss }),
            Some(&[win, draw, loss, forfeit]) => Ok(Scoring { win, draw, loss, forfeit }),
            _ => Err("it takes WIN-DRAW-LOSS or WIN-DRAW-LOSS-FORFEIT, as in 1-0.5-0 or 6-3-1-0".to_owned()),
        }
    }
    fn print(&self) -> String {
        if self.forfeit == self.loss {
            format!("{}-{}-{}", self.win, self.draw, self.loss)
        } else {
            format!("{}-{}-{}-{}", self.win, self.draw, self.loss, self.forfeit)
        }
    }
}

/// A rule book as it was written: not yet known to be possible.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleSet {
    /// The book's name.
    pub name: String,
    /// The book in one line, for lists.
    pub title: String,
    /// `board`: files and ranks.
    pub board: BoardSize,
    /// `lakes`: squares no piece may enter or cross.
    pub lakes: Vec<Coordinates>,
    /// `rows`: deployment rows of each side.
    pub rows: u32,
    /// `army`: pieces a side.
    pub army: Army,
    /// `deployment`: whether every deployment square is filled.
    pub deployment: Filling,
    /// `first-mover`.
    pub first_mover: FirstMover,
    /// `scout-strike`.
    pub scout_strike: ScoutStrike,
    /// `equal-ranks`.
    pub equal_ranks: EqualRanks,
    /// `winner-advances`.
    pub winner_advances: WinnerAdvances,
    /// `two-squares`: the limit n of the two-squares rule.
    pub two_squares: Option<u32>,
    /// `chase`.
    pub chase: Chase,
    /// `repetition`: a position seen so many times is a draw.
    pub repetition: Option<u32>,
    /// `no-attack`: so many plies without a battle are a draw.
    pub no_attack: Option<u32>,
    /// `length`: a game of so many plies is a draw.
    pub length: Option<u32>,
    /// `both-immobile`.
    pub both_immobile: BothImmobile,
    /// `reveal`.
    pub reveal: Reveal,
    /// `captured`.
    pub captured: Captured,
    /// `silent-defence`: only the attacker's rank is told, unless it is a scout.
    pub silent_defence: bool,
    /// `rescue`.
    pub rescue: Rescue,
    /// `open-flag`: both flags' squares are told after deployment.
    pub open_flag: bool,
    /// `deployment-by`.
    pub deployment_by: DeploymentBy,
    /// `clock-expiry`.
    pub clock_expiry: ClockExpiry,
    /// `illegal`: the price of an illegal move.
    pub illegal: IllegalMove,
    /// `draw-offers`: draw by agreement.
    pub draw_offers: bool,
    /// `resignation`.
    pub resignation: bool,
    /// `scoring`: match points. Not told to bots.
    pub scoring: Scoring,
}

/// A parameter of the rule book: its name, what it is, and how it is read and printed.
pub struct Parameter {
    /// The name, as in files and options.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    get: fn(&RuleSet) -> String,
    set: fn(&mut RuleSet, &str) -> Result<(), String>,
}

macro_rules! parameters {
    ($($name:literal $field:ident $about:literal),+ $(,)?) => {
        /// Every parameter, in the order in which books list them and `newgame` tells them.
        pub const PARAMETERS: &[Parameter] = &[$(Parameter {
            name: $name,
            about: $about,
            get: |rules| Value::print(&rules.$field),
            set: |rules, text| { rules.$field = Value::read(text)?; Ok(()) },
        }),+];
    };
}

parameters! {
    "board" board "files x ranks",
    "lakes" lakes "squares no piece may enter or cross",
    "rows" rows "deployment rows of each side",
    "army" army "rank letter and count, comma-separated",
    "deployment" deployment "every deployment square filled, or any",
    "first-mover" first_mover "who makes the first move",
    "scout-strike" scout_strike "whether a scout strikes at the end of a run",
    "equal-ranks" equal_ranks "what becomes of equal ranks",
    "winner-advances" winner_advances "which winner moves into the loser's square",
    "two-squares" two_squares "limit of the two-squares rule",
    "chase" chase "reading of the more-squares rule",
    "repetition" repetition "a position seen so many times is a draw",
    "no-attack" no_attack "so many plies without a battle are a draw",
    "length" length "a game of so many plies is a draw",
    "both-immobile" both_immobile "when neither side can move",
    "reveal" reveal "how long the view shows a battle's survivor",
    "captured" captured "who sees captured pieces",
    "silent-defence" silent_defence "only the attacker's rank is told",
    "rescue" rescue "reaching the far row brings a captured piece back",
    "open-flag" open_flag "both flags' squares are told after deployment",
    "deployment-by" deployment_by "who deploys",
    "clock-expiry" clock_expiry "what a fallen clock costs",
    "illegal" illegal "the price of an illegal move",
    "draw-offers" draw_offers "whether a draw may be agreed",
    "resignation" resignation "whether a bot may resign",
    "scoring" scoring "match points for win, draw, loss and, fourth, forfeit",
}

/// Why a rule book was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The text is no TOML.
    #[error("{0}")]
    Toml(String),
    /// A key that no rule book has.
    #[error("line {line}: unknown parameter `{key}`{}", .near.map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default())]
    UnknownKey {
        /// 1-based line.
        line: usize,
        /// The key.
        key: String,
        /// A parameter with a similar name.
        near: Option<&'static str>,
    },
    /// A value that its parameter does not take.
    #[error("line {line}: `{key} = {value}`: {reason}")]
    Value {
        /// 1-based line.
        line: usize,
        /// The key.
        key: String,
        /// The value as written.
        value: String,
        /// What it should have been.
        reason: String,
    },
    /// A parameter that is missing.
    #[error("parameter `{0}` is missing")]
    Missing(&'static str),
    /// A name or value in `--set` that is not one.
    #[error("{0}")]
    Set(String),
    /// Values that do not go together.
    #[error("{}{reason}", .line.map(|l| format!("line {l}: ")).unwrap_or_default())]
    Impossible {
        /// The parameter to look at.
        key: &'static str,
        /// Its 1-based line, where the book came from a file that says it.
        line: Option<usize>,
        /// What is wrong.
        reason: String,
    },
}

fn nearest(key: &str) -> Option<&'static str> {
    let folded = key.replace('_', "-").to_lowercase();
    PARAMETERS
        .iter()
        .map(|p| p.name)
        .find(|n| *n == folded || n.starts_with(&folded) || folded.starts_with(n))
}

fn toml_text(value: &toml::Value) -> Option<String> {
    Some(match value {
        toml::Value::String(s) => s.clone(),
        toml::Value::Integer(n) => n.to_string(),
        toml::Value::Boolean(true) => "on".to_owned(),
        toml::Value::Boolean(false) => "off".to_owned(),
        toml::Value::Array(items) => items.iter().map(toml_text).collect::<Option<Vec<_>>>()?.join(","),
        toml::Value::Table(items) => {
            let items: Option<Vec<_>> =
                items.iter().map(|(k, v)| Some(format!("{k}{}", toml_text(v)?))).collect();
            items?.join(",")
        }
        _ => return None,
    })
}

impl RuleSet {
    /// Reads a rule file's text. Every parameter must be there, but for `name` and `title`.
    ///
    /// # Errors
    /// For text that is no TOML, unknown keys, values that no parameter takes and impossible boards, each with
    /// its line.
    pub fn from_toml(text: &str) -> Result<RuleSet, RulesError> {
        let table: BTreeMap<toml::Spanned<String>, toml::Value> =
            toml::from_str(text).map_err(|e| RulesError::Toml(super::toml_reason(text, &e)))?;
        let line_of = |offset: usize| text[..offset].matches('\n').count() + 1;
        let mut rules = RuleSet::blank();
        let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
        for (spanned, value) in &table {
            let (key, line) = (spanned.get_ref().as_str(), line_of(spanned.span().start));
            let wrong = |reason: String| RulesError::Value {
                line,
                key: key.to_owned(),
                value: value.to_string(),
                reason,
            };
            let text = toml_text(value).ok_or_else(|| wrong("no parameter takes such a value".into()))?;
            match key {
                "name" => {
                    rules.name = text;
                    lines.insert("name", line);
                }
                "title" => rules.title = text,
                _ => {
                    let parameter = PARAMETERS.iter().find(|p| p.name == key).ok_or_else(|| {
                        RulesError::UnknownKey { line, key: key.to_owned(), near: nearest(key) }
                    })?;
                    (parameter.set)(&mut rules, &text).map_err(wrong)?;
                    lines.insert(parameter.name, line);
                }
            }
        }
        if let Some(missing) = PARAMETERS.iter().find(|p| !lines.contains_key(p.name)) {
            return Err(RulesError::Missing(missing.name));
        }
        let mut named = rules.clone();
        if named.name.is_empty() {
            named.name = "unnamed".to_owned();
        }
        match Rules::new(named) {
            Err(RulesError::Impossible { key, reason, .. }) => {
                Err(RulesError::Impossible { key, line: lines.get(key).copied(), reason })
            }
            Err(other) => Err(other),
            Ok(_) => Ok(rules),
        }
    }

    fn blank() -> RuleSet {
        RuleSet {
            name: String::new(),
            title: String::new(),
            board: BoardSize { width: 10, height: 10 },
            lakes: Vec::new(),
            rows: 4,
            army: Army([0; Rank::COUNT]),
            deployment: Filling::Any,
            first_mover: FirstMover::Red,
            scout_strike: ScoutStrike::Far,
            equal_ranks: EqualRanks::Both,
            winner_advances: WinnerAdvances::Attacker,
            two_squares: None,
            chase: Chase::Off,
            repetition: None,
            no_attack: None,
            length: None,
            both_immobile: BothImmobile::Draw,
            reveal: Reveal::Never,
            captured: Captured::Public,
            silent_defence: false,
            rescue: Rescue::Off,
            open_flag: false,
            deployment_by: DeploymentBy::Bot,
            clock_expiry: ClockExpiry::Loss,
            illegal: IllegalMove::Loss,
            draw_offers: true,
            resignation: true,
            scoring: Scoring { win: 1.0, draw: 0.5, loss: 0.0, forfeit: 0.0 },
        }
    }

    /// A parameter's value as text, or nothing where no parameter has that name.
    pub fn get(&self, name: &str) -> Option<String> {
        PARAMETERS.iter().find(|p| p.name == name).map(|p| (p.get)(self))
    }

    /// Sets one parameter, as `--set NAME=VALUE` does.
    ///
    /// # Errors
    /// [`RulesError::Set`], with the names there are or the values the parameter takes.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), RulesError> {
        let parameter = PARAMETERS.iter().find(|p| p.name == name).ok_or_else(|| {
            let names: Vec<&str> = PARAMETERS.iter().map(|p| p.name).collect();
            RulesError::Set(format!("no parameter `{name}`; there are {}", names.join(", ")))
        })?;
        (parameter.set)(self, value).map_err(|reason| RulesError::Set(format!("`{name}={value}`: {reason}")))
    }

    /// All parameters with their values as text, in their order.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        PARAMETERS.iter().map(|p| (p.name, (p.get)(self)))
    }

    /// The rule file's text, each line with a note from `note` as its comment: reading it back gives the same rule
    /// set. Notes are single lines; `name` and `title` are asked for as well.
    pub fn to_toml(&self, note: impl Fn(&str) -> String) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let head = [("name", quoted(&self.name)), ("title", quoted(&self.title))];
        let values = self.values().map(|(name, value)| {
            let bare = value.parse::<u32>().is_ok() && !value.starts_with('0');
            (name, if bare { value } else { quoted(&value) })
        });
        let line = |(name, value): (&str, String)| {
            let (line, note) = (format!("{name} = {value}"), note(name));
            if note.is_empty() { line + "\n" } else { format!("{line:<50} # {note}\n") }
        };
        head.into_iter().chain(values).map(line).collect()
    }

    /// The comment behind each value of a rule file's text, where one stands there: in the shipped books its source.
    ///
    /// # Errors
    /// For text that is no TOML.
    pub fn notes(text: &str) -> Result<BTreeMap<String, String>, RulesError> {
        let table: BTreeMap<String, toml::Spanned<toml::Value>> =
            toml::from_str(text).map_err(|e| RulesError::Toml(super::toml_reason(text, &e)))?;
        let note = |value: &toml::Spanned<toml::Value>| {
            let rest = text.get(value.span().end..)?.lines().next()?;
            Some(rest.trim_start().strip_prefix('#')?.trim().to_owned())
        };
        Ok(table.iter().filter_map(|(key, value)| Some((key.clone(), note(value)?))).collect())
    }
}

/// A rule set that is known to be possible, with its board.
#[derive(Clone, PartialEq)]
pub struct Rules {
    set: RuleSet,
    /// The board with its tables.
    pub board: Board,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rules({})", self.set.name)
    }
}

impl std::ops::Deref for Rules {
    type Target = RuleSet;
    #[inline]
    fn deref(&self) -> &RuleSet {
        &self.set
    }
}

impl Rules {
    /// Checks a rule set.
    ///
    /// # Errors
    /// [`RulesError::Impossible`] for boards that cannot be, armies that do not fit their rows, armies without
    /// exactly one flag, and games that would end at their start.
    pub fn new(set: RuleSet) -> Result<Arc<Rules>, RulesError> {
        let impossible = |key, reason: String| RulesError::Impossible { key, line: None, reason };
        let board = Board::new(set.board.width, set.board.height, set.rows, &set.lakes).map_err(|e| {
            let key = match e {
                super::board::BoardError::Size { .. } => "board",
                super::board::BoardError::Rows { .. } => "rows",
                _ => "lakes",
            };
            impossible(key, e.to_string())
        })?;
        let (size, squares) = (set.army.size(), board.deployment_squares());
        if size > squares || size > PieceId::MOST {
            let reason = format!("an army of {size} does not fit {squares} deployment squares");
            return Err(impossible("army", reason));
        }
        if set.deployment == Filling::Filled && size != squares {
            let reason = format!(
                "deployment = filled wants {squares} pieces for {squares} deployment squares; the army has {size}"
            );
            return Err(impossible("army", reason));
        }
        let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if !(1..=64).contains(&set.name.len()) || !set.name.bytes().all(fits) {
            let reason =
                format!("name `{}`: it is made of 1 to 64 small letters, digits and hyphens", set.name);
            return Err(impossible("name", reason));
        }
        if set.repetition == Some(1) {
            let reason = "repetition = 1 would end every game at its start: off, or 2 and more".to_owned();
            return Err(impossible("repetition", reason));
        }
        if set.army.count(Rank::Flag) != 1 {
            let reason = format!("an army has exactly one flag; this one has {}", set.army.count(Rank::Flag));
            return Err(impossible("army", reason));
        }
        Ok(Arc::new(Rules { set, board }))
    }

    /// The rule set as written.
    pub fn set(&self) -> &RuleSet {
        &self.set
    }
}

/// The rule books that ship with the program: name and file text.
pub const BOOKS: &[(&str, &str)] = &[
    ("isf", include_str!("../../protocol/rules/isf.toml")),
    ("us-classic", include_str!("../../protocol/rules/us-classic.toml")),
    ("classic", include_str!("../../protocol/rules/classic.toml")),
    ("jumbo", include_str!("../../protocol/rules/jumbo.toml")),
    ("original", include_str!("../../protocol/rules/original.toml")),
    ("duel", include_str!("../../protocol/rules/duel.toml")),
    ("quick-battle", include_str!("../../protocol/rules/quick-battle.toml")),
    ("quick-battle-barrage", include_str!("../../protocol/rules/quick-battle-barrage.toml")),
    ("barrage", include_str!("../../protocol/rules/barrage.toml")),
    ("quick", include_str!("../../protocol/rules/quick.toml")),
    ("siege-and-capture", include_str!("../../protocol/rules/siege-and-capture.toml")),
    ("ucc2012", include_str!("../../protocol/rules/ucc2012.toml")),
];

/// A shipped rule book.
///
/// # Panics
/// Never: a test reads every shipped book.
pub fn book(name: &str) -> Option<RuleSet> {
    let (_, text) = BOOKS.iter().find(|(n, _)| *n == name)?;
    Some(RuleSet::from_toml(text).expect("shipped rule books are read by a test"))
}
