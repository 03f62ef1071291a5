//! Naming bots: the registry, command lines and `key=value` words become programs that can be started.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::failure::{Exit, fail, usage};
use super::options::LimitOptions;
use super::reach::{Reach, Wish, behind_shim};
use crate::game::toml_reason;
use crate::process::{Confinement, Launch, Limits, cores};
use crate::protocol::Protocol;
use crate::record::EventBot;

/// One table of a registry.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    argv: Vec<String>,
    #[serde(default)]
    dir: Option<PathBuf>,
    #[serde(default)]
    build: Vec<String>,
    #[serde(default)]
    makes: Option<PathBuf>,
    #[serde(default)]
    sources: Vec<PathBuf>,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    options: BTreeMap<String, toml::Value>,
    #[serde(default = "one")]
    threads: usize,
    #[serde(default)]
    restart: bool,
    #[serde(default)]
    read: Vec<PathBuf>,
    #[serde(default)]
    write: Vec<PathBuf>,
    #[serde(default)]
    scratch: Option<PathBuf>,
    #[serde(default)]
    memory: Option<String>,
    #[serde(default, deserialize_with = "number_or_text")]
    processes: Option<String>,
    #[serde(default, rename = "cpu-time")]
    cpu_time: Option<String>,
    #[serde(default)]
    disk: Option<String>,
    #[serde(default)]
    output: Option<String>,
    #[serde(default)]
    proto: Option<String>,
}

/// A number may be written as one, and `none` as a text.
pub(super) fn number_or_text<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let value = toml::Value::deserialize(from)?;
    Ok(Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
}

fn one() -> usize {
    1
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegistryFile {
    bots: BTreeMap<String, Entry>,
}

/// A registry of bots.
#[derive(Debug, Default)]
pub struct Registry {
    path: Option<PathBuf>,
    bots: BTreeMap<String, Entry>,
}

/// A bot as it was asked for: nothing is known yet of whether it is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Its name in the event.
    pub name: String,
    argv: Vec<String>,
    dir: PathBuf,
    dir_given: bool,
    build: Vec<String>,
    /// What the build makes, where that is not the program.
    makes: Option<PathBuf>,
    sources: Vec<PathBuf>,
    optional: bool,
    env: BTreeMap<String, String>,
    options: BTreeMap<String, String>,
    threads: usize,
    restart: bool,
    /// Paths that it may read or write beside its own, relative to its folder.
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    /// A scratch folder that lasts.
    scratch: Option<PathBuf>,
    limits: LimitOptions,
    protocol: Protocol,
    /// What to say besides where its program is not found.
    hint: Option<String>,
}

/// A bot that is there: built, resolved, hashed.
#[derive(Clone, Debug)]
pub struct Ready {
    /// Its name in the event.
    pub name: String,
    /// Its command as written.
    pub argv: Vec<String>,
    /// How it is started.
    pub launch: Launch,
    /// SHA-256 of what it is made of, in hexadecimal.
    pub hash: String,
    /// Options to set.
    pub options: BTreeMap<String, String>,
    /// Threads it thinks with.
    pub threads: usize,
    /// Whether each game gets a new process.
    pub restart: bool,
    /// What of the files belongs to it.
    pub reach: Reach,
    /// What it was given to use, where that was said for it.
    pub limits: LimitOptions,
    /// The language it speaks.
    pub protocol: Protocol,
}

impl Registry {
    /// Reads `path`, or the first `bots.toml` from the current folder upward, or nothing where there is none.
    pub fn find(path: Option<&Path>) -> anyhow::Result<Registry> {
        let found = match path {
            Some(path) => Some(path.to_owned()),
            None => {
                let here = std::env::current_dir().map_err(|e| usage(format!("the current folder: {e}")))?;
                here.ancestors().map(|dir| dir.join("bots.toml")).find(|p| p.is_file())
            }
        };
        found.map_or_else(|| Ok(Registry::default()), |path| Registry::read(&path))
    }

