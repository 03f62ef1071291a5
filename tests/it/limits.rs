//! Limits of what a bot uses: each ends the game by its own clause, held by cgroups where there are some, and by being
//! looked at where there are none. No clock runs: nothing but the limit can end these games.

#![cfg(target_os = "linux")]

use crate::hostile::{Arena, Fault};
use crate::machine::Machine;

/// Red plays with these words under one limit, as root with all that the machine has, and on the base alone.
fn passes(words: &str, option: &str, limit: &str) -> [Fault; 2] {
    [Machine::Whole, Machine::Base]
        .map(|machine| Arena::hostile(words).on(machine).set("--time", "none").set(option, limit).loses())
}

#[test]
fn more_memory_than_allowed_is_named_as_such() {
    for words in ["hog:400@turn2", "hog-files:400@turn2"] {
        for fault in passes(words, "--memory", "100M") {
            fault.is("limit.memory", "limit", &["memory", "100 MiB"]);
        }
    }
}

#[test]
fn a_limit_holds_whatever_a_bot_calls_itself_and_whichever_group_it_joins() {
    for words in ["odd-name hog:400@turn2", "leaves-group hog:400@turn2"] {
        for fault in passes(words, "--memory", "100M") {
            fault.is("limit.memory", "limit", &["memory", "100 MiB"]);
        }
    }
}

#[test]
fn the_memory_of_a_child_is_its_bot_s() {
    for fault in passes("hog-child:400@turn2", "--memory", "100M") {
        fault.is("limit.memory", "limit", &["memory", "100 MiB"]);
    }
}

#[test]
fn a_fork_bomb_is_named_as_such_and_leaves_nothing() {
    for fault in passes("fork-bomb:200@turn2", "--processes", "30") {
        fault.is("limit.processes", "limit", &["30"]);
    }
}

#[test]
fn threads_count_as_processes() {
    for fault in passes("thread-bomb:200@turn2", "--processes", "30") {
        fault.is("limit.processes", "limit", &["30"]);
    }
}

#[test]
fn more_processor_time_than_allowed_is_named_as_such() {
    for fault in passes("burn@turn2", "--cpu-time", "300ms") {
        fault.is("limit.cpu", "limit", &["0.3 s are allowed"]);
    }
}

#[test]
fn a_scratch_folder_that_is_full_is_named_as_such_in_many_files_or_in_one_or_in_empty_ones() {
    for words in ["fill:60@turn2", "fill-one:60@turn2", "litter@turn2", "fill-removed:60@turn2"] {
        for fault in passes(words, "--disk", "20M") {
            fault.is("limit.disk", "limit", &["scratch folder", "20 MiB"]);
        }
    }
}

#[test]
fn folders_deeper_than_any_path_are_named_as_such_and_removed() {
    for machine in Machine::ALL {
        let fault = Arena::hostile("dig@turn2").on(machine).set("--time", "none").loses();
        let fault = fault.is("limit.disk", "limit", &["32 deep"]);
        // Whatever could not be removed would be told.
        assert!(!fault.run.stderr.contains("arbiter-scratch"), "{}", fault.run.stderr);
    }
}

#[test]
fn nobody_is_accused_of_what_he_has_let_go_of() {
    for machine in [Machine::Whole, Machine::Base] {
        let arena = Arena::hostile("reuses:20@turn2").on(machine).set("--time", "none");
        arena.set("--disk", "30M").accepted();
    }
}

#[test]
fn more_standard_error_than_allowed_is_named_as_such() {
    for fault in passes("stderr-endless@turn2", "--output", "5M") {
        fault.is("limit.output", "limit", &["standard error", "5242880"]);
    }
}

#[test]
fn what_is_within_the_limits_is_no_fault_and_none_lifts_them() {
    let within = "hog-nothing fork-child stderr-flood@turn2";
    Arena::hostile(within).set("--memory", "200M").set("--processes", "20").set("--output", "20M").accepted();
    let free = Arena::hostile("stderr-flood@turn2").set("--memory", "none").set("--processes", "none");
    free.set("--disk", "none").set("--output", "none").accepted();
}

#[test]
fn limits_hold_without_a_sandbox_where_they_are_asked_for() {
    let arena = Arena::hostile("hog:400@turn2").set("--time", "none").set("--sandbox", "off");
    arena.set("--memory", "100M").loses().is("limit.memory", "limit", &["100 MiB"]);
}

#[test]
fn a_registry_s_limit_goes_before_the_command_line_s_and_a_wrong_one_is_refused() {
    let arena =
        Arena::hostile("hog:400@turn2").entry("memory = \"100M\"\nprocesses = 30\ncpu-time = \"60s\"\n");
    arena.set("--time", "none").set("--memory", "none").loses().is("limit.memory", "limit", &["100 MiB"]);
    let run = Arena::hostile("").set("--memory", "lots").play();
    assert_eq!(run.exit, 2, "{}", run.stderr);
    assert!(run.stderr.contains("memory lots: it takes a size"), "{}", run.stderr);
}

