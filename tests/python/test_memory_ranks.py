"""Predicts programs with several GPUs. The tests compute the peaks by hand, from shards, buckets and gathered parameters."""

import unittest

from test_memory_predict import LIBRARY, MIB, VERSION, predicted
from test_memory_predict_programs import CUBLAS, CUBLASLT, ProgramTests, has_package

RANKS = 4
MODELS = """
import os, sys
import torch.distributed as dist
from torch import nn
rank, size = int(os.environ["LOCAL_RANK"]), int(os.environ["WORLD_SIZE"])
torch.cuda.set_device(rank)

class Embedded(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.head = nn.Embedding(20000, 512), nn.Linear(512, 512, bias=False)
    def forward(self, tokens):
        return self.head(self.table(tokens))

def linear():
    return nn.Sequential(*(nn.Linear(2048, 2048, bias=False) for _ in range(8))), torch.randn(4, 2048, device=rank), nn.Linear

def transformer():
    layers = (nn.TransformerEncoderLayer(768, 12, 3072, dropout=0, batch_first=True) for _ in range(6))
    return nn.Sequential(*layers), torch.randn(1, 8, 768, device=rank), nn.TransformerEncoderLayer

def embedded():
    return Embedded(), torch.zeros(1, 8, dtype=torch.long, device=rank), nn.Embedding

def ddp(module, *_, **options):
    return nn.parallel.DistributedDataParallel(module.cuda(), device_ids=[rank], **options)

def fsdp1(module, kind, strategy="FULL_SHARD", mesh=None):
    from torch.distributed.fsdp import FullyShardedDataParallel, ShardingStrategy
    from torch.distributed.fsdp.wrap import ModuleWrapPolicy
    return FullyShardedDataParallel(module, auto_wrap_policy=ModuleWrapPolicy({kind}), device_id=rank,
        sharding_strategy=ShardingStrategy[strategy], device_mesh=mesh)

def fsdp2(module, kind, mesh=None):
    from torch.distributed.fsdp import fully_shard
    module.cuda()
    for part in module.children():
        fully_shard(part, mesh=mesh)
    return fully_shard(module, mesh=mesh)

def hybrid():
    from torch.distributed.device_mesh import init_device_mesh
    return init_device_mesh("cuda", (2, size // 2), mesh_dim_names=("replicate", "shard"))

def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.1)

def adamw(parameters):
    return torch.optim.AdamW(parameters, lr=0.1)

def zero(parameters):
    from torch.distributed.optim import ZeroRedundancyOptimizer
    return ZeroRedundancyOptimizer(parameters, optimizer_class=torch.optim.AdamW, lr=0.1)

def train(build, wrap, make, **options):
    module, inputs, kind = build()
    module = wrap(module, kind, **options)
    optimizer = make(module.parameters())
    for _ in range(3):
        module(inputs).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
"""
START = MODELS + 'dist.init_process_group("nccl")\n'

#: Trains with the FSDP plugin of accelerate, which starts the process group.
ACCELERATED = MODELS + """
def accelerate(build, make, version, **options):
    from accelerate import Accelerator, FullyShardedDataParallelPlugin
    module, inputs, kind = build()
    accelerator = Accelerator(fsdp_plugin=FullyShardedDataParallelPlugin(fsdp_version=version,
        auto_wrap_policy="transformer_based_wrap", transformer_cls_names_to_wrap=[kind.__name__], **options))
    if version == 1:  # accelerate documents that the optimizer is made after the model is prepared
        module = accelerator.prepare(module)
        optimizer = accelerator.prepare(make(module.parameters()))
    else:
        module, optimizer = accelerator.prepare(module, make(module.parameters()))
    for _ in range(3):
        accelerator.backward(module(inputs).sum())
        optimizer.step()
        optimizer.zero_grad()
"""

