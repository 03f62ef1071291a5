//! What is concluded from what was seen: a verdict for each case, and for each clause whose breach is a fault.

use std::collections::BTreeSet;
use std::time::Duration;

use super::catalogue::{Case, Level};
use super::spec;
use super::transcript::Transcript;
use crate::protocol::Clause;

/// How a case came out, as whoever drove it saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It went well; what is worth telling of it, if anything.
    Passed(String),
    /// It could not be tried, and why.
    NotExercised(String),
    /// The bot broke a clause of the protocol.
    Broke(Clause, String),
    /// The bot kept to the protocol's form, and not to this case's clause.
    Failed(String),
    /// The arena failed.
    Void(String),
}

/// What was seen while a case was driven.
#[derive(Clone, Debug)]
pub struct Driven {
    /// How it came out.
    pub outcome: Outcome,
    /// The clauses that the bot had the occasion to break.
    pub exercised: BTreeSet<Clause>,
    /// The end of the conversation.
    pub transcript: Transcript,
    /// The last lines of its standard error.
    pub stderr: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

/// A verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The clause is kept.
    Pass,
    /// A clause that says SHOULD is not kept.
    NonStrict,
    /// A clause that says MUST is not kept.
    Fail,
    /// Nothing can be said.
    NotExercised,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 4] = [Verdict::Pass, Verdict::NonStrict, Verdict::Fail, Verdict::NotExercised];

    /// The word for people and files.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::NonStrict => "non-strict",
            Verdict::Fail => "fail",
            Verdict::NotExercised => "not exercised",
        }
    }
}

/// One line of a report.
#[derive(Clone, Debug)]
pub struct Row {
    /// The case's name, or the slug of a clause that was watched in all cases.
    pub name: String,
    /// How much it binds.
    pub level: Level,
    /// What was done.
    pub about: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What was seen, or why nothing was.
    pub why: String,
    /// The case to run for this alone.
    pub seen_in: String,
    /// The end of the conversation, where it says something.
    pub transcript: Vec<String>,
    /// The last lines of standard error.
    pub stderr: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Row {
    /// The slug of its clause.
    pub fn clause(&self) -> &str {
        self.name.split('/').next().unwrap_or(&self.name)
    }

    /// Its clause in the specification.
    pub fn specified(&self) -> Option<&'static spec::Clause> {
        spec::clause(self.clause())
    }

    /// Whether it is a failure: of a SHOULD only where all is judged strictly.
    pub fn fails(&self, strict: bool) -> bool {
        self.verdict == Verdict::Fail || (strict && self.verdict == Verdict::NonStrict)
    }
}

/// All that a check says.
#[derive(Clone, Debug)]
pub struct Report {
    /// The bot's name here.
    pub bot: String,
    /// What it says that it is: name, version.
    pub calls_itself: Option<String>,
    /// Its program or script, as a path from where the check was run, where it lies below.
    pub program: String,
    /// The rule book of the games.
    pub rules: String,
    /// The seed.
    pub seed: u64,
    /// Whether a SHOULD counts as a MUST.
    pub strict: bool,
    /// The command that runs one case alone, without its name.
    pub command: String,
    /// The cases, then the clauses that were watched in all of them.
    pub rows: Vec<Row>,
    /// Where the arena failed: how often, and how.
    pub void: Vec<String>,
    /// What the bot was confined by, in words; nothing where it was not.
    pub confined: Option<String>,
    /// How long all took.
    pub took: Duration,
}

impl Report {
    /// How many rows have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }

    /// The rows that fail.
    pub fn failures(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.fails(self.strict))
    }

    /// Whether the bot passed.
    pub fn passed(&self) -> bool {
        self.failures().next().is_none()
    }

    /// The counts in words.
    pub fn summary(&self) -> String {
        let counts = Verdict::ALL.map(|verdict| format!("{} {}", self.count(verdict), verdict.word()));
        counts.join(", ")
    }

    /// What was played, and how.
    pub fn circumstances(&self) -> String {
        let strictly = if self.strict { ", strictly" } else { "" };
        let confined =
            self.confined.as_ref().map_or("not confined".to_owned(), |by| format!("confined by {by}"));
        format!("rules {}, seed {}{strictly}, {confined}", self.rules, self.seed)
    }

    /// The command that runs the case alone in which a row was seen.
    pub fn reproduce(&self, row: &Row) -> String {
        format!("{} --only {}", self.command, shell_words::quote(&row.seen_in))
    }
}

/// Concludes from what was seen, in the order of the cases. Of the clauses that were watched in all cases those are
/// told that were broken, and those whose slug is `wanted`. `bound` are the clauses of the limits that were set.
pub(super) fn conclude(
    cases: &[(Case, Driven)],
    wanted: impl Fn(&str) -> bool,
    bound: &BTreeSet<Clause>,
) -> Vec<Row> {
    // A fault that was seen where nothing but its own clause was at stake is no effect of some stimulus.
    let blamed: BTreeSet<Clause> = cases
        .iter()
        .filter(|(case, _)| !case.own)
        .filter_map(|(_, driven)| match &driven.outcome {
            Outcome::Broke(clause, _) => Some(*clause),
            _ => None,
        })
        .collect();
    let mut rows: Vec<Row> = cases.iter().map(|(case, driven)| judge(case, driven, &blamed)).collect();
    for &clause in Clause::ALL {
        let limit = clause.slug().strip_prefix("limit.").filter(|_| !bound.contains(&clause));
        watch(clause, cases, &mut rows, wanted(clause.slug()), limit);
    }
    rows
}

