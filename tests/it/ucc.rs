//! The UCC front (protocol/UCC.md): its lines, its games, its bots through the real binary, and what they do wrong.

use std::fs;
use std::process::Command;

use arbiter::clock::Stamp;
use arbiter::game::{Colour, Coordinates, RuleSet, Rules, book, notation::WrittenMove};
use arbiter::protocol::{Clause, Front, Intake, Protocol, Said, State, Wants, print::NewGame, ucc};
use arbiter::referee::{Game, Input};
use fastrand::Rng;
use serde_json::{Value, json};

use crate::hostile::{Arena, Fault, has};
use crate::players::{ALL_WANTED, Bot, Event, Temper, drain, joined, ms, plan, play, result, rules, run};
use crate::secrets::{Tally, keep_secrets, speak_ucc};

/// The deployment of that league's samples, in our letters.
const OURS: &str = "FB3SB742B3BB8M6666385497323247254B552222";

const SPEC: &str = include_str!("../../protocol/SPEC.md");
const TEXT: &str = include_str!("../../protocol/UCC.md");

// ---- The document and the vectors.

#[test]
fn every_clause_of_the_ucc_front_has_one_slug_and_every_fault_it_names_is_one() {
    let mut slugs = Vec::new();
    for line in TEXT.lines().filter(|line| line.starts_with("**")) {
        let slug = line.split(['[', ']']).nth(1).unwrap_or_else(|| panic!("{line}"));
        assert!(slug.starts_with("ucc.") && !slugs.contains(&slug), "{slug}");
        slugs.push(slug);
    }
    assert!(slugs.len() > 20);
    for word in TEXT.split('`').skip(1).step_by(2) {
        let family = word.split_once('.').map_or("", |(family, _)| family);
        if ["setup", "move", "turn", "time", "resign"].contains(&family) && !word.ends_with('.') {
            assert!(SPEC.contains(&format!("[{word}]")), "`{word}` is no clause of SPEC.md");
        }
    }
}

fn front(colour: Colour) -> Box<dyn Front> {
    let mut front = Protocol::Ucc.front(Wants::default());
    let set = book("ucc2012").unwrap();
    let plan = plan(&Rules::new(set.clone()).unwrap(), Colour::Red);
    let (id, first, seed, time) = ("vector", Colour::Red, 0, &plan.time);
    front.new_game(&mut String::new(), &NewGame { id, colour, first, seed, time, rules: &set });
    front
}

#[test]
fn lines_of_ucc_bots_mean_what_the_vectors_say() {
    for line in include_str!("../../protocol/vectors/ucc.jsonl").lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let colour = Colour::from_word(vector["colour"].as_str().unwrap()).unwrap();
        let states = [State::Silent, State::Setup, State::Turn, State::Over, State::Closed];
        let state = *states.iter().find(|s| vector["state"] == s.word()).unwrap();
        let mut front = front(colour);
        for before in vector["before"].as_array().unwrap_or(&Vec::new()) {
            assert_eq!(front.read(before.as_str().unwrap().as_bytes(), state), Ok(Said::Part));
        }
        // The intake takes the LF, and a CR before it.
        let mut intake = Intake::default();
        intake.push(&crate::vectors::bytes(&vector));
        intake.push(b"\n");
        let found = match front.read(intake.next_line().unwrap().unwrap(), state) {
            Err(fault) => json!({"clause": fault.clause.slug()}),
            Ok(said) => crate::vectors::said(&said),
        };
        assert_eq!(found, vector["expect"], "{}: {}", vector["id"], vector["why"]);
    }
}

/// Sends a bot's line in a game, and what the arbiter put out is written.
fn tell(game: &mut Game, side: Colour, line: &str) {
    game.input(Input::Line(side, Stamp::default(), line.as_bytes()));
}

fn sent(game: &mut Game, side: Colour) -> String {
    let text = std::mem::take(game.out(side));
    game.input(Input::Written(side, Stamp::default()));
    text
}

