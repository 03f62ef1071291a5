//! `arbiter rules`: lists and prints rule books.

use tabled::builder::Builder;
use tabled::settings::Style;

use super::failure::Exit;
use super::options::{RulesOptions, check, rule_set};
use super::output;
use crate::game::{BOOKS, PARAMETERS, VARIANTS, book};

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

/// Runs the verb.
pub fn run(args: &RulesArgs) -> anyhow::Result<Exit> {
    if let Some(name) = &args.name {
        let mut set = rule_set(name)?;
        RulesOptions { variant: args.variant.clone(), set: args.set.clone(), ..RulesOptions::default() }
            .change(&mut set)?;
        let rules = check(set)?;
        output::print(rules.set().to_toml());
        return Ok(Exit::Done);
    }
    let books: Vec<_> = BOOKS.iter().filter_map(|(name, _)| book(name)).collect();
    let mut list = Builder::default();
    list.push_record(["rule book", "in short"]);
    books.iter().for_each(|b| list.push_record([b.name.as_str(), b.title.as_str()]));
    output::line(list.build().with(Style::rounded()));
    // A parameter in which all books agree is told once; the others become the rows of a table.
    let mut table = Builder::default();
    let mut head = vec!["parameter".to_owned()];
    head.extend(books.iter().map(|b| b.name.replace('-', "-\n")));
    table.push_record(head);
    let mut common = Vec::new();
    for parameter in PARAMETERS {
        let values: Vec<String> = books.iter().filter_map(|b| b.get(parameter.name)).collect();
        if values.iter().all(|v| *v == values[0]) {
            common.push(format!("{} = {}", parameter.name, values[0]));
            continue;
        }
        let short = |v: String| v.replace(',', "\n");
        table.push_record(std::iter::once(parameter.name.to_owned()).chain(values.into_iter().map(short)));
    }
    output::line(table.build().with(Style::rounded()));
    output::line(format_args!("in every book: {}", common.join(", ")));
    let mut variants = Builder::default();
    variants.push_record(["--variant", "what it does", "sets"]);
    for variant in VARIANTS {
        let sets: Vec<String> = variant.sets.iter().map(|(k, v)| format!("{k}={v}")).collect();
        variants.push_record([variant.name.to_owned(), variant.about.to_owned(), sets.join(" ")]);
    }
    output::line(variants.build().with(Style::rounded()));
    Ok(Exit::Done)
}
