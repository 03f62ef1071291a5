//! StraDoS2 XML, the form of Gravon's archive: somewhere inside, one `game` element with attribute `type`, a `field`
//! with `content`, `move`s with `source` and `target`, two `player`s, a `result` with `type` and `winner`.
//!
//! Read as a stream of tags: nothing is expanded, no document is built, what is unknown is passed over, and a tag or
//! text that is longer than [`LONGEST`] ends the reading, as does nesting deeper than [`DEEPEST`]. Some files write J
//! for K throughout: a game that has J and no K is read so. Documents may follow one another in a stream.

use std::fmt::Write;
use std::io::{self, BufRead, Read};

use quick_xml::XmlVersion;
use quick_xml::escape::{escape, resolve_predefined_entity};
use quick_xml::events::{BytesStart, Event};

use super::{
    ForeignGame, Loss, Losses, MOST_PLIES, Next, Place, ReadError, Remark, Told, push_capital, push_number,
    winner,
};
use crate::game::notation::WrittenMove;
use crate::game::{Colour, Coordinates, FILE_LETTERS};
use crate::record::game::RecordedTurn;
use crate::tournament::GameResult;

/// The longest tag, text, comment or declaration, in bytes.
const LONGEST: u64 = 64 << 10;

/// How deep elements may be nested.
const DEEPEST: usize = 32;

/// The longest name of a player that is kept, in bytes.
const LONGEST_NAME: usize = 1024;

/// J, which stands for K in some files, and K.
const J: u8 = FILE_LETTERS.len() as u8 - 1;
const K: u8 = 9;

/// Counts what the XML parser takes, and gives no more than [`LONGEST`] bytes for one event.
#[derive(Debug)]
struct Meter<R> {
    stream: R,
    line: u64,
    left: u64,
    /// Bytes of byte order marks that were passed over: the parser itself sees one only where it comes in one read.
    marks: u64,
    begun: bool,
}

impl<R: BufRead> Meter<R> {
    fn pass_marks(&mut self) -> io::Result<()> {
        const MARK: &[u8; 3] = b"\xef\xbb\xbf";
        while !self.begun {
            let at = (self.marks % 3) as usize;
            if self.stream.fill_buf()?.first() == Some(&MARK[at]) {
                self.stream.consume(1);
                self.marks += 1;
            } else if at == 0 {
                self.begun = true;
            } else {
                return Err(io::Error::other(NO_UTF8));
            }
        }
        Ok(())
    }
}

const NO_UTF8: &str = "it is no UTF-8: save the file as UTF-8";

impl<R: BufRead> Read for Meter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let chunk = self.fill_buf()?;
        let taken = chunk.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&chunk[..taken]);
        self.consume(taken);
        Ok(taken)
    }
}

impl<R: BufRead> BufRead for Meter<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.pass_marks()?;
        let left = self.left;
        let chunk = self.stream.fill_buf()?;
        if left == 0 && !chunk.is_empty() {
            let why = format!("a tag or text of more than {} KiB: no game has one", LONGEST >> 10);
            return Err(io::Error::other(why));
        }
        Ok(&chunk[..chunk.len().min(usize::try_from(left).unwrap_or(usize::MAX))])
    }

    fn consume(&mut self, amount: usize) {
        if amount == 0 {
            return;
        }
        // A buffer that was filled is given again without a read.
        let chunk = self.stream.fill_buf().unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', &chunk[..amount.min(chunk.len())]).count() as u64;
        self.left -= (amount as u64).min(self.left);
        self.stream.consume(amount);
    }
}

pub(super) struct Reader<R> {
    xml: quick_xml::Reader<Meter<R>>,
    buffer: Vec<u8>,
    depth: usize,
    /// The game that is being read, where its element has begun.
    game: Option<Draft>,
    /// Whether anything but blanks was read since the last game.
    something: bool,
    over: bool,
}

#[derive(Default)]
struct Draft {
    game: ForeignGame,
    /// Which player's text is being read, and how deep its element is.
    player: Option<(usize, usize)>,
    players: usize,
    names: [String; 2],
    has_j: bool,
    has_k: bool,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(stream: R) -> Reader<R> {
        let xml =
            quick_xml::Reader::from_reader(Meter { stream, line: 1, left: LONGEST, marks: 0, begun: false });
        Reader { xml, buffer: Vec::new(), depth: 0, game: None, something: false, over: false }
    }

