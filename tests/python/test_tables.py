"""Tests typed tables: results of in-memory calls, and columns that users pass to these calls."""

import csv
import logging
import math
import os
import pickle
import shutil
import subprocess
import sys
import textwrap
import unittest
from pathlib import Path

import numpy as np

import molgauge
from molgauge._arrow import Table, stream_of
from molgauge._molecules import Molecules
from support import ETHERS, PROGRAM, WithStore

PROBES = ["C" * 90 + "OCCCC", "[Na+].[Cl-].[Fe]", "nonsense", ETHERS[20]]
RINGS = [ring + ether for ring in ("C1CCCCC1", "c1ccccc1", "c1ccncc1", "C1CCCC1", "c1ccsc1", "C1CCNCC1") for ether in ETHERS[:30]]


class WithDomain(WithStore):
    def fitted(self, **options):
        return molgauge.Domain("ecfp", store=self.store, **options).fit(ETHERS)


class Verdicts(WithDomain):
    def test_have_types(self):
        verdicts = self.fitted().judge(PROBES)
        self.assertEqual(verdicts.num_rows, 4)
        self.assertEqual(verdicts["smiles"], PROBES)
        self.assertEqual(verdicts["domain"], ["inside", "outside", "unreadable", "inside"])
        p_values = verdicts.numpy("domain_p_value")
        self.assertEqual(p_values.dtype, np.float64)
        self.assertEqual(list(np.isnan(p_values)), [False, False, True, False])
        self.assertEqual(verdicts["in_training"], [False, False, None, True])
        self.assertIsNone(verdicts["domain_reason"][0])
        self.assertEqual(len(verdicts["nearest"][0]), 3)
        self.assertEqual(verdicts["nearest"][2], [])
        self.assertEqual(verdicts["nearest"][3][0]["smiles"], ETHERS[20])
        with self.assertRaisesRegex(KeyError, "no column 'p'"):
            verdicts.numpy("p")
        with self.assertRaisesRegex(TypeError, "to_pandas"):
            np.asarray(verdicts)

    def test_tell_what_they_found(self):
        verdicts = self.fitted().judge(PROBES)
        self.assertEqual(
            str(verdicts),
            "4 molecules against 200 training molecules (ecfp): 2 inside, 0 borderline, 1 outside, 1 unreadable",
        )
        page = verdicts.to_html()
        self.assertEqual(page.count("<svg"), 3)
        self.assertIn("unreadable", page)
        self.assertEqual([one.row for one in verdicts.failed], [2])

    def test_of_no_molecules_are_empty(self):
        verdicts = self.fitted().judge([])
        self.assertEqual((verdicts.num_rows, verdicts["domain"]), (0, []))
        self.assertEqual(self.fitted().predict([]).shape, (0,))

    def test_name_neighbours_by_the_index_of_the_training_molecules(self):
        pandas = self.needed("pandas")
        training = pandas.Series(ETHERS, index=[1000 + i for i in range(len(ETHERS))])
        domain = molgauge.Domain("ecfp", store=self.store).fit(training)
        self.assertEqual(domain.neighbors([ETHERS[20]])[0][0]["index"], 1020)
        self.assertEqual(domain.judge([ETHERS[20]])["nearest_1_name"], ["1020"])
        self.assertEqual(self.fitted().neighbors([ETHERS[20]])[0][0]["index"], 20)

    def test_log_how_many_molecules_failed(self):
        domain = self.fitted()
        with self.assertLogs("molgauge", logging.WARNING) as kept:
            domain.judge(PROBES)
        self.assertRegex(kept.output[-1], "1 of 4 molecules failed: row 2: 'nonsense': looks like a name, not a SMILES")
        with self.assertLogs("molgauge", logging.WARNING) as kept:
            molgauge.encode(["CCO", "junk"], "ecfp", store=self.store)
        self.assertRegex(kept.output[-1], "1 of 2 molecules failed: row 1: 'junk'")

    @unittest.skipUnless(PROGRAM, "MOLGAUGE_PROGRAM names no program")
    def test_are_those_of_the_command_line(self):
        random = np.random.default_rng(3)
        measured = random.normal(size=len(RINGS))
        predicted = measured + random.normal(size=len(RINGS))
        training, candidates, out = self.folder / "t.csv", self.folder / "c.csv", self.folder / "o.csv"
        with open(training, "w", newline="") as file:
            csv.writer(file).writerows(
                [["smiles", "name", "measured", "prediction"], *zip(RINGS, range(len(RINGS)), measured, predicted)]
            )
        with open(candidates, "w", newline="") as file:
            csv.writer(file).writerows([["smiles", "prediction"], *zip(PROBES, (0.5, -0.5, 1.0, 2.0))])
        words = [PROGRAM, "domain", training, candidates, "--encoder", "ecfp", "--store", self.store, "--label-column",
                 "measured", "--prediction-column", "prediction", "--out-of-fold", "--save", self.folder / "saved",
                 "--coverage", "0.9", "--out", out, "--quiet"]
        subprocess.run([str(word) for word in words], check=True, capture_output=True)
        with open(out, newline="") as file:
            expected = list(csv.DictReader(file))
        domain = molgauge.Domain("ecfp", store=self.store).fit(RINGS, measured, predictions=predicted, out_of_fold=True)
        for own in (domain, molgauge.Domain.load(self.folder / "saved", store=self.store)):
            verdicts = own.judge(PROBES, predictions=[0.5, -0.5, 1.0, 2.0])
            names = [name for name in expected[0] if name != "prediction"]
            self.assertEqual([name for name in verdicts if name != "nearest"], names)
            for name in names:
                cells = [row[name] for row in expected]
                self.assertEqual([_cell(name, value) for value in verdicts[name]], cells, name)

    def test_page_is_written_when_asked_for(self):
        verdicts = self.fitted().judge(PROBES)
        verdicts.save_page(self.folder / "page.html")
        self.assertIn("<html", (self.folder / "page.html").read_text())
        self.assertEqual(sorted(one.name for one in self.folder.iterdir()), ["page.html", "store"])

    def test_calls_write_no_files_outside_the_store(self):
        strace = shutil.which("strace")
        if strace is None:
            self.skipTest("strace is not installed")
        text = """
            import os, molgauge
            from support import ETHERS
            store, saved = os.environ["STORE"], os.environ["SAVED"]
            domain = molgauge.Domain("ecfp", store=store, folder=saved).fit(ETHERS)
            print("fitted", flush=True)
            domain.judge(ETHERS[:50] + ["nonsense"]).to_html()
            molgauge.Detector.load(saved, store=store).score(ETHERS[:5])
            molgauge.encode(ETHERS[:5], "ecfp", store=store)
        """
        trace, saved = self.folder / "trace", self.folder / "saved"
        subprocess.run(
            [strace, "-f", "-qq", "-s", "300", "-e", "trace=openat,open,creat,mkdir,mkdirat,rename", "-o", trace, sys.executable,
             "-c", textwrap.dedent(text)],
            env={**os.environ, "STORE": self.store, "SAVED": str(saved)}, check=True, capture_output=True,
            cwd=Path(__file__).parent,
        )
        written = [line for line in trace.read_text(errors="replace").splitlines()
                   if ("O_CREAT" in line or "mkdir" in line or "rename(" in line) and "= -1" not in line]
        # A saved domain is written into a hidden folder beside it, which then takes its name.
        places = [self.store, str(saved), str(self.folder / ".saved."), "/dev/"]
        others = [line for line in written if not any(place in line for place in places)]
        self.assertEqual(others, [])

    def test_ten_thousand_calls_do_not_grow(self):
        domain = self.fitted()
        pages = Path("/proc/self/statm")
        for count in range(10_000):
            table = Table(stream_of({"smiles": ["CCO", "CN"]}, {"value": [1.0, math.nan]}))
            capsule = table.__arrow_c_stream__()
            del capsule, table
            if count == 2_000:
                before = int(pages.read_text().split()[1])
        for count in range(300):
            domain.judge(["CCOCC"])
            if count == 100:
                judged = int(pages.read_text().split()[1])
        after = int(pages.read_text().split()[1])
        self.assertLess((judged - before) * 4096, 64 << 20)
        self.assertLess((after - judged) * 4096, 4 << 20)


