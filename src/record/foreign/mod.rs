//! Games from elsewhere: one neutral value for a recorded game, and one file a format that reads and writes it.
//!
//! A reader takes a stream and yields its games one after another, in bounded memory; what is wrong is told with its
//! line, and reading goes on where the next game begins. A writer makes the text of one game. Neither opens a file,
//! and neither asks whether a move is legal: re-refereeing does.

mod ataraxos;
mod lines;
mod plain;
mod strados2;
mod strados3;
mod ucc;

use std::fmt;
use std::io::{self, BufRead, Read};

use super::game::{GameRecord, RecordedTurn};
use crate::game::notation::{self, WrittenMove};
use crate::game::{Battle, Colour, Coordinates, Outcome, Rank, Rules, book};
use crate::protocol::ucc::letter;
use crate::tournament::GameResult;

pub use lines::Lines;
pub use plain::{PlainGame, is_own};

/// The most plies that are read of one game: memory stays bounded, whatever a file holds.
pub const MOST_PLIES: usize = 200_000;

/// Files of the board that these formats write, and its ranks.
const SIDE: u8 = 10;

/// The letters of a field.
const SQUARES: usize = SIDE as usize * SIDE as usize;

/// A format of recorded games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON lines: neutral plain lines. Lines of our own games.jsonl are read, too.
    Plain,
    /// What the manager of the UCC 2012 league logged.
    Ucc,
    /// The XML of Gravon's archive.
    Strados2,
    /// Position strings of OpenSpiel's yorktown.
    Strados3,
    /// A field and one number a ply.
    Ataraxos,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 5] =
        [Format::Plain, Format::Ucc, Format::Strados2, Format::Strados3, Format::Ataraxos];

    /// The word for it: `plain`, `ucc`, `strados2`, `strados3` or `ataraxos`.
    pub const fn word(self) -> &'static str {
        match self {
            Format::Plain => "plain",
            Format::Ucc => "ucc",
            Format::Strados2 => "strados2",
            Format::Strados3 => "strados3",
            Format::Ataraxos => "ataraxos",
        }
    }

    /// Its name, for people.
    pub const fn title(self) -> &'static str {
        match self {
            Format::Plain => "a plain line",
            Format::Ucc => "a UCC log",
            Format::Strados2 => "StraDoS2 XML",
            Format::Strados3 => "a StraDos3 string",
            Format::Ataraxos => "Ataraxos text",
        }
    }

    /// How its files' names end.
    pub const fn ending(self) -> &'static str {
        match self {
            Format::Plain => "jsonl",
            Format::Ucc => "log",
            Format::Strados2 => "xml",
            Format::Strados3 => "strados3",
            Format::Ataraxos => "txt",
        }
    }

    /// Reads [`Format::word`].
    pub fn from_word(word: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|f| f.word() == word)
    }

    /// Whether a file of this format holds one game.
    pub const fn one_game_a_file(self) -> bool {
        matches!(self, Format::Ucc | Format::Strados2 | Format::Ataraxos)
    }

    /// The format that the first bytes of a stream tell, of which [`HEAD`] are enough.
    pub fn told_by(head: &[u8]) -> Option<Format> {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
        let mut lines = head.split(|b| matches!(b, b'\n' | b'\r')).map(|line| String::from_utf8_lossy(line));
        let first = lines.next()?;
        match head.first()? {
            // A log begins with a name, which may be anything.
            _ if ucc::is_telling(&first) => return Some(Format::Ucc),
            b'{' => return Some(Format::Plain),
            b'<' => return Some(Format::Strados2),
            _ => {}
        }
        if ataraxos::field(first.trim()).is_ok() {
            return Some(Format::Ataraxos);
        }
        if first.split_whitespace().next().is_some_and(|word| field(word).is_ok()) {
            return Some(Format::Strados3);
        }
        // A manager's log may begin with what its manager complained of.
        lines.any(|line| ucc::is_telling(&line)).then_some(Format::Ucc)
    }
}

