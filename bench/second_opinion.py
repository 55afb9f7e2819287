#!/usr/bin/env python3
"""Measures the second opinion of `molgauge domain` on the predictions of five models, for
docs/results/predictions.md.

    python3 -m venv venv && venv/bin/pip install numpy rdkit scikit-learn scipy [chemprop==2.3.1]
    venv/bin/python bench/second_opinion.py --molgauge build/release/bin/molgauge --time-splits FOLDER
        --molecules FOLDER [--seeds 2] [--models forest,ridge,gp,network,chemprop] [--sets lipo,...]
        [--work FOLDER] [--results FILE] [--weights FOLDER] [--reference] [--markdown FILE]

The first folder holds CHEMBL*-1.csv, hlm.csv and mdr1.csv, with the columns smiles, y and split. The second folder
holds bace.csv, bbbp.csv, esol.csv, hiv.csv and lipo.csv, with the SMILES and the value in the first two columns. hiv is
cut to 2,000 random molecules.

For a CHEMBL set, the candidates are its test molecules, a simulated later stage of the project. For each seed, whole
scaffolds of its training molecules are drawn for TRAIN (70 %) and CAL (30 %). For the other sets, whole scaffolds are
drawn for TRAIN (60 %), CAL (20 %) and CANDIDATES (20 %). Scaffolds of more than 5 % of the molecules go to TRAIN. The
script trains the models on TRAIN (bench/second_opinion_models.py) and calls `molgauge domain` twice: without the values
of TRAIN (method `both`, or `distance` for a model without uncertainty), and with them (method `opinion`).

--work keeps predictions, so that the script can be repeated. --results keeps the measures of each combination, so that
an interrupted measurement continues. Delete this file after a change of the program. --reference computes the second opinion in numpy
(bench/second_opinion_reference.py). The program then only computes features and distances.
"""

import argparse
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import warnings
from types import SimpleNamespace

import numpy as np
import second_opinion_reference
from rdkit import Chem, RDLogger
from rdkit.Chem import rdFingerprintGenerator
from rdkit.Chem.Scaffolds import MurckoScaffold
from scipy.sparse import csr_matrix
from scipy.stats import rankdata, spearmanr, wilcoxon
from second_opinion_models import MODELS

TIME = [f"CHEMBL{number}-1" for number in (2014, 217, 219, 245, 253, 255, 259, 270)]
OTHERS = ["hlm", "mdr1", "bace", "bbbp", "esol", "hiv", "lipo"]
CLASSES = {"bace", "bbbp", "hiv"}
COVERAGE = 0.9


def similarities(environments):
    """MinMax similarities of all pairs of molecules, from their environment counts."""
    identifiers, rows, columns, counts = {}, [], [], []
    for i, own in enumerate(environments):
        for identifier, count in own.items():
            rows.append(i)
            columns.append(identifiers.setdefault(identifier, len(identifiers)))
            counts.append(count)
    left = csr_matrix((np.array(counts, np.float32), (rows, columns)))
    total = np.asarray(left.sum(axis=1)).ravel()
    shared = np.zeros((len(total), len(total)), np.float32)
    while left.nnz:  # min(a, b) is the number of levels up to which both counts reach
        level = (left > 0).astype(np.float32)
        shared += (level @ level.T).toarray()
        left = left - level
        left.eliminate_zeros()
    return shared / (total[:, None] + total[None] - shared)


def read_set(arguments, name):
    is_public = name in ("bace", "bbbp", "esol", "hiv", "lipo")
    folder = arguments.molecules if is_public else arguments.time_splits
    with open(folder / f"{name}.csv", newline="") as file:
        rows = list(csv.reader(file))[1:]
    if name == "hiv":
        rows = random.Random(0).sample(rows, 2000)
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    kept, counts, environments, scaffolds, seen = [], [], [], [], set()
    for row in rows:
        molecule = Chem.MolFromSmiles(row[0])
        if molecule is None or Chem.MolToSmiles(molecule) in seen:
            continue
        seen.add(Chem.MolToSmiles(molecule))
        kept.append(row)
        counts.append(generator.GetCountFingerprintAsNumPy(molecule).astype(np.float32))
        environments.append(generator.GetSparseCountFingerprint(molecule).GetNonzeroElements())
        scaffolds.append(MurckoScaffold.MurckoScaffoldSmiles(mol=molecule))
    return SimpleNamespace(name=name, smiles=[row[0] for row in kept], values=np.array([float(row[1]) for row in kept]),
                           is_test=np.array([row[2:] == ["test"] for row in kept]), counts=np.array(counts),
                           scaffolds=np.array(scaffolds), similarity=similarities(environments),
                           is_class=name in CLASSES)


