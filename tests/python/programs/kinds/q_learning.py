"""Trains a deep Q network with a replay buffer on the GPU and a target network."""

import random

import torch

network, target = (torch.nn.Sequential(torch.nn.Linear(8, 2048), torch.nn.ReLU(), torch.nn.Linear(2048, 2048), torch.nn.ReLU(), torch.nn.Linear(2048, 4)).cuda() for _ in range(2))
target.load_state_dict(network.state_dict())
optimizer = torch.optim.Adam(network.parameters())
buffer = torch.zeros(1000, 8, device="cuda")
state = torch.zeros(8, device="cuda")
for step in range(40):
    action = network(state[None]).argmax(1).item() if random.random() > 0.1 else random.randrange(4)
    state = state.roll(action)
    buffer[step] = state
    if step >= 32:
        batch = buffer[torch.randint(0, step, (16,), device="cuda")]
        with torch.no_grad():
            wanted = 1 + 0.99 * target(batch).max(1).values
        torch.nn.functional.smooth_l1_loss(network(batch).gather(1, torch.zeros(16, 1, dtype=torch.long, device="cuda"))[:, 0], wanted).backward()
        optimizer.step()
        optimizer.zero_grad()
