//! What holds for any bytes at all, as functions of bytes: the bodies of the fuzz targets, which
//! `tests/it/fuzzed.rs` runs too, over the corpus and over bounded mutations of it.
//!
//! A body panics where a law is broken. Bytes that a reader refuses are fine: that it says so is the law.

use std::io::BufReader;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use arbiter::clock::{Stamp, TimeControl, TimeSettings};
use arbiter::game::{BOOKS, Colour, Deployment, MoveList, Position, RuleSet, Rules, book};
use arbiter::protocol::{Clause, Intake, LINE_LIMIT, Protocol, Said, State, Wants, read, read_begun};
use arbiter::record::foreign::{Format, Games, ReadError, usual_rules, write};
use arbiter::record::{
    ForeignGame, GameRecord, PlainGame, check_line, read_journal, verify_foreign, verify_plain, verify_record,
};
use arbiter::referee::{Game, GamePlan, Input, Verdict};

/// Decisions taken from bytes; zeros when they are used up.
struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    fn below(&mut self, n: usize) -> usize {
        (usize::from(self.byte()) * 256 + usize::from(self.byte())) % n.max(1)
    }

    fn side(&mut self) -> Colour {
        if self.byte() & 1 == 0 { Colour::Red } else { Colour::Blue }
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn bytes(&mut self) -> &'a [u8] {
        let count = usize::from(self.byte()).min(self.0.len());
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn done(&self) -> bool {
        self.0.is_empty()
    }
}

const STATES: &[State] = &[
    State::Silent,
    State::Handshake,
    State::Ready,
    State::Setup,
    State::Turn,
    State::Over,
    State::OverReady,
    State::Closed,
];

fn lines(intake: &mut Intake, held: usize) -> Vec<Result<Vec<u8>, Clause>> {
    let mut lines = Vec::new();
    while let Some(line) = intake.next_line() {
        let line = line.map(<[u8]>::to_vec);
        let stop = line.is_err();
        lines.push(line);
        if stop {
            break;
        }
    }
    assert!(intake.unfinished().len() <= LINE_LIMIT + 1 + held, "more than a line and a read is held");
    lines
}

/// A bot's bytes: cut anyhow, they are the same lines; each line is read in any state, in any language, or refused by
/// a clause with evidence that can be printed.
pub fn bot_line(data: &[u8]) {
    let mut choices = Choices(data);
    let (state, cut) = (choices.of(STATES), usize::from(choices.byte()) + 1);
    let rest = choices.0;
    let mut whole = Intake::default();
    whole.push(rest);
    let expected = lines(&mut whole, rest.len());
    let (mut intake, mut got) = (Intake::default(), Vec::new());
    for part in rest.chunks(cut) {
        intake.push(part);
        got.extend(lines(&mut intake, cut));
        if got.last().is_some_and(Result::is_err) {
            break;
        }
    }
    assert_eq!(got.len(), expected.len());
    assert!(got.iter().zip(&expected).all(|(a, b)| a.is_ok() == b.is_ok() && (a.is_err() || a == b)));
    for protocol in Protocol::ALL {
        let mut front = protocol.front(Wants::default());
        for line in got.iter().flatten() {
            assert!(line.len() <= LINE_LIMIT);
            match front.read(line, state) {
                Err(fault) => assert!(
                    fault.evidence.bytes().all(|b| (0x20..0x7f).contains(&b)),
                    "evidence that cannot be printed: {:?}",
                    fault.evidence
                ),
                Ok(Said::Setup(text)) => {
                    let rules = Rules::new(book("isf").expect("a shipped book")).expect("a possible book");
                    if let Ok(deployment) = Deployment::parse(&rules, &text) {
                        let again = Deployment::parse(&rules, &deployment.to_string());
                        assert_eq!(again.as_ref(), Ok(&deployment));
                    }
                }
                Ok(_) => {}
            }
        }
    }
    for line in got.iter().flatten() {
        if read(line, State::Silent).is_ok() {
            (0..=line.len()).step_by(7).for_each(|end| assert_eq!(read_begun(&line[..end]), Ok(())));
        }
    }
}

