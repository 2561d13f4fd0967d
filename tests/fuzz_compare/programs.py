"""Programs for the comparison: some made from a grammar, some by changing what stands in CUE's own suite. All from a seed, so
that a run can be had again. A program is the inside of a struct, so that many of them fit into one file."""

import random
import re

NAMES = list("abcdexyz")
DEFINITIONS = ["#A", "#B", "#C"]
HIDDEN = ["_h", "_i"]
STRINGS = ['"a"', '"b"', '"foo"', '"x1"', '""', '"a-b"']
TYPES = ["int", "string", "number", "bool", "_", "null", "float", "bytes", "uint8"]
BOUNDS = [">0", ">=1", "<5", "<=3", "!=2", '=~"^a"', '!~"o"', '!="a"', ">1.5", ">=0 & <10", "!=null"]
PATTERNS = ["string", '=~"^a"', '!="b"', '"x"', 'or(["a", "b"])', '=~"^[a-c]$"']
IMPORTS = ["list", "math", "strconv", "strings", "struct"]
USES = "_uses: [list.Sum, math.Abs, strconv.Quote, strings.ToUpper, struct.MinFields]"
CALLS = [
    ("len({})", 1), ("close({})", 1), ("and([{}, {}])", 2), ("or([{}, {}])", 2), ("div({}, 2)", 1), ("mod({}, 3)", 1),
    ("strings.ToUpper({})", 1), ("strings.Join([{}, {}], \"-\")", 2), ("strings.HasPrefix({}, \"a\")", 1), ("strings.MinRunes(2)", 0),
    ("list.Sum([{}, {}])", 2), ("list.Concat([{}, {}])", 2), ("list.Sort([{}, {}], list.Ascending)", 2), ("list.MaxItems(2)", 0),
    ("list.UniqueItems()", 0), ("list.Contains({}, {})", 2), ("list.Repeat([{}], 2)", 1), ("math.Abs({})", 1), ("math.Pow({}, 2)", 1),
    ("strconv.Atoi({})", 1), ("strconv.FormatInt({}, 10)", 1), ("struct.MinFields(1)", 0), ("struct.MaxFields(1)", 0),
    ("matchN(1, [{}, {}])", 2), ("matchIf({}, {}, {})", 3), ("error(\"no\")", 0),
]


