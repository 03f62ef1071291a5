//! The conversation with the arbiter.
//!
//! It asks for the legal moves and the view of the board with each turn, keeps the [`State`], and turns a [`Bot`]'s
//! choice into the one answer that a question wants. What it does not know it passes over.

use std::io::{self, BufRead, Write};

use crate::deploy::Deployment;
use crate::game::{Colour, Game, Move, Rank};
use crate::rng::Rng;
use crate::state::State;

/// An option with a number.
pub struct Spin {
    /// Its name.
    pub name: &'static str,
    /// What it is where nobody sets it.
    pub default: i64,
    /// The least it can be.
    pub min: i64,
    /// The most it can be.
    pub max: i64,
}

/// A bot's ideas.
pub trait Bot {
    /// Its name.
    const NAME: &'static str;
    /// Its options.
    const OPTIONS: &'static [Spin];

    /// Takes in the value of an option.
    fn set(&mut self, name: &str, value: i64);

    /// Where to put the army.
    fn deploy(&self, game: &Game, rng: &mut Rng) -> Deployment;

    /// Which of the legal moves to make; there is at least one. All that it knows comes in here, so the same
    /// game gives the same moves whatever was played before.
    fn choose(&self, state: &State, legal: &[Move], rng: &mut Rng) -> Move;
}

/// Plays games until `quit` or the end of the input.
///
/// # Errors
/// Where the input or output breaks.
pub fn run(bot: impl Bot) -> io::Result<()> {
    talk(bot, io::stdin().lock(), io::stdout().lock())
}

fn talk<B: Bot>(mut bot: B, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut rng = Rng::new(0);
    let mut state = State::new(Game::parse("".split(' ')));
    let mut legal = Vec::new();
    let mut refused = Vec::new();
    for line in input.lines() {
        let line = line?;
        let mut fields = line.split_whitespace();
        let Some(word) = fields.next() else { continue };
        let answer = match word {
            "sbp" => hello::<B>(),
            "setoption" => {
                let words: Vec<&str> = fields.collect();
                if let ["name", name @ .., "value", value] = &words[..] {
                    let name = name.join(" ");
                    let spin = B::OPTIONS.iter().find(|spin| spin.name == name);
                    if let (Some(spin), Ok(value)) = (spin, value.parse::<i64>()) {
                        bot.set(spin.name, value.clamp(spin.min, spin.max));
                    }
                }
                continue;
            }
            "isready" => "readyok".into(),
            "newgame" => {
                state = State::new(Game::parse(fields));
                rng = Rng::new(state.game.seed);
                continue;
            }
            "setup" => match (fields.next(), fields.next()) {
                (Some("assigned"), Some(text)) => {
                    state.deploy(text);
                    continue;
                }
                _ => {
                    let squares = bot.deploy(&state.game, &mut rng);
                    let text: String = squares.iter().map(|s| s.map_or('.', Rank::letter)).collect();
                    state.deploy(&text);
                    format!("setup {text}")
                }
            },
            "flag" => {
                if let (Some(colour), Some(name)) = (fields.next(), fields.next())
                    && let (Some(colour), Some(square)) = (Colour::from_word(colour), state.game.square(name))
                {
                    state.flag(colour, square);
                }
                continue;
            }
            "moved" => {
                refused.clear();
                state.moved(&fields.collect::<Vec<_>>());
                continue;
            }
            "board" => {
                fields.next().iter().for_each(|rows| state.see(rows));
                continue;
            }
            "legal" => {
                legal = fields.filter_map(|word| state.game.read_move(word)).collect();
                continue;
            }
            // A move taken back: the list that follows may hold it again.
            "illegal" => {
                let _clause = fields.next();
                let squares = fields.next().zip(fields.next());
                refused.extend(squares.and_then(|(from, to)| state.game.read_move(&format!("{from}{to}"))));
                continue;
            }
            "go" => {
                legal.retain(|mv| !refused.contains(mv));
                if legal.is_empty() {
                    "resign".into()
                } else {
                    let Move { from, to } = bot.choose(&state, &legal, &mut rng);
                    format!("move {} {}", state.game.name(from), state.game.name(to))
                }
            }
            "gameover" => {
                refused.clear();
                continue;
            }
            "quit" => break,
            _ => continue,
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn hello<B: Bot>() -> String {
    let mut lines = vec![
        format!("id name {}", B::NAME),
        "id author the arbiter project".to_owned(),
        format!("id version {}", env!("CARGO_PKG_VERSION")),
    ];
    lines.extend(B::OPTIONS.iter().map(|Spin { name, default, min, max }| {
        format!("option name {name} type spin default {default} min {min} max {max}")
    }));
    lines.extend(["want legal board", "feature deterministic", "ok"].map(String::from));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct First;

    impl Bot for First {
        const NAME: &'static str = "First";
        const OPTIONS: &'static [Spin] = &[Spin { name: "Long Name", default: 1, min: 0, max: 9 }];

        fn set(&mut self, name: &str, value: i64) {
            assert_eq!((name, value), ("Long Name", 9));
        }

        fn deploy(&self, game: &Game, rng: &mut Rng) -> Deployment {
            crate::deploy::sensible(game, rng, 0, |_| 0.0)
        }

        fn choose(&self, _: &State, legal: &[Move], _: &mut Rng) -> Move {
            legal[0]
        }
    }

    #[test]
    fn each_question_has_one_answer_and_nothing_else_has_one() {
        let input = "sbp 1\n\nweather fine\nsetoption name Long Name value 12\nisready\n\
            newgame colour=blue board=3x4 rows=1 army=F1,21\nsetup\nstart\nboard .?./.../.../...\n\
            legal a4a3 b4b3 later\ngo\nillegal move.chase a4 a3\nlegal a4a3 b4b3\ngo\nmoved blue b4 b3\n\
            drawoffer\nlegal a4a3\ngo clock=1,2\ngameover winner=none reason=new\nquit\nisready\n";
        let mut output = Vec::new();
        talk(First, input.as_bytes(), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let answers: Vec<&str> = text.lines().skip_while(|&line| line != "ok").collect();
        assert!(answers[2].starts_with("setup ") && answers[2].len() == 9);
        assert_eq!(answers[..2], ["ok", "readyok"]);
        assert_eq!(answers[3..], ["move a4 a3", "move b4 b3", "move a4 a3"]);
    }
}
