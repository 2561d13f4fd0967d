"""What the tests of releases share: modules that render just the objects that a test gives, and a look at the cluster from
the server's side."""

import base64
import json
import pathlib
import sys

from fixture import ROOT, ClusterTest

# Behind our own folder: both have tests of the same name.
sys.path.append(str(ROOT / "tests" / "render"))
from workbench import CONTAINER, module_file  # noqa: E402  (it stands in another folder)

EXAMPLES = ROOT / "examples"


def app_release(environments):
    """A package with the release "app" of example.com/apps/app in these environments."""
    return """package apps

import (
	"opmodel.dev/core@v0"
	appModule "example.com/apps/app"
)

app: core.#ModuleRelease & {
	metadata: name: "app"
	#module: appModule
	values: image: "nginx:1"
	environments: {%s}
}
""" % environments


MODULE = """package main

import (
	"opmodel.dev/core@v0"
	"opmodel.dev/resources/workload@v0"
)

core.#Module

metadata: {
	apiVersion:       "example.com/modules@v0"
	name:             "thing"
	version:          "%(version)s"
	defaultNamespace: "%(namespace)s"
}

#config: note: string
values: #config

_use: workload.#Container
#components: {
	for name in %(components)s {
		(name): {
			workload.#Container
			metadata: labels: "core.opmodel.dev/workload-type": "stateless"
			spec: container: {name: "main", image: "nginx:1", env: NOTE: value: #config.note}
		}
	}
}
"""

CONFIG = """package config

import "opmodel.dev/core@v0"

_objects: %(objects)s

config: providers: kubernetes: {
	metadata: {name: "test", version: "1.0.0", description: "Gives what a test says"}
	transformers: "example.com/transformers@v0#Given": {
		apiVersion: "opmodel.dev/core/v0"
		kind:       "Transformer"
		metadata: {apiVersion: "example.com/transformers@v0", name: "given", description: "Gives what a test says"}
		requiredResources: "%(container)s": _
		#transform: {
			#component: _
			#context:   core.#TransformerContext
			output: [for object in _objects[#component.metadata.name] {
				object
				metadata: labels: #context.labels
			}]
		}
	}
}
"""

PLURALS = {"ConfigMap": "/api/v1/namespaces/{}/configmaps", "Secret": "/api/v1/namespaces/{}/secrets",
           "Service": "/api/v1/namespaces/{}/services", "Deployment": "/apis/apps/v1/namespaces/{}/deployments",
           "StatefulSet": "/apis/apps/v1/namespaces/{}/statefulsets", "Job": "/apis/batch/v1/namespaces/{}/jobs",
           "PersistentVolumeClaim": "/api/v1/namespaces/{}/persistentvolumeclaims",
           "Pod": "/api/v1/namespaces/{}/pods", "ReplicaSet": "/apis/apps/v1/namespaces/{}/replicasets",
           "DaemonSet": "/apis/apps/v1/namespaces/{}/daemonsets", "CronJob": "/apis/batch/v1/namespaces/{}/cronjobs",
           "NetworkPolicy": "/apis/networking.k8s.io/v1/namespaces/{}/networkpolicies",
           "Ingress": "/apis/networking.k8s.io/v1/namespaces/{}/ingresses",
           "ServiceAccount": "/api/v1/namespaces/{}/serviceaccounts"}


def config_map(name, **data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


def secret(name, **data):
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "stringData": data}


def deployment(name, replicas=1, image="nginx:1", **more):
    labels = {"app": name}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name},
            "spec": {"replicas": replicas, "selector": {"matchLabels": labels}, "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "main", "image": image, "ports": [{"containerPort": 80}]}]}}, **more}}


def service(name, port=80):
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name},
            "spec": {"selector": {"app": name}, "ports": [{"name": "http", "port": port}]}}


