"""Tests random calls of Python functions whose outputs and inputs share names, links and folders.

No call changes a file that it reads, or a file of the user in a folder. MOLGAUGE_PYTHON_CALLS=500 sets the
number of calls.
"""

import hashlib
import os
import random
import shutil
import unittest
from pathlib import Path

import memgauge
import molgauge
from molgauge import errors
from support import ETHERS, WithStore

CALLS = int(os.environ.get("MOLGAUGE_PYTHON_CALLS", "60"))
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


class OutputPaths(WithStore):
    def setUp(self):
        super().setUp()
        template = self.folder / "template"
        (template / "mine").mkdir(parents=True)
        (template / "mine" / "notes.txt").write_text("notes of the user")
        shutil.copy(FIXTURES / "allocator" / "recorded" / "by-hand.pickle", template / "run.pickle")
        shutil.copy(FIXTURES / "chemprop" / "v2_regression.pt", template / "model.pt")
        (template / "train.py").write_text("raise SystemExit('a script that must not run')\n")
        molgauge.Domain(encoder="ecfp", folder=template / "saved", store=self.store).fit(ETHERS[:60])
        shutil.copytree(template / "saved", template / "model")
        self.template = template

    def hashes(self, folder):
        return {
            path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.is_symlink()
        }

    def name(self, draws, inputs):
        """Returns a path that is an input, leads to an input, or is near an input."""
        base = draws.choice(inputs)
        link = self.work / f"link{draws.randrange(10**6)}.html"
        kind = draws.randrange(8)
        if kind == 0:
            link.symlink_to(base)
            return link
        if kind == 1 and (self.work / base).is_file():
            os.link(self.work / base, link)
            return link
        if kind == 2:
            return self.work / "mine" / ".." / base
        if kind == 3:
            return self.work / draws.choice(["saved", "mine", "model"])
        if kind == 4:
            return self.work / draws.choice(["saved", "mine"]) / draws.choice(["domain.safetensors", "x.html", "notes.txt"])
        if kind == 5:
            return self.work / "new" / "x.html"
        return self.work / (base if kind == 6 else base + ".html")

    def call(self, draws):
        """Makes a call. Stores the files that must not change."""
        kind = draws.randrange(3)
        if kind == 0:
            self.read = ["run.pickle"]
            memgauge.explain(self.work / "run.pickle", page=self.name(draws, self.read))
        elif kind == 1:
            self.read = ["train.py"]
            outputs = {draws.choice(["page", "snapshot"]): self.work / draws.choice(["train.py", "mine/../train.py"])}
            memgauge.predict(self.work / "train.py", **outputs)
        else:
            self.read = ["run.pickle", "model.pt", "train.py", "mine/notes.txt"]  # a domain replaces no such file
            molgauge.Domain(encoder="ecfp", folder=self.name(draws, self.read), store=self.store).fit(ETHERS[:60])

    def test_no_call_changes_its_inputs(self):
        ends = {}
        for seed in range(CALLS):
            draws = random.Random(seed)
            self.work = self.folder / f"work{seed}"
            shutil.copytree(self.template, self.work)
            before = self.hashes(self.work)
            try:
                self.call(draws)
                end = "done"
            except (errors.Error, memgauge.Error, OSError) as problem:
                end = type(problem).__name__
            ends[end] = ends.get(end, 0) + 1
            after = self.hashes(self.work)
            for name in self.read:
                self.assertEqual(after.get(Path(name)), before[Path(name)], f"call {seed}: {name} has changed ({end})")
            shutil.rmtree(self.work)
        self.assertGreater(ends.get("done", 0), CALLS // 20, ends)
        self.assertGreater(ends.get("UsageError", 0), CALLS // 10, ends)


if __name__ == "__main__":
    unittest.main()
