//! One bot's process: started, fed, read within limits, stopped and reaped.
//!
//! A child is not trusted in any state. Reads and writes never block; what comes is bounded by
//! [`crate::protocol::Intake`]; standard error is drained apart. Knows nothing of games.

mod capture;
mod confine;
mod group;
mod launcher;
mod leftovers;
mod limits;
mod platform;
mod scratch;

use std::future::poll_fn;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, Once};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::io::{AsyncReadExt, Interest};
use tokio::net::unix::pipe;

pub use capture::Capture;
pub use confine::{Confinement, Layer, Sandbox, Standing};
pub use launcher::{CANNOT_EXECUTE, LAUNCH, stub};
pub use leftovers::adopt_orphans;
pub use limits::{Breach, Limits, size_words};
pub use platform::{Exit, allow_descriptors, cores, keep_on};

use confine::Guard;
use group::Group;
use limits::Watched;

use crate::protocol::Intake;

/// How a bot is started: everything resolved, nothing looked up any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// This program, which starts bots as their stub.
    pub launcher: PathBuf,
    /// The bot's program, absolute.
    pub program: PathBuf,
    /// Its arguments, the first being the name it is called by.
    pub argv: Vec<String>,
    /// The folder it runs in.
    pub dir: PathBuf,
    /// Its whole environment.
    pub env: Vec<(String, String)>,
    /// The cores it may use where it is not to be kept on its game's.
    pub free_cores: Vec<usize>,
    /// What it is confined by.
    pub confinement: Confinement,
    /// What it may use.
    pub limits: Limits,
    /// Whether it is to be stopped while its opponent thinks.
    pub freeze: bool,
}

/// Why a process was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The machine has no room for it now: nobody's fault.
    #[error("no process could be started: {0}")]
    Resources(io::Error),
    /// It cannot be started.
    #[error("{0}")]
    Failed(io::Error),
}

/// How long a bot has to exit after `quit`, and after SIGTERM.
const POLITE: Duration = Duration::from_millis(500);
const FIRM: Duration = Duration::from_millis(300);
/// How long the system is given to end a killed process.
const KILLED: Duration = Duration::from_secs(2);

/// No such process.
const ESRCH: i32 = 3;

/// How often is looked whether something of a bot that is to stand still still runs.
const FREEZE_ROUNDS: usize = 100;

/// A running bot.
#[derive(Debug)]
pub struct Process {
    pid: Pid,
    /// What its processes are found by.
    mark: String,
    exit: platform::ExitWatch,
    guard: Option<Guard>,
    watched: Arc<Watched>,
    /// Whether it is stopped while its opponent thinks, and by what it is now.
    freezes: bool,
    frozen: Option<Frozen>,
    stdin: Option<pipe::Sender>,
    stdout: Option<pipe::Receiver>,
    stderr: Option<Arc<Stderr>>,
    free_cores: Vec<usize>,
    /// What came from it.
    pub intake: Intake,
    /// What is still to be written.
    pending: Vec<u8>,
    chunk: Box<[u8; 8192]>,
    exit_told: bool,
    /// Whether the end of its input is waited for, too.
    input_watched: bool,
    deaf_told: bool,
    reaped: bool,
}

/// By what a process and all that it started are stopped.
#[derive(Debug)]
enum Frozen {
    /// By its cgroup.
    Group,
    /// By a signal to each of these.
    Each(Vec<u32>),
}

/// What happened to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It wrote something, which is now in the intake.
    Output,
    /// It closed its standard output.
    End,
    /// What was to be written can be written on.
    Writable,
    /// It closed its standard input, and had not read all that was written before. Told once, and only where
    /// [`Process::watch_input`] asked for it; otherwise the next write finds out that it is closed.
    Deaf,
    /// It exited. Told once.
    Exited(Exit),
}