/// Plays on as the choices say, and asks what must hold in every position.
fn play_on(position: &mut Position, choices: &mut Choices<'_>, most: u32) {
    let mut legal = MoveList::new();
    while position.outcome().is_none() && position.plies() < most {
        position.legal_moves(&mut legal);
        assert!(!legal.is_empty(), "a game goes on in which nobody can move");
        let mv = legal[choices.below(legal.len())];
        assert_eq!(position.judge(mv), Ok(()));
        let mover = position.to_move();
        let before = position.pieces().count();
        let played = position.play_known(mv);
        assert_eq!(played.mover, mover);
        assert!(position.pieces().count() <= before + 1);
    }
}

/// A rule file: it is refused, or prints as what reads back the same; possible rules can be played.
pub fn rule_file(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(set) = RuleSet::from_toml(text) else { return };
    assert_eq!(RuleSet::from_toml(&set.to_toml(|_| String::new())).as_ref(), Ok(&set));
    let Ok(rules) = Rules::new(set) else { return };
    let mut choices = Choices(data);
    let [red, blue] = [(); 2].map(|()| Deployment::draw(&rules, |n| choices.below(n)));
    for deployment in [&red, &blue] {
        assert_eq!(Deployment::parse(&rules, &deployment.to_string()).as_ref(), Ok(deployment));
    }
    let first = choices.side();
    play_on(&mut Position::new(rules, &red, &blue, first), &mut choices, 80);
}

/// A journal: each line is refused, or is a record that prints as what reads back the same and is refereed to a
/// finding; the whole file is read to its end or to an error.
pub fn journal(data: &[u8]) {
    let rules = Rules::new(book("isf").expect("a shipped book")).expect("a possible book");
    for line in data.split(|&b| b == b'\n') {
        let Ok(text) = str::from_utf8(line) else { continue };
        let _ = check_line(text);
        if let Ok(record) = GameRecord::from_line(text) {
            let printed = record.to_line();
            assert_eq!(check_line(&printed).ok(), Some(()));
            let again = GameRecord::from_line(&printed).expect("its own line");
            assert_eq!(again.to_line(), printed);
            let finding = verify_record(&record, &rules, None);
            assert!(finding.plies as usize <= record.moves.len());
        }
        if let Ok(game) = serde_json::from_str::<PlainGame>(text) {
            let _ = verify_plain(&game, &rules);
        }
    }
    // A file without a name, in memory.
    let file = rustix::fs::memfd_create("journal", rustix::fs::MemfdFlags::CLOEXEC).expect("memory");
    std::io::Write::write_all(&mut std::fs::File::from(file.try_clone().expect("a descriptor")), data)
        .expect("memory");
    let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
    let mut games = 0;
    if let Ok(report) = read_journal(path.as_ref(), |_| games += 1) {
        assert_eq!(report.settled.len(), games);
    }
}

type Read = Vec<Result<ForeignGame, ReadError>>;

/// The length of a game's own texts and moves: nothing that a file holds may grow by being read.
fn weight(game: &ForeignGame) -> usize {
    let texts = [&game.red, &game.blue, &game.kind].into_iter().flatten().map(String::len).sum::<usize>();
    texts + game.moves.len() + game.told.len()
}

/// A file from elsewhere, in any format: games and errors, whose places lie in the file; the same ones however it is
/// cut into reads. What was read is written as one game, which reads as one.
pub fn foreign(data: &[u8]) {
    static RULES: LazyLock<Arc<Rules>> =
        LazyLock::new(|| Rules::new(book("isf").expect("a shipped book")).expect("a possible book"));
    let mut choices = Choices(data);
    let (other, cut) = (choices.of(&Format::ALL), usize::from(choices.byte()) + 1);
    let data = choices.0;
    let lines = data.iter().filter(|b| matches!(b, b'\n' | b'\r')).count() as u64 + 1;
    let told = Format::told_by(data);
    for format in told.into_iter().chain([other].into_iter().filter(|other| Some(*other) != told)) {
        let whole: Read = Games::new(format, data, "game", &usual_rules).collect();
        let pieces: Read =
            Games::new(format, BufReader::with_capacity(cut, data), "game", &usual_rules).collect();
        assert_eq!(format!("{whole:?}"), format!("{pieces:?}"), "cut into reads of {cut} bytes");
        assert!(whole.len() as u64 <= 2 * lines + 1, "{} games and errors of {lines} lines", whole.len());
        let mut heavy = 0;
        for result in &whole {
            match result {
                Err(error) => {
                    assert!((1..=lines).contains(&error.place.line), "line {} of {lines}", error.place.line);
                    assert!(error.place.byte.is_none_or(|byte| byte <= data.len() as u64));
                    assert!(error.reason.len() < 2000, "a reason of {} bytes", error.reason.len());
                }
                Ok(game) => {
                    heavy += weight(game);
                    let _ = verify_foreign(game, &RULES);
                    Format::ALL.into_iter().for_each(|to| written_again(to, game));
                }
            }
        }
        assert!(heavy <= data.len(), "{heavy} bytes of games in {} bytes", data.len());
    }
}

