#!/usr/bin/env python3
"""Differential fuzzing: many programs through `opm cue eval` and the real `cue eval`, and where their answers differ.

Programs are fields of one file, evaluated with `eval --ignore --all`: what is wrong with one is printed as its value and leaves the
others alone, so that one start of the oracle answers for hundreds. What differs is made smaller as long as it differs.

    compare.py --opm PATH --oracle PATH --corpus FOLDER --seed 1 --count 400

`known.txt` has what is known to differ, a program a line as JSON after its reason. Anything else that differs fails the run.
"""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "conformance"))
import cue_text  # noqa: E402
import txtar  # noqa: E402

import programs  # noqa: E402

HEADER = "".join(f'import "{name}"\n' for name in programs.IMPORTS) + programs.USES + "\n"
ERROR = re.compile(r"_\|_(,?) +//[^\n]*")
# The oracle keeps the names of lets apart over a whole file.
LET = re.compile(r"\b([LMX])_\d+\b")
BLOCK = re.compile(r"^p(\d+): ", re.MULTILINE)
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "CUE_REGISTRY": "none", "CUE_CACHE_DIR": "/nonexistent", "LC_ALL": "C.UTF-8"}


class Tool:
    def __init__(self, command, folder):
        self.command = command
        self.file = os.path.join(folder, f"batch-{os.path.basename(command[0])}.cue")
        self.starts = 0

    def answers(self, texts):
        """For each program the printed value, or what it is instead: "rejected", "crash", "timeout"."""
        if not texts:
            return []
        with open(self.file, "w", encoding="utf-8") as out:
            out.write(HEADER + "".join(f"p{i}: {{\n{text}\n}}\n" for i, text in enumerate(texts)))
        self.starts += 1
        seconds = 2 + 0.01 * len(texts)
        try:
            done = subprocess.run([*self.command, "eval", "--ignore", "--all", os.path.basename(self.file)], capture_output=True,
                                  timeout=seconds, check=False, env=ENVIRONMENT, cwd=os.path.dirname(self.file))
            if done.returncode == 0:
                found = self.blocks(done.stdout.decode("utf-8", "replace"))
                if set(found) == set(range(len(texts))):
                    return [found[i] for i in range(len(texts))]
            ending = "crash" if done.returncode < 0 or b"\ngoroutine " in done.stderr else "rejected"
        except subprocess.TimeoutExpired:
            ending = "timeout"
        # A program that hangs is found in few steps; those beside it are given up rather than waited for once more.
        if len(texts) == 1 or (ending == "timeout" and len(texts) <= 4):
            return [ending] * len(texts)
        step = max(1, -(-len(texts) // (8 if ending == "timeout" else 2)))
        return [answer for first in range(0, len(texts), step) for answer in self.answers(texts[first: first + step])]

    @staticmethod
    def blocks(text):
        starts = list(BLOCK.finditer(text))
        ends = [match.start() for match in starts[1:]] + [len(text)]
        return {int(match.group(1)): LET.sub(r"\1", ERROR.sub(r"_|_\1", text[match.end(): end])) for match, end in zip(starts, ends)}


ENDINGS = ("rejected", "crash", "timeout")


def same(ours, theirs):
    """Layout and the order of fields aside."""
    if ours == theirs:
        return True
    if ours in ENDINGS or theirs in ENDINGS:
        return False
    try:
        return cue_text.normal_form(ours) == cue_text.normal_form(theirs)
    except cue_text.Unreadable:
        return False


def smaller(text):
    """Programs that lack a part of this one."""
    found = set()
    lines = text.split("\n")
    for first in range(len(lines)):
        depth = 0
        for last in range(first, len(lines)):
            depth += sum(lines[last].count(c) for c in "{[(") - sum(lines[last].count(c) for c in "}])")
            if depth < 0:
                break
            if depth == 0:
                found.add("\n".join(lines[:first] + lines[last + 1:]))
                break
    for group in re.finditer(r"\{[^{}]*\}|\([^()]*\)|\[[^\[\]]*\]", text):
        inner = group.group()[1:-1]
        for replacement in ("{}", "1", inner if group.group()[0] == "(" else "[]", *inner.split("\n"), *inner.split(", ")):
            found.add(text[: group.start()] + replacement + text[group.end():])
    for part in re.finditer(r'(?: [&|] )\*?(?:[\w#.]+|"[^"]*"|\([^()]*\))|\*?(?:[\w#.]+|"[^"]*"|\([^()]*\))(?: [&|] )', text):
        found.add(text[: part.start()] + text[part.end():])
    return sorted((candidate for candidate in found if len(candidate) < len(text)), key=len)


def reduced(text, ours, theirs, rounds=25):
    """The smallest program found that still differs."""
    for _ in range(rounds):
        candidates = smaller(text)[:150]
        mine = ours.answers(candidates)
        kept = [i for i, answer in enumerate(mine) if answer not in ENDINGS]
        others = theirs.answers([candidates[i] for i in kept])
        found = next((candidates[i] for i, other in zip(kept, others) if other not in ENDINGS and not same(mine[i], other)), None)
        if found is None:
            return text
        text = found
    return text


def archives_of(corpus):
    for path in sorted(glob.glob(os.path.join(corpus, "cue/testdata/**/*.txtar"), recursive=True)):
        with open(path, "rb") as source:
            yield txtar.parse(source.read()).files


def load_known():
    known = {}
    for line in (HERE / "known.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            reason, program = line.split("\t")
            known[json.loads(program)] = reason
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opm", required=True)
    parser.add_argument("--oracle", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--reduce", type=int, default=0, help="how many of the programs that differ to make smaller")
    parser.add_argument("--found", metavar="FILE", help="write what differs here, a program a line as JSON")
    options = parser.parse_args()
    known = load_known()
    seeds = programs.seeds_of(archives_of(options.corpus))
    counts = collections.Counter()
    differing = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(1) as pool:
        ours, theirs = Tool([os.path.abspath(options.opm), "cue"], folder), Tool([options.oracle], folder)
        for start in range(0, options.count, options.batch):
            texts = []
            for number in range(start, min(start + options.batch, options.count)):
                seed = f"{options.seed}-{number}"
                if number % 4 == 3:
                    texts.append(programs.changed(seeds[hash_of(seed) % len(seeds)], seed))
                else:
                    texts.append(programs.from_grammar(seed, wild=number % 20 == 0))
            asked = pool.submit(ours.answers, texts).result()
            accepted = [i for i, answer in enumerate(asked) if answer not in ENDINGS]
            # What we do not take, the oracle is not to take either; asking takes a start each.
            refused = [i for i, answer in enumerate(asked) if answer == "rejected"]
            checked = refused[:2]
            answers = dict(zip(accepted, theirs.answers([texts[i] for i in accepted])))
            answers.update((i, theirs.answers([texts[i]])[0]) for i in checked)
            for i, answer in enumerate(asked):
                if answer in ("crash", "timeout"):
                    counts[f"our {answer}"] += 1
                    differing.append((texts[i], answer, ""))
                elif i not in answers:
                    counts["not asked"] += 1
                elif answers[i] in ("crash", "timeout"):
                    counts[f"oracle's {answers[i]}"] += 1
                else:
                    counts["compared"] += 1
                    if same(answer, answers[i]):
                        counts["same"] += 1
                    elif texts[i] in known:
                        counts["known"] += 1
                    else:
                        counts["differ"] += 1
                        differing.append((texts[i], answer, answers[i]))
            if start // options.batch % 20 == 19:
                print(dict(counts), file=sys.stderr, flush=True)
        for index, (text, _, _) in enumerate(differing[: options.reduce]):
            differing[index] = (reduced(text, ours, theirs),) * 1 + differing[index][1:]
            small = differing[index][0]
            mine, other = ours.answers([small])[0], theirs.answers([small])[0]
            print(f"--- {json.dumps(small)}\n{small}\n  ours: {mine}\n  oracle: {other}", flush=True)
    if options.found:
        with open(options.found, "w", encoding="utf-8") as out:
            out.writelines(json.dumps([text, mine, other]) + "\n" for text, mine, other in differing)
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    failed = counts["differ"] + counts["our crash"] + counts["our timeout"]
    if not options.reduce:
        for text, mine, other in differing[:10]:
            print(f"--- {json.dumps(text)}\n  ours: {mine}\n  oracle: {other}")
    print(f"{counts['same'] + counts['known']} passed, {failed} failed")
    return 1 if failed else 0


def hash_of(text):
    return int.from_bytes(text.encode(), "little") % 1000003


if __name__ == "__main__":
    sys.exit(main())
