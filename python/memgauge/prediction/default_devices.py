"""Maps devices in parts of PyTorch that act outside the function mode: defaults, numbers of devices, and types of tensors."""

from typing import Any

import torch
import torch.utils._device as devices

from .devices import META, is_cuda, is_plain_meta, kind_named, legacy_class, making, mapped, own_gpu, require_own
from .patches import Patches


def patch_numbers_of_devices(patches: Patches) -> None:
    """Handles functions outside the function mode that take the number of a GPU: Module.to(0) and nn.DataParallel."""
    parse = torch._C._nn._parse_to  # type: ignore[attr-defined]

    def parse_to(*arguments: Any, **named: Any) -> Any:
        if arguments and type(arguments[0]) is int:
            arguments = (torch.device("cuda", arguments[0]), *arguments[1:])
        if type(named.get("device")) is int:
            named["device"] = torch.device("cuda", named["device"])
        with torch._C.DisableTorchFunction():
            return parse(*arguments, **named)

    def scatter(tensor: torch.Tensor, devices: Any, sizes: Any = None, dim: int = 0, streams: Any = None) -> Any:
        for device in devices:
            require_own(device)
        stream = streams[0] if streams else None
        with torch.cuda.stream(stream):
            return [tensor.to("cuda")]

    patches.set(torch._C._nn, "_parse_to", parse_to)
    patches.set(torch._C, "_scatter", scatter)
    patches.set(torch._C, "_gather", lambda tensors, *_: tensors[0])
    patches.set(torch._C, "_broadcast_coalesced", lambda tensors, *_: [tensors])


def patch_default_type(patches: Patches) -> None:
    """Handles torch.set_default_tensor_type() and classes such as torch.cuda.FloatTensor."""
    set_type = torch.set_default_tensor_type

    def set_default(name: Any) -> None:
        kind, is_for_gpu = kind_named(name)
        if kind is not None and is_for_gpu:
            torch.set_default_dtype(kind)
            torch.set_default_device("cuda")
        else:
            set_type(name)

    patches.set(torch, "set_default_tensor_type", set_default)
    for name in dir(torch.cuda):
        if kind_named(f"torch.cuda.{name}")[0] is not None:
            patches.set(torch.cuda, name, legacy_class(getattr(torch.cuda, name)))


def patch_default_device(patches: Patches) -> None:
    """Handles torch.set_default_device() and ``with torch.device("cuda")``, which act outside the function
    mode."""
    context = devices.DeviceContext
    make = context.__init__
    default = torch.get_default_device

    def make_mapped(self: Any, device: Any) -> None:
        make(self, mapped(device))
        if is_cuda(device):
            self.device = META

    def default_device() -> torch.device:
        found = default()
        return own_gpu.device if found is META else found

    function = context.__torch_function__

    def call(self: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if not is_plain_meta(self.device):
            return function(self, func, types, args, kwargs)
        with making("meta"):
            return function(self, func, types, args, kwargs)

    patches.set(context, "__init__", make_mapped)
    patches.set(context, "__torch_function__", call)
    patches.set(torch, "get_default_device", default_device)
