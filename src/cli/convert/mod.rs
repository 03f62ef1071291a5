//! `arbiter convert`: recorded games from one format into another.

mod reading;
mod target;

use std::fs;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde_json::json;

use self::reading::{Told, Wanted};
use self::target::Target;
use super::failure::{Exit, usage};
use super::logs::{self, Log, encoded};
use super::output;
use crate::record::foreign::{self, Format, Losses};

/// Arguments of `convert`.
#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// Logs to read (files, folders with all in them, an event's folder, or - for standard input), then where to
    /// write: a file, a folder, or - for standard output
    #[arg(required = true, num_args = 2.., value_names = ["IN", "OUT"])]
    paths: Vec<PathBuf>,
    /// Format of the input; without it each file's content tells: plain, ucc, strados2, strados3, ataraxos
    #[arg(long, value_name = "FORMAT", value_parser = format_word)]
    from: Option<Format>,
    /// Format to write; without it the ending of OUT tells: .jsonl, .log, .xml, .strados3
    #[arg(long, value_name = "FORMAT", value_parser = format_word)]
    to: Option<Format>,
    /// One JSON object on standard output for each problem, and one at the end
    #[arg(long)]
    json: bool,
    /// Say nothing but what could not be read or written
    #[arg(short, long)]
    quiet: bool,
}

/// Reads the word for a format.
pub fn format_word(word: &str) -> Result<Format, String> {
    Format::from_word(word).ok_or_else(|| format!("there are {}", Format::ALL.map(Format::word).join(", ")))
}

/// Logs of at most so many bytes are read at once, so many of them and so many bytes together.
const SMALL: u64 = 1 << 20;
const AT_ONCE: usize = 256;
const AT_ONCE_BYTES: u64 = 16 << 20;

struct Conversion<'a> {
    args: &'a ConvertArgs,
    wanted: Wanted,
    target: Target,
    losses: Losses,
    files: u64,
    games: u64,
    problems: u64,
    skipped: Vec<String>,
    skipped_more: u64,
}

/// Runs the verb.
pub fn run(args: &ConvertArgs) -> anyhow::Result<Exit> {
    let (out, inputs) = args.paths.split_last().expect("clap asked for two at least");
    let streams = inputs.iter().filter(|path| path.as_os_str() == "-").count();
    if streams > 1 {
        return Err(usage("standard input is read once: name - once"));
    }
    for path in inputs.iter().filter(|path| path.as_os_str() != "-") {
        fs::metadata(path).map_err(|e| usage(format!("{}: {e}", path.display())))?;
    }
    let to = target_format(out, args.to)?;
    if args.json && out.as_os_str() == "-" {
        return Err(usage(
            "--json says on standard output what went wrong: write to a file or folder, not to -",
        ));
    }
    let target = Target::open(out, to, args.to.is_some())?;
    let mut conversion = Conversion {
        args,
        wanted: Wanted { from: args.from, to, remarks: !args.quiet },
        target,
        losses: Losses::default(),
        files: 0,
        games: 0,
        problems: 0,
        skipped: Vec::new(),
        skipped_more: 0,
    };
    let done = conversion.all(inputs, out);
    match done.and_then(|()| conversion.target.close(conversion.games)) {
        Ok(()) => Ok(conversion.conclude(out)),
        Err(error) => {
            conversion.target.discard();
            Err(error)
        }
    }
}

/// The format to write: the one that is said, otherwise the one that the name tells.
fn target_format(out: &Path, said: Option<Format>) -> anyhow::Result<Format> {
    if let Some(format) = said {
        return Ok(format);
    }
    if out.as_os_str() == "-" {
        return Ok(Format::Plain);
    }
    match out.extension().and_then(|e| e.to_str()).filter(|_| !out.is_dir()) {
        Some("jsonl") => Ok(Format::Plain),
        Some("log") => Ok(Format::Ucc),
        Some("xml") => Ok(Format::Strados2),
        Some("strados3") => Ok(Format::Strados3),
        _ => Err(usage(format!(
            "{}: its name tells no format to write; --to says it ({})",
            out.display(),
            Format::ALL.map(Format::word).join(", ")
        ))),
    }
}

