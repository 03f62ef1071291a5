//! The joint rating of many players from all their games: Bradley-Terry at maximum likelihood.
//!
//! What it refuses to do: to put numbers on a common scale where no games connect them, and to call a
//! difference infinite. Players are indices; who they are, and in which order a table shows them, is not
//! known here.
//!
//! **Model.** A draw is half a win. All games of a group of connected players are fitted at once. The scale
//! is fixed by the mean of the group being 0, or by an anchor.
//!
//! **Errors.** A rating's error is z·√C_ii with C the pseudo-inverse of the Hessian of the log-likelihood, so
//! that the errors belong to the scale whose mean is fixed at 0; with an anchor, to the difference from it.
//! Two players who met n times at a score s are thus rated ±E(s)/2, each with half the error of their
//! difference, z·(400/ln 10)/√(n·s·(1−s)). As half a win, a draw counts with the variance of a decided game:
//! with draws this error is larger than the trinomial one of [`super::Games::elo`].
//!
//! **One-sided results.** Where a class of players won everything against the rest, the likelihood has no
//! finite maximum. The largest class that the results bound on both sides is then rated by itself, its mean
//! being 0 (or the anchor's class, wherever it is); classes above it get a lower bound and classes below an
//! upper one, by the score test at 95 %, taken along the chain of who beat whom, their opponents standing at
//! their own figures. A class neither above nor below is unknown. If no class has more than one player, 0 is
//! the player with as many above as below; and if that one, too, won or lost everything, 0 lies halfway to
//! the nearest bound: after 10 wins of 10 the winner is at least +83.1 and the loser at most −83.1.

use std::cmp::Reverse;
use std::error::Error;
use std::f64::consts::LN_10;
use std::fmt;

use super::bound::{Sweep, least_gap, surprise};
use super::connection::{Connection, Meeting, Standing};
use super::estimate::Estimate;
use super::fit::{Advantage, AdvantageRange, Fit, advantage_range};
use super::normal::{Z95, probability_below};

/// Ordo's points are these times Elo: it fixes 202 points at a score of 76 %.
pub const ORDO_POINTS_PER_ELO: f64 = 1.008_784_72;

/// Elo per natural unit of strength.
const ELO_PER_NATURAL: f64 = 400.0 / LN_10;

/// Results of games in which `first` moved first, from its view. Any number of rows may name the same
/// players, in either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairCounts {
    /// The player who moved first, by its number.
    pub first: usize,
    /// The other player.
    pub second: usize,
    /// Games that `first` won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that `second` won.
    pub losses: u64,
}

/// A player whose rating is given, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The player, by its number.
    pub player: usize,
    /// Its rating, in Elo.
    pub elo: f64,
}

/// What to fit beside the ratings, and where to fix the scale.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RatingOptions {
    /// Fixes the scale of the anchor's group; every other group keeps its mean of 0.
    pub anchor: Option<Anchor>,
    /// Fits what moving first is worth, one figure for all games. Without it the order of a row's players
    /// does not matter.
    pub first_mover: bool,
}

/// Why games cannot be rated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RatingError {
    /// A row names a player beyond the number of players.
    NoSuchPlayer {
        /// The row, from 0.
        row: usize,
        /// The player, by its number.
        player: usize,
        /// How many players there are.
        players: usize,
    },
    /// A row has a player meet itself.
    SelfPlay {
        /// The row, from 0.
        row: usize,
        /// The player, by its number.
        player: usize,
    },
    /// The anchor is not one of the players, or its rating is not within ±100000 Elo.
    Anchor {
        /// The player, by its number.
        player: usize,
        /// In Elo.
        elo: f64,
    },
}

/// One player's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerRating {
    /// Players connected by games have the same group, numbered from 0 in the order of their lowest players.
    /// Ratings of different groups must not be compared.
    pub group: usize,
    /// In Elo. Unknown without games, where the results leave it open, and where double precision fails on
    /// the counts, which takes pairings of more than 10^9 games beside pairings of a few.
    pub estimate: Estimate,
}

