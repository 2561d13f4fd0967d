#!/usr/bin/env python3
"""Differential fuzzing: many programs through `opm cue eval` and the real `cue eval`, and where their answers differ.

Programs are fields of one file, evaluated with `eval --ignore --all`: what is wrong with one is printed as its value and leaves the
others alone, so that one start of the oracle answers for hundreds. What differs is made smaller as long as it differs.

    compare.py --opm PATH --oracle PATH --corpus FOLDER --seed 1 --count 400

`known.txt` has what is known to differ, a program a line as JSON after its reason. Anything else that differs fails the run.
"""

import argparse
import collections
import glob
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "conformance"))
import cue_text  # noqa: E402
import txtar  # noqa: E402

import differences  # noqa: E402
import programs  # noqa: E402
import rewriting  # noqa: E402

HEADER = "".join(f'import "{name}"\n' for name in programs.IMPORTS) + programs.USES + "\n"
ERROR = re.compile(r"_\|_(,?) +//([^\n]*)")
# The oracle keeps the names of lets apart over a whole file.
LET = re.compile(r"\b([LMX])_\d+\b")
# A name that no program refers to.
BLOCK = re.compile(r"^program_(\d+): ", re.MULTILINE)
# Half of what the oracle does would otherwise be to look for memory that it could use again.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "CUE_REGISTRY": "none", "CUE_CACHE_DIR": "/nonexistent", "LC_ALL": "C.UTF-8",
               "GOGC": "400"}


