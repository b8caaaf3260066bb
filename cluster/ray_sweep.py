#!/usr/bin/env python3
"""Runs a sweep on a Ray cluster: hands out shards, retries those of lost nodes, and merges the records.

    pip install ray
    python cluster/ray_sweep.py spec.toml --out results                    # Ray on this machine alone
    python cluster/ray_sweep.py spec.toml --out results --address auto     # the cluster that this machine belongs to

Every node needs the `jostle` command (--jostle sets its path), and this machine as well. The spec and the map files that
it names are sent to the nodes, and nothing else. Nodes need no shared file system: a shard returns the bytes of its
record file, which is checked and written to the folder as soon as it is done. Started again after it was stopped, the
driver hands out only the shards that are missing.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Errors on nodes are reported once, by the driver.
os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")

import ray
from shipping import files_of, keep, pack

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


def shards_in(folder):
    """The shards that the folder has already, by the number that the sweep was split into."""
    found = {}
    for path in folder.glob("records-*-of-*.jsonl"):
        match = re.fullmatch(r"records-(\d+)-of-(\d+)", path.stem)
        if match:
            found.setdefault(int(match[2]), set()).add(int(match[1]))
    return found


def sweep(spec, sent, text, out, command="jostle", count=None, tell=print):
    """Sweeps on the cluster that Ray is connected to, to which the spec was sent: its path there, and its text. `tell` is
    called with every progress message."""
    out.mkdir(parents=True, exist_ok=True)
    before = shards_in(out)
    if count is None:
        cores = int(ray.cluster_resources().get("CPU", 1))
        count = next(iter(before), SHARDS_FOR_A_CORE * max(cores, 1))
    done = before.get(count, set())
    task = ray.remote(run_shard).options(num_cpus=1, max_retries=RETRIES)
    shards = [number for number in range(1, count + 1) if number not in done]
    names = (f"{number}/{count}" for number in shards)
    under_way = {task.remote(command, sent, shard): shard for shard in names}
    finished = len(done)
    while under_way:
        ready, _ = ray.wait(list(under_way))
        for result in ready:
            keep(out, under_way.pop(result), text, ray.get(result))
            finished += 1
            tell(f"{finished} of {count} shards are in {out}")
    # A sweep without shards checks the folder, and makes runs that are missing.
    return subprocess.run([command, "sweep", str(spec), "--out", str(out)], check=False).returncode


def connect(folder, address=None):
    """Connects to a cluster, and sends it a folder."""
    env = {"working_dir": folder}
    ray.init(address=address, runtime_env=env, log_to_driver=False, logging_level="warning")


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
    try:
        with tempfile.TemporaryDirectory(prefix="jostle-") as folder:
            sent = pack(files_of(args.jostle, args.spec), folder)
            connect(folder, args.address)
            text = Path(folder, sent).read_bytes().decode()
            return sweep(args.spec, sent, text, args.out, args.jostle, args.shards)
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
