#!/usr/bin/env python3
"""Compares the graph that `molgauge pocket build` makes from an RNA without hydrogens with the System of OpenMM.

    python -m venv venv && venv/bin/pip install openmm numpy
    venv/bin/python bench/peers/pocket_structures.py build/release/bin/molgauge RNA.pdb

RNA.pdb is any PDB file with one chain of standard RNA. The script removes its hydrogens, waters and ions, and
puts an ion next to it as its ligand. Molgauge makes the graph of the complete chain with openmm's
amber14/RNA.OL3.xml. OpenMM reads the same heavy atoms, adds hydrogens and makes a System with the same file.
For each residue and atom, the script compares charges, elements and masses. It also compares every bond,
angle and torsion between heavy atoms, and the Lennard-Jones coefficients of all pairs within 4 A. It also
measures how far the hydrogens that Molgauge adds are from the original hydrogens of the input.
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import numpy as np
from pocket_graphs import CUTOFF, read_safetensors

NAMES = {"GUA": "G", "ADE": "A", "CYT": "C", "URA": "U", "URI": "U"}
ATOMS = {"O1P": "OP1", "O2P": "OP2", "H5T": "HO5'", "H3T": "HO3'"}


def read_chain(path):
    """[(residue name, [(atom name, position, is hydrogen)])]"""
    residues = []
    last = None
    for line in path.read_text().splitlines():
        if not line.startswith("ATOM"):
            continue
        name, residue, number = line[12:16].strip(), line[17:20].strip(), line[22:26]
        residue = NAMES.get(residue, residue)
        if residue not in "ACGU":
            continue
        if number != last:
            residues.append((residue, []))
            last = number
        name = ATOMS.get(name, name).replace("*", "'")
        position = [float(line[i : i + 8]) for i in (30, 38, 46)]
        residues[-1][1].append((name, position, name.lstrip("0123456789").startswith("H")))
    return residues


def write_pdb(path, residues, with_ligand):
    lines, serial = [], 0
    for number, (residue, atoms) in enumerate(residues, 1):
        for name, position, is_hydrogen in atoms:
            if is_hydrogen or (number == 1 and name in ("P", "OP1", "OP2")):
                continue
            serial += 1
            lines.append(
                "ATOM  %5d  %-3s %3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s"
                % (serial, name, residue, number, *position, name[0])
            )
    lines.append("TER")
    if with_ligand:
        centre = np.mean([p for _, atoms in residues for _, p, _ in atoms], axis=0)
        lines.append("HETATM%5d MG    MG B   1    %8.3f%8.3f%8.3f  1.00  0.00          MG" % (serial + 2, *centre))
    path.write_text("\n".join(lines + ["END", ""]))


def template_atoms(force_field):
    return {
        residue.get("name"): [atom.get("name") for atom in residue.findall("Atom")]
        for residue in xml.parse(force_field).getroot().find("Residues")
    }


def openmm_system(path, force_field):
    from openmm import app

    pdb = app.PDBFile(str(path))
    field = app.ForceField(str(force_field))
    model = app.Modeller(pdb.topology, pdb.positions)
    model.addHydrogens(field)
    return model, field.createSystem(model.topology, constraints=None, rigidWater=False, removeCMMotion=False)


def multiset(rows):
    return collections.Counter(rows)


def close(a, b):
    """Returns whether two multisets of (atoms, numbers) agree, and the atoms that differ. Numbers may differ by
    1e-5.
    """
    by_atoms = lambda rows: {k: sorted(v) for k, v in rows.items()}
    group_a, group_b = collections.defaultdict(list), collections.defaultdict(list)
    for atoms, numbers in a:
        group_a[atoms].append(numbers)
    for atoms, numbers in b:
        group_b[atoms].append(numbers)
    if by_atoms(group_a).keys() != by_atoms(group_b).keys():
        return False, set(group_a) ^ set(group_b)
    wrong = [
        k for k in group_a
        if len(group_a[k]) != len(group_b[k]) or not np.allclose(sorted(group_a[k]), sorted(group_b[k]), rtol=1e-5, atol=1e-5)
    ]
    return not wrong, wrong


def direction(atoms):
    return min(tuple(atoms), tuple(reversed(atoms)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("molgauge")
    parser.add_argument("structure", type=pathlib.Path)
    arguments = parser.parse_args()
    import openmm
    from openmm import app, unit

    force_field = pathlib.Path(app.__file__).parent / "data/amber14/RNA.OL3.xml"
    residues = read_chain(arguments.structure)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        write_pdb(folder / "rna.pdb", residues, True)
        write_pdb(folder / "bare.pdb", residues, False)
        subprocess.run(
            [arguments.molgauge, "pocket", "build", str(folder / "rna.pdb"), "--out", str(folder / "set"), "--ligand", "MG",
             "--pocket-cutoff", "99", "--force-field", str(force_field), "--quiet"], check=True)
        ours = read_safetensors(folder / "set/graphs/rna_MG_model0.safetensors")
        model, system = openmm_system(folder / "bare.pdb", force_field)

    templates = template_atoms(force_field)
    keys = []
    for i, (name, _) in enumerate(residues):
        end = "5" if i == 0 else "3" if i + 1 == len(residues) else ""
        keys += [(i, atom) for atom in templates[name + end]]
    theirs = {(a.residue.index, a.name): a.index for a in model.topology.atoms()}
    results = []

    def check(what, passed, detail=""):
        results.append(passed)
        print(f"| {what} | {'equal' if passed else 'DIFFERENT'} | {detail} |")

    print("| what | Molgauge and OpenMM | |\n|---|---|---|")
    check("atoms", set(keys) == set(theirs), f"{len(keys)}")
    forces = {type(f).__name__: f for f in system.getForces()}
    atoms = list(model.topology.atoms())
    nonbonded = forces["NonbondedForce"]
    rows = []
    for key in keys:
        index = theirs[key]
        charge, sigma, epsilon = nonbonded.getParticleParameters(index)
        rows.append((charge._value, atoms[index].element.atomic_number, system.getParticleMass(index)._value, sigma._value * 10,
                     epsilon._value / 4.184))
    rows = np.array(rows)
    check("charges, elements, masses", np.allclose(ours["x"], rows[:, :3], atol=1e-6),
          f"sum of charges {rows[:, 0].sum():+.3f}")
    place = {index: i for i, index in ((i, theirs[key]) for i, key in enumerate(keys))}
    heavy = lambda group: all(rows[i, 1] != 1 for i in group)

    bonds = [(direction((place[b[0]], place[b[1]])), (b[2]._value * 10 / 2, b[3]._value / 2 / 418.4 / 500))
             for b in (forces["HarmonicBondForce"].getBondParameters(i) for i in range(forces["HarmonicBondForce"].getNumBonds()))]
    bonds = [b for b in bonds if heavy(b[0])]
    own = [(direction(ours["edge_index"][:, i]), tuple(ours["edge_attr"][i])) for i in range(0, ours["edge_index"].shape[1], 2)]
    passed, wrong = close(own, bonds)
    check("bonds", passed, f"{len(own)} {'' if passed else list(wrong)[:3]}")

    force = forces["HarmonicAngleForce"]
    angles = []
    for i in range(force.getNumAngles()):
        a, b, c, angle, k = force.getAngleParameters(i)
        angles.append((direction((place[a], place[b], place[c])), (angle._value / np.pi, k._value / 2 / 4.184 / 200)))
    angles = [a for a in angles if heavy(a[0])]
    own = [(direction(ours["triple_index"][:, i]), tuple(ours["triple_attr"][i])) for i in range(ours["triple_index"].shape[1])]
    passed, wrong = close(own, angles)
    check("angles", passed, f"{len(own)} {'' if passed else list(wrong)[:3]}")

    force = forces["PeriodicTorsionForce"]
    torsions = []
    for i in range(force.getNumTorsions()):
        a, b, c, d, period, phase, k = force.getTorsionParameters(i)
        torsions.append((direction((place[a], place[b], place[c], place[d])),
                         (k._value / 4.184 / 20, period / 6, phase._value / (2 * np.pi))))
    torsions = [t for t in torsions if heavy(t[0]) and t[1][0] != 0]
    own = [(direction(ours["quadra_index"][:, i]), tuple(ours["quadra_attr"][i])) for i in range(ours["quadra_index"].shape[1])]
    with_barrier = [t for t in own if t[1][0] != 0]
    passed, wrong = close(with_barrier, torsions)
    check("torsions with a barrier", passed, f"{len(with_barrier)} of {len(own)} {'' if passed else list(wrong)[:3]}")

    pairs = ours["nonbonded_edge_index"].T
    sigma = (rows[pairs[:, 0], 3] + rows[pairs[:, 1], 3]) / 2
    epsilon = np.sqrt(rows[pairs[:, 0], 4] * rows[pairs[:, 1], 4])
    expected = np.stack([np.log(4 * epsilon * sigma**12 + 1), np.log(4 * epsilon * sigma**6 + 1)], 1)
    check("Lennard-Jones coefficients of pairs", np.allclose(ours["nonbonded_edge_attr"][:, :2], expected, atol=1e-4),
          f"{len(pairs)} pairs within {CUTOFF} A")

    known = {(i, n): p for i, (_, group) in enumerate(residues) for n, p, _ in group}
    apart = [np.linalg.norm(ours["pos"][i] - np.array(known[key])) for i, key in enumerate(keys)
             if ours["x"][i, 1] == 1 and key in known and key[1] in ("H1'", "H3'", "H4'", "H8", "H2", "H5", "H6", "H1", "H3")]
    print(f"| hydrogens of bases and of C1', C3', C4' | | {len(apart)} are {np.mean(apart):.2f} A from the input's on average, "
          f"{np.max(apart):.2f} A at most |")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