/// The ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// In the order of their indices.
    pub players: Vec<PlayerRating>,
    /// How many groups there are.
    pub groups: usize,
    /// What moving first is worth, in Elo; `None` when it was not asked for. Where it is not a
    /// [`Estimate::Value`] the games do not determine it, and the players are rated without it.
    pub first_mover: Option<Estimate>,
    /// For each ordered pair of players, row by row.
    duels: Vec<Duel>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Duel {
    difference: Estimate,
    los: Option<f64>,
}

/// Rates players `0..players` by their games.
///
/// Rows may come in any order: equal sets of rows give equal bits. The cost grows with the cube of the number
/// of players: tens of milliseconds for 200 who all met.
pub fn rate(players: usize, pairs: &[PairCounts], options: &RatingOptions) -> Result<Ratings, RatingError> {
    if let Some(Anchor { player, elo }) = options.anchor
        && !(player < players && elo.abs() <= MAX_ANCHOR)
    {
        return Err(RatingError::Anchor { player, elo });
    }
    let meetings = meetings(players, pairs, options.first_mover)?;
    let connection = Connection::new(players, &meetings);
    let range = options.first_mover.then(|| advantage_range(&connection, players, &meetings));
    let finite = range == Some(AdvantageRange::Finite);
    let without = || Fit::new(&connection, players, &meetings, false);
    let fit =
        if finite { Fit::new(&connection, players, &meetings, true).or_else(without) } else { without() };
    Ok(match &fit {
        Some(fit) => {
            Field { players, meetings: &meetings, connection: &connection, fit }.ratings(options, range)
        }
        None => unrated(players, &connection, options),
    })
}

impl Ratings {
    /// The likelihood of superiority of one player over another, Φ(difference/its standard error), between 0
    /// and 1.
    ///
    /// Between players whose difference is only bounded it comes from the games they played against each
    /// other, which one of them won all: Φ(√n) after n wins. `None` where nothing is known, for a player
    /// against itself, and for players that do not exist.
    pub fn los(&self, one: usize, other: usize) -> Option<f64> {
        self.duel(one, other)?.los
    }

    /// The rating of one player minus that of another, in Elo, with the error of the difference. Unknown
    /// where one of the two is not rated on both sides.
    pub fn difference(&self, one: usize, other: usize) -> Estimate {
        self.duel(one, other).map_or(Estimate::Unknown, |duel| duel.difference)
    }

    fn duel(&self, one: usize, other: usize) -> Option<&Duel> {
        let players = self.players.len();
        if one < players && other < players { self.duels.get(one * players + other) } else { None }
    }
}

impl fmt::Display for RatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RatingError::NoSuchPlayer { row, player, players } => {
                write!(f, "row {row} of the games names player {player} of {players}, counted from 0")
            }
            RatingError::SelfPlay { row, player } => {
                write!(f, "row {row} of the games has player {player} meet itself")
            }
            RatingError::Anchor { player, elo } => {
                write!(f, "player {player} cannot be anchored at {elo} Elo")
            }
        }
    }
}

impl Error for RatingError {}

/// Beyond this an anchor would swallow the digits of the differences.
const MAX_ANCHOR: f64 = 100_000.0;

