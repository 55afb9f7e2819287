#!/usr/bin/env python3
"""Compares errors of in-sample and out-of-fold predictions with errors of nearest neighbours, for the table of
docs/results/predictions.md. The limit in the check for in-sample predictions was chosen from this table.

    python3 -m venv venv && venv/bin/pip install scikit-learn rdkit
    venv/bin/python bench/in_sample_predictions.py --molecules FOLDER

FOLDER holds esol.csv and lipo.csv. The script draws 1,100 molecules from each. The ratio is the median
absolute error of the model divided by the median absolute error of the mean of the three nearest neighbours,
as in src/molecules/judging/predictions/in_sample.h. Neighbours have the largest Tanimoto similarity of the counts
of circular environments. The weight of a neighbour is the square of its similarity, and at least the square
of 0.05.
"""

import argparse
import csv
import pathlib
import warnings

import numpy as np
from rdkit import Chem, RDLogger
from rdkit.Chem import Descriptors, rdFingerprintGenerator
from rdkit.Chem.Scaffolds import MurckoScaffold
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

COLUMNS = {"esol": "logSolubility", "lipo": "lipo"}
DESCRIPTORS = ["MolLogP", "MolWt", "TPSA", "NumHDonors", "NumHAcceptors", "NumRotatableBonds", "FractionCSP3", "RingCount",
               "NumAromaticRings", "HeavyAtomCount", "MolMR", "BertzCT", "Kappa2", "Chi1v", "LabuteASA", "qed"]


def similarities(counts):
    """Tanimoto similarity of counts: the sum of the smaller counts divided by the sum of the larger
    counts."""
    sums = counts.sum(axis=1)
    result = np.zeros((len(counts), len(counts)), np.float32)
    for i, row in enumerate(counts):
        own = np.flatnonzero(row)
        shared = np.minimum(counts[:, own], row[own]).sum(axis=1)
        result[i] = shared / (sums + sums[i] - shared)
    np.fill_diagonal(result, -1)
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--molecules", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    RDLogger.DisableLog("rdApp.*")
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    functions = dict(Descriptors.descList)
    print("set | model | predictions | ratio\n---|---|---|---")
    for name, column in COLUMNS.items():
        with open(arguments.molecules / f"{name}.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        drawn = np.random.default_rng(0).permutation(len(rows))[:1100]
        molecules = [Chem.MolFromSmiles(rows[i]["smiles"]) for i in drawn]
        values = np.array([float(rows[i][column]) for i in drawn])
        counts = np.array([generator.GetCountFingerprintAsNumPy(own) for own in molecules]).astype(np.float32)
        described = np.array([[functions[key](own) for key in DESCRIPTORS] for own in molecules])
        both = np.hstack([counts, described])
        scaffolds = [MurckoScaffold.MurckoScaffoldSmiles(mol=own) for own in molecules]
        similarity = similarities(counts)
        nearest = np.argsort(-similarity, axis=1, kind="stable")[:, :3]
        weights = np.maximum(np.take_along_axis(similarity, nearest, 1), 0.05) ** 2
        yardstick = np.median(np.abs((weights * values[nearest]).sum(1) / weights.sum(1) - values))
        forest = RandomForestRegressor(100, max_features=0.1, random_state=0)
        models = [("random forest on ECFP", forest, counts), ("random forest on descriptors", forest, described),
                  ("random forest, leaves of 5", RandomForestRegressor(100, max_features=0.1, min_samples_leaf=5,
                                                                       random_state=0), both),
                  ("gradient boosting, 100 rounds", HistGradientBoostingRegressor(max_iter=100), both),
                  ("gradient boosting, 50 rounds of depth 3", GradientBoostingRegressor(n_estimators=50), both),
                  ("ridge regression", make_pipeline(StandardScaler(), Ridge(100.0)), both)]
        for words, model, features in models:
            schemes = {"in-sample": None, "out-of-fold, random": KFold(5, shuffle=True, random_state=1),
                       "out-of-fold, scaffolds": GroupKFold(5)}
            for scheme, folds in schemes.items():
                if folds is None:
                    predicted = model.fit(features, values).predict(features)
                else:
                    predicted = cross_val_predict(model, features, values, cv=folds, groups=scaffolds)
                ratio = np.median(np.abs(predicted - values)) / yardstick
                print(f"{name} | {words} | {scheme} | {ratio:.2f}", flush=True)


if __name__ == "__main__":
    main()
