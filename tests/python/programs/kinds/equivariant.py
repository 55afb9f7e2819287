"""Trains an equivariant tensor product (e3nn)."""

import torch
from e3nn import o3

product = o3.FullyConnectedTensorProduct("64x0e + 64x1o", o3.Irreps.spherical_harmonics(1), "64x0e + 64x1o").cuda()
optimizer = torch.optim.Adam(product.parameters())
for _ in range(3):
    vectors = torch.randn(8, 3, device="cuda")
    features = torch.randn(8, product.irreps_in1.dim, device="cuda")
    edges = o3.spherical_harmonics(product.irreps_in2, vectors, normalize=True)
    product(features, edges).pow(2).mean().backward()
    optimizer.step()
    optimizer.zero_grad()
