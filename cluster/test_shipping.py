#!/usr/bin/env python3
"""What is sent to the nodes of a cluster, and what is accepted from them. Needs no Ray.

JOSTLE=target/debug/jostle python3 cluster/test_shipping.py
"""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import shipping

JOSTLE = str(Path(os.environ["JOSTLE"]).resolve())
SPEC = """
[[sweep]]
maps = ["rooms:24x16", "beside.map", "../maps/above.map", "deep/er/below.map", "paper/library.map"]
agents = 5
seeds = "1-4"
planners = ["bmaa"]
limits = ["50steps"]
"""
RUNS = 20


class Shipping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.spec = self.folder / "problems" / "spec.toml"
        self.spec.parent.mkdir()
        self.spec.write_text(SPEC)
        library = self.folder / "library"
        places = [
            self.spec.parent / "beside.map",
            self.folder / "maps" / "above.map",
            self.spec.parent / "deep" / "er" / "below.map",
            library / "paper" / "library.map",
        ]
        for seed, place in enumerate(places):
            place.parent.mkdir(parents=True, exist_ok=True)
            words = [JOSTLE, "maps", f"cave:24x16:seed={seed}", "--out", str(place)]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        for secret in [self.spec.parent / ".env", self.spec.parent / "other.map", self.folder / "key"]:
            secret.write_text("secret")
        os.environ["JOSTLE_MAPS"] = str(library)
        self.addCleanup(os.environ.pop, "JOSTLE_MAPS")
        self.out = self.folder / "out"
        self.out.mkdir()

    def shard(self, shard):
        """What a node returns for a shard."""
        with tempfile.TemporaryDirectory() as folder:
            words = [JOSTLE, "sweep", str(self.spec), "--out", folder, "--shard", shard]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            files = [path for path in Path(folder).iterdir() if path.suffix in (".json", ".jsonl")]
            return {path.name: path.read_bytes() for path in files}

    def stored(self):
        return {path.name: path.read_bytes() for path in self.out.iterdir() if path.is_file()}

    def is_refused(self, files, expected, shard="1/2"):
        before = self.stored()
        with self.assertRaises(ValueError) as caught:
            shipping.keep(self.out, shard, SPEC, files)
        self.assertIn(expected, str(caught.exception))
        self.assertEqual(self.stored(), before)

    def test_only_what_the_spec_names_is_sent_and_it_is_enough(self):
        sent = self.folder / "sent"
        sent.mkdir()
        spec = shipping.pack(shipping.files_of(JOSTLE, self.spec), sent)
        names = {str(path.relative_to(sent)) for path in sent.rglob("*") if path.is_file()}
        expected = ["spec.toml", "beside.map", "deep/er/below.map", "paper/library.map"]
        self.assertEqual(names, {f"spec/{name}" for name in expected} | {"maps/above.map"})
        self.assertEqual(spec, "spec/spec.toml")
        # A node has neither the other files nor JOSTLE_MAPS.
        maps = {name: value for name, value in os.environ.items() if name != "JOSTLE_MAPS"}
        words = [JOSTLE, "sweep", spec, "--out", str(self.folder / "there")]
        subprocess.run(words, cwd=sent, env=maps, check=True, stdout=subprocess.DEVNULL)
        records = (self.folder / "there" / "records.jsonl").read_text()
        self.assertEqual(len(records.splitlines()), RUNS)

    def test_a_spec_that_is_wrong_is_refused_before_anything_is_sent(self):
        self.spec.write_text(SPEC.replace("beside", "none"))
        with self.assertRaisesRegex(ValueError, "spec.toml: line 3: none.map: there is no such file"):
            shipping.files_of(JOSTLE, self.spec)
        with self.assertRaisesRegex(ValueError, "nowhere cannot be run: No such file or directory"):
            shipping.files_of("nowhere", self.spec)

    def test_a_shard_is_stored_and_the_sweep_goes_on_from_it(self):
        shipping.keep(self.out, "1/2", SPEC, self.shard("1/2"))
        shipping.keep(self.out, "2/2", SPEC, self.shard("2/2"))
        words = [JOSTLE, "sweep", str(self.spec), "--out", str(self.out)]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        self.assertIn(f"{RUNS} runs in {self.out}, 0 of them made now", said)

    def test_names_that_are_not_those_of_the_shard_are_refused(self):
        files = self.shard("1/2")
        records = files["records-1-of-2.jsonl"]
        for name in ["../x", "/etc/x", "x.jsonl", "records-2-of-2.jsonl", "records.jsonl", "sweep.lock"]:
            self.is_refused(files | {name: records}, "instead of its records")
            self.is_refused({name: records, "sweep.json": files["sweep.json"]}, "instead of its records")
        self.is_refused({}, "a node returned nothing")
        self.is_refused(files | {"records-1-of-2.jsonl": None}, "instead of its records")
        self.assertFalse((self.folder / "x").exists())

    def test_contents_that_are_not_of_the_sweep_are_refused(self):
        files = self.shard("1/2")
        for text in [b"{}\n", b"[]", b"\xff", b"#!/bin/sh\n", b"[" * 100_000]:
            self.is_refused(files | {"records-1-of-2.jsonl": text}, "line 1 that a node returned")
            self.is_refused(files | {"sweep.json": text}, "the records of another spec")
        other = json.loads(files["sweep.json"])
        other["spec"] += "# longer"
        self.is_refused(files | {"sweep.json": json.dumps(other).encode()}, "of another spec")
        other = json.loads(files["sweep.json"])
        other["fingerprint"] = "0" * 16
        self.is_refused(files | {"sweep.json": json.dumps(other).encode()}, "is not a record")

    def test_no_file_is_replaced(self):
        files = self.shard("1/2")
        shipping.keep(self.out, "1/2", SPEC, files)
        self.is_refused(files, "records-1-of-2.jsonl: this file is there already")
        precious = self.folder / "precious"
        precious.write_text("precious")
        (self.out / "records-2-of-2.jsonl").symlink_to(precious)
        self.is_refused(self.shard("2/2"), "is there already", shard="2/2")
        self.assertEqual(precious.read_text(), "precious")
        # A folder of another sweep stays as it is.
        (self.out / "sweep.json").write_text('{"name": "other", "fingerprint": "0"}')
        (self.out / "records-2-of-2.jsonl").unlink()
        self.is_refused(self.shard("2/2"), "this folder belongs to another spec (other)", shard="2/2")


if __name__ == "__main__":
    unittest.main()
