#!/usr/bin/env python3
"""Releases of a package, rendered for their environments: scenarios A to H of the specification on real files, what is
refused, and what the commands around them print. Identities are computed here, not taken from opm."""

import json
import pathlib
import re
import uuid

import workbench
from workbench import by_name

NAMESPACE = uuid.UUID("11bc6112-a6e8-4021-bec9-b3ad246f9466")
FQN = "example.com/modules@v0#"

MODULE = """package %(package)s

import (
	"opmodel.dev/core@v0"
	"opmodel.dev/resources/workload@v0"
	workload_traits "opmodel.dev/traits/workload@v0"
)

core.#Module

metadata: {
	apiVersion: "example.com/modules@v0"
	name:       "%(name)s"
	version:    "0.1.0"
}

#config: {
	image!:       string
	port?:        int
	replicaCount: *1 | int
	logLevel:     *"info" | "debug" | "warn" | "error"
	limits: {
		cpu:    *"100m" | string
		memory: *"64Mi" | string
	}
	tags: [...string]
}

#components: web: {
	workload.#Container
	workload_traits.#Scaling
	metadata: labels: "core.opmodel.dev/workload-type": "stateless"
	spec: {
		container: {
			name:  "web"
			image: #config.image
			args:  #config.tags
			env: LOG_LEVEL: {name: "LOG_LEVEL", value: #config.logLevel}
			resources: {cpu: request: #config.limits.cpu, memory: request: #config.limits.memory}
		}
		scaling: count: #config.replicaCount
	}
}
"""

PLATFORMS = """package opm

import "opmodel.dev/core@v0"

platforms: [string]: core.#Platform
platforms: {
%s
}
"""

RELEASES = """package apps

import (
	"opmodel.dev/core@v0"
%s
)

%s
"""


def identity(*parts):
    return str(uuid.uuid5(NAMESPACE, ":".join(parts)))


def entry(name, body, key="staging", platform="one"):
    return f'"{key}": {{metadata: name: "{name}", platform: platforms["{platform}"], {body}}}\n'


class Project(workbench.Workbench):
    def project(self, platforms, releases, modules=("myapp",), module=MODULE, **more):
        self.write("apps/cue.mod/module.cue", workbench.module_file("apps"))
        if platforms is not None:
            self.write("apps/.opm/platform.cue", PLATFORMS % platforms)
        for name in modules:
            self.write(f"apps/{name}/module.cue", module % {"package": name.replace("-", "_"), "name": name})
        imports = "\n".join(f'\t{name.replace("-", "_")}Module "example.com/apps/{name}:{name.replace("-", "_")}"' for name in modules)
        self.write("apps/releases.cue", RELEASES % (imports, releases))
        for path, text in more.items():
            self.write(path, text)
        return self.folder / "apps"

    def myapp(self, environments, metadata='metadata: name: "myapp"', values='values: image: "myapp:v2"', more=""):
        body = f"environments: {{\n{environments}\n}}" if environments else ""
        return f"myapp: core.#ModuleRelease & {{\n{metadata}\n#module: myappModule\n{values}\n{body}\n{more}\n}}"

    def run_build(self, *arguments, code=0, cwd="apps", **settings):
        return self.opm("build", *arguments, code=code, cwd=self.folder / cwd, **settings)

    def rendered(self, *arguments, **settings):
        return by_name(json.loads(self.run_build(*arguments, "-o", "json", **settings).stdout))

    def deployment(self, *arguments):
        return self.rendered(*arguments)["Deployment/web"]

    def assert_identity(self, deployed, *parts):
        self.assertEqual(deployed["metadata"]["labels"]["module-release.opmodel.dev/uuid"], identity(*parts))

    def container(self, deployed):
        return deployed["spec"]["template"]["spec"]["containers"][0]

    def log_level(self, deployed):
        return [item["value"] for item in self.container(deployed)["env"] if item["name"] == "LOG_LEVEL"][0]

    def refused(self, *arguments, says=(), code=2, **settings):
        run = self.run_build(*arguments, code=code, **settings)
        self.assertEqual(run.stdout, "")
        for text in says:
            self.assertIn(text, run.stderr)
        return run.stderr


ONE = '"one": kubeContext: "kind-one"'


