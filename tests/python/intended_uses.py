"""Uses that type checkers accept. test_types.py checks this file. It is not run."""

from pathlib import Path
from typing import List

import numpy as np

import memgauge
import molgauge

smiles: List[str] = ["CCO", "c1ccccc1"]

rows: np.ndarray = molgauge.Encoder("minimol", on_error="drop", threads=2, memory_budget="2GiB", store=Path("s"))(smiles)
molgauge.encode(smiles, "ecfp", conformer_fallback="2d")
molgauge.encode(smiles, "ecfp", memory_budget=1 << 30)
memgauge.explain(b"bytes of a snapshot")
molgauge.Minimol(batch_size=50)(smiles)
domain = molgauge.Domain("ecfp", method="knn", level=0.05, folder=Path("kept"), standardize="parent")
domain.fit(smiles, [1.0, 2.0], predictions=[0.5, 0.5], interval_method="mondrian").predict(smiles)
verdicts = domain.judge(np.asarray(smiles))
p_values: np.ndarray = verdicts.numpy("domain_p_value")
names: List[str] = verdicts.columns
loaded: molgauge.Domain = molgauge.Domain.load("kept", threads=1)
scores: molgauge.Scores = molgauge.Detector.load("run", threads=1).score(smiles, page=True)
text: str = scores.to_html(rows=5)
molgauge.split("m.csv", "b.json", label_column=["a", "b"], domain="scaffold")
molgauge.train("b.json", Path("run"), encoder="ecfp", loss="hinge", restart=True, memory_budget=1 << 30)
molgauge.pocket.build("s", "g", from_="structures", threads=2)
