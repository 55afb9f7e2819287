"""Predicts small programs with the parts of PyTorch that people's scripts use. Each program needs little memory, so the tests
state it by hand."""

import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from test_memory_predict import LIBRARY, MIB, PYTHON, VERSION, predicted

#: The workspaces of cuBLAS and cublasLt on an A100.
CUBLAS = 8519680
CUBLASLT = MIB


def has_package(name):
    return subprocess.run([PYTHON, "-c", f"import {name}"], capture_output=True).returncode == 0


class ProgramTests(unittest.TestCase):
    """Predicts programs that a test writes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def predictions(self, texts, **options):
        """Predicts programs by name, each of which starts with the import of torch."""
        for name, text in texts.items():
            (self.folder / f"{name}.py").write_text("import torch\n" + text)
        results = predicted(*({"script": str(self.folder / f"{name}.py"), **options} for name in texts))
        return dict(zip(texts, results))

    def expect_no_error(self, texts, **options):
        found = self.predictions(texts, **options)
        for name, result in found.items():
            with self.subTest(name):
                self.assertNotIn("error", result)
        return found


@unittest.skipUnless(LIBRARY, "MOLGAUGE_LIBRARY names no library")
@unittest.skipUnless(VERSION and VERSION >= (2, 4), "PyTorch 2.4 or later is not installed. Name a Python that has it in MOLGAUGE_TORCH_PYTHON")
class Programs(ProgramTests):
    def test_classes_of_cuda_stay_real(self):
        self.expect_no_error(
            {
                "annotation": (
                    "from typing import Optional\n"
                    "x = torch.zeros(1, device='cuda')\n"
                    "def f(g: Optional[torch.cuda.CUDAGraph] = None, s: 'torch.cuda.Stream | None' = None): pass\n"
                    "assert all(isinstance(one, type) for one in (torch.cuda.CUDAGraph, torch.cuda.graph, torch.cuda.Stream,\n"
                    "    torch.cuda.Event, torch.cuda.device, torch.cuda.StreamContext, torch.Stream))\n"
                    "assert not isinstance(3, torch.cuda.CUDAGraph)\n"
                    "class Mine(torch.cuda.device): pass\n"
                    "with torch.cuda.device(0), Mine(0), torch.cuda.device_of(x): pass\n"
                ),
                "streams": (
                    "s, e = torch.cuda.Stream(), torch.cuda.Event(enable_timing=True)\n"
                    "assert isinstance(s, torch.cuda.Stream) and isinstance(s, torch.Stream) and isinstance(e, torch.cuda.Event)\n"
                    "assert not isinstance(s, torch.cuda.Event) and not isinstance(3, torch.Stream)\n"
                    "assert not hasattr(s, 'no_such_attribute')\n"
                    "before = torch.cuda.current_stream()\n"
                    "with torch.cuda.stream(s):\n"
                    "    assert torch.cuda.current_stream() == s != before\n"
                    "    x = torch.zeros(8, device='cuda')\n"
                    "assert torch.cuda.current_stream() == before == torch.cuda.default_stream()\n"
                    "torch.cuda.set_stream(s)\n"
                    "assert torch.cuda.current_stream() is s\n"
                    "e.record(s); s.wait_event(e); e.wait(); s.wait_stream(before); s.synchronize(); x.record_stream(s)\n"
                    "assert s.query() and e.query() and {s: 1}[s] == 1\n"
                ),
                # torch 2.13 asks the current stream of the accelerator in every step of an optimizer.
                "adamw": (
                    "m = torch.nn.Linear(8, 8).cuda()\n"
                    "o = torch.optim.AdamW(m.parameters())\n"
                    "m(torch.zeros(1, 8, device='cuda')).sum().backward()\n"
                    "o.step()\n"
                    "if hasattr(torch, 'accelerator'):\n"
                    "    s = torch.accelerator.current_stream()\n"
                    "    assert not hasattr(s, 'is_capturing') or not s.is_capturing()\n"
                    "    assert torch.accelerator.device_count() == 1\n"
                ),
            }
        )

    def test_unknown_parts_of_cuda_are_named_with_their_line(self):
        start = "x = torch.zeros(8, device='cuda')\n"
        found = self.predictions(
            {
                "pool": start + "with torch.cuda.use_mem_pool(torch.cuda.MemPool()): pass\n",
                "graph": start + "g = torch.cuda.CUDAGraph()\n",
                "properties": start + "torch.cuda.get_device_properties(0).no_such_property\n",
                "sparse": start + "torch.eye(3).to_sparse().cuda()\n",
                "csr": start + "torch.eye(3).to_sparse_csr().cuda()\n",
                "jit": start + "torch.jit.load('model.pt')\n",
                "second": start + "x.to(1)\n",
                "second_of_module": start + "torch.nn.Linear(3, 3).to(1)\n",
                "repeats": start + "torch.ones(4000, device='cuda').repeat_interleave(torch.randn(4000, device='cuda').long())\n",
                "bins": start + "torch.bincount((x + torch.rand(8, device='cuda')).long().repeat(4000) * 2)\n",
            }
        )
        words = {
            "pool": "torch.cuda.", "graph": "CUDA graphs", "properties": "no_such_property", "sparse": "sparse", "csr": "sparse",
            "jit": "torch.jit.load", "second": "cuda:1", "second_of_module": "cuda:1", "repeats": "repeat_interleave",
            "bins": "bincount",
        }  # fmt: skip
        for name, word in words.items():
            if name == "pool" and VERSION < (2, 6):
                continue
            with self.subTest(name):
                self.assertEqual(found[name].get("code"), 2, found[name])
                self.assertIn(word, found[name]["error"])
                self.assertIn(f"{name}.py:3", found[name]["error"])
                self.assertNotIn("\n", found[name]["error"])

    def test_numbers_name_the_gpu(self):
        training = (
            "o = torch.optim.SGD(m.parameters(), lr=0.1)\n"
            "for _ in range(2):\n"
            "    m(torch.randn(64, 512).to(0)).mean().backward(); o.step(); o.zero_grad()\n"
        )
        found = self.expect_no_error(
            {
                "name": "m = torch.nn.Linear(512, 512).to('cuda')\n" + training,
                "number": "m = torch.nn.Linear(512, 512).to(0)\n" + training,
                "named_number": "m = torch.nn.Linear(512, 512).to(device=0)\n" + training,
                "argument": "m = torch.nn.Linear(512, 512, device=0)\n" + training,
                "parallel": "m = torch.nn.DataParallel(torch.nn.Linear(512, 512).cuda())\n" + training,
                "others": (
                    "x = torch.zeros(3, device=0)\n"
                    "assert all(one.is_cuda for one in (x, torch.tensor([1.0], device=0), torch.as_tensor([1.0], device=0),\n"
                    "    x.new_zeros(3, device=0), x.new_tensor([1.0], device=0), torch.zeros(3).cuda(0), torch.zeros(3).to(device=0)))\n"
                    "assert torch.device(0) == torch.device('cuda', 0)\n"
                    "torch.cuda.set_device(0)\n"
                    "assert x.to(torch.float64).dtype == torch.float64 and x.sum(0).is_cuda and torch.zeros(3).sum(0).is_cpu\n"
                ),
            }
        )
        peaks = {name: one["peak_allocated_bytes"] for name, one in found.items() if name != "others"}
        self.assertEqual(len(set(peaks.values())), 1, peaks)

    def test_a_moved_model_keeps_its_parameters(self):
        # Optimizers, ties and references to parameters that are older than the move stay valid.
        self.expect_no_error(
            {
                "moved": (
                    "m = torch.nn.Linear(512, 512)\n"
                    "weight, optimizer = m.weight, torch.optim.AdamW(m.parameters())\n"
                    "weight.mark = 'own attribute'\n"
                    "m.to('cuda')\n"
                    "assert m.weight is weight and weight.is_cuda and weight.mark == 'own attribute'\n"
                    "m(torch.randn(2, 512, device='cuda')).sum().backward(); optimizer.step()\n"
                    "assert len(optimizer.state) == 2\n"
                    "m.half().cpu()\n"
                    "assert m.weight is weight and weight.is_cpu and weight.dtype == torch.float16 and weight.grad.is_cpu\n"
                )
            }
        )

    def test_default_devices_and_types(self):
        found = self.expect_no_error(
            {
                # The steps of Adam are tensors on the default device, which a foreach operator increments.
                "adam": (
                    "torch.set_default_device('cuda')\n"
                    "m = torch.nn.Linear(8, 8)\n"
                    "o = torch.optim.Adam(m.parameters())\n"
                    "for i in range(3):\n"
                    "    m(torch.randn(2, 8)).sum().backward(); o.step()\n"
                    "    assert o.state[m.weight]['step'].item() == i + 1\n"
                ),
                "tensor_type": (
                    "torch.set_default_tensor_type('torch.cuda.FloatTensor')\n"
                    "x = torch.cuda.FloatTensor(64, 512).normal_()\n"
                    "assert x.is_cuda and isinstance(x, torch.cuda.FloatTensor) and not isinstance(x, torch.cuda.HalfTensor)\n"
                    "assert x.type() == 'torch.cuda.FloatTensor' and x.type(torch.cuda.HalfTensor).dtype == torch.float16\n"
                    "assert torch.empty(3).is_cuda and torch.cuda.LongTensor([1, 2]).tolist() == [1, 2]\n"
                ),
                "recurrent": (
                    "torch.set_default_device('cuda')\n"
                    "torch.nn.LSTM(32, 64, batch_first=True)(torch.randn(4, 20, 32))[0].mean().backward()\n"
                ),
            }
        )
        self.assertEqual(found["adam"]["optimizer_steps"], 3)

    def test_the_device_meta_of_a_script_needs_no_memory(self):
        found = self.expect_no_error(
            {
                "empty": (
                    "with torch.device('meta'):\n"
                    "    m = torch.nn.Linear(1024, 1024)\n"
                    "assert m.weight.is_meta and m.weight.device.type == 'meta' and not m.weight.is_cuda\n"
                    "assert m(torch.empty(4, 1024, device='meta')).is_meta and torch.cuda.memory_allocated() == 0\n"
                    "try:\n"
                    "    m.to('cuda')\n"
                    "    raise SystemExit('a model without data was copied')\n"
                    "except NotImplementedError:\n"
                    "    pass\n"
                    "m.to_empty(device='cuda')\n"
                    "assert m.weight.is_cuda and torch.zeros(8, device='cuda').to('meta').is_meta\n"
                )
            }
        )
        self.assertEqual(found["empty"]["peak_allocated_bytes"], 4 * (1024 * 1024 + 1024) + 512)

    def test_classes_of_tensors_are_followed(self):
        found = self.expect_no_error(
            {
                "classes": (
                    "class Weight(torch.nn.Parameter): pass\n"
                    "class Input(torch.Tensor): pass\n"
                    "m = torch.nn.Linear(512, 512, bias=False)\n"
                    "m.weight = Weight(m.weight.data)\n"
                    "m.cuda()\n"
                    "x = torch.zeros(4, 512, device='cuda').as_subclass(Input)\n"
                    "m(x)\n"
                )
            }
        )
        self.assertEqual(found["classes"]["peak_allocated_bytes"], 4 * (512 * 512 + 2 * 4 * 512) + CUBLAS)

    def test_threads_are_covered(self):
        found = self.predictions(
            {
                "thread": (
                    "import threading\n"
                    "kept = []\n"
                    "t = threading.Thread(target=lambda: kept.append(torch.randn(1024, 1024).to('cuda')))\n"
                    "t.start(); t.join()\n"
                    "assert kept[0].is_cuda\n"
                ),
                "pool": (
                    "from concurrent.futures import ThreadPoolExecutor\n"
                    "with ThreadPoolExecutor(2) as pool:\n"
                    "    kept = list(pool.map(lambda i: torch.zeros(512, 512, device='cuda'), range(4)))\n"
                    "assert all(one.is_cuda for one in kept)\n"
                ),
                "not_joined": (
                    "import threading, time\n"
                    "def work():\n"
                    "    time.sleep(0.2)\n"
                    "    torch.zeros(1024, 1024, device='cuda')\n"
                    "threading.Thread(target=work).start()\n"
                ),
                "refused": (
                    "import queue, threading\n"
                    "x, results = torch.zeros(8, device='cuda'), queue.Queue()\n"
                    "threading.Thread(target=lambda: results.put(torch.cuda.CUDAGraph()), daemon=True).start()\n"
                    "results.get()\n"
                ),
                "stops": (
                    "import threading\n"
                    "m = torch.nn.Linear(8, 8).cuda()\n"
                    "o = torch.optim.SGD(m.parameters(), lr=0.1)\n"
                    "def train():\n"
                    "    while True:\n"
                    "        m(torch.zeros(1, 8, device='cuda')).sum().backward(); o.step()\n"
                    "t = threading.Thread(target=train)\n"
                    "t.start(); t.join()\n"
                ),
            }
        )
        for name in ("thread", "pool", "not_joined"):
            self.assertEqual(found[name].get("peak_allocated_bytes"), 4 * MIB, found[name])
        self.assertIn("CUDA graphs", found["refused"]["error"])
        self.assertIn("stopped after 3 optimizer steps", found["stops"]["ended_by"])

    def test_a_thread_ends_a_run_in_the_background(self):
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does for a process in the background
        try:
            found = self.predictions(
                {
                    "waits": (
                        "import queue, threading\n"
                        "x, results = torch.zeros(8, device='cuda'), queue.Queue()\n"
                        "threading.Thread(target=lambda: results.put(torch.cuda.CUDAGraph()), daemon=True).start()\n"
                        "results.get()\n"
                    )
                }
            )
        finally:
            signal.signal(signal.SIGINT, handler)
        self.assertIn("CUDA graphs", found["waits"]["error"])

    def test_inference_mode_does_not_cache_copies_of_weights(self):
        text = (
            "m = torch.nn.Sequential(*(torch.nn.Linear(1024, 1024) for _ in range(4))).cuda()\n"
            "x = torch.randn(8, 1024, device='cuda')\n"
            "with torch.{}(), torch.autocast('cuda', torch.bfloat16):\n"
            "    m(x)\n"
        )
        found = self.expect_no_error({name: text.format(name) for name in ("inference_mode", "no_grad")})
        kept = CUBLAS + (CUBLASLT if VERSION >= (2, 7) else 0)
        weights = 4 * 4 * (1024 * 1024 + 1024)
        for name, copies in (("inference_mode", 1), ("no_grad", 4)):
            peak = found[name]["peak_allocated_bytes"]
            self.assertAlmostEqual(peak, weights + copies * 2 * 1024 * 1024 + kept, delta=MIB // 2 + (MIB if VERSION < (2, 7) else 0))

    def test_checks_of_values_pass(self):
        self.expect_no_error(
            {
                "distributions": (
                    "from torch import distributions as d\n"
                    "zeros, ones = torch.zeros(4, device='cuda'), torch.ones(4, device='cuda')\n"
                    "normal = d.Normal(zeros, ones)\n"
                    "normal.log_prob(normal.rsample())\n"
                    "several = d.Categorical(logits=torch.randn(4, 600, device='cuda'))\n"
                    "several.log_prob(torch.from_numpy(several.sample().cpu().numpy()).cuda())\n"
                    "d.kl_divergence(normal, d.Normal(ones, ones)); d.Bernoulli(logits=zeros).sample(); d.Beta(ones, ones).rsample()\n"
                    "d.MultivariateNormal(zeros, torch.eye(4, device='cuda')).rsample()\n"
                ),
                "all": (
                    "x = torch.randn(100, device='cuda')\n"
                    "assert torch.isfinite(x).all() and torch.equal(x, x) and torch.allclose(x, x) and torch._is_all_true(x == x)\n"
                    "assert not torch.isnan(x).any()\n"
                ),
            }
        )

    def test_known_operands_decide_and_and_or(self):
        self.expect_no_error(
            {
                "decided": (
                    "unknown = torch.randn(64, device='cuda') > 0\n"
                    "done = torch.full((64,), True, device='cuda')\n"
                    "assert (done | unknown).all().item() and not (~done & unknown).any().item()\n"
                    "running = torch.ones(64, dtype=torch.long, device='cuda')\n"
                    "running = running & ~(unknown | done)\n"
                    "assert running.max().item() == 0\n"
                ),
                # A fixed number of steps ends, whatever the values are.
                "generate": (
                    "tokens = torch.zeros(2, 1, dtype=torch.long, device='cuda')\n"
                    "running = torch.ones(2, dtype=torch.long, device='cuda')\n"
                    "while running.max() != 0:\n"
                    "    following = torch.randn(2, 50, device='cuda').argmax(-1)\n"
                    "    tokens = torch.cat([tokens, following[:, None]], 1)\n"
                    "    running = running & ~((following == 3) | torch.full((2,), tokens.shape[1] >= 9, device='cuda'))\n"
                    "assert tokens.shape == (2, 9)\n"
                ),
            }
        )

    def test_values_follow_operators_that_change_parts_and_lists(self):
        self.expect_no_error(
            {
                "changed": (
                    "x = torch.tensor([1, 2, 3], device='cuda')\n"
                    "x[0].fill_(7)\n"
                    "assert x.tolist() == [7, 2, 3]\n"
                    "torch._foreach_add_([x, torch.randn(4096, device='cuda')], 1)\n"
                    "assert x.tolist() == [8, 3, 4]\n"
                )
            }
        )

    def test_routing_has_a_balanced_and_a_worst_case(self):
        text = (
            "tokens, experts, wide = 4096, 8, 256\n"
            "x = torch.zeros(tokens, wide, device='cuda')\n"
            "index = torch.zeros(tokens, experts, device='cuda').softmax(-1).topk(2, -1)[1]\n"
            "kept = []\n"
            "for expert in range(experts):\n"
            "    token, slot = {}\n"
            "    kept.append(x[token])\n"
        )
        rows = {
            "where": "torch.where(index == expert)",
            "one_hot": "torch.where(torch.nn.functional.one_hot(index, experts).permute(2, 0, 1)[expert])",
        }
        found = self.expect_no_error({name: text.format(row) for name, row in rows.items()})
        gathered = 2 * 4096 * 256 * 4  # every token belongs to two experts, however they are divided
        for name, result in found.items():
            with self.subTest(name):
                for peak in ("peak_allocated_bytes", "peak_allocated_bytes_high"):
                    self.assertAlmostEqual(result[peak] / (4096 * 256 * 4 + gathered), 1, delta=0.1)
                self.assertTrue(any("Sizes depend on values" in note for note in result["notes"]))

    def test_unknown_masks_give_a_range(self):
        found = self.expect_no_error(
            {
                "unknown": "x = torch.randn(1024, 1024, device='cuda')\ny = x[x > 0]\n",
                "half": "x = torch.zeros(1024, 1024, device='cuda')\ny = x[torch.rand(1024, 1024, device='cuda') < 0.5]\n",
                "distinct": "x = torch.rand(1 << 20, 4, device='cuda').argmax(-1).unique()\n",
            }
        )
        floats, mask, index = 4 * MIB, MIB, 8 * MIB

        def ends(name):
            return found[name]["peak_allocated_bytes"], found[name]["peak_allocated_bytes_high"]

        low, high = ends("unknown")
        self.assertLess(low, floats + mask + 2 * MIB)
        self.assertGreaterEqual(high, 2 * floats + mask + 2 * index)
        low, high = ends("half")
        self.assertLess(high - low, 0.05 * high)

    def test_kernels_copy_input_that_is_not_contiguous(self):
        text = (
            "m = torch.nn.{}.cuda()\n"
            "x = torch.randn({}, device='cuda').transpose(1, 2)\n"
            "with torch.no_grad():\n"
            "    m(x)\n"
        )
        found = self.expect_no_error(
            {"group": text.format("GroupNorm(8, 64)", "4, 16384, 64"), "layer": text.format("LayerNorm(64)", "4, 64, 16384")}
        )
        self.assertAlmostEqual(found["group"]["peak_allocated_bytes"], 3 * 16 * MIB, delta=MIB // 4)
        self.assertAlmostEqual(found["layer"]["peak_allocated_bytes"], 3 * 16 * MIB + MIB // 2, delta=MIB // 4)

    def test_integers_with_a_known_range_give_both_ends(self):
        found = self.expect_no_error(
            {
                "count": (
                    "x = torch.randn(100000, device='cuda')\n"
                    "n = (x > 0).sum().item()\n"
                    "torch.empty(n, 64, device='cuda')\n"
                ),
                "tokens": (
                    "x = torch.randint(0, 5000, (100000,), device='cuda')\n"
                    "torch.empty(x.max().item() + 1, 1024, device='cuda')\n"
                ),
                "accuracy": (
                    "x = torch.randn(512, 10, device='cuda')\n"
                    "y = (x.argmax(1) == torch.zeros(512, dtype=torch.long, device='cuda')).sum().item() / 512\n"
                ),
            }
        )
        highs = {name: one["peak_allocated_bytes_high"] for name, one in found.items()}
        self.assertAlmostEqual(highs["count"], 100000 * 4 + 100000 * 256, delta=MIB)
        self.assertAlmostEqual(highs["tokens"], 100000 * 8 + 5000 * 4096, delta=MIB)
        self.assertEqual(highs["accuracy"], found["accuracy"]["peak_allocated_bytes"])
        self.assertLess(found["count"]["peak_allocated_bytes"], MIB)

    def test_a_loop_that_waits_for_a_value_is_named(self):
        found = self.predictions(
            {"loop": "x = torch.randn(100, device='cuda')\nwhile x.sum().item() > 0.5:\n    x = x * 0.9\n"}, seconds=8
        )
        self.assertEqual(found["loop"].get("code"), 2, found["loop"])
        self.assertIn("loop.py:3", found["loop"]["error"])

    def test_a_script_that_catches_out_of_memory_continues(self):
        start = "import sys\nfor batch in (int(sys.argv[1]), 1 << 19, 1 << 10):\n    try:\n"
        attempt = "        m = torch.nn.Linear(4096, 4096).cuda(); x = torch.randn(batch, 4096, device='cuda'); m(x); break\n"
        smaller = start + attempt + (
            "    except torch.cuda.OutOfMemoryError as error:\n"
            "        assert 'CUDA out of memory. Tried to allocate' in str(error)\n"
        )
        by_text = start + attempt + "    except RuntimeError as error:\n        assert 'out of memory' in str(error)\n"
        raised = start + attempt + "    except torch.cuda.OutOfMemoryError:\n        raise\n"
        first = ["1048576"]
        programs = {"smaller": smaller, "by_text": by_text, "raised": raised}
        found = self.predictions(programs, capacity="24GiB", script_arguments=first)
        gib = 1 << 30
        for name in ("smaller", "by_text"):
            with self.subTest(name):
                # The first output fails. The first input is in memory while the second one, of half the size, fails.
                caught = found[name]["caught"]
                self.assertEqual([one["requested_bytes"] for one in caught], [16 * gib, 8 * gib])
                self.assertEqual({one["place"] for one in caught}, {f"{name}.py:5"})
                # The first input, and the layer of each of two attempts.
                self.assertEqual(found[name]["peak_allocated_bytes"], 16 * gib + 2 * (4096 + 1) * 4096 * 4)
                self.assertEqual(found[name]["verdict"], "fits")
                self.assertIn(f"Memory runs out 2 times, first at {name}.py:5 (16.0 GiB requested, 16.1 GiB in use). The", found[name]["text"])
        self.assertEqual((found["raised"]["verdict"], found["raised"]["caught"]), ("does not fit", []))
        self.assertIn("(the script failed at", found["raised"]["text"])
        self.assertIn("raised.py:5: OutOfMemoryError: CUDA out of memory). The figures ignore this error", found["raised"]["text"])
        (unlimited,) = self.predictions({"unlimited": smaller}, script_arguments=first).values()
        self.assertGreater(unlimited["peak_allocated_bytes"], 32 * gib)
        self.assertIn("Set --capacity or --gpu", unlimited["text"])
        # A search for the largest batch finds the largest first batch, not a smaller one that replaces it.
        searched = smaller.replace("1]", "2]")
        (best,) = self.predictions({"best": searched}, capacity="24GiB", find="batch", script_arguments=["--batch", "1024"]).values()
        self.assertAlmostEqual(best["find"]["value"] * 2 * 4096 * 4 / (23.4 * gib), 1, delta=0.05)

    def test_accelerate_finds_a_batch_that_fits(self):
        if not has_package("accelerate"):
            self.skipTest("accelerate is not installed")
        program = (
            "from accelerate.utils import find_executable_batch_size\n"
            "@find_executable_batch_size(starting_batch_size=1 << 21)\n"
            "def work(batch_size):\n"
            "    torch.zeros(batch_size, 4096, device='cuda')\n"
            "work()\n"
        )
        (found,) = self.expect_no_error({"work": program}, capacity="24GiB").values()
        self.assertEqual(found["caught"][0]["requested_bytes"], 32 << 30)
        self.assertIn(found["verdict"], ("fits", "tight"))
        self.assertGreaterEqual(found["peak_allocated_bytes"], 16 << 30)

    def test_a_run_that_the_time_limit_ends_says_so(self):
        program = "x = torch.zeros(8, device='cuda')\nfor _ in range(10 ** 9):\n    x = x + 1\n"
        (found,) = self.expect_no_error({"long": program}, seconds=1).values()
        self.assertIn("stopped after 1 seconds of computing", found["ended_by"])
        self.assertIn("the figures depend on the speed of this machine", found["text"])

    def test_a_transformers_model_generates_the_requested_tokens(self):
        if not has_package("transformers"):
            self.skipTest("transformers is not installed")
        (result,) = self.predictions(
            {
                "generate": (
                    "from transformers import LlamaConfig, LlamaForCausalLM\n"
                    "config = LlamaConfig(vocab_size=320, hidden_size=64, intermediate_size=128, num_hidden_layers=2,\n"
                    "    num_attention_heads=4, num_key_value_heads=4)\n"
                    "model = LlamaForCausalLM(config).to(0)\n"
                    "tokens = torch.randint(3, 100, (2, 16), device='cuda')\n"
                    "made = model.generate(tokens, max_new_tokens=8, eos_token_id=2, pad_token_id=0)\n"
                    "assert made.shape == (2, 24)\n"
                )
            }
        ).values()
        self.assertNotIn("error", result)
        self.assertEqual(result["ended_by"], "the script ended")

    def test_a_budget_fails_with_the_names_of_the_holders(self):
        program = (
            "import torch\n"
            "from memgauge import assert_peak\n"
            "def step(rows):\n"
            "    torch.zeros(rows, 1 << 18, device='cuda')\n"
            "assert assert_peak(step, below='64MiB', rows=8)['peak_allocated_bytes'] == 8 << 20\n"
            "assert_peak(step, below='64MiB', rows=80)\n"
        )
        ended = subprocess.run([PYTHON, "-c", program], capture_output=True, text=True)
        self.assertIn("AssertionError: The peak reserved memory of step is 80.0 MiB, and the budget is 64.0 MiB", ended.stderr)
        self.assertIn("aten::zeros", ended.stderr)

    def test_torch_script_runs_as_eager_and_says_so(self):
        found = self.expect_no_error(
            {"script": "m = torch.jit.script(torch.nn.Linear(8, 8)).cuda()\nm(torch.zeros(2, 8, device='cuda'))\n"}
        )
        self.assertEqual([one["value"] for one in found["script"]["replacements"]], ["torch.jit.script"])

    def test_compiled_functions_are_listed_where_they_are_called(self):
        start = "@torch.compile(dynamic=True)\ndef twice(x):\n    return 2 * x\nx = torch.zeros(8, device='cuda')\n"
        found = self.expect_no_error({"called": start + "twice(x)\ntwice(x)\n", "defined": start})
        self.assertEqual([(one["value"], one["place"]) for one in found["called"]["replacements"]], [
            ("torch.compile", "called.py:6"), ("torch.compile", "called.py:7"),
        ])  # fmt: skip
        self.assertIn("torch.compile -> eager execution. Compiled code may need less or more memory: called.py:6, called.py:7", found["called"]["text"])
        self.assertEqual(found["defined"]["replacements"], [])

    def test_a_script_in_half_precision_is_not_advised_to_use_it(self):
        program = (
            "layers = [torch.nn.Linear(1024, 1024).cuda().{cast}() for _ in range(4)]\n"
            "model = torch.nn.Sequential(*(one for layer in layers for one in (layer, torch.nn.GELU())))\n"
            "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
            "for _ in range(2):\n"
            "    model(torch.zeros(1 << 16, 1024, device='cuda').{cast}()).sum().backward()\n"
            "    optimizer.step()\n"
        )
        pages = {name: str(self.folder / f"{name}.html") for name in ("float", "half")}
        found = {name: self.expect_no_error({name: program.format(cast=name)}, page=page)[name] for name, page in pages.items()}
        for name, is_advised in (("float", True), ("half", False)):
            with self.subTest(name):
                self.assertEqual(any("bf16" in one["change"] for one in found[name]["savings"]), is_advised)
                self.assertEqual("activations in bf16" in Path(pages[name]).read_text(), is_advised)


if __name__ == "__main__":
    unittest.main()
