//! The referee's laws (SPEC.md; src/referee/mod.rs), over the pure referee: inputs with stamps go in, what each bot
//! is sent comes out. Nothing here looks into a game.

use std::collections::BTreeMap;
use std::slice::from_ref;
use std::sync::Arc;
use std::time::Duration;

use arbiter::clock::{Stamp, TimeControl, TimeSettings};
use arbiter::game::{BOOKS, Colour, Coordinates, Deployment, Outcome, Rank, Reveal, Rules};
use arbiter::protocol::Clause;
use arbiter::referee::{Game, GamePlan, Input, Verdict, Wants};
use fastrand::Rng;
use proptest::prelude::*;

use crate::players::{
    ALL_WANTED, Asked, Bot, Event, Moved, Sent, Spot, Temper, check_lines, drain, from_history, joined, ms,
    plan, play, random_rules, random_wants, read_pair, result, rules, run, small, spot_name, steps, word_of,
};
use crate::secrets::{Tally, keep_secrets};

/// More rounds than the usual, for those who change the referee.
fn rounds(usual: usize) -> usize {
    usual * std::env::var("ARBITER_LAW_ROUNDS").map_or(1, |n| n.parse().unwrap())
}

fn enough(tally: &Tally, label: &str, least: u64) {
    let found = tally.by_rule.get(label).copied().unwrap_or(0);
    assert!(found >= least, "only {found} pieces were others under {label}");
}

#[test]
fn no_byte_tells_a_bot_what_its_opponent_hides_under_any_shipped_rule_book() {
    let mut rng = Rng::with_seed(11);
    for (name, _) in BOOKS {
        let mut tally = Tally::default();
        let rules = rules(name, &[]);
        // Small armies hide less.
        let games = if rules.army.size() == 40 { 5 } else { 20 };
        keep_secrets(&mut rng, &rules, rounds(games), 700, None, &mut tally);
        let changed = tally.changes.all;
        println!("{name}: {changed} pieces in {} worlds", tally.worlds);
        assert!(changed >= 1000, "only {changed} pieces were others under {name}");
        assert!(tally.rejected * 20 <= tally.worlds, "{} of {name}'s worlds were rejected", tally.rejected);
    }
}

/// The kinds of rules and bots under each of which thousands of pieces must have been others.
const LABELS: &str = "
    silent-defence=on captured=owner
    silent-defence=on captured=public
    silent-defence=off captured=owner
    silent-defence=off captured=public
    captured=owner rescue=000
    captured=owner rescue=001
    captured=public rescue=000
    captured=public rescue=001
    silent-defence=on reveal=never
    silent-defence=on reveal=until-moved
    silent-defence=on reveal=until-end
    silent-defence=off reveal=never
    silent-defence=off reveal=until-moved
    silent-defence=off reveal=until-end
    open-flag=on
    winner-advances=any
    winner-advances=any-but-scout
    equal-ranks=attacker
    scout-strike=adjacent
    chase=isf
    chase=any
    two-squares=1
    two-squares=3
    repetition=3
    both-immobile=loss
    illegal=retry:4
    deployment=any
    deployment=filled
    assigned
    deployed
    from a history
    wants board
    wants legal
    wants clock
    wants ponder
    wants nothing
";

#[test]
fn no_byte_tells_a_bot_what_its_opponent_hides_under_rules_of_every_kind() {
    let mut rng = Rng::with_seed(12);
    let mut tally = Tally::default();
    for _ in 0..rounds(250) {
        let rules = random_rules(&mut rng, &[]);
        keep_secrets(&mut rng, &rules, 1, 400, None, &mut tally);
    }
    // Where most is hidden: defenders that nobody names, and pieces that come back unnamed.
    for _ in 0..rounds(600) {
        let rescue = ["000", "001"][rng.usize(..2)];
        let forced = [
            ("silent-defence", "on"),
            ("captured", ["owner", "owner", "public"][rng.usize(..3)]),
            ("rescue", rescue),
            ("board", ["4x4", "5x5"][rng.usize(..2)]),
            ("lakes", "none"),
            ("rows", "2"),
            ("deployment", "any"),
            ("army", ["F1,S1,22,31,41,51,M1", "F1,B1,21,31,41,61,81,M1"][rng.usize(..2)]),
            ("length", "off"),
            ("no-attack", "off"),
            ("repetition", "off"),
        ];
        let rules = random_rules(&mut rng, &forced);
        keep_secrets(&mut rng, &rules, 1, 300, None, &mut tally);
    }
    // Where a chase bars moves: it must not ask which of two pieces stands where.
    let peace = Temper {
        strike: 0.0,
        advance: 0.0,
        shuttle: 0.0,
        offer: 0.0,
        resign: 0.0,
        ..Temper::random(&mut rng)
    };
    let chaser = Temper { chase: 0.95, flee: 0.0, ..peace };
    let evader = Temper { chase: 0.0, flee: 0.95, ..peace };
    for _ in 0..rounds(100) {
        let forced = [
            ("board", ["4x4", "4x5", "3x6"][rng.usize(..3)]),
            ("lakes", "none"),
            ("rows", "2"),
            ("army", ["F1,42,51", "F1,22,42"][rng.usize(..2)]),
            ("deployment", "any"),
            ("length", "off"),
            ("no-attack", "off"),
            ("repetition", "off"),
            ("two-squares", "off"),
            ("chase", ["isf", "any"][rng.usize(..2)]),
        ];
        let rules = random_rules(&mut rng, &forced);
        keep_secrets(&mut rng, &rules, 1, 300, Some([chaser, evader]), &mut tally);
    }
    for label in LABELS.lines().map(str::trim).filter(|l| !l.is_empty()) {
        enough(&tally, label, 2000);
    }
    let c = &tally.changes;
    println!(
        "{} worlds, {} rejected: {} pieces, {} still, {} moved, {} struck unseen, {} rescued unseen",
        tally.worlds, tally.rejected, c.all, c.still, c.moved, c.struck_unseen, c.rescued
    );
    assert!(c.still >= 10_000 && c.moved >= 5000 && c.struck_unseen >= 2000 && c.rescued >= 1000);
    assert!(tally.rejected * 10 <= tally.worlds);
}

// ---- the other laws ----

/// A game to the middle of which it came, with its inputs.
fn some_game(rng: &mut Rng, rules: &Arc<Rules>, time: TimeSettings, most: usize) -> (GamePlan, Vec<Event>) {
    let mut plan = plan(rules, if rng.bool() { Colour::Red } else { Colour::Blue });
    plan.time = time;
    let mut bots = Bot::pair(rng);
    let events = play(&plan, rng, &mut bots, most, |_| {});
    (plan, events)
}

