"""Evaluates a classifier in inference mode with autocast, and collects the predictions on the host."""

import numpy
import torch
from torch import nn

model = nn.Sequential(*(nn.Sequential(nn.Linear(2048, 2048), nn.ReLU()) for _ in range(4)), nn.Linear(2048, 10)).cuda().eval()
data = torch.utils.data.TensorDataset(torch.randn(100, 2048), torch.randint(0, 10, (100,)))
found, right = [], 0
with torch.inference_mode(), torch.autocast("cuda", torch.bfloat16):
    for inputs, labels in torch.utils.data.DataLoader(data, batch_size=32):
        logits = model(inputs.cuda())
        right += (logits.argmax(-1) == labels.cuda()).sum().item()
        found.append(logits.float().softmax(-1).cpu().numpy())
assert numpy.concatenate(found).shape == (100, 10)
print(f"accuracy: {right / len(data):.2%}")
