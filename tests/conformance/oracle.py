"""Remembers what the real `cue` answered, because asking it takes far longer than the program under test."""

import hashlib
import json
import os
import subprocess

from process import HANGS_PER_FILE, ORACLE_TIME_LIMIT_SECONDS, Program, Result


def version_of(program):
    """The version that a `cue` says it has, or None where it is no `cue`."""
    try:
        done = subprocess.run([program, "version"], capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = done.stdout.split()
    return words[2] if words[:2] == ["cue", "version"] and len(words) > 2 else None


class Oracle:
    def __init__(self, path, cache_folder):
        self.program = Program((path,))
        self.version = version_of(path)
        self.cache_folder = os.path.join(cache_folder, f"answers-{self.version}")

    def memory(self, files):
        return Memory(self.program, self.cache_folder, files)


class Memory:
    """The oracle's answers for one set of input files, one file of the cache per set."""

    def __init__(self, program: Program, cache_folder, files: dict):
        digest = hashlib.sha256()
        for name in sorted(files):
            digest.update(f"{name}\0{len(files[name])}\0".encode("utf-8", "surrogateescape"))
            digest.update(files[name])
        self.program = program
        self.path = os.path.join(cache_folder, digest.hexdigest() + ".json")
        self.answers = {}
        self.changed = False
        try:
            with open(self.path, encoding="utf-8") as source:
                self.answers = json.load(source)
        except (OSError, ValueError):
            pass

    def ask(self, arguments, folder) -> Result:
        key = json.dumps(arguments)
        known = self.answers.get(key)
        if known is None:
            if sum(answer[3] == "timeout" for answer in self.answers.values()) >= HANGS_PER_FILE:
                return Result(-1, b"", b"", "timeout")
            result = self.program.run(arguments, folder, time_limit=ORACLE_TIME_LIMIT_SECONDS)
            known = [
                result.code,
                result.out.decode("utf-8", "surrogateescape"),
                result.err.decode("utf-8", "surrogateescape"),
                result.ending,
            ]
            self.answers[key] = known
            self.changed = True
        return Result(
            known[0],
            known[1].encode("utf-8", "surrogateescape"),
            known[2].encode("utf-8", "surrogateescape"),
            known[3],
        )

    def save(self):
        if not self.changed:
            return
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        partial = f"{self.path}.{os.getpid()}"
        with open(partial, "w", encoding="utf-8") as out:
            json.dump(self.answers, out)
        os.replace(partial, self.path)
        self.changed = False
