"""In which way two printed values differ, place by place, so that many differences can be counted by cause.

`cue eval --ignore` prints three kinds of things: data, errors (`_|_`), and the source of what cannot be evaluated yet. Only the first
is a value that the language defines. `causes` names for each place where two values differ what is there on either side; `REASONS`
has those names that are not a matter of the language, each with the reason. Any other name is a difference to be looked into."""

import re

import cue_text

ERROR = "_|_"

# Why a difference of that name is none of the value: the table in docs/fuzzing.md is made of this.
REASONS = {
    "an error, told further in or out":
        "a struct or list with an error in it is that error by the specification: one of the two prints what is beside the error or follows "
        "from it, the other only that there is one",
    "not known yet, written otherwise":
        "both say that the value cannot be told yet and print source, which is no value: one of the two has put in what it knows of it, or "
        "prints a whole struct as source because one comprehension in it waits",
    "not known yet, or an error":
        "both refuse the value (`export` fails either way), one because it is wrong, the other because something it needs is not there: "
        "the specification knows only bottom",
    "an alternative, printed once or twice":
        "`x | x` is `x` by the specification: one of the two prints both, as it has them from different places",
}

# Why ours is right where the values do differ, shown for each such program by evidence that compare.py asks for.
JUDGED = {
    "the oracle contradicts itself":
        "the same program, written otherwise in a way that the specification calls equal (another order of declarations or operands, "
        "nested disjunctions written flat by the rules for marks, `true && c` for a condition `c`, `r & _` for a reference `r`, repeated declarations "
        "or operands written once, what a let stands for in its place, `a | b` for `or([a, b])`, `if c if d {}` for `if c {if d {}}`, `false` for "
        "`false && c`, a reference replaced by the error or the literal, or a condition by the truth value that both say it is), has our answer "
        "from the oracle, too",
    "corrected in a later version":
        "version v0.17.1 of the oracle gives our answer: the one of v0.15.4 was a mistake that its authors have corrected since",
    "an error by the oracle's own account":
        "the oracle prints something where ours has an error, but asked `x == _|_` of it says `true`, too: mostly it prints `{}` for what "
        "refers to a struct or list that holds itself",
    "a field of a struct with an error":
        "`if x.f != _|_ {r: x.g}` where another field of `x` is an error in both answers: then `x` is that error, and `x.g` as well; the "
        "oracle has its value where it comes to `r` before it knows of the error, and the error in any other order",
    "computed of an error":
        "a field that is an error or not known in ours, and a value in the oracle's answer, is an operator, call, text or unification of a field "
        "that is an error or not known in both: bottom by the specification",
    "what the oracle's answer rules out, it has":
        "the oracle has `{}` where ours is `string`, but with `& \"s\"` beside it has `\"s\"`, as ours: by the specification that would be "
        "`{} & \"s\"`, an error. It happens where a struct has nothing but conditions that are false",
}


class Value:
    is_repeated = False  # printed as several alternatives that are all the same


class Struct(Value):
    def __init__(self, fields, others):
        self.fields, self.others = fields, others  # by label; declarations that are no fields, as text


class List(Value):
    def __init__(self, elements):
        self.elements = elements


class Text(Value):
    def __init__(self, text):
        self.text = text


def _is_group(parts, bracket):
    return len(parts) == 1 and isinstance(parts[0], cue_text.Group) and parts[0].open == bracket


def _value(parts):
    label, _ = cue_text.split_label(parts)
    if label:
        return _struct([parts])
    if _is_group(parts, "("):
        inner = parts[0].items
        if len(inner) == 1:
            return _value(inner[0])
    alternatives = cue_text.operands(parts, "|")
    if len(alternatives) > 1 and len(set(map(_ordered, alternatives))) == 1:
        value = _value(alternatives[0])
        value.is_repeated = True
        return value
    if _is_group(parts, "{"):
        items = parts[0].items
        # Braces around something that is no struct are that.
        if len(items) == 1 and not cue_text.split_label(items[0])[0] and not _is_clause(items[0]) and not _is_open(items[0]):
            return _value(items[0])
        return _struct(items)
    if _is_group(parts, "[") and not any(_is_clause(item) or _is_open(item) for item in parts[0].items):
        return List([_value(item) for item in parts[0].items])
    return Text(_ordered(parts))


def _is_clause(item):
    return isinstance(item[0], cue_text.Token) and item[0].text in ("for", "if", "let") and len(item) > 1


def _is_open(item):
    return isinstance(item[0], cue_text.Token) and item[0].text == "..."


