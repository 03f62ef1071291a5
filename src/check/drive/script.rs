//! What is done to a bot in each case.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::play::{Ended, Match};
use super::session::{Halt, Session, Tried};
use super::{Battery, Subject, confinement};
use crate::check::catalogue::{Case, GameScript, Leaving, Noise, PLAIN, Script, Told};
use crate::check::transcript::Transcript;
use crate::check::trap;
use crate::game::{BOOKS, Colour, RuleSet, Rules, book};
use crate::process::{Exit, Layer, Standing};
use crate::protocol::{Clause, OptionKind, print::VERSION};
use crate::runtime::{HungUp, StopSignal};

/// A game that is over soon.
const SHORT: GameScript = GameScript { turns: 4, ..PLAIN };

/// A game that comes to nothing, perhaps over an open question.
fn broken_off(rules: Arc<Rules>, seed: u64, leave_open: bool) -> Match<'static> {
    Match { script: &SHORT, rules, first: Colour::Red, seed, trapped: None, reason: "void", leave_open }
}

/// How long a bot that leaves is watched, and how long it may take: half a second, and as much again for a machine
/// with other work.
const WATCHED: Duration = Duration::from_secs(2);
const LEAVES: Duration = Duration::from_secs(1);
/// What a process that outlives its bot gets to end by itself.
const LINGER: Duration = Duration::from_millis(200);
/// So long after one process of a bot the next is begun, where both are to do the same: one that draws by the clock's
/// seconds would.
const APART: Duration = Duration::from_millis(1100);

/// A case being driven.
pub(super) struct Driving<'a> {
    pub(super) battery: &'a Battery,
    pub(super) case: &'a Case,
    pub(super) seed: u64,
    pub(super) stop: &'a StopSignal,
    /// The session that tells how it went: the last one begun.
    pub(super) session: Option<Session>,
    /// What a session told that is no more.
    pub(super) kept: Kept,
    /// The rule book that was played.
    pub(super) book: Option<String>,
}

/// What is kept of sessions for the report.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) exercised: BTreeSet<Clause>,
    pub(super) transcript: Transcript,
    pub(super) stderr: Vec<String>,
}

impl Kept {
    pub(super) fn take(&mut self, session: &Session) {
        self.exercised.extend(session.exercised.iter().copied());
        self.transcript = session.transcript.clone();
        self.stderr = session.last_words();
    }
}

type Said = Tried<String>;

