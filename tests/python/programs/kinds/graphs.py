"""Trains a graph network on molecules of different sizes (PyTorch Geometric)."""

import torch
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_mean_pool


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.last = GCNConv(16, 1024), GCNConv(1024, 1024), torch.nn.Linear(1024, 1)

    def forward(self, data):
        x = self.first(data.x, data.edge_index).relu()
        return self.last(global_mean_pool(self.second(x, data.edge_index).relu(), data.batch))


graphs = [
    Data(x=torch.randn(n, 16), edge_index=torch.stack([torch.arange(n - 1), torch.arange(1, n)]), y=torch.zeros(1)) for n in range(5, 69)
]
model = Network().cuda()
optimizer = torch.optim.Adam(model.parameters())
for _ in range(2):
    for batch in DataLoader(graphs, batch_size=4, shuffle=True):
        batch = batch.to("cuda")
        torch.nn.functional.mse_loss(model(batch)[:, 0], batch.y).backward()
        optimizer.step()
        optimizer.zero_grad()
