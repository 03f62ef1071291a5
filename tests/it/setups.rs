//! Setup books: the published ones read whole, and events played from a book with the real binary.

use std::collections::{BTreeMap, BTreeSet};

use arbiter::game::{Rules, book};
use arbiter::record::{SetupBook, SetupKind, SetupLines};
use serde_json::Value;

use crate::event::Arena;

const CLASSIC: &str = include_str!("../data/setups_classic.txt");
const BARRAGE: &str = include_str!("../data/setups_barrage.txt");

/// Four barrage deployments in the protocol's letters.
const FOUR: &str = "# four\n\
                    F.B.......M93S.22.......................\n\
                    FB........M93S.22.......................\n\
                    .F.B......M93S.22.......................\n\
                    B.F.......M93S.22.......................\n";

#[test]
fn the_published_setups_are_deployments_of_their_rule_books_and_of_no_other() {
    for (text, name, other) in [(CLASSIC, "isf", "barrage"), (BARRAGE, "barrage", "isf")] {
        let rules = |name| Rules::new(book(name).unwrap()).unwrap();
        let lines = SetupLines::read(&rules(name), text);
        assert_eq!(lines.bad, [], "{name}");
        assert_eq!((lines.good.len(), lines.distinct()), (200, 200), "{name}");
        assert_eq!(lines.of_kind(SetupKind::Strados2), 200, "{name}");
        let wrong = SetupLines::read(&rules(other), text);
        assert_eq!((wrong.good.len(), wrong.bad.len()), (0, 200), "{name} under {other}");
        assert!(wrong.bad.iter().all(|bad| bad.kind == SetupKind::Strados2));
    }
    // Most people put their flag on the back row, which is the last of a StraDoS2 line.
    let isf = Rules::new(book("isf").unwrap()).unwrap();
    let read = SetupBook::read(&isf, CLASSIC).unwrap();
    let back = read.deployments().iter().filter(|d| d.to_string()[..10].contains('F')).count();
    assert!(back > 150, "{back}");
}

/// The games of an event by id: who plays, and each side's deployment.
fn games(arena: &Arena, event: &str) -> BTreeMap<String, Value> {
    let journal = arena.read(&format!("{event}/games.jsonl"));
    let games = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    games.map(|game| (game["id"].as_str().unwrap().to_owned(), game)).collect()
}

#[test]
fn an_opening_is_the_same_for_all_pairs_and_is_played_twice_with_colours_swapped() {
    let arena = Arena::new();
    arena.write("four.txt", FOUR);
    let args = ["tournament", "league.toml", "--setups", "four.txt"];
    arena.run(&args).ends(0).says("4 deployments of the setup book four.txt");
    let games = games(&arena, "results/league");
    assert_eq!(games.len(), 24);
    let mut dealt = Vec::new();
    for round in 1..=4 {
        let game = |pair: u64, number: u64| &games[&format!("{round}.{pair}.{number}")];
        let opening = &game(1, 1)["setup"];
        for pair in 1..=3 {
            let (first, second) = (game(pair, 1), game(pair, 2));
            assert_eq!((&first["setup"], &second["setup"]), (opening, opening));
            assert_eq!((&first["red"], &first["blue"]), (&second["blue"], &second["red"]));
        }
        dealt.extend(["red", "blue"].map(|side| opening[side].as_str().unwrap().to_owned()));
    }
    // Two rounds use up the book; the next two deal it anew.
    let lines: BTreeSet<&str> = FOUR.lines().skip(1).collect();
    for half in dealt.chunks(4) {
        assert_eq!(half.iter().map(String::as_str).collect::<BTreeSet<_>>(), lines);
    }
    // What an event of a seed begins with can be known beforehand.
    let drawn = arena
        .run(&["setups", "four.txt", "--rules", "barrage", "--draw", "4", "--seed", "7"])
        .ends(0)
        .out
        .clone();
    let drawn: Vec<&str> = drawn.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(drawn, dealt[..4]);
    arena.run(&["verify", "--quiet", "results/league"]).ends(0);
}

#[test]
fn an_odd_number_of_games_swaps_colours_over_the_same_opening_too() {
    let arena = Arena::new();
    arena.write("four.txt", FOUR);
    let args =
        ["play", "ann", "cyd", "--rules", "barrage", "--setups", "four.txt", "--games", "3", "--seed", "3"];
    arena.run(&[&args[..], &["--out", "e"]].concat()).ends(0);
    let games = games(&arena, "e");
    let [first, second, third] = ["1.1.1", "2.1.1", "3.1.1"].map(|id| &games[id]);
    assert_eq!(first["setup"], second["setup"]);
    assert_eq!((&first["red"], &first["blue"]), (&second["blue"], &second["red"]));
    assert_ne!(first["setup"], third["setup"]);
}

#[test]
fn a_tournament_file_names_its_book_beside_it_and_the_event_records_it() {
    let arena = Arena::new();
    std::fs::create_dir(arena.path("sub")).unwrap();
    arena.write("sub/four.txt", FOUR);
    let text = format!("setups = \"four.txt\"\nregistry = \"../bots.toml\"\n{}", arena.read("league.toml"));
    arena.write("sub/league.toml", &text);
    arena.run(&["tournament", "sub/league.toml", "--rounds", "1"]).ends(0);
    let event: Value = serde_json::from_str(&arena.read("results/league/event.json")).unwrap();
    assert_eq!(event["rules"]["deployment-by"], "book");
    assert_eq!(event["setups"]["file"], "four.txt");
    assert_eq!(event["setups"]["sha256"].as_str().unwrap().len(), 64);
    // The same plan goes on, wherever the book lies.
    arena.write("four.txt", FOUR);
    let args = ["tournament", "league.toml", "--rounds", "1"];
    arena.run(&[&args[..], &["--setups", "four.txt"]].concat()).ends(0).says("nothing is missing");
    // Another book does not, nor another name, nor none.
    arena.write("other.txt", FOUR);
    arena.write("four.txt", &format!("{FOUR}# changed\n"));
    let refused = |extra: &[&str], key: &str| {
        arena.run(&[&args[..], extra].concat()).ends(2).says(key).says("--out DIR begins another event");
    };
    refused(&["--setups", "four.txt"], "setups.sha256: the event has `");
    refused(&["--setups", "four.txt", "--accept-changed"], "setups.sha256: the event has `");
    refused(&["--setups", "other.txt"], "setups.file: the event has `four.txt`, this run `other.txt`");
    refused(&[], "rules.deployment-by: the event has `book`, this run `bot`");
}

