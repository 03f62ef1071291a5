//! What a player hides, and other worlds in which it hides something else while its opponent is told the same.
//!
//! Which worlds those are is worked out here anew, from the text of SPEC.md, so that a leak in the referee cannot
//! hide itself: each piece of the hidden side may be any rank that fits all that the other side was told of it
//! ([`Suspect::fits`]). Only whether a side can still move is left to the referee: both see the game end.

use std::collections::BTreeMap;
use std::sync::Arc;

use arbiter::clock::{Stamp, TimeControl};
use arbiter::game::{
    Captured, Colour, Deployment, Outcome, Rank, Rescue, RuleSet, Rules, fight, notation::WrittenMove,
};
use arbiter::protocol::{Clause, Front, Protocol, Said, State, ucc};
use arbiter::referee::{Game, GamePlan, Wants};
use fastrand::Rng;

use crate::players::{
    ALL_WANTED, Bot, Event, Moved, Sent, Spot, Temper, drain, from_history, ms, plan, play, random_wants,
    result, run, steps,
};

/// A set of ranks.
pub type Ranks = u16;

pub fn only(rank: Rank) -> Ranks {
    1 << rank as u16
}

pub fn ranks(fits: impl Fn(Rank) -> bool) -> Ranks {
    Rank::ALL.into_iter().filter(|&r| fits(r)).map(only).sum()
}

/// What the attacker's player is told of the defender (SPEC.md, `rule.told`).
pub fn tells_defender(rules: &RuleSet, attacker: Rank, defender: Rank, outcome: Outcome) -> bool {
    !rules.silent_defence
        || attacker == Rank::Scout
        || defender == Rank::Flag
        || (outcome != Outcome::Lost && rules.captured == Captured::Public)
}

/// A piece of the hidden side, as a physical piece: a rescued one is another than the captured one.
#[derive(Clone)]
pub struct Suspect {
    rank: Rank,
    /// The ranks it could have so that the other side is told the very same.
    fits: Ranks,
    moved: bool,
    /// It was struck, and its rank was not told.
    struck_unseen: bool,
    rescued: bool,
}

/// Where a turn of the hidden side stands: in the given history, or among the inputs.
#[derive(Clone, Copy)]
pub enum Source {
    Past(usize),
    Input(usize),
}

/// What the captured pieces of the hidden side came to, in order.
pub enum Fate {
    Taken(usize),
    Back(usize, Source),
}

/// A game as the side that spies was told it, and all that the other side may have been without being told of.
pub struct Secrets {
    hidden: Colour,
    suspects: Vec<Suspect>,
    /// The suspect on each square of the deployment's string.
    squares: Vec<Option<usize>>,
    fates: Vec<Fate>,
    /// Inputs and past turns whose rescue lapsed.
    lapsed: Vec<Source>,
    /// Lines of the hidden side that were refused and taken back, or lost it the game.
    refused: Vec<usize>,
    result: Option<String>,
}

/// A game as it is followed: where the pieces stand, and what has come out so far.
struct Walk<'a> {
    rules: &'a RuleSet,
    found: Secrets,
    /// The hidden side's pieces, as suspects, and the other side's.
    theirs: BTreeMap<Spot, usize>,
    mine: BTreeMap<Spot, Rank>,
}