def _struct(items):
    fields, others = {}, []
    for item in items:
        label, value = cue_text.split_label(item)
        if label:
            name = cue_text._print_label(label, False)
            read = _value(value)
            if name in fields and isinstance(fields[name], Struct) and isinstance(read, Struct):
                read = Struct({**fields[name].fields, **read.fields}, fields[name].others + read.others)
            fields[name] = read
        elif not (_is_clause(item) and item[0].text == "let"):
            others.append(_ordered(item))
    return Struct(fields, sorted(others))


def _ordered(parts):
    """The text of an expression; the order of what is unified or offered does not matter."""
    for operator in ("|", "&"):
        split = cue_text.operands(parts, operator)
        if len(split) > 1:
            sides = {_ordered(side) for side in split}
            if operator == "&" and sides >= {"int", ">= 0"}:
                sides = sides - {"int", ">= 0"} | {"uint"}  # by definition
            return f" {operator} ".join(sorted(sides))
    return " ".join(_part(part) for part in parts)


def _part(part):
    if isinstance(part, cue_text.Group):
        closer = {"(": ")", "[": "]", "{": "}"}[part.open]
        texts = [_declaration(item) for item in part.items]
        if part.open == "{":
            texts.sort()
        return part.open + ", ".join(texts) + closer
    return cue_text._print_part(part, False)


def _declaration(item):
    label, value = cue_text.split_label(item)
    if label:
        return f"{cue_text._print_label(label, False)}: {_ordered(value)}"
    return _ordered(item)


def read(text):
    items = cue_text.declarations(text)
    if len(items) == 1:
        return _value(items[0])
    return _struct(items)


_TYPES = {"int", "string", "number", "bool", "float", "bytes", "uint8", "null", "true", "false", "_", "uint", "int8", "int16", "int32",
          "int64", "uint16", "uint32", "uint64", "float32", "float64", "close", "rune"}
_REFERENCE = re.compile(r'"(?:[^"\\\n]|\\[^(])*"|#?_?#?[A-Za-z_$][\w$]*')


def is_unevaluated(value):
    """Whether source is printed: something is called, computed or referred to."""
    if isinstance(value, Struct):
        return bool(value.others) or any(is_unevaluated(field) for field in value.fields.values())
    if isinstance(value, List):
        return any(is_unevaluated(element) for element in value.elements)
    if ERROR in value.text:
        return False
    if "\\(" in value.text:
        return True
    text = re.sub(r'"?"(?:[^"\\\n]|\\.)*"\s*[?!]?\s*:', "", value.text)
    text = re.sub(r"""["']"(?:[^"\\\n]|\\.)*\"""", "0", text)  # what a text says is no expression
    words = _REFERENCE.findall(text)
    if re.search(r"(^|\| ?)\* ?[\w(\[{]|\b0 & 0\b", text):
        return True  # a default that was not taken, or texts that were not united
    return any(word not in _TYPES for word in words) or bool(re.search(r"[\w)\]\"] ?([-+*/<>]|==|!=|&&|\|\|) ?[\w(\[\"]", text))


def has_error(value):
    if isinstance(value, Struct):
        return any(has_error(field) for name, field in value.fields.items() if not name.endswith("?"))
    if isinstance(value, List):
        return any(map(has_error, value.elements))
    return ERROR in value.text


def is_error(value):
    return isinstance(value, Text) and value.text == ERROR


def is_whole_error(answer):
    return is_error(read(answer))


def is_not_known(value):
    """Not an error, not data: constraints and source."""
    if isinstance(value, Text):
        return not is_error(value) and not re.fullmatch(r'-?\d[\w.+-]*|".*|\'.*|true|false|null', value.text)
    return is_unevaluated(value)


def _kind(value):
    if is_error(value):
        return "error"
    if has_error(value):
        return "error within"
    if is_unevaluated(value):
        return "source"
    if isinstance(value, Struct):
        return "struct"
    if isinstance(value, List):
        return "list"
    return "constraint" if is_not_known(value) else "scalar"


_DATA = ("scalar", "struct", "list")


def _name(mine, other):
    """What it is that differs between two values at one place. Nothing of either is an error or source if both are data."""
    kinds = (_kind(mine), _kind(other))
    if all(kind.startswith("error") for kind in kinds):
        return "an error, told further in or out"
    if all(kind in ("source", "constraint") for kind in kinds) and "source" in kinds:
        return "not known yet, written otherwise"
    if "source" in kinds and any(kind.startswith("error") for kind in kinds):
        return "not known yet, or an error"
    return f"ours {kinds[0]}, theirs {kinds[1]}"


def _all_but_data(found, reason):
    """Two different pieces of data are never the same thing written otherwise."""
    of_data = {f"ours {a}, theirs {b}" for a in _DATA for b in _DATA}
    return [(name if name in REASONS or name in of_data else reason, place) for name, place in found]


def _within_errors(found):
    return _all_but_data(found, "an error, told further in or out")


