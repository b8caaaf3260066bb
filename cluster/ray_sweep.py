#!/usr/bin/env python3
"""Runs a sweep on a Ray cluster: hands out shards, retries those of lost nodes, and merges the records.

    pip install ray
    python cluster/ray_sweep.py spec.toml --out results                    # Ray on this machine alone
    python cluster/ray_sweep.py spec.toml --out results --address auto     # the cluster that this machine belongs to

Every node needs the `jostle` command (--jostle sets its path), and this machine as well. The spec and the map files that
it names are sent to the nodes, and nothing else. Nodes need no shared file system: a shard returns the bytes of its
record file, which is checked and written to the folder as soon as it is done. Started again after it was stopped, the
driver hands out only the shards that are missing.

A cluster that does not answer is given up: after two minutes when the driver connects, and later when no run was recorded
anywhere for as long as --patience says. What was done is kept.
"""

import argparse
import contextlib
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# Errors on nodes are reported once, by the driver.
os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")

import ray
from shipping import files_of, keep, pack

# How often a shard is restarted after its node was lost.
RETRIES = 10
# Shards for each core: enough to keep all cores busy to the end and to lose little with a node.
SHARDS_FOR_A_CORE = 4
# Times in seconds. How long connecting to the cluster may take.
CONNECTING = 120
# How long the cluster may take to answer a question, and to send the records of a shard that is done.
ANSWERING = 30
SENDING = 600
# How long the sweep may go on without a run that ends, if --patience says nothing else: four hours.
PATIENCE = 4 * 60 * 60
# How often the driver says that it still waits, and how often a node looks whether runs have ended.
REPORT = 60
BEAT = 20
# How much longer than nodes the driver waits: a node knows which shard it is that stalls.
GRACE = 60
# How long leaving the cluster may take.
LEAVING = 10


class Unreachable(Exception):
    """The cluster does not answer, or nothing goes on there: the sentence says what."""


def within(seconds, call, *args, **kwargs):
    """What a call returns. Raises TimeoutError if it takes longer: its thread is then left behind, because nothing ends a
    call of Ray that waits for a network."""
    answers = queue.Queue()

    def ask():
        try:
            answers.put((call(*args, **kwargs), None))
        except BaseException as error:
            answers.put((None, error))

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer, error = answers.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return answer


class Pulse:
    """Counts signs of life of all shards. Ray keeps one somewhere in the cluster."""

    def __init__(self):
        self.beats = 0

    def beat(self):
        self.beats += 1

    def count(self):
        return self.beats


def run_shard(command, spec, shard, patience=PATIENCE, pulse=None):
    """Makes one share of the runs in a temporary folder; returns the files to keep. A process that records no run for as long
    as `patience` says is killed."""
    with tempfile.TemporaryDirectory(prefix="jostle-") as folder:
        # One run at a time: the shard has one core to itself.
        words = [command, "sweep", spec, "--out", folder, "--shard", shard, "--threads", "1"]
        try:
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        except OSError as error:
            raise RuntimeError(f"{command} cannot be run on a node: {error.strerror}") from None
        with process:
            size, last = 0, time.monotonic()
            while process.returncode is None:
                try:
                    _, complaint = process.communicate(timeout=min(BEAT, patience / 4))
                except subprocess.TimeoutExpired:
                    before, size = size, sum(path.stat().st_size for path in Path(folder).glob("*.jsonl"))
                    if size > before:
                        last = time.monotonic()
                        # Nobody may be there to count it. The run has ended all the same.
                        with contextlib.suppress(Exception):
                            pulse.beat.remote()
                    elif time.monotonic() - last > patience:
                        process.kill()
                        raise TimeoutError(f"shard {shard}: no run has ended on its node for {shown(patience)}") from None
        if process.returncode != 0:
            raise RuntimeError(complaint.strip() or f"{command} ended with {process.returncode}")
        files = [path for path in Path(folder).iterdir() if path.suffix in (".json", ".jsonl")]
        return {path.name: path.read_bytes() for path in files}


def shown(seconds):
    """A time for people."""
    for length, name in (3600, "hour"), (60, "minute"), (1, "second"):
        if seconds >= length:
            number = round(seconds / length, 1)
            return f"{number:g} {name}" + ("" if number == 1 else "s")
    return "less than a second"


def shards_in(folder):
    """The shards that the folder has already, by the number that the sweep was split into."""
    found = {}
    for path in folder.glob("records-*-of-*.jsonl"):
        match = re.fullmatch(r"records-(\d+)-of-(\d+)", path.stem)
        if match:
            found.setdefault(int(match[2]), set()).add(int(match[1]))
    return found


