//! `arbiter bridge --as ucc`: a bot of our own protocol under a manager of the UCC league. Our own arbiter is one such
//! manager, whose referee has its own opinion of every move; a scripted one does what a good one does not.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use arbiter::clock::{Stamp, TimeSettings};
use arbiter::game::{Colour, Rules, book};
use arbiter::protocol::Clause;
use arbiter::referee::{Bridge, BridgeEnd, BridgeInput, Wants};

use crate::fake::fake_bot;
use crate::hostile::has;
use crate::players::{Bot, Event, Temper, joined, plan, play, rules, run};
use crate::secrets::speak_ucc;

const ROWS: [&str; 4] = ["FB8sB479B8", "BB31555583", "6724898974", "967B669999"];
const OURS: &str = "setup FB3SB742B3BB8M6666385497323247254B552222";

fn bridge(wants: Wants) -> Bridge {
    let rules: Arc<Rules> = Rules::new(book("ucc2012").unwrap()).unwrap();
    Bridge::new(rules, TimeSettings::default(), 7, wants)
}

/// What the manager says, and what the bridge then tells its bot.
fn manager(bridge: &mut Bridge, lines: &str) -> String {
    for line in lines.lines() {
        bridge.input(BridgeInput::Manager(line.as_bytes()));
    }
    let text = std::mem::take(bridge.to_bot());
    bridge.input(BridgeInput::Written(Stamp::default()));
    text
}

/// What the bot says, and what the bridge then tells the manager.
fn bot(bridge: &mut Bridge, line: &str) -> String {
    bridge.input(BridgeInput::Line(Stamp::default(), line.as_bytes()));
    std::mem::take(bridge.to_manager())
}

const LEGAL: Wants = Wants { board: true, legal: true, clock: false, ponder: false, fresh: false };

fn red_at_its_first_move() -> Bridge {
    let mut bridge = bridge(LEGAL);
    let told = manager(&mut bridge, "RED ../agents/x/x.py 10 10");
    has(&told, &["newgame id=bridge-7 colour=red first=red seed=7 ", "rules=ucc2012", "\nsetup\n"]);
    assert!(!told.contains("agents"), "{told}");
    assert_eq!(bot(&mut bridge, OURS), ROWS.join("\n") + "\n");
    let told =
        manager(&mut bridge, &format!("START\n{}\n..++..++..\n..++..++..\n{}", ROWS.join("\n"), HASH4));
    has(&told, &["start\nboard ??????????/", "\nlegal a4a5 a4a6 a4a7 b4b5 ", "\ngo\n"]);
    bridge
}

const HASH4: &str = "##########\n##########\n##########\n##########";

#[test]
fn the_bot_is_told_what_the_manager_tells_and_sees_what_it_may_know() {
    let mut bridge = red_at_its_first_move();
    assert_eq!(bot(&mut bridge, "move i4 i6"), "8 3 DOWN 2\n");
    assert_eq!(manager(&mut bridge, "8 3 DOWN 2 OK"), "", "it comes with the next question");
    let board = "FB8sB479B8\nBB31555583\n6724898974\n967B6699.9\n..++..++.#\n..++..++9.\n#########.\n";
    let rest = &HASH4[11..];
    let told = manager(&mut bridge, &format!("9 6 UP 2 OK\n{board}{rest}"));
    has(&told, &["moved red i4 i6\nmoved blue k7 k5\nboard ", "~~2./", "~~.c/", "\ngo\n"]);
    assert_eq!(bot(&mut bridge, "move k4 k5"), "9 3 DOWN\n");
    manager(&mut bridge, "9 3 DOWN 1 BOTHDIE 9 9");
    let board = "FB8sB479B8\nBB31555583\n6724898974\n967B6699..\n..++..++..\n..++..++#.\n########..\n";
    let told = manager(&mut bridge, &format!("8 6 UP KILLS 6 9\n{board}{rest}"));
    let moved = "moved red k4 k5 battle 2 2 both\nmoved blue i7 i6 battle 5 2 won\n";
    has(&told, &[moved, "~~g./"]);
    let told = manager(&mut bridge, "QUIT x.py RED ILLEGAL 3 144 146");
    assert_eq!(told, "gameover winner=blue reason=illegal-move\n");
    assert!(matches!(bridge.end(), Some(BridgeEnd::Over(_))));
}