fn side(red: bool) -> Colour {
    if red { Colour::Red } else { Colour::Blue }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rounds(60) as u32))]

    #[test]
    fn the_same_inputs_give_the_same_bytes_and_the_same_verdict(seed: u64) {
        let mut rng = Rng::with_seed(seed);
        let rules = random_rules(&mut rng, &[]);
        let (plan, events) = some_game(&mut rng, &rules, TimeSettings::default(), 600);
        let wants = [random_wants(&mut rng), random_wants(&mut rng)];
        let ((one, sent), (two, again)) = (run(&plan, wants, &events), run(&plan, wants, &events));
        prop_assert_eq!(sent, again);
        prop_assert_eq!(one.verdict(), two.verdict());
    }

    #[test]
    fn help_that_a_bot_asked_for_changes_neither_the_game_nor_what_the_other_is_sent(seed: u64) {
        let mut rng = Rng::with_seed(seed);
        let rules = random_rules(&mut rng, &[]);
        let (plan, events) = some_game(&mut rng, &rules, TimeSettings::default(), 600);
        let mut wants = [random_wants(&mut rng), random_wants(&mut rng)];
        let (one, sent) = run(&plan, wants, &events);
        wants[1] = random_wants(&mut rng);
        let (two, again) = run(&plan, wants, &events);
        prop_assert_eq!(one.verdict(), two.verdict());
        let red = |sent: &[Sent]| sent.iter().map(|s| s[0].clone()).collect::<Vec<_>>();
        prop_assert_eq!(red(&sent), red(&again));
    }

    /// To ponder is to be told earlier, nothing else: the same lines in the same order.
    #[test]
    fn a_bot_that_ponders_is_told_each_event_at_once_and_else_the_same(seed: u64) {
        let mut rng = Rng::with_seed(seed);
        let rules = random_rules(&mut rng, &[]);
        let (plan, events) = some_game(&mut rng, &rules, TimeSettings::default(), 400);
        let wants = random_wants(&mut rng);
        let with = |ponder| [Wants { ponder, ..wants }, Wants { ponder: true, ..wants }];
        let ((_, waits), (_, ponders)) = (run(&plan, with(false), &events), run(&plan, with(true), &events));
        let (short, whole) = (joined(&waits, Colour::Red), joined(&ponders, Colour::Red));
        // What an unfinished game has not yet told whoever waits is news, no question.
        let rest = whole.strip_prefix(&short);
        prop_assert!(rest.is_some_and(|r| r.lines().all(|l| ["moved", "start", "flag", "placed"].iter().any(|w| l.starts_with(w)))));
        let told = |text: &str| text.lines().filter(|l| l.starts_with("moved") || *l == "start").count();
        for (waits, ponders) in waits.iter().zip(&ponders) {
            // At once: in the very moment in which the other pondering bot is told.
            prop_assert_eq!(told(&ponders[0]), told(&ponders[1]));
            // Whoever waits reads events only above a question or the end.
            let closed = |l: &str| l.starts_with("go") || l == "setup" || l.starts_with("setup ") || l.starts_with("gameover");
            prop_assert!(waits[0].lines().last().is_none_or(closed), "{}", waits[0]);
        }
    }

    #[test]
    fn a_given_history_is_told_like_moves_that_were_played_and_leads_to_the_same_question(seed: u64) {
        let mut rng = Rng::with_seed(seed);
        // No offers: they are no part of a history.
        let rules = random_rules(&mut rng, &[("draw-offers", "off"), ("illegal", "loss")]);
        let (mut plan, events) = some_game(&mut rng, &rules, TimeSettings::default(), 300);
        let (played, _) = run(&plan, [ALL_WANTED; 2], &events);
        prop_assume!(!played.turns().is_empty());
        plan.deployments = Colour::BOTH.map(|side| played.deployment(side).cloned());
        let moves_only: Vec<Event> =
            events.iter().filter(|e| !matches!(e, Event::Line(_, _, l) if l.starts_with(b"setup"))).cloned().collect();
        let (later, rest) = from_history(&plan, &moves_only, rng.usize(1..=played.turns().len()));
        let wants = [random_wants(&mut rng), random_wants(&mut rng)];
        let ((one, sent), (two, short)) = (run(&plan, wants, &moves_only), run(&later, wants, &rest));
        prop_assert_eq!(result(&one), result(&two));
        for side in Colour::BOTH {
            // The questions that the history answers are not put; all else is the same.
            let (whole, short) = (joined(&sent, side), joined(&short, side));
            let events = |text: &str| -> Vec<String> {
                text.lines()
                    .filter(|l| !["board", "legal", "go"].contains(&l.split(' ').next().unwrap()))
                    .map(str::to_owned)
                    .collect()
            };
            // A game that is not over may owe a waiting bot the last events.
            let (all, told) = (events(&whole), events(&short));
            prop_assert!(all.starts_with(&told), "{:?} {:?}", all, told);
            prop_assert!(one.verdict().is_none() || all.len() == told.len());
            let asked = |text: &str| -> Vec<String> {
                text.lines().filter(|l| l.starts_with("board") || l.starts_with("legal")).map(str::to_owned).collect()
            };
            let (whole, short) = (asked(&whole), asked(&short));
            prop_assert_eq!(&whole[whole.len() - short.len()..], &short[..]);
        }
    }
}

// ---- time ----

/// A side's clock as SPEC.md, section 11, tells of it.
struct Watch {
    time: TimeSettings,
    left: [Duration; 2],
    made: [u32; 2],
}

impl Watch {
    fn new(time: TimeSettings) -> Watch {
        let left = match time.control {
            TimeControl::Clock { base, increment, .. } => base + increment,
            TimeControl::PerMove(span) | TimeControl::Unlimited { idle: span } => span,
        };
        Watch { time, left: [left; 2], made: [0; 2] }
    }

    fn allowed(&self, side: Colour) -> Duration {
        self.left[side.index()] + self.time.delay + self.time.margin
    }

    fn charge(&mut self, side: Colour, used: Duration) {
        let i = side.index();
        self.made[i] += 1;
        if let TimeControl::Clock { base, increment, period } = self.time.control {
            self.left[i] = self.left[i].saturating_sub(used.saturating_sub(self.time.delay)) + increment;
            if period.is_some_and(|moves| self.made[i].is_multiple_of(moves)) {
                self.left[i] += base;
            }
        }
    }

    fn go(&self, side: Colour) -> String {
        match self.time.control {
            TimeControl::Unlimited { .. } => "go".to_owned(),
            TimeControl::PerMove(span) => format!("go move-time={}", span.as_millis()),
            TimeControl::Clock { period, .. } => {
                let [red, blue] = self.left.map(|l| l.as_millis());
                let to_go = period.map_or(String::new(), |moves| {
                    format!(" moves-to-go={}", moves - self.made[side.index()] % moves)
                });
                format!("go clock={red},{blue}{to_go}")
            }
        }
    }
}

