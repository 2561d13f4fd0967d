#!/usr/bin/env python3
"""Nothing leaks: a marker is put into secrets of modules and of releases, through every error that comes to mind, and may be
found only in what a build prints. secret_commands_test.py drives every command.

  tests/render/secrets_test.py --opm OPM [unittest's arguments]"""

import base64
import pathlib
import resource
import shutil
import subprocess

from leaks import ERRORS, FILES, GOOD, MARKER, VERBOSITY, LeakBench
from workbench import TOOLS, main


class Leaks(LeakBench):
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

    def release_runs(self):
        """Commands of releases, with what of each may hold no secret: a build that works prints the manifests."""
        yield ["build", "shop", "-e", "prod", "-v", "--timings"], False
        yield ["build", "shop", "--all-environments", "--verbose=json", "--redact", "--dump-jobs", self.folder / "dump"], True
        yield ["diff", "shop", "-e", "prod", "--against", "staging", "-v"], True
        yield ["apply", "shop", "-e", "prod", "--verbose=json"], True
        yield ["env", "list", "-o", "json"], True
        yield ["build"], True

    def test_errors_in_releases(self):
        """The same in a package of releases, among the values of the release or of one of its environments."""
        for number, (name, case) in enumerate(ERRORS.items()):
            case = dict(case)
            marker = case.pop("marker", MARKER)
            with self.subTest(name):
                self.release(**case, base="values: port: 1" if number % 2 else "")
                shutil.rmtree(self.folder / "dump", ignore_errors=True)
                for words, output_too in self.release_runs():
                    run = self.opm(*words, cwd=self.folder / "apps", env={"KUBECONFIG": "/nowhere"}, code=None)
                    self.assertIn(run.returncode, (0, 1, 2, 3), run.stderr)
                    self.check(run, marker, output_too)
                    self.assertNotIn("is not told", run.stderr)
                self.files_without(self.folder / "dump", marker)

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

    def test_a_release_that_works(self):
        """What is made of a secret is masked in releases with environments as well."""
        self.release(container='args: ["postgres://x:\\(#config.db.password.value)@db"]',
                     environment='values: db: password: value: "%s2"' % MARKER)
        in_apps = {"cwd": self.folder / "apps"}
        plain = self.opm("build", "shop", "-e", "prod", "-v", "--timings", **in_apps)
        self.check(plain, output_too=False)
        self.assertIn(f"postgres://x:{MARKER}2@db", plain.stdout)
        masked = self.opm("build", "shop", "-e", "prod", "--redact", **in_apps)
        self.check(masked)
        changed = [line for line, before in zip(masked.stdout.splitlines(), plain.stdout.splitlines()) if line != before]
        self.assertEqual(len(changed), 2, changed)
        everything = self.opm("build", "shop", "--all-environments", "--redact", "-o", "json", **in_apps)
        self.check(everything)
        self.assertEqual(everything.stdout.count("<redacted sha256:"), 4)
        self.opm("build", "shop", "--all-environments", "--redact", "--split", "--out-dir", self.folder / "out", **in_apps)
        self.files_without(self.folder / "out")
        for output in ("text", "json"):
            difference = self.opm("diff", "shop", "-e", "prod", "--against", "staging", "-o", output, code=1, **in_apps)
            self.check(difference)
            self.assertEqual(difference.stdout.count("<redacted sha256:"), 4, difference.stdout)
        self.opm("build", "shop", "-e", "prod", "--dump-jobs", self.folder / "dump", **in_apps)
        self.files_without(self.folder / "dump")
        self.assertIn("<redacted sha256:", "".join(path.read_text() for path in (self.folder / "dump/components").iterdir()))
        self.opm("build", "shop", "-e", "prod", "--dump-jobs", self.folder / "shown", "--show-secrets", **in_apps)
        self.assertIn(MARKER, "".join(path.read_text() for path in (self.folder / "shown/components").iterdir()))

    def test_why_something_matched_is_told_without_secrets(self):
        """A label may be made of a secret."""
        label = 'metadata: labels: "core.opmodel.dev/workload-type": #config.db.password.value'
        self.shop(more="")
        components = self.folder / "shop/components.cue"
        components.write_text(components.read_text().replace('metadata: labels: "core.opmodel.dev/workload-type": "stateless"', label))
        for flags in (["-v"], ["--verbose=json"]):
            run = self.build("shop", *flags, code=2)
            self.check(run)
            self.assertIn("<redacted sha256:", run.stderr)

    def test_files_that_cannot_be_read(self):
        """Broken at any place: a secret without its quotes is a name, and what follows it a syntax error."""
        self.release()
        self.shop()
        releases, values = self.folder / "apps/releases.cue", self.folder / "shop/values.cue"
        whole = {releases: releases.read_text(), values: values.read_text()}
        quoted = f'"{MARKER}"'
        for written in (MARKER, f"{MARKER} 1", f"{{{MARKER}}}", f"({MARKER} {MARKER})", f'"x" {quoted}', f'"\\({MARKER})"', f"x.{MARKER}",
                        f"{quoted}.{MARKER}", f"{{a {MARKER}: 1}}", f"{{a {quoted}: 1}}", f"'{MARKER}", f"!{MARKER}", f"{MARKER}: {quoted}",
                        f"{quoted}[{MARKER}]", f"strings.{MARKER}({quoted})", f"@{MARKER}({quoted})", f'"""{MARKER}"""', f"#{quoted}"):
            with self.subTest(written):
                for file, text in whole.items():
                    file.write_text(text.replace(quoted, written))
                for words in (["mod", "vet", "shop"], ["values", "merge", "shop"], ["build", "shop", "-e", "prod", "-C", "apps"],
                              ["env", "list", "-C", "apps"]):
                    run = self.opm(*words, code=None)
                    self.check(run)
                    self.assertNotIn(run.returncode, (-6, -11))

    def test_jobs_are_dumped_without_secrets_unless_asked(self):
        self.shop(container='args: ["postgres://x:\\(#config.db.password.value)@db"]')
        self.build("shop", "--dump-jobs", "dump")
        self.files_without(self.folder / "dump")
        self.assertIn("<redacted sha256:", "".join(path.read_text() for path in (self.folder / "dump/components").iterdir()))
        self.build("shop", "--dump-jobs", "shown", "--show-secrets")
        self.assertIn(MARKER, "".join(path.read_text() for path in (self.folder / "shown/components").iterdir()))

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
