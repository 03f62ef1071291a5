//! Hands the games of a format to workers: it issues what is missing, is told what came of it, and takes back what
//! came to nothing. It knows nothing of time: where the next games depend on results that are still to come, it says
//! so, and whoever asks waits.

use std::collections::{BTreeMap, VecDeque};

use super::bracket::Bracket;
use super::gate::Gate;
use super::id::GameId;
use super::ladder::Ladder;
use super::rounds::{Outcome, Pairing, Rounds, points_of};
use super::schedule::{Fixed, Planned};
use super::seed::tie_break_swaps;
use super::standings::{Extras, Points, Settled};
use super::swiss::Swiss;
use crate::rating::SprtVerdict;

/// A format with its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// All games are known beforehand.
    Fixed(Fixed),
    /// Swiss system.
    Swiss {
        /// How many rounds.
        rounds: u64,
        /// Games of a pairing.
        games: u64,
    },
    /// Who loses a match is out.
    Knockout {
        /// Games of a match, before tie-breaks.
        games: u64,
    },
    /// Who loses two matches is out.
    DoubleElimination {
        /// Games of a match, before tie-breaks.
        games: u64,
    },
    /// The pairs whose games tell most, until it is stopped or so many pairings were played.
    Ladder {
        /// How many pairings at most.
        pairings: u64,
        /// Games of a pairing.
        games: u64,
    },
}

/// What a format is played with.
#[derive(Clone, Debug)]
pub struct Terms {
    /// How many players.
    pub players: usize,
    /// Points for results.
    pub points: Points,
    /// The event's seed.
    pub seed: u64,
    /// Whether all pairings meet the same luck, which is what the seeds are drawn by that bots are told; otherwise
    /// each game has its own. Opponents in a gauntlet share theirs in any case.
    pub shared: bool,
    /// Whether a match of two that ends equal gets one game more. Brackets break their ties in any case.
    pub tie_break: bool,
    /// The test that ends a match of two.
    pub gate: Option<Gate>,
    /// Players that play no more, and the first round that they are not paired in. Opponents that they still owe games
    /// win these.
    pub withdrawn: BTreeMap<usize, u64>,
}

/// A game that has its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// Its id.
    pub id: GameId,
    /// Who played Red.
    pub red: usize,
    /// Who played Blue.
    pub blue: usize,
    /// How it came out.
    pub outcome: Outcome,
}

impl Past {
    /// A game as a table is told it, between players of these names; none where one of its players is no such.
    pub fn of(game: &Settled<'_>, names: &[String]) -> Option<Past> {
        let player = |name: &str| names.iter().position(|n| n == name);
        let outcome = Outcome { result: game.result, fault: game.clause.is_some() };
        Some(Past { id: game.id, red: player(game.red)?, blue: player(game.blue)?, outcome })
    }
}

/// What a worker is to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Issue {
    /// Play this.
    Game(Planned),
    /// Ask again when a game was settled or given up.
    Wait,
    /// Nothing more.
    Done,
}

/// How many games there are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// So many.
    Exactly(u64),
    /// So many, and more for tie-breaks.
    AtLeast(u64),
    /// So many, or fewer.
    AtMost(u64),
}

impl Total {
    /// The number.
    pub fn games(self) -> u64 {
        let (Total::Exactly(n) | Total::AtLeast(n) | Total::AtMost(n)) = self;
        n
    }
}

/// A pairing of the round that is played.
#[derive(Debug)]
struct Open {
    pairing: Pairing,
    games: Vec<(Planned, Option<Outcome>)>,
    /// How many of its games were put into the queue, or were there already.
    queued: usize,
    closed: bool,
    /// Games that the first and the second won of one who withdrew.
    free: [u64; 2],
}

#[derive(Debug)]
enum Course {
    Fixed {
        schedule: Fixed,
        /// A bit a game, in the order of ids.
        settled: Vec<u64>,
        next_pair: u64,
        /// The game that breaks a tie of two, once it is needed, and whether it was played.
        tie_break: Option<(Planned, bool)>,
        /// Whether an earlier run played that game.
        tie_broken: bool,
        /// Points of the two of a match.
        points: [f64; 2],
    },
    Rounds {
        format: Box<dyn Rounds>,
        games: u64,
        round: u64,
        open: Vec<Open>,
        over: bool,
        /// Results that are there already of rounds that are not reached yet.
        ahead: BTreeMap<GameId, Past>,
    },
}

