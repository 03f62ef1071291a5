//! A game of the bot against a scripted opponent, refereed as any other.

use std::sync::Arc;
use std::time::Duration;

use super::session::{Halt, Session, Tried};
use crate::check::catalogue::{GameScript, Noise, Refusal, Told};
use crate::check::opponent::{Opponent, deployment, may_rescue};
use crate::check::trap::{Trapped, barred};
use crate::clock::{TimeControl, TimeSettings};
use crate::game::{Colour, DeploymentBy, Illegal, MoveList, Position, Rescue, Rules, ScoutStrike};
use crate::protocol::{self, Clause, Said, State};
use crate::referee::{Game, GamePlan, Input, Verdict};
use crate::runtime::silence_hint;
use crate::tournament::Draws;

/// What a game left.
pub(super) struct Ended {
    /// The bot's deployment and answers.
    pub(super) answers: Vec<String>,
    /// Its longest move.
    pub(super) slowest: Duration,
    /// How it ended, in words.
    pub(super) how: String,
}

/// A game to be played.
pub(super) struct Match<'a> {
    pub(super) script: &'a GameScript,
    pub(super) rules: Arc<Rules>,
    pub(super) first: Colour,
    pub(super) seed: u64,
    pub(super) trapped: Option<Trapped>,
    /// The reason that is told in place of `void` where the game is broken off.
    pub(super) reason: &'static str,
    /// Whether it is broken off over an open question, instead of after an answer.
    pub(super) leave_open: bool,
}

/// What the margin is where a clock is kept to: for busy machines.
const MARGIN: Duration = Duration::from_millis(250);

/// How long a game may take, once so many turns were played.
const LONGEST: Duration = Duration::from_secs(8);
const ENOUGH: u32 = 8;

/// A pause before the next question, in so many turns: what a bot writes behind its answer is to be found before it
/// could pass for the next one.
const PAUSE: Duration = Duration::from_millis(3);
const HASTY: u32 = 4;

fn settings(told: Told, limit: Duration) -> TimeSettings {
    let ms = Duration::from_millis;
    // A margin is never shown. So a bot is told of a short time, and what comes of it is judged in cases about time.
    let (control, margin) = match told {
        Told::Usual => (TimeControl::PerMove(ms(100)), limit),
        Told::Fixed(each) => (TimeControl::PerMove(ms(each)), MARGIN),
        Told::Clock(base, increment, period) => {
            (TimeControl::Clock { base: ms(base), increment: ms(increment), period }, MARGIN)
        }
        Told::Long => {
            (TimeControl::Clock { base: Duration::from_secs(36_000), increment: ms(0), period: None }, MARGIN)
        }
    };
    TimeSettings { control, delay: Duration::ZERO, margin, setup: Some(limit), start: limit, write: limit }
}

/// Puts something of a later version into what a bot is sent.
fn disturb(text: &str, noise: Noise) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let word = line.split(' ').next().unwrap_or_default();
        match noise {
            Noise::Lines => {
                out += "weather a4 a5 battle 2 3\n";
                out += line;
            }
            Noise::Keys => {
                out += line;
                if matches!(word, "newgame" | "go" | "gameover") {
                    out += " moon=full";
                }
            }
            Noise::Words => {
                out += line;
                if matches!(
                    word,
                    "start" | "moved" | "board" | "go" | "gameover" | "flag" | "drawoffer" | "isready"
                ) {
                    out += " later on";
                }
            }
        }
        out.push('\n');
    }
    out
}

impl Session {
    /// Plays a game to its end, or to the last turn wanted.
    pub(super) async fn play(&mut self, game: Match<'_>) -> Tried<Ended> {
        let script = game.script;
        let (side, other) = (script.side, script.side.other());
        let mut draws = Draws::new(game.seed);
        let seeds = [draws.below(1 << 40) as u64, draws.below(1 << 40) as u64];
        let mut drawn = || Some(deployment(&game.rules, &mut draws));
        let mut deployments = [None, None];
        deployments[other.index()] = drawn();
        if game.rules.deployment_by != DeploymentBy::Bot {
            deployments[side.index()] = drawn();
        }
        let mut plan = GamePlan {
            id: format!("check-{:x}", game.seed & 0xffff_ffff),
            rules: game.rules.clone(),
            time: settings(script.time, self.limit),
            first: game.first,
            seeds,
            deployments,
            history: Vec::new(),
            adjudication: Default::default(),
        };
        if let Some(trapped) = &game.trapped {
            plan.deployments = trapped.deployments.clone().map(Some);
            (plan.first, plan.history) = (trapped.first, trapped.history.clone());
        }
        let opponent = Opponent::new(script.temper, game.seed);
        self.pieces = script.pieces;
        let mut wants = [Default::default(); 2];
        wants[side.index()] = self.profile.wants;
        let mut table = Table {
            game: Game::new(plan, wants),
            side,
            opponent,
            turns: 0,
            opponent_turns: 0,
            refused: None,
            asked: String::new(),
            answers: Vec::new(),
        };
        let played = table.run(self, &game).await;
        self.pieces = false;
        self.left_open = table.game.left_open(side);
        self.process.new_game();
        played?;
        let own = table.game.turns().iter().filter(|turn| turn.played.mover == side);
        let slowest = own.map(|turn| turn.used).max().unwrap_or_default();
        let how = match table.game.verdict() {
            Some(Verdict::Void { .. }) | None => format!("{} turns", table.turns),
            Some(verdict) => format!("{} turns, then {}", table.turns, verdict.reason()),
        };
        Ok(Ended { answers: table.answers, slowest, how })
    }
}