impl Driving<'_> {
    /// Does what the case says; what is worth telling.
    pub(super) async fn run(&mut self) -> Said {
        match &self.case.script {
            Script::Handshake(offer) => self.handshake(*offer).await,
            Script::Identity => self.identity().await,
            Script::OptionTypes => {
                let profile = &self.met().await?.profile;
                match profile.options.len() {
                    0 => Err(Halt::Skip("it declares no options".to_owned())),
                    n => Ok(format!("{n} options")),
                }
            }
            Script::Ready => self.opened().await.map(|_| String::new()),
            Script::OptionDefaults => self.option_defaults().await,
            Script::OptionValues => self.option_values().await,
            Script::Deploy => {
                let rules = self.opened_rules().await?;
                self.deploy(&rules, Colour::Red, "").await
            }
            Script::DeployBook(name) => self.deploy_book(name).await,
            Script::DeployByParameters => self.deploy_by_parameters().await,
            Script::Game(script) => self.game(script).await,
            Script::Colours => self.colours().await,
            Script::Deterministic => self.deterministic().await,
            Script::Games(times) => self.games(*times).await,
            Script::OpenQuestion => self.second_game(true, "void").await,
            Script::UnknownReason => self.second_game(false, "solar-flare").await,
            Script::Silence => self.silence().await,
            Script::Leave(how) => self.leave(*how).await,
            Script::Leftovers => self.leftovers().await,
            Script::Confined => self.confined().await,
        }
    }

    /// A new process.
    async fn fresh(&mut self) -> Tried<&mut Session> {
        if let Some(old) = self.session.take() {
            self.kept.take(&old);
            old.process.stop(None).await;
        }
        let Subject { bot, confined } = &self.battery.subject;
        let bot = if matches!(self.case.script, Script::Confined) { confined } else { bot };
        let session = Session::start(bot, self.battery.limit, self.stop)?;
        Ok(self.session.insert(session))
    }

    async fn met(&mut self) -> Tried<&mut Session> {
        let session = self.fresh().await?;
        session.meet(VERSION).await?;
        Ok(session)
    }

    async fn opened(&mut self) -> Tried<&mut Session> {
        let session = self.fresh().await?;
        session.open().await?;
        Ok(session)
    }

    fn session(&mut self) -> &mut Session {
        self.session.as_mut().expect("a case begins with a process")
    }

    /// The rules of the battery's games.
    fn base(&mut self) -> Tried<RuleSet> {
        if self.battery.rules_given {
            return Ok(self.battery.rules.clone());
        }
        let supports = self.session().profile.supports.clone();
        if supports.is_empty() || supports.contains(&self.battery.rules.name) {
            return Ok(self.battery.rules.clone());
        }
        let known = BOOKS.iter().map(|(name, _)| *name).find(|name| supports.iter().any(|s| s == name));
        known
            .and_then(book)
            .ok_or_else(|| Halt::Skip("it supports no rule book that this arbiter has".to_owned()))
    }

    fn rules(&mut self, changes: &[(&str, &str)]) -> Tried<Arc<Rules>> {
        let mut set = self.base()?;
        self.book = Some(set.name.clone());
        for (name, value) in changes {
            set.set(name, value).map_err(|e| Halt::Void(e.to_string()))?;
        }
        Rules::new(set).map_err(|e| Halt::Skip(format!("the rules cannot be changed so: {e}")))
    }

    async fn opened_rules(&mut self) -> Tried<Arc<Rules>> {
        self.opened().await?;
        self.rules(&[])
    }

    // ---- handshake ----

    async fn handshake(&mut self, offer: u32) -> Said {
        let session = self.fresh().await?;
        let later = session.meet(offer).await?;
        Ok(later.map_or_else(String::new, |version| format!("it wants version {version}")))
    }

    async fn identity(&mut self) -> Said {
        let profile = self.met().await?.profile.clone();
        let told = [("name", &profile.name), ("author", &profile.author), ("version", &profile.version)];
        let missing: Vec<String> =
            told.iter().filter(|(_, text)| text.is_none()).map(|(key, _)| format!("`id {key}`")).collect();
        if missing.is_empty() {
            let words = told.map(|(_, text)| text.clone().unwrap_or_default());
            return Ok(format!("{} {} by {}", words[0], words[2], words[1]));
        }
        Err(Halt::Failed(format!("there was no {}", missing.join(" and no "))))
    }

    async fn option_defaults(&mut self) -> Said {
        let session = self.met().await?;
        let default = |kind: &OptionKind| match kind {
            OptionKind::Check(value) => Some(value.to_string()),
            OptionKind::Spin { default, .. } => Some(default.to_string()),
            OptionKind::Combo { default, .. } | OptionKind::Text(default) => Some(default.clone()),
            OptionKind::Button => None,
        };
        let declared = &session.profile.options;
        let options: Vec<(String, String)> =
            declared.iter().filter_map(|o| Some((o.name.clone(), default(&o.kind)?))).collect();
        if options.is_empty() {
            return Err(Halt::Skip("it declares no options".to_owned()));
        }
        session.ready(&options).await?;
        let rules = self.rules(&[])?;
        self.short(&rules, Colour::Red, Colour::Red, 0, 0).await?;
        Ok(format!("{} options", options.len()))
    }

    async fn option_values(&mut self) -> Said {
        let session = self.met().await?;
        let declared = session.profile.options.clone();
        let values = |kind: &OptionKind| match kind {
            OptionKind::Check(_) => vec!["true".to_owned(), "false".to_owned()],
            OptionKind::Spin { min, max, .. } => vec![min.to_string(), max.to_string()],
            OptionKind::Combo { choices, .. } => choices.clone(),
            OptionKind::Text(_) => vec![String::new(), "two words".to_owned()],
            OptionKind::Button => vec![String::new()],
        };
        let mut sent = 0;
        for option in &declared {
            for value in values(&option.kind).into_iter().take(20) {
                sent += 1;
                session.ready(&[(option.name.clone(), value)]).await?;
            }
        }
        match sent {
            0 => Err(Halt::Skip("it declares no options".to_owned())),
            n => Ok(format!("{n} values")),
        }
    }

    // ---- deployments ----

    /// A game that is broken off once the bot has deployed.
    async fn deploy(&mut self, rules: &Arc<Rules>, side: Colour, what: &str) -> Said {
        let seed = self.seed;
        let script = GameScript { turns: 0, side, ..SHORT };
        let ended = self
            .session()
            .play(Match {
                script: &script,
                rules: rules.clone(),
                first: Colour::Red,
                seed,
                trapped: None,
                reason: "void",
                leave_open: false,
            })
            .await?;
        match ended.answers.first() {
            Some(deployment) => Ok(format!("{what}{deployment}")),
            None => Err(Halt::Skip(format!("under {} nothing is deployed by the bot", rules.name))),
        }
    }

    async fn deploy_book(&mut self, name: &str) -> Said {
        if self.battery.rules_given && self.battery.rules.name != name {
            return Err(Halt::Skip(format!("--rules {} was asked for", self.battery.rules.name)));
        }
        let set = book(name).expect("the catalogue names shipped books");
        let rules = Rules::new(set).expect("shipped books are possible");
        for side in Colour::BOTH {
            let supports = &self.opened().await?.profile.supports;
            if !supports.is_empty() && !supports.iter().any(|s| s == name) {
                return Err(Halt::Skip("its `supports` lines do not name this book".to_owned()));
            }
            self.deploy(&rules, side, "").await?;
        }
        Ok(String::new())
    }

    async fn deploy_by_parameters(&mut self) -> Said {
        let supports = self.opened().await?.profile.supports.clone();
        let base = self.base()?;
        let fits = |name: &str| {
            let other = book(name).expect("a shipped book");
            name != base.name
                && (supports.is_empty() || supports.iter().any(|s| s == name))
                && (other.board, other.army) != (base.board, base.army)
        };
        let Some(mut other) = BOOKS.iter().map(|(name, _)| *name).filter(|name| fits(name)).find_map(book)
        else {
            return Err(Halt::Skip("it supports no two rule books with different armies".to_owned()));
        };
        let parameters = std::mem::replace(&mut other.name, base.name);
        let rules = Rules::new(other).map_err(|e| Halt::Void(e.to_string()))?;
        self.deploy(&rules, Colour::Red, &format!("parameters of {parameters}: ")).await
    }

    // ---- games ----

    async fn short(
        &mut self,
        rules: &Arc<Rules>,
        side: Colour,
        first: Colour,
        turns: u32,
        number: u64,
    ) -> Tried<Ended> {
        let script = GameScript { turns: turns.max(4), side, ..SHORT };
        let seed = self.seed.wrapping_add(number);
        let game = Match {
            script: &script,
            rules: rules.clone(),
            first,
            seed,
            trapped: None,
            reason: "void",
            leave_open: false,
        };
        self.session().play(game).await
    }

    async fn game(&mut self, script: &GameScript) -> Said {
        if script.noise.is_some() {
            self.opened_with_noise(script.noise == Some(Noise::Lines)).await?;
        } else {
            self.opened().await?;
        }
        let base = self.base()?;
        let mut changes: BTreeMap<&str, &str> = BTreeMap::new();
        changes.extend(script.trap.map(|trap| trap.changes(&base)).unwrap_or_default());
        changes.extend(script.changes.iter().copied());
        let changes: Vec<(&str, &str)> = changes.into_iter().collect();
        let rules = self.rules(&changes)?;
        let seed = self.seed;
        let trapped = match script.trap {
            None => None,
            Some(kind) => match trap::find(kind, &rules, script.side, seed) {
                Some(trapped) => Some(trapped),
                None => return Err(Halt::Skip("no such position was found under these rules".to_owned())),
            },
        };
        let bait = trapped.as_ref().and_then(|t| t.bait).map(|mv| mv.written(&rules.board).to_string());
        let game =
            Match { script, rules, first: Colour::Red, seed, trapped, reason: "void", leave_open: false };
        let ended = self.session().play(game).await?;
        let mut note = ended.how;
        match script.time {
            Told::Usual => {}
            Told::Fixed(ms) => {
                note += &format!(", {:.0} ms at most of {ms} ms", ended.slowest.as_secs_f64() * 1e3)
            }
            Told::Clock(..) | Told::Long => {
                note += &format!(", {:.0} ms at most", ended.slowest.as_secs_f64() * 1e3);
            }
        }
        if let Some(bait) = bait {
            note += &format!(" past the barred {bait}");
        }
        Ok(note)
    }

    /// Handshake and readiness with something unknown in the midst.
    async fn opened_with_noise(&mut self, lines: bool) -> Tried<()> {
        let session = self.fresh().await?;
        session.meet(VERSION).await?;
        if lines {
            session.write("weather fine\n").await?;
        }
        session.ready(&[]).await
    }

    async fn colours(&mut self) -> Said {
        for (side, first) in
            [(Colour::Red, Colour::Blue), (Colour::Blue, Colour::Red), (Colour::Blue, Colour::Blue)]
        {
            let rules = self.opened_rules().await?;
            self.short(&rules, side, first, 6, 0).await?;
        }
        Ok(String::new())
    }

    async fn deterministic(&mut self) -> Said {
        let rules = self.opened_rules().await?;
        let profile = &self.session().profile;
        if !profile.features.iter().any(|word| word == "deterministic") {
            return Err(Halt::Skip("it does not say `feature deterministic`".to_owned()));
        }
        let fresh = profile.wants.fresh;
        let first = self.short(&rules, Colour::Red, Colour::Red, 20, 0).await?.answers;
        tokio::time::sleep(APART).await;
        self.opened().await?;
        let differ = |again: &[String], when: &str| {
            let at = first.iter().zip(again).position(|(a, b)| a != b);
            let at = at.or_else(|| (first.len() != again.len()).then(|| first.len().min(again.len())));
            at.map(|at| {
                let said =
                    |all: &[String]| all.get(at).map_or("nothing".to_owned(), |text| format!("`{text}`"));
                Halt::Failed(format!("{when}, answer {} was {}, not {}", at + 1, said(again), said(&first)))
            })
        };
        let again = self.short(&rules, Colour::Red, Colour::Red, 20, 0).await?.answers;
        if let Some(halt) = differ(&again, "on another process") {
            return Err(halt);
        }
        if !fresh {
            self.session().ready(&[]).await?;
            self.short(&rules, Colour::Blue, Colour::Red, 6, 1).await?;
            self.session().ready(&[]).await?;
            let again = self.short(&rules, Colour::Red, Colour::Red, 20, 0).await?.answers;
            if let Some(halt) = differ(&again, "after other games") {
                return Err(halt);
            }
        }
        Ok(format!("{} answers", first.len()))
    }

    // ---- life ----

    fn plays_on(&mut self) -> Tried<()> {
        if self.session().profile.wants.fresh {
            return Err(Halt::Skip("it wants a new process for every game".to_owned()));
        }
        Ok(())
    }

    async fn games(&mut self, times: u32) -> Said {
        let rules = self.opened_rules().await?;
        self.plays_on()?;
        for n in 0..times {
            if n > 0 {
                self.session().ready(&[]).await?;
            }
            let side = Colour::BOTH[n as usize % 2];
            self.short(&rules, side, Colour::BOTH[n as usize / 2 % 2], 4, u64::from(n)).await?;
        }
        // What was still to come from the last game shows when it is asked again.
        self.session().ready(&[]).await?;
        Ok(format!("{times} games"))
    }

    /// A game that ends in a special way, and another.
    async fn second_game(&mut self, leave_open: bool, reason: &'static str) -> Said {
        let rules = self.opened_rules().await?;
        self.plays_on()?;
        let seed = self.seed;
        let game = Match {
            script: &SHORT,
            rules: rules.clone(),
            first: Colour::Red,
            seed,
            trapped: None,
            reason,
            leave_open,
        };
        self.session().play(game).await?;
        self.session().ready(&[]).await?;
        self.short(&rules, Colour::Blue, Colour::Red, 4, 1).await?;
        self.session().ready(&[]).await?;
        Ok(String::new())
    }

    async fn silence(&mut self) -> Said {
        let rules = self.opened_rules().await?;
        let seed = self.seed;
        let session = self.session();
        session.play(broken_off(rules, seed, true)).await?;
        let until = session.watch.now() + Duration::from_millis(300);
        match session.line(until).await? {
            None => Ok(String::new()),
            Some(_) => Err(Halt::Skip(
                "it answered; whether it had read `gameover` by then cannot be told from outside".to_owned(),
            )),
        }
    }

    async fn leave(&mut self, how: Leaving) -> Said {
        if how == Leaving::QuitEarly {
            self.met().await?;
        } else {
            let rules = self.opened_rules().await?;
            let seed = self.seed;
            self.session().play(broken_off(rules, seed, how == Leaving::QuitWhileAsked)).await?;
        }
        let session = self.session();
        match how {
            Leaving::QuitEarly | Leaving::QuitAfterGame | Leaving::QuitWhileAsked => {
                session.write("quit\n").await?
            }
            Leaving::EndOfInput => {
                session.transcript.noted("its input was closed");
                session.process.close_input();
            }
            Leaving::Terminated => {
                session.transcript.noted("SIGTERM was sent to it");
                session.process.terminate();
            }
        }
        let took = session.exits(WATCHED).await?;
        let ended = session.gone();
        match took {
            None => Err(Halt::Failed(format!("it still ran {:.0} s later", WATCHED.as_secs_f64()))),
            Some(took) if took > LEAVES => {
                Err(Halt::Failed(format!("it ended after {:.1} s", took.as_secs_f64())))
            }
            Some(_) => match ended {
                Some(HungUp::Exited(Exit::Signal(signal))) if how != Leaving::Terminated => {
                    Err(Halt::Failed(format!("it did not exit by itself: {}", Exit::Signal(signal))))
                }
                _ => Ok(String::new()),
            },
        }
    }

    /// Two games, confined. What a machine without the base makes of it says nothing of the bot.
    async fn confined(&mut self) -> Said {
        let went = self.confined_games().await;
        let Some(session) = &mut self.session else { return went.map(|()| String::new()) };
        let standings = session.process.standings();
        let missing = Layer::missing_base(&standings);
        if !missing.is_empty() {
            let lacks = missing.join(", ");
            return Err(Halt::Skip(format!("this machine lacks {lacks}, without which nobody is confined")));
        }
        went.map(|()| confinement(&standings))
    }

    async fn confined_games(&mut self) -> Tried<()> {
        let rules = self.opened_rules().await?;
        self.short(&rules, Colour::Red, Colour::Red, 8, 0).await?;
        // Whether it plays on as the same process is another case's.
        self.opened().await?;
        self.short(&rules, Colour::Blue, Colour::Red, 8, 1).await?;
        Ok(())
    }

    async fn leftovers(&mut self) -> Said {
        self.leave(Leaving::QuitAfterGame).await.or_else(|halt| match halt {
            // That it does not leave by itself is another case's.
            Halt::Failed(_) => Ok(String::new()),
            other => Err(other),
        })?;
        tokio::time::sleep(LINGER).await;
        let mut session = self.session.take().expect("it was just left");
        let inside = |s: &Standing| s.layer == Layer::Pids && s.in_force;
        if session.process.standings().iter().any(inside) {
            let why =
                "its sandbox (pids) ends all that it started with it; --sandbox off shows what it leaves";
            self.session = Some(session);
            return Err(Halt::Skip(why.to_owned()));
        }
        self.kept.take(&session);
        let left = session.process.end().await;
        match left {
            0 => Ok(String::new()),
            1 => Err(Halt::Failed("one process outlived it".to_owned())),
            n => Err(Halt::Failed(format!("{n} processes outlived it"))),
        }
    }
}
