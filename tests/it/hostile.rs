//! The real binary against bots that misbehave: the verdict, what it says, and that nothing is left behind.
//!
//! No test measures time. Each uses settings under which only the right mechanism can end the game: no clock where a
//! death is to be noticed, a short clock where a deadline is. Every run must end by itself, and with it every process
//! of its bots, which each test asks of the system.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use arbiter::clock::Stamp;
use arbiter::record::{GameRecord, check_line};
use arbiter::runtime::Watch;
use tempfile::TempDir;

use crate::fake::fake_bot;
use crate::machine::Machine;

/// Long enough for any machine: a run that takes it hangs.
const GUARD: Duration = Duration::from_secs(120);

/// An event to be played in a folder of its own.
pub struct Arena {
    machine: Machine,
    dir: TempDir,
    bots: Vec<(String, Vec<String>)>,
    /// More lines of each bot's registry entry.
    granted: String,
    options: BTreeMap<String, String>,
    flags: Vec<String>,
}

impl Arena {
    pub fn new() -> Arena {
        let dir = tempfile::Builder::new().prefix("hostile-").tempdir().expect("a temp folder");
        // Whoever the arbiter runs as is to write there.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).expect("its mode");
        let options = [
            ("--rules", "duel"),
            ("--max-plies", "40"),
            ("--seed", "1"),
            ("--affinity", "none"),
            ("--move-time", "60s"),
            ("--setup-time", "60s"),
            ("--start-timeout", "60s"),
        ];
        Arena {
            machine: Machine::Whole,
            dir,
            bots: Vec::new(),
            granted: String::new(),
            options: options.map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
            flags: Vec::new(),
        }
    }

    /// Red is the bot of these words, Blue one that behaves.
    pub fn hostile(words: &str) -> Arena {
        Arena::new().bot("hostile", words).bot("good", "")
    }

    /// A mark in the command line of every process of a bot.
    pub fn tag(&self) -> String {
        let name = self.dir.path().file_name().expect("a temp folder has a name");
        format!("tag:{}", name.to_string_lossy())
    }

    /// On another machine than this one.
    pub fn on(self, machine: Machine) -> Arena {
        Arena { machine, ..self }
    }

    pub fn bot(self, name: &str, words: &str) -> Arena {
        self.program(name, fake_bot(), words)
    }

    pub fn program(mut self, name: &str, program: &Path, words: &str) -> Arena {
        let mut argv = vec![program.to_str().expect("a path in UTF-8").to_owned()];
        argv.extend(words.split_whitespace().map(str::to_owned));
        argv.push(self.tag());
        self.bots.push((name.to_owned(), argv));
        self
    }

    /// Adds to the registry entry of each bot.
    pub fn entry(mut self, lines: &str) -> Arena {
        self.granted += lines;
        self
    }

    /// Lets bots write in the folder that holds the event.
    fn writable(self) -> Arena {
        let line = format!("write = [{:?}]\n", self.dir.path());
        self.entry(&line)
    }

    pub fn set(mut self, option: &str, value: &str) -> Arena {
        if option == "--time" {
            self.options.remove("--move-time");
        }
        self.options.insert(option.to_owned(), value.to_owned());
        self
    }

    pub fn flag(mut self, flag: &str) -> Arena {
        self.flags.push(flag.to_owned());
        self
    }

    pub fn out(&self) -> PathBuf {
        self.dir.path().join("event")
    }

    /// The command: `play` for two bots, `tournament` for more.
    pub fn command(&self) -> Command {
        let registry = self.dir.path().join("bots.toml");
        let entries: String =
            self.bots.iter().map(|(name, argv)| entry(name, argv) + &self.granted).collect();
        fs::write(&registry, entries).expect("a registry can be written");
        let mut command = self.machine.command(Path::new(env!("CARGO_BIN_EXE_arbiter")));
        if let [(red, _), (blue, _)] = &self.bots[..] {
            command.args(["play", red, blue]);
        } else {
            command.arg("tournament");
            self.bots.iter().for_each(|(name, _)| {
                command.args(["--bot", name]);
            });
        }
        command
            .arg("--bots")
            .arg(registry)
            .arg("--out")
            .arg(self.out())
            .args(self.options.iter().flat_map(|(k, v)| [k, v]))
            .args(&self.flags)
            .env("NO_COLOR", "1")
            .env_remove("ARBITER_LOG");
        command
    }

