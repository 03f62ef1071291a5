//! A scripted bot: well-behaved, except as the words on its command line say.
//!
//! Without words it deploys at random and plays random legal moves, both from the seed that `newgame` gives. Words
//! may be combined; each is `NAME`, `NAME:VALUE`, `NAME@WHEN` or `NAME:VALUE@WHEN` (or `NAME@WHEN:VALUE`). WHEN is
//! the question that is about to be answered: `start`, `ready`, `setup`, or `turnN`, the game's N-th `go`. Spans are
//! written `50ms`. It ends by itself after three minutes whatever happens, so that a failed test leaves nothing
//! behind.
//!
//! Instead of, or before, one answer (where no WHEN is given: `turn1`, but `start` for `silent`, `setup` for
//! `bad-setup`):
//!
//! | word | it |
//! |---|---|
//! | `hang`, `hang-at-start` | neither answers nor reads any more |
//! | `silent` | does not answer, but reads on |
//! | `half-line` | writes half of its answer, and no line end |
//! | `flood:N` | writes bytes without a line end for ever, from N threads (one) |
//! | `lines:N` | writes N `info` lines (100,000) before its answer |
//! | `chatter:PAUSE` | writes `info` lines for ever, and no answer |
//! | `exit:STATUS` | exits (status 0) |
//! | `exit-after:STATUS` | answers, then exits (status 0) |
//! | `crash`, `crash:segv` | aborts; or dies of SIGSEGV |
//! | `close-stdout` | closes its output and reads on |
//! | `close-stdout-after` | answers, closes its output and reads on |
//! | `close-stdin`, `close-stdin:SPAN` | closes its input, answers and lives on; answers, and closes it so much later |
//! | `blind-ready` | the same, and a moment later says `readyok` to what it cannot have read |
//! | `last-words:TEXT` | writes a line to its standard error, `_` for blanks |
//! | `stderr-flood` | writes 10 MB to its standard error before its answer |
//! | `stderr-garbage` | writes NUL, control bytes and invalid UTF-8 there |
//! | `stderr-endless` | writes to its standard error for ever |
//! | `hog:N`, `hog-child:N` | fills N megabytes of memory and holds them; in a child process |
//! | `hog-files:N` | the same in memory files that it does not map |
//! | `fork-bomb:N` | starts N processes, each of which lives on |
//! | `thread-bomb:N` | starts N threads, each of which lives on |
//! | `burn` | computes for ever |
//! | `fill:N`, `fill-one:N` | writes N megabytes to its scratch folder, a file each megabyte; in one file |
//! | `fill-removed:N` | writes N megabytes to files of its scratch folder that it has removed, and holds them |
//! | `reuses:N` | writes N megabytes to a file that it has removed, lets go of it, writes them to another; for three seconds |
//! | `litter` | makes files without content in its scratch folder for ever |
//! | `dig` | makes a folder in a folder there for ever |
//! | `late:SPAN` | answers so much later |
//! | `say:TEXT` | answers TEXT, `_` for blanks |
//! | `illegal` | moves a piece to where it stands |
//! | `bad-setup` | deploys nothing but flags |
//! | `garbage:KIND` | answers a line with a `nul`, a `control` character, `utf8` that is none, or a `cr` inside |
//! | `two-answers` | answers twice in one write; `two-answers:illegal`: an illegal move, then a legal one |
//! | `early` | answers before it is asked: right behind its answer to the question before |
//! | `early-half` | the same with half of an answer; the other half comes when it is asked |
//! | `trailing-words:TEXT` | adds words to its answer (`go quit`), `_` for blanks |
//! | `resign` | resigns |
//! | `never-read` | answers this question and all later ones without reading them, as the input's fill shows them |
//! | `read-late` | the same, until its input is full; then reads it all, slowly, and plays on |
//!
//! In everything that it does:
//!
//! | word | it |
//! |---|---|
//! | `partial-writes` | writes each answer in three writes |
//! | `crlf` | ends its lines by CR LF |
//! | `blanks` | puts blanks, tabs and empty lines wherever they are allowed |
//! | `banner` | writes `info` lines before it is asked anything |
//! | `bulk` | writes 999 `info` lines of 4,095 bytes before each move |
//! | `info:TEXT` | writes an `info` line before each answer |
//! | `name:TEXT` | says that this is its name |
//! | `wants:WORD,…` | asks for these helps beside `legal` |
//! | `slow:SPAN` | answers each `go` so much later |
//! | `answers-fast` | plays the first legal move, without a thought |
//! | `shuttle` | moves one piece to and fro, as far from its opponent's as it can |
//! | `offer-draw` | offers a draw with each move |
//! | `accept-draw` | accepts each draw that is offered |
//! | `ignore-quit` | goes on after `quit` and the end of its input |
//! | `spin-after-quit` | the same, with all its core |
//! | `ignore-term` | ignores SIGTERM |
//! | `fork-child`, `fork-child:setsid`, `fork-child:wiped` | starts a process that outlives it, which holds its output open; in a session of its own; and without an environment |
//! | `fork-child:twice` | as `wiped`, by a process in between that exits at once |
//! | `beats` | starts a process in a session of its own that counts milliseconds in its scratch folder, and tells with each move how many passed since its last one |
//! | `toils:N` | starts N processes that work for ever, and tells with each move how many pieces of work they did since its last one |
//! | `toil:SPAN` | works for so long before each move, and tells how many pieces of work it did |
//! | `odd-name` | gives its process a name that is no text |
//! | `leaves-group` | joins the process group of a child of its |
//! | `wakes` | starts a process that sends SIGCONT to its group for ever |
//! | `greets:TEXT` | writes TEXT before it ends its handshake, `_` for blanks |
//! | `reads:PATH` | reads this file when it starts, and exits where it cannot |
//! | `nameless` | does not say who it is |
//! | `options` | declares an option of each type |
//! | `dies-at:TEXT` | exits when it reads a line with TEXT in it, `_` for blanks |
//! | `tires:N` | exits at its N-th `newgame` |
//! | `needs-start` | exits where a game has a past |
//! | `short-memory` | exits after 3,000 moves of a game |
//! | `assumes-red-first` | exits where Blue moves first |
//! | `deploys-by-name` | deploys the army of `isf` wherever that is the book's name |
//! | `answers-assigned` | answers a deployment that it is assigned |
//! | `stubborn` | answers a refusal by the same move |
//! | `reads-chunks` | takes what one read gives for whole lines |
//! | `moody` | claims to be deterministic, and plays by the time of day |
//! | `thinks:SPAN` | answers each `go` so much later, and reads on meanwhile |
//! | `breaks:CLAUSE` | makes a move that breaks `move.CLAUSE` whenever it sees one, from turn 1 or WHEN on |
//! | `small-pipe` | makes its input hold one page |
//! | `unlink-self` | deletes its program's file once it runs |
//! | `from-start:N,FILE` | behaves well until its N-th start, counted by the length of FILE |
//! | `tag:TEXT` | does nothing: a mark to find it by |
//! | `ucc` | speaks the language of the UCC competition of 2012: deploys as ever, moves at random; `/` divides lines in `say` |

