"""A reading of CUE text that is just deep enough to compare two printed values.

It knows tokens, brackets, declarations and labels, not the language. Two texts that differ only in layout, comments,
quoting of labels and strings, or (on request) in the order of fields have the same normal form.
"""

import json
import re
from dataclasses import dataclass

_SPACE = re.compile(r"[ \t\r]+")
_COMMENT = re.compile(r"//[^\n]*")
_IDENTIFIER = re.compile(r"(?:_?#|#|_)?[A-Za-z_$\u0080-\U0010ffff][\w$]*|_?#|_")
_NUMBER = re.compile(
    r"0[xX][0-9a-fA-F_]+|0[bB][01_]+|0o[0-7_]+|(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][+-]?\d+)?(?:[KMGTPEZY]i?)?"
)
_STRING = re.compile(r"#*(?:\"\"\"|'''|\"|')")
_OPERATOR = re.compile(r"_\|_|\.\.\.|&&|\|\||==|!=|<=|>=|=~|!~|->|[-+*/%&|!<>=.,:?~;$]")
_ATTRIBUTE = re.compile(r"@[A-Za-z_$][\w$]*\(")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_SIMPLE_ESCAPES = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "/": "/",
    "\\": "\\",
    "'": "'",
    '"': '"',
}
_KEYWORDS_BEFORE_OPERAND = {"for", "in", "if", "let", "import", "package"}


class Unreadable(Exception):
    """The text is not something that this reader knows; compare it raw."""


@dataclass
class Token:
    kind: str  # identifier, number, string, attribute, operator, open, close, newline
    text: str


def tokens(source: str):
    at = 0
    out: list[Token] = []
    while at < len(source):
        char = source[at]
        if char == "\n":
            out.append(Token("newline", char))
            at += 1
            continue
        for skip in (_SPACE, _COMMENT):
            if match := skip.match(source, at):
                at = match.end()
                break
        else:
            if match := _STRING.match(source, at):
                end = _string_end(source, at, match.group())
                out.append(Token("string", source[at:end]))
            elif match := _ATTRIBUTE.match(source, at):
                end = _balanced_end(source, match.end() - 1)
                out.append(Token("attribute", source[at:end]))
            elif source.startswith("_|_", at):
                end = at + 3
                out.append(Token("identifier", "_|_"))
            elif char.isdigit() or (char == "." and source[at + 1 : at + 2].isdigit()):
                end = _NUMBER.match(source, at).end()
                out.append(Token("number", source[at:end]))
            elif match := _IDENTIFIER.match(source, at):
                end = match.end()
                out.append(Token("identifier", match.group()))
            elif char in "([{":
                end = at + 1
                out.append(Token("open", char))
            elif char in ")]}":
                end = at + 1
                out.append(Token("close", char))
            elif match := _OPERATOR.match(source, at):
                end = match.end()
                out.append(Token("operator", match.group()))
            else:
                raise Unreadable(f"character {char!r}")
            at = end
    return out


def _string_end(source, at, opening):
    hashes = len(opening) - len(opening.lstrip("#"))
    quote = opening[hashes:]
    closing = quote + "#" * hashes
    escape = "\\" + "#" * hashes
    at += len(opening)
    while at < len(source):
        if source.startswith(escape, at):
            after = at + len(escape)
            at = _balanced_end(source, after) if source.startswith("(", after) else after + 1
        elif source.startswith(closing, at):
            return at + len(closing)
        elif source[at] == "\n" and len(quote) == 1:
            raise Unreadable("string without end")
        else:
            at += 1
    raise Unreadable("string without end")


def _balanced_end(source, at):
    """The place after the bracket that closes the one at `at`."""
    depth = 0
    while at < len(source):
        char = source[at]
        if match := _STRING.match(source, at):
            at = _string_end(source, at, match.group())
            continue
        if match := _COMMENT.match(source, at):
            at = match.end()
            continue
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    raise Unreadable("bracket without end")