def _cell(name, value):
    """Returns a value in the form that domain.csv contains."""
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return value
    digits = ".4f" if name.endswith("_tanimoto") else ".12g" if name.startswith("prediction_") else ".6g"
    is_measured = name.startswith("nearest_") and name.endswith("_value")
    return _plain(value) if is_measured else format(value, digits)


def _plain(value):
    """Returns the shortest text of a number. Whole numbers have no fraction."""
    return repr(value)[:-2] if repr(value).endswith(".0") else repr(value)


class Libraries(WithDomain):
    def test_pandas_keeps_the_index(self):
        pandas = self.needed("pandas")
        candidates = pandas.DataFrame({"smiles": PROBES}, index=list("wxyz"))
        table = self.fitted().judge(candidates["smiles"]).to_pandas()
        self.assertEqual(list(table.index), list("wxyz"))
        self.assertEqual(list(table.index[table.domain_p_value < 0.05]), ["x"])
        self.assertEqual(str(table.domain.dtype), "category")
        self.assertEqual(str(table.in_training.dtype), "boolean")

    def test_polars_pyarrow_and_duckdb_read_every_column(self):
        verdicts = self.fitted().judge(PROBES)
        expected = {name: verdicts[name] for name in verdicts}
        read = {}
        try:
            import pyarrow

            read["pyarrow"] = pyarrow.table(verdicts).to_pydict()
        except ImportError:
            pass
        try:
            import polars

            read["polars"] = polars.DataFrame(verdicts).to_dict(as_series=False)
        except ImportError:
            pass
        try:
            import duckdb
            import pyarrow as arrow

            reader = arrow.RecordBatchReader.from_stream(verdicts)
            relation = duckdb.sql("select * from reader")
            read["duckdb"] = dict(zip(relation.columns, map(list, zip(*relation.fetchall()))))
        except ImportError:
            pass
        if not read:
            self.skipTest("neither pyarrow, polars nor duckdb is installed")
        for library, table in read.items():
            self.assertEqual(list(table), list(expected), library)
            for name, column in table.items():
                plain = [None if isinstance(one, float) and math.isnan(one) else one for one in expected[name]]
                self.assertEqual(column, plain, (library, name))

    def test_columns_of_arrow_libraries_are_molecules(self):
        domain = self.fitted()
        expected = domain.p_values(PROBES[:2])
        columns = {}
        try:
            import pyarrow

            plain = pyarrow.array(PROBES[:2])
            columns["array"] = plain
            columns["large"] = plain.cast(pyarrow.large_string())
            columns["dictionary"] = plain.dictionary_encode()
            columns["chunks"] = pyarrow.chunked_array([plain[:1], plain[1:]])
            columns["slice"] = pyarrow.array(["C", *PROBES[:2]])[1:]
            columns["table"] = pyarrow.table({"any name": plain})
        except ImportError:
            pass
        try:
            import polars

            columns["polars"] = polars.Series(PROBES[:2])
            columns["categories"] = polars.Series(PROBES[:2], dtype=polars.Categorical)
        except ImportError:
            pass
        if not columns:
            self.skipTest("neither pyarrow nor polars is installed")
        for kind, column in columns.items():
            np.testing.assert_array_equal(domain.p_values(column), expected, kind)
            self.assertEqual(Molecules(column).smiles, PROBES[:2])

    def test_an_empty_table_is_a_list_without_molecules(self):
        arrow = self.needed("pyarrow")

        class Lazy:
            """A table of a library that does not know the number of its rows. Its stream has no batches."""

            def __arrow_c_stream__(self, requested_schema=None):
                schema = arrow.schema({"smiles": arrow.string()})
                return arrow.RecordBatchReader.from_batches(schema, []).__arrow_c_stream__()

        domain = self.fitted()
        for empty in (Lazy(), arrow.table({"smiles": arrow.array([], arrow.string())}), arrow.chunked_array([], arrow.string())):
            verdicts = domain.judge(empty)
            self.assertEqual((verdicts.num_rows, verdicts["domain"]), (0, []))
        with self.assertRaisesRegex(molgauge.Error, "no molecules"):
            molgauge.Domain("ecfp", store=self.store).fit(arrow.table({"smiles": arrow.array([], arrow.string())}))

    def test_a_reader_that_was_already_read_is_refused(self):
        arrow = self.needed("pyarrow")
        domain = self.fitted()
        batches = arrow.table({"smiles": PROBES}).to_batches(max_chunksize=2)
        reader = arrow.RecordBatchReader.from_batches(batches[0].schema, batches)
        self.assertEqual(domain.judge(reader)["domain"], domain.judge(PROBES)["domain"])
        with self.assertRaisesRegex(ValueError, "it was already read, or its table is empty. Pass the table itself"):
            domain.judge(reader)

    def test_nulls_are_molecules_that_fail(self):
        polars = self.needed("polars")
        verdicts = self.fitted().judge(polars.Series(["CCOCC", None]))
        self.assertEqual([one.row for one in verdicts.failed], [1])