impl Walk<'_> {
    fn suspect(&mut self, at: Spot, rank: Rank, fits: Ranks, rescued: bool) -> usize {
        self.theirs.insert(at, self.found.suspects.len());
        self.found.suspects.push(Suspect { rank, fits, moved: false, struck_unseen: false, rescued });
        self.found.suspects.len() - 1
    }

    /// The spy moves: it knows its own piece, and is told of the struck one what the rules tell.
    fn spy_moves(&mut self, moved: &Moved) {
        let (from, to) = (moved.from, moved.to);
        let rank = self.mine.remove(&from).unwrap();
        let outcome = moved.battle.map_or(Outcome::Won, |b| b.2);
        if let Some((.., advances)) = moved.battle {
            let struck = self.theirs.remove(&to).unwrap();
            let (rules, suspect) = (self.rules, &mut self.found.suspects[struck]);
            if tells_defender(rules, rank, suspect.rank, outcome) {
                suspect.fits &= only(suspect.rank);
            } else {
                suspect.struck_unseen = true;
                suspect.fits &= ranks(|r| {
                    let battle = fight(rules, rank, r);
                    (battle.outcome, battle.advances) == (outcome, advances)
                        && !tells_defender(rules, rank, r, outcome)
                });
            }
            if outcome == Outcome::Lost {
                self.theirs.insert(if advances { from } else { to }, struck);
            } else {
                self.found.fates.push(Fate::Taken(struck));
            }
        }
        if outcome == Outcome::Won {
            self.mine.insert(to, rank);
        }
        if let Some((Some(rank), at)) = moved.rescue {
            self.mine.insert(at, rank);
        }
    }

    /// The hidden side moves; this is its own copy of the move, with all its ranks.
    fn hidden_moves(&mut self, moved: &Moved, source: Source, asked_rescue: bool) {
        let (from, to) = (moved.from, moved.to);
        let moving = self.theirs.remove(&from).unwrap();
        let outcome = moved.battle.map_or(Outcome::Won, |b| b.2);
        let suspect = &mut self.found.suspects[moving];
        suspect.moved = true;
        suspect.fits &= ranks(Rank::moves);
        if steps((from, to)) > 1 {
            suspect.fits &= only(Rank::Scout);
        }
        if let Some((.., advances)) = moved.battle {
            // The attacker's rank is always told.
            suspect.fits &= only(suspect.rank);
            let struck = self.mine.remove(&to).unwrap();
            if outcome == Outcome::Lost {
                self.mine.insert(if advances { from } else { to }, struck);
            }
        }
        if outcome == Outcome::Won {
            self.theirs.insert(to, moving);
        } else {
            self.found.fates.push(Fate::Taken(moving));
        }
        match moved.rescue {
            Some((rank, at)) => {
                let (rank, rescue) = (rank.unwrap(), self.rules.rescue);
                if rescue == Rescue::Text000 {
                    self.found.suspects[moving].fits &= !only(Rank::Scout);
                }
                let fits = match rescue {
                    _ if self.rules.captured == Captured::Public => only(rank),
                    Rescue::Text001 => ranks(Rank::moves),
                    _ => ranks(|r| r != Rank::Bomb),
                };
                let back = self.suspect(at, rank, fits, true);
                self.found.fates.push(Fate::Back(back, source));
            }
            None if asked_rescue => self.found.lapsed.push(source),
            None => {}
        }
    }
}

/// Follows a game. Both sides are sent each event at once, so that the moves can be told by input.
pub fn secrets(plan: &GamePlan, events: &[Event], hidden: Colour) -> Option<Secrets> {
    let at_once = Wants { ponder: true, ..Wants::default() };
    let (game, sent) = run(plan, [at_once; 2], events);
    // Where the two deployments did not come to be there is no secret.
    let deployments = [game.deployment(Colour::Red)?, game.deployment(Colour::Blue)?];
    let (rules, board) = (plan.rules.set(), &plan.rules.board);
    let mut walk = Walk {
        rules,
        found: Secrets {
            hidden,
            suspects: Vec::new(),
            squares: Vec::new(),
            fates: Vec::new(),
            lapsed: Vec::new(),
            refused: Vec::new(),
            result: result(&game),
        },
        theirs: BTreeMap::new(),
        mine: BTreeMap::new(),
    };
    for side in Colour::BOTH {
        for (index, rank) in deployments[side.index()].squares().iter().enumerate() {
            let at = board.coordinates(board.deployment_square(side, index));
            let at = (at.file, at.rank);
            if side != hidden {
                walk.mine.extend(rank.map(|r| (at, r)));
                continue;
            }
            let suspect = rank.map(|rank| {
                let open = rules.open_flag && rank == Rank::Flag;
                walk.suspect(at, rank, if open { only(rank) } else { Ranks::MAX }, false)
            });
            walk.found.squares.push(suspect);
        }
    }
    let asks_rescue = |source| match source {
        Source::Past(at) => plan.history[at].1.is_some(),
        Source::Input(at) => {
            matches!(&events[at], Event::Line(_, _, line) if line.windows(6).any(|w| w == b"rescue"))
        }
    };
    let mut turns = 0;
    for (index, sent) in sent.iter().enumerate() {
        let before = turns;
        let copies = sent[hidden.index()].lines().zip(sent[hidden.other().index()].lines());
        // Each side's copy of a move tells the ranks of its own pieces.
        for (theirs, mine) in copies.map(|(a, b)| (Moved::read(a), Moved::read(b))) {
            let (Some(theirs), Some(mine)) = (theirs, mine) else {
                continue;
            };
            let source = match turns < plan.history.len() {
                true => Source::Past(turns),
                false => Source::Input(index - 1),
            };
            turns += 1;
            if theirs.mover == hidden {
                walk.hidden_moves(&theirs, source, asks_rescue(source));
            } else {
                walk.spy_moves(&mine);
            }
        }
        if index > 0
            && before == turns
            && let Event::Line(side, _, line) = &events[index - 1]
            && *side == hidden
            && line.starts_with(b"move")
        {
            walk.found.refused.push(index - 1);
        }
    }
    Some(walk.found)
}

