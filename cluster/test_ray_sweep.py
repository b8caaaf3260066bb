#!/usr/bin/env python3
"""A sweep on a cluster of two nodes, one of which is killed during the sweep: nothing is lost. And what does not answer is
given up in time.

JOSTLE=target/debug/jostle python cluster/test_ray_sweep.py
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import ray_sweep
from ray.cluster_utils import Cluster
from ray.exceptions import GetTimeoutError

DRIVER = Path(__file__).with_name("ray_sweep.py")
JOSTLE = str(Path(os.environ["JOSTLE"]).resolve())
SHARDS = 6
SPEC = """
[[sweep]]
maps = ["rooms:64x48", "beside.map"]
agents = [60, 120]
seeds = "1-9"
planners = ["jostle", "bmaa"]
limits = ["400steps"]
"""
RUNS = 72
# Logs the node on which a shard begins, and sleeps, so that the node is killed in the middle of a shard.
SLOW_JOSTLE = """#!/bin/sh
case "$*" in *--shard*)
  echo "$NODE" >> "{log}"
  sleep 3 ;;
esac
exec "{jostle}" "$@"
"""
# Stalls in its second shard, before it has recorded a run.
STALLING_JOSTLE = """#!/bin/sh
case "$*" in *"--shard 2/2"*)
  kill -STOP $$ ;;
esac
exec "{jostle}" "$@"
"""
# A driver for which Ray does not come back from connecting.
HANGING_DRIVER = """
import sys, time
import ray_sweep
ray_sweep.CONNECTING = 1
ray_sweep.ray.init = lambda **_: time.sleep(60)
ray_sweep.leave(ray_sweep.main(sys.argv[1:]))
"""
# Works on this machine, but not on the nodes.
FAILING_JOSTLE = """#!/bin/sh
case "$*" in *--shard*)
  echo "jostle: no luck" >&2
  exit 2 ;;
