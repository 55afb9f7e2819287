"""A deep network, with or without gradient checkpointing."""

import argparse

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=64)
parser.add_argument("--checkpointing", type=int, default=1)
given = parser.parse_args()

blocks = nn.ModuleList(
    nn.Sequential(nn.Linear(256, 1024), nn.ReLU(), nn.Dropout(0.1), nn.Linear(1024, 256)) for _ in range(8)
).cuda()
optimizer = torch.optim.SGD(blocks.parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(given.batch_size, 256, device="cuda:0")
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False) if given.checkpointing else block(x)
    x.square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
