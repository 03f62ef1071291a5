//! Following a run: what workers tell becomes durable, then known; signals and failures wind it down.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use indicatif::ProgressBar;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::super::failure::{Exit, fail};
use super::super::output;
use super::super::stream::{Stream, StreamEvent};
use super::Event;
use super::tell::progress;
use crate::record::{EventFolder, JournalError, JournalWriter};
use crate::runtime::{self, Desk, Finished, RunEvent, RunPlan, Stop};
use crate::tournament::Collector;

enum Message {
    Run(RunEvent),
    Durable(Box<Finished>, Result<(), JournalError>),
}

/// The state of a run that is being followed.
pub(super) struct Following<'a> {
    pub(super) event: &'a Event,
    pub(super) folder: &'a EventFolder,
    pub(super) stream: &'a mut Stream,
    pub(super) desk: &'a Arc<Desk>,
    pub(super) collector: Collector,
    pub(super) bar: ProgressBar,
    pub(super) lines_on_board: usize,
    pub(super) voids: BTreeMap<String, String>,
    broken: Option<JournalError>,
}

pub(super) async fn run(
    event: &Event,
    folder: &EventFolder,
    plan: RunPlan,
    desk: &Arc<Desk>,
    collector: Collector,
    total: u64,
    stream: &mut Stream,
) -> (Collector, anyhow::Result<Exit>) {
    let (sender, mut messages) = mpsc::unbounded_channel();
    let (stopper, stop) = runtime::stopping();
    let durable = sender.clone();
    let journal = JournalWriter::open(folder, move |finished, result| {
        let _ = durable.send(Message::Durable(finished, result));
    });
    let journal = match journal {
        Ok(journal) => journal,
        Err(error) => return (collector, Err(fail(Exit::Void, error))),
    };
    let tell = {
        let sender = sender.clone();
        move |event| {
            let _ = sender.send(Message::Run(event));
        }
    };
    let mut signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()]
        .map(|kind| signal(kind).expect("the runtime was made with signals"));
    let settled = desk.with(|dealer| dealer.settled());
    let bar = progress(event, settled, total, plan.live);
    let concurrency = plan.concurrency;
    let workers = match runtime::start(Arc::new(plan), desk.clone(), stop, tell) {
        Ok(workers) => workers,
        Err(e) => return (collector, Err(fail(Exit::Void, format!("no thread for a worker: {e}")))),
    };
    let mut following = Following {
        event,
        folder,
        stream,
        desk,
        collector,
        bar,
        lines_on_board: 0,
        voids: BTreeMap::new(),
        broken: None,
    };
    let (mut idle, mut on_the_way, mut stopped) = (0, 0u64, Stop::No);
    while idle < concurrency || on_the_way > 0 {
        let [interrupt, terminate, hangup] = &mut signals;
        let message = tokio::select! {
            biased;
            _ = interrupt.recv() => None,
            _ = terminate.recv() => None,
            _ = hangup.recv() => None,
            message = messages.recv() => message,
        };
        match message {
            None => {
                following.stream.tell(&StreamEvent::RunStopping);
                stopped = stopper.further();
                if stopped == Stop::Kill {
                    // Bots die with the arbiter; what was handed to the journal is written first.
                    drop(journal);
                    std::process::exit(Exit::Interrupted as i32);
                }
                following.bar.suspend(|| output::tell("stopping; once more ends it at once"));
            }
            Some(Message::Run(RunEvent::Idle)) => idle += 1,
            Some(Message::Run(RunEvent::Finished(finished))) if finished.void.is_none() => {
                on_the_way += 1;
                let line = finished.record.to_line();
                journal.append(line, finished);
            }
            Some(Message::Run(RunEvent::Finished(finished))) => {
                desk.give_up();
                if stopped == Stop::No {
                    following.void(&finished);
                }
            }
            Some(Message::Run(RunEvent::Started(planned))) => following.started(planned),
            Some(Message::Run(RunEvent::Turn { planned, position, left, last })) => {
                following.board(planned, &position, left, &last);
            }
            Some(Message::Durable(finished, Ok(()))) => {
                on_the_way -= 1;
                following.settled(&finished);
            }
            Some(Message::Durable(_, Err(error))) => {
                on_the_way -= 1;
                if following.broken.is_none() {
                    following.broken = Some(error);
                    if stopper.further() == Stop::Kill {
                        stopped = Stop::Kill;
                    }
                }
            }
        }
    }
    drop(journal);
    for worker in workers {
        let _ = worker.join();
    }
    following.bar.finish_and_clear();
    let Following { collector, voids, broken, .. } = following;
    let ended = if let Some(error) = broken {
        Err(format!(
            "games could not be recorded: {error}\nwhat is missing is played when the same command runs again"
        ))
    } else if stopped != Stop::No {
        Ok(Exit::Interrupted)
    } else if !voids.is_empty() {
        let list: Vec<String> = voids.iter().map(|(id, cause)| format!("\n  {id}: {cause}")).collect();
        Err(format!(
            "{} games came to nothing; the same command plays them again{}",
            voids.len(),
            list.concat()
        ))
    } else {
        Ok(Exit::Done)
    };
    (collector, ended.map_err(|why| fail(Exit::Void, why)))
}

impl Following<'_> {
    pub(super) fn keep_texts(&self, finished: &Finished) {
        let sides = ["red", "blue"];
        for (n, side) in sides.iter().enumerate() {
            let name = format!("{}-{side}.txt", finished.record.id);
            let texts = [
                ("stderr", (!finished.stderr[n].is_empty()).then(|| finished.stderr[n].text())),
                ("wire", finished.wire[n].clone()),
            ];
            for (kind, text) in texts {
                let Some(text) = text else { continue };
                let folder = self.folder.path().join(kind);
                let written =
                    std::fs::create_dir_all(&folder).and_then(|()| write_private(&folder.join(&name), &text));
                if let Err(error) = written {
                    tracing::warn!("{}/{name}: {error}", folder.display());
                }
            }
        }
    }
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600).open(path)?.write_all(text.as_bytes())
}
