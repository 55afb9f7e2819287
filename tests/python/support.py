"""Shared code for the tests of the Python package."""

import importlib
import os
import tempfile
import unittest
from pathlib import Path

import molgauge

PROGRAM = os.environ.get("MOLGAUGE_PROGRAM")
ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"
#: 200 different ethers.
ETHERS = ["C" * i + "OCC" + "C" * (i % 7) for i in range(1, 201)]


class WithStore(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = str(self.folder / "store")

    def ecfp(self, **options):
        return molgauge.Encoder("ecfp", store=self.store, **options)

    def needed(self, name):
        """Imports the module, or skips the test: install tests/python/requirements.txt."""
        try:
            return importlib.import_module(name)
        except ImportError:
            self.skipTest(f"the Python package {name} is not installed (tests/python/requirements.txt)")


def snapshot():
    """A segment of 2 MiB, half of it allocated, as torch.cuda.memory._snapshot() returns it."""
    block = {"address": 0x7F0000000000, "size": 1 << 20, "requested_size": 1 << 20, "state": "active_allocated"}
    segment = {
        "device": 0,
        "address": 0x7F0000000000,
        "total_size": 2 << 20,
        "stream": 0,
        "segment_type": "small",
        "allocated_size": 1 << 20,
        "active_size": 1 << 20,
        "blocks": [block, {"address": 0x7F0000100000, "size": 1 << 20, "state": "inactive"}],
    }
    return {"segments": [segment], "device_traces": [[]]}
