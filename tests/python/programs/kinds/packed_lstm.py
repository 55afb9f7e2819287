"""Trains an LSTM on packed sequences."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.lstm, self.out = torch.nn.Embedding(5000, 512), torch.nn.LSTM(512, 512, batch_first=True), torch.nn.Linear(512, 10)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.words(tokens), lengths.cpu(), batch_first=True, enforce_sorted=False)
        return self.out(pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0])


model = Tagger().cuda()
optimizer = torch.optim.Adam(model.parameters())
for step in range(3):
    lengths = torch.tensor([3, 9, 5 + step])
    tokens = pad_sequence([torch.ones(int(n), dtype=torch.long) for n in lengths], batch_first=True).cuda()
    model(tokens, lengths).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
