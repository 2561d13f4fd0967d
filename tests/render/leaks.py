"""What the tests of secrets share: a module and a package of releases with a marker in their secrets, all that can be wrong
with them, and the question whether somebody told the marker."""

import base64
import pathlib

from workbench import SHOP_HEAD, Workbench, module_file

MARKER = "Canary7f3d9a61c2"

MODULE = SHOP_HEAD + """#config: {
	port: int
	db: password: schemas.#Secret & {$secretName: "db", $dataKey: "password"%(rule)s}
	tokens?: [string]: schemas.#Secret & {$secretName: "tokens"}
	maybe?: string | (schemas.#Secret & {$secretName: "maybe", $dataKey: "x"})
}
"""

COMPONENTS = """package main

import (
	"opmodel.dev/resources/config@v0"
	"opmodel.dev/resources/workload@v0"
	"strconv"
)

_use: [config.#Secrets, strconv.Atoi]

#components: web: {
	workload.#Container
	metadata: labels: "core.opmodel.dev/workload-type": "stateless"
	spec: container: {
		name:  "web"
		image: "nginx"
		env: PASSWORD: from: #config.db.password
		%(container)s
	}
	%(more)s
}
"""

PLATFORMS = """package opm

import "opmodel.dev/core@v0"

platforms: [string]: core.#Platform
platforms: one: kubeContext: "nowhere"
"""

RELEASES = """package apps

import (
	"opmodel.dev/core@v0"
	shopModule "example.com/apps/shop"
)

shop: core.#ModuleRelease & {
	metadata: name: "shop"
	#module: shopModule
	%(values)s
	environments: {
		staging: {platform: platforms.one, namespace: "staging"}
		prod: {
			platform: platforms.one, namespace: "prod"
			%(environment)s
		}
	}
}
"""

GOOD = 'values: {port: 1, db: password: value: "%s"}' % MARKER

# What goes wrong, by name: the values, and what of the module is different.
ERRORS = {
    "wrong type beside a secret": {"values": GOOD.replace("port: 1", 'port: "x"')},
    "a number": {"values": "values: {port: 1, db: password: value: 7391846250}", "marker": "7391846250"},
    "a list": {"values": 'values: {port: 1, db: password: value: ["%s"]}' % MARKER},
    "a struct": {"values": 'values: {port: 1, db: password: value: {path: "%s"}}' % MARKER},
    "bytes": {"values": "values: {port: 1, db: password: value: '%s'}" % MARKER},
    "text instead of a secret": {"values": 'values: {port: 1, db: password: "%s"}' % MARKER},
    "given twice": {"values": 'values: {port: 1, db: password: {value: "%s", source: "k8s", path: "a", remoteKey: "b"}}' % MARKER},
    "a misspelt field": {"values": 'values: {port: 1, db: password: valeu: "%s"}' % MARKER},
    "a wrong source": {"values": 'values: {port: 1, db: password: {value: "%s", source: "vault"}}' % MARKER},
    "two values": {"values": GOOD + '\nvalues: db: password: value: "other"'},
    "a value of two types": {"values": GOOD + "\nvalues: db: password: value: 5"},
    "a value by reference": {"values": '_shared: "%s"\nvalues: {port: 1, db: password: value: _shared}\nvalues: db: password: value: 5' % MARKER},
    "a value by two references": {"values": 'let a = {b: "%s"}\n_c: a.b\nvalues: {port: 1, db: password: value: _c}\nvalues: db: password: value: [1]' % MARKER},
    "a value that is put together": {"values": 'values: {port: 1, db: password: value: "%s" + 5}' % MARKER},
    "a value of several lines": {"values": 'values: {port: 1, db: password: value: """\n\tfirst\n\t%s\n\t""" & 5}' % MARKER},
    "a raw value": {"values": 'values: {port: 1, db: password: value: #"%s"# & 5}' % MARKER},
    "a value with escapes": {"values": r'values: {port: 1, db: password: value: "\"%s\\\u00e9\n" & 5}' % MARKER},
    "a failed disjunction of the user": {"values": 'values: {port: 1, db: password: value: "%s" & ("a" | "b")}' % MARKER},
    "a pattern": {"values": GOOD.replace("port: 1", 'port: 1, tokens: a: {$dataKey: "k", value: ["%s"]}' % MARKER)},
    "an alternative": {"values": GOOD.replace("port: 1", 'port: 1, maybe: value: ["%s"]' % MARKER)},
    "a rule that it breaks": {"values": GOOD, "rule": ', value?: =~"^sk_"'},
    "a rule that it keeps, and another error": {"values": GOOD.replace("port: 1", 'port: "x"'), "rule": ', value?: =~"^Canary"'},
    "too deep": {"values": 'values: {port: 1, db: password: value: "ok", a: b: c: d: {$opm: "secret", $secretName: "s", $dataKey: "k", value: "%s"}}' % MARKER},
    "in a list": {"values": 'values: {port: 1, db: password: value: "ok", a: [{$opm: "secret", $secretName: "s", $dataKey: "k", value: "%s"}]}' % MARKER},
    "kept twice": {"values": GOOD.replace("port: 1", 'port: 1, maybe: {$opm: "secret", $secretName: "db", $dataKey: "password", value: "x"}'),
                   "module": ('$secretName: "maybe", $dataKey: "x"', "")},
    "in a function": {"values": GOOD, "container": "env: A: value: strconv.Atoi(#config.db.password.value)"},
    "in an interpolation": {"values": GOOD, "container": 'args: ["\\(#config.db.password.value)-x" & "y"]'},
    "of a transformer": {"values": GOOD, "container": 'env: A: {value: #config.db.password.value, fieldRef: fieldPath: "x"}'},
    "of a schema of Kubernetes": {"values": GOOD, "container": 'volumeMounts: "\\(#config.db.password.value)/x": mountPath: "y"\nports: p: {targetPort: 1, hostIP: 7}'},
    "of a component's own secret": {"values": GOOD, "more": 'config.#Secrets\n\tspec: secrets: own: data: k: "%s" & 5' % MARKER},
    "inline in a component": {"values": GOOD, "container": 'env: B: from: {$opm: "secret", $secretName: "s", $dataKey: "k", value: "%s", source: "x"}' % MARKER},
    "a value without quotes": {"values": "values: {port: 1, db: password: value: %s}" % MARKER},
    "a string that does not end": {"values": 'values: {port: 1, db: password: value: "%s}' % MARKER},
    "no CUE at all": {"values": "values: {port: 1, db: password: value: %s %s}" % (MARKER, MARKER)},
}

