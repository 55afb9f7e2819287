"""Tests the functions of the Python package that run the program molgauge."""

import os
import stat
import unittest
from unittest import mock

import numpy as np

import molgauge
from molgauge import _program
from support import ETHERS, PROGRAM, WithStore


class Training(WithStore):
    @unittest.skipUnless(PROGRAM, "MOLGAUGE_PROGRAM names no program")
    def test_ends_with_a_detector(self):
        molecules, bench, run = (str(self.folder / name) for name in ("m.csv", "bench.json", "run"))
        with open(molecules, "w") as file:
            file.write("smiles\n" + "".join(one + "\n" for one in ETHERS[:120]))
        report = molgauge.split(molecules, bench, domain="size")
        self.assertEqual((report["rows"], sum(report["part_sizes"].values())), (120, 120))
        with self.assertLogs("molgauge", "INFO") as log:
            molgauge.train(bench, run, encoder="ecfp", epochs=2, store=self.store)
        self.assertTrue(any("epoch 2/2" in line for line in log.output))
        detector = molgauge.Detector.load(run, store=self.store)
        scores = detector.score(["CCOCC", "nonsense"])
        self.assertTrue(np.isfinite(scores["score"][0]) and np.isnan(scores["score"][1]))
        self.assertEqual(detector.predict(["CCOCC", "nonsense"])[1], -1)
        self.assertEqual(len(detector.failed_), 1)
        self.assertIn("auroc", molgauge.evaluate(run, store=self.store))

    def test_refuses_misspelt_options(self):
        for call, meant in (
            (lambda: molgauge.train("b.json", "run", thread=1), "threads"),
            (lambda: molgauge.train("b.json", "run", loss="hnge"), "hinge"),
            (lambda: molgauge.evaluate("run", thread=1), "threads"),
            (lambda: molgauge.baseline("b.json", "msp", "run", epoch=1), "epochs"),
            (lambda: molgauge.experiment("m.toml", "out", job=1), "jobs"),
            (lambda: molgauge.split("m.csv", "b.json", label_colum="y"), "label_column"),
        ):
            with self.assertRaisesRegex(molgauge.UsageError, f"Did you mean '{meant}'"):
                call()

    @unittest.skipUnless(PROGRAM, "MOLGAUGE_PROGRAM names no program")
    def test_fails_with_the_errors_of_the_package(self):
        with self.assertRaisesRegex(molgauge.InputError, "none.json"):
            molgauge.train(self.folder / "none.json", self.folder / "run", encoder="ecfp")

    def test_says_how_to_get_the_program(self):
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
            os.environ.pop("MOLGAUGE_PROGRAM", None)
            with self.assertRaisesRegex(molgauge.Error, "molgauge-torch"):
                molgauge.train("bench.json", "run")

    def test_hands_options_over_as_the_command_line_has_them(self):
        program = self.folder / "molgauge"
        program.write_text('#!/bin/sh\nfor word in "$@"; do echo "$word"; done\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        with mock.patch.dict(os.environ, {"MOLGAUGE_PROGRAM": str(program)}):
            printed = _program.run_program("train", "b.json", run="r", memory_budget="2GiB", restart=True, seed=None, x=False,
                                          label_column=["a", "b"])
        self.assertEqual(printed.split(), ["train", "b.json", "--run", "r", "--memory-budget", "2GiB", "--restart",
                                           "--label-column", "a", "--label-column", "b"])


if __name__ == "__main__":
    unittest.main()