#[test]
fn who_has_played_an_opening_does_not_meet_it_again_in_the_same_process() {
    let arena = Arena::new();
    arena.write("four.txt", FOUR);
    let counted = arena.path("counted.sh");
    let text = format!("#!/bin/sh\necho x >> starts\nexec {} tag:n\n", crate::fake::fake_bot().display());
    std::fs::write(&counted, text).unwrap();
    let mode: std::fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&counted, mode).unwrap();
    let counted = format!("cmd=./counted.sh read={} write=.", crate::fake::fake_bot().display());
    let args = ["play", &*counted, "ann", "--games", "2", "--rules", "barrage", "--setups", "four.txt"];
    arena.run(&args).ends(0);
    // One start more is the look at it before the first game.
    assert_eq!(arena.read("starts").lines().count(), 3);
}

#[test]
fn books_that_cannot_be_played_from_are_refused_and_leave_nothing() {
    let arena = Arena::new();
    arena.write("four.txt", FOUR);
    arena.write("bad.txt", &format!("{FOUR}F.B\n\nAAAAKLAACAAAAAAAAAAEAAAAAAAADBAAAAAAAAAM\n"));
    arena.write("empty.txt", "# nothing yet\n");
    let cases: &[(&[&str], &str)] = &[
        (
            &["--setups", "bad.txt"],
            "setup book bad.txt, rules barrage: line 6, read as the protocol's letters",
        ),
        (&["--setups", "bad.txt"], "line 8, read as StraDoS2 letters: 1 of scout (2), where the army has 2"),
        (&["--setups", "empty.txt"], "it holds no deployment"),
        (&["--setups", "nofile.txt"], "setup book nofile.txt: No such file"),
        (&["--set", "deployment-by=book"], "deployment-by=book needs a setup book: --setups FILE"),
        (&["--setups", "four.txt", "--variant", "random-setup"], "leave out one of the two"),
    ];
    for (extra, text) in cases {
        for verb in [&["play", "ann", "bob", "--rules", "barrage"][..], &["tournament", "league.toml"]] {
            arena.run(&[verb, extra].concat()).ends(2).says(text);
        }
    }
    assert!(!arena.path("results").exists());
}

#[test]
fn the_verb_checks_counts_and_draws() {
    let arena = Arena::new();
    arena.write("classic.txt", CLASSIC);
    arena.write("four.txt", &format!("{FOUR}F.B.......M93S.22.......................  # again\n"));
    arena.write("bad.txt", "F.B\nF.B.......M93S.22.......................\n");
    arena.write("empty.txt", "\n");
    arena
        .run(&["setups", "classic.txt"])
        .ends(0)
        .says("200 deployments, 200 distinct, 200 in StraDoS2 letters");
    let barrage = |args: &[&str]| arena.run(&[&["setups"], args, &["--rules", "barrage"]].concat());
    barrage(&["four.txt"]).ends(0).says("5 deployments, 4 distinct, 5 in the protocol's letters");
    barrage(&["bad.txt"])
        .ends(1)
        .says("bad.txt, line 1, read as the protocol's letters: a deployment has 40");
    let many = arena.run(&["setups", "classic.txt", "--rules", "barrage"]);
    many.ends(1).says("200 bad lines").says("classic.txt, line 20, read as").says("and 180 bad lines more");
    std::fs::write(arena.path("bytes.txt"), b"# caf\xe9\nF.B\xff\n").unwrap();
    barrage(&["bytes.txt"]).ends(1).says("bytes.txt, line 2, read as");
    barrage(&["empty.txt"]).ends(1).says("empty.txt: it holds no deployment");
    barrage(&["nofile.txt"]).ends(2).says("setup book nofile.txt: No such file");
    barrage(&["four.txt", "--draw", "2"]).ends(2).says("--seed");
    barrage(&["four.txt", "--draw", "6", "--seed", "1"]).ends(2).says("a number from 1 to 5");
    let json = |args: &[&str], code| -> Value {
        let ran = barrage(&[args, &["--json"]].concat());
        serde_json::from_str(&ran.ends(code).out).unwrap()
    };
    let bad = json(&["bad.txt", "--draw", "1", "--seed", "1"], 1);
    assert_eq!((&bad["bad"][0]["line"], &bad["bad"][0]["clause"]), (&1.into(), &"setup.length".into()));
    assert_eq!((&bad["deployments"], &bad["drawn"]), (&1.into(), &Value::Array(Vec::new())));
    // A draw is a book, the same each time, and of another seed another.
    let drawn =
        |seed| arena.run(&["setups", "classic.txt", "--draw", "50", "--seed", seed]).ends(0).out.clone();
    assert_eq!(drawn("1"), drawn("1"));
    assert_ne!(drawn("1"), drawn("2"));
    arena.write("drawn.txt", &drawn("1"));
    arena
        .run(&["setups", "drawn.txt"])
        .ends(0)
        .says("50 deployments, 50 distinct, 50 in the protocol's letters");
}