impl Conversion<'_> {
    /// Small files are gathered and read together, on all cores; each other one is read by itself, as a stream.
    fn all(&mut self, inputs: &[PathBuf], out: &Path) -> anyhow::Result<()> {
        let (mut small, mut bytes) = (Vec::new(), 0);
        for path in inputs {
            logs::visit(path, Some(out), &mut |log| {
                match fs::metadata(&log.path).ok().filter(fs::Metadata::is_file) {
                    Some(file) if file.len() <= SMALL => {
                        bytes += file.len();
                        small.push(log.clone());
                    }
                    _ => {
                        self.logs(&std::mem::take(&mut small))?;
                        bytes = 0;
                        return self.log(log);
                    }
                }
                if small.len() < AT_ONCE && bytes < AT_ONCE_BYTES {
                    return Ok(());
                }
                bytes = 0;
                self.logs(&std::mem::take(&mut small))
            })?;
        }
        self.logs(&small)
    }

    /// Reads these logs at once, and tells what is in them in their order.
    fn logs(&mut self, logs: &[Log]) -> anyhow::Result<()> {
        let wanted = &self.wanted;
        let told: Vec<Vec<Told>> = logs
            .par_iter()
            .map(|log| {
                let mut all = Vec::new();
                reading::read(log, wanted, &mut |told| {
                    all.push(told);
                    Ok(())
                })?;
                anyhow::Ok(all)
            })
            .collect::<Result<_, _>>()?;
        for (log, told) in logs.iter().zip(told) {
            let mut gathered = String::new();
            told.into_iter().try_for_each(|told| self.take(log, told, &mut gathered))?;
            self.end(log, gathered)?;
        }
        Ok(())
    }

    /// Reads one log, telling what is in it as it comes.
    fn log(&mut self, log: &Log) -> anyhow::Result<()> {
        let (mut gathered, wanted) = (String::new(), self.wanted);
        reading::read(log, &wanted, &mut |told| self.take(log, told, &mut gathered))?;
        self.end(log, gathered)
    }

    fn take(&mut self, log: &Log, told: Told, gathered: &mut String) -> anyhow::Result<()> {
        match told {
            Told::NoLog if self.skipped.len() < 3 => self.skipped.push(log.name.clone()),
            Told::NoLog => self.skipped_more += 1,
            Told::Begun => self.files += 1,
            Told::Problem { place, why } => self.problem(&log.shown(), &place, &why),
            Told::Remark { place, text } if self.args.json => {
                output::line(json!({"event": "remark", "path": log.shown(), "place": place, "text": text}));
            }
            Told::Remark { place, text } => {
                output::tell(format_args!("{}, {place}: note: {text}", log.shown()));
            }
            Told::Game { id, text, losses } => {
                self.losses.extend(losses);
                self.games += 1;
                // A folder of a format of many games a file: one file for each that is read.
                if matches!(self.target, Target::Folder(_)) && !self.wanted.to.one_game_a_file() {
                    *gathered += &text;
                } else {
                    self.target.put(&id, self.wanted.to, text)?;
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, log: &Log, gathered: String) -> anyhow::Result<()> {
        if let (Target::Folder(folder), false) = (&mut self.target, gathered.is_empty()) {
            let name = encoded(&log.name);
            let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
            folder.put(stem, self.wanted.to.ending(), true, gathered)?;
        }
        Ok(())
    }

    fn problem(&mut self, path: &str, place: &str, why: &str) {
        self.problems += 1;
        if self.args.json {
            output::line(json!({"event": "problem", "path": path, "place": place, "reason": why}));
        } else {
            let place = if place.is_empty() { String::new() } else { format!(", {place}") };
            output::tell(format_args!("{path}{place}: {why}"));
        }
    }

    fn conclude(self, out: &Path) -> Exit {
        let Conversion {
            args,
            wanted: Wanted { to, .. },
            losses,
            files,
            games,
            problems,
            mut skipped,
            skipped_more,
            ..
        } = self;
        let losses: Vec<&str> = losses.iter().map(foreign::Loss::words).collect();
        if args.json {
            output::line(json!({
                "event": "converted", "files": files, "games": games, "problems": problems,
                "skipped": skipped.len() as u64 + skipped_more, "lost": losses,
            }));
        } else if !args.quiet {
            if !skipped.is_empty() {
                if skipped_more > 0 {
                    skipped.push(format!("{skipped_more} more"));
                }
                output::tell(format_args!("no logs of games, passed over: {}", skipped.join(", ")));
            }
            if !losses.is_empty() {
                output::tell(format_args!("{} has no room for: {}", to.title(), losses.join(", ")));
            }
            let bad = if problems > 0 {
                format!("; {problems} could not be read or written")
            } else {
                String::new()
            };
            let line = format!("{games} games of {files} files into {}{bad}", out.display());
            if out.as_os_str() == "-" { output::tell(format_args!("{line}")) } else { output::line(line) }
        }
        if problems > 0 || games == 0 { Exit::Failed } else { Exit::Done }
    }
}
