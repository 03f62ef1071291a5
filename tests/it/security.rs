//! A bot that cheats (tests/data/cheat.py) tries every line of what confinement is to stop, on machines that have more
//! or less of it: as root and as an ordinary user, with namespaces and without. Each attempt has a control run with
//! `--sandbox off`, in which it succeeds.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::fake::fake_bot;
use crate::machine::Machine;

/// What of a cheat's attempts a confined bot may do.
const ALLOWED: [&str; 5] = ["own-folder", "own-process", "scratch", "scratch-is-empty", "first-to-go"];

/// A folder with a cheat, its opponent, and what it must not reach.
struct Scene {
    dir: TempDir,
    tcp: TcpListener,
    udp: UdpSocket,
    _unix: [UnixListener; 2],
    _datagram: UnixDatagram,
}

impl Scene {
    fn new() -> Scene {
        let dir = tempfile::Builder::new().prefix("security-").tempdir().expect("a temp folder");
        let path = |name: &str| dir.path().join(name);
        for folder in ["", "cheat", "opponent", "home"] {
            fs::create_dir_all(path(folder)).expect("a folder");
            // The ordinary user is to be stopped by the sandbox, not by the owner of a folder.
            fs::set_permissions(path(folder), fs::Permissions::from_mode(0o777)).expect("its mode");
        }
        let cheat = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cheat.py");
        fs::copy(cheat, path("cheat/cheat.py")).expect("the cheat");
        fs::write(path("opponent/weights.txt"), "a secret").expect("a file");
        fs::write(path("home/diary.txt"), "a secret").expect("a file");
        let unix = UnixListener::bind(path("helper.sock")).expect("a socket");
        fs::set_permissions(path("helper.sock"), fs::Permissions::from_mode(0o777)).expect("its mode");
        let datagram = UnixDatagram::bind(path("helper.datagrams")).expect("a socket");
        fs::set_permissions(path("helper.datagrams"), fs::Permissions::from_mode(0o777)).expect("its mode");
        let name = path("helper").display().to_string();
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let abstract_ = UnixListener::bind_addr(&address).expect("an abstract socket");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
        let scene = Scene { tcp, udp, _unix: [unix, abstract_], _datagram: datagram, dir };
        scene.registry("/usr/bin/python3", "cheat", "cheat.py");
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The cheat is this script in this folder of its own.
    fn registry(&self, python: &str, dir: &str, script: &str) {
        let paths = |names: &[&str]| names.iter().map(|n| self.path(n)).collect::<Vec<_>>();
        let target = json!({
            "results": paths(&["event/games.jsonl", "event/event.json"]),
            "opponent": paths(&["opponent/weights.txt"]),
            "home": paths(&["home/diary.txt"]),
            "names": paths(&["bots.toml"]),
            "write": paths(&["cheat", "opponent", "home", "event", ""]),
            "tcp": self.tcp.local_addr().expect("its port").port(),
            "udp": self.udp.local_addr().expect("its port").port(),
            "unix": self.path("helper.sock"),
            "datagram": self.path("helper.datagrams"),
            "abstract": self.path("helper"),
        });
        let registry = format!(
            "[bots.cheat]\nargv = [{python:?}, {script:?}, {:?}]\ndir = {dir:?}\n\
             [bots.opponent]\nargv = [{:?}]\ndir = \"opponent\"\n",
            target.to_string(),
            fake_bot().display().to_string()
        );
        fs::write(self.path("bots.toml"), registry).expect("a registry");
    }

    fn run(&self, machine: Machine, args: &[&str]) -> Output {
        let mut command = machine.command(Path::new(env!("CARGO_BIN_EXE_arbiter")));
        command
            .args(args)
            .current_dir(self.dir.path())
            .env("SECRET_OF_THE_ARBITER", "yes")
            .env("NO_COLOR", "1")
            .env_remove("ARBITER_LOG")
            .stdin(Stdio::null());
        command.output().expect("the arbiter can be run")
    }

    /// Lets the cheat play two games.
    fn cheat(&self, machine: Machine, sandbox: &str) -> Cheated {
        let args = ["play", "cheat", "opponent", "--games", "2", "--rules", "barrage", "--move-time", "600s"];
        let output = self
            .run(machine, &[&args[..], &["--sandbox", sandbox, "--seed", "3", "--out", "event"]].concat());
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(0), "{machine:?}: {said}");
        Cheated { said, ..self.cheated() }
    }