    /// A file of the event.
    pub fn read(&self, name: &str) -> String {
        let path = self.out().join(name);
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    pub fn play(self) -> Run {
        let output = assert_cmd::Command::from(self.command())
            .timeout(GUARD)
            .output()
            .expect("the arbiter can be run");
        let stderr = String::from_utf8(output.stderr).expect("what it says is UTF-8");
        let exit = output.status.code().unwrap_or_else(|| panic!("the run hung or was killed:\n{stderr}"));
        nothing_survives(&self.tag());
        let games = match fs::read_to_string(self.out().join("games.jsonl")) {
            Err(_) => Vec::new(),
            Ok(text) => text
                .lines()
                .map(|line| {
                    check_line(line).expect("a line's checksum fits");
                    GameRecord::from_line(line).expect("a line is a record")
                })
                .collect(),
        };
        Run { out: self.out(), exit, stderr, games, _dir: self.dir }
    }

    /// Plays one game that Red loses by a fault.
    pub fn loses(self) -> Fault {
        let run = self.play();
        assert_eq!(run.exit, 0, "{}", run.stderr);
        let [game] = &run.games[..] else { panic!("one game was planned, {} were logged", run.games.len()) };
        assert_eq!(game.result, "blue", "{game:?}");
        let [fault] = &game.faults[..] else { panic!("one fault: {game:?}") };
        assert_eq!(fault.side, "red");
        assert_eq!(game.clause.as_deref(), Some(&*fault.clause));
        assert!(!fault.evidence.contains(char::is_control), "{}", fault.evidence);
        Fault {
            clause: fault.clause.clone(),
            reason: game.reason.clone(),
            evidence: fault.evidence.clone(),
            stderr: fault.stderr.join("\n"),
            plies: game.plies,
            run,
        }
    }

    /// Plays one game that ends without a fault.
    pub fn accepted(self) -> Run {
        let run = self.play();
        assert_eq!(run.exit, 0, "{}", run.stderr);
        let [game] = &run.games[..] else { panic!("one game was planned, {} were logged", run.games.len()) };
        assert!(game.faults.is_empty(), "{:?}", game.faults);
        run
    }

    /// A run that is refused because a bot cannot start: nothing is recorded.
    pub fn refused(self) -> String {
        let run = self.play();
        assert_eq!(run.exit, 3, "{}", run.stderr);
        assert!(!run.out.exists(), "a refused run leaves no folder");
        run.stderr
    }
}

/// A bot's table in the registry.
fn entry(name: &str, argv: &[String]) -> String {
    let proto = if argv.iter().any(|word| word == "ucc") { "ucc" } else { "sbp" };
    format!("[bots.{name}]\nargv = {argv:?}\nproto = {proto:?}\n")
}

/// A run that came to its end.
pub struct Run {
    pub out: PathBuf,
    pub exit: i32,
    pub stderr: String,
    pub games: Vec<GameRecord>,
    _dir: TempDir,
}

impl Run {
    pub fn text(&self, path: &str) -> String {
        let path = self.out.join(path);
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// What a bot of the only game was sent.
    pub fn sent_to(&self, side: &str) -> String {
        let wire = self.text(&format!("wire/1.1.1-{side}.txt"));
        let sent = wire.lines().filter_map(|line| line.strip_prefix("> "));
        sent.map(|line| format!("{line}\n")).collect()
    }
}

/// How Red lost a game.
pub struct Fault {
    clause: String,
    reason: String,
    evidence: String,
    stderr: String,
    plies: u32,
    pub run: Run,
}

impl Fault {
    /// Checks the clause, its reason, and that the evidence has these words.
    #[track_caller]
    pub fn is(self, clause: &str, reason: &str, words: &[&str]) -> Fault {
        assert_eq!((&*self.clause, &*self.reason), (clause, reason), "{}", self.evidence);
        has(&self.evidence, words);
        self
    }

    #[track_caller]
    pub fn last_words(self, words: &[&str]) -> Fault {
        has(&self.stderr, words);
        self
    }

    #[track_caller]
    pub fn after(self, plies: u32) -> Fault {
        assert_eq!(self.plies, plies);
        self
    }
}

#[track_caller]
pub fn has(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "`{word}` is missing in:\n{text}");
    }
}

/// The processes with a mark in their command line.
pub fn marked(tag: &str) -> Vec<String> {
    marked_pids(tag).into_iter().map(|(_, command)| command).collect()
}

/// The same with their numbers.
fn marked_pids(tag: &str) -> Vec<(i32, String)> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let command = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.ok()?;
        let text = fs::read(entry.path().join("cmdline")).ok()?;
        let pid = entry.file_name().to_str()?.parse().ok()?;
        Some((pid, String::from_utf8_lossy(&text).replace('\0', " ")))
    };
    entries.filter_map(command).filter(|(_, text)| text.contains(tag)).collect()
}

/// Plays while each bot's stub is stopped until its bot has been gone for a while: a machine that is late to tell how a
/// process ended. Nothing where a bot has no stub above it.
fn told_late(arena: Arena) -> Fault {
    use rustix::process::{Pid, Signal, kill_process};
    let stat = |pid: i32| {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let mut words = text.rsplit_once(')')?.1.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.parse::<i32>().ok()?))
    };
    let inside = |pid: i32| {
        let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains("__launch-inside")
    };
    // Only then has it let go of the bot's pipes.
    let apart =
        |pid: i32| fs::read_link(format!("/proc/{pid}/fd/2")).is_ok_and(|to| to == Path::new("/dev/null"));
    let meddle = |tag: &str, over: &AtomicBool| {
        let watch = Watch::start();
        let mut stopped: BTreeMap<i32, (i32, Option<Stamp>)> = BTreeMap::new();
        let (mut seen, mut late) = (0, 0);
        while !over.load(Ordering::Relaxed) {
            let bots = marked_pids(tag).into_iter().filter(|(_, command)| !command.contains("__launch"));
            for (bot, _) in bots {
                let Some(stub) = stat(bot).map(|(_, stub)| stub).filter(|&stub| inside(stub)) else {
                    continue;
                };
                seen += 1;
                if apart(stub) && !stopped.contains_key(&stub) {
                    let _ = kill_process(Pid::from_raw(stub).expect("a number"), Signal::STOP);
                    stopped.insert(stub, (bot, None));
                }
            }
            stopped.retain(|&stub, (bot, since)| {
                let gone = stat(*bot).is_none_or(|(state, _)| state == "Z");
                let since = gone.then(|| *since.get_or_insert(watch.now()));
                let goes_on = since.is_some_and(|since| watch.now().since(since) >= Duration::from_secs(3));
                if goes_on {
                    late += 1;
                    let _ = kill_process(Pid::from_raw(stub).expect("a number"), Signal::CONT);
                }
                !goes_on
            });
            sleep(Duration::from_millis(5));
        }
        (seen, late)
    };
    let (tag, over) = (arena.tag(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let meddler = scope.spawn(|| meddle(&tag, &over));
        let fault = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| arena.loses()));
        over.store(true, Ordering::Relaxed);
        let (seen, late) = meddler.join().expect("it does not panic");
        let fault = fault.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        if seen == 0 {
            eprintln!("no bot has a stub above it here: this shows nothing");
        } else {
            assert!(late > 0, "no stub was late to tell: this shows nothing");
        }
        fault
    })
}

/// Waits until no process has the mark: what was killed takes its moment to go.
#[track_caller]
pub fn nothing_survives(tag: &str) {
    wait_for(|| marked(tag).is_empty(), || format!("these survive: {:#?}", marked(tag)));
}

#[track_caller]
pub fn wait_for(mut condition: impl FnMut() -> bool, failed: impl Fn() -> String) {
    for _ in 0..2000 {
        if condition() {
            return;
        }
        sleep(Duration::from_millis(5));
    }
    panic!("{}", failed());
}

// ---- The start.

