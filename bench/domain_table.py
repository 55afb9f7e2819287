#!/usr/bin/env python3
"""How well `headroom domain` tells foreign molecules from held-out ones: the tables of docs/domain.md.

    bench/domain_table.py --headroom build/release/bin/headroom --molecules FOLDER [--weights W] [--seeds 10]
        [--methods combined,knn,...] [--markdown FILE]

FOLDER holds bace.csv, bbbp.csv, esol.csv, lipo.csv and hiv.csv (of hiv 2,000 molecules, drawn once, are used). For
every seed and set: a random 80 % is TRAIN; candidates are the other fifth and 500 molecules of each other set. AUROC:
of domain_distance, 500 foreign molecules against the held-out fifth, molecules that are in TRAIN too counting as they
come. False alarms: the share of the held-out fifth with domain_p_value <= 0.05. No package is needed.
"""

import argparse
import csv
import pathlib
import random
import subprocess
import sys
import tempfile
import time

SETS = ["bace", "bbbp", "esol", "lipo", "hiv"]
FOREIGN, LEVEL, HIV = 500, 0.05, 2000


def read_smiles(folder):
    sets = {}
    for name in SETS:
        with open(folder / f"{name}.csv", newline="") as file:
            sets[name] = [row["smiles"] for row in csv.DictReader(file)]
    sets["hiv"] = random.Random(0).sample(sets["hiv"], HIV)
    return sets


def write(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["smiles", "side"])
        writer.writerows(rows)


def auroc(inner, outer):
    """The share of pairs in which the outer one scores higher; ties count half."""
    ranked = sorted([(score, 0) for score in inner] + [(score, 1) for score in outer])
    wins, below, i = 0.0, 0, 0
    while i < len(ranked):
        j = i
        while j < len(ranked) and ranked[j][0] == ranked[i][0]:
            j += 1
        inner_here = sum(1 for score, side in ranked[i:j] if side == 0)
        wins += (j - i - inner_here) * (below + inner_here / 2)
        below += inner_here
        i = j
    return wins / len(inner) / len(outer)


def run(arguments, work, name, sets, seed, method):
    order = list(sets[name])
    random.Random(seed).shuffle(order)
    cut = len(order) * 4 // 5
    train, held = order[:cut], order[cut:]
    rows = [(smiles, name) for smiles in held]
    for other in SETS:
        if other != name:
            rows += [(smiles, other) for smiles in random.Random(1000 + seed).sample(sets[other], FOREIGN)]
    write(work / "train.csv", [(smiles, name) for smiles in train])
    write(work / "candidates.csv", rows)
    command = [arguments.headroom, "domain", work / "train.csv", work / "candidates.csv", "--out", work / "domain.csv",
               "--store", arguments.store or work / "store", "--method", method, "--seed", seed, "--page-rows", 0,
               "--encoder", arguments.encoder, "--quiet"]
    if arguments.weights:
        command += ["--weights", arguments.weights]
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    scores, p_values = {}, []
    with open(work / "domain.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["domain"] == "unreadable":
                continue
            scores.setdefault(row["side"], []).append(float(row["domain_distance"]))
            if row["side"] == name:
                p_values.append(float(row["domain_p_value"]))
    aurocs = {other: auroc(scores[name], scores[other]) for other in SETS if other != name}
    return aurocs, sum(p <= LEVEL for p in p_values) / len(p_values)


def argument_parser(description):
    """What every script that measures the domain verb takes."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", default="build/release/bin/headroom")
    parser.add_argument("--molecules", type=pathlib.Path, required=True)
    parser.add_argument("--weights")
    parser.add_argument("--store")
    return parser


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--encoder", default="minimol")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--methods", default="combined")
    parser.add_argument("--markdown", type=pathlib.Path)
    arguments = parser.parse_args()
    sets = read_smiles(arguments.molecules)
    text = ""
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for method in arguments.methods.split(","):
            started = time.time()
            table, alarms = {}, {}
            for name in SETS:
                results = [run(arguments, work, name, sets, seed, method) for seed in range(arguments.seeds)]
                table[name] = {other: sum(r[0][other] for r in results) / len(results) for other in SETS if other != name}
                alarms[name] = sum(r[1] for r in results) / len(results)
                print(f"{method} {name}: {table[name]}, false alarms {alarms[name]:.4f}", file=sys.stderr, flush=True)
            values = [value for row in table.values() for value in row.values()]
            text += f"\n`--method {method}`: mean AUROC {sum(values) / len(values):.3f}, least {min(values):.3f}"
            text += f" (mean of {arguments.seeds} seeds; {time.time() - started:.0f} s)\n\n"
            text += "| training set | " + " | ".join(SETS) + " | false alarms |\n|---" * 1 + "|---" * len(SETS) + "|---|\n"
            for name in SETS:
                cells = [f"{table[name][other]:.3f}" if other != name else "" for other in SETS]
                text += f"| {name} | " + " | ".join(cells) + f" | {100 * alarms[name]:.1f} % |\n"
            print(text, flush=True)
    if arguments.markdown:
        arguments.markdown.write_text(text)


if __name__ == "__main__":
    main()