    /// Reads a registry file.
    pub fn read(path: &Path) -> anyhow::Result<Registry> {
        let shown = path.display();
        let text = fs::read_to_string(path).map_err(|e| usage(format!("{shown}: {e}")))?;
        let file: RegistryFile =
            toml::from_str(&text).map_err(|e| usage(format!("{shown}, {}", toml_reason(&text, &e))))?;
        for (name, entry) in &file.bots {
            check_name(name).map_err(|why| usage(format!("{shown}: bot `{name}`: {why}")))?;
            if entry.argv.is_empty() {
                return Err(usage(format!(
                    "{shown}: bot `{name}`: argv is empty; it is the program and its arguments"
                )));
            }
            if let Some(word) = &entry.proto {
                protocol(word)
                    .map_err(|why| usage(format!("{shown}: bot `{name}`: proto = {word:?}: {why}")))?;
            }
        }
        Ok(Registry { path: Some(path.to_owned()), bots: file.bots })
    }

    /// The file it was read from.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn entry(&self, name: &str) -> Option<Wanted> {
        let entry = self.bots.get(name)?;
        let parent = self.path.as_deref().and_then(Path::parent).filter(|p| !p.as_os_str().is_empty());
        let base = parent.unwrap_or(Path::new("."));
        let option = |(k, v): (&String, &toml::Value)| {
            let value = match v {
                toml::Value::String(s) => s.clone(),
                other => other.to_string(),
            };
            (k.clone(), value)
        };
        Some(Wanted {
            name: name.to_owned(),
            argv: entry.argv.clone(),
            dir: entry.dir.as_ref().map_or_else(|| base.to_owned(), |dir| base.join(dir)),
            dir_given: entry.dir.is_some(),
            build: entry.build.clone(),
            makes: entry.makes.clone(),
            sources: entry.sources.clone(),
            optional: entry.optional,
            env: entry.env.clone(),
            options: entry.options.iter().map(option).collect(),
            threads: entry.threads.max(1),
            restart: entry.restart,
            read: entry.read.clone(),
            write: entry.write.clone(),
            scratch: entry.scratch.clone(),
            limits: LimitOptions {
                memory: entry.memory.clone(),
                processes: entry.processes.clone(),
                cpu_time: entry.cpu_time.clone(),
                disk: entry.disk.clone(),
                output: entry.output.clone(),
            },
            protocol: entry.proto.as_deref().and_then(Protocol::from_word).unwrap_or_default(),
            hint: None,
        })
    }

    /// The bot that a text names: one of the registry, a program or script, or a command line.
    pub fn bot(&self, text: &str) -> anyhow::Result<Wanted> {
        if let Some(wanted) = self.entry(text) {
            return Ok(wanted);
        }
        if !Path::new(text).is_file() && (text.starts_with("cmd=") || text.starts_with("name=")) {
            let words = shell_words::split(text).map_err(|e| usage(format!("bot `{text}`: {e}")))?;
            return self.bot_of_words(&words);
        }
        let argv = if Path::new(text).is_file() {
            vec![text.to_owned()]
        } else {
            shell_words::split(text).map_err(|e| usage(format!("bot `{text}`: {e}")))?
        };
        if argv.is_empty() {
            return Err(usage("an empty text names no bot"));
        }
        let mut wanted = command(argv);
        if !text.contains('/') {
            wanted.hint = Some(match &self.path {
                None => "no bots.toml was found from here upward (--bots FILE names a registry)".to_owned(),
                Some(path) => {
                    let names: Vec<&str> = self.bots.keys().map(String::as_str).collect();
                    format!("{} has no bot of that name; it has {}", path.display(), names.join(", "))
                }
            });
        }
        Ok(wanted)
    }

    /// The bot of an event as it is now: the registry's of that name, otherwise the program it was then. Its options
    /// are those of the event.
    pub fn bot_again(&self, bot: &EventBot) -> anyhow::Result<Wanted> {
        let base = bot.name.split('#').next().unwrap_or_default();
        let mut wanted = match self.entry(&bot.name).or_else(|| self.entry(base)) {
            Some(wanted) => wanted,
            None => {
                let mut argv = bot.argv.clone();
                if let Some(program) = argv.first_mut() {
                    program.clone_from(&bot.program);
                }
                let hint = "no registry has it (--bots FILE names one), and its program is taken as it was; or name \
                            both bots after the game";
                Wanted { hint: Some(hint.to_owned()), ..command(argv) }
            }
        };
        wanted.name.clone_from(&bot.name);
        wanted.options.clone_from(&bot.options);
        Ok(wanted)
    }

    /// The bot that words name: one word as for [`Registry::bot`], or `key=value` words.
    pub fn bot_of_words(&self, words: &[String]) -> anyhow::Result<Wanted> {
        let is_pair = |w: &String| {
            let key = w.split_once('=').map(|(k, _)| k);
            key.is_some_and(|k| {
                !k.is_empty() && k.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
            })
        };
        match words {
            [word] if !is_pair(word) => return self.bot(word),
            _ => {}
        }
        let mut wanted: Option<Wanted> = None;
        let mut rest = Vec::new();
        for word in words {
            match word.split_once('=') {
                Some(("cmd", value)) => wanted = Some(self.bot(value)?),
                Some(pair) => rest.push(pair),
                None => return Err(usage(format!("--bot: `{word}` is no key=value word"))),
            }
        }
        let mut wanted = match wanted {
            Some(wanted) => wanted,
            None => {
                let name = rest.iter().find(|(k, _)| *k == "name").map(|(_, v)| *v);
                name.and_then(|name| self.entry(name)).ok_or_else(|| {
                    usage("--bot: key=value words need cmd=PROGRAM, or the name= of a registered bot")
                })?
            }
        };
        for (key, value) in rest {
            match key.split_once('.') {
                Some(("env", name)) => drop(wanted.env.insert(name.to_owned(), value.to_owned())),
                Some(("option", name)) => drop(wanted.options.insert(name.to_owned(), value.to_owned())),
                _ => match key {
                    "name" => {
                        check_name(value).map_err(|why| usage(format!("--bot: name `{value}`: {why}")))?;
                        wanted.name = value.to_owned();
                    }
                    "arg" => wanted.argv.push(value.to_owned()),
                    "dir" => (wanted.dir, wanted.dir_given) = (PathBuf::from(value), true),
                    "threads" => {
                        wanted.threads = value.parse().ok().filter(|&n| n > 0).ok_or_else(|| {
                            usage(format!("--bot: threads={value}: it takes a whole number from 1"))
                        })?;
                    }
                    "restart" => wanted.restart = value == "on" || value == "true",
                    "read" => wanted.read.push(here(value)?),
                    "write" => wanted.write.push(here(value)?),
                    "scratch" => wanted.scratch = Some(here(value)?),
                    "memory" => wanted.limits.memory = Some(value.to_owned()),
                    "processes" => wanted.limits.processes = Some(value.to_owned()),
                    "cpu-time" => wanted.limits.cpu_time = Some(value.to_owned()),
                    "disk" => wanted.limits.disk = Some(value.to_owned()),
                    "output" => wanted.limits.output = Some(value.to_owned()),
                    "proto" => {
                        wanted.protocol =
                            protocol(value).map_err(|why| usage(format!("--bot: proto={value}: {why}")))?;
                    }
                    _ => {
                        return Err(usage(format!(
                            "--bot: unknown key `{key}`; there are cmd, name, arg, dir, env.NAME, option.NAME, threads, restart, read, write, scratch, memory, processes, cpu-time, disk, output, proto"
                        )));
                    }
                },
            }
        }
        Ok(wanted)
    }
}

