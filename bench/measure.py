"""Times programs on the same work, in turns, and takes medians. launch.cpp does the running: an interpreter's own time would be
counted against the faster program, and its memory as the child's."""

import json
import math
import os
import subprocess
from dataclasses import dataclass

LAUNCHER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build/release/launch")
ROW = 3
LONG_SECONDS = 0.1
SEPARATOR = "\x1f"


@dataclass
class Measured:
    """Medians; the least time as well."""

    seconds: float
    code: int
    cpu_seconds: float = 0.0
    peak_megabytes: float | None = None
    least_seconds: float | None = None


def _launch(commands, folder, options):
    words = [word for command in commands for word in (SEPARATOR, *map(str, command))]
    done = subprocess.run([LAUNCHER, "--folder", str(folder), *map(str, options), *words], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return [Measured(one["seconds"], one["code"], one["cpu_seconds"], one["peak_kilobytes"] / 1024, one["least_seconds"])
            for one in found]


def run_once(command, folder):
    """A single run, with no other before it. Raises if the program cannot be started."""
    return _launch([command], folder, [])[0]


def in_turns(commands, folder, prepare="", budget_seconds=10.0, least=5, most=31):
    """Runs the commands alternately, so that a busy moment of the machine hits all of them; each a few times in a row, of which the
    first does not count, so that none is measured with the caches that another one left. `prepare` is a script for a shell, which
    runs before each run. What takes long needs no rows."""
    os.sync()  # what the bench itself wrote must not reach the disk while others are timed
    options = ["--least", least, "--most", max(least, most), "--budget", budget_seconds, "--row", ROW, "--long", LONG_SECONDS]
    return _launch(commands, folder, [*options, "--prepare", prepare] if prepare else options)


def geometric_mean(numbers):
    numbers = list(numbers)
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else None
