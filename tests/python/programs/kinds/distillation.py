"""Distils a frozen teacher into a smaller student, with parameter groups and a warm-up."""

import torch
from torch import nn

teacher = nn.Sequential(nn.Linear(512, 4096), nn.GELU(), nn.Linear(4096, 100)).cuda().eval().requires_grad_(False)
student = nn.Sequential(nn.Linear(512, 1024), nn.GELU(), nn.Linear(1024, 100)).cuda()
decayed = [one for one in student.parameters() if one.dim() > 1]
others = [one for one in student.parameters() if one.dim() == 1]
optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}], lr=1e-3)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 10))
best = float("inf")
for _ in range(3):
    inputs = torch.randn(32, 512, device="cuda")
    with torch.no_grad():
        target = (teacher(inputs) / 2).softmax(-1)
    loss = nn.functional.kl_div((student(inputs) / 2).log_softmax(-1), target, reduction="batchmean")
    loss.backward()
    optimizer.step()
    schedule.step()
    optimizer.zero_grad()
    best = min(best, loss.item())
