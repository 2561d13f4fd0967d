"""Makes what the benchmarks work on, below build/bench; the same bytes every time."""

import json
import os
import shutil
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "conformance"))
import txtar  # noqa: E402

DEPLOYMENTS = 100

_SCHEMA = """package deployments

import (
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	networking "k8s.io/api/networking/v1"
)

#Deployment: apps.#Deployment

deployments: [string]: #Deployment
jobs: [string]:        batch.#Job
ingresses: [string]:   networking.#Ingress
autoscalers: [string]: autoscaling.#HorizontalPodAutoscaler
"""


def deployment(number):
    """A Deployment as people write them, of about a hundred lines, with some variation between numbers."""
    name = f"service-{number:03}"
    labels = {"app.kubernetes.io/name": name, "app.kubernetes.io/part-of": f"team-{number % 7}", "tier": "backend"}
    container = {
        "name": "main",
        "image": f"registry.example.com/team-{number % 7}/{name}:1.{number}.0",
        "imagePullPolicy": "IfNotPresent",
        "args": ["serve", "--port=8080", f"--shard={number}"],
        "ports": [
            {"name": "http", "containerPort": 8080, "protocol": "TCP"},
            {"name": "metrics", "containerPort": 9090, "protocol": "TCP"},
        ],
        "env": [
            {"name": "LOG_LEVEL", "value": "info"},
            {"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
            {"name": "PASSWORD", "valueFrom": {"secretKeyRef": {"name": name, "key": "password"}}},
        ],
        "envFrom": [{"configMapRef": {"name": name + "-config"}}],
        "resources": {
            "requests": {"cpu": f"{100 + number}m", "memory": "128Mi"},
            "limits": {"cpu": "1", "memory": f"{256 + number}Mi"},
        },
        "livenessProbe": {"httpGet": {"path": "/healthz", "port": "http"}, "initialDelaySeconds": 10},
        "readinessProbe": {"httpGet": {"path": "/ready", "port": 8080}, "periodSeconds": 5},
        "volumeMounts": [
            {"name": "data", "mountPath": "/data"},
            {"name": "config", "mountPath": "/etc/app", "readOnly": True},
        ],
        "securityContext": {
            "runAsNonRoot": True,
            "readOnlyRootFilesystem": True,
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
        },
    }
    sidecar = {"name": "proxy", "image": "registry.example.com/proxy:2", "ports": [{"containerPort": 15001}]}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": name,
            "namespace": f"team-{number % 7}",
            "labels": labels,
            "annotations": {"revision": str(number)},
        },
        "spec": {
            "replicas": 1 + number % 5,
            "selector": {"matchLabels": {"app.kubernetes.io/name": name}},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}},
            "template": {
                "metadata": {"labels": labels},
                "spec": {
                    "serviceAccountName": name,
                    "terminationGracePeriodSeconds": 30,
                    "initContainers": [{"name": "migrate", "image": container["image"], "args": ["migrate"]}],
                    "containers": [container, sidecar] if number % 3 == 0 else [container],
                    "volumes": [
                        {"name": "data", "persistentVolumeClaim": {"claimName": name}},
                        {"name": "config", "configMap": {"name": name + "-config", "defaultMode": 420}},
                    ],
                    "affinity": {
                        "podAntiAffinity": {
                            "preferredDuringSchedulingIgnoredDuringExecution": [
                                {
                                    "weight": 100,
                                    "podAffinityTerm": {
                                        "topologyKey": "kubernetes.io/hostname",
                                        "labelSelector": {"matchLabels": {"app.kubernetes.io/name": name}},
                                    },
                                }
                            ]
                        }
                    },
                    "tolerations": [
                        {"key": "dedicated", "operator": "Equal", "value": "apps", "effect": "NoSchedule"}
                    ],
                },
            },
        },
    }


def yaml_lines(value, indent=""):
    """Block YAML of a tree of maps, lists and scalars."""
    if isinstance(value, dict):
        for key, child in value.items():
            if isinstance(child, (dict, list)):
                yield f"{indent}{json.dumps(key) if '/' in key else key}:"
                yield from yaml_lines(child, indent + "  ")
            else:
                yield f"{indent}{json.dumps(key) if '/' in key else key}: {json.dumps(child)}"
    else:
        for child in value:
            if isinstance(child, (dict, list)):
                first, *rest = yaml_lines(child, indent + "  ")
                yield f"{indent}- {first.lstrip()}"
                yield from rest
            else:
                yield f"{indent}- {json.dumps(child)}"


def _write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def make_deployments(folder, kubernetes):
    """A module with the Kubernetes types, a package with only the schema, and one with the data in CUE as well."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(kubernetes, folder)
    documents = [deployment(number) for number in range(DEPLOYMENTS)]
    _write(os.path.join(folder, "schema", "schema.cue"), _SCHEMA)
    _write(os.path.join(folder, "release", "schema.cue"), _SCHEMA)
    data = {document["metadata"]["name"]: document for document in documents}
    _write(
        os.path.join(folder, "release", "data.cue"),
        "package deployments\n\ndeployments: " + json.dumps(data, indent="\t") + "\n",
    )
    _write(
        os.path.join(folder, "data.yaml"),
        "---\n".join("\n".join(yaml_lines(document)) + "\n" for document in documents),
    )
    return folder


def make_benchmark_cases(folder, corpus):
    """CUE's own benchmark inputs, a folder each: (name, folder, files to name on the command line)."""
    shutil.rmtree(folder, ignore_errors=True)
    source = os.path.join(corpus, "cue/testdata/benchmarks")
    cases = []
    for file in sorted(os.listdir(source)):
        if not file.endswith(".txtar"):
            continue
        archive = txtar.read(os.path.join(source, file))
        inputs = {name: text for name, text in archive.files.items() if not name.startswith(("out/", "diff/"))}
        name = file.removesuffix(".txtar")
        target = os.path.join(folder, name)
        os.makedirs(target)
        txtar.Archive(files=inputs).write_to(target)
        cases.append((name, target, [path for path in inputs if path.endswith(".cue") and "/" not in path]))
    return cases


def make_sources(folder, corpus, kubernetes):
    """Two folders of CUE files to parse and format: the Kubernetes types, and every file of CUE's own test suite."""
    shutil.rmtree(folder, ignore_errors=True)
    types = os.path.join(folder, "kubernetes")
    shutil.copytree(os.path.join(kubernetes, "cue.mod", "gen"), types)
    suite = os.path.join(folder, "suite")
    os.makedirs(suite)
    testdata = os.path.join(corpus, "cue/testdata")
    for parent, folders, files in os.walk(testdata):
        folders.sort()
        for file in sorted(files):
            if not file.endswith(".txtar"):
                continue
            prefix = os.path.relpath(os.path.join(parent, file), testdata).removesuffix(".txtar").replace("/", "_")
            for name, text in txtar.read(os.path.join(parent, file)).files.items():
                if name.endswith(".cue") and not name.startswith(("out/", "diff/", "cue.mod/")):
                    with open(os.path.join(suite, f"{prefix}_{name.replace('/', '_')}"), "wb") as out:
                        out.write(text)
    return types, suite


def cue_files(folder):
    found = []
    for parent, folders, files in os.walk(folder):
        folders.sort()
        found.extend(os.path.join(parent, file) for file in sorted(files) if file.endswith(".cue"))
    return found