    pub(super) fn next(&mut self) -> Next {
        if self.over {
            return None;
        }
        match self.read() {
            Ok(game) => {
                self.over = game.is_none();
                game.map(Ok)
            }
            Err(reason) => {
                self.over = true;
                let Meter { line, marks, .. } = *self.xml.get_ref();
                let place = Place { line, byte: Some(self.xml.buffer_position() + marks) };
                Some(Err(ReadError { place, reason, fatal: true }))
            }
        }
    }

    fn read(&mut self) -> Result<Option<ForeignGame>, String> {
        let mut buffer = std::mem::take(&mut self.buffer);
        loop {
            buffer.clear();
            self.xml.get_mut().left = LONGEST;
            let (line, depth) = (self.xml.get_ref().line, self.depth + 1);
            let event = self.xml.read_event_into(&mut buffer).map_err(|e| match e {
                quick_xml::Error::Io(error) => error.to_string(),
                quick_xml::Error::Encoding(_) => NO_UTF8.to_owned(),
                error => format!("it is no well-formed XML: {error}"),
            })?;
            match event {
                Event::Start(tag) => {
                    self.depth += 1;
                    if self.depth > DEEPEST {
                        return Err(format!("elements are nested more than {DEEPEST} deep: no game is"));
                    }
                    self.something = true;
                    if let Some(game) = element(&mut self.game, &tag, Some(depth), line)? {
                        self.buffer = buffer;
                        return Ok(Some(game));
                    }
                }
                Event::Empty(tag) => {
                    self.something = true;
                    if let Some(game) = element(&mut self.game, &tag, None, line)? {
                        self.buffer = buffer;
                        return Ok(Some(game));
                    }
                }
                Event::End(_) => {
                    if let Some(draft) = &mut self.game {
                        draft.player = draft.player.filter(|(_, depth)| *depth < self.depth);
                    }
                    self.depth -= 1;
                    if self.depth == 0 {
                        let Some(draft) = self.game.take() else {
                            return Err("a document without a `game` element".to_owned());
                        };
                        self.something = false;
                        self.buffer = buffer;
                        return Ok(Some(draft.done()));
                    }
                }
                Event::Text(text) => {
                    let text = text.xml10_content();
                    self.something |= self.depth == 0 && !text.trim_ascii().is_empty();
                    if self.depth == 0 && !text.trim_ascii().is_empty() {
                        return Err("text outside of all elements".to_owned());
                    }
                    named(&mut self.game, &text);
                }
                Event::CData(text) => named(&mut self.game, &text.xml10_content()),
                Event::GeneralRef(reference) => {
                    let letter = reference.resolve_char_ref().map_err(|e| e.to_string())?;
                    let name = reference.xml10_content();
                    match letter {
                        Some(letter) => named(&mut self.game, letter.encode_utf8(&mut [0; 4])),
                        None => {
                            let text =
                                resolve_predefined_entity(&name).ok_or_else(|| unknown_entity(&name))?;
                            named(&mut self.game, text);
                        }
                    }
                }
                Event::Eof if self.depth > 0 => {
                    return Err("it breaks off: an element has no end".to_owned());
                }
                Event::Eof if self.something => return Err("a document without a `game` element".to_owned()),
                Event::Eof => return Ok(None),
                // A document type is passed over: what it defines is not looked up.
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }
}

fn unknown_entity(name: &str) -> String {
    let name: String = name.chars().take(40).collect();
    format!("`&{};` is none of XML's own five entities, and others are not looked up", name.escape_debug())
}

/// Adds to the name of the player whose element is open, as far as it fits.
fn named(draft: &mut Option<Draft>, text: &str) {
    if let Some(draft) = draft
        && let Some((player, _)) = draft.player
    {
        let name = &mut draft.names[player];
        let fits = text.floor_char_boundary(LONGEST_NAME - name.len());
        name.push_str(&text[..fits]);
        if fits < text.len() {
            // What follows must not close the gap.
            draft.player = None;
        }
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|e| format!("in `{}`: {e}", tag.name().0.escape_debug()))?;
        if attribute.key.0 == name {
            let value = attribute
                .normalized_value_with(XmlVersion::Implicit1_0, 1, resolve_predefined_entity)
                .map_err(|e| format!("attribute `{name}`: {e}"))?;
            return Ok(Some(value.into_owned()));
        }
    }
    Ok(None)
}

/// Takes an element's tag into the game; a second `game` in a document gives the first one out.
fn element(
    draft: &mut Option<Draft>,
    tag: &BytesStart<'_>,
    depth: Option<usize>,
    line: u64,
) -> Result<Option<ForeignGame>, String> {
    let name = tag.local_name();
    if name.as_ref() == "game" {
        let kind = attribute(tag, "type")?;
        let next = Draft { game: ForeignGame { kind, ..Default::default() }, ..Default::default() };
        return Ok(draft.replace(next).map(Draft::done));
    }
    let Some(draft) = draft else { return Ok(None) };
    match name.as_ref() {
        "field" => {
            let content = attribute(tag, "content")?.ok_or("a `field` without `content`")?;
            // A game that never came to its deployments has an empty one.
            if !content.is_empty() {
                draft.game.field = Some(super::field(&content)?);
            }
        }
        "move" => draft.played(tag)?,
        "player" if draft.players < 2 => {
            draft.player = depth.map(|depth| (draft.players, depth));
            draft.players += 1;
        }
        "result" => {
            let (kind, winner) = (attribute(tag, "type")?, attribute(tag, "winner")?);
            let mut odd = |what: &str, value: &str| {
                let value: String = value.chars().take(40).collect();
                let text = format!("{what} of the result is `{}`, which is not known", value.escape_debug());
                draft.game.remarks.push(Remark { line, text });
            };
            let ending = kind.as_deref().map(|number| (number, reason(number)));
            if let Some((number, None)) = ending {
                odd("type", number);
            }
            draft.game.reason = ending.and_then(|(_, word)| word).map(str::to_owned);
            draft.game.result = match winner.as_deref() {
                None => None,
                Some("1") => Some(GameResult::Red),
                Some("2") => Some(GameResult::Blue),
                Some("3") => Some(GameResult::Draw),
                Some(other) => {
                    odd("winner", other);
                    None
                }
            };
        }
        _ => {}
    }
    Ok(None)
}

impl Draft {
    fn played(&mut self, tag: &BytesStart<'_>) -> Result<(), String> {
        let ply = self.game.moves.len() + 1;
        if ply > MOST_PLIES {
            return Err(format!("more than {MOST_PLIES} plies: no game is that long"));
        }
        let (mut source, mut target) = (None, None);
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|e| format!("move {ply}: {e}"))?;
            match attribute.key.0 {
                "source" => source = Some(attribute.value),
                "target" => target = Some(attribute.value),
                _ => {}
            }
        }
        let (Some(source), Some(target)) = (source, target) else {
            return Err(format!("move {ply} lacks `source` or `target`"));
        };
        let turn = match (square(&source), square(&target)) {
            (Some(from), Some(to)) => {
                for file in [from.file, to.file] {
                    self.has_j |= file == J;
                    self.has_k |= file == K;
                }
                RecordedTurn::Move(WrittenMove { from, to }, None)
            }
            _ => RecordedTurn::Unreadable(format!("{source}-{target}")),
        };
        self.game.moves.push(turn);
        Ok(())
    }

    fn done(mut self) -> ForeignGame {
        if self.has_j && !self.has_k {
            for turn in &mut self.game.moves {
                if let RecordedTurn::Move(mv, _) = turn {
                    for at in [&mut mv.from, &mut mv.to] {
                        at.file = if at.file == J { K } else { at.file };
                    }
                }
            }
        }
        let [red, blue] = self.names.map(|name| Some(name.trim().to_owned()).filter(|name| !name.is_empty()));
        (self.game.red, self.game.blue) = (red, blue);
        self.game
    }
}