#[test]
fn a_bot_that_hangs_at_its_start_is_refused_by_name_with_program_span_and_last_words() {
    let said = Arena::hostile("last-words:loading_the_model@start hang-at-start")
        .set("--start-timeout", "6s")
        .refused();
    has(&said, &["`hostile`", "time.start", "6.0 s", "fake-bot", "loading the model"]);
}

#[test]
fn a_bot_that_is_silent_at_its_start_is_asked_whether_it_flushes() {
    let mut arena = Arena::hostile("").set("--start-timeout", "6s");
    arena.bots[0].1 = vec!["sleep".to_owned(), "100".to_owned()];
    let said = arena.refused();
    has(&said, &["`hostile`", "time.start", "flush", "wrote nothing to its standard error"]);
}

#[test]
fn a_bot_that_never_says_readyok_is_refused() {
    let said = Arena::hostile("silent@ready").set("--start-timeout", "6s").refused();
    has(&said, &["`hostile`", "time.ready", "6.0 s"]);
}

#[test]
fn half_a_line_in_the_handshake_is_shown_with_a_hint_at_the_newline() {
    let said = Arena::hostile("half-line@ready").set("--start-timeout", "6s").refused();
    has(&said, &["time.ready", "3 bytes", "`rea`", "newline", "flush"]);
}

#[test]
fn a_bot_that_exits_at_its_start_is_refused_at_once_with_status_and_last_words() {
    let said = Arena::hostile("last-words:no_such_model@start exit:3@start").refused();
    has(&said, &["`hostile`", "process.exit", "status 3", "no such model"]);
}

#[test]
fn a_bot_that_crashes_at_its_start_is_refused_with_its_signal() {
    has(&Arena::hostile("crash:segv@start").refused(), &["process.exit", "signal 11 (SIGSEGV)"]);
}

#[test]
fn a_bot_that_closes_its_input_at_its_start_is_refused_at_once() {
    for words in ["close-stdin@start", "close-stdin:300ms@start"] {
        has(&Arena::hostile(words).refused(), &["`hostile`", "closed its standard input"]);
    }
}

#[test]
fn a_bot_that_closes_its_output_at_its_start_is_refused_at_once() {
    has(&Arena::hostile("close-stdout@start").refused(), &["process.exit", "closed its standard output"]);
}

#[test]
fn an_endless_line_in_the_handshake_is_refused() {
    has(&Arena::hostile("flood@start").refused(), &["line.length", "begins with `xxx"]);
}

#[test]
fn readyok_that_came_with_ok_is_no_answer_to_isready() {
    has(&Arena::hostile("early@ready").refused(), &["turn.early", "readyok"]);
}

#[test]
fn a_program_that_is_missing_is_refused() {
    let said = Arena::new().program("hostile", Path::new("./missing"), "").bot("good", "").refused();
    has(&said, &["`hostile` cannot start", "./missing", "No such file"]);
}

#[test]
fn a_file_that_is_not_executable_is_refused_with_what_to_do() {
    let arena = Arena::new();
    let program = arena.dir.path().join("plain");
    fs::write(&program, "#!/bin/sh\n").expect("a file");
    let said = arena.program("hostile", &program, "").bot("good", "").refused();
    has(&said, &["`hostile` cannot start", "not executable", "chmod +x"]);
}

fn script(path: &Path, text: &str) {
    fs::write(path, text).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its mode");
}

#[test]
fn a_script_whose_interpreter_is_missing_is_refused_with_a_hint_at_its_first_line() {
    let arena = Arena::new();
    let program = arena.dir.path().join("bot.script");
    script(&program, "#!/no/such/interpreter\n");
    let said = arena.program("hostile", &program, "").bot("good", "").refused();
    has(&said, &["process.spawn", "cannot execute", "interpreter in its first line"]);
}

#[test]
fn a_script_that_names_no_interpreter_is_refused_with_what_the_shell_makes_of_it() {
    let arena = Arena::new();
    let program = arena.dir.path().join("bot.script");
    script(&program, "print('ok')\n");
    let said = arena.program("hostile", &program, "").bot("good", "").refused();
    has(&said, &["`hostile` cannot start", "bot.script", "yntax error"]);
}

#[test]
fn a_folder_is_no_program() {
    let arena = Arena::new();
    let folder = format!("{}/", arena.dir.path().display());
    let said = arena.program("hostile", Path::new(&folder), "").bot("good", "").refused();
    has(&said, &["`hostile` cannot start", "is a folder"]);
}

#[test]
fn a_path_with_blanks_and_quotes_is_a_path() {
    let arena = Arena::new();
    let folder = arena.dir.path().join("my 'best' bots");
    fs::create_dir(&folder).expect("a folder");
    let program = folder.join("fake \"bot\"");
    symlink(fake_bot(), &program).expect("a link");
    arena.program("blanks", &program, "").bot("good", "").accepted();
}

#[test]
fn a_program_is_found_in_a_relative_folder_and_refused_with_a_trailing_slash() {
    let arena = Arena::new();
    fs::create_dir(arena.dir.path().join("near")).expect("a folder");
    symlink(fake_bot(), arena.dir.path().join("near/bot")).expect("a link");
    // As words of a command line, relative to where it is given.
    let play = |program: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        let words = ["--rules", "duel", "--max-plies", "40", "--seed", "1", "--out", "event"];
        command.args(["play", program, program]).args(words).current_dir(arena.dir.path());
        command.output().expect("the arbiter can be run")
    };
    let refused = play("near/../near/bot/");
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    has(&String::from_utf8_lossy(&refused.stderr), &["cannot start", "near/bot/"]);
    assert!(!arena.out().exists(), "a refused run leaves no folder");
    let played = play("near/../near/bot");
    assert_eq!(played.status.code(), Some(0), "{played:?}");
}

#[test]
fn a_bot_in_python_that_does_not_flush_is_told_so() {
    let arena = Arena::new();
    let bot = arena.dir.path().join("bot.py");
    let text = "import sys\nfor line in sys.stdin:\n    print('ok' if line == 'sbp\\n' else 'readyok')\n";
    fs::write(&bot, text).expect("a script");
    let mut arena = arena.bot("hostile", "").bot("good", "").set("--start-timeout", "6s");
    arena.bots[0].1 =
        ["/usr/bin/python3", bot.to_str().expect("UTF-8"), &arena.tag()].map(str::to_owned).into();
    has(&arena.refused(), &["`hostile`", "time.start", "flush", "in Python: print(…, flush=True)"]);
}

