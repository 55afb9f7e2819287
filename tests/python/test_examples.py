"""Tests the examples for clusters: a Slurm array, which the shell simulates, and a workflow of Snakemake."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

from support import ETHERS, PROGRAM, WithStore

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@unittest.skipUnless(PROGRAM and EXAMPLES.is_dir(), "needs MOLGAUGE_PROGRAM and a checkout")
class Clusters(WithStore):
    def setUp(self):
        super().setUp()
        self.molecules = self.folder / "library.smi"
        self.molecules.write_text("".join(one + "\n" for one in ETHERS[:50] + ["nonsense"] + ETHERS[50:]))
        self.environment = {
            **os.environ,
            "PATH": f"{Path(PROGRAM).parent}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "MOLGAUGE_HOME": str(self.folder / "home"),
        }

    def run_command(self, *words, **environment):
        return subprocess.run(
            [str(word) for word in words],
            cwd=self.folder,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=300,
        )

    def expect_features(self):
        """The rows of features.npy equal the rows that one process writes."""
        ended = self.run_command("molgauge", "encode", self.molecules, "--encoder", "ecfp", "--out", "whole.npy")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual((self.folder / "features.npy").read_bytes(), (self.folder / "whole.npy").read_bytes())
        self.assertEqual(int(np.isnan(np.load(self.folder / "features.npy")[:, 0]).sum()), 1)

    def test_a_slurm_array_encodes_every_shard(self):
        job = EXAMPLES / "slurm" / "encode.sbatch"
        of_array = {"SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "3", "SLURM_ARRAY_TASK_COUNT": "3"}
        for task in ("1", "2", "3", "2"):  # one task runs twice
            ended = self.run_command("bash", job, self.molecules, "features", "ecfp", SLURM_ARRAY_TASK_ID=task, **of_array)
            self.assertEqual(ended.returncode, 0, ended.stderr)
        ended = self.run_command("bash", "-c", "molgauge shards verify features && molgauge shards join features --out features.npy")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.expect_features()
        of_array["SLURM_ARRAY_TASK_COUNT"] = "2"
        ended = self.run_command("bash", job, self.molecules, "features", "ecfp", SLURM_ARRAY_TASK_ID="1", **of_array)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("must be 1-N", ended.stderr)

    def test_snakemake_runs_the_workflow_and_goes_on_with_it(self):
        self.needed("snakemake")
        (self.folder / "train.csv").write_text("smiles\n" + "\n".join(ETHERS[:100]) + "\n")
        command = [
            sys.executable, "-m", "snakemake", "--snakefile", EXAMPLES / "snakemake" / "Snakefile", "--cores", "2", "--config",
            f"molecules={self.molecules}", "encoder=ecfp", "shards=3", f"training={self.folder / 'train.csv'}",
        ]  # fmt: skip
        ended = self.run_command(*command)
        self.assertEqual(ended.returncode, 0, ended.stderr[-3000:])
        self.expect_features()
        self.assertIn("unreadable", (self.folder / "domain.csv").read_text())
        # The mark of this shard was removed, so the shard makes the damaged part again.
        next((self.folder / "features").glob("shard-0002-*/part-000000.npy")).write_bytes(b"damaged")
        (self.folder / "shards" / "2.done").unlink()
        ended = self.run_command(*command)
        self.assertEqual(ended.returncode, 0, ended.stderr[-3000:])
        self.expect_features()


if __name__ == "__main__":
    unittest.main()
