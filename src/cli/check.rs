//! `arbiter check`: a battery against one bot, for people and for CI.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use wildmatch::WildMatch;

use super::bots::{Absent, Ready, Registry, Wanted};
use super::doctor::examine;
use super::event::unconfined;
use super::failure::{Exit, fail, usage};
use super::options::{LimitOptions, RulesOptions, check as check_rules};
use super::output;
use super::tournament::sandbox;
use crate::check::{Battery, Case, Format, Report, Subject, catalogue, confinement, run as drive, spec};
use crate::clock::parse_span;
use crate::process::{Launch, Layer, Limits, Sandbox, adopt_orphans, cores};
use crate::protocol::{Clause, Protocol};
use crate::record::write_whole;
use crate::runtime::{Bot, Stopper, Watch, stopping};

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// The bot: a name in the registry, a program or script, or a quoted command line
    #[arg(required_unless_present_any = ["bot", "list"])]
    name: Option<String>,
    /// The bot by key=value words: cmd= name= arg= dir= env.NAME= option.NAME= …
    #[arg(long, value_name = "BOT", num_args = 1.., conflicts_with = "name")]
    bot: Vec<String>,
    /// Registry of bots; without it the first bots.toml from here upward
    #[arg(long, value_name = "FILE")]
    bots: Option<PathBuf>,
    /// List the cases and run none
    #[arg(long)]
    list: bool,
    /// Only the cases whose name fits, as in 'move.*' (repeatable)
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Not the cases whose name fits (repeatable)
    #[arg(long, value_name = "GLOB")]
    skip: Vec<String>,
    /// Fail where a SHOULD is not kept, too
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    rules: RulesOptions,
    /// Seed of the games; each case is the same for the same seed, alone or among others
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Cases at once: a number, or auto for one a core
    #[arg(long, value_name = "N|auto", default_value = "auto")]
    jobs: String,
    /// How long the bot is waited for where a case is not about time
    #[arg(long, value_name = "TIME", default_value = "10s")]
    timeout: String,
    /// Confine the bot: off, try (by what this machine has), require (refuse to start without the base)
    #[arg(long, value_name = "HOW", default_value = "try")]
    sandbox: String,
    #[command(flatten)]
    limits: LimitOptions,
    /// Form of the report, to standard output or a file (repeatable): human, json, junit, tap, sarif, github,
    /// markdown, badge, html
    #[arg(long, value_name = "FORM[=FILE]")]
    format: Vec<String>,
    /// For people: only what fails, and the counts
    #[arg(short, long)]
    quiet: bool,
}

/// Where a form of the report goes.
type Outlet = (Format, Option<PathBuf>);

/// Runs the verb.
pub fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let outlets = outlets(&args.format)?;
    let all = catalogue();
    let cases: Vec<Case> = all.iter().filter(|case| args.wants(&case.name)).cloned().collect();
    if args.list {
        cases.iter().for_each(list);
        return Ok(Exit::Done);
    }
    let watched = || Clause::ALL.iter().any(|clause| args.wants(clause.slug()));
    // A clause that is watched in every case has none of its own: all are driven for it.
    let all_for_it = cases.is_empty() && watched();
    let cases: Vec<Case> = match all_for_it {
        true => all.into_iter().filter(|case| !fits(&args.skip, &case.name)).collect(),
        false => cases,
    };
    if cases.is_empty() {
        return Err(usage("no case fits --only and --skip; --list tells their names"));
    }
    let limit = parse_span(&args.timeout).map_err(|e| usage(format!("--timeout: {e}")))?;
    if limit < Duration::from_millis(10) {
        return Err(usage("--timeout: nothing can be done in no time"));
    }
    let jobs = match args.jobs.as_str() {
        "auto" => cores().len().max(1),
        text => text
            .parse()
            .ok()
            .filter(|&n: &usize| (1..=256).contains(&n))
            .ok_or_else(|| usage(format!("--jobs {text}: it takes a number from 1 to 256, or auto")))?,
    };
    let rules = check_rules(args.rules.rule_set()?)?.set().clone();
    let ready = bot(args)?;
    if ready.protocol != Protocol::Sbp {
        return Err(usage(format!(
            "bot `{}` speaks {}; a check is of sbp (SPEC.md)",
            ready.name,
            ready.protocol.word()
        )));
    }
    let program = program(&ready);
    let name = ready.name.clone();
    let sandbox = sandbox(Some(&args.sandbox))?;
    if sandbox == Sandbox::Require {
        let missing = Layer::missing_base(&examine()?);
        if !missing.is_empty() {
            let why = format!("this machine lacks {}", missing.join(", "));
            return Err(unconfined(&name, &why));
        }
    }
    let subject = subject(ready, sandbox, &args.limits)?;
    let battery = Battery {
        subject,
        rules_given: args.rules.rules.is_some(),
        rules: rules.clone(),
        seed: args.seed,
        jobs,
        limit,
    };
    let (stopper, stop) = stopping();
    stop_on_signals(stopper);
    let watch = Watch::start();
    let progress = progress(cases.len(), &outlets);
    let mut checked = drive(&battery, cases, &|slug| args.wants(slug), &stop, &|case| {
        progress.set_message(case.to_owned());
        progress.inc(1);
    });
    progress.finish_and_clear();
    checked.rows.retain(|row| !all_for_it || args.wants(&row.name) || row.fails(args.strict));
    if stop.state() != crate::runtime::Stop::No {
        output::tell("interrupted");
        return Ok(Exit::Interrupted);
    }
    let report = Report {
        bot: name,
        calls_itself: checked.calls_itself,
        program,
        rules: checked.rules.unwrap_or(rules.name),
        seed: args.seed,
        strict: args.strict,
        command: args.command(),
        rows: checked.rows,
        void: checked.void,
        confined: (!checked.standings.is_empty()).then(|| confinement(&checked.standings)),
        took: watch.now().0,
    };
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    for (format, path) in &outlets {
        let text = format.print(&report, colour && path.is_none(), args.quiet);
        match path {
            None => output::print_if_read(&text),
            Some(path) => write_report(path, &text)?,
        }
    }
    if !report.passed() {
        return Ok(Exit::Failed);
    }
    if let Some(cause) = report.void.first() {
        return Err(fail(Exit::Void, format!("the arena failed in {} cases: {cause}", report.void.len())));
    }
    Ok(Exit::Done)
}

