//! Logs of games on disk: which files a path names, the format and rules of each, and the one game that a word names.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::adjudication::adjudication_options;
use super::failure::usage;
use super::options::{RulesOptions, check, rule_set, rules_of_words};
use crate::game::{RuleSet, Rules};
use crate::record::foreign::{self, Format, Games};
use crate::record::{EventFile, ForeignGame, GameRecord, JOURNAL, PARTIAL, check_line};
use crate::referee::Adjudication;
use crate::tournament::GameId;

/// A file of games.
#[derive(Clone, Debug)]
pub struct Log {
    /// Where it is; `-` for standard input.
    pub path: PathBuf,
    /// What it is called: its path in the folder that was named, or its name.
    pub name: String,
    /// Whether it was come upon in a folder, not named itself.
    pub walked: bool,
}

impl Log {
    /// Its path for messages.
    pub fn shown(&self) -> String {
        if self.is_stdin() { "standard input".to_owned() } else { self.path.display().to_string() }
    }

    fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// Opens it.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn open(&self) -> io::Result<(Vec<u8>, Box<dyn BufRead>)> {
        let stream: Box<dyn BufRead> = if self.is_stdin() {
            Box::new(BufReader::with_capacity(1 << 16, io::stdin()))
        } else {
            Box::new(BufReader::with_capacity(1 << 16, File::open(&self.path)?))
        };
        let (head, stream) = foreign::peek(stream)?;
        Ok((head, Box::new(stream)))
    }

    /// Its format: the one that is said, otherwise the one that its head tells. None for a file in a folder that
    /// neither its head nor its name tells to be a log, such as a licence beside the logs.
    ///
    /// # Errors
    /// A sentence.
    pub fn format(&self, head: &[u8], said: Option<Format>) -> Result<Option<Format>, String> {
        let told = Format::told_by(head);
        let like_a_log = || {
            let ending = self.path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            ["jsonl", "log", "xml", "strados3"].contains(&ending)
        };
        match (said, told) {
            (_, None) if self.walked && !like_a_log() => Ok(None),
            (Some(said), _) => Ok(Some(said)),
            (None, Some(told)) => Ok(Some(told)),
            (None, None) if head.iter().all(u8::is_ascii_whitespace) => {
                Err("line 1: it is empty: there is no game in it".to_owned())
            }
            (None, None) => {
                let words = Format::ALL.map(Format::word).join(", ");
                Err(format!("line 1: of no known format of games; --from says which it is ({words})"))
            }
        }
    }

    /// What a game in it is called that has no name of its own. XML's names are without their ending, as its archive
    /// has them; a name that we made for a file is read back.
    pub fn game_name(&self, format: Format) -> String {
        let name = match format {
            Format::Strados2 => self.name.strip_suffix(".xml").unwrap_or(&self.name),
            _ => &self.name,
        };
        decoded(name)
    }
}

/// A game's id as the path of a file: letters, digits and a few marks stand for themselves, slashes part folders.
pub fn encoded(id: &str) -> String {
    let part = |part: &str| {
        let mut name = String::new();
        for (n, byte) in part.bytes().enumerate() {
            let plain =
                byte.is_ascii_alphanumeric() || b"_-+#@,=()".contains(&byte) || (byte == b'.' && n > 0);
            if plain { name.push(byte as char) } else { name += &format!("%{byte:02X}") }
        }
        // File systems end at 255 bytes.
        if name.len() > 200 {
            let more = crc32fast::hash(name.as_bytes());
            name.truncate(180);
            name += &format!("~{more:08x}");
        }
        if name.is_empty() { "%".to_owned() } else { name }
    };
    id.split('/').map(part).collect::<Vec<_>>().join("/")
}