//!
//! `without unshare PROGRAM ARG…` is no bot: it runs a program as on a machine without namespaces (`unshare`), without
//! mounts in them (`mount`), or without `landlock`.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum When {
    Start,
    Ready,
    Setup,
    Turn(u32),
}

impl When {
    fn read(word: &str) -> When {
        match word {
            "start" => When::Start,
            "ready" => When::Ready,
            "setup" => When::Setup,
            _ => When::Turn(
                word.strip_prefix("turn")
                    .and_then(|n| n.parse().ok())
                    .unwrap_or_else(|| panic!("fake-bot: `{word}` is no moment")),
            ),
        }
    }

    fn next(self) -> When {
        match self {
            When::Start => When::Ready,
            When::Ready => When::Setup,
            When::Setup => When::Turn(1),
            When::Turn(n) => When::Turn(n + 1),
        }
    }
}

struct Word {
    name: String,
    value: String,
    when: When,
}

impl Word {
    fn read(text: &str) -> Word {
        let (what, when) = text.split_once('@').map_or((text, None), |(a, b)| (a, Some(b)));
        let (name, value) = what.split_once(':').unwrap_or((what, ""));
        let (when, late_value) = match when {
            Some(when) => {
                let (when, value) = when.split_once(':').unwrap_or((when, ""));
                (When::read(when), value)
            }
            None if matches!(name, "silent" | "hang-at-start") => (When::Start, ""),
            None if name == "bad-setup" => (When::Setup, ""),
            None => (When::Turn(1), ""),
        };
        let value = if late_value.is_empty() { value } else { late_value };
        Word { name: name.to_owned(), value: value.to_owned(), when }
    }

    fn text(&self, default: &str) -> String {
        if self.value.is_empty() { default.to_owned() } else { self.value.replace('_', " ") }
    }

    fn span(&self) -> Duration {
        let ms = self.value.trim_end_matches("ms");
        Duration::from_millis(ms.parse().unwrap_or_else(|_| panic!("fake-bot: `{ms}` is no span")))
    }

    fn number(&self) -> usize {
        self.value.parse().unwrap_or_else(|_| panic!("fake-bot: `{}` is no number", self.value))
    }

    fn status(&self) -> i32 {
        self.value.parse().unwrap_or(0)
    }
}

/// Has so many megabytes in its scratch folder in turn in a file without a name and in one with a name.
fn reuse(megabytes: usize) {
    let path = format!("{}/reused", std::env::var("TMPDIR").expect("a scratch folder"));
    for _ in 0..15 {
        let mut file = std::fs::File::create(&path).expect("a file");
        std::fs::remove_file(&path).expect("its file");
        file.write_all(&vec![1; megabytes << 20]).expect("there is room");
        sleep(Duration::from_millis(100));
        drop(file);
        std::fs::write(&path, vec![1; megabytes << 20]).expect("there is room");
        sleep(Duration::from_millis(100));
        std::fs::remove_file(&path).expect("its file");
    }
}

/// Fills a megabyte of each of so many files, and holds them.
fn hold_files(count: usize, new: impl Fn() -> std::fs::File) -> ! {
    let mut held = Vec::new();
    for _ in 0..count {
        let mut file = new();
        let _ = file.write_all(&[1; 1 << 20]);
        held.push(file);
        sleep(Duration::from_millis(1));
    }
    park()
}

/// Fills its scratch folder with what takes hardly any room.
fn litter() -> ! {
    let folder = std::env::var("TMPDIR").expect("a scratch folder");
    for n in 0.. {
        let _ = std::fs::write(format!("{folder}/{n}"), "");
    }
    unreachable!("numbers do not end")
}

