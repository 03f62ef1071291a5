//! A bot of our own protocol at the table of another league's manager: the loop between its process and our own
//! standard input and output, which are the manager's. All decisions are the [`Bridge`]'s.

use tokio::sync::mpsc::Receiver;

use super::seat::{Closing, HungUp, Seat};
use super::stop::StopSignal;
use super::watch::Watch;
use crate::clock::Stamp;
use crate::process::Event;
use crate::protocol::{self, Intake};
use crate::referee::{Bridge, BridgeEnd, BridgeInput, LAST_WORD};

/// Plays a bridge to its end; nothing where it was stopped. `manager` gives what the manager writes, `say` writes to
/// it and is false where it is gone.
pub async fn bridge(
    mut bridge: Bridge,
    seat: &mut Seat,
    manager: &mut Receiver<Vec<u8>>,
    mut say: impl FnMut(&str) -> bool,
    stop: &StopSignal,
) -> Option<BridgeEnd> {
    let watch = Watch::start();
    let mut intake = Intake::default();
    let mut closing = Closing::default();
    let mut stopped = std::pin::pin!(stop.now());
    loop {
        write_to_bot(&mut bridge, seat, &mut closing, &watch);
        let text = std::mem::take(bridge.to_manager());
        if !text.is_empty() {
            intake.new_turn();
            if !say(&text) {
                bridge.input(BridgeInput::ManagerGone);
            }
        }
        if bridge.end().is_some() {
            break;
        }
        let wake = closing.at().or(bridge.deadline());
        let event = tokio::select! {
            biased;
            event = seat.process.event() => Some(event),
            bytes = manager.recv() => {
                match bytes {
                    Some(bytes) => intake.push(&bytes),
                    None => bridge.input(BridgeInput::ManagerGone),
                }
                hear_manager(&mut bridge, &mut intake);
                continue;
            }
            _ = &mut stopped => return None,
            _ = tokio::time::sleep_until(watch.instant(wake)) => None,
        };
        let now = watch.now();
        match event {
            Some(Event::Output) => hear_bot(&mut bridge, seat, now),
            Some(Event::Writable) => {}
            Some(Event::Deaf) => closing.begin(now, HungUp::Input),
            Some(Event::End) => closing.begin(now, HungUp::Output),
            Some(Event::Exited(exit)) => {
                seat.process.read_now();
                hear_bot(&mut bridge, seat, now);
                gone(&mut bridge, HungUp::Exited(exit));
            }
            None => {
                if let Some(how) = closing.due(now, &mut seat.process) {
                    gone(&mut bridge, how);
                }
                if closing.at().is_none() {
                    bridge.input(BridgeInput::Tick(now));
                }
            }
        }
    }
    // The bot is told of the end before it is stopped.
    write_to_bot(&mut bridge, seat, &mut closing, &watch);
    seat.after_game(false);
    let mut end = bridge.end().expect("the loop ends with it").clone();
    if let BridgeEnd::Fault(fault) = &mut end {
        fault.evidence += &seat.hint(fault.clause);
        let last_word = async { while manager.recv().await.is_some_and(|b| !b.starts_with(b"QUIT")) {} };
        let _ = tokio::time::timeout(LAST_WORD, last_word).await;
    }
    Some(end)
}

fn write_to_bot(bridge: &mut Bridge, seat: &mut Seat, closing: &mut Closing, watch: &Watch) {
    if !bridge.to_bot().is_empty() {
        if bridge.asks() {
            // What can be read before a question is written came too early, and is no answer to it.
            seat.process.read_now();
            let now = watch.now();
            hear_bot(bridge, seat, now);
            if let Err(fault) = protocol::read_begun(seat.process.intake.unfinished()) {
                bridge.input(BridgeInput::Failed(fault.clause, &fault.evidence));
            }
            seat.process.intake.new_turn();
        }
        let text = std::mem::take(bridge.to_bot());
        seat.process.queue(&text);
    }
    if !seat.process.has_pending() {
        return;
    }
    let before = watch.now();
    match seat.process.flush() {
        Ok(true) => {
            bridge.input(BridgeInput::Written(before));
            // As at any table: a question that gets lost would be waited on.
            seat.process.watch_input(bridge.asks());
        }
        Ok(false) => {}
        // Its exit, if that is why, is about to be noticed, and says more.
        Err(_) => closing.begin(watch.now(), HungUp::Input),
    }
}

fn hear_bot(bridge: &mut Bridge, seat: &mut Seat, now: Stamp) {
    while bridge.end().is_none() {
        match seat.process.intake.next_line() {
            None => return,
            Some(Ok(line)) => bridge.input(BridgeInput::Line(now, line)),
            Some(Err(clause)) => {
                seat.process.stop_reading();
                return bridge.input(BridgeInput::Failed(clause, &format!("it {}", clause.meaning())));
            }
        }
    }
}

fn hear_manager(bridge: &mut Bridge, intake: &mut Intake) {
    while bridge.end().is_none() {
        match intake.next_line() {
            None => return,
            Some(Ok(line)) => bridge.input(BridgeInput::Manager(line)),
            // The limits are those of any line; a manager that passes them is none.
            Some(Err(_)) => return bridge.input(BridgeInput::ManagerGone),
        }
    }
}

fn gone(bridge: &mut Bridge, how: HungUp) {
    bridge.input(BridgeInput::Failed(how.clause(), &how.evidence()));
}
