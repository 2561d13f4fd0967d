#!/usr/bin/env python3
"""`opm lsp` as an editor uses it.

  tests/lsp/lsp_test.py --opm OPM [Class.test ...]"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/people"))

import editor  # noqa: E402
from runner import given_opm, run  # noqa: E402
from chaos_test import Chaos  # noqa: E402,F401
from diagnostics_test import *  # noqa: E402,F401,F403
from knowledge_test import Completing, Definitions, Hovering  # noqa: E402,F401
from knowledge_test import Modules as KnowledgeOfModules  # noqa: E402,F401
from neovim_test import Neovim  # noqa: E402,F401
from protocol_test import *  # noqa: E402,F401,F403
from releases_test import CheckingReleases, KnowingReleases  # noqa: E402,F401
from vscode_test import VisualStudioCode  # noqa: E402,F401

if __name__ == "__main__":
    editor.EditorTest.opm, REST = given_opm(ROOT / "build/release/opm")
    run(REST)
