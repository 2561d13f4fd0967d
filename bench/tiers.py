"""Values in three tiers: `opm mod build` with files of a platform operator and an end user, beside `helm template` with as many
files, and what it takes to see who set what."""

import pathlib
import shutil
import sys

import measure
import rendering

COMPONENTS = 10


def run(bench, folder):
    print("  (v) values in three tiers", file=sys.stderr)
    work = pathlib.Path(folder) / "tiers"
    module = str(rendering.make_module(work / "module", COMPONENTS))
    platform, user = work / "platform.yaml", work / "user.yaml"
    platform.write_text("replicas: 3\n", encoding="utf-8")
    user.write_text("image: nginx:1.30\n", encoding="utf-8")
    plain = [bench.opm, "mod", "build", module]
    tiers = ["--platform", str(platform), "--user", str(user)]
    alone, tiered, inspected = measure.in_turns([plain, [*plain, *tiers], [bench.opm, "values", "inspect", module, *tiers]], work, "",
                                                bench.budget, bench.least)
    more = 100 * (tiered.seconds / alone.seconds - 1)
    title = f"(v) `mod build` with values in three tiers, {COMPONENTS} components"
    bench.rows.append((title, tiered, None, f"{more:+.0f} % of the build's {alone.seconds * 1000:.1f} ms without", ""))
    bench.rows.append((f"(v) `values inspect`, {COMPONENTS} components", inspected, None, "", ""))
    helm = shutil.which("helm")
    if helm:
        chart = str(rendering.make_chart(work / "chart", COMPONENTS))
        other = [helm, "template", "bench", chart, "-f", str(platform), "-f", str(user)]
        ours, theirs = measure.in_turns([[*plain, *tiers], other], work, "", bench.budget, bench.least)
        bench.rows.append((title + ", beside `helm template` with two files", ours, theirs, "", ""))
