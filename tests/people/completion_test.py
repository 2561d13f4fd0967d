#!/usr/bin/env python3
"""Completion as shells do it: real bash, zsh and fish complete command lines with what `opm completion` prints.

  tests/people/completion_test.py --opm OPM

A shell that is not installed is left out, and said so."""

import http.server
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from runner import main

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPM = ROOT / "build/release/opm"

KUBECONFIG = """apiVersion: v1
kind: Config
current-context: staging
clusters:
- name: one
  cluster: {{server: "{server}"}}
users:
- name: me
  user: {{token: t}}
contexts:
- name: staging
  context: {{cluster: one, user: me, namespace: shop-staging}}
- name: production
  context: {{cluster: one, user: me}}
"""

RELEASES = """package releases

import (
	"opmodel.dev/core@v0"
	module "example.com/hello:main"
)

platforms: one: core.#Platform & {kubeContext: "staging"}

storefront: core.#ModuleRelease & {
	metadata: name: "storefront"
	#module: module
	values: {image: "nginx:1.29", port: 80, replicas: 1}
	environments: preview: {platform: platforms.one, namespace: "preview"}
	environments: live: {platform: platforms.one, namespace: "live"}
}
"""

# What is typed, and what the line is when TAB was hit: of commands, flags, names that opm knows, and files.
TYPED = {
    "opm mod bu": "opm mod build ",
    "opm mod build --out-": "opm mod build --out-dir ",
    "opm mod build hel": "opm mod build hello/",
    "opm mod build -f hello/val": "opm mod build -f hello/values.cue ",
    "opm mod build --provider ku": "opm mod build --provider kubernetes ",
    "opm mod apply --context pro": "opm mod apply --context production ",
    "opm mod apply -n shop-": "opm mod apply -n shop-staging ",
    "opm build -C hello/releases sto": "opm build -C hello/releases storefront ",
    "opm build -C hello/releases storefront -e pre": "opm build -C hello/releases storefront -e preview ",
    "opm apply -C hello/releases storefront -e li": "opm apply -C hello/releases storefront -e live ",
    "opm explain -C hello dep": "opm explain -C hello deployment/web ",
    "opm explain -C hello/releases --release sto": "opm explain -C hello/releases --release storefront ",
    "opm explain -C hello/releases --release storefront -e live dep": "opm explain -C hello/releases --release storefront -e live deployment/web ",
}


class Terminal:
    """An interactive shell behind a terminal of its own: keys go in, and the line that is being edited comes out."""

    def __init__(self, place, command, setup):
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.chdir(place.folder)
            os.execvpe(command[0], command, {**place.environment, "TERM": "vt100", "PS1": "> "})
        self.type(setup + "\necho RE''ADY\n")
        self.wait("READY")

    def type(self, keys):
        os.write(self.end, keys.encode())

    def wait(self, wanted, seconds=30):
        said, end = "", time.monotonic() + seconds
        while not re.search(wanted, said):
            ready, _, _ = select.select([self.end], [], [], max(end - time.monotonic(), 0))
            if not ready:
                raise AssertionError(f"the shell does not say {wanted}, but: {said!r}")
            said += os.read(self.end, 4096).decode("utf-8", "replace")
        return re.search(wanted, said)

    def complete(self, line):
        """The line after TAB. Ctrl-X Ctrl-P has the shell print it and empties it."""
        # Keys that come while a shell is still looking may make it give up.
        for patience in (0.05, 0.5, 3):
            self.type(line + "\t")
            time.sleep(patience)
            self.type("\x18\x10")
            found = self.wait(r"LINE\[(.*?)\]ENIL").group(1)
            if found != line:
                break
        return found

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.end)


