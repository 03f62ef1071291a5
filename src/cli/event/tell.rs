//! What a run says: lines for people, events for programs, a progress bar, a live board.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::super::bots::Ready;
use super::super::output;
use super::super::setups::NamedBook;
use super::super::stream::Style;
use super::Event;
use super::run::Following;
use crate::game::{RuleSet, book};
use crate::protocol::Protocol;
use crate::rating::SprtVerdict;
use crate::record::EventFile;
use crate::report;
use crate::runtime::Finished;
use crate::tournament::{GameResult, Gate, Outcome, Planned, Settled, Total};

/// What a run says, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Say {
    /// One JSON event a line on standard output, and nothing else there.
    pub json: bool,
    /// Nothing but the result.
    pub quiet: bool,
    /// The bots' standard error as it comes.
    pub stderr: bool,
    /// Transcripts are kept.
    pub wire: bool,
    /// A live board where standard output is a terminal.
    pub board: bool,
    /// The words of another program, in place of ours.
    pub style: Option<Style>,
    /// Between how many games a style tells its ratings.
    pub rating_interval: u64,
}

impl Say {
    pub(super) fn people(&self, text: impl std::fmt::Display) {
        if !self.json && !self.quiet && self.style.is_none() {
            output::line(text);
        }
    }
}

/// The rule book's name, with what was changed in it.
pub(super) fn rules_title(rules: &RuleSet) -> String {
    let Some(book) = book(&rules.name) else { return rules.name.clone() };
    let changes: Vec<String> = (rules.values().zip(book.values()))
        .filter(|((_, now), (_, then))| now != then)
        .map(|((name, now), _)| format!("{name}={now}"))
        .collect();
    if changes.is_empty() { rules.name.clone() } else { format!("{} with {}", rules.name, changes.join(" ")) }
}

/// Where a test stands.
pub(super) fn gate_words(gate: &Gate) -> String {
    let bounds = gate.sprt().bounds();
    let verdict = match gate.verdict() {
        SprtVerdict::Undecided => "undecided",
        SprtVerdict::AcceptH0 => "H0 accepted",
        SprtVerdict::AcceptH1 => "H1 accepted",
    };
    format!(
        "SPRT {} to {} Elo: LLR {:.2} ({:.2}, {:.2}) after {} games: {verdict}",
        gate.sprt().elo0(),
        gate.sprt().elo1(),
        gate.llr(),
        bounds.lower,
        bounds.upper,
        gate.games()
    )
}

pub(super) fn header(event: &Event, bots: &[Ready], file: &EventFile, settled: u64, total: Total) {
    let say = event.say;
    say.people(format_args!(
        "{}: {}{} games, {}rules {}, time {}, seed {}, in {}",
        event.name,
        match total {
            Total::Exactly(_) => "",
            Total::AtLeast(_) => "at least ",
            Total::AtMost(_) => "at most ",
        },
        total.games(),
        match event.kind {
            super::Kind::RoundRobin => String::new(),
            kind => format!("{}, ", kind.word()),
        },
        rules_title(event.rules.set()),
        event.time.control,
        file.seed,
        event.out.display()
    ));
    if let Some(NamedBook { book, recorded }) = &event.setups {
        let (count, hash) = (book.deployments().len(), &recorded.sha256[..12]);
        say.people(format_args!("  {count} deployments of the setup book {} [{hash}]", recorded.file));
    }
    for bot in bots {
        let speaks = match bot.protocol {
            Protocol::Sbp => String::new(),
            other => format!(", speaks {}", other.word()),
        };
        let (program, hash) = (bot.launch.program.display(), &bot.hash[..12]);
        say.people(format_args!("  {:<20} {program} [{hash}]{speaks}", bot.name));
    }
    if settled > 0 {
        let missing = total.games().saturating_sub(settled);
        match total {
            Total::Exactly(_) => {
                say.people(format_args!("  {settled} games are there already; {missing} are missing"));
            }
            _ => say.people(format_args!("  {settled} games are there already")),
        }
    }
}

