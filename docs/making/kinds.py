"""Kinds of images and tables: how each is made."""

import functools
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Union

from making.outputs import KEPT, ROOT, TARGET, ByHand, Image, MakeError, Table

CHEAP, DEAR, HOURS = "cheap", "dear", "hours"
Output = Union[Image, Table, ByHand]


@dataclass(frozen=True)
class Item:
    """Something that one run of programs makes."""

    name: str
    cost: str
    # As somebody would type it.
    command: str
    outputs: "tuple[Output, ...]"
    # Makes it: programs and an empty folder in, the contents of its outputs out.
    make: "Callable[[Programs, Path], dict[Output, Union[str, bytes]]]"
    # `jostle`, `jostle+select` (with that feature), and examples of the engine by their names.
    programs: "tuple[str, ...]" = ()
    needs_maps: bool = False


class Programs:
    """The programs that items run: built in release, or those beside the one that JOSTLE names."""

    def __init__(self, items):
        self.items = items

    @functools.cached_property
    def jostle(self):
        named = os.environ.get("JOSTLE")
        return Path(named).absolute() if named else self.build() / "jostle"

    def path(self, name):
        path = self.jostle if name == "jostle" else self.jostle.parent / "examples" / name
        if not path.exists():
            raise MakeError(f"{path} is not there: build it, or leave JOSTLE unset so that it is built")
        return path

    def build(self):
        """Builds all that the items need at once, so that nothing is compiled twice."""
        wanted = {name for item in self.items for name in item.programs}
        words = ["cargo", "build", "--release", "--locked", "--package", "jostle", "--package", "jostle-cli", "--bin", "jostle"]
        for name in sorted(wanted - {"jostle", "jostle+select"}):
            words += ["--example", name]
        if "jostle+select" in wanted:
            words += ["--features", "jostle-cli/select"]
        run(words)
        return TARGET / "release"

    def run(self, name, *words, cwd=ROOT):
        """What a program prints."""
        return run([self.path(name), *words], cwd=cwd)


