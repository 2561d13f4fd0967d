"""Corpora 3 and 4: interprets the scripts that test the command line of `cue`, with another program in its place."""

import os
import re
import shutil
import stat
import tempfile
import threading

import script_registry
import txtar
from outcome import Outcome
from process import Program

_SUBCOMMANDS = ("export", "eval", "vet", "def", "fmt")
_HOST_PROGRAMS = ("cat", "cp", "ln", "echo", "false", "true", "hostname", "whoami", "mkfifo")
_COMMANDS = (
    "cmp",
    "cmpenv",
    "stdout",
    "stderr",
    "grep",
    "env",
    "cd",
    "stdin",
    "cp",
    "mkdir",
    "rm",
    "mv",
    "exists",
    "skip",
    "stop",
    "symlink",
    "chmod",
    "exec",
    "env-fill",
    "env-read",
    "find-files",
    "memregistry",
    "mod-time",
    "wait",
)
_VARIABLE = re.compile(r"\$(?:\{([^}]*)\}|([A-Za-z_][A-Za-z0-9_]*|[/:$]))")
LANGUAGE_VERSION = "v0.17.0"


class Failed(Exception):
    pass


class Ended(Exception):
    pass


class Skipped(Exception):
    pass


def split_line(line, expand):
    """The words of a line. Single quotes keep spaces and dollar signs; a doubled one inside stands for itself."""
    words = []
    word = None
    at = 0
    start = 0

    def flush(end):
        nonlocal word
        if end > start:
            word = (word or "") + expand(line[start:end])

    while at <= len(line):
        char = line[at] if at < len(line) else "\n"
        if char == "'":
            flush(at)
            word = word or ""
            at += 1
            while True:
                end = line.find("'", at)
                if end < 0:
                    raise Failed("unterminated quote")
                word += line[at:end]
                if line[end + 1 : end + 2] == "'":
                    word += "'"
                    at = end + 2
                    continue
                at = end + 1
                break
            start = at
            continue
        if char in " \t\r\n" or (char == "#" and (at == 0 or line[at - 1] in " \t")):
            flush(at)
            if word is not None:
                words.append(word)
            word = None
            if char == "#":
                break
            at += 1
            start = at
            continue
        at += 1
    return words


