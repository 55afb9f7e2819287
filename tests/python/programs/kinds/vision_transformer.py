"""Trains a vision transformer of torchvision with a learning-rate schedule."""

import torch
import torchvision

model = torchvision.models.VisionTransformer(64, 16, num_layers=4, num_heads=8, hidden_dim=512, mlp_dim=2048, num_classes=100).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-3, total_steps=10)
for _ in range(3):
    loss = torch.nn.functional.cross_entropy(model(torch.randn(2, 3, 64, 64, device="cuda")), torch.tensor([1, 2], device="cuda"))
    loss.backward()
    optimizer.step()
    schedule.step()
    optimizer.zero_grad(set_to_none=True)
