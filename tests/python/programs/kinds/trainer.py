"""Trains a small GPT-2 with the Trainer of transformers."""

import sys
import tempfile

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments


class Tokens(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        tokens = torch.arange(32) + index
        return {"input_ids": tokens, "labels": tokens}


model = GPT2LMHeadModel(GPT2Config(vocab_size=1000, n_positions=64, n_embd=512, n_layer=4, n_head=8))
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder, per_device_train_batch_size=2, max_steps=3, report_to=[], save_strategy="no", bf16="--bf16" in sys.argv
    )
    Trainer(model=model, args=arguments, train_dataset=Tokens()).train()