#[test]
fn a_manager_that_tells_what_cannot_be_is_named_with_its_line() {
    for (lines, word) in [
        ("0 3 DOWN 2 OK", "another move"),
        ("8 3 DOWN 2 KILLS 9 8", "nothing to strike"),
        ("8 3 DOWN 2 DIED", "was awaited"),
        ("8 3 DOWN 2 ILLEGAL", "is legal here"),
        ("START", "was awaited"),
        ("8 3 DOWN 2 OK\n9 6 UP 4 OK", "in its way"),
        ("8 3 DOWN 2 OK\n9 5 UP OK", "no piece"),
        ("8 3 DOWN 2 OK\n9 6 UP 3 KILLS 8 9", "no scout"),
        ("8 3 DOWN 2 OK\n9 6 UP 3 KILLS 9 9", "what comes of"),
        ("8 3 DOWN 2 OK\n8 6 UP KILLS 5 8", "ranks"),
        ("8 3 DOWN 2 OK\n9 6 UP OK\nFB8sB479B9", "row 1"),
        ("8 3 DOWN 2 OK\n9 6 \x01UP OK", "printable"),
    ] {
        let mut bridge = red_at_its_first_move();
        bot(&mut bridge, "move i4 i6");
        let told = manager(&mut bridge, lines);
        let Some(BridgeEnd::Manager(why)) = bridge.end() else { panic!("{lines}: {:?}", bridge.end()) };
        has(why, &[word, "it was told `"]);
        has(&told, &["gameover winner=none reason=void\n"]);
    }
}

#[test]
fn a_bot_at_fault_surrenders_by_its_clause() {
    let clause = |bridge: &Bridge| match bridge.end() {
        Some(BridgeEnd::Fault(fault)) => fault.clause,
        end => panic!("{end:?}"),
    };
    for (line, expected) in [
        ("move a1 a2", Clause::MoveImmobile),
        ("move a4 a5 offer-draw", Clause::DrawOff),
        ("move a4 a5 rescue 8 c1", Clause::MoveRescue),
        ("draw", Clause::DrawOff),
        ("0 3 DOWN", Clause::LineUnknown),
    ] {
        let mut bridge = red_at_its_first_move();
        assert_eq!(bot(&mut bridge, line), "SURRENDER\n", "{line}");
        assert_eq!(clause(&bridge), expected);
        has(bridge.to_bot(), &["gameover winner=blue", &format!("clause={expected}")]);
    }
    let mut bridge = red_at_its_first_move();
    bridge.input(BridgeInput::Tick(Stamp(Duration::from_secs(60))));
    assert_eq!((clause(&bridge), &**bridge.to_manager()), (Clause::TimeMove, "SURRENDER\n"));
    let mut early = self::bridge(LEGAL);
    manager(&mut early, "BLUE x 10 10");
    bot(&mut early, OURS);
    assert_eq!(bot(&mut early, "move a7 a6"), "", "it is not asked");
    assert_eq!(clause(&early), Clause::TurnEarly);
}

#[test]
fn a_resignation_is_a_surrender_and_a_header_of_another_board_is_refused() {
    let mut resigns = red_at_its_first_move();
    assert_eq!(bot(&mut resigns, "resign"), "SURRENDER\n");
    has(&manager(&mut resigns, "QUIT x RED SURRENDER 1 148 148"), &["winner=blue reason=resignation"]);
    for header in ["RED x 8 8", "GREEN x 10 10", "RED 10 10", "red x 10 10", "RED a b 10 10"] {
        let mut bridge = bridge(LEGAL);
        manager(&mut bridge, header);
        assert!(matches!(bridge.end(), Some(BridgeEnd::Manager(_))), "{header}");
    }
}

/// The lines from `start` to the last question: what comes after it a manager does not tell.
fn up_to_the_last_question(text: &str) -> &str {
    let begin = text.find("start\n").unwrap_or(text.len());
    let end = text.rfind("go\n").unwrap_or(begin);
    &text[begin..end.max(begin)]
}

#[test]
fn a_bot_behind_the_bridge_is_told_the_very_game_that_it_would_be_told_without() {
    let mut rng = fastrand::Rng::with_seed(31);
    let (rules, mut questions) = (rules("ucc2012", &[]), 0);
    for round in 0..12 {
        let plan = plan(&rules, Colour::Red);
        let temper = Temper { resign: 0.0, ..Temper::random(&mut rng) };
        let mut bots = [Bot::new(&mut rng, temper), Bot::new(&mut rng, Temper { strike: 0.5, ..temper })];
        let events = play(&plan, &mut rng, &mut bots, 900, |_| {});
        let side = Colour::BOTH[round % 2];
        let expected = joined(&run(&plan, [LEGAL; 2], &events).1, side);
        let (_, sent) = speak_ucc(&plan, side, LEGAL, &events);
        let (mut bridge, mut told) = (bridge(LEGAL), String::new());
        for (number, sent) in sent.iter().enumerate() {
            told += &manager(&mut bridge, &sent[side.index()]);
            if let Some(Event::Line(who, _, line)) = events.get(number)
                && *who == side
            {
                bridge.input(BridgeInput::Line(Stamp::default(), line));
                bridge.to_manager().clear();
            }
        }
        assert!(
            !matches!(bridge.end(), Some(BridgeEnd::Manager(_) | BridgeEnd::Fault(_))),
            "{:?}",
            bridge.end()
        );
        assert_eq!(up_to_the_last_question(&told), up_to_the_last_question(&expected));
        questions += told.matches("go\n").count();
    }
    assert!(questions > 1000, "{questions}");
}

