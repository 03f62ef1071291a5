//! The engine against its naive twin: the same legal moves, verdicts, battles and endings, ply by ply.
//!
//! The twin (`naive.rs`) was written from the rules' text alone and replays the whole history at each question.
//! Random play rarely repeats itself, so most games here are driven: few pieces on a small board, a player that
//! likes to take its own move back, and chasers that prefer to land next to an enemy.

use std::sync::Arc;

use arbiter::game::{
    Board, Chase, Colour, Coordinates, Ending, Move, Position, RuleSet, Rules, book, notation,
};
use fastrand::Rng;

use crate::naive::{NaiveAdvance, NaiveChase, NaiveGame, NaiveRules};

fn rules(changes: &[(&str, &str)]) -> Arc<Rules> {
    let mut set: RuleSet = book("isf").unwrap();
    for (name, value) in changes {
        set.set(name, value).unwrap();
    }
    Rules::new(set).unwrap()
}

fn naive(rules: &Rules) -> NaiveRules {
    NaiveRules {
        width: rules.board.width(),
        height: rules.board.height(),
        lakes: rules.lakes.iter().map(|c| (c.file, c.rank)).collect(),
        two_squares: rules.two_squares,
        chase: match rules.chase {
            Chase::Off => NaiveChase::Off,
            Chase::Isf => NaiveChase::Isf,
            Chase::Any => NaiveChase::Any,
        },
        scout_strikes_far: rules.get("scout-strike").unwrap() == "far",
        equal_ranks_attacker_wins: rules.get("equal-ranks").unwrap() == "attacker",
        winner_advances: match rules.get("winner-advances").unwrap().as_str() {
            "attacker" => NaiveAdvance::Attacker,
            "any" => NaiveAdvance::Any,
            _ => NaiveAdvance::AnyButScout,
        },
        both_immobile_is_draw: rules.get("both-immobile").unwrap() == "draw",
        no_attack: rules.no_attack,
        length: rules.length,
        repetition: rules.repetition,
    }
}

fn ending_words(ending: Option<Ending>) -> Option<String> {
    ending.map(|e| format!("{} {}", e.winner().map_or("draw", Colour::word), e.reason()))
}

/// How a driven player chooses.
#[derive(Clone, Copy, PartialEq)]
enum Temper {
    Random,
    /// Takes its last move back when it can.
    Shuttler,
    /// Prefers moves that end next to an enemy and strike nothing.
    Chaser,
    /// Prefers to move a piece that stands next to an enemy, striking nothing.
    Evader,
}

struct Tally {
    plies: u64,
    two_squares: u64,
    chases: u64,
}

fn near_enemy(position: &Position, mv: Move, landing: bool) -> bool {
    let board = position.board();
    let at = board.coordinates(if landing { mv.to } else { mv.from });
    position.pieces().any(|(square, piece, _)| {
        let c = board.coordinates(square);
        piece.colour() != position.to_move() && c.file.abs_diff(at.file) + c.rank.abs_diff(at.rank) == 1
    })
}

fn choose(rng: &mut Rng, temper: Temper, position: &Position, legal: &[Move], last: Option<Move>) -> Move {
    let quiet = |mv: &Move| position.piece(mv.to).is_none();
    let liked: Vec<Move> = match temper {
        Temper::Random => Vec::new(),
        Temper::Shuttler => {
            legal.iter().copied().filter(|m| last.is_some_and(|l| m.from == l.to && m.to == l.from)).collect()
        }
        Temper::Chaser => {
            legal.iter().copied().filter(|m| quiet(m) && near_enemy(position, *m, true)).collect()
        }
        Temper::Evader => {
            legal.iter().copied().filter(|m| quiet(m) && near_enemy(position, *m, false)).collect()
        }
    };
    // Peace keeps a chase alive; now and then anything goes.
    let calm: Vec<Move> = legal.iter().copied().filter(quiet).collect();
    let choices = match (rng.u8(..), liked.is_empty(), calm.is_empty()) {
        (0..6, ..) => legal,
        (_, false, _) => &liked,
        (_, _, false) if temper != Temper::Random => &calm,
        _ => legal,
    };
    choices[rng.usize(..choices.len())]
}

