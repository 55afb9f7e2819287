"""Trains an embedding with sparse gradients."""

import torch

table = torch.nn.Embedding(10000, 64, sparse=True).cuda()
optimizer = torch.optim.SparseAdam(table.parameters())
for _ in range(3):
    table(torch.randint(0, 10000, (32,), device="cuda")).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
