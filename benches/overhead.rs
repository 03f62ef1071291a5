//! `cargo bench --bench overhead`: what the arbiter costs a ply, beside a bare pipe ping-pong in the same run.
//!
//! Lines: `NAME ours=… reference=… ratio=…`, microseconds (milliseconds for `spawn_pair` and `confined_spawn`). The reference is a parent
//! and two children that pass a line to and fro over pipes, all three on one core: what any referee must do at least.
//! Ours is the whole thing: rules with both repetition rules, deadlines, limits, standard error drained, the journal,
//! the default sandbox. A pair's start is in lines of its own: what a ply takes is counted from each worker's second
//! game on, as the reference counts when its children run. `_c2` is two games at once against two pinned ping-pongs at once. The lines `confined_` have
//! the same without a sandbox for their reference.

use std::collections::HashMap;
use std::io::{BufRead, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use arbiter::clock::TimeSettings;
use arbiter::game::{Rules, book};
use arbiter::process::{Confinement, Launch, Limits, Sandbox, cores, keep_on};
use arbiter::protocol::Protocol;
use arbiter::record::{EventFolder, JournalWriter};
use arbiter::runtime::{self, Bot, Desk, RunEvent, RunPlan, Seat};
use arbiter::tournament::{Dealer, Fixed, Format, PairOrder, Points, RoundRobin, Terms};
use rustix::time::{ClockId, clock_gettime};

/// Plies of a game: the most that a shipped book allows.
const PLIES: u64 = 2000;
const GAMES: u64 = 10;
const ROUNDS: usize = 7;

#[allow(clippy::disallowed_methods)] // a bench is what a clock is for
fn now() -> Instant {
    Instant::now()
}

fn cpu(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// A child of the ping-pong: answers each line with a line.
fn echo() {
    let (mut input, mut output) = (std::fs::File::from(dup(0)), std::fs::File::from(dup(1)));
    let mut chunk = [0u8; 4096];
    while let Ok(count) = input.read(&mut chunk) {
        if count == 0 || output.write_all(b"move a4 a5\n").is_err() {
            return;
        }
    }
}

fn dup(fd: i32) -> std::os::fd::OwnedFd {
    match fd {
        0 => rustix::io::dup(std::io::stdin()).expect("standard input"),
        _ => rustix::io::dup(std::io::stdout()).expect("standard output"),
    }
}

/// A bot that walks one piece around a ring of four squares: legal for ever, and no thought.
fn walker() {
    let mut input = std::io::BufReader::new(std::fs::File::from(dup(0)));
    let mut output = std::fs::File::from(dup(1));
    let (mut line, mut red, mut step) = (String::new(), true, 0);
    let path = |red: bool, step: usize| -> &'static str {
        const RED: [&str; 5] =
            ["move a4 a5\n", "move a5 b5\n", "move b5 b6\n", "move b6 a6\n", "move a6 a5\n"];
        const BLUE: [&str; 5] =
            ["move k7 k6\n", "move k6 i6\n", "move i6 i5\n", "move i5 k5\n", "move k5 k6\n"];
        let path = if red { RED } else { BLUE };
        if step == 0 { path[0] } else { path[1 + (step - 1) % 4] }
    };
    loop {
        line.clear();
        if input.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        let answer = match line.split_ascii_whitespace().next() {
            Some("go") => {
                step += 1;
                path(red, step - 1)
            }
            Some("sbp") => "ok\n",
            Some("isready") => "readyok\n",
            Some("newgame") => {
                (red, step) = (line.contains("colour=red"), 0);
                continue;
            }
            Some("setup") => "setup FBB2B2B2BBS2222233333444455556666777889M\n",
            Some("quit") => return,
            _ => continue,
        };
        if output.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

fn child(mode: &str) -> Child {
    let this = std::env::current_exe().expect("this bench's own file");
    let mut command = Command::new(this);
    command.arg(mode).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().expect("a child of this bench")
}

/// Wall time and the parent's CPU time of a round trip.
fn ping_pong(core: Option<usize>, trips: u64) -> (f64, f64) {
    keep_on(&core.map_or_else(Vec::new, |core| vec![core]));
    let mut children = [child("--echo"), child("--echo")];
    let mut pipes: Vec<_> = children
        .iter_mut()
        .map(|c| (c.stdin.take().expect("asked for"), c.stdout.take().expect("asked for")))
        .collect();
    let mut chunk = [0u8; 4096];
    let mut trip = |n: u64| {
        let (stdin, stdout) = &mut pipes[(n % 2) as usize];
        stdin.write_all(b"moved red a4 a5\nmoved blue k7 k6\ngo\n").expect("the child reads");
        assert!(stdout.read(&mut chunk).expect("the child answers") > 0);
    };
    (0..200).for_each(&mut trip);
    let (wall, own) = (now(), cpu(ClockId::ThreadCPUTime));
    (0..trips).for_each(&mut trip);
    let (wall, own) = (wall.elapsed(), cpu(ClockId::ThreadCPUTime) - own);
    drop(pipes);
    children.iter_mut().for_each(|c| drop(c.wait()));
    (micros(wall, trips), micros(own, trips))
}

fn micros(time: Duration, of: u64) -> f64 {
    time.as_secs_f64() * 1e6 / of as f64
}

fn ping_pongs(at_once: usize, trips: u64) -> (f64, f64) {
    let cores = cores();
    let threads: Vec<_> = (0..at_once)
        .map(|n| {
            let core = cores.get(n % cores.len().max(1)).copied();
            thread::spawn(move || ping_pong(core, trips))
        })
        .collect();
    let results: Vec<(f64, f64)> = threads.into_iter().map(|t| t.join().expect("no panic")).collect();
    // Trips of all games over the time they took: what the walls of single games come to, shared out.
    let wall = results.iter().map(|r| r.0).fold(0.0, f64::max) / at_once as f64;
    (wall, results.iter().map(|r| r.1).sum::<f64>() / at_once as f64)
}

fn bot(name: &str, sandbox: Sandbox) -> Arc<Bot> {
    let this = std::env::current_exe().expect("this bench's own file");
    let confinement = Confinement {
        sandbox,
        read: vec![this.clone()],
        keep_user: this.starts_with("/root").then(|| "no other user reaches this bench".to_owned()),
        ..Confinement::default()
    };
    let limits = if sandbox == Sandbox::Off { Limits::default() } else { Limits::usual() };
    let launch = Launch {
        launcher: env!("CARGO_BIN_EXE_arbiter").into(),
        argv: vec![this.display().to_string(), "--walker".to_owned()],
        program: this,
        dir: ".".into(),
        env: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
        free_cores: cores(),
        confinement,
        limits,
        freeze: false,
    };
    Arc::new(Bot {
        name: name.to_owned(),
        protocol: Protocol::Sbp,
        launch,
        options: Vec::new(),
        restart: false,
        threads: 1,
    })
}

/// Wall time and CPU time of a ply, over whole games with their journal. The wall time leaves out each worker's first
/// game, which its pair's start is part of; the CPU time has all of it.
fn games(at_once: usize, sandbox: Sandbox) -> (f64, f64) {
    let mut set = book("isf").expect("a shipped book");
    set.set("no-attack", "off").expect("a parameter");
    let plan = Arc::new(RunPlan {
        bots: vec![bot("a", sandbox), bot("b", sandbox)],
        rules: Rules::new(set).expect("a possible book"),
        tie_break: None,
        games_per_process: u64::MAX,
        start: None,
        again: None,
        setups: None,
        time: TimeSettings::default(),
        seed: 1,
        seeds: None,
        by_opening: true,
        concurrency: at_once,
        cores: cores(),
        start_retries: 0,
        adjudication: Default::default(),
        wire: false,
        echo: false,
        warned: Arc::default(),
        live: false,
    });
    let folder = tempfile::tempdir().expect("a folder for the journal");
    let folder = EventFolder::hold(folder.path()).expect("nobody else is there");
    let (durable, written) = mpsc::channel();
    let journal = JournalWriter::open(&folder, move |(), result| {
        let _ = durable.send(result);
    })
    .expect("a journal");
    let total = GAMES * at_once as u64;
    let schedule = RoundRobin { players: 2, rounds: total / 2, games: 2, order: PairOrder::ByLater };
    let points = Points { win: 1.0, draw: 0.5, loss: 0.0, forfeit: 0.0 };
    let withdrawn = Default::default();
    let terms = Terms { players: 2, points, seed: 1, shared: false, tie_break: false, gate: None, withdrawn };
    let mut dealer = Dealer::new(Format::Fixed(Fixed::RoundRobin(schedule)), terms);
    dealer.begin().expect("no game is there before");
    let dealer = Arc::new(Desk::new(dealer));
    let (sender, events) = mpsc::channel();
    let (_stopper, stop) = runtime::stopping();
    let own = cpu(ClockId::ProcessCPUTime);
    let workers = runtime::start(plan, dealer, stop, move |event| {
        let _ = sender.send((now(), event));
    })
    .expect("threads");
    let (mut begins, mut plies, mut wall) = (HashMap::new(), 0, Duration::ZERO);
    for (at, event) in events {
        match event {
            RunEvent::Started(planned) => {
                let warm = begins.len() >= at_once;
                begins.insert(planned.id.to_string(), warm.then_some(at));
            }
            RunEvent::Finished(finished) => {
                assert_eq!(finished.record.reason, "length", "{}", finished.sentence);
                plies += u64::from(finished.record.plies);
                wall += begins[&finished.record.id].map_or(Duration::ZERO, |begin| at - begin);
                journal.append(finished.record.to_line(), ());
            }
            _ => {}
        }
    }
    workers.into_iter().for_each(|w| w.join().expect("no panic"));
    drop(journal);
    let own = cpu(ClockId::ProcessCPUTime) - own;
    assert_eq!(plies, total * PLIES);
    assert!(written.try_iter().all(|result| result.is_ok()));
    let warm = plies - at_once as u64 * PLIES;
    (micros(wall, warm) / at_once as f64, micros(own, plies))
}

/// A pair's start, in milliseconds, to `readyok` of both.
fn spawn(sandbox: Sandbox) -> f64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (_stopper, stop) = runtime::stopping();
    let (time, bots) = (TimeSettings::default(), [bot("a", sandbox), bot("b", sandbox)]);
    let begin = now();
    let seats = runtime.block_on(async {
        let take = |bot| Seat::take(bot, &time, &stop, false, false);
        let (a, b) = tokio::join!(take(&bots[0]), take(&bots[1]));
        [a.expect("a seat"), b.expect("a seat")]
    });
    let ours = begin.elapsed();
    runtime.block_on(async {
        for seat in seats {
            seat.leave(true).await;
        }
    });
    ours.as_secs_f64() * 1e3
}

/// A pair's bare start, in milliseconds, to a first line.
fn bare_spawn() -> f64 {
    let begin = now();
    let mut children = [child("--walker"), child("--walker")];
    for child in &mut children {
        child.stdin.as_mut().expect("asked for").write_all(b"sbp 1\nisready\n").expect("it reads");
    }
    for child in &mut children {
        let mut answer = [0u8; 11];
        child.stdout.as_mut().expect("asked for").read_exact(&mut answer).expect("it answers");
    }
    let bare = begin.elapsed();
    for child in &mut children {
        child.stdin = None;
        let _ = child.wait();
    }
    bare.as_secs_f64() * 1e3
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}

fn print(name: &str, rounds: &[(f64, f64)]) {
    let ours = median(rounds.iter().map(|r| r.0).collect());
    let reference = median(rounds.iter().map(|r| r.1).collect());
    let ratio = median(rounds.iter().map(|r| r.0 / r.1).collect());
    println!("{name} ours={ours:.2} reference={reference:.2} ratio={ratio:.2}");
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("--echo") => return echo(),
        Some("--walker") => return walker(),
        _ => {}
    }
    for at_once in [1, 2] {
        let (mut walls, mut cpus) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (ours_wall, ours_cpu) = games(at_once, Sandbox::Try);
            let (wall, cpu) = ping_pongs(at_once, GAMES * PLIES);
            walls.push((ours_wall, wall));
            cpus.push((ours_cpu, cpu));
        }
        print(&format!("ply_wall_c{at_once}"), &walls);
        print(&format!("ply_cpu_c{at_once}"), &cpus);
    }
    let rounds = |ours: &dyn Fn() -> f64, reference: &dyn Fn() -> f64, count: usize| {
        (0..count).map(|_| (ours(), reference())).collect::<Vec<_>>()
    };
    print("spawn_pair", &rounds(&|| spawn(Sandbox::Try), &bare_spawn, 15));
    print("confined_spawn", &rounds(&|| spawn(Sandbox::Try), &|| spawn(Sandbox::Off), 15));
    let ply = |sandbox| games(1, sandbox).0;
    print("confined_ply", &rounds(&|| ply(Sandbox::Try), &|| ply(Sandbox::Off), ROUNDS));
}
