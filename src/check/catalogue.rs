//! The cases: what each is called, what it needs, and what is done to the bot in it.

use super::opponent::Temper;
use super::trap::Trap;
use crate::game::{BOOKS, Colour};

/// How much a clause binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A breach is a failure.
    Must,
    /// A breach is `non-strict`.
    Should,
}

impl Level {
    /// `MUST` or `SHOULD`.
    pub const fn word(self) -> &'static str {
        match self {
            Level::Must => "MUST",
            Level::Should => "SHOULD",
        }
    }
}

/// A case: one thing that is tried with a bot.
#[derive(Clone, Debug)]
pub struct Case {
    /// The slug of the clause it is judged by, and after a slash what is particular: `move.chase/history`.
    pub name: String,
    /// How much that binds.
    pub level: Level,
    /// What is done, for people.
    pub about: String,
    /// The cases that must have passed, lest a failure here say nothing about this clause.
    pub needs: Vec<&'static str>,
    /// Further clauses that it exercises.
    pub also: &'static [&'static str],
    /// Whether all that goes wrong is a breach of this clause, since all else went well in the cases it needs.
    pub own: bool,
    /// What is done.
    pub(super) script: Script,
}

impl Case {
    /// Whether a machine with much other work can make it fail: then it is tried again.
    pub(super) fn is_timed(&self) -> bool {
        match &self.script {
            Script::Leave(_) => true,
            Script::Game(script) => !matches!(script.time, Told::Usual | Told::Long),
            _ => false,
        }
    }

    /// The slug of its clause.
    pub fn clause(&self) -> &str {
        self.name.split('/').next().unwrap_or(&self.name)
    }
}

/// What is done to a bot.
#[derive(Clone, Debug)]
pub(super) enum Script {
    /// A handshake in which this version is offered.
    Handshake(u32),
    /// Who it says that it is.
    Identity,
    /// The options that it declares.
    OptionTypes,
    /// Handshake and `isready`.
    Ready,
    /// Each option set to its default, then a few turns.
    OptionDefaults,
    /// Each option set to every value that is easily named, and `isready`.
    OptionValues,
    /// A deployment under the battery's own book.
    Deploy,
    /// Deployments of both colours under a shipped book.
    DeployBook(&'static str),
    /// A deployment by parameters that differ from the book that is named.
    DeployByParameters,
    /// One game.
    Game(GameScript),
    /// Short games in each mixture of colour and first mover.
    Colours,
    /// The same seed, twice.
    Deterministic,
    /// Games one after the other on one process.
    Games(u32),
    /// A game that ends over an open question, and another after it.
    OpenQuestion,
    /// The same; whether the open question is answered.
    Silence,
    /// A reason that is not in the specification, and another game.
    UnknownReason,
    /// Leaving.
    Leave(Leaving),
    /// What runs on after the bot's end.
    Leftovers,
    /// Games of a confined bot.
    Confined,
}

/// How and when a bot is to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaving {
    /// `quit` after the handshake.
    QuitEarly,
    /// `quit` after a game.
    QuitAfterGame,
    /// `quit` while it is asked for a move.
    QuitWhileAsked,
    /// The end of its input.
    EndOfInput,
    /// SIGTERM.
    Terminated,
}

/// One game against a scripted opponent.
#[derive(Clone, Debug)]
pub(super) struct GameScript {
    /// The opponent's temper.
    pub temper: Temper,
    /// The bot's turns after which the game is broken off.
    pub turns: u32,
    /// What the game begins from.
    pub trap: Option<Trap>,
    /// Changes of the rules.
    pub changes: &'static [(&'static str, &'static str)],
    /// The time told, and whether it is kept to.
    pub time: Told,
    /// What is put between and behind the words that the bot knows.
    pub noise: Option<Noise>,
    /// Whether the bot is written to in small pieces.
    pub pieces: bool,
    /// The turns with whose moves the opponent offers a draw.
    pub offers: &'static [u32],
    /// Whether the first move is refused.
    pub refuses: Option<Refusal>,
    /// The bot's colour.
    pub side: Colour,
}

