#!/usr/bin/env python3
"""What the specification asks of values in three tiers: a test for each requirement, acceptance criterion, edge case,
example and decision, named after it.

  tests/render/values_test.py --opm OPM [unittest's arguments]"""

import json
import re
import textwrap

from workbench import Workbench, main, module_file

MODULE = """package main

import "opmodel.dev/core@v0"

core.#Module

metadata: {
	apiVersion:       "example.com/modules@v0"
	name:             "webapp"
	version:          "1.0.0"
	defaultNamespace: "prod"
}

#config: {
%s
}

values: #config
"""

CONFIG = """	image:    string
	replicas: int & >=1
	resources?: {...}
	tolerations?: [...{...}]
	...
"""

COMPONENTS = """package main

import (
	"opmodel.dev/resources/workload@v0"
	workload_traits "opmodel.dev/traits/workload@v0"
)

#components: web: {
	workload.#Container
	workload_traits.#Scaling
	metadata: labels: "core.opmodel.dev/workload-type": "stateless"
	spec: {
		container: {name: "web", image: #config.image}
		scaling: count: #config.replicas
	}
}
"""

SECRET_CONFIG = """	image:    string
	replicas: int & >=1
	db: password: schemas.#Secret & {$secretName: "db", $dataKey: "password"}
"""

AUTHOR = 'image: "nginx:latest"\nreplicas: 1'


class ValuesBench(Workbench):
    def webapp(self, values=AUTHOR, config=CONFIG):
        text = MODULE % config
        if "schemas." in config:
            text = text.replace('import "opmodel.dev/core@v0"', 'import (\n\t"opmodel.dev/core@v0"\n\t"opmodel.dev/schemas@v0"\n)')
        self.write("webapp/cue.mod/module.cue", module_file("webapp"))
        self.write("webapp/module.cue", text)
        self.write("webapp/components.cue", COMPONENTS)
        self.write("webapp/values.cue", "package main\n\nvalues: {\n" + textwrap.indent(values, "\t") + "\n}\n")

    def cue(self, path, body):
        """A values file in CUE; the first line of the body is line 2."""
        self.write(path, "values: {\n" + textwrap.indent(body, "\t") + "\n}\n")
        return path

    def values(self, command, *arguments, code=0, **settings):
        return self.opm("values", command, *arguments, code=code, **settings)

    def merged(self, *arguments):
        return json.loads(self.values("merge", "webapp", *arguments, "-o", "json").stdout)["values"]

    def leaves(self, *arguments):
        found = json.loads(self.values("inspect", "webapp", *arguments, "-o", "json").stdout)["values"]
        return {leaf["path"]: leaf for leaf in found}

    def refused(self, command, *arguments, code=2):
        run = self.values(command, *arguments, code=code)
        self.assertEqual(run.stdout, "")
        return run.stderr


def lock_text(field, locked, provided, place):
    return textwrap.dedent(f"""\
        Error: Cannot override locked value

          Field:    {field}
          Locked:   {locked} (set by Platform Operator)
          Provided: {provided} (End User)

          The Platform Operator has set this value as concrete and it cannot be
          overridden. Contact your platform team if you need a different value.

          Locked in: {place}
        """)


class Requirements(ValuesBench):
    def test_fr_vo_001_values_flow_through_three_tiers(self):
        self.webapp()
        self.cue("platform.cue", 'image: *"nginx:2" | _\nteam: *"blue" | _')
        self.cue("user.cue", 'image: "nginx:3"')
        self.assertEqual(self.merged()["image"], "nginx:latest")
        self.assertEqual(self.merged("--platform", "platform.cue")["image"], "nginx:2")
        self.assertEqual(self.merged("--platform", "platform.cue", "--user", "user.cue"),
                         {"image": "nginx:3", "replicas": 1, "team": "blue"})
        history = self.leaves("--platform", "platform.cue", "--user", "user.cue")["image"]["history"]
        self.assertEqual([step["source"] for step in history], ["Module Author", "Platform Operator"])

    def test_fr_vo_002_author_values_are_concrete(self):
        self.webapp('image: *"nginx" | string\nreplicas: int')
        error = self.refused("merge", "webapp")
        self.assertIn("values.image: default markers (*) are not allowed in the values of the Module Author (Tier 1)", error)
        self.assertIn("./webapp/values.cue:4:2", error)
        self.assertIn("values.replicas: the value of the Module Author (Tier 1) is not concrete: incomplete value int", error)
        self.assertIn("./webapp/values.cue:5:2", error)

    def test_fr_vo_003_platform_may_give_defaults(self):
        self.webapp()
        self.cue("platform.cue", 'image: *"nginx:2" | _\nreplicas: *3 | int')
        self.cue("user.cue", "replicas: 7")
        leaves = self.leaves("--platform", "platform.cue", "--user", "user.cue")
        self.assertEqual((leaves["image"]["value"], leaves["image"]["status"]), ("nginx:2", "platform-default"))
        self.assertEqual((leaves["replicas"]["value"], leaves["replicas"]["status"]), (7, "overridden"))

    def test_fr_vo_004_concrete_platform_values_are_immutable(self):
        self.webapp()
        self.cue("platform.cue", "replicas: 3")
        self.cue("user.cue", "replicas: 5")
        for command in ("merge", "validate", "inspect", "check"):
            self.assertIn("Cannot override locked value", self.refused(command, "webapp", "--platform", "platform.cue", "--user", "user.cue"))
        run = self.build("webapp", "--platform", "platform.cue", "--user", "user.cue", code=2)
        self.assertEqual(run.stdout, "")
        self.assertIn("Cannot override locked value", run.stderr)

    def test_fr_vo_005_structs_merge_deeply(self):
        self.webapp(AUTHOR + '\nresources: {requests: {cpu: "100m", memory: "128Mi"}, limits: memory: "256Mi"}')
        self.cue("platform.cue", 'resources: limits: {cpu: "1", memory: "1Gi"}')
        self.cue("user.cue", 'resources: requests: cpu: "200m"')
        self.assertEqual(self.merged("--platform", "platform.cue", "--user", "user.cue")["resources"],
                         {"requests": {"cpu": "200m", "memory": "128Mi"}, "limits": {"cpu": "1", "memory": "1Gi"}})

    def test_fr_vo_006_lists_are_replaced(self):
        self.webapp(AUTHOR + '\ntolerations: [{key: "a"}, {key: "b"}]')
        self.cue("user.cue", 'tolerations: [{value: "c"}]')
        self.assertEqual(self.merged("--user", "user.cue")["tolerations"], [{"value": "c"}])

    def test_fr_vo_007_fr_vo_008_lock_errors_say_value_tier_and_place(self):
        self.webapp()
        self.cue("overlays/prod.cue", "replicas: 3")
        self.write("user.yaml", "replicas: 5\n")
        error = self.refused("check", "webapp", "--platform", "overlays/prod.cue", "--user", "user.yaml")
        self.assertEqual(error, lock_text("replicas", 3, 5, "overlays/prod.cue:2"))

    def test_fr_vo_009_cue_yaml_and_json_are_read(self):
        self.webapp()
        for name, text in (("user.cue", 'values: image: "nginx:3"\n'), ("user.yaml", "values:\n  image: nginx:3\n"),
                           ("user.yml", "image: nginx:3\n"), ("user.json", '{"values": {"image": "nginx:3"}}')):
            self.write(name, text)
            leaf = self.leaves("--user", name)["image"]
            self.assertEqual((leaf["value"], leaf["file"], leaf["tier"]), ("nginx:3", name, 3))

    def test_fr_vo_010_formats_mean_the_same(self):
        self.webapp(AUTHOR + '\nextra: {}')
        self.cue("user.cue", 'extra: {n: 1, f: 2.5, t: "x", b: true, z: null, l: [1, {a: "b"}], m: {deep: "er"}}')
        self.write("user.yaml", "extra:\n  n: 1\n  f: 2.5\n  t: x\n  b: true\n  z: null\n  l: [1, {a: b}]\n  m:\n    deep: er\n")
        self.write("user.json", '{"extra": {"n": 1, "f": 2.5, "t": "x", "b": true, "z": null, "l": [1, {"a": "b"}], "m": {"deep": "er"}}}')
        for output in ("cue", "yaml", "json"):
            texts = {self.values("merge", "webapp", "--user", name, "-o", output).stdout for name in ("user.cue", "user.yaml", "user.json")}
            self.assertEqual(len(texts), 1, output)

    def test_fr_vo_011_schema_holds_at_each_tier(self):
        self.webapp('image: 1\nreplicas: 1')
        self.assertIn("values.image: the value of the Module Author (Tier 1) does not satisfy the schema", self.refused("merge", "webapp"))
        self.webapp()
        self.cue("platform.cue", "replicas: *0 | int")
        self.cue("user.cue", "replicas: 5")
        # The user's own value is fine; the platform's is not, although it has no effect.
        for command in (["values", "validate", "webapp"], ["mod", "build", "webapp"], ["mod", "vet", "webapp"]):
            error = self.opm(*command, "--platform", "platform.cue", "--user", "user.cue", code=2).stderr
            self.assertIn("values.replicas: the value of the Platform Operator (Tier 2) does not satisfy the schema", error)
            self.assertIn("./platform.cue:2:", error)
            self.assertIn("./webapp/module.cue:", error)
            self.assertNotIn("Tier 3", error)


