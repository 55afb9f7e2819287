"""Generates text with a language model of transformers that device_map puts on the GPU."""

import tempfile

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

config = LlamaConfig(vocab_size=1000, hidden_size=1024, intermediate_size=2816, num_hidden_layers=4, num_attention_heads=16)
with tempfile.TemporaryDirectory() as folder:
    LlamaForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, torch_dtype=torch.bfloat16, device_map="auto")
assert model.device.type == "cuda", model.device
tokens = torch.randint(3, 1000, (2, 32), device=model.device)
made = model.generate(tokens, attention_mask=torch.ones_like(tokens), max_new_tokens=24, do_sample=True, top_p=0.9, pad_token_id=0)
assert made.shape[1] <= 56