impl Process {
    /// Starts a bot in a session of its own. Must be called within a tokio runtime, on a thread that lives
    /// as long as the bot may.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn start(launch: &Launch, echo: Option<String>) -> Result<Process, StartError> {
        let mark = leftovers::new_mark();
        let shares = launch.confinement.sandbox != Sandbox::Off;
        let group = Group::new(&launch.limits, shares, launch.freeze, &mark);
        let mut guard =
            Guard::new(&launch.confinement, &launch.limits, &group, &mark).map_err(StartError::Resources)?;
        let none = || [launcher::NO_ORDERS.to_owned(), launcher::NO_ORDERS.to_owned()];
        let mut command = Command::new(&launch.launcher);
        command
            .arg(LAUNCH)
            .arg(std::process::id().to_string())
            .args(guard.as_ref().map_or_else(none, Guard::words))
            .arg(&launch.program)
            .args(&launch.argv)
            .current_dir(&launch.dir)
            .env_clear()
            .envs(
                guard
                    .as_ref()
                    .and_then(Guard::scratch)
                    .into_iter()
                    .flat_map(|s| [("TMPDIR", s), ("HOME", s)]),
            )
            .envs(launch.env.iter().map(|(k, v)| (k, v)))
            .env(leftovers::VARIABLE, &mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = leftovers::start(&mut command).map_err(|error| match error.raw_os_error() {
            // EAGAIN, ENOMEM, EMFILE, ENFILE.
            Some(11 | 12 | 23 | 24) => StartError::Resources(error),
            _ => StartError::Failed(error),
        })?;
        let pid = Pid::from_child(&child);
        let exit = platform::ExitWatch::new(pid).map_err(|error| {
            let _ = child.kill();
            let _ = child.wait();
            leftovers::ended(pid.as_raw_nonzero().get() as u32);
            StartError::Resources(error)
        })?;
        match &mut guard {
            Some(guard) => guard.follow(child.id()),
            // Nobody told its stub where to go.
            None => {
                for door in group.doors() {
                    // One that has ended already cannot join, and need not.
                    if let Err(error) = std::fs::write(&door, child.id().to_string())
                        && error.raw_os_error() != Some(ESRCH)
                    {
                        stays_out(&group, &door, &error.to_string());
                    }
                }
            }
        }
        let scratch = guard.as_ref().and_then(Guard::scratch);
        let watched = Watched::begin(child.id(), launch.limits, scratch, group, &launch.free_cores);
        let mut process = Process {
            pid,
            mark,
            exit,
            guard,
            watched,
            freezes: launch.freeze,
            frozen: None,
            stdin: None,
            stdout: None,
            stderr: None,
            free_cores: launch.free_cores.clone(),
            intake: Intake::default(),
            pending: Vec::new(),
            chunk: Box::new([0; 8192]),
            exit_told: false,
            input_watched: false,
            deaf_told: false,
            reaped: false,
        };
        // From here on dropping `process` ends and reaps the child.
        let stdin = child.stdin.take().expect("it was asked for");
        let stdout = child.stdout.take().expect("it was asked for");
        let stderr = child.stderr.take().expect("it was asked for");
        let wrap = || -> io::Result<_> {
            Ok((
                pipe::Sender::from_owned_fd(stdin.into())?,
                pipe::Receiver::from_owned_fd(stdout.into())?,
                pipe::Receiver::from_owned_fd(stderr.into())?,
            ))
        };
        let (stdin, stdout, stderr) = wrap().map_err(StartError::Resources)?;
        process.stdin = Some(stdin);
        process.stdout = Some(stdout);
        let stderr = Arc::new(Stderr::new(stderr, echo, Arc::clone(&process.watched)));
        process.stderr = Some(Arc::clone(&stderr));
        tokio::spawn(async move { stderr.drain().await });
        Ok(process)
    }

