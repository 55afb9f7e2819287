#!/usr/bin/env python3
"""Measures coverage and width of the intervals of `molgauge domain --prediction-column`, for
docs/results/predictions.md.

    python3 -m venv venv && venv/bin/pip install crepes==0.9.0 scikit-learn rdkit
    venv/bin/python bench/prediction_intervals.py --molgauge build/release/bin/molgauge --molecules FOLDER
        [--encoder minimol] [--seeds 10] [--sets lipo,esol,bbbp] [--methods constant,...] [--store STORE]
        [--markdown FILE]

FOLDER holds lipo.csv, esol.csv and bbbp.csv. For every seed, complete scaffolds are drawn for TRAIN (60 %), CAL (20
%) and CANDIDATES (20 %). Scaffolds of more than 5 % of the molecules go to TRAIN. "The user's model" is a random
forest of 200 trees on ECFP counts (radius 2, 2,048 bits), fitted on TRAIN. Its uncertainty is the standard deviation
of the trees. The "farthest fifth" is the fifth of the candidates with the largest domain_distance. With "random
calibration", CAL is drawn at random from TRAIN and CAL together, so its scaffolds occur in TRAIN.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from crepes import ConformalRegressor
from crepes.extras import DifficultyEstimator
from rdkit import Chem, RDLogger
from rdkit.Chem import rdFingerprintGenerator
from rdkit.Chem.Scaffolds import MurckoScaffold
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

COLUMNS = {"lipo": "lipo", "esol": "logSolubility", "bbbp": "p_np"}
COVERAGE = 0.9


def read_set(folder, name):
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    smiles, values, features, scaffolds, seen = [], [], [], [], set()
    with open(folder / f"{name}.csv", newline="") as file:
        for row in csv.DictReader(file):
            molecule = Chem.MolFromSmiles(row["smiles"])
            if molecule is None or Chem.MolToSmiles(molecule) in seen:
                continue
            seen.add(Chem.MolToSmiles(molecule))
            smiles.append(row["smiles"])
            values.append(float(row[COLUMNS[name]]))
            features.append(generator.GetCountFingerprintAsNumPy(molecule).astype(np.float32))
            scaffolds.append(MurckoScaffold.MurckoScaffoldSmiles(mol=molecule))
    return smiles, np.array(values), np.array(features), np.array(scaffolds)


def parts_of(scaffolds, seed):
    """Returns a number for each molecule: 0 for TRAIN, 1 for CAL, 2 for CANDIDATES."""
    generator = np.random.default_rng(seed)
    groups, group_of, counts = np.unique(scaffolds, return_inverse=True, return_counts=True)
    wanted, filled = np.array([0.6, 0.2, 0.2]) * len(scaffolds), np.zeros(3)
    part = np.zeros(len(scaffolds), int)
    for group in generator.permutation(len(groups)):
        chosen = 0 if counts[group] > 0.05 * len(scaffolds) else int(np.argmax((wanted - filled) / wanted))
        filled[chosen] += counts[group]
        part[group_of == group] = chosen
    return part


def random_calibration(part, seed):
    """Draws CAL from TRAIN and CAL together."""
    others = np.flatnonzero(part != 2)
    drawn = np.random.default_rng(1000 + seed).choice(others, np.count_nonzero(part == 1), replace=False)
    result = np.where(part == 2, 2, 0)
    result[drawn] = 1
    return result


def predictions_of(name, features, values, train, seed):
    if name == "bbbp":
        model = RandomForestClassifier(200, max_features="sqrt", random_state=seed).fit(features[train], values[train])
        return model.predict_proba(features)[:, 1], None
    model = RandomForestRegressor(200, max_features=0.1, random_state=seed).fit(features[train], values[train])
    trees = np.array([tree.predict(features) for tree in model.estimators_])
    return trees.mean(axis=0), trees.std(axis=0)


def write_part(path, chosen, smiles, values, predicted, spread):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["smiles", "y", "y_pred"] + (["s"] if spread is not None else []))
        for i in np.flatnonzero(chosen):
            writer.writerow([smiles[i], values[i], predicted[i]] + ([spread[i]] if spread is not None else []))


class Program:
    def __init__(self, arguments, work):
        self.arguments, self.work = arguments, work

    def run(self, training, *options):
        out = self.work / "domain.csv"
        command = [self.arguments.molgauge, "domain", training, self.work / "test.csv", "--prediction-column", "y_pred",
                   "--store", self.arguments.store or self.work / "store", "--out", out, "--page-rows", 0, "--quiet",
                   "--threads", 1, *options]
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
        return rows, json.loads(out.with_suffix(".json").read_text())["predictions"]

    def calibrate(self, *options):
        return self.run(self.work / "train.csv", "--calibration", self.work / "cal.csv", "--label-column", "y",
                        "--encoder", self.arguments.encoder, "--save", self.work / "saved", *options)


def numbers(rows, column):
    return np.array([float(row[column]) if row[column] else np.nan for row in rows])


def interval_measures(low, high, values, far):
    covered = (low <= values) & (values <= high)
    missed = np.maximum(low - values, 0) + np.maximum(values - high, 0)
    return covered.mean(), covered[far].mean(), (high - low).mean(), (high - low + 2 / (1 - COVERAGE) * missed).mean()


def crepes_intervals(features, values, predicted, part, labels=None):
    train, cal, test = part == 0, part == 1, part == 2
    difficulty = DifficultyEstimator().fit(features[train], y=None if labels is None else labels[train])
    regressor = ConformalRegressor().fit((values - predicted)[cal], sigmas=difficulty.apply(features[cal]))
    bounds = regressor.predict_int(predicted[test], sigmas=difficulty.apply(features[test]), confidence=COVERAGE)
    return bounds[:, 0], bounds[:, 1]


def run_regression(name, data, program, seed, table, chosen):
    smiles, values, features, scaffolds = data
    part = parts_of(scaffolds, seed)
    predicted, spread = predictions_of(name, features, values, part == 0, seed)
    for number, file in enumerate(("train", "cal", "test")):
        write_part(program.work / f"{file}.csv", part == number, smiles, values, predicted, spread)
    rows, facts = program.calibrate("--uncertainty-column", "s")
    chosen.append(facts["method"])
    distance, own = numbers(rows, "domain_distance"), numbers(rows, "y")
    far = distance >= np.quantile(distance, 0.8)

    def add(method, low, high):
        table.setdefault(method, []).append(interval_measures(low, high, own, far))

    add("auto, with uncertainty", numbers(rows, "prediction_lower"), numbers(rows, "prediction_upper"))
    for method in program.arguments.methods.split(","):
        found, _ = program.run(program.work / "saved", "--interval-method", method)
        add(method, numbers(found, "prediction_lower"), numbers(found, "prediction_upper"))
    found, facts = program.calibrate()
    chosen.append(facts["method"] + " (no uncertainty)")
    add("auto, without uncertainty", numbers(found, "prediction_lower"), numbers(found, "prediction_upper"))
    add("crepes, kNN distances", *crepes_intervals(features, values, predicted, part))
    add("crepes, kNN label spread", *crepes_intervals(features, values, predicted, part, values))
    mixed = random_calibration(part, seed)
    predicted, spread = predictions_of(name, features, values, mixed == 0, seed)
    for number, file in enumerate(("train", "cal", "test")):
        write_part(program.work / f"{file}.csv", mixed == number, smiles, values, predicted, spread)
    for method in [own for own in ("constant", "auto") if own == "auto" or own in program.arguments.methods]:
        found, _ = program.calibrate("--interval-method", method)
        add(f"random calibration, {method}", numbers(found, "prediction_lower"), numbers(found, "prediction_upper"))


def run_classification(name, data, program, seed, table):
    smiles, values, features, scaffolds = data
    part = parts_of(scaffolds, seed)
    predicted, _ = predictions_of(name, features, values, part == 0, seed)
    for number, file in enumerate(("train", "cal", "test")):
        write_part(program.work / f"{file}.csv", part == number, smiles, values, predicted, None)
    rows, _ = program.calibrate()
    own, sets = numbers(rows, "y"), [row["prediction_set"].split() for row in rows]
    covered = np.array([f"{value:.0f}" in found for value, found in zip(own, sets)])
    low, high = numbers(rows, "probability_lower"), numbers(rows, "probability_upper")
    merged = high / (1 - low + high)
    raw = numbers(rows, "y_pred")

    def log_loss(probability):
        kept = np.clip(probability, 1e-6, 1 - 1e-6)
        return -np.mean(np.log(np.where(own == 1, kept, 1 - kept)))

    table.append((covered[own == 0].mean(), covered[own == 1].mean(), np.mean([len(found) == 1 for found in sets]),
                  np.mean((raw - own) ** 2), np.mean((merged - own) ** 2), log_loss(raw), log_loss(merged)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--molgauge", required=True)
    parser.add_argument("--molecules", type=pathlib.Path, required=True)
    parser.add_argument("--encoder", default="minimol")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sets", default="lipo,esol,bbbp")
    parser.add_argument("--methods", default="constant,distance,uncertainty,both,mondrian", help="auto is always measured")
    parser.add_argument("--store")
    parser.add_argument("--markdown", type=pathlib.Path)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    RDLogger.DisableLog("rdApp.*")
    lines = []
    for name in arguments.sets.split(","):
        data, table, chosen, classes = read_set(arguments.molecules, name), {}, [], []
        with tempfile.TemporaryDirectory() as folder:
            program = Program(arguments, pathlib.Path(folder))
            for seed in range(arguments.seeds):
                if name == "bbbp":
                    run_classification(name, data, program, seed, classes)
                else:
                    run_regression(name, data, program, seed, table, chosen)
                print(f"{name}: seed {seed} done", file=sys.stderr, flush=True)
        if name == "bbbp":
            mean, spread = np.mean(classes, axis=0), np.std(classes, axis=0)
            lines += [f"{name} | covered, class 0 | covered, class 1 | sets of one class | Brier raw | calibrated | "
                      "log loss raw | calibrated", "|".join(["---"] * 8),
                      f"mean of {arguments.seeds} seeds | " + " | ".join(
                          f"{100 * mean[i]:.1f} (sd {100 * spread[i]:.1f}) %" for i in range(3)) + " | " + " | ".join(
                          f"{value:.3f}" for value in mean[3:]), ""]
            continue
        constant = np.mean([row[3] for row in table.get("constant", table["auto, with uncertainty"])])
        lines += [f"{name} | coverage | farthest fifth | mean width | Winkler score | against constant width",
                  "|".join(["---"] * 6)]
        for method, rows in table.items():
            mean = np.mean(rows, axis=0)
            lines.append(f"{method} | {100 * mean[0]:.1f} % | {100 * mean[1]:.1f} % | {mean[2]:.2f} | {mean[3]:.3f} | "
                         f"{100 * (mean[3] / constant - 1):+.1f} %")
        lines += [f"Chosen by auto: {', '.join(f'{method} {chosen.count(method)}' for method in sorted(set(chosen)))}",
                  ""]
    text = "\n".join(lines)
    print(text)
    if arguments.markdown:
        arguments.markdown.write_text(text + "\n")


if __name__ == "__main__":
    main()
