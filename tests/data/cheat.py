"""A bot that plays at random and, at the first move of its second game, tries everything it must not be able to do.

Its one argument is a JSON object: the paths, ports and process numbers to try. Each attempt is one line on standard
error, `cheat NAME yes` or `cheat NAME no`, with what was seen.
"""

import ctypes
import fcntl
import json
import os
import random
import resource
import socket
import sys
import tempfile
import time

TARGET = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)


def pids():
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        numbers = range(1, 40000)
    # A /proc that is shared knows it by another number than its own namespace does.
    return [pid for pid in numbers if pid not in (os.getpid(), int(os.readlink("/proc/self")))]


def others():
    """Processes other than its own, also where the first of its namespace is its own stub."""
    return [pid for pid in pids() if pid != 1]


def first(attempt, of):
    """The first of these for which an attempt gives something."""
    for one in of:
        try:
            got = attempt(one)
        except (OSError, StopIteration):  # refused; or a kernel's own thread, which has no memory
            continue
        if got:
            return f"{one}: {got!r}"[:200]
    return None


def descriptors(pid):
    folder = f"/proc/{pid}/fd"
    return [os.readlink(f"{folder}/{name}") for name in os.listdir(folder)]


def read(path, word=None):
    with open(path, "rb") as file:
        data = file.read(1 << 16)
    return data[:40] if word is None or word in data else None


def memory(pid):
    with open(f"/proc/{pid}/maps") as maps:
        start = int(next(line for line in maps if " r" in line).split("-")[0], 16)
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as mem:
        mem.seek(start)
        return mem.read(8)


def ptrace(pid):
    attach, detach = 16, 17
    if libc.ptrace(attach, pid, 0, 0) != 0:
        return None
    os.waitpid(pid, 0x40000000)
    libc.ptrace(detach, pid, 0, 0)
    return "attached"


def vm_read(pid):
    with open(f"/proc/{pid}/maps") as maps:
        start = int(next(line for line in maps if " r" in line).split("-")[0], 16)
    buffer = ctypes.create_string_buffer(8)
    local = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8)
    remote = (ctypes.c_size_t * 2)(start, 8)
    return libc.process_vm_readv(pid, local, 1, remote, 1, 0) == 8


def signal(pid):
    os.kill(pid, 0)
    return "reached"


def write(path):
    name = os.path.join(path, f"cheat-{os.getpid()}")
    with open(name, "w") as file:
        file.write("x")
    os.unlink(name)
    return "written"


def names(folder):
    """What is beside its own folder, in a listing or among what is mounted."""
    try:
        beside = "".join(os.listdir(folder))
    except OSError:
        beside = ""
    told = [f"/proc/{file}" for file in ("self/mountinfo", "1/mountinfo", "self/environ", "1/environ")]
    for path in told:
        try:
            with open(path, errors="replace") as file:
                beside += file.read()
        except OSError:
            pass
    return "opponent" if "opponent" in beside else None


def mode(path):
    os.chmod(path, os.stat(path).st_mode & 0o7777)
    return "set"


def owner(path):
    os.chown(path, os.getuid(), os.getgid())
    return "set"


def times(path):
    old = os.stat(path)
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))
    return "set"


def attribute(path):
    os.setxattr(path, "user.cheat", b"x")
    os.removexattr(path, "user.cheat")
    return "set"


def by_descriptor(folder):
    """The same of its own files, which a helper outside can look at."""
    name = os.path.join(folder, f"changed-{os.getpid()}")
    file = os.open(name, os.O_CREAT | os.O_RDWR)
    changes = [
        lambda: os.fchmod(file, 0o777),
        lambda: os.fchown(file, os.getuid(), os.getgid()),
        lambda: os.utime(file),
        lambda: os.setxattr(file, "user.cheat", b"x"),
        lambda: os.chmod(name, 0o777),
    ]
    seen = first(lambda change: change() or "set", changes)
    os.unlink(name)
    return seen


def lifted(folder):
    """A file that makes whoever runs it its owner."""
    name = os.path.join(folder, f"lifted-{os.getpid()}")

    def mode(path, flags):
        file = os.open(path, flags | os.O_WRONLY, 0o4755)
        return os.fstat(file).st_mode & 0o4000

    seen = first(lambda how: mode(*how), [(name, os.O_CREAT), (folder, os.O_TMPFILE)])
    if os.path.exists(name):
        os.unlink(name)
    return seen