/// Goes deeper than any path can name.
fn dig() -> ! {
    std::env::set_current_dir(std::env::var("TMPDIR").expect("a scratch folder")).expect("it is a folder");
    loop {
        let _ = std::fs::create_dir("d").and_then(|()| std::env::set_current_dir("d"));
    }
}

/// Lives on and does nothing.
fn park() -> ! {
    loop {
        sleep(Duration::from_secs(1));
    }
}

/// Whether standard input is read in small pieces with pauses.
static SLOWLY: AtomicBool = AtomicBool::new(false);

struct Input;

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut most = buffer.len();
        if SLOWLY.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(1));
            most = most.min(512);
        }
        Ok(rustix::io::read(std::io::stdin(), &mut buffer[..most])?)
    }
}

/// How many bytes wait in standard input.
fn waiting() -> u64 {
    rustix::io::ioctl_fionread(std::io::stdin()).unwrap_or(0)
}

/// Writes to standard output; a bot whose reader is gone lives on.
fn write(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        park();
    }
}

struct Bot {
    words: Rc<[Word]>,
    colour_red: bool,
    turn: u32,
    random: u64,
    army: String,
    squares: usize,
    legal: Vec<String>,
    /// Rows of a board that came so far, in the UCC league's language.
    rows: Vec<Vec<u8>>,
    draw_offered: bool,
    /// The way back of a shuttling piece.
    back: Option<String>,
    /// Questions that were answered without being read.
    answered: u32,
    beats: u64,
    /// To which its toilers add a byte for each piece of work.
    toilers: Option<std::fs::File>,
    /// The words of `newgame`.
    rules: String,
    games: u32,
    /// Lines of `moved` in this game.
    moved: u32,
    /// Its view, the highest rank first.
    board: Vec<Vec<char>>,
    /// Its last answer to `go`.
    last: String,
    refused: bool,
}

