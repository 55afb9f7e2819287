"""Tests that the estimators follow the conventions of scikit-learn and PyOD."""

import gc
import os
import pickle
import subprocess
import unittest
import warnings
from unittest import mock

import numpy as np

import molgauge
from molgauge._arrow import stream_of
from support import ASPIRIN, ETHERS, PROGRAM, WithStore


class FeatureDomains(WithStore):
    def setUp(self):
        super().setUp()
        self.needed("sklearn")

    def test_keeps_the_contract_of_scikit_learn(self):
        checks = self.needed("sklearn.utils.estimator_checks")
        if not hasattr(checks, "estimator_checks_generator"):
            checks.check_estimator(molgauge.FeatureDomain())
            return
        failed = [one for one in checks.check_estimator(molgauge.FeatureDomain(), on_fail=None) if one["status"] == "failed"]
        self.assertEqual([(one["check_name"], one["exception"]) for one in failed], [])

    def test_p_values_hold_for_rows_of_the_training_kind(self):
        random = np.random.RandomState(1)
        domain = molgauge.FeatureDomain(level=0.1).fit(random.normal(size=(1000, 4)))
        inside, outside = random.normal(size=(1000, 4)), 9 + random.normal(size=(50, 4))
        # With 1,000 independent distances, the share outside would have the mean 0.1 and the standard deviation 0.0095.
        self.assertLess(np.mean(domain.predict(inside) == -1), 0.1 + 4 * 0.0095)
        self.assertTrue((domain.predict(outside) == -1).all())
        np.testing.assert_array_equal(domain.predict(inside) == -1, domain.p_values(inside) <= 0.1)
        np.testing.assert_array_equal(domain.p_values(outside), np.full(50, 1 / 1001))

    def test_order_and_repetition_of_training_rows_change_nothing(self):
        random = np.random.RandomState(2)
        rows, candidates = random.normal(size=(200, 3)), 2 * random.normal(size=(100, 3))
        expected = molgauge.FeatureDomain().fit(rows).p_values(candidates)
        for other in (rows[::-1], rows[random.permutation(200)], np.concatenate([rows, rows[:50]])):
            np.testing.assert_array_equal(molgauge.FeatureDomain().fit(other).p_values(candidates), expected)

    def test_of_few_rows_calls_none_outside(self):
        domain = molgauge.FeatureDomain(level=0.05).fit(np.arange(10.0).reshape(-1, 1))
        self.assertEqual(list(domain.predict([[1e9]])), [1])

    def test_refuses_what_has_no_neighbours(self):
        with self.assertRaisesRegex(ValueError, "two different rows"):
            molgauge.FeatureDomain().fit(np.zeros((4, 1)))
        with self.assertRaisesRegex(ValueError, "n_neighbors is 0"):
            molgauge.FeatureDomain(n_neighbors=0).fit(np.zeros((4, 1)))


