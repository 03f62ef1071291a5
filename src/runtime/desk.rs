//! Where workers ask for their next game, and wait where it depends on games that are still played.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use super::stop::{Stop, StopSignal};
use crate::tournament::{Dealer, Issue, Outcome, Planned};

/// A dealer that several threads ask.
#[derive(Debug)]
pub struct Desk {
    dealer: Mutex<Dealer>,
    news: Condvar,
}

/// A stop rings no bell here: so often a waiting worker looks for one.
const LOOK: Duration = Duration::from_millis(50);

impl Desk {
    /// A desk of a dealer.
    pub fn new(dealer: Dealer) -> Desk {
        Desk { dealer: Mutex::new(dealer), news: Condvar::new() }
    }

    /// The next game for a worker; none where there is none any more, or the run is stopped.
    pub fn next(&self, worker: usize, stop: &StopSignal) -> Option<Planned> {
        let mut dealer = self.dealer.lock().expect("a dealer does not panic");
        while stop.state() == Stop::No {
            match dealer.issue(worker) {
                Issue::Game(game) => return Some(game),
                Issue::Done => return None,
                Issue::Wait => {
                    dealer = self.news.wait_timeout(dealer, LOOK).expect("a dealer does not panic").0;
                }
            }
        }
        None
    }

    /// Tells the result of a game.
    pub fn settle(&self, game: Planned, outcome: Outcome) {
        self.with(|dealer| dealer.settle(game, outcome));
        self.news.notify_all();
    }

    /// Tells that a game came to nothing, and that another run is to play it.
    pub fn give_up(&self) {
        self.with(Dealer::give_up);
        self.news.notify_all();
    }

    /// Asks the dealer something.
    pub fn with<T>(&self, ask: impl FnOnce(&mut Dealer) -> T) -> T {
        ask(&mut self.dealer.lock().expect("a dealer does not panic"))
    }
}