#: Trains a GPT-2 with the Trainer of transformers, on two tokens. Up to version 4, the Trainer ignores "version" and accelerate reads
#: the variable FSDP_VERSION.
TRAINER = """
import tempfile
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

class Tokens(torch.utils.data.Dataset):
    def __len__(self):
        return 64
    def __getitem__(self, index):
        return {"input_ids": torch.arange(2), "labels": torch.arange(2)}

def train(**options):
    model = GPT2LMHeadModel(GPT2Config(vocab_size=1000, n_positions=64, n_embd=1024, n_layer=8, n_head=8))
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(output_dir=folder, per_device_train_batch_size=1, max_steps=3, report_to=[],
            save_strategy="no", **options)
        Trainer(model=model, args=arguments, train_dataset=Tokens()).train()

def fsdp(version):
    os.environ["FSDP_VERSION"] = str(version)
    return {"fsdp": "full_shard auto_wrap", "fsdp_config": {"version": version, "transformer_layer_cls_to_wrap": ["GPT2Block"]}}
"""

#: Bytes of the parameters in fp32.
LAYER = 2048 * 2048 * 4
LINEAR = 8 * LAYER
BLOCK = (4 * 768 * 768 + 2 * 768 * 3072 + 13 * 768) * 4
TRANSFORMER = 6 * BLOCK
TABLE = 20000 * 512 * 4
EMBEDDED = TABLE + 512 * 512 * 4


def gathered(size):
    """Returns the bytes of a gathered layer above 10 MiB. Its segment is a multiple of 2 MiB. The allocator splits off the rest of
    the segment if it is above 1 MiB."""
    segment = (size + 2 * MIB - 1) // (2 * MIB) * 2 * MIB
    return segment if segment - size <= MIB else size


def backward(layer, count, states):
    """Returns the bytes in the backward pass of the second layer: shards, the shards of the gradients of the layers before, this
    layer and the prefetched one, the gradient, and its copy for reduce-scatter."""
    return ((1 + states) * count + count - 2) * layer // RANKS + 4 * gathered(layer)


def backward_without_prefetch(layer, count):
    """Returns the bytes in the backward pass of the first layer: shards, the shards of the other gradients, this layer, the
    gradient, and its copy for reduce-scatter."""
    return (2 * count - 1) * layer // RANKS + 3 * gathered(layer)


