//! One bot before the arbiter: written to and read from, step by step, with a transcript of it all.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::check::transcript::Transcript;
use crate::clock::Stamp;
use crate::process::{CANNOT_EXECUTE, Event, Exit, Process, Sandbox, StartError};
use crate::protocol::{self, Clause, Protocol, Said, State};
use crate::referee::{Handshake, Profile, Step};
use crate::runtime::{
    Bot, Closing, HungUp, LAST_LINES, StopSignal, Watch, exit_hint, limit_hint, silence_hint,
};

/// Why a case does not go on.
#[derive(Debug)]
pub(super) enum Halt {
    /// The bot broke a clause.
    Broke(Clause, String),
    /// It did not do what the case is about.
    Failed(String),
    /// The case cannot be tried with this bot.
    Skip(String),
    /// The arena failed, or was stopped.
    Void(String),
}

/// The result of a step.
pub(super) type Tried<T> = Result<T, Halt>;

/// The bytes of one piece, where a bot is written to in pieces.
const PIECE: usize = 13;

/// A bot and the conversation with it.
pub(super) struct Session {
    pub(super) process: Process,
    pub(super) transcript: Transcript,
    pub(super) exercised: BTreeSet<Clause>,
    pub(super) profile: Profile,
    /// How long the bot is waited for, where the case says nothing else.
    pub(super) limit: Duration,
    /// Whether it is written to in small pieces.
    pub(super) pieces: bool,
    pub(super) watch: Watch,
    handshake: Option<Handshake>,
    /// Whether the last game ended over an open question.
    pub(super) left_open: bool,
    gone: Option<HungUp>,
    /// A closed pipe, until it is taken for the end.
    closing: Closing,
    stop: StopSignal,
    options: Vec<(String, String)>,
    met: bool,
    confined: bool,
    /// The clauses of its limits.
    bound: Vec<Clause>,
}

impl Session {
    pub(super) fn start(bot: &Arc<Bot>, limit: Duration, stop: &StopSignal) -> Tried<Session> {
        let process = Process::start(&bot.launch, None).map_err(|error| match error {
            StartError::Resources(_) => Halt::Void(error.to_string()),
            StartError::Failed(error) => Halt::Broke(
                Clause::ProcessSpawn,
                format!("{} does not start: {error}", bot.launch.program.display()),
            ),
        })?;
        process.free_its_cores();
        Ok(Session {
            process,
            transcript: Transcript::default(),
            exercised: BTreeSet::new(),
            profile: Profile::default(),
            limit,
            pieces: false,
            watch: Watch::start(),
            handshake: None,
            left_open: false,
            gone: None,
            closing: Closing::default(),
            stop: stop.clone(),
            options: bot.options.clone(),
            met: false,
            confined: bot.launch.confinement.sandbox != Sandbox::Off,
            bound: bot.launch.limits.clauses().collect(),
        })
    }

    /// The last lines of its standard error.
    pub(super) fn last_words(&self) -> Vec<String> {
        self.process.last_stderr(LAST_LINES)
    }

