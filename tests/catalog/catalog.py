#!/usr/bin/env python3
"""The tests of the catalog, run with the real cue and with opm.

  tests/catalog/catalog.py --cue CUE [--opm OPM] [WORDS...]

For each CUE module of the catalog: `cue vet -c -t test ./...`, which evaluates its tests.cue files, and the data files in
tests/valid and tests/invalid, which are named PACKAGE.DEFINITION.CASE.yaml (no package: the module's root). The first line
of an invalid one says `# error: TEXT`, which the message must contain. Each example and template is rendered and must give
what tests/catalog/rendered holds; --update rewrites that. With words, only tests whose names contain one of them run.
Tests that known.txt lists must fail."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CATALOG = ROOT / "catalog"
EXAMPLES = ROOT / "examples"
TEMPLATES = ROOT / "templates"
HERE = pathlib.Path(__file__).resolve().parent
RENDERED = HERE / "rendered"


def module_path(folder):
    """The path of the CUE module in a folder, without its major version."""
    text = (folder / "cue.mod" / "module.cue").read_text(encoding="utf-8")
    return re.search(r'^module: "([^"@]+)@', text, re.MULTILINE).group(1)


def modules():
    return sorted((module.parent.parent for module in CATALOG.glob("*/cue.mod/module.cue")), key=lambda folder: folder.name)


def catalog_version():
    return (CATALOG / "VERSION").read_text(encoding="utf-8").strip()


def workspace(source, target, tool):
    """A copy of a module in which the modules of the catalog are at hand without a registry: opm has them built in, the
    real cue finds copies. opmodel.dev/tests is in no binary."""
    shutil.copytree(source, target)
    own = module_path(source)
    text = f'module: "{own}@v0"\nlanguage: version: "v0.15.0"\n'
    for module in modules():
        path = module_path(module)
        if path == own:
            continue
        if tool.has_catalog and module.name != "tests":
            text += f'deps: "{path}@v0": v: "{catalog_version()}"\n'
        else:
            shutil.copytree(module, target / "cue.mod" / "pkg" / path, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("cue.mod", "tests", "tests.cue"))
    (target / "cue.mod" / "module.cue").write_text(text, encoding="utf-8")
    return target


class Tool:
    """The real cue, or opm's."""

    def __init__(self, name, command, has_catalog=False):
        self.name = name
        self.command = command
        self.has_catalog = has_catalog

    def run(self, folder, *arguments, registry=None, cache=None):
        environment = {**os.environ, "CUE_REGISTRY": registry or "none"}
        if cache:
            environment["CUE_CACHE_DIR"] = str(cache)
        result = subprocess.run([*self.command, *arguments], cwd=folder, env=environment, capture_output=True, text=True,
                                timeout=300, check=False)
        return result.returncode, result.stdout, result.stderr


def data_tests(tool, folder):
    """The tests of the data files of a module: name and what to do."""
    for path in sorted((folder / "tests").glob("*/*.yaml")):
        expected = path.parent.name
        *package, definition, _ = path.stem.split(".")
        where = "./" + "/".join(package) if package else "."

        def check(path=path, expected=expected, where=where, definition=definition):
            code, out, err = tool.run(folder, "vet", "-c", "-d", "#" + definition, where, str(path.relative_to(folder)))
            if expected == "valid":
                return "" if code == 0 else out + err
            wanted = re.match(r"# error: (.*)", path.read_text(encoding="utf-8")).group(1)
            if code == 0:
                return "was accepted"
            return "" if wanted in err else f"does not speak of {wanted}:\n{err}"

        yield f"{folder.name}/{expected}/{path.stem}", check


def module_test(tool, folder):
    def check():
        tested = any("@if(test)" in path.read_text(encoding="utf-8") for path in folder.rglob("*.cue")
                     if "cue.mod" not in path.relative_to(folder).parts)
        code, out, err = tool.run(folder, "vet", *(["-c", "-t", "test"] if tested else ["-c=false"]), "./...")
        return "" if code == 0 else out + err

    yield f"{folder.name}/tests.cue", check


