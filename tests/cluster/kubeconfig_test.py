"""Kubeconfigs mean to opm what they mean to kubectl. No server is needed for that."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from cluster import tool
from fixture import PROBE


def config(current="", clusters=None, users=None, contexts=None, **more) -> dict:
    return {"apiVersion": "v1", "kind": "Config", **({"current-context": current} if current else {}),
            "clusters": [{"name": name, "cluster": value} for name, value in (clusters or {}).items()],
            "users": [{"name": name, "user": value} for name, value in (users or {}).items()],
            "contexts": [{"name": name, "context": value} for name, value in (contexts or {}).items()], **more}


ONE = config("dev", {"c": {"server": "https://one:6443"}}, {"u": {"token": "t1"}},
             {"dev": {"cluster": "c", "user": "u", "namespace": "shop"}, "live": {"cluster": "c2", "user": "u2"}})
TWO = config("live", {"c": {"server": "https://other"}, "c2": {"server": "https://two/path", "tls-server-name": "inner"}},
             {"u": {"token": "t2"}, "u2": {"token": "t3", "as": "bob"}}, {"dev": {"cluster": "c2", "user": "u2"}})

# Files in their order ({} is an empty one, None one that is missing, text is taken as it is), and a context or "".
CASES = {
    "one file": ([ONE], ""),
    "first wins": ([ONE, TWO], ""),
    "the other way round": ([TWO, ONE], ""),
    "a context whose parts are in both": ([ONE, TWO], "live"),
    "no current context in the first": ([{**ONE, "current-context": ""}, TWO], ""),
    "missing and empty files": ([None, {}, ONE, None], ""),
    "an empty text": (["", ONE], ""),
    "only comments": (["# nothing\n", ONE], ""),
    "unknown context": ([ONE], "nowhere"),
    "cluster that is missing": ([ONE], "live"),
    "no current context at all": ([{**ONE, "current-context": ""}], ""),
    "nulls": ([{**ONE, "users": None, "preferences": None}, TWO], ""),
    "fields that nobody knows": ([{**ONE, "extensions": [{"name": "x", "extension": {"a": 1}}], "more": 3}], ""),
    "files beside the kubeconfig": ([config("x", {"c": {"server": "https://s"}}, {"u": {"tokenFile": "sub/token"}},
                                            {"x": {"cluster": "c", "user": "u"}})], ""),
    "files elsewhere": ([config("x", {"c": {"server": "https://s"}}, {"u": {"tokenFile": "/abs/token"}},
                                {"x": {"cluster": "c", "user": "u"}})], ""),
    "a proxy, no check of certificates": ([config("x", {"c": {"server": "https://s", "insecure-skip-tls-verify": True,
                                                               "proxy-url": "socks5://p:1"}}, {"u": {"username": "me"}},
                                                  {"x": {"cluster": "c", "user": "u"}})], ""),
    "yaml in block style": (["apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters:\n- cluster:\n    server: https://y\n"
                             "  name: c\ncontexts:\n- context:\n    cluster: c\n    user: \"\"\n  name: a\n"], ""),
    "an anchor": (["current-context: a\nclusters:\n- {name: c, cluster: &c {server: 'https://y'}}\n- {name: d, cluster: *c}\n"
                   "contexts:\n- {name: a, context: {cluster: d}}\n"], ""),
    "not yaml": (["a: [\n"], ""),
    "a list": (["- 1\n"], ""),
    "another kind of object": (["apiVersion: v1\nkind: Pod\n"], ""),
    "clusters that are no list": (["clusters: {a: b}\n"], ""),
    "two with one name": (["clusters:\n- {name: c, cluster: {server: 'https://a'}}\n- {name: c, cluster: {server: 'https://b'}}\n"], ""),
    "a token that is a number": (["current-context: a\nclusters: [{name: c, cluster: {server: 'https://y'}}]\n"
                                  "users: [{name: u, user: {token: 5}}]\n"
                                  "contexts: [{name: a, context: {cluster: c, user: u}}]\n"], ""),
}


class Kubeconfigs(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="opm-kubeconfig-"))
        self.addCleanup(shutil.rmtree, self.work)

    def both(self, files: list, context: str) -> tuple[dict | None, dict | None]:
        """What kubectl and opm make of the files; None: an error."""
        paths = []
        for number, content in enumerate(files):
            path = self.work / str(number) / "config"
            shutil.rmtree(path.parent, ignore_errors=True)
            path.parent.mkdir()
            if content is not None:
                path.write_text(content if isinstance(content, str) else json.dumps(content) if content else "")
            paths.append(str(path))
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.work), "KUBECONFIG": ":".join(paths)}
        chosen = [f"--context={context}"] if context else []

        def run(*words):
            return subprocess.run(words, capture_output=True, text=True, env=environment, cwd=self.work, timeout=60)

        theirs = run(tool("kubectl"), "config", "view", "--minify", "--raw", "--flatten=false", "-o", "json", *chosen)
        ours = run(PROBE, *chosen, "connection")
        self.assertIn(ours.returncode, (0, 1), ours.stderr)
        expected = None
        if theirs.returncode == 0:
            view = json.loads(theirs.stdout)
            cluster = ((view.get("clusters") or [{}])[0].get("cluster")) or {}
            user = ((view.get("users") or [{}])[0].get("user")) or {}
            place = ((view.get("contexts") or [{}])[0].get("context")) or {}
            if cluster.get("server"):  # without one kubectl asks localhost:8080, which opm does not guess
                token_file = user.get("tokenFile", "")
                expected = {
                    "server": cluster["server"] + ("" if cluster["server"].count("/") > 2 else "/"),
                    "context": view["current-context"], "namespace": place.get("namespace", ""),
                    "token": user.get("token", ""), "token_file": token_file, "user": user.get("username", ""),
                    "as": user.get("as", ""), "server_name": cluster.get("tls-server-name", ""),
                    "proxy": cluster.get("proxy-url", ""), "insecure": cluster.get("insecure-skip-tls-verify", False)}
        line = json.loads(ours.stdout.splitlines()[0])
        return expected, (line if ours.returncode == 0 else None)

    def test_as_kubectl(self):
        for name, (files, context) in CASES.items():
            with self.subTest(name):
                expected, got = self.both(files, context)
                for each in (expected, got):
                    if each:
                        # Whether a path is made absolute at once or later is nobody's concern.
                        each["token_file"] = str(self.work / "0" / each["token_file"]) if each["token_file"] else ""
                        each["server"] = each["server"].rstrip("/")
                self.assertEqual(got, expected)