class Maker:
    """One program. Every name that is used is declared somewhere around, or the program would only say that it is not."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.scopes = []

    def program(self):
        return self.struct(0, self.random.randint(1, 6))

    # --- declarations

    def struct(self, depth, count=None, extra=()):
        count = self.random.randint(0, 4) if count is None else count
        names = set(extra)
        kinds = []
        for _ in range(count):
            roll = self.random.random()
            kind = next(k for k, limit in (("field", .62), ("definition", .72), ("hidden", .75), ("optional", .80), ("pattern", .84),
                                           ("embedding", .89), ("if", .93), ("for", .96), ("let", .98), ("open", 1.01)) if roll < limit)
            name = {"field": NAMES, "definition": DEFINITIONS, "hidden": HIDDEN, "optional": NAMES, "let": ["L", "M"]}.get(kind)
            name = self.random.choice(name) if name else ""
            if kind == "let" and (name in names or any(name in scope for scope in self.scopes)):
                kind, name = "field", self.random.choice(NAMES)
            kinds.append((kind, name))
            if name:
                names.add(name)
        self.scopes.append(sorted(names))
        lines = []
        for kind, name in kinds:
            lines.append(self.declaration(kind, name, depth))
        self.scopes.pop()
        return [line for line in lines if line]

    def declaration(self, kind, name, depth):
        deeper = depth + 1
        if kind in ("field", "hidden"):
            mark = "!" if kind == "field" and self.random.random() < .04 else ""
            return f"{name}{mark}: {self.value(deeper)}"
        if kind == "definition":
            return f"{name}: {self.value(deeper) if self.random.random() < .3 else self.braces(deeper)}"
        if kind == "optional":
            return f"{name}?: {self.value(deeper)}"
        if kind == "pattern":
            return f"[{self.random.choice(PATTERNS)}]: {self.value(deeper)}"
        if kind == "embedding":
            return self.reference() or self.braces(deeper)
        if kind == "if":
            return f"if {self.condition(deeper)} {self.braces(deeper)}"
        if kind == "for":
            source = self.value(deeper) if self.random.random() < .5 else self.list(deeper)
            self.scopes.append(["k", "v"])
            label = self.random.choice(['"\\(v)"', '"f\\(k)"', '"n"', "a"])
            body = f"{{{label}: {self.value(deeper)}}}"
            guard = f" if {self.condition(deeper)}" if self.random.random() < .3 else ""
            self.scopes.pop()
            return f"for k, v in {source}{guard} {body}"
        if kind == "let":
            return f"let {name} = {self.value(deeper)}\n{self.random.choice(NAMES)}: {name}"
        return "..."

    def braces(self, depth):
        lines = self.struct(depth) if depth < 5 else [f"{self.random.choice(NAMES)}: {self.scalar()}"]
        return "{" + "\n".join(["", *lines, ""]) + "}" if lines else "{}"

    # --- expressions

    def scalar(self):
        roll = self.random.random()
        if roll < .4:
            return str(self.random.choice([0, 1, 2, 3, 5, 7, 10, -1]))
        if roll < .75:
            return self.random.choice(STRINGS)
        return self.random.choice(["true", "false", "null", "1.5", "2.0", "'b'"])

    def reference(self):
        names = [name for scope in self.scopes for name in scope if name not in ("L", "M")]
        if not names:
            return ""
        text = self.random.choice(names)
        while self.random.random() < .25:
            text += self.random.choice([f".{self.random.choice(NAMES)}", f".{self.random.choice(DEFINITIONS)}", "[0]", '["a"]'])
        return text

    def list(self, depth):
        parts = [self.value(depth + 1) for _ in range(self.random.randint(0, 3))]
        if self.random.random() < .15:
            self.scopes.append(["k", "v"])
            parts.append(f"for k, v in {self.scopes_hidden(depth)} {{{self.value(depth + 1)}}}")
            self.scopes.pop()
        if self.random.random() < .2:
            parts.append("..." + (self.random.choice(TYPES) if self.random.random() < .6 else ""))
        return "[" + ", ".join(parts) + "]"

    def scopes_hidden(self, depth):
        """What a clause goes over does not see the clause's own variables."""
        saved = self.scopes.pop()
        source = self.list(depth + 1) if self.random.random() < .6 else self.value(depth + 1)
        self.scopes.append(saved)
        return source

    def condition(self, depth):
        roll = self.random.random()
        reference = self.reference()
        if roll < .35 and reference:
            return f"{reference} {self.random.choice(['!=', '=='])} _|_"
        if roll < .75:
            return f"{reference or self.scalar()} {self.random.choice(['==', '!=', '<', '>', '>='])} {self.scalar()}"
        return self.value(depth)

    def value(self, depth):
        roll = self.random.random()
        if depth > 4:
            return self.scalar() if roll < .5 else self.reference() or self.random.choice(TYPES)
        table = [
            (.24, self.scalar), (.42, lambda: self.reference() or self.scalar()), (.50, lambda: self.random.choice(TYPES)),
            (.55, lambda: self.random.choice(BOUNDS)), (.67, lambda: self.braces(depth)), (.73, lambda: self.list(depth)),
            (.80, lambda: self.conjunction(depth)), (.88, lambda: self.disjunction(depth)), (.93, lambda: self.operation(depth)),
            (.96, lambda: self.call(depth)), (.985, lambda: self.interpolation(depth)), (2, lambda: f"({self.value(depth + 1)})"),
        ]
        return next(make for limit, make in table if roll < limit)()

    def operand(self, depth):
        text = self.value(depth + 1)
        return text if re.fullmatch(r'[\w#.]+|"[^"\\]*"', text) else f"({text})"

    def conjunction(self, depth):
        return " & ".join(self.operand(depth) for _ in range(self.random.choice([2, 2, 3])))

    def disjunction(self, depth):
        parts = [self.operand(depth) for _ in range(self.random.choice([2, 2, 3]))]
        return " | ".join(("*" if self.random.random() < .3 else "") + part for part in parts)

    def operation(self, depth):
        operator = self.random.choice(["+", "-", "*", "/", "==", "!=", "<", ">=", "&&", "||", "=~", "+", "+"])
        if self.random.random() < .1:
            return f"!{self.operand(depth)}"
        return f"{self.operand(depth)} {operator} {self.operand(depth)}"

    def call(self, depth):
        form, count = self.random.choice(CALLS)
        return form.format(*(self.value(depth + 1) for _ in range(count)))

    def interpolation(self, depth):
        inner = self.reference() or self.scalar()
        return f'"i-\\({inner})"' if depth < 5 else '"i"'


