//! `cargo bench --bench rules`: how fast the rules are, beside cozy-chess in the same run on one core.
//!
//! Lines: `NAME ours=… reference=… ratio=…`. For `playout_isf` both figures are million plies a second (ratio above
//! 1: ours is faster); for `verify_isf` ours is the refereeing of recorded games, the reference our own playouts.

use std::hint::black_box;
use std::time::{Duration, Instant};

use arbiter::game::{Colour, Deployment, Position, Rules, book};
use fastrand::Rng;

const SLICE: Duration = Duration::from_millis(250);
const SLICES: usize = 12;

#[allow(clippy::disallowed_methods)] // a bench is what a clock is for
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    let begin = Instant::now();
    let mut plies = 0;
    while begin.elapsed() < SLICE {
        plies += work();
    }
    plies as f64 / begin.elapsed().as_secs_f64() / 1e6
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// A random game under the exact rules, from a random deployment, with full lists of legal moves.
fn stratego(rng: &mut Rng, starts: &[Position], moves: &mut Vec<arbiter::game::Move>) -> u64 {
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
    let (mut moves, mut chess_moves) = (Vec::new(), Vec::new());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..SLICES {
        ours.push(rate(|| stratego(&mut rng, &starts, &mut moves)));
        theirs.push(rate(|| chess(&mut rng, &mut chess_moves)));
    }
    let (ours, theirs) = (median(ours), median(theirs));
    println!("playout_isf ours={ours:.2} reference={theirs:.2} ratio={:.2}", ours / theirs);
}
