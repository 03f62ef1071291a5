//! Whole events, driven through the binary with real processes: leagues, kills, resumes, refusals.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::fake::fake_bot;

/// A folder of its own for a test, with a registry of three good bots.
pub struct Arena {
    dir: TempDir,
}

impl Arena {
    pub fn new() -> Arena {
        let dir = tempfile::tempdir().unwrap();
        let bot = |name: &str, words: &str| {
            let program = fake_bot();
            format!("[bots.{name}]\nargv = [{:?}, {words}]\n", program.display().to_string())
        };
        let text =
            bot("ann", "\"tag:a\"") + &bot("bob", "\"tag:b\", \"answers-fast\"") + &bot("cyd", "\"tag:c\"");
        fs::write(dir.path().join("bots.toml"), text).unwrap();
        let league = "name = \"league\"\nrules = \"barrage\"\nrounds = 4\nseed = 7\nconcurrency = 2\nmove-time = \"60s\"\nstart-timeout = \"60s\"\n\
                      bots = [\"ann\", \"bob\", \"cyd\"]\n";
        fs::write(dir.path().join("league.toml"), league).unwrap();
        Arena { dir }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The arbiter with these arguments. A game that is played anew has all the time that it needs, unless they say
    /// otherwise: a busy machine is no matter of these tests.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        let told = |option: &str| args.iter().any(|arg| arg.starts_with(option));
        let timeless =
            ["--time", "--move-time", "--again", "-c", "--file"].iter().all(|option| !told(option));
        let time = ["--move-time", "60s", "--start-timeout", "60s"]
            .iter()
            .filter(|_| args.first() == Some(&"play") && timeless);
        command.args(args).args(time).current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).output().unwrap())
    }

    fn start(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn games(&self, event: &str) -> usize {
        fs::read_to_string(self.path(event).join("games.jsonl")).map_or(0, |t| t.matches('\n').count())
    }

    /// Waits until an event has so many games, or a run has ended by itself.
    pub fn wait_for_games(&self, event: &str, games: usize, run: &mut Child) {
        while self.games(event) < games && run.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    pub fn ends(&self, code: i32) -> &Ran {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn says(&self, text: &str) -> &Ran {
        let all = format!("{}{}", self.out, self.err);
        assert!(all.contains(text), "`{text}` is not in\n{all}");
        self
    }
}

#[test]
fn a_league_is_played_once_and_a_second_run_plays_nothing() {
    let arena = Arena::new();
    arena.run(&["tournament", "league.toml"]).ends(0).says("ann");
    assert_eq!(arena.games("results/league"), 24);
    let standings = arena.read("results/league/standings.json");
    let journal = arena.read("results/league/games.jsonl");
    arena.run(&["tournament", "league.toml"]).ends(0).says("nothing is missing");
    assert_eq!(arena.read("results/league/standings.json"), standings);
    assert_eq!(arena.read("results/league/games.jsonl"), journal);
    arena.run(&["verify", "results/league"]).ends(0).says("24 games").says("24 agree, 0 do not");
    // Everything that is derived can be made again.
    fs::remove_file(arena.path("results/league/standings.json")).unwrap();
    fs::remove_file(arena.path("results/league/standings.md")).unwrap();
    arena.run(&["standings", "results/league"]).ends(0);
    assert_eq!(arena.read("results/league/standings.json"), standings);
    assert!(arena.path("results/league/standings.md").exists());
    let mode = fs::metadata(arena.path("results/league/games.jsonl")).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o777, 0o600);
}

#[test]
fn a_league_killed_at_any_moment_ends_with_the_standings_of_an_uninterrupted_one() {
    let arena = Arena::new();
    arena.run(&["tournament", "league.toml", "--out", "whole"]).ends(0);
    let kills: usize = std::env::var("ARBITER_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let mut rng = fastrand::Rng::with_seed(11);
    for _ in 0..kills {
        let had = arena.games("killed");
        let mut run = arena.start(&["tournament", "league.toml", "--out", "killed"]);
        arena.wait_for_games("killed", had + 1 + rng.usize(..3), &mut run);
        std::thread::sleep(Duration::from_micros(rng.u64(..20_000)));
        let _ = run.kill();
        run.wait().unwrap();
    }
    arena.run(&["tournament", "league.toml", "--out", "killed"]).ends(0);
    assert_eq!(arena.games("killed"), 24);
    assert_eq!(arena.read("killed/standings.json"), arena.read("whole/standings.json"));
    assert_eq!(arena.read("killed/standings.md"), arena.read("whole/standings.md"));
    // Not only the table: each game is the same, move for move.
    let games = |event: &str| {
        let mut games: Vec<(String, serde_json::Value)> = arena
            .read(&format!("{event}/games.jsonl"))
            .lines()
            .map(|line| {
                let game: serde_json::Value = serde_json::from_str(line).unwrap();
                (game["id"].as_str().unwrap().to_owned(), game["moves"].clone())
            })
            .collect();
        games.sort_by(|a, b| a.0.cmp(&b.0));
        games
    };
    assert_eq!(games("killed"), games("whole"));
}

#[test]
fn a_torn_last_line_is_said_cut_off_and_its_game_played_again() {
    let arena = Arena::new();
    arena.run(&["tournament", "league.toml", "--rounds", "1"]).ends(0);
    let (path, standings) =
        (arena.path("results/league/games.jsonl"), arena.read("results/league/standings.json"));
    let text = fs::read(&path).unwrap();
    fs::write(&path, &text[..text.len() - 10]).unwrap();
    arena.run(&["verify", "results/league"]).ends(1).says("it is torn");
    arena
        .run(&["tournament", "league.toml", "--rounds", "1"])
        .ends(0)
        .says("the last line is torn")
        .says("1 are missing");
    assert_eq!(arena.games("results/league"), 6);
    assert_eq!(arena.read("results/league/standings.json"), standings);
    arena.run(&["verify", "results/league"]).ends(0);
}

#[test]
fn an_event_that_an_older_program_began_is_read_and_gone_on_with() {
    let arena = Arena::new();
    let play = ["tournament", "league.toml", "--rounds", "2"];
    arena.run(&play).ends(0);
    let (standings, journal) =
        (arena.read("results/league/standings.json"), arena.read("results/league/games.jsonl"));
    // What event.json did not have at first.
    let mut event: serde_json::Value =
        serde_json::from_str(&arena.read("results/league/event.json")).unwrap();
    for key in ["order", "draws"] {
        assert!(event["schedule"].as_object_mut().unwrap().remove(key).is_some(), "{key}");
    }
    for bot in event["bots"].as_array_mut().unwrap() {
        for key in ["proto", "confinement"] {
            assert!(bot.as_object_mut().unwrap().remove(key).is_some(), "{key}");
        }
    }
    arena.write("results/league/event.json", &event.to_string());
    let some: Vec<&str> = journal.lines().take(5).collect();
    arena.write("results/league/games.jsonl", &(some.join("\n") + "\n"));

    arena.run(&["verify", "--quiet", "results/league"]).ends(0);
    arena.run(&["standings", "results/league"]).ends(0);
    arena.run(&play).ends(0).says("7 are missing");
    assert_eq!(arena.games("results/league"), 12);
    assert_eq!(arena.read("results/league/standings.json"), standings);
}

#[test]
fn an_interrupted_run_stops_its_bots_keeps_its_games_and_can_be_resumed() {
    for signal in [rustix::process::Signal::INT, rustix::process::Signal::TERM, rustix::process::Signal::HUP]
    {
        let arena = Arena::new();
        let mut run = arena.start(&["tournament", "league.toml", "--rounds", "100"]);
        arena.wait_for_games("results/league", 3, &mut run);
        let pid = rustix::process::Pid::from_child(&run);
        rustix::process::kill_process(pid, signal).unwrap();
        assert_eq!(run.wait().unwrap().code(), Some(130), "{signal:?}");
        let kept = arena.games("results/league");
        assert!(kept >= 3);
        arena.run(&["verify", "--quiet", "results/league"]).ends(0);
        assert!(arena.path("results/league/standings.json").exists());
        let mut again = arena.start(&["tournament", "league.toml", "--rounds", "100"]);
        arena.wait_for_games("results/league", kept + 1, &mut again);
        assert!(arena.games("results/league") > kept);
        again.kill().unwrap();
        again.wait().unwrap();
    }
}

#[test]
fn a_move_changed_by_hand_is_found_with_game_ply_and_clause() {
    let arena = Arena::new();
    arena.run(&["tournament", "league.toml"]).ends(0);
    let text = arena.read("results/league/games.jsonl");
    let victim = text.lines().nth(3).unwrap();
    let mut game: serde_json::Value = serde_json::from_str(victim).unwrap();
    let third = game["moves"][2].as_str().unwrap().to_owned();
    // The piece of the third move goes where it stands.
    let square: String =
        third.chars().take(if third.as_bytes()[2].is_ascii_digit() { 3 } else { 2 }).collect();
    game["moves"][2] = format!("{square}{square}").into();
    arena.write("results/league/games.jsonl", &text.replace(victim, &game.to_string()));
    let id = game["id"].as_str().unwrap();
    let ran = arena.run(&["verify", "results/league"]);
    ran.ends(1).says(&format!("{id} DISAGREES")).says("ply 3").says("move.same-square").says("checksum");
    let json = arena.run(&["verify", "--json", "results/league"]);
    let line = json.ends(1).out.lines().find(|l| l.contains(&format!("\"{id}\""))).unwrap();
    let finding: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(finding["first_illegal"]["ply"], 3);
    assert_eq!(finding["first_illegal"]["clause"], "move.same-square");
    // A damaged journal is not gone on with, and its damage is named.
    arena.run(&["tournament", "league.toml"]).ends(2).says("games.jsonl, line 4").says("checksum");
}

#[test]
fn a_result_changed_by_hand_is_found() {
    let arena = Arena::new();
    arena.run(&["play", "ann", "bob", "--rules", "barrage", "--seed", "1", "--out", "one"]).ends(0);
    let text = arena.read("one/games.jsonl");
    let changed = if text.contains("\"result\":\"red\"") {
        text.replace("\"result\":\"red\"", "\"result\":\"blue\"")
    } else {
        text.replace("\"result\":\"blue\"", "\"result\":\"red\"")
            .replace("\"result\":\"draw\"", "\"result\":\"red\"")
    };
    assert_ne!(changed, text);
    arena.write("one/games.jsonl", &changed);
    arena.run(&["verify", "one"]).ends(1).says("the record says");
}

#[test]
fn a_plan_that_changed_is_refused_with_what_differs() {
    let arena = Arena::new();
    arena.run(&["tournament", "league.toml", "--rounds", "1"]).ends(0);
    let journal = arena.read("results/league/games.jsonl");
    let changed =
        arena.run(&["tournament", "league.toml", "--rounds", "1", "--set", "two-squares=3", "--seed", "8"]);
    changed.ends(2).says("rules.two-squares: the event has `5`, this run `3`").says("seed").says("--out");
    arena
        .run(&["tournament", "league.toml", "--rounds", "1", "--move-time", "2s"])
        .ends(2)
        .says("time.control");
    assert_eq!(arena.read("results/league/games.jsonl"), journal);
}

#[test]
fn a_rebuilt_bot_goes_on_only_when_that_is_accepted_and_is_recorded() {
    let arena = Arena::new();
    let copy = arena.path("own-bot");
    fs::copy(fake_bot(), &copy).unwrap();
    let args = [
        "tournament",
        "--bot",
        "./own-bot",
        "--bot",
        "ann",
        "--rules",
        "barrage",
        "--out",
        "e",
        "--seed",
        "3",
    ];
    arena.run(&args).ends(0);
    let mut file = fs::OpenOptions::new().append(true).open(&copy).unwrap();
    file.write_all(b"rebuilt").unwrap();
    drop(file);
    arena.run(&args).ends(2).says("bots.own-bot.hash").says("--accept-changed");
    let accepted: Vec<&str> = args.iter().copied().chain(["--accept-changed"]).collect();
    arena.run(&accepted).ends(0);
}

#[test]
fn two_runs_in_one_folder_are_one_too_many() {
    let arena = Arena::new();
    fs::create_dir(arena.path("busy")).unwrap();
    let lock = fs::File::create(arena.path("busy/lock")).unwrap();
    lock.lock().unwrap();
    arena.run(&["tournament", "league.toml", "--out", "busy"]).ends(2).says("another arbiter is at work");
    assert!(!arena.path("busy/event.json").exists());
    assert!(!arena.path("busy/games.jsonl").exists());
}

#[test]
fn a_journal_deleted_while_a_run_is_at_work_stops_it_with_exit_4() {
    let arena = Arena::new();
    let mut run = arena
        .command(&["tournament", "league.toml", "--rounds", "200"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    arena.wait_for_games("results/league", 2, &mut run);
    fs::remove_file(arena.path("results/league/games.jsonl")).unwrap();
    let ran = Ran::of(run.wait_with_output().unwrap());
    ran.ends(4).says("the journal was deleted");
}

#[test]
fn bad_input_gets_one_clear_message_the_right_exit_code_and_leaves_nothing() {
    let arena = Arena::new();
    arena.write("broken.toml", "[bots.a]\nargv = 5\n");
    arena.write("unknown-key.toml", "[bots.a]\nargv = [\"x\"]\nargz = 1\n");
    arena.write("typo.toml", "name = \"x\"\nruels = \"isf\"\nbots = [\"ann\"]\n");
    arena
        .write("rules.toml", &arena.run(&["rules", "isf"]).out.replace("two-squares = 3", "two-squares = 0"));
    arena.write("lakes.toml", &arena.run(&["rules", "isf"]).out.replace("c5,d5", "c4,d5"));
    arena.write("key.toml", &arena.run(&["rules", "isf"]).out.replace("no-attack", "no-atack"));
    arena.write("no-shebang", "print('x')\n");
    let mode: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(arena.path("no-shebang"), mode.clone()).unwrap();
    arena.write("bad-shebang", "#!/no/such/interpreter\n");
    fs::set_permissions(arena.path("bad-shebang"), mode).unwrap();
    arena.write("plain-file", "x");
    let cases: &[(&[&str], i32, &str)] = &[
        (&["play", "./missing", "ann"], 3, "bot `missing` cannot start: program"),
        (&["play", "nosuchprogram", "ann"], 3, "program `nosuchprogram` is not in PATH"),
        (&["play", "./plain-file", "ann"], 3, "is not executable: run `chmod +x`"),
        (&["play", "./", "ann"], 3, "is a folder"),
        (&["play", "./no-shebang", "ann"], 3, "Syntax error"),
        (&["play", "./bad-shebang", "ann"], 3, "interpreter in its first line is not"),
        (&["play", "true", "ann"], 3, "exited with status 0, before it was ready"),
        (&["play", "sh -c 'echo my last words >&2; exit 3'", "ann"], 3, "my last words"),
        (
            &["play", "ann", "bob", "--bots", "broken.toml"],
            2,
            "broken.toml, line 2, column 8: `argv`: it takes a list",
        ),
        (&["play", "ann", "bob", "--bots", "unknown-key.toml"], 2, "unknown key `argz`; there are argv"),
        (&["play", "ann", "bob", "--bots", "nofile.toml"], 2, "nofile.toml: No such file"),
        (&["play", "ann", "bob", "--rules", "nosuch"], 2, "no rule book `nosuch`; there are isf"),
        (
            &["play", "ann", "bob", "--rules", "./rules.toml"],
            2,
            "line 17: `two-squares = 0`: it takes off or a",
        ),
        (&["play", "ann", "bob", "--rules", "./lakes.toml"], 2, "line 9: lake c4 lies in a deployment row"),
        (&["play", "ann", "bob", "--rules", "./key.toml"], 2, "unknown parameter `no-atack`"),
        (&["play", "ann", "bob", "--set", "chase=maybe"], 2, "it takes off or isf or any"),
        (&["play", "ann", "bob", "--set", "nosuch=1"], 2, "no parameter `nosuch`; there are board, lakes"),
        (&["play", "ann", "bob", "--variant", "rescue,rescue-001"], 2, "contradict each other"),
        (&["play", "ann", "bob", "--time", "60+x"], 2, "is no time control"),
        (&["play", "ann", "bob", "--move-time", "soon"], 2, "is no time"),
        (&["play", "ann", "bob", "--games", "0"], 2, "--games 0"),
        (
            &["play", "ann", "bob", "--time", "none", "--set", "length=off"],
            2,
            "--time none needs a length limit",
        ),
        (&["play", "ann", "bob", "--concurrency", "many"], 2, "it takes auto or a whole number"),
        (&["play", "ann"], 2, "<BLUE>"),
        (&["tournament"], 2, "no bots"),
        (&["tournament", "nofile.toml"], 2, "nofile.toml: No such file"),
        (&["tournament", "typo.toml"], 2, "unknown key `ruels`"),
        (&["tournament", "--bot", "ann"], 2, "two bots at least"),
        (&["tournament", "--bot", "cmd=true", "name=x", "--bot", "cmd=false", "name=x"], 2, "are named `x`"),
        (&["tournament", "--bot", "cmd=true", "colour=x"], 2, "unknown key `colour`"),
        (&["verify", "nofile"], 2, "nofile: No such file"),
        (&["verify", "league.toml"], 1, "league.toml, line 1: of no known format of games"),
        (&["standings", "nofolder"], 2, "nofolder/event.json: No such file"),
        (&["rules", "nosuch"], 2, "no rule book `nosuch`"),
        (&["frobnicate"], 2, "unrecognized subcommand"),
    ];
    for (args, code, text) in cases {
        let ran = arena.run(args);
        assert_eq!(ran.code, Some(*code), "{args:?}\n{}\n{}", ran.out, ran.err);
        ran.says(text);
        assert!(!ran.err.contains("panicked"), "{args:?}: {}", ran.err);
        assert!(!arena.path("results").exists(), "{args:?} left something behind");
    }
}

#[test]
fn a_bot_whose_toolchain_is_missing_is_left_out_where_it_is_optional() {
    let arena = Arena::new();
    let extra =
        "[bots.eve]\nargv = [\"./eve\"]\nbuild = [\"no-such-compiler\", \"eve.x\"]\noptional = true\n";
    arena.write("bots.toml", &(arena.read("bots.toml") + extra));
    arena.write("small.toml", "rules = \"barrage\"\nbots = [\"ann\", \"bob\", \"eve\"]\n");
    let ran = arena.run(&["tournament", "small.toml"]);
    ran.ends(0).says("bot `eve` is left out").says("no-such-compiler");
    assert_eq!(arena.games("results/small"), 2);
    arena.write("bots.toml", &arena.read("bots.toml").replace("optional = true\n", ""));
    arena.run(&["tournament", "small.toml", "--out", "other"]).ends(3).says("no-such-compiler");
}

#[test]
fn a_bot_is_built_before_the_first_game_when_its_sources_are_newer() {
    let arena = Arena::new();
    let fake = fake_bot().display().to_string();
    arena.write("make.sh", &format!("echo built >> log\ncp {fake} built-bot\n"));
    arena.write("source", "1");
    let entry =
        "[bots.eve]\nargv = [\"./built-bot\"]\nbuild = [\"sh\", \"make.sh\"]\nsources = [\"source\"]\n";
    arena.write("bots.toml", &(arena.read("bots.toml") + entry));
    let args = ["play", "eve", "ann", "--rules", "barrage"];
    arena.run(&args).ends(0).says("building eve");
    arena.run(&args).ends(0);
    assert_eq!(arena.read("log").lines().count(), 1);
    let later = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(4_000_000_000);
    fs::File::options().write(true).open(arena.path("source")).unwrap().set_modified(later).unwrap();
    arena.run(&args).ends(0);
    assert_eq!(arena.read("log").lines().count(), 2);
}

#[test]
fn one_bot_named_twice_plays_itself_and_paths_with_blanks_work() {
    let arena = Arena::new();
    let folder = arena.path("my bots");
    fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(fake_bot(), folder.join("it's \"mine\"")).unwrap();
    let bot = "./my bots/it's \"mine\"";
    arena.run(&["play", bot, bot, "--rules", "barrage", "--out", "self"]).ends(0).says("#2");
    assert_eq!(arena.games("self"), 1);
}

#[test]
fn the_json_stream_has_one_event_a_line_and_nothing_else() {
    let arena = Arena::new();
    let ran = arena.run(&["tournament", "league.toml", "--rounds", "1", "--json"]);
    let events: Vec<serde_json::Value> =
        ran.ends(0).out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = |kind: &str| events.iter().filter(|e| e["event"] == kind).count();
    assert_eq!((count("game-started"), count("game-finished")), (6, 6));
    assert_eq!(events.first().unwrap()["event"], "run-started");
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["exit"]), (&"run-finished".into(), &0.into()));
}

#[test]
fn a_reader_that_goes_away_ends_a_listing_with_exit_0() {
    let arena = Arena::new();
    let mut child = arena.command(&["rules"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_living_process_plays_on_unless_it_wants_to_be_fresh() {
    for (words, starts) in [("", 1), ("wants:fresh", 4)] {
        let arena = Arena::new();
        let counted = arena.path("counted.sh");
        // A wrapper that notes each start; exec keeps it the same process.
        let text = format!("#!/bin/sh\necho x >> starts\nexec {} tag:n {words}\n", fake_bot().display());
        fs::write(&counted, text).unwrap();
        let mode: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&counted, mode).unwrap();
        let counted = format!("cmd=./counted.sh read={} write=.", fake_bot().display());
        arena.run(&["play", &counted, "ann", "--games", "4", "--rules", "barrage", "--out", "e"]).ends(0);
        // One start more is the look at it before the first game.
        assert_eq!(arena.read("starts").lines().count(), starts + 1, "{words}");
    }
}

#[test]
fn a_rule_book_is_printed_with_its_variants_and_changes() {
    let arena = Arena::new();
    let args = ["rules", "isf", "--variant", "rescue,timed-draw", "--set", "two-squares=5"];
    let printed = arena.run(&args).out;
    for line in ["rescue = \"000\"", "clock-expiry = \"draw\"", "two-squares = 5"] {
        assert!(printed.lines().any(|l| l.starts_with(line)), "{line}\n{printed}");
    }
    arena.run(&["rules", "isf", "--variant", "nosuch"]).ends(2).says("no variant `nosuch`");
}

const BOOKS: [&str; 12] = [
    "isf",
    "us-classic",
    "classic",
    "jumbo",
    "original",
    "duel",
    "quick-battle",
    "quick-battle-barrage",
    "barrage",
    "quick",
    "siege-and-capture",
    "ucc2012",
];

const VARIANTS: [&str; 12] = [
    "aggressor-advantage",
    "silent-defence",
    "rescue",
    "rescue-001",
    "beginner-reveal",
    "beginner-reveal-gentle",
    "no-reconcealment",
    "aggressor-breaks-chase",
    "chase-any-threat",
    "open-flag",
    "random-setup",
    "timed-draw",
];

/// A dozen mixtures: each variant in several of them, with several books.
const MIXTURES: [(&str, &str); 12] = [
    ("quick-battle", "silent-defence,rescue,open-flag,aggressor-advantage"),
    ("quick-battle", "random-setup,rescue-001,chase-any-threat,beginner-reveal-gentle"),
    ("us-classic", "silent-defence,rescue"),
    ("us-classic", "aggressor-advantage,rescue-001,random-setup"),
    ("classic", "no-reconcealment,beginner-reveal,open-flag"),
    ("classic", "aggressor-breaks-chase,timed-draw,silent-defence"),
    ("siege-and-capture", "silent-defence,rescue-001,random-setup"),
    ("duel", "open-flag,rescue,beginner-reveal,chase-any-threat"),
    ("barrage", "random-setup,open-flag,silent-defence,timed-draw"),
    ("quick", "rescue,aggressor-breaks-chase,no-reconcealment"),
    ("jumbo", "aggressor-advantage,beginner-reveal-gentle,random-setup"),
    ("quick-battle-barrage", "rescue-001,silent-defence,chase-any-threat,open-flag,timed-draw"),
];

/// Plays a game under a rule book with variants, checks that nobody was at fault, and referees it again.
fn playable(arena: &Arena, bots: [&str; 2], more: &[&str], book: &str, variants: &str) {
    let out = format!("{book}-{variants}");
    let mut args = vec!["play", bots[0], bots[1], "--rules", book, "--out", &out, "--seed", "5"];
    args.extend(more);
    if !variants.is_empty() {
        args.extend(["--variant", variants]);
    }
    arena.run(&args).ends(0);
    let game: serde_json::Value = serde_json::from_str(&arena.read(&format!("{out}/games.jsonl"))).unwrap();
    assert_eq!(game["clause"], serde_json::Value::Null, "{book} {variants}: {game}");
    arena.run(&["verify", &out]).ends(0);
}

#[test]
fn random_play_completes_under_every_rule_book_variant_and_mixture_and_verifies() {
    let arena = Arena::new();
    let alone = BOOKS.iter().map(|book| (*book, "")).chain(VARIANTS.iter().map(|v| ("quick-battle", *v)));
    for (book, variants) in alone.chain(MIXTURES) {
        playable(&arena, ["ann", "cyd"], &["--max-plies", "400"], book, variants);
    }
}

#[test]
fn sample_bots_play_to_the_end_under_every_rule_book_variant_and_mixture_and_verify() {
    let arena = Arena::new();
    let registry = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-bots/bots.toml");
    let alone = BOOKS.iter().map(|book| (*book, "")).chain(VARIANTS.iter().map(|v| ("barrage", *v)));
    for (book, variants) in alone.chain(MIXTURES) {
        playable(&arena, ["probe-c", "random-python"], &["--bots", registry], book, variants);
    }
}

#[test]
fn the_committed_example_event_verifies_and_its_table_is_its_journal_s() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/example");
    let arena = Arena::new();
    let copy = arena.path("example");
    fs::create_dir(&copy).unwrap();
    for name in ["event.json", "games.jsonl"] {
        fs::copy(example.join(name), copy.join(name)).unwrap();
    }
    arena.run(&["verify", "--quiet", "example"]).ends(0);
    arena.run(&["standings", "example"]).ends(0);
    for name in ["standings.json", "standings.md"] {
        assert_eq!(arena.read(&format!("example/{name}")), fs::read_to_string(example.join(name)).unwrap());
    }
}

#[test]
fn verify_explains_why_the_last_move_of_a_chase_is_barred() {
    let arena = Arena::new();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/more_squares.jsonl");
    let draws = ["--set", "no-attack=off", "--set", "length=off"];
    let explain = |more: &[&str]| {
        let args: Vec<&str> = ["verify", games].iter().chain(&draws).chain(more).copied().collect();
        arena.run(&args)
    };
    explain(&["--explain", "strategus_games/attack_chase.txt", "377"])
        .ends(0)
        .says("Red e7f7: illegal [move.chase]")
        .says("ply 369 Red f6f7 threatens major f8; ply 370 Blue f8e8 evades")
        .says("evaders: major f8")
        .says("so it is barred: it brings back the position that stood after ply 369");
    explain(&["--explain", "strategus_games/attack_chase.txt", "377", "e7e6"])
        .ends(0)
        .says("Red e7e6: legal");
    let differs = ["--explain", "continuous_chase_games_new/game36.txt", "2010"];
    explain(&differs).ends(0).says("so it is not barred: it threatens no piece that evaded");
    explain(&[differs.as_slice(), &["--set", "chase=any"]].concat())
        .ends(0)
        .says("this move threatens: bomb b4 (has not evaded)")
        .says("so it is barred: it brings back the position that stood after ply 1997");
    explain(&["--explain", "nosuch", "1"]).ends(2).says("no game `nosuch`");
    explain(&["--explain", "strategus_games/attack_chase.txt", "9999"])
        .ends(2)
        .says("ply 377 of the record, e7f7, is barred");
}

#[test]
fn games_begin_from_a_given_deployment_and_history_in_both_colours() {
    let arena = Arena::new();
    let setup = "FB........S...................2.M.9..32.";
    let start = format!("red = \"{setup}\"\nblue = \"{setup}\"\nmoves = [\"e4e5\", \"a7a6\", \"c4c3\"]\n");
    arena.write("start.toml", &start);
    let args =
        ["play", "ann", "bob", "--rules", "barrage", "--games", "2", "--start", "start.toml", "--out", "e"];
    arena.run(&[&args[..], &["--seed", "1", "--wire"]].concat()).ends(0);
    let text = arena.read("e/games.jsonl");
    let games: Vec<serde_json::Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_ne!(games[0]["red"], games[1]["red"]);
    for game in &games {
        assert_eq!(game["setup"]["red"], setup);
        assert_eq!(
            (&game["moves"][0], &game["moves"][2], &game["given"]),
            (&"e4e5".into(), &"c4c3".into(), &3.into())
        );
        let mut moves = game["moves"].as_array().unwrap().iter();
        assert!(moves.nth(3).is_some(), "no move was made after the given ones");
    }
    arena.run(&["verify", "e"]).ends(0);
    // Blue, whose turn it is, is told the past as events before its first question.
    let wire = arena.read("e/wire/1.1.1-blue.txt");
    let told = "> setup assigned FB........S...................2.M.9..32.\n";
    assert!(wire.contains(told), "{wire}");
    let events = "> start\n> moved red e4 e5\n> moved blue a7 a6\n> moved red c4 c3\n> legal ";
    assert!(wire.contains(events), "{wire}");
    // Another start is another plan.
    arena.write("start.toml", &start.replace(", \"c4c3\"", ""));
    arena.run(&args).ends(2).says("start: the event has `red FB");
    arena.write("start.toml", &start.replace("c4c3", "c4c6"));
    arena.run(&args).ends(2).says("start.toml: moves: ply 3, c4c6");
    arena.run(&[&args[..], &["--variant", "random-setup"]].concat()).ends(2).says("deployment-by=seed");
}

#[test]
fn a_tie_of_two_is_broken_by_one_more_game_with_drawn_colours_under_its_own_rules() {
    // Two games that end by their length are drawn: a tie, whoever plays.
    let drawn =
        ["play", "ann", "bob", "--rules", "barrage", "--max-plies", "2", "--games", "2", "--seed", "4"];
    let arena = Arena::new();
    arena.run(&[&drawn[..], &["--out", "plain"]].concat()).ends(0);
    assert_eq!(arena.games("plain"), 2);
    let tied = [&drawn[..], &["--tie-break", "quick-battle-barrage", "--out", "tied"]].concat();
    arena.run(&tied).ends(0).says("a tie: one more game, colours drawn, rules quick-battle-barrage");
    assert_eq!(arena.games("tied"), 3);
    let text = arena.read("tied/games.jsonl");
    let game: serde_json::Value =
        serde_json::from_str(text.lines().find(|l| l.contains("\"2.1.1\"")).unwrap()).unwrap();
    // Three rows of eight squares: the reduced army's own board.
    assert_eq!(game["setup"]["red"].as_str().unwrap().len(), 24);
    // The game's rules are the record's own affair: it verifies, and resuming plays nothing.
    arena.run(&["verify", "tied"]).ends(0).says("3 agree");
    let standings = arena.read("tied/standings.json");
    arena.run(&tied).ends(0).says("nothing is missing");
    assert_eq!(arena.read("tied/standings.json"), standings);
    arena.run(&["standings", "tied"]).ends(0);
    assert_eq!(arena.read("tied/standings.json"), standings);
    // A tie-break that was lost to a kill is played by the next run.
    let kept: String = text.lines().filter(|l| !l.contains("\"2.1.1\"")).map(|l| format!("{l}\n")).collect();
    arena.write("tied/games.jsonl", &kept);
    arena.run(&tied).ends(0);
    assert_eq!(arena.read("tied/standings.json"), standings);
    // Where there is no tie there is no such game, and another tie-break is another plan.
    arena.run(&["tournament", "league.toml", "--tie-break", "drawn"]).ends(2).says("between two bots");
    arena
        .run(
            &drawn
                .map(|a| if a == "4" { "5" } else { a })
                .iter()
                .chain(&["--tie-break", "nosuch"])
                .copied()
                .collect::<Vec<_>>(),
        )
        .ends(2)
        .says("no rule book `nosuch`");
    let other = [&drawn[..], &["--tie-break", "drawn", "--out", "tied"]].concat();
    arena.run(&other).ends(2).says("tie-break: the event has");
}

#[test]
fn a_script_without_the_executable_bit_runs_by_its_first_line_or_its_ending() {
    let arena = Arena::new();
    let fake = fake_bot().display().to_string();
    // A bashism: plain sh would refuse it.
    arena.write("own.sh", &format!("#!/usr/bin/env bash\nwords=(tag:x)\nexec {fake} \"${{words[0]}}\"\n"));
    let granted = |script: &str| format!("cmd=./{script} read={fake}");
    arena.run(&["play", &granted("own.sh"), "ann", "--rules", "barrage", "--out", "a"]).ends(0);
    arena.write("plain.sh", &format!("exec {fake}\n"));
    arena.run(&["play", &granted("plain.sh"), "ann", "--rules", "barrage", "--out", "b"]).ends(0);
}

#[test]
fn a_registry_named_without_a_folder_and_bots_named_by_words_work_in_play_too() {
    let arena = Arena::new();
    arena.run(&["play", "ann", "bob", "--bots", "bots.toml", "--rules", "barrage", "--out", "a"]).ends(0);
    let bot = |name: &str| format!("cmd={} name={name} arg=tag:x", fake_bot().display());
    let (one, two) = (bot("one"), bot("two"));
    arena.run(&["play", &one, &two, "--rules", "barrage", "--out", "b"]).ends(0).says("one - two");
    arena
        .run(&["play", "ann", "hunter"])
        .ends(3)
        .says("bots.toml has no bot of that name; it has ann, bob, cyd");
}

#[test]
fn an_option_that_a_bot_does_not_have_stops_the_event_before_it_begins() {
    let arena = Arena::new();
    let text = arena.read("bots.toml").replace("[bots.bob]", "options = { Depth = 6 }\n\n[bots.bob]");
    arena.write("bots.toml", &text);
    let ran = arena.run(&["play", "ann", "bob", "--rules", "barrage"]);
    ran.ends(2).says("bot `ann`: it has no option `Depth`");
    assert!(!arena.path("results").exists());
}

#[test]
fn an_interrupted_play_says_the_command_that_goes_on() {
    let arena = Arena::new();
    let args = ["play", "ann", "bob", "--games", "2000", "--rules", "barrage"];
    let mut run = arena.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    arena.wait_for_games("results/ann-bob-1", 2, &mut run);
    rustix::process::kill_process(rustix::process::Pid::from_child(&run), rustix::process::Signal::INT)
        .unwrap();
    let ran = Ran::of(run.wait_with_output().unwrap());
    ran.ends(130).says("the same command with --out results/ann-bob-1 --seed ");
}

#[test]
fn a_bot_that_plays_one_game_only_gets_new_processes_and_its_author_is_told_once() {
    let arena = Arena::new();
    // Its input ends behind the first game.
    let one_game = format!("#!/bin/sh\nsed -u '/^gameover/q' | {} tag:y\n", fake_bot().display());
    arena.write("once.sh", &one_game);
    let once = format!("cmd=./once.sh read={}", fake_bot().display());
    let ran = arena.run(&["play", &once, "ann", "--games", "4", "--rules", "barrage", "--out", "e"]);
    ran.ends(0);
    assert_eq!(arena.games("e"), 4);
    assert_eq!(ran.err.matches("did not go on to another game").count(), 1, "{}", ran.err);
}

#[test]
fn standings_show_an_event_that_is_not_ours_to_write() {
    let arena = Arena::new();
    arena.run(&["tournament", "league.toml", "--rounds", "2"]).ends(0);
    let ran = arena.run(&["standings", "results/league", "--json"]);
    assert_eq!(ran.ends(0).out, arena.read("results/league/standings.json"));
    arena.run(&["standings", "results"]).ends(2);
    arena.run(&["verify", "results"]).ends(0).says("12 games, ");
    fs::create_dir(arena.path("empty")).unwrap();
    arena.write("empty/notes.md", "nothing\n");
    arena.run(&["verify", "empty"]).ends(2).says("empty: no log of games is in it");
}

#[test]
fn a_rule_book_that_was_changed_is_named_with_its_changes() {
    let arena = Arena::new();
    let args = ["play", "ann", "bob", "--rules", "barrage", "--set", "two-squares=3", "--out", "a"];
    arena.run(&args).ends(0).says("rules barrage with two-squares=3");
}

#[test]
fn the_calculators_print_the_field_s_reference_values() {
    let arena = Arena::new();
    let stats = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&arena.run(&[&["stats", "--json"], args].concat()).ends(0).out).unwrap()
    };
    let near = |value: &serde_json::Value, wanted: f64| {
        let value = value.as_f64().unwrap();
        assert!((value - wanted).abs() < 6e-5, "{value} is not {wanted}");
    };
    // fishtest's and fastchess's own figures for these counts.
    let games = stats(&["--wdl", "136,111,96"]);
    near(&games["elo"], 40.7025);
    near(&games["elo_error"], 30.4272);
    near(&games["nelo"], 49.7684);
    near(&games["los"], 0.99601);
    let pairs = stats(&["--ptnml", "10,20,40,30,15", "--sprt", "0,50"]);
    near(&pairs["llr"], 1.20196);
    near(&pairs["lower"], -2.94444);
    assert_eq!(pairs["verdict"], "undecided");
    near(&stats(&["--wdl", "120,60,20", "--sprt", "0,50", "--model", "logistic"])["llr"], 17.999677);
    let swept = stats(&["--wdl", "10,0,0"]);
    assert_eq!(swept["elo"], serde_json::Value::Null);
    assert!((swept["elo_above"].as_f64().unwrap() - 166.2).abs() < 0.05, "{swept}");
    arena.run(&["stats", "--wdl", "1,2"]).ends(2).says("--wdl takes three numbers");
    arena.run(&["stats", "--wdl", "1,2,3", "--sprt", "5"]).ends(2).says("--sprt takes two numbers");
    arena.run(&["stats"]).ends(2);
}
