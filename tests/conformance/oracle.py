"""Finds CUE's own test corpus and the real `cue`, and remembers what the latter answered."""

import hashlib
import json
import os
import shutil
import subprocess

from process import HANGS_PER_FILE, ORACLE_TIME_LIMIT_SECONDS, Program, Result

CORPUS_VERSION = "v0.17.1"
ORACLE_VERSION = "v0.15.4"
MODULE = "cuelang.org/go"


class Missing(Exception):
    """Something that a suite needs is not on this machine; the message says what and how to get it."""


def cache_folder():
    """Kept outside the build tree, so that a clean build does not ask the oracle everything again."""
    chosen = os.environ.get("OPM_TEST_CACHE")
    if not chosen:
        here = os.path.dirname(os.path.abspath(__file__))
        chosen = os.path.join(os.path.dirname(os.path.dirname(here)), ".cache")
    os.makedirs(chosen, exist_ok=True)
    return chosen


def _go(*arguments, **settings):
    go = shutil.which("go")
    if not go:
        return None
    done = subprocess.run([go, *arguments], capture_output=True, text=True, check=False, cwd=cache_folder(),
                          env={**os.environ, "GOWORK": "off", "GOFLAGS": "-mod=mod", **settings})
    return done.stdout.strip() if done.returncode == 0 else None


def module_folder(version=CORPUS_VERSION):
    cache = os.environ.get("GOMODCACHE") or _go("env", "GOMODCACHE") or os.path.expanduser("~/go/pkg/mod")
    folder = os.path.join(cache, f"{MODULE}@{version}")
    if os.path.isdir(folder):
        return folder
    answer = _go("mod", "download", "-json", f"{MODULE}@{version}")
    if answer:
        folder = json.loads(answer).get("Dir", "")
        if os.path.isdir(folder):
            return folder
    raise Missing(f"the sources of {MODULE} {version} (needs Go 1.25 or later on PATH, and its module proxy)")


def version_of(program):
    try:
        done = subprocess.run([program, "version"], capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = done.stdout.split()
    return words[2] if words[:2] == ["cue", "version"] and len(words) > 2 else None


def find(version=ORACLE_VERSION):
    """The path of the real `cue` of that version; built with Go when it is nowhere."""
    built = os.path.join(cache_folder(), "tools", f"cue-{version}")
    candidates = [os.environ.get("OPM_ORACLE_CUE"), os.path.join(built, "cue"), shutil.which("cue"),
                  os.path.join(_go("env", "GOPATH") or os.path.expanduser("~/go"), "bin", "cue")]
    for candidate in candidates:
        if candidate and os.path.exists(candidate) and version_of(candidate) == version:
            return candidate
    if _go("install", f"{MODULE}/cmd/cue@{version}", GOBIN=built) is not None and version_of(os.path.join(built, "cue")) == version:
        return os.path.join(built, "cue")
    raise Missing(f"the oracle `cue` {version} (needs Go 1.25 or later on PATH, and its module proxy)")


class Memory:
    """The oracle's answers for one set of input files, one file of the cache per set."""

    def __init__(self, program: Program, version: str, files: dict):
        digest = hashlib.sha256()
        for name in sorted(files):
            digest.update(f"{name}\0{len(files[name])}\0".encode("utf-8", "surrogateescape"))
            digest.update(files[name])
        self.program = program
        self.path = os.path.join(cache_folder(), "oracle", version, digest.hexdigest() + ".json")
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
            known = [result.code, result.out.decode("utf-8", "surrogateescape"), result.err.decode("utf-8", "surrogateescape"), result.ending]
            self.answers[key] = known
            self.changed = True
        return Result(known[0], known[1].encode("utf-8", "surrogateescape"), known[2].encode("utf-8", "surrogateescape"), known[3])

    def save(self):
        if not self.changed:
            return
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        partial = f"{self.path}.{os.getpid()}"
        with open(partial, "w", encoding="utf-8") as out:
            json.dump(self.answers, out)
        os.replace(partial, self.path)
        self.changed = False