def definition(plural="widgets", kind="Widget", group="example.com"):
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{group}"},
            "spec": {"group": group, "scope": "Namespaced",
                     "names": {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": kind + "List"},
                     "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {
                         "type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}}


def objects_by_weight(namespace):
    """An object of every kind that has a weight, and a custom resource: for each weight a list of what the server calls the kind
    and the object. Those of the whole cluster are named after the namespace."""
    mark = namespace[-4:]
    pod = {"restartPolicy": "Never", "containers": [{"name": "a", "image": "b"}]}
    template = {"metadata": {"labels": {"app": "x"}}, "spec": {"containers": [{"name": "a", "image": "b"}]}}
    labels = {"selector": {"matchLabels": {"app": "x"}}, "template": template}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "web"}

    def simple(api, kind, name="web", **more):
        return {"apiVersion": api, "kind": kind, "metadata": {"name": name}, **more}

    rbac, admission = "rbac.authorization.k8s.io/v1", "admissionregistration.k8s.io/v1"
    group = f"w{mark}.example.com"
    # For a kind that nobody has, so that nobody is asked.
    hook = {"name": "none.example.com", "clientConfig": {"url": "https://127.0.0.1:1/none"}, "sideEffects": "None",
            "admissionReviewVersions": ["v1"], "failurePolicy": "Ignore", "rules": [
                {"apiGroups": ["none.example.com"], "apiVersions": ["v1"], "resources": ["nothings"], "operations": ["CREATE"]}]}
    # By weight; those of one weight go at the same time.
    weights = [
        [("customresourcedefinitions", definition(group=group))],
        [("clusterroles", simple(rbac, "ClusterRole", namespace, rules=[])),
         ("clusterrolebindings", simple(rbac, "ClusterRoleBinding", namespace, subjects=[], roleRef={
             **role, "kind": "ClusterRole", "name": namespace})),
         ("resourcequotas", simple("v1", "ResourceQuota", spec={"hard": {"pods": "100"}})),
         ("limitranges", simple("v1", "LimitRange", spec={"limits": [{"type": "Pod", "max": {"cpu": "4"}}]}))],
        [("serviceaccounts", simple("v1", "ServiceAccount")), ("roles", simple(rbac, "Role", rules=[])),
         ("rolebindings", simple(rbac, "RoleBinding", subjects=[], roleRef=role))],
        [("secrets", secret("web", a="b")), ("configmaps", config_map("web"))],
        [("storageclasses", simple("storage.k8s.io/v1", "StorageClass", namespace, provisioner="example.com/none")),
         ("persistentvolumes", simple("v1", "PersistentVolume", namespace, spec={
             "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/x"}})),
         ("persistentvolumeclaims", simple("v1", "PersistentVolumeClaim", spec={
             "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}))],
        [("services", service("web"))],
        [("daemonsets", simple("apps/v1", "DaemonSet", spec=labels)), ("deployments", deployment("web")),
         ("statefulsets", simple("apps/v1", "StatefulSet", spec={**labels, "serviceName": "web"})),
         ("replicasets", simple("apps/v1", "ReplicaSet", spec=labels))],
        [("jobs", simple("batch/v1", "Job", spec={"template": {"spec": pod}})),
         ("cronjobs", simple("batch/v1", "CronJob", spec={
             "schedule": "0 0 1 1 *", "jobTemplate": {"spec": {"template": {"spec": pod}}}}))],
        [("ingresses", simple("networking.k8s.io/v1", "Ingress", spec={
            "defaultBackend": {"service": {"name": "web", "port": {"number": 80}}}})),
         ("networkpolicies", simple("networking.k8s.io/v1", "NetworkPolicy", spec={"podSelector": {}}))],
        [("horizontalpodautoscalers", simple("autoscaling/v2", "HorizontalPodAutoscaler", spec={
            "maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}}))],
        [("validatingwebhookconfigurations", simple(admission, "ValidatingWebhookConfiguration", namespace, webhooks=[hook])),
         ("mutatingwebhookconfigurations", simple(admission, "MutatingWebhookConfiguration", namespace, webhooks=[hook]))],
        [("widgets", simple(f"{group}/v1", "Widget"))],
    ]
    return weights


class ReleaseTest(ClusterTest):
    """A test with a module in its folder, whose objects it says."""

    def write(self, path, text):
        target = self.work / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return target

    def given(self, *objects, component="main", version="1.0.0", note="x", **components):
        """The module renders these objects from now on: of one component, or by component."""
        by_component = {component: list(objects), **components} if objects or not components else components
        self.write("thing/cue.mod/module.cue", module_file("thing"))
        self.write("thing/module.cue", MODULE % {"version": version, "namespace": self.namespace,
                                                 "components": json.dumps(list(by_component))})
        self.write("thing/values.cue", f'package main\n\nvalues: note: "{note}"\n')
        self.write("config/cue.mod/module.cue", module_file("config"))
        self.write("config/config.cue", CONFIG % {"objects": json.dumps(by_component), "container": CONTAINER})

    def mod(self, command, *arguments, module="thing", **settings):
        folder = [str(self.work / module)] if module else []
        config = ["--config", str(self.work / "config/config.cue")] if module == "thing" else []
        return self.run_opm("mod", command, *folder, *config, *arguments, **settings)

    # From the server's side

    def live(self, kind, name="", namespace=None):
        path = PLURALS[kind].format(namespace or self.namespace)
        return self.cluster.get(f"{path}/{name}") if name else self.cluster.list(path)

    def names(self, kind, labels="app.kubernetes.io/managed-by=open-platform-model,!opmodel.dev/component"):
        return sorted(item["metadata"]["name"] for item in
                      self.cluster.list(PLURALS[kind].format(self.namespace), labels))

    def inventory(self, namespace=None):
        """What the inventory of the namespace's release says; None: there is none."""
        secrets = self.cluster.list(f"/api/v1/namespaces/{namespace or self.namespace}/secrets", "opmodel.dev/component=inventory")
        self.assertLessEqual(len(secrets), 1)
        if not secrets:
            return None
        content = {key: json.loads(base64.b64decode(value)) for key, value in secrets[0]["data"].items()}
        return {"secret": secrets[0], **content, "changes": [content[f"change-sha1-{one}"] for one in content["index"]]}

    def versions(self, namespace=None):
        """The resourceVersion of everything that is in the namespace and not made by controllers."""
        found = {}
        for kind, path in PLURALS.items():
            for item in self.cluster.list(path.format(namespace or self.namespace)):
                meta = item["metadata"]
                if meta.get("ownerReferences") or meta["name"] in ("default", "kube-root-ca.crt"):
                    continue
                found[kind, meta["name"]] = meta["resourceVersion"]
        return found
