"""Trains a Faster R-CNN of torchvision, whose number of boxes depends on values."""

import torch
import torchvision

model = torchvision.models.detection.fasterrcnn_mobilenet_v3_large_320_fpn(weights=None, weights_backbone=None, num_classes=3).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(3):
    images = [torch.rand(3, 64, 64, device="cuda") for _ in range(2)]
    targets = [{"boxes": torch.tensor([[4.0, 4.0, 30.0, 30.0]], device="cuda"), "labels": torch.tensor([1], device="cuda")} for _ in range(2)]
    sum(model(images, targets).values()).backward()
    optimizer.step()
    optimizer.zero_grad()
