"""Environments of one release: `opm build -e ENV` beside `opm build --all-environments` of fifty. What does not depend on the
environment is done once, so the second is to take at most three times what the first does."""

import pathlib
import sys

import measure
import rendering

ENVIRONMENTS = 50
WANTED = 3

RELEASES = """package releases

import (
	"opmodel.dev/core@v0"
	module "bench.test/module:main"
)

platforms: one: core.#Platform & {{kubeContext: "kind-one", context: defaultStorageClass: "fast"}}

bench: core.#ModuleRelease & {{
	metadata: name: "bench"
	#module: module
	values: {{image: "nginx:1.29", replicas: 2}}
	environments: {{
{environments}
	}}
}}
"""


def make_releases(folder, components):
    module = rendering.make_module(folder, components)
    inner = "\n".join(f'\t\t"e{number}": {{platform: platforms.one, namespace: "n{number}", values: replicas: {number + 1}}}'
                      for number in range(ENVIRONMENTS))
    target = module / "releases"
    target.mkdir()
    (target / "releases.cue").write_text(RELEASES.format(environments=inner), encoding="utf-8")
    return target


def run(bench, folder):
    for components in (1, 10):
        print(f"  (e) {components} components", file=sys.stderr)
        where = make_releases(pathlib.Path(folder) / "environments" / str(components), components)
        command = [bench.opm, "build", "-C", str(where), "bench"]
        one, all_of_them = measure.in_turns([[*command, "-e", "e0"], [*command, "--all-environments"]], where, "", bench.budget, bench.least)
        note = f"{all_of_them.seconds / one.seconds:.1f}× one environment; at most {WANTED}× is wanted"
        bench.rows.append((f"(e) `build` of {components} components, one environment of {ENVIRONMENTS}", one, None, "", ""))
        bench.rows.append((f"(e) `build --all-environments` of {components} components, {ENVIRONMENTS} of them", all_of_them, None, note, ""))
        explain = [bench.opm, "explain", "-C", str(where), "--release", "bench", "-e", "e0", "deployment/c0", "spec.replicas"]
        one, explained = measure.in_turns([[*command, "-e", "e0"], explain], where, "", bench.budget, bench.least, 101)
        bench.rows.append((f"(e) `explain` of {components} components, one environment of {ENVIRONMENTS}", explained, None, rendering.costs(explained, one), ""))
