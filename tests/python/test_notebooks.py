"""Tests that the notebooks in examples/notebooks run from their first cell to their last."""

import importlib.util
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from support import PROGRAM, WithStore

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"
#: Packages that a notebook needs in addition to molgauge.
NEEDS = {
    "domain_of_candidates": ["rdkit", "sklearn"],
    "explain_a_snapshot": ["rdkit"],
    "features_and_a_model": ["rdkit", "sklearn"],
    "fine_tune_an_encoder": ["rdkit"],
    "ray_cluster": ["rdkit", "ray"],
}
#: Notebooks that need the weights of MiniMol, and notebooks that run the program.
NEED_WEIGHTS, NEED_PROGRAM = ["explain_a_snapshot"], ["fine_tune_an_encoder"]
WEIGHTS = os.environ.get("MOLGAUGE_TEST_WEIGHTS")


class Notebooks(WithStore):
    def test_run(self):
        notebooks = sorted(FOLDER.glob("*.ipynb"))
        if not notebooks:
            self.skipTest(f"{FOLDER} has no notebooks: these tests are not in a checkout")
        for file in notebooks:
            with self.subTest(file.stem):
                missing = [one for one in NEEDS.get(file.stem, ()) if importlib.util.find_spec(one) is None]
                if missing:
                    self.skipTest(f"Python packages are not installed: {', '.join(missing)} (tests/python/requirements.txt)")
                if file.stem in NEED_WEIGHTS and not WEIGHTS:
                    self.skipTest("MOLGAUGE_TEST_WEIGHTS names no weights")
                if file.stem in NEED_PROGRAM and not PROGRAM:
                    self.skipTest("MOLGAUGE_PROGRAM names no program")
                home = self.folder / file.stem
                home.mkdir()
                if file.stem in NEED_WEIGHTS:
                    (home / "weights").symlink_to(WEIGHTS)
                cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
                # The cells are Python without magic commands, so no kernel is needed.
                script = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
                ended = subprocess.run(
                    [sys.executable, "-c", script],
                    env={**os.environ, "MOLGAUGE_HOME": str(home)},
                    cwd=home,
                    capture_output=True,
                    text=True,
                    timeout=300,
                )
                self.assertEqual(ended.returncode, 0, ended.stderr)


if __name__ == "__main__":
    unittest.main()