# What goes wrong in files that are added.
FILES = {
    "more.yaml": ["db: {password: {value: %s}}", "db: {password: {value: [%s]}}", "db: {password: %s}", "db: {password: {value: '%s}}",
                  "db: {password: {value: %s}}\nport: x", "db: {password: {vlaue: %s}}", "db: {password: {value: !!binary %s}}",
                  "db: {password: {value: *%s}}", "db: {password: {value: |\n   %s\n}}", "db:\n  password:\n    value: |\n      %s\n    path: x\n"],
    "more.json": ['{"db": {"password": {"value": "%s", "source": "esc"}}}', '{"db": {"password": "%s"}}', '{"db": {"password": {"value": %s}}}',
                  '{"db": {"password": {"value": "%s}}}', '{"port": "x", "db": {"password": {"value": "%s"}}}'],
    "more.cue": ['values: db: password: value: "%s" & 1', 'values: db: password: value: %s', 'values: db: password: {value: "%s"', 'values: {port: "x", db: password: value: "%s"}'],
}

VERBOSITY = ([], ["-v"], ["--verbose=json"], ["--timings"], ["--strict"], ["-v", "--timings", "--strict"])


class LeakBench(Workbench):
    def shop(self, values=GOOD, rule="", container="", more="", module=None):
        text = MODULE % {"rule": rule}
        if module:
            text = text.replace(*module)
        self.write("shop/cue.mod/module.cue", module_file("shop"))
        self.write("shop/module.cue", text)
        self.write("shop/components.cue", COMPONENTS % {"container": container, "more": more})
        self.write("shop/values.cue", f"package main\n\n{values}\n")

    def check(self, run, marker=MARKER, output_too=True):
        """No command told the marker, plainly or encoded."""
        text = run.stderr + (run.stdout if output_too else "")
        encoded = base64.b64encode(marker.encode()).decode().rstrip("=")[:-1]
        for form in (marker, marker[::-1], encoded, marker.encode().hex()):
            self.assertNotIn(form, text, run.args)

    def files_without(self, folder, marker=MARKER):
        for path in pathlib.Path(folder).rglob("*"):
            if path.is_file():
                self.assertNotIn(marker, path.read_text(encoding="utf-8"), path)

    def release(self, values=GOOD, rule="", container="", more="", module=None, environment="", base=""):
        """The same as a release of a package, with two environments. Where `base` is given, the values are those of one
        of them."""
        text = MODULE % {"rule": rule}
        if module:
            text = text.replace(*module)
        self.write("apps/cue.mod/module.cue", module_file("apps"))
        self.write("apps/shop/module.cue", text.replace("package main", "package shop").replace('\tdefaultNamespace: "prod"\n', ""))
        self.write("apps/shop/components.cue", (COMPONENTS % {"container": container, "more": more}).replace("package main", "package shop"))
        self.write("apps/.opm/platform.cue", PLATFORMS)
        own, others = (base, values) if base else (values, environment)
        self.write("apps/releases.cue", RELEASES % {"values": own, "environment": others})
