//! The other way round: a bot of our own protocol, seated at the table of a manager of the UCC 2012 league.
//!
//! To the manager the bridge is a bot that speaks UCC; to its bot it is an arbiter. It keeps the position as its bot
//! may know it, enemy ranks being unknown until a battle or a run tells them, judges its bot's moves by that league's
//! rules before they are sent, and holds the manager to its own lines: where those do not fit what was told before,
//! it stops, for a bot that plays on in another position than the manager's is worse than none. No I/O.

use std::sync::Arc;
use std::time::Duration;

use super::verdict::Fault;
use crate::clock::{Clocks, Overrun, Stamp, TimeSettings};
use crate::game::{
    Colour, Coordinates, Deployment, Illegal, Move, MoveList, Outcome, Position, Rank, Rules, SeenBattle,
    SeenMove, SeenSquare, Square, fight, notation::WrittenMove,
};
use crate::protocol::print::{self, NewGame};
use crate::protocol::{self, Clause, LineFault, Said, SaidMove, Shown, State, Wants, ucc};

/// What happens to a bridge. Stamps must not run back.
#[derive(Clone, Copy, Debug)]
pub enum BridgeInput<'a> {
    /// A whole line of the manager, without its end.
    Manager(&'a [u8]),
    /// The manager closed its end.
    ManagerGone,
    /// A whole line of the bot, without its end.
    Line(Stamp, &'a [u8]),
    /// All that was to be sent to the bot has been written.
    Written(Stamp),
    /// The bot is at fault in a way that only its keeper sees.
    Failed(Clause, &'a str),
    /// Time went by.
    Tick(Stamp),
}

/// How a bridge ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BridgeEnd {
    /// The manager ended the game; its line.
    Over(String),
    /// The bot was at fault: it surrendered where it could.
    Fault(Fault),
    /// The manager said something that cannot be, or went away; in words for people.
    Manager(String),
}

/// What is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The header, from the manager.
    Header,
    /// The deployment, from the bot.
    Deploying,
    /// `START`, from the manager.
    Start,
    /// The opponent's move, from the manager.
    Theirs,
    /// A row of the board, from the manager.
    Row(u8),
    /// A move, from the bot.
    Thinking,
    /// What became of its move, from the manager.
    Echo(WrittenMove),
    /// `QUIT`, from the manager.
    Last,
}

/// A bridge.
#[derive(Debug)]
pub struct Bridge {
    rules: Arc<Rules>,
    time: TimeSettings,
    clocks: Clocks,
    seed: u64,
    wants: Wants,
    phase: Phase,
    side: Colour,
    /// What its bot knows of each square.
    squares: Vec<SeenSquare>,
    /// Events that the bot has not been sent.
    events: String,
    asked: Option<Stamp>,
    to_bot: String,
    to_manager: String,
    end: Option<BridgeEnd>,
}

fn index(at: Coordinates) -> usize {
    usize::from(at.rank) * usize::from(ucc::SIZE) + usize::from(at.file)
}

impl Bridge {
    /// A bridge before the manager's first line. `rules` are that league's; `time` is what its bot is given.
    pub fn new(rules: Arc<Rules>, time: TimeSettings, seed: u64, wants: Wants) -> Bridge {
        Bridge {
            squares: vec![SeenSquare::Empty; rules.board.squares()],
            rules,
            time,
            clocks: Clocks::new(time),
            seed,
            wants,
            phase: Phase::Header,
            side: Colour::Red,
            events: String::new(),
            asked: None,
            to_bot: String::new(),
            to_manager: String::new(),
            end: None,
        }
    }

    /// What is to be written to the bot now; whoever writes it empties it.
    pub fn to_bot(&mut self) -> &mut String {
        &mut self.to_bot
    }

    /// What is to be written to the manager now; whoever writes it empties it.
    pub fn to_manager(&mut self) -> &mut String {
        &mut self.to_manager
    }

    /// How it ended, once it has.
    pub fn end(&self) -> Option<&BridgeEnd> {
        self.end.as_ref()
    }

    /// Whether a question to the bot is open or about to be.
    pub fn asks(&self) -> bool {
        self.end.is_none() && matches!(self.phase, Phase::Deploying | Phase::Thinking)
    }

