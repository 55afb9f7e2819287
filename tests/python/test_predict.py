"""Tests predictions of chemprop models for molecules in memory."""

import csv
import pickle
import shutil
import subprocess
import unittest
from pathlib import Path

import numpy as np

import molgauge
from support import ETHERS, PROGRAM, WithStore

MODELS = Path(__file__).resolve().parents[1] / "fixtures" / "chemprop"
MOLECULES = ["CCO", "C(C", "c1ccccc1", "CCO"]


class Predict(WithStore):
    def predicted(self, name="v2_regression.pt", molecules=MOLECULES, **options):
        return molgauge.predict(MODELS / name, molecules, store=self.store, **options)

    def test_returns_a_table_and_names_failures(self):
        table = self.predicted()
        self.assertEqual(table.columns, ["smiles", "task_0", "parent_prediction_differs", "reason"])
        self.assertEqual(table.tasks, {"task_0": ["task_0"]})
        self.assertEqual(table["smiles"], MOLECULES)
        numbers = table.numpy("task_0")
        self.assertEqual(numbers.dtype, np.float64)
        self.assertEqual(list(np.isnan(numbers)), [False, True, False, False])
        self.assertEqual(numbers[0], numbers[3])
        self.assertEqual([one.row for one in table.failed], [1])
        self.assertIn("SMILES", table.failed[0].reason)
        self.assertEqual(table.report["predicted"], 2)
        self.assertEqual(self.predicted().report["predicted"], 0)

    def test_agrees_with_chemprop_and_with_the_program(self):
        with open(MODELS / "v2_mve.csv", newline="", encoding="utf-8") as file:
            expected = list(csv.DictReader(file))
        molecules = [row["smiles"] for row in expected]
        table = self.predicted("v2_mve.pt", molecules)
        for column, own in (("p0", "task_0"), ("p2", "task_1")):
            np.testing.assert_allclose(table.numpy(own), [float(row[column]) for row in expected], rtol=1e-5)
        if not PROGRAM:
            self.skipTest("MOLGAUGE_PROGRAM names no program")
        source, out = self.folder / "in.csv", self.folder / "out.csv"
        source.write_text("smiles\n" + "\n".join(f'"{one}"' for one in molecules) + "\n")
        subprocess.run(
            [PROGRAM, "predict", str(MODELS / "v2_mve.pt"), str(source), "--out", str(out), "--store", str(self.folder / "other")],
            check=True, capture_output=True,
        )
        with open(out, newline="", encoding="utf-8") as file:
            written = list(csv.DictReader(file))
        for column in ("task_0", "task_0_std", "task_1", "task_1_std"):
            from_program = np.array([float(row[column] or "nan") for row in written], dtype=np.float32)
            np.testing.assert_array_equal(table.numpy(column).astype(np.float32), from_program)

    def test_takes_descriptors(self):
        with open(MODELS / "descriptors.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        with open(MODELS / "v2_descriptors.csv", newline="", encoding="utf-8") as file:
            expected = list(csv.DictReader(file))
        molecules = [row["smiles"] for row in rows]
        numbers = np.array([[float(row[name]) for name in "abc"] for row in rows])
        table = self.predicted("v2_descriptors.pt", molecules, descriptors=numbers)
        for column, own in (("p0", "task_0"), ("p1", "task_1")):
            np.testing.assert_allclose(table.numpy(own), [float(row[column]) for row in expected], rtol=1e-5)
        with self.assertRaisesRegex(molgauge.UsageError, "takes 3 descriptors"):
            self.predicted("v2_descriptors.pt", molecules)
        with self.assertRaisesRegex(molgauge.UsageError, "names 2 columns, but the model takes 3 descriptors"):
            self.predicted("v2_descriptors.pt", molecules, descriptors=numbers[:, :2])
        with self.assertRaisesRegex(ValueError, "one row for each molecule"):
            self.predicted("v2_descriptors.pt", molecules, descriptors=numbers[:4])
        numbers[2, 1] = np.nan
        with self.assertRaisesRegex(molgauge.InputError, "row 2: the descriptor descriptor_2 is missing"):
            self.predicted("v2_descriptors.pt", molecules, descriptors=numbers)

    def test_checks_spellings(self):
        with self.assertLogs("molgauge", "WARNING") as logged:
            table = self.predicted(molecules=["C[C@H](N)C(=O)O", "CCO"], check_spellings=True)
        self.assertIn("1 chiral molecule", "".join(logged.output))
        self.assertEqual(list(np.isnan(table.numpy("spelling_spread_task_0"))), [False, True])
        self.assertEqual(table.report["chiral_rows"], 1)
        self.assertEqual(table.report["tasks"][0]["largest_spread"], table.numpy("spelling_spread_task_0")[0])

    def test_predicts_drawings_or_parents(self):
        amine, salt = "CCN(CC)CCNC(=O)c1ccc(N)cc1", "CC[NH+](CC)CCNC(=O)c1ccc(N)cc1.[Cl-]"
        with self.assertLogs("molgauge", "WARNING") as logged:
            drawn = self.predicted(molecules=[amine, salt, "C(C"])
        self.assertIn("To predict the parents, add standardize parent", "".join(logged.output))
        self.assertEqual(drawn["parent_prediction_differs"], [False, True, None])
        self.assertEqual((drawn.report["parent_rows"], drawn.report["parent_differs_rows"]), (1, 1))
        parents = self.predicted(molecules=[amine, salt, "C(C"], standardize="parent")
        self.assertEqual(parents.columns, ["smiles", "task_0", "reason"])
        self.assertAlmostEqual(*parents.numpy("task_0")[:2], places=4)
        self.assertEqual(parents.numpy("task_0")[0], drawn.numpy("task_0")[0])
        self.assertEqual(parents.report["standardized_rows"], 1)

    def test_keeps_the_index(self):
        pandas = self.needed("pandas")
        frame = self.predicted(molecules=pandas.Series(MOLECULES, index=list("abcd"))).to_pandas()
        self.assertEqual(list(frame.index), list("abcd"))
        self.assertTrue(np.isnan(frame["task_0"]["b"]))

    def test_arrow_libraries_read_it(self):
        pyarrow = self.needed("pyarrow")
        table = pyarrow.table(self.predicted())
        self.assertEqual(table["task_0"].null_count, 1)

    def test_takes_lists_without_valid_molecules(self):
        self.assertEqual(self.predicted(molecules=[]).num_rows, 0)
        self.assertEqual(len(self.predicted(molecules=["C(C", ""]).failed), 2)

    def test_refuses_wrong_requests(self):
        with self.assertRaisesRegex(molgauge.UsageError, "no option 'thread'"):
            self.predicted(thread=1)
        with self.assertRaisesRegex(molgauge.InputError, "no such file"):
            self.predicted("absent.pt")
        with self.assertRaisesRegex(molgauge.InputError, "torch.load"):
            self.predicted("refused_command.pt")


class DomainOfAModel(WithStore):
    def test_compares_in_the_learned_features_and_keeps_the_model(self):
        domain = molgauge.Domain(model=str(MODELS / "v2_regression.pt"), store=self.store).fit(ETHERS)
        self.assertEqual(domain.judge([ETHERS[20], "[Na+].[Cl-]", "junk"])["domain"], ["inside", "outside", "unreadable"])
        domain.save(self.folder / "saved")
        loaded = molgauge.Domain.load(self.folder / "saved", store=self.store)
        self.assertEqual(loaded.judge([ETHERS[20]]).numpy("domain_p_value"), domain.judge([ETHERS[20]]).numpy("domain_p_value"))

    def test_is_fitted_again_with_the_model_of_the_saved_folder(self):
        model = self.folder / "own.pt"
        shutil.copy(MODELS / "v2_regression.pt", model)
        domain = molgauge.Domain(model=str(model), method="knn", store=self.store).fit(ETHERS)
        domain.save(self.folder / "saved")
        expected = molgauge.Domain(model=str(model), method="knn", store=self.store).fit(ETHERS[:150]).p_values(["CCN", ETHERS[9]])
        packed = pickle.dumps(domain)
        model.unlink()
        loaded = molgauge.Domain.load(self.folder / "saved", store=self.store)
        self.assertEqual(repr(loaded), f"Domain(method='knn', level=0.01, standardize='parent', keep_isotopes=False, "
                         f"model={str(self.folder / 'saved')!r}, store={self.store!r})")
        copies = {"loaded": loaded, "pickled": pickle.loads(packed), "twice": pickle.loads(pickle.dumps(loaded))}
        try:
            from sklearn.base import clone

            copies["clone"] = clone(loaded)
        except ImportError:
            pass
        for name, copy in copies.items():
            np.testing.assert_array_equal(copy.fit(ETHERS[:150]).p_values(["CCN", ETHERS[9]]), expected, name)
        self.assertEqual(loaded.encoder, "chemprop")


class Regressor(WithStore):
    def regressor(self, name="v2_regression.pt", **options):
        self.needed("sklearn")
        return molgauge.PropertyRegressor(MODELS / name, store=self.store, **options)

    def test_predicts(self):
        expected = molgauge.predict(MODELS / "v2_mve.pt", ["CCO", "CCN"], store=self.store)
        both = self.regressor("v2_mve.pt").predict(["CCO", "CCN"])
        np.testing.assert_array_equal(both[:, 1], expected.numpy("task_1"))
        one = self.regressor("v2_mve.pt", task="task_0").fit(["CCO"]).predict(["CCO", "CCN"])
        np.testing.assert_array_equal(one, expected.numpy("task_0"))

    def test_names_molecules_that_fail(self):
        with self.assertRaisesRegex(molgauge.InputError, "row 1"):
            self.regressor().predict(["CCO", "C(C"])
        lenient = self.regressor(on_error="nan")
        self.assertEqual(list(np.isnan(lenient.predict(["CCO", "C(C"]))), [False, True])
        self.assertEqual([one.row for one in lenient.failed_], [1])

    def test_is_cloned_and_searched(self):
        base = self.needed("sklearn.base")
        selection = self.needed("sklearn.model_selection")
        regressor = self.regressor()
        self.assertEqual(base.clone(regressor).get_params(), regressor.get_params())
        molecules = ["C" * i + "O" for i in range(1, 13)]
        scores = selection.cross_val_score(regressor, molecules, regressor.predict(molecules), cv=3)
        np.testing.assert_array_equal(scores, [1, 1, 1])

    def test_refuses_wrong_tasks(self):
        with self.assertRaisesRegex(ValueError, "no task 'logP'"):
            self.regressor(task="logP").fit()
        with self.assertRaisesRegex(ValueError, "has classes"):
            self.regressor("v1_multiclass.pt").fit()


if __name__ == "__main__":
    unittest.main()
