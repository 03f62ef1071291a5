//! Tables of events that were never played: journals written from given results, read by `arbiter standings`.

use std::collections::BTreeMap;
use std::fs;

use arbiter::record::{EVENT_FORMAT, EventFile, GAME_FORMAT, GameRecord, Machine, Sides};
use serde_json::Value;

use crate::event::Arena;

/// An event's plan, with these bots and hashes.
pub fn plan(name: &str, bots: &[(&str, &str)]) -> EventFile {
    let set = arbiter::game::book("barrage").unwrap();
    let mut rules: BTreeMap<String, String> = set.values().map(|(k, v)| (k.to_owned(), v)).collect();
    rules.insert("name".to_owned(), set.name.clone());
    let bot = |&(name, hash): &(&str, &str)| {
        serde_json::json!({
            "name": name, "argv": [format!("./{name}")], "program": format!("/bots/{name}"), "hash": hash,
        })
    };
    let text = serde_json::json!({
        "format": EVENT_FORMAT, "arbiter": "0.1.0", "protocol": 1, "name": name, "command": [],
        "machine": Machine { os: "linux".into(), arch: "x86_64".into(), cores: 2 },
        "rules": rules, "time": {}, "seed": 1,
        "schedule": { "kind": "round-robin", "rounds": 1, "games": 2 },
        "bots": bots.iter().map(bot).collect::<Vec<_>>(),
    });
    serde_json::from_value(text).unwrap()
}

/// A game of no moves.
pub fn game(id: &str, red: &str, blue: &str, result: &str) -> GameRecord {
    GameRecord {
        v: GAME_FORMAT,
        id: id.to_owned(),
        red: red.to_owned(),
        blue: blue.to_owned(),
        result: result.to_owned(),
        reason: if result == "draw" { "agreement" } else { "flag-captured" }.to_owned(),
        clause: None,
        plies: 0,
        given: 0,
        first: "red".to_owned(),
        seeds: Sides { red: 1, blue: 2 },
        setup: Sides::default(),
        moves: Vec::new(),
        battles: Vec::new(),
        us: Vec::new(),
        scores: Vec::new(),
        faults: Vec::new(),
    }
}

/// Writes an event's folder.
pub fn event(arena: &Arena, plan: &EventFile, games: &[GameRecord]) {
    let folder = arena.path(&plan.name);
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("event.json"), serde_json::to_string(plan).unwrap()).unwrap();
    let lines: String = games.iter().map(GameRecord::to_line).collect();
    fs::write(folder.join("games.jsonl"), lines).unwrap();
}

/// Results of one bot against another, with alternating colours, as games of pair `pair`: wins, draws, losses.
fn meet(pair: u64, one: &str, other: &str, counts: [usize; 3]) -> Vec<GameRecord> {
    let results =
        ["win", "draw", "loss"].into_iter().zip(counts).flat_map(|(r, n)| std::iter::repeat_n(r, n));
    (1..)
        .zip(results)
        .map(|(n, result)| {
            let swapped = n % 2 == 0;
            let (red, blue) = if swapped { (other, one) } else { (one, other) };
            let result = match result {
                "draw" => "draw",
                r if (r == "win") == swapped => "blue",
                _ => "red",
            };
            game(&format!("1.{pair}.{n}"), red, blue, result)
        })
        .collect()
}

fn json(arena: &Arena, args: &[&str]) -> Value {
    let args = [&["standings", "--json"], args].concat();
    serde_json::from_str(&arena.run(&args).ends(0).out).unwrap()
}

fn line<'a>(table: &'a Value, name: &str) -> &'a Value {
    table["standings"].as_array().unwrap().iter().find(|l| l["name"] == name).unwrap()
}

#[track_caller]
fn near(value: &Value, wanted: f64) {
    let value = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((value - wanted).abs() < 0.0051, "{value} is not {wanted}");
}

/// The four players of the reference page.
fn four(arena: &Arena) {
    let games = [
        meet(1, "A", "B", [12, 5, 3]),
        meet(2, "A", "C", [15, 3, 2]),
        meet(3, "A", "D", [18, 1, 1]),
        meet(4, "B", "C", [9, 6, 5]),
        meet(5, "B", "D", [13, 4, 3]),
        meet(6, "C", "D", [8, 7, 5]),
    ];
    event(arena, &plan("four", &[("A", "a1"), ("B", "b1"), ("C", "c1"), ("D", "d1")]), &games.concat());
}

#[test]
fn four_players_of_a_journal_have_the_reference_ratings_an_anchor_and_a_los_matrix() {
    let arena = Arena::new();
    four(&arena);
    let table = json(&arena, &["four"]);
    for (name, elo) in [("A", 209.546), ("B", 21.833), ("C", -73.328), ("D", -158.051)] {
        near(&line(&table, name)["elo"]["elo"], elo);
    }
    let held = json(&arena, &["four", "--anchor", "B=1000", "--los", "--first-mover"]);
    near(&line(&held, "B")["elo"]["elo"], 1000.0);
    let gap = |t: &Value| {
        line(t, "A")["elo"]["elo"].as_f64().unwrap() - line(t, "D")["elo"]["elo"].as_f64().unwrap()
    };
    assert!((gap(&held) - gap(&table)).abs() < 20.0);
    assert_eq!(held["first_mover"]["kind"], "value");
    let (there, back) = (&held["los"]["A"]["D"], &held["los"]["D"]["A"]);
    assert!(there.as_f64().unwrap() > 0.99);
    assert!((there.as_f64().unwrap() + back.as_f64().unwrap() - 1.0).abs() < 1e-5);
    arena.run(&["standings", "four", "--anchor", "E=0"]).ends(2).says("there are A, B, C, D");
    arena.run(&["standings", "four", "--anchor", "A=much"]).ends(2).says("NAME=ELO");
    arena.run(&["standings", "four", "--los"]).ends(0).says("how likely").says("Crosstable");
    // What only an option asks for is not written.
    assert!(!arena.path("four/standings.json").exists());
    arena.run(&["standings", "four"]).ends(0);
    assert_eq!(arena.read("four/standings.json"), arena.run(&["standings", "four", "--json"]).out);
}

