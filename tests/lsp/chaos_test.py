"""Somebody, or something, that hits keys at random: no text and no place may end the server."""

import random
import shutil

from editor import EditorTest, uri_of

STEPS = 120
PIECES = ["{", "}", "[", "]", "(", ")", '"', "'", '"""', "#", "_", ".", ":", ",", "\n", "\t", "&", "|", "*", "...", "if ", "for k, v in ",
          "let x = ", "\\(", "//", "@if(a)", "\U0001f389", "\u00e9", "spec", "#config", 'import "', "package ", "?", "!", "_|_", "<", "1e9",
          "\0", "\ufeff", '=~"a("', "X=", "[string]: ", "div", "strings.", "~(a,b)"]


class Chaos(EditorTest):
    def test_random_keys(self):
        for seed in (1, 2):
            with self.subTest(seed=seed):
                self.hit_keys(random.Random(seed))

    def hit_keys(self, chance):
        examples = self.opm.parents[2] / "examples"
        shutil.copytree(examples, self.folder / "examples", dirs_exist_ok=True)
        editor = self.new_editor()
        editor.start()
        paths = chance.sample(sorted((self.folder / "examples").glob("*/*.cue")), 4)
        for path in paths:
            editor.open(path)
        for _ in range(STEPS):
            path = chance.choice(paths)
            text = editor.texts[path]
            begin = chance.randrange(len(text) + 1)
            end = min(len(text), begin + chance.choice([0, 0, 1, 1, 3, 20]))
            piece = chance.choice(PIECES)
            change = {"range": {"start": editor.position(path, begin), "end": editor.position(path, end)}, "text": piece}
            editor.texts[path] = text[:begin] + piece + text[end:]
            editor.versions[path] += 1
            editor.notify("textDocument/didChange", textDocument={"uri": uri_of(path), "version": editor.versions[path]},
                          contentChanges=[change])
            for method in ("completion", "hover", "definition", "formatting", "documentSymbol"):
                place = chance.choice([begin + len(piece), chance.randrange(len(editor.texts[path]) + 1)])
                editor.request("textDocument/" + method, textDocument={"uri": uri_of(path)}, options={},
                               position=editor.position(path, place))
            if chance.random() < 0.05:
                editor.replace(path, path.read_text(encoding="utf-8"))
        self.assertEqual(editor.stop(), 0)
