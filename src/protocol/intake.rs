//! A bot's bytes become lines, within limits that nothing it sends can pass.
//!
//! Holds no more than one line and one read's worth of bytes. Knows nothing of what lines mean.

use std::ops::Range;

use super::clause::Clause;

/// The longest line, without its end (SPEC.md, `line.length`).
pub const LINE_LIMIT: usize = 4096;
/// The most lines in one turn (`line.flood`).
pub const TURN_LIMIT: u32 = 1000;
/// The most bytes in one game (`line.total`).
pub const GAME_LIMIT: u64 = 64 << 20;
/// Bytes kept of a line with which a limit was passed.
const REFUSED_SHOWN: usize = 60;

/// The bytes of one bot that have come and are not yet judged.
#[derive(Debug, Default)]
pub struct Intake {
    buffer: Vec<u8>,
    /// Where the first unread byte stands.
    start: usize,
    /// Up to where no line end was found.
    scanned: usize,
    lines: u32,
    /// Bytes of this game's lines that were handed out.
    bytes: u64,
    broken: Option<Clause>,
    refused: Vec<u8>,
}

impl Intake {
    /// Takes in what was read.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.broken.is_some() {
            return;
        }
        if self.start == self.buffer.len() {
            self.buffer.clear();
            (self.start, self.scanned) = (0, 0);
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole line, without its LF and a CR before it; or the limit that was passed, after which there
    /// are no more lines.
    pub fn next_line(&mut self) -> Option<Result<&[u8], Clause>> {
        if let Some(clause) = self.broken {
            return Some(Err(clause));
        }
        match self.buffer[self.scanned..].iter().position(|&b| b == b'\n') {
            None => {
                self.scanned = self.buffer.len();
                // A line at the limit may still be followed by its CR.
                let waiting = &self.buffer[self.start..];
                if self.bytes + waiting.len() as u64 > GAME_LIMIT {
                    return self.refuse(Clause::LineTotal, 0..0);
                }
                let held = waiting.len() - usize::from(waiting.last() == Some(&b'\r'));
                if held > LINE_LIMIT {
                    return self.refuse(Clause::LineLength, self.start..self.buffer.len());
                }
                if self.start > 0 {
                    self.buffer.drain(..self.start);
                    (self.start, self.scanned) = (0, self.buffer.len());
                }
                None
            }
            Some(at) => {
                let (begin, end) = (self.start, self.scanned + at);
                (self.start, self.scanned) = (end + 1, end + 1);
                self.bytes += (end + 1 - begin) as u64;
                if self.bytes > GAME_LIMIT {
                    return self.refuse(Clause::LineTotal, 0..0);
                }
                let cut = usize::from(end > begin && self.buffer[end - 1] == b'\r');
                if end - cut - begin > LINE_LIMIT {
                    return self.refuse(Clause::LineLength, begin..end);
                }
                self.lines += 1;
                if self.lines > TURN_LIMIT {
                    return self.refuse(Clause::LineFlood, begin..end - cut);
                }
                Some(Ok(&self.buffer[begin..end - cut]))
            }
        }
    }

    fn refuse(&mut self, clause: Clause, line: Range<usize>) -> Option<Result<&[u8], Clause>> {
        self.broken = Some(clause);
        self.refused = self.buffer[line].iter().copied().take(REFUSED_SHOWN).collect();
        self.buffer = Vec::new();
        (self.start, self.scanned) = (0, 0);
        Some(Err(clause))
    }

    /// The beginning of the line with which a limit was passed, for evidence; empty where it was not one line.
    pub fn refused(&self) -> &[u8] {
        &self.refused
    }

    /// Bytes that have come without the end of their line.
    pub fn unfinished(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// How many whole lines came in this turn.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// A question was written: lines are counted anew.
    pub fn new_turn(&mut self) {
        self.lines = 0;
    }

    /// A game ended: bytes are counted anew.
    pub fn new_game(&mut self) {
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(intake: &mut Intake) -> Vec<Result<Vec<u8>, Clause>> {
        let mut lines = Vec::new();
        while let Some(line) = intake.next_line() {
            let line = line.map(<[u8]>::to_vec);
            let stop = line.is_err();
            lines.push(line);
            if stop {
                break;
            }
        }
        lines
    }

    #[test]
    fn half_a_line_is_no_line() {
        let mut intake = Intake::default();
        intake.push(b"move a4 a5");
        assert!(intake.next_line().is_none());
        assert_eq!(intake.unfinished(), b"move a4 a5");
        intake.push(b"\r\nmove");
        assert_eq!(all(&mut intake), [Ok(b"move a4 a5".to_vec())]);
        assert_eq!(intake.unfinished(), b"move");
    }

    #[test]
    fn a_line_at_the_limit_passes_and_one_byte_more_does_not() {
        for end in ["\n", "\r\n"] {
            let mut intake = Intake::default();
            intake.push(&[b'x'; LINE_LIMIT]);
            intake.push(end.as_bytes());
            assert_eq!(all(&mut intake), [Ok(vec![b'x'; LINE_LIMIT])]);
            intake.push(&[b'x'; LINE_LIMIT + 1]);
            intake.push(end.as_bytes());
            assert_eq!(all(&mut intake), [Err(Clause::LineLength)]);
        }
    }

    #[test]
    fn an_endless_line_is_refused_without_its_end_and_held_no_longer() {
        let mut intake = Intake::default();
        for _ in 0..100_000 {
            intake.push(&[b'x'; 4096]);
            let _ = intake.next_line();
            assert!(intake.buffer.capacity() < 64 * 1024);
        }
        assert_eq!(all(&mut intake), [Err(Clause::LineLength)]);
    }

    #[test]
    fn the_byte_after_the_last_of_a_game_s_allowance_is_one_too_many_however_it_came() {
        // As the beginning of a line, and as a whole one: each has its own check.
        for (together, more) in [(true, "x"), (false, "x"), (true, "\n"), (false, "\n")] {
            let mut intake = Intake { bytes: GAME_LIMIT - 4, ..Intake::default() };
            intake.push(b"abc\n");
            if !together {
                assert_eq!(all(&mut intake), [Ok(b"abc".to_vec())]);
            }
            intake.push(more.as_bytes());
            let expected = [Ok(b"abc".to_vec()), Err(Clause::LineTotal)];
            assert_eq!(all(&mut intake), expected[usize::from(!together)..]);
        }
    }

    #[test]
    fn the_line_after_the_thousandth_of_a_turn_is_a_flood() {
        let mut intake = Intake::default();
        intake.push("info\n".repeat(1000).as_bytes());
        assert_eq!(all(&mut intake).len(), 1000);
        intake.new_turn();
        intake.push("\n".repeat(1001).as_bytes());
        assert_eq!(all(&mut intake).pop(), Some(Err(Clause::LineFlood)));
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_bytes_were_cut(
            text in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a')], 0..200),
            cuts in proptest::collection::vec(1usize..20, 1..50),
        ) {
            let mut whole = Intake::default();
            whole.push(&text);
            let expected = all(&mut whole);
            let mut cut = Intake::default();
            let (mut lines, mut rest) = (Vec::new(), &text[..]);
            for size in cuts.iter().cycle() {
                if rest.is_empty() { break; }
                let (now, later) = rest.split_at((*size).min(rest.len()));
                cut.push(now);
                lines.extend(all(&mut cut));
                rest = later;
            }
            prop_assert_eq!(lines, expected);
            prop_assert_eq!(cut.unfinished(), whole.unfinished());
        }
    }
}
