"""A bot that plays at random and, at the first move of its second game, tries everything it must not be able to do.

Its one argument is a JSON object: the paths, ports and process numbers to try. Each attempt is one line on standard
error, `cheat NAME yes` or `cheat NAME no`, with what was seen.
"""

import ctypes
import json
import os
import random
import socket
import sys

TARGET = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)


def pids():
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        numbers = range(1, 40000)
    # A /proc that is shared knows it by another number than its own namespace does.
    return [pid for pid in numbers if pid not in (os.getpid(), int(os.readlink("/proc/self")))]


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


def connect(family, kind, address):
    with socket.socket(family, kind) as s:
        s.connect(address)
        s.send(b"my opponent's general is on a4")
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
    "signal": lambda: first(signal, [pid for pid in pids() if pid != 1]),
    "results": lambda: first(read, TARGET["results"]),
    "opponent": lambda: first(read, TARGET["opponent"]),
    "home": lambda: first(read, TARGET["home"]),
    "names": lambda: first(read, TARGET["names"]),
    "write": lambda: first(write, TARGET["write"]),
    "tcp": lambda: first(socket_to, ["tcp"]),
    "udp": lambda: first(socket_to, ["udp"]),
    "unix": lambda: first(socket_to, ["unix"]),
    "abstract": lambda: first(socket_to, ["abstract"]),
    "calls": lambda: first(call, [name for name in CALLS if os.uname().machine == "x86_64"]),
    # What it may do, so that a sandbox which breaks everything is no success.
    "own-folder": lambda: first(read, [os.path.abspath(__file__)]),
    "own-process": lambda: first(read, ["/proc/self/status"]),
    "scratch": lambda: first(write, [os.environ.get("TMPDIR", "/nowhere")]),
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
        if games == 2 and not cheated:
            cheated = True
            cheat()
        print("move", random.choice(moves), flush=True)
    if word == "quit":
        break