/// A path of the command line: relative to the current folder, not to the bot's.
fn here(value: &str) -> anyhow::Result<PathBuf> {
    std::path::absolute(value).map_err(|e| usage(format!("--bot: `{value}`: {e}")))
}

fn protocol(word: &str) -> Result<Protocol, String> {
    let words: Vec<&str> = Protocol::ALL.iter().map(|p| p.word()).collect();
    Protocol::from_word(word).ok_or_else(|| format!("the protocols are {}", words.join(", ")))
}

fn check_name(name: &str) -> Result<(), &'static str> {
    if name.is_empty() || name.chars().count() > 64 {
        Err("a name has 1 to 64 characters")
    } else if name.chars().any(|c| c.is_control() || c.is_whitespace() || c == '/') {
        Err("a name has no blanks, slashes or control characters")
    } else {
        Ok(())
    }
}

/// A bot from a command line, named after the script or program in it.
fn command(argv: Vec<String>) -> Wanted {
    let file = argv.iter().skip(1).find(|a| Path::new(a).is_file()).unwrap_or(&argv[0]);
    let stem = Path::new(file).file_stem().map_or_else(|| file.clone(), |s| s.to_string_lossy().into_owned());
    let name: String =
        stem.chars().map(|c| if c.is_control() || c.is_whitespace() { '-' } else { c }).take(64).collect();
    Wanted {
        name: if name.is_empty() { "bot".to_owned() } else { name },
        argv,
        dir: PathBuf::from("."),
        dir_given: false,
        build: Vec::new(),
        makes: None,
        sources: Vec::new(),
        optional: false,
        env: BTreeMap::new(),
        options: BTreeMap::new(),
        threads: 1,
        restart: false,
        read: Vec::new(),
        write: Vec::new(),
        scratch: None,
        limits: LimitOptions::default(),
        protocol: Protocol::default(),
        hint: None,
    }
}