/// How many bytes of a stream tell its format.
pub const HEAD: usize = 8192;

/// Takes the head of a stream, by which its format is told, and gives the whole stream back.
///
/// # Errors
/// Where it cannot be read.
pub fn peek<R: BufRead>(mut stream: R) -> io::Result<(Vec<u8>, impl BufRead)> {
    let mut head = Vec::new();
    stream.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    Ok((head.clone(), io::Cursor::new(head).chain(stream)))
}

/// What a log tells of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// It met nobody.
    Quiet,
    /// It struck: the attacker's rank, the defender's, and what became of the attacker.
    Struck(Rank, Rank, Outcome),
    /// It took the flag; by what is not told.
    Flag,
    /// It was refused.
    Illegal,
}

impl Told {
    /// What a manager would tell of a move with this battle.
    pub fn of(battle: Option<&Battle>) -> Told {
        match battle {
            None => Told::Quiet,
            Some(b) if b.defender == Rank::Flag => Told::Flag,
            Some(b) => Told::Struck(b.attacker, b.defender, b.outcome),
        }
    }

    /// Reads the words of the UCC 2012 manager: `OK`, `KILLS a d`, `DIES a d`, `BOTHDIE a d`, `VICTORY_FLAG`,
    /// `ILLEGAL`.
    pub fn read(text: &str) -> Option<Told> {
        let mut words = text.split_ascii_whitespace();
        let outcome = match words.next()? {
            "OK" => return words.next().is_none().then_some(Told::Quiet),
            "VICTORY_FLAG" => return words.next().is_none().then_some(Told::Flag),
            "ILLEGAL" => return words.next().is_none().then_some(Told::Illegal),
            "KILLS" => Outcome::Won,
            "DIES" => Outcome::Lost,
            "BOTHDIE" => Outcome::Both,
            _ => return None,
        };
        let told = Told::Struck(ucc::rank(words.next()?)?, ucc::rank(words.next()?)?, outcome);
        words.next().is_none().then_some(told)
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Told::Quiet => f.write_str("OK"),
            Told::Flag => f.write_str("VICTORY_FLAG"),
            Told::Illegal => f.write_str("ILLEGAL"),
            Told::Struck(attacker, defender, outcome) => {
                let word = match outcome {
                    Outcome::Won => "KILLS",
                    Outcome::Lost => "DIES",
                    Outcome::Both => "BOTHDIE",
                };
                write!(f, "{word} {} {}", letter(*attacker), letter(*defender))
            }
        }
    }
}

/// Something odd in a log that is no reason to refuse it: a broken ending, a repeated line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its line, from 1.
    pub line: u64,
    /// What it is.
    pub text: String,
}

/// A game from anywhere: what its log tells, and nothing that it does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignGame {
    /// Its name: the log's own, or the file's.
    pub id: String,
    /// What kind of game it was, in the words of Gravon: `classic`, `barrage` …
    pub kind: Option<String>,
    /// Red's name.
    pub red: Option<String>,
    /// Blue's name.
    pub blue: Option<String>,
    /// 100 StraDoS2 letters, first row rank 1, each row from file a; `A` empty.
    pub field: Option<String>,
    /// Who moves first, where that is told otherwise than by the first move.
    pub first: Option<Colour>,
    /// Plies that were played before the field stood so.
    pub before: u32,
    /// The moves.
    pub moves: Vec<RecordedTurn>,
    /// What is told of each; shorter than the moves where of the last ones nothing is.
    pub told: Vec<Told>,
    /// How it came out.
    pub result: Option<GameResult>,
    /// Why it ended: a reason of SPEC.md, section 18, or a word like it.
    pub reason: Option<String>,
    /// What was odd in its log.
    pub remarks: Vec<Remark>,
    /// What its source knew and this value does not.
    pub lost: Losses,
}

