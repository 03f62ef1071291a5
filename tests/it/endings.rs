//! Each way in which a game ends on the board, under its own reason: hand-made logs through `arbiter verify`, and an
//! army that cannot move through `arbiter play`.

use arbiter::game::{Battle, Outcome, Rank, book};
use arbiter::record::{GAME_FORMAT, GameRecord, RecordedBattle, RecordedTurn, Sides};

use crate::event::Arena;

/// A rule file for games of four by four squares, one row and two or three pieces a side.
fn tiny(changes: &[(&str, &str)]) -> String {
    let mut set = book("isf").unwrap();
    set.name = "tiny".to_owned();
    let own = [("board", "4x4"), ("lakes", "none"), ("rows", "1"), ("army", "F1,51"), ("deployment", "any")];
    for (parameter, value) in own.iter().chain(changes) {
        set.set(parameter, value).unwrap();
    }
    set.to_toml(|_| String::new())
}

/// A record of two deployments and some moves, each strike among them of lieutenant and lieutenant or of a flag.
fn record(first: &str, setups: [&str; 2], moves: &str, battles: &[(u32, Rank, Outcome)]) -> GameRecord {
    let moves: Vec<RecordedTurn> = moves.split_whitespace().map(RecordedTurn::read).collect();
    let side = |n: usize| Some(setups[n].to_owned());
    GameRecord {
        v: GAME_FORMAT,
        id: "1.1.1".to_owned(),
        red: "ann".to_owned(),
        blue: "bob".to_owned(),
        result: "draw".to_owned(),
        reason: "length".to_owned(),
        clause: None,
        plies: moves.len() as u32,
        given: 0,
        first: first.to_owned(),
        seeds: Sides::default(),
        setup: Sides { red: side(0), blue: side(1) },
        us: vec![1; moves.len()],
        moves,
        battles: battles
            .iter()
            .map(|&(ply, defender, outcome)| RecordedBattle {
                ply,
                battle: Battle { attacker: Rank::Lieutenant, defender, outcome, advances: false },
            })
            .collect(),
        scores: Vec::new(),
        faults: Vec::new(),
    }
}

/// Verifies the record under its own ending and under every other one: only its own agrees.
#[track_caller]
fn ends_by(rules: &str, mut record: GameRecord, result: &str, reason: &str) {
    let arena = Arena::new();
    arena.write("tiny.toml", rules);
    for other in ["flag-captured", "no-legal-move", "both-immobile", "repetition", "no-attack", "length"] {
        (record.result, record.reason) = (result.to_owned(), other.to_owned());
        arena.write("log.jsonl", &record.to_line());
        let ran = arena.run(&["verify", "log.jsonl", "--rules", "./tiny.toml"]);
        if other == reason {
            ran.ends(0).says("1 agree, 0 do not");
        } else {
            ran.ends(1)
                .says(&format!("the record says `{result} {other}`, the rules say `{result} {reason}`"));
        }
    }
}

const SETUPS: [&str; 2] = ["F5..", "F5.."];
const STRIKE: &str = "b1b2 b4b3 b2b3";
const SHUTTLE: &str = "b1c1 b4c4 c1b1 c4b4";

#[test]
fn the_flag_s_capture_ends_a_game() {
    let record = record(
        "red",
        ["F5..", "F..5"],
        "b1b2 d4d3 b2b3 d3d2 b3b4 d2d1 b4a4",
        &[(7, Rank::Flag, Outcome::Won)],
    );
    ends_by(&tiny(&[]), record, "red", "flag-captured");
}

#[test]
fn the_last_piece_that_moves_taken_ends_a_game_for_its_owner() {
    let record = record("red", SETUPS, STRIKE, &[(3, Rank::Lieutenant, Outcome::Won)]);
    ends_by(&tiny(&[("equal-ranks", "attacker")]), record, "red", "no-legal-move");
}

#[test]
fn both_sides_without_a_move_are_a_draw_or_the_loss_of_the_side_to_move_as_the_book_says() {
    let record = record("red", SETUPS, STRIKE, &[(3, Rank::Lieutenant, Outcome::Both)]);
    ends_by(&tiny(&[]), record.clone(), "draw", "both-immobile");
    ends_by(&tiny(&[("both-immobile", "loss")]), record, "red", "no-legal-move");
}

#[test]
fn the_three_counted_draws_have_a_reason_each() {
    let record = record("red", SETUPS, SHUTTLE, &[]);
    ends_by(&tiny(&[("repetition", "2")]), record.clone(), "draw", "repetition");
    ends_by(&tiny(&[("no-attack", "4")]), record.clone(), "draw", "no-attack");
    ends_by(&tiny(&[("length", "4")]), record, "draw", "length");
}

/// A lieutenant in the corner, a bomb beside it; a lake before it takes its last way.
const CORNER: [&str; 2] = ["F.B5", "F.B5"];
const CORNERED: [(&str, &str); 1] = [("army", "F1,B1,51")];

#[test]
fn an_army_that_cannot_make_its_first_move_has_lost_whether_it_is_first_or_second() {
    let red_shut = tiny(&[CORNERED[0], ("lakes", "d2")]);
    ends_by(&red_shut, record("red", CORNER, "", &[]), "blue", "no-legal-move");
    ends_by(&red_shut, record("blue", CORNER, "d4d3", &[]), "blue", "no-legal-move");
    let blue_shut = tiny(&[CORNERED[0], ("lakes", "d3")]);
    ends_by(&blue_shut, record("blue", CORNER, "", &[]), "red", "no-legal-move");
    ends_by(&blue_shut, record("red", CORNER, "d1d2", &[]), "red", "no-legal-move");
    let both_shut = tiny(&[CORNERED[0], ("lakes", "d2,d3")]);
    ends_by(&both_shut, record("red", CORNER, "", &[]), "draw", "both-immobile");
}

#[test]
fn two_bots_are_told_at_once_that_an_army_cannot_make_its_first_move() {
    let arena = Arena::new();
    arena.write("book.txt", "F.B5\nF.B5\n");
    for (lake, result, plies) in [("d2", "blue", 0), ("d3", "red", 1), ("d2,d3", "draw", 0)] {
        arena.write("tiny.toml", &tiny(&[CORNERED[0], ("lakes", lake)]));
        arena
            .run(&["play", "ann", "bob", "--rules", "./tiny.toml", "--setups", "book.txt", "--out", lake])
            .ends(0);
        let record = GameRecord::from_line(&arena.read(&format!("{lake}/games.jsonl"))).unwrap();
        let reason = if result == "draw" { "both-immobile" } else { "no-legal-move" };
        assert_eq!((record.result.as_str(), record.reason.as_str(), record.plies), (result, reason, plies));
        arena.run(&["verify", lake]).ends(0);
    }
}
