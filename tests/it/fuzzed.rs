//! The bodies of the fuzz targets (fuzz/bodies.rs), bounded: over the corpus, over mutations of it, over noise.

use std::fs;
use std::path::Path;

use fastrand::Rng;

#[path = "../../fuzz/bodies.rs"]
mod bodies;

/// Files that a body must have survived: the corpus in the tree, and what else is of its kind.
fn seeds(folders: &[&str]) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).unwrap_or_else(|e| panic!("{folder}: {e}")))
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Truncated, doubled, spliced with another, bytes changed, numbers made large, line ends mixed.
fn mutated(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[rng.usize(..seeds.len())].clone();
    for _ in 0..rng.usize(1..5) {
        let at = rng.usize(..=bytes.len());
        match rng.usize(..9) {
            0 => bytes.truncate(at),
            1 => bytes.extend_from_within(at..),
            2 => {
                let other = &seeds[rng.usize(..seeds.len())];
                bytes.truncate(at);
                bytes.extend_from_slice(&other[rng.usize(..=other.len())..]);
            }
            3 => bytes.insert(at, b"\r\n\t\0\xff\"=.9"[rng.usize(..9)]),
            4 => drop(bytes.splice(at..at, *b"99999999999999999999")),
            5 => drop(bytes.drain(at..(at + rng.usize(..8)).min(bytes.len()))),
            6 => drop(bytes.splice(at..at, vec![rng.u8(..); rng.usize(..300)])),
            _ => {
                for _ in 0..rng.usize(1..6) {
                    if let Some(byte) = rng.choice(&mut bytes) {
                        *byte = rng.u8(..);
                    }
                }
            }
        }
    }
    bytes.truncate(1 << 16);
    bytes
}

/// More rounds than the usual, for those without a fuzzer.
fn rounds(usual: usize) -> usize {
    usual * std::env::var("ARBITER_FUZZ_ROUNDS").map_or(1, |n| n.parse().unwrap())
}

fn try_all(body: fn(&[u8]), folders: &[&str], usual: usize) {
    let mut rng = Rng::with_seed(5);
    let seeds = seeds(folders);
    assert!(!seeds.is_empty());
    seeds.iter().for_each(|seed| body(seed));
    for _ in 0..rounds(usual) {
        body(&mutated(&mut rng, &seeds));
        let noise: Vec<u8> = (0..rng.usize(..400)).map(|_| rng.u8(..)).collect();
        body(&noise);
    }
}

#[test]
fn any_bytes_of_a_bot_are_lines_and_each_line_is_read_or_refused_by_a_clause() {
    try_all(bodies::bot_line, &["fuzz/corpus/bot_line"], 1500);
}

#[test]
fn any_rule_file_is_refused_or_can_be_played_and_prints_as_it_reads() {
    try_all(bodies::rule_file, &["fuzz/corpus/rule_file", "protocol/rules"], 400);
}

#[test]
fn any_journal_is_read_to_its_end_or_to_an_error() {
    try_all(bodies::journal, &["fuzz/corpus/journal"], 400);
}

#[test]
fn any_file_of_games_from_elsewhere_is_read_to_games_and_errors_and_games_are_written_to_be_read() {
    try_all(bodies::foreign, &["fuzz/corpus/foreign"], 500);
}

#[test]
fn the_referee_keeps_its_laws_whatever_comes() {
    try_all(bodies::referee, &["fuzz/corpus/referee"], 800);
}