/// A game in a format that can hold it reads as one game. What a format has no words for is lost the first time, and
/// nothing more after that.
fn written_again(to: Format, game: &ForeignGame) {
    let mut texts = [const { String::new() }; 3];
    let mut game = game.clone();
    for (n, text) in texts.iter_mut().enumerate() {
        match write(to, &game, text) {
            Err(_) if n == 0 => return,
            written => written.map(drop).expect("what this format gave it holds"),
        }
        let mut read: Read = Games::new(to, text.as_bytes(), "game", &usual_rules).collect();
        assert_eq!(read.len(), 1, "{}: one game was written: {read:?}\n{text}", to.word());
        game = read.remove(0).unwrap_or_else(|e| panic!("{}: {e}\n{text}", to.word()));
    }
    assert_eq!(texts[1], texts[2], "{}", to.word());
}

#[derive(Clone, Debug)]
enum Happening {
    Line(Colour, Vec<u8>),
    Limit(Colour, Clause),
    Written(Colour),
    Failed(Colour, Clause),
    Tick,
    Abort,
}

impl Happening {
    fn feed(&self, game: &mut Game, at: Stamp) {
        match self {
            Happening::Line(side, line) => game.input(Input::Line(*side, at, line)),
            Happening::Limit(side, clause) => game.input(Input::Limit(*side, at, *clause)),
            Happening::Written(side) => game.input(Input::Written(*side, at)),
            Happening::Failed(side, clause) => game.input(Input::Failed(*side, at, *clause, "it failed")),
            Happening::Tick => game.input(Input::Tick(at)),
            Happening::Abort => game.input(Input::Abort("the run was stopped")),
        }
    }
}

fn drain(game: &mut Game) -> [String; 2] {
    Colour::BOTH.map(|side| std::mem::take(game.out(side)))
}

/// Rules as the choices say: a book, and a few parameters set to values that other books have.
fn some_rules(choices: &mut Choices<'_>) -> Arc<Rules> {
    let mut set = book(choices.of(BOOKS).0).expect("a shipped book");
    for _ in 0..choices.byte() % 4 {
        let other = book(choices.of(BOOKS).0).expect("a shipped book");
        let values: Vec<_> = other.values().collect();
        let (name, value) = &values[choices.below(values.len())];
        let _ = set.set(name, value);
    }
    Rules::new(set)
        .unwrap_or_else(|_| Rules::new(book("quick").expect("a shipped book")).expect("a possible book"))
}

