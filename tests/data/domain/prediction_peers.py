#!/usr/bin/env python3
"""Makes prediction_peers.json: results of crepes and venn-abers for synthetic predictions.

    python3 -m venv venv && venv/bin/pip install crepes==0.9.0 venn-abers==1.5.4
    venv/bin/python tests/data/domain/prediction_peers.py tests/data/domain/prediction_peers.json
"""

import json
import sys
import warnings

import numpy as np
from crepes import ConformalClassifier, ConformalRegressor
from venn_abers import VennAbers

warnings.filterwarnings("ignore")


def finite(rows):
    return [[None if not np.isfinite(number) else float(number) for number in row] for row in rows]


def intervals(rng, count, coverage):
    residuals, sigmas = rng.normal(0, 1, count), rng.uniform(0.2, 2, count)
    predictions, test_sigmas = rng.normal(0, 3, 20), rng.uniform(0.2, 2, 20)
    bins, test_bins = rng.integers(0, 3, count), rng.integers(0, 3, 20)
    bins[:3] = [0, 1, 2]
    case = {"coverage": coverage, "residuals": residuals.tolist(), "sigmas": sigmas.tolist(), "bins": bins.tolist(),
            "predictions": predictions.tolist(), "test_sigmas": test_sigmas.tolist(), "test_bins": test_bins.tolist()}
    plain = ConformalRegressor().fit(residuals)
    case["constant"] = finite(plain.predict_int(predictions, confidence=coverage))
    scaled = ConformalRegressor().fit(residuals, sigmas=sigmas)
    case["normalised"] = finite(scaled.predict_int(predictions, sigmas=test_sigmas, confidence=coverage))
    grouped = ConformalRegressor().fit(residuals, sigmas=sigmas, bins=bins)
    case["mondrian"] = finite(grouped.predict_int(predictions, sigmas=test_sigmas, bins=test_bins,
                                                  confidence=coverage))
    return case


def classes(rng, count, coverage, digits):
    labels = (rng.uniform(size=count) < 0.4).astype(int)
    labels[:2] = [0, 1]
    probabilities = np.round(np.clip(0.35 + 0.3 * labels + rng.normal(0, 0.25, count), 0, 1), digits)
    test = np.round(np.concatenate([rng.uniform(size=16), [0.0, 1.0], probabilities[:6]]), digits)
    pairs = np.column_stack([1 - probabilities, probabilities])
    test_pairs = np.column_stack([1 - test, test])
    alphas = 1 - pairs[np.arange(count), labels]
    classifier = ConformalClassifier().fit(alphas, bins=labels)
    p_values = np.column_stack([
        classifier.predict_p((1 - test_pairs)[:, label], bins=np.full(len(test), label), smoothing=False)
        for label in (0, 1)])
    sets = (p_values >= 1 - coverage).astype(int)
    calibrator = VennAbers()
    calibrator.fit(pairs, labels)
    merged, both = calibrator.predict_proba(test_pairs)
    return {"coverage": coverage, "labels": labels.tolist(), "probabilities": probabilities.tolist(),
            "test": test.tolist(), "p_values": p_values.tolist(), "sets": sets.tolist(), "p0_p1": both.tolist(),
            "merged": merged[:, 1].tolist()}


def main():
    rng = np.random.default_rng(31)
    result = {"crepes": "0.9.0", "venn_abers": "1.5.4",
              "intervals": [intervals(rng, count, coverage)
                            for count in (9, 10, 19, 57, 199) for coverage in (0.8, 0.9, 0.95)],
              "classes": [classes(rng, count, coverage, digits)
                          for count in (4, 20, 150) for coverage in (0.8, 0.9) for digits in (2, 12)]}
    with open(sys.argv[1], "w") as file:
        json.dump(result, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
