//! The Bradley-Terry likelihood at its maximum, and its curvature there. It fits only what has a finite
//! maximum: players within their classes, which the caller has found.
//!
//! Strengths are in natural units: a difference of 1 is odds of e, or 400/ln 10 Elo. A draw counts as half a
//! win and half a loss. Model: R. A. Bradley, M. E. Terry, Biometrika 39 (1952); with the advantage of moving
//! first, R. R. Davidson, R. J. Beaver, Biometrics 33 (1977), additive on this scale.

use super::connection::{Connection, Meeting};

/// A step of Newton's method below this share of the largest unknown ends the fit.
const SETTLED: f64 = 1e-13;

/// A step below this, in natural units (about 0.0002 Elo), ends the fit too once steps no longer halve: then
/// they are the rounding of pairings with very many games, felt by those with few.
const ROUNDING: f64 = 1e-6;

/// How much of the points that decide a player's rating may be out of balance at the maximum.
const BALANCE: f64 = 1e-6;

/// A few steps are usual. Extreme counts need one a natural unit of a pairing's gap, and those gaps stay
/// below the logarithm of the count.
const MAX_STEPS: usize = 200;

pub(super) struct Fit {
    players: usize,
    /// With mean 0 in each class.
    strengths: Vec<f64>,
    covariance: Vec<f64>,
    advantage: Option<Advantage>,
}

/// What moving first is worth, in natural units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Advantage {
    pub worth: f64,
    pub variance: f64,
}

/// Whether the results bound the advantage of moving first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdvantageRange {
    Finite,
    /// No advantage is too large or too small for the results, which the players' strengths explain as well.
    Undetermined,
    UnboundedAbove,
    UnboundedBelow,
}

impl Fit {
    /// Fits the strengths of all players from the games within their classes, and the advantage of moving
    /// first when told to; the caller has seen to it that it is finite. `None` when double precision fails on
    /// the counts, which takes pairings of more than 10^9 games beside pairings of a few.
    pub fn new(
        connection: &Connection,
        players: usize,
        meetings: &[Meeting],
        advantage: bool,
    ) -> Option<Fit> {
        let likelihood = Likelihood::new(connection, players, meetings, advantage);
        let mut point = likelihood.origin();
        let mut last = f64::INFINITY;
        let settled = |moved: f64, last: f64, size: f64| {
            moved <= ROUNDING && (moved <= SETTLED * (1.0 + size) || moved > last / 2.0)
        };
        for steps in 0.. {
            let step = likelihood.curvature(&point)?.step(likelihood.gradient(&point));
            let moved = likelihood.climb(&mut point, &step);
            if settled(moved, last, point.size()) {
                break;
            }
            if steps == MAX_STEPS {
                return None;
            }
            last = moved;
        }
        if !likelihood.balanced(&point) {
            return None;
        }
        let curvature = likelihood.curvature(&point)?;
        let inverse = curvature.inverse();
        let advantage =
            curvature.border.map(|border| Advantage { worth: point.advantage, variance: 1.0 / border.rest });
        let (strengths, covariance) = likelihood.centred(&point.strengths, &inverse, connection);
        let finite = strengths.iter().chain(&covariance).all(|value| value.is_finite())
            && advantage.is_none_or(|it| it.worth.is_finite() && it.variance.is_finite());
        finite.then_some(Fit { players, strengths, covariance, advantage })
    }

    /// A player's strength over the mean of the class.
    pub fn strength(&self, player: usize) -> f64 {
        self.strengths[player]
    }

    /// Variance of a player's strength over the mean of the class.
    pub fn variance(&self, player: usize) -> f64 {
        self.covariance[player * self.players + player].max(0.0)
    }

    /// Variance of the difference of two players of one class.
    pub fn variance_of_difference(&self, one: usize, other: usize) -> f64 {
        let covariance = self.covariance[one * self.players + other];
        (self.variance(one) + self.variance(other) - 2.0 * covariance).max(0.0)
    }

    pub fn advantage(&self) -> Option<Advantage> {
        self.advantage
    }
}

/// Finds whether the likelihood has its maximum at a finite advantage of moving first.
///
/// It does not if some shift of the strengths explains every result at least as well when the advantage is
/// raised (or lowered) without end. Such shifts are the solutions of difference constraints, and there are
/// none exactly when the constraints have a positive cycle.
pub(super) fn advantage_range(
    connection: &Connection,
    players: usize,
    meetings: &[Meeting],
) -> AdvantageRange {
    let within: Vec<&Meeting> = meetings.iter().filter(|meeting| connection.same_class(meeting)).collect();
    match (shift_exists(players, &within, 1), shift_exists(players, &within, -1)) {
        (false, false) => AdvantageRange::Finite,
        (true, true) => AdvantageRange::Undetermined,
        (true, false) => AdvantageRange::UnboundedAbove,
        (false, true) => AdvantageRange::UnboundedBelow,
    }
}

