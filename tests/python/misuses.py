"""Misuses that type checkers refuse. Each line has one. test_types.py checks this file. It is not run."""

import molgauge

molgauge.Encoder("ecfp", thread=1)
molgauge.Encoder("minmol")
molgauge.Encoder("ecfp", on_error="ignore")
molgauge.Encoder("ecfp", threads="2")
molgauge.Encoder("ecfp", memory_budget=1.5)
molgauge.encode(["CCO"], "ecfp", conformer_fallback="3d")
molgauge.Domain("ecfp", methd="knn")
molgauge.Domain("ecfp", method="knnn")
molgauge.Domain("ecfp", standardize="parents")
molgauge.Domain.load("kept", thread=1)
molgauge.Domain("ecfp").fit(["CCO"], interval_method="mondrain")
molgauge.Domain("ecfp").judge(["CCO"]).numpy(3)
molgauge.Detector("run", thread=1)
molgauge.train("b.json", "run", thread=1)
molgauge.train("b.json", "run", loss="hnge")
molgauge.split("m.csv", "b.json", domain="sise")
molgauge.pocket.build("s", "g", thread=1)