fn random_field(rng: &mut Rng, rules: &Rules, pieces: usize) -> String {
    let board = &rules.board;
    let mut letters: Vec<char> = (0..board.squares())
        .map(|i| {
            if rules.lakes.iter().any(|c| c.rank as usize * board.width() as usize + c.file as usize == i) {
                '_'
            } else {
                'A'
            }
        })
        .collect();
    for (letters_of, flag) in [("BCDDDEFGHIJKL", 'M'), ("NOPPPQRSTUVWX", 'Y')] {
        let choices: Vec<char> = letters_of.chars().collect();
        for n in 0..pieces {
            let letter = if n == 0 { flag } else { choices[rng.usize(..choices.len())] };
            loop {
                let square = rng.usize(..letters.len());
                if letters[square] == 'A' {
                    letters[square] = letter;
                    break;
                }
            }
        }
    }
    letters.into_iter().collect()
}

fn compare(
    rng: &mut Rng,
    rules: &Arc<Rules>,
    field: &str,
    tempers: [Temper; 2],
    most: usize,
    tally: &mut Tally,
) {
    let red_first = rng.bool();
    let first = if red_first { Colour::Red } else { Colour::Blue };
    let mut ours = notation::position(rules, field, first).unwrap();
    let mut theirs = NaiveGame::new(naive(rules), field, red_first);
    let board = rules.board.clone();
    let plain = |mv: Move| {
        let (a, b) = (board.coordinates(mv.from), board.coordinates(mv.to));
        ((a.file, a.rank), (b.file, b.rank))
    };
    let square = |(file, rank)| board.square(Coordinates { file, rank }).unwrap();
    let mut legal = arbiter::game::MoveList::new();
    let mut last = [None, None];
    for _ in 0..most {
        let context = || format!("{rules:?} {field} ply {}", ours.plies());
        let ended = ours.outcome();
        assert_eq!(ending_words(ended), theirs.ending().map(str::to_owned), "{}", context());
        if ended.is_some() {
            break;
        }
        ours.legal_moves(&mut legal);
        let mut listed: Vec<_> = legal.iter().map(|&mv| plain(mv)).collect();
        listed.sort_unstable();
        assert_eq!(listed, theirs.legal(), "{}", context());
        for (from, to) in pairs(rng, &board) {
            let judged = ours.judge(Move { from: square(from), to: square(to) }).map_err(|i| i.clause());
            assert_eq!(judged, theirs.judge(from, to), "{} {from:?} {to:?}", context());
            tally.two_squares += u64::from(judged == Err("move.two-squares"));
            tally.chases += u64::from(judged == Err("move.chase"));
        }
        let side = ours.to_move();
        let mv = choose(rng, tempers[side.index()], &ours, &legal, last[side.index()]);
        last[side.index()] = Some(mv);
        let played = ours.play(mv, None).unwrap();
        let words = played.battle.map_or(String::new(), |b| {
            let advances = if b.advances { " advances" } else { "" };
            format!("{} {} {}{advances}", b.attacker.letter(), b.defender.letter(), b.outcome.word())
        });
        let (from, to) = plain(mv);
        assert_eq!(words, theirs.play(from, to), "{rules:?} {field}");
        tally.plies += 1;
    }
    assert_eq!(notation::field(&ours), theirs.field());
}

/// On small boards every pair of squares, on others a few at random: so that refusals are compared too.
fn pairs(rng: &mut Rng, board: &Board) -> Vec<((u8, u8), (u8, u8))> {
    let (w, h) = (board.width(), board.height());
    let all: Vec<(u8, u8)> = (0..w).flat_map(|file| (0..h).map(move |rank| (file, rank))).collect();
    if all.len() <= 30 {
        return all.iter().flat_map(|&from| all.iter().map(move |&to| (from, to))).collect();
    }
    (0..4)
        .map(|i| {
            let from = all[rng.usize(..all.len())];
            let any = all[rng.usize(..all.len())];
            (from, if i % 2 == 0 { (from.0, any.1) } else { any })
        })
        .collect()
}

