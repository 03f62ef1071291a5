//! The journal of an event, `games.jsonl`: the only truth, append-only, one game a line, one write a line.
//!
//! A line is durable before its game is announced, and writing happens on a thread of its own, off the path between
//! two plies. A torn last line (a power cut) is cut off and said; its game counts as not played.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use super::game::{GameRecord, LineError, check_line};
use super::head::Head;
use crate::tournament::{GameId, GameResult, Settled};

/// What can go wrong with an event's folder.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refused.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// Another run is at work there.
    #[error("{}: another arbiter is at work in this folder", .0.display())]
    InUse(PathBuf),
    /// A line is no record.
    #[error("{}, line {line}: {error}; take the line out to have its game played again", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Why.
        error: LineError,
    },
    /// An id that is none, or that stands twice.
    #[error("{}, line {line}: {reason}; take the line out", .path.display())]
    Id {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Why.
        reason: String,
    },
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> JournalError + '_ {
    move |error| JournalError::Io { path: path.to_owned(), error }
}

/// The ending of a name under which a file is written until it is whole.
pub const PARTIAL: &str = "partial";

/// The name beside a file's under which it is written until it is whole.
pub fn partial(path: &Path) -> PathBuf {
    path.with_added_extension(PARTIAL)
}

/// Writes a file so that it is there whole or not at all.
///
/// # Errors
/// [`JournalError::Io`].
pub fn write_whole(path: &Path, text: &str) -> Result<(), JournalError> {
    let partial = partial(path);
    let write = || -> io::Result<()> {
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o644).open(&partial)?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        fs::rename(&partial, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&partial);
        io_error(path)(error)
    })
}

/// An event's folder, held by this run alone for as long as this lives.
#[derive(Debug)]
pub struct EventFolder {
    path: PathBuf,
    _lock: File,
}

/// The journal's file name.
pub const JOURNAL: &str = "games.jsonl";

impl EventFolder {
    /// Takes hold of a folder, which is made where it is missing.
    ///
    /// # Errors
    /// [`JournalError::InUse`], [`JournalError::Io`].
    pub fn hold(path: &Path) -> Result<EventFolder, JournalError> {
        fs::create_dir_all(path).map_err(io_error(path))?;
        let lock_path = path.join("lock");
        let lock = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&lock_path)
            .map_err(io_error(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => Ok(EventFolder { path: path.to_owned(), _lock: lock }),
            Err(fs::TryLockError::WouldBlock) => Err(JournalError::InUse(path.to_owned())),
            Err(fs::TryLockError::Error(error)) => Err(JournalError::Io { path: lock_path, error }),
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// What reading a journal found beside its games.
#[derive(Debug, Default)]
pub struct ReadReport {
    /// Ids of the games that have a result.
    pub settled: BTreeSet<GameId>,
    /// Bytes of a torn last line.
    pub torn: u64,
}

/// Reads a journal's whole lines, each with its number from 1, and checks their sums. Returns the bytes of a torn last
/// line. Memory does not grow with the lines.
fn read_lines(
    path: &Path,
    mut each: impl FnMut(u64, &str) -> Result<(), JournalError>,
) -> Result<u64, JournalError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(io_error(path)(error)),
    };
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(io_error(path))? == 0 {
            break;
        }
        if bytes.last() != Some(&b'\n') {
            return Ok(bytes.len() as u64);
        }
        let bad_id = |reason| JournalError::Id { path: path.to_owned(), line, reason };
        let text = str::from_utf8(&bytes).map_err(|_| bad_id("it is no UTF-8".to_owned()))?;
        check_line(text).map_err(|error| JournalError::Line { path: path.to_owned(), line, error })?;
        each(line, text)?;
    }
    Ok(0)
}

/// Reads a journal, calling `game` for each game with a result.
///
/// # Errors
/// [`JournalError`]; a torn last line is none.
pub fn read_journal(path: &Path, game: impl FnMut(&Settled<'_>)) -> Result<ReadReport, JournalError> {
    let (ids, torn) = scan_journal(path, game)?;
    Ok(ReadReport { settled: ids.into_iter().collect(), torn })
}

/// The same with no more memory than the ids take, which come sorted, and the bytes of a torn last line.
///
/// # Errors
/// [`JournalError`]; a torn last line is none.
pub fn scan_journal(
    path: &Path,
    mut game: impl FnMut(&Settled<'_>),
) -> Result<(Vec<GameId>, u64), JournalError> {
    let mut ids: Vec<GameId> = Vec::new();
    let torn = read_lines(path, |line, text| {
        if let Some(settled) = read_settled(path, line, text)? {
            ids.push(settled.settled().id);
            game(&settled.settled());
        }
        Ok(())
    })?;
    ids.sort_unstable();
    let Some(twice) = ids.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]) else {
        return Ok((ids, torn));
    };
    // To say on which line, which is seldom asked, it is read once more.
    let mut seen = false;
    read_lines(path, |line, text| {
        if read_settled(path, line, text)?.is_some_and(|s| s.settled().id == twice)
            && std::mem::replace(&mut seen, true)
        {
            let reason = format!("game {twice} stands there a second time");
            return Err(JournalError::Id { path: path.to_owned(), line, reason });
        }
        Ok(())
    })?;
    Ok((ids, torn))
}

/// A line with a result, read.
struct ReadLine<'a> {
    line: Head<'a>,
    id: GameId,
    result: GameResult,
}