/// A game under way.
struct Table {
    game: Game,
    side: Colour,
    opponent: Opponent,
    /// Moves that the bot made.
    turns: u32,
    opponent_turns: u32,
    /// The move that was refused.
    refused: Option<String>,
    /// What was sent with the open question.
    asked: String,
    answers: Vec<String>,
}

impl Table {
    async fn run(&mut self, session: &mut Session, game: &Match<'_>) -> Tried<()> {
        let script = game.script;
        let begun = session.watch.now();
        loop {
            // A bot that takes its time is spared the rest of a long game.
            let long = self.turns >= ENOUGH && session.watch.now().since(begun) > LONGEST;
            let done = !self.deploying() && (self.turns >= script.turns || long);
            if !done || game.leave_open {
                self.answer_for_opponent(session, script);
            }
            if done && (!game.leave_open || self.game.asks(self.side)) {
                self.game.input(Input::Abort("the case is done"));
            }
            self.send(session, game).await?;
            if let Some(verdict) = self.game.verdict() {
                return match verdict.fault_of(self.side) {
                    None => Ok(()),
                    Some(fault) => {
                        let mut evidence = fault.evidence.clone();
                        if matches!(fault.clause, Clause::TimeMove | Clause::TimeSetup) {
                            evidence += &format!("; {}", silence_hint(&session.process));
                        }
                        Err(Halt::Broke(fault.clause, evidence))
                    }
                };
            }
            if !self.game.asks(self.side) {
                continue;
            }
            self.hear(session, script).await?;
        }
    }

    /// Writes what the referee has put out for the bot.
    async fn send(&mut self, session: &mut Session, game: &Match<'_>) -> Tried<()> {
        if self.game.out(self.side).is_empty() {
            return Ok(());
        }
        let asks = self.game.asks(self.side);
        if asks {
            if (1..=HASTY).contains(&self.turns) {
                tokio::time::sleep(PAUSE).await;
            }
            session.process.read_now();
            self.take_lines(session);
            if let Err(fault) = self.game.read_begun(self.side, session.process.intake.unfinished()) {
                let now = session.watch.now();
                self.game.input(Input::Failed(self.side, now, fault.clause, &fault.evidence));
            }
        }
        let mut text = std::mem::take(self.game.out(self.side));
        if game.reason != "void" {
            text = text.replace(" reason=void", &format!(" reason={}", game.reason));
        }
        if asks {
            self.asked.clone_from(&text);
            session.process.intake.new_turn();
        }
        if let Some(noise) = game.script.noise {
            text = disturb(&text, noise);
        }
        let before = session.watch.now();
        session.write(&text).await?;
        // In pieces, or to a slow reader, the question is there when its last byte is.
        let at = if session.pieces { session.watch.now() } else { before };
        self.game.input(Input::Written(self.side, at));
        Ok(())
    }

    /// Whole lines that came before a question was written.
    fn take_lines(&mut self, session: &mut Session) {
        while self.game.verdict().is_none() {
            let now = session.watch.now();
            match session.process.intake.next_line() {
                None => return,
                Some(Err(clause)) => self.game.input(Input::Limit(self.side, now, clause)),
                Some(Ok(line)) => {
                    session.transcript.got(line);
                    self.game.input(Input::Line(self.side, now, line));
                }
            }
        }
    }

