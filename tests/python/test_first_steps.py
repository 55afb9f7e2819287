"""Tests typical calls of newcomers. Wrong calls are refused with a remedy, and results explain themselves."""

import logging
import re
import subprocess
import sys
import textwrap
import unittest
from pathlib import Path

import numpy as np

import memgauge
import molgauge
from support import ETHERS, WithStore

MODEL = Path(__file__).resolve().parents[1] / "fixtures" / "chemprop" / "v2_regression.pt"


class WrongCalls(WithStore):
    def refused(self, call, kind, text):
        with self.assertRaisesRegex(kind, text):
            call()

    def test_name_the_remedy(self):
        encode = self.ecfp()
        for call, kind, text in (
            (lambda: molgauge.Encoder("MiniMol"), molgauge.UsageError, "Did you mean 'minimol'"),
            (lambda: molgauge.Domain("ecfq"), molgauge.UsageError, "Did you mean 'ecfp'"),
            (lambda: molgauge.Domain(ETHERS), TypeError, "the encoder is a name such as 'ecfp', not list"),
            (lambda: molgauge.Domain("ecfp", method="mahalanobi"), molgauge.UsageError, "Did you mean 'mahalanobis'"),
            (lambda: molgauge.Encoder("ecfp", n_jobs=2), molgauge.UsageError, "Did you mean 'threads'"),
            (lambda: molgauge.Encoder("ecfp", radius=2), molgauge.UsageError, "no option 'radius'.*Available: name, on_error, strict"),
            (lambda: molgauge.Minimol(["CCO"]), TypeError, r"molgauge.Minimol\(\)\(molecules\)"),
            (lambda: encode("molecules.csv"), ValueError, "name of a file, not a SMILES.*pandas.read_csv"),
            (lambda: encode(Path("molecules.csv")), TypeError, "the path of a file"),
            (lambda: molgauge.predict(["CCO"], MODEL), TypeError, "Pass it before the molecules"),
            (lambda: memgauge.explain(5), TypeError, "a snapshot is a path, bytes, or the result"),
            (lambda: self.ecfp(threads=-1)(["CCO"]), molgauge.UsageError, "'threads' takes a whole number from 0 to 1024, not -1"),
            (lambda: molgauge.Domain("ecfp", level="0.05", store=self.store).fit(ETHERS), molgauge.UsageError,
             "'level' takes a number above 0 and at most 0.5, not the text \"0.05\""),
        ):
            with self.subTest(text):
                self.refused(call, kind, text)

    def test_name_the_columns_of_a_table(self):
        pandas = self.needed("pandas")
        table = pandas.DataFrame({"smiles": ["CCO"], "y": [1.0]})
        self.refused(lambda: self.ecfp()(table), ValueError, "This table has the columns smiles, y. Pass the column")
        self.refused(lambda: self.ecfp()(np.array([["CCO", "C"]])), ValueError, "This table has 2 columns")

    def test_ask_for_predictions_in_fit(self):
        domain = molgauge.Domain("ecfp", store=self.store).fit(ETHERS)
        self.refused(lambda: domain.judge(["CCO"], predictions=[1.0]), molgauge.UsageError,
                     r"was fitted without predictions.*fit\(molecules, y, predictions=...\)")
        verdicts = domain.judge(["CCO"])
        self.refused(lambda: verdicts["p_value"], KeyError, "no column 'p_value'. Did you mean 'domain_p_value'")
        self.refused(lambda: verdicts[0], KeyError, r"to_pandas\(\).iloc\[0\] for a row")


class Results(WithStore):
    def test_show_what_they_are(self):
        domain = molgauge.Domain("ecfp", store=self.store, folder=self.folder / "saved").fit(ETHERS)
        verdicts = domain.judge([ETHERS[20]])
        self.assertEqual(
            repr(verdicts),
            "<Verdicts: 1 molecule against 200 training molecules (ecfp): 1 inside, 0 borderline, 0 outside, 0 unreadable. 37 columns>",
        )
        scores = molgauge.Detector(self.folder / "saved", store=self.store).score([ETHERS[20], "[Na+].[Cl-].[Fe]", "junk"])
        self.assertEqual(str(scores), "3 molecules, 1 failed, 1 of 2 out of distribution")
        if MODEL.exists():
            predictions = molgauge.predict(MODEL, ["CCO", "junk"], store=self.store)
            self.assertEqual(str(predictions), "2 molecules, 1 failed. 1 task: task_0")
        self.assertIn("remove_hs=True", repr(molgauge.UniMolRepr(remove_hs=True)))

    def test_log_missing_molecules(self):
        with self.assertLogs("molgauge", logging.WARNING) as kept:
            self.ecfp()(["CCO", None])
            self.ecfp()([None, "junk"])
        self.assertEqual(
            [line.split(":", 2)[2] for line in kept.output],
            ["1 of 2 molecules failed: row 1: there is no SMILES", "2 of 2 molecules failed. The first is row 0: there is no SMILES"],
        )

    def test_modules_complete_their_own_names(self):
        self.assertEqual(dir(molgauge.pocket), ["build", "embed", "evaluate", "ligands", "search", "train"])
        for module in (molgauge.pocket, molgauge.weights):
            self.assertEqual(dir(module), sorted(module.__all__))
            self.assertTrue(all(hasattr(module, name) for name in module.__all__))


class WithoutScikitLearn(unittest.TestCase):
    def test_everything_else_is_there(self):
        code = """
            import sys
            import importlib.util, pydoc
            class Hidden:
                def find_spec(name, *_):
                    if name == "sklearn":
                        raise ModuleNotFoundError("No module named 'sklearn'", name=name)
            sys.meta_path.insert(0, Hidden)
            found = importlib.util.find_spec
            importlib.util.find_spec = lambda name, *more: None if name == "sklearn" else found(name, *more)
            import molgauge
            from molgauge import *
            assert Domain is molgauge.Domain and "MoleculeTransformer" not in dir(molgauge)
            assert "class Domain" in pydoc.plain(pydoc.render_doc(molgauge))
            try:
                molgauge.MoleculeTransformer
            except ImportError as problem:
                print(problem)
        """
        ended = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(ended.stdout, "molgauge.MoleculeTransformer needs scikit-learn. Install it: pip install scikit-learn\n")

    def test_names_are_those_that_type_checkers_know(self):
        text = Path(molgauge.__file__).read_text(encoding="utf-8")
        known = set(re.findall(r'^        "(\w+)",$', text, re.MULTILINE))
        self.assertEqual(known, set(molgauge._HOMES) | set(molgauge._MODULES))


if __name__ == "__main__":
    unittest.main()
