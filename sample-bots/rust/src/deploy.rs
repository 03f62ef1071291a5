//! Deployments for any army and any number of rows.

use crate::game::{Game, Rank};
use crate::rng::Rng;

/// An army on its squares, in the order of a deployment string.
pub type Deployment = Vec<Option<Rank>>;

/// How far in front a rank likes to stand, from 0 (the back row) to 1 (the front row).
pub type Taste = fn(Rank) -> f64;

/// The flag in the back row on a file with bombs about it, every other piece in the row it likes, more or less.
pub fn sensible(game: &Game, rng: &mut Rng, flag: usize, taste: Taste) -> Deployment {
    let mut squares: Deployment = vec![None; game.rows * game.width];
    let mut left = game.army;
    let spare = game.army.iter().map(|&count| usize::from(count)).sum::<usize>() < squares.len();
    let mut put = |squares: &mut Deployment, index: usize, rank: Rank| {
        if left[rank as usize] > 0 && squares[index].is_none() {
            squares[index] = Some(rank);
            left[rank as usize] -= 1;
        }
    };

    put(&mut squares, flag, Rank::Flag);
    let front = (game.rows > 1).then_some(flag + game.width);
    let left_side = (flag > 0).then(|| flag - 1);
    let right_side = (flag + 1 < game.width).then_some(flag + 1);
    // Where there are not bombs enough and squares stay empty, others keep a scout from running at the flag.
    for index in [front, left_side, right_side].into_iter().flatten() {
        for rank in [Rank::Bomb, Rank::Miner, Rank::Sergeant, Rank::Lieutenant, Rank::Spy, Rank::Scout] {
            if rank == Rank::Bomb || spare {
                put(&mut squares, index, rank);
            }
        }
    }
    // The strongest choose first, the bombs that are left last, so that they do not wall in the others.
    for rank in Rank::ALL.into_iter().rev() {
        for _ in 0..game.army[rank as usize] {
            if let Some(index) = best(game, rng, &squares, taste(rank)) {
                put(&mut squares, index, rank);
            }
        }
    }
    squares
}

fn best(game: &Game, rng: &mut Rng, squares: &Deployment, wish: f64) -> Option<usize> {
    let last = game.rows.saturating_sub(1).max(1) as f64;
    let free = (0..squares.len()).filter(|&i| squares[i].is_none());
    free.map(|i| (((i / game.width) as f64 / last - wish).abs() + rng.unit() * 0.5, i))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, i)| i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_army_is_deployed_whole_whatever_the_board() {
        for words in [
            "rows=4",
            "board=2x64 rows=20 army=F1,23,M1",
            "rows=1 army=F1,B3,51,61",
            "board=2x2 rows=1 army=F1,21",
        ] {
            let game = Game::parse(words.split(' '));
            for seed in 0..50 {
                let squares = sensible(&game, &mut Rng::new(seed), seed as usize % game.width, |_| 0.5);
                assert_eq!(squares.len(), game.rows * game.width);
                for rank in Rank::ALL {
                    let count = squares.iter().filter(|&&s| s == Some(rank)).count();
                    assert_eq!(count, game.army[rank as usize] as usize, "{words}: {rank:?}");
                }
            }
        }
    }
}