fn micros(range: std::ops::Range<u64>) -> impl Strategy<Value = Duration> {
    range.prop_map(Duration::from_micros)
}

fn times() -> impl Strategy<Value = TimeSettings> {
    let control = prop_oneof![
        micros(1..90_000).prop_map(TimeControl::PerMove),
        micros(1..90_000).prop_map(|idle| TimeControl::Unlimited { idle }),
        (micros(1..90_000), micros(0..5000), proptest::option::of(1u32..5))
            .prop_map(|(base, increment, period)| TimeControl::Clock { base, increment, period }),
    ];
    let zero_or = |most| prop_oneof![Just(Duration::ZERO), micros(0..most)];
    (control, zero_or(9000), zero_or(9000), micros(1..90_000)).prop_map(|(control, delay, margin, setup)| {
        TimeSettings { control, delay, margin, setup: Some(setup), ..TimeSettings::default() }
    })
}

/// The verdict and what was sent, after these inputs.
fn after(game: &Game, inputs: &[Event]) -> (Option<Verdict>, Sent) {
    let mut game = game.clone();
    inputs.iter().for_each(|input| input.feed(&mut game));
    let sent = drain(&mut game);
    (game.verdict().cloned(), sent)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rounds(150) as u32))]

    /// Stamps decide, to the nanosecond, and never which input came first.
    #[test]
    fn an_answer_at_the_deadline_counts_and_one_after_it_is_a_time_fault_whatever_it_says(
        time in times(),
        seed: u64,
        turns in 0usize..20,
        junk in proptest::collection::vec(any::<u8>(), 0..20),
    ) {
        let mut rng = Rng::with_seed(seed);
        let rules = small(&[("clock-expiry", ["loss", "draw"][rng.usize(..2)]), ("draw-offers", "off")]);
        let mut plan = plan(&rules, side(rng.bool()));
        plan.time = time;
        let quiet = Temper { mischief: 0.0, resign: 0.0, chatter: 0.0, ..Temper::random(&mut rng) };
        let mut bots = [0, 1].map(|_| Bot::new(&mut rng, quiet));
        let mut game = Game::new(plan, [ALL_WANTED; 2]);
        let nano = Duration::from_nanos(1);
        let mut watch = Watch::new(time);
        let mut now = Duration::ZERO;
        for turn in 0..=turns {
            let mut asked: Vec<(Colour, Duration, Duration, String)> = Vec::new();
            for (side, text) in Colour::BOTH.into_iter().zip(drain(&mut game)) {
                now += Duration::from_nanos(rng.u64(..500));
                game.input(Input::Written(side, Stamp(now)));
                if let Some(mut lines) = bots[side.index()].hear(&text) {
                    let go = text.lines().last().unwrap();
                    let allowed = if go == "setup" { time.setup.unwrap() + time.margin } else { watch.allowed(side) };
                    if go != "setup" {
                        prop_assert_eq!(go, watch.go(side));
                    }
                    asked.push((side, now, now + allowed, String::from_utf8(lines.pop().unwrap()).unwrap()));
                }
            }
            if game.verdict().is_some() {
                return Ok(());
            }
            let first = asked.iter().map(|a| a.2).min().unwrap();
            prop_assert_eq!(game.deadline(), Some(Stamp(first)));
            if turn == turns {
                // Nobody answers in time. What is said then, by whom and before or after a tick, is all the same.
                let late = Stamp(asked.iter().map(|a| a.2).max().unwrap() + nano);
                let (verdict, sent) = after(&game, &[Event::Tick(late)]);
                let verdict = verdict.unwrap();
                let clause = if turn == 0 { Clause::TimeSetup } else { Clause::TimeMove };
                prop_assert!(verdict.faults().iter().all(|f| f.clause == clause));
                prop_assert_eq!(verdict.faults().len(), asked.len());
                prop_assert!(asked.iter().all(|a| verdict.fault_of(a.0).is_some()));
                for said in [asked[0].3.clone().into_bytes(), junk.clone(), b"resign".to_vec(), b"info".to_vec()] {
                    for sides in [[Colour::Red, Colour::Blue], [Colour::Blue, Colour::Red]] {
                        let [one, other] = sides.map(|side| Event::Line(side, late, said.clone()));
                        for order in [
                            vec![one.clone(), Event::Tick(late)],
                            vec![Event::Tick(late), one.clone()],
                            vec![one.clone(), other.clone(), Event::Tick(late)],
                        ] {
                            prop_assert_eq!(after(&game, &order), (Some(verdict.clone()), sent.clone()), "{:?}", order);
                        }
                    }
                }
                return Ok(());
            }
            for (side, start, deadline, answer) in asked {
                // Up to the deadline a tick says nothing, and at it an answer counts.
                let span = deadline.min(first).saturating_sub(start).as_nanos() as u64;
                let at = match rng.u8(..4) {
                    0 => first,
                    _ => first.min(start + Duration::from_nanos(rng.u64(..=span))),
                };
                now = now.max(at);
                game.input(Input::Tick(Stamp(now)));
                prop_assert_eq!(game.verdict(), None);
                prop_assert!(drain(&mut game).iter().all(String::is_empty));
                game.input(Input::Line(side, Stamp(now), answer.as_bytes()));
                prop_assert!(game.verdict().is_none_or(|v| v.faults().is_empty()), "{:?}", game.verdict());
                if turn > 0 {
                    watch.charge(side, now - start);
                }
            }
        }
    }

    #[test]
    fn ticks_up_to_the_deadline_change_nothing(seed: u64, time in times()) {
        let mut rng = Rng::with_seed(seed);
        let rules = random_rules(&mut rng, &[]);
        let (plan, events) = some_game(&mut rng, &rules, time, 60);
        let mut game = Game::new(plan.clone(), [ALL_WANTED; 2]);
        let mut ticked = Vec::new();
        for (index, event) in events.iter().enumerate() {
            event.feed(&mut game);
            ticked.push(event.clone());
            let until = match events.get(index + 1) {
                Some(Event::Line(_, at, _) | Event::Written(_, at)) => *at,
                _ => continue,
            };
            let at = game.deadline().map_or(until, |deadline| deadline.min(until));
            ticked.push(Event::Tick(at));
        }
        let ((one, sent), (two, again)) = (run(&plan, [ALL_WANTED; 2], &events), run(&plan, [ALL_WANTED; 2], &ticked));
        prop_assert_eq!(one.verdict(), two.verdict());
        for side in Colour::BOTH {
            prop_assert_eq!(joined(&sent, side), joined(&again, side));
        }
    }
}

