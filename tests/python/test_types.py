"""The type hints of the package: mypy finds nothing."""

import subprocess
import sys
import unittest
from pathlib import Path

from support import WithStore

ROOT = Path(__file__).resolve().parents[2]


class Types(WithStore):
    def test_are_clean(self):
        self.needed("mypy")
        if not (ROOT / "pyproject.toml").exists():
            self.skipTest("no checkout: pyproject.toml has the settings")
        ended = subprocess.run(
            [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", str(self.folder)],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)


if __name__ == "__main__":
    unittest.main()
