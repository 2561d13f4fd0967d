"""A real Kubernetes API server with etcd and the controller manager behind it, on 127.0.0.1, in about five seconds. There are
no nodes: pods stay pending until a test says that they are ready. Everything has stopped when it is left, also when the
test that started it is killed."""

from __future__ import annotations

import base64
import contextlib
import ctypes
import datetime
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.parse

ADMIN_TOKEN, LIMITED_TOKEN, UNKNOWN_TOKEN = "admin-token-of-the-test", "limited-token-of-the-test", "nobody-has-this-token"

CONTROLLERS = ["namespace-controller", "garbage-collector-controller", "serviceaccount-controller",
               "serviceaccount-token-controller", "root-ca-certificate-publisher-controller", "deployment-controller",
               "replicaset-controller", "statefulset-controller", "daemonset-controller", "job-controller",
               "cronjob-controller", "endpointslice-controller", "disruption-controller", "resourcequota-controller",
               "horizontal-pod-autoscaler-controller", "persistentvolumeclaim-protection-controller",
               "persistentvolume-protection-controller",
               "ttl-after-finished-controller"]

# What happened, without what was in it. Reads of the controllers would drown the rest.
AUDIT_POLICY = {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"], "rules": [
    {"level": "None", "users": ["system:kube-controller-manager", "system:apiserver"]},
    {"level": "None", "nonResourceURLs": ["/readyz*", "/healthz*", "/livez*"]},
    {"level": "Metadata"}]}


def tool(name: str) -> str:
    """The path of a program of the cluster, from the environment that scripts/suites/47-cluster sets."""
    variable = "OPM_TEST_" + name.upper().replace("-", "_")
    path = os.environ.get(variable, "")
    if not path:
        raise RuntimeError(f"${variable} does not say where {name} is; run scripts/test cluster")
    return path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    os.setpgid(0, 0)  # an interrupt at the terminal is for the test


