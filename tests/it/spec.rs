//! SPEC.md held to what is shown of it: every clause is exercised by `arbiter check`, by a vector, by a test or told
//! to be untestable with the reason; every example in it parses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use arbiter::check::{catalogue, spec};
use arbiter::game::{
    BOOKS, Coordinates, Deployment, PARAMETERS, Rank, RuleSet, Rules, book, notation::WrittenMove,
};
use arbiter::protocol::{Clause, State, print, read};
use arbiter::referee::Handshake;
use serde_json::Value;

const VECTORS: &[(&str, &str)] = &[
    ("lines.jsonl", include_str!("../../protocol/vectors/lines.jsonl")),
    ("to-bot.jsonl", include_str!("../../protocol/vectors/to-bot.jsonl")),
    ("deployments.jsonl", include_str!("../../protocol/vectors/deployments.jsonl")),
    ("games.jsonl", include_str!("../../protocol/vectors/games.jsonl")),
    ("seeds.jsonl", include_str!("../../protocol/vectors/seeds.jsonl")),
];

fn objects(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

/// The clauses that `arbiter check` exercises: by a case, or by watching for their breach where fakes show that it
/// is seen (tests/it/check.rs). What only confinement could show is not among them.
fn checked() -> BTreeSet<String> {
    let cases = catalogue();
    let own = cases.iter().flat_map(|case| [case.clause()].into_iter().chain(case.also.iter().copied()));
    let watched = Clause::ALL.iter().map(|c| c.slug());
    own.chain(watched).map(str::to_owned).collect()
}

/// The clauses that some vector expects to be broken.
fn expected() -> BTreeSet<String> {
    let fault = |vector: Value| match &vector["expect"] {
        Value::String(slug) => Some(slug.clone()),
        expect => expect["clause"].as_str().map(str::to_owned),
    };
    VECTORS.iter().flat_map(|(_, text)| objects(text).filter_map(fault)).collect()
}

#[test]
fn every_clause_is_checked_or_in_a_vector_or_tested_or_untestable_for_a_reason() {
    let (checked, expected) = (checked(), expected());
    let table: toml::Table = include_str!("../data/coverage.toml").parse().unwrap();
    let mut told: BTreeMap<&str, &str> = BTreeMap::new();
    for (kind, entries) in &table {
        for (slug, text) in entries.as_table().unwrap() {
            assert!(told.insert(slug, kind).is_none(), "coverage.toml names {slug} twice");
            assert!(spec::clause(slug).is_some(), "coverage.toml: SPEC.md has no clause {slug}");
            let mut words = text.as_str().unwrap().split(' ');
            match kind.as_str() {
                "vectors" => {
                    let file = words.next().unwrap();
                    let (_, vectors) = VECTORS.iter().find(|(name, _)| *name == file).unwrap();
                    let ids: BTreeSet<String> =
                        objects(vectors).map(|v| v["id"].as_str().unwrap().to_owned()).collect();
                    for id in words {
                        assert!(ids.contains(id), "coverage.toml: {slug}: {file} has no vector {id}");
                    }
                }
                "tests" => {
                    let (file, name) = (words.next().unwrap(), words.next().unwrap());
                    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
                    let code = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{file}: {e}"));
                    assert!(
                        code.contains(&format!("fn {name}(")),
                        "coverage.toml: {slug}: {file} has no {name}"
                    );
                }
                "untestable" => assert!(words.count() > 3, "coverage.toml: {slug}: why?"),
                _ => panic!("coverage.toml: {kind} is no way to show a clause"),
            }
        }
    }
    for clause in spec::clauses() {
        let shown = checked.contains(clause.slug) || expected.contains(clause.slug);
        match told.get(clause.slug) {
            None => assert!(shown, "nothing shows {} [{}]", clause.number, clause.slug),
            Some(kind) => assert!(!shown, "{} needs no entry among {kind} any more", clause.slug),
        }
    }
}

#[test]
fn every_case_of_the_check_lists_clauses_that_are_the_specification_s() {
    for slug in checked() {
        assert!(spec::clause(&slug).is_some(), "{slug}");
    }
}

// ---- examples ----

/// The examples of the text: a block each, with the line on which it begins.
fn blocks() -> Vec<(usize, Vec<&'static str>)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, Vec<&'static str>)> = None;
    for (number, line) in (1..).zip(spec::TEXT.lines()) {
        match (line, &mut open) {
            ("```sbp", _) => open = Some((number, Vec::new())),
            ("```", Some(_)) => blocks.extend(open.take()),
            (line, Some((_, lines))) => lines.push(line),
            _ => {}
        }
    }
    blocks
}

fn number(text: &str) -> bool {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    plain && text.parse::<u64>().is_ok_and(|n| n < 1 << 63)
}

fn square(text: &str) -> bool {
    Coordinates::parse(text.as_bytes()).is_some()
}

fn rank(text: &str) -> bool {
    text.len() == 1 && Rank::from_letter(text.chars().next().unwrap()).is_some()
}

