//! Stopping a run: first the games wind down, then everything ends at once.

use tokio::sync::watch;

/// How far a run is to be stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// It is not.
    No,
    /// No new game; those that run are broken off and their bots stopped politely.
    Now,
    /// Bots are killed.
    Kill,
}

/// The side that stops.
#[derive(Debug)]
pub struct Stopper(watch::Sender<Stop>);

/// The side that is told.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<Stop>);

/// A pair of both.
pub fn stopping() -> (Stopper, StopSignal) {
    let (sender, receiver) = watch::channel(Stop::No);
    (Stopper(sender), StopSignal(receiver))
}

impl Stopper {
    /// Goes a step further; returns what is asked for now.
    pub fn further(&self) -> Stop {
        self.0.send_modify(|stop| *stop = if *stop == Stop::No { Stop::Now } else { Stop::Kill });
        *self.0.borrow()
    }
}

impl StopSignal {
    /// What is asked for.
    pub fn state(&self) -> Stop {
        *self.0.borrow()
    }

    /// Waits until the run is to be stopped; for ever where nobody can stop it any more.
    pub async fn now(&self) {
        let mut receiver = self.0.clone();
        if receiver.wait_for(|stop| *stop >= Stop::Now).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
