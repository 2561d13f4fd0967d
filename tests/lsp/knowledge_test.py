"""What the server knows: hover, definitions and completion."""

import shutil

from editor import EditorTest, path_of, uri_of

MODULE = 'module: "example.com/x@v0"\nlanguage: version: "v0.15.0"\n'


class KnowledgeTest(EditorTest):
    def setUp(self):
        super().setUp()
        self.editor.start()

    def open_text(self, text, name="a.cue"):
        path = self.write(name, text)
        self.editor.open(path)
        return path

    def hover(self, path, words, skip=0):
        result = self.editor.request("textDocument/hover", **self.editor.at(path, words, skip))
        return None if result is None else result["contents"]["value"]

    def definitions(self, path, words, skip=0):
        """File name, line from 1 and the text of the line, for each."""
        found = []
        for place in self.editor.request("textDocument/definition", **self.editor.at(path, words, skip)):
            target = path_of(place["uri"])
            text = self.editor.texts.get(target) or target.read_text(encoding="utf-8")
            line = place["range"]["start"]["line"]
            found.append((target.name, line + 1, text.split("\n")[line].strip()))
        return found

    def items(self, path, words, skip=0):
        return self.editor.request("textDocument/completion", **self.editor.at(path, words, skip))["items"]

    def labels(self, path, words, skip=0):
        return [item["label"] for item in sorted(self.items(path, words, skip), key=lambda item: item["sortText"])]


class Hovering(KnowledgeTest):
    def test_type_and_documentation(self):
        path = self.open_text("// How many.\n#D: {\n\t// From one\n\t// up.\n\tn: *1 | int & >=1\n}\nd: #D & {\n\tn: 3\n}\n")
        self.assertEqual(self.hover(path, "n|: 3"), "```cue\nn: *1 | int & >=1\n```\n\nFrom one\nup.")
        self.assertEqual(self.hover(path, "#D| &"), "```cue\n#D: {\n\tn: *1 | int & >=1\n}\n```\n\nHow many.")
        self.assertIn("default `1`", self.hover(path, "n|: *1"))

    def test_where_a_value_comes_from_it_is_told(self):
        path = self.open_text('base: name: "web"\nother: base.name\n')
        self.assertIn('is `"web"`', self.hover(path, "oth|er"))
        self.assertNotIn("web", self.hover(path, "na|me:"))

    def test_the_range_is_that_of_the_name(self):
        path = self.open_text('t: "🎉", größe: int\nx: größe\n')
        result = self.editor.request("textDocument/hover", **self.editor.at(path, "x: grö|ße"))
        self.assertEqual(self.editor.under(path, result["range"]), "größe")

    def test_nothing_to_say(self):
        path = self.open_text("// comment\na: 1\n\n\n")
        for words in ("// com|ment", ": |1", "\n|\n\n"):
            self.assertIsNone(self.hover(path, words), words)

    def test_half_typed(self):
        path = self.open_text("#D: n: int\na: #D\na: n: 1\nb: {\n\tc: \n}\ne: [\n")
        self.assertIn("n: int", self.hover(path, "a: n|: 1"))

    def test_names_of_all_kinds(self):
        path = self.open_text('import "strings"\n\nlet base = {#x: 1}\nlist: [{k: 5}]\nX=label: {v: 1}\ny: X.v\n'
                              'z: [for i, e in list {e.k}]\nj: strings.Join(["a"], "")\nw: list[0].k\n"quoted-x": 3\n')
        self.assertIn("int", self.hover(path, "e.k|") or "")
        self.assertIn("v:", self.hover(path, "y: X.v|"))
        self.assertIn("function of 2 arguments", self.hover(path, "strings.Jo|in"))
        self.assertIn("standard package", self.hover(path, 'import "str|ings"'))
        self.assertIn("standard package", self.hover(path, "j: str|ings"))
        self.assertIn("k:", self.hover(path, "w: list[0].k|"))


