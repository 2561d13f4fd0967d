"""Tests of the conformance runners themselves."""

import os
import sys
import tempfile
import unittest

import cue_text
import differential
import known_failures
import report
import testscript
import txtar
from oracle import Memory
from outcome import Outcome
from process import Program, Result


class TxtarTest(unittest.TestCase):
    def test_splits_comment_and_files(self):
        archive = txtar.parse(b"hello\n-- a.cue --\nx: 1\n-- dir/b --\nlast line")
        self.assertEqual(archive.comment, b"hello\n")
        self.assertEqual(archive.files, {"a.cue": b"x: 1\n", "dir/b": b"last line\n"})

    def test_refuses_to_leave_the_folder(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(ValueError):
            txtar.Archive(files={"../x": b""}).write_to(folder)


class ExplanationsTest(unittest.TestCase):
    def test_every_known_failure_needs_a_reason(self):
        explanations = [("a/b x eq", "one"), ("a/c *", "two"), ("a/d *", "three")]
        missing, idle = known_failures.unexplained({"a/b x eq", "a/c y err", "a/e z eq"}, explanations)
        self.assertEqual((missing, idle), (["a/e z eq"], ["a/d *"]))
        self.assertEqual(known_failures.explanation_of("a/c y err", explanations), "two")


class CueTextTest(unittest.TestCase):
    def same(self, left, right, ordered=False):
        return cue_text.normal_form(left, ordered) == cue_text.normal_form(right, ordered)

    def test_layout_comments_and_braces_do_not_matter(self):
        self.assertTrue(self.same("a: b: 1 // c\n", "a: {\n\tb: 1,\n}\n"))
        self.assertTrue(self.same("{a: 1}", "a: 1"))

    def test_order_matters_only_on_request(self):
        self.assertTrue(self.same("a: 1\nb: 2", "b: 2\na: 1"))
        self.assertFalse(self.same("a: 1\nb: 2", "b: 2\na: 1", ordered=True))
        self.assertFalse(self.same("[1, 2]", "[2, 1]"))

    def test_strings_compare_by_what_they_stand_for(self):
        self.assertTrue(self.same('a: "x\\ny"', 'a: """\n\tx\n\ty\n\t"""'))
        self.assertTrue(self.same('a: #"x\\y"#', 'a: "x\\\\y"'))
        self.assertTrue(self.same('"a": 1', "a: 1"))
        self.assertFalse(self.same('"_a": 1', "_a: 1"))
        self.assertFalse(self.same("a: 'x'", 'a: "x"'))

    def test_values_differ(self):
        for left, right in (
            ("a: 1", "a: 2"),
            ("a: 1", "a?: 1"),
            ("a: {}", "a: []"),
            ("a: >1", "a: >=1"),
            ("a: *1 | 2", "a: 1 | *2"),
        ):
            self.assertFalse(self.same(left, right), (left, right))

    def test_finds_top_level_fields(self):
        source = (
            'package p\nimport "list"\na: b: 1 @test(eq, {x: 2})\n#D: {c: 1}, _h: 2\nX=z: 3\n'
            'o?: 1\nr!: 1\n"q": 1\n[string]: int\n'
            'let L = 1\nif a.b > 1 {k: 1}\ns: "\\({a: 1}.a):"\nm: """\n  v: 1\n  """\n#: 1\n'
        )
        self.assertEqual(cue_text.top_level_fields(source), ["a", "#D", "_h", "z", "r", "s", "m", "#"])

    def test_hostile_text_is_unreadable_and_no_crash(self):
        for text in ("{" * 100000, "a: (", '"abc', "a: ]", "\x01"):
            with self.assertRaises(cue_text.Unreadable):
                cue_text.normal_form(text)


class CompareTest(unittest.TestCase):
    def compare(self, command, ours, theirs):
        outcome = Outcome("x", "g")
        differential.compare(differential.Case("x", command, "", ("in.cue",)), ours, theirs, outcome)
        return outcome

    def test_json_is_compared_by_value(self):
        outcome = self.compare("export", Result(0, b'{"a":1,"b":2}', b""), Result(0, b'{\n "b": 2, "a": 1}', b""))
        self.assertTrue(outcome.passed)
        self.assertFalse(outcome.marks["order"])
        self.assertFalse(outcome.marks["text"])
        self.assertFalse(self.compare("export", Result(0, b'{"a":1}', b""), Result(0, b'{"a":2}', b"")).passed)
        self.assertFalse(self.compare("export", Result(0, b"1", b""), Result(0, b"true", b"")).passed)
        self.assertFalse(
            self.compare(
                "export", Result(0, b"12345678901234567890123", b""), Result(0, b"12345678901234567890124", b"")
            ).passed
        )

    def test_verdicts(self):
        self.assertFalse(self.compare("vet", Result(0, b"", b""), Result(1, b"", b"no")).passed)
        outcome = self.compare(
            "vet", Result(1, b"", b"a: bad:\n    ./in.cue:1:2\n"), Result(1, b"", b"a: bad:\n    ./in.cue:1:3\n")
        )
        self.assertTrue(outcome.passed and outcome.marks["wording"] and outcome.marks["every message"])
        self.assertFalse(outcome.marks["positions"] or outcome.marks["error text"])

    def test_positions_of_a_later_version_count_by_themselves(self):
        ours = Result(1, b"", b"a: bad:\n    ./in.cue:1:3\n    ./in.cue:1:2\n")
        theirs = Result(1, b"", b"a: bad:\n    ./in.cue:1:2\n")
        case = differential.Case("x", "vet", "", ("in.cue",))
        for later, either in ((("./in.cue:1:2", "./in.cue:1:3"), True), (("./in.cue:9:9",), False), (None, False)):
            outcome = Outcome("x", "g")
            differential.compare(case, ours, theirs, outcome, later)
            self.assertEqual((outcome.marks["positions"], outcome.marks["either version"]), (False, either))
            self.assertEqual(outcome.marks.get("undisputed"), None if later else False)
        with tempfile.TemporaryDirectory() as folder:
            known_failures.write_later_positions("values", {"a eval": ("./in.cue:1:2", "./b.cue:1:1"), "b eval": ()}, folder)
            self.assertEqual(
                known_failures.read_later_positions("values", folder),
                {"a eval": ("./in.cue:1:2", "./b.cue:1:1"), "b eval": ()},
            )

    def test_errors_are_told_apart_by_path_or_else_by_message(self):
        text = b"a.\"b: c\".0: bad: x:\n    ./in.cue:1:3\n    ./in.cue:1:2\nno path here: bad:\n    ./in.cue:2:1\na: bad\n"
        self.assertEqual(
            differential.errors(text),
            [
                ('a."b: c".0', "bad: x:", frozenset({"./in.cue:1:2", "./in.cue:1:3"})),
                ("", "no path here: bad:", frozenset({"./in.cue:2:1"})),
                ("a", "bad", frozenset()),
            ],
        )

    def test_what_the_oracle_cannot_read_is_too_new(self):
        unread, read, fine = Result(1, b"", b"expected ',', found ')':\n"), Result(1, b"", b"a: bad\n"), Result(0, b"", b"")
        for later, theirs, expected in ((read, unread, True), (unread, unread, False), (read, read, False), (fine, unread, False)):
            self.assertEqual(differential.is_too_new(later, theirs), expected)

    def test_errors_are_counted_by_their_positions(self):
        theirs = b"a: bad:\n    ./in.cue:1:1\nb: bad:\n    ./in.cue:2:1\n"
        for ours, expected in (
            (theirs, (2, 2)),
            (b"b: told otherwise:\n    ./in.cue:2:1\na: bad:\n    ./in.cue:1:1\n    ./in.cue:1:1\n", (2, 2)),
            (b"a: bad:\n    ./in.cue:1:1\n", (1, 2)),  # one too few
            (b"a: bad:\n    ./in.cue:1:1\nb: bad:\n    ./in.cue:2:2\n", (1, 2)),  # another place
            (theirs + b"c: bad\n", (2, 3)),  # one too many
            (theirs + b"a: bad:\n    ./in.cue:1:1\n", (2, 3)),  # one twice
            (b"c: bad:\n    ./in.cue:1:1\nb: bad:\n    ./in.cue:2:1\n", (1, 3)),  # of another field
            (b"", (0, 2)),
        ):
            self.assertEqual(differential.compare_errors(ours, theirs), expected, ours)
        without_path = b"not a path: bad:\n    ./in.cue:1:1\n"
        self.assertEqual(differential.compare_errors(without_path, without_path), (1, 1))
        self.assertEqual(differential.compare_errors(b"a: not a path: bad:\n    ./in.cue:1:1\n", without_path), (1, 1))
        self.assertEqual(differential.compare_errors(b"a: not a path: bad:\n    ./in.cue:1:2\n", without_path), (0, 1))
        self.assertEqual(differential.compare_errors(b"no path: bad:\n    ./in.cue:1:1\n", without_path), (0, 2))

    def test_errors_of_another_verdict_count(self):
        failed, fine = Result(1, b"", b"a: bad:\n    ./in.cue:1:1\nb: bad\n"), Result(0, b"a: 1\n", b"")
        for ours, theirs, expected in ((failed, fine, (0, 2)), (fine, failed, (0, 2)), (failed, failed, (2, 2)), (fine, fine, (0, 0))):
            outcome = self.compare("eval", ours, theirs)
            self.assertEqual((outcome.errors_at_same_places, outcome.errors), expected)

    def test_crash_is_not_a_failure_like_any_other(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(
                Program((sys.executable, "-c", "import os; os.abort()")).run([], folder).ending, "crash"
            )
            self.assertEqual(
                Program((sys.executable, "-c", "import time; time.sleep(9)"))
                .run([], folder, time_limit=0.2)
                .ending,
                "timeout",
            )

    def test_oracle_is_asked_once(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Program((sys.executable, "-c", "import sys; open('asked', 'a').write('x'); print('a: 1')"))
            for _ in range(2):
                memory = Memory(program, folder, {"in.cue": b"a: 1"})
                self.assertEqual(memory.ask(["eval"], folder).out, b"a: 1\n")
                memory.save()
            with open(os.path.join(folder, "asked"), encoding="utf-8") as asked:
                self.assertEqual(asked.read(), "x")


class TestscriptTest(unittest.TestCase):
    def run_text(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "some_script.txtar")
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            stand_in = "import sys; a = sys.argv[1:]; print(sys.stdin.read() or ' '.join(a)); sys.exit('fail' in a)"
            return testscript.run_script(path, Program((sys.executable, "-c", stand_in)), {})[0]

    def test_words(self):
        self.assertEqual(
            testscript.split_line("a 'b c' d'e'f 'it''s' '' # g", lambda text: text),
            ["a", "b c", "def", "it's", ""],
        )

    def test_passes_and_fails(self):
        self.assertTrue(
            self.run_text("exec cue export a\ncmp stdout want\n! exec cue fail\n-- want --\nexport a\n").passed
        )
        self.assertIn("differ", self.run_text("exec cue export b\ncmp stdout want\n-- want --\nexport a\n").reason)
        self.assertIn("must fail", self.run_text("! exec cue export b\n").reason)
        self.assertTrue(self.run_text("env A=b\nexec cue export $A\nstdout '^export b$'\n! stderr .\n").passed)
        self.assertTrue(
            self.run_text(
                "stdin f\nexec cue eval -\nstdout given\n[windows] skip\nstop\nunheard of\n-- f --\ngiven\n"
            ).passed
        )
        self.assertEqual(self.run_text("[!windows] skip 'no reason'\n").left_out, "no reason")

    def test_scripts_with_other_programs_do_not_apply(self):
        self.assertTrue(testscript.applies(txtar.parse(b"exec cue vet\n")))
        self.assertFalse(testscript.applies(txtar.parse(b"exec cue mod tidy\n")))
        self.assertFalse(testscript.applies(txtar.parse(b"exec cue vet\n-- _registry/x --\n")))
        self.assertEqual(testscript.registries(txtar.parse(b"-- _registry/x --\n-- _registry1_prefix --\n")), ["_registry"])

    def test_modules_are_served(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "some_script.txtar")
            with open(path, "w", encoding="utf-8") as out:
                out.write("exec cue GET /v2/p/m.test/x/tags/list\nstdout '\"v0.1.0\"'\n! exec cue GET /v2/m.test/x/tags/list\n"
                          "memregistry OTHER\nenv DEBUG_REGISTRY_HOST=$OTHER\n! exec cue GET /v2/p/m.test/x/tags/list\n"
                          "-- _registry_prefix --\np\n-- _registry/m.test_x_v0.1.0/cue.mod/module.cue --\nmodule: \"m.test/x\"\n")
            stand_in = ("import http.client, os, sys; c = http.client.HTTPConnection(os.environ['DEBUG_REGISTRY_HOST']); "
                        "c.request(*sys.argv[1:]); a = c.getresponse(); print(a.read().decode()); sys.exit(a.status != 200)")
            outcome = testscript.run_script(path, Program((sys.executable, "-c", stand_in)), {})[0]
            self.assertTrue(outcome.passed, outcome.reason)

    def test_waits_for_what_runs_beside(self):
        self.assertTrue(self.run_text("exec cue export a &\nexec cue export b &\nwait\nstdout -count=2 '^export'\n").passed)


class LedgerTest(unittest.TestCase):
    def test_surprises_in_both_directions(self):
        outcomes = [
            Outcome("a", "g", passed=True),
            Outcome("b", "g"),
            Outcome("c", "g"),
            Outcome("d", "g", left_out="x"),
            Outcome("e", "g", left_out="x", survived=False),
        ]
        unexpected, healed, strangers = known_failures.surprises(outcomes, {"a", "b", "gone"})
        self.assertEqual(
            ([outcome.case for outcome in unexpected], healed, strangers), (["c", "e"], ["a"], ["gone"])
        )

    def test_errors_are_added_up_over_cases(self):
        outcomes = [
            Outcome("a eval", "g", "eval whole", errors=3, errors_at_same_places=1),
            Outcome("b eval", "g", "eval whole", errors=1, errors_at_same_places=1),
            Outcome("c eval", "g", "eval whole"),
        ]
        self.assertEqual(report._mark_row("all", outcomes)[-1], "50.0 %")
        self.assertEqual(report._mark_row("none", [])[-1], "–")

    def test_a_score_is_never_rounded_up(self):
        self.assertEqual(report.percent(9999, 10000), "99.9 %")
        self.assertEqual(report.percent(0, 0), "–")


if __name__ == "__main__":
    unittest.main()
