"""Modules in a real registry, with opm and the real cue beside each other."""

import concurrent.futures
import email.utils
import json
import os
import pty
import random
import signal
import subprocess
import threading
import time
import unittest
import zipfile

import fixture
from fixture import CUE, DENIED, INVALID, NOT_FOUND, OPM, UNREACHABLE, USES_D, RegistryTest, module_file, write
from servers import HTPASSWD, Elsewhere, ForwardProxy, Proxy, Recorder, TokenRegistry, TokenService, make_certificate

ACCEPT = {"Accept": "application/vnd.oci.image.manifest.v1+json"}


class Publishing(RegistryTest):
    def manifest(self, path: str, version: str) -> bytes:
        answer = self.registry.request("GET", f"/v2/{path}/manifests/{version}", headers=ACCEPT)
        self.assertEqual(answer.status, 200)
        return answer.content

    def test_the_same_folder_becomes_the_same_bytes(self):
        noise = random.Random(1).randbytes(70_000)
        folder = write(self.work / "m", {
            "cue.mod/module.cue": module_file("pub.test/m@v0"),
            "a.cue": "package m\na: 1\n", "sub/b.cue": "package sub\n" + "b: string | *\"x\"\n" * 9000,
            "sub.cue": "package m\n", "sub-x/c.cue": "package c\n", ".hidden": "h", "empty.txt": "", "LICENSE": "free\n",
            "noise.bin": noise, "zeros.bin": bytes(200_000), "Ünï cödé.txt": "ü", "data/x.json": "{}",
            "nested/cue.mod/module.cue": module_file("pub.test/nested@v0"), "nested/n.cue": "package n\n",
            ".git/config": "git", "cue.mod/usr/x.test/y/z.cue": "package y\n"})
        (folder / "link.cue").symlink_to("a.cue")
        self.cue(folder, "mod", "publish", "v0.1.0")
        self.assertIn("published pub.test/m@v0.2.0 to", self.opm(folder, "mod", "publish", "v0.2.0").stdout)
        self.assertEqual(self.manifest("pub.test/m", "v0.1.0"), self.manifest("pub.test/m", "v0.2.0"))

    def test_a_git_repository_is_published_as_committed(self):
        folder = write(self.work / "repo/m", {"cue.mod/module.cue": module_file("git.test/m@v0").replace("self", "git"),
                                              "a.cue": "package m\n"})
        write(self.work / "repo", {"LICENSE": "free\n"})
        git = ["git", "-c", "user.name=t", "-c", "user.email=t@t.test"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
            subprocess.run([*git, *words], cwd=self.work / "repo", check=True, capture_output=True)
        self.cue(folder, "mod", "publish", "v0.1.0", TZ="UTC")
        self.opm(folder, "mod", "publish", "v0.2.0")
        self.assertEqual(self.manifest("git.test/m", "v0.1.0"), self.manifest("git.test/m", "v0.2.0"))
        write(folder, {"b.cue": "package m\n"})
        self.assertIn("not clean", self.opm(folder, "mod", "publish", "v0.3.0", code=INVALID).stderr)

    def test_versions_never_change(self):
        folder = write(self.work / "m", {"cue.mod/module.cue": module_file("once.test/m@v0"), "a.cue": "package m\n"})
        self.assertIn("dry-run", self.opm(folder, "mod", "publish", "v0.1.0", "--dry-run").stdout)
        self.assertEqual(self.registry.request("GET", "/v2/once.test/m/tags/list").status, 404)
        self.opm(folder, "mod", "publish", "v0.1.0")
        self.opm(folder, "mod", "publish", "v0.1.0")
        write(folder, {"a.cue": "package m\nnew: true\n"})
        self.assertIn("already published", self.opm(folder, "mod", "publish", "v0.1.0", code=INVALID).stderr)

    def test_what_can_not_be_published_is_told(self):
        files = {"cue.mod/module.cue": module_file("bad.test/m@v0"), "a.cue": "package m\n"}
        folder = write(self.work / "m", files)
        for version, text in (("v1.0.0", "does not match"), ("0.1", "invalid publish version"), ("v0.1", "canonical")):
            self.assertIn(text, self.opm(folder, "mod", "publish", version, code=INVALID).stderr)
        write(folder, {"A.cue": "package m\n"})
        self.assertIn("collision", self.opm(folder, "mod", "publish", "v0.1.0", code=INVALID).stderr)
        (folder / "A.cue").unlink()
        write(folder, {"a.cue": USES_D})
        self.assertIn("not tidy", self.opm(folder, "mod", "publish", "v0.1.0", code=INVALID).stderr)
        write(folder, {**files, "cue.mod/module.cue": files["cue.mod/module.cue"].replace("source: kind: \"self\"\n", "")})
        self.assertIn("no source field", self.opm(folder, "mod", "publish", "v0.1.0", code=INVALID).stderr)


class Using(RegistryTest):
    def test_what_one_publishes_the_other_uses(self):
        folder = write(self.work / "d", {"cue.mod/module.cue": module_file("both.test/d@v0"),
                                         "lib/lib.cue": "package lib\nx: 5\n"})
        self.cue(folder, "mod", "publish", "v0.1.0")
        self.opm(folder, "mod", "publish", "v0.2.0", "--registry", self.registry.host)
        for version in ("v0.1.0", "v0.2.0"):
            user = self.user({"both.test/d@v0": version}, USES_D.replace("dep.test", "both.test"), version)
            for name, run in (("opm", lambda: self.opm(user, "cue", "export", ".", CUE_CACHE_DIR=str(self.work / "a"))),
                              ("cue", lambda: self.cue(user, "export", ".", CUE_CACHE_DIR=str(self.work / "b")))):
                with self.subTest(version=version, program=name):
                    self.assertEqual(json.loads(run().stdout), {"y": 5})

    def test_the_cache_is_shared_both_ways(self):
        self.library("dep.test/d", "v0.1.0")
        user = self.user({"dep.test/d@v0": "v0.1.0"}, USES_D)
        nobody = {"CUE_REGISTRY": "127.0.0.1:1"}
        self.opm(user, "cue", "export", ".")
        self.assertEqual(json.loads(self.cue(user, "export", ".", **nobody).stdout), {"y": 5})
        fixture.remove(self.cache)
        self.cue(user, "export", ".")
        self.assertEqual(json.loads(self.opm(user, "cue", "export", ".", **nobody).stdout), {"y": 5})
        self.assert_cache_is_clean()
        # As cue makes it: folders and files that nobody may write to.
        for path in (self.cache / "mod/extract/dep.test/d@v0.1.0").rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o222, 0, path)

    def test_flag_before_variable_before_cue_registry(self):
        self.library("dep.test/d", "v0.1.0")
        user = self.user({"dep.test/d@v0": "v0.1.0"}, USES_D)
        nobody = "127.0.0.1:1"
        self.opm(user, "cue", "export", ".", "--registry", self.registry.host, OPM_REGISTRY=nobody, CUE_REGISTRY=nobody)
        fixture.remove(self.cache)
        self.opm(user, "cue", "export", ".", OPM_REGISTRY=self.registry.host, CUE_REGISTRY=nobody)
        fixture.remove(self.cache)
        write(self.home, {".opm/config.cue": f'package config\nconfig: registry: "{self.registry.host}"\n'})
        self.opm(user, "cue", "export", ".", CUE_REGISTRY=nobody)
        fixture.remove(self.cache)
        self.opm(user, "cue", "export", ".", OPM_REGISTRY=nobody, code=UNREACHABLE)
        prefixed = f"other.test={nobody},dep.test={self.registry.host},none"
        self.opm(user, "cue", "export", ".", OPM_REGISTRY=prefixed)

    def test_tidy_says_what_cue_says(self):
        self.library("tidy.test/e", "v1.0.0")
        self.library("tidy.test/e", "v1.1.0")
        self.library("tidy.test/e", "v1.2.0-rc.1")
        self.library("tidy.test/d", "v0.1.0", {"lib/l.cue": "package lib\nimport e \"tidy.test/e/lib@v1\"\nx: e.x\n"},
                     {"tidy.test/e@v1": "v1.0.0"})
        self.library("tidy.test/d/inner", "v0.3.0", {"i.cue": "package inner\ni: 1\n"})
        cases = {
            "nothing": {"u.cue": "package u\n"},
            "indirect": {"u.cue": "package u\nimport \"tidy.test/d/lib@v0\"\ny: lib.x\n"},
            "default": {"u.cue": "package u\nimport \"tidy.test/e/lib\"\ny: lib.x\n"},
            "nested": {"u.cue": "package u\nimport \"tidy.test/d/inner@v0\"\ny: inner.i\n"},
            "tests": {"sub/u_test.cue": "package u\nimport \"tidy.test/e/lib@v1\"\ny: lib.x\n"},
            "unused": {"u.cue": "package u\n", "cue.mod/module.cue": module_file(
                "user.test/u@v0", {"tidy.test/d@v0": "v0.1.0"}, 'custom: tool: {z: 1, a: ["x", {b: 2}], "f-b": null}\n')},
        }
        for name, files in cases.items():
            with self.subTest(name):
                ours, theirs = self.work / name / "ours", self.work / name / "theirs"
                for folder in (ours, theirs):
                    write(folder, {"cue.mod/module.cue": module_file("user.test/u@v0"), **files})
                self.cue(theirs, "mod", "tidy")
                self.opm(ours, "mod", "tidy")
                text = [(folder / "cue.mod/module.cue").read_text() for folder in (ours, theirs)]
                if name != "nothing":  # which opm leaves as it was written
                    self.assertEqual(text[0], text[1])
                self.opm(theirs, "mod", "tidy", "--check")
                self.cue(ours, "mod", "tidy", "--check")

    def test_several_are_downloaded_at_once_over_few_connections(self):
        names = [f"m{i}" for i in range(8)]
        for name in names:
            self.library(f"many.test/{name}", "v0.1.0")
        imports = "".join(f'import {name} "many.test/{name}/lib"\n' for name in names)
        user = self.user({f"many.test/{name}@v0": "v0.1.0" for name in names},
                         f"package u\n{imports}y: [{', '.join(name + '.x' for name in names)}]\n")
        with Proxy(self.registry, [("GET .*/blobs/", 99, ("delay", 0.2))]) as proxy:
            here, most, count, plain = 0, 0, threading.Lock(), proxy.answer

            def counted(handler, body):
                nonlocal here, most
                with count:
                    here += 1
                    most = max(most, here)
                plain(handler, body)
                with count:
                    here -= 1
            proxy.answer = counted
            self.assertEqual(json.loads(self.opm(user, "cue", "export", ".", CUE_REGISTRY=proxy.host).stdout), {"y": [5] * 8})
            self.assertGreaterEqual(most, 4)
            self.assertGreaterEqual(len(proxy.requests), 16)
            self.assertLessEqual(proxy.connections, 8)

    def test_get_and_resolve(self):
        self.library("get.test/d", "v0.1.0")
        self.library("get.test/d", "v0.2.0")
        user = self.user({}, "package u\n")
        self.assertEqual(self.opm(user, "mod", "get", "get.test/d@v0.1.0").stdout, "+ get.test/d@v0.1.0\n")
        self.assertEqual(self.opm(user, "mod", "get", "get.test/d@v0").stdout, "~ get.test/d@v0.1.0 -> v0.2.0\n")
        other = self.user({}, "package u\n", "other")
        self.cue(other, "mod", "get", "get.test/d@v0")
        self.assertEqual((user / "cue.mod/module.cue").read_text(), (other / "cue.mod/module.cue").read_text())
        self.assertEqual(self.opm(user, "mod", "resolve", "--deps").stdout, self.cue(user, "mod", "resolve", "--deps").stdout)
        self.assertEqual(self.opm(user, "mod", "resolve").stdout, f"{self.registry.host}/user.test/u\n")
        self.opm(user, "mod", "get", "get.test/d@v9", code=NOT_FOUND)
        self.opm(user, "mod", "get", "get.test/none@v0.1.0", code=NOT_FOUND)

    def test_what_is_missing_has_its_exit_code(self):
        user = self.user({"missing.test/d@v0": "v0.1.0"}, USES_D.replace("dep.test", "missing.test"))
        self.assertIn("missing.test/d@v0.1.0: module not found", self.opm(user, "cue", "export", ".", code=NOT_FOUND).stderr)
        self.opm(user, "cue", "export", ".", code=UNREACHABLE, CUE_REGISTRY="127.0.0.1:1")
        self.opm(user, "mod", "tidy", code=UNREACHABLE, CUE_REGISTRY="127.0.0.1:1")
        user = self.user({}, USES_D.replace("dep.test", "missing.test"), "unlisted")
        told = self.opm(user, "mod", "tidy", code=NOT_FOUND).stderr
        self.assertIn("tried missing.test/d/lib: no versions", told)
        self.assertIn("tried missing.test/d: no versions", told)