def parts_of(data, seed):
    """Returns a number for each molecule: 0 for TRAIN, 1 for CAL, 2 for CANDIDATES."""
    generator = np.random.default_rng(seed)
    groups, group_of = np.unique(data.scaffolds, return_inverse=True)
    shares = np.array([0.7, 0.3] if data.is_test.any() else [0.6, 0.2, 0.2])
    part, filled = np.where(data.is_test, 2, 0), np.zeros(len(shares))
    wanted = shares * np.count_nonzero(~data.is_test)
    for group in generator.permutation(len(groups)):
        members = (group_of == group) & ~data.is_test
        is_large = np.count_nonzero(members) > 0.05 * np.count_nonzero(~data.is_test)
        chosen = 0 if is_large else int(np.argmax((wanted - filled) / wanted))
        filled[chosen] += np.count_nonzero(members)
        part[members] = chosen
    return part


def predictions_of(arguments, data, part, model, seed):
    path = arguments.work / f"{data.name}-{seed}-{model}.npz"
    if path.exists():
        stored = np.load(path)
        return stored["pred"], stored["unc"]
    predicted, uncertainty = MODELS[model](data, part == 0, seed)
    uncertainty = np.full(len(predicted), np.nan) if uncertainty is None else uncertainty
    np.savez(path, pred=predicted, unc=uncertainty)
    return predicted, uncertainty


def judge(arguments, data, part, predicted, uncertainty, has_opinion):
    """Returns the rows of domain.csv for the candidates."""
    has_uncertainty = not np.isnan(uncertainty).any()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for number, name in enumerate(("train", "cal", "test")):
            with open(work / f"{name}.csv", "w", newline="") as file:
                writer = csv.writer(file)
                value = "y" if name != "train" or has_opinion else "unused"
                writer.writerow(["smiles", value, "p"] + ["u"] * has_uncertainty)
                for i in np.flatnonzero(part == number):
                    writer.writerow([data.smiles[i], data.values[i], predicted[i]] + [uncertainty[i]] * has_uncertainty)
        command = [arguments.molgauge, "domain", work / "train.csv", work / "test.csv",
                   "--calibration", work / "cal.csv", "--label-column", "y", "--prediction-column", "p",
                   "--store", arguments.work / "store", "--out", work / "domain.csv", "--page-rows", 0, "--quiet",
                   "--threads", 1]
        command += ["--uncertainty-column", "u"] if has_uncertainty else []
        if not data.is_class:
            command += ["--interval-method", "opinion" if has_opinion else "both" if has_uncertainty else "distance"]
        command += ["--weights", arguments.weights] if arguments.weights else []
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
        with open(work / "domain.csv", newline="") as file:
            return list(csv.DictReader(file))


def auroc(scores, is_wrong):
    wrong = np.count_nonzero(is_wrong)
    if wrong in (0, len(is_wrong)):
        return np.nan
    return (rankdata(scores)[is_wrong].sum() - wrong * (wrong + 1) / 2) / (wrong * (len(is_wrong) - wrong))


def measures(data, rows):
    """Rank measure, Winkler score, coverage, and coverage of the farthest fifth. For classes, the rank measure is the
    AUROC of the expected error for wrong predictions, and the coverage is the coverage of the sets."""
    rows = [row for row in rows if row["prediction_expected_error"]]

    def column(name):
        return np.array([float(row[name] or "nan") for row in rows])

    values, predicted, expected = column("y"), column("p"), column("prediction_expected_error")
    far = column("domain_distance") >= np.quantile(column("domain_distance"), 0.8)
    if data.is_class:
        covered = np.array([f"{value:.0f}" in row["prediction_set"].split() for value, row in zip(values, rows)])
        return auroc(expected, (predicted >= 0.5) != (values == 1)), np.nan, covered.mean(), covered[far].mean()
    low, high = column("prediction_lower"), column("prediction_upper")
    covered = (low <= values) & (values <= high)
    winkler = high - low + 2 / (1 - COVERAGE) * (np.maximum(low - values, 0) + np.maximum(values - high, 0))
    return spearmanr(expected, np.abs(values - predicted))[0], winkler.mean(), covered.mean(), covered[far].mean()


def table_row(name, rows):
    """`rows` [n, 2, 4]: measures without and with the second opinion."""
    rows = np.array(rows)
    gain = rows[:, 1, 0] - rows[:, 0, 0]
    widths = "" if np.isnan(rows[:, 0, 1]).all() else f"{100 * np.mean(rows[:, 1, 1] / rows[:, 0, 1] - 1):+.1f} %"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes have no Winkler score
        mean = np.nanmean(rows, axis=0)
    better = 100 * np.mean(gain[~np.isnan(gain)] > 0)
    coverages = ["" if np.isnan(mean[method, column]) else f"{100 * mean[method, column]:.1f} %"
                 for column in (2, 3) for method in (0, 1)]
    return " | ".join([f"| {name}", f"{len(rows)}", f"{mean[0, 0]:.3f}", f"{mean[1, 0]:.3f}",
                       f"{np.nanmean(gain):+.3f}", f"{better:.0f} %", widths, *coverages]) + " |"


