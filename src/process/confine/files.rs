//! Landlock: which files a process may open, no TCP, and neither signals nor abstract sockets to others.
//!
//! A process under these rules also reads no memory, environment or descriptors of processes that are not under them,
//! whatever its user: the kernel compares their domains as it does for ptrace.

use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

use super::{Layer, Orders, Standing};

/// The newest interface that is asked for. What the kernel has not is left out, and told.
const NEWEST: ABI = ABI::V6;

/// What every program needs: libraries, interpreters, and the few settings that these read.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/os-release",
    "/etc/debian_version",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/group",
    "/etc/crypto-policies",
    "/etc/ssl/openssl.cnf",
    "/etc/ssl/certs",
    "/etc/terminfo",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/kernel/mm/hugepages",
    "/sys/kernel/mm/transparent_hugepage",
    "/dev/random",
    "/dev/urandom",
];

/// Devices without memory.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

/// What of a shared /proc tells nothing of other processes.
const PROC: &[&str] = &[
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/uptime",
    "/proc/version",
    "/proc/sys/kernel",
    "/proc/sys/vm",
];

/// Applies the rules to this process and all that it will start. `own_proc`: /proc shows nothing but them.
pub(super) fn restrict(orders: &Orders, own_proc: bool, standings: &mut Vec<Standing>) {
    match rules(orders, own_proc).and_then(RulesetCreated::restrict_self) {
        Ok(RestrictionStatus { landlock: LandlockStatus::Available { effective_abi, .. }, .. }) => {
            let how = format!("Landlock ABI {effective_abi}");
            let mut tell = |layer, needed: ABI| {
                standings.push(if effective_abi >= needed {
                    Standing::on(layer, &how)
                } else {
                    Standing::off(layer, format!("{how}; it needs {needed}"))
                });
            };
            tell(Layer::Files, ABI::V1);
            tell(Layer::Tcp, ABI::V4);
            tell(Layer::Scopes, ABI::V6);
        }
        other => {
            let why = match other {
                Ok(RestrictionStatus { landlock: LandlockStatus::NotEnabled, .. }) => {
                    "Landlock is in this kernel, and not enabled".to_owned()
                }
                Ok(_) => "this kernel has no Landlock".to_owned(),
                Err(error) => format!("Landlock: {error}"),
            };
            let layers = [Layer::Files, Layer::Tcp, Layer::Scopes];
            standings.extend(layers.map(|layer| Standing::off(layer, &why)));
        }
    }
}

fn rules(orders: &Orders, own_proc: bool) -> Result<RulesetCreated, RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::Execute;
    let devices = AccessFs::ReadFile | AccessFs::WriteFile;
    // Nobody needs to make devices, or to command them.
    let write = AccessFs::from_all(NEWEST) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let hidden: Vec<&Path> = orders.hidden.iter().map(Path::new).collect();
    for path in SYSTEM.iter().map(PathBuf::from).chain(java_settings()) {
        rules = grant(rules, &path, read)?;
    }
    for path in DEVICES {
        rules = grant(rules, Path::new(path), devices)?;
    }
    if own_proc {
        rules = grant(rules, Path::new("/proc"), read)?;
    } else {
        for path in PROC.iter().map(PathBuf::from).chain(fs::canonicalize("/proc/self")) {
            rules = grant(rules, &path, read)?;
        }
    }
    for path in &orders.read {
        rules = grant_except(rules, Path::new(path), &hidden, read)?;
    }
    for path in &orders.write {
        rules = grant(rules, Path::new(path), write)?;
    }
    Ok(rules)
}

/// Java keeps its settings in a folder named after its version.
fn java_settings() -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir("/etc").into_iter().flatten().flatten();
    entries.filter(|e| e.file_name().to_string_lossy().starts_with("java")).map(|e| e.path())
}

/// Grants a path, with all below it. One that is not there grants nothing.
fn grant(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(at) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(at, access))
}

/// Grants a path but for what is hidden below it. Rules only ever add, so a folder that holds something hidden is
/// granted entry by entry; its listing, and with it the names below, are granted whole.
fn grant_except(
    mut rules: RulesetCreated,
    path: &Path,
    hidden: &[&Path],
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    if hidden.iter().any(|hole| path.starts_with(hole)) {
        return Ok(rules);
    }
    if !hidden.iter().any(|hole| hole.starts_with(path)) {
        return grant(rules, path, access);
    }
    rules = grant(rules, path, AccessFs::ReadDir.into())?;
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        // A link would grant what it points to.
        if entry.file_type().is_ok_and(|t| !t.is_symlink()) {
            rules = grant_except(rules, &entry.path(), hidden, access)?;
        }
    }
    Ok(rules)
}
