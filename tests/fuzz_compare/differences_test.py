"""What counts as the same value, what as another way to say that there is none, and what as a difference."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "conformance"))

import differences  # noqa: E402


def names(mine, other):
    return sorted({name for name, _ in differences.causes(mine, other)})


class Differences(unittest.TestCase):
    def test_order_and_brackets_are_none(self):
        self.assertEqual(names("{a: 1, b: 2}", "{\n\tb: 2\n\ta: 1\n}"), [])
        self.assertEqual(names("{a: x & int}", "{a: (int & x)}"), [])

    def test_data_that_differs_is_always_one(self):
        self.assertEqual(names("{a: 1}", "{a: 2}"), ["ours scalar, theirs scalar"])
        self.assertEqual(names("{a: 1, b: _|_}", "{a: 2, b: _|_}"), ["ours scalar, theirs scalar"])
        self.assertEqual(names("{a: [1]}", "{a: [1, 2]}"), ["ours list, theirs list"])
        self.assertEqual(names("{a: int}", "{a: string}"), ["ours constraint, theirs constraint"])

    def test_an_error_where_the_other_has_a_value_is_one(self):
        self.assertEqual(names("{a: _|_}", "{a: 1}"), ["ours error, theirs scalar"])
        self.assertEqual(names("{a: 1}", "{a: _|_}"), ["ours scalar, theirs error"])
        self.assertEqual(names("{a: 1}", "{a: 1, b: 2}"), ["theirs has a field more, scalar"])

    def test_an_evaluated_value_where_the_other_waits_is_one(self):
        self.assertEqual(names("{a: 10}", "{a: x.y & 10}"), ["ours scalar, theirs source"])
        self.assertEqual(names("{a: 1}", "{a: 1\n if x {b: 1}}"), ["theirs has source in a struct"])

    def test_a_text_with_an_operator_in_it_is_data(self):
        self.assertEqual(names("{a: _|_}", '{a: "s-1"}'), ["ours error, theirs scalar"])
        self.assertEqual(names("{a: _|_}", '{a: "s" + b}'), ["not known yet, or an error"])
        self.assertEqual(names("{a: _|_}", '{a: "s-1" + "b"}'), ["not known yet, or an error"])
        self.assertEqual(names("{a?: \"x\"}", '{a?: "y" | *"x"}'), ["not known yet, written otherwise"])
        self.assertEqual(names("{a: _|_}", '{a: "y" & "x" | "z"}'), ["not known yet, or an error"])

    def test_two_ways_to_say_that_there_is_no_value(self):
        self.assertEqual(names("_|_", "{a: _|_}"), ["an error, told further in or out"])
        self.assertEqual(names("{a: x.y}", "{a: _|_}"), ["not known yet, or an error"])
        self.assertEqual(names("{a: b + 1}", "{a: c + 1}"), ["not known yet, written otherwise"])

    def test_a_type_is_what_it_is_defined_as(self):
        self.assertEqual(names("{a: uint}", "{a: int & >=0}"), [])
        self.assertEqual(names("{a: uint}", "{a: int & >=1}"), ["ours constraint, theirs constraint"])

    def test_fields_taken_from_a_struct_with_an_error(self):
        def of_failed(text, ours, theirs):
            return differences.of_failed_structs(text, ours, theirs, {place for _, place in differences.causes(ours, theirs)})
        guarded = "if a.b != _|_ {\nr: a.b\n}"
        ours, theirs = "{r: _|_, a: {b: 1, c: _|_}}", "{r: 1, a: {b: 1, c: _|_}}"
        self.assertEqual(of_failed(guarded, ours, theirs), {'.""r"'})
        self.assertFalse(of_failed("r: a.b", ours, theirs))
        self.assertFalse(of_failed(guarded, theirs, ours))
        self.assertFalse(of_failed(guarded, "{r: _|_, a: {b: 1}}", "{r: 1, a: {b: 1}}"))
        self.assertEqual(of_failed(guarded, "{r: _|_, s: 1, a: {c: _|_}}", "{r: 1, s: 2, a: {c: _|_}}"), {'.""r"'})

    def test_lists_with_an_error_are_that_error(self):
        self.assertEqual(names('{a: [_|_, "b"]}', "{a: [_|_, _|_]}"), ["an error, told further in or out"])
        self.assertEqual(names('{a: [1, "b"]}', "{a: [_|_, _|_]}"), ["ours scalar, theirs error"])
        self.assertEqual(names("{a: [_|_, 1]}", "{a: [_|_, 2]}"), ["ours scalar, theirs scalar"])

    def test_lists_of_fields_that_may_never_be_there(self):
        self.assertEqual(names("{a?: []}", "{a?: [...string]}"), ["not known yet, written otherwise"])
        self.assertEqual(names("{a?: [1]}", "{a?: [1, ...string]}"), ["not known yet, written otherwise"])
        self.assertEqual(names("{a?: [1]}", "{a?: [...string]}"), ["ours list, theirs constraint"])
        self.assertEqual(names("{a: []}", "{a: [...string]}"), ["ours list, theirs constraint"])

    def test_alternatives_that_are_the_same(self):
        self.assertEqual(names("{a: {b: 1}}", "{a: {b: 1} | {b: 1}}"), ["an alternative, printed once or twice"])
        self.assertEqual(names("{a: [] | []}", "{a: []}"), ["an alternative, printed once or twice"])
        self.assertEqual(names("{a: {b: 1}}", "{a: {b: 1} | {b: 2}}"), ["ours struct, theirs constraint"])
        self.assertEqual(names("{a: {b: 2}}", "{a: {b: 1} | {b: 1}}"), ["ours scalar, theirs scalar"])

    def test_fields_that_may_never_be_there(self):
        self.assertEqual(names("{a?: {b: 1}}", "{a?: #A}"), ["not known yet, written otherwise"])
        self.assertEqual(names("{a?: {b: 1}}", "{a?: {b: 2}}"), ["ours scalar, theirs scalar"])
        self.assertEqual(names("{a: {b: 1}}", "{a: #A}"), ["ours struct, theirs source"])

    def test_places_within_each_other(self):
        self.assertTrue(differences.overlap('.""a"', '.""a".""b"'))
        self.assertTrue(differences.overlap('.""a"[0]', '.""a"'))
        self.assertTrue(differences.overlap("", ".#A"))
        self.assertFalse(differences.overlap(".#A", ".#AB"))
        self.assertFalse(differences.overlap('.""a"[0]', '.""a"[1]'))

    def test_the_oracle_is_asked_only_for_errors_of_ours(self):
        ours = "{a: [1, {b: _|_}], #D: 1, c!: _|_}"
        self.assertEqual(differences.question("asked", ours, '.""a"[1]'), "asked.a[1] == _|_")
        self.assertEqual(differences.question("asked", ours, ".#D"), "")
        self.assertEqual(differences.question("asked", ours, '.""c" !'), "")
        self.assertEqual(differences.question("asked", ours, '.""d"'), "")

    def test_all_answers_are_yes_and_the_rest_is_the_same(self):
        def affirmed(found):
            return differences.affirmed("asked", "answers", found, "{a: {}}", 2)
        self.assertTrue(affirmed("{asked: {a: {}}, answers: [true, true]}"))
        self.assertFalse(affirmed("{asked: {a: {}}, answers: [true, false]}"))
        self.assertFalse(affirmed("{asked: {a: {}}, answers: [true]}"))
        self.assertFalse(affirmed("{asked: {a: 1}, answers: [true, true]}"))
        self.assertFalse(affirmed("_|_"))

    def test_what_is_computed_of_an_error_is_one(self):
        def is_of_errors(text, ours="{a: _|_, d: _|_}", theirs='{a: _|_, d: "s-1"}'):
            return bool(differences.of_errors(text, ours, theirs, {'.""d"'}))
        self.assertTrue(is_of_errors('a: 1 & 2\nd: "s-\\(a)"'))
        self.assertTrue(is_of_errors("a: 1 & 2\nd: a + 1"))
        self.assertTrue(is_of_errors("a: 1 & 2\nd: 1\nd?: a"))
        self.assertFalse(is_of_errors("a: 1 & 2\nd: a | 1"))
        self.assertFalse(is_of_errors("a: 1 & 2\nd: b + 1"))
        self.assertFalse(is_of_errors('a: 1 & 2\nd: "a" + b'))
        self.assertFalse(is_of_errors("a: 1 & 2\nd: false && a"))
        self.assertFalse(is_of_errors("a: 1 & 2\nd: or([a, 1])"))
        self.assertFalse(is_of_errors("a: 1 & 2\nd: [if a {1}]"))
        self.assertFalse(is_of_errors("a: 1 & 2\nd: {if a == _|_ {1}}"))
        self.assertFalse(is_of_errors("a: 1 & 2\nd: a + 1", '{a: _|_, d: "s-1"}', "{a: _|_, d: _|_}"))

    def test_what_is_computed_of_what_waits_does_so_too(self):
        def is_of_errors(ours, theirs, text="e: a.x\nd: e\nd: {}"):
            return bool(differences.of_errors(text, ours, theirs, {'.""d"'}))
        self.assertTrue(is_of_errors("{e: a.x, d: e & {}}", "{e: a.x, d: {}}"))
        self.assertTrue(is_of_errors("{#E: a.x, d: close(#E)}", "{#E: a.x, d: {}}", "#E: a.x\nd: close({#E})"))
        self.assertFalse(is_of_errors("{e: a.x, d: e & {}}", "{e: 1, d: {}}"))
        self.assertFalse(is_of_errors("{e: a.x | 1, d: e & {}}", "{e: a.x | 1, d: {}}"))
        self.assertFalse(is_of_errors("{e: int, d: e & {}}", "{e: int, d: {}}"))
        self.assertFalse(is_of_errors("{e: a.x, d: {}}", "{e: a.x, d: e & {}}"))

    def test_what_both_say_of_a_field(self):
        text = "a: 1 & 2\nb: 3\nb: int\nc: *4 | 5\nd: 6"
        ours = "{a: _|_, b: 3, c: 4, d: 6}"
        self.assertEqual(differences.agreed(text, ours, ours), {"a": "(1 & 2)", "b": "(3)", "d": "(6)"})
        self.assertEqual(differences.agreed(text, ours, "{a: 1, b: _|_, c: 4, d: 7}"), {})

    def test_a_value_that_the_answer_rules_out(self):
        self.assertIn(('a: b: "abc"', '"abc"'), differences.refinements("{a: {b: string}}", "{a: {b: {}}}", '.""a".""b"'))
        self.assertEqual(differences.refinements("{a: string}", "{a: int}", '.""a"'), [])
        self.assertEqual(differences.refinements("{a: {}}", "{a: string}", '.""a"'), [])
        self.assertEqual(differences.refinements("{a: _|_}", "{a: {}}", '.""a"'), [])
        self.assertTrue(differences.is_there('{a: "abc"}', '.""a"', '"abc"'))
        self.assertFalse(differences.is_there("{a: _|_}", '.""a"', '"abc"'))

    def test_every_reason_is_written_down(self):
        for name, reason in [*differences.REASONS.items(), *differences.JUDGED.items()]:
            self.assertGreater(len(reason), 40, name)


if __name__ == "__main__":
    unittest.main()
