//! Time controls, and a two-sided clock that is told the time.
//!
//! Never asks what time it is: moments are [`Stamp`]s, made by whoever drives a game, and spans are [`Duration`]s.

use std::fmt;
use std::time::Duration;

/// A moment of a game: the time since the game's own zero. Never runs back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Stamp(pub Duration);

impl Stamp {
    /// How long after `earlier` this is; zero where it is not.
    pub fn since(self, earlier: Stamp) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl std::ops::Add<Duration> for Stamp {
    type Output = Stamp;
    fn add(self, span: Duration) -> Stamp {
        Stamp(self.0.saturating_add(span))
    }
}

/// How much time a side has for its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// So much for each move anew.
    PerMove(Duration),
    /// A clock: a base with an increment for each move, the base again after each period of moves.
    Clock {
        /// The base.
        base: Duration,
        /// Added for each move, the first included.
        increment: Duration,
        /// Moves of a period, where there are periods.
        period: Option<u32>,
    },
    /// No clock, for debuggers; only an idle bot is stopped.
    Unlimited {
        /// How long a bot may stay silent.
        idle: Duration,
    },
}

/// Why a text is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    /// No span.
    #[error("`{0}` is no time: a number of seconds, or with its unit as in 200ms, 1.5s, 2m")]
    Span(String),
    /// No control.
    #[error(
        "`{0}` is no time control: BASE+INCREMENT in seconds as in 60+0.5, MOVES/BASE+INCREMENT, or none"
    )]
    Control(String),
}

/// Reads a span: seconds, or a number with `ms`, `s` or `m`.
///
/// # Errors
/// [`TimeError::Span`].
pub fn parse_span(text: &str) -> Result<Duration, TimeError> {
    let wrong = || TimeError::Span(text.to_owned());
    let (number, unit) = match text.trim_end_matches(|c: char| c.is_ascii_alphabetic()) {
        number if number.len() == text.len() => (text, 1.0),
        number => (
            number,
            match &text[number.len()..] {
                "ms" => 1e-3,
                "s" => 1.0,
                "m" | "min" => 60.0,
                _ => return Err(wrong()),
            },
        ),
    };
    let seconds: f64 = number.parse().map_err(|_| wrong())?;
    // A day is more than any game takes; it keeps the arithmetic of clocks far from its ends.
    if !(0.0..=86_400.0).contains(&(seconds * unit)) {
        return Err(wrong());
    }
    Ok(Duration::from_micros((seconds * unit * 1e6).round() as u64))
}

/// Prints a span the way [`parse_span`] reads it.
pub fn print_span(span: Duration) -> String {
    if span.subsec_nanos() == 0 {
        format!("{}s", span.as_secs())
    } else {
        format!("{}ms", span.as_secs_f64() * 1e3)
    }
}

/// How long a silent bot is waited for where there is no clock.
pub const IDLE_LIMIT: Duration = Duration::from_secs(3600);

impl TimeControl {
    /// Reads `60+0.5`, `40/60+0.5`, `60` or `none`.
    ///
    /// # Errors
    /// [`TimeError::Control`].
    pub fn parse(text: &str) -> Result<TimeControl, TimeError> {
        let wrong = || TimeError::Control(text.to_owned());
        if text == "none" {
            return Ok(TimeControl::Unlimited { idle: IDLE_LIMIT });
        }
        let (period, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                (Some(moves.parse().ok().filter(|&n: &u32| n > 0).ok_or_else(wrong)?), rest)
            }
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let span = |text| parse_span(text).map_err(|_| wrong());
        let (base, increment) = (span(base)?, span(increment)?);
        if base.is_zero() && increment.is_zero() {
            return Err(wrong());
        }
        Ok(TimeControl::Clock { base, increment, period })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::PerMove(span) => write!(f, "{} a move", print_span(*span)),
            TimeControl::Unlimited { .. } => f.write_str("none"),
            TimeControl::Clock { base, increment, period } => {
                if let Some(moves) = period {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

/// All that an event says of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSettings {
    /// For moves.
    pub control: TimeControl,
    /// The part of each turn that is not charged.
    pub delay: Duration,
    /// Granted to every bot above its budget, never shown as time left.
    pub margin: Duration,
    /// For the deployment; none where there is no limit.
    pub setup: Option<Duration>,
    /// For the start, and for each `isready`.
    pub start: Duration,
    /// For taking what is written to it.
    pub write: Duration,
}

impl Default for TimeSettings {
    fn default() -> TimeSettings {
        TimeSettings {
            control: TimeControl::PerMove(Duration::from_secs(1)),
            delay: Duration::ZERO,
            margin: Duration::from_millis(20),
            setup: Some(Duration::from_secs(10)),
            start: Duration::from_secs(10),
            write: Duration::from_secs(10),
        }
    }
}

/// A clock that fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// What the side had for this move, the margin apart.
    pub budget: Duration,
    /// What it used.
    pub used: Duration,
}

impl fmt::Display for Overrun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        let over = self.used.saturating_sub(self.budget);
        write!(
            f,
            "budget {:.1} ms, used {:.1} ms, overrun {:.1} ms",
            ms(self.budget),
            ms(self.used),
            ms(over)
        )
    }
}