class Workplace:
    """A folder with a module, a kubeconfig and a home, in which shells complete."""

    def __init__(self, folder):
        self.folder = folder / "work"
        self.folder.mkdir()
        home = folder / "home"
        home.mkdir()
        (folder / "bin").mkdir()
        (folder / "bin/opm").symlink_to(OPM.resolve())
        kept = {name: value for name, value in os.environ.items() if not re.match("OPM_|CUE_|KUBECONFIG|XDG_", name)}
        self.environment = {**kept, "HOME": str(home), "PATH": f"{folder}/bin:{os.environ['PATH']}", "TERM": "dumb",
                            "KUBECONFIG": str(folder / "kubeconfig")}
        self.use_server("http://127.0.0.1:1")
        self.opm("mod", "init", "hello")
        releases = self.folder / "hello/releases"
        releases.mkdir()
        (releases / "releases.cue").write_text(RELEASES, encoding="utf-8")

    def use_server(self, server):
        pathlib.Path(self.environment["KUBECONFIG"]).write_text(KUBECONFIG.format(server=server), encoding="utf-8")

    def opm(self, *words):
        return subprocess.run([OPM, *words], cwd=self.folder, env=self.environment, text=True, capture_output=True, timeout=60,
                              check=True).stdout

    def answer(self, *words):
        """What `opm __complete` says: the values, and the number behind the colon."""
        lines = self.opm("__complete", "--", *words).splitlines()
        return [line.split("\t")[0] for line in lines[:-1]], lines[-1]

    def run(self, shell, script, *arguments):
        done = subprocess.run([shell, *arguments, "-c", script], cwd=self.folder, env=self.environment, text=True, capture_output=True,
                              timeout=60, check=False)
        return done.stdout.split("\n")[:-1] if done.stdout else []


class CompletionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.place = Workplace(pathlib.Path(cls.scratch.name))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()