class Offline(RegistryTest):
    def test_what_is_here_needs_no_connection(self):
        self.library("dep.test/d", "v0.1.0")
        user = self.user({"dep.test/d@v0": "v0.1.0"}, USES_D)
        with Proxy(self.registry) as proxy:
            self.opm(user, "cue", "export", ".", CUE_REGISTRY=proxy.host)
            self.assertGreater(proxy.connections, 0)
            proxy.connections = 0
            self.opm(user, "cue", "export", ".", CUE_REGISTRY=proxy.host)
            self.opm(user, "mod", "tidy", "--check", CUE_REGISTRY=proxy.host)
            self.assertEqual(proxy.connections, 0)

    def test_what_is_built_in_needs_no_connection(self):
        with Recorder() as nobody:
            for template in ("minimal", "full"):
                self.opm(self.work, "mod", "init", template, "--template", template)
                self.opm(self.work / template, "cue", "vet", "-c=false", ".", CUE_REGISTRY=nobody.host)
            self.assertEqual(nobody.connections, 0)


class Proxied(RegistryTest):
    def setUp(self):
        super().setUp()
        self.library("dep.test/d", "v0.1.0")
        self.proxied_user = self.user({"dep.test/d@v0": "v0.1.0"}, USES_D)

    def test_the_proxy_of_the_environment_is_asked(self):
        for variable in ("http_proxy", "HTTP_PROXY"):
            with self.subTest(variable), ForwardProxy(self.registry) as proxy:
                self.opm(self.proxied_user, "cue", "export", ".", CUE_REGISTRY="registry.test:5000+insecure",
                         **{variable: f"http://{proxy.host}"})
                asked = {path.split("/v2/")[0] for _, path, _, _ in proxy.requests}
                self.assertEqual(asked, {"http://registry.test:5000"})
            fixture.remove(self.cache)

    def test_hosts_that_are_to_be_asked_without_it_are(self):
        with ForwardProxy(self.registry) as proxy:
            for excepted in ("registry.test", ".test", "*"):
                self.opm(self.proxied_user, "cue", "export", ".", CUE_REGISTRY="registry.test:5000+insecure", code=UNREACHABLE,
                         http_proxy=f"http://{proxy.host}", no_proxy=excepted)
            self.assertEqual(proxy.connections, 0)

    def test_encrypted_connections_have_a_proxy_of_their_own(self):
        with Recorder() as nobody, ForwardProxy(self.registry) as other:
            self.opm(self.proxied_user, "cue", "export", ".", CUE_REGISTRY="registry.test", code=UNREACHABLE,
                     https_proxy=f"http://{nobody.host}", http_proxy=f"http://{other.host}")
            self.assertGreater(nobody.connections, 0)
            self.assertEqual(other.connections, 0)

    def test_what_is_on_this_machine_needs_no_proxy(self):
        with ForwardProxy(self.registry) as proxy:
            self.opm(self.proxied_user, "cue", "export", ".", http_proxy=f"http://{proxy.host}")
            self.assertEqual(proxy.connections, 0)


