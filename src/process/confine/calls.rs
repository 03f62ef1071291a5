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
    libc::SYS_fanotify_init,
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

/// The second set of numbers by which x86-64 kernels may know the same calls, and the calls that are numbered apart
/// in it: ptrace, process_vm_readv, process_vm_writev, kexec_load.
#[cfg(target_arch = "x86_64")]
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
    #[cfg(target_arch = "x86_64")]
    for &call in REFUSED.iter().chain(X32.1) {
        refused.insert(X32.0 | call, Vec::new());
    }
    let when = |argument, op, value: i32| {
        let value = u64::from(value.unsigned_abs());
        let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, value);
        condition.and_then(|c| SeccompRule::new(vec![c])).map_err(|e| e.to_string())
    };
    refused.insert(libc::SYS_socketpair, vec![when(0, SeccompCmpOp::Ne, libc::AF_UNIX)?]);
    let spaces = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let has = |flag: i32| when(0, SeccompCmpOp::MaskedEq(u64::from(flag.unsigned_abs())), flag);
    refused.insert(libc::SYS_clone, spaces.into_iter().map(has).collect::<Result<_, _>>()?);
    // Its flags lie in memory, which no filter sees. Every library falls back on clone where it is not there.
    let absent = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    Ok([compile(refused, libc::EACCES)?, compile(absent, libc::ENOSYS)?])
}