class Transformers(WithStore):
    def setUp(self):
        super().setUp()
        self.needed("sklearn")

    def test_give_tables_with_names(self):
        self.needed("pandas")
        step = molgauge.MoleculeTransformer("ecfp", store=self.store).set_output(transform="pandas")
        table = step.fit_transform(["CCO", ASPIRIN])
        self.assertEqual(list(table.columns[:2]), ["ecfp_0", "ecfp_1"])
        np.testing.assert_array_equal(table.to_numpy(), self.ecfp()(["CCO", ASPIRIN]))

    def test_work_in_pipelines_and_grid_searches(self):
        base = self.needed("sklearn.base")
        linear, pipeline = self.needed("sklearn.linear_model"), self.needed("sklearn.pipeline")
        selection, joblib = self.needed("sklearn.model_selection"), self.needed("joblib")
        smiles, y = np.array(ETHERS[:40]), np.arange(40.0)
        step = molgauge.MoleculeTransformer("ecfp", store=self.store, memory_budget=1 << 31)
        model = pipeline.Pipeline([("features", step), ("model", linear.Ridge())])
        search = selection.GridSearchCV(model, {"model__alpha": [0.1, 10.0], "features__threads": [1, 2]}, cv=3)
        search.fit(smiles, y)
        self.assertEqual(sorted(search.best_params_), ["features__threads", "model__alpha"])
        copy = base.clone(model)
        self.assertEqual(copy.get_params()["features__memory_budget"], 1 << 31)
        expected = copy.fit(smiles, y).predict(ETHERS[40:44])
        np.testing.assert_array_equal(expected, linear.Ridge().fit(self.ecfp()(smiles), y).predict(self.ecfp()(ETHERS[40:44])))
        joblib.dump(copy, self.folder / "model.joblib")
        np.testing.assert_array_equal(joblib.load(self.folder / "model.joblib").predict(ETHERS[40:44]), expected)
        with joblib.parallel_backend("threading"):
            scores = selection.cross_val_score(model, smiles, y, cv=3, n_jobs=2)
        np.testing.assert_array_equal(scores, selection.cross_val_score(model, smiles, y, cv=3))

    def test_do_with_failed_molecules_what_on_error_says(self):
        linear, pipeline = self.needed("sklearn.linear_model"), self.needed("sklearn.pipeline")
        smiles, y = ["CCO", "CCN", "junk", "CCCCO"], [1.0, 2.0, 3.0, 4.0]

        def model(on_error):
            step = molgauge.MoleculeTransformer("ecfp", on_error=on_error, store=self.store)
            return pipeline.make_pipeline(step, linear.Ridge())

        with self.assertRaisesRegex(molgauge.InputError, "row 2: 'junk'"):
            model("raise").fit(smiles, y)
        with self.assertRaisesRegex(ValueError, "NaN"):
            model("nan").fit(smiles, y)
        imputing = model("impute").fit(smiles, y)
        self.assertEqual([one.row for one in imputing[0].failed_], [2])
        means = self.ecfp()(["CCO", "CCN", "CCCCO"]).mean(axis=0)
        np.testing.assert_array_equal(imputing[0].transform(["more-junk"])[0], means)
        self.assertEqual(imputing.predict(["junk", "CCO"]).shape, (2,))
        with self.assertRaisesRegex(molgauge.InputError, "no means to impute"):
            model("impute").fit(["junk"], [1.0])
        with self.assertRaisesRegex(ValueError, "must keep every row. Choose 'raise', 'nan' or 'impute'"):
            model("drop").fit(smiles, y)
        # Invalid rows are removed from X and y before the pipeline.
        is_valid = ~np.isnan(self.ecfp()(smiles)[:, 0])
        kept = model("raise").fit(np.array(smiles)[is_valid], np.array(y)[is_valid])
        self.assertEqual(kept.predict(["CCO"]).shape, (1,))

    def test_can_be_pickled(self):
        step = molgauge.MoleculeTransformer("ecfp", store=self.store).fit(["CCO"])
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(step)).transform(["CN"]), step.transform(["CN"]))


