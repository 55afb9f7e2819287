"""Trains a model for segmentation (torchvision) and measures the intersection over union."""

import torch
import torchvision

model = torchvision.models.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=5).cuda()
optimizer = torch.optim.AdamW(model.parameters(), fused=True)
for _ in range(3):
    images, labels = torch.randn(2, 3, 64, 64, device="cuda"), torch.randint(0, 5, (2, 64, 64), device="cuda")
    out = model(images)["out"]
    torch.nn.functional.cross_entropy(out, labels).backward()
    optimizer.step()
    optimizer.zero_grad()
    found = out.argmax(1)
    [((found == i) & (labels == i)).sum().item() / max(1, ((found == i) | (labels == i)).sum().item()) for i in range(5)]
