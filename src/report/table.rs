//! Standings as tables.

use std::iter;

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object, Rows};
use tabled::settings::{Alignment, Style};

use crate::record::{StandingsFile, WireEstimate, WireLine, WireMatch, WireShare, WireTally};

fn estimate(elo: &WireEstimate) -> String {
    match elo {
        // The one player at whom the scale is fixed has no error of its own.
        WireEstimate::Value { elo, error: 0.0 } => format!("{elo:+.0} (fixed)"),
        WireEstimate::Value { elo, error } => format!("{elo:+.0} ± {error:.0}"),
        WireEstimate::AtLeast { elo } => format!("> {elo:+.0}"),
        WireEstimate::AtMost { elo } => format!("< {elo:+.0}"),
        WireEstimate::Unknown => "?".to_owned(),
    }
}

fn tally(t: &WireTally) -> String {
    format!("{}-{}-{}", t.wins, t.draws, t.losses)
}

fn score(t: &WireTally) -> Option<f64> {
    let games = t.wins + t.draws + t.losses;
    (games > 0).then(|| (t.wins as f64 + t.draws as f64 / 2.0) / games as f64)
}

/// A tally with its score: a bot may be far better with one colour than with the other.
fn scored(t: &WireTally) -> String {
    score(t).map_or_else(|| tally(t), |s| format!("{} {:.0} %", tally(t), s * 100.0))
}

/// The reasons of a player's losses by fault, if any: what its author wants to see first.
fn faults(line: &WireLine) -> String {
    let lost = line.reasons.iter().filter_map(|(how, count)| {
        how.strip_prefix("lost ")
            .filter(|clause| clause.contains('.'))
            .map(|clause| format!("{clause} ×{count}"))
    });
    lost.collect::<Vec<_>>().join(", ")
}

/// Of a few games a rating says less than the games themselves.
fn says_elo(file: &StandingsFile) -> bool {
    file.standings.iter().any(|line| line.games >= 10)
}

fn main_table(file: &StandingsFile) -> Builder {
    let mut table = Builder::default();
    let with_faults = file.standings.iter().any(|l| !faults(l).is_empty());
    let with_groups = file.groups > 1;
    let with_elo = says_elo(file);
    let with_glicko = file.standings.iter().any(|l| l.glicko2.is_some());
    let mut head = vec!["#", "bot", "points", "games", "W-D-L", "as Red", "as Blue", "score"];
    let tie_breaks = file.standings.iter().any(|line| line.buchholz.is_some());
    head.extend(tie_breaks.then_some(["Buchholz", "S-B"]).into_iter().flatten());
    head.extend(with_elo.then_some("Elo"));
    head.extend(with_glicko.then_some("Glicko-2"));
    head.extend(with_groups.then_some("group"));
    head.extend(with_faults.then_some("lost by fault"));
    table.push_record(head);
    for (place, line) in (1..).zip(&file.standings) {
        let mut cells = vec![
            format!("{}", line.place.unwrap_or(place)),
            line.name.clone(),
            format!("{}", line.points),
            line.games.to_string(),
            tally(&line.total),
            scored(&line.red),
            scored(&line.blue),
            format!("{:.1} %", score(&line.total).unwrap_or_default() * 100.0),
        ];
        if tie_breaks {
            cells.extend([line.buchholz, line.sonneborn_berger].map(|n| format!("{}", n.unwrap_or(0.0))));
        }
        cells.extend(with_elo.then(|| estimate(&line.elo)));
        cells.extend(with_glicko.then(|| {
            let shown = line.glicko2.as_ref().map(|g| format!("{:.0} ± {:.0}", g.rating, 1.96 * g.deviation));
            shown.unwrap_or_default()
        }));
        cells.extend(with_groups.then(|| (line.group + 1).to_string()));
        cells.extend(with_faults.then(|| faults(line)));
        table.push_record(cells);
    }
    table
}

fn crosstable(file: &StandingsFile) -> Builder {
    crossed(file, |line, other| line.against.get(other).map(tally))
}

/// A table of each player against each, with what `cell` tells of the two.
fn crossed(file: &StandingsFile, cell: impl Fn(&WireLine, &str) -> Option<String>) -> Builder {
    let mut table = Builder::default();
    let names = file.standings.iter().map(|l| l.name.clone());
    table.push_record(iter::once(String::new()).chain(names));
    for line in &file.standings {
        let cells = file.standings.iter().map(|other| cell(line, &other.name).unwrap_or("·".to_owned()));
        table.push_record(iter::once(line.name.clone()).chain(cells));
    }
    table
}

