//! The command line: verbs, options, exit codes. The thin edge where everything meets.

mod adjudication;
mod bots;
mod bridge;
mod check;
mod convert;
mod doctor;
mod event;
mod export;
mod failure;
mod field;
mod include;
mod logs;
mod manual;
mod new_bot;
mod options;
mod output;
mod publish;
mod reach;
mod rules;
mod setups;
mod standings;
mod stats;
mod stream;
mod tournament;
mod verify;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

pub use failure::{Exit, Failure};

/// Referee and arena for Stratego bots.
#[derive(Debug, Parser)]
#[command(name = "arbiter", version, arg_required_else_help = true, subcommand_required = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 what was tested failed, 2 usage or configuration, 3 a bot could not \
                        start, 4 games void or not recorded, 5 internal, 130 interrupted (resumable)"
)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
    /// Say more (-v: what bots do, -vv: everything)
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Play one game or several between two bots
    #[command(
        after_help = "Examples:\n  arbiter play ./mybot \"python3 other.py\"\n  arbiter play hunter-rust \
                            random-python --games 10 --time 60+0.5 --rules barrage\n  arbiter play --again \
                            results/league/1.3.2\n  arbiter play --start results/league/1.3.2:40 ./mybot hunter-rust"
    )]
    Play(tournament::PlayArgs),
    /// Play a tournament, or go on with it
    #[command(
        after_help = "Examples:\n  arbiter tournament sample-bots/league.toml\n  arbiter tournament --bot \
                            ./mybot --bot cmd=./mybot name=Deep option.Depth=6 --bot hunter-rust --rounds 10\n  arbiter tournament league.toml --format swiss --rounds 5\n  arbiter tournament --bot ./new \
                            --bot ./old --sprt 0,10 --fail-on h0 --concurrency auto"
    )]
    Tournament(tournament::TournamentArgs),
    /// Check whether a bot keeps to the protocol, clause by clause
    #[command(
        after_help = "Examples:\n  arbiter check ./mybot --strict\n  arbiter check \"python3 mybot.py\" --only \
                            'move.*' --format junit=report.xml --format github"
    )]
    Check(check::CheckArgs),
    /// Play a tournament, told in the words of cutechess-cli or fastchess
    #[command(override_help = field::HELP, after_help = field::EXAMPLES)]
    Match(field::MatchArgs),
    /// Show standings, made again from the journals of one event or several
    #[command(
        after_help = "Examples:\n  arbiter standings results/sample-league --los\n  arbiter standings \
                            results/spring results/autumn --join hunter --anchor random=0 --history event"
    )]
    Standings(standings::StandingsArgs),
    /// Copy events, games, moves and ratings into tables for SQL and notebooks
    #[command(
        after_help = "Examples:\n  arbiter export results/sample-league --to games.sqlite\n  arbiter export \
                            results/spring results/autumn --to games.csv --overwrite"
    )]
    Export(export::ExportArgs),
    /// Copy an event for the public: nothing of the machine, nothing that helps in games not yet played
    #[command(after_help = "Examples:\n  arbiter publish results/spring public/spring\n  arbiter publish \
                            results/spring public/spring && arbiter standings public/spring")]
    Publish(publish::PublishArgs),
    /// Elo, LOS and sequential tests of counts
    #[command(
        after_help = "Examples:\n  arbiter stats --wdl 136,111,96\n  arbiter stats --ptnml 34,54,63,64,75 \
                            --sprt 0,5 --json"
    )]
    Stats(stats::StatsArgs),
    /// Convert recorded games between the log formats of the field
    #[command(
        after_help = "Examples:\n  arbiter convert ucc_logs/ games.jsonl\n  arbiter convert results/league \
                            xml/ --to strados2"
    )]
    Convert(convert::ConvertArgs),
    /// Referee recorded games again
    #[command(
        after_help = "Examples:\n  arbiter verify results/sample-league\n  arbiter verify --rules isf --set \
                            no-attack=off --set length=off --json games.jsonl\n  arbiter verify \
                            results/sample-league --explain 1.3.2 40 b4b5"
    )]
    Verify(verify::VerifyArgs),
    /// Let a bot of our protocol play under another league's manager, on standard input and output
    #[command(
        after_help = "Examples:\n  arbiter bridge --as ucc ./mybot\n  arbiter bridge --as ucc hunter-rust --bots \
                            sample-bots/bots.toml --move-time 5s"
    )]
    Bridge(bridge::BridgeArgs),
    /// List rule books, or print one
    #[command(after_help = "Examples:\n  arbiter rules\n  arbiter rules isf --set two-squares=5 > mine.toml")]
    Rules(rules::RulesArgs),
    /// Find out what this machine offers for confining bots
    #[command(after_help = "Examples:\n  arbiter doctor\n  arbiter doctor --json")]
    Doctor(doctor::DoctorArgs),
    /// Check a setup book, count it, draw from it
    #[command(
        after_help = "Examples:\n  arbiter setups openings.txt --rules barrage\n  arbiter setups openings.txt \
                            --draw 100 --seed 7 > smaller.txt"
    )]
    Setups(setups::SetupsArgs),
    /// Begin a bot of your own, in a folder of its own
    #[command(
        after_help = "Examples:\n  arbiter new-bot python my-bot && cd my-bot && arbiter play my-bot my-bot\n  \
                            arbiter new-bot c++ bots/second --name Second"
    )]
    NewBot(new_bot::NewBotArgs),
    /// Print the manual page, or write the pages of all verbs into a folder
    #[command(after_help = "Examples:\n  arbiter man | man -l -\n  arbiter man ~/.local/share/man/man1")]
    Man(manual::ManArgs),
    /// Print a shell's completion script
    #[command(after_help = "Examples:\n  arbiter completions bash > \
                            ~/.local/share/bash-completion/completions/arbiter\n  arbiter completions fish > \
                            ~/.config/fish/completions/arbiter.fish")]
    Completions(manual::CompletionsArgs),
}

