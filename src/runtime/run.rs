//! Many games: workers, each a thread with its own single-threaded runtime, kept on one core with the bots it starts.

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::desk::Desk;
use super::seat::{Bot, Seat, SeatError};
use super::stop::{Stop, StopSignal};
use super::table::{self, Played};
use crate::clock::TimeSettings;
use crate::game::{Colour, Deployment, DeploymentBy, FirstMover, Move, Position, RescueChoice, Rules};
use crate::process::{Capture, keep_on};
use crate::record::{
    GAME_FORMAT, GameRecord, RecordedBattle, RecordedFault, RecordedTurn, SetupBook, Sides, Start,
};
use crate::referee::{Adjudication, Fault, Game, GamePlan, Verdict};
use crate::tournament::{
    Draws, Planned, blue_first, blue_first_in, opening_seed, opening_setups, public_id, seat_seed,
};

/// All that a run's games have in common.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// The bots, in the order of the schedule's players.
    pub bots: Vec<Arc<Bot>>,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The rules of games that break a tie, where there may be such.
    pub tie_break: Option<Arc<Rules>>,
    /// After so many games a bot's process makes room for a new one.
    pub games_per_process: u64,
    /// What each game starts from, where that is given.
    pub start: Option<Start>,
    /// The start of a recorded game that is played again: bots that deployed then are asked to again, and only where
    /// one does it otherwise are the recorded deployments assigned.
    pub again: Option<Start>,
    /// The setup book, where one deploys; its deployments fit the rules.
    pub setups: Option<SetupBook>,
    /// The time control.
    pub time: TimeSettings,
    /// The event's seed.
    pub seed: u64,
    /// The seeds of a game that is played again, Red's first.
    pub seeds: Option<[u64; 2]>,
    /// Whether first movers and deployments are drawn by opening, which all pairings meet; else by the game's id.
    pub by_opening: bool,
    /// How many games run at once.
    pub concurrency: usize,
    /// The cores that workers are kept on, in turn; none where they are not kept.
    pub cores: Vec<usize>,
    /// How often a bot that does not come to its seat is tried again.
    pub start_retries: u32,
    /// What ends games beside the rules.
    pub adjudication: Adjudication,
    /// Whether transcripts are kept.
    pub wire: bool,
    /// Whether the bots' standard error is shown as it comes.
    pub echo: bool,
    /// Bots of which it was said that their processes do not play on.
    pub warned: Arc<Mutex<BTreeSet<String>>>,
    /// Whether turns are told as they are played, for a live board.
    pub live: bool,
}

/// A game that came to its end.
#[derive(Debug)]
pub struct Finished {
    /// Which game.
    pub planned: Planned,
    /// Its record.
    pub record: GameRecord,
    /// The verdict, in words for people.
    pub sentence: String,
    /// Why it is nobody's result, where it is.
    pub void: Option<String>,
    /// Each bot's standard error.
    pub stderr: [Capture; 2],
    /// Each bot's transcript.
    pub wire: [Option<String>; 2],
}

/// What workers tell.
#[derive(Debug)]
pub enum RunEvent {
    /// A game begins.
    Started(Planned),
    /// A turn was played; only where the plan wants it, and not each of many in a row.
    Turn {
        /// Which game.
        planned: Planned,
        /// The position.
        position: Box<Position>,
        /// What each side has left.
        left: [Option<Duration>; 2],
        /// The last move in words.
        last: String,
    },
    /// A game came to its end.
    Finished(Box<Finished>),
    /// A worker has nothing more to do.
    Idle,
}

/// Files that a run with so many games at once may have open. For each game: two bots with their three pipes, a pidfd and
/// what confinement holds of them, the worker's own runtime, and a look into /proc. For the run: its journal, the
/// runtime that follows it, what a start needs for a moment, and some to spare.
pub const fn descriptors(concurrency: usize) -> u64 {
    const OF_A_GAME: u64 = 24;
    const OF_THE_RUN: u64 = 64;
    OF_THE_RUN + OF_A_GAME * concurrency as u64
}

