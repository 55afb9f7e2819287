"""Predicts small programs with the PyTorch and the transformers that are installed, in less than a minute. The other tests of
predictions need the same packages and take longer. scripts/memory-versions compares versions."""

import unittest

from test_memory_predict import LIBRARY, PYTHON, VERSION
from test_memory_predict_programs import CUBLAS, CUBLASLT, ProgramTests, has_package

WIDE = 1024
LAYER = 4 * WIDE * WIDE
LLAMA = 4 * (2 * 1000 * 512 + 2 * (4 * 512 * 512 + 3 * 512 * 1024 + 2 * 512) + 512)

#: For each program its text and its peak by hand.
PROGRAMS = {
    # Weights, gradients, two moments and the square root of one.
    "training": (
        f"m = torch.nn.DataParallel(torch.nn.Sequential(*(torch.nn.Linear({WIDE}, {WIDE}, bias=False) for _ in range(4)))).to(0)\n"
        "o = torch.optim.AdamW(m.parameters())\n"
        "for _ in range(2):\n"
        "    with torch.autocast('cuda', torch.bfloat16):\n"
        f"        loss = m(torch.randn(8, {WIDE}, device='cuda')).float().mean()\n"
        "    loss.backward(); o.step(); o.zero_grad()\n",
        4 * LAYER * 5 + 2 * CUBLAS + CUBLASLT,
    ),
    # Weights, and a copy of one weight in 16 bits.
    "inference": (
        f"m = torch.nn.Sequential(*(torch.nn.Linear({WIDE}, {WIDE}, bias=False) for _ in range(8))).cuda()\n"
        "with torch.inference_mode(), torch.autocast('cuda', torch.bfloat16):\n"
        f"    m(torch.randn(8, {WIDE}, device='cuda'))\n",
        8 * LAYER + LAYER // 2 + CUBLAS,
    ),
}
GENERATION = (
    "from transformers import LlamaConfig, LlamaForCausalLM\n"
    "config = LlamaConfig(vocab_size=1000, hidden_size=512, intermediate_size=1024, num_hidden_layers=2, num_attention_heads=8)\n"
    "model = LlamaForCausalLM(config).to('cuda')\n"
    "made = model.generate(torch.randint(3, 100, (2, 16), device='cuda'), max_new_tokens=8, eos_token_id=2, pad_token_id=0)\n"
    "assert made.shape == (2, 24)\n"
)


@unittest.skipUnless(LIBRARY, "MOLGAUGE_LIBRARY names no library")
@unittest.skipUnless(
    VERSION and VERSION >= (2, 4),
    f"{PYTHON} has no PyTorch. Install torch and transformers there, or name another Python in MOLGAUGE_TORCH_PYTHON",
)
class Floor(ProgramTests):
    def test_installed_versions(self):
        programs = dict(PROGRAMS)
        if has_package("transformers"):
            programs["generation"] = GENERATION, LLAMA + CUBLAS
        found = self.expect_no_error({name: text for name, (text, _) in programs.items()})
        for name, (_, peak) in programs.items():
            with self.subTest(name):
                self.assertAlmostEqual(found[name]["peak_allocated_bytes"] / peak, 1, delta=0.1)


if __name__ == "__main__":
    unittest.main()