class Typed(Maker):
    """A program whose names have a kind that goes with the letter, and that mostly refers to what was declared before: what people
    write, rather than everything that could be written."""

    KINDS = {"a": "int", "b": "int", "c": "string", "d": "string", "e": "bool", "l": "list", "m": "list", "x": "struct", "y": "struct",
             "z": "struct", "#A": "struct", "#B": "struct", "#C": "int", "_h": "int", "_i": "struct"}

    def __init__(self, seed):
        super().__init__(seed)
        self.declared = [{}]  # by scope: name -> kind, in order

    def program(self):
        return self.body(0, self.random.randint(2, 7))

    def names(self, kind):
        return [name for scope in self.declared for name, known in scope.items() if known == kind]

    def pick(self, kind):
        """A reference to something of the kind, or nothing."""
        names = self.names(kind)
        if self.random.random() < .3:
            structs = self.names("struct")
            fields = [name for name, known in self.KINDS.items() if known == kind and name[0] not in "#_"]
            if structs and fields:
                return f"{self.random.choice(structs)}.{self.random.choice(fields)}"
        return self.random.choice(names) if names else ""

    def body(self, depth, count):
        self.declared.append({})
        lines = []
        for _ in range(count):
            roll = self.random.random()
            if roll < .70:
                name = self.random.choice(list(self.KINDS))
                mark = "" if self.random.random() < .88 or name[0] in "#_" else self.random.choice("?!")
                value = self.of(self.KINDS[name], depth + 1)
                lines.append(f"{name}{mark}: {value}")
                if mark != "?" or self.random.random() < .3:
                    self.declared[-1].setdefault(name, self.KINDS[name])
            elif roll < .76 and depth > 0:
                lines.append(self.pick("struct") or "{}")
            elif roll < .84:
                lines.append(f"if {self.truth(depth)} {self.group(depth + 1)}")
            elif roll < .89:
                source = self.of(self.random.choice(["list", "struct"]), depth + 2)
                self.declared.append({"k": "key", "v": "int"})
                kind = self.random.choice(["int", "string"])
                lines.append(f'for k, v in {source} {{"\\(k)": {self.of(kind, depth + 2)}}}')
                self.declared.pop()
            elif roll < .93:
                lines.append(f"[{self.random.choice(PATTERNS)}]: {self.random.choice(['int', 'string', '_', 'int | string', '{a?: int, ...}'])}")
            elif roll < .96 and not any("L" in scope for scope in self.declared):
                value = self.of("int", depth + 1)
                self.declared[-1]["L"] = "int"
                lines.append(f"let L = {value}\nb: L")
            elif roll < .98:
                lines.append("...")
            else:
                lines.append(f"{self.random.choice(NAMES)}: {self.random.choice(BOUNDS)}")
        self.declared.pop()
        return lines

    def group(self, depth):
        lines = self.body(depth, self.random.randint(0 if depth > 2 else 1, 3 if depth < 4 else 1))
        return "{" + "\n".join(["", *lines, ""]) + "}" if lines else "{}"

    def truth(self, depth):
        roll = self.random.random()
        kind = self.random.choice(["int", "string", "struct"])
        reference = self.pick(kind) if roll < .8 else ""
        if roll < .35 and reference:
            return f"{reference} {self.random.choice(['!=', '!=', '=='])} _|_"
        if roll < .8 and reference and kind != "struct":
            return f"{reference} {self.random.choice(['==', '!=', '<', '>='])} {self.literal(kind)}"
        return self.of("bool", depth + 1)

    def literal(self, kind):
        return {"int": lambda: str(self.random.choice([0, 1, 2, 3, 5, 10])), "string": lambda: self.random.choice(STRINGS),
                "bool": lambda: self.random.choice(["true", "false"]), "list": lambda: "[1, 2]", "struct": lambda: "{a: 1}"}[kind]()

    def of(self, kind, depth):
        roll = self.random.random()
        if roll < .02:
            kind = self.random.choice(["int", "string", "struct", "list"])
        if roll < .25 or depth > 5:
            return self.pick(kind) or self.literal(kind)
        if roll < .36:
            left, right = self.of(kind, depth + 1), self.of(kind, depth + 1)
            return f"({left}) & ({right})"
        if roll < .47:
            parts = [self.of(kind, depth + 1) for _ in range(self.random.choice([2, 2, 3]))]
            if self.random.random() < .15:
                parts.append("null")
            marked = self.random.randrange(len(parts)) if self.random.random() < .5 else -1
            return " | ".join(("*" if i == marked else "") + f"({part})" for i, part in enumerate(parts))
        return getattr(self, f"some_{kind}")(depth)

    def one(self, kind, depth):
        """An operand: a type or a bound would be turned down before anything is evaluated."""
        roll = self.random.random()
        if roll < .5:
            return self.pick(kind) or self.literal(kind)
        if roll < .6:
            return f"({self.pick(kind) or self.literal(kind)} & {self.literal(kind)})"
        if roll < .7 and kind == "int":
            return f"len({self.of('list', depth + 1)})"
        return self.literal(kind)

    def some_int(self, depth):
        roll = self.random.random()
        if roll < .35:
            return self.literal("int")
        if roll < .55:
            return self.random.choice(["int", "int", ">0", ">=1 & <10", "number", "!=3", "uint8"])
        if roll < .75:
            return f"{self.one('int', depth)} {self.random.choice('+-*')} {self.one('int', depth)}"
        if roll < .85:
            return f"len({self.of(self.random.choice(['string', 'list', 'struct']), depth + 1)})"
        if roll < .92:
            return f"list.Sum([{self.of('int', depth + 1)}, {self.of('int', depth + 1)}])"
        return f"{self.of('list', depth + 1)}[0]" if roll < .95 else self.literal("int")

    def some_string(self, depth):
        roll = self.random.random()
        if roll < .4:
            return self.literal("string")
        if roll < .55:
            return self.random.choice(["string", '=~"^a"', '!="b"', "strings.MinRunes(1)"])
        if roll < .8:
            inner = self.pick(self.random.choice(["int", "string"])) or "1"
            return f'"s-\\({inner})"'
        if roll < .9:
            return f"strings.ToUpper({self.of('string', depth + 1)})"
        return f"{self.one('string', depth)} + {self.one('string', depth)}"

    def some_bool(self, depth):
        roll = self.random.random()
        if roll < .5:
            return self.literal("bool")
        if roll < .6:
            return "bool"
        if roll < .85:
            return f"{self.one('int', depth)} {self.random.choice(['==', '<', '>='])} {self.one('int', depth)}"
        return f"!{self.one('bool', depth)}"

    def some_list(self, depth):
        roll = self.random.random()
        kind = self.random.choice(["int", "string", "struct"])
        if roll < .6:
            parts = [self.of(kind, depth + 1) for _ in range(self.random.randint(0, 3))]
            if self.random.random() < .25:
                parts.append(self.random.choice(["...", "...int", "...string"]))
            return "[" + ", ".join(parts) + "]"
        if roll < .7:
            return f"[...{self.of(kind, depth + 1)}]"
        if roll < .9:
            source = self.of("list", depth + 1)
            self.declared.append({"v": kind})
            text = f"[for v in {source} {{{self.of(kind, depth + 1)}}}]"
            self.declared.pop()
            return text
        return f"list.Concat([{self.of('list', depth + 1)}, {self.of('list', depth + 1)}])"

    def some_struct(self, depth):
        return f"close({self.group(depth + 1)})" if self.random.random() < .08 else self.group(depth + 1)


