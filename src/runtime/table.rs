//! One game at its table: a referee driven with two seated bots.
//!
//! The loop asks three things of the world: what came from a bot, what time it is, whether the run is stopped. All
//! decisions are the referee's; that it is asked in a fixed order (`biased`) changes no verdict, since verdicts
//! compare stamps.

use std::time::Duration;

use super::seat::{Closing, HungUp, LAST_LINES, Seat};
use super::stop::StopSignal;
use super::watch::Watch;
use crate::clock::{Stamp, TimeSettings};
use crate::game::Colour;
use crate::process::Event;
use crate::protocol::Clause;
use crate::referee::{Fault, Game, GamePlan, Input, Verdict};

impl Keeper {
    /// One of its pipes was found closed. It ends only where it may go on.
    fn hung_up(&mut self, now: Stamp, seat: &mut Seat, how: HungUp) {
        self.closing.begin(now, how);
        seat.process.thaw();
    }

    /// Writing waits no longer.
    fn goes_on(&mut self, now: Stamp) {
        self.waited += self.blocked.take().map_or(Duration::ZERO, |since| now.since(since));
    }

    /// How long writing has waited in this game.
    fn waited(&self, now: Stamp) -> Duration {
        self.waited + self.blocked.map_or(Duration::ZERO, |since| now.since(since))
    }

    /// When it has waited so long.
    fn tired(&self, most: Duration) -> Option<Stamp> {
        self.blocked.map(|since| since + most.saturating_sub(self.waited))
    }
}

/// A game that is over.
#[derive(Debug)]
pub struct Played {
    /// The referee, with its verdict and all turns.
    pub game: Game,
    /// The verdict, its evidence completed with what only the keeper of a process sees.
    pub verdict: Verdict,
    /// The last words of each bot that was at fault.
    pub stderr: [Vec<String>; 2],
}

/// What is followed of a seat during a game.
#[derive(Default)]
struct Keeper {
    /// When writing began to wait.
    blocked: Option<Stamp>,
    /// How long writing has waited in this game.
    waited: Duration,
    /// Which of its pipes was closed, if one was.
    closing: Closing,
}

/// Plays a game to its verdict. `observe` is shown the game after each turn, and may give a cause to break it off:
/// it is void then. The bots are told of the end; whether their processes can go on is for the caller to
/// see from the verdict.
pub async fn play(
    plan: GamePlan,
    seats: [&mut Seat; 2],
    stop: &StopSignal,
    mut observe: impl FnMut(&Game) -> Option<&'static str>,
) -> Played {
    let watch = Watch::start();
    let time = plan.time;
    let fronts = [&seats[0], &seats[1]].map(|seat| seat.bot.protocol.front(seat.profile.wants));
    let mut game = Game::new(plan, fronts);
    let [red, blue] = seats;
    let mut keepers = [Keeper::default(), Keeper::default()];
    let mut armed = None;
    let mut timer = std::pin::pin!(tokio::time::sleep_until(watch.instant(armed)));
    let mut stopped = std::pin::pin!(stop.now());
    let mut turns = usize::MAX;
    loop {
        for side in Colour::BOTH {
            let seat = if side == Colour::Red { &mut *red } else { &mut *blue };
            send(&mut game, side, seat, &mut keepers[side.index()], &watch);
        }
        for (side, seat) in [(Colour::Red, &mut *red), (Colour::Blue, &mut *blue)] {
            // In deployment both think.
            let idle = game.position().is_some() && !game.asks(side) && game.verdict().is_none();
            let keeper = &mut keepers[side.index()];
            // One that is about to end could not.
            if idle && seat.process.freezes() && keeper.closing.since().is_none() {
                // What it has not read it can read when it goes on.
                keeper.goes_on(watch.now());
                seat.process.freeze();
            }
        }
        if game.turns().len() != turns {
            turns = game.turns().len();
            if let Some(cause) = observe(&game) {
                game.input(Input::Abort(cause));
                continue;
            }
        }
        if game.verdict().is_some() {
            break;
        }
        let leaver = leaver(&game, &keepers);
        let wake = next_wake(&game, leaver, &keepers, &time);
        // A timer that is set too early costs one idle turn of the loop; setting it anew costs more, each ply.
        if wake.is_some() && armed.is_none_or(|armed| wake < Some(armed)) {
            armed = wake;
            timer.as_mut().reset(watch.instant(wake));
        }
        let (side, event) = tokio::select! {
            biased;
            event = red.process.event(), if leaver != Some(Colour::Blue) => (Colour::Red, event),
            event = blue.process.event(), if leaver != Some(Colour::Red) => (Colour::Blue, event),
            _ = &mut stopped => {
                game.input(Input::Abort("the run was stopped"));
                continue;
            }
            _ = &mut timer => {
                armed = None;
                timer.as_mut().reset(watch.instant(None));
                let seats = [&mut *red, &mut *blue];
                time_passed(&mut game, leaver, seats, &mut keepers, &time, watch.now());
                continue;
            }
        };
        let seat = if side == Colour::Red { &mut *red } else { &mut *blue };
        let (now, keeper) = (watch.now(), &mut keepers[side.index()]);
        match event {
            Event::Output => take_lines(&mut game, side, seat, now),
            Event::Writable => {}
            Event::Deaf => keeper.hung_up(now, seat, HungUp::Input),
            Event::End => match seat.process.exited() {
                Some(exit) => {
                    let since = keeper.closing.end(now);
                    gone(&mut game, side, seat, since, HungUp::Exited(exit));
                }
                None => keeper.hung_up(now, seat, HungUp::Output),
            },
            Event::Exited(exit) => {
                seat.process.read_now();
                take_lines(&mut game, side, seat, now);
                let since = keeper.closing.end(now);
                gone(&mut game, side, seat, since, HungUp::Exited(exit));
            }
        }
    }
    let mut verdict = game.verdict().expect("the loop ends with a verdict").clone();
    let stderr = [(Colour::Red, red), (Colour::Blue, blue)].map(|(side, seat)| {
        seat.process.thaw();
        seat.process.watch_input(false);
        seat.after_game(game.left_open(side));
        match fault_mut(&mut verdict, side) {
            Some(fault) => {
                fault.evidence += &seat.hint(fault.clause);
                seat.process.last_stderr(LAST_LINES)
            }
            None => Vec::new(),
        }
    });
    Played { game, verdict, stderr }
}

