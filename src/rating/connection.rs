//! How games connect players: who met whom, and which differences the results bound on both sides. It reads
//! results as a directed graph and computes no rating.
//!
//! A player scores off another by winning or drawing at least one game. A *group* is connected by games of
//! any result. A *class* is strongly connected by scoring: only within a class is every rating difference
//! finite at the maximum of the likelihood (L. R. Ford, American Mathematical Monthly 64, 1957). Between two
//! classes of a group everything was won by one side, or they are linked through others or not comparable at
//! all.

/// All games of one ordered pairing of players, the points in games: a draw gives each side half a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub first: usize,
    pub second: usize,
    pub first_points: f64,
    pub second_points: f64,
}

impl Meeting {
    pub fn games(&self) -> f64 {
        self.first_points + self.second_points
    }
}

/// How one class of players stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Same,
    /// A chain of scoring leads from the one down to the other, and none back.
    Above,
    Below,
    Incomparable,
}

/// Groups and classes of all players.
pub(super) struct Connection {
    players: usize,
    /// Row by row, one bit a player: whether a chain of scoring leads from the row's player to the bit's.
    reach: Vec<u64>,
    words: usize,
    /// The lowest player of each player's class.
    class: Vec<usize>,
    /// Groups numbered from 0 in the order of their lowest players.
    group: Vec<usize>,
    groups: usize,
}

impl Connection {
    pub fn new(players: usize, meetings: &[Meeting]) -> Connection {
        let words = players.div_ceil(64);
        let mut reach = vec![0u64; players * words];
        for player in 0..players {
            set(&mut reach, words, player, player);
        }
        for meeting in meetings {
            if meeting.first_points > 0.0 {
                set(&mut reach, words, meeting.first, meeting.second);
            }
            if meeting.second_points > 0.0 {
                set(&mut reach, words, meeting.second, meeting.first);
            }
        }
        close(&mut reach, players, words);
        let mut connection =
            Connection { players, reach, words, class: Vec::new(), group: Vec::new(), groups: 0 };
        connection.class = (0..players)
            .map(|player| {
                let same = |other: &usize| connection.standing(player, *other) == Standing::Same;
                (0..player).find(same).unwrap_or(player)
            })
            .collect();
        (connection.group, connection.groups) = groups(players, meetings);
        connection
    }

    pub fn groups(&self) -> usize {
        self.groups
    }

    pub fn group(&self, player: usize) -> usize {
        self.group[player]
    }

    /// The lowest player of the player's class, which names the class.
    pub fn class(&self, player: usize) -> usize {
        self.class[player]
    }

    pub fn same_class(&self, meeting: &Meeting) -> bool {
        self.class[meeting.first] == self.class[meeting.second]
    }

    /// Where the one player's class stands, seen from the other's.
    pub fn standing(&self, one: usize, other: usize) -> Standing {
        match (self.reaches(one, other), self.reaches(other, one)) {
            (true, true) => Standing::Same,
            (true, false) => Standing::Above,
            (false, true) => Standing::Below,
            (false, false) => Standing::Incomparable,
        }
    }

    /// How many players stand so to the player.
    pub fn count(&self, player: usize, standing: Standing) -> usize {
        (0..self.players).filter(|&other| self.standing(other, player) == standing).count()
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        self.reach[from * self.words + to / 64] >> (to % 64) & 1 == 1
    }
}

fn set(reach: &mut [u64], words: usize, from: usize, to: usize) {
    reach[from * words + to / 64] |= 1 << (to % 64);
}

/// Warshall's transitive closure, 64 players a step.
fn close(reach: &mut [u64], players: usize, words: usize) {
    for via in 0..players {
        let row = reach[via * words..(via + 1) * words].to_vec();
        for from in 0..players {
            if reach[from * words + via / 64] >> (via % 64) & 1 == 1 {
                for (bits, more) in reach[from * words..(from + 1) * words].iter_mut().zip(&row) {
                    *bits |= more;
                }
            }
        }
    }
}

fn groups(players: usize, meetings: &[Meeting]) -> (Vec<usize>, usize) {
    let mut parent: Vec<usize> = (0..players).collect();
    for meeting in meetings {
        let (one, other) = (root(&mut parent, meeting.first), root(&mut parent, meeting.second));
        // The lower player stays the root, so that groups are numbered by their lowest players.
        parent[one.max(other)] = one.min(other);
    }
    let mut number = vec![0; players];
    let mut count = 0;
    for player in 0..players {
        let root = root(&mut parent, player);
        if root == player {
            number[player] = count;
            count += 1;
        } else {
            number[player] = number[root];
        }
    }
    (number, count)
}

fn root(parent: &mut [usize], mut player: usize) -> usize {
    while parent[player] != player {
        parent[player] = parent[parent[player]];
        player = parent[player];
    }
    player
}