@unittest.skipUnless(LIBRARY, "MOLGAUGE_LIBRARY names no library")
@unittest.skipUnless(VERSION and VERSION >= (2, 6), "PyTorch 2.6 or later is not installed. Name a Python that has it in MOLGAUGE_TORCH_PYTHON")
class SeveralGpus(ProgramTests):
    def peaks(self, programs, start=START, **options):
        """Returns the peaks of the ranks of each program, which calls the functions of ``start``."""
        found = self.expect_no_error({f"p{i}": start + line + "\n" for i, line in enumerate(programs)}, ranks=RANKS, **options)
        return {line: [one["peak_allocated_bytes"] for one in found[f"p{i}"]["ranks"]["peaks"]] for i, line in enumerate(programs)}

    def expect_hand_calculation(self, expected, start=START):
        """Expects that all ranks have the peak, apart from workspaces, within 2 %."""
        for line, found in self.peaks(list(expected), start).items():
            with self.subTest(line):
                workspaces = 2 * CUBLAS + (CUBLASLT if "linear" not in line and "embedded" not in line and VERSION >= (2, 7) else 0)
                self.assertEqual(len(found), RANKS)
                for peak in found:
                    self.assertAlmostEqual(peak / (expected[line] + workspaces), 1, delta=0.02)

    def test_ddp_keeps_buckets_of_all_gradients(self):
        self.expect_hand_calculation(
            {
                # Weights, gradients and buckets.
                "train(linear, ddp, sgd)": 3 * LINEAR,
                "train(embedded, ddp, sgd)": 3 * EMBEDDED,
                # In addition, two moments and the temporary square root of the second one.
                "train(transformer, ddp, adamw)": 6 * TRANSFORMER,
                # The gradients are views of the buckets. One gradient exists next to its bucket.
                "train(linear, ddp, sgd, gradient_as_bucket_view=True)": 2 * LINEAR + LAYER,
                "train(transformer, ddp, adamw, gradient_as_bucket_view=True)": 5 * TRANSFORMER,
            }
        )

    def test_fully_sharded_models_gather_two_layers(self):
        self.expect_hand_calculation(
            {
                "train(linear, fsdp1, sgd)": backward(LAYER, 8, 0),
                "train(linear, fsdp2, sgd)": backward(LAYER, 8, 0),
                "train(linear, fsdp2, adamw)": backward(LAYER, 8, 2),
                "train(transformer, fsdp1, sgd)": backward(BLOCK, 6, 0),
                "train(transformer, fsdp2, adamw)": backward(BLOCK, 6, 2),
                # The gathered table and head, the gradient of the table and its flat copy.
                "train(embedded, fsdp1, sgd)": EMBEDDED // RANKS + EMBEDDED + 2 * TABLE + 512 * 512 * 4,
            }
        )

    def test_hybrid_and_partial_sharding(self):
        self.expect_hand_calculation(
            {
                # Weights, gradients, moments and a temporary in the optimizer, divided by the two ranks that share a model.
                "train(linear, fsdp1, adamw, strategy='HYBRID_SHARD', mesh=hybrid())": 5 * LINEAR // 2,
                "train(linear, fsdp2, adamw, mesh=hybrid())": 5 * LINEAR // 2,
                # All layers stay gathered until the backward pass, which starts with two gradients of the last layer.
                "train(linear, fsdp1, adamw, strategy='SHARD_GRAD_OP')": 3 * LINEAR // RANKS + LINEAR + 2 * LAYER,
            }
        )

    def test_the_plugin_of_accelerate_decides_the_prefetch(self):
        if not has_package("accelerate"):
            self.skipTest("accelerate is not installed")
        self.expect_hand_calculation(
            {
                "accelerate(linear, sgd, 1)": backward_without_prefetch(LAYER, 8),
                "accelerate(transformer, sgd, 1)": backward_without_prefetch(BLOCK, 6),
                "accelerate(embedded, sgd, 1)": EMBEDDED // RANKS + EMBEDDED + 2 * TABLE + 512 * 512 * 4,
                "accelerate(linear, sgd, 1, use_orig_params=True, backward_prefetch='BACKWARD_PRE')": backward(LAYER, 8, 0),
                "accelerate(linear, sgd, 1, sharding_strategy='SHARD_GRAD_OP')": LINEAR // RANKS + LINEAR + 2 * LAYER,
                "accelerate(transformer, adamw, 2)": backward(BLOCK, 6, 2),
            },
            ACCELERATED,
        )

    def test_the_trainer_shards_with_ddp_and_fsdp(self):
        if not (has_package("transformers") and has_package("accelerate")):
            self.skipTest("transformers and accelerate are not installed")
        # Weights, gradients, buckets and two moments. The table of tokens is tied to the head and has two gradients.
        root, block, table = 1066 * 1024 * 4, (12 * 1024 * 1024 + 13 * 1024) * 4, 1000 * 1024 * 4
        # The shards of the root and of its moments, the gathered root, and the gradient of the head.
        outside = 3 * root // RANKS + root + table
        self.expect_hand_calculation(
            {
                "train()": 5 * (root + 8 * block) + 2 * table,
                # The allocator leaves gaps of up to 1 MiB behind the moments of parts of parameters. The gaps are 0.5 % of the peak
                # with FSDP1 and 1.7 % with FSDP2.
                "train(**fsdp(1))": backward_without_prefetch(block, 8) + 2 * 8 * block // RANKS + outside,
                "train(**fsdp(2))": backward(block, 8, 2) + outside,
            },
            MODELS + TRAINER,
        )

    def test_zero_1_shards_the_optimizer(self):
        # Each rank has the moments of two of eight layers, next to weights, buckets and gradients.
        self.expect_hand_calculation({"train(linear, ddp, zero)": 3 * LINEAR + 3 * LINEAR // RANKS})

    def test_ranks_have_their_own_number_and_messages(self):
        program = START + (
            "assert (dist.get_rank(), size) == (rank, int(sys.argv[1])) and dist.get_backend() == 'nccl'\n"
            "assert torch.cuda.device_count() == size and torch.cuda.current_device() == rank\n"
            "x = torch.zeros((rank + 1) << 22, device='cuda')\n"
            "assert x.device == torch.device('cuda', rank) and x.get_device() == rank\n"
            "words = ['run of rank 0'] if rank == 0 else [None]\n"
            "dist.broadcast_object_list(words)\n"
            "assert words == ['run of rank 0']\n"
            "parts = [None] * size\n"
            "dist.all_gather_object(parts, {'rows': 7})\n"
            "assert parts == [{'rows': 7}] * size\n"
            "gathered = [torch.empty_like(x) for _ in range(size)]\n"
            "dist.all_gather(gathered, x)\n"
            "dist.all_reduce(x); dist.barrier(); dist.destroy_process_group()\n"
        )
        found = self.expect_no_error({"numbers": program}, ranks=2, script_arguments=["2"])["numbers"]
        # Each rank has its tensor, a copy for each rank, and the flat output of NCCL.
        self.assertEqual([one["peak_allocated_bytes"] for one in found["ranks"]["peaks"]], [80 * MIB, 160 * MIB])
        self.assertEqual((found["ranks"]["largest"], found["peak_allocated_bytes"]), (1, 160 * MIB))
        self.assertIn("rank 1 of 2: numbers.py", found["text"])
        self.assertIn("rank 0: 80.0 MiB allocated", found["text"])

    def test_spawned_processes_are_the_ranks(self):
        program = (
            "import torch.distributed as dist, torch.multiprocessing as mp\n"
            "def main(rank, size):\n"
            "    dist.init_process_group('nccl', init_method='tcp://localhost:1234', rank=rank, world_size=size)\n"
            "    torch.zeros(1 << 18, device=rank)\n"
            "mp.spawn(main, args=(2,), nprocs=2)\n"
        )
        found = self.expect_no_error({"spawned": program}, ranks=2)["spawned"]
        self.assertEqual([one["peak_allocated_bytes"] for one in found["ranks"]["peaks"]], [MIB, MIB])

    def test_unknown_kinds_of_parallelism_are_refused_by_name(self):
        start = START.replace("\n", "", 1)
        lines = {
            "tensor": ("from torch.distributed.tensor.parallel import parallelize_module\nparallelize_module(None, None, {})\n", "tensor parallelism"),
            "pipeline": ("dist.send(torch.zeros(3, device='cuda'), 1)\n", "point-to-point communication"),
            "other": ("torch.zeros(3, device=1 - rank)\n", "LOCAL_RANK"),
        }
        (self.folder / "deepspeed.py").write_text("")
        lines["deepspeed"] = ("import deepspeed\n", "DeepSpeed")
        found = self.predictions({name: start + text for name, (text, _) in lines.items()}, ranks=2)
        for name, (_, words) in lines.items():
            with self.subTest(name):
                self.assertEqual(found[name].get("code"), 2, found[name])
                self.assertIn(words, found[name]["error"])
                self.assertIn(f"{name}.py:", found[name]["error"])
        alone = self.predictions({"alone": start})["alone"]
        self.assertIn("--ranks", alone["error"])
        (wrong,) = self.predictions({"wrong": "import torch.distributed as d\nd.init_process_group('nccl', rank=0, world_size=8)\n"}, ranks=2).values()
        self.assertIn("8 ranks, and --ranks is 2", wrong["error"])

    def test_refuses_a_number_below_one(self):
        (result,) = predicted({"script": "train.py", "ranks": 0})
        self.assertEqual(result["code"], 2)


if __name__ == "__main__":
    unittest.main()
