"""Runs a script twice: with the import line of another package, and with our import line. Names, shapes and
signs must be equal.

unimol_tools and PyOD are large, so tests/python/requirements.txt does not list them.
``bench/peers/unimol.py`` makes build/unimol-venv with unimol_tools. MOLGAUGE_PEERS can name another Python in
which unimol_tools is installed. unimol_tools normally downloads its weights. In these tests, unimol_tools and
Molgauge use the same random weights, made by ``molgauge weights init``.
"""

import json
import os
import subprocess
import unittest
from pathlib import Path

import numpy as np

import molgauge
from molgauge import _session
from support import ETHERS, WithStore

PEERS = os.environ.get("MOLGAUGE_PEERS", str(Path(__file__).resolve().parents[2] / "build" / "unimol-venv" / "bin" / "python"))

#: A script of a user of unimol_tools, after the line that imports UniMolRepr.
USER = """
import json, numpy
smiles = ["CCO", "c1ccccc1", "CC(=O)Oc1ccccc1C(=O)O", "CN", "C[N+](C)(C)C"]
model = UniMolRepr(data_type="molecule", batch_size=2, remove_hs=False, model_name="unimolv1", use_cuda=False, **weights)
rows = model.get_repr(smiles)
atoms = model.get_repr(smiles, return_atomic_reprs=True)
tensor = model.get_repr({"SMILES": smiles}, return_tensor=True)
single = model.get_repr("CCO")
form = lambda one: [list(one.shape), str(one.dtype)]
print(json.dumps({
    "rows": [type(rows).__name__, [form(numpy.asarray(one)) for one in rows]],
    "single": [type(single).__name__, len(single)],
    "tensor": form(tensor),
    "keys": sorted(atoms),
    "cls": [form(numpy.asarray(one)) for one in atoms["cls_repr"]],
    "atoms": [form(numpy.asarray(one)) for one in atoms["atomic_reprs"]],
    "places": [list(numpy.asarray(one).shape) for one in atoms["atomic_coords"]],
    "symbols": [list(one) for one in atoms["atomic_symbol"]],
}))
numpy.save(out, numpy.array(rows, dtype=numpy.float32))
"""

#: The token dictionary that Uni-Mol publishes.
DICTIONARY = "[PAD] [CLS] [SEP] [UNK] C N O S H Cl F Br I Si P B Na K Al Ca Sn As Hg Fe Zn Cr Se Gd Au Li".split()

#: Precedes the script of the peer and makes random weights in the format of unimol_tools. bench/peers/unimol.py
# explains why rows are reordered.
PEER = """
import os, sys, torch
from safetensors.torch import load_file
from unimol_tools.data.dictionary import Dictionary
tensors, folder, out = sys.argv[1], sys.argv[2], sys.argv[3]
symbols, checkpoint = os.path.join(folder, "dict.txt"), os.path.join(folder, "weights.pt")
dictionary = Dictionary.load(symbols)
dictionary.add_symbol("[MASK]", is_special=True)
published = [line.strip() for line in open(symbols)] + ["[MASK]"]
order = torch.tensor([published.index(symbol) for symbol in dictionary.symbols])
values = load_file(tensors)
values["embed_tokens.weight"] = values["embed_tokens.weight"][order]
for name in ("gbf.mul.weight", "gbf.bias.weight"):
    kinds = values[name].reshape(len(order), len(order))
    values[name] = kinds[order][:, order].reshape(-1, 1).contiguous()
torch.save({"model": values}, checkpoint)
weights = {"pretrained_model_path": checkpoint, "pretrained_dict_path": symbols}
from unimol_tools import UniMolRepr
"""

OURS = """
import sys
_, folder, out = sys.argv[1], sys.argv[2], sys.argv[3]
weights = {"weights": sys.argv[1], "store": folder + "/store", "random_weights": True}
from molgauge import UniMolRepr
"""


class UnimolTools(WithStore):
    maxDiff = None

    def setUp(self):
        super().setUp()
        if not Path(PEERS).exists() or subprocess.run([PEERS, "-c", "import unimol_tools"], capture_output=True).returncode != 0:
            self.skipTest(f"{PEERS} has no unimol_tools: run bench/peers/unimol.py, or name a Python in MOLGAUGE_PEERS")

    def run_script(self, script, *words):
        ended = subprocess.run(
            [PEERS, "-c", script + USER, *words], capture_output=True, text=True, cwd=self.folder, timeout=600
        )
        self.assertEqual(ended.returncode, 0, ended.stderr[-3000:])
        return json.loads(ended.stdout.splitlines()[-1])

    def test_the_same_script_has_the_same_forms(self):
        # The weights have the published sizes, because unimol_tools supports no other sizes.
        weights = self.folder / "weights"
        _session.session().run("weights_init", {"encoder": "unimol", "seed": 1, "variant": "all_h", "weights": str(weights)})
        (self.folder / "dict.txt").write_text("\n".join(DICTIONARY))
        tensors = next(weights.rglob("*.safetensors"))
        theirs = self.run_script(PEER, str(tensors), str(self.folder), "theirs.npy")
        ours = self.run_script(OURS, str(weights), str(self.folder), "ours.npy")
        # unimol_tools 0.1.6 leaves out tokens 0 to 2. It gives the separator the number 3, so the separator
        # remains among the atoms.
        for name in ("atoms", "places"):
            for symbols, form in zip(theirs["symbols"], theirs[name]):
                shape = form[0] if name == "atoms" else form
                shape[0] -= symbols[-1] == "[SEP]"
        theirs["symbols"] = [[one for one in symbols if one != "[SEP]"] for symbols in theirs["symbols"]]
        self.assertEqual(ours, theirs)
        # Two versions of RDKit generate the conformers, so the numbers agree only approximately.
        one, other = (np.load(self.folder / name).astype(np.float64) for name in ("ours.npy", "theirs.npy"))
        cosines = (one * other).sum(1) / np.sqrt((one**2).sum(1) * (other**2).sum(1))
        self.assertGreater(cosines.min(), 0.95, cosines)


class Pyod(WithStore):
    def test_the_adapter_has_the_signs_and_names_of_pyod(self):
        self.needed("pyod")
        from pyod.models.knn import KNN

        numbers = np.random.default_rng(0).normal(size=(300, 8))
        probes = np.concatenate([numbers[:20] + 0.01, numbers[:20] + 40])
        theirs = KNN(contamination=0.1).fit(numbers)
        ours = molgauge.pyod.PyodDetector(molgauge.FeatureDomain(), contamination=0.1).fit(numbers)
        for detector in (theirs, ours):
            scores, labels = detector.decision_function(probes), detector.predict(probes)
            self.assertEqual((scores.shape, labels.shape), ((40,), (40,)))
            self.assertTrue((scores[20:] > scores[:20].max()).all())
            self.assertEqual(labels[20:].tolist(), [1] * 20)
            self.assertLess(labels[:20].mean(), 0.3)
            self.assertEqual(detector.labels_.sum(), 30)
            self.assertEqual(len(detector.decision_scores_), 300)
            self.assertEqual((detector.decision_scores_ > detector.threshold_).sum(), 30)

    def test_the_adapter_wraps_a_domain_of_molecules(self):
        detector = molgauge.pyod.PyodDetector(molgauge.Domain("ecfp", store=self.store)).fit(ETHERS)
        self.assertEqual(detector.predict([ETHERS[3], "[Na+].[Cl-].[Fe]"]).tolist(), [0, 1])


if __name__ == "__main__":
    unittest.main()
