//! `arbiter verify`: recorded games are refereed again.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::failure::{Exit, usage};
use super::options::{RulesOptions, check, rule_set, rules_of_words};
use super::output;
use crate::game::Rules;
use crate::record::{
    EventFile, Finding, GameRecord, JOURNAL, PlainGame, RecordRef, RecordedTurn, check_line, position_after,
    verify_plain, verify_record,
};

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// Event folders, games.jsonl files, or files of plain lines
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesOptions,
    /// One JSON object a game on standard output
    #[arg(long)]
    json: bool,
    /// Say nothing of games that agree
    #[arg(short, long)]
    quiet: bool,
    /// Say why the move at a ply of a game, or another move in its place, is legal or not
    #[arg(long, num_args = 2..=3, value_names = ["GAME", "PLY", "MOVE"])]
    explain: Option<Vec<String>>,
}

#[derive(Default)]
struct Count {
    games: u64,
    plies: u64,
    disagree: u64,
    unreadable: u64,
}

/// Runs the verb.
pub fn run(args: &VerifyArgs) -> anyhow::Result<Exit> {
    if let Some(words) = &args.explain {
        return explain(args, words);
    }
    let mut count = Count::default();
    for log in &args.logs {
        let path = journal_of(log)?;
        one(args, &path, &mut count)?;
    }
    if !args.json {
        let Count { games, plies, disagree, unreadable } = count;
        let unread = if unreadable > 0 { format!(", {unreadable} lines unreadable") } else { String::new() };
        output::line(format_args!(
            "{games} games, {plies} plies: {} agree, {disagree} do not{unread}",
            games - disagree
        ));
    }
    if !args.json && args.rules.rules.is_none() && count.disagree > 0 {
        output::line(
            "(an event's games are refereed by its own rules, others by isf; --rules NAME changes that)",
        );
    }
    Ok(if count.disagree + count.unreadable > 0 { Exit::Failed } else { Exit::Done })
}

/// Explains a move of the first game of that name.
fn explain(args: &VerifyArgs, words: &[String]) -> anyhow::Result<Exit> {
    let (id, ply) = (&words[0], &words[1]);
    let ply: u32 = ply
        .parse()
        .ok()
        .filter(|&n| n > 0)
        .ok_or_else(|| usage(format!("--explain: ply `{ply}`: it takes a whole number from 1")))?;
    for log in &args.logs {
        let path = journal_of(log)?;
        let rules = rules(args, &path)?;
        let text = std::fs::read_to_string(&path).map_err(|e| usage(format!("{}: {e}", path.display())))?;
        for line in text.lines().filter(|line| line.contains(id.as_str())) {
            let own = GameRecord::from_line(line).ok().filter(|g| g.id == *id);
            let plain: Option<PlainGame> =
                serde_json::from_str(line).ok().filter(|g: &PlainGame| g.id == *id);
            let (game, rules) = match (&own, &plain) {
                (Some(own), _) => (RecordRef::Own(own), rules.of(own)),
                (None, Some(plain)) => (RecordRef::Plain(plain), &rules.rules),
                (None, None) => continue,
            };
            let (position, next) =
                position_after(game, rules, ply - 1).map_err(|why| usage(format!("game {id}: {why}")))?;
            let turn = match words.get(2) {
                Some(text) => RecordedTurn::read(text),
                None => next.ok_or_else(|| {
                    usage(format!("game {id} has {} plies; name a move to ask about after them", ply - 1))
                })?,
            };
            let RecordedTurn::Move(written, rescue) = turn else {
                return Err(usage(format!("--explain: `{turn}` is no move, as in a4a5")));
            };
            output::print(format_args!("game {id}, ply {ply}\n{}", crate::report::board(&position, false)));
            crate::report::explain(&position, written, rescue).iter().for_each(output::line);
            return Ok(Exit::Done);
        }
    }
    Err(usage(format!("--explain: no game `{id}` in these logs")))
}

/// The file of a log: an event's folder stands for its journal.
fn journal_of(log: &Path) -> anyhow::Result<PathBuf> {
    if !log.is_dir() {
        return Ok(log.to_owned());
    }
    let journal = log.join(JOURNAL);
    if journal.exists() {
        return Ok(journal);
    }
    let entries = std::fs::read_dir(log).into_iter().flatten().flatten();
    let mut events: Vec<String> = entries
        .filter(|e| e.path().join(JOURNAL).exists())
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    events.sort();
    let there =
        if events.is_empty() { String::new() } else { format!("; in it there are {}", events.join(", ")) };
    Err(usage(format!("{}: no event's folder, it has no {JOURNAL}{there}", log.display())))
}

/// The rules of a log's games: those of an event's tie-break game may be others.
struct LogRules {
    rules: Arc<Rules>,
    tie_break: Option<(u64, Arc<Rules>)>,
}

