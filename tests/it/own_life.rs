//! What happens to the arbiter itself: nobody listens, the disk is full, a folder is not its own, it is killed, it is
//! interrupted twice, its terminal closes, it may open too few files, it panics.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use arbiter::clock::TimeSettings;
use arbiter::game::{Rules, book};
use arbiter::process::{Confinement, Launch, Limits};
use arbiter::protocol::Protocol;
use arbiter::runtime::{Bot, Desk, RunEvent, RunPlan, descriptors, start, stopping};
use arbiter::tournament::{Dealer, Fixed, Format, PairOrder, Points, RoundRobin, Terms};

use crate::event::{Arena, Ran};
use crate::fake::fake_bot;
use crate::hostile::{self, Running, marked, nothing_survives};
use crate::machine::Machine;

#[test]
fn an_event_whose_listener_goes_away_is_played_to_its_end() {
    for words in [&["tournament", "league.toml"][..], &["tournament", "league.toml", "--json"]] {
        let arena = Arena::new();
        let mut run = arena.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(run.stdout.take());
        let ran = Ran::of(run.wait_with_output().unwrap());
        ran.ends(0).says("the games go on and are recorded");
        assert_eq!(arena.games("results/league"), 24);
        assert!(arena.path("results/league/standings.json").exists());
    }
}

