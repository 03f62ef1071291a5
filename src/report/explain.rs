//! Why a move is legal or not, in sentences: path, battle, what each repetition rule counts.

use crate::game::{Illegal, Move, Position, Square, fight};

/// Explains a move of the side to move.
pub fn explain(position: &Position, mv: Move) -> Vec<String> {
    let board = position.board();
    let name = |square: Square| board.coordinates(square).to_string();
    let names = |squares: &[Square]| squares.iter().map(|&s| name(s)).collect::<Vec<_>>().join(" ");
    let side = position.to_move().title();
    let judged = position.judge(mv);
    let verdict = match judged {
        Ok(()) => "legal".to_owned(),
        Err(illegal) => format!("illegal [{}]: it {}", illegal.clause(), illegal.because()),
    };
    let mut text = vec![format!("{side} {}: {verdict}", mv.written(board))];
    if let Err(illegal) = position.judge_geometry(mv) {
        let target = match (illegal, position.piece(mv.to)) {
            (Illegal::OwnPiece, Some((_, rank))) => format!("; the {} of its own stands there", rank.name()),
            _ => String::new(),
        };
        text.push(format!("path: it {}{target}", illegal.because()));
        return text;
    }
    let (_, rank) = position.piece(mv.from).expect("a move that squares and pieces allow has a piece");
    text.push(format!(
        "path: the {} goes from {} to {}; nothing is in its way",
        rank.name(),
        name(mv.from),
        name(mv.to)
    ));
    text.push(match position.piece(mv.to) {
        None => "battle: none".to_owned(),
        Some((_, defender)) => {
            let battle = fight(position.rules(), rank, defender);
            let advances =
                if battle.advances { ", and the defender takes the attacker's square" } else { "" };
            format!(
                "battle: {} strikes {}: {}{advances}",
                rank.name(),
                defender.name(),
                battle.outcome.word()
            )
        }
    });
    match position.shuttle(mv) {
        None => text.push("two-squares: the rule book has no such rule".to_owned()),
        Some(shuttle) => {
            let moves: Vec<String> =
                shuttle.moves.iter().map(|(ply, mv)| format!("{} (ply {ply})", mv.written(board))).collect();
            let moves = if moves.is_empty() { "none".to_owned() } else { moves.join(", ") };
            text.push(format!("two-squares: moves of this piece in a row before it, newest first: {moves}"));
            text.push(format!(
                "  {} of them cross one border together with this move; the limit is {}, so it is {}",
                shuttle.sharing,
                shuttle.limit,
                if shuttle.barred { "barred" } else { "not barred" }
            ));
        }
    }
    match position.chase_facts(mv) {
        None => text.push("chase: the rule book has no such rule".to_owned()),
        Some(facts) => match facts.since {
            None => text.push(format!("chase: no chase of {side} is alive, so nothing is barred")),
            Some(since) => {
                text.push(format!("chase: {side} chases since ply {since}"));
                text.push(format!("  evaded in this chase: the pieces now on {}", names(&facts.evaders)));
                let threatens =
                    if facts.threatens.is_empty() { "nothing".to_owned() } else { names(&facts.threatens) };
                text.push(format!("  the move threatens {threatens}"));
                text.push(match facts.repeats {
                    Some(ply) => format!("  the position after it stood after ply {ply}"),
                    None => "  the position after it has not stood in this chase".to_owned(),
                });
                if facts.undoes {
                    text.push(
                        "  it is the exact undo of the player's own previous move, which is never barred"
                            .to_owned(),
                    );
                }
                text.push(format!("  so it is {}", if facts.barred { "barred" } else { "not barred" }));
            }
        },
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Colour, Coordinates, Rules, book, notation};

    /// Red's scout shuttles between a1 and a2, Blue's between i10 and k10, four plies each.
    fn shuttled() -> Position {
        let rules = Rules::new(book("isf").unwrap()).unwrap();
        let field = format!(
            "D{}M{}Y{}P",
            "A".repeat(8),
            "A".repeat(30) + "AA__AA__AAAA__AA__AA" + &"A".repeat(30),
            "A".repeat(8)
        );
        let mut position = notation::position(&rules, &field, Colour::Red).unwrap();
        for text in ["a1a2", "k10k9", "a2a1", "k9k10", "a1a2", "k10i10"] {
            let mv = notation::WrittenMove::parse(text.as_bytes()).unwrap().on(position.board()).unwrap();
            position.play(mv, None).unwrap();
        }
        position
    }

    fn told(position: &Position, text: &str) -> String {
        let at = |name: &str| position.board().square(Coordinates::parse(name.as_bytes()).unwrap()).unwrap();
        let (from, to) = text.split_at(2);
        explain(position, Move { from: at(from), to: at(to) }).join("\n")
    }

    #[test]
    fn a_barred_shuttle_is_explained_with_the_moves_that_count() {
        let text = told(&shuttled(), "a2a1");
        assert!(text.contains("illegal [move.two-squares]"), "{text}");
        assert!(text.contains("a1a2 (ply 5), a2a1 (ply 3), a1a2 (ply 1)"), "{text}");
        assert!(
            text.contains("3 of them cross one border together with this move; the limit is 3"),
            "{text}"
        );
    }

    #[test]
    fn a_run_that_leaves_the_border_alone_is_explained_as_legal() {
        let text = told(&shuttled(), "a2a3");
        assert!(text.contains("Red a2a3: legal"), "{text}");
        assert!(text.contains("0 of them cross one border together"), "{text}");
        assert!(text.contains("no chase of Red is alive"), "{text}");
    }

    #[test]
    fn a_move_that_squares_forbid_is_explained_by_its_path() {
        let text = told(&shuttled(), "k1k2");
        assert!(
            text.contains("illegal [move.immobile]") && text.contains("path: it moves a bomb or a flag"),
            "{text}"
        );
    }
}
