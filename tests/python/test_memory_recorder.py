"""Tests the recorder and its callbacks with stand-ins for PyTorch, transformers and Lightning, so no GPU is needed."""

import os
import sys
import types
import unittest
from unittest import mock

import memgauge
from support import WithStore
from test_memory import FakeTorch, OutOfMemoryError


class Recording(WithStore):
    def setUp(self):
        super().setUp()
        self.torch = FakeTorch()
        self.observers = []
        self.torch._C = types.SimpleNamespace(
            _cuda_isHistoryEnabled=lambda: False, _cuda_attach_out_of_memory_observer=self.observers.append
        )
        modules = {"torch": self.torch, "transformers": types.SimpleNamespace(TrainerCallback=object)}
        modules["lightning"] = types.SimpleNamespace()
        modules["lightning.pytorch"] = types.SimpleNamespace(Callback=object)
        for patch in (mock.patch.dict(sys.modules, modules), mock.patch.dict(os.environ, {"RANK": "3"})):
            patch.start()
            self.addCleanup(patch.stop)
        self.folder = self.folder / "oom"

    def fail(self):
        """Fails as PyTorch does: it calls the observers, and then raises the error."""
        for observer in self.observers:
            observer(0, 1, 2, 3)
        raise OutOfMemoryError("CUDA out of memory.")

    def test_writes_one_snapshot_for_the_rank_and_names_it_in_the_error(self):
        with self.assertRaisesRegex(OutOfMemoryError, "rank3.pickle(.|\n)*python -m memgauge explain"):
            with memgauge.Recorder(self.folder, max_entries=7) as recorder:
                self.fail()
        self.assertEqual(os.listdir(self.folder), ["rank3.pickle"])
        self.assertEqual(self.torch.calls, [("all", 7), "dump", (None, None)])
        self.assertEqual(recorder.written, 1)
        self.assertTrue(memgauge.explain(self.folder)["source"].endswith("rank3.pickle"))
        (self.folder / "rank4.pickle").write_bytes((self.folder / "rank3.pickle").read_bytes())
        self.assertRegex(str(memgauge.explain(self.folder)), r"rank3.pickle: [\d.]+ MiB in use at the peak\nrank4.pickle: ")

    def test_writes_nothing_without_a_failure_and_after_the_end(self):
        with memgauge.Recorder(self.folder):
            pass
        with self.assertRaises(ValueError):
            with memgauge.Recorder(self.folder):
                raise ValueError("another error")
        for observer in self.observers:
            observer(0, 1, 2, 3)
        self.assertNotIn("dump", self.torch.calls)
        self.assertFalse(self.folder.exists())

    def test_a_caught_error_leaves_a_snapshot(self):
        with memgauge.Recorder(self.folder) as recorder:
            for _ in range(2):
                with self.assertRaises(OutOfMemoryError):
                    self.fail()
        self.assertEqual((recorder.written, os.listdir(self.folder)), (2, ["rank3.pickle"]))

    def test_works_without_observers(self):
        del self.torch._C._cuda_attach_out_of_memory_observer
        with self.assertRaisesRegex(OutOfMemoryError, "rank3.pickle"):
            with memgauge.Recorder(self.folder):
                raise OutOfMemoryError("CUDA out of memory.")
        self.assertEqual(os.listdir(self.folder), ["rank3.pickle"])

    def test_does_not_hide_the_error_if_the_snapshot_cannot_be_written(self):
        self.torch.cuda.memory._dump_snapshot = mock.Mock(side_effect=OSError("disk full"))
        with self.assertLogs("memgauge", "WARNING") as log, self.assertRaises(OutOfMemoryError):
            with memgauge.Recorder(self.folder):
                self.fail()
        self.assertIn("disk full", log.output[0])

    def test_callback_of_the_trainer(self):
        callback = memgauge.trainer_callback(self.folder, max_entries=9)
        self.assertEqual(self.torch.calls, [])  # the process has not selected its device yet
        callback.on_train_begin(None, None, None, model=None)
        with self.assertRaises(OutOfMemoryError):
            self.fail()
        callback.on_train_end(None, None, None)
        self.assertEqual(self.torch.calls, [("all", 9), "dump", (None, None)])

    def test_callback_of_lightning(self):
        callback = memgauge.lightning_callback(self.folder)
        callback.on_fit_start(None, None)
        try:
            self.fail()
        except OutOfMemoryError as problem:
            callback.on_exception(None, None, problem)
            self.assertIn("rank3.pickle", str(problem))
        self.assertEqual(self.torch.calls[1:], ["dump", (None, None)])
        callback.on_fit_start(None, None)
        callback.on_fit_end(None, None)
        self.assertEqual(len(self.observers), 1)

    def test_refuses_what_is_missing(self):
        with self.assertRaisesRegex(memgauge.UsageError, "at least one event"):
            memgauge.Recorder(self.folder, max_entries=0)
        for name, make in (("transformers", memgauge.trainer_callback), ("lightning.pytorch", memgauge.lightning_callback)):
            with mock.patch.dict(sys.modules, {name: None, "pytorch_lightning": None}), self.assertRaisesRegex(memgauge.UsageError, "not installed"):
                make(self.folder)
        self.torch.cuda.is_available = lambda: False
        with self.assertLogs("memgauge", "WARNING") as log, memgauge.Recorder(self.folder):
            pass
        self.assertIn("no CUDA device", log.output[0])


if __name__ == "__main__":
    unittest.main()
