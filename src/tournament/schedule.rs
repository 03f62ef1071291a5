//! Who plays whom: a lazy, pure schedule, and the dealer that hands its games to workers.
//!
//! A schedule is a function of its parameters: the k-th game is computed, not stored, so that a plan of ten million
//! games costs nothing. The dealer knows which games are settled, issues what is missing, and takes back what came
//! to nothing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

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
}

impl RoundRobin {
    /// Pairs of a round.
    pub fn pairs(&self) -> u64 {
        let n = self.players as u64;
        n * n.saturating_sub(1) / 2
    }

    /// Games in all.
    pub fn total(&self) -> u64 {
        self.rounds * self.pairs() * self.games
    }

    /// The two players of a pair, from 1: all pairs of the first player, then of the second with later ones.
    fn players_of(&self, pair: u64) -> (usize, usize) {
        let mut left = pair - 1;
        for first in 0..self.players {
            let others = (self.players - 1 - first) as u64;
            if left < others {
                return (first, first + 1 + left as usize);
            }
            left -= others;
        }
        unreachable!("pairs are counted by `pairs`")
    }

    /// The games of a pair, from 0 over all rounds.
    fn games_of(&self, index: u64) -> impl Iterator<Item = Planned> + use<> {
        let per_round = self.games;
        let (round, pair) = (index / self.pairs() + 1, index % self.pairs() + 1);
        let (a, b) = self.players_of(pair);
        // With an odd number of games the colours alternate over the rounds.
        let shift = if self.games % 2 == 1 { round - 1 } else { 0 };
        (1..=self.games).map(move |game| {
            let (red, blue) = if (game + shift) % 2 == 1 { (a, b) } else { (b, a) };
            // Colours alternate over all games of a pair, so that two in a row have them swapped.
            let opening = ((round - 1) * per_round + game - 1) / 2;
            Planned { id: GameId { round, pair, game }, red, blue, opening }
        })
    }

    /// The game of an id, if the schedule has it.
    pub fn game(&self, id: GameId) -> Option<Planned> {
        if id.round > self.rounds || id.pair > self.pairs() || id.game > self.games {
            return None;
        }
        self.games_of((id.round - 1) * self.pairs() + id.pair - 1).nth(id.game as usize - 1)
    }
}

/// Hands out the games that are missing. A worker gets the games of one pair one after the other, so that its
/// bots' processes can play on; where nothing else is left it takes from another's pair.
#[derive(Clone, Debug)]
pub struct Dealer {
    schedule: RoundRobin,
    settled: BTreeSet<GameId>,
    next_pair: u64,
    held: BTreeMap<usize, VecDeque<Planned>>,
    returned: VecDeque<Planned>,
}

impl Dealer {
    /// A dealer of a schedule of which some games are settled already.
    pub fn new(schedule: RoundRobin, settled: BTreeSet<GameId>) -> Dealer {
        Dealer { schedule, settled, next_pair: 0, held: BTreeMap::new(), returned: VecDeque::new() }
    }

    /// A dealer of these games alone, of no schedule: a tie-break.
    pub fn of_games(games: impl IntoIterator<Item = Planned>) -> Dealer {
        let schedule = RoundRobin { players: 0, rounds: 0, games: 0 };
        let returned = games.into_iter().collect();
        Dealer { returned, ..Dealer::new(schedule, BTreeSet::new()) }
    }

    /// The next game for a worker, or none where all are issued.
    pub fn issue(&mut self, worker: usize) -> Option<Planned> {
        if let Some(game) = self.held.get_mut(&worker).and_then(VecDeque::pop_front) {
            return Some(game);
        }
        if let Some(game) = self.returned.pop_front() {
            return Some(game);
        }
        let pairs = self.schedule.rounds * self.schedule.pairs();
        while self.next_pair < pairs {
            let games = self.schedule.games_of(self.next_pair);
            self.next_pair += 1;
            let mut missing: VecDeque<Planned> = games.filter(|g| !self.settled.contains(&g.id)).collect();
            if let Some(game) = missing.pop_front() {
                self.held.insert(worker, missing);
                return Some(game);
            }
        }
        self.held.values_mut().find_map(VecDeque::pop_back)
    }

