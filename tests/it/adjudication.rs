//! Ends of games beside the rule book: by both bots' scores, and by the proof that nobody can win.

use std::fs;

use arbiter::record::GameRecord;

use crate::event::Arena;
use crate::fake::fake_bot;

fn bot(name: &str, words: &str) -> String {
    format!("cmd='{} {words}' name={name}", fake_bot().display())
}

fn records(arena: &Arena, event: &str) -> Vec<GameRecord> {
    let lines = arena.read(&format!("{event}/games.jsonl"));
    lines.lines().map(|line| GameRecord::from_line(line).unwrap()).collect()
}

#[test]
fn a_side_that_both_bots_call_lost_loses_and_the_record_is_refereed_again() {
    let arena = Arena::new();
    let (sure, sad) = (bot("sure", "\"info:depth 3 score 950\""), bot("sad", "\"info:score -900 pv a4a5\""));
    let condition = ["--score-resignation", "score=900,moves=3"];
    let play = ["play", &sure, &sad, "--games", "2", "--out", "out", "--seed", "5"];
    let ran = arena.run(&[&play[..], &condition].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("sad (Blue) has lost by both bots' scores"), "{}", ran.out);
    for game in records(&arena, "out") {
        assert_eq!((game.reason.as_str(), game.plies), ("score-resignation", 6));
        assert_eq!(game.result, if game.red == "sure" { "red" } else { "blue" });
        assert_eq!(game.scores.iter().flatten().filter(|&&s| s == 950).count(), 3);
    }
    assert_eq!(arena.run(&["verify", "out"]).code, Some(0));

    // The same folder under other conditions would be another event.
    let ran = arena.run(&[&play[..], &["--score-resignation", "score=900,moves=4"]].concat());
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("adjudication.score-resignation: the event has `score=900,moves=3`"),
        "{}",
        ran.err
    );

    // A record whose scores do not bear it out is found.
    let mut games = records(&arena, "out");
    games[1].scores[2] = Some(-899);
    fs::write(arena.path("out/games.jsonl"), games.iter().map(GameRecord::to_line).collect::<String>())
        .unwrap();
    let ran = arena.run(&["verify", "out"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("the scores do not agree on it"), "{}", ran.out);
    // So is one that should have ended before.
    games[1].scores.truncate(0);
    games[1].reason = "resignation".to_owned();
    games[0].reason = "resignation".to_owned();
    fs::write(arena.path("out/games.jsonl"), games.iter().map(GameRecord::to_line).collect::<String>())
        .unwrap();
    let ran = arena.run(&["verify", "out"]);
    assert!(ran.code == Some(1) && ran.out.contains("red score-resignation"), "{}", ran.out);
}

#[test]
fn one_bot_s_scores_alone_end_nothing_and_without_the_option_none_do() {
    let arena = Arena::new();
    let (sure, silent) = (bot("sure", "\"info:score 1000\""), bot("silent", ""));
    let odd = bot("odd", "\"info:score -1001 score -1000\"");
    for (number, other) in [silent, odd].iter().enumerate() {
        let out = format!("out{number}");
        let play = ["play", &sure, other, "--max-plies", "20", "--score-resignation", "score=1,moves=1"];
        let ran = arena.run(&[&play[..], &["--out", &out]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(!records(&arena, &out)[0].reason.starts_with("score-"));
    }
    let sad = bot("sad", "\"info:score -1000\"");
    let ran = arena.run(&["play", &sure, &sad, "--max-plies", "20", "--out", "off"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let game = &records(&arena, "off")[0];
    assert!(!game.reason.starts_with("score-") && game.scores.is_empty());
}

#[test]
fn both_bots_scores_make_a_draw_and_not_before_its_time() {
    let arena = Arena::new();
    let (one, two) = (bot("one", "\"info:score 3\""), bot("two", "\"info:score 0\""));
    let ran = arena.run(&["play", &one, &two, "--score-draw", "score=5,moves=2,from=4", "--out", "out"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let game = &records(&arena, "out")[0];
    assert_eq!((game.result.as_str(), game.reason.as_str(), game.plies), ("draw", "score-draw", 8));
    assert_eq!(arena.run(&["verify", "out"]).code, Some(0));
}

#[test]
fn a_position_in_which_nobody_can_win_is_drawn_where_it_is_asked_for_and_a_false_claim_is_found() {
    let arena = Arena::new();
    let set = [
        "board=6x5",
        "lakes=none",
        "rows=2",
        "army=F1,B6,41",
        "deployment=any",
        "two-squares=off",
        "chase=off",
        "no-attack=30",
    ];
    arena.write("start.toml", "red = \"F4....BBBBBB\"\nblue = \"F4....BBBBBB\"\n");
    let mut play = vec!["play", "ann", "bob", "--start", "start.toml"];
    set.iter().for_each(|change| play.extend(["--set", *change]));
    play.push("--out");
    let ran = arena.run(&[&play[..], &["dead", "--dead-positions"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let game = &records(&arena, "dead")[0];
    assert_eq!((game.result.as_str(), game.reason.as_str(), game.plies), ("draw", "dead-position", 0));
    assert_eq!(arena.run(&["verify", "dead"]).code, Some(0));

    let ran = arena.run(&[&play[..], &["alive"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let mut games = records(&arena, "alive");
    assert_eq!((games[0].reason.as_str(), games[0].plies), ("no-attack", 30));

    // With a two-squares rule the same walls prove nothing.
    let rules = ["--set", "two-squares=3", "--dead-positions"];
    let ran = arena.run(&[&play[..], &["shuttled"], &rules].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_ne!(records(&arena, "shuttled")[0].reason, "dead-position");
    games = records(&arena, "shuttled");
    games[0].reason = "dead-position".to_owned();
    games[0].result = "draw".to_owned();
    games[0].moves.truncate(4);
    games[0].us.truncate(4);
    games[0].plies = 4;
    fs::write(arena.path("shuttled/games.jsonl"), games[0].to_line()).unwrap();
    let ran = arena.run(&["verify", "shuttled"]);
    assert!(ran.code == Some(1) && ran.out.contains("it is not proved"), "{}", ran.out);
}

#[test]
fn a_condition_that_cannot_be_read_is_refused_with_what_it_takes() {
    let arena = Arena::new();
    let ran = arena.run(&["play", "ann", "bob", "--score-resignation", "score=1001"]);
    assert_eq!(ran.code, Some(2));
    let message = "--score-resignation score=1001: score=1001: it takes a whole number from 1 to 1000";
    assert!(ran.err.contains(message), "{}", ran.err);
    arena.write("bad.toml", "bots = [\"ann\", \"bob\"]\nscore-draw = \"plies=3\"\n");
    let ran = arena.run(&["tournament", "bad.toml"]);
    assert_eq!(ran.code, Some(2));
    let message = "bad.toml, line 2, column 1: score-draw plies=3: `plies=3` is none of score, moves, from";
    assert!(ran.err.contains(message), "{}", ran.err);
}