/// Pieces that were another in some other world, by what they are.
#[derive(Default)]
pub struct Changes {
    pub all: u64,
    pub still: u64,
    pub moved: u64,
    pub struck_unseen: u64,
    pub rescued: u64,
}

/// Another world: other hidden ranks, other words of the hidden side that tell nothing, and the same told.
pub fn other_world(
    rng: &mut Rng,
    plan: &GamePlan,
    events: &[Event],
    secrets: &Secrets,
    changes: &mut Changes,
) -> Option<(GamePlan, Vec<Event>)> {
    let mut suspects = secrets.suspects.clone();
    let deployed: Vec<usize> = secrets.squares.iter().flatten().copied().collect();
    for _ in 0..4 * deployed.len() {
        let (a, b) = (deployed[rng.usize(..deployed.len())], deployed[rng.usize(..deployed.len())]);
        let (rank_a, rank_b) = (suspects[a].rank, suspects[b].rank);
        if suspects[a].fits & only(rank_b) != 0 && suspects[b].fits & only(rank_a) != 0 {
            (suspects[a].rank, suspects[b].rank) = (rank_b, rank_a);
        }
    }
    let (mut plan, mut events) = (plan.clone(), events.to_vec());
    let mut pool: Vec<Rank> = Vec::new();
    for fate in &secrets.fates {
        match *fate {
            Fate::Taken(piece) => pool.push(suspects[piece].rank),
            Fate::Back(piece, source) => {
                let fit = |i: &usize| suspects[piece].fits & only(pool[*i]) != 0;
                let choices: Vec<usize> = (0..pool.len()).filter(fit).collect();
                let choice = *choices.get(rng.usize(..choices.len().max(1)))?;
                let rank = pool.remove(choice);
                suspects[piece].rank = rank;
                match source {
                    Source::Past(at) => plan.history[at].1.as_mut().unwrap().rank = rank,
                    Source::Input(at) => {
                        let Event::Line(_, _, line) = &mut events[at] else { unreachable!() };
                        let at = line.windows(7).position(|w| w == b"rescue ").unwrap() + 7;
                        line[at] = rank.letter() as u8;
                    }
                }
            }
        }
    }
    // A rescue that lapses is never seen: that world's player may not have asked for one.
    for &source in &secrets.lapsed {
        match source {
            Source::Past(at) => plan.history[at].1 = None,
            Source::Input(at) => {
                let Event::Line(_, _, line) = &mut events[at] else { unreachable!() };
                let begin = line.windows(7).position(|w| w == b" rescue").unwrap();
                let end = line.windows(6).position(|w| w == b" offer").unwrap_or(line.len());
                line.drain(begin..end);
            }
        }
    }
    // Nor is a move that was taken back. Where the retries ran out their number counts.
    let spent = secrets.result.as_ref().is_some_and(|r| r.contains("illegal-move"));
    for &at in &secrets.refused {
        let Event::Line(side, stamp, _) = events[at] else { unreachable!() };
        events[at] = match spent || rng.bool() {
            true => Event::Line(side, stamp, b"move a1 z99".to_vec()),
            false => Event::Tick(stamp),
        };
    }
    let string: String =
        secrets.squares.iter().map(|s| s.map_or('.', |i| suspects[i].rank.letter())).collect();
    match &mut plan.deployments[secrets.hidden.index()] {
        Some(deployment) => *deployment = Deployment::parse(&plan.rules, &string).unwrap(),
        None => {
            let setup = events.iter_mut().find_map(|e| match e {
                Event::Line(side, _, line) if *side == secrets.hidden && line.starts_with(b"setup") => {
                    Some(line)
                }
                _ => None,
            });
            *setup.unwrap() = format!("setup {string}").into_bytes();
        }
    }
    for event in &mut events {
        if let Event::Line(side, _, line) = event
            && *side == secrets.hidden
        {
            match line.starts_with(b"info") {
                true => *line = b"info other thoughts".to_vec(),
                false => line.extend_from_slice(b" \t"),
            }
        }
    }
    for (was, is) in secrets.suspects.iter().zip(&suspects).filter(|(was, is)| was.rank != is.rank) {
        let n = |yes: bool| u64::from(yes);
        changes.all += 1;
        changes.still += n(!was.moved && !was.struck_unseen);
        changes.moved += n(was.moved && is.moved);
        changes.struck_unseen += n(was.struck_unseen);
        changes.rescued += n(was.rescued);
    }
    Some((plan, events))
}