#[test]
fn the_game_in_the_document_is_sent_byte_for_byte() {
    let block = TEXT.split("```ucc\n").nth(1).unwrap().split("```").next().unwrap();
    let rules = rules("ucc2012", &[]);
    let mut game =
        Game::new(plan(&rules, Colour::Red), [0, 1].map(|_| Protocol::Ucc.front(Wants::default())));
    assert_eq!(sent(&mut game, Colour::Blue), "BLUE opponent 10 10\n");
    for row in ["997B669969", "6724898974", "BB31555583", "FB8sB479B8"] {
        tell(&mut game, Colour::Blue, row);
    }
    let mut blues = ["9 6 UP 2", "8 6 UP"].into_iter();
    let (mut told, mut expected) = (sent(&mut game, Colour::Red), String::new());
    for line in block.lines() {
        match line.split_once(' ').unwrap() {
            (">", text) => expected += &format!("{text}\n"),
            (_, text) => {
                assert_eq!(told, expected);
                tell(&mut game, Colour::Red, text);
                told = sent(&mut game, Colour::Red);
                expected.clear();
                let blue = sent(&mut game, Colour::Blue);
                if blue.lines().count() == 11 {
                    tell(&mut game, Colour::Blue, blues.next().unwrap());
                    sent(&mut game, Colour::Blue);
                    told += &sent(&mut game, Colour::Red);
                }
            }
        }
    }
    assert_eq!(told, expected);
    assert_eq!(game.verdict().unwrap().reason(), "resignation");
}

#[test]
fn blue_sees_the_same_board_the_same_way_up_and_the_last_line_tells_it_of_its_opponent() {
    let rules = rules("ucc2012", &[]);
    let mut game =
        Game::new(plan(&rules, Colour::Red), [0, 1].map(|_| Protocol::Ucc.front(Wants::default())));
    for side in Colour::BOTH {
        sent(&mut game, side);
    }
    for row in ["FB8sB479B8", "BB31555583", "6724898974", "967B669999"] {
        tell(&mut game, Colour::Red, row);
    }
    for row in ["967B669999", "6724898974", "BB31555583", "FB8sB479B8"] {
        tell(&mut game, Colour::Blue, row);
    }
    assert_eq!(sent(&mut game, Colour::Blue), "");
    sent(&mut game, Colour::Red);
    tell(&mut game, Colour::Red, "0 3 DOWN 2");
    let board = "##########\n##########\n##########\n.#########\n..++..++..\n#.++..++..\n\
                 967B669999\n6724898974\nBB31555583\nFB8sB479B8\n";
    assert_eq!(sent(&mut game, Colour::Blue), format!("0 3 DOWN 2 OK\n{board}"));
    tell(&mut game, Colour::Blue, "1 6 UP 2");
    assert_eq!(sent(&mut game, Colour::Blue), "QUIT you BLUE ILLEGAL 1 148 148\n");
    assert_eq!(sent(&mut game, Colour::Red), "0 3 DOWN 2 OK\nQUIT opponent BLUE ILLEGAL 1 148 148\n");
    assert_eq!(game.verdict().unwrap().faults()[0].clause, Clause::MoveTooFar);
}

#[test]
fn a_step_reads_back_as_it_is_printed() {
    let mut rng = Rng::with_seed(5);
    for _ in 0..2000 {
        let from = Coordinates { file: rng.u8(..10), rank: rng.u8(..10) };
        let to = if rng.bool() {
            Coordinates { file: rng.u8(..10), ..from }
        } else {
            Coordinates { rank: rng.u8(..10), ..from }
        };
        if from == to {
            continue;
        }
        let step = ucc::Step(WrittenMove { from, to });
        let text = step.to_string();
        assert_eq!(ucc::Step::read(&text.split(' ').collect::<Vec<_>>()), Ok(step), "{text}");
    }
}

// ---- Laws.

/// Rules that a UCC bot can be told of, and those it cannot but may play.
fn random_ucc_rules(rng: &mut Rng) -> std::sync::Arc<Rules> {
    let mut change = |name: &'static str, values: &[&'static str]| (name, values[rng.usize(..values.len())]);
    let changes = [
        change("scout-strike", &["far", "adjacent"]),
        change("equal-ranks", &["both", "attacker"]),
        change("two-squares", &["off", "3", "1"]),
        change("chase", &["off", "isf"]),
        change("no-attack", &["off", "40"]),
        change("length", &["2000", "120"]),
        change("reveal", &["never", "until-moved", "until-end"]),
        change("captured", &["public", "owner"]),
        change("illegal", &["loss", "retry:2"]),
        change("draw-offers", &["off", "on"]),
        change("clock-expiry", &["loss", "draw"]),
    ];
    rules("ucc2012", &changes)
}

