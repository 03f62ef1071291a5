//! `cargo bench --bench scale`: many games. Lines: `NAME ours=… reference=… ratio=…`, then what else was seen.
//!
//! - `standings_1m`: seconds for the table of a synthetic journal of a million games of twenty plies, beside reading
//!   id, names and result of the same file by plain serde_json (borrowed, no checksums, no table), each in a process of
//!   its own; with the most memory each held.
//! - `plan_10m`: the most memory of a process that plans ten million games and hands out every one, beside one that
//!   does nothing.
//! - `concurrent_64`: games a second with 64 games at once, instant bots and 200 ms a move, beside two games at once;
//!   with the time losses, each of which would be a false one.
//!
//! `cargo bench --bench scale -- 100000` takes a journal of so many games instead.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use arbiter::game::{Battle, Outcome, Rank};
use arbiter::record::{
    GAME_FORMAT, GameRecord, RecordedBattle, RecordedTurn, Sides, StandingsFile, scan_journal,
};
use arbiter::tournament::{
    self, Collector, Dealer, Fixed, Format, GameResult, Issue, PairOrder, Points, RoundRobin, Terms,
};
use serde::Deserialize;

const ROUNDS: usize = 5;
const PLAYERS: u64 = 100;

#[allow(clippy::disallowed_methods)] // a bench is what a clock is for
fn now() -> Instant {
    Instant::now()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["child", "standings", path] => told(|| standings(Path::new(path))),
        ["child", "reference", path] => told(|| reference(Path::new(path))),
        ["child", "plan"] => told(plan),
        ["child", "nothing"] => told(|| 0),
        ["bot"] => bot(),
        words => {
            let games = words.iter().find_map(|w| w.parse().ok()).unwrap_or(1_000_000);
            let folder = std::env::temp_dir().join(format!("arbiter-scale-{}", std::process::id()));
            fs::create_dir_all(&folder).expect("a folder for the journal");
            standings_1m(&folder, games);
            plan_10m();
            concurrent_64(&folder);
            fs::remove_dir_all(&folder).expect("the folder is our own");
        }
    }
}

/// Does something, and tells how long it took and how much memory this process held at most, in KiB.
fn told(work: impl FnOnce() -> u64) {
    let begin = now();
    let count = work();
    let seconds = begin.elapsed().as_secs_f64();
    let status = fs::read_to_string("/proc/self/status").expect("this is Linux");
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("Linux tells it");
    println!("{seconds} {} {count}", peak.split_whitespace().next().expect("a number"));
}

/// The same in a process of its own: seconds, KiB, count.
fn child(words: &[&str]) -> (f64, f64, u64) {
    let this = std::env::current_exe().expect("the bench's own file");
    let output = Command::new(this).arg("child").args(words).stderr(Stdio::inherit()).output();
    let text = String::from_utf8(output.expect("the bench starts itself").stdout).expect("numbers");
    let mut numbers = text.split_whitespace();
    let mut next = || numbers.next().unwrap_or_else(|| panic!("{words:?}: {text}")).to_owned();
    let number = "a number";
    (next().parse().expect(number), next().parse().expect(number), next().parse().expect(number))
}

fn standings_1m(folder: &Path, games: u64) {
    let path = folder.join("games.jsonl");
    write_journal(&path, games);
    let text = path.to_str().expect("a plain name");
    let (mut ours, mut plain) = ((f64::MAX, 0.0), (f64::MAX, 0.0));
    // In turn, so that a busy moment meets both; the best of each counts.
    for _ in 0..ROUNDS {
        let (seconds, memory, count) = child(&["reference", text]);
        assert_eq!(count, games);
        plain = (plain.0.min(seconds), memory);
        let (seconds, memory, count) = child(&["standings", text]);
        assert_eq!(count, games);
        ours = (ours.0.min(seconds), memory);
    }
    println!(
        "standings_1m ours={:.3} reference={:.3} ratio={:.2} games={games} memory_mb={:.1} reference_mb={:.1}",
        ours.0,
        plain.0,
        ours.0 / plain.0,
        ours.1 / 1024.0,
        plain.1 / 1024.0
    );
}

fn write_journal(path: &Path, games: u64) {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path).expect("a journal"));
    let moves = ["a4a5", "a7a6", "b4b5", "b7b6", "c4c5", "k10k9", "e4e5", "e7e6", "i4i5", "i7i6"];
    let mut random = fastrand::Rng::with_seed(1);
    let strike = Battle {
        attacker: Rank::from_letter('2').expect("a scout"),
        defender: Rank::from_letter('6').expect("a captain"),
        outcome: Outcome::from_word("lost").expect("an outcome"),
        advances: false,
    };
    let setup = "FBB2B2B2BBS2222233333444455556666777889M";
    let pairs = PLAYERS * (PLAYERS - 1) / 2;
    for n in 0..games {
        let (round, pair, game) = (n / 2 / pairs + 1, n / 2 % pairs + 1, n % 2 + 1);
        let one = random.u64(..PLAYERS);
        let other = (one + 1 + random.u64(..PLAYERS - 1)) % PLAYERS;
        let result = ["red", "blue", "draw"][random.usize(..3)];
        let record = GameRecord {
            v: GAME_FORMAT,
            id: format!("{round}.{pair}.{game}"),
            red: format!("player-{one}"),
            blue: format!("player-{other}"),
            result: result.to_owned(),
            reason: if result == "draw" { "no-attack" } else { "flag-captured" }.to_owned(),
            clause: None,
            plies: 20,
            given: 0,
            first: "red".to_owned(),
            seeds: Sides { red: random.u64(..) >> 1, blue: random.u64(..) >> 1 },
            setup: Sides { red: Some(setup.to_owned()), blue: Some(setup.to_owned()) },
            moves: (0..20).map(|ply| RecordedTurn::read(moves[ply % 10])).collect(),
            battles: vec![RecordedBattle { ply: 9, battle: strike }],
            us: (0..20).map(|_| random.u64(20..2000)).collect(),
            scores: Vec::new(),
            faults: Vec::new(),
        };
        out.write_all(record.to_line().as_bytes()).expect("room for the journal");
    }
    out.flush().expect("room for the journal");
}

