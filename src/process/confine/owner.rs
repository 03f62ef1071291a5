//! Who a process is: a user of its own, without capabilities, within the kernel's per-process bounds.

use rustix::process::{Gid, Resource, Rlimit, Uid, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::{Layer, Orders, Standing};

/// Descriptors that a process may have open.
const DESCRIPTORS: u64 = 1024;
/// Signals that may wait for its user's processes, which the kernel counts by user: the arbiter's own, or not.
const SIGNALS: u64 = 1024;

/// Becomes the user that the orders name, and gives up all capabilities for good.
pub(super) fn become_user(orders: &Orders, standings: &mut Vec<Standing>) {
    // What an exec as root would give back is what stands in this set.
    for capability in CapabilitySet::all().iter() {
        let _ = rustix::thread::remove_capability_from_bounding_set(capability);
    }
    let user = orders.user.clone().and_then(|number| {
        let (uid, gid) = (Uid::from_raw(number), Gid::from_raw(number));
        rustix::thread::set_thread_groups(&[])
            .and_then(|()| rustix::thread::set_thread_res_gid(gid, gid, gid))
            .and_then(|()| rustix::thread::set_thread_res_uid(uid, uid, uid))
            .map_err(|e| e.to_string())
    });
    standings.push(Standing::of(Layer::User, "a user number given to nobody else", user));
    let _ = rustix::thread::clear_ambient_capability_set();
    let none = CapabilitySet::empty();
    let _ = rustix::thread::set_capabilities(
        None,
        CapabilitySets { effective: none, permitted: none, inheritable: none },
    );
    let held = rustix::thread::set_no_new_privs(true).map_err(|e| e.to_string()).and_then(|()| {
        let sets = rustix::thread::capabilities(None).map_err(|e| e.to_string())?;
        let root = rustix::process::geteuid().is_root();
        let regained =
            root && rustix::thread::capability_is_in_bounding_set(CapabilitySet::SYS_ADMIN) != Ok(false);
        if sets.permitted.is_empty() && !regained {
            Ok(())
        } else {
            Err("capabilities could not be given up".to_owned())
        }
    });
    standings.push(Standing::of(Layer::Privileges, "no-new-privileges, no capabilities", held));
}

/// Sets the bounds that the kernel keeps for each process, and for each user.
pub(super) fn bound(orders: &Orders, standings: &mut Vec<Standing>) {
    let bound = |resource, most: u64| {
        let have = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let most = Some(most.min(have));
        setrlimit(resource, Rlimit { current: most, maximum: most })
    };
    let mut bounds = vec![
        (Resource::Core, 0),
        (Resource::Nofile, DESCRIPTORS),
        #[cfg(target_os = "linux")]
        (Resource::Sigpending, SIGNALS),
        #[cfg(target_os = "linux")]
        (Resource::Msgqueue, 0),
    ];
    bounds.extend(orders.file.map(|most| (Resource::Fsize, most)));
    // A user's processes are counted together, and this user's are only its own in these two cases.
    let alone = orders.user.is_ok() || is_alone();
    bounds.extend(orders.processes.filter(|_| alone).map(|most| (Resource::Nproc, most + SLACK)));
    let set = bounds.into_iter().try_for_each(|(resource, most)| bound(resource, most));
    let words = "no core dumps, few descriptors, the size of a file";
    // It may make this worse, and cannot open the file to make it better.
    let words = match std::fs::write("/proc/self/oom_score_adj", "1000") {
        Ok(()) => format!("{words}; where memory runs out, it is ended before others"),
        Err(_) => words.to_owned(),
    };
    standings.push(Standing::of(Layer::Rlimits, &words, set));
}

/// Processes above the limit, so that passing it can be seen.
const SLACK: u64 = 8;

/// Whether this process is in a user namespace made for it.
fn is_alone() -> bool {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    map.lines().count() == 1 && map.split_ascii_whitespace().nth(2) == Some("1")
}