/// Sums the rows of equal pairings, ordered by players. Without `ordered` the one with the lower index is
/// made the first.
fn meetings(players: usize, pairs: &[PairCounts], ordered: bool) -> Result<Vec<Meeting>, RatingError> {
    let mut rows = Vec::with_capacity(pairs.len());
    for (row, pair) in pairs.iter().enumerate() {
        if let Some(&player) = [pair.first, pair.second].iter().find(|&&player| player >= players) {
            return Err(RatingError::NoSuchPlayer { row, player, players });
        }
        if pair.first == pair.second {
            return Err(RatingError::SelfPlay { row, player: pair.first });
        }
        // Half points in integers: the order of the rows cannot matter, and nothing overflows.
        let [wins, draws, losses] = [pair.wins, pair.draws, pair.losses].map(u128::from);
        let (first_halves, second_halves) = (2 * wins + draws, 2 * losses + draws);
        if first_halves + second_halves == 0 {
            continue;
        }
        rows.push(if ordered || pair.first < pair.second {
            (pair.first, pair.second, first_halves, second_halves)
        } else {
            (pair.second, pair.first, second_halves, first_halves)
        });
    }
    rows.sort_unstable();
    rows.dedup_by(|row, kept| {
        let same = (row.0, row.1) == (kept.0, kept.1);
        if same {
            kept.2 = kept.2.saturating_add(row.2);
            kept.3 = kept.3.saturating_add(row.3);
        }
        same
    });
    let meeting = |(first, second, first_halves, second_halves): (usize, usize, u128, u128)| Meeting {
        first,
        second,
        first_points: first_halves as f64 / 2.0,
        second_points: second_halves as f64 / 2.0,
    };
    Ok(rows.into_iter().map(meeting).collect())
}

/// What is left to say when the arithmetic of the fit fails.
fn unrated(players: usize, connection: &Connection, options: &RatingOptions) -> Ratings {
    Ratings {
        players: (0..players)
            .map(|player| PlayerRating { group: connection.group(player), estimate: Estimate::Unknown })
            .collect(),
        groups: connection.groups(),
        first_mover: options.first_mover.then_some(Estimate::Unknown),
        duels: vec![Duel { difference: Estimate::Unknown, los: None }; players * players],
    }
}

/// All players with their games, fitted class by class, to be put on the scales of their groups.
struct Field<'a> {
    players: usize,
    meetings: &'a [Meeting],
    connection: &'a Connection,
    fit: &'a Fit,
}

