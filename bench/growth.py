"""How the time and memory of an evaluation grow with its input, for the patterns that are known to blow up CUE evaluators.
Each is run at several sizes; the slope of the logarithms says how it grows: 1 is proportional, 2 is quadratic. Most answers are
as large as the input, so that nothing should be much above 1; where they are larger, as those that nest deeply are for their
indentation, the note says how they grow."""

import json
import math
import pathlib
import subprocess
import sys

import measure

LIMIT_SECONDS = 3  # for one run; what takes longer is left out, with all larger sizes
PROPORTIONAL = 1.1  # or nearly so: numbers get longer, too
NOT_TIMED = 0.002  # seconds of processor time: below, the clock says little


def _tree(size, leaf, pair):
    """A balanced tree with `size` leaves, written down."""
    if size == 1:
        return leaf(0)
    half = size // 2
    return pair(_tree(half, leaf, pair), _tree(size - half, leaf, pair))


def discriminators(size):
    branches = "\n".join(f'\t{{kind: "k{i}", f{i}: int, next?: #Node}} |' for i in range(30))
    tree = _tree(size, lambda _: '{kind: "leaf", value: 1}',
                 lambda left, right: f'{{kind: "pair", left: {left}, right: {right}}}')
    return f"#Node:\n{branches}\n" + '\t{kind: "leaf", value: int} |\n\t{kind: "pair", left: #Node, right: #Node}\n' + f"x: #Node & {tree}\n"


def deep_discriminators(size):
    """A chain: each level picks its branch, of which only the next level tells."""
    text = '{kind: "leaf", value: 1}'
    for _ in range(size):
        text = f'{{kind: "not", of: {text}}}'
    return '#Node: {kind: "leaf", value: int} | {kind: "not", of: #Node} | {kind: "both", of: #Node, and: #Node}\n' + f"x: #Node & {text}\n"


def undiscriminated(size):
    """Branches that only differ in which fields they have: closedness decides."""
    items = "\n".join(f'\t{{name: "n{i}", {"abcd"[i % 4]}: {i}}},' for i in range(size))
    return ("#Item: {name: string, a: int} | {name: string, b: int} | {name: string, c: int} | {name: string, d: int}\n"
            f"x: [...#Item]\nx: [\n{items}\n]\n")


def defaults(size):
    """Disjunctions with defaults side by side, inside the branches of an outer one."""
    fields = "\n".join(f"\t\tf{i}: *{i} | int" for i in range(size))
    return f'x: {{\n\t{{kind: "a"\n{fields}\n\t}} | {{kind: "b"}}\n}}\nx: kind: "a"\n'


def null_or_types(size):
    schema = """#Pod: {name: null | string, spec?: null | #Spec, meta?: null | #Meta, status?: null | #Status}
#Meta: {labels?: null | {[string]: string}, owner?: null | #Owner}
#Owner: {name?: null | string, of?: null | #Owner}
#Status: {phase?: null | string, conditions?: null | [...null | #Condition]}
#Condition: {type: null | string, reason?: null | string}
#Spec: {containers: null | [...null | #Container], volumes?: null | [...null | #Volume], affinity?: null | #Affinity}
#Container: {name: null | string, image?: null | string, env?: null | [...null | {name: string, value?: null | string}]}
#Volume: {name: null | string, path?: null | string}
#Affinity: {required?: null | #Affinity, preferred?: null | #Affinity, key?: null | string}
"""
    pods = "\n".join(
        f'\t{{name: "p{i}", meta: {{labels: app: "a{i}", owner: {{name: "o", of: name: "p"}}}}, spec: {{containers: [{{name: "c", '
        f'image: "i:{i}", env: [{{name: "A", value: "b"}}]}}], affinity: {{required: {{key: "k"}}, preferred: null}}}}}},'
        for i in range(size))
    return f"{schema}x: [...null | #Pod]\nx: [\n{pods}\n]\n"


def functions(size):
    """The idiom of a function, calling itself once a level."""
    return f"""#Count: {{
	n:    int
	next: n - 1
	out: {{
		if n == 0 {{[]}}
		if n > 0 {{[n, (#Count & {{"n": next}}).out]}}
	}}
}}
x: (#Count & {{n: {size}}}).out
"""


