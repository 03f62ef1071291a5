//! What `arbiter verify --explain` says, word for word, on positions made by hand.

use std::sync::Arc;

use arbiter::game::{Colour, Coordinates, Position, Rank, Rules, apply_variants, book, notation};
use arbiter::record::RecordedTurn;
use arbiter::report::explain;

fn rules(name: &str, variants: &[&str], sets: &[(&str, &str)]) -> Arc<Rules> {
    let mut set = book(name).unwrap();
    apply_variants(&mut set, variants).unwrap();
    for (parameter, value) in sets {
        set.set(parameter, value).unwrap();
    }
    Rules::new(set).unwrap()
}

/// A position on the classic board, of pieces as `R9e6` (Red's general on e6), after some moves from Red's first.
fn position(rules: &Arc<Rules>, pieces: &str, moves: &str) -> Position {
    let mut field = [b'A'; 100];
    for lake in &rules.lakes {
        field[usize::from(lake.rank) * 10 + usize::from(lake.file)] = b'_';
    }
    for piece in pieces.split_whitespace() {
        let (colour, rest) = piece.split_at(1);
        let rank = Rank::from_letter(rest.chars().next().unwrap()).unwrap();
        let square = Coordinates::parse(&rest.as_bytes()[1..]).unwrap();
        // The field's letters: bomb, spy, scout to marshal, flag, from `B` for Red and from `N` for Blue.
        let order = "BS23456789MF".find(rank.letter()).unwrap() as u8;
        let base = if colour == "R" { b'B' } else { b'N' };
        field[usize::from(square.rank) * 10 + usize::from(square.file)] = base + order;
    }
    let field = String::from_utf8(field.to_vec()).unwrap();
    let mut position = notation::position(rules, &field, Colour::Red).unwrap();
    for turn in moves.split(',').map(str::trim).filter(|turn| !turn.is_empty()) {
        let RecordedTurn::Move(written, rescue) = RecordedTurn::read(turn) else { panic!("{turn}") };
        let rescue = rescue
            .map(|(rank, to)| arbiter::game::RescueChoice { rank, to: position.board().square(to).unwrap() });
        position
            .play(written.on(position.board()).unwrap(), rescue)
            .unwrap_or_else(|e| panic!("{turn}: {e:?}"));
    }
    position
}

fn told(position: &Position, turn: &str) -> String {
    let RecordedTurn::Move(written, rescue) = RecordedTurn::read(turn) else { panic!("{turn}") };
    explain(position, written, rescue).join("\n")
}

#[track_caller]
fn says(position: &Position, turn: &str, expected: &str) {
    let expected: Vec<&str> =
        expected.lines().skip(1).map(|line| line.strip_prefix("        ").unwrap_or(line)).collect();
    let text = told(position, turn);
    assert_eq!(text, expected.join("\n"), "{turn} is explained so:\n{text}\n");
}

/// Red's scout on c4 and Blue's major on k10 go to and fro.
const SHUTTLE: (&str, &str) = ("R2c4 RFa1 B7k10 BFa10", "c4d4, k10k9, d4c4, k9k10, c4d4, k10i10");

#[test]
fn a_barred_shuttle_is_told_with_its_border_and_the_plies_that_crossed_it() {
    let position = position(&rules("isf", &[], &[]), SHUTTLE.0, SHUTTLE.1);
    says(
        &position,
        "d4c4",
        r"
        Red d4c4: illegal [move.two-squares]: it is barred by the two-squares rule
        path: the scout goes from d4 to c4, the next square
        battle: none
        two-squares=3: a move is barred when it and the player's last 3 moves are by one piece, across one border
          Red's last moves by this piece: ply 1 c4d4, ply 3 d4c4, ply 5 c4d4
          border c4/d4: plies 1, 3, 5 and this move
          so it is barred: 3 counted moves of 3
        chase=isf: a move of a live chase is barred when it threatens a piece that evaded in it and brings back a position of it
          so it is not barred: no chase by Red is alive",
    );
}

