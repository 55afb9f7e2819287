"""A residual convolutional network in float16 with a gradient scaler, trained with momentum."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=32)
parser.add_argument("--channels_last", type=int, default=0)
given = parser.parse_args()


class Block(nn.Module):
    def __init__(self, inside, outside, stride):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True),
            nn.Conv2d(outside, outside, 3, 1, 1, bias=False), nn.BatchNorm2d(outside),
        )  # fmt: skip
        self.shortcut = nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x):
        return nn.functional.relu(self.layers(x) + self.shortcut(x))


widths = [64, 64, 128, 256, 512]
network = nn.Sequential(
    nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1),
    *(Block(inside, outside, 1 if inside == outside else 2) for inside, outside in zip(widths, widths[1:])),
    nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000),
).to("cuda")  # fmt: skip
layout = torch.channels_last if given.channels_last else torch.contiguous_format
network = network.to(memory_format=layout)
optimizer = torch.optim.SGD(network.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
scaler = torch.amp.GradScaler("cuda")
for _ in range(3):
    images = torch.randn(given.batch_size, 3, 128, 128).to("cuda", memory_format=layout)
    labels = torch.randint(0, 1000, (given.batch_size,)).cuda()
    with torch.autocast("cuda", torch.float16):
        loss = nn.functional.cross_entropy(network(images), labels)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
