#!/usr/bin/env python3
"""Writes the benchmarks of two published protocols, for specs/bbbp-against-bace.toml and specs/time-splits.toml.

    bench/detection_protocols.py --molecules FOLDER --time-splits FOLDER --out FOLDER
    molgauge experiment specs/bbbp-against-bace.toml --data-path FOLDER --out OUT

Needs rdkit. The benchmarks are DrugOOD JSON files (docs/reference/formats-runs.md).

bbbp-against-bace-1.json to -5.json: the pair BBBP and BACE of the inter-dataset shifts of GOOD-D (Liu and others, WSDM
2023, arXiv:2211.04208) and UB-GOLD (Wang and others, ICLR 2025, arXiv:2406.15523). As in their data_loader.py, a random
90 % of BBBP are for training, the other 10 % are the ID test molecules, and the OOD test molecules are the first
molecules of BACE, as many as ID test molecules. There are five random splits. Differences: a tenth of the training
molecules are validation molecules, which set thresholds. Molecules with the same canonical SMILES count once, and the
other molecules of BACE are in ood_val. Only methods that are trained on OOD molecules use ood_val. The two publications
have no such methods.

time-TARGET.json: the simulated time splits of SIMPD (Landrum and others, J. Cheminform. 2023). The molecules of the
split `train` are in-distribution: 20 % of them are the ID test molecules, and 10 % are validation molecules. The
molecules of the split `test` are later and count as OOD: a random half of them are the OOD test molecules. The other half
is in ood_val, for methods that are trained on OOD molecules. In practice, later molecules do not exist yet, so the results of these
methods show an upper limit.
"""

import argparse
import csv
import json
import pathlib
import random
import statistics


def canonical(smiles):
    from rdkit import Chem
    molecule = Chem.MolFromSmiles(smiles)
    return None if molecule is None else Chem.MolToSmiles(molecule)


def read(path, label_column):
    """Returns the rows of a table, as (smiles, value, split). Rows with an earlier canonical SMILES, and rows that RDKit
    cannot read, are left out.
    """
    rows, seen = [], set()
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            identity = canonical(row["smiles"])
            if identity and identity not in seen:
                seen.add(identity)
                rows.append((row["smiles"], float(row[label_column]), row.get("split", "")))
    return rows, seen


def write(path, parts, threshold):
    """Writes a benchmark. `parts` maps the names of the five lists to rows of read()."""
    split = {name: [{"smiles": smiles, "reg_label": value, "assay_id": 0, "cls_label": int(value >= threshold),
                     "domain_id": 0} for smiles, value, _ in rows] for name, rows in parts.items()}
    path.write_text(json.dumps({"cfg": {"algorithm": "drugood"}, "split": split,
                                "statistics": {"thr_for_cls": threshold}}))
    print(path.name, {name: len(rows) for name, rows in parts.items()})


def bbbp_against_bace(molecules, out):
    own, known = read(molecules / "bbbp.csv", "p_np")
    other, _ = read(molecules / "bace.csv", "Class")
    other = [row for row in other if canonical(row[0]) not in known]
    for split in range(1, 6):
        order = own[:]
        random.Random(split).shuffle(order)
        train = len(order) * 9 // 10
        validation = train // 10
        test = order[train:]
        write(out / f"bbbp-against-bace-{split}.json",
              {"train": order[validation:train], "iid_val": order[:validation], "iid_test": test,
               "ood_val": other[len(test):], "ood_test": other[:len(test)]}, 0.5)


def time_splits(folder, out):
    for path in sorted(folder.glob("CHEMBL*.csv")):
        rows, _ = read(path, "y")
        early = [row for row in rows if row[2] == "train"]
        late = [row for row in rows if row[2] == "test"]
        random.Random(1).shuffle(early)
        random.Random(2).shuffle(late)
        test, validation, half = len(early) // 5, len(early) // 10, len(late) // 2
        write(out / f"time-{path.stem}.json",
              {"train": early[test + validation:], "iid_val": early[test:test + validation], "iid_test": early[:test],
               "ood_val": late[half:], "ood_test": late[:half]}, statistics.median(row[1] for row in early))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--molecules", type=pathlib.Path, help="folder of bbbp.csv and bace.csv")
    parser.add_argument("--time-splits", type=pathlib.Path, help="folder of CHEMBL*.csv with the columns smiles, y, split")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.molecules:
        bbbp_against_bace(arguments.molecules, arguments.out)
    if arguments.time_splits:
        time_splits(arguments.time_splits, arguments.out)


if __name__ == "__main__":
    main()