def string_value(literal: str):
    """What a string or bytes literal stands for, or None where it interpolates or is unusual."""
    hashes = len(literal) - len(literal.lstrip("#"))
    body = literal[hashes : len(literal) - hashes]
    triple = body[:3] in ('"""', "'''") and len(body) >= 6
    kind = body[0]
    body = body[3:-3] if triple else body[1:-1]
    if triple:
        lines = body.split("\n")
        if len(lines) < 2 or lines[0].strip() or lines[-1].strip():
            return None
        indent = lines[-1]
        content = []
        for line in lines[1:-1]:
            if line.startswith(indent):
                content.append(line[len(indent) :])
            elif not line.strip():
                content.append("")
            else:
                return None
        body = "\n".join(content)
    escape = "\\" + "#" * hashes
    out = []
    at = 0
    while at < len(body):
        if not body.startswith(escape, at):
            out.append(body[at])
            at += 1
            continue
        at += len(escape)
        letter = body[at : at + 1]
        if letter in _SIMPLE_ESCAPES and letter:
            out.append(_SIMPLE_ESCAPES[letter])
            at += 1
        elif letter in ("u", "U"):
            digits = 4 if letter == "u" else 8
            try:
                out.append(chr(int(body[at + 1 : at + 1 + digits], 16)))
            except (ValueError, OverflowError):
                return None
            at += 1 + digits
        else:
            return None
    return kind + "".join(out)


# ---- declarations ----


@dataclass
class Group:
    open: str
    items: list  # for () a list of parts; for [] and {} a list of declarations, each a list of parts


def _ends_operand(token):
    return (
        token.kind in ("number", "string", "attribute", "close")
        or (token.kind == "identifier" and token.text not in _KEYWORDS_BEFORE_OPERAND)
        or token.text in ("...", "?", "!")
    )


def _parse(stream, at, closer, depth=0):
    if depth > 400:
        raise Unreadable("nested too deep")
    declarations = []
    current = []
    previous = None
    while at < len(stream):
        token = stream[at]
        if token.kind == "newline":
            if previous is not None and _ends_operand(previous) and current:
                declarations.append(current)
                current = []
            at += 1
            continue
        if token.kind == "close":
            if token.text != closer:
                raise Unreadable("brackets do not match")
            if current:
                declarations.append(current)
            return declarations, at + 1
        if token.kind == "open":
            inner, at = _parse(stream, at + 1, _CLOSERS[token.text], depth + 1)
            current.append(Group(token.text, inner))
            previous = Token("close", _CLOSERS[token.text])
            continue
        if token.text in (",", ";") and token.kind == "operator":
            if current:
                declarations.append(current)
            current = []
        else:
            current.append(token)
        previous = token
        at += 1
    if closer is not None:
        raise Unreadable("bracket without end")
    if current:
        declarations.append(current)
    return declarations, at


def declarations(source: str):
    return _parse(tokens(source), 0, None)[0]


def _is(part, text):
    return isinstance(part, Token) and part.kind == "operator" and part.text == text


def split_label(declaration):
    """(label parts, value parts), or (None, parts) where the declaration is not a field."""
    for index, part in enumerate(declaration):
        if _is(part, ":"):
            return declaration[:index], declaration[index + 1 :]
        if (
            isinstance(part, Token)
            and part.kind == "identifier"
            and part.text in ("for", "if", "let")
            and index == 0
            and len(declaration) > 1
            and not _is(declaration[1], ":")
            and not _is(declaration[1], "?")
            and not _is(declaration[1], "!")
        ):
            return None, declaration
    return None, declaration


def top_level_fields(source: str):
    """Names of the regular and definition and hidden fields at the top that can be written as an expression."""
    names = []
    for declaration in declarations(source):
        label, _ = split_label(declaration)
        if not label:
            continue
        if len(label) > 2 and _is(label[1], "="):
            label = label[2:]
        if len(label) > 2 and _is(label[1], "~"):
            label = label[:1]
        if len(label) == 2 and _is(label[1], "!"):
            label = label[:1]
        if (
            len(label) == 1
            and isinstance(label[0], Token)
            and label[0].kind == "identifier"
            and label[0].text != "_"
        ):
            if label[0].text not in names:
                names.append(label[0].text)
    return names


