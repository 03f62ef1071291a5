//! `cargo bench --bench convert`: what `arbiter convert` costs beside reading and parsing the same files.
//!
//! Lines: `NAME ours=… reference=… ratio=…`, in thousand files a second; the ratio is reference over ours, so that 2
//! says half as fast, and at most 2 is wanted. The input is a folder of 10,000 UCC logs; `convert_10k` writes as many
//! XML files, `convert_10k_plain` one file of plain lines. The reference reads and parses the same files in this
//! process, on one thread. Both in turn, medians. All files lie in memory (/dev/shm) where there is such a place: for
//! minutes after files were removed, as by this bench the last time, ext4 makes each new one at many times the cost.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use arbiter::record::foreign::{Format, Games, usual_rules};

const FILES: usize = 10_000;
const ROUNDS: usize = 5;

/// The twelve real logs, again and again.
fn make(folder: &Path) {
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ucc_logs");
    let mut logs: Vec<_> = fs::read_dir(logs).unwrap().map(|e| e.unwrap().path()).collect();
    logs.sort();
    let logs: Vec<Vec<u8>> = logs.iter().map(|path| fs::read(path).unwrap()).collect();
    fs::create_dir_all(folder).unwrap();
    for n in 0..FILES {
        fs::write(folder.join(format!("{n:05}.log")), &logs[n % logs.len()]).unwrap();
    }
}

fn parse(folder: &Path) {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let mut plies = 0;
    for path in paths {
        let stream = BufReader::with_capacity(1 << 16, File::open(path).unwrap());
        for game in Games::new(Format::Ucc, stream, "game", &usual_rules) {
            plies += game.unwrap().moves.len();
        }
    }
    assert!(plies > FILES);
}

fn convert(folder: &Path, out: &Path, to: &str) {
    let done = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(["convert", "--quiet", "--to", to])
        .args([folder, out])
        .status()
        .unwrap();
    assert!(done.success());
}

#[allow(clippy::disallowed_methods)] // a bench is what a clock is for
fn seconds(work: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    work();
    begin.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    // `cargo test --benches` asks for a list or a run without measuring: there is nothing to test here.
    if std::env::args().any(|a| a == "--list" || a == "--test") {
        return;
    }
    let memory = Path::new("/dev/shm");
    let dir = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    }
    .unwrap();
    let logs = dir.path().join("logs");
    make(&logs);
    parse(&logs);
    for (name, to) in [("convert_10k", "strados2"), ("convert_10k_plain", "plain")] {
        let (mut ours, mut reference) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            let out = dir.path().join(format!("{name}-{round}"));
            if to != "plain" {
                fs::create_dir(&out).unwrap();
            }
            reference.push(seconds(|| parse(&logs)));
            ours.push(seconds(|| convert(&logs, &out, to)));
            let _ = fs::remove_dir_all(&out);
        }
        let (ours, reference) = (median(ours), median(reference));
        let rate = |time: f64| FILES as f64 / time / 1e3;
        println!(
            "{name} ours={:.1} reference={:.1} ratio={:.2}",
            rate(ours),
            rate(reference),
            ours / reference
        );
    }
}
