//! `arbiter new-bot`: each language's bot is made, tested its own way, and plays. A language whose tools are not on
//! the machine is left out; `tests/run` installs them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::event::{Arena, Ran};

fn in_path(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(tool).is_file())
}

/// Makes a bot, runs its own tests, and lets it play itself under books that differ in all a bot has to mind.
fn begins(language: &str, tools: &[&str], test: &[&str]) {
    if let Some(tool) = tools.iter().find(|tool| !in_path(tool)) {
        println!("{language} is left out: there is no {tool}");
        return;
    }
    let arena = Arena::new();
    arena.run(&["new-bot", language, "New_bot-1"]).ends(0).says("arbiter play New_bot-1 New_bot-1");
    let dir = arena.path("New_bot-1");
    if language == "typescript" {
        let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/typescript/node_modules");
        if !modules.is_dir() {
            println!("typescript is left out: there is no {}", modules.display());
            return;
        }
        symlink(modules, dir.join("node_modules")).unwrap();
    }
    let quick = |command: &mut Command| {
        // To be compiled fast is all that matters here.
        let quick = [("CFLAGS", "-O0 -Wall -Wextra -Werror"), ("CXXFLAGS", "-O0 -Wall -Wextra -Werror")];
        Ran::of(command.current_dir(&dir).envs(quick).output().unwrap())
    };
    let workflow = fs::read_to_string(dir.join(".github/workflows/check.yml")).unwrap();
    assert!(workflow.contains(&format!("run: {}\n", test.join(" "))), "{workflow}");
    assert!(workflow.contains("arbiter check New_bot-1 --strict"), "{workflow}");
    quick(Command::new(test[0]).args(&test[1..])).ends(0);

    let checked = ["check", "New_bot-1", "--strict", "--quiet", "--timeout", "60s"];
    quick(&mut arena.command(&checked)).ends(0).says("passes strictly");

    let plays: [&[&str]; 5] = [
        &["--rules", "isf", "--set", "illegal=retry:2"],
        &["--rules", "quick-battle-barrage", "--variant", "open-flag,rescue"],
        &["--rules", "siege-and-capture", "--variant", "silent-defence"],
        &["--rules", "classic", "--variant", "random-setup", "--set", "draw-offers=off"],
        &["--rules", "duel", "--set", "board=25x5", "--set", "lakes=c3,z3", "--set", "rows=2"],
    ];
    for (n, rules) in plays.iter().enumerate() {
        let event = format!("event-{n}");
        let args = ["play", "New_bot-1", "New_bot-1", "--games", "2", "--seed", "5", "--out", &event];
        quick(arena.command(&[&args[..], rules].concat()).env("ARBITER_LOG", "warn")).ends(0);
        quick(&mut arena.command(&["verify", &event])).ends(0).says("2 agree, 0 do not");
        for game in fs::read_to_string(dir.join(&event).join("games.jsonl")).unwrap().lines() {
            let game: serde_json::Value = serde_json::from_str(game).unwrap();
            assert_eq!(game["clause"], serde_json::Value::Null, "{language}, {rules:?}: {game}");
        }
    }
}

#[test]
fn a_python_bot_is_begun() {
    begins("python", &["python3"], &["python3", "-m", "unittest"]);
}

#[test]
fn a_javascript_bot_is_begun() {
    begins("javascript", &["node"], &["node", "--test"]);
}

#[test]
fn a_typescript_bot_is_begun() {
    begins("typescript", &["node", "npm"], &["npm", "test"]);
}

#[test]
fn a_c_bot_is_begun() {
    begins("c", &["cc", "make"], &["make", "test"]);
}

#[test]
fn a_cpp_bot_is_begun() {
    begins("c++", &["c++", "make"], &["make", "test"]);
}

#[test]
fn a_java_bot_is_begun() {
    begins("java", &["javac", "java"], &["sh", "test.sh"]);
}

#[test]
fn a_go_bot_is_begun() {
    begins("go", &["go"], &["go", "test"]);
}

#[test]
fn a_rust_bot_is_begun() {
    begins("rust", &["cargo"], &["cargo", "test"]);
}

#[test]
fn a_shell_bot_is_begun() {
    begins("shell", &["sh"], &["sh", "test.sh"]);
}

#[test]
fn an_empty_folder_is_filled_and_one_that_holds_something_is_left_alone() {
    let arena = Arena::new();
    fs::create_dir(arena.path("here")).unwrap();
    let here = |args: &[&str]| Ran::of(arena.command(args).current_dir(arena.path("here")).output().unwrap());
    here(&["new-bot", "sh", "."]).ends(0).says("`here`");
    assert!(arena.read("here/bots.toml").contains("[bots.here]"));
    let files = |dir: &str| fs::read_dir(arena.path(dir)).unwrap().count();
    let all = files("here");
    here(&["new-bot", "python", "."]).ends(2).says("this folder holds `");
    assert_eq!(files("here"), all);
    arena.run(&["new-bot", "sh", "bots.toml"]).ends(2).says("bots.toml");
    arena.run(&["new-bot", "sh", "deep/er/bot", "--name", "Other"]).ends(0).says("Other");
    assert!(arena.read("deep/er/bot/bot.sh").contains("id name Other"));
    assert!(!arena.read("deep/er/bot/README.md").contains("my-bot"));
}

#[test]
fn a_name_that_a_language_would_not_take_and_a_folder_that_cannot_be_made_are_refused_with_nothing_left() {
    let arena = Arena::new();
    let files = || fs::read_dir(arena.path(".")).unwrap().count();
    let before = files();
    for name in ["1st", "two words", "quote\"", "é", ""] {
        arena.run(&["new-bot", "rust", "dir", "--name", name]).ends(2).says("--name");
    }
    arena.run(&["new-bot", "rust", "my bot"]).ends(2).says("`my bot` is no name");
    arena.run(&["new-bot", "cobol", "bot"]).ends(2).says("possible values");
    assert_eq!(files(), before);
    // No user may make a folder there, root neither.
    arena.run(&["new-bot", "rust", "/proc/arbiter"]).ends(4).says("/proc/arbiter");
}