#[test]
fn a_run_over_the_border_of_a_shuttle_is_barred_and_one_that_leaves_it_is_legal() {
    let position = position(&rules("isf", &[], &[]), SHUTTLE.0, SHUTTLE.1);
    says(
        &position,
        "d4a4",
        r"
        Red d4a4: illegal [move.two-squares]: it is barred by the two-squares rule
        path: the scout runs from d4 over c4 b4 to a4; all of it is open
        battle: none
        two-squares=3: a move is barred when it and the player's last 3 moves are by one piece, across one border
          Red's last moves by this piece: ply 1 c4d4, ply 3 d4c4, ply 5 c4d4
          border c4/d4: plies 1, 3, 5 and this move
          so it is barred: 3 counted moves of 3
        chase=isf: a move of a live chase is barred when it threatens a piece that evaded in it and brings back a position of it
          so it is not barred: no chase by Red is alive",
    );
    says(
        &position,
        "d4f4",
        r"
        Red d4f4: legal
        path: the scout runs from d4 over e4 to f4; all of it is open
        battle: none
        two-squares=3: a move is barred when it and the player's last 3 moves are by one piece, across one border
          Red's last moves by this piece: ply 1 c4d4, ply 3 d4c4, ply 5 c4d4
          d4f4 crosses d4/e4 e4/f4; none of them did
          so it is not barred: 0 counted moves of 3
        chase=isf: a move of a live chase is barred when it threatens a piece that evaded in it and brings back a position of it
          so it is not barred: no chase by Red is alive",
    );
}

/// The square chase of RULES.md: the general drives the sergeant round e6 f6 f7 e7.
const ROUND: (&str, &str) = ("R9e8 RFa1 B4f9 B5f10 BFa10", "e8e9,f9f8,e9f9,f8e8,f9f8,e8e9,f8e8,e9f9");

#[test]
fn a_chase_is_told_ply_by_ply_with_its_evaders_and_the_position_that_would_come_back() {
    let position = position(&rules("isf", &[], &[]), ROUND.0, ROUND.1);
    says(
        &position,
        "e8e9",
        r"
        Red e8e9: illegal [move.chase]: it is barred by the more-squares rule: it repeats a position of this chase
        path: the general goes from e8 to e9, the next square
        battle: none
        two-squares=3: a move is barred when it and the player's last 3 moves are by one piece, across one border
          Red's last moves by this piece: ply 1 e8e9, ply 3 e9f9, ply 5 f9f8, ply 7 f8e8
          e8e9 crosses e8/e9; none of them did
          so it is not barred: 0 counted moves of 3
        chase=isf: a move of a live chase is barred when it threatens a piece that evaded in it and brings back a position of it
          ply 1 Red e8e9 threatens sergeant f9; ply 2 Blue f9f8 evades
          ply 3 Red e9f9 threatens sergeant f8, lieutenant f10; ply 4 Blue f8e8 evades
          ply 5 Red f9f8 threatens sergeant e8; ply 6 Blue e8e9 evades
          ply 7 Red f8e8 threatens sergeant e9; ply 8 Blue e9f9 evades
          evaders: sergeant f9
          this move threatens: sergeant f9 (evaded)
          so it is barred: it brings back the position that stood after ply 1",
    );
    says(
        &position,
        "e8f8",
        r"
        Red e8f8: legal
        path: the general goes from e8 to f8, the next square
        battle: none
        two-squares=3: a move is barred when it and the player's last 3 moves are by one piece, across one border
          Red's last moves by this piece: ply 1 e8e9, ply 3 e9f9, ply 5 f9f8, ply 7 f8e8
          border e8/f8: ply 7 and this move
          so it is not barred: 1 counted move of 3
        chase=isf: a move of a live chase is barred when it threatens a piece that evaded in it and brings back a position of it
          ply 1 Red e8e9 threatens sergeant f9; ply 2 Blue f9f8 evades
          ply 3 Red e9f9 threatens sergeant f8, lieutenant f10; ply 4 Blue f8e8 evades
          ply 5 Red f9f8 threatens sergeant e8; ply 6 Blue e8e9 evades
          ply 7 Red f8e8 threatens sergeant e9; ply 8 Blue e9f9 evades
          evaders: sergeant f9
          this move threatens: sergeant f9 (evaded)
          so it is not barred: it is the exact undo of Red's own previous move",
    );
}

