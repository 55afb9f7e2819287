"""An embedding of 1 GiB, made on the host and moved to the GPU."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=16)
given = parser.parse_args()

embedding = nn.Embedding((1 << 30) // (4 * 256), 256)
head = nn.Linear(256, 1)
embedding.to("cuda")
head.to("cuda")
optimizer = torch.optim.SGD([*embedding.parameters(), *head.parameters()], lr=0.1)
for _ in range(2):
    rows = torch.randint(0, embedding.num_embeddings, (given.batch_size, 32)).cuda()
    head(embedding(rows).mean(1)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
