#!/usr/bin/env python3
"""Measures `molgauge domain` on public sets, for the tables of docs/results/domain.md.

    bench/domain_table.py --molgauge build/release/bin/molgauge --molecules FOLDER [--weights W] [--seeds 10]
        [--sets bace,bbbp,...] [--methods combined,knn,...] [--standardize parent,none] [--markdown FILE] [--json FILE]

FOLDER contains a CSV file of each set, with a column `smiles`. From a set of more than 5,000 molecules, 2,000 are used.
They are drawn once. For every seed and set, a random 80 % of the set is TRAIN. The candidates are the other fifth, 500
molecules of each other set, and twelve molecules that are unlike any drug (ABSURD).

- AUROC: domain_distance of the 500 molecules against the held-out fifth.
- False alarms: the share of the held-out fifth that is outside (level 0.01), and that is not inside (level 0.05).
- Detection: the share of the 500 molecules, and of the twelve, that is outside. The same shares without the ranges
  (domain_p_value <= 0.01) are in FILE.
- Analogues: with --analogues N, all molecules of bace and lipo are TRAIN, and the candidates are N analogues of each
  of the 150 molecules with the lowest Tanimoto similarity to another one. An analogue has one more CH3, C2H5, F, Cl,
  OH or OCH3. This part needs the package rdkit.
- Several methods: their AUROC under a leave-one-set-out choice of the method (bench/domain_choice.py).

FILE of --json keeps the result of each seed, so an interrupted measurement continues. `--methods all` stands for all
methods.
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

import domain_choice

SETS = ["bace", "bbbp", "esol", "lipo", "hiv"]
FOREIGN, LARGEST, DRAWN = 500, 5000, 2000
OUTSIDE, BORDERLINE = 0.01, 0.05
ISOLATED = 150
METHODS = ["combined", "knn", "tanimoto", "rarity", "coverage", "mahalanobis", "density"]
#: Table salt, methane, cisplatin, ferrocene, water, hydrogen, sulfuric acid, octacosane, perfluorobutane, silane,
#: mercury and glucose.
ABSURD = ["[Na+].[Cl-]", "C", "N.N.[Cl-].[Cl-].[Pt+2]", "[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1", "O", "[H][H]", "OS(=O)(=O)O",
          "C" * 28, "FC(F)(F)C(F)(F)C(F)(F)C(F)(F)F", "[SiH4]", "[Hg]", "OCC1OC(O)C(O)C(O)C1O"]


def read_smiles(folder, names=SETS):
    sets = {}
    for name in names:
        with open(folder / f"{name}.csv", newline="") as file:
            sets[name] = [row["smiles"] for row in csv.DictReader(file)]
        if len(sets[name]) > LARGEST:
            sets[name] = random.Random(0).sample(sets[name], DRAWN)
    return sets


def write(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["smiles", "side"])
        writer.writerows(rows)


def auroc(inner, outer):
    """Returns the share of the pairs (inner molecule, outer molecule) in which the outer molecule scores higher. Ties
    count half.
    """
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


def share(values, condition):
    return sum(map(condition, values)) / len(values)


def judge(arguments, work, train, candidates, method, standardize):
    """Runs `molgauge domain` and returns the readable rows of its table. Both lists contain (SMILES, name of a group)."""
    write(work / "train.csv", train)
    write(work / "candidates.csv", candidates)
    command = [arguments.molgauge, "domain", work / "train.csv", work / "candidates.csv", "--out", work / "domain.csv",
               "--store", arguments.store or work / "store", "--method", method, "--page-rows", 0,
               "--encoder", arguments.encoder, "--threads", arguments.threads, "--quiet"]
    if standardize:
        command += ["--standardize", standardize]
    if arguments.weights:
        command += ["--weights", arguments.weights]
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    with open(work / "domain.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row["domain"] != "unreadable"]


def run(arguments, work, name, sets, seed, method, standardize):
    """Returns the AUROC and the detection for each other set, the false alarms at both levels, and the detection and the
    false alarms without the ranges.
    """
    order = list(sets[name])
    random.Random(seed).shuffle(order)
    cut = len(order) * 4 // 5
    train, held = order[:cut], order[cut:]
    rows = [(smiles, name) for smiles in held] + [(smiles, "absurd") for smiles in ABSURD]
    others = [other for other in sets if other != name]
    for other in others:
        rows += [(smiles, other) for smiles in random.Random(1000 + seed).sample(sets[other], FOREIGN)]
    scores, p_values, verdicts = {}, {}, {}
    for row in judge(arguments, work, [(smiles, name) for smiles in train], rows, method, standardize):
        scores.setdefault(row["side"], []).append(float(row["domain_distance"]))
        p_values.setdefault(row["side"], []).append(float(row["domain_p_value"]))
        verdicts.setdefault(row["side"], []).append(row["domain"])
    aurocs = {other: auroc(scores[name], scores[other]) for other in others}
    detected = {other: share(verdicts[other], lambda verdict: verdict == "outside") for other in others + ["absurd"]}
    alarms = [share(verdicts[name], lambda verdict: verdict == "outside"),
              share(verdicts[name], lambda verdict: verdict != "inside")]
    by_distance = {other: share(p_values[other], lambda p: p <= OUTSIDE) for other in others + ["absurd"]}
    alarms_by_distance = [share(p_values[name], lambda p, level=level: p <= level) for level in (OUTSIDE, BORDERLINE)]
    return aurocs, detected, alarms, by_distance, alarms_by_distance


def analogues_of(molecule, count):
    """Returns SMILES of at most `count` analogues of an RDKit molecule, drawn from all of them."""
    from rdkit import Chem

    found = set()
    for atom in molecule.GetAtoms():
        if atom.GetAtomicNum() != 6 or atom.GetTotalNumHs() == 0:
            continue
        for group in ("C", "CC", "F", "Cl", "O", "OC"):
            joined = Chem.RWMol(Chem.CombineMols(molecule, Chem.MolFromSmiles(group)))
            joined.AddBond(atom.GetIdx(), molecule.GetNumAtoms(), Chem.BondType.SINGLE)
            if Chem.SanitizeMol(joined, catchErrors=True) == Chem.SanitizeFlags.SANITIZE_NONE:
                found.add(Chem.MolToSmiles(joined))
    return random.Random(0).sample(sorted(found), min(count, len(found)))


def isolated(molecules):
    """Returns the molecules with the lowest Tanimoto similarity to another one. Equal fingerprints, such as those of
    stereoisomers, are one molecule.
    """
    from rdkit import DataStructs
    from rdkit.Chem import rdFingerprintGenerator

    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=4096)
    prints = [generator.GetCountFingerprint(molecule) for molecule in molecules]
    nearest = [max(similarity for similarity in DataStructs.BulkTanimotoSimilarity(own, prints) if similarity < 1)
               for own in prints]
    order = sorted(range(len(molecules)), key=lambda place: nearest[place])
    return [molecules[place] for place in order[:ISOLATED]]


def analogues_table(arguments, work, sets):
    from rdkit import Chem, RDLogger

    RDLogger.DisableLog("rdApp.*")
    cells = {}
    for name in ("bace", "lipo"):
        molecules = isolated([Chem.MolFromSmiles(smiles) for smiles in sets[name]])
        candidates = [(smiles, name) for molecule in molecules for smiles in analogues_of(molecule, arguments.analogues)]
        rows = judge(arguments, work, [(smiles, name) for smiles in sets[name]], candidates, "combined", "")
        counts = [sum(row["domain"] == verdict for row in rows) for verdict in ("outside", "borderline")]
        cells[name] = [str(len(rows)), *(f"{count} ({100 * count / len(rows):.1f} %)" for count in counts)]
    return table("Analogues of isolated molecules", ["analogues", "outside", "borderline"], cells)


def mean(values):
    return sum(values) / len(values)


def table(title, columns, rows):
    """Returns a Markdown table. `rows` maps a training set to its cells."""
    lines = [title, "", "| training set | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join(cells) + " |" for name, cells in rows.items()]
    return "\n".join(lines) + "\n\n"


def tables(results, seeds, method, standardize, seconds):
    """Returns the Markdown tables of one method. `results` maps a training set to the list of the results of run(),
    one for each seed.
    """
    names = list(results)
    auroc_of = {name: {other: mean([r[0][other] for r in runs]) for other in names if other != name}
                for name, runs in results.items()}
    found = {name: {side: mean([r[1][side] for r in runs]) for side in names + ["absurd"] if side != name}
             for name, runs in results.items()}
    values = [value for row in auroc_of.values() for value in row.values()]
    shares = [row[other] for row in found.values() for other in names if other in row]
    by_distance = [mean([r[3][other] for r in runs]) for name, runs in results.items() for other in names if other != name]
    alarms = [100 * mean([r[i][level] for runs in results.values() for r in runs]) for i in (2, 4) for level in range(2)]
    heading = (f"`--method {method}`" + (f" `--standardize {standardize}`" if standardize else "") +
               f", mean of {seeds} seeds ({seconds:.0f} s): mean AUROC {mean(values):.3f}, least {min(values):.3f}, "
               f"mean detection {mean(shares):.3f}, mean false alarms {alarms[0]:.2f} % and {alarms[1]:.2f} % "
               f"(without the ranges {mean(by_distance):.3f}, {alarms[2]:.2f} % and {alarms[3]:.2f} %)\n\n")
    return heading + table("AUROC", names, {
        name: [f"{auroc_of[name][other]:.3f}" if other != name else "" for other in names] for name in names
    }) + table("Share that is outside, and false alarms", names + ["absurd", "false alarms at 0.01", "at 0.05"], {
        name: [f"{found[name][side]:.2f}" if side != name else "" for side in names + ["absurd"]] +
              [f"{100 * mean([r[2][i] for r in results[name]]):.2f} %" for i in range(2)] for name in names})


def argument_parser(description):
    """The options of every script that measures the domain verb."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--molgauge", default="build/release/bin/molgauge")
    parser.add_argument("--molecules", type=pathlib.Path, required=True)
    parser.add_argument("--weights")
    parser.add_argument("--store")
    parser.add_argument("--threads", type=int, default=0, help="threads of molgauge, 0 for all")
    return parser


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--encoder", default="minimol")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sets", default=",".join(SETS), help="names of the files in FOLDER without .csv, separated by commas")
    parser.add_argument("--methods", default="combined", help="methods, separated by commas, or all")
    parser.add_argument("--standardize", default="", help="values of the option, separated by commas")
    parser.add_argument("--analogues", type=int, default=0, metavar="N", help="analogues of each isolated molecule")
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path, help="file of the results of each seed, read and continued")
    arguments = parser.parse_args()
    sets = read_smiles(arguments.molecules, arguments.sets.split(","))
    methods = METHODS if arguments.methods == "all" else arguments.methods.split(",")
    done = json.loads(arguments.json.read_text()) if arguments.json and arguments.json.exists() else {}
    text = ""
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for standardize in arguments.standardize.split(","):
            aurocs = {}
            for method in methods:
                started = time.time()
                results = {}
                for name in sets:
                    results[name] = []
                    for seed in range(arguments.seeds):
                        key = " ".join([arguments.encoder, standardize or "default", method, name, str(seed)])
                        if key not in done:
                            done[key] = run(arguments, work, name, sets, seed, method, standardize)
                            if arguments.json:
                                arguments.json.write_text(json.dumps(done, indent=0))
                        results[name].append(done[key])
                    print(f"{method} {standardize} {name}: done", file=sys.stderr, flush=True)
                text += tables(results, arguments.seeds, method, standardize, time.time() - started)
                aurocs[method] = {(name, other): [one[0][other] for one in runs] for name, runs in results.items()
                                  for other in sets if other != name}
            if len(methods) > 1:
                default = "combined" if "combined" in methods else methods[0]
                text += (f"Leave-one-set-out choice, {standardize or 'default'} form, {arguments.seeds} seeds\n\n" +
                         domain_choice.table(aurocs, default) + "\n")
        if arguments.analogues:
            text += analogues_table(arguments, work, sets)
    print(text)
    if arguments.markdown:
        arguments.markdown.write_text(text)


if __name__ == "__main__":
    main()
