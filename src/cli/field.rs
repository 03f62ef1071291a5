//! `arbiter match`: the grammar of cutechess-cli and fastchess, translated into the words of `arbiter tournament`.
//!
//! A word that has no meaning here is refused by its name, never skipped: whoever wrote it meant something.

use super::failure::usage;

/// Arguments of `match`.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub struct MatchArgs {
    /// -engine, -each and the options of cutechess-cli and fastchess
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
    words: Vec<String>,
}

macro_rules! examples {
    () => {
        "Examples:
  arbiter match -engine cmd=./new name=new -engine cmd=./old name=old -each tc=10+0.1 -rounds 100 -repeat
  arbiter match -engine conf=hunter -engine conf=random -each st=0.2 -rounds 50 -games 2 -concurrency 2"
    };
}

/// The examples, for the manual page.
pub const EXAMPLES: &str = examples!();

/// What is understood.
pub const HELP: &str = concat!(
    "\
Usage: arbiter match -engine KEY=VALUE… -engine KEY=VALUE… [-each KEY=VALUE…] [OPTIONS]

Words of cutechess-cli and fastchess:
  -engine, -each     cmd= conf= name= dir= arg= args= proto= option.NAME= restart= tc= st= timemargin=
                     (conf= names a bot of the registry; all bots play by one time control)
  -rounds N          rounds; each pair meets -games times in each
  -games N           games of a pair in a round
  -repeat [2]        openings are played twice with colours swapped: so they are here in any case
  -concurrency N     games at once
  -sprt elo0= elo1= alpha= beta= model=normalized|logistic
  -openings file=F   a setup book (order=random is how they are drawn; start= and plies= are not known)
  -srand N           the event's seed
  -tournament NAME   round-robin, gauntlet, knockout …: what `arbiter tournament --format` knows
  -variant BOOK      the rule book
  -maxmoves N        draw after so many moves of each side
  -resign movecount=N score=S          a side has lost where both bots' scores say so (never one's alone)
  -draw movenumber=N movecount=N score=S   a draw where both bots' scores say so
  -event NAME        the event's name: results/NAME is its folder
  -ratinginterval N  games between ratings
  -output format=cutechess|fastchess   whose words are printed (cutechess)
  -recover           a bot that breaks down loses its game and is started again: so it is here in any case
Words of `arbiter tournament` that begin with -- go through as they are.

",
    examples!()
);

const OPTIONS: &str = "-engine, -each, -rounds, -games, -repeat, -concurrency, -sprt, -openings, -srand, -tournament, \
                       -variant, -maxmoves, -resign, -draw, -event, -ratinginterval, -output, -recover";
const KEYS: &str = "cmd, conf, name, dir, arg, args, proto, option.NAME, restart, tc, st, timemargin";

/// The time words of the bots: one for all.
#[derive(Default)]
struct Time {
    tc: Option<String>,
    st: Option<String>,
    margin: Option<String>,
}

impl Time {
    fn set(slot: &mut Option<String>, key: &str, value: &str) -> anyhow::Result<()> {
        match slot {
            Some(other) if other != value => Err(usage(format!(
                "{key}={value}: another bot has {key}={other}; all bots of an event play by one time control"
            ))),
            _ => {
                *slot = Some(value.to_owned());
                Ok(())
            }
        }
    }

    fn words(self) -> anyhow::Result<Vec<String>> {
        let mut words = Vec::new();
        match (self.tc, self.st) {
            (Some(_), Some(_)) => return Err(usage("tc= and st=: take one of the two")),
            (Some(tc), None) => words.extend(["--time".to_owned(), control(&tc)?]),
            (None, Some(st)) => words.extend(["--move-time".to_owned(), st]),
            (None, None) => {}
        }
        if let Some(margin) = self.margin {
            words.extend(["--time-margin".to_owned(), format!("{margin}ms")]);
        }
        Ok(words)
    }
}

