"""A language model of SMILES with an LSTM, trained with Adam and dropout."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=64)
given = parser.parse_args()


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(64, 128)
        self.recurrence = nn.LSTM(128, 512, 3, batch_first=True, dropout=0.2)
        self.head = nn.Linear(512, 64)

    def forward(self, tokens):
        return self.head(self.recurrence(self.table(tokens))[0])


model = Model().cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(3):
    tokens = torch.randint(0, 64, (given.batch_size, 101)).cuda()
    loss = nn.functional.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