/// Gives each bot a name of its own: one bot named twice plays itself as NAME and NAME#2; two different bots under
/// one name are refused.
pub fn name_apart(wanted: &mut [Wanted]) -> anyhow::Result<()> {
    for later in 1..wanted.len() {
        let (before, rest) = wanted.split_at_mut(later);
        let bot = &mut rest[0];
        let base = bot.name.clone();
        let same: Vec<&Wanted> =
            before.iter().filter(|b| b.name == base || b.name.starts_with(&format!("{base}#"))).collect();
        let Some(first) = same.first() else { continue };
        if (&first.argv, &first.dir, &first.env, &first.options, first.protocol)
            != (&bot.argv, &bot.dir, &bot.env, &bot.options, bot.protocol)
        {
            return Err(usage(format!(
                "two different bots are named `{base}`: `{}` and `{}`; give one another name: \"cmd=PROGRAM name=NAME\"",
                first.argv.join(" "),
                bot.argv.join(" ")
            )));
        }
        bot.name = format!("{base}#{}", same.len() + 1);
    }
    Ok(())
}

/// Whether a file can be executed.
pub(super) fn executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// A word looked up in PATH.
pub(super) fn in_path(word: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(word)).find(|p| executable(p))
}

/// The program that the first word of a command stands for: a path relative to `dir`, or a word in PATH.
fn program(word: &str, dir: &Path) -> Result<PathBuf, String> {
    if !word.contains('/') {
        if let Some(found) = in_path(word) {
            return Ok(found);
        }
        if !dir.join(word).is_file() {
            return Err(format!("program `{word}` is not in PATH"));
        }
    }
    let path = dir.join(word);
    let absolute = fs::canonicalize(&path).map_err(|e| format!("program {}: {e}", path.display()))?;
    if absolute.is_dir() {
        return Err(format!("program {} is a folder", path.display()));
    }
    if !executable(&absolute) {
        return Err(format!(
            "program {} is not executable: run `chmod +x` on it, or name its interpreter first",
            path.display()
        ));
    }
    Ok(absolute)
}

/// A program that was found.
struct Found {
    /// The file, links followed.
    program: PathBuf,
    /// The path by which it was found.
    named: PathBuf,
    /// Whether a version manager was asked for it.
    behind_shim: bool,
}

/// Finds a program, behind its version manager's shim where it has one.
fn find(word: &str, dir: &Path) -> Result<Found, String> {
    let program = program(word, dir)?;
    let named = in_path(word).filter(|_| !word.contains('/')).unwrap_or_else(|| dir.join(word));
    match behind_shim(&named, dir).and_then(|real| Some((fs::canonicalize(&real).ok()?, real))) {
        Some((program, named)) => Ok(Found { program, named, behind_shim: true }),
        None => Ok(Found { program, named, behind_shim: false }),
    }
}