impl Bot {
    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: &str) -> Option<&Word> {
        self.words.iter().find(|w| w.name == name)
    }

    fn at(&self, name: &str, when: When) -> Option<&Word> {
        self.words.iter().find(|w| w.name == name && w.when == when)
    }

    fn below(&mut self, n: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random % n as u64) as usize
    }

    fn line(&self, text: &str) -> String {
        let end = if self.has("crlf") { "\r\n" } else { "\n" };
        if self.has("ucc") {
            return text.split('\n').map(|line| format!("{line}{end}")).collect();
        }
        if self.has("blanks") {
            let spread = text.replace(' ', " \t ");
            format!("{end} \t {end}  {spread}\t {end}{end}")
        } else {
            format!("{text}{end}")
        }
    }

    /// Writes an answer, in the manner the words ask for.
    fn send(&self, text: &str) {
        let line = self.line(text);
        if self.has("partial-writes") {
            let third = line.len().div_ceil(3);
            for part in line.as_bytes().chunks(third) {
                write(part);
                sleep(Duration::from_millis(2));
            }
        } else {
            write(line.as_bytes());
        }
    }

    /// Answers the question of this moment, or does what the words say.
    fn answer(&mut self, when: When, good: String) {
        let mut text = good;
        if let Some(info) = self.find("info") {
            write(format!("info {}\n", info.text("something")).as_bytes());
        }
        if self.has("bulk") && matches!(when, When::Turn(_)) {
            write(format!("info {}\n", "x".repeat(4090)).repeat(999).as_bytes());
        }
        let words = Rc::clone(&self.words);
        for word in words.iter().filter(|w| w.when == when) {
            match word.name.as_str() {
                "last-words" => eprintln!("{}", word.text("farewell")),
                "stderr-flood" => {
                    let mut err = std::io::stderr().lock();
                    let line = [b"e".repeat(99), b"\n".to_vec()].concat();
                    for _ in 0..100_000 {
                        let _ = err.write_all(&line);
                    }
                    let _ = err.write_all(b"the flood is over\n");
                }
                "stderr-endless" => {
                    let line = [b'e'; 4096];
                    while std::io::stderr().write_all(&line).is_ok() {}
                    park();
                }
                "hog" => hog(word.number()),
                "hog-child" => {
                    start_own(&["hogs", &word.number().to_string()]);
                    park();
                }
                "fork-bomb" => {
                    (0..word.number()).for_each(|_| start_own(&["linger"]));
                    park();
                }
                "thread-bomb" => {
                    (0..word.number()).for_each(|_| drop(std::thread::Builder::new().spawn(|| park())));
                    park();
                }
                "burn" => loop {
                    std::hint::spin_loop();
                },
                "fill" | "fill-one" => fill(word.number(), word.name == "fill-one"),
                "litter" => litter(),
                "reuses" => reuse(word.number()),
                "hog-files" => hold_files(word.number(), || {
                    rustix::fs::memfd_create("hog", rustix::fs::MemfdFlags::CLOEXEC).expect("memory").into()
                }),
                "fill-removed" => hold_files(word.number(), || {
                    let path = format!("{}/removed", std::env::var("TMPDIR").expect("a scratch folder"));
                    let file = std::fs::File::create(&path).expect("a file");
                    std::fs::remove_file(path).expect("its file");
                    file
                }),
                "dig" => dig(),
                "stderr-garbage" => {
                    let _ = std::io::stderr().write_all(b"\x00\x01\x1b[31m\xff\xfe\xc3(\n");
                }
                "late" => sleep(word.span()),
                "lines" => {
                    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
                    for n in 0..word.value.parse().unwrap_or(100_000) {
                        if writeln!(out, "info line {n}").is_err() {
                            break;
                        }
                    }
                }
                "chatter" => loop {
                    write(b"info still thinking\n");
                    if !word.value.is_empty() {
                        sleep(word.span());
                    }
                },
                "exit" => std::process::exit(word.status()),
                "exit-after" => {
                    self.send(&text);
                    std::process::exit(word.status());
                }
                "crash" if word.value == "segv" => loop {
                    // The first takes away the runtime's own handler.
                    let own = rustix::process::getpid();
                    let _ = rustix::process::kill_process(own, rustix::process::Signal::SEGV);
                    sleep(Duration::from_millis(1));
                },
                "crash" => std::process::abort(),
                "close-stdout" | "close-stdout-after" => {
                    if word.name == "close-stdout-after" {
                        self.send(&text);
                    }
                    let null = std::fs::File::options().write(true).open("/dev/null").expect("/dev/null");
                    rustix::stdio::dup2_stdout(null).expect("standard output can be replaced");
                    return;
                }
                "close-stdin" | "blind-ready" => {
                    let null = std::fs::File::open("/dev/null").expect("/dev/null");
                    if !word.value.is_empty() {
                        let (held, span) = (rustix::io::dup(rustix::stdio::stdin()), word.span());
                        std::thread::spawn(move || {
                            sleep(span);
                            drop(held);
                        });
                    }
                    rustix::stdio::dup2_stdin(null).expect("standard input can be replaced");
                    self.send(&text);
                    if word.name == "blind-ready" {
                        sleep(Duration::from_millis(100));
                        write(b"readyok\n");
                    }
                    park();
                }
                "hang" | "hang-at-start" => park(),
                "silent" => return,
                "half-line" => return write(&text.as_bytes()[..text.len() / 2]),
                "flood" => {
                    // Past the lock of the standard library, so that several never leave the pipe empty.
                    let flood = || while rustix::io::write(std::io::stdout(), &[b'x'; 65_536]).is_ok() {};
                    for _ in 1..word.value.parse().unwrap_or(1) {
                        std::thread::spawn(flood);
                    }
                    flood();
                    park();
                }
                "garbage" => {
                    return write(match word.value.as_str() {
                        "nul" => b"move\0a4 a5\n",
                        "control" => b"move a4 \x1b[31ma5\n",
                        "cr" => b"move a4\ra5\n",
                        _ => b"move a4 \xff\xc3(\n",
                    });
                }
                "say" if self.has("ucc") => text = word.text("").replace('/', "\n"),
                "say" => text = word.text(""),
                "illegal" => text = self.nowhere(),
                "bad-setup" => text = format!("setup {}", "F".repeat(self.squares)),
                "resign" => text = "resign".to_owned(),
                "trailing-words" => text = format!("{text} {}", word.text("go quit")),
                "two-answers" => {
                    let first = if word.value == "illegal" { self.nowhere() } else { text.clone() };
                    return write(format!("{first}\n{text}\n").as_bytes());
                }
                "never-read" | "read-late" => return self.play_blind(word.name == "never-read"),
                _ => {}
            }
        }
        if self.at("early-half", when).is_some() {
            text = " a4 a5".to_owned();
        }
        if self.at("early-half", when.next()).is_some() {
            // In one write: the standard library makes two of a line and a half.
            let both = format!("{text}\nmove");
            let written = rustix::io::write(std::io::stdout(), both.as_bytes());
            assert_eq!(written, Ok(both.len()), "a pipe takes so little whole");
            return;
        }
        match self.at("early", when.next()).map(|early| early.when) {
            None => self.send(&text),
            // In one write, lest the question comes between the two.
            Some(When::Turn(_)) if self.has("ucc") => {
                let _ = rustix::io::write(std::io::stdout(), format!("{text}\n0 3 DOWN\n").as_bytes());
            }
            Some(When::Turn(_)) => {
                self.send(&text);
                self.send("move a4 a5");
            }
            Some(When::Setup) => write(format!("{text}\nsetup early\n").as_bytes()),
            Some(_) => write(format!("{text}\nreadyok\n").as_bytes()),
        }
    }

    /// An illegal move: a piece of its own to where it stands.
    fn nowhere(&self) -> String {
        let from = from_to(&self.legal[0]).0;
        format!("move {from} {from}")
    }

    /// A move of one step, red's lowest or blue's highest, so that the two of a game never meet.
    fn shuttle(&mut self) -> String {
        let legal = &self.legal;
        let step = |m: &&String| {
            let ((a, b), number) = (from_to(m), |s: &str| s[1..].parse::<i32>().unwrap_or(0));
            let files = i32::from(a.as_bytes()[0]) - i32::from(b.as_bytes()[0]);
            files == 0 && (number(a) - number(b)).abs() == 1
        };
        let chosen = match self.back.take().filter(|back| legal.contains(back)) {
            Some(back) => back,
            None if self.colour_red => legal.iter().find(step).unwrap_or(&legal[0]).clone(),
            None => legal.iter().rfind(step).unwrap_or(&legal[0]).clone(),
        };
        let (from, to) = from_to(&chosen);
        self.back = Some(format!("{to}{from}"));
        chosen
    }

    /// Answers without reading: that something more waits in the input is another question.
    fn play_blind(&mut self, for_ever: bool) {
        let mut mv = self.shuttle();
        let mut seen = waiting();
        loop {
            self.send(&format!("move {mv}"));
            let (from, to) = from_to(&mv);
            mv = format!("{to}{from}");
            let mut idle = 0;
            loop {
                let now = waiting();
                if now > seen {
                    seen = now;
                    break;
                }
                idle += 1;
                // Full: another question does not fit, though the pipe counts whole pages.
                if !for_ever && seen > 56 * 1024 && idle > 2000 {
                    SLOWLY.store(true, Ordering::Relaxed);
                    self.back = Some(mv);
                    return write(format!("info {seen} bytes were not read\n").as_bytes());
                }
                sleep(Duration::from_micros(100));
            }
            self.answered += 1;
        }
    }

    fn deployment(&mut self) -> String {
        let mut squares = Vec::new();
        if self.has("deploys-by-name") && self.rules.contains(" rules=isf ") {
            self.army = "F1,B6,S1,28,35,44,54,64,73,82,91,M1".to_owned();
        }
        for part in self.army.clone().split(',') {
            let count = part[1..].parse().expect("an army's counts are numbers");
            squares.extend(std::iter::repeat_n(part.as_bytes()[0] as char, count));
        }
        squares.resize(self.squares, '.');
        for i in (1..squares.len()).rev() {
            let j = self.below(i + 1);
            squares.swap(i, j);
        }
        squares.into_iter().collect()
    }

    fn new_game(&mut self, rest: &str) {
        let (mut rows, mut width) = (0, 0);
        for (key, value) in rest.split(' ').filter_map(|pair| pair.split_once('=')) {
            match key {
                "colour" => self.colour_red = value == "red",
                "seed" => self.random = value.parse::<u64>().expect("a seed is a number") | 1 << 63,
                "board" => width = value.split_once('x').map_or(0, |(w, _)| w.parse().unwrap_or(0)),
                "rows" => rows = value.parse().expect("rows is a number"),
                "army" => self.army = value.to_owned(),
                _ => {}
            }
        }
        self.squares = rows * width;
        (self.turn, self.back, self.moved) = (0, None, 0);
        self.rules = format!("{rest} ");
        self.games += 1;
        if self.find("tires").is_some_and(|tires| tires.value == self.games.to_string())
            || (self.has("assumes-red-first") && rest.contains("first=blue"))
        {
            std::process::exit(7);
        }
        if self.has("moody") {
            #[allow(clippy::disallowed_methods)] // a bot may ask what time it is
            let now =
                std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a late time");
            self.random ^= u64::from(now.subsec_nanos()) << 20;
        }
    }

    fn hear(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let dies = self.find("dies-at").is_some_and(|dies| line.contains(&dies.text("")));
        if dies && !line.is_empty() {
            std::process::exit(7);
        }
        match word {
            "sbp" => {
                let name = self.find("name").map_or("Fake".to_owned(), |w| w.text("Fake"));
                let wants = self.find("wants").map_or(String::new(), |w| w.value.replace(',', " "));
                // In one write: the banner apart, a handshake is one answer.
                let mut said = vec![format!("want legal {wants}")];
                if !self.has("nameless") {
                    said.extend(["id author Nobody", "id version 1"].map(str::to_owned));
                    said.insert(0, format!("id name {name}"));
                }
                if self.has("breaks") {
                    said.push("want board".to_owned());
                }
                if self.has("moody") {
                    said.push("feature deterministic".to_owned());
                }
                if self.has("options") {
                    let types = [
                        "Depth type spin default 4 min 1 max 9",
                        "Style type combo default calm var calm var bold as brass",
                        "Learn type check default false",
                        "Book File type string default",
                        "Clear Cache type button",
                    ];
                    said.extend(types.map(|option| format!("option name {option}")));
                }
                said.extend(self.find("greets").map(|greets| greets.text("")));
                let said: Vec<String> = said.iter().map(|text| self.line(text.trim())).collect();
                write(said.concat().as_bytes());
                self.answer(When::Start, "ok".to_owned());
            }
            "isready" => self.answer(When::Ready, "readyok".to_owned()),
            "newgame" => self.new_game(rest),
            "setup" if rest.is_empty() => {
                let setup = self.deployment();
                self.answer(When::Setup, format!("setup {setup}"));
            }
            "setup" if rest.starts_with("assigned") && self.has("answers-assigned") => {
                let own = rest.replace("assigned ", "");
                self.send(&format!("setup {own}"));
            }
            "moved" => {
                self.moved += 1;
                let words: Vec<&str> = rest.split(' ').collect();
                if (words[0] == "red") == self.colour_red {
                    self.last = format!("move {}{}", words[1], words[2]);
                }
                let forgets = self.has("short-memory") && self.moved > 3000;
                if forgets || (self.has("needs-start") && self.turn == 0 && self.moved > 1) {
                    std::process::exit(7);
                }
            }
            "board" => {
                let rows = rest.split(' ').next().unwrap_or_default();
                self.board = rows.split('/').map(|row| row.chars().collect()).collect();
            }
            "illegal" => self.refused = true,
            "legal" => self.legal = rest.split(' ').map(str::to_owned).collect(),
            "drawoffer" => self.draw_offered = true,
            "go" if self.answered > 0 => self.answered -= 1,
            "go" => self.go(),
            "quit" => self.quit(),
            _ => {}
        }
    }

    /// A line of the UCC league's manager.
    fn hear_ucc(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "QUIT" => self.quit(),
            "RED" | "BLUE" => {
                self.colour_red = words[0] == "RED";
                let rows = ["FB8sB479B8", "BB31555583", "6724898974", "967B669999"];
                let order: [usize; 4] = if self.colour_red { [0, 1, 2, 3] } else { [3, 2, 1, 0] };
                self.answer(When::Setup, order.map(|row| rows[row]).join("\n"));
            }
            _ if line.len() == 10 && words.len() == 1 => {
                self.rows.push(line.as_bytes().to_vec());
                if self.rows.len() == 10 {
                    let rows = std::mem::take(&mut self.rows);
                    self.turn += 1;
                    let good = self.step(&rows);
                    self.answer(When::Turn(self.turn), good);
                }
            }
            // Moves are told on the board as well.
            _ => {}
        }
    }

    /// Any step of one square on a board of the UCC league.
    fn step(&mut self, rows: &[Vec<u8>]) -> String {
        let at = |x: i32, y: i32| rows.get(y as usize).and_then(|row| row.get(x as usize)).copied();
        let mut steps = Vec::new();
        for (x, y) in (0..100).map(|square| (square % 10, square / 10)) {
            if at(x, y).is_some_and(|c| b"123456789s".contains(&c)) {
                for (word, dx, dy) in [("UP", 0, -1), ("DOWN", 0, 1), ("LEFT", -1, 0), ("RIGHT", 1, 0)] {
                    if matches!(at(x + dx, y + dy), Some(b'.' | b'#')) {
                        steps.push(format!("{x} {y} {word}"));
                    }
                }
            }
        }
        let n = self.below(steps.len());
        steps.swap_remove(n)
    }

    fn go(&mut self) {
        if self.refused {
            if self.has("stubborn") {
                self.refused = false;
                return self.send(&self.last);
            }
            let last = self.last.trim_start_matches("move ").to_owned();
            if self.legal.len() > 1 {
                self.legal.retain(|mv| *mv != last);
            }
        }
        self.turn += 1;
        if self.has("beats") {
            let file = format!("{}/beats", std::env::var("TMPDIR").expect("a scratch folder"));
            let now = std::fs::metadata(&file).map_or(0, |meta| meta.len());
            write(format!("info {} beats\n", now.saturating_sub(self.beats)).as_bytes());
            self.beats = now;
            if self.turn == 1 {
                start_own(&["beat", &file]);
            }
        }
        if let Some(toils) = self.find("toils").map(Word::number) {
            let done = self.toilers.as_ref().map_or(0, |file| file.metadata().expect("its file").len());
            write(format!("info {} pieces\n", done - self.beats).as_bytes());
            self.beats = done;
            self.toilers.get_or_insert_with(|| start_toilers(toils));
        }
        if let Some(toil) = self.find("toil") {
            let span = toil.span();
            let rest = std::thread::spawn(move || sleep(span));
            let mut pieces = 0;
            while !rest.is_finished() {
                piece_of_work();
                pieces += 1;
            }
            write(format!("info {pieces} pieces\n").as_bytes());
        }
        let offered = std::mem::take(&mut self.draw_offered);
        if let Some(slow) = self.find("slow") {
            sleep(slow.span());
        }
        let text = if offered && self.has("accept-draw") {
            "draw".to_owned()
        } else {
            let mv = if let Some(wrong) = self.wrong_move() {
                wrong
            } else if self.has("shuttle") {
                self.shuttle()
            } else if self.has("answers-fast") {
                self.legal[0].clone()
            } else {
                let n = self.below(self.legal.len());
                self.legal[n].clone()
            };
            let offer = if self.has("offer-draw") { " offer-draw" } else { "" };
            format!("move {mv}{offer}")
        };
        self.refused = false;
        self.last.clone_from(&text);
        if let Some(thinks) = self.find("thinks") {
            let (span, line) = (thinks.span(), self.line(&text));
            std::thread::spawn(move || {
                sleep(span);
                write(line.as_bytes());
            });
            return;
        }
        self.answer(When::Turn(self.turn), text);
    }

    /// A move that breaks the clause it is to break, where there is one.
    fn wrong_move(&self) -> Option<String> {
        let breaks = self.find("breaks").filter(|breaks| breaks.when <= When::Turn(self.turn))?;
        if self.refused {
            return None;
        }
        let files = "abcdefghiklmnopqrstuvwxyz".as_bytes();
        let (height, width) = (self.board.len(), self.board.first().map_or(0, Vec::len));
        let name = |(file, rank): (usize, usize)| format!("{}{}", files[file] as char, rank + 1);
        if breaks.value == "off-board" {
            return Some(format!("{}{}", name((0, 0)), name((0, height))));
        }
        if breaks.value == "rescue" {
            let on = !self.rules.contains(" rescue=off ");
            return on.then(|| format!("{} rescue B {}", self.legal[0], name((0, 0))));
        }
        let squares = || (0..height).flat_map(|rank| (0..width).map(move |file| (file, rank)));
        let mut pairs = squares().flat_map(|from| squares().map(move |to| (from, to)));
        pairs
            .find(|&(from, to)| self.breach(from, to, &format!("{}{}", name(from), name(to))) == breaks.value)
            .map(|(from, to)| format!("{}{}", name(from), name(to)))
    }

    /// Which clause a move breaks, in the order of the specification; the repetition rules as `legal` shows them.
    fn breach(&self, from: (usize, usize), to: (usize, usize), mv: &str) -> &'static str {
        let height = self.board.len();
        let at = |(file, rank): (usize, usize)| self.board[height - 1 - rank][file];
        let own = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        let (piece, target) = (at(from), at(to));
        let distance = from.0.abs_diff(to.0) + from.1.abs_diff(to.1);
        let between = |n: usize| {
            let step = |a: usize, b: usize| if a < b { a + n } else { a - n.min(a) };
            (
                if from.0 == to.0 { from.0 } else { step(from.0, to.0) },
                if from.1 == to.1 { from.1 } else { step(from.1, to.1) },
            )
        };
        // Whether the move goes back over the way of its last one.
        let back = || {
            let (a, b) = from_to(self.last.trim_start_matches("move ").split(' ').next().unwrap_or_default());
            let (file, rank) =
                (|name: &str| name.as_bytes()[0], |name: &str| name[1..].parse::<i32>().unwrap_or(0));
            let (from, to) = from_to(mv);
            let line = if file(a) == file(b) { file(from) == file(to) } else { rank(from) == rank(to) };
            let ahead = (rank(b) - rank(a)) * (rank(to) - rank(from))
                + (i32::from(file(b)) - i32::from(file(a))) * (i32::from(file(to)) - i32::from(file(from)));
            b == from && line && ahead < 0
        };
        match () {
            () if piece == '.' || piece == '~' => "no-piece",
            () if !own(piece) => "not-yours",
            () if piece == 'B' || piece == 'F' => "immobile",
            () if from == to => "same-square",
            () if target == '~' => "lake",
            () if own(target) => "own-piece",
            () if from.0 != to.0 && from.1 != to.1 => "not-straight",
            () if distance > 1 && piece != '2' => "too-far",
            () if (1..distance).any(|n| at(between(n)) != '.') => "blocked",
            () if distance > 1 && target != '.' && self.rules.contains("scout-strike=adjacent") => {
                "strike-far"
            }
            () if self.legal.iter().any(|legal| legal == mv) => "",
            () if self.last.len() > 8 && back() => "two-squares",
            () => "chase",
        }
    }

    /// `quit`, or the end of the input.
    fn quit(&self) {
        if self.has("spin-after-quit") {
            loop {
                std::hint::spin_loop();
            }
        }
        if self.has("ignore-quit") {
            park();
        }
        std::process::exit(0);
    }
}

