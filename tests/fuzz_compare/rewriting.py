"""The same program, written in other ways that the specification calls equal.

The order of declarations means nothing, unification and disjunction commute, the rules for marks say which defaults a nest of
disjunctions has, a condition `c` is `true && c`, a reference `r` is `r & _`, what is declared twice is declared once, `let L = e` is
`e` wherever `L` stands, and `or([a, b])` is `a | b`. A tool that gives another answer to a program written in one of these ways contradicts itself: that
tells, without a judge, which of two tools that differ is wrong."""

import random
import re

import cue_text

_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_CLAUSES = ("for", "if", "let")


def _same(items):
    return items


def _reversed(items):
    return items[::-1]


def _fields_first(items):
    """What is plainly there before what is computed: comprehensions, patterns, dynamic fields and embeddings."""
    return sorted(items, key=lambda text: text.startswith(("for ", "if ", "[", "(")) or ":" not in text.split("\n")[0])


def _fields_last(items):
    return _fields_first(items)[::-1]


def _shuffled(seed):
    def shuffle(items):
        return random.Random(seed).sample(items, len(items))
    return shuffle


class Style:
    """One way to write a program."""

    def __init__(self, declarations=_same, operands=_same, flat_marks=False, explicit_conditions=False, explicit_top=False,
                 once=False, without_lets=False, or_as_operator=False):
        self.declarations, self.operands = declarations, operands
        self.flat_marks, self.explicit_conditions, self.explicit_top = flat_marks, explicit_conditions, explicit_top
        self.once, self.without_lets, self.or_as_operator = once, without_lets, or_as_operator

    def program(self, text):
        return "\n".join(self._items(cue_text.declarations(text)))

    def _items(self, items):
        texts = [self._declaration(item) for item in _whole_clauses(items)]
        if self.once:
            texts = list(dict.fromkeys(texts))
        if self.without_lets:
            texts = _put_in(texts)
        return self.declarations(texts)

    def _part(self, part):
        if not isinstance(part, cue_text.Group):
            return part.text
        if part.open == "{":
            return "{\n" + "\n".join(self._items(part.items)) + "\n}"
        return part.open + ", ".join(self._declaration(item) for item in _whole_clauses(part.items)) + _CLOSERS[part.open]

    def _parts(self, parts):
        out, index = [], 0
        while index < len(parts):
            offered = _offered_by_or(parts[index: index + 2]) if self.or_as_operator else None
            if offered:
                out.append("(" + " | ".join(map(self._expression, offered)) + ")")
                index += 2
                continue
            out.append(self._part(parts[index]))
            index += 1
        return " ".join(out)

    def _declaration(self, item):
        if not item:
            raise cue_text.Unreadable("a value is missing")
        label, value = cue_text.split_label(item)
        if label:
            return self._parts(label) + ": " + self._declaration(value)
        if _is_token(item[0], *_CLAUSES) and len(item) > 1:
            return self._clauses(item)
        if _is_token(item[0], "..."):
            return "..." + self._parts(item[1:])
        return self._expression(item)

    def _clauses(self, item):
        """Clauses and the struct behind them."""
        out, condition = [], None
        for index, part in enumerate(item):
            last = index == len(item) - 1
            if condition is not None and (last or _is_token(part, *_CLAUSES)):
                text = self._expression(condition)
                out.append(f"true && ({text})" if self.explicit_conditions else text)
                condition = None
            if condition is not None:
                condition.append(part)
                continue
            out.append(self._part(part))
            if _is_token(part, "if"):
                condition = []
        return " ".join(out)

    def _expression(self, parts):
        if self.explicit_top and _is_reference(parts):
            return f"({self._parts(parts)} & _)"
        if self.flat_marks:
            flat = self._alternatives(parts)
            marked = {text for text, mark in flat if mark}
            if marked and len(flat) <= _MOST_ALTERNATIVES:
                return " | ".join([f"*({text})" for text in sorted(marked)] +
                                  [f"({text})" for text, mark in flat if text not in marked] + ["_|_"])
        for operator in ("|", "&"):
            operands = cue_text.operands(parts, operator)
            if len(operands) > 1:
                return f" {operator} ".join(self.operands([self._expression(operand) for operand in operands]))
        return self._parts(parts)

    def _alternatives(self, parts):
        """What nested disjunctions come to, each with whether it is a default: the rules M, D and U of the specification."""
        if not parts:
            raise cue_text.Unreadable("an operand is missing")
        if len(parts) == 1 and isinstance(parts[0], cue_text.Group) and parts[0].open == "(" and len(parts[0].items) == 1:
            return self._alternatives(parts[0].items[0])
        operands = cue_text.operands(parts, "|")
        if len(operands) > 1 or _is_token(parts[0], "*"):
            found = []
            for operand in operands:
                is_marked = _is_token(operand[0], "*")
                inner = self._alternatives(operand[1:] if is_marked else operand)
                # A mark on what has defaults of its own changes nothing.
                found += [(text, True) for text, _ in inner] if is_marked and not any(mark for _, mark in inner) else inner
            return found
        operands = cue_text.operands(parts, "&")
        if len(operands) == 1:
            return [(self._parts(parts), False)]
        found = [("", None)]
        for operand in operands:
            inner = self._alternatives(operand)
            has_marks = any(mark for _, mark in inner)
            found = [(f"{left} & ({right})" if left else f"({right})", (mark if known is None else known and mark) if has_marks else known)
                     for left, known in found for right, mark in inner][:_MOST_ALTERNATIVES + 1]
        return [(text, bool(mark)) for text, mark in found]


