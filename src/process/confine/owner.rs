//! Who a process is: a user of its own, without capabilities, within the kernel's per-process bounds.

use rustix::process::{Gid, Resource, Rlimit, Uid, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::{Layer, Orders, Standing};

/// Descriptors that a process may have open.
const DESCRIPTORS: u64 = 4096;

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

/// Sets the bounds that the kernel keeps for each process.
pub(super) fn bound(standings: &mut Vec<Standing>) {
    let bound = |resource, most| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    let set = bound(Resource::Core, 0).and_then(|()| {
        let have = rustix::process::getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX);
        bound(Resource::Nofile, have.min(DESCRIPTORS))
    });
    let how = format!("no core dumps, {DESCRIPTORS} descriptors");
    standings.push(Standing::of(Layer::Rlimits, &how, set));
}
