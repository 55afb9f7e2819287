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
    """Returns the rows of each engine, by the number of the molecule. Incomplete molecules are left out."""
    engines = {name: {} for name in (EXACT, *OTHERS)}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            engines[row["engine"]][int(row["row"])] = row
    complete = set.intersection(*(set(rows) for rows in engines.values()))
    return {name: {number: rows[number] for number in sorted(complete)} for name, rows in engines.items()}


def numbers(rows, column):
    return numpy.array([float(row[column] or "nan") for row in rows])


def many(rows, column):
    """The numbers of a column with lists."""
    texts = ";".join(row[column] for row in rows if row[column])
    return numpy.array([int(text) for text in texts.split(";") if text]) / SCALES[column]


def is_made(row):
    return row["made"] == "1"


def speed(engines):
    seconds = {name: numbers(rows.values(), "seconds") for name, rows in engines.items()}
    ratios = seconds[EXACT] / seconds["fast"]
    atoms = numbers(engines[EXACT].values(), "atoms")
    print(f"{len(ratios)} molecules, {atoms.mean():.1f} atoms with hydrogens. The median of the ratios is {numpy.median(ratios):.2f}, "
          f"the 5 % quantile {numpy.quantile(ratios, 0.05):.2f}\n")
    print("| atoms with hydrogens | molecules | RDKit, ms | fast, ms | ratio |\n|---|---|---|---|---|")
    for title, least, most in (("under 30", 0, 30), ("30 to 49", 30, 50), ("50 to 79", 50, 80), ("80 and more", 80, 1e9), ("all", 0, 1e9)):
        chosen = (atoms >= least) & (atoms < most)
        if chosen.any():
            exact, fast = 1e3 * seconds[EXACT][chosen].mean(), 1e3 * seconds["fast"][chosen].mean()
            print(f"| {title} | {chosen.sum()} | {exact:.1f} | {fast:.1f} | {exact / fast:.1f} |")


def table(engines, name):
    """The differences between one engine and RDKit, as pairs of a title and a text."""
    exact_rows, own_rows = engines[EXACT], engines[name]
    both = [number for number, row in own_rows.items() if is_made(row) and is_made(exact_rows[number])]
    own, exact = [own_rows[number] for number in both], [exact_rows[number] for number in both]
    yield f"molecules with a conformer, of {len(own_rows)} (RDKit: {sum(map(is_made, exact_rows.values()))})", f"{sum(map(is_made, own_rows.values()))}"
    lost = [number for number, row in exact_rows.items() if not is_made(row)]
    yield f"molecules with a conformer, of {len(lost)} without one of RDKit", f"{sum(is_made(own_rows[number]) for number in lost)}"
    yield (f"wrong chiral centres or double bonds (RDKit: {sum(row['stereo'] != '1' for row in exact)})",
           f"{sum(row['stereo'] != '1' for row in own_rows.values() if is_made(row))}")
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
    yield f"smallest contact, angstrom (RDKit: {numbers(exact, 'contact').min():.2f})", f"{numbers(own, 'contact').min():.2f}"
    yield f"1 % quantile of contacts (RDKit: {numpy.quantile(numbers(exact, 'contact'), 0.01):.2f})", f"{numpy.quantile(numbers(own, 'contact'), 0.01):.2f}"
    yield (f"largest distance of an sp2 carbon from its plane, angstrom (RDKit: {numbers(exact, 'planarity').max():.3f})",
           f"{numbers(own, 'planarity').max():.3f}")
    yield (f"largest torsion angle of an aromatic ring (RDKit: {many(exact, 'aromatic_torsions').max():.1f})",
           f"{many(own, 'aromatic_torsions').max():.1f}")
    twisted = [(numpy.abs(90 - many(rows, "amides")) < 60).mean() for rows in (own, exact)]
    yield f"amides twisted by more than 30 degrees (RDKit: {100 * twisted[1]:.2f} %)", f"{100 * twisted[0]:.2f} %"


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
