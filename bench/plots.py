#!/usr/bin/env python3
"""Drawings of the figures that stand on a page: bars, beside each other and on a logarithmic scale, as SVG. The same figures make
the same drawing, to the last character.

  bench/plots.py [PAGE]    draws those of docs/performance.md anew"""

import math
import pathlib
import re
import sys
from xml.sax.saxutils import escape

COLORS = ["#2b6cb0", "#dd6b20", "#718096", "#38a169"]
LABEL_WIDTH = 310
BAR_WIDTH = 400
BAR_HEIGHT = 15
GROUP_GAP = 12
TOP = 54


def milliseconds(seconds):
    value = seconds * 1000
    return f"{value:.1f} ms" if value < 100 else f"{value:.0f} ms"


def _decades(smallest, largest):
    return math.floor(math.log10(smallest)), math.ceil(math.log10(largest))


def bars(title, series, rows):
    """`rows`: (what was done, seconds by series, None where there are none)."""
    taken = [seconds for _, all_seconds in rows for seconds in all_seconds if seconds]
    if not taken:
        return ""
    low, high = _decades(min(taken), max(taken))
    high = max(high, low + 1)

    def position(seconds):
        return BAR_WIDTH * (math.log10(seconds) - low) / (high - low)

    group = len(series) * BAR_HEIGHT + GROUP_GAP
    height = TOP + len(rows) * group + 30
    width = LABEL_WIDTH + BAR_WIDTH + 80
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           f'font-family="sans-serif" font-size="12" role="img" aria-label="{escape(title)}">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
           f'<text x="10" y="20" font-size="14" font-weight="bold" fill="#1a202c">{escape(title)}</text>']
    for number, name in enumerate(series):
        x = 10 + 130 * number
        out.append(f'<rect x="{x}" y="30" width="11" height="11" fill="{COLORS[number]}"/>'
                   f'<text x="{x + 16}" y="40" fill="#2d3748">{escape(name)}</text>')
    for decade in range(low, high + 1):
        x = LABEL_WIDTH + BAR_WIDTH * (decade - low) / (high - low)
        seconds = 10.0**decade
        label = f"{seconds * 1000:g} ms" if seconds < 1 else f"{seconds:g} s"
        out.append(f'<line x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{height - 24}" stroke="#e2e8f0"/>'
                   f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle" fill="#718096">{label}</text>')
    for index, (name, all_seconds) in enumerate(rows):
        top = TOP + index * group
        out.append(f'<text x="{LABEL_WIDTH - 8}" y="{top + len(series) * BAR_HEIGHT / 2 + 4:.1f}" text-anchor="end" '
                   f'fill="#1a202c">{escape(name)}</text>')
        for number, seconds in enumerate(all_seconds):
            if not seconds:
                continue
            y = top + number * BAR_HEIGHT
            length = max(position(seconds), 1.0)
            out.append(f'<rect x="{LABEL_WIDTH}" y="{y}" width="{length:.1f}" height="{BAR_HEIGHT - 3}" fill="{COLORS[number]}"/>'
                       f'<text x="{LABEL_WIDTH + length + 5:.1f}" y="{y + 10}" fill="#2d3748">{milliseconds(seconds)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


# ---- the page ----

DRAWINGS = {
    "against-cue.svg": ("opm and cue: the same work, time on a logarithmic scale", ["opm", "cue"]),
    "rendering.svg": ("Rendering a module of Deployments and Services", ["opm", "cue", "helm", "kustomize"]),
}
OTHERS = ["cue", "helm", "kubectl kustomize"]


def references():
    """What shows the drawings on the page."""
    return "".join(f"![{title}](images/{name})\n\n" for name, (title, _) in DRAWINGS.items())


def figures(page):
    """(what was done, seconds of opm, seconds of the other) of every row that has both."""
    number = r"([0-9.]+) ms +"
    return [(title.strip(), float(opm) / 1000, float(other) / 1000)
            for title, opm, other in re.findall(rf"^\| (\([a-z]\) .*?)\| {number}\| {number}\|", page, re.MULTILINE)]


def _beside_cue(rows):
    return [(title.replace("`", ""), [opm, cue]) for title, opm, cue in rows if title[1] in "acd"]


def _by_size(rows):
    """By the number of components: the time of opm, and of those that the titles name."""
    by_size = {}
    for title, opm, other in rows:
        found = re.match(rf"\(r\) `mod build`, (\d+) components, beside `({'|'.join(OTHERS)})", title)
        if found:
            times = by_size.setdefault(int(found.group(1)), [None] * 4)
            times[0] = opm
            times[OTHERS.index(found.group(2)) + 1] = other
    return [(f"{size} components", times) for size, times in sorted(by_size.items())]


def drawings(page):
    """By name, of the figures on the page."""
    rows = figures(page)
    chosen = {"against-cue.svg": _beside_cue(rows), "rendering.svg": _by_size(rows)}
    return {name: bars(title, series, chosen[name]) for name, (title, series) in DRAWINGS.items()}


def draw_page(path):
    path = pathlib.Path(path)
    folder = path.parent / "images"
    folder.mkdir(exist_ok=True)
    for name, drawing in drawings(path.read_text(encoding="utf-8")).items():
        (folder / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    draw_page(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1] / "docs/performance.md")
