"""Sequences of variable lengths from a DataLoader with pinned memory."""

import argparse
import random

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=8)
given = parser.parse_args()

generator = random.Random(7)
data = [torch.full((generator.randint(10, 200),), i % 50) for i in range(8 * given.batch_size)]
loader = DataLoader(data, batch_size=given.batch_size, collate_fn=lambda rows: pad_sequence(rows, batch_first=True), pin_memory=True)
device = "cuda"
model = nn.ModuleDict({"table": nn.Embedding(50, 64), "layer": nn.TransformerEncoderLayer(64, 4, 256, batch_first=True)}).to(device)
optimizer = torch.optim.AdamW(model.parameters())
for rows in loader:
    rows = rows.to(device, non_blocking=True)
    mask = rows == 0
    out = model["layer"](model["table"](rows), src_key_padding_mask=mask)
    loss = out[~mask].square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if not torch.isfinite(loss):
        raise SystemExit("the loss is not finite")
