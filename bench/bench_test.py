"""Tests of the benchmark harness; nothing is timed against a limit."""

import argparse
import contextlib
import io
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock
from xml.etree import ElementTree

import clusters
import growth
import inputs
import measure
import plots
import run
import suite


class InputsTest(unittest.TestCase):
    def test_yaml_of_maps_lists_and_scalars(self):
        tree = {"a": 1, "b/c": {"d": "x: y"}, "l": [{"m": True, "n": [1, 2]}, "s"]}
        self.assertEqual(
            list(inputs.yaml_lines(tree)),
            ["a: 1", '"b/c":', '  d: "x: y"', "l:", "  - m: true", "    n:", "      - 1", "      - 2", '  - "s"'],
        )

    def test_deployments_are_the_same_every_time_and_differ_from_each_other(self):
        texts = [json.dumps(inputs.deployment(number)) for number in range(inputs.DEPLOYMENTS)]
        self.assertEqual(len(set(texts)), inputs.DEPLOYMENTS)
        self.assertEqual(texts[7], json.dumps(inputs.deployment(7)))


def measured(median, megabytes):
    return measure.Measured(median, 0, median, megabytes)


class SuiteTest(unittest.TestCase):
    def figures(self, ours, theirs, within=None):
        return suite.Figures("x", [measured(*ours), measured(*theirs)], within)

    def test_means_are_of_ratios(self):
        figures = [self.figures((0.003, 5), (0.030, 20)), self.figures((0.005, 20), (0.200, 80))]
        opm, cue = suite.means(figures)
        self.assertAlmostEqual(cue.seconds / opm.seconds, (10 * 40) ** 0.5)
        self.assertEqual(run.memory_part(opm, cue), "25 %")
        self.assertEqual(run.cpu_ratio(opm, cue), run.ratio(opm, cue))

    def test_means_within_a_process(self):
        both = (1, 1), (1, 1)
        figures = [self.figures(*both, [(1, 1, 2), (4, 16, 20)]), self.figures(*both, [(2, 4, 0), (4, 20, 0)]), self.figures(*both)]
        for parts, ratios in ((suite.PARTS, (10, 4)), (suite.PARTS[1:], (12, 5)), (suite.PARTS[1:2], (16, 5))):
            opm, cue = suite.means_within(figures, parts)
            self.assertAlmostEqual(cue.seconds / opm.seconds, (ratios[0] * ratios[1]) ** 0.5)
        self.assertEqual(suite.means_within([self.figures(*both)], suite.PARTS), [None, None])

    def test_what_takes_no_time_is_not_infinitely_fast(self):
        opm, cue = suite.means_within([self.figures((1, 1), (1, 1), [(1, -1, 0), (1, 1, 0)])], suite.PARTS[1:])
        self.assertAlmostEqual(opm.seconds, suite.NOT_TIMED)
        self.assertAlmostEqual(cue.seconds, 1)

    def test_timers_are_asked_case_by_case(self):
        script = "while read command folder file; do echo $command $folder $file >>log; echo {}; done"
        with tempfile.TemporaryDirectory() as folder:
            def timer(answer):
                return suite.Timer(["/bin/sh", "-c", f"cd {folder}; " + script.format(answer)])

            with timer("0 10 20 5") as ours, timer("0 30 40 6") as theirs:
                seconds = suite.within([ours, theirs], "eval", "/folder", ["a.cue"])
            for found, wanted in zip(seconds, [(0.00001, 0.00002, 0.000005), (0.00003, 0.00004, 0.000006)]):
                for part in range(len(suite.PARTS)):
                    self.assertAlmostEqual(found[part], wanted[part])
            self.assertEqual(pathlib.Path(folder, "log").read_text(encoding="utf-8"), 2 * "eval /folder a.cue\n")
            with timer("0 10 20 5") as ours, timer("1 30 40 6") as theirs:
                self.assertIsNone(suite.within([ours, theirs], "eval", "/folder", ["a.cue"]))
            with timer("0 10 20 5") as ours, suite.Timer(["/bin/false"]) as theirs:
                self.assertIsNone(suite.within([ours, theirs], "eval", "/folder", ["a.cue"]))
            with suite.Timer(["/bin/sh", "-c", "read line && echo 0 10 20 5"]) as once:
                self.assertIsNotNone(once.ask("eval", "/folder", ["a.cue"]))
                once.process.wait()
                self.assertIsNotNone(once.ask("eval", "/folder", ["b.cue"]))

    def test_only_what_has_the_same_result_counts(self):
        bench = argparse.Namespace(commands=lambda arguments: [["/bin/sh", "-c", script] for script in arguments])
        same = lambda ours, theirs: suite.comparable(bench, [ours, theirs], "/", run._same_value)  # noqa: E731
        self.assertTrue(same("echo 'a: 1'", "echo 'a:  1'"))
        self.assertFalse(same("echo 'a: 1'", "echo 'a: 2'"))
        self.assertTrue(same("echo x; exit 1", "echo y; exit 1"))
        self.assertFalse(same("exit 1", "exit 0"))
        self.assertFalse(same("exit 0", "kill -9 $$"))

    def test_files_of_an_archive_stand_in_a_folder_of_their_own(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = os.path.join(folder, "corpus/cue/testdata/a/b.txtar")
            os.makedirs(os.path.dirname(archive))
            with open(archive, "w", encoding="utf-8") as out:
                out.write("-- in.cue --\nx: 1\n-- p/q.cue --\ny: 2\n-- out/eval --\nz\n")
            found = suite.make_inputs(os.path.join(folder, "work"), os.path.join(folder, "corpus"))
            self.assertEqual(found, [("a/b", os.path.join(folder, "work/a/b"), ["in.cue"])])
            self.assertEqual(sorted(names_below(found[0][1])), ["in.cue", "p/q.cue"])


def names_below(folder):
    return [os.path.relpath(os.path.join(parent, file), folder) for parent, _, files in os.walk(folder) for file in files]


class MeasureTest(unittest.TestCase):
    """Never how long anything took."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        patch = unittest.mock.patch.object(measure, "LONG_SECONDS", 3600)  # however slow the machine is
        patch.start()
        self.addCleanup(patch.stop)

    def log(self):
        return pathlib.Path(self.folder.name, "log").read_text(encoding="utf-8")

    def launch(self, *words):
        done = subprocess.run([measure.LAUNCHER, "--folder", self.folder.name, *words], capture_output=True, text=True, check=False)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def test_runs_in_turns_and_rows_and_keeps_exit_codes(self):
        commands = [["/bin/sh", "-c", f"printf {name} >>log; {end}"] for name, end in (("a", "exit 3"), ("b", "kill -9 $$"))]
        first, second = measure.in_turns(commands, self.folder.name, budget_seconds=0, least=2)
        # One before all, then two turns of three in a row.
        self.assertEqual(self.log(), "ab" + 2 * (measure.ROW * "a" + measure.ROW * "b"))
        self.assertEqual((first.code, second.code), (3, -9))
        self.assertGreater(first.seconds, 0)
        self.assertLessEqual(first.least_seconds, first.seconds)
        self.assertGreater(first.peak_megabytes, 0)

    def test_a_single_run_is_one(self):
        self.assertEqual(measure.run_once(["/bin/sh", "-c", "printf a >>log; exit 4"], self.folder.name).code, 4)
        self.assertEqual(self.log(), "a")

    def test_the_first_of_a_row_does_not_count(self):
        _, (found,), _ = self.launch("--least", "5", "--most", "5", "--row", "4", "--long", "3600", ":", "/bin/true")
        self.assertEqual(found["runs"], 15)
        _, (found,), _ = self.launch("--least", "5", "--most", "5", ":", "/bin/true")
        self.assertEqual(found["runs"], 5)

    def test_a_long_run_is_its_whole_row_and_counts(self):
        _, (found,), _ = self.launch("--least", "2", "--most", "2", "--row", "3", "--long", "0", ":", "/bin/sh", "-c", "printf a >>log")
        self.assertEqual((found["runs"], self.log()), (2, "aaa"))

    def test_medians_are_of_all_that_counts(self):
        # Two of five runs take little memory; then three.
        many = ["/bin/sh", "-c", "printf a >>log; case $(cat log) in aa | aaa) ;; *) x=$(head -c 20000000 /dev/zero | tr '\\0' x);; esac"]
        _, (found,), _ = self.launch("--least", "5", "--most", "5", ":", *many)
        self.assertGreater(found["peak_kilobytes"], 20000)
        few = [many[0], many[1], many[2].replace("aa | aaa)", "a | aa | aaa)").replace("log", "log2")]
        _, (found,), _ = self.launch("--least", "5", "--most", "5", ":", *few)
        self.assertLess(found["peak_kilobytes"], 20000)

    def test_the_launcher_is_smaller_than_what_it_measures(self):
        _, (found,), _ = self.launch(":", "/bin/true")
        self.assertLess(found["peak_kilobytes"], 4096)

    def test_turns_end_with_the_budget(self):
        _, (found,), _ = self.launch("--least", "3", "--most", "1000000", "--budget", "0", ":", "/bin/true")
        self.assertEqual(found["runs"], 3)

    def test_a_preparation_runs_before_each_run(self):
        work = os.path.join(self.folder.name, "work")
        os.mkdir(work)
        command = ["/bin/sh", "-c", "pwd >>../log; rm fresh"]
        script = f"rm -rf {work} && mkdir {work} && touch {work}/fresh"
        [found] = measure.in_turns([command], work, script, budget_seconds=0, least=1)
        self.assertEqual((found.code, self.log()), (0, (1 + measure.ROW) * f"{work}\n"))
        with self.assertRaisesRegex(RuntimeError, "the preparation fails"):
            measure.in_turns([command], work, "exit 1")

    def test_what_cannot_be_started_is_said(self):
        with self.assertRaisesRegex(RuntimeError, "/nowhere/program: No such file"):
            measure.in_turns([["/bin/true"], ["/nowhere/program"]], self.folder.name)
        for words in ([], [":"], [":", "/bin/true", ":"], ["--least", "x", ":", "/bin/true"], ["--most"], ["--other", "1", ":", "a"]):
            code, found, told = self.launch(*words)
            self.assertEqual((code, found), (2, []), words)
            self.assertIn("launch: ", told)

    def test_geometric_mean(self):
        self.assertAlmostEqual(measure.geometric_mean([2, 8]), 4)
        self.assertIsNone(measure.geometric_mean([]))


class ReportTest(unittest.TestCase):
    def test_what_is_not_measured_stays_on_the_page(self):
        page = run.joined("# Performance\n\nnew\n", "", "", "# Performance\n\nold\n\n## On a cluster\n\nkept\n")
        self.assertEqual(page, "# Performance\n\nnew\n\n## On a cluster\n\nkept\n")
        page = run.joined("", "", "## On a cluster\n\nnew\n", page)
        self.assertEqual(page, "# Performance\n\nnew\n\n## On a cluster\n\nnew\n")
        self.assertEqual(run.joined("# Performance\n", "", "", ""), "# Performance\n")
        page = run.joined("", "## Growth\n\ng\n", "", page)
        self.assertEqual(page, "# Performance\n\nnew\n\n## Growth\n\ng\n\n## On a cluster\n\nnew\n")

    def test_slopes(self):
        self.assertAlmostEqual(growth.slope([10, 20, 40], [1, 4, 16]), 2)
        self.assertAlmostEqual(growth.slope([10, 20, 40], [5, 10, None]), 1)
        self.assertIsNone(growth.slope([10, 20], [1, None]))

    def test_ratios_on_a_cluster_are_of_medians(self):
        self.assertEqual(clusters.row("x", [1, 9, 2], [8, 8, 80], 4.0), ["x", "2.00 s", "8.00 s", "4.0×", "4×"])

    def test_a_cluster_that_cannot_be_had_is_said(self):
        bench = argparse.Namespace(cluster_rows=[])
        found, clusters.find_programs = clusters.find_programs, lambda: "scripts/tools has no etcd"
        try:
            with contextlib.redirect_stderr(io.StringIO()) as told:
                clusters.run(bench)
        finally:
            clusters.find_programs = found
        self.assertIn("NOT MEASURED", told.getvalue())
        self.assertIn("not measured: scripts/tools has no etcd", run.render_clusters(bench))

    def test_what_opm_lacks_is_said_and_not_counted(self):
        fast, slow = measure.Measured(0.01, 0), measure.Measured(0.1, 0)
        rows = run.case_rows([("x", fast, slow, ""), ("y", None, slow, "n/a: another output")])
        self.assertEqual(rows[-1][3], "1 of 2 cases n/a")
        self.assertAlmostEqual(rows[-1][1], 10)
        self.assertEqual(run.ratio(None, slow), "–")

    def test_outputs_are_compared_by_value(self):
        self.assertTrue(run._same_value(b'{"a": 1, "b": 2}', b'{"b":2,"a":1}'))
        self.assertTrue(run._same_value(b"a: b: 1\n", b"a: {\n\tb: 1\n}\n"))
        self.assertFalse(run._same_value(b"a: 1\n", b"a: 2\n"))

    def test_a_program_that_fails_or_prints_something_else_is_not_timed(self):
        bench = run.Bench(argparse.Namespace(opm="/bin/true", cue="/bin/true", quick=True))
        with tempfile.TemporaryDirectory() as folder:
            difference = lambda ours, theirs: bench.difference(ours, theirs, folder)  # noqa: E731
            self.assertEqual(difference(["/bin/true"], ["/bin/true"]), ("", ""))
            self.assertIn("exit code 1", difference(["/bin/false"], ["/bin/true"])[0])
            self.assertIn("another output", difference(["/bin/echo", "a: 1"], ["/bin/echo", "a: 2"])[0])
            self.assertIn("does not run", difference([folder + "/none"], ["/bin/true"])[0])



class InstalledTest(unittest.TestCase):
    def test_a_copy_is_measured_and_can_be_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "program")
            for text in ("#!/bin/sh\necho 1\n", "#!/bin/sh\necho 2\n"):
                pathlib.Path(source).write_text(text, encoding="utf-8")
                copy = run.installed(source, os.path.join(folder, "bin"))
                self.assertEqual(pathlib.Path(copy).read_text(encoding="utf-8"), text)
            self.assertTrue(os.access(copy, os.X_OK))
            self.assertEqual(os.listdir(os.path.dirname(copy)), ["program"])


class RowsTest(unittest.TestCase):
    def page(self, *rows, cases=""):
        return "# Performance\n\n" + run.table(["work", "opm", "cue"], rows) + "\n" + cases

    def test_rows_that_were_not_measured_stay(self):
        old = self.page(["(a) x", "1 ms", "2 ms"], ["(r) y", "3 ms", "4 ms"], ["start", "5 ms", "6 ms"], cases="\nThe cases of (b):\n\n| case |\n")
        new = self.page(["(r) y", "30 ms", "40 ms"], ["(r) z", "7 ms", "8 ms"])
        merged = run.joined(new, "", "", old)
        self.assertEqual(list(run.table_rows(merged).values()),
                         [["(a) x", "1 ms", "2 ms"], ["(r) y", "30 ms", "40 ms"], ["(r) z", "7 ms", "8 ms"], ["start", "5 ms", "6 ms"]])
        self.assertIn("The cases of (b)", merged)

    def test_rows_of_a_part_that_was_measured_are_replaced(self):
        old = self.page(["(a) x", "1 ms", "2 ms"], ["(s) of 3 files", "3 ms", "4 ms"])
        merged = run.joined(self.page(["(s) of 4 files", "30 ms", "40 ms"]), "", "", old)
        self.assertEqual(list(run.table_rows(merged)), ["(a) x", "(s) of 4 files"])

    def test_a_whole_run_replaces_the_page(self):
        old = self.page(["(a) x", "1 ms", "2 ms"])
        new = self.page(["(a) x", "9 ms", "8 ms"], ["(b) w", "7 ms", "6 ms"])
        self.assertEqual(run.joined(new, "", "", old), new)


class PlotsTest(unittest.TestCase):
    ROWS = [("a <b> & c", [0.005, 0.5]), ("alone", [0.02, None])]

    def test_the_same_figures_make_the_same_drawing(self):
        self.assertEqual(plots.bars("t", ["opm", "cue"], self.ROWS), plots.bars("t", ["opm", "cue"], self.ROWS))

    def test_bars_are_as_long_as_their_logarithms(self):
        root = ElementTree.fromstring(plots.bars("t", ["opm", "cue"], self.ROWS))
        bars = [float(part.get("width")) for part in root.iter("{http://www.w3.org/2000/svg}rect") if part.get("x") == str(plots.LABEL_WIDTH)]
        self.assertEqual(len(bars), 3)  # what was not measured has none
        self.assertAlmostEqual((bars[1] - bars[0]) / 2, plots.BAR_WIDTH / 3, delta=0.2)  # two of three decades
        self.assertIn("a <b> & c", [part.text for part in root.iter("{http://www.w3.org/2000/svg}text")])

    def test_nothing_measured_is_no_drawing(self):
        self.assertEqual(plots.bars("t", ["opm"], []), "")

    def test_the_drawings_are_of_the_figures_on_the_page(self):
        docs = pathlib.Path(__file__).resolve().parents[1] / "docs"
        page = (docs / "performance.md").read_text(encoding="utf-8")
        self.assertIn(plots.references(), page)
        for name, drawing in plots.drawings(page).items():
            self.assertEqual((docs / "images" / name).read_text(encoding="utf-8"), drawing, "run: bench/plots.py")
            self.assertGreater(drawing.count("<rect"), 10)

    def test_rows_with_a_size_are_drawn_together(self):
        rows = "| (r) `mod build`, 10 components, beside `helm template` | 9.0 ms | 40.0 ms | 4× |\n" \
               "| (r) `mod build`, 10 components, beside `kubectl kustomize` | 9.1 ms | 60.0 ms | 6× |\n| (r) growth | 9.0 ms | – | |\n"
        self.assertEqual(len(plots.figures(rows)), 2)
        self.assertIn("60.0 ms", plots.drawings(rows)["rendering.svg"])
        self.assertEqual(plots.drawings(rows)["against-cue.svg"], "")


if __name__ == "__main__":
    unittest.main()
