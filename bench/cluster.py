#!/usr/bin/env python3
"""Times on a real API server of this machine, opm beside kubectl in turns: applying, comparing and deleting 100 objects; how
many requests a status takes; how much memory 1,000 objects take. `bench/cluster.py [--rounds N]`, with the programs that
scripts/suites/47-cluster names in the environment, or those that `scripts/tools` has built."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "cluster"))
for program in ("etcd", "kube-apiserver", "kube-controller-manager", "kubectl"):
    variable = "OPM_TEST_" + program.upper().replace("-", "_")
    if not os.environ.get(variable):
        os.environ[variable] = subprocess.run([ROOT / "scripts/tools", program], check=True, capture_output=True, text=True).stdout.strip()

from cluster import Cluster  # noqa: E402  (it needs the environment)
from releases import ReleaseTest, config_map, deployment, secret, service  # noqa: E402


class Bench(ReleaseTest):
    """Only for its modules; it tests nothing."""

    def runTest(self):
        pass


def objects(count):
    quarter = count // 4
    return [item for i in range(quarter) for item in (
        deployment(f"web-{i}", replicas=1), service(f"web-{i}"), config_map(f"settings-{i}", text="some text\n" * 20),
        secret(f"keys-{i}", password="x" * 30))]


def timed(action, *arguments, **settings):
    begun = time.monotonic()
    action(*arguments, **settings)
    return time.monotonic() - begun


def peak_memory(bench, *arguments):
    """In megabytes."""
    process = subprocess.Popen([os.environ.get("OPM_TEST_OPM", ROOT / "build/release/opm"), "mod", *arguments],
                               stdout=subprocess.DEVNULL, cwd=bench.work,
                               env=bench.environment(KUBECONFIG=str(bench.cluster.kubeconfig)))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    assert status == 0, (arguments, status)
    return usage.ru_maxrss / 1024


def report(times, requests, rounds):
    print(f"{rounds} rounds, medians\n\n| 100 objects | opm | kubectl | ratio |\n|---|---|---|---|")
    for name, (ours, theirs) in times.items():
        a, b = statistics.median(ours), statistics.median(theirs)
        print(f"| {name} | {a:.2f} s | {b:.2f} s | {b / a:.1f}× |")
    print(f"\nstatus of 100 objects of 4 kinds, some of them not ready: {statistics.median(requests):.0f} requests")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    times = {name: ([], []) for name in ("apply", "diff", "delete")}
    with Cluster() as cluster, tempfile.TemporaryDirectory() as folder:
        bench = Bench()
        bench.cluster, bench.work = cluster, pathlib.Path(folder)
        requests = []
        for number in range(rounds):
            for is_opm in (True, False):
                bench.namespace = cluster.create_namespace(f"{'opm' if is_opm else 'kubectl'}-{number}")
                bench.given(*objects(100))
                if is_opm:
                    times["apply"][0].append(timed(bench.mod, "apply"))
                    time.sleep(2)  # so that controllers are done
                    times["diff"][0].append(timed(bench.mod, "diff"))
                    since = cluster.audit_position()
                    bench.mod("status", code=None)
                    requests.append(len(cluster.audit(since, user="admin")))
                    times["delete"][0].append(timed(bench.mod, "delete"))
                    continue
                manifest = bench.write("all.yaml", bench.mod("build").stdout)
                times["apply"][1].append(timed(cluster.kubectl, "apply", "--server-side", "-f", str(manifest)))
                time.sleep(2)
                times["diff"][1].append(timed(cluster.kubectl, "diff", "--server-side", "-f", str(manifest), check=False))
                times["delete"][1].append(timed(cluster.kubectl, "delete", "--wait", "-f", str(manifest)))
        bench.namespace = cluster.create_namespace("large")
        # Addresses of services run out here, and controllers of so many pods would be what is measured.
        bench.given(*[item for i in range(500) for item in (deployment(f"web-{i}", replicas=0), config_map(f"settings-{i}", text="text\n" * 40))])
        report(times, requests, rounds)
        memory = {command: peak_memory(bench, command, str(bench.work / "thing"), "--config", str(bench.work / "config/config.cue"))
                  for command in ("apply", "diff")}
    print("memory at 1,000 objects: " + ", ".join(f"{name} {megabytes:.0f} MB" for name, megabytes in memory.items()))


if __name__ == "__main__":
    main()
