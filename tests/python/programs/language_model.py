"""A language model of transformers: two training steps in bf16, then generation of eight tokens."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(
    vocab_size=3200, hidden_size=256, intermediate_size=688, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=4
)
model = LlamaForCausalLM(config).to(0)
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(2):
    tokens = torch.randint(3, 3200, (4, 128), device="cuda")
    with torch.autocast("cuda", torch.bfloat16):
        loss = model(input_ids=tokens, labels=tokens).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
model.eval()
made = model.generate(tokens[:, :16], max_new_tokens=8, eos_token_id=2, pad_token_id=0, do_sample=False)
assert made.shape == (4, 24)
