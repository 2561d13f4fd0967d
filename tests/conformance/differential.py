"""Corpora 2 and 4: the CUE files of an archive as plain inputs, each command's answer beside the oracle's."""

import glob
import json
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from decimal import Decimal

import cue_text
import txtar
from oracle import Oracle
from outcome import Outcome
from process import HANGS_PER_FILE, Program, Result

_WHOLE = ("export", "eval", "vet", "def")
_FIELD = ("export", "eval")
# One file of the corpus repeats a field a thousand times; counted whole it would drown the rest.
_FIELDS_PER_FILE = 60
_POSITION = re.compile(r"^\s+(\S.*?:\d+:\d+)$")
# Where a message says first of which field it is.
_LABEL = r'(?:[\w$#]+|"(?:[^"\\]|\\.)*")'
_PATH = re.compile(rf"({_LABEL}(?:\.{_LABEL}|\[\d+\])*): ")
# Inputs that the oracle turns down only because they are written for a later language version.
_TOO_NEW = re.compile(
    rb"unknown experiment|experiment .* (?:requires|is not)|cannot use language version"
    rb"|language version .* is (?:too new|higher|later)"
    rb"|is too new for current language version"
)


# Inputs that the oracle could not read at all.
_UNREADABLE = re.compile(rb"^(?:expected |string literal not terminated|illegal character|missing ',')")


@dataclass(frozen=True)
class Case:
    archive: str  # path of the archive below the corpus, without its suffix
    command: str
    expression: str  # empty: the whole input
    files: tuple  # the files named on the command line

    @property
    def name(self):
        return f"{self.archive} {self.command}" + (f" -e {self.expression}" if self.expression else "")

    @property
    def arguments(self):
        return [self.command, *(["-e", self.expression] if self.expression else []), *self.files]

    @property
    def kind(self):
        return f"{self.command} {'field' if self.expression else 'whole'}"


def find_archives(corpus, patterns):
    found = set()
    for pattern in patterns:
        found.update(glob.glob(os.path.join(corpus, pattern), recursive=True))
    return sorted(found)


def inputs_of(archive: txtar.Archive):
    return {name: data for name, data in archive.files.items() if not name.startswith(("out/", "diff/"))}


def cases_of(name, inputs):
    roots = tuple(path for path in inputs if path.endswith(".cue") and "/" not in path)
    if not roots:
        return []
    fields = []
    for root in roots:
        try:
            for field in cue_text.top_level_fields(inputs[root].decode("utf-8", "replace")):
                if field not in fields:
                    fields.append(field)
        except cue_text.Unreadable:
            pass
    return [Case(name, command, "", roots) for command in _WHOLE] + [
        Case(name, command, field, roots) for field in fields[:_FIELDS_PER_FILE] for command in _FIELD
    ]


def run_case(program: Program, case: Case, folder) -> Result:
    """The one place where the subject is started; a batch mode would be put in here."""
    return program.run(case.arguments, folder)


# ---- comparing ----


def _number(digits):
    # Tagged, because Python holds that 1 equals true.
    return ("number", Decimal(digits))


def _json_value(text: bytes):
    return json.loads(text, parse_float=_number, parse_int=_number)


def _ordered_json(text: bytes):
    return json.loads(
        text, object_pairs_hook=lambda pairs: ("object", pairs), parse_float=_number, parse_int=_number
    )


def _same_json(ours, theirs, ordered):
    reader = _ordered_json if ordered else _json_value
    try:
        return reader(ours) == reader(theirs)
    except (ValueError, RecursionError, ArithmeticError):
        return ours == theirs


def _same_cue(ours, theirs, ordered):
    try:
        return cue_text.normal_form(ours.decode(), ordered) == cue_text.normal_form(theirs.decode(), ordered)
    except (cue_text.Unreadable, UnicodeDecodeError):
        return ours.split() == theirs.split()


def messages(err: bytes):
    """The lines of an error report that are not positions."""
    return [
        line for line in err.decode("utf-8", "replace").splitlines() if line.strip() and not _POSITION.match(line)
    ]


def positions(err: bytes):
    return [match.group(1) for match in map(_POSITION.match, err.decode("utf-8", "replace").splitlines()) if match]


def errors(err: bytes):
    """Each error as its path, empty where it has none, its message and the set of its own positions."""
    found = []
    for line in err.decode("utf-8", "replace").splitlines():
        if match := _POSITION.match(line):
            if found:
                found[-1][2].add(match.group(1))
        elif line.strip():
            path = _PATH.match(line)
            found.append((path.group(1), line[path.end() :], set()) if path else ("", line, set()))
    return [(path, message, frozenset(places)) for path, message, places in found]


def compare_errors(ours: bytes, theirs: bytes):
    """How many errors both tell of with the same positions, and of how many. One that only one of them has counts, too.

    An error is the other's when it has the same path or, where either has none, the same message."""
    alike = (
        lambda one, other: one[0] and one[0] == other[0],
        lambda one, other: not (one[0] and other[0]) and one[1] == other[1],
    )
    our_errors, their_errors = errors(ours), errors(theirs)
    pairs = 0
    at_same_places = 0
    # First those that are equal, so that one of several of the same path does not take the place of another.
    for asks_for_places in (True, False):
        for is_same in alike:
            for their_error in list(their_errors):
                for our_error in our_errors:
                    if is_same(our_error, their_error) and (not asks_for_places or our_error[2] == their_error[2]):
                        our_errors.remove(our_error)
                        their_errors.remove(their_error)
                        pairs += 1
                        at_same_places += asks_for_places
                        break
    return at_same_places, pairs + len(our_errors) + len(their_errors)


