"""Trains a 3D U-Net with group normalization and a Dice loss, as for medical images."""

import torch
from torch import nn


def block(inputs, outputs):
    layers = []
    for a, b in ((inputs, outputs), (outputs, outputs)):
        layers += [nn.Conv3d(a, b, 3, padding=1, bias=False), nn.GroupNorm(8, b), nn.LeakyReLU(inplace=True)]
    return nn.Sequential(*layers)


class UNet(nn.Module):
    def __init__(self, width=32, levels=3):
        super().__init__()
        widths = [width << i for i in range(levels + 1)]
        self.down = nn.ModuleList(block(a, b) for a, b in zip([1, *widths], widths))
        self.up = nn.ModuleList(nn.ConvTranspose3d(b, a, 2, 2) for a, b in zip(widths, widths[1:]))
        self.merge = nn.ModuleList(block(2 * a, a) for a in widths[:-1])
        self.head = nn.Conv3d(width, 4, 1)

    def forward(self, x):
        kept = []
        for i, part in enumerate(self.down):
            x = part(x if i == 0 else nn.functional.max_pool3d(x, 2))
            kept.append(x)
        for up, merge, other in zip(reversed(self.up), reversed(self.merge), reversed(kept[:-1])):
            x = merge(torch.cat((up(x), other), 1))
        return self.head(x)


model = UNet().cuda()
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(3):
    labels = torch.nn.functional.one_hot(torch.randint(0, 4, (1, 64, 64, 64), device="cuda"), 4).permute(0, 4, 1, 2, 3)
    shares = model(torch.randn(1, 1, 64, 64, 64, device="cuda")).softmax(1)
    dice = 2 * (shares * labels).sum((2, 3, 4)) / (shares + labels).sum((2, 3, 4)).clamp(min=1e-6)
    (1 - dice.mean()).backward()
    optimizer.step()
    optimizer.zero_grad()