def functions_calling_twice(size):
    """The same, calling itself twice: a call for each half."""
    return f"""#Tree: {{
	from:   int
	to:     int
	middle: (from + to) div 2
	out: {{
		if to-from == 1 {{[from]}}
		if to-from > 1 {{[(#Tree & {{"from": from, "to": middle}}).out, (#Tree & {{"from": middle, "to": to}}).out]}}
	}}
}}
x: (#Tree & {{from: 0, to: {size}}}).out
"""


def calls(size):
    """Many calls of one function."""
    return f"""import "strings"

#Name: {{
	in: string
	_words: strings.Split(in, "-")
	out: strings.Join([for w in _words {{strings.ToTitle(w)}}], "")
}}
x: [for i, _ in [{"0, " * size}] {{(#Name & {{in: "some-name-\\(i)"}}).out}}]
"""


def schema_and_data(size):
    """Plain data in fields of a closed schema with patterns, bounds and regular expressions."""
    items = "\n".join(f'\t"item-{i}": {{id: {i}, tags: ["a", "b{i % 7}"], limits: {{cpu: "{i}m", memory: "{i}Mi"}}, "x-note": "n"}}'
                      for i in range(size))
    return f"""#Item: {{
	id: int & >=0 & <1000000
	tags: [...string]
	limits: [=~"^(cpu|memory)$"]: =~"^[0-9]+(m|Mi)$"
	level: *1 | 2 | 3
	{{[=~"^x-"]: string}}
}}
#Items: [=~"^item-"]: #Item
x: #Items
x: {{
{items}
}}
"""


def lists(size):
    elements = ", ".join(f'{{id: {i}, name: "n{i}"}}' for i in range(size))
    return f"""#Element: {{id: int, name: string, size: *"small" | "large"}}
x: [...#Element]
x: [{elements}]
names: [for e in x {{e.name}}]
even: [for i, e in x if i mod 2 == 0 {{e & {{size: "small"}}}}]
byName: {{for e in x {{(e.name): e.id}}}}
"""


def patterns(size):
    """Twenty patterns that each of the fields is held against."""
    fields = "\n".join(f'\tf{i}: {{a: {i}}}' for i in range(size))
    rules = "\n".join(f'\t[=~"^f.*{i}$"]: {{p{i}: {i}, ...}}' for i in range(10))
    more = "\n".join(f'\t[=~"^g.*{i}$"]: string' for i in range(10))
    return f"x: {{\n{rules}\n{more}\n{fields}\n}}\n"


def chain_of_conditions(size):
    """Each field is there if the one before it is."""
    lines = "\n".join(f"\tif a{i} != _|_ {{a{i + 1}: a{i} + 1}}" for i in range(size))
    fields = "\n".join(f"\ta{i + 1}?: int" for i in range(size))
    return f"x: {{\n\ta0: 1\n{fields}\n{lines}\n}}\n"


def conditions_of_a_definition(size):
    """The same in a definition that is used three times."""
    lines = "\n".join(f"\tif a{i} != _|_ {{a{i + 1}: a{i} + 1}}" for i in range(size))
    fields = "\n".join(f"\ta{i + 1}?: int" for i in range(size))
    return f"#D: {{\n\ta0: int\n{fields}\n{lines}\n}}\n" + "\n".join(f"x{i}: #D & {{a0: {i}}}" for i in range(3)) + "\n"


def nested_conditions(size):
    lines = "".join(f"if c.f{i} == {i} {{\n\t\ty{i}: c.f{i}\n" for i in range(size))
    fields = "\n".join(f"\tf{i}: {i}" for i in range(size))
    return f"c: {{\n{fields}\n}}\nx: {{\n{lines}" + "}" * size + "\n}\n"