class Passwords(RegistryTest):
    registry_options = {"htpasswd": HTPASSWD}

    def docker_config(self, content: dict) -> None:
        write(self.home, {".docker/config.json": json.dumps(content)})

    def log_in(self) -> None:
        self.docker_config({"auths": {self.registry.host: {"username": "tester", "password": "secret"}}})

    def setUp(self):
        super().setUp()
        self.log_in()
        self.library("dep.test/d", "v0.1.0")
        self.secret_user = self.user({"dep.test/d@v0": "v0.1.0"}, USES_D)

    def export(self, code: int = 0, **variables):
        result = self.opm(self.secret_user, "cue", "export", ".", code=code, **variables)
        self.assertNotIn("secret", result.stdout + result.stderr)
        if self.cache.exists():
            fixture.remove(self.cache)
        return result

    def test_every_way_to_say_it(self):
        import base64
        helper = self.work / "bin/docker-credential-test"
        write(self.work, {"bin/docker-credential-test":
                          f'#!/bin/sh\nread host\n[ "$host" = {self.registry.host} ] || exit 1\n'
                          'echo \'{"Username": "tester", "Secret": "secret"}\'\n'})
        helper.chmod(0o755)
        packed = base64.b64encode(b"tester:secret").decode()
        for name, config in {
                "plain": {"auths": {self.registry.host: {"username": "tester", "password": "secret"}}},
                "packed": {"auths": {self.registry.host: {"auth": packed}}},
                "address": {"auths": {f"http://{self.registry.host}/v1/": {"auth": packed}}},
                "helper": {"credHelpers": {self.registry.host: "test"}},
                "store": {"credsStore": "test"},
                "store that is not there": {"credsStore": "nope", "auths": {self.registry.host: {"auth": packed}}}}.items():
            with self.subTest(name):
                self.docker_config(config)
                self.export()

    def test_who_is_not_known_stays_outside(self):
        self.docker_config({"auths": {self.registry.host: {"username": "tester", "password": "wrong"}}})
        self.export(code=DENIED)
        self.docker_config({"auths": {"other.test": {"username": "tester", "password": "secret"}}})
        self.assertIn("docker login", self.export(code=DENIED).stderr)
        self.docker_config({"credHelpers": {self.registry.host: "nope"}})
        self.assertIn("docker-credential-nope", self.export(code=DENIED).stderr)
        write(self.home, {".docker/config.json": "{not json, but secret"})
        self.export(code=DENIED)

    def test_nothing_is_told_before_it_is_asked_for(self):
        with Proxy(self.registry) as proxy:
            self.docker_config({"auths": {proxy.host: {"username": "tester", "password": "secret"}}})
            self.export(CUE_REGISTRY=proxy.host)
            self.assertNotIn("Authorization", proxy.requests[0][2])

    def test_secrets_do_not_follow_redirects(self):
        with Elsewhere(PasswordlessView(self.registry)) as elsewhere:
            with Proxy(self.registry, [("GET /v2/.*/blobs/", 9, ("status", 307, {}))]) as proxy:
                self.docker_config({"auths": {name: {"username": "tester", "password": "secret"}
                                              for name in (proxy.host, elsewhere.host)}})
                original = proxy.fault

                def redirect(handler, what):
                    if isinstance(what, tuple) and what[0] == "status":
                        what = ("status", 307, {"Location": f"http://{elsewhere.host}{handler.path}"})
                    return original(handler, what)
                proxy.fault = redirect
                self.export(CUE_REGISTRY=proxy.host)
                self.assertGreater(len(elsewhere.requests), 0)
                self.assertEqual(elsewhere.secrets(), [])
                self.assertGreater(len(proxy.secrets()), 0)

    def test_logins_of_cue(self):
        write(self.home, {"cue/logins.json": json.dumps(
            {"registries": {"127.0.0.1:1": {"access_token": "t"}}})})
        self.export()
        with Recorder() as registry:
            write(self.home, {"cue/logins.json": json.dumps({"registries": {registry.host: {"access_token": "a-secret"}}})})
            self.export(code=NOT_FOUND, CUE_REGISTRY=registry.host)
            self.assertIn("Bearer a-secret", registry.secrets())
        write(self.home, {"cue/logins.json": "broken"})
        self.export(code=DENIED)


