"""Implements torch.load without a GPU. Tensors of a checkpoint that belong on "cuda" are read on the host
and then moved."""

from typing import Any, Callable, Set

import torch

from .devices import is_cuda


def _is_for_gpu(map_location: Any, storage: Any, location: str) -> bool:
    """Whether torch.load would put a storage on the GPU. ``location``: the device of the storage when it was
    saved."""
    if map_location is None:
        return is_cuda(location)
    if isinstance(map_location, dict):
        return is_cuda(map_location.get(location, location))
    if callable(map_location) and not isinstance(map_location, torch.device):
        return is_cuda(location) and map_location(storage, location) is None
    return is_cuda(map_location)


def _moved(content: Any, keys: Set[int]) -> Any:
    if isinstance(content, torch.nn.Module):
        on_gpu = any(one.untyped_storage()._cdata in keys for one in content.state_dict().values() if isinstance(one, torch.Tensor))
        return content.to("cuda") if on_gpu else content
    if isinstance(content, torch.Tensor):
        return content.to("cuda") if content.untyped_storage()._cdata in keys else content
    if isinstance(content, dict):
        for key in list(content):
            content[key] = _moved(content[key], keys)
        return content
    if isinstance(content, list):
        content[:] = [_moved(one, keys) for one in content]
        return content
    if type(content) is tuple:
        return tuple(_moved(one, keys) for one in content)
    return content


def loader(load: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function that replaces torch.load. ``load`` is the original function."""

    def load_without_gpu(f: Any, map_location: Any = None, *args: Any, **kwargs: Any) -> Any:
        keys: Set[int] = set()

        def on_host(storage: Any, location: str) -> Any:
            if _is_for_gpu(map_location, storage, location):
                keys.add(storage._cdata)
            return storage

        return _moved(load(f, on_host, *args, **kwargs), keys)

    return load_without_gpu
