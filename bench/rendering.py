"""Rendering modules: `opm mod build` beside `cue export` of the same work, which is what --dump-jobs writes, and beside
`helm template` of a chart and `kubectl kustomize` of a folder that make as many objects, where there are a helm and a kubectl."""

import math
import pathlib
import shutil
import subprocess
import sys

import inputs
import measure

REPOSITORY = pathlib.Path(inputs.__file__).resolve().parent.parent
SIZES = [1, 10, 100, 1000]
# From this on the others take seconds, so that they are run a few times only.
LARGE = 1000

COMPONENT = """
#components: "c{number}": {{
	workload.#Container
	workload_traits.#Scaling
	network.#Expose
	metadata: labels: "core.opmodel.dev/workload-type": "stateless"
	spec: {{
		container: {{
			name:  "c{number}"
			image: #config.image
			ports: http: targetPort: 8080
			env: {{
				LOG_LEVEL: value: "info"
				NUMBER: value:    "{number}"
			}}
			resources: {{
				cpu: {{request: 0.1, limit: 1}}
				memory: {{request: "128Mi", limit: "256Mi"}}
			}}
		}}
		scaling: count: #config.replicas
		expose: ports: http: {{targetPort: 8080, exposedPort: 80}}
	}}
}}
"""

CHART = """{{- range $number := until (int .Values.components) }}
---
apiVersion: v1
kind: Service
metadata:
  name: c{{ $number }}
  namespace: {{ $.Release.Namespace }}
  labels: {app.kubernetes.io/name: c{{ $number }}, app.kubernetes.io/instance: {{ $.Release.Name }}}
spec:
  selector: {app.kubernetes.io/name: c{{ $number }}}
  ports: [{name: http, port: 80, targetPort: 8080}]
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: c{{ $number }}
  namespace: {{ $.Release.Namespace }}
  labels: {app.kubernetes.io/name: c{{ $number }}, app.kubernetes.io/instance: {{ $.Release.Name }}}
spec:
  replicas: {{ $.Values.replicas }}
  selector: {matchLabels: {app.kubernetes.io/name: c{{ $number }}}}
  template:
    metadata: {labels: {app.kubernetes.io/name: c{{ $number }}}}
    spec:
      containers:
        - name: c{{ $number }}
          image: {{ $.Values.image | quote }}
          ports: [{name: http, containerPort: 8080}]
          env: [{name: LOG_LEVEL, value: info}, {name: NUMBER, value: {{ $number | quote }}}]
          resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {cpu: "1", memory: 256Mi}}
{{- end }}
"""


def _write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_module(folder, components):
    """A module whose every component is a Deployment and a Service."""
    shutil.rmtree(folder, ignore_errors=True)
    version = (REPOSITORY / "catalog" / "VERSION").read_text(encoding="utf-8").strip()
    deps = "".join(f'deps: "opmodel.dev/{name}@v0": v: "{version}"\n' for name in ("core", "resources", "schemas", "traits"))
    _write(folder / "cue.mod/module.cue", f'module: "bench.test/module@v0"\nlanguage: version: "v0.15.0"\n{deps}')
    _write(folder / "module.cue", 'package main\n\nimport "opmodel.dev/core@v0"\n\ncore.#Module\n\nmetadata: {\n'
           '\tapiVersion: "bench.test/modules@v0"\n\tname: "bench"\n\tversion: "1.0.0"\n\tdefaultNamespace: "bench"\n}\n\n'
           "#config: {\n\timage: string\n\treplicas: int & >=1\n}\n")
    _write(folder / "values.cue", 'package main\n\nvalues: {image: "nginx:1.29", replicas: 2}\n')
    _write(folder / "components.cue", 'package main\n\nimport (\n\t"opmodel.dev/resources/workload@v0"\n'
           '\t"opmodel.dev/traits/network@v0"\n\tworkload_traits "opmodel.dev/traits/workload@v0"\n)\n'
           + "".join(COMPONENT.format(number=number) for number in range(components)))
    return folder


def make_chart(folder, components):
    shutil.rmtree(folder, ignore_errors=True)
    _write(folder / "Chart.yaml", "apiVersion: v2\nname: bench\nversion: 1.0.0\n")
    _write(folder / "values.yaml", f"components: {components}\nimage: nginx:1.29\nreplicas: 2\n")
    _write(folder / "templates/all.yaml", CHART)
    return folder


