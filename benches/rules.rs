//! `cargo bench --bench rules`: how fast the rules are, beside cozy-chess in the same run on one core.
//!
//! Lines: `NAME ours=… reference=… ratio=…`, in million plies a second; a ratio above 1 says that ours is faster. For
//! `playout_isf` the reference is cozy-chess, for `verify_isf` (lines of games.jsonl read and refereed again) our own
//! playouts, of which a third is wanted.
//!
//! The two of a line are run in turn, in many short slices of the thread's own time, and the ratio is the median of
//! the neighbours' ratios: what slows the machine for a while slows both.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use arbiter::game::{Colour, Deployment, MoveList, Position, Rules, book};
use arbiter::record::{
    GAME_FORMAT, GameRecord, RecordedBattle, RecordedTurn, Sides, check_line, verify_record,
};
use fastrand::Rng;
use rustix::time::{ClockId, clock_gettime};

const SLICE: Duration = Duration::from_millis(20);
const SLICES: usize = 150;

/// What this thread has used.
fn used() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

fn rate(work: &mut impl FnMut() -> u64) -> f64 {
    let (begin, mut plies) = (used(), 0);
    loop {
        plies += work();
        let time = used() - begin;
        if time >= SLICE {
            return plies as f64 / time.as_secs_f64() / 1e6;
        }
    }
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// Runs both in turn and prints their line.
fn compare(name: &str, mut ours: impl FnMut() -> u64, mut reference: impl FnMut() -> u64) {
    rate(&mut ours);
    rate(&mut reference); // Both are warm now.
    let slices: Vec<(f64, f64)> = (0..SLICES).map(|_| (rate(&mut ours), rate(&mut reference))).collect();
    let ratio = median(slices.iter().map(|(ours, reference)| ours / reference).collect());
    let (ours, reference) = slices.into_iter().unzip();
    println!("{name} ours={:.2} reference={:.2} ratio={ratio:.2}", median(ours), median(reference));
}

/// A random game under the exact rules, from a random deployment, with full lists of legal moves.
fn stratego(rng: &mut Rng, starts: &[Position], moves: &mut MoveList) -> u64 {
    let mut position = starts[rng.usize(..starts.len())].clone();
    let mut plies = 0;
    while position.ended().is_none() {
        position.legal_moves(moves);
        if moves.is_empty() {
            break;
        }
        position.play_known(moves[rng.usize(..moves.len())]);
        plies += 1;
    }
    black_box(position.outcome());
    plies
}

/// A random game as a line of a journal.
fn journal_line(rng: &mut Rng, rules: &Arc<Rules>) -> String {
    let [red, blue] = [(); 2].map(|()| Deployment::draw(rules, |n| rng.usize(..n)));
    let mut position = Position::new(rules.clone(), &red, &blue, Colour::Red);
    let (mut legal, mut moves, mut battles) = (MoveList::new(), Vec::new(), Vec::new());
    while position.outcome().is_none() {
        position.legal_moves(&mut legal);
        let mv = legal[rng.usize(..legal.len())];
        moves.push(RecordedTurn::Move(mv.written(&rules.board), None));
        if let Some(battle) = position.play_known(mv).battle {
            battles.push(RecordedBattle { ply: position.plies(), battle });
        }
    }
    let ending = position.outcome().expect("the loop ends with one");
    let record = GameRecord {
        v: GAME_FORMAT,
        id: "1.1.1".to_owned(),
        red: "a".to_owned(),
        blue: "b".to_owned(),
        result: ending.winner().map_or("draw", Colour::word).to_owned(),
        reason: ending.reason().to_owned(),
        clause: None,
        plies: position.plies(),
        given: 0,
        first: "red".to_owned(),
        seeds: Sides::default(),
        setup: Sides { red: Some(red.to_string()), blue: Some(blue.to_string()) },
        us: vec![150; moves.len()],
        moves,
        battles,
        scores: Vec::new(),
        faults: Vec::new(),
    };
    record.to_line()
}

/// Reads and referees a line, as `arbiter verify` does.
fn verify(line: &str, rules: &Arc<Rules>) -> u64 {
    check_line(line).expect("its own checksum");
    let finding = verify_record(&GameRecord::from_line(line).expect("its own line"), rules, None);
    assert!(finding.agrees(), "{finding:?}");
    u64::from(finding.plies)
}

fn chess(rng: &mut Rng, moves: &mut Vec<cozy_chess::Move>) -> u64 {
    let mut board = cozy_chess::Board::default();
    let mut plies = 0;
    while plies < 500 && board.halfmove_clock() < 100 {
        moves.clear();
        board.generate_moves(|some| {
            moves.extend(some);
            false
        });
        if moves.is_empty() {
            break;
        }
        board.play_unchecked(moves[rng.usize(..moves.len())]);
        plies += 1;
    }
    black_box(&board);
    plies
}

fn main() {
    let mut rng = Rng::with_seed(7);
    let isf = Rules::new(book("isf").expect("a shipped book")).expect("a possible book");
    let starts: Vec<Position> = (0..64)
        .map(|_| {
            let mut draw = || Deployment::draw(&isf, |n| rng.usize(..n));
            Position::new(isf.clone(), &draw(), &draw(), Colour::Red)
        })
        .collect();
    let (mut moves, mut chess_moves) = (MoveList::new(), Vec::new());
    let mut chess_rng = rng.fork();
    let lines: Vec<String> = (0..200).map(|_| journal_line(&mut rng, &isf)).collect();
    compare(
        "playout_isf",
        || stratego(&mut rng, &starts, &mut moves),
        || chess(&mut chess_rng, &mut chess_moves),
    );
    let mut lines = lines.iter().cycle();
    compare(
        "verify_isf",
        || verify(lines.next().expect("a cycle has no end"), &isf),
        || stratego(&mut rng, &starts, &mut moves),
    );
}