/// The words of a result, as in our own records.
pub const fn result_word(result: GameResult) -> &'static str {
    match result {
        GameResult::Red => "red",
        GameResult::Blue => "blue",
        GameResult::Draw => "draw",
        GameResult::BothLose => "both-lose",
    }
}

/// Reads [`result_word`].
pub fn result_of_word(word: &str) -> Option<GameResult> {
    [GameResult::Red, GameResult::Blue, GameResult::Draw, GameResult::BothLose]
        .into_iter()
        .find(|&r| result_word(r) == word)
}

/// The winner of a result.
pub fn winner(result: GameResult) -> Option<Colour> {
    match result {
        GameResult::Red => Some(Colour::Red),
        GameResult::Blue => Some(Colour::Blue),
        _ => None,
    }
}

fn won_by(colour: Colour) -> GameResult {
    match colour {
        Colour::Red => GameResult::Red,
        Colour::Blue => GameResult::Blue,
    }
}

impl ForeignGame {
    /// Who moves first: as told, otherwise by the piece that does, otherwise Red.
    pub fn first_mover(&self) -> Colour {
        self.first.or_else(|| self.first_by_piece()).unwrap_or(Colour::Red)
    }

    /// The colour of the piece that the first move moves.
    fn first_by_piece(&self) -> Option<Colour> {
        let RecordedTurn::Move(mv, _) = self.moves.first()? else { return None };
        let Coordinates { file, rank } = mv.from;
        let at = usize::from(rank) * usize::from(SIDE) + usize::from(file);
        let letter = self.field.as_ref()?.as_bytes().get(at).filter(|_| file < SIDE)?;
        notation::strados_piece(*letter as char).map(|(colour, _)| colour)
    }

    /// Both deployments of its field, Red's first, in the protocol's letters.
    ///
    /// # Errors
    /// A sentence: no field, another board, a piece outside of its side's deployment rows.
    pub fn deployments(&self, rules: &Rules) -> Result<[String; 2], String> {
        let field = self.field.as_deref().ok_or("the game has no field")?;
        let board = &rules.board;
        if board.squares() != SQUARES || board.width() != SIDE {
            return Err("the rules have another board than the game's ten by ten".to_owned());
        }
        let mut seen = 0;
        let both = Colour::BOTH.map(|side| {
            (0..board.deployment_squares())
                .map(|n| {
                    let at = board.coordinates(board.deployment_square(side, n));
                    let letter = field.as_bytes()[usize::from(at.rank * SIDE + at.file)] as char;
                    match notation::strados_piece(letter) {
                        Some((colour, rank)) if colour == side => {
                            seen += 1;
                            rank.letter()
                        }
                        _ => '.',
                    }
                })
                .collect()
        });
        let pieces = field.chars().filter(|&letter| notation::strados_piece(letter).is_some()).count();
        if pieces != seen {
            return Err(
                "its pieces do not all stand in their deployment rows: it is no start of a game".to_owned()
            );
        }
        Ok(both)
    }

    /// What kind of game its field tells of, where the log does not.
    fn kind_word(&self) -> &str {
        let pieces =
            || self.field.iter().flat_map(|f| f.bytes()).filter(|b| !matches!(b, b'A' | b'_')).count();
        match &self.kind {
            Some(kind) => kind,
            None => match pieces() {
                16 => "barrage",
                80 => "classic",
                _ => "classicfree",
            },
        }
    }

