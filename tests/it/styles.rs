//! What a run says while it goes: the stream of `--json` against its schema, and the words of cutechess-cli and
//! fastchess against a script that reads theirs.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use jsonschema::Validator;
use serde_json::Value;

use crate::event::{Arena, Ran};

fn validator() -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol/events.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// The events of a stream, each of which fits the schema.
#[track_caller]
fn valid(stream: &str) -> Vec<Value> {
    let validator = validator();
    let read = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap();
        if let Err(error) = validator.validate(&event) {
            panic!("{line}\n{error}");
        }
        event
    };
    stream.lines().map(read).collect()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    let mut kinds: Vec<&str> = events.iter().map(|e| e["event"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

#[test]
fn every_line_of_a_league_a_match_and_games_with_faults_fits_the_schema() {
    let arena = Arena::new();
    let league = arena.run(&["tournament", "league.toml", "--rounds", "1", "--json"]);
    let events = valid(&league.ends(0).out);
    assert_eq!(kinds(&events), ["game-finished", "game-started", "run-finished", "run-started"]);
    assert_eq!(events[0]["version"], 1);
    let fake = crate::fake::fake_bot().display().to_string();
    let bad = format!("{fake} illegal@turn2 last-words:mine");
    let args = ["play", &bad, "ann", "--games", "4", "--rules", "barrage", "--out", "faults", "--json"];
    let events = valid(&arena.run(&args).ends(0).out);
    let faulty = events.iter().find(|e| e["event"] == "game-finished").unwrap();
    assert_eq!(faulty["faults"][0]["clause"], "move.same-square");
    let last = events.last().unwrap();
    assert_eq!((&last["match"]["losses"], &last["match"]["pairs"]["counts"][0]), (&4.into(), &2.into()));
    // Again: nothing is missing, and the stream says so.
    let again =
        valid(&arena.run(&[&args[..], &["--seed", &events[0]["seed"].to_string()]].concat()).ends(0).out);
    assert_eq!(kinds(&again), ["run-finished", "run-started"]);
}

#[test]
fn an_interrupted_run_says_in_its_stream_that_it_stops_and_how_it_ended() {
    let arena = Arena::new();
    let args = ["play", "ann", "bob", "--games", "2000", "--rules", "barrage", "--out", "e", "--json"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.args(args).current_dir(arena.path("")).stdin(Stdio::null());
    let run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let journal = arena.path("e/games.jsonl");
    while fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 2 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&run), rustix::process::Signal::INT)
        .unwrap();
    let output = run.wait_with_output().unwrap();
    let events = valid(&String::from_utf8(output.stdout).unwrap());
    assert!(kinds(&events).contains(&"run-stopping"), "{:?}", kinds(&events));
    assert_eq!(events.last().unwrap()["exit"], 130);
}

#[test]
fn the_schema_refuses_what_is_no_event() {
    let validator = validator();
    for line in [
        r#"{"event":"game-void","id":"1.1.1"}"#,
        r#"{"event":"game-void","id":"one","cause":"x"}"#,
        r#"{"event":"nothing"}"#,
        r#"{"event":"game-started","id":"1.1.1","red":"a","blue":5}"#,
    ] {
        assert!(!validator.is_valid(&serde_json::from_str(line).unwrap()), "{line}");
    }
    assert!(validator.is_valid(&serde_json::json!({ "event": "game-void", "id": "1.1.1", "cause": "x" })));
}

/// What a script that was written for the other programs' lines finds in these.
#[track_caller]
fn parsed(ran: &Ran) -> Value {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/match_output.py");
    let mut python = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(ran.out.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success(), "{}\n{}", String::from_utf8_lossy(&output.stderr), ran.out);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn count(found: &Value, line: &str) -> usize {
    found[line].as_array().unwrap().len()
}

#[test]
fn a_script_written_for_cutechess_or_fastchess_reads_a_match_of_ours() {
    let arena = Arena::new();
    let fake = crate::fake::fake_bot().display().to_string();
    let words = |style: &'static str, out: &'static str| {
        let red = format!("cmd={fake} name=ann arg=tag:a");
        let blue = format!("cmd={fake} name=odd arg=resign@turn30");
        let mut words: Vec<String> = vec!["match".into(), "-engine".into()];
        words.extend(red.split(' ').map(str::to_owned));
        words.push("-engine".into());
        words.extend(blue.split(' ').map(str::to_owned));
        let rest = format!(
            "-each tc=10+0.1 -rounds 6 -games 2 -repeat -concurrency 2 -srand 5 -variant barrage -maxmoves 16 \
             -ratinginterval 4 -output format={style} -event {out}"
        );
        words.extend(rest.split(' ').map(str::to_owned));
        words
    };
    let run = |words: Vec<String>| arena.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let ran = run(words("cutechess", "c"));
    let found = parsed(ran.ends(0));
    assert_eq!((count(&found, "started"), count(&found, "finished"), count(&found, "end")), (12, 12, 1));
    assert_eq!(count(&found, "score"), 13);
    let score = found["score"].as_array().unwrap().last().unwrap();
    assert_eq!((&score[0], &score[1], &score[6]), (&"ann".into(), &"odd".into(), &"12".into()));
    let numbers: std::collections::BTreeSet<&str> =
        found["finished"].as_array().unwrap().iter().map(|f| f[0].as_str().unwrap()).collect();
    assert_eq!(numbers.len(), 12);
    let ran = run(words("fastchess", "f"));
    let found = parsed(ran.ends(0));
    assert_eq!((count(&found, "results"), count(&found, "rule"), count(&found, "games")), (4, 8, 4));
    assert_eq!(found["results"][0][2], "10+0.1");
    let games = found["games"].as_array().unwrap().last().unwrap();
    assert_eq!(games[0], "12");
    let pairs = found["pairs"].as_array().unwrap().last().unwrap();
    let counted: u64 = (0..5).map(|n| pairs[n].as_str().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(counted, 6);
    // The journal tells the same as the words.
    let table: Value = serde_json::from_str(&arena.read("results/f/standings.json")).unwrap();
    assert_eq!(table["match"]["wins"].to_string(), games[1].as_str().unwrap());
}

#[test]
fn a_sequential_test_is_told_in_each_of_the_languages() {
    let arena = Arena::new();
    let fake = crate::fake::fake_bot().display().to_string();
    let bots = format!("-engine cmd={fake} name=good -engine cmd={fake} name=bad arg=resign");
    let run = |more: &str| {
        let words = format!(
            "match {bots} -each tc=10+0.1 -rounds 500 -games 2 -repeat -variant barrage -srand 1 {more}"
        );
        arena.run(&words.split(' ').collect::<Vec<_>>())
    };
    let test = "-sprt elo0=0 elo1=100 model=logistic";
    let ran = run(&format!("{test} -output format=cutechess -event c"));
    let found = parsed(ran.ends(0));
    let said = found["sprt"].as_array().unwrap();
    assert!(!said.is_empty() && ran.out.contains(" - H1 was accepted\nFinished match"), "{}", ran.out);
    assert!(arena.games("results/c") < 60);
    let ran = run(&format!("{test} -output format=fastchess -event f"));
    assert!(count(&parsed(ran.ends(0)), "llr") > 0, "{}", ran.out);
    let words = format!(
        "tournament --bot cmd={fake} name=good --bot cmd={fake} name=bad arg=resign --rules barrage --sprt 0,100 --json"
    );
    let events = valid(&arena.run(&words.split(' ').collect::<Vec<_>>()).ends(0).out);
    assert_eq!(events[0]["games_are"], "at-most");
    let told: Vec<&Value> = events.iter().filter(|e| e["event"] == "sprt").collect();
    assert_eq!(told.last().unwrap()["verdict"], "h1");
    assert_eq!(told.len(), events.iter().filter(|e| e["event"] == "game-finished").count() + 1);
}

#[test]
fn more_than_two_bots_get_the_table_of_ranks_and_one_sided_ones_no_infinity() {
    let arena = Arena::new();
    let ran = arena.run(&["tournament", "league.toml", "--rounds", "1", "--style", "cutechess"]);
    let found = parsed(ran.ends(0));
    assert_eq!((count(&found, "finished"), count(&found, "head"), count(&found, "row")), (6, 1, 3));
    let fake = crate::fake::fake_bot().display().to_string();
    for style in ["cutechess", "fastchess"] {
        let bad = format!("{fake} resign");
        let args = ["play", &bad, "ann", "--games", "4", "--rules", "barrage", "--style", style];
        let ran = arena.run(&args);
        parsed(ran.ends(0));
        assert!(!ran.out.contains("nan") && !ran.out.contains("inf"), "{}", ran.out);
        ran.says("resigns}");
    }
    arena.run(&["tournament", "league.toml", "--style", "chessbase"]).ends(2).says("cutechess");
    arena.run(&["match", "-engine", "cmd=x", "-pgnout", "x"]).ends(2).says("-pgnout: unknown word");
    arena.run(&["match", "--help"]).ends(0).says("Examples:");
}