class Scenarios(Project):
    def test_a_basic_environment(self):
        self.project('''"staging-cluster": {
			kubeContext: "eks-us-west-2-staging"
			context: {defaultDomain: "staging.example.com", defaultStorageClass: "gp3"}
		}''', self.myapp(entry("staging", 'namespace: "staging", values: {replicaCount: 1}', platform="staging-cluster")))
        deployed = self.deployment("myapp", "-e", "staging")
        self.assertEqual(deployed["metadata"]["namespace"], "staging")
        self.assert_identity(deployed, FQN + "Myapp", "myapp", "staging", "staging")
        labels = deployed["metadata"]["labels"]
        self.assertEqual(labels["environment.opmodel.dev/name"], "staging")
        self.assertEqual(labels["module-release.opmodel.dev/environment"], "staging")
        self.assertEqual(deployed["spec"]["replicas"], 1)
        self.assertEqual(self.container(deployed)["image"], "myapp:v2")
        listed = json.loads(self.run_build("-o", "json").stdout)
        self.assertEqual(listed[0]["environments"][0]["kubeContext"], "eks-us-west-2-staging")

    def test_a_platform_context_reaches_the_transformers(self):
        self.project('''"one": {
			kubeContext: "kind-one"
			context: {defaultStorageClass: "gp3", imageRegistry: "registry.example.com", defaultRunAsUser: 1000, defaultRunAsGroup: 2000}
		}''', self.myapp(entry("staging", 'namespace: "staging"')),
                     module=MODULE.replace('"opmodel.dev/resources/workload@v0"',
                                           '"opmodel.dev/resources/workload@v0"\n\t"opmodel.dev/resources/storage@v0"')
                     .replace("\tworkload_traits.#Scaling\n", "\tworkload_traits.#Scaling\n\tstorage.#Volumes\n")
                     .replace("\tspec: {\n", '\tspec: {\n\t\tvolumes: data: {name: "data", persistentClaim: size: "1Gi"}\n', 1))
        objects = self.rendered("myapp", "-e", "staging")
        claim = next(item for name, item in objects.items() if name.startswith("PersistentVolumeClaim/"))
        self.assertEqual(claim["spec"]["storageClassName"], "gp3")
        pod = objects["Deployment/web"]["spec"]["template"]["spec"]
        self.assertEqual(pod["containers"][0]["image"], "registry.example.com/myapp:v2")
        self.assertEqual(pod["securityContext"], {"runAsUser": 1000, "runAsGroup": 2000})

    def test_b_same_cluster_different_environments(self):
        self.project('"shared-cluster": {kubeContext: "eks-us-west-2", context: {defaultStorageClass: "gp3", ingressClassName: "alb"}}',
                     self.myapp(entry("staging", 'namespace: "staging", values: {replicaCount: 1, logLevel: "debug"}', platform="shared-cluster")
                                + entry("production", 'namespace: "production", values: {replicaCount: 3, logLevel: "info"}', "production", "shared-cluster")))
        staging, production = self.deployment("myapp", "-e", "staging"), self.deployment("myapp", "-e", "production")
        self.assertEqual((staging["spec"]["replicas"], self.log_level(staging)), (1, "debug"))
        self.assertEqual((production["spec"]["replicas"], self.log_level(production)), (3, "info"))
        self.assert_identity(staging, FQN + "Myapp", "myapp", "staging", "staging")
        self.assert_identity(production, FQN + "Myapp", "myapp", "production", "production")
        self.assertEqual((staging["metadata"]["namespace"], production["metadata"]["namespace"]), ("staging", "production"))

    def test_c_no_environment(self):
        self.project(None, self.myapp("", 'metadata: {name: "myapp", namespace: "default"}', 'values: {image: "myapp:v2", replicaCount: 1}'))
        deployed = self.deployment("myapp")
        self.assertEqual(deployed["metadata"]["namespace"], "default")
        self.assert_identity(deployed, FQN + "Myapp", "myapp", "default")
        self.assertFalse([key for key in deployed["metadata"]["labels"] if "environment" in key])

    def test_c_is_what_the_module_alone_renders_to(self):
        folder = self.project(None, self.myapp("", 'metadata: {name: "myapp", namespace: "default"}'))
        self.write("apps/myapp/values.cue", 'package myapp\n\nvalues: {image: "myapp:v2", replicaCount: 1, logLevel: "info", tags: [], limits: {cpu: "100m", memory: "64Mi"}}\n')
        module = self.opm("mod", "build", folder / "myapp", "--name", "myapp", "-n", "default").stdout
        self.assertEqual(self.run_build("myapp").stdout, module)

    def test_d_the_environment_wins(self):
        self.project(ONE, self.myapp(entry("staging", 'namespace: "s", values: {replicaCount: 5, limits: memory: "1Gi", tags: ["c"]}'),
                                     values='values: {image: "myapp:v2", replicaCount: 2, logLevel: "debug", limits: {cpu: "2", memory: "2Gi"}, tags: ["a", "b"]}'))
        deployed = self.deployment("myapp", "-e", "staging")
        self.assertEqual((deployed["spec"]["replicas"], self.log_level(deployed)), (5, "debug"))
        self.assertEqual(self.container(deployed)["image"], "myapp:v2")
        # Structs are merged, lists replaced.
        self.assertEqual(self.container(deployed)["resources"]["requests"], {"cpu": "2", "memory": "1Gi"})
        self.assertEqual(self.container(deployed)["args"], ["c"])

    def test_d_what_the_release_only_constrains_the_environment_gives(self):
        self.project(ONE, self.myapp(entry("staging", 'namespace: "s", values: image: "env:1"'), values="values: image: string"))
        self.assertEqual(self.container(self.deployment("myapp", "-e", "staging"))["image"], "env:1")

    def constrained(self, released, **environments):
        self.project(ONE, self.myapp("".join(entry(key, f'namespace: "{key}", values: {{\n{body}\n}}', key) for key, body in environments.items()),
                                     values=f'values: {{\n{released}\n}}'))

    def line(self, text):
        lines = (self.folder / "apps/releases.cue").read_text(encoding="utf-8").splitlines()
        return f"./releases.cue:{next(number for number, line in enumerate(lines, 1) if text in line)}:"

    def test_d_a_constraint_of_the_release_holds_for_the_environment(self):
        # As a bound, a default with a choice, an optional field, a pattern, and inside a struct.
        for released in ("replicaCount: >=3", "replicaCount: *4 | >=3", "replicaCount?: >=3", '[=~"^replica"]: >=3'):
            self.constrained(f'image: "i"\n{released}', low="replicaCount: 1", high="replicaCount: 5")
            self.assertEqual(self.deployment("myapp", "-e", "high")["spec"]["replicas"], 5)
            for selected in (("-e", "low"), ("--all-environments",)):
                self.refused("myapp", *selected, says=["values.replicaCount: ", "invalid value 1 (out of bound >=3)",
                                                       self.line(released), self.line("replicaCount: 1")])
        self.constrained('image: "i"\nlimits: cpu: =~"m$"', low='limits: cpu: "2"', high='limits: cpu: "2m"')
        self.assertEqual(self.container(self.deployment("myapp", "-e", "high"))["resources"]["requests"]["cpu"], "2m")
        self.refused("myapp", "-e", "low", says=["values.limits.cpu: ", self.line('cpu: =~'), self.line('cpu: "2"')])
        self.constrained('image: "i"\ntags: [...=~"^a"]', low='tags: ["b"]', high='tags: ["ab"]')
        self.assertEqual(self.container(self.deployment("myapp", "-e", "high"))["args"], ["ab"])
        self.refused("myapp", "-e", "low", says=["values.tags.0: ", self.line('tags: [...'), self.line('tags: ["b"]')])

    def test_d_a_constraint_that_nobody_makes_concrete(self):
        self.constrained('image: "i"\nreplicaCount: >=3', none="", bound="replicaCount: <9")
        for selected in ("none", "bound"):
            self.refused("myapp", "-e", selected, says=["values.replicaCount: incomplete value >=3", self.line("replicaCount: >=3")])
        # As it is told without environments.
        self.project(None, self.myapp("", 'metadata: {name: "myapp", namespace: "default"}', 'values: {\nimage: "i"\nreplicaCount: >=3\n}'))
        self.refused("myapp", says=["values.replicaCount: incomplete value >=3", self.line("replicaCount: >=3")])

    def test_d_a_constraint_of_the_environment_holds_for_the_release(self):
        self.constrained('image: "i"\nreplicaCount: 2', low="replicaCount: >=3", high="replicaCount: <3", own="replicaCount: *7 | >=3")
        self.refused("myapp", "-e", "low", says=["values.replicaCount: invalid value 2 (out of bound >=3)", self.line("replicaCount: 2"),
                                                 self.line("replicaCount: >=3")])
        self.assertEqual(self.deployment("myapp", "-e", "high")["spec"]["replicas"], 2)
        self.assertEqual(self.deployment("myapp", "-e", "own")["spec"]["replicas"], 7)

    def test_d_what_follows_from_a_value_that_the_environment_gives(self):
        self.constrained('replicaCount: int\nimage: "web:v\\(replicaCount)"', one="replicaCount: 1", two="replicaCount: 2")
        together = json.loads(self.run_build("myapp", "--all-environments", "-o", "json").stdout)
        for key, count in (("one", 1), ("two", 2)):
            for deployed in (self.deployment("myapp", "-e", key), together[key][0]):
                self.assertEqual((deployed["spec"]["replicas"], self.container(deployed)["image"]), (count, f"web:v{count}"))

    def test_d_a_constraint_holds_for_files_of_values_too(self):
        self.constrained('image: "i"\nreplicaCount: >=3', one="replicaCount: 4")
        self.write("apps/more.yaml", "values: {replicaCount: 8}\n")
        self.write("apps/less.yaml", "values: {replicaCount: 2}\n")
        self.assertEqual(self.deployment("myapp", "-e", "one", "--user", "more.yaml")["spec"]["replicas"], 8)
        self.refused("myapp", "-e", "one", "--user", "less.yaml", says=["values.replicaCount: invalid value 2 (out of bound >=3)", "less.yaml:1:"])

    def test_e_wrong_types(self):
        self.project(ONE, self.myapp(entry("staging", 'namespace: "s",\nvalues: {\nreplicaCount: "three"\n}') + entry("production", 'namespace: "p"', "production")))
        for selected in ("staging", "production"):
            self.refused("myapp", "-e", selected, says=["environments.staging.values.replicaCount", '"three"', "./releases.cue:"])

    def test_f_modules_share_a_platform(self):
        release = '%s: core.#ModuleRelease & {metadata: name: "%s", #module: %sModule, values: {image: "%s", port: %d}, environments: {%s}}\n'
        one = entry("staging", 'namespace: "staging", values: replicaCount: 1', platform="staging-cluster")
        self.project('"staging-cluster": {kubeContext: "eks-staging", context: {imageRegistry: "r.example.com"}}',
                     release % ("frontend", "frontend", "frontend", "frontend:v3", 3000, one) + release % ("backend", "backend", "backend", "backend:v2", 8080, one),
                     modules=("frontend", "backend"))
        frontend, backend = self.deployment("frontend", "-e", "staging"), self.deployment("backend", "-e", "staging")
        self.assert_identity(frontend, FQN + "Frontend", "frontend", "staging", "staging")
        self.assert_identity(backend, FQN + "Backend", "backend", "staging", "staging")
        for deployed in (frontend, backend):
            self.assertEqual(deployed["metadata"]["labels"]["environment.opmodel.dev/name"], "staging")
            self.assertEqual(deployed["metadata"]["namespace"], "staging")
            self.assertTrue(self.container(deployed)["image"].startswith("r.example.com/"))
        # Changed once, changed for all.
        self.write("apps/.opm/platform.cue", PLATFORMS % '"staging-cluster": {kubeContext: "eks-staging", context: {imageRegistry: "new.example.com"}}')
        for name in ("frontend", "backend"):
            self.assertTrue(self.container(self.deployment(name, "-e", "staging"))["image"].startswith("new.example.com/"))

    def test_g_the_release_has_the_namespace(self):
        self.project('"prod-cluster": {kubeContext: "eks-prod", context: {defaultDomain: "example.com", defaultStorageClass: "gp3"}}',
                     self.myapp(entry("production", "values: replicaCount: 3", "production", "prod-cluster"), 'metadata: {name: "myapp", namespace: "myapp-prod"}'))
        deployed = self.deployment("myapp", "-e", "production")
        self.assertEqual(deployed["metadata"]["namespace"], "myapp-prod")
        self.assert_identity(deployed, FQN + "Myapp", "myapp", "myapp-prod", "production")
        self.assertEqual(deployed["spec"]["replicas"], 3)

    def test_g_the_environment_wins_where_both_have_one(self):
        self.project(ONE, self.myapp(entry("staging", 'namespace: "mine"'), 'metadata: {name: "myapp", namespace: "other"}'))
        deployed = self.deployment("myapp", "-e", "staging")
        self.assertEqual(deployed["metadata"]["namespace"], "mine")
        self.assert_identity(deployed, FQN + "Myapp", "myapp", "mine", "staging")

    def test_h_topologies(self):
        domains = {"dev-cluster": ("minikube", "dev.local"), "staging-eks": ("eks-us-west-2", "staging.example.com"),
                   "prod-us": ("eks-us-east-1", "example.com"), "prod-eu": ("eks-eu-west-1", "eu.example.com")}
        platforms = "\n".join(f'"{name}": {{kubeContext: "{context}", context: defaultDomain: "{domain}"}}' for name, (context, domain) in domains.items())
        topology = {"module-a": {"staging": ("staging-eks", "a-staging"), "production": ("prod-us", "a-prod")},
                    "module-b": {"staging": ("staging-eks", "b-staging"), "prod-us": ("prod-us", "b-prod"), "prod-eu": ("prod-eu", "b-prod")},
                    "module-c": {"dev": ("dev-cluster", "c-dev")}}
        releases = ""
        for name, environments in topology.items():
            # Without metadata: an environment is named by its key.
            inner = "\n".join(f'"{key}": {{platform: platforms["{platform}"], namespace: "{where}"}}' for key, (platform, where) in environments.items())
            module = name.replace("-", "_") + "Module"
            releases += f'"{name}": core.#ModuleRelease & {{metadata: name: "{name}", #module: {module}, values: {{image: "i:v1"}}, environments: {{{inner}}}}}\n'
        module = MODULE.replace("#config: {", '#platformContext: _\n\n#config: {').replace("image: #config.image", 'image: "\\(#platformContext.defaultDomain)/\\(#config.image)"')
        self.project(platforms, releases, modules=tuple(topology), module=module)
        for name, environments in topology.items():
            for key, (platform, where) in environments.items():
                deployed = self.deployment(name, "-e", key)
                self.assertEqual(deployed["metadata"]["namespace"], where)
                pascal = "".join(word.capitalize() for word in name.split("-"))
                self.assert_identity(deployed, FQN + pascal, name, where, key)
                self.assertEqual(self.container(deployed)["image"], domains[platform][1] + "/i:v1")
        listed = {item["release"]: {one["name"]: (one["platform"], one["namespace"]) for one in item["environments"]}
                  for item in json.loads(self.run_build("-o", "json").stdout)}
        self.assertEqual(listed, topology)