/// The time of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// A tenth of a second a move, which is not kept to.
    Usual,
    /// Milliseconds a move.
    Fixed(u64),
    /// Milliseconds in all, more for each move, moves of a period.
    Clock(u64, u64, Option<u32>),
    /// Ten hours.
    Long,
}

/// What a bot has to ignore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Noise {
    /// Whole lines.
    Lines,
    /// `key=value` words.
    Keys,
    /// Further words.
    Words,
}

/// What is looked at after a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// That the question is answered again and the game goes on.
    Answer,
    /// That the answer is another move.
    OtherMove,
}

/// A game of a few turns in which nothing is special.
pub(super) const PLAIN: GameScript = GameScript {
    temper: Temper::Random,
    turns: 8,
    trap: None,
    changes: &[],
    time: Told::Usual,
    noise: None,
    pieces: false,
    offers: &[],
    refuses: None,
    side: Colour::Red,
};

/// The case that all games need.
const TURN: &str = "turn.answer";
/// The case that all games with given deployments need.
const ASSIGNED: &str = "setup.assigned";

struct List(Vec<Case>);

impl List {
    fn add(
        &mut self,
        name: &str,
        level: Level,
        needs: &[&'static str],
        about: &str,
        script: Script,
    ) -> &mut Case {
        self.0.push(Case {
            name: name.to_owned(),
            level,
            about: about.to_owned(),
            needs: needs.to_vec(),
            also: &[],
            own: false,
            script,
        });
        self.0.last_mut().expect("it was just pushed")
    }

    fn game(&mut self, name: &str, needs: &[&'static str], about: &str, script: GameScript) -> &mut Case {
        self.add(name, Level::Must, needs, about, Script::Game(script))
    }

    /// A game whose faults all are this clause's.
    fn stimulus(&mut self, name: &str, needs: &[&'static str], about: &str, script: GameScript) -> &mut Case {
        let case = self.game(name, needs, about, script);
        case.own = true;
        case
    }
}

/// All cases, in the order in which they are told.
pub fn catalogue() -> Vec<Case> {
    use Level::{Must, Should};
    let mut list = List(Vec::new());
    handshake(&mut list);
    deployments(&mut list);
    games(&mut list);
    events(&mut list);
    let case = list.add(
        "handshake.feature/deterministic",
        Must,
        &[TURN],
        "the same seed and moves on two processes, and again on one that has played",
        Script::Deterministic,
    );
    case.own = true;
    let next =
        list.add("gameover.next", Must, &[TURN], "a second game on the living process", Script::Games(2));
    next.own = true;
    let case = list.add(
        "newgame.reset/twenty",
        Must,
        &["gameover.next", "rule.turns"],
        "twenty games on the living process, in both colours",
        Script::Games(20),
    );
    case.own = true;
    let case = list.add(
        "gameover.next/open-question",
        Must,
        &["gameover.next"],
        "a game that ends over an open question, then another",
        Script::OpenQuestion,
    );
    case.own = true;
    case.also = &["gameover.open"];
    let case = list.add(
        "reason.future",
        Must,
        &["gameover.next"],
        "a game that ends for a reason of a later version, then another",
        Script::UnknownReason,
    );
    case.own = true;
    list.add(
        "gameover.silent",
        Should,
        &[TURN],
        "a question, and the end of the game right behind it",
        Script::Silence,
    );
    let leaving = [
        ("quit.exit/after-handshake", "quit, after the handshake", "handshake.end", Leaving::QuitEarly),
        ("quit.exit/after-game", "quit, after a game", TURN, Leaving::QuitAfterGame),
        ("quit.exit/while-asked", "quit, right behind a question", TURN, Leaving::QuitWhileAsked),
        ("quit.exit/end-of-input", "the end of its input", TURN, Leaving::EndOfInput),
        ("quit.term", "SIGTERM, after a game", TURN, Leaving::Terminated),
    ];
    for (name, about, need, how) in leaving {
        list.add(name, Should, &[need], &format!("it ends upon {about}"), Script::Leave(how));
    }
    let case = list.add(
        "process.confined",
        Should,
        &[TURN],
        "two games, each as a new process, in a sandbox: its own folder to read, TMPDIR to write, no network",
        Script::Confined,
    );
    case.own = true;
    list.add("process.leftover", Should, &[TURN], "no process outlives it", Script::Leftovers);
    list.0
}

fn handshake(list: &mut List) {
    use Level::{Must, Should};
    let case = list.add("handshake.end", Must, &[], "a handshake", Script::Handshake(1));
    case.also = &["line.form", "line.case", "process.buffer"];
    let case = list.add(
        "handshake.version/newer-arbiter",
        Must,
        &["handshake.end"],
        "an arbiter that also speaks a later version",
        Script::Handshake(9),
    );
    case.own = true;
    case.also = &["handshake.lower", "handshake.silence"];
    list.add(
        "handshake.id",
        Should,
        &["handshake.end"],
        "it tells its name, author and version",
        Script::Identity,
    );
    list.add(
        "handshake.option-type",
        Must,
        &["handshake.end"],
        "the options it declares are well formed",
        Script::OptionTypes,
    );
    list.add("ready.answer", Must, &["handshake.end"], "handshake and isready", Script::Ready);
    let case = list.add(
        "ready.answer/option-defaults",
        Must,
        &[TURN],
        "each option set to its default, then a game",
        Script::OptionDefaults,
    );
    (case.own, case.also) = (true, &["option.set"]);
    let case = list.add(
        "ready.answer/option-values",
        Must,
        &["ready.answer"],
        "each option set to the values it can have",
        Script::OptionValues,
    );
    (case.own, case.also) = (true, &["option.set"]);
}

fn deployments(list: &mut List) {
    use Level::Must;
    list.add("setup.syntax", Must, &["ready.answer"], "a deployment", Script::Deploy);
    for (book, _) in BOOKS {
        let name = format!("setup.count/{book}");
        let case = list.add(
            &name,
            Must,
            &["setup.syntax"],
            &format!("deployments of both colours under {book}"),
            Script::DeployBook(book),
        );
        case.also = &["handshake.supports"];
    }
    let case = list.add(
        "newgame.decides",
        Must,
        &["setup.syntax"],
        "parameters of another book under the first one's name",
        Script::DeployByParameters,
    );
    case.own = true;
}

fn games(list: &mut List) {
    use Level::Must;
    list.game(TURN, &["setup.syntax"], "the first moves of a game", PLAIN).also = &["turn.move"];
    list.add("rule.turns", Must, &[TURN], "both colours, moving first and second", Script::Colours).own =
        true;
    list.stimulus(
        ASSIGNED,
        &[TURN],
        "a deployment that is assigned, and moves with it",
        GameScript { changes: &[("deployment-by", "seed")], ..PLAIN },
    );
    let long = |temper, side| GameScript { temper, side, turns: 150, ..PLAIN };
    list.game(
        "move.two-squares/shuttler",
        &[TURN],
        "against one that goes to and fro",
        long(Temper::Shuttle, Colour::Red),
    );
    list.game(
        "move.two-squares/chaser",
        &[TURN],
        "against one that comes near and never strikes",
        long(Temper::Chase, Colour::Blue),
    );
    list.game(
        "move.chase/runner",
        &[TURN],
        "against one that runs from whatever threatens it",
        long(Temper::Run, Colour::Red),
    );
    list.game(
        "turn.answer/blocker",
        &[TURN],
        "against one that leaves as few moves as it can",
        long(Temper::Block, Colour::Blue),
    );
    list.game(
        "turn.answer/striker",
        &[TURN],
        "against one that knows all ranks and strikes",
        long(Temper::Strike, Colour::Red),
    )
    .also = &["rule.immobile"];
    list.game(
        "turn.answer/random",
        &[TURN],
        "against one that makes any legal move",
        long(Temper::Random, Colour::Blue),
    );
    list.game(
        "draw.off/shuttler",
        &[TURN],
        "a game without draw offers, in which nothing happens",
        GameScript { changes: &[("draw-offers", "off")], turns: 60, ..long(Temper::Shuttle, Colour::Red) },
    );
    list.game(
        "resign.off/striker",
        &[TURN],
        "a lost game without resignation",
        GameScript { changes: &[("resignation", "off")], ..long(Temper::Strike, Colour::Blue) },
    );
    let trapped = |trap, temper| GameScript { trap: Some(trap), temper, turns: 20, ..PLAIN };
    let history = &[TURN, ASSIGNED, "rule.turns", "event.history"];
    let mut trap = |name: &str, about: &str, script: GameScript| {
        list.game(name, history, about, script);
    };
    trap(
        "move.two-squares/history",
        "a past in which one piece shuttled",
        trapped(Trap::Shuttled, Temper::Shuttle),
    );
    trap(
        "move.two-squares/cornered",
        "a past in which its piece ran to and fro from a threat",
        GameScript { side: Colour::Blue, ..trapped(Trap::Cornered, Temper::Chase) },
    );
    trap(
        "move.chase/history",
        "a past in which it chased, and must let go",
        trapped(Trap::Chased, Temper::Run),
    );
    trap(
        "move.chase/any",
        "the same under the reading `any`",
        GameScript { changes: &[("chase", "any")], side: Colour::Blue, ..trapped(Trap::Chased, Temper::Run) },
    );
    trap(
        "move.strike-far/history",
        "scouts that may not run and strike",
        trapped(Trap::RunAndStrike, Temper::Random),
    );
    trap(
        "turn.answer/one-move",
        "an army with one legal move",
        GameScript { side: Colour::Blue, ..trapped(Trap::OneMove, Temper::Block) },
    );
    trap(
        "move.rescue/000",
        "a piece about to reach the far row, rescue as in text 000",
        GameScript { changes: &[("rescue", "000")], ..trapped(Trap::MayRescue, Temper::Random) },
    );
    trap(
        "move.rescue/001",
        "the same as in text 001",
        GameScript {
            changes: &[("rescue", "001")],
            side: Colour::Blue,
            ..trapped(Trap::MayRescue, Temper::Random)
        },
    );
    list.stimulus(
        "time.move/short",
        &[TURN],
        "half a second a move",
        GameScript { time: Told::Fixed(500), turns: 20, ..PLAIN },
    )
    .also = &["turn.clock"];
    list.stimulus(
        "time.move/clock",
        &[TURN],
        "three seconds and 50 ms a move, for sixty moves",
        GameScript { time: Told::Clock(3000, 50, None), temper: Temper::Quiet, turns: 60, ..PLAIN },
    );
    list.stimulus(
        "time.move/period",
        &[TURN],
        "three seconds for each ten moves",
        GameScript {
            time: Told::Clock(3000, 0, Some(10)),
            temper: Temper::Quiet,
            turns: 25,
            side: Colour::Blue,
            ..PLAIN
        },
    );
    list.game(
        "time.move/long",
        &[TURN],
        "a clock of ten hours",
        GameScript { time: Told::Long, turns: 6, ..PLAIN },
    );
}

fn events(list: &mut List) {
    use Level::Should;
    let past = |plies, side| GameScript { trap: Some(Trap::Past(plies)), side, turns: 20, ..PLAIN };
    list.stimulus(
        "event.history",
        &[TURN, ASSIGNED, "rule.turns"],
        "forty past plies, its own moves among them",
        past(40, Colour::Red),
    );
    list.stimulus(
        "time.write/long-history",
        &["event.history", "line.form/pieces"],
        "a past of 4,500 plies in one go",
        GameScript { turns: 6, ..past(4500, Colour::Blue) },
    );
    let history = &[TURN, ASSIGNED, "rule.turns", "event.history"];
    let trapped = |trap, side| GameScript { trap: Some(trap), side, turns: 15, ..PLAIN };
    list.stimulus(
        "event.advances",
        history,
        "a defender that stepped forward",
        trapped(Trap::Advanced, Colour::Red),
    );
    list.stimulus(
        "event.rescue",
        history,
        "an enemy piece that was brought back",
        GameScript { changes: &[("rescue", "001")], ..trapped(Trap::Rescued, Colour::Blue) },
    );
    list.stimulus(
        "event.battle/not-told",
        history,
        "a battle whose defender stays unknown",
        trapped(Trap::NotTold, Colour::Red),
    );
    list.stimulus(
        "event.flag",
        &[TURN],
        "open flags",
        GameScript { changes: &[("open-flag", "on")], ..PLAIN },
    );
    list.stimulus(
        "event.placed",
        &[TURN],
        "deployment squares that may be empty, and where pieces stand",
        GameScript { changes: &[("deployment", "any")], side: Colour::Blue, ..PLAIN },
    );
    list.stimulus(
        "event.drawoffer",
        &[TURN],
        "draw offers, to be accepted or not",
        GameScript {
            changes: &[("draw-offers", "on")],
            offers: &[2, 13, 25],
            turns: 30,
            temper: Temper::Quiet,
            ..PLAIN
        },
    )
    .also = &["draw.accept", "draw.offer"];
    let retry = GameScript {
        changes: &[("illegal", "retry:3")],
        refuses: Some(Refusal::Answer),
        side: Colour::Blue,
        ..PLAIN
    };
    let other = GameScript { refuses: Some(Refusal::OtherMove), ..retry.clone() };
    list.stimulus("turn.retry/answer", &[TURN], "a move that is refused, and asked for again", retry).also =
        &["event.illegal", "event.moved"];
    list.stimulus(
        "turn.retry/other-move",
        &["turn.retry/answer"],
        "the second answer is another move",
        other,
    )
    .level = Should;
    let noisy = |noise, side| GameScript { noise: Some(noise), side, ..PLAIN };
    list.stimulus("line.future/line", &[TURN], "lines of a later version", noisy(Noise::Lines, Colour::Red));
    list.stimulus(
        "line.future/key",
        &[TURN],
        "key=value words of a later version",
        noisy(Noise::Keys, Colour::Blue),
    );
    list.stimulus(
        "line.future/word",
        &[TURN],
        "further words behind those it knows",
        noisy(Noise::Words, Colour::Red),
    );
    list.stimulus(
        "line.form/pieces",
        &[TURN],
        "lines that come in small pieces",
        GameScript { pieces: true, turns: 4, side: Colour::Blue, ..PLAIN },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::spec;

    #[test]
    fn every_case_has_a_name_of_its_own_by_a_clause_of_the_specification() {
        let cases = catalogue();
        for (n, case) in cases.iter().enumerate() {
            let clause = spec::clause(case.clause()).unwrap_or_else(|| panic!("no clause for {}", case.name));
            assert!(cases[n + 1..].iter().all(|other| other.name != case.name), "{}", case.name);
            for slug in case.also {
                assert!(spec::clause(slug).is_some(), "{}: {slug}", case.name);
            }
            for need in &case.needs {
                assert!(cases.iter().any(|other| other.name == *need), "{} needs {need}", case.name);
            }
            if case.level == Level::Should && !case.name.contains('/') {
                assert!(clause.sentence.contains("SHOULD"), "{}", case.name);
            }
        }
    }
}
