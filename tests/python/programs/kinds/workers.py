"""Trains with a DataLoader that has worker processes and pinned memory."""

import torch

data = torch.utils.data.TensorDataset(torch.randn(64, 512), torch.randint(0, 10, (64,)))
loader = torch.utils.data.DataLoader(data, batch_size=8, shuffle=True, num_workers=2, pin_memory=True, persistent_workers=True)
model = torch.nn.Sequential(torch.nn.Linear(512, 2048), torch.nn.GELU(), torch.nn.Linear(2048, 10)).cuda()
optimizer = torch.optim.RMSprop(model.parameters())
for _ in range(2):
    for inputs, labels in loader:
        inputs, labels = inputs.cuda(non_blocking=True), labels.cuda(non_blocking=True)
        torch.nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
        optimizer.zero_grad()