fn square(text: &str) -> Option<Coordinates> {
    let (&file, rank) = text.as_bytes().split_first()?;
    let mut small = [0; 3];
    if rank.len() > 2 {
        return None;
    }
    small[0] = file.to_ascii_lowercase();
    small[1..=rank.len()].copy_from_slice(rank);
    Coordinates::parse(&small[..=rank.len()])
}

/// The numbers of endings, with our words for them.
const ENDINGS: [(&str, &str); 10] = [
    ("0", "no-legal-move"),
    ("1", "flag-captured"),
    ("2", "both-immobile"),
    ("3", "resignation"),
    ("4", "agreement"),
    ("10", "both-missing"),
    ("11", "time"),
    ("12", "game-clock"),
    ("13", "time-and-missing"),
    ("14", "missing"),
];

fn reason(number: &str) -> Option<&'static str> {
    ENDINGS.iter().find(|(n, _)| *n == number).map(|(_, word)| *word)
}

/// A name or a word as it is read again: what XML cannot hold replaced, not too long, no blanks around it.
fn fitting(text: &str) -> String {
    let unfit = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    let text: String = text.chars().map(|c| if unfit(c) { '\u{fffd}' } else { c }).collect();
    let text = text.trim();
    text[..text.floor_char_boundary(LONGEST_NAME)].trim().to_owned()
}

