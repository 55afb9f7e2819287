#!/usr/bin/env python3
"""Prints the tables of docs/results/detection.md from the folder of a matrix.

    bench/detection_tables.py OUT [--over-benchmarks]

OUT is the folder of `molgauge experiment`. A row shows the mean and the sample standard deviation of the test AUROC over
the runs, and in parentheses the mean validation AUROC. With --over-benchmarks, the benchmarks of an encoder form one
column, for matrices whose benchmarks are splits or targets. Prints the mean number of epochs of each method, too. No
package is needed.
"""

import argparse
import csv
import pathlib
import statistics


def numbers(cells, column):
    return [float(cell[column]) for cell in cells if cell[column] not in ("", "nan")]


def cell_text(cells):
    aurocs, validation = numbers(cells, "auroc"), numbers(cells, "validation_auroc")
    spread = statistics.stdev(aurocs) if len(aurocs) > 1 else 0.0
    text = f"{statistics.mean(aurocs):.4f} ± {spread:.4f}"
    return text + (f" ({statistics.mean(validation):.3f})" if validation else "")


def table(cells, over_benchmarks):
    columns = list(dict.fromkeys(
        (None if over_benchmarks else cell["benchmark"], cell["encoder"]) for cell in cells))
    titles = [encoder if benchmark is None else f"{benchmark}, {encoder}" for benchmark, encoder in columns]
    lines = [f"| method | {' | '.join(titles)} | epochs |", "|---" * (len(columns) + 2) + "|"]
    for method in dict.fromkeys(cell["method"] for cell in cells):
        own = [cell for cell in cells if cell["method"] == method]
        texts = []
        for benchmark, encoder in columns:
            part = [cell for cell in own if cell["encoder"] == encoder and benchmark in (None, cell["benchmark"])]
            texts.append(cell_text(part) if part else "")
        lines.append(f"| {method} | {' | '.join(texts)} | {statistics.mean(numbers(own, 'epochs_run')):.0f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrix", type=pathlib.Path)
    parser.add_argument("--over-benchmarks", action="store_true")
    arguments = parser.parse_args()
    with open(arguments.matrix / "cells.csv", newline="") as file:
        cells = [cell for cell in csv.DictReader(file) if cell["auroc"]]
    print(table(cells, arguments.over_benchmarks))


if __name__ == "__main__":
    main()