    /// Writes to the bot, and waits until it has taken it.
    pub(super) async fn write(&mut self, text: &str) -> Tried<()> {
        self.transcript.sent(text);
        let since = self.watch.now();
        let size = if self.pieces { PIECE } else { text.len().max(1) };
        for piece in text.as_bytes().chunks(size) {
            self.process.queue(str::from_utf8(piece).expect("what the arbiter says is ASCII"));
            loop {
                match self.process.flush() {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(_) => {
                        // Its exit, if that is why, is about to be noticed, and says more.
                        self.closing.begin(self.watch.now(), HungUp::Input);
                        return Ok(());
                    }
                }
                let until = since + self.limit;
                if self.watch.now() > until {
                    let evidence =
                        format!("what was written to it was not read for {:.1} s", self.limit.as_secs_f64());
                    return Err(Halt::Broke(Clause::TimeWrite, evidence));
                }
                self.wait(until).await?;
                if self.gone.is_some() {
                    return Ok(());
                }
            }
            if self.pieces {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        self.exercised.insert(Clause::TimeWrite);
        Ok(())
    }

    /// Waits until something happens to the process, or until the moment given.
    async fn wait(&mut self, until: Stamp) -> Tried<()> {
        let until = self.closing.at().unwrap_or(until);
        let event = tokio::select! {
            biased;
            event = self.process.event() => Some(event),
            () = self.stop.now() => return Err(Halt::Void("the check was stopped".to_owned())),
            () = tokio::time::sleep_until(self.watch.instant(Some(until))) => None,
        };
        match event {
            Some(Event::Output | Event::Writable) => {}
            Some(Event::Deaf) => self.closing.begin(self.watch.now(), HungUp::Input),
            Some(Event::End) => {
                self.transcript.noted("it closed its standard output");
                self.closing.begin(self.watch.now(), HungUp::Output);
            }
            Some(Event::Exited(exit)) => {
                self.transcript.noted(&format!("it {exit}"));
                self.gone = Some(HungUp::Exited(exit));
            }
            None => {}
        }
        if let Some(how) = self.closing.due(self.watch.now(), &mut self.process) {
            self.gone.get_or_insert(how);
        }
        Ok(())
    }

    /// The next line of the bot; none where the moment passes without one.
    pub(super) async fn line(&mut self, until: Stamp) -> Tried<Option<Vec<u8>>> {
        loop {
            match self.process.intake.next_line() {
                Some(Ok(line)) => {
                    let line = line.to_vec();
                    self.transcript.got(&line);
                    return Ok(Some(line));
                }
                Some(Err(clause)) => {
                    let evidence = format!("it {}{}", clause.meaning(), limit_hint(&self.process));
                    return Err(Halt::Broke(clause, evidence));
                }
                None => {}
            }
            if let Some(gone) = self.gone {
                return Err(self.has_gone(gone));
            }
            if self.watch.now() > until && self.closing.at().is_none() {
                let unfinished = self.process.intake.unfinished();
                if !unfinished.is_empty() {
                    let shown = protocol::Shown(unfinished).to_string();
                    self.transcript.noted(&format!("without a line end: {shown}"));
                }
                return Ok(None);
            }
            // What was written may have got lost without an error.
            self.process.watch_input(true);
            self.wait(until).await?;
            self.process.watch_input(false);
        }
    }

    fn has_gone(&mut self, how: HungUp) -> Halt {
        if let Some(why) = self.process.refused() {
            return Halt::Void(format!("it is not confined as was asked for: {why}"));
        }
        if let Some(breach) = self.process.breach() {
            return Halt::Broke(breach.clause, breach.evidence);
        }
        let clause = match how {
            HungUp::Exited(Exit::Status(CANNOT_EXECUTE)) if !self.met => Clause::ProcessSpawn,
            how => how.clause(),
        };
        let hint = exit_hint(&self.process, self.confined);
        Halt::Broke(clause, format!("{}{hint}", how.evidence()))
    }

    /// How it has gone, if it has.
    pub(super) fn gone(&self) -> Option<HungUp> {
        self.gone
    }

    /// Waits for its exit; whether it came in time. What it writes meanwhile is not judged.
    pub(super) async fn exits(&mut self, within: Duration) -> Tried<Option<Duration>> {
        let since = self.watch.now();
        while !matches!(self.gone, Some(HungUp::Exited(_))) && self.watch.now().since(since) < within {
            self.closing = Closing::default();
            self.wait(since + within).await?;
            while let Some(Ok(line)) = self.process.intake.next_line() {
                self.transcript.got(line);
            }
        }
        if let Some(breach) = self.process.breach() {
            return Err(Halt::Broke(breach.clause, breach.evidence));
        }
        let exited = matches!(self.gone, Some(HungUp::Exited(_)));
        Ok(exited.then(|| self.watch.now().since(since)))
    }

    /// Judges what can be read now, before a question is asked: it came too early.
    pub(super) async fn drain(&mut self, state: State) -> Tried<()> {
        self.process.read_now();
        loop {
            let line = match self.process.intake.next_line() {
                None if state == State::Silent => {
                    let begun = protocol::read_begun(self.process.intake.unfinished());
                    return begun.map_err(|fault| Halt::Broke(fault.clause, fault.evidence));
                }
                None => return Ok(()),
                Some(Ok(line)) => line.to_vec(),
                Some(Err(clause)) => {
                    return Err(Halt::Broke(
                        clause,
                        format!("it {}{}", clause.meaning(), limit_hint(&self.process)),
                    ));
                }
            };
            self.transcript.got(&line);
            protocol::read(&line, state).map_err(|fault| Halt::Broke(fault.clause, fault.evidence))?;
        }
    }

    /// What is said of a bot that was waited for in vain.
    pub(super) fn silence(&self, clause: Clause, limit: Duration) -> Halt {
        let hint = silence_hint(&self.process);
        Halt::Broke(clause, format!("it was waited for {:.1} s; {hint}", limit.as_secs_f64()))
    }

    /// `sbp N`, until `ok`. Returns the version that it named, where that is one that only `offer` allows.
    pub(super) async fn meet(&mut self, offer: u32) -> Tried<Option<u64>> {
        self.process.intake.new_turn();
        self.write(&format!("sbp {offer}\n")).await?;
        let mut handshake = Handshake::default();
        let until = self.watch.now() + self.limit;
        let mut later = None;
        loop {
            let Some(line) = self.line(until).await? else {
                return Err(self.silence(Clause::TimeStart, self.limit));
            };
            if let Ok(Said::Version(version)) = protocol::read(&line, State::Handshake)
                && later.is_none()
                && version > u64::from(protocol::print::VERSION)
                && version <= u64::from(offer)
            {
                later = Some(version);
                continue;
            }
            match handshake.line(&line) {
                Ok(Step::Open) => {}
                Ok(Step::Answered) => break,
                Err(fault) => return Err(Halt::Broke(fault.clause, fault.evidence)),
            }
        }
        self.met = true;
        self.exercised.extend(self.bound.iter().copied());
        self.exercised.extend([
            Clause::ProcessSpawn,
            Clause::ProcessExit,
            Clause::TimeStart,
            Clause::HandshakeSyntax,
            Clause::HandshakeVersion,
            Clause::LineBytes,
            Clause::LineLength,
            Clause::LineFlood,
            Clause::LineTotal,
            Clause::LineUnknown,
            Clause::LineUnexpected,
            Clause::TurnEarly,
        ]);
        self.profile = handshake.profile().clone();
        self.handshake = Some(handshake);
        Ok(later)
    }

    /// Sets options, besides those that the user set, and asks whether it is ready.
    pub(super) async fn ready(&mut self, options: &[(String, String)]) -> Tried<()> {
        let before = if self.left_open { State::Over } else { State::Silent };
        let mut handshake = match self.handshake.take() {
            Some(handshake) => handshake,
            None => Handshake::again(Protocol::Sbp, self.profile.clone(), self.left_open),
        };
        self.drain(before).await?;
        let first = std::mem::take(&mut self.options);
        let text = if self.left_open {
            "isready\n".to_owned()
        } else {
            let all: Vec<_> = first.into_iter().chain(options.iter().cloned()).collect();
            let mut refused = Vec::new();
            let text = handshake.ready(&all, &mut refused);
            if let Some(refused) = refused.into_iter().next() {
                return Err(Halt::Void(refused));
            }
            text
        };
        self.process.intake.new_turn();
        self.write(&text).await?;
        let until = self.watch.now() + self.limit;
        loop {
            let Some(line) = self.line(until).await? else {
                return Err(self.silence(Clause::TimeReady, self.limit));
            };
            match handshake.line(&line) {
                Ok(Step::Open) => {}
                Ok(Step::Answered) => break,
                Err(fault) => return Err(Halt::Broke(fault.clause, fault.evidence)),
            }
        }
        self.left_open = false;
        self.exercised.extend([Clause::TimeReady, Clause::ReadySyntax]);
        Ok(())
    }

    /// Handshake and readiness in the usual way.
    pub(super) async fn open(&mut self) -> Tried<()> {
        self.meet(protocol::print::VERSION).await?;
        self.ready(&[]).await
    }
}