HEADER = ("| {} | combinations | {} without | with | gain | better | Winkler score | coverage without | with | "
          "farthest fifth without | with |\n|" + "---|" * 11)


def tables(results):
    """`results`: list of (set, seed, model, measures without, measures with)."""
    lines = []
    # The rank correlation is undefined if all expected errors are equal. Both methods of the combination are left out.
    results = [own if np.isfinite([own[3][0], own[4][0]]).all()
               else [*own[:3], [np.nan, *own[3][1:]], [np.nan, *own[4][1:]]] for own in results]
    regression = [own for own in results if own[0] not in CLASSES]
    classes = [own for own in results if own[0] in CLASSES]
    if regression:
        lines.append(HEADER.format("regression", "Spearman"))
        kinds = {"time splits": [own for own in regression if own[0] in TIME],
                 "scaffold splits": [own for own in regression if own[0] not in TIME]}
        kinds |= {f"time splits, {model}": [own for own in kinds["time splits"] if own[2] == model] for model in MODELS}
        kinds |= {f"scaffold splits, {model}": [own for own in kinds["scaffold splits"] if own[2] == model]
                  for model in MODELS}
        kinds["all"] = regression
        lines += [table_row(name, [own[3:] for own in rows]) for name, rows in kinds.items() if rows]
        sets = sorted({own[0] for own in regression})
        for number, what in enumerate(("Spearman", "Winkler score")):
            pairs = np.array([np.nanmean([[own[3][number], own[4][number]] for own in regression if own[0] == name],
                                         axis=0) for name in sets])
            if len(pairs) > 5:
                lines.append(f"Wilcoxon test over {len(pairs)} sets, {what}: p = "
                             f"{wilcoxon(pairs[:, 0], pairs[:, 1]).pvalue:.2g}")
    if classes:
        lines += ["", HEADER.format("classes", "AUROC")]
        for name in ["all"] + sorted({own[0] for own in classes}):
            lines.append(table_row(name, [own[3:] for own in classes if name in ("all", own[0])]))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--molgauge", required=True)
    parser.add_argument("--time-splits", type=pathlib.Path, required=True)
    parser.add_argument("--molecules", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--sets", default=",".join(TIME + OTHERS))
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path, help="JSON lines with the measures of finished combinations")
    parser.add_argument("--cached-only", action="store_true", help="leave out predictions that --work does not hold")
    parser.add_argument("--reference", action="store_true", help="compute the second opinion in numpy")
    parser.add_argument("--weights")
    parser.add_argument("--markdown", type=pathlib.Path)
    arguments = parser.parse_args()
    RDLogger.DisableLog("rdApp.*")
    temporary = tempfile.TemporaryDirectory()
    arguments.work = arguments.work or pathlib.Path(temporary.name)
    arguments.work.mkdir(exist_ok=True)
    results = []
    if arguments.results and arguments.results.exists():
        results = [tuple(json.loads(line)) for line in arguments.results.read_text().splitlines()]
    finished = {own[:3] for own in results}
    for seed in range(arguments.seeds):
        for name in arguments.sets.split(","):
            models = [model for model in arguments.models.split(",") if (name, seed, model) not in finished]
            if not models:
                continue
            data = read_set(arguments, name)
            part = parts_of(data, seed)
            for model in models:
                if arguments.cached_only and not (arguments.work / f"{name}-{seed}-{model}.npz").exists():
                    continue
                start = time.time()
                predicted, uncertainty = predictions_of(arguments, data, part, model, seed)
                if arguments.reference:
                    found = second_opinion_reference.judge(arguments, data, part, predicted, uncertainty, COVERAGE,
                                                           auroc)
                else:
                    found = [measures(data, judge(arguments, data, part, predicted, uncertainty, has_opinion))
                             for has_opinion in (False, True)]
                if found is None:
                    continue
                results.append((name, seed, model, *found))
                if arguments.results:
                    with open(arguments.results, "a") as file:
                        file.write(json.dumps(results[-1]) + "\n")
                print(name, seed, model, np.round(found, 3).tolist(), f"{time.time() - start:.0f} s", file=sys.stderr,
                      flush=True)
    text = tables(results)
    print(text)
    if arguments.markdown:
        arguments.markdown.write_text(text + "\n")


if __name__ == "__main__":
    main()
