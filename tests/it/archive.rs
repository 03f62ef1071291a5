//! What is made of events for others: tables for SQL and notebooks, copies for the public.

use std::fs;

use serde_json::Value;

use crate::event::Arena;
use crate::ratings::{event, game, plan};

fn league(arena: &Arena) {
    arena.run(&["tournament", "league.toml", "--rounds", "2"]).ends(0);
}

/// The example queries of docs/export.md, each with the sentence above it.
fn examples() -> Vec<String> {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/export.md")).unwrap();
    text.split("```sql\n").skip(1).map(|part| part.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn an_export_to_sqlite_holds_every_game_and_move_and_the_queries_of_the_docs_run_on_it() {
    let arena = Arena::new();
    league(&arena);
    let journal = arena.read("results/league/games.jsonl");
    let records: Vec<Value> = journal.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    arena.run(&["export", "results/league", "--to", "all.sqlite"]).ends(0).says("12 games in all.sqlite");
    let db = rusqlite::Connection::open(arena.path("all.sqlite")).unwrap();
    let number = |sql: &str| -> i64 { db.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert_eq!(number("SELECT count(*) FROM games"), 12);
    let plies: i64 = records.iter().map(|r| r["plies"].as_i64().unwrap()).sum();
    assert_eq!(number("SELECT count(*) FROM moves"), plies);
    let battles: usize = records.iter().map(|r| r["battles"].as_array().unwrap().len()).sum();
    assert_eq!(number("SELECT count(*) FROM moves WHERE outcome IS NOT NULL"), battles as i64);
    let us: i64 = records.iter().flat_map(|r| r["us"].as_array().unwrap()).map(|n| n.as_i64().unwrap()).sum();
    assert_eq!(number("SELECT sum(red_us + blue_us) FROM games"), us);
    assert_eq!(
        number("SELECT sum(wins) FROM ratings"),
        number("SELECT count(*) FROM games WHERE result <> 'draw'")
    );
    assert_eq!(number("SELECT games FROM events"), 12);
    // The ratings are those of the table.
    let table: Value = serde_json::from_str(&arena.read("results/league/standings.json")).unwrap();
    let best = &table["standings"][0];
    let sql = "SELECT points FROM ratings WHERE place = 1";
    let points: f64 = db.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(points, best["points"].as_f64().unwrap());
    let queries = examples();
    assert_eq!(queries.len(), 3);
    for query in queries {
        let mut statement = db.prepare(&query).unwrap_or_else(|e| panic!("{query}\n{e}"));
        let rows = statement.query_map([], |_| Ok(())).unwrap().count();
        assert!(rows > 0, "no rows: {query}");
    }
    arena.run(&["export", "results/league", "--to", "all.sqlite"]).ends(2).says("--overwrite");
    arena.run(&["export", "results/league", "--to", "all.sqlite", "--overwrite"]).ends(0);
    arena.run(&["export", "results/league", "--to", "all.xls"]).ends(2).says(".sqlite, .db or .csv");
    arena.run(&["export", "nofolder", "--to", "x.db"]).ends(2).says("nofolder/event.json");
}

#[test]
fn an_export_to_csv_has_a_file_for_each_table_with_names_as_they_are() {
    let arena = Arena::new();
    // Quotes and commas in a name must come back as they are.
    let names = [("a,\"b\"", "1"), ("c", "2")];
    let games = [game("1.1.1", "a,\"b\"", "c", "red"), game("1.1.2", "c", "a,\"b\"", "draw")];
    event(&arena, &plan("odd", &names), &games);
    event(&arena, &plan("even", &names), &games[..1]);
    arena.run(&["export", "odd", "even", "--to", "g.csv"]).ends(0).says("3 games in g.events.csv, g.csv");
    let mut reader = csv::Reader::from_path(arena.path("g.csv")).unwrap();
    let column = reader.headers().unwrap().iter().position(|name| name == "red").unwrap();
    let reds: Vec<String> = reader.records().map(|r| r.unwrap()[column].to_owned()).collect();
    assert_eq!(reds, ["a,\"b\"", "c", "a,\"b\""]);
    for name in ["g.events.csv", "g.moves.csv", "g.ratings.csv"] {
        assert!(arena.path(name).exists(), "{name}");
    }
    // A journal that is wrong leaves nothing half-written.
    fs::write(arena.path("odd/games.jsonl"), "{}\n").unwrap();
    arena.run(&["export", "odd", "--to", "wrong.csv"]).ends(2).says("games.jsonl, line 1");
    let left = fs::read_dir(arena.path("")).unwrap();
    assert!(!left.map(|e| e.unwrap().file_name()).any(|n| n.to_string_lossy().starts_with("wrong")));
}

#[test]
fn a_published_event_has_all_games_and_nothing_of_the_machine_or_its_paths() {
    let arena = Arena::new();
    let fake = crate::fake::fake_bot().display().to_string();
    let odd = format!("cmd={fake} name=odd arg=exit@turn2 arg=last-words:my-secret");
    arena.run(&["play", "ann", &odd, "--games", "4", "--rules", "barrage", "--out", "e", "--wire"]).ends(0);
    assert!(arena.read("e/games.jsonl").contains("my-secret"));
    arena.run(&["publish", "e", "public"]).ends(0).says("4 games in public; whole");
    let mut names: Vec<String> = fs::read_dir(arena.path("public"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["event.json", "games.jsonl", "standings.json", "standings.md"]);
    let folder = arena.path("");
    for name in &names {
        let text = arena.read(&format!("public/{name}"));
        for private in ["my-secret", &fake, folder.to_str().unwrap(), std::env::consts::ARCH] {
            assert!(!text.contains(private), "{name} tells {private}");
        }
    }
    assert_eq!(arena.read("public/standings.json"), arena.read("e/standings.json"));
    let moves = |text: String| -> Vec<Value> {
        text.lines().map(|l| serde_json::from_str::<Value>(l).unwrap()["moves"].clone()).collect()
    };
    assert_eq!(moves(arena.read("public/games.jsonl")), moves(arena.read("e/games.jsonl")));
    arena.run(&["verify", "public"]).ends(0).says("4 agree");
    arena.run(&["standings", "public"]).ends(0);
    assert_eq!(arena.read("public/standings.json"), arena.read("e/standings.json"));
    // A copy may be renewed, another folder is not touched.
    arena.run(&["publish", "e", "public"]).ends(0);
    arena.run(&["publish", "e", "e"]).ends(2).says("no older copy");
}

#[test]
fn an_event_that_goes_on_is_published_without_what_helps_in_games_not_yet_played() {
    let arena = Arena::new();
    let rules = ["--variant", "random-setup", "--seed", "77"];
    let args = ["tournament", "league.toml", "--rounds", "2", "--out", "e"];
    arena.run(&[&args[..], &rules].concat()).ends(0);
    // A game is missing.
    let journal = arena.read("e/games.jsonl");
    let cut: String = journal.lines().skip(1).map(|l| format!("{l}\n")).collect();
    arena.write("e/games.jsonl", &cut);
    arena.run(&["publish", "e", "public"]).ends(0).says("11 games").says("withheld");
    let event: Value = serde_json::from_str(&arena.read("public/event.json")).unwrap();
    assert_eq!(event["seed"], 0);
    for line in arena.read("public/games.jsonl").lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&game["setup"]["red"], &game["moves"]), (&Value::Null, &serde_json::json!([])));
        assert_eq!(game["seeds"]["red"], 0);
        assert!(["red", "blue", "draw"].contains(&game["result"].as_str().unwrap()));
    }
    // Deployments of the bots' own are no secret once their game is over.
    arena.run(&[&args[..4], &["--out", "own"]].concat()).ends(0);
    let journal = arena.read("own/games.jsonl");
    arena.write("own/games.jsonl", &journal.lines().take(5).map(|l| format!("{l}\n")).collect::<String>());
    arena.run(&["publish", "own", "public-own"]).ends(0).says("its seeds are withheld");
    assert!(!arena.read("public-own/games.jsonl").contains("\"moves\":[]"));
    arena.run(&["publish", "own", "public-over", "--over"]).ends(0).says("whole");
}
