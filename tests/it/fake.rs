//! The fake bot's program, built where it is not.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of the fake bot. `cargo test --test it` alone does not build examples, so this does.
pub fn fake_bot() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let this = std::env::current_exe().unwrap();
        let profile = this.parent().unwrap().parent().unwrap();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--example", "fake-bot"]).current_dir(env!("CARGO_MANIFEST_DIR"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the fake bot does not build");
        profile.join("examples/fake-bot")
    })
}
