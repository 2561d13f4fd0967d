"""`opm mod build --watch`: from the moment that a file is saved to the line that ends the round, which a person waits for."""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

import measure
import rendering

COMPONENTS = 10
WANTED_MILLISECONDS = 50
ROUND_ENDS = re.compile(rb" ms\)$")


def _wait(output):
    """Until a round ends; b"" means that the program did."""
    for line in output:
        if ROUND_ENDS.search(line.rstrip(b"\n")):
            return line
    return b""


def save(path, text):
    """As most editors do: a new file takes the place of the old one."""
    other = path.with_name(path.name + "~new")
    other.write_text(text, encoding="utf-8")
    moment = time.perf_counter()
    os.rename(other, path)
    return moment


def rounds(opm, module, count):
    """Seconds of each."""
    values = module / "values.cue"
    text = values.read_text(encoding="utf-8")
    process = subprocess.Popen([opm, "mod", "build", "--watch", str(module)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    taken = []
    try:
        if not _wait(process.stdout):
            raise RuntimeError("it ended instead of watching")
        for number in range(count):
            time.sleep(0.05)
            saved = save(values, text.replace("nginx:1.29", f"nginx:1.{number}"))
            if b"changed as shown" not in _wait(process.stdout):
                raise RuntimeError("the change was not seen")
            taken.append(time.perf_counter() - saved)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        save(values, text)
    return taken


def run(bench, folder):
    print("  (w) rendering again on every change", file=sys.stderr)
    module = rendering.make_module(pathlib.Path(folder) / "watching", COMPONENTS)
    taken = rounds(bench.opm, module, 5 * bench.least)
    slowest = f"slowest of {len(taken)}: {1000 * max(taken):.1f} ms; at most {WANTED_MILLISECONDS} ms is wanted"
    bench.rows.append((f"(w) `mod build --watch`, {COMPONENTS} components, from saving a file to the end of the round",
                       measure.Measured(statistics.median(taken), 0), None, slowest, ""))
