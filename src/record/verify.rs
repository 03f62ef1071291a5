//! Re-refereeing: a recorded game is played again under a rule set and compared with what its record says.

use std::sync::Arc;

use serde::Serialize;

use super::foreign::{self, ForeignGame, PlainGame, Told};
use super::game::{GameRecord, RecordedBattle, RecordedTurn};
use crate::game::{
    Battle, Colour, Deployment, Ending, Illegal, Position, Rank, RescueChoice, Rules, notation,
};
use crate::referee::{Adjudicated, Adjudication};

/// What re-refereeing a game found, one JSON object a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The game.
    pub id: String,
    /// Plies in the record.
    pub plies: u32,
    /// The first move that the rules refuse.
    pub first_illegal: Option<FirstIllegal>,
    /// The first thing in the record that is not so.
    pub outcome_mismatch: Option<Mismatch>,
}

impl Finding {
    /// Whether the record and the rules agree. A move that the record itself calls illegal is agreed upon.
    pub fn agrees(&self) -> bool {
        self.outcome_mismatch.is_none() && self.first_illegal.as_ref().is_none_or(|i| i.recorded)
    }
}

/// The first illegal move of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FirstIllegal {
    /// From 1.
    pub ply: u32,
    /// The broken clause.
    pub clause: &'static str,
    /// The move as it stands there.
    #[serde(rename = "move")]
    pub turn: String,
    /// Whether the record says so too.
    pub recorded: bool,
}

/// Something the record says that is not so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The ply after which it shows, from 1; 0 before the first.
    pub ply: u32,
    /// What the record says.
    pub recorded: String,
    /// What the rules say.
    pub refereed: String,
}

/// A game to be played again: where it starts and what it claims.
struct Replay<'a> {
    id: &'a str,
    position: Position,
    turns: &'a [RecordedTurn],
}

fn battle_words(b: &Battle) -> String {
    let advances = if b.advances { " advances" } else { "" };
    format!("battle {} {} {}{advances}", b.attacker.letter(), b.defender.letter(), b.outcome.word())
}

fn ending_words(ending: Option<Ending>) -> String {
    match ending {
        None => "the game goes on".to_owned(),
        Some(e) => format!("{} {}", e.winner().map_or("draw", Colour::word), e.reason()),
    }
}

impl Replay<'_> {
    /// Plays the turns, asking `claims` after each whether the record agrees with its battle. Returns the finding
    /// so far, and the position it came to.
    fn run(
        self,
        mut recorded_illegal: impl FnMut(u32) -> bool,
        mut claims: impl FnMut(u32, Option<&Battle>) -> Option<(String, String)>,
    ) -> (Finding, Position) {
        let Replay { id, mut position, turns } = self;
        let mut finding = Finding {
            id: id.to_owned(),
            plies: turns.len() as u32,
            first_illegal: None,
            outcome_mismatch: None,
        };
        for (index, turn) in turns.iter().enumerate() {
            let ply = index as u32 + 1;
            let mut refuse = |clause| {
                finding.first_illegal = Some(FirstIllegal {
                    ply,
                    clause,
                    turn: turn.to_string(),
                    recorded: recorded_illegal(ply),
                });
            };
            let RecordedTurn::Move(written, rescue) = turn else {
                refuse("move.syntax");
                break;
            };
            if let Some(ending) = position.outcome() {
                finding.outcome_mismatch = Some(Mismatch {
                    ply: ply - 1,
                    recorded: format!("the game goes on with {turn}"),
                    refereed: ending_words(Some(ending)),
                });
                break;
            }
            match play(&mut position, *written, *rescue) {
                Err(illegal) => {
                    refuse(illegal.clause());
                    break;
                }
                Ok(battle) => {
                    if let Some((recorded, refereed)) = claims(ply, battle.as_ref()) {
                        finding.outcome_mismatch = Some(Mismatch { ply, recorded, refereed });
                        break;
                    }
                }
            }
        }
        (finding, position)
    }
}