#[test]
fn the_engine_and_its_naive_twin_agree_on_random_classic_games() {
    let mut rng = Rng::with_seed(1);
    let mut tally = Tally { plies: 0, two_squares: 0, chases: 0 };
    let isf = rules(&[]);
    for _ in 0..40 {
        let field: String = {
            let mut red: Vec<char> = "BBBBBBCDDDDDDDDEEEEEFFFFGGGGHHHHIIIJJKLM".chars().collect();
            let mut blue: Vec<char> = "NNNNNNOPPPPPPPPQQQQQRRRRSSSSTTTTUUUVVWXY".chars().collect();
            rng.shuffle(&mut red);
            rng.shuffle(&mut blue);
            red.into_iter().chain("AA__AA__AAAA__AA__AA".chars()).chain(blue).collect()
        };
        compare(&mut rng, &isf, &field, [Temper::Random; 2], 3000, &mut tally);
    }
    assert!(tally.plies > 10_000, "only {} plies were compared", tally.plies);
}

#[test]
fn the_engine_and_its_naive_twin_agree_where_games_shuttle_and_chase() {
    let mut rng = Rng::with_seed(2);
    let mut tally = Tally { plies: 0, two_squares: 0, chases: 0 };
    let tempers = [Temper::Random, Temper::Shuttler, Temper::Chaser, Temper::Evader];
    let rounds: usize =
        std::env::var("ARBITER_TWIN_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    for round in 0..rounds {
        let two_squares = ["off", "1", "2", "3", "5"][rng.usize(..5)];
        let chase = ["off", "isf", "isf", "any"][rng.usize(..4)];
        let mut changes = vec![
            ("two-squares", two_squares),
            ("chase", chase),
            ("no-attack", ["off", "60", "7"][rng.usize(..3)]),
            ("length", "300"),
            ("repetition", ["off", "3", "2"][rng.usize(..3)]),
            ("both-immobile", ["draw", "loss"][rng.usize(..2)]),
            ("scout-strike", ["far", "adjacent"][rng.usize(..2)]),
            ("equal-ranks", ["both", "attacker"][rng.usize(..2)]),
            ("winner-advances", ["attacker", "any", "any-but-scout"][rng.usize(..3)]),
        ];
        if round % 8 != 0 {
            changes.extend([
                ("board", ["6x5", "5x4"][rng.usize(..2)]),
                ("lakes", ["c3", "none"][rng.usize(..2)]),
                ("rows", "1"),
                ("army", "F1,M1"),
                ("deployment", "any"),
            ]);
        }
        if round % 2 == 0 {
            // Nothing that would end the chase before it comes back.
            changes.extend([("no-attack", "off"), ("repetition", "off"), ("scout-strike", "far")]);
            changes.push(("two-squares", ["off", "5"][rng.usize(..2)]));
            changes.push(("chase", ["isf", "any"][rng.usize(..2)]));
        }
        let rules = rules(&changes);
        let pieces = 2 + rng.usize(..4);
        let field = random_field(&mut rng, &rules, pieces);
        let pair = match round % 2 {
            0 => [Temper::Chaser, Temper::Evader],
            _ => [tempers[rng.usize(..4)], tempers[rng.usize(..4)]],
        };
        compare(&mut rng, &rules, &field, pair, 300, &mut tally);
    }
    assert!(tally.plies > 50 * rounds as u64 / 3, "only {} plies", tally.plies);
    assert!(tally.two_squares > 1000, "only {} two-squares verdicts", tally.two_squares);
    assert!(tally.chases > 500, "only {} chase verdicts", tally.chases);
    println!("{} plies, {} two-squares, {} chase", tally.plies, tally.two_squares, tally.chases);
}
