"""Where the images and tables of the documentation go."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").absolute()
# What takes long, or is looked at by hand, stays here.
KEPT = TARGET / "docs"
BEGIN, END = re.compile(r"^<!-- made by docs/make (\S+) -->$"), "<!-- end -->"


class MakeError(Exception):
    """One sentence about what is wrong or missing."""


@dataclass(frozen=True)
class Image:
    """An image file, from the root of the repository."""

    path: str

    def __str__(self):
        return self.path

    def current(self):
        path = ROOT / self.path
        return path.read_bytes() if path.exists() else None

    def write(self, made):
        (ROOT / self.path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / self.path).write_bytes(made)


@dataclass(frozen=True)
class Table:
    """What stands in a page between `<!-- made by docs/make NAME -->` and `<!-- end -->`."""

    page: str
    name: str

    def __str__(self):
        return f"{self.page} ({self.name})"

    def _split(self):
        lines = (ROOT / self.page).read_text(encoding="utf-8").splitlines()
        begins = [number for number, line in enumerate(lines) if (found := BEGIN.match(line)) and found[1] == self.name]
        if len(begins) != 1:
            raise MakeError(f"{self.page}: there must be one line <!-- made by docs/make {self.name} -->, and there are {len(begins)}")
        begin = begins[0] + 1
        ends = [number for number, line in enumerate(lines[begin:], begin) if line == END or BEGIN.match(line)]
        if not ends or lines[ends[0]] != END:
            raise MakeError(f"{self.page}: line {begin}: no line {END} ends what is made by docs/make {self.name}")
        return lines[:begin], lines[begin : ends[0]], lines[ends[0] :]

    def current(self):
        return "\n".join(self._split()[1]).strip()

    def write(self, made):
        before, _, after = self._split()
        # GitHub reads a table as such only after an empty line.
        lines = [*before, "", *made.strip().splitlines(), "", *after]
        (ROOT / self.page).write_text("\n".join(lines) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class ByHand:
    """What a program prints, kept for somebody who carries it over into a page: it has times, or needs words around it."""

    page: str
    name: str

    def __str__(self):
        return f"{self.page}, by hand from {self.file().relative_to(TARGET.parent)}"

    def file(self):
        return KEPT / f"{self.name}.txt"

    def write(self, made):
        self.file().parent.mkdir(parents=True, exist_ok=True)
        self.file().write_text(made, encoding="utf-8")
        print(f"{self.file()}: to be carried over into {self.page}")


def pages():
    """All pages that may have tables, with their texts."""
    paths = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def faults(items):
    """Images that nothing makes or two items make, and tables in pages that no item has, or the other way round."""
    outputs = [output for item in items for output in item.outputs]
    twice = {str(output) for output in outputs if outputs.count(output) > 1}
    found = [f"{output}: two items make it" for output in sorted(twice)]
    images = {str(path.relative_to(ROOT)) for path in (ROOT / "docs/images").rglob("*") if path.is_file()}
    made = {output.path for output in outputs if isinstance(output, Image)}
    found += [f"{path}: no item of docs/make makes this image" for path in sorted(images - made)]
    found += [f"{path}: docs/make makes this image, and it is not there" for path in sorted(made - images)]
    marked = [(page, match[1]) for page, text in pages().items() for line in text.splitlines() if (match := BEGIN.match(line))]
    tables = {(output.page, output.name) for output in outputs if isinstance(output, Table)}
    found += [f"{page}: docs/make has no item for the table {name}" for page, name in sorted(set(marked) - tables)]
    for page, name in sorted(tables):
        try:
            Table(page, name).current()
        except MakeError as error:
            found.append(str(error))
    return found