_LET = re.compile(r"let (\w+) = (.*)", re.DOTALL)


def _put_in(texts):
    """Declarations with what their lets stand for in the place of their names."""
    for let in [found for found in map(_LET.fullmatch, texts) if found]:
        name = re.compile(rf"(?<![\w.#])(?<!\. ){let[1]}(?!\w)(?! ?:)")
        texts = [name.sub(lambda _: f"({let[2]})", text) for text in texts if text != let[0]]
    return texts


_MOST_ALTERNATIVES = 40
_NAME = re.compile(r"#?[a-zA-Z]\w*|_#?[a-zA-Z]\w*")


def _is_token(part, *texts):
    return isinstance(part, cue_text.Token) and part.kind != "string" and part.text in texts


def _is_reference(parts):
    """A name, or names with dots between them."""
    return (len(parts) % 2 == 1 and all(_is_token(part, ".") for part in parts[1::2]) and
            all(isinstance(part, cue_text.Token) and _NAME.fullmatch(part.text) for part in parts[::2]))


def _offered_by_or(parts):
    """What `or([...])` offers, if it is that and no comprehension is among it."""
    if len(parts) < 2 or not _is_token(parts[0], "or") or not isinstance(parts[1], cue_text.Group) or len(parts[1].items) != 1:
        return None
    argument = parts[1].items[0]
    if len(argument) != 1 or not isinstance(argument[0], cue_text.Group) or argument[0].open != "[":
        return None
    return argument[0].items if not any(_is_token(item[0], "...", *_CLAUSES) for item in argument[0].items) else None


def _whole_clauses(items):
    """The reader takes the comma of `for k, v in` for one between declarations."""
    out = []
    for item in items:
        if out and _is_token(out[-1][0], "for") and not any(_is_token(part, "in") for part in out[-1]):
            out[-1] = [*out[-1], cue_text.Token("operator", ","), *item]
        else:
            out.append(item)
    return out


STYLES = [
    Style(explicit_conditions=True), Style(flat_marks=True), Style(_reversed), Style(operands=_reversed), Style(_fields_first),
    Style(_fields_last), Style(_reversed, _reversed), Style(_reversed, _same, True, True), Style(_fields_last, _reversed, True, True),
    Style(explicit_top=True), Style(_reversed, explicit_top=True), Style(once=True), Style(without_lets=True), Style(or_as_operator=True),
    Style(_reversed, once=True, without_lets=True), *(Style(_shuffled(seed)) for seed in range(8)),
]


def rewritten(text):
    """Programs that mean what this one means. May raise Unreadable."""
    try:
        found = [text]
        for style in STYLES:
            candidate = style.program(text)
            if candidate not in found:
                found.append(candidate)
        return found[1:]
    except RecursionError as error:
        raise cue_text.Unreadable("nested too deep") from error
