"""--progress, on a terminal and elsewhere: what runs long is silent unless it is asked not to be."""

import os
import pty
import re
import subprocess
import threading
import unittest

from fixture import OPM
from releases import ReleaseTest, config_map, deployment


class Progress(ReleaseTest):
    def on_a_terminal(self, *arguments):
        """What opm writes to standard error where that is a terminal, its exit code, and its standard output."""
        master, slave = pty.openpty()
        process = subprocess.Popen([OPM, "mod", *arguments, str(self.work / "thing"), "--config", str(self.work / "config/config.cue")],
                                   stdout=subprocess.PIPE, stderr=slave, text=True, cwd=self.work,
                                   env=self.environment(KUBECONFIG=str(self.cluster.kubeconfig), TERM="xterm"))
        os.close(slave)
        pieces = []

        def read():
            while True:
                try:
                    piece = os.read(master, 65536)
                except OSError:
                    return
                if not piece:
                    return
                pieces.append(piece)

        reader = threading.Thread(target=read)
        reader.start()
        out, _ = process.communicate(timeout=90)
        reader.join(10)
        os.close(master)
        return b"".join(pieces).decode(), process.returncode, out

    @staticmethod
    def screen(text):
        """What a person sees at the end: lines above the cursor, with what was erased gone."""
        lines = [""]
        for part in re.split(r"(\x1b\[\d*[AJ]|\r?\n)", text):
            if match := re.fullmatch(r"\x1b\[(\d+)A", part):
                del lines[max(0, len(lines) - 1 - int(match[1])):]
                lines.append("")
            elif part in ("\n", "\r\n"):
                lines.append("")
            elif not part.startswith("\x1b"):
                lines[-1] += part
        return "\n".join(lines).strip()

    def test_a_live_table_where_it_is_asked_for(self):
        self.new_namespace()
        self.given(deployment("web", replicas=2), config_map("one"))
        with self.cluster.kubelet(self.namespace):
            text, code, out = self.on_a_terminal("apply", "--wait", "--timeout", "60s", "--progress")
        self.assertEqual(code, 0, text)
        for words in ("OBJECT", f"Deployment {self.namespace}/web", "created", "Progressing", "Healthy"):
            self.assertIn(words, text)
        self.assertRegex(text, r"\x1b\[\d+A\x1b\[J")  # each table takes the place of the one before
        self.assertEqual(self.screen(text), "")  # and the last one is taken away
        self.assertIn("2 created", out)
        text, code, out = self.on_a_terminal("delete", "--progress")
        self.assertEqual((code, self.screen(text)), (0, ""))
        self.assertIn(f"ConfigMap {self.namespace}/one", text)
        self.assertIn("2 deleted", out)

    def test_silence_otherwise(self):
        self.new_namespace()
        self.given(deployment("web"), config_map("one"))
        with self.cluster.kubelet(self.namespace):
            text, code, _ = self.on_a_terminal("apply", "--wait", "--timeout", "60s")
            self.assertEqual((code, text), (0, ""))
            self.assertEqual(self.mod("apply", "--wait", "--progress").stderr, "")  # no terminal
        self.assertEqual(self.on_a_terminal("delete")[0], "")


if __name__ == "__main__":
    unittest.main()
