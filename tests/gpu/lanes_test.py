"""Tests the figures of GPU lanes (bench/gpu_lanes.py and bench/device_report.py) with programs that print made-up
figures.
"""

import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import device_report  # noqa: E402
import gpu_lanes  # noqa: E402

DEVICE = """#!/bin/sh
echo '{"benchmarks": [
  {"name": "encode/cuda/fp32/72/real_time", "items_per_second": 20001.0},
  {"name": "encode/cuda/fp32/2800/real_time", "items_per_second": 50000},
  {"name": "encode/cuda/tf32/2800/real_time", "error_occurred": true},
  {"name": "unimol/cuda/tf32/2048/real_time", "items_per_second": 60000},
  {"name": "epoch/cuda/fp32/512/real_time", "seconds_per_epoch": 0.004}]}'
"""
POCKET = """#!/bin/sh
test "$1" = train || { echo 'no memory is left' >&2; exit 1; }
test "$5" = cuda && echo '{"seconds": [9, 9, 9, 0.008, 0.007, 0.009]}'
"""


def found_in(build, seconds):
    written = []
    figures = gpu_lanes.measure(build, sys.executable, seconds, lambda now: written.append(json.dumps(now)))
    assert json.loads(written[-1]) == figures
    return figures


class Lanes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.build = pathlib.Path(self.folder.name)
        (self.build / "bin").mkdir()
        for name, text in (("bench_device", DEVICE), ("bench_pocket", POCKET)):
            (self.build / "bin" / name).write_text(text)
            (self.build / "bin" / name).chmod(0o755)
        self.installed = gpu_lanes.importlib.util.find_spec
        gpu_lanes.importlib.util.find_spec = lambda module: None

    def tearDown(self):
        gpu_lanes.importlib.util.find_spec = self.installed
        self.folder.cleanup()

    def test_figures_and_reasons(self):
        figures = found_in(self.build, 60)
        self.assertEqual(figures["ours"], {
            "minimol/fp32/72": 20001, "minimol/fp32/2800": 50000, "unimol/tf32/2048": 60000, "head/fp32/512": 1.0,
            "pocket/train/8": 8.0})
        reasons = "\n".join(figures["left_out"])
        self.assertIn("no memory is left", reasons)
        self.assertEqual(reasons.count("e3nn is not installed"), 1)

    def test_no_time(self):
        figures = found_in(self.build, 0)
        self.assertEqual(figures["ours"], {})
        self.assertIn("no time was left", figures["left_out"][0])

    def test_the_page_is_filled(self):
        page = (ROOT / "docs/results/gpu.md").read_text()
        for label, _, _ in device_report.LANES:
            self.assertEqual(page.count(f"\n| {label} |"), 1, label)
        figures = found_in(self.build, 60)
        figures["peer"] = {"pocket/train/8": 72.0}
        filled = device_report.fill_lanes(page, figures).split("\n")

        def line_of(label):
            return next(line for line in filled if line.startswith(f"| {label}"))

        self.assertTrue(line_of("pocket training").endswith("| 8.0 ms, peer 72.0: 9.00 times as fast |"))
        self.assertTrue(line_of("the same in TF32").endswith("| 60,000 molecules/s |"))
        # One of three figures is missing.
        before = next(line for line in page.split("\n") if line.startswith("| MiniMol, 2,800"))
        self.assertEqual(line_of("MiniMol, 2,800"), before)


if __name__ == "__main__":
    unittest.main()