/// Writes a file whole or not at all; what is no plain file, as /dev/stderr, cannot be replaced.
fn write_report(path: &Path, text: &str) -> anyhow::Result<()> {
    if path.exists() && !path.is_file() {
        return std::fs::write(path, text).map_err(|e| fail(Exit::Void, format!("{}: {e}", path.display())));
    }
    write_whole(path, text).map_err(|e| fail(Exit::Void, e))
}

fn outlets(words: &[String]) -> anyhow::Result<Vec<Outlet>> {
    let mut outlets: Vec<Outlet> = Vec::new();
    for word in words {
        let (name, path) =
            word.split_once('=').map_or((word.as_str(), None), |(n, p)| (n, Some(PathBuf::from(p))));
        let format = Format::from_word(name).ok_or_else(|| {
            let names: Vec<&str> = Format::ALL.iter().map(|f| f.word()).collect();
            usage(format!("--format {word}: there is no `{name}`; there are {}", names.join(", ")))
        })?;
        if path.as_ref().is_some_and(|path| path.as_os_str().is_empty()) {
            return Err(usage(format!("--format {word}: a file's name is missing behind `=`")));
        }
        outlets.push((format, path));
    }
    if outlets.iter().filter(|(_, path)| path.is_none()).count() > 1 {
        return Err(usage(
            "--format: one form at most goes to standard output; give the others a file, as in junit=report.xml",
        ));
    }
    // Whoever watches sees what goes on, whatever the files are for.
    if outlets.iter().all(|(_, path)| path.is_some()) {
        outlets.push((Format::Human, None));
    }
    Ok(outlets)
}

fn list(case: &Case) {
    let number = spec::clause(case.clause()).map_or("", |clause| clause.number);
    output::line(format_args!("{:<6} {:<6} {:<32} {}", number, case.level.word(), case.name, case.about));
}

fn progress(cases: usize, outlets: &[Outlet]) -> indicatif::ProgressBar {
    let shown = std::io::stderr().is_terminal() && outlets.iter().any(|(format, _)| *format == Format::Human);
    if !shown {
        return indicatif::ProgressBar::hidden();
    }
    let bar = indicatif::ProgressBar::new(cases as u64);
    bar.set_style(
        indicatif::ProgressStyle::with_template("{pos}/{len} {msg}").expect("the template is well formed"),
    );
    bar
}

/// The first signal stops the cases that run, the second ends everything.
fn stop_on_signals(stopper: Stopper) {
    let listen = move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(async {
            use tokio::signal::unix::{SignalKind, signal};
            let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
            let [Ok(mut int), Ok(mut term), Ok(mut hup)] = kinds.map(signal) else { return };
            loop {
                tokio::select! { _ = int.recv() => {}, _ = term.recv() => {}, _ = hup.recv() => {} }
                if stopper.further() == crate::runtime::Stop::Kill {
                    std::process::exit(Exit::Interrupted as i32);
                }
            }
        });
    };
    // It lives as long as the program, which does not wait for it.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(listen);
}

