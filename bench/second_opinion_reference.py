"""The second opinion of `molgauge domain` in numpy, for bench/second_opinion.py --reference. Only the features and the
distances come from Molgauge. Folds and winsorised errors differ in detail from the program."""

import csv
import pathlib
import subprocess
import tempfile

import numpy as np
from scipy.optimize import nnls
from scipy.stats import spearmanr
from sklearn.linear_model import LogisticRegression

PENALTIES = [0.001, 0.01, 0.1, 1, 10, 100]
KERNEL_PENALTY, NEIGHBOURS, FOLDS, FAR_SHARE = 0.1, 8, 5, 0.2


def molgauge(arguments, *words):
    words = [arguments.molgauge, *words, "--store", arguments.work / "store", "--quiet", "--threads", 1]
    words += ["--weights", arguments.weights] if arguments.weights else []
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)


def write_smiles(path, smiles):
    path.write_text("\n".join(["smiles", *smiles]) + "\n")


def features_of(arguments, data):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        write_smiles(work / "all.csv", data.smiles)
        molgauge(arguments, "encode", work / "all.csv", "--out", work / "all.npy")
        return np.load(work / "all.npy").astype(float)


def distances_of(arguments, data, part):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name, chosen in (("train", part == 0), ("rest", part != 0)):
            write_smiles(work / f"{name}.csv", [data.smiles[i] for i in np.flatnonzero(chosen)])
        molgauge(arguments, "domain", work / "train.csv", work / "rest.csv", "--out", work / "domain.csv",
                 "--page-rows", 0)
        with open(work / "domain.csv", newline="") as file:
            found = [float(row["domain_distance"] or "nan") for row in csv.DictReader(file)]
    distances = np.zeros(len(part))
    distances[part != 0] = found
    return distances


def folds_of(scaffolds):
    """Five folds of whole scaffolds. Molecules of scaffolds with more than a fifth of the molecules are separate."""
    names, group_of, counts = np.unique(scaffolds, return_inverse=True, return_counts=True)
    groups = [np.flatnonzero(group_of == i) for i in range(len(names)) if counts[i] * FOLDS <= len(scaffolds)]
    groups += [np.array([k]) for i in range(len(names)) if counts[i] * FOLDS > len(scaffolds)
               for k in np.flatnonzero(group_of == i)]
    generator, fold_of, filled = np.random.default_rng(0), np.zeros(len(scaffolds), int), np.zeros(FOLDS)
    for group in sorted([groups[i] for i in generator.permutation(len(groups))], key=len, reverse=True):
        fold = int(np.argmin(filled))
        fold_of[group] = fold
        filled[fold] += len(group)
    return fold_of


def ridge(rows, values, queries):
    """Predictions for each penalty."""
    mean, deviation = rows.mean(axis=0), rows.std(axis=0)
    used = deviation > 1e-6
    rows, queries = (rows - mean)[:, used] / deviation[used], (queries - mean)[:, used] / deviation[used]
    count, centre = len(values), values.mean()
    is_dual = rows.shape[1] > count
    eigenvalues, vectors = np.linalg.eigh((rows @ rows.T if is_dual else rows.T @ rows) / count)
    right = vectors.T @ (values - centre if is_dual else rows.T @ (values - centre) / count)
    left = (queries @ rows.T @ vectors / count) if is_dual else queries @ vectors
    return np.array([centre + left @ (right / (np.maximum(eigenvalues, 0) + penalty)) for penalty in PENALTIES])


def kernel_ridge(kernel, values, queries):
    centre = values.mean()
    matrix = kernel.astype(float) + KERNEL_PENALTY * np.eye(len(values))
    return centre + queries @ np.linalg.solve(matrix, values - centre)


def opinions(data, part):
    """by features, by environments, error of the neighbours, spread of the neighbours; for all molecules"""
    train = np.flatnonzero(part == 0)
    values, fold_of = data.values[train], folds_of(data.scaffolds[train])
    by_features, by_environments = np.zeros((len(PENALTIES), len(train))), np.zeros(len(train))
    for fold in range(FOLDS):
        fitted, left = train[fold_of != fold], train[fold_of == fold]
        by_features[:, fold_of == fold] = ridge(data.features[fitted], data.values[fitted], data.features[left])
        by_environments[fold_of == fold] = kernel_ridge(data.similarity[np.ix_(fitted, fitted)], data.values[fitted],
                                                        data.similarity[np.ix_(left, fitted)])
    best = int(np.argmin((np.abs(by_features - values) ** (2 if data.is_class else 1)).mean(axis=1)))
    errors = (np.abs(by_features[best] - values) + np.abs(by_environments - values)) / 2
    similarity = data.similarity[:, train].astype(float)
    nearest = np.argsort(-similarity, axis=1, kind="stable")[:, :NEIGHBOURS]
    weights = np.take_along_axis(similarity, nearest, axis=1) ** 2 + 1e-6
    weights /= weights.sum(axis=1, keepdims=True)
    mean = (weights * values[nearest]).sum(axis=1, keepdims=True)
    return (ridge(data.features[train], values, data.features)[best],
            kernel_ridge(data.similarity[np.ix_(train, train)], values, similarity),
            (weights * errors[nearest]).sum(axis=1),
            np.sqrt((weights * (values[nearest] - mean) ** 2).sum(axis=1)))