/// `40/1:30+0.5` as `40/90+0.5`, `inf` as `none`.
fn control(tc: &str) -> anyhow::Result<String> {
    if tc == "inf" || tc == "infinite" {
        return Ok("none".to_owned());
    }
    let (moves, rest) = tc.split_once('/').map_or((None, tc), |(m, r)| (Some(m), r));
    let (base, increment) = rest.split_once('+').map_or((rest, None), |(b, i)| (b, Some(i)));
    let base = match base.split_once(':') {
        None => base.to_owned(),
        Some((minutes, seconds)) => {
            let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
            let total = number(minutes).zip(number(seconds)).map(|(m, s)| m * 60.0 + s);
            total.ok_or_else(|| usage(format!("tc={tc}: it takes MOVES/TIME+INCREMENT")))?.to_string()
        }
    };
    let moves = moves.map_or(String::new(), |m| format!("{m}/"));
    Ok(format!("{moves}{base}{}", increment.map_or(String::new(), |i| format!("+{i}"))))
}

/// The words of one bot.
fn bot(words: &[(&str, &str)], time: &mut Time) -> anyhow::Result<Vec<String>> {
    let mut out = Vec::new();
    let mut conf = None;
    for &(key, value) in words {
        match key {
            "cmd" | "name" | "dir" | "arg" => out.push(format!("{key}={value}")),
            "args" => {
                let args = shell_words::split(value).map_err(|e| usage(format!("args={value}: {e}")))?;
                out.extend(args.into_iter().map(|arg| format!("arg={arg}")));
            }
            "conf" => conf = Some(value),
            "proto" => match value {
                "uci" | "xboard" => {
                    return Err(usage(format!(
                        "proto={value}: that is a language of chess; here there is sbp"
                    )));
                }
                _ => out.push(format!("proto={value}")),
            },
            "restart" => match value {
                "auto" | "off" => {}
                _ => out.push(format!("restart={value}")),
            },
            "tc" => Time::set(&mut time.tc, key, value)?,
            "st" => Time::set(&mut time.st, key, value)?,
            "timemargin" => Time::set(&mut time.margin, key, value)?,
            _ if key.starts_with("option.") => out.push(format!("{key}={value}")),
            _ => return Err(usage(format!("-engine {key}={value}: unknown key; there are {KEYS}"))),
        }
    }
    if let Some(conf) = conf {
        // A registered bot is named by a word of its own, or given as the command of a longer form.
        match out.is_empty() {
            true => out.push(conf.to_owned()),
            false => out.insert(0, format!("cmd={conf}")),
        }
    }
    Ok(out)
}

/// A condition on scores. Here both bots' must agree in any case, so `twosided` makes no difference.
fn condition(to: &str, option: &str, words: &[(&str, &str)]) -> anyhow::Result<[String; 2]> {
    let mut parts = Vec::new();
    for (key, value) in words {
        let key = match *key {
            "movecount" => "moves",
            "movenumber" => "from",
            "score" => "score",
            "twosided" => continue,
            _ => {
                return Err(usage(format!(
                    "{option} {key}={value}: unknown key; there are movecount, movenumber, score"
                )));
            }
        };
        parts.push(format!("{key}={value}"));
    }
    Ok([to.to_owned(), parts.join(",")])
}

