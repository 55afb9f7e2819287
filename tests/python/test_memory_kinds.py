"""Predicts programs of the kinds that people write (programs/kinds). Weights dominate their memory, so the tests compute it by hand."""

import unittest

from test_memory_predict import LIBRARY, PROGRAMS, VERSION, predicted
from test_memory_predict_programs import CUBLAS, CUBLASLT, has_package

#: The packages that programs import, in addition to PyTorch.
PACKAGES = {
    "accelerated": "accelerate", "configured": "hydra", "detection": "torchvision", "diffusion": "diffusers", "equivariant": "e3nn",
    "generation": "transformers", "graphs": "torch_geometric", "lora": "peft", "module": "lightning", "resnet_amp": "torchvision",
    "segmentation": "torchvision", "trainer": "transformers", "vision_transformer": "torchvision",
}  # fmt: skip


def dense(*widths):
    """Returns the number of parameters of linear layers with bias."""
    return sum((a + 1) * b for a, b in zip(widths, widths[1:]))


#: Programs that run a second time, with these arguments.
ARGUMENTS = {"trainer": ["--bf16"]}

LLAMA = 2 * 1000 * 1024 + 4 * (4 * 1024 * 1024 + 3 * 1024 * 2048 + 2 * 1024) + 1024
LONG_LLAMA = LLAMA + 4 * 3 * 1024 * (2816 - 2048)
MIXTURE = 2 * (512 * 8 + 8 * dense(512, 2048, 512)) + dense(512, 10)

#: For each program, the number of parameters, and how many tensors of their size it needs: weights, gradients, the state of the
#: optimizer, and for Adam a temporary square root.
BY_HAND = {
    "accelerated": (dense(512, 2048, 10), 5),
    "autoencoder": (dense(784, 1024) + dense(512, 1024, 784), 5),
    "configured": (dense(1024, 1024, 1), 5),
    "data_parallel": (dense(1024, 2048, 10), 5),
    "distillation": (dense(512, 4096, 100) + 5 * dense(512, 1024, 100), 1),  # the teacher has only weights
    "generation": (LONG_LLAMA, 0.5),  # weights of 16 bits
    "inference_autocast": (4 * dense(2048, 2048) + dense(2048, 10) + 2048 * 2048 // 2, 1),  # a copy of one weight in 16 bits
    "lora": (LLAMA, 1),
    "mixture_of_experts": (MIXTURE, 5),
    "contrastive": (dense(512, 1024, 256) + 2 * 1024, 11),  # two trained encoders, and the average of one
    "module": (dense(512, 2048, 10), 5),
    "packed_lstm": (5000 * 512 + 4 * 512 * (512 + 512 + 2) + dense(512, 10), 5),
    "q_learning": (dense(8, 2048, 2048, 4), 6),  # the target network has only weights
    "resnet_amp": (11689512, 3),  # SGD with momentum
    "serving_loop": (4 * (2 * 2048 * 16 * 512 + dense(512, 3 * 512) + dense(512, 512)) + 1000 * 512 + dense(512, 1000), 1),
    "trainer": (1064 * 512 + 4 * (12 * 512 * 512 + 13 * 512) + 1024, 4),  # the fused optimizer needs no temporary
    "vision_transformer": (4 * (12 * 512 * 512 + 13 * 512) + dense(768, 512) + 18 * 512 + 1024 + dense(512, 100), 5),
    "workers": (dense(512, 2048, 10), 4),  # RMSprop has one state
}

REFUSED = {"sparse_embedding": ("sparse tensor", "sparse_embedding.py:8")}


@unittest.skipUnless(LIBRARY, "MOLGAUGE_LIBRARY names no library")
@unittest.skipUnless(VERSION and VERSION >= (2, 11), "PyTorch 2.11 or later is not installed. Name a Python that has it in MOLGAUGE_TORCH_PYTHON")
class Kinds(unittest.TestCase):
    def test_run_or_end_with_a_line_that_names_the_cause(self):
        names = sorted(one.stem for one in (PROGRAMS / "kinds").glob("*.py"))
        names = [one for one in names if one not in PACKAGES or has_package(PACKAGES[one])]
        runs = [(one, []) for one in names] + [(one, words) for one, words in ARGUMENTS.items() if one in names]
        results = predicted(*({"script": str(PROGRAMS / "kinds" / f"{one}.py"), "script_arguments": words} for one, words in runs))
        for (name, words), result in zip(runs, results):
            with self.subTest(" ".join([name, *words])):
                if name in REFUSED:
                    self.assertEqual(result.get("code"), 2, result)
                    for words in REFUSED[name]:
                        self.assertIn(words, result["error"])
                    self.assertNotIn("\n", result["error"])
                    continue
                self.assertNotIn("error", result)
                if name in BY_HAND:
                    elements, tensors = BY_HAND[name]
                    by_hand = 4 * elements * tensors + 2 * CUBLAS + CUBLASLT
                    self.assertAlmostEqual(result["peak_allocated_bytes"] / by_hand, 1, delta=0.1)

    def test_a_detector_has_a_range_of_boxes(self):
        if not has_package("torchvision"):
            self.skipTest("torchvision is not installed")
        (result,) = predicted({"script": str(PROGRAMS / "kinds" / "detection.py")})
        self.assertLess(result["peak_allocated_bytes"], result["peak_allocated_bytes_high"])


if __name__ == "__main__":
    unittest.main()