class AnswerTest(CompletionTest):
    def test_commands_and_flags(self):
        self.assertEqual(self.place.answer("mod", "bu"), (["build"], ":4"))
        values, _ = self.place.answer("")
        self.assertIn("explain", values)
        self.assertFalse([value for value in values if value.startswith("_")])
        self.assertIn("--out-dir", self.place.answer("mod", "build", "--ou")[0])
        self.assertNotIn("--split", self.place.answer("mod", "vet", "--s")[0])

    def test_values_of_flags(self):
        self.assertEqual(self.place.answer("mod", "build", "-o", ""), (["yaml", "json"], ":4"))
        self.assertEqual(self.place.answer("mod", "build", "--output=j"), (["--output=json"], ":4"))
        self.assertEqual(self.place.answer("mod", "build", "--values", ""), ([], ":0"))
        self.assertEqual(self.place.answer("mod", "build", ""), ([], ":16"))
        self.assertEqual(self.place.answer("mod", "init", "--template", "st")[0], ["stateful"])

    def test_names(self):
        self.assertEqual(self.place.answer("mod", "build", "--provider", "")[0], ["kubernetes"])
        self.assertEqual(self.place.answer("mod", "apply", "--context", "")[0], ["production", "staging"])
        self.assertEqual(self.place.answer("mod", "build", "-n", "shop-")[0], ["shop-staging"])
        self.assertIn("opmodel.dev/core@v0", self.place.answer("mod", "get", "opmodel.dev/c")[0])
        self.assertEqual(self.place.answer("explain", "-C", "hello", "dep")[0], ["deployment/web"])
        self.assertIn("getting-started", self.place.answer("help", "getting")[0])

    def test_what_is_broken_is_silent(self):
        self.assertEqual(self.place.answer("explain", "-C", "nowhere", ""), ([], ":4"))
        self.assertEqual(self.place.answer("build", ""), ([], ":4"))
        self.assertEqual(self.place.answer("mod", "nonsense", "--flag=", "-", "--", ""), ([], ":4"))

    def test_namespaces_of_the_cluster(self):
        class Server(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = b'{"kind":"NamespaceList","apiVersion":"v1","items":[{"metadata":{"name":"from-the-cluster"}}]}'
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.place.use_server(f"http://127.0.0.1:{server.server_port}")
            self.assertEqual(self.place.answer("mod", "apply", "-n", "")[0], ["from-the-cluster", "shop-staging"])
            server.shutdown()
        self.place.use_server("http://127.0.0.1:1")

    def test_a_cluster_that_does_not_answer_is_not_waited_for(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            self.place.use_server(f"http://127.0.0.1:{silent.getsockname()[1]}")
            self.assertEqual(self.place.answer("mod", "apply", "-n", "")[0], ["shop-staging"])
        self.place.use_server("http://127.0.0.1:1")


@unittest.skipUnless(shutil.which("bash"), "no bash")
class BashTest(CompletionTest):
    def complete(self, line):
        """As bash does when TAB is hit at the end of the line."""
        script = r"""
eval "$(opm completion bash)"
COMP_LINE=$LINE COMP_POINT=${#LINE}
# Readline breaks words at these.
IFS=$'\n' read -r -d '' -a COMP_WORDS < <(python3 - "$LINE" <<'PYTHON'
import re, sys
words = re.findall(r"[=:]+|[^\s=:]+", sys.argv[1])
print("\n".join(words + ([""] if sys.argv[1].endswith(" ") else [])))
PYTHON
)
[[ $LINE == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_opm_complete
printf '%s\n' "${COMPREPLY[@]}"
"""
        self.place.environment["LINE"] = line
        return [word for word in self.place.run("bash", script, "--noprofile", "--norc") if word]

    def test_words(self):
        self.assertEqual(self.complete("opm mod bu"), ["build"])
        self.assertEqual(self.complete("opm mod build -o "), ["yaml", "json"])
        self.assertEqual(self.complete("opm mod apply --context "), ["production", "staging"])

    def test_a_word_that_bash_takes_apart(self):
        self.assertEqual(self.complete("opm mod build --output=j"), ["json"])
        self.assertEqual(self.complete("opm mod build --output="), ["yaml", "json"])

    def test_folders_and_files(self):
        self.assertEqual(self.complete("opm mod build hel"), ["hello"])
        self.assertEqual(self.complete("opm mod build -f hello/val"), ["hello/values.cue"])

    def test_in_a_terminal(self):
        show = r"""_show() { printf 'LINE[%s]ENIL\n' "$READLINE_LINE"; READLINE_LINE=; READLINE_POINT=0; }; bind -x '"\C-x\C-p": _show'"""
        terminal = Terminal(self.place, ["bash", "--noprofile", "--norc", "-i"], show + '; eval "$(opm completion bash)"')
        self.addCleanup(terminal.close)
        for line, expected in {**TYPED, "opm mod build --output=j": "opm mod build --output=json "}.items():
            with self.subTest(line):
                self.assertEqual(terminal.complete(line), expected)

    def test_it_is_registered(self):
        self.assertIn("_opm_complete opm", "\n".join(self.place.run("bash", 'eval "$(opm completion bash)"; complete -p opm')))


@unittest.skipUnless(shutil.which("zsh"), "no zsh")
class ZshTest(CompletionTest):
    def complete(self, line):
        """What the function offers to zsh, which gives it the words of the line."""
        script = r"""
compdef() { : }
_describe() { print -rl -- "${(@P)2}" }
_files() { : }
source <(opm completion zsh)
words=("${(@s: :)LINE}")
CURRENT=${#words}
_opm_complete
"""
        self.place.environment["LINE"] = line
        return [word.split(":")[0] for word in self.place.run("zsh", script, "-f")]

    def test_words(self):
        self.assertEqual(self.complete("opm mod bu"), ["build"])
        self.assertEqual(self.complete("opm mod apply --context "), ["production", "staging"])
        self.assertEqual(self.complete("opm mod build --output=j"), ["--output=json"])

    def test_in_a_terminal(self):
        show = "_show() { zle -I; print -r -- \"LINE[$BUFFER]ENIL\"; BUFFER= }; zle -N _show; bindkey '^X^P' _show"
        setup = "autoload -U compinit; compinit -u -d \"$HOME/.zcompdump\"; source <(opm completion zsh); " + show
        terminal = Terminal(self.place, ["zsh", "-f", "-i"], setup)
        self.addCleanup(terminal.close)
        for line, expected in {**TYPED, "opm mod build --output=j": "opm mod build --output=json "}.items():
            with self.subTest(line):
                self.assertEqual(terminal.complete(line), expected)

    def test_the_script_is_right(self):
        self.assertEqual(self.place.run("zsh", "opm completion zsh > _opm; zsh -n _opm && echo fine", "-f"), ["fine"])


@unittest.skipUnless(shutil.which("fish"), "no fish")
class FishTest(CompletionTest):
    def complete(self, line):
        lines = self.place.run("fish", f"opm completion fish | source; complete -C '{line}'", "--no-config")
        return [candidate.split("\t")[0] for candidate in lines]

    def test_words(self):
        self.assertEqual(self.complete("opm mod bu"), ["build"])
        self.assertEqual(sorted(self.complete("opm mod apply --context ")), ["production", "staging"])
        self.assertEqual(self.complete("opm mod build --output=j"), ["--output=json"])

    def test_folders(self):
        self.assertEqual(self.complete("opm mod build hel"), ["hello/"])

    def test_names(self):
        for line, expected in TYPED.items():
            with self.subTest(line):
                self.assertEqual(self.complete(line), [expected.rstrip(" ").split(" ")[-1]])


class PluginTest(CompletionTest):
    def test_kubectl_finds_it_by_its_name(self):
        link = self.place.folder.parent / "bin/kubectl-opm"
        link.unlink(missing_ok=True)
        link.symlink_to(OPM.resolve())
        done = subprocess.run([link, "mod", "build", "hello"], cwd=self.place.folder, env=self.place.environment, text=True,
                              capture_output=True, timeout=60, check=True)
        self.assertEqual(done.stdout, self.place.opm("mod", "build", "hello"))

    def test_the_real_kubectl(self):
        kubectl = shutil.which("kubectl") or next(map(str, pathlib.Path.home().glob(".cache/opm-tools/kubectl-*/kubectl")), None)
        if not kubectl:
            self.skipTest("no kubectl")
        link = self.place.folder.parent / "bin/kubectl-opm"
        link.unlink(missing_ok=True)
        link.symlink_to(OPM.resolve())
        done = subprocess.run([kubectl, "opm", "mod", "build", "hello"], cwd=self.place.folder, env=self.place.environment, text=True,
                              capture_output=True, timeout=60, check=True)
        self.assertEqual(done.stdout, self.place.opm("mod", "build", "hello"))

    def test_kubectl_completes_it(self):
        done = subprocess.run([ROOT / "cmake/kubectl_complete-opm", "mod", "bu"], cwd=self.place.folder, env=self.place.environment,
                              text=True, capture_output=True, timeout=60, check=True)
        self.assertEqual(done.stdout.splitlines()[-1], ":4")
        self.assertTrue(done.stdout.startswith("build\t"))


class ManualTest(CompletionTest):
    def test_every_command_has_a_page_that_man_can_read(self):
        folder = self.place.folder / "man1"
        self.place.opm("__manual", str(folder))
        pages = sorted(page.name for page in folder.iterdir())
        self.assertIn("opm-mod-build.1", pages)
        self.assertFalse([page for page in pages if "__" in page])
        text = (folder / "opm-mod-build.1").read_text(encoding="utf-8")
        self.assertIn("\\-\\-watch", text)
        self.assertIn("opm\\-mod\\-build", (folder / "opm-mod.1").read_text(encoding="utf-8"))
        if shutil.which("groff"):
            for page in folder.iterdir():
                done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], text=True, capture_output=True, timeout=60, check=True)
                self.assertEqual(done.stderr, "", page.name)

    def test_the_reference_is_that_of_this_program(self):
        self.assertEqual((ROOT / "docs/commands.md").read_text(encoding="utf-8"), self.place.opm("__reference"),
                         "run: build/release/opm __reference > docs/commands.md")


if __name__ == "__main__":
    main(globals())