fn play(
    position: &mut Position,
    written: notation::WrittenMove,
    rescue: Option<(Rank, crate::game::Coordinates)>,
) -> Result<Option<Battle>, Illegal> {
    let mv = written.on(position.board())?;
    let rescue = match rescue {
        Some((rank, to)) => {
            Some(RescueChoice { rank, to: position.board().square(to).ok_or(Illegal::Rescue)? })
        }
        None => None,
    };
    Ok(position.play(mv, rescue)?.battle)
}

fn broken(id: &str, plies: usize, recorded: String, refereed: String) -> Finding {
    Finding {
        id: id.to_owned(),
        plies: plies as u32,
        first_illegal: None,
        outcome_mismatch: Some(Mismatch { ply: 0, recorded, refereed }),
    }
}

/// Re-referees a game of our own journal; by scores only where it is known what they were to end.
pub fn verify_record(
    record: &GameRecord,
    rules: &Arc<Rules>,
    adjudication: Option<&Adjudication>,
) -> Finding {
    let bad = |recorded: String, refereed: String| broken(&record.id, record.moves.len(), recorded, refereed);
    let Some(first) = Colour::from_word(&record.first) else {
        return bad(format!("first {}", record.first), "red or blue".to_owned());
    };
    let mut deployments = Vec::new();
    for (colour, text) in [(Colour::Red, &record.setup.red), (Colour::Blue, &record.setup.blue)] {
        match text.as_deref().map(|t| Deployment::parse(rules, t)) {
            Some(Ok(deployment)) => deployments.push(deployment),
            Some(Err(e)) => {
                return bad(format!("{colour}'s deployment"), format!("{}: {e}", e.clause()));
            }
            // Without both deployments no game was played: there is nothing more to compare.
            None if record.moves.is_empty() => {
                return Finding {
                    id: record.id.clone(),
                    plies: 0,
                    first_illegal: None,
                    outcome_mismatch: None,
                };
            }
            None => return bad("moves".to_owned(), format!("no deployment of {colour}")),
        }
    }
    let position = Position::new(rules.clone(), &deployments[0], &deployments[1], first);
    let mut battles = record.battles.iter().peekable();
    let claims = |ply: u32, battle: Option<&Battle>| {
        let recorded = battles.next_if(|b| b.ply <= ply);
        let agrees = match (recorded, battle) {
            (Some(RecordedBattle { ply: at, battle: r }), Some(b)) => *at == ply && r == b,
            (None, None) => true,
            _ => false,
        };
        (!agrees).then(|| {
            let quiet = || "no battle".to_owned();
            (
                recorded.map_or_else(quiet, |r| battle_words(&r.battle)),
                battle.map_or_else(quiet, battle_words),
            )
        })
    };
    let replay = Replay { id: &record.id, position, turns: &record.moves };
    let (mut finding, position) = replay.run(|_| false, claims);
    if finding.first_illegal.is_none() && finding.outcome_mismatch.is_none() {
        finding.outcome_mismatch =
            compare_scores(record, adjudication, first).or_else(|| compare_end(record, &position));
    }
    finding
}

const BOARD_REASONS: [&str; 6] =
    ["flag-captured", "no-legal-move", "both-immobile", "repetition", "no-attack", "length"];

/// Compares the end of a game with its scores: they end it when they first agree, and not without.
fn compare_scores(
    record: &GameRecord,
    adjudication: Option<&Adjudication>,
    first: Colour,
) -> Option<Mismatch> {
    let adjudication = adjudication?;
    let recorded = format!("{} {}", record.result, record.reason);
    let words = |how: Adjudicated| format!("{} {}", how.winner().map_or("draw", Colour::word), how.reason());
    let mut mover = first;
    for ply in 1..=record.scores.len() {
        if let Some(how) = adjudication.by_scores(&record.scores[..ply], mover) {
            // A game that ended by the board with the same move was not asked for its scores any more.
            let last = ply == record.scores.len();
            let before = BOARD_REASONS.contains(&record.reason.as_str())
                || record.reason == Adjudicated::DeadPosition.reason();
            let so = last && (before || recorded == words(how));
            return (!so).then(|| Mismatch { ply: ply as u32, recorded, refereed: words(how) });
        }
        mover = mover.other();
    }
    Adjudicated::is_by_scores(&record.reason).then(|| Mismatch {
        ply: record.plies,
        recorded,
        refereed: "the scores do not agree on it".to_owned(),
    })
}