/// The referee under whatever comes at whatever moment: its laws (src/referee/mod.rs).
pub fn referee(data: &[u8]) {
    let mut choices = Choices(data);
    let rules = some_rules(&mut choices);
    let span = |byte: u8| Duration::from_millis(u64::from(byte) + 1);
    let control = match choices.byte() % 4 {
        0 => TimeControl::PerMove(span(choices.byte())),
        1 => TimeControl::Unlimited { idle: Duration::from_secs(3600) },
        _ => TimeControl::Clock {
            base: span(choices.byte()),
            increment: span(choices.byte()),
            period: (choices.byte() % 3 == 0).then(|| u32::from(choices.byte()) % 5 + 1),
        },
    };
    let plan = GamePlan {
        id: "fuzz".to_owned(),
        time: TimeSettings { control, ..TimeSettings::default() },
        first: choices.side(),
        seeds: [1, 2],
        deployments: [(); 2]
            .map(|()| (choices.byte() & 1 == 0).then(|| Deployment::draw(&rules, |n| choices.below(n)))),
        history: Vec::new(),
        adjudication: Default::default(),
        rules: Arc::clone(&rules),
    };
    let wants = [(); 2].map(|()| {
        let byte = choices.byte();
        let bit = |n: u8| byte >> n & 1 == 1;
        Wants { board: bit(0), legal: bit(1), clock: bit(2), ponder: bit(3), fresh: false }
    });
    let mut game = Game::new(plan.clone(), wants);
    let mut sent = vec![drain(&mut game)];
    let (mut happened, mut now, mut verdict): (Vec<(Happening, Stamp)>, _, Option<Verdict>) =
        (Vec::new(), Stamp::default(), None);
    let mut legal = MoveList::new();
    while !choices.done() {
        now = now + Duration::from_micros(10);
        let happening = match choices.byte() % 16 {
            // Mostly what good bots do: the questions are written, and answered.
            0..=3 => Happening::Written(choices.side()),
            4..=9 => {
                let side = match game.position() {
                    Some(position) => position.to_move(),
                    None => choices.side(),
                };
                let line = match game.position().filter(|p| p.outcome().is_none()) {
                    None => format!("setup {}", Deployment::draw(&rules, |n| choices.below(n))),
                    Some(position) => {
                        position.legal_moves(&mut legal);
                        let mv = legal[choices.below(legal.len())].written(position.board());
                        let offer = if choices.byte() == 1 { " offer-draw" } else { "" };
                        format!("move {mv}{offer}")
                    }
                };
                Happening::Line(side, line.into_bytes())
            }
            10 => Happening::Line(choices.side(), choices.bytes().to_vec()),
            11 => {
                let words =
                    ["draw", "resign", "move a1 a2", "info x", "", "setup F", "ok", "move z9 z8", "readyok"];
                Happening::Line(choices.side(), choices.of(&words).as_bytes().to_vec())
            }
            12 => {
                now = now + Duration::from_millis(u64::from(choices.byte()));
                Happening::Tick
            }
            13 => Happening::Tick,
            14 if choices.byte() < 40 => Happening::Limit(choices.side(), choices.of(Clause::ALL)),
            15 if choices.byte() < 20 => Happening::Failed(choices.side(), choices.of(Clause::ALL)),
            15 if choices.byte() < 5 => Happening::Abort,
            _ => Happening::Tick,
        };
        let early = matches!(happening, Happening::Tick) && game.deadline().is_none_or(|d| now <= d);
        happening.feed(&mut game, now);
        happened.push((happening, now));
        let new = drain(&mut game);
        for text in &new {
            assert!(text.is_empty() || text.ends_with('\n'), "half a line to a bot: {text:?}");
            assert!(text.bytes().all(|b| b == b'\n' || (0x20..0x7f).contains(&b)), "{text:?}");
            let ends = text.lines().filter(|line| line.starts_with("gameover")).count();
            assert_eq!(ends, usize::from(verdict.is_none() && game.verdict().is_some()), "{text:?}");
        }
        if early || verdict.is_some() {
            assert!(new.iter().all(String::is_empty), "{new:?} after {:?}", happened.last());
        }
        assert!(verdict.is_none() || verdict.as_ref() == game.verdict(), "a second verdict");
        verdict = game.verdict().cloned();
        let asked = Colour::BOTH.map(|side| game.asks(side));
        match &verdict {
            Some(verdict) => {
                assert_eq!((asked, game.deadline()), ([false; 2], None));
                assert!(verdict.faults().len() <= 2);
            }
            None => assert!(asked[0] || asked[1], "nobody is waited for"),
        }
        sent.push(new);
    }
    // The same again gives the same bytes; the moves that counted are moves of the rules.
    let mut again = Game::new(plan, wants);
    assert_eq!(drain(&mut again), sent[0]);
    for ((happening, at), sent) in happened.iter().zip(&sent[1..]) {
        happening.feed(&mut again, *at);
        assert_eq!(drain(&mut again), *sent);
    }
    if let (Some(end), [Some(red), Some(blue)]) =
        (game.position(), Colour::BOTH.map(|side| game.deployment(side)))
    {
        let mut position = Position::new(rules, red, blue, end.first());
        for turn in game.turns() {
            let rescue = turn.played.rescue.map(|(_, choice)| choice);
            assert!(position.play(turn.played.mv, rescue).is_ok());
        }
        assert_eq!(position.outcome(), end.outcome());
    }
}