/// Hands out the games of an event. A worker gets the games of one pair one after the other, so that its bots'
/// processes can play on; where nothing else is left it takes from another's pair.
#[derive(Debug)]
pub struct Dealer {
    format: Format,
    terms: Terms,
    course: Course,
    queue: VecDeque<VecDeque<Planned>>,
    held: BTreeMap<usize, VecDeque<Planned>>,
    returned: VecDeque<Planned>,
    /// Games issued and neither settled nor taken back.
    out: u64,
    settled: u64,
    workers: u64,
    /// A game that was there and is not in the plan.
    stranger: Option<GameId>,
}

impl Dealer {
    /// A dealer of an event, to be told the games that are there already ([`Dealer::there`]) before it begins.
    pub fn new(format: Format, terms: Terms) -> Dealer {
        let Terms { players, points, seed, ref withdrawn, .. } = terms;
        let by_rounds = |format: Box<dyn Rounds>, games| Course::Rounds {
            format,
            games,
            round: 0,
            open: Vec::new(),
            over: false,
            ahead: BTreeMap::new(),
        };
        let course = match format {
            Format::Fixed(schedule) => Course::Fixed {
                schedule,
                settled: Vec::new(),
                next_pair: 0,
                tie_break: None,
                tie_broken: false,
                points: [0.0; 2],
            },
            Format::Swiss { rounds, games } => by_rounds(
                Box::new(Swiss::new(players, rounds, games, points, seed, withdrawn.clone())),
                games,
            ),
            Format::Knockout { games } => by_rounds(Box::new(Bracket::knockout(players, points)), games),
            Format::DoubleElimination { games } => {
                by_rounds(Box::new(Bracket::double(players, points)), games)
            }
            Format::Ladder { pairings, games } => {
                by_rounds(Box::new(Ladder::new(players, pairings, games, withdrawn.clone())), games)
            }
        };
        Dealer {
            format,
            terms,
            course,
            queue: VecDeque::new(),
            held: BTreeMap::new(),
            returned: VecDeque::new(),
            out: 0,
            settled: 0,
            workers: 0,
            stranger: None,
        }
    }

    /// Tells a game that is there already, in any order.
    pub fn there(&mut self, game: Past) {
        if self.is_tie_break(game.id) {
            if let Course::Fixed { tie_broken, .. } = &mut self.course {
                *tie_broken = true;
            }
            return;
        }
        self.settled += 1;
        match &mut self.course {
            Course::Rounds { ahead, .. } => {
                ahead.insert(game.id, game);
            }
            Course::Fixed { .. } => {
                if self.note(&game).is_none() {
                    self.stranger.get_or_insert(game.id);
                }
            }
        }
    }

    /// Begins, or goes on from the games that are there.
    ///
    /// # Errors
    /// A game of them that is not in the plan.
    pub fn begin(&mut self) -> Result<(), GameId> {
        self.advance();
        let mut stranger = self.stranger;
        match &mut self.course {
            Course::Fixed { tie_break, tie_broken: true, .. } => match tie_break {
                Some((_, there)) => {
                    *there = true;
                    self.settled += 1;
                    self.queue.clear();
                }
                None => stranger = stranger.or(self.tie_break_game().map(|game| game.id)),
            },
            Course::Fixed { .. } => {}
            Course::Rounds { ahead, .. } => stranger = stranger.or(ahead.keys().next().copied()),
        }
        self.queue_open();
        stranger.map_or(Ok(()), Err)
    }

    /// The next game for a worker; workers are numbered from 0.
    pub fn issue(&mut self, worker: usize) -> Issue {
        self.workers = self.workers.max(worker as u64 + 1);
        // A test may end with any result: nobody runs ahead of those that are still to be told.
        if self.terms.gate.is_some() && !self.stopped() && self.out >= self.workers {
            return Issue::Wait;
        }
        match self.take(worker) {
            Some(game) => {
                self.out += 1;
                let of_gauntlet = matches!(self.format, Format::Fixed(Fixed::Gauntlet(_)));
                // A game that breaks a tie is one of its own.
                let shared = (self.terms.shared || of_gauntlet) && !game.tie_break;
                let luck = if shared { GameId { pair: 0, ..game.luck } } else { game.id };
                Issue::Game(Planned { luck, ..game })
            }
            // Nothing that runs can bring another game where all were known beforehand.
            None if self.out == 0 || self.stopped() || !self.depends() => Issue::Done,
            None => Issue::Wait,
        }
    }

    fn depends(&self) -> bool {
        match &self.course {
            Course::Fixed { .. } => self.terms.tie_break,
            Course::Rounds { .. } => true,
        }
    }

