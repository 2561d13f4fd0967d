#!/usr/bin/env python3
"""Input that means harm, through the whole program: each case ends soon, within bounded memory, with a value or an
error that says what is wrong; never with a signal."""

import os
import resource
import subprocess
import sys
import tempfile
import unittest

OPM = os.environ.get("OPM") or os.path.join(os.path.dirname(__file__), "..", "..", "build", "release", "opm")
MEMORY = 4 << 30  # of addresses, half a gigabyte of which are reserved for stacks
SECONDS = 60  # on a busy machine; most take some milliseconds

DEEP = 100_000


def nested(opening, closing, middle="", count=DEEP):
    return "a: " + opening * count + middle + closing * count + "\n"


def laughs(first, level):
    """Ten references to the line before, eleven times over."""
    lines = [f"a0: {first}"]
    for number in range(1, 12):
        lines.append(f"a{number}: {level(f'a{number - 1}')}")
    return "\n".join(lines) + "\n"


class Hostile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(content if isinstance(content, bytes) else content.encode())

    def run_opm(self, arguments, given=b"", memory=MEMORY):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        done = subprocess.run([os.path.abspath(OPM), "cue", *arguments], cwd=self.folder, input=given,
                              capture_output=True, timeout=SECONDS, preexec_fn=limit, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr[-2000:])
        # What is said stays readable.
        self.assertLess(max((len(line) for line in done.stderr.split(b"\n")), default=0), 2000)
        return done

    def fails(self, source, message, *arguments, command="export"):
        self.write("x.cue", source)
        done = self.run_opm([command, "x.cue", *arguments])
        self.assertEqual(done.returncode, 1, done.stdout[:200])
        self.assertRegex(done.stderr.decode(errors="replace"), message)

    def gives(self, source, output, *arguments):
        self.write("x.cue", source)
        done = self.run_opm(["export", "x.cue", *arguments])
        self.assertEqual(done.returncode, 0, done.stderr[:500])
        self.assertRegex(done.stdout.decode(), output)


class Text(Hostile):
    def test_what_is_no_utf8(self):
        self.fails(b'a: "\xff\xfe"\n', r"illegal UTF-8 encoding:\n +\./x\.cue:1:5")
        self.fails(b"// \xc3\x28\na: 1\n", "illegal UTF-8 encoding")
        self.fails(b"\xff\xfea\x00:\x00", "illegal|UTF-16")

    def test_zero_bytes(self):
        self.fails(b'a: "x\0y"\nb: 1\0\n', r"illegal character NUL:\n +\./x\.cue:1:6")
        self.fails(b"\0" * 1000, "illegal character NUL")

    def test_nesting(self):
        for opening, closing, middle in [("[", "]", ""), ("{a: ", "}", "1"), ("(", ")", "1"), ("!", "", "true"),
                                         ('"\\(', ')"', "1"), ("[", "", ""), ("{", "", ""), ("len(", ")", '""')]:
            with self.subTest(opening):
                self.fails(nested(opening, closing, middle), "maximum nesting depth|too deep")
        self.fails("a: " + "b." * DEEP + "b\n", "maximum nesting depth")
        self.fails("a: 1" + " + 1" * 1_000_000 + "\n", "maximum nesting depth")
        self.fails("a: " + "b: " * DEEP + "1\n", "maximum nesting depth")
        self.gives("a: 1 @" + "x(" * DEEP + ")" * DEEP + "\n", '"a": 1')

    def test_long_literals(self):
        self.fails("a: " + "7" * 1_000_000 + "\n", r'invalid number "7+\.\.\.".*100000')
        self.fails("a: 0." + "7" * 1_000_000 + "\n", "invalid number")
        self.fails("a: 1e999999999\n", "invalid number")
        self.gives('a: "' + "x" * 10_000_000 + '"\n', "x{1000}")
        self.gives('a: """\n' + "\n" * 1_000_000 + '\t"""\n', '"a": ')

    def test_a_million_disjuncts(self):
        self.fails("a: " + " | ".join(map(str, range(1_000_000))) + "\n", "maximum nesting depth")
        self.gives("a: " + " | ".join(map(str, range(5_000))) + "\nb: a & 4999\n", '^4999', "-e", "b")

    def test_formatting_it(self):
        self.fails(nested("[", "]"), "maximum nesting depth", command="fmt")
        self.fails(b'a: "\xff"\n', "illegal UTF-8", command="fmt")


