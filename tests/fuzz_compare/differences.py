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
        "written once, what a let stands for in its place, `a | b` for `or([a, b])`), has our answer from the oracle, too",
    "corrected in a later version":
        "version v0.17.1 of the oracle gives our answer: the one of v0.15.4 was a mistake that its authors have corrected since",
    "an error by the oracle's own account":
        "the oracle prints something where ours has an error, but asked `x == _|_` of it says `true`, too: mostly it prints `{}` for what "
        "refers to a struct or list that holds itself",
    "a field of a struct with an error":
        "`if x.f != _|_ {r: x.g}` where another field of `x` is an error in both answers: then `x` is that error, and `x.g` as well; the "
        "oracle has its value where it comes to `r` before it knows of the error, and the error in any other order",
    "computed of an error":
        "a field that is an error in ours, and a value in the oracle's answer, is an operator, call or text of a field that is an error in both",
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


def _walk_struct(mine, other, path):
    found = []
    for name in sorted({*mine.fields, *other.fields}):
        if name in mine.fields and name in other.fields:
            sides = mine.fields[name], other.fields[name]
            within = _walk(*sides, f"{path}.{name}")
            if within and name.endswith("?") and any(map(is_unevaluated, sides)):
                # Nothing has to be known of a field that may never be there.
                within = [("not known yet, written otherwise", f"{path}.{name}")]
            found += within
        else:
            present = mine.fields.get(name) or other.fields.get(name)
            found.append((f"{'ours' if name in mine.fields else 'theirs'} has a field more, {_kind(present)}", f"{path}.{name}"))
    if mine.others != other.others:
        both = mine.others and other.others
        found.append(("not known yet, written otherwise" if both else f"{'ours' if mine.others else 'theirs'} has source in a struct", path))
    # Two different pieces of data are never the same thing written otherwise.
    of_data = {f"ours {a}, theirs {b}" for a in _DATA for b in _DATA}
    # Fields of the program itself have nothing to do with each other, unless one asks for the other.
    if path and has_error(mine) and has_error(other):
        return [(name if name in REASONS or name in of_data else "an error, told further in or out", at) for name, at in found]
    if (mine.others or other.others) and is_unevaluated(mine) and is_unevaluated(other):
        return [(name if name in REASONS or name in of_data else "not known yet, written otherwise", at) for name, at in found]
    if (mine.others or other.others) and (has_error(mine) or has_error(other)):
        return [(name if name in REASONS or name in of_data else "not known yet, or an error", at) for name, at in found]
    return found


def _walk(mine, other, path):
    found = _walk_values(mine, other, path)
    if not found and mine.is_repeated != other.is_repeated:
        return [("an alternative, printed once or twice", path)]
    return found


def _walk_values(mine, other, path):
    if isinstance(mine, Struct) and isinstance(other, Struct):
        return _walk_struct(mine, other, path)
    if isinstance(mine, List) and isinstance(other, List) and len(mine.elements) == len(other.elements):
        return [cause for index, (a, b) in enumerate(zip(mine.elements, other.elements)) for cause in _walk(a, b, f"{path}[{index}]")]
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


_SIMPLE = re.compile(r"(?!.*\b(?:if|for)\b)[^{}|]+")


def are_of_errors(text, mine, other):
    """Whether all that differs are fields of the program that are errors in ours, made of one that is an error in both answers in a way that
    passes on errors: no alternatives, no comprehensions, no questions."""
    ours, theirs = read(mine), read(other)
    if not isinstance(ours, Struct) or not isinstance(theirs, Struct):
        return False
    failed = {name[2:-1] for name, value in ours.fields.items()
              if name.startswith('""') and name in theirs.fields and is_error(value) and is_error(theirs.fields[name])}
    declared = {}
    for item in cue_text.declarations(text):
        label, value = cue_text.split_label(item)
        if label:
            declared.setdefault(cue_text._print_label(label, False).rstrip("!"), []).append(_ordered(value))
    places = [place for name, place in causes(mine, other) if name not in REASONS]
    return bool(places) and all(
        is_error(ours.fields.get(place[1:], Text(""))) and
        any(_SIMPLE.fullmatch(written) and failed & set(re.findall(r"(?<![\w.#])[a-z]\w*", written)) for written in declared.get(place[1:], []))
        for place in places)


_GUARDED = re.compile(r"if (\w+)\.\w+ != _\|_ \{\s*(\w+): \1\.\w+\s*\}")


def asks_failed_structs(text, mine, other):
    """Whether all that differs are fields that a guard takes from a struct which has an error in both answers: an error in ours."""
    ours, theirs = read(mine), read(other)
    if not isinstance(ours, Struct) or not isinstance(theirs, Struct):
        return False
    places = [place for name, place in causes(mine, other) if name not in REASONS]
    taken = {}
    for source, field in _GUARDED.findall(text):
        taken.setdefault(f'.""{field}"', set()).add(f'""{source}"')
    return bool(places) and all(
        place in taken and is_error(ours.fields.get(place[1:], Text(""))) and
        any(all(name in side.fields and has_error(side.fields[name]) for side in (ours, theirs)) for name in taken[place])
        for place in places)


def causes(mine, other):
    """The names of what differs, each with a place; nothing if only the order of operands does. May raise Unreadable."""
    try:
        return _walk(read(mine), read(other), "")
    except RecursionError as error:
        raise cue_text.Unreadable("nested too deep") from error
