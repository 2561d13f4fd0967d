#!/usr/bin/env python3
"""Nothing leaks: a marker is put into secrets, every command is driven with them, through every error that comes to mind,
and the marker may be found only in what a build prints.

  tests/render/secrets_test.py --opm OPM [unittest's arguments]"""

import base64
import pathlib
import resource
import subprocess

from workbench import TOOLS, Workbench, main, module_file

MARKER = "Canary7f3d9a61c2"

MODULE = """package main

import (
	"opmodel.dev/core@v0"
	"opmodel.dev/schemas@v0"
)

core.#Module

metadata: {
	apiVersion:       "example.com/modules@v0"
	name:             "shop"
	version:          "1.0.0"
	defaultNamespace: "prod"
}

#config: {
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


class Leaks(Workbench):
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

    def test_errors_in_the_module(self):
        for name, case in ERRORS.items():
            case = dict(case)
            marker = case.pop("marker", MARKER)
            with self.subTest(name):
                self.shop(**case)
                for command in ("build", "vet"):
                    for flags in VERBOSITY:
                        run = self.opm("mod", command, "shop", *flags, code=None)
                        self.assertIn(run.returncode, (0, 1, 2), run.stderr)
                        self.check(run, marker, output_too=command == "vet" or run.returncode != 0)
                dump = self.folder / "dump"
                self.check(self.opm("mod", "build", "shop", "--dump-jobs", dump, "--redact", code=None), marker)
                self.files_without(dump, marker)

    def test_errors_are_told_all_the_same(self):
        told = 0
        for name, case in ERRORS.items():
            case = {key: value for key, value in case.items() if key != "marker"}
            self.shop(**case)
            run = self.opm("mod", "vet", "shop", code=None)
            told += run.returncode != 0
            with self.subTest(name):
                self.assertNotIn("is not told", run.stderr)
        self.assertGreater(told, len(ERRORS) - 4)

    def test_errors_in_files_that_are_added(self):
        for file, texts in FILES.items():
            for text in texts:
                with self.subTest(file=file, text=text):
                    self.shop("values: {port: int, db: _}")
                    (self.folder / file).write_text(text % MARKER, encoding="utf-8")
                    for flags in (["-f", file], ["--platform", file], ["--user", file, "-v"]):
                        run = self.opm("mod", "vet", "shop", *flags, code=None)
                        self.assertNotEqual(run.returncode, 0)
                        self.check(run)
                    (self.folder / file).unlink()

    def test_a_build_that_works(self):
        self.shop(container='args: ["postgres://x:\\(#config.db.password.value)@db"]')
        plain = self.build("shop", "--timings", "-v")
        self.check(plain, output_too=False)
        self.assertIn(MARKER, plain.stdout)
        masked = self.build("shop", "--redact")
        self.check(masked)
        # What is no secret stays.
        self.assertEqual(len(masked.stdout.splitlines()), len(plain.stdout.splitlines()))
        changed = [line for line, before in zip(masked.stdout.splitlines(), plain.stdout.splitlines()) if line != before]
        self.assertEqual(len(changed), 2, changed)
        self.build("shop", "--split", "--out-dir", "out", "--redact")
        self.files_without(self.folder / "out")

    def test_jobs_are_dumped_without_secrets_unless_asked(self):
        self.shop(container='args: ["postgres://x:\\(#config.db.password.value)@db"]')
        self.build("shop", "--dump-jobs", "dump")
        self.files_without(self.folder / "dump")
        self.assertIn("<redacted sha256:", "".join(path.read_text() for path in (self.folder / "dump/components").iterdir()))
        self.build("shop", "--dump-jobs", "shown", "--show-secrets")
        self.assertIn(MARKER, "".join(path.read_text() for path in (self.folder / "shown/components").iterdir()))

    def test_values_commands(self):
        self.shop()
        self.write("user.yaml", f"db: {{password: {{value: {MARKER}2}}}}\n")
        for words in (["merge"], ["inspect"], ["validate"], ["check"], ["diff"]):
            for flags in ([], ["--user", "user.yaml"], ["--overlay", "user.yaml"], ["-o", "json"], ["-o", "yaml"]):
                self.check(self.opm("values", *words, "shop", *flags, code=None))

    def test_other_commands(self):
        self.shop()
        for words in (["config", "show"], ["config", "vet"], ["mod", "tidy", "--check"], ["mod", "resolve"], ["mod", "graph"],
                      ["mod", "publish", "--dry-run", "v0.0.1"], ["explain", "Deployment/web"], ["mod", "diff"], ["mod", "status"],
                      ["mod", "apply"], ["mod", "apply", "--dry-run"], ["mod", "delete"]):
            self.check(self.opm(*words, code=None, cwd=self.folder / "shop", env={"KUBECONFIG": "/nowhere"}))

    def test_values_come_from_standard_input(self):
        self.shop("values: {port: 1, db: _}")
        for flag, text in (("-", f"db: {{password: {{value: {MARKER}}}}}\n"), ("-", '{"db": {"password": {"value": "%s"}}}' % MARKER),
                           ("yaml:-", f"values: {{db: {{password: {{value: {MARKER}}}}}}}\n"), ("json:-", '{"db": {"password": {"value": "%s"}}}' % MARKER),
                           ("cue:-", 'values: db: password: value: "%s"' % MARKER)):
            run = self.build("shop", "-f", flag, input=text)
            self.assertIn(base64.b64encode(MARKER.encode()).decode(), run.stdout)
            self.assertEqual(run.stderr, "")
            for broken in (text.replace(MARKER, f"[{MARKER}"), text.replace("value", "vlaue"), text[:-6],
                           text.replace(f'"{MARKER}"', MARKER)):
                run = self.build("shop", "-f", flag, input=broken, code=None)
                self.check(run, output_too=run.returncode != 0)
        self.assertIn("more than once", self.build("shop", "-f", "-", "-f", "-", input="{}", code=1).stderr)

    def test_no_core_is_dumped(self):
        """The process that handles secrets cannot be made to leave its memory behind, nor be read by others of the same user."""
        self.shop()
        program = subprocess.Popen([TOOLS["opm"], "mod", "build", self.folder / "shop", "-f", "-"], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1])))
        try:
            # It waits for its input, so it has started.
            program.stdin.write(b" ")
            program.stdin.flush()
            for _ in range(500):
                limits = pathlib.Path(f"/proc/{program.pid}/limits").read_text()
                core = [line.split()[4:6] for line in limits.splitlines() if line.startswith("Max core")][0]
                if core == ["0", "0"]:
                    break
                resource.getrusage(resource.RUSAGE_SELF)
                subprocess.run(["sleep", "0.01"], check=False)
            self.assertEqual(core, ["0", "0"])
        finally:
            program.stdin.close()
            program.wait(timeout=60)


if __name__ == "__main__":
    main()
