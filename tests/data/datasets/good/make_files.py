"""Writes the processed files of a GOOD-like data set, as PyTorch Geometric 2 saves them.

Usage: python make_files.py FOLDER   (with torch and torch_geometric installed)
"""

import os
import sys

import torch
from torch_geometric.data import Data, InMemoryDataset


def molecule(smiles, label, environment, domain):
    return Data(
        x=torch.zeros(len(smiles), 2, dtype=torch.long),
        edge_index=torch.zeros(2, 0, dtype=torch.long),
        edge_attr=torch.zeros(0, 1),
        y=torch.tensor([[label]]),
        smiles=smiles,
        scaffold="S",
        domain="S",
        domain_id=torch.tensor([domain]),
        env_id=torch.tensor([environment]),
    )


PARTS = {
    "train": ["C" * length for length in range(1, 7)],
    "id_val": ["CCO", "CCN"],
    "id_test": ["CCF", "CCCl"],
    "val": ["c1ccccc1" + "C" * length for length in range(6)],
    "test": ["C1CCCCC1O", "C1CCCCC1N"],
}

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for part, texts in PARTS.items():
    molecules = [molecule(text, float(i % 2), i % 3, i) for i, text in enumerate(texts)]
    torch.save(InMemoryDataset.collate(molecules), f"{folder}/covariate_{part}.pt")
later = {"smiles": ["CCO", "CCN"], "y": torch.tensor([[1.0, float("nan")], [0.0, 1.0]])}
torch.save((later, {"y": torch.tensor([0, 1, 2])}, None), f"{folder}/../later_version.pt")