    fn stopped(&self) -> bool {
        self.terms.gate.as_ref().is_some_and(|gate| gate.verdict() != SprtVerdict::Undecided)
    }

    fn take(&mut self, worker: usize) -> Option<Planned> {
        if self.stopped() {
            return None;
        }
        if let Some(game) = self.held.get_mut(&worker).and_then(VecDeque::pop_front) {
            return Some(game);
        }
        if let Some(game) = self.returned.pop_front() {
            return Some(game);
        }
        loop {
            let mut pair = match self.queue.pop_front() {
                Some(pair) => pair,
                None => match self.next_fixed() {
                    Some(pair) => pair,
                    None => break,
                },
            };
            if let Some(game) = pair.pop_front() {
                self.held.insert(worker, pair);
                return Some(game);
            }
        }
        self.held.values_mut().find_map(VecDeque::pop_back)
    }

    /// The missing games of the next pair of a schedule that is known beforehand.
    fn next_fixed(&mut self) -> Option<VecDeque<Planned>> {
        let withdrawn = &self.terms.withdrawn;
        let Course::Fixed { schedule, settled, next_pair, .. } = &mut self.course else { return None };
        if *next_pair >= schedule.size().0.saturating_mul(schedule.pairs()) {
            return None;
        }
        let games = schedule.games_of(*next_pair);
        *next_pair += 1;
        let missing = |game: &Planned| {
            let at = schedule.index(game.id).expect("a schedule has its own games");
            let there = settled.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1);
            !there && !withdrawn.contains_key(&game.red) && !withdrawn.contains_key(&game.blue)
        };
        Some(games.filter(missing).collect())
    }

    /// Notes that a game has its result.
    pub fn settle(&mut self, game: Planned, outcome: Outcome) {
        self.out -= 1;
        self.settled += 1;
        let Planned { id, red, blue, .. } = game;
        self.note(&Past { id, red, blue, outcome }).expect("only games of the plan are issued");
        self.advance();
        self.queue_open();
    }

    /// Takes back a game that came to nothing, to be issued again.
    pub fn roll_back(&mut self, game: Planned) {
        self.out -= 1;
        self.returned.push_back(game);
    }

    /// Takes back a game that came to nothing, to be played by another run. What follows from it waits, too.
    pub fn give_up(&mut self) {
        self.out -= 1;
    }

    fn is_tie_break(&self, id: GameId) -> bool {
        self.tie_break_game().is_some_and(|game| game.id == id)
    }

    /// The game that breaks a tie of two: one more after the last round, with drawn colours.
    fn tie_break_game(&self) -> Option<Planned> {
        let Course::Fixed { schedule, .. } = &self.course else { return None };
        let id = GameId { round: schedule.size().0 + 1, pair: 1, game: 1 };
        self.terms.tie_break.then(|| tie_break(self.terms.seed, id, [0, 1]))
    }

    fn note(&mut self, game: &Past) -> Option<()> {
        let tie_break_id = self.is_tie_break(game.id);
        let points = self.terms.points;
        match &mut self.course {
            Course::Fixed { tie_break, .. } if tie_break_id => {
                tie_break.as_mut().filter(|(_, there)| !there)?.1 = true;
            }
            Course::Fixed { schedule, settled, points: sums, .. } => {
                let at = schedule.index(game.id)?;
                let word = at as usize / 64;
                if settled.len() <= word {
                    settled.resize(word + 1, 0);
                }
                settled[word] |= 1 << (at % 64);
                for (player, sum) in sums.iter_mut().enumerate() {
                    if player == game.red || player == game.blue {
                        *sum += game.outcome.points(&points, player == game.red);
                    }
                }
                if let Some(gate) = &mut self.terms.gate {
                    gate.tell(at, game.outcome, game.red == 0);
                }
            }
            Course::Rounds { open, .. } => {
                let pairing = open.iter_mut().find(|open| open.pairing.pair == game.id.pair)?;
                let planned = pairing.games.iter_mut().find(|(planned, _)| planned.id == game.id)?;
                planned.1 = Some(game.outcome);
            }
        }
        Some(())
    }

    /// Goes on as far as the results that are there lead.
    fn advance(&mut self) {
        let (tie_break_planned, terms) = (self.tie_break_game(), &self.terms);
        match &mut self.course {
            Course::Fixed { schedule, tie_break, points, .. } => {
                if let Some(planned) = tie_break_planned
                    && tie_break.is_none()
                    && self.settled >= schedule.total()
                    && points[0] == points[1]
                {
                    *tie_break = Some((planned, false));
                    self.queue.push_back(VecDeque::from([planned]));
                }
            }
            Course::Rounds { format, games, round, open, over, ahead } => loop {
                for open in open.iter_mut().filter(|open| !open.closed) {
                    loop {
                        // What an earlier run played is there before it is asked for.
                        for (planned, outcome) in open.games.iter_mut().filter(|(_, o)| o.is_none()) {
                            let there = ahead.get(&planned.id);
                            if there.is_some_and(|g| (g.red, g.blue) == (planned.red, planned.blue)) {
                                *outcome = ahead.remove(&planned.id).map(|g| g.outcome);
                            }
                        }
                        let done: Option<Vec<(Planned, Outcome)>> =
                            open.games.iter().map(|&(game, outcome)| Some((game, outcome?))).collect();
                        let Pairing { first, second, .. } = open.pairing;
                        let gone = [first, second].map(|player| terms.withdrawn.contains_key(&player));
                        let Some(done) = done else {
                            if gone != [false, false] {
                                let owed = open.games.iter().filter(|(_, outcome)| outcome.is_none()).count();
                                open.games.retain(|(_, outcome)| outcome.is_some());
                                let won =
                                    |here: bool, there: bool| if there && !here { owed as u64 } else { 0 };
                                open.free = [won(gone[0], gone[1]), won(gone[1], gone[0])];
                                open.closed = true;
                            }
                            break;
                        };
                        let [a, b] = points_of(&open.pairing, &done, &terms.points);
                        let more = if format.decides() && a == b {
                            further(open.pairing, *round, *games, done.len() as u64, terms.seed)
                        } else {
                            Vec::new()
                        };
                        if more.is_empty() {
                            open.closed = true;
                            break;
                        }
                        open.games.extend(more.into_iter().map(|game| (game, None)));
                    }
                }
                if *over || open.iter().any(|open| !open.closed) {
                    break;
                }
                for open in open.drain(..) {
                    let games: Vec<(Planned, Outcome)> = open
                        .games
                        .into_iter()
                        .map(|(game, outcome)| (game, outcome.expect("it is closed")))
                        .collect();
                    format.told(&open.pairing, &games, open.free);
                }
                let Some(pairings) = format.next() else {
                    *over = true;
                    break;
                };
                *round += 1;
                let decides = format.decides();
                *open = pairings
                    .into_iter()
                    .map(|pairing| {
                        let planned = games_of(pairing, *round, *games, decides);
                        Open {
                            pairing,
                            games: planned.map(|game| (game, None)).collect(),
                            queued: 0,
                            closed: false,
                            free: [0, 0],
                        }
                    })
                    .collect();
            },
        }
    }

    /// Puts what is open and was never issued into the queue.
    fn queue_open(&mut self) {
        let Course::Rounds { open, .. } = &mut self.course else { return };
        for open in open.iter_mut().filter(|open| open.queued < open.games.len()) {
            let fresh = open.games[open.queued..].iter().filter(|(_, outcome)| outcome.is_none());
            self.queue.push_back(fresh.map(|(game, _)| *game).collect());
            open.queued = open.games.len();
        }
    }

    /// Whether every game of the event has its result, or a test has ended it.
    pub fn is_over(&self) -> bool {
        self.stopped()
            || match &self.course {
                Course::Fixed { tie_break: Some((_, there)), .. } => *there,
                Course::Fixed { .. } => self.missing() == 0,
                Course::Rounds { over, .. } => *over,
            }
    }

    /// How many games the event is to have.
    pub fn total(&self) -> Total {
        let players = self.terms.players as u64;
        match (&self.course, self.format) {
            (Course::Fixed { .. }, _) if self.terms.gate.is_some() => {
                Total::AtMost(self.settled + self.missing())
            }
            (Course::Fixed { .. }, _) => Total::Exactly(self.settled + self.missing()),
            _ if !self.terms.withdrawn.is_empty() => Total::AtLeast(self.settled),
            (_, Format::Swiss { rounds, games }) => Total::Exactly(rounds * (players / 2) * games),
            (_, Format::Knockout { games }) => Total::AtLeast((players - 1) * games),
            (_, Format::DoubleElimination { games }) => Total::AtLeast((2 * players - 2) * games),
            (_, Format::Ladder { pairings, games }) => Total::AtMost(pairings.saturating_mul(games)),
            (_, Format::Fixed(_)) => unreachable!("the course of a fixed format is fixed"),
        }
    }

    /// How many games of a format that is known beforehand are still to be played.
    fn missing(&self) -> u64 {
        let Course::Fixed { schedule, settled, tie_break, .. } = &self.course else { return 0 };
        let open_tie = tie_break.is_some_and(|(_, there)| !there);
        let gone = &self.terms.withdrawn;
        if gone.is_empty() {
            let tie_broken = u64::from(tie_break.is_some_and(|(_, there)| there));
            return schedule.total() - (self.settled - tie_broken) + u64::from(open_tie);
        }
        let pairs = schedule.size().0 * schedule.pairs();
        let open = |game: &Planned| {
            let at = schedule.index(game.id).expect("a schedule has its own games");
            let there = settled.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1);
            !there && !gone.contains_key(&game.red) && !gone.contains_key(&game.blue)
        };
        (0..pairs).map(|pair| schedule.games_of(pair).filter(open).count() as u64).sum()
    }

    /// The round that is played: who withdraws now is not paired in the next.
    pub fn round(&self) -> u64 {
        if let Course::Rounds { round, .. } = &self.course { *round } else { 0 }
    }

    /// What the format says of players besides their games.
    pub fn extras(&self) -> Extras {
        match (&self.course, self.format) {
            (Course::Rounds { format, .. }, Format::Swiss { games, .. }) => {
                Extras { byes: format.byes(), tie_breaks: Some(games), ..Extras::default() }
            }
            (Course::Rounds { format, .. }, _) => Extras { places: format.places(), ..Extras::default() },
            _ => Extras::default(),
        }
    }

    /// The test, where there is one.
    pub fn gate(&self) -> Option<&Gate> {
        self.terms.gate.as_ref()
    }

    /// How many games have their result.
    pub fn settled(&self) -> u64 {
        self.settled
    }
}

