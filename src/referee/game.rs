//! A game from `newgame` to `gameover`: what is asked, what an answer is worth, when it is over.

use std::sync::Arc;
use std::time::Duration;

use super::adjudication::{Adjudicated, Adjudication};
use super::verdict::{Fault, Verdict};
use crate::clock::{Clocks, Stamp, TimeSettings};
use crate::game::{
    ClockExpiry, Colour, Deployment, Filling, IllegalMove, Move, MoveList, Played, Position, Rank,
    RescueChoice, Rules, Sight,
};
use crate::protocol::print::NewGame;
use crate::protocol::{Clause, Front, GameOver, LineFault, Question, Said, SaidMove, State, score_told};

/// All that a game starts from.
#[derive(Clone, Debug)]
pub struct GamePlan {
    /// The id told to the bots: it must tell nothing of the opponent.
    pub id: String,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The time control.
    pub time: TimeSettings,
    /// Who moves first.
    pub first: Colour,
    /// Red's seed and Blue's, below 2^63.
    pub seeds: [u64; 2],
    /// Deployments that the arena assigns; where there is none the bot is asked.
    pub deployments: [Option<Deployment>; 2],
    /// Moves played already: told as events before the first question. They must be legal.
    pub history: Vec<(Move, Option<RescueChoice>)>,
    /// What ends it beside the rules.
    pub adjudication: Adjudication,
}