class State(WithDomain):
    def test_of_a_loaded_domain_is_the_saved_one(self):
        folder = str(self.folder / "saved")
        molgauge.Domain("ecfp", method="tanimoto", level=0.07, folder=folder, store=self.store).fit(ETHERS)
        loaded = molgauge.Domain.load(folder, store=self.store)
        self.assertEqual((loaded.encoder, loaded.method, loaded.level), ("ecfp", "tanimoto", 0.07))
        self.assertIn("encoder='ecfp', method='tanimoto', level=0.07", repr(loaded))
        again = loaded.fit(ETHERS[:150])
        np.testing.assert_array_equal(
            again.p_values(PROBES[:2]),
            molgauge.Domain("ecfp", method="tanimoto", level=0.07, store=self.store).fit(ETHERS[:150]).p_values(PROBES[:2]),
        )
        with self.assertRaisesRegex(molgauge.UsageError, "encoder has no effect"):
            molgauge.Domain.load(folder, encoder="minimol")
        with self.assertRaisesRegex(molgauge.InputError, "not a saved domain"):
            molgauge.Domain.load(self.folder / "none")

    def test_of_a_clone_is_that_of_the_loaded_domain(self):
        clone = self.needed("sklearn.base").clone
        folder = str(self.folder / "saved")
        self.fitted(folder=folder)
        copy = clone(molgauge.Domain.load(folder, store=self.store))
        self.assertEqual((copy.encoder, copy.method, copy._fitted), ("ecfp", "combined", None))

    def test_has_no_misspelt_arguments(self):
        for call in (
            lambda: molgauge.Domain("ecfp", thread=1),
            lambda: molgauge.Encoder("ecfp", thread=1),
            lambda: molgauge.Detector("run", thread=1),
            lambda: molgauge.Domain("ecfp").set_params(thread=1),
        ):
            with self.assertRaisesRegex(molgauge.UsageError, "no option 'thread'.*Did you mean 'threads'"):
                call()
        with self.assertRaisesRegex(molgauge.UsageError, "Did you mean 'level'"):
            molgauge.Domain(levl=0.1)
        with self.assertRaisesRegex(molgauge.UsageError, "Choose one of 2d, fail"):
            molgauge.Encoder("ecfp", conformer_fallback="3d")

    def test_y_is_used(self):
        values = np.arange(len(RINGS)) / 7
        domain = molgauge.Domain("ecfp", store=self.store).fit(RINGS, values)
        verdicts = domain.judge(RINGS[:2])
        self.assertEqual(verdicts["nearest_1_value"], [values[0], values[1]])
        self.assertTrue(np.isfinite(verdicts.numpy("domain_expected_error")).all())
        self.assertEqual(domain.neighbors(RINGS[3:4])[0][0]["value"], values[3])

    def test_labels_are_numbers_bool_or_texts(self):
        active = [place % 2 == 0 for place in range(len(RINGS))]
        expected = molgauge.Domain("ecfp", store=self.store).fit(RINGS, [float(own) for own in active])
        self.assertRegex(expected.report_["error_summary"], "AUROC")
        names = ["Active" if own else "inactive" for own in active]
        for labels in (active, np.array(active), names, np.array(names), [str(own) for own in active]):
            fitted = molgauge.Domain("ecfp", store=self.store).fit(RINGS, labels)
            self.assertEqual(fitted.report_["error_summary"], expected.report_["error_summary"])
        missing = molgauge.Domain("ecfp", store=self.store).fit(RINGS, [None, ">10", *names[2:]])
        self.assertEqual(missing.report_["censored_labels"], 1)
        with self.assertRaisesRegex(molgauge.InputError, "<training molecules>:1: 'high' in the column measured"):
            molgauge.Domain("ecfp", store=self.store).fit(RINGS, ["high", *names[1:]])
        counts = [place % 3 for place in range(len(RINGS))]
        with self.assertRaisesRegex(molgauge.InputError, "more than two classes"):
            molgauge.Domain("ecfp", store=self.store).fit(RINGS, counts)
        molgauge.Domain("ecfp", store=self.store).fit(RINGS, counts, labels_are_numbers=True)
        with self.assertRaisesRegex(ValueError, "labels_are_numbers has no effect without y"):
            molgauge.Domain("ecfp", store=self.store).fit(RINGS, labels_are_numbers=True)

    def test_labels_may_be_columns_of_pandas(self):
        pandas = self.needed("pandas")
        names = ["yes" if place % 2 == 0 else "no" for place in range(len(RINGS))]
        expected = molgauge.Domain("ecfp", store=self.store).fit(RINGS, names)
        table = pandas.DataFrame({"smiles": RINGS, "class": names, "bool": [name == "yes" for name in names]})
        for labels in (table["class"], table["class"].astype("category"), table["class"].astype("string"),
                       table["bool"], table["bool"].astype("boolean")):
            fitted = molgauge.Domain("ecfp", store=self.store).fit(table["smiles"], labels)
            self.assertEqual(fitted.report_["error_summary"], expected.report_["error_summary"])

    def test_has_tags_for_scikit_learn(self):
        utils = self.needed("sklearn.utils")
        if not hasattr(utils, "get_tags"):
            self.skipTest("scikit-learn 1.6 has get_tags")
        self.assertEqual(utils.get_tags(molgauge.Domain("ecfp")).estimator_type, "outlier_detector")
        self.assertEqual(list(molgauge.Domain("ecfp", store=self.store).fit_predict(ETHERS)), [1] * len(ETHERS))

    def test_level_of_the_log_is_that_of_logging_at_every_call(self):
        logger = logging.getLogger("molgauge")
        before = logger.level
        try:
            logger.setLevel(logging.ERROR)
            self.fitted()
            self.assertEqual(molgauge._session.session()._level, 4)
            logger.setLevel(logging.WARNING)
            with self.assertLogs("molgauge", logging.WARNING) as kept:
                molgauge.Domain("ecfp", level=0.001, store=self.store).fit(ETHERS)
        finally:
            logger.setLevel(before)
        self.assertRegex(kept.output[0], "<training molecules>: p-values below")

    def test_domains_are_pickled_with_the_index(self):
        copy = pickle.loads(pickle.dumps(self.fitted()))
        self.assertEqual(copy.neighbors([ETHERS[20]])[0][0]["index"], 20)