class Definitions(KnowledgeTest):
    def test_in_the_same_file(self):
        path = self.open_text("#D: n: int\nd: #D & {n: 3}\nlet five = 5\nf: five\ne: [for one in [1] {one}]\nA=b: c: 1\ng: A.c\n")
        self.assertEqual(self.definitions(path, "d: #D|"), [("a.cue", 1, "#D: n: int")])
        self.assertEqual(self.definitions(path, "{n|: 3}"), [("a.cue", 1, "#D: n: int")])
        self.assertEqual(self.definitions(path, "f: fi|ve"), [("a.cue", 3, "let five = 5")])
        self.assertEqual(self.definitions(path, "{on|e}")[0][1], 5)
        self.assertEqual(self.definitions(path, "g: A.c|"), [("a.cue", 6, "A=b: c: 1")])
        self.assertEqual(self.definitions(path, "g: A|"), [("a.cue", 6, "A=b: c: 1")])

    def test_in_other_files_and_packages(self):
        self.write("cue.mod/module.cue", MODULE)
        self.write("library/l.cue", "package library\n\n#N: count: int\n")
        self.write("other.cue", "package x\n\n_limit: 10\n")
        path = self.open_text('package x\n\nimport "example.com/x/library"\n\nn: library.#N & {count: _limit}\n')
        self.assertEqual(self.definitions(path, "library.#N|"), [("l.cue", 3, "#N: count: int")])
        self.assertEqual(self.definitions(path, "cou|nt"), [("l.cue", 3, "#N: count: int")])
        self.assertEqual(self.definitions(path, "_lim|it"), [("other.cue", 3, "_limit: 10")])
        self.assertEqual(self.definitions(path, "libr|ary.#N")[0][:2], ("l.cue", 1))
        self.assertEqual(self.definitions(path, "x/libr|ary")[0][:2], ("l.cue", 1))

    def test_in_a_module_that_was_downloaded(self):
        cache = self.home / ".cache/cue/mod"
        file = 'module: "example.com/dep@v0"\nlanguage: version: "v0.15.0"\n'
        for name, text in (("download/example.com/dep/@v/v0.1.0.mod", file), ("extract/example.com/dep@v0.1.0/cue.mod/module.cue", file),
                           ("extract/example.com/dep@v0.1.0/d.cue", "package dep\n\n// Deep.\n#D: deep: int\n"),
                           ("extract/example.com/dep@v0.1.0/sub/s.cue", "package sub\n")):
            (cache / name).parent.mkdir(parents=True, exist_ok=True)
            (cache / name).write_text(text, encoding="utf-8")
        self.write("cue.mod/module.cue", MODULE + 'deps: "example.com/dep@v0": v: "v0.1.0"\n')
        path = self.open_text('package x\n\nimport "example.com/dep@v0"\n\nd: dep.#D & {deep: 3}\n')
        self.assertEqual(self.editor.diagnostics(path), [])
        self.assertEqual(self.definitions(path, "dep.#D|"), [("d.cue", 4, "#D: deep: int")])
        self.assertEqual(self.definitions(path, "{de|ep"), [("d.cue", 4, "#D: deep: int")])
        self.assertIn("`example.com/dep@v0` v0.1.0", self.hover(path, "d: de|p"))
        self.editor.change(path, '"example.com/dep@v0"', '"example.com/dep@v0"\nimport "exa"')
        self.assertIn("example.com/dep/sub@v0", self.labels(path, 'import "exa|"'))

    def test_where_unsaved_text_stands(self):
        self.write("cue.mod/module.cue", MODULE)
        other = self.write("other.cue", "package x\n\nlimit: 10\n")
        self.editor.open(other, "package x\n\n\n\n\nlimit: 10\n")
        path = self.open_text("package x\n\nn: limit\n")
        self.assertEqual(self.definitions(path, "lim|it"), [("other.cue", 6, "limit: 10")])

    def test_nowhere(self):
        path = self.open_text('import "strings"\n\na: missing.x\nb: strings.ToUpper("x")\nc: int\n')
        for words in ("miss|ing", "missing.x|", "ToUp|per", "c: in|t", "str|ings.To"):
            self.assertEqual(self.definitions(path, words), [], words)


