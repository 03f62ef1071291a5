//! Forms of one line or a few for each case: TAP, GitHub's workflow commands, Markdown.

use super::{details, printable, shown};
use crate::check::report::{Report, Verdict};

/// TAP version 13. What is non-strict is `TODO`, unless it fails; what was not exercised is skipped.
pub(super) fn tap(report: &Report) -> String {
    let mut text = format!("TAP version 13\n1..{}\n", report.rows.len());
    let plain = |text: &str| printable(text).replace(['#', '\n'], " ");
    for (number, row) in (1..).zip(&report.rows) {
        let fails = row.fails(report.strict);
        let ok = if matches!(row.verdict, Verdict::Pass | Verdict::NotExercised) { "ok" } else { "not ok" };
        let directive = match row.verdict {
            Verdict::NotExercised => format!(" # SKIP {}", plain(&row.why)),
            Verdict::NonStrict if !fails => format!(" # TODO non-strict: {}", plain(&row.why)),
            _ => String::new(),
        };
        text += &format!("{ok} {number} - {} ({}){directive}\n", row.name, row.level.word());
        if fails {
            text += "  ---\n  message: |\n";
            printable(&details(report, row)).lines().for_each(|line| text += &format!("    {line}\n"));
            text += "  ...\n";
        }
    }
    text
}

/// Annotations of GitHub Actions.
pub(super) fn github(report: &Report) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let mut text = String::new();
    for row in &report.rows {
        let command = match row.verdict {
            _ if row.fails(report.strict) => "error",
            Verdict::NonStrict => "warning",
            _ => continue,
        };
        let title = property(&format!("{} {}", report.bot, row.name));
        text += &format!("::{command} title={title}::{}\n", data(details(report, row).trim_end()));
    }
    let verdict = if report.passed() { "passes" } else { "fails" };
    let title = property(&format!("arbiter check {}", report.bot));
    text + &format!("::notice title={title}::{} {verdict}: {}\n", report.bot, report.summary())
}

/// Markdown: the counts, what was not kept with its details folded, and the whole table folded.
pub(super) fn markdown(report: &Report) -> String {
    let cell = |text: &str| printable(text).replace('|', "\\|").replace('\n', " ").replace('<', "&lt;");
    let verdict = if report.passed() { "✅ passes" } else { "❌ fails" };
    let mut text = format!("## `arbiter check` {}: {verdict}\n\n{}\n", cell(&report.bot), report.summary());
    text += &format!("\n{}\n", cell(&report.circumstances()));
    for row in report.rows.iter().filter(|row| matches!(row.verdict, Verdict::Fail | Verdict::NonStrict)) {
        text += &format!(
            "\n<details><summary>{} <code>{}</code> ({}): {}</summary>\n\n",
            row.verdict.word(),
            row.name,
            row.level.word(),
            cell(&row.why)
        );
        // Indented, so that nothing which a bot wrote can end the block.
        printable(&details(report, row)).lines().for_each(|line| text += &format!("    {line}\n"));
        text += "\n</details>\n";
    }
    text += "\n<details><summary>all cases</summary>\n\n| case | level | verdict | |\n|---|---|---|---|\n";
    for row in &report.rows {
        text += &format!(
            "| `{}` | {} | {} | {} |\n",
            row.name,
            row.level.word(),
            row.verdict.word(),
            cell(&shown(row))
        );
    }
    text + "\n</details>\n"
}