    /// The moment at which the bot's clock falls, if it runs.
    pub fn deadline(&self) -> Option<Stamp> {
        let asked = self.asked?;
        match self.phase {
            Phase::Deploying => self.time.setup.map(|span| asked + span + self.time.margin),
            Phase::Thinking => Some(self.clocks.deadline(self.side.index(), asked)),
            _ => None,
        }
    }

    /// Takes in what happened.
    pub fn input(&mut self, input: BridgeInput<'_>) {
        if let BridgeInput::Line(at, _) | BridgeInput::Tick(at) = input
            && self.deadline().is_some_and(|deadline| at > deadline)
        {
            self.late(at);
        }
        if self.end.is_some() {
            return;
        }
        match input {
            BridgeInput::Manager(line) => {
                if let Err(why) = self.manager(line) {
                    self.broken(format!("{why}; it was told {}", Shown(line)));
                }
            }
            BridgeInput::ManagerGone => self.broken("the manager went away before `QUIT`".to_owned()),
            BridgeInput::Line(at, line) => self.line(at, line),
            BridgeInput::Written(at) if self.asks() => {
                self.asked.get_or_insert(at);
            }
            BridgeInput::Failed(clause, evidence) => self.fault(clause, evidence.to_owned(), None),
            BridgeInput::Written(_) | BridgeInput::Tick(_) => {}
        }
    }

    fn broken(&mut self, why: String) {
        print::gameover(&mut self.to_bot, None, "void", None);
        self.end = Some(BridgeEnd::Manager(why));
    }

    fn late(&mut self, at: Stamp) {
        let asked = self.asked.expect("only an asked question has a deadline");
        let (clause, budget) = match self.phase {
            Phase::Deploying => (Clause::TimeSetup, self.time.setup.unwrap_or_default()),
            _ => (Clause::TimeMove, self.clocks.budget(self.side.index())),
        };
        self.fault(clause, Overrun { budget, used: at.since(asked) }.to_string(), None);
    }

    /// A fault of the bot: it surrenders where the manager awaits a move; elsewhere it can but leave.
    fn fault(&mut self, clause: Clause, evidence: String, attempt: Option<SaidMove>) {
        if self.end.is_some() {
            return;
        }
        if self.phase == Phase::Thinking {
            self.to_manager.push_str("SURRENDER\n");
        }
        let winner = Some(self.side.other());
        print::gameover(&mut self.to_bot, winner, clause.reason(), Some(clause.slug()));
        self.end = Some(BridgeEnd::Fault(Fault { side: self.side, clause, evidence, attempt }));
    }

    // ---- the bot's lines

    fn line(&mut self, at: Stamp, line: &[u8]) {
        let state = match (self.phase, self.asked) {
            (Phase::Deploying, Some(_)) => State::Setup,
            (Phase::Thinking, Some(_)) => State::Turn,
            _ => State::Silent,
        };
        match protocol::read(line, state) {
            Ok(Said::Setup(text)) => self.deploy(&text),
            Ok(Said::Move(said)) => self.turn(at, said),
            Ok(Said::Resign) => {
                self.to_manager.push_str("SURRENDER\n");
                (self.phase, self.asked) = (Phase::Last, None);
            }
            Ok(Said::Draw) => {
                self.fault(Clause::DrawOff, "that league has no draw offers".to_owned(), None);
            }
            Ok(_) => {}
            Err(LineFault { clause, evidence }) => self.fault(clause, evidence, None),
        }
    }

    fn deploy(&mut self, text: &str) {
        let deployment = match Deployment::parse(&self.rules, text) {
            Ok(deployment) => deployment,
            Err(error) => return self.fault(Clause::from(&error), error.to_string(), None),
        };
        let board = &self.rules.board;
        for number in 0..board.squares() {
            let at = board.coordinates(Square(number as u8));
            if board.is_lake(Square(number as u8)) {
                self.squares[index(at)] = SeenSquare::Lake;
            }
        }
        for (number, rank) in deployment.squares().iter().enumerate() {
            let mut set = |side: Colour, seen: SeenSquare| {
                self.squares[index(board.coordinates(board.deployment_square(side, number)))] = seen;
            };
            set(self.side, rank.map_or(SeenSquare::Empty, SeenSquare::Own));
            // Every deployment square is filled in that league.
            set(self.side.other(), SeenSquare::Unknown);
        }
        for row in ucc::rows(&deployment, self.side) {
            self.to_manager.push_str(&row);
            self.to_manager.push('\n');
        }
        self.events.push_str("start\n");
        self.asked = None;
        self.phase = if self.side == Colour::Red { Phase::Start } else { Phase::Theirs };
        self.tell_at_once();
    }