class AcceptanceCriteria(ValuesBench):
    def test_ac_1_to_3_a_concrete_overlay_cannot_be_overridden(self):
        self.webapp()
        self.cue("platform.cue", "replicas: 3")
        self.cue("user.cue", "replicas: 5")
        self.refused("check", "webapp", "--platform", "platform.cue", "--user", "user.cue")

    def test_ac_4_to_6_a_default_can_be_overridden(self):
        self.webapp()
        self.cue("platform.cue", "replicas: *3 | int")
        self.cue("user.cue", "replicas: 5")
        self.values("check", "webapp", "--platform", "platform.cue", "--user", "user.cue")
        web = self.objects("webapp", "--platform", "platform.cue", "--user", "user.cue")["Deployment/web"]
        self.assertEqual(web["spec"]["replicas"], 5)

    def test_ac_7_to_9_the_error_shows_locked_value_and_source(self):
        self.webapp()
        self.cue("platform.cue", "replicas: 3")
        self.cue("user.cue", "replicas: 5")
        error = self.refused("validate", "webapp", "user.cue", "--platform", "platform.cue")
        self.assertIn("  Locked:   3 (set by Platform Operator)\n", error)
        self.assertIn("  Locked in: platform.cue:2\n", error)

    def test_ac_10_to_12_yaml_is_converted_and_merged(self):
        self.webapp()
        self.write("platform.yaml", "values:\n  replicas: 3\n  image: nginx:1.25.0\n  resources:\n    limits:\n      cpu: 2000m\n      memory: 2Gi\n")
        text = self.values("merge", "webapp", "--overlay", "platform.yaml").stdout
        self.assertEqual(text, 'values: {\n\timage:    "nginx:1.25.0"\n\treplicas: 3\n\tresources: {\n\t\tlimits: {\n'
                               '\t\t\tcpu:    "2000m"\n\t\t\tmemory: "2Gi"\n\t\t}\n\t}\n}\n')