class Together(Project):
    """Environments are evaluated together as far as they are alike. Each is to come out as it does alone."""

    MODULE = MODULE.replace("\ttags: [...string]\n", """\ttags: [...string]
	debug: *false | bool
	domain: *"" | string
	shards: *1 | int & >0 & <100
""").replace("\t\tscaling: count", """\t\tif #config.debug {container: env: DEBUG: {name: "DEBUG", value: "yes"}}
		if #config.shards > 3 {container: env: SHARDS: {name: "SHARDS", value: "\\(#config.shards)"}}
		container: env: (#config.logLevel): {name: "LEVEL_\\(#config.logLevel)", value: "\\(#config.image)@\\(#config.domain)"}
		scaling: count""")

    BODIES = ['values: {replicaCount: %d}' % number for number in range(1, 6)] + [
        'values: {replicaCount: 7, debug: true}', 'values: {logLevel: "debug"}', 'values: {logLevel: "warn"}',
        'values: {tags: ["a"]}', 'values: {tags: ["b"]}', 'values: {tags: ["a", "b"]}', 'values: {shards: 3}', 'values: {shards: 4}',
        'values: {shards: 5}', 'values: {domain: "one.test", limits: cpu: "2"}', 'values: {domain: "two.test", limits: cpu: "3"}',
        'metadata: labels: tier: "prod"', 'metadata: labels: tier: "test"', 'metadata: annotations: "a.test/b": "c"']

    def releases(self, bodies):
        entries = "".join(f'"e{number}": {{platform: platforms["{"one" if number % 3 else "two"}"], namespace: "n{number}", {body}}}\n'
                          for number, body in enumerate(bodies))
        self.project(ONE + '\n"two": {kubeContext: "kind-two", context: {imageRegistry: "r.test", defaultRunAsUser: 5}}',
                     self.myapp(entries), module=self.MODULE)

    def test_each_comes_out_as_it_does_alone(self):
        self.releases(self.BODIES)
        together = json.loads(self.run_build("myapp", "--all-environments", "-o", "json").stdout)
        self.assertEqual(len(together), len(self.BODIES))
        for name, objects in together.items():
            self.assertEqual(objects, json.loads(self.run_build("myapp", "-e", name, "-o", "json").stdout), name)

    def test_those_that_differ_in_texts_and_numbers_are_evaluated_together(self):
        self.releases([f'values: {{replicaCount: {number + 2}, domain: "d{number}.test", limits: cpu: "{number}"}}' for number in range(12)])
        # Who is evaluated alone has times of its own.
        times = self.run_build("myapp", "--all-environments", "--timings").stderr
        self.assertEqual(times.count("total"), 1, times)
        self.assertGreater(self.run_build("myapp", "--all-environments", "--timings", "--dump-jobs", "jobs").stderr.count("total"), 12)

    def test_what_is_wrong_in_one_is_told_of_that_one(self):
        self.releases(['values: {replicaCount: 2}', 'values: {replicaCount: 3, shards: 200}', 'values: {replicaCount: 4}'])
        says = self.refused("myapp", "--all-environments", says=["shards", "./releases.cue:"])
        self.assertNotIn("e0", says)

    def test_an_unknown_field_in_one(self):
        self.releases(['values: {replicaCount: 2}', 'values: {replicaCount: 3}', 'values: {replicas: 4}'])
        self.refused("myapp", "--all-environments", says=['environment "e2"', "values.replicas: field not allowed"])


