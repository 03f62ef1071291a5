//! Virtual bots for tests of the referee: small players that know only the lines they were sent, rule sets of every
//! kind to play under, and games kept as their inputs, so that they can be played again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use arbiter::clock::{Stamp, TimeSettings};
use arbiter::game::{Colour, Coordinates, Outcome, Rank, RuleSet, Rules, book};
use arbiter::protocol::Clause;
use arbiter::referee::{Game, GamePlan, Input, PlayedTurn, Wants};
use fastrand::Rng;

/// An input that owns what it holds, so that a game can be written down and played again.
#[derive(Clone, Debug)]
pub enum Event {
    Line(Colour, Stamp, Vec<u8>),
    Limit(Colour, Clause),
    Written(Colour, Stamp),
    Failed(Colour, Clause),
    Tick(Stamp),
    Abort,
}

impl Event {
    pub fn feed(&self, game: &mut Game) {
        game.input(match self {
            Event::Line(side, at, line) => Input::Line(*side, *at, line),
            // Stamped at the game's zero: that a fallen flag comes first has a test of its own.
            Event::Limit(side, clause) => Input::Limit(*side, Stamp::default(), *clause),
            Event::Written(side, at) => Input::Written(*side, *at),
            Event::Failed(side, clause) => {
                Input::Failed(*side, Stamp::default(), *clause, "as seen by its keeper")
            }
            Event::Tick(at) => Input::Tick(*at),
            Event::Abort => Input::Abort("the arena stopped"),
        });
    }
}

/// What each side was sent at one moment, Red's first.
pub type Sent = [String; 2];

pub fn drain(game: &mut Game) -> Sent {
    Colour::BOTH.map(|side| std::mem::take(game.out(side)))
}

/// Plays inputs. What was sent stands in their order, the opening before them.
pub fn run(plan: &GamePlan, wants: [Wants; 2], events: &[Event]) -> (Game, Vec<Sent>) {
    let mut game = Game::new(plan.clone(), wants);
    let mut sent = vec![drain(&mut game)];
    for event in events {
        event.feed(&mut game);
        sent.push(drain(&mut game));
    }
    (game, sent)
}

pub fn joined(sent: &[Sent], side: Colour) -> String {
    sent.iter().map(|s| s[side.index()].as_str()).collect()
}

pub fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

pub fn plan(rules: &Arc<Rules>, first: Colour) -> GamePlan {
    GamePlan {
        id: "law".to_owned(),
        rules: rules.clone(),
        time: TimeSettings::default(),
        first,
        seeds: [1, 2],
        deployments: [None, None],
        history: Vec::new(),
        adjudication: Default::default(),
    }
}

pub const ALL_WANTED: Wants = Wants { board: true, legal: true, clock: true, ponder: false, fresh: false };

pub fn random_wants(rng: &mut Rng) -> Wants {
    Wants { board: rng.bool(), legal: rng.bool(), clock: rng.bool(), ponder: rng.bool(), fresh: rng.bool() }
}

pub fn rules(from: &str, changes: &[(&str, &str)]) -> Arc<Rules> {
    let mut set = book(from).unwrap();
    for (name, value) in changes {
        set.set(name, value).unwrap();
    }
    Rules::new(set).unwrap()
}

/// A board that is soon crossed, with a piece of every sort.
pub const SMALL: &[(&str, &str)] = &[
    ("board", "5x6"),
    ("lakes", "c3"),
    ("rows", "2"),
    ("army", "F1,B1,S1,22,31,51,M1"),
    ("deployment", "any"),
];

pub fn small(changes: &[(&str, &str)]) -> Arc<Rules> {
    rules("isf", &[SMALL, changes].concat())
}