class Tool:
    def __init__(self, command, folder, name, most_given_up=1):
        self.command, self.most_given_up = command, most_given_up
        self.file = os.path.join(folder, f"{name}.cue")
        self.starts = 0

    def _run(self, count):
        """Processor time is limited, not time: a busy machine is no reason to give up."""
        return subprocess.run(["prlimit", f"--cpu={1 + count // 400}", *self.command, "eval", "--ignore", "--all", os.path.basename(self.file)],
                              capture_output=True, timeout=120, check=False, env=ENVIRONMENT, cwd=os.path.dirname(self.file))

    def answers(self, texts):
        """For each program the printed value, or what it is instead: "rejected", "crash", "timeout"."""
        if not texts:
            return []
        with open(self.file, "w", encoding="utf-8") as out:
            out.write(HEADER + "".join(f"program_{i}: {{\n{text}\n}}\n" for i, text in enumerate(texts)))
        self.starts += 1
        try:
            done = self._run(len(texts))
            if done.returncode == 0:
                found = self.blocks(done.stdout.decode("utf-8", "replace"))
                if set(found) == set(range(len(texts))):
                    return [found[i] for i in range(len(texts))]
            ending = "crash" if done.returncode < 0 or b"\ngoroutine " in done.stderr else "rejected"
            if done.returncode in (-signal.SIGKILL, -signal.SIGXCPU):
                ending = "timeout"
        except subprocess.TimeoutExpired:
            ending = "timeout"
        # A program that hangs is found in few steps; of the oracle, those beside it are given up rather than waited for once more.
        if len(texts) == 1 or (ending == "timeout" and len(texts) <= self.most_given_up):
            return [ending] * len(texts)
        step = max(1, -(-len(texts) // (8 if ending == "timeout" else 2)))
        return [answer for first in range(0, len(texts), step) for answer in self.answers(texts[first: first + step])]

    @staticmethod
    def blocks(text):
        starts = list(BLOCK.finditer(text))
        ends = [match.start() for match in starts[1:]] + [len(text)]
        return {int(match.group(1)): Tool.value(text[match.end(): end]) for match, end in zip(starts, ends)}

    @staticmethod
    def value(text):
        return LET.sub(r"\1", without_messages(text))


def without_messages(text):
    """What is told of an error may quote source of many lines: as many as it takes to close the brackets."""
    if text.startswith("_|_ //"):
        return "_|_\n"
    found, at = [], 0
    while match := ERROR.search(text, at):
        end, message = match.end(), match.group(2)
        while any(depth > 0 for depth in depths(message)) and end < len(text):
            following = text.find("\n", end + 1)
            following = len(text) if following < 0 else following
            message, end = message + text[end:following], following
        found.append(text[at: match.start()] + "_|_" + match.group(1))
        at = match.end() if any(depths(message)) else end
    return "".join(found) + text[at:]


def depths(text):
    return [text.count(opening) - text.count(closing) for opening, closing in ("{}", "[]", "()")]


class Remembered:
    """A tool whose answers are kept in a file: it is asked only once about a program, over many runs."""

    def __init__(self, tool, path):
        self.tool, self.path, self.known = tool, path, {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as lines:
                self.known = dict(map(json.loads, lines))

    def answers(self, texts):
        keys = [hashlib.sha256(text.encode()).hexdigest()[:24] for text in texts]
        missing = [i for i, key in enumerate(keys) if key not in self.known]
        found = {keys[i]: answer for i, answer in zip(missing, self.tool.answers([texts[i] for i in missing]))}
        self.known.update(found)
        if self.path:
            with open(self.path, "a", encoding="utf-8") as out:
                out.writelines(json.dumps(item) + "\n" for item in found.items())
        return [self.known[key] for key in keys]


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
    """The smallest program found that still differs, and not in a way that has its reason."""
    for _ in range(rounds):
        candidates = smaller(text)[:150]
        mine = ours.answers(candidates)
        kept = [i for i, answer in enumerate(mine) if answer not in ENDINGS]
        others = theirs.answers([candidates[i] for i in kept])
        found = next((candidates[i] for i, other in zip(kept, others) if other not in ENDINGS and
                      not is_explained(cause_of(mine[i], other))), None)
        if found is None:
            return text
        text = found
    return text


def is_explained(cause):
    return all(name in differences.REASONS for name in cause.split(" + ") if name)


class Judge:
    """Finds evidence of which tool is wrong about a program that they answer differently."""

    def __init__(self, ours, theirs, later):
        self.ours, self.theirs, self.later = ours, theirs, later

    def verdict(self, text, mine, other):
        """A name of differences.JUDGED if ours is shown to be right, wherever the two differ."""
        if mine in ENDINGS or other in ENDINGS:
            return ""
        try:
            open_places = unexplained_places(mine, other)
            if not open_places:
                return ""
            for name, closes in (("corrected in a later version", self._corrected), ("the oracle contradicts itself", self._rewritten),
                                 ("an error by the oracle's own account", self._are_errors),
                                 ("a field of a struct with an error", differences.of_failed_structs),
                                 ("computed of an error", differences.of_errors),
                                 ("what the oracle's answer rules out, it has", self._refined)):
                open_places = open_places - closes(text, mine, other, open_places)
                if not open_places:
                    return name
        except cue_text.Unreadable:
            pass
        return ""

    def _corrected(self, text, mine, _, places):
        return places - still_open(places, mine, self.later.answers([text])[0]) if self.later else set()

    def _rewritten(self, text, mine, other, places):
        candidates = rewriting.rewritten(text) + rewriting.told(text, differences.agreed(text, mine, other)) + self._answered(text)
        left = places
        for again, answer in zip(self.ours.answers(candidates), self.theirs.answers(candidates)):
            # Where all is an error nothing is left to tell the places apart by.
            if again not in ENDINGS and is_explained(cause_of(again, mine)) and differences.is_whole_error(again) == differences.is_whole_error(mine):
                left = still_open(left, again, answer)
        return places - left

    def _answered(self, text):
        """The program without those conditions of which both, asked for their value, say the same."""
        question, names = rewriting.asked(text)
        answers = [self.ours.answers([question])[0], self.theirs.answers([question])[0]] if names else []
        if not names or any(answer in ENDINGS for answer in answers):
            return []
        values = [[differences.truth(answer, name) for name in names] for answer in answers]
        return rewriting.answered(text, [one if one == other else "" for one, other in zip(*values)])

    def _refined(self, text, mine, other, places):
        """Where a value that ours allows and the oracle's rules out is the answer of both, once it is asked for."""
        found = set()
        for place in places:
            asked = differences.refinements(mine, other, place)
            texts = [f"{text}\n{declaration}" for declaration, _ in asked]
            if any(answer not in ENDINGS and again not in ENDINGS and differences.is_there(again, place, instance) and
                   differences.is_there(answer, place, instance)
                   for again, answer, (_, instance) in zip(self.ours.answers(texts), self.theirs.answers(texts), asked)):
                found.add(place)
        return found

    def _are_errors(self, text, mine, other, places):
        """All of them, if ours are errors, and the oracle, asked whether what it prints there is one, says so, too."""
        questions = [differences.question("asked", mine, place) for place in places]
        if not all(questions):
            return set()
        found = self.theirs.answers([f"asked: {{\n{text}\n}}\nanswers: [{', '.join(questions)}]"])[0]
        is_so = found not in ENDINGS and differences.affirmed("asked", "answers", found, other, len(questions))
        return places if is_so else set()


def unexplained_places(mine, other):
    """May raise Unreadable."""
    return {place for name, place in differences.causes(mine, other) if name not in differences.REASONS}


def still_open(places, mine, other):
    """Those of the places at or around or below which the two answers differ."""
    if other in ENDINGS:
        return places
    try:
        differing = unexplained_places(mine, other)
    except cue_text.Unreadable:
        return places
    return {place for place in places if any(differences.overlap(place, found) for found in differing)}


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


class Corpus:
    """Programs of the suite to change. Those that the oracle does not get through are left out once that is known, and those with
    functions that only the suite knows."""

    def __init__(self, folder):
        self.texts = programs.seeds_of(archives_of(folder))
        self.slow = collections.Counter()

    def pick(self, seed):
        at = hash_of(seed) % len(self.texts)
        while self.slow[at] > 1 or "__test_" in self.texts[at]:
            at = (at + 1) % len(self.texts)
        return at


def made(corpus, seed, number):
    """A program and, if it is a changed one, of which."""
    if number % 10 == 9:
        at = corpus.pick(seed)
        return programs.changed(corpus.texts[at], seed), at
    return programs.from_grammar(seed, "wild" if number % 25 == 0 else "typed" if number % 5 < 2 else "written"), None


def cause_of(mine, other):
    """Why two answers differ: a name of which differences.REASONS tells, or one to look into. Nothing if they are the same."""
    if same(mine, other):
        return ""
    if mine in ENDINGS or other in ENDINGS:
        return f"ours {mine if mine in ENDINGS else 'accepted'}, theirs {other if other in ENDINGS else 'accepted'}"
    try:
        names = sorted({name for name, _ in differences.causes(mine, other)})
    except cue_text.Unreadable:
        return "unreadable"
    return " + ".join([name for name in names if name not in differences.REASONS] or names)


class Tally:
    def __init__(self, known, judge):
        self.judge = judge
        self.known, self.counts, self.causes = known, collections.Counter(), collections.Counter()
        self.differing, self.explained = [], []

    def add(self, text, mine, other):
        if mine in ("crash", "timeout"):
            self.counts[f"our {mine}"] += 1
            self.differing.append((text, mine, other or ""))
        elif other is None:
            self.counts["not asked"] += 1
        elif other in ("crash", "timeout"):
            self.counts[f"oracle's {other}"] += 1
        else:
            self.counts["compared"] += 1
            cause = cause_of(mine, other)
            if not cause:
                self.counts["same"] += 1
            elif is_explained(cause):
                self.counts["explained"] += 1
                self.causes[cause.split(" + ")[0]] += 1
                self.explained.append((text, mine, other))
            elif text in self.known:
                self.counts["known"] += 1
                self.causes[self.known[text]] += 1
            elif verdict := self.judge.verdict(text, mine, other):
                self.counts["judged"] += 1
                self.causes[verdict] += 1
                self.explained.append((text, mine, other))
            else:
                self.counts["differ"] += 1
                self.causes[cause] += 1
                self.differing.append((text, mine, other))

    def write(self, options):
        if options.found:
            with open(options.found, "w", encoding="utf-8") as out:
                out.writelines(json.dumps(found) + "\n" for found in self.explained + self.differing)
        if options.table:
            text = json.dumps({"counts": self.counts, "causes": self.causes}, indent=1)
            pathlib.Path(options.table).write_text(text + "\n", encoding="utf-8")

    def table(self):
        yield from (f"{count:8} {name}" for name, count in self.causes.most_common())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opm", required=True)
    parser.add_argument("--oracle", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--later", help="a later version of the oracle, asked where the two differ")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program, to go on with a run")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--reduce", type=int, default=0, help="how many of the programs that differ to make smaller")
    parser.add_argument("--found", metavar="FILE", help="write what differs here, a program a line as JSON")
    parser.add_argument("--answers", metavar="FILE", help="keep the oracle's answers here, so that another run need not ask again")
    parser.add_argument("--table", metavar="FILE", help="write the counts here, as JSON")
    options = parser.parse_args()
    corpus = Corpus(options.corpus)
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Tool([os.path.abspath(options.opm), "cue"], folder, "ours"), Remembered(Tool([options.oracle], folder, "oracle", 4), options.answers)
        later = Remembered(Tool([options.later], folder, "later", 4), options.answers and options.answers + ".later") if options.later else None
        tally = Tally(load_known(), Judge(ours, theirs, later))
        end = options.first + options.count
        for start in range(options.first, end, options.batch):
            chosen = [made(corpus, f"{options.seed}-{number}", number) for number in range(start, min(start + options.batch, end))]
            texts = [text for text, _ in chosen]
            asked = ours.answers(texts)
            accepted = [i for i, answer in enumerate(asked) if answer not in ENDINGS]
            # What we do not take, the oracle is not to take either; asking takes a start each.
            checked = [i for i, answer in enumerate(asked) if answer == "rejected"][:1]
            checked += [i for i, answer in enumerate(asked) if answer == "timeout"]
            answers = dict(zip(accepted, theirs.answers([texts[i] for i in accepted])))
            answers.update((i, theirs.answers([texts[i]])[0]) for i in checked)
            for i, (text, of) in enumerate(chosen):
                if of is not None and answers.get(i) == "timeout":
                    corpus.slow[of] += 1
                tally.add(text, asked[i], answers.get(i))
            if start // options.batch % 20 == 19:
                print(dict(tally.counts), file=sys.stderr, flush=True)
                tally.write(options)
        for index, (text, *rest) in enumerate(tally.differing[: options.reduce]):
            small = reduced(text, ours, theirs)
            tally.differing[index] = (small, *rest)
            mine, other = ours.answers([small])[0], theirs.answers([small])[0]
            print(f"--- {json.dumps(small)}\n{small}\n  ours: {mine}\n  oracle: {other}", flush=True)
    tally.write(options)
    counts = tally.counts
    print("\n".join(tally.table()))
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    failed = counts["differ"] + counts["our crash"] + counts["our timeout"]
    if not options.reduce:
        for text, mine, other in tally.differing[:10]:
            print(f"--- {json.dumps(text)}\n  ours: {mine}\n  oracle: {other}")
    print(f"{counts['same'] + counts['explained'] + counts['judged'] + counts['known']} passed, {failed} failed")
    return 1 if failed else 0


def hash_of(text):
    return int.from_bytes(text.encode(), "little") % 1000003


if __name__ == "__main__":
    sys.exit(main())