/// The words of `arbiter tournament` that mean the same. `knows` tells whether it has an option of that name.
pub fn translate(args: &MatchArgs, knows: &dyn Fn(&str) -> bool) -> anyhow::Result<Vec<String>> {
    let mut out: Vec<String> = Vec::new();
    let (mut engines, mut each) = (Vec::new(), Vec::new());
    let mut style = "cutechess".to_owned();
    let mut at = 0;
    while at < args.words.len() {
        let option = args.words[at].as_str();
        at += 1;
        let from = at;
        // What follows up to the next option; a negative number is none.
        while at < args.words.len() {
            let word = &args.words[at];
            if word.starts_with('-') && word.parse::<f64>().is_err() {
                break;
            }
            at += 1;
        }
        let values: Vec<&str> = args.words[from..at].iter().map(String::as_str).collect();
        let pairs = || -> anyhow::Result<Vec<(&str, &str)>> {
            let pair = |word: &&'_ str| {
                let word: &str = word;
                args.words[from..at].iter().find(|w| *w == word).and_then(|w| w.split_once('='))
            };
            values
                .iter()
                .map(|word| {
                    pair(word).ok_or_else(|| usage(format!("{option} {word}: it takes KEY=VALUE words")))
                })
                .collect()
        };
        let one = || match values.as_slice() {
            [value] => Ok((*value).to_owned()),
            _ => Err(usage(format!("{option} {}: it takes one value", values.join(" ")))),
        };
        match option {
            "-engine" => engines.push(pairs()?),
            "-each" => each.extend(pairs()?),
            "-rounds" => out.extend(["--rounds".to_owned(), one()?]),
            "-games" => out.extend(["--games".to_owned(), one()?]),
            "-concurrency" => out.extend(["--concurrency".to_owned(), one()?]),
            "-srand" => out.extend(["--seed".to_owned(), one()?]),
            "-variant" => out.extend(["--rules".to_owned(), one()?]),
            "-ratinginterval" => out.extend(["--rating-interval".to_owned(), one()?]),
            "-event" => {
                let name = one()?;
                if name.contains('/') || name.starts_with('.') || name.is_empty() {
                    return Err(usage(format!("-event {name}: an event's name is a folder's name")));
                }
                out.extend(["--out".to_owned(), format!("results/{name}")]);
            }
            "-maxmoves" => {
                let moves = one()?;
                let plies = moves.parse::<u32>().ok().and_then(|n| n.checked_mul(2));
                let plies =
                    plies.ok_or_else(|| usage(format!("-maxmoves {moves}: it takes a number of moves")))?;
                out.extend(["--max-plies".to_owned(), plies.to_string()]);
            }
            "-resign" => out.extend(condition("--score-resignation", option, &pairs()?)?),
            "-draw" => out.extend(condition("--score-draw", option, &pairs()?)?),
            "-repeat" => match values.as_slice() {
                [] | ["2"] => {}
                _ => return Err(usage(format!("-repeat {}: openings are played twice", values.join(" ")))),
            },
            "-recover" if values.is_empty() => {}
            "-tournament" => match one()?.as_str() {
                "round-robin" | "roundrobin" => {}
                format if knows("format") => out.extend(["--format".to_owned(), format.to_owned()]),
                format => {
                    return Err(usage(format!("-tournament {format}: here there is round-robin")));
                }
            },
            "-openings" => {
                for (key, value) in pairs()? {
                    match (key, value) {
                        ("file", book) => out.extend(["--setups".to_owned(), book.to_owned()]),
                        ("order", "random") => {}
                        _ => {
                            return Err(usage(format!(
                                "-openings {key}={value}: there are file= (a setup book) and order=random"
                            )));
                        }
                    }
                }
            }
            "-output" => match pairs()?.as_slice() {
                [("format", format)] => style = (*format).to_owned(),
                _ => return Err(usage("-output: it takes format=cutechess or format=fastchess")),
            },
            "-sprt" => {
                if !knows("sprt") {
                    return Err(usage("-sprt: this program has no sequential test as a stopping rule yet"));
                }
                out.extend(sprt(&pairs()?)?);
            }
            _ if option.starts_with("--") => {
                out.push(option.to_owned());
                out.extend(values.iter().map(|&v| v.to_owned()));
            }
            _ => {
                return Err(usage(format!("{option}: unknown word; there are {OPTIONS}, and words with --")));
            }
        }
    }
    let mut time = Time::default();
    for engine in engines {
        // What -each says holds where the engine itself says nothing.
        let own = |key: &str| engine.iter().any(|(k, _)| *k == key);
        let shared = each.iter().filter(|(key, _)| *key == "arg" || !own(key));
        let words: Vec<(&str, &str)> = engine.iter().chain(shared).copied().collect();
        out.push("--bot".to_owned());
        out.extend(bot(&words, &mut time)?);
    }
    out.extend(time.words()?);
    out.extend(["--style".to_owned(), style]);
    Ok(out)
}

