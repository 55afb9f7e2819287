"""Operators whose results depend on values, recurrent and convolutional layers, and the default device."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 512)).cuda().bfloat16()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for _ in range(2):
    model(torch.randn(64, 512, device="cuda", dtype=torch.bfloat16)).pow(2).mean().backward()
    optimizer.step()
    optimizer.zero_grad()
a = torch.zeros(10, 10).cuda()
a[torch.arange(3), torch.arange(3)] = 1.0
a[a > 0] = 2
torch.where(a > 0)
assert torch.unique(torch.tensor([1, 1, 2]).cuda()).numel() == 2
assert torch.bincount(torch.tensor([0, 3]).cuda()).numel() == 4
assert a.repeat_interleave(torch.arange(10, device="cuda"), 0).shape == (45, 10)
assert nn.functional.one_hot(torch.arange(5, device="cuda")).shape == (5, 5)
torch.stack([a, a]).std()
torch.logsumexp(a, 0)
torch.vmap(lambda row: row.sum())(a)
a.new_tensor([1, 2.0])
a.cpu().tolist()
torch.cdist(a, a)
torch.linalg.inv(a)
torch.fft.rfft(a)
torch.softmax(a, -1).sort(-1)
torch.multinomial(a.abs()[0], 2)
torch.nn.utils.rnn.pad_sequence([a[0], a[0, :3]])

torch.set_default_device("cuda")
layers = nn.ModuleList([nn.LSTM(32, 64, 2, batch_first=True), nn.GRU(64, 32), nn.Conv1d(32, 16, 3), nn.ConvTranspose2d(3, 8, 2, 2)])
y, _ = layers[0](torch.randn(4, 20, 32))
z, _ = layers[1](y)
w = layers[2](z.transpose(1, 2))
v = nn.functional.interpolate(layers[3](torch.randn(2, 3, 8, 8)), scale_factor=2, mode="bilinear")
(w.mean() + v.mean()).backward()
assert y.is_cuda and torch.empty(3).is_cuda and torch.tensor([1.0]).is_cuda
