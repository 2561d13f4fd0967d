#!/usr/bin/env python3
"""File tests: one file holds commands, their inputs and what they have to print.

    # Why this case is here.
    env NAME=value
    $ opm cue export x.cue
    > {
    >     "a": 1
    > }
    $ opm cue vet x.cue y.yaml
    ! a line on standard error
    ? 2
    -- x.cue --
    a: 1
    -- y.yaml --
    a: 2

A `$` line is run by sh in a fresh folder that holds the files below the `--` lines; commands of one
case share it. `>` is a line of standard output, `!` one of standard error, `?` the exit code where it
is not 0, `>~` and `!~` say that the last line had no line break. The folder itself is shown as $WORK,
and HOME, which is empty at the start, as $HOME. `--update` rewrites what commands print."""

import argparse
import concurrent.futures
import dataclasses
import difflib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

CASES = pathlib.Path(__file__).resolve().parent / "cases"
SECTION = re.compile(r"^-- (\S.*?) --$")
SUFFIX = ".golden"
SANITIZER_EXIT = 99


class FormatError(Exception):
    pass


@dataclasses.dataclass
class Command:
    line: str
    expected: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Case:
    # Comments, blank lines and settings as they stand, and commands, in order.
    script: list[str | Command]
    files: list[tuple[str, str]]


def parse(text: str) -> Case:
    case = Case([], [])
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    in_files = False
    for number, line in enumerate(lines, 1):
        section = SECTION.match(line)
        if section:
            in_files = True
            name = section.group(1)
            if name.startswith("/") or ".." in pathlib.PurePosixPath(name).parts:
                raise FormatError(f"line {number}: {name!r} would be outside the folder")
            case.files.append((name, ""))
        elif in_files:
            name, content = case.files[-1]
            case.files[-1] = (name, content + line + "\n")
        elif line.startswith("$ "):
            case.script.append(Command(line[2:]))
        elif line == "" or line.startswith("#") or re.match(r"env \w+=", line):
            case.script.append(line)
        elif line[0] in ">!?" and case.script and isinstance(case.script[-1], Command):
            case.script[-1].expected.append(line)
        else:
            raise FormatError(f"line {number}: neither a comment, env, a command nor its output: {line!r}")
    if not any(isinstance(item, Command) for item in case.script):
        raise FormatError("there is no command")
    return case


def unparse(case: Case) -> str:
    lines = []
    for item in case.script:
        if isinstance(item, Command):
            lines.append("$ " + item.line)
            lines.extend(item.expected)
        else:
            lines.append(item)
    text = "".join(line + "\n" for line in lines)
    for name, content in case.files:
        text += f"-- {name} --\n{content}"
    return text


def as_lines(mark: str, output: bytes, places: list[tuple[str, str]]) -> list[str]:
    text = output.decode("utf-8", errors="backslashreplace").replace("\r", "\\r")
    for path, name in places:
        text = text.replace(path, name)
    if not text:
        return []
    lines = [f"{mark} {line}" if line else mark for line in text.removesuffix("\n").split("\n")]
    if not text.endswith("\n"):
        lines.append(mark + "~")
    return lines


