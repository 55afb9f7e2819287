"""Trains a LightningModule with bf16-mixed precision."""

import lightning
import torch


class Module(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.model = torch.nn.Sequential(torch.nn.Linear(512, 2048), torch.nn.ReLU(), torch.nn.Linear(2048, 10))

    def training_step(self, batch, index):
        loss = torch.nn.functional.cross_entropy(self.model(batch[0]), batch[1])
        self.log("loss", loss, prog_bar=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


data = torch.utils.data.TensorDataset(torch.randn(64, 512), torch.randint(0, 10, (64,)))
trainer = lightning.Trainer(
    max_steps=5, accelerator="gpu", devices=1, precision="bf16-mixed", logger=False, enable_checkpointing=False, enable_model_summary=False
)
trainer.fit(Module(), torch.utils.data.DataLoader(data, batch_size=8))
