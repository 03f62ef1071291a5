//! `arbiter convert`: recorded games from one format into another.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;

use serde_json::json;

use super::failure::{Exit, fail, usage};
use super::logs::{self, Log, encoded};
use super::options::RulesOptions;
use super::output;
use crate::record::foreign::{self, Format, Games, Losses};
use crate::record::{ForeignGame, GameRecord};

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

/// Where the games go.
enum Target {
    Stream(BufWriter<Box<dyn Write>>),
    /// A file that gets its name when it is whole.
    File {
        path: PathBuf,
        partial: PathBuf,
        file: BufWriter<File>,
        games: u64,
    },
    Folder(Folder),
}

/// A folder of files, each there whole or not at all. They are written by a thread of its own: making a file takes
/// about as long as reading and parsing one.
struct Folder {
    root: PathBuf,
    files: Option<mpsc::SyncSender<Batch>>,
    /// What goes to the writer next: waking it for each file costs more than a file does.
    batch: Batch,
    writer: Option<thread::JoinHandle<anyhow::Result<()>>>,
    /// Hashes of the names that were given in this run.
    taken: HashSet<u64>,
}

/// Files to be written, with their text.
type Batch = Vec<(PathBuf, String)>;
/// Files, and bytes of theirs, that go to the writer together.
const BATCH_FILES: usize = 64;
const BATCH_BYTES: usize = 1 << 20;

struct Conversion<'a> {
    args: &'a ConvertArgs,
    to: Format,
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
        to,
        target,
        losses: Losses::default(),
        files: 0,
        games: 0,
        problems: 0,
        skipped: Vec::new(),
        skipped_more: 0,
    };
    let done =
        inputs.iter().try_for_each(|path| logs::visit(path, Some(out), &mut |log| conversion.log(log)));
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

fn disk(path: &Path) -> impl Fn(io::Error) -> anyhow::Error + '_ {
    move |error| fail(Exit::Void, format!("{}: {error}", path.display()))
}

/// A name beside a path for what is not whole yet.
fn partial(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    path.with_file_name(name)
}

impl Target {
    fn open(out: &Path, to: Format, said: bool) -> anyhow::Result<Target> {
        let there = fs::metadata(out);
        let as_folder = out.as_os_str().as_encoded_bytes().ends_with(b"/");
        // A name without an ending, for a format of one game a file, is a folder's.
        let no_ending = out.extension().is_none() && to.one_game_a_file() && said;
        if out.as_os_str() == "-" {
            return Ok(Target::Stream(BufWriter::new(Box::new(io::stdout()))));
        }
        if there.as_ref().map_or(as_folder || no_ending, fs::Metadata::is_dir) {
            fs::create_dir_all(out).map_err(|e| usage(format!("{}: {e}", out.display())))?;
            return Ok(Target::Folder(Folder::new(out)));
        }
        let cannot = |e: io::Error| usage(format!("{}: {e}", out.display()));
        // A device or a pipe keeps its name.
        if there.is_ok_and(|m| !m.is_file()) {
            let file = File::options().write(true).open(out).map_err(cannot)?;
            return Ok(Target::Stream(BufWriter::new(Box::new(file))));
        }
        let partial = partial(out);
        let file = BufWriter::new(File::create(&partial).map_err(cannot)?);
        Ok(Target::File { path: out.to_owned(), partial, file, games: 0 })
    }

    fn put(&mut self, game: &ForeignGame, to: Format, text: String) -> anyhow::Result<()> {
        match self {
            Target::Stream(stream) => match stream.write_all(text.as_bytes()) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
                written => written.map_err(disk(Path::new("standard output"))),
            },
            Target::File { path, file, games, .. } => {
                *games += 1;
                if *games > 1 && to.one_game_a_file() {
                    return Err(usage(format!(
                        "{}: {} holds one game a file, and there are more: name a folder, as in {}/",
                        path.display(),
                        to.title(),
                        path.with_extension("").display()
                    )));
                }
                file.write_all(text.as_bytes()).map_err(disk(path))
            }
            Target::Folder(folder) => {
                folder.put(&encoded(&game.id), to.ending(), to == Format::Strados2, text)
            }
        }
    }

    fn close(&mut self, games: u64) -> anyhow::Result<()> {
        match self {
            Target::Stream(stream) => match stream.flush() {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
                flushed => flushed.map_err(disk(Path::new("standard output"))),
            },
            // Without any game nothing was made, and what was there before stays.
            Target::File { partial, .. } if games == 0 => fs::remove_file(&*partial).map_err(disk(partial)),
            Target::File { path, partial, file, .. } => file
                .flush()
                .and_then(|()| file.get_ref().sync_data())
                .and_then(|()| fs::rename(&*partial, &*path))
                .map_err(disk(path)),
            Target::Folder(folder) => folder.done(),
        }
    }

    fn discard(&mut self) {
        match self {
            Target::File { partial, .. } => drop(fs::remove_file(partial)),
            Target::Folder(folder) => drop(folder.done()),
            Target::Stream(_) => {}
        }
    }
}

impl Folder {
    fn new(root: &Path) -> Folder {
        let (files, received) = mpsc::sync_channel(2);
        let writer = thread::spawn(move || write_files(&received));
        Folder {
            root: root.to_owned(),
            files: Some(files),
            batch: Vec::new(),
            writer: Some(writer),
            taken: HashSet::new(),
        }
    }

