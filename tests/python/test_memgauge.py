"""Tests the package memgauge in the layout of its wheel."""

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from support import WithStore

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = os.environ.get("MEMGAUGE_LIBRARY")
SNAPSHOT = ROOT / "tests" / "fixtures" / "allocator" / "recorded" / "by-hand.pickle"


@unittest.skipUnless(LIBRARY, "MEMGAUGE_LIBRARY names no library")
class MemoryAlone(WithStore):
    def setUp(self):
        super().setUp()
        package = self.folder / "memgauge"
        shutil.copytree(ROOT / "python" / "memgauge", package, ignore=shutil.ignore_patterns("__pycache__"))

    def run_python(self, *words):
        # With -S, Python runs without site-packages, so a dependency would cause an error.
        return subprocess.run(
            [sys.executable, "-S", *words],
            cwd=self.folder,
            env={"MEMGAUGE_LIBRARY": LIBRARY, "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
        )

    def test_examples_of_docstrings_run(self):
        for module in ("explanations", "recorder", "run"):
            lines = f"import doctest, memgauge.{module} as tested; print(doctest.testmod(tested))"
            ended = self.run_python("-c", lines)
            self.assertRegex(ended.stdout, r"TestResults\(failed=0, attempted=[1-9]", ended.stdout + ended.stderr)

    def test_explains_a_snapshot(self):
        ended = self.run_python("-m", "memgauge", "explain", str(SNAPSHOT))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue(ended.stdout.strip())
        in_package = self.run_python("-c", f"import memgauge; print(memgauge.explain({str(SNAPSHOT)!r}))")
        self.assertEqual(in_package.stdout, ended.stdout, in_package.stderr)

    def test_refuses_what_is_no_snapshot_with_the_exit_code_of_the_program(self):
        (self.folder / "no.pickle").write_bytes(b"no")
        ended = self.run_python("-m", "memgauge", "explain", "no.pickle")
        self.assertEqual(ended.returncode, 3)
        self.assertIn("no.pickle", ended.stderr)

    def fake_torch(self):
        """Writes a replacement for PyTorch whose snapshot is a copy of SNAPSHOT."""
        (self.folder / "torch.py").write_text(
            "class OutOfMemoryError(RuntimeError): pass\n"
            "class cuda:\n"
            "    def is_available(): return True\n"
            "    class memory:\n"
            "        def _record_memory_history(enabled='all', max_entries=0): pass\n"
            "        def _dump_snapshot(path):\n"
            f"            import shutil; shutil.copy({str(SNAPSHOT)!r}, path)\n"
        )

    def test_run_explains_a_script_that_runs_out_of_memory(self):
        self.fake_torch()
        (self.folder / "train.py").write_text(
            "import sys, torch\nprint(sys.argv[1:], __name__)\nraise torch.OutOfMemoryError('CUDA out of memory')\n"
        )
        ended = self.run_python("-m", "memgauge", "run", "--page", "page.html", "train.py", "--lr", "3", "--json")
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(ended.stdout, "['--lr', '3', '--json'] __main__\n")
        self.assertIn("CUDA out of memory\n\nmemgauge: ", ended.stderr)
        self.assertIn("train.oom.pickle", ended.stderr)
        self.assertNotIn("runpy", ended.stderr)
        self.assertTrue((self.folder / "train.oom.pickle").exists())
        self.assertIn("<html", (self.folder / "page.html").read_text())

    def test_run_returns_the_exit_code_of_the_script(self):
        self.fake_torch()
        (self.folder / "train.py").write_text("import sys\nsys.exit(7)\n")
        self.assertEqual(self.run_python("-m", "memgauge", "run", "train.py").returncode, 7)
        self.assertEqual(list(self.folder.glob("*.pickle")), [])
        missing = self.run_python("-m", "memgauge", "run", "absent.py")
        self.assertEqual(missing.returncode, 3)
        self.assertIn("absent.py: the file does not exist", missing.stderr)

    def test_run_prints_the_text_of_sys_exit(self):
        self.fake_torch()
        (self.folder / "train.py").write_text("import sys\nsys.exit('no data')\n")
        ended = self.run_python("-m", "memgauge", "run", "train.py")
        self.assertEqual((ended.returncode, ended.stderr), (1, "no data\n"))

    def test_no_output_replaces_the_script(self):
        self.fake_torch()
        script = self.folder / "train.py"
        script.write_text("print('unchanged')\n")
        (self.folder / "link.html").symlink_to("train.py")
        os.link(script, self.folder / "hard.pickle")
        for words in (
            ("predict", "train.py", "--page", "train.py"),
            ("predict", "train.py", "--snapshot", "./train.py"),
            ("predict", "train.py", "--snapshot", "hard.pickle"),
            ("run", "--snapshot", "train.py", "train.py"),
            ("run", "--page", "link.html", "train.py"),
        ):
            ended = self.run_python("-m", "memgauge", *words)
            self.assertEqual(ended.returncode, 2, words)
            self.assertIn("would replace the script", ended.stderr)
        both = self.run_python("-m", "memgauge", "run", "--snapshot", "x", "--page", "./x", "train.py")
        self.assertIn("is also written for", both.stderr)
        absent = self.run_python("-m", "memgauge", "run", "--page", "no/x.html", "train.py")
        self.assertIn("the folder no does not exist", absent.stderr)
        self.assertEqual(script.read_text(), "print('unchanged')\n")

    def test_watch_does_not_replace_the_running_script(self):
        self.fake_torch()
        script = self.folder / "train.py"
        text = "import memgauge\nwith memgauge.watch('train.py'): pass\n"
        script.write_text(text)
        ended = self.run_python("train.py")
        self.assertIn("would replace the running script", ended.stderr)
        self.assertEqual(script.read_text(), text)

    def test_predict_needs_pytorch(self):
        (self.folder / "train.py").write_text("")
        ended = self.run_python("-m", "memgauge", "predict", "train.py")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("PyTorch is not installed", ended.stderr)

    def test_has_no_other_verbs(self):
        ended = self.run_python("-c", "from memgauge._session import session; session().run('encode', {})")
        self.assertIn("Available: diff, explain, simulate", ended.stderr)

    def test_shares_a_process_with_molgauge(self):
        program = (
            "import memgauge, molgauge\n"
            f"found = memgauge.explain({str(SNAPSHOT)!r})\n"
            "assert molgauge.encode(['CCO'], 'ecfp').shape[0] == 1\n"
            f"assert memgauge.explain({str(SNAPSHOT)!r}) == found\n"
            "assert molgauge.encode(['CCN'], 'ecfp').shape[0] == 1\n"
        )
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)


if __name__ == "__main__":
    unittest.main()
