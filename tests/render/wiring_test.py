#!/usr/bin/env python3
"""How secrets and configuration reach containers: every source of variables and files, in main, initial and sidecar
containers of every kind of workload, with and without immutable objects.

  tests/render/wiring_test.py --opm OPM [unittest's arguments]"""

import hashlib

from workbench import SHOP_HEAD, Workbench, main, module_file

MODULE = SHOP_HEAD + """#config: {
	literal: schemas.#Secret & {$secretName: "kept", $dataKey: "text"}
	existing: schemas.#Secret & {$secretName: "unused", $dataKey: "file.pem"}
	external: schemas.#Secret & {$secretName: "fetched", $dataKey: "token"}
}
"""

COMPONENTS = """package main

import (
	"opmodel.dev/resources/config@v0"
	"opmodel.dev/resources/storage@v0"
	"opmodel.dev/resources/workload@v0"
	workload_traits "opmodel.dev/traits/workload@v0"
)

#components: {
	for name, type in {deployment: "stateless", statefulset: "stateful", daemonset: "daemon", job: "task", cronjob: "scheduled-task"} {
		(name): {
			workload.#Container
			workload_traits.#InitContainers
			workload_traits.#SidecarContainers
			if name == "cronjob" {
				workload_traits.#CronJobConfig
				spec: cronJobConfig: scheduleCron: "0 3 * * *"
			}
			storage.#Volumes
			metadata: labels: "core.opmodel.dev/workload-type": type
			spec: {
				container: {_wired, name: "main"}
				initContainers: [{_wired, name: "first"}]
				sidecarContainers: [{_wired, name: "beside"}]
				volumes: {
					settings: configMap: {
						name:        "settings"
						defaultMode: 0o444
						optional:    true
						items: [{key: "app.yaml", path: "app/config.yaml", mode: 0o440}]
					}
					all: secret: {
						name:        "kept"
						defaultMode: 0o400
						items: [{key: "text", path: "a/text", mode: 0o600}]
					}
				}
			}
		}
	}
	configuration: {
		config.#ConfigMaps
		config.#Secrets
		spec: {
			configMaps: settings: {immutable: IMMUTABLE, data: "app.yaml": "a: 1"}
			secrets: {
				kept: immutable:    IMMUTABLE
				fetched: immutable: IMMUTABLE
			}
		}
	}
}

_wired: {
	image: "busybox:1"
	env: {
		A_VALUE: value:         "info"
		B_LITERAL: from:        #config.literal
		C_EXISTING: from:       #config.existing
		D_EXTERNAL: from:       #config.external
		E_FIELD: fieldRef: fieldPath: "metadata.labels['app.kubernetes.io/name']"
		F_RESOURCE: resourceFieldRef: {resource: "limits.memory", divisor: "1Mi"}
	}
	envFrom: [
		{secretRef: name: "kept", prefix: "KEPT_"},
		{secretRef: name: "of-others"},
		{configMapRef: name: "settings", prefix: "S_"},
		{configMapRef: name: "of-others"},
	]
	volumeMounts: {
		literal: {mountPath: "/run/literal", from: #config.literal, readOnly: true, defaultMode: 0o400}
		chosen: {mountPath: "/run/chosen", from: #config.literal, items: [{key: "text", path: "deep/text", mode: 0o440}]}
		existing: {mountPath: "/run/existing", from: #config.existing}
		external: {mountPath: "/run/external", from: #config.external, readOnly: true}
		settings: {mountPath: "/etc/settings", readOnly: true, subPath: "app"}
		all: {mountPath: "/run/all"}
	}
}
"""

VALUES = """package main

values: {
	literal: value: "my-secret"
	existing: {source: "k8s", path: "of-the-cluster", remoteKey: "tls.crt"}
	external: {source: "esc", path: "prod/api", remoteKey: "token"}
}
"""


def hashed(name, text, immutable):
    """As the specification has it: the first ten digits over the lines key=value."""
    return f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:10]}" if immutable else name