#[test]
fn the_reading_any_counts_every_threat_and_a_position_whoever_was_to_move() {
    let any = rules("isf", &["chase-any-threat"], &[]);
    says(
        &position(&any, ROUND.0, ROUND.1),
        "e8e9",
        r"
        Red e8e9: illegal [move.chase]: it is barred by the more-squares rule: it repeats a position of this chase
        path: the general goes from e8 to e9, the next square
        battle: none
        two-squares=3: a move is barred when it and the player's last 3 moves are by one piece, across one border
          Red's last moves by this piece: ply 1 e8e9, ply 3 e9f9, ply 5 f9f8, ply 7 f8e8
          e8e9 crosses e8/e9; none of them did
          so it is not barred: 0 counted moves of 3
        chase=any: a move of a live chase is barred when it threatens any piece and the pieces stood so before in the chase, whoever was to move
          ply 1 Red e8e9 threatens sergeant f9; ply 2 Blue f9f8 evades
          ply 3 Red e9f9 threatens sergeant f8, lieutenant f10; ply 4 Blue f8e8 evades
          ply 5 Red f9f8 threatens sergeant e8; ply 6 Blue e8e9 evades
          ply 7 Red f8e8 threatens sergeant e9; ply 8 Blue e9f9 evades
          evaders: sergeant f9
          this move threatens: sergeant f9 (evaded)
          so it is barred: it brings back the position that stood after ply 1",
    );
}

#[test]
fn the_undo_of_ones_own_last_move_is_told_as_the_exception_it_is() {
    let chase = position(&rules("isf", &[], &[]), "R9e4 RFa1 B4e6 BFa10", "e4e5,e6f6,e5f5,f6e6");
    says(
        &chase,
        "f5e5",
        r"
        Red f5e5: legal
        path: the general goes from f5 to e5, the next square
        battle: none
        two-squares=3: a move is barred when it and the player's last 3 moves are by one piece, across one border
          Red's last moves by this piece: ply 1 e4e5, ply 3 e5f5
          border e5/f5: ply 3 and this move
          so it is not barred: 1 counted move of 3
        chase=isf: a move of a live chase is barred when it threatens a piece that evaded in it and brings back a position of it
          ply 1 Red e4e5 threatens sergeant e6; ply 2 Blue e6f6 evades
          ply 3 Red e5f5 threatens sergeant f6; ply 4 Blue f6e6 evades
          evaders: sergeant e6
          this move threatens: sergeant e6 (evaded)
          so it is not barred: it is the exact undo of Red's own previous move, though the position after ply 1 comes back",
    );
}

#[test]
fn a_legal_move_is_told_with_nothing_that_counts_against_it() {
    let first = position(&rules("us-classic", &[], &[]), "R5e4 RFa1 B5e7 BFa10", "");
    says(
        &first,
        "e4e5",
        r"
        Red e4e5: legal
        path: the lieutenant goes from e4 to e5, the next square
        battle: none
        two-squares=2: a move is barred when it and the player's last 2 moves are by one piece, across one border
          none of Red's moves just before it was by this piece
          e4e5 crosses e4/e5; none of them did
          so it is not barred: 0 counted moves of 2
        chase: the rule book has no such rule",
    );
}

