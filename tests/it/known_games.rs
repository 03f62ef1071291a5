//! Games that were really played, with verdicts found by engines independent of ours. Origin: tests/data/README.md.

use std::collections::BTreeMap;
use std::sync::Arc;

use arbiter::game::{Rules, book};
use arbiter::record::{Finding, PlainGame, verify_plain};

const MORE_SQUARES: &str = include_str!("../data/more_squares.jsonl");
const UCC2012: &str = include_str!("../data/ucc2012_games.jsonl");
const READINGS_DIFFER: &str = "continuous_chase_games_new/game36.txt";

fn rules(name: &str, changes: &[(&str, &str)]) -> Arc<Rules> {
    let mut set = book(name).unwrap();
    for (parameter, value) in changes {
        set.set(parameter, value).unwrap();
    }
    Rules::new(set).unwrap()
}

fn verify(lines: &str, rules: &Arc<Rules>) -> Vec<Finding> {
    let read = |line| serde_json::from_str::<PlainGame>(line).unwrap();
    lines.lines().map(|line| verify_plain(&read(line), rules)).collect()
}

const NO_DRAWS: [(&str, &str); 2] = [("no-attack", "off"), ("length", "off")];

#[test]
fn the_last_move_of_each_more_squares_game_breaks_the_chase_rule_and_none_before() {
    let findings = verify(MORE_SQUARES, &rules("isf", &NO_DRAWS));
    assert_eq!(findings.len(), 111);
    for finding in findings {
        assert_eq!(finding.outcome_mismatch, None, "{}", finding.id);
        if finding.id == READINGS_DIFFER {
            assert_eq!(finding.first_illegal, None);
            continue;
        }
        let illegal = finding.first_illegal.unwrap_or_else(|| panic!("{} is legal", finding.id));
        assert_eq!((illegal.ply, illegal.clause), (finding.plies, "move.chase"), "{}", finding.id);
    }
}

#[test]
fn the_any_reading_bars_the_last_move_of_all_more_squares_games() {
    for finding in verify(MORE_SQUARES, &rules("isf", &[NO_DRAWS[0], NO_DRAWS[1], ("chase", "any")])) {
        let illegal = finding.first_illegal.unwrap_or_else(|| panic!("{} is legal", finding.id));
        assert_eq!((illegal.ply, illegal.clause), (finding.plies, "move.chase"), "{}", finding.id);
    }
}

#[test]
fn the_ucc_2012_league_is_reproduced_to_the_last_battle() {
    let findings = verify(UCC2012, &rules("ucc2012", &[]));
    assert_eq!(findings.len(), 98);
    let refused: Vec<_> = findings.iter().filter_map(|f| f.first_illegal.as_ref()).collect();
    assert_eq!(refused.len(), 2);
    for finding in &findings {
        assert!(finding.agrees(), "{finding:?}");
    }
    assert!(refused.iter().all(|i| i.recorded));
}

#[test]
fn the_first_breach_of_isf_rules_in_the_ucc_2012_league_is_where_an_independent_engine_saw_it() {
    let mut breaches: BTreeMap<String, u64> = BTreeMap::new();
    for line in UCC2012.lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let lists = ["two_square3_violations", "more_squares_violations"];
        let plies = lists.iter().flat_map(|l| game[l].as_array().unwrap()).map(|p| p.as_u64().unwrap());
        if let Some(first) = plies.min() {
            breaches.insert(game["id"].as_str().unwrap().to_owned(), first);
        }
    }
    assert!(breaches.len() > 20);
    for finding in verify(UCC2012, &rules("isf", &NO_DRAWS)) {
        let found = finding.first_illegal.filter(|i| !i.recorded).map(|i| u64::from(i.ply));
        assert_eq!(found, breaches.get(&finding.id).copied(), "{}", finding.id);
    }
}
