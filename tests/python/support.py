"""What the tests of the Python package share."""

import importlib
import os
import tempfile
import unittest
from pathlib import Path

import headroom

PROGRAM = os.environ.get("HEADROOM_PROGRAM")
ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"
#: Ethers with an alcohol.
ETHERS = ["C" * i + "OCC" + "C" * (i % 7) for i in range(1, 201)]


class WithStore(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = str(self.folder / "store")

    def ecfp(self, **options):
        return headroom.Encoder("ecfp", store=self.store, **options)

    def needed(self, name):
        """The module, or the test is skipped: install tests/python/requirements.txt."""
        try:
            return importlib.import_module(name)
        except ImportError:
            self.skipTest(f"the Python package {name} is not installed (tests/python/requirements.txt)")
