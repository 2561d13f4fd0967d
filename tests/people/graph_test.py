#!/usr/bin/env python3
"""The drawing of `opm mod graph -o html` in a real browser: what the page holds when its script has run, and that something is
to be seen.

  tests/people/graph_test.py --opm OPM

Without chromium only what needs no browser is tested."""

import html.parser
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

from runner import main

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPM = ROOT / "build/release/opm"
CHROMIUM = shutil.which("chromium")


class Elements(html.parser.HTMLParser):
    """All elements of a page with their attributes; fails where one is closed that was not opened."""

    VOID = {"meta", "br", "link", "img", "input"}

    def __init__(self, text):
        super().__init__()
        self.found, self.open, self.wrong = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def pixels(png):
    """Width, height and the rows of an 8-bit RGB or RGBA picture."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8 and kind in (2, 6), (depth, kind)
    data, at = b"", 8
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at:at + 8])
        if name == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += size + 12
    data, step = zlib.decompress(data), 3 if kind == 2 else 4
    rows, previous = [], bytearray(width * step)
    for y in range(height):
        begin = y * (width * step + 1)
        how, row = data[begin], bytearray(data[begin + 1:begin + 1 + width * step])
        for x in range(len(row)):
            left = row[x - step] if x >= step else 0
            up, corner = previous[x], previous[x - step] if x >= step else 0
            if how == 1:
                row[x] = (row[x] + left) & 255
            elif how == 2:
                row[x] = (row[x] + up) & 255
            elif how == 3:
                row[x] = (row[x] + (left + up) // 2) & 255
            elif how == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
                row[x] = (row[x] + near) & 255
        rows.append([tuple(row[x:x + 3]) for x in range(0, len(row), step)])
        previous = row
    return width, height, rows


class GraphTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.page = cls.folder / "graph.html"
        text = subprocess.run([OPM, "mod", "graph", ROOT / "examples/shop", "-o", "html"], text=True, capture_output=True, timeout=60,
                              check=True).stdout
        cls.page.write_text(text, encoding="utf-8")
        cls.text = text

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def browse(self, *words):
        return subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                               f"--user-data-dir={self.folder}/profile", *words, self.page.as_uri()],
                              capture_output=True, timeout=120, check=True).stdout

    def test_the_page_is_whole_and_needs_nothing_from_elsewhere(self):
        page = Elements(self.text)
        self.assertEqual((page.wrong, page.open), ([], []))
        for tag, attributes in page.found:
            for name in ("src", "href", "xlink:href"):
                self.assertNotIn(name, attributes, tag)
        self.assertNotRegex(self.text, r"https?://")

    def test_everything_is_drawn_and_joined(self):
        page = Elements(self.text)
        ids = {attributes["id"] for tag, attributes in page.found if tag == "g"}
        edges = [attributes for tag, attributes in page.found if tag == "path" and "data-from" in attributes]
        tree = subprocess.run([OPM, "mod", "graph", ROOT / "examples/shop"], text=True, capture_output=True, timeout=60, check=True).stdout
        self.assertEqual(len([attributes for attributes in edges if attributes["class"] == "refers"]), tree.count("→"))
        self.assertTrue(edges)
        for edge in edges:
            self.assertIn(edge["data-from"], ids)
            self.assertIn(edge["data-to"], ids)

    def test_dot_is_what_graphviz_reads(self):
        if not shutil.which("dot"):
            self.skipTest("no graphviz")
        text = subprocess.run([OPM, "mod", "graph", ROOT / "examples/shop", "-o", "dot"], capture_output=True, timeout=60, check=True).stdout
        done = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, timeout=60, check=True)
        self.assertIn(b"<svg", done.stdout)

    @unittest.skipUnless(CHROMIUM, "no chromium")
    def test_a_browser_builds_the_page(self):
        page = Elements(self.browse("--dump-dom").decode())
        boxes = [attributes for tag, attributes in page.found if tag == "g"]
        self.assertEqual(len(boxes), len([1 for tag, _ in Elements(self.text).found if tag == "g"]))

    @unittest.skipUnless(CHROMIUM, "no chromium")
    def test_pointing_at_something_dims_the_rest(self):
        page = self.page.read_text(encoding="utf-8")
        self.page.write_text(page.replace("</script>", "point('c0');</script>"), encoding="utf-8")
        try:
            dom = Elements(self.browse("--dump-dom").decode())
        finally:
            self.page.write_text(page, encoding="utf-8")
        near = [attributes for _, attributes in dom.found if "near" in attributes.get("class", "").split()]
        everything = [attributes for tag, attributes in dom.found if tag == "g"]
        self.assertTrue(near)
        self.assertLess(len([attributes for attributes in near if "id" in attributes]), len(everything))
        svg = next(attributes for tag, attributes in dom.found if tag == "svg")
        self.assertIn("pointed", svg.get("class", ""))

    @unittest.skipUnless(CHROMIUM, "no chromium")
    def test_there_is_something_to_see(self):
        picture = self.folder / "graph.png"
        self.browse(f"--screenshot={picture}", "--window-size=1400,900", "--blink-settings=preferredColorScheme=1")
        width, height, rows = pixels(picture.read_bytes())
        self.assertEqual((width, height), (1400, 900))
        colours = {}
        for row in rows[::2]:
            for pixel in row[::2]:
                colours[pixel] = colours.get(pixel, 0) + 1
        self.assertGreater(colours.get((0xDB, 0xEA, 0xFE), 0), 200, "no component is to be seen")
        self.assertGreater(colours.get((0xDC, 0xFC, 0xE7), 0), 200, "no resource is to be seen")


if __name__ == "__main__":
    main(globals())
