//! Namespaces: processes, /proc, mounts, network and messages of a bot's own.
//!
//! Root makes them directly. Others make a user namespace first, in which they are themselves and nobody else.

use std::fs;
use std::path::Path;

use nix::sched::{CloneFlags, unshare};
use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind, mount_change};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::{Layer, Orders, Standing};

/// Leaves the arbiter's namespaces. What this process starts next is the first process of the new ones.
pub(super) fn leave() -> Result<(), String> {
    let spaces = CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC;
    if rustix::process::geteuid().is_root() && unshare(spaces).is_ok() {
        return Ok(());
    }
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let refused = |what: &str, error: &dyn std::fmt::Display| format!("{what}: {error}");
    unshare(CloneFlags::CLONE_NEWUSER | spaces).map_err(|e| refused("no user namespace", &e))?;
    for (file, text) in [
        ("setgroups", "deny".to_owned()),
        ("uid_map", format!("{user} {user} 1")),
        ("gid_map", format!("{group} {group} 1")),
    ] {
        fs::write(format!("/proc/self/{file}"), text).map_err(|e| refused(file, &e))?;
    }
    // The next program is to mount its own /proc before it gives up everything.
    let sets = rustix::thread::capabilities(None).map_err(|e| refused("capabilities", &e))?;
    rustix::thread::set_capabilities(None, CapabilitySets { inheritable: CapabilitySet::SYS_ADMIN, ..sets })
        .and_then(|()| rustix::thread::configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true))
        .map_err(|e| refused("capabilities", &e))
}

/// Furnishes the new namespaces, from inside. Returns whether /proc shows nothing else.
pub(super) fn furnish(orders: &Orders, standings: &mut Vec<Standing>) -> bool {
    standings.push(Standing::on(Layer::Pids, "a pid namespace that ends with its first process"));
    standings.push(Standing::on(Layer::Net, "a network namespace"));
    standings.push(Standing::on(Layer::Ipc, "an ipc namespace"));
    let apart = mount_change("/", MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC);
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    let proc = apart.and_then(|()| mount("proc", "/proc", "proc", flags, None));
    standings.push(Standing::of(Layer::Proc, "mounted in its pid namespace", proc));
    let hidden = apart.and_then(|()| orders.hidden.iter().try_for_each(|path| hide(Path::new(path))));
    standings.push(Standing::of(Layer::Hidden, "covered in its mount namespace", hidden));
    proc.is_ok()
}

fn hide(path: &Path) -> Result<(), Errno> {
    if path.is_dir() {
        let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
        mount("none", path, "tmpfs", flags, Some(c"size=4k,mode=555"))
    } else if path.exists() {
        mount_bind("/dev/null", path)
    } else {
        Ok(())
    }
}
