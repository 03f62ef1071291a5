//! The conversation before a bot's first game: who it is, what it wants, its options, and whether it is ready.

use std::fmt::Write;

use crate::protocol::{self, Clause, LineFault, OptionDeclared, Said, State};

/// The helps a bot asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// Its view of the board with each question.
    pub board: bool,
    /// Its legal moves with each question.
    pub legal: bool,
    /// The clocks with each question.
    pub clock: bool,
    /// Each event at once.
    pub ponder: bool,
    /// A new process for every game.
    pub fresh: bool,
}

/// What a bot told of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// `id name`.
    pub name: Option<String>,
    /// `id author`.
    pub author: Option<String>,
    /// `id version`.
    pub version: Option<String>,
    /// The helps it asked for.
    pub wants: Wants,
    /// Its options.
    pub options: Vec<OptionDeclared>,
    /// What it claims of itself.
    pub features: Vec<String>,
    /// The rule books it plays; empty where it named none.
    pub supports: Vec<String>,
}

/// Where a handshake stands after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The question is still open.
    Open,
    /// The question is answered.
    Answered,
}

/// A handshake, from `sbp` to `readyok`.
#[derive(Clone, Debug)]
pub struct Handshake {
    profile: Profile,
    said_version: bool,
    state: State,
}

impl Default for Handshake {
    fn default() -> Handshake {
        Handshake { profile: Profile::default(), said_version: false, state: State::Handshake }
    }
}

impl Handshake {
    /// The first line to the bot.
    pub fn opening() -> String {
        format!("sbp {}\n", protocol::print::VERSION)
    }

    /// The question that `isready` is, on a process that knows us: after a game over an open question if
    /// `answer_open`.
    pub fn again(profile: Profile, answer_open: bool) -> Handshake {
        let state = if answer_open { State::OverReady } else { State::Ready };
        Handshake { profile, said_version: false, state }
    }

    /// Takes a line of the bot.
    ///
    /// # Errors
    /// The fault in it.
    pub fn line(&mut self, line: &[u8]) -> Result<Step, LineFault> {
        match protocol::read(line, self.state)? {
            Said::Blank | Said::Info(_) | Said::Ignored => {}
            Said::ReadyOk | Said::Ok => {
                self.state = State::Silent;
                return Ok(Step::Answered);
            }
            Said::Version(version) => {
                if self.said_version {
                    let evidence = "`sbp` came twice".to_owned();
                    return Err(LineFault { clause: Clause::HandshakeSyntax, evidence });
                }
                self.said_version = true;
                if !(1..=u64::from(protocol::print::VERSION)).contains(&version) {
                    let evidence =
                        format!("it wants version {version}; {} was offered", protocol::print::VERSION);
                    return Err(LineFault { clause: Clause::HandshakeVersion, evidence });
                }
            }
            Said::Id(key, text) => match key.as_str() {
                "name" => self.profile.name = Some(text),
                "author" => self.profile.author = Some(text),
                "version" => self.profile.version = Some(text),
                _ => {}
            },
            Said::Option(option) => {
                if self.profile.options.iter().any(|o| o.name == option.name) {
                    let evidence = format!("option `{}` came twice", option.name);
                    return Err(LineFault { clause: Clause::HandshakeSyntax, evidence });
                }
                self.profile.options.push(option);
            }
            Said::Want(words) => {
                for word in words {
                    match word.as_str() {
                        "board" => self.profile.wants.board = true,
                        "legal" => self.profile.wants.legal = true,
                        "clock" => self.profile.wants.clock = true,
                        "ponder" => self.profile.wants.ponder = true,
                        "fresh" => self.profile.wants.fresh = true,
                        _ => {}
                    }
                }
            }
            Said::Feature(words) => self.profile.features.extend(words),
            Said::Supports(words) => self.profile.supports.extend(words),
            Said::Setup(_) | Said::Move(_) | Said::Draw | Said::Resign => {
                unreachable!("these are refused in the states of a handshake")
            }
        }
        Ok(Step::Open)
    }

    /// After `ok`: the lines that set the options and ask whether the bot is ready. Options that it did not declare
    /// or that do not take their value are told in `refused`, and not sent.
    pub fn ready(&mut self, options: &[(String, String)], refused: &mut Vec<String>) -> String {
        let mut text = String::new();
        for (name, value) in options {
            match self.profile.options.iter().find(|o| o.name == *name) {
                None => {
                    let names: Vec<&str> = self.profile.options.iter().map(|o| o.name.as_str()).collect();
                    let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                    refused.push(format!("it has no option `{name}` (it has {has})"));
                }
                Some(option) => match option.kind.check(value) {
                    Err(takes) => refused.push(format!("its option `{name}` {takes}, not `{value}`")),
                    Ok(()) if option.kind == protocol::OptionKind::Button => {
                        writeln!(text, "setoption name {name}").expect("a String takes all")
                    }
                    Ok(()) if value.is_empty() => {
                        writeln!(text, "setoption name {name} value").expect("a String takes all")
                    }
                    Ok(()) => {
                        writeln!(text, "setoption name {name} value {value}").expect("a String takes all")
                    }
                },
            }
        }
        text.push_str("isready\n");
        self.state = State::Ready;
        text
    }

    /// What the bot told of itself so far.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What the bot told of itself.
    pub fn into_profile(self) -> Profile {
        self.profile
    }
}
