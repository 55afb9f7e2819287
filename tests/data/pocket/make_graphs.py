"""Made the graphs of this folder, as the Python project writes them: python make_graphs.py (torch_geometric 2.8, torch 2.11).

Two pockets whose features are z-scored by node_feature_norm_params.npz, one that was normalised twice, and one that is
no graph.
"""

import numpy as np
import torch
from torch_geometric.data import Data

RAW = np.array([[-0.5, 8, 16.0], [0.25, 6, 12.01], [0.1, 1, 1.008], [0.4, 7, 14.01]], np.float32)


def graph(x, shift):
    return Data(
        x=torch.tensor(x, dtype=torch.float32),
        pos=torch.arange(12, dtype=torch.float32).reshape(4, 3) + shift,
        edge_index=torch.tensor([[0, 1, 1, 3], [1, 0, 3, 1]]),
        edge_attr=torch.tensor([[0.7, 0.6]] * 4),
        triple_index=torch.tensor([[0], [1], [3]]),
        triple_attr=torch.tensor([[0.6, 0.4]]),
        quadra_index=torch.zeros((4, 0), dtype=torch.long),
        quadra_attr=torch.zeros((0, 3)),
        nonbonded_edge_index=torch.tensor([[0, 3], [3, 0]]),
        nonbonded_edge_attr=torch.tensor([[12.5, 5.5, 3.0]] * 2),
    )


mean, std = RAW.mean(0), RAW.std(0)
once = (RAW - mean) / std
torch.save(graph(once, 0), "graphs/1abc_LIG_model0.pt")
torch.save(graph(once, 1), "graphs/1abc_LIG_model1.pt")
torch.save(graph((once - mean) / std, 2), "graphs/2abc_LIG_model0.pt")
torch.save({"state": torch.zeros(3)}, "graphs/3abc_LIG_model0.pt")
np.savez("node_feature_norm_params.npz", mean=mean, std=std)
