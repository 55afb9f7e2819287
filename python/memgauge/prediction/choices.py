"""Bounds sizes that depend on values of large tensors, which a prediction does not compute.

A mask such as ``indices == expert`` selects some elements. Their number decides the sizes of later tensors. This module follows
where masks and indices come from, and answers with one of two numbers: the smallest number or an equal share in the first run of a
script, and the largest possible number in the second run. The two runs give the two ends of the prediction.
"""

import math
import weakref
from typing import Any, Dict, Optional, Tuple

import torch

#: Operators whose integer output contains positions along a dimension, with the position of the argument ``dim``.
_POSITIONS = {"topk": 2, "argmax": 1, "argmin": 1, "max": 1, "min": 1, "sort": 1, "argsort": 1, "multinomial": None}

#: Operators that copy elements of their first argument.
_COPIES = {
    "clone", "_to_copy", "index", "index_select", "gather", "cat", "stack", "repeat", "flip", "roll", "contiguous",
    "_reshape_copy", "view_copy", "permute_copy",
}  # fmt: skip

_UNIFORM = {"rand", "rand_like", "uniform_", "uniform"}


class Source:
    """An integer tensor of unknown values, which assigns each of its elements to one of ``classes`` classes."""

    def __init__(self, classes: int, distinct: int, elements: int) -> None:
        self.classes = classes
        self.distinct = distinct  # a class occurs at most once in this many elements
        self.left = elements  # elements that no mask has selected yet
        self.selected: Dict[Any, int] = {}

    def most(self, key: Any, elements: int) -> int:
        """Returns the largest number of elements that a mask may select, if earlier masks have selected their largest numbers."""
        if key not in self.selected:
            self.selected[key] = min(elements // self.distinct, self.left)
            self.left -= self.selected[key]
        return self.selected[key]


class Likely:
    """Facts about a tensor of unknown values. ``share`` is the expected mean of its elements, for masks and counts."""

    __slots__ = ("kind", "share", "source", "key", "bound")

    def __init__(
        self, kind: str, share: float = 0.0, source: Optional[Source] = None, key: Any = None, bound: Optional[int] = None
    ) -> None:
        self.kind = kind  # "index", "mask", "one-hot" or "uniform"
        self.share = share
        self.source = source
        self.key = key
        self.bound = bound  # the largest possible number, for counts


class Choices:
    """Keeps the facts by storage. ``largest`` selects the second run."""

    def __init__(self, largest: bool) -> None:
        self.largest = largest
        self._facts: Dict[int, Tuple[Any, Likely]] = {}

    def of(self, tensor: Any) -> Optional[Likely]:
        if not isinstance(tensor, torch.Tensor) or not tensor.is_meta:
            return None
        entry = self._facts.get(tensor.untyped_storage()._cdata)
        return entry[1] if entry is not None else None

    def _set(self, tensor: torch.Tensor, likely: Likely) -> None:
        storage = tensor.untyped_storage()
        key = storage._cdata
        self._facts[key] = (weakref.ref(storage, lambda _: self._facts.pop(key, None)), likely)

    def selected(self, mask: torch.Tensor) -> int:
        """Returns the number of elements that a mask of unknown values selects."""
        elements = mask.numel()
        likely = self.of(mask)
        if likely is None or likely.kind not in ("mask", "one-hot"):
            return elements if self.largest else min(1, elements)
        expected = elements * min(1.0, likely.share)
        is_whole = likely.kind == "one-hot" and elements * mask.element_size() == mask.untyped_storage().nbytes()
        if likely.source is None or is_whole:
            spread = 4 * math.sqrt(expected * max(0.0, 1 - likely.share)) if self.largest and not is_whole else 0
            return min(elements, math.ceil(expected + spread))
        if not self.largest:
            return math.ceil(expected)
        key = mask.storage_offset() if likely.kind == "one-hot" else likely.key
        return likely.source.most(key, elements)

    def number(self, bound: int) -> int:
        """Returns a number between 1 and ``bound``."""
        return bound if self.largest else min(1, bound)

    def range_of(self, tensor: torch.Tensor) -> Optional[Tuple[int, int]]:
        """Returns the smallest and the largest possible value of an integer tensor of unknown values, or None."""
        likely = self.of(tensor)
        if likely is None or tensor.dtype.is_floating_point or tensor.dtype == torch.bool:
            return None
        if likely.bound is not None:
            return 0, likely.bound
        return (0, likely.source.classes - 1) if likely.kind == "index" and likely.source is not None else None

    def classes_of(self, tensor: torch.Tensor) -> Optional[int]:
        """Returns the number of different values that a tensor of positions may have, or None."""
        likely = self.of(tensor)
        return likely.source.classes if likely is not None and likely.kind == "index" and likely.source is not None else None

    def follow(self, name: str, args: Any, out: Any) -> None:
        """Follows the facts through one operator."""
        first = args[0] if args else None
        if name in _POSITIONS and not (name in ("max", "min") and isinstance(out, torch.Tensor)):
            self._positions(name, args, out)
        elif name in _UNIFORM and isinstance(out, torch.Tensor):
            self._set(out, Likely("uniform"))
        elif name == "randint" and isinstance(out, torch.Tensor) and not out.dtype.is_floating_point:
            high = next((one for one in (args[1:2] if len(args) > 2 else args[:1]) if isinstance(one, int)), None)
            if high is not None:
                self._set(out, Likely("index", source=Source(high, 1, out.numel())))
        elif name in ("sum", "count_nonzero") and isinstance(first, torch.Tensor) and first.dtype == torch.bool:
            likely = self.of(first)
            elements = first.numel() // max(1, out.numel())
            share = likely.share * elements if likely is not None else 0.0
            self._set(out, Likely("mask", share, bound=elements))
        elif name.rstrip("_") == "scatter" and self.of(args[2]) is not None:
            self._scattered(args, out)
        elif isinstance(first, torch.Tensor) and isinstance(out, torch.Tensor):
            likely = self.of(first)
            if likely is not None:
                self._derived(name, args, out, likely)
        elif name in ("cat", "stack") and isinstance(first, (list, tuple)) and first:
            likely = self.of(first[0])
            if likely is not None and isinstance(out, torch.Tensor):
                self._set(out, likely)

    def _positions(self, name: str, args: Any, out: Any) -> None:
        made = [one for one in (out if isinstance(out, (tuple, list)) else (out,)) if isinstance(one, torch.Tensor)]
        indices = made[-1] if made else None
        if indices is None or indices.dtype != torch.int64:
            return
        first, place = args[0], _POSITIONS[name]
        dim = args[place] if place is not None and len(args) > place and isinstance(args[place], int) else -1
        if first.dim() == 0:
            return
        classes, distinct = first.shape[dim], 1
        if name in ("topk", "sort", "argsort"):
            distinct = max(1, indices.shape[dim])
        elif name == "multinomial" and not (len(args) > 2 and args[2]):
            distinct = max(1, args[1])
        self._set(indices, Likely("index", source=Source(classes, distinct, indices.numel())))

    def _scattered(self, args: Any, out: Any) -> None:
        """A one-hot tensor: ones that are scattered into zeros."""
        dim, index = args[1], args[2]
        likely = self.of(index)
        if likely is None or likely.source is None or not isinstance(out, torch.Tensor) or isinstance(args[3], torch.Tensor):
            return
        self._set(out, Likely("one-hot", index.shape[dim] / max(1, out.shape[dim]), likely.source))

    def _derived(self, name: str, args: Any, out: torch.Tensor, likely: Likely) -> None:
        other = args[1] if len(args) > 1 else None
        if name in ("max", "amax", "min", "amin") and likely.kind == "index":
            self._set(out, likely)
        elif name in _COPIES and (likely.kind != "uniform" or name != "_to_copy"):
            key = object() if likely.kind == "one-hot" and out.numel() < args[0].numel() else likely.key
            self._set(out, Likely("mask" if key is not None and likely.kind == "one-hot" else likely.kind, likely.share, likely.source, key, likely.bound))
        elif likely.kind == "index" and name in ("eq", "ne") and likely.source is not None:
            is_table = isinstance(other, torch.Tensor) and other.numel() > 1
            share = 1 / max(1, likely.source.classes)
            if name == "ne":
                self._set(out, Likely("mask", 1 - share))
            else:
                key = other if isinstance(other, (int, float)) else object()
                self._set(out, Likely("one-hot" if is_table else "mask", share, likely.source, key))
        elif likely.kind == "uniform" and name in ("lt", "le", "gt", "ge") and isinstance(other, (int, float)):
            share = min(1.0, max(0.0, float(other)))
            self._set(out, Likely("mask", share if name in ("lt", "le") else 1 - share))
        elif likely.kind in ("mask", "one-hot"):
            self._derived_mask(name, args, out, likely)

    def _derived_mask(self, name: str, args: Any, out: torch.Tensor, likely: Likely) -> None:
        if name in ("bitwise_not", "logical_not"):
            self._set(out, Likely("mask", max(0.0, 1 - likely.share)))
        elif name in ("sum", "any", "amax") and out.numel() > 0:
            share = likely.share * args[0].numel() / out.numel()
            self._set(out, Likely("mask", share if name == "sum" else min(1.0, share)))
        elif name in ("gt", "ne") and len(args) > 1 and isinstance(args[1], (int, float)) and args[1] == 0:
            self._set(out, Likely("mask", min(1.0, likely.share), likely.source, likely.key))
