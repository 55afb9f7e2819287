"""A GPT with fused attention in bfloat16, trained with AdamW."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=8)
parser.add_argument("--context", type=int, default=512)
parser.add_argument("--width", type=int, default=512)
parser.add_argument("--layers", type=int, default=6)
given = parser.parse_args()
VOCABULARY = 8192


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.before_attention, self.before_layers = nn.LayerNorm(width), nn.LayerNorm(width)
        self.project, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.layers = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        batch, length, width = x.shape
        heads = [part.view(batch, length, -1, 64).transpose(1, 2) for part in self.project(self.before_attention(x)).chunk(3, -1)]
        attended = nn.functional.scaled_dot_product_attention(*heads, is_causal=True)
        x = x + self.output(attended.transpose(1, 2).reshape(batch, length, width))
        return x + self.layers(self.before_layers(x))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, given.width)
        self.positions = nn.Parameter(torch.zeros(given.context, given.width))
        self.blocks = nn.Sequential(*(Block(given.width) for _ in range(given.layers)), nn.LayerNorm(given.width))
        self.head = nn.Linear(given.width, VOCABULARY, bias=False)

    def forward(self, tokens):
        return self.head(self.blocks(self.tokens(tokens) + self.positions))


model = Gpt().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
for _ in range(3):
    tokens = torch.randint(0, VOCABULARY, (given.batch_size, given.context + 1)).cuda()
    with torch.autocast("cuda", torch.bfloat16):
        logits = model(tokens[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
