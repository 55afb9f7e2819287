"""Trains a ResNet with automatic mixed precision and channels_last."""

import torch
import torchvision

model = torchvision.models.resnet18().to("cuda", memory_format=torch.channels_last)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scaler = torch.amp.GradScaler("cuda")
for _ in range(3):
    images = torch.randn(1, 3, 64, 64, device="cuda").to(memory_format=torch.channels_last)
    with torch.autocast("cuda", torch.float16):
        loss = torch.nn.functional.cross_entropy(model(images), torch.zeros(1, dtype=torch.long, device="cuda"))
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
