"""Reads txtar archives: a comment, then files, each below a line `-- name --`."""

import os
import re
from dataclasses import dataclass, field

_MARKER = re.compile(rb"^-- +(.*?) +--[ \t]*\r?\n?$")


@dataclass
class Archive:
    comment: bytes = b""
    files: dict[str, bytes] = field(default_factory=dict)  # in the order of the archive

    def write_to(self, folder, names=None):
        """Writes the files below `folder`; a name that would leave it is an error."""
        root = os.path.realpath(folder)
        for name in self.files if names is None else names:
            path = os.path.realpath(os.path.join(root, name))
            if not path.startswith(root + os.sep):
                raise ValueError(f"archive member {name!r} leaves the folder")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(self.files[name])


def parse(text: bytes) -> Archive:
    archive = Archive()
    name = None
    lines: list[bytes] = []

    def close():
        content = b"".join(lines)
        if content and not content.endswith(b"\n"):
            content += b"\n"
        if name is None:
            archive.comment = content
        else:
            archive.files[name] = content

    for line in text.splitlines(keepends=True) if b"\r" not in text else re.findall(rb"[^\n]*\n|[^\n]+$", text):
        marker = _MARKER.match(line)
        if marker and marker.group(1):
            close()
            name = marker.group(1).decode("utf-8", "surrogateescape").strip()
            lines = []
        else:
            lines.append(line)
    close()
    return archive


def read(path) -> Archive:
    with open(path, "rb") as source:
        return parse(source.read())
