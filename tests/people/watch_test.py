#!/usr/bin/env python3
"""`opm mod build --watch` and `opm mod vet --watch` as somebody uses them who edits files beside them.

  tests/people/watch_test.py --opm OPM"""

import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from runner import main

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPM = ROOT / "build/release/opm"
PATIENCE = 30


def heed_interrupts():
    """Whoever starts tests in the background has them ignore interrupts, and so would what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Watcher:
    """The command while it runs; `next` waits for the line that ends a round."""

    def __init__(self, folder, *words, ends):
        kept = {name: value for name, value in os.environ.items() if not re.match("OPM_|CUE_|KUBECONFIG|XDG_", name)}
        home = folder / "home"
        home.mkdir(exist_ok=True)
        self.process = subprocess.Popen([OPM, *words], cwd=folder, env={**kept, "HOME": str(home)}, text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=heed_interrupts)
        self.lines = queue.Queue()
        self.ends = re.compile(ends)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def next(self):
        found = []
        end = time.monotonic() + PATIENCE
        while True:
            line = self.lines.get(timeout=max(end - time.monotonic(), 0.01))
            found.append(line)
            if self.ends.search(line):
                return "\n".join(found)

    def until(self, *texts):
        """What is said until all of that was: a file that is written in place may be seen before it is complete."""
        said = ""
        while any(text not in said for text in texts):
            said += self.next() + "\n"
        return said

    def is_quiet(self, seconds=0.3):
        time.sleep(seconds)
        return self.lines.empty()

    def stop(self, number=signal.SIGINT):
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class WatchTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        subprocess.run([OPM, "mod", "init", "hello", "--template", "webapp"], cwd=self.folder, stdout=subprocess.DEVNULL, check=True)
        self.module = self.folder / "hello"
        self.values = self.module / "values.cue"
        self.watchers = []

    def tearDown(self):
        for watcher in self.watchers:
            watcher.close()
        self.scratch.cleanup()

    def watch(self, *words, ends=r" ms\)$|^error|^\d+ errors$"):
        watcher = Watcher(self.folder, "mod", *words, ends=ends)
        self.watchers.append(watcher)
        return watcher

    def build(self):
        watcher = self.watch("build", "--watch", "hello")
        self.assertRegex(watcher.next(), r"^\d+ objects, waiting for changes \(\d+ ms\)$")
        return watcher

    def replace(self, path, old, new, text=None):
        """As most editors save: a new file takes the place of the old one."""
        text = (text or path.read_text(encoding="utf-8")).replace(old, new)
        other = path.with_name(path.name + "~new")
        other.write_text(text, encoding="utf-8")
        other.rename(path)

    def test_a_change_is_shown(self):
        watcher = self.build()
        text = self.values.read_text(encoding="utf-8")
        image = re.search(r'"([^"]*:[^"]*)"', text).group(1)
        self.values.write_text(text.replace(image, "example.com/other:2"), encoding="utf-8")
        said = watcher.until("example.com/other:2")
        self.assertIn("changed: hello/values.cue", said)
        self.assertRegex(said, r"objects, changed as shown")

    def test_a_file_that_is_renamed_over_the_old_one(self):
        watcher = self.build()
        text = self.values.read_text(encoding="utf-8")
        image = re.search(r'"([^"]*:[^"]*)"', text).group(1)
        for number in range(3):
            self.replace(self.values, image, f"example.com/web:{number}", text)
            watcher.until(f"example.com/web:{number}")

    def test_errors_are_told_and_recovered_from(self):
        watcher = self.build()
        text = self.values.read_text(encoding="utf-8")
        image = re.search(r'"([^"]*:[^"]*)"', text).group(1)
        self.values.write_text("package main\n\nvalues: {\n", encoding="utf-8")
        watcher.until("error")
        self.values.write_text(text.replace(image, "example.com/fixed:1"), encoding="utf-8")
        watcher.until("example.com/fixed:1")

    def test_files_and_folders_that_come_and_go(self):
        watcher = self.build()
        extra = self.module / "extra.cue"
        extra.write_text("package main\n\n#components: web: metadata: labels: \"example.com/added\": \"yes\"\n", encoding="utf-8")
        watcher.until("example.com/added")
        extra.unlink()
        watcher.until("changed: hello/extra.cue", "example.com/added")

    def test_what_editors_leave_behind_is_no_change(self):
        watcher = self.build()
        for name in ("values.cue~", ".values.cue.swp", "4913", ".#values.cue", "#values.cue#"):
            (self.module / name).write_text("x", encoding="utf-8")
            (self.module / name).unlink()
        self.assertTrue(watcher.is_quiet())

    def test_values_outside_of_the_module(self):
        others = self.folder / "others"
        others.mkdir()
        text = self.values.read_text(encoding="utf-8")
        image = re.search(r'"([^"]*:[^"]*)"', text).group(1)
        field = re.search(rf'(\w+):\s+"{re.escape(image)}"', text).group(1)
        user = others / "user.yaml"
        user.write_text(f"{field}: example.com/user:1\n", encoding="utf-8")
        watcher = self.watch("build", "--watch", "hello", "--user", "others/user.yaml")
        watcher.next()
        (others / "unrelated.txt").write_text("x", encoding="utf-8")
        self.assertTrue(watcher.is_quiet())
        user.write_text(f"{field}: example.com/user:2\n", encoding="utf-8")
        watcher.until("example.com/user:2")

    def test_a_module_that_is_removed_and_comes_back(self):
        watcher = self.build()
        kept = self.folder / "kept"
        shutil.copytree(self.module, kept)
        shutil.rmtree(self.module)
        watcher.until("cannot open module")
        kept.rename(self.module)
        # A round may have come between two files that were removed, and then there is something to show.
        self.assertRegex(watcher.next(), "none of them changed|changed as shown")
        text = self.values.read_text(encoding="utf-8")
        image = re.search(r'"([^"]*:[^"]*)"', text).group(1)
        self.replace(self.values, image, "example.com/back:1", text)
        watcher.until("example.com/back:1")

    def test_folders_of_manifests_follow(self):
        watcher = self.watch("build", "--watch", "hello", "--split", "--out-dir", "out")
        watcher.next()
        text = self.values.read_text(encoding="utf-8")
        image = re.search(r'"([^"]*:[^"]*)"', text).group(1)
        self.replace(self.values, image, "example.com/split:1", text)
        watcher.until("example.com/split:1")
        self.assertTrue(any("example.com/split:1" in path.read_text(encoding="utf-8") for path in (self.folder / "out").glob("*.yaml")))

    def test_vet(self):
        watcher = self.watch("vet", "--watch", "hello", ends=r" ms\)$")
        self.assertRegex(watcher.next(), r"^nothing is wrong \(\d+ ms\)$")
        text = self.values.read_text(encoding="utf-8")
        self.values.write_text(text + "\nvalues: nonsense: 1\n", encoding="utf-8")
        self.assertIn("waiting for changes", watcher.until("nonsense"))
        self.values.write_text(text, encoding="utf-8")
        watcher.until("nothing is wrong, and the manifests are the same")
        image = re.search(r'"([^"]*:[^"]*)"', text).group(1)
        self.replace(self.values, image, "example.com/vetted:1", text)
        said = watcher.until("nothing is wrong, and the manifests change as shown")
        self.assertRegex(said, r"(?m)^[+ ].*example\.com/vetted:1")
        self.assertIn("changed: hello/values.cue", said)
        self.assertNotIn("~new", said)

    def test_an_interrupt_ends_it_as_it_ends_any_program(self):
        watcher = self.build()
        self.assertEqual(watcher.stop(signal.SIGINT), -signal.SIGINT)

    def test_standard_input_cannot_be_watched(self):
        done = subprocess.run([OPM, "mod", "build", "--watch", "hello", "-f", "-"], cwd=self.folder, input="", text=True, capture_output=True,
                              timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, "error: standard input cannot be watched\n"))


if __name__ == "__main__":
    main(globals())
