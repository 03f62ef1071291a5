//! The one place that asks what time it is.

use std::time::{Duration, Instant};

use crate::clock::Stamp;

/// A stopwatch that makes the stamps of a game.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    zero: Instant,
}

impl Watch {
    /// Starts it.
    #[allow(clippy::disallowed_methods)] // this is the place
    pub fn start() -> Watch {
        Watch { zero: Instant::now() }
    }

    /// The time since it was started.
    pub fn now(&self) -> Stamp {
        Stamp(self.zero.elapsed())
    }

    /// The moment of a stamp, for a timer; far away where there is none.
    pub fn instant(&self, stamp: Option<Stamp>) -> tokio::time::Instant {
        let span = stamp.map_or(Duration::from_secs(86_400), |s| s.0);
        tokio::time::Instant::from_std(self.zero + span)
    }
}