class EdgeCases(ValuesBench):
    def test_edge_author_uses_a_default_marker(self):
        for value in ("*1 | int", "*1 | _"):
            self.webapp(f'image: "nginx"\nreplicas: {value}')
            self.assertIn("default markers (*) are not allowed", self.refused("validate", "webapp"))
        # As a whole and below.
        self.webapp(AUTHOR + '\nresources: *{limits: cpu: "1"} | _')
        self.assertIn("values.resources: default markers", self.refused("validate", "webapp"))

    def test_edge_default_with_several_alternatives(self):
        self.webapp()
        self.cue("platform.cue", "replicas: *3 | 5 | 7")
        self.assertEqual(self.merged("--platform", "platform.cue")["replicas"], 3)
        # Only the default has an effect: the alternatives are no limit.
        self.cue("user.cue", "replicas: 4")
        self.assertEqual(self.merged("--platform", "platform.cue", "--user", "user.cue")["replicas"], 4)

    def test_edge_user_value_of_the_wrong_type(self):
        self.webapp()
        self.write("user.yaml", "replicas: many\n")
        error = self.refused("validate", "webapp", "user.yaml")
        self.assertIn('values.replicas: the value of the End User (Tier 3) does not satisfy the schema: '
                      'conflicting values int and "many"', error)
        self.assertIn("./user.yaml:1:11", error)

    def test_edge_overlays_in_different_formats(self):
        self.webapp()
        self.cue("a.cue", 'image: "nginx:a"')
        self.write("b.yaml", "region: eu\n")
        self.write("c.json", '{"zone": "x"}')
        self.assertEqual(self.merged("--overlay", "a.cue", "--overlay", "b.yaml", "--overlay", "c.json"),
                         {"image": "nginx:a", "replicas": 1, "region": "eu", "zone": "x"})

    def test_edge_circular_references(self):
        self.webapp()
        for body in ("a: b + 1\nb: a + 1", "a: b\nb: a", "a: {x: a}"):
            self.cue("platform.cue", body)
            error = self.refused("merge", "webapp", "--overlay", "platform.cue")
            self.assertRegex(error, r"values\.[ab]")
            if "+" in body:
                self.assertIn("depends on itself", error)
            self.assertIn("./platform.cue:", error)
        self.webapp(AUTHOR + "\na: b + 1\nb: a + 1")
        self.assertIn("./webapp/values.cue:", self.refused("validate", "webapp"))

    def test_edge_missing_required_field(self):
        self.webapp('image: "nginx"', config="\timage: string\n\treplicas: int\n\thost!: string\n")
        for error in (self.refused("validate", "webapp"), self.refused("check", "webapp")):
            self.assertIn("values.host: the schema requires this field, but no tier sets it", error)
            self.assertIn("values.replicas: the schema requires this field, but no tier sets it: incomplete value int", error)
            self.assertIn("./webapp/module.cue:", error)
        self.write("user.yaml", "host: a.example.com\nreplicas: 1\n")
        self.values("validate", "webapp", "user.yaml")
        # What is there can be looked at before all of it is there.
        self.assertEqual(self.merged(), {"image": "nginx"})


class Examples(ValuesBench):
    def test_example_1_successful_override(self):
        self.webapp()
        self.cue("platform.cue", 'image: *"nginx:1.25.0" | _  // Default: allows override\nreplicas: 3                  // Locked: concrete')
        self.cue("user.cue", 'image: "nginx:1.26.0"')
        text = self.values("merge", "webapp", "--overlay", "platform.cue", "--overlay", "user.cue").stdout
        self.assertEqual(text, 'values: {\n\timage:    "nginx:1.26.0"\n\treplicas: 3\n}\n')

    def test_example_2_locked_value_error(self):
        self.webapp()
        self.write("platform-repo/overlays/webapp-prod.cue", "// platform-repo/overlays/webapp-prod.cue\nvalues: {\n    replicas: 3  // Locked: concrete\n}\n")
        self.cue("user.cue", "replicas: 5")
        error = self.refused("merge", "webapp", "--overlay", "platform-repo/overlays/webapp-prod.cue", "--overlay", "user.cue")
        self.assertEqual(error, lock_text("replicas", 3, 5, "platform-repo/overlays/webapp-prod.cue:3"))

    def test_example_3_deep_merge(self):
        self.webapp(AUTHOR + '\nresources: {\n\trequests: {cpu: "100m", memory: "128Mi"}\n\tlimits: {memory: "256Mi"}\n}')
        self.cue("platform.cue", 'resources: {\n\tlimits: {cpu: "1000m", memory: "1Gi"}\n}')
        self.assertEqual(self.merged("--overlay", "platform.cue")["resources"],
                         {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"cpu": "1000m", "memory": "1Gi"}})

    def test_example_4_list_replacement(self):
        self.webapp(AUTHOR + '\ntolerations: [\n\t{key: "node-role", operator: "Equal", value: "worker"},\n]')
        self.cue("platform.cue", 'tolerations: [\n\t{key: "node-role", operator: "Equal", value: "infra"},\n\t{key: "env", operator: "Equal", value: "prod"},\n]')
        self.assertEqual(self.merged("--overlay", "platform.cue")["tolerations"],
                         [{"key": "node-role", "operator": "Equal", "value": "infra"}, {"key": "env", "operator": "Equal", "value": "prod"}])


