"""Trains with nn.DataParallel, a GradScaler and a schedule on validation loss."""

import torch
from torch import nn

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(nn.Linear(1024, 2048), nn.ReLU(), nn.Dropout(0.1), nn.Linear(2048, 10))
model = nn.DataParallel(model).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
scaler = torch.amp.GradScaler("cuda")
for _ in range(3):
    inputs, labels = torch.randn(16, 1024), torch.randint(0, 10, (16,))
    with torch.autocast("cuda", torch.float16):
        loss = nn.functional.cross_entropy(model(inputs.to(device, non_blocking=True)), labels.to(device))
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    model.eval()
    with torch.no_grad():
        schedule.step(nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device)).item())
    model.train()
torch.save(model.module.state_dict(), "/dev/null")