_PLAIN_NAME = re.compile(r"[A-Za-z$][\w$]*$")


def _print_part(part, ordered):
    if isinstance(part, Group):
        if part.open == "{":
            return "{" + _print_declarations(part.items, ordered) + "}"
        return part.open + ",".join(_print_declaration(item, ordered) for item in part.items) + _CLOSERS[part.open]
    if part.kind == "string":
        value = string_value(part.text)
        return part.text if value is None else value[0] + json.dumps(value[1:])
    return part.text


def _print_label(label, ordered):
    out = []
    for part in label:
        if isinstance(part, Token) and part.kind == "identifier" and _PLAIN_NAME.match(part.text):
            out.append('"' + json.dumps(part.text))
        else:
            out.append(_print_part(part, ordered))
    return " ".join(out)


def _print_value(parts, ordered):
    label, rest = split_label(parts)
    if label:
        return "{" + _print_declaration(parts, ordered) + "}"
    return " ".join(_print_part(part, ordered) for part in rest)


def _print_declaration(declaration, ordered):
    label, value = split_label(declaration)
    if not label:
        return " ".join(_print_part(part, ordered) for part in declaration)
    return _print_label(label, ordered) + ":" + _print_value(value, ordered)


def _print_declarations(items, ordered):
    printed = [_print_declaration(item, ordered) for item in items]
    if not ordered:
        printed.sort()
    return ";".join(printed)


def normal_form(source: str, ordered=False) -> str:
    """The text without layout and comments; `ordered` keeps the order of fields. Raises Unreadable."""
    try:
        items = declarations(source)
        # A single struct in braces prints like its fields.
        while len(items) == 1 and len(items[0]) == 1 and isinstance(items[0][0], Group) and items[0][0].open == "{":
            items = items[0][0].items
        return _print_declarations(items, ordered)
    except RecursionError as error:
        raise Unreadable("nested too deep") from error


_NEW_NAME = re.compile(r'("(?:[^"\\\n]|\\.)*")|\b([A-Za-z_#$][\w$]*?)_[0-9A-F]{1,2}\b')


def _comparable_line(line):
    """What is still an expression is shown as written: there names of aliases change where they would mean something else, and
    the order of conjuncts means nothing. Labels and data stay as they are."""
    label, mark, expression = line.partition(" = " if line.lstrip().startswith("let ") else ": ")
    if mark == " = ":
        label = _NEW_NAME.sub(lambda found: found[1] or found[2], label)
    if not mark:
        label, expression = "", line
    if re.fullmatch(r'"(?:[^"\\]|\\.)*"', expression):
        return label + mark + expression
    expression = _NEW_NAME.sub(lambda found: found[1] or found[2], expression)
    if " & " not in expression or expression.endswith(("{", "[")):
        return label + mark + expression
    if not mark:
        return expression
    parts = sorted(part.strip("()") for part in expression.strip().split(" & "))
    return label + mark + " & ".join(part for part in parts if part != "_")


def comparable_value(printed: str) -> str:
    """A printed value without what differs though it means the same: what only says how it was come by."""
    text = re.sub(r"^package .*\n|^import (\([^)]*\)|.*)\n", "", printed, flags=re.MULTILINE)
    # Around a value that is closed all the way down stands a definition.
    text = re.sub(r"^_#def: \{\n.*?^\}\n", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join(map(_comparable_line, text.split("\n")))


def field_texts(source: str):
    """Normal form of the value of each top-level field of a printed struct."""
    out = {}
    for declaration in declarations(source):
        label, value = split_label(declaration)
        if label and len(label) == 1 and isinstance(label[0], Token):
            out[label[0].text] = _print_value(value, False)
    return out


def operands(parts, operator):
    """What stands between the operators of that kind; all of it where there is none, or one that has a side only."""
    split = [[]]
    for part in parts:
        if isinstance(part, Token) and part.kind == "operator" and part.text == operator:
            split.append([])
        else:
            split[-1].append(part)
    return split if all(split) else [parts]
