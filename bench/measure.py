"""Times two programs on the same work, in turns, and takes medians."""

import math
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass


@dataclass
class Measured:
    seconds: float
    code: int
    cpu_seconds: float = 0.0
    peak_megabytes: float | None = None


def run_once(command, folder, environment=None):
    """Seconds from before the start to after the end of the process, its exit code, and the processor time that it
    took; the output goes nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    before = os.getcwd()
    os.chdir(folder)
    try:
        actions = [(os.POSIX_SPAWN_DUP2, null, descriptor) for descriptor in (0, 1, 2)]
        start = time.perf_counter()
        # Less than half of what the subprocess module takes: the programs here end within milliseconds.
        child = os.posix_spawn(command[0], command, environment or os.environ, file_actions=actions)
        _, status, usage = os.wait4(child, 0)
        seconds = time.perf_counter() - start
    finally:
        os.chdir(before)
        os.close(null)
    return seconds, os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def peak_megabytes(command, folder):
    """By GNU time: asked from here, the kernel would answer with this interpreter's own size when that is larger."""
    program = shutil.which("time", path="/usr/bin:/bin:/usr/local/bin")
    if not program:
        return None
    with tempfile.NamedTemporaryFile("r", suffix=".rss") as report:
        subprocess.run(
            [program, "-f", "%M", "-o", report.name, *command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        lines = report.read().split()
    return int(lines[-1]) / 1024 if lines else None


def in_turns(commands, folder, prepare=None, budget_seconds=10.0, least=5, most=31):
    """Medians for each command, run alternately so that a busy moment of the machine hits all of them."""
    times = [[] for _ in commands]
    processor = [[] for _ in commands]
    codes = [None] * len(commands)
    started = time.perf_counter()
    for turn in range(most + 1):
        for index, command in enumerate(commands):
            if prepare:
                prepare()
            seconds, codes[index], cpu_seconds = run_once(command, folder)
            if turn:  # the first turn warms the file cache
                times[index].append(seconds)
                processor[index].append(cpu_seconds)
        if turn >= least and time.perf_counter() - started > budget_seconds:
            break
    return [
        Measured(statistics.median(taken), code, statistics.median(cpu))
        for taken, code, cpu in zip(times, codes, processor)
    ]


def geometric_mean(numbers):
    numbers = list(numbers)
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else None
