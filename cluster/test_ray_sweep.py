#!/usr/bin/env python3
"""A sweep on a cluster of two nodes, one of which is killed during the sweep: nothing is lost.

JOSTLE=target/debug/jostle python cluster/test_ray_sweep.py
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from ray.cluster_utils import Cluster

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


if __name__ == "__main__":
    unittest.main()