SITE = """package %(package)s

import (
	"opmodel.dev/core@v0"
	"opmodel.dev/resources/workload@v0"
	"opmodel.dev/traits/network@v0"
)

core.#Module

metadata: {apiVersion: "example.com/modules@v0", name: "%(name)s", version: "0.1.0"}

#config: {
	image!: string
	class?: string
	hosts: [...string]
}

#components: web: {
	workload.#Container
	network.#HttpRoute
	metadata: labels: "core.opmodel.dev/workload-type": "stateless"
	spec: {
		container: {name: "web", image: #config.image}
		httpRoute: {
			hostnames: #config.hosts
			if #config.class != _|_ {ingressClassName: #config.class}
			tls: {}
			rules: [{backendPort: 8080}]
		}
	}
}
"""


class Offered(Project):
    """What a platform offers, from .opm to the objects."""

    def routed(self, context, values=""):
        self.project(f'"one": {{kubeContext: "kind-one", context: {{{context}}}}}',
                     self.myapp(entry("staging", f'namespace: "s", values: {{{values}}}')), module=SITE)
        return self.rendered("myapp", "-e", "staging")

    def test_ingresses(self):
        ingress = self.routed('ingressClassName: "nginx", certificateRef: name: "wildcard", defaultDomain: "apps.test"')["Ingress/web"]["spec"]
        self.assertEqual(ingress["ingressClassName"], "nginx")
        self.assertEqual([rule["host"] for rule in ingress["rules"]], ["web.apps.test"])
        self.assertEqual(ingress["tls"][0]["secretName"], "wildcard")

    def test_gateways(self):
        objects = self.routed('gatewayRef: {name: "main", namespace: "infra"}, ingressClassName: "nginx", defaultDomain: "apps.test"', 'hosts: ["shop"]')
        self.assertNotIn("Ingress/web", objects)
        route = objects["HTTPRoute/web"]["spec"]
        self.assertEqual(route["parentRefs"], [{"name": "main", "namespace": "infra"}])
        self.assertEqual(route["hostnames"], ["shop.apps.test"])

    def test_capabilities_choose(self):
        objects = self.routed('gatewayRef: name: "main", ingressClassName: "nginx", capabilities: ["ingress"]', 'hosts: ["a.test"]')
        self.assertIn("Ingress/web", objects)
        self.assertNotIn("HTTPRoute/web", objects)

    def test_what_the_module_says_wins(self):
        ingress = self.routed('ingressClassName: "nginx", defaultDomain: "apps.test"', 'class: "own", hosts: ["shop.own.test"]')["Ingress/web"]["spec"]
        self.assertEqual(ingress["ingressClassName"], "own")
        self.assertEqual([rule["host"] for rule in ingress["rules"]], ["shop.own.test"])


