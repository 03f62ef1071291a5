//! The vectors of `protocol/vectors/` against the code: lines, deployments, games.

use arbiter::game::{BOOKS, Coordinates, Deployment, Rules, book, notation};
use arbiter::protocol::{Clause, OptionKind, Said, State, read, read_begun};
use arbiter::record::RecordedTurn;
use serde_json::{Value, json};

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn rules(vector: &Value) -> std::sync::Arc<Rules> {
    let mut set = book(vector["rules"].as_str().unwrap()).unwrap_or_else(|| panic!("{}", vector["rules"]));
    if let Some(changes) = vector["set"].as_object() {
        for (name, value) in changes {
            set.set(name, value.as_str().unwrap()).unwrap();
        }
    }
    Rules::new(set).unwrap()
}

#[test]
fn every_shipped_rule_book_is_possible_and_reads_back_as_it_prints() {
    for (name, _) in BOOKS {
        let set = book(name).unwrap();
        assert_eq!(set.name, *name);
        Rules::new(set.clone()).unwrap();
        assert_eq!(arbiter::game::RuleSet::from_toml(&set.to_toml(|_| String::new())).unwrap(), set);
    }
}

pub fn said(said: &Said) -> Value {
    let option = |kind: &OptionKind| match kind {
        OptionKind::Check(d) => json!({"type": "check", "default": d.to_string()}),
        OptionKind::Spin { default, min, max } => {
            json!({"type": "spin", "default": default, "min": min, "max": max})
        }
        OptionKind::Combo { default, choices } => {
            json!({"type": "combo", "default": default, "var": choices})
        }
        OptionKind::Text(d) => json!({"type": "string", "default": d}),
        OptionKind::Button => json!({"type": "button"}),
    };
    match said {
        Said::Blank => json!({"word": "blank"}),
        Said::Info(text) => json!({"word": "info", "text": text}),
        Said::Ignored => json!({"ignored": true}),
        Said::Part => json!({"part": true}),
        Said::Version(version) => json!({"word": "sbp", "version": version}),
        Said::Id(key, text) => json!({"word": "id", "key": key, "text": text}),
        Said::Option(o) => {
            let mut value = option(&o.kind);
            value["word"] = json!("option");
            value["name"] = json!(o.name);
            value
        }
        Said::Want(words) => json!({"word": "want", "words": words}),
        Said::Feature(words) => json!({"word": "feature", "words": words}),
        Said::Supports(words) => json!({"word": "supports", "words": words}),
        Said::Ok => json!({"word": "ok"}),
        Said::ReadyOk => json!({"word": "readyok"}),
        Said::Setup(deployment) => json!({"word": "setup", "deployment": deployment}),
        Said::Move(m) => json!({
            "word": "move", "from": m.mv.from.to_string(), "to": m.mv.to.to_string(),
            "rescue": m.rescue.map(|(r, at)| json!({"rank": r.letter().to_string(), "square": at.to_string()})),
            "offer-draw": m.offers_draw,
        }),
        Said::Draw => json!({"word": "draw"}),
        Said::Resign => json!({"word": "resign"}),
    }
}

