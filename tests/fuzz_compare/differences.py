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
        "a struct or list with an error in a field or element is that error by the specification (“Structs”); one of the two prints what is "
        "beside the error, the other only that there is one",
    "not known yet, written otherwise":
        "both say that the value cannot be told yet and print its source, which is no value: one of the two has put in what it knew of it",
    "not known yet, or an error":
        "both refuse the value (`export` fails either way): one because it is wrong, the other because something it needs is missing or "
        "wrong. The specification knows only bottom",
    "rejected by both": "",
}


class Struct:
    def __init__(self, fields, others):
        self.fields, self.others = fields, others  # by label; declarations that are no fields, as text


class List:
    def __init__(self, elements):
        self.elements = elements


class Text:
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
        split, current = [], []
        for part in parts:
            if isinstance(part, cue_text.Token) and part.kind == "operator" and part.text == operator:
                split.append(current)
                current = []
            else:
                current.append(part)
        split.append(current)
        if len(split) > 1 and all(split):
            return f" {operator} ".join(sorted(_ordered(side) for side in split))
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
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"\s*[?!]?\s*:', "", value.text)
    words = [word for word in _REFERENCE.findall(text) if word[0] != '"']
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


def _walk(mine, other, path, found):
    if isinstance(mine, Struct) and isinstance(other, Struct):
        for name in sorted({*mine.fields, *other.fields}):
            if name in mine.fields and name in other.fields:
                _walk(mine.fields[name], other.fields[name], f"{path}.{name}", found)
            elif is_unevaluated(other if name in mine.fields else mine) and (other if name in mine.fields else mine).others:
                # What is left of a comprehension may be what the field is of.
                found.append(("not known yet, written otherwise", f"{path}.{name}"))
            else:
                present = mine.fields.get(name) or other.fields.get(name)
                found.append((f"{'only ours' if name in mine.fields else 'only theirs'}: field, {_kind(present)}", f"{path}.{name}"))
        if mine.others != other.others:
            if mine.others and other.others:
                found.append(("not known yet, written otherwise", path))
            else:
                found.append((f"{'only ours' if mine.others else 'only theirs'}: source in a struct", path))
        return
    if isinstance(mine, List) and isinstance(other, List) and len(mine.elements) == len(other.elements):
        for index, (a, b) in enumerate(zip(mine.elements, other.elements)):
            _walk(a, b, f"{path}[{index}]", found)
        return
    if isinstance(mine, Text) and isinstance(other, Text) and mine.text == other.text:
        return
    kinds = (_kind(mine), _kind(other))
    if kinds in (("error", "error within"), ("error within", "error"), ("error within", "error within")):
        found.append(("an error, told further in or out", path))
    elif kinds == ("source", "source"):
        found.append(("not known yet, written otherwise", path))
    elif "source" in kinds and ("error" in kinds or "error within" in kinds):
        found.append(("not known yet, or an error", path))
    else:
        found.append((f"ours {kinds[0]}, theirs {kinds[1]}", path))


def causes(mine, other):
    """The names of what differs, each with a place; nothing if only the order of operands does. May raise Unreadable."""
    found = []
    try:
        _walk(read(mine), read(other), "", found)
    except RecursionError as error:
        raise cue_text.Unreadable("nested too deep") from error
    return found