class Decisions(ValuesBench):
    def test_decision_2_tiers_on_commands_that_render(self):
        self.webapp()
        self.cue("platform.cue", "replicas: 3")
        self.cue("more.cue", "replicas: 4")
        self.write("user.yaml", "image: nginx:3\n")
        self.write("last.yaml", "image: nginx:4\n")
        web = self.objects("webapp", "--platform", "platform.cue", "--platform", "more.cue", "--user", "user.yaml", "--user", "last.yaml")["Deployment/web"]
        self.assertEqual(web["spec"]["replicas"], 4)
        self.assertEqual(web["spec"]["template"]["spec"]["containers"][0]["image"], "nginx:4")
        for flag in ("--platform", "--user"):
            self.assertIn("use one or the other", self.build("webapp", "-f", "user.yaml", flag, "platform.cue", code=1).stderr)
        self.opm("mod", "vet", "webapp", "--platform", "platform.cue", "--user", "user.yaml")

    def test_decision_2_every_command_that_renders_takes_tiers(self):
        rendering = []

        def visit(command):
            text = self.opm(*command, "--help").stdout
            _, _, below = text.partition("\nSubcommands:\n")
            for name in re.findall(r"^  ([a-z-]+) ", below, re.MULTILINE):
                visit((*command, name))
            # A rollback has the values that were recorded.
            if "--provider NAME" in text and command != ("release", "rollback"):
                rendering.append(" ".join(command))
                self.assertIn("--platform FILE", text, command)
                self.assertIn("--user FILE", text, command)
        visit(())
        expected = [f"mod {name}" for name in ("build", "vet", "apply", "diff", "status", "delete")]
        expected += ["build", "apply", "diff", "status", "delete"]
        self.assertLessEqual(set(expected), set(rendering))

    def test_decision_2_what_refers_to_values_sees_the_effective_ones(self):
        self.webapp()
        components = COMPONENTS.replace("image: #config.image", "image: values.image")
        self.write("webapp/components.cue", components)
        self.write("user.yaml", "image: nginx:9\n")
        web = self.objects("webapp", "--user", "user.yaml")["Deployment/web"]
        self.assertEqual(web["spec"]["template"]["spec"]["containers"][0]["image"], "nginx:9")

    def test_decision_2_components_of_all_threads_see_the_effective_values(self):
        self.webapp()
        many = COMPONENTS.replace("#components: web: {", 'for i in [for n in [1, 2, 3, 4, 5, 6] for m in [1, 2, 3, 4, 5, 6] {"\(n)-\(m)"}] {#components: "web-\(i)": {').rstrip() + "}\n"
        self.write("webapp/components.cue", many)
        self.write("user.yaml", "image: nginx:9\nreplicas: 9\n")
        for threads in ("1", "4"):
            objects = self.objects("webapp", "--user", "user.yaml", "--jobs", threads)
            self.assertEqual(len(objects), 36)
            self.assertEqual({(thing["spec"]["replicas"], thing["spec"]["template"]["spec"]["containers"][0]["image"]) for thing in objects.values()},
                             {(9, "nginx:9")})

    def test_decision_3_overlays_go_by_their_place(self):
        self.webapp()
        self.cue("a.cue", "replicas: 2")
        self.cue("b.cue", "replicas: *3 | int")
        self.cue("c.cue", "replicas: 4")
        self.assertEqual(self.leaves("--overlay", "a.cue")["replicas"]["tier"], 2)
        self.assertEqual(self.leaves("--overlay", "a.cue", "--overlay", "b.cue", "--overlay", "c.cue")["replicas"]["tier"], 3)
        error = self.refused("merge", "webapp", "--overlay", "a.cue", "--user", "c.cue", code=1)
        self.assertIn("use one or the other", error)

    def test_decision_4_values_stand_under_values(self):
        self.webapp()
        self.write("user.cue", 'image: "nginx:3"\n')
        self.assertIn('./user.cue has no field "values"', self.refused("merge", "webapp", "--user", "user.cue"))
        self.assertIn('./user.cue has no field "values"', self.build("webapp", "-f", "user.cue", code=2).stderr)
        self.write("user.yaml", "image: nginx:3\n")
        self.assertEqual(self.merged("--user", "user.yaml")["image"], "nginx:3")
        # Beside `values` there may be other things: what is read is `values`.
        self.write("user.cue", 'import "strings"\n\n_name: "NGINX"\nvalues: image: strings.ToLower(_name)\n')
        self.assertEqual(self.merged("--user", "user.cue")["image"], "nginx")

    def test_decision_5_the_module_is_a_folder_or_a_file_in_it(self):
        self.webapp()
        texts = {self.values("merge", name).stdout for name in ("webapp", "webapp/", "webapp/module.cue", "webapp/values.cue", "./webapp")}
        self.assertEqual(len(texts), 1)
        self.assertEqual(self.values("merge", "module.cue", cwd=self.folder / "webapp").stdout, texts.pop())
        self.assertIn("cannot open module", self.refused("merge", "nowhere", code=5))

    def test_decision_6_the_same_value_breaks_no_lock(self):
        self.webapp()
        self.cue("platform.cue", 'replicas: 3\ntolerations: [{key: "a"}]')
        self.write("user.yaml", "replicas: 3\ntolerations:\n  - key: a\n")
        leaves = self.leaves("--platform", "platform.cue", "--user", "user.yaml")
        self.assertEqual((leaves["replicas"]["tier"], leaves["replicas"]["status"]), (2, "locked"))

    def test_decision_6_lists_lock_as_a_whole(self):
        self.webapp()
        self.cue("platform.cue", 'tolerations: [{key: "a"}]')
        self.write("user.yaml", "tolerations:\n  - key: a\n  - key: b\n")
        error = self.refused("check", "webapp", "--platform", "platform.cue", "--user", "user.yaml")
        self.assertEqual(error, lock_text("tolerations", '[{key: "a"}]', '[{key: "a"}, {key: "b"}]', "platform.cue:2"))

    def test_decision_6_yaml_and_json_lock(self):
        self.webapp()
        self.write("user.yaml", "replicas: 5\n")
        for name, text in (("platform.yaml", "replicas: 3\n"), ("platform.json", '{"replicas": 3}')):
            self.write(name, text)
            self.assertIn(f"  Locked in: {name}:1\n", self.refused("check", "webapp", "--platform", name, "--user", "user.yaml"))

    def test_decision_6_what_counts_is_the_tier_as_a_whole(self):
        self.webapp()
        self.cue("a.cue", "replicas: 3")
        self.cue("b.cue", "replicas: *4 | int")
        self.cue("user.cue", "replicas: 5")
        self.assertEqual(self.merged("--platform", "a.cue", "--platform", "b.cue", "--user", "user.cue")["replicas"], 5)
        self.refused("merge", "webapp", "--platform", "b.cue", "--platform", "a.cue", "--user", "user.cue")

    def test_decision_19_exit_codes_of_diff(self):
        self.webapp()
        self.cue("same.cue", "replicas: 1")
        self.cue("other.cue", "replicas: 2\nteam: *\"blue\" | _")
        self.assertEqual(self.values("diff", "--base", "webapp/module.cue", "--overlay", "same.cue").stdout, "")
        run = self.values("diff", "--base", "webapp/module.cue", "--overlay", "other.cue", code=1)
        self.assertEqual(run.stdout, '~ replicas: 1 -> 2  # Platform Operator, other.cue:2\n+ team: *"blue"  # Platform Operator, other.cue:3\n')
        for arguments in (["--overlay", "other.cue"], ["--base", "webapp", "--overlay", "x", "--user", "y"]):
            self.assertEqual(self.values("diff", *arguments, code=2).stdout, "")
        changes = json.loads(self.values("diff", "--base", "webapp", "--overlay", "other.cue", "-o", "json", code=1).stdout)
        self.assertEqual([(change["path"], change["change"], change["after"]["value"]) for change in changes],
                         [("replicas", "changed", 2), ("team", "added", "blue")])
        self.assertEqual(changes[0]["before"]["file"], "webapp/values.cue")


RELEASES = """package apps

import (
	"opmodel.dev/core@v0"
	webapp "example.com/webapp:main"
)

platforms: [string]: core.#Platform
platforms: one: kubeContext: "one"

shop: core.#ModuleRelease & {
	metadata: name: "shop"
	#module: webapp
	values: {
		image: "shop:2"
%(values)s
	}
	environments: {
		staging: {platform: platforms["one"], namespace: "staging"}
		production: {platform: platforms["one"], namespace: "production", values: {%(production)s}}
	}
}

plain: core.#ModuleRelease & {
	metadata: {name: "plain", namespace: "here"}
	#module: webapp
	values: {%(plain)s}
}
"""