    /// Waits for the next line of the bot and hands it to the referee.
    async fn hear(&mut self, session: &mut Session, script: &GameScript) -> Tried<()> {
        let patient = script.time == Told::Long;
        let mut until = self.game.deadline().unwrap_or(session.watch.now() + session.limit);
        if patient {
            until = until.min(session.watch.now() + session.limit);
        }
        let line = session.line(until).await?;
        let now = session.watch.now();
        let Some(line) = line else {
            if patient && self.game.deadline().is_some_and(|deadline| now <= deadline) {
                let waited = session.limit.as_secs_f64();
                return Err(Halt::Skip(format!("it still thought after {waited:.0} s, as its clock allows")));
            }
            self.game.input(Input::Tick(now));
            return Ok(());
        };
        let said = protocol::read(&line, if self.deploying() { State::Setup } else { State::Turn });
        if let Ok(Said::Move(said)) = &said
            && script.refuses.is_some()
        {
            let mv = said.mv.to_string();
            match &self.refused {
                None if self.turns == 1 => {
                    self.refused = Some(mv);
                    return self.refuse(session, said.mv).await;
                }
                Some(refused)
                    if *refused == mv && script.refuses == Some(Refusal::OtherMove) && self.turns == 1 =>
                {
                    return Err(Halt::Failed(format!("the move {mv}, just refused, was its answer again")));
                }
                _ => {}
            }
        }
        let position = self.game.position().filter(|p| p.to_move() == self.side).cloned();
        self.game.input(Input::Line(self.side, now, &line));
        match said {
            Ok(Said::Setup(text)) => {
                self.answers.push(text);
                if self.game.verdict().is_none() {
                    session.exercised.extend([
                        Clause::SetupSyntax,
                        Clause::SetupLength,
                        Clause::SetupLetter,
                        Clause::SetupCount,
                        Clause::TimeSetup,
                    ]);
                }
            }
            Ok(Said::Move(_) | Said::Draw | Said::Resign) => {
                self.answers.push(String::from_utf8_lossy(&line).trim().to_owned());
                self.turns += 1;
                if self.game.verdict().is_none_or(|v| v.fault_of(self.side).is_none())
                    && let Some(position) = position
                {
                    exercised(&position, session);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn deploying(&self) -> bool {
        self.game.position().is_none()
    }

    /// Takes back a move that the referee has not seen, and asks again.
    async fn refuse(&mut self, session: &mut Session, mv: crate::game::notation::WrittenMove) -> Tried<()> {
        let mut text = String::new();
        protocol::print::illegal(&mut text, Clause::MoveChase.slug(), mv);
        let again =
            |line: &&str| ["board ", "legal ", "go", "drawoffer"].iter().any(|word| line.starts_with(word));
        let (offer, rest): (Vec<&str>, Vec<&str>) =
            self.asked.lines().filter(again).partition(|line| *line == "drawoffer");
        let offer: String = offer.iter().map(|line| format!("{line}\n")).collect();
        let rest: String = rest.iter().map(|line| format!("{line}\n")).collect();
        session.process.intake.new_turn();
        session.write(&format!("{offer}{text}{rest}")).await
    }

    fn answer_for_opponent(&mut self, session: &Session, script: &GameScript) {
        let other = self.side.other();
        while self.game.verdict().is_none() {
            self.game.out(other).clear();
            let now = session.watch.now();
            let Some(position) = self.game.position() else { return };
            if position.to_move() != other || !self.game.asks(other) {
                return;
            }
            self.game.input(Input::Written(other, now));
            let position = self.game.position().expect("it was there just now");
            let (mv, rescue) = self.opponent.choose(position);
            let board = position.board();
            let mut line = format!("move {}", mv.written(board));
            if let Some(choice) = rescue {
                line += &format!(" rescue {} {}", choice.rank.letter(), board.coordinates(choice.to));
            }
            self.opponent_turns += 1;
            if script.offers.contains(&self.opponent_turns) && position.rules().draw_offers {
                line += " offer-draw";
            }
            self.game.input(Input::Line(other, now, line.as_bytes()));
        }
    }
}

/// Notes what a bot could have broken by its answer in this position.
fn exercised(position: &Position, session: &mut Session) {
    let rules = position.rules();
    let exercised = &mut session.exercised;
    exercised.extend([
        Clause::MoveSyntax,
        Clause::MoveOffBoard,
        Clause::MoveNoPiece,
        Clause::MoveNotYours,
        Clause::MoveImmobile,
        Clause::MoveSameSquare,
        Clause::MoveLake,
        Clause::MoveOwnPiece,
        Clause::MoveNotStraight,
        Clause::MoveTooFar,
        Clause::MoveBlocked,
        Clause::TimeMove,
    ]);
    exercised.insert(if rules.draw_offers { Clause::DrawNotOffered } else { Clause::DrawOff });
    if !rules.resignation {
        exercised.insert(Clause::ResignOff);
    }
    let mut note = |clause: Clause, occasion: bool| {
        if occasion {
            exercised.insert(clause);
        }
    };
    note(
        Clause::MoveTwoSquares,
        rules.two_squares.is_some() && barred(position, Illegal::TwoSquares).is_some(),
    );
    note(Clause::MoveChase, barred(position, Illegal::Chase).is_some());
    let adjacent = rules.scout_strike == ScoutStrike::Adjacent;
    note(Clause::MoveStrikeFar, adjacent && barred(position, Illegal::StrikeFar).is_some());
    if rules.rescue != Rescue::Off {
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        note(Clause::MoveRescue, legal.iter().any(|&mv| may_rescue(position, mv)));
    }
}