class Completing(KnowledgeTest):
    SCHEMA = ("#Port: {\n\t// Where it listens.\n\tnumber!: int\n\tprotocol: *\"TCP\" | \"UDP\"\n\tname?: string\n}\n"
              "#Service: {ports: [string]: #Port, list: [...#Port], kind: \"a\" | \"b\", on: bool}\n")

    def test_fields_of_the_schema(self):
        path = self.open_text(self.SCHEMA + "s: #Service & {\n\tports: http: {\n\t\t\n\t}\n}\n")
        labels = self.labels(path, "\t\t|\n")
        self.assertEqual(labels[:3], ["number", "protocol", "name"])
        [number] = [item for item in self.items(path, "\t\t|\n") if item["label"] == "number"]
        self.assertEqual(number["textEdit"]["newText"], "number: ")
        self.assertEqual(number["detail"], "int (required)")
        self.assertEqual(number["documentation"]["value"], "Where it listens.")

    def test_in_broken_lines(self):
        for line, expected in (("ports: http: nu|", "number"), ("ports: http: |", "number"), ("ports: http: {nu|", "number"),
                               ("ports: http: {number: 1, pro|}", "protocol"), ("list: [{|}]", "number"), ("list: [{na|", "name"),
                               ("po|", "ports"), ("po|: {}", "ports"), ("|", "ports"), ("ports: http: number: 1, |", "list"),
                               ("on: tr|", "true"), ("kind: |", '"a"'), ('kind: "|"', '"b"'), ("ports: http: protocol: |", '"UDP"'),
                               ("ports: http: protocol: \"T|", '"TCP"'), ("list: [{protocol: |}]", '"UDP"')):
            with self.subTest(line):
                path = self.open_text(self.SCHEMA + "s: #Service & {\n\t" + line.replace("|", "") + "\n}\n")
                self.assertIn(expected, self.labels(path, "\t" + line + "\n"))

    def test_what_is_there_already_is_not_offered(self):
        path = self.open_text(self.SCHEMA + "s: #Service & {\n\ton: true\n\t\n}\n")
        labels = [item["label"] for item in self.items(path, "true\n\t|\n") if item["kind"] == 5]
        self.assertNotIn("on", labels)
        self.assertIn("kind", labels)

    def test_other_errors_do_not_matter(self):
        for broken in ("x: }\n", "y: nowhere.z\n", 'import "strings"\n', "z: [1,\n", "w: 1 2\n", "v: {\n", 'u: "open\n', "a: 1 & 2\n"):
            with self.subTest(broken):
                head, tail = (broken, "") if broken.startswith("import") else ("", broken)
                path = self.open_text(head + self.SCHEMA + "s: #Service & {\n\tpo\n}\n" + tail)
                self.assertIn("ports", self.labels(path, "\tpo|\n"))

    def test_members(self):
        path = self.open_text('import "strings"\n\n' + self.SCHEMA + "s: #Service & {on: true}\na: s.\nb: strings.To\nc: #Port.\nlet p = s.ports\nd: p.\n")
        self.assertIn("ports", self.labels(path, "a: s.|"))
        self.assertIn("ToUpper", self.labels(path, "b: strings.To|"))
        self.assertIn("number", self.labels(path, "c: #Port.|"))

    def test_names_that_can_be_seen(self):
        self.write("cue.mod/module.cue", MODULE)
        self.write("other.cue", "package x\n\n_hidden: 1\nelsewhere: 2\n")
        path = self.open_text('package x\n\nimport l "list"\n\nlet local = 1\nouter: inner: {\n\tnear: 1\n\ta: \n}\nb: [for key, item in outer {x: it}]\nu: l.Max\n')
        labels = self.labels(path, "a: |\n")
        for name in ("near", "inner", "outer", "local", "l", "_hidden", "elsewhere", "string"):
            self.assertIn(name, labels)
        self.assertIn("item", self.labels(path, "x: it|"))
        self.assertIn("key", self.labels(path, "x: it|"))

    def test_imports(self):
        self.write("cue.mod/module.cue", MODULE)
        self.write("library/deep/l.cue", "package deep\n")
        for words in ('import "|"', 'import (\n\t"opm|"\n)', "import |", "import (\n\t|\n)"):
            with self.subTest(words):
                path = self.open_text("package x\n\n" + words.replace("|", "") + "\n\na: 1\n")
                items = {item["label"]: item["textEdit"]["newText"] for item in self.items(path, words)}
                quote = "" if '"' in words else '"'
                for name in ("example.com/x/library/deep", "opmodel.dev/core@v0", "opmodel.dev/resources/workload@v0", "strings", "encoding/json"):
                    self.assertEqual(items[name], quote + name + quote)
                self.assertNotIn("example.com/x", items)

    def test_not_in_comments_and_texts(self):
        path = self.open_text(self.SCHEMA + 's: #Service & {\n\t// po\n\tports: http: name: "po"\n}\n')
        self.assertEqual(self.labels(path, "// po|"), [])
        self.assertEqual(self.labels(path, '"po|"'), [])

    def test_everywhere_in_a_file(self):
        """No place in no text makes it end."""
        path = self.open_text("")
        text = 'package x\nimport (a "strings", "li\n#D: {[string]: {n?: int}, (k): 1, "\\(x)": [...{}]}\nX={y: X}: 1\nif a {b: _|_}\nc: (#D & {}).z[0][1:2]\n'
        self.editor.replace(path, text)
        for offset in range(len(text) + 1):
            where = {"textDocument": {"uri": uri_of(path)}, "position": self.editor.position(path, offset)}
            for method in ("completion", "hover", "definition"):
                self.editor.request("textDocument/" + method, **where)
        self.assertEqual(self.editor.stop(), 0)