class Refused(Project):
    def both(self):
        return entry("staging", 'namespace: "s"') + entry("production", 'namespace: "p"', "production")

    def test_an_unknown_environment(self):
        self.project(ONE, self.myapp(self.both()))
        self.refused("myapp", "-e", "stagin", says=['no environment "stagin"', 'did you mean "staging"?', "staging, production"])

    def test_a_package_that_is_not_there_is_named(self):
        folder = self.project(ONE, self.myapp(self.both()))
        releases = folder / "releases.cue"
        releases.write_text(releases.read_text(encoding="utf-8").replace("import (", 'import (\n\t"example.com/apps/nowhere"', 1), encoding="utf-8")
        self.refused("myapp", "-e", "staging", says=['cannot find package "example.com/apps/nowhere"'])

    def test_environments_and_none_selected(self):
        self.project(ONE, self.myapp(self.both()))
        self.refused("myapp", says=["say which with -e", "staging, production"])

    def test_selected_where_there_are_none(self):
        self.project(None, self.myapp("", 'metadata: {name: "myapp", namespace: "default"}'))
        self.refused("myapp", "-e", "staging", says=['release "myapp" has no environments'])
        self.refused("myapp", "--all-environments", says=['release "myapp" has no environments'])

    def test_files_that_disagree(self):
        self.project(ONE, self.myapp(self.both()))
        self.write("apps/.opm/other.cue", 'package opm\n\nplatforms: one: kubeContext: "kind-two"\n')
        self.refused("myapp", "-e", "staging", says=["platforms.one.kubeContext", ".opm/platform.cue:", ".opm/other.cue:3:"])

    def test_files_of_two_packages(self):
        self.project(ONE, self.myapp(self.both()))
        self.write("apps/.opm/other.cue", "package other\n\nx: 1\n")
        self.refused("myapp", "-e", "staging", says=["opm", "other"], code=None)

    def test_what_is_no_release(self):
        self.project(ONE, self.myapp(self.both()) + '\nother: {kind: "Else"}\nnumber: 3\n')
        for name in ("other", "number", "platforms"):
            self.refused(name, "-e", "staging", says=[f'"{name}" is no release'])
        self.refused("myap", says=['no release "myap"', 'did you mean "myapp"?'])

    def test_no_platform(self):
        self.project(ONE, self.myapp('staging: {namespace: "s"}\n'))
        self.refused("myapp", "-e", "staging", says=['"staging" of release "myapp" has no platform', "the platforms are one", "./releases.cue:"])

    def test_an_unknown_platform(self):
        self.project(ONE, self.myapp(entry("staging", 'namespace: "s"', platform="two")))
        self.refused("myapp", "-e", "staging", says=['"staging" is on platform "two", which is not known', "the platforms are one", "./releases.cue:"])

    def test_no_folder_of_platforms(self):
        self.project(None, self.myapp(self.both()))
        self.refused("myapp", "-e", "staging", says=["no folder .opm here or above"])

    def test_no_namespace(self):
        self.project(ONE, self.myapp(entry("staging", "values: replicaCount: 2")))
        self.refused("myapp", "-e", "staging", says=['neither environment "staging" nor release "myapp" has a namespace'])

    def test_unknown_fields_after_the_merge(self):
        self.project(ONE, self.myapp('staging: {\nplatform: platforms.one\nnamespace: "s"\nvalues: {\n\tbogus: true\n\tlimits: gpu: 1\n}\n}\n'
                                     + entry("production", 'namespace: "p"', "production")))
        errors = self.refused("myapp", "-e", "staging", says=["values.bogus", "values.limits.gpu"])
        text = (self.folder / "apps/releases.cue").read_text(encoding="utf-8").splitlines()
        for word in ("bogus", "gpu"):
            line = next(number for number, line in enumerate(text, 1) if word in line)
            self.assertIn(f"./releases.cue:{line}:", errors)
        # Types are checked for all environments, fields for the one that is selected.
        self.deployment("myapp", "-e", "production")

    def test_missing_fields_after_the_merge(self):
        self.project(ONE, self.myapp(self.both(), values="values: {}"))
        self.refused("myapp", "-e", "staging", says=["values.image"])

    def test_a_field_that_the_platform_does_not_set(self):
        module = MODULE.replace("#config: {", "#platformContext: _\n\n#config: {").replace("image: #config.image", 'image: "\\(#platformContext.defaultDomain)/x"')
        self.project(ONE, self.myapp(self.both()), module=module)
        self.refused("myapp", "-e", "staging", says=['platform "one"', '"defaultDomain"', "./myapp/module.cue:"])

    def test_no_package(self):
        (self.folder / "empty").mkdir()
        self.refused("myapp", code=5, cwd="empty", says=["no CUE package"])

    def test_a_wrong_name_of_an_environment(self):
        self.project(ONE, self.myapp('"Not A Name": {platform: platforms.one, namespace: "s"}\n'))
        self.refused("myapp", "-e", "Not A Name", says=["metadata.name"])