class Releases(ValuesBench):
    """Decision 2 for a release of a package: its module's values.cue is Tier 1; what the release and its environment say
    is the End User's, and the files of --user come after it."""

    def package(self, values="", production="replicas: 5", plain='image: "plain:2"', values_of_author=AUTHOR, **settings):
        self.webapp(values_of_author, **settings)
        self.write("webapp/apps/releases.cue", RELEASES % {"values": values, "production": production, "plain": plain})

    def web(self, *arguments):
        run = self.opm("build", "-C", "webapp/apps", *arguments, "-o", "json")
        web = next(thing for thing in json.loads(run.stdout) if thing["kind"] == "Deployment")
        return web["spec"]["replicas"], web["spec"]["template"]["spec"]["containers"][0]["image"]

    def refused_build(self, *arguments, code=2):
        run = self.opm("build", "-C", "webapp/apps", *arguments, code=code)
        self.assertEqual(run.stdout, "")
        return run.stderr

    def test_tiers_of_a_release(self):
        self.package()
        self.cue("platform.cue", 'replicas: *3 | _\nimage: *"platform:3" | _')
        self.write("user.yaml", "image: user:4\n")
        self.write("last.json", '{"values": {"replicas": 7}}')
        self.assertEqual(self.web("plain", "--platform", "platform.cue"), (3, "plain:2"))
        self.assertEqual(self.web("plain", "--user", "user.yaml"), (1, "user:4"))  # 1 is the author's
        self.assertEqual(self.web("plain", "--platform", "platform.cue", "--user", "user.yaml", "--user", "last.json"), (7, "user:4"))

    def test_tiers_of_an_environment(self):
        self.package()
        self.cue("platform.cue", "replicas: *3 | _")
        self.write("user.yaml", "replicas: 7\n")
        self.assertEqual(self.web("shop", "-e", "staging", "--platform", "platform.cue"), (3, "shop:2"))
        self.assertEqual(self.web("shop", "-e", "production", "--platform", "platform.cue"), (5, "shop:2"))
        self.assertEqual(self.web("shop", "-e", "production", "--platform", "platform.cue", "--user", "user.yaml"), (7, "shop:2"))
        every = json.loads(self.opm("build", "-C", "webapp/apps", "shop", "--all-environments", "--platform", "platform.cue", "-o", "json").stdout)
        self.assertEqual({name: things[0]["spec"]["replicas"] for name, things in every.items()}, {"staging": 3, "production": 5})

    def test_the_authors_values_are_no_part_of_a_release_in_an_environment(self):
        self.package()
        self.assertEqual(self.web("shop", "-e", "production"), (5, "shop:2"))
        # What refers to `values` sees those of the release.
        self.write("webapp/components.cue", COMPONENTS.replace("image: #config.image", "image: values.image"))
        self.assertEqual(self.web("shop", "-e", "production"), (5, "shop:2"))
        self.write("user.yaml", "image: user:4\n")
        self.assertEqual(self.web("shop", "-e", "production", "--user", "user.yaml"), (5, "user:4"))

    def test_the_platform_locks_what_releases_say(self):
        self.package()
        self.cue("platform.cue", "replicas: 3")
        self.assertEqual(self.web("shop", "-e", "staging", "--platform", "platform.cue"), (3, "shop:2"))
        text = lock_text("replicas", 3, 5, "platform.cue:2")
        self.assertEqual(self.refused_build("shop", "-e", "production", "--platform", "platform.cue"), text)
        # Of several environments it is said which one is meant.
        self.assertEqual(self.refused_build("shop", "--all-environments", "--platform", "platform.cue"),
                         'environment "production":\n' + text)
        # Saying the same is fine.
        self.cue("five.cue", "replicas: 5")
        self.assertEqual(self.web("shop", "-e", "production", "--platform", "five.cue"), (5, "shop:2"))

    def test_errors_say_which_tier_is_wrong(self):
        self.package(config="\timage: string\n\treplicas: int & >=1\n")
        for flag, who in (("--platform", "Platform Operator (Tier 2)"), ("--user", "End User (Tier 3)")):
            self.write("wrong.yaml", "replicas: many\n")
            told = self.refused_build("plain", flag, "wrong.yaml")
            self.assertIn(f"values.replicas: the value of the {who} does not satisfy the schema", told)
            self.assertIn("./wrong.yaml:1:11\n", told)
            self.write("unknown.yaml", "more: 1\n")
            told = self.refused_build("plain", flag, "unknown.yaml")
            self.assertIn(f"values.more: the value of the {who} does not satisfy the schema: field not allowed:\n    ./unknown.yaml:1:1\n", told)

    def test_errors_say_so_of_the_release_and_its_environments_too(self):
        self.package(values="replicas: \"two\"", production="replicas: \"many\"")
        self.cue("platform.cue", "image: *\"platform:3\" | _")
        told = self.refused_build("shop", "-e", "staging", "--platform", "platform.cue")
        for place in ("values.replicas", "environments.production.values.replicas"):
            self.assertIn(f"error: {place}: the value of the End User (Tier 3) does not satisfy the schema: conflicting", told)

    def test_decision_24_no_tier_of_a_release_tells_a_secret(self):
        author = AUTHOR + '\ndb: password: value: "from-the-author"'
        self.package(values='db: password: value: "hunter2-release"', plain='db: password: value: "hunter2-release"',
                     production="", config=SECRET_CONFIG, values_of_author=author)
        files = {"locked.cue": 'values: db: password: value: "hunter2-platform"\n', "twice.cue": 'values: db: password: value: "hunter2" & "hunter2-b"\n',
                 "plain.cue": 'values: db: password: "hunter2-text"\n', "name.cue": "values: db: password: value: hunter2_name\n",
                 "number.yaml": "db: {password: {value: 47114711}}\n", "field.yaml": "db: {password: {value: hunter2, other: 1}}\n"}
        for name, text in files.items():
            self.write(name, text)
            for release in (("plain",), ("shop", "-e", "staging"), ("shop", "--all-environments")):
                with self.subTest(name, release=release):
                    told = self.refused_build(*release, "--platform", name)
                    for secret in ("hunter2", "47114711", "from-the-author"):
                        self.assertNotIn(secret, told)
                    self.assertTrue(f"./{name}:1:" in told or f"Locked in: {name}:1" in told, told)

    def test_what_no_tier_sets(self):
        self.package(values="", plain="", config="\timage: string\n\treplicas: int & >=1\n\thost!: string\n")
        self.write("user.yaml", "image: user:4\n")
        self.assertIn("the schema requires this field, but no tier sets it", self.refused_build("plain", "--user", "user.yaml"))
        self.write("user.yaml", "host: a.b\n")
        self.assertEqual(self.web("plain", "--user", "user.yaml"), (1, "nginx:latest"))

    def test_a_module_without_values_has_no_tier_1(self):
        self.package()
        (self.folder / "webapp" / "values.cue").unlink()
        self.cue("platform.cue", "replicas: 3")
        self.assertEqual(self.web("plain", "--platform", "platform.cue"), (3, "plain:2"))

    def test_tier_files_are_no_part_of_the_package(self):
        self.package()
        self.write("webapp/apps/platform.cue", "package apps\n\nvalues: replicas: 3\n")
        self.assertEqual(self.web("plain", "--platform", "webapp/apps/platform.cue"), (3, "plain:2"))

    def test_files_that_are_none_and_releases_that_are_not_named(self):
        self.package()
        self.assertIn("cannot open ./staging", self.refused_build("plain", "--platform", "staging", code=5))
        self.write("user.yaml", "replicas: 7\n")
        self.assertIn("given twice", self.refused_build("plain", "--user", "user.yaml", "--user", "./user.yaml", code=1))
        self.assertIn("name the release", self.refused_build("--user", "user.yaml", code=1))


