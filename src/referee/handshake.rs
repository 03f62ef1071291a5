//! The conversation before a bot's first game: who it is, what it wants, its options, and whether it is ready.

use crate::protocol::{
    Clause, Front, LineFault, OptionDeclared, OptionKind, Protocol, Said, State, Wants, print::VERSION,
};

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
    front: Box<dyn Front>,
    profile: Profile,
    said_version: bool,
    state: State,
}

impl Default for Handshake {
    /// The handshake of our own protocol.
    fn default() -> Handshake {
        Handshake::new(Protocol::default())
    }
}

impl Handshake {
    /// A handshake that begins.
    pub fn new(protocol: Protocol) -> Handshake {
        Handshake {
            front: protocol.front(Wants::default()),
            profile: Profile::default(),
            said_version: false,
            state: State::Handshake,
        }
    }

    /// The first line to the bot; none where its protocol has no handshake.
    pub fn opening(&self) -> Option<String> {
        let mut text = String::new();
        self.front.hello(&mut text).then_some(text)
    }

    /// The question that `isready` is, on a process that knows us: after a game over an open question if
    /// `answer_open`.
    pub fn again(protocol: Protocol, profile: Profile, answer_open: bool) -> Handshake {
        let state = if answer_open { State::OverReady } else { State::Ready };
        Handshake { profile, state, ..Handshake::new(protocol) }
    }

    /// Takes a line of the bot.
    ///
    /// # Errors
    /// The fault in it.
    pub fn line(&mut self, line: &[u8]) -> Result<Step, LineFault> {
        match self.front.read(line, self.state)? {
            Said::Blank | Said::Info(_) | Said::Ignored | Said::Part => {}
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
                if !(1..=u64::from(VERSION)).contains(&version) {
                    let evidence = format!("it wants version {version}; {VERSION} was offered");
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
                    Ok(()) => {
                        let value = (option.kind != OptionKind::Button).then_some(value.as_str());
                        self.front.set_option(&mut text, name, value);
                    }
                },
            }
        }
        self.front.ask_ready(&mut text);
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
