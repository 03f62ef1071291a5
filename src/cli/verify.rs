//! `arbiter verify`: recorded games are refereed again.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::path::PathBuf;

use super::convert::format_word;
use super::failure::{Exit, usage};
use super::logs::{self, Found, Log, LogRules, Which};
use super::options::RulesOptions;
use super::output;
use crate::record::foreign::{self, Format, Games, Lines};
use crate::record::{
    Finding, GameRecord, RecordRef, RecordedTurn, check_line, position_after, verify_foreign, verify_record,
};

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// Event folders, games.jsonl files, logs of any format that `convert` reads, folders of them, or - for standard
    /// input
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// Format of the logs; without it each file's content tells: plain, ucc, strados2, strados3, ataraxos
    #[arg(long, value_name = "FORMAT", value_parser = format_word)]
    from: Option<Format>,
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
    files: u64,
}

/// Rules that many files share.
#[derive(Default)]
struct Cache(Option<(Format, LogRules)>);

impl Cache {
    fn rules(&mut self, args: &VerifyArgs, log: &Log, format: Format) -> anyhow::Result<LogRules> {
        // Only journals lie beside a plan of their own.
        match &self.0 {
            Some((known, rules)) if *known == format && format != Format::Plain => Ok(rules.clone()),
            _ => {
                let rules = logs::rules(&args.rules, &log.path, format)?;
                self.0 = Some((format, rules.clone()));
                Ok(rules)
            }
        }
    }
}

