"""Releases on a real API server of this machine, opm beside kubectl in turns: applying, comparing and deleting 100 objects; how many
requests a status takes; how much memory 1,000 objects take. The servers are those of tests/cluster, which scripts/tools builds."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import measure

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAMS = ("etcd", "kube-apiserver", "kube-controller-manager", "kubectl")
OBJECTS, MANY = 100, 1000
MEMORY_WANTED = 100  # megabytes
# opm's command, kubectl's arguments, what is wanted, what is done.
COMPARED = {
    "apply": (["apply", "--server-side"], 2.0, f"`apply` of {OBJECTS} objects, dry run and inventory included"),
    "diff": (["diff", "--server-side"], 1.5, f"`diff` of {OBJECTS} objects"),
    "delete": (["delete", "--wait"], 4.0, f"`delete` of {OBJECTS} objects until they are gone, opm with their Pods"),
}


def find_programs():
    """Puts where they are into the environment; what is wrong, where they cannot be had."""
    for program in PROGRAMS:
        variable = "OPM_TEST_" + program.upper().replace("-", "_")
        if os.environ.get(variable):
            continue
        found = subprocess.run([ROOT / "scripts/tools", program], capture_output=True, text=True, check=False)
        if found.returncode != 0:
            return f"scripts/tools has no {program}"
        os.environ[variable] = found.stdout.strip()
    return ""


def row(title, ours, theirs, wanted):
    """A line of the table, from the seconds that each round took."""
    opm, kubectl = statistics.median(ours), statistics.median(theirs)
    return [title, f"{opm:.2f} s", f"{kubectl:.2f} s", f"{kubectl / opm:.1f}×", f"{wanted:g}×"]


class Rounds:
    """Times both programs on one cluster."""

    def __init__(self, opm, cluster, folder):
        from releases import ReleaseTest, config_map, deployment, secret, service  # it needs the servers
        self.kinds = (deployment, service, config_map, secret)
        self.opm, self.cluster = opm, cluster
        self.bench = ReleaseTest()  # only for its modules; it tests nothing
        self.bench.cluster, self.bench.work = cluster, pathlib.Path(folder)
        self.times = {name: ([], []) for name in COMPARED}

    def given(self, namespace, count):
        deployment, service, config_map, secret = self.kinds
        self.bench.namespace = self.cluster.create_namespace(namespace)
        self.bench.given(*[item for i in range(count // 4) for item in (
            deployment(f"web-{i}", replicas=1), service(f"web-{i}"), config_map(f"settings-{i}", text="some text\n" * 20),
            secret(f"keys-{i}", password="x" * 30))])

    def command(self, name):
        settings = self.bench.environment(KUBECONFIG=str(self.cluster.kubeconfig))
        return ["/usr/bin/env", *(f"{key}={value}" for key, value in settings.items()), self.opm, "mod", name,
                str(self.bench.work / "thing"), "--config", str(self.bench.work / "config/config.cue")]

    def time(self, name, side, command, codes=(0,)):
        measured = measure.run_once(command, self.bench.work)
        assert measured.code in codes, (command, measured.code)
        if side is not None:
            self.times[name][side].append(measured.seconds)

    def run(self, number):
        """One of each; the first, which warms caches, does not count."""
        for side in (0, 1):
            self.given(f"round-{number}-{side}", OBJECTS)
            manifest = self.bench.write("all.yaml", subprocess.run(
                self.command("build"), capture_output=True, text=True, check=True, cwd=self.bench.work).stdout)
            for name, (arguments, _, _) in COMPARED.items():
                kubectl = ["/usr/bin/env", f"HOME={self.cluster.folder}", os.environ["OPM_TEST_KUBECTL"],
                           f"--kubeconfig={self.cluster.kubeconfig}", f"--cache-dir={self.cluster.folder / 'kubectl'}",
                           *arguments, "-f", str(manifest)]
                # kubectl finds differences in what it has just applied, where controllers wrote something.
                self.time(name, side if number else None, kubectl if side else self.command(name), (0, 1) if name == "diff" else (0,))
                time.sleep(2)  # so that controllers are done

    def status_requests(self, count):
        self.given(f"status-{count}", count)
        self.time("apply", None, self.command("apply"))
        time.sleep(1)
        since = self.cluster.audit_position()
        measure.run_once(self.command("status"), self.bench.work)
        requests = len(self.cluster.audit(since, user="admin"))
        self.time("delete", None, self.command("delete"))
        return requests

    def memory(self):
        """Megabytes by command, at many objects."""
        deployment, _, config_map, _ = self.kinds
        self.bench.namespace = self.cluster.create_namespace("many")
        # Addresses of services would run out, and controllers of so many pods would be what is measured.
        self.bench.given(*[item for i in range(MANY // 2) for item in (
            deployment(f"web-{i}", replicas=0), config_map(f"settings-{i}", text="text\n" * 40))])
        return {name: measure.run_once(self.command(name), self.bench.work).peak_megabytes
                for name in ("apply", "diff", "status", "delete")}


def run(bench):
    problem = find_programs()
    if problem:
        print(f"  (k) NOT MEASURED: {problem}", file=sys.stderr)
        bench.cluster_rows.append([f"not measured: {problem}", "–", "–", "–", "–"])
        return
    sys.path.insert(0, str(ROOT / "tests" / "cluster"))
    sys.modules.pop("fixture", None)  # that of another folder, which part (d) uses
    from cluster import Cluster
    with Cluster() as cluster, tempfile.TemporaryDirectory() as folder:
        rounds = Rounds(bench.opm, cluster, folder)
        for number in range(1 + (2 if bench.least < 7 else 5)):
            print(f"  (k) round {number}", file=sys.stderr)
            rounds.run(number)
        for name, (_, wanted, title) in COMPARED.items():
            bench.cluster_rows.append(row(title, *rounds.times[name], wanted))
        print("  (k) requests and memory", file=sys.stderr)
        few, more = (rounds.status_requests(count) for count in (OBJECTS // 5, OBJECTS))
        bench.cluster_rows.append([f"`status` of {OBJECTS} objects of 4 kinds, requests", str(more), "–", "–",
                                   f"as of {OBJECTS // 5}, which are {few}"])
        for name, megabytes in rounds.memory().items():
            bench.cluster_rows.append([f"`{name}` of {MANY:,} objects, peak memory", f"{megabytes:.0f} MB", "–", "–",
                                       f"{MEMORY_WANTED} MB"])