#[test]
fn a_bot_that_cannot_start_for_its_games_forfeits_them_and_the_run_goes_on() {
    let arena = Arena::new();
    let starts = arena.dir.path().join("starts");
    // It starts for the probe, and twice for each game: a retry is the default.
    let words = format!("from-start:2,{} last-words:out_of_licences@start exit:7@start", starts.display());
    let run = arena.writable().bot("hostile", &words).bot("good", "").set("--games", "2").play();
    assert_eq!((run.exit, run.games.len()), (0, 2), "{}", run.stderr);
    for game in &run.games {
        let winner = if game.red == "good" { "red" } else { "blue" };
        assert_eq!((&*game.result, game.clause.as_deref()), (winner, Some("process.exit")));
        has(&game.faults[0].evidence, &["status 7"]);
        assert_eq!(game.faults[0].stderr, ["out of licences"]);
    }
    assert_eq!(fs::metadata(starts).expect("it was started").len(), 5);
}

#[test]
fn a_bot_that_hangs_at_the_start_of_a_game_forfeits_it() {
    let arena = Arena::new();
    let starts = arena.dir.path().join("starts");
    let words = format!("from-start:2,{} hang-at-start", starts.display());
    let arena = arena.writable().bot("hostile", &words).bot("good", "").set("--start-timeout", "6s");
    arena.set("--start-retries", "0").loses().is("time.start", "time", &["6.0 s"]);
}

#[test]
fn a_program_that_vanishes_after_the_probe_forfeits_as_one_that_cannot_start() {
    let arena = Arena::new();
    let program = arena.dir.path().join("copy");
    fs::copy(fake_bot(), &program).expect("a copy");
    arena
        .writable()
        .program("hostile", &program, "unlink-self")
        .bot("good", "")
        .loses()
        .is("process.spawn", "process", &[])
        .last_words(&["cannot execute", "copy"]);
}

// ---- The deployment.

#[test]
fn a_bad_deployment_loses_with_its_count() {
    Arena::hostile("bad-setup").loses().is("setup.count", "illegal-setup", &["flag"]).after(0);
}

#[test]
fn silence_instead_of_a_deployment_is_a_time_fault_of_the_deployment() {
    Arena::hostile("silent@setup").set("--setup-time", "5s").loses().is(
        "time.setup",
        "time",
        &["budget 5000.0 ms", "used", "flush"],
    );
}

#[test]
fn half_a_deployment_and_then_silence_is_hinted_at() {
    Arena::hostile("half-line@setup").set("--setup-time", "5s").loses().is(
        "time.setup",
        "time",
        &["`setup ", "newline"],
    );
}

#[test]
fn a_crash_in_deployment_is_the_bots_own() {
    Arena::hostile("last-words:index_out_of_bounds@setup crash@setup")
        .loses()
        .is("process.exit", "process", &["signal 6 (SIGABRT)"])
        .last_words(&["index out of bounds"]);
}

#[test]
fn a_deployment_that_came_with_readyok_is_too_early() {
    Arena::hostile("early@setup").loses().is("turn.early", "protocol", &["setup early"]);
}

#[test]
fn a_bot_that_floods_while_its_silent_opponent_deploys_does_not_stop_the_clock() {
    let run = Arena::new()
        .bot("flood", "flood:4@setup")
        .bot("silent", "silent@setup")
        .set("--setup-time", "5s")
        .play();
    let game = &run.games[0];
    assert_eq!((&*game.result, &*game.reason), ("both-lose", "double-forfeit"));
    let clauses: Vec<&str> = game.faults.iter().map(|f| &*f.clause).collect();
    assert_eq!(clauses, ["line.length", "time.setup"]);
}

// ---- Lines.

#[test]
fn an_illegal_move_loses_and_is_recorded() {
    let fault = Arena::hostile("illegal@turn3").loses().is("move.same-square", "illegal-move", &[]).after(4);
    assert!(fault.run.games[0].faults[0].attempt.is_some());
}

#[test]
fn a_square_off_the_board_loses() {
    Arena::hostile("say:move_a4_z99").loses().is("move.off-board", "illegal-move", &["z99"]);
}

#[test]
fn a_word_that_the_protocol_does_not_know_loses() {
    Arena::hostile("say:bestmove_a4a5").loses().is("line.unknown", "protocol", &["`bestmove a4a5`"]);
}

#[test]
fn the_answer_to_another_question_loses() {
    Arena::hostile("say:readyok").loses().is("line.unexpected", "protocol", &["`readyok`", "`move`"]);
}

#[test]
fn a_draw_that_nobody_offered_cannot_be_accepted() {
    Arena::hostile("say:draw").loses().is("draw.not-offered", "protocol", &["offer"]);
}

#[test]
fn a_nul_byte_is_named_with_its_place() {
    Arena::hostile("garbage:nul").loses().is(
        "line.bytes",
        "protocol",
        &["byte 5", "NUL", r"`move\x00a4 a5`"],
    );
}

#[test]
fn invalid_utf8_is_named_with_its_byte_and_the_log_stays_valid() {
    Arena::hostile("garbage:utf8@turn2")
        .loses()
        .is("line.bytes", "protocol", &["0xff", r"\xff\xc3("])
        .after(2);
}

#[test]
fn a_control_character_is_named() {
    Arena::hostile("garbage:control").loses().is("line.bytes", "protocol", &["0x1b", r"\x1b[31m"]);
}

#[test]
fn a_carriage_return_inside_a_line_is_named() {
    Arena::hostile("garbage:cr").loses().is("line.bytes", "protocol", &["carriage return"]);
}

#[test]
fn an_endless_line_loses_without_waiting_for_its_end() {
    Arena::hostile("flood@turn2")
        .set("--time", "none")
        .loses()
        .is("line.length", "protocol", &["4096", "begins with `xxx"])
        .after(2);
}

#[test]
fn a_hundred_thousand_lines_are_a_flood() {
    Arena::hostile("lines@turn2")
        .loses()
        .is("line.flood", "protocol", &["1000", "`info line 1000`"])
        .after(2);
}

