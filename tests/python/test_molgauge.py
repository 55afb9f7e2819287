"""Tests the Python package with the library of this build: python3 -m unittest discover tests/python."""

import logging
import os
import pickle
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
from pathlib import Path
from typing import get_args
from unittest import mock

import numpy as np

import memgauge
import molgauge
from molgauge import _library, _session
from molgauge._molecules import smiles_of
from molgauge.encoding import EncoderName
from support import ASPIRIN, ETHERS, PROGRAM, WithStore, snapshot


class Encoding(WithStore):
    def test_rows_are_in_the_order_of_the_molecules(self):
        encode = self.ecfp()
        rows = encode(["CCO", ASPIRIN, "CCO"])
        self.assertEqual(rows.shape, (3, encode.width))
        self.assertEqual(rows.dtype, np.float32)
        np.testing.assert_array_equal(rows[0], rows[2])
        self.assertFalse(np.array_equal(rows[0], rows[1]))
        self.assertEqual(encode.failed_, [])
        self.assertEqual(encode.report_["rows"], 3)

    def test_one_molecule_is_a_list_of_one(self):
        np.testing.assert_array_equal(self.ecfp()("CCO"), self.ecfp()(["CCO"]))

    def test_no_molecule_is_no_row(self):
        self.assertEqual(self.ecfp()([]).shape, (0, 512))

    def test_paths_may_be_path_objects(self):
        store = self.folder / "store of a path"
        encode = molgauge.Encoder("ecfp", store=store)
        self.assertEqual(encode("CCO").shape, (1, 512))
        self.assertTrue(store.is_dir())

    def test_a_lone_surrogate_is_an_invalid_molecule(self):
        encoder = self.ecfp()
        features = encoder(["CCO", "C\ud800C"])
        self.assertTrue(np.isfinite(features[0]).all())
        self.assertTrue(np.isnan(features[1]).all())
        self.assertEqual([row.row for row in encoder.failed_], [1])

    def test_a_nul_character_is_refused_and_cuts_nothing(self):
        with self.assertRaisesRegex(molgauge.UsageError, "NUL"):
            molgauge.Encoder("ecfp", store=str(self.folder / "cut") + "\0off")("CCO")
        self.assertFalse((self.folder / "cut").exists())
        with self.assertRaisesRegex(molgauge.UsageError, "NUL"):
            self.ecfp()(["CCO\0C"])

    def test_a_second_call_takes_rows_from_the_store(self):
        encode = self.ecfp()
        first = encode([ASPIRIN])
        np.testing.assert_array_equal(encode([ASPIRIN]), first)
        self.assertEqual(encode.report_["from_store"], 1)

    @unittest.skipUnless(PROGRAM, "MOLGAUGE_PROGRAM names no program")
    def test_rows_are_those_of_the_command_line(self):
        smiles = ["CCO", ASPIRIN, "nonsense", "CN"]
        file = self.folder / "m.smi"
        file.write_text("".join(f"{one}\n" for one in smiles))
        out = self.folder / "m.npy"
        subprocess.run(
            [PROGRAM, "encode", file, "--encoder", "ecfp", "--store", self.folder / "other", "--out", out],
            check=True,
            capture_output=True,
        )
        self.assertEqual(np.load(out).tobytes(), self.ecfp()(smiles).tobytes())

    def test_failed_molecules_are_named(self):
        encode = self.ecfp()
        rows = encode(["CCO", "nonsense", None])
        self.assertTrue(np.isnan(rows[1:]).all())
        self.assertEqual([one.row for one in encode.failed_], [1, 2])
        self.assertIn("nonsense", encode.failed_[0].text)
        self.assertTrue(encode.failed_[0].reason)

    def test_type_checkers_know_every_encoder(self):
        self.assertEqual(list(get_args(EncoderName)), [one["name"] for one in molgauge.encoders()])

    def test_molecules_of_another_type_are_refused(self):
        encode = self.ecfp()
        for wrong, name in ((None, "NoneType"), (3, "int"), ({"smiles": ["CCO"]}, "dict"), ([b"CCO"], "bytes")):
            with self.assertRaisesRegex(TypeError, f"SMILES text.*, not {name}$"):
                encode(wrong)
        with self.assertRaisesRegex(TypeError, "the encoder is a name"):
            molgauge.encode("CCO", None)

    def test_a_misspelt_encoder_gets_a_suggestion(self):
        with self.assertRaisesRegex(molgauge.UsageError, "Did you mean .minimol."):
            molgauge.encode("CCO", "minmol")

    def test_values_that_are_not_numbers_are_refused_by_name(self):
        with self.assertRaisesRegex(molgauge.InputError, "'high' in the column measured is neither a number nor a class"):
            molgauge.Domain("ecfp", store=self.store).fit(["CCO"], y=["high"])
        with self.assertRaisesRegex(TypeError, "y must be numbers"):
            molgauge.Domain("ecfp", store=self.store).fit(["CCO"], y=[[1]])

    def test_every_failed_molecule_is_named_however_many(self):
        encode = self.ecfp()
        encode([f"bad{i}" for i in range(25000)] + ["CCO"])
        self.assertEqual([one.row for one in encode.failed_], list(range(25000)))
        self.assertEqual(encode.failed_[24000].text, "bad24000")
        self.assertIn("<td>bad24000</td>", encode.failed_._repr_html_())

    def test_failed_molecules_are_dropped_or_raised_where_asked_for(self):
        self.assertEqual(len(self.ecfp(on_error="drop")(["nonsense", "CCO"])), 1)
        with self.assertRaisesRegex(molgauge.InputError, "row 1: 'nonsense'"):
            self.ecfp(on_error="raise")(["CCO", "nonsense"])
        with self.assertRaisesRegex(ValueError, "Choose 'nan', 'drop' or 'raise'"):
            self.ecfp(on_error="ignore")

    def test_threads_take_turns(self):
        encode, found = self.ecfp(), {}
        smiles = ["C" * (i + 1) for i in range(8)]
        threads = [
            threading.Thread(target=lambda i=i: found.__setitem__(i, self.ecfp()([smiles[i]]))) for i in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expected = encode(smiles)
        for i in range(8):
            np.testing.assert_array_equal(found[i][0], expected[i])

    def test_eight_threads_encode_and_score_at_once(self):
        domain = molgauge.Domain("ecfp", store=self.store).fit(ETHERS)
        candidates = ETHERS[:3] + ["[Na+].[Cl-].[Fe]"]
        encoder = self.ecfp()
        expected = encoder(ETHERS[:5]), domain.p_values(candidates)
        found = [None] * 8

        def work(i):
            for _ in range(2):
                if i % 2 == 0:
                    found[i] = molgauge.encode(ETHERS[:5], "ecfp", store=self.store)
                else:
                    found[i] = domain.p_values(candidates)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for i, rows in enumerate(found):
            np.testing.assert_array_equal(rows, expected[i % 2])

    def test_calls_go_on_with_what_the_last_one_kept_unless_files_changed(self):
        encoder = self.ecfp()
        first = encoder("CCO")
        for _ in range(3):
            np.testing.assert_array_equal(encoder("CCO"), first)
            self.assertEqual(encoder.report_["encoded"], 0)
        shutil.rmtree(self.store)
        np.testing.assert_array_equal(encoder("CCO"), first)
        self.assertEqual(encoder.report_["encoded"], 1)
        other = molgauge.Encoder("ecfp", store=str(self.folder / "other"))
        np.testing.assert_array_equal(other("CCO"), first)
        self.assertEqual(other.report_["encoded"], 1)

    def test_options_are_numbers_of_numpy_and_text_in_utf8(self):
        self.assertEqual(molgauge.Encoder("ecfp", store=self.store, threads=np.int64(1))(["CCO"]).shape[0], 1)
        for options, text in (
            ({"conformer_deadline": float("nan")}, "conformer_deadline: nan is not a finite number"),
            ({"weights": "/tmp/\udcff"}, "is not UTF-8. Rename"),
            ({"weights": Path("/tmp/\udcff")}, "is not UTF-8. Rename"),
        ):
            with self.assertRaisesRegex(molgauge.UsageError, text):
                molgauge.encode(["C"], "ecfp", store=self.store, **options)

    def test_an_encoder_can_be_pickled(self):
        copy = pickle.loads(pickle.dumps(self.ecfp(on_error="drop", threads=2)))
        self.assertEqual((copy.name, copy.on_error, copy.options["threads"]), ("ecfp", "drop", 2))


class Errors(WithStore):
    def test_have_the_texts_of_the_command_line(self):
        with self.assertRaisesRegex(molgauge.UsageError, "encoder") as caught:
            molgauge.encode(["CCO"], "efcp", store=self.store)
        self.assertEqual(caught.exception.code, 2)
        with self.assertRaisesRegex(molgauge.UsageError, "there is no option 'thread' of molgauge encode. Did you mean 'threads'"):
            molgauge.encode(["CCO"], "ecfp", store=self.store, thread=2)
        with self.assertRaises(molgauge.OverBudgetError):
            molgauge.encode(["CCO"], "ecfp", store=self.store, memory_budget="1MiB")

    def test_are_also_those_of_python(self):
        self.assertTrue(issubclass(molgauge.UsageError, ValueError))
        self.assertTrue(issubclass(molgauge.OverBudgetError, MemoryError))


class Molecules(unittest.TestCase):
    def test_may_be_any_iterable(self):
        self.assertEqual(smiles_of(one for one in ("C", "CC")), ["C", "CC"])
        self.assertEqual(smiles_of(np.array(["C", "CC"])), ["C", "CC"])
        self.assertEqual(smiles_of(np.array([["C"], ["CC"]], dtype=object)), ["C", "CC"])
        self.assertEqual(smiles_of(["C", None, float("nan")]), ["C", "", ""])
        with self.assertRaisesRegex(ValueError, "2 columns"):
            smiles_of(np.array([["C", "1"]]))
        with self.assertRaisesRegex(TypeError, "int"):
            smiles_of([1])

    def test_may_be_a_column_of_a_table(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        table = pandas.DataFrame({"smiles": ["C", pandas.NA, "CC"]})
        self.assertEqual(smiles_of(table["smiles"]), ["C", "", "CC"])
        self.assertEqual(smiles_of(table), ["C", "", "CC"])

    def test_may_be_a_column_of_polars(self):
        try:
            import polars
        except ImportError:
            self.skipTest("polars is not installed")
        table = polars.DataFrame({"smiles": ["C", None, "CC"]})
        self.assertEqual(smiles_of(table["smiles"]), ["C", "", "CC"])
        self.assertEqual(smiles_of(table), ["C", "", "CC"])

    def test_may_be_those_of_rdkit(self):
        try:
            from rdkit import Chem
        except ImportError:
            self.skipTest("RDKit's Python package is not installed")
        self.assertEqual(smiles_of([Chem.MolFromSmiles("OCC")]), ["CCO"])


class Domains(WithStore):
    #: An ether, a salt with a metal, and an invalid SMILES.
    TRAINING = ETHERS
    PROBES = ["C" * 90 + "OCCCC", "[Na+].[Cl-].[Fe]", "nonsense"]

    def domain(self, **options):
        return molgauge.Domain("ecfp", store=self.store, **options)

    def test_judges_predictions_of_the_users_model(self):
        random = np.random.default_rng(1)
        measured = random.normal(size=len(ETHERS)) + np.arange(len(ETHERS)) % 7
        predicted = measured + random.normal(size=len(ETHERS))
        missing = predicted.copy()
        missing[3] = np.nan
        domain = self.domain().fit(self.TRAINING, measured, predictions=missing, out_of_fold=True)
        verdicts = domain.judge(ETHERS, predictions=missing)
        lower, upper = verdicts.numbers("prediction_lower"), verdicts.numbers("prediction_upper")
        self.assertTrue(np.isnan(lower[3]))
        known = ~np.isnan(lower)
        self.assertEqual(np.count_nonzero(known), len(ETHERS) - 1)
        covered = (lower <= measured) & (measured <= upper)
        self.assertGreater(covered[known].mean(), 0.85)
        self.assertLess(covered[known].mean(), 0.97)
        self.assertNotIn("prediction_lower", domain.judge(ETHERS))

        others = ["N" + "C" * i + "OC" for i in range(1, 61)]
        labels = np.arange(60) % 2
        domain = self.domain().fit(self.TRAINING, labels, predictions=0.2 + 0.5 * labels, calibration=others)
        self.assertEqual(domain.judge(others[:2], predictions=[0.2, 0.7])["prediction_set"], ["0", "1"])

        with self.assertRaisesRegex(ValueError, "Give them as y"):
            self.domain().fit(self.TRAINING, predictions=predicted)
        with self.assertRaisesRegex(ValueError, "199 values for 200 molecules"):
            self.domain().fit(self.TRAINING, measured, predictions=predicted[1:])

    def test_tells_what_lies_outside(self):
        domain = self.domain().fit(self.TRAINING)
        verdicts = domain.judge(self.PROBES)
        self.assertEqual(verdicts["smiles"], self.PROBES)
        self.assertEqual(verdicts["domain"], ["inside", "outside", "unreadable"])
        self.assertIn("SMILES", verdicts["domain_reason"][2])
        self.assertEqual(list(domain.predict(self.PROBES)), [1, -1, -1])
        p_values, scores = domain.p_values(self.PROBES), domain.score_samples(self.PROBES)
        self.assertGreater(p_values[0], p_values[1])
        self.assertGreater(scores[0], scores[1])
        self.assertTrue(np.isnan(p_values[2]) and np.isnan(scores[2]))
        self.assertEqual(list(domain.decision_function(self.PROBES[:2]) > 0), [True, False])
        verdicts.save_page(self.folder / "page.html")
        self.assertIn("<html", (self.folder / "page.html").read_text())

    def test_answers_do_not_depend_on_the_other_molecules(self):
        domain = self.domain().fit(self.TRAINING)
        probes = self.PROBES + ["CCOCC", "CCN", "c1ccccc1"]
        random = np.random.default_rng(0)
        together, p_values = domain.predict(probes), domain.p_values(probes)
        for _ in range(5):
            order = random.permutation(len(probes))[: random.integers(1, len(probes) + 1)]
            chosen = [probes[i] for i in order]
            np.testing.assert_array_equal(domain.predict(chosen), together[order])
            np.testing.assert_array_equal(domain.p_values(chosen), p_values[order])
            np.testing.assert_array_equal(domain.decision_function(chosen) < 0, p_values[order] <= domain.level)

    def test_is_kept_in_a_folder(self):
        kept = str(self.folder / "kept")
        first = self.domain(folder=kept).fit(self.TRAINING).p_values(self.PROBES[:2])
        again = molgauge.Domain.load(kept, store=self.store)
        np.testing.assert_array_equal(again.p_values(self.PROBES[:2]), first)
        again.save(str(self.folder / "copy"))
        self.assertTrue((self.folder / "copy").is_dir())

    def test_asks_for_training_molecules(self):
        with self.assertRaisesRegex(ValueError, "Call fit"):
            self.domain().judge(["C"])
        with self.assertRaisesRegex(molgauge.InputError, "too few"):
            self.domain().fit(["C", "CC"])


class Transformer(WithStore):
    def setUp(self):
        super().setUp()
        try:
            import sklearn  # noqa: F401
        except ImportError:
            self.skipTest("scikit-learn is not installed")

    def test_is_a_step_of_a_pipeline(self):
        from sklearn.base import clone
        from sklearn.linear_model import Ridge
        from sklearn.pipeline import make_pipeline

        step = molgauge.MoleculeTransformer("ecfp", store=self.store)
        pipeline = clone(make_pipeline(step, Ridge()))
        smiles = ["C" * (i + 1) for i in range(10)]
        pipeline.fit(smiles, range(10))
        self.assertEqual(pipeline.predict(["CCO"]).shape, (1,))
        self.assertEqual(list(step.fit(smiles).get_feature_names_out()[:2]), ["ecfp_0", "ecfp_1"])
        with self.assertRaisesRegex(molgauge.InputError, "row 1: 'nonsense'"):
            pipeline.predict(["CCO", "nonsense"])
        imputing = molgauge.MoleculeTransformer("ecfp", store=self.store, on_error="impute").fit([*smiles, "nonsense"])
        np.testing.assert_allclose(imputing.transform(["nonsense"])[0], self.ecfp()(smiles).mean(axis=0), rtol=1e-6)
        with self.assertRaisesRegex(ValueError, "must keep every row"):
            clone(step).set_params(on_error="drop").fit(smiles)


class Process(WithStore):
    """Tests that concern the whole process run in a separate process."""

    def run_python(self, text, **options):
        return subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(text)],
            env={**os.environ, "STORE": self.store},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    def test_a_fork_is_refused_with_the_way_out(self):
        ended = self.run_python(
            """
            import os, molgauge
            molgauge.encode(["C"], "ecfp", store=os.environ["STORE"])
            child = os.fork()
            if child == 0:
                try:
                    molgauge.encode(["C"], "ecfp", store=os.environ["STORE"])
                except molgauge.UsageError as problem:
                    os._exit(0 if "spawn" in str(problem) else 1)
                os._exit(2)
            raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        )
        _, problems = ended.communicate(timeout=120)
        self.assertEqual(ended.returncode, 0, problems)

    def test_the_interpreter_ends_during_work(self):
        ended = self.run_python(
            """
            import os, sys, threading, time, molgauge
            smiles = ["C" * (i % 300 + 1) + "O" * (i // 300 % 2) + "N" * (i // 600) for i in range(60_000)]
            work = lambda: molgauge.encode(smiles, "ecfp", store=os.environ["STORE"], threads=1)
            threading.Thread(target=work, daemon=True).start()
            while not os.path.exists(os.path.join(os.environ["STORE"], "data.mdb")):
                time.sleep(0.01)
            sys.exit(7)
            """
        )
        _, problems = ended.communicate(timeout=120)
        self.assertEqual(ended.returncode, 7, problems)
        # Finished work is kept, and nothing is damaged.
        self.assertEqual(molgauge._session.session().run("store_verify", {"store": self.store})["damaged"], 0)

    def test_ctrl_c_stops_and_keeps_what_is_finished(self):
        running = self.run_python(
            """
            import os, signal, molgauge
            signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore Ctrl-C
            smiles = ["C" * (i % 300 + 1) + "O" * (i // 300 % 2) + "N" * (i // 600) for i in range(60_000)]
            print("begins", flush=True)
            try:
                molgauge.encode(smiles, "ecfp", store=os.environ["STORE"], threads=1)
            except KeyboardInterrupt:
                print("stopped")
            """
        )
        self.assertEqual(running.stdout.readline(), "begins\n")
        while running.poll() is None and not Path(self.store, "data.mdb").exists():
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        output, problems = running.communicate(timeout=120)
        self.assertIn("stopped", output, problems)


class Explanations(WithStore):
    def test_read_what_torch_returns(self):
        page = self.folder / "page.html"
        found = memgauge.explain(snapshot(), page=str(page))
        self.assertEqual(found["format_version"], 1)
        self.assertIn("1.00 MiB", found.verdict)
        self.assertIn(found.verdict, str(found))
        self.assertTrue(page.exists())
        self.assertIn("<iframe", found._repr_html_())

    def test_refuse_what_is_no_snapshot(self):
        file = self.folder / "no.pickle"
        file.write_bytes(b"no")
        with self.assertRaises(memgauge.InputError):
            memgauge.explain(file)


class Weights(WithStore):
    def test_are_listed(self):
        self.assertEqual(molgauge.weights.installed(str(self.folder / "none")), [])

    def test_of_an_encoder_without_any_are_refused(self):
        with self.assertRaisesRegex(molgauge.UsageError, "no weights to install"):
            molgauge.weights.install("ecfp", weights=str(self.folder / "weights"))


class Library(unittest.TestCase):
    def test_tells_its_version(self):
        self.assertRegex(molgauge.__version__, r"^\d+\.\d+\.\d+$")

    def test_hands_its_log_to_python(self):
        warning = 3  # MOLGAUGE_LOG_WARNING
        with self.assertLogs("molgauge", logging.WARNING) as kept:
            _session.session()._log(None, warning, b"the disk is nearly full: 98 %")
        self.assertEqual(kept.output, ["WARNING:molgauge:the disk is nearly full: 98 %"])

    def test_a_missing_one_is_named(self):
        with mock.patch.dict(os.environ, {"MOLGAUGE_LIBRARY": "/nonexistent/libmolgauge.so"}):
            with self.assertRaisesRegex(ImportError, "MOLGAUGE_LIBRARY"):
                _library.load()


if __name__ == "__main__":
    unittest.main()