fn decoded(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        match hex
            .filter(|_| byte == b'%')
            .and_then(|hex| u8::from_str_radix(str::from_utf8(hex).ok()?, 16).ok())
        {
            Some(value) => {
                bytes.push(value);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| name.to_owned())
}

/// Visits the logs that a path names: a file, standard input (`-`), an event's folder (its journal), or all files of
/// a folder and its folders in the order of their names, hidden ones and `except` (what is being written) left out.
///
/// # Errors
/// Where a path is not there, or what `visit` gives.
pub fn visit(
    named: &Path,
    except: Option<&Path>,
    visit: &mut dyn FnMut(&Log) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if !named.is_dir() {
        let name = match named.as_os_str() == "-" {
            true => "stdin".into(),
            false => named.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        };
        return visit(&Log { path: named.to_owned(), name, walked: false });
    }
    let except = except.and_then(|path| fs::canonicalize(path).ok());
    folder(named, String::new(), except.as_deref(), visit)
}

fn folder(
    path: &Path,
    inside: String,
    except: Option<&Path>,
    visit: &mut dyn FnMut(&Log) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let unreadable = |e: io::Error| usage(format!("{}: {e}", path.display()));
    let journal = path.join(JOURNAL);
    if journal.is_file() {
        return visit(&Log { path: journal, name: inside + JOURNAL, walked: true });
    }
    let mut entries =
        fs::read_dir(path).map_err(unreadable)?.collect::<io::Result<Vec<_>>>().map_err(unreadable)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let is_except = except.is_some_and(|except| {
            except.file_name() == Some(&entry.file_name())
                && fs::canonicalize(entry.path()).is_ok_and(|path| path == except)
        });
        if name.starts_with('.')
            || Path::new(&*name).extension().is_some_and(|ending| ending == PARTIAL)
            || is_except
        {
            continue;
        }
        if is_folder {
            folder(&entry.path(), format!("{inside}{name}/"), except, visit)?;
        } else if entry.file_type().is_ok_and(|kind| kind.is_file()) || entry.path().is_file() {
            visit(&Log { path: entry.path(), name: format!("{inside}{name}"), walked: true })?;
        }
    }
    Ok(())
}

/// The rules of a log's games: those of an event's tie-break game may be others.
#[derive(Clone)]
pub struct LogRules {
    /// Those of its games.
    pub rules: Arc<Rules>,
    /// Its round, or 0 and its number in each pair; and its rules.
    tie_break: Option<(u64, Option<u64>, Arc<Rules>)>,
    /// What ended its games beside the rules, where that is known.
    pub adjudication: Option<Adjudication>,
}

impl LogRules {
    /// The rules of a game of an event.
    pub fn of(&self, record: &GameRecord) -> &Arc<Rules> {
        let id = record.id.parse::<GameId>().ok();
        match &self.tie_break {
            Some((_, Some(number), rules)) if id.is_some_and(|id| id.game == *number) => rules,
            Some((round, None, rules)) if id.is_some_and(|id| id.round == *round) => rules,
            _ => &self.rules,
        }
    }
}

/// The plan of the event that a journal belongs to, where its file lies beside it.
///
/// # Errors
/// A file that is no plan.
pub fn event_of(journal: &Path) -> anyhow::Result<Option<EventFile>> {
    let event = journal.with_file_name("event.json");
    match fs::read_to_string(&event) {
        Ok(text) => match serde_json::from_str(&text) {
            Ok(file) => Ok(Some(file)),
            Err(e) => Err(usage(format!("{}: {e}", event.display()))),
        },
        Err(_) => Ok(None),
    }
}

/// The rules of a log: those asked for, otherwise those of the event.json beside it, otherwise `ucc2012` for a log of
/// that league and `isf` for all others.
///
/// # Errors
/// Options or a plan that name no rules.
pub fn rules(options: &RulesOptions, log: &Path, format: Format) -> anyhow::Result<LogRules> {
    let event = match (&options.rules, format) {
        (None, Format::Plain) => event_of(log)?,
        _ => None,
    };
    let mut tie_break = None;
    let mut set = match (&options.rules, &event) {
        (None, Some(event)) => {
            if let Some(game) = &event.tie_break {
                let mut set = rules_of_words(&game.rules)?;
                options.change(&mut set)?;
                tie_break = Some((game.round, game.game, check(set)?));
            }
            rules_of_words(&event.rules)?
        }
        (name, _) => {
            if name.is_none() && log.file_name().is_some_and(|file| file == JOURNAL) {
                let shown = log.with_file_name("event.json");
                let shown = shown.display();
                tracing::warn!("{shown} is missing; games are refereed by isf, --rules names another book");
            }
            rule_set(name.as_deref().unwrap_or(usual(format)))?
        }
    };
    options.change(&mut set)?;
    let adjudication = event.map(|event| adjudication_options(&event.adjudication).read()).transpose()?;
    Ok(LogRules { rules: check(set)?, tie_break, adjudication })
}

/// The book that games of a format were usually played by.
const fn usual(format: Format) -> &'static str {
    match format {
        Format::Ucc => "ucc2012",
        _ => "isf",
    }
}

/// A game that was found.
pub enum Found {
    /// One of an event.
    Own(Box<GameRecord>),
    /// One from elsewhere.
    Foreign(Box<ForeignGame>),
}

/// What tells one game of a log from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// Its id.
    Id(String),
    /// Its place in the log, from 1.
    Number(u64),
    /// There is only one.
    Only,
}

