//! A bot in its seat: started, past its handshake, ready for a game.

use std::sync::Arc;
use std::time::Duration;

use super::stop::StopSignal;
use super::watch::Watch;
use super::wire::Wire;
use crate::clock::{Stamp, TimeSettings};
use crate::game::{Colour, RuleSet};
use crate::process::{CANNOT_EXECUTE, Event, Exit, Launch, Process, Sandbox, StartError};
use crate::protocol::{self, Clause, Protocol, State, Wants, print::NewGame};
use crate::referee::{Handshake, Profile, Step};

/// A bot as the arena knows it.
#[derive(Clone, Debug)]
pub struct Bot {
    /// Its name in tables and records.
    pub name: String,
    /// The language it speaks.
    pub protocol: Protocol,
    /// How it is started.
    pub launch: Launch,
    /// Options to set after its handshake.
    pub options: Vec<(String, String)>,
    /// Whether it gets a new process for every game, whatever it says itself.
    pub restart: bool,
    /// Whether it may use all cores, because it thinks with several threads.
    pub threads: usize,
}

/// A bot in its seat.
#[derive(Debug)]
pub struct Seat {
    /// Which bot.
    pub bot: Arc<Bot>,
    /// Its process.
    pub process: Process,
    /// What it told of itself.
    pub profile: Profile,
    /// A transcript, where one is kept.
    pub wire: Wire,
    /// Options that it does not have, or that do not take their value; they were not sent.
    pub refused: Vec<String>,
    /// Games that its process has played.
    pub games: u64,
    /// Whether the last game ended over an open question of its.
    left_open: bool,
    /// Whether it was told of the end of a game.
    played: bool,
    /// Whether it had a handshake.
    greeted: bool,
}

/// Why a bot did not come to its seat.
#[derive(Debug)]
pub enum SeatError {
    /// Its own fault.
    Fault {
        /// The broken clause.
        clause: Clause,
        /// What was seen.
        evidence: String,
        /// Its last words.
        stderr: Vec<String>,
    },
    /// Nobody's: the machine's, or the operator's.
    Void(String),
    /// It was not started, since what it must be confined by cannot be had.
    Unconfined(String),
}

impl std::fmt::Display for SeatError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SeatError::Fault { clause, evidence, .. } => write!(f, "{evidence} [{clause}]"),
            SeatError::Void(cause) | SeatError::Unconfined(cause) => f.write_str(cause),
        }
    }
}

/// Lines of standard error shown with a fault.
pub(crate) const LAST_LINES: usize = 8;

/// How long a closed pipe is waited for to become an exit, which says more.
const CLOSING: Duration = Duration::from_millis(200);

/// How long at most, where the system has begun to end the process.
const ENDING: Duration = Duration::from_secs(10);

/// A pipe that a bot closed: its exit, if that is why, is about to be noticed. What the bot did, it did when the pipe was
/// found closed, so no clock is asked meanwhile.
#[derive(Debug, Default)]
pub(crate) struct Closing {
    found: Option<Closed>,
    /// Whether it is known how the bot hung up.
    over: bool,
}

#[derive(Clone, Copy, Debug)]
struct Closed {
    since: Stamp,
    how: HungUp,
    /// When it is looked at next.
    at: Stamp,
}

impl Closing {
    /// A pipe was found closed.
    pub(crate) fn begin(&mut self, now: Stamp, how: HungUp) {
        if !self.over {
            self.found.get_or_insert(Closed { since: now, how, at: now + CLOSING });
        }
    }

    /// When a pipe was found closed, of a bot of which it is not known yet how it hung up.
    pub(crate) fn since(&self) -> Option<Stamp> {
        self.found.map(|closed| closed.since)
    }

    /// When it is to be looked at.
    pub(crate) fn at(&self) -> Option<Stamp> {
        self.found.map(|closed| closed.at)
    }

    /// It is known now how the bot hung up. Returns when it did.
    pub(crate) fn end(&mut self, now: Stamp) -> Stamp {
        self.over = true;
        self.found.take().map_or(now, |closed| closed.since)
    }

    /// How the bot hung up, where its stub has told, or it has had its time and still runs. One that is ending is waited
    /// for: a busy machine takes a while to tell.
    pub(crate) fn due(&mut self, now: Stamp, process: &mut Process) -> Option<HungUp> {
        let closed = self.found.as_mut().filter(|closed| now >= closed.at)?;
        if let Some(exit) = process.told_exit() {
            return Some(HungUp::Exited(exit));
        }
        if now.since(closed.since) < ENDING && process.is_ending() {
            closed.at = now + CLOSING;
            return None;
        }
        Some(closed.how)
    }
}