def guarded_fields(size):
    """Fields of a result that are there if those of the input are, as transformers are written."""
    optional = "\n".join(f"\tf{i}?: int" for i in range(20))
    guards = "\n".join(f"\t\tif in.f{i} != _|_ {{g{i}: in.f{i}}}" for i in range(20))
    return f"""#In: {{
{optional}
}}
#T: {{
	in: #In
	out: {{
{guards}
	}}
}}
x: [for i, _ in [{"0, " * size}] {{(#T & {{in: {{f1: i, f7: i, f13: i}}}}).out}}]
"""


def definition_referenced(size):
    uses = "\n".join(f"x{i}: #D" for i in range(size))
    return "#D: {a: 1, b: c: \"x\", d: [1, 2, 3], e?: int, f: *1 | 2}\n" + uses + "\n"


def definition_extended(size):
    uses = "\n".join(f'x{i}: #D & {{name: "n{i}"}}' for i in range(size))
    return "#D: {name: string, label: \"l-\\(name)\", b: c: \"x\", d: [1, 2, 3], e?: int, f: *1 | 2}\n" + uses + "\n"


def chain_of_references(size):
    return "a0: {v: 1}\n" + "\n".join(f"a{i + 1}: a{i}" for i in range(size)) + "\n"


def chain_of_embeddings(size):
    """A definition that embeds one that embeds one, twenty deep, and is used."""
    lines = "\n".join(f"#A{i + 1}: {{#A{i}, f{i + 1}: *{i} | int}}" for i in range(20))
    uses = "\n".join(f"x{i}: #A20 & {{f0: {i}}}" for i in range(size))
    return f"#A0: {{f0: int}}\n{lines}\n{uses}\n"


def definitions_side_by_side(size):
    """A struct that embeds many definitions: each of its fields is allowed by all of them."""
    definitions = "\n".join(f"#D{i}: {{f{i}: {i}}}" for i in range(size))
    embedded = "\n".join(f"\t#D{i}" for i in range(size))
    return f"{definitions}\nx: {{\n{embedded}\n}}\n"


def fields_line_by_line(size):
    """Each line a conjunct of its own, as lists of paths and values are written."""
    return "\n".join(f"x: y: z: f{i}: {i}" for i in range(size)) + "\n"


PATTERNS = [
    ("a tree of nodes, each one of 32 structs told apart by a field", discriminators, (125, 250, 500, 1000)),
    ("the same as one deep chain", deep_discriminators, (100, 200, 400, 800)),
    ("one of 4 structs told apart by closedness", undiscriminated, (250, 500, 1000, 2000)),
    ("fields with defaults in a branch", defaults, (1000, 2000, 4000, 8000)),
    ("`null \\| T` everywhere", null_or_types, (125, 250, 500, 1000)),
    ("`(#F & {…}).out`, calling itself", functions, (100, 200, 400, 800)),
    ("the same, calling itself twice", functions_calling_twice, (128, 256, 512, 1024)),
    ("many calls of one `#F`", calls, (250, 500, 1000, 2000)),
    ("closed schema and large data", schema_and_data, (500, 1000, 2000, 4000)),
    ("long lists", lists, (500, 1000, 2000, 4000)),
    ("20 patterns and many fields", patterns, (500, 1000, 2000, 4000)),
    ("a chain of `if`s, each on the field before", chain_of_conditions, (200, 400, 800, 1600)),
    ("the same in a definition used three times", conditions_of_a_definition, (200, 400, 800, 1600)),
    ("`if`s in each other", nested_conditions, (100, 200, 400, 800)),
    ("guarded fields, once a call", guarded_fields, (125, 250, 500, 1000)),
    ("a definition referenced", definition_referenced, (1250, 2500, 5000, 10000)),
    ("a definition extended", definition_extended, (1250, 2500, 5000, 10000)),
    ("a chain of references", chain_of_references, (1000, 2000, 4000, 8000)),
    ("definitions in each other, 20 deep", chain_of_embeddings, (50, 100, 200, 400)),
    ("definitions side by side in one struct", definitions_side_by_side, (200, 400, 800, 1600)),
    ("fields of one struct, line by line", fields_line_by_line, (1000, 2000, 4000, 8000)),
]