/// Bellman and Ford's relaxation of: whoever scored, moving first, is at most one `sign` below the opponent;
/// whoever scored, moving second, is at least one `sign` above.
fn shift_exists(players: usize, meetings: &[&Meeting], sign: i64) -> bool {
    let mut shift = vec![0i64; players];
    for _ in 0..=players {
        let mut settled = true;
        for meeting in meetings {
            let (first, second) = (meeting.first, meeting.second);
            if meeting.first_points > 0.0 && shift[first] < shift[second] - sign {
                shift[first] = shift[second] - sign;
                settled = false;
            }
            if meeting.second_points > 0.0 && shift[second] < shift[first] + sign {
                shift[second] = shift[first] + sign;
                settled = false;
            }
        }
        if settled {
            return true;
        }
    }
    false
}

/// A point, gradient or step in the space of the unknowns.
struct Unknowns {
    /// Of every player but the lowest of each class, whose strength stays 0.
    strengths: Vec<f64>,
    /// Stays 0 unless it is fitted.
    advantage: f64,
}

impl Unknowns {
    /// The largest of all, without its sign.
    fn size(&self) -> f64 {
        self.strengths.iter().fold(self.advantage.abs(), |most, value| most.max(value.abs()))
    }
}

/// The log-likelihood as a function of its unknowns.
struct Likelihood {
    meetings: Vec<Meeting>,
    /// Each player's place among the unknown strengths.
    place: Vec<Option<usize>>,
    strengths: usize,
    advantage: bool,
}

impl Likelihood {
    fn new(connection: &Connection, players: usize, meetings: &[Meeting], advantage: bool) -> Likelihood {
        let mut strengths = 0;
        let mut next = || {
            strengths += 1;
            strengths - 1
        };
        let place = (0..players).map(|player| (connection.class(player) != player).then(&mut next)).collect();
        let meetings = meetings.iter().filter(|meeting| connection.same_class(meeting)).copied().collect();
        Likelihood { meetings, place, strengths, advantage }
    }

    fn origin(&self) -> Unknowns {
        Unknowns { strengths: vec![0.0; self.strengths], advantage: 0.0 }
    }

    /// The gap between first and second at a point, or its change along a step.
    fn gap(&self, meeting: &Meeting, at: &Unknowns) -> f64 {
        self.difference(meeting, &at.strengths) + at.advantage
    }

    fn difference(&self, meeting: &Meeting, values: &[f64]) -> f64 {
        let value = |player: usize| self.place[player].map_or(0.0, |place| values[place]);
        value(meeting.first) - value(meeting.second)
    }

    fn gradient(&self, point: &Unknowns) -> Unknowns {
        let mut gradient = self.origin();
        for meeting in &self.meetings {
            let pull = pull(meeting, self.gap(meeting, point));
            self.add(meeting, pull, &mut gradient.strengths);
            if self.advantage {
                gradient.advantage += pull;
            }
        }
        gradient
    }

    /// Adds to the first player's entry and takes from the second's.
    fn add(&self, meeting: &Meeting, amount: f64, to: &mut [f64]) {
        if let Some(place) = self.place[meeting.first] {
            to[place] += amount;
        }
        if let Some(place) = self.place[meeting.second] {
            to[place] -= amount;
        }
    }

    /// Whether everybody's points are what a point leads to expect, as they are at the maximum. The steps
    /// also end where few games are lost in the rounding of very many; then they are not.
    fn balanced(&self, point: &Unknowns) -> bool {
        let players = self.place.len();
        let (mut excess, mut scale) = (vec![0.0; players + 1], vec![0.0; players + 1]);
        for meeting in &self.meetings {
            let gap = self.gap(meeting, point);
            let (win, loss) = expected_points(gap);
            let size = meeting.first_points * loss + meeting.second_points * win;
            // The last entry is the advantage's.
            for (entry, sign) in [(meeting.first, 1.0), (meeting.second, -1.0), (players, 1.0)] {
                excess[entry] += sign * pull(meeting, gap);
                scale[entry] += size;
            }
        }
        let checked = if self.advantage { players + 1 } else { players };
        excess
            .iter()
            .zip(&scale)
            .take(checked)
            .all(|(excess, scale): (&f64, &f64)| excess.abs() <= BALANCE * scale)
    }