class Growth(Hostile):
    STEPS = ("--max-steps", "2000000")

    def test_values_that_multiply(self):
        for command in ("export", "eval", "vet", "def"):
            with self.subTest(command):
                source = laughs("{x: 1}", lambda name: "{%s}" % ", ".join(f"f{i}: {name}" for i in range(10)))
                if command == "def":
                    self.write("x.cue", source)
                    self.run_opm([command, "x.cue", *self.STEPS])
                elif command == "vet":  # what is shared is checked once
                    self.write("x.cue", source)
                    self.assertEqual(self.run_opm([command, "x.cue", *self.STEPS]).returncode, 0)
                else:
                    self.fails(source, "stopped after 2000000 steps", *self.STEPS, command=command)
        self.fails(laughs('["ha"]', lambda name: f"[{', '.join([name] * 10)}]"), "stopped after 100000000 steps.*--max-steps")

    def test_strings_that_multiply(self):
        memory = "needs more than 2048 MiB of memory"
        self.fails(laughs('"hahaha"', lambda name: '"' + f"\\({name})" * 10 + '"'), memory)
        self.fails(laughs('"hahaha"', lambda name: " + ".join([name] * 10)), memory)
        self.fails(laughs("'hahaha'", lambda name: f"{name} * 100"), memory)

    def test_repetition(self):
        self.fails('a: "x" * 100000000000\n', "exceeds limit of 1000000")
        self.fails('import "strings"\na: strings.Repeat("abc", 1000000000000)\n', "exceeds limit of 1000000")
        self.fails('import "strings"\na: strings.Repeat(strings.Repeat("abc", 1000000), 1000000)\n', "result of more than")
        self.fails('import "list"\na: list.Repeat([1, 2], 1000000000)\n', "exceeds limit of 1000000")
        self.fails('import "list"\na: list.Repeat(list.Range(0, 100000, 1), 1000000)\n', "list of more than")
        self.fails('import "list"\na: list.Range(0, 1000000000000, 1)\n', "more than 1000000 elements")
        self.fails('import "math"\na: math.Pow(10, 1000000000)\n', "out of range")

    def test_loops(self):
        self.fails('import "list"\nl: list.Range(0, 1000, 1)\na: [for x in l for y in l for z in l {x*y*z}]\n',
                   "stopped after 2000000 steps", *self.STEPS)
        self.fails('import "list"\nl: list.Range(0, 1000, 1)\na: {for x in l for y in l for z in l {"\\(x)-\\(y)-\\(z)": 1}}\n',
                   "stopped after 2000000 steps", *self.STEPS)

    def test_disjunctions_that_multiply(self):
        self.fails("\n".join(f"s: {{f{i}: 1}} | {{g{i}: 2}}" for i in range(40)), "stopped after 2000000 steps", *self.STEPS)
        self.fails("\n".join(f"s: *{{f{i}: 1}} | {{g{i}: 2}}" for i in range(40)), "stopped after 2000000 steps", *self.STEPS)

    def test_recursion(self):
        self.fails("a: {b: a}\n", "structural cycle")
        self.fails("#F: {n: int, out: (#F & {n: n + 1}).out}\na: (#F & {n: 0}).out\n", "structural cycle")
        self.fails("".join(f"f{i}: f{i + 1} + 1\n" for i in range(100_000)) + "f100000: 1\n", "nested more than .* levels deep")
        self.gives("f0: 1\n" + "".join(f"f{i}: f{i - 1}\n" for i in range(1, 100_000)), '"f99999": 1')

    def test_a_small_stack(self):
        # There is no room for the large stack, so evaluation has to stop earlier.
        self.write("x.cue", "last: f8999\nf0: 1\n" + "".join(f"f{i}: f{i - 1} + 1\n" for i in range(1, 9_000)))
        self.assertEqual(self.run_opm(["export", "x.cue"]).returncode, 0)
        done = self.run_opm(["export", "x.cue"], memory=400 << 20)
        self.assertRegex(done.stderr.decode(), "nested more than .* levels deep")

    def test_regular_expressions(self):
        self.fails('a: "' + "a" * 50 + '!" & =~"^(a+)+$"\n', "out of bound")
        self.fails('a: "a" & =~"((a{100}){100}){100}"\n', "invalid repeat count")
        self.write("x.cue", 'a: "a" & =~"' + "(" * 50_000 + "a" + ")" * 50_000 + '"\n')
        self.run_opm(["export", "x.cue"])

    def test_many_fields_and_errors(self):
        self.gives("".join(f"f{i}: {i}\n" for i in range(100_000)), '"f99999": 99999')
        self.write("x.cue", "".join(f"f{i}: int & string\n" for i in range(20_000)))
        self.assertEqual(self.run_opm(["vet", "x.cue"]).returncode, 1)


