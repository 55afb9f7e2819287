"""Meta-learns with second-order updates of copied parameters (functional_call)."""

import torch
from torch.func import functional_call

model = torch.nn.Sequential(torch.nn.Linear(64, 1024), torch.nn.Tanh(), torch.nn.Linear(1024, 1024), torch.nn.Tanh(), torch.nn.Linear(1024, 1)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for _ in range(3):
    inputs, labels = torch.randn(8, 64, device="cuda"), torch.randn(8, 1, device="cuda")
    weights = dict(model.named_parameters())
    loss = torch.nn.functional.mse_loss(functional_call(model, weights, (inputs,)), labels)
    slopes = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
    updated = {name: one - 0.01 * slope for (name, one), slope in zip(weights.items(), slopes)}
    torch.nn.functional.mse_loss(functional_call(model, updated, (inputs,)), labels).backward()
    optimizer.step()
    optimizer.zero_grad()
