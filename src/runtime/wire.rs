//! A transcript of what went over a bot's pipes during one game, where one is asked for.

/// Bytes kept of one game's transcript.
const KEPT: usize = 8 << 20;

/// The transcript of one bot.
#[derive(Debug, Default)]
pub struct Wire {
    text: Option<String>,
}

impl Wire {
    /// An empty transcript, or none where `keep` is false.
    pub fn new(keep: bool) -> Wire {
        Wire { text: keep.then(String::new) }
    }

    fn add(&mut self, mark: &str, line: &str) {
        if let Some(text) = self.text.as_mut().filter(|t| t.len() < KEPT) {
            text.push_str(mark);
            text.push_str(line);
            text.push('\n');
            if text.len() >= KEPT {
                text.push_str("[arbiter: the rest is left out]\n");
            }
        }
    }

    /// Lines to the bot, marked `> `.
    pub fn sent(&mut self, lines: &str) {
        if self.text.is_some() {
            lines.lines().for_each(|line| self.add("> ", line));
        }
    }

    /// A line from the bot, marked `< `.
    pub fn got(&mut self, line: &[u8]) {
        if self.text.is_some() {
            self.add("< ", &line.escape_ascii().to_string());
        }
    }

    /// What was kept since this was last asked.
    pub fn take(&mut self) -> Option<String> {
        self.text.as_mut().map(std::mem::take)
    }
}