#[test]
fn a_front_changes_neither_the_game_nor_what_the_other_side_is_sent() {
    let mut rng = Rng::with_seed(21);
    let mut plies = 0;
    for round in 0..30 {
        let rules = random_ucc_rules(&mut rng);
        let plan = plan(&rules, Colour::Red);
        // What a UCC bot cannot say would make another game of it.
        let temper = Temper { mischief: 0.0, offer: 0.0, agree: 0.0, ..Temper::random(&mut rng) };
        let mut bots = [Bot::new(&mut rng, temper), Bot::new(&mut rng, temper)];
        let events = play(&plan, &mut rng, &mut bots, 700, |_| {});
        let (game, told) = run(&plan, [ALL_WANTED; 2], &events);
        let spy = Colour::BOTH[round % 2];
        let (other, also) = speak_ucc(&plan, spy, ALL_WANTED, &events);
        assert_eq!(game.verdict(), other.verdict());
        assert_eq!(joined(&told, spy.other()), joined(&also, spy.other()));
        assert_eq!(game.turns().len(), other.turns().len());
        plies += game.turns().len();
    }
    assert!(plies > 3000, "{plies}");
}

#[test]
fn no_byte_of_the_ucc_front_tells_a_bot_what_its_opponent_hides() {
    let mut rng = Rng::with_seed(22);
    let mut tally = Tally::default();
    for _ in 0..40 {
        let rules = random_ucc_rules(&mut rng);
        keep_secrets(&mut rng, &rules, 1, 500, None, &mut tally);
    }
    println!("{} worlds, {} told in UCC, {} pieces", tally.worlds, tally.ucc, tally.changes.all);
    assert!(tally.ucc >= 150 && tally.changes.all >= 5000, "{} {}", tally.ucc, tally.changes.all);
}

#[test]
fn a_game_that_cannot_be_told_is_void_before_a_word_was_said() {
    let mut given = plan(&rules("ucc2012", &[]), Colour::Red);
    let mut rng = Rng::with_seed(1);
    let drawn = arbiter::game::Deployment::draw(&given.rules, |n| rng.usize(..n));
    given.deployments[1] = Some(drawn);
    let barrage = plan(&rules("barrage", &[]), Colour::Red);
    for plan in [given, barrage] {
        let mut game = Game::new(plan, [Wants::default().into(), Protocol::Ucc.front(Wants::default())]);
        assert_eq!(result(&game).unwrap(), "None void");
        assert_eq!(drain(&mut game), ["", ""]);
    }
}

#[test]
fn the_start_up_allowance_belongs_to_the_deployment() {
    let plan = plan(&rules("ucc2012", &[]), Colour::Red);
    let (setup, start) = (plan.time.setup.unwrap(), plan.time.start);
    let mut game = Game::new(plan.clone(), [Wants::default().into(), Protocol::Ucc.front(Wants::default())]);
    for side in Colour::BOTH {
        sent(&mut game, side);
    }
    assert_eq!(game.deadline(), Some(Stamp(setup + plan.time.margin)));
    tell(&mut game, Colour::Red, &format!("setup {OURS}"));
    assert_eq!(game.deadline(), Some(Stamp(setup + start + plan.time.margin)));
    Event::Tick(Stamp(setup + start + plan.time.margin + ms(1))).feed(&mut game);
    assert_eq!(game.verdict().unwrap().faults().last().unwrap().clause, Clause::TimeSetup);
}