impl LogRules {
    fn of(&self, record: &GameRecord) -> &Arc<Rules> {
        let round = record.id.split('.').next().and_then(|r| r.parse::<u64>().ok());
        match &self.tie_break {
            Some((tie_break, rules)) if round == Some(*tie_break) => rules,
            _ => &self.rules,
        }
    }
}

/// The rules of a log: those asked for, otherwise those of the event.json beside it, otherwise `isf`.
fn rules(args: &VerifyArgs, path: &Path) -> anyhow::Result<LogRules> {
    let event = path.with_file_name("event.json");
    let mut tie_break = None;
    let mut set = match (&args.rules.rules, std::fs::read_to_string(&event)) {
        (None, Ok(text)) => {
            let file: EventFile =
                serde_json::from_str(&text).map_err(|e| usage(format!("{}: {e}", event.display())))?;
            if let Some(game) = &file.tie_break {
                let mut set = rules_of_words(&game.rules)?;
                args.rules.change(&mut set)?;
                tie_break = Some((game.round, check(set)?));
            }
            rules_of_words(&file.rules)?
        }
        (name, _) => {
            if name.is_none() && path.file_name().is_some_and(|file| file == JOURNAL) {
                let shown = event.display();
                tracing::warn!("{shown} is missing; games are refereed by isf, --rules names another book");
            }
            rule_set(name.as_deref().unwrap_or("isf"))?
        }
    };
    args.rules.change(&mut set)?;
    Ok(LogRules { rules: check(set)?, tie_break })
}

fn one(args: &VerifyArgs, path: &Path, count: &mut Count) -> anyhow::Result<()> {
    let shown = path.display();
    let rules = rules(args, path)?;
    let file = File::open(path).map_err(|e| usage(format!("{shown}: {e}")))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut bytes = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for number in 1u64.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(|e| usage(format!("{shown}: {e}")))? == 0 {
            break;
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let torn = bytes.last() != Some(&b'\n');
        let mut unreadable = |why: String| {
            count.unreadable += 1;
            output::tell(format_args!("{shown}, line {number}: {why}"));
        };
        let Ok(text) = str::from_utf8(&bytes) else {
            unreadable("it is no UTF-8".to_owned());
            continue;
        };
        match read(text, &rules) {
            Err(_) if torn => unreadable("it is torn: its end is missing".to_owned()),
            Err(why) => unreadable(why),
            Ok((finding, checksum)) => {
                count.games += 1;
                count.plies += u64::from(finding.plies);
                let twice = !seen.insert(finding.id.clone());
                let checksum = checksum
                    .or_else(|| twice.then(|| "this game stands in the log a second time".to_owned()));
                let agrees = finding.agrees() && checksum.is_none();
                count.disagree += u64::from(!agrees);
                if args.json {
                    output::line(
                        serde_json::to_string(&finding).expect("a finding holds nothing JSON cannot"),
                    );
                    if let Some(why) = checksum {
                        output::tell(format_args!("{shown}, line {number}: {why}"));
                    }
                } else if !agrees || !args.quiet {
                    tell(&finding, checksum.as_deref());
                }
            }
        }
    }
    Ok(())
}

/// Reads and referees a line. A checksum that does not fit is told beside the finding.
fn read(text: &str, rules: &LogRules) -> Result<(Finding, Option<String>), String> {
    // Only our own records have deployments; telling them apart by a word saves reading every line twice.
    if text.contains("\"setup\":") {
        let record = GameRecord::from_line(text).map_err(|e| e.to_string())?;
        let checksum = check_line(text).err().map(|e| e.to_string());
        return Ok((verify_record(&record, rules.of(&record)), checksum));
    }
    let game: PlainGame =
        serde_json::from_str(text).map_err(|e| format!("neither a record nor a plain game: {e}"))?;
    Ok((verify_plain(&game, &rules.rules), None))
}

fn tell(finding: &Finding, checksum: Option<&str>) {
    let mut problems = Vec::new();
    if let Some(illegal) = &finding.first_illegal {
        let said = if illegal.recorded { ", as the record says" } else { "" };
        problems.push(format!("ply {}: {} breaks {}{said}", illegal.ply, illegal.turn, illegal.clause));
    }
    if let Some(m) = &finding.outcome_mismatch {
        problems
            .push(format!("ply {}: the record says `{}`, the rules say `{}`", m.ply, m.recorded, m.refereed));
    }
    problems.extend(checksum.map(str::to_owned));
    let verdict = if finding.agrees() && checksum.is_none() { "agrees" } else { "DISAGREES" };
    let problems = if problems.is_empty() { String::new() } else { format!(": {}", problems.join("; ")) };
    output::line(format_args!("{} {verdict}, {} plies{problems}", finding.id, finding.plies));
}
