"""What the tests of clusters share: one cluster for all of them, a namespace and a folder for each, and how opm and the
probe (a program around src/kube) are run."""

import atexit
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from cluster import Cluster

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPM = os.environ.get("OPM_TEST_OPM", str(ROOT / "build/release/opm"))
PROBE = os.environ.get("OPM_TEST_PROBE", str(ROOT / "build/release/cluster_probe"))

NOT_DONE, INVALID, UNREACHABLE, DENIED, NOT_FOUND = 1, 2, 3, 4, 5

_shared: list[Cluster] = []


def shared_cluster() -> Cluster:
    """Started by the first test that needs it, and kept until all are done."""
    if not _shared:
        cluster = Cluster()
        atexit.register(cluster.__exit__, None, None, None)
        _shared.append(cluster)
    return _shared[0]


class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = shared_cluster()

    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="opm-cluster-test-"))
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)
        words = re.sub(r"[^a-z0-9]+", "-", self.id().split(".", 1)[-1].lower()).strip("-")
        self.namespace = f"{words[:50].strip('-')}-{os.urandom(2).hex()}"

    def new_namespace(self) -> str:
        """The test's own, made on the server. It is not deleted: the cluster does not live long."""
        return self.cluster.create_namespace(self.namespace)

    def environment(self, **more: str) -> dict[str, str]:
        return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(self.work),
                "XDG_CACHE_HOME": str(self.work / "cache"), **more}

    def run_opm(self, *arguments: str, kubeconfig=None, code: int | None = 0, input: str | None = None,
                timeout: float = 120, **environment: str) -> subprocess.CompletedProcess:
        """opm with the cluster's kubeconfig. `code`: the exit code that it must have; None: any."""
        done = subprocess.run([OPM, *map(str, arguments)], capture_output=True, text=True, input=input, timeout=timeout,
                              cwd=self.work, env=self.environment(
                                  KUBECONFIG=str(kubeconfig or self.cluster.kubeconfig), **environment))
        if code is not None:
            self.assertEqual(done.returncode, code, f"opm {' '.join(map(str, arguments))}\n{done.stdout}\n{done.stderr}")
        return done

    def probe(self, *arguments: str, kubeconfig=None, timeout: float = 60, **environment: str) -> list[dict]:
        """The lines that the probe printed, each an object. `kubeconfig` "": whatever the environment says."""
        chosen = [] if kubeconfig == "" else [f"--kubeconfig={kubeconfig or self.cluster.kubeconfig}"]
        done = subprocess.run([PROBE, *chosen, *map(str, arguments)],
                              capture_output=True, text=True, timeout=timeout, cwd=self.work,
                              env=self.environment(**environment))
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]
