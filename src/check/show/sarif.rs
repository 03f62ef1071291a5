//! SARIF 2.1.0: each clause that was not kept as a result, its rule being the clause.

use serde_json::{Value, json};

use super::details;
use crate::check::report::{Report, Verdict};
use crate::check::spec;

pub(super) fn print(report: &Report) -> String {
    let mut rules: Vec<&spec::Clause> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    for row in &report.rows {
        let level = match row.verdict {
            _ if row.fails(report.strict) => "error",
            Verdict::NonStrict => "warning",
            _ => continue,
        };
        let Some(clause) = row.specified() else { continue };
        let index = rules.iter().position(|rule| rule.slug == clause.slug).unwrap_or_else(|| {
            rules.push(clause);
            rules.len() - 1
        });
        results.push(json!({
            "ruleId": clause.slug,
            "ruleIndex": index,
            "level": level,
            "message": { "text": format!("{}: {}", row.name, details(report, row)) },
            "locations": [{
                "physicalLocation": { "artifactLocation": { "uri": uri(&report.program) } },
                "logicalLocations": [{ "name": report.bot, "fullyQualifiedName": format!("{}/{}", report.bot, row.name) }],
            }],
            "partialFingerprints": { "case/v1": format!("{}/{}", report.bot, row.name) },
        }));
    }
    let rules: Vec<Value> = rules
        .into_iter()
        .map(|clause| {
            json!({
                "id": clause.slug,
                "shortDescription": { "text": format!("SBP {} [{}]", clause.number, clause.slug) },
                "fullDescription": { "text": clause.sentence },
            })
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "arbiter check", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "invocations": [{ "executionSuccessful": report.void.is_empty() }],
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).expect("a value is JSON") + "\n"
}

/// A path as a URI reference.
fn uri(path: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().map(|b| if keep(b) { (b as char).to_string() } else { format!("%{b:02X}") }).collect()
}
