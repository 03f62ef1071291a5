//! The sequential test as a stopping rule, on simulated games: `ARBITER_FULL` (set by `tests/run --full`) has all 400
//! runs that the risks are held to; without it a hundred.

use arbiter::rating::{Sprt, SprtModel, SprtVerdict};
use arbiter::tournament::{GameResult, Gate, Outcome};

const ELO: [f64; 2] = [0.0, 60.0];

fn gate(paired: bool) -> Gate {
    Gate::new(Sprt::new(ELO[0], ELO[1], 0.05, 0.05, SprtModel::Logistic).unwrap(), paired)
}

/// A game of which a third is drawn, between players that lie so far apart; the first is Red in even ones, and
/// Red wins a little more often.
fn game(rng: &mut fastrand::Rng, elo: f64, first_is_red: bool) -> Outcome {
    let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0)) + if first_is_red { 0.05 } else { -0.05 };
    let luck = rng.f64();
    let (won, drawn) = (luck < score - 1.0 / 6.0, luck < score + 1.0 / 6.0);
    let result = match (won, drawn, first_is_red) {
        (true, _, true) | (false, false, false) => GameResult::Red,
        (true, _, false) | (false, false, true) => GameResult::Blue,
        _ => GameResult::Draw,
    };
    Outcome { result, fault: false }
}

fn verdict(paired: bool, elo: f64, seed: u64) -> SprtVerdict {
    let (mut gate, mut rng) = (gate(paired), fastrand::Rng::with_seed(seed));
    for index in 0.. {
        let first_is_red = index % 2 == 0;
        gate.tell(index, game(&mut rng, elo, first_is_red), first_is_red);
        if gate.verdict() != SprtVerdict::Undecided {
            return gate.verdict();
        }
    }
    unreachable!("a test ends")
}

#[test]
fn tests_of_either_hypothesis_are_wrong_as_rarely_as_their_risks_say() {
    // 400 runs of which at most 30 may be wrong: 20 are expected, and 30 are more than two deviations above.
    let runs: u64 = if std::env::var_os("ARBITER_FULL").is_some() { 400 } else { 100 };
    for paired in [false, true] {
        for (elo, wrong) in [(ELO[0], SprtVerdict::AcceptH1), (ELO[1], SprtVerdict::AcceptH0)] {
            let count = (0..runs).filter(|&seed| verdict(paired, elo, seed) == wrong).count() as u64;
            assert!(count * 400 <= 30 * runs, "paired {paired}, {elo}: {count} of {runs} accept {wrong:?}");
        }
    }
}

#[test]
fn the_order_in_which_games_finish_changes_neither_verdict_nor_where_it_falls() {
    for paired in [false, true] {
        let mut rng = fastrand::Rng::with_seed(5);
        let games: Vec<Outcome> = (0..4000).map(|index| game(&mut rng, 80.0, index % 2 == 0)).collect();
        let mut in_order = gate(paired);
        for (index, &outcome) in (0..).zip(&games) {
            in_order.tell(index, outcome, index % 2 == 0);
        }
        assert_eq!(in_order.verdict(), SprtVerdict::AcceptH1);
        let mut shuffled: Vec<u64> = (0..4000).collect();
        for window in 0..500 {
            rng.shuffle(&mut shuffled[window * 8..window * 8 + 8]);
        }
        let mut other = gate(paired);
        for index in shuffled {
            other.tell(index, games[index as usize], index % 2 == 0);
        }
        assert_eq!((other.verdict(), other.games()), (in_order.verdict(), in_order.games()));
        assert_eq!(other.llr(), in_order.llr());
    }
}
