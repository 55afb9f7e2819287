"""Gradients of several small batches are accumulated for one optimizer step."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=32)
parser.add_argument("--parts", type=int, default=4)
given = parser.parse_args()

model = nn.Sequential(nn.Linear(512, 2048), nn.Tanh(), nn.Linear(2048, 512)).to("cuda")
optimizer = torch.optim.Adam(model.parameters())
for _ in range(3):
    for _ in range(given.parts):
        x = torch.randn(given.batch_size, 512).to("cuda", non_blocking=True)
        loss = nn.functional.mse_loss(model(x), x) / given.parts
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
