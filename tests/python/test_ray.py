"""Tests molgauge.ray on a local cluster of two nodes. An actor and a node are killed."""

import os
import pathlib
import signal
import threading
import time
import unittest

import numpy as np

import molgauge
from support import WithStore


def actor_processes():
    """The processes of Ray Data actors on this machine, which Ray names after their class."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            name = (process / "cmdline").read_bytes()
        except OSError:  # the process has ended
            continue
        if name.startswith(b"ray::") and b"MapWorker" in name:
            found.append(int(process.name))
    return sorted(found)


class Clusters(WithStore):
    ROWS = 1200

    def setUp(self):
        super().setUp()
        # A busy machine may take minutes to start a node.
        os.environ.setdefault("RAY_raylet_start_wait_time_s", "600")
        ray = self.needed("ray")
        self.needed("ray.data")
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
        )
        self.addCleanup(self.cluster.shutdown)
        self.second = self.cluster.add_node(num_cpus=1, object_store_memory=80 << 20)
        ray.init(address=self.cluster.address, log_to_driver=False, logging_level="ERROR")
        self.addCleanup(ray.shutdown)
        ray.data.DataContext.get_current().enable_progress_bars = False
        self.smiles = ["C" * (i % 40 + 1) + "O" * (i // 40 % 30) for i in range(self.ROWS)]
        self.smiles[7] = "nonsense"

    def encode(self, name):
        import ray

        dataset = ray.data.from_items(
            [{"id": i, "smiles": one} for i, one in enumerate(self.smiles)], override_num_blocks=24
        )
        return molgauge.ray.encode(
            dataset, encoder="ecfp", actors=2, batch_size=50, store=self.store, out=str(self.folder / name)
        )

    def rows_of(self, dataset):
        rows = sorted(dataset.take_all(), key=lambda row: row["id"])
        return np.stack([row["features"] for row in rows]), [row["features_error"] for row in rows]

    def kill_an_actor_then_the_second_node(self):
        """After the first actors have started, kills one actor with SIGKILL, and then kills the node that
        is not the head."""
        try:
            deadline = time.monotonic() + 120
            while time.monotonic() < deadline:
                if alive := actor_processes():
                    os.kill(alive[0], signal.SIGKILL)
                    self.killed.append("actor")
                    break
                time.sleep(0.05)
            self.cluster.remove_node(self.second, allow_graceful=False)
            self.killed.append("node")
        except Exception as problem:  # the assertion about killed processes checks this
            self.killed.append(repr(problem))

    def test_give_the_same_rows_where_an_actor_and_a_node_are_killed(self):
        self.killed = []
        killing = threading.Thread(target=self.kill_an_actor_then_the_second_node)
        killing.start()
        rows, errors = self.rows_of(self.encode("killed"))
        killing.join()
        self.assertEqual(self.killed, ["actor", "node"])
        expected = self.ecfp()(self.smiles)
        self.assertEqual(rows.tobytes(), expected.tobytes())
        self.assertTrue(errors[7])
        self.assertEqual([i for i, error in enumerate(errors) if error], [7])

    def test_refuse_a_column_that_does_not_exist(self):
        import ray

        with self.assertRaisesRegex(molgauge.UsageError, "no column 'smi'"):
            molgauge.ray.encode(ray.data.from_items([{"smiles": "C"}]), "smi", encoder="ecfp")


if __name__ == "__main__":
    unittest.main()