/// The game of a log, or none where it has no such game. Games that cannot be read are passed over, but for the one
/// that is asked for.
///
/// # Errors
/// Where the log cannot be read, or holds several and none is named.
pub fn find(log: &Log, said: Option<Format>, which: &Which) -> anyhow::Result<Option<(Found, Format)>> {
    let shown = log.shown();
    let (head, stream) = log.open().map_err(|e| usage(format!("{shown}: {e}")))?;
    let Some(format) = log.format(&head, said).map_err(|why| usage(format!("{shown}, {why}")))? else {
        return Ok(None);
    };
    let mut found = None;
    let mut count = 0;
    let mut keep = |id: &str, game: &mut dyn FnMut() -> Found| -> anyhow::Result<bool> {
        count += 1;
        match which {
            Which::Id(wanted) if id != wanted => return Ok(false),
            Which::Number(wanted) if count != *wanted => return Ok(false),
            Which::Only if count > 1 => {
                return Err(usage(format!("{shown}: it holds several games; name one, as in {shown}#2")));
            }
            _ => {}
        }
        found = Some((game(), format));
        Ok(*which != Which::Only)
    };
    if format == Format::Plain {
        let mut lines = foreign::Lines::new(stream);
        while let Some(line) = lines.next_line() {
            let text = match line {
                Ok(text) if !text.trim_ascii().is_empty() => text,
                _ => continue,
            };
            if !foreign::is_own(text) {
                let one =
                    Games::new(format, text.as_bytes(), &log.game_name(format), &foreign::usual_rules).next();
                if let Some(Ok(game)) = one
                    && keep(&game.id, &mut || Found::Foreign(Box::new(game.clone())))?
                {
                    break;
                }
                continue;
            }
            let Ok(record) = GameRecord::from_line(text) else { continue };
            check_line(text).map_err(|e| usage(format!("{shown}: game {}: {e}", record.id)))?;
            if keep(&record.id, &mut || Found::Own(Box::new(record.clone())))? {
                break;
            }
        }
    } else {
        for game in Games::new(format, stream, &log.game_name(format), &foreign::usual_rules) {
            match game {
                Ok(game) => {
                    if keep(&game.id, &mut || Found::Foreign(Box::new(game.clone())))? {
                        break;
                    }
                }
                Err(error) if *which == Which::Only => return Err(usage(format!("{shown}, {error}"))),
                Err(_) => {}
            }
        }
    }
    Ok(found)
}

/// The game that a word names: `EVENT/ID`, `FILE`, `FILE#N` or `FILE/ID`; with the file it stands in.
///
/// # Errors
/// Where there is none.
pub fn named_game(word: &str) -> anyhow::Result<NamedGame> {
    let one = |path: &Path, which: &Which| -> anyhow::Result<NamedGame> {
        let path = if path.is_dir() { path.join(JOURNAL) } else { path.to_owned() };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let log = Log { path: path.clone(), name, walked: false };
        let what = match which {
            Which::Id(id) => format!("game `{id}`"),
            Which::Number(n) => format!("game {n}"),
            Which::Only => "game".to_owned(),
        };
        let found = find(&log, None, which)?
            .ok_or_else(|| usage(format!("{}: no {what} is in it", path.display())))?;
        Ok(NamedGame { found: found.0, format: found.1, path })
    };
    if Path::new(word).is_file() {
        return one(Path::new(word), &Which::Only);
    }
    if let Some((path, number)) = word.rsplit_once('#')
        && let Ok(number) = number.parse()
        && Path::new(path).is_file()
    {
        return one(Path::new(path), &Which::Number(number));
    }
    // The longest head that is there is the log; what follows is an id, which may have slashes of its own.
    for (at, _) in word.rmatch_indices('/') {
        let (path, id) = (Path::new(&word[..at]), &word[at + 1..]);
        let is_log = path.is_file() || path.join(JOURNAL).is_file();
        if is_log && !id.is_empty() {
            return one(path, &Which::Id(id.to_owned()));
        }
    }
    Err(usage(format!(
        "no game `{word}`: name it as EVENT/ID (results/league/1.3.2), or as a log's FILE, FILE#N or FILE/ID"
    )))
}

/// A game that a word names, with where it stands.
pub struct NamedGame {
    /// The game.
    pub found: Found,
    /// Its file.
    pub path: PathBuf,
    format: Format,
}

impl NamedGame {
    /// The rules that it was played by, as far as that is known.
    ///
    /// # Errors
    /// A plan that names none.
    pub fn rules(&self) -> anyhow::Result<RuleSet> {
        let rules = rules(&RulesOptions::default(), &self.path, self.format)?;
        Ok(match &self.found {
            Found::Own(record) => rules.of(record).set().clone(),
            Found::Foreign(_) => rules.rules.set().clone(),
        })
    }
}