/// The games of a pairing, before tie-breaks.
fn games_of(pairing: Pairing, round: u64, games: u64, decides: bool) -> impl Iterator<Item = Planned> {
    (1..=games).map(move |game| {
        // Two games in a row have one, also over laps of one game; where ties are broken those have one more.
        let opening = match decides {
            true => bracket_opening(&pairing, games, (game - 1) / 2),
            false => ((pairing.lap - 1) * games + game - 1) / 2,
        };
        pairing.game(round, game, game % 2 == 0, opening)
    })
}

fn bracket_opening(pairing: &Pairing, games: u64, nth: u64) -> u64 {
    (pairing.lap - 1) * (games.div_ceil(2) + 1) + nth
}

/// What is played where a match that decides is equal after so many games: one more pair, then a single game.
fn further(pairing: Pairing, round: u64, games: u64, played: u64, seed: u64) -> Vec<Planned> {
    let Pairing { pair, first, second, .. } = pairing;
    if played == games {
        let opening = bracket_opening(&pairing, games, games.div_ceil(2));
        return [(1, false), (2, true)]
            .map(|(n, swapped)| pairing.game(round, games + n, swapped, opening))
            .into();
    }
    if played == games + 2 {
        let id = GameId { round, pair, game: games + 3 };
        return vec![tie_break(seed, id, [first, second])];
    }
    Vec::new()
}