// ---- deployment ----

/// A deployment of [`SMALL`].
const GOOD: &[u8] = b"setup FBS2235M..";

/// What a side can do wrong after `setup` was written to it, with the clause that it breaks first. To be late comes
/// last.
fn deployment_faults(side: Colour) -> Vec<(Vec<Event>, Clause)> {
    let line = |text: &[u8]| Event::Line(side, Stamp(ms(5)), text.to_vec());
    vec![
        (vec![line(b"setup")], Clause::SetupSyntax),
        (vec![line(b"setup FBS2235M.. x")], Clause::SetupSyntax),
        (vec![line(b"setup FBS2235M.")], Clause::SetupLength),
        (vec![line(b"setup FBS2235m..")], Clause::SetupLetter),
        (vec![line(b"setup FBS2235MM.")], Clause::SetupCount),
        (vec![line(b"hello")], Clause::LineUnknown),
        (vec![line(b"readyok")], Clause::LineUnexpected),
        (vec![line(b"setup \0")], Clause::LineBytes),
        // The first of several counts, and a good answer after it comes too late.
        (vec![line(b"setup"), line(GOOD)], Clause::SetupSyntax),
        (vec![Event::Limit(side, Clause::LineLength), line(b"setup")], Clause::LineLength),
        (vec![line(b"move a1 a2"), Event::Failed(side, Clause::ProcessExit)], Clause::LineUnexpected),
        (vec![Event::Failed(side, Clause::ProcessExit)], Clause::ProcessExit),
        (vec![Event::Failed(side, Clause::LimitMemory)], Clause::LimitMemory),
        (vec![Event::Line(side, Stamp(ms(60_000)), GOOD.to_vec())], Clause::TimeSetup),
    ]
}

/// A game at its first questions, both written.
fn deploying() -> Game {
    let mut game = Game::new(plan(&small(&[]), Colour::Red), [ALL_WANTED; 2]);
    drain(&mut game);
    for side in Colour::BOTH {
        game.input(Input::Written(side, Stamp(ms(1))));
    }
    game
}

#[test]
fn two_faults_before_the_start_are_a_double_forfeit_whichever_was_noticed_first() {
    let mut rng = Rng::with_seed(3);
    for (red, red_clause) in deployment_faults(Colour::Red) {
        for (blue, blue_clause) in deployment_faults(Colour::Blue) {
            for _ in 0..4 {
                // Each side's inputs in their order, and those of both shuffled; stamps never run back.
                let (mut one, mut two) = (red.iter(), blue.iter());
                let mut inputs: Vec<Event> = Vec::new();
                while inputs.len() < red.len() + blue.len() {
                    inputs.extend(if rng.bool() { one.next() } else { two.next() }.cloned());
                }
                inputs.sort_by_key(|e| matches!(e, Event::Line(_, Stamp(at), _) if *at > ms(1000)));
                let mut game = deploying();
                for (index, input) in inputs.iter().enumerate() {
                    assert_eq!(game.verdict(), None, "{index} of {inputs:?}");
                    assert!(drain(&mut game).iter().all(String::is_empty));
                    input.feed(&mut game);
                    if game.verdict().is_some() {
                        break;
                    }
                }
                let verdict = game.verdict().expect("both have failed").clone();
                let clauses: Vec<Clause> = verdict.faults().iter().map(|f| f.clause).collect();
                assert_eq!(
                    (verdict.result(), clauses),
                    ("both-lose", vec![red_clause, blue_clause]),
                    "{inputs:?}"
                );
                let end = |clause| format!("gameover winner=none reason=double-forfeit clause={clause}\n");
                assert_eq!(drain(&mut game), [end(red_clause), end(blue_clause)]);
            }
        }
    }
}

#[test]
fn one_fault_before_the_start_is_judged_when_the_other_side_has_answered() {
    for side in Colour::BOTH {
        let good = Event::Line(side.other(), Stamp(ms(5)), GOOD.to_vec());
        for (faults, clause) in deployment_faults(side) {
            let last = clause == Clause::TimeSetup;
            let orders = [[&faults[..], from_ref(&good)].concat(), [from_ref(&good), &faults[..]].concat()];
            let mut seen = Vec::new();
            for order in orders.into_iter().skip(usize::from(last)) {
                let (verdict, sent) = after(&deploying(), &order);
                let verdict = verdict.unwrap();
                assert_eq!(verdict.faults().len(), 1, "{order:?}");
                assert_eq!(verdict.fault_of(side).map(|f| f.clause), Some(clause));
                assert_eq!(sent[side.other().index()].trim_end(), gameover(&verdict, None));
                assert_eq!(sent[side.index()].trim_end(), gameover(&verdict, Some(clause)));
                seen.push((verdict, sent));
            }
            seen.dedup();
            assert_eq!(seen.len(), 1, "{faults:?}");
        }
    }
}

fn gameover(verdict: &Verdict, clause: Option<Clause>) -> String {
    let winner = verdict.winner().map_or("none", Colour::word);
    let clause = clause.map_or(String::new(), |c| format!(" clause={c}"));
    format!("gameover winner={winner} reason={}{clause}", verdict.reason())
}

#[test]
fn a_second_line_after_a_good_deployment_is_early_on_either_side_of_the_start() {
    let line = |side, text: &[u8]| Event::Line(side, Stamp(ms(5)), text.to_vec());
    let good = |side| line(side, GOOD);
    for (inputs, started) in [
        (vec![good(Colour::Blue), line(Colour::Blue, b"ok"), good(Colour::Red)], false),
        (vec![good(Colour::Blue), good(Colour::Red), line(Colour::Blue, b"ok")], true),
        // Red's own question is put out by now, but not written.
        (vec![good(Colour::Blue), good(Colour::Red), line(Colour::Red, b"move a2 a3")], true),
    ] {
        let (verdict, sent) = after(&deploying(), &inputs);
        assert!(verdict.unwrap().faults().iter().all(|f| f.clause == Clause::TurnEarly));
        assert!(sent.iter().all(|s| s.contains("start\n") == started), "{sent:?}");
    }
}

#[test]
fn a_side_that_cannot_move_is_told_so_before_the_first_move() {
    let stuck = [("army", "F1,B1"), ("both-immobile", "draw"), ("open-flag", "on")];
    for (change, end) in
        [("draw", "winner=none reason=both-immobile"), ("loss", "winner=blue reason=no-legal-move")]
    {
        let rules = small(&[&stuck[..], &[("both-immobile", change)]].concat());
        let mut plan = plan(&rules, Colour::Red);
        let deployment = Deployment::parse(&rules, "FB........").unwrap();
        plan.deployments = [Some(deployment.clone()), Some(deployment)];
        let (game, sent) = run(&plan, [ALL_WANTED; 2], &[]);
        assert!(game.verdict().is_some());
        for side in Colour::BOTH {
            let news: Vec<&str> = sent[0][side.index()].lines().skip(1).collect();
            let end = format!("gameover {end}");
            let placed = ["placed red a1 b1", "placed blue a6 b6"];
            let flags = ["flag red a1", "flag blue a6", "start"];
            assert_eq!(news, [&["setup assigned FB........"][..], &placed, &flags, &[&end]].concat());
        }
    }
}