/// Starts its own program once more, with these words; what cannot be started is left.
#[allow(clippy::zombie_processes)] // they are to outlive us
fn start_own(args: &[&str]) {
    let program = std::env::current_exe().expect("its own file");
    let _ = Command::new(program).args(args).stdin(Stdio::null()).stdout(Stdio::null()).spawn();
}

/// About a millisecond of a processor.
fn piece_of_work() {
    for n in 0..1_000_000u64 {
        std::hint::black_box(n);
    }
}

/// Starts so many processes that work for ever, and add a byte to a file for each piece of work.
fn start_toilers(count: usize) -> std::fs::File {
    let path = std::env::temp_dir().join(format!("toilers-{}", std::process::id()));
    let file = std::fs::File::options().create(true).append(true).open(&path).expect("a file");
    let _ = std::fs::remove_file(path);
    for _ in 0..count {
        let program = std::env::current_exe().expect("its own file");
        let own = file.try_clone().expect("a descriptor");
        let _ = Command::new(program).arg("toil").stdin(Stdio::null()).stdout(own).spawn();
    }
    file
}

/// Fills so many megabytes, and holds them.
fn hog(megabytes: usize) -> ! {
    let mut held = Vec::new();
    for n in 0..megabytes {
        held.push(vec![n as u8 | 1; 1 << 20]);
        sleep(Duration::from_millis(1));
    }
    park()
}