/// What happens to a game. Stamps must not run back.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A whole line of a bot was read, without its end.
    Line(Colour, Stamp, &'a [u8]),
    /// A bot passed one of the limits of its output.
    Limit(Colour, Stamp, Clause),
    /// All that was to be sent to a bot has been written, and nothing is left in [`Game::out`].
    Written(Colour, Stamp),
    /// A bot is at fault in a way that only its keeper sees: gone, deaf, over a limit of confinement.
    Failed(Colour, Stamp, Clause, &'a str),
    /// Time went by.
    Tick(Stamp),
    /// The arena cannot go on.
    Abort(&'a str),
}

/// A turn as it was played.
#[derive(Clone, Debug)]
pub struct PlayedTurn {
    /// What it did.
    pub played: Played,
    /// The thinking time; zero for the moves of a given history.
    pub used: Duration,
}

#[derive(Clone, Debug)]
struct Seat {
    /// Its bot's language.
    front: Box<dyn Front>,
    state: State,
    /// When the question was first written, which is when its clock began; none before.
    asked: Option<Stamp>,
    /// Whether the question is written in full. One that is repeated is not, while its clock runs on.
    written: bool,
    sight: Sight,
    /// Events not yet sent.
    events: String,
    /// What is to be written now.
    out: String,
    deployment: Option<Deployment>,
    /// Its first fault before the game began.
    fault: Option<Fault>,
    retries: u32,
    moves: u32,
    /// The move, by its count, that bore its last offer that counted.
    offered_at: Option<u32>,
    /// The last score it told while its question was open.
    score: Option<i16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Deploying,
    Playing,
    Over,
}

/// A game being refereed.
#[derive(Clone, Debug)]
pub struct Game {
    plan: GamePlan,
    phase: Phase,
    position: Option<Position>,
    clocks: Clocks,
    seats: [Seat; 2],
    turns: Vec<PlayedTurn>,
    /// The score that was told with each turn; empty where scores end no game.
    scores: Vec<Option<i16>>,
    /// Who made the draw offer that stands.
    offer: Option<Colour>,
    verdict: Option<Verdict>,
    /// Scratch for lists of legal moves.
    legal: MoveList,
}

impl Game {
    /// Opens a game between the bots behind two fronts, Red's first: `newgame` and the first questions are there to
    /// be sent.
    pub fn new<F: Into<Box<dyn Front>>>(plan: GamePlan, fronts: [F; 2]) -> Game {
        let seat = |side: Colour, front: F| Seat {
            front: front.into(),
            state: State::Silent,
            asked: None,
            written: false,
            sight: Sight::new(side),
            events: String::new(),
            out: String::with_capacity(2048),
            deployment: plan.deployments[side.index()].clone(),
            fault: None,
            retries: 0,
            moves: 0,
            offered_at: None,
            score: None,
        };
        let [red, blue] = fronts;
        let mut game = Game {
            seats: [seat(Colour::Red, red), seat(Colour::Blue, blue)],
            phase: Phase::Deploying,
            position: None,
            clocks: Clocks::new(plan.time),
            turns: Vec::new(),
            scores: Vec::new(),
            offer: None,
            verdict: None,
            legal: MoveList::new(),
            plan,
        };
        // Whoever plans games asks this before; here nothing was said to either side yet.
        let unable = Colour::BOTH.into_iter().find_map(|side| {
            let given = game.plan.deployments[side.index()].is_some() || !game.plan.history.is_empty();
            let why = game.seats[side.index()].front.unable(game.plan.rules.set(), given)?;
            Some(format!("{side}'s bot cannot be told of this game: {why}"))
        });
        if let Some(cause) = unable {
            game.phase = Phase::Over;
            game.verdict = Some(Verdict::Void { cause });
            return game;
        }
        for side in Colour::BOTH {
            let seat = &mut game.seats[side.index()];
            let new = NewGame {
                id: &game.plan.id,
                colour: side,
                first: game.plan.first,
                seed: game.plan.seeds[side.index()],
                time: &game.plan.time,
                rules: game.plan.rules.set(),
            };
            seat.front.new_game(&mut seat.out, &new);
            match &seat.deployment {
                Some(deployment) => seat.front.assigned(&mut seat.out, deployment),
                None => {
                    seat.front.ask_deployment(&mut seat.out);
                    seat.state = State::Setup;
                }
            }
        }
        game.begin_if_deployed();
        game
    }

    /// What is to be written to a bot now; whoever writes it empties it, and says so by [`Input::Written`].
    pub fn out(&mut self, side: Colour) -> &mut String {
        &mut self.seats[side.index()].out
    }

    /// Judges the beginning of a line that came before a question to this bot is written.
    ///
    /// # Errors
    /// The fault, where it would be taken for the answer.
    pub fn read_begun(&self, side: Colour, bytes: &[u8]) -> Result<(), LineFault> {
        self.seats[side.index()].front.read_begun(bytes)
    }

    /// Whether a question to this bot is open: asked or about to be.
    pub fn asks(&self, side: Colour) -> bool {
        matches!(self.seats[side.index()].state, State::Setup | State::Turn)
    }

    /// Whether a bot that answered nothing more would be left with a question it may still answer.
    pub fn left_open(&self, side: Colour) -> bool {
        self.seats[side.index()].state == State::Over
    }

    /// The moment at which the next clock falls, if one runs: a [`Input::Tick`] is wanted just after it.
    pub fn deadline(&self) -> Option<Stamp> {
        Colour::BOTH.into_iter().filter_map(|side| self.deadline_of(side)).min()
    }

    fn deadline_of(&self, side: Colour) -> Option<Stamp> {
        let seat = &self.seats[side.index()];
        let asked = seat.asked?;
        match seat.state {
            State::Setup => self.setup_budget(side).map(|span| asked + span + self.plan.time.margin),
            State::Turn => Some(self.clocks.deadline(side.index(), asked)),
            _ => None,
        }
    }

    /// The time for a deployment.
    fn setup_budget(&self, side: Colour) -> Option<Duration> {
        let starts = self.seats[side.index()].front.starts_with_game();
        let start = if starts { self.plan.time.start } else { Duration::ZERO };
        self.plan.time.setup.map(|span| span + start)
    }

    /// The verdict, once there is one.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// The plan it was opened with.
    pub fn plan(&self) -> &GamePlan {
        &self.plan
    }

    /// The position, once both sides have deployed.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref()
    }

    /// Both clocks.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// The deployment of a side, once it is known to be good.
    pub fn deployment(&self, side: Colour) -> Option<&Deployment> {
        self.seats[side.index()].deployment.as_ref()
    }

    /// The turns played, the given history first.
    pub fn turns(&self) -> &[PlayedTurn] {
        &self.turns
    }

    /// What each turn's player thought of its game, where scores may end one; empty otherwise.
    pub fn scores(&self) -> &[Option<i16>] {
        &self.scores
    }

    /// Takes in what happened.
    pub fn input(&mut self, input: Input<'_>) {
        if let Input::Line(_, at, _) | Input::Limit(_, at, _) | Input::Failed(_, at, ..) = input {
            // A flag that fell before this came fell first, whoever's it is and whoever did it.
            self.tick(at);
        }
        if self.phase == Phase::Over {
            return;
        }
        match input {
            Input::Line(side, at, line) => self.line(side, at, line),
            Input::Limit(side, _, clause) => {
                self.fault(side, clause, format!("it {}", clause.meaning()), None);
            }
            Input::Written(side, at) => {
                let seat = &mut self.seats[side.index()];
                if matches!(seat.state, State::Setup | State::Turn) {
                    seat.written = true;
                    seat.asked.get_or_insert(at);
                }
            }
            Input::Failed(side, _, clause, evidence) => {
                self.fault(side, clause, evidence.to_owned(), None);
            }
            Input::Tick(at) => self.tick(at),
            Input::Abort(cause) => self.end(Verdict::Void { cause: cause.to_owned() }),
        }
    }

    fn tick(&mut self, at: Stamp) {
        for side in Colour::BOTH {
            if self.deadline_of(side).is_some_and(|deadline| at > deadline) {
                self.time_fault(side, at);
            }
        }
    }

    fn time_fault(&mut self, side: Colour, at: Stamp) {
        let seat = &self.seats[side.index()];
        let asked = seat.asked.expect("only an asked question has a deadline");
        let (clause, budget) = match seat.state {
            State::Setup => (Clause::TimeSetup, self.setup_budget(side).unwrap_or_default()),
            _ => (Clause::TimeMove, self.clocks.budget(side.index())),
        };
        let overrun = crate::clock::Overrun { budget, used: at.since(asked) };
        self.fault(side, clause, overrun.to_string(), None);
    }

    fn line(&mut self, side: Colour, at: Stamp, line: &[u8]) {
        let seat = &mut self.seats[side.index()];
        // A question that is not written in full is not open yet.
        let state = if seat.written { seat.state } else { State::Silent };
        let said = match seat.front.read(line, state) {
            Ok(Said::Info(text)) => {
                if state == State::Turn && self.plan.adjudication.reads_scores() {
                    seat.score = score_told(&text).or(seat.score);
                }
                return;
            }
            Ok(Said::Blank | Said::Ignored | Said::Part) => return,
            said => said,
        };
        match said {
            Ok(Said::Setup(text)) => self.deploy(side, &text),
            Ok(Said::Move(said)) => self.turn(side, at, said),
            Ok(Said::Draw) => self.accept_draw(side),
            Ok(Said::Resign) if self.plan.rules.resignation => self.end(Verdict::Resigned(side)),
            Ok(Said::Resign) => {
                self.fault(side, Clause::ResignOff, "resignation is off in this game".into(), None);
            }
            Ok(_) => unreachable!("other words are refused in the states of a game"),
            Err(LineFault { clause, evidence }) => self.fault(side, clause, evidence, None),
        }
    }

    /// A fault ends a game that is being played. In deployment both sides are heard first, so that which of two
    /// failing bots was noticed first makes no difference.
    fn fault(&mut self, side: Colour, clause: Clause, evidence: String, attempt: Option<SaidMove>) {
        let fault = Fault { side, clause, evidence, attempt };
        if self.phase == Phase::Deploying {
            let seat = &mut self.seats[side.index()];
            seat.fault.get_or_insert(fault);
            seat.state = State::Silent;
            seat.asked = None;
            self.begin_if_deployed();
        } else if clause == Clause::TimeMove && self.plan.rules.clock_expiry == ClockExpiry::Draw {
            self.end(Verdict::ClockDraw(fault));
        } else {
            self.end(Verdict::Forfeit(fault));
        }
    }

    fn deploy(&mut self, side: Colour, text: &str) {
        match Deployment::parse(&self.plan.rules, text) {
            Ok(deployment) => {
                let seat = &mut self.seats[side.index()];
                seat.deployment = Some(deployment);
                seat.state = State::Silent;
                seat.asked = None;
                self.begin_if_deployed();
            }
            Err(error) => self.fault(side, Clause::from(&error), error.to_string(), None),
        }
    }

    fn begin_if_deployed(&mut self) {
        if self.seats.iter().any(|seat| seat.state == State::Setup) {
            return;
        }
        match (self.seats[0].fault.take(), self.seats[1].fault.take()) {
            (Some(red), Some(blue)) => return self.end(Verdict::DoubleForfeit(Box::new([red, blue]))),
            (Some(fault), None) | (None, Some(fault)) => return self.end(Verdict::Forfeit(fault)),
            (None, None) => {}
        }
        let [red, blue] = [0, 1].map(|i| {
            self.seats[i].deployment.as_ref().expect("a side that is asked nothing and has no fault deployed")
        });
        let position = Position::new(self.plan.rules.clone(), red, blue, self.plan.first);
        if self.plan.rules.deployment == Filling::Any {
            for Seat { front, events, sight, .. } in &mut self.seats {
                Colour::BOTH.into_iter().for_each(|side| front.placed(events, side, sight.view(&position)));
            }
        }
        if self.plan.rules.open_flag {
            for (square, piece, rank) in position.pieces() {
                if rank == Rank::Flag {
                    let at = position.board().coordinates(square);
                    for seat in &mut self.seats {
                        seat.front.flag(&mut seat.events, piece.colour(), at);
                        seat.sight.show(piece);
                    }
                }
            }
        }
        for seat in &mut self.seats {
            seat.front.start(&mut seat.events);
        }
        self.position = Some(position);
        self.phase = Phase::Playing;
        for (mv, rescue) in std::mem::take(&mut self.plan.history) {
            let position = self.position.as_mut().expect("it was just set");
            let written = mv.written(position.board());
            let broken = if position.outcome().is_some() {
                "comes after the end of the game"
            } else {
                match position.play(mv, rescue) {
                    Ok(played) => {
                        self.clocks.count_past_move(played.mover.index());
                        self.tell(played, Duration::ZERO);
                        continue;
                    }
                    Err(illegal) => illegal.because(),
                }
            };
            let cause = format!("the given history's move {written} {broken}");
            return self.end(Verdict::Void { cause });
        }
        self.ask_or_end(true);
    }

    /// Takes a move that was played into the game's record and both sides' events.
    fn tell(&mut self, played: Played, used: Duration) {
        let position = self.position.as_ref().expect("moves are played on a position");
        let rules = self.plan.rules.set();
        let last = position.outcome().is_some();
        for side in Colour::BOTH {
            let seat = &mut self.seats[side.index()];
            seat.sight.observe(&played, rules, position.board());
            let seen = played.seen_by(side, rules);
            seat.front.moved(&mut seat.events, &seen, position.board(), last);
        }
        let seat = &mut self.seats[played.mover.index()];
        seat.moves += 1;
        if self.plan.adjudication.reads_scores() {
            self.scores.push(seat.score.take());
        }
        self.turns.push(PlayedTurn { played, used });
    }

    /// Asks for the next move, unless the game is over. `first` says that it was asked for none yet.
    fn ask_or_end(&mut self, first: bool) {
        let position = self.position.as_ref().expect("the game is being played");
        if let Some(ending) = position.outcome() {
            return self.end(Verdict::Board(ending));
        }
        if let Some(how) = self.adjudicated(position, first) {
            return self.end(Verdict::Adjudicated(how));
        }
        let side = position.to_move();
        let waits = &mut self.seats[side.other().index()];
        if waits.front.tells_at_once() && !waits.events.is_empty() {
            waits.out.push_str(&waits.events);
            waits.events.clear();
        }
        self.seats[side.index()].retries = 0;
        self.ask(side, None);
    }

    fn adjudicated(&self, position: &Position, first: bool) -> Option<Adjudicated> {
        let adjudication = &self.plan.adjudication;
        if adjudication.dead {
            // Only a battle changes what can be proved.
            let battle = self.turns.last().is_some_and(|turn| turn.played.battle.is_some());
            if (first || battle) && position.is_dead() {
                return Some(Adjudicated::DeadPosition);
            }
        }
        adjudication.by_scores(&self.scores, position.to_move().other())
    }

    /// Puts out the question to a side: its events, what it wants to see, `go`.
    fn ask(&mut self, side: Colour, refused: Option<(Clause, &SaidMove)>) {
        let position = self.position.as_ref().expect("the game is being played");
        let seat = &mut self.seats[side.index()];
        seat.out.push_str(&seat.events);
        seat.events.clear();
        let again = refused.is_some();
        let question = Question {
            view: seat.sight.view(position),
            legal: &mut self.legal,
            draw_offered: self.offer == Some(side.other()),
            refused: refused.map(|(clause, said)| (clause, said.mv)),
            clocks: &self.clocks,
            control: &self.plan.time.control,
        };
        seat.front.ask(&mut seat.out, question);
        (seat.state, seat.written) = (State::Turn, false);
        if !again {
            seat.asked = None;
        }
    }

    fn turn(&mut self, side: Colour, at: Stamp, said: SaidMove) {
        let asked = self.seats[side.index()].asked.expect("only an asked question has an answer");
        if said.offers_draw && !self.plan.rules.draw_offers {
            let evidence = "draw offers are off in this game".to_owned();
            return self.fault(side, Clause::DrawOff, evidence, None);
        }
        let position = self.position.as_mut().expect("the game is being played");
        let judged = said.mv.on(position.board()).and_then(|mv| {
            let rescue = match said.rescue {
                Some((rank, to)) => {
                    // That a rescue's square is on the board is judged last, after the move itself.
                    match position.board().square(to) {
                        Some(to) => Some(RescueChoice { rank, to }),
                        None => {
                            position.judge(mv)?;
                            return Err(crate::game::Illegal::Rescue);
                        }
                    }
                }
                None => None,
            };
            position.play(mv, rescue)
        });
        match judged {
            Ok(played) => {
                let used = at.since(asked);
                self.clocks.charge(side.index(), used).expect("a late answer was refused before it was read");
                let seat = &mut self.seats[side.index()];
                (seat.state, seat.asked) = (State::Silent, None);
                self.tell(played, used);
                let seat = &mut self.seats[side.index()];
                let counts = said.offers_draw && seat.offered_at.is_none_or(|last| seat.moves > last + 10);
                if counts {
                    seat.offered_at = Some(seat.moves);
                }
                self.offer = counts.then_some(side);
                self.ask_or_end(false);
            }
            Err(illegal) => {
                let clause = Clause::from(illegal);
                let seat = &mut self.seats[side.index()];
                let tries = match self.plan.rules.illegal {
                    IllegalMove::Retry(tries) if seat.front.asks_again() => tries,
                    IllegalMove::Loss | IllegalMove::Retry(_) => 0,
                };
                if seat.retries < tries {
                    seat.retries += 1;
                    return self.ask(side, Some((clause, &said)));
                }
                let evidence = format!("{} {}", said.mv, illegal.because());
                self.fault(side, clause, evidence, Some(said));
            }
        }
    }

    fn accept_draw(&mut self, side: Colour) {
        if !self.plan.rules.draw_offers {
            let evidence = "draw offers are off in this game".to_owned();
            return self.fault(side, Clause::DrawOff, evidence, None);
        }
        if self.offer != Some(side.other()) {
            let evidence = "no offer of its opponent stands".to_owned();
            return self.fault(side, Clause::DrawNotOffered, evidence, None);
        }
        self.seats[side.index()].state = State::Silent;
        self.end(Verdict::Agreed);
    }

    fn end(&mut self, verdict: Verdict) {
        self.phase = Phase::Over;
        for side in Colour::BOTH {
            let seat = &mut self.seats[side.index()];
            // Open even where it is not written in full: the bot may still come to read it.
            let open = matches!(seat.state, State::Setup | State::Turn);
            // The winner's or loser's own answer closed its question, unless its fault did.
            let answered = match &verdict {
                Verdict::Resigned(loser) => *loser == side,
                other => other.fault_of(side).is_some_and(|f| f.clause.leaves_process_usable()),
            };
            seat.state = if open && !answered { State::Over } else { State::Silent };
            seat.asked = None;
            seat.out.push_str(&seat.events);
            seat.events.clear();
            let clause = verdict.fault_of(side).map(|f| f.clause.slug());
            let over = GameOver { winner: verdict.winner(), reason: verdict.reason(), clause };
            seat.front.game_over(&mut seat.out, over);
        }
        self.verdict = Some(verdict);
    }
}
