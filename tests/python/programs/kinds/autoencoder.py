"""Trains a variational autoencoder, with validation after each epoch and a checkpoint."""

import io

import torch

encoder, decoder = torch.nn.Linear(784, 1024).cuda(), torch.nn.Sequential(torch.nn.Linear(512, 1024), torch.nn.ReLU(), torch.nn.Linear(1024, 784)).cuda()
parameters = [*encoder.parameters(), *decoder.parameters()]
optimizer = torch.optim.Adam(parameters)
best = float("inf")
for _ in range(3):
    images = torch.rand(4, 784, device="cuda")
    mean, deviation = encoder(images).chunk(2, -1)
    restored = decoder(mean + torch.randn_like(mean) * (deviation / 2).exp())
    loss = torch.nn.functional.binary_cross_entropy_with_logits(restored, images) - 0.5 * (1 + deviation - mean**2 - deviation.exp()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        validation = decoder(torch.randn(4, 512, device="cuda")).mean()
    if validation.item() < best:
        best = validation.item()
        torch.save({"decoder": decoder.state_dict(), "optimizer": optimizer.state_dict()}, io.BytesIO())