/// Runs the program with these arguments, the first being its name.
pub fn main(args: Vec<OsString>) -> ExitCode {
    if let Some(exit) = crate::process::stub(&args[1.min(args.len())..]) {
        return exit;
    }
    let (arguments, groups) = match parse(args) {
        Ok(parsed) => parsed,
        Err(exit) => return exit,
    };
    log(arguments.verbose);
    let (arguments, groups) = match arguments.verb {
        Verb::Match(words) if words.wants_help() => {
            output::line(field::HELP);
            return Exit::Done.into();
        }
        Verb::Match(words) => {
            let tournament = Arguments::command().find_subcommand("tournament").cloned().unwrap_or_default();
            let knows = |option: &str| tournament.get_arguments().any(|a| a.get_long() == Some(option));
            match field::translate(&words, &knows) {
                Ok(words) => {
                    tracing::info!("arbiter tournament {}", shell_words::join(&words));
                    let head = ["arbiter", "tournament"].map(OsString::from);
                    match parse(head.into_iter().chain(words.into_iter().map(OsString::from)).collect()) {
                        Ok(parsed) => parsed,
                        Err(exit) => return exit,
                    }
                }
                Err(error) => {
                    output::tell(format_args!("error: {error:#}"));
                    return Exit::Usage.into();
                }
            }
        }
        verb => (Arguments { verb, ..arguments }, groups),
    };
    match run(arguments.verb, &groups) {
        Ok(exit) => match output::failed() {
            Some(error) if matches!(exit, Exit::Done | Exit::Failed) => {
                output::tell(format_args!(
                    "error: standard output is incomplete: {error}; make room and run it again"
                ));
                Exit::Void.into()
            }
            _ => exit.into(),
        },
        Err(error) => {
            output::tell(format_args!("error: {error:#}"));
            error.downcast_ref::<Failure>().map_or(Exit::Internal, |f| f.exit).into()
        }
    }
}

/// The arguments, and the words of each --bot: which belong to which only the matches know.
fn parse(args: Vec<OsString>) -> Result<(Arguments, Vec<Vec<String>>), ExitCode> {
    let matches = Arguments::command().try_get_matches_from(args).map_err(|error| {
        let _ = error.print();
        ExitCode::from(if error.use_stderr() { Exit::Usage } else { Exit::Done })
    })?;
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let groups = match matches.subcommand() {
        Some(("tournament", sub)) => sub
            .get_occurrences::<String>("bot")
            .map(|all| all.map(|words| words.cloned().collect()).collect())
            .unwrap_or_default(),
        _ => Vec::new(),
    };
    Ok((arguments, groups))
}

fn run(verb: Verb, groups: &[Vec<String>]) -> anyhow::Result<Exit> {
    match verb {
        Verb::Play(args) => tournament::play(args),
        Verb::Match(_) => unreachable!("it was translated into a tournament"),
        Verb::Tournament(args) => tournament::tournament(args, groups),
        Verb::Check(args) => check::run(&args),
        Verb::Standings(args) => standings::run(&args),
        Verb::Export(args) => export::run(&args),
        Verb::Publish(args) => publish::run(&args),
        Verb::Stats(args) => stats::run(&args),
        Verb::Convert(args) => convert::run(&args),
        Verb::Verify(args) => verify::run(&args),
        Verb::Bridge(args) => bridge::run(&args),
        Verb::Rules(args) => rules::run(&args),
        Verb::Doctor(args) => doctor::run(&args),
        Verb::Setups(args) => setups::run(&args),
        Verb::NewBot(args) => new_bot::run(&args),
        Verb::Man(args) => manual::man(&args, Arguments::command()),
        Verb::Completions(args) => Ok(manual::completions(&args, Arguments::command())),
    }
}

fn log(verbose: u8) {
    let level = match verbose {
        0 => "warn",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_env("ARBITER_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colour)
        .with_target(false)
        .without_time()
        // It would panic over a line that nobody listens to.
        .log_internal_errors(false)
        .init();
}
