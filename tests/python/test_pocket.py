"""Tests molgauge.pocket, from AMBER topologies to the nearest ligands."""

import json
import math
import unittest

import numpy as np

import molgauge
from support import PROGRAM, WithStore

CHARGES = [0.4, -0.6, 0.5, 0.1, -0.4]
AMBER_CHARGE = 18.2223  #: of an elementary charge in a topology
COMPLEXES, MODELS, WIDTH = 10, 2, 6
#: A molecule similar to methanol. It has O-C with a hydrogen at each atom, and a second oxygen at the
#: carbon.
SECTIONS = {
    "POINTERS": [5, 3, 2, 2, 2, 1, 2, 1, 0, 0, 11, 1, 2, 1, 1, 3, 2, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0],
    "ATOM_NAME": ["HO", "O1", "C1", "HC", "O2"],
    "ATOMIC_NUMBER": [1, 8, 6, 1, 8],
    "MASS": [1.008, 16.0, 12.01, 1.008, 16.0],
    "ATOM_TYPE_INDEX": [1, 2, 3, 1, 2],
    "NONBONDED_PARM_INDEX": [1, 2, 4, 2, 3, 5, 4, 5, 6],
    "LENNARD_JONES_ACOEF": [10.0, 20.0, 30.0, 40.0, 50.0, 60.0],
    "LENNARD_JONES_BCOEF": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    "BOND_FORCE_CONSTANT": [553.0, 320.0, 340.0],
    "BOND_EQUIL_VALUE": [0.96, 1.41, 1.09],
    "BONDS_INC_HYDROGEN": [0, 3, 1, 6, 9, 3],
    "BONDS_WITHOUT_HYDROGEN": [3, 6, 2, 6, 12, 2],
    "ANGLE_FORCE_CONSTANT": [55.0, 50.0],
    "ANGLE_EQUIL_VALUE": [1.9, 1.91],
    "ANGLES_INC_HYDROGEN": [0, 3, 6, 1, 3, 6, 9, 2],
    "ANGLES_WITHOUT_HYDROGEN": [3, 6, 12, 2],
    "DIHEDRAL_FORCE_CONSTANT": [0.16, 1.5],
    "DIHEDRAL_PERIODICITY": [3.0, 2.0],
    "DIHEDRAL_PHASE": [0.0, 3.14159265],
    "DIHEDRALS_INC_HYDROGEN": [0, 3, 6, 9, 1, 0, 3, -6, 12, 1],
    "DIHEDRALS_WITHOUT_HYDROGEN": [3, 6, 12, -3, 2],
}


def section(name, values):
    kind = type(values[0])
    form, in_line, width = {int: ("10I8", 10, "8d"), float: ("5E16.8", 5, "16.8E"), str: ("20a4", 20, "<4")}[kind]
    lines = ["".join(f"{one:{width}}" for one in values[i : i + in_line]) for i in range(0, len(values), in_line)]
    return f"%FLAG {name:<74}\n%FORMAT({form})\n" + "\n".join(lines) + "\n"


def topology(complex):
    """Returns the topology of a complex. The charges differ between complexes."""
    shifts = [0, -1, 2, 0, -1]
    charges = [(charge + 0.05 * complex * shift) * AMBER_CHARGE for charge, shift in zip(CHARGES, shifts)]
    stamp = "%VERSION  VERSION_STAMP = V0001.000  DATE = 01/01/26  00:00:00\n"
    return stamp + "".join(section(name, values) for name, values in {**SECTIONS, "CHARGE": charges}.items())


def coordinates(complex, model):
    """Returns the coordinates of a model. The second oxygen rotates about the carbon."""
    angle = 0.25 * complex + 0.05 * model
    last = [0.96, 1.33 + 1.3 * math.cos(angle), 1.3 * math.sin(angle)]
    numbers = [0, 0, 0, 0.96, 0, 0, 1.43, 1.33, 0, 2.52, 1.33, 0, *last]
    lines = ["".join(f"{one:12.7f}" for one in numbers[i : i + 6]) for i in range(0, len(numbers), 6)]
    return "made by a test\n    5\n" + "\n".join(lines) + "\n"


