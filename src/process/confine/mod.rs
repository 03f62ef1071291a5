//! Confinement: what a bot may reach beside its pipes, and what of it the system really enforces.
//!
//! It is applied layer by layer by the stub that becomes the bot (`stub.rs`), so that nothing of it runs between a
//! fork and an exec of the arbiter. Each layer that cannot be had is left out and told with its reason; what is told
//! is what the kernel answered, never what was hoped for. Knows nothing of games. Only Linux has layers.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
mod guard;
#[cfg(target_os = "linux")]
mod owner;
#[cfg(target_os = "linux")]
mod spaces;
#[cfg(target_os = "linux")]
pub(super) mod stub;

use std::ffi::OsString;
use std::path::PathBuf;

pub(super) use guard::Guard;
use serde::{Deserialize, Serialize};

/// Whether bots are confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sandbox {
    /// Not at all.
    #[default]
    Off,
    /// By what the machine has.
    Try,
    /// By the base at least: otherwise nothing starts.
    Require,
}

macro_rules! layers {
    ($($variant:ident $word:literal $meaning:literal $advice:literal),+ $(,)?) => {
        /// A layer of confinement.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Layer { $(#[doc = $meaning] $variant),+ }

        impl Layer {
            /// Every layer, the base first.
            pub const ALL: &'static [Layer] = &[$(Layer::$variant),+];

            /// Its name in tables and files.
            pub const fn word(self) -> &'static str {
                match self { $(Layer::$variant => $word),+ }
            }

            /// What it does.
            pub const fn meaning(self) -> &'static str {
                match self { $(Layer::$variant => $meaning),+ }
            }

            /// What to switch on where it is missing.
            pub const fn advice(self) -> &'static str {
                match self { $(Layer::$variant => $advice),+ }
            }
        }
    };
}

layers! {
    Privileges "privileges" "no program it starts gains privileges, and it has no capabilities"
        "a Linux kernel from 3.5",
    Files "files" "it reads its own folder, its interpreter and the system's libraries, writes its scratch folder, and sees no memory of others"
        "a kernel from 5.13 with CONFIG_SECURITY_LANDLOCK=y and `landlock` in the boot parameter lsm=",
    Calls "calls" "no sockets, tracing, namespaces, mounts, keys, io_uring or bpf; no new modes, owners or times of files, no watches; no priorities, limits or clocks of others"
        "a kernel with CONFIG_SECCOMP_FILTER=y, on x86-64, aarch64 or riscv64",
    Scopes "scopes" "no signals and no abstract sockets to processes outside"
        "a kernel from 6.12 (Landlock ABI 6)",
    Tcp "tcp" "no TCP, also where system calls are not filtered"
        "a kernel from 6.7 (Landlock ABI 4)",
    Rlimits "rlimits" "the kernel's own bounds: no core dumps, few descriptors, the size of a file"
        "a Unix system",
    User "user" "a user of its own for each process of a bot"
        "run the arbiter as root, and keep bots where every user may read them (not in /root)",
    Pids "pids" "it sees and reaches no process but its own, and all of them end with it, whatever happens to the arbiter"
        "run as root, or allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0)",
    Proc "proc" "a /proc of its own"
        "as for pids; in a container, one whose /proc is not masked",
    Hidden "hidden" "an empty folder stands where the event's and its opponents' are"
        "as for pids",
    Net "net" "a network without any device"
        "as for pids",
    Ipc "ipc" "System V memory and message queues of its own"
        "as for pids",
    Memory "memory" "no more resident memory than its limit, all its processes together"
        "nothing: it is looked at; a cgroup controller (memory) that the arbiter may use holds it without a gap",
    Processes "processes" "no more processes and threads than its limit"
        "nothing: it is looked at; a cgroup controller (pids) that the arbiter may use holds it without a gap",
    Share "share" "all its processes together weigh no more on a core than its opponent's, or the arbiter"
        "a cgroup controller (cpu) that the arbiter may use; without one, --freeze",
    Disk "disk" "no more space in its scratch folder than its limit"
        "nothing: it is looked at",
    Freeze "freeze" "with --freeze, all its processes stand still while its opponent thinks"
        "nothing: signals stop them; a cgroup of version 2, or the freezer of version 1, does so at once",
}

impl Layer {
    /// Without these a bot could cheat, so `require` refuses to start: files, calls, and something against signals.
    pub fn missing_base(standings: &[Standing]) -> Vec<&'static str> {
        let holds = |layer| standings.iter().any(|s| s.layer == layer && s.in_force);
        let mut missing = Vec::new();
        for (name, any) in [
            ("files", &[Layer::Files][..]),
            ("calls", &[Layer::Calls]),
            ("privileges", &[Layer::Privileges]),
            ("scopes (or pids, or user)", &[Layer::Scopes, Layer::Pids, Layer::User]),
        ] {
            if !any.iter().any(|&layer| holds(layer)) {
                missing.push(name);
            }
        }
        missing
    }
}

/// Whether a layer is in force for a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Which.
    pub layer: Layer,
    /// Whether it is.
    pub in_force: bool,
    /// By what; or why not.
    pub how: String,
}

impl Standing {
    pub(super) fn on(layer: Layer, how: impl Into<String>) -> Standing {
        Standing { layer, in_force: true, how: how.into() }
    }

    pub(super) fn off(layer: Layer, how: impl Into<String>) -> Standing {
        Standing { layer, in_force: false, how: how.into() }
    }

    #[cfg(target_os = "linux")]
    fn of<T>(layer: Layer, how: &str, result: Result<T, impl std::fmt::Display>) -> Standing {
        match result {
            Ok(_) => Standing::on(layer, how),
            Err(error) => Standing::off(layer, error.to_string()),
        }
    }
}

/// What a bot is to be confined by. All paths are absolute and canonical.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// Whether at all.
    pub sandbox: Sandbox,
    /// What it may read and execute, beside what belongs to the system.
    pub read: Vec<PathBuf>,
    /// What it may write, beside its scratch folder.
    pub write: Vec<PathBuf>,
    /// What it may not even where it lies in something it may read: the event's folder, its opponents'.
    pub hidden: Vec<PathBuf>,
    /// A scratch folder that lasts from game to game, in place of an empty one.
    pub lasting: Option<PathBuf>,
    /// Why it runs as the arbiter's own user, where it does.
    pub keep_user: Option<String>,
}

/// What the stub is told: the confinement of one process.
#[derive(Debug, Serialize, Deserialize)]
struct Orders {
    require: bool,
    read: Vec<OsString>,
    write: Vec<OsString>,
    hidden: Vec<OsString>,
    /// The user to become; or why to stay the one it is.
    user: Result<u32, String>,
    /// The files by which it joins its cgroups.
    groups: Vec<OsString>,
    /// The size of a file that it writes, in bytes.
    file: Option<u64>,
    /// Processes and threads.
    processes: Option<u64>,
}

/// What the stub tells.
#[derive(Debug, Serialize, Deserialize)]
enum Told {
    Layers(Vec<Standing>),
    /// It could not join the cgroup behind this door, the one of so many, and why.
    Shut(usize, String),
    Refused(String),
    Exit(i32),
    Signal(i32),
}
