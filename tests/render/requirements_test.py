#!/usr/bin/env python3
"""What the specification asks of a render: a test for each requirement, success criterion and edge case, named after it.

  tests/render/requirements_test.py --opm OPM [unittest's arguments]"""

import json
import os
import shutil
import subprocess
import time
import unittest

from workbench import CONFIG_MAP, CONTAINER, EXAMPLES, EXPOSE, MODULE, OWN, TOOLS, WEB, Workbench, kinds_in, main

MANAGED = "app.kubernetes.io/managed-by"
ANY_CONTAINER = f'requiredResources: "{CONTAINER}": _'


class Providers(Workbench):
    def test_fr_001_provider_needs_transformers_and_metadata(self):
        self.module()
        config = self.configuration("providers: kubernetes: {metadata: {name: \"x\", version: \"1\", description: \"x\"}}")
        self.assertIn("provider has no transformers", self.build("shop", "--config", config, code=2).stderr)
        config = self.configuration("providers: kubernetes: {metadata: {}, transformers: {}}")
        self.assertIn("provider has no transformers", self.build("shop", "--config", config, code=2).stderr)
        # A transformer that is not concrete is fine until it meets a component.
        config = self.with_transformer('requiredTraits: "example.com/traits@v0#None": _', "{x: string, y: x + 1}")
        self.build("shop", "--config", config)

    def test_fr_002_provider_gathers_what_it_declares(self):
        self.module(more={"shop/declared/x.cue": 'package declared\n\nimport "opmodel.dev/providers/kubernetes@v0"\n\n'
                                                 "traits: kubernetes.#Provider.#declaredTraits\n"})
        traits = json.loads(self.opm("cue", "export", "./declared", cwd=self.folder / "shop").stdout)["traits"]
        self.assertIn(EXPOSE, traits)

    def test_fr_003_provider_has_metadata(self):
        self.module()
        config = self.configuration("providers: kubernetes: {transformers: {}}")
        self.assertIn("provider has no metadata", self.build("shop", "--config", config, code=2).stderr)

    def test_fr_004_provider_is_chosen_by_flag(self):
        self.module()
        config = self.configuration('providers: {kubernetes: prov.#Registry["kubernetes"], other: prov.#Registry["kubernetes"]}')
        self.assertIn("Deployment/web", self.objects("shop", "--config", config, "--provider", "other"))
        run = self.build("shop", "--config", config, "--provider", "nowhere", code=5)
        self.assertIn('provider "nowhere" not found', run.stderr)
        self.assertIn("kubernetes, other", run.stderr)

    def test_fr_028_providers_stand_in_the_configuration(self):
        self.module()
        config = self.with_transformer(ANY_CONTAINER)
        self.assertEqual(self.objects("shop", "--config", config)["ConfigMap/web-thing"]["data"], {"image": "nginx:1"})


