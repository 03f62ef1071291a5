//! Setup books on the command line: `--setups`, and `arbiter setups`, which checks, counts and draws.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::failure::{Exit, usage};
use super::options::{RulesOptions, check};
use super::output;
use crate::game::{DeploymentBy, Rules};
use crate::record::{BadSetup, EventSetups, SetupBook, SetupKind, SetupLines};
use crate::tournament::setup_order;

/// Arguments of `setups`.
#[derive(Debug, clap::Args)]
pub struct SetupsArgs {
    /// A setup book: a deployment a line, in the protocol's letters or StraDoS2's
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    rules: RulesOptions,
    /// Draw so many deployments, no line twice; an event of that seed plays its first opening from the first two
    #[arg(long, value_name = "N", requires = "seed")]
    draw: Option<usize>,
    /// What they are drawn by
    #[arg(long, value_name = "N", requires = "draw")]
    seed: Option<u64>,
    /// One JSON object on standard output
    #[arg(long)]
    json: bool,
}

/// As many bad lines are told one by one to people.
const TOLD: usize = 20;

/// A bad line, in the words of `--json`.
#[derive(Debug, Serialize)]
struct WireBad {
    line: usize,
    kind: &'static str,
    clause: &'static str,
    reason: String,
}

impl From<&BadSetup> for WireBad {
    fn from(bad: &BadSetup) -> WireBad {
        WireBad {
            line: bad.line,
            kind: bad.kind.word(),
            clause: bad.error.clause(),
            reason: bad.error.to_string(),
        }
    }
}

/// A setup book, and how an event records it.
#[derive(Clone, Debug)]
pub struct NamedBook {
    /// The book.
    pub book: SetupBook,
    /// Its name and hash.
    pub recorded: EventSetups,
}

/// A book's text with its SHA-256. Bytes that are no UTF-8 become letters that no line may have.
fn text(path: &Path) -> anyhow::Result<(String, String)> {
    let bytes = std::fs::read(path).map_err(|e| usage(format!("setup book {}: {e}", path.display())))?;
    let hash = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((String::from_utf8_lossy(&bytes).into_owned(), hash))
}

/// The rules of an event, and the setup book that `--setups` names: it makes the book deploy.
pub fn rules_and_book(
    options: &RulesOptions,
    path: Option<&Path>,
) -> anyhow::Result<(Arc<Rules>, Option<NamedBook>)> {
    let mut set = options.rule_set()?;
    let Some(path) = path else {
        if set.deployment_by == DeploymentBy::Book {
            return Err(usage(
                "deployment-by=book needs a setup book: --setups FILE, or setups = \"FILE\" in the tournament file",
            ));
        }
        return Ok((check(set)?, None));
    };
    if set.deployment_by == DeploymentBy::Seed {
        return Err(usage(format!(
            "--setups {}: the rules have the event's seed deploy (deployment-by=seed, random-setup); \
             leave out one of the two",
            path.display()
        )));
    }
    set.deployment_by = DeploymentBy::Book;
    let rules = check(set)?;
    let (text, sha256) = text(path)?;
    let book = SetupBook::read(&rules, &text)
        .map_err(|e| usage(format!("setup book {}, rules {}: {e}", path.display(), rules.name)))?;
    let file = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok((rules, Some(NamedBook { book, recorded: EventSetups { file, sha256 } })))
}

/// Runs the verb.
pub fn run(args: &SetupsArgs) -> anyhow::Result<Exit> {
    let rules = args.rules.rules()?;
    let (text, sha256) = text(&args.book)?;
    let lines = SetupLines::read(&rules, &text);
    let shown = args.book.display();
    let (good, bad) = (lines.good.len(), lines.bad.len());
    let sound = bad == 0 && good > 0;
    if let Some(wanted) = args.draw
        && sound
        && !(1..=good).contains(&wanted)
    {
        return Err(usage(format!("--draw {wanted}: it takes a number from 1 to {good}, the book's lines")));
    }
    let mut drawn = Vec::new();
    if let (Some(wanted), Some(seed), true) = (args.draw, args.seed, sound) {
        let order = setup_order(seed, 0, good);
        drawn.extend(order[..wanted].iter().map(|&n| lines.good[n].deployment.to_string()));
    }
    if args.json {
        let kinds: serde_json::Map<String, serde_json::Value> =
            SetupKind::ALL.iter().map(|&k| (k.word().to_owned(), lines.of_kind(k).into())).collect();
        output::line(serde_json::json!({
            "version": 1, "book": args.book, "sha256": sha256, "rules": rules.name, "deployments": good,
            "distinct": lines.distinct(), "kinds": kinds,
            "bad": lines.bad.iter().map(WireBad::from).collect::<Vec<_>>(), "drawn": drawn,
        }));
    } else {
        // What is drawn is a book itself: all else is a comment in it.
        let mark = if drawn.is_empty() { "" } else { "# " };
        let kinds: Vec<String> = SetupKind::ALL
            .iter()
            .filter(|&&kind| lines.of_kind(kind) > 0)
            .map(|&kind| format!(", {} in {kind}", lines.of_kind(kind)))
            .collect();
        output::line(format_args!(
            "{mark}{shown}, rules {}: {good} deployments, {} distinct{}{}",
            rules.name,
            lines.distinct(),
            kinds.concat(),
            if bad > 0 { format!("; {bad} bad lines") } else { String::new() }
        ));
        if let Some(seed) = args.seed.filter(|_| sound) {
            output::line(format_args!("# {} drawn by seed {seed}", drawn.len()));
        }
        drawn.iter().for_each(output::line);
        lines.bad.iter().take(TOLD).for_each(|bad| output::tell(format_args!("{shown}, {bad}")));
        if bad > TOLD {
            eprintln!("{shown}: and {} bad lines more (--json has all)", bad - TOLD);
        }
    }
    if !sound && bad == 0 {
        output::tell(format_args!("{shown}: it holds no deployment"));
    }
    Ok(if sound { Exit::Done } else { Exit::Failed })
}
