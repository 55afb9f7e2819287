"""Checks the type hints of the package. mypy must find no error."""

import importlib.util
import json
import os
import re
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

    def checked(self, checker, folder, names):
        """The lines that a type checker refuses, by the name of the file."""
        words = {
            "mypy": [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--follow-imports", "silent",
                     "--cache-dir", str(self.folder), "--no-error-summary", *names],
            "pyright": [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", *names],
        }[checker]
        ended = subprocess.run(
            words, cwd=folder, capture_output=True, text=True,
            env={**os.environ, "MYPYPATH": str(ROOT / "python"), "PYTHONPATH": str(ROOT / "python")},
        )
        if checker == "pyright":
            errors = [(Path(one["file"]).name, one["range"]["start"]["line"] + 1)
                      for one in json.loads(ended.stdout)["generalDiagnostics"] if one["severity"] == "error"]
        else:
            errors = [(name, int(line)) for name, line in re.findall(r"^([^:]*):(\d+): error", ended.stdout, re.MULTILINE)]
        return {name: {line for file, line in errors if file == name} for name in names}

    def test_accept_intended_uses_and_refuse_misuses(self):
        here = Path(__file__).parent
        if not (here / "misuses.py").exists() or not (ROOT / "python").exists():
            self.skipTest("no checkout")
        misuses = {number for number, line in enumerate((here / "misuses.py").read_text().splitlines(), 1)
                   if line.startswith("molgauge.")}
        for checker in ("mypy", "pyright"):
            if importlib.util.find_spec(checker) is not None:
                found = self.checked(checker, here, ["intended_uses.py", "misuses.py"])
                self.assertEqual(found, {"intended_uses.py": set(), "misuses.py": misuses}, checker)


if __name__ == "__main__":
    unittest.main()