fn fault_mut(verdict: &mut Verdict, side: Colour) -> Option<&mut Fault> {
    match verdict {
        Verdict::Forfeit(fault) | Verdict::ClockDraw(fault) => Some(fault).filter(|f| f.side == side),
        Verdict::DoubleForfeit(faults) => faults.iter_mut().find(|f| f.side == side),
        _ => None,
    }
}

/// Writes to a bot what the referee has put out for it.
fn send(game: &mut Game, side: Colour, seat: &mut Seat, keeper: &mut Keeper, watch: &Watch) {
    if !game.out(side).is_empty() {
        if game.asks(side) {
            // What can be read before a question is written came too early, and is no answer to it.
            seat.process.read_now();
            let now = watch.now();
            take_lines(game, side, seat, now);
            if let Err(fault) = game.read_begun(side, seat.process.intake.unfinished()) {
                game.input(Input::Failed(side, now, fault.clause, &fault.evidence));
            }
        }
        let out = game.out(side);
        seat.wire.sent(out);
        seat.process.queue(out);
        out.clear();
    }
    if !seat.process.has_pending() {
        return;
    }
    // What is stopped is let go on for a question, and for the end; it reads the rest then.
    let rests = seat.process.is_frozen() && !game.asks(side) && game.verdict().is_none();
    if !rests {
        // Before the stamp: that it was stopped is not charged.
        seat.process.thaw();
    }
    // The moment before a write that took it all: the write wakes the bot, and may give it the core before we could
    // ask for the time after it. A write that had to wait is stamped when it goes on, so waiting is not charged.
    let before = watch.now();
    match seat.process.flush() {
        Ok(true) => {
            keeper.goes_on(before);
            // Events and the end of a game are no question: a turn goes on over them.
            if game.asks(side) {
                seat.process.intake.new_turn();
                // A question that gets lost behind our back would be waited on for ever where there is no clock.
                seat.process.watch_input(true);
            }
            game.input(Input::Written(side, before));
        }
        Ok(false) if rests => {}
        Ok(false) => keeper.blocked = keeper.blocked.or_else(|| Some(watch.now())),
        // It closed its input. Its exit, if that is why, is about to be noticed, and says more.
        Err(_) => {
            keeper.blocked = None;
            keeper.hung_up(watch.now(), seat, HungUp::Input);
        }
    }
}