fn told(text: &str) -> bool {
    text == "?" || rank(text)
}

fn colour(text: &str) -> bool {
    text == "red" || text == "blue"
}

fn slug(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-".contains(&b))
}

/// Whether a line of the arbiter has the form of the grammar, words of later versions apart.
fn to_bot(line: &str) -> bool {
    let plain =
        line.bytes().all(|b| (0x20..0x7f).contains(&b)) && line == line.trim() && !line.contains("  ");
    let words: Vec<&str> = line.split(' ').collect();
    let value = |word: &str, key: &str| word.strip_prefix(key).map(str::to_owned);
    let form = match words[..] {
        ["sbp", version] => number(version),
        ["setoption", "name", ref rest @ ..] => rest.first().is_some_and(|word| *word != "value"),
        ["isready" | "setup" | "start" | "drawoffer" | "quit"] => true,
        ["newgame", ref rest @ ..] => newgame(rest).is_some(),
        ["setup", "assigned", text] => deployment(text),
        ["placed", side, ref squares @ ..] => {
            colour(side) && !squares.is_empty() && squares.iter().all(|s| square(s))
        }
        ["flag", side, at] => colour(side) && square(at),
        ["moved", side, from, to, ref rest @ ..] => {
            colour(side) && square(from) && square(to) && happened(rest)
        }
        ["board", rows] => board(rows),
        ["legal", ref moves @ ..] => {
            !moves.is_empty() && moves.iter().all(|mv| WrittenMove::parse(mv.as_bytes()).is_some())
        }
        ["illegal", clause, from, to] => Clause::from_slug(clause).is_some() && square(from) && square(to),
        ["go", ref rest @ ..] => rest.iter().all(|word| {
            let clocks = value(word, "clock=")
                .is_some_and(|v| v.split_once(',').is_some_and(|(a, b)| number(a) && number(b)));
            let one = value(word, "moves-to-go=").or(value(word, "move-time="));
            clocks || one.is_some_and(|v| number(&v))
        }),
        ["gameover", winner, reason, ref rest @ ..] => {
            let clause = match rest {
                [] => true,
                [word] => value(word, "clause=").is_some_and(|v| Clause::from_slug(&v).is_some()),
                _ => false,
            };
            value(winner, "winner=").is_some_and(|v| v == "none" || colour(&v))
                && value(reason, "reason=").is_some_and(|v| slug(&v))
                && clause
        }
        _ => false,
    };
    plain && form
}

/// What a move did: a battle, a rescue, both or nothing.
fn happened(words: &[&str]) -> bool {
    match words {
        [] => true,
        ["rescue", back, at] => told(back) && square(at),
        ["battle", a, b, "lost", "advances", rest @ ..] => told(a) && told(b) && happened(rest),
        ["battle", a, b, "won" | "lost" | "both", rest @ ..] => {
            told(a) && told(b) && rest.first() != Some(&"battle") && happened(rest)
        }
        _ => false,
    }
}

fn board(rows: &str) -> bool {
    let rows: Vec<&str> = rows.split('/').collect();
    let known = |c: char| ".~?!fbscdeghijkm".contains(c) || Rank::from_letter(c).is_some();
    rows.iter().all(|row| row.len() == rows[0].len() && row.chars().all(known))
}

/// A deployment of one of the shipped books.
fn deployment(text: &str) -> bool {
    BOOKS.iter().any(|(name, _)| Deployment::parse(&Rules::new(book(name).unwrap()).unwrap(), text).is_ok())
}

/// The rules that the words behind `newgame` tell.
fn newgame(words: &[&str]) -> Option<RuleSet> {
    let (mut keys, mut set) = (Vec::new(), None);
    for word in words {
        let (key, value) = word.split_once('=')?;
        keys.push(key);
        match key {
            "rules" => set = book(value),
            "colour" | "first" if !colour(value) => return None,
            "seed" | "delay" | "move-time" if !number(value) => return None,
            _ if PARAMETERS.iter().any(|p| p.name == key) => set.as_mut()?.set(key, value).ok()?,
            _ => {}
        }
    }
    let timed = if keys.contains(&"time") { "time" } else { "move-time" };
    let first = ["id", "colour", "first", "seed", timed, "delay", "setup-time", "rules"];
    let parameters = PARAMETERS.iter().map(|p| p.name).filter(|name| *name != "scoring");
    let wanted: Vec<&str> = first.into_iter().chain(parameters).collect();
    (keys == wanted).then_some(set?).filter(|set| Rules::new(set.clone()).is_ok())
}