/// Plays inputs in which one side speaks UCC: its lines are put into that language, and what that language cannot say
/// becomes a moment without a word.
pub fn speak_ucc(plan: &GamePlan, side: Colour, other: Wants, events: &[Event]) -> (Game, Vec<Sent>) {
    let mut fronts: [Box<dyn Front>; 2] = [other.into(), other.into()];
    fronts[side.index()] = Protocol::Ucc.front(Wants::default());
    let mut game = Game::new(plan.clone(), fronts);
    let mut sent = vec![drain(&mut game)];
    for event in events {
        match event {
            Event::Line(who, at, line) if *who == side => {
                let said = arbiter::protocol::read(line, State::Setup)
                    .or_else(|_| arbiter::protocol::read(line, State::Turn));
                let lines = match said {
                    Ok(Said::Setup(string)) => match Deployment::parse(&plan.rules, &string) {
                        Ok(deployment) => ucc::rows(&deployment, side).to_vec(),
                        Err(_) => vec![string],
                    },
                    Ok(Said::Resign) => vec!["SURRENDER".to_owned()],
                    Ok(Said::Move(said)) => {
                        let WrittenMove { from, to } = said.mv;
                        let straight = (from.file == to.file) != (from.rank == to.rank);
                        vec![if straight { ucc::Step(said.mv).to_string() } else { "0 0 ASIDE".to_owned() }]
                    }
                    _ => Vec::new(),
                };
                for line in lines {
                    Event::Line(side, *at, line.into_bytes()).feed(&mut game);
                }
            }
            event => event.feed(&mut game),
        }
        sent.push(drain(&mut game));
    }
    (game, sent)
}

/// What was tried, by the kind of rule: how many pieces were others than in the first world.
#[derive(Default)]
pub struct Tally {
    pub by_rule: BTreeMap<String, u64>,
    pub changes: Changes,
    pub worlds: u64,
    /// Of these, the ones that were told in UCC, too.
    pub ucc: u64,
    pub rejected: u64,
}

impl Tally {
    fn count(&mut self, rules: &RuleSet, wants: Wants, plan: &GamePlan, changed: u64) {
        const BY: [&str; 16] = [
            "scout-strike",
            "equal-ranks",
            "winner-advances",
            "two-squares",
            "chase",
            "repetition",
            "no-attack",
            "length",
            "both-immobile",
            "reveal",
            "captured",
            "silent-defence",
            "rescue",
            "open-flag",
            "illegal",
            "deployment",
        ];
        let mut add = |label: String| *self.by_rule.entry(label).or_default() += changed;
        for name in BY {
            add(format!("{name}={}", rules.get(name).unwrap()));
        }
        let words = ["silent-defence", "captured", "rescue", "reveal"].map(|n| rules.get(n).unwrap());
        add(format!("silent-defence={} captured={}", words[0], words[1]));
        add(format!("captured={} rescue={}", words[1], words[2]));
        add(format!("silent-defence={} reveal={}", words[0], words[3]));
        for (name, wanted) in [
            ("board", wants.board),
            ("legal", wants.legal),
            ("clock", wants.clock),
            ("ponder", wants.ponder),
            ("nothing", !(wants.board || wants.legal || wants.clock || wants.ponder)),
        ] {
            if wanted {
                add(format!("wants {name}"));
            }
        }
        add(if plan.history.is_empty() { "from the start" } else { "from a history" }.to_owned());
        add(if plan.deployments[0].is_some() { "assigned" } else { "deployed" }.to_owned());
    }
}

