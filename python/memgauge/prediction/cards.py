"""The GPUs for which memory can be predicted."""

from dataclasses import dataclass
from typing import Dict, Tuple

from .. import errors

GIB = 1 << 30


@dataclass(frozen=True)
class Card:
    """A GPU model. ``memory_bytes`` is the memory that the driver reports as total."""

    name: str
    capability: Tuple[int, int]
    memory_bytes: int
    processors: int

    @property
    def context_bytes(self) -> int:
        """Memory that the CUDA context, cuBLAS and the loaded kernels take outside the allocator.

        It depends on the driver and on the kernels that run. The value for Hopper and later GPUs comes from an H200, which
        needed 749 to 821 MiB with PyTorch 2.11 and CUDA 13.0. The other values are typical for nvidia-smi and PyTorch 2.
        """
        if self.capability >= (9, 0):
            return 768 << 20
        return int((0.6 if self.capability >= (8, 0) else 0.45) * GIB)


def _card(name: str, capability: Tuple[int, int], gib: float, processors: int) -> Card:
    return Card(name, capability, int(gib * GIB), processors)


#: The GPUs, by the values of the option --gpu. Each has the usable memory that the driver reports, and the
#: number of multiprocessors.
CARDS: Dict[str, Card] = {
    "v100": _card("NVIDIA V100 16GB", (7, 0), 15.77, 80),
    "v100-32gb": _card("NVIDIA V100 32GB", (7, 0), 31.73, 80),
    "t4": _card("NVIDIA T4", (7, 5), 14.56, 40),
    "a100": _card("NVIDIA A100 40GB", (8, 0), 39.39, 108),
    "a100-80gb": _card("NVIDIA A100 80GB", (8, 0), 79.14, 108),
    "a10": _card("NVIDIA A10", (8, 6), 22.06, 72),
    "a10g": _card("NVIDIA A10G", (8, 6), 22.06, 80),
    "a40": _card("NVIDIA A40", (8, 6), 44.35, 84),
    "a6000": _card("NVIDIA RTX A6000", (8, 6), 47.41, 84),
    "rtx3090": _card("NVIDIA GeForce RTX 3090", (8, 6), 23.57, 82),
    "rtx4090": _card("NVIDIA GeForce RTX 4090", (8, 9), 23.53, 128),
    "rtx2080ti": _card("NVIDIA GeForce RTX 2080 Ti", (7, 5), 10.75, 68),
    "rtx3060": _card("NVIDIA GeForce RTX 3060", (8, 6), 11.62, 28),
    "rtx4070": _card("NVIDIA GeForce RTX 4070", (8, 9), 11.60, 46),
    "rtx4080": _card("NVIDIA GeForce RTX 4080", (8, 9), 15.59, 76),
    "rtx5080": _card("NVIDIA GeForce RTX 5080", (12, 0), 15.47, 84),
    "rtx5090": _card("NVIDIA GeForce RTX 5090", (12, 0), 31.36, 170),
    "l4": _card("NVIDIA L4", (8, 9), 21.96, 58),
    "l40s": _card("NVIDIA L40S", (8, 9), 44.40, 142),
    "h100": _card("NVIDIA H100 80GB", (9, 0), 79.11, 132),
    "h200": _card("NVIDIA H200", (9, 0), 139.72, 132),
    "b200": _card("NVIDIA B200", (10, 0), 178.36, 148),
}

#: The card of a prediction without --gpu. Its memory is not used as a limit.
DEFAULT = "a100"


def card_named(name: str) -> Card:
    """Returns the card with this name. Raises UsageError if the name is unknown."""
    found = CARDS.get(name.lower().replace("_", "-"))
    if found is None:
        raise errors.UsageError(f"--gpu {name}: unknown GPU. Use one of {', '.join(CARDS)}, or leave --gpu out and set --capacity")
    return found
