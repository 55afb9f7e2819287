"""Trains two encoders with a contrastive loss and an exponential moving average of the weights."""

import copy

import torch


def encoder():
    return torch.nn.Sequential(torch.nn.Linear(512, 1024), torch.nn.LayerNorm(1024), torch.nn.GELU(), torch.nn.Linear(1024, 256)).cuda()


first, second = encoder(), encoder()
average = copy.deepcopy(first).requires_grad_(False)
scale = torch.nn.Parameter(torch.tensor(2.6, device="cuda"))
optimizer = torch.optim.AdamW([*first.parameters(), *second.parameters(), scale])
for _ in range(3):
    a, b = (torch.nn.functional.normalize(one(torch.randn(8, 512, device="cuda")), dim=-1) for one in (first, second))
    logits = scale.exp() * a @ b.T
    labels = torch.arange(8, device="cuda")
    (torch.nn.functional.cross_entropy(logits, labels) + torch.nn.functional.cross_entropy(logits.T, labels)).backward()
    optimizer.step()
    optimizer.zero_grad()
    with torch.no_grad():
        scale.clamp_(0, 4.6)
        for kept, new in zip(average.parameters(), first.parameters()):
            kept.lerp_(new, 0.01)
