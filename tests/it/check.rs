//! `arbiter check` against bots that break one clause each, and its reports against what reads them.
//!
//! `ARBITER_CHECK_WHOLE=1` (set by `tests/run --full`) drives the whole battery against every fake; without it a fake
//! that gets past its first moves meets the cases all others need and those that are about it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use arbiter::check::catalogue;
use serde_json::Value;
use tempfile::TempDir;

use crate::fake::fake_bot;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn arbiter(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.arg("check").args(args).env("NO_COLOR", "1").env_remove("ARBITER_LOG");
    command.stdin(Stdio::null()).output().expect("the arbiter can be run")
}

fn fake(words: &str) -> String {
    format!("{} {words}", shell_words::quote(fake_bot().to_str().expect("a path in UTF-8")))
}

/// A check's JSON report.
struct Checked {
    report: Value,
    exit: Option<i32>,
}

impl Checked {
    fn of(bot: &str, more: &[&str]) -> Checked {
        let output = arbiter(&[&[bot, "--format", "json"], more].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let report =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{bot} {more:?}: {e}: {told}"));
        Checked { report, exit: output.status.code() }
    }

    fn cases(&self) -> &[Value] {
        self.report["cases"].as_array().expect("a report has cases")
    }

    fn named(&self, verdict: &str) -> BTreeSet<&str> {
        let these = self.cases().iter().filter(|case| case["verdict"] == verdict);
        these.map(|case| case["name"].as_str().expect("a case has a name")).collect()
    }

    fn wrong(&self) -> BTreeSet<&str> {
        self.named("fail").union(&self.named("non-strict")).copied().collect()
    }

    fn case(&self, name: &str) -> &Value {
        self.cases().iter().find(|case| case["name"] == name).unwrap_or_else(|| panic!("no case {name}"))
    }
}

/// The cases without which no other is driven.
const TRUNK: &[&str] = &["handshake.end", "ready.answer", "setup.syntax", "turn.answer", "setup.assigned"];

/// Bots that are wrong from the start: what their words are, and the one clause that this breaks.
const EARLY: &[(&str, &str)] = &[
    ("greets:sbp_7", "handshake.version"),
    ("greets:option_name_X", "handshake.syntax"),
    ("trailing-words:now@ready", "ready.syntax"),
    ("garbage:nul", "line.bytes"),
    ("flood", "line.length"),
    ("lines:2000", "line.flood"),
    ("say:hello", "line.unknown"),
    ("say:readyok", "line.unexpected"),
    ("two-answers", "turn.early"),
    ("say:setup_a_b@setup", "setup.syntax"),
    ("say:setup_FB@setup", "setup.length"),
    ("say:setup_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX@setup", "setup.letter"),
    ("bad-setup", "setup.count"),
    ("say:move_a4", "move.syntax"),
    ("breaks:off-board", "move.off-board"),
    ("breaks:no-piece", "move.no-piece"),
    ("breaks:not-yours", "move.not-yours"),
    ("breaks:immobile", "move.immobile"),
    ("breaks:same-square", "move.same-square"),
    ("breaks:lake", "move.lake"),
    ("breaks:own-piece", "move.own-piece"),
    ("breaks:not-straight", "move.not-straight"),
    ("breaks:too-far", "move.too-far"),
    ("breaks:blocked", "move.blocked"),
    ("say:draw", "draw.not-offered"),
    ("silent@start", "time.start"),
    ("silent@ready", "time.ready"),
    ("silent@setup", "time.setup"),
    ("silent@turn1", "time.move"),
    ("close-stdin", "time.write"),
    ("close-stdin:300ms", "time.write"),
    ("exit", "process.exit"),
];

/// Cases that keep to a clock.
const TIMED: [&str; 3] = ["time.move/short", "time.move/clock", "time.move/period"];

/// What a bot passes, the option that limits it, and the clause.
const BEYOND: &[(&str, [&str; 2], &str)] = &[
    ("hog:400@turn2", ["--memory", "100M"], "limit.memory"),
    ("fork-bomb:200@turn2", ["--processes", "30"], "limit.processes"),
    ("burn@turn2", ["--cpu-time", "300ms"], "limit.cpu"),
    ("fill:60@turn2", ["--disk", "20M"], "limit.disk"),
    ("stderr-endless@turn2", ["--output", "5M"], "limit.output"),
];

/// A bot that needs a file outside of its own folder.
const OUTSIDE: &str = concat!("reads:", env!("CARGO_MANIFEST_DIR"), "/README.md");

/// Bots that come further: their words, and the cases that tell.
const LATER: &[(&str, &[&str])] = &[
    ("", &[]),
    (OUTSIDE, &["process.confined"]),
    (
        "breaks:two-squares@turn9",
        &["move.two-squares/chaser", "move.two-squares/cornered", "move.two-squares"],
    ),
    ("breaks:chase", &["move.chase/history", "move.chase/any", "move.chase"]),
    ("breaks:strike-far", &["move.strike-far/history", "move.strike-far"]),
    ("breaks:rescue", &["move.rescue/000", "move.rescue/001", "move.rescue"]),
    ("breaks:blocked@turn9", &["move.blocked"]),
    ("offer-draw", &["draw.off/shuttler", "draw.off"]),
    ("resign@turn5", &["resign.off/striker", "resign.off"]),
    ("exit@turn20", &["process.exit"]),
    ("nameless", &["handshake.id"]),
    ("dies-at:sbp_9", &["handshake.version/newer-arbiter"]),
    ("options", &[]),
    ("options dies-at:setoption", &["ready.answer/option-defaults", "ready.answer/option-values"]),
    ("options dies-at:value_9", &["ready.answer/option-values"]),
    ("deploys-by-name", &["newgame.decides"]),
    ("assumes-red-first", &["rule.turns"]),
    ("answers-assigned", &["setup.assigned"]),
    ("needs-start", &["event.history"]),
    ("short-memory", &["time.write/long-history"]),
    ("dies-at:_advances", &["event.advances"]),
    ("dies-at:_rescue_", &["event.rescue"]),
    ("dies-at:_?_", &["event.battle/not-told"]),
    ("dies-at:flag_red", &["event.flag"]),
    ("dies-at:placed", &["event.placed"]),
    ("dies-at:drawoffer", &["event.drawoffer"]),
    ("dies-at:illegal_move", &["turn.retry/answer"]),
    ("stubborn", &["turn.retry/other-move"]),
    ("dies-at:weather", &["line.future/line"]),
    ("dies-at:moon=", &["line.future/key"]),
    ("dies-at:later", &["line.future/word"]),
    ("reads-chunks", &["line.form/pieces"]),
    ("moody", &["handshake.feature/deterministic"]),
    ("tires:2", &["gameover.next"]),
    ("tires:7", &["newgame.reset/twenty"]),
    ("thinks:2ms", &["gameover.next/open-question"]),
    ("dies-at:flare", &["reason.future"]),
    ("ignore-term", &["quit.term"]),
    ("fork-child", &["process.leftover"]),
    (
        "ignore-quit",
        &[
            "quit.exit/after-handshake",
            "quit.exit/after-game",
            "quit.exit/while-asked",
            "quit.exit/end-of-input",
        ],
    ),
];

/// Does something with each row, some at once: what such bots take is waiting, not work.
fn each<T: Sync>(rows: &[T], check: impl Fn(usize, &T) + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(row) = rows.get(at) else { break };
                    check(at, row);
                }
            });
        }
    });
}

