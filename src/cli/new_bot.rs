//! `arbiter new-bot`: a bot to begin with, in a folder of its own.
//!
//! The templates are whole bots under `templates/`, held in this binary as they stand there. They are named `my-bot`,
//! and the name is all that is changed in them, so that each can be built and read in its place.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::failure::{Exit, fail, usage};
use super::output;

/// Arguments of `new-bot`.
#[derive(Debug, clap::Args)]
pub struct NewBotArgs {
    /// The language
    language: Language,
    /// The folder to make; one that is there must be empty
    dir: PathBuf,
    /// The bot's name (default: the folder's)
    #[arg(long)]
    name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Language {
    Python,
    #[value(alias = "js")]
    Javascript,
    #[value(alias = "ts")]
    Typescript,
    C,
    #[value(name = "c++", alias = "cpp")]
    Cpp,
    Java,
    Go,
    Rust,
    #[value(alias = "sh")]
    Shell,
}

/// The name of every template, which becomes the bot's.
const NAME: &str = "my-bot";
/// The command in the workflow that becomes the language's own way to run tests.
const TEST: &str = "my-test";
const WORKFLOW: &str = include_str!("../../templates/check.yml");

/// A bot to begin with.
struct Template {
    title: &'static str,
    test: &'static str,
    /// Paths and texts.
    files: &'static [(&'static str, &'static str)],
}

macro_rules! files {
    ($folder:literal: $($file:literal)*) => {
        &[$(($file, include_str!(concat!("../../templates/", $folder, "/", $file)))),*]
    };
}

impl Language {
    fn template(self) -> Template {
        let (title, test, files): (_, _, &[_]) = match self {
            Language::Python => (
                "Python",
                "python3 -m unittest",
                files!("python": "bot.py" "sbp.py" "test_bot.py" "bots.toml" "README.md" ".gitignore"),
            ),
            Language::Javascript => (
                "JavaScript",
                "node --test",
                files!("javascript": "bot.js" "sbp.js" "bot.test.js" "package.json" "bots.toml" "README.md"
                    ".gitignore"),
            ),
            Language::Typescript => (
                "TypeScript",
                "npm test",
                files!("typescript": "src/main.ts" "src/bot.ts" "src/sbp.ts" "src/bot.test.ts" "package.json"
                    "tsconfig.json" "bots.toml" "README.md" ".gitignore"),
            ),
            Language::C => (
                "C",
                "make test",
                files!("c": "main.c" "bot.c" "sbp.c" "sbp.h" "test.c" "Makefile" "bots.toml" "README.md"
                    ".gitignore"),
            ),
            Language::Cpp => (
                "C++",
                "make test",
                files!("cpp": "main.cpp" "bot.cpp" "bot.hpp" "sbp.cpp" "sbp.hpp" "test.cpp" "Makefile"
                    "bots.toml" "README.md" ".gitignore"),
            ),
            Language::Java => (
                "Java",
                "sh test.sh",
                files!("java": "Bot.java" "Game.java" "Sbp.java" "BotTest.java" "test.sh" "bots.toml"
                    "README.md" ".gitignore"),
            ),
            Language::Go => (
                "Go",
                "go test",
                files!("go": "bot.go" "sbp.go" "bot_test.go" "go.mod" "bots.toml" "README.md" ".gitignore"),
            ),
            Language::Rust => (
                "Rust",
                "cargo test",
                files!("rust": "src/main.rs" "src/sbp.rs" "Cargo.toml.in" "bots.toml" "README.md" ".gitignore"),
            ),
            Language::Shell => (
                "shell",
                "sh test.sh",
                files!("shell": "bot.sh" "test.sh" "bots.toml" "README.md" ".gitignore"),
            ),
        };
        Template { title, test, files }
    }
}

/// Runs the verb.
pub fn run(args: &NewBotArgs) -> anyhow::Result<Exit> {
    let dir = &args.dir;
    let shown = dir.display();
    let there = match fs::read_dir(dir) {
        Ok(mut entries) => {
            if let Some(entry) = entries.next() {
                let entry = entry.map(|e| e.file_name().to_string_lossy().into_owned()).unwrap_or_default();
                return Err(usage(format!(
                    "{shown}: this folder holds `{entry}`; name one that is empty or not there yet"
                )));
            }
            true
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => false,
        Err(e) => {
            return Err(usage(format!("{shown}: {e}; name a folder that is empty or not there yet")));
        }
    };
    // `.` has a name as well.
    let whole = if there { fs::canonicalize(dir) } else { std::path::absolute(dir) };
    let whole = whole.map_err(|e| usage(format!("{shown}: {e}")))?;
    let name = match &args.name {
        Some(name) => name.clone(),
        None => whole.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
    };
    check_name(&name)?;
    let template = args.language.template();
    let (parent, folder) = match (whole.parent(), whole.file_name()) {
        (Some(parent), Some(folder)) => (parent, folder),
        _ => return Err(usage(format!("{shown}: name a folder to make"))),
    };
    // Written aside and moved, so that nothing half-written is left.
    let aside = parent.join(format!(".{}.{}", folder.to_string_lossy(), std::process::id()));
    let written = fs::create_dir_all(parent)
        .and_then(|()| write(&template, &name, &aside))
        .and_then(|()| if there { fill(&aside, &whole) } else { fs::rename(&aside, &whole) });
    if let Err(e) = written {
        let _ = fs::remove_dir_all(&aside);
        return Err(fail(Exit::Void, format!("{shown}: {e}; name a folder that can be written")));
    }
    output::line(format_args!("{shown}: `{name}`, a bot in {}. Now:", template.title));
    output::line(format_args!("  cd {}", shell_words::quote(&dir.to_string_lossy())));
    output::line(format_args!("  arbiter play {name} {name}"));
    Ok(Exit::Done)
}

/// A name that every language's package, the registry and the protocol take.
fn check_name(name: &str) -> anyhow::Result<()> {
    let fits = name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if fits {
        return Ok(());
    }
    Err(usage(format!(
        "`{name}` is no name for a bot: it has 1 to 64 letters, digits, `-` and `_`, a letter first; give one by --name"
    )))
}

fn write(template: &Template, name: &str, dir: &Path) -> io::Result<()> {
    let workflow = WORKFLOW.replace(TEST, template.test);
    let files = template.files.iter().copied().chain([(".github/workflows/check.yml", workflow.as_str())]);
    for (path, text) in files {
        // Cargo leaves out of a package what has a manifest of its own.
        let path = dir.join(path.trim_end_matches(".in"));
        fs::create_dir_all(path.parent().expect("it lies in the folder"))?;
        fs::write(path, text.replace(NAME, name))?;
    }
    Ok(())
}

/// Moves what lies in one folder into another. The folder itself stays: somebody may stand in it.
fn fill(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::rename(entry.path(), to.join(entry.file_name()))?;
    }
    fs::remove_dir(from)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    /// All files of a folder, without what building and running a bot in its place leaves there.
    fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let made = ["__pycache__", "build", "node_modules", "target", "results", "bot", "bot-test"];
            if path.is_dir() && !made.contains(&name) {
                collect(&path, files);
            } else if path.is_file() && !made.contains(&name) {
                files.push(path);
            }
        }
    }

    #[test]
    fn every_file_of_a_template_is_in_the_binary() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
        for language in Language::value_variants() {
            let folder = match language {
                Language::Cpp => "cpp".to_owned(),
                other => other.to_possible_value().unwrap().get_name().to_owned(),
            };
            let mut there = Vec::new();
            collect(&root.join(&folder), &mut there);
            let mut there: Vec<_> =
                there.iter().map(|p| p.strip_prefix(root.join(&folder)).unwrap().to_owned()).collect();
            let mut held: Vec<PathBuf> =
                language.template().files.iter().map(|(path, _)| PathBuf::from(path)).collect();
            there.sort();
            held.sort();
            assert_eq!(held, there, "{folder}");
        }
    }
}