class Locks(ValuesBench):
    def test_all_broken_locks_are_reported(self):
        self.webapp()
        self.cue("platform.cue", 'replicas: 3\nimage: "nginx:2"\nresources: limits: {cpu: "1", memory: "1Gi"}\nteam: *"blue" | _')
        self.write("user.yaml", 'resources:\n  limits:\n    cpu: "2"\n    memory: 1Gi\n    disk: 5Gi\nimage: nginx:3\nreplicas: 4\nteam: red\n')
        for command in (["values", "check", "webapp"], ["mod", "build", "webapp"]):
            run = self.opm(*command, "--platform", "platform.cue", "--user", "user.yaml", code=2)
            expected = "\n".join([lock_text("resources.limits.cpu", '"1"', '"2"', "platform.cue:4"),
                                  lock_text("image", '"nginx:2"', '"nginx:3"', "platform.cue:3"),
                                  lock_text("replicas", 3, 4, "platform.cue:2"), "3 errors\n"])
            self.assertEqual(run.stderr, expected)

    def test_a_struct_cannot_take_the_place_of_a_lock_nor_hide_one(self):
        self.webapp(AUTHOR + "\nextra: {}")
        self.cue("platform.cue", "extra: {a: 1, b: {c: 2}}")
        self.write("user.yaml", "extra:\n  a:\n    x: 5\n  b: 3\n")
        error = self.refused("check", "webapp", "--platform", "platform.cue", "--user", "user.yaml")
        self.assertIn(lock_text("extra.a", 1, "{x: 5}", "platform.cue:2"), error)
        self.assertIn(lock_text("extra.b", "{c: 2}", 3, "platform.cue:2"), error)

    def test_author_values_lock_nothing(self):
        self.webapp()
        self.write("user.yaml", "replicas: 9\n")
        self.assertEqual(self.leaves("--user", "user.yaml")["replicas"]["status"], "overridden")

    def test_defaults_of_whole_structs_can_be_overridden_field_by_field(self):
        self.webapp()
        self.cue("platform.cue", 'resources: *{limits: {cpu: "1", memory: "1Gi"}} | _')
        self.write("user.yaml", 'resources:\n  limits:\n    cpu: "2"\n')
        self.assertEqual(self.merged("--platform", "platform.cue", "--user", "user.yaml")["resources"], {"limits": {"cpu": "2", "memory": "1Gi"}})


class BadInput(ValuesBench):
    """Clear errors with positions, 2 for what is wrong with values and 1 for usage."""

    def test_bad_empty_file(self):
        self.webapp()
        for name in ("user.cue", "user.yaml", "user.json"):
            self.write(name, "")
            self.assertIn("./" + name, self.refused("validate", "webapp", name))
        self.write("user.yaml", "# nothing but this\n---\n")
        self.assertIn("./user.yaml is empty: it has no values", self.refused("validate", "webapp", "user.yaml"))

    def test_bad_yaml_bomb(self):
        self.webapp()
        bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for i in range(1, 12):
            bomb += f"a{i}: &a{i} [{', '.join(['*a%d' % (i - 1)] * 10)}]\n"
        self.write("user.yaml", bomb)
        self.assertRegex(self.refused("merge", "webapp", "--user", "user.yaml"), r"\./user\.yaml:\d+:\d+")

    def test_bad_utf_8(self):
        self.webapp()
        for name, text in (("user.cue", b'values: image: "\xff\xfe"\n'), ("user.yaml", b"image: \xff\xfe\n"), ("user.json", b'{"image": "\xff"}')):
            (self.folder / name).write_bytes(text)
            self.assertRegex(self.refused("merge", "webapp", "--user", name), rf"\./{name}:1:\d+")

    def test_bad_tab_in_yaml(self):
        self.webapp()
        self.write("user.yaml", "resources:\n\tlimits: 1\n")
        error = self.refused("merge", "webapp", "--user", "user.yaml")
        self.assertIn("./user.yaml:2:1", error)
        self.assertIn("YAML is indented with spaces; there is a tab", error)

    def test_bad_directory_and_missing_file_and_other_kinds(self):
        self.webapp()
        (self.folder / "folder").mkdir()
        self.write("user.txt", "x")
        self.assertIn("./folder is a folder, not a file with values", self.refused("merge", "webapp", "--user", "folder", code=1))
        self.assertIn("cannot open ./none.yaml", self.refused("merge", "webapp", "--user", "none.yaml", code=5))
        self.assertIn("./user.txt is no values file", self.refused("merge", "webapp", "--user", "user.txt", code=1))

    def test_bad_overlay_twice(self):
        self.webapp()
        self.cue("a.cue", "replicas: 2")
        for arguments in (["--overlay", "a.cue", "--overlay", "./a.cue"], ["--platform", "a.cue", "--user", "a.cue"]):
            self.assertIn('"a.cue" is given twice', self.refused("merge", "webapp", *arguments, code=1))
        self.assertIn('"a.cue" is given twice', self.build("webapp", "--user", "a.cue", "--user", "a.cue", code=1).stderr)

    def test_bad_values_that_are_no_struct(self):
        self.webapp()
        for name, text in (("user.yaml", "- 1\n"), ("user.yaml", "values: 5\n"), ("user.json", "[1]"), ("user.cue", "values: [1]\n"),
                           ("user.yaml", "a: 1\n---\na: 2\n")):
            self.write(name, text)
            self.assertIn("user", self.refused("merge", "webapp", "--user", name))

    def test_bad_syntax_and_duplicates(self):
        self.webapp()
        for name, text in (("user.cue", "values: {\n"), ("user.yaml", "a: 1\na: 2\n"), ("user.json", '{"a": }'), ("user.yaml", "a: [1\n")):
            self.write(name, text)
            self.assertRegex(self.refused("merge", "webapp", "--user", name), rf"\./{name}:\d+:\d+")

    def test_bad_deep_nesting(self):
        self.webapp()
        self.write("user.json", '{"a":' * 5000 + "1" + "}" * 5000)
        self.refused("merge", "webapp", "--user", "user.json")
        self.write("user.cue", "values: " + "a: " * 5000 + "1\n")
        self.refused("merge", "webapp", "--user", "user.cue")

    def test_bad_platform_value_that_is_not_concrete(self):
        self.webapp()
        self.cue("platform.cue", "replicas: >=3")
        error = self.refused("merge", "webapp", "--platform", "platform.cue")
        self.assertIn("values.replicas: the value of the Platform Operator (Tier 2) is not concrete: incomplete value >=3", error)
        self.assertIn("./platform.cue:2:2", error)
        self.assertIn("*value | _", error)

    def test_bad_module_without_values(self):
        self.webapp()
        self.write("webapp/values.cue", "package main\n")
        self.assertIn('./webapp/values.cue has no field "values"', self.refused("merge", "webapp"))


