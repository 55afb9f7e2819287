"""Parts of ordinary training scripts: tied weights, an optimizer made before .to(), averages, schedules, checkpoints."""

import copy
import io
import math

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 2 * x * gradient * torch.ones(1, device="cuda")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(100, 64)
        self.head = nn.Linear(64, 100, bias=False)
        self.head.weight = self.table.weight
        self.attention = nn.MultiheadAttention(64, 4, batch_first=True, dropout=0.1)
        self.norm = nn.GroupNorm(4, 64)

    def forward(self, tokens):
        x = self.table(tokens)
        x = x + self.attention(x, x, x)[0]
        return self.head(Square.apply(self.norm(x.transpose(1, 2)).transpose(1, 2)))


model = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
model.to(device)
assert model.head.weight is model.table.weight
assert all(parameter.is_cuda and parameter.device.type == "cuda" for parameter in model.parameters())
average = copy.deepcopy(model)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
history = []
for _ in range(3):
    tokens = torch.randint(0, 100, (4, 32)).to(device)
    out = model(tokens)
    loss = nn.CrossEntropyLoss(label_smoothing=0.1)(out.flatten(0, 1), tokens.flatten())
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if torch.isnan(loss) or not math.isfinite(norm):
        raise RuntimeError("the loss is not finite")
    optimizer.step()
    schedule.step()
    with torch.no_grad():
        for old, new in zip(average.parameters(), model.parameters()):
            old.mul_(0.99).add_(new, alpha=0.01)
    print(f"{loss.detach():.3f}", loss, out.detach().cpu().shape, out.topk(5, -1).indices.tolist()[0][0])
    history.append(loss.item())
file = io.BytesIO()
torch.save(model.state_dict(), file)
file.seek(0)
state = torch.load(file, map_location="cuda", weights_only=True)
assert all(value.is_cuda for value in state.values())
model.load_state_dict(state)
