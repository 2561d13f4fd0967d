"""The protocol itself: how a conversation begins, ends, and goes on after nonsense."""

import json

from editor import PATIENCE, EditorTest, uri_of


class Beginning(EditorTest):
    def test_capabilities(self):
        result = self.editor.start()
        self.assertEqual(result["serverInfo"]["name"], "opm")
        capabilities = result["capabilities"]
        self.assertEqual(capabilities["positionEncoding"], "utf-16")
        self.assertEqual(capabilities["textDocumentSync"], {"openClose": True, "change": 2, "save": True})
        self.assertTrue(capabilities["documentFormattingProvider"])

    def test_bytes_are_counted_if_the_editor_wants_that(self):
        result = self.editor.start(general={"positionEncodings": ["utf-32", "utf-8"]})
        self.assertEqual(result["capabilities"]["positionEncoding"], "utf-8")

    def test_nothing_is_answered_before(self):
        self.assertEqual(self.editor.failure("textDocument/hover")["code"], -32002)
        self.editor.start()

    def test_initialized_only_once(self):
        self.editor.start()
        self.assertEqual(self.editor.failure("initialize", capabilities={})["code"], -32600)

    def test_files_are_watched_if_the_editor_can(self):
        self.editor.start(workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}})
        asked = self.editor.receive(lambda message: message.get("method") == "client/registerCapability")
        self.assertEqual(asked["params"]["registrations"][0]["method"], "workspace/didChangeWatchedFiles")
        self.editor.send({"id": asked["id"], "result": None})
        self.assertEqual(self.editor.stop(), 0)


class Ending(EditorTest):
    def test_shutdown_and_exit(self):
        self.editor.start()
        self.assertIsNone(self.editor.request("shutdown"))
        self.assertEqual(self.editor.failure("textDocument/hover")["code"], -32600)
        self.editor.notify("exit")
        self.assertEqual(self.editor.process.wait(PATIENCE), 0)

    def test_exit_alone_is_a_failure(self):
        self.editor.start()
        self.editor.notify("exit")
        self.assertEqual(self.editor.process.wait(PATIENCE), 1)

    def test_an_editor_that_is_gone(self):
        self.editor.start()
        self.editor.process.stdin.close()
        self.assertEqual(self.editor.process.wait(PATIENCE), 1)

    def test_what_was_asked_before_the_end_is_answered(self):
        self.editor.start()
        number = self.editor.ask("shutdown")
        self.editor.process.stdin.close()
        self.assertIsNone(self.editor.answer(number)["result"])
        self.assertEqual(self.editor.process.wait(PATIENCE), 0)


