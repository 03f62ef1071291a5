//! `arbiter stats`: the calculators alone, on counts.

use clap::ValueEnum;

use super::failure::{Exit, usage};
use super::output;
use crate::rating::{Estimate, Games, Pairs, Sprt, SprtModel, SprtVerdict};

/// The model of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Model {
    /// Hypotheses in normalized Elo.
    Normalized,
    /// Hypotheses in logistic Elo.
    Logistic,
}

/// Arguments of `stats`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("counts").required(true).args(["wdl", "ptnml"])))]
pub struct StatsArgs {
    /// Wins, draws and losses of the first bot
    #[arg(long, value_name = "W,D,L", value_delimiter = ',', num_args = 1)]
    wdl: Vec<u64>,
    /// Pairs of games by their score, worst first: both lost, .., one point, .., both won
    #[arg(long, value_name = "LL,LD,DD,WD,WW", value_delimiter = ',', num_args = 1)]
    ptnml: Vec<u64>,
    /// Test these two hypotheses
    #[arg(long, value_name = "ELO0,ELO1", value_delimiter = ',', num_args = 1, allow_hyphen_values = true)]
    sprt: Vec<f64>,
    /// What the hypotheses are told in
    #[arg(long, value_enum, default_value_t = Model::Normalized)]
    model: Model,
    /// How often a true first hypothesis may be rejected
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// How often a true second hypothesis may be rejected
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

enum Counts {
    Games(Games),
    Pairs(Pairs),
}

fn counts(args: &StatsArgs) -> anyhow::Result<Counts> {
    match (args.wdl.as_slice(), args.ptnml.as_slice()) {
        (&[wins, draws, losses], []) => Ok(Counts::Games(Games { wins, draws, losses })),
        ([], &[lost_lost, lost_drawn, even, won_drawn, won_won]) => {
            Ok(Counts::Pairs(Pairs { lost_lost, lost_drawn, even, won_drawn, won_won }))
        }
        (_, []) => Err(usage("--wdl takes three numbers, as in 136,111,96")),
        _ => Err(usage("--ptnml takes five numbers, as in 34,54,63,64,75")),
    }
}

/// A value with its error, or null where the counts carry none.
fn figures(estimate: Estimate) -> (serde_json::Value, serde_json::Value) {
    match estimate {
        Estimate::Value { elo, error } => (elo.into(), error.into()),
        _ => (serde_json::Value::Null, serde_json::Value::Null),
    }
}

fn words(estimate: Estimate) -> String {
    match estimate {
        Estimate::Value { elo, error } => format!("{elo:.2} ± {error:.2}"),
        Estimate::AtLeast(elo) => format!("above {elo:.2}"),
        Estimate::AtMost(elo) => format!("below {elo:.2}"),
        Estimate::Unknown => "unknown".to_owned(),
    }
}

/// Runs the verb.
pub fn run(args: &StatsArgs) -> anyhow::Result<Exit> {
    let counts = counts(args)?;
    let (elo, nelo, los) = match &counts {
        Counts::Games(games) => (games.elo(), games.nelo(), games.los()),
        Counts::Pairs(pairs) => (pairs.elo(), pairs.nelo(), pairs.los()),
    };
    let test = match args.sprt.as_slice() {
        [] => None,
        &[elo0, elo1] => {
            let model = match args.model {
                Model::Normalized => SprtModel::Normalized,
                Model::Logistic => SprtModel::Logistic,
            };
            let sprt = Sprt::new(elo0, elo1, args.alpha, args.beta, model)
                .map_err(|e| usage(format!("--sprt {elo0},{elo1}: {e}")))?;
            let llr = match &counts {
                Counts::Games(games) => sprt.llr_of_games(games),
                Counts::Pairs(pairs) => sprt.llr_of_pairs(pairs),
            };
            Some((llr, sprt.bounds(), sprt.verdict(llr)))
        }
        _ => return Err(usage("--sprt takes two numbers, as in 0,5")),
    };
    let verdict = |verdict| match verdict {
        SprtVerdict::Undecided => "undecided",
        SprtVerdict::AcceptH0 => "h0",
        SprtVerdict::AcceptH1 => "h1",
    };
    if args.json {
        let ((elo_value, elo_error), (nelo_value, nelo_error)) = (figures(elo), figures(nelo));
        let mut object = serde_json::json!({
            "elo": elo_value, "elo_error": elo_error, "nelo": nelo_value, "nelo_error": nelo_error, "los": los,
        });
        // One-sided scores have a bound in place of a value.
        match elo {
            Estimate::AtLeast(bound) => object["elo_above"] = bound.into(),
            Estimate::AtMost(bound) => object["elo_below"] = bound.into(),
            _ => {}
        }
        if let Some((llr, bounds, decided)) = test {
            object["llr"] = llr.into();
            object["lower"] = bounds.lower.into();
            object["upper"] = bounds.upper.into();
            object["verdict"] = verdict(decided).into();
        }
        output::line(object);
        return Ok(Exit::Done);
    }
    output::line(format_args!("Elo   {}", words(elo)));
    output::line(format_args!("nElo  {}", words(nelo)));
    output::line(format_args!(
        "LOS   {}",
        los.map_or("unknown".to_owned(), |p| format!("{:.2} %", p * 100.0))
    ));
    if let Some((llr, bounds, decided)) = test {
        output::line(format_args!(
            "LLR   {llr:.3} ({:.3}, {:.3}): {}",
            bounds.lower,
            bounds.upper,
            match decided {
                SprtVerdict::Undecided => "undecided".to_owned(),
                _ => format!("{} accepted", verdict(decided).to_uppercase()),
            }
        ));
    }
    Ok(Exit::Done)
}
