#!/usr/bin/env python3
"""Every command, as its help lists them, with every form of output and every verbosity, on modules and releases that hold
a marker in their secrets: only a build that is not told to redact prints it.

  tests/render/secret_commands_test.py --opm OPM [unittest's arguments]"""

import re
import shutil

from leaks import MARKER, LeakBench
from workbench import main

# Derived from a secret: an argument of the container and a label, beside the variable.
USES = 'args: ["postgres://x:\\(#config.db.password.value)@db"]'

# What arguments of these names are.
ARGUMENTS = {"MODULE": "shop", "DIR": "shop", "PATH": "shop", "RELEASE": "shop", "NAME": "shop", "FILE": "user.yaml", "RESOURCE": "Deployment/web",
             "OBJECT": "Deployment/web", "CHANGE": "0a1b2c3d", "VERSION": "v0.0.1"}

# Commands of CUE know nothing of secrets: they print what files hold.
EXEMPT = ("cue",)
# Manifests are the product.
PRINTS_MANIFESTS = ("mod build", "build")

# Nobody answers there.
KUBECONFIG = """apiVersion: v1
kind: Config
current-context: nowhere
contexts: [{name: nowhere, context: {cluster: nowhere, user: nobody}}]
clusters: [{name: nowhere, cluster: {server: "http://127.0.0.1:1"}}]
users: [{name: nobody, user: {}}]
"""

# In the folder of the module or of the releases, and with what exit code: what the help cannot tell.
SPECIAL = [
    ("values merge shop --user user.yaml", "", 0),
    ("values merge shop --platform platform.cue --user user.yaml -o json", "", 0),
    ("values merge shop --overlay user.yaml -o yaml", "", 0),
    ("values inspect shop --user user.yaml", "", 0),
    ("values inspect shop --user user.yaml -o json", "", 0),
    ("values inspect shop --platform platform.cue --user user.yaml --tree --color always", "", 0),
    ("values inspect shop --user user.yaml --why values.db.password", "", 0),
    ("values inspect shop --user user.yaml --why db.password.value", "", None),
    ("values validate shop user.yaml", "", 0),
    ("values validate shop wrong.yaml", "", 2),
    ("values validate shop --platform wrong.yaml", "", 2),
    ("values validate shop broken.yaml", "", None),
    ("values check shop --platform platform.cue --user user.yaml", "", 0),
    ("values check shop --platform locked.cue --user user.yaml", "", 2),
    ("values diff --base shop --user user.yaml", "", 1),
    ("values diff --base shop --platform platform.cue --user user.yaml -o json", "", 1),
    ("mod vet shop --platform locked.cue --user user.yaml", "", 2),
    ("mod vet shop -f wrong.yaml", "", 2),
    ("mod vet shop -f user.yaml -v --timings --strict", "", 2),
    ("mod build . --redact --dump-jobs ../dump -v --timings", "shop", 0),
    ("mod build . --redact --split --out-dir ../out", "shop", 0),
    ("mod build . --redact --split --out-dir ../out -o json", "shop", 0),
    ("mod publish --dry-run v0.0.1", "shop", None),
    ("mod tidy --check", "shop", None),
    ("mod apply . --dry-run --diff", "shop", 3),
    ("mod apply . --timings -v", "shop", 3),
    ("mod diff . -o json", "shop", 3),
    ("mod status . -o json", "shop", 3),
    ("mod delete .", "shop", 3),
    ("config show -o json", "shop", 0),
    ("build shop -e prod --redact", "apps", 0),
    ("build shop -e prod --redact -o json --verbose=json --timings", "apps", 0),
    ("build shop --all-environments --redact --dump-jobs ../dump", "apps", 0),
    ("build shop --all-environments --redact --split --out-dir ../out", "apps", 0),
    ("explain --release shop -e prod Deployment/web --all", "apps", 0),
    ("explain --release shop -e prod Secret/db -o json", "apps", 0),
    ("explain --release shop -e prod Secret/db data.password --user ../user.yaml", "apps", 0),
    ("build shop -e nowhere", "apps", 2),
    ("build shpo -e prod", "apps", 2),
    ("build", "apps", 0),
    ("diff shop -e prod --against staging", "apps", 1),
    ("diff shop -e prod --against staging -o json -v --timings", "apps", 1),
    ("apply shop -e prod -v --timings", "apps", 3),
    ("apply shop -e prod --dry-run --diff", "apps", 3),
    ("diff shop -e prod", "apps", 3),
    ("status shop -e prod -o json", "apps", 3),
    ("delete shop -e prod", "apps", 3),
    ("env list -o json", "apps", 0),
    ("env list", "apps", 0),
    ("platform list -o json", "apps", 0),
    ("release rollback shop --module ../shop", "apps", 3),
]