fn tie_break(seed: u64, id: GameId, [a, b]: [usize; 2]) -> Planned {
    let (red, blue) = if tie_break_swaps(seed, id) { (b, a) } else { (a, b) };
    Planned { tie_break: true, ..Planned::new(id, red, blue, 0) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::schedule::{Gauntlet, PairOrder, RoundRobin};
    use super::super::seed::Draws;
    use super::super::standings::GameResult;
    use super::*;
    use proptest::prelude::*;

    const POINTS: Points = Points { win: 1.0, draw: 0.5, loss: 0.0, forfeit: 0.0 };

    fn terms(players: usize, seed: u64) -> Terms {
        let (points, tie_break, gate) = (POINTS, false, None);
        Terms { players, points, seed, shared: false, tie_break, gate, withdrawn: BTreeMap::new() }
    }

    fn begun(format: Format, terms: Terms, past: Vec<Past>) -> Dealer {
        let mut dealer = Dealer::new(format, terms);
        past.into_iter().for_each(|game| dealer.there(game));
        dealer.begin().unwrap();
        dealer
    }

    /// A result that depends on the game alone, as one of deterministic bots does.
    fn result(game: Planned, seed: u64) -> Outcome {
        let mut rng = Draws::new(
            seed ^ (game.id.round << 40) ^ (game.id.pair << 20) ^ (game.id.game << 50) ^ game.red as u64 * 31,
        );
        let result = match rng.below(4) {
            0 => GameResult::Draw,
            n if (n == 1) == (game.red < game.blue) => GameResult::Red,
            _ => GameResult::Blue,
        };
        Outcome { result, fault: false }
    }

    /// Plays to the end with so many workers that finish in any order, from what is there already.
    fn play(
        format: Format,
        terms: &Terms,
        seed: u64,
        workers: usize,
        past: Vec<Past>,
    ) -> (Dealer, Vec<(Planned, Outcome)>) {
        let mut rng = Draws::new(seed + workers as u64);
        let mut dealer = begun(format, terms.clone(), past);
        let (mut running, mut done) = (Vec::new(), Vec::new());
        loop {
            let mut nothing = true;
            for worker in 0..workers {
                if running.len() < workers
                    && let Issue::Game(game) = dealer.issue(worker)
                {
                    running.push(game);
                    nothing = false;
                }
            }
            if running.is_empty() {
                assert!(nothing);
                return (dealer, done);
            }
            let game = running.swap_remove(rng.below(running.len()));
            if rng.below(8) == 0 {
                dealer.roll_back(game);
                continue;
            }
            dealer.settle(game, result(game, seed));
            done.push((game, result(game, seed)));
        }
    }

    fn past(games: &[(Planned, Outcome)]) -> Vec<Past> {
        games.iter().map(|&(g, outcome)| Past { id: g.id, red: g.red, blue: g.blue, outcome }).collect()
    }

    fn format(kind: usize, players: usize, games: u64) -> Format {
        match kind {
            0 => Format::Fixed(Fixed::RoundRobin(RoundRobin {
                players,
                rounds: 2,
                games,
                order: PairOrder::ByLater,
            })),
            1 => {
                Format::Fixed(Fixed::Gauntlet(Gauntlet { players, seeds: 1 + players / 4, rounds: 2, games }))
            }
            2 => Format::Swiss { rounds: 4, games },
            3 => Format::Knockout { games },
            4 => Format::DoubleElimination { games },
            _ => Format::Ladder { pairings: 21, games },
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        #[test]
        fn workers_order_and_interruptions_change_nothing(
            kind in 0usize..6, players in 2usize..12, games in 1u64..4, seed in 0u64..1000, workers in 2usize..6, cut in 0usize..80,
        ) {
            let format = format(kind, players, games);
            let terms = Terms { tie_break: players == 2, ..terms(players, seed) };
            let (dealer, mut whole) = play(format, &terms, seed, 1, Vec::new());
            prop_assert!(dealer.is_over());
            let (_, mut many) = play(format, &terms, seed, workers, Vec::new());
            let kept = many[..cut.min(many.len())].to_vec();
            let (resumed, rest) = play(format, &terms, seed, workers, past(&kept));
            prop_assert!(resumed.is_over());
            prop_assert_eq!(resumed.extras(), dealer.extras());
            let mut broken = [kept, rest].concat();
            for games in [&mut whole, &mut many, &mut broken] {
                games.sort_by_key(|(game, _)| game.id);
            }
            prop_assert_eq!(&whole, &many);
            prop_assert_eq!(&whole, &broken);
            let ids: BTreeSet<GameId> = whole.iter().map(|(game, _)| game.id).collect();
            prop_assert_eq!(ids.len(), whole.len());
            match dealer.total() {
                Total::Exactly(n) => prop_assert_eq!(n, whole.len() as u64),
                Total::AtLeast(n) => prop_assert!(n <= whole.len() as u64),
                Total::AtMost(n) => prop_assert!(n >= whole.len() as u64),
            }
        }

        #[test]
        fn a_swiss_has_no_rematch_one_bye_a_player_and_balanced_colours(
            players in 6usize..20, games in 1u64..3, seed in 0u64..1000,
        ) {
            let rounds = players as u64 / 2;
            let (dealer, played) = play(Format::Swiss { rounds, games }, &terms(players, seed), seed, 3, Vec::new());
            let mut met = BTreeSet::new();
            let mut seats = vec![[0i64; 2]; players];
            for (game, _) in &played {
                seats[game.red][0] += 1;
                seats[game.blue][1] += 1;
                if game.id.game == 1 {
                    let pair = (game.red.min(game.blue), game.red.max(game.blue));
                    prop_assert!(met.insert(pair), "{pair:?} met twice");
                }
            }
            for (player, &[red, blue]) in seats.iter().enumerate() {
                prop_assert!((red - blue).abs() <= 2, "{player}: {red} and {blue}");
                let bye = if red + blue < (rounds * games) as i64 { games as i64 } else { 0 };
                prop_assert_eq!(red + blue + bye, (rounds * games) as i64);
                prop_assert_eq!(dealer.extras().byes[player], bye as f64);
            }
        }

        #[test]
        fn every_opponent_in_a_gauntlet_gets_the_same_seeds_setups_and_colours(
            players in 2usize..9, seeds in 1usize..4, rounds in 1u64..4, games in 1u64..4,
        ) {
            prop_assume!(seeds < players);
            let schedule = Gauntlet { players, seeds, rounds, games };
            let (_, played) = play(Format::Fixed(Fixed::Gauntlet(schedule)), &terms(players, 1), 1, 2, Vec::new());
            let dealt = |player: usize| {
                let mut all: Vec<_> = played.iter().filter(|(g, _)| g.red == player || g.blue == player)
                    .map(|(g, _)| (g.luck, g.opening, g.red == player, g.red.min(g.blue))).collect();
                all.sort();
                all
            };
            for player in seeds..players {
                prop_assert_eq!(dealt(player), dealt(seeds));
                prop_assert_eq!(dealt(player).len() as u64, rounds * games * seeds as u64);
            }
            prop_assert!(played.iter().all(|(g, _)| g.red.min(g.blue) < seeds && g.red.max(g.blue) >= seeds));
        }

        #[test]
        fn pairings_of_a_lap_meet_the_same_openings_and_where_it_is_shared_the_same_luck(
            kind in 0usize..6, players in 2usize..12, games in 1u64..4, seed in 0u64..1000, shared in proptest::bool::ANY,
        ) {
            let terms = Terms { shared, ..terms(players, seed) };
            let (_, mut played) = play(format(kind, players, games), &terms, seed, 3, Vec::new());
            played.sort_by_key(|(game, _)| game.id);
            let mut meetings: BTreeMap<(usize, usize), BTreeSet<(u64, u64)>> = BTreeMap::new();
            // What each two met, meeting by meeting, before what only a tie brings.
            let mut met: BTreeMap<(usize, usize), BTreeMap<(u64, u64), Vec<_>>> = BTreeMap::new();
            let mut lucks = BTreeSet::new();
            for (game, _) in &played {
                let pair = (game.red.min(game.blue), game.red.max(game.blue));
                let so_far = meetings.entry(pair).or_default();
                so_far.insert((game.id.round, game.id.pair));
                let lap = if kind == 5 { so_far.len() as u64 } else { game.id.round };
                if game.id.game <= games {
                    let of_pair = met.entry(pair).or_default().entry((lap, game.id.game)).or_default();
                    of_pair.push((game.opening, if shared || kind == 1 { Some(game.luck) } else { None }));
                }
                // Nobody's seed is another's in another game, but where that is asked for.
                let own = lucks.insert(game.luck);
                prop_assert!(own || shared || kind == 1);
                prop_assert_eq!(game.luck == game.id, !(shared || kind == 1) || game.tie_break);
            }
            let mut by_lap: BTreeMap<(u64, u64), BTreeSet<_>> = BTreeMap::new();
            for (lap, dealt) in met.values().flatten() {
                prop_assert_eq!(dealt.len(), 1);
                by_lap.entry(*lap).or_default().insert(dealt[0]);
            }
            prop_assert!(by_lap.values().all(|dealt| dealt.len() == 1), "{:?}", by_lap);
        }

        #[test]
        fn every_pair_meets_equally_often_with_either_colour_and_ids_stay_when_a_player_is_added(
            players in 2usize..30, rounds in 1u64..5,
        ) {
            let schedule = |players| Fixed::RoundRobin(RoundRobin { players, rounds, games: 2, order: PairOrder::ByLater });
            let small = schedule(players);
            let mut met: BTreeMap<(usize, usize), u64> = BTreeMap::new();
            for pair in 0..rounds * small.pairs() {
                for game in small.games_of(pair) {
                    *met.entry((game.red, game.blue)).or_default() += 1;
                    prop_assert_eq!(small.game(game.id), Some(game));
                    prop_assert_eq!(schedule(players + 1).game(game.id), Some(game));
                }
            }
            prop_assert_eq!(met.len(), players * (players - 1));
            prop_assert!(met.values().all(|&n| n == rounds));
        }

        #[test]
        fn a_bracket_knocks_out_all_but_one_who_lost_less_than_the_others(
            players in 2usize..20, seed in 0u64..1000, double in proptest::bool::ANY,
        ) {
            let format = if double { Format::DoubleElimination { games: 2 } } else { Format::Knockout { games: 2 } };
            let (dealer, played) = play(format, &terms(players, seed), seed, 3, Vec::new());
            let mut places = dealer.extras().places;
            // The points of each match, and so who lost it: where nothing told them apart, the later player.
            let mut matches: BTreeMap<(u64, u64), BTreeMap<usize, f64>> = BTreeMap::new();
            for (game, outcome) in &played {
                let points = matches.entry((game.id.round, game.id.pair)).or_default();
                *points.entry(game.red).or_default() += outcome.points(&POINTS, true);
                *points.entry(game.blue).or_default() += outcome.points(&POINTS, false);
            }
            let mut lost = vec![0; players];
            for points in matches.values() {
                let [(&a, x), (&b, y)] = points.iter().collect::<Vec<_>>()[..] else { panic!("{points:?}") };
                lost[if x >= y { b } else { a }] += 1;
            }
            let lives = if double { 2 } else { 1 };
            for (player, &place) in places.iter().enumerate() {
                let beaten = lost[player] == lives;
                prop_assert_eq!(beaten, place != 1);
            }
            places.sort();
            prop_assert_eq!(&places[..2], &[1, 2]);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn who_withdraws_plays_no_more_and_the_event_comes_to_its_end(
            kind in 0usize..6, players in 3usize..12, games in 1u64..4, seed in 0u64..1000, cut in 0usize..60,
            gone in 0usize..12, workers in 1usize..4,
        ) {
            let (format, gone) = (format(kind, players, games), gone % players);
            let (_, played) = play(format, &terms(players, seed), seed, workers, Vec::new());
            let kept = played[..cut.min(played.len())].to_vec();
            let from = begun(format, terms(players, seed), past(&kept)).round() + 1;
            let without = Terms { withdrawn: BTreeMap::from([(gone, from)]), ..terms(players, seed) };
            let (dealer, rest) = play(format, &without, seed, workers, past(&kept));
            prop_assert!(dealer.is_over());
            prop_assert!(rest.iter().all(|(g, _)| g.red != gone && g.blue != gone));
            // Told once more, all that was played is in the plan, and nothing is missing.
            let all = [kept.clone(), rest].concat();
            let (again, more) = play(format, &without, seed, 1, past(&all));
            prop_assert!(more.is_empty());
            prop_assert_eq!(again.extras(), dealer.extras());
            // A bracket is won by another, but where it was over.
            if matches!(kind, 3 | 4) && kept.len() < played.len() {
                prop_assert_ne!(dealer.extras().places[gone], 1);
            }
        }
    }

    #[test]
    fn a_ladder_plays_least_where_the_result_is_known_beforehand() {
        let format = Format::Ladder { pairings: 120, games: 2 };
        let mut dealer = begun(format, terms(4, 1), Vec::new());
        let mut met: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        let mut rng = Draws::new(1);
        while let Issue::Game(game) = dealer.issue(0) {
            *met.entry((game.red.min(game.blue), game.red.max(game.blue))).or_default() += 1;
            // The first two are alike; the third loses to them always, the fourth to all.
            let red = if game.red.max(game.blue) < 2 { rng.below(2) == 1 } else { game.red < game.blue };
            let result = if red { GameResult::Red } else { GameResult::Blue };
            dealer.settle(game, Outcome { result, fault: false });
        }
        assert_eq!(met.values().sum::<u64>(), 240);
        // Two steps apart nothing is left to learn; one step and none tell more.
        let far = met[&(0, 3)].max(met[&(1, 3)]);
        assert!([(0, 1), (0, 2), (1, 2), (2, 3)].iter().all(|pair| met[pair] > far), "{met:?}");
    }

    #[test]
    fn ten_million_games_are_planned_with_two_bits_each_at_most() {
        let schedule = RoundRobin { players: 100, rounds: 1011, games: 2, order: PairOrder::ByLater };
        let mut dealer = begun(Format::Fixed(Fixed::RoundRobin(schedule)), terms(100, 1), Vec::new());
        let draw = Outcome { result: GameResult::Draw, fault: false };
        while let Issue::Game(game) = dealer.issue(0) {
            dealer.settle(game, draw);
        }
        assert!(dealer.is_over() && dealer.settled() > 10_000_000);
        let Course::Fixed { settled, .. } = &dealer.course else { panic!() };
        assert!(settled.capacity() * 64 < 20_100_000 && dealer.held.len() + dealer.queue.len() < 10);
    }
}