// ---- The binary.

fn execute(command: &mut Command) -> (Option<i32>, String, String) {
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1").env_remove("ARBITER_LOG");
    let output = assert_cmd::Command::from(std::mem::replace(command, Command::new("true")))
        .timeout(Duration::from_secs(120))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");

#[test]
fn our_own_arbiter_is_such_a_manager_and_agrees_with_the_bridge_on_every_move() {
    let dir = tempfile::tempdir().unwrap();
    let fake = fake_bot().display().to_string();
    let bridged =
        format!("cmd='{ARBITER} bridge --as ucc --move-time 60s --seed 9 {fake}' name=bridged proto=ucc");
    let far = format!(
        "cmd='{ARBITER} bridge --as ucc --seed 4 random-python --bots sample-bots/bots.toml' name=far proto=ucc"
    );
    for (number, (one, two)) in [(&bridged, &fake), (&far, &bridged)].into_iter().enumerate() {
        let out = dir.path().join(number.to_string());
        let out = out.to_str().unwrap();
        let mut play = Command::new(ARBITER);
        play.args([
            "play",
            one,
            two,
            "--rules",
            "ucc2012",
            "--games",
            "2",
            "--max-plies",
            "200",
            "--out",
            out,
        ]);
        play.args(["--seed", "3", "--move-time", "60s"]);
        let (exit, said, errors) = execute(&mut play);
        assert_eq!(exit, Some(0), "{errors}");
        let journal = std::fs::read_to_string(format!("{out}/games.jsonl")).unwrap();
        for line in journal.lines() {
            let game = arbiter::record::GameRecord::from_line(line).unwrap();
            assert!(game.faults.is_empty() && game.plies > 5, "{line}\n{said}");
        }
        let (exit, said, _) = execute(Command::new(ARBITER).args(["verify", out]));
        assert_eq!(exit, Some(0), "{said}");
    }
}

/// Runs a bridge whose manager says these lines and hangs up.
fn scripted(bot: &str, lines: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(ARBITER)
        .args(["bridge", "--as", "ucc", "--move-time", "60s", "--setup-time", "60s", bot])
        .env_remove("ARBITER_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Each line when the one before was answered, as far as it asks for an answer.
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut heard = String::new();
    for line in lines.lines() {
        match line.strip_prefix("< ") {
            Some(count) => {
                for _ in 0..count.parse().unwrap() {
                    std::io::BufRead::read_line(&mut out, &mut heard).unwrap();
                }
            }
            None => stdin.write_all(format!("{line}\n").as_bytes()).unwrap_or(()),
        }
    }
    drop(stdin);
    std::io::Read::read_to_string(&mut out, &mut heard).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), heard, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn exit_codes_tell_whose_fault_it_was() {
    let fake = |words: &str| format!("{} {words}", fake_bot().display());
    let (exit, heard, _) = scripted(&fake(""), "BLUE x 10 10\n< 4\nQUIT");
    assert_eq!((exit, heard.lines().count()), (Some(0), 4), "{heard}");
    let (exit, _, said) = scripted(&fake(""), "BLUE x 10 10\n< 4");
    assert_eq!(exit, Some(4));
    has(&said, &["the manager went away"]);
    let (exit, _, said) = scripted(&fake(""), "BLUE x 10 10\n< 4\n0 4 DOWN OK");
    assert_eq!(exit, Some(4));
    has(&said, &["no piece", "`0 4 DOWN OK`"]);
    let (exit, heard, said) = scripted(&fake("bad-setup"), "BLUE x 10 10\n< 1");
    assert_eq!((exit, &*heard), (Some(1), ""));
    has(&said, &["setup.count"]);
    let (exit, heard, said) = scripted(&fake("last-words:farewell@setup exit:3@setup"), "BLUE x 10 10\n< 1");
    assert_eq!((exit, &*heard), (Some(1), ""));
    has(&said, &["process.exit", "status 3", "farewell"]);
    let (exit, _, said) = scripted(&fake("exit:3@start"), "BLUE x 10 10");
    assert_eq!(exit, Some(3));
    has(&said, &["process.exit", "status 3"]);
    let (exit, _, said) = scripted("./no-such-bot", "");
    assert_eq!(exit, Some(3), "{said}");
}

#[test]
fn a_bot_dies_with_its_bridge() {
    let dir = tempfile::tempdir().unwrap();
    let tag = format!("tag:{}", dir.path().file_name().unwrap().to_string_lossy());
    let bot = format!("{} ignore-quit ignore-term {tag}", fake_bot().display());
    let mut child = Command::new(ARBITER)
        .args(["bridge", "--as", "ucc", &bot])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"RED x 10 10\n").unwrap();
    let mut row = String::new();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut out, &mut row).unwrap();
    assert_eq!(row.trim().len(), 10);
    child.kill().unwrap();
    child.wait().unwrap();
    crate::hostile::nothing_survives(&tag);
}