    /// A game of our own journal. Faults that are an illegal move stand as its last move, told to be illegal.
    ///
    /// # Errors
    /// A sentence: another board than ten by ten, a deployment that does not fit it, a first mover that is none.
    pub fn of_record(record: &GameRecord, rules: &Rules) -> Result<ForeignGame, String> {
        let board = &rules.board;
        if (board.width(), board.height()) != (SIDE, SIDE) {
            let (width, height) = (board.width(), board.height());
            return Err(format!("its board is {width}x{height}; these formats have ten by ten squares"));
        }
        let mut letters = vec![b'A'; SQUARES];
        for (n, letter) in (0..).zip(letters.iter_mut()) {
            let at = Coordinates { file: n % SIDE, rank: n / SIDE };
            if board.square(at).is_some_and(|square| board.is_lake(square)) {
                *letter = b'_';
            }
        }
        let mut deployed = false;
        for (colour, text) in [(Colour::Red, &record.setup.red), (Colour::Blue, &record.setup.blue)] {
            let Some(text) = text else { continue };
            deployed = true;
            if text.len() != board.deployment_squares() {
                return Err(format!(
                    "{colour}'s deployment has {} squares, the board {}",
                    text.len(),
                    board.deployment_squares()
                ));
            }
            for (n, letter) in text.chars().enumerate().filter(|(_, letter)| *letter != '.') {
                let rank = Rank::from_letter(letter).ok_or_else(|| {
                    format!("`{}` in {colour}'s deployment is no rank", letter.escape_default())
                })?;
                let at = board.coordinates(board.deployment_square(colour, n));
                let at = usize::from(at.rank) * usize::from(SIDE) + usize::from(at.file);
                letters[at] = notation::strados_letter(colour, rank) as u8;
            }
        }
        let first = Colour::from_word(&record.first)
            .ok_or_else(|| format!("first is `{}`, neither red nor blue", record.first))?;
        let mut told = vec![Told::Quiet; record.moves.len()];
        for battle in &record.battles {
            let ply = battle.ply as usize;
            let told = ply.checked_sub(1).and_then(|n| told.get_mut(n));
            *told.ok_or_else(|| format!("a battle at ply {ply}, which was not played"))? =
                Told::of(Some(&battle.battle));
        }
        let mut moves = record.moves.clone();
        if let [fault] = record.faults.as_slice()
            && let Some(attempt) = &fault.attempt
        {
            moves.push(attempt.clone());
            told.push(Told::Illegal);
        }
        let mut lost = Losses::of(&[Loss::Rules, Loss::Times, Loss::Seeds]);
        if record.faults.iter().any(|f| f.attempt.is_none() || record.faults.len() > 1) {
            lost.add(Loss::Faults);
        }
        Ok(ForeignGame {
            id: record.id.clone(),
            kind: None,
            red: Some(record.red.clone()),
            blue: Some(record.blue.clone()),
            field: deployed.then(|| String::from_utf8(letters).expect("the letters are ASCII")),
            first: Some(first),
            before: 0,
            moves,
            told,
            result: result_of_word(&record.result),
            reason: Some(record.reason.clone()),
            remarks: Vec::new(),
            lost,
        })
    }
}

/// Reads a field: 100 letters, small `a` for empty allowed.
fn field(text: &str) -> Result<String, String> {
    let mut letters = String::with_capacity(SQUARES);
    for (n, letter) in text.chars().enumerate() {
        match letter {
            'A'..='Y' | '_' => letters.push(letter),
            'a' => letters.push('A'),
            _ => {
                return Err(format!(
                    "letter {} of the field is `{}`, no StraDoS2 letter",
                    n + 1,
                    letter.escape_default()
                ));
            }
        }
        if n == SQUARES {
            break;
        }
    }
    if letters.len() == SQUARES {
        Ok(letters)
    } else {
        Err(format!("a field has {SQUARES} letters, one a square; this one has {}", text.chars().count()))
    }
}

/// A move in the form `A4-A5`.
struct Dashed<'a>(&'a RecordedTurn);

impl fmt::Display for Dashed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            RecordedTurn::Move(WrittenMove { from, to }, rescue) => {
                let mut text = String::with_capacity(8);
                push_capital(*from, &mut text);
                text.push('-');
                push_capital(*to, &mut text);
                f.write_str(&text)?;
                match rescue {
                    Some((rank, to)) => write!(f, " rescue {} {to}", rank.letter()),
                    None => Ok(()),
                }
            }
            RecordedTurn::Unreadable(text) => f.write_str(text),
        }
    }
}