class Secrets(ValuesBench):
    """Decision 24: a secret's value is in none of what is printed."""

    SECRET = "hunter2-and-more"

    def shown(self, *arguments, code):
        run = self.opm(*arguments, code=code)
        self.assertNotIn("hunter", run.stdout + run.stderr)
        return run.stdout + run.stderr

    def test_decision_24_values_commands_mask_secrets(self):
        self.webapp(config=SECRET_CONFIG)
        self.cue("platform.cue", f'db: password: value: *"{self.SECRET}" | _')
        self.write("user.yaml", f"db:\n  password:\n    value: {self.SECRET}-too\n")
        both = ("--platform", "platform.cue", "--user", "user.yaml")
        for arguments in (["merge", "webapp"], ["merge", "webapp", "-o", "yaml"], ["merge", "webapp", "-o", "json"],
                          ["inspect", "webapp"], ["inspect", "webapp", "--tree"], ["inspect", "webapp", "-o", "json"],
                          ["inspect", "webapp", "--why", "db.password.value"]):
            self.assertIn("<redacted sha256:", self.shown("values", *arguments, *both, code=0))
        for output in ("text", "json"):
            self.assertIn("<redacted sha256:", self.shown("values", "diff", "--base", "webapp", *both, "-o", output, code=1))

    def test_decision_24_broken_locks_mask_secrets(self):
        self.webapp(config=SECRET_CONFIG)
        self.cue("platform.cue", f'db: password: value: "{self.SECRET}"')
        self.write("user.yaml", f"db:\n  password:\n    value: {self.SECRET}-too\n")
        text = self.shown("values", "check", "webapp", "--platform", "platform.cue", "--user", "user.yaml", code=2)
        self.assertIn("  Field:    db.password.value\n", text)
        self.assertIn('  Locked:   "<redacted sha256:', text)
        self.shown("mod", "build", "webapp", "--platform", "platform.cue", "--user", "user.yaml", code=2)

    def test_decision_24_errors_go_without_secrets(self):
        self.webapp(config=SECRET_CONFIG)
        for name, text in (("user.yaml", f"db:\n  password: {self.SECRET}\n"),
                           ("user.yaml", f"db:\n  password: [{self.SECRET}]\n"),
                           ("user.yaml", f"db:\n  password:\n    value: [{self.SECRET}]\n"),
                           ("user.yaml", f"db:\n  password:\n    vaule: {self.SECRET}\n"),
                           ("user.cue", f'values: db: password: value: "{self.SECRET}" & "x"\n'),
                           ("user.cue", f'values: db: password: value: "{self.SECRET}" & int\n'),
                           ("user.cue", f'values: db: password: value: =~"{self.SECRET}"\n'),
                           ("user.cue", f'values: db: password: "{self.SECRET}"\n'),
                           ("user.cue", f"values: db: password: value: {self.SECRET.replace('-', '_')}\n")):
            self.write(name, text)
            for command in (["values", "validate"], ["values", "merge"], ["mod", "build"], ["mod", "vet"]):
                error = self.shown(*command, "webapp", "--user", name, code=2)
                self.assertIn("values.db.password", error)
            if name.endswith(".cue"):
                self.shown("mod", "build", "webapp", "-f", name, code=2)

    def test_decision_24_short_secrets_too(self):
        self.webapp(config=SECRET_CONFIG)
        self.write("user.yaml", "db:\n  password: 7531\n")
        self.assertNotIn("7531", self.refused("validate", "webapp", "user.yaml"))
        self.write("user.yaml", "db:\n  password:\n    value: 753\n")
        self.assertNotIn("753", self.refused("validate", "webapp", "user.yaml").replace("sha256:", ""))

    def test_a_secret_by_its_own_mark_is_masked_too(self):
        self.webapp()
        self.write("user.yaml", f"extra:\n  - $opm: secret\n    value: {self.SECRET}\n")
        self.assertIn("<redacted sha256:", self.shown("values", "merge", "webapp", "--user", "user.yaml", code=0))


