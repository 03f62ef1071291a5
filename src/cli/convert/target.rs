//! Where converted games go: a stream, a file that gets its name when it is whole, or a folder of such files.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use super::super::failure::{Exit, fail, usage};
use super::super::logs::encoded;
use crate::record::foreign::Format;
use crate::record::partial;

/// Where the games go.
pub(super) enum Target {
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
pub(super) struct Folder {
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

fn disk(path: &Path) -> impl Fn(io::Error) -> anyhow::Error + '_ {
    move |error| fail(Exit::Void, format!("{}: {error}", path.display()))
}

impl Target {
    /// Opens what is named; `said` tells whether the format was given apart from the name.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub(super) fn open(out: &Path, to: Format, said: bool) -> anyhow::Result<Target> {
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

    /// Writes a game.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(super) fn put(&mut self, id: &str, to: Format, text: String) -> anyhow::Result<()> {
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
            Target::Folder(folder) => folder.put(&encoded(id), to.ending(), to == Format::Strados2, text),
        }
    }

    /// Ends what was written; nothing stays where there was no game.
    ///
    /// # Errors
    /// What could not be written.
    pub(super) fn close(&mut self, games: u64) -> anyhow::Result<()> {
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

    /// Ends it where it cannot be whole.
    pub(super) fn discard(&mut self) {
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
    ///
    /// # Errors
    /// Where one could not be written.
    pub(super) fn put(&mut self, name: &str, ending: &str, always: bool, text: String) -> anyhow::Result<()> {
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