/// Writes a number: most of what is written is numbers, for which formatting would take longer than reading a log.
fn push_number(number: usize, out: &mut String) {
    if number >= 10 {
        push_number(number / 10, out);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// Writes a square as `A4`.
fn push_capital(at: Coordinates, out: &mut String) {
    let letter = crate::game::FILE_LETTERS.get(usize::from(at.file)).copied().unwrap_or(b'?');
    out.push(letter.to_ascii_uppercase() as char);
    push_number(usize::from(at.rank) + 1, out);
}

/// A kind of thing that is lost on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// The rule book.
    Rules,
    /// Times.
    Times,
    /// Seeds.
    Seeds,
    /// Faults with their evidence.
    Faults,
    /// Ids: the file's name has to do.
    Ids,
    /// Names of players.
    Names,
    /// Moves.
    Moves,
    /// What is told of moves.
    Battles,
    /// That a move was refused.
    Refusals,
    /// Results.
    Results,
    /// Why games ended.
    Endings,
    /// Endings for which a format has only a word that is near.
    NearEndings,
    /// The kind of game.
    Kinds,
    /// How many plies were played before.
    Before,
    /// Who moves first, where no move tells it.
    First,
}

impl Loss {
    const ALL: [Loss; 15] = [
        Loss::Rules,
        Loss::Times,
        Loss::Seeds,
        Loss::Faults,
        Loss::Ids,
        Loss::Names,
        Loss::Moves,
        Loss::Battles,
        Loss::Refusals,
        Loss::Results,
        Loss::Endings,
        Loss::NearEndings,
        Loss::Kinds,
        Loss::Before,
        Loss::First,
    ];

    /// What is lost, for people.
    pub const fn words(self) -> &'static str {
        match self {
            Loss::Rules => "the rule book",
            Loss::Times => "times",
            Loss::Seeds => "seeds",
            Loss::Faults => "faults with their evidence",
            Loss::Ids => "ids (a file's name has to do)",
            Loss::Names => "names",
            Loss::Moves => "moves",
            Loss::Battles => "what became of moves",
            Loss::Refusals => "that a move was refused",
            Loss::Results => "results",
            Loss::Endings => "why games ended",
            Loss::NearEndings => "some endings (the nearest it has was written)",
            Loss::Kinds => "the kind of game",
            Loss::Before => "plies played before",
            Loss::First => "who moves first where no move tells it",
        }
    }
}

/// A set of losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses(u16);

impl Losses {
    /// These.
    pub fn of(losses: &[Loss]) -> Losses {
        let mut set = Losses::default();
        losses.iter().for_each(|&loss| set.add(loss));
        set
    }

    /// Adds one.
    pub fn add(&mut self, loss: Loss) {
        self.0 |= 1 << loss as u16;
    }

    fn add_if(&mut self, lost: bool, loss: Loss) {
        if lost {
            self.add(loss);
        }
    }

    /// Adds others.
    pub fn extend(&mut self, others: Losses) {
        self.0 |= others.0;
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = Loss> {
        Loss::ALL.into_iter().filter(move |&loss| self.0 >> loss as u16 & 1 == 1)
    }
}

/// Writes one game.
///
/// # Errors
/// A sentence: why the format cannot hold this game at all.
pub fn write(format: Format, game: &ForeignGame, out: &mut String) -> Result<Losses, String> {
    let start = out.len();
    let written = match format {
        Format::Plain => Ok(plain::write(game, out)),
        Format::Ucc => ucc::write(game, out),
        Format::Strados2 => strados2::write(game, out),
        Format::Strados3 => strados3::write(game, out),
        Format::Ataraxos => ataraxos::write(game, out),
    };
    match written {
        Ok(mut losses) => {
            losses.extend(game.lost);
            losses.add_if(format != Format::Plain, Loss::Ids);
            Ok(losses)
        }
        Err(why) => {
            out.truncate(start);
            Err(why)
        }
    }
}

/// Why a game could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ReadError {
    /// Where.
    pub place: Place,
    /// What is wrong there, and what to do.
    pub reason: String,
    /// Whether nothing more can be read after it.
    pub fatal: bool,
}

