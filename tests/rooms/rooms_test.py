#!/usr/bin/env python3
"""Checks that a room includes only from rooms above it in the list of docs/architecture.md,
and keeps to what its place allows: printing and exit codes belong to cli/, the environment to
the rooms that face the outside."""

import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# From the foundation up: a room may include from itself and from those before it.
ROOMS = [
    "base",
    "diag",
    "data",
    "cue/syntax",
    "cue/compile",
    "cue/eval",
    "cue/export",
    "cue/schema",
    "cue/std",
    "cue/module",
    "cue/load",
    "cue",
    "http",
    "oci",
    "kube",
    "opm/builtin",
    "opm/config",
    "opm/model",
    "opm/values",
    "opm/render",
    "opm/release",
    "lsp",
    "cli",
]

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)

# What only some rooms may do, as (rooms that may, pattern, what it is).
RESERVED = [
    (set(), re.compile(r"\bstd::(?:cin|cout|cerr|clog)\b"), "streams, which are not made (cmake/streams.cpp)"),
    ({"cli"}, re.compile(r"\b(?:printf|puts|putchar|perror)\s*\(|\bstd(?:out|err)\b"),
     "printing"),
    ({"cli"}, re.compile(r"(?<![\w.>])(?:std::)?(?:_?exit|quick_exit|abort)\s*\("), "ending the process"),
    ({"base", "cue/module", "oci", "kube", "opm/config", "cli"}, re.compile(r"\b(?:secure_)?getenv\s*\("),
     "reading the environment"),
]


def room_of(path: pathlib.PurePosixPath) -> str | None:
    """The room of a file, given its path below src/: the longest name that fits."""
    folder = path.parent.as_posix()
    while folder not in ("", "."):
        if folder in ROOMS:
            return folder
        folder = pathlib.PurePosixPath(folder).parent.as_posix()
    return None


def problems(source: pathlib.Path) -> list[str]:
    """Everything below the folder `source` that breaks a rule, one line each."""
    found = []
    for file in sorted(source.rglob("*")):
        if file.suffix not in (".h", ".cpp"):
            continue
        below = pathlib.PurePosixPath(file.relative_to(source).as_posix())
        room = room_of(below)
        if room is None:
            found.append(f"{below}: stands in no room of the list")
            continue
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".h" and not text.startswith("//"):
            found.append(f"{below}:1: a header opens with a comment that says what it is for")
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = pathlib.PurePosixPath(match.group(1))
            target_room = room_of(target)
            if target_room is None:
                found.append(f'{below}:{number}: "{target}" is in no room; includes are named from src/')
            elif not (source / target).is_file():
                found.append(f'{below}:{number}: "{target}" does not exist')
            elif ROOMS.index(target_room) > ROOMS.index(room):
                found.append(f'{below}:{number}: room {room} may not use "{target}": room {target_room} is below it')
        if below.stem.endswith("_test"):
            continue
        code = NOISE.sub(lambda noise: "\n" * noise.group(0).count("\n"), text)
        for number, line in enumerate(code.splitlines(), 1):
            for allowed, pattern, what in RESERVED:
                if room not in allowed and pattern.search(line):
                    found.append(f"{below}:{number}: room {room} may not do this: {what}: {line.strip()}")
    return found


class House(unittest.TestCase):
    def test_every_room_uses_only_rooms_above_it(self):
        found = problems(ROOT / "src")
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_cmake_names_the_rooms_in_the_same_order(self):
        text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        named = re.findall(r"^opm_room\((\S+)", text, re.MULTILINE)
        self.assertEqual(named, [room for room in ROOMS if room in named])
        for room, uses in re.findall(r"^opm_room\((\S+) USES ([^)]*?)(?: LINK[^)]*)?\)", text, re.MULTILINE):
            for used in uses.split():
                self.assertLess(ROOMS.index(used), ROOMS.index(room), f"{room} uses {used}")

    def test_the_documentation_names_the_rooms_in_the_same_order(self):
        text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^\| `src/([\w/]+)/?`", text, re.MULTILINE), ROOMS)


class Walker(unittest.TestCase):
    """The check itself: that it finds what it is there to find."""

    def problems_of(self, files: dict[str, str]) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder)
            for name, text in files.items():
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                (source / name).write_text(text, encoding="utf-8")
            return problems(source)

    def test_finds_an_include_from_below(self):
        found = self.problems_of({"data/tree.h": "// x\n", "diag/a.cpp": '#include "data/tree.h"\n'})
        self.assertEqual(found, ['diag/a.cpp:1: room diag may not use "data/tree.h": room data is below it'])

    def test_allows_an_include_from_above_and_beside(self):
        self.assertEqual(
            self.problems_of({"diag/a.h": "// x\n", "data/b.h": '// x\n#include "diag/a.h"\n',
                              "data/c.cpp": '#include "data/b.h"\n#include <vector>\n'}), [])

    def test_the_face_of_the_engine_is_below_its_parts(self):
        found = self.problems_of({"cue/value.h": "// x\n", "cue/eval/a.cpp": '#include "cue/value.h"\n'})
        self.assertEqual(len(found), 1)
        self.assertIn("room cue/eval may not use", found[0])

    def test_finds_a_file_without_a_room_and_an_include_of_nothing(self):
        found = self.problems_of({"attic/a.cpp": "", "base/b.cpp": '#include "c.h"\n#include "base/d.h"\n'})
        self.assertEqual(len(found), 3)

    def test_finds_printing_outside_the_command_line(self):
        code = '// printf() is not for us\nauto s = "printf()";\nprintf("s");\n'
        self.assertEqual(len(self.problems_of({"base/a.cpp": code})), 1)
        self.assertEqual(self.problems_of({"cli/a.cpp": code}), [])

    def test_finds_a_stream_that_nobody_makes(self):
        code = '// std::cout is not for us\nauto s = "std::cout";\nstd::cout << s;\n'
        self.assertEqual(len(self.problems_of({"base/a.cpp": code})), 1)
        self.assertEqual(len(self.problems_of({"cli/a.cpp": code})), 1)

    def test_finds_a_header_without_a_purpose(self):
        self.assertEqual(len(self.problems_of({"base/a.h": "#pragma once\n"})), 1)


if __name__ == "__main__":
    sys.exit(unittest.main())
