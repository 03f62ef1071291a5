//! How long an event will take, as far as that can be told before it is played.

use std::time::Duration;

use super::super::bots::Ready;
use super::super::failure::{Exit, fail};
use super::super::output;
use super::{Event, at_once};
use crate::clock::TimeControl;
use crate::record::{JOURNAL, read_records};
use crate::tournament::{Dealer, Total};

/// The plies of a game of which nothing is known.
const USUAL_PLIES: u64 = 300;

/// Tells the games that are missing, and how long they take: by the games that are there, or by the clock.
pub(super) fn tell(event: &Event, bots: &[Ready], dealer: &Dealer) -> anyhow::Result<Exit> {
    let (total, settled) = (dealer.total(), dealer.settled());
    let missing = total.games().saturating_sub(settled);
    let threads = bots.iter().map(|bot| bot.threads).max().unwrap_or(1);
    let concurrency = at_once(event, threads).min(missing.clamp(1, 4096) as usize);
    let (mut games, mut spent) = (0u64, Duration::ZERO);
    let journal = event.out.join(JOURNAL);
    if journal.exists() {
        read_records(&journal, |_, record| -> anyhow::Result<()> {
            games += 1;
            spent += Duration::from_micros(record.us.iter().sum());
            Ok(())
        })
        .map_err(|e| fail(Exit::Void, e))?;
    }
    let (each, by) = match games {
        0 => by_clock(event),
        _ => (spent / u32::try_from(games).unwrap_or(u32::MAX), format!("as long as the {games} there are")),
    };
    let open = match total {
        Total::Exactly(_) => "",
        Total::AtLeast(_) => "at least ",
        Total::AtMost(_) => "at most ",
    };
    let whole = each.as_secs_f64() * missing as f64 / concurrency as f64;
    output::line(format_args!(
        "  {open}{missing} games to play, {concurrency} at once; {open}about {}, games being {by}",
        spelled(whole)
    ));
    output::line("  nothing was played or written (--dry-run)");
    Ok(Exit::Done)
}

/// What a game may take by its clock, in which bots seldom use all that they have.
fn by_clock(event: &Event) -> (Duration, String) {
    let plies = event.rules.length.map_or(USUAL_PLIES, |most| USUAL_PLIES.min(u64::from(most)));
    let moves = u32::try_from(plies).unwrap_or(u32::MAX);
    let (each, spent) = match event.time.control {
        TimeControl::PerMove(each) => (each * moves, "whose moves take all their time"),
        TimeControl::Clock { base, increment, .. } => (base * 2 + increment * moves, "whose clocks run down"),
        TimeControl::Unlimited { .. } => {
            (Duration::from_secs(1) * moves, "of a second a move, there being no clock")
        }
    };
    (each, format!("of {plies} plies {spent}"))
}

fn spelled(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s if s < 200_000.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}