def run(words, cwd=ROOT, show=False):
    """What a command prints; with `show`, it prints that at once, too."""
    words = [str(word) for word in words]
    print("$", " ".join(words), file=sys.stderr, flush=True)
    lines = []
    with subprocess.Popen(words, cwd=cwd, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        for line in process.stdout:
            lines.append(line)
            if show:
                print(line, end="", flush=True)
    if process.returncode != 0:
        raise MakeError(f"{Path(words[0]).name} ended with {process.returncode}")
    return "".join(lines)


def typed(words):
    """Words as somebody would type them, but for long lists of maps."""
    words = [str(word) for word in words]
    maps = [word for word in words if word.endswith(".map")]
    return " ".join(f"{word} ..." if maps[1:] and word == maps[0] else word for word in words if word not in maps[1:])


# ---- Kinds of items.


def example(name, program, words, files, cost=CHEAP):
    """Pictures that an example of the engine draws. A word `OUT` is an empty folder; the file `-` is what it prints."""

    def make(programs, folder):
        printed = programs.run(program, *(word.replace("OUT", str(folder)) for word in words))
        read = {file: printed.encode() if file == "-" else (folder / file).read_bytes() for file in files}
        return {Image(path): read[file] for file, path in files.items()}

    command = f"cargo run --release -p jostle --example {program}"
    command += f" -- {typed(words)}" if words else ""
    return Item(name, cost, command, tuple(map(Image, files.values())), make, (program,))


def picture(name, words, path, program="jostle", cost=CHEAP):
    """A picture that the command draws. The word `OUT` is its file."""

    def make(programs, folder):
        file = folder / Path(path).name
        programs.run("jostle", *(str(file) if word == "OUT" else word for word in words))
        return {Image(path): file.read_bytes()}

    command = f"jostle {typed(words)}" + (" (built with --features select)" if program == "jostle+select" else "")
    return Item(name, cost, command, (Image(path),), make, (program,))


def page(name, words, path, state, size=(1200, 800), cost=DEAR, needs_maps=False):
    """A screenshot of the page that plays a run, in a state that its address says, as in `t=100&heat=1`."""

    def make(programs, folder):
        html, shot = folder / "page.html", folder / "page.png"
        programs.run("jostle", *words, "--replay", html)
        browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if browser is None:
            raise MakeError("a browser is missing: apt-get install chromium")
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--force-device-scale-factor=1", f"--user-data-dir={folder / 'user'}"]
        options += [f"--window-size={size[0]},{size[1]}", "--virtual-time-budget=3000", f"--screenshot={shot}"]
        run([browser, *options, f"{html.as_uri()}#{state}"])
        return {Image(path): shot.read_bytes()}

    command = f"jostle {typed(words)} --replay page.html, and a screenshot of page.html#{state}"
    return Item(name, cost, command, (Image(path),), make, ("jostle",), needs_maps)


def tables(name, commands, forms, cost, needs_maps=False):
    """Tables from what the command prints. `forms` has, for each table, what makes it from the texts that all commands have printed."""

    def make(programs, _):
        printed = [programs.run("jostle", *words) for words in commands]
        return {output: form(printed) for output, form in forms.items()}

    command = f"jostle {typed(commands[0])}" + (f", and {len(commands) - 1} more" if commands[1:] else "")
    return Item(name, cost, command, tuple(forms), make, ("jostle",), needs_maps)


def by_hand(name, page, commands, cost=DEAR, plot=None, needs_maps=True, program="jostle"):
    """What commands print, kept for somebody who carries it over into a page, because times differ from machine to machine.

    The word `PLOT` is the file of a plot. A command that begins with `jostle` is the one that was built.
    """
    outputs = (ByHand(page, name), *([Image(plot)] if plot else []))

    def make(programs, folder):
        file, printed = folder / "plot.svg", []
        for command in commands:
            program = programs.path("jostle") if command[0] == "jostle" else command[0]
            words = [program, *(file if word == "PLOT" else word for word in command[1:])]
            printed.append(f"$ {typed(words)}\n{run(words, show=True)}")
        made = {outputs[0]: "\n".join(printed)}
        return {**made, Image(plot): file.read_bytes()} if plot else made

    command = " && ".join(map(typed, commands)).replace("PLOT", plot or "")
    programs = (program,) if any(words[0] == "jostle" for words in commands) else ()
    return Item(name, cost, command, outputs, make, programs, needs_maps)


def untitled(text):
    """A table of a report without the line that says what it is."""
    first, _, rest = text.partition("\n")
    return rest if first.startswith("#") else text


def summary(report):
    """The first paragraph of a report: how many runs there are, and the fingerprint of what reproduces."""
    return (report / "report.md").read_text(encoding="utf-8").split("\n\n")[1]


def experiment(name, spec, files, cost=DEAR, needs_maps=False, options=(), reports=None, formed=None):
    """A sweep and its reports. Files of a report become images or tables: `{"figures/x.png": Image(...), "tables/x.md": Table(...)}`.
    `formed` has further tables, each with what makes it from a function that reads a file of a report.

    `reports` are options of `jostle report` by names, where there are several; files are then called `NAME/figures/x.png`. The file
    `summary` is the first paragraph of the report. Tables come without their titles, because the page says what they show. Results are
    kept, and the same command goes on where it was stopped; to begin anew, delete their folder.
    """
    results, report = KEPT / "results" / name, KEPT / "reports" / name
    reports, formed = reports or {"": ()}, formed or {}

    def content(output, path):
        if path.name == "summary":
            return summary(path.parent)
        if not path.exists():
            raise MakeError(f"{path} is not there: the report has no such file")
        return path.read_bytes() if isinstance(output, Image) else untitled(path.read_text(encoding="utf-8"))

    def read(file):
        return (report / file).read_text(encoding="utf-8")

    def make(programs, _):
        programs.run("jostle", "sweep", spec, "--out", results, *options)
        for folder, words in reports.items():
            programs.run("jostle", "report", results, "--out", report / folder, *words)
        made = {output: content(output, report / file) for file, output in files.items()}
        return {**made, **{output: form(read) for output, form in formed.items()}}

    command = f"jostle sweep {typed([spec, *options])} --out results/{name}"
    for words in reports.values():
        command += f" && jostle report {typed([f'results/{name}', *words])}"
    return Item(name, cost, command, (*files.values(), *formed), make, ("jostle",), needs_maps)
