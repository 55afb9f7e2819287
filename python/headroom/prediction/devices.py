"""Maps the device "cuda" to tensors without data. The script does not notice this."""

import re
from typing import Any, Callable, Dict

import torch
from torch.overrides import TorchFunctionMode

from .replaced import Refusal
from .versions import Version, index_with_full_slices, keeps_full_slices

_CUDA = re.compile(r"^(cuda|gpu)(:\d+)?$")
_META = torch.device("meta")
_FIRST = torch.device("cuda", 0)


def is_cuda(device: Any) -> bool:
    """Whether a value names the GPU, for example "cuda", "cuda:0" or torch.device("cuda")."""
    if isinstance(device, str):
        return _CUDA.match(device) is not None
    return isinstance(device, torch.device) and device.type == "cuda"


def _mapped(value: Any) -> Any:
    if is_cuda(value):
        index = torch.device(value).index
        if index:
            raise Refusal(f"the script uses the device {value}. A prediction covers one GPU: run the script with cuda:0 only")
        return _META
    return value


class CudaAsMeta(TorchFunctionMode):
    """A function mode that makes tensors on "meta" if the script asks for "cuda". The tensors report "cuda" as their
    device."""

    def __init__(self, version: Version) -> None:
        super().__init__()
        self._keeps_full_slices = keeps_full_slices(version)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        special = _SPECIAL.get(func)
        if special is not None:
            return special(*args, **kwargs)
        if self._keeps_full_slices and func is torch.Tensor.__getitem__ and _is_ours(args[0]):
            found = index_with_full_slices(*args)
            if found is not NotImplemented:
                return found
        if kwargs:
            device = kwargs.get("device")
            if device is not None and (is_cuda(device) or type(device) is int):
                kwargs = {**kwargs, "device": _META if type(device) is int else _mapped(device)}
            if kwargs.get("generator") is not None and torch.device(kwargs.get("device") or "cpu").type == "meta":
                kwargs = {**kwargs, "generator": None}
            if kwargs.get("pin_memory"):
                kwargs = {**kwargs, "pin_memory": False}
        if len(args) > 1 and any(is_cuda(one) for one in args):
            args = tuple(_mapped(one) for one in args)
        return func(*args, **kwargs)


def _device(tensor: torch.Tensor) -> torch.device:
    device = _real_device(tensor)
    return _FIRST if device.type == "meta" else device


_real_device = torch.Tensor.device.__get__  # type: ignore[attr-defined]


def _is_ours(tensor: torch.Tensor) -> bool:
    return bool(_real_device(tensor).type == "meta")


def _cuda(tensor: torch.Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Any:
    if device is not None and not (isinstance(device, int) and device == 0):
        _mapped(device if not isinstance(device, int) else f"cuda:{device}")
    more = {} if memory_format is None else {"memory_format": memory_format}
    return tensor.to(_META, **more)


def _set_data(tensor: torch.Tensor, data: torch.Tensor) -> None:
    """Implements ``tensor.data = data`` between host and GPU, which CUDA allows."""
    if _is_ours(tensor) == _is_ours(data):
        torch.Tensor.data.__set__(tensor, data)  # type: ignore[attr-defined]
        return
    new = torch.Tensor._make_subclass(type(tensor), data.detach(), tensor.requires_grad)  # type: ignore[arg-type]
    torch.utils.swap_tensors(tensor, new)


def _format(tensor: torch.Tensor, specification: str) -> str:
    if _is_ours(tensor) and tensor.dim() == 0:
        return format(tensor.item(), specification)
    return torch.Tensor.__format__(tensor, specification)


def _tensor(data: Any, *args: Any, **kwargs: Any) -> torch.Tensor:
    """Implements torch.tensor, which makes a tensor on the host and then copies it to the GPU."""
    if not is_cuda(kwargs.get("device")):
        made = torch.tensor(data, *args, **kwargs)
        return made if kwargs.get("device") is not None or not _is_ours(made) else _tensor(data, *args, **kwargs, device="cuda")
    _mapped(kwargs["device"])
    requires_grad = kwargs.pop("requires_grad", False)
    kwargs["device"] = "cpu"
    kwargs.pop("pin_memory", None)
    return torch.tensor(data, *args, **kwargs).to(_META).requires_grad_(requires_grad)


def _new_tensor(tensor: torch.Tensor, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    if not is_cuda(device) and not (device is None and _is_ours(tensor)):
        return tensor.new_tensor(data, dtype=dtype, device=device, requires_grad=requires_grad)
    return _tensor(data, dtype=dtype or tensor.dtype, device="cuda", requires_grad=requires_grad)


def _as_tensor(data: Any, dtype: Any = None, device: Any = None) -> torch.Tensor:
    if not is_cuda(device):
        return torch.as_tensor(data, dtype=dtype, device=device)
    _mapped(device)
    if isinstance(data, torch.Tensor):
        return data.to(_META, dtype or data.dtype)
    return torch.as_tensor(data, dtype=dtype, device="cpu").to(_META)


_SPECIAL: Dict[Any, Callable[..., Any]] = {
    torch.device: torch.device,
    torch.Tensor.device.__get__: _device,  # type: ignore[attr-defined]
    torch.Tensor.is_cuda.__get__: _is_ours,  # type: ignore[attr-defined]
    torch.Tensor.is_meta.__get__: lambda tensor: False,  # type: ignore[attr-defined]
    torch.Tensor.__format__: _format,
    torch.Tensor.get_device: lambda tensor: 0 if _is_ours(tensor) else -1,
    torch.Tensor.cuda: _cuda,
    torch.Tensor.new_tensor: _new_tensor,
    torch.tensor: _tensor,
    torch.as_tensor: _as_tensor,
    torch.Tensor.data.__set__: _set_data,  # type: ignore[attr-defined]
    torch.Tensor.pin_memory: lambda tensor, *_, **__: tensor,
    torch.Tensor.is_pinned: lambda tensor, *_, **__: False,
}
