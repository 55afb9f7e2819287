"""Trains the U-Net of a diffusion model (diffusers)."""

import torch
from diffusers import DDPMScheduler, UNet2DModel

model = UNet2DModel(sample_size=16, block_out_channels=(128, 256), down_block_types=("DownBlock2D", "AttnDownBlock2D"),
                    up_block_types=("AttnUpBlock2D", "UpBlock2D"), layers_per_block=1).cuda()  # fmt: skip
noise_of = DDPMScheduler(num_train_timesteps=1000)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for _ in range(3):
    images = torch.randn(1, 3, 16, 16, device="cuda")
    noise, steps = torch.randn_like(images), torch.randint(0, 1000, (1,), device="cuda")
    torch.nn.functional.mse_loss(model(noise_of.add_noise(images, noise, steps), steps).sample, noise).backward()
    optimizer.step()
    optimizer.zero_grad()
