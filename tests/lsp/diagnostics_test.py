"""What is wrong, while somebody types."""

import shutil

from editor import EditorTest, uri_of

MODULE = 'module: "example.com/x@v0"\nlanguage: version: "v0.15.0"\n'


class PlainPackages(EditorTest):
    def setUp(self):
        super().setUp()
        self.editor.start()

    def test_a_text_that_was_never_saved(self):
        path = self.write("a.cue", "a: 1\n")
        self.editor.open(path)
        self.assertEqual(self.editor.diagnostics(path), [])
        self.editor.change(path, "a: 1", 'a: 1\na: "one"')
        [found] = self.editor.diagnostics(path)
        self.assertIn('conflicting values', found["message"])
        self.assertEqual(found["severity"], 1)
        self.assertEqual(found["source"], "opm")
        self.editor.change(path, '"one"', "1")
        self.assertEqual(self.editor.diagnostics(path), [])

    def test_it_stands_at_the_word(self):
        path = self.write("a.cue", 'text: "größe 🎉", ref: nowhere\n')
        self.editor.open(path)
        [found] = self.editor.diagnostics(path)
        self.assertIn('reference "nowhere" not found', found["message"])
        self.assertEqual(self.editor.under(path, found["range"]), "nowhere")

    def test_syntax_errors_are_all_told(self):
        path = self.write("a.cue", "package a\n\na: [1,\n\nb: }\nc: 1 1\n")
        self.editor.open(path)
        self.assertGreaterEqual(len(self.editor.diagnostics(path)), 2)

    def test_typing_letter_by_letter(self):
        path = self.write("a.cue", "")
        self.editor.open(path)
        text = 'package a\n\n#D: {name!: string, "o\\(x)": [...int], let y = 3\n}\nv: #D & {name: "\U0001f389" + #"x"#}\nif v.name != _|_ {z: [for k, w in v {w}]}\n'
        typed = ""
        for letter in text:
            typed += letter
            self.editor.replace(path, typed)
            self.editor.diagnostics(path)
        self.assertEqual(self.editor.stop(), 0)

    def test_changes_that_come_together_are_checked_together(self):
        path = self.write("a.cue", "a: 1\n")
        self.editor.open(path)
        self.editor.diagnostics(path)
        self.editor.send(self.editor.change_message(path, "1", "1 & 2"), self.editor.change_message(path, "1 & 2", "1 & 3"),
                         self.editor.change_message(path, "1 & 3", "4"))
        self.assertEqual(self.editor.diagnostics(path), [])
        said = [message for message in self.editor.other if message.get("method") == "textDocument/publishDiagnostics"]
        self.assertEqual(said, [])

    def test_other_files_of_the_package(self):
        self.write("cue.mod/module.cue", MODULE)
        schema = self.write("schema.cue", "package x\n\nn: int\n")
        data = self.write("data.cue", 'package x\n\nn: "text"\n')
        self.editor.open(data)
        [found] = self.editor.diagnostics(data)
        self.assertEqual(found["relatedInformation"][0]["location"]["uri"], uri_of(schema))
        self.editor.open(schema)
        self.editor.diagnostics(schema)
        self.editor.change(schema, "int", "string")
        self.editor.receive(lambda message: message.get("params", {}).get("uri") == uri_of(data) and not message["params"]["diagnostics"])

    def test_a_package_that_is_imported(self):
        self.write("cue.mod/module.cue", MODULE)
        library = self.write("library/l.cue", "package library\n\n#N: int\n")
        user = self.write("user/u.cue", 'package user\n\nimport "example.com/x/library"\n\nn: library.#N & 5\n')
        self.editor.open(library)
        self.editor.diagnostics(library)
        self.editor.open(user)
        self.assertEqual(self.editor.diagnostics(user), [])
        self.editor.change(library, "int", "string")
        self.assertEqual(self.editor.diagnostics(library), [])
        [found] = self.editor.diagnostics(user)
        self.assertIn("conflicting values", found["message"])

    def test_files_that_change_on_the_disk(self):
        self.write("cue.mod/module.cue", MODULE)
        data = self.write("data.cue", "package x\n\nn: 1\n")
        schema = self.write("schema.cue", "package x\n\nn: int\n")
        self.editor.open(data)
        self.assertEqual(self.editor.diagnostics(data), [])
        schema.write_text("package x\n\nn: string\n", encoding="utf-8")
        self.editor.notify("workspace/didChangeWatchedFiles", changes=[{"uri": uri_of(schema), "type": 2}])
        self.assertEqual(len(self.editor.diagnostics(data)), 1)
        schema.write_text("package x\n\nn: <4\n", encoding="utf-8")
        self.editor.notify("textDocument/didSave", textDocument={"uri": uri_of(data)})
        self.assertEqual(self.editor.diagnostics(data), [])

    def test_a_file_that_is_closed(self):
        path = self.write("a.cue", "a: 1\n")
        self.editor.open(path, "a: 1 & 2\n")
        self.assertEqual(len(self.editor.diagnostics(path)), 1)
        self.editor.close(path)
        self.editor.versions[path] = None
        self.assertEqual(self.editor.diagnostics(path), [])

    def test_what_definitions_leave_open_is_no_error(self):
        path = self.write("a.cue", "package a\n\n#D: {n: int, m!: string}\nd: #D\n")
        self.editor.open(path)
        self.assertEqual(self.editor.diagnostics(path), [])

    def test_files_that_belong_to_no_package(self):
        for name, text in (("_draft.cue", "package a\n\nx: 1 & 2\n"), ("b_test.cue", "package a\n\nx: 1 & 2\n"),
                           ("c_tool.cue", "package a\n\nx: 1 & 2\n"), ("cue.mod/module.cue", "module: }\n"),
                           ("off.cue", "@if(never)\n\npackage a\n\nx: }\n")):
            path = self.write(name, text)
            self.editor.open(path)
            self.assertGreaterEqual(len(self.editor.diagnostics(path)), 1, name)
            self.editor.close(path)

    def test_folders_that_are_odd(self):
        path = self.write("a b%ä/x.cue", "a: 1 & 2\n")
        self.editor.open(path)
        self.assertEqual(len(self.editor.diagnostics(path)), 1)

    def test_something_that_would_never_end(self):
        numbers = ", ".join(str(i) for i in range(100))
        path = self.write("a.cue", f"l: [{numbers}]\nx: [for a in l for b in l for c in l for d in l for e in l {{a+b+c+d+e}}]\n")
        self.editor.open(path)
        self.assertEqual(len(self.editor.diagnostics(path)), 1)
        self.editor.replace(path, "a: " + "[" * 20000)
        self.assertGreaterEqual(len(self.editor.diagnostics(path)), 1)


