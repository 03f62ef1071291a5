//! Who plays whom in formats whose games are known beforehand: the k-th game is computed, not stored.
//!
//! Ids keep their meaning when players are added at the end, and when rounds are added: pairs are numbered by their
//! later player.

use super::id::GameId;

/// A game that is to be played: players by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Its id.
    pub id: GameId,
    /// Who plays Red.
    pub red: usize,
    /// Who plays Blue.
    pub blue: usize,
    /// Which opening it is played from, from 0: two games in a row of the same players, colours swapped, share one,
    /// and all pairs have the same ones.
    pub opening: u64,
    /// The id that its seats' seeds are drawn by: its own; or one with pair 0, which all pairings share.
    pub luck: GameId,
    /// Whether it breaks a tie: then it is played by the rules of tie-breaks, and its bots deploy.
    pub tie_break: bool,
}

impl Planned {
    /// A game with luck of its own.
    pub fn new(id: GameId, red: usize, blue: usize, opening: u64) -> Planned {
        Planned { id, red, blue, opening, luck: id, tie_break: false }
    }
}

/// Which number each pair of a round has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairOrder {
    /// All pairs of the second player, then of the third with earlier ones, …: a player more adds pairs at the end.
    ByLater,
    /// All pairs of the first player, then of the second with later ones, …: as events of earlier versions have it.
    ByEarlier,
}

/// Round-robin: in each round every pair meets, so many games each, colours swapped from game to game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundRobin {
    /// How many players.
    pub players: usize,
    /// How many rounds.
    pub rounds: u64,
    /// Games of each pair in a round: two give each the other's colour.
    pub games: u64,
    /// How pairs are numbered.
    pub order: PairOrder,
}

/// Gauntlet: each of the first players meets each of the others; neither group plays within itself.
///
/// Every opponent of a first player gets the same seeds, setups, first movers and colours: since neither opponents
/// nor first players meet one another, none can learn from its own seed what another was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gauntlet {
    /// How many players.
    pub players: usize,
    /// How many of them run the gauntlet: the first ones.
    pub seeds: usize,
    /// How many rounds.
    pub rounds: u64,
    /// Games of each pair in a round.
    pub games: u64,
}

/// A format whose games are known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// Everyone against everyone.
    RoundRobin(RoundRobin),
    /// Some against all others.
    Gauntlet(Gauntlet),
    /// One game.
    Single(Planned),
}

impl RoundRobin {
    /// The two players of a pair, from 1.
    fn players_of(&self, pair: u64) -> (usize, usize) {
        let mut left = pair - 1;
        match self.order {
            PairOrder::ByLater => {
                let mut later = ((8 * left + 1).isqrt() as usize).div_ceil(2);
                // The root is rounded down, and so may be one too small or too large here.
                while later as u64 * (later as u64 - 1) / 2 > left {
                    later -= 1;
                }
                while later as u64 * (later as u64 + 1) / 2 <= left {
                    later += 1;
                }
                ((left - later as u64 * (later as u64 - 1) / 2) as usize, later)
            }
            PairOrder::ByEarlier => {
                for first in 0..self.players {
                    let others = (self.players - 1 - first) as u64;
                    if left < others {
                        return (first, first + 1 + left as usize);
                    }
                    left -= others;
                }
                unreachable!("pairs are counted by `pairs`")
            }
        }
    }
}

impl Fixed {
    /// Pairs of a round.
    pub fn pairs(&self) -> u64 {
        match self {
            Fixed::RoundRobin(s) => {
                let n = s.players as u64;
                n * n.saturating_sub(1) / 2
            }
            Fixed::Gauntlet(s) => s.seeds as u64 * s.players.saturating_sub(s.seeds) as u64,
            Fixed::Single(_) => 1,
        }
    }

    /// Rounds, and games of a pair in each.
    pub fn size(&self) -> (u64, u64) {
        match self {
            Fixed::RoundRobin(s) => (s.rounds, s.games),
            Fixed::Gauntlet(s) => (s.rounds, s.games),
            Fixed::Single(_) => (1, 1),
        }
    }

    /// Games in all.
    pub fn total(&self) -> u64 {
        let (rounds, games) = self.size();
        rounds.saturating_mul(self.pairs()).saturating_mul(games)
    }

    /// The two players of a pair of any round, from 1.
    pub fn players_of(&self, pair: u64) -> (usize, usize) {
        match self {
            Fixed::RoundRobin(s) => s.players_of(pair),
            Fixed::Gauntlet(s) => {
                let (opponent, seed) = ((pair - 1) / s.seeds as u64, (pair - 1) % s.seeds as u64);
                (seed as usize, s.seeds + opponent as usize)
            }
            Fixed::Single(game) => (game.red, game.blue),
        }
    }

    /// The games of a pair, from 0 over all rounds.
    pub fn games_of(&self, index: u64) -> impl Iterator<Item = Planned> + use<> {
        let (_, games) = self.size();
        let single = if let Fixed::Single(game) = self { Some(*game) } else { None };
        let (round, pair) = (index / self.pairs() + 1, index % self.pairs() + 1);
        let (a, b) = self.players_of(pair);
        // With an odd number of games the colours alternate over the rounds.
        let shift = if games % 2 == 1 { round - 1 } else { 0 };
        (1..=games).map(move |game| {
            let (red, blue) = if (game + shift) % 2 == 1 { (a, b) } else { (b, a) };
            // Colours alternate over all games of a pair, so that two in a row have them swapped.
            let opening = ((round - 1) * games + game - 1) / 2;
            single.unwrap_or(Planned::new(GameId { round, pair, game }, red, blue, opening))
        })
    }

    /// The game of an id, if the schedule has it.
    pub fn game(&self, id: GameId) -> Option<Planned> {
        self.index(id)?;
        if let Fixed::Single(game) = self {
            return Some(*game);
        }
        self.games_of((id.round - 1) * self.pairs() + id.pair - 1).nth(id.game as usize - 1)
    }

    /// The place of an id in the order of ids, from 0, if the schedule has it.
    pub fn index(&self, id: GameId) -> Option<u64> {
        if let Fixed::Single(game) = self {
            return (game.id == id).then_some(0);
        }
        let (rounds, games) = self.size();
        let there = id.round <= rounds && id.pair <= self.pairs() && id.game <= games;
        there.then(|| ((id.round - 1) * self.pairs() + id.pair - 1) * games + id.game - 1)
    }
}