class Nonsense(EditorTest):
    def error(self):
        return self.editor.receive(lambda message: "error" in message and message["id"] is None)["error"]

    def frame(self, body):
        self.editor.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def test_what_is_no_json(self):
        for body in (b"", b"{", b"nonsense", b'{"a": 1, "a": 2}', b"\xff\xfe", b'{"jsonrpc"', b"[" * 5000):
            self.frame(body)
            self.assertEqual(self.error()["code"], -32700, body[:20])
        self.editor.start()

    def test_what_is_no_message(self):
        for body in ([], [1], "text", 3, {"id": True, "method": "x"}, {"id": 1}, {"method": 5}):
            self.frame(json.dumps(body).encode())
            error = self.editor.receive(lambda message: "error" in message)["error"]
            self.assertEqual(error["code"], -32600, body)
        self.editor.start()

    def test_unknown_methods(self):
        self.editor.start()
        self.assertEqual(self.editor.failure("textDocument/nonsense")["code"], -32601)
        self.assertEqual(self.editor.failure("$/nonsense")["code"], -32601)
        self.assertEqual(self.editor.failure("textDocument/didOpen")["code"], -32601)
        self.editor.notify("$/setTrace", value="off")
        self.editor.notify("workspace/nonsense")
        self.assertEqual(self.editor.stop(), 0)

    def test_parameters_that_are_wrong(self):
        self.editor.start()
        path = self.write("a.cue", "a: 1\n")
        for parameters in ({}, {"textDocument": 1}, {"textDocument": {"uri": "file:///nowhere.cue"}}, {"textDocument": {"uri": "http://x"}}):
            self.assertEqual(self.editor.failure("textDocument/formatting", **parameters)["code"], -32602)
        self.editor.notify("textDocument/didChange", textDocument={"uri": uri_of(path)})
        self.editor.notify("textDocument/didChange", textDocument=[], contentChanges={})
        self.editor.notify("textDocument/didClose", textDocument={"uri": uri_of(path)})
        self.editor.notify("textDocument/didSave")
        self.editor.notify("textDocument/didOpen", textDocument={"uri": 4})
        self.editor.notify("$/cancelRequest")
        self.editor.open(path)
        self.assertEqual(self.editor.diagnostics(path), [])

    def test_a_change_that_is_none_is_told(self):
        self.editor.start()
        path = self.write("a.cue", "a: 1\n")
        self.editor.open(path)
        self.editor.notify("textDocument/didChange", textDocument={"uri": uri_of(path), "version": 2}, contentChanges=[{"range": 3, "text": "x"}])
        said = self.editor.receive(lambda message: message.get("method") == "window/showMessage")
        self.assertIn("a.cue", said["params"]["message"])

    def test_places_that_are_nowhere(self):
        self.editor.start()
        path = self.write("a.cue", "a: 1\n")
        self.editor.open(path)
        self.editor.notify("textDocument/didChange", textDocument={"uri": uri_of(path), "version": 2}, contentChanges=[
            {"range": {"start": {"line": 900, "character": 0}, "end": {"line": 2000000000, "character": 7}}, "text": "b: 2\n"},
            {"range": {"start": {"line": 0, "character": 900}, "end": {"line": 0, "character": 0}}, "text": "c: 3"}])
        self.editor.texts[path], self.editor.versions[path] = "c: 3\nb: 2\n", 2
        self.assertEqual(self.editor.diagnostics(path), [])
        self.assertEqual(self.editor.request("textDocument/formatting", textDocument={"uri": uri_of(path)}), [])

    def test_a_message_that_is_too_large_is_skipped(self):
        self.editor.send_bytes(b"Content-Length: 67108865\r\n\r\n")
        self.assertEqual(self.error()["code"], -32600)
        piece = b"x" * (1 << 20)
        for _ in range(64):
            self.editor.send_bytes(piece)
        self.editor.send_bytes(b"y")
        self.editor.start()

    def test_headers_that_are_none_end_it(self):
        for headers in (b"nonsense\r\n\r\n", b"Content-Length: -1\r\n\r\n", b"Content-Length: 1e3\r\n\r\n", b"x" * 9000, b"A: b\r\n\r\n"):
            editor = self.new_editor()
            editor.send_bytes(headers)
            self.assertEqual(editor.receive(lambda message: True)["error"]["code"], -32700)
            self.assertEqual(editor.process.wait(PATIENCE), 1)

    def test_messages_in_small_pieces(self):
        data = self.editor.framed({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": {"capabilities": {}}})
        data = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + data
        for byte in data:
            self.editor.send_bytes(bytes([byte]))
        self.assertIn("capabilities", self.editor.answer("first")["result"])

    def test_a_broken_configuration_is_told(self):
        config = self.home / ".opm"
        config.mkdir()
        (config / "config.cue").write_text("package config\n\nconfig: registry: 5\n", encoding="utf-8")
        editor = self.new_editor()
        editor.start()
        said = editor.receive(lambda message: message.get("method") == "window/showMessage")
        self.assertIn("config.registry", said["params"]["message"])
        path = self.write("a.cue", "a: 1 & 2\n")
        editor.open(path)
        self.assertEqual(len(editor.diagnostics(path)), 1)


class Cancelling(EditorTest):
    def test_a_request_that_waits(self):
        self.editor.start()
        path = self.write("a.cue", "a: 1\n")
        self.editor.open(path)
        document = {"textDocument": {"uri": uri_of(path)}}
        self.editor.send({"id": 100, "method": "textDocument/formatting", "params": document},
                         {"id": 101, "method": "textDocument/formatting", "params": document},
                         {"method": "$/cancelRequest", "params": {"id": 101}})
        self.assertEqual(self.editor.answer(100)["result"], [])
        self.assertEqual(self.editor.answer(101)["error"]["code"], -32800)

    def test_a_request_that_nobody_knows(self):
        self.editor.start()
        self.editor.notify("$/cancelRequest", id=77)
        self.assertEqual(self.editor.stop(), 0)