class PasswordlessView:
    """The blobs of a registry, for somebody who need not know the password."""

    def __init__(self, registry):
        self.registry = registry

    def request(self, method, path, body=b"", headers=None):
        import base64
        word = "Basic " + base64.b64encode(b"tester:secret").decode()
        return self.registry.request(method, path, body, {"Authorization": word})


class Tokens(RegistryTest):
    def setUp(self):
        super().setUp()
        self.library("dep.test/d", "v0.1.0")
        self.secret_user = self.user({"dep.test/d@v0": "v0.1.0"}, USES_D)

    def test_tokens_are_fetched_with_password_or_identity_token(self):
        for entry in ({"username": "tester", "password": "secret"}, {"identitytoken": "an-identity-token"}):
            with self.subTest(entry), TokenService() as service:
                with TokenRegistry(self.registry, f"http://{service.host}/token") as front:
                    write(self.home, {".docker/config.json": json.dumps({"auths": {front.host: entry}})})
                    self.opm(self.secret_user, "cue", "export", ".", CUE_REGISTRY=front.host)
                    self.assertEqual(len(service.requests), 1)
                    self.assertEqual({text for text in front.secrets()}, {"Bearer good-token"})
                    fixture.remove(self.cache)
                    self.opm(write(self.work / "p", {"cue.mod/module.cue": module_file("tok.test/p@v0"), "p.cue": "package p\n"}),
                             "mod", "publish", "v0.1.0", CUE_REGISTRY=front.host)

    def test_a_token_service_of_another_host_learns_nothing(self):
        with TokenService("localhost") as service:
            with TokenRegistry(self.registry, f"http://{service.host}/token") as front:
                write(self.home, {".docker/config.json": json.dumps(
                    {"auths": {front.host: {"username": "tester", "password": "secret"}}})})
                told = self.opm(self.secret_user, "cue", "export", ".", CUE_REGISTRY=front.host, code=DENIED).stderr
                self.assertGreater(len(service.requests), 0)
                self.assertEqual(service.secrets(), [])
                self.assertIn("are not for that host", told)