def _walk_struct(mine, other, path):
    found = []
    for name in sorted({*mine.fields, *other.fields}):
        if name in mine.fields and name in other.fields:
            sides = mine.fields[name], other.fields[name]
            within = _walk(*sides, f"{path}.{name}")
            is_open = any(map(is_unevaluated, sides)) or _is_default_of_list(*sides) or _is_default_of_list(*sides[::-1])
            if within and name.endswith("?") and is_open:
                # Nothing has to be known of a field that may never be there.
                within = [("not known yet, written otherwise", f"{path}.{name}")]
            found += within
        else:
            present = mine.fields.get(name) or other.fields.get(name)
            found.append((f"{'ours' if name in mine.fields else 'theirs'} has a field more, {_kind(present)}", f"{path}.{name}"))
    if mine.others != other.others:
        both = mine.others and other.others
        found.append(("not known yet, written otherwise" if both else f"{'ours' if mine.others else 'theirs'} has source in a struct", path))
    # Fields of the program itself have nothing to do with each other, unless one asks for the other.
    if path and has_error(mine) and has_error(other):
        return _within_errors(found)
    if (mine.others or other.others) and is_unevaluated(mine) and is_unevaluated(other):
        return _all_but_data(found, "not known yet, written otherwise")
    if (mine.others or other.others) and (has_error(mine) or has_error(other)):
        return _all_but_data(found, "not known yet, or an error")
    return found


def _is_default_of_list(one, other):
    """Whether one is `[...T]` or `[x, ...T]` and the other what is printed for it anywhere else: the list without the dots."""
    if not isinstance(one, Text) or not isinstance(other, List):
        return False
    match = re.fullmatch(r"\[(.*?)(?:, )?\.\.\.[^,]*\]", one.text)
    return bool(match) and not _walk(read(f"[{match[1]}]"), other, "")


def _walk(mine, other, path):
    found = _walk_values(mine, other, path)
    if not found and mine.is_repeated != other.is_repeated:
        return [("an alternative, printed once or twice", path)]
    return found


def _walk_values(mine, other, path):
    if isinstance(mine, Struct) and isinstance(other, Struct):
        return _walk_struct(mine, other, path)
    if isinstance(mine, List) and isinstance(other, List) and len(mine.elements) == len(other.elements):
        found = [cause for index, (a, b) in enumerate(zip(mine.elements, other.elements)) for cause in _walk(a, b, f"{path}[{index}]")]
        return _within_errors(found) if has_error(mine) and has_error(other) else found
    if isinstance(mine, Text) and isinstance(other, Text) and mine.text == other.text:
        return []
    return [(_name(mine, other), path)]


def overlap(place, other):
    """Whether one of two places is within the other, or both are the same."""
    shorter, longer = sorted((place, other), key=len)
    return longer == shorter or (longer.startswith(shorter) and longer[len(shorter)] in ".[")


_STEP = re.compile(r'\.""([A-Za-z]\w*)"|\.([_#]+[A-Za-z]\w*)|\[(\d+)\]')


def at(value, place):
    """What a value has at a place, if anything."""
    done = 0
    while done < len(place):
        step = _STEP.match(place, done)
        if not step:
            return None
        index = step.group(3)
        if isinstance(value, Struct) and index is None:
            value = value.fields.get(step.group()[1:])
        elif isinstance(value, List) and index is not None and int(index) < len(value.elements):
            value = value.elements[int(index)]
        else:
            return None
        done = step.end()
    return value


def question(source, mine, place):
    """An expression that is true if what `source` has at the place is an error, as it is in ours. Nothing if it is not, or cannot be asked."""
    value = at(read(mine), place)
    if value is None or not has_error(value):
        return ""
    path = "".join(f"[{step.group(3)}]" if step.group(3) else f".{step.group(1) or step.group(2)}" for step in _STEP.finditer(place))
    return f"{source}{path} == _|_"


def affirmed(source, answers, found, other, count):
    """Whether all answers to the questions are true, in a program that says the same otherwise. May raise Unreadable."""
    whole = read(found)
    fields = whole.fields if isinstance(whole, Struct) else {}
    given = fields.get(f'""{answers}"')
    return (isinstance(given, List) and len(given.elements) == count and
            all(isinstance(answer, Text) and answer.text == "true" for answer in given.elements) and
            not _walk(fields.get(f'""{source}"', Text("")), read(other), ""))


_SIMPLE = re.compile(r"(?!.*(?:\b(?:if|for|or)\b|&&))[^{}|]+")
_EMBEDDED = re.compile(r"\{\s*([#_]*[A-Za-z][\w.]*)\s*\}")
_QUOTED = re.compile(r'["\']"(?:[^"\\\n]|\\[^(])*"')