    /// What the cheat of a run came to.
    fn cheated(&self) -> Cheated {
        let event = fs::read_to_string(self.path("event/event.json")).expect("event.json");
        let event: Value = serde_json::from_str(&event).expect("JSON");
        let layer = |l: &Value| {
            let text = |key: &str| l[key].as_str().expect("a text").to_owned();
            (text("layer"), (l["in_force"].as_bool().expect("yes or no"), text("how")))
        };
        let layers = event["bots"][0]["confinement"].as_array().expect("a list").iter().map(layer).collect();
        let mut attempts = BTreeMap::new();
        for side in ["red", "blue"] {
            let Ok(text) = fs::read_to_string(self.path(&format!("event/stderr/1.1.2-{side}.txt"))) else {
                continue;
            };
            for line in text.lines().filter_map(|line| line.strip_prefix("cheat ")) {
                let (name, seen) = line.split_once(' ').expect("a name and what came of it");
                attempts.insert(name.to_owned(), (seen.starts_with("yes"), seen.to_owned()));
            }
        }
        assert!(attempts.len() > 15, "the cheat did not try: {attempts:?}");
        Cheated { attempts, layers, said: String::new() }
    }
}

/// What a run of the cheat came to.
struct Cheated {
    attempts: BTreeMap<String, (bool, String)>,
    /// The layers of the cheat's confinement.
    layers: BTreeMap<String, (bool, String)>,
    said: String,
}

fn cheat(machine: Machine, sandbox: &str, python: &str) -> Cheated {
    let scene = Scene::new();
    scene.registry(python, "cheat", "cheat.py");
    scene.cheat(machine, sandbox)
}

/// The cheat's runs under the default sandbox, a machine each.
fn confined(machine: Machine) -> &'static Cheated {
    static RUNS: [OnceLock<Cheated>; 4] = [const { OnceLock::new() }; 4];
    let at = Machine::ALL.iter().position(|&m| m == machine).expect("it is one of them");
    RUNS[at].get_or_init(|| cheat(machine, "try", "/usr/bin/python3"))
}

/// The control run.
fn unconfined() -> &'static Cheated {
    static RUN: OnceLock<Cheated> = OnceLock::new();
    RUN.get_or_init(|| cheat(Machine::Ordinary, "off", "/usr/bin/python3"))
}

/// An attempt fails wherever the cheat is confined, and succeeds where it is not.
#[track_caller]
fn is_stopped(attempt: &str) {
    let (succeeded, seen) = &unconfined().attempts[attempt];
    assert!(succeeded, "{attempt} fails without a sandbox, so it shows nothing: {seen}");
    for machine in Machine::ALL {
        let run = confined(machine);
        let (succeeded, seen) = &run.attempts[attempt];
        assert!(!succeeded, "{machine:?}: {attempt}: {seen}\nlayers: {:?}", run.layers);
    }
}

#[test]
fn the_memory_of_the_arbiter_and_of_the_other_bot_cannot_be_read() {
    is_stopped("memory");
    is_stopped("vm_read");
}

#[test]
fn the_environment_of_the_arbiter_cannot_be_read() {
    is_stopped("environment");
}

#[test]
fn the_open_files_of_the_arbiter_and_of_the_other_bot_cannot_be_listed() {
    is_stopped("descriptors");
}

#[test]
fn the_command_line_of_the_arbiter_cannot_be_read() {
    is_stopped("command-line");
}

#[test]
fn nobody_is_traced() {
    is_stopped("ptrace");
}

#[test]
fn the_results_of_a_running_event_cannot_be_read() {
    is_stopped("results");
}

#[test]
fn the_folder_of_the_other_bot_cannot_be_read() {
    is_stopped("opponent");
}

#[test]
fn files_in_a_home_folder_cannot_be_read() {
    is_stopped("home");
}