// ---- turns ----

/// The rows of a question's `board`, rank 1 first.
fn view(question: &str) -> Vec<&[u8]> {
    let rows = question.lines().find_map(|l| l.strip_prefix("board ")).unwrap();
    rows.split('/').rev().map(str::as_bytes).collect()
}

fn holds_own(square: u8) -> bool {
    b"FBS23456789M".contains(&square)
}

/// Whether a piece could step, were it not for the repetition rules, where no listed move goes.
fn narrowed(rows: &[&[u8]], listed: &[(Spot, Spot)]) -> bool {
    let at = |(file, rank): Spot| rows.get(rank as usize).and_then(|row| row.get(file as usize)).copied();
    let spots = (0..rows.len() as u8).flat_map(|r| (0..rows[0].len() as u8).map(move |f| (f, r)));
    spots.filter(|s| at(*s).is_some_and(|c| holds_own(c) && c != b'F' && c != b'B')).any(|from| {
        [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().any(|(file, rank): (i8, i8)| {
            let to = (from.0.wrapping_add_signed(file), from.1.wrapping_add_signed(rank));
            at(to).is_some_and(|c| !holds_own(c) && c != b'~') && !listed.contains(&(from, to))
        })
    })
}

#[test]
fn legal_lists_exactly_the_moves_that_the_referee_takes() {
    let mut rng = Rng::with_seed(5);
    let (mut taken, mut refused) = (0, BTreeMap::<Clause, u32>::new());
    for round in 0..rounds(200) {
        // A few whole boards; else few pieces and little room, so that they shuttle, chase and are barred.
        let forced = [("illegal", "loss"), ("draw-offers", "off")];
        let chases = round % 2 == 1;
        let narrow = [
            ("board", "5x5"),
            ("lakes", "c3"),
            ("rows", "2"),
            ("army", "F1,21,31,61"),
            ("deployment", "any"),
            ("repetition", "off"),
            ("no-attack", "off"),
            ("two-squares", if chases { "off" } else { ["1", "2", "3"][rng.usize(..3)] }),
            ("chase", ["isf", "any"][rng.usize(..2)]),
        ];
        let rules = match round % 20 {
            0 => rules("isf", &forced),
            _ => random_rules(&mut rng, &[&forced[..], &narrow].concat()),
        };
        let plan = plan(&rules, side(rng.bool()));
        let mut bots = Bot::pair(&mut rng);
        for bot in &mut bots {
            let calm = Temper { resign: 0.0, strike: 0.0, advance: 0.0, ..bot.temper };
            bot.temper = Temper { shuttle: if chases { 0.0 } else { 0.4 }, chase: 0.0, flee: 0.0, ..calm };
        }
        if chases {
            (bots[0].temper.chase, bots[1].temper.flee) = (0.9, 0.9);
        }
        let mut picks = rng.fork();
        play(&plan, &mut rng, &mut bots, 400, |asked| {
            let board = &rules.board;
            let spots: Vec<Spot> =
                (0..board.width()).flat_map(|f| (0..board.height()).map(move |r| (f, r))).collect();
            let legal = asked.text.lines().find_map(|l| l.strip_prefix("legal ")).unwrap();
            let listed: Vec<(Spot, Spot)> = legal.split(' ').map(read_pair).collect();
            let mut sorted = listed.clone();
            sorted.sort_by_key(|(from, to)| (from.1, from.0, to.1, to.0));
            assert_eq!(listed, sorted, "ordered by rank, then by file");
            // A question that a repetition rule narrows is a rare one.
            let rows = view(asked.text);
            if picks.u8(..32) != 0 && !narrowed(&rows, &listed) {
                return;
            }
            for &from in &spots {
                for &to in &spots {
                    // Moves askew and from squares that hold no own piece are many and all alike: a few will do.
                    let likely = (from.0 == to.0 || from.1 == to.1)
                        && holds_own(rows[from.1 as usize][from.0 as usize]);
                    if !likely && picks.u8(..16) != 0 {
                        continue;
                    }
                    let line = format!("move {}", word_of((from, to))).into_bytes();
                    let (verdict, _) = after(asked.game, &[Event::Line(asked.side, asked.at, line)]);
                    let clause = verdict.and_then(|v| v.fault_of(asked.side).map(|f| f.clause));
                    assert_eq!(
                        clause.is_none(),
                        listed.contains(&(from, to)),
                        "{from:?} {to:?} {}",
                        asked.text
                    );
                    match clause {
                        Some(clause) => *refused.entry(clause).or_default() += 1,
                        None => taken += 1,
                    }
                }
            }
        });
    }
    println!("{taken} taken, refused {refused:?}");
    let barred = |clause| refused.get(&clause).copied().unwrap_or(0);
    assert!(taken > 2000 && barred(Clause::MoveTwoSquares) > 200 && barred(Clause::MoveChase) > 10);
}

/// What a side knows of an enemy piece by the word of SPEC.md, `view.known`.
#[derive(Clone, Copy, Default)]
struct Known {
    moved: bool,
    rank: Option<Rank>,
    /// For good: it ran, or it is an open flag.
    ran: bool,
}

/// A side's view, kept from the events alone.
struct View {
    side: Colour,
    reveal: Reveal,
    own: BTreeMap<Spot, Rank>,
    enemy: BTreeMap<Spot, Known>,
}

impl View {
    fn new(game: &Game, side: Colour) -> View {
        let rules = &game.plan().rules;
        let mut view = View { side, reveal: rules.reveal, own: BTreeMap::new(), enemy: BTreeMap::new() };
        for of in Colour::BOTH {
            for (index, rank) in game.deployment(of).unwrap().squares().iter().enumerate() {
                let at = rules.board.coordinates(rules.board.deployment_square(of, index));
                let (at, Some(rank)) = ((at.file, at.rank), *rank) else {
                    continue;
                };
                if of == side {
                    view.own.insert(at, rank);
                } else {
                    let open = rules.open_flag && rank == Rank::Flag;
                    view.enemy.insert(at, Known { rank: open.then_some(rank), ran: open, moved: false });
                }
            }
        }
        view
    }

    /// A battle or a rescue told a rank.
    fn learn(&self, piece: &mut Known, told: Option<Rank>) {
        if self.reveal != Reveal::Never && !piece.ran {
            piece.rank = told.or(piece.rank);
        }
    }

    fn follow(&mut self, moved: &Moved) {
        let (from, to) = (moved.from, moved.to);
        let (outcome, advances) = moved.battle.map_or((Outcome::Won, false), |b| (b.2, b.3));
        let stays = if advances { from } else { to };
        if moved.mover == self.side {
            let rank = self.own.remove(&from).unwrap();
            if let Some((_, told, ..)) = moved.battle {
                let mut struck = self.enemy.remove(&to).unwrap();
                self.learn(&mut struck, told);
                struck.moved |= advances;
                if outcome == Outcome::Lost {
                    self.enemy.insert(stays, struck);
                }
            }
            if outcome == Outcome::Won {
                self.own.insert(to, rank);
            }
            if let Some((rank, at)) = moved.rescue {
                self.own.insert(at, rank.unwrap());
            }
            return;
        }
        let mut piece = self.enemy.remove(&from).unwrap();
        piece.moved = true;
        if self.reveal == Reveal::UntilMoved && !piece.ran {
            piece.rank = None;
        }
        if steps((from, to)) > 1 {
            (piece.rank, piece.ran) = (Some(Rank::Scout), true);
        }
        if let Some((told, ..)) = moved.battle {
            self.learn(&mut piece, told);
            let struck = self.own.remove(&to).unwrap();
            if outcome == Outcome::Lost {
                self.own.insert(stays, struck);
            }
        }
        if outcome == Outcome::Won {
            self.enemy.insert(to, piece);
        }
        if let Some((told, at)) = moved.rescue {
            let mut back = Known::default();
            self.learn(&mut back, told);
            self.enemy.insert(at, back);
        }
    }

    fn letter(&self, at: Spot, lake: bool) -> char {
        match (self.own.get(&at), self.enemy.get(&at)) {
            (Some(rank), _) => rank.letter(),
            (_, Some(Known { rank: Some(rank), .. })) => b"fbscdeghijkm"[*rank as usize] as char,
            (_, Some(piece)) => {
                if piece.moved {
                    '!'
                } else {
                    '?'
                }
            }
            _ => {
                if lake {
                    '~'
                } else {
                    '.'
                }
            }
        }
    }
}

#[test]
fn the_view_shows_what_the_events_told_and_nothing_else() {
    let mut rng = Rng::with_seed(8);
    let mut shown = BTreeMap::<char, u32>::new();
    for _ in 0..rounds(150) {
        let rules = random_rules(&mut rng, &[]);
        let plan = plan(&rules, side(rng.bool()));
        let mut bots = Bot::pair(&mut rng);
        let mut views: [Option<View>; 2] = [None, None];
        play(&plan, &mut rng, &mut bots, 400, |asked| {
            let view = views[asked.side.index()].get_or_insert_with(|| View::new(asked.game, asked.side));
            asked.text.lines().filter_map(Moved::read).for_each(|moved| view.follow(&moved));
            let (width, height) = (rules.board.width(), rules.board.height());
            let lake = |(file, rank): Spot| rules.lakes.contains(&Coordinates { file, rank });
            let row = |rank| (0..width).map(move |file| (file, rank));
            let rows =
                (0..height).rev().map(|r| row(r).map(|at| view.letter(at, lake(at))).collect::<String>());
            let rows: Vec<String> = rows.collect();
            let board = asked.text.lines().find_map(|l| l.strip_prefix("board ")).unwrap();
            assert_eq!(board, rows.join("/"), "{:?} {}", rules.set(), asked.text);
            board.chars().for_each(|c| *shown.entry(c).or_default() += 1);
        });
    }
    // Every letter there is was seen.
    assert!(
        ".~?!FBS23456789Mfbscdeghijkm".chars().all(|c| shown.get(&c).is_some_and(|n| *n > 20)),
        "{shown:?}"
    );
}

/// Whether the answer is a move of the list that came with its question.
fn is_legal(asked: &Asked<'_>) -> bool {
    let legal = asked.text.lines().find_map(|l| l.strip_prefix("legal ")).unwrap();
    let mv = asked.answer.split(' ').nth(1);
    mv.is_some_and(|mv| legal.split(' ').any(|l| l == mv))
}

#[test]
fn a_draw_offer_stands_until_the_opponent_s_next_accepted_move_and_ten_moves_must_lie_between_two() {
    let mut rng = Rng::with_seed(6);
    let [mut stood, mut ignored, mut repeated] = [0; 3];
    for _ in 0..rounds(40) {
        let forced = [("illegal", "retry:4"), ("draw-offers", "on"), ("resignation", "off")];
        let rules = random_rules(&mut rng, &forced);
        let plan = plan(&rules, side(rng.bool()));
        let temper =
            Temper { offer: 0.4, agree: 0.0, mischief: 0.2, resign: 0.0, ..Temper::random(&mut rng) };
        let mut bots = [0, 1].map(|_| Bot::new(&mut rng, temper));
        let (mut standing, mut made, mut offered) = (None, [0u32; 2], [None::<u32>; 2]);
        play(&plan, &mut rng, &mut bots, 400, |asked| {
            let (side, i) = (asked.side, asked.side.index());
            let stands = standing == Some(side.other());
            assert_eq!(asked.text.lines().any(|l| l == "drawoffer"), stands, "{}", asked.text);
            repeated += u32::from(stands && asked.text.contains("\nillegal"));
            let (verdict, _) = after(asked.game, &[Event::Line(side, asked.at, b"draw".to_vec())]);
            let verdict = verdict.unwrap();
            if stands {
                assert_eq!(verdict, Verdict::Agreed);
            } else {
                assert_eq!(verdict.fault_of(side).map(|f| f.clause), Some(Clause::DrawNotOffered));
            }
            if !is_legal(&asked) {
                return;
            }
            made[i] += 1;
            let offers = asked.answer.ends_with("offer-draw");
            let counts = offers && offered[i].is_none_or(|last| made[i] - last > 10);
            stood += u32::from(counts);
            ignored += u32::from(offers && !counts);
            if counts {
                offered[i] = Some(made[i]);
            }
            standing = counts.then_some(side);
        });
    }
    println!("{stood} offers stood, {ignored} were ignored, {repeated} were repeated");
    assert!(stood > 100 && ignored > 100 && repeated > 20);
}

#[test]
fn an_illegal_move_is_taken_back_so_often_a_turn_and_the_other_side_hears_nothing() {
    let mut rng = Rng::with_seed(7);
    let mut lost = BTreeMap::<Clause, u32>::new();
    for _ in 0..rounds(40) {
        let tries = rng.usize(..4);
        let price = if tries == 0 { "loss".to_owned() } else { format!("retry:{tries}") };
        let forced = [("illegal", price.as_str()), ("draw-offers", "off"), ("resignation", "off")];
        let rules = random_rules(&mut rng, &forced);
        let plan = plan(&rules, side(rng.bool()));
        let temper = Temper { mischief: 0.0, ..Temper::random(&mut rng) };
        let mut bots = [0, 1].map(|_| Bot::new(&mut rng, temper));
        let mut picks = rng.fork();
        play(&plan, &mut rng, &mut bots, 200, |asked| {
            let (side, at) = (asked.side, asked.at);
            let line = |text: &str| Event::Line(side, at, text.as_bytes().to_vec());
            // Whatever else is wrong is not taken back.
            for (text, clause) in [
                ("move a1", Clause::MoveSyntax),
                ("move a1 a2 rescue", Clause::MoveSyntax),
                ("draw now", Clause::MoveSyntax),
                ("draw", Clause::DrawOff),
                ("move a1 z99 offer-draw", Clause::DrawOff),
                ("resign", Clause::ResignOff),
                ("hello", Clause::LineUnknown),
                ("setup", Clause::LineUnexpected),
                ("move a1 \u{e4}", Clause::LineBytes),
            ] {
                let (verdict, _) = after(asked.game, &[line(text)]);
                assert_eq!(verdict.and_then(|v| v.fault_of(side).map(|f| f.clause)), Some(clause), "{text}");
            }
            let board = &rules.board;
            let mut any = || spot_name((picks.u8(..=board.width()), picks.u8(..=board.height())));
            let (from, to) = (any(), any());
            let legal = asked.text.lines().find_map(|l| l.strip_prefix("legal ")).unwrap();
            if legal.split(' ').any(|l| l == format!("{from}{to}")) {
                return;
            }
            let mut game = asked.game.clone();
            let question = |text: &str| -> String {
                text.lines().skip_while(|l| !l.starts_with("board")).map(|l| format!("{l}\n")).collect()
            };
            let (deadline, mut told) = (game.deadline(), None);
            for _ in 0..tries {
                line(&format!("move {from} {to}")).feed(&mut game);
                assert_eq!(game.verdict(), None);
                let sent = drain(&mut game);
                let (first, rest) = sent[side.index()].split_once('\n').unwrap();
                let slug =
                    first.strip_prefix("illegal ").and_then(|l| l.strip_suffix(&format!(" {from} {to}")));
                let clause = Clause::from_slug(slug.unwrap()).unwrap();
                assert!(told.is_none_or(|c| c == clause));
                told = Some(clause);
                assert_eq!(rest, question(asked.text));
                assert_eq!(sent[side.other().index()], "");
                // The clock runs on.
                game.input(Input::Written(side, at));
                assert_eq!(game.deadline(), deadline);
            }
            let (verdict, sent) = after(&game, &[line(&format!("move {from} {to}"))]);
            let verdict = verdict.unwrap();
            let clause = verdict.fault_of(side).unwrap().clause;
            assert!(told.is_none_or(|c| c == clause));
            *lost.entry(clause).or_default() += 1;
            assert_eq!(sent[side.index()].trim_end(), gameover(&verdict, Some(clause)));
            assert!(sent[side.other().index()].trim_end().ends_with(&gameover(&verdict, None)));
            // And a legal move goes on as if nothing had been.
            let (verdict, _) = after(&game, &[line(asked.answer)]);
            assert!(verdict.is_none_or(|v| v.faults().is_empty()));
        });
    }
    println!("{lost:?}");
    assert!(lost.len() >= 8, "only {lost:?} were broken");
}

// ---- anything at any moment ----

/// Something that happens, told without a game at hand.
#[derive(Clone, Debug)]
enum Act {
    /// The bot reads all it was sent, and answers well where it was asked.
    Answer(bool),
    /// It answers before it was written to.
    Hasty(bool),
    Bytes(bool, Vec<u8>),
    Words(bool, Vec<prop::sample::Index>),
    Written(bool),
    Pass(u32),
    Limit(bool, prop::sample::Index),
    Failed(bool, prop::sample::Index),
    Abort,
}

const WORDS: &[&str] = &[
    "move",
    "draw",
    "resign",
    "setup",
    "info",
    "rescue",
    "offer-draw",
    "a1",
    "a2",
    "a1a2",
    "b3",
    "b3b4",
    "j5",
    "z99",
    "a0",
    "a100",
    "M",
    "2",
    "F",
    "readyok",
    "ok",
    "sbp",
    "1",
    "isready",
    "\t",
    "",
    "\u{80}",
    "\0",
    "FBS2235M..",
    "go",
];

fn acts() -> impl Strategy<Value = Vec<Act>> {
    use prop::sample::Index;
    let words = proptest::collection::vec(any::<Index>(), 1..6);
    let act = prop_oneof![
        300 => any::<bool>().prop_map(Act::Answer),
        1 => any::<bool>().prop_map(Act::Hasty),
        2 => (any::<bool>(), proptest::collection::vec(any::<u8>(), 0..40)).prop_map(|(s, b)| Act::Bytes(s, b)),
        2 => (any::<bool>(), words).prop_map(|(s, w)| Act::Words(s, w)),
        5 => any::<bool>().prop_map(Act::Written),
        4 => (0u32..400_000).prop_map(Act::Pass),
        1 => (any::<bool>(), any::<Index>()).prop_map(|(s, i)| Act::Limit(s, i)),
        1 => (any::<bool>(), any::<Index>()).prop_map(|(s, i)| Act::Failed(s, i)),
        1 => Just(Act::Abort),
    ];
    proptest::collection::vec(act, 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rounds(300) as u32))]

    #[test]
    fn whatever_comes_at_whatever_moment_the_game_is_in_a_defined_state_and_has_one_verdict(
        acts in acts(),
        seed: u64,
    ) {
        let mut rng = Rng::with_seed(seed);
        let rules = if rng.bool() { small(&[("illegal", "retry:2")]) } else { random_rules(&mut rng, &[]) };
        let plan = plan(&rules, side(rng.bool()));
        let wants = [0, 1].map(|_| Wants { ponder: rng.bool(), ..ALL_WANTED });
        let mut bots = Bot::pair(&mut rng);
        let mut game = Game::new(plan.clone(), wants);
        let mut sent = vec![drain(&mut game)];
        let mut unread = sent[0].clone();
        let (mut events, mut now, mut verdict) = (Vec::new(), Duration::ZERO, None);
        for act in acts.into_iter().chain([Act::Abort]) {
            now += Duration::from_micros(50);
            let at = Stamp(now);
            let inputs = match act {
                Act::Answer(red) | Act::Hasty(red) => {
                    let side = side(red);
                    let written = matches!(act, Act::Answer(_)).then_some(Event::Written(side, at));
                    let heard = std::mem::take(&mut unread[side.index()]);
                    let lines = bots[side.index()].hear(&heard).unwrap_or_default();
                    written.into_iter().chain(lines.into_iter().map(|l| Event::Line(side, at, l))).collect()
                }
                Act::Bytes(red, bytes) => vec![Event::Line(side(red), at, bytes)],
                Act::Words(red, words) => {
                    let words: Vec<&str> = words.iter().map(|i| *i.get(WORDS)).collect();
                    vec![Event::Line(side(red), at, words.join(" ").into_bytes())]
                }
                Act::Written(red) => vec![Event::Written(side(red), at)],
                Act::Pass(micros) => {
                    now += Duration::from_micros(micros.into());
                    vec![Event::Tick(Stamp(now))]
                }
                Act::Limit(red, clause) => vec![Event::Limit(side(red), *clause.get(Clause::ALL))],
                Act::Failed(red, clause) => vec![Event::Failed(side(red), *clause.get(Clause::ALL))],
                Act::Abort => vec![Event::Abort],
            };
            for input in inputs {
                let waited_for = Colour::BOTH.map(|side| game.asks(side));
                input.feed(&mut game);
                events.push(input);
                let new = drain(&mut game);
                for (side, new) in Colour::BOTH.into_iter().zip(&new) {
                    unread[side.index()] += new;
                    check_lines(new);
                    let ends: Vec<&str> = new.lines().filter(|l| l.starts_with("gameover")).collect();
                    match (&verdict, game.verdict()) {
                        // Over before: nothing more is said.
                        (Some(_), _) => prop_assert_eq!(new, ""),
                        (None, None) => prop_assert!(ends.is_empty()),
                        (None, Some(v)) => {
                            // One end, the last word, with the clause of this side's own fault and of no other's.
                            let end = gameover(v, v.fault_of(side).map(|f| f.clause));
                            prop_assert_eq!(ends, [end.as_str()]);
                            prop_assert_eq!(new.lines().last(), Some(end.as_str()));
                        }
                    }
                }
                prop_assert!(verdict.is_none() || verdict.as_ref() == game.verdict(), "a second verdict");
                let is_new = verdict.is_none();
                verdict = game.verdict().cloned();
                let asked = Colour::BOTH.map(|side| game.asks(side));
                if let Some(verdict) = &verdict {
                    prop_assert_eq!(asked, [false, false]);
                    if is_new {
                        // Only a question can be left open, and a bad answer is one.
                        let own = |side| verdict.fault_of(side).is_some_and(|f| f.clause.leaves_process_usable());
                        for side in Colour::BOTH {
                            let open = game.left_open(side);
                            prop_assert!(!open || waited_for[side.index()] && !own(side));
                        }
                    }
                    prop_assert_eq!(game.deadline(), None);
                    let result = ["red", "blue", "draw", "both-lose", "void"].contains(&verdict.result());
                    prop_assert!(result && verdict.faults().len() <= 2);
                } else {
                    // Somebody is always waited for: one side while it is played.
                    prop_assert!(asked[0] || asked[1]);
                    let told = sent.iter().chain([&new]).any(|s| s.iter().any(|s| s.contains("start\n")));
                    prop_assert!(!(told && asked[0] && asked[1]));
                }
                sent.push(new);
            }
        }
        prop_assert!(verdict.is_some());
        let (again, told) = run(&plan, wants, &events);
        prop_assert_eq!(again.verdict(), verdict.as_ref());
        prop_assert_eq!(told, sent);
    }
}

