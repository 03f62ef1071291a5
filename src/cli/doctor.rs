//! `arbiter doctor`: what this machine offers for confining bots, found out by confining a program.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use super::failure::{Exit, fail};
use super::output;
use crate::process::{
    Confinement, Event, Launch, Layer, Limits, Process, Sandbox, Standing, adopt_orphans, cores,
};

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub struct DoctorArgs {
    /// One JSON object on standard output
    #[arg(long)]
    json: bool,
}

/// Runs `doctor`. What was tested failed where the base cannot be had.
pub fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let standings = examine()?;
    let missing = Layer::missing_base(&standings);
    let standing = |layer| standings.iter().find(|s| s.layer == layer);
    if args.json {
        let layers: Vec<serde_json::Value> = Layer::ALL
            .iter()
            .map(|&layer| {
                let (here, how) = standing(layer).map_or((false, ABSENT), |s| (s.in_force, &s.how));
                json!({
                    "layer": layer.word(), "offered": here, "how": how, "meaning": layer.meaning(),
                    "advice": (!here).then(|| layer.advice()),
                })
            })
            .collect();
        output::line(json!({
            "version": 1, "os": std::env::consts::OS, "arch": std::env::consts::ARCH, "cores": cores(),
            "base": missing.is_empty(), "missing": missing, "layers": layers,
        }));
    } else {
        output::line(table(&standing));
        output::line(match missing.is_empty() {
            true => "The base is complete: --sandbox require works here.".to_owned(),
            false => {
                format!("The base lacks {}: --sandbox require refuses to start here.", missing.join(", "))
            }
        });
        output::line(format_args!(
            "Bots are kept on their game's core (--affinity none lets them go): {} cores.",
            cores().len()
        ));
    }
    Ok(if missing.is_empty() { Exit::Done } else { Exit::Failed })
}

const ABSENT: &str = "this system has no such layer";

fn table<'a>(standing: &impl Fn(Layer) -> Option<&'a Standing>) -> String {
    let mut table = tabled::builder::Builder::default();
    table.push_record(["layer", "here", "by what, or why not", "what it does; what to switch on"]);
    for &layer in Layer::ALL {
        let (here, how) = standing(layer).map_or((false, ABSENT), |s| (s.in_force, &s.how));
        let meaning = match here {
            true => layer.meaning().to_owned(),
            false => format!("{}\nswitch on: {}", layer.meaning(), layer.advice()),
        };
        let here = if here { "yes" } else { "no" };
        table.push_record([layer.word(), here, &folded(how, 32), &folded(&meaning, 64)]);
    }
    table.build().with(tabled::settings::Style::rounded()).to_string()
}

/// Breaks lines between words.
fn folded(text: &str, width: usize) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut now = String::new();
        for word in line.split(' ') {
            if !now.is_empty() && now.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut now));
            }
            if !now.is_empty() {
                now.push(' ');
            }
            now.push_str(word);
        }
        lines.push(now);
    }
    lines.join("\n")
}

/// Confines a program that does nothing, as a bot would be, and hears what was in force.
pub(super) fn examine() -> anyhow::Result<Vec<Standing>> {
    adopt_orphans();
    let internal = |error: &dyn std::fmt::Display| fail(Exit::Internal, error);
    let launcher = std::env::current_exe().map_err(|e| internal(&e))?;
    let launch = Launch {
        program: launcher.clone(),
        argv: vec!["arbiter".to_owned(), "--version".to_owned()],
        launcher: launcher.clone(),
        dir: PathBuf::from("/"),
        env: Vec::new(),
        free_cores: Vec::new(),
        confinement: Confinement { sandbox: Sandbox::Try, read: vec![launcher], ..Confinement::default() },
        limits: Limits::usual(),
        freeze: true,
    };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| internal(&e))?;
    runtime.block_on(async {
        let mut process = Process::start(&launch, None).map_err(|e| internal(&e))?;
        let ended = async { while !matches!(process.event().await, Event::Exited(_)) {} };
        let _ = tokio::time::timeout(Duration::from_secs(10), ended).await;
        let standings = process.standings();
        process.stop(None).await;
        Ok(standings)
    })
}