/// Both sides' clocks.
#[derive(Clone, Debug)]
pub struct Clocks {
    settings: TimeSettings,
    left: [Duration; 2],
    made: [u32; 2],
}

impl Clocks {
    /// Clocks before the first move.
    pub fn new(settings: TimeSettings) -> Clocks {
        let left = match settings.control {
            TimeControl::Clock { base, increment, .. } => base + increment,
            TimeControl::PerMove(span) => span,
            TimeControl::Unlimited { idle } => idle,
        };
        Clocks { settings, left: [left; 2], made: [0; 2] }
    }

    /// What a side (0 Red, 1 Blue) has left as its turn begins, or nothing where there is no clock to show.
    pub fn left(&self, side: usize) -> Option<Duration> {
        matches!(self.settings.control, TimeControl::Clock { .. }).then_some(self.left[side])
    }

    /// Own moves to the end of the period, the next one included.
    pub fn moves_to_go(&self, side: usize) -> Option<u32> {
        match self.settings.control {
            TimeControl::Clock { period: Some(period), .. } => Some(period - self.made[side] % period),
            _ => None,
        }
    }

    /// What a side may use for its next move, the margin apart.
    pub fn budget(&self, side: usize) -> Duration {
        self.left[side] + self.settings.delay
    }

    /// The moment by which an answer to a question asked at `asked` must be there.
    pub fn deadline(&self, side: usize, asked: Stamp) -> Stamp {
        asked + self.budget(side) + self.settings.margin
    }

    /// Counts a move that was made before the clocks ran, of a given history: for periods.
    pub fn count_past_move(&mut self, side: usize) {
        self.made[side] += 1;
    }

    /// Charges a side for a move.
    ///
    /// # Errors
    /// [`Overrun`] where it used more than its budget and margin; the clock is then unchanged.
    pub fn charge(&mut self, side: usize, used: Duration) -> Result<(), Overrun> {
        let budget = self.budget(side);
        if used > budget + self.settings.margin {
            return Err(Overrun { budget, used });
        }
        self.made[side] += 1;
        if let TimeControl::Clock { base, increment, period } = self.settings.control {
            let charged = used.saturating_sub(self.settings.delay);
            // What the margin forgave leaves nothing, never less.
            self.left[side] = self.left[side].saturating_sub(charged) + increment;
            if period.is_some_and(|moves| self.made[side].is_multiple_of(moves)) {
                self.left[side] += base;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(control: &str) -> TimeSettings {
        TimeSettings { control: TimeControl::parse(control).unwrap(), ..TimeSettings::default() }
    }

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn the_first_move_has_base_plus_one_increment() {
        let clocks = Clocks::new(settings("60+0.5"));
        assert_eq!(clocks.left(0), Some(ms(60_500)));
    }

    #[test]
    fn the_period_s_last_move_must_be_made_before_the_new_base_is_granted() {
        let mut clocks = Clocks::new(settings("2/1+0"));
        clocks.charge(0, ms(600)).unwrap();
        assert_eq!(clocks.moves_to_go(0), Some(1));
        assert_eq!(clocks.charge(0, ms(421)), Err(Overrun { budget: ms(400), used: ms(421) }));
        clocks.charge(0, ms(400)).unwrap();
        assert_eq!((clocks.left(0), clocks.moves_to_go(0)), (Some(ms(1000)), Some(2)));
    }

    #[test]
    fn the_margin_forgives_and_never_makes_time_negative() {
        let mut clocks = Clocks::new(settings("1+0"));
        clocks.charge(1, ms(1020)).unwrap();
        assert_eq!(clocks.left(1), Some(Duration::ZERO));
        assert!(clocks.charge(1, ms(21)).is_err());
    }

    #[test]
    fn each_move_of_a_fixed_time_starts_with_the_full_budget() {
        let control = TimeControl::PerMove(ms(200));
        let mut clocks = Clocks::new(TimeSettings { control, ..TimeSettings::default() });
        for _ in 0..100 {
            clocks.charge(0, ms(220)).unwrap();
        }
        assert_eq!(clocks.budget(0), ms(200));
    }

    #[test]
    fn a_delay_is_not_charged() {
        let mut clocks = Clocks::new(TimeSettings { delay: ms(100), ..settings("1+0") });
        clocks.charge(0, ms(80)).unwrap();
        clocks.charge(0, ms(150)).unwrap();
        assert_eq!(clocks.left(0), Some(ms(950)));
    }

    #[test]
    fn spans_and_controls_are_read_as_authors_type_them() {
        assert_eq!(parse_span("200ms"), Ok(ms(200)));
        assert_eq!(parse_span("0.2"), Ok(ms(200)));
        assert_eq!(parse_span("2m"), Ok(ms(120_000)));
        for wrong in ["", "ms", "-1", "1h30", "nan", "inf", "1e9"] {
            assert!(parse_span(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "0+0", "0/5+1", "a", "1+", "/5"] {
            assert!(TimeControl::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(TimeControl::parse("40/60+0.5").unwrap().to_string(), "40/60+0.5");
    }
}
