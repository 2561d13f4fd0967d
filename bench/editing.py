"""`opm lsp`: from the moment that an editor sends a change or a question to the answer, which a person waits for."""

import pathlib
import statistics
import sys
import time

import measure
import rendering

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/lsp"))

import editor as editing  # noqa: E402

COMPONENTS = 10
WANTED_MILLISECONDS = 50
MINE = "\n#components: mine: {\n\tworkload.#Container\n\tspec: contai\n}\n"


def answers(opm, module, home, count):
    """Seconds of each diagnosis, hover and completion."""
    home.mkdir(parents=True, exist_ok=True)
    components = module / "components.cue"
    text = components.read_text(encoding="utf-8")
    diagnosed, hovered, completed = [], [], []
    editor = editing.Editor(opm, module, home)
    try:
        editor.start()
        editor.open(components)
        editor.diagnostics(components)
        for number in range(count):
            # Every text is another one, so that nothing is known of it.
            start = time.perf_counter()
            editor.replace(components, text + "\n" * number)
            if editor.diagnostics(components):
                raise RuntimeError("something is wrong with the module")
            diagnosed.append(time.perf_counter() - start)
            start = time.perf_counter()
            editor.request("textDocument/hover", **editor.at(components, "im|age"))
            hovered.append(time.perf_counter() - start)
            editor.replace(components, text + MINE + "\n" * number)
            editor.diagnostics(components)
            start = time.perf_counter()
            editor.request("textDocument/completion", **editor.at(components, "spec: contai|"))
            completed.append(time.perf_counter() - start)
        editor.stop()
    finally:
        editor.kill()
    return diagnosed, hovered, completed


def run(bench, folder):
    print("  (l) answers to an editor", file=sys.stderr)
    work = pathlib.Path(folder) / "editing"
    module = work / "module"
    rendering.make_module(module, COMPONENTS)
    for title, taken in zip(("errors after a change", "hover", "completion"), answers(bench.opm, module, work / "home", bench.least * 3)):
        median = statistics.median(taken)
        note = f"{median * 1000:.1f} ms; {WANTED_MILLISECONDS} ms are wanted"
        bench.rows.append((f"(l) `lsp`, {COMPONENTS} components, {title}", measure.Measured(median, 0), None, note, ""))