/// Writes so many megabytes to its scratch folder. An error there is no reason to end.
fn fill(megabytes: usize, one: bool) -> ! {
    let folder = std::env::var("TMPDIR").expect("a scratch folder");
    for n in 0..megabytes {
        let name = format!("{folder}/{}", if one { 0 } else { n });
        let file = std::fs::File::options().create(true).append(true).open(name);
        let _ = file.and_then(|mut file| file.write_all(&[1; 1 << 20]));
        sleep(Duration::from_millis(1));
    }
    park()
}

/// The two squares of a move in one word.
fn from_to(mv: &str) -> (&str, &str) {
    if mv.is_empty() {
        return ("", "");
    }
    let second = mv[1..].find(|c: char| c.is_ascii_lowercase()).map_or(mv.len(), |at| at + 1);
    mv.split_at(second)
}

#[allow(clippy::zombie_processes)] // it is to outlive us
fn fork_child(how: &str, args: &[String]) {
    let program = std::env::current_exe().expect("its own file");
    let mut child = Command::new(program);
    child.arg(match how {
        "" => "linger",
        "twice" => "fork-again",
        _ => "linger-alone",
    });
    if how == "wiped" || how == "twice" {
        child.env_clear();
    }
    child.args(args).stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = child.spawn().expect("a child can be started");
    if how == "twice" {
        child.wait().expect("it exits at once");
    }
}

