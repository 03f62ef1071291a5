//! Whether the bots of an event may play in it: what their languages can say, what they may reach, and whether they
//! start. Who cannot is found here, before the first game.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::bots::Ready;
use super::super::failure::{Exit, fail, usage};
use super::super::reach::Reach;
use super::{Affinity, Event};
use crate::process::{Layer, Limits, Sandbox, Standing, allow_descriptors};
use crate::protocol::Wants;
use crate::record::{EventBot, EventLayer};
use crate::referee::Profile;
use crate::runtime::{self, Bot, Seat, SeatError};

/// Refuses an event that a bot's language has no words for.
pub(super) fn tellable(bot: &Ready, event: &Event) -> anyhow::Result<()> {
    let front = bot.protocol.front(Wants::default());
    let refuse =
        |why: String| Err(usage(format!("bot `{}` speaks {}: {why}", bot.name, bot.protocol.word())));
    if let Some((name, _)) = bot.options.first_key_value().filter(|_| front.starts_with_game()) {
        return refuse(format!("there are no options to set in that protocol, such as `{name}`"));
    }
    let games = [(Some(&event.rules), event.start.is_some()), (event.tie_break.as_ref(), false)];
    for (rules, given) in games.into_iter().filter_map(|(rules, given)| Some((rules?, given))) {
        if let Some(why) = front.unable(rules.set(), given) {
            return refuse(format!("{why}, so it cannot play `{}` so; see protocol/UCC.md", rules.name));
        }
    }
    Ok(())
}

/// Says what each bot may reach.
pub(super) fn confine(event: &Event, bots: &mut [Ready]) -> anyhow::Result<()> {
    let out = canonical(&event.out);
    let of_results = out.parent().filter(|parent| parent.file_name().is_some_and(|name| name == "results"));
    let mut of_event: Vec<PathBuf> = event.secret.iter().map(|path| canonical(path)).collect();
    of_event.push(of_results.unwrap_or(&out).to_owned());
    for n in 0..bots.len() {
        let others: Vec<&Reach> =
            bots.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, b)| &b.reach).collect();
        bots[n].launch.confinement = bots[n].reach.confinement(event.sandbox, &others, &of_event);
        let usual = if event.sandbox == Sandbox::Off { Limits::default() } else { Limits::usual() };
        let limits = bots[n].limits.or(event.limits.clone()).limits(usual);
        bots[n].launch.freeze = event.freeze;
        if let Affinity::Cores(kept) = &event.affinity {
            bots[n].launch.free_cores.clone_from(kept);
        }
        bots[n].launch.limits =
            limits.map_err(|why| usage(format!("limits of bot `{}`: {why}", bots[n].name)))?;
    }
    Ok(())
}

/// A path without links, also of what is not there yet.
fn canonical(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = path.ancestors().find_map(|above| Some((above, std::fs::canonicalize(above).ok()?)));
    found.map_or(path.clone(), |(above, real)| match path.strip_prefix(above) {
        Ok(rest) if rest.as_os_str().is_empty() => real,
        Ok(rest) => real.join(rest),
        Err(_) => path.clone(),
    })
}

pub(super) fn recorded_layer(standing: &Standing) -> EventLayer {
    EventLayer {
        layer: standing.layer.word().to_owned(),
        in_force: standing.in_force,
        how: standing.how.clone(),
    }
}

/// What is in force for each bot, and what is not; those that are alike on one line.
pub(super) fn confinement_lines(event: &Event, bots: &[EventBot]) -> Vec<String> {
    if event.sandbox == Sandbox::Off && bots.iter().all(|bot| bot.confinement.is_empty()) {
        return vec![UNCONFINED.to_owned()];
    }
    let mut alike: Vec<(&[EventLayer], Vec<&str>)> = Vec::new();
    for bot in bots {
        match alike.iter_mut().find(|(layers, _)| *layers == &bot.confinement[..]) {
            Some((_, names)) => names.push(&bot.name),
            None => alike.push((&bot.confinement, vec![&bot.name])),
        }
    }
    let words = |layers: &[EventLayer], in_force: bool| -> Vec<String> {
        let chosen = layers.iter().filter(|layer| layer.in_force == in_force);
        // Of a limit the number is what matters.
        let told = |l: &EventLayer| !in_force || LIMITS.iter().any(|limit| limit.word() == l.layer);
        chosen.map(|l| if told(l) { format!("{} ({})", l.layer, l.how) } else { l.layer.clone() }).collect()
    };
    let line = |(layers, names): (&[EventLayer], Vec<&str>)| {
        let who = if names.len() == bots.len() { "all bots".to_owned() } else { names.join(", ") };
        let (in_force, missing) = (words(layers, true), words(layers, false));
        let confined = match in_force.is_empty() {
            true => format!("  {who} not confined: this system has no layer"),
            false => format!("  {who} confined by {}", in_force.join(", ")),
        };
        if missing.is_empty() { confined } else { format!("{confined}; not by {}", missing.join(", ")) }
    };
    let off = (event.sandbox == Sandbox::Off).then(|| UNCONFINED.to_owned());
    off.into_iter().chain(alike.into_iter().map(line)).collect()
}

