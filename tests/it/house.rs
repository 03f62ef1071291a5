//! The house's own rules: which module may use which, and what the core must not name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Who may use whom: the table of ARCHITECTURE.md.
const MAY_USE: &[(&str, &[&str])] = &[
    ("game", &[]),
    ("clock", &[]),
    ("protocol", &["game", "clock"]),
    ("referee", &["game", "clock", "protocol"]),
    ("rating", &[]),
    ("tournament", &["rating"]),
    ("record", &["game", "clock", "protocol", "referee", "rating", "tournament"]),
    ("report", &["game", "rating", "tournament", "record"]),
    ("process", &["protocol"]),
    (
        "runtime",
        &["game", "clock", "protocol", "referee", "rating", "tournament", "record", "report", "process"],
    ),
    ("check", &["game", "clock", "protocol", "referee", "tournament", "process", "runtime"]),
    (
        "cli",
        &[
            "game",
            "clock",
            "protocol",
            "referee",
            "rating",
            "tournament",
            "record",
            "report",
            "process",
            "runtime",
            "check",
        ],
    ),
];

/// The modules without I/O, clock or chance.
const CORE: &[&str] = &["game", "clock", "protocol", "referee", "rating", "tournament"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| rust_files(entry, files));
    } else if path.extension().is_some_and(|e| e == "rs") {
        files.push(path.to_owned());
    }
}

/// Each module's files with their text.
fn modules() -> BTreeMap<String, Vec<(PathBuf, String)>> {
    let mut modules: BTreeMap<String, Vec<(PathBuf, String)>> = BTreeMap::new();
    let src = root().join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    for file in files {
        let inside = file.strip_prefix(&src).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(&file).unwrap();
        modules.entry(module).or_default().push((file, text));
    }
    modules
}

/// The lines of code of a text: comments left out.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split("//").next().unwrap_or_default())
}

#[test]
fn modules_use_only_what_the_table_lets_them() {
    let modules = modules();
    let known: BTreeSet<&str> = MAY_USE.iter().map(|(m, _)| *m).collect();
    let found: BTreeSet<&str> =
        modules.keys().map(String::as_str).filter(|m| !["lib", "main"].contains(m)).collect();
    assert_eq!(found, known, "a module is missing in the table, or in src");
    for (module, allowed) in MAY_USE {
        for (path, text) in &modules[*module] {
            for line in code(text) {
                for used in line.split("crate::").skip(1) {
                    let used: String =
                        used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    assert!(
                        used == *module || allowed.contains(&used.as_str()),
                        "{}: {module} must not use {used}: {line}",
                        path.display()
                    );
                }
            }
        }
    }
}

#[test]
fn the_table_of_the_architecture_is_the_one_that_is_enforced() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for (module, allowed) in MAY_USE {
        let row = text
            .lines()
            .find(|line| line.starts_with(&format!("| `{module}` |")))
            .unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {module}"));
        let last = row.trim_end_matches('|').rsplit('|').next().unwrap().trim();
        let expected = match *module {
            "runtime" | "cli" => "everything above".to_owned(),
            _ if allowed.is_empty() => "nothing".to_owned(),
            _ => allowed.join(", "),
        };
        assert_eq!(last, expected, "{module}");
    }
}

#[test]
fn the_core_names_no_clock_no_file_no_process_and_no_chance() {
    let banned = [
        "tokio",
        "Instant",
        "SystemTime",
        "std::fs",
        "std::io",
        "std::process",
        "std::thread",
        "std::env",
        "rand::",
        "RandomState",
        "println!",
        "tracing",
    ];
    let modules = modules();
    for module in CORE {
        for (path, text) in &modules[*module] {
            for line in code(text) {
                for word in banned {
                    assert!(!line.contains(word), "{}: {word} in the core: {line}", path.display());
                }
            }
        }
    }
}

#[test]
fn what_a_check_concludes_is_apart_from_how_bots_are_driven() {
    for (path, text) in &modules()["check"] {
        if path.components().any(|part| part.as_os_str() == "drive") {
            continue;
        }
        for line in code(text) {
            for word in
                ["tokio", "crate::process", "crate::runtime", "std::fs", "std::thread", "std::env", "Instant"]
            {
                assert!(!line.contains(word), "{}: {word} outside check/drive: {line}", path.display());
            }
        }
    }
}

#[test]
fn every_clause_of_the_code_stands_in_the_specification() {
    let spec = fs::read_to_string(root().join("protocol/SPEC.md")).unwrap();
    for clause in arbiter::protocol::Clause::ALL {
        assert!(spec.contains(&format!("[{clause}]")), "SPEC.md has no clause [{clause}]");
        assert!(
            spec.contains(&format!("| `{clause}` |"))
                && spec.contains(&format!("| `{}` |\n", clause.reason())),
            "SPEC.md's table of faults lacks {clause} with reason {}",
            clause.reason()
        );
    }
    for illegal in arbiter::game::Illegal::ALL {
        assert_eq!(arbiter::protocol::Clause::from(illegal).slug(), illegal.clause());
    }
}

#[test]
fn every_line_of_the_cases_names_tests_and_each_of_them_exists() {
    let text = fs::read_to_string(root().join("docs/cases.md")).unwrap();
    let is_test = |named: &str| {
        let (module, name) = named.rsplit_once("::").unwrap();
        let places = [format!("tests/it/{module}.rs"), format!("src/{module}.rs")];
        let code = places.iter().find_map(|place| fs::read_to_string(root().join(place)).ok());
        let code = code.unwrap_or_else(|| panic!("docs/cases.md: there is no module for {named}"));
        let lines: Vec<&str> = code.lines().map(str::trim).collect();
        let head = format!("fn {name}");
        let at = lines.iter().position(|line| line.split('(').next() == Some(&head));
        // Between a test and its attribute there may be others, and words.
        at.is_some_and(|at| lines[at.saturating_sub(4)..at].contains(&"#[test]"))
    };
    let mut rows = 0;
    for line in text.lines().filter(|line| line.starts_with("| ") && !line.ends_with(" tests |")) {
        let named: Vec<&str> = line.split('`').filter(|word| word.contains("::")).collect();
        assert!(!named.is_empty(), "docs/cases.md: no test in the line {line}");
        rows += 1;
        for named in named {
            assert!(is_test(named), "docs/cases.md: there is no test {named}");
        }
    }
    assert!(rows > 40, "{rows}");
}