/// Starts the workers. They end when the dealer has nothing more for them or the run is stopped.
///
/// # Errors
/// Where the system gives no thread.
pub fn start(
    plan: Arc<RunPlan>,
    desk: Arc<Desk>,
    stop: StopSignal,
    tell: impl Fn(RunEvent) + Send + Clone + 'static,
) -> std::io::Result<Vec<thread::JoinHandle<()>>> {
    (0..plan.concurrency)
        .map(|number| {
            let (plan, desk, stop, tell) = (plan.clone(), desk.clone(), stop.clone(), tell.clone());
            thread::Builder::new().name(format!("worker-{number}")).spawn(move || {
                Worker { number, plan, desk, stop, pool: Vec::new(), assigned: false }.work(&tell)
            })
        })
        .collect()
}

struct Worker {
    number: usize,
    plan: Arc<RunPlan>,
    desk: Arc<Desk>,
    stop: StopSignal,
    /// Seats of the last game that may play on.
    pool: Vec<Seat>,
    /// Whether the deployments of a game that is played again are assigned.
    assigned: bool,
}

/// Why a game that is played again is begun anew.
const DEPLOYS_OTHERWISE: &str = "a bot deploys otherwise than in the record";

/// How often a game is tried again that came to nothing for lack of resources, and after which pause.
const VOID_RETRIES: u32 = 3;
const VOID_PAUSE: Duration = Duration::from_millis(500);