#[test]
fn a_thousand_lines_in_a_turn_are_no_flood() {
    Arena::hostile("lines:999@turn2").accepted();
}

#[test]
fn more_than_sixty_four_megabytes_in_a_game_are_too_many_though_no_turn_is_a_flood() {
    Arena::hostile("bulk").set("--rules", "isf").loses().is("line.total", "protocol", &["64 MiB"]).after(32);
}

#[test]
fn chatter_without_end_is_a_flood_where_there_is_no_clock() {
    Arena::hostile("chatter@turn2").set("--time", "none").loses().is("line.flood", "protocol", &[]);
}

#[test]
fn a_second_answer_is_a_fault_and_not_the_next_answer() {
    // Blue never answers: only the fault can end the game.
    let arena = Arena::new().bot("hostile", "two-answers").bot("good", "hang");
    arena.set("--time", "none").loses().is("turn.early", "protocol", &["`move ", "no question"]).after(1);
}

#[test]
fn a_second_answer_is_not_taken_for_the_answer_to_a_repeated_question() {
    let arena = Arena::new().bot("hostile", "two-answers:illegal").bot("good", "hang");
    let arena = arena.set("--time", "none").set("--on-illegal", "retry:3");
    arena.loses().is("turn.early", "protocol", &["`move "]).after(0);
}

#[test]
fn an_answer_before_its_question_is_a_fault() {
    let arena = Arena::new().bot("hostile", "early@turn2").bot("good", "hang");
    arena.set("--time", "none").loses().is("turn.early", "protocol", &["`move a4 a5`"]).after(1);
}

#[test]
fn half_an_answer_before_its_question_is_a_fault_though_its_end_came_in_time() {
    let evidence = &["`move` was begun while no question was open"];
    // Noticed when it is to be asked again, which is when its opponent has moved.
    Arena::hostile("early-half@turn2").loses().is("turn.early", "protocol", evidence).after(2);
    // Asked for the deployment, of which half came with `readyok`.
    Arena::hostile("early-half@setup").loses().is("turn.early", "protocol", evidence);
    has(&Arena::hostile("early-half@ready").refused(), &["turn.early", "was begun"]);
}

#[test]
fn words_behind_a_move_are_a_fault_and_reach_nobody() {
    let fault = Arena::hostile("trailing-words:SECRET_quit").flag("--wire").loses();
    let fault = fault.is("move.syntax", "illegal-move", &["SECRET quit"]);
    let sent = fault.run.sent_to("blue");
    assert!(!sent.contains("SECRET") && !sent.contains("quit"), "{sent}");
    has(&sent, &["gameover winner=blue reason=illegal-move\n"]);
}

#[test]
#[cfg(target_os = "linux")]
fn an_exit_that_the_machine_is_late_to_tell_is_no_closed_pipe_and_no_lateness() {
    // It dies while it thinks, and its time is over before its end can be known.
    let arena =
        Arena::hostile("slow:300ms exit:3@turn2").set("--move-time", "2s").set("--time-margin", "100ms");
    told_late(arena).is("process.exit", "process", &["status 3"]).after(2);
    // It is dead when the next question is written, which fails.
    told_late(Arena::hostile("slow:300ms exit-after:3@turn2")).is("process.exit", "process", &["status 3"]);
}

#[test]
#[cfg(target_os = "linux")]
fn who_hangs_up_first_loses_whatever_its_opponent_does_before_that_can_be_told() {
    for second in ["slow:1000ms illegal", "slow:1000ms exit:4"] {
        let arena = Arena::new().bot("first", "slow:500ms exit-after:3@turn1").bot("second", second);
        told_late(arena).is("process.exit", "process", &["status 3"]).after(1);
    }
}

#[test]
fn a_bot_that_ends_on_its_opponents_turn_is_not_stopped_in_its_end() {
    for machine in [Machine::Whole, Machine::Base] {
        let arena = Arena::new().on(machine).bot("ends", "exit-after:3@turn1").bot("thinks", "slow:20000ms");
        arena.flag("--freeze").loses().is("process.exit", "process", &["status 3"]).after(1);
    }
}

#[test]
fn a_bot_that_closed_its_input_and_says_that_it_is_ready_loses_at_its_first_question() {
    let fault = Arena::hostile("blind-ready@start").set("--time", "none").loses();
    fault.is("time.write", "time", &["closed its standard input"]).after(0);
}

#[test]
#[cfg(target_os = "linux")]
fn a_bot_that_dies_in_a_game_of_what_its_sandbox_denies_is_told_what_to_grant() {
    let words = "last-words:PermissionError:_Permission_denied:_'book.txt'@turn2 exit:1@turn2";
    let confined = Arena::hostile(words).loses();
    confined.is("process.exit", "process", &["status 1; it is confined", "read = [\"PATH\"]"]);
    let free =
        Arena::hostile(words).set("--sandbox", "off").loses().is("process.exit", "process", &["status 1"]);
    assert!(!free.evidence.contains("confined"), "{}", free.evidence);
}

// ---- Time.

#[test]
fn silence_instead_of_a_move_is_a_time_fault_with_budget_and_hint() {
    Arena::hostile("silent@turn1").set("--move-time", "150ms").loses().is(
        "time.move",
        "time",
        &["budget 150.0 ms", "used ", "overrun", "flush", "Python"],
    );
}

#[test]
fn a_hung_bot_is_a_time_fault() {
    Arena::hostile("last-words:thinking hang")
        .set("--move-time", "150ms")
        .loses()
        .is("time.move", "time", &["budget 150.0 ms"])
        .last_words(&["thinking"]);
}

#[test]
fn half_a_line_and_then_silence_is_a_time_fault_that_shows_the_half() {
    Arena::hostile("half-line").set("--move-time", "150ms").loses().is(
        "time.move",
        "time",
        &["bytes came without the end of their line", "`move", "newline"],
    );
}

