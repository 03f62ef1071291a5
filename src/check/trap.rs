//! Positions given by history in which a bot is easily wrong, found by playing: both sides are scripted, and the
//! first position of the wanted kind is taken. The same rules, side and seed give the same position.

use std::sync::Arc;

use super::opponent::{Opponent, Temper, deployment, may_rescue, squares};
use crate::game::{
    Colour, Deployment, Filling, Illegal, Move, MoveList, Position, Rank, RescueChoice, RuleSet, Rules,
};
use crate::tournament::Draws;

/// What is to be special about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// Nothing but its past: so many plies at least.
    Past(u32),
    /// The way back of the piece that moved last is barred by the two-squares rule.
    Shuttled,
    /// The same, while that piece is threatened.
    Cornered,
    /// A move that goes on with the chase is barred by the chase rule.
    Chased,
    /// A scout has an enemy at the end of a run, and must not strike it.
    RunAndStrike,
    /// There is exactly one legal move.
    OneMove,
    /// A move may bring a piece back.
    MayRescue,
    /// The other side brought a piece back.
    Rescued,
    /// A defender stepped to the square that its attacker came from.
    Advanced,
    /// A strike was lost, and the defender's rank not told.
    NotTold,
}

/// A position of that kind, as the game that leads to it.
#[derive(Clone, Debug)]
pub struct Trapped {
    /// Red's deployment and Blue's.
    pub deployments: [Deployment; 2],
    /// Who moved first.
    pub first: Colour,
    /// The moves played.
    pub history: Vec<(Move, Option<RescueChoice>)>,
    /// The move that a bot may be tempted to make, and must not.
    pub bait: Option<Move>,
}

impl Trap {
    /// The changes of a rule book without which there are no such positions.
    pub fn changes(self, rules: &RuleSet) -> Vec<(&'static str, &'static str)> {
        let off = |name: &str| rules.get(name).is_some_and(|value| value == "off");
        match self {
            Trap::Past(plies) if plies > 200 => {
                vec![("no-attack", "off"), ("length", "off"), ("repetition", "off")]
            }
            Trap::Past(_) | Trap::OneMove => vec![],
            Trap::Shuttled | Trap::Cornered if off("two-squares") => {
                vec![("two-squares", "3"), ("repetition", "off"), ("no-attack", "off")]
            }
            Trap::Shuttled | Trap::Cornered => vec![("repetition", "off"), ("no-attack", "off")],
            Trap::Chased if off("chase") => {
                vec![("chase", "isf"), ("repetition", "off"), ("no-attack", "off")]
            }
            Trap::Chased => vec![("repetition", "off"), ("no-attack", "off")],
            Trap::RunAndStrike => vec![("scout-strike", "adjacent")],
            Trap::MayRescue | Trap::Rescued => vec![("no-attack", "off")],
            Trap::Advanced => vec![("winner-advances", "any")],
            Trap::NotTold => vec![("silent-defence", "on"), ("captured", "owner")],
        }
    }

    /// How the bot's side and the other are played while the position is looked for.
    fn tempers(self) -> (Temper, Temper) {
        match self {
            Trap::Past(plies) if plies > 200 => (Temper::Quiet, Temper::Quiet),
            Trap::Past(_) | Trap::RunAndStrike => (Temper::Random, Temper::Random),
            Trap::Shuttled => (Temper::Shuttle, Temper::Shuttle),
            Trap::Cornered => (Temper::Run, Temper::Chase),
            Trap::Chased => (Temper::Chase, Temper::Run),
            Trap::OneMove => (Temper::Waste, Temper::Strike),
            Trap::MayRescue => (Temper::Reach, Temper::Strike),
            Trap::Rescued => (Temper::Strike, Temper::Reach),
            Trap::Advanced | Trap::NotTold => (Temper::Waste, Temper::Random),
        }
    }

    /// Games tried, and plies of each.
    fn patience(self) -> (u64, u32) {
        match self {
            Trap::Past(plies) if plies > 200 => (20, plies + 4),
            _ => (400, 300),
        }
    }
}

/// Looks for a position in which `side` is to move.
pub fn find(trap: Trap, rules: &Arc<Rules>, side: Colour, seed: u64) -> Option<Trapped> {
    let (tries, plies) = trap.patience();
    (0..tries).find_map(|n| search(trap, rules, side, seed.wrapping_add(n << 32), plies))
}

fn search(trap: Trap, rules: &Arc<Rules>, side: Colour, seed: u64, plies: u32) -> Option<Trapped> {
    let mut draws = Draws::new(seed);
    let deployments = Colour::BOTH.map(|colour| match (trap, rules.deployment) {
        (Trap::OneMove, Filling::Filled) if colour == side => walled(rules, side, &mut draws),
        _ => deployment(rules, &mut draws),
    });
    let first = if draws.below(2) == 0 { Colour::Red } else { Colour::Blue };
    let mut position = Position::new(rules.clone(), &deployments[0], &deployments[1], first);
    let (own, other) = trap.tempers();
    let mut players = Colour::BOTH.map(|colour| {
        let temper = if colour == side { own } else { other };
        Opponent::new(temper, seed ^ (1 + colour.index() as u64))
    });
    let mut history = Vec::new();
    let mut seen = false;
    for _ in 0..=plies {
        if position.outcome().is_some() {
            return None;
        }
        if position.to_move() == side
            && let Some(bait) = sprung(trap, &position, side, &history, seen)
        {
            return Some(Trapped { deployments, first, history, bait });
        }
        let turn = players[position.to_move().index()].choose(&position);
        let played = position.play(turn.0, turn.1).ok()?;
        history.push(turn);
        seen |= match trap {
            Trap::Rescued => played.mover != side && played.rescue.is_some(),
            Trap::Advanced => played.battle.is_some_and(|battle| battle.advances),
            Trap::NotTold => {
                let told = played.seen_by(side, rules);
                told.battle.is_some_and(|battle| battle.defender.is_none())
            }
            _ => false,
        };
    }
    None
}

