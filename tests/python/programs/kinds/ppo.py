"""Trains a policy with PPO on a simulated pendulum."""

import torch
from torch.distributions import Categorical

policy = torch.nn.Sequential(torch.nn.Linear(4, 1024), torch.nn.Tanh(), torch.nn.Linear(1024, 1024), torch.nn.Tanh()).cuda()
actor, value = torch.nn.Linear(1024, 2).cuda(), torch.nn.Linear(1024, 1).cuda()
optimizer = torch.optim.Adam([*policy.parameters(), *actor.parameters(), *value.parameters()], lr=3e-4)
for _ in range(3):
    states, actions, chances, rewards = [], [], [], []
    state = torch.zeros(4)
    for _ in range(8):
        with torch.no_grad():
            choice = Categorical(logits=actor(policy(state.cuda())))
            action = choice.sample()
        states.append(state)
        actions.append(action)
        chances.append(choice.log_prob(action))
        state = state + 0.1 * (1 if action.item() == 1 else -1)
        rewards.append(1.0 - state.abs().sum().item())
    returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0).cuda()
    advantages = (returns - returns.mean()) / (returns.std() + 1e-8)
    hidden = policy(torch.stack(states).cuda())
    choice = Categorical(logits=actor(hidden))
    ratio = (choice.log_prob(torch.stack(actions)) - torch.stack(chances)).exp()
    loss = -torch.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages).mean()
    loss = loss + (value(hidden)[:, 0] - returns).pow(2).mean() - 0.01 * choice.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
