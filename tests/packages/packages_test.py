#!/usr/bin/env python3
"""What people install: the package installs in a fresh Debian, runs there and leaves nothing behind, it lists what it is made of,
the same source makes the same bytes, and the steps of the Dockerfile lead to an image that runs.

  tests/packages/packages_test.py --build BUILD --debian ARCHIVE [unittest's arguments]"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GIVEN = argparse.Namespace()
# Any time will do, if it is the same twice.
EPOCH = "1700000000"


def run(*words, timeout=600, **more):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          timeout=timeout, **more)
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(map(str, words))} ends with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def checksum(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


class Packages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def package(self, name):
        """Made in a folder of its own."""
        target = self.folder / name
        run("cpack", "--config", GIVEN.build / "CPackConfig.cmake", "-B", target, cwd=GIVEN.build,
            env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH})
        packages = list(target.glob("*.deb"))
        self.assertEqual(len(packages), 1)
        return packages[0]

    def fresh_debian(self, name="root"):
        root = self.folder / name
        root.mkdir()
        run("tar", "-C", root, "-xf", GIVEN.debian)
        return root

    @staticmethod
    def files_of(root):
        """All but what a package manager keeps of what it did."""
        kept = ("var/log/", "var/lib/dpkg/", "var/cache/")
        paths = (os.path.relpath(os.path.join(folder, name), root) for folder, folders, names in os.walk(root) for name in names + folders)
        return {path for path in paths if not path.startswith(kept)}


class Deb(Packages):
    def test_installs_runs_and_leaves_nothing(self):
        package = self.package("package")
        root = self.fresh_debian()
        before = self.files_of(root)
        run("dpkg", f"--root={root}", "-i", package)

        def inside(*words):
            return run("chroot", root, "/usr/bin/env", "-i", "HOME=/root", "PATH=/usr/bin:/bin", *words)

        self.assertTrue(inside("opm", "version").startswith("opm "))
        facts = json.loads(inside("opm", "version", "-o", "json"))
        self.assertRegex(facts["build"]["commit"], r"^([0-9a-f]{40})?$")
        inside("opm", "mod", "init", "/root/shop", "--template", "webapp")
        manifests = inside("opm", "mod", "build", "/root/shop")
        self.assertIn("kind: Deployment", manifests)
        self.assertEqual(manifests, inside("kubectl-opm", "mod", "build", "/root/shop"))
        self.assertIn("values.cue", inside("opm", "explain", "-C", "/root/shop", "deployment/web", "spec.template.spec.containers[0].image"))
        (root / "root/x.cue").write_text("import \"math\"\na: math.Sqrt(16)\n")
        self.assertEqual(json.loads(inside("opm", "cue", "export", "/root/x.cue")), {"a": 4.0})
        # What it is made of is beside it, and is what it says itself.
        self.assertEqual((root / "usr/share/doc/opm/sbom.cdx.json").read_text(), inside("opm", "version", "--sbom"))
        for path in ("usr/share/man/man1/opm.1", "usr/share/man/man1/opm-explain.1", "usr/share/bash-completion/completions/opm",
                     "usr/share/zsh/site-functions/_opm", "usr/share/fish/vendor_completions.d/opm.fish", "usr/share/doc/opm/LICENSE"):
            self.assertTrue((root / path).is_file(), path)
        # No library is missing beyond what it depends on.
        needed = re.findall(r"^\s*NEEDED\s+(\S+)", run("objdump", "-p", root / "usr/bin/opm"), re.MULTILINE)
        self.assertLessEqual(set(needed), {"libc.so.6", "ld-linux-x86-64.so.2"}, needed)
        for name in ("shop", "x.cue", ".cache", ".config", ".opm"):
            path = root / "root" / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        run("dpkg", f"--root={root}", "-P", "opm")
        self.assertEqual(self.files_of(root) - before, set())

    def test_two_packages_are_the_same(self):
        self.assertEqual(checksum(self.package("one")), checksum(self.package("elsewhere/two")))


class Install(Packages):
    def test_after_nothing_but_a_build(self):
        """What scripts/build leaves is enough: pages are made when they are installed."""
        shutil.rmtree(GIVEN.build / "generated", ignore_errors=True)
        prefix = self.folder / "prefix"
        run("cmake", "--install", GIVEN.build, "--component", "Unspecified", "--prefix", prefix)
        self.assertEqual(run(prefix / "bin/opm", "version"), run(GIVEN.build / "opm", "version"))
        self.assertEqual(os.readlink(prefix / "bin/kubectl-opm"), "opm")
        for path in ("share/man/man1/opm-mod-build.1", "share/doc/opm/sbom.cdx.json", "share/zsh/site-functions/_opm"):
            self.assertTrue((prefix / path).is_file(), path)


class BillOfMaterials(Packages):
    def test_it_is_complete(self):
        bill = json.loads(run(GIVEN.build / "opm", "version", "--sbom"))
        facts = json.loads(run(GIVEN.build / "opm", "version", "-o", "json"))
        self.assertEqual((bill["bomFormat"], bill["specVersion"], bill["version"]), ("CycloneDX", "1.5", 1))
        parts = {part["name"]: part for part in bill["components"]}
        expected = {library["name"] for library in facts["build"]["dependencies"]} | {module["path"].split("@")[0] for module in facts["modules"]}
        self.assertEqual(set(parts), expected)
        for name, part in parts.items():
            with self.subTest(name):
                self.assertRegex(part["version"], r"^v?[0-9]")
                self.assertTrue(part["licenses"][0]["expression"])
                self.assertEqual(part["bom-ref"], part["purl"])
        references = [part["bom-ref"] for part in bill["components"]]
        self.assertEqual(len(set(references)), len(references))
        self.assertEqual(bill["dependencies"], [{"ref": bill["metadata"]["component"]["bom-ref"], "dependsOn": references}])

    def test_it_keeps_to_its_schema(self):
        bill = json.loads(run(GIVEN.build / "opm", "version", "--sbom"))

        def is_valid(bill):
            path = self.folder / "bill.json"
            path.write_text(json.dumps(bill), encoding="utf-8")
            done = subprocess.run([GIVEN.build / "opm", "cue", "vet", "-c", "-d", "#Bill", ROOT / "tests/packages/sbom.cue", path],
                                  capture_output=True, check=False)
            return done.returncode == 0

        self.assertTrue(is_valid(bill))
        part = bill["components"][0]
        for wrong in ({"type": "libary"}, {"purl": part["name"]}, {"licenses": [{"expression": "MIT or so"}]}, {"name": None}, {"more": 1}):
            self.assertFalse(is_valid({**bill, "components": [{**part, **wrong}]}), wrong)
        self.assertFalse(is_valid({**bill, "specVersion": "1.4"}))

    def test_every_library_that_is_linked_is_in_it(self):
        listed = re.search(r"set\(libraries (.*?)\)", (ROOT / "CMakeLists.txt").read_text(), re.DOTALL).group(1).lower()
        for line in (ROOT / "cmake/libraries.cmake").read_text().splitlines():
            found = re.match(r"\s*(?:find_package\((\w+)|pkg_check_modules\((\w+))", line)
            name = found and (found.group(1) or found.group(2)).lower()
            if name and name not in ("threads", "pkgconfig", "gtest"):
                self.assertIn(name, listed)


class Reproducible(Packages):
    """The whole of it, two builds from scratch, is scripts/reproduce: these are the ways in which it is lost."""

    def test_no_place_and_no_time_is_in_the_program(self):
        program = (GIVEN.build / "opm").read_bytes()
        for place in (ROOT, GIVEN.build.resolve(), pathlib.Path.home()):
            if len(place.parts) > 2:
                self.assertNotIn(str(place).encode(), program)
        for source in [*ROOT.glob("src/**/*.cpp"), *ROOT.glob("src/**/*.h"), *ROOT.glob("cmake/*")]:
            if source.is_file():
                self.assertNotRegex(source.read_text(encoding="utf-8"), r"__(DATE|TIME|TIMESTAMP|FILE)__", source)

    def test_what_is_made_on_the_way_is_the_same_twice(self):
        for name in ("one", "two"):
            (self.folder / name).mkdir()
            run(GIVEN.build / "compile_catalog", *(self.folder / name / made for made in ("image", "provider", "modules")))
            run(GIVEN.build / "opm", "__manual", self.folder / name / "man")
        for made in ("image", "provider", "modules"):
            self.assertEqual(checksum(self.folder / "one" / made), checksum(self.folder / "two" / made))
        self.assertEqual(run("diff", "-r", self.folder / "one", self.folder / "two"), "")

    # One of each kind: a file with facts about the build, one with embedded data, a test of assertions, templates of libraries.
    SAMPLE = ("src/cli/command_version.cpp", "src/base/path.cpp", "src/diag/printer.cpp", "src/opm/model/redaction.cpp", "src/lsp/uri.cpp")

    def moved(self, text, elsewhere):
        return text.replace(str(GIVEN.build), str(elsewhere / "build")).replace(str(ROOT), str(elsewhere))

    def words_of(self, command, elsewhere):
        """A command of the build, for sources and a build that are there, without a cache."""
        words = shlex.split(command)
        program = next(i for i, word in enumerate(words) if word.endswith("c++"))
        return [self.moved(word, elsewhere) for word in words[program:]]

    def precompile(self, commands, header, elsewhere):
        """As the build does with the headers that most files of a room include."""
        for text in (header, header.with_suffix(".hxx.cxx")):
            copy = pathlib.Path(self.moved(str(text), elsewhere))
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(self.moved(text.read_text(), elsewhere))
        command = commands[os.path.relpath(header.with_suffix(".hxx.cxx"), ROOT)]
        run(*self.words_of(command, elsewhere), cwd=elsewhere / "build")

    def compiled(self, commands, name, elsewhere):
        """The checksum of what the build makes of a file."""
        words = self.words_of(commands[name], elsewhere)
        if "-include" in words:
            given = shlex.split(commands[name])
            header = pathlib.Path(given[given.index("-include") + 1])
            if not pathlib.Path(self.moved(f"{header}.gch", elsewhere)).exists():
                self.precompile(commands, header, elsewhere)
        words[words.index("-o") + 1] = str(elsewhere / "out.o")
        run(*words, cwd=elsewhere / "build")
        return checksum(elsewhere / "out.o")

    def test_files_compiled_elsewhere_are_the_same(self):
        commands = {os.path.relpath(entry["file"], ROOT): entry["command"]
                    for entry in json.loads((GIVEN.build / "compile_commands.json").read_text())}
        # Paths of different length: where one is left, sizes differ too.
        places = [self.folder / "here", self.folder / "somewhere/else"]
        for place in places:
            shutil.copytree(ROOT / "src", place / "src")
            shutil.copytree(ROOT / "cmake", place / "cmake")
            shutil.copytree(GIVEN.build / "facts", place / "build/facts")
        for name in self.SAMPLE:
            with self.subTest(name):
                here, there = (self.compiled(commands, name, place) for place in places)
                self.assertEqual(here, there)

    def test_a_program_linked_elsewhere_is_the_same(self):
        command = run("ninja", "-C", GIVEN.build, "-t", "commands", "-s", "opm").strip().splitlines()[-1]
        words = shlex.split(command)
        words = words[words.index(":") + 2:] if ":" in words else words
        words = words[:words.index("&&")] if "&&" in words else words
        sums = []
        for place in ("here", "somewhere/else"):
            target = self.folder / place / "opm"
            target.parent.mkdir(parents=True)
            words[words.index("-o") + 1] = str(target)
            run(*words, cwd=GIVEN.build)
            sums.append(checksum(target))
        self.assertEqual(sums[0], sums[1])
        self.assertEqual(sums[0], checksum(GIVEN.build / "opm"))


class Image(Packages):
    """The Dockerfile, step by step as it stands there, in fresh Debians instead of containers. What the build compiled before comes
    from the compiler's cache, if there is one."""

    def stages(self):
        text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
        steps = [line.split(None, 1) for line in text.splitlines() if line and not line.startswith("#")]
        starts = [index for index, (word, _) in enumerate(steps) if word == "FROM"]
        return [steps[begin:end] for begin, end in zip(starts, starts[1:] + [len(steps)])]

    def carry_out(self, steps, stages):
        """The root that they make, and what its processes start with. `stages`: roots of those before, by name."""
        _, origin = steps[0]
        image, *name = origin.split(" AS ")
        self.assertEqual(image, "debian:12-slim")  # which the archive stands for
        root = self.fresh_debian(name[0] if name else "final")
        for file in ("resolv.conf", "hosts"):
            if pathlib.Path("/etc", file).exists():
                shutil.copyfile(f"/etc/{file}", root / "etc" / file)
        made = {"root": root, "user": "root", "folder": "/", "variables": {}, "entry": None}
        if name:
            stages[name[0]] = root
        for word, rest in steps[1:]:
            if word == "ARG":
                made["variables"][rest.split("=")[0]] = "0" * 40 if rest == "COMMIT=" else rest.split("=", 1)[1]
            elif word == "WORKDIR":
                made["folder"] = rest
                (root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
            elif word == "COPY":
                self.copy(made, rest.split(), stages)
            elif word == "RUN":
                self.inside(made, ["/bin/sh", "-ec", rest])
            elif word == "USER":
                made["user"] = rest
            elif word == "ENTRYPOINT":
                made["entry"] = json.loads(rest)
            else:
                self.fail(f"what does {word} do?")
        return made

    def copy(self, made, words, stages):
        origin = next((stages[word.partition("=")[2]] for word in words if word.startswith("--from=")), None)
        *sources, target = [word for word in words if not word.startswith("--")]
        place = pathlib.Path(f"{made['root']}{target if target.startswith('/') else made['folder'] + '/' + target}")
        if origin is None:
            ignored = [line.removeprefix("**/") for line in (ROOT / ".dockerignore").read_text().split()]
            for source in sources:
                shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns(*ignored), dirs_exist_ok=True, symlinks=True)
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        for source in sources:
            run("cp", "-a", f"{origin}{source}", place)

    def inside(self, made, words):
        root, cache = made["root"], pathlib.Path(os.environ.get("CCACHE_DIR", pathlib.Path.home() / ".cache/ccache"))
        variables = {**os.environ, **made["variables"]}
        script = 'cd "$0" && exec "$@"'
        command = ["chroot", f"--userspec={made['user']}", root, "/bin/sh", "-c", script, made["folder"], *words]
        if cache.is_dir():
            # Paths below the folder are the same to the cache wherever it is.
            variables.update(CCACHE_DIR="/ccache", CCACHE_BASEDIR=made["folder"], CCACHE_NOHASHDIR="1",
                             CCACHE_SLOPPINESS="include_file_ctime,include_file_mtime,pch_defines,time_macros")
            (root / "ccache").mkdir(exist_ok=True)
            command = ["unshare", "--mount", "sh", "-c", f'mount --bind "{cache}" "{root}/ccache"; exec "$@"', "sh", *command]
        return run(*command, env=variables, timeout=3600)

    def test_every_step(self):
        stages = {}
        for steps in self.stages():
            made = self.carry_out(steps, stages)
        root, user = made["root"], made["user"]
        self.assertNotEqual(user, "root")
        self.assertFalse((root / "usr/bin/c++").exists())
        run(GIVEN.build / "opm", "mod", "init", root / "module/minimal")
        run("chmod", "-R", "a+rX", root / "module")

        def contained(*words):
            return run("chroot", f"--userspec={user}", root, "/usr/bin/env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", f"HOME=/home/{user}",
                       "sh", "-c", f"cd {made['folder']} && exec {shlex.join([*made['entry'], *words])}")

        self.assertEqual(contained("mod", "build", "minimal"), run(GIVEN.build / "opm", "mod", "build", root / "module/minimal"))
        self.assertEqual(json.loads(contained("version", "-o", "json"))["build"]["commit"], "0" * 40)
        self.assertTrue((root / "usr/local/share/doc/opm/sbom.cdx.json").is_file())
        # It is made of the same as what is built here; Debian may have other versions there.
        def names(bill):
            return [part["name"] for part in json.loads(bill)["components"]]
        self.assertEqual(names(contained("version", "--sbom")), names(run(GIVEN.build / "opm", "version", "--sbom")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--debian", type=pathlib.Path, required=True, help="as `scripts/tools debian` provides it")
    options, others = parser.parse_known_args()
    GIVEN.build, GIVEN.debian = options.build.resolve(), options.debian
    unittest.main(argv=[sys.argv[0], *others])


if __name__ == "__main__":
    main()
