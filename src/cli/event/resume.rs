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
    let differences = before.differences(file);
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
    file.changes.clone_from(&before.changes);
    file.changes.extend(changed.into_iter().cloned());
    for (bot, old) in file.bots.iter_mut().zip(&before.bots) {
        bot.reported_name.clone_from(&old.reported_name);
        bot.reported_version.clone_from(&old.reported_version);
    }
    Ok(())
}
