"""Trains a WGAN with a gradient penalty, which needs second derivatives."""

import torch


def network(*widths):
    layers = [part for a, b in zip(widths, widths[1:]) for part in (torch.nn.Linear(a, b), torch.nn.LeakyReLU(0.2))]
    return torch.nn.Sequential(*layers[:-1]).cuda()


generator, critic = network(64, 1024, 1024, 256), network(256, 1024, 1024, 1)
of_generator, of_critic = torch.optim.Adam(generator.parameters(), betas=(0.0, 0.9)), torch.optim.Adam(critic.parameters(), betas=(0.0, 0.9))
for step in range(6):
    real, fake = torch.randn(4, 256, device="cuda"), generator(torch.randn(4, 64, device="cuda")).detach()
    share = torch.rand(4, 1, device="cuda")
    mixed = (share * real + (1 - share) * fake).requires_grad_(True)
    (slope,) = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
    (critic(fake).mean() - critic(real).mean() + 10 * (slope.norm(dim=1) - 1).pow(2).mean()).backward()
    of_critic.step()
    of_critic.zero_grad()
    if step % 2 == 1:
        (-critic(generator(torch.randn(4, 64, device="cuda"))).mean()).backward()
        of_generator.step()
        of_generator.zero_grad()
