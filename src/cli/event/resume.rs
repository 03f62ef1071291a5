//! Going on with an event that is there, or refusing to: the folder, its event.json, and what differs.

use std::io::ErrorKind;
use std::path::Path;

use super::super::failure::{Exit, fail, usage};
use super::Event;
use crate::record::{EVENT_FORMAT, EventFile, EventFolder, JOURNAL, JournalError};

/// Takes hold of an event's folder.
pub(super) fn hold(path: &Path) -> anyhow::Result<EventFolder> {
    EventFolder::hold(path).map_err(folder_failure)
}

/// What the system refuses is the machine's fault; the rest is for the organiser to put right.
pub(super) fn folder_failure(error: JournalError) -> anyhow::Error {
    match error {
        JournalError::Io { .. } => fail(Exit::Void, error),
        _ => usage(error),
    }
}

/// A new event begins in a new folder, or in an empty one: anything else there is somebody's.
pub(super) fn refuse_what_is_no_event(path: &Path) -> anyhow::Result<()> {
    let shown = path.display();
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        Err(e) if e.kind() == ErrorKind::NotADirectory => {
            return Err(usage(format!("{shown}: it is a file; an event needs a folder (--out DIR)")));
        }
        Err(e) => return Err(fail(Exit::Void, format!("{shown}: {e}"))),
    };
    // A run that ended before its first game leaves its lock.
    let strange = entries.flatten().find(|entry| entry.file_name() != "lock");
    match strange.map(|entry| entry.file_name()) {
        None => Ok(()),
        Some(name) if name == JOURNAL => {
            Err(usage(format!("{shown}: there are games but no event.json; name another folder with --out")))
        }
        Some(name) => Err(usage(format!(
            "{shown}: this folder holds `{}` and no event; name a new or empty folder with --out",
            name.to_string_lossy()
        ))),
    }
}

pub(super) fn read_event(path: &Path) -> anyhow::Result<Option<EventFile>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(e) => return Err(fail(Exit::Void, format!("{}: {e}", path.display()))),
    };
    let file: EventFile =
        serde_json::from_str(&text).map_err(|e| usage(format!("{}: {e}", path.display())))?;
    if file.format != EVENT_FORMAT {
        let shown = path.display();
        return Err(usage(format!("{shown}: format {} is not known to this program", file.format)));
    }
    Ok(Some(file))
}

/// Compares this run's plan with the event's that is there: the same event is gone on with, another is refused with
/// the keys that differ.
pub(super) fn go_on_from(before: &EventFile, file: &mut EventFile, event: &Event) -> anyhow::Result<()> {
    // How an event of an earlier version numbers its pairs and draws is its own affair.
    file.schedule.order.clone_from(&before.schedule.order);
    if before.schedule.draws.is_none() {
        file.schedule.draws = None;
    }
    let mut planned = before.clone();
    let mut grown = Vec::new();
    if event.extend {
        grown = extend(&mut planned, file)?;
    }
    let differences = planned.differences(file);
    let changed: Vec<&String> = differences.iter().filter(|d| d.contains(".hash:")).collect();
    if differences.len() > changed.len() || (!changed.is_empty() && !event.accept_changed) {
        let advice = if differences.len() == changed.len() {
            "; --accept-changed goes on with the rebuilt bots, --out DIR begins another event"
        } else {
            "; --out DIR begins another event"
        };
        return Err(usage(format!(
            "{}: the event was planned otherwise{advice}\n  {}",
            event.out.display(),
            differences.join("\n  ")
        )));
    }
    file.command.clone_from(&before.command);
    file.machine.clone_from(&before.machine);
    file.arbiter.clone_from(&before.arbiter);
    file.withdrawn.clone_from(&before.withdrawn);
    file.changes.clone_from(&before.changes);
    file.changes.extend(changed.into_iter().cloned());
    file.changes.extend(grown);
    for (bot, old) in file.bots.iter_mut().zip(&before.bots) {
        bot.reported_name.clone_from(&old.reported_name);
        bot.reported_version.clone_from(&old.reported_version);
        bot.confinement.clone_from(&old.confinement);
    }
    Ok(())
}

/// Lets a plan grow to this run's: more rounds, or bots more at the end. Ids of games keep their meaning in both.
/// Returns what grew.
fn extend(planned: &mut EventFile, file: &EventFile) -> anyhow::Result<Vec<String>> {
    let kind = planned.schedule.kind.clone();
    let mut grown = Vec::new();
    if file.schedule.rounds > planned.schedule.rounds {
        if planned.tie_break.is_some() || ["knockout", "double-elimination"].contains(&kind.as_str()) {
            return Err(usage(format!(
                "--extend: a {kind} that decides, or breaks a tie, has no more rounds"
            )));
        }
        grown.push(format!("rounds: {} became {}", planned.schedule.rounds, file.schedule.rounds));
        planned.schedule.rounds = file.schedule.rounds;
    }
    let (had, have) = (planned.bots.len(), file.bots.len());
    let same = planned.bots.iter().zip(&file.bots).all(|(a, b)| a.name == b.name);
    if have > had && same {
        if !["round-robin", "gauntlet"].contains(&kind.as_str()) {
            return Err(usage(format!(
                "--extend: to a {kind} no bot can be added: its pairings depend on all"
            )));
        }
        if kind == "round-robin" && planned.schedule.order.is_none() && had > 3 {
            return Err(usage(
                "--extend: this event was planned by an earlier version, in whose numbering of games there is no \
                 room for another bot; more rounds can be added",
            ));
        }
        if planned.tie_break.is_some() || planned.schedule.sprt.is_some() {
            return Err(usage("--extend: a match of two with a tie-break or a test takes no third bot"));
        }
        for bot in &file.bots[had..] {
            grown.push(format!("bots: {} was added", bot.name));
            planned.bots.push(bot.clone());
        }
    }
    Ok(grown)
}
