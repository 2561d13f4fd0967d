"""How the tests of this folder are run: TEST --opm OPM, with a line at the end that says how many passed."""

import argparse
import pathlib
import sys
import unittest


def given_opm(default):
    """The program to try, and the arguments that are unittest's."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--opm", type=pathlib.Path, default=default)
    arguments, rest = parser.parse_known_args()
    return arguments.opm.resolve(), rest


def run(rest):
    result = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=0).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed, {len(result.skipped)} skipped")
    sys.exit(1 if failed else 0)


def main(names):
    """`names`: the globals of a test, whose OPM is the program."""
    names["OPM"], rest = given_opm(names["OPM"])
    run(rest)