/// The work that each side did on the core of their game, Red's by sixteen processes that never rest, Blue's before each
/// of its moves; and whether a core is shared out between them, as the event says.
fn pieces(sandbox: &str) -> ([u64; 2], bool) {
    let arena = Arena::new().bot("toils", "toils:16").bot("works", "toil:300ms");
    let run = arena.set("--max-plies", "8").flag("--wire").set("--sandbox", sandbox).accepted();
    let done = ["red", "blue"].map(|side| {
        let wire = run.text(&format!("wire/1.1.1-{side}.txt"));
        let of_line = |line: &str| line.strip_prefix("< info ")?.strip_suffix(" pieces")?.parse::<u64>().ok();
        wire.lines().filter_map(of_line).sum()
    });
    let event: serde_json::Value = serde_json::from_str(&run.text("event.json")).expect("JSON");
    let layers = event["bots"][1]["confinement"].as_array().expect("a list");
    (done, layers.iter().any(|l| l["layer"] == "share" && l["in_force"] == true))
}

#[test]
fn a_bot_that_takes_all_it_can_of_a_core_leaves_its_opponent_half_of_it() {
    let (unshared, shared) = (pieces("off"), pieces("try"));
    assert!(!unshared.1, "without a sandbox: this shows nothing");
    if !shared.1 {
        // Ordinary users, and containers, may have no controller.
        return eprintln!("no cgroup shares out a core here: this shows nothing");
    }
    // Half instead of a seventeenth; whatever else the machine does takes from both, and from both runs.
    let ([red, blue], [free_red, free_blue]) = (shared.0, unshared.0);
    assert!(
        blue * free_red > 3 * red * free_blue,
        "{blue} pieces of work beside {red}, {free_blue} beside {free_red} without a sandbox"
    );
}

/// The milliseconds that a process of Red's counted between its moves, while Blue thought for 300 of them each time.
fn beats(machine: Machine, words: &str, freeze: bool) -> u64 {
    let arena = Arena::new().bot("beats", words).bot("slow", "slow:300ms").on(machine);
    let arena = arena.set("--max-plies", "8").flag("--wire");
    let run = if freeze { arena.flag("--freeze") } else { arena }.accepted();
    let wire = run.text("wire/1.1.1-red.txt");
    wire.lines().filter_map(|l| l.strip_prefix("< info ")?.strip_suffix(" beats")?.parse::<u64>().ok()).sum()
}

#[test]
fn a_frozen_bot_s_whole_tree_stands_still_while_its_opponent_thinks() {
    for machine in [Machine::Whole, Machine::Base] {
        let free = beats(machine, "beats", false);
        for words in ["beats", "beats odd-name", "beats wakes"] {
            let frozen = beats(machine, words, true);
            assert!(frozen * 3 < free, "{machine:?}, {words}: {frozen} frozen, {free} free");
        }
    }
}

#[test]
fn a_frozen_bot_that_ignores_everything_is_gone_with_the_run() {
    for machine in [Machine::Whole, Machine::Base] {
        let words = "ignore-quit ignore-term fork-child:setsid exit@turn2";
        let arena =
            Arena::new().bot("exits", words).bot("stubborn", "ignore-quit ignore-term fork-child:setsid");
        let run = arena.on(machine).flag("--freeze").set("--games", "4").play();
        assert_eq!((run.exit, run.games.len()), (0, 4), "{}", run.stderr);
    }
}

#[test]
fn a_process_that_left_its_session_and_wiped_its_environment_is_gone_with_the_run() {
    for machine in Machine::ALL {
        Arena::hostile("fork-child:wiped").on(machine).accepted();
        let fault = Arena::hostile("fork-child:wiped crash@turn2").on(machine).loses();
        fault.is("process.exit", "process", &["SIGABRT"]);
    }
}

#[test]
fn a_process_whose_parent_exited_at_once_is_gone_with_the_run() {
    for machine in Machine::ALL {
        Arena::hostile("fork-child:twice").on(machine).accepted();
    }
    Arena::hostile("fork-child:twice").set("--sandbox", "off").accepted();
}

#[test]
fn the_time_for_which_a_bot_was_stopped_is_not_charged() {
    for machine in [Machine::Whole, Machine::Base] {
        let arena = Arena::new().bot("stands", "beats").bot("slow", "slow:400ms").on(machine);
        let run = arena.set("--max-plies", "8").flag("--freeze").accepted();
        let used = |side: usize| run.games[0].us.iter().skip(side).step_by(2).sum::<u64>();
        // Red answers at once, and stood still for all of Blue's time.
        assert!(used(0) * 2 < used(1), "{machine:?}: {:?}", run.games[0].us);
    }
}
