"""The servers that the tests need, all on 127.0.0.1: a real registry, a proxy in front of it that makes things go
wrong, and a token service. Each is a context manager that has stopped everything when it is left."""

import base64
import contextlib
import http.client
import http.server
import json
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import threading
import time
import urllib.parse

# The password is "secret"; made by htpasswd -B.
HTPASSWD = "tester:$2b$05$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a\n"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_certificate(folder: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """A certificate for 127.0.0.1 that nobody has signed but itself, and its key."""
    certificate, key = folder / "server.crt", folder / "server.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=opm-test",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)
    return certificate, key


class Registry(contextlib.AbstractContextManager):
    """Debian's docker-registry."""

    def __init__(self, folder: pathlib.Path, htpasswd: str = "", certificate=None):
        self.folder = folder
        folder.mkdir(parents=True)
        self.port = free_port()
        self.host = f"127.0.0.1:{self.port}"
        self.certificate = certificate
        http_settings = {"addr": self.host}
        if certificate:
            http_settings["tls"] = {"certificate": str(certificate[0]), "key": str(certificate[1])}
        config = {"version": "0.1", "log": {"level": "error", "accesslog": {"disabled": True}},
                  "storage": {"filesystem": {"rootdirectory": str(folder / "data")}}, "http": http_settings}
        if htpasswd:
            (folder / "htpasswd").write_text(htpasswd)
            config["auth"] = {"htpasswd": {"realm": "opm", "path": str(folder / "htpasswd")}}
        (folder / "config.yml").write_text(json.dumps(config))  # JSON is YAML
        self.log = (folder / "log").open("w")
        self.process = subprocess.Popen(["docker-registry", "serve", str(folder / "config.yml")], stdout=self.log,
                                        stderr=self.log, env={"PATH": "/usr/bin:/bin", "HOME": str(folder)})
        deadline = time.monotonic() + 20
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            if time.monotonic() > deadline or self.process.poll() is not None:
                self.__exit__(None, None, None)
                raise RuntimeError("docker-registry does not start:\n" + (folder / "log").read_text())
            time.sleep(0.05)

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder / "data", ignore_errors=True)

    def request(self, method: str, path: str, body: bytes = b"", headers=None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        answer.content = answer.read()
        connection.close()
        return answer

    def push(self, repository: str, tag: str, archive: bytes, module_file: bytes) -> None:
        """Puts any bytes there as a module, which no honest program would."""
        import hashlib

        def blob(content: bytes) -> dict:
            digest = "sha256:" + hashlib.sha256(content).hexdigest()
            start = self.request("POST", f"/v2/{repository}/blobs/uploads/")
            place = urllib.parse.urlsplit(start.headers["Location"])
            done = self.request("PUT", f"{place.path}?{place.query}&digest={urllib.parse.quote(digest)}", content,
                                {"Content-Type": "application/octet-stream"})
            assert done.status == 201, done.content
            return {"digest": digest, "size": len(content)}

        manifest = {
            "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": {"mediaType": "application/vnd.cue.module.v1+json", **blob(b"{}")},
            "layers": [{"mediaType": "application/zip", **blob(archive)},
                       {"mediaType": "application/vnd.cue.modulefile.v1", **blob(module_file)}]}
        done = self.request("PUT", f"/v2/{repository}/manifests/{tag}", json.dumps(manifest).encode(),
                            {"Content-Type": manifest["mediaType"]})
        assert done.status == 201, done.content


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def get_request(self):
        with self.owner.lock:
            self.owner.connections += 1
        return super().get_request()

    def handle_error(self, request, client_address):
        pass  # connections that end early are what this is for


class Recorder(contextlib.AbstractContextManager):
    """A server that counts connections and keeps the requests; what it answers is up to the subclass."""

    def __init__(self, host: str = "127.0.0.1"):
        recorder = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_all(self):
                length = int(self.headers.get("Content-Length") or 0)
                if self.headers.get("Transfer-Encoding") == "chunked":
                    body = b""
                    while size := int(self.rfile.readline(), 16):
                        body += self.rfile.read(size)
                        self.rfile.readline()
                    self.rfile.readline()
                else:
                    body = self.rfile.read(length)
                with recorder.lock:
                    recorder.requests.append((self.command, self.path, dict(self.headers), body))
                recorder.answer(self, body)

            do_GET = do_HEAD = do_PUT = do_POST = do_PATCH = handle_all

            def log_message(self, *_):
                pass

        self.lock = threading.Lock()
        self.connections = 0
        self.requests = []
        self.server = _Server(("127.0.0.1", 0), Handler)
        self.server.owner = self
        self.port = self.server.server_address[1]
        self.host = f"{host}:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def answer(self, handler, body: bytes):
        self.send(handler, 404, b"")

    @staticmethod
    def send(handler, status: int, body: bytes, headers=None):
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if handler.command != "HEAD":
            handler.wfile.write(body)

    def secrets(self) -> list[str]:
        """Every Authorization header that arrived."""
        return [headers["Authorization"] for _, _, headers, _ in self.requests if "Authorization" in headers]


class Proxy(Recorder):
    """Passes everything on to a registry, unless one of its faults says otherwise."""

    def __init__(self, registry: Registry, faults=()):
        self.registry = registry
        # (pattern of "METHOD path", how often, what); what: see fault()
        self.faults = [[re.compile(pattern), times, what] for pattern, times, what in faults]
        super().__init__()

    def answer(self, handler, body: bytes):
        what = None
        with self.lock:
            for fault in self.faults:
                if fault[1] > 0 and fault[0].search(f"{handler.command} {handler.path}"):
                    fault[1] -= 1
                    what = fault[2]
                    break
        if what is not None and self.fault(handler, what):
            return
        headers = {name: value for name, value in handler.headers.items()
                   if name.lower() not in ("connection", "content-length", "transfer-encoding")}
        answer = self.registry.request(handler.command, handler.path, body, headers)
        content = answer.content
        # The registry names itself where uploads go on: the Host that it was asked under, which is ours.
        kept = {name: value for name, value in answer.headers.items()
                if name.lower() in ("content-type", "docker-content-digest", "location", "www-authenticate", "link")}
        if what == "corrupt":
            content = bytes([content[0] ^ 1]) + content[1:]
            kept.pop("Docker-Content-Digest", None)
        if what == "truncate":
            handler.send_response(answer.status)
            for name, value in kept.items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content[: len(content) // 2])
            handler.close_connection = True
            return
        if isinstance(what, tuple) and what[0] == "trickle":  # the body in pieces, with a pause before each
            handler.send_response(answer.status)
            for name, value in kept.items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(content)))
            handler.end_headers()
            step = max(1, len(content) // what[1])
            for at in range(0, len(content), step):
                time.sleep(what[2])
                handler.wfile.write(content[at:at + step])
                handler.wfile.flush()
            return
        self.send(handler, answer.status, content, kept)

    def fault(self, handler, what) -> bool:
        """Whether that was the answer."""
        if what == "reset":
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()
            handler.close_connection = True
            return True
        if isinstance(what, int):
            self.send(handler, what, b'{"errors":[{"code":"TEST","message":"made up by the test"}]}',
                      {"Content-Type": "application/json"})
            return True
        if isinstance(what, tuple) and what[0] == "status":
            self.send(handler, what[1], b"", what[2])
            return True
        if isinstance(what, tuple) and what[0] == "delay":
            time.sleep(what[1])
        return False


class ForwardProxy(Proxy):
    """What http_proxy names: it is asked for whole addresses, and knows only the one registry."""

    def answer(self, handler, body: bytes):
        handler.path = "/" + handler.path.split("/", 3)[3]
        super().answer(handler, body)


class TokenRegistry(Proxy):
    """A registry that wants a token, which it says another server gives."""

    def __init__(self, registry: Registry, realm: str):
        self.realm = realm
        super().__init__(registry)

    def answer(self, handler, body: bytes):
        if handler.headers.get("Authorization") != "Bearer good-token":
            self.send(handler, 401, b"", {
                "WWW-Authenticate": f'Bearer realm="{self.realm}",service="test",scope="repository:x:pull"'})
            return
        handler.headers.__delitem__("Authorization")
        super().answer(handler, body)


class TokenService(Recorder):
    """Gives a token for tester:secret, for an identity token, and to nobody else."""

    def answer(self, handler, body: bytes):
        expected = "Basic " + base64.b64encode(b"tester:secret").decode()
        form = urllib.parse.parse_qs(body.decode())
        if handler.headers.get("Authorization") == expected or form.get("refresh_token") == ["an-identity-token"]:
            self.send(handler, 200, b'{"token": "good-token", "expires_in": 300}')
        else:
            self.send(handler, 401, b'{"details": "who are you?"}')


class Elsewhere(Recorder):
    """Another host that has the same blobs, as registries with a content network do."""

    def __init__(self, registry: Registry):
        self.registry = registry
        super().__init__("localhost")

    def answer(self, handler, body: bytes):
        answer = self.registry.request(handler.command, handler.path)
        self.send(handler, answer.status, answer.content)