def sweep(spec, sent, text, out, command="jostle", count=None, tell=print, patience=PATIENCE):
    """Sweeps on the cluster that Ray is connected to, to which the spec was sent: its path there, and its text. `tell` is
    called with every progress message. Raises Unreachable if no run was recorded anywhere for as long as `patience` says."""
    out.mkdir(parents=True, exist_ok=True)
    before = shards_in(out)
    if count is None:
        try:
            cores = int(within(ANSWERING, ray.cluster_resources).get("CPU", 1))
        except TimeoutError:
            raise Unreachable(f"the cluster has not said within {shown(ANSWERING)} how many cores it has") from None
        count = next(iter(before), SHARDS_FOR_A_CORE * max(cores, 1))
    done = before.get(count, set())
    task = ray.remote(run_shard).options(num_cpus=1, max_retries=RETRIES)
    shards = [number for number in range(1, count + 1) if number not in done]
    names = (f"{number}/{count}" for number in shards)
    pulse = ray.remote(Pulse).options(num_cpus=0, max_restarts=-1).remote() if shards else None
    under_way = {task.remote(command, sent, shard, patience, pulse): shard for shard in names}
    finished, beats, last, reported = len(done), 0, time.monotonic(), time.monotonic()
    while under_way:
        # Results have come to this machine before they are ready.
        ready, _ = ray.wait(list(under_way), timeout=min(REPORT, patience / 4))
        for result in ready:
            shard = under_way.pop(result)
            try:
                files = ray.get(result, timeout=SENDING)
            except ray.exceptions.GetTimeoutError:
                raise Unreachable(f"shard {shard} is done, and its records have not come within {shown(SENDING)}") from None
            keep(out, shard, text, files)
            finished += 1
            tell(f"{finished} of {count} shards are in {out}")
        now = time.monotonic()
        if ready:
            last = reported = now
            continue
        before, beats = beats, beats_of(pulse)
        is_silent = beats is None
        if is_silent:
            beats = before
        elif beats != before:
            last = now
        if now - last > patience + GRACE:
            reason = "the cluster does not answer" if is_silent else "no run has ended there"
            raise Unreachable(
                f"given up after {shown(now - last)} without a sign of life, with {len(under_way)} of {count} shards missing: {reason}; "
                f"what was done is in {out}, and the same command goes on with the rest"
            )
        if now - reported >= min(REPORT, patience / 4):
            reported = now
            silence = " (the cluster does not answer)" if is_silent else ""
            tell(f"waiting for {len(under_way)} of {count} shards, the last sign of life {shown(now - last)} ago{silence}")
    # A sweep without shards checks the folder, and makes runs that are missing.
    return subprocess.run([command, "sweep", str(spec), "--out", str(out)], check=False).returncode


def beats_of(pulse):
    """How many signs of life of shards there were; None if the cluster does not answer."""
    try:
        return ray.get(pulse.count.remote(), timeout=ANSWERING)
    except ray.exceptions.RayError:
        # What counts was on a node that was lost, or the answer takes too long.
        return None


def connect(folder, address=None):
    """Connects to a cluster, and sends it a folder. Raises Unreachable if that is impossible. If it takes too long, the
    program ends with exit code 1."""
    env = {"working_dir": folder}
    cluster = f"the cluster {address}" if address else "Ray on this machine"

    def give_up():
        print(f"ray_sweep: {cluster} has not answered within {shown(CONNECTING)}", file=sys.stderr, flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    # What Ray starts on this machine ends with the thread that has started it, so that this has to be the main one. It
    # cannot be interrupted there.
    watch = threading.Timer(CONNECTING, give_up)
    watch.daemon = True
    watch.start()
    try:
        ray.init(address=address, runtime_env=env, log_to_driver=False, logging_level="warning")
    except (OSError, RuntimeError, ray.exceptions.RayError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise Unreachable(f"{cluster} cannot be reached: {reason}") from None
    finally:
        watch.cancel()


def leave(code):
    """Ends the program, even if the cluster does not hear the goodbye."""
    with contextlib.suppress(Exception):
        within(LEAVING, ray.shutdown)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def minutes(text):
    """A time in minutes, in seconds."""
    value = float(text)
    if not 0 < value < 1e6:
        raise ValueError
    return value * 60


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spec", type=Path, help="what to run, as in `jostle sweep`")
    parser.add_argument("--out", type=Path, required=True, help="the folder for records")
    parser.add_argument("--jostle", default="jostle", help="the command on every node")
    parser.add_argument("--shards", type=int, help="how many shards [default: 4 for each core]")
    parser.add_argument("--address", help="the cluster, as Ray names it [default: this machine alone]")
    parser.add_argument(
        "--patience",
        type=minutes,
        default=PATIENCE,
        metavar="MINUTES",
        help=f"give up when no run was recorded anywhere for so long: longer than the longest run [default: {PATIENCE // 60}]",
    )
    args = parser.parse_args(words)
    if not args.spec.is_file():
        print(f"ray_sweep: {args.spec}: there is no such file", file=sys.stderr)
        return 2
    try:
        with tempfile.TemporaryDirectory(prefix="jostle-") as folder:
            sent = pack(files_of(args.jostle, args.spec), folder)
            connect(folder, args.address)
            text = Path(folder, sent).read_bytes().decode()
            return sweep(args.spec, sent, text, args.out, args.jostle, args.shards, patience=args.patience)
    except Unreachable as error:
        print(f"ray_sweep: {error}", file=sys.stderr)
        return 1
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, TimeoutError):
            kept = f"what was done is in {args.out}, and the same command goes on with the rest"
            print(f"ray_sweep: {error.cause}; {kept}", file=sys.stderr)
            return 1
        print(f"ray_sweep: {error.cause}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"ray_sweep: {error}", file=sys.stderr)
        return 2
    except ray.exceptions.RayError as error:
        print(f"ray_sweep: a shard was lost {RETRIES} times: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    leave(main())
