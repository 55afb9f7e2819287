#!/usr/bin/env python3
"""Chooses the molecules for bench_conformer_quality: 3,000 random molecules of hiv.csv and lipo.csv, and 500 random
macrocycles and peptides of all files.

    python bench/conformer_molecules.py FOLDER_OF_MOLECULENET MORE.csv ... --out FOLDER

A macrocycle has a ring of at least twelve atoms. A peptide has at least four amide bonds. Molecules that MMFF94 does not
know stay in the lists, and molecules with more than 200 atoms do too. Needs RDKit for Python.
"""

import argparse
import csv
import pathlib
import random

from rdkit import Chem, RDLogger

AMIDE = Chem.MolFromSmarts("[CX3](=O)[NX3]")


def canonical_smiles(path):
    """Returns the different molecules of a file, in the order of the file."""
    with open(path, newline="") as file:
        rows = csv.DictReader(file)
        column = next(name for name in rows.fieldnames if name.lower() in ("smiles", "mol"))
        molecules = (Chem.MolFromSmiles(row[column]) for row in rows)
        return list(dict.fromkeys(Chem.MolToSmiles(molecule) for molecule in molecules if molecule))


def is_macrocycle_or_peptide(smiles):
    molecule = Chem.MolFromSmiles(smiles)
    largest_ring = max((len(ring) for ring in molecule.GetRingInfo().AtomRings()), default=0)
    return largest_ring >= 12 or len(molecule.GetSubstructMatches(AMIDE, maxMatches=4)) >= 4


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("more", nargs="*", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    RDLogger.DisableLog("rdApp.*")
    files = [arguments.folder / f"{name}.csv" for name in ("hiv", "lipo", "bace", "bbbp", "esol")] + arguments.more
    lists = [canonical_smiles(path) for path in files]
    drug_like = random.Random(54).sample(sorted(set(lists[0]) | set(lists[1])), 3000)
    special = [one for one in sorted(set().union(*lists) - set(drug_like)) if is_macrocycle_or_peptide(one)]
    chosen = random.Random(54).sample(special, 500)
    for name, molecules in (("drug-like", drug_like), ("macrocycles-and-peptides", chosen)):
        (arguments.out / f"{name}.smi").write_text("\n".join(molecules) + "\n")
        print(f"{name}: {len(molecules)}")
    print(f"all macrocycles and peptides: {len(special)}")


if __name__ == "__main__":
    main()
