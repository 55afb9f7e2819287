"""Reads one small file of each format version, and gives files of unknown versions to the program.

    tests/formats/test_formats.py build/release/bin/molgauge

tests/fixtures/formats/make_files.sh made the files. The results of a model are in its folder (expected.csv, expected.npz).
"""

import array
import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/bin/molgauge").resolve()
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
DOCUMENTED = Path(__file__).resolve().parents[2] / "docs" / "reference" / "formats.md"
MOLECULES = FIXTURES / "formats" / "molecules.csv"


def npz_numbers(path):
    """The float32 numbers of each array, without NumPy."""
    arrays = {}
    with zipfile.ZipFile(path) as file:
        for name in file.namelist():
            content = file.read(name)
            start = 10 + int.from_bytes(content[8:10], "little")
            arrays[name.removesuffix(".npy")] = array.array("f", content[start:])
    return arrays


def versions_in(folder):
    """Returns, for each format, the versions that occur in the files of a folder."""
    found = {}

    def add(name, version):
        found.setdefault(name, set()).add(int(version))

    in_json = {"domain-manifest.json": ("saved domain", "format"), "config.json": ("run configuration", "format_version")}
    for file in folder.rglob("*"):
        if file.suffix == ".safetensors":
            content = file.read_bytes()
            header = json.loads(content[8:8 + int.from_bytes(content[:8], "little")])
            if named := re.fullmatch("molgauge ([a-z ]+) ([0-9]+)", header.get("__metadata__", {}).get("format", "")):
                add(*named.groups())
        elif file.name == "checksums.xxh128":
            add("checksums", file.read_text().split()[2])
        elif file.name == "manifest.json":
            manifest = json.loads(file.read_text())
            add(manifest["format"].removeprefix("molgauge "), manifest["version"])
        elif file.name in in_json:
            name, field = in_json[file.name]
            add(name, json.loads(file.read_text()).get(field, 1))
    return found


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

    def test_a_saved_domain_is_read(self):
        self.assertEqual(len(self.verdicts("domain-3")), 5)

    def test_a_store_is_read(self):
        self.run_program("store", "verify", "--store", "store-1")
        said = self.run_program("encode", MOLECULES, "--encoder", "ecfp", "--store", "store-1", "--out", "rows.npy")
        self.assertIn("5 found in the store", said)

    def test_shards_are_read(self):
        self.run_program("shards", "verify", "shards-1")
        self.run_program("shards", "join", "shards-1", "--out", "joined.npy")
        self.run_program("encode", MOLECULES, "--encoder", "ecfp", "--store", "store", "--out", "rows.npy")
        self.assertEqual((self.folder / "joined.npy").read_bytes(), (self.folder / "rows.npy").read_bytes())

    def test_a_graph_set_is_read(self):
        graphs = self.folder / "graphs"
        graphs.mkdir()
        for file in (FIXTURES / "pocket" / "graphs").glob("1abc_*.pt"):
            shutil.copy(file, graphs)
        shutil.copy(FIXTURES / "pocket" / "node_feature_norm_params.npz", self.folder)
        said = self.run_program("pocket", "build", "graphs", "--from", "graphs", "--out", "pocket-graphs-2")
        self.assertIn("2 taken over", said)

    def compare_scores(self, run, *words):
        """Scores molecules with a stored model. Another CPU may change the last digits of a score."""
        self.run_program("score", run, MOLECULES, *words, "--store", "store", "--out", "scores.csv")
        with open(self.folder / run / "expected.csv", newline="") as file:
            expected = list(csv.DictReader(file))
        with open(self.folder / "scores.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 5)
        self.assertEqual([row.keys() for row in rows], [row.keys() for row in expected])
        for row, before in zip(rows, expected):
            for column, value in before.items():
                if column in ("smiles", "name", "ood_prediction"):
                    self.assertEqual(row[column], value)
                else:
                    self.assertAlmostEqual(float(row[column]), float(value), 4, column)

    def test_an_energy_head_is_read_with_its_validation_scores(self):
        self.compare_scores("run-1")

    def test_a_training_continues_from_its_checkpoint(self):
        for name in ("training.csv", "background.csv"):
            shutil.copy(FIXTURES / "formats" / name, self.folder)
        said = self.run_program("train", "training.csv", "--ood", "background.csv", "--encoder", "ecfp", "--store", "store",
                                "--epochs", "2", "--hidden-dim", "2", "--run", "run-1")
        self.assertIn("epoch 2/2", said)
        self.assertNotIn("epoch 1/2", said)

    def test_an_evaluation_reads_the_molecules_of_the_training(self):
        self.run_program("evaluate", "run-1", "--store", "store")
        results = json.loads((self.folder / "run-1" / "test_metrics.json").read_text())
        self.assertEqual(results["shared_molecules"], 0)  # would be null if the training molecules were unknown

    def test_a_baseline_classifier_and_its_detector_are_read(self):
        self.compare_scores("baselines-1", "--method", "knn")

    def test_a_pocket_encoder_is_read(self):
        self.run_program("pocket", "embed", "pocket-run-1", "pocket-graphs-2", "--out", "rows.npz")
        rows, expected = npz_numbers(self.folder / "rows.npz"), npz_numbers(self.folder / "pocket-run-1" / "expected.npz")
        self.assertEqual(sorted(rows), ["1abc_LIG_model0", "1abc_LIG_model1"])
        for name, numbers in expected.items():
            self.assertEqual(len(numbers), 4)
            for one, other in zip(rows[name], numbers):
                self.assertAlmostEqual(one, other, 4)

    def test_an_allocation_trace_is_read(self):
        trace = FIXTURES / "allocator" / "pocket-epoch-5.trace.gz"
        explanation = json.loads(subprocess.run([PROGRAM, "memory", "explain", trace, "--json"], check=True, capture_output=True,
                                                text=True).stdout)
        self.assertGreater(explanation["events"], 0)
        printed = json.loads(self.run_program("--version", "--json"))["formats"]
        self.assertEqual(explanation["format_version"], printed["memory explanation"]["writes"])

    def test_the_printed_versions_are_those_of_the_files(self):
        printed = json.loads(self.run_program("--version", "--json"))["formats"]
        found = versions_in(FIXTURES / "formats")
        self.assertGreaterEqual(len(found), 12)
        for name, versions in found.items():
            self.assertEqual(sorted(versions), printed[name]["reads"], name)
        self.run_program("domain", FIXTURES / "formats" / "training.csv", MOLECULES, "--store", "new", "--save", "new-domain",
                         "--encoder", "ecfp", "--out", "new.csv")
        self.assertEqual(versions_in(self.folder / "new-domain")["saved domain"], {printed["saved domain"]["writes"]})

    def test_the_documented_versions_are_the_printed_ones(self):
        printed = json.loads(self.run_program("--version", "--json"))["formats"]
        documented = {}
        for names, versions in re.findall(r"^\| ([a-z][^|]*) \| ([0-9, ]+) \|", DOCUMENTED.read_text(), re.MULTILINE):
            for name in re.sub(r" \(.*?\)", "", names).split(", "):
                documented[name] = [int(version) for version in versions.split(",")]
        self.assertEqual(documented, {name: each["reads"] for name, each in printed.items() if each["reads"]})

    def test_an_unknown_version_is_refused(self):
        refused = {
            "domain-3/domain-manifest.json": ("format", ["domain", "domain-3", MOLECULES, "--out", "v.csv", "--store", "store"]),
            "shards-1/shard-0001-of-0001/manifest.json": ("version", ["shards", "join", "shards-1", "--out", "j.npy"]),
            "run-1/config.json": ("format_version", ["evaluate", "run-1", "--store", "store"]),
            "pocket-run-1/config.json": ("format_version", ["pocket", "embed", "pocket-run-1", "pocket-graphs-2", "--out", "r.npz"]),
        }
        for run in ("run-1", "pocket-run-1"):
            (self.folder / run / "checksums.xxh128").unlink()
        for name, (field, words) in refused.items():
            with self.subTest(name):
                file = self.folder / name
                manifest = json.loads(file.read_text())
                manifest[field] = 99
                file.write_text(json.dumps(manifest))
                self.assertIn(Path(name).parts[0], self.run_program(*words, exit_code=3))

    def test_an_unknown_format_of_a_model_is_refused(self):
        refused = {
            "run-1/best_model.safetensors": ["score", "run-1", MOLECULES, "--store", "store", "--out", "s.csv"],
            "baselines-1/classifier.safetensors": ["score", "baselines-1", MOLECULES, "--method", "knn", "--store", "store",
                                                   "--out", "s.csv"],
            "pocket-run-1/best_model.safetensors": ["pocket", "embed", "pocket-run-1", "pocket-graphs-2", "--out", "r.npz"],
        }
        for name, words in refused.items():
            with self.subTest(name):
                file = self.folder / name
                (file.parent / "checksums.xxh128").unlink()
                content = re.sub(rb'("format":"molgauge [a-z ]+) 1"', rb'\1 9"', file.read_bytes(), count=1)
                self.assertIn(b' 9"', content)
                file.write_bytes(content)
                said = self.run_program(*words, exit_code=3)
                self.assertIn("its format is", said)
                self.assertIn(name, said)


if __name__ == "__main__":
    unittest.main()
