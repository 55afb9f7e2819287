"""Reads one small file of each format version, and gives files of unknown versions to the program.

    tests/formats/test_formats.py build/release/bin/headroom

tests/fixtures/formats/make_files.sh made the files. Formats of runs have only one version. tests/models/ood,
tests/models/baselines and tests/models/pocket write runs and read them again.
"""

import csv
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/bin/headroom").resolve()
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
MOLECULES = FIXTURES / "formats" / "molecules.csv"


class Formats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for made in (FIXTURES / "formats").iterdir():
            if made.is_dir():
                shutil.copytree(made, self.folder / made.name)

    def run_program(self, *words, exit_code=0):
        ended = subprocess.run([str(word) for word in (PROGRAM, *words)], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(ended.returncode, exit_code, ended.stderr)
        return ended.stdout + ended.stderr

    def verdicts(self, domain):
        self.run_program("domain", domain, MOLECULES, "--store", "store", "--out", domain + ".csv")
        with open(self.folder / (domain + ".csv"), newline="") as file:
            return [(row["domain"], row["domain_p_value"], row["domain_distance"]) for row in csv.DictReader(file)]

    def test_both_versions_of_a_saved_domain_give_the_same_verdicts(self):
        first, second = self.verdicts("domain-1"), self.verdicts("domain-2")
        self.assertEqual(len(first), 5)
        self.assertEqual(first, second)

    def test_a_store_is_read(self):
        self.run_program("store", "verify", "--store", "store-1")
        said = self.run_program("encode", MOLECULES, "--encoder", "ecfp", "--store", "store-1", "--out", "rows.npy")
        self.assertIn("5 found in the store", said)

    def test_shards_are_read(self):
        self.run_program("shards", "verify", "shards-1")
        self.run_program("shards", "join", "shards-1", "--out", "joined.npy")
        self.run_program("encode", MOLECULES, "--encoder", "ecfp", "--store", "store", "--out", "rows.npy")
        self.assertEqual((self.folder / "joined.npy").read_bytes(), (self.folder / "rows.npy").read_bytes())

    def test_both_versions_of_a_graph_set_are_read(self):
        graphs = self.folder / "graphs"
        graphs.mkdir()
        for file in (FIXTURES / "pocket" / "graphs").glob("1abc_*.pt"):
            shutil.copy(file, graphs)
        shutil.copy(FIXTURES / "pocket" / "node_feature_norm_params.npz", self.folder)
        for made in ("pocket-graphs-1", "pocket-graphs-2"):
            said = self.run_program("pocket", "build", "graphs", "--from", "graphs", "--out", made)
            self.assertIn("2 taken over", said)
            manifest = json.loads((self.folder / made / "manifest.json").read_text())
            self.assertEqual((manifest["version"], "checksum" in manifest), (2, True))

    def test_an_allocation_trace_is_read(self):
        trace = FIXTURES / "allocator" / "pocket-epoch-5.trace.gz"
        explanation = json.loads(subprocess.run([PROGRAM, "memory", "explain", trace, "--json"], check=True, capture_output=True,
                                                text=True).stdout)
        self.assertGreater(explanation["events"], 0)

    def test_an_unknown_version_is_refused(self):
        refused = {
            "domain-2/domain-manifest.json": ("format", ["domain", "domain-2", MOLECULES, "--out", "v.csv", "--store", "store"]),
            "shards-1/shard-0001-of-0001/manifest.json": ("version", ["shards", "join", "shards-1", "--out", "j.npy"]),
        }
        for name, (field, words) in refused.items():
            with self.subTest(name):
                file = self.folder / name
                manifest = json.loads(file.read_text())
                manifest[field] = 99
                file.write_text(json.dumps(manifest))
                self.assertIn(Path(name).parts[0], self.run_program(*words, exit_code=3))


if __name__ == "__main__":
    unittest.main()
