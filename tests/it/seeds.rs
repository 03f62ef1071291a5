//! The rule texts, rule by rule: `protocol/vectors/seeds.jsonl` played through the game, and `protocol/RULES.md`
//! held to the books.

use std::collections::BTreeSet;
use std::sync::Arc;

use arbiter::game::{
    BOOKS, Colour, Coordinates, Deployment, Illegal, PARAMETERS, Played, Position, Rank, RescueChoice, Rules,
    Sight, VARIANTS, apply_variants, book, notation,
};
use arbiter::protocol::print;
use arbiter::record::RecordedTurn;
use serde_json::{Map, Value, json};

const SEEDS: &str = include_str!("../../protocol/vectors/seeds.jsonl");
const RULES: &str = include_str!("../../protocol/RULES.md");

fn vectors() -> Vec<Value> {
    SEEDS.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'a>(vector: &'a Value, key: &str) -> &'a str {
    vector[key].as_str().unwrap_or_else(|| panic!("{}: no {key}", vector["id"]))
}

/// What an optional key holds, empty where it is missing.
fn map(vector: &Value, key: &str) -> Map<String, Value> {
    vector[key].as_object().cloned().unwrap_or_default()
}

fn rules(vector: &Value) -> Arc<Rules> {
    let mut set = book(text(vector, "book")).unwrap_or_else(|| panic!("{}", vector["book"]));
    let variants: Vec<&str> =
        vector["variant"].as_array().into_iter().flatten().map(|name| name.as_str().unwrap()).collect();
    apply_variants(&mut set, &variants).unwrap();
    for (name, value) in map(vector, "set") {
        set.set(&name, value.as_str().unwrap()).unwrap();
    }
    for (name, value) in map(vector, "parameters") {
        assert_eq!(json!(set.get(&name)), value, "{}: {name}", vector["id"]);
    }
    Rules::new(set).unwrap()
}

fn play(position: &mut Position, turn: &str) -> Result<Played, Illegal> {
    let RecordedTurn::Move(written, rescue) = RecordedTurn::read(turn) else { panic!("{turn}") };
    let board = position.board();
    let mv = written.on(board)?;
    let mut legal = arbiter::game::MoveList::new();
    position.legal_moves(&mut legal);
    assert_eq!(legal.contains(&mv), position.judge(mv).is_ok(), "{turn}: the list of legal moves");
    let rescue = match rescue {
        Some((rank, to)) => Some(RescueChoice { rank, to: board.square(to).ok_or(Illegal::Rescue)? }),
        None => None,
    };
    position.play(mv, rescue)
}

/// Both sides' sights before the first move.
fn sights(position: &Position) -> [Sight; 2] {
    let mut sights = Colour::BOTH.map(Sight::new);
    if position.rules().open_flag {
        for (_, piece, _) in position.pieces().filter(|(.., rank)| *rank == Rank::Flag) {
            sights.iter_mut().for_each(|sight| sight.show(piece));
        }
    }
    sights
}

/// Compares the lines that `vector` names under `key` for this ply with the ones that are printed.
fn compare(vector: &Value, key: &str, ply: usize, printed: impl Fn(Colour) -> String) {
    for (side, expected) in map(&vector[key], &ply.to_string()) {
        let colour = Colour::from_word(&side).unwrap();
        assert_eq!(json!(printed(colour).trim_end()), expected, "{}, ply {ply}, {side}", vector["id"]);
    }
}

fn game(vector: &Value) {
    let why = format!("{}: {}", text(vector, "id"), text(vector, "why"));
    let rules = rules(vector);
    let first = vector["first"].as_str().map_or(Colour::Red, |word| Colour::from_word(word).unwrap());
    let mut position = notation::position(&rules, text(vector, "field"), first).unwrap();
    let mut sights = sights(&position);
    let turns = vector["moves"].as_array().unwrap();
    let (mut found, mut battles) = (json!({"legal": true}), Map::new());
    for (ply, turn) in (1..).zip(turns) {
        assert_eq!(position.outcome(), None, "{why}");
        let played = match play(&mut position, turn.as_str().unwrap()) {
            Ok(played) => played,
            Err(illegal) => {
                found = json!({"illegal_ply": ply, "clause": illegal.clause()});
                assert_eq!(ply, turns.len(), "{why}");
                break;
            }
        };
        if let Some(b) = played.battle {
            let advances = if b.advances { " advances" } else { "" };
            let (attacker, defender) = (b.attacker.letter(), b.defender.letter());
            let words = format!("{attacker} {defender} {}{advances}", b.outcome.word());
            battles.insert(ply.to_string(), json!(words));
        }
        for sight in &mut sights {
            sight.observe(&played, &rules, &rules.board);
        }
        compare(vector, "told", ply, |side| {
            let mut line = String::new();
            print::moved(&mut line, &played.seen_by(side, &rules), &rules.board);
            line
        });
        compare(vector, "board", ply, |side| {
            let mut line = String::new();
            print::board(&mut line, sights[side.index()].view(&position));
            line["board ".len()..].to_owned()
        });
    }
    assert_eq!(found, vector["expect"], "{why}");
    assert_eq!(battles, map(vector, "battles"), "{why}");
    let ending = position
        .outcome()
        .filter(|_| found["legal"] == json!(true))
        .map(|e| format!("{} {}", e.winner().map_or("none", Colour::word), e.reason()));
    assert_eq!(json!(ending), vector["ending"], "{why}");
    let plies = if found["legal"] == json!(true) { turns.len() } else { turns.len() - 1 };
    for key in ["told", "board"] {
        for ply in map(vector, key).keys() {
            assert!((1..=plies).contains(&ply.parse().unwrap()), "{why}: {key} of ply {ply}");
        }
    }
}

