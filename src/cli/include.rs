//! A file of keys that includes others, and where each key stands: so that what is wrong with a value can be told with
//! file, line and column, whichever of the files has it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::failure::usage;
use crate::game::toml_reason;

/// What a file says, with all that it includes.
#[derive(Debug, Default)]
pub struct Included {
    /// Its keys; those of a file go before those of the files that it includes, an earlier one before a later.
    pub keys: toml::Table,
    places: BTreeMap<String, String>,
}

/// Files that include each other deeper than this do so by mistake.
const DEEPEST: usize = 8;

impl Included {
    /// Reads a file. `check` judges the keys of each file by themselves; `paths` are keys whose values are paths,
    /// relative to the file that has them.
    pub fn read(
        path: &Path,
        paths: &[&str],
        check: &dyn Fn(&str) -> Result<(), toml::de::Error>,
    ) -> anyhow::Result<Included> {
        let mut included = Included::default();
        included.add(path, paths, check, &mut Vec::new())?;
        Ok(included)
    }

    fn add(
        &mut self,
        path: &Path,
        paths: &[&str],
        check: &dyn Fn(&str) -> Result<(), toml::de::Error>,
        above: &mut Vec<PathBuf>,
    ) -> anyhow::Result<()> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|e| usage(format!("{shown}: {e}")))?;
        let wrong = |e: &toml::de::Error| usage(format!("{shown}, {}", toml_reason(&text, e)));
        check(&text).map_err(|e| wrong(&e))?;
        let mut keys: toml::Table = toml::from_str(&text).map_err(|e| wrong(&e))?;
        let mut included_at = String::new();
        for key in DeTable::parse(&text).map_err(|e| wrong(&e))?.get_ref().keys() {
            let before = &text[..key.span().start];
            let (line, begin) = (before.matches('\n').count() + 1, before.rfind('\n').map_or(0, |at| at + 1));
            let column = before[begin..].chars().count() + 1;
            let place = format!("{shown}, line {line}, column {column}");
            if key.get_ref() == "include" {
                included_at.clone_from(&place);
            }
            self.places.entry(key.get_ref().to_string()).or_insert(place);
        }
        let base = path.parent().unwrap_or(Path::new("")).to_owned();
        let others = match keys.remove("include") {
            None => Vec::new(),
            Some(toml::Value::Array(list)) => list,
            Some(one) => vec![one],
        };
        for key in paths {
            // A rule book's name is none; a path has a slash.
            if let Some(toml::Value::String(text)) = keys.get_mut(*key)
                && (*key != "rules" || text.contains('/'))
            {
                *text = base.join(&*text).display().to_string();
            }
        }
        for (key, value) in keys {
            match (self.keys.get_mut(&key), value) {
                // Of a table each key counts by itself.
                (Some(toml::Value::Table(have)), toml::Value::Table(more)) => {
                    for (key, value) in more {
                        have.entry(key).or_insert(value);
                    }
                }
                (Some(_), _) => {}
                (None, value) => drop(self.keys.insert(key, value)),
            }
        }
        above.push(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
        for other in others {
            let other = base.join(other.as_str().expect("the file was checked"));
            let place = &included_at;
            let again = other.canonicalize().is_ok_and(|real| above.contains(&real));
            if again || above.len() == DEEPEST {
                return Err(usage(format!("{place}: include: {} includes itself", other.display())));
            }
            if !other.is_file() {
                return Err(usage(format!("{place}: include: there is no file {}", other.display())));
            }
            self.add(&other, paths, check, above)?;
        }
        above.pop();
        Ok(())
    }

    /// An error of a value: it names file, line and column, and the key, where the option's would name an option. Where
    /// it begins with no key that is there, the value is this one's.
    pub fn error(&self, key: &str, error: &anyhow::Error) -> anyhow::Error {
        let message = error.to_string();
        let message = message.strip_prefix("--").unwrap_or(&message);
        let end = message.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(message.len());
        let place = self.places.get(&message[..end]).or_else(|| self.places.get(key));
        match place {
            Some(place) => usage(format!("{place}: {message}")),
            None => usage(message),
        }
    }
}
