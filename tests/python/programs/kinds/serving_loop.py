"""Serves requests of different lengths in batches, with a paged key-value cache, as vLLM does."""

import torch
from torch import nn

WIDTH, HEADS, LAYERS, PAGE, PAGES = 512, 8, 4, 16, 2048


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.register_buffer("cache", torch.zeros(2, PAGES, PAGE, WIDTH), persistent=False)

    def forward(self, x, slots, tables, lengths):
        q, k, v = self.qkv(x).chunk(3, -1)
        flat = self.cache.view(2, PAGES * PAGE, WIDTH)
        flat[0].index_copy_(0, slots, k)
        flat[1].index_copy_(0, slots, v)
        outs = []
        for i, length in enumerate(lengths):
            keys, values = (part[tables[i]].view(-1, HEADS, WIDTH // HEADS)[:length].transpose(0, 1) for part in self.cache)
            outs.append(nn.functional.scaled_dot_product_attention(q[i].view(HEADS, 1, -1), keys, values).reshape(WIDTH))
        return x + self.out(torch.stack(outs))


words, layers, head = nn.Embedding(1000, WIDTH).cuda(), nn.ModuleList(Layer() for _ in range(LAYERS)).cuda(), nn.Linear(WIDTH, 1000).cuda()
lengths, free = [1, 1, 1, 1], list(range(PAGES))
tables = [[free.pop()] for _ in lengths]
tokens = torch.tensor([1, 2, 3, 4], device="cuda")
with torch.inference_mode():
    for step in range(40):
        for table, length in zip(tables, lengths):
            if length > len(table) * PAGE:
                table.append(free.pop())
        slots = torch.tensor([t[(n - 1) // PAGE] * PAGE + (n - 1) % PAGE for t, n in zip(tables, lengths)], device="cuda")
        x = words(tokens)
        for layer in layers:
            x = layer(x, slots, [torch.tensor(one, device="cuda") for one in tables], lengths)
        tokens = head(x).argmax(-1)
        finished = [i for i, word in enumerate(tokens.tolist()) if word == 7 or lengths[i] > 30]
        for i in finished:
            free += tables[i]
            tables[i], lengths[i] = [free.pop()], 0
        lengths = [one + 1 for one in lengths]
torch.cuda.synchronize()
