//! The conversation with the arbiter: answers its questions, takes in its news, passes over what it does not know.
// Not all of what is known is used from the beginning.
#![allow(dead_code)]

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// A bot's ideas.
pub trait Bot {
    const NAME: &'static str;

    /// Where the army stands: one letter a square, the own back row first, each row from file a, `.` for an empty one.
    fn choose_deployment(&mut self, game: &mut Game) -> String;

    /// One of `game.legal`, which is not empty. `game.board["a4"]` says what stands where.
    fn choose_move(&mut self, game: &mut Game) -> String;
}

/// One game, as far as this side knows it.
pub struct Game {
    /// The words of `newgame`.
    pub rules: HashMap<String, String>,
    pub red: bool,
    pub width: usize,
    pub height: usize,
    /// Deployment rows of each side.
    pub rows: usize,
    /// One letter a piece: F, B, S, 2 to 9, M.
    pub army: Vec<char>,
    /// Seeded by the arbiter: the same game again gives the same moves again.
    pub random: Random,
    pub deployment: String,
    /// Square to character: `.` empty, `~` lake, own pieces in capitals and digits, `?` unknown, `!` unknown and has
    /// moved, known enemies f b s c d e g h i j k m (flag, bomb, spy, 2 to 9, marshal).
    pub board: HashMap<String, char>,
    /// The moves of the game so far, as told: `red a4 a5 battle 6 4 won`.
    pub moves: Vec<String>,
    /// Such as `a4a5`.
    pub legal: Vec<String>,
    /// Moves of this turn that were taken back.
    pub refused: Vec<String>,
    /// Whether the opponent has just offered a draw; answering with a move declines it.
    pub draw_offered: bool,
}

impl Game {
    fn new(words: &str) -> Game {
        let pairs = words.split(' ').filter_map(|word| word.split_once('='));
        let rules: HashMap<String, String> =
            pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
        let rule = |key: &str| rules.get(key).map_or("", String::as_str);
        let number = |text: &str| text.parse().unwrap_or(0);
        let (width, height) = rule("board").split_once('x').unwrap_or_default();
        // F1,B6,S1,28: a letter, then how many.
        let pieces = |item: &str| {
            let mut letters = item.chars();
            letters
                .next()
                .map(|letter| std::iter::repeat_n(letter, number(letters.as_str())))
        };
        Game {
            red: rule("colour") == "red",
            width: number(width),
            height: number(height),
            rows: number(rule("rows")),
            army: rule("army")
                .split(',')
                .filter_map(pieces)
                .flatten()
                .collect(),
            random: Random(rule("seed").parse().unwrap_or(0)),
            deployment: String::new(),
            board: HashMap::new(),
            moves: Vec::new(),
            legal: Vec::new(),
            refused: Vec::new(),
            draw_offered: false,
            rules,
        }
    }

    /// Takes in the view of the board, whose first row is the highest rank.
    fn see(&mut self, rows: &str) {
        const FILES: &str = "abcdefghiklmnopqrstuvwxyz"; // there is no j
        for (row, rank) in rows.split('/').zip((1..=self.height).rev()) {
            for (letter, file) in row.chars().zip(FILES.chars()) {
                self.board.insert(format!("{file}{rank}"), letter);
            }
        }
    }
}

/// Random numbers: SplitMix64.
pub struct Random(u64);

impl Random {
    /// A number from 0 to `n` - 1.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Plays games until `quit` or the end of the input.
pub fn run<B: Bot>(mut bot: B, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut game = Game::new("");
    for line in input.lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let answer = match word {
            "quit" => break,
            "sbp" => format!(
                "id name {}\nwant legal board\nfeature deterministic\nok",
                B::NAME
            ),
            "isready" => "readyok".to_owned(),
            "setup" if rest.is_empty() => {
                game.deployment = bot.choose_deployment(&mut game);
                format!("setup {}", game.deployment)
            }
            "go" if game.legal.is_empty() => "resign".to_owned(),
            "go" => format!("move {}", bot.choose_move(&mut game)),
            news => {
                match news {
                    "newgame" => game = Game::new(rest),
                    "setup" => game.deployment = rest.trim_start_matches("assigned ").to_owned(),
                    "moved" => {
                        game.moves.push(rest.to_owned());
                        game.refused.clear();
                        game.draw_offered = false;
                    }
                    "drawoffer" => game.draw_offered = true,
                    // A clause, then the squares of a move that was taken back.
                    "illegal" => game.refused.push(rest.split(' ').skip(1).take(2).collect()),
                    "board" => game.see(rest),
                    // What was refused is refused again, whatever the list says.
                    "legal" => {
                        let moves = rest.split(' ').map(str::to_owned);
                        game.legal = moves.filter(|mv| !game.refused.contains(mv)).collect();
                    }
                    _ => {}
                }
                continue;
            }
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}
