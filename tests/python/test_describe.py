"""Tests the properties of molecules in memory (option describe)."""

from pathlib import Path

import numpy as np

import molgauge
from support import ETHERS, WithStore

MODEL = Path(__file__).resolve().parents[1] / "fixtures" / "chemprop" / "v2_regression.pt"
MOLECULES = ["CC(=O)Oc1ccccc1C(=O)O", "C(C", "O=C1C=CC(=O)C=C1"]
NUMBERS = ("molecular_weight", "log_p", "tpsa", "qed")
COUNTS = ("h_bond_donors", "h_bond_acceptors", "rotatable_bonds", "rings", "charge", "lipinski_violations")


class Describe(WithStore):
    def require_properties(self, table):
        for name in NUMBERS:
            self.assertEqual(list(np.isnan(table.numpy(name))), [False, True, False], name)
        for name in COUNTS:
            self.assertEqual(list(np.isnan(table.numpy(name))), [False, True, False], name)
        self.assertEqual([table[name][0] for name in COUNTS], [1, 3, 2, 1, 0, 0])
        self.assertEqual(table["molecular_weight"][0], 180.159)
        self.assertEqual(table["alerts_brenk"][0], "phenol_ester")
        self.assertEqual(table["alerts_pains"], [None, None, "quinone_A(370)"])

    def test_predictions_have_properties(self):
        self.require_properties(molgauge.predict(MODEL, MOLECULES, store=self.store, describe=True))
        self.assertNotIn("tpsa", molgauge.predict(MODEL, MOLECULES, store=self.store).columns)

    def test_verdicts_have_properties(self):
        domain = molgauge.Domain("ecfp", store=self.store, describe=True).fit(ETHERS)
        self.require_properties(domain.judge(MOLECULES))
        self.assertNotIn("tpsa", molgauge.Domain("ecfp", store=self.store).fit(ETHERS).judge(MOLECULES).columns)
