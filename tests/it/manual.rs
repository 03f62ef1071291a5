//! The manual pages and the completion scripts.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::event::Arena;

/// The verbs that `--help` lists.
fn verbs(arena: &Arena) -> Vec<String> {
    let help = arena.run(&["--help"]).out;
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let verbs = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    verbs.map(|line| line.split_whitespace().next().unwrap().to_owned()).filter(|v| v != "help").collect()
}

#[test]
fn each_verb_has_a_manual_page_with_its_examples_and_a_place_in_every_completion_script() {
    let arena = Arena::new();
    let verbs = verbs(&arena);
    assert!(verbs.contains(&"completions".to_owned()) && verbs.len() > 8, "{verbs:?}");
    arena.run(&["man", "man/man1"]).ends(0);
    assert_eq!(arena.run(&["man"]).out, arena.read("man/man1/arbiter.1"));
    for verb in &verbs {
        let page = arena.read(&format!("man/man1/arbiter-{verb}.1"));
        assert!(page.starts_with(".ie") && page.contains("Examples:"), "{verb}: {page}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = arena.run(&["completions", shell]).out;
        for verb in &verbs {
            assert!(script.contains(verb.as_str()), "{shell} completes no {verb}");
        }
    }
}

#[test]
fn the_completion_script_is_one_that_bash_takes() {
    let arena = Arena::new();
    let script = arena.run(&["completions", "bash"]).out;
    let mut bash = Command::new("bash")
        .args(["-c", "source /dev/stdin; COMP_WORDS=(arbiter ver); COMP_CWORD=1; _arbiter arbiter ver arbiter; echo \"${COMPREPLY[@]}\""])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(bash.wait_with_output().unwrap().stdout).unwrap(), "verify\n");
}

#[test]
fn a_folder_of_pages_that_cannot_be_written_is_exit_4_and_an_unknown_shell_exit_2() {
    let arena = Arena::new();
    fs::write(arena.path("file"), "").unwrap();
    arena.run(&["man", "file/man1"]).ends(4).says("file/man1");
    arena.run(&["completions", "dos"]).ends(2).says("possible values");
}
