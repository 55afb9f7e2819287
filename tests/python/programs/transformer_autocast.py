"""A transformer with fused attention and dropout, under autocast, with a gradient scaler."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=4)
parser.add_argument("--length", type=int, default=128)
given = parser.parse_args()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
assert device.type == "cuda"


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before, self.middle = nn.LayerNorm(width), nn.LayerNorm(width)
        self.joint, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1))

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.joint(self.before(x)).chunk(3, dim=-1)
        q, k, v = (one.view(batch, length, self.heads, -1).transpose(1, 2) for one in parts)
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, dropout_p=0.1, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.feed(self.middle(x))


width = 128
model = nn.Sequential(nn.Embedding(1000, width), Block(width, 4), Block(width, 4), nn.Linear(width, 1000)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
scaler = torch.amp.GradScaler("cuda")
for step in range(3):
    tokens = torch.randint(0, 1000, (given.batch_size, given.length), device=device)
    with torch.autocast("cuda", dtype=torch.float16):
        logits = model(tokens)
        loss = nn.functional.cross_entropy(logits.view(-1, 1000), tokens.view(-1))
    optimizer.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    torch.cuda.synchronize()
