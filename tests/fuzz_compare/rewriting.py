"""The same program written in other ways that the specification calls equal.

Unification commutes, associates and has `_` as its identity, and the order of declarations means nothing. So a tool that gives another
answer to another order contradicts itself: that tells, without a judge, which of two tools that differ is the wrong one."""

import cue_text

_TIGHT = {"(": ")", "[": "]", "{": "}"}


def _text(part, order):
    if not isinstance(part, cue_text.Group):
        return part.text
    items = [_declaration(item, order) for item in part.items]
    if part.open == "{":
        return "{\n" + "\n".join(order(items)) + "\n}"
    return part.open + ", ".join(items) + _TIGHT[part.open]


def _expression(parts, order, operators):
    """The text of a value, with the operands of & and | in the wanted order."""
    for operator in ("|", "&"):
        operands, current = [], []
        for part in parts:
            if isinstance(part, cue_text.Token) and part.kind == "operator" and part.text == operator:
                operands.append(current)
                current = []
            else:
                current.append(part)
        operands.append(current)
        if len(operands) > 1 and all(operands):
            return f" {operator} ".join(operators([_expression(operand, order, operators) for operand in operands]))
    return " ".join(_text(part, _Both(order, operators)) for part in parts)


class _Both:
    """How declarations are ordered, and operands."""

    def __init__(self, declarations, operands):
        self.declarations, self.operands = declarations, operands

    def __call__(self, items):
        return self.declarations(items)


def _declaration(item, order):
    label, value = cue_text.split_label(item)
    if label:
        return " ".join(_text(part, order) for part in label) + ": " + _declaration(value, order)
    if isinstance(item[0], cue_text.Token) and item[0].text in ("for", "if", "let") and len(item) > 1:
        return " ".join(_text(part, order) for part in item)
    if isinstance(item[0], cue_text.Token) and item[0].text == "...":
        return "..." + " ".join(_text(part, order) for part in item[1:])
    return _expression(item, order.declarations, order.operands)


def _same(items):
    return items


def _reversed(items):
    return items[::-1]


def _fields_first(items):
    """What computes fields, patterns and embeddings come after what is plainly there."""
    return sorted(items, key=lambda text: text.startswith(("for ", "if ", "[", "(")) or ":" not in text.split("\n")[0])


def _fields_last(items):
    return _fields_first(items)[::-1]


_ORDERS = [_Both(_reversed, _same), _Both(_same, _reversed), _Both(_reversed, _reversed), _Both(_fields_first, _same),
           _Both(_fields_last, _same), _Both(_fields_first, _reversed)]


def rewritten(text):
    """Programs that mean what this one means. May raise Unreadable."""
    try:
        items = cue_text.declarations(text)
        found = [text]
        for order in _ORDERS:
            candidate = "\n".join(order([_declaration(item, order) for item in items]))
            if candidate not in found:
                found.append(candidate)
        return found[1:]
    except RecursionError as error:
        raise cue_text.Unreadable("nested too deep") from error