class Wiring(Workbench):
    maxDiff = None

    def wired(self, immutable):
        self.write("shop/cue.mod/module.cue", module_file("shop"))
        self.write("shop/module.cue", MODULE)
        self.write("shop/components.cue", COMPONENTS.replace("IMMUTABLE", "true" if immutable else "false"))
        self.write("shop/values.cue", VALUES)
        return self.objects("shop")

    def check(self, immutable):
        objects = self.wired(immutable)
        kept = hashed("kept", "text=my-secret", immutable)
        fetched = hashed("fetched", "token=ref:esc:prod/api:token", immutable)
        settings = hashed("settings", "app.yaml=a: 1", immutable)

        self.assertEqual(objects[f"Secret/{kept}"]["data"], {"text": "bXktc2VjcmV0"})
        self.assertEqual(objects[f"Secret/{kept}"].get("immutable", False), immutable)
        self.assertEqual(objects[f"ConfigMap/{settings}"].get("immutable", False), immutable)
        external = objects[f"ExternalSecret/{fetched}"]["spec"]
        self.assertEqual(external["data"], [{"secretKey": "token", "remoteRef": {"key": "prod/api", "property": "token"}}])
        self.assertEqual(external["target"], {"name": fetched, **({"immutable": True} if immutable else {})})
        self.assertEqual(sorted(name for name in objects if "ecret/" in name), [f"ExternalSecret/{fetched}", f"Secret/{kept}"])

        def secret(name, key):
            return {"secretKeyRef": {"name": name, "key": key}}

        env = [{"name": "A_VALUE", "value": "info"},
               {"name": "B_LITERAL", "valueFrom": secret(kept, "text")},
               {"name": "C_EXISTING", "valueFrom": secret("of-the-cluster", "tls.crt")},
               {"name": "D_EXTERNAL", "valueFrom": secret(fetched, "token")},
               {"name": "E_FIELD", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['app.kubernetes.io/name']"}}},
               {"name": "F_RESOURCE", "valueFrom": {"resourceFieldRef": {"resource": "limits.memory", "divisor": "1Mi"}}}]
        env_from = [{"prefix": "KEPT_", "secretRef": {"name": kept}}, {"secretRef": {"name": "of-others"}},
                    {"prefix": "S_", "configMapRef": {"name": settings}}, {"configMapRef": {"name": "of-others"}}]
        mounts = [{"name": "all", "mountPath": "/run/all"},
                  {"name": "chosen", "mountPath": "/run/chosen"},
                  {"name": "existing", "mountPath": "/run/existing"},
                  {"name": "external", "mountPath": "/run/external", "readOnly": True},
                  {"name": "literal", "mountPath": "/run/literal", "readOnly": True},
                  {"name": "settings", "mountPath": "/etc/settings", "readOnly": True, "subPath": "app"}]
        volumes = [{"name": "all", "secret": {"secretName": kept, "defaultMode": 0o400,
                                              "items": [{"key": "text", "path": "a/text", "mode": 0o600}]}},
                   {"name": "chosen", "secret": {"secretName": kept, "items": [{"key": "text", "path": "deep/text", "mode": 0o440}]}},
                   {"name": "existing", "secret": {"secretName": "of-the-cluster", "items": [{"key": "tls.crt", "path": "file.pem"}]}},
                   {"name": "external", "secret": {"secretName": fetched}},
                   {"name": "literal", "secret": {"secretName": kept, "defaultMode": 0o400}},
                   {"name": "settings", "configMap": {"name": settings, "defaultMode": 0o444, "optional": True,
                                                      "items": [{"key": "app.yaml", "path": "app/config.yaml", "mode": 0o440}]}}]

        for kind in ("Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"):
            spec = objects[f"{kind}/{kind.lower()}"]["spec"]
            pod = (spec["jobTemplate"]["spec"] if kind == "CronJob" else spec)["template"]["spec"]
            containers = {container["name"]: container for container in pod["containers"] + pod["initContainers"]}
            self.assertEqual(sorted(containers), ["beside", "first", "main"], kind)
            for name, container in containers.items():
                with self.subTest(kind=kind, container=name, immutable=immutable):
                    self.assertEqual(sorted(container["env"], key=lambda item: item["name"]), env)
                    self.assertEqual(container["envFrom"], env_from)
                    self.assertEqual(sorted(container["volumeMounts"], key=lambda item: item["name"]), mounts)
            with self.subTest(kind=kind, immutable=immutable):
                self.assertEqual(sorted(pod["volumes"], key=lambda item: item["name"]), volumes)

    def test_every_container_of_every_workload(self):
        self.check(immutable=False)

    def test_with_immutable_objects(self):
        """Each reference, env, envFrom or volume, names the object with its hash."""
        self.check(immutable=True)


if __name__ == "__main__":
    main()
