"""Compares the pocket encoder (V2 with 3 layers, layer norms and 512 outputs) in Molgauge with e3nn and
torch_geometric on PyTorch.

    python bench/peers/pocket.py [--build build/release] [--python PYTHON] [--rounds 3]

The first call makes the environment --venv (default build/pocket-venv) with torch 2.11.0, e3nn 0.6 and
torch_geometric 2.8 from PyPI. --python names an interpreter that already has them. A batch is 8 chains of 100
atoms with 1,584 bonded and 12,822 non-bonded directed edges, 784 angles and 2,328 dihedrals. A step is
forward, cosine loss, backward, clipping and AdamW. Both sides have one thread and run in turns, each in a
separate process. The figures are medians over all rounds except the first, in processor time, which is valid
on a shared machine. Memory is the memory that the rounds add to the peak of the process.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

from environment import make_environment, processor

ROUNDS = 4

# Runs in the environment of e3nn. The command line has the mode and the rounds, and for a GPU also the pockets
# and the device. Writes a line of JSON to stdout.
RIVAL = '''
import json, resource, sys, time
import torch
from e3nn import o3
from e3nn.nn import Gate
from torch import nn
from torch_geometric.nn import MessagePassing
from torch_geometric.utils import scatter, softmax

mode, rounds = sys.argv[1], int(sys.argv[2])
torch.set_num_threads(1)
torch.manual_seed(1)
HIDDEN = o3.Irreps("32x0e + 16x1o + 8x2e")
POCKETS, ATOMS, SCALARS = int(sys.argv[3]) if len(sys.argv) > 3 else 8, 100, 32
DEVICE = torch.device(sys.argv[4] if len(sys.argv) > 4 else "cpu")

def perceptron(*widths):
    layers = []
    for i in range(len(widths) - 1):
        layers += [nn.Linear(widths[i], widths[i + 1])] + ([nn.SiLU()] if i + 2 < len(widths) else [])
    return nn.Sequential(*layers)

class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.scalars = nn.LayerNorm(SCALARS)
    def forward(self, x):
        parts = [self.scalars(x[:, :32])]
        for first, channels, width in ((32, 16, 3), (80, 8, 5)):
            part = x[:, first:first + channels * width].view(-1, channels, width)
            parts.append((part * torch.rsqrt(part.square().mean(2, keepdim=True) + 1e-5)).flatten(1))
        return torch.cat(parts, 1)

class Edges(MessagePassing):
    def __init__(self, attributes, own):
        super().__init__(aggr="add", node_dim=0)
        self.gate = Gate("32x0e", [torch.nn.functional.silu], "24x0e", [torch.sigmoid], "16x1o + 8x2e")
        self.product = o3.FullyConnectedTensorProduct(HIDDEN, "0e + 1o + 2e", self.gate.irreps_in, shared_weights=False)
        self.linear = o3.Linear(HIDDEN, HIDDEN)
        self.own = o3.Linear(HIDDEN, self.gate.irreps_in) if own else None
        self.radial = perceptron(8 + attributes, 64, 64, self.product.weight_numel)
        self.norm = Norm()
    def forward(self, h, index, harmonics, radial):
        made = self.propagate(index, x=self.linear(h), harmonics=harmonics, weight=self.radial(radial), size=(len(h), len(h)))
        if self.own is not None:
            return self.norm(h + self.gate(self.own(h) + made))
        return self.norm(self.gate(made))
    def message(self, x_j, harmonics, weight):
        return self.product(x_j, harmonics, weight)

class Terms(nn.Module):
    def __init__(self, attributes):
        super().__init__()
        self.perceptron = perceptron(2 * SCALARS + attributes, 64, 64, SCALARS)
        self.out = o3.Linear("32x0e", HIDDEN)
    def forward(self, h, index, attributes):
        made = self.perceptron(torch.cat([h[index[0], :SCALARS], h[index[-1], :SCALARS], attributes], 1))
        means = [scatter(made, place, 0, dim_size=len(h), reduce="mean") for place in index[1:-1]]
        return self.out(sum(means) / len(means))

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Sequential(nn.Linear(3, 64), nn.SiLU(), nn.LayerNorm(64), nn.Linear(64, 64), nn.SiLU(),
                                       nn.LayerNorm(64), nn.Linear(64, SCALARS))
        self.start = o3.Linear("32x0e", HIDDEN)
        self.layers = nn.ModuleList(nn.ModuleList([Edges(2, True), Terms(2), Terms(3), Edges(3, False)]) for _ in range(3))
        self.weights = nn.Parameter(torch.full((3,), 0.333))
        self.attention = perceptron(56, 128, 128, 1)
        self.out = nn.Sequential(nn.Linear(56, 512), nn.LayerNorm(512))
    def geometry(self, positions, index, attributes):
        vectors = positions[index[1]] - positions[index[0]]
        r = vectors.norm(dim=1, keepdim=True).clamp_min(1e-6)
        u = (r / 6).clamp_max(1)
        bessel = (2 / 6) ** 0.5 * torch.sin(torch.arange(1, 9, device=r.device) * torch.pi / 6 * r) / r
        basis = bessel * (1 - 28 * u ** 6 + 48 * u ** 7 - 21 * u ** 8)
        harmonics = o3.spherical_harmonics([0, 1, 2], vectors / r, normalize=True, normalization="component")
        return index, harmonics, torch.cat([basis, attributes], 1)
    def forward(self, b):
        h = self.start(self.embedding(b["x"]))
        for bonded, angles, dihedrals, pairs in self.layers:
            # Each layer computes the features of the edges again, as in the published program.
            h = (bonded(h, *self.geometry(b["positions"], b["bonds"], b["bond_attributes"]))
                 + self.weights[0] * angles(h, b["angles"], b["angle_attributes"])
                 + self.weights[1] * dihedrals(h, b["dihedrals"], b["dihedral_attributes"])
                 + self.weights[2] * pairs(h, *self.geometry(b["positions"], b["pairs"], b["pair_attributes"])))
        parts = [h[:, :32], h[:, 32:80].view(-1, 16, 3).norm(dim=2), h[:, 80:].view(-1, 8, 5).norm(dim=2)]
        rows = torch.cat(parts, 1)
        weights = softmax(self.attention(rows), b["batch"])
        return self.out(scatter(weights * rows, b["batch"], 0, dim_size=POCKETS, reduce="sum"))

atoms = torch.arange(POCKETS * ATOMS).view(POCKETS, ATOMS)
def chains(length, repeated=1):
    return torch.stack([atoms[:, i:ATOMS - length + 1 + i].flatten() for i in range(length)]).repeat_interleave(repeated, 1)
one = chains(2)
half = 12822 * POCKETS // 16
pocket, i, j = torch.randint(POCKETS, (half,)), torch.randint(ATOMS, (half,)), torch.randint(1, ATOMS, (half,))
pair = torch.stack([pocket * ATOMS + i, pocket * ATOMS + (i + j) % ATOMS])
batch = {"x": torch.randn(POCKETS * ATOMS, 3), "positions": 2 * torch.randn(POCKETS * ATOMS, 3), "bonds": torch.cat([one, one.flip(0)], 1),
         "angles": chains(3), "dihedrals": chains(4, 3), "pairs": torch.cat([pair, pair.flip(0)], 1),
         "batch": torch.arange(POCKETS).repeat_interleave(ATOMS)}
for name, kind, width in (("bond", "bonds", 2), ("angle", "angles", 2), ("dihedral", "dihedrals", 3), ("pair", "pairs", 3)):
    batch[name + "_attributes"] = torch.randn(batch[kind].shape[1], width)
assert POCKETS != 8 or [batch[k].shape[1] for k in ("bonds", "pairs", "angles", "dihedrals")] == [1584, 12822, 784, 2328]
batch = {name: tensor.to(DEVICE) for name, tensor in batch.items()}
encoder = Encoder().to(DEVICE)
optimizer = torch.optim.AdamW(encoder.parameters())
target = torch.randn(POCKETS, 512, device=DEVICE)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
wall, cpu = [], []
for _ in range(rounds):
    start, started = time.perf_counter(), time.process_time()
    if mode == "train":
        optimizer.zero_grad()
        loss = 1 - torch.nn.functional.cosine_similarity(encoder(batch), target).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
    else:
        with torch.no_grad():
            encoder(batch)
    if DEVICE.type == "cuda":
        torch.cuda.synchronize()
    wall.append(time.perf_counter() - start)
    cpu.append(time.process_time() - started)
print(json.dumps({"seconds": wall, "processor_seconds": cpu,
                  "extra_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before}))
'''


def run(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    options.add_argument("--venv", type=pathlib.Path, default=pathlib.Path("build/pocket-venv"))
    options.add_argument("--python", help="an interpreter that has the rival's packages")
    options.add_argument("--rounds", type=int, default=3, help="processes of each side")
    chosen = options.parse_args()
    python = chosen.python or make_environment(chosen.venv, ["torch==2.11.0", "e3nn==0.6.*",
                                                                    "torch_geometric==2.8.*"])
    print(processor())
    for mode in ("infer", "train"):
        found = {"Molgauge": [], "e3nn": []}
        extra = dict.fromkeys(found, 0)
        for _ in range(chosen.rounds):
            for side, command in (("Molgauge", [str(chosen.build / "bin/bench_pocket"), mode, str(ROUNDS)]),
                                  ("e3nn", [str(python), "-c", RIVAL, mode, str(ROUNDS)])):
                result = run(command)
                found[side] += result["processor_seconds"][1:]
                extra[side] = max(extra[side], result["extra_bytes"])
        times = {side: statistics.median(seconds) for side, seconds in found.items()}
        print(f"{mode}: " + ", ".join(f"{side} {times[side]:.4f} s, {extra[side] / 2**20:.0f} MiB more" for side in found)
              + f"; {times['e3nn'] / times['Molgauge']:.1f} times as fast")


if __name__ == "__main__":
    sys.exit(main())
