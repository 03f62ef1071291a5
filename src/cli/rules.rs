//! `arbiter rules`: lists and prints rule books.

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Modify, Style, Width};

use super::failure::{Exit, usage};
use super::options::{RulesOptions, check, rule_set};
use super::output;
use crate::game::{BOOKS, PARAMETERS, RuleSet, VARIANTS, book};

/// Arguments of `rules`.
#[derive(Debug, clap::Args)]
pub struct RulesArgs {
    /// A rule book's name or file: its resolved text is printed
    name: Option<String>,
    /// Variants, comma-separated
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    variant: Vec<String>,
    /// Change one parameter (repeatable)
    #[arg(long, value_name = "PARAMETER=VALUE")]
    set: Vec<String>,
}

/// The widest that a table is printed: terminals of a hundred columns are common, wider ones are not.
const WIDEST: usize = 100;

/// How a printed book begins to say what was changed in it.
const CHANGED: &str = "# Changed from the book ";

/// Runs the verb.
pub fn run(args: &RulesArgs) -> anyhow::Result<Exit> {
    match &args.name {
        Some(name) => output::print(resolved(args, name)?),
        None => tables(),
    }
    Ok(Exit::Done)
}

/// A book with variants and changes applied, each value with its source, or with the option that changed it.
fn resolved(args: &RulesArgs, name: &str) -> anyhow::Result<String> {
    let before = rule_set(name)?;
    let text = match BOOKS.iter().find(|(book, _)| *book == name) {
        Some((_, text)) => (*text).to_owned(),
        None => std::fs::read_to_string(name).map_err(|e| usage(format!("rule book {name}: {e}")))?,
    };
    let notes = RuleSet::notes(&text).map_err(|e| usage(format!("rule book {name}: {e}")))?;
    let options =
        RulesOptions { variant: args.variant.clone(), set: args.set.clone(), ..RulesOptions::default() };
    let mut after = before.clone();
    options.change(&mut after)?;
    let rules = check(after)?;
    let (after, origins) = (rules.set(), options.origins());
    let note = |key: &str| {
        let own = notes.get(key).cloned().unwrap_or_default();
        let (then, now) = (before.get(key), after.get(key));
        match (then, origins.get(key)) {
            (Some(then), Some(option)) if Some(&then) != now.as_ref() => {
                let source = if own.is_empty() { own } else { format!(", {own}") };
                format!("{option}; before: {then}{source}")
            }
            _ => own,
        }
    };
    // What a printed book says of its changes is said anew.
    let head = text.lines().take_while(|line| line.starts_with('#') && !line.starts_with(CHANGED));
    let mut head: String = head.map(|line| format!("{line}\n")).collect();
    if let Some(book) = book(&after.name) {
        let differs: Vec<String> = after
            .values()
            .zip(book.values())
            .filter(|((_, now), (_, then))| now != then)
            .map(|((key, now), (_, then))| format!("# {key} = {now}, not {then}\n"))
            .collect();
        if !differs.is_empty() {
            head += &format!(
                "{CHANGED}{0}, whose name bots are told as the one it began from (rules={0}):\n{1}",
                after.name,
                differs.concat()
            );
        }
    }
    let head = if head.is_empty() { head } else { head + "\n" };
    Ok(head + &after.to_toml(note))
}

/// Items one after the other, with a line break where a line would be wider than `width`.
fn folded(items: &[String], between: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for (n, item) in items.iter().enumerate() {
        let item = if n + 1 < items.len() { format!("{item}{between}") } else { item.clone() };
        let line = lines.last_mut().expect("there is always one line");
        if !line.is_empty() && line.len() + item.trim_end().len() > width {
            lines.push(item);
        } else {
            *line += &item;
        }
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

fn tables() {
    let books: Vec<_> = BOOKS.iter().filter_map(|(name, _)| book(name)).collect();
    let mut list = Builder::default();
    list.push_record(["rule book", "in short"]);
    books.iter().for_each(|b| list.push_record([b.name.as_str(), b.title.as_str()]));
    output::line(
        list.build()
            .with(Style::rounded())
            .with(Modify::new(Columns::one(1)).with(Width::wrap(70).keep_words(true))),
    );
    // A parameter in which all books agree is told once; the others become the rows of tables of six books each.
    let common = |name: &str| books.iter().all(|b| b.get(name) == books[0].get(name));
    for books in books.chunks(6) {
        let mut table = Builder::default();
        let head = std::iter::once("parameter".to_owned());
        table.push_record(head.chain(books.iter().map(|b| b.name.replace('-', "-\n"))));
        for parameter in PARAMETERS.iter().filter(|p| !common(p.name)) {
            let short = |value: String| {
                let apart = if value.contains(',') { ',' } else { '-' };
                let items: Vec<String> = value.split(apart).map(str::to_owned).collect();
                folded(&items, &apart.to_string(), 9)
            };
            let values = books.iter().filter_map(|b| b.get(parameter.name)).map(short);
            table.push_record(std::iter::once(parameter.name.to_owned()).chain(values));
        }
        output::line(table.build().with(Style::rounded()));
    }
    let alike: Vec<String> = books[0]
        .values()
        .filter(|(name, _)| common(name))
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    output::line(format_args!("In every book:\n{}", folded(&alike, ", ", WIDEST)));
    let mut variants = Builder::default();
    variants.push_record(["--variant", "what it does", "from", "sets"]);
    for variant in VARIANTS {
        let sets: Vec<String> = variant.sets.iter().map(|(k, v)| format!("{k}={v}")).collect();
        variants.push_record([variant.name, variant.about, variant.source, &sets.join("\n")]);
    }
    output::line(
        variants
            .build()
            .with(Style::rounded())
            .with(Modify::new(Columns::one(1)).with(Width::wrap(40).keep_words(true))),
    );
}
