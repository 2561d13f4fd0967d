"""Runs a program on one case, with limits, and says how it ended."""

import os
import resource
import subprocess
from dataclasses import dataclass

TIME_LIMIT_SECONDS = 10
ORACLE_TIME_LIMIT_SECONDS = 5  # it answers in 10 ms what it answers at all
# After so many the rest of a file is taken to hang as well, or a single file could eat the whole time.
HANGS_PER_FILE = 2
MEMORY_LIMIT_BYTES = 4 << 30
OUTPUT_LIMIT_BYTES = 16 << 20

# Marks of a run-time that gave up, rather than of an error that was reported.
_CRASH_MARKS = (
    b"\ngoroutine ",
    b"fatal error: ",
    b"AddressSanitizer",
    b"ThreadSanitizer",
    b"UndefinedBehaviorSanitizer",
    b"runtime error: ",
    b"terminate called",
)


@dataclass
class Result:
    code: int
    out: bytes
    err: bytes
    ending: str = "exit"  # exit, crash, timeout

    @property
    def ok(self):
        return self.ending == "exit" and self.code == 0


@dataclass(frozen=True)
class Program:
    """A command line to which the arguments of a case are added: ("opm", "cue") or ("cue",)."""

    command: tuple

    def run(self, arguments, folder, environment=None, stdin=b"", time_limit=TIME_LIMIT_SECONDS) -> Result:
        try:
            done = subprocess.run(
                [*self.command, *arguments],
                cwd=folder,
                env=plain_environment(folder) if environment is None else environment,
                input=stdin,
                capture_output=True,
                timeout=time_limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Result(-1, b"", b"", "timeout")
        err = done.stderr[:OUTPUT_LIMIT_BYTES]
        crashed = done.returncode < 0 or (done.returncode != 0 and any(mark in err for mark in _CRASH_MARKS))
        return Result(done.returncode, done.stdout[:OUTPUT_LIMIT_BYTES], err, "crash" if crashed else "exit")


def plain_environment(folder):
    return {
        "HOME": os.path.join(folder, ".home"),
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "CUE_CACHE_DIR": os.path.join(folder, ".cue-cache"),
        "CUE_REGISTRY": "none",
        "LC_ALL": "C.UTF-8",
    }


def limit_memory_of_children(limit=MEMORY_LIMIT_BYTES):
    """Limits this process, and with it all that it starts: a limit set for each child would make every start slower."""
    if limit:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