def run_command(line: str, work: pathlib.Path, environment: dict[str, str], timeout: float,
                places: list[tuple[str, str]]) -> tuple[list[str], str | None]:
    """What the command printed, and what makes the case fail whatever is expected."""
    process = subprocess.Popen(["sh", "-c", line], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    problem = None
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        problem = f"still running after {timeout:g} s: {line}"
    lines = as_lines(">", out, places) + as_lines("!", err, places)
    code = process.returncode
    if code != 0:
        lines.append(f"? {code}")
    if problem is None and (code < 0 or code > 128):
        problem = f"ended by signal {-code if code < 0 else code - 128}: {line}"
    if problem is None and (code == SANITIZER_EXIT or b"Sanitizer:" in err or b"runtime error:" in err):
        problem = f"a sanitizer found something: {line}"
    return lines, problem


def run_case(case: Case, opm: pathlib.Path, timeout: float) -> tuple[Case, list[str]]:
    """The case with what its commands really print, and its problems that an update cannot mend."""
    actual = Case([], case.files)
    problems = []
    with tempfile.TemporaryDirectory(prefix="opm-golden-") as temporary:
        base = pathlib.Path(temporary).resolve()
        work, home, programs = base / "work", base / "home", base / "bin"
        for folder in (work, home, programs):
            folder.mkdir()
        (programs / "opm").symlink_to(opm)
        for name, content in case.files:
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(content, encoding="utf-8", newline="\n")
        environment = {
            "PATH": f"{programs}:/usr/bin:/bin",
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "TERM": "dumb",
            "ASAN_OPTIONS": f"exitcode={SANITIZER_EXIT}",
            "UBSAN_OPTIONS": f"exitcode={SANITIZER_EXIT}:print_stacktrace=1",
            "TSAN_OPTIONS": f"exitcode={SANITIZER_EXIT}",
        }
        places = [(str(work), "$WORK"), (str(home), "$HOME")]
        for item in case.script:
            if isinstance(item, Command):
                lines, problem = run_command(item.line, work, environment, timeout, places)
                actual.script.append(Command(item.line, lines))
                if problem:
                    problems.append(problem)
            else:
                if item.startswith("env "):
                    name, _, value = item[4:].partition("=")
                    environment[name] = value.replace("$WORK", str(work)).replace("$HOME", str(home))
                actual.script.append(item)
        # A command may have taken away the right to delete what it left.
        subprocess.run(["chmod", "-R", "u+rwX", str(base)], check=False, stderr=subprocess.DEVNULL)
    return actual, problems


def check(path: pathlib.Path, opm: pathlib.Path, timeout: float, update: bool) -> tuple[str, list[str]]:
    """One of "passed", "failed", "updated", and the lines to show."""
    text = path.read_bytes().decode("utf-8")
    try:
        case = parse(text)
    except FormatError as error:
        return "failed", [str(error)]
    actual, problems = run_case(case, opm, timeout)
    new_text = unparse(actual)
    if problems:
        return "failed", problems + list(difflib.unified_diff(
            text.splitlines(), new_text.splitlines(), "expected", "actual", lineterm=""))
    if new_text == text:
        return "passed", []
    if update:
        path.write_bytes(new_text.encode("utf-8"))
        return "updated", []
    return "failed", list(difflib.unified_diff(text.splitlines(), new_text.splitlines(), "expected", "actual",
                                               lineterm=""))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--opm", default=str(CASES.parents[2] / "build/release/opm"), help="the program to test")
    parser.add_argument("--update", action="store_true", help="rewrite the expected output")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one command")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases at a time")
    parser.add_argument("--cases", default=str(CASES), help="the folder with the cases")
    parser.add_argument("only", nargs="*", help="run the cases whose path contains one of these")
    options = parser.parse_args(arguments)
    opm = pathlib.Path(options.opm).resolve()
    if not opm.is_file():
        print(f"there is no program at {opm}: run scripts/build", file=sys.stderr)
        return 1
    root = pathlib.Path(options.cases).resolve()
    wanted = [word.removeprefix("./") for word in options.only]
    paths = [path for path in sorted(root.rglob("*" + SUFFIX))
             if not wanted or any(word in str(path) for word in wanted)]
    if not paths:
        print("no case matches", file=sys.stderr)
        return 1
    counts = {"passed": 0, "failed": 0, "updated": 0}
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        results = pool.map(lambda path: check(path, opm, options.timeout, options.update), paths)
        for path, (verdict, lines) in zip(paths, results):
            counts[verdict] += 1
            if verdict != "passed":
                print(f"{verdict}: {path.relative_to(root)}")
                for line in lines:
                    print("    " + line)
    print(f"{counts['passed'] + counts['updated']} passed, {counts['failed']} failed"
          + (f" ({counts['updated']} updated)" if counts["updated"] else ""))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
