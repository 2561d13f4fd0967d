#!/usr/bin/env python3
"""The runner of the file tests: that it runs, compares and rewrites as it says."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

import golden

PROGRAM = '#!/bin/sh\nprintf \'%s\\n\' "$*"\necho "in $PWD" >&2\nexit 3\n'


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.opm = self.root / "program"
        self.opm.write_text(PROGRAM)
        self.opm.chmod(0o755)

    def write(self, text: str) -> pathlib.Path:
        path = self.root / ("case" + golden.SUFFIX)
        path.write_bytes(text.encode())
        return path

    def verdict(self, text: str, update: bool = False, timeout: float = 20) -> str:
        return golden.check(self.write(text), self.opm, timeout, update)[0]

    def test_compares_both_streams_and_the_exit_code(self):
        good = "# why\n$ opm a b\n> a b\n! in $WORK\n? 3\n"
        self.assertEqual(self.verdict(good), "passed")
        for part, wrong in [("> a b\n", "> a c\n"), ("! in $WORK\n", ""), ("? 3", "? 2"), ("? 3\n", "")]:
            self.assertEqual(self.verdict(good.replace(part, wrong)), "failed")

    def test_gives_each_case_its_files_and_settings(self):
        self.assertEqual(self.verdict("env COLOUR=red\n$ cat d/x; echo $COLOUR; ls $HOME\n> 1\n> red\n-- d/x --\n1\n"),
                         "passed")

    def test_commands_of_a_case_share_its_folder(self):
        self.assertEqual(self.verdict("$ echo 1 >x\n$ cat x\n> 1\n"), "passed")

    def test_does_not_leak_the_environment(self):
        self.assertEqual(self.verdict("$ env | cut -d= -f1 | sort | grep -v -e _OPTIONS -e '^_$' | tr '\\n' ' '\n"
                                      "> HOME LANG PATH PWD TERM TZ \n>~\n"), "passed")

    def test_shows_a_missing_line_break(self):
        self.assertEqual(self.verdict("$ printf a\n> a\n>~\n"), "passed")
        self.assertEqual(self.verdict("$ printf a\n> a\n"), "failed")

    def test_update_rewrites_output_and_keeps_the_rest(self):
        path = self.write("# why\n\n$ opm a\n> old\n-- x --\n1\n")
        self.assertEqual(golden.check(path, self.opm, 20, True)[0], "updated")
        self.assertEqual(path.read_text(), "# why\n\n$ opm a\n> a\n! in $WORK\n? 3\n-- x --\n1\n")
        self.assertEqual(golden.check(path, self.opm, 20, True)[0], "passed")

    def test_a_crash_or_a_hang_fails_even_an_update(self):
        self.assertEqual(self.verdict("$ kill -SEGV $$\n", update=True), "failed")
        self.assertEqual(self.verdict("$ sh -c 'kill -SEGV $$'; exit $?\n", update=True), "failed")
        self.assertEqual(self.verdict("$ sleep 20\n", update=True, timeout=0.2), "failed")

    def test_refuses_what_it_does_not_understand(self):
        for text in ["", "# only a comment\n", "> output without command\n", "$ true\nwhat is this\n",
                     "$ true\n-- ../x --\n"]:
            self.assertEqual(self.verdict(text), "failed", text)

    def test_counts(self):
        self.write("$ true\n")
        (self.root / ("other" + golden.SUFFIX)).write_text("$ false\n")
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            code = golden.main(["--opm", str(self.opm), "--cases", str(self.root)])
        self.assertEqual(code, 1)
        self.assertEqual(text.getvalue().splitlines()[-1], "1 passed, 1 failed")


if __name__ == "__main__":
    sys.exit(unittest.main())