def compare(case: Case, ours: Result, theirs: Result, outcome: Outcome, later_positions=None):
    if not (ours.ok and theirs.ok):
        our_text, their_text = (b"" if result.ok else result.err for result in (ours, theirs))
        outcome.errors_at_same_places, outcome.errors = compare_errors(our_text, their_text)
    outcome.marks["verdict"] = ours.ok == theirs.ok
    if ours.ok != theirs.ok:
        word = {True: "succeeds", False: "fails"}
        detail = (messages(theirs.err) or messages(ours.err) or [""])[0]
        outcome.reason = f"{word[ours.ok]} where the oracle {word[theirs.ok]}: {detail}"
        return
    if not theirs.ok:
        outcome.passed = True
        outcome.marks["wording"] = messages(ours.err)[:1] == messages(theirs.err)[:1]
        outcome.marks["every message"] = sorted(messages(ours.err)) == sorted(messages(theirs.err))
        outcome.positions = tuple(sorted(set(positions(ours.err))))
        outcome.marks["positions"] = outcome.positions == tuple(sorted(set(positions(theirs.err))))
        outcome.marks["either version"] = outcome.marks["positions"] or outcome.positions == later_positions
        if later_positions is None:
            outcome.marks["undisputed"] = outcome.marks["positions"]
        outcome.marks["error text"] = ours.err == theirs.err
        return
    same = _same_json if case.command == "export" else _same_cue
    outcome.passed = same(ours.out, theirs.out, False)
    if not outcome.passed:
        outcome.reason = "another value"
    if case.command == "vet":
        return
    outcome.marks["value"] = outcome.passed
    outcome.marks["order"] = outcome.passed and same(ours.out, theirs.out, True)
    outcome.marks["text"] = ours.out == theirs.out


def judge_by_golden(case: Case, ours: Result, golden: dict, outcome: Outcome):
    """For inputs newer than the oracle: the printed value that the archive itself carries."""
    outcome.left_out = ""
    expected = golden[case.expression]
    try:
        actual = cue_text.normal_form(ours.out.decode())
    except (cue_text.Unreadable, UnicodeDecodeError):
        actual = None
    inner = expected[1:-1] if expected.startswith("{") else expected
    outcome.passed = ours.ok and actual in (expected, inner)
    outcome.marks["verdict"] = ours.ok
    outcome.marks["value"] = outcome.passed
    if not outcome.passed:
        outcome.reason = (
            "another value than the archive's own" if ours.ok else f"fails: {(messages(ours.err) or [''])[0]}"
        )


def golden_values(archive: txtar.Archive):
    """Top-level fields of the archive's own printed result that hold no error."""
    for name in sorted(archive.files, key=lambda name: not name.endswith("-v3")):
        if name.startswith("out/") and name.count("/") == 1:
            text = archive.files[name].decode("utf-8", "replace")
            text = text.split("\nResult:\n", 1)[1] if "\nResult:\n" in text else text
            if text.startswith("Errors:"):
                return {}
            try:
                # `eval` hides some fields that the archive prints.
                return {
                    field: value
                    for field, value in cue_text.field_texts(text).items()
                    if "_|_" not in value and not re.search(r"(?:^|[{;])[_#]|\?:", value)
                }
            except (cue_text.Unreadable, RecursionError):
                return {}
    return {}


def is_too_new(later: Result, theirs: Result):
    """Whether a later version of the oracle finds other things wrong with an input that the oracle could not even read."""
    return bool(_UNREADABLE.match(theirs.err)) and not later.ok and not _UNREADABLE.match(later.err)


def _why_left_out(theirs: Result):
    if theirs.ending != "exit":
        return "the oracle crashes" if theirs.ending == "crash" else "the oracle does not end"
    if _TOO_NEW.search(theirs.err):
        return "it is written for a later language version than the oracle's"
    return ""


def run_archive(path, corpus, subject: Program, oracle: Oracle, left_out, later, use_golden, pattern=None, is_later=False):
    """All cases of one archive. `left_out` says, by case, why the oracle is no judge; then it is not asked. `later` has
    the positions of errors where a later version of the oracle gives others. `is_later`: the subject is such a version."""
    name = os.path.relpath(path, corpus).removesuffix(".txtar").replace("/testdata/", "/")
    archive = txtar.read(path)
    inputs = inputs_of(archive)
    cases = [case for case in cases_of(name, inputs) if not pattern or re.search(pattern, case.name)]
    if not cases:
        return []
    golden = golden_values(archive) if use_golden else {}
    memory = oracle.memory(inputs)
    folder = tempfile.mkdtemp(prefix="conformance-")
    outcomes = []
    hangs = 0
    try:
        txtar.Archive(files=inputs).write_to(folder)
        for case in cases:
            outcome = Outcome(
                case.name, os.path.dirname(name) or name, case.kind, left_out=left_out.get(case.name, "")
            )
            theirs = None
            if not outcome.left_out:
                theirs = memory.ask(case.arguments, folder)
                outcome.left_out = _why_left_out(theirs)
            ours = run_case(subject, case, folder) if hangs < HANGS_PER_FILE else Result(-1, b"", b"", "timeout")
            hangs += ours.ending == "timeout"
            outcome.survived = ours.ending == "exit"
            if not outcome.survived:
                outcome.reason = "crashes" if ours.ending == "crash" else "does not end"
            elif outcome.left_out and case.command == "eval" and case.expression in golden:
                judge_by_golden(case, ours, golden, outcome)
            elif not outcome.left_out:
                compare(case, ours, theirs, outcome, later.get(case.name))
                if is_later and is_too_new(ours, theirs):
                    outcome.passed = False
            outcomes.append(outcome)
        memory.save()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return outcomes