class Inspect(ValuesBench):
    def test_provenance_has_the_words_of_the_specification(self):
        self.webapp('image: "nginx:latest"\nreplicas: 1\nresources: requests: {\n\tcpu: "100m"\n}')
        self.write("platform-repo/overlays/webapp-prod.cue", 'values: {\n\timage: *"nginx:1.25.0" | _\n\treplicas: 3\n}\n')
        self.write("user-values.yaml", "values:\n  image: nginx:1.26.0\n")
        text = self.values("inspect", "webapp", "--overlay", "platform-repo/overlays/webapp-prod.cue", "--overlay", "user-values.yaml").stdout
        self.assertEqual(text, textwrap.dedent("""\
            Values Provenance for webapp:

              image: "nginx:1.26.0"
                Source: End User (Tier 3)
                File:   user-values.yaml:2
                Status: Overridden platform default (*"nginx:1.25.0")

              replicas: 3
                Source: Platform Operator (Tier 2)
                File:   platform-repo/overlays/webapp-prod.cue:3
                Status: LOCKED (concrete value)

              resources.requests.cpu: "100m"
                Source: Module Author (Tier 1)
                File:   webapp/values.cue:7
                Status: Default (not overridden)
            """))

    def test_every_leaf_has_tier_file_line_column_and_status(self):
        self.webapp(AUTHOR + '\nresources: requests: cpu: "100m"\nempty: {}')
        self.cue("platform.cue", 'replicas: 3\nimage: *"nginx:1.25.0" | _\nregion: *"eu" | _')
        self.write("user.yaml", "values:\n  image: nginx:1.26.0\n  host: example.com\n")
        leaves = self.leaves("--platform", "platform.cue", "--user", "user.yaml")
        shown = {path: (leaf["tier"], leaf["source"], leaf["file"], leaf["line"], leaf["column"], leaf["status"]) for path, leaf in leaves.items()}
        self.assertEqual(shown, {
            "image": (3, "End User", "user.yaml", 2, 3, "overridden"),
            "replicas": (2, "Platform Operator", "platform.cue", 2, 2, "locked"),
            "resources.requests.cpu": (1, "Module Author", "webapp/values.cue", 6, 23, "author-default"),
            "empty": (1, "Module Author", "webapp/values.cue", 7, 2, "author-default"),
            "region": (2, "Platform Operator", "platform.cue", 4, 2, "platform-default"),
            "host": (3, "End User", "user.yaml", 3, 3, "added")})

    def test_why_has_the_whole_history(self):
        self.webapp()
        self.cue("a.cue", 'image: "nginx:a"')
        self.cue("b.cue", 'image: *"nginx:b" | _')
        self.write("user.json", '{"image": "nginx:u"}')
        arguments = ["webapp", "--platform", "a.cue", "--platform", "b.cue", "--user", "user.json", "--why"]
        self.assertEqual(self.values("inspect", *arguments, "values.image").stdout, textwrap.dedent("""\
            image: "nginx:u"

                Module Author (Tier 1)      "nginx:latest"  webapp/values.cue:4
                Platform Operator (Tier 2)  "nginx:a"       a.cue:2
                Platform Operator (Tier 2)  *"nginx:b"      b.cue:2
              * End User (Tier 3)           "nginx:u"       user.json:1

              Status: Overridden platform default (*"nginx:b")
            """))
        self.assertIn('did you mean "image"', self.refused("inspect", *arguments, "imago", code=5))
        self.assertEqual(len(json.loads(self.values("inspect", *arguments, "image", "-o", "json").stdout)["values"]), 1)
        self.refused("inspect", *arguments, "a..b", code=1)
        self.refused("inspect", *arguments, "image", "--tree", code=1)

    def test_tree_is_coloured_by_tier_only_when_asked(self):
        self.webapp()
        self.cue("platform.cue", "replicas: 3")
        plain = self.values("inspect", "webapp", "--platform", "platform.cue", "--tree").stdout
        self.assertEqual(plain, 'image: "nginx:latest"  # Module Author\nreplicas: 3            # Platform Operator, LOCKED\n')
        coloured = self.values("inspect", "webapp", "--platform", "platform.cue", "--tree", "--color=always").stdout
        self.assertIn('\x1b[36mimage: "nginx:latest"\x1b[0m', coloured)
        self.assertIn("\x1b[33mreplicas: 3", coloured)

    def test_a_platform_file_beside_the_module_is_no_part_of_it(self):
        self.webapp()
        self.write("webapp/platform.cue", "package main\n\nvalues: replicas: 3\n")
        self.assertEqual(self.merged("--platform", "webapp/platform.cue")["replicas"], 3)
        web = self.objects("webapp", "--platform", "webapp/platform.cue")["Deployment/web"]
        self.assertEqual(web["spec"]["replicas"], 3)

    def test_files_of_other_packages_may_stand_in_the_modules_folder(self):
        self.webapp()
        self.write("webapp/a-platform.cue", "package prod\n\nvalues: replicas: 3\n")
        self.write("webapp/user-values.yaml", "image: nginx:3\n")
        run = self.values("merge", "module.cue", "--overlay", "a-platform.cue", "--overlay", "user-values.yaml", "-o", "json", cwd=self.folder / "webapp")
        self.assertEqual(json.loads(run.stdout)["values"], {"image": "nginx:3", "replicas": 3})
        self.build(".", "--platform", "a-platform.cue", "--user", "user-values.yaml", cwd=self.folder / "webapp")

    def test_what_else_stands_in_the_values_file_stays(self):
        self.webapp()
        self.write("webapp/values.cue", 'package main\n\nimport "strings"\n\n_tag: strings.ToLower("LATEST")\n\n'
                                        'values: {\n\timage: "nginx:\\(_tag)"\n\treplicas: 1\n}\n')
        self.write("webapp/components.cue", COMPONENTS.replace('name: "web"', "name: _tag"))
        self.write("user.yaml", "replicas: 2\n")
        web = self.objects("webapp", "--user", "user.yaml")["Deployment/web"]
        container = web["spec"]["template"]["spec"]["containers"][0]
        self.assertEqual((web["spec"]["replicas"], container["image"], container["name"]), (2, "nginx:latest", "latest"))

    def test_a_platform_repository_has_its_own_module(self):
        self.webapp()
        self.write("platform/cue.mod/module.cue", module_file("platform"))
        self.write("platform/sizes/sizes.cue", "package sizes\n\nlarge: 7\n")
        self.write("platform/prod.cue", 'package prod\n\nimport "example.com/platform/sizes"\n\nvalues: replicas: sizes.large\n')
        leaf = self.leaves("--platform", "platform/prod.cue")["replicas"]
        self.assertEqual((leaf["value"], leaf["file"], leaf["line"]), (7, "platform/prod.cue", 5))


if __name__ == "__main__":
    main()
