#!/usr/bin/env python3
"""Renders with opm what stands in examples/, as a person would, and compares it with what the real cue made of the same
modules (tests/catalog/rendered); and what --dump-jobs writes, evaluated by the real cue and by opm.

  tests/render/render_test.py --opm OPM [--cue CUE] [unittest's arguments]"""

import json
import os
import subprocess
import unittest

from workbench import EXAMPLES, ROOT, TOOLS, Workbench, by_name, main

RENDERED = ROOT / "tests" / "catalog" / "rendered"


def folder_of(golden):
    """Modules in examples/ go by the name of their folder, others by their path."""
    return EXAMPLES / golden if (EXAMPLES / golden).is_dir() else ROOT / golden.replace("-", "/", 2)


class Examples(Workbench):
    def test_objects_are_those_that_cue_makes(self):
        for golden in sorted(RENDERED.glob("*.json")):
            with self.subTest(golden.stem):
                self.assertEqual(self.objects(folder_of(golden.stem)), json.loads(golden.read_text(encoding="utf-8")))

    def test_every_example_is_compared(self):
        examples = {folder.parent.name for folder in EXAMPLES.glob("*/module.cue")}
        self.assertGreaterEqual(len(examples), 8)
        self.assertLessEqual(examples, {golden.stem for golden in RENDERED.glob("*.json")})

    def test_examples_are_without_warnings(self):
        for folder in sorted(EXAMPLES.glob("*/module.cue")):
            with self.subTest(folder.parent.name):
                self.assertEqual(self.opm("mod", "vet", "--strict", folder.parent).stderr, "")


class DumpedJobs(Workbench):
    def objects_of(self, tool, folder):
        run = subprocess.run([*tool, "export", "./jobs"], cwd=folder, capture_output=True, text=True, timeout=300,
                             check=False, env={**os.environ, "CUE_REGISTRY": "none"})
        self.assertEqual(run.returncode, 0, run.stderr)
        found = []
        for output in json.loads(run.stdout).values():
            if isinstance(output, list):
                found += output
            elif "apiVersion" in output:
                found.append(output)
            else:
                found += output.values()
        return by_name(found)

    def test_dumped_jobs_evaluate_to_the_same_resources(self):
        tools = {"opm": [TOOLS["opm"], "cue"]}
        if TOOLS["cue"]:
            tools["cue"] = [TOOLS["cue"]]
        for example in ("webapp", "shop", "config-heavy"):
            dump = self.folder / example
            objects = self.objects(EXAMPLES / example, "--dump-jobs", dump, "--show-secrets")
            self.assertTrue((dump / "jobs" / "1.cue").is_file())
            for name, tool in tools.items():
                with self.subTest(example=example, tool=name):
                    self.assertEqual(self.objects_of(tool, dump), objects)


# Components that differ in texts and numbers, and in what transformers make of these.
ALIKE = """package main

import (
	network "opmodel.dev/traits/network@v0"
	resources "opmodel.dev/resources/workload@v0"
	traits "opmodel.dev/traits/workload@v0"
)

#components: {%s
}
"""
ONE_OF_ALIKE = """
	"%(name)s": {
		resources.#Container
		traits.#Scaling
		network.#Expose
		metadata: labels: "core.opmodel.dev/workload-type": "%(kind)s"
		spec: {
			container: {
				name:  "main"
				image: "%(image)s"
				ports: http: targetPort: %(port)d
				env: SIZE: {name: "SIZE", value: "%(count)d"}
			}
			scaling: count: %(count)d
			expose: {type: "%(type)s", ports: http: {targetPort: %(port)d, exposedPort: 80}}
		}
	}"""


