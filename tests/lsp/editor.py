"""An editor that speaks the Language Server Protocol to `opm lsp` over pipes, and a folder that it edits in."""

import json
import os
import pathlib
import queue
import re
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

PATIENCE = 30


def uri_of(path):
    return "file://" + urllib.parse.quote(str(path))


def path_of(uri):
    return pathlib.Path(urllib.parse.unquote(uri.removeprefix("file://")))


def units(text):
    """How long a text is as editors count."""
    return len(text.encode("utf-16-le")) // 2


class Editor:
    """One server, and the texts that are open in it."""

    def __init__(self, opm, folder, home, arguments=(), variables=None):
        kept = {name: value for name, value in os.environ.items() if not re.match("OPM_|CUE_|KUBECONFIG|XDG_", name)}
        self.process = subprocess.Popen([opm, "lsp", *arguments], cwd=folder, env={**kept, "HOME": str(home), **(variables or {})},
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.messages = queue.Queue()
        self.other = []  # that nobody asked for yet
        self.last_id = 0
        self.texts = {}
        self.versions = {}
        threading.Thread(target=self.read, daemon=True).start()

    # --- the wire

    def read(self):
        stream = self.process.stdout
        try:
            while True:
                length = None
                while (line := stream.readline()) not in (b"\r\n", b""):
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                if length is None:
                    break
                self.messages.put(json.loads(stream.read(length)))
        except ValueError:
            pass  # the test closed the stream
        self.messages.put(None)

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    @staticmethod
    def framed(message):
        body = json.dumps(message).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    def send(self, *messages):
        """In one piece, as an editor does that was busy."""
        self.send_bytes(b"".join(self.framed({"jsonrpc": "2.0", **message}) for message in messages))

    def receive(self, is_it):
        """The next message that is it; others are kept for those who ask later."""
        for message in self.other:
            if is_it(message):
                self.other.remove(message)
                return message
        end = time.monotonic() + PATIENCE
        while True:
            try:
                message = self.messages.get(timeout=max(end - time.monotonic(), 0.01))
            except queue.Empty:
                raise AssertionError(f"the server says nothing more; it said {self.other}") from None
            if message is None:
                raise AssertionError(f"the server ended: {self.process.stderr.read().decode()}")
            if is_it(message):
                return message
            self.other.append(message)

    # --- requests and notifications

    def ask(self, method, **parameters):
        self.last_id += 1
        number = self.last_id
        self.send({"id": number, "method": method, "params": parameters})
        return number

    def answer(self, number):
        return self.receive(lambda message: message.get("id") == number and "method" not in message)

    def request(self, method, **parameters):
        answer = self.answer(self.ask(method, **parameters))
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    def failure(self, method, **parameters):
        return self.answer(self.ask(method, **parameters))["error"]

    def notify(self, method, **parameters):
        self.send({"method": method, "params": parameters})

    def start(self, **capabilities):
        result = self.request("initialize", processId=os.getpid(), rootUri=None, capabilities=capabilities)
        self.notify("initialized")
        return result

    # --- documents

    def open(self, path, text=None):
        text = path.read_text(encoding="utf-8") if text is None else text
        self.texts[path], self.versions[path] = text, 1
        self.notify("textDocument/didOpen",
                    textDocument={"uri": uri_of(path), "languageId": "cue", "version": 1, "text": text})

    def close(self, path):
        self.notify("textDocument/didClose", textDocument={"uri": uri_of(path)})

    def change_message(self, path, old, new):
        """Replaces the one place where `old` stands, the way typing does."""
        text = self.texts[path]
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
        at = text.index(old)
        change = {"range": {"start": self.position(path, at), "end": self.position(path, at + len(old))}, "text": new}
        self.texts[path] = text[:at] + new + text[at + len(old):]
        self.versions[path] += 1
        return {"method": "textDocument/didChange",
                "params": {"textDocument": {"uri": uri_of(path), "version": self.versions[path]}, "contentChanges": [change]}}

    def change(self, path, old, new):
        self.send(self.change_message(path, old, new))

    def replace(self, path, text):
        self.texts[path] = text
        self.versions[path] += 1
        self.notify("textDocument/didChange", textDocument={"uri": uri_of(path), "version": self.versions[path]},
                    contentChanges=[{"text": text}])

    def position(self, path, offset):
        before = self.texts[path][:offset]
        line = before.count("\n")
        return {"line": line, "character": units(before[before.rfind("\n") + 1:])}

    def at(self, path, words, skip=0):
        """The parameters of a request about the place where `words` stand; a | in them says where the cursor is."""
        bar = words.find("|")
        plain = words.replace("|", "")
        text = self.texts[path]
        assert text.count(plain) >= 1, f"{plain!r} does not stand in {path.name}"
        offset = -1
        for _ in range(skip + 1):
            offset = text.index(plain, offset + 1)
        return {"textDocument": {"uri": uri_of(path)}, "position": self.position(path, offset + max(bar, 0))}

    # --- answers

    def diagnostics(self, path):
        """What was published about the newest version of the text."""
        def is_it(message):
            parameters = message.get("params", {})
            return (message.get("method") == "textDocument/publishDiagnostics" and parameters["uri"] == uri_of(path)
                    and parameters.get("version") == self.versions.get(path))
        return self.receive(is_it)["params"]["diagnostics"]

    def messages_of(self, path):
        return [diagnostic["message"] for diagnostic in self.diagnostics(path)]

    def under(self, path, range_):
        """The text that a range of one line means."""
        line = self.texts[path].split("\n")[range_["start"]["line"]].encode("utf-16-le")
        assert range_["start"]["line"] == range_["end"]["line"], range_
        return line[range_["start"]["character"] * 2:range_["end"]["character"] * 2].decode("utf-16-le")

    def stop(self):
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass


class EditorTest(unittest.TestCase):
    """A test with a folder, a home and a server that ends with it."""

    opm = None
    arguments = ()

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve() / "work"
        self.home = self.folder.parent / "home"
        self.folder.mkdir()
        self.home.mkdir()
        self.editor = self.new_editor()

    def new_editor(self, **options):
        editor = Editor(self.opm, self.folder, self.home, **options)
        self.addCleanup(editor.kill)
        return editor

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run_opm(self, *words):
        subprocess.run([self.opm, *words], cwd=self.folder, env={**os.environ, "HOME": str(self.home)}, check=True, capture_output=True)