#[test]
fn a_flag_that_fell_comes_before_a_limit_or_a_failure_that_was_noticed_later() {
    let late = Stamp(ms(1_000_000));
    let ways = [
        Input::Limit(Colour::Blue, late, Clause::LineFlood),
        Input::Failed(Colour::Blue, late, Clause::ProcessExit, "it exited with status 0"),
    ];
    for way in ways {
        let rules = rules("barrage", &[]);
        let deployments = [(); 2]
            .map(|()| Some(Deployment::parse(&rules, "FB........S...................2.M.9..32.").unwrap()));
        let mut game =
            Game::new(GamePlan { deployments, ..plan(&rules, Colour::Red) }, [Wants::default(); 2]);
        drain(&mut game);
        game.input(Input::Written(Colour::Red, Stamp::default()));
        game.input(way);
        let verdict = game.verdict().unwrap();
        assert_eq!(verdict.fault_of(Colour::Red).map(|f| f.clause), Some(Clause::TimeMove), "{verdict:?}");
    }
}

#[test]
fn a_line_that_comes_before_a_repeated_question_is_written_is_no_answer_to_it() {
    let rules = rules("isf", &[("illegal", "retry:1")]);
    let deployments = [(); 2]
        .map(|()| Some(Deployment::parse(&rules, "BFB34B7624B25B4362S526723428589M6223753B").unwrap()));
    let mut game = Game::new(GamePlan { deployments, ..plan(&rules, Colour::Red) }, [Wants::default(); 2]);
    drain(&mut game);
    game.input(Input::Written(Colour::Red, Stamp::default()));
    game.input(Input::Line(Colour::Red, Stamp(ms(1)), b"move a4 a9"));
    assert!(game.verdict().is_none());
    game.input(Input::Line(Colour::Red, Stamp(ms(1)), b"move a4 a5"));
    let fault = game.verdict().unwrap().fault_of(Colour::Red).unwrap().clause;
    assert_eq!(fault, Clause::TurnEarly);
}

#[test]
fn a_given_history_that_goes_on_after_the_end_of_the_game_makes_it_void() {
    let rules = rules(
        "isf",
        &[("board", "5x6"), ("lakes", "none"), ("rows", "1"), ("army", "F1,21,M1"), ("deployment", "any")],
    );
    let deployments = [(); 2].map(|()| Some(Deployment::parse(&rules, "2F..M").unwrap()));
    let at = |name: &str| rules.board.square(Coordinates::parse(name.as_bytes()).unwrap()).unwrap();
    let mv = |from, to| (arbiter::game::Move { from: at(from), to: at(to) }, None);
    let history =
        vec![mv("a1", "a5"), mv("e6", "e5"), mv("a5", "b5"), mv("e5", "e4"), mv("b5", "b6"), mv("e4", "e3")];
    let game =
        Game::new(GamePlan { deployments, history, ..plan(&rules, Colour::Red) }, [Wants::default(); 2]);
    let Some(Verdict::Void { cause }) = game.verdict() else { panic!("{:?}", game.verdict()) };
    assert!(cause.contains("e4e3 comes after the end of the game"), "{cause}");
}
