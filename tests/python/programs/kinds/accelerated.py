"""Trains with accelerate, gradient accumulation and bf16."""

import torch
from accelerate import Accelerator

accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=2)
model = torch.nn.Sequential(torch.nn.Linear(512, 2048), torch.nn.SiLU(), torch.nn.Linear(2048, 10))
data = torch.utils.data.TensorDataset(torch.randn(64, 512), torch.randint(0, 10, (64,)))
optimizer = torch.optim.AdamW(model.parameters())
model, optimizer, loader = accelerator.prepare(model, optimizer, torch.utils.data.DataLoader(data, batch_size=8))
for inputs, labels in loader:
    with accelerator.accumulate(model):
        loss = torch.nn.functional.cross_entropy(model(inputs), labels)
        accelerator.backward(loss)
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        accelerator.gather(loss.detach()).mean().item()
