"""A convolutional network trained with Adam."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=16)
given = parser.parse_args()

network = nn.Sequential(
    nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
    nn.Flatten(), nn.Linear(64, 10),
).to("cuda")  # fmt: skip
optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
for _ in range(4):
    images = torch.randn(given.batch_size, 3, 64, 64, device="cuda")
    labels = torch.randint(0, 10, (given.batch_size,), device="cuda")
    loss = nn.functional.cross_entropy(network(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("loss", loss.item())
