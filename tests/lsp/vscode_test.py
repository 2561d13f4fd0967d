"""The settings for VS Code in docs/editors.md, by what the extensions that they are for do with them."""

import json
import pathlib
import re
import shutil
import subprocess

from editor import Editor, EditorTest, uri_of

ROOT = pathlib.Path(__file__).resolve().parents[2]


class VisualStudioCode(EditorTest):
    def setUp(self):
        super().setUp()
        page = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
        self.cue, self.generic = (json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL))
        (self.folder / "bin").mkdir()
        (self.folder / "bin/opm").symlink_to(self.opm)

    def run_command(self, *words):
        done = subprocess.run([self.folder / "bin" / words[0], *words[1:]], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, words)
        return done.stdout

    def test_the_settings_of_the_cue_extension(self):
        known = {"cue.useLanguageServer": bool, "cue.cueCommand": str, "cue.languageServerFlags": list, "cue.enableEmbeddedFilesSupport": bool}
        given = {name: value for name, value in self.cue.items() if name != "[cue]"}
        for name, value in given.items():
            self.assertIsInstance(value, known[name])
        self.assertTrue(given["cue.useLanguageServer"])
        # Before it starts the server it wants to know the version, and whether there is one.
        command = given["cue.cueCommand"]
        self.assertRegex(self.run_command(command, "version"), r"(?m)^cue version (v\d+\.\d+\.\d+)")
        self.assertIn("Language Server", self.run_command(command, "help", "lsp"))
        self.session(Editor(self.folder / "bin" / command, self.folder, self.home, given.get("cue.languageServerFlags", [])))

    def test_the_settings_of_a_generic_client(self):
        self.assertEqual(self.generic["glspc.server.languageId"], ["cue"])
        command, (first, *others) = self.generic["glspc.server.command"], self.generic["glspc.server.commandArguments"]
        self.assertEqual(first, "lsp")
        self.session(Editor(self.folder / "bin" / command, self.folder, self.home, others))

    def session(self, editor):
        """What its client says first, of what it can, and what it sends unasked."""
        self.addCleanup(editor.kill)
        shutil.copytree(ROOT / "examples/shop", self.folder / "shop", dirs_exist_ok=True)
        result = editor.request(
            "initialize", processId=None, rootUri=uri_of(self.folder), workspaceFolders=[{"uri": uri_of(self.folder), "name": "work"}], trace="off",
            capabilities={"general": {"positionEncodings": ["utf-16"]}, "window": {"workDoneProgress": True},
                          "workspace": {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True}},
                          "textDocument": {"synchronization": {"dynamicRegistration": True, "didSave": True},
                                           "completion": {"completionItem": {"snippetSupport": True}, "contextSupport": True}}})
        self.assertEqual(result["capabilities"]["positionEncoding"], "utf-16")
        editor.notify("initialized")
        editor.notify("$/setTrace", value="off")
        editor.notify("workspace/didChangeConfiguration", settings={})
        components = self.folder / "shop/components.cue"
        editor.open(components)
        self.assertEqual(editor.diagnostics(components), [])
        editor.change(components, "#config.web.image", "#config.web.imgae")
        self.assertTrue(editor.diagnostics(components))
        for method in ("hover", "definition", "completion", "formatting", "documentSymbol"):
            self.assertTrue(editor.request("textDocument/" + method, context={"triggerKind": 1}, options={"tabSize": 4, "insertSpaces": False},
                                           **editor.at(components, "workload.#Cont|ainer")) or method == "formatting", method)
        self.assertEqual(editor.stop(), 0)

    def test_documents_of_other_languages_are_no_errors(self):
        """Those of JSON and YAML are sent too, unless the setting for it is off."""
        self.editor.start()
        path = self.write("a.yaml", "a: 1\n")
        document = {"uri": uri_of(path)}
        self.editor.notify("textDocument/didOpen", textDocument={**document, "languageId": "yaml", "version": 1, "text": "a: 1\n"})
        for method in ("hover", "definition", "completion", "formatting", "documentSymbol"):
            self.assertIsNone(self.editor.request("textDocument/" + method, textDocument=document, position={"line": 0, "character": 0}))
        self.editor.notify("textDocument/didSave", textDocument=document)
        self.editor.notify("textDocument/didClose", textDocument=document)
        self.assertEqual(self.editor.failure("textDocument/hover", textDocument=document)["code"], -32602)