#[test]
fn an_event_is_played_to_its_end_when_nobody_hears_standard_error() {
    let arena = Arena::new();
    // A bot that is at fault in each game and writes to standard error, which is shown: all of it goes nowhere.
    let registry =
        arena.read("bots.toml").replace("\"tag:b\"", "\"last-words@turn1\", \"tag:b\", \"exit@turn3\"");
    arena.write("bots.toml", &registry);
    let mut run = arena
        .command(&["-v", "tournament", "league.toml", "--stderr"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop((run.stdout.take(), run.stderr.take()));
    assert_eq!(run.wait().unwrap().code(), Some(0));
    assert_eq!(arena.games("results/league"), 24);
    // The same for a message of the very end.
    let mut refused = arena.command(&["play", "ann", "nobody"]).stderr(Stdio::piped()).spawn().unwrap();
    drop(refused.stderr.take());
    assert_eq!(refused.wait().unwrap().code(), Some(3));
}

#[test]
fn a_full_disk_ends_the_run_with_its_own_message_and_the_same_command_goes_on_when_there_is_room() {
    let arena = Arena::new();
    let event = arena.path("full");
    fs::create_dir(&event).unwrap();
    // A file system of its own, made in a name space of its own: no privilege is needed.
    let script = "mount -t tmpfs -o size=24k none \"$1\" && { \"$2\" tournament league.toml --out full; \
                  echo \"code $?\"; ls \"$1\"; mount -o remount,size=16m \"$1\"; \
                  \"$2\" tournament league.toml --out full -q; echo \"code $?\"; \
                  wc -l < \"$1/games.jsonl\"; \"$2\" verify full; }";
    let ran = Ran::of(
        Command::new("unshare")
            .args(["-Urm", "sh", "-c", script, "sh"])
            .args([event.as_os_str(), env!("CARGO_BIN_EXE_arbiter").as_ref()])
            .current_dir(arena.path("."))
            .output()
            .unwrap(),
    );
    ran.ends(0).says("code 4").says("code 0").says("24 games").says("24 agree, 0 do not");
    assert!(ran.out.contains("\n24\n"), "{}", ran.out);
    assert!(!ran.out.contains(".partial"), "{}", ran.out);
    let errors: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("error:")).collect();
    assert_eq!(errors.len(), 1, "{}", ran.err);
    assert!(errors[0].contains("games could not be recorded"), "{}", ran.err);
    assert!(errors[0].contains("games.jsonl") && errors[0].contains("No space left"), "{}", ran.err);
}

#[test]
fn a_folder_that_cannot_be_written_is_exit_4_wherever_that_is_noticed() {
    let arena = Arena::new();
    // No user may make a folder there, root neither.
    arena.run(&["play", "ann", "bob", "--out", "/proc/arbiter"]).ends(4).says("/proc/arbiter");
    arena.run(&["tournament", "league.toml", "--out", "/proc/arbiter"]).ends(4).says("/proc/arbiter");
    let journal = arena.path("event/games.jsonl");
    arena.run(&["tournament", "league.toml", "--rounds", "1", "--out", "event"]).ends(0);
    fs::remove_file(&journal).unwrap();
    fs::create_dir(&journal).unwrap();
    arena.run(&["tournament", "league.toml", "--rounds", "1", "--out", "event"]).ends(4).says("games.jsonl");
}

#[test]
fn a_folder_that_holds_something_else_is_left_alone() {
    let arena = Arena::new();
    fs::create_dir(arena.path("mine")).unwrap();
    arena.write("mine/thesis.txt", "words");
    let ran = arena.run(&["play", "ann", "bob", "--out", "mine"]);
    ran.ends(2).says("mine: this folder holds `thesis.txt` and no event").says("--out");
    arena.run(&["play", "ann", "bob", "--out", "mine/thesis.txt"]).ends(2).says("it is a file");
    assert_eq!(fs::read_dir(arena.path("mine")).unwrap().count(), 1);
    assert_eq!(arena.read("mine/thesis.txt"), "words");
}

#[test]
fn a_journal_without_its_event_is_refereed_by_isf_and_that_is_said() {
    let arena = Arena::new();
    arena.run(&["play", "ann", "bob", "--rules", "isf", "--out", "a"]).ends(0);
    fs::remove_file(arena.path("a/event.json")).unwrap();
    arena.run(&["verify", "a", "-q"]).says("event.json is missing").says("isf");
}

/// A league of three bots that take no notice of the end of their input, of `quit` and of SIGTERM, and of which two
/// start processes that leave their group, session and environment.
fn stubborn(machine: Machine, rounds: usize) -> hostile::Arena {
    let arena = hostile::Arena::new().on(machine).set("--games", "2").set("--rounds", &rounds.to_string());
    arena
        .bot("deaf", "ignore-quit ignore-term")
        .bot("father", "ignore-quit ignore-term fork-child:wiped")
        .bot("grandfather", "spin-after-quit ignore-term fork-child:twice")
        .set("--concurrency", "2")
}

/// Kills the arbiter of such a league again and again, at random moments; then lets it go on to its end.
fn kill_and_go_on(machine: Machine, kills: usize) {
    let mut rng = fastrand::Rng::with_seed(23);
    let arena = stubborn(machine, 1 + kills / 4);
    let run = || {
        let mut command = arena.command();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    // The tables, and each game, move for move.
    let outcome = || {
        let tables = ["standings.json", "standings.md"].map(|name| arena.read(name));
        let game = |line: &str| {
            let game: serde_json::Value = serde_json::from_str(line).unwrap();
            format!("{} {} {}", game["id"], game["result"], game["moves"])
        };
        let games: BTreeSet<String> = arena.read("games.jsonl").lines().map(game).collect();
        (tables, games)
    };
    assert!(run().status().unwrap().success());
    nothing_survives(&arena.tag());
    let whole = outcome();
    fs::remove_dir_all(arena.out()).unwrap();
    let mut in_play = 0;
    for kill in 0..kills {
        let mut running = Running::start(&arena);
        // Now while bots are probed, and stubs become bots; now in the middle of games.
        let probing = kill % 4 == 1;
        let playing = !probing && running.event("game-started").is_some();
        std::thread::sleep(Duration::from_micros(rng.u64(..if probing { 2_500_000 } else { 400_000 })));
        in_play += usize::from(playing && !marked(&arena.tag()).is_empty());
        let ended = running.child.try_wait().unwrap().is_some();
        drop(running);
        nothing_survives(&arena.tag());
        if ended {
            // The league was over before its time: another one, for the kills that are left.
            assert_eq!(outcome(), whole, "{machine:?}");
            fs::remove_dir_all(arena.out()).unwrap();
        }
    }
    assert!(in_play > 0, "{machine:?}: no arbiter was killed while bots were at play");
    assert!(run().status().unwrap().success());
    nothing_survives(&arena.tag());
    assert_eq!(outcome(), whole, "{machine:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_arbiter_killed_at_any_moment_leaves_no_bot_and_its_league_ends_as_an_uninterrupted_one() {
    let kills = std::env::var("ARBITER_KILLS").map_or(3, |n| n.parse().unwrap());
    // Where there are namespaces; without them what left its group outlives a killed arbiter (SECURITY.md).
    std::thread::scope(|all| {
        for machine in [Machine::Whole, Machine::Ordinary] {
            all.spawn(move || kill_and_go_on(machine, kills));
        }
    });
}

#[test]
fn a_second_signal_ends_a_run_at_once_and_the_bots_with_it() {
    // Politely it takes almost a second to be rid of these; a machine that is far behind may take longer to send twice.
    let twice = || {
        let arena = stubborn(Machine::Whole, 20);
        let mut command = arena.command();
        let mut run = command.arg("--json").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let pid = rustix::process::Pid::from_child(&run);
        let mut events = BufReader::new(run.stdout.take().unwrap()).lines().map(|line| {
            let event: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
            event["event"].as_str().unwrap().to_owned()
        });
        assert!(events.any(|event| event == "game-finished"));
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        assert!(events.any(|event| event == "run-stopping"));
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        let rest: Vec<String> = events.collect();
        assert_eq!(run.wait().unwrap().code(), Some(130));
        nothing_survives(&arena.tag());
        assert!(arena.read("games.jsonl").lines().count() >= 1, "the finished games are kept");
        // At once: it tells of the second signal, and of no end.
        rest == ["run-stopping"]
    };
    assert!((0..5).any(|_| twice()), "the second signal was waited on");
}

#[test]
fn a_terminal_that_closes_interrupts_the_run_which_can_be_gone_on_with() {
    let arena = Arena::new();
    // Python's, as the standard library of Rust has no terminals: a session of its own, whose terminal goes away.
    let script = "import os, pty, sys, time\n\
                  pid, terminal = pty.fork()\n\
                  if pid == 0: os.execv(sys.argv[1], sys.argv[1:])\n\
                  seen = b''\n\
                  while seen.count(b' plies: ') < 3: seen += os.read(terminal, 65536)\n\
                  os.close(terminal)\n\
                  print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n";
    let rounds = ["--rounds", "100"];
    let mut command = Command::new("/usr/bin/python3");
    command.args(["-c", script, env!("CARGO_BIN_EXE_arbiter"), "tournament", "league.toml"]).args(rounds);
    let ran = Ran::of(command.current_dir(arena.path(".")).output().unwrap());
    ran.ends(0);
    assert_eq!(ran.out.trim(), "130", "{}", ran.err);
    let kept = arena.games("results/league");
    assert!(kept >= 3);
    arena.run(&["verify", "--quiet", "results/league"]).ends(0);
    let mut again = arena.command(&["tournament", "league.toml", "--rounds", "100", "-q"]).spawn().unwrap();
    arena.wait_for_games("results/league", kept + 1, &mut again);
    again.kill().unwrap();
    again.wait().unwrap();
    assert!(arena.games("results/league") > kept);
}

#[test]
fn more_games_at_once_than_open_files_allow_are_refused_at_the_start_with_the_number_needed() {
    let arena = Arena::new();
    let run = |soft: u64, hard: u64, concurrency: usize| {
        let mut command = Command::new("sh");
        let script = "ulimit -Sn \"$1\" && ulimit -Hn \"$2\" && shift 2 && exec \"$@\"";
        command.args(["-c", script, "sh", &soft.to_string(), &hard.to_string()]);
        command.args([env!("CARGO_BIN_EXE_arbiter"), "tournament", "league.toml", "-q", "--concurrency"]);
        Ran::of(command.arg(concurrency.to_string()).current_dir(arena.path(".")).output().unwrap())
    };
    let enough = descriptors(8);
    let refused = run(64, enough - 1, 8);
    refused.ends(2).says("--concurrency 8").says(&format!("need {enough} open files"));
    refused.says(&format!("may have {}", enough - 1)).says("or --concurrency 7");
    assert!(!arena.path("results").exists(), "a refused run leaves nothing");
    // The number is enough, and the run takes what it may have by itself.
    run(64, enough, 8).ends(0);
    assert_eq!(arena.games("results/league"), 24);
}

#[test]
fn a_panic_in_one_game_makes_it_void_and_the_run_goes_on() {
    // In a process of its own: who starts bots takes in whatever children end in theirs.
    const INNER: &str = "ARBITER_TEST_PANIC";
    let tag = "tag:a-panic-in-one-game";
    if std::env::var_os(INNER).is_none() {
        let name = "own_life::a_panic_in_one_game_makes_it_void_and_the_run_goes_on";
        let mut command = Command::new(std::env::current_exe().unwrap());
        fake_bot();
        let ran = command.args([name, "--exact", "--nocapture"]).env(INNER, "1").output().unwrap();
        let ran = Ran::of(ran);
        ran.ends(0).says("1 passed").says("the board is upside down");
        return nothing_survives(tag);
    }
    let bot = |name: &str| {
        Arc::new(Bot {
            name: name.to_owned(),
            protocol: Protocol::Sbp,
            launch: Launch {
                launcher: Path::new(env!("CARGO_BIN_EXE_arbiter")).to_owned(),
                program: fake_bot().to_owned(),
                argv: vec!["fake-bot".to_owned(), tag.to_owned()],
                dir: Path::new("/").to_owned(),
                env: Vec::new(),
                free_cores: Vec::new(),
                confinement: Confinement::default(),
                limits: Limits::default(),
                freeze: false,
            },
            options: Vec::new(),
            restart: false,
            threads: 1,
        })
    };
    let plan = RunPlan {
        bots: vec![bot("ann"), bot("bob")],
        rules: Rules::new(book("duel").unwrap()).unwrap(),
        tie_break: None,
        games_per_process: u64::MAX,
        start: None,
        again: None,
        setups: None,
        time: TimeSettings::default(),
        seed: 3,
        seeds: None,
        by_opening: true,
        concurrency: 1,
        cores: Vec::new(),
        adjudication: Default::default(),
        start_retries: 0,
        wire: false,
        echo: false,
        warned: Arc::default(),
        // Turns are told from within a game, which is where the listener panics.
        live: true,
    };
    let schedule = RoundRobin { players: 2, rounds: 2, games: 2, order: PairOrder::ByLater };
    let points = Points { win: 1.0, draw: 0.5, loss: 0.0, forfeit: 0.0 };
    let withdrawn = Default::default();
    let terms = Terms { players: 2, points, seed: 3, shared: false, tie_break: false, gate: None, withdrawn };
    let mut dealer = Dealer::new(Format::Fixed(Fixed::RoundRobin(schedule)), terms);
    dealer.begin().unwrap();
    let (sender, events) = mpsc::channel();
    let (_stopper, stop) = stopping();
    let workers = start(Arc::new(plan), Arc::new(Desk::new(dealer)), stop, move |event| {
        if let RunEvent::Turn { planned, .. } = &event {
            assert!(planned.id.to_string() != "1.1.2", "the board is upside down");
        }
        let _ = sender.send(event);
    });
    workers.unwrap().into_iter().for_each(|worker| worker.join().unwrap());
    let games: Vec<(String, Option<String>)> = events
        .iter()
        .filter_map(|event| match event {
            RunEvent::Finished(game) => Some((game.planned.id.to_string(), game.void)),
            _ => None,
        })
        .collect();
    let ids: Vec<&str> = games.iter().map(|(id, _)| &**id).collect();
    assert_eq!(ids, ["1.1.1", "1.1.2", "2.1.1", "2.1.2"]);
    for (id, void) in &games {
        let expected = (id == "1.1.2").then_some("the arbiter panicked: the board is upside down");
        assert_eq!(void.as_deref(), expected, "{id}");
    }
}
