//! A report in the forms that people and machines read. Text in, text out: where it goes is the command line's.

mod html;
mod json;
mod junit;
mod lines;
mod sarif;
mod terminal;

use super::report::{Report, Row};

/// A form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table for people, the failures in full.
    Human,
    /// One JSON object, with a version.
    Json,
    /// JUnit XML, as Jenkins' xunit-plugin has it (junit-10.xsd).
    Junit,
    /// The Test Anything Protocol, version 13.
    Tap,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions, which become annotations.
    Github,
    /// Markdown, for a summary or a comment.
    Markdown,
    /// An SVG badge.
    Badge,
    /// One HTML page.
    Html,
}

impl Format {
    /// All forms.
    pub const ALL: [Format; 9] = [
        Format::Human,
        Format::Json,
        Format::Junit,
        Format::Tap,
        Format::Sarif,
        Format::Github,
        Format::Markdown,
        Format::Badge,
        Format::Html,
    ];

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Format::Human => "human",
            Format::Json => "json",
            Format::Junit => "junit",
            Format::Tap => "tap",
            Format::Sarif => "sarif",
            Format::Github => "github",
            Format::Markdown => "markdown",
            Format::Badge => "badge",
            Format::Html => "html",
        }
    }

    /// The form of a name.
    pub fn from_word(word: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.word() == word)
    }

    /// The report in this form. `colour` and `quiet` (failures and the counts alone) are for people.
    pub fn print(self, report: &Report, colour: bool, quiet: bool) -> String {
        match self {
            Format::Human => terminal::print(report, colour, quiet),
            Format::Json => json::print(report),
            Format::Junit => junit::print(report),
            Format::Tap => lines::tap(report),
            Format::Sarif => sarif::print(report),
            Format::Github => lines::github(report),
            Format::Markdown => lines::markdown(report),
            Format::Badge => html::badge(report),
            Format::Html => html::page(report),
        }
    }
}

/// What is said of a failure at length: the clause's own sentence, what was seen, both streams' ends, and the command
/// that shows it again.
fn details(report: &Report, row: &Row) -> String {
    let mut text = format!("{}\n", row.why);
    if let Some(clause) = row.specified() {
        text += &format!("SPEC.md {} [{}]: {}\n", clause.number, clause.slug, clause.sentence);
    }
    let mut part = |title: &str, lines: &[String]| {
        text += title;
        text.push('\n');
        if lines.is_empty() {
            text += "  (nothing)\n";
        }
        lines.iter().for_each(|line| text += &format!("  {line}\n"));
    };
    part("conversation (> to the bot, < from it):", &row.transcript);
    part("standard error:", &row.stderr);
    text += &format!("again: {}\n", report.reproduce(row));
    text
}

/// What can stand in XML and HTML: control characters have no place there, not even escaped.
fn printable(text: &str) -> String {
    let plain =
        |c: char| if c.is_control() && c != '\n' && c != '\t' { char::REPLACEMENT_CHARACTER } else { c };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_a_name_of_its_own() {
        for format in Format::ALL {
            assert_eq!(Format::from_word(format.word()), Some(format));
        }
    }
}
