"""Applies and deletes that are killed at every write they make, that run at the same time, and that meet a server which
fails: the same command again converges, nothing is orphaned, and the inventory names everything that is there."""

import os
import re
import subprocess
import threading
import unittest

from fixture import OPM
from proxies import HttpProxy
from releases import ReleaseTest, config_map, secret, service

KINDS = ("ConfigMap", "Secret", "Service")
WRITE = re.compile(r"^(PATCH|POST|PUT|DELETE) (?!.*dryRun)")


class KillingProxy(HttpProxy):
    """Kills a process at its n-th write: before the server gets it, or when the server has it and the answer is lost."""

    def arm(self, number: int, after: bool):
        self.left, self.after, self.process, self.fired = number, after, None, threading.Event()
        self.ready = threading.Event()

    def _pass_on(self, handler, body, truncate):
        if WRITE.match(f"{handler.command} {handler.path}"):
            with self.lock:
                self.left -= 1
                is_it = self.left == 0
            if is_it:
                self.ready.wait(10)
                self.process.kill()
                self.process.wait()
                handler.close_connection = True
                if self.after:
                    super()._pass_on(handler, body, truncate)
                self.fired.set()
                return None
        return super()._pass_on(handler, body, truncate)


class Interrupted(ReleaseTest):
    def start(self, *arguments, kubeconfig, module="thing", config="config"):
        return subprocess.Popen([OPM, "mod", *arguments, str(self.work / module), "--config", str(self.work / config / "config.cue")],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.work,
                                env=self.environment(KUBECONFIG=str(kubeconfig)))

    def killed(self, proxy, command, number, after):
        """Runs the command until its n-th write. Whether there was one."""
        proxy.arm(number, after)
        proxy.process = self.start(command, kubeconfig=self.through)
        proxy.ready.set()
        proxy.process.communicate(timeout=60)
        # It ends before the proxy has done what it does after that.
        return proxy.left <= 0 and proxy.fired.wait(30)

    def there(self):
        return {(kind, name) for kind in KINDS for name in self.names(kind)}

    def recorded(self):
        """What the inventory says may be there."""
        inventory = self.inventory()
        if inventory is None:
            return set()
        entries = inventory["changes"][0]["inventory"]["entries"] if inventory["changes"] else []
        entries = entries + inventory.get("pending", {}).get("inventory", {}).get("entries", [])
        return {(entry["kind"], entry["name"]) for entry in entries}

    def test_kill_at_every_write(self):
        self.new_namespace()
        first = [config_map("both", x="1"), service("both"), secret("stays", a="b"), config_map("old-1"), config_map("old-2"),
                 config_map("old-3"), secret("old", a="b")]
        second = [config_map("both", x="2"), service("both"), secret("stays", a="c"), config_map("new-1"), config_map("new-2"),
                  config_map("new-3"), service("new")]
        names = [{(item["kind"], item["metadata"]["name"]) for item in objects} for objects in (first, second)]
        points = 0
        with KillingProxy(self.cluster, self.work) as proxy:
            self.through = self.cluster.write_kubeconfig("admin", cluster=proxy.cluster_entry(), folder=self.work)
            self.given(*first)
            self.mod("apply")
            turn = 0
            # From one version to the other and back: pending, seven objects, four that are pruned, and the change.
            for after in (False, True):
                for number in range(1, 100):
                    turn = 1 - turn
                    self.given(*(first, second)[turn])
                    is_killed = self.killed(proxy, "apply", number, after)
                    self.assertLessEqual(self.there(), self.recorded(), f"apply, write {number}, after={after}")
                    self.mod("apply")
                    self.assertEqual(self.there(), names[turn], f"apply, write {number}, after={after}")
                    self.assertEqual(self.recorded(), names[turn])
                    self.assertNotIn("pending", self.inventory())
                    if not is_killed:
                        break
                    points += 1
            for after in (False, True):
                for number in range(1, 100):
                    is_killed = self.killed(proxy, "delete", number, after)
                    self.assertLessEqual(self.there(), self.recorded(), f"delete, write {number}, after={after}")
                    self.mod("delete", code=None)
                    self.assertEqual(self.there(), set(), f"delete, write {number}, after={after}")
                    self.assertIsNone(self.inventory())
                    if not is_killed:
                        break
                    points += 1
                    self.mod("apply")
        self.assertGreaterEqual(points, 30)

    def test_first_apply_killed_at_every_write(self):
        self.new_namespace()
        objects = [config_map("one"), secret("two", a="b"), service("three")]
        names = {(item["kind"], item["metadata"]["name"]) for item in objects}
        self.given(*objects)
        with KillingProxy(self.cluster, self.work) as proxy:
            self.through = self.cluster.write_kubeconfig("admin", cluster=proxy.cluster_entry(), folder=self.work)
            for number in range(1, 20):
                is_killed = self.killed(proxy, "apply", number, number % 2 == 0)
                self.assertLessEqual(self.there(), self.recorded())
                self.mod("delete" if number % 2 else "apply", code=None)
                if number % 2:
                    self.assertEqual((self.there(), self.inventory()), (set(), None))
                else:
                    self.assertEqual((self.there(), self.recorded()), (names, names))
                    self.mod("delete")
                if not is_killed:
                    break
            self.assertGreater(number, 4)

    def test_two_at_once(self):
        self.new_namespace()
        sides = []
        for side in ("left", "right"):
            self.given(config_map("shared", from_=side), *[config_map(f"{side}-{i}") for i in range(5)])
            (self.work / "config").rename(self.work / f"config-{side}")
        for _ in range(4):
            processes = [self.start("apply", kubeconfig=self.cluster.kubeconfig, config=f"config-{side}") for side in ("left", "right")]
            sides = [process.communicate(timeout=60)[0] for process in processes]
            self.assertLessEqual(self.there(), self.recorded(), "\n".join(sides))
        final = self.start("apply", kubeconfig=self.cluster.kubeconfig, config="config-left")
        final.communicate(timeout=60)
        self.assertEqual(final.returncode, 0)
        expected = {("ConfigMap", "shared"), *(("ConfigMap", f"left-{i}") for i in range(5))}
        self.assertEqual(self.there(), expected)
        self.assertEqual(self.recorded(), expected)
        self.assertNotIn("pending", self.inventory())

    def test_a_server_that_fails_now_and_then(self):
        self.new_namespace()
        self.given(*[config_map(f"c{i}") for i in range(6)], secret("s", a="b"), service("web"))
        faults = [(r"^PATCH .*configmaps/c1\?", 2, 503), (r"^PATCH .*configmaps/c2\?", 1, "reset"),
                  (r"^PATCH .*configmaps/c3\?", 1, "truncate"), (r"^PATCH .*configmaps/c4\?", 1, ("status", 429, {"Retry-After": "1"})),
                  (r"^PUT .*secrets/opm", 1, 500), (r"^PATCH .*services/web", 1, ("delay", 1)), (r"^DELETE .*configmaps/c5", 1, 503)]
        with HttpProxy(self.cluster, self.work, faults) as proxy:
            kubeconfig = self.cluster.write_kubeconfig("admin", cluster=proxy.cluster_entry(), folder=self.work)
            self.mod("apply", kubeconfig=kubeconfig)
            self.assertEqual(self.there(), self.recorded())
            self.assertEqual(len(self.there()), 8)
            self.assertNotIn("pending", self.inventory())
            self.mod("delete", kubeconfig=kubeconfig)
            self.assertEqual(self.there(), set())
            self.assertEqual([fault[1] for fault in proxy.faults], [0] * len(faults))

    def test_somebody_else_writes_the_inventory(self):
        self.new_namespace()
        self.given(config_map("one"))
        with HttpProxy(self.cluster, self.work, [(r"^PUT .*secrets/opm", 3, 409)]) as proxy:
            kubeconfig = self.cluster.write_kubeconfig("admin", cluster=proxy.cluster_entry(), folder=self.work)
            self.mod("apply", kubeconfig=kubeconfig)
        self.assertEqual(self.recorded(), {("ConfigMap", "one")})

    def test_etcd_restarts_in_the_middle(self):
        self.new_namespace()
        self.given(*[config_map(f"c{i}") for i in range(60)])
        process = self.start("apply", kubeconfig=self.cluster.kubeconfig)
        self.cluster.stop("etcd")
        self.cluster.start("etcd")
        output, _ = process.communicate(timeout=120)
        self.cluster.wait_until(self.cluster.is_ready, 60)
        self.assertLessEqual(self.there(), self.recorded(), output)
        self.mod("apply")
        self.assertEqual(len(self.there()), 60)
        self.assertEqual(self.there(), self.recorded())


class Large(ReleaseTest):
    def test_a_thousand_objects(self):
        self.new_namespace()
        self.given(*[config_map(f"c{i}", text="x" * 200) for i in range(1000)])
        process = subprocess.Popen([OPM, "mod", "apply", str(self.work / "thing"), "--config", str(self.work / "config/config.cue")],
                                   stdout=subprocess.DEVNULL, cwd=self.work,
                                   env=self.environment(KUBECONFIG=str(self.cluster.kubeconfig)))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        self.assertEqual(status, 0)
        self.assertLess(usage.ru_maxrss, 100 * 1024)
        inventory = self.inventory()
        self.assertEqual(len(inventory["changes"][0]["inventory"]["entries"]), 1000)
        self.assertEqual(len(self.names("ConfigMap")), 1000)


if __name__ == "__main__":
    unittest.main()
