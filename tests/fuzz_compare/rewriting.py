"""The same program, written in other ways that the specification calls equal.

The order of declarations means nothing, unification and disjunction commute, the rules for marks say which defaults a nest of
disjunctions has, a condition `c` is `true && c`, a reference `r` is `r & _`, what is declared or offered twice is so once, `let L = e` is
`e` wherever `L` stands, `or([a, b])` is `a | b`, `if c {if d {}}` is `if c if d {}`, `false && c` is false, and a reference to a field is what
that field is known to be. A tool that gives another answer to a program written in one of these ways contradicts itself: that
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
                 once=False, without_lets=False, or_as_operator=False, joined_clauses=False, short_circuits=False):
        self.declarations, self.operands = declarations, operands
        self.flat_marks, self.explicit_conditions, self.explicit_top = flat_marks, explicit_conditions, explicit_top
        self.once, self.without_lets, self.or_as_operator = once, without_lets, or_as_operator
        self.joined_clauses, self.short_circuits = joined_clauses, short_circuits

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
            inner = _only_clauses(part) if self.joined_clauses and last else None
            out.append(self._clauses(inner) if inner else self._part(part))
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
                texts = [self._expression(operand) for operand in operands]
                return f" {operator} ".join(self.operands(list(dict.fromkeys(texts)) if self.once else texts))
        for operator, decides in (("||", "true"), ("&&", "false")) if self.short_circuits else ():
            operands = cue_text.operands(parts, operator)
            if len(operands) > 1:
                return decides if self._parts(operands[0]).strip("()") == decides else self._parts(parts)
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


def _only_clauses(part):
    """The comprehension that is all there is within braces, if that is so."""
    if not isinstance(part, cue_text.Group) or part.open != "{":
        return None
    items = _whole_clauses(part.items)
    return items[0] if len(items) == 1 and len(items[0]) > 1 and _is_token(items[0][0], "for", "if") else None


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
    Style(_reversed, once=True, without_lets=True), Style(joined_clauses=True), Style(short_circuits=True), *(Style(_shuffled(seed)) for seed in range(8)),
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


def _code(text):
    """The positions of a program that are not within texts, each with how many brackets are open there."""
    found, stack, at = {}, [], 0
    while at < len(text):
        is_text = stack and stack[-1] == '"'
        if is_text and text[at] == "\\":
            if text[at + 1: at + 2] == "(":
                stack.append("(")
            at += 2
            continue
        if text[at] == '"':
            stack.pop() if is_text else stack.append('"')
        elif not is_text:
            found[at] = len(stack)
            if text[at] in "{[(":
                stack.append(text[at])
            elif text[at] in ")]}" and stack:
                stack.pop()
        at += 1
    return found


def _with_value(text, name, value):
    """The program with a value in the place of references to a field of it, but for what the field itself is declared as, and where fields
    further in have that name. Nothing if a variable has it."""
    code = _code(text)
    mentions = [match for match in re.finditer(rf"(?<![\w.#$]){name}(?![\w$])", text) if match.start() in code]
    labels = [match for match in mentions if re.match(r" ?[?!]? ?:", text[match.end():])]
    is_named_otherwise = any(re.match(r" ?=(?![=~])| in\b|, \w+ in\b", text[match.end():]) or
                             re.search(r"(?:\blet|\bfor) $|\bfor \w+, $", text[: match.start()]) for match in mentions)
    if is_named_otherwise:
        return ""
    starts = sorted({0, *(at + 1 for at, depth in code.items() if depth == 0 and text[at] in "\n,")})
    within = [_around(code, match.start()) if code[match.start()] else range(
        max(start for start in starts if start <= match.start()), min([start for start in starts if start > match.start()], default=len(text)))
        for match in labels]
    out, done = [], 0
    for match in mentions:
        if match not in labels and not any(match.start() in places for places in within):
            out += [text[done: match.start()], value]
            done = match.end()
    return "".join(out) + text[done:] if out else ""


def _around(code, place):
    """The brackets in which a place is."""
    first = max(at for at, depth in code.items() if at < place and depth < code[place])
    return range(first, min((at for at, depth in code.items() if at > place and depth < code[place]), default=max(code) + 1))


def told(text, values):
    """The program with what is known of its fields in the place of references to them, of one at a time and of all."""
    found, whole = [], text
    if "\"\"\"" in text or "'" in text or "#\"" in text:
        return []
    for name, value in values.items():
        found.append(_with_value(text, name, value))
        whole = _with_value(whole, name, value) or whole
    return [candidate for candidate in dict.fromkeys([*found, whole]) if candidate and candidate != text]


_CONDITION = re.compile(r"^if (.*) \{$", re.MULTILINE)


def conditions(text):
    """What the conditions of the program itself ask, each with its place."""
    code = _code(text)
    return [(match.span(1), match[1]) for match in _CONDITION.finditer(text)
            if code.get(match.start()) == 0 and not re.search(r" if |\blet ", match[1])]


def asked(text):
    """The program with a field for each of its conditions that has its value, and the names of these fields."""
    names = [f"_asked_{number}" for number, _ in enumerate(conditions(text))]
    return "\n".join([text, *(f"{name}: {condition}" for name, (_, condition) in zip(names, conditions(text)))]), names


def answered(text, values):
    """The program with what is known of its conditions (true, false or nothing) in their place, of one at a time and of all."""
    places = [(place, value) for (place, _), value in zip(conditions(text), values) if value]
    found = []
    for chosen in [*([place] for place in places), places]:
        candidate = text
        for (first, last), value in reversed(chosen):
            candidate = candidate[:first] + value + candidate[last:]
        found.append(candidate)
    return [candidate for candidate in dict.fromkeys(found) if candidate != text]