impl Worker {
    fn work(mut self, tell: &impl Fn(RunEvent)) {
        if let Some(&core) = self.plan.cores.get(self.number % self.plan.cores.len().max(1)) {
            keep_on(&[core]);
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime of one thread needs a few descriptors, which were counted before the start");
        while let Some(planned) = self.desk.next(self.number, &self.stop) {
            tell(RunEvent::Started(planned));
            // A panic in one game is our own fault: that game is void, and the run goes on.
            let game = AssertUnwindSafe(|| runtime.block_on(self.game(planned, tell)));
            let finished = std::panic::catch_unwind(game).unwrap_or_else(|panic| {
                let _guard = runtime.enter();
                self.pool.clear();
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
                self.nothing(planned, format!("the arbiter panicked: {text}"))
            });
            tell(RunEvent::Finished(Box::new(finished)));
        }
        runtime.block_on(async { futures_join(self.pool.drain(..).map(|s| s.leave(true))).await });
        tell(RunEvent::Idle);
    }

    async fn game(&mut self, planned: Planned, tell: &impl Fn(RunEvent)) -> Finished {
        let mut tries = 0;
        loop {
            let finished = self.try_game(planned, tell).await;
            if finished.void.as_deref() == Some(DEPLOYS_OTHERWISE) && !self.assigned {
                self.assigned = true;
                tracing::warn!("{DEPLOYS_OTHERWISE}: both get the deployments of the record");
                continue;
            }
            if finished.void.is_none() || tries == VOID_RETRIES || self.stop.state() != Stop::No {
                return finished;
            }
            tries += 1;
            tracing::warn!(game = %planned.id, "{}; tried again", finished.sentence);
            tokio::time::sleep(VOID_PAUSE).await;
        }
    }

    async fn try_game(&mut self, planned: Planned, tell: &impl Fn(RunEvent)) -> Finished {
        let [red, blue] = [planned.red, planned.blue].map(|i| self.plan.bots[i].clone());
        let mut waiting = Vec::new();
        let take = |bot: &Arc<Bot>, pool: &mut Vec<Seat>| {
            let at = pool.iter().position(|seat| Arc::ptr_eq(&seat.bot, bot));
            at.map(|at| pool.swap_remove(at))
        };
        let (old_red, old_blue) = (take(&red, &mut self.pool), take(&blue, &mut self.pool));
        waiting.append(&mut self.pool);
        futures_join(waiting.into_iter().map(|seat| seat.leave(true))).await;
        let (red, blue) = tokio::join!(self.seat(&red, old_red), self.seat(&blue, old_blue));
        let (mut red, mut blue) = match (red, blue) {
            (Ok(red), Ok(blue)) => (red, blue),
            (red, blue) => return self.unseated(planned, red, blue).await,
        };
        let plan = self.game_plan(planned);
        let mut told = None;
        let mut observe = |game: &Game| {
            if self.plan.live {
                self.tell_turn(planned, game, &mut told, tell);
            }
            let again = self.plan.again.as_ref().filter(|_| !self.assigned && !game.turns().is_empty())?;
            let same = |side: Colour| game.deployment(side) == Some(&again.deployments[side.index()]);
            (!Colour::BOTH.into_iter().all(same)).then_some(DEPLOYS_OTHERWISE)
        };
        let played = table::play(plan, [&mut red, &mut blue], &self.stop, &mut observe).await;
        let finished = self.finish(planned, &played, [&mut red, &mut blue]);
        let mut leaving = Vec::new();
        for (side, mut seat) in [(Colour::Red, red), (Colour::Blue, blue)] {
            let fault = played.verdict.fault_of(side);
            let usable = fault.is_none_or(|f| f.clause.leaves_process_usable()) && finished.void.is_none();
            let fresh = seat.games + 1 >= self.plan.games_per_process;
            seat.games += 1;
            if usable && !fresh && !seat.bot.restart && !seat.profile.wants.fresh {
                self.pool.push(seat);
            } else {
                // A bot that is out of step is not asked politely: it would only take its time.
                let politely = usable || (fault.is_none() && self.stop.state() < Stop::Kill);
                leaving.push(seat.leave(politely));
            }
        }
        futures_join(leaving).await;
        finished
    }

    /// Brings a bot to its seat: its living process, or a new one.
    async fn seat(&self, bot: &Arc<Bot>, old: Option<Seat>) -> Result<Seat, SeatError> {
        if let Some(mut seat) = old {
            match seat.ready_again(&self.plan.time, &self.stop).await {
                Ok(()) => return Ok(seat),
                Err(error) => {
                    // It may have meant to play one game only: a new process gets its chance.
                    self.warn_once(bot, &error);
                    seat.leave(false).await;
                }
            }
        }
        let mut tries = 0;
        loop {
            let seat = Seat::take(bot, &self.plan.time, &self.stop, self.plan.echo, self.plan.wire).await;
            match seat {
                Err(SeatError::Fault { clause, evidence, .. }) if tries < self.plan.start_retries => {
                    tries += 1;
                    tracing::warn!(bot = bot.name, %clause, "{evidence}; started again");
                }
                other => return other,
            }
        }
    }

    fn warn_once(&self, bot: &Bot, error: &SeatError) {
        let first = self.plan.warned.lock().expect("no one panics while holding it").insert(bot.name.clone());
        if first && matches!(error, SeatError::Fault { .. }) {
            tracing::warn!(
                "bot `{}` did not go on to another game: {error}; it gets a new process (a bot that wants one for \
                 each game says `want fresh`)",
                bot.name
            );
        }
    }

    fn rules(&self, planned: Planned) -> &Arc<Rules> {
        self.plan.tie_break.as_ref().filter(|_| planned.tie_break).unwrap_or(&self.plan.rules)
    }

    fn game_plan(&self, planned: Planned) -> GamePlan {
        let (rules, seed) = (self.rules(planned), self.plan.seed);
        let told = ["red", "blue"].map(|seat| seat_seed(seed, planned.luck, seat));
        let seeds = self.plan.seeds.unwrap_or(told);
        let again = self.plan.again.as_ref().filter(|_| self.assigned);
        // Whatever the event's games start from belongs to its own rules.
        let start = self.plan.start.as_ref().filter(|_| !planned.tie_break);
        if let Some(start) = start.or(again) {
            return GamePlan {
                id: public_id(seed, planned.id),
                rules: rules.clone(),
                time: self.plan.time,
                first: start.first,
                seeds,
                deployments: start.deployments.clone().map(Some),
                history: start.history.clone(),
                adjudication: self.plan.adjudication,
            };
        }
        // A game that breaks a tie has no opening, and draws by itself.
        let opening = Some(planned.opening).filter(|_| self.plan.by_opening && !planned.tie_break);
        let blue = || opening.map_or_else(|| blue_first(seed, planned.id), |n| blue_first_in(seed, n));
        let drawn = opening.map_or(seeds, |n| ["red", "blue"].map(|seat| opening_seed(seed, n, seat)));
        let first = match rules.first_mover {
            FirstMover::Red => Colour::Red,
            FirstMover::Seed if blue() => Colour::Blue,
            FirstMover::Seed => Colour::Red,
        };
        let deployments = match (rules.deployment_by, &self.plan.setups) {
            (DeploymentBy::Bot, _) => [None, None],
            (DeploymentBy::Seed, _) => drawn.map(|seed| {
                let mut draws = Draws::new(seed);
                Some(Deployment::draw(rules, |n| draws.below(n)))
            }),
            (DeploymentBy::Book, book) => {
                let book = book.as_ref().expect("a plan whose book deploys was made with one").deployments();
                opening_setups(seed, planned.opening, book.len()).map(|n| Some(book[n].clone()))
            }
        };
        GamePlan {
            id: public_id(seed, planned.id),
            rules: rules.clone(),
            time: self.plan.time,
            first,
            seeds,
            deployments,
            history: Vec::new(),
            adjudication: self.plan.adjudication,
        }
    }

    fn tell_turn(
        &self,
        planned: Planned,
        game: &Game,
        told: &mut Option<super::watch::Watch>,
        tell: &impl Fn(RunEvent),
    ) {
        let Some(position) = game.position() else { return };
        // A person sees no more than some twenty boards a second.
        let soon = told.is_some_and(|watch| watch.now().0 < Duration::from_millis(50));
        if soon && game.verdict().is_none() {
            return;
        }
        *told = Some(super::watch::Watch::start());
        let last = game.turns().last().map_or(String::new(), |t| turn_words(&t.played, position));
        tell(RunEvent::Turn {
            planned,
            position: Box::new(position.clone()),
            left: [0, 1].map(|side| game.clocks().left(side)),
            last,
        });
    }

    /// The end of a game to which a bot, or both, did not come.
    async fn unseated(
        &mut self,
        planned: Planned,
        red: Result<Seat, SeatError>,
        blue: Result<Seat, SeatError>,
    ) -> Finished {
        let mut faults = Vec::new();
        let mut stderr = [Vec::new(), Vec::new()];
        let mut void = None;
        for (side, seat) in [(Colour::Red, red), (Colour::Blue, blue)] {
            match seat {
                Ok(seat) => self.pool.push(seat),
                Err(SeatError::Void(cause) | SeatError::Unconfined(cause)) => void = Some(cause),
                Err(SeatError::Fault { clause, evidence, stderr: lines }) => {
                    stderr[side.index()] = lines;
                    faults.push(Fault { side, clause, evidence, attempt: None });
                }
            }
        }
        let verdict = match (void, faults.len()) {
            (Some(cause), _) => Verdict::Void { cause },
            (None, 2) => {
                let [red, blue]: [Fault; 2] = faults.try_into().expect("two were counted");
                Verdict::DoubleForfeit(Box::new([red, blue]))
            }
            (None, _) => {
                Verdict::Forfeit(faults.pop().expect("a seat that is empty without cause has a fault"))
            }
        };
        self.record(planned, None, &verdict, stderr, Default::default(), Default::default())
    }

    fn nothing(&self, planned: Planned, cause: String) -> Finished {
        let verdict = Verdict::Void { cause };
        self.record(planned, None, &verdict, Default::default(), Default::default(), Default::default())
    }

    fn finish(&self, planned: Planned, played: &Played, seats: [&mut Seat; 2]) -> Finished {
        let [red, blue] = seats;
        let captures = [red.process.take_stderr(), blue.process.take_stderr()];
        let wires = [red.wire.take(), blue.wire.take()];
        let words = played.stderr.clone();
        self.record(planned, Some(&played.game), &played.verdict, words, captures, wires)
    }

    fn record(
        &self,
        planned: Planned,
        game: Option<&Game>,
        verdict: &Verdict,
        last_words: [Vec<String>; 2],
        stderr: [Capture; 2],
        wire: [Option<String>; 2],
    ) -> Finished {
        let [red, blue] = [planned.red, planned.blue].map(|i| self.plan.bots[i].name.clone());
        let plan = self.game_plan(planned);
        let setup = |side| game.and_then(|g| g.deployment(side)).map(|d| d.to_string());
        let board = &self.rules(planned).board;
        let turns = game.map_or(&[][..], Game::turns);
        let fault = |fault: &Fault| RecordedFault {
            side: fault.side.word().to_owned(),
            clause: fault.clause.slug().to_owned(),
            evidence: fault.evidence.clone(),
            attempt: fault.attempt.map(|said| RecordedTurn::Move(said.mv, said.rescue)),
            stderr: last_words[fault.side.index()].clone(),
        };
        let record = GameRecord {
            v: GAME_FORMAT,
            id: planned.id.to_string(),
            result: verdict.result().to_owned(),
            reason: verdict.reason().to_owned(),
            clause: verdict.faults().first().map(|f| f.clause.slug().to_owned()),
            plies: turns.len() as u32,
            given: game.map_or(0, |_| plan.history.len() as u32),
            first: plan.first.word().to_owned(),
            seeds: Sides { red: plan.seeds[0], blue: plan.seeds[1] },
            setup: Sides { red: setup(Colour::Red), blue: setup(Colour::Blue) },
            moves: turns
                .iter()
                .map(|t| recorded_turn(t.played.mv, t.played.rescue.map(|r| r.1), board))
                .collect(),
            battles: (1..)
                .zip(turns)
                .filter_map(|(ply, t)| t.played.battle.map(|battle| RecordedBattle { ply, battle }))
                .collect(),
            us: turns.iter().map(|t| t.used.as_micros() as u64).collect(),
            scores: game.map_or_else(Vec::new, |game| game.scores().to_vec()),
            faults: verdict.faults().iter().map(fault).collect(),
            red,
            blue,
        };
        let sentence = verdict.sentence(&record.red, &record.blue);
        let void = match verdict {
            Verdict::Void { cause } => Some(cause.clone()),
            _ => None,
        };
        Finished { planned, record, sentence, void, stderr, wire }
    }
}

fn recorded_turn(mv: Move, rescue: Option<RescueChoice>, board: &crate::game::Board) -> RecordedTurn {
    let rescue = rescue.map(|r| (r.rank, board.coordinates(r.to)));
    RecordedTurn::Move(mv.written(board), rescue)
}

fn turn_words(played: &crate::game::Played, position: &Position) -> String {
    let mut words = format!("{} {}", played.mover.title(), played.mv.written(position.board()));
    if let Some(b) = played.battle {
        words += &format!(": {} strikes {}, {}", b.attacker.name(), b.defender.name(), b.outcome.word());
    }
    words
}

/// Waits for all of some futures at once.
async fn futures_join<F: Future<Output = ()>>(futures: impl IntoIterator<Item = F>) {
    let mut futures: Vec<_> = futures.into_iter().map(Box::pin).collect();
    std::future::poll_fn(|cx| {
        futures.retain_mut(|f| f.as_mut().poll(cx).is_pending());
        if futures.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}