esac
exec "{jostle}" "$@"
"""


def results(folder):
    """The fields that do not depend on the clock or the machine, by key. Fails if a run was recorded twice."""
    found = {}
    for path in folder.glob("records*.jsonl"):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if record["key"] in found:
                raise AssertionError(f"{record['key']} was recorded twice")
            found[record["key"]] = (record["fingerprint"], record["expansions"], record["ticks"])
    return found


class TwoNodes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.spec = self.folder / "problems" / "spec.toml"
        self.spec.parent.mkdir()
        self.spec.write_text(SPEC)
        # Larger than Ray sends: only what the spec names must be sent.
        with open(self.spec.parent / "large.bin", "wb") as large:
            large.truncate(2 << 30)
        subprocess.run(
            [JOSTLE, "maps", "cave:64x48", "--out", self.spec.parent / "beside.map"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        self.log = self.folder / "begun.log"
        self.command = self.folder / "slow-jostle"
        self.command.write_text(SLOW_JOSTLE.format(log=self.log, jostle=JOSTLE))
        self.command.chmod(0o755)
        # The head has no cores: all work is on the two nodes.
        self.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        self.addCleanup(self.cluster.shutdown)
        self.nodes = {name: self.cluster.add_node(num_cpus=1, env_vars={"NODE": name}) for name in ("first", "second")}
        self.cluster.wait_for_nodes()

    def begun(self):
        """The nodes on which shards were begun, in order."""
        return self.log.read_text().split() if self.log.exists() else []

    def start(self, *words):
        command = [sys.executable, DRIVER, self.spec, "--address", self.cluster.address, *words]
        driver = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(driver.kill)
        return driver

    def test_a_killed_node_takes_nothing_along(self):
        whole, out = self.folder / "whole", self.folder / "out"
        words = ["--out", out, "--jostle", self.command]
        subprocess.run([JOSTLE, "sweep", self.spec, "--out", whole], check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(len(results(whole)), RUNS)

        driver = self.start(*words, "--shards", str(SHARDS))
        deadline = time.monotonic() + 90
        # The second shard of a node: its first is recorded, and this one is still running.
        while max(map(self.begun().count, self.nodes)) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        begun = self.begun()
        self.assertIn(len(begun), range(2, SHARDS), "the node is killed in the middle")
        self.cluster.remove_node(self.nodes[begun[-1]], allow_graceful=False)
        said, complained = driver.communicate(timeout=120)
        self.assertEqual(driver.returncode, 0, complained)
        self.assertIn(f"{SHARDS} of {SHARDS} shards are in {out}", said)
        self.assertGreater(len(self.begun()), SHARDS, "the shard of the killed node is begun again")
        self.assertEqual(results(out), results(whole))
        self.assertEqual((out / "records.jsonl").read_text(), "", "no run was left for the end")

        # Started again, it hands out only the missing shards.
        begun = len(self.begun())
        (out / f"records-3-of-{SHARDS}.jsonl").unlink()
        driver = self.start(*words)
        _, complained = driver.communicate(timeout=60)
        self.assertEqual(driver.returncode, 0, complained)
        self.assertEqual(len(self.begun()), begun + 1)
        self.assertEqual(results(out), results(whole))

        # A folder of another spec stays as it is.
        before = results(out)
        self.spec.write_text(SPEC.replace("1-9", "1-8"))
        driver = self.start("--out", out, "--jostle", JOSTLE, "--shards", "2")
        _, complained = driver.communicate(timeout=60)
        self.assertEqual(driver.returncode, 2)
        self.assertIn("this folder belongs to another spec (spec)", complained)
        self.assertEqual(results(out), before)

        # Errors on a node reach the user.
        failing = self.folder / "failing-jostle"
        failing.write_text(FAILING_JOSTLE.format(jostle=JOSTLE))
        failing.chmod(0o755)
        driver = self.start("--out", self.folder / "other", "--jostle", failing)
        _, complained = driver.communicate(timeout=60)
        self.assertEqual(driver.returncode, 2)
        self.assertIn("ray_sweep: jostle: no luck", complained)

        # A process that stalls on its node is killed, and the driver ends. What was done is kept.
        self.spec.write_text(SPEC)
        stalling, out = self.folder / "stalling-jostle", self.folder / "stalled"
        stalling.write_text(STALLING_JOSTLE.format(jostle=JOSTLE))
        stalling.chmod(0o755)
        driver = self.start("--out", out, "--jostle", stalling, "--shards", "2", "--patience", "0.1")
        said, complained = driver.communicate(timeout=60)
        self.assertEqual(driver.returncode, 1, complained)
        self.assertRegex(said, "waiting for 1 of 2 shards, the last sign of life .* ago\n")
        self.assertIn("shard 2/2: no run has ended on its node for 6 seconds; what was done is in", complained)
        self.assertEqual(complained.count("ray_sweep: "), 1, complained)
        self.assertTrue((out / "records-1-of-2.jsonl").exists())
        driver = self.start("--out", out, "--jostle", JOSTLE)
        _, complained = driver.communicate(timeout=60)
        self.assertEqual(driver.returncode, 0, complained)
        self.assertEqual(results(out), results(whole))


class FakePulse:
    """What counts signs of life, with these answers; the last of them again and again."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.count = self

    def remote(self):
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Stalls(unittest.TestCase):
    """What does not answer is imitated: nothing here needs a cluster."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.spec = self.folder / "spec.toml"
        self.spec.write_text(SPEC.replace(', "beside.map"', ""))
        self.out = self.folder / "out"
        self.said = []

    def main(self, *words):
        """The exit code of the driver, and what it complains about."""
        complaints = io.StringIO()
        words = [str(self.spec), "--out", str(self.out), "--jostle", JOSTLE, *words]
        with contextlib.redirect_stderr(complaints):
            return ray_sweep.main(words), complaints.getvalue()

    def sweep(self, pulse, wait, get=None):
        """A sweep of three shards in a cluster that answers so."""

        def fake_get(what, timeout):
            if isinstance(what, Exception):
                raise what
            return what if get is None else get(what)

        remote = mock.MagicMock()
        names = iter(["one", "two", "three"])
        remote.side_effect = lambda what: mock.MagicMock(
            **{
                "options.return_value.remote.side_effect": lambda *_: pulse if what is ray_sweep.Pulse else next(names),
            }
        )
        with (
            mock.patch.object(ray_sweep.ray, "remote", remote),
            mock.patch.object(ray_sweep.ray, "wait", wait),
            mock.patch.object(ray_sweep.ray, "get", fake_get),
            mock.patch.object(ray_sweep, "keep"),
            mock.patch.object(ray_sweep, "GRACE", 0),
        ):
            return ray_sweep.sweep(self.spec, "spec", SPEC, self.out, "true", 3, self.said.append, patience=0.4)

    def test_a_cluster_that_does_not_answer_is_given_up(self):
        driver = [sys.executable, "-c", HANGING_DRIVER, self.spec, "--out", self.out, "--jostle", JOSTLE]
        here = {**os.environ, "PYTHONPATH": str(DRIVER.parent), "TMPDIR": str(self.folder)}
        done = subprocess.run([*driver, "--address", "no:1"], env=here, capture_output=True, text=True, timeout=60, check=False)
        said = "ray_sweep: the cluster no:1 has not answered within 1 second\n"
        self.assertEqual((done.returncode, done.stderr), (1, said))
        self.assertEqual(list(self.folder.glob("jostle-*")), [], "what was to be sent is not left behind")

    def test_a_cluster_that_cannot_be_reached_is_named(self):
        with mock.patch.object(ray_sweep.ray, "init", side_effect=ConnectionError("no route\nand more")):
            said = "ray_sweep: the cluster no:1 cannot be reached: no route\n"
            self.assertEqual(self.main("--address", "no:1"), (1, said))

    def test_a_cluster_that_does_not_name_its_cores_is_given_up(self):
        stalls = mock.patch.object(ray_sweep.ray, "cluster_resources", lambda: time.sleep(60))
        with mock.patch.object(ray_sweep.ray, "init"), mock.patch.object(ray_sweep, "ANSWERING", 0.2), stalls:
            code, complaint = self.main()
        self.assertEqual((code, complaint.count("\n")), (1, 1))
        self.assertIn("how many cores it has", complaint)

    def test_a_sweep_in_which_no_run_ends_is_given_up(self):
        for pulse, reason in [
            (FakePulse(0), "no run has ended there"),
            (FakePulse(GetTimeoutError()), "the cluster does not answer"),
        ]:
            self.said.clear()

            def wait(refs, timeout):
                time.sleep(timeout)
                return [], refs

            begun = time.monotonic()
            with self.assertRaisesRegex(ray_sweep.Unreachable, f"3 of 3 shards missing: {reason}; what was done is in"):
                self.sweep(pulse, wait)
            self.assertLess(time.monotonic() - begun, 20)
            self.assertRegex(self.said[0], "^waiting for 3 of 3 shards, the last sign of life less than a second ago")

    def test_runs_that_end_show_that_the_sweep_goes_on(self):
        rounds = []

        def wait(refs, timeout):
            rounds.append(timeout)
            time.sleep(timeout)
            return (refs, []) if len(rounds) > 12 else ([], refs)

        # Three times as long as it is patient without a sign of life. One question is not answered.
        pulse = FakePulse(*range(1, 6), GetTimeoutError(), *range(7, 40))
        self.assertEqual(self.sweep(pulse, wait), 0)
        self.assertEqual(self.said[-1], f"3 of 3 shards are in {self.out}")

    def test_records_that_do_not_come_are_given_up(self):
        def get(what):
            raise GetTimeoutError

        with self.assertRaisesRegex(ray_sweep.Unreachable, "shard 1/3 is done, and its records have not come within 10 minutes"):
            self.sweep(FakePulse(0), lambda refs, timeout: (refs[:1], refs[1:]), get)

    def test_a_process_that_records_no_run_is_killed(self):
        command = self.folder / "jostle"
        pulse = mock.MagicMock()
        # Three runs, each of which takes less time than there is patience, and then none.
        command.write_text('#!/bin/sh\nfor run in 1 2 3; do sleep 0.4; echo "$run" >> "$4/records.jsonl"; done\nexec sleep 60\n')
        command.chmod(0o755)
        begun = time.monotonic()
        with self.assertRaisesRegex(TimeoutError, "shard 1/2: no run has ended on its node for 1 second$"):
            ray_sweep.run_shard(str(command), "spec", "1/2", 1.0, pulse)
        self.assertIn(int(time.monotonic() - begun), range(1, 20))
        self.assertIn(pulse.beat.remote.call_count, (2, 3))

    def test_a_patience_that_is_no_time_is_refused(self):
        for wrong in ["0", "-1", "nan", "inf", "soon"]:
            with self.assertRaises(SystemExit) as refused:
                self.main("--patience", wrong)
            self.assertEqual(refused.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