@unittest.skipUnless(PROGRAM, "MOLGAUGE_PROGRAM names no program")
class Pockets(WithStore):
    def setUp(self):
        super().setUp()
        amber, self.graphs = self.folder / "amber", self.folder / "graphs"
        self.library, self.run_folder = self.folder / "ligands.npz", self.folder / "run"
        amber.mkdir()
        for complex in range(COMPLEXES):
            for model in range(MODELS):
                stem = f"{complex}abc_L{complex:02}_model{model}_rna"
                (amber / f"{stem}.prmtop").write_text(topology(complex))
                (amber / f"{stem}.inpcrd").write_text(coordinates(complex, model))
        self.built = molgauge.pocket.build(amber, self.graphs, threads=2)
        self.rows = {
            f"{complex}abc_L{complex:02}": np.sin(0.3 * complex * (1 + np.arange(WIDTH) % 3) + np.arange(WIDTH)).astype("f4")
            for complex in range(COMPLEXES)
        }
        np.savez(self.library, **self.rows)

    def train(self, **options):
        return molgauge.pocket.train(
            self.graphs, self.library, self.run_folder, hidden_irreps="4x0e + 2x1o + 2x2e", num_layers=1, batch_size=4,
            epochs=2, threads=2, **options,
        )

    def test_are_built_encoded_searched_and_evaluated(self):
        self.assertEqual((self.built["pockets"], self.built["built"]), (COMPLEXES * MODELS, COMPLEXES * MODELS))
        config = self.train()
        self.assertEqual(config["num_layers"], 1)
        self.assertTrue((self.run_folder / "best_model.safetensors").exists())

        embedded = molgauge.pocket.embed(self.run_folder, self.graphs, self.folder / "pockets.npz", memory_budget=1 << 31)
        self.assertEqual((embedded["pockets"], embedded["width"]), (COMPLEXES * MODELS, WIDTH))
        with np.load(self.folder / "pockets.npz") as archive:
            pockets = {name: archive[name].reshape(-1) for name in archive.files}
        self.assertEqual(len(pockets), COMPLEXES * MODELS)

        found = molgauge.pocket.search(self.run_folder, self.graphs, self.library, self.folder / "found.json", top_k=3)
        self.assertEqual((found["pockets"], found["ligands"]), (COMPLEXES * MODELS, COMPLEXES))
        for query in found["found"]:
            pocket = pockets[query["pocket"]].astype(float)
            distances = {
                name: 1 - row.astype(float) @ pocket / np.linalg.norm(row.astype(float)) / np.linalg.norm(pocket)
                for name, row in self.rows.items()
            }
            nearest = sorted(distances, key=distances.get)[:3]
            self.assertEqual([one["ligand"] for one in query["matches"]], nearest)
            for one in query["matches"]:
                self.assertAlmostEqual(one["distance"], distances[one["ligand"]], places=5)

        report = molgauge.pocket.evaluate(
            self.run_folder, self.graphs, self.library, self.folder / "ranks.json", part="all"
        )
        self.assertEqual(json.loads((self.folder / "ranks.json").read_text())["num_samples"], COMPLEXES * MODELS)
        self.assertIsInstance(report, dict)

    def test_refuse_misspelt_options_and_wrong_values(self):
        with self.assertRaisesRegex(molgauge.UsageError, "no option 'epoch'.*Did you mean 'epochs'"):
            molgauge.pocket.train(self.graphs, self.library, self.run_folder, epoch=3)
        with self.assertRaisesRegex(molgauge.UsageError, "4x0o"):
            molgauge.pocket.train(self.graphs, self.library, self.run_folder, hidden_irreps="4x0o")
        self.assertFalse(self.run_folder.exists())
        with self.assertRaises(molgauge.InputError):
            molgauge.pocket.embed(self.folder / "no-run", self.graphs, self.folder / "pockets.npz")


if __name__ == "__main__":
    unittest.main()
