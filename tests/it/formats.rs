//! Formats beyond round-robin, driven through the binary with real processes: to the end, killed, extended, ended by
//! a test.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use crate::event::Arena;
use crate::fake::fake_bot;

/// A tournament file of so many fake bots, each of its own name, in short games.
fn file(arena: &Arena, bots: usize, more: &str) {
    let names: Vec<String> =
        (1..=bots).map(|n| format!("\"cmd={} name=b{n} arg=tag:{n}\"", fake_bot().display())).collect();
    let text = format!(
        "name = \"f\"\nrules = \"barrage\"\nset = {{ length = 60 }}\nseed = 5\nmove-time = \"20s\"\nstart-timeout = \"60s\"\nconcurrency = 2\nbots = [{}]\n{more}\n",
        names.join(", ")
    );
    arena.write("f.toml", &text);
}

fn standings(arena: &Arena, event: &str) -> Vec<serde_json::Value> {
    let file: serde_json::Value =
        serde_json::from_str(&arena.read(&format!("{event}/standings.json"))).unwrap();
    file["standings"].as_array().unwrap().clone()
}

#[test]
fn a_gauntlet_pairs_the_first_bots_with_all_others_alike() {
    let arena = Arena::new();
    file(&arena, 5, "format = \"gauntlet\"\ngauntlet-seeds = 2\nvariant = [\"random-setup\"]");
    arena.run(&["tournament", "f.toml"]).ends(0).says("12 games, gauntlet");
    let lines = standings(&arena, "results/f");
    for line in &lines {
        let first = ["b1", "b2"].contains(&line["name"].as_str().unwrap());
        assert_eq!(line["games"], if first { 6 } else { 4 });
        assert_eq!(line["against"].as_object().unwrap().len(), if first { 3 } else { 2 });
    }
    // Each opponent of a first bot was given the same deployments.
    let games = arena.read("results/f/games.jsonl");
    let games: Vec<serde_json::Value> = games.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let setups = |bot: &str| -> BTreeSet<String> {
        let of = |g: &&serde_json::Value| g["red"] == bot || g["blue"] == bot;
        games.iter().filter(of).map(|g| g["setup"].to_string()).collect()
    };
    assert_eq!(setups("b3"), setups("b4"));
    assert_eq!(setups("b3"), setups("b5"));
    assert_eq!(setups("b3").len(), 1);
}

#[test]
fn a_swiss_of_sixteen_ends_with_its_tie_breaks_and_nobody_met_twice() {
    let arena = Arena::new();
    file(&arena, 16, "format = \"swiss\"\ngames = 1");
    arena.run(&["tournament", "f.toml"]).ends(0).says("32 games, swiss").says("Buchholz");
    for line in standings(&arena, "results/f") {
        assert_eq!(line["against"].as_object().unwrap().len(), 4, "{line}");
        assert!(line["buchholz"].is_number() && line["sonneborn_berger"].is_number());
    }
    let table = arena.read("results/f/standings.json");
    arena.run(&["standings", "results/f"]).ends(0);
    assert_eq!(arena.read("results/f/standings.json"), table);
    arena.run(&["tournament", "f.toml"]).ends(0).says("nothing is missing");
    arena.run(&["tournament", "f.toml", "--rounds", "5"]).ends(2).says("schedule: the event has");
    arena.run(&["tournament", "f.toml", "--rounds", "5", "--extend"]).ends(0);
    assert_eq!(arena.games("results/f"), 40);
}

#[test]
fn a_knockout_of_twelve_and_a_double_elimination_of_seven_leave_one() {
    for (format, bots, least) in [("knockout", 12, 22), ("double-elimination", 7, 24)] {
        let arena = Arena::new();
        file(&arena, bots, &format!("format = \"{format}\"\ntie-break = \"quick-battle-barrage\""));
        arena.run(&["tournament", "f.toml"]).ends(0).says(&format!("at least {least} games, {format}"));
        assert!(arena.games("results/f") >= least);
        let places: Vec<u64> =
            standings(&arena, "results/f").iter().map(|l| l["place"].as_u64().unwrap()).collect();
        assert_eq!(&places[..3], &[1, 2, 3]);
        assert!(places.is_sorted());
        arena.run(&["verify", "--quiet", "results/f"]).ends(0);
        let table = arena.read("results/f/standings.json");
        arena.run(&["standings", "results/f"]).ends(0);
        assert_eq!(arena.read("results/f/standings.json"), table);
    }
}

