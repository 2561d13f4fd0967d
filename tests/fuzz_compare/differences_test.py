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
        guarded = "if a.b != _|_ {\nr: a.b\n}"
        ours, theirs = "{r: _|_, a: {b: 1, c: _|_}}", "{r: 1, a: {b: 1, c: _|_}}"
        self.assertTrue(differences.asks_failed_structs(guarded, ours, theirs))
        self.assertFalse(differences.asks_failed_structs("r: a.b", ours, theirs))
        self.assertFalse(differences.asks_failed_structs(guarded, theirs, ours))
        self.assertFalse(differences.asks_failed_structs(guarded, "{r: _|_, a: {b: 1}}", "{r: 1, a: {b: 1}}"))
        self.assertFalse(differences.asks_failed_structs(guarded, "{r: _|_, s: 1, a: {c: _|_}}", "{r: 1, s: 2, a: {c: _|_}}"))

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
        def of_errors(text):
            return differences.are_of_errors(text, "{a: _|_, d: _|_}", '{a: _|_, d: "s-1"}')
        self.assertTrue(of_errors('a: 1 & 2\nd: "s-\\(a)"'))
        self.assertTrue(of_errors("a: 1 & 2\nd: a + 1"))
        self.assertFalse(of_errors("a: 1 & 2\nd: a | 1"))
        self.assertFalse(of_errors("a: 1 & 2\nd: b + 1"))
        self.assertFalse(of_errors("a: 1 & 2\nd: [if a {1}]"))
        self.assertFalse(of_errors("a: 1 & 2\nd: {if a == _|_ {1}}"))

    def test_every_reason_is_written_down(self):
        for name, reason in [*differences.REASONS.items(), *differences.JUDGED.items()]:
            self.assertGreater(len(reason), 40, name)


if __name__ == "__main__":
    unittest.main()