#[test]
fn a_battle_under_silent_defence_is_told_with_what_each_side_reads() {
    let silent = position(&rules("us-classic", &["silent-defence"], &[]), "R6e4 RFa1 B7e5 BFa10", "");
    says(
        &silent,
        "e4e5",
        r"
        Red e4e5: legal
        path: the captain goes from e4 to e5, the next square
        battle: captain strikes major: lost; the captain leaves the board, and the defender goes to e4
          Red is told `battle 6 ? lost advances`, Blue is told `battle 6 7 lost advances`
        two-squares=2: a move is barred when it and the player's last 2 moves are by one piece, across one border
          none of Red's moves just before it was by this piece
          e4e5 crosses e4/e5; none of them did
          so it is not barred: 0 counted moves of 2
        chase: the rule book has no such rule",
    );
    let open = position(&rules("isf", &[], &[]), "R6e4 R3a1 RFb1 B6e5 BFa10 B3k10", "");
    says(
        &open,
        "e4e5",
        r"
        Red e4e5: legal
        path: the captain goes from e4 to e5, the next square
        battle: captain strikes captain: both; both leave the board
          Red is told `battle 6 6 both`, Blue is told `battle 6 6 both`
        two-squares=3: a move is barred when it and the player's last 3 moves are by one piece, across one border
          none of Red's moves just before it was by this piece
          e4e5 crosses e4/e5; none of them did
          so it is not barred: 0 counted moves of 3
        chase=isf: a move of a live chase is barred when it threatens a piece that evaded in it and brings back a position of it
          so it is not barred: no chase by Red is alive",
    );
}

/// Red has lost a lieutenant on e5 and stands before Blue's back row.
const RESCUE: (&str, &str) = ("R5e4 R7a9 R2c9 RFa1 B6e5 BFk10 B8b10", "e4e5,e5e6");

#[test]
fn a_rescue_is_told_with_the_limit_that_refuses_it() {
    let text000 =
        position(&rules("us-classic", &["rescue"], &[("winner-advances", "attacker")]), RESCUE.0, RESCUE.1);
    says(
        &text000,
        "a9a10 rescue 5 b4",
        r"
        Red a9a10 rescue 5 b4: legal
        path: the major goes from a9 to a10, the next square
        battle: none
        rescue=000: it ends on the far row, and Red's captured lieutenant may come back to b4
        two-squares=2: a move is barred when it and the player's last 2 moves are by one piece, across one border
          none of Red's moves just before it was by this piece
          a9a10 crosses a9/a10; none of them did
          so it is not barred: 0 counted moves of 2
        chase: the rule book has no such rule",
    );
    let rescue = |turn: &str| {
        let text = told(&text000, turn);
        let line = text.lines().find(|line| line.starts_with("rescue=")).unwrap().to_owned();
        (text.lines().next().unwrap().contains("illegal [move.rescue]"), line)
    };
    let none = |why: &str| (true, format!("rescue=000: none is given: {why}"));
    assert_eq!(rescue("a9a8 rescue 5 b4"), none("a8 is not on the opponent's back row"));
    assert_eq!(rescue("c9c10 rescue 5 b4"), none("the moving piece is a scout, which does not rescue"));
    assert_eq!(rescue("a9a10 rescue B b4"), none("a bomb does not come back"));
    assert_eq!(rescue("a9a10 rescue 5 b5"), none("b5 is not on Red's deployment rows"));
    assert_eq!(rescue("a9a10 rescue 5 b11"), none("b11 is not on Red's deployment rows"));
    assert_eq!(rescue("a9a10 rescue 5 a1"), none("a1 is not free after the move"));
    assert_eq!(rescue("a9a10 rescue 8 b4"), none("no colonel of Red is captured"));
    let after =
        |moves: &str| position(text000.rules(), "R5d4 R5e4 R5f4 R7a9 R8c9 R4g9 RFa1 B6e5 BFk10 B8i10", moves);
    let same = after("e4e5,e5e6,a9a10 rescue 5 b4,e6e5,f4f5,e5f5");
    assert!(
        told(&same, "a10b10 rescue 5 b3").contains("none is given: this major has made a rescue already")
    );
    let two = after("e4e5,e5e6,a9a10 rescue 5 b4,e6e5,f4f5,e5f5,c9c10 rescue 5 b3,f5f6");
    assert!(told(&two, "g9g10 rescue 5 b2").contains("none is given: Red has made two rescues already"));
    let text001 = position(&rules("classic", &["rescue-001"], &[]), RESCUE.0, RESCUE.1);
    assert!(
        told(&text001, "a9a10 rescue 5 b4")
            .contains("rescue=001: none is given: b4 is not on Red's back row")
    );
    assert!(told(&text001, "a9a10 rescue F b1").contains("none is given: a flag does not come back"));
    let off = position(&rules("isf", &[], &[]), RESCUE.0, RESCUE.1);
    assert!(told(&off, "a9a10 rescue 5 b4").contains("rescue=off: none is given: the rule book has none"));
}