class Misuse(WithDomain):
    def test_is_refused_by_name(self):
        domain = self.fitted()
        with self.assertRaisesRegex(TypeError, "bytes"):
            domain.judge(b"CCO")
        with self.assertRaisesRegex(TypeError, "bytes"):
            domain.judge([b"CCO"])
        with self.assertRaisesRegex(molgauge.UsageError, "row 1 of the column 'smiles' has a NUL character after 'CC'"):
            domain.judge(["C", "CC\0O"])
        with self.assertRaises(TypeError):
            domain.judge(None)
        with self.assertRaises(TypeError):
            pickle.dumps(domain.judge(["CCO"]))

    def test_very_long_and_strange_texts_fail_alone(self):
        verdicts = self.fitted().judge(["C" * 1_000_000, ETHERS[20], "é\udcff", ""])
        self.assertEqual(verdicts["domain"][1:], ["inside", "unreadable", "unreadable"])
        self.assertEqual(verdicts["domain"][0], "unreadable")

    def test_a_forked_process_is_told_so(self):
        self.fitted()
        child = os.fork()
        if child == 0:
            try:
                molgauge.Encoder("minimol").width
            except molgauge.UsageError as problem:
                os._exit(0 if "spawn" in str(problem) else 1)
            os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)


class Pockets(WithStore):
    def test_are_built_from_graphs(self):
        graphs = Path(__file__).resolve().parents[1] / "fixtures" / "pocket" / "graphs"
        if not graphs.is_dir():
            self.skipTest("no checkout")
        report = molgauge.pocket.build(graphs, self.folder / "set", threads=1)
        self.assertEqual((report["pockets"], report["built"]), (4, 2))
        with self.assertRaisesRegex(molgauge.UsageError, "no option 'thread'.*Did you mean 'threads'"):
            molgauge.pocket.build(graphs, self.folder / "other", thread=1)


