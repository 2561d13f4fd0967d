#!/usr/bin/env python3
"""What people install: the package installs in a fresh Debian, runs there and leaves nothing behind, it lists what it is made of,
the same source makes the same bytes, and the steps of the Dockerfile that need no compiler are carried out.

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


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=600,
                          **more)
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

    def fresh_debian(self):
        root = self.folder / "root"
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
            run(GIVEN.build / "compile_catalog", self.folder / name / "image")
            run(GIVEN.build / "opm", "__manual", self.folder / name / "man")
        self.assertEqual(checksum(self.folder / "one/image"), checksum(self.folder / "two/image"))
        self.assertEqual(run("diff", "-r", self.folder / "one", self.folder / "two"), "")

    def test_a_file_compiled_elsewhere_is_the_same(self):
        commands = json.loads((GIVEN.build / "compile_commands.json").read_text())
        command = next(entry["command"] for entry in commands if entry["file"].endswith("src/cli/command_version.cpp"))
        words = [word for word in shlex.split(command) if "ccache" not in word]
        sums = []
        for place in ("here", "somewhere/else"):
            elsewhere = self.folder / place
            shutil.copytree(ROOT / "src", elsewhere / "src", ignore=shutil.ignore_patterns("*.cpp"))
            shutil.copy(ROOT / "src/cli/command_version.cpp", elsewhere / "src/cli")
            shutil.copytree(GIVEN.build / "facts", elsewhere / "facts")
            moved = [word.replace(str(GIVEN.build), str(elsewhere)).replace(str(ROOT), str(elsewhere)) for word in words]
            moved[moved.index("-o") + 1] = str(elsewhere / "out.o")
            run(*moved, cwd=elsewhere)
            sums.append(checksum(elsewhere / "out.o"))
        self.assertEqual(sums[0], sums[1])


class Image(Packages):
    """Compiling all of it in a container is scripts/image; this carries out the rest of the Dockerfile as it stands there."""

    def stages(self):
        text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
        steps = [line.split(None, 1) for line in text.splitlines() if line and not line.startswith("#")]
        starts = [index for index, (word, _) in enumerate(steps) if word == "FROM"]
        return [steps[begin:end] for begin, end in zip(starts, starts[1:] + [len(steps)])]

    def test_the_steps_that_compile_refer_to_what_is_there(self):
        build, _ = self.stages()
        targets = run("ninja", "-C", GIVEN.build, "-t", "targets", "all")
        for word, rest in build:
            if word == "COPY":
                self.assertTrue((ROOT / rest.split()[0]).exists(), rest)
            for option, value in re.findall(r"-D(\w+)=(\S+)", rest):
                self.assertRegex((GIVEN.build / "CMakeCache.txt").read_text(), rf"(?m)^{option}:", value)
            for names in re.findall(r"--target ((?:\w+ )+)", rest):
                for name in names.split():
                    self.assertRegex(targets, rf"(?m)^{name}:")
        self.assertIn(["RUN", "scripts/setup build"], build)

    def test_the_steps_of_what_runs(self):
        _, final = self.stages()
        root = self.fresh_debian()
        for name in ("resolv.conf", "hosts"):
            if pathlib.Path("/etc", name).exists():
                shutil.copyfile(f"/etc/{name}", root / "etc" / name)
        installed = self.folder / "installed"
        run("cmake", "--install", GIVEN.build, "--component", "Unspecified", "--prefix", "/usr/local", "--strip",
            env={**os.environ, "DESTDIR": str(installed)})
        user, entry, folder = "root", None, "/"
        for word, rest in final:
            if word == "RUN":
                run("chroot", root, "/bin/sh", "-ec", rest)
            elif word == "COPY":
                source, *sources, target = [part for part in rest.split() if not part.startswith("--from")]
                pathlib.Path(f"{root}{target}").parent.mkdir(parents=True, exist_ok=True)
                for path in [source, *sources]:
                    run("cp", "-a", f"{installed}{path}", f"{root}{target}")
            elif word == "USER":
                user = rest
            elif word == "WORKDIR":
                folder = rest
                (root / folder.lstrip("/")).mkdir(exist_ok=True)
            elif word == "ENTRYPOINT":
                entry = json.loads(rest)
        run(GIVEN.build / "opm", "mod", "init", root / "module/minimal")
        run("chmod", "-R", "a+rX", root / "module")
        text = run("chroot", f"--userspec={user}", root, "/usr/bin/env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", f"HOME=/home/{user}",
                   "sh", "-c", f"cd {folder} && exec {shlex.join([*entry, 'mod', 'build', 'minimal'])}")
        self.assertIn("kind: Deployment", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--debian", type=pathlib.Path, required=True, help="as `scripts/tools debian` provides it")
    options, others = parser.parse_known_args()
    GIVEN.build, GIVEN.debian = options.build.resolve(), options.debian
    unittest.main(argv=[sys.argv[0], *others])


if __name__ == "__main__":
    main()
