"""The program by itself: it needs no file beside it, looks names up without the libraries that a system may have configured for that,
and goes through a SOCKS proxy that wants Kerberos only as far as it can."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading
import unittest

OPM = os.environ["OPM_TEST_OPM"]
MODULE = {
    "cue.mod/module.cue": 'module: "example.com/x@v0"\nlanguage: version: "v0.15.0"\ndeps: "example.com/y@v0": v: "v0.1.0"\n',
    "x.cue": 'package x\n\nimport "example.com/y"\n\na: y\n',
}


def is_static():
    """Only what users run is linked so; the programs of the sanitizers are not."""
    return b"ld-linux" not in pathlib.Path(OPM).read_bytes()[:4096]


class Answering:
    """A server that answers the first bytes of each connection with given ones, and then hangs up."""

    def __init__(self, answer: bytes):
        self.answer = answer
        self.heard = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                self.heard.append(connection.recv(4096))
                connection.sendall(self.answer)


class Alone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def serve(self, answer: bytes) -> Answering:
        server = Answering(answer)
        self.addCleanup(server.socket.close)
        return server

    def write(self, files: dict[str, str]):
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def run_alone(self, *words: str, **variables: str) -> subprocess.CompletedProcess:
        """In a folder that is all there is."""
        shutil.copy(OPM, self.folder / "opm")
        command = [shutil.which("chroot", path="/usr/sbin:/sbin:/usr/bin:/bin"), str(self.folder), "/opm", *words]
        if os.getuid() != 0:
            command = [shutil.which("unshare"), "--map-root-user", *command]
        return subprocess.run(command, env={"HOME": "/", **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False, timeout=60)

    def test_needs_no_other_file(self):
        if not is_static():
            self.skipTest("linked with shared libraries")
        self.write({"x.cue": 'import ("math", "crypto/sha256", "encoding/hex")\na: math.Sqrt(2)\nb: hex.Encode(sha256.Sum256("x"))\n'
                             "user: string @tag(user,var=username)\n", "etc/passwd": "someone:x:0:0::/:/bin/sh\n"})
        done = self.run_alone("cue", "eval", "-T", "x.cue")
        self.assertEqual((done.returncode, done.stdout),
                         (0, 'a:    1.4142135623730951\nb:    "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"\nuser: "someone"\n'))
        self.assertEqual(self.run_alone("mod", "init", "/shop", "--template", "webapp").returncode, 0)
        self.assertIn("kind: Deployment", self.run_alone("mod", "build", "/shop").stdout)

    def test_looks_names_up_by_itself(self):
        if not is_static():
            self.skipTest("linked with shared libraries")
        server = self.serve(b"HTTP/1.1 418 teapot\r\nContent-Length: 0\r\n\r\n")
        self.write(MODULE | {"etc/nsswitch.conf": "hosts: mdns4_minimal resolve [!UNAVAIL=return] myhostname\n",
                             "etc/hosts": "127.0.0.1 registry.test\n"})
        done = self.run_alone("cue", "eval", ".", CUE_REGISTRY=f"registry.test:{server.port}+insecure", CUE_CACHE_DIR="/cache")
        self.assertIn("unexpected answer 418", done.stdout)
        self.assertTrue(server.heard[0].startswith(b"GET /v2/"), server.heard)

    def test_a_proxy_that_wants_kerberos(self):
        proxy = self.serve(b"\x05\x01")
        self.write(MODULE)
        done = subprocess.run([OPM, "cue", "eval", "."], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False, timeout=60,
                              env={"HOME": str(self.folder), "CUE_CACHE_DIR": str(self.folder / "cache"), "CUE_REGISTRY": "registry.test",
                                   "HTTPS_PROXY": f"socks5h://127.0.0.1:{proxy.port}"})
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("registry.test", done.stdout)
        # The second byte is how many ways to say who one is are offered: Kerberos, which is number 1, is none of them.
        self.assertNotIn(1, proxy.heard[0][2:])


if __name__ == "__main__":
    unittest.main()