    /// Its process number.
    pub fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get() as u32
    }

    /// Lets it use all cores, not only its game's: for bots that think in their opponent's time.
    pub fn free_its_cores(&self) {
        platform::let_use(&limits::descendants(self.id()), &self.free_cores);
    }

    /// Whether it is to be stopped while its opponent thinks.
    pub fn freezes(&self) -> bool {
        self.freezes
    }

    /// Whether it is stopped at this moment.
    pub fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// Stops it, with all that it started, where it is to be stopped while its opponent thinks.
    pub fn freeze(&mut self) {
        if !self.freezes || self.frozen.is_some() || self.exited().is_some() {
            return;
        }
        if self.watched.group().freeze(true) {
            self.frozen = Some(Frozen::Group);
            return;
        }
        // What is stopped starts nothing any more, and lets nobody go on. Bounded, since a process that the system holds
        // does not stop.
        for _ in 0..FREEZE_ROUNDS {
            let running = limits::running(self.id());
            if running.is_empty() {
                break;
            }
            signal_each(&running, Signal::STOP);
            // It stops where it is next given the core.
            std::thread::yield_now();
        }
        self.frozen = Some(Frozen::Each(limits::descendants(self.id())));
    }

    /// Lets it go on.
    pub fn thaw(&mut self) {
        match self.frozen.take() {
            None => {}
            Some(Frozen::Group) => drop(self.watched.group().freeze(false)),
            Some(Frozen::Each(stopped)) => signal_each(&stopped, Signal::CONT),
        }
    }

    /// Waits until something happens to it. Output comes before the exit that followed it.
    pub async fn event(&mut self) -> Event {
        loop {
            match self.any_event().await {
                // What it has read it can still answer.
                Event::Deaf if !self.left_unread() => {}
                event => return event,
            }
        }
    }

    /// Whether something of what was written to it lies in its input that nobody will read.
    fn left_unread(&self) -> bool {
        let unread = self.stdin.as_ref().map(rustix::io::ioctl_fionread);
        // Elsewhere a pipe's writer is told nothing of it.
        unread.is_some_and(|bytes| bytes.map_or(true, |bytes| bytes > 0 || !cfg!(target_os = "linux")))
    }

    async fn any_event(&mut self) -> Event {
        let Process {
            stdin,
            stdout,
            exit,
            guard,
            exit_told,
            input_watched,
            deaf_told,
            intake,
            pending,
            chunk,
            ..
        } = self;
        let stdin = &*stdin;
        tokio::select! {
            biased;
            read = async {
                match stdout {
                    Some(stdout) => stdout.read(&mut chunk[..]).await,
                    None => std::future::pending().await,
                }
            } => match read {
                Ok(0) | Err(_) => {
                    *stdout = None;
                    Event::End
                }
                Ok(count) => {
                    intake.push(&chunk[..count]);
                    Event::Output
                }
            },
            _ = async {
                match stdin {
                    Some(stdin) => stdin.writable().await,
                    None => std::future::pending().await,
                }
            }, if !pending.is_empty() => Event::Writable,
            _ = async {
                match stdin {
                    Some(stdin) => stdin.ready(Interest::ERROR).await,
                    None => std::future::pending().await,
                }
            }, if *input_watched => {
                (*input_watched, *deaf_told) = (false, true);
                Event::Deaf
            }
            seen = poll_fn(|cx| exit.poll(cx)), if !*exit_told => {
                *exit_told = true;
                Event::Exited(guard.as_mut().and_then(Guard::exit).unwrap_or(seen))
            }
        }
    }

    /// Whether a wait ends, too, where it closes its standard input over what it has not read: that got lost without an
    /// error.
    pub fn watch_input(&mut self, watched: bool) {
        self.input_watched = watched && !self.deaf_told;
    }

    /// Takes in what can be read at this moment, asked of the system itself; at most so much as a bot that never
    /// stops can send between two of our turns.
    pub fn read_now(&mut self) {
        for _ in 0..16 {
            let Some(stdout) = &self.stdout else { return };
            match rustix::io::read(stdout, &mut self.chunk[..]) {
                Ok(count) if count > 0 => self.intake.push(&self.chunk[..count]),
                // The end of the stream is left to be found by `read`.
                _ => return,
            }
        }
    }

    /// Closes its output on our side: what it writes is of no interest any more.
    pub fn stop_reading(&mut self) {
        self.stdout = None;
    }

    /// Adds to what is to be written.
    pub fn queue(&mut self, text: &str) {
        self.pending.extend_from_slice(text.as_bytes());
    }

    /// Whether something is still to be written.
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Writes what can be written now; true when nothing is left.
    ///
    /// # Errors
    /// Where the bot has closed its input; nothing is pending then, since a pipe without a reader counts as writable
    /// for ever, and waiting for it would be a loop that hears of nothing else.
    pub fn flush(&mut self) -> io::Result<bool> {
        let written = self.write_pending();
        if written.is_err() {
            self.stdin = None;
            self.pending.clear();
        }
        written
    }

    fn write_pending(&mut self) -> io::Result<bool> {
        let Some(stdin) = &self.stdin else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        while !self.pending.is_empty() {
            match stdin.try_write(&self.pending) {
                Ok(count) if count == self.pending.len() => self.pending.clear(),
                Ok(count) => {
                    self.pending.drain(..count);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    // Nothing can be written any more: what waits would only wake us for ever.
                    self.pending.clear();
                    self.stdin = None;
                    return Err(error);
                }
            }
        }
        Ok(true)
    }

    /// How it ended, if it has.
    pub fn exited(&mut self) -> Option<Exit> {
        let seen = self.exit.now()?;
        // Where a stub stays, it is seen, and the bot is told of.
        Some(self.guard.as_mut().and_then(Guard::exit).unwrap_or(seen))
    }

    /// How it ended, where its stub has told: that is before it can be seen.
    pub fn told_exit(&mut self) -> Option<Exit> {
        self.guard.as_mut().and_then(Guard::exit)
    }

    /// Whether it is on its way out, though its exit cannot be noticed yet: on a busy machine that takes a while after
    /// its pipes are closed. Never where the system does not tell.
    pub fn is_ending(&mut self) -> bool {
        let above = self.guard.as_mut().map_or(0, Guard::above);
        let bot = (0..above).try_fold(self.id(), |pid, _| limits::first_child(pid));
        bot.is_none_or(leftovers::is_ending)
    }

    /// Which layers of confinement are in force, as its stub told; none where it is not confined.
    pub fn standings(&mut self) -> Vec<Standing> {
        for (door, why) in self.guard.as_mut().map_or_else(Vec::new, Guard::shut) {
            stays_out(self.watched.group(), &door, &why);
        }
        let mut standings = self.guard.as_mut().map_or_else(Vec::new, Guard::standings);
        standings.extend(self.watched.standings(self.guard.is_some(), self.freezes));
        standings
    }

    /// The limit that it passed, where it did: to be asked once it has exited.
    pub fn breach(&self) -> Option<Breach> {
        self.watched.breach()
    }

    /// Why its stub did not become the bot, where it refused to.
    pub fn refused(&mut self) -> Option<String> {
        self.guard.as_mut().and_then(Guard::refused)
    }

    /// A game is over: its scratch folder is emptied, unless it lasts, and what counts by game begins anew.
    pub fn new_game(&mut self) {
        self.intake.new_game();
        self.watched.new_game();
        if let Some(guard) = &self.guard {
            guard.empty_scratch();
        }
    }

    /// What it wrote to its standard error since this was last asked.
    pub fn take_stderr(&self) -> Capture {
        self.stderr
            .as_ref()
            .map_or_else(Capture::default, |stderr| std::mem::take(&mut stderr.heard_now().capture))
    }

    /// The last lines of its standard error.
    pub fn last_stderr(&self, most: usize) -> Vec<String> {
        self.stderr.as_ref().map_or_else(Vec::new, |stderr| stderr.heard_now().capture.last_lines(most))
    }

    /// Closes its input, which means the same as `quit`.
    pub fn close_input(&mut self) {
        self.stdin = None;
        self.pending.clear();
    }

    /// Sends SIGTERM to it and its group.
    pub fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Ends it for good where it still runs, and tells how many processes it left behind, which are ended too.
    pub async fn end(mut self) -> usize {
        self.thaw();
        if self.exited().is_none() {
            self.signal(Signal::KILL);
            self.wait(KILLED).await;
        }
        // Counted before the group is ended with it.
        let left = leftovers::end(&self.mark);
        self.bury();
        left
    }

    /// Stops it: politely where there is a farewell to say, then firmly, then for good; its whole group goes. Returns
    /// within about a second.
    pub async fn stop(mut self, farewell: Option<&str>) {
        self.thaw();
        let mut exited = self.exited().is_some();
        let politely = farewell.is_some();
        if let Some(farewell) = farewell.filter(|_| !exited) {
            self.queue(farewell);
            let _ = self.flush();
            self.stdin = None;
            exited = self.wait(POLITE).await;
        }
        self.stdin = None;
        if politely && !exited {
            self.signal(Signal::TERM);
            exited = self.wait(FIRM).await;
        }
        if !exited {
            self.signal(Signal::KILL);
            if !self.wait(KILLED).await {
                tracing::warn!(pid = self.id(), "a killed process does not end; the system holds it");
            }
        }
        self.bury();
    }

    /// Takes its exit status, and ends what it left behind.
    fn bury(&mut self) {
        self.exit.reap();
        self.reaped = true;
        leftovers::ended(self.id());
        self.watched.group().kill();
        let left = leftovers::end(&self.mark);
        if left > 0 {
            tracing::info!(pid = self.id(), "{left} processes outlived their bot and were ended");
        }
    }

    /// To its group; and to itself where it may have left that for another, or has not made it yet.
    fn signal(&self, signal: Signal) {
        let sent = rustix::process::kill_process_group(self.pid, signal);
        if signal == Signal::KILL || sent.is_err() {
            let _ = rustix::process::kill_process(self.pid, signal);
        }
    }

    /// Waits for its exit, reading and throwing away what it still writes.
    async fn wait(&mut self, span: Duration) -> bool {
        let until_exit = async {
            loop {
                let Process { stdout, exit, chunk, .. } = &mut *self;
                tokio::select! {
                    biased;
                    _ = poll_fn(|cx| exit.poll(cx)) => return,
                    read = async {
                        match stdout {
                            Some(stdout) => stdout.read(&mut chunk[..]).await,
                            None => std::future::pending().await,
                        }
                    } => if matches!(read, Ok(0) | Err(_)) {
                        *stdout = None;
                    }
                }
            }
        };
        tokio::time::timeout(span, until_exit).await.is_ok()
    }
}

