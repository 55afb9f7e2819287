"""Maps the device "cuda" to tensors without data. The script does not notice this."""

import contextlib
import re
import threading
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

import torch
from torch.overrides import TorchFunctionMode

from .replaced import Refusal
from .versions import Version, index_with_full_slices, keeps_full_slices

_CUDA = re.compile(r"^(cuda|gpu)(:\d+)?$")
META = torch.device("meta")


class _OwnGpu:
    """The GPU of the process. With several ranks, it has the number of the rank."""

    def __init__(self) -> None:
        self.set(0, 1)

    def set(self, index: int, count: int) -> None:
        """``count``: the number of GPUs of the machine."""
        self.index, self.count, self.device = index, count, torch.device("cuda", index)


own_gpu = _OwnGpu()


#: The storages of tensors that the script itself puts on the device "meta", by key. They do not use the memory of the GPU.
PLAIN: Dict[int, Any] = {}


class _Target(threading.local):
    """Whether new tensors on the device "meta" represent the GPU ("cuda"), belong to the script ("meta"), or are like the arguments
    of the operator ("")."""

    device = ""


target = _Target()


def is_plain_meta(device: Any) -> bool:
    """Whether the script itself asks for the device "meta", for a model without memory."""
    return device is not META and (device == "meta" or (isinstance(device, torch.device) and device.type == "meta"))


def is_plain(tensor: torch.Tensor) -> bool:
    """Whether the script itself put a tensor on the device "meta"."""
    return bool(PLAIN) and tensor.layout == torch.strided and tensor.untyped_storage()._cdata in PLAIN


@contextlib.contextmanager
def making(device: str) -> Iterator[None]:
    """Sets the target of new tensors on the device "meta"."""
    before, target.device = target.device, device
    try:
        yield
    finally:
        target.device = before


def is_cuda(device: Any) -> bool:
    """Whether a value names the GPU, for example "cuda", "cuda:0", torch.device("cuda") or the number 0."""
    if isinstance(device, str):
        return _CUDA.match(device) is not None
    if type(device) is int:
        return device >= 0
    return isinstance(device, torch.device) and device.type == "cuda"


def require_own(index: Any) -> None:
    """Raises Refusal if the number of a GPU is not the number of the own GPU. None and negative numbers mean the current GPU."""
    if not isinstance(index, int) or index < 0 or index == own_gpu.index:
        return
    if own_gpu.count > 1:
        raise Refusal(f"rank {own_gpu.index} uses the device cuda:{index}. Use the GPU with the number LOCAL_RANK")
    raise Refusal(
        f"the script uses the device cuda:{index}. A prediction covers one GPU for each process: run the script with cuda:0 only. "
        "Name the number of processes with --ranks"
    )


def mapped(device: Any) -> Any:
    """Returns the device "meta" for a value that names the GPU, and other values unchanged. Raises Refusal for another GPU."""
    if is_cuda(device):
        if not _is_own(device):
            require_own(device if type(device) is int else torch.device(device).index)
        return META
    return device


def _is_own(device: Any) -> bool:
    return device == "cuda" if type(device) is not torch.device else device.index in (None, own_gpu.index)


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
            if device is not None and is_cuda(device):
                kwargs = {**kwargs, "device": mapped(device)}
            elif is_plain_meta(device):
                with making("meta"):
                    return func(*args, **kwargs)
            if kwargs.get("generator") is not None and torch.device(kwargs.get("device") or "cpu").type == "meta":
                kwargs = {**kwargs, "generator": None}
            if kwargs.get("pin_memory"):
                kwargs = {**kwargs, "pin_memory": False}
        if len(args) > 1 and any(type(one) is not int and is_cuda(one) for one in args):
            args = tuple(mapped(one) if type(one) is not int else one for one in args)
        if PLAIN and kwargs.get("device") is META:
            with making("cuda"):
                return func(*args, **kwargs)
        return func(*args, **kwargs)


def _device(tensor: torch.Tensor) -> torch.device:
    device = _real_device(tensor)
    return own_gpu.device if device.type == "meta" and not is_plain(tensor) else device