class Encrypted(RegistryTest):
    @classmethod
    def options(cls):
        cls.certificate = make_certificate(cls.shared)
        return {"certificate": cls.certificate}

    def test_only_who_is_trusted_is_asked(self):
        folder = write(self.work / "d", {"cue.mod/module.cue": module_file("dep.test/d@v0"),
                                         "lib/lib.cue": "package lib\nx: 5\n"})
        trusted = {"CUE_REGISTRY": self.registry.host + "+secure", "SSL_CERT_FILE": str(self.certificate[0])}
        self.opm(folder, "mod", "publish", "v0.1.0", **trusted)
        user = self.user({"dep.test/d@v0": "v0.1.0"}, USES_D)
        self.cue(user, "export", ".", **{**trusted, "CUE_CACHE_DIR": str(self.work / "theirs")})
        told = self.opm(user, "cue", "export", ".", CUE_REGISTRY=trusted["CUE_REGISTRY"], code=UNREACHABLE).stderr
        self.assertIn("certificate", told.lower())
        self.opm(user, "cue", "export", ".", **trusted)


class Faults(RegistryTest):
    def setUp(self):
        super().setUp()
        self.library("dep.test/d", "v0.1.0")
        self.faulty_user = self.user({"dep.test/d@v0": "v0.1.0"}, USES_D)

    def export_through(self, faults, code=0):
        """What opm does when that happens; afterwards, with nothing in the way, it has to work."""
        with Proxy(self.registry, faults) as proxy:
            start = time.monotonic()
            result = self.opm(self.faulty_user, "cue", "export", ".", code=code, CUE_REGISTRY=proxy.host)
            taken = time.monotonic() - start
        if self.cache.exists():
            self.assert_cache_is_clean()
        if code != 0:
            self.assertFalse((self.cache / "mod/extract/dep.test/d@v0.1.0").exists())
            self.opm(self.faulty_user, "cue", "export", ".")
        fixture.remove(self.cache)
        return result, taken, proxy

    def test_what_passes_is_tried_again(self):
        for name, what in {"reset": "reset", "truncated": "truncate", "busy": 503, "broken": 500, "too many": 429,
                           "slow": ("delay", 1.0), "damaged": "corrupt"}.items():
            for pattern in ("GET .*/manifests/", "GET .*/blobs/"):
                if what == "corrupt" and "manifests" in pattern:
                    continue
                with self.subTest(name, pattern=pattern):
                    self.export_through([(pattern, 2, what)])

    def test_the_registry_says_how_long_to_wait(self):
        _, taken, _ = self.export_through([("GET .*/blobs/", 1, ("status", 429, {"Retry-After": "1"}))])
        self.assertGreaterEqual(taken, 1.0)
        # A moment is as good as a number of seconds.
        soon = email.utils.formatdate(time.time() + 3, usegmt=True)
        _, taken, _ = self.export_through([("GET .*/blobs/", 1, ("status", 503, {"Retry-After": soon}))])
        self.assertGreaterEqual(taken, 1.5)
        # Longer than anybody waits at a prompt.
        result, taken, proxy = self.export_through(
            [("GET .*/blobs/", 9, ("status", 429, {"Retry-After": "3600"}))], code=UNREACHABLE)
        self.assertLess(taken, 10)
        self.assertIn("try again after 3600 seconds", result.stderr)

    def test_what_stays_is_an_error(self):
        for name, what, code in (("broken", 500, UNREACHABLE), ("reset", "reset", UNREACHABLE),
                                 ("truncated", "truncate", UNREACHABLE), ("too many", 429, UNREACHABLE),
                                 ("denied", 401, DENIED), ("damaged", "corrupt", INVALID), ("forbidden", 403, NOT_FOUND),
                                 ("gone", 404, NOT_FOUND)):
            with self.subTest(name):
                result, taken, proxy = self.export_through([("GET .*/blobs/", 99, what)], code=code)
                self.assertLess(taken, 30)
                self.assertLess(len(proxy.requests), 20)
                self.assertIn("dep.test/d@v0.1.0", result.stderr)

    def test_a_wrong_digest_is_never_believed(self):
        result, _, _ = self.export_through([("GET .*/blobs/", 99, "corrupt")], code=INVALID)
        self.assertIn("has another content", result.stderr)

    def test_redirects_that_lead_nowhere_end(self):
        loop = ("status", 307, {"Location": "/v2/loop"})
        result, taken, _ = self.export_through([("GET ", 99, loop)], code=UNREACHABLE)
        self.assertLess(taken, 10)

    def test_answers_that_make_no_sense(self):
        for body in (b"", b"[]", b"{}", b'{"config":{"mediaType":"application/vnd.cue.module.v1+json"},"layers":[{},{}]}',
                     b"\xff\xfe", b"[" * 100_000):
            with self.subTest(body[:20]), Recorder() as registry:
                registry.answer = lambda handler, _, content=body: registry.send(
                    handler, 200, content, {"Content-Type": "application/vnd.oci.image.manifest.v1+json"})
                self.opm(self.faulty_user, "cue", "export", ".", code=INVALID, CUE_REGISTRY=registry.host)
                self.assertFalse(list(self.cache.rglob("*.zip")))


