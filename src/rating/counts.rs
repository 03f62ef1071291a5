//! The two kinds of counts a match of two players leaves. They hold what was counted and judge nothing.

/// Results of single games, seen from one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Games {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// Results of complete pairs of games, seen from one player: both lost, one lost and one drawn, one point of
/// two, one won and one drawn, both won. A pair of which one game is missing or void is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pairs {
    /// Both games lost.
    pub lost_lost: u64,
    /// One lost, one drawn.
    pub lost_drawn: u64,
    /// Won once and lost once, or drawn twice: the score does not tell them apart.
    pub even: u64,
    /// One won, one drawn.
    pub won_drawn: u64,
    /// Both games won.
    pub won_won: u64,
}

impl Games {
    /// The same games seen from the other player.
    pub fn reversed(self) -> Games {
        Games { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Counts by rising score: 0, ½, 1.
    pub(super) fn by_score(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl Pairs {
    /// The same pairs seen from the other player.
    pub fn reversed(self) -> Pairs {
        Pairs {
            lost_lost: self.won_won,
            lost_drawn: self.won_drawn,
            even: self.even,
            won_drawn: self.lost_drawn,
            won_won: self.lost_lost,
        }
    }

    /// Counts by rising score: 0, ¼, ½, ¾, 1.
    pub(super) fn by_score(&self) -> [u64; 5] {
        [self.lost_lost, self.lost_drawn, self.even, self.won_drawn, self.won_won]
    }
}