    /// Notes that a game has its result.
    pub fn settle(&mut self, id: GameId) {
        self.settled.insert(id);
    }

    /// Takes back a game that came to nothing, to be issued again.
    pub fn roll_back(&mut self, game: Planned) {
        self.returned.push_back(game);
    }

    /// How many games have their result.
    pub fn settled(&self) -> u64 {
        self.settled.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(schedule: RoundRobin) -> Vec<Planned> {
        let mut dealer = Dealer::new(schedule, BTreeSet::new());
        std::iter::from_fn(|| dealer.issue(0)).collect()
    }

    proptest! {
        #[test]
        fn every_pair_meets_equally_often_with_either_colour(players in 2usize..9, rounds in 1u64..5) {
            let schedule = RoundRobin { players, rounds, games: 2 };
            let games = all(schedule);
            prop_assert_eq!(games.len() as u64, schedule.total());
            for a in 0..players {
                for b in (0..players).filter(|&b| b != a) {
                    let met = games.iter().filter(|g| (g.red, g.blue) == (a, b)).count() as u64;
                    prop_assert_eq!(met, rounds);
                }
            }
            for game in games {
                prop_assert_eq!(schedule.game(game.id), Some(game));
            }
        }

        #[test]
        fn any_workers_in_any_order_get_each_missing_game_once(
            players in 2usize..7, rounds in 1u64..4, games in 1u64..4,
            steps in proptest::collection::vec((0usize..4, 0u8..10), 1..60),
            settled in proptest::collection::vec((1u64..4, 1u64..16, 1u64..4), 0..20),
        ) {
            let schedule = RoundRobin { players, rounds, games };
            let settled: BTreeSet<GameId> = settled.into_iter()
                .map(|(round, pair, game)| GameId { round, pair, game })
                .filter(|&id| schedule.game(id).is_some()).collect();
            let mut dealer = Dealer::new(schedule, settled.clone());
            let mut got = BTreeSet::new();
            for (worker, luck) in steps.iter().cycle() {
                match dealer.issue(*worker) {
                    None => break,
                    // Not always, lest it never ends.
                    Some(game) if *luck == 0 && got.len() % 3 == 0 && *worker == 0 => {
                        dealer.roll_back(game);
                        if dealer.issue(1).is_some_and(|g| !got.insert(g.id)) {
                            prop_assert!(false, "a game was issued twice");
                        }
                    }
                    Some(game) => prop_assert!(got.insert(game.id)),
                }
            }
            while let Some(game) = dealer.issue(0) {
                prop_assert!(got.insert(game.id));
            }
            prop_assert!(got.is_disjoint(&settled));
            prop_assert_eq!((got.len() + settled.len()) as u64, schedule.total());
        }
    }

    proptest! {
        #[test]
        fn every_opening_is_played_by_every_pair_twice_with_colours_swapped(
            players in 2usize..6, rounds in 1u64..6, games in 1u64..6,
        ) {
            let schedule = RoundRobin { players, rounds, games };
            let mut by_opening: BTreeMap<(u64, u64), Vec<(usize, usize)>> = BTreeMap::new();
            for game in all(schedule) {
                by_opening.entry((game.opening, game.id.pair)).or_default().push((game.red, game.blue));
            }
            let openings = (rounds * games).div_ceil(2);
            prop_assert_eq!(by_opening.len() as u64, openings * schedule.pairs());
            for ((opening, _), games_of_it) in by_opening {
                match games_of_it[..] {
                    [(a, b), again] => prop_assert_eq!(again, (b, a)),
                    [_] => prop_assert!(rounds * games % 2 == 1 && opening == openings - 1),
                    _ => prop_assert!(false, "{:?}", games_of_it),
                }
            }
        }
    }

    #[test]
    fn an_odd_number_of_games_alternates_colours_over_the_rounds() {
        let games = all(RoundRobin { players: 2, rounds: 4, games: 1 });
        let reds: Vec<usize> = games.iter().map(|g| g.red).collect();
        assert_eq!(reds, [0, 1, 0, 1]);
    }
}
