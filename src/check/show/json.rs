//! JSON: all that a report holds, as one object with a version.

use serde::Serialize;

use crate::check::report::{Report, Verdict};

/// The version of the object, its field `v`.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Shown<'a> {
    v: u32,
    arbiter: &'static str,
    protocol: u32,
    bot: &'a str,
    calls_itself: Option<&'a str>,
    rules: &'a str,
    seed: u64,
    strict: bool,
    confined: Option<&'a str>,
    passed: bool,
    counts: Counts,
    seconds: f64,
    cases: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct Counts {
    pass: usize,
    non_strict: usize,
    fail: usize,
    not_exercised: usize,
}

#[derive(Serialize)]
struct Case<'a> {
    name: &'a str,
    clause: &'a str,
    number: Option<&'a str>,
    level: &'a str,
    verdict: &'a str,
    about: &'a str,
    why: &'a str,
    sentence: Option<&'a str>,
    transcript: &'a [String],
    stderr: &'a [String],
    seconds: f64,
    again: Option<String>,
}

pub(super) fn print(report: &Report) -> String {
    let cases = report.rows.iter().map(|row| {
        let clause = row.specified();
        Case {
            name: &row.name,
            clause: row.clause(),
            number: clause.map(|c| c.number),
            level: row.level.word(),
            verdict: row.verdict.word(),
            about: &row.about,
            why: &row.why,
            sentence: clause.map(|c| c.sentence),
            transcript: &row.transcript,
            stderr: &row.stderr,
            seconds: row.took.as_secs_f64(),
            again: (!row.seen_in.is_empty()).then(|| report.reproduce(row)),
        }
    });
    let shown = Shown {
        v: VERSION,
        arbiter: env!("CARGO_PKG_VERSION"),
        protocol: crate::protocol::print::VERSION,
        bot: &report.bot,
        calls_itself: report.calls_itself.as_deref(),
        rules: &report.rules,
        seed: report.seed,
        strict: report.strict,
        confined: report.confined.as_deref(),
        passed: report.passed(),
        counts: Counts {
            pass: report.count(Verdict::Pass),
            non_strict: report.count(Verdict::NonStrict),
            fail: report.count(Verdict::Fail),
            not_exercised: report.count(Verdict::NotExercised),
        },
        seconds: report.took.as_secs_f64(),
        cases: cases.collect(),
    };
    serde_json::to_string_pretty(&shown).expect("a report holds nothing JSON cannot") + "\n"
}