#[test]
fn instant_bots_with_hardly_any_time_never_lose_by_it() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut arena = Arena::new().set("--time", "0.2+0.002").set("--rules", "isf").set("--max-plies", "300");
    // Whoever else is at work on this machine is no fault of the arbiter's.
    arena = arena.set("--time-margin", "2s").set("--concurrency", &cores.to_string());
    for name in ["quick", "quicker"] {
        arena = arena.bot(name, "answers-fast");
    }
    let run = arena.set("--affinity", "auto").set("--games", "10").play();
    assert_eq!((run.exit, run.games.len()), (0, 10), "{}", run.stderr);
    let plies: u32 = run.games.iter().map(|game| game.plies).sum();
    assert!(plies > 1000, "{plies}");
    run.games.iter().for_each(|game| assert!(game.faults.is_empty(), "{game:?}"));
}

#[test]
fn info_lines_do_not_renew_the_deadline() {
    let fault = Arena::hostile("chatter:20ms").set("--move-time", "300ms").loses();
    let fault = fault.is("time.move", "time", &["budget 300.0 ms", "none of them an answer"]);
    // It did write lines: a hint at its flushing would be false.
    assert!(!fault.evidence.contains("flush"), "{}", fault.evidence);
}

#[test]
fn an_answer_after_budget_and_margin_is_late() {
    // Both have 4.1 s; Red takes 6.
    Arena::hostile("late:6000ms@turn2")
        .set("--move-time", "100ms")
        .set("--time-margin", "4s")
        .loses()
        .is("time.move", "time", &["budget 100.0 ms"])
        .after(2);
}

#[test]
fn with_a_fixed_time_each_move_has_the_full_budget() {
    // 15 moves of 300 ms are more than the four seconds that each has.
    let run = Arena::hostile("slow:300ms").set("--move-time", "4s").set("--max-plies", "30").accepted();
    let spent: u64 = run.games[0].us.iter().step_by(2).sum();
    assert!(spent >= 4_000_000, "{spent}");
}

#[test]
fn an_overrun_on_the_last_move_of_a_period_loses_before_the_next_is_granted() {
    let fault =
        Arena::hostile("hang@turn4").set("--time", "4/4.5").loses().is("time.move", "time", &[]).after(6);
    let budget = fault.evidence.split(['y', 'm']).next().and_then(|s| s.rsplit(' ').nth(1));
    let budget: f64 = budget.and_then(|b| b.parse().ok()).unwrap_or_else(|| panic!("{}", fault.evidence));
    assert!(budget <= 4500.0, "{}", fault.evidence);
}

#[test]
fn time_left_inside_the_margin_is_told_as_none_and_never_as_less() {
    let run = Arena::hostile("late:700ms@turn2 wants:clock")
        .set("--time", "0.5")
        .set("--time-margin", "20s")
        .flag("--wire")
        .accepted();
    let sent = run.sent_to("red");
    has(&sent, &["go clock=0,"]);
    assert!(!sent.contains("=-") && !sent.contains(",-"), "{sent}");
}

#[test]
fn a_bot_that_never_reads_does_not_block_and_loses_for_that() {
    // Its opponent's moves need no clock, and a question that cannot be written starts none.
    let arena = Arena::new().bot("hostile", "small-pipe wants:board never-read").bot("good", "shuttle");
    let arena = shuttling(arena).set("--max-plies", "1000").set("--write-timeout", "4s");
    arena.loses().is("time.write", "time", &["not read", "4.0 s"]);
}

/// Rules under which two bots may move to and fro for ever.
fn shuttling(arena: Arena) -> Arena {
    let off = ["two-squares=off", "chase=off", "no-attack=off", "repetition=off"];
    let arena = arena.set("--rules", "isf").set("--time", "none");
    off.iter().fold(arena, |arena, change| arena.flag("--set").flag(change))
}

#[test]
fn a_slow_reader_gets_more_than_a_full_pipe_of_history_and_plays_on() {
    let arena = Arena::new().bot("slow", "wants:board shuttle read-late").bot("good", "shuttle");
    let run = shuttling(arena).set("--max-plies", "1200").flag("--wire").accepted();
    assert_eq!((&*run.games[0].reason, run.games[0].plies), ("length", 1200));
    let wire = run.text("wire/1.1.1-red.txt");
    let waited = wire.lines().find_map(|l| l.strip_prefix("< info ")?.strip_suffix(" bytes were not read"));
    let waited: usize = waited.and_then(|n| n.parse().ok()).expect("it waited for its input to be full");
    assert!(waited > 56 * 1024 && run.sent_to("red").len() > waited + 4096, "{waited}");
}

// ---- The process.

#[test]
fn an_exit_in_mid_game_is_noticed_without_a_clock_and_named_with_status_and_last_words() {
    // All on one core, so that its words and its end come at once.
    Arena::hostile("last-words:out_of_ideas@turn3 exit@turn3:3")
        .set("--affinity", "auto")
        .set("--time", "none")
        .loses()
        .is("process.exit", "process", &["exited with status 3"])
        .last_words(&["out of ideas"])
        .after(4);
}

#[test]
fn an_exit_on_the_opponents_turn_is_noticed_without_a_clock() {
    let arena = Arena::new().bot("hostile", "exit-after:0").bot("good", "hang");
    arena.set("--time", "none").loses().is("process.exit", "process", &["exited with status 0"]).after(1);
}

#[test]
fn an_abort_is_named_with_its_signal_and_last_words() {
    Arena::hostile("last-words:assertion_failed@turn2 crash@turn2")
        .set("--time", "none")
        .loses()
        .is("process.exit", "process", &["signal 6 (SIGABRT)"])
        .last_words(&["assertion failed"]);
}

#[test]
fn a_segmentation_fault_is_named_with_its_signal() {
    Arena::hostile("crash:segv@turn2").set("--time", "none").loses().is(
        "process.exit",
        "process",
        &["signal 11 (SIGSEGV)"],
    );
}

#[test]
fn last_words_that_are_no_text_stay_in_a_valid_log() {
    let fault =
        Arena::hostile("stderr-garbage@turn2 exit:1@turn2").loses().is("process.exit", "process", &[]);
    assert!(fault.stderr.contains('\u{fffd}') && !fault.stderr.contains('\x1b'), "{:?}", fault.stderr);
}

#[test]
fn a_closed_output_is_noticed_without_a_clock_though_the_bot_lives() {
    Arena::hostile("close-stdout@turn2")
        .set("--time", "none")
        .loses()
        .is("process.exit", "process", &["closed its standard output", "still runs"])
        .after(2);
}