/// Rule sets of every kind, mostly on small boards, where battles and back rows are near.
pub fn random_rules(rng: &mut Rng, forced: &[(&str, &str)]) -> Arc<Rules> {
    loop {
        let mut set: RuleSet = book("isf").unwrap();
        let (board, rows, lakes) = match rng.u8(..8) {
            0 => ("10x10", "4", "c5,d5,g5,h5,c6,d6,g6,h6"),
            1 => ("8x8", "3", "c4,f4,c5,f5"),
            2 | 3 => ("6x6", "2", "c3,d4"),
            4 => ("4x7", "3", "none"),
            _ => ("5x6", "2", "c3"),
        };
        let (filled, armed) = (rng.bool(), rng.bool());
        let size =
            board.split_once('x').unwrap().0.parse::<usize>().unwrap() * rows.parse::<usize>().unwrap();
        let pieces = if filled { size } else { rng.usize(4..=size) };
        let mut army = [0u8; Rank::COUNT];
        army[Rank::Flag as usize] = 1;
        for _ in 1..pieces {
            // Armies of few ranks make battles of equals; bombs stay few, so that there is something to move.
            let rank = if armed { rng.usize(1..Rank::COUNT) } else { [1, 2, 3, 3, 4, 7][rng.usize(..6)] };
            army[if rank == 1 && rng.bool() { 4 } else { rank }] += 1;
        }
        let army = Rank::ALL
            .into_iter()
            .filter(|&r| army[r as usize] > 0)
            .map(|r| format!("{}{}", r.letter(), army[r as usize]))
            .collect::<Vec<_>>()
            .join(",");
        let mut choose = |values: &[&'static str]| values[rng.usize(..values.len())].to_owned();
        let changes = [
            ("scout-strike", choose(&["far", "adjacent"])),
            ("equal-ranks", choose(&["both", "attacker"])),
            ("winner-advances", choose(&["attacker", "any", "any-but-scout"])),
            ("two-squares", choose(&["off", "1", "2", "3", "5"])),
            ("chase", choose(&["off", "isf", "any"])),
            ("repetition", choose(&["off", "3", "off"])),
            ("no-attack", choose(&["off", "40", "200"])),
            ("length", choose(&["off", "150", "2000"])),
            ("both-immobile", choose(&["draw", "loss"])),
            ("reveal", choose(&["never", "until-moved", "until-end"])),
            ("captured", choose(&["public", "owner"])),
            ("silent-defence", choose(&["on", "on", "off"])),
            ("rescue", choose(&["off", "000", "001"])),
            ("open-flag", choose(&["on", "off", "off"])),
            ("clock-expiry", choose(&["loss", "draw"])),
            ("illegal", choose(&["loss", "retry:1", "retry:4"])),
            ("draw-offers", choose(&["on", "off"])),
            ("resignation", choose(&["on", "off"])),
        ];
        set.set("board", board).unwrap();
        set.set("lakes", lakes).unwrap();
        set.set("rows", rows).unwrap();
        set.set("army", &army).unwrap();
        set.set("deployment", if filled { "filled" } else { "any" }).unwrap();
        for (name, value) in &changes {
            set.set(name, value).unwrap();
        }
        for (name, value) in forced {
            set.set(name, value).unwrap();
        }
        if let Ok(rules) = Rules::new(set) {
            return rules;
        }
    }
}

// ---- reading what bots read ----

/// A square's file and rank, from 0.
pub type Spot = (u8, u8);

pub fn spot(name: &str) -> Spot {
    let at = Coordinates::parse(name.as_bytes()).unwrap();
    (at.file, at.rank)
}

pub fn spot_name((file, rank): Spot) -> String {
    Coordinates { file, rank }.to_string()
}

pub fn word_of((from, to): (Spot, Spot)) -> String {
    format!("{}{}", spot_name(from), spot_name(to))
}

pub fn read_pair(word: &str) -> (Spot, Spot) {
    let (_, taken) = Coordinates::parse_prefix(word.as_bytes()).unwrap();
    (spot(&word[..taken]), spot(&word[taken..]))
}

pub fn steps((from, to): (Spot, Spot)) -> u8 {
    from.0.abs_diff(to.0) + from.1.abs_diff(to.1)
}

/// `moved …`, read.
#[derive(Clone, Debug)]
pub struct Moved {
    pub mover: Colour,
    pub from: Spot,
    pub to: Spot,
    pub battle: Option<(Option<Rank>, Option<Rank>, Outcome, bool)>,
    pub rescue: Option<(Option<Rank>, Spot)>,
}

impl Moved {
    pub fn read(line: &str) -> Option<Moved> {
        let mut words = line.strip_prefix("moved ")?.split(' ').peekable();
        let rank = |word: &str| Rank::from_letter(word.chars().next().unwrap());
        let mut moved = Moved {
            mover: Colour::from_word(words.next()?)?,
            from: spot(words.next()?),
            to: spot(words.next()?),
            battle: None,
            rescue: None,
        };
        if words.next_if_eq(&"battle").is_some() {
            let (attacker, defender) = (rank(words.next()?), rank(words.next()?));
            let outcome = Outcome::from_word(words.next()?)?;
            moved.battle = Some((attacker, defender, outcome, words.next_if_eq(&"advances").is_some()));
        }
        if words.next_if_eq(&"rescue").is_some() {
            moved.rescue = Some((rank(words.next()?), spot(words.next()?)));
        }
        assert_eq!(words.next(), None, "{line}");
        Some(moved)
    }
}

/// Whether what was sent obeys the clauses on the arbiter's own lines: `line.arbiter` and `event.order`.
pub fn check_lines(text: &str) {
    const EVENTS: [&str; 4] = ["placed", "flag", "start", "moved"];
    const QUESTION: [&str; 6] = ["", "drawoffer", "illegal", "board", "legal", "go"];
    let mut stage = 0;
    assert!(text.is_empty() || text.ends_with('\n'), "{text:?}");
    for line in text.lines() {
        assert!(line.bytes().all(|b| (0x20..0x7f).contains(&b)), "{line:?}");
        assert!(!line.is_empty() && line.len() <= 65_536 && !line.contains("  "), "{line:?}");
        assert_eq!(line.trim(), line);
        let word = line.split(' ').next().unwrap();
        if let Some(at) = QUESTION.iter().position(|w| *w == word) {
            assert!(at > stage, "`{line}` is out of its order in {text:?}");
            stage = if word == "go" { 0 } else { at };
        } else {
            assert!(stage == 0, "`{line}` stands inside a question: {text:?}");
            let known = ["newgame", "setup", "gameover"].contains(&word) || EVENTS.contains(&word);
            assert!(known, "{line}");
        }
    }
}

// ---- the virtual bots ----

/// What a bot likes to do, as chances.
#[derive(Clone, Copy)]
pub struct Temper {
    pub strike: f32,
    pub advance: f32,
    pub shuttle: f32,
    /// To land next to an enemy without striking, and to move away a piece that stands next to one.
    pub chase: f32,
    pub flee: f32,
    pub mischief: f32,
    pub offer: f32,
    pub agree: f32,
    pub resign: f32,
    pub chatter: f32,
}

impl Temper {
    pub fn random(rng: &mut Rng) -> Temper {
        let mut one_of = |chances: &[f32]| chances[rng.usize(..chances.len())];
        Temper {
            strike: one_of(&[0.0, 0.2, 0.5]),
            advance: one_of(&[0.0, 0.3, 0.6]),
            shuttle: one_of(&[0.0, 0.0, 0.5]),
            chase: one_of(&[0.0, 0.0, 0.7]),
            flee: one_of(&[0.0, 0.0, 0.7]),
            mischief: one_of(&[0.0, 0.1]),
            offer: one_of(&[0.0, 0.1]),
            agree: one_of(&[0.0, 0.1]),
            resign: one_of(&[0.0, 0.002]),
            chatter: one_of(&[0.0, 0.2]),
        }
    }
}

/// A bot that plays at random. All it knows it read; it must be one that wants `board` and `legal`.
pub struct Bot {
    pub rng: Rng,
    pub temper: Temper,
    pub side: Colour,
    /// The words of `newgame`.
    pub words: BTreeMap<String, String>,
    /// Its pieces, and whether each has rescued.
    pub own: BTreeMap<Spot, (Rank, bool)>,
    pub lost: Vec<Rank>,
    pub rescues: u32,
    pub legal: Vec<(Spot, Spot)>,
    pub view: BTreeMap<Spot, char>,
    pub last: Option<(Spot, Spot)>,
    pub offered: bool,
}

impl Bot {
    pub fn new(rng: &mut Rng, temper: Temper) -> Bot {
        Bot {
            rng: rng.fork(),
            temper,
            side: Colour::Red,
            words: BTreeMap::new(),
            own: BTreeMap::new(),
            lost: Vec::new(),
            rescues: 0,
            legal: Vec::new(),
            view: BTreeMap::new(),
            last: None,
            offered: false,
        }
    }

    pub fn pair(rng: &mut Rng) -> [Bot; 2] {
        [0, 1].map(|_| {
            let temper = Temper::random(rng);
            Bot::new(rng, temper)
        })
    }

    fn number(&self, name: &str) -> usize {
        self.words[name].parse().unwrap()
    }

    fn size(&self) -> (usize, usize) {
        let (w, h) = self.words["board"].split_once('x').unwrap();
        (w.parse().unwrap(), h.parse().unwrap())
    }

    /// Reads what it is sent; where that ends in a question, says its lines, the answer last.
    pub fn hear(&mut self, text: &str) -> Option<Vec<Vec<u8>>> {
        let mut answer = None;
        for line in text.lines() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "newgame" => {
                    let words = rest.split(' ').map(|w| w.split_once('=').unwrap());
                    self.words = words.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
                    self.side = Colour::from_word(&self.words["colour"]).unwrap();
                }
                "setup" if rest.is_empty() => {
                    let deployment = self.deployment();
                    self.deploy(&deployment);
                    answer = Some(format!("setup {deployment}"));
                }
                "setup" => self.deploy(rest.strip_prefix("assigned ").unwrap()),
                "moved" => self.follow(&Moved::read(line).unwrap()),
                "drawoffer" => self.offered = true,
                "board" => self.look(rest),
                "legal" => self.legal = rest.split(' ').map(read_pair).collect(),
                "go" => answer = Some(self.answer()),
                _ => {}
            }
        }
        let answer = answer?.into_bytes();
        let mut lines = Vec::new();
        while self.rng.f32() < self.temper.chatter {
            lines.push([b"info ".as_slice(), &[self.rng.u8(0x80..)], b" thinking"].concat());
        }
        lines.push(answer);
        Some(lines)
    }

    fn deployment(&mut self) -> String {
        let mut squares: Vec<char> = self.words["army"]
            .split(',')
            .flat_map(|item| std::iter::repeat_n(item.chars().next().unwrap(), item[1..].parse().unwrap()))
            .collect();
        squares.resize(self.size().0 * self.number("rows"), '.');
        self.rng.shuffle(&mut squares);
        squares.into_iter().collect()
    }

    fn spot_of(&self, index: usize) -> Spot {
        let (width, height) = self.size();
        let (row, file) = (index / width, index % width);
        let rank = if self.side == Colour::Red { row } else { height - 1 - row };
        (file as u8, rank as u8)
    }

    fn deploy(&mut self, text: &str) {
        for (index, letter) in text.chars().enumerate() {
            if let Some(rank) = Rank::from_letter(letter) {
                self.own.insert(self.spot_of(index), (rank, false));
            }
        }
    }

    fn look(&mut self, rows: &str) {
        for (row, rank) in rows.split('/').rev().zip(0..) {
            for (square, file) in row.chars().zip(0..) {
                self.view.insert((file, rank), square);
            }
        }
    }

    fn follow(&mut self, moved: &Moved) {
        let mine = moved.mover == self.side;
        let outcome = moved.battle.map(|b| (b.2, b.3));
        if mine {
            self.last = Some((moved.from, moved.to));
            let (rank, mut rescued) = self.own.remove(&moved.from).expect("an own piece moves");
            if let Some((back, to)) = moved.rescue {
                let back = back.expect("an own rescue is told");
                let at = self.lost.iter().position(|r| *r == back).expect("it was lost");
                self.lost.remove(at);
                self.own.insert(to, (back, false));
                self.rescues += 1;
                rescued = true;
            }
            match outcome {
                Some((Outcome::Lost | Outcome::Both, _)) => self.lost.push(rank),
                _ => drop(self.own.insert(moved.to, (rank, rescued))),
            }
        } else if let Some((outcome, advances)) = outcome {
            let struck = self.own.remove(&moved.to).expect("an own piece is struck");
            match outcome {
                Outcome::Lost => drop(self.own.insert(if advances { moved.from } else { moved.to }, struck)),
                _ => self.lost.push(struck.0),
            }
        }
    }

    fn answer(&mut self) -> String {
        let (temper, rng) = (self.temper, &mut self.rng);
        let on = |name: &str| self.words[name] == "on";
        if std::mem::take(&mut self.offered) && rng.f32() < temper.agree {
            return "draw".to_owned();
        }
        if on("resignation") && rng.f32() < temper.resign {
            return "resign".to_owned();
        }
        let spots: Vec<Spot> = self.view.keys().copied().collect();
        if self.words["illegal"] != "loss" && rng.f32() < temper.mischief {
            let at = (spots[rng.usize(..spots.len())], spots[rng.usize(..spots.len())]);
            if !self.legal.contains(&at) {
                return format!("move {} {}", spot_name(at.0), spot_name(at.1));
            }
        }
        let enemy = |at: &Spot| !".~FBS23456789M".contains(self.view[at]);
        let forward = |&(from, to): &(Spot, Spot)| match self.side {
            Colour::Red => to.1 > from.1,
            Colour::Blue => to.1 < from.1,
        };
        let undo = self.last.map(|(from, to)| (to, from));
        let near = |at: Spot| self.view.keys().any(|s| steps((*s, at)) == 1 && enemy(s));
        let quiet = |m: &(Spot, Spot)| !enemy(&m.1);
        let mut likes = |chance: f32| rng.f32() < chance;
        let legal = self.legal.iter().copied();
        let liked: Vec<(Spot, Spot)> = if likes(temper.strike) {
            legal.filter(|m| enemy(&m.1)).collect()
        } else if likes(temper.advance) {
            legal.filter(forward).collect()
        } else if likes(temper.shuttle) {
            legal.filter(|m| Some(*m) == undo).collect()
        } else if likes(temper.chase) {
            legal.filter(|m| quiet(m) && near(m.1)).collect()
        } else if likes(temper.flee) {
            legal.filter(|m| quiet(m) && near(m.0)).collect()
        } else {
            Vec::new()
        };
        let choices = if liked.is_empty() { &self.legal } else { &liked };
        let mv = choices[rng.usize(..choices.len())];
        let mut text = format!("move {}", word_of(mv));
        if let Some((rank, to)) = self.rescue(mv) {
            text += &format!(" rescue {} {}", rank.letter(), spot_name(to));
        }
        if self.words["draw-offers"] == "on" && self.rng.f32() < temper.offer {
            text += " offer-draw";
        }
        text
    }

    /// A rescue with this move, where the rules give one.
    fn rescue(&mut self, (from, to): (Spot, Spot)) -> Option<(Rank, Spot)> {
        let (_, height) = self.size();
        let (rank, rescued) = self.own[&from];
        let text_000 = self.words["rescue"] == "000";
        let far = if self.side == Colour::Red { height as u8 - 1 } else { 0 };
        let barred = text_000 && (rank == Rank::Scout || rescued || self.rescues == 2);
        if self.words["rescue"] == "off" || to.1 != far || barred || self.rng.f32() < 0.1 {
            return None;
        }
        let back: Vec<Rank> = self
            .lost
            .iter()
            .copied()
            .filter(|r| if text_000 { *r != Rank::Bomb } else { r.moves() })
            .collect();
        let rows = if text_000 { self.number("rows") } else { 1 };
        let zone: Vec<Spot> = (0..rows * self.size().0).map(|i| self.spot_of(i)).collect();
        let free: Vec<Spot> =
            zone.into_iter().filter(|s| *s != to && (*s == from || self.view[s] == '.')).collect();
        if back.is_empty() || free.is_empty() {
            return None;
        }
        Some((back[self.rng.usize(..back.len())], free[self.rng.usize(..free.len())]))
    }
}