#[test]
fn the_registry_that_names_the_opponent_cannot_be_read() {
    is_stopped("names");
}

#[test]
fn its_opponent_s_path_is_not_told_by_what_lies_beside_its_folder_nor_by_what_is_mounted() {
    is_stopped("beside");
}

#[test]
fn what_is_the_event_s_or_another_bot_s_is_hidden_even_inside_of_its_own_folder() {
    for machine in Machine::ALL {
        let scene = Scene::new();
        // A careless registry: its folder is the one that holds everything.
        scene.registry("/usr/bin/python3", ".", "cheat/cheat.py");
        let run = scene.cheat(machine, "try");
        for (attempt, allowed) in [("results", false), ("opponent", false), ("names", false), ("home", true)]
        {
            let (succeeded, seen) = &run.attempts[attempt];
            assert_eq!(*succeeded, allowed, "{machine:?}: {attempt}: {seen}");
        }
    }
}

#[test]
fn nothing_can_be_written_outside_of_the_scratch_folder() {
    is_stopped("write");
}

#[test]
fn the_modes_owners_times_and_attributes_of_files_outside_cannot_be_changed() {
    is_stopped("mode");
    is_stopped("owner");
    is_stopped("times");
    is_stopped("attribute");
    is_stopped("by-descriptor");
}

#[test]
fn no_file_is_made_that_lifts_whoever_runs_it_to_its_owner() {
    is_stopped("lifted");
}

#[test]
fn the_processor_time_of_others_cannot_be_asked_for() {
    is_stopped("clock");
}

#[test]
fn neither_a_narrow_pipe_nor_processes_beside_its_tree_can_be_had() {
    is_stopped("narrow");
    is_stopped("leave-orphans");
}

#[test]
fn what_happens_in_a_folder_outside_cannot_be_watched() {
    is_stopped("watch");
}

#[test]
fn no_file_can_be_leased_to_hold_up_who_opens_it() {
    is_stopped("lease");
}

#[test]
fn neither_priority_nor_scheduler_nor_limits_of_others_can_be_changed() {
    is_stopped("priority");
    is_stopped("priority-of-user");
    is_stopped("scheduler");
    is_stopped("limit");
}

#[test]
fn a_bot_cannot_take_itself_out_of_its_end_with_the_arbiter() {
    is_stopped("untie");
}

#[test]
fn where_memory_runs_out_bots_go_first_and_cannot_change_that() {
    is_stopped("stay");
    for machine in Machine::ALL {
        assert!(confined(machine).attempts["first-to-go"].0, "{machine:?}");
    }
    assert!(!unconfined().attempts["first-to-go"].0);
}

#[test]
fn a_helper_is_not_reached_by_tcp() {
    is_stopped("tcp");
}

#[test]
fn a_helper_is_not_reached_by_udp() {
    is_stopped("udp");
}

#[test]
fn a_helper_is_not_reached_by_a_unix_socket_of_any_kind() {
    is_stopped("unix");
    is_stopped("abstract");
    is_stopped("reconnect");
    is_stopped("bind");
}

#[test]
fn no_signal_reaches_the_arbiter_or_the_other_bot() {
    is_stopped("signal");
}

#[test]
fn system_calls_that_no_bot_needs_are_refused() {
    is_stopped("calls");
}

#[test]
fn a_confined_bot_has_its_own_folder_its_own_process_and_an_empty_scratch_folder() {
    for machine in Machine::ALL {
        for attempt in ALLOWED {
            let (succeeded, seen) = &confined(machine).attempts[attempt];
            assert!(succeeded, "{machine:?}: {attempt}: {seen}");
        }
    }
}

