#!/usr/bin/env python3
"""Measures what `molgauge domain` says to broken calibrations, for docs/results/predictions.md.

    python3 -m venv venv && venv/bin/pip install numpy rdkit scikit-learn
    venv/bin/python bench/broken_calibrations.py --molgauge build/release/bin/molgauge --table CHEMBL219-1.csv
        [--table lipo.csv ...]

A table has SMILES and values in its first two columns. At most 1,200 random molecules are used. A random forest of 60
trees on ECFP counts is trained on 60 % of them, predicts 20 % for the calibration and judges 20 %. Then one fault is
added to the predictions: another unit (nM instead of the logarithm, for the calibration and the candidates), a shift of
3, the opposite sign, shuffled rows (each also for the candidates), or one calibration prediction that is 2,151 too high.
The table shows the widest interval of the method `auto`, divided by the width of the method `constant`, the coverage of
both, and the warning.
"""

import argparse
import csv
import pathlib
import random
import subprocess
import tempfile

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdFingerprintGenerator
from sklearn.ensemble import RandomForestRegressor

MOLECULES = 1200


def read(path):
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(file)][1:]
    rows = [(row[0], float(row[1])) for row in rows if Chem.MolFromSmiles(row[0])]
    return random.Random(0).sample(rows, min(MOLECULES, len(rows)))


def predictions(rows, train):
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    counts = np.array([generator.GetCountFingerprintAsNumPy(Chem.MolFromSmiles(smiles)) for smiles, _ in rows])
    values = np.array([value for _, value in rows])
    model = RandomForestRegressor(60, max_features=0.1, random_state=0).fit(counts[:train], values[:train])
    return model.predict(counts)


def faults(predicted, calibration, seed=0):
    """Yields the name of a fault and all predictions with it. `calibration`: slice of the calibration molecules."""
    yield "none", predicted
    yield "other unit", 10 ** (9 - predicted)
    yield "shift of 3", predicted + 3
    yield "opposite sign", -predicted
    shuffled = predicted.copy()
    np.random.default_rng(seed).shuffle(shuffled)
    yield "shuffled", shuffled
    wild = predicted.copy()
    wild[calibration.start] += 2151
    yield "one wild value", wild


def judge(molgauge, folder, rows, predicted, parts, method):
    for name, part in parts.items():
        with open(folder / f"{name}.csv", "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["smiles", "y", "p"])
            writer.writerows([*rows[i], predicted[i]] for i in range(part.start, part.stop))
    command = [molgauge, "domain", folder / "train.csv", folder / "test.csv", "--calibration", folder / "cal.csv",
               "--label-column", "y", "--prediction-column", "p", "--encoder", "ecfp", "--interval-method", method,
               "--out", folder / "out.csv", "--store", folder / "store", "--quiet", "--page-rows", "0"]
    shown = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)
    with open(folder / "out.csv", newline="") as file:
        found = [row for row in csv.DictReader(file) if row["prediction_lower"]]
    low, high, true = (np.array([float(row[name]) for row in found]) for name in
                       ("prediction_lower", "prediction_upper", "y"))
    said = [line for line in (shown.stdout + shown.stderr).splitlines() if "model check" in line or "warning" in line]
    return high - low, np.mean((low <= true) & (true <= high)), said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--molgauge", required=True)
    parser.add_argument("--table", action="append", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    print("| set | fault | widest interval / constant | coverage `auto` | `constant` | text of Molgauge |\n" + "|---" * 6 + "|")
    for path in arguments.table:
        rows = read(path)
        first, second = int(0.6 * len(rows)), int(0.8 * len(rows))
        parts = {"train": range(0, first), "cal": range(first, second), "test": range(second, len(rows))}
        predicted = predictions(rows, first)
        with tempfile.TemporaryDirectory() as work:
            for name, broken in faults(predicted, parts["cal"]):
                folder = pathlib.Path(work)
                width, covered, said = judge(arguments.molgauge, folder, rows, broken, parts, "auto")
                constant, covered_by_constant, _ = judge(arguments.molgauge, folder, rows, broken, parts, "constant")
                print(f"| {path.stem} | {name} | {width.max() / constant.max():.2f} | {100 * covered:.1f} % | "
                      f"{100 * covered_by_constant:.1f} % | {' '.join(said)} |", flush=True)


if __name__ == "__main__":
    main()
