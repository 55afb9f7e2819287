"""Handles predictions for another version of PyTorch than the installed one.

Two differences between versions change memory. They are the workspace of cublasLt (temporaries.py) and full slices.
Before PyTorch 2.9, each ``:`` of an index such as ``x[:, -1, :]`` is a node of the backward pass, which makes a
gradient of the size of ``x``.
"""

import sys
from typing import Any, Optional, Tuple

import torch

from .. import errors

Version = Tuple[int, int]

#: From this version on, a slice that covers a whole dimension returns the tensor itself (aten/src/ATen/TensorIndexing.h).
_SKIPS_FULL_SLICES = (2, 9)

#: The oldest version that can be predicted.
_OLDEST = (2, 0)


def installed() -> Version:
    major, minor = torch.__version__.split(".")[:2]
    return int(major), int(minor)


def parse_version(text: Optional[str]) -> Version:
    """Returns (2, 6) for "2.6" or "2.6.0", and the installed version for None. Raises UsageError if the version is
    invalid or too old."""
    if text is None:
        return installed()
    parts = text.split("+")[0].split(".")
    if len(parts) < 2 or not all(part.isdigit() for part in parts[:2]):
        raise errors.UsageError(f"--torch {text}: invalid version of PyTorch. Write major and minor version, such as 2.6")
    version = int(parts[0]), int(parts[1])
    if version < _OLDEST:
        raise errors.UsageError(f"--torch {text}: predictions model PyTorch 2. Name version 2.0 or later")
    return version


def keeps_full_slices(version: Version) -> bool:
    """Whether each full slice must become a node of the backward pass. This is the case if the wanted version makes
    such nodes and the installed version does not."""
    return version < _SKIPS_FULL_SLICES <= installed()


def index_with_full_slices(tensor: torch.Tensor, index: Any) -> Any:
    """Returns ``tensor[index]`` with a node for each slice. Returns NotImplemented if the index contains anything
    other than numbers, slices, None and ``...``."""
    parts = index if isinstance(index, tuple) else (index,)
    numbers = [one for one in parts if isinstance(one, int) and not isinstance(one, bool)]
    slices = [one for one in parts if isinstance(one, slice)]
    others = [one for one in parts if one is None or one is Ellipsis]
    if not slices or len(numbers) + len(slices) + len(others) != len(parts):
        return NotImplemented
    result, dimension = tensor, 0
    for one in parts:
        if one is None:
            result = result.unsqueeze(dimension)
            dimension += 1
        elif one is Ellipsis:
            dimension += tensor.dim() - len(numbers) - len(slices)
        elif isinstance(one, slice):
            stop = sys.maxsize if one.stop is None else one.stop
            result = torch.ops.aten.slice(result, dimension, one.start or 0, stop, one.step or 1)
            dimension += 1
        else:
            result = result.select(dimension, one)
    return result
