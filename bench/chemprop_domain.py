#!/usr/bin/env python3
"""Measures the coverage of `molgauge domain --model` with chemprop models, for a table of
docs/results/predictions.md.

    python3 -m venv venv && venv/bin/pip install chemprop crepes==0.9.0 scikit-learn rdkit
    venv/bin/python bench/chemprop_domain.py --molgauge build/release/bin/molgauge --molecules FOLDER
        [--seeds 3] [--epochs 30] [--markdown FILE]

FOLDER holds lipo.csv. Scaffolds are drawn for TRAIN, CAL and CANDIDATES as in bench/prediction_intervals.py.
`chemprop train` trains a model on TRAIN with its default settings. A tenth of TRAIN, drawn at random, is used
to choose the best epoch. `molgauge domain TRAIN CANDIDATES --model best.pt --calibration CAL` predicts,
calibrates and judges.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from prediction_intervals import interval_measures, numbers, parts_of, read_set


def write(path, chosen, smiles, values, seed):
    validation = np.random.default_rng(seed).random(len(smiles)) < 0.1
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["smiles", "lipo", "split"])
        for i in np.flatnonzero(chosen):
            writer.writerow([smiles[i], values[i], "val" if validation[i] else "train"])


def train(work, seed, epochs):
    command = [pathlib.Path(sys.executable).parent / "chemprop", "train", "-i", work / "train.csv", "-o", work / "model",
               "--smiles-columns", "smiles", "--target-columns", "lipo", "--splits-column", "split",
               "--epochs", epochs, "--pytorch-seed", seed, "--accelerator", "cpu", "--num-workers", 0]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return work / "model" / "model_0" / "best.pt"


def judge(program, work, model, *options):
    out = work / "domain.csv"
    command = [program, "domain", work / "train.csv", work / "test.csv", "--model", model, "--calibration",
               work / "cal.csv", "--label-column", "lipo", "--store", work / "store", "--out", out,
               "--quiet", *options]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    with open(out, newline="") as file:
        return list(csv.DictReader(file)), json.loads(out.with_suffix(".json").read_text())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--molgauge", required=True)
    parser.add_argument("--molecules", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--markdown", type=pathlib.Path)
    arguments = parser.parse_args()
    smiles, values, _, scaffolds = read_set(arguments.molecules, "lipo")
    found = {"auto": [], "constant": [], "error": [], "outside": []}
    for seed in range(arguments.seeds):
        with tempfile.TemporaryDirectory() as folder:
            work = pathlib.Path(folder)
            part = parts_of(scaffolds, seed)
            for number, name in enumerate(["train", "cal", "test"]):
                write(work / f"{name}.csv", part == number, smiles, values, seed)
            model = train(work, seed, arguments.epochs)
            for method in ["auto", "constant"]:
                rows, _ = judge(arguments.molgauge, work, model, "--interval-method", method)
                measured, distance = numbers(rows, "lipo"), numbers(rows, "domain_distance")
                far = distance >= np.quantile(distance, 0.8)
                found[method].append(interval_measures(numbers(rows, "prediction_lower"),
                                                       numbers(rows, "prediction_upper"), measured, far))
            found["error"].append(np.abs(measured - numbers(rows, "predicted_lipo")).mean())
            found["outside"].append(np.mean([row["domain"] == "outside" for row in rows]))
            print(seed, {name: each[-1] for name, each in found.items()}, flush=True)
    lines = ["| lipo, chemprop | coverage | farthest fifth | mean width | Winkler score |", "|---|---|---|---|---|"]
    for method in ["auto", "constant"]:
        covered, far, width, score = np.mean(found[method], axis=0)
        lines.append(f"| `{method}` | {100 * covered:.1f} % | {100 * far:.1f} % | {width:.2f} | {score:.3f} |")
    lines.append(f"\nMean absolute error {np.mean(found['error']):.3f}, outside {100 * np.mean(found['outside']):.2f} %.")
    text = "\n".join(lines) + "\n"
    print(text)
    if arguments.markdown:
        arguments.markdown.write_text(text)


if __name__ == "__main__":
    main()
