#!/usr/bin/env python3
"""Compares features of Uni-Mol from conformers of both engines and of RDKit under another seed, and the AUROC of
applicability domains and detectors with these features.

    python bench/conformer_features.py FOLDER_OF_MOLECULENET [--build build/release] [--count 300] [--sets bace bbbp lipo]

Takes random molecules of each set. The weights of Uni-Mol are random and have the published size. The distance between
two features of a molecule is divided by the median distance between different molecules. The benchmarks are splits by
size of `molgauge split`. Needs NumPy, SciPy and scikit-learn.
"""

import argparse
import csv
import json
import pathlib
import random
import subprocess
import tempfile

import numpy
import scipy.spatial
from sklearn.metrics import roc_auc_score

ENGINES = ("exact", "fast")
OTHER_SEED = 43
LABELS = {"bace": "Class", "bbbp": "p_np", "lipo": "lipo"}


def run(*command):
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)


class Program:
    def __init__(self, build, work):
        self.build, self.work = build, work
        self.common = ["--encoder", "unimol", "--random-weights", "--weights", work / "weights", "--quiet"]
        run(build / "bin/molgauge", "weights", "init", "unimol", "--seed", "1", "--weights", work / "weights")

    def features(self, molecules, *more):
        """Returns the row of each record."""
        out = self.work / "features.npy"
        run(self.build / "bin/molgauge", "encode", molecules, "--out", out, "--store", self.work / "store", *self.common, *more)
        return numpy.load(out).astype(float)

    def features_of_seed(self, smiles, seed):
        """Returns the rows from conformers of RDKit. Molecules without a conformer have NaN."""
        lines, sdf = self.work / "lines.smi", self.work / "seed.sdf"
        lines.write_text("\n".join(smiles) + "\n")
        run(self.build / "bin/bench_rdkit_conformers", lines, seed, sdf)
        titles = [int(block.split("\n", 1)[0]) for block in sdf.read_text().split("$$$$\n") if block]
        found = self.features(sdf)
        rows = numpy.full((len(smiles), found.shape[1]), numpy.nan)
        rows[titles] = found
        return rows

    def verb(self, *command):
        run(self.build / "bin/molgauge", *command, "--store", self.work / "store", *self.common)


def write_molecules(path, count, out):
    """Draws molecules with classes: whether the value is above the mean."""
    with open(path, newline="") as file:
        values = {row["smiles"]: float(row[LABELS[path.stem]]) for row in csv.DictReader(file)}
    mean = numpy.mean(list(values.values()))
    smiles = random.Random(54).sample(sorted(values), count)
    out.write_text("\n".join(["smiles,label", *(f"{one},{int(values[one] > mean)}" for one in smiles)]) + "\n")
    return smiles


def compare_features(name, rows):
    """Prints the distances between the features of each pair of conformers."""
    complete = numpy.all([numpy.isfinite(one).all(axis=1) & (numpy.abs(one).sum(axis=1) > 0) for one in rows.values()], axis=0)
    rows = {title: one[complete] for title, one in rows.items()}
    scale = numpy.median(scipy.spatial.distance.pdist(rows["exact"]))
    for first, second in (("exact", "fast"), ("exact", "other seed"), ("fast", "other seed")):
        distances = numpy.linalg.norm(rows[first] - rows[second], axis=1) / scale
        print(f"| {name} | {complete.sum()} | {first}, {second} | {numpy.median(distances):.3f} | {distances.mean():.3f} | {numpy.quantile(distances, 0.95):.3f} |", flush=True)


def domain_auroc(program, benchmark, engine):
    """The AUROC of the p-values for molecules of other sizes."""
    split = json.loads(benchmark.read_text())["split"]
    paths = {}
    for part in ("train", "iid_test", "ood_test"):
        paths[part] = program.work / f"{part}.csv"
        paths[part].write_text("\n".join(["smiles"] + [f'"{item["smiles"]}"' for item in split[part]]) + "\n")
    values = {}
    for part in ("iid_test", "ood_test"):
        out = program.work / "domain.csv"
        program.verb("domain", paths["train"], paths[part], "--standardize", "none", "--method", "knn", "--out", out, "--conformer-engine", engine)
        with open(out, newline="") as file:
            values[part] = [float(row["domain_p_value"]) for row in csv.DictReader(file) if row["domain_p_value"]]
    labels = [0] * len(values["iid_test"]) + [1] * len(values["ood_test"])
    return roc_auc_score(labels, [-value for value in values["iid_test"] + values["ood_test"]])


def detector_aurocs(program, benchmark, engine, seed):
    folder = program.work / f"{benchmark.stem}-{engine}-{seed}"
    program.verb("baseline", benchmark, "--run", folder, "--seed", seed, "--conformer-engine", engine)
    found = {path.name.removesuffix("_results.json"): json.loads(path.read_text())["auroc"] for path in folder.glob("*_results.json")}
    program.verb("train", benchmark, "--run", f"{folder}-head", "--seed", seed, "--epochs", 50, "--conformer-engine", engine)
    run(program.build / "bin/molgauge", "evaluate", f"{folder}-head", "--store", program.work / "store", "--random-weights", "--weights",
        program.work / "weights", "--quiet")
    found["energy head"] = json.loads((program.work / f"{folder.name}-head" / "test_metrics.json").read_text())["auroc"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sets", nargs="+", default=["bace", "bbbp", "lipo"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        program = Program(arguments.build, pathlib.Path(name))
        lists = {}
        print("| set | molecules | conformers | median | mean | 95 % quantile |\n|---|---|---|---|---|---|")
        for one in arguments.sets:
            smiles = lists[one] = write_molecules(arguments.folder / f"{one}.csv", arguments.count, program.work / f"{one}.csv")
            rows = {engine: program.features(program.work / f"{one}.csv", "--conformer-engine", engine) for engine in ENGINES}
            rows["other seed"] = program.features_of_seed(smiles, OTHER_SEED)
            compare_features(one, rows)
        print("\n| set | method | exact | fast |\n|---|---|---|---|")
        for one in lists:
            benchmark = program.work / f"{one}.json"
            run(arguments.build / "bin/molgauge", "split", program.work / f"{one}.csv", "--out", benchmark, "--domain", "size", "--label-column", "label",
                "--quiet")
            domains = [f"{domain_auroc(program, benchmark, engine):.3f}" for engine in ENGINES]
            print(f"| {one} | domain | {domains[0]} | {domains[1]} |", flush=True)
            found = {engine: [detector_aurocs(program, benchmark, engine, seed) for seed in range(arguments.seeds)] for engine in ENGINES}
            for method in found["exact"][0]:
                texts = []
                for engine in ENGINES:
                    values = [one_seed[method] for one_seed in found[engine]]
                    texts.append(f"{numpy.mean(values):.3f} ({min(values):.3f} to {max(values):.3f})")
                print(f"| {one} | {method} | {texts[0]} | {texts[1]} |", flush=True)


if __name__ == "__main__":
    main()