/// The interpreter of a script that is not executable itself, as words: told by its name's ending, and more exactly
/// by its first line where that says it. A file without such an ending is no script to us.
fn interpreter(script: &Path) -> Option<Vec<String>> {
    let program = match script.extension()?.to_str()? {
        "py" => "python3",
        "js" | "mjs" => "node",
        "sh" => "sh",
        "rb" => "ruby",
        "pl" => "perl",
        "lua" => "lua",
        _ => return None,
    };
    let text = fs::read(script).ok()?;
    let first = String::from_utf8_lossy(text.split(|&b| b == b'\n').next().unwrap_or_default()).into_owned();
    let words = first.strip_prefix("#!").map(|line| {
        behind_env(line).unwrap_or_else(|| line.split_ascii_whitespace().map(str::to_owned).collect())
    });
    words.filter(|words: &Vec<String>| !words.is_empty()).or_else(|| Some(vec![program.to_owned()]))
}

/// The words that follow `env` in the first line of a script.
fn looked_up_by_env(script: &Path) -> Option<Vec<String>> {
    use std::io::Read;
    let mut first = [0; 256];
    let count = fs::File::open(script).ok()?.read(&mut first).ok()?;
    let line = first[..count].strip_prefix(b"#!")?.split(|&b| b == b'\n').next()?;
    behind_env(std::str::from_utf8(line).ok()?)
}

/// The words that `env` would look up and run, where a command is its and plain.
fn behind_env(line: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let rest = match words[..] {
        ["/usr/bin/env" | "/bin/env", "-S", ref rest @ ..] => rest,
        ["/usr/bin/env" | "/bin/env", ref rest @ ..] if rest.len() == 1 => rest,
        _ => return None,
    };
    let is_plain = rest.first().is_some_and(|word| !word.starts_with('-') && !word.contains('='));
    let plain = is_plain && !line.contains(['"', '\'', '\\', '$']);
    plain.then(|| rest.iter().map(|&word| word.to_owned()).collect())
}

/// Why a bot is not there.
pub enum Absent {
    /// Its toolchain is missing, and it may be left out.
    Optional(String),
    /// An error that ends the run.
    Error(anyhow::Error),
}

