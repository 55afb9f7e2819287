"""Tests the replacement for unimol_tools."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import molgauge
from molgauge import _session
from support import WithStore


class Representations(WithStore):
    """A network of one layer with random weights, for atoms with hydrogens."""

    def setUp(self):
        super().setUp()
        self.weights = str(self.folder / "weights")
        request = {"encoder": "unimol", "seed": 1, "layers": 1, "variant": "all_h", "weights": self.weights}
        _session.session().run("weights_init", request)

    def repr(self, **options):
        return molgauge.UniMolRepr(
            data_type="molecule", remove_hs=False, store=self.store, weights=self.weights, random_weights=True, **options
        )

    def test_have_the_forms_of_unimol_tools(self):
        model = self.repr()
        rows = model.get_repr(["CO", "nonsense"])
        self.assertIsInstance(rows, list)
        self.assertEqual((rows[0].shape, rows[0].dtype), ((512,), np.float32))
        self.assertTrue(np.isnan(rows[1]).all())
        self.assertEqual([one.row for one in model.failed_], [1])
        np.testing.assert_array_equal(model.get_repr("CO")[0], rows[0])
        np.testing.assert_array_equal(model.get_repr({"SMILES": ["CO"]})[0], rows[0])

    def test_of_atoms_stand_beside_their_places(self):
        found = self.repr().get_repr(["CO", "nonsense", "N"], return_atomic_reprs=True)
        self.assertEqual(sorted(found), ["atomic_coords", "atomic_reprs", "atomic_symbol", "cls_repr"])
        self.assertEqual(found["atomic_symbol"], [["C", "O", "H", "H", "H", "H"], [], ["N", "H", "H", "H"]])
        self.assertEqual([one.shape for one in found["atomic_reprs"]], [(6, 512), (0, 512), (4, 512)])
        self.assertEqual([one.shape for one in found["atomic_coords"]], [(6, 3), (0, 3), (4, 3)])
        bond = np.linalg.norm(found["atomic_coords"][0][0] - found["atomic_coords"][0][1])
        self.assertTrue(1.3 < bond < 1.5, f"a bond of carbon and oxygen is {bond} angstrom long")
        np.testing.assert_array_equal(found["cls_repr"][0], self.repr().get_repr("CO")[0])

    def test_of_atoms_need_no_files(self):
        before = set(Path(tempfile.gettempdir()).iterdir())
        with mock.patch("tempfile.mkdtemp", side_effect=AssertionError("a temporary folder")):
            found = self.repr().get_repr(["CO", "N"], return_atomic_reprs=True)
        self.assertEqual([len(one) for one in found["atomic_symbol"]], [6, 4])
        for one in found["atomic_coords"]:
            np.testing.assert_allclose(one.mean(axis=0), 0, atol=1e-5)
        made = set(Path(tempfile.gettempdir()).iterdir()) - before
        self.assertEqual([one for one in made if one.suffix in (".csv", ".npz", ".sdf")], [])

    def test_of_atoms_are_those_of_the_file(self):
        molecules, atoms = self.folder / "m.csv", self.folder / "atoms.npz"
        molecules.write_text("smiles\nCO\nnonsense\nC1CC1N\n")
        request = {"encoder": "unimol", "weights": self.weights, "random_weights": True, "molecules": str(molecules)}
        _session.session().run("encode", {**request, "atom_features": str(atoms), "store": str(self.folder / "other")})
        with np.load(atoms) as archive:
            features, offsets = archive["features"], archive["offsets"]
        found = self.repr().get_repr(["CO", "nonsense", "C1CC1N"], return_atomic_reprs=True)["atomic_reprs"]
        self.assertEqual(len(found), 3)
        for row, own in enumerate(found):
            np.testing.assert_array_equal(own, features[offsets[row] : offsets[row + 1]])

    def test_of_more_atoms_than_the_network_takes_are_refused(self):
        with self.assertRaisesRegex(molgauge.UsageError, "row 0: the molecule has 12 atoms, but max_atoms limits .* to 8"):
            self.repr(max_atoms=8).get_repr(["c1ccccc1"], return_atomic_reprs=True)

    def test_drop_or_raise_what_failed(self):
        self.assertEqual(len(self.repr(on_error="drop").get_repr(["CO", "nonsense"], True)["cls_repr"]), 1)
        with self.assertRaisesRegex(molgauge.InputError, "row 0: 'nonsense'"):
            self.repr(on_error="raise").get_repr(["nonsense", "CO"], return_atomic_reprs=True)

    def test_are_read_from_a_table(self):
        file = self.folder / "m.csv"
        file.write_text("SMILES,y\nCO,1\n")
        np.testing.assert_array_equal(self.repr().get_repr(str(file))[0], self.repr().get_repr("CO")[0])
        with self.assertRaisesRegex(molgauge.InputError, "no column 'smi'"):
            self.repr(smiles_col="smi").get_repr(str(file))

    def test_refuse_what_has_no_effect(self):
        for options, text in (
            ({"model_name": "unimolv2"}, "Only 'unimolv1'"),
            ({"data_type": "protein"}, "Only 'molecule'"),
            ({"pretrained_model_path": "x"}, "weights.install"),
        ):
            with self.assertRaisesRegex(molgauge.UsageError, text):
                molgauge.UniMolRepr(**options)
        other = molgauge.UniMolRepr(remove_hs=True, store=self.store, weights=self.weights, random_weights=True)
        with self.assertRaisesRegex(molgauge.UsageError, "remove_hs=False"):
            other.get_repr("CO")


if __name__ == "__main__":
    unittest.main()