#[test]
fn every_example_of_the_specification_parses() {
    let blocks = blocks();
    assert!(blocks.len() > 10 && blocks.len() == spec::TEXT.matches("```sbp").count());
    for (at, lines) in blocks {
        let (mut state, mut handshake) = (State::Silent, Handshake::default());
        for (offset, line) in (1..).zip(lines) {
            let place = format!("SPEC.md, line {}: {line}", at + offset);
            if let Some(text) = line.strip_prefix("> ") {
                assert!(to_bot(text), "{place}");
                state = match text.split(' ').next().unwrap() {
                    "sbp" => State::Handshake,
                    "isready" => State::Ready,
                    "setup" if text == "setup" => State::Setup,
                    "go" => State::Turn,
                    "gameover" if state != State::Silent => State::Over,
                    "quit" => State::Closed,
                    _ => state,
                };
                continue;
            }
            let text = line.strip_prefix("< ").unwrap_or_else(|| panic!("{place}: it bears no mark"));
            read(text.as_bytes(), state).unwrap_or_else(|fault| panic!("{place}: {}", fault.evidence));
            if state == State::Handshake {
                handshake.line(text.as_bytes()).unwrap_or_else(|fault| panic!("{place}: {}", fault.evidence));
            }
            if let Some(setup) = text.strip_prefix("setup ") {
                assert!(deployment(setup), "{place}");
            }
            let word = text.split_whitespace().next().unwrap_or_default();
            if ["ok", "readyok", "setup", "move", "draw", "resign"].contains(&word) {
                state = State::Silent;
            }
        }
    }
}

#[test]
fn newgame_has_the_words_of_its_table_in_their_order() {
    let rows: Vec<&str> = spec::TEXT
        .lines()
        .skip_while(|line| !line.starts_with("| key | value |"))
        .skip(2)
        .map_while(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let time = arbiter::clock::TimeSettings::default();
    for (name, _) in BOOKS {
        let rules = book(name).unwrap();
        let mut text = String::new();
        let colour = arbiter::game::Colour::Blue;
        let new = print::NewGame { id: "x", colour, first: colour, seed: 7, time: &time, rules: &rules };
        print::newgame(&mut text, &new);
        let words: Vec<&str> = text.trim_end().split(' ').skip(1).collect();
        assert_eq!(newgame(&words).as_ref().map(|set| &set.army), Some(&rules.army), "{text}");
        let keys: Vec<&str> = words.iter().map(|word| word.split('=').next().unwrap()).collect();
        let table: Vec<&str> = rows.iter().copied().filter(|key| *key != "time").collect();
        assert_eq!(keys, table, "SPEC.md's table and {name}");
    }
}

#[test]
fn several_lines_of_one_word_are_taken_together() {
    let mut handshake = Handshake::default();
    for line in ["want board", "want clock legal", "feature a", "feature b", "supports isf", "supports duel"]
    {
        handshake.line(line.as_bytes()).unwrap();
    }
    let profile = handshake.profile();
    assert!(profile.wants.board && profile.wants.clock && profile.wants.legal && !profile.wants.ponder);
    assert_eq!(
        (&profile.features[..], &profile.supports[..]),
        (&["a".to_owned(), "b".to_owned()][..], &["isf".to_owned(), "duel".to_owned()][..])
    );
}

#[test]
fn a_bot_is_not_seated_for_a_book_that_it_does_not_support() {
    let dir = tempfile::TempDir::new().unwrap();
    let bot = format!("{} greets:supports_duel", crate::fake::fake_bot().display());
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(["play", &bot, &bot, "--rules", "barrage", "--out"])
        .arg(dir.path().join("event"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && told.contains("does not play `barrage`"), "{told}");
    assert!(!dir.path().join("event").exists());
}

/// The beginning of a text's SHA-256.
fn sum(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn nothing_of_the_frozen_version_changes_unnoticed() {
    let grammar: Vec<&str> =
        spec::TEXT.split("```abnf\n").skip(1).filter_map(|text| text.split("```").next()).collect();
    // What is meant to be clearer, and is no other to any bot, gets a new sum; all else is a version 2.
    let advice = "see protocol/CHANGELOG.md for what a version 1.x may do, and tests/data/protocol-1.txt";
    let mut frozen = 0;
    for line in include_str!("../data/protocol-1.txt").lines().filter(|line| !line.starts_with('#')) {
        frozen += 1;
        let now = match line.split(' ').collect::<Vec<_>>()[..] {
            ["clause", _, slug, _] => {
                let clause = spec::clause(slug).unwrap_or_else(|| panic!("{slug} is gone: {advice}"));
                format!("clause {} {slug} {}", clause.number, sum(clause.sentence))
            }
            ["grammar", number, _] => {
                let block = grammar.get(number.parse::<usize>().unwrap() - 1).copied().unwrap_or_default();
                format!("grammar {number} {}", sum(block))
            }
            ["vectors", name, count, _] => {
                let (_, text) = VECTORS.iter().find(|(file, _)| *file == name).expect("a file of vectors");
                // New ones may come behind.
                let first: String = text.split_inclusive('\n').take(count.parse().unwrap()).collect();
                format!("vectors {name} {count} {}", sum(&first))
            }
            _ => panic!("protocol-1.txt: {line}"),
        };
        assert_eq!(now, line, "{advice}");
    }
    assert!(frozen >= spec::clauses().len(), "a new clause is frozen with the version that brings it");
}