/// Hands the referee the whole lines that came from a bot.
fn take_lines(game: &mut Game, side: Colour, seat: &mut Seat, now: Stamp) {
    while game.verdict().is_none() {
        match seat.process.intake.next_line() {
            None => return,
            Some(Err(clause)) => {
                // Its opponent may still deploy, and is not to share the core with a reader of rubbish.
                seat.process.stop_reading();
                return game.input(Input::Limit(side, now, clause));
            }
            Some(Ok(line)) => {
                seat.wire.got(line);
                game.input(Input::Line(side, now, line));
            }
        }
    }
}

fn gone(game: &mut Game, side: Colour, seat: &Seat, now: Stamp, how: HungUp) {
    // An exit is the bot's own, or that of a limit which it passed.
    if let HungUp::Exited(_) = how
        && let Some(breach) = seat.process.breach()
    {
        return game.input(Input::Failed(side, now, breach.clause, &breach.evidence));
    }
    let clause = if game.position().is_none() { seat.clause_unheard(how) } else { how.clause() };
    game.input(Input::Failed(side, now, clause, &how.evidence()));
}

/// Who hung up first in a game that is being played, and so loses it: until it is known how, nothing else is heard.
fn leaver(game: &Game, keepers: &[Keeper; 2]) -> Option<Colour> {
    game.position()?;
    let since = |side: &Colour| keepers[side.index()].closing.since();
    Colour::BOTH.into_iter().filter(|side| since(side).is_some()).min_by_key(since)
}

fn next_wake(
    game: &Game,
    leaver: Option<Colour>,
    keepers: &[Keeper; 2],
    time: &TimeSettings,
) -> Option<Stamp> {
    if let Some(side) = leaver {
        return keepers[side.index()].closing.at();
    }
    let kept = keepers.iter().filter_map(|k| k.closing.at().or(k.tired(time.write)));
    kept.chain(game.deadline().filter(|_| !anyone_closing(keepers))).min()
}

/// Whether one of the bots has hung up, and how is about to be known.
fn anyone_closing(keepers: &[Keeper; 2]) -> bool {
    keepers.iter().any(|keeper| keeper.closing.since().is_some())
}

fn time_passed(
    game: &mut Game,
    leaver: Option<Colour>,
    seats: [&mut Seat; 2],
    keepers: &mut [Keeper; 2],
    time: &TimeSettings,
    now: Stamp,
) {
    for (side, seat) in Colour::BOTH.into_iter().zip(seats) {
        let keeper = &mut keepers[side.index()];
        if leaver.is_some_and(|leaver| leaver != side) {
            continue;
        }
        if keeper.closing.since().is_some() {
            if let Some(how) = keeper.closing.due(now, &mut seat.process) {
                let since = keeper.closing.end(now);
                gone(game, side, seat, since, how);
            }
        } else if keeper.tired(time.write).is_some_and(|at| now >= at) {
            let waited = keeper.waited(now).as_secs_f64();
            let evidence = format!("what was written to it was not read for {waited:.1} s of the game");
            keeper.blocked = None;
            game.input(Input::Failed(side, now, Clause::TimeWrite, &evidence));
        }
    }
    if !anyone_closing(keepers) {
        game.input(Input::Tick(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_writing_waits_for_is_counted_over_a_game() {
        let ms = Duration::from_millis;
        let mut keeper = Keeper::default();
        let start = Stamp::default() + ms(1000);
        assert_eq!((keeper.tired(ms(500)), keeper.waited(start)), (None, ms(0)));
        keeper.blocked = Some(start);
        assert_eq!((keeper.tired(ms(500)), keeper.waited(start + ms(200))), (Some(start + ms(500)), ms(200)));
        keeper.goes_on(start + ms(300));
        assert_eq!((keeper.tired(ms(500)), keeper.waited(start + ms(900))), (None, ms(300)));
        keeper.blocked = Some(start + ms(1000));
        assert_eq!(keeper.tired(ms(500)), Some(start + ms(1200)));
        keeper.goes_on(start + ms(1600));
        keeper.blocked = Some(start + ms(2000));
        assert_eq!(keeper.tired(ms(500)), Some(start + ms(2000)));
    }
}