def commands_of(comment: bytes):
    for number, line in enumerate(comment.decode("utf-8", "surrogateescape").splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def _without_prefixes(line):
    words = line.split()
    while words and (words[0] in ("!", "?") or words[0].startswith("[")):
        words = words[1:]
    return words


def registries(archive: txtar.Archive):
    """The folders of modules that the script wants to be served."""
    return sorted({name.split("/")[0] for name in archive.files if name.startswith("_registry") and "/" in name})


def applies(archive: txtar.Archive):
    """Whether the script stays within what this runner and the subject's commands are for, without a registry."""
    if registries(archive):
        return False
    uses = False
    for _, line in commands_of(archive.comment):
        words = _without_prefixes(line)
        if not words:
            continue
        if words[0] not in _COMMANDS:
            return False
        if words[0] == "exec":
            if words[1] in ("cue", "cue_exitzero") and len(words) > 2 and words[2] in _SUBCOMMANDS:
                uses = True
            elif words[1] not in _HOST_PROGRAMS:
                return False
    return uses


class Script:
    def __init__(self, program: Program, work):
        self.program = program
        self.work = work
        self.folder = work
        self.out = b""
        self.err = b""
        self.input = b""
        self.crashed = False
        self.background = []  # threads, and what they will have to show
        self.services = []
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": "/no-home",
            "TMPDIR": os.path.join(work, ".tmp"),
            "WORK": work,
            "PWD": work,
            "devnull": os.devnull,
            "/": "/",
            ":": ":",
            "$": "$",
            "exe": "",
            "GOOS": "linux",
            "CUE_CACHE_DIR": os.path.join(work, ".tmp/cache"),
            "CUE_LANGUAGE_VERSION": LANGUAGE_VERSION,
            "CUE_LANGUAGE_VERSION_BUGFIX": LANGUAGE_VERSION.rsplit(".", 1)[0] + ".99",
            # A request for another machine must fail at once instead of leaving this one.
            "HTTPS_PROXY": "http://127.0.0.1:9",
            "HTTP_PROXY": "http://127.0.0.1:9",
            "NO_PROXY": "127.0.0.1,localhost",
        }

    def serve(self, archive: txtar.Archive):
        for name in registries(archive):
            registry = script_registry.registry_of(archive.files, name)
            self.services.append(registry)
            number = name.removeprefix("_registry")
            below = f"/{registry.prefix}" if registry.prefix else ""
            self.environment[f"CUE_REGISTRY{number}"] = f"{registry.host}{below}+insecure"
            self.environment[f"DEBUG_REGISTRY{number}_HOST"] = registry.host

    def end(self):
        for thread, _ in self.background:
            thread.join()
        for service in self.services:
            service.__exit__(None, None, None)

    # ---- helpers ----
    def expand(self, text):
        def value(match):
            name = match.group(1) if match.group(1) is not None else match.group(2)
            if name.endswith("@R"):
                return re.escape(self.environment.get(name[:-2], ""))
            return self.environment.get(name, "")

        return _VARIABLE.sub(value, text)

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        if name == "stdout":
            return self.out
        if name == "stderr":
            return self.err
        try:
            with open(self.path(name), "rb") as source:
                return source.read()
        except OSError as error:
            raise Failed(f"cannot read {name}: {error.strerror}") from error

    def condition(self, name):
        if name.startswith("!"):
            return not self.condition(name[1:])
        if name.startswith("exec:"):
            return shutil.which(name[5:]) is not None
        if name.startswith("go1."):
            return int(name[4:]) <= 26
        return name in ("unix", "linux", "amd64", "symlink", "link", "gc")

    # ---- commands ----
    def run_line(self, line):
        words = split_line(line, self.expand)
        while words and words[0].startswith("[") and words[0].endswith("]"):
            if not self.condition(words[0][1:-1].strip()):
                return
            words = words[1:]
        expected = True
        if words and words[0] in ("!", "?"):
            expected = False if words[0] == "!" else None
            words = words[1:]
        if not words:
            return
        action = getattr(self, "do_" + words[0].replace("-", "_"), None)
        if action is None:
            raise Failed(f"unknown command {words[0]}")
        action(expected, words[1:])

    def do_exec(self, expected, words):
        if words[-1].startswith("&"):
            results = []
            thread = threading.Thread(target=lambda: results.append(self._run(words[:-1])))
            thread.start()
            self.background.append((thread, results))
            return
        result = self._run(words)
        self.out, self.err = result.out, result.err
        if result.ending != "exit":
            self.crashed = True
            raise Failed("crashes" if result.ending == "crash" else "does not end")
        if expected is not None and result.ok != expected:
            first = next((text for text in result.err.decode("utf-8", "replace").splitlines() if text.strip()), "")
            raise Failed(("fails" if expected else "succeeds where it must fail") + (f": {first}" if first else ""))

    def _run(self, words):
        if words[0] in ("cue", "cue_exitzero"):
            program, arguments = self.program, words[1:]
        else:
            program, arguments = Program((words[0],)), words[1:]
        environment = {key: value for key, value in self.environment.items() if key not in ("/", ":", "$")}
        environment["PWD"] = self.folder
        given, self.input = self.input, b""
        return program.run(arguments, self.folder, environment, given)

    def do_wait(self, _, words):
        done = [(thread.join(), results)[1] for thread, results in self.background]
        self.background = []
        self.out = b"".join(result.out for results in done for result in results)
        self.err = b"".join(result.err for results in done for result in results)

    def _compare(self, expected, words, expanded):
        if len(words) != 2:
            raise Failed("cmp wants two files")
        actual, wanted = self.read(words[0]), self.read(words[1])
        if expanded:
            wanted = self.expand(wanted.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        if (actual == wanted) != expected:
            raise Failed(
                f"{words[0]} and {words[1]} "
                + (f"differ: {first_difference(actual, wanted)}" if expected else "are equal")
            )

    def do_cmp(self, expected, words):
        self._compare(expected, words, False)

    def do_cmpenv(self, expected, words):
        self._compare(expected, words, True)

    def _match(self, expected, words, text, what):
        count = None
        while words and words[0].startswith("-"):
            if words[0].startswith("-count="):
                count = int(words[0][7:])
            words = words[1:]
        try:
            found = re.findall(
                "(?m)" + words[0].replace("(?s)", ""),
                text.decode("utf-8", "replace"),
                re.S if "(?s)" in words[0] else 0,
            )
        except re.error as error:
            raise Failed(f"pattern {words[0]!r}: {error}") from error
        if bool(found) != expected:
            raise Failed(f"{what} {'has no' if expected else 'has'} match for {words[0]!r}")
        if count is not None and len(found) != count:
            raise Failed(f"{what} has {len(found)} matches for {words[0]!r}, not {count}")

    def do_stdout(self, expected, words):
        self._match(expected, words, self.out, "stdout")

    def do_stderr(self, expected, words):
        self._match(expected, words, self.err, "stderr")

    def do_grep(self, expected, words):
        self._match(expected, words[:-1], self.read(words[-1]), words[-1])

    def do_env(self, _, words):
        for word in words:
            name, _, value = word.partition("=")
            self.environment[name] = value

    def do_env_fill(self, _, words):
        for word in words:
            text = self.expand(self.read(word).decode("utf-8", "surrogateescape"))
            with open(self.path(word), "wb") as out:
                out.write(text.encode("utf-8", "surrogateescape"))

    def do_env_read(self, _, words):
        self.environment[words[0]] = self.read(words[1]).decode("utf-8", "surrogateescape")

    def do_mod_time(self, _, words):
        self.out = str(os.stat(self.path(words[0])).st_mtime_ns).encode()

    def do_find_files(self, _, words):
        found = []
        for word in words:
            for folder, _, files in os.walk(self.path(word)):
                found += [os.path.relpath(os.path.join(folder, name), self.work) for name in files]
        found.sort(key=lambda name: name.split("/"))
        self.out = "".join(name + "\n" for name in found).encode()

    def do_memregistry(self, _, words):
        authorization = None
        if words[0].startswith("-auth="):
            name, _, password = words[0].removeprefix("-auth=").partition(":")
            authorization = {"username": name, "password": password}
            words = words[1:]
        registry = script_registry.ScriptRegistry(authorization=authorization)
        self.services.append(registry)
        self.environment[words[0]] = registry.host

    def do_cd(self, _, words):
        folder = os.path.normpath(self.path(words[0]))
        if not os.path.isdir(folder):
            raise Failed(f"no folder {words[0]}")
        self.folder = folder

    def do_stdin(self, _, words):
        self.input = self.read(words[0])

    def do_cp(self, _, words):
        target = self.path(words[-1])
        for word in words[:-1]:
            data = self.read(word)
            into = os.path.join(target, os.path.basename(word)) if os.path.isdir(target) else target
            with open(into, "wb") as out:
                out.write(data)
            if word not in ("stdout", "stderr"):
                shutil.copymode(self.path(word), into)

    def do_mkdir(self, _, words):
        for word in words:
            os.makedirs(self.path(word), exist_ok=True)

    def do_rm(self, _, words):
        for word in words:
            path = self.path(word)
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            elif os.path.lexists(path):
                os.remove(path)

    def do_mv(self, _, words):
        os.rename(self.path(words[0]), self.path(words[1]))

    def do_symlink(self, _, words):
        os.symlink(words[2], self.path(words[0]))

    def do_chmod(self, _, words):
        for word in words[1:]:
            os.chmod(self.path(word), int(words[0], 8))

    def do_exists(self, expected, words):
        readonly = words[:1] == ["-readonly"]
        for word in words[1:] if readonly else words:
            there = os.path.exists(self.path(word))
            if there != expected:
                raise Failed(f"{word} {'is missing' if expected else 'is there'}")
            if there and readonly and os.stat(self.path(word)).st_mode & stat.S_IWUSR:
                raise Failed(f"{word} is writable")

    def do_skip(self, _, words):
        raise Skipped(" ".join(words) or "the script skips itself")

    def do_stop(self, _, words):
        raise Ended


def first_difference(actual: bytes, wanted: bytes):
    left, right = actual.decode("utf-8", "replace").splitlines(), wanted.decode("utf-8", "replace").splitlines()
    for index in range(max(len(left), len(right))):
        mine = left[index] if index < len(left) else None
        other = right[index] if index < len(right) else None
        if mine != other:
            return f"line {index + 1} is {mine!r}, not {other!r}"
    return "in their line ends"


def run_script(path, subject: Program, left_out):
    name = os.path.basename(path).removesuffix(".txtar")
    archive = txtar.read(path)
    outcome = Outcome(name, "issues" if re.match(r"issue-?\d", name) else name.split("_")[0], "script")
    root = tempfile.mkdtemp(prefix="conformance-")
    try:
        # A module around the work folder keeps the search for one from leaving it.
        os.mkdir(os.path.join(root, "cue.mod"))
        work = os.path.join(root, "script-" + name)
        os.makedirs(os.path.join(work, ".tmp"))
        archive.write_to(work)
        script = Script(subject, work)
        line_number = 0
        try:
            script.serve(archive)
            for line_number, line in commands_of(archive.comment):
                script.run_line(line)
            outcome.passed = True
        except Ended:
            outcome.passed = True
        except Skipped as skipped:
            outcome.left_out = str(skipped)
        except Failed as failure:
            outcome.reason = f"line {line_number}: {failure}".replace(work, "$WORK")
            outcome.survived = not script.crashed
        except OSError as error:
            outcome.reason = f"line {line_number}: {error}".replace(work, "$WORK")
        finally:
            script.end()
    finally:
        _remove(root)
    outcome.left_out = outcome.left_out or left_out.get(name, "")
    return [outcome]


def _remove(root):
    for folder, folders, _ in os.walk(root):
        for name in folders:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                os.chmod(path, 0o755)
    shutil.rmtree(root, ignore_errors=True)


def find_scripts(corpus, with_registry):
    """The scripts that need no registry and stay within the commands, or all that come with modules for one."""
    folder = os.path.join(corpus, "cmd/cue/cmd/testdata/script")
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".txtar")]
    return [path for path in paths if (registries if with_registry else applies)(txtar.read(path))]
