"""What became of one case; the same shape for every corpus, so that one ledger and one report serve all."""

from dataclasses import dataclass, field


@dataclass
class Outcome:
    case: str  # the name that the list of known failures uses; one line
    group: str  # the folder of the corpus that it is counted under
    kind: str = ""  # the command and scope: "export whole", "eval field"
    passed: bool = False
    reason: str = ""  # why it failed, in a line
    left_out: str = ""  # why it is not counted: the oracle crashed, or its version is too old for the input
    survived: bool = True  # the subject neither crashed nor hung; holds for cases that are left out, too
    marks: dict = field(default_factory=dict)  # finer scores, mark -> bool, only where they apply
    positions: tuple = ()  # of the error, in order
    errors: int = 0  # that either side tells of
    errors_at_same_places: int = 0
