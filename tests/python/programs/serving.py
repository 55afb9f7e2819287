"""Generates text with a small language model and a key-value cache."""

import argparse

import torch

WIDTH, HEADS, LAYERS, WORDS = 512, 8, 4, 1000


class PreallocatedCache(torch.nn.Module):
    def __init__(self, sequences, tokens):
        super().__init__()
        shape = (sequences, HEADS, tokens, WIDTH // HEADS)
        self.register_buffer("keys", torch.zeros(shape, dtype=torch.bfloat16))
        self.register_buffer("values", torch.zeros(shape, dtype=torch.bfloat16))

    def update(self, k, v, start):
        end = start + k.shape[2]
        self.keys[:, :, start:end], self.values[:, :, start:end] = k, v
        return self.keys[:, :, :end], self.values[:, :, :end]


class Block(torch.nn.Module):
    def __init__(self, cache):
        super().__init__()
        self.qkv, self.out, self.cache = torch.nn.Linear(WIDTH, 3 * WIDTH), torch.nn.Linear(WIDTH, WIDTH), cache

    def forward(self, x, past, start):
        n, t, _ = x.shape
        q, k, v = (one.view(n, t, HEADS, -1).transpose(1, 2) for one in self.qkv(x).chunk(3, -1))
        if self.cache is not None:
            k, v = self.cache.update(k, v, start)
        elif past is not None:
            k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=start == 0)
        return x + self.out(y.transpose(1, 2).reshape(n, t, WIDTH)), (k, v)


class Model(torch.nn.Module):
    def __init__(self, given):
        super().__init__()
        caches = [PreallocatedCache(given.batch, given.context + given.new) if given.preallocate else None for _ in range(LAYERS)]
        self.words, self.head = torch.nn.Embedding(WORDS, WIDTH), torch.nn.Linear(WIDTH, WORDS)
        self.blocks = torch.nn.ModuleList(Block(one) for one in caches)

    def forward(self, ids, past=None, start=0):
        x, new = self.words(ids), []
        for i, block in enumerate(self.blocks):
            x, pair = block(x, past[i] if past else None, start)
            new.append(pair)
        logits = self.head(x[:, -1:])
        return logits if self.blocks[0].cache is not None else (logits, new)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--context", type=int, default=256)
    parser.add_argument("--new", type=int, default=16)
    parser.add_argument("--preallocate", action="store_true")
    given = parser.parse_args()
    model = Model(given).to("cuda", torch.bfloat16).eval()
    ids, past, start = torch.randint(0, WORDS, (given.batch, given.context)).cuda(), None, 0
    with torch.inference_mode():
        for _ in range(given.new):
            found = model(ids, past, start)
            logits, past = (found, None) if given.preallocate else found
            start += ids.shape[1]
            ids = logits.argmax(-1)


main()
