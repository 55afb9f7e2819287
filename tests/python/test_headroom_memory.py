"""The package headroom_memory, laid out as its wheel has it."""

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from support import WithStore

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = os.environ.get("HEADROOM_MEMORY_LIBRARY")
SNAPSHOT = ROOT / "tests" / "fixtures" / "allocator" / "recorded" / "by-hand.pickle"


@unittest.skipUnless(LIBRARY, "HEADROOM_MEMORY_LIBRARY names no library")
class MemoryAlone(WithStore):
    def setUp(self):
        super().setUp()
        package = self.folder / "headroom_memory"
        shutil.copytree(ROOT / "python" / "headroom_memory", package, ignore=shutil.ignore_patterns("__pycache__"))
        for module in ("_html", "_library", "_session", "errors", "memory"):
            shutil.copy(ROOT / "python" / "headroom" / f"{module}.py", package)
        shutil.copytree(
            ROOT / "python" / "headroom" / "prediction", package / "prediction", ignore=shutil.ignore_patterns("__pycache__")
        )

    def run_python(self, *words):
        # -S: without site-packages, so that a dependency would show.
        return subprocess.run(
            [sys.executable, "-S", *words],
            cwd=self.folder,
            env={"HEADROOM_MEMORY_LIBRARY": LIBRARY, "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
        )

    def test_explains_a_snapshot(self):
        ended = self.run_python("-m", "headroom_memory", "explain", str(SNAPSHOT))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue(ended.stdout.strip())
        in_package = self.run_python("-c", f"import headroom_memory; print(headroom_memory.explain({str(SNAPSHOT)!r}))")
        self.assertEqual(in_package.stdout, ended.stdout, in_package.stderr)

    def test_refuses_what_is_no_snapshot_with_the_exit_code_of_the_program(self):
        (self.folder / "no.pickle").write_bytes(b"no")
        ended = self.run_python("-m", "headroom_memory", "explain", "no.pickle")
        self.assertEqual(ended.returncode, 3)
        self.assertIn("no.pickle", ended.stderr)

    def test_has_no_other_verbs(self):
        ended = self.run_python("-c", "from headroom_memory._session import session; session().run('encode', {})")
        self.assertIn("there are diff, explain, simulate", ended.stderr)


if __name__ == "__main__":
    unittest.main()
