"""The registries that scripts ask for: the modules of their `_registry` folders, served as OCI artifacts on 127.0.0.1.

They live in memory, as those of CUE's own test program do, and know what its `auth.json` files can ask for.
"""

import base64
import contextlib
import hashlib
import http.server
import io
import json
import re
import socket
import threading
import urllib.parse
import zipfile

_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
_GOOD_TOKEN = "ok-token-for-registrytest"
_DENIED_TOKEN = "unauth-token-for-registrytest"
_REFRESH_TOKEN = "registrytest-refresh"


def digest_of(content: bytes):
    return "sha256:" + hashlib.sha256(content).hexdigest()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # a client that goes away early


class _Service(contextlib.AbstractContextManager):
    """A server on a port of its own; `answer` is up to the subclass."""

    def __init__(self):
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_all(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, headers, content = service.answer(self.command, self.path, self.headers, body)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_HEAD = do_PUT = do_POST = do_PATCH = handle_all

            def log_message(self, *_):
                pass

            def setup(self):
                super().setup()
                # Without it, small answers wait for the acknowledgement of their headers.
                self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        self.server = _Server(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def answer(self, method, path, headers, body):
        raise NotImplementedError


def _error(status, code, message, headers=None):
    body = json.dumps({"errors": [{"code": code, "message": message}]}).encode()
    return status, {"Content-Type": "application/json", **(headers or {})}, body


class _TokenService(_Service):
    def answer(self, method, path, headers, body):
        form = urllib.parse.parse_qs(body.decode())
        if method != "POST":
            return 405, {}, b"only POST supported\n"
        if form.get("service") != ["registrytest"] or form.get("grant_type") != ["refresh_token"]:
            return 400, {}, b"invalid grant type\n"
        if form.get("refresh_token") != [_REFRESH_TOKEN]:
            return 403, {}, b"invalid refresh token\n"
        return 200, {"Content-Type": "application/json"}, json.dumps({"token": _GOOD_TOKEN}).encode()


class ScriptRegistry(_Service):
    """A registry with `modules` below `prefix`; what is written to it stays in memory, and tags can't be moved."""

    def __init__(self, prefix="", authorization=None, read_only=False):
        self.prefix = prefix
        self.authorization = authorization
        self.read_only = read_only
        self.blobs = {}  # digest -> bytes
        self.manifests = {}  # repository -> {digest: bytes}
        self.tags = {}  # repository -> {tag: digest}
        self.lock = threading.Lock()
        self.tokens = _TokenService() if authorization and authorization.get("useTokenServer") else None
        super().__init__()

    def __exit__(self, *arguments):
        if self.tokens:
            self.tokens.__exit__(*arguments)
        super().__exit__(*arguments)

    def add_module(self, module_path, version, files):
        """`files`: name -> content."""
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
            for name in sorted(files):
                out.writestr(name, files[name])
        layers = [("application/zip", archive.getvalue()),
                  ("application/vnd.cue.modulefile.v1", files["cue.mod/module.cue"])]

        def described(kind, content):
            self.blobs[digest_of(content)] = content
            return {"mediaType": kind, "digest": digest_of(content), "size": len(content)}

        manifest = json.dumps({
            "schemaVersion": 2, "mediaType": _MANIFEST,
            "config": described("application/vnd.cue.module.v1+json", b"{}"),
            "layers": [described(kind, content) for kind, content in layers]}).encode()
        repository = f"{self.prefix}/{module_path}" if self.prefix else module_path
        self.manifests.setdefault(repository, {})[digest_of(manifest)] = manifest
        self.tags.setdefault(repository, {})[version] = digest_of(manifest)

    def answer(self, method, path, headers, body):
        with self.lock:
            return self.refusal(headers) or self._serve(method, path, body)

    def refusal(self, headers):
        """The answer to somebody who may not come in, or None."""
        rules = self.authorization
        if not rules:
            return None
        given = headers.get("Authorization", "")
        if self.tokens:
            challenge = {"Www-Authenticate": f'Bearer realm="http://{self.tokens.host}",service=registrytest'}
            if given == f"Bearer {_DENIED_TOKEN}":
                return _error(403, "DENIED", "requested access to the resource is denied")
            if given != f"Bearer {_GOOD_TOKEN}":
                return _error(401, "UNAUTHORIZED", "authentication required", challenge)
            return None
        if not given:
            kind = "Bearer" if rules.get("bearerToken") else "Basic"
            return _error(401, "UNAUTHORIZED", "authentication required: no credentials",
                          {"Www-Authenticate": f"{kind} service=registry"})
        if rules.get("bearerToken"):
            if given != "Bearer " + rules["bearerToken"]:
                return _error(401, "UNAUTHORIZED", "authentication required: invalid bearer credentials")
            return None
        wanted = base64.b64encode(f"{rules.get('username', '')}:{rules.get('password', '')}".encode()).decode()
        if given != "Basic " + wanted:
            return _error(401, "UNAUTHORIZED", "authentication required: invalid user-password credentials")
        return None

    def _is_allowed(self, repository):
        rules = (self.authorization or {}).get("acl")
        if rules is None:
            return True
        rules = {name.lower(): patterns for name, patterns in rules.items()}
        return any(re.search(pattern, repository) for pattern in rules.get("allow") or []) and not any(
            re.search(pattern, repository) for pattern in rules.get("deny") or [])

    def _serve(self, method, path, body):
        url = urllib.parse.urlsplit(path)
        if url.path == "/v2/":
            return 200, {}, b"{}"
        match = re.fullmatch(r"/v2/(.+)/(manifests|blobs|tags|blobs/uploads)/([^/]*)", url.path)
        if not match:
            return _error(404, "NAME_UNKNOWN", "repository name not known to registry")
        repository, kind, name = match.groups()
        if not self._is_allowed(repository):
            if self.authorization.get("always401"):
                return _error(401, "UNAUTHORIZED", "authentication required")
            return _error(403, "DENIED", "requested access to the resource is denied")
        if method in ("GET", "HEAD"):
            return self._read(repository, kind, name)
        if self.read_only:
            return _error(403, "DENIED", "requested access to the resource is denied")
        return self._write(method, repository, kind, name, urllib.parse.parse_qs(url.query), body)

    def _read(self, repository, kind, name):
        if repository not in self.manifests:
            return _error(404, "NAME_UNKNOWN", "repository name not known to registry")
        if kind == "tags":
            listing = {"name": repository, "tags": sorted(self.tags[repository])}
            return 200, {"Content-Type": "application/json"}, json.dumps(listing).encode()
        if kind == "blobs":
            if name not in self.blobs:
                return _error(404, "BLOB_UNKNOWN", "blob unknown to registry")
            return 200, {"Content-Type": "application/octet-stream", "Docker-Content-Digest": name}, self.blobs[name]
        digest = self.tags[repository].get(name, name)
        if digest not in self.manifests[repository]:
            return _error(404, "MANIFEST_UNKNOWN", "manifest unknown to registry")
        return 200, {"Content-Type": _MANIFEST, "Docker-Content-Digest": digest}, self.manifests[repository][digest]

    def _write(self, method, repository, kind, name, query, body):
        if kind == "blobs/uploads":
            digest = query.get("digest", [""])[0]
            if not digest:
                return 202, {"Location": f"/v2/{repository}/blobs/uploads/1"}, b""
            if digest_of(body) != digest:
                return _error(400, "DIGEST_INVALID", "provided digest did not match uploaded content")
            self.blobs[digest] = body
            return 201, {"Location": f"/v2/{repository}/blobs/{digest}", "Docker-Content-Digest": digest}, b""
        if kind != "manifests" or method != "PUT":
            return _error(405, "UNSUPPORTED", "the operation is unsupported")
        digest = digest_of(body)
        tags = self.tags.setdefault(repository, {})
        if not name.startswith("sha256:"):
            if tags.get(name, digest) != digest:
                return _error(403, "DENIED", "requested access to the resource is denied: cannot overwrite tag")
            tags[name] = digest
        self.manifests.setdefault(repository, {})[digest] = body
        return 201, {"Location": f"/v2/{repository}/manifests/{digest}", "Docker-Content-Digest": digest}, b""


_MODULE_FIELD = re.compile(rb'^module:\s*"([^"@]*)(?:@[^"]*)?"', re.M)


def registry_of(files, name):
    """The registry that the folder `name` (_registry, _registry1, ...) of a script's files asks for."""
    prefix = files.get(name + "_prefix", b"").decode().strip()
    authorization = files.get(name + "/auth.json")
    registry = ScriptRegistry(prefix, json.loads(authorization) if authorization else None, read_only=True)
    modules = {}
    for path, content in files.items():
        if path.startswith(name + "/") and path.count("/") > 1:
            _, folder, rest = path.split("/", 2)
            modules.setdefault(folder, {})[rest] = content
    for folder, content in modules.items():
        for never_published in ("_module_meta.json", "cue.mod/local-module.cue"):
            content.pop(never_published, None)
        nested = {path.split("cue.mod/")[0] for path in content if "/cue.mod/" in path}
        content = {path: text for path, text in content.items() if not path.startswith(tuple(nested))}
        module = _MODULE_FIELD.search(content.get("cue.mod/module.cue", b""))
        if module is None:
            registry.__exit__(None, None, None)
            raise ValueError(f"no module path in {name}/{folder}")
        module_path = module.group(1).decode()
        version = folder.removeprefix(module_path.replace("/", "_") + "_")
        registry.add_module(module_path, version, content)
    return registry
