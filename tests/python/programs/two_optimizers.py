"""A generator and a discriminator, a gradient penalty, a second stream, inference."""

import torch
from torch import nn

device = torch.device("cuda:0")
maker = nn.Sequential(nn.Linear(16, 64), nn.LeakyReLU(0.2, inplace=True), nn.Linear(64, 32)).to(device)
judge = nn.Sequential(nn.Linear(32, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1), nn.Sigmoid()).to(device)
first = torch.optim.Adam(maker.parameters(), betas=(0.5, 0.999))
second = torch.optim.Adam(judge.parameters(), foreach=False)
loss = nn.BCELoss()
stream = torch.cuda.Stream()
yes, no = torch.ones(8, 1, device=device), torch.zeros(8, 1, device=device)
for _ in range(5):
    real = torch.randn(8, 32, device=device)
    made = maker(torch.randn(8, 16, device=device))
    second.zero_grad()
    (loss(judge(real), yes) + loss(judge(made.detach()), no)).backward()
    second.step()
    first.zero_grad()
    loss(judge(made), yes).backward()
    first.step()
    slope = torch.autograd.grad(judge(real.requires_grad_()).sum(), real, create_graph=True)[0].norm(2, dim=1)
    ((slope - 1) ** 2).mean().backward()
    with torch.cuda.stream(stream):
        product = torch.ones(3, 3, device=device) @ torch.ones(3, 3, device=device)
    torch.cuda.current_stream().wait_stream(stream)
    product.record_stream(torch.cuda.current_stream())
    with torch.inference_mode():
        maker(torch.randn(8, 16, device=device))
