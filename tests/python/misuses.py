"""Misuses that type checkers refuse. Each line has one. test_types.py checks this file. It is not run."""

import headroom

headroom.Encoder("ecfp", thread=1)
headroom.Encoder("minmol")
headroom.Encoder("ecfp", on_error="ignore")
headroom.Encoder("ecfp", threads="2")
headroom.Encoder("ecfp", memory_budget=1.5)
headroom.encode(["CCO"], "ecfp", conformer_fallback="3d")
headroom.Domain("ecfp", methd="knn")
headroom.Domain("ecfp", method="knnn")
headroom.Domain("ecfp", standardize="parents")
headroom.Domain.load("kept", thread=1)
headroom.Domain("ecfp").fit(["CCO"], interval_method="mondrain")
headroom.Domain("ecfp").judge(["CCO"]).numpy(3)
headroom.Detector("run", thread=1)
headroom.train("b.json", "run", thread=1)
headroom.train("b.json", "run", loss="hnge")
headroom.split("m.csv", "b.json", domain="sise")
headroom.pocket.build("s", "g", thread=1)