    /// The position as far as moves of its own side ask for it: any enemy will do in the place of an unknown one.
    fn position(&self) -> Position {
        let pieces: Vec<(Colour, Square, Rank)> = (0..self.squares.len() as u8)
            .map(Square)
            .filter_map(|square| match self.squares[square.index()] {
                SeenSquare::Own(rank) => Some((self.side, square, rank)),
                SeenSquare::Known(_) | SeenSquare::Moved | SeenSquare::Unknown => {
                    Some((self.side.other(), square, Rank::Bomb))
                }
                SeenSquare::Empty | SeenSquare::Lake => None,
            })
            .collect();
        Position::from_pieces(self.rules.clone(), &pieces, self.side)
    }

    fn turn(&mut self, at: Stamp, said: SaidMove) {
        if said.offers_draw {
            return self.fault(Clause::DrawOff, "that league has no draw offers".to_owned(), None);
        }
        let position = self.position();
        let judged = said.mv.on(position.board()).and_then(|mv| position.judge(mv));
        let judged = judged.and(if said.rescue.is_some() { Err(Illegal::Rescue) } else { Ok(()) });
        if let Err(illegal) = judged {
            let evidence = format!("{} {}", said.mv, illegal.because());
            return self.fault(Clause::from(illegal), evidence, Some(said));
        }
        let used = at.since(self.asked.expect("only an asked question has an answer"));
        self.clocks.charge(self.side.index(), used).expect("a late answer was refused before it was read");
        self.to_manager += &format!("{}\n", ucc::Step(said.mv));
        (self.phase, self.asked) = (Phase::Echo(said.mv), None);
    }

    // ---- the manager's lines

    fn manager(&mut self, line: &[u8]) -> Result<(), String> {
        let text = str::from_utf8(line).ok().filter(|text| text.bytes().all(|b| (0x20..0x7f).contains(&b)));
        let text = text.ok_or("the manager's line is no printable ASCII")?;
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        if words.first() == Some(&"QUIT") {
            self.quit(&words[1..], text);
            return Ok(());
        }
        match self.phase {
            Phase::Header => self.header(&words),
            Phase::Start if text == "START" => {
                self.phase = Phase::Row(0);
                Ok(())
            }
            Phase::Start => Err("`START` was awaited from the manager".to_owned()),
            Phase::Row(number) => self.row(number, text),
            Phase::Theirs => match self.told(self.side.other(), &words, None)? {
                Some(_) => {
                    self.phase = Phase::Row(0);
                    Ok(())
                }
                None => Ok(()),
            },
            Phase::Echo(mv) => {
                if self.told(self.side, &words, Some(mv))?.is_some() {
                    self.phase = Phase::Theirs;
                    self.tell_at_once();
                }
                Ok(())
            }
            Phase::Deploying | Phase::Thinking => {
                Err("no line was awaited from the manager while its bot is asked".to_owned())
            }
            Phase::Last => Err("`QUIT` was awaited from the manager".to_owned()),
        }
    }

    fn header(&mut self, words: &[&str]) -> Result<(), String> {
        self.side = match *words {
            ["RED", _, "10", "10"] => Colour::Red,
            ["BLUE", _, "10", "10"] => Colour::Blue,
            _ => return Err("the header `RED|BLUE NAME 10 10` was awaited from the manager".to_owned()),
        };
        let id = format!("bridge-{:x}", self.seed);
        let (colour, first, seed) = (self.side, Colour::Red, self.seed);
        let (time, rules) = (&self.time, self.rules.set());
        print::newgame(&mut self.to_bot, &NewGame { id: &id, colour, first, seed, time, rules });
        self.to_bot.push_str("setup\n");
        self.phase = Phase::Deploying;
        Ok(())
    }