def clock(pid):
    """How much its opponent has thought."""
    return time.clock_gettime((~pid) << 3 | 2)


def bind(name):
    """A name that a helper outside can look for."""
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    pair[0].bind("\0" + name)
    return "bound"


def narrow():
    """A pipe of one page is full while one byte of it is unread: a question that waits for it is not charged."""
    return fcntl.fcntl(os.pipe()[1], 1031, 4096) == 4096


def leave_orphans():
    """Its orphans go past it."""
    set_subreaper, get_subreaper, is_ = 36, 37, ctypes.c_int()
    libc.prctl(get_subreaper, ctypes.byref(is_))
    before = is_.value
    refused = libc.prctl(set_subreaper, 0) != 0
    libc.prctl(set_subreaper, before)
    return not refused


def watch(path):
    """What is made, changed or opened in a folder, with the names, without opening the folder."""
    return libc.inotify_add_watch(libc.inotify_init(), path.encode(), 0xFFF) >= 0


def lease(folder):
    """Who opens a leased file waits until the lease is broken, an opponent for its interpreter's."""
    name = os.path.join(folder, f"leased-{os.getpid()}")
    with open(name, "w+") as file:
        os.unlink(name)
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    return "set"


def priority(pid):
    os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid))
    return "set"


def priority_of_user(user):
    os.setpriority(os.PRIO_USER, user, os.getpriority(os.PRIO_PROCESS, 0))
    return "set"


def scheduler(pid):
    os.sched_setscheduler(pid, os.SCHED_OTHER, os.sched_param(0))
    return "set"


def limit(pid):
    """A limit of processor time, say, ends a process by SIGXCPU."""
    resource.prlimit(pid, resource.RLIMIT_CORE, resource.prlimit(pid, resource.RLIMIT_CORE))
    return "set"


def stay(score):
    """When memory runs out, others are to go first."""
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write(score)
    return "set"


def untie():
    """Gives up to die with its parent."""
    set_signal, get_signal, signal_ = 1, 2, ctypes.c_int()
    before = libc.prctl(get_signal, ctypes.byref(signal_)) or signal_.value
    libc.prctl(set_signal, 0)
    libc.prctl(get_signal, ctypes.byref(signal_))
    after = signal_.value
    libc.prctl(set_signal, before)
    return before != 0 and after == 0


def connect(family, kind, address):
    with socket.socket(family, kind) as s:
        s.connect(address)
        s.send(b"my opponent's general is on a4")
    return "sent"


def reconnect(address):
    """A pair of sockets that is connected anew."""
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    pair[0].connect(address)
    pair[0].send(b"my opponent's general is on a4")
    return "sent"


