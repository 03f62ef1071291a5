//! Why a move is legal or not, in sentences: path, battle, rescue, what each repetition rule counts.
//!
//! It judges nothing. Every sentence says a fact that [`Position`]'s own judgement rests on.

use crate::game::{
    Battle, Chase, ChaseFacts, ChaseRuling, Colour, Coordinates, Ending, Illegal, Move, NoRescue, Outcome,
    PieceId, Position, Rank, Rescue, RescueChoice, Shuttle, Square, fight, notation::WrittenMove,
};

/// Explains a move of the side to move, with the rescue that is part of it. Its squares may be off the board.
pub fn explain(
    position: &Position,
    written: WrittenMove,
    rescue: Option<(Rank, Coordinates)>,
) -> Vec<String> {
    let teller = Teller(position);
    let side = position.to_move().title();
    let board = position.board();
    let rescue_words = rescue.map_or(String::new(), |(rank, to)| format!(" rescue {} {to}", rank.letter()));
    let choice = rescue.map(|(rank, to)| board.square(to).map(|to| RescueChoice { rank, to }));
    let judged = written.on(board).and_then(|mv| match choice {
        Some(None) => position.judge(mv).and(Err(Illegal::Rescue)),
        Some(Some(choice)) => position.judge_turn(mv, Some(choice)),
        None => position.judge(mv),
    });
    let verdict = match judged {
        Ok(()) => "legal".to_owned(),
        Err(illegal) => format!("illegal [{}]: it {}", illegal.clause(), illegal.because()),
    };
    let mut text = vec![format!("{side} {written}{rescue_words}: {verdict}")];
    if let Some(ending) = position.outcome() {
        text.push(format!("game: it is over before this ply ({}), so no move follows", ended(ending)));
    }
    let mv = match written.on(board).and_then(|mv| position.judge_geometry(mv).map(|()| mv)) {
        Ok(mv) => mv,
        Err(illegal) => {
            text.push(format!("path: {}", teller.no_path(written, illegal)));
            return text;
        }
    };
    let (_, rank) = position.piece(mv.from).expect("a move that squares and pieces allow has a piece");
    text.push(format!("path: {}", teller.path(rank, mv)));
    match position.piece(mv.to) {
        None => text.push("battle: none".to_owned()),
        Some((_, defender)) => teller.battle(mv, fight(position.rules(), rank, defender), &mut text),
    }
    if let Some((rank, to)) = rescue {
        teller.rescue(mv, rank, to, &mut text);
    }
    match position.shuttle(mv) {
        None => text.push("two-squares: the rule book has no such rule".to_owned()),
        Some(shuttle) => teller.shuttle(mv, &shuttle, &mut text),
    }
    match position.chase_facts(mv) {
        None => text.push("chase: the rule book has no such rule".to_owned()),
        Some(facts) => teller.chase(&facts, &mut text),
    }
    text
}

/// `1 square`, `3 squares`.
fn count(n: usize, one: &str, more: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { more })
}

fn ended(ending: Ending) -> String {
    match ending.winner() {
        Some(winner) => format!("{} won by {}", winner.title(), ending.reason()),
        None => format!("a draw by {}", ending.reason()),
    }
}

fn barred(yes: bool) -> &'static str {
    if yes { "barred" } else { "not barred" }
}

/// Puts the facts of one position into words.
struct Teller<'a>(&'a Position);

