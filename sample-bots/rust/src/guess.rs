//! Guesses at the whole hidden army: each fits the counts, and what its pieces did makes it more or less likely.

use crate::game::{Rank, Square};
use crate::odds::{Odds, flag_weight};
use crate::rng::Rng;
use crate::state::{Piece, State};

/// A rank for every enemy piece.
pub type Guess = Vec<(Square, Rank)>;

/// Draws as many guesses as asked for.
pub fn draw(state: &State, count: usize, rng: &mut Rng) -> Vec<Guess> {
    let known: Guess = state.enemies().filter_map(|(s, p)| p.rank.map(|rank| (s, rank))).collect();
    let mut unknown: Vec<(Square, &Piece)> = state.enemies().filter(|(_, p)| p.rank.is_none()).collect();
    // Those that tell most of themselves choose first.
    unknown.sort_by_key(|(_, p)| !p.moved);
    (0..count).map(|_| guess(state, &known, &unknown, rng)).collect()
}

fn guess(state: &State, known: &Guess, unknown: &[(Square, &Piece)], rng: &mut Rng) -> Guess {
    let mut hidden = state.hidden();
    let mut ranks: Vec<Option<Rank>> = vec![None; unknown.len()];
    let mut flag = known.iter().find(|(_, rank)| *rank == Rank::Flag).map(|(square, _)| *square);
    for fixed in [Rank::Flag, Rank::Bomb] {
        for _ in 0..hidden[fixed as usize] {
            let weight = |i: usize| {
                let (square, piece) = unknown[i];
                if ranks[i].is_some() || !piece.can_be.has(fixed) {
                    return 0.0;
                }
                let place = match (fixed, flag) {
                    (Rank::Flag, _) => flag_weight(state, square) * corner(state, square),
                    (_, Some(flag)) if state.game.steps(flag, square) == 1 => 4.0,
                    _ if state.game.depth(square, state.game.enemy()) <= 1 => 1.5,
                    _ => 1.0,
                };
                place * f64::from(piece.lean[fixed as usize])
            };
            let Some(i) = pick(rng, unknown.len(), weight) else { break };
            ranks[i] = Some(fixed);
            hidden[fixed as usize] -= 1;
            if fixed == Rank::Flag {
                flag = Some(unknown[i].0);
            }
        }
    }
    for (i, (_, piece)) in unknown.iter().enumerate().filter(|(i, _)| ranks[*i].is_none()).collect::<Vec<_>>()
    {
        let fits = |r: usize| piece.can_be.has(Rank::ALL[r]) && Rank::ALL[r].moves();
        let weight = |r: usize| if fits(r) { hidden[r] as f64 * f64::from(piece.lean[r]) } else { 0.0 };
        // Where the counts do not come out (captured pieces can be secret), anything that it can be.
        let rank = pick(rng, 12, weight).or_else(|| pick(rng, 12, |r| f64::from(u8::from(fits(r)))));
        let rank = rank.unwrap_or(Rank::Scout as usize);
        hidden[rank] = hidden[rank].saturating_sub(1);
        ranks[i] = Some(Rank::ALL[rank]);
    }
    let guessed = unknown.iter().zip(ranks).filter_map(|((square, _), rank)| Some((*square, rank?)));
    known.iter().copied().chain(guessed).collect()
}

/// A corner has the fewest sides: that is where many put their flag.
fn corner(state: &State, square: Square) -> f64 {
    let file = square % state.game.width;
    if file == 0 || file + 1 == state.game.width { 2.0 } else { 1.0 }
}

/// A number below `n`, each as likely as its weight; nothing where no weight is above 0.
fn pick(rng: &mut Rng, n: usize, weight: impl Fn(usize) -> f64) -> Option<usize> {
    let weights: Vec<f64> = (0..n).map(weight).collect();
    let mut left = rng.unit() * weights.iter().sum::<f64>();
    let mut last = None;
    for (i, &weight) in weights.iter().enumerate().filter(|(_, w)| **w > 0.0) {
        last = Some(i);
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    last
}

/// How often the guesses make each enemy piece each rank, by squares.
pub fn odds(state: &State, guesses: &[Guess]) -> Vec<Odds> {
    let mut odds = vec![[0.0; 12]; state.game.squares()];
    let share = 1.0 / guesses.len().max(1) as f64;
    for &(square, rank) in guesses.iter().flatten() {
        odds[square][rank as usize] += share;
    }
    // What is known is 1, not the sum of many shares.
    for (square, rank) in state.enemies().filter_map(|(s, p)| p.rank.map(|rank| (s, rank))) {
        odds[square] = [0.0; 12];
        odds[square][rank as usize] = 1.0;
    }
    odds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn every_guess_has_the_army_s_counts_and_keeps_to_what_is_known() {
        let mut state = State::new(Game::parse("colour=red board=4x4 rows=1 army=F1,B1,21,M1".split(' ')));
        state.deploy("FB2M");
        state.see("????/..../..../FB2M");
        for line in ["red d1 d2", "blue a4 a3", "red d2 d3", "blue b4 b3"] {
            state.moved(&line.split(' ').collect::<Vec<_>>());
        }
        for guess in draw(&state, 200, &mut Rng::new(1)) {
            for (square, rank) in &guess {
                let name = state.game.name(*square);
                assert_eq!(rank.moves(), ["a3", "b3"].contains(&name.as_str()), "{name} {rank:?}");
            }
            let mut ranks: Vec<Rank> = guess.iter().map(|(_, rank)| *rank).collect();
            ranks.sort();
            assert_eq!(ranks, [Rank::Flag, Rank::Bomb, Rank::Scout, Rank::Marshal]);
        }
    }

    #[test]
    fn who_walks_up_to_a_known_piece_is_guessed_to_beat_it() {
        let mut state = State::new(Game::parse("colour=red board=4x4 rows=1 army=F1,21,61,M1".split(' ')));
        state.deploy("F26M");
        state.see("????/..../..../F26M");
        state.moved(&"red c1 c4 battle 6 2 won".split(' ').collect::<Vec<_>>());
        state.moved(&"blue b4 b3".split(' ').collect::<Vec<_>>());
        state.moved(&"red c4 c3".split(' ').collect::<Vec<_>>());
        let before = odds(&state, &draw(&state, 500, &mut Rng::new(1)));
        let d4 = state.game.square("d4").unwrap();
        state.moved(&"blue d4 d3".split(' ').collect::<Vec<_>>());
        let after = odds(&state, &draw(&state, 500, &mut Rng::new(1)));
        let d3 = state.game.square("d3").unwrap();
        assert!(after[d3][Rank::Marshal as usize] > before[d4][Rank::Marshal as usize] + 0.2);
    }
}