#[test]
fn the_event_and_its_header_say_which_layers_are_in_force_and_why_others_are_not() {
    for machine in Machine::ALL {
        let run = confined(machine);
        for base in ["privileges", "files", "calls", "rlimits"] {
            assert!(run.layers[base].0, "{machine:?}: {base}: {:?}", run.layers);
        }
        let spaces = matches!(machine, Machine::Whole | Machine::Ordinary);
        for space in ["pids", "proc", "hidden", "net", "ipc"] {
            assert_eq!(run.layers[space].0, spaces, "{machine:?}: {space}: {:?}", run.layers);
        }
        let root = rustix::process::geteuid().is_root();
        let own_user = root && matches!(machine, Machine::Whole | Machine::WithoutSpaces);
        assert_eq!(run.layers["user"].0, own_user, "{machine:?}: {:?}", run.layers);
        assert!(run.said.contains("confined by privileges, files, calls"), "{}", run.said);
        for (layer, (in_force, how)) in &run.layers {
            assert!(*in_force || run.said.contains(&format!("{layer} ({how})")), "{layer}: {}", run.said);
        }
    }
    assert!(unconfined().layers.is_empty());
    assert!(unconfined().said.contains("not confined (--sandbox off)"), "{}", unconfined().said);
}

#[test]
fn an_interpreter_in_a_private_home_keeps_its_bot_s_user_and_the_cheat_is_stopped_all_the_same() {
    // Wherever python3 lives here: behind a shim in root's home, or in /usr.
    let run = cheat(Machine::Whole, "try", "python3");
    for (attempt, (succeeded, seen)) in &run.attempts {
        let allowed = ALLOWED.contains(&&**attempt);
        assert_eq!(*succeeded, allowed, "{attempt}: {seen}\n{:?}", run.layers);
    }
}

