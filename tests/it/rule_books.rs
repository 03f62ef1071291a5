//! `arbiter rules`: tables for people, and a book's resolved text with the source of each value.

use arbiter::game::{BOOKS, PARAMETERS, VARIANTS};

use crate::event::Arena;

#[test]
fn the_tables_fit_a_terminal_of_a_hundred_columns() {
    let out = Arena::new().run(&["rules"]).ends(0).out.clone();
    for line in out.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    assert!(PARAMETERS.iter().all(|parameter| out.contains(parameter.name)));
}

#[test]
fn every_book_under_every_variant_reads_back_as_the_rules_that_it_was_printed_from() {
    let arena = Arena::new();
    for (book, _) in BOOKS {
        for variant in VARIANTS {
            if (*book, variant.name) == ("siege-and-capture", "aggressor-advantage") {
                continue;
            }
            let printed = arena.run(&["rules", book, "--variant", variant.name]).ends(0).out.clone();
            arena.write("mine.toml", &printed);
            let again = arena.run(&["rules", "./mine.toml"]).ends(0).out.clone();
            assert_eq!(again, printed, "{book} with {}", variant.name);
            // Every value has a source, and a changed one its variant and what stood before.
            for parameter in PARAMETERS {
                let start = format!("{} = ", parameter.name);
                let line = printed.lines().find(|line| line.starts_with(&start)).unwrap();
                let note = line.split_once('#').unwrap_or_else(|| panic!("{book}: {line} has no source")).1;
                assert!(note.contains('['), "{book}: {line}");
            }
            let plain = arbiter::game::book(book).unwrap();
            for (parameter, value) in variant.sets {
                let before = plain.get(parameter).unwrap();
                let note = format!("# --variant {} [{}]; before: {before}", variant.name, variant.source);
                let changed = before != *value;
                assert_eq!(printed.contains(&note), changed, "{book} with {}", variant.name);
            }
        }
    }
}

#[test]
fn a_changed_book_keeps_its_name_and_does_not_pass_for_the_plain_one() {
    let arena = Arena::new();
    arena
        .run(&["rules", "isf", "--variant", "rescue", "--set", "two-squares=5", "--set", "no-attack=200"])
        .ends(0)
        .says("# Changed from the book isf, whose name bots are told as the one it began from (rules=isf):")
        .says("# two-squares = 5, not 3")
        .says("name = \"isf\"\ntitle = \"classic 40, two-squares 3, chase on: the federation's rules, changed: two-squares=5 rescue=000\"")
        .says("# --set; before: 3, [ISF article 10]")
        .says("# [arena] plies without a battle");
    let plain = arena.run(&["rules", "isf"]).ends(0).out.clone();
    assert!(!plain.contains("hanged"), "{plain}");
}