#[test]
fn a_match_of_two_tells_both_errors_and_the_correlation_of_its_pairs() {
    let arena = Arena::new();
    // Pairs of two wins, of a win and a draw, of one each, …: 3, 2, 1, 1 and 1 of them.
    let pairs = [
        ("red", "blue"),
        ("red", "blue"),
        ("red", "blue"),
        ("red", "draw"),
        ("draw", "blue"),
        ("red", "red"),
        ("draw", "red"),
        ("blue", "red"),
    ];
    let games: Vec<GameRecord> = (1..)
        .zip(pairs)
        .flat_map(|(round, (one, two))| {
            [game(&format!("{round}.1.1"), "A", "B", one), game(&format!("{round}.1.2"), "B", "A", two)]
        })
        .collect();
    event(&arena, &plan("duel", &[("A", "a1"), ("B", "b1")]), &games);
    let table = json(&arena, &["duel"]);
    let duel = &table["match"];
    assert_eq!((&duel["wins"], &duel["draws"], &duel["losses"]), (&9.into(), &3.into(), &4.into()));
    assert_eq!(duel["pairs"]["counts"], serde_json::json!([1, 1, 1, 2, 3]));
    // E(s) of s = 10.5/16, whichever way the games are bundled; the errors differ.
    near(&duel["games"]["elo"]["elo"], 112.33);
    near(&duel["pairs"]["elo"]["elo"], 112.33);
    assert_ne!(duel["games"]["elo"]["error"], duel["pairs"]["elo"]["error"]);
    near(&duel["pairs"]["pairs_ratio"]["value"], 2.5);
    near(&duel["pairs"]["draw_ratio"]["value"], 0.125);
    let hang = duel["pairs"]["correlation"]["value"].as_f64().unwrap();
    assert!((-1.0..=1.0).contains(&hang) && hang > 0.0, "{hang}");
    arena.run(&["standings", "duel"]).ends(0).says("by games: Elo +112.3").says("by pairs: Elo +112.3");
}

#[test]
fn two_contents_of_one_name_are_two_bots_until_they_are_joined() {
    let arena = Arena::new();
    let games = |red: &str| vec![game("1.1.1", "A", "B", red), game("1.1.2", "B", "A", "draw")];
    event(&arena, &plan("one", &[("A", "aaaaaaaa11"), ("B", "bb")]), &games("red"));
    event(&arena, &plan("two", &[("A", "cccccccc22"), ("B", "bb")]), &games("blue"));
    let names = |args: &[&str]| -> Vec<String> {
        let table = json(&arena, args);
        let mut names: Vec<String> = table["standings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|l| l["name"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&["one", "two"]), ["A@aaaaaaaa", "A@cccccccc", "B"]);
    assert_eq!(names(&["one", "two", "--join", "A"]), ["A", "B"]);
    let joined = json(&arena, &["one", "two", "--join", "A"]);
    assert_eq!(joined["games"], 4);
    arena.run(&["standings", "one", "two", "--join", "C"]).ends(2).says("there are A, B");
    arena.run(&["standings", "one", "./one"]).ends(2).says("count twice");
}

#[test]
fn players_who_never_met_and_swept_ones_are_said_to_be_so() {
    let arena = Arena::new();
    let games = [meet(1, "A", "B", [10, 0, 0]), meet(2, "C", "D", [4, 0, 6])].concat();
    event(&arena, &plan("apart", &[("A", "a"), ("B", "b"), ("C", "c"), ("D", "d")]), &games);
    let ran = arena.run(&["standings", "apart"]);
    ran.ends(0).says("never met").says("> +83").says("< -83");
    assert!(!ran.out.to_lowercase().contains("nan") && !ran.out.contains("inf"), "{}", ran.out);
}

#[test]
fn a_history_shows_the_ratings_after_each_step_and_ends_at_the_table() {
    let arena = Arena::new();
    four(&arena);
    let games = [meet(1, "A", "B", [3, 2, 5])].concat();
    event(&arena, &plan("later", &[("A", "a1"), ("B", "b1")]), &games);
    let table = json(&arena, &["four", "later", "--history", "event", "--glicko2"]);
    let history = table["history"].as_array().unwrap();
    let after: Vec<&str> = history.iter().map(|row| row["after"].as_str().unwrap()).collect();
    assert_eq!(after, ["four", "later"]);
    near(&history[0]["elo"]["A"]["elo"], 209.546);
    assert_eq!(history[1]["elo"]["A"], line(&table, "A")["elo"]);
    let glicko = &line(&table, "A")["glicko2"];
    assert!(glicko["rating"].as_f64().unwrap() > 1500.0 && glicko["deviation"].as_f64().unwrap() < 350.0);
    let rows = json(&arena, &["four", "--history", "50"]);
    assert_eq!(rows["history"].as_array().unwrap().len(), 3);
    arena.run(&["standings", "four", "later", "--history", "round"]).ends(0).says("later round 1");
    arena.run(&["standings", "four", "--history", "0"]).ends(2).says("event, round or a number");
}
