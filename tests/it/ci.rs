//! What people copy into their CI: the steps of action.yml and of ci/gitlab.yml run as their runners would run them,
//! and the shell recipe. Building is left out: a `cargo` that stands in for the real one installs this build.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::fake::fake_bot;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A workspace with a bot in it, and a `cargo` that writes down how it was called.
struct Workspace {
    dir: TempDir,
}

impl Workspace {
    fn new(bot: &str) -> Workspace {
        let dir = TempDir::new().unwrap();
        let workspace = Workspace { dir };
        fs::create_dir(workspace.path("tools")).unwrap();
        // Its sandbox lets a bot have what lies beside it.
        fs::copy(fake_bot(), workspace.path("fake-bot")).unwrap();
        workspace.script("mybot", &format!("#!/bin/sh\nexec ./fake-bot {bot}\n"));
        // Without --root it installs where programs are found.
        let cargo = format!(
            "#!/bin/sh\necho \"$@\" >> {}\nwhile [ $# -gt 0 ] && [ \"$1\" != --root ]; do shift; done\nbin=${{2:+$2/bin}}\nmkdir -p \"${{bin:={}}}\"\nln -sf {} \"$bin/arbiter\"\n",
            workspace.path("cargo-calls").display(),
            workspace.path("tools").display(),
            env!("CARGO_BIN_EXE_arbiter")
        );
        workspace.script("tools/cargo", &cargo);
        workspace.script("tools/rustup", "#!/bin/sh\n");
        workspace
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn script(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
        fs::set_permissions(self.path(name), PermissionsExt::from_mode(0o755)).unwrap();
    }

    fn run(&self, program: &str, args: &[&str]) -> Output {
        let path = format!("{}:{}", self.path("tools").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(program);
        for name in ["GITHUB_ACTIONS", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "REPORTS", "ARBITER"] {
            command.env_remove(name);
        }
        command.args(args).env("PATH", path).current_dir(self.dir.path()).output().unwrap()
    }

    /// Runs the steps of a CI system.
    fn steps(&self, system: &str, given: &[&str]) -> (i32, Value, String) {
        self.steps_of(root(), self.dir.path(), system, given)
    }

    fn steps_of(&self, tree: &Path, here: &Path, system: &str, given: &[&str]) -> (i32, Value, String) {
        let has = |python: &&&str| {
            Command::new(python).args(["-c", "import yaml"]).output().is_ok_and(|o| o.status.success())
        };
        let python = ["/usr/bin/python3", "python3"]
            .iter()
            .find(has)
            .expect("tests/run installs python3-yaml")
            .to_owned();
        let script = root().join("tests/ci_steps.py");
        let fixed = [script.to_str().unwrap(), system, tree.to_str().unwrap(), here.to_str().unwrap()];
        let output = self.run(python, &[&fixed, given].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let known = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {told}"));
        (output.status.code().unwrap(), known, told)
    }

    fn report(&self, name: &str) -> String {
        fs::read_to_string(self.path("arbiter-report").join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn installs(&self) -> usize {
        fs::read_to_string(self.path("cargo-calls")).map_or(0, |calls| calls.lines().count())
    }
}

const FEW: &str = "--strict --only turn.answer --only handshake.*";

#[test]
fn the_steps_of_the_action_check_a_bot_and_leave_reports_annotations_and_a_summary() {
    let workspace = Workspace::new("");
    let args = format!("args={FEW}");
    let (code, known, told) = workspace.steps("github", &["bot=./mybot", &args]);
    assert_eq!((code, &known["outputs"]["passed"]), (0, &Value::from("true")), "{told}");
    let calls = fs::read_to_string(workspace.path("cargo-calls")).unwrap();
    assert!(calls.contains("install --quiet --locked --force --path"), "{calls}");
    assert!(known["summary"].as_str().unwrap().contains("## `arbiter check` mybot: ✅ passes"));
    assert!(told.contains("::notice title=arbiter check mybot::"), "{told}");
    assert!(workspace.report("junit.xml").contains("<testcase name=\"turn.answer\""));
    for name in ["sarif.json", "report.json", "report.html", "badge.svg"] {
        assert!(!workspace.report(name).is_empty());
    }
}

#[test]
fn the_steps_of_the_action_fail_where_the_bot_does() {
    let workspace = Workspace::new("say:hello");
    let args = format!("args={FEW}");
    let (code, known, told) = workspace.steps("github", &["bot=./mybot", &args]);
    assert_eq!((code, &known["outputs"]["passed"]), (1, &Value::from("false")), "{told}");
    assert!(told.contains("::error title=mybot line.unknown::"), "{told}");
    assert!(known["summary"].as_str().unwrap().contains("❌ fails"));
    // A bot that is not there leaves no report of an earlier one.
    let (code, ..) = {
        fs::remove_dir_all(workspace.path("runner-temp")).unwrap();
        workspace.steps("github", &["bot=./another", &args])
    };
    assert_eq!(code, 3);
    assert!(!workspace.path("arbiter-report/junit.xml").exists());
}

#[test]
fn the_script_of_the_gitlab_template_checks_a_bot_with_an_arbiter_of_the_ref() {
    let workspace = Workspace::new("");
    let tree = workspace.path("arbiter.git");
    fs::create_dir(&tree).unwrap();
    // A repository of the files as they are now, committed or not.
    for name in ["Cargo.toml", "Cargo.lock", "src", "protocol", "ci"] {
        symlink(root().join(name), tree.join(name)).unwrap();
    }
    fs::remove_file(tree.join("ci")).unwrap();
    fs::create_dir(tree.join("ci")).unwrap();
    for name in ["install.sh", "check.sh"] {
        fs::copy(root().join("ci").join(name), tree.join("ci").join(name)).unwrap();
    }
    let git = |args: &[&str]| {
        let who = [
            "-C",
            tree.to_str().unwrap(),
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@t",
            "-c",
            "commit.gpgsign=false",
        ];
        let output = workspace.run("git", &[&who, args].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "one"]);
    git(&["tag", "v1"]);
    let repository = format!("ARBITER_REPOSITORY={}", tree.display());
    let args = format!("CHECK_ARGS={FEW}");
    let given = ["BOT=./mybot", "ARBITER_REF=v1", &repository, &args];
    let (code, known, told) = workspace.steps("gitlab", &given);
    assert_eq!(code, 0, "{told}");
    assert_eq!(known["junit"], "arbiter-report/junit.xml");
    assert_eq!(known["cache"], serde_json::json!([".arbiter/installed"]));
    assert!(workspace.report("junit.xml").contains("<testsuites name=\"arbiter check mybot\""));
    assert_eq!(workspace.installs(), 1);
    // What the cache kept is not built again.
    let (code, _, told) = workspace.steps("gitlab", &given);
    assert_eq!((code, workspace.installs()), (0, 1), "{told}");
    assert!(told.contains("arbiter is there already"), "{told}");
}

#[test]
fn where_arbiter_comes_from_is_asked_for_in_one_place_and_its_absence_is_told() {
    let workspace = Workspace::new("");
    for (given, name) in
        [(&[][..], "ARBITER_REPOSITORY"), (&["ARBITER_REPOSITORY=x", "ARBITER_REF=v1"], "BOT")]
    {
        let (code, _, told) = workspace.steps("gitlab", given);
        assert_eq!(code, 2, "{told}");
        assert!(told.contains(&format!("{name} is not set; the job that extends .arbiter-check")), "{told}");
    }
    // The workflow that a new bot comes with runs in the bot's own folder.
    let made = workspace.run(env!("CARGO_BIN_EXE_arbiter"), &["new-bot", "python", "Newcomer"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let bot = workspace.path("Newcomer");
    let (code, _, told) = workspace.steps_of(&bot, &bot, "workflow", &[]);
    assert_eq!((code, workspace.installs()), (2, 0), "{told}");
    assert!(told.contains("::ARBITER_GIT is not set in .github/workflows/check.yml"), "{told}");
    let (code, _, told) =
        workspace.steps_of(&bot, &bot, "workflow", &["ARBITER_GIT=https://example.org/arbiter"]);
    assert_eq!((code, workspace.installs()), (0, 1), "{told}");
    assert!(told.contains("passes strictly"), "{told}");
}

#[test]
fn the_shell_recipe_tells_people_and_fails_with_the_bot() {
    let workspace = Workspace::new("nameless");
    let install = root().join("ci/install.sh");
    let check = root().join("ci/check.sh");
    let output = workspace.run(install.to_str().unwrap(), &["cache"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let with = |args: &[&str]| {
        let arbiter = format!("ARBITER={}", workspace.path("cache/bin/arbiter").display());
        workspace.run(
            "env",
            &[&[&*arbiter, check.to_str().unwrap(), "./mybot", "--only", "handshake.*"], args].concat(),
        )
    };
    let output = with(&[]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("mybot passes: "));
    assert_eq!(with(&["--strict"]).status.code(), Some(1));
}
