"""The notebooks in examples/notebooks run from their first cell to their last."""

import importlib.util
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from support import WithStore

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"
#: Packages that a notebook needs in addition to this one.
NEEDS = {
    "domain_of_candidates": ["rdkit"],
    "features_and_a_model": ["rdkit", "sklearn"],
    "ray_cluster": ["rdkit", "ray"],
}


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
                cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
                # The cells are Python without magic commands, so no kernel is needed.
                script = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
                ended = subprocess.run(
                    [sys.executable, "-c", script],
                    env={**os.environ, "HEADROOM_HOME": str(self.folder / "home")},
                    cwd=self.folder,
                    capture_output=True,
                    text=True,
                    timeout=300,
                )
                self.assertEqual(ended.returncode, 0, ended.stderr)


if __name__ == "__main__":
    unittest.main()
