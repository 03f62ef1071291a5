//! seccomp: the system calls that no bot needs, and that reach beyond it. They fail with an error, so that runtimes
//! which only try them fall back.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};

use super::{Layer, Standing};

/// Refused whatever their arguments.
const REFUSED: &[i64] = &[
    // Sockets of every family; pairs of connected ones are below.
    libc::SYS_socket,
    // Other processes' memory, descriptors and secrets.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Memory and queues that are shared by number, past the file rules.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    // Calls that are not seen one by one.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Namespaces, mounts and file handles.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    OPEN_TREE_ATTR,
    // What lies around files, by path: the file rules do not cover modes, owners, attributes, or what happens in a
    // folder (landlock(7), "Current limitations"). By descriptor all of it works, on what it may open.
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_init,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
    // The core that its game is kept on.
    libc::SYS_sched_setaffinity,
    // The kernel's own affairs, and what has often been a way into it.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_lookup_dcookie,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
];

// Newer than the library's tables; calls have had the same number everywhere since 424.
const FCHMODAT2: i64 = 452;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const OPEN_TREE_ATTR: i64 = 467;
const FILE_SETATTR: i64 = 469;

/// The second set of numbers by which x86-64 kernels may know the same calls, and the calls that are numbered apart
/// in it: ptrace, process_vm_readv, process_vm_writev, kexec_load.
const X32: (i64, &[i64]) = (0x4000_0000, &[521, 539, 540, 528]);

/// Filters the system calls of this process and all that it will start.
pub(super) fn restrict(standings: &mut Vec<Standing>) {
    let result = filters().and_then(|filters| {
        filters.iter().try_for_each(|filter| seccompiler::apply_filter(filter).map_err(|e| e.to_string()))
    });
    standings.push(Standing::of(Layer::Calls, "seccomp", result));
}

fn filters() -> Result<[BpfProgram; 2], String> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|e| e.to_string())?;
    let compile = |rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32| {
        let errno = SeccompAction::Errno(errno.unsigned_abs());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, errno, arch);
        filter.and_then(BpfProgram::try_from).map_err(|e| e.to_string())
    };
    let mut refused: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    refused.extend(refused_when().map_err(|e| e.to_string())?);
    // Its flags lie in memory, which no filter sees. Every library falls back on clone where it is not there.
    let mut absent = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    if cfg!(target_arch = "x86_64") {
        for rules in [&mut refused, &mut absent] {
            let again: Vec<_> = rules.iter().map(|(call, rule)| (X32.0 | call, rule.clone())).collect();
            rules.extend(again);
        }
        refused.extend(X32.1.iter().map(|call| (X32.0 | call, Vec::new())));
    }
    Ok([compile(refused, libc::EACCES)?, compile(absent, libc::ENOSYS)?])
}

/// What is refused with some arguments: each rule is one condition, or several that hold together.
fn refused_when() -> Result<Vec<(i64, Vec<SeccompRule>)>, seccompiler::BackendError> {
    use SeccompCmpArgLen::{Dword, Qword};
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    let not = |argument, length, value: i32| {
        SeccompCondition::new(argument, length, Ne, u64::from(value.unsigned_abs()))
    };
    let only = |argument, value| not(argument, Dword, value).and_then(|c| SeccompRule::new(vec![c]));
    let spaces = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let has = |argument, mask: i32, value: i32| {
        let (mask, value) = (u64::from(mask.unsigned_abs()), u64::from(value.unsigned_abs()));
        SeccompCondition::new(argument, Dword, MaskedEq(mask), value).and_then(|c| SeccompRule::new(vec![c]))
    };
    let command = |value: i32| {
        SeccompCondition::new(1, Dword, Eq, value as u64).and_then(|c| SeccompRule::new(vec![c]))
    };
    let untie = vec![
        SeccompCondition::new(0, Dword, Eq, libc::PR_SET_PDEATHSIG as u64)?,
        not(1, Dword, libc::SIGKILL)?,
    ];
    Ok(vec![
        // Pairs of sockets that are connected with each other for good: a datagram's can be connected anew, to any path.
        (
            libc::SYS_socketpair,
            vec![
                only(0, libc::AF_UNIX)?,
                has(1, SOCKET_KIND, libc::SOCK_DGRAM)?,
                has(1, SOCKET_KIND, libc::SOCK_RAW)?,
            ],
        ),
        (libc::SYS_clone, spaces.into_iter().map(|flag| has(0, flag, flag)).collect::<Result<_, _>>()?),
        // Limits, priorities and places of any but the caller, who is number 0: these ask for the same user and no
        // more, and a limit of processor time ends a process.
        (libc::SYS_prlimit64, vec![only(0, 0)?]),
        (libc::SYS_setpriority, vec![only(0, libc::PRIO_PROCESS as i32)?, only(1, 0)?]),
        (libc::SYS_ioprio_set, vec![only(0, IOPRIO_WHO_PROCESS)?, only(1, 0)?]),
        (libc::SYS_sched_setscheduler, vec![only(0, 0)?]),
        (libc::SYS_sched_setparam, vec![only(0, 0)?]),
        (libc::SYS_sched_setattr, vec![only(0, 0)?]),
        (libc::SYS_migrate_pages, vec![only(0, 0)?]),
        (libc::SYS_move_pages, vec![only(0, 0)?]),
        // The times of what a path names; without a path, of a descriptor.
        (libc::SYS_utimensat, vec![SeccompRule::new(vec![not(1, Qword, 0)?])?]),
        // Leases hold up whoever opens the file, an interpreter's too; notices tell what happens in a folder.
        (libc::SYS_fcntl, vec![command(libc::F_SETLEASE)?, command(libc::F_NOTIFY)?]),
        // It dies with its parent.
        (libc::SYS_prctl, vec![SeccompRule::new(untie)?]),
    ])
}

/// The bits of a socket's type without its flags (linux/net.h).
const SOCKET_KIND: i32 = 0xf;
/// linux/ioprio.h
const IOPRIO_WHO_PROCESS: i32 = 1;