/// A process is not in the group behind a door. One cause shuts many doors, of every process, and is told once.
fn stays_out(group: &Group, door: &Path, why: &str) {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| {
        tracing::warn!(
            "a bot could not join its cgroup ({}: {why}): its limits are looked at ten times a second instead",
            door.display()
        );
    });
    group.stays_out(door, why);
}

fn signal_each(pids: &[u32], signal: Signal) {
    for pid in pids.iter().filter_map(|&pid| Pid::from_raw(pid as i32)) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.reaped {
            self.thaw();
            self.signal(Signal::KILL);
            // A killed process ends within a moment; a zombie must not stay for the rest of the run.
            for _ in 0..100 {
                if self.exit.now().is_some() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(2));
            }
            self.bury();
        }
    }
}

/// A bot's standard error: read as it comes, and besides whenever its last words are asked for.
#[derive(Debug)]
struct Stderr {
    pipe: pipe::Receiver,
    heard: Mutex<Heard>,
    watched: Arc<Watched>,
}

#[derive(Debug)]
struct Heard {
    capture: Capture,
    /// The bot's name, where what it writes is shown as it comes.
    echo: Option<String>,
    /// The beginning of a line that is to be shown.
    line: String,
}

impl Stderr {
    fn new(pipe: pipe::Receiver, echo: Option<String>, watched: Arc<Watched>) -> Stderr {
        let heard = Heard { capture: Capture::default(), echo, line: String::new() };
        Stderr { pipe, heard: Mutex::new(heard), watched }
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().expect("no one panics while holding it")
    }

