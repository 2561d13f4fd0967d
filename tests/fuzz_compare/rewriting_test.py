"""That a program written otherwise is still the same program."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "conformance"))

import rewriting  # noqa: E402


class Rewriting(unittest.TestCase):
    def test_declarations_change_places_and_elements_do_not(self):
        turned = rewriting.Style(lambda items: items[::-1]).program("a: [1, 2]\nb: {c: 1, d: 2}")
        self.assertEqual(turned.split(), "b: { d: 2 c: 1 } a: [1, 2]".split())

    def test_clauses_stay_whole(self):
        text = 'for k, v in x if v & y {"\\(k)": v}'
        self.assertEqual(rewriting.Style(explicit_conditions=True).program(text).split(),
                         'for k , v in x if true && (v & y) { "\\(k)": v }'.split())

    def test_nested_marks_are_those_of_the_specification(self):
        style = rewriting.Style(flat_marks=True)
        self.assertEqual(style.program("a: *((2 | *2) | 1) | 3"), "a: *(2) | (1) | (3) | _|_")
        self.assertEqual(style.program("a: *(1 | 2) | 3"), "a: *(1) | *(2) | (3) | _|_")
        self.assertEqual(style.program("a: (*1 | 2) & (b | c)"), "a: *((1) & (b)) | *((1) & (c)) | ((2) & (b)) | ((2) & (c)) | _|_")
        self.assertEqual(style.program("a: 1 | 2"), "a: 1 | 2")

    def test_operands_change_places_within_their_operator_only(self):
        style = rewriting.Style(operands=lambda items: items[::-1])
        self.assertEqual(style.program("a: b & c | d + 1"), "a: d + 1 | c & b")

    def test_a_reference_is_itself_and_anything(self):
        style = rewriting.Style(explicit_top=True)
        self.assertEqual(style.program("a: b.c\nd: [_h, 1, #A]\ne: b + 1\nf: _"), "a: (b . c & _)\nd: [(_h & _), 1, (#A & _)]\ne: b + 1\nf: _")

    def test_what_is_declared_twice_is_declared_once(self):
        self.assertEqual(rewriting.Style(once=True).program("a: 1\nb: 2\na: 1"), "a: 1\nb: 2")
        self.assertEqual(rewriting.Style(once=True).program("a: b | b\nc: *b | b\nd: b & b & c"), "a: b\nc: * b | b\nd: b & c")

    def test_a_comprehension_alone_in_another_is_its_last_clause(self):
        style = rewriting.Style(joined_clauses=True)
        self.assertEqual(style.program("if a {\nif b {\nc: 1\n}\n}"), "if a if b {\nc: 1\n}")
        self.assertEqual(style.program("if a {\nif b {\nc: 1\n}\nd: 1\n}"), "if a {\nif b {\nc: 1\n}\nd: 1\n}")

    def test_the_right_operand_counts_only_if_the_left_one_leaves_it_open(self):
        style = rewriting.Style(short_circuits=True)
        self.assertEqual(style.program("a: false && b\nc: true || b | 1\nd: b && false\ne: true && b"),
                         "a: false\nc: true | 1\nd: b && false\ne: true && b")

    def test_a_value_stands_where_its_field_is_meant(self):
        def told(text):
            return rewriting.told(text, {"a": "(1)"})
        self.assertEqual(told('a: 1\na: a\nb: a + x.a\nc: "a\\(a)"\nif a > 0 {\nd: a\n}'),
                         ['a: 1\na: a\nb: (1) + x.a\nc: "a\\((1))"\nif (1) > 0 {\nd: (1)\n}'])
        self.assertEqual(told("a: 1\nb: {\na: 2\nc: {d: a}\n}\ne: a"), ["a: 1\nb: {\na: 2\nc: {d: a}\n}\ne: (1)"])
        self.assertEqual(told("a: 1\na: {\nb: a\n}\nc: {d: {\na: 2\n}, e: a}"), ["a: 1\na: {\nb: a\n}\nc: {d: {\na: 2\n}, e: (1)}"])
        self.assertEqual(told("a: 1\nb: [for a in [2] {a}]"), [])
        self.assertEqual(told("a: 1\nlet a = 2\nb: a"), [])
        self.assertEqual(told("a: 1\nb: {a=c: a}"), [])
        self.assertEqual(told("a: 1\nb: #a"), [])

    def test_a_let_stands_where_its_name_does(self):
        style = rewriting.Style(without_lets=True)
        self.assertEqual(style.program('let L = 1 + 2\nb: L\nc: "\\(L)"\nd: e.L'), 'b: (1 + 2)\nc: "\\((1 + 2))"\nd: e . L')

    def test_or_is_an_operator(self):
        style = rewriting.Style(or_as_operator=True)
        self.assertEqual(style.program("a: or([#A, 1 & b])\nc: or(d)\ne: or([for x in y {x}])"),
                         "a: (#A | 1 & b)\nc: or (d)\ne: or ([for x in y {\nx\n}])")

    def test_conditions_are_asked_for_and_replaced(self):
        text = "if a == _|_ {\nb: 1\nif c {\nd: 1\n}\n}\nif e {\nf: 1\n}"
        self.assertEqual(rewriting.asked(text), (text + "\n_asked_0: a == _|_\n_asked_1: e", ["_asked_0", "_asked_1"]))
        self.assertEqual(rewriting.answered(text, ["true", ""]), ["if true {\nb: 1\nif c {\nd: 1\n}\n}\nif e {\nf: 1\n}"])
        self.assertEqual(len(rewriting.answered(text, ["true", "false"])), 3)
        self.assertEqual(rewriting.asked("a: {\nif b {\n}\n}")[1], [])

    def test_another_order_has_all_declarations(self):
        text = "a: 1\nb: 2\nc: {\nd: 3\n}"
        orders = {rewriting.Style(rewriting._shuffled(seed)).program(text) for seed in range(8)}
        self.assertGreater(len(orders), 2)
        self.assertEqual({"".join(sorted(order)) for order in orders}, {"".join(sorted(text))})


if __name__ == "__main__":
    unittest.main()