    /// The negated Hessian, ready to be solved; `None` when it is singular in double precision.
    fn curvature(&self, point: &Unknowns) -> Option<Curvature> {
        let weigh = |meeting: &Meeting| {
            let (win, loss) = expected_points(self.gap(meeting, point));
            meeting.games() * win * loss
        };
        let weights: Vec<f64> = self.meetings.iter().map(weigh).collect();
        let mut network = Network::new(self.strengths);
        for (meeting, weight) in self.meetings.iter().zip(&weights) {
            network.link(self.place[meeting.first], self.place[meeting.second], *weight);
        }
        let network = network.eliminate()?;
        if !self.advantage {
            return Some(Curvature { network, border: None });
        }
        let mut shift = vec![0.0; self.strengths];
        for (meeting, weight) in self.meetings.iter().zip(&weights) {
            self.add(meeting, *weight, &mut shift);
        }
        network.solve(&mut shift);
        // What is left of the advantage's own curvature once the strengths follow it, as a sum of squares.
        let rest =
            |(meeting, weight): (&Meeting, &f64)| weight * (1.0 - self.difference(meeting, &shift)).powi(2);
        let rest: f64 = self.meetings.iter().zip(&weights).map(rest).sum();
        (rest > 0.0).then_some(Curvature { network, border: Some(Border { shift, rest }) })
    }

    /// Goes along the step, or less far where the whole step would overshoot, and returns how far the unknown
    /// that moved most did.
    ///
    /// The slope along the step judges that, since the likelihood itself drowns in rounding near its maximum.
    fn climb(&self, point: &mut Unknowns, step: &Unknowns) -> f64 {
        let gaps: Vec<(f64, f64)> =
            self.meetings.iter().map(|meeting| (self.gap(meeting, point), self.gap(meeting, step))).collect();
        let slope = |length: f64| -> f64 {
            let along = |(meeting, (gap, change)): (&Meeting, &(f64, f64))| {
                pull(meeting, gap + length * change) * change
            };
            self.meetings.iter().zip(&gaps).map(along).sum()
        };
        // Where no gap changes much, neither do the weights, and a whole step of Newton's is safe.
        let widest = gaps.iter().map(|(_, change)| change.abs()).fold(0.0, f64::max);
        let mut length = 1.0;
        if widest > 0.5 && slope(1.0) < 0.0 {
            // The likelihood is concave: it rises as far as the slope is positive.
            let (mut rising, mut falling) = (0.0, 1.0);
            while falling - rising > 0.01 * falling && falling * widest > 0.01 {
                length = (rising + falling) / 2.0;
                if slope(length) < 0.0 {
                    falling = length;
                } else {
                    rising = length;
                }
            }
        }
        for (value, change) in point.strengths.iter_mut().zip(&step.strengths) {
            *value += length * change;
        }
        point.advantage += length * step.advantage;
        length * step.size()
    }

    /// Strengths and their covariance, moved from "the lowest player is 0" to "the mean of the class is 0":
    /// the inverse thereby becomes the pseudo-inverse of the whole Hessian.
    fn centred(&self, values: &[f64], inverse: &[f64], connection: &Connection) -> (Vec<f64>, Vec<f64>) {
        let players = self.place.len();
        let mut members = vec![Vec::new(); players];
        for player in 0..players {
            members[connection.class(player)].push(player);
        }
        let entry = |row: usize, column: usize| match (self.place[row], self.place[column]) {
            (Some(row), Some(column)) => inverse[row * self.strengths + column],
            _ => 0.0,
        };
        let mut strengths: Vec<f64> =
            self.place.iter().map(|place| place.map_or(0.0, |place| values[place])).collect();
        let mut covariance = vec![0.0; players * players];
        for members in members {
            let mean = |of: &dyn Fn(usize) -> f64| {
                members.iter().map(|&member| of(member)).sum::<f64>() / members.len() as f64
            };
            let centre = mean(&|player| strengths[player]);
            for &player in &members {
                strengths[player] -= centre;
            }
            let row_means: Vec<f64> = members.iter().map(|&row| mean(&|column| entry(row, column))).collect();
            let whole_mean = row_means.iter().sum::<f64>() / members.len() as f64;
            for (&row, row_mean) in members.iter().zip(&row_means) {
                for (&column, column_mean) in members.iter().zip(&row_means) {
                    covariance[row * players + column] =
                        entry(row, column) - row_mean - column_mean + whole_mean;
                }
            }
        }
        (strengths, covariance)
    }
}

/// The points expected by the first player and by the second, a game; each exact where it is next to 0.
fn expected_points(gap: f64) -> (f64, f64) {
    (1.0 / (1.0 + (-gap).exp()), 1.0 / (1.0 + gap.exp()))
}

