#!/usr/bin/env python3
"""The engine as other programs get it: installed, then found by CMake and by pkg-config, by programs in C and C++."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "embedding"
OPTIONS = argparse.Namespace(build=ROOT / "build" / "release")


def run(*words, env=None, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600, check=False,
                          env={**os.environ, **(env or {})})
    if code is not None and done.returncode != code:
        raise AssertionError(f"{words} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done


class Embedding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="opm-embedding-"))
        installed = cls.scratch / "first"
        run("cmake", "--install", OPTIONS.build, "--component", "library", "--prefix", installed)
        # Whoever unpacks a package somewhere else finds everything all the same.
        cls.installed = cls.scratch / "installed"
        installed.rename(cls.installed)
        (cls.scratch / "good.yaml").write_text("web: {address: 10.0.0.1}\ndb: {address: 10.0.0.2, port: 5432}\n")
        (cls.scratch / "bad.yaml").write_text("web:\n  address: 10.0.0.1\n  prot: 8080\ndb:\n  address: here\n")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def built(self, language, program):
        folder = self.scratch / language
        run("cmake", "-S", EXAMPLES / language, "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.installed}")
        run("cmake", "--build", folder)
        return folder / program

    def check_servers(self, program):
        good = run(program, EXAMPLES / "servers", self.scratch / "good.yaml")
        self.assertEqual(good.stderr, "web listens on 80\ndb listens on 5432\n")
        self.assertIn('"port": 5432', good.stdout)
        bad = run(program, EXAMPLES / "servers", self.scratch / "bad.yaml", code=1)
        self.assertIn("web.prot: field not allowed", bad.stderr)
        self.assertIn("bad.yaml:3:3", bad.stderr)
        self.assertIn("db.address: ", bad.stderr)
        self.assertEqual(run(program, EXAMPLES / "nowhere", "x", code=1).stdout, "")

    def test_c_with_cmake(self):
        self.check_servers(self.built("c", "check_servers"))

    def test_cpp_with_cmake(self):
        program = self.built("cpp", "price_list")
        good = run(program, "apple: 3, pear: discount: 10")
        self.assertEqual(good.stderr, "apple costs 3\npear costs 90\n")
        bad = run(program, "pear: discount: 70", code=1)
        self.assertIn("wishes:1:17", bad.stderr)

    def test_c_with_pkg_config(self):
        where = {"PKG_CONFIG_PATH": str(next(self.installed.rglob("opm-cue.pc")).parent)}
        flags = run("pkg-config", "--cflags", "opm-cue", env=where).stdout.split()
        libraries = run("pkg-config", "--libs", "opm-cue", env=where).stdout.split()
        program = self.scratch / "plain"
        run("cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", *flags, EXAMPLES / "c" / "check_servers.c",
            "-o", program, *libraries)
        self.check_servers(program)

    def test_headers_stand_alone(self):
        folder = next(self.installed.rglob("c_api.h")).parents[1]
        for header in ("cue/value.h", "cue/c_api.h", "data/json.h", "data/yaml.h", "diag/printer.h", "cue/module/cache.h"):
            with self.subTest(header):
                source = self.scratch / "alone.cpp"
                source.write_text(f"#include <{header}>\n")
                run("c++", "-std=c++23", "-fsyntax-only", "-Wall", "-Werror", "-I", folder, source)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--build", type=pathlib.Path, default=OPTIONS.build)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
