#!/usr/bin/env python3
"""Makes tables from the output of bench_conformer_quality: conformers of the fast engine and of RDKit under another
seed, both compared with RDKit under the seed of `molgauge conformers`.

    build/release/bin/bench_conformer_quality molecules.smi > quality.csv
    python bench/conformer_quality.py quality.csv

Needs NumPy and SciPy.
"""

import argparse
import csv
import pathlib

import numpy
import scipy.stats

EXACT, OTHERS = "rdkit", ("fast", "rdkit-other-seed")


def read(path):
    """Returns the rows of each engine, by the number of the molecule. Incomplete molecules are left out."""
    engines = {name: {} for name in (EXACT, *OTHERS)}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            engines[row["engine"]][int(row["row"])] = row
    complete = set.intersection(*(set(rows) for rows in engines.values()))
    return {name: {number: rows[number] for number in sorted(complete)} for name, rows in engines.items()}


def numbers(rows, column):
    return numpy.array([float(row[column] or "nan") for row in rows])


def angles(rows, column):
    texts = ";".join(row[column] for row in rows if row[column])
    return numpy.array([int(text) / 10 for text in texts.split(";") if text])


def speed(engines):
    seconds = {name: numbers(rows.values(), "seconds") for name, rows in engines.items()}
    ratios = seconds[EXACT] / seconds["fast"]
    return (f"{len(ratios)} molecules, {numbers(engines[EXACT].values(), 'atoms').mean():.1f} atoms with hydrogens. "
            f"CPU time per molecule: RDKit {1e3 * seconds[EXACT].mean():.1f} ms, fast {1e3 * seconds['fast'].mean():.1f} ms. "
            f"Ratio of the sums {seconds[EXACT].sum() / seconds['fast'].sum():.2f}, median ratio {numpy.median(ratios):.2f}, "
            f"5 % quantile {numpy.quantile(ratios, 0.05):.2f}")


def table(engines, name):
    """The differences between one engine and RDKit, as pairs of a title and a text."""
    both = [number for number, row in engines[name].items() if row["made"] == "1" and engines[EXACT][number]["made"] == "1"]
    own, exact = [engines[name][number] for number in both], [engines[EXACT][number] for number in both]
    made = [row for row in engines[name].values() if row["made"] == "1"]
    yield "conformers", f"{len(made)} of {len(engines[name])} (RDKit {sum(row['made'] == '1' for row in engines[EXACT].values())})"
    yield "wrong stereochemistry", f"{sum(row['stereo'] != '1' for row in made)} (RDKit {sum(row['stereo'] != '1' for row in exact)})"
    difference = numbers(own, "energy") - numbers(exact, "energy")
    difference = difference[numpy.isfinite(difference)]
    quantiles = numpy.quantile(difference, (0.05, 0.25, 0.5, 0.75, 0.95))
    yield "energy difference, kcal/mol: 5, 25, 50, 75, 95 % quantiles", ", ".join(f"{one:.3f}" for one in quantiles)
    yield "mean energy difference, kcal/mol", f"{difference.mean():.3f} +- {difference.std() / len(difference)**0.5:.3f}"
    for title, column in (("radius of gyration", "gyration"), ("closest contact", "contact"), ("sp2 carbon out of plane", "planarity")):
        test = scipy.stats.ks_2samp(numbers(own, column), numbers(exact, column))
        yield f"{title}: KS statistic", f"{test.statistic:.4f}, p = {test.pvalue:.3f}"
    yield "smallest contact, angstrom", f"{numbers(own, 'contact').min():.3f} (RDKit {numbers(exact, 'contact').min():.3f})"
    yield "largest sp2 carbon out of plane, angstrom", f"{numbers(own, 'planarity').max():.3f} (RDKit {numbers(exact, 'planarity').max():.3f})"
    for title, column in (("torsions", "torsions"), ("amides", "amides")):
        test = scipy.stats.ks_2samp(angles(own, column), angles(exact, column))
        yield f"{title}: KS statistic", f"{test.statistic:.4f}, p = {test.pvalue:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=pathlib.Path)
    engines = read(parser.parse_args().table)
    print(speed(engines))
    for name in OTHERS:
        print(f"\n{name} compared with rdkit")
        for title, text in table(engines, name):
            print(f"  {title}: {text}")


if __name__ == "__main__":
    main()