impl Field<'_> {
    fn ratings(&self, options: &RatingOptions, range: Option<AdvantageRange>) -> Ratings {
        let mut estimates = vec![Estimate::Unknown; self.players];
        let mut members = vec![Vec::new(); self.connection.groups()];
        for player in 0..self.players {
            members[self.connection.group(player)].push(player);
        }
        for group in members {
            let anchor = options.anchor.filter(|anchor| group.contains(&anchor.player));
            self.rate_group(&group, anchor, &mut estimates);
        }
        Ratings {
            players: (0..self.players)
                .map(|player| PlayerRating {
                    group: self.connection.group(player),
                    estimate: estimates[player],
                })
                .collect(),
            groups: self.connection.groups(),
            first_mover: range.map(|range| self.first_mover(range)),
            duels: self.duels(),
        }
    }

    fn rate_group(&self, group: &[usize], anchor: Option<Anchor>, estimates: &mut [Estimate]) {
        if group.len() == 1 && anchor.is_none() {
            return;
        }
        let reference = match anchor {
            Some(anchor) => self.connection.class(anchor.player),
            None => self.reference(group),
        };
        let strengths = self.place(group, reference);
        let swept = match anchor {
            Some(_) => None,
            None => self.swept(group, reference, &strengths),
        };
        let zero = match (anchor, swept) {
            (Some(anchor), _) => anchor.elo - self.fit.strength(anchor.player) * ELO_PER_NATURAL,
            (None, Some((_, nearest))) => -nearest / 2.0 * ELO_PER_NATURAL,
            (None, None) => 0.0,
        };
        for &player in group {
            let Some(strength) = strengths[player] else {
                continue;
            };
            let elo = zero + strength * ELO_PER_NATURAL;
            let standing = match swept {
                Some((standing, _)) if player == reference => standing,
                _ => self.connection.standing(player, reference),
            };
            estimates[player] = match (standing, anchor) {
                (Standing::Above, _) => Estimate::AtLeast(elo),
                (Standing::Below, _) => Estimate::AtMost(elo),
                (Standing::Incomparable, _) => Estimate::Unknown,
                // The given figure, without what rounding makes of it.
                (Standing::Same, Some(anchor)) if player == anchor.player => {
                    Estimate::Value { elo: anchor.elo, error: 0.0 }
                }
                (Standing::Same, Some(anchor)) => {
                    value(elo, self.fit.variance_of_difference(player, anchor.player))
                }
                (Standing::Same, None) => value(elo, self.fit.variance(player)),
            };
        }
    }

    /// The class whose mean is 0, by its lowest player: the largest, then the one that compares with most
    /// players, then the most central, then the one of the lowest player.
    fn reference(&self, group: &[usize]) -> usize {
        let rank = |&class: &usize| {
            let count = |standing| self.connection.count(class, standing);
            let (above, below) = (count(Standing::Above), count(Standing::Below));
            (count(Standing::Same), above + below, Reverse(above.abs_diff(below)), Reverse(class))
        };
        self.classes(group).max_by_key(rank).unwrap_or(group[0])
    }

    /// The classes of a group, by their lowest players.
    fn classes<'a>(&'a self, group: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
        group.iter().copied().filter(|&player| self.connection.class(player) == player)
    }

    /// Strengths in natural units over the mean of the reference class, `None` for classes not comparable
    /// with it. Those above stand as low as their games allow, those below as high.
    fn place(&self, group: &[usize], reference: usize) -> Vec<Option<f64>> {
        let mut strengths = vec![None; self.players];
        self.settle(reference, 0.0, &mut strengths);
        for (side, back) in [(Standing::Above, Standing::Below), (Standing::Below, Standing::Above)] {
            let mut classes: Vec<usize> = self
                .classes(group)
                .filter(|&class| self.connection.standing(class, reference) == side)
                .collect();
            // Whoever has more players behind on the way to the reference comes later.
            classes.sort_by_key(|&class| self.connection.count(class, back));
            for class in classes {
                // A bound of the opponent on the other side of the reference would bound nothing here.
                let behind = |player: usize| {
                    let standing = self.connection.standing(player, reference);
                    strengths[player].filter(|_| standing == Standing::Same || standing == side)
                };
                let sweeps: Vec<Sweep> = self
                    .meetings
                    .iter()
                    .filter_map(|meeting| {
                        let (member, other) = match [meeting.first, meeting.second]
                            .map(|player| self.connection.class(player) == class)
                        {
                            [true, false] => (meeting.first, meeting.second),
                            [false, true] => (meeting.second, meeting.first),
                            _ => return None,
                        };
                        let ahead = self.fit.strength(member) - behind(other)?;
                        let head_start = if side == Standing::Above { ahead } else { -ahead };
                        Some(self.sweep(meeting, head_start))
                    })
                    .collect();
                let gap = least_gap(&sweeps);
                self.settle(class, if side == Standing::Above { gap } else { -gap }, &mut strengths);
            }
        }
        strengths
    }

    /// Puts the mean of a class at a strength.
    fn settle(&self, class: usize, mean: f64, strengths: &mut [Option<f64>]) {
        for (player, strength) in strengths.iter_mut().enumerate() {
            if self.connection.class(player) == class {
                *strength = Some(mean + self.fit.strength(player));
            }
        }
    }

    /// A meeting that one side won altogether, the winner's strength being `lead` above the loser's.
    fn sweep(&self, meeting: &Meeting, lead: f64) -> Sweep {
        let worth = self.fit.advantage().map_or(0.0, |advantage| advantage.worth);
        let moved_first = meeting.first_points > 0.0;
        Sweep { head_start: lead + if moved_first { worth } else { -worth }, games: meeting.games() }
    }

    /// Whether the reference is a single player that itself won or lost everything: on which side of the
    /// others it then stands, and the strength of the nearest of them.
    fn swept(&self, group: &[usize], reference: usize, strengths: &[Option<f64>]) -> Option<(Standing, f64)> {
        let count = |standing| self.connection.count(reference, standing);
        if count(Standing::Same) > 1 {
            return None;
        }
        let others =
            group.iter().filter(|&&player| player != reference).filter_map(|&player| strengths[player]);
        match (count(Standing::Above), count(Standing::Below)) {
            (_, 0) => others.reduce(f64::min).map(|nearest| (Standing::Below, nearest)),
            (0, _) => others.reduce(f64::max).map(|nearest| (Standing::Above, nearest)),
            _ => None,
        }
    }

    fn first_mover(&self, range: AdvantageRange) -> Estimate {
        let within: Vec<&Meeting> =
            self.meetings.iter().filter(|meeting| self.connection.same_class(meeting)).collect();
        let bound = |towards: f64| {
            let sweep = |meeting: &&Meeting| {
                let lead = self.fit.strength(meeting.first) - self.fit.strength(meeting.second);
                Sweep { head_start: towards * lead, games: meeting.games() }
            };
            ELO_PER_NATURAL * least_gap(&within.iter().map(sweep).collect::<Vec<_>>())
        };
        match range {
            AdvantageRange::Finite => match self.fit.advantage() {
                Some(Advantage { worth, variance }) => value(worth * ELO_PER_NATURAL, variance),
                None => Estimate::Unknown,
            },
            AdvantageRange::UnboundedAbove if within.iter().all(|meeting| meeting.second_points == 0.0) => {
                Estimate::AtLeast(bound(1.0))
            }
            AdvantageRange::UnboundedBelow if within.iter().all(|meeting| meeting.first_points == 0.0) => {
                Estimate::AtMost(-bound(-1.0))
            }
            // The advantage is only bounded together with the strengths, by no simple count.
            _ => Estimate::Unknown,
        }
    }

    fn duels(&self) -> Vec<Duel> {
        let mut duels = vec![Duel { difference: Estimate::Unknown, los: None }; self.players * self.players];
        for one in 0..self.players {
            for other in 0..self.players {
                if one != other && self.connection.standing(one, other) == Standing::Same {
                    let lead = self.fit.strength(one) - self.fit.strength(other);
                    let variance = self.fit.variance_of_difference(one, other);
                    duels[one * self.players + other] = Duel {
                        difference: value(lead * ELO_PER_NATURAL, variance),
                        los: (variance > 0.0).then(|| probability_below(lead / variance.sqrt())),
                    };
                }
            }
        }
        let mut sweeps: Vec<(usize, usize, Sweep)> = self
            .meetings
            .iter()
            .filter(|meeting| !self.connection.same_class(meeting))
            .map(|meeting| {
                let sweep = self.sweep(meeting, 0.0);
                if meeting.first_points > 0.0 {
                    (meeting.first, meeting.second, sweep)
                } else {
                    (meeting.second, meeting.first, sweep)
                }
            })
            .collect();
        sweeps.sort_by_key(|&(winner, loser, _)| (winner, loser));
        for duel in sweeps.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (winner, loser, _) = duel[0];
            let sweeps: Vec<Sweep> = duel.iter().map(|&(_, _, sweep)| sweep).collect();
            let difference = Estimate::AtLeast(ELO_PER_NATURAL * least_gap(&sweeps));
            let surprise = surprise(&sweeps);
            duels[winner * self.players + loser] =
                Duel { difference, los: Some(probability_below(surprise)) };
            duels[loser * self.players + winner] =
                Duel { difference: difference.reversed(), los: Some(probability_below(-surprise)) };
        }
        duels
    }
}

/// A figure in Elo with the error that a variance in natural units makes.
fn value(elo: f64, variance: f64) -> Estimate {
    Estimate::Value { elo, error: Z95 * ELO_PER_NATURAL * variance.sqrt() }
}
