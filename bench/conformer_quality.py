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
ONES = {"gyration": "radius of gyration", "contact": "closest contact", "planarity": "sp2 carbon out of plane"}
LISTS = {"torsions": "torsions of rotatable bonds", "amides": "torsions of amides", "ring_torsions": "torsions of ring bonds",
         "aromatic_torsions": "torsions of aromatic rings", "ring_angles": "angles of rings", "ring_bonds": "lengths of ring bonds"}
SCALES = {column: 1000 if column == "ring_bonds" else 10 for column in LISTS}


def read(path):
    """Returns the rows of each engine, by the number of the molecule."""
    engines = {name: {} for name in (EXACT, *OTHERS)}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            engines[row["engine"]][int(row["row"])] = row
    return engines


def numbers(rows, column):
    return numpy.array([float(row[column] or "nan") for row in rows])


def many(rows, column):
    """The numbers of a column with lists."""
    texts = ";".join(row[column] for row in rows if row[column])
    return numpy.array([int(text) for text in texts.split(";") if text]) / SCALES[column]


def is_made(row):
    return row["made"] == "1"


def speed(engines):
    both = sorted(set(engines[EXACT]) & set(engines["fast"]))
    seconds = {name: numbers([engines[name][number] for number in both], "seconds") for name in (EXACT, "fast")}
    ratios = seconds[EXACT] / seconds["fast"]
    atoms = numbers([engines[EXACT][number] for number in both], "atoms")
    print(f"{len(ratios)} molecules, {atoms.mean():.1f} atoms with hydrogens. The median of the ratios is {numpy.median(ratios):.2f}, "
          f"the 5 % quantile {numpy.quantile(ratios, 0.05):.2f}\n")
    print("| atoms with hydrogens | molecules | RDKit, ms | fast, ms | ratio |\n|---|---|---|---|---|")
    for title, least, most in (("under 30", 0, 30), ("30 to 49", 30, 50), ("50 to 79", 50, 80), ("80 and more", 80, 1e9), ("all", 0, 1e9)):
        chosen = (atoms >= least) & (atoms < most)
        if chosen.any():
            exact, fast = 1e3 * seconds[EXACT][chosen].mean(), 1e3 * seconds["fast"][chosen].mean()
            print(f"| {title} | {chosen.sum()} | {exact:.1f} | {fast:.1f} | {exact / fast:.1f} |")


def table(engines, name):
    """The differences between one engine and RDKit, for the molecules of both, as pairs of a title and a text."""
    numbers_of_both = sorted(set(engines[EXACT]) & set(engines[name]))
    exact_rows, own_rows = ({number: rows[number] for number in numbers_of_both} for rows in (engines[EXACT], engines[name]))
    both = [number for number, row in own_rows.items() if is_made(row) and is_made(exact_rows[number])]
    own, exact = [own_rows[number] for number in both], [exact_rows[number] for number in both]
    yield "molecules with a conformer", f"{sum(map(is_made, own_rows.values()))} of {len(own_rows)} (RDKit: {sum(map(is_made, exact_rows.values()))})"
    lost = [number for number, row in exact_rows.items() if not is_made(row)]
    yield "of them, molecules without a conformer of RDKit", f"{sum(is_made(own_rows[number]) for number in lost)} of {len(lost)}"
    yield ("wrong chiral centres or double bonds",
           f"{sum(row['stereo'] != '1' for row in own_rows.values() if is_made(row))} (RDKit: {sum(row['stereo'] != '1' for row in exact)})")
    difference = numbers(own, "energy") - numbers(exact, "energy")
    refined = [number for number, one in enumerate(difference) if numpy.isfinite(one)]
    difference = difference[refined]
    yield "energy difference, kcal/mol: median", f"{numpy.median(difference):.3f}"
    yield "5, 25, 75 and 95 % quantiles", ", ".join(f"{one:.2f}" for one in numpy.quantile(difference, (0.05, 0.25, 0.75, 0.95)))
    yield "mean", f"{difference.mean():.2f} ± {difference.std() / len(difference)**0.5:.2f}"
    own, exact = [own[number] for number in refined], [exact[number] for number in refined]
    for column, title in ONES.items():
        yield f"{title}: KS statistic", f"{scipy.stats.ks_2samp(numbers(own, column), numbers(exact, column)).statistic:.4f}"
    for column, title in LISTS.items():
        yield f"{title}: KS statistic", f"{scipy.stats.ks_2samp(many(own, column), many(exact, column)).statistic:.4f}"
    for title, value, digits in EXTREMES:
        yield title, f"{value(own):.{digits}f} (RDKit: {value(exact):.{digits}f})"


EXTREMES = (
    ("smallest contact, angstrom", lambda rows: numbers(rows, "contact").min(), 2),
    ("1 % quantile of contacts, angstrom", lambda rows: numpy.quantile(numbers(rows, "contact"), 0.01), 2),
    ("largest distance of an sp2 carbon from its plane, angstrom", lambda rows: numbers(rows, "planarity").max(), 3),
    ("its 99 % quantile", lambda rows: numpy.quantile(numbers(rows, "planarity"), 0.99), 3),
    ("99.9 % quantile of bent aromatic torsions, degrees", lambda rows: numpy.quantile(90 - numpy.abs(90 - many(rows, "aromatic_torsions")), 0.999), 1),
    ("amides twisted by more than 30 degrees, %", lambda rows: 100 * (numpy.abs(90 - many(rows, "amides")) < 60).mean(), 2),
)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=pathlib.Path)
    engines = read(parser.parse_args().table)
    speed(engines)
    print("\n| compared with RDKit under the seed 42 | fast | RDKit, another seed |\n|---|---|---|")
    for (title, fast), (_, other) in zip(table(engines, "fast"), table(engines, "rdkit-other-seed")):
        print(f"| {title} | {fast} | {other} |")


if __name__ == "__main__":
    main()