pub(super) fn progress(event: &Event, settled: u64, total: u64, live: bool) -> ProgressBar {
    let hidden = event.say.quiet || event.say.json || event.say.style.is_some() || live || total < 2;
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(total), target);
    // How many games a test takes nobody knows.
    let template = match event.sprt {
        Some(_) => "{pos} games  {rate}  {msg}",
        None => "{bar:30} {pos}/{len} games  {rate}  {eta} left",
    };
    let style = ProgressStyle::with_template(template).expect("the templates are constants").with_key(
        "rate",
        |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{:.1} games/s", state.per_sec());
        },
    );
    bar.set_style(style);
    bar.set_position(settled);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

impl Following<'_> {
    pub(super) fn names(&self, planned: Planned) -> (&str, &str) {
        let bots = &self.collector;
        (bots.name(planned.red), bots.name(planned.blue))
    }

    pub(super) fn started(&mut self, planned: Planned) {
        if let Some(rules) = self.event.tie_break.as_ref().filter(|_| planned.tie_break) {
            let line = format!("a tie: one more game, colours drawn, rules {}", rules.name);
            self.bar.suspend(|| self.event.say.people(line));
        }
        let bots = &self.collector;
        self.stream.started(planned.id, bots.name(planned.red), bots.name(planned.blue));
    }

    pub(super) fn void(&mut self, finished: &Finished) {
        let cause = finished.void.clone().unwrap_or_default();
        self.stream.void(finished.planned.id, &finished.record, &cause);
        self.bar.suspend(|| tracing::warn!("game {} came to nothing: {cause}", finished.record.id));
        self.voids.insert(finished.record.id.clone(), cause);
    }

    pub(super) fn settled(&mut self, finished: &Finished) {
        let record = &finished.record;
        let result = match record.result.as_str() {
            "red" => GameResult::Red,
            "blue" => GameResult::Blue,
            "both-lose" => GameResult::BothLose,
            _ => GameResult::Draw,
        };
        self.desk.settle(finished.planned, Outcome { result, fault: record.clause.is_some() });
        self.collector.add(&Settled {
            id: finished.planned.id,
            red: &record.red,
            blue: &record.blue,
            result,
            reason: &record.reason,
            clause: record.clause.as_deref(),
            red_first: record.first == "red",
        });
        let gate = self.desk.with(|dealer| dealer.gate().cloned());
        let words = gate.as_ref().map(gate_words);
        self.stream.finished(finished.planned.id, record, &finished.sentence, &self.collector, gate);
        let score = match record.result.as_str() {
            "red" => "1-0",
            "blue" => "0-1",
            "draw" => "½-½",
            _ => "0-0",
        };
        let faults: Vec<String> = record
            .faults
            .iter()
            .map(|fault| {
                let who = if fault.side == "red" { &record.red } else { &record.blue };
                let last = fault
                    .stderr
                    .last()
                    .map_or(String::new(), |l| format!("\n    {who}'s last line on standard error: {l}"));
                format!("\n    {who}: {}{last}", fault.evidence)
            })
            .collect();
        let line = format!(
            "{:<8} {} - {} {score} in {} plies: {}{}",
            record.id,
            record.red,
            record.blue,
            record.plies,
            finished.sentence,
            faults.concat()
        );
        if let Some(words) = words {
            self.bar.set_message(words);
        }
        self.bar.suspend(|| self.event.say.people(line));
        self.bar.inc(1);
        self.keep_texts(finished);
    }

    pub(super) fn board(
        &mut self,
        planned: Planned,
        position: &crate::game::Position,
        left: [Option<Duration>; 2],
        last: &str,
    ) {
        let colour = std::env::var_os("NO_COLOR").is_none();
        let (red, blue) = self.names(planned);
        let clock =
            |left: Option<Duration>| left.map_or(String::new(), |l| format!(" {:.1}s", l.as_secs_f64()));
        let text = format!(
            "{}  {red} (Red){} - {blue} (Blue){}\n\n{}\nply {}  {last}\n",
            planned.id,
            clock(left[0]),
            clock(left[1]),
            report::board(position, colour),
            position.plies(),
        );
        let up =
            if self.lines_on_board > 0 { format!("\x1b[{}A", self.lines_on_board) } else { String::new() };
        self.lines_on_board = text.matches('\n').count();
        output::print(format_args!("{up}{}", text.replace('\n', "\x1b[K\n")));
    }
}