def socket_to(what):
    return connect(
        *{
            "tcp": (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", TARGET["tcp"])),
            "udp": (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", TARGET["udp"])),
            "unix": (socket.AF_UNIX, socket.SOCK_STREAM, TARGET["unix"]),
            "abstract": (socket.AF_UNIX, socket.SOCK_STREAM, "\0" + TARGET["abstract"]),
        }[what]
    )


# System calls by number (x86-64), with arguments under which they do nothing if they are allowed.
CALLS = {
    "io_uring_setup": (425, 1, ctypes.create_string_buffer(120)),
    "keyctl": (250, 0, -3, 1),
    "unshare user": (272, 0x10000000),
    "userfaultfd": (323, 1),
    "perf_event_open": (298, ctypes.c_char_p(b"\1\0\0\0\x70\0\0\0" + bytes(104)), 0, -1, -1, 0),
    "shmget": (29, 0, 4096, 0o1600),
    "clone3": (435, 0, 0),
    # Without shared memory there are no shared handlers: looked at, it is an error.
    "clone for its parent": (56, 0x8000 | 0x800, 0, 0, 0, 0),
    "sched_setaffinity": (203, 0, 128, ctypes.create_string_buffer(128)),
}


def call(name):
    ctypes.set_errno(0)
    result = libc.syscall(*CALLS[name])
    # Bad arguments were looked at; a refused call does not look.
    return result >= 0 or ctypes.get_errno() == 22


ATTEMPTS = {
    "memory": lambda: first(memory, pids()),
    "vm_read": lambda: first(vm_read, pids()),
    "environment": lambda: first(lambda p: read(f"/proc/{p}/environ", b"SECRET_OF_THE_ARBITER"), pids()),
    "descriptors": lambda: first(descriptors, pids()),
    "command-line": lambda: first(lambda p: read(f"/proc/{p}/cmdline", b"--o" + b"ut"), pids()),
    "ptrace": lambda: first(ptrace, [os.getppid()]),
    "signal": lambda: first(signal, others()),
    "results": lambda: first(read, TARGET["results"]),
    "opponent": lambda: first(read, TARGET["opponent"]),
    "home": lambda: first(read, TARGET["home"]),
    "names": lambda: first(read, TARGET["names"]),
    "write": lambda: first(write, TARGET["write"]),
    "beside": lambda: first(names, [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]),
    "mode": lambda: first(mode, TARGET["results"]),
    "owner": lambda: first(owner, TARGET["results"]),
    "times": lambda: first(times, TARGET["results"]),
    "attribute": lambda: first(attribute, TARGET["results"]),
    "by-descriptor": lambda: first(by_descriptor, [tempfile.gettempdir()]),
    "lifted": lambda: first(lifted, [tempfile.gettempdir()]),
    "clock": lambda: first(clock, others()),
    "bind": lambda: first(bind, [f"cheat-{os.getpid()}"]),
    "narrow": narrow,
    "leave-orphans": leave_orphans,
    "watch": lambda: first(watch, TARGET["write"]),
    "lease": lambda: first(lease, [tempfile.gettempdir()]),
    "priority": lambda: first(priority, others()),
    "priority-of-user": lambda: first(priority_of_user, [os.getuid()]),
    "scheduler": lambda: first(scheduler, others()),
    "limit": lambda: first(limit, others()),
    "tcp": lambda: first(socket_to, ["tcp"]),
    "udp": lambda: first(socket_to, ["udp"]),
    "unix": lambda: first(socket_to, ["unix"]),
    "abstract": lambda: first(socket_to, ["abstract"]),
    "reconnect": lambda: first(reconnect, [TARGET["datagram"]]),
    "untie": untie,
    "stay": lambda: first(stay, ["0"]),
    "calls": lambda: first(call, [name for name in CALLS if os.uname().machine == "x86_64"]),
    # What it may do, so that a sandbox which breaks everything is no success.
    "own-folder": lambda: first(read, [os.path.abspath(__file__)]),
    "own-process": lambda: first(read, ["/proc/self/status"]),
    "scratch": lambda: first(write, [os.environ.get("TMPDIR", "/nowhere")]),
    "first-to-go": lambda: first(lambda p: read(p, b"1000"), ["/proc/self/oom_score_adj"]),
    "scratch-is-empty": lambda: os.listdir(os.environ.get("TMPDIR", "/nowhere")) == [],
}


def cheat():
    for name, attempt in ATTEMPTS.items():
        try:
            seen = attempt()
        except Exception as error:  # noqa: BLE001: whatever it was, the attempt failed
            seen, error_text = None, f" ({error})"
        else:
            error_text = ""
        print(f"cheat {name} {'yes' if seen else 'no'} {seen or ''}{error_text}", file=sys.stderr, flush=True)


games, moves, cheated = 0, [], False
for line in sys.stdin:
    word, *rest = line.split()
    if word == "sbp":
        print("id name Cheat\nwant legal\nok", flush=True)
    if word == "isready":
        print("readyok", flush=True)
    if word == "newgame":
        games += 1
        army = next(w for w in rest if w.startswith("army=")).removeprefix("army=").split(",")
        rows = next(int(w.removeprefix("rows=")) for w in rest if w.startswith("rows="))
        width = next(int(w.removeprefix("board=").split("x")[0]) for w in rest if w.startswith("board="))
    if word == "setup" and not rest:
        pieces = "".join(part[0] * int(part[1:]) for part in army)
        print("setup", pieces.ljust(rows * width, "."), flush=True)
    if word == "legal":
        moves = rest
    if word == "go":
        if games == 1 and "TMPDIR" in os.environ:
            with open(os.path.join(os.environ["TMPDIR"], "left-from-the-first-game"), "w") as file:
                file.write("x")
            # One that its own user may not look into.
            locked = os.path.join(os.environ["TMPDIR"], "locked")
            if not os.path.exists(locked):
                os.mkdir(locked, 0o300)
                os.mkdir(os.path.join(locked, "inner"), 0)
        if games == 2 and not cheated:
            cheated = True
            cheat()
        print("move", random.choice(moves), flush=True)
    if word == "quit":
        break
