//! What a bot wrote to its standard error, capped: the beginning and the end are kept.

use std::collections::VecDeque;

/// Bytes kept of the beginning, and of the end.
const KEPT: usize = 32 * 1024;

/// The standard error of a bot during one game.
#[derive(Debug, Default)]
pub struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl Capture {
    /// Takes in what was read.
    pub fn push(&mut self, mut bytes: &[u8]) {
        if self.head.len() < KEPT {
            let (now, rest) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
            self.head.extend_from_slice(now);
            bytes = rest;
        }
        if bytes.len() > KEPT {
            self.dropped += (bytes.len() - KEPT) as u64;
            bytes = &bytes[bytes.len() - KEPT..];
        }
        let over = (self.tail.len() + bytes.len()).saturating_sub(KEPT);
        self.tail.drain(..over);
        self.dropped += over as u64;
        self.tail.extend(bytes);
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.head.is_empty()
    }

    /// All that was kept, as text, with a note where something was left out.
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if self.dropped > 0 {
            text += &format!("\n[arbiter: {} bytes left out here]\n", self.dropped);
        }
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        text += &String::from_utf8_lossy(&tail);
        text
    }

    /// The last lines, for messages: at most so many, each cut at 400 characters, control characters escaped.
    pub fn last_lines(&self, most: usize) -> Vec<String> {
        let text = self.text();
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        let shown = |line: &&str| {
            line.chars()
                .take(400)
                .map(|c| if c.is_control() && c != '\t' { char::REPLACEMENT_CHARACTER } else { c })
                .collect()
        };
        lines[lines.len().saturating_sub(most)..].iter().map(shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_megabytes_are_capped_with_their_beginning_and_end_kept() {
        let mut capture = Capture::default();
        capture.push(b"first\n");
        for _ in 0..1000 {
            capture.push(&[b'x'; 10_000]);
        }
        capture.push(b"\nlast\n");
        let text = capture.text();
        assert!(text.len() < 70_000);
        assert!(text.starts_with("first\n") && text.ends_with("\nlast\n"));
        assert!(text.contains("bytes left out here]"));
        assert_eq!(capture.last_lines(1), ["last"]);
    }
}
