//! `arbiter bridge`: a bot of our own protocol plays under another league's manager.
//!
//! Standard input and output are the manager's; people read standard error.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::bots::{Absent, Registry};
use super::event::chance;
use super::failure::{Exit, fail, usage};
use super::options::{check, rule_set};
use crate::clock::{TimeControl, TimeSettings, parse_span};
use crate::process::adopt_orphans;
use crate::protocol::Protocol;
use crate::referee::{Bridge, BridgeEnd};
use crate::runtime::{self, Bot, Seat, SeatError};

/// Arguments of `bridge`.
#[derive(Debug, clap::Args)]
pub struct BridgeArgs {
    /// The bot: a name in the registry, a program or script, or a quoted command line
    bot: String,
    /// The protocol of the manager
    #[arg(long = "as", value_name = "PROTOCOL", value_parser = ["ucc"])]
    protocol: String,
    /// What the bot is given for each move; the manager's own limit is to be longer
    #[arg(long, value_name = "TIME", default_value = "1800ms")]
    move_time: String,
    /// What the bot is given for its deployment
    #[arg(long, value_name = "TIME", default_value = "1800ms")]
    setup_time: String,
    /// What the bot is given for its handshake, and for readyok
    #[arg(long, value_name = "TIME", default_value = "10s")]
    start_timeout: String,
    /// The seed that the bot is told; without it one is drawn
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Registry of bots; without it the first bots.toml from here upward
    #[arg(long, value_name = "FILE")]
    bots: Option<PathBuf>,
    /// Show the bot's standard error as it comes
    #[arg(long)]
    stderr: bool,
}

fn span(option: &str, text: &str) -> anyhow::Result<Duration> {
    match parse_span(text).map_err(|e| usage(format!("{option}: {e}")))? {
        span if span.is_zero() => Err(usage(format!("{option} {text}: nothing can be done in no time"))),
        span => Ok(span),
    }
}

/// Runs the verb.
pub fn run(args: &BridgeArgs) -> anyhow::Result<Exit> {
    let rules = check(rule_set("ucc2012")?)?;
    let time = TimeSettings {
        control: TimeControl::PerMove(span("--move-time", &args.move_time)?),
        setup: Some(span("--setup-time", &args.setup_time)?),
        start: span("--start-timeout", &args.start_timeout)?,
        ..TimeSettings::default()
    };
    let seed = match args.seed {
        Some(seed) if seed >= 1 << 63 => return Err(usage(format!("--seed {seed}: it must be below 2^63"))),
        Some(seed) => seed,
        None => chance(),
    };
    let launcher = std::env::current_exe()
        .map_err(|e| fail(Exit::Internal, format!("this program's own file is not to be found: {e}")))?;
    adopt_orphans();
    let wanted = Registry::find(args.bots.as_deref())?.bot(&args.bot)?;
    let ready = match wanted.prepare(&launcher, &mut |text| eprintln!("{text}")) {
        Ok(ready) => ready,
        Err(Absent::Optional(why)) => return Err(fail(Exit::Bot, format!("bot `{}`: {why}", wanted.name))),
        Err(Absent::Error(error)) => return Err(error),
    };
    if ready.protocol != Protocol::Sbp {
        let (name, word) = (ready.name, ready.protocol.word());
        return Err(usage(format!(
            "bot `{name}` speaks {word} itself: the manager can start it without a bridge"
        )));
    }
    let bot = Arc::new(Bot {
        name: ready.name,
        protocol: ready.protocol,
        launch: ready.launch,
        options: ready.options.into_iter().collect(),
        restart: true,
        threads: ready.threads,
    });
    let main = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| fail(Exit::Internal, format!("no runtime: {e}")))?;
    main.block_on(play(&bot, Bridged { rules, time, seed, echo: args.stderr }))
}

struct Bridged {
    rules: Arc<crate::game::Rules>,
    time: TimeSettings,
    seed: u64,
    echo: bool,
}

async fn play(bot: &Arc<Bot>, plan: Bridged) -> anyhow::Result<Exit> {
    let (stopper, stop) = runtime::stopping();
    let mut signals = Vec::new();
    for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
        signals.push(signal(kind).map_err(|e| fail(Exit::Internal, format!("no signals: {e}")))?);
    }
    tokio::spawn(async move {
        let [interrupt, terminate, hangup] = &mut signals[..] else { return };
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
            stopper.further();
        }
    });
    let seat = Seat::take(bot, &plan.time, &stop, plan.echo, false).await;
    let mut seat = match seat {
        Ok(seat) => seat,
        Err(SeatError::Void(_)) if stop.state() != runtime::Stop::No => return Ok(Exit::Interrupted),
        Err(SeatError::Unconfined(cause)) => return Err(usage(format!("bot `{}`: {cause}", bot.name))),
        Err(SeatError::Void(cause)) => return Err(fail(Exit::Void, format!("bot `{}`: {cause}", bot.name))),
        Err(error @ SeatError::Fault { .. }) => {
            return Err(fail(Exit::Bot, format!("bot `{}` cannot start: {error}", bot.name)));
        }
    };
    let supports = &seat.profile.supports;
    let why = if !seat.refused.is_empty() {
        Some(seat.refused.join("; "))
    } else if !supports.is_empty() && !supports.contains(&plan.rules.name) {
        Some(format!("it does not play `{}`: it says it supports {}", plan.rules.name, supports.join(", ")))
    } else {
        None
    };
    if let Some(why) = why {
        seat.leave(true).await;
        return Err(usage(format!("bot `{}`: {why}", bot.name)));
    }
    let bridge = Bridge::new(plan.rules, plan.time, plan.seed, seat.profile.wants);
    let say = |text: &str| {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
    };
    let end = runtime::bridge(bridge, &mut seat, &mut read_stdin(), say, &stop).await;
    let polite = !matches!(&end, Some(BridgeEnd::Fault(fault)) if !fault.clause.leaves_process_usable());
    let last = seat.last_words();
    seat.leave(polite).await;
    match end {
        None => Ok(Exit::Interrupted),
        Some(BridgeEnd::Over(line)) => {
            tracing::info!("the manager ended the game: {line}");
            Ok(Exit::Done)
        }
        Some(BridgeEnd::Manager(why)) => Err(fail(Exit::Void, format!("the manager's side: {why}"))),
        Some(BridgeEnd::Fault(fault)) => {
            let last = if last.is_empty() {
                String::new()
            } else {
                format!("\nits last words:\n  {}", last.join("\n  "))
            };
            let text = format!("bot `{}` is at fault [{}]: {}{last}", bot.name, fault.clause, fault.evidence);
            Err(fail(Exit::Failed, text))
        }
    }
}

/// What comes on standard input, which may be a pipe, a file or a terminal: read by a thread of its own, which ends
/// with the program.
fn read_stdin() -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel(16);
    std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = std::io::stdin().lock().read(&mut chunk) {
            if sender.blocking_send(chunk[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}
