//! Standings as tables.

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object, Rows};
use tabled::settings::{Alignment, Style};

use crate::record::{StandingsFile, WireEstimate, WireLine, WireTally};

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
    let mut head = vec!["#", "bot", "points", "games", "W-D-L", "as Red", "as Blue", "score"];
    head.extend(with_elo.then_some("Elo"));
    head.extend(with_groups.then_some("group"));
    head.extend(with_faults.then_some("lost by fault"));
    table.push_record(head);
    for (place, line) in (1..).zip(&file.standings) {
        let score = (line.total.wins as f64 + line.total.draws as f64 / 2.0) / (line.games as f64).max(1.0);
        let mut cells = vec![
            format!("{place}"),
            line.name.clone(),
            format!("{}", line.points),
            line.games.to_string(),
            tally(&line.total),
            tally(&line.red),
            tally(&line.blue),
            format!("{:.1} %", score * 100.0),
        ];
        cells.extend(with_elo.then(|| estimate(&line.elo)));
        cells.extend(with_groups.then(|| (line.group + 1).to_string()));
        cells.extend(with_faults.then(|| faults(line)));
        table.push_record(cells);
    }
    table
}

fn crosstable(file: &StandingsFile) -> Builder {
    let mut table = Builder::default();
    let mut head = vec![String::new()];
    head.extend(file.standings.iter().map(|l| l.name.clone()));
    table.push_record(head);
    for line in &file.standings {
        let mut cells = vec![line.name.clone()];
        cells.extend(file.standings.iter().map(|other| match line.against.get(&other.name) {
            Some(t) => tally(t),
            None => "·".to_owned(),
        }));
        table.push_record(cells);
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

/// The main table for a terminal.
pub fn terminal(file: &StandingsFile) -> String {
    let mut table = main_table(file).build();
    table.with(Style::rounded());
    table.modify(Columns::new(2..8).intersect(Rows::new(1..)), Alignment::right());
    let legend =
        "Elo: Bradley-Terry over all games, with 95 % intervals; > and < are bounds of one-sided scores\n";
    format!("{table}\n{}", if says_elo(file) { legend } else { "" })
}

/// All tables as Markdown: standings, crosstable, reasons.
pub fn markdown(file: &StandingsFile) -> String {
    let table = |builder: Builder| builder.build().with(Style::markdown()).to_string();
    let note = if file.groups > 1 {
        "\nPlayers of different groups never met: their ratings do not compare.\n"
    } else {
        ""
    };
    format!(
        "# Standings\n\n{}\n\n{} games. Elo: Bradley-Terry over all games, mean 0, with 95 % intervals; `>` and `<` are \
         bounds, where a player won or lost everything. W-D-L: won, drawn, lost.\n{note}\n## Crosstable\n\n{}\n\n\
         ## How games ended\n\n{}\n",
        table(main_table(file)),
        file.games,
        table(crosstable(file)),
        table(reasons(file)),
    )
}