/// The layers that are limits.
const LIMITS: [Layer; 3] = [Layer::Memory, Layer::Processes, Layer::Disk];

const UNCONFINED: &str = "  not confined (--sandbox off): bots can read and do what you can";

/// What to do where a layer that is required cannot be had.
fn advice(why: &str) -> String {
    let named = Layer::ALL.iter().filter(|layer| why.contains(layer.word()));
    named.map(|layer| format!("\n  {}: needs {}", layer.word(), layer.advice())).collect()
}

/// What is said where `--sandbox require` asks for more than this machine has.
pub fn unconfined(bot: &str, why: &str) -> anyhow::Error {
    usage(format!(
        "--sandbox require: bot `{bot}` is not started, for {why}{}\n`arbiter doctor` lists what this machine has; \
         --sandbox try goes on with it",
        advice(why)
    ))
}

/// Starts each bot once and asks who it is, so that one that cannot start is found before the first game.
pub(super) async fn probe(bots: &[Arc<Bot>], event: &Event) -> anyhow::Result<Vec<(Profile, Vec<Standing>)>> {
    let (_stopper, stop) = runtime::stopping();
    let mut profiles = Vec::new();
    for bot in bots {
        let taken = match Seat::take(bot, &event.time, &stop, event.say.stderr, false).await {
            Ok(mut seat) => match seat.rehearse(event.rules.set(), &event.time, &stop).await {
                Ok(()) => Ok(seat),
                Err(error) => {
                    seat.leave(false).await;
                    Err(error)
                }
            },
            refused => refused,
        };
        match taken {
            Ok(mut seat) => {
                let (profile, refused) = (seat.profile.clone(), seat.refused.clone());
                let standings = seat.process.standings();
                seat.leave(true).await;
                if !refused.is_empty() {
                    return Err(usage(format!("bot `{}`: {}", bot.name, refused.join("; "))));
                }
                let told = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
                tracing::info!(
                    "bot `{}` calls itself {}, version {}; wants {:?}; supports {:?}",
                    bot.name,
                    told(&profile.name),
                    told(&profile.version),
                    profile.wants,
                    profile.supports
                );
                let supports = &profile.supports;
                if !supports.is_empty() && !supports.contains(&event.rules.name) {
                    return Err(usage(format!(
                        "bot `{}` does not play `{}`: it says it supports {}",
                        bot.name,
                        event.rules.name,
                        supports.join(", ")
                    )));
                }
                profiles.push((profile, standings));
            }
            Err(SeatError::Void(cause)) => {
                return Err(fail(Exit::Void, format!("bot `{}`: {cause}", bot.name)));
            }
            Err(SeatError::Unconfined(why)) => {
                return Err(unconfined(&bot.name, &why));
            }
            Err(SeatError::Fault { clause, evidence, stderr }) => {
                let last = if stderr.is_empty() {
                    "it wrote nothing to its standard error".to_owned()
                } else {
                    format!("its last words:\n  {}", stderr.join("\n  "))
                };
                let hint = match runtime::reach_hint(event.sandbox != Sandbox::Off, &stderr) {
                    "" => String::new(),
                    hint => format!("\n{hint}"),
                };
                return Err(fail(
                    Exit::Bot,
                    format!(
                        "bot `{}` cannot start [{clause}]: {evidence}\n  program: {}\n{last}{hint}",
                        bot.name,
                        bot.launch.program.display()
                    ),
                ));
            }
        }
    }
    Ok(profiles)
}

/// Refuses more games at once than this process may have files open for: a game in the middle of a run would be the one
/// to find out.
pub(super) fn enough_descriptors(concurrency: usize) -> anyhow::Result<()> {
    let needed = runtime::descriptors(concurrency);
    allow_descriptors(needed).map_err(|have| {
        let fitting = (1..concurrency).rev().find(|&n| runtime::descriptors(n) <= have);
        let fewer = fitting.map_or(String::new(), |n| format!(", or --concurrency {n}"));
        usage(format!(
            "--concurrency {concurrency}: so many games at once need {needed} open files, and this process may have \
             {have}; raise its hard limit (`ulimit -Hn {needed}` as root, LimitNOFILE={needed} for systemd){fewer}"
        ))
    })
}