#[test]
fn each_ordinary_illegality_is_told_with_the_squares_and_pieces_that_make_it_one() {
    let position =
        position(&rules("us-classic", &[], &[]), "R2e4 R5c4 RBb1 RFa1 R3e1 B6e8 B7h4 BFa10 B2b2", "");
    for (turn, clause, path) in [
        ("e4e11", "move.off-board]: it leaves the board", "e11 is no square of the 10x10 board"),
        ("z4e4", "move.off-board]: it leaves the board", "z4 is no square of the 10x10 board"),
        ("f5f6", "move.no-piece]: it starts on a square where no piece stands", "there is nothing on f5"),
        (
            "e8e7",
            "move.not-yours]: it moves a piece of the opponent",
            "it would move the captain of Blue on e8, and it is Red's turn",
        ),
        (
            "b1c1",
            "move.immobile]: it moves a bomb or a flag",
            "it would move the bomb of Red on b1; bombs and flags never move",
        ),
        ("e4e4", "move.same-square]: it goes nowhere", "it starts and ends on e4"),
        ("c4c5", "move.lake]: it goes into a lake", "it ends in the lake on c5"),
        (
            "e4c4",
            "move.own-piece]: it goes where an own piece stands",
            "it ends where Red's own piece stands: the lieutenant of Red on c4",
        ),
        (
            "e4f5",
            "move.not-straight]: it does not go along a row or file",
            "e4 and f5 lie neither on one file nor on one rank",
        ),
        (
            "c4c2",
            "move.too-far]: it goes more than one square, with a piece that is no scout",
            "the lieutenant of Red on c4 goes one square a turn, not 2",
        ),
        (
            "e4i4",
            "move.blocked]: it goes through a piece or a lake",
            "in its way from e4 to i4 is the major of Blue on h4",
        ),
        (
            "e4e8",
            "move.strike-far]: it runs and strikes in one turn",
            "the scout would run 4 squares and strike the captain of Blue on e8; by scout-strike=adjacent it \
             strikes only the square next to it",
        ),
    ] {
        assert_eq!(told(&position, turn), format!("Red {turn}: illegal [{clause}\npath: {path}"));
    }
}

#[test]
fn the_facts_of_real_games_fit_together_and_are_the_judges() {
    let rules = rules("isf", &[], &[("no-attack", "off"), ("length", "off")]);
    let mut chased = 0;
    for line in include_str!("../data/more_squares.jsonl").lines() {
        let game: arbiter::record::PlainGame = serde_json::from_str(line).unwrap();
        let mut position = notation::position(&rules, game.field.as_deref().unwrap(), Colour::Red).unwrap();
        for turn in &game.moves {
            let RecordedTurn::Move(written, _) = turn else { panic!("{turn}") };
            let mv = written.on(position.board()).unwrap();
            if position.judge_geometry(mv) == Err(arbiter::game::Illegal::NotYours) {
                position = notation::position(&rules, game.field.as_deref().unwrap(), Colour::Blue).unwrap();
            }
            let shuttle = position.shuttle(mv).unwrap();
            assert_eq!(shuttle.barred, shuttle.sharing >= shuttle.limit, "{} {turn}", game.id);
            let facts = position.chase_facts(mv).unwrap();
            for chase in &facts.turns {
                assert!(
                    chase.threatened.iter().any(|(_, square)| *square == chase.reply.from),
                    "{}",
                    game.id
                );
            }
            assert!(facts.turns.last().is_none_or(|turn| turn.ply + 1 == position.plies()), "{}", game.id);
            assert_eq!(facts.turns.is_empty(), facts.evaders.is_empty(), "{} {turn}", game.id);
            let barred = shuttle.barred || facts.barred();
            assert_eq!(position.play(mv, None).is_err(), barred, "{} {turn}", game.id);
            chased += usize::from(facts.barred());
        }
    }
    assert_eq!(chased, 110, "the last move of every game but one");
}