class Transformers(Workbench):
    def test_fr_005_criteria_are_declared(self):
        self.module()
        match = self.matches("shop")["web", "DeploymentTransformer"]
        self.assertEqual(match["requiredResources"], [CONTAINER])
        self.assertEqual(match["requiredLabels"], {"core.opmodel.dev/workload-type": '"stateless"'})

    def test_fr_006_optional_inputs_count_as_handled(self):
        components = WEB.replace("\tnetwork.#Expose\n", "\tworkload_traits.#Placement\n").replace(
            "\t\texpose: ports: http: targetPort: 8080\n", "\t\tplacement: {}\n")
        self.module(components)
        self.assertEqual(self.build("shop", "--strict").stderr, "")

    def test_fr_007_transform_gets_component_and_context(self):
        self.module()
        config = self.with_transformer(ANY_CONTAINER)
        thing = self.objects("shop", "--config", config)["ConfigMap/web-thing"]
        self.assertEqual(thing["metadata"]["namespace"], "prod")

    def test_fr_008_output_is_one_resource_a_list_or_a_map(self):
        self.module()
        other = CONFIG_MAP.replace("-thing", "-second")
        for output in (CONFIG_MAP, f"[{CONFIG_MAP}, {other}]", f"{{one: {CONFIG_MAP}, two: {other}}}"):
            names = self.objects("shop", "--config", self.with_transformer(ANY_CONTAINER, output))
            self.assertEqual("ConfigMap/web-second" in names, output != CONFIG_MAP)
            self.assertIn("ConfigMap/web-thing", names)

    def test_fr_009_all_criteria_have_to_be_met(self):
        self.module()
        for criteria in (f'{ANY_CONTAINER}\nrequiredTraits: "a.b/t@v0#No": _',
                         f'{ANY_CONTAINER}\nrequiredLabels: nobody: "has"'):
            objects = self.objects("shop", "--config", self.with_transformer(criteria))
            self.assertNotIn("ConfigMap/web-thing", objects)


    def test_timestamp_is_given_to_a_catalog_that_declares_it(self):
        """Decision 17a."""
        self.module()
        output = CONFIG_MAP.replace("image: #component.spec.container.image", "made: #context.timestamp")
        config = self.with_transformer(ANY_CONTAINER, output)
        text = config.read_text(encoding="utf-8").replace("#context:   _\n", "#context: {timestamp!: string, namespace!: string, labels?: _, ...}\n")
        config.write_text(text.replace(", labels: #context.labels", ""), encoding="utf-8")
        objects = self.objects("shop", "--config", config, env={"SOURCE_DATE_EPOCH": "86400"})
        self.assertEqual(objects["ConfigMap/web-thing"]["data"], {"made": "1970-01-02T00:00:00Z"})
        now = self.objects("shop", "--config", config)["ConfigMap/web-thing"]["data"]["made"]
        self.assertRegex(now, r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        # The built-in catalog declares none, and so renders the same bytes at any time.
        self.assertEqual(self.build("shop", env={"SOURCE_DATE_EPOCH": "1"}).stdout, self.build("shop").stdout)

    def test_transformers_see_definitions_of_a_component(self):
        """Decision 14: what a component is made of reaches the transformer, although it is not all concrete."""
        self.module()
        output = CONFIG_MAP.replace("image: #component.spec.container.image",
                                    '{made: strings.Join([for fqn, _ in #component.#resources {fqn}], " ")\n'
                                    'name: #component.#resources["%s"].metadata.name}' % CONTAINER)
        config = self.with_transformer(ANY_CONTAINER, output)
        text = config.read_text(encoding="utf-8").replace("import prov", 'import "strings"\nimport prov')
        config.write_text(text, encoding="utf-8")
        data = self.objects("shop", "--config", config)["ConfigMap/web-thing"]["data"]
        self.assertEqual(data, {"made": CONTAINER, "name": "container"})


class Matching(Workbench):
    def test_fr_010_labels_of_resources_and_traits_count(self):
        components = WEB.replace("workload.#Container\n\tworkload", 'workload.#Container\n\t#resources: "%s": metadata: labels: tier: "gold"\n\tworkload' % CONTAINER)
        self.module(components)
        config = self.with_transformer(f'{ANY_CONTAINER}\nrequiredLabels: tier: "gold"')
        self.assertIn("ConfigMap/web-thing", self.objects("shop", "--config", config))

    def test_fr_011_several_transformers_match_one_component(self):
        self.module()
        self.assertEqual(set(self.objects("shop")), {"Deployment/web", "Service/web"})

    def test_fr_013_outputs_are_aggregated(self):
        self.assertGreater(len(self.objects(EXAMPLES / "shop")), 8)

    def test_fr_014_transformers_get_the_whole_component(self):
        self.module()
        output = CONFIG_MAP.replace("image: #component.spec.container.image",
                                    'all: "\\(#component.spec.scaling.count) \\(#component.spec.expose.ports.http.targetPort)"')
        objects = self.objects("shop", "--config", self.with_transformer(ANY_CONTAINER, output))
        self.assertEqual(objects["ConfigMap/web-thing"]["data"]["all"], "2 8080")

    def test_fr_022_label_conflicts_are_cues(self):
        components = WEB.replace('workload-type": "stateless"', 'workload-type": "stateless"\n\tmetadata: labels: "core.opmodel.dev/workload-type": "daemon"')
        self.module(components)
        run = self.build("shop", code=2)
        self.assertIn('conflicting values', run.stderr)
        self.assertIn("./shop/components.cue:", run.stderr)

    def test_requirements_may_be_alternatives(self):
        components = WEB.replace('"stateless"', '"job"').replace("\tworkload_traits.#Scaling\n", "").replace("\t\tscaling: count: #config.count\n", "")
        self.module(components)
        self.assertIn("Job/web", self.objects("shop"))


class Pipeline(Workbench):
    def test_fr_015_fr_023_sc_002_threads_do_not_change_a_byte(self):
        outputs = {self.build(EXAMPLES / "shop", "--jobs", threads).stdout for threads in ("1", "8") for _ in range(5)}
        self.assertEqual(len(outputs), 1)

    def test_many_components_are_evaluated_at_the_same_time(self):
        one = WEB[WEB.index("#components: web: {") :]
        rest = "".join(one.replace("#components: web: {", f"#components: web{i}: {{") for i in range(40))
        self.module(WEB + rest)
        runs = [self.build("shop", "--verbose", "--jobs", threads) for threads in ("1", "2", "5")]
        self.assertEqual(len({(run.stdout, run.stderr) for run in runs}), 1)
        self.assertEqual(runs[0].stdout.count("kind: Deployment\n"), 41)

    def test_what_is_wrong_with_many_components_is_told_once_however_many_threads_there_are(self):
        one = WEB[WEB.index("#components: web: {") :]
        rest = "".join(one.replace("#components: web: {", f"#components: web{i}: {{") for i in range(40))
        self.module(WEB + rest + "#components: web7: spec: wrong: 1\n#components: web30: spec: scaling: count: \"x\"\n")
        runs = [self.build("shop", "--jobs", threads, code=2) for threads in ("1", "4")]
        self.assertEqual(runs[0].stderr, runs[1].stderr)
        self.assertIn('component "web7"', runs[0].stderr)
        self.assertIn('component "web30"', runs[0].stderr)

    def test_fr_016_labels_come_from_the_context(self):
        self.module()
        for thing in self.objects("shop").values():
            labels = thing["metadata"]["labels"]
            self.assertEqual(labels[MANAGED], "open-platform-model")
            self.assertEqual(labels["module.opmodel.dev/name"], "shop")
            self.assertEqual(labels["module.opmodel.dev/namespace"], "prod")
            self.assertEqual(labels["module.opmodel.dev/version"], "1.2.3")
            self.assertEqual(labels["component.opmodel.dev/name"], "web")
        # A transformer that sets none renders none: nothing is added afterwards.
        config = self.with_transformer(ANY_CONTAINER, CONFIG_MAP.replace(", labels: #context.labels", ""))
        self.assertNotIn("labels", self.objects("shop", "--config", config)["ConfigMap/web-thing"]["metadata"])

    def test_fr_017_fr_029_yaml_and_json(self):
        self.module()
        text = self.build("shop").stdout
        self.assertEqual(text, self.build("shop", "-o", "yaml").stdout)
        self.assertEqual(kinds_in(text), ["Service", "Deployment"])
        self.assertEqual([item["kind"] for item in json.loads(self.build("shop", "-o", "json").stdout)], kinds_in(text))
        self.assertIn("xml", self.build("shop", "-o", "xml", code=1).stderr)

    def test_fr_018_fr_026_split_names_files_by_kind_and_name(self):
        self.module()
        self.build("shop", "--split", "--out-dir", "out")
        names = sorted(path.name for path in (self.folder / "out").iterdir() if not path.name.startswith("."))
        self.assertEqual(names, ["deployment-web.yaml", "service-web.yaml"])
        whole = self.build("shop").stdout
        parts = [(self.folder / "out" / name).read_text() for name in ("service-web.yaml", "deployment-web.yaml")]
        self.assertEqual("---\n".join(parts), whole)

    def test_fr_018_split_removes_what_an_earlier_run_wrote(self):
        self.module()
        self.build("shop", "--split", "--out-dir", "out")
        self.write("out/mine.yaml", "kept\n")
        self.module(WEB.replace("\tnetwork.#Expose\n", "").replace("\t\texpose: ports: http: targetPort: 8080\n", ""))
        self.build("shop", "--split", "--out-dir", "out")
        names = sorted(path.name for path in (self.folder / "out").iterdir() if not path.name.startswith("."))
        self.assertEqual(names, ["deployment-web.yaml", "mine.yaml"])

    def test_fr_024_errors_are_told_at_the_end_and_all(self):
        components = WEB + '\n#components: other: {workload.#Container, metadata: labels: "core.opmodel.dev/workload-type": "stateless", spec: container: {name: "x", image: "y"}}\n'
        self.module(components)
        config = self.with_transformer(ANY_CONTAINER, "{apiVersion: \"v1\", kind: #component.spec.nothing}")
        run = self.build("shop", "--config", config, code=2)
        self.assertIn('component "web", ThingTransformer', run.stderr)
        self.assertIn('component "other", ThingTransformer', run.stderr)
        self.assertEqual(run.stdout, "")

    def test_fr_025_sc_005_verbose_explains_every_component(self):
        self.module()
        text = self.build("shop", "--verbose").stderr
        self.assertIn("DeploymentTransformer matched: requiredResources=Container, requiredLabels=stateless", text)
        self.assertIn("ServiceTransformer matched: requiredResources=Container, requiredTraits=Expose", text)
        self.assertIn("StatefulsetTransformer did not match: misses label core.opmodel.dev/workload-type=stateful (it is stateless)", text)
        matches = self.matches("shop")
        self.assertTrue(matches["web", "ServiceTransformer"]["matched"])
        self.assertEqual(matches["web", "PvcTransformer"]["missingResources"], ["opmodel.dev/resources/storage@v0#Volumes"])

    def test_fr_040_release_is_made_by_the_catalog(self):
        self.module()
        labels = self.objects("shop")["Service/web"]["metadata"]["labels"]
        self.assertEqual(labels["module-release.opmodel.dev/name"], "shop")
        self.assertRegex(labels["module-release.opmodel.dev/uuid"], "^[0-9a-f-]{36}$")

    def test_names_enter_as_values_not_as_source(self):
        self.module()
        run = self.build("shop", "--name", 'x", #module: _, y: "', code=2)
        self.assertIn("invalid value", run.stderr)
        run = self.build("shop", "--namespace", "\\(values.image)", code=2)
        self.assertIn("invalid value", run.stderr)


class Errors(Workbench):
    UNMATCHED = WEB.replace('"stateless"', '"scheduled-task"').replace("\tnetwork.#Expose\n", "").replace(
        "\t\texpose: ports: http: targetPort: 8080\n", "").replace("\tworkload_traits.#Scaling\n", "").replace(
        "\t\tscaling: count: #config.count\n", "")

    def test_fr_019_sc_004_unmatched_components_say_what_is_missing(self):
        self.module(self.UNMATCHED + '\n#components: api: {workload.#Container, metadata: labels: "core.opmodel.dev/workload-type": "scheduled-task", spec: container: {name: "x", image: "y"}}\n')
        run = self.build("shop", code=2)
        self.assertIn("No transformers matched component 'web'. Available transformers:", run.stderr)
        self.assertIn("No transformers matched component 'api'", run.stderr)
        self.assertIn('DeploymentTransformer misses label core.opmodel.dev/workload-type: "stateless" (it is "scheduled-task")', run.stderr)
        self.assertIn(f"ServiceTransformer misses trait {EXPOSE}", run.stderr)
        self.assertIn("2 errors", run.stderr)

    UNHANDLED = WEB.replace("#components: web: {", """_odd: {
	apiVersion: "opmodel.dev/core/v0"
	kind: "Trait"
	metadata: {apiVersion: "example.com/traits@v0", name: "odd"}
	appliesTo: [workload.#ContainerResource]
	#spec: odd: int
}
#components: web: #traits: "example.com/traits@v0#Odd": _odd
#components: web: spec: odd: 1
#components: web: {""")

    def test_fr_020_unhandled_traits_are_errors_when_strict(self):
        self.module(self.UNHANDLED)
        self.assertIn("example.com/traits@v0#Odd", self.build("shop", "--strict", code=2).stderr)

    def test_fr_021_unhandled_traits_are_warnings_otherwise(self):
        self.module(self.UNHANDLED)
        run = self.build("shop")
        self.assertIn("warning: component \"web\"", run.stderr)
        self.assertIn("example.com/traits@v0#Odd", run.stderr)
        self.assertEqual(kinds_in(run.stdout), ["Service", "Deployment"])

    def test_errors_point_into_the_users_files_first(self):
        self.module(WEB.replace("targetPort: 8080\n\t\t}", 'targetPort: "http"\n\t\t}'))
        lines = self.build("shop", code=2).stderr.splitlines()
        self.assertRegex(lines[1].strip(), r"^\./shop/components\.cue:\d+:\d+$")


class Values(Workbench):
    def test_fr_035_fr_042_values_of_all_formats_are_unified(self):
        self.module(values="package main\n\nvalues: {image: string, count: int}\n")
        self.write("a.yaml", "image: nginx:2\n")
        self.write("b.json", '{"values": {"count": 3}}')
        self.write("c.cue", 'package other\n\nvalues: image: =~"nginx"\n')
        web = self.objects("shop", "-f", "a.yaml", "--values", "b.json", "-f", "c.cue")["Deployment/web"]
        self.assertEqual(web["spec"]["replicas"], 3)
        self.assertEqual(web["spec"]["template"]["spec"]["containers"][0]["image"], "nginx:2")

    def test_fr_041_values_file_of_the_module_is_required(self):
        self.module(values=None)
        run = self.build("shop", code=5)
        self.assertIn("cannot open ./shop/values.cue", run.stderr)

    def test_fr_042_values_file_conflict(self):
        self.module()
        self.write("more.yaml", "count: 5\n")
        run = self.build("shop", "-f", "more.yaml", code=2)
        self.assertIn("conflicting values", run.stderr)
        self.assertIn("./more.yaml:1:8", run.stderr)
        self.assertIn("./shop/values.cue:5:9", run.stderr)

    def test_edge_case_invalid_values(self):
        self.module(values='package main\n\nvalues: {image: "x", count: "many"}\n')
        run = self.build("shop", code=2)
        self.assertIn("./shop/values.cue:3:", run.stderr)

    def test_fr_043_namespace_flag_comes_before_the_module(self):
        self.module()
        self.assertEqual(self.objects("shop")["Service/web"]["metadata"]["namespace"], "prod")
        self.assertEqual(self.objects("shop", "-n", "test")["Service/web"]["metadata"]["namespace"], "test")

    def test_fr_043_edge_case_missing_namespace(self):
        self.module(namespace="")
        run = self.build("shop", code=1)
        self.assertIn("error: namespace required. Provide --namespace flag or set metadata.defaultNamespace in module.", run.stderr)
        self.objects("shop", "--namespace", "test")

    def test_fr_044_name_flag_comes_before_the_module(self):
        self.module()
        for flag in ("--name", "--release-name"):
            labels = self.objects("shop", flag, "blue")["Service/web"]["metadata"]["labels"]
            self.assertEqual(labels["module-release.opmodel.dev/name"], "blue")
            self.assertEqual(labels["module.opmodel.dev/name"], "shop")


class Limits(Workbench):
    def test_fr_039_nfr_001_many_components(self):
        more = "\n".join(WEB.split("#components: web:")[1].replace('"web"', f'"c{i}"').join([f"#components: c{i}:", ""]) for i in range(150))
        self.module(WEB + more)
        self.assertEqual(len(kinds_in(self.build("shop").stdout)), 302)

    def test_sc_001_five_components_in_two_seconds(self):
        started = time.monotonic()
        self.build(EXAMPLES / "shop")
        self.assertLess(time.monotonic() - started, 2)

    def test_sc_003_examples_are_what_kubernetes_takes(self):
        for module in sorted(EXAMPLES.glob("*/module.cue")):
            self.assertEqual(self.opm("mod", "vet", "--strict", module.parent).stderr, "")


class Vet(Workbench):
    def test_vet_checks_what_no_release_uses(self):
        self.module(more={"shop/more.cue": "package main\n\n_unused: {a: 1} & {a: 2}\n"})
        self.build("shop")
        self.assertIn("./shop/more.cue:3:", self.opm("mod", "vet", "shop", code=2).stderr)

    def test_vet_prints_no_manifests(self):
        self.module()
        self.assertEqual(self.opm("mod", "vet", "shop").stdout, "")


class EdgeCases(Workbench):
    def test_identical_requirements_are_an_error(self):
        self.module()
        config = self.with_transformer(f'{ANY_CONTAINER}\nrequiredLabels: "core.opmodel.dev/workload-type": "stateless"')
        run = self.build("shop", "--config", config, code=2)
        self.assertIn("multiple exact transformer matches", run.stderr)
        self.assertIn(OWN, run.stderr)

    def test_no_resources_are_fine(self):
        self.module()
        for output in ("{}", "[]", "_", "{if false {a: 1}}"):
            self.assertEqual(len(self.objects("shop", "--config", self.with_transformer(ANY_CONTAINER, output))), 2)

    def test_what_kubernetes_would_not_take_is_a_warning_or_when_strict_an_error(self):
        self.module()
        config = self.with_transformer(ANY_CONTAINER, CONFIG_MAP.replace("data: image", "dada: image"))
        run = self.build("shop", "--config", config)
        self.assertIn("warning:", run.stderr)
        self.assertIn("dada", run.stderr)
        self.assertIn("error:", self.build("shop", "--config", config, "--strict", code=2).stderr)

    def test_a_transformer_takes_the_place_of_another(self):
        self.module()
        deployment = "opmodel.dev/providers/kubernetes/transformers@v0#DeploymentTransformer"
        others = (f'{{metadata: prov.#Registry["kubernetes"].metadata, transformers: {{for fqn, other in '
                  f'prov.#Registry["kubernetes"].transformers if fqn != "{deployment}" {{(fqn): other}}}}}}')
        output = CONFIG_MAP.replace(", labels: #context.labels", "")
        config = self.with_transformer(ANY_CONTAINER, output, base=others, fqn=deployment)
        self.assertEqual(set(self.objects("shop", "--config", config)), {"Service/web", "ConfigMap/web-thing"})

    def test_secrets_out_of_reach_are_an_error(self):
        secret = '{$opm: "secret", $secretName: "s", $dataKey: "k", value: "hunter2hunter2"}'
        for values, path in ((f"a: b: c: d: {secret}", "values.a.b.c.d"), (f"list: [{secret}]", "values.list[0]")):
            self.module(values=f'package main\n\nvalues: {{image: "x", count: 1, {values}}}\n')
            run = self.build("shop", code=2)
            self.assertIn(path, run.stderr)
            self.assertNotIn("hunter2", run.stderr)

    def test_fr_027_no_secret_in_messages(self):
        secret = '{$opm: "secret", $secretName: "s", $dataKey: "k", value: "hunter2hunter2"}'
        self.module(values=f'package main\n\nvalues: {{image: "x", count: 1, password: {secret}}}\n')
        self.write("more.yaml", "password: {value: [1]}\n")
        run = self.build("shop", "-f", "more.yaml", "--verbose", code=2)
        self.assertNotIn("hunter2", run.stderr)

    def test_fr_027_build_can_redact(self):
        text = self.build(EXAMPLES / "config-heavy", "--redact").stdout
        self.assertIn("<redacted sha256:", text)


class Determinism(Workbench):
    def test_a_hundred_renders_give_the_same_bytes(self):
        for example in ("webapp", "shop"):  # one component, and several for the threads to share
            with self.subTest(example):
                outputs = {self.build(EXAMPLES / example, "--jobs", jobs).stdout for jobs in ("1", "8") for _ in range(100)}
                self.assertEqual(len(outputs), 1)


class BadInput(Workbench):
    def test_a_cycle(self):
        self.module(WEB + "\n#components: web: spec: container: env: A: value: #components.web.spec.container.env.A.value + \"x\"\n")
        self.assertIn("./shop/components.cue:", self.build("shop", code=2).stderr)

    def test_a_component_of_no_resources(self):
        self.module(WEB + "\n#components: empty: {}\n")
        run = self.build("shop", code=2)
        self.assertIn('error: component "empty"', run.stderr)
        self.assertIn("the component has no resources", run.stderr)
        self.assertIn("./shop/components.cue:", run.stderr)

    def test_a_transformer_that_yields_garbage(self):
        self.module()
        for output, words in (('"text"', "neither an object nor a list"), ("{a: 1}", "it is no map"),
                              ('{apiVersion: "v1"}', "it has no kind"), ('[{kind: "X"}]', "it has no apiVersion"),
                              ('{apiVersion: "v1", kind: "X"}', "it has no metadata.name")):
            run = self.build("shop", "--config", self.with_transformer(ANY_CONTAINER, output), code=2)
            self.assertIn(words, run.stderr)
            self.assertIn('component "web", ThingTransformer', run.stderr)

    def test_yaml_with_duplicate_keys(self):
        self.module()
        self.write("v.yaml", "more: 1\nmore: 2\n")
        run = self.build("shop", "-f", "v.yaml", code=2)
        self.assertIn("./v.yaml:2:1", run.stderr)

    def test_yaml_with_anchors(self):
        self.module()
        self.write("v.yaml", "a: &x nginx:1\nimage: *x\n")
        self.build("shop", "-f", "v.yaml")
        self.write("v.yaml", "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9)))
        self.build("shop", "-f", "v.yaml", code=2)

    def test_values_files_that_are_none(self):
        self.module()
        self.assertIn("cannot open ./nowhere.yaml", self.build("shop", "-f", "nowhere.yaml", code=5).stderr)
        self.write("v.txt", "x")
        self.assertIn("./v.txt is no values file", self.build("shop", "-f", "v.txt", code=1).stderr)

    def test_an_output_folder_that_cannot_be_written(self):
        self.module()
        self.write("file", "x")
        run = self.build("shop", "--split", "--out-dir", "file/out", code=1)
        self.assertIn("cannot write", run.stderr)
        run = self.build("shop", "--split", "--out-dir", "/proc/nowhere", code=None)
        self.assertNotEqual(run.returncode, 0)

    def test_half_an_output_folder_is_never_left(self):
        self.module()
        (self.folder / "out/deployment-web.yaml").mkdir(parents=True)
        run = self.build("shop", "--split", "--out-dir", "out", code=1)
        self.assertIn("deployment-web.yaml", run.stderr)
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["deployment-web.yaml"])

    def test_a_full_disk(self):
        self.module()
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = subprocess.run([TOOLS["opm"], "mod", "build", "shop"], cwd=self.folder, stdout=full,
                                 stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("cannot write to standard output", run.stderr)

    def test_a_full_disk_leaves_the_output_folder_as_it_was(self):
        self.module()
        said, code, kept = self.on_a_full_disk(
            '"$opm" mod build "$work/shop" --split --out-dir out && cp -r out "$work/first"',
            'sed -i s/nginx:1/nginx:2/ "$work/shop/values.cue"; "$opm" mod build "$work/shop" --split --out-dir out',
            'diff -r out "$work/first" && ls -A')
        self.assertEqual(code, 1, said)
        self.assertIn("no space left on device", said)
        self.assertEqual(kept.split(), ["filler", "out"])
        self.assertIn("nginx:2", self.build("shop").stdout)

    def test_a_full_disk_leaves_a_file_as_it_was_when_it_is_formatted(self):
        longer = "x: {\n" + "".join(f"a{i}: {i}\n" for i in range(2000)) + "}\n"  # what is indented takes more room
        self.write("x.cue", longer)
        said, code, kept = self.on_a_full_disk('cp "$work/x.cue" .', '"$opm" cue fmt x.cue', 'cmp x.cue "$work/x.cue" && echo same')
        self.assertEqual(code, 1, said)
        self.assertIn("no space left on device", said.lower())
        self.assertEqual(kept, "same\n")

    def test_a_closed_pipe(self):
        run = subprocess.run(["sh", "-c", f"{TOOLS['opm']} mod build {EXAMPLES}/shop | head -1"], capture_output=True,
                             text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_a_pipe_that_nobody_reads(self):
        with subprocess.Popen([TOOLS["opm"], "mod", "build", EXAMPLES / "shop"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as run:
            run.stdout.close()
            self.assertEqual((run.stderr.read(), run.wait()), ("", 0))

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root can become somebody who may not write")
    def test_folders_that_one_may_not_read_or_write(self):
        self.module()
        somebody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", f"HOME={self.folder}"]

        def build(*arguments):
            return subprocess.run([*somebody, TOOLS["opm"], "mod", "build", "shop", *arguments], cwd=self.folder, capture_output=True,
                                  text=True, check=False)
        self.folder.chmod(0o755)
        self.assertEqual(build().returncode, 0, build().stderr)
        run = build("--split", "--out-dir", "out")
        self.assertIn("permission denied", run.stderr)
        self.assertEqual(run.returncode, 4)
        self.assertFalse((self.folder / "out").exists())
        (self.folder / "shop/values.cue").chmod(0)
        run = build()
        self.assertIn("permission denied", run.stderr)
        self.assertIn("values.cue", run.stderr)
        self.assertEqual(run.returncode, 4)

    def test_a_folder_that_is_no_module(self):
        self.write("plain/x.cue", "package x\n")
        self.build("plain", code=5)
        self.build("nowhere", code=5)
        self.write("file", "x")
        self.build("file", code=1)

    def test_a_module_without_the_module_definition(self):
        self.module()
        self.write("shop/module.cue", (MODULE % 'defaultNamespace: "prod"').replace("\tversion:    \"1.2.3\"\n", ""))
        self.assertIn("version", self.build("shop", code=2).stderr)


if __name__ == "__main__":
    main()