/// A place in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The byte, from 0, where that tells more.
    pub byte: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.byte {
            None => write!(f, "line {}", self.line),
            Some(byte) => write!(f, "line {}, byte {byte}", self.line),
        }
    }
}

impl ReadError {
    fn at(line: u64, reason: impl Into<String>) -> ReadError {
        ReadError { place: Place { line, byte: None }, reason: reason.into(), fatal: false }
    }

    fn fatal(self) -> ReadError {
        ReadError { fatal: true, ..self }
    }
}

/// What reading a game gives, or none where the stream is at its end.
type Next = Option<Result<ForeignGame, ReadError>>;

/// By which rules a game of our own journal was played: they have the board that its deployments are put on.
pub type RulesOf<'a> = &'a dyn Fn(&GameRecord) -> std::sync::Arc<Rules>;

/// The rules of games whose rules nobody told: `isf`.
pub fn usual_rules(_: &GameRecord) -> std::sync::Arc<Rules> {
    static USUAL: std::sync::LazyLock<std::sync::Arc<Rules>> =
        std::sync::LazyLock::new(|| Rules::new(book("isf").expect("it is shipped")).expect("it is checked"));
    USUAL.clone()
}

enum Reader<'a, R> {
    Plain(plain::Reader<'a, R>),
    Ucc(ucc::Reader<R>),
    Strados2(Box<strados2::Reader<R>>),
    Strados3(strados3::Reader<R>),
    Ataraxos(ataraxos::Reader<R>),
}

/// The games of a stream, one after another. After an error it goes on with the next game, unless the error is
/// fatal.
pub struct Games<'a, R> {
    reader: Reader<'a, R>,
    /// What games are named after that have no name of their own.
    name: String,
    games: u64,
    over: bool,
}

impl<'a, R: BufRead> Games<'a, R> {
    /// Reads a stream of this format. A game without a name of its own is called `name`, the second `name#2`.
    pub fn new(format: Format, stream: R, name: &str, rules: RulesOf<'a>) -> Games<'a, R> {
        let reader = match format {
            Format::Plain => Reader::Plain(plain::Reader::new(stream, rules)),
            Format::Ucc => Reader::Ucc(ucc::Reader::new(stream)),
            Format::Strados2 => Reader::Strados2(Box::new(strados2::Reader::new(stream))),
            Format::Strados3 => Reader::Strados3(strados3::Reader::new(stream)),
            Format::Ataraxos => Reader::Ataraxos(ataraxos::Reader::new(stream)),
        };
        Games { reader, name: name.to_owned(), games: 0, over: false }
    }
}

impl<R: BufRead> Iterator for Games<'_, R> {
    type Item = Result<ForeignGame, ReadError>;

    fn next(&mut self) -> Next {
        if self.over {
            return None;
        }
        let next = match &mut self.reader {
            Reader::Plain(reader) => reader.next(),
            Reader::Ucc(reader) => reader.next(),
            Reader::Strados2(reader) => reader.next(),
            Reader::Strados3(reader) => reader.next(),
            Reader::Ataraxos(reader) => reader.next(),
        };
        match next {
            Some(Ok(mut game)) => {
                self.games += 1;
                if game.id.is_empty() {
                    game.id.clone_from(&self.name);
                    if self.games > 1 {
                        game.id += &format!("#{}", self.games);
                    }
                }
                Some(Ok(game))
            }
            Some(Err(error)) => {
                self.over = error.fatal;
                Some(Err(error))
            }
            None => {
                self.over = true;
                None
            }
        }
    }
}