pub fn bytes(vector: &Value) -> Vec<u8> {
    match (vector["line"].as_str(), vector["hex"].as_str()) {
        (Some(line), _) => line.as_bytes().to_vec(),
        (None, Some(hex)) => {
            (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
        }
        _ => panic!("{vector}"),
    }
}

#[test]
fn a_line_that_was_begun_before_its_question_is_judged_as_the_whole_line() {
    let (mut tolerated, mut early) = (0, 0);
    for vector in objects(include_str!("../../protocol/vectors/lines.jsonl")) {
        let line = bytes(&vector);
        match read(&line, State::Silent) {
            Ok(_) => {
                (0..=line.len()).for_each(|end| assert_eq!(read_begun(&line[..end]), Ok(()), "{vector}"));
                tolerated += 1;
            }
            Err(fault) if fault.clause == Clause::TurnEarly => {
                assert_eq!(read_begun(&line).map_err(|f| f.clause), Err(Clause::TurnEarly), "{vector}");
                early += 1;
            }
            Err(_) => {}
        }
    }
    assert!(tolerated > 10 && early > 100);
}

#[test]
fn lines_mean_what_the_vectors_say() {
    let states = [
        State::Silent,
        State::Handshake,
        State::Ready,
        State::Setup,
        State::Turn,
        State::Over,
        State::OverReady,
        State::Closed,
    ];
    for vector in objects(include_str!("../../protocol/vectors/lines.jsonl")) {
        let state = *states.iter().find(|s| vector["state"] == s.word()).unwrap();
        // The intake cuts lines and keeps their length; in the state `closed` nothing is judged at all.
        let mut intake = arbiter::protocol::Intake::default();
        intake.push(&bytes(&vector));
        intake.push(b"\n");
        let mut handshake = arbiter::referee::Handshake::default();
        for before in vector["before"].as_array().unwrap_or(&Vec::new()) {
            handshake.line(before.as_str().unwrap().as_bytes()).unwrap();
        }
        let found = match intake.next_line().unwrap() {
            Err(_) if state == State::Closed => json!({"ignored": true}),
            Err(clause) => json!({"clause": clause.slug()}),
            Ok(line) => match read(line, state) {
                Err(fault) => json!({"clause": fault.clause.slug()}),
                Ok(meaning) => match handshake.line(line) {
                    Err(fault) if state == State::Handshake => json!({"clause": fault.clause.slug()}),
                    _ => said(&meaning),
                },
            },
        };
        assert_eq!(found, vector["expect"], "{}: {}", vector["id"], vector["why"]);
    }
}

#[test]
fn deployments_are_judged_as_the_vectors_say() {
    for vector in objects(include_str!("../../protocol/vectors/deployments.jsonl")) {
        let rules = rules(&vector);
        let judged = Deployment::parse(&rules, vector["setup"].as_str().unwrap());
        let found = judged.as_ref().map_or_else(|e| e.clause(), |_| "ok");
        assert_eq!(json!(found), vector["expect"], "{}: {}", vector["id"], vector["why"]);
        if let (Ok(deployment), Some(stands)) = (judged, vector["stands"].as_object()) {
            let colour = arbiter::game::Colour::from_word(vector["colour"].as_str().unwrap()).unwrap();
            let position = arbiter::game::Position::new(rules.clone(), &deployment, &deployment, colour);
            for (square, rank) in stands {
                let at = rules.board.square(Coordinates::parse(square.as_bytes()).unwrap()).unwrap();
                let (piece, found) = position.piece(at).unwrap();
                assert_eq!(piece.colour(), colour, "{}", vector["id"]);
                assert_eq!(found.letter().to_string(), rank.as_str().unwrap(), "{} {square}", vector["id"]);
            }
        }
    }
}

#[test]
fn games_are_refereed_as_the_vectors_say() {
    for vector in objects(include_str!("../../protocol/vectors/games.jsonl")) {
        let why = format!("{}: {}", vector["id"], vector["why"]);
        let rules = rules(&vector);
        let field = vector["field"].as_str().unwrap();
        let mut position = notation::position(&rules, field, arbiter::game::Colour::Red).unwrap();
        let moves = vector["moves"].as_array().unwrap();
        let mut found = json!({"legal": true});
        let mut battles = serde_json::Map::new();
        for (index, text) in moves.iter().enumerate() {
            assert_eq!(position.outcome(), None, "{why}");
            let RecordedTurn::Move(written, rescue) = RecordedTurn::read(text.as_str().unwrap()) else {
                panic!("{why}: {text}");
            };
            let played = written.on(&rules.board).and_then(|mv| {
                let rescue = match rescue {
                    Some((rank, to)) => match rules.board.square(to) {
                        Some(to) => Some(arbiter::game::RescueChoice { rank, to }),
                        None => return Err(arbiter::game::Illegal::Rescue),
                    },
                    None => None,
                };
                position.play(mv, rescue)
            });
            match played {
                Ok(played) => {
                    if let Some(b) = played.battle {
                        let advances = if b.advances { " advances" } else { "" };
                        let words = format!(
                            "{} {} {}{advances}",
                            b.attacker.letter(),
                            b.defender.letter(),
                            b.outcome.word()
                        );
                        battles.insert((index + 1).to_string(), json!(words));
                    }
                }
                Err(illegal) => {
                    found = json!({"illegal_ply": index + 1, "clause": illegal.clause()});
                    assert_eq!(index + 1, moves.len(), "{why}");
                }
            }
        }
        assert_eq!(found, vector["expect"], "{why}");
        if !vector["id"].as_str().unwrap().starts_with("ataraxos-") {
            let expected = vector["battles"].as_object().cloned().unwrap_or_default();
            assert_eq!(battles, expected, "{why}");
        }
        let ending = position
            .outcome()
            .filter(|_| vector["expect"]["legal"] == json!(true))
            .map(|e| format!("{} {}", e.winner().map_or("none", |c| c.word()), e.reason()));
        assert_eq!(json!(ending), vector["ending"], "{why}");
    }
}
