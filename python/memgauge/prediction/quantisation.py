"""Runs operators of bitsandbytes. Their CUDA implementations are Python functions that allocate tensors and then call a library. The
implementations run here with a library that does nothing, so they allocate the same tensors as on a GPU."""

import importlib
import sys
from typing import TYPE_CHECKING, Any

import torch

from .replaced import Refusal
from .threads import pushed

if TYPE_CHECKING:
    from .following import Following

_CUDA = torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA)  # type: ignore[attr-defined]


def run(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    """Runs an operator of bitsandbytes on tensors without data, and records its allocations."""
    try:
        importlib.import_module("bitsandbytes.backends.cuda.ops")
    except Exception as problem:
        raise Refusal(f"the CUDA operators of bitsandbytes cannot be imported without a GPU ({problem}). Predict without quantisation") from problem
    with pushed(mode):
        return func.redispatch(_CUDA, *args, **kwargs)


class _NoLibrary:
    """Functions that do nothing, with any name."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def nothing(*_: Any) -> int:
            return 0

        setattr(self, name, nothing)
        return nothing


def _paged(*shape: int, dtype: torch.dtype = torch.float32, device: Any = None) -> torch.Tensor:
    """Implements functional.get_paged(). Managed memory is not part of the allocator of PyTorch."""
    made: Any = torch.empty(*shape, dtype=dtype, device="cpu")
    made.is_paged, made.page_deviceid = True, 0
    return made


def imported(module: Any) -> None:
    """Call it after a module has been imported. Replaces the library of bitsandbytes, whose functions would end the process without a
    driver. Raises Refusal for versions that call the library without operators of PyTorch."""
    if module.__name__ == "bitsandbytes.cextension":
        module.lib = _NoLibrary()
    elif module.__name__ == "bitsandbytes.functional":
        module.get_paged = _paged
    elif module.__name__ == "bitsandbytes" and "bitsandbytes._ops" not in sys.modules:
        raise Refusal(f"bitsandbytes {getattr(module, '__version__', '')} is too old for a prediction. Install bitsandbytes 0.46 or later")