impl Wanted {
    /// Builds where sources are newer, resolves the program, hashes what the bot is made of.
    pub fn prepare(&self, launcher: &Path, say: &mut dyn FnMut(String)) -> Result<Ready, Absent> {
        let absent = |why: String, missing_tool: bool| {
            if self.optional && missing_tool {
                return Absent::Optional(why);
            }
            Absent::Error(fail(Exit::Bot, format!("bot `{}` cannot start: {why}", self.name)))
        };
        let dir = fs::canonicalize(&self.dir)
            .map_err(|e| absent(format!("its folder {}: {e}", self.dir.display()), false))?;
        if let Some(tool) = self.build.first() {
            let built = dir.join(self.makes.as_deref().unwrap_or(Path::new(&self.argv[0])));
            if self.needs_build(&built, &dir) {
                let tool = program(tool, &dir).map_err(|why| absent(format!("its build: {why}"), true))?;
                say(format!("building {}: {}", self.name, self.build.join(" ")));
                let output = Command::new(tool).args(&self.build[1..]).current_dir(&dir).output();
                let output = output.map_err(|e| absent(format!("its build: {e}"), false))?;
                if !output.status.success() {
                    let text = String::from_utf8_lossy(&output.stderr);
                    let tail: Vec<&str> = text.lines().rev().take(15).collect();
                    let tail: Vec<&str> = tail.into_iter().rev().collect();
                    return Err(absent(format!("its build failed:\n{}", tail.join("\n")), false));
                }
                if !built.is_file() {
                    return Err(absent(format!("its build made no {}", built.display()), false));
                }
            }
        }
        let mut argv = self.argv.clone();
        let script = dir.join(&argv[0]);
        if script.is_file()
            && !executable(&script)
            && let Some(interpreter) = interpreter(&script)
        {
            argv.splice(0..0, interpreter);
        }
        let mut found = find(&argv[0], &dir).map_err(|why| {
            let interpreter_missing = !argv[0].contains('/');
            let hint = self.hint.as_ref().map_or(String::new(), |hint| format!("; {hint}"));
            absent(format!("{why}{hint}"), interpreter_missing)
        })?;
        // What `env` would look up is looked up here, so that it is known what has to be readable.
        if let Some(words) = looked_up_by_env(&found.program)
            && let Ok(interpreter) = find(&words[0], &dir)
        {
            argv[0] = found.program.to_string_lossy().into_owned();
            argv.splice(0..0, words);
            found = interpreter;
        }
        let Found { program, named, behind_shim } = found;
        if behind_shim {
            // An interpreter finds its own library by its name.
            argv[0] = named.to_string_lossy().into_owned();
        }
        let wish = Wish { read: &self.read, write: &self.write, scratch: self.scratch.as_deref() };
        let reach = Reach::new(&program, &named, &argv, &dir, self.dir_given, &wish)
            .map_err(|why| absent(why, false))?;
        let hash = self.hash(&program, &argv, &dir).map_err(|why| absent(why, false))?;
        let mut env: BTreeMap<String, String> = BTreeMap::from([
            (
                "PATH".to_owned(),
                std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".into()),
            ),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
        ]);
        env.extend(self.env.clone());
        Ok(Ready {
            name: self.name.clone(),
            argv: self.argv.clone(),
            launch: Launch {
                launcher: launcher.to_owned(),
                program,
                argv,
                dir,
                env: env.into_iter().collect(),
                free_cores: cores(),
                confinement: Confinement::default(),
                limits: Limits::default(),
                freeze: false,
            },
            reach,
            limits: self.limits.clone(),
            hash,
            options: self.options.clone(),
            threads: self.threads,
            restart: self.restart,
            protocol: self.protocol,
        })
    }

    fn needs_build(&self, built: &Path, dir: &Path) -> bool {
        let Ok(built) = fs::metadata(built).and_then(|m| m.modified()) else {
            return true;
        };
        self.source_files(dir)
            .iter()
            .any(|source| fs::metadata(source).and_then(|m| m.modified()).is_ok_and(|at| at > built))
    }

    /// The bot's sources: those that its entry names, or what lies in the folder it was given.
    fn source_files(&self, dir: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        if !self.sources.is_empty() {
            self.sources.iter().for_each(|source| collect(&dir.join(source), &mut files));
        } else if self.dir_given {
            collect(dir, &mut files);
        }
        files.sort();
        files
    }

    fn hash(&self, program: &Path, argv: &[String], dir: &Path) -> Result<String, String> {
        let mut parts = vec![("program".to_owned(), program.to_owned())];
        for (n, arg) in argv.iter().enumerate().skip(1) {
            if dir.join(arg).is_file() {
                parts.push((format!("argument {n}"), dir.join(arg)));
            }
        }
        for source in self.source_files(dir) {
            let name = source.strip_prefix(dir).unwrap_or(&source).to_string_lossy().into_owned();
            parts.push((format!("source {name}"), source));
        }
        let mut hash = Sha256::new();
        for (name, path) in parts {
            let content = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            hash.update(format!("{name} {}\n", content.len()).as_bytes());
            hash.update(&content);
        }
        Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// At most so many files count as a bot's sources.
const MOST_SOURCES: usize = 2000;

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if files.len() >= MOST_SOURCES {
        return;
    }
    if path.is_file() {
        files.push(path.to_owned());
        return;
    }
    let Ok(entries) = fs::read_dir(path) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // What tools leave behind is no source.
        let made = ["target", "build", "node_modules", "__pycache__", "results"].contains(&name.as_ref());
        if !name.starts_with('.') && !made {
            collect(&entry.path(), files);
        }
    }
}
