"""src/kube when the server or the way to it does not do its part."""

import threading
import time

from client_test import ProbeTest, config_map
from cluster import Cluster
from proxies import HttpProxy, TcpProxy


class FaultsTest(ProbeTest):
    def setUp(self):
        super().setUp()
        self.new_namespace()

    def through(self, faults, *words: str, **more) -> tuple[list[dict], HttpProxy]:
        with HttpProxy(self.cluster, self.work, faults) as proxy:
            path = self.cluster.write_kubeconfig("admin", cluster=proxy.cluster_entry(), folder=self.work)
            return self.probe(*words, kubeconfig=path, **more), proxy

    def apply_through(self, faults, *words: str):
        path = self.write(config_map(self.namespace, "a"))
        lines, proxy = self.through(faults, "apply", path, *words)
        return lines, [line for line in proxy.requests if "configmaps" in line]

    def stored(self) -> dict | None:
        return self.cluster.get(f"/api/v1/namespaces/{self.namespace}/configmaps/a")

    def test_statuses_that_pass(self):
        for status in (429, 500, 502, 503, 504):
            with self.subTest(status=status):
                lines, requests = self.apply_through([("configmaps", 2, status)])
                self.assertIn("object", lines[0], lines)
                self.assertEqual(len(requests), 3)

    def test_the_server_says_how_long_to_wait(self):
        started = time.monotonic()
        lines, requests = self.apply_through([("configmaps", 1, ("status", 429, {"Retry-After": "2"}))])
        self.assertIn("object", lines[0])
        self.assertGreaterEqual(time.monotonic() - started, 2)

    def test_statuses_that_do_not_pass(self):
        for status, kind in ((409, "conflict"), (410, "gone"), (403, "forbidden"), (422, "invalid")):
            with self.subTest(status=status):
                lines, requests = self.apply_through([("configmaps", 2, status)])
                self.assertEqual(lines[0]["failure"], kind)
                self.assertEqual(len(requests), 1)
                self.assertIn("made up by the test", lines[0]["message"])

    def test_it_gives_up(self):
        lines, requests = self.apply_through([("configmaps", 100, 503)], "--attempts=3")
        self.assertEqual(lines[0]["failure"], "server")
        self.assertEqual(len(requests), 3)
        self.assertIsNone(self.stored())

    def test_connections_that_break(self):
        for what in ("reset", "truncate"):
            with self.subTest(what=what):
                lines, requests = self.apply_through([("configmaps", 2, what)])
                self.assertIn("object", lines[0], lines)
                self.assertEqual(lines[0]["object"]["data"], {"key": "value"})

    def test_a_create_is_not_sent_twice(self):
        path = self.write(config_map(self.namespace, "a"))
        lines, proxy = self.through([("POST .*configmaps", 1, "truncate")], "create", path)
        self.assertEqual(lines[0]["failure"], "unreachable")
        self.assertEqual(len([line for line in proxy.requests if line.startswith("POST")]), 1)
        self.assertIsNotNone(self.stored())

    def test_answers_that_are_none(self):
        for body in (b"<html>a login page</html>", b"[1, 2]", b"{", b"\xff\xfe", b"[" * 100000):
            with self.subTest(body=body[:20]):
                lines, _ = self.through([("configmaps/", 1, ("body", body))], "get", "v1", "ConfigMap", self.namespace, "a")
                self.assertEqual(lines[0]["failure"], "server")

    def test_discovery_that_makes_no_sense(self):
        for body in (b'{"kind":"APIGroupDiscoveryList","items":[{"metadata":3,"versions":[{"resources":[1,{}]}]}]}', b"{}",
                     b'{"kind":"APIGroupList","groups":[{"versions":[{"groupVersion":"../../x"}]}]}'):
            with self.subTest(body=body):
                lines, proxy = self.through([("GET /apis", 9, ("body", body))], "resource", "apps/v1", "Deployment")
                self.assertEqual(lines[0]["failure"], "unknown_kind")
                self.assertFalse([line for line in proxy.requests if ".." in line])

    def test_too_slow(self):
        started = time.monotonic()
        lines, _ = self.through([("configmaps/", 9, ("delay", 5))], "--timeout=500", "get", "v1", "ConfigMap",
                                self.namespace, "a")
        self.assertEqual(lines[0]["failure"], "timed_out")
        self.assertLess(time.monotonic() - started, 4)

    def test_list_whose_pages_expire(self):
        self.apply(*(config_map(self.namespace, f"m{i}") for i in range(4)))
        lines, proxy = self.through([("continue=", 1, 410)], "list", "v1", "ConfigMap", self.namespace, "3")
        names = [line["object"]["metadata"]["name"] for line in lines if "object" in line]
        self.assertEqual([name for name in names if name.startswith("m")], ["m0", "m1", "m2", "m3"])

    def test_watch_of_a_server_that_forgets(self):
        events: list = []
        faults = [("watch=true", 1, 410), ("watch=true", 1, 500), ("watch=true", 1, "reset"), ("watch=true", 1, "truncate"),
                  ("watch=true", 1, ("body", b'{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n')),
                  ("watch=true", 1, ("body", b'{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"1"}}}\n'))]
        with HttpProxy(self.cluster, self.work, faults) as proxy:
            path = self.cluster.write_kubeconfig("admin", cluster=proxy.cluster_entry(), folder=self.work)
            thread = threading.Thread(target=lambda: events.extend(
                self.probe("watch", "v1", "ConfigMap", self.namespace, 6000, kubeconfig=path)))
            thread.start()
            for i in range(5):
                time.sleep(0.5)
                self.apply(config_map(self.namespace, f"m{i}"))
            self.cluster.delete(f"/api/v1/namespaces/{self.namespace}/configmaps/m0")
            thread.join()
        self.assertFalse([event for event in events if "failure" in event], events)
        told = [(event["event"], event["name"]) for event in events if event.get("name", "").startswith("m")]
        self.assertLessEqual({("present", f"m{i}") for i in range(5)} | {("deleted", "m0")}, set(told))
        self.assertEqual(told[-1], ("deleted", "m0"))

    def test_bytes_that_get_lost(self):
        """Below TLS: the first connections end after some bytes, wherever in the conversation that is."""
        for kind in ("reset", "close"):
            for count in (0, 100, 1500, 3000, 20000):
                with self.subTest(kind=kind, count=count), TcpProxy(self.cluster.port, [(kind, count)] * 2) as proxy:
                    path = self.cluster.write_kubeconfig("admin", cluster={"server": proxy.server}, folder=self.work)
                    lines = self.probe("repeat", "20", "v1", "Namespace", "", "default", kubeconfig=path)
                    self.assertEqual(lines[0], {"good": 20}, lines)

    def test_a_slow_way(self):
        with TcpProxy(self.cluster.port, [("delay", 1)]) as proxy:
            path = self.cluster.write_kubeconfig("admin", cluster={"server": proxy.server}, folder=self.work)
            self.assertIn("object", self.probe("get", "v1", "Namespace", "", "default", kubeconfig=path)[0])

    def test_silence(self):
        with TcpProxy(self.cluster.port, [("silence", 3000)] * 9) as proxy:
            path = self.cluster.write_kubeconfig("admin", cluster={"server": proxy.server}, folder=self.work)
            started = time.monotonic()
            lines = self.probe("--timeout=1000", "list", "v1", "Namespace", "", kubeconfig=path)
            self.assertEqual(lines[0]["failure"], "timed_out")
            self.assertLess(time.monotonic() - started, 8)


