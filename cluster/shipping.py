"""What a sweep sends to other machines, and what it accepts from them. Nothing here needs Ray."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path, PurePath


def files_of(command, spec):
    """The files that a sweep reads, the spec first: their names in the spec, and their paths."""
    words = [command, "sweep", str(spec), "--list-files"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ValueError(f"{command} cannot be run: {error.strerror}") from None
    if done.returncode != 0:
        raise ValueError(done.stderr.strip() or f"{command} ended with {done.returncode}")
    files = [json.loads(line) for line in done.stdout.splitlines()]
    return [(file["name"], Path(file["path"])) for file in files]


def pack(files, folder):
    """Copies these files, and nothing else, to an empty folder, where the spec finds them; returns its path there.

    A map with an absolute path is not sent: every node must have it at that place.
    """
    (name, spec), *maps = files
    maps = [(name, path) for name, path in maps if not PurePath(name).is_absolute()]
    # So deep that a map beside a parent of the spec stays in the folder.
    depth = max((climb(name) for name, _ in maps), default=0)
    beside = Path(folder, *["spec"] * depth)
    for target, path in [(beside / name, spec)] + [(beside / name, path) for name, path in maps]:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return str((beside / name).relative_to(folder))


def climb(name):
    """How many folders above its own a relative name reaches."""
    level, lowest = 0, 0
    for part in PurePath(name).parts:
        level += -1 if part == ".." else 1
        lowest = min(lowest, level)
    return -lowest


def keep(folder, shard, spec, files):
    """Stores what a node returned for a shard, such as "3/8": its records, and which sweep they belong to.

    Nothing that a node returns is trusted: names and contents must be those of this shard of this spec, and no
    file is replaced. Files are written whole or not at all: a shard is done when its record file is in the folder.
    """
    records = f"records-{shard.replace('/', '-of-')}.jsonl"
    expected = {records, "sweep.json"}
    if set(files) != expected or not all(isinstance(text, bytes) for text in files.values()):
        names = ", ".join(sorted(repr(name)[:60] for name in files))
        raise ValueError(f"shard {shard}: a node returned {names or 'nothing'} instead of its records")
    theirs = parsed(files["sweep.json"])
    fingerprint, their_spec = theirs.get("fingerprint"), str(theirs.get("spec"))
    # A byte order mark is no part of a spec.
    is_ours = their_spec.lstrip("\ufeff") == spec.lstrip("\ufeff")
    if not re.fullmatch("[0-9a-f]{16}", str(fingerprint)) or not is_ours:
        raise ValueError(f"shard {shard}: a node returned the records of another spec")
    for number, line in enumerate(files[records].splitlines(), 1):
        record = parsed(line)
        if record.get("spec") != fingerprint or not isinstance(record.get("key"), str):
            raise ValueError(f"shard {shard}: line {number} that a node returned is not a record of the sweep")
    identity = folder / "sweep.json"
    if identity.exists():
        # The fingerprint is the same for the same runs on the same maps, however the spec is written.
        ours = json.loads(identity.read_bytes())
        if ours["fingerprint"] != fingerprint:
            raise ValueError(f"{folder}: this folder belongs to another spec ({ours['name']})")
    else:
        write_new(identity, files["sweep.json"])
    write_new(folder / records, files[records])


def parsed(text):
    """A JSON object; an empty one if the text is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def write_new(path, contents):
    """Writes a file whole or not at all, and never over another one."""
    if os.path.lexists(path):
        raise ValueError(f"{path}: this file is there already and is not replaced")
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=".jostle-")
    with os.fdopen(descriptor, "wb") as file:
        file.write(contents)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(draft, 0o644)
    os.replace(draft, path)
