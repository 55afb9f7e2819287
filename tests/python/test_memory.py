"""Tests memory.watch with a stand-in for PyTorch, so no GPU is needed."""

import gzip
import json
import pickle
import sys
import types
import unittest
from unittest import mock

import memgauge
from support import WithStore, snapshot


class OutOfMemoryError(RuntimeError):
    pass


class FakeTorch(types.SimpleNamespace):
    """The parts of PyTorch that watch uses. `calls` records the calls of the recorder."""

    def __init__(self, has_device=True, content=None):
        self.calls = []
        content = pickle.dumps(snapshot(), protocol=4) if content is None else content

        def record(enabled="all", max_entries=None):
            self.calls.append((enabled, max_entries))

        def dump(path):
            self.calls.append("dump")
            with open(path, "wb") as file:
                file.write(content)

        memory = types.SimpleNamespace(_record_memory_history=record, _dump_snapshot=dump)
        self.cuda = types.SimpleNamespace(is_available=lambda: has_device, memory=memory)


class InMemory(WithStore):
    def test_snapshots_are_explained_without_a_file(self):
        content = pickle.dumps(snapshot(), protocol=4)
        file = self.folder / "snapshot.pickle"
        file.write_bytes(content)
        from_file = json.dumps(memgauge.explain(file)).replace(str(file), "data in memory")
        with mock.patch("tempfile.mkdtemp", side_effect=AssertionError("a temporary folder")):
            for given in (content, bytearray(content), gzip.compress(content), snapshot()):
                self.assertEqual(json.dumps(memgauge.explain(given)), from_file)
        self.assertIn("data in memory", from_file)

    def test_what_is_no_snapshot_is_refused(self):
        with self.assertRaisesRegex(memgauge.InputError, "data in memory"):
            memgauge.explain(b"\x80\x04junk")
        with self.assertRaisesRegex(memgauge.UsageError, "the content is empty"):
            memgauge.explain(b"")
        with self.assertRaisesRegex(memgauge.UsageError, "in memory replaces a file"):
            memgauge.explanations.session().explain({"file": "x.pickle"}, b"\x80")


class Messages(WithStore):
    def test_are_explained(self):
        found = memgauge.explain_message(
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total capacity of 79.15 GiB of "
            "which 1.71 GiB is free. Of the allocated memory 70.02 GiB is allocated by PyTorch, and 6.21 GiB is reserved by "
            "PyTorch but unallocated."
        )
        self.assertEqual(found["verdict"], "fragmented")
        self.assertEqual(found["device"], 5)
        self.assertIn("expandable_segments:True", found.cure)
        self.assertIn("was fragmented", str(found))

    def test_without_an_error_are_refused(self):
        with self.assertRaisesRegex(memgauge.InputError, "does not contain an out-of-memory message"):
            memgauge.explain_message("KeyError: 'x'")


class Watching(WithStore):
    def watch(self, torch, **options):
        patched = mock.patch.dict(sys.modules, {"torch": torch})
        patched.start()
        self.addCleanup(patched.stop)
        return memgauge.watch(self.folder / "run.pickle", **options)

    def test_explains_where_memory_ran_out(self):
        torch = FakeTorch()
        with self.assertRaises(OutOfMemoryError) as caught:
            with self.watch(torch, max_entries=7) as watched:
                raise OutOfMemoryError("CUDA out of memory.")
        self.assertTrue(str(caught.exception).startswith("CUDA out of memory.\n\nmemgauge: "))
        self.assertIn(watched.explanation.verdict, str(caught.exception))
        self.assertIn("run.pickle", str(caught.exception))
        self.assertEqual(torch.calls, [("all", 7), "dump", (None, None)])

    def test_leaves_other_errors_alone(self):
        torch = FakeTorch()
        with self.assertRaises(KeyError) as caught:
            with self.watch(torch):
                raise KeyError("x")
        self.assertEqual(caught.exception.args, ("x",))
        self.assertEqual(torch.calls, [("all", 100_000), (None, None)])

    def test_keeps_a_recording_that_the_program_began(self):
        for find in ("query", "snapshot"):
            with self.subTest(find):
                torch = FakeTorch()
                if find == "query":
                    torch._C = types.SimpleNamespace(_cuda_isHistoryEnabled=lambda: True)
                else:
                    torch.cuda.memory._snapshot = lambda: {"device_traces": [[], [{"action": "alloc"}]]}
                with self.assertRaises(OutOfMemoryError):
                    with self.watch(torch):
                        raise OutOfMemoryError("CUDA out of memory.")
                self.assertEqual(torch.calls, ["dump"])

    def test_records_with_pytorch_2_0(self):
        torch = FakeTorch()
        calls = []

        def record(enabled, record_context=True, trace_alloc_max_entries=1, trace_alloc_record_context=False):
            calls.append((enabled, trace_alloc_max_entries, trace_alloc_record_context))

        torch.cuda.memory._record_memory_history = record
        torch.cuda.memory._snapshot = lambda: {"segments": [], "device_traces": [[]]}
        with self.watch(torch, max_entries=9):
            pass
        self.assertEqual(calls, [(True, 9, True), (False, 1, False)])

    def test_does_not_hide_the_error_where_it_cannot_explain(self):
        with self.assertRaisesRegex(OutOfMemoryError, "out of memory(.|\n)*could not be explained"):
            with self.watch(FakeTorch(content=b"no pickle")):
                raise OutOfMemoryError("CUDA out of memory.")

    def test_does_not_hide_the_error_where_it_cannot_write(self):
        torch = FakeTorch()
        torch.cuda.memory._dump_snapshot = mock.Mock(side_effect=OSError("disk full"))
        with self.assertRaisesRegex(OutOfMemoryError, "could not be written(.|\n)*disk full"):
            with self.watch(torch):
                raise OutOfMemoryError("CUDA out of memory.")

    def test_says_that_there_is_nothing_to_record_without_a_device(self):
        torch = FakeTorch(has_device=False)
        with self.assertLogs("memgauge", "WARNING") as log:
            with self.watch(torch) as watched:
                pass
        self.assertIn("no CUDA device", log.output[0])
        self.assertEqual((torch.calls, watched.explanation), ([], None))

    def test_needs_pytorch(self):
        with self.assertRaisesRegex(memgauge.UsageError, "not installed"):
            with self.watch(None):
                pass


if __name__ == "__main__":
    unittest.main()