/// Plays games under these rules and, for each, other worlds; what was sent must not tell them apart.
pub fn keep_secrets(
    rng: &mut Rng,
    rules: &Arc<Rules>,
    games: usize,
    most: usize,
    tempers: Option<[Temper; 2]>,
    tally: &mut Tally,
) {
    for _ in 0..games {
        let mut plan = plan(rules, if rng.bool() { Colour::Red } else { Colour::Blue });
        if rng.bool() {
            plan.time.control = TimeControl::parse(["60+0", "10/60+0.5"][rng.usize(..2)]).unwrap();
        }
        for deployment in &mut plan.deployments {
            if rng.u8(..4) == 0 {
                *deployment = Some(Deployment::draw(rules, |n| rng.usize(..n)));
            }
        }
        let tempers = tempers.unwrap_or_else(|| [Temper::random(rng), Temper::random(rng)]);
        let mut bots = tempers.map(|temper| Bot::new(rng, temper));
        let mut events = play(&plan, rng, &mut bots, most, |_| {});
        let (game, _) = run(&plan, [ALL_WANTED; 2], &events);
        if !game.turns().is_empty() && rng.u8(..4) == 0 {
            (plan, events) = from_history(&plan, &events, rng.usize(1..=game.turns().len()));
        }
        // What is revealed later is a secret before: half the worlds end early, at any input.
        for _ in 0..4 {
            let cut = if rng.bool() { events.len() } else { rng.usize(..=events.len()) };
            let mut events = events[..cut].to_vec();
            let fault = *[Clause::ProcessExit, Clause::LimitMemory].get(rng.usize(..2)).unwrap();
            let side = Colour::BOTH[rng.usize(..2)];
            events.extend(match rng.u8(..8) {
                0 => Some(Event::Tick(Stamp(ms(10_000_000)))),
                1 => Some(Event::Failed(side, fault)),
                2 => Some(Event::Limit(side, Clause::LineFlood)),
                3 => Some(Event::Abort),
                _ => None,
            });
            for hidden in Colour::BOTH {
                let spy = hidden.other();
                let Some(secrets) = secrets(&plan, &events, hidden) else {
                    continue;
                };
                let wants = [random_wants(rng), random_wants(rng)];
                let (_, told) = run(&plan, wants, &events);
                for number in 0..3 {
                    let mut changes = Changes::default();
                    let Some((other_plan, other_events)) =
                        other_world(rng, &plan, &events, &secrets, &mut changes)
                    else {
                        tally.rejected += 1;
                        continue;
                    };
                    let mut other_wants = wants;
                    other_wants[hidden.index()] = random_wants(rng);
                    let (other, told_other) = run(&other_plan, other_wants, &other_events);
                    let (was, is) = (secrets.result.as_ref(), result(&other));
                    let immobile = |r: &String| r.contains("no-legal-move") || r.contains("both-immobile");
                    if was != is.as_ref() && (was.is_some_and(immobile) || is.as_ref().is_some_and(immobile))
                    {
                        // Whether a side can move is for both to see: that world is another one.
                        tally.rejected += 1;
                        continue;
                    }
                    for (at, (was, is)) in told.iter().zip(&told_other).enumerate() {
                        let (was, is) = (&was[spy.index()], &is[spy.index()]);
                        assert_eq!(
                            was,
                            is,
                            "{spy} was told the two worlds apart, at input {at}, {:?}\n{:?}\n{:?}\n{:?}",
                            rules.set(),
                            plan,
                            other_plan.deployments,
                            &events[..at],
                        );
                    }
                    let given = plan.deployments[spy.index()].is_some() || !plan.history.is_empty();
                    let front = Protocol::Ucc.front(Wants::default());
                    // One world of three: it is a second game for each.
                    if number == 0 && front.unable(rules.set(), given).is_none() {
                        let [was, is] = [(&plan, &events), (&other_plan, &other_events)]
                            .map(|(plan, events)| speak_ucc(plan, spy, ALL_WANTED, events).1);
                        for (at, (was, is)) in was.iter().zip(&is).enumerate() {
                            let (was, is) = (&was[spy.index()], &is[spy.index()]);
                            assert_eq!(was, is, "{spy} was told the two worlds apart in UCC, at input {at}");
                        }
                        tally.ucc += 1;
                    }
                    tally.worlds += 1;
                    tally.count(rules, wants[spy.index()], &plan, changes.all);
                    let sum = &mut tally.changes;
                    sum.all += changes.all;
                    sum.still += changes.still;
                    sum.moved += changes.moved;
                    sum.struck_unseen += changes.struck_unseen;
                    sum.rescued += changes.rescued;
                }
            }
        }
    }
}