class Cluster(contextlib.AbstractContextManager):
    def __init__(self, folder: pathlib.Path | None = None, controllers: bool = True, server_flags=()):
        self.own_folder = folder is None
        self.folder = folder or pathlib.Path(tempfile.mkdtemp(prefix="opm-cluster-"))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.audit_log = self.folder / "audit.log"
        self.processes: dict[str, subprocess.Popen] = {}
        self.commands: dict[str, list] = {}
        self.local = threading.local()
        try:
            self._start(controllers, server_flags)
        except BaseException:
            self.__exit__(None, None, None)
            raise

    # Starting and stopping

    def _run(self, name: str, *arguments: str) -> None:
        self.commands[name] = [tool(name), *arguments]
        self._spawn(name)

    def _spawn(self, name: str) -> None:
        with (self.folder / f"{name}.log").open("a") as log:
            self.processes[name] = subprocess.Popen(
                self.commands[name], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "GOMAXPROCS": "2"}, preexec_fn=_die_with_parent)

    def stop(self, name: str) -> None:
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def start(self, name: str) -> None:
        """Again, after stop(), with what it had stored."""
        self._spawn(name)
        self._wait_for(name, self.etcd_answers if name == "etcd" else self.is_ready)

    def _wait_for(self, name: str, check, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not check():
            if self.processes[name].poll() is not None or time.monotonic() > deadline:
                log = (self.folder / f"{name}.log").read_text(errors="replace")
                raise RuntimeError(f"{name} does not start:\n{log[-4000:]}")
            time.sleep(0.05)

    def _start(self, controllers: bool, server_flags) -> None:
        self._make_keys()
        self.etcd_port, self.port = free_port(), free_port()
        etcd = f"http://127.0.0.1:{self.etcd_port}"
        self._run("etcd", "--data-dir", str(self.folder / "etcd"), "--unsafe-no-fsync", "--listen-client-urls", etcd,
                  "--advertise-client-urls", etcd, "--listen-peer-urls", "http://127.0.0.1:0", "--log-level", "error")
        (self.folder / "tokens.csv").write_text(f'{ADMIN_TOKEN},admin,1,"system:masters"\n{LIMITED_TOKEN},limited,2,"team"\n')
        (self.folder / "audit.yaml").write_text(json.dumps(AUDIT_POLICY))
        self.server = f"https://127.0.0.1:{self.port}"
        self._wait_for("etcd", self.etcd_answers)
        self._run("kube-apiserver", f"--etcd-servers={etcd}", "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
                  f"--secure-port={self.port}", f"--cert-dir={self.folder / 'apiserver'}",
                  "--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.0.0.0/24",
                  "--service-account-issuer=https://kubernetes.default.svc",
                  f"--service-account-key-file={self.folder / 'accounts.key'}",
                  f"--service-account-signing-key-file={self.folder / 'accounts.key'}", "--authorization-mode=RBAC",
                  f"--token-auth-file={self.folder / 'tokens.csv'}", f"--client-ca-file={self.folder / 'clients.crt'}",
                  f"--audit-log-path={self.audit_log}", f"--audit-policy-file={self.folder / 'audit.yaml'}",
                  "--audit-log-mode=blocking", "--profiling=false", "--event-ttl=10m",
                  *server_flags)
        self.certificate = self.folder / "apiserver" / "apiserver.crt"
        self._wait_for("kube-apiserver", self.is_ready)
        self.kubeconfig = self.write_kubeconfig("admin")
        if controllers:
            self._run("kube-controller-manager", f"--kubeconfig={self.write_kubeconfig('controllers')}",
                      "--leader-elect=false", "--secure-port=0", "--controllers=" + ",".join(CONTROLLERS),
                      f"--service-account-private-key-file={self.folder / 'accounts.key'}",
                      f"--root-ca-file={self.certificate}", "--kube-api-qps=500", "--kube-api-burst=1000",
                      "--namespace-sync-period=2s", "--profiling=false")

    def _make_keys(self) -> None:
        def openssl(*arguments):
            subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)
        openssl("genrsa", "-out", "accounts.key", "2048")
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        openssl("req", "-x509", *curve, "-days", "2", "-subj", "/CN=clients", "-keyout", "clients.key", "-out", "clients.crt")
        openssl("req", *curve, "-subj", "/O=system:masters/CN=by-certificate", "-keyout", "client.key", "-out", "client.csr")
        openssl("x509", "-req", "-in", "client.csr", "-CA", "clients.crt", "-CAkey", "clients.key", "-CAcreateserial",
                "-days", "2", "-out", "client.crt")
        # The controllers come by certificate too, so that the audit log can leave them out by name.
        openssl("req", *curve, "-subj", "/O=system:masters/CN=system:kube-controller-manager", "-keyout", "controllers.key",
                "-out", "controllers.csr")
        openssl("x509", "-req", "-in", "controllers.csr", "-CA", "clients.crt", "-CAkey", "clients.key", "-days", "2",
                "-out", "controllers.crt")

    def __exit__(self, *_):
        self.hang_up()
        for process in reversed(self.processes.values()):
            process.kill()
        for process in self.processes.values():
            process.wait()
        self.processes.clear()
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def etcd_answers(self) -> bool:
        with contextlib.suppress(OSError):
            connection = http.client.HTTPConnection("127.0.0.1", self.etcd_port, timeout=2)
            with contextlib.closing(connection):
                connection.request("GET", "/health")
                return connection.getresponse().status == 200
        return False

    def is_ready(self) -> bool:
        if not (self.folder / "apiserver" / "apiserver.crt").exists():
            return False
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.request("GET", "/readyz")[0] == 200
        return False

    # Kubeconfigs

    def user(self, name: str) -> dict:
        return {"admin": {"token": ADMIN_TOKEN}, "limited": {"token": LIMITED_TOKEN}, "unknown": {"token": UNKNOWN_TOKEN},
                "nobody": {},
                "certificate": {"client-certificate": str(self.folder / "client.crt"),
                                "client-key": str(self.folder / "client.key")},
                "controllers": {"client-certificate": str(self.folder / "controllers.crt"),
                                "client-key": str(self.folder / "controllers.key")}}[name]

    def write_kubeconfig(self, name: str, user: dict | None = None, cluster: dict | None = None, namespace: str = "",
                         folder: pathlib.Path | None = None) -> pathlib.Path:
        """A kubeconfig with one context. `user` and `cluster` change what would be in it; a value None removes it."""
        def changed(base: dict, changes: dict | None) -> dict:
            return {key: value for key, value in {**base, **(changes or {})}.items() if value is not None}
        config = {
            "apiVersion": "v1", "kind": "Config", "current-context": name,
            "clusters": [{"name": "test", "cluster": changed(
                {"server": self.server, "certificate-authority": str(self.certificate)}, cluster)}],
            "users": [{"name": name, "user": user if user is not None else self.user(name)}],
            "contexts": [{"name": name, "context": {"cluster": "test", "user": name,
                                                    **({"namespace": namespace} if namespace else {})}}]}
        path = (folder or self.folder) / f"{name}.kubeconfig"
        path.write_text(json.dumps(config, indent=2))
        path.chmod(0o600)
        return path

    def account_token(self, account: str = "system:serviceaccount:default:default", lifetime: int = 3600) -> str:
        """What the server itself would sign for a service account; with a negative lifetime one that has run out."""
        def packed(content: bytes) -> bytes:
            return base64.urlsafe_b64encode(content).rstrip(b"=")
        now = int(time.time())
        issuer = "https://kubernetes.default.svc"
        namespace, name = account.split(":")[2:]
        claims = {"iss": issuer, "sub": account, "aud": [issuer], "iat": now - 7200, "nbf": now - 7200, "exp": now + lifetime,
                  "kubernetes.io": {"namespace": namespace, "serviceaccount": {"name": name, "uid": self.get(
                      f"/api/v1/namespaces/{namespace}/serviceaccounts/{name}")["metadata"]["uid"]}}}
        head = packed(b'{"alg":"RS256"}') + b"." + packed(json.dumps(claims).encode())
        signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", self.folder / "accounts.key"], input=head,
                                   capture_output=True, check=True).stdout
        return (head + b"." + packed(signature)).decode()

    # Asking the server

    def request(self, method: str, path: str, body=None, content_type: str = "application/json",
                token: str = ADMIN_TOKEN) -> tuple[int, dict]:
        """Status and answer. Each thread keeps its connection."""
        content = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": content_type}
        for last in (False, True):
            connection = getattr(self.local, "connection", None)
            if connection is None:
                context = ssl.create_default_context(cafile=str(self.folder / "apiserver" / "apiserver.crt"))
                connection = self.local.connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60,
                                                                                 context=context)
            try:
                connection.request(method, path, content, headers)
                answer = connection.getresponse()
                text = answer.read()
                break
            except (OSError, http.client.HTTPException):
                connection.close()
                self.local.connection = None
                if last:
                    raise
        try:
            return answer.status, json.loads(text)
        except ValueError:
            return answer.status, {"text": text.decode(errors="replace")}

    def hang_up(self) -> None:
        """Ends the connection of this thread."""
        if connection := getattr(self.local, "connection", None):
            connection.close()
            self.local.connection = None

    def get(self, path: str) -> dict | None:
        """What is there; None: nothing."""
        status, answer = self.request("GET", path)
        if status == 404:
            return None
        assert status == 200, answer
        return answer

    def list(self, path: str, labels: str = "") -> list[dict]:
        answer = self.get(path + ("?labelSelector=" + urllib.parse.quote(labels) if labels else ""))
        return answer["items"] if answer else []

    def create(self, path: str, body: dict) -> dict:
        status, answer = self.request("POST", path, body)
        assert status in (200, 201), answer
        return answer

    def merge(self, path: str, body: dict) -> dict:
        status, answer = self.request("PATCH", path, body, "application/merge-patch+json")
        assert status == 200, answer
        return answer

    def delete(self, path: str) -> None:
        status, answer = self.request("DELETE", path)
        assert status in (200, 202, 404), answer

    def create_namespace(self, name: str) -> str:
        self.create("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        return name

    def kubectl(self, *arguments: str, kubeconfig: pathlib.Path | None = None, input: str | None = None,
                check: bool = True) -> subprocess.CompletedProcess:
        done = subprocess.run([tool("kubectl"), f"--kubeconfig={kubeconfig or self.kubeconfig}",
                               f"--cache-dir={self.folder / 'kubectl'}", *arguments], capture_output=True, text=True,
                              input=input, env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder)}, timeout=120)
        if check and done.returncode != 0:
            raise AssertionError(f"kubectl {' '.join(arguments)}: {done.stderr}")
        return done

    def allow(self, user: str, namespace: str, rules: list[dict]) -> None:
        """Lets a user do that in a namespace, and nothing else."""
        name = "of-" + user.replace(":", "-")
        base = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}"
        self.create(base + "/roles", {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
                                      "metadata": {"name": name}, "rules": rules})
        self.create(base + "/rolebindings", {
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": name},
            "subjects": [{"kind": "User", "name": user, "apiGroup": "rbac.authorization.k8s.io"}],
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name}})

    # What a kubelet would do

    def set_pod_status(self, pod: dict, ready: bool = True, phase: str = "Running", **more) -> None:
        """Says of a pod that it runs and is ready, or whatever else."""
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        done = phase in ("Succeeded", "Failed")
        state = {"terminated": {"exitCode": 0 if phase == "Succeeded" else 1, "finishedAt": now}} if done else \
            {"running": {"startedAt": now}}
        containers = [{"name": container["name"], "image": container["image"], "imageID": "", "ready": ready and not done,
                       "restartCount": 0, "started": True, "state": state} for container in pod["spec"]["containers"]]
        conditions = [{"type": kind, "status": "True" if ready and not done else "False", "lastTransitionTime": now}
                      for kind in ("Ready", "ContainersReady")]
        conditions.append({"type": "Initialized", "status": "True", "lastTransitionTime": now})
        meta = pod["metadata"]
        self.merge(f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}/status",
                   {"status": {"phase": phase, "conditions": conditions, "containerStatuses": containers,
                               "startTime": now, **more}})

    def mark_pods_ready(self, namespace: str, labels: str = "") -> int:
        """All pods there that are not; how many those were."""
        count = 0
        for pod in self.list(f"/api/v1/namespaces/{namespace}/pods", labels):
            conditions = pod.get("status", {}).get("conditions", [])
            if "deletionTimestamp" in pod["metadata"] or any(
                    c["type"] == "Ready" and c["status"] == "True" for c in conditions):
                continue
            self.set_pod_status(pod)
            count += 1
        return count

    @contextlib.contextmanager
    def kubelet(self, namespace: str, finish_jobs: bool = True):
        """While this is entered, pods of the namespace become ready soon after they appear, and those of jobs succeed."""
        stop = threading.Event()

        def work():
            while not stop.wait(0.2):
                with contextlib.suppress(AssertionError, OSError, http.client.HTTPException):
                    for pod in self.list(f"/api/v1/namespaces/{namespace}/pods"):
                        owners = [owner["kind"] for owner in pod["metadata"].get("ownerReferences", [])]
                        phase = pod.get("status", {}).get("phase")
                        if phase == "Pending" and "deletionTimestamp" not in pod["metadata"]:
                            job = finish_jobs and "Job" in owners
                            self.set_pod_status(pod, phase="Succeeded" if job else "Running")
            self.hang_up()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    # What was asked

    def audit_position(self) -> int:
        return self.audit_log.stat().st_size if self.audit_log.exists() else 0

    def audit(self, since: int = 0, user: str = "") -> list[dict]:
        """What was asked of the server since a position, in the order that answers were given."""
        with self.audit_log.open("rb") as log:
            log.seek(since)
            events = [json.loads(line) for line in log if line.endswith(b"\n")]
        return [event for event in events if not user or event["user"].get("username") == user]

    def wait_until(self, check, seconds: float = 30, what: str = "what was waited for"):
        """What `check` returns, as soon as that is something."""
        deadline = time.monotonic() + seconds
        while True:
            result = check()
            if result:
                return result
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not happen within {seconds} s")
            time.sleep(0.1)
