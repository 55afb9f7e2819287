"""Trains a model that Hydra configures."""

import sys
from dataclasses import dataclass

import hydra
import torch
from hydra.core.config_store import ConfigStore


@dataclass
class Config:
    width: int = 1024
    device: str = "cuda"


ConfigStore.instance().store(name="config", node=Config)


@hydra.main(version_base=None, config_name="config")
def main(config):
    model = torch.nn.Sequential(torch.nn.Linear(config.width, config.width), torch.nn.ReLU(), torch.nn.Linear(config.width, 1)).to(config.device)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        model(torch.randn(2, config.width, device=config.device)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


sys.argv += ["hydra.run.dir=.", "hydra.output_subdir=null", "hydra/job_logging=disabled"]  # writes no files
main()
