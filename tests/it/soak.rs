//! Many games at once for a long time, with good and hostile bots: nothing leaks, nobody loses by a fault of ours, and
//! what was planned was logged.
//!
//! Short in every test run. `ARBITER_SOAK=SECONDS` plays 64 games at once for about so long, with the clock that an
//! instant bot must never lose by: 200 ms a move and the usual margin.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

use arbiter::record::GameRecord;
use arbiter::runtime::{Watch, descriptors};

use crate::hostile::{Arena, marked, nothing_survives};

/// Bots that break no clause, whatever else they do. All but the last answer at once: that one writes 10 MB to its
/// standard error before a move, which on a core with thirty other games takes what it takes.
const GOOD: [(&str, &str); 5] = [
    ("good", ""),
    ("quick", "answers-fast"),
    ("pieces", "partial-writes info:depth_4"),
    ("stays", "ignore-quit ignore-term fork-child:wiped"),
    ("talks", "stderr-flood@turn2 wants:board,clock"),
];

/// Bots that break one, and which.
const HOSTILE: [(&str, &str, &str); 8] = [
    ("leaves", "exit-after@turn1", "process.exit"),
    ("crashes", "crash@turn2 fork-child:twice", "process.exit"),
    ("floods", "flood@turn2", "line.length"),
    ("lines", "lines@turn2", "line.flood"),
    ("deaf", "close-stdout@turn2 ignore-term", "process.exit"),
    ("halves", "half-line@turn2", "time.move"),
    ("twice", "two-answers@turn2 ignore-quit", "turn.early"),
    ("eats", "hog:200@turn2", "limit.memory"),
];

/// What the arbiter has at a moment.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    files: usize,
    threads: usize,
    kilobytes: usize,
    /// Processes of bots.
    bots: usize,
}

impl Sample {
    /// Nothing where it has just ended.
    fn take(arbiter: &Child, tag: &str) -> Option<Sample> {
        let folder = format!("/proc/{}", arbiter.id());
        let status = fs::read_to_string(format!("{folder}/status")).ok()?;
        let number = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            line.split_ascii_whitespace().next()?.parse().ok()
        };
        Some(Sample {
            files: fs::read_dir(format!("{folder}/fd")).ok()?.count(),
            threads: number("Threads:")?,
            kilobytes: number("VmRSS:")?,
            bots: marked(tag).len(),
        })
    }

    /// The highest of each.
    fn highest(samples: &[Sample]) -> Sample {
        let most = |of: fn(&Sample) -> usize| samples.iter().map(of).max().unwrap_or_default();
        Sample {
            files: most(|s| s.files),
            threads: most(|s| s.threads),
            kilobytes: most(|s| s.kilobytes),
            bots: most(|s| s.bots),
        }
    }
}

/// Plays a league of them all; returns how long it took.
fn soak(rounds: usize, at_once: usize, margin: &str) -> Duration {
    let mut arena = Arena::new().set("--rounds", &rounds.to_string()).set("--games", "1");
    for (name, words) in GOOD.into_iter().chain(HOSTILE.map(|(name, words, _)| (name, words))) {
        arena = arena.bot(name, words);
    }
    let arena = arena
        .set("--concurrency", &at_once.to_string())
        .set("--affinity", "auto")
        .set("--memory", "120M")
        .set("--move-time", "200ms")
        .set("--time-margin", margin);
    let began = Watch::start();
    let log = fs::File::create(arena.out().with_extension("log")).expect("a log");
    let mut command = arena.command();
    command.arg("-q").stdout(Stdio::null()).stderr(log);
    let mut arbiter = command.spawn().expect("the arbiter can be run");
    let mut samples = Vec::new();
    let status = loop {
        samples.extend(Sample::take(&arbiter, &arena.tag()));
        if let Some(status) = arbiter.try_wait().expect("it is ours") {
            break status;
        }
        std::thread::sleep(Duration::from_millis(if rounds > 2 { 500 } else { 20 }));
    };
    let took = began.now().0;
    let said = fs::read_to_string(arena.out().with_extension("log")).expect("a log");
    assert_eq!(status.code(), Some(0), "{said}");
    nothing_survives(&arena.tag());
    // The beginning, in which it grows to its size, and the end, in which it shrinks, show nothing.
    let third = samples.len() / 3;
    let (middle, last) =
        (Sample::highest(&samples[third..2 * third]), Sample::highest(&samples[2 * third..]));
    let all = Sample::highest(&samples);
    eprintln!(
        "{rounds} rounds, {at_once} at once, {took:.0?}: {all:?}; second third {middle:?}, last {last:?}"
    );
    judge(&arena.read("games.jsonl"), rounds);
    assert!(all.files as u64 <= descriptors(at_once), "{all:?}");
    // Each game has a thread; limits, the journal and what follows the run have theirs.
    assert!(all.threads <= at_once + 8, "{all:?}");
    // Two bots, each with two steps of its stub and three processes of its own, in a game and leaving it.
    assert!(all.bots <= at_once * 2 * 5, "{all:?}");
    // A leak of one a game would be more by far.
    assert!(last.files <= middle.files + 4 * at_once, "files leak: {middle:?}, then {last:?}");
    assert!(last.kilobytes <= middle.kilobytes + 16 * 1024, "memory leaks: {middle:?}, then {last:?}");
    took
}

/// Games logged are games planned, and each fault is its bot's own.
fn judge(journal: &str, rounds: usize) {
    let games: Vec<GameRecord> =
        journal.lines().map(|line| GameRecord::from_line(line).expect("a record")).collect();
    let bots = GOOD.len() + HOSTILE.len();
    assert_eq!(games.len(), rounds * bots * (bots - 1) / 2, "games logged are games planned");
    for game in &games {
        for (side, bot) in [("red", &game.red), ("blue", &game.blue)] {
            let own: Vec<&str> = game.faults.iter().filter(|f| f.side == side).map(|f| &*f.clause).collect();
            match HOSTILE.iter().find(|hostile| hostile.0 == *bot) {
                None if bot == "talks" => assert!(own.iter().all(|own| *own == "time.move"), "{game:?}"),
                None => assert!(own.is_empty(), "a false loss: {game:?}"),
                // Its opponent may win before it does what it is to do.
                // Nor is what it does before a move always done in a move's time.
                Some((_, _, clause)) => {
                    assert!(own.iter().all(|own| own == clause || *own == "time.move"), "{game:?}");
                }
            }
        }
    }
    let clauses: Vec<&str> = games.iter().filter_map(|game| game.clause.as_deref()).collect();
    for (name, _, clause) in HOSTILE {
        // Where many games share a core, filling memory takes longer than a move may.
        assert!(
            clauses.contains(&clause) || name == "eats" && rounds > 1,
            "{name} never did what it is to do"
        );
    }
}

#[test]
fn games_with_hostile_bots_leak_nothing_and_no_instant_bot_loses_by_time() {
    let usual = soak(1, 8, "3s");
    let wanted = std::env::var("ARBITER_SOAK").ok().map(|n| n.parse::<f64>().expect("ARBITER_SOAK=SECONDS"));
    if let Some(wanted) = wanted {
        // The pace of many at once is told by some rounds of them, and better by the rounds that follow.
        let mut pace = soak(8, 64, "3s").min(usual * 8).as_secs_f64() / 8.0;
        let mut left = wanted;
        while left > wanted / 10.0 {
            let rounds = (left / pace).ceil();
            let took = soak(rounds as usize, 64, "20ms").as_secs_f64();
            (left, pace) = (left - took, took / rounds);
        }
    }
}
