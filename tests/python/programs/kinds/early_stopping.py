"""Trains until the loss stops falling, with a scheduler that reads the loss and an LBFGS refinement."""

import torch

model = torch.nn.Sequential(torch.nn.Linear(256, 1024), torch.nn.ELU(), torch.nn.Linear(1024, 1)).cuda()
inputs, labels = torch.randn(32, 256, device="cuda"), torch.randn(32, 1, device="cuda")
optimizer = torch.optim.Adam(model.parameters())
schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
best, waited = float("inf"), 0
for _ in range(200):
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(inputs), labels)
    loss.backward()
    optimizer.step()
    schedule.step(loss.item())
    best, waited = (loss.item(), 0) if loss.item() < best else (best, waited + 1)
    if waited > 5:
        break
refinement = torch.optim.LBFGS(model.parameters(), max_iter=4)


def closure():
    refinement.zero_grad()
    loss = torch.nn.functional.mse_loss(model(inputs), labels)
    loss.backward()
    return loss


refinement.step(closure)