    /// Writes a file under a name that is not taken yet in this run. It gets the name when it is whole; it is not
    /// made durable: what a power cut takes, the same command makes again.
    fn put(&mut self, name: &str, ending: &str, always: bool, text: String) -> anyhow::Result<()> {
        let has = name.rsplit_once('.').is_some_and(|(_, e)| e == ending) && !always;
        let stem = if has { &name[..name.len() - ending.len() - 1] } else { name };
        let path = (1u64..)
            .map(|n| match n {
                1 => self.root.join(format!("{stem}.{ending}")),
                n => self.root.join(format!("{stem}-{n}.{ending}")),
            })
            .find(|path| {
                let mut hasher = DefaultHasher::new();
                path.hash(&mut hasher);
                self.taken.insert(hasher.finish())
            })
            .expect("there are more numbers than games");
        self.batch.push((path, text));
        let bytes: usize = self.batch.iter().map(|(_, text)| text.len()).sum();
        if self.batch.len() < BATCH_FILES && bytes < BATCH_BYTES {
            return Ok(());
        }
        let files = self.files.as_ref().expect("it is open until all is put");
        // A writer that is gone has an error to tell.
        files.send(std::mem::take(&mut self.batch)).or_else(|_| self.done())
    }

    /// Waits until all files are there.
    fn done(&mut self) -> anyhow::Result<()> {
        if let Some(files) = self.files.take() {
            // The same: its error comes with its end.
            let _ = files.send(std::mem::take(&mut self.batch));
        }
        match self.writer.take().map(thread::JoinHandle::join) {
            None => Ok(()),
            Some(Ok(written)) => written,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    }
}

/// Writes files until there are no more or one cannot be written.
fn write_files(files: &mpsc::Receiver<Batch>) -> anyhow::Result<()> {
    let mut made = PathBuf::new();
    for (path, text) in files.iter().flatten() {
        let folder = path.parent().unwrap_or(Path::new("."));
        if folder != made {
            fs::create_dir_all(folder).map_err(disk(folder))?;
            made = folder.to_owned();
        }
        let partial = partial(&path);
        let written = fs::write(&partial, text).and_then(|()| fs::rename(&partial, &path));
        written.map_err(|error| {
            let _ = fs::remove_file(&partial);
            disk(&path)(error)
        })?;
    }
    Ok(())
}

impl Conversion<'_> {
    fn problem(&mut self, path: &str, place: &str, why: &str) {
        self.problems += 1;
        if self.args.json {
            output::line(json!({"event": "problem", "path": path, "place": place, "reason": why}));
        } else {
            let place = if place.is_empty() { String::new() } else { format!(", {place}") };
            output::tell(format_args!("{path}{place}: {why}"));
        }
    }

    fn log(&mut self, log: &Log) -> anyhow::Result<()> {
        let shown = log.shown();
        let (head, stream) = match log.open() {
            Ok(opened) => opened,
            Err(error) => {
                self.problem(&shown, "", &error.to_string());
                return Ok(());
            }
        };
        let format = match log.format(&head, self.args.from) {
            Ok(Some(format)) => format,
            Ok(None) => {
                if self.skipped.len() < 3 {
                    self.skipped.push(log.name.clone());
                } else {
                    self.skipped_more += 1;
                }
                return Ok(());
            }
            Err(why) => {
                let (place, why) = why.split_once(": ").unwrap_or(("", &why));
                self.problem(&shown, place, why);
                return Ok(());
            }
        };
        self.files += 1;
        let rules = match format {
            Format::Plain => Some(logs::rules(&RulesOptions::default(), &log.path, format)),
            _ => None,
        };
        let rules = match rules.transpose() {
            Ok(rules) => rules,
            Err(error) => {
                self.problem(&shown, "", &error.to_string());
                return Ok(());
            }
        };
        let rules_of = |record: &GameRecord| match &rules {
            Some(rules) => Arc::clone(rules.of(record)),
            None => foreign::usual_rules(record),
        };
        let mut text = String::new();
        // A folder of a format of many games a file: one file for each that is read.
        let gathers = matches!(self.target, Target::Folder(_)) && !self.to.one_game_a_file();
        let mut gathered = String::new();
        for game in Games::new(format, stream, &log.game_name(format), &rules_of) {
            let game = match game {
                Ok(game) => game,
                Err(error) => {
                    self.problem(&shown, &error.place.to_string(), &error.reason);
                    continue;
                }
            };
            for remark in game.remarks.iter().filter(|_| !self.args.quiet) {
                let place = format!("line {}", remark.line);
                if self.args.json {
                    output::line(
                        json!({"event": "remark", "path": shown, "place": place, "text": remark.text}),
                    );
                } else {
                    output::tell(format_args!("{shown}, {place}: note: {}", remark.text));
                }
            }
            text.clear();
            match foreign::write(self.to, &game, &mut text) {
                Ok(losses) => {
                    self.losses.extend(losses);
                    self.games += 1;
                    if gathers {
                        gathered += &text;
                    } else {
                        self.target.put(&game, self.to, std::mem::take(&mut text))?;
                    }
                }
                Err(why) => self.problem(&shown, &format!("game {}", game.id), &why),
            }
        }
        if let (Target::Folder(folder), false) = (&mut self.target, gathered.is_empty()) {
            let name = encoded(&log.name);
            let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
            folder.put(stem, self.to.ending(), true, gathered)?;
        }
        Ok(())
    }

    fn conclude(self, out: &Path) -> Exit {
        let Conversion { args, to, losses, files, games, problems, mut skipped, skipped_more, .. } = self;
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