fn bot(args: &CheckArgs) -> anyhow::Result<Ready> {
    let registry = Registry::find(args.bots.as_deref())?;
    let wanted: Wanted = match &args.name {
        Some(name) => registry.bot(name)?,
        None => registry.bot_of_words(&args.bot)?,
    };
    let launcher = std::env::current_exe()
        .map_err(|e| fail(Exit::Internal, format!("this program's own file is not to be found: {e}")))?;
    adopt_orphans();
    match wanted.prepare(&launcher, &mut |text| output::tell(text)) {
        Ok(ready) => Ok(ready),
        Err(Absent::Optional(why)) => {
            Err(fail(Exit::Bot, format!("bot `{}` cannot start: {why}", wanted.name)))
        }
        Err(Absent::Error(error)) => Err(error),
    }
}

/// The bot as a league with these options would start it, and as a confined one.
fn subject(ready: Ready, sandbox: Sandbox, limits: &LimitOptions) -> anyhow::Result<Subject> {
    let limits = ready.limits.or(limits.clone());
    let limits =
        |usual| limits.limits(usual).map_err(|why| usage(format!("limits of bot `{}`: {why}", ready.name)));
    let start = |sandbox, usual| {
        anyhow::Ok(Arc::new(Bot {
            name: ready.name.clone(),
            protocol: ready.protocol,
            launch: Launch {
                confinement: ready.reach.confinement(sandbox, &[], &[]),
                limits: limits(usual)?,
                ..ready.launch.clone()
            },
            options: ready.options.clone().into_iter().collect(),
            restart: ready.restart,
            threads: ready.threads,
        }))
    };
    let confined = if sandbox == Sandbox::Off { Sandbox::Try } else { sandbox };
    let usual = if sandbox == Sandbox::Off { Limits::default() } else { Limits::usual() };
    Ok(Subject { bot: start(sandbox, usual)?, confined: start(confined, Limits::usual())? })
}

/// The bot's script or program, from the current folder where it lies below.
fn program(ready: &Ready) -> String {
    let dir = &ready.launch.dir;
    let script = ready.argv.iter().map(|word| dir.join(word)).find(|path| path.is_file());
    let path = script.unwrap_or_else(|| ready.launch.program.clone());
    let here = std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default();
    let path = std::fs::canonicalize(&path).unwrap_or(path);
    path.strip_prefix(&here).unwrap_or(&path).to_string_lossy().into_owned()
}

fn fits(globs: &[String], name: &str) -> bool {
    globs.iter().any(|glob| WildMatch::new(glob).matches(name))
}

impl CheckArgs {
    fn wants(&self, name: &str) -> bool {
        (self.only.is_empty() || fits(&self.only, name)) && !fits(&self.skip, name)
    }

    /// The command that drives cases as they were driven now; what is missing is `--only CASE`.
    fn command(&self) -> String {
        let mut words = vec!["arbiter".to_owned(), "check".to_owned()];
        words.extend(self.name.clone());
        let mut option = |name: &str, value: &str| words.extend([name.to_owned(), value.to_owned()]);
        if let Some(path) = &self.bots {
            option("--bots", &path.to_string_lossy());
        }
        if let Some(rules) = &self.rules.rules {
            option("--rules", rules);
        }
        if !self.rules.variant.is_empty() {
            option("--variant", &self.rules.variant.join(","));
        }
        self.rules.set.iter().for_each(|set| option("--set", set));
        if let Some(price) = &self.rules.on_illegal {
            option("--on-illegal", price);
        }
        if let Some(plies) = self.rules.max_plies {
            option("--max-plies", &plies.to_string());
        }
        option("--seed", &self.seed.to_string());
        if self.timeout != "10s" {
            option("--timeout", &self.timeout);
        }
        let limits = &self.limits;
        let given = [
            ("--memory", &limits.memory),
            ("--processes", &limits.processes),
            ("--cpu-time", &limits.cpu_time),
            ("--disk", &limits.disk),
            ("--output", &limits.output),
        ];
        given
            .iter()
            .filter_map(|(name, value)| Some((name, value.as_ref()?)))
            .for_each(|(n, v)| option(n, v));
        if self.sandbox != "try" {
            option("--sandbox", &self.sandbox);
        }
        if !self.bot.is_empty() {
            words.push("--bot".to_owned());
            words.extend(self.bot.iter().cloned());
        }
        shell_words::join(words)
    }
}