class Modules(KnowledgeTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(self.opm.parents[2] / "examples/shop", self.folder / "shop")
        self.components = self.folder / "shop/components.cue"
        self.values = self.folder / "shop/values.cue"
        self.editor.open(self.components)
        self.editor.open(self.values)

    def test_the_broken_line(self):
        self.editor.change(self.components, "\t\t\tcontainer: {\n\t\t\t\tname:  \"web\"", "\t\t\tcontai\n\t\t\tother: {\n\t\t\t\tname:  \"web\"")
        self.assertIn("container", self.labels(self.components, "contai|\n"))
        self.editor.replace(self.components, self.components.read_text(encoding="utf-8") + '\n#components: mine: {\n\t_stateless\n\tspec: contai\n}\n')
        self.assertIn("container", self.labels(self.components, "spec: contai|"))
        self.editor.change(self.components, "spec: contai", "spec: container: {im")
        self.assertIn("image", self.labels(self.components, "{im|"))

    def test_values_and_config(self):
        self.editor.change(self.values, 'size: "20Gi"\n', "\n")
        self.assertEqual(self.labels(self.values, "database: {\n\t\t|")[0], "size")
        self.editor.change(self.components, "#config.web.image", "#config.web.")
        self.assertEqual(self.labels(self.components, "#config.web.|"), ["image", "replicas"])
        self.assertIn("replicas: int & >=1", self.hover(self.values, "web: {image: \"ghcr.io/example/shop-web:3.1.0\", repli|cas"))

    def test_definitions_of_the_catalog(self):
        text = self.components.read_text(encoding="utf-8")
        self.editor.replace(self.components, text + "\n#components: mine: {\n\tnetwork.\n}\n")
        labels = self.labels(self.components, "\tnetwork.|\n")
        self.assertIn("#Expose", labels)
        self.assertIn("#HttpRoute", labels)

    def test_into_the_catalog_and_further(self):
        [(name, line, text)] = self.definitions(self.components, "\tworkload.#Cont|ainer")
        self.assertEqual((name, text), ("container.cue", "#Container: core.#Component & {"))
        [place] = self.editor.request("textDocument/definition", **self.editor.at(self.components, "\tworkload.#Cont|ainer"))
        copy = path_of(place["uri"])
        self.assertTrue(copy.is_relative_to(self.home / ".cache/opm/catalog"))
        self.assertTrue((copy.parents[1] / "cue.mod/module.cue").exists())
        self.editor.open(copy)
        found = self.definitions(copy, "core.#Comp|onent")
        self.assertEqual(found[0][0], "component.cue")
        said = [message["params"] for message in self.editor.other if message.get("method") == "textDocument/publishDiagnostics"]
        self.assertFalse([one for one in said if one["uri"] == uri_of(copy) and one["diagnostics"]])
        self.assertIn("scaling.cue", [found[0] for found in self.definitions(self.components, "scal|ing: count: #config.web")])

    def test_what_the_copy_holds_is_mended(self):
        [place] = self.editor.request("textDocument/definition", **self.editor.at(self.components, "\tworkload.#Cont|ainer"))
        copy = path_of(place["uri"])
        whole = copy.read_bytes()
        copy.write_bytes(b"broken")
        editor = self.new_editor()
        editor.start()
        editor.open(self.components)
        self.assertTrue(editor.request("textDocument/definition", **editor.at(self.components, "\tworkload.#Cont|ainer")))
        self.assertEqual(copy.read_bytes(), whole)

    def test_nowhere_to_put_a_copy(self):
        (self.home / ".cache").write_text("in the way", encoding="utf-8")
        self.assertEqual(self.definitions(self.components, "\tworkload.#Cont|ainer"), [])

    def test_no_secret_is_shown(self):
        text = self.components.read_text(encoding="utf-8") + "\n_taken: values.database.password.value\n_part: values.database.password\n"
        self.editor.replace(self.components, text)
        for path, words in ((self.values, 'val|ue: "change-me"'), (self.components, "_tak|en"), (self.components, "password.val|ue"),
                            (self.components, "_pa|rt"), (self.values, "pass|word: value"), (self.components, "_taken: val|ues")):
            said = self.hover(path, words)
            self.assertNotIn("change-me", said or "", words)