/// Whether the position is of the wanted kind, and which move baits there.
fn sprung(
    trap: Trap,
    position: &Position,
    side: Colour,
    history: &[(Move, Option<RescueChoice>)],
    seen: bool,
) -> Option<Option<Move>> {
    let way_back = || {
        let &(last, _) = history.iter().rev().nth(1)?;
        let back = Move { from: last.to, to: last.from };
        (position.judge(back) == Err(Illegal::TwoSquares)).then_some(back)
    };
    match trap {
        Trap::Past(plies) => (position.plies() >= plies).then_some(None),
        Trap::Shuttled => way_back().map(Some),
        Trap::Cornered => {
            let back = way_back()?;
            let threatened = position.board().coordinates(back.from);
            let beside = position.pieces().any(|(square, piece, rank)| {
                let at = position.board().coordinates(square);
                piece.colour() != side
                    && rank.moves()
                    && at.file.abs_diff(threatened.file) + at.rank.abs_diff(threatened.rank) == 1
            });
            beside.then_some(Some(back))
        }
        Trap::Chased => barred(position, Illegal::Chase).map(Some),
        Trap::RunAndStrike => barred(position, Illegal::StrikeFar).map(Some),
        Trap::OneMove => {
            let mut legal = MoveList::new();
            position.legal_moves(&mut legal);
            (legal.len() == 1).then_some(None)
        }
        Trap::MayRescue => {
            let mut legal = MoveList::new();
            position.legal_moves(&mut legal);
            legal.iter().any(|&mv| may_rescue(position, mv)).then_some(None)
        }
        Trap::Rescued | Trap::Advanced | Trap::NotTold => seen.then_some(None),
    }
}

/// A move of the side to move that is refused for this one reason.
pub(super) fn barred(position: &Position, why: Illegal) -> Option<Move> {
    let side = position.to_move();
    let movers = position.pieces().filter(|(_, piece, rank)| piece.colour() == side && rank.moves());
    let mut moves = movers.flat_map(|(from, ..)| squares(position).map(move |to| Move { from, to }));
    moves.find(|&mv| position.judge(mv) == Err(why))
}

/// A deployment that leaves one square open: bombs, and the flag, stand wherever the front could move.
fn walled(rules: &Rules, side: Colour, draws: &mut Draws) -> Deployment {
    let board = &rules.board;
    let drawn = Deployment::draw(rules, |n| draws.below(n));
    let mut letters: Vec<char> = drawn.squares().iter().map(|s| s.map_or('.', Rank::letter)).collect();
    let front = board.deployment_squares() - usize::from(board.width());
    let open = |place: usize| {
        let at = board.coordinates(board.deployment_square(side, place));
        let ahead = match side {
            Colour::Red => at.rank.checked_add(1),
            Colour::Blue => at.rank.checked_sub(1),
        };
        let ahead = ahead.and_then(|rank| board.square(crate::game::Coordinates { rank, ..at }));
        ahead.is_some_and(|square| !board.is_lake(square))
    };
    let fixed = |letter: char| letter == 'B' || letter == 'F';
    let mut doors: Vec<usize> = (front..letters.len()).filter(|&place| open(place)).collect();
    let door = doors.swap_remove(draws.below(doors.len()));
    for place in doors {
        if !fixed(letters[place])
            && let Some(bomb) = (0..front)
                .chain(front..letters.len())
                .find(|&other| fixed(letters[other]) && (other < front || !open(other) || other == door))
        {
            letters.swap(place, bomb);
        }
    }
    // A scout in the door would have several moves.
    if (fixed(letters[door]) || letters[door] == '2')
        && let Some(piece) = (0..front).find(|&other| !fixed(letters[other]) && letters[other] != '2')
    {
        letters.swap(door, piece);
    }
    let text: String = letters.into_iter().collect();
    Deployment::parse(rules, &text).unwrap_or(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{BOOKS, book};

    #[test]
    fn a_position_of_every_kind_is_found_under_every_book_and_for_both_sides() {
        let kinds = [
            Trap::Past(30),
            Trap::Shuttled,
            Trap::Cornered,
            Trap::Chased,
            Trap::RunAndStrike,
            Trap::OneMove,
            Trap::MayRescue,
            Trap::Rescued,
            Trap::Advanced,
            Trap::NotTold,
        ];
        for (name, _) in BOOKS {
            for (n, trap) in kinds.into_iter().enumerate() {
                let mut set = book(name).unwrap();
                for (key, value) in trap.changes(&set) {
                    set.set(key, value).unwrap();
                }
                if matches!(trap, Trap::MayRescue | Trap::Rescued) {
                    set.set("rescue", "000").unwrap();
                }
                let side = Colour::BOTH[n % 2];
                let rules = Rules::new(set).unwrap();
                let found = find(trap, &rules, side, 7).unwrap_or_else(|| panic!("{name}: no {trap:?}"));
                let [red, blue] = &found.deployments;
                let mut position = Position::new(rules.clone(), red, blue, found.first);
                for (mv, rescue) in found.history {
                    assert_eq!(position.outcome(), None);
                    position.play(mv, rescue).unwrap();
                }
                assert_eq!((position.outcome(), position.to_move()), (None, side));
                if let Some(bait) = found.bait {
                    assert!(position.judge(bait).is_err(), "{name}: {trap:?}");
                }
            }
        }
    }
}