#[test]
fn a_closed_output_is_noticed_on_the_opponents_turn() {
    let arena = Arena::new().bot("hostile", "close-stdout-after").bot("good", "hang");
    arena.set("--time", "none").loses().is("process.exit", "process", &["closed its standard output"]);
}

#[test]
fn a_closed_input_is_noticed_without_a_clock_though_the_bot_lives() {
    let closes = |words| {
        let fault = Arena::hostile(words).set("--time", "none").loses();
        fault.is("time.write", "time", &["closed its standard input"]).after(4);
    };
    closes("close-stdin@turn2");
    // The next question is written before it does so, and gets lost.
    closes("close-stdin:300ms@turn2");
}

#[test]
fn the_last_words_of_no_game_are_lost() {
    let arena = Arena::hostile("last-words:farewell@turn2 exit@turn2:1").set("--games", "40");
    let run = arena.set("--affinity", "auto").flag("--set").flag("scout-strike=adjacent").play();
    assert_eq!(run.games.len(), 40);
    for game in run.games {
        assert_eq!(game.faults[0].stderr, ["farewell"], "{game:?}");
    }
}

#[test]
fn ten_megabytes_on_standard_error_cost_nothing_and_are_capped_with_a_note() {
    let run = Arena::hostile("stderr-flood@turn2").accepted();
    let kept = run.text("stderr/1.1.1-red.txt");
    assert!(kept.len() < 80_000, "{}", kept.len());
    has(&kept, &["bytes left out here", "the flood is over"]);
}

#[test]
fn ten_megabytes_on_standard_error_cost_nothing_where_they_are_shown() {
    let run = Arena::hostile("stderr-flood@turn2").flag("--stderr").accepted();
    has(&run.stderr, &["[hostile] the flood is over"]);
}

#[test]
fn a_bot_that_ignores_quit_the_end_of_its_input_and_sigterm_is_gone_with_the_run() {
    is_killed_when_its_time_is_over(Arena::hostile("ignore-quit ignore-term"));
}

#[test]
fn a_bot_that_spins_after_quit_is_gone_with_the_run() {
    is_killed_when_its_time_is_over(Arena::hostile("spin-after-quit ignore-term"));
}

/// By the ladder's own last step, and not by what sweeps up after it.
#[track_caller]
fn is_killed_when_its_time_is_over(arena: Arena) {
    let run = arena.accepted();
    assert!(!run.stderr.contains("a killed process does not end"), "{}", run.stderr);
}

/// What a bot that resigns, and notes all that it is told after that, is told by the probe and by its game.
fn told_at_the_end() -> String {
    const BOT: &str = "trap 'echo TERM >> \"$1\"' TERM
        while read -r word rest; do
            case $word in
                sbp) echo ok ;;
                isready) echo readyok ;;
                go) echo resign ;;
                quit) echo quit >> \"$1\" ;;
            esac
        done
        echo end >> \"$1\"
        while :; do sleep 0.01; done";
    let arena = Arena::new();
    let (bot, notes) = (arena.dir.path().join("bot.sh"), arena.dir.path().join("notes"));
    fs::write(&bot, BOT).expect("a script");
    let mut arena = arena.bot("hostile", "").bot("good", "").flag("--set").flag("deployment-by=seed");
    let words = ["/bin/sh", &bot.display().to_string(), &notes.display().to_string(), &arena.tag()];
    arena.bots[0].1 = words.map(str::to_owned).into();
    let run = arena.set("--sandbox", "off").accepted();
    assert_eq!(run.games[0].reason, "resignation");
    fs::read_to_string(notes).expect("its notes")
}

#[test]
fn a_bot_is_asked_to_quit_then_told_to_terminate_and_then_killed() {
    // That nothing survives shows the third. On a machine that is far behind, a shell may miss its moments.
    let expected = "quit\nend\nTERM\n".repeat(2);
    let told: Vec<String> = (0..3).map(|_| told_at_the_end()).take_while(|told| *told != expected).collect();
    assert!(told.len() < 3, "{told:#?}");
}

#[test]
fn a_grandchild_that_holds_the_output_is_gone_with_the_run() {
    Arena::hostile("fork-child").accepted();
}

#[test]
fn a_grandchild_in_a_session_of_its_own_is_gone_with_the_run() {
    Arena::hostile("fork-child:setsid").accepted();
    Arena::hostile("fork-child:setsid crash@turn2").loses().is("process.exit", "process", &["SIGABRT"]);
}

#[test]
fn a_crash_is_noticed_though_a_grandchild_holds_the_output_open() {
    Arena::hostile("fork-child crash@turn2").set("--time", "none").loses().is(
        "process.exit",
        "process",
        &["SIGABRT"],
    );
}

