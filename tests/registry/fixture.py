"""What the tests of registries share: a folder to work in, modules to publish, and how opm and cue are run."""

import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import unittest

from servers import Registry

OPM = os.environ.get("OPM_TEST_OPM", "")
CUE = os.environ.get("OPM_TEST_CUE", "")

NOT_DONE, INVALID, UNREACHABLE, DENIED, NOT_FOUND = 1, 2, 3, 4, 5


def remove(folder: pathlib.Path) -> None:
    """Module caches are read-only."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(stat.S_IRWXU)
    shutil.rmtree(folder)


def write(folder: pathlib.Path, files: dict[str, str | bytes]) -> pathlib.Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def module_file(path: str, dependencies: dict[str, str] | None = None, more: str = "") -> str:
    text = f'module: "{path}"\nlanguage: version: "v0.15.0"\nsource: kind: "self"\n{more}'
    for name, version in (dependencies or {}).items():
        text += f'deps: "{name}": v: "{version}"\n'
    return text


class RegistryTest(unittest.TestCase):
    """One registry for all tests of a class; a folder and a cache for each test."""

    registry_options: dict = {}

    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="opm-registry-"))
        cls.addClassCleanup(remove, cls.shared)
        cls.registry = cls.enterClassContext(Registry(cls.shared / "registry", **cls.options()))

    @classmethod
    def options(cls) -> dict:
        return cls.registry_options

    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="opm-registry-"))
        self.addCleanup(remove, self.work)
        self.cache = self.work / "cache"
        self.home = self.work / "home"
        self.home.mkdir()
        self.environment = {"PATH": f"{self.work / 'bin'}:/usr/bin:/bin", "HOME": str(self.home),
                            "CUE_CACHE_DIR": str(self.cache), "CUE_REGISTRY": self.registry.host,
                            "CUE_CONFIG_DIR": str(self.home / "cue")}

    def start(self, program: str, words, folder: pathlib.Path, **variables) -> subprocess.Popen:
        return subprocess.Popen([program, *words], cwd=folder, env={**self.environment, **variables},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_program(self, program: str, words, folder: pathlib.Path, **variables) -> subprocess.CompletedProcess:
        return subprocess.run([program, *words], cwd=folder, env={**self.environment, **variables},
                              capture_output=True, text=True, timeout=120)

    def opm(self, folder: pathlib.Path, *words, code: int = 0, **variables) -> subprocess.CompletedProcess:
        result = self.run_program(OPM, words, folder, **variables)
        self.assertEqual(result.returncode, code, f"opm {' '.join(words)}\n{result.stdout}{result.stderr}")
        return result

    def cue(self, folder: pathlib.Path, *words, **variables) -> subprocess.CompletedProcess:
        result = self.run_program(CUE, words, folder, **variables)
        self.assertEqual(result.returncode, 0, f"cue {' '.join(words)}\n{result.stdout}{result.stderr}")
        return result

    def library(self, path: str, version: str, files=None, dependencies=None) -> None:
        """Publishes a module; its package lib has the field x."""
        folder = self.work / "libraries" / path / version
        major = version.split(".")[0]
        write(folder, {"cue.mod/module.cue": module_file(f"{path}@{major}", dependencies),
                       **(files or {"lib/lib.cue": "package lib\nx: 5\n"})})
        # Checked by a cache of its own, so that what is tested starts empty.
        self.opm(folder, "mod", "publish", version, CUE_CACHE_DIR=str(self.work / "publisher"),
                 CUE_REGISTRY=self.registry.host)

    def user(self, dependencies: dict[str, str], text: str, name: str = "user") -> pathlib.Path:
        return write(self.work / name, {"cue.mod/module.cue": module_file("user.test/u@v0", dependencies),
                                        "u.cue": text})

    def assert_cache_is_clean(self):
        """Nothing half done, and nothing that can't be used."""
        import zipfile
        leftovers = [path for path in self.cache.rglob("*") if path.suffix in (".tmp", ".partial")]
        self.assertEqual(leftovers, [])
        for archive in self.cache.rglob("*.zip"):
            with zipfile.ZipFile(archive) as opened:
                self.assertIsNone(opened.testzip(), archive)


USES_D = "package u\nimport \"dep.test/d/lib\"\ny: lib.x\n"