class Commands(Project):
    def several(self):
        tier = "".join(f'"{name}": {{metadata: labels: {{tier: "{tier}", region: "{region}"}}, platform: platforms.one, namespace: "{name}", values: replicaCount: {count}}}\n'
                       for name, tier, region, count in (("staging", "test", "us", 1), ("prod-us", "prod", "us", 3), ("prod-eu", "prod", "eu", 4)))
        return self.project(ONE, self.myapp(tier))

    def replicas(self, *arguments):
        return {name: objects[0]["spec"]["replicas"] for name, objects in json.loads(self.run_build("myapp", *arguments, "-o", "json").stdout).items()}

    def test_all_environments(self):
        self.several()
        self.assertEqual(self.replicas("--all-environments"), {"staging": 1, "prod-us": 3, "prod-eu": 4})
        text = self.run_build("myapp", "--all-environments").stdout
        self.assertEqual([line for line in text.splitlines() if line.startswith("#")],
                         ["# environment: staging", "# environment: prod-us", "# environment: prod-eu"])
        # Each is what it is alone, whatever the number of threads.
        for jobs in ("1", "4"):
            parts = self.run_build("myapp", "--all-environments", "--jobs", jobs).stdout.split("---\n# environment: ")
            for name, part in zip(("staging", "prod-us", "prod-eu"), parts):
                self.assertEqual(part.split("\n", 1)[1], self.run_build("myapp", "-e", name).stdout)

    def test_labels_select(self):
        self.several()
        self.assertEqual(self.replicas("-e", "tier=prod"), {"prod-us": 3, "prod-eu": 4})
        self.assertEqual(self.replicas("-e", "tier!=test", "-e", "staging"), {"staging": 1, "prod-us": 3, "prod-eu": 4})
        self.assertEqual(self.deployment("myapp", "-e", "tier=prod,region=eu")["spec"]["replicas"], 4)
        self.refused("myapp", "-e", "tier=none", says=["no environment with tier=none", "tier=prod, tier=test"])
        self.refused("myapp", "-e", "=x", says=["KEY=VALUE"])

    def test_split_makes_a_folder_each(self):
        self.several()
        self.run_build("myapp", "--all-environments", "--split", "--out-dir", "out")
        files = sorted(str(path.relative_to(self.folder / "apps/out")) for path in (self.folder / "apps/out").rglob("*.yaml"))
        self.assertEqual(files, ["prod-eu/deployment-web.yaml", "prod-us/deployment-web.yaml", "staging/deployment-web.yaml"])
        self.run_build("myapp", "-e", "staging", "--split", "--out-dir", "one")
        self.assertTrue((self.folder / "apps/one/deployment-web.yaml").exists())

    def test_output_is_told_as_that_of_modules(self):
        """All flags of `mod build` that say how the result is written, or what is wrong."""
        flags = {name: set(re.findall(r"--[a-z-]+", self.opm(*name.split(), "--help").stdout)) for name in ("mod build", "build")}
        about_the_input = {"--name", "--release-name", "--namespace", "--values", "--watch"}
        self.assertEqual(flags["mod build"] - about_the_input - flags["build"], set())
        self.several()
        redacted = self.run_build("myapp", "-e", "staging", "--redact", "-o", "json")
        self.assertEqual(json.loads(redacted.stdout)[0]["kind"], "Deployment")

    def test_errors_for_programs(self):
        self.project(ONE, self.myapp('staging: {platform: platforms.one, namespace: "s", values: bogus: 1}\nprod: {platform: platforms.one, namespace: "p"}\n'))
        wrong = json.loads(self.run_build("myapp", "-e", "staging", "--output-errors", "json", code=2).stderr)
        self.assertEqual((wrong["path"], wrong["positions"][0]["file"]), ("values.bogus", "./releases.cue"))
        self.assertIn('environment "staging"', json.loads(self.run_build("myapp", "--all-environments", "--output-errors", "json", code=2).stderr)["message"])
        self.assertTrue(self.run_build("myapp", "-e", "staging", "--output-errors", "github", code=2).stderr.startswith("::error "))
        self.assertIn("stagin", json.loads(self.run_build("myapp", "-e", "stagin", "--output-errors", "json", code=2).stderr)["message"])

    def test_problems_name_their_environment(self):
        self.project(ONE, self.myapp('staging: {platform: platforms.one, namespace: "s", values: bogus: 1}\nprod: {platform: platforms.one, namespace: "p"}\n'))
        self.refused("myapp", "--all-environments", says=['environment "staging": '])

    def test_platforms_are_found_above_and_outside_of_the_module(self):
        self.project(None, self.myapp(entry("staging", 'namespace: "s"')))
        self.write(".opm/platform.cue", PLATFORMS % ONE)
        self.assertEqual(self.deployment("myapp", "-e", "staging")["metadata"]["namespace"], "s")

    def test_the_configuration_of_the_user_is_no_folder_of_platforms(self):
        self.project(None, self.myapp("", 'metadata: {name: "myapp", namespace: "default"}'))
        self.opm("config", "init", env={"HOME": str(self.folder)})
        self.run_build("myapp", env={"HOME": str(self.folder)})

    def test_a_package_with_platforms_of_its_own(self):
        self.project('"one": kubeContext: "wrong"', self.myapp(entry("staging", 'namespace: "s"')) + '\nplatforms: one: core.#Platform & {kubeContext: "own"}\n')
        self.deployment("myapp", "-e", "staging")
        self.assertEqual(json.loads(self.run_build("-o", "json").stdout)[0]["environments"][0]["kubeContext"], "own")

    def test_lists(self):
        self.several()
        cwd = self.folder / "apps"
        listed = json.loads(self.opm("env", "list", "-o", "json", cwd=cwd).stdout)
        self.assertEqual([item["environment"] for item in listed], ["staging", "prod-us", "prod-eu"])
        self.assertEqual(listed[2]["labels"], {"tier": "prod", "region": "eu"})
        self.assertEqual(json.loads(self.opm("platform", "list", "-o", "json", cwd=cwd).stdout), [{"platform": "one", "kubeContext": "kind-one"}])
        self.opm("env", "list", "other", cwd=cwd, code=2)

    def test_another_folder(self):
        self.several()
        self.assertEqual(len(json.loads(self.opm("build", "-C", "apps", "-o", "json", cwd=self.folder).stdout)), 1)

    def test_differences_of_environments(self):
        self.several()
        run = self.opm("diff", "myapp", "-e", "prod-us", "--against", "prod-eu", cwd=self.folder / "apps", code=1)
        self.assertIn("spec.replicas", run.stdout)
        self.assertNotIn("spec.template.spec.containers", run.stdout)
        same = self.opm("diff", "myapp", "-e", "prod-us", "--against", "prod-us", cwd=self.folder / "apps", code=0)
        self.assertEqual(same.stdout, "")

    def test_what_the_release_adds_stays(self):
        self.project(ONE, self.myapp(entry("staging", 'namespace: "s", values: replicaCount: 7'),
                                     metadata='metadata: {name: "myapp", labels: team: "blue", annotations: note: values.image}',
                                     more='components: web: metadata: annotations: "example.com/owner": "ops"'))
        deployed = self.deployment("myapp", "-e", "staging")
        self.assertEqual(deployed["metadata"]["labels"]["team"], "blue")
        self.assertEqual(deployed["metadata"]["annotations"]["note"], "myapp:v2")
        self.assertEqual(deployed["metadata"]["annotations"]["example.com/owner"], "ops")
        self.assertEqual(deployed["spec"]["replicas"], 7)

    def test_labels_and_annotations_of_the_environment(self):
        self.project(ONE, self.myapp('staging: {metadata: {name: "stage", labels: tier: "test", annotations: why: "try"}, platform: platforms.one, namespace: "s"}\n'))
        deployed = self.deployment("myapp", "-e", "staging")
        labels = deployed["metadata"]["labels"]
        self.assertEqual((labels["tier"], labels["environment.opmodel.dev/name"]), ("test", "stage"))
        # The key is what -e names, and what the identity is made of.
        self.assertEqual(labels["module-release.opmodel.dev/environment"], "staging")
        self.assert_identity(deployed, FQN + "Myapp", "myapp", "s", "staging")
        self.assertEqual(deployed["metadata"]["annotations"]["why"], "try")

    def test_jobs_can_be_dumped(self):
        self.several()
        self.run_build("myapp", "-e", "staging", "--dump-jobs", "jobs")
        self.assertTrue(list((self.folder / "apps/jobs/jobs").glob("*.cue")))