class Interrupted(RegistryTest):
    def setUp(self):
        super().setUp()
        files = {f"lib/f{i}.cue": f"package lib\nf{i}: {i}\n" for i in range(400)}
        self.library("dep.test/d", "v0.1.0", {**files, "lib/lib.cue": "package lib\nx: 5\n"})
        self.patient_user = self.user({"dep.test/d@v0": "v0.1.0"}, USES_D)

    def assert_usable(self, program):
        run = self.opm if program is OPM else self.cue
        words = ["cue", "export", "."] if program is OPM else ["export", "."]
        self.assertEqual(json.loads(run(self.patient_user, *words).stdout), {"y": 5})
        self.assert_cache_is_clean()
        extracted = self.cache / "mod/extract/dep.test/d@v0.1.0"
        self.assertEqual(len(list(extracted.glob("lib/*.cue"))), 401)

    def test_killed_while_downloading(self):
        for program in (OPM, CUE):
            with self.subTest(program), Proxy(self.registry, [("GET .*/blobs/", 1, ("trickle", 20, 0.1))]) as proxy:
                process = self.start(OPM, ["cue", "export", "."], self.patient_user, CUE_REGISTRY=proxy.host)
                while not any("/blobs/" in path for _, path, _, _ in proxy.requests):
                    time.sleep(0.01)
                time.sleep(0.3)
                process.send_signal(signal.SIGKILL)
                process.communicate()
                self.assertFalse((self.cache / "mod/extract/dep.test/d@v0.1.0").exists())
                self.assert_usable(program)
                fixture.remove(self.cache)

    def test_killed_while_unpacking(self):
        halfway = 0
        for attempt in range(12):
            process = self.start(OPM, ["cue", "export", "."], self.patient_user)
            partial = self.cache / "mod/download/dep.test/d/@v/v0.1.0.partial"
            while not partial.exists() and process.poll() is None:
                pass
            time.sleep(0.0005 * attempt)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            halfway += partial.exists()
            self.assert_usable(OPM if attempt % 2 else CUE)
            fixture.remove(self.cache)
        self.assertGreater(halfway, 0, "was never killed half way")

    def test_ten_at_once_on_an_empty_cache(self):
        with Proxy(self.registry) as proxy:
            processes = [self.start(CUE if i % 2 else OPM, ["export", "."] if i % 2 else ["cue", "export", "."],
                                    self.patient_user, CUE_REGISTRY=proxy.host) for i in range(10)]
            for process in processes:
                out, err = process.communicate(timeout=120)
                self.assertEqual(process.returncode, 0, err)
                self.assertEqual(json.loads(out), {"y": 5})
            archives = {path for method, path, _, _ in proxy.requests if "/blobs/" in path}
            downloads = [path for method, path, _, _ in proxy.requests if "/blobs/" in path]
        self.assertEqual(len(downloads), len(archives), "somebody downloaded what was there already")
        self.assert_usable(OPM)