#[test]
fn the_league_s_own_book_and_isf_are_told_and_what_has_no_word_is_refused_by_its_parameter() {
    let front = Protocol::Ucc.front(Wants::default());
    let unable = |name: &str, changes: &[(&str, &str)]| {
        let mut set: RuleSet = book(name).unwrap();
        changes.iter().for_each(|(name, value)| set.set(name, value).unwrap());
        front.unable(&set, false)
    };
    for book in ["ucc2012", "isf"] {
        assert_eq!(unable(book, &[]), None, "{book}");
    }
    for (changes, word) in [
        (&[("silent-defence", "on")][..], "silent-defence=on"),
        (&[("rescue", "001")], "rescue=001"),
        (&[("open-flag", "on")], "open-flag=on"),
        (&[("first-mover", "seed")], "first-mover=seed"),
        (&[("winner-advances", "any")], "winner-advances=any"),
        (&[("lakes", "none")], "lakes=none"),
        (&[("deployment-by", "seed")], "deployment-by=seed"),
        (&[("deployment-by", "book")], "deployment-by=book"),
        (&[("board", "8x8"), ("lakes", "none")], "board=8x8"),
    ] {
        has(&unable("ucc2012", changes).unwrap(), &[word]);
    }
    has(&front.unable(&book("ucc2012").unwrap(), true).unwrap(), &["given deployment"]);
}

// ---- Bots through the real binary.

/// A UCC bot of these words, as Red, against one of our own protocol that behaves.
fn hostile(words: &str) -> Arena {
    Arena::new().bot("hostile", &format!("ucc {words}")).bot("good", "").set("--rules", "ucc2012")
}

fn loses(words: &str) -> Fault {
    let fault = hostile(words).flag("--wire").loses();
    let told = fault.run.sent_to("blue");
    // Nothing of what it said reached the other.
    for word in ["injected", "DOWN", "967B", "QUIT"] {
        assert!(!told.contains(word), "`{word}` reached the other bot:\n{told}");
    }
    fault
}

#[test]
fn a_ucc_bot_that_behaves_plays_a_game_as_either_colour_and_with_its_like() {
    for (red, blue) in [("ucc", ""), ("", "ucc"), ("ucc", "ucc crlf partial-writes")] {
        let arena = Arena::new().bot("red-bot", red).bot("blue-bot", blue).set("--rules", "ucc2012");
        let run = arena.set("--move-time", "60s").flag("--wire").accepted();
        assert_eq!(run.games[0].reason, "length");
        for (side, words) in [("red", red), ("blue", blue)] {
            let told = run.sent_to(side);
            assert!(!told.contains("-bot") && !told.contains("fake"), "{told}");
            if words.starts_with("ucc") {
                has(told.lines().last().unwrap(), &["QUIT neither BOTH DRAW_DEFAULT 20 "]);
                assert_eq!(told.matches("QUIT").count(), 1);
                assert_eq!(told.matches("START").count(), usize::from(side == "red"));
            }
        }
        has(&run.text("event.json"), &["\"proto\": \"ucc\""]);
    }
}

#[test]
fn half_a_deployment_is_a_time_fault_with_its_half() {
    hostile("half-line@setup")
        .set("--setup-time", "2s")
        .set("--start-timeout", "3s")
        .loses()
        .is("time.setup", "time", &["5000.0 ms", "newline"])
        .after(0);
}

#[test]
fn too_few_rows_are_no_answer() {
    hostile("say:FB8sB479B8/BB31555583/6724898974@setup")
        .set("--setup-time", "2s")
        .set("--start-timeout", "3s")
        .loses()
        .is("time.setup", "time", &["3 lines"])
        .after(0);
}

#[test]
fn a_fifth_row_is_too_early_for_anything() {
    loses("say:FB8sB479B8/BB31555583/6724898974/967B669999/967B669999@setup")
        .is("turn.early", "protocol", &["967B669999"])
        .after(0);
}

#[test]
fn rows_that_are_too_long_or_hold_strangers_or_another_army_lose_each_by_its_clause() {
    let rest = "BB31555583/6724898974/967B669999";
    for (row, clause) in [
        ("FB8sB479B89", "setup.length"),
        ("FB8sB479B", "setup.length"),
        ("FB8sB479B8_ok", "setup.length"),
        ("fb8sb479b8", "setup.letter"),
        ("FB8SB479B8", "setup.letter"),
        ("FB8sB479B9", "setup.count"),
        ("FB8sB479B.", "setup.count"),
    ] {
        let fault = hostile(&format!("say:{row}/{rest}@setup")).loses();
        fault.is(clause, "illegal-setup", &[]).after(0);
    }
}