KUBECONFIG = """apiVersion: v1
kind: Config
current-context: near
clusters: [{name: nowhere, cluster: {server: "http://127.0.0.1:1"}}]
users: [{name: somebody, user: {token: secret}}]
contexts:
  - {name: near, context: {cluster: nowhere, user: somebody}}
  - {name: far, context: {cluster: nowhere, user: somebody}}
"""


class Contexts(Project):
    """Which cluster it is, before anything is done to one. The only one here cannot be reached, so that nothing is."""

    UNREACHABLE = 3

    def setUp(self):
        super().setUp()
        self.write("kubeconfig", KUBECONFIG)
        self.project('"one": kubeContext: "far"\n"lost": kubeContext: "nowhere"',
                     self.myapp(entry("staging", 'namespace: "s"') + entry("lost", 'namespace: "l"', "lost", "lost"))
                     + '\nplain: core.#ModuleRelease & {metadata: {name: "plain", namespace: "p"}, #module: myappModule, values: image: "i"}\n')

    def ask(self, command, *arguments, code):
        run = self.opm(command, *arguments, code=code, cwd=self.folder / "apps", env={"KUBECONFIG": str(self.folder / "kubeconfig")})
        self.assertEqual(run.stdout, "")
        return run.stderr

    def test_a_context_that_the_kubeconfig_does_not_have(self):
        for command, code in (("apply", 1), ("diff", 2), ("status", 1), ("delete", 1)):
            says = self.ask(command, "myapp", "-e", "lost", code=code)
            self.assertIn('has no context "nowhere"', says)
            self.assertIn('there are "far", "near"', says)
            self.assertNotIn("context: ", says)

    def test_the_context_is_told_before_the_cluster_is_asked(self):
        for command in ("apply", "diff", "status", "delete"):
            says = self.ask(command, "myapp", "-e", "staging", code=self.UNREACHABLE)
            self.assertEqual(says.splitlines()[0], "context: far")
            self.assertIn("cannot reach", says)

    def test_it_is_the_one_that_is_used(self):
        self.assertIn("context: near\n", self.ask("apply", "myapp", "-e", "staging", "--context", "near", code=self.UNREACHABLE))
        self.assertIn("context: near\n", self.ask("apply", "plain", code=self.UNREACHABLE))

    def test_another_than_was_confirmed_stops(self):
        for command in ("apply", "diff", "status", "delete"):
            says = self.ask(command, "myapp", "-e", "staging", "--confirm-context", "near", code=2)
            self.assertIn('the context is "far", and --confirm-context says "near"', says)
            self.assertNotIn("cannot reach", says)
        self.ask("apply", "myapp", "-e", "staging", "--context", "near", "--confirm-context", "far", code=2)
        self.ask("apply", "plain", "--confirm-context", "far", code=2)
        self.ask("apply", "plain", "--confirm-context", "near", code=self.UNREACHABLE)

    def test_building_goes_nowhere_and_can_be_stopped_too(self):
        self.refused("myapp", "-e", "staging", "--confirm-context", "near", says=['the context is "far"'])
        self.run_build("myapp", "-e", "staging", "--confirm-context", "far")


if __name__ == "__main__":
    workbench.main()