_real_device = torch.Tensor.device.__get__  # type: ignore[attr-defined]


def _is_ours(tensor: torch.Tensor) -> bool:
    return bool(_real_device(tensor).type == "meta") and not is_plain(tensor)


def _require_data(tensor: torch.Tensor) -> None:
    """Raises the error of PyTorch if a tensor that the script put on the device "meta" is copied to the GPU."""
    if _real_device(tensor).type == "meta" and is_plain(tensor):
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")


def _cuda(tensor: torch.Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Any:
    mapped(device)
    _require_data(tensor)
    more = {} if memory_format is None else {"memory_format": memory_format}
    return tensor.to(META, **more)


def _set_data(tensor: torch.Tensor, data: torch.Tensor) -> None:
    """Implements ``tensor.data = data`` between host and GPU, which CUDA allows."""
    if _is_ours(tensor) == _is_ours(data):
        torch.Tensor.data.__set__(tensor, data)  # type: ignore[attr-defined]
        return
    new = torch.Tensor._make_subclass(type(tensor), data.detach(), tensor.requires_grad)  # type: ignore[arg-type]
    vars(new).update(vars(tensor))  # the attributes of the tensor stay, only its data changes
    has_gradient = tensor.is_leaf and tensor.grad is not None
    tensor.grad = None
    torch.utils.swap_tensors(tensor, new)
    if has_gradient:  # Module.to() sets its data next
        tensor.grad = torch.empty((), dtype=data.dtype, device=_real_device(data)).expand(data.shape)


def shares_type(first: torch.Tensor, second: torch.Tensor) -> bool:
    """Implements torch._has_compatible_shallow_copy_type. Module.to() then sets the data of a parameter, as with CUDA."""
    with torch._C.DisableTorchFunction():
        return _is_ours(first) != _is_ours(second) or torch._C._VariableFunctions._has_compatible_shallow_copy_type(first, second)


def _format(tensor: torch.Tensor, specification: str) -> str:
    if _is_ours(tensor) and tensor.dim() == 0:
        return format(tensor.item(), specification)
    return torch.Tensor.__format__(tensor, specification)


def _tensor(data: Any, *args: Any, **kwargs: Any) -> torch.Tensor:
    """Implements torch.tensor, which makes a tensor on the host and then copies it to the GPU."""
    if not is_cuda(kwargs.get("device")):
        made = torch.tensor(data, *args, **kwargs)
        return made if kwargs.get("device") is not None or not _is_ours(made) else _tensor(data, *args, **kwargs, device="cuda")
    mapped(kwargs["device"])
    requires_grad = kwargs.pop("requires_grad", False)
    kwargs["device"] = "cpu"
    kwargs.pop("pin_memory", None)
    return torch.tensor(data, *args, **kwargs).to(META).requires_grad_(requires_grad)


def _new_tensor(tensor: torch.Tensor, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    if not is_cuda(device) and not (device is None and _is_ours(tensor)):
        return tensor.new_tensor(data, dtype=dtype, device=device, requires_grad=requires_grad)
    return _tensor(data, dtype=dtype or tensor.dtype, device="cuda", requires_grad=requires_grad)


def _as_tensor(data: Any, dtype: Any = None, device: Any = None) -> torch.Tensor:
    if not is_cuda(device):
        return torch.as_tensor(data, dtype=dtype, device=device)
    mapped(device)
    if isinstance(data, torch.Tensor):
        return data.to(META, dtype or data.dtype)
    return torch.as_tensor(data, dtype=dtype, device="cpu").to(META)


def _to(tensor: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
    """Implements Tensor.to. Its first argument may be the number of a GPU."""
    if is_cuda(args[0] if args else kwargs.get("device")):
        _require_data(tensor)
    if args and is_cuda(args[0]):
        args = (mapped(args[0]), *args[1:])
    if is_cuda(kwargs.get("device")):
        kwargs["device"] = mapped(kwargs["device"])
    wanted = args[0] if args else kwargs.get("device")
    if is_plain_meta(wanted):
        with making("meta"):
            return torch.empty_like(tensor, device="meta") if _is_ours(tensor) else tensor.to(*args, **kwargs)
    return tensor.to(*args, **kwargs)


def _make_device(*args: Any, **kwargs: Any) -> torch.device:
    """Implements torch.device. A number alone names a GPU."""
    if args and type(args[0]) is int and not kwargs:
        return torch.device("cuda", args[0])
    return torch.device(*args, **kwargs)


def _type(tensor: torch.Tensor, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
    """Implements Tensor.type. Its names tell the device, for example torch.cuda.FloatTensor."""
    if dtype is None:
        name = torch.empty((), dtype=tensor.dtype, device="cpu").type()
        return name.replace("torch.", "torch.cuda.") if _is_ours(tensor) else name
    kind, is_for_gpu = kind_named(dtype)
    return tensor.to(META if is_for_gpu else torch.device("cpu"), kind) if kind is not None else tensor.type(dtype)


def kind_named(name: Any) -> Tuple[Optional[torch.dtype], bool]:
    """Returns the type of the elements of a class such as torch.cuda.FloatTensor or of its name, and whether its tensors are on
    the GPU. The type is None for other values."""
    text = name if isinstance(name, str) else f"{getattr(name, '__module__', '')}.{getattr(name, '__name__', '')}"
    found = _LEGACY.match(text)
    return (_KINDS[found.group(2)], bool(found.group(1))) if found and found.group(2) in _KINDS else (None, False)


_LEGACY = re.compile(r"^torch\.(cuda\.)?(\w+)Tensor$")
_KINDS = {
    "Float": torch.float32, "Double": torch.float64, "Half": torch.float16, "BFloat16": torch.bfloat16,
    "Long": torch.int64, "Int": torch.int32, "Short": torch.int16, "Char": torch.int8, "Byte": torch.uint8,
    "Bool": torch.bool,
}  # fmt: skip


def legacy_class(real: Any) -> Any:
    """Returns a class that replaces torch.cuda.FloatTensor or one of its siblings."""
    kind, _ = kind_named(f"torch.cuda.{real.__name__}")

    class Kind(type):
        def __instancecheck__(cls, one: Any) -> bool:
            return isinstance(one, torch.Tensor) and one.is_cuda and one.dtype == kind

    class Legacy(metaclass=Kind):
        dtype = kind

        def __new__(cls, *sizes: Any) -> Any:
            if len(sizes) == 1 and not isinstance(sizes[0], (int, torch.Size)):
                data = sizes[0]
                return data.to(META, kind) if isinstance(data, torch.Tensor) else _tensor(data, dtype=kind, device="cuda")
            shape = sizes[0] if sizes and isinstance(sizes[0], torch.Size) else sizes
            return torch.empty(shape or (0,), dtype=kind, device=META)

    Legacy.__name__ = Legacy.__qualname__ = real.__name__
    Legacy.__module__ = "torch.cuda"
    return Legacy


_SPECIAL: Dict[Any, Callable[..., Any]] = {
    torch.device: _make_device,
    torch.Tensor.to: _to,
    torch.Tensor.type: _type,
    torch.Tensor.device.__get__: _device,  # type: ignore[attr-defined]
    torch.Tensor.is_cuda.__get__: _is_ours,  # type: ignore[attr-defined]
    torch.Tensor.is_meta.__get__: is_plain,  # type: ignore[attr-defined]
    torch.Tensor.__format__: _format,
    torch.Tensor.get_device: lambda tensor: own_gpu.index if _is_ours(tensor) else -1,
    torch.Tensor.cuda: _cuda,
    torch.Tensor.new_tensor: _new_tensor,
    torch.tensor: _tensor,
    torch.as_tensor: _as_tensor,
    torch.Tensor.data.__set__: _set_data,  # type: ignore[attr-defined]
    torch.Tensor.pin_memory: lambda tensor, *_, **__: tensor,
    torch.Tensor.is_pinned: lambda tensor, *_, **__: False,
}
