"""Trains a compiled model with per-sample gradients (torch.compile, vmap and grad)."""

import torch
from torch.func import functional_call, grad, vmap

model = torch.nn.Sequential(torch.nn.Linear(32, 512), torch.nn.ReLU(), torch.nn.Linear(512, 1)).cuda()
fast = torch.compile(model)
optimizer = torch.optim.NAdam(model.parameters())


def loss_of(weights, one, label):
    return (functional_call(model, weights, (one[None],))[0, 0] - label) ** 2


for _ in range(3):
    inputs, labels = torch.randn(16, 32, device="cuda"), torch.randn(16, device="cuda")
    weights = {name: one.detach() for name, one in model.named_parameters()}
    slopes = vmap(grad(loss_of), in_dims=(None, 0, 0))(weights, inputs, labels)
    norms = torch.stack([one.flatten(1).norm(dim=1) for one in slopes.values()]).norm(dim=0)
    torch.nn.functional.mse_loss(fast(inputs)[:, 0] / norms.clamp(min=1), labels).backward()
    optimizer.step()
    optimizer.zero_grad()
