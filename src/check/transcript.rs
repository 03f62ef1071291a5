//! What was said between the arbiter and a bot, and what the bot wrote to its standard error: the end of it.

use std::collections::VecDeque;

/// Lines kept.
const KEPT: usize = 60;
/// Characters kept of one line.
const WIDTH: usize = 300;

/// The end of a conversation: lines to the bot begin with `> `, lines from it with `< `.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    lines: VecDeque<String>,
    left_out: usize,
}

impl Transcript {
    fn add(&mut self, mark: &str, text: &str) {
        if self.lines.len() == KEPT {
            self.lines.pop_front();
            self.left_out += 1;
        }
        let long = text.chars().count();
        let mut line = format!("{mark}{}", text.chars().take(WIDTH).collect::<String>());
        if long > WIDTH {
            line += &format!("… ({} characters more)", long - WIDTH);
        }
        self.lines.push_back(line);
    }

    /// Takes in lines to the bot.
    pub fn sent(&mut self, text: &str) {
        text.lines().for_each(|line| self.add("> ", line));
    }

    /// Takes in a line from the bot; what is no printable ASCII is escaped.
    pub fn got(&mut self, line: &[u8]) {
        self.add("< ", &line.escape_ascii().to_string());
    }

    /// Takes in something that happened to a pipe or the process.
    pub fn noted(&mut self, what: &str) {
        self.add("* ", what);
    }

    /// The lines, a note in front where some were left out.
    pub fn lines(&self) -> Vec<String> {
        let note =
            (self.left_out > 0).then(|| format!("* {} lines before these are left out", self.left_out));
        note.into_iter().chain(self.lines.iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_conversation_is_kept_and_its_length_told() {
        let mut transcript = Transcript::default();
        for n in 0..100 {
            transcript.sent(&format!("moved red a4 a5 {n}\n"));
        }
        transcript.got(b"move\0");
        let lines = transcript.lines();
        assert_eq!(lines.len(), KEPT + 1);
        assert_eq!(lines[0], "* 41 lines before these are left out");
        assert_eq!(lines[KEPT], "< move\\x00");
    }
}
