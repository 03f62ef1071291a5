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
    // Sockets of every family; pairs of connected ones are below, and get no name.
    libc::SYS_socket,
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
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
    // What happens in folders: the file rules do not cover it (landlock(7), "Current limitations").
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_init,
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

/// Refused as a file's owner would be refused elsewhere, which programs that copy files take for a file system
/// without modes: what lies around files, by path and by descriptor. The file rules do not cover it, a helper outside
/// could read it, and a bot that runs as the arbiter's own user owns more than its own files.
const UNCHANGED: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_utimensat,
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
];

/// Their arguments lie in memory, which no filter sees. Every library falls back on an older call where they are not
/// there.
const ABSENT: &[i64] = &[libc::SYS_clone3, libc::SYS_openat2];

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

fn filters() -> Result<[BpfProgram; 3], String> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|e| e.to_string())?;
    let always = |calls: &[i64]| calls.iter().map(|&call| (call, Vec::new())).collect::<BTreeMap<_, _>>();
    let compile = |mut rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32| {
        if cfg!(target_arch = "x86_64") {
            let again: Vec<_> = rules.iter().map(|(call, rule)| (X32.0 | call, rule.clone())).collect();
            rules.extend(again);
        }
        let errno = SeccompAction::Errno(errno.unsigned_abs());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, errno, arch);
        filter.and_then(BpfProgram::try_from).map_err(|e| e.to_string())
    };
    let mut refused = always(REFUSED);
    refused.extend(refused_when().map_err(|e| e.to_string())?);
    if cfg!(target_arch = "x86_64") {
        refused.extend(X32.1.iter().map(|call| (X32.0 | call, Vec::new())));
    }
    Ok([
        compile(refused, libc::EACCES)?,
        compile(always(UNCHANGED), libc::EPERM)?,
        compile(always(ABSENT), libc::ENOSYS)?,
    ])
}

/// What is refused with some arguments. Of a call's rules any refuses it, of a rule's conditions all must hold.
fn refused_when() -> Result<Vec<(i64, Vec<SeccompRule>)>, seccompiler::BackendError> {
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    let when = |argument, op, value: i32| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, u64::from(value.cast_unsigned()))
    };
    let not = |argument, value| when(argument, Ne, value);
    let only = |argument, value| SeccompRule::new(vec![not(argument, value)?]);
    let has = |argument, mask: i32, value| when(argument, MaskedEq(u64::from(mask.cast_unsigned())), value);
    let with = |argument, mask, value| SeccompRule::new(vec![has(argument, mask, value)?]);
    let command = |value| SeccompRule::new(vec![when(1, Eq, value)?]);
    let option = |value| when(0, Eq, value);

    let of_clone = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
        // A child of its parent's is out of its tree.
        libc::CLONE_PARENT,
    ];
    let mut rules = vec![
        // Pairs of sockets that are connected with each other for good: a datagram's can be connected anew.
        (
            libc::SYS_socketpair,
            vec![
                only(0, libc::AF_UNIX)?,
                with(1, SOCKET_KIND, libc::SOCK_DGRAM)?,
                with(1, SOCKET_KIND, libc::SOCK_RAW)?,
            ],
        ),
        (libc::SYS_clone, of_clone.into_iter().map(|flag| with(0, flag, flag)).collect::<Result<_, _>>()?),
        // Limits, priorities and places of any but the caller, who is number 0: these ask for the same user and no
        // more, and a limit of processor time ends a process.
        (libc::SYS_prlimit64, vec![only(0, 0)?]),
        (libc::SYS_setpriority, vec![only(0, PRIO_PROCESS)?, only(1, 0)?]),
        (libc::SYS_ioprio_set, vec![only(0, IOPRIO_WHO_PROCESS)?, only(1, 0)?]),
        (libc::SYS_sched_setscheduler, vec![only(0, 0)?]),
        (libc::SYS_sched_setparam, vec![only(0, 0)?]),
        (libc::SYS_sched_setattr, vec![only(0, 0)?]),
        (libc::SYS_migrate_pages, vec![only(0, 0)?]),
        (libc::SYS_move_pages, vec![only(0, 0)?]),
        // Leases hold up whoever opens the file, an interpreter's too; notices tell what happens in a folder; a pipe
        // of one page is full while one byte of it is unread.
        (
            libc::SYS_fcntl,
            vec![command(libc::F_SETLEASE)?, command(libc::F_NOTIFY)?, command(libc::F_SETPIPE_SZ)?],
        ),
        // It dies with its parent, and its orphans stay below it.
        (
            libc::SYS_prctl,
            vec![
                SeccompRule::new(vec![option(libc::PR_SET_PDEATHSIG)?, not(1, libc::SIGKILL)?])?,
                SeccompRule::new(vec![option(libc::PR_SET_CHILD_SUBREAPER)?])?,
            ],
        ),
    ];
    // The processor time of another process, whose number is in the clock's own.
    for call in [libc::SYS_clock_gettime, libc::SYS_clock_nanosleep, libc::SYS_timer_create] {
        rules.push((call, vec![with(0, OTHERS_CLOCK, i32::MIN)?]));
    }
    // New files that make whoever runs them their owner: where a bot is root by number, that is root.
    for &(call, flags, mode) in CREATES {
        let mut lifted = Vec::new();
        for bit in [libc::S_ISUID, libc::S_ISGID].map(u32::cast_signed) {
            // Without one of these flags the mode is whatever was there.
            for flag in [libc::O_CREAT, TMPFILE].iter().take(if flags.is_some() { 2 } else { 1 }) {
                let makes = flags.map(|at| has(at, *flag, *flag)).transpose()?;
                lifted.push(SeccompRule::new(makes.into_iter().chain([has(mode, bit, bit)?]).collect())?);
            }
        }
        rules.push((call, lifted));
    }
    Ok(rules)
}

/// What makes files: where its flags are, if it has some, and where the mode.
const CREATES: &[(i64, Option<u8>, u8)] = &[
    (libc::SYS_openat, Some(2), 3),
    (libc::SYS_mknodat, None, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, Some(1), 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, None, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, None, 1),
];

/// The bit of O_TMPFILE that no other flag has (asm-generic/fcntl.h).
const TMPFILE: i32 = 0o20_000_000;
/// The bits of a socket's type without its flags (linux/net.h).
const SOCKET_KIND: i32 = 0xf;
/// The bits by which a clock's number is that of a process and not of a thread (linux/posix-timers.h).
const OTHERS_CLOCK: i32 = i32::MIN | 4;
/// sys/resource.h; C libraries differ in its type.
const PRIO_PROCESS: i32 = 0;
/// linux/ioprio.h
const IOPRIO_WHO_PROCESS: i32 = 1;
