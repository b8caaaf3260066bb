#!/usr/bin/env python3
"""Runs a sweep on a Ray cluster: hands out shards, retries those of lost nodes, and merges the records.

    pip install ray
    python cluster/ray_sweep.py spec.toml --out results                    # Ray on this machine alone
    python cluster/ray_sweep.py spec.toml --out results --address auto     # the cluster that this machine belongs to

Every node needs the `jostle` command (--jostle sets its path) and, if the spec names maps of the MovingAI
benchmark, JOSTLE_MAPS. The folder of the spec is sent to the nodes, so maps beside it are found. Nodes need no
shared file system: a shard returns the bytes of its record file, which is written to the folder as soon as it
is done. Started again after it was stopped, the driver hands out only the shards that are missing.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Errors on nodes are reported once, by the driver.
os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")

import ray  # noqa: E402

# How often a shard is restarted after its node was lost.
RETRIES = 10
# Shards for each core: enough to keep all cores busy to the end and to lose little with a node.
SHARDS_FOR_A_CORE = 4


def run_shard(command, spec, shard):
    """Makes one share of the runs in a temporary folder; returns the files to keep."""
    with tempfile.TemporaryDirectory(prefix="jostle-") as folder:
        # One run at a time: the shard has one core to itself.
        words = [command, "sweep", spec, "--out", folder, "--shard", shard, "--threads", "1"]
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=False)
        except OSError as error:
            raise RuntimeError(f"{command} cannot be run on a node: {error.strerror}") from None
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip() or f"{command} ended with {done.returncode}")
        files = [path for path in Path(folder).iterdir() if path.suffix in (".json", ".jsonl")]
        return {path.name: path.read_bytes() for path in files}


def keep(folder, files):
    """Writes files whole or not at all: a shard is done when its record file is in the folder."""
    identity = folder / "sweep.json"
    if identity.exists():
        # The fingerprint is the same for the same runs, however the spec is written.
        ours, theirs = json.loads(files.pop(identity.name)), json.loads(identity.read_bytes())
        if ours["fingerprint"] != theirs["fingerprint"]:
            raise ValueError(f"{folder}: this folder belongs to another spec ({theirs['name']})")
    for name, contents in sorted(files.items(), reverse=True):
        descriptor, draft = tempfile.mkstemp(dir=folder, prefix=".jostle-")
        with os.fdopen(descriptor, "wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(draft, 0o644)
        os.replace(draft, folder / name)


def shards_in(folder):
    """The shards that the folder has already, by the number that the sweep was split into."""
    found = {}
    for path in folder.glob("records-*-of-*.jsonl"):
        match = re.fullmatch(r"records-(\d+)-of-(\d+)", path.stem)
        if match:
            found.setdefault(int(match[2]), set()).add(int(match[1]))
    return found


def sweep(spec, out, command="jostle", count=None, tell=print):
    """Sweeps on the cluster that Ray is connected to. `tell` is called with every progress message."""
    out.mkdir(parents=True, exist_ok=True)
    before = shards_in(out)
    if count is None:
        cores = int(ray.cluster_resources().get("CPU", 1))
        count = next(iter(before), SHARDS_FOR_A_CORE * max(cores, 1))
    done = before.get(count, set())
    task = ray.remote(run_shard).options(num_cpus=1, max_retries=RETRIES)
    shards = [number for number in range(1, count + 1) if number not in done]
    under_way = [task.remote(command, spec.name, f"{number}/{count}") for number in shards]
    finished = len(done)
    while under_way:
        ready, under_way = ray.wait(under_way)
        for shard in ready:
            keep(out, ray.get(shard))
            finished += 1
            tell(f"{finished} of {count} shards are in {out}")
    # A sweep without shards checks the folder, and makes runs that are missing.
    return subprocess.run([command, "sweep", str(spec), "--out", str(out)], check=False).returncode


def connect(spec, address=None):
    """Connects to a cluster, and sends it the folder of the spec."""
    folder = {"working_dir": str(spec.resolve().parent)}
    ray.init(address=address, runtime_env=folder, log_to_driver=False, logging_level="warning")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spec", type=Path, help="what to run, as in `jostle sweep`")
    parser.add_argument("--out", type=Path, required=True, help="the folder for records")
    parser.add_argument("--jostle", default="jostle", help="the command on every node")
    parser.add_argument("--shards", type=int, help="how many shards [default: 4 for each core]")
    parser.add_argument("--address", help="the cluster, as Ray names it [default: this machine alone]")
    args = parser.parse_args()
    if not args.spec.is_file():
        print(f"ray_sweep: {args.spec}: there is no such file", file=sys.stderr)
        return 2
    connect(args.spec, args.address)
    try:
        return sweep(args.spec, args.out, args.jostle, args.shards)
    except ray.exceptions.RayTaskError as error:
        print(f"ray_sweep: {error.cause}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"ray_sweep: {error}", file=sys.stderr)
        return 2
    except ray.exceptions.RayError as error:
        print(f"ray_sweep: a shard was lost {RETRIES} times: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