/// Runs a program as on a machine that lacks something: `without unshare|landlock PROGRAM ARG…`.
#[cfg(target_os = "linux")]
fn without(what: &str, program: &[String]) -> ! {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};
    let (calls, errno): (&[i64], i32) = match what {
        "unshare" => (&[libc::SYS_unshare], libc::EPERM),
        "mount" => (&[libc::SYS_mount], libc::EPERM),
        "landlock" => (&[libc::SYS_landlock_create_ruleset], libc::ENOSYS),
        _ => panic!("fake-bot: `without {what}` is not known"),
    };
    let rules = calls.iter().map(|&call| (call, Vec::new())).collect();
    let arch = TargetArch::try_from(std::env::consts::ARCH).expect("a known processor");
    let action = SeccompAction::Errno(errno.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch).expect("a filter");
    apply_filter(&BpfProgram::try_from(filter).expect("a program")).expect("filters are there");
    let error = Command::new(&program[0]).args(&program[1..]).exec();
    panic!("fake-bot: {}: {error}", program[0]);
}

fn main() {
    #[cfg(target_os = "linux")]
    if std::env::args().nth(1).as_deref() == Some("without") {
        let words: Vec<String> = std::env::args().skip(2).collect();
        without(&words[0], &words[1..]);
    }
    std::thread::spawn(|| {
        sleep(Duration::from_secs(180));
        std::process::exit(99);
    });
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("linger") => park(),
        Some("beat") => {
            let _ = rustix::process::setsid();
            let mut file =
                std::fs::File::options().create(true).append(true).open(&args[1]).expect("its file");
            while file.write_all(b".").is_ok() {
                sleep(Duration::from_millis(1));
            }
            park();
        }
        Some("wake") => loop {
            let _ = rustix::process::kill_current_process_group(rustix::process::Signal::CONT);
        },
        Some("toil") => {
            // Some systems share out a core by sessions.
            let _ = rustix::process::setsid();
            loop {
                piece_of_work();
                std::io::stdout().write_all(b".").and_then(|()| std::io::stdout().flush()).expect("its file");
            }
        }
        Some("hogs") => hog(args[1].parse().expect("megabytes")),
        Some("fork-again") => return fork_child("setsid", &args[1..]),
        Some("linger-alone") => {
            let _ = rustix::process::setsid();
            park();
        }
        _ => {}
    }
    let mut words: Vec<Word> = args.iter().map(|text| Word::read(text)).collect();
    if let Some(at) = words.iter().position(|w| w.name == "from-start") {
        let (first, path) = words[at].value.split_once(',').expect("from-start:N,FILE");
        let mut file = std::fs::File::options().create(true).append(true).open(path).expect("its file");
        file.write_all(b".").expect("its file can be written");
        let starts = file.metadata().expect("its file").len();
        if starts < first.parse().expect("from-start:N,FILE") {
            words.clear();
        }
    }
    let mut bot = Bot {
        words: words.into(),
        colour_red: true,
        turn: 0,
        random: 1,
        army: String::new(),
        squares: 0,
        legal: Vec::new(),
        rows: Vec::new(),
        draw_offered: false,
        back: None,
        answered: 0,
        beats: 0,
        toilers: None,
        rules: String::new(),
        games: 0,
        moved: 0,
        board: Vec::new(),
        last: String::new(),
        refused: false,
    };
    if bot.has("odd-name") {
        rustix::thread::set_name(c"\xff) Z 1").expect("it may have any name");
    }
    if bot.has("wakes") {
        start_own(&["wake"]);
    }
    if bot.has("leaves-group") {
        let program = std::env::current_exe().expect("its own file");
        let child = Command::new(program).arg("linger").stdout(Stdio::null()).process_group(0).spawn();
        let child = rustix::process::Pid::from_child(&child.expect("a child"));
        // Who leads a session cannot.
        let _ = rustix::process::setpgid(None, Some(child));
    }
    if bot.has("ignore-term") && std::env::var_os("FAKE_BOT_TERM").is_none() {
        // A signal that is ignored stays ignored through exec: the one way to it that is safe Rust.
        let error = Command::new("/bin/sh")
            .args(["-c", "trap '' TERM; exec \"$0\" \"$@\""])
            .arg(std::env::current_exe().expect("its own file"))
            .args(&args)
            .env("FAKE_BOT_TERM", "ignored")
            .exec();
        panic!("fake-bot: no shell: {error}");
    }
    if let Some(word) = bot.find("reads")
        && let Err(error) = std::fs::read(&word.value)
    {
        eprintln!("{}: {error}", word.value);
        std::process::exit(1);
    }
    if let Some(word) = bot.find("fork-child") {
        fork_child(&word.value, &args);
    }
    if bot.has("unlink-self") {
        let own = std::env::current_exe().expect("its own file");
        std::fs::remove_file(own).expect("its own file can be deleted");
    }
    #[cfg(target_os = "linux")]
    if bot.has("small-pipe") {
        let _ = rustix::pipe::fcntl_setpipe_size(std::io::stdin(), 4096);
    }
    if bot.has("banner") {
        write(b"info Fake bot, all wrongs reserved\n\n  info   loading \xe2\x99\x9e\n");
    }
    if bot.has("reads-chunks") {
        let mut chunk = vec![0; 1 << 17];
        loop {
            match rustix::io::read(std::io::stdin(), &mut chunk[..]) {
                Ok(count) if count > 0 => {
                    let text = String::from_utf8_lossy(&chunk[..count]).into_owned();
                    text.lines().for_each(|line| bot.hear(line));
                }
                _ => bot.quit(),
            }
        }
    }
    let mut input = BufReader::new(Input);
    let mut line = String::new();
    loop {
        line.clear();
        match input.read_line(&mut line) {
            Ok(0) | Err(_) => bot.quit(),
            Ok(_) if bot.has("ucc") => bot.hear_ucc(line.trim_end()),
            Ok(_) => bot.hear(line.trim_end()),
        }
    }
}
