//! The rules of one game as `newgame` tells them: ranks, sides, the board, the army.

/// A piece's rank. From the spy on, the order is the order of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Rank {
    Flag,
    Bomb,
    Spy,
    Scout,
    Miner,
    Sergeant,
    Lieutenant,
    Captain,
    Major,
    Colonel,
    General,
    Marshal,
}

use Rank::*;

impl Rank {
    /// Every rank, the flag first and the marshal last.
    pub const ALL: [Rank; 12] =
        [Flag, Bomb, Spy, Scout, Miner, Sergeant, Lieutenant, Captain, Major, Colonel, General, Marshal];

    const LETTERS: &str = "FBS23456789M";

    /// The rank of the protocol's character; nothing for `?`, `.` and the like.
    pub fn from_letter(letter: char) -> Option<Rank> {
        Rank::LETTERS.find(letter).map(|i| Rank::ALL[i])
    }

    /// The protocol's character.
    pub fn letter(self) -> char {
        Rank::LETTERS.as_bytes()[self as usize] as char
    }

    /// Whether such a piece can move.
    pub fn moves(self) -> bool {
        self > Bomb
    }
}

/// A set of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks(u16);

impl Ranks {
    /// All of them.
    pub const ALL: Ranks = Ranks(0xFFF);

    /// The ranks for which `keep` says yes.
    pub fn filter(self, keep: impl Fn(Rank) -> bool) -> Ranks {
        Ranks(Rank::ALL.into_iter().filter(|&r| self.has(r) && keep(r)).map(|r| 1 << r as u16).sum())
    }

    /// Whether the rank is in the set.
    pub fn has(self, rank: Rank) -> bool {
        self.0 >> rank as u16 & 1 == 1
    }

    /// The only rank of a set of one.
    pub fn single(self) -> Option<Rank> {
        (self.0.count_ones() == 1).then(|| Rank::ALL[self.0.trailing_zeros() as usize])
    }
}

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Deploys on the ranks from 1 up.
    Red,
    /// Deploys on the highest ranks.
    Blue,
}

impl Colour {
    /// Reads `red` or `blue`.
    pub fn from_word(word: &str) -> Option<Colour> {
        match word {
            "red" => Some(Colour::Red),
            "blue" => Some(Colour::Blue),
            _ => None,
        }
    }
}

/// A square's number: rank by rank from Red's back row, each rank from file a.
pub type Square = usize;

/// A move, or a strike where an enemy stands on the second square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

/// What becomes of an attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It takes the square.
    Won,
    /// It is gone.
    Lost,
    /// Both are gone.
    Both,
}

/// The parameters of a game that these bots look at.
#[derive(Clone, Debug)]
pub struct Game {
    /// The bot's own side.
    pub colour: Colour,
    /// The seat's seed.
    pub seed: u64,
    /// Files of the board.
    pub width: usize,
    /// Ranks of the board.
    pub height: usize,
    /// Deployment rows of each side.
    pub rows: usize,
    /// How many of each rank an army has.
    pub army: [u8; 12],
    /// Whether an attacker survives a battle of equals.
    pub attacker_wins_ties: bool,
    lakes: Vec<Square>,
}

const FILES: &str = "abcdefghiklmnopqrstuvwxyz";

impl Game {
    /// Reads the words after `newgame`. What is missing or strange is taken as in the classic game.
    pub fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Game {
        let mut game = Game {
            colour: Colour::Red,
            seed: 0,
            width: 10,
            height: 10,
            rows: 4,
            army: [1, 6, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1],
            attacker_wins_ties: false,
            lakes: Vec::new(),
        };
        let mut lakes = "none";
        for (key, value) in words.filter_map(|word| word.split_once('=')) {
            match key {
                "colour" => game.colour = Colour::from_word(value).unwrap_or(game.colour),
                "seed" => game.seed = value.parse().unwrap_or(0),
                "board" => {
                    let size = value.split_once('x').map(|(w, h)| (w.parse(), h.parse()));
                    if let Some((Ok(width), Ok(height))) = size {
                        (game.width, game.height) = (width, height);
                    }
                }
                "lakes" => lakes = value,
                "rows" => game.rows = value.parse().unwrap_or(game.rows),
                "army" => game.army = parse_army(value),
                "equal-ranks" => game.attacker_wins_ties = value == "attacker",
                _ => {}
            }
        }
        game.lakes = lakes.split(',').filter_map(|name| game.square(name)).collect();
        game
    }

    /// How many squares the board has.
    pub fn squares(&self) -> usize {
        self.width * self.height
    }

