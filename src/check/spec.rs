//! The specification, read from its own text, so that a quoted clause is never another than the published one.

use std::sync::LazyLock;

/// The text of `protocol/SPEC.md`.
pub const TEXT: &str = include_str!("../../protocol/SPEC.md");

/// Where a clause can be read.
pub const ADDRESS: &str = "protocol/SPEC.md";

/// One clause of the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its number, as `2.8`.
    pub number: &'static str,
    /// Its slug.
    pub slug: &'static str,
    /// Its text, without the number and the slug.
    pub sentence: &'static str,
    /// The line of the text on which it begins, from 1.
    pub line: usize,
}

static CLAUSES: LazyLock<Vec<Clause>> = LazyLock::new(|| {
    let read = |(line, text): (usize, &'static str)| {
        let (head, sentence) = text.strip_prefix("**")?.split_once("]** ")?;
        let (number, slug) = head.split_once(" [")?;
        Some(Clause { number, slug, sentence: sentence.trim(), line })
    };
    (1..).zip(TEXT.lines()).filter_map(read).collect()
});

/// All clauses, in their order.
pub fn clauses() -> &'static [Clause] {
    &CLAUSES
}

/// The clause of a slug.
pub fn clause(slug: &str) -> Option<&'static Clause> {
    clauses().iter().find(|clause| clause.slug == slug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clause_is_read_with_its_number_and_no_slug_stands_twice() {
        let written = TEXT.matches("]** ").count();
        assert_eq!(clauses().len(), written);
        let length = clause("line.length").unwrap();
        assert!(length.sentence.starts_with("A bot's line MUST be no longer than 4,096 bytes"));
        assert_eq!(TEXT.lines().nth(length.line - 1).unwrap().split(' ').next(), Some("**2.8"));
        for (n, one) in clauses().iter().enumerate() {
            assert!(clauses()[n + 1..].iter().all(|other| other.slug != one.slug), "{}", one.slug);
        }
    }
}