/// Compares a record's result and reason with the position its moves led to.
fn compare_end(record: &GameRecord, position: &Position) -> Option<Mismatch> {
    let mismatch =
        |recorded: String, refereed: String| Some(Mismatch { ply: position.plies(), recorded, refereed });
    if record.result == "void" {
        return None;
    }
    let ended = position.outcome();
    let recorded = format!("{} {}", record.result, record.reason);
    let board_reason = BOARD_REASONS.contains(&record.reason.as_str());
    if board_reason != ended.is_some() || (board_reason && recorded != ending_words(ended)) {
        return mismatch(recorded, ending_words(ended));
    }
    if record.reason == Adjudicated::DeadPosition.reason() && !position.is_dead() {
        return mismatch(recorded, "it is not proved that neither side can win any more".to_owned());
    }
    if let Some(winner) = Colour::from_word(&record.result)
        && record.faults.iter().any(|f| f.side == winner.word())
    {
        return mismatch(recorded, format!("{winner} was at fault"));
    }
    for fault in &record.faults {
        if let Some(RecordedTurn::Move(written, rescue)) = &fault.attempt {
            let judged = play(&mut position.clone(), *written, *rescue);
            let clause = judged.err().map_or("legal", Illegal::clause);
            if clause != fault.clause {
                return mismatch(format!("{written} breaks {}", fault.clause), clause.to_owned());
            }
        }
    }
    None
}

/// The position of a recorded game after so many plies, and the turn that the record has next: where it has no more,
/// the illegal one by which the side to move lost.
///
/// # Errors
/// A sentence: a record without deployments, fewer plies than asked for, an illegal move on the way.
pub fn position_after(
    game: RecordRef<'_>,
    rules: &Arc<Rules>,
    plies: u32,
) -> Result<(Position, Option<RecordedTurn>), String> {
    let (mut position, turns) = match game {
        RecordRef::Own(record) => {
            let first = Colour::from_word(&record.first).ok_or("the record does not say who moved first")?;
            let read = |text: &Option<String>| {
                let text = text.as_deref().ok_or("the record has no deployments")?;
                Deployment::parse(rules, text).map_err(|e| e.to_string())
            };
            let (red, blue) = (read(&record.setup.red)?, read(&record.setup.blue)?);
            (Position::new(rules.clone(), &red, &blue, first), &record.moves)
        }
        RecordRef::Foreign(game) => (foreign_start(game, rules).map_err(|e| e.to_string())?, &game.moves),
    };
    for (ply, turn) in (1..=plies).zip(turns) {
        let RecordedTurn::Move(written, rescue) = turn else {
            return Err(format!("ply {ply} of the record is unreadable: {turn}"));
        };
        play(&mut position, *written, *rescue)
            .map_err(|illegal| format!("ply {ply} of the record, {turn}, {}", illegal.because()))?;
    }
    if position.plies() < plies {
        return Err(format!("the record has {} plies, not {plies}", position.plies()));
    }
    let attempt = || match game {
        RecordRef::Own(record) => {
            let side = position.to_move().word();
            record.faults.iter().find(|fault| fault.side == side).and_then(|fault| fault.attempt.clone())
        }
        RecordRef::Foreign(_) => None,
    };
    let next = turns.get(plies as usize).cloned().or_else(attempt);
    Ok((position, next))
}