impl ReadLine<'_> {
    fn settled(&self) -> Settled<'_> {
        Settled {
            id: self.id,
            red: &self.line.red,
            blue: &self.line.blue,
            result: self.result,
            reason: self.line.reason,
            clause: self.line.clause,
            red_first: self.line.first == "red",
        }
    }
}

/// What a line tells a table; nothing where the game was void.
fn read_settled<'a>(path: &Path, line: u64, text: &'a str) -> Result<Option<ReadLine<'a>>, JournalError> {
    let bad = |error| JournalError::Line { path: path.to_owned(), line, error };
    let bad_id = |reason| JournalError::Id { path: path.to_owned(), line, reason };
    let read = Head::read(text).map_err(|e| bad(e.into()))?;
    if read.v != super::GAME_FORMAT {
        return Err(bad(LineError::Version(u64::from(read.v))));
    }
    let result = match read.result {
        "red" => GameResult::Red,
        "blue" => GameResult::Blue,
        "draw" => GameResult::Draw,
        "both-lose" => GameResult::BothLose,
        // A void game is nobody's result and will be played again.
        "void" => return Ok(None),
        other => return Err(bad_id(format!("`{other}` is no result"))),
    };
    let id: GameId = read.id.parse().map_err(bad_id)?;
    Ok(Some(ReadLine { line: read, id, result }))
}

/// Reads a journal's games with a result, whole, each with its line as it stands there. Returns the bytes of a torn
/// last line.
///
/// # Errors
/// [`JournalError`], or what `game` refuses; a torn last line is none.
pub fn read_records<E: From<JournalError>>(
    path: &Path,
    mut game: impl FnMut(&str, GameRecord) -> Result<(), E>,
) -> Result<u64, E> {
    let mut refused = None;
    let read = read_lines(path, |line, text| {
        if refused.is_none() {
            let record = GameRecord::from_line(text).map_err(|error| JournalError::Line {
                path: path.to_owned(),
                line,
                error,
            })?;
            if record.result != "void" {
                refused = game(text, record).err();
            }
        }
        Ok(())
    });
    match refused {
        Some(error) => Err(error),
        None => Ok(read?),
    }
}

/// A record on its way to the disk, with what its writer wants to have back when it is there.
struct Entry<T> {
    line: String,
    ticket: T,
}

/// The thread that appends to a journal.
#[derive(Debug)]
pub struct JournalWriter<T> {
    entries: Option<mpsc::Sender<Entry<T>>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl<T: Send + 'static> JournalWriter<T> {
    /// Opens a folder's journal for appending; a torn last line is cut off. `done` is called on the writer's thread
    /// with each ticket once its line is durable, or with the error that stopped it from being so.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn open(
        folder: &EventFolder,
        mut done: impl FnMut(T, Result<(), JournalError>) + Send + 'static,
    ) -> Result<JournalWriter<T>, JournalError> {
        let path = folder.path().join(JOURNAL);
        let open = || -> io::Result<File> {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .open(&path)?;
            let whole = whole_lines(&mut file)?;
            file.set_len(whole)?;
            file.seek(SeekFrom::Start(whole))?;
            Ok(file)
        };
        let mut file = open().map_err(io_error(&path))?;
        let (sender, receiver) = mpsc::channel::<Entry<T>>();
        let work = move || {
            let mut broken = false;
            while let Ok(first) = receiver.recv() {
                // What came meanwhile shares the wait for the disk.
                let batch: Vec<Entry<T>> = std::iter::once(first).chain(receiver.try_iter()).collect();
                let written = if broken {
                    Err(io::Error::other("an earlier game could not be written"))
                } else {
                    append(&mut file, &batch)
                };
                broken |= written.is_err();
                let error = written.err();
                for entry in batch {
                    let result = match &error {
                        None => Ok(()),
                        Some(e) => Err(JournalError::Io {
                            path: path.clone(),
                            error: io::Error::new(e.kind(), e.to_string()),
                        }),
                    };
                    done(entry.ticket, result);
                }
            }
        };
        let thread =
            thread::Builder::new().name("journal".to_owned()).spawn(work).map_err(io_error(folder.path()))?;
        Ok(JournalWriter { entries: Some(sender), thread: Some(thread) })
    }

    /// Hands over a line, with its LF. Returns at once.
    pub fn append(&self, line: String, ticket: T) {
        let entries = self.entries.as_ref().expect("it is only taken when the writer is closed");
        // The thread ends only when this sender is gone; if it panicked, its ticket never comes back, and the run
        // sees that the game was not settled.
        let _ = entries.send(Entry { line, ticket });
    }
}

impl<T> Drop for JournalWriter<T> {
    fn drop(&mut self) {
        self.entries = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// How many bytes of the file are whole lines.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = vec![0u8; 1 << 16];
    while end > 0 {
        let begin = end.saturating_sub(block.len() as u64);
        let part = &mut block[..(end - begin) as usize];
        file.seek(SeekFrom::Start(begin))?;
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|&b| b == b'\n') {
            return Ok(begin + at as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

fn append<T>(file: &mut File, batch: &[Entry<T>]) -> io::Result<()> {
    let before = file.stream_position()?;
    let write = |file: &mut File| -> io::Result<()> {
        for entry in batch {
            file.write_all(entry.line.as_bytes())?;
        }
        file.sync_data()?;
        if file.metadata()?.nlink() == 0 {
            return Err(io::Error::other("the journal was deleted while the run was at work"));
        }
        Ok(())
    };
    write(file).inspect_err(|_| {
        // What is there in part must not be merged with a later line.
        let _ = file.set_len(before);
    })
}
