//! Variants: named changes of a rule book that combine, but for a few that contradict each other.
//!
//! Sources: the variant sections of rule texts 000 ("Aggressor Advantage", "Silent Defense", "Rescue") and 001
//! (section 6), and 001's timed play; the two names for the chase rule's readings are this arena's.

use super::rules::{RuleSet, RulesError};

/// A variant.
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// The parameters it sets.
    pub sets: &'static [(&'static str, &'static str)],
    /// The rule text that it comes from, by its number, or `arena`.
    pub source: &'static str,
    /// The variants it cannot be combined with.
    not_with: &'static [&'static str],
}

const fn variant(
    name: &'static str,
    about: &'static str,
    sets: &'static [(&'static str, &'static str)],
    source: &'static str,
    not_with: &'static [&'static str],
) -> Variant {
    Variant { name, about, sets, source, not_with }
}

/// Every variant.
pub const VARIANTS: &[Variant] = &[
    variant(
        "aggressor-advantage",
        "of equal ranks the attacker wins",
        &[("equal-ranks", "attacker")],
        "000",
        &[],
    ),
    variant(
        "silent-defence",
        "only the attacker's rank is told, and captured pieces are their owner's secret",
        &[("silent-defence", "on"), ("captured", "owner")],
        "000",
        &[],
    ),
    variant(
        "rescue",
        "reaching the far row brings a piece back, as 000 has it",
        &[("rescue", "000")],
        "000",
        &["rescue-001"],
    ),
    variant("rescue-001", "the same as 001 has it", &[("rescue", "001")], "001", &["rescue"]),
    variant(
        "beginner-reveal",
        "a battle's survivor stays shown",
        &[("reveal", "until-end")],
        "001",
        &["beginner-reveal-gentle"],
    ),
    variant(
        "beginner-reveal-gentle",
        "a battle's survivor stays shown until it moves",
        &[("reveal", "until-moved")],
        "001",
        &["beginner-reveal", "no-reconcealment"],
    ),
    variant(
        "no-reconcealment",
        "every piece that has fought stays shown",
        &[("reveal", "until-end")],
        "001",
        &["beginner-reveal-gentle"],
    ),
    variant(
        "aggressor-breaks-chase",
        "switches the chase rule on, in the federation's reading",
        &[("chase", "isf")],
        "001",
        &["chase-any-threat"],
    ),
    variant(
        "chase-any-threat",
        "switches the chase rule on, in the reading `any`",
        &[("chase", "any")],
        "arena",
        &["aggressor-breaks-chase"],
    ),
    variant("open-flag", "both flags are told after deployment", &[("open-flag", "on")], "001", &[]),
    variant("random-setup", "the event's seed deploys", &[("deployment-by", "seed")], "001", &[]),
    variant("timed-draw", "a fallen clock is a draw", &[("clock-expiry", "draw")], "001", &[]),
];

/// Applies variants to a rule book.
///
/// # Errors
/// [`RulesError::Set`] for a name that is none, for two that contradict each other, and for
/// `aggressor-advantage` on a book that says so already; each by name.
pub fn apply_variants(rules: &mut RuleSet, names: &[&str]) -> Result<(), RulesError> {
    let refuse = |text: String| Err(RulesError::Set(text));
    for (n, name) in names.iter().enumerate() {
        let Some(variant) = VARIANTS.iter().find(|v| v.name == *name) else {
            let all: Vec<&str> = VARIANTS.iter().map(|v| v.name).collect();
            return refuse(format!("no variant `{name}`; there are {}", all.join(", ")));
        };
        if let Some(other) = names[..n].iter().find(|other| variant.not_with.contains(other)) {
            return refuse(format!("variants `{other}` and `{name}` contradict each other"));
        }
        if variant.name == "aggressor-advantage" && rules.name == "siege-and-capture" {
            return refuse(
                "variant `aggressor-advantage` is in the book `siege-and-capture` already".to_owned(),
            );
        }
        for (parameter, value) in variant.sets {
            rules.set(parameter, value)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::rules::{BOOKS, Rules, book};
    use super::*;

    #[test]
    fn every_variant_goes_with_every_book_but_where_the_book_has_it() {
        for (name, _) in BOOKS {
            for variant in VARIANTS {
                let mut set = book(name).unwrap();
                let applied = apply_variants(&mut set, &[variant.name]);
                let twice = *name == "siege-and-capture" && variant.name == "aggressor-advantage";
                assert_eq!(applied.is_err(), twice, "{name} with {}", variant.name);
                Rules::new(set).unwrap();
            }
        }
    }

    #[test]
    fn contradictions_are_refused_by_name_in_either_order() {
        let pairs = [
            ("rescue", "rescue-001"),
            ("beginner-reveal-gentle", "beginner-reveal"),
            ("beginner-reveal-gentle", "no-reconcealment"),
            ("aggressor-breaks-chase", "chase-any-threat"),
        ];
        for (a, b) in pairs {
            for names in [[a, b], [b, a]] {
                let error = apply_variants(&mut book("classic").unwrap(), &names).unwrap_err().to_string();
                assert!(error.contains(&format!("`{a}`")) && error.contains(&format!("`{b}`")), "{error}");
            }
        }
        let both = ["beginner-reveal", "no-reconcealment"];
        assert!(apply_variants(&mut book("classic").unwrap(), &both).is_ok());
    }
}