/// A run that is followed while it goes on.
pub struct Running {
    pub child: Child,
    said: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Running {
    pub fn start(arena: &Arena) -> Running {
        let mut command = arena.command();
        command.arg("--json").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the arbiter can be run");
        let said = BufReader::new(child.stdout.take().expect("it was asked for")).lines();
        Running { child, said }
    }

    /// The next event of this name; none where the run ended.
    pub fn event(&mut self, name: &str) -> Option<serde_json::Value> {
        self.said.find_map(|line| {
            let event: serde_json::Value = serde_json::from_str(&line.ok()?).expect("events are JSON");
            (event["event"] == name).then_some(event)
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_bot_survives_an_arbiter_that_is_killed() {
    let stubborn = "ignore-quit ignore-term wants:ponder";
    let arena =
        Arena::new().bot("hostile", &format!("{stubborn} hang")).bot("good", stubborn).set("--time", "none");
    let mut running = Running::start(&arena);
    running.event("game-started").expect("a game starts");
    // Past the shell by which it ignores SIGTERM, and past the launcher.
    let bots = || marked(&arena.tag()).iter().filter(|c| !c.contains("__launch")).count();
    wait_for(|| bots() == 2, || format!("{:?}", marked(&arena.tag())));
    running.child.kill().expect("it runs");
    running.child.wait().expect("it was killed");
    nothing_survives(&arena.tag());
}

#[test]
#[cfg(target_os = "linux")]
fn what_left_its_group_and_wiped_its_environment_does_not_survive_a_killed_arbiter_either() {
    // Where there are namespaces: root makes them, an ordinary user makes one of users first.
    for machine in [Machine::Whole, Machine::Ordinary] {
        let words = "ignore-quit ignore-term fork-child:wiped";
        let arena = Arena::new().on(machine).bot("hostile", &format!("{words} hang")).bot("good", words);
        let arena = arena.set("--time", "none");
        let mut running = Running::start(&arena);
        running.event("game-started").expect("a game starts");
        let strays = || marked(&arena.tag()).iter().filter(|c| c.contains("linger-alone")).count();
        wait_for(|| strays() == 2, || format!("{:?}", marked(&arena.tag())));
        running.child.kill().expect("it runs");
        running.child.wait().expect("it was killed");
        nothing_survives(&arena.tag());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn two_hundred_bots_that_exit_by_themselves_leave_no_zombie() {
    let arena = Arena::hostile("exit-after@turn1").set("--games", "200");
    // Where no scout can strike at once, no game ends before it exits.
    let arena = arena.flag("--set").flag("scout-strike=adjacent");
    let mut running = Running::start(&arena);
    let own = running.child.id().to_string();
    let zombies = || {
        let stat =
            |entry: std::io::Result<fs::DirEntry>| fs::read_to_string(entry.ok()?.path().join("stat")).ok();
        let entries = fs::read_dir("/proc").expect("/proc");
        // PID (NAME) STATE PARENT …
        let fields = entries.filter_map(stat).filter_map(|s| Some(s.rsplit_once(") ")?.1.to_owned()));
        fields.filter(|f| f.split(' ').take(2).eq(["Z", &own])).count()
    };
    let mut finished = 0;
    while let Some(event) = running.event("game-finished") {
        assert_eq!(event["clause"], "process.exit");
        finished += 1;
        // One may just be on its way out.
        assert!(zombies() <= 2, "after {finished} games");
    }
    assert_eq!(finished, 200);
    assert!(running.child.wait().expect("it ends").success());
    nothing_survives(&arena.tag());
}

// ---- What is accepted.

#[test]
fn cr_lf_is_a_line_end() {
    Arena::hostile("crlf").accepted();
}

#[test]
fn blanks_tabs_and_empty_lines_are_accepted() {
    Arena::hostile("blanks").accepted();
}

#[test]
fn a_banner_before_the_handshake_is_accepted_as_info() {
    let run = Arena::hostile("banner").accepted();
    assert_eq!(run.stderr.matches("rights reserved").count(), 0);
}

#[test]
fn an_answer_in_three_writes_is_one_answer() {
    Arena::hostile("partial-writes").accepted();
}

#[test]
fn oddities_of_every_kind_at_once_are_accepted() {
    Arena::hostile("partial-writes crlf blanks banner info:depth_4 wants:board,clock,ponder,telepathy")
        .accepted();
}

#[test]
fn a_resignation_is_no_fault() {
    let run = Arena::hostile("resign@turn2").accepted();
    let game = &run.games[0];
    assert_eq!((&*game.result, &*game.reason, game.plies), ("blue", "resignation", 2));
}

#[test]
fn a_draw_that_is_offered_can_be_accepted() {
    let run = Arena::new().bot("offers", "offer-draw").bot("accepts", "accept-draw").play();
    let game = &run.games[0];
    assert_eq!((&*game.result, &*game.reason, game.plies), ("draw", "agreement", 1));
}

#[test]
fn what_a_bot_says_of_itself_never_reaches_the_other() {
    let words = "name:SECRET-name info:SECRET-info last-words:SECRET-words offer-draw wants:SECRET-help";
    let run = Arena::hostile(words).flag("--wire").accepted();
    has(&run.text("wire/1.1.1-red.txt"), &["< info SECRET-info"]);
    let sent = run.sent_to("blue");
    has(&sent, &["newgame ", "drawoffer", "gameover "]);
    for secret in ["SECRET", "hostile", "fake", "Fake"] {
        assert!(!sent.contains(secret), "{secret} in:\n{sent}");
    }
}

// ---- All of them together.

#[test]
fn a_league_with_hostile_bots_runs_to_its_end_and_each_loses_by_its_own_clause() {
    let hostile = [
        ("crash", "crash@turn2", "process.exit"),
        ("exit", "exit-after@turn1", "process.exit"),
        ("flood", "flood@turn2", "line.length"),
        ("lines", "lines@turn2", "line.flood"),
        ("nul", "garbage:nul@turn2", "line.bytes"),
        ("setup", "bad-setup", "setup.count"),
        ("twice", "two-answers@turn2 ignore-quit", "turn.early"),
        ("illegal", "illegal@turn2 fork-child", "move.same-square"),
        ("deaf", "close-stdout@turn2 ignore-term", "process.exit"),
        ("slow", "half-line@turn2", "time.move"),
    ];
    // Clocks that only a bot which does not answer at all can lose by.
    let mut arena = Arena::new().set("--move-time", "200ms").set("--time-margin", "4s");
    arena = arena.set("--games", "1").set("--concurrency", "3").set("--affinity", "auto");
    for good in ["good", "better"] {
        arena = arena.bot(good, "partial-writes");
    }
    for (name, words, _) in hostile {
        arena = arena.bot(name, words);
    }
    let run = arena.play();
    assert_eq!(run.exit, 0, "{}", run.stderr);
    let mut ids: Vec<&str> = run.games.iter().map(|g| &*g.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), run.games.len()), (66, 66), "games logged are games planned");
    let good = |name: &str| name == "good" || name == "better";
    for game in &run.games {
        let seats = [("red", &*game.red, &*game.blue), ("blue", &*game.blue, &*game.red)];
        for (side, bot, opponent) in seats {
            if good(bot) {
                assert!(game.faults.iter().all(|f| f.side != side), "a good bot is at fault: {game:?}");
            } else if good(opponent) {
                let clause = hostile.iter().find(|h| h.0 == bot).map(|h| h.2);
                assert_eq!(game.clause.as_deref(), clause, "{game:?}");
                assert_eq!(game.result, if side == "red" { "blue" } else { "red" });
            }
        }
    }
    let standings: serde_json::Value = serde_json::from_str(&run.text("standings.json")).expect("JSON");
    assert_eq!(standings["games"], 66);
}
