//! What happens to the arbiter itself: nobody listens, the disk is full, a folder is not its own.

use std::fs;
use std::process::{Command, Stdio};

use crate::event::{Arena, Ran};

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
