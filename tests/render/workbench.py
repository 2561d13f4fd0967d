"""What the render tests work with: small modules and configurations in a folder of their own, and opm run on them."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
VERSION = (ROOT / "catalog" / "VERSION").read_text(encoding="utf-8").strip()
CATALOG = "core providers resources schemas traits blueprints policies"

TOOLS = {"opm": "opm", "cue": ""}

CONTAINER = "opmodel.dev/resources/workload@v0#Container"
EXPOSE = "opmodel.dev/traits/network@v0#Expose"
OWN = "example.com/transformers@v0#ThingTransformer"

# Of modules whose #config has secrets.
SHOP_HEAD = """package main

import (
	"opmodel.dev/core@v0"
	"opmodel.dev/schemas@v0"
)

core.#Module

metadata: {
	apiVersion:       "example.com/modules@v0"
	name:             "shop"
	version:          "1.0.0"
	defaultNamespace: "prod"
}

"""

MODULE = """package main

import "opmodel.dev/core@v0"

core.#Module

metadata: {
	apiVersion: "example.com/modules@v0"
	name:       "shop"
	version:    "1.2.3"
	%s
}

#config: {
	image: string
	count: int & >=1
	...
}
"""

WEB = """package main

import (
	"opmodel.dev/resources/workload@v0"
	"opmodel.dev/traits/network@v0"
	workload_traits "opmodel.dev/traits/workload@v0"
)

_use: {a: workload.#Container, b: network.#Expose, c: workload_traits.#Scaling}

#components: web: {
	workload.#Container
	workload_traits.#Scaling
	network.#Expose
	metadata: labels: "core.opmodel.dev/workload-type": "stateless"
	spec: {
		container: {
			name:  "web"
			image: #config.image
			ports: http: targetPort: 8080
		}
		scaling: count: #config.count
		expose: ports: http: targetPort: 8080
	}
}
"""

VALUES = """package main

values: {
	image: "nginx:1"
	count: 2
}
"""

# A transformer of the user, with the parts that tests change.
TRANSFORMER = """{
	apiVersion: "opmodel.dev/core/v0"
	kind:       "Transformer"
	metadata: {
		apiVersion:  "example.com/transformers@v0"
		name:        "thing-transformer"
		description: "Makes things"
	}
	%(criteria)s
	#transform: {
		#component: _
		#context:   _
		output: %(output)s
	}
}"""

CONFIG_MAP = """{
			apiVersion: "v1"
			kind:       "ConfigMap"
			metadata: {name: #component.metadata.name + "-thing", namespace: #context.namespace, labels: #context.labels}
			data: image: #component.spec.container.image
		}"""


def module_file(name):
    deps = "".join(f'\t"opmodel.dev/{word}@v0": v: "{VERSION}"\n' for word in CATALOG.split())
    return f'module: "example.com/{name}@v0"\nlanguage: version: "v0.15.0"\ndeps: {{\n{deps}}}\n'


class Workbench(unittest.TestCase):
    """A test that has a folder, HOME below it, and a module in it."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="opm-render-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "home").mkdir()

    def write(self, path, text):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return target

    def module(self, components=WEB, values=VALUES, namespace='defaultNamespace: "prod"', more=None):
        self.write("shop/cue.mod/module.cue", module_file("shop"))
        self.write("shop/module.cue", MODULE % namespace)
        self.write("shop/components.cue", components)
        if values is not None:
            self.write("shop/values.cue", values)
        for path, text in (more or {}).items():
            self.write(path, text)
        return self.folder / "shop"

    def configuration(self, body):
        self.write("config/cue.mod/module.cue", module_file("config"))
        text = f'package config\n\nimport prov "opmodel.dev/providers@v0"\n\n_use: prov\n\nconfig: {{\n{body}\n}}\n'
        return self.write("config/config.cue", text)

    def with_transformer(self, criteria, output=CONFIG_MAP, base='prov.#Registry["kubernetes"]', fqn=OWN):
        text = TRANSFORMER % {"criteria": criteria, "output": output}
        return self.configuration(f'providers: kubernetes: {base}\nproviders: kubernetes: transformers: "{fqn}": {text}')

    def opm(self, *arguments, code=0, **settings):
        environment = {"HOME": str(self.folder / "home"), "PATH": "/usr/bin:/bin", **settings.pop("env", {})}
        run = subprocess.run([TOOLS["opm"], *map(str, arguments)], capture_output=True, text=True, timeout=120,
                             check=False, cwd=settings.pop("cwd", self.folder), env=environment, **settings)
        if code is not None:
            self.assertEqual(run.returncode, code, run.stderr + run.stdout[:2000])
        return run

    def build(self, *arguments, code=0, **settings):
        return self.opm("mod", "build", *arguments, code=code, **settings)

    def objects(self, *arguments, **settings):
        """What a build gives, by kind and name."""
        return by_name(json.loads(self.build(*arguments, "-o", "json", **settings).stdout))

    def on_a_full_disk(self, before, command, after):
        """Three lines of shell in a folder on a disk of its own, which is filled up before the second: what that one said,
        its exit code, and what the third one prints. `$opm` is the program, `$work` the test's folder."""
        (self.folder / "disk").mkdir(exist_ok=True)
        script = (f"mount -t tmpfs -o size=256k tmpfs '{self.folder}/disk' && cd '{self.folder}/disk' && {before} || exit 99\n"
                  f"cat /dev/zero > filler 2>/dev/null\n{command} >&2; echo $?; {after}\n")
        environment = {"HOME": str(self.folder / "home"), "PATH": "/usr/bin:/bin", "opm": os.path.abspath(TOOLS["opm"]),
                       "work": str(self.folder)}
        run = subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", script], capture_output=True, text=True,
                             timeout=120, check=False, env=environment)
        self.assertEqual(run.returncode, 0, "a disk of one's own: " + run.stderr)
        code, _, rest = run.stdout.partition("\n")
        return run.stderr, int(code), rest

    def matches(self, *arguments, code=0):
        """The JSON lines about matching."""
        lines = [json.loads(line) for line in self.build(*arguments, "--verbose=json", code=code).stderr.splitlines()]
        return {(line["component"], line["transformer"].split("#")[1]): line for line in lines if line.get("event") == "match"}


def by_name(objects):
    return {f"{item['kind']}/{item['metadata']['name']}": item for item in objects}


def kinds_in(yaml_text):
    return re.findall(r"^kind: (\w+)$", yaml_text, re.MULTILINE)


def main():
    for name in TOOLS:
        if f"--{name}" in sys.argv:
            at = sys.argv.index(f"--{name}")
            TOOLS[name] = str(pathlib.Path(sys.argv[at + 1]).resolve())
            del sys.argv[at : at + 2]
    unittest.main()
