//! What is said of a wrong value in a file: the file, where in it, the key, what stands there and what should.

use crate::event::Arena;

/// Runs `tournament league.toml` with a line of that file added or put in another's place.
#[track_caller]
fn league_says(line: &str, expected: &str) {
    let arena = Arena::new();
    let key = line.split_once(" =").unwrap().0;
    let league = arena.read("league.toml");
    let mut lines: Vec<&str> = league.lines().filter(|old| !old.starts_with(&format!("{key} ="))).collect();
    let exclusive = |key: &str| key == "time" || key == "move-time";
    if exclusive(key) {
        lines.retain(|old| !exclusive(old.split_once(" =").map_or("", |(key, _)| key)));
    }
    lines.insert(0, line);
    arena.write("league.toml", &lines.join("\n"));
    let ran = arena.run(&["tournament", "league.toml"]);
    ran.ends(2).says(expected);
    assert!(!ran.err.contains("--rounds") && !arena.path("results").exists(), "{}", ran.err);
}

#[test]
fn a_wrong_value_of_a_tournament_file_is_blamed_on_the_file_and_its_key() {
    for (line, expected) in [
        ("rounds = 0", "league.toml, line 1, column 1: rounds 0: it takes a whole number from 1"),
        ("games = 0", "league.toml, line 1, column 1: games 0: it takes a whole number from 1"),
        ("concurrency = 0", "league.toml, line 1, column 1: concurrency 0: it takes auto or a whole number"),
        ("move-time = \"0\"", "league.toml, line 1, column 1: move-time 0: nothing can be done in no time"),
        ("time = \"soon\"", "league.toml, line 1, column 1: time: "),
        ("delay = \"soon\"", "league.toml, line 1, column 1: delay: "),
        ("setup-time = \"soon\"", "league.toml, line 1, column 1: setup-time: "),
        ("seed = 9223372036854775808", "league.toml"),
        ("variant = [\"nosuch\"]", "league.toml, line 1, column 1: variant: no variant `nosuch`"),
        (
            "variant = [\"rescue\", \"rescue-001\"]",
            "league.toml, line 1, column 1: variant: variants `rescue` and `rescue-001`",
        ),
        (
            "set = { two-squares = \"x\" }",
            "league.toml, line 1, column 1: set `two-squares=x`: it takes off or a whole number",
        ),
        ("rules = \"nosuch\"", "league.toml, line 1, column 1: no rule book `nosuch`"),
        ("tie-break = \"nosuch\"", "league.toml, line 1, column 1: no rule book `nosuch`"),
        ("name = \"a/b\"", "league.toml, line 1, column 1: name = `a/b`"),
    ] {
        league_says(line, expected);
    }
}

#[test]
fn a_wrong_type_is_told_with_line_column_and_key_and_not_in_the_words_of_a_compiler() {
    for (line, expected) in [
        (
            "rounds = \"ten\"",
            "league.toml, line 1, column 10: `rounds`: it takes a whole number that is not negative; here is the text \"ten\"",
        ),
        ("rounds = -1", "`rounds`: it takes a whole number that is not negative; here is the number -1"),
        ("rounds = 1.5", "`rounds`: it takes a whole number that is not negative; here is the number 1.5"),
        ("bots = \"ann\"", "`bots`: it takes a list, as in [\"a\", \"b\"]; here is the text \"ann\""),
        ("rules = 7", "`rules`: it takes a text in quotes; here is the number 7"),
        ("restart = \"on\"", "`restart`: it takes true or false, without quotes; here is the text \"on\""),
        ("set = [1]", "`set`: it takes a table of keys and values; here is a list"),
        (
            "round = 1",
            "league.toml, line 1, column 1: unknown key `round`; there are include, name, rules, variant",
        ),
    ] {
        league_says(line, expected);
    }
    let arena = Arena::new();
    for (registry, expected) in [
        ("[bots.ann]\nargv = \"x\"\n", "bots.toml, line 2, column 8: `argv`: it takes a list"),
        (
            "[bots.ann]\nargv = [\"x\"]\nthreads = \"2\"\n",
            "line 3, column 11: `threads`: it takes a whole number",
        ),
        ("[bots.ann]\ndir = \".\"\n", "bots.toml, line 1, column 1: key `argv` is missing"),
        ("[bots.ann\n", "bots.toml, line 1"),
    ] {
        arena.write("bots.toml", registry);
        arena.run(&["play", "ann", "ann"]).ends(2).says(expected);
    }
    let isf = arbiter::game::BOOKS[0].1;
    for (from, to, expected) in [
        ("rows = 4", "rows = 4.5", "`rows = 4.5`"),
        ("rows = 4", "rows = x", "./mine.toml: line 11, column 8: `rows`: a text stands in quotes"),
        ("rows = 4", "rows = 4\nrows = 4", "rule book ./mine.toml: line 12, column 1: `rows`: duplicate key"),
        ("rows = 4", "row = 4", "line 11: unknown parameter `row` (did you mean `rows`?)"),
    ] {
        arena.write("mine.toml", &isf.replacen(from, to, 1));
        arena.run(&["rules", "./mine.toml"]).ends(2).says(expected);
    }
}
