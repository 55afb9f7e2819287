"""Fits a regression with LBFGS, which calls a closure several times in a step."""

import torch

model = torch.nn.Sequential(torch.nn.Linear(256, 1024), torch.nn.Tanh(), torch.nn.Linear(1024, 1)).cuda()
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=5, history_size=4, line_search_fn="strong_wolfe")
inputs, targets = torch.randn(128, 256, device="cuda"), torch.randn(128, 1, device="cuda")


def closure():
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(inputs), targets)
    loss.backward()
    return loss


for _ in range(2):
    loss = optimizer.step(closure)
    print(float(loss))