/// Kills runs of f.toml at concurrency 4 at random moments, and has the last come to its end.
fn killed(arena: &Arena, out: &str, seed: u64, more: &[&str]) {
    let kills: usize = std::env::var("ARBITER_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let mut rng = fastrand::Rng::with_seed(seed);
    let args = [&["tournament", "f.toml", "--out", out, "--concurrency", "4"], more].concat();
    for kill in 0..kills {
        let had = arena.games(out);
        let mut run = arena.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        arena.wait_for_games(out, had + 1 + rng.usize(..2), &mut run);
        std::thread::sleep(Duration::from_micros(rng.u64(..20_000)));
        let _ = run.kill();
        run.wait().unwrap();
        // Sometimes the machine itself went down: half of the last line is there.
        let text = arena.read(&format!("{out}/games.jsonl"));
        if kill % 3 == 2 && text.ends_with('\n') {
            arena.write(&format!("{out}/games.jsonl"), &text[..text.len() - 9]);
        }
    }
    arena.run(&args).ends(0);
    arena.run(&["verify", "--quiet", out]).ends(0);
}

#[test]
fn events_killed_at_any_moments_end_as_uninterrupted_ones() {
    for (bots, seed, more) in [
        (5, 1, "rounds = 3"),
        (7, 2, "format = \"swiss\"\nrounds = 4\ngames = 4\nvariant = [\"random-setup\"]"),
        (6, 3, "format = \"knockout\"\ngames = 6"),
    ] {
        let arena = Arena::new();
        file(&arena, bots, more);
        arena.run(&["tournament", "f.toml", "--out", "whole"]).ends(0);
        killed(&arena, "killed", seed, &[]);
        assert_eq!(arena.games("killed"), arena.games("whole"), "{more}");
        assert_eq!(arena.read("killed/standings.json"), arena.read("whole/standings.json"), "{more}");
    }
}

#[test]
fn a_bot_added_to_a_finished_event_plays_its_own_games_only_and_the_table_is_that_of_a_whole_one() {
    let arena = Arena::new();
    file(&arena, 5, "");
    arena.run(&["tournament", "f.toml", "--out", "whole"]).ends(0);
    file(&arena, 4, "");
    arena.run(&["tournament", "f.toml", "--out", "grown"]).ends(0);
    let before = arena.read("grown/games.jsonl");
    // A torn line besides.
    arena.write("grown/games.jsonl", &before[..before.len() - 9]);
    file(&arena, 5, "");
    arena.run(&["tournament", "f.toml", "--out", "grown"]).ends(2).says("bots: the event has");
    killed(&arena, "grown", 4, &["--extend"]);
    assert_eq!(arena.games("grown"), arena.games("whole"));
    assert_eq!(arena.read("grown/standings.json"), arena.read("whole/standings.json"));
    assert!(arena.read("grown/event.json").contains("b5 was added"));
}

#[test]
fn a_test_ends_its_match_by_itself_and_fails_a_build_where_that_is_asked() {
    let arena = Arena::new();
    let (good, bad) = (fake_bot().display().to_string(), fake_bot().display().to_string());
    let bots = [
        "--bot",
        &format!("cmd={good}"),
        "name=good",
        "--bot",
        &format!("cmd={bad}"),
        "name=bad",
        "arg=resign",
    ]
    .map(str::to_owned);
    let run = |out: &str, more: &[&str]| {
        let fixed = [
            "tournament",
            "--rules",
            "barrage",
            "--seed",
            "1",
            "--sprt",
            "0,100",
            "--model",
            "logistic",
            "--out",
            out,
        ];
        let args: Vec<&str> = fixed
            .iter()
            .copied()
            .chain(bots.iter().map(String::as_str))
            .chain(more.iter().copied())
            .collect();
        arena.run(&args)
    };
    let one = run("one", &["--fail-on", "h0"]);
    one.ends(0).says("H1 accepted");
    // Nobody runs far ahead of what the test is told.
    assert!(arena.games("one") <= 40, "{}", arena.games("one"));
    let told = |text: &str| text.lines().rfind(|l| l.starts_with("SPRT")).unwrap().to_owned();
    let four = run("four", &["--concurrency", "4", "--fail-on", "h1"]);
    assert_eq!(told(&four.ends(1).out), told(&one.out));
    run("one", &[]).ends(0).says("nothing is missing").says("H1 accepted");
    arena.run(&["tournament", "league.toml", "--sprt", "0,5"]).ends(2).says("between two bots");
    run("x", &["--sprt", "5,0"]).ends(2);
}

#[test]
fn a_ladder_plays_as_many_pairings_as_it_may_and_processes_end_after_their_games() {
    let arena = Arena::new();
    file(&arena, 3, "format = \"ladder\"\nrounds = 10\ngames-per-process = 1");
    arena.run(&["tournament", "f.toml", "--concurrency", "auto"]).ends(0).says("at most 20 games, ladder");
    assert_eq!(arena.games("results/f"), 20);
    let whole = arena.read("results/f/standings.json");
    arena.run(&["tournament", "f.toml", "--concurrency", "4", "--out", "other"]).ends(0);
    assert_eq!(arena.read("other/standings.json"), whole);
}

#[test]
fn who_withdraws_plays_no_more_and_whose_games_are_struck_leaves_no_trace_in_the_table() {
    let arena = Arena::new();
    file(&arena, 4, "");
    arena.run(&["tournament", "f.toml", "--out", "whole"]).ends(0);
    let lines: Vec<String> = arena.read("whole/games.jsonl").lines().map(str::to_owned).collect();
    let begun = |out: &str| {
        std::fs::create_dir_all(arena.path(out)).unwrap();
        std::fs::copy(arena.path("whole/event.json"), arena.path(&format!("{out}/event.json"))).unwrap();
        // b4 has played one of its games.
        let one = lines.iter().find(|line| line.contains("\"b4\"")).unwrap();
        let others = lines.iter().filter(|line| !line.contains("\"b4\"")).take(3);
        arena.write(
            &format!("{out}/games.jsonl"),
            &others.chain([one]).map(|line| format!("{line}\n")).collect::<String>(),
        );
    };
    begun("left");
    arena
        .run(&["tournament", "f.toml", "--out", "left", "--withdraw", "nobody"])
        .ends(2)
        .says("no bot `nobody`");
    arena.run(&["tournament", "f.toml", "--out", "left", "--withdraw", "b4"]).ends(0);
    assert_eq!(arena.games("left"), 7);
    assert_eq!(standings(&arena, "left").len(), 4);
    // It is remembered, and the table is the same made again.
    arena.run(&["tournament", "f.toml", "--out", "left"]).ends(0).says("nothing is missing");
    let table = arena.read("left/standings.json");
    arena.run(&["standings", "left"]).ends(0);
    assert_eq!(arena.read("left/standings.json"), table);

    begun("struck");
    arena.run(&["tournament", "f.toml", "--out", "struck", "--disqualify", "b4"]).ends(0);
    let table = arena.read("struck/standings.json");
    assert!(!table.contains("b4") && arena.games("struck") == 7, "{table}");
    arena.run(&["standings", "struck"]).ends(0);
    assert_eq!(arena.read("struck/standings.json"), table);
    // Struck after the end, or only left out of a table, it leaves the same.
    let shown = arena.run(&["standings", "whole", "--without", "b4", "--json"]);
    shown.ends(0);
    assert_eq!(shown.out, table);
    assert!(arena.read("whole/standings.json").contains("b4"));
    arena.run(&["tournament", "f.toml", "--out", "whole", "--disqualify", "b4"]).ends(0);
    assert_eq!(arena.read("whole/standings.json"), table);
}

#[test]
fn opponents_of_one_who_withdraws_from_a_swiss_or_a_knockout_go_on_without_it() {
    for (format, bots) in [("swiss", 5), ("knockout", 4)] {
        let arena = Arena::new();
        file(&arena, bots, &format!("format = \"{format}\""));
        let mut run = arena
            .command(&["tournament", "f.toml"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        arena.wait_for_games("results/f", 1, &mut run);
        let _ = run.kill();
        run.wait().unwrap();
        let had = arena.read("results/f/games.jsonl").matches("\"b1\"").count();
        arena.run(&["tournament", "f.toml", "--withdraw", "b1"]).ends(0);
        let games = arena.read("results/f/games.jsonl");
        assert!(games.matches("\"b1\"").count() <= had, "{format}");
        let lines = standings(&arena, "results/f");
        if format == "knockout" {
            assert!(lines[0]["place"] == 1 && lines[0]["name"] != "b1", "{lines:?}");
        }
        arena.run(&["tournament", "f.toml"]).ends(0).says("nothing is missing");
    }
}

#[test]
fn a_dry_run_tells_the_plan_and_its_time_and_plays_nothing() {
    let arena = Arena::new();
    file(&arena, 4, "rounds = 5");
    arena.run(&["tournament", "f.toml", "--dry-run"]).ends(0).says("f: 60 games").says(
        "60 games to play, 2 at once; about 10.0 h, games being of 60 plies whose moves take all their time",
    );
    assert!(!arena.path("results").exists());
    arena.run(&["tournament", "f.toml", "--rounds", "1"]).ends(0);
    arena
        .run(&["tournament", "f.toml", "--extend", "--dry-run"])
        .ends(0)
        .says("48 games to play, 2 at once")
        .says("as long as the 12 there are");
    assert_eq!(arena.games("results/f"), 12);
}

#[test]
fn a_tournament_file_takes_what_it_does_not_say_from_those_it_includes() {
    let arena = Arena::new();
    file(&arena, 2, "include = \"common/rules.toml\"");
    std::fs::create_dir_all(arena.path("common")).unwrap();
    arena.write(
        "common/rules.toml",
        "include = [\"more.toml\"]\nrounds = 2\nset = { length = 50, two-squares = 4 }\nout = \"there\"\n",
    );
    arena.write("common/more.toml", "rounds = 9\ngames = 4\n");
    arena
        .run(&["tournament", "f.toml", "--dry-run"])
        .ends(0)
        .says("f: 8 games")
        .says("length=60")
        .says("two-squares=4");
    arena.run(&["tournament", "f.toml"]).ends(0);
    assert_eq!(arena.games("common/there"), 8);
    for (text, expected) in [
        ("\n  games = 0\n", "common/more.toml, line 2, column 3: games 0: it takes a whole number from 1"),
        ("games = \"x\"\n", "common/more.toml, line 1, column 9: `games`: it takes a whole number"),
        ("include = \"rules.toml\"\n", "line 1, column 1: include: common/rules.toml includes itself"),
        ("include = \"nosuch.toml\"\n", "include: there is no file common/nosuch.toml"),
    ] {
        arena.write("common/more.toml", text);
        arena.run(&["tournament", "f.toml"]).ends(2).says(expected);
    }
}
