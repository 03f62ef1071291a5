//! my-bot, a Stratego bot. Your thinking goes into the two functions below; `sbp` speaks with the arbiter.

mod sbp;

use sbp::{Bot, Game};

struct MyBot;

impl Bot for MyBot {
    const NAME: &'static str = "my-bot";

    fn choose_deployment(&mut self, game: &mut Game) -> String {
        let mut squares = game.army.clone();
        squares.resize(game.rows * game.width, '.');
        game.random.shuffle(&mut squares);
        squares.into_iter().collect()
    }

    fn choose_move(&mut self, game: &mut Game) -> String {
        let choice = game.random.below(game.legal.len());
        game.legal[choice].clone()
    }
}

fn main() -> std::io::Result<()> {
    sbp::run(MyBot, std::io::stdin().lock(), std::io::stdout().lock())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(lines: &str) -> Vec<String> {
        let mut said = Vec::new();
        sbp::run(MyBot, lines.as_bytes(), &mut said).unwrap();
        String::from_utf8(said)
            .unwrap()
            .lines()
            .map(String::from)
            .collect()
    }

    fn game(seed: u64) -> String {
        format!(
            "newgame id=t colour=blue first=red seed={seed} board=3x4 lakes=none rows=1 army=F1,21 \
             deployment=any novelty=1\n"
        )
    }

    fn sorted(text: &str) -> Vec<char> {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    }

    #[test]
    fn questions_are_answered_and_nothing_else_is() {
        let turns = "setup\nstart\ndrawoffer\nboard .2F/.../.../?..\nlegal a4a3 b4b3\ngo\n\
                     illegal move.chase a4 a3\nlegal a4a3 b4b3\ngo\nmoved blue b4 b3\nlegal a4a3\ngo clock=1,2\n\
                     gameover winner=none reason=new\nquit\nisready\n";
        let answers = talk(&(String::from("sbp 1\n\nweather fine\nisready\n") + &game(7) + turns));
        assert_eq!(answers[3..5], ["ok", "readyok"]);
        assert_eq!(sorted(&answers[5]), sorted("setup .2F"));
        assert!(["move a4a3", "move b4b3"].contains(&answers[6].as_str()));
        assert_eq!(answers[7..], ["move b4b3", "move a4a3"]);
    }

    #[test]
    fn the_whole_army_is_deployed() {
        let isf = "colour=red board=10x10 rows=4 army=F1,B6,S1,28,35,44,54,64,73,82,91,M1 seed=1";
        let answers = talk(&format!("newgame {isf}\nsetup\n"));
        assert_eq!(
            sorted(&answers[0]),
            sorted("setup FBBBBBBS2222222233333444455556666777889M")
        );
    }

    #[test]
    fn the_same_seed_gives_the_same_answers() {
        let play =
            |seed| talk(&(game(seed) + "setup\n" + &"legal a4a3 b4b3 c4c3\ngo\n".repeat(20)));
        assert_eq!(play(1), play(1));
        assert_ne!(play(1), play(2));
    }
}