fn deployment(vector: &Value) {
    let judged = Deployment::parse(&rules(vector), text(vector, "setup"));
    let found = judged.map_or_else(|e| e.clause(), |_| "ok");
    assert_eq!(json!(found), vector["expect"], "{}: {}", vector["id"], vector["why"]);
}

#[test]
fn each_rule_of_the_texts_is_refereed_as_its_vectors_say() {
    let mut ids = BTreeSet::new();
    for vector in vectors() {
        assert!(ids.insert(text(&vector, "id").to_owned()), "{} stands twice", vector["id"]);
        for key in ["rule", "says", "why"] {
            assert!(!text(&vector, key).is_empty(), "{}: {key}", vector["id"]);
        }
        match (vector.get("field"), vector.get("setup")) {
            (Some(_), None) => game(&vector),
            (None, Some(_)) => deployment(&vector),
            (None, None) => {
                assert!(vector["parameters"].is_object(), "{}", vector["id"]);
                rules(&vector);
            }
            (Some(_), Some(_)) => panic!("{} is a game and a deployment", vector["id"]),
        }
    }
}

#[test]
fn the_vectors_come_from_every_text_and_know_every_variant_and_book_of_them() {
    let vectors = vectors();
    let texts: BTreeSet<&str> = vectors.iter().map(|v| text(v, "text")).collect();
    assert_eq!(texts, BTreeSet::from(["000", "001", "002", "003", "004", "ISF"]));
    let used: BTreeSet<&str> = vectors
        .iter()
        .flat_map(|v| v["variant"].as_array().into_iter().flatten())
        .flat_map(Value::as_str)
        .collect();
    assert_eq!(used, VARIANTS.iter().map(|v| v.name).collect());
    let books: BTreeSet<&str> = vectors.iter().map(|v| text(v, "book")).collect();
    let shipped = BOOKS.iter().map(|(name, _)| *name).filter(|name| *name != "ucc2012");
    assert_eq!(books, shipped.collect(), "ucc2012 comes from no text");
}

#[test]
fn the_readme_of_the_vectors_counts_them() {
    let readme = include_str!("../../protocol/vectors/README.md");
    let files = [
        ("lines", include_str!("../../protocol/vectors/lines.jsonl")),
        ("to-bot", include_str!("../../protocol/vectors/to-bot.jsonl")),
        ("deployments", include_str!("../../protocol/vectors/deployments.jsonl")),
        ("games", include_str!("../../protocol/vectors/games.jsonl")),
        ("seeds", SEEDS),
        ("ucc", include_str!("../../protocol/vectors/ucc.jsonl")),
    ];
    for (name, vectors) in files {
        let row = format!("| `{name}.jsonl` | {} |", vectors.lines().count());
        assert!(readme.contains(&row), "{row}");
    }
}

/// The rows of the table whose header begins with this cell, its header first.
fn table(first: &str) -> Vec<Vec<String>> {
    let rows = RULES.lines().skip_while(|line| !line.starts_with(&format!("| {first} |")));
    let cells = |line: &str| -> Vec<String> {
        let inner = line.trim().trim_matches('|');
        inner.split('|').map(|cell| cell.trim().replace('`', "")).collect()
    };
    let rows: Vec<_> = rows.take_while(|line| line.starts_with('|')).map(cells).collect();
    assert!(rows.len() > 2, "RULES.md has no table `{first}`");
    rows.into_iter().enumerate().filter(|(n, _)| *n != 1).map(|(_, row)| row).collect()
}

#[test]
fn the_rules_document_explains_each_parameter_in_the_books_order() {
    let headings: Vec<&str> =
        RULES.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')).collect();
    assert_eq!(headings, PARAMETERS.iter().map(|p| p.name).collect::<Vec<_>>());
}

#[test]
fn the_tables_of_the_rules_document_are_the_books_and_the_variants() {
    let differing = table("book");
    let names: Vec<&str> = differing[1..].iter().map(|row| row[0].as_str()).collect();
    assert_eq!(names, BOOKS.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let alike = table("everywhere");
    let mut shown: BTreeSet<String> = differing[0][1..].iter().cloned().collect();
    shown.extend(alike[1..].iter().map(|row| row[0].clone()));
    assert_eq!(shown, PARAMETERS.iter().map(|p| p.name.to_owned()).collect());
    for row in &differing[1..] {
        let set = book(&row[0]).unwrap();
        for (parameter, cell) in differing[0].iter().zip(row).skip(1) {
            let value = match parameter.as_str() {
                "army" => set.army.size().to_string(),
                "lakes" => match set.lakes.len() {
                    4 => "narrow".to_owned(),
                    8 if set.lakes.contains(&Coordinates { file: 2, rank: 4 }) => "wide".to_owned(),
                    other => panic!("{other} lake squares"),
                },
                name => set.get(name).unwrap(),
            };
            assert_eq!(*cell, value, "{}: {parameter}", row[0]);
        }
        for same in &alike[1..] {
            assert_eq!(same[1], set.get(&same[0]).unwrap(), "{}: {}", row[0], same[0]);
        }
    }
    for (row, variant) in table("variant")[1..].iter().zip(VARIANTS) {
        let sets: Vec<String> = variant.sets.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!((row[0].as_str(), row[1].clone()), (variant.name, sets.join(", ")));
        for other in VARIANTS {
            let refused = apply_variants(&mut book("isf").unwrap(), &[other.name, variant.name]).is_err();
            assert_eq!(row[3].split(", ").any(|name| name == other.name), refused, "{row:?}, {}", other.name);
        }
    }
    assert_eq!(table("variant").len() - 1, VARIANTS.len());
}
