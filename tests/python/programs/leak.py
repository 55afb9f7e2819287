"""A leak: the losses are kept with their graphs."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=256)
parser.add_argument("--steps", type=int, default=6)
given = parser.parse_args()

model = nn.Sequential(nn.Linear(512, 512), nn.Sigmoid(), nn.Linear(512, 1)).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
history = []
for _ in range(given.steps):
    x = torch.randn(given.batch_size, 512, device="cuda")
    loss = model(x).mean()
    loss.backward(retain_graph=True)
    optimizer.step()
    optimizer.zero_grad()
    history.append(loss)
