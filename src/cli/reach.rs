//! What of the files belongs to a bot: its folder, its interpreter, and what its organiser grants it; and what must
//! stay hidden from it though it lies there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::bots::{executable, in_path};
use crate::process::{Confinement, Sandbox};

/// What every program may read (`process/confine/files.rs` grants them).
const SYSTEM: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store"];

/// What a registry grants a bot.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// To read, with all below.
    pub read: &'a [PathBuf],
    /// To write, with all below.
    pub write: &'a [PathBuf],
    /// For a scratch folder that lasts.
    pub scratch: Option<&'a Path>,
}

/// What belongs to a bot. All paths are canonical.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Its own folder, or those of its files.
    folders: Vec<PathBuf>,
    /// Its own program and file arguments.
    files: Vec<PathBuf>,
    /// Where its interpreter lives, outside of the system's folders.
    interpreter: Vec<PathBuf>,
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    scratch: Option<PathBuf>,
}

impl Reach {
    /// Finds out. `named` is the path by which its program was found, before links were followed.
    pub fn new(
        program: &Path,
        named: &Path,
        argv: &[String],
        dir: &Path,
        dir_given: bool,
        wish: &Wish<'_>,
    ) -> Result<Reach, String> {
        let mut reach = Reach::default();
        for at in [named, program] {
            let real = fs::canonicalize(at).unwrap_or_else(|_| at.to_owned());
            if is_system(at) && is_system(&real) {
                continue;
            }
            match prefix(at) {
                // A shim of which nobody could tell what is behind it needs all of its manager.
                Some(prefix) => reach.interpreter.push(prefix),
                None => reach.files.push(real),
            }
        }
        let given = argv.iter().skip(1).map(|arg| dir.join(arg)).filter(|path| path.is_file());
        reach.files.extend(given.filter_map(|path| fs::canonicalize(path).ok()));
        if dir_given && !is_wide(dir) {
            reach.folders.push(dir.to_owned());
        } else {
            let parents = reach.files.iter().filter_map(|file| file.parent()).map(Path::to_owned);
            reach.folders.extend(parents.filter(|parent| !is_wide(parent) && !is_system(parent)));
            // What is no file is found from the folder it runs in, as Java finds its classes.
            let folders = argv.iter().skip(1).map(|arg| dir.join(arg)).filter(|path| path.is_dir());
            let folders = folders.filter_map(|path| fs::canonicalize(path).ok());
            reach.folders.extend(folders.filter(|folder| !is_wide(folder) && !is_system(folder)));
            if reach.folders.is_empty() && reach.files.is_empty() && !is_wide(dir) {
                reach.folders.push(dir.to_owned());
            }
        }
        let real = |path: &PathBuf| {
            let path = dir.join(path);
            fs::canonicalize(&path).map_err(|e| format!("it is granted {}: {e}", path.display()))
        };
        reach.read = wish.read.iter().map(real).collect::<Result<_, _>>()?;
        reach.write = wish.write.iter().map(real).collect::<Result<_, _>>()?;
        if let Some(scratch) = wish.scratch {
            let scratch = dir.join(scratch);
            fs::create_dir_all(&scratch)
                .map_err(|e| format!("its scratch folder {}: {e}", scratch.display()))?;
            reach.scratch = Some(real(&scratch)?);
        }
        for paths in [&mut reach.folders, &mut reach.files, &mut reach.interpreter] {
            paths.sort();
            paths.dedup();
        }
        Ok(reach)
    }

    fn readable(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.folders, &self.files, &self.interpreter, &self.read].into_iter().flatten()
    }

    /// The confinement that follows, given who else plays and what of the event must not be seen.
    pub fn confinement(&self, sandbox: Sandbox, others: &[&Reach], of_event: &[PathBuf]) -> Confinement {
        let mine: Vec<&PathBuf> = self.readable().chain(&self.write).chain(&self.scratch).collect();
        let theirs = others.iter().flat_map(|other| {
            let files = other.files.iter().chain(&other.folders);
            files.chain(&other.write).chain(&other.scratch)
        });
        let mut hidden: Vec<PathBuf> = of_event
            .iter()
            .chain(theirs)
            // What holds something of mine cannot be hidden, nor need what I could not read anyway.
            .filter(|hole| !mine.iter().any(|path| path.starts_with(hole)))
            .filter(|hole| of_event.contains(hole) || mine.iter().any(|path| hole.starts_with(path)))
            .cloned()
            .collect();
        hidden.sort();
        hidden.dedup();
        let keep_user = if self.scratch.is_some() || !self.write.is_empty() {
            Some("what it may write belongs to the arbiter's user".to_owned())
        } else {
            let unreached = self.readable().find(|path| !reached_by_all(path));
            unreached.map(|path| format!("{} is not readable for every user", path.display()))
        };
        Confinement {
            sandbox,
            read: self.readable().cloned().collect(),
            write: self.write.clone(),
            hidden,
            lasting: self.scratch.clone(),
            keep_user,
        }
    }
}

fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// Whether a folder holds so much that is not a bot's that being in it gives it no claim to it.
fn is_wide(folder: &Path) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    folder.components().count() <= 2
        || home.is_some_and(|home| home.starts_with(folder))
        || std::env::temp_dir().starts_with(folder)
        || ["/var/tmp", "/dev/shm"].iter().any(|shared| Path::new(shared).starts_with(folder))
}

/// Where an interpreter lives: the folder above its `bin` that has its libraries, or above its `shims`.
fn prefix(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let prefix = fs::canonicalize(folder.parent()?).ok()?;
    let is_prefix = match folder.file_name()?.to_str()? {
        "bin" => prefix.join("lib").is_dir() || prefix.join("pyvenv.cfg").is_file(),
        "shims" => true,
        _ => false,
    };
    (is_prefix && !is_wide(&prefix)).then_some(prefix)
}

/// Whether every user of this machine can read a path.
fn reached_by_all(path: &Path) -> bool {
    let allows = |path: &Path, bits: u32| {
        fs::metadata(path).is_ok_and(|meta| {
            let bits = if meta.is_dir() { bits | 0o001 } else { bits };
            meta.permissions().mode() & bits == bits
        })
    };
    allows(path, 0o004) && path.ancestors().skip(1).all(|above| allows(above, 0o001))
}

/// The program behind a version manager's shim (pyenv, rbenv, nodenv, asdf, mise …), as the manager itself tells.
pub fn behind_shim(shim: &Path, dir: &Path) -> Option<PathBuf> {
    let shims = shim.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "shims"))?;
    let root = shims.parent()?;
    let manager = root.file_name()?.to_str()?.trim_start_matches('.');
    let inside = ["bin", "libexec"].map(|folder| root.join(folder).join(manager));
    let program = inside.into_iter().find(|path| executable(path)).or_else(|| in_path(manager))?;
    let output = Command::new(program)
        .arg("which")
        .arg(shim.file_name()?)
        .current_dir(dir)
        .env(format!("{}_ROOT", manager.to_uppercase()), root)
        .output()
        .ok()?;
    let real = PathBuf::from(std::str::from_utf8(&output.stdout).ok()?.trim());
    (output.status.success() && real.is_absolute() && executable(&real)).then_some(real)
}