#[test]
fn cr_lf_ends_a_row_and_a_carriage_return_elsewhere_is_named() {
    hostile("crlf").accepted();
    loses("garbage:cr").is("line.bytes", "protocol", &["carriage return"]);
}

#[test]
fn a_move_sent_ahead_of_the_first_board_is_no_answer_to_it() {
    loses("early@turn1").is("turn.early", "protocol", &["0 3 DOWN"]).after(0);
}

#[test]
fn a_move_sent_ahead_of_the_next_board_is_no_answer_to_it() {
    loses("early@turn2").is("turn.early", "protocol", &["0 3 DOWN"]);
}

#[test]
fn half_a_move_sent_ahead_of_the_board_is_no_beginning_of_its_answer() {
    loses("early-half@turn1").is("turn.early", "protocol", &["`move`"]).after(0);
}

#[test]
fn two_moves_in_one_write_are_one_too_many() {
    loses("two-answers").is("turn.early", "protocol", &["while no question was open"]);
}

#[test]
fn malformed_moves_lose_each_by_its_clause_and_reach_nobody() {
    for (said, clause, words) in [
        ("0_3_DOWN_0", "move.syntax", "squares from 1"),
        ("0_3_down", "move.syntax", "capitals"),
        ("0_3_DOWN_1_injected", "move.syntax", "malformed"),
        ("0_3_DOWN_OK", "move.syntax", "malformed"),
        ("NO_MOVE", "move.syntax", "malformed"),
        ("move_a4_a5", "move.syntax", "malformed"),
        ("/0_3_DOWN", "move.syntax", "malformed"),
        ("0_0_UP", "move.off-board", "off the board"),
        ("0_10_UP", "move.off-board", "off the board"),
        ("0_4_UP", "move.no-piece", "a5a4"),
        ("0_6_UP", "move.not-yours", "a7a6"),
        ("3_3_DOWN", "move.immobile", "d4d5"),
        ("2_3_DOWN", "move.lake", "c4c5"),
        ("0_2_DOWN", "move.own-piece", "a3a4"),
        ("1_3_DOWN_2", "move.too-far", "b4b6"),
        ("9_3_DOWN_4", "move.blocked", "k4k8"),
    ] {
        let fault = loses(&format!("say:{said}"));
        fault.is(clause, "illegal-move", &[words]).after(0);
    }
}

#[test]
fn trailing_words_behind_a_move_are_never_forwarded() {
    loses("trailing-words:QUIT").is("move.syntax", "illegal-move", &["QUIT"]);
    loses("trailing-words@turn2:injected").is("move.syntax", "illegal-move", &["injected"]);
}

#[test]
fn an_illegal_move_loses_where_its_opponent_would_be_asked_again() {
    let price = |arena: Arena| arena.flag("--on-illegal").flag("retry:2");
    price(hostile("say:0_4_UP")).loses().is("move.no-piece", "illegal-move", &[]);
    let arena = Arena::new().bot("hostile", "illegal").bot("good", "ucc").set("--rules", "ucc2012");
    price(arena).accepted();
}

#[test]
fn half_a_move_and_then_silence_is_a_time_fault_that_shows_the_half() {
    hostile("half-line").set("--move-time", "300ms").loses().is("time.move", "time", &["newline"]).after(0);
    hostile("silent@turn1").set("--move-time", "300ms").loses().is("time.move", "time", &["flush"]).after(0);
}

#[test]
fn a_ucc_bot_that_surrenders_and_exits_at_once_resigned() {
    let run = hostile("say:SURRENDER exit-after@turn1").play();
    assert_eq!((run.exit, &*run.games[0].reason), (0, "resignation"), "{}", run.stderr);
}

#[test]
fn exits_crashes_and_floods_of_ucc_bots_are_what_they_are_of_others() {
    hostile("exit:3@turn2").loses().is("process.exit", "process", &["status 3"]);
    hostile("crash:segv").loses().is("process.exit", "process", &["SIGSEGV"]);
    hostile("flood").loses().is("line.length", "protocol", &[]);
    hostile("lines:2000").loses().is("move.syntax", "illegal-move", &["info line 0"]);
    hostile("close-stdout").loses().is("process.exit", "process", &["closed its standard output"]);
    hostile("ignore-quit ignore-term").accepted();
}