class Written:
    """A program as people write them: a closed schema, values of it, defaults, what is computed of them, and here and there a mistake."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, share):
        return self.random.random() < share

    def pick(self, *choices):
        return self.random.choice(choices)

    def scalar_type(self):
        return self.pick(
            ("int", "3"), ("string", '"web"'), ("bool", "true"), (">=1 & <=100", "7"), ('=~"^[a-z]+$"', '"abc"'), ("uint16", "8080"),
            ('"low" | "high"', '"high"'), ('*"low" | "high"', '"low"'), ("*1 | int", "5"), ("null | string", "null"), ("number", "1.5"),
            ("strings.MinRunes(2)", '"xy"'), ('*"a" | string', '"b"'), ("!=0", "1"), ("bool | *false", "true"), ("[...string]", '["p", "q"]'),
            ("[...int]", "[1, 2, 3]"), ("[string]: string", '{k: "v"}'), ("{...}", "{m: 1}"), ("{a: int, b?: string}", "{a: 1}"),
            ("list.MaxItems(3)", "[1]"), ("[int, ...string]", '[1, "x"]'))

    def program(self):
        names = ["name", "port", "level", "tags", "labels", "size", "kind", "owner"]
        self.random.shuffle(names)
        names = names[: self.random.randint(2, 5)]
        types = {name: self.scalar_type() for name in names}
        lines = [f"#T: {{\n{self.schema(types)}\n}}"]
        instances = []
        for index in range(self.random.randint(1, 3)):
            name = "abc"[index]
            lines.append(f"{name}: {self.instance(types)}")
            instances.append(name)
        lines += [self.use(names, instances) for _ in range(self.random.randint(1, 4))]
        if self.chance(.3):
            self.random.shuffle(lines)
        return lines

    def schema(self, types):
        lines = []
        for name, (constraint, _) in types.items():
            lines.append(f"{name}{self.pick('', '', '', '?', '!')}: {constraint}")
        names = list(types)
        if self.chance(.25):
            lines.append(f'id: "id-\\({self.pick(*names)})"')
        if self.chance(.15):
            lines.append("...")
        if self.chance(.2):
            lines.append('[=~"^x"]: ' + self.pick("int", "string", "{...}"))
        if self.chance(.25):
            asked = self.pick(*names)
            lines.append(f"if {asked} {self.pick('!=', '==')} _|_ {{{self.pick('has', 'note')}: {self.pick('true', asked)}}}")
        if self.chance(.15):
            lines.append(f"_all: {{{', '.join(f'v{i}: {name}' for i, name in enumerate(names[:2]))}}}")
        return "\n".join(lines)

    def instance(self, types):
        parts = [f"{name}: {value}" for name, (_, value) in types.items() if self.chance(.8)]
        if self.chance(.12):
            parts.append(self.pick("other: 1", "xa: 1", "name: 5", 'port: "p"', "id: 4", "size: _", "_h: 2", "#D: 3"))
        body = "{" + ", ".join(parts) + "}"
        return self.pick(f"#T & {body}", f"#T & {body}", f"{{#T, {body[1:]}", f"{body} & #T", f"close({body})", f"#T\n{body}".replace("\n", " & "))

    def path(self, names, instances):
        return f"{self.pick(*instances)}.{self.pick(*names)}"

    def use(self, names, instances):
        path, of = self.path(names, instances), self.pick(*instances)
        field = self.pick("r", "s", "t", "u")
        number, text = self.pick("1", "2", "7"), self.pick('"x"', '"web"', '"low"')
        return self.pick(
            lambda: f"{field}: {path}",
            lambda: f'{field}: "v-\\({path})"',
            lambda: f"{field}: {path} + {self.pick(number, text)}",
            lambda: f"{field}: *{path} | {self.pick(number, text, 'null')}",
            lambda: f"{field}: {{for k, v in {of} {{\"n-\\(k)\": v}}}}",
            lambda: f"{field}: [for k, v in {of} if k != \"{self.pick(*names)}\" {{k}}]",
            lambda: f"{field}: [for x in [{', '.join(instances)}] {{x.{self.pick(*names)}}}]",
            lambda: f"{field}: [for x in [{', '.join(instances)}] if x.{self.pick(*names)} != _|_ {{x.{self.pick(*names)}}}]",
            lambda: f"if {path} != _|_ {{\n{field}: {path}\n}}",
            lambda: f"if {path} == {self.pick(number, text, 'true')} {{\n{field}: 1\n}}",
            lambda: f"{field}: (#T & {{{self.pick(*names)}: {self.pick(number, text)}}}).{self.pick(*names)}",
            lambda: f"{field}: {of} & {{{self.pick(*names)}: {self.pick(number, text, '_')}}}",
            lambda: f"{field}: {{{of}, extra: 1}}",
            lambda: f"{field}: len({self.pick(of, path)})",
            lambda: f"{field}: strings.ToUpper({path})",
            lambda: f"{field}: strings.Join([for k, v in {of} {{k}}], \",\")",
            lambda: f"{field}: list.Concat([[{number}], [{path}]])",
            lambda: f"{field}: list.Sort([3, {number}, 2], list.Ascending)",
            lambda: f"let L{field} = {path}\n{field}: [L{field}, L{field}]",
            lambda: f"{field}: [string]: {self.pick('int', 'string', '#T')}\n{field}: x: {self.pick(number, text, of)}",
            lambda: f"{field}: matchN(1, [{self.pick('int', 'string', '#T')}, {self.pick('bool', text, '#T')}])\n{field}: {self.pick(number, text, of)}",
            lambda: f"{field}: {of} | *{{d: {number}}}",
            lambda: f"#F: {{in: _, out: {self.pick('in', 'len(in)', '[in]')}}}\n{field}: (#F & {{in: {path}}}).out",
            lambda: f"{field}: {{{self.pick(*names)}: int}} | {{{self.pick(*names)}: string}}\n{field}: {self.pick(*names)}: {self.pick(number, text)}",
        )()


def from_grammar(seed, kind):
    return "\n".join({"wild": Maker, "typed": Typed, "written": Written}[kind](seed).program())


# --- changed programs of the suite

_WORD = re.compile(r'"(?:[^"\\\n]|\\.)*"|#?[A-Za-z_]\w*|\d+(?:\.\d+)?|==|!=|<=|>=|=~|&&|\|\||[-+*/<>&|?!]')
_OPERATORS = [["==", "!=", "<", ">", "<=", ">="], ["+", "-", "*"], ["&", "|"], ["&&", "||"]]
_KEYWORDS = {"if", "for", "in", "let", "true", "false", "null", "package", "import", "_"}


def seeds_of(archives):
    """Programs of the suite that can stand inside a struct: no package, no import, no attribute that steers a file."""
    found = []
    for files in archives:
        for name, data in sorted(files.items()):
            if not name.endswith(".cue") or "/" in name:
                continue
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                continue
            if re.search(r"^\s*(import|package)\b|@extern|@embed|@if|@experiment|@tag|\"\"\"|'''", text, re.MULTILINE):
                continue
            text = re.sub(r"[ \t]*@\w+\((?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\([^()]*\))*\)", "", text)
            text = re.sub(r"//[^\n]*", "", text)
            text = "\n".join(line for line in text.splitlines() if line.strip())
            if 0 < len(text) < 3000 and "@" not in text:
                found.append(text)
    return found


def changed(text, seed):
    """The program with one to three small changes, most of which keep it readable."""
    chooser = random.Random(seed)
    for _ in range(chooser.randint(1, 3)):
        lines = text.split("\n")
        roll = chooser.random()
        if roll < .12 and len(lines) > 2:
            at = chooser.randrange(len(lines))
            if lines[at].count("{") == lines[at].count("}") and lines[at].count("[") == lines[at].count("]"):
                del lines[at]
            text = "\n".join(lines)
            continue
        if roll < .22 and len(lines) > 2:
            at, to = chooser.randrange(len(lines)), chooser.randrange(len(lines))
            if lines[at].count("{") == lines[at].count("}") and lines[at].count("[") == lines[at].count("]"):
                lines.insert(to, lines[at])
            text = "\n".join(lines)
            continue
        words = [match for match in _WORD.finditer(text) if match.group() not in _KEYWORDS]
        if not words:
            return text
        match = chooser.choice(words)
        word = match.group()
        text = text[: match.start()] + _another(word, words, chooser) + text[match.end():]
    return text


def _another(word, words, chooser):
    for group in _OPERATORS:
        if word in group:
            return chooser.choice(group)
    if word in "?!":
        return chooser.choice(["?", "!", ""])
    if word[0].isdigit():
        return chooser.choice(["0", "1", "2", "7", "1.5", '"a"', "int", "string", "_", "(*1 | int)", "null"])
    if word[0] == '"':
        others = [match.group() for match in words if match.group()[0] == '"']
        return chooser.choice(others + ['"a"', '"b"'])
    if word in ("int", "string", "number", "bool", "float", "bytes"):
        return chooser.choice(["int", "string", "number", "bool", "1", '"a"', ">0", "null"])
    others = [match.group() for match in words if match.group()[0].isalpha() or match.group()[0] == "#"]
    return chooser.choice(others or [word])