/// Runs the verb.
pub fn run(args: &VerifyArgs) -> anyhow::Result<Exit> {
    if let Some(words) = &args.explain {
        return explain(args, words);
    }
    let mut count = Count::default();
    let mut cache = Cache::default();
    for path in &args.logs {
        let mut skipped = Vec::new();
        let before = count.games + count.unreadable;
        logs::visit(path, None, &mut |log| {
            if !one(args, log, &mut count, &mut cache)? {
                skipped.push(log.name.clone());
            }
            Ok(())
        })?;
        if path.is_dir() && count.files == 0 && count.games + count.unreadable == before {
            return Err(usage(format!("{}: no log of games is in it", path.display())));
        }
        if !skipped.is_empty() && !args.quiet {
            skipped.truncate(3);
            output::tell(format_args!("no logs of games, passed over: {} …", skipped.join(", ")));
        }
    }
    if !args.json {
        let Count { games, plies, disagree, unreadable, .. } = count;
        let unread = if unreadable > 0 { format!(", {unreadable} unreadable") } else { String::new() };
        output::line(format_args!(
            "{games} games, {plies} plies: {} agree, {disagree} do not{unread}",
            games - disagree
        ));
    }
    if !args.json && args.rules.rules.is_none() && count.disagree > 0 {
        output::line(
            "(an event's games are refereed by its own rules, UCC logs by ucc2012, others by isf; --rules NAME changes that)",
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
    let wanted = Which::Id(id.clone());
    let mut found = None;
    for path in &args.logs {
        logs::visit(path, None, &mut |log| {
            if found.is_none() {
                found = logs::find(log, args.from, &wanted)?
                    .map(|(game, format)| (game, format, log.path.clone()));
            }
            Ok(())
        })?;
    }
    let (game, format, path) =
        found.ok_or_else(|| usage(format!("--explain: no game `{id}` in these logs")))?;
    let rules = logs::rules(&args.rules, &path, format)?;
    let (game, rules) = match &game {
        Found::Own(own) => (RecordRef::Own(own), rules.of(own)),
        Found::Foreign(foreign) => (RecordRef::Foreign(foreign), &rules.rules),
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
    Ok(Exit::Done)
}

/// Referees a log. False where it is none, and was only come upon in a folder.
fn one(args: &VerifyArgs, log: &Log, count: &mut Count, cache: &mut Cache) -> anyhow::Result<bool> {
    let shown = log.shown();
    let (head, stream) = log.open().map_err(|e| usage(format!("{shown}: {e}")))?;
    // A journal may have no game yet.
    if head.is_empty() && log.path.extension().is_some_and(|e| e == "jsonl") {
        count.files += 1;
        return Ok(true);
    }
    let format = match log.format(&head, args.from) {
        Ok(Some(format)) => format,
        Ok(None) => return Ok(false),
        Err(why) => {
            count.unreadable += 1;
            output::tell(format_args!("{shown}, {why}"));
            return Ok(true);
        }
    };
    count.files += 1;
    let rules = cache.rules(args, log, format)?;
    if format == Format::Plain {
        lines(args, &shown, stream, &rules, count, &log.game_name(format));
        return Ok(true);
    }
    for game in Games::new(format, stream, &log.game_name(format), &foreign::usual_rules) {
        match game {
            Ok(game) => {
                for remark in game.remarks.iter().filter(|_| !args.quiet) {
                    output::tell(format_args!("{shown}, line {}: note: {}", remark.line, remark.text));
                }
                judge(args, count, &verify_foreign(&game, &rules.rules), None, "");
            }
            Err(error) => {
                count.unreadable += 1;
                output::tell(format_args!("{shown}, {error}"));
            }
        }
    }
    Ok(true)
}

/// Referees JSON lines: a journal's, or plain ones.
fn lines(
    args: &VerifyArgs,
    shown: &str,
    stream: impl BufRead,
    rules: &LogRules,
    count: &mut Count,
    name: &str,
) {
    let mut lines = Lines::new(stream);
    let mut seen = BTreeSet::new();
    loop {
        let number = lines.number() + 1;
        let read = match lines.next_line() {
            None => break,
            Some(Ok(text)) if text.trim_ascii().is_empty() => continue,
            Some(Ok(text)) => read(text, rules, &format!("{name}#{number}")),
            Some(Err(error)) => {
                count.unreadable += 1;
                output::tell(format_args!("{shown}, {error}"));
                if error.fatal {
                    break;
                }
                continue;
            }
        };
        let place = format!("{shown}, line {number}");
        match read {
            Err(_) if !lines.is_whole() => {
                count.unreadable += 1;
                output::tell(format_args!("{place}: it is torn: its end is missing"));
            }
            Err(why) => {
                count.unreadable += 1;
                output::tell(format_args!("{place}: {why}"));
            }
            Ok((finding, checksum)) => {
                let twice = !seen.insert(finding.id.clone());
                let checksum = checksum
                    .or_else(|| twice.then(|| "this game stands in the log a second time".to_owned()));
                judge(args, count, &finding, checksum.as_deref(), &place);
            }
        }
    }
}

/// Counts a finding and tells it, with what is wrong with its line beside.
fn judge(args: &VerifyArgs, count: &mut Count, finding: &Finding, beside: Option<&str>, place: &str) {
    count.games += 1;
    count.plies += u64::from(finding.plies);
    let agrees = finding.agrees() && beside.is_none();
    count.disagree += u64::from(!agrees);
    if args.json {
        output::line(serde_json::to_string(finding).expect("a finding holds nothing JSON cannot"));
        if let Some(why) = beside {
            output::tell(format_args!("{place}: {why}"));
        }
    } else if !agrees || !args.quiet {
        tell(finding, beside);
    }
}

/// Reads and referees a line. A checksum that does not fit is told beside the finding.
fn read(text: &str, rules: &LogRules, name: &str) -> Result<(Finding, Option<String>), String> {
    // Only our own records have deployments; telling them apart by a word saves reading every line twice.
    if foreign::is_own(text) {
        let record = GameRecord::from_line(text).map_err(|e| e.to_string())?;
        let checksum = check_line(text).err().map(|e| e.to_string());
        return Ok((verify_record(&record, rules.of(&record), rules.adjudication.as_ref()), checksum));
    }
    match Games::new(Format::Plain, text.as_bytes(), name, &foreign::usual_rules).next() {
        Some(Ok(game)) => Ok((verify_foreign(&game, &rules.rules), None)),
        Some(Err(error)) => Err(error.reason),
        None => Err("neither a record nor a plain game".to_owned()),
    }
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