fn reasons(file: &StandingsFile) -> Builder {
    let mut table = Builder::default();
    table.push_record(["bot", "how its games ended"]);
    for line in &file.standings {
        let how: Vec<String> = line.reasons.iter().map(|(how, count)| format!("{how} {count}")).collect();
        table.push_record([line.name.clone(), how.join(", ")]);
    }
    table
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn interval(share: &Option<WireShare>) -> String {
    share.as_ref().map_or("?".to_owned(), |s| {
        format!("{} ({} to {})", percent(s.value), percent(s.low), percent(s.high))
    })
}

/// A match of two in a few lines, each figure with its error, once by games and once by pairs.
fn duel(file: &StandingsFile) -> Option<String> {
    // Of one or two games there is nothing to say that the games do not say better.
    let WireMatch { first, second, wins, draws, losses, games, pairs, .. } =
        file.duel.as_ref().filter(|_| file.games > 2)?;
    let point = |e: &WireEstimate| match e {
        WireEstimate::Value { elo, error } => format!("{elo:+.1} ± {error:.1}"),
        WireEstimate::AtLeast { elo } => format!("above {elo:+.1}"),
        WireEstimate::AtMost { elo } => format!("below {elo:+.1}"),
        WireEstimate::Unknown => "?".to_owned(),
    };
    let los = |los: &Option<f64>| los.map_or("?".to_owned(), percent);
    let mut text = format!(
        "{first} against {second}: {wins} won, {draws} drawn, {losses} lost\n  by games: Elo {}, nElo {}, LOS {}, drawn \
         {}\n",
        point(&games.elo),
        point(&games.nelo),
        los(&games.los),
        interval(&games.draw_ratio)
    );
    if let Some(p) = pairs {
        let counts: Vec<String> = p.counts.iter().map(u64::to_string).collect();
        let ratio = p.pairs_ratio.as_ref().map_or("?".to_owned(), |r| match (r.value, r.high) {
            (Some(value), Some(high)) => format!("{value:.2} ({:.2} to {high:.2})", r.low),
            _ => format!("above {:.2}", r.low),
        });
        let hang = p
            .correlation
            .as_ref()
            .map_or("?".to_owned(), |c| format!("{:+.2} ({:+.2} to {:+.2})", c.value, c.low, c.high));
        text += &format!(
            "  by pairs: Elo {}, nElo {}, LOS {}, even {}, won to lost {ratio}\n  pairs of 0, ½, 1, 1½, 2 points: {}; \
             correlation of a pair's games {hang}\n",
            point(&p.elo),
            point(&p.nelo),
            los(&p.los),
            interval(&p.draw_ratio),
            counts.join(", ")
        );
    }
    Some(text)
}

fn los(file: &StandingsFile) -> Option<Builder> {
    let los = file.los.as_ref()?;
    let better = |one: &str, other: &str| los.get(one)?.get(other).map(|&p| percent(p));
    Some(crossed(file, |line, other| better(&line.name, other)))
}

fn history(file: &StandingsFile) -> Option<Builder> {
    let moments = file.history.as_ref()?;
    let mut table = Builder::default();
    let mut head = vec!["after".to_owned(), "games".to_owned()];
    head.extend(file.standings.iter().map(|l| l.name.clone()));
    table.push_record(head);
    for moment in moments {
        let mut cells = vec![moment.after.clone(), moment.games.to_string()];
        cells.extend(file.standings.iter().map(|l| moment.elo.get(&l.name).map_or("·".to_owned(), estimate)));
        table.push_record(cells);
    }
    Some(table)
}

/// What fixes the scale, and what else was fitted.
fn scale(file: &StandingsFile) -> String {
    let scale = match &file.anchor {
        Some(anchor) => format!("{} held at {:+}", anchor.name, anchor.elo),
        None => "mean 0".to_owned(),
    };
    match &file.first_mover {
        None => scale,
        Some(WireEstimate::Value { elo, error }) => {
            format!("{scale}, moving first worth {elo:+.1} ± {error:.1} and taken out")
        }
        Some(_) => format!("{scale}; what moving first is worth these games do not determine"),
    }
}

/// The main table for a terminal, and the figures of a match of two.
pub fn terminal(file: &StandingsFile) -> String {
    let mut table = main_table(file).build();
    table.with(Style::rounded());
    table.modify(Columns::new(2..8).intersect(Rows::new(1..)), Alignment::right());
    let legend = format!(
        "Elo: Bradley-Terry over all games, {}, with 95 % intervals; > and < are bounds of one-sided scores\n",
        scale(file)
    );
    let legend = if says_elo(file) { legend } else { String::new() };
    format!("{table}\n{legend}{}{}", apart(file), duel(file).unwrap_or_default())
}

/// What is known beyond the main table, for a terminal: crosstable, how games ended, and what else was asked for.
pub fn terminal_details(file: &StandingsFile) -> String {
    let table = |title: &str, builder: Builder| {
        let mut table = builder.build();
        table.with(Style::rounded());
        format!("{title}\n{table}\n")
    };
    let mut text = String::new();
    if file.standings.len() > 2 {
        text += &table("Crosstable: won-drawn-lost of the row's bot", crosstable(file));
    }
    text += &table("How games ended", reasons(file));
    if let Some(los) = los(file) {
        text += &table("LOS: how likely the row's bot is stronger than the column's", los);
    }
    if let Some(history) = history(file) {
        text += &table("How the ratings moved", history);
    }
    text
}

fn apart(file: &StandingsFile) -> &'static str {
    if file.groups > 1 {
        "Players of different groups never met: their ratings do not compare.\n"
    } else {
        ""
    }
}

/// All tables as Markdown: standings, crosstable, reasons.
pub fn markdown(file: &StandingsFile) -> String {
    let table = |builder: Builder| builder.build().with(Style::markdown()).to_string();
    let note = if apart(file).is_empty() { String::new() } else { format!("\n{}", apart(file)) };
    let duel = duel(file).map_or(String::new(), |text| format!("\n```\n{text}```\n"));
    let more = |title: &str, builder: Option<Builder>| {
        builder.map_or(String::new(), |b| format!("\n## {title}\n\n{}\n", table(b)))
    };
    format!(
        "# Standings\n\n{}\n\n{} games. Elo: Bradley-Terry over all games, {}, with 95 % intervals; `>` and `<` are \
         bounds, where a player won or lost everything. W-D-L: won, drawn, lost.\n{note}{duel}\n## Crosstable\n\n{}\n\n\
         ## How games ended\n\n{}\n{}{}",
        table(main_table(file)),
        file.games,
        scale(file),
        table(crosstable(file)),
        table(reasons(file)),
        more("LOS: how likely the row's bot is stronger than the column's", los(file)),
        more("How the ratings moved", history(file)),
    )
}