/// A question as it was put, and how it is about to be answered: for tests that try something else first.
pub struct Asked<'a> {
    pub game: &'a Game,
    pub side: Colour,
    pub text: &'a str,
    pub answer: &'a str,
    pub at: Stamp,
}

/// Lets two bots play until the game is over or so many inputs were made, and gives the inputs.
pub fn play(
    plan: &GamePlan,
    rng: &mut Rng,
    bots: &mut [Bot; 2],
    most: usize,
    mut each: impl FnMut(Asked<'_>),
) -> Vec<Event> {
    let mut game = Game::new(plan.clone(), [ALL_WANTED; 2]);
    let (mut events, mut now) = (Vec::new(), Duration::ZERO);
    let tell = |game: &mut Game, event: Event, events: &mut Vec<Event>| {
        event.feed(game);
        events.push(event);
    };
    while events.len() < most {
        let mut answers = Vec::new();
        for side in Colour::BOTH {
            let text = std::mem::take(game.out(side));
            if text.is_empty() {
                continue;
            }
            check_lines(&text);
            now += Duration::from_micros(rng.u64(..500));
            tell(&mut game, Event::Written(side, Stamp(now)), &mut events);
            if let Some(lines) = bots[side.index()].hear(&text) {
                answers.push((side, text, lines));
            }
        }
        if game.verdict().is_some() {
            break;
        }
        assert!(!answers.is_empty(), "the game waits for nobody");
        for (side, text, lines) in answers {
            if text.lines().last().is_some_and(|l| l.starts_with("go")) {
                let answer = str::from_utf8(lines.last().unwrap()).unwrap();
                each(Asked { game: &game, side, text: &text, answer, at: Stamp(now) });
            }
            for line in lines {
                now += Duration::from_micros(rng.u64(..3000));
                tell(&mut game, Event::Line(side, Stamp(now), line), &mut events);
            }
        }
    }
    events
}

/// Starts a game in the midst of another: its first turns become the given history.
pub fn from_history(plan: &GamePlan, events: &[Event], turns: usize) -> (GamePlan, Vec<Event>) {
    let at_once = Wants { ponder: true, ..Wants::default() };
    let (game, sent) = run(plan, [at_once; 2], events);
    let mut told = 0;
    let rest = sent.iter().position(|sent| {
        told += sent[0].lines().filter(|l| l.starts_with("moved")).count();
        told >= turns
    });
    let mut plan = plan.clone();
    plan.deployments = Colour::BOTH.map(|side| game.deployment(side).cloned());
    let turn = |t: &PlayedTurn| (t.played.mv, t.played.rescue.map(|(_, choice)| choice));
    plan.history = game.turns().iter().take(turns).map(turn).collect();
    (plan, events[rest.unwrap()..].to_vec())
}

pub fn result(game: &Game) -> Option<String> {
    game.verdict().map(|v| format!("{:?} {}", v.winner(), v.reason()))
}