/// What `arbiter standings` does with a journal.
fn standings(path: &Path) -> u64 {
    let mut collector = Collector::new(Points { win: 1.0, draw: 0.5, loss: 0.0, forfeit: 0.0 }, &[]);
    scan_journal(path, |game| collector.add(game)).expect("the journal is sound");
    let file = StandingsFile::from(&collector.standings());
    assert!(file.to_text().len() > 1000);
    file.games
}

/// What a script would do at least.
fn reference(path: &Path) -> u64 {
    #[derive(Deserialize)]
    struct Line<'a> {
        id: &'a str,
        red: &'a str,
        blue: &'a str,
        result: &'a str,
    }
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path).expect("the journal"));
    let (mut line, mut games, mut sum) = (Vec::new(), 0, 0);
    while reader.read_until(b'\n', &mut line).expect("the journal") > 0 {
        let read: Line<'_> = serde_json::from_slice(&line).expect("a line of JSON");
        sum += read.id.len() + read.red.len() + read.blue.len() + read.result.len();
        games += 1;
        line.clear();
    }
    std::hint::black_box(sum);
    games
}

fn plan_10m() {
    let (_, ours, games) = child(&["plan"]);
    let (_, nothing, _) = child(&["nothing"]);
    println!(
        "plan_10m ours={:.1} reference={:.1} ratio={:.2} games={games} unit=MB",
        ours / 1024.0,
        nothing / 1024.0,
        ours / nothing
    );
}

fn plan() -> u64 {
    let (players, points) = (1001, Points { win: 1.0, draw: 0.5, loss: 0.0, forfeit: 0.0 });
    let schedule = Fixed::RoundRobin(RoundRobin { players, rounds: 10, games: 2, order: PairOrder::ByLater });
    let (seed, withdrawn) = (1, Default::default());
    let terms = Terms { players, points, seed, shared: false, tie_break: false, gate: None, withdrawn };
    let mut dealer = Dealer::new(Format::Fixed(schedule), terms);
    dealer.begin().expect("no game is there before");
    while let Issue::Game(game) = dealer.issue(0) {
        dealer.settle(game, tournament::Outcome { result: GameResult::Draw, fault: false });
    }
    assert_eq!(dealer.settled(), schedule.total());
    dealer.settled()
}

/// Plays the first legal move, without a thought.
fn bot() {
    let mut first = String::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let answer = match word {
            "sbp" => "want legal\nok".to_owned(),
            "isready" => "readyok".to_owned(),
            "setup" if rest.is_empty() => "setup FBB2B2B2BBS2222233333444455556666777889M".to_owned(),
            "legal" => {
                rest.split(' ').next().unwrap_or_default().clone_into(&mut first);
                continue;
            }
            "go" => format!("move {first}"),
            "quit" => return,
            _ => continue,
        };
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{answer}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn concurrent_64(folder: &Path) {
    let run = |at_once: &str| {
        let out = folder.join(format!("at-once-{at_once}"));
        let begin = now();
        let this = std::env::current_exe().expect("the bench's own file");
        let cmd = format!("cmd={}", this.display());
        let mut arbiter = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        arbiter.args(["tournament", "--quiet", "--move-time", "200ms", "--seed", "1", "--max-plies", "200"]);
        arbiter.args(["--rounds", "64", "--concurrency", at_once, "--out"]).arg(&out);
        for name in ["name=one", "name=two"] {
            arbiter.args(["--bot", &cmd, name, "arg=bot"]);
        }
        let status = arbiter.stdout(Stdio::null()).current_dir(folder).status();
        assert!(status.expect("arbiter starts").success());
        let seconds = begin.elapsed().as_secs_f64();
        let (games, losses) = losses(&out);
        (games as f64 / seconds, losses, games)
    };
    let (two, losses_two, _) = run("2");
    let (ours, losses, games) = run("64");
    println!(
        "concurrent_64 ours={ours:.1} reference={two:.1} ratio={:.2} games={games} time_losses={losses} \
         reference_time_losses={losses_two} unit=games/s",
        ours / two
    );
}

/// Games of an event, and those that a clock decided.
fn losses(event: &Path) -> (u64, u64) {
    let path: PathBuf = event.join("games.jsonl");
    let (mut games, mut losses) = (0, 0);
    scan_journal(&path, |game| {
        games += 1;
        losses += u64::from(game.clause.is_some_and(|clause| clause.starts_with("time.")));
    })
    .expect("the journal is sound");
    (games, losses)
}