class Data(Hostile):
    def check(self, name, content, message):
        self.write("x.cue", "a?: _\n")
        self.write(name, content)
        done = self.run_opm(["vet", "x.cue", name])
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(errors="replace"), message)

    def test_json(self):
        self.check("d.json", '{"a": ' + "[" * DEEP + "]" * DEEP + "}", "deep")
        self.check("d.json", b'{"a": "\xff"}', "UTF-8")
        self.check("d.json", b'{"a": 1\0}', "invalid|unexpected|expected")

    def test_yaml(self):
        self.check("d.yaml", "a: " + "[" * DEEP + "]" * DEEP, "deep")
        lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
        lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
        self.check("d.yaml", "\n".join(lines), "aliases expand")
        self.check("d.yaml", b"a: \xff\xff\n", "UTF-8")
        self.check("d.yaml", "a: &x [*x]\n", "anchor|alias|itself")

    def test_standard_input(self):
        done = self.run_opm(["eval", "-"], os.urandom(100_000))
        self.assertEqual(done.returncode, 1)


class Files(Hostile):
    def test_imports_in_a_circle(self):
        self.write("cue.mod/module.cue", 'module: "example.com/m@v0"\nlanguage: version: "v0.15.0"\n')
        self.write("a/a.cue", 'package a\nimport "example.com/m/b"\nx: b.x\n')
        self.write("b/b.cue", 'package b\nimport "example.com/m/a"\nx: a.x\n')
        done = self.run_opm(["eval", "./a"])
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), "import cycle")

    def test_files_that_cannot_be_read(self):
        self.write("x.cue", "a: 1\n")
        os.mkdir(os.path.join(self.folder, "folder.cue"))
        self.assertRegex(self.run_opm(["export", "none.cue"]).stderr.decode(), "none.cue: no such file")
        self.assertRegex(self.run_opm(["export", "folder.cue"]).stderr.decode(), "is a directory")
        os.symlink("loop.cue", os.path.join(self.folder, "loop.cue"))
        self.assertEqual(self.run_opm(["export", "loop.cue"]).returncode, 1)
        if os.geteuid() != 0:
            os.chmod(os.path.join(self.folder, "x.cue"), 0)
            self.assertRegex(self.run_opm(["export", "x.cue"]).stderr.decode(), "permission denied")

    def test_folders_that_hold_themselves(self):
        self.write("a/x.cue", "package a\nx: 1\n")
        os.symlink("..", os.path.join(self.folder, "a", "up"))
        self.assertEqual(self.run_opm(["eval", "./..."]).returncode, 0)

    def test_a_broken_module_file(self):
        for content in (b"\0\0\0", b"module: " + b"[" * DEEP, b'module: "x"\n' * 10_000, b"module: module\n"):
            self.write("cue.mod/module.cue", content)
            self.write("x.cue", "package x\na: 1\n")
            self.assertEqual(self.run_opm(["eval", "."]).returncode, 1)

    def test_expressions(self):
        self.write("x.cue", "a: 1\n")
        for expression in ("(" * 50_000, "\0", "a" * 100_000, "[for x in y {z}]", "a.b.c.d", '"\\(', "_|_"):
            if "\0" in expression:
                continue  # no argument can hold it
            self.assertEqual(self.run_opm(["export", "x.cue", "-e", expression]).returncode, 1, expression[:20])


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "--opm":
        OPM = sys.argv[2]
        del sys.argv[1:3]
    unittest.main()