class HostileArchives(RegistryTest):
    MODULE = module_file("evil.test/m@v0").encode()

    def archive(self, entries) -> bytes:
        import io
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("cue.mod/module.cue", self.MODULE)
            for entry, text in entries:
                archive.writestr(entry, text)
        return content.getvalue()

    def test_nothing_of_them_is_used(self):
        link = zipfile.ZipInfo("lib/link.cue")
        link.create_system = 3
        link.external_attr = 0o120777 << 16
        bomb = bytes(60 << 20)
        good = [("lib/lib.cue", "package lib\nx: 5\n")]
        cases = {
            "outside": good + [("../../../../../outside.cue", "package x\n")],
            "absolute": good + [("/tmp/opm-outside.cue", "package x\n")],
            "through": good + [("a/../../outside.cue", "package x\n")],
            "link": good + [(link, "/etc/passwd")],
            "case": good + [("lib/LIB.cue", "package lib\n")],
            "both": good + [("lib", "a file")],
            "twice": good + good,
            "module twice": good + [("Cue.mod/module.cue", "x")],
            "nested module": good + [("lib/cue.mod/module.cue", "x")],
            "device": good + [("aux.cue", "package x\n")],
            "many": good + [(f"f/{i}", "") for i in range(50_100)],
            "bomb": good + [("zeros", bomb)],
        }
        for name, entries in cases.items():
            with self.subTest(name):
                import warnings
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    archive = self.archive(entries)
                self.registry.push("evil.test/m", "v0.1.0", archive, self.MODULE)
                user = self.user({"evil.test/m@v0": "v0.1.0"}, USES_D.replace("dep.test/d", "evil.test/m"))
                result = self.opm(user, "cue", "export", ".", code=INVALID)
                self.assertIn("invalid module archive", result.stderr)
                self.assertEqual(list(self.cache.rglob("*.zip")), [])
                self.assertFalse((self.cache / "mod/extract").exists())
                self.assertFalse(list(self.work.glob("outside*")))
                self.assert_cache_is_clean()
                fixture.remove(self.cache)

    def test_broken_ones(self):
        good = self.archive([("lib/lib.cue", "package lib\nx: 5\n")])
        flipped = bytearray(good)
        flipped[good.index(b"lib/lib.cue") + 15] ^= 0xFF
        for name, archive in {"empty": b"", "cut": good[:-30], "noise": os.urandom(500), "flipped": bytes(flipped)}.items():
            with self.subTest(name):
                self.registry.push("evil.test/m", "v0.2.0", archive, self.MODULE)
                user = self.user({"evil.test/m@v0": "v0.2.0"}, USES_D.replace("dep.test/d", "evil.test/m"))
                self.assertIn("invalid module archive", self.opm(user, "cue", "export", ".", code=INVALID).stderr)
                self.assertEqual(list(self.cache.rglob("*.zip")), [])