/// A recorded game of either kind.
#[derive(Clone, Copy, Debug)]
pub enum RecordRef<'a> {
    /// A line of our own journal.
    Own(&'a GameRecord),
    /// A game from elsewhere.
    Foreign(&'a ForeignGame),
}

/// The position of a game from elsewhere before its first move.
fn foreign_start(game: &ForeignGame, rules: &Arc<Rules>) -> Result<Position, String> {
    let field = game.field.as_deref().ok_or("the record has no field")?;
    notation::position(rules, field, game.first_mover()).map_err(|e| e.to_string())
}

/// Re-referees a plain line: see [`verify_foreign`].
pub fn verify_plain(game: &PlainGame, rules: &Arc<Rules>) -> Finding {
    match ForeignGame::try_from(game.clone()) {
        Ok(game) => verify_foreign(&game, rules),
        Err(why) => broken(&game.id, game.moves.len(), "the line".to_owned(), why),
    }
}

/// Re-referees a game from elsewhere. Its field is taken as it stands: it need hold no whole army. Of what became of
/// moves, of the result and of the ending as much is compared as its log tells.
pub fn verify_foreign(game: &ForeignGame, rules: &Arc<Rules>) -> Finding {
    // A game that never came to its deployments: there is nothing to compare.
    if game.field.is_none() && game.moves.is_empty() {
        return Finding { id: game.id.clone(), plies: 0, first_illegal: None, outcome_mismatch: None };
    }
    let position = match foreign_start(game, rules) {
        Ok(position) => position,
        Err(why) => return broken(&game.id, game.moves.len(), "field".to_owned(), why),
    };
    let told = |ply: u32| game.told.get(ply as usize - 1).copied();
    let claims = |ply: u32, battle: Option<&Battle>| {
        let (recorded, refereed) = (told(ply)?, Told::of(battle));
        (recorded != refereed).then(|| (recorded.to_string(), refereed.to_string()))
    };
    let replay = Replay { id: &game.id, position, turns: &game.moves };
    let (mut finding, position) = replay.run(|ply| told(ply) == Some(Told::Illegal), claims);
    if finding.first_illegal.is_none() && finding.outcome_mismatch.is_none() {
        finding.outcome_mismatch = compare_foreign_end(game, &position);
    }
    finding
}

/// Compares the result and the ending that a log tells with the position its moves led to.
fn compare_foreign_end(game: &ForeignGame, position: &Position) -> Option<Mismatch> {
    let ended = position.outcome();
    let result = game.result.map(foreign::result_word);
    let winner = game.result.and_then(foreign::winner);
    let mismatch = |refereed: String| {
        let recorded = format!(
            "{} {}",
            result.unwrap_or("result unknown,"),
            game.reason.as_deref().unwrap_or("why unknown")
        );
        Some(Mismatch { ply: position.plies(), recorded: recorded.trim_end().to_owned(), refereed })
    };
    match game.reason.as_deref() {
        Some("flag-captured") => {
            let taken = matches!(ended, Some(Ending::FlagCaptured(by)) if winner.is_none_or(|w| w == by));
            if taken { None } else { mismatch(ending_words(ended)) }
        }
        // Other arenas end a game as soon as a side has nothing left to move, whoever's turn it is.
        Some("no-legal-move") => {
            let stuck = |side| !position.could_move(side);
            let so = match winner {
                Some(winner) => {
                    stuck(winner.other()) && ended.and_then(Ending::winner).is_none_or(|w| w == winner)
                }
                None => Colour::BOTH.into_iter().any(stuck),
            };
            if so { None } else { mismatch(ending_words(ended)) }
        }
        Some("both-immobile") => {
            let so = Colour::BOTH.into_iter().all(|side| !position.could_move(side));
            if so { None } else { mismatch(ending_words(ended)) }
        }
        // Where else a draw came in is its own rules' affair; the board has only not to have decided before.
        _ => {
            let decided = ended.and_then(Ending::winner);
            let so = match (decided, game.result) {
                (None, _) | (_, None) => true,
                (Some(by), Some(_)) => winner == Some(by),
            };
            if so { None } else { mismatch(ending_words(ended)) }
        }
    }
}