class Domains(WithStore):
    PROBES = ["C" * 90 + "OCCCC", "[Na+].[Cl-].[Fe]", "nonsense"]

    def domain(self):
        return molgauge.Domain("ecfp", store=self.store)

    def test_can_be_cloned(self):
        sklearn = self.needed("sklearn.base")
        copy = sklearn.clone(self.domain().set_params(level=0.1, threads=1))
        self.assertEqual((copy.encoder, copy.level, copy.options["threads"]), ("ecfp", 0.1, 1))
        with self.assertRaisesRegex(ValueError, "Call fit"):
            copy.judge(["C"])

    def test_can_be_pickled_with_what_they_learnt(self):
        domain = self.domain().fit(ETHERS)
        packed, expected = pickle.dumps(domain), domain.p_values(self.PROBES)
        del domain  # its temporary folder is removed
        np.testing.assert_array_equal(pickle.loads(packed).p_values(self.PROBES), expected)

    def test_a_forked_child_does_not_remove_the_folder_of_its_parent(self):
        domain = self.domain().fit(ETHERS)
        child = os.fork()
        if child == 0:
            try:
                domain = None
                gc.collect()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        self.assertEqual(domain.predict([ETHERS[20]])[0], 1)

    def test_labels_with_the_same_text_are_different(self):
        pandas = self.needed("pandas")
        smiles = pandas.Series(ETHERS, index=[1, "1", *range(2, len(ETHERS))], dtype=object)
        near = self.domain().fit(smiles).neighbors([ETHERS[0], ETHERS[1]])
        self.assertEqual([one[0]["index"] for one in near], [1, "1"])

    def test_a_page_does_not_replace_a_file_of_the_domain(self):
        saved = self.folder / "saved"
        verdicts = molgauge.Domain("ecfp", store=self.store, folder=saved).fit(ETHERS).judge([ETHERS[20]])
        before = (saved / "molecules.csv").read_bytes()
        with self.assertRaisesRegex(molgauge.UsageError, "would replace molecules.csv of the domain"):
            verdicts.save_page(saved / "molecules.csv")
        self.assertEqual((saved / "molecules.csv").read_bytes(), before)

    def test_name_the_nearest_training_molecules(self):
        near = self.domain().fit(ETHERS).neighbors([ETHERS[20], "nonsense"])
        self.assertEqual(near[0][0]["smiles"], ETHERS[20])
        self.assertEqual(near[0][0]["tanimoto"], 1)
        self.assertEqual([len(one) for one in near], [3, 0])
        self.assertLessEqual(near[0][0]["distance"], near[0][2]["distance"])
        self.assertIsNone(near[0][0]["value"])

    @unittest.skipUnless(PROGRAM, "needs MOLGAUGE_PROGRAM")
    def test_know_the_measured_values_of_a_saved_domain(self):
        rings = [ring + ether for ring in ("C1CCCCC1", "c1ccccc1", "c1ccncc1", "C1CCCC1", "c1ccsc1") for ether in ETHERS[:30]]
        training, probe = self.folder / "training.csv", self.folder / "probe.csv"
        training.write_text("smiles,value\n" + "".join(f"{smiles},{row}.5\n" for row, smiles in enumerate(rings)))
        probe.write_text(f"smiles\n{rings[0]}\n")
        kept = self.folder / "kept"
        subprocess.run([PROGRAM, "domain", training, probe, "--encoder", "ecfp", "--label-column", "value", "--save", kept,
                        "--store", self.store, "--out", self.folder / "out.csv", "--quiet"], check=True, capture_output=True)
        near = molgauge.Domain.load(kept, store=self.store).neighbors([rings[40]])
        self.assertEqual((near[0][0]["smiles"], near[0][0]["value"]), (rings[40], 40.5))

    def test_have_the_signs_of_pyod_in_the_adapter(self):
        domain = self.domain()
        adapted = molgauge.pyod.PyodDetector(domain, contamination=0.05).fit(ETHERS)
        np.testing.assert_array_equal(adapted.decision_function(self.PROBES), -domain.score_samples(self.PROBES))
        self.assertEqual(list(adapted.predict(self.PROBES)), [0, 1, 1])
        self.assertLessEqual(adapted.labels_.mean(), 0.05)
        with self.assertRaisesRegex(ValueError, "contamination"):
            molgauge.pyod.PyodDetector(domain, contamination=1)


class Detectors(WithStore):
    def test_apply_a_saved_domain(self):
        kept = str(self.folder / "kept")
        molgauge.Domain("ecfp", store=self.store, folder=kept).fit(ETHERS)
        detector = molgauge.Detector.load(kept, store=self.store)
        probes = Domains.PROBES
        self.assertEqual(list(detector.predict(probes)), [1, -1, -1])
        self.assertEqual([one.row for one in detector.failed_], [2])
        scores = detector.score(probes, page=True)
        self.assertEqual(scores["ood_prediction"], [False, True, None])
        self.assertIn("SMILES", scores["reason"][2])
        self.assertIn("<iframe", scores._repr_html_())
        np.testing.assert_array_equal(detector.score_samples(probes), -scores.numpy("score"))

    def test_warn_once_of_a_gap_between_validation_and_test(self):
        report = {"molecules": [], "threshold": 2.0, "failed": [],
                  "warning": "the validation AUROC is 0.92, but the test AUROC is 0.58"}
        with mock.patch("molgauge.detector.session") as session, mock.patch("molgauge.detector.provide"):
            session.return_value.score.side_effect = lambda *_: (stream_of({"smiles": ["CCO"]}, {"score": [1.0]}), report)
            detector = molgauge.Detector("run")
            with self.assertWarnsRegex(UserWarning, "run: the validation AUROC is 0.92"):
                detector.score(["CCO"])
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                detector.score(["CCO"])
            self.assertEqual(detector.report_["warning"], report["warning"])

    def test_of_a_folder_that_does_not_exist_are_refused(self):
        with self.assertRaisesRegex(molgauge.InputError, "no such folder"):
            molgauge.Detector.load(self.folder / "none")


if __name__ == "__main__":
    unittest.main()
