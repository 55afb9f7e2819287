"""Guards the interface between PyTorch's Python code and CUDA, and names the functions that a prediction does not know."""

import os
import sys
import traceback
from typing import Any, Callable, Dict

import torch

from .devices import own_gpu, require_own
from .patches import Patches
from .replaced import Refusal

_PACKAGES = ("torch.cuda", "torch.accelerator")
_PREFIXES = ("_cuda_", "_accelerator_")

#: Texts of errors that PyTorch raises because there is no GPU.
_NEEDS_GPU = (
    "no NVIDIA driver", "NVIDIA driver", "not compiled with CUDA", "CUDA driver", "CUDA error", "no CUDA-capable device",
    "No CUDA GPUs are available", "cudaGetDeviceCount", "has no attribute '_cuda_", "has no attribute '_accelerator_",
    "requires CUDA support", "Tried to instantiate dummy base class", "Please register PrivateUse1HooksInterface",
    "without a CUDA", "only available for CUDA",
)  # fmt: skip


def needs_gpu(problem: BaseException) -> bool:
    """Whether PyTorch raised the exception because there is no GPU."""
    return isinstance(problem, (RuntimeError, AssertionError, AttributeError)) and any(text in str(problem) for text in _NEEDS_GPU)


def unknown_function(problem: BaseException) -> str:
    """Returns the reason to refuse a script whose call failed because there is no GPU. It names the first function of torch.cuda
    in the traceback, or the line of code and the error."""
    for frame, _ in traceback.walk_tb(problem.__traceback__):
        module = frame.f_globals.get("__name__", "")
        if module.startswith(_PACKAGES):
            return f"this script uses {_public_name(frame, module)}, which predict does not know. Leave it out"
    lines = [one for one in traceback.extract_tb(problem.__traceback__) if not _is_own(one.filename)]
    shown = [one for one in lines if not one.filename.startswith(os.path.dirname(torch.__file__))] or lines
    text = shown[-1].line if shown else ""
    return f'this script runs "{text}", which predict does not know ({str(problem).splitlines()[0][:90]}). Leave it out'


def _is_own(filename: str) -> bool:
    return filename.startswith(os.path.dirname(os.path.abspath(__file__)))


def _public_name(frame: Any, module: str) -> str:
    """Returns the name of the function of a frame, for example torch.cuda.MemPool."""
    name = frame.f_code.co_name
    if name in ("__init__", "__new__") and frame.f_locals:
        first = next(iter(frame.f_locals.values()))
        name = (first if isinstance(first, type) else type(first)).__name__
    package = next(one for one in _PACKAGES if module.startswith(one))
    return f"{package if hasattr(sys.modules[package], name) else module}.{name}"


def guard(patches: Patches, answers: Dict[str, Callable[..., Any]]) -> None:
    """Replaces the compiled functions through which torch.cuda and torch.accelerator reach a GPU. Functions without an answer
    still run. If one fails because there is no GPU, the run is refused with its name."""
    for name in dir(torch._C):
        if name.startswith(_PREFIXES):
            real = getattr(torch._C, name)
            if name in answers:
                patches.set(torch._C, name, answers[name])
            elif callable(real) and not isinstance(real, type):
                patches.set(torch._C, name, _guarded(name, real))
    for name, answer in answers.items():
        patches.set(torch._C, name, answer) if not hasattr(torch._C, name) else None


def _guarded(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return real(*arguments, **named)
        except Exception as problem:
            if needs_gpu(problem):
                raise Refusal(unknown_function(problem)) from problem
            raise

    call.__name__ = name
    return call


def compiled_answers(current_stream: Callable[[], Any]) -> Dict[str, Callable[..., Any]]:
    """Returns the answers of compiled functions, by name."""

    def first(index: Any = None, *_: Any) -> int:
        require_own(index)
        return own_gpu.index

    def stream(*_: Any) -> Any:
        one = current_stream()
        return one.stream_id, own_gpu.index, 1  # number of the stream, index and type of the device

    return {
        "_cuda_getDevice": lambda: own_gpu.index,
        "_cuda_setDevice": lambda index=0: first(index) and None,
        "_cuda_exchangeDevice": first,
        "_cuda_maybeExchangeDevice": first,
        "_cuda_getDeviceCount": lambda: own_gpu.count,
        "_cuda_isCurrentStreamCapturing": lambda: False,
        "_cuda_hasPrimaryContext": lambda *_: True,
        "_cuda_isInBadFork": lambda: False,
        "_cuda_getCurrentStream": stream,
        "_cuda_synchronize": lambda *_: None,
        "_cuda_getAllocatorBackend": lambda: "native",
        "_cuda_getCurrentRawStream": lambda *_: current_stream().stream_id,
        "_accelerator_getDeviceIndex": lambda: own_gpu.index,
        "_accelerator_setDeviceIndex": lambda index=0: first(index) and None,
        "_accelerator_getStream": lambda *_: current_stream(),
        "_accelerator_synchronizeDevice": lambda *_: None,
        "_accelerator_exchangeDevice": first,
        "_accelerator_maybeExchangeDevice": first,
    }