/// A way in which a bot hangs up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HungUp {
    /// It exited.
    Exited(Exit),
    /// It closed its output and still runs.
    Output,
    /// It closed its input and still runs.
    Input,
}

impl HungUp {
    /// The clause it breaks, where it may not even have begun to run.
    pub(super) fn clause_at_start(self) -> Clause {
        match self {
            HungUp::Exited(Exit::Status(CANNOT_EXECUTE)) => Clause::ProcessSpawn,
            how => how.clause(),
        }
    }

    /// The clause it breaks. A closed input will never be read, whatever is waited for.
    pub(crate) fn clause(self) -> Clause {
        match self {
            HungUp::Exited(_) | HungUp::Output => Clause::ProcessExit,
            HungUp::Input => Clause::TimeWrite,
        }
    }

    /// What is said of it.
    pub(crate) fn evidence(self) -> String {
        match self {
            HungUp::Exited(exit) => format!("it {exit}"),
            HungUp::Output => "it closed its standard output and still runs".to_owned(),
            HungUp::Input => "it closed its standard input and still runs".to_owned(),
        }
    }
}

/// The hint that a missing newline or flush deserves, or what came instead of an answer.
pub(crate) fn silence_hint(process: &Process) -> String {
    let unfinished = process.intake.unfinished();
    let lines = process.intake.lines();
    if unfinished.is_empty() && lines > 0 {
        format!("{lines} lines came from it meanwhile, none of them an answer in time")
    } else if unfinished.is_empty() {
        "no line came from it: does it flush its output after each line (in Python: print(…, flush=True))?"
            .to_owned()
    } else {
        format!(
            "{} bytes came without the end of their line, {}: is the newline missing, or a flush?",
            unfinished.len(),
            crate::protocol::Shown(unfinished)
        )
    }
}

/// What may be the matter with a confined bot whose last words say that something was denied to it.
pub fn reach_hint(confined: bool, last: &[String]) -> &'static str {
    let said = |words: &str| confined && last.iter().any(|line| line.contains(words));
    if said("ermission denied") {
        "it is confined to its own folder: grant what else it needs by read = [\"PATH\"] or write = [\"PATH\"] \
         in its registry entry (read=PATH, write=PATH in --bot words); --sandbox off confines nobody"
    } else if said("peration not permitted") {
        "in a sandbox the modes, owners, times and attributes of files stay as they are, its own files' too: copy \
         content without the mode (Python's shutil.copyfile); --sandbox off confines nobody"
    } else {
        ""
    }
}

/// The same of a process, as it is added to the evidence of its exit.
pub(crate) fn exit_hint(process: &Process, confined: bool) -> String {
    match reach_hint(confined, &process.last_stderr(LAST_LINES)) {
        "" => String::new(),
        hint => format!("; {hint}"),
    }
}

/// What passed a limit of a bot's output, where that can be shown.
pub(crate) fn limit_hint(process: &Process) -> String {
    match process.intake.refused() {
        [] => String::new(),
        line => format!("; the line begins with {}", protocol::Shown(line)),
    }
}

impl Seat {
    /// What the keeper of its process adds to the evidence of a fault of its.
    pub(super) fn hint(&self, clause: Clause) -> String {
        match clause {
            Clause::TimeMove | Clause::TimeSetup => format!("; {}", silence_hint(&self.process)),
            Clause::LineLength | Clause::LineFlood => limit_hint(&self.process),
            Clause::ProcessExit => {
                exit_hint(&self.process, self.bot.launch.confinement.sandbox != Sandbox::Off)
            }
            _ => String::new(),
        }
    }

    /// Starts a bot and brings it to `readyok`.
    ///
    /// # Errors
    /// [`SeatError`]; the process is then stopped.
    pub async fn take(
        bot: &Arc<Bot>,
        time: &TimeSettings,
        stop: &StopSignal,
        echo: bool,
        wire: bool,
    ) -> Result<Seat, SeatError> {
        let process = Process::start(&bot.launch, echo.then(|| bot.name.clone())).map_err(|e| match e {
            StartError::Resources(_) => SeatError::Void(e.to_string()),
            StartError::Failed(error) => SeatError::Fault {
                clause: Clause::ProcessSpawn,
                evidence: format!("{} does not start: {error}", bot.launch.program.display()),
                stderr: Vec::new(),
            },
        })?;
        if bot.threads > 1 {
            process.free_its_cores();
        }
        let mut seat = Seat {
            bot: Arc::clone(bot),
            process,
            profile: Profile::default(),
            wire: Wire::new(wire),
            refused: Vec::new(),
            games: 0,
            left_open: false,
            played: false,
            greeted: false,
        };
        let mut handshake = Handshake::new(bot.protocol);
        let Some(opening) = handshake.opening() else {
            // Nothing can be asked before its game, nor after it.
            seat.profile.wants.fresh = true;
            return Ok(seat);
        };
        seat.greeted = true;
        // The start-up allowance is one for the handshake and one for getting ready.
        seat.say(&opening);
        if let Err(error) = seat.shake(&mut handshake, Clause::TimeStart, time, stop).await {
            seat.leave(false).await;
            return Err(error);
        }
        let text = handshake.ready(&bot.options, &mut seat.refused);
        let ready = match seat.ask(&text, State::Silent) {
            Ok(()) => seat.shake(&mut handshake, Clause::TimeReady, time, stop).await,
            early => early,
        };
        if let Err(error) = ready {
            seat.leave(false).await;
            return Err(error);
        }
        seat.profile = handshake.into_profile();
        if seat.profile.wants.ponder {
            seat.process.free_its_cores();
        }
        Ok(seat)
    }

