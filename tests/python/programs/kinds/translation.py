"""Trains nn.Transformer to translate, with masks for padding and for the future."""

import torch

model, words = torch.nn.Transformer(512, 8, 2, 2, 1024, batch_first=True).cuda(), torch.nn.Embedding(2000, 512).cuda()
head = torch.nn.Linear(512, 2000, bias=False).cuda()
optimizer = torch.optim.Adam([*model.parameters(), *words.parameters(), *head.parameters()])
for _ in range(3):
    source, target = torch.randint(1, 2000, (2, 12), device="cuda"), torch.randint(1, 2000, (2, 10), device="cuda")
    future = torch.nn.Transformer.generate_square_subsequent_mask(10, device="cuda")
    out = model(words(source), words(target), tgt_mask=future, src_key_padding_mask=torch.zeros(2, 12, dtype=torch.bool, device="cuda"), tgt_is_causal=True)
    torch.nn.functional.cross_entropy(head(out).flatten(0, 1), target.flatten(), ignore_index=0).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