fn judge(case: &Case, driven: &Driven, blamed: &BTreeSet<Clause>) -> Row {
    let wrong = if case.level == Level::Must { Verdict::Fail } else { Verdict::NonStrict };
    let (verdict, why) = match &driven.outcome {
        Outcome::Passed(note) => (Verdict::Pass, note.clone()),
        Outcome::NotExercised(why) => (Verdict::NotExercised, why.clone()),
        Outcome::Void(why) => (Verdict::NotExercised, format!("the arena failed: {why}")),
        Outcome::Failed(why) => (wrong, why.clone()),
        Outcome::Broke(clause, why) if clause.slug() == case.clause() => (wrong, why.clone()),
        Outcome::Broke(clause, why) if case.own && !blamed.contains(clause) => {
            (wrong, format!("it {} [{clause}]: {why}", clause.meaning()))
        }
        Outcome::Broke(clause, why) => (Verdict::NotExercised, format!("it broke {clause} first: {why}")),
    };
    Row {
        name: case.name.clone(),
        level: case.level,
        about: case.about.clone(),
        verdict,
        why,
        seen_in: case.name.clone(),
        transcript: driven.transcript.lines(),
        stderr: driven.stderr.clone(),
        took: driven.took,
    }
}

/// The row of a clause whose breach is a fault: it is broken where any case saw that, and kept where there was an
/// occasion to break it. `unset` names its limit where there was none.
fn watch(
    clause: Clause,
    cases: &[(Case, Driven)],
    rows: &mut Vec<Row>,
    wanted: bool,
    unset: Option<&'static str>,
) {
    let row = rows.iter().position(|row| row.name == clause.slug());
    let broke = cases.iter().find_map(|(case, driven)| match &driven.outcome {
        Outcome::Broke(found, why) if *found == clause && (!case.own || case.clause() == clause.slug()) => {
            Some((case, driven, why))
        }
        _ => None,
    });
    let watched = |verdict, why: String, seen_in: String| Row {
        name: clause.slug().to_owned(),
        level: Level::Must,
        about: "watched in every case".to_owned(),
        verdict,
        why,
        seen_in,
        transcript: Vec::new(),
        stderr: Vec::new(),
        took: Duration::ZERO,
    };
    let new = match broke {
        Some((case, driven, why)) => Row {
            transcript: driven.transcript.lines(),
            stderr: driven.stderr.clone(),
            ..watched(Verdict::Fail, format!("in {}: {why}", case.name), case.name.clone())
        },
        None if row.is_some() || !wanted => return,
        None => {
            let times = cases.iter().filter(|(_, driven)| driven.exercised.contains(&clause)).count();
            if times > 0 {
                let first = cases.iter().find(|(_, driven)| driven.exercised.contains(&clause));
                let seen_in = first.map_or_else(String::new, |(case, _)| case.name.clone());
                watched(Verdict::Pass, format!("kept in {times} cases"), seen_in)
            } else {
                let why = match unset {
                    Some("cpu") => "no limit was set (--cpu-time)".to_owned(),
                    Some(limit) => format!("no limit was set (--{limit})"),
                    None => "no case came to where it could be broken".to_owned(),
                };
                watched(Verdict::NotExercised, why, String::new())
            }
        }
    };
    match row {
        Some(at) => rows[at] = new,
        None => rows.push(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::catalogue;

    fn driven(outcome: Outcome) -> Driven {
        Driven {
            outcome,
            exercised: BTreeSet::new(),
            transcript: Transcript::default(),
            stderr: Vec::new(),
            took: Duration::ZERO,
        }
    }

    fn verdicts(seen: &[(&str, Outcome)]) -> Vec<(String, Verdict)> {
        let all = catalogue();
        let case = |name: &str| all.iter().find(|case| case.name == name).unwrap().clone();
        let cases: Vec<_> =
            seen.iter().map(|(name, outcome)| (case(name), driven(outcome.clone()))).collect();
        conclude(&cases, |_| false, &BTreeSet::new()).into_iter().map(|row| (row.name, row.verdict)).collect()
    }

    #[test]
    fn a_fault_is_its_own_clause_s_and_not_the_case_s_in_which_it_came_up() {
        let broke = Outcome::Broke(Clause::MoveBlocked, "a4a9".into());
        let rows = verdicts(&[("turn.answer/random", broke)]);
        let expected = [("turn.answer/random", Verdict::NotExercised), ("move.blocked", Verdict::Fail)];
        assert_eq!(rows, expected.map(|(name, verdict)| (name.to_owned(), verdict)));
    }

    #[test]
    fn a_fault_behind_a_stimulus_is_the_stimulus_s_unless_it_came_up_without_one_too() {
        let broke = || Outcome::Broke(Clause::LineUnknown, "error".into());
        let rows = verdicts(&[("line.future/line", broke())]);
        assert_eq!(rows, [("line.future/line".to_owned(), Verdict::Fail)]);
        let rows = verdicts(&[("line.future/line", broke()), ("turn.answer/random", broke())]);
        let verdict = |name: &str| rows.iter().find(|(n, _)| n == name).unwrap().1;
        assert_eq!(verdict("line.future/line"), Verdict::NotExercised);
        assert_eq!(verdict("line.unknown"), Verdict::Fail);
    }

    #[test]
    fn what_should_be_and_is_not_is_non_strict_and_fails_only_where_all_is_strict() {
        let rows = verdicts(&[("quit.term", Outcome::Failed("it went on".into()))]);
        assert_eq!(rows, [("quit.term".to_owned(), Verdict::NonStrict)]);
    }
}
