//! What an unknown piece may be, and what a strike at it is worth.

use crate::game::{Outcome, Rank, Square};
use crate::state::{Piece, State};

/// What the pieces are worth; only the proportions count. The flag's is what a chance of it is worth: for a sure one
/// see [`strike`].
pub fn value(state: &State, mine: bool, rank: Rank) -> f64 {
    let count = |rank| {
        if mine { state.theirs(rank) } else { state.ours(rank) }
    };
    match rank {
        Rank::Flag => 60.0,
        Rank::Bomb => 5.0,
        // A spy is for a marshal, a miner for bombs.
        Rank::Spy if count(Rank::Marshal) > 0 => 12.0,
        Rank::Spy => 1.5,
        Rank::Scout => 3.0,
        Rank::Miner if count(Rank::Bomb) > 0 => {
            let left = if mine { state.ours(Rank::Miner) } else { state.theirs(Rank::Miner) };
            if left <= 2 { 14.0 } else { 8.0 }
        }
        Rank::Miner => 3.5,
        Rank::Sergeant => 4.5,
        Rank::Lieutenant => 7.0,
        Rank::Captain => 11.0,
        Rank::Major => 17.0,
        Rank::Colonel => 25.0,
        Rank::General => 36.0,
        Rank::Marshal => 50.0,
    }
}

/// How likely an enemy piece is to be each rank.
pub type Odds = [f64; 12];

/// The odds of every enemy piece, by squares; own and empty squares have none.
pub fn all(state: &State) -> Vec<Odds> {
    let hidden = state.hidden();
    let still: Vec<(Square, &Piece)> =
        state.enemies().filter(|(_, p)| p.rank.is_none() && p.can_be.has(Rank::Flag)).collect();
    let all: f64 = still.iter().map(|&(square, _)| flag_weight(state, square)).sum();
    let fixed = (hidden[Rank::Flag as usize] + hidden[Rank::Bomb as usize]) as f64;
    let movers: f64 = hidden[Rank::Spy as usize..].iter().sum::<usize>() as f64;
    let stay = if still.is_empty() { 0.0 } else { (fixed / still.len() as f64).min(1.0) };

    let mut odds = vec![[0.0; 12]; state.game.squares()];
    for (square, piece) in state.enemies() {
        let chances = &mut odds[square];
        if let Some(rank) = piece.rank {
            chances[rank as usize] = 1.0;
            continue;
        }
        for rank in Rank::ALL.into_iter().filter(|&rank| piece.can_be.has(rank)) {
            let count = hidden[rank as usize] as f64;
            chances[rank as usize] = match rank {
                Rank::Flag => count * flag_weight(state, square) / all,
                Rank::Bomb => count / still.len() as f64,
                _ if movers == 0.0 => 0.0,
                _ if piece.can_be.has(Rank::Flag) => (1.0 - stay) * count / movers,
                _ => count / movers,
            };
        }
        let sum: f64 = chances.iter().sum();
        if sum > 0.0 {
            chances.iter_mut().for_each(|chance| *chance /= sum);
        } else {
            // The count does not come out (captured pieces can be secret): anything that it can be.
            let ranks = Rank::ALL.into_iter().filter(|&rank| piece.can_be.has(rank));
            ranks.clone().for_each(|rank| chances[rank as usize] = 1.0 / ranks.clone().count() as f64);
        }
    }
    odds
}

/// Flags stand in the back rows, behind pieces that do not move.
pub(crate) fn flag_weight(state: &State, square: Square) -> f64 {
    let row = match state.game.depth(square, state.game.enemy()) {
        0 => 8.0,
        1 => 2.0,
        _ => 0.5,
    };
    let guards = state.game.neighbours(square).filter(|&s| state.at(s).is_some_and(|p| !p.mine && !p.moved));
    row * (1.0 + guards.count() as f64)
}

/// The chances of a battle: that `attacker` wins, that it is lost, and that both are gone.
pub fn chances(state: &State, attacker: Rank, defender: &Odds) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for rank in Rank::ALL {
        sums[state.game.fight(attacker, rank) as usize] += defender[rank as usize];
    }
    sums
}

/// What `attacker` of ours gains by striking, less what it loses; losses count `care` times.
pub fn strike(state: &State, attacker: Rank, defender: &Odds, care: f64) -> f64 {
    if defender[Rank::Flag as usize] == 1.0 {
        return 1000.0;
    }
    let own = value(state, true, attacker);
    let battle = |rank: Rank| {
        let gain = value(state, false, rank);
        match state.game.fight(attacker, rank) {
            Outcome::Won => gain,
            Outcome::Both => gain - own * care,
            Outcome::Lost => -own * care,
        }
    };
    Rank::ALL.into_iter().map(|rank| defender[rank as usize] * battle(rank)).sum()
}