#[test]
fn require_refuses_to_start_without_the_base_and_says_what_is_missing() {
    let scene = Scene::new();
    let mut command = Command::new(fake_bot());
    command.args(["without", "landlock", env!("CARGO_BIN_EXE_arbiter"), "play", "cheat", "opponent"]);
    command.args(["--sandbox", "require", "--rules", "barrage"]).current_dir(scene.dir.path());
    let output = command.output().expect("the arbiter can be run");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    for words in
        ["--sandbox require", "files: this kernel has no Landlock", "CONFIG_SECURITY_LANDLOCK", "doctor"]
    {
        assert!(said.contains(words), "`{words}` is missing in {said}");
    }
    assert!(!scene.path("results").exists(), "a refused run leaves nothing");
    let output = scene.run(Machine::Whole, &["play", "opponent", "opponent", "--sandbox", "require"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn nothing_that_the_arbiter_inherited_is_open_in_a_bot() {
    // A shell opens a file for the arbiter, as a careless script would.
    let scene = Scene::new();
    let bot = scene.path("cheat/lists.sh");
    fs::write(&bot, "ls -l /proc/self/fd >&2\nexit 9\n").expect("a script");
    let script = format!(
        "exec 9<home/diary.txt; exec {} play ./cheat/lists.sh opponent --rules barrage --sandbox \"$0\"",
        env!("CARGO_BIN_EXE_arbiter")
    );
    for (sandbox, seen) in [("try", false), ("off", true)] {
        let output = Command::new("sh").args(["-c", &script, sandbox]).current_dir(scene.dir.path()).output();
        let said = String::from_utf8_lossy(&output.expect("a shell").stderr).into_owned();
        assert!(said.contains("status 9"), "{said}");
        assert_eq!(said.contains("diary"), seen, "{sandbox}: {said}");
    }
}

#[test]
fn a_bot_whose_sandbox_keeps_a_file_s_mode_is_told_so() {
    let scene = Scene::new();
    fs::write(scene.path("cheat/sets.sh"), "chmod 600 \"$TMPDIR\" || exit 9\n").expect("a script");
    let args = ["play", "./cheat/sets.sh", "opponent", "--rules", "barrage", "--sandbox"];
    for (sandbox, told) in [("try", true), ("off", false)] {
        let output = scene.run(Machine::Whole, &[&args[..], &[sandbox]].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert_eq!(said.contains("the modes, owners, times and attributes of files stay"), told, "{said}");
    }
}

#[test]
fn doctor_finds_out_what_the_machine_has_and_names_what_to_switch_on() {
    let doctor = |command: &mut Command| {
        let output = command.args(["doctor", "--json"]).output().expect("the arbiter can be run");
        let said: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (output.status.code(), said)
    };
    let layer = |said: &Value, name: &str| {
        let layers = said["layers"].as_array().expect("a list").clone();
        layers.into_iter().find(|l| l["layer"] == name).expect("a layer")
    };
    for machine in Machine::ALL {
        let (code, said) = doctor(&mut machine.command(Path::new(env!("CARGO_BIN_EXE_arbiter"))));
        assert_eq!((code, &said["base"]), (Some(0), &json!(true)), "{said}");
        // What it finds is what a bot is confined by.
        for (name, (in_force, _)) in &confined(machine).layers {
            assert_eq!(layer(&said, name)["offered"], json!(in_force), "{machine:?}: {name}: {said}");
        }
    }
    let mut poor = Command::new(fake_bot());
    let (code, said) = doctor(poor.args(["without", "landlock", env!("CARGO_BIN_EXE_arbiter")]));
    assert_eq!((code, &said["missing"]), (Some(1), &json!(["files"])), "{said}");
    let files = layer(&said, "files");
    assert!(files["advice"].as_str().expect("an advice").contains("CONFIG_SECURITY_LANDLOCK"), "{files}");
    let output = Command::new(env!("CARGO_BIN_EXE_arbiter")).arg("doctor").output().expect("it can be run");
    assert!(String::from_utf8_lossy(&output.stdout).contains("The base is complete"));
}

#[test]
fn where_proc_cannot_be_mounted_a_bot_is_confined_without_and_still_knows_itself() {
    let scene = Scene::new();
    let mut command = Command::new(fake_bot());
    command.args(["without", "mount", env!("CARGO_BIN_EXE_arbiter"), "play", "cheat", "opponent"]);
    let args = ["--games", "2", "--rules", "barrage", "--seed", "3", "--move-time", "600s", "--out", "event"];
    let output = command.args(args).current_dir(scene.dir.path()).output().expect("the arbiter can be run");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let run = scene.cheated();
    assert!(run.layers["pids"].0 && !run.layers["proc"].0, "{:?}", run.layers);
    for (attempt, (succeeded, seen)) in &run.attempts {
        let allowed = ALLOWED.contains(&&**attempt);
        assert_eq!(*succeeded, allowed, "{attempt}: {seen}\n{:?}", run.layers);
    }
}

#[test]
fn bots_in_python_node_java_and_c_play_confined() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scene = Scene::new();
    let make = |command: &mut Command| {
        let status = command.current_dir(scene.dir.path()).status();
        assert!(status.expect("tests/run installs what is missing").success(), "{command:?}");
    };
    for folder in ["java", "c"] {
        fs::create_dir(scene.path(folder)).expect("a folder");
    }
    make(Command::new("javac").args(["-d", "java"]).arg(root.join("tests/data/bots/Ten.java")));
    make(Command::new("cc").args(["-O1", "-o", "c/probe"]).arg(root.join("sample-bots/c/probe.c")));
    for (from, to) in
        [("javascript/guard.js", "node/guard.js"), ("random-python/random_mover.py", "py/mover.py")]
    {
        fs::create_dir(scene.path(to).parent().expect("a folder")).expect("a folder");
        fs::copy(root.join("sample-bots").join(from), scene.path(to)).expect("a sample bot");
    }
    let registry = "[bots.python]\nargv = [\"python3\", \"mover.py\"]\ndir = \"py\"\n\
                    [bots.node]\nargv = [\"node\", \"guard.js\"]\ndir = \"node\"\n\
                    [bots.java]\nargv = [\"java\", \"Ten\"]\ndir = \"java\"\n\
                    [bots.c]\nargv = [\"./probe\"]\ndir = \"c\"\n";
    fs::write(scene.path("bots.toml"), registry).expect("a registry");
    let args = ["--rules", "barrage", "--games", "1", "--move-time", "60s", "--sandbox", "require"];
    let bots =
        ["tournament", "--bot", "python", "--bot", "node", "--bot", "java", "--bot", "c", "--out", "event"];
    let output = scene.run(Machine::Whole, &[&bots[..], &args].concat());
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let games = fs::read_to_string(scene.path("event/games.jsonl")).expect("a journal");
    assert_eq!((games.lines().count(), games.matches("\"faults\":[{").count()), (6, 0), "{said}\n{games}");
}