def _is_bottom(value):
    """An error, or something that waits and no alternative can save."""
    if not isinstance(value, Text) or not is_unevaluated(value):
        return is_error(value)
    outside, within = value.text, None
    while outside != within:
        within, outside = outside, re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "0", outside)
    return not re.search(r"[|*]", outside)


def _names(written):
    """What is referred to, in texts only within `\\(...)`."""
    spoken = "".join(re.findall(r"\\\(([^()]*)\)", written)) if "\\(" in written else _QUOTED.sub("", written)
    return set(re.findall(r"(?<![\w.#])[#_]*[A-Za-z]\w*", spoken))


def of_errors(text, mine, other, places):
    """Those of the places that are fields of the program which are errors or not known in ours, and made of one that is so in both
    answers in a way that passes it on: no alternatives, no comprehensions, no questions."""
    ours, theirs = read(mine), read(other)
    if not isinstance(ours, Struct) or not isinstance(theirs, Struct):
        return set()
    failed = {re.sub(r'^""(.*)"$', r"\1", name) for name, value in ours.fields.items()
              if name in theirs.fields and _is_bottom(value) and _is_bottom(theirs.fields[name])}
    declared = {}
    for item in cue_text.declarations(text):
        label, value = cue_text.split_label(item)
        if label:
            written = _EMBEDDED.sub(r"\1", _ordered(value))
            declared.setdefault(cue_text._print_label(label, False).rstrip("!? "), []).append(written)
    return {place for place in places if _is_bottom(ours.fields.get(place[1:], Text(""))) and
            any(_SIMPLE.fullmatch(written) and failed & _names(written) for written in declared.get(place[1:], []))}


_LITERAL = re.compile(r'-?\d+(?:\.\d+)?|"[\w-]*"|true|false|null')


def agreed(text, mine, other):
    """What fields of the program are by both answers, as source: an error, or the literal that they are declared to be."""
    ours, theirs = read(mine), read(other)
    if not isinstance(ours, Struct) or not isinstance(theirs, Struct):
        return {}
    written = {}
    for item in cue_text.declarations(text):
        label, value = cue_text.split_label(item)
        if label:
            written.setdefault(cue_text._print_label(label, False).rstrip("!? "), set()).add("".join(
                part.text for part in value if not isinstance(part, cue_text.Group)))
    found = {}
    for label, value in ours.fields.items():
        name, theirs_there = re.sub(r'^""(.*)"$', r"\1", label), theirs.fields.get(label)
        if theirs_there is None:
            continue
        if is_error(value) and is_error(theirs_there):
            found[name] = "(1 & 2)"
        for literal in written.get(label, ()):
            if _LITERAL.fullmatch(literal) and all(not _walk(side, read(literal), "") for side in (value, theirs_there)):
                found[name] = f"({literal})"
    return found


_INSTANCES = ('"abc"', "7", "1.5", "true", "null", "[7]")


def refinements(mine, other, place):
    """Declarations to add, each with what the place has then, unless the oracle's `{}` rules it out. Nothing where that is not the difference."""
    ours, theirs = at(read(mine), place), at(read(other), place)
    if not isinstance(ours, Text) or _kind(ours) != "constraint" or not isinstance(theirs, Struct) or _kind(theirs) != "struct":
        return []
    steps = list(_STEP.finditer(place))
    if not steps or any(step.group(3) for step in steps):
        return []
    path = "".join(f"{step.group(1) or step.group(2)}: " for step in steps)
    return [(path + instance, instance) for instance in _INSTANCES]


def truth(answer, name):
    """`true` or `false`, if a field has that value."""
    found = at(read(answer), f".{name}")
    return found.text if isinstance(found, Text) and found.text in ("true", "false") else ""


def is_there(answer, place, instance):
    found = at(read(answer), place)
    return found is not None and not _walk(found, read(instance), "")


_GUARDED = re.compile(r"if (\w+)\.\w+ != _\|_ \{\s*(\w+): \1\.\w+\s*\}")


def of_failed_structs(text, mine, other, places):
    """Those of the places that are fields which a guard takes from a struct that has an error in both answers: an error in ours."""
    ours, theirs = read(mine), read(other)
    if not isinstance(ours, Struct) or not isinstance(theirs, Struct):
        return set()
    taken = {}
    for source, field in _GUARDED.findall(text):
        taken.setdefault(f'.""{field}"', set()).add(f'""{source}"')
    return {place for place in places if place in taken and is_error(ours.fields.get(place[1:], Text(""))) and
            any(all(name in side.fields and has_error(side.fields[name]) for side in (ours, theirs)) for name in taken[place])}


def causes(mine, other):
    """The names of what differs, each with a place; nothing if only the order of operands does. May raise Unreadable."""
    try:
        return _walk(read(mine), read(other), "")
    except RecursionError as error:
        raise cue_text.Unreadable("nested too deep") from error
