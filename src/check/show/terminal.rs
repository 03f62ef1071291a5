//! The table for people.

use super::{details, shown};
use crate::check::report::{Report, Verdict};

fn mark(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Pass => ("✓", "\x1b[32m"),
        Verdict::NonStrict => ("~", "\x1b[33m"),
        Verdict::Fail => ("✗", "\x1b[31m"),
        Verdict::NotExercised => ("-", "\x1b[90m"),
    }
}

pub(super) fn print(report: &Report, colour: bool, quiet: bool) -> String {
    let mut text = String::new();
    let names = report.rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for row in report.rows.iter().filter(|row| !quiet || row.fails(report.strict)) {
        let (mark, shade) = mark(row.verdict);
        let (on, off) = if colour { (shade, "\x1b[0m") } else { ("", "") };
        let said = shown(row);
        text += &format!(
            "{on}{mark} {:<13}{off} {:<6} {:<names$}  {said}\n",
            row.verdict.word(),
            row.level.word(),
            row.name
        );
    }
    for row in report.rows.iter().filter(|row| matches!(row.verdict, Verdict::Fail | Verdict::NonStrict)) {
        if quiet && !row.fails(report.strict) {
            continue;
        }
        text += &format!("\n{} {}: {}\n", row.verdict.word(), row.name, row.about);
        details(report, row).lines().for_each(|line| text += &format!("  {line}\n"));
    }
    let verdict = if report.passed() { "passes" } else { "FAILS" };
    let strictly = if report.strict { " strictly" } else { "" };
    text += &format!("\n{} {verdict}{strictly}: {}\n", report.bot, report.summary());
    text += &format!("  {}\n", report.circumstances());
    text
}
