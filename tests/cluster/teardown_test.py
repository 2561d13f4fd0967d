"""The servers of the tests end with them, however that happens."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

STARTER = """
import pathlib, sys, time
from cluster import Cluster
cluster = Cluster(pathlib.Path(sys.argv[1]), controllers=False)
print(*(process.pid for process in cluster.processes.values()), flush=True)
time.sleep(600)
"""


def lives(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


class Teardown(unittest.TestCase):
    def test_killed(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="opm-teardown-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        with subprocess.Popen([sys.executable, "-c", STARTER, str(folder)], stdout=subprocess.PIPE, text=True,
                              cwd=pathlib.Path(__file__).parent, env=os.environ) as starter:
            pids = [int(word) for word in starter.stdout.readline().split()]
            self.assertEqual(len(pids), 2)
            self.assertTrue(all(map(lives, pids)))
            starter.kill()
        deadline = time.monotonic() + 10
        while any(map(lives, pids)) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertFalse([pid for pid in pids if lives(pid)])