    /// The square of a name such as `a10`, if the board has it.
    pub fn square(&self, name: &str) -> Option<Square> {
        let file = FILES.find(name.chars().next()?)?;
        let rank: usize = name.get(1..)?.parse().ok()?;
        (file < self.width && (1..=self.height).contains(&rank)).then(|| (rank - 1) * self.width + file)
    }

    /// The name of a square.
    pub fn name(&self, square: Square) -> String {
        format!("{}{}", &FILES[square % self.width..][..1], square / self.width + 1)
    }

    /// The move of a word such as `a4a5`.
    pub fn read_move(&self, word: &str) -> Option<Move> {
        let second = 1 + word.get(1..)?.find(|c: char| c.is_ascii_lowercase())?;
        Some(Move { from: self.square(&word[..second])?, to: self.square(&word[second..])? })
    }

    /// Whether the square is a lake.
    pub fn is_lake(&self, square: Square) -> bool {
        self.lakes.contains(&square)
    }

    /// The squares next to one, lakes left out.
    pub fn neighbours(&self, square: Square) -> impl Iterator<Item = Square> + '_ {
        let (file, w) = (square % self.width, self.width);
        [
            (square + w < self.squares()).then_some(square + w),
            square.checked_sub(w),
            (file + 1 < w).then_some(square + 1),
            (file > 0).then(|| square - 1),
        ]
        .into_iter()
        .flatten()
        .filter(|&s| !self.is_lake(s))
    }

    /// How many steps lie between two squares of one file or rank, or of a bent way.
    pub fn steps(&self, a: Square, b: Square) -> usize {
        (a % self.width).abs_diff(b % self.width) + (a / self.width).abs_diff(b / self.width)
    }

    /// How many rows a square lies in front of `colour`'s back row, which is 0.
    pub fn depth(&self, square: Square, colour: Colour) -> usize {
        let rank = square / self.width;
        match colour {
            Colour::Red => rank,
            Colour::Blue => self.height - 1 - rank,
        }
    }

    /// The opponent.
    pub fn enemy(&self) -> Colour {
        match self.colour {
            Colour::Red => Colour::Blue,
            Colour::Blue => Colour::Red,
        }
    }

    /// The square of a deployment string's character, for `colour`.
    pub fn deployment_square(&self, index: usize, colour: Colour) -> Square {
        let (row, file) = (index / self.width, index % self.width);
        let rank = match colour {
            Colour::Red => row,
            Colour::Blue => self.height - 1 - row,
        };
        rank * self.width + file
    }

    /// What becomes of `attacker` when it strikes `defender`.
    pub fn fight(&self, attacker: Rank, defender: Rank) -> Outcome {
        match (attacker, defender) {
            (_, Flag) | (Miner, Bomb) | (Spy, Marshal) => Outcome::Won,
            (_, Bomb) => Outcome::Lost,
            _ if attacker > defender => Outcome::Won,
            _ if attacker < defender => Outcome::Lost,
            _ if self.attacker_wins_ties => Outcome::Won,
            _ => Outcome::Both,
        }
    }
}

fn parse_army(text: &str) -> [u8; 12] {
    let mut army = [0; 12];
    for item in text.split(',') {
        let mut letters = item.chars();
        if let Some(rank) = letters.next().and_then(Rank::from_letter) {
            army[rank as usize] = letters.as_str().parse().unwrap_or(0);
        }
    }
    army
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_and_what_is_unknown_is_passed_over() {
        let words = "colour=blue novelty seed=7 later=x board=8x16 lakes=c7,k7 rows=3 army=F1,212,M1 =";
        let game = Game::parse(words.split(' '));
        assert_eq!((game.colour, game.seed, game.width, game.height), (Colour::Blue, 7, 8, 16));
        assert_eq!((game.army[Scout as usize], game.army[Bomb as usize]), (12, 0));
        assert!(game.is_lake(game.square("c7").unwrap()));
        assert_eq!(game.square("k1"), None);
        assert_eq!(game.deployment_square(9, Colour::Blue), game.square("b15").unwrap());
    }

    #[test]
    fn moves_on_tall_boards_are_read_and_squares_named_without_j() {
        let game = Game::parse("board=12x10".split(' '));
        let mv = game.read_move("k10l10").unwrap();
        assert_eq!((game.name(mv.from), game.name(mv.to)), ("k10".into(), "l10".into()));
        assert_eq!(game.read_move("j1j2"), None);
        assert_eq!(game.read_move("a1"), None);
    }
}
