"""Fine-tunes a small Llama with LoRA (peft) and gradient checkpointing."""

import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(vocab_size=1000, hidden_size=1024, intermediate_size=2048, num_hidden_layers=4, num_attention_heads=16)
model = LlamaForCausalLM(config)
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
model.enable_input_require_grads()
model = get_peft_model(model, LoraConfig(r=8, lora_alpha=16, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")).to("cuda")
model.print_trainable_parameters()
optimizer = torch.optim.AdamW((one for one in model.parameters() if one.requires_grad), lr=1e-4)
for _ in range(3):
    tokens = torch.randint(0, 1000, (2, 64), device="cuda")
    loss = model(input_ids=tokens, labels=tokens).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(loss.item())