def slope(sizes, amounts):
    """The exponent k of amount ~ size^k by least squares over the logarithms; nothing from fewer than two points."""
    points = [(math.log(size), math.log(amount)) for size, amount in zip(sizes, amounts) if amount and amount > 0]
    if len(points) < 2:
        return None
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / sum((x - middle_x) ** 2 for x, _ in points)


def _once(command, folder):
    """Processor seconds and the exit code; nothing if it took too long."""
    try:
        subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=LIMIT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    measured = measure.run_once(command, folder)
    return (measured.cpu_seconds, measured.code)


def _times(command, files, folder, base, runs):
    """Processor seconds for each size without those that any start takes; nothing from the first that takes too long."""
    times = []
    for file in files:
        one = _once([*command, file], folder)
        if one is None or one[1] != 0:
            times.append(None)
            break
        best = min([one[0], *(measure.run_once([*command, file], folder).cpu_seconds for _ in range(runs))])
        times.append(max(best - base, 0.0001))
    return times + [None] * (len(files) - len(times))


def _same(ours, theirs, file, folder):
    outputs = []
    for command in (ours, theirs):
        try:
            done = subprocess.run([*command, file], cwd=folder, capture_output=True, timeout=LIMIT_SECONDS, check=False)
            outputs.append(json.loads(done.stdout))
        except (subprocess.TimeoutExpired, ValueError):
            return None
    return outputs[0] == outputs[1]


def _answers(command, files, folder):
    """Bytes of the answer for each size."""
    return [len(subprocess.run([*command, file], cwd=folder, capture_output=True, check=False).stdout) for file in files]


def run(bench, folder):
    where = pathlib.Path(folder) / "growth"
    where.mkdir(exist_ok=True)
    runs = 2 if bench.budget < 5 else 6
    (where / "nothing.cue").write_text("x: 1\n", encoding="utf-8")
    ours, theirs = [bench.opm, "cue", "export"], [bench.cue, "export"]
    base = {command[0]: min(measure.run_once([*command, "nothing.cue"], where).cpu_seconds for _ in range(8)) for command in (ours, theirs)}
    for title, make, sizes in PATTERNS:
        print(f"  (g) {title}", file=sys.stderr)
        files = []
        for size in sizes:
            name = f"{make.__name__}-{size}.cue"
            (where / name).write_text(make(size), encoding="utf-8")
            files.append(name)
        times = {}
        for command in (ours, theirs):
            times[command[0]] = _times(command, files, str(where), base[command[0]], runs if command is ours else 0)
        memory = [measure.run_once([*ours, name], where).peak_megabytes for name in files]
        same = _same(ours, theirs, files[0], str(where))
        answers = _answers(ours, files, str(where))
        bench.growth_rows.append((title, sizes, times[bench.opm], memory, times[bench.cue], same, answers))


def _milliseconds(seconds):
    return "–" if seconds is None else f"{seconds * 1000:.1f}"


def _exponent(sizes, amounts):
    found = slope(sizes, [a if a is not None and a >= NOT_TIMED else None for a in amounts])
    return "–" if found is None else f"{found:.2f}"


def _note(sizes, same, answers):
    notes = {True: [], False: ["another output"], None: ["no answer from one"]}[same]
    growth = slope(sizes, answers)
    if growth is not None and growth > PROPORTIONAL:
        notes.append(f"the answer grows by n^{growth:.1f}, to {answers[-1] / 1e6:.1f} MB")
    return "; ".join(notes)


def rows(bench):
    """A row per pattern, of cells."""
    for title, sizes, ours, memory, theirs, same, answers in bench.growth_rows:
        yield [
            title,
            ", ".join(f"{size:,}" for size in sizes),
            ", ".join(map(_milliseconds, ours)),
            _exponent(sizes, ours),
            f"{memory[-1]:.0f} MB" if memory[-1] else "–",
            ", ".join(map(_milliseconds, theirs)),
            _exponent(sizes, theirs),
            _note(sizes, same, answers),
        ]


HEADER = ["pattern", "sizes", "opm, ms", "exponent", "peak at the largest", "cue, ms", "exponent", "note"]
