"""Measures the key-value cache of a model that a script calls without gradients, such as a language model that generates text."""

import functools
import threading
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

import torch

from .patches import Patches

#: Arguments and fields of outputs that contain a cache.
_NAMES = (
    "past_key_values", "past_key_value", "cache_params", "cache", "caches", "kv_cache", "kv_caches", "past", "inference_params",
    "encoder_past_key_values",
)  # fmt: skip
_DEEPEST = 8


class Call(NamedTuple):
    """A call of the outermost module: the shape of its input, and the size of the cache after the call. ``held_bytes`` are the bytes
    of the blocks that the cache keeps. They can be larger than the cache, for example if keys are slices of a larger tensor."""

    sequences: int
    tokens: int
    cache_bytes: int
    held_bytes: int


class _Model:
    """The calls of one module."""

    def __init__(self, module: torch.nn.Module) -> None:
        self.name = type(module).__name__
        self.weights_bytes = _bytes_of(_weights(module))
        self.calls: List[Call] = []

    def per_token(self) -> Optional[int]:
        """Returns the bytes that each token of each sequence adds to the cache, or None if this number changes or is unknown."""
        found: Set[int] = set()
        before: Optional[Call] = None
        for call in self.calls:
            is_next = before is not None and before.sequences == call.sequences and before.cache_bytes < call.cache_bytes
            start = before.cache_bytes if before is not None and is_next else 0
            added, tokens = call.cache_bytes - start, call.sequences * call.tokens
            if before is None or before.cache_bytes != call.cache_bytes:
                found.add(added // tokens if tokens and added % tokens == 0 else -1)
            before = call
        return found.pop() if len(found) == 1 and -1 not in found else None

    def is_preallocated(self) -> bool:
        """Whether the cache has its full size from the first call on."""
        return len(self.calls) > 1 and len({call.held_bytes for call in self.calls}) == 1


class Serving:
    """Observes the calls of modules without gradients. Between open() and close(), it replaces ``torch.nn.Module.__call__``."""

    def __init__(self) -> None:
        self._patches = Patches()
        self._local = threading.local()
        self._models: Dict[int, _Model] = {}
        self._kept: List[torch.nn.Module] = []  # so that no other module gets the same id

    def open(self) -> None:
        original = torch.nn.Module.__call__

        @functools.wraps(original)
        def call(module: torch.nn.Module, *arguments: Any, **named: Any) -> Any:
            if getattr(self._local, "is_inside", False) or torch.is_grad_enabled():
                return original(module, *arguments, **named)
            self._local.is_inside = True
            try:
                result = original(module, *arguments, **named)
            finally:
                self._local.is_inside = False
            self._note(module, arguments, named, result)
            return result

        self._patches.set(torch.nn.Module, "__call__", call)

    def close(self) -> None:
        self._patches.close()

    def _note(self, module: torch.nn.Module, arguments: Tuple[Any, ...], named: Dict[str, Any], result: Any) -> None:
        cache = [*_caches(arguments, named, result), *_cache_buffers(module)]
        shape = _input_shape(arguments, named)
        if not cache or shape is None:
            return
        if id(module) not in self._models:
            self._models[id(module)] = _Model(module)
            self._kept.append(module)
        size = sum(one.nelement() * one.element_size() for one in cache if _is_on_gpu(one))
        self._models[id(module)].calls.append(Call(*shape, size, _bytes_of(cache)))

    def found(self) -> Optional[Dict[str, Any]]:
        """Returns the weights and the cache of the model with the largest cache, or None if no module had a cache."""
        models = [one for one in self._models.values() if any(call.cache_bytes for call in one.calls)]
        if not models:
            return None
        model = max(models, key=lambda one: max(call.cache_bytes for call in one.calls))
        largest = max(model.calls, key=lambda call: call.cache_bytes)
        per_token = None if model.is_preallocated() else model.per_token()
        tokens = largest.cache_bytes // (per_token * largest.sequences) if per_token else None
        return {
            "model": model.name,
            "weights_bytes": model.weights_bytes,
            "cache_bytes": largest.held_bytes,
            "cache_sequences": largest.sequences,
            "cache_tokens": tokens,
            "cache_bytes_per_token": per_token,
            "is_preallocated": model.is_preallocated(),
            "calls": len(model.calls),
        }


def _input_shape(arguments: Tuple[Any, ...], named: Dict[str, Any]) -> Optional[Tuple[int, int]]:
    """Returns the number of sequences, and the number of tokens of each sequence, in the first tensor with two dimensions."""
    first = [named.get(name) for name in ("input_ids", "inputs_embeds", "decoder_input_ids")]
    for value in [*first, *arguments, *named.values()]:
        if isinstance(value, torch.Tensor) and value.dim() >= 2:
            return int(value.shape[0]), int(value.shape[1])
    return None


def _caches(arguments: Tuple[Any, ...], named: Dict[str, Any], result: Any) -> List[torch.Tensor]:
    """Returns the cache tensors in the result of a call, or in the arguments if the result contains no cache."""
    fields = result.items() if isinstance(result, dict) else [(name, getattr(result, name, None)) for name in _NAMES]
    values = [value for name, value in fields if name in _NAMES]
    if isinstance(result, tuple):
        values += [one for one in result if not isinstance(one, torch.Tensor)]
    found = _tensors(values)
    if not found:
        found = _tensors([*(value for name, value in named.items() if name in _NAMES), *(one for one in arguments if _is_cache(one))])
    return found


def _is_cache(value: Any) -> bool:
    return "cache" in type(value).__name__.lower()


def _tensors(value: Any, depth: int = 0, seen: Optional[Set[int]] = None) -> List[torch.Tensor]:
    """Returns the tensors in nested lists, tuples, dicts and cache objects."""
    seen = set() if seen is None else seen
    if value is None or depth > _DEEPEST or id(value) in seen:
        return []
    seen.add(id(value))
    if isinstance(value, torch.Tensor):
        is_mask = value.dtype == torch.bool
        return [value] if value.is_floating_point() or value.element_size() == 1 and not is_mask else []
    if isinstance(value, (list, tuple, set)):
        inner = list(value)
    elif isinstance(value, dict):
        inner = list(value.values())
    elif _is_cache(value) or depth > 0 and hasattr(value, "__dict__") and "layer" in type(value).__name__.lower():
        inner = list(vars(value).values())
        inner += list(value.buffers()) if isinstance(value, torch.nn.Module) else []
    else:
        return []
    return [tensor for one in inner for tensor in _tensors(one, depth + 1, seen)]


def _cache_buffers(module: torch.nn.Module) -> Iterator[torch.Tensor]:
    """Returns the buffers of submodules that are caches."""
    for one in module.modules():
        if _is_cache(one):
            yield from one.buffers(recurse=False)


def _weights(module: torch.nn.Module) -> List[torch.Tensor]:
    caches = {id(one) for one in _cache_buffers(module)}
    return [one for one in [*module.parameters(), *module.buffers()] if id(one) not in caches]


def _is_on_gpu(tensor: torch.Tensor) -> bool:
    return tensor.device.type == "cuda" and tensor.layout == torch.strided


def _bytes_of(tensors: List[torch.Tensor]) -> int:
    """Returns the bytes of the storages on the GPU. Each storage counts once."""
    storages = {}
    for tensor in tensors:
        if _is_on_gpu(tensor):
            storage = tensor.untyped_storage()
            storages[storage._cdata] = storage.nbytes()
    return sum(storages.values())


def described(serving: Dict[str, Any], room: Optional[int]) -> List[str]:
    """Returns the lines about the cache. ``room``: the bytes of the card that stay free at the peak, or None without a capacity."""
    from .sizes import shown

    sequences, per_token = serving["cache_sequences"], serving["cache_bytes_per_token"]
    size = f"{sequences} sequences" if sequences != 1 else "1 sequence"
    if serving["cache_tokens"] is not None:
        size += f" of {serving['cache_tokens']:,} tokens"
    lines = [f"weights:        {shown(serving['weights_bytes'])} ({serving['model']})"]
    if serving["is_preallocated"]:
        lines.append(
            f"cache:          {shown(serving['cache_bytes'])} for {size}, {shown(serving['cache_bytes'] // sequences)} for each, allocated "
            "in advance"
        )
    elif per_token is None:
        lines.append(f"cache:          {shown(serving['cache_bytes'])} for {size} at most. It does not grow by the same size for each token")
    else:
        lines.append(f"cache:          {shown(serving['cache_bytes'])} for {size}, {shown(per_token)} for each token of each sequence")
        if room is not None and room > 0:
            lines.append(f"At most {room // per_token:,} more tokens fit in the cache of all sequences. --find NAME finds the largest batch or context.")
    return lines