#[test]
fn a_bot_that_is_wrong_from_the_start_breaks_one_clause_and_nothing_else() {
    each(EARLY, |_, (words, clause)| {
        // Only what is not said is waited for in vain; all else comes, however busy the machine is.
        let timeout = if words.starts_with("silent") { "6s" } else { "60s" };
        let checked = Checked::of(&fake(words), &["--timeout", timeout, "--jobs", "1", "--strict"]);
        assert_eq!(checked.wrong(), BTreeSet::from([*clause]), "{words}");
        assert_eq!(checked.exit, Some(1), "{words}");
        for case in checked.cases().iter().filter(|case| case["verdict"] == "not exercised") {
            assert_ne!(case["why"], "", "{words}: {} needs a reason", case["name"]);
        }
    });
}

#[test]
fn a_bot_that_is_wrong_later_breaks_one_clause_and_nothing_else() {
    let whole = std::env::var_os("ARBITER_CHECK_WHOLE").is_some();
    each(LATER, |n, (words, expected)| {
        let mut args = vec!["--jobs", "1"];
        let others = ["quit.term", "line.future/*", "event.flag"];
        if n > 0 && !whole {
            let these = TRUNK.iter().chain(*expected).chain(&others);
            // What shows in every long game has no case of its own.
            let games = expected.iter().all(|name| !name.contains('/')).then_some(&"turn.answer/*");
            these.chain(games).for_each(|name| args.extend(["--only", *name]));
        }
        // What a sandbox hinders, or hides, shows without one.
        if ["process.leftover", "process.confined"].iter().any(|name| expected.contains(name)) {
            args.extend(["--sandbox", "off"]);
        }
        let checked = Checked::of(&fake(words), &args);
        assert_eq!(checked.wrong(), BTreeSet::from_iter(expected.iter().copied()), "{words}");
        let must = checked.named("fail");
        assert_eq!(checked.exit, Some(i32::from(!must.is_empty())), "{words}");
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_bot_that_passes_a_limit_breaks_that_limit_s_clause_and_nothing_else() {
    each(BEYOND, |_, (words, limit, clause)| {
        // Nothing but the limit can end these games in time.
        let checked =
            Checked::of(&fake(words), &[&["--timeout", "100s", "--jobs", "1"], &limit[..]].concat());
        assert_eq!(checked.wrong(), BTreeSet::from([*clause]), "{words}");
        assert_eq!(checked.exit, Some(1), "{words}");
    });
    // Within them all is kept; that of processor time is set by nobody but who asks for it.
    let within = |more: &[&str]| Checked::of(&fake(""), &[&["--only", "limit.*"], more].concat());
    let checked = within(&["--cpu-time", "60s"]);
    assert_eq!(checked.named("pass").len(), BEYOND.len());
    let unset = within(&[]);
    assert_eq!(unset.case("limit.cpu")["why"], "no limit was set (--cpu-time)");
    assert_eq!(unset.named("not exercised"), BTreeSet::from(["limit.cpu"]));
}

#[test]
#[cfg(target_os = "linux")]
fn a_check_confines_its_bot_as_a_league_does() {
    let bot = fake(OUTSIDE);
    let only = ["--only", "handshake.end", "--only", "process.*"];
    let checked = Checked::of(&bot, &only);
    // What its sandbox keeps from it ends it, and its author is told why.
    assert_eq!(checked.wrong(), BTreeSet::from(["process.exit"]));
    let why = checked.case("process.exit")["why"].as_str().unwrap().to_owned();
    assert!(why.contains("it is confined to its own folder: grant what else it needs"), "{why}");
    assert!(checked.report["confined"].as_str().unwrap().contains("files"));
    let free = Checked::of(&bot, &[&only[..], &["--sandbox", "off"]].concat());
    assert_eq!(
        (free.wrong(), &free.report["confined"]),
        (BTreeSet::from(["process.confined"]), &Value::Null)
    );
    let again = free.case("process.confined")["again"].as_str().unwrap();
    assert!(again.contains(" --sandbox off "), "{again}");
    let readme = root().join("README.md");
    let granted = format!("cmd={} arg={OUTSIDE} read={}", fake_bot().display(), readme.display());
    assert_eq!(Checked::of(&granted, &only).wrong(), BTreeSet::new());
}

#[test]
#[cfg(target_os = "linux")]
fn a_machine_that_cannot_confine_says_so_and_refuses_where_it_is_required() {
    let check = |more: &[&str]| {
        let bot = fake("");
        let args = ["without", "landlock", env!("CARGO_BIN_EXE_arbiter"), "check", &bot, "--format", "json"];
        let only = ["--only", "turn.answer", "--only", "process.confined"];
        run(fake_bot().to_str().unwrap(), &[&args[..], &only, more].concat())
    };
    let output = check(&[]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let case = report["cases"].as_array().unwrap().iter().find(|c| c["name"] == "process.confined").unwrap();
    assert_eq!((output.status.code(), &case["verdict"]), (Some(0), &Value::from("not exercised")));
    assert!(case["why"].as_str().unwrap().contains("this machine lacks files"), "{case}");
    let output = check(&["--sandbox", "require"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("--sandbox require: bot `fake-bot` is not started") && told.contains("landlock"),
        "{told}"
    );
}

#[test]
fn more_output_than_a_game_may_have_is_found_in_a_long_game() {
    let checked = Checked::of(&fake("bulk"), &["--only", "turn.answer/blocker"]);
    assert_eq!(checked.wrong(), BTreeSet::from(["line.total"]));
}

#[test]
fn a_program_that_cannot_be_executed_breaks_process_spawn() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("bot");
    std::fs::write(&path, "#!/nowhere/at/all\n").unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    let checked = Checked::of(path.to_str().unwrap(), &[]);
    assert_eq!(checked.wrong(), BTreeSet::from(["process.spawn"]));
}

#[test]
fn every_clause_whose_breach_is_a_fault_is_broken_by_a_fake() {
    let broken: BTreeSet<&str> = EARLY
        .iter()
        .map(|(_, clause)| *clause)
        .chain(LATER.iter().flat_map(|(_, names)| names.iter().copied()))
        .chain(BEYOND.iter().map(|(_, _, clause)| *clause))
        .chain(TIMED)
        .chain(["line.total", "process.spawn"])
        .collect();
    for clause in arbiter::protocol::Clause::ALL {
        assert!(broken.contains(clause.slug()), "no fake breaks {clause}");
    }
    // Cases of which nothing but the trunk's own faults, or a claim, decides.
    let undecided = [
        "handshake.end",
        "handshake.option-type",
        "ready.answer",
        "turn.answer",
        "gameover.silent",
        "turn.answer/blocker",
        "turn.answer/striker",
        "turn.answer/random",
        "turn.answer/one-move",
        "move.two-squares/shuttler",
        "move.two-squares/history",
        "move.chase/runner",
        "time.move/long",
    ];
    for case in catalogue() {
        let count = case.name.starts_with("setup.count/");
        let known = broken.contains(&*case.name) || undecided.contains(&&*case.name) || count;
        assert!(known, "no fake breaks {}", case.name);
    }
}

#[test]
fn what_a_bot_is_sent_with_a_question_comes_in_one_write() {
    // A bot that takes what one read gives for whole lines plays games to their ends, with all helps.
    let bot = fake("reads-chunks wants:board,clock");
    let checked = Checked::of(&bot, &["--only", "turn.answer*", "--only", "handshake.*"]);
    assert_eq!(checked.wrong(), BTreeSet::new());
    let only = ["--only", "line.form/pieces"];
    assert_eq!(Checked::of(&bot, &only).wrong(), BTreeSet::from(["line.form/pieces"]));
}

#[test]
fn a_slow_bot_breaks_the_clock_and_nothing_else() {
    let slow = fake("slow:800ms");
    let checked = Checked::of(&slow, &["--jobs", "4", "--only", "time.move/*", "--only", "event.flag"]);
    let expected: BTreeSet<&str> = TIMED.into_iter().chain(["time.move"]).collect();
    // The tenth of a second that other cases tell of is not kept to; three seconds for sixty moves are.
    assert_eq!(checked.wrong(), expected);
    assert_eq!(checked.case("time.move/long")["verdict"], "pass");
    assert_eq!(checked.case("event.flag")["verdict"], "pass");
}

#[test]
fn the_sample_bots_keep_to_every_clause() {
    let text = std::fs::read_to_string(root().join("sample-bots/bots.toml")).unwrap();
    let registry: toml::Table = text.parse().unwrap();
    let path = root().join("sample-bots/bots.toml");
    let mut checked = 0;
    // Those that speak our own protocol.
    for (name, entry) in registry["bots"].as_table().unwrap().iter().filter(|(_, e)| e.get("proto").is_none())
    {
        let patient = ["--strict", "--quiet", "--jobs", "1", "--timeout", "60s"];
        let output = arbiter(&[&[&**name, "--bots", path.to_str().unwrap()], &patient[..]].concat());
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let optional = entry.get("optional").is_some();
        if optional && output.status.code() == Some(3) {
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{name}: {said}{told}");
        checked += 1;
    }
    assert!(checked >= 2);
}

#[test]
fn a_failure_is_told_with_its_clause_both_streams_and_the_command_that_shows_it_again() {
    let bot = fake("say:hello@turn9 name:Wordy");
    let output = arbiter(&[&bot, "--seed", "5"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    for wanted in [
        "fail line.unknown:",
        "SPEC.md 2.13 [line.unknown]: A bot's line MUST begin with a word",
        "    < hello",
        "  standard error:\n    (nothing)",
    ] {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
    let again = text.lines().find_map(|line| line.trim().strip_prefix("again: ")).expect("a command");
    let words = shell_words::split(again).unwrap();
    assert_eq!(words[..2], ["arbiter", "check"]);
    let words: Vec<&str> = words[2..].iter().map(String::as_str).collect();
    let output = arbiter(&words);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("fail line.unknown:") && text.lines().filter(|l| l.starts_with('✓')).count() == 0);
}

#[test]
fn what_should_be_fails_only_where_it_is_asked_for() {
    let bot = fake("nameless");
    let only = ["--only", "handshake.*"];
    assert_eq!(Checked::of(&bot, &only).exit, Some(0));
    assert_eq!(Checked::of(&bot, &["--strict", "--only", "handshake.*"]).exit, Some(1));
}

#[test]
fn cases_are_chosen_by_name_and_listed_without_a_bot() {
    let listed = arbiter(&["--list", "--only", "line.*", "--skip", "*/word"]);
    let text = String::from_utf8(listed.stdout).unwrap();
    let names: Vec<&str> = text.lines().map(|line| line.split_whitespace().nth(2).unwrap()).collect();
    assert_eq!(names, ["line.future/line", "line.future/key", "line.form/pieces"]);
    let all = arbiter(&["--list"]);
    assert_eq!(String::from_utf8(all.stdout).unwrap().lines().count(), catalogue().len());
    // A clause without a case of its own is looked for in all of them.
    let checked = Checked::of(&fake("two-answers"), &["--only", "turn.early"]);
    assert_eq!(checked.wrong(), BTreeSet::from(["turn.early"]));
    assert_eq!(checked.cases().len(), 1);
}

#[test]
fn what_is_asked_wrongly_is_refused_before_the_bot_is_started() {
    let bot = fake("");
    let refused = |args: &[&str], exit: i32, says: &str| {
        let output = arbiter(args);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(exit), "{args:?}: {told}");
        assert!(told.contains(says) && output.stdout.is_empty(), "{args:?}: {told}");
    };
    refused(&[&bot, "--only", "nothing*"], 2, "--list tells their names");
    refused(&[&bot, "--format", "xml"], 2, "there is no `xml`");
    refused(&[&bot, "--format", "json", "--format", "tap"], 2, "one form at most");
    refused(&[&bot, "--format", "json="], 2, "a file's name is missing");
    refused(&[&bot, "--timeout", "soon"], 2, "--timeout");
    refused(&[&bot, "--jobs", "0"], 2, "--jobs 0");
    refused(&[&bot, "--rules", "chess"], 2, "no rule book `chess`");
    refused(&["./missing-bot"], 3, "cannot start");
    refused(&[], 2, "Usage");
}

#[test]
fn the_same_seed_gives_the_same_report_whatever_runs_beside_it() {
    let bot = fake("breaks:blocked@turn9");
    let told = |jobs: &str| {
        let args = ["--jobs", jobs, "--only", "turn.*", "--only", "event.*", "--seed", "3"];
        let checked = Checked::of(&bot, &args);
        let told = |case: &Value| {
            format!("{} {} {} {}", case["name"], case["verdict"], case["why"], case["transcript"])
        };
        checked.cases().iter().map(told).collect::<Vec<String>>()
    };
    assert_eq!(told("1"), told("4"));
}

#[test]
fn a_check_that_is_interrupted_ends_with_130_and_leaves_no_bot() {
    let tag = format!("tag:check-{}", std::process::id());
    let bot = fake(&format!("silent@turn1 {tag}"));
    let mut check = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(["check", &bot, "--timeout", "100s", "--only", "turn.*"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let bots = || {
        let found = run("pgrep", &["-f", "--", &format!("^[^ ]*fake-bot .*{tag}")]);
        String::from_utf8_lossy(&found.stdout).lines().count()
    };
    while bots() == 0 {
        assert!(check.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    run("kill", &["-INT", &check.id().to_string()]);
    let output = check.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0));
    assert_eq!(bots(), 0);
}

// ---- the forms of the report ----

/// Two reports in every form: of a bot with failures and dirty words, and of one that is only not strict.
fn reports(dir: &Path) -> Vec<(PathBuf, Option<i32>)> {
    let forms = ["json", "junit", "tap", "sarif", "github", "markdown", "badge", "html"];
    let bots = [("bad", "garbage:nul@turn9 stderr-garbage@turn2 nameless"), ("good", "nameless")];
    let mut reports = Vec::new();
    for (name, words) in bots {
        let bot = fake(words);
        let files: Vec<String> = forms
            .iter()
            .map(|form| format!("{form}={}", dir.join(format!("{name}.{form}")).display()))
            .collect();
        let mut args = vec![&*bot, "--only", "handshake.*", "--only", "turn.answer*", "--only", "limit.*"];
        files.iter().for_each(|file| args.extend(["--format", file]));
        let output = arbiter(&args);
        assert!(!output.stdout.is_empty(), "people are told besides");
        reports.push((dir.join(name), output.status.code()));
    }
    reports
}

fn run(program: &str, args: &[&str]) -> Output {
    Command::new(program)
        .args(args)
        .output()
        .unwrap_or_else(|e| panic!("{program}: {e}; tests/run installs what is missing"))
}

fn accepts(program: &str, args: &[&str]) {
    let output = run(program, args);
    let told = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&told));
}

/// A Python with jsonschema: Debian's has it once its package is there, another may.
fn python() -> &'static str {
    let has = |python: &&&str| run(python, &["-c", "import jsonschema"]).status.success();
    ["/usr/bin/python3", "python3"].iter().find(has).expect("tests/run installs python3-jsonschema")
}

#[test]
fn reports_are_what_their_readers_want() {
    let dir = TempDir::new().unwrap();
    let reports = reports(dir.path());
    assert_eq!(reports.iter().map(|(_, exit)| *exit).collect::<Vec<_>>(), [Some(1), Some(0)]);
    for (path, exit) in &reports {
        let file = |form: &str| path.with_extension(form).to_str().unwrap().to_owned();
        let xsd = root().join("tests/data/junit-10.xsd");
        accepts("xmllint", &["--noout", "--nonet", "--schema", xsd.to_str().unwrap(), &file("junit")]);
        accepts("xmllint", &["--noout", "--nonet", &file("badge")]);
        let validate = "import json, sys, jsonschema\n\
            schema, log = (json.load(open(path)) for path in sys.argv[1:])\n\
            jsonschema.validators.validator_for(schema)(schema).validate(log)\n";
        let schema = root().join("tests/data/sarif-2.1.0.json");
        accepts(python(), &["-W", "ignore", "-c", validate, schema.to_str().unwrap(), &file("sarif")]);
        // A TAP consumer comes to the same verdict as we did.
        let proved = run("prove", &["--verbose", "--exec", "cat", &file("tap")]);
        assert_eq!(proved.status.success(), *exit == Some(0), "{}", String::from_utf8_lossy(&proved.stdout));
        let said = String::from_utf8_lossy(&proved.stdout).into_owned();
        assert!(!said.contains("Parse errors"), "{said}");
        for form in ["github", "markdown", "html", "badge", "junit", "tap"] {
            let text = std::fs::read_to_string(file(form)).unwrap();
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{form} holds control characters");
        }
    }
    let text = |form: &str| std::fs::read_to_string(dir.path().join(format!("bad.{form}"))).unwrap();
    let github = text("github");
    let error = github.lines().find(|line| line.starts_with("::error title=fake-bot line.bytes::")).unwrap();
    assert!(error.contains("%0Aagain: arbiter check") && github.lines().count() == 3, "{github}");
    let sarif: Value = serde_json::from_str(&text("sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let levels: Vec<_> = results.iter().map(|r| (r["ruleId"].as_str(), r["level"].as_str())).collect();
    let expected = [("handshake.id", "warning"), ("line.bytes", "error")];
    assert_eq!(levels, expected.map(|(rule, level)| (Some(rule), Some(level))));
    assert!(text("markdown").contains("| `line.bytes` | MUST | fail |"));
    assert!(text("html").contains("<td class=\"fail\">fail</td>"));
    assert!(text("badge").contains("1 broken"));
}