class AlikeComponents(Workbench):
    """Components that look alike are evaluated together. What comes out is what comes out of each of them alone."""

    def test_each_is_rendered_as_if_it_were_alone(self):
        described = [
            {
                "name": f"part-{i}",
                "kind": "stateful" if i % 7 == 3 else "stateless",
                "image": ("nginx:1", "example.com/team/app:2", "redis@sha256:" + "0" * 64)[i % 3],
                "port": 8080 + i % 4,
                "count": 1 + i % 5,
                "type": "ClusterIP" if i % 6 else "LoadBalancer",
            }
            for i in range(24)
        ]
        texts = [ONE_OF_ALIKE % part for part in described]
        together = self.objects(self.module(ALIKE % "".join(texts)))
        alone = {}
        for text in texts:
            alone.update(self.objects(self.module(ALIKE % text)))
        self.assertEqual(len(together), 48)
        self.assertEqual(together, alone)

    def test_all_of_them_know_what_immutable_configuration_is_called(self):
        """With enough components that they are evaluated in several contexts, and the one that there is something to know of
        behind all others."""
        for definition, field, reference in (("ConfigMaps", "configMaps", "configMapRef"), ("Secrets", "secrets", "secretRef")):
            with self.subTest(definition):
                part = ONE_OF_ALIKE.replace("env: SIZE", f'envFrom: [{{{reference}: name: "settings"}}]\n\t\t\t\tenv: SIZE')
                parts = [part % {"name": f"part-{i}", "kind": "stateless", "image": "nginx:1", "port": 80, "count": 1,
                                 "type": "ClusterIP"} for i in range(60)]
                keeper = f'\n\tkeeper: {{\n\t\tconfig.#{definition}\n\t\tspec: {field}: settings: {{immutable: true, data: a: "1"}}\n\t}}'
                text = (ALIKE % ("".join(parts) + keeper)).replace("import (", 'import (\n\tconfig "opmodel.dev/resources/config@v0"')
                objects = self.objects(self.module(text))
                made = [name for name in objects if "settings" in str(name)]
                self.assertEqual(len(made), 1)
                called = objects[made[0]]["metadata"]["name"]
                self.assertRegex(called, "^settings-[0-9a-f]{10}$")
                referred = {
                    container["envFrom"][0][reference]["name"]
                    for made in objects.values() if made["kind"] == "Deployment"
                    for container in made["spec"]["template"]["spec"]["containers"]
                }
                self.assertEqual(len(objects), 121)
                self.assertEqual(referred, {called})

    def test_what_is_wrong_with_one_of_them_is_said_of_that_one(self):
        parts = [ONE_OF_ALIKE % {"name": f"part-{i}", "kind": "stateless", "image": "nginx:1", "port": 80, "count": 1,
                                 "type": "ClusterIP"} for i in range(9)]
        module = self.module(ALIKE % "".join(parts))
        criteria = 'requiredResources: "opmodel.dev/resources/workload@v0#Container": _'
        output = """{
			apiVersion: "v1"
			kind:       "ConfigMap"
			metadata: {name: #component.metadata.name, namespace: #context.namespace}
			if #component.metadata.name == "part-4" {data: wrong: 4}
			if #component.metadata.name == "part-7" {data: error("seven is too much")}
		}"""
        config = self.with_transformer(criteria, output)
        run = self.build(module, "--config", config, "--strict", code=2)
        self.assertIn("part-4", run.stderr)
        self.assertIn("seven is too much", run.stderr)
        for name in ("part-0", "part-3", "part-8"):
            self.assertNotIn(name, run.stderr)

    def test_what_is_wrong_with_one_of_them_is_told_where_that_one_is_written(self):
        parts = [ONE_OF_ALIKE % {"name": f"part-{i}", "kind": "stateless", "image": "nginx:1", "port": 80,
                                 "count": 9 if i in (4, 6) else 2 + i % 3, "type": "ClusterIP"} for i in range(16)]
        text = ALIKE % "".join(parts)
        criteria = 'requiredResources: "opmodel.dev/resources/workload@v0#Container": _'
        output = """{
			apiVersion: "example.com/v1"
			kind:       "Size"
			metadata: {name: #component.metadata.name, namespace: #context.namespace}
			spec: count: #component.spec.scaling.count & <5
		}"""
        run = self.build(self.module(text), "--config", self.with_transformer(criteria, output), code=2)
        lines = [number for number, line in enumerate(text.splitlines(), 1) if "scaling: count: 9" in line]
        self.assertEqual(len(lines), 2)
        for component, line in zip(("part-4", "part-6"), lines):
            told = run.stderr.split(f'component "{component}"')[1].split("error:")[0]
            self.assertIn(f".cue:{line}:", told)
        self.assertEqual(run.stderr.count("invalid value 9 (out of bound <5)"), 2)

    def test_a_secret_that_nobody_keeps_is_told_where_it_is_written(self):
        secret = ', from: {$opm: "secret", $secretName: "%(name)s", $dataKey: "key", value: "x"}}'
        part = ONE_OF_ALIKE.replace(', value: "%(count)d"}', secret)
        parts = [part % {"name": f"part-{i}", "kind": "stateless", "image": "nginx:1", "port": 80, "count": 1,
                         "type": "ClusterIP"} for i in range(16)]
        text = ALIKE % "".join(parts)
        run = self.build(self.module(text), code=2)
        lines = [number for number, line in enumerate(text.splitlines(), 1) if "$secretName" in line]
        self.assertEqual(len(lines), 16)
        for i, line in enumerate(lines):
            self.assertRegex(run.stderr, f"key of part-{i}: [^\\n]*\\n[^\\n]*\\.cue:{line}:")


if __name__ == "__main__":
    main()