    /// Asks a process that has played whether it is ready for another game.
    ///
    /// # Errors
    /// As [`Seat::take`]; the seat is then to be stopped.
    pub async fn ready_again(&mut self, time: &TimeSettings, stop: &StopSignal) -> Result<(), SeatError> {
        let profile = std::mem::take(&mut self.profile);
        let mut handshake = Handshake::again(self.bot.protocol, profile, self.left_open);
        let before = if self.left_open { State::Over } else { State::Silent };
        let mut question = String::new();
        self.bot.protocol.front(Wants::default()).ask_ready(&mut question);
        let answer = match self.ask(&question, before) {
            Ok(()) => self.shake(&mut handshake, Clause::TimeReady, time, stop).await,
            early => early,
        };
        self.profile = handshake.into_profile();
        self.left_open = false;
        answer
    }

    /// The last lines of its standard error.
    pub fn last_words(&self) -> Vec<String> {
        self.process.last_stderr(LAST_LINES)
    }

    /// Ends it: politely, where that makes sense, with the word of its language.
    pub async fn leave(self, politely: bool) {
        let farewell = politely.then(|| {
            let mut text = String::new();
            self.bot.protocol.front(Wants::default()).farewell(&mut text, self.played);
            text
        });
        self.process.stop(farewell.as_deref()).await;
    }

    /// Notes how a game left it.
    pub fn after_game(&mut self, left_open: bool) {
        (self.left_open, self.played) = (left_open, true);
        self.process.new_game();
    }

    /// Puts a question to it. What can be read before that came too early, and is no answer.
    fn ask(&mut self, text: &str, before: State) -> Result<(), SeatError> {
        let mut front = self.bot.protocol.front(Wants::default());
        self.process.read_now();
        while let Some(line) = self.process.intake.next_line() {
            let line = match line {
                Ok(line) => line,
                Err(clause) => return Err(self.over_limit(clause)),
            };
            self.wire.got(line);
            if let Err(fault) = front.read(line, before) {
                return Err(self.fault(fault.clause, fault.evidence));
            }
        }
        if before == State::Silent {
            let begun = front.read_begun(self.process.intake.unfinished());
            begun.map_err(|fault| self.fault(fault.clause, fault.evidence))?;
        }
        self.say(text);
        Ok(())
    }

    fn say(&mut self, text: &str) {
        self.wire.sent(text);
        self.process.intake.new_turn();
        self.process.queue(text);
    }

    /// Sees whether a bot starts whose process starts with its game, and so has no handshake: it is asked for a
    /// deployment as in a game, and whatever it writes is a sign of life, judged by nobody.
    ///
    /// # Errors
    /// As [`Seat::take`]; the seat is then to be stopped.
    pub async fn rehearse(
        &mut self,
        rules: &RuleSet,
        time: &TimeSettings,
        stop: &StopSignal,
    ) -> Result<(), SeatError> {
        let mut front = self.bot.protocol.front(Wants::default());
        if !front.starts_with_game() {
            return Ok(());
        }
        let (colour, first) = (Colour::Red, Colour::Red);
        let mut question = String::new();
        front.new_game(&mut question, &NewGame { id: "rehearsal", colour, first, seed: 0, time, rules });
        front.ask_deployment(&mut question);
        self.say(&question);
        let allowance = time.start + time.setup.unwrap_or_default();
        self.converse(allowance, Clause::TimeStart, stop, |seat| {
            let intake = &mut seat.process.intake;
            let heard = !intake.unfinished().is_empty() || intake.next_line().is_some();
            Ok(if heard { Step::Answered } else { Step::Open })
        })
        .await
    }