def fit_difficulty(terms, errors):
    errors = np.minimum(errors, np.quantile(errors, 0.975))
    columns = np.c_[np.ones(len(terms)), terms]
    scale = np.abs(columns).max(axis=0)
    scale[scale == 0] = 1
    least, fitted = 0.1 * errors.mean(), np.ones(len(errors))
    for _ in range(6):
        coefficients, _ = nnls(columns / scale / fitted[:, None], errors / fitted)
        fitted = np.maximum(columns / scale @ coefficients, least)
    return lambda others: np.maximum(np.c_[np.ones(len(others)), others] / scale @ coefficients, least)


def quantile(scores, coverage):
    rank = int(np.floor((1 - coverage) * (len(scores) + 1) + 1e-9))
    return np.sort(scores)[len(scores) - rank] if rank else np.inf


def interval_measures(terms, errors, calibration, candidates, scaffolds, distances, coverage, widens):
    fold_of, difficulty = folds_of(scaffolds[calibration]), fit_difficulty(terms[calibration], errors[calibration])
    own_terms, own_errors = terms[calibration], errors[calibration]
    scores = np.zeros(len(own_errors))
    for fold in range(FOLDS):
        own = fold_of == fold
        scores[own] = own_errors[own] / fit_difficulty(own_terms[~own], own_errors[~own])(own_terms[own])
    factor, own_distances = quantile(scores, coverage), distances[calibration]
    factors = np.full(np.count_nonzero(candidates), factor)
    if widens:
        limit = np.quantile(own_distances, 1 - FAR_SHARE)
        factors[distances[candidates] >= limit] = max(factor, quantile(scores[own_distances >= limit], coverage))
    expected = difficulty(terms[candidates])
    half, error = factors * expected, errors[candidates]
    far = distances[candidates] >= np.quantile(distances[candidates], 0.8)
    winkler = 2 * half + 2 / (1 - coverage) * np.maximum(error - half, 0)
    return spearmanr(expected, error)[0], winkler.mean(), (error <= half).mean(), (error <= half)[far].mean()


def wrong_class_scores(terms, predicted, is_wrong, calibration, candidates):
    """A logistic regression whose coefficients are not negative: negative ones are left out, one after another."""
    other = np.clip(np.minimum(predicted, 1 - predicted), 1e-3, 0.5)
    columns = np.c_[np.log(other / (1 - other)), terms]
    mean, deviation = columns[calibration].mean(axis=0), columns[calibration].std(axis=0) + 1e-9
    columns = (columns - mean) / deviation
    used = np.ones(columns.shape[1], bool)
    while used.any():
        found = LogisticRegression().fit(columns[calibration][:, used], is_wrong[calibration]).coef_[0]
        if (found >= 0).all():
            return columns[candidates][:, used] @ found
        used[np.flatnonzero(used)[found < 0]] = False
    return np.zeros(np.count_nonzero(candidates))


def judge(arguments, data, part, predicted, uncertainty, coverage, auroc):
    """The measures of bench/second_opinion.py without and with the second opinion."""
    if not hasattr(data, "features"):
        data.features = features_of(arguments, data)
    if getattr(data, "part_of_opinions", None) is not part:
        data.part_of_opinions, data.distances = part, distances_of(arguments, data, part)
        data.opinions = opinions(data, part)
    by_features, by_environments, error, spread = data.opinions
    calibration, candidates = part == 1, part == 2
    old = np.c_[(data.distances,) + (() if np.isnan(uncertainty).any() else (uncertainty,))]
    new = np.c_[old, np.abs(predicted - by_features), np.abs(predicted - by_environments), error, spread]
    if data.is_class:
        is_wrong = (predicted >= 0.5) != (data.values == 1)
        if np.count_nonzero(is_wrong[calibration]) < 5:
            return None
        return [(auroc(wrong_class_scores(terms, predicted, is_wrong, calibration, candidates), is_wrong[candidates]),
                 np.nan, np.nan, np.nan) for terms in (old, new)]
    errors = np.abs(data.values - predicted)
    return [interval_measures(terms, errors, calibration, candidates, data.scaffolds, data.distances, coverage, widens)
            for terms, widens in ((old, False), (new, True))]
