//! Games from elsewhere: real logs, every format there and back, broken files, and `arbiter convert` end to end.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufReader, Read};
use std::path::Path;

use arbiter::game::{Colour, Deployment, MoveList, Position, Rules, notation};
use arbiter::record::foreign::{Format, Games, Loss, Place, ReadError, Told, usual_rules, write};
use arbiter::record::{ForeignGame, GameRecord, RecordedTurn, check_line, verify_foreign};
use arbiter::tournament::GameResult;
use fastrand::Rng;
use proptest::prelude::*;

use crate::event::Arena;
use crate::players::rules;

const UCC2012: &str = include_str!("../data/ucc2012_games.jsonl");
const MORE_SQUARES: &str = include_str!("../data/more_squares.jsonl");
const EXAMPLE: &str = include_str!("../../results/example/games.jsonl");

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).display().to_string()
}

fn read(format: Format, bytes: &[u8]) -> Vec<Result<ForeignGame, ReadError>> {
    Games::new(format, bytes, "game", &usual_rules).collect()
}

fn good(format: Format, text: &str) -> Vec<ForeignGame> {
    read(format, text.as_bytes())
        .into_iter()
        .map(|game| game.unwrap_or_else(|e| panic!("{e}:\n{text}")))
        .collect()
}

fn one(format: Format, text: &str) -> ForeignGame {
    let mut games = good(format, text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn error(format: Format, bytes: &[u8]) -> ReadError {
    read(format, bytes).into_iter().find_map(Result::err).expect("an error")
}

fn written(format: Format, game: &ForeignGame) -> String {
    let mut text = String::new();
    write(format, game, &mut text).unwrap_or_else(|why| panic!("{}: {why}", game.id));
    text
}

/// What a format keeps of a game, by its own description.
fn kept(format: Format, game: &ForeignGame) -> ForeignGame {
    let mut kept = ForeignGame {
        first: Some(game.first_mover()),
        remarks: Vec::new(),
        lost: Default::default(),
        ..game.clone()
    };
    if format != Format::Plain {
        kept.id = "game".to_owned();
    }
    if !matches!(format, Format::Plain | Format::Strados2) {
        kept.kind = None;
    }
    if !matches!(format, Format::Plain | Format::Strados3) {
        kept.before = 0;
    }
    if !matches!(format, Format::Plain | Format::Ucc) {
        kept.told.clear();
    }
    if matches!(format, Format::Strados3 | Format::Ataraxos) {
        (kept.red, kept.blue, kept.result, kept.reason) = (None, None, None, None);
    }
    if format == Format::Strados3 {
        kept.moves.clear();
    }
    if matches!(format, Format::Ucc | Format::Strados2) && game.moves.is_empty() {
        kept.first = Some(Colour::Red);
    }
    kept
}

/// Takes a game through a format and back, over a plain line at either end.
fn there_and_back(format: Format, game: &ForeignGame) -> ForeignGame {
    let mut came = one(format, &written(format, game));
    // Formats that must tell more than the game did tell what follows from its field.
    if format == Format::Ucc && game.told.is_empty() {
        came.told.clear();
    }
    if format == Format::Strados2 && game.kind.is_none() {
        came.kind = None;
    }
    kept(Format::Plain, &one(Format::Plain, &written(Format::Plain, &came)))
}

fn assert_kept(format: Format, game: &ForeignGame) {
    assert_eq!(there_and_back(format, game), kept(format, game), "{}", format.word());
}

#[test]
fn every_ucc_log_is_read_and_verifies_and_its_broken_ending_is_remarked() {
    let league = rules("ucc2012", &[]);
    let mut remarked = Vec::new();
    for entry in fs::read_dir(data("ucc_logs")).unwrap() {
        let path = entry.unwrap().path();
        let game = one(Format::Ucc, &fs::read_to_string(&path).unwrap());
        let finding = verify_foreign(&game, &league);
        assert!(finding.agrees() && finding.first_illegal.is_none(), "{finding:?}");
        assert!(game.result.is_some() && game.reason.is_some());
        let id = path.file_name().unwrap().to_str().unwrap();
        let mut plain = good(Format::Plain, UCC2012).into_iter().find(|g| g.id == id).unwrap();
        (plain.id, plain.result, plain.reason) = ("game".to_owned(), game.result, game.reason.clone());
        assert_eq!(kept(Format::Plain, &game), kept(Format::Plain, &plain));
        if !game.remarks.is_empty() {
            remarked.push((id.to_owned(), game));
        }
    }
    let [(id, game)] = &remarked[..] else { panic!("{remarked:?}") };
    assert_eq!(id, "round11__peternlewis.vs.ramen.11.5.log");
    assert_eq!((game.result, game.reason.as_deref()), (Some(GameResult::Red), Some("protocol")));
    let lines: Vec<u64> = game.remarks.iter().map(|r| r.line).collect();
    assert_eq!(lines, [12, 14, 15, 16, 17]);
}

/// Line for line: but for paths, of which the last part is the name, and for the number 1, which is left out.
#[test]
fn the_managers_logs_are_written_again_as_they_were() {
    let mut same = 0;
    for entry in fs::read_dir(data("ucc_logs")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let game = one(Format::Ucc, &text);
        let usual = |line: &str| {
            let line = line.rsplit_once("agents/").map_or(line, |(_, l)| l.split_once('/').unwrap().1);
            ["UP", "DOWN", "LEFT", "RIGHT"]
                .iter()
                .fold(line.to_owned(), |line, way| line.replace(&format!("{way} 1 "), &format!("{way} ")))
        };
        let (ours, theirs) = (written(Format::Ucc, &game), text.lines().map(usual).collect::<Vec<_>>());
        if game.remarks.is_empty() {
            assert_eq!(ours.lines().collect::<Vec<_>>(), theirs);
            same += 1;
        }
    }
    assert_eq!(same, 11);
}

#[test]
fn every_known_game_comes_back_the_same_from_each_format() {
    for game in good(Format::Plain, UCC2012).iter().chain(&good(Format::Plain, MORE_SQUARES)) {
        for format in Format::ALL {
            let mut text = String::new();
            match write(format, game, &mut text) {
                Ok(_) => assert_kept(format, game),
                // The one move off the board has no number there, and that is said.
                Err(why) => {
                    assert!(format == Format::Ataraxos && why.contains("k10k11"), "{why}");
                    assert_eq!(text, "");
                }
            }
        }
    }
}

#[test]
fn our_own_games_come_back_the_same_from_each_format_and_verify() {
    let isf = rules("isf", &[]);
    let games = good(Format::Plain, EXAMPLE);
    assert_eq!(games.len(), EXAMPLE.lines().count());
    for (game, line) in games.iter().zip(EXAMPLE.lines()) {
        check_line(line).unwrap();
        let record = GameRecord::from_line(line).unwrap();
        assert_eq!((game.moves.len(), &game.id), (record.moves.len(), &record.id));
        assert_eq!(verify_foreign(game, &isf).outcome_mismatch, None);
        for format in [Format::Plain, Format::Ucc, Format::Strados3] {
            assert_kept(format, game);
        }
        let near = one(Format::Strados2, &written(Format::Strados2, game));
        assert_eq!((near.result, near.moves == game.moves), (game.result, true));
    }
}

/// A game of random legal moves, ended in one of the ways that games end.
fn random_game(rng: &mut Rng, book: &str) -> ForeignGame {
    let rules: std::sync::Arc<Rules> = rules(book, &[("no-attack", "off")]);
    let [red, blue] = [(); 2].map(|()| Deployment::draw(&rules, |n| rng.usize(..n)));
    let first = if rng.bool() { Colour::Red } else { Colour::Blue };
    let mut position = Position::new(rules, &red, &blue, first);
    let field = notation::field(&position);
    let (mut legal, mut moves, mut told) = (MoveList::new(), Vec::new(), Vec::new());
    let most = rng.usize(..300);
    while position.outcome().is_none() && moves.len() < most {
        position.legal_moves(&mut legal);
        let mv = legal[rng.usize(..legal.len())];
        moves.push(RecordedTurn::Move(mv.written(position.board()), None));
        told.push(Told::of(position.play(mv, None).unwrap().battle.as_ref()));
    }
    let loser = if rng.bool() { GameResult::Red } else { GameResult::Blue };
    let (result, reason) = match position.outcome() {
        Some(ending) => {
            let result = match ending.winner() {
                Some(Colour::Red) => GameResult::Red,
                Some(Colour::Blue) => GameResult::Blue,
                None => GameResult::Draw,
            };
            (Some(result), Some(ending.reason()))
        }
        None => match rng.u8(..5) {
            0 => (None, None),
            1 => (Some(GameResult::Draw), Some("agreement")),
            2 => (Some(loser), Some("time")),
            3 => (Some(loser), None),
            _ => (Some(loser), Some("resignation")),
        },
    };
    let name = |rng: &mut Rng| match rng.u8(..4) {
        0 => None,
        1 => Some("<a & \"b\"> 'c' RED".to_owned()),
        2 => Some("Zoë Ωmega".to_owned()),
        _ => Some(format!("bot{}", rng.u8(..))),
    };
    ForeignGame {
        id: format!("1.{}.2", rng.u8(..)),
        kind: rng.bool().then(|| book.replace("isf", "classic")),
        red: name(rng),
        blue: name(rng),
        field: Some(field),
        first: Some(first),
        moves,
        told: if rng.bool() { told } else { Vec::new() },
        result,
        reason: reason.map(str::to_owned),
        ..ForeignGame::default()
    }
}

#[test]
fn who_moves_first_is_lost_where_no_move_tells_it_and_that_is_said() {
    let mut game = random_game(&mut Rng::with_seed(1), "isf");
    game.moves.clear();
    game.told.clear();
    for (first, said) in [(Colour::Red, false), (Colour::Blue, true)] {
        game.first = Some(first);
        for format in [Format::Ucc, Format::Strados2] {
            let losses = write(format, &game, &mut String::new()).unwrap();
            assert_eq!(losses.iter().any(|loss| loss == Loss::First), said, "{}", format.word());
            assert_kept(format, &game);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_game_comes_back_the_same_from_each_format(seed in any::<u64>(), barrage in any::<bool>()) {
        let mut rng = Rng::with_seed(seed);
        let game = random_game(&mut rng, if barrage { "barrage" } else { "isf" });
        prop_assert!(verify_foreign(&game, &rules("isf", &[("no-attack", "off"), ("two-squares", "off"), ("chase", "off")])).agrees());
        for format in Format::ALL {
            let mut text = String::new();
            match write(format, &game, &mut text) {
                Ok(_) => {
                    prop_assert_eq!(Format::told_by(text.as_bytes()), Some(format));
                    prop_assert_eq!(there_and_back(format, &game), kept(format, &game), "{}", format.word());
                }
                Err(why) => {
                    prop_assert!(format == Format::Ataraxos && game.first_mover() == Colour::Blue, "{}", why);
                }
            }
        }
    }

    /// Files that were cut, doubled, overwritten, or had their line ends changed: whatever comes out of them, each
    /// error has a place within the file, and reading ends.
    #[test]
    fn mangled_files_give_games_and_errors_with_places(seed in any::<u64>()) {
        let mut rng = Rng::with_seed(seed);
        let format = Format::ALL[rng.usize(..5)];
        let games: Vec<String> =
            (0..rng.usize(1..4)).map(|_| random_game(&mut rng, "barrage")).map(|mut game| {
                game.first = Some(Colour::Red);
                if game.moves.is_empty() || format == Format::Ataraxos { game.moves.clear(); game.told.clear(); }
                let mut text = String::new();
                let _ = write(format, &game, &mut text);
                text
            }).collect();
        let mut bytes = games.concat().into_bytes();
        for _ in 0..rng.usize(..4) {
            if bytes.is_empty() { break; }
            let at = rng.usize(..bytes.len());
            match rng.u8(..7) {
                0 => bytes.truncate(at),
                1 => { let again = bytes[at..].to_vec(); bytes.extend(again); }
                2 => { for _ in 0..rng.usize(1..20) { let at = rng.usize(..bytes.len()); bytes[at] = rng.u8(..); } }
                3 => bytes = String::from_utf8_lossy(&bytes).replace('\n', "\r\n").into_bytes(),
                4 => { for byte in &mut bytes { if *byte == b'\n' && rng.bool() { *byte = b'\r'; } } }
                5 => { bytes.splice(at..at, b"\xff\xfe\0<&lol;>]]>{\"\n".iter().copied()); }
                _ => { let end = rng.usize(at..bytes.len()); bytes.drain(at..end); }
            }
        }
        let lines = bytes.iter().filter(|b| matches!(b, b'\n' | b'\r')).count() as u64 + 1;
        let told = Format::told_by(&bytes);
        for format in told.into_iter().chain([format]) {
            // Small reads, as from a pipe.
            let pieces = BufReader::with_capacity(rng.usize(1..64), &bytes[..]);
            let all: Vec<_> = Games::new(format, pieces, "game", &usual_rules).collect();
            let whole: Vec<_> = read(format, &bytes);
            prop_assert_eq!(format!("{all:?}"), format!("{whole:?}"));
            // One line may hold several documents.
            prop_assert!(all.len() <= bytes.len() + 1);
            for result in all {
                match result {
                    Err(ReadError { place: Place { line, byte }, reason, .. }) => {
                        prop_assert!((1..=lines).contains(&line), "line {} of {}: {}", line, lines, reason);
                        prop_assert!(byte.is_none_or(|b| b <= bytes.len() as u64));
                    }
                    Ok(game) => {
                        for format in Format::ALL {
                            let mut text = String::new();
                            if write(format, &game, &mut text).is_ok() {
                                prop_assert_eq!(good(format, &text).len(), 1, "{}", text);
                            }
                        }
                        let _ = verify_foreign(&game, &rules("isf", &[]));
                    }
                }
            }
        }
    }
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<document><game type=\"barrage\"><field content=\"\
    AAAAALADDMAACAAAAAABAAAAEAAAAAAAAAAAAAKAAA__AA__AAAA__AA__AAAAAAAAAPAAAAAAAAAAAAAAAWAAAAPOQAAAAAXANY\"/>\n\
    <move id=\"1\" source=\"F1\" target=\"G1\"/><move id=\"2\" source=\"G10\" target=\"G9\"/></game>\n\
    <player id=\"0\">red &amp; name</player><player id=\"1\">blue&#32;name</player>\
    <result type=\"3\" winner=\"1\"/></document>\n";

#[test]
fn an_archives_file_is_read_with_its_names_and_ending_in_either_place() {
    let game = one(Format::Strados2, XML);
    assert_eq!(game.kind.as_deref(), Some("barrage"));
    assert_eq!((game.red.as_deref(), game.blue.as_deref()), (Some("red & name"), Some("blue name")));
    assert_eq!((game.result, game.reason.as_deref()), (Some(GameResult::Red), Some("resignation")));
    assert_eq!(game.moves, ["f1g1", "g10g9"].map(RecordedTurn::read));
    assert!(verify_foreign(&game, &rules("isf", &[])).agrees());
    // Other files have the players within the game.
    let within = XML.replace("</game>", "").replace("</document>", "</game></document>");
    assert_eq!(one(Format::Strados2, &within), game);
    assert_eq!(good(Format::Strados2, &(XML.to_owned() + XML)).len(), 2);
    let duell = good(Format::Strados2, &XML.replace(" type=\"barrage\"", " type = 'duell'"));
    assert_eq!(duell[0].kind.as_deref(), Some("duell"));
}

#[test]
fn j_stands_for_k_where_a_game_has_no_k() {
    let j = |text: &str| {
        one(Format::Strados2, &XML.replace("\"G1\"", &format!("\"{text}\""))).moves[0].to_string()
    };
    assert_eq!((j("J1"), j("K1")), ("f1k1".to_owned(), "f1k1".to_owned()));
    let both = one(Format::Strados2, &XML.replace("\"G1\"", "\"J1\"").replace("\"G9\"", "\"K9\""));
    assert_eq!(both.moves.iter().map(ToString::to_string).collect::<Vec<_>>(), ["f1j1", "g10k9"]);
}

#[test]
fn a_game_may_lack_its_field_or_its_moves() {
    let bare =
        one(Format::Strados2, "<a><game type=\"classic\"></game><result type=\"10\" winner=\"3\"/></a>");
    assert_eq!((&bare.field, bare.moves.len()), (&None, 0));
    assert_eq!((bare.result, bare.reason.as_deref()), (Some(GameResult::Draw), Some("both-missing")));
    for format in [Format::Plain, Format::Strados2, Format::Ucc] {
        assert_eq!(one(format, &written(format, &bare)).result, bare.result);
    }
    let mut text = String::new();
    assert!(write(Format::Strados3, &bare, &mut text).unwrap_err().contains("no field"));
    assert!(verify_foreign(&bare, &rules("isf", &[])).agrees());
    let start = XML.find("<move").unwrap()..XML.find("</game>").unwrap();
    let mut unplayed = XML.to_owned();
    unplayed.replace_range(start, "");
    assert!(one(Format::Strados2, &unplayed).moves.is_empty());
}

#[test]
fn xml_that_means_harm_is_refused_with_a_place() {
    let bomb = "<!DOCTYPE a [<!ENTITY x \"lol\"><!ENTITY y \"&x;&x;&x;\">]>\n<a><game type=\"classic\"/>\n\
                <player>&y;</player></a>";
    let refused = error(Format::Strados2, bomb.as_bytes());
    assert_eq!((refused.place.line, refused.fatal), (3, true));
    assert!(refused.reason.contains("`&y;` is none of XML's own five entities"), "{refused}");
    let field = error(Format::Strados2, b"<a><game type='x'><field content='&y;'/></game></a>");
    assert!(field.reason.contains("content"), "{field}");
    assert!(
        error(Format::Strados2, "<a>\n".repeat(100).as_bytes()).reason.contains("nested more than 32 deep")
    );
    let long = format!("<a>\n<game type=\"{}", "x".repeat(200_000));
    let refused = error(Format::Strados2, long.as_bytes());
    assert!(refused.reason.contains("more than 64 KiB"), "{refused}");
    assert_eq!(refused.place.line, 2);
    let cut = error(Format::Strados2, &XML.as_bytes()[..XML.len() - 30]);
    assert!(cut.reason.contains("well-formed") || cut.reason.contains("breaks off"), "{cut}");
    assert!(error(Format::Strados2, b"<html><body>no</body></html>").reason.contains("without a `game`"));
    assert!(error(Format::Strados2, b"<a><game type='\xff'/></a>").reason.contains("UTF-8"));
}

/// An endless stream of one byte, or of a text again and again, that ends with the test's patience.
fn endless(text: &'static [u8], megabytes: u64) -> impl std::io::BufRead {
    struct Again(&'static [u8], usize);
    impl Read for Again {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            for byte in buffer.iter_mut() {
                *byte = self.0[self.1 % self.0.len()];
                self.1 += 1;
            }
            Ok(buffer.len())
        }
    }
    BufReader::with_capacity(1 << 16, Again(text, 0).take(megabytes << 20))
}

#[test]
fn what_has_no_end_gives_an_error_and_is_not_held() {
    let first = |format, text: &'static [u8]| {
        Games::new(format, endless(text, 24), "game", &usual_rules).find_map(Result::err).expect("an error")
    };
    for format in [Format::Plain, Format::Ucc, Format::Strados3, Format::Ataraxos] {
        let error = first(format, b"A");
        assert!(error.place.line == 1 && error.reason.contains("longer than 16 MiB"), "{error}");
    }
    assert!(first(Format::Strados2, b"A").reason.contains("more than 64 KiB"));
    assert!(first(Format::Strados2, b"<!-- ").reason.contains("more than 64 KiB"));
    assert!(first(Format::Strados2, b"<a><game/><move source='A1' target='A2'/>").reason.contains("32 deep"));
}

#[test]
fn a_game_of_a_million_plies_is_refused() {
    let mut ataraxos = XML[XML.find("AAAAAL").unwrap()..][..100].to_owned() + "\n";
    ataraxos += &"305\n".repeat(200_001);
    assert!(error(Format::Ataraxos, ataraxos.as_bytes()).reason.contains("more than 200000 plies"));
    let plain = format!("{{\"id\":\"x\",\"moves\":[{}\"a1a2\"]}}\n", "\"a1a2\",".repeat(200_000));
    assert!(error(Format::Plain, plain.as_bytes()).reason.contains("more than 200000 plies"));
}

const LOG: &str = "./a/one RED SETUP\nFB8sB979B8\nBB99555583\n6724898974\nB314676699\n\
    two BLUE SETUP\n967B669999\n6724898974\nBB31555583\nFB8sB479B8\n\
    1 RED: 9 3 DOWN OK\n1 BLU: 4 6 UP 1 OK\n2 RED: 9 4 DOWN OK\n";

fn remarks(text: &str) -> (usize, Vec<String>) {
    let game = one(Format::Ucc, text);
    (game.moves.len(), game.remarks.into_iter().map(|r| format!("{}: {}", r.line, r.text)).collect())
}

#[test]
fn a_managers_oddities_are_remarked_with_their_lines_and_are_no_errors() {
    let odd = |more: &str| remarks(&format!("{LOG}{more}"));
    let end = "Game ends on RED's turn - REASON: Captured the flag\none RED VICTORY 3 1 1\n";
    assert_eq!(odd("").1, ["13: the log breaks off: it tells no ending"]);
    assert_eq!(odd(end).1, [] as [&str; 0]);
    let (moves, said) = odd("2 BLU: 4 5 RI");
    assert_eq!(moves, 3);
    assert_eq!(said[0], "14: Blue's answer on turn 2 is no whole move: `4 5 RI`");
    assert_eq!(said[1], "14: the log breaks off: it tells no ending");
    let (moves, said) = odd(&format!("2 RED: 9 4 DOWN OK\n2 BLU: 4 5 RIGHT OK\n{end}"));
    assert_eq!((moves, &said[..]), (4, &["14: `2 RED: 9 4 DOWN OK` stands there again".to_owned()][..]));
    let (moves, said) = odd(&format!("4 RED: 9 4 DOWN OK\n{end}"));
    assert_eq!(moves, 3);
    assert!(said[0].starts_with("14: moves are missing before"), "{said:?}");
    let (_, said) =
        odd(&format!("{end}Game ends on RED's turn - REASON: Captured the flag\n3 RED: 1 3 DOWN OK\n"));
    assert!(
        said[0].starts_with("16: the game ends again") && said[1].starts_with("17: a move after the end")
    );
    let piped =
        "2 BLU: Game ends on BLUE's turn - REASON: SIGPIPE - Broken pipe (AI program no longer running)\n";
    let game = one(Format::Ucc, &format!("{LOG}{piped}"));
    assert_eq!((game.result, game.reason.as_deref()), (Some(GameResult::Red), Some("process")));
    let many = one(Format::Ucc, &format!("{LOG}{}", "what?\n".repeat(1000)));
    assert_eq!(many.remarks.len(), 9);
    assert!(many.remarks[8].text.contains("oddities more"));
}

#[test]
fn a_move_off_the_board_is_an_illegal_ply_and_no_error_of_the_file() {
    for (line, clause) in [
        ("2 BLU: 9 9 DOWN ILLEGAL\n", "move.off-board"),
        ("2 BLU: 0 6 LEFT ILLEGAL\n", "move.off-board"),
        ("2 BLU: 0 9 DOWN 700 ILLEGAL\n", "move.off-board"),
        ("2 BLU: -5 99999 UP ILLEGAL\n", "move.off-board"),
        ("2 BLU: 4 5 UP 0 ILLEGAL\n", "move.same-square"),
    ] {
        let game = one(Format::Ucc, &format!("{LOG}{line}"));
        let finding = verify_foreign(&game, &rules("ucc2012", &[]));
        let illegal = finding.first_illegal.as_ref().unwrap_or_else(|| panic!("{line}"));
        assert_eq!((illegal.ply, illegal.clause, illegal.recorded), (4, clause, true), "{line}");
        assert!(finding.agrees());
    }
}

#[test]
fn a_setup_that_is_none_is_an_error_and_the_next_game_is_read() {
    let two = LOG.replacen("BB99555583", "BB9955558x", 1) + LOG;
    let read = read(Format::Ucc, two.as_bytes());
    let [Err(error), Ok(game)] = &read[..] else { panic!("{read:?}") };
    assert_eq!(error.to_string(), "line 3: `x` in red's setup is no rank (1 to 9, s, B, F)");
    assert_eq!(game.moves.len(), 3);
    let cut = crate::foreign::error(Format::Ucc, &LOG.as_bytes()[..40]);
    assert!(cut.reason.contains("breaks off"), "{cut}");
    // The manager's own word for a setup that it refused is none.
    let refused = "a RED SETUP\nINVALID!\nb BLUE SETUP\nINVALID!\n\
                   Game ends in the SETUP phase - REASON: An illegal setup was made by RED\na RED BAD_SETUP 0 0 0\n";
    let game = one(Format::Ucc, refused);
    assert_eq!((&game.field, game.result), (&None, Some(GameResult::Blue)));
    assert_eq!(game.remarks, []);
    assert_eq!(written(Format::Ucc, &game), refused);
}

#[test]
fn what_a_log_tells_of_its_end_is_compared_with_the_board() {
    let ends = |reason: &str, result: &str| {
        let text = format!("{LOG}Game ends on RED's turn - REASON: {reason}\none RED {result} 3 1 1\n");
        verify_foreign(&one(Format::Ucc, &text), &rules("ucc2012", &[])).outcome_mismatch
    };
    let mismatch = ends("Captured the flag", "VICTORY").unwrap();
    assert_eq!(
        (mismatch.ply, mismatch.recorded.as_str(), mismatch.refereed.as_str()),
        (3, "red flag-captured", "the game goes on")
    );
    assert!(ends("Destroyed all mobile enemy pieces", "VICTORY").is_some());
    assert_eq!(ends("This player has surrendered!", "SURRENDER"), None);
    let wrong = LOG.replace("9 4 DOWN OK", "9 4 DOWN KILLS 9 9");
    let finding = verify_foreign(&one(Format::Ucc, &wrong), &rules("ucc2012", &[]));
    assert_eq!(finding.outcome_mismatch.unwrap().recorded, "KILLS 9 9");
}

#[test]
fn position_strings_and_numbers_are_read_as_their_authors_mean_them() {
    let field = &XML[XML.find("AAAAAL").unwrap()..][..100];
    let game = one(Format::Strados3, &format!("{field} b 17\n"));
    assert_eq!((game.first, game.before), (Some(Colour::Blue), 17));
    assert!(error(Format::Strados3, format!("{field} x 17\n").as_bytes()).reason.contains("`r` or `b`"));
    // Marks, small letters; f1 to g1, then Blue's g10 to g9, each seen from the mover's side.
    let marked = field.to_lowercase().replace(|c: char| c != 'a' && c != '_', "B").replacen('B', "B@", 1);
    assert_eq!(Format::told_by(marked.as_bytes()), Some(Format::Ataraxos));
    let game = one(Format::Ataraxos, &format!("{marked}\n1405\n3\n"));
    assert_eq!(game.moves, ["f1g1", "g10g9"].map(RecordedTurn::read));
    for (number, mv) in
        [(899, "k10k9"), (99, "k10k1"), (999, "k10a10"), (1799, "k10i10"), (0, "a1a2"), (900, "a1b1")]
    {
        assert_eq!(one(Format::Ataraxos, &format!("{field}\n{number}\n")).moves, [RecordedTurn::read(mv)]);
    }
    let error = error(Format::Ataraxos, format!("{field}\n5\n1800\n7\n").as_bytes());
    assert_eq!((error.place.line, error.reason.as_str()), (3, "ply 2, `1800`, is no number from 0 to 1799"));
}

#[test]
fn a_folder_is_converted_file_by_file_and_a_bad_one_is_told_with_its_place() {
    let arena = Arena::new();
    fs::create_dir_all(arena.path("in/deep")).unwrap();
    for n in 0..20 {
        arena.write(&format!("in/{n}.log"), LOG);
    }
    arena.write("in/deep/x.log", LOG);
    arena.write("in/7.log", &LOG.replace("6724898974", "672489897"));
    arena.write("in/8.log", "rubbish\n");
    arena.write("in/9.log", "");
    arena.write("in/LICENSE", "Do what you like.\n");
    let ran = arena.run(&["convert", "in", "out", "--to", "strados2"]);
    ran.ends(1)
        .says("in/7.log, line 4: row 3 of red's setup is `672489897`, not ten squares")
        .says("in/8.log, line 1: of no known format of games; --from says which it is")
        .says("in/9.log, line 1: it is empty")
        .says("in/0.log, line 13: note: the log breaks off")
        .says("passed over: LICENSE")
        .says("StraDoS2 XML has no room for: ")
        .says("18 games of 19 files into out; 3 could not be read or written");
    assert_eq!(fs::read_dir(arena.path("out")).unwrap().count(), 18);
    assert!(arena.read("out/deep/x.log.xml").contains("<player id=\"0\">one</player>"));
    let json = arena.run(&["convert", "in", "out.jsonl", "--json"]);
    json.ends(1).says("\"event\":\"problem\",\"path\":\"in/7.log\",\"place\":\"line 4\"");
    let ids: BTreeSet<String> =
        good(Format::Plain, &arena.read("out.jsonl")).into_iter().map(|g| g.id).collect();
    assert!(ids.len() == 18 && ids.contains("deep/x.log"), "{ids:?}");
    // What is written into the folder that is read is not read again.
    for _ in 0..2 {
        arena.run(&["convert", "-q", "in", "in/all.jsonl"]).ends(1);
        assert_eq!(arena.read("in/all.jsonl").lines().count(), 18);
    }
    fs::remove_file(arena.path("in/all.jsonl")).unwrap();
    // Every file of the folder, and what was made of it, verifies.
    arena.run(&["verify", "-q", "out"]).ends(0).says("18 agree");
    arena.run(&["verify", "-q", "in"]).ends(1).says("18 agree, 0 do not, 3 unreadable");
}

#[test]
fn a_file_gets_its_name_when_it_is_whole_and_a_format_of_one_game_a_file_takes_no_more() {
    let arena = Arena::new();
    arena.write("two.jsonl", &UCC2012.split_inclusive('\n').take(2).collect::<String>());
    arena.write("there.xml", "before");
    arena
        .run(&["convert", "two.jsonl", "there.xml"])
        .ends(2)
        .says("holds one game a file, and there are more");
    arena.write("bad.log", "nothing\n");
    arena.run(&["convert", "bad.log", "there.xml"]).ends(1).says("bad.log, line 1");
    assert_eq!(arena.read("there.xml"), "before");
    let left = fs::read_dir(arena.path(""))
        .unwrap()
        .filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().ends_with(".partial"));
    assert_eq!(left.count(), 0);
    arena.run(&["convert", "two.jsonl", "here.strados3"]).ends(0);
    assert_eq!(arena.read("here.strados3").lines().count(), 2);
    arena.run(&["convert", "two.jsonl", "here"]).ends(2).says("--to says it (plain, ucc,");
    arena.run(&["convert", "nofile", "here.xml"]).ends(2).says("nofile: No such file");
    arena.run(&["convert", "two.jsonl", "-"]).ends(0).says("\"outcomes\"");
}

#[test]
fn no_id_leads_out_of_the_folder_and_none_is_written_over_another() {
    let arena = Arena::new();
    let field = &XML[XML.find("AAAAAL").unwrap()..][..100];
    let ids = ["../../out", "/etc/x", "a/b", "a/b", "", ".hid", "ä ö", "100%"];
    let line = |id: &&str| format!("{{\"id\":\"{id}\",\"field\":\"{field}\",\"moves\":[]}}\n");
    arena.write("ids.jsonl", &ids.iter().map(line).collect::<String>());
    arena.run(&["convert", "ids.jsonl", "deep/er/", "--to", "strados2"]).ends(0);
    assert!(!arena.path("out.xml").exists() && !arena.path("deep/out.xml").exists());
    arena.run(&["convert", "deep/er", "back.jsonl"]).ends(0);
    let mut back: Vec<String> =
        good(Format::Plain, &arena.read("back.jsonl")).into_iter().map(|g| g.id).collect();
    back.sort();
    assert_eq!(back, ["%/etc/x", "../../out", ".hid", "100%", "a/b", "a/b-2", "ids.jsonl#5", "ä ö"]);
}

#[test]
fn games_of_an_event_convert_to_all_formats_and_those_verify() {
    let arena = Arena::new();
    arena.run(&["tournament", "league.toml"]).ends(0);
    for format in Format::ALL {
        let folder = format!("{}/", format.word());
        arena.run(&["convert", "results/league", &folder, "--to", format.word()]).ends(0).says("24 games");
        let rules = ["--rules", "barrage"];
        arena.run(&[&["verify", "--quiet", &folder], &rules[..]].concat()).ends(0).says("24 agree");
    }
    arena.run(&["convert", "-q", "results/league", "ucc/1.xml"]).ends(2);
    // A line that was changed is none of the event's.
    let text = arena.read("results/league/games.jsonl");
    arena.write("results/league/games.jsonl", &text.replacen("\"red\":\"", "\"red\":\"x", 1));
    arena.run(&["convert", "results/league", "all.jsonl"]).ends(1).says("line 1: its checksum is");
    assert_eq!(arena.read("all.jsonl").lines().count(), 23);
}

#[test]
fn a_game_goes_on_from_any_ply_of_a_recorded_one() {
    let arena = Arena::new();
    arena.run(&["tournament", "league.toml"]).ends(0);
    let line = arena.read("results/league/games.jsonl").lines().next().unwrap().to_owned();
    let old = GameRecord::from_line(&line).unwrap();
    let start = format!("results/league/{}:10", old.id);
    arena.run(&["play", "--start", &start, "ann", "bob", "--out", "on"]).ends(0);
    let new = GameRecord::from_line(&arena.read("on/games.jsonl")).unwrap();
    assert_eq!((new.given, &new.setup, &new.first), (10, &old.setup, &old.first));
    assert_eq!(new.moves[..10], old.moves[..10]);
    // The event's own rules go on where no others are named.
    assert!(arena.read("on/event.json").contains("\"name\": \"barrage\""));
    arena.run(&["verify", "-q", "on"]).ends(0);

    arena.write("old.log", LOG);
    arena.write("two.jsonl", &UCC2012.split_inclusive('\n').take(2).collect::<String>());
    arena.run(&["play", "--start", "old.log:3", "ann", "bob", "--out", "log"]).ends(0).says("rules ucc2012");
    assert_eq!(GameRecord::from_line(&arena.read("log/games.jsonl")).unwrap().given, 3);
    for game in ["two.jsonl#2:5", "two.jsonl/round11__peternlewis.vs.celsius.11.6.log:5"] {
        let out = format!("{}{}", game.len(), "out");
        arena.run(&["play", "--start", game, "ann", "bob", "--out", &out]).ends(0);
        assert_eq!(GameRecord::from_line(&arena.read(&format!("{out}/games.jsonl"))).unwrap().given, 5);
    }
    for (game, why) in [
        ("old.log:4", "the game has 3 plies, not 4"),
        ("old.log:x", "after the colon comes a ply"),
        ("two.jsonl:3", "it holds several games; name one, as in two.jsonl#2"),
        ("two.jsonl#3:3", "no game 3 is in it"),
        ("results/league/9.9.9:3", "no game `9.9.9` is in it"),
        ("nothing:3", "no game `nothing`: name it as EVENT/ID"),
        ("two.jsonl#1:240", "ply 77, c4d4, is barred by the two-squares rule (--rules names others)"),
        ("nothing.toml", "a recorded game's ply is named GAME:PLY"),
    ] {
        arena.run(&["play", "--start", game, "ann", "bob"]).ends(2).says(why);
    }
    arena
        .run(&["play", "--start", "old.log:3", "ann", "bob", "--rules", "barrage"])
        .ends(2)
        .says("--rules names others");
}

#[test]
fn a_recorded_game_is_played_again_from_the_same_seeds_and_comes_out_the_same() {
    let arena = Arena::new();
    arena.run(&["tournament", "league.toml"]).ends(0);
    for line in arena.read("results/league/games.jsonl").lines().step_by(7) {
        let old = GameRecord::from_line(line).unwrap();
        let (game, out) = (format!("results/league/{}", old.id), format!("again-{}", old.id));
        arena.run(&["play", "--again", &game, "--out", &out]).ends(0).says("the same game, move for move");
        let new = GameRecord::from_line(&arena.read(&format!("{out}/games.jsonl"))).unwrap();
        assert_eq!(GameRecord { us: old.us.clone(), ..new }, old);
        arena.run(&["verify", "-q", &out]).ends(0);
        // What is there already is not played twice.
        arena.run(&["play", "--again", &game, "--out", &out]).ends(0).says("nothing is missing");
    }
}

#[test]
fn bots_that_deploy_otherwise_now_get_the_recorded_deployments() {
    let arena = Arena::new();
    arena.run(&["play", "ann", "bob", "--rules", "barrage", "--seed", "3", "--out", "old"]).ends(0);
    let old = GameRecord::from_line(&arena.read("old/games.jsonl")).unwrap();
    // Another bot in Blue's seat, which deploys in its own way.
    let registry = arena.read("bots.toml");
    let dan = registry
        .lines()
        .find(|line| line.contains("tag:b"))
        .unwrap()
        .replace("\"tag:b\"", "\"say:setup_FB........S...................2.M.9..32.@setup\"");
    arena.write("bots.toml", &format!("{registry}[bots.dan]\n{dan}\n"));
    let ran = arena.run(&["play", "--again", "old/1.1.1", "ann", "dan", "--out", "new"]);
    ran.ends(0).says("a bot deploys otherwise than in the record: both get the deployments of the record");
    let new = GameRecord::from_line(&arena.read("new/games.jsonl")).unwrap();
    assert_eq!((&new.setup, &new.seeds, &new.first), (&old.setup, &old.seeds, &old.first));
    assert_eq!((new.red.as_str(), new.blue.as_str()), ("ann", "dan"));
    assert_eq!(arena.read("new/games.jsonl").lines().count(), 1);
    arena.run(&["verify", "-q", "new"]).ends(0);
}

#[test]
fn games_from_a_start_and_with_drawn_deployments_are_played_again_too() {
    let arena = Arena::new();
    arena.run(&["play", "ann", "bob", "--rules", "barrage", "--seed", "3", "--out", "old"]).ends(0);
    arena.run(&["play", "--start", "old/1.1.1:7", "bob", "ann", "--out", "on", "--move-time", "30s"]).ends(0);
    arena.run(&["play", "--again", "on/1.1.1", "--out", "on2"]).ends(0).says("the same game, move for move");
    assert!(arena.read("on2/event.json").contains("30s a move"));
    let drawn = ["play", "ann", "bob", "--variant", "random-setup", "--rules", "barrage", "--out", "drawn"];
    arena.run(&drawn).ends(0);
    arena
        .run(&["play", "--again", "drawn/1.1.1", "--out", "d2"])
        .ends(0)
        .says("the same game, move for move");
    for (args, why) in [
        (&["play", "--again", "old/2.1.1"][..], "old/games.jsonl: no game `2.1.1` is in it"),
        (&["play", "--again", "old/1.1.1", "ann"], "<BLUE>"),
        (&["play", "--again", "old/1.1.1", "--seed", "4"], "cannot be used with"),
        (&["play", "ann"], "<BLUE>"),
        (&["play", "--again", "old.log"], "no game `old.log`"),
    ] {
        arena.run(args).ends(2).says(why);
    }
    arena.write("old.log", LOG);
    arena.run(&["play", "--again", "old.log"]).ends(2).says("--start old.log:0 plays from its start");
    // The registry has lost a bot: its program is taken as it was.
    let registry = arena.read("bots.toml").replace("bots.bob", "bots.rob");
    arena.write("bots.toml", &registry);
    arena.run(&["play", "--again", "old/1.1.1", "--out", "o2"]).ends(0).says("the same game, move for move");
}
