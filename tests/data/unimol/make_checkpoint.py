#!/usr/bin/env python3
"""Writes mol_pre_no_h_small.pt: a checkpoint of a small network in the format of Uni-Mol's published ones.

That is what torch.save writes (a zip archive of a pickle and a file for each storage) for a dictionary whose entry
"model" has the tensors; beside it stand the arguments of the training (an argparse.Namespace) and the optimiser's
state. Written without PyTorch: the pickle names its functions, which are stood in for here.
"""

import argparse
import io
import math
import pickle
import struct
import sys
import types
import zipfile
from collections import OrderedDict

LAYERS, WIDTH, HIDDEN, HEADS, KERNELS, TOKENS = 2, 16, 24, 4, 8, 31


class FloatStorage:
    """Stands for torch.FloatStorage."""


def _rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks):
    """Stands for torch._utils._rebuild_tensor_v2."""


def stand_in_for_torch():
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
    FloatStorage.__module__ = "torch"
    _rebuild_tensor_v2.__module__ = "torch._utils"
    torch.FloatStorage, utils._rebuild_tensor_v2 = FloatStorage, _rebuild_tensor_v2
    sys.modules["torch"], sys.modules["torch._utils"] = torch, utils


class Storage:
    def __init__(self, key, numbers):
        self.key, self.numbers = key, numbers


class Tensor:
    def __init__(self, storage, shape):
        self.storage, self.shape = storage, shape

    def __reduce__(self):
        strides, step = [], 1
        for size in reversed(self.shape):
            strides.insert(0, step)
            step *= size
        return _rebuild_tensor_v2, (self.storage, 0, self.shape, tuple(strides), False, OrderedDict())


class Pickler(pickle.Pickler):
    def persistent_id(self, value):
        if isinstance(value, Storage):
            return "storage", FloatStorage, value.key, "cpu", len(value.numbers)
        return None


def shapes():
    def linear(name, out, inputs):
        return {f"{name}.weight": (out, inputs), f"{name}.bias": (out,)}

    def norm(name, width):
        return {f"{name}.weight": (width,), f"{name}.bias": (width,)}

    found = {"embed_tokens.weight": (TOKENS, WIDTH)}
    found |= norm("encoder.emb_layer_norm", WIDTH) | norm("encoder.final_layer_norm", WIDTH)
    found |= norm("encoder.final_head_layer_norm", HEADS)
    for layer in range(LAYERS):
        name = f"encoder.layers.{layer}"
        found |= linear(f"{name}.self_attn.in_proj", 3 * WIDTH, WIDTH)
        found |= linear(f"{name}.self_attn.out_proj", WIDTH, WIDTH)
        found |= norm(f"{name}.self_attn_layer_norm", WIDTH)
        found |= linear(f"{name}.fc1", HIDDEN, WIDTH) | linear(f"{name}.fc2", WIDTH, HIDDEN)
        found |= norm(f"{name}.final_layer_norm", WIDTH)
    # Heads of the pre-training.
    found |= {"lm_head.weight": (TOKENS, WIDTH), "lm_head.bias": (TOKENS,)}
    found |= linear("pair2coord_proj.linear1", HEADS, HEADS) | linear("dist_head.dense", HEADS, HEADS)
    # The pairs.
    found |= linear("gbf_proj.linear1", KERNELS, KERNELS) | linear("gbf_proj.linear2", HEADS, KERNELS)
    found |= {"gbf.means.weight": (1, KERNELS), "gbf.stds.weight": (1, KERNELS)}
    found |= {"gbf.mul.weight": (TOKENS * TOKENS, 1), "gbf.bias.weight": (TOKENS * TOKENS, 1)}
    return found


def main():
    stand_in_for_torch()
    storages = []

    def tensor(name, shape):
        count = math.prod(shape)
        offset = 1.0 if name.endswith("norm.weight") else 0.0
        numbers = [offset + 0.3 * math.sin(len(name) + 1.7 * i) for i in range(count)]
        storages.append(Storage(str(len(storages)), numbers))
        return Tensor(storages[-1], shape)

    model = OrderedDict((name, tensor(name, shape)) for name, shape in shapes().items())
    checkpoint = {
        "args": argparse.Namespace(arch="unimol_base", masked_token_loss=1.0, only_polar=0, seed=1),
        "model": model,
        "optimizer_history": [{"num_updates": 1000000, "optimizer_name": "FP16Optimizer"}],
        "last_optimizer_state": {"state": {0: {"exp_avg": tensor("exp_avg", (TOKENS, WIDTH))}}},
    }
    content = io.BytesIO()
    Pickler(content, protocol=2).dump(checkpoint)
    name = "mol_pre_no_h_small"
    with zipfile.ZipFile(f"{name}.pt", "w", zipfile.ZIP_STORED) as archive:

        def add(member, content):
            archive.writestr(zipfile.ZipInfo(f"{name}/{member}", (1980, 1, 1, 0, 0, 0)), content)

        add("data.pkl", content.getvalue())
        for storage in storages:
            add(f"data/{storage.key}", struct.pack(f"<{len(storage.numbers)}f", *storage.numbers))
        add("version", b"3\n")


if __name__ == "__main__":
    main()