def make_kustomization(folder, components):
    """The same objects, written out, with what kustomize is for: namespace, labels, image and replicas are set from outside."""
    shutil.rmtree(folder, ignore_errors=True)
    for number in range(components):
        name = f"c{number}"
        _write(folder / f"base/{name}.yaml", f"""apiVersion: v1
kind: Service
metadata: {{name: {name}, labels: {{app.kubernetes.io/name: {name}}}}}
spec:
  selector: {{app.kubernetes.io/name: {name}}}
  ports: [{{name: http, port: 80, targetPort: 8080}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}, labels: {{app.kubernetes.io/name: {name}}}}}
spec:
  replicas: 1
  selector: {{matchLabels: {{app.kubernetes.io/name: {name}}}}}
  template:
    metadata: {{labels: {{app.kubernetes.io/name: {name}}}}}
    spec:
      containers:
        - name: {name}
          image: app
          ports: [{{name: http, containerPort: 8080}}]
          env: [{{name: LOG_LEVEL, value: info}}, {{name: NUMBER, value: "{number}"}}]
          resources: {{requests: {{cpu: 100m, memory: 128Mi}}, limits: {{cpu: "1", memory: 256Mi}}}}
""")
    _write(folder / "base/kustomization.yaml", "resources:\n" + "".join(f"  - c{number}.yaml\n" for number in range(components)))
    replicas = "".join(f"  - {{name: c{number}, count: 2}}\n" for number in range(components))
    _write(folder / "overlay/kustomization.yaml", "resources: [../base]\nnamespace: bench\n"
           "labels: [{pairs: {app.kubernetes.io/instance: bench}}]\nimages: [{name: app, newName: nginx, newTag: '1.29'}]\n"
           f"replicas:\n{replicas}")
    return folder / "overlay"


def run(bench, folder):
    work = pathlib.Path(folder) / "rendering"
    helm = shutil.which("helm")
    if helm is None:
        print("  (r) helm is not installed: no rows beside it", file=sys.stderr)
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        print("  (r) kubectl is not installed: no rows beside kustomize", file=sys.stderr)
    measured = {}
    for size in SIZES:
        print(f"  (r) {size} components", file=sys.stderr)
        module = make_module(work / f"module{size}", size)
        command = [bench.opm, "mod", "build", str(module)]
        dump = dump_jobs(bench, module, work / f"dump{size}")
        others = {"`cue export` of its jobs": ([bench.cue, "export", "./jobs"], "r")}
        if helm:
            others["`helm template`"] = ([helm, "template", "bench", str(make_chart(work / f"chart{size}", size))], "")
        if kubectl and size < LARGE:  # where it takes most of a minute
            overlay = make_kustomization(work / f"kustomization{size}", size)
            others["`kubectl kustomize`"] = ([kubectl, "kustomize", str(overlay)], "")
        for name, (other, letter) in others.items():
            least = bench.least if size < LARGE else min(bench.least, 3)
            ours, theirs = measure.in_turns([command, other], dump, "", bench.budget, least)
            measured[size] = ours
            bench.rows.append((f"(r) `mod build`, {size} components, beside {name}", ours, theirs, "", letter))
    _growth(bench, measured, work)
    _explain(bench, work)
    _examples(bench, work)


def dump_jobs(bench, module, folder):
    """A folder in which `cue export ./jobs` makes the same resources, of components that are evaluated already."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([bench.opm, "mod", "build", str(module), "--dump-jobs", str(folder)], check=True, stdout=subprocess.DEVNULL)
    return folder


def _examples(bench, work):
    """The modules that people would start from."""
    for manifest in sorted((REPOSITORY / "examples").glob("*/cue.mod/module.cue")):
        module = manifest.parent.parent
        dump = dump_jobs(bench, module, work / f"dump-{module.name}")
        ours, theirs = measure.in_turns([[bench.opm, "mod", "build", str(module)], [bench.cue, "export", "./jobs"]], dump, "",
                                        bench.budget, bench.least)
        bench.rows.append((f"(r) `mod build` of `examples/{module.name}`, beside `cue export` of its jobs", ours, theirs, "", "r"))


def _explain(bench, work):
    """What it costs to ask where a field comes from, by what a build of the same costs."""
    for size in (10, 100):
        module = str(work / f"module{size}")
        build, explain = measure.in_turns(
            [[bench.opm, "mod", "build", module], [bench.opm, "explain", "-C", module, "deployment/c0", "spec.replicas"]],
            work, "", bench.budget, bench.least, 101)
        bench.rows.append((f"(r) `explain` of a field, {size} components", explain, None, costs(explain, build), ""))


def costs(explain, build):
    more = 100 * (explain.seconds / build.seconds - 1)
    return f"{more:+.0f} % of the build's {build.seconds * 1000:.1f} ms; at most +5 % is wanted"


def _growth(bench, measured, work):
    """Notes, as rows: how time and memory grow, and what a second thread brings."""
    small, large = measured[10], measured[1000]
    time = math.log10(large.seconds / small.seconds) / 2
    memory = math.log10(large.peak_megabytes / small.peak_megabytes) / 2 if small.peak_megabytes else 0
    module = str(work / "module1000")
    one, two = measure.in_turns([[bench.opm, "mod", "build", module, "--jobs", threads] for threads in ("1", "2")], work, "",
                                bench.budget, bench.least)
    note = f"exponents from 10 to 1,000: time {time:.2f}, memory {memory:.2f}; two threads {one.seconds / two.seconds:.2f}× one"
    bench.rows.append(("(r) growth", large, None, note, ""))