class Progress(RegistryTest):
    def watch(self, faults) -> str:
        """What a person at a terminal sees."""
        self.library("dep.test/d", "v0.1.0")
        user = self.user({"dep.test/d@v0": "v0.1.0"}, USES_D)
        with Proxy(self.registry, faults) as proxy:
            terminal, end = pty.openpty()
            process = subprocess.Popen([OPM, "cue", "export", "."], cwd=user, stdout=subprocess.PIPE, stderr=end,
                                       env={**self.environment, "CUE_REGISTRY": proxy.host})
            os.close(end)
            process.communicate(timeout=60)
            seen = b""
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                def read():
                    nonlocal seen
                    try:
                        while piece := os.read(terminal, 4096):
                            seen += piece
                    except OSError:
                        pass
                pool.submit(read).result(timeout=20)
            os.close(terminal)
            self.assertEqual(process.returncode, 0, seen)
        return seen.decode()

    def test_long_downloads_are_shown_and_gone_afterwards(self):
        seen = self.watch([("GET .*/blobs/", 1, ("trickle", 10, 0.15))])
        self.assertIn("downloading dep.test/d@v0.1.0", seen)
        self.assertTrue(seen.endswith("\r\x1b[K"), repr(seen))

    def test_short_ones_are_not(self):
        self.assertEqual(self.watch([]), "")


if __name__ == "__main__":
    unittest.main()