    /// `X Y DIRECTION [N] OUTCOME`: what was made of a move; nothing where the game is about to end by it.
    fn told(
        &mut self,
        mover: Colour,
        words: &[&str],
        own: Option<WrittenMove>,
    ) -> Result<Option<()>, String> {
        let form = || {
            let whose = if own.is_some() { "what became of its bot's move" } else { "its opponent's move" };
            format!("{whose}, `X Y DIRECTION [N] OUTCOME`, was awaited from the manager")
        };
        let runs = words.get(3).is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()));
        let split = if runs { 4 } else { 3 };
        let (step, outcome) = words.split_at_checked(split).ok_or_else(form)?;
        let ucc::Step(mv) = ucc::Step::read(step).map_err(|_| form())?;
        if own.is_some_and(|own| own != mv) {
            return Err(format!("the manager answers another move than its bot's, {mv}"));
        }
        let rank = |word: &str| {
            let mut letters = word.chars();
            letters.next().and_then(ucc::rank).filter(|_| letters.next().is_none()).ok_or_else(form)
        };
        let battle = match *outcome {
            ["OK"] => None,
            ["KILLS", a, d] => Some((rank(a)?, rank(d)?, Outcome::Won)),
            ["DIES", a, d] => Some((rank(a)?, rank(d)?, Outcome::Lost)),
            ["BOTHDIE", a, d] => Some((rank(a)?, rank(d)?, Outcome::Both)),
            // Some managers tell the last move so; `QUIT` follows.
            ["VICTORY_FLAG" | "VICTORY_ATTRITION"] => {
                self.phase = Phase::Last;
                return Ok(None);
            }
            ["ILLEGAL"] if own.is_none() => {
                // A manager that lets illegal moves pass as a turn without one: there is nothing to tell.
                return Ok(Some(()));
            }
            ["ILLEGAL"] => return Err(format!("the manager calls {mv} illegal, which is legal here")),
            _ => return Err(form()),
        };
        self.carry_out(mover, mv, battle).map(Some)
    }

    /// Carries out a move that was told, if it can be.
    fn carry_out(
        &mut self,
        mover: Colour,
        mv: WrittenMove,
        battle: Option<(Rank, Rank, Outcome)>,
    ) -> Result<(), String> {
        let own = mover == self.side;
        let cannot = |why: &str| Err(format!("the manager tells of {mv}, which cannot be: {why}"));
        let is_own = |seen: SeenSquare| matches!(seen, SeenSquare::Own(_));
        let is_theirs = |seen| matches!(seen, SeenSquare::Known(_) | SeenSquare::Moved | SeenSquare::Unknown);
        let (from, to) = (self.squares[index(mv.from)], self.squares[index(mv.to)]);
        if !(if own { is_own(from) } else { is_theirs(from) }) {
            return cannot("no piece of the mover's stands there");
        }
        let (df, dr) = (
            i16::from(mv.to.file) - i16::from(mv.from.file),
            i16::from(mv.to.rank) - i16::from(mv.from.rank),
        );
        let steps = df.abs() + dr.abs();
        for step in 1..steps {
            let at = |from: u8, by: i16| (i16::from(from) + by.signum() * step) as u8;
            let at = Coordinates { file: at(mv.from.file, df), rank: at(mv.from.rank, dr) };
            if self.squares[index(at)] != SeenSquare::Empty {
                return cannot("something stands in its way");
            }
        }
        let fits = |seen: SeenSquare, rank: Rank| match seen {
            SeenSquare::Own(known) | SeenSquare::Known(known) => known == rank,
            SeenSquare::Moved => rank.moves(),
            _ => true,
        };
        let runs = steps > 1;
        let moving = match battle {
            None => {
                if to != SeenSquare::Empty {
                    return cannot("its square is not empty");
                }
                match from {
                    SeenSquare::Own(_) | SeenSquare::Known(_) => from,
                    _ if runs => SeenSquare::Known(Rank::Scout),
                    _ => SeenSquare::Moved,
                }
            }
            Some((attacker, defender, outcome)) => {
                if !(if own { is_theirs(to) } else { is_own(to) }) {
                    return cannot("there is nothing to strike");
                }
                if !fits(from, attacker) || !fits(to, defender) || !attacker.moves() {
                    return cannot("its ranks are not those of the pieces there");
                }
                if fight(&self.rules, attacker, defender).outcome != outcome {
                    return cannot("that is not what comes of such a battle");
                }
                let known =
                    |own: bool, rank| if own { SeenSquare::Own(rank) } else { SeenSquare::Known(rank) };
                self.squares[index(mv.to)] = match outcome {
                    Outcome::Both => SeenSquare::Empty,
                    _ => known(!own, defender),
                };
                known(own, attacker)
            }
        };
        if runs && !fits(moving, Rank::Scout) {
            return cannot("no scout stands there");
        }
        if matches!(moving, SeenSquare::Own(rank) | SeenSquare::Known(rank) if !rank.moves()) {
            return cannot("a bomb or a flag does not move");
        }
        self.squares[index(mv.from)] = SeenSquare::Empty;
        if battle.is_none_or(|(_, _, outcome)| outcome == Outcome::Won) {
            self.squares[index(mv.to)] = moving;
        }
        let board = &self.rules.board;
        let square = |at| board.square(at).expect("it is on that league's board");
        let battle = battle.map(|(attacker, defender, outcome)| SeenBattle {
            attacker: Some(attacker),
            defender: Some(defender),
            outcome,
            advances: false,
        });
        let mv = Move { from: square(mv.from), to: square(mv.to) };
        print::moved(&mut self.events, &SeenMove { mover, mv, battle, rescue: None }, board);
        Ok(())
    }

    fn row(&mut self, number: u8, text: &str) -> Result<(), String> {
        let expected: String = (0..ucc::SIZE)
            .map(|file| match self.squares[index(Coordinates { file, rank: number })] {
                SeenSquare::Own(rank) => ucc::letter(rank),
                SeenSquare::Known(_) | SeenSquare::Moved | SeenSquare::Unknown => '#',
                SeenSquare::Empty => '.',
                SeenSquare::Lake => '+',
            })
            .collect();
        if text != expected {
            return Err(format!("row {} of the manager's board is not `{expected}`", number + 1));
        }
        if number + 1 < ucc::SIZE {
            self.phase = Phase::Row(number + 1);
            return Ok(());
        }
        self.ask();
        Ok(())
    }

    fn ask(&mut self) {
        let mut legal = MoveList::new();
        self.position().legal_moves(&mut legal);
        self.to_bot.push_str(&self.events);
        self.events.clear();
        if legal.is_empty() {
            // A manager that asks who cannot move has no other word for it.
            self.to_manager.push_str("SURRENDER\n");
            self.phase = Phase::Last;
            return;
        }
        let board = &self.rules.board;
        if self.wants.board {
            print::squares(&mut self.to_bot, board, |square| self.squares[square.index()]);
        }
        if self.wants.legal {
            print::legal(&mut self.to_bot, &mut legal, board);
        }
        print::go(&mut self.to_bot, &self.clocks, &self.time.control, self.side, self.wants.clock);
        (self.phase, self.asked) = (Phase::Thinking, None);
    }

    fn tell_at_once(&mut self) {
        if self.wants.ponder {
            self.to_bot.push_str(&self.events);
            self.events.clear();
        }
    }

    /// `QUIT [NAME COLOUR RESULT TURN REDVALUE BLUEVALUE]`.
    fn quit(&mut self, words: &[&str], text: &str) {
        let side = |word: &str| Colour::BOTH.into_iter().find(|&side| ucc::colour(side) == word);
        let (winner, reason) = match *words {
            [.., colour, result, _, red, blue] => {
                let named = side(colour);
                let loser = named.map(Colour::other);
                // With nothing that moves a side's pieces are worth nothing: that is how attrition shows.
                let attrition = (if named == Some(Colour::Red) { blue } else { red }) == "0";
                match result {
                    "VICTORY" if attrition => (named, "no-legal-move"),
                    "VICTORY" => (named, "flag-captured"),
                    "SURRENDER" => (loser, "resignation"),
                    "ILLEGAL" => (loser, "illegal-move"),
                    "BAD_SETUP" if named.is_some() => (loser, "illegal-setup"),
                    "BAD_SETUP" => (None, "double-forfeit"),
                    "DRAW" => (None, "both-immobile"),
                    "DRAW_DEFAULT" => (None, "length"),
                    _ => (None, "void"),
                }
            }
            _ => (None, "adjudication"),
        };
        self.to_bot.push_str(&self.events);
        self.events.clear();
        print::gameover(&mut self.to_bot, winner, reason, None);
        self.end = Some(BridgeEnd::Over(text.to_owned()));
    }
}

/// How long a surrender may take to be answered by `QUIT`: a manager of that league writes it to a bot that has gone
/// at its peril.
pub const LAST_WORD: Duration = Duration::from_secs(2);