    /// Lets a handshake go on until its question is answered.
    async fn shake(
        &mut self,
        handshake: &mut Handshake,
        late: Clause,
        time: &TimeSettings,
        stop: &StopSignal,
    ) -> Result<(), SeatError> {
        self.converse(time.start, late, stop, |seat| {
            loop {
                let line = match seat.process.intake.next_line() {
                    None => return Ok(Step::Open),
                    Some(Err(clause)) => return Err(seat.over_limit(clause)),
                    Some(Ok(line)) => line,
                };
                seat.wire.got(line);
                match handshake.line(line) {
                    Ok(Step::Open) => {}
                    // A line behind the answer is judged before the next question.
                    Ok(Step::Answered) => return Ok(Step::Answered),
                    Err(fault) => return Err(seat.fault(fault.clause, fault.evidence)),
                }
            }
        })
        .await
    }

    /// Writes what is queued and reads until `heard` finds the open question answered.
    async fn converse(
        &mut self,
        allowance: Duration,
        late: Clause,
        stop: &StopSignal,
        mut heard: impl FnMut(&mut Seat) -> Result<Step, SeatError>,
    ) -> Result<(), SeatError> {
        let watch = Watch::start();
        let deadline = watch.now() + allowance;
        let mut closing = Closing::default();
        let mut stopped = std::pin::pin!(stop.now());
        self.process.watch_input(true);
        loop {
            if self.process.has_pending() && self.process.flush().is_err() {
                // It may have exited, which says more and is about to be noticed.
                closing.begin(watch.now(), HungUp::Input);
            }
            if heard(self)? == Step::Answered {
                self.process.watch_input(false);
                return Ok(());
            }
            let wake = watch.instant(Some(closing.at().unwrap_or(deadline)));
            let event = tokio::select! {
                biased;
                // First, so that no chatter can put it off.
                _ = std::future::ready(()), if watch.now() > closing.at().unwrap_or(deadline) => None,
                event = self.process.event() => Some(event),
                _ = &mut stopped => return Err(SeatError::Void("the run was stopped".to_owned())),
                _ = tokio::time::sleep_until(wake) => None,
            };
            match event {
                Some(Event::Output | Event::Writable) => {}
                Some(Event::Deaf) => closing.begin(watch.now(), HungUp::Input),
                Some(Event::End) => closing.begin(watch.now(), HungUp::Output),
                Some(Event::Exited(exit)) => {
                    return Err(self.gone(HungUp::Exited(exit)));
                }
                None => {
                    if let Some(how) = closing.due(watch.now(), &mut self.process) {
                        return Err(self.gone(how));
                    }
                    if closing.at().is_some() || watch.now() <= deadline {
                        continue;
                    }
                    let waited = allowance.as_secs_f64();
                    let evidence =
                        format!("it was waited for {waited:.1} s; {}", silence_hint(&self.process));
                    return Err(self.fault(late, evidence));
                }
            }
        }
    }

    /// The clause that hanging up breaks before a game has begun: a bot that had no handshake and never wrote a line
    /// may not even run.
    pub(super) fn clause_unheard(&self, how: HungUp) -> Clause {
        let unheard = !self.greeted && self.process.intake.lines() == 0;
        if unheard { how.clause_at_start() } else { how.clause() }
    }

    fn gone(&mut self, how: HungUp) -> SeatError {
        if let Some(why) = self.process.refused() {
            return SeatError::Unconfined(why);
        }
        if let HungUp::Exited(_) = how
            && let Some(breach) = self.process.breach()
        {
            return self.fault(breach.clause, breach.evidence);
        }
        self.fault(how.clause_at_start(), format!("{}, before it was ready", how.evidence()))
    }

    fn over_limit(&self, clause: Clause) -> SeatError {
        let evidence = format!("it {}{}", clause.meaning(), limit_hint(&self.process));
        self.fault(clause, evidence)
    }

    fn fault(&self, clause: Clause, evidence: String) -> SeatError {
        SeatError::Fault { clause, evidence, stderr: self.process.last_stderr(LAST_LINES) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_closed_counts_from_then_and_once() {
        let at = |ms| Stamp(Duration::from_millis(ms));
        let mut closing = Closing::default();
        assert_eq!((closing.since(), closing.at()), (None, None));
        closing.begin(at(100), HungUp::Output);
        closing.begin(at(150), HungUp::Input);
        assert_eq!((closing.since(), closing.at()), (Some(at(100)), Some(at(300))));
        assert_eq!(closing.end(at(400)), at(100));
        // A copy of a pipe that is closed later, by a child, tells nothing new: in deployment the opponent's clock runs on.
        closing.begin(at(500), HungUp::Output);
        assert_eq!((closing.since(), closing.at()), (None, None));
        assert_eq!(Closing::default().end(at(7)), at(7));
    }
}
