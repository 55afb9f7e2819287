#!/usr/bin/env python3
"""Compares the graphs of `molgauge pocket build` with ParmEd's reading of the same AMBER topologies.

    python -m venv venv && venv/bin/pip install parmed numpy
    venv/bin/pip download --no-deps -d downloads MDAnalysisTests openmmtools   # unpack both
    venv/bin/python bench/peers/pocket_graphs.py build/release/bin/molgauge FOLDER...

Both programs read every .prmtop, .parm7 and .top below the folders. If a topology has no coordinates next to it, its
atoms get random positions that are at least 1 A apart. Prints a row for each topology. The exit code is 1 if the two
graphs of a topology differ.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

CUTOFF = 4.0
TYPES = {"F32": np.float32, "I32": np.int32}


def read_safetensors(path):
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(data[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def write_coordinates(path, atoms):
    """Writes random positions near the points of a grid of 1.5 A. No two positions are closer than 1 A."""
    generator = np.random.default_rng(atoms)
    edge = int(np.ceil(atoms ** (1 / 3))) + 1
    cells = generator.permutation(edge**3)[:atoms]
    places = np.stack(np.unravel_index(cells, (edge,) * 3), 1) * 1.5 + generator.uniform(0, 0.25, (atoms, 3))
    numbers = ["%12.7f" % number for number in places.reshape(-1)]
    lines = ["".join(numbers[i : i + 6]) for i in range(0, len(numbers), 6)]
    path.write_text("made for a comparison\n%5d\n" % atoms + "\n".join(lines) + "\n")


def expected_graph(topology, coordinates):
    """Returns the arrays of the graph that follows from the objects of ParmEd."""
    import parmed

    system = parmed.amber.LoadParm(str(topology), str(coordinates))
    if type(system) is not parmed.amber.AmberParm:
        raise TypeError(f"ParmEd reads a {type(system).__name__}")
    heavy = lambda *atoms: all(atom.atomic_number != 1 for atom in atoms)
    x = np.array([(a.charge, a.atomic_number, a.mass) for a in system.atoms], np.float64)
    bonds = [b for b in system.bonds if heavy(b.atom1, b.atom2)]
    edges = [pair for b in bonds for pair in ((b.atom1.idx, b.atom2.idx), (b.atom2.idx, b.atom1.idx))]
    edge_attr = [(b.type.req / 2, b.type.k / 500) for b in bonds for _ in range(2)]
    if not bonds:
        edges = [(i, i) for i in range(len(x))]
        edge_attr = [(0.75, 0.6)] * len(x)
    angles = [a for a in system.angles if heavy(a.atom1, a.atom2, a.atom3)]
    torsions = [d for d in system.dihedrals if heavy(d.atom1, d.atom2, d.atom3, d.atom4)]
    positions = system.coordinates.reshape(-1, 3)
    bonded = {tuple(sorted((b.atom1.idx, b.atom2.idx))) for b in system.bonds}
    acoef, bcoef = (system.parm_data[f"LENNARD_JONES_{c}COEF"] for c in "AB")
    index, types = system.parm_data["NONBONDED_PARM_INDEX"], system.pointers["NTYPES"]
    kinds = system.parm_data["ATOM_TYPE_INDEX"]
    pairs, pair_attr = [], []
    for i in range(len(x) - 1):
        distances = np.linalg.norm(positions[i + 1 :] - positions[i], axis=1)
        for j in np.flatnonzero(distances <= CUTOFF) + i + 1:
            if (i, j) in bonded:
                continue
            entry = index[types * (kinds[i] - 1) + kinds[j] - 1] - 1
            a, b = (acoef[entry], bcoef[entry]) if entry >= 0 else (0.0, 0.0)
            pairs += [(i, j), (j, i)]
            pair_attr += [(np.log(a + 1), np.log(b + 1), distances[j - i - 1])] * 2
    table = lambda rows, width: np.array(rows, np.float64).reshape(-1, width)
    return {
        "x": x,
        "pos": positions,
        "edge_index": table(edges, 2).T,
        "edge_attr": table(edge_attr, 2),
        "triple_index": table([(a.atom1.idx, a.atom2.idx, a.atom3.idx) for a in angles], 3).T,
        "triple_attr": table([(a.type.theteq / 180, a.type.k / 200) for a in angles], 2),
        "quadra_index": table([(d.atom1.idx, d.atom2.idx, d.atom3.idx, d.atom4.idx) for d in torsions], 4).T,
        "quadra_attr": table(
            [(d.type.phi_k / 20, d.type.per / 6, np.radians(d.type.phase) / (2 * np.pi)) for d in torsions], 3
        ),
        "nonbonded_edge_index": table(pairs, 2).T,
        "nonbonded_edge_attr": table(pair_attr, 3),
    }


def coordinates_beside(topology):
    for ending in (".inpcrd", ".rst7", ".crd", ".ncrst"):
        if topology.with_suffix(ending).exists():
            return topology.with_suffix(ending)
    return None


def compare(molgauge, topology, folder):
    """Returns (output of molgauge, largest difference, counts)."""
    import parmed

    copy = folder / (topology.stem + ".prmtop")
    shutil.copy(topology, copy)
    found = coordinates_beside(topology)
    coordinates = folder / (topology.stem + (found.suffix if found else ".inpcrd"))
    if found:
        shutil.copy(found, coordinates)
    else:
        try:
            atoms = parmed.amber.AmberFormat(str(copy)).parm_data["POINTERS"][0]
        except Exception:
            atoms = 1
        write_coordinates(coordinates, atoms)
    run = subprocess.run(
        [molgauge, "pocket", "build", str(copy), "--out", str(folder / "set"), "--quiet"], capture_output=True, text=True
    )
    if run.returncode != 0:
        return run.stderr.strip().splitlines()[-1], None, None
    ours = read_safetensors(folder / "set" / "graphs" / (topology.stem + ".safetensors"))
    theirs = expected_graph(copy, coordinates)
    worst = 0.0
    for name, expected in theirs.items():
        if ours[name].shape != expected.shape:
            return f"{name}: {ours[name].shape} against {expected.shape}", np.inf, None
        if name.endswith("index"):
            worst = max(worst, 0.0 if np.array_equal(ours[name], expected) else np.inf)
        elif expected.size:
            worst = max(worst, float(np.max(np.abs(ours[name] - expected) / np.maximum(1, np.abs(expected)))))
    counts = [ours[n].shape[1] for n in ("edge_index", "triple_index", "quadra_index", "nonbonded_edge_index")]
    return "", worst, [len(ours["x"])] + counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("molgauge")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    failed = False
    print("| topology | atoms | bonds | angles | dihedrals | pairs | largest difference |")
    print("|---|---|---|---|---|---|---|")
    for folder in arguments.folders:
        for topology in sorted(p for e in ("prmtop", "parm7", "top") for p in folder.rglob("*." + e)):
            with tempfile.TemporaryDirectory() as temporary:
                try:
                    problem, worst, counts = compare(arguments.molgauge, topology, pathlib.Path(temporary))
                except Exception as failure:
                    problem, worst, counts = f"ParmEd: {type(failure).__name__}: {failure}", None, None
            if counts:
                print(f"| {topology.name} | " + " | ".join(map(str, counts)) + f" | {worst:.1e} |", flush=True)
            else:
                print(f"| {topology.name} | refused: {problem} |", flush=True)
            failed = failed or (worst is not None and worst > 1e-6)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
