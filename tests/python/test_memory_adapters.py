"""Predicts adapters (peft) and quantised layers (bitsandbytes). The tests compute the peaks by hand."""

import unittest

from test_memory_predict import LIBRARY, VERSION
from test_memory_predict_programs import CUBLAS, ProgramTests, has_package

WIDE = 2048
ELEMENTS = WIDE * WIDE
LAYERS = 8


@unittest.skipUnless(LIBRARY, "MOLGAUGE_LIBRARY names no library")
@unittest.skipUnless(VERSION and VERSION >= (2, 6), "PyTorch 2.6 or later is not installed. Name a Python that has it in MOLGAUGE_TORCH_PYTHON")
class Adapters(ProgramTests):
    def expect_peaks(self, programs):
        """``programs``: the lines and the peak by hand of each program."""
        found = self.expect_no_error({name: text for name, (text, _) in programs.items()})
        for name, (_, peak) in programs.items():
            with self.subTest(name):
                self.assertAlmostEqual(found[name]["peak_allocated_bytes"] / peak, 1, delta=0.02)

    def test_low_rank_adapters(self):
        if not has_package("peft"):
            self.skipTest("peft is not installed")
        adapters = LAYERS * 2 * 16 * WIDE * 4
        self.expect_peaks(
            {
                # Frozen weights, and for the adapters weights, gradients, two moments and the square root of one. The backward pass
                # needs one input and one output of 4 rows for each layer.
                "lora": (
                    "from peft import LoraConfig, get_peft_model\n"
                    f"m = torch.nn.Sequential(*(torch.nn.Linear({WIDE}, {WIDE}, bias=False) for _ in range({LAYERS}))).cuda()\n"
                    f"m = get_peft_model(m, LoraConfig(r=16, target_modules=[str(i) for i in range({LAYERS})]))\n"
                    "o = torch.optim.AdamW(one for one in m.parameters() if one.requires_grad)\n"
                    "for _ in range(3):\n"
                    f"    m(torch.randn(4, {WIDE}, device='cuda')).sum().backward(); o.step(); o.zero_grad()\n",
                    LAYERS * ELEMENTS * 4 + 5 * adapters + 2 * CUBLAS,
                )
            }
        )

    def test_quantised_layers(self):
        if not has_package("bitsandbytes"):
            self.skipTest("bitsandbytes is not installed")
        # Half a byte for each element, and for each 64 elements a scale of 8 bit, whose 256 share a scale of 32 bit.
        four_bit = ELEMENTS // 2 + ELEMENTS // 64 + ELEMENTS // 64 // 256 * 4
        # One byte for each element, and a scale of 32 bit for each row.
        eight_bit = ELEMENTS + WIDE * 4
        layers = (
            "import bitsandbytes as bnb\n"
            f"m = torch.nn.Sequential(*(bnb.nn.{{}}({WIDE}, {WIDE}, bias=False{{}}) for _ in range({LAYERS}))).cuda()\n"
        )
        forward = f"with torch.no_grad():\n    m(torch.randn({{}}, {WIDE}, device='cuda', dtype=torch.float16))\n"
        train = (
            "import bitsandbytes as bnb\n"
            f"m = torch.nn.Linear({WIDE}, {4 * WIDE}, bias=False).cuda()\n"
            "o = bnb.optim.{}(m.parameters())\n"
            "for _ in range(3):\n"
            f"    m(torch.randn(2, {WIDE}, device='cuda')).sum().backward(); o.step()\n"
        )
        weights = 4 * ELEMENTS * 4
        self.expect_peaks(
            {
                # While the last layer is quantised, its weights in fp32 or fp16 are on the GPU.
                "four_bit": (layers.format("Linear4bit", ", quant_type='nf4'"), LAYERS * four_bit + ELEMENTS * 4 + ELEMENTS // 64 * 4),
                "eight_bit": (layers.format("Linear8bitLt", ", has_fp16_weights=False"), LAYERS * eight_bit + ELEMENTS * 2),
                # A product of 4096 rows dequantises the weights to fp16. The input of the model, and input and output of a layer exist.
                "forward": (
                    layers.format("Linear4bit", ", quant_type='nf4', compute_dtype=torch.float16") + "torch.cuda.reset_peak_memory_stats()\n"
                    + forward.format(4096) + "torch.zeros(1)\n",
                    LAYERS * four_bit + 3 * 4096 * WIDE * 2 + ELEMENTS * 2 + ELEMENTS // 64 * 8 + CUBLAS,
                ),
                # Weights, gradients of two steps, and two moments of 8 bit with a scale for each 256 elements. Paged moments are not in the allocator.
                "adam": (train.format("AdamW8bit"), 3 * weights + 2 * (weights // 4 + weights // 4 // 256 * 4) + 2 * CUBLAS),
                "paged": (train.format("PagedAdamW8bit"), 3 * weights + 2 * (weights // 4 // 256 * 4) + 2 * CUBLAS),
            }
        )

    def test_a_language_model_with_quantised_weights_and_adapters(self):
        if not all(has_package(name) for name in ("bitsandbytes", "peft", "transformers", "accelerate")):
            self.skipTest("bitsandbytes, peft, transformers or accelerate is not installed")
        text = (
            "import tempfile\n"
            "from transformers import AutoModelForCausalLM, BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM\n"
            "from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training\n"
            "config = LlamaConfig(vocab_size=1000, hidden_size=512, intermediate_size=1024, num_hidden_layers=2, num_attention_heads=8)\n"
            "with tempfile.TemporaryDirectory() as folder:\n"
            "    LlamaForCausalLM(config).save_pretrained(folder)\n"
            "    m = AutoModelForCausalLM.from_pretrained(folder, quantization_config=BitsAndBytesConfig({}), device_map={{'': 0}})\n"
            "m = get_peft_model(prepare_model_for_kbit_training(m), LoraConfig(r=8, target_modules=['q_proj', 'v_proj']))\n"
            "o = torch.optim.AdamW(one for one in m.parameters() if one.requires_grad)\n"
            "for _ in range(2):\n"
            "    x = torch.randint(0, 1000, (2, 64), device='cuda')\n"
            "    m(input_ids=x, labels=x).loss.backward(); o.step(); o.zero_grad()\n"
        )
        found = self.expect_no_error({"four_bit": text.format("load_in_4bit=True"), "eight_bit": text.format("load_in_8bit=True")})
        elements = 2 * (4 * 512 * 512 + 3 * 512 * 1024)
        for name, size in (("four_bit", elements // 2), ("eight_bit", elements)):
            held = [one["bytes"] for one in found[name]["holders"] if one["role"] == "parameters"]
            self.assertTrue(any(abs(one - size) < 0.02 * size for one in held), (size, held))


if __name__ == "__main__":
    unittest.main()