#[test]
fn a_ucc_bot_that_does_not_start_is_refused_before_anything_is_recorded() {
    has(&hostile("exit:3@setup").refused(), &["`hostile`", "process.exit", "status 3"]);
    let silent = hostile("silent@setup").set("--setup-time", "3s").set("--start-timeout", "2s");
    has(&silent.refused(), &["`hostile`", "time.start", "5.0 s"]);
}

#[test]
fn an_event_that_a_ucc_bot_cannot_be_told_of_is_refused_by_bot_and_parameter() {
    let refused = |arena: Arena, words: &[&str]| {
        let run = arena.play();
        assert_eq!(run.exit, 2, "{}", run.stderr);
        assert!(!run.out.exists());
        has(&run.stderr, &[&["`hostile`", "ucc"], words].concat());
    };
    refused(hostile("").set("--rules", "barrage"), &["army=", "barrage"]);
    refused(hostile("").set("--rules", "classic"), &["first-mover=seed"]);
    refused(hostile("").set("--variant", "silent-defence"), &["silent-defence=on"]);
    refused(hostile("").set("--variant", "random-setup"), &["deployment-by=seed"]);
    refused(hostile("").set("--tie-break", "duel"), &["army="]);
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let start = file("start.toml", &format!("red = {OURS:?}\nblue = {OURS:?}\n"));
    refused(hostile("").set("--start", &start), &["given deployment"]);
    let lines = format!("{OURS}\n{OURS}\n");
    refused(hostile("").set("--setups", &file("book.txt", &lines)), &["deployment-by=book"]);
}

fn arbiter(args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1").env_remove("ARBITER_LOG").args(args);
    let output =
        assert_cmd::Command::from(command).timeout(std::time::Duration::from_secs(120)).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn words_name_the_protocol_and_an_unknown_one_and_options_are_refused() {
    let word = format!("cmd={} arg=ucc proto=ucc name=old", crate::fake::fake_bot().display());
    let play = |word: &str| arbiter(&["play", word, "random-python", "--bots", "sample-bots/bots.toml"]);
    let (exit, _, said) = play(&word.replace("proto=ucc", "proto=ucci"));
    assert_eq!(exit, Some(2));
    has(&said, &["proto=ucci", "sbp, ucc"]);
    let (exit, _, said) = play(&format!("{word} option.Depth=3"));
    assert_eq!(exit, Some(2));
    has(&said, &["`old`", "options", "Depth"]);
}

#[test]
fn four_sample_ucc_bots_and_two_of_ours_play_a_league_to_its_end_and_it_verifies() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("league");
    let out = out.to_str().unwrap();
    let mut args = vec!["tournament", "--bots", "sample-bots/bots.toml", "--out", out, "--rules", "ucc2012"];
    args.extend(["--max-plies", "300", "--games", "1", "--seed", "4", "--concurrency", "2"]);
    let words = [
        "name=ucc-python",
        "cmd=ucc-python name=bold env.UCC_BOLD=2",
        "cmd=ucc-python name=timid env.UCC_BOLD=-1",
        "cmd=ucc-python name=other env.UCC_SEED=other",
    ];
    for word in words {
        args.push("--bot");
        args.extend(word.split(' '));
    }
    let fake = format!("cmd={} name=fake", crate::fake::fake_bot().display());
    args.push("--bot");
    args.extend(fake.split(' '));
    args.extend(["--bot", "random-python"]);
    let (exit, said, errors) = arbiter(&args);
    assert_eq!(exit, Some(0), "{errors}");
    has(&said, &["speaks ucc", "15 games"]);
    let journal = fs::read_to_string(format!("{out}/games.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 15);
    for line in journal.lines() {
        let game = arbiter::record::GameRecord::from_line(line).unwrap();
        assert!(game.faults.is_empty(), "{line}");
    }
    let (exit, said, _) = arbiter(&["verify", out]);
    assert_eq!(exit, Some(0), "{said}");
    has(&said, &["15 agree"]);
    // The same command goes on with nothing.
    let (exit, said, _) = arbiter(&args);
    assert_eq!(exit, Some(0));
    has(&said, &["nothing is missing"]);
}
