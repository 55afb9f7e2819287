"""Predicts programs that run a model with a key-value cache. The tests calculate weights and caches by hand."""

import tempfile
import unittest
from pathlib import Path

from test_memory_predict import LIBRARY, MIB, VERSION, call, predicted
from test_memory_predict_programs import has_package

WIDTH, LAYERS, WORDS = 512, 4, 1000  # of programs/serving.py
WEIGHTS = 2 * (2 * WORDS * WIDTH + WORDS + LAYERS * (4 * WIDTH * WIDTH + 4 * WIDTH))
PER_TOKEN = 2 * 2 * LAYERS * WIDTH  # keys and values in bf16

GENERATE = """import sys, torch
from transformers import LlamaConfig, LlamaForCausalLM
config = LlamaConfig(vocab_size=1000, hidden_size=256, intermediate_size=512, num_hidden_layers=3, num_attention_heads=8,
    num_key_value_heads=2, max_position_embeddings=4096)
model = LlamaForCausalLM(config).to("cuda", torch.bfloat16).eval()
ids = torch.randint(0, 1000, (4, 100)).cuda()
with torch.no_grad():
    model.generate(ids, max_new_tokens=20, do_sample=False, pad_token_id=0, cache_implementation=(sys.argv + [None])[1])
"""


@unittest.skipUnless(LIBRARY, "MOLGAUGE_LIBRARY names no library")
@unittest.skipUnless(VERSION and VERSION >= (2, 4), "PyTorch 2.4 or later is not installed. Name a Python that has it in MOLGAUGE_TORCH_PYTHON")
class Serving(unittest.TestCase):
    def test_weights_and_cache_for_each_token_and_sequence(self):
        small, long, training = predicted(
            call("serving"),
            call("serving", "--batch", "2", "--context", "1000", "--new", "30", capacity="24GiB"),
            call("gpt", gpu="h200"),
        )
        for found, sequences, tokens, calls in ((small, 4, 256 + 15, 16), (long, 2, 1000 + 29, 30)):
            serving = found["serving"]
            self.assertEqual(serving["weights_bytes"], WEIGHTS)
            self.assertEqual(serving["cache_bytes_per_token"], PER_TOKEN)
            self.assertEqual((serving["cache_sequences"], serving["cache_tokens"], serving["calls"]), (sequences, tokens, calls))
            self.assertEqual(serving["cache_bytes"], sequences * tokens * PER_TOKEN)
            self.assertFalse(serving["is_preallocated"])
            self.assertFalse([note for note in found["notes"] if "optimizer steps" in note])
            self.assertIn(f"{sequences} sequences of {tokens:,} tokens, 8.00 KiB for each token of each sequence", found["text"])
        room = (24 << 30) - long["context_bytes"] - long["peak_allocated_bytes_high"]
        self.assertIn(f"At most {room // PER_TOKEN:,} more tokens fit", long["text"])
        self.assertNotIn("more tokens fit", small["text"])
        self.assertIsNone(training["serving"])

    def test_a_cache_that_is_allocated_in_advance(self):
        (found,) = predicted(call("serving", "--preallocate"))
        self.assertEqual(found["serving"]["weights_bytes"], WEIGHTS)
        self.assertTrue(found["serving"]["is_preallocated"])
        self.assertEqual(found["serving"]["cache_bytes"], 4 * (256 + 16) * PER_TOKEN)
        self.assertIsNone(found["serving"]["cache_bytes_per_token"])

    def test_finds_the_largest_context(self):
        (found,) = predicted(call("serving", "--new", "3", capacity="1GiB", find="context"))
        value = found["find"]["value"]
        self.assertGreater(value, 256)
        tried = {one["value"]: one["verdict"] for one in found["find"]["tried"]}
        self.assertEqual(tried[value], "fits")
        self.assertNotEqual(tried[found["find"]["too_large"]], "fits")
        cache = (value + 2) * 4 * PER_TOKEN
        self.assertEqual(found["serving"]["cache_bytes"], cache)
        self.assertLess(WEIGHTS + cache + found["context_bytes"], 1024 * MIB)

    @unittest.skipUnless(has_package("transformers"), "transformers is not installed")
    def test_generate_of_transformers(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "generate.py"
            script.write_text(GENERATE)
            dynamic, static = predicted({"script": str(script)}, {"script": str(script), "script_arguments": ["static"]})
        per_token = 2 * 2 * 3 * 2 * 32
        self.assertEqual(dynamic["serving"]["cache_bytes_per_token"], per_token)
        self.assertEqual(dynamic["serving"]["cache_tokens"], 119)
        self.assertTrue(static["serving"]["is_preallocated"])
        self.assertIn(static["serving"]["cache_bytes"], (4 * 119 * per_token, 4 * 120 * per_token))


if __name__ == "__main__":
    unittest.main()