class Restarts(ProbeTest):
    """The cluster goes away for a moment, and comes back with what it had."""

    def setUp(self):
        super().setUp()
        self.new_namespace()

    def test_etcd(self):
        lines: list = []
        thread = threading.Thread(target=lambda: lines.extend(
            self.probe("repeat", "2000", "v1", "Namespace", "", self.namespace)))
        thread.start()
        time.sleep(0.3)
        self.cluster.stop("etcd")
        self.cluster.start("etcd")
        thread.join()
        self.assertEqual(lines[0], {"good": 2000}, lines)
        self.cluster.wait_until(self.cluster.is_ready, 60, "a server that is ready again")

    def test_watch_of_a_server_that_restarts(self):
        lines: list = []
        thread = threading.Thread(target=lambda: lines.extend(
            self.probe("watch", "v1", "ConfigMap", self.namespace, 60000, "until=after", timeout=90)))
        thread.start()
        time.sleep(1)
        self.cluster.stop("kube-apiserver")
        self.cluster.start("kube-apiserver")
        self.apply(config_map(self.namespace, "after"))
        thread.join()
        self.assertFalse([line for line in lines if "failure" in line], lines)
        self.assertIn(("present", "after"), [(line.get("event"), line.get("name")) for line in lines])

    def test_a_server_that_asks_to_go_elsewhere(self):
        """As servers behind a load balancer do: in the middle of everything a connection takes nothing new any more."""
        with Cluster(self.work / "cluster", controllers=False, server_flags=["--goaway-chance=0.02"]) as cluster:
            lines = self.probe("repeat", "1500", "v1", "Namespace", "", "default", kubeconfig=cluster.kubeconfig)
        self.assertEqual(lines[0], {"good": 1500}, lines)