/// The points of the first player above expectation, a difference in which no large numbers cancel.
fn pull(meeting: &Meeting, gap: f64) -> f64 {
    let (win, loss) = expected_points(gap);
    meeting.first_points * loss - meeting.second_points * win
}

/// The negated Hessian in the strengths, eliminated, bordered by the advantage when that is fitted.
struct Curvature {
    network: Eliminated,
    border: Option<Border>,
}

struct Border {
    /// How much the strengths give way when the advantage rises by 1.
    shift: Vec<f64>,
    rest: f64,
}

impl Curvature {
    /// Newton's step up a gradient.
    fn step(&self, gradient: Unknowns) -> Unknowns {
        let Unknowns { mut strengths, mut advantage } = gradient;
        if let Some(Border { shift, rest }) = &self.border {
            let explained: f64 = shift.iter().zip(&strengths).map(|(shift, pull)| shift * pull).sum();
            advantage = (advantage - explained) / rest;
        }
        self.network.solve(&mut strengths);
        if let Some(Border { shift, .. }) = &self.border {
            for (strength, shift) in strengths.iter_mut().zip(shift) {
                *strength -= shift * advantage;
            }
        }
        Unknowns { strengths, advantage }
    }

    /// The covariance of the strengths, row by row.
    fn inverse(&self) -> Vec<f64> {
        let size = self.network.size;
        let mut inverse = vec![0.0; size * size];
        for row in 0..size {
            let entries = &mut inverse[row * size..(row + 1) * size];
            entries[row] = 1.0;
            self.network.solve(entries);
            if let Some(Border { shift, rest }) = &self.border {
                for (entry, column_shift) in entries.iter_mut().zip(shift) {
                    *entry += shift[row] * column_shift / rest;
                }
            }
        }
        inverse
    }
}

/// The Hessian in the strengths is the matrix of a network of conductances, grounded at the lowest player of
/// each class. It is kept as such: eliminating a node then only adds positive numbers, so that a pairing of a
/// few games keeps its digits beside one of 10^18.
struct Network {
    size: usize,
    /// Between two nodes, in the row of the lower one.
    weights: Vec<f64>,
    /// Between a node and the ground.
    ground: Vec<f64>,
}

struct Eliminated {
    size: usize,
    /// What share of a lower node (row) a higher one (column) takes over.
    shares: Vec<f64>,
    pivots: Vec<f64>,
}

impl Network {
    fn new(size: usize) -> Network {
        Network { size, weights: vec![0.0; size * size], ground: vec![0.0; size] }
    }

    fn link(&mut self, one: Option<usize>, other: Option<usize>, weight: f64) {
        match (one, other) {
            (Some(one), Some(other)) => self.weights[one.min(other) * self.size + one.max(other)] += weight,
            (Some(node), None) | (None, Some(node)) => self.ground[node] += weight,
            (None, None) => {}
        }
    }

    fn eliminate(mut self) -> Option<Eliminated> {
        let size = self.size;
        let mut pivots = Vec::with_capacity(size);
        for node in 0..size {
            let (until, after) = self.weights.split_at_mut((node + 1) * size);
            let row = &mut until[node * size..];
            let pivot = self.ground[node] + row[node + 1..].iter().sum::<f64>();
            if !(pivot > 0.0 && pivot.is_finite()) {
                return None;
            }
            pivots.push(pivot);
            for other in node + 1..size {
                let share = row[other] / pivot;
                if share > 0.0 {
                    self.ground[other] += share * self.ground[node];
                    let start = (other - node - 1) * size;
                    for (weight, more) in
                        after[start + other + 1..start + size].iter_mut().zip(&row[other + 1..])
                    {
                        *weight += share * more;
                    }
                }
            }
            for weight in &mut row[node + 1..] {
                *weight /= pivot;
            }
        }
        Some(Eliminated { size, shares: self.weights, pivots })
    }
}

impl Eliminated {
    /// Replaces a right-hand side by the solution.
    fn solve(&self, vector: &mut [f64]) {
        let shares = |node: usize| &self.shares[node * self.size + node + 1..(node + 1) * self.size];
        for node in 0..self.size {
            let (until, after) = vector.split_at_mut(node + 1);
            for (entry, share) in after.iter_mut().zip(shares(node)) {
                *entry += share * until[node];
            }
        }
        for node in (0..self.size).rev() {
            let (until, after) = vector.split_at_mut(node + 1);
            let taken: f64 = after.iter().zip(shares(node)).map(|(entry, share)| share * entry).sum();
            until[node] = until[node] / self.pivots[node] + taken;
        }
    }
}