pub(super) fn write(game: &ForeignGame, out: &mut String) -> Result<Losses, String> {
    const TEXT: &str = "text can be written";
    let mut losses = Losses::default();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>").expect(TEXT);
    let kind = fitting(game.kind_word());
    losses.add_if(kind != game.kind_word(), Loss::Kinds);
    write!(out, "<document><game type=\"{}\">", escape(kind.as_str())).expect(TEXT);
    if let Some(field) = &game.field {
        write!(out, "<field content=\"{field}\"/>").expect(TEXT);
    }
    out.push('\n');
    for (ply, turn) in (1..).zip(&game.moves) {
        match turn {
            RecordedTurn::Move(WrittenMove { from, to }, None) => {
                out.push_str("<move id=\"");
                push_number(ply, out);
                out.push_str("\" source=\"");
                push_capital(*from, out);
                out.push_str("\" target=\"");
                push_capital(*to, out);
                out.push_str("\"/>\n");
            }
            RecordedTurn::Move(..) => {
                return Err(format!(
                    "ply {ply}, {turn}, brings a piece back: StraDoS2 XML has no words for it"
                ));
            }
            RecordedTurn::Unreadable(text) => {
                return Err(format!(
                    "ply {ply}, `{}`, is no move: StraDoS2 XML cannot hold it",
                    text.escape_debug()
                ));
            }
        }
    }
    out.push_str("</game>\n");
    for (id, name) in [&game.red, &game.blue].into_iter().enumerate() {
        let name = name.as_deref().unwrap_or_default();
        let fits = fitting(name);
        losses.add_if(fits != name, Loss::Names);
        write!(out, "<player id=\"{id}\">{}</player>", escape(fits.as_str())).expect(TEXT);
    }
    if game.result.is_some() || game.reason.is_some() {
        out.push_str("<result");
        if let Some(word) = &game.reason {
            let number = ENDINGS.iter().find(|(_, w)| w == word).map(|(number, _)| *number);
            losses.add_if(number.is_none(), Loss::NearEndings);
            let decided = game.result.is_some_and(|r| winner(r).is_some());
            write!(out, " type=\"{}\"", number.unwrap_or(if decided { "3" } else { "4" })).expect(TEXT);
        }
        if let Some(result) = game.result {
            let number = winner(result).map_or(3, |colour| 1 + colour.index());
            losses.add_if(result == GameResult::BothLose, Loss::Results);
            write!(out, " winner=\"{number}\"").expect(TEXT);
        }
        out.push_str("/>");
    }
    out.push_str("</document>\n");
    losses.add_if(!game.told.is_empty(), Loss::Battles);
    losses.add_if(game.told.contains(&Told::Illegal), Loss::Refusals);
    losses.add_if(game.before > 0, Loss::Before);
    losses.add_if(game.first_by_piece().unwrap_or(Colour::Red) != game.first_mover(), Loss::First);
    Ok(losses)
}