fn sprt(pairs: &[(&str, &str)]) -> anyhow::Result<Vec<String>> {
    let mut out = Vec::new();
    let (mut elo0, mut elo1) = (None, None);
    for &(key, value) in pairs {
        match key {
            "elo0" => elo0 = Some(value),
            "elo1" => elo1 = Some(value),
            "alpha" | "beta" | "model" => out.push(format!("--{key}={value}")),
            _ => {
                return Err(usage(format!(
                    "-sprt {key}={value}: unknown key; there are elo0, elo1, alpha, beta, model"
                )));
            }
        }
    }
    match (elo0, elo1) {
        (Some(elo0), Some(elo1)) => out.push(format!("--sprt={elo0},{elo1}")),
        _ => return Err(usage("-sprt: it takes elo0= and elo1=")),
    }
    Ok(out)
}

impl MatchArgs {
    /// Whether only help is wanted.
    pub fn wants_help(&self) -> bool {
        self.words.is_empty() || self.words.iter().any(|w| matches!(w.as_str(), "-help" | "--help" | "-h"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(words: &str, sprt: bool) -> Result<String, String> {
        let args = MatchArgs { words: shell_words::split(words).unwrap() };
        let knows = |option: &str| option == "sprt" && sprt;
        translate(&args, &knows).map(|w| w.join(" ")).map_err(|e| e.to_string())
    }

    #[test]
    fn the_grammar_of_cutechess_and_fastchess_becomes_words_of_a_tournament() {
        let words = "-engine cmd=./a name=A option.Depth=6 -engine cmd=./b name=B tc=10+0.1 -each tc=10+0.1 arg=-q \
                     -rounds 100 -games 2 -repeat -concurrency 2 -srand 7 -maxmoves 200 -openings file=b.txt \
                     order=random -resign movecount=3 score=800 twosided=true -draw movenumber=40 movecount=8 score=9 -sprt elo0=-1.5 elo1=5 alpha=.05 beta=.1 model=logistic";
        assert_eq!(
            told(words, true).unwrap(),
            "--rounds 100 --games 2 --concurrency 2 --seed 7 --max-plies 400 --setups b.txt \
             --score-resignation moves=3,score=800 --score-draw from=40,moves=8,score=9 --alpha=.05 --beta=.1 \
             --model=logistic --sprt=-1.5,5 --bot cmd=./a name=A option.Depth=6 arg=-q --bot cmd=./b name=B arg=-q \
             --time 10+0.1 --style cutechess"
        );
        assert_eq!(
            told(
                "-engine conf=x -engine conf=y name=Y -each st=0.5 timemargin=50 -output format=fastchess",
                true
            )
            .unwrap(),
            "--bot x --bot cmd=y name=Y --move-time 0.5 --time-margin 50ms --style fastchess"
        );
        assert_eq!(control("40/1:30+0.5").unwrap(), "40/90+0.5");
        assert_eq!(control("inf").unwrap(), "none");
    }

    #[test]
    fn what_has_no_meaning_here_is_refused_by_its_name_with_what_has() {
        let refused = |words: &str, texts: &[&str]| {
            let error = told(words, false).unwrap_err();
            assert!(texts.iter().all(|text| error.contains(text)), "{error}");
        };
        refused("-pgnout games.pgn", &["-pgnout: unknown word", "-rounds"]);
        refused("-engine cmd=a ponder=1", &["ponder=1", "option.NAME"]);
        refused("-engine cmd=a proto=uci", &["proto=uci", "sbp"]);
        refused("-engine cmd=a tc=1 -engine cmd=b tc=2", &["tc=2", "one time control"]);
        refused("-engine cmd=a -each nodes=5", &["nodes=5"]);
        refused("-rounds", &["-rounds", "one value"]);
        refused("-openings format=pgn", &["format=pgn", "file="]);
        refused("-sprt elo0=0 elo1=5", &["-sprt"]);
        refused("-tournament knockout", &["knockout", "round-robin"]);
    }
}
