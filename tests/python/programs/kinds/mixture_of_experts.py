"""Trains a mixture of experts, whose router selects the tokens of each expert with torch.where."""

import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, width=512, experts=8, chosen=2):
        super().__init__()
        self.router, self.chosen = nn.Linear(width, experts, bias=False), chosen
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)) for _ in range(experts)
        )

    def forward(self, x):
        shares, index = self.router(x).softmax(-1).topk(self.chosen, -1)
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            token, slot = torch.where(index == number)
            if token.numel() == 0:
                continue
            out.index_add_(0, token, expert(x[token]) * shares[token, slot, None])
        return out


model = nn.Sequential(*(Mixture() for _ in range(2)), nn.Linear(512, 10)).cuda()
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(3):
    loss = nn.functional.cross_entropy(model(torch.randn(256, 512, device="cuda")), torch.randint(0, 10, (256,), device="cuda"))
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