class Commands(LeakBench):
    def setUp(self):
        super().setUp()
        self.shop(container=USES)
        self.release(container=USES, environment='values: db: password: value: "%s-of-prod"' % MARKER)
        self.kubeconfig = self.write("home/kubeconfig", KUBECONFIG)
        self.write("user.yaml", f"db: {{password: {{value: {MARKER}-of-the-user}}}}\n")
        self.write("platform.cue", f'values: db: password: value: string | *"{MARKER}-of-the-platform"\n')
        self.write("locked.cue", f'values: db: password: value: "{MARKER}-that-is-locked"\n')
        self.write("wrong.yaml", f"port: x\ndb: {{password: {{value: {MARKER}, source: k8s}}}}\n")
        self.write("broken.yaml", f"db: {{password: {{value: '{MARKER}}}}}\n")

    def help_of(self, *words):
        return self.opm(*words, "--help").stdout

    def leaves(self, *words):
        """All commands below, with what their help says."""
        text = self.help_of(*words)
        listed = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.MULTILINE)
        if not listed:
            yield words, text
            return
        for name in re.findall(r"^  ([a-z][a-z-]*) ", listed.group(1), re.MULTILINE):
            yield from self.leaves(*words, name)

    def variants(self, text):
        """All forms of output and verbosities."""
        yield []
        choice = re.search(r"-o,--output (\S+)", text)
        for form in choice.group(1).split("|") if choice else []:
            yield ["-o", form]
        if "--verbose" in text:
            yield ["-v"]
            yield ["--verbose=json"]
        if "--timings" in text:
            yield ["--timings"]
        if "--redact" in text:
            yield ["--redact"]

    def drive(self, words, folder, code=None):
        run = self.opm(*words, cwd=self.folder / folder, code=code, env={"KUBECONFIG": str(self.kubeconfig)})
        self.assertNotIn(run.returncode, (-6, -11), run.stderr)
        is_manifests = " ".join(words).startswith(PRINTS_MANIFESTS) and "--redact" not in words
        self.check(run, output_too=not is_manifests or run.returncode != 0)
        return run

    def test_every_command_that_the_help_lists(self):
        driven = 0
        for words, text in self.leaves():
            if words[0] in EXEMPT:
                continue
            usage = re.search(r"^Usage: (.*)$", text, re.MULTILINE).group(1).replace("[OPTIONS]", "").split()[1 + len(words):]
            arguments = [ARGUMENTS.get(word.strip("[].") , "x") for word in usage]
            for folder in ("", "shop", "apps"):
                for variant in self.variants(text):
                    with self.subTest(command=" ".join([*words, *arguments, *variant]), folder=folder):
                        self.drive([*words, *arguments, *variant], folder)
                        driven += 1
        self.assertGreater(driven, 150)
        # Some of them write files: a new module, a configuration.
        for path in self.folder.rglob("*"):
            if path.is_file() and not path.is_relative_to(self.folder / "shop") and not path.is_relative_to(self.folder / "apps") \
                    and path.parent != self.folder:
                self.assertNotIn(MARKER, path.read_text(encoding="utf-8"), path)

    def test_what_the_help_cannot_tell(self):
        for line, folder, code in SPECIAL:
            with self.subTest(line):
                for written in ("dump", "out"):
                    shutil.rmtree(self.folder / written, ignore_errors=True)
                self.drive(line.split(), folder, code)
                for written in ("dump", "out"):
                    self.files_without(self.folder / written)

    def test_explaining_where_a_secret_comes_from(self):
        """Lines of files are quoted, but for the secrets in them."""
        texts = ['values: {port: 1, db: password: value: "%s"}', '_shared: {pw: "%s"}\nvalues: {port: 1, db: password: value: _shared.pw}',
                 'values: {port: 1, db: password: value: """\n\tfirst\n\t%s\n\t"""}', 'values: {port: 1, db: password: value: "x" + "%s"}',
                 'let a = "%s"\nvalues: {port: 1, db: password: value: "\\(a)-b"}']
        runs = [(text, []) for text in texts] + [('values: {port: 1, db: _} // %s', ["-f", "../user.yaml"]), (texts[0], ["--user", "../user.yaml"])]
        for text, flags in runs:
            self.shop(text.replace("// %s", "") if "//" in text else text % MARKER, container=USES)
            for words in (["Secret/db", "data.password"], ["Secret/db", "--all"], ["Secret/db", "-o", "json"], ["Deployment/web", "--all"],
                          ["Deployment/web", "spec.template.spec.containers[web].args[0]"]):
                with self.subTest(text=text, words=words, flags=flags):
                    run = self.drive(["explain", *words, *flags], "shop", 0)
                    self.assertIn("<redacted sha256:", run.stdout)

    def test_values_show_as_checksums(self):
        """So that one sees whether two are the same."""
        run = self.opm("values", "diff", "--base", "shop", "--user", "user.yaml", code=1)
        self.assertEqual(len(set(re.findall(r"<redacted sha256:[0-9a-f]{8}>", run.stdout))), 2, run.stdout)
        merged = self.opm("values", "merge", "shop", "--user", "user.yaml").stdout
        self.assertRegex(merged, r'value: +"<redacted sha256:[0-9a-f]{8}>"')


if __name__ == "__main__":
    main()
