"""Message passing over the bonds of a batch of molecules, with sums by index_add and scatter_reduce."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=256)
given = parser.parse_args()

WIDTH = 256
enter = nn.Linear(72, WIDTH).cuda()
messages = nn.ModuleList(nn.Sequential(nn.Linear(2 * WIDTH, WIDTH), nn.ReLU(), nn.Dropout(0.1)) for _ in range(4)).cuda()
head = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1)).cuda()
optimizer = torch.optim.Adam([*enter.parameters(), *messages.parameters(), *head.parameters()], lr=1e-3)
generator = torch.Generator().manual_seed(1)
for _ in range(3):
    sizes = torch.randint(10, 40, (given.batch_size,), generator=generator)
    atoms = int(sizes.sum())
    sources = torch.randint(0, atoms, (2 * atoms,), generator=generator).cuda()
    targets = torch.randint(0, atoms, (2 * atoms,), generator=generator).cuda()
    molecule = torch.repeat_interleave(torch.arange(given.batch_size), sizes).cuda()
    x = enter(torch.randn(atoms, 72).cuda())
    for layer in messages:
        received = torch.zeros_like(x).index_add(0, targets, x[sources])
        x = x + layer(torch.cat([x, received], 1))
    pooled = torch.zeros(given.batch_size, WIDTH, device="cuda").scatter_reduce(
        0, molecule[:, None].expand_as(x), x, "mean", include_self=False
    )
    loss = nn.functional.mse_loss(head(pooled).squeeze(1), torch.randn(given.batch_size).cuda())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