class Encoders(unittest.TestCase):
    def test_have_the_names_that_type_checkers_know(self):
        text = (Path(molgauge.__file__).parent / "encoding.py").read_text(encoding="utf-8")
        for one in molgauge.encoders():
            self.assertIn(f'"{one["name"]}"', text.split("EncoderName = Literal", 1)[1].splitlines()[0])


class Budgets(WithStore):
    def test_are_texts_or_bytes(self):
        for budget in ("1GiB", 1 << 30):
            encoder = self.ecfp(memory_budget=budget)
            self.assertEqual(encoder(["CCO"]).shape, (1, 512))
        with self.assertRaises(molgauge.OverBudgetError):
            self.ecfp(memory_budget=1 << 20)(["CCO", "CCN"])
        with self.assertRaises(molgauge.UsageError):
            self.ecfp(memory_budget=-1)(["CCO"])
        with self.assertRaises(molgauge.UsageError):
            self.ecfp(memory_budget=1.5)(["CCO"])
        domain = molgauge.Domain("ecfp", store=self.store, memory_budget=1 << 31).fit(ETHERS)
        self.assertEqual(domain.judge([ETHERS[20]])["domain"], ["inside"])


class GeneratedPages(unittest.TestCase):
    @unittest.skipUnless(PROGRAM, "MOLGAUGE_PROGRAM names no program")
    def test_verbs_of_the_c_api_are_current(self):
        script = Path(__file__).resolve().parents[2] / "scripts" / "c-api-verbs"
        library = os.environ.get("MOLGAUGE_LIBRARY", "")
        if not script.exists() or not Path(library).exists():
            self.skipTest("needs a checkout and MOLGAUGE_LIBRARY")
        ended = subprocess.run([sys.executable, script, PROGRAM, library, "--check"], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)


class Options(unittest.TestCase):
    @unittest.skipUnless(PROGRAM, "MOLGAUGE_PROGRAM names no program")
    def test_file_is_current(self):
        script = Path(__file__).resolve().parents[2] / "scripts" / "python-options"
        if not script.exists():
            self.skipTest("no checkout")
        ended = subprocess.run([sys.executable, script, PROGRAM, "--check"], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)


if __name__ == "__main__":
    unittest.main()