    /// What was heard, with all that can be read at this moment; of a bot that never stops, no more than a few pipes
    /// full.
    fn heard_now(&self) -> MutexGuard<'_, Heard> {
        let mut heard = self.heard();
        let mut chunk = [0; 16 * 1024];
        for _ in 0..16 {
            match rustix::io::read(&self.pipe, &mut chunk[..]) {
                Ok(count) if count > 0 => {
                    heard.push(&chunk[..count]);
                    self.watched.wrote(count as u64);
                }
                _ => break,
            }
        }
        heard
    }

    async fn drain(&self) {
        let mut chunk = [0; 16 * 1024];
        while self.pipe.readable().await.is_ok() {
            // A bot that never stops must leave the others their turn.
            tokio::task::coop::consume_budget().await;
            match self.pipe.try_read(&mut chunk) {
                Ok(0) => return,
                Ok(count) => {
                    self.heard().push(&chunk[..count]);
                    self.watched.wrote(count as u64);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => return,
            }
        }
    }
}

impl Heard {
    fn push(&mut self, bytes: &[u8]) {
        self.capture.push(bytes);
        let Some(name) = &self.echo else { return };
        self.line.push_str(&String::from_utf8_lossy(bytes));
        let whole = match self.line.rfind('\n') {
            Some(end) => end,
            None if self.line.len() > 4096 => self.line.len(),
            None => return,
        };
        // A bot must not move the cursor of the organiser's terminal.
        let plain =
            |c: char| if c.is_control() && c != '\n' && c != '\t' { char::REPLACEMENT_CHARACTER } else { c };
        let text: String = self.line[..whole].trim_end_matches('\r').chars().map(plain).collect();
        let shown: String = text.lines().map(|line| format!("[{name}] {line}\n")).collect();
        // `eprint` would panic where nobody listens.
        let _ = io::Write::write_all(&mut io::stderr(), shown.as_bytes());
        self.line.drain(..self.line.len().min(whole + 1));
    }
}