class Modules(EditorTest):
    def setUp(self):
        super().setUp()
        self.run_opm("mod", "init", "shop")
        self.module = self.folder / "shop"
        self.editor.start()

    def test_as_the_command_would_say_it(self):
        values = self.module / "values.cue"
        self.editor.open(values)
        self.assertEqual(self.editor.diagnostics(values), [])
        self.editor.change(values, "replicas:", "replcas:")
        [found] = self.editor.diagnostics(values)
        self.assertIn("replcas", found["message"])
        self.assertEqual(self.editor.under(values, found["range"]), "replcas")

    def test_a_trait_that_is_misspelt(self):
        components = self.module / "components.cue"
        self.editor.open(components)
        self.assertEqual(self.editor.diagnostics(components), [])
        self.editor.change(components, "container: {", "contaner: {")
        found = self.editor.messages_of(components)
        self.assertTrue(any("contaner" in message for message in found), found)

    def test_values_that_are_missing(self):
        (self.module / "values.cue").unlink()
        path = self.module / "module.cue"
        self.editor.open(path)
        [found] = self.editor.messages_of(path)
        self.assertIn("values.cue", found)

    def test_a_component_that_nothing_renders(self):
        components = self.module / "components.cue"
        self.editor.open(components)
        self.editor.diagnostics(components)
        text = components.read_text(encoding="utf-8")
        self.editor.replace(components, text + '\n#components: odd: {metadata: labels: "core.opmodel.dev/workload-type": "none"}\n')
        self.assertTrue(self.editor.messages_of(components))

    def test_examples_are_clean(self):
        for example in sorted((self.opm.parents[2] / "examples").iterdir()):
            copy = self.folder / "examples" / example.name
            shutil.copytree(example, copy)
            for path in sorted(copy.glob("*.cue")):
                self.editor.open(path)
                self.assertEqual(self.editor.messages_of(path), [], path)


class Formatting(EditorTest):
    def setUp(self):
        super().setUp()
        self.editor.start()

    def apply(self, path, edits):
        lines = self.editor.texts[path].split("\n")
        for edit in sorted(edits, key=lambda edit: (edit["range"]["start"]["line"], edit["range"]["start"]["character"]), reverse=True):
            start, end = edit["range"]["start"], edit["range"]["end"]
            before = "\n".join([*lines[:start["line"]], lines[start["line"]][:start["character"]]])
            after = "\n".join([lines[end["line"]][end["character"]:], *lines[end["line"] + 1:]])
            lines = (before + edit["newText"] + after).split("\n")
        return "\n".join(lines)

    def formatted(self, text):
        path = self.write("a.cue", text)
        self.editor.open(path)
        edits = self.editor.request("textDocument/formatting", textDocument={"uri": uri_of(path)}, options={"tabSize": 4})
        return None if edits is None else self.apply(path, edits)

    def test_as_the_command_does(self):
        for text in ("a:1\n", "a: {b:1,\n c:   2}\n\n\n\nd: 3", "\n\n\na: 1", "x: 1", "", "// only a comment", "a: 1\r\nb:2\r\n",
                     "a: 1\nb:2\nc: 3\n", "a: 1\n\n\n\n"):
            result = self.formatted(text)
            self.run_opm("cue", "fmt", "a.cue")
            self.assertEqual(result, (self.folder / "a.cue").read_bytes().decode(), text)

    def test_lines_that_stay_are_not_touched(self):
        path = self.write("a.cue", "a: 1\nb:2\nc: 3\n")
        self.editor.open(path)
        [edit] = self.editor.request("textDocument/formatting", textDocument={"uri": uri_of(path)}, options={})
        self.assertEqual(edit, {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}, "newText": "b: 2\n"})

    def test_broken_text_stays(self):
        self.assertIsNone(self.formatted("a: }\n"))

    def test_outline(self):
        path = self.write("a.cue", "package a\n\n#D: {n: int}\nlet x = 3\nl: [x]\nv: #D & {n: 1}\n")
        self.editor.open(path)
        symbols = self.editor.request("textDocument/documentSymbol", textDocument={"uri": uri_of(path)})
        self.assertEqual([symbol["name"] for symbol in symbols], ["a", "#D", "x", "l", "v"])
        self.assertEqual(symbols[1]["children"][0]["name"], "n")
        self.assertEqual(symbols[4]["children"][0]["name"], "n")