def example_test(tool, folder, name, update):
    """An example as it is, and what all transformers make of it, each object checked against its Kubernetes type."""

    def check():
        code, out, err = tool.run(folder, "vet", "-c", ".")
        if code != 0:
            return out + err
        source = (folder / "module.cue").read_text(encoding="utf-8")
        package = re.search(r"^package (\w+)", source, re.MULTILINE).group(1)
        overlay = (HERE / "render.cue.in").read_text(encoding="utf-8")
        # A name that nothing declares would be an error.
        policies = any("\n#policies:" in path.read_text(encoding="utf-8") for path in folder.glob("*.cue"))
        overlay = overlay.replace("PACKAGE", package).replace("POLICIES", "#policies: modulePolicies" if policies else "")
        overlay += "\nlet modulePolicies = #policies\n" if policies else ""
        (folder / "opm_release.cue").write_text(overlay, encoding="utf-8")
        code, out, err = tool.run(folder, "export", ".", "-e", "_rendered.checked")
        if code != 0:
            return out + err
        text = json.dumps(json.loads(out), indent=2, sort_keys=True) + "\n"
        golden = RENDERED / (name.removeprefix("examples/").replace("/", "-") + ".json")
        if update:
            golden.parent.mkdir(exist_ok=True)
            golden.write_text(text, encoding="utf-8")
            return ""
        return "" if golden.is_file() and golden.read_text(encoding="utf-8") == text else "differs from " + golden.name

    yield name, check


def published_test(tool, scratch):
    """The modules as they are published: what each says it depends on is what it needs, at versions that exist; and what
    examples and templates say as well."""

    def check():
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        registry = f"127.0.0.1:{port}+insecure"
        cache = scratch / "cache"
        server = subprocess.Popen([*tool.command, "mod", "registry", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            waiting = [module for module in modules() if module.name != "tests"]
            failures = []
            while waiting:
                # Those that others need come first: whoever cannot be published yet has another turn.
                left, failures = [], []
                for module in waiting:
                    code, out, err = tool.run(module, "mod", "publish", catalog_version(), registry=registry, cache=cache)
                    if code != 0:
                        left.append(module)
                        failures.append(f"{module.name}: {out}{err}")
                if len(left) == len(waiting):
                    return "".join(failures)
                waiting = left
            for source in [*EXAMPLES.glob("*/cue.mod"), *TEMPLATES.glob("**/cue.mod")]:
                name = source.parent.relative_to(ROOT)
                folder = shutil.copytree(source.parent, scratch / "tidy" / name)
                code, out, err = tool.run(folder, "mod", "tidy", "--check", registry=registry, cache=cache)
                if code != 0:
                    failures.append(f"{name}: {out}{err}")
            return "".join(failures)
        finally:
            server.terminate()
            server.wait()
            subprocess.run(["chmod", "-R", "u+w", str(cache)], check=False)

    yield "published", check


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--cue", required=True)
    parser.add_argument("--opm")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()

    tools = [Tool("cue", [arguments.cue])]
    if arguments.opm:
        tools.append(Tool("opm", [arguments.opm, "cue"], has_catalog=True))

    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        tests = []
        for tool in tools:
            for module in modules():
                folder = workspace(module, scratch / tool.name / module.name, tool)
                tests += [(tool, *test) for test in module_test(tool, folder)]
                tests += [(tool, *test) for test in data_tests(tool, folder)]
            for example in [*sorted(EXAMPLES.glob("*/module.cue")), *sorted(TEMPLATES.glob("modules/*/module.cue"))]:
                name = str(example.parent.relative_to(ROOT))
                folder = workspace(example.parent, scratch / tool.name / name, tool)
                tests += [(tool, *test) for test in example_test(tool, folder, name, arguments.update)]
            folder = workspace(TEMPLATES / "config", scratch / tool.name / "templates/config", tool)
            tests += [(tool, *test) for test in module_test(tool, folder)]
        tests += [(tools[0], *test) for test in published_test(tools[0], scratch)]
        if arguments.words:
            tests = [test for test in tests if any(word in test[1] for word in arguments.words)]

        def run(test):
            tool, name, check = test
            try:
                return tool.name, name, check()
            except subprocess.TimeoutExpired:
                return tool.name, name, "did not end"

        known = dict(line.split(": ", 1) for line in (HERE / "known.txt").read_text(encoding="utf-8").splitlines()
                     if line and not line.startswith("#"))
        failed = skipped = 0
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            for tool, name, problem in pool.map(run, tests):
                if f"{tool} {name}" in known:
                    skipped += 1
                    problem = "" if problem else "passes, and known.txt says that it fails"
                if problem:
                    failed += 1
                    print(f"FAILED {tool} {name}\n{problem[:4000].rstrip()}\n")
    print(f"{len(tests) - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
