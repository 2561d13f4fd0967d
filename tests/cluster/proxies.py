"""What stands between a client and the API server when things are to go wrong. Each is a context manager that has stopped
when it is left."""

import contextlib
import http.client
import http.server
import json
import pathlib
import re
import socket
import ssl
import struct
import subprocess
import threading
import time


def reset(connection: socket.socket) -> None:
    """Ends it the hard way: the other side gets "connection reset by peer"."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Tunnels(contextlib.AbstractContextManager):
    """Moves bytes, which it cannot read, from whoever connects to somewhere else and back. Where to, and what is to go wrong on the
    way, connect() says."""

    def __init__(self):
        self.open: set[socket.socket] = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.closing = False
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    def connect(self, client: socket.socket) -> tuple[socket.socket, tuple | None]:
        """The other end and its fault: (kind, amount) as for TcpProxy, or None. OSError: there is no other end."""
        raise NotImplementedError

    def __exit__(self, *_):
        self.closing = True
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port)).close()  # accept() does not notice that it is closed
        self.thread.join()
        self.listener.close()
        self.reset_all()

    def reset_all(self) -> int:
        """Breaks every connection there is; how many those were."""
        with self.lock:
            open_now = list(self.open)
        for connection in open_now:
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.shutdown(socket.SHUT_RDWR)
        return len(open_now) // 2

    def _accept(self):
        while True:
            client, _ = self.listener.accept()
            if self.closing:
                client.close()
                return
            try:
                server, fault = self.connect(client)
            except OSError:
                reset(client)
                continue
            with self.lock:
                self.open |= {client, server}
            threading.Thread(target=self._move, args=(client, server, None), daemon=True).start()
            threading.Thread(target=self._move, args=(server, client, fault), daemon=True).start()

    def _move(self, source: socket.socket, target: socket.socket, fault):
        kind, amount = fault or (None, 0)
        moved = 0
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if kind == "delay":
                    time.sleep(amount)
                    kind = None
                if kind in ("reset", "close", "silence") and moved + len(data) > amount:
                    target.sendall(data[:amount - moved])
                    if kind == "silence":
                        moved = amount
                        continue
                    if kind == "reset":
                        target.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    break
                target.sendall(data)
                moved += len(data)
        for side in (source, target):
            with contextlib.suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)
            with self.lock:
                self.open.discard(side)
            side.close()


class TcpProxy(Tunnels):
    """To the server and back. `faults` are for the connections that come, in their order; those after the last are left alone. A
    fault is None or
      ("reset", BYTES) or ("close", BYTES)   ends the connection after so many bytes of the server
      ("delay", SECONDS)                     holds back everything that the server says for so long
      ("silence", BYTES)                     after so many bytes of the server nothing more comes, but it stays open
      "refuse"                               ends it at once"""

    def __init__(self, port: int, faults=()):
        self.target = port
        self.faults = list(faults)
        self.connections = 0
        super().__init__()
        self.server = f"https://127.0.0.1:{self.port}"

    def connect(self, client):
        fault = self.faults[self.connections] if self.connections < len(self.faults) else None
        self.connections += 1
        if fault == "refuse":
            raise ConnectionRefusedError
        return socket.create_connection(("127.0.0.1", self.target)), fault


class ConnectProxy(Tunnels):
    """What proxy-url names: asked to CONNECT somewhere, it does."""

    def __init__(self):
        self.targets: list[str] = []
        super().__init__()
        self.url = f"http://127.0.0.1:{self.port}"

    def connect(self, client):
        head = b""
        while b"\r\n\r\n" not in head:
            data = client.recv(4096)
            if not data:
                raise ConnectionAbortedError
            head += data
        target = head.split(b" ")[1].decode()
        self.targets.append(target)
        host, port = target.rsplit(":", 1)
        server = socket.create_connection((host, int(port)))
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        return server, None


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass  # connections that end early are what this is for


class HttpProxy(contextlib.AbstractContextManager):
    """Ends TLS with a certificate of its own and passes requests on one by one (HTTP/1.1), unless a fault says otherwise. A
    fault is (pattern of "METHOD target", how often, what); what is
      an int                      answers with that status and an object that says so
      ("status", CODE, HEADERS)   the same with headers
      ("body", BYTES)             answers 200 with that
      "reset" | "truncate"        ends the connection before or in the middle of the real answer
      ("delay", SECONDS)          answers later
    requests has "METHOD target" of everything that came."""

    def __init__(self, cluster, folder: pathlib.Path, faults=()):
        self.cluster = cluster
        self.faults = [[re.compile(pattern), times, what] for pattern, times, what in faults]
        self.requests: list[str] = []
        self.lock = threading.Lock()
        self.certificate, key = folder / "proxy.crt", folder / "proxy.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-days", "2", "-subj", "/CN=proxy", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                        "-out", self.certificate], check=True, capture_output=True)
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_all(self):
                proxy._handle(self)

            do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = handle_all

            def log_message(self, *_):
                pass

        self.http = _Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.http.socket = context.wrap_socket(self.http.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.http.server_address[1]
        self.server = f"https://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()

    def cluster_entry(self) -> dict:
        """For Cluster.write_kubeconfig."""
        return {"server": self.server, "certificate-authority": str(self.certificate)}

    def _fault(self, line: str):
        with self.lock:
            self.requests.append(line)
            for fault in self.faults:
                if fault[1] > 0 and fault[0].search(line):
                    fault[1] -= 1
                    return fault[2]
        return None

    @staticmethod
    def _answer(handler, status: int, body: bytes, headers: dict) -> None:
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def _handle(self, handler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        what = self._fault(f"{handler.command} {handler.path}")
        headers = {}
        if isinstance(what, tuple) and what[0] == "status":
            what, headers = what[1], what[2]
        if isinstance(what, int):
            reasons = {409: "Conflict", 410: "Expired", 429: "TooManyRequests", 500: "InternalError", 503: "ServiceUnavailable"}
            status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": what,
                      "message": "made up by the test", "reason": reasons.get(what, "")}
            return self._answer(handler, what, json.dumps(status).encode(), headers)
        if isinstance(what, tuple) and what[0] == "body":
            return self._answer(handler, 200, what[1], {})
        if what == "reset":
            handler.close_connection = True
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return socket.socket.close(handler.connection)
        if isinstance(what, tuple) and what[0] == "delay":
            time.sleep(what[1])
        self._pass_on(handler, body, truncate=what == "truncate")

    def _pass_on(self, handler, body: bytes, truncate: bool) -> None:
        context = ssl.create_default_context(cafile=str(self.cluster.certificate))
        connection = http.client.HTTPSConnection("127.0.0.1", self.cluster.port, timeout=120, context=context)
        headers = {name: value for name, value in handler.headers.items()
                   if name.lower() not in ("host", "connection", "content-length", "accept-encoding")}
        try:
            connection.request(handler.command, handler.path, body or None, headers)
            answer = connection.getresponse()
            kept = {name: value for name, value in answer.headers.items() if name in ("Content-Type", "Warning", "Retry-After")}
            if "watch=true" not in handler.path:
                content = answer.read()
                if not truncate:
                    return self._answer(handler, answer.status, content, kept)
                handler.close_connection = True
                handler.send_response(answer.status)
                handler.send_header("Content-Length", str(len(content)))
                handler.end_headers()
                handler.wfile.write(content[:len(content) // 2])
                return None
            handler.send_response(answer.status)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            while line := answer.readline():
                handler.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
                handler.wfile.flush()
                if truncate:
                    handler.close_connection = True
                    return None
            handler.wfile.write(b"0\r\n\r\n")
        except (OSError, http.client.HTTPException):
            handler.close_connection = True
        finally:
            connection.close()
        return None
