"""Loading modules: a module of ten files that import the whole catalog, from the cache and from a registry."""

import contextlib
import os
import pathlib
import shutil
import stat
import subprocess
import sys
from shlex import quote

import inputs

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "registry"))
from servers import Registry  # noqa: E402  the path comes first

CATALOG = pathlib.Path(inputs.__file__).resolve().parent.parent / "catalog"
# Those that others need come first.
MODULES = ["core", "schemas", "schemas_kubernetes", "resources", "traits", "blueprints", "policies", "providers"]
PACKAGES = ["core", "schemas", "resources/workload", "resources/config", "resources/storage", "traits/workload",
            "traits/network", "blueprints/workload", "policies/network", "providers/kubernetes/transformers"]


def make_user(folder):
    """Each file imports a package of the catalog, in a field that nobody evaluates: what is measured is loading."""
    version = (CATALOG / "VERSION").read_text(encoding="utf-8").strip()
    text = 'module: "bench.test/user@v0"\nlanguage: version: "v0.15.0"\n'
    for name in MODULES:
        text += f'deps: "opmodel.dev/{name.replace("_", "/")}@v0": v: "{version}"\n'
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "cue.mod").mkdir(parents=True)
    (folder / "cue.mod" / "module.cue").write_text(text, encoding="utf-8")
    for number, package in enumerate(PACKAGES):
        (folder / f"file{number}.cue").write_text(
            f'package user\nimport p "opmodel.dev/{package}@v0"\nf{number}?: p\nn{number}: {number}\n', encoding="utf-8")
    return version


def remove(folder):
    """A cache is read-only."""
    if not folder.exists():
        return
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            path.chmod(stat.S_IRWXU)
    shutil.rmtree(folder)


def run(bench, folder):
    if shutil.which("docker-registry") is None:
        print("  (d) NOT RUN: docker-registry is not installed", file=sys.stderr)
        return
    work = pathlib.Path(folder) / "modules"
    cache = work / "cache"
    remove(work)
    version = make_user(work / "user")
    with contextlib.ExitStack() as stack:
        registry = stack.enter_context(Registry(work / "registry"))
        variables = {"CUE_REGISTRY": registry.host, "CUE_CACHE_DIR": str(cache), "HOME": str(work)}
        before = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)

        def restore():
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value

        stack.callback(restore)
        for name in MODULES:
            subprocess.run([bench.cue, "mod", "publish", version], cwd=CATALOG / name, check=True, capture_output=True)
        arguments = ["export", "."]
        # Without what is built in, opm has the same to do as cue.
        ours = ["--no-builtin"]
        empty_cache = f"chmod -R u+w {quote(str(cache))} 2>/dev/null; rm -rf {quote(str(cache))}"
        bench.compare("(d) the catalog and 10 files, from the cache", arguments, work / "user", letter="d", ours=ours)
        bench.compare("(d) the same, from a registry", arguments, work / "user", prepare=empty_cache,
                      letter="e", ours=ours)
        bench.compare("(d) the same, cue from the cache, opm built in", arguments, work / "user")