impl Teller<'_> {
    fn name(&self, square: Square) -> String {
        self.0.board().coordinates(square).to_string()
    }

    fn side(&self) -> Colour {
        self.0.to_move()
    }

    /// What stands on a square: `the captain of Blue on e6`.
    fn standing(&self, square: Square) -> String {
        match self.0.piece(square) {
            Some((piece, rank)) => {
                format!("the {} of {} on {}", rank.name(), piece.colour().title(), self.name(square))
            }
            None if self.0.board().is_lake(square) => format!("the lake on {}", self.name(square)),
            None => format!("nothing on {}", self.name(square)),
        }
    }

    fn path(&self, rank: Rank, mv: Move) -> String {
        let over: Vec<String> = self.0.crossed(mv).map(|square| self.name(square)).collect();
        let (from, to) = (self.name(mv.from), self.name(mv.to));
        match over.as_slice() {
            [] => format!("the {} goes from {from} to {to}, the next square", rank.name()),
            over => format!(
                "the {} runs from {from} over {} to {to}; all of it is open",
                rank.name(),
                over.join(" ")
            ),
        }
    }

    /// Why squares and pieces forbid the move.
    fn no_path(&self, written: WrittenMove, illegal: Illegal) -> String {
        let board = self.0.board();
        let (size, side) = (format!("{}x{}", board.width(), board.height()), self.side().title());
        let (from, to) = match (board.square(written.from), board.square(written.to)) {
            (Some(from), Some(to)) => (from, to),
            (None, _) => return format!("{} is no square of the {size} board", written.from),
            (_, None) => return format!("{} is no square of the {size} board", written.to),
        };
        let mv = Move { from, to };
        match illegal {
            Illegal::OffBoard => format!("it is not on the {size} board"),
            Illegal::NoPiece => format!("there is {}", self.standing(from)),
            Illegal::NotYours => format!("it would move {}, and it is {side}'s turn", self.standing(from)),
            Illegal::Immobile => format!("it would move {}; bombs and flags never move", self.standing(from)),
            Illegal::SameSquare => format!("it starts and ends on {}", self.name(from)),
            Illegal::Lake => format!("it ends in {}", self.standing(to)),
            Illegal::OwnPiece => format!("it ends where {side}'s own piece stands: {}", self.standing(to)),
            Illegal::NotStraight => {
                format!("{} and {} lie neither on one file nor on one rank", self.name(from), self.name(to))
            }
            Illegal::TooFar => {
                let far = self.0.crossed(mv).count() + 1;
                format!("{} goes one square a turn, not {far}", self.standing(from))
            }
            Illegal::Blocked => {
                let obstacle = self.0.obstacle(mv).map_or(String::new(), |square| self.standing(square));
                format!("in its way from {} to {} is {obstacle}", self.name(from), self.name(to))
            }
            Illegal::StrikeFar => format!(
                "the scout would run {} and strike {}; by scout-strike={} it strikes only the square next to it",
                count(self.0.crossed(mv).count() + 1, "square", "squares"),
                self.standing(to),
                self.0.rules().scout_strike.word()
            ),
            // These are judged where squares and pieces allow the move.
            Illegal::TwoSquares | Illegal::Chase | Illegal::Rescue => illegal.because().to_owned(),
        }
    }

    fn battle(&self, mv: Move, battle: Battle, text: &mut Vec<String>) {
        let rules = self.0.rules();
        let follows = match battle.outcome {
            Outcome::Won => format!(
                "the {} leaves the board, and the attacker stands on {}",
                battle.defender.name(),
                self.name(mv.to)
            ),
            Outcome::Lost if battle.advances => {
                format!(
                    "the {} leaves the board, and the defender goes to {}",
                    battle.attacker.name(),
                    self.name(mv.from)
                )
            }
            Outcome::Lost => format!(
                "the {} leaves the board, and the defender stays on {}",
                battle.attacker.name(),
                self.name(mv.to)
            ),
            Outcome::Both => "both leave the board".to_owned(),
        };
        text.push(format!(
            "battle: {} strikes {}: {}; {follows}",
            battle.attacker.name(),
            battle.defender.name(),
            battle.outcome.word()
        ));
        // What each side is told is asked of the same function that builds the bots' lines.
        let played = self.0.clone().play_known(mv);
        let told = Colour::BOTH.map(|side| {
            let seen = played.seen_by(side, rules).battle.expect("this move is a battle");
            let letter = |rank: Option<Rank>| rank.map_or('?', Rank::letter);
            let words =
                format!("{} {} {}", letter(seen.attacker), letter(seen.defender), seen.outcome.word());
            format!(
                "{} is told `battle {words}{}`",
                side.title(),
                if seen.advances { " advances" } else { "" }
            )
        });
        text.push(format!("  {}", told.join(", ")));
    }

    fn rescue(&self, mv: Move, rank: Rank, to: Coordinates, text: &mut Vec<String>) {
        let rules = self.0.rules();
        let (side, book) = (self.side().title(), rules.rescue.word());
        let zone = if rules.rescue == Rescue::Text000 { "deployment rows" } else { "back row" };
        let asked = match self.0.board().square(to) {
            Some(square) => self.0.rescued(mv, RescueChoice { rank, to: square }),
            None => Err(NoRescue::Place),
        };
        let mover = self.0.piece(mv.from).map_or("piece", |(_, rank)| rank.name());
        text.push(match asked {
            Ok(_) => format!(
                "rescue={book}: it ends on the far row, and {side}'s captured {} may come back to {to}",
                rank.name()
            ),
            Err(why) => {
                let why = match why {
                    NoRescue::Off => "the rule book has none".to_owned(),
                    NoRescue::NotFarRow => format!("{} is not on the opponent's back row", self.name(mv.to)),
                    NoRescue::Scout => "the moving piece is a scout, which does not rescue".to_owned(),
                    NoRescue::TwoMade => format!("{side} has made two rescues already"),
                    NoRescue::SamePiece => format!("this {mover} has made a rescue already"),
                    NoRescue::Rank => format!("a {} does not come back", rank.name()),
                    NoRescue::Place => format!("{to} is not on {side}'s {zone}"),
                    NoRescue::Occupied => format!("{to} is not free after the move"),
                    NoRescue::NoneCaptured => format!("no {} of {side} is captured", rank.name()),
                };
                format!("rescue={book}: none is given: {why}")
            }
        });
        let strike = self.0.piece(mv.to).map(|(_, struck)| {
            let (_, rank) = self.0.piece(mv.from).expect("a move that squares and pieces allow has a piece");
            fight(rules, rank, struck).outcome
        });
        if asked.is_ok() && strike.is_some_and(|outcome| outcome != Outcome::Won) {
            text.push("  the strike is not won, so the rescue lapses, and costs nothing".to_owned());
        }
    }

    fn shuttle(&self, mv: Move, shuttle: &Shuttle, text: &mut Vec<String>) {
        let (side, limit, board) = (self.side().title(), shuttle.limit, self.0.board());
        text.push(format!(
            "two-squares={limit}: a move is barred when it and the player's last {} by one piece, across one border",
            count(limit as usize, "move are", "moves are")
        ));
        // The moves are told oldest first, as they were played.
        let moves: Vec<String> =
            shuttle.moves.iter().rev().map(|(ply, mv)| format!("ply {ply} {}", mv.written(board))).collect();
        if moves.is_empty() {
            text.push(format!("  none of {side}'s moves just before it was by this piece"));
        } else {
            // A piece that went about for long has a long list; no more of it than the rule could count is told.
            let most = (limit as usize).max(shuttle.sharing as usize) + 1;
            let (skipped, last) = moves.split_at(moves.len().saturating_sub(most));
            let earlier =
                if skipped.is_empty() { String::new() } else { format!("({} earlier) ", skipped.len()) };
            text.push(format!("  {side}'s last moves by this piece: {earlier}{}", last.join(", ")));
        }
        let border = |(a, b): &(Square, Square)| format!("{}/{}", self.name(*a), self.name(*b));
        let borders: Vec<String> = shuttle.borders.iter().map(border).collect();
        let mut plies: Vec<u32> =
            shuttle.moves.iter().take(shuttle.sharing as usize).map(|(ply, _)| *ply).collect();
        plies.reverse();
        let plies: Vec<String> = plies.iter().map(u32::to_string).collect();
        let crossed = match plies.as_slice() {
            [] => format!("  {} crosses {}; none of them did", mv.written(board), borders.join(" ")),
            [ply] => format!("  border {}: ply {ply} and this move", borders.join(" ")),
            plies => format!("  border {}: plies {} and this move", borders.join(" "), plies.join(", ")),
        };
        text.push(crossed);
        text.push(format!(
            "  so it is {}: {} of {limit}",
            barred(shuttle.barred),
            count(shuttle.sharing as usize, "counted move", "counted moves")
        ));
    }

    fn chase(&self, facts: &ChaseFacts, text: &mut Vec<String>) {
        let (side, other, board) = (self.side().title(), self.side().other().title(), self.0.board());
        text.push(match facts.reading {
            Chase::Any => "chase=any: a move of a live chase is barred when it threatens any piece and the pieces stood so before in the chase, whoever was to move".to_owned(),
            _ => format!("chase={}: a move of a live chase is barred when it threatens a piece that evaded in it and brings back a position of it", facts.reading.word()),
        });
        let evader = |square: &Square| facts.evaders.contains(square);
        for turn in &facts.turns {
            let threatened: Vec<String> =
                turn.threatened.iter().map(|(piece, square)| self.threatened(*piece, *square)).collect();
            text.push(format!(
                "  ply {} {side} {} threatens {}; ply {} {other} {} evades",
                turn.ply,
                turn.mv.written(board),
                threatened.join(", "),
                turn.ply + 1,
                turn.reply.written(board)
            ));
        }
        if !facts.turns.is_empty() {
            text.push(format!("  evaders: {}", self.list(&facts.evaders, |_| "")));
            let mark = |square: &Square| if evader(square) { " (evaded)" } else { " (has not evaded)" };
            let threatens = self.list(&facts.threatens, mark);
            if facts.ruling != ChaseRuling::Battle {
                text.push(format!("  this move threatens: {threatens}"));
            }
        }
        let so = barred(facts.barred());
        text.push(match facts.ruling {
            ChaseRuling::NoChase => format!("  so it is {so}: no chase by {side} is alive"),
            ChaseRuling::NoEvasion => format!("  so it is {so}: nothing has evaded yet"),
            ChaseRuling::Battle => format!("  so it is {so}: a battle ends all chases"),
            ChaseRuling::NoThreat if facts.reading == Chase::Any => {
                format!("  so it is {so}: it threatens nothing")
            }
            ChaseRuling::NoThreat => format!("  so it is {so}: it threatens no piece that evaded"),
            ChaseRuling::Undo => {
                let though = facts
                    .repeats
                    .map_or(String::new(), |ply| format!(", though the position after ply {ply} comes back"));
                format!("  so it is {so}: it is the exact undo of {side}'s own previous move{though}")
            }
            ChaseRuling::NewPosition => {
                format!("  so it is {so}: the position after it has not stood in this chase")
            }
            ChaseRuling::Repeats(ply) => {
                format!("  so it is {so}: it brings back the position that stood after ply {ply}")
            }
        });
    }

    fn threatened(&self, piece: PieceId, square: Square) -> String {
        format!("{} {}", self.0.rank_of(piece).name(), self.name(square))
    }

    fn list(&self, squares: &[Square], mark: impl Fn(&Square) -> &'static str) -> String {
        let names: Vec<String> = squares
            .iter()
            .map(|square| {
                let rank = self.0.piece(*square).map_or("", |(_, rank)| rank.name());
                format!("{rank} {}{}", self.name(*square), mark(square))
            })
            .collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}
