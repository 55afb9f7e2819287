"""Operators whose output size depends on values. If the values are unknown, the size is one end of a range (choices.py)."""

from typing import TYPE_CHECKING, Any

import torch

from .replaced import Refusal

if TYPE_CHECKING:
    from .following import Following

_RANGE = "the range of possible numbers"


def _selected(mode: "Following", mask: torch.Tensor, what: str) -> int:
    """Returns the number of elements that a mask selects."""
    known = mode.values.of(mask)
    if known is not None and not known[1]:
        return int(known[0].count_nonzero())
    mode.replacements.add(what, _RANGE, decides=True)
    return mode.choices.selected(mask)


def nonzero(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    if not args[0].is_meta:
        return NotImplemented
    elements = _selected(mode, args[0], "positions of nonzero elements")
    return torch.empty((elements, args[0].dim()), dtype=torch.int64, device="meta")


def boxes(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    """Implements torchvision::nms, which keeps some of the boxes. Its kernel compares all pairs in masks of 64 bits."""
    if not args[0].is_meta:
        return NotImplemented
    count = args[0].shape[0]
    mode.replacements.add("boxes that nms keeps", _RANGE, decides=True)
    masks = torch.empty((count * ((count + 63) // 64),), dtype=torch.int64, device="meta")
    mode.follow(masks, "nms")
    mode.held.append(masks)
    return torch.empty((mode.choices.number(count),), dtype=torch.int64, device="meta")


def masked_select(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    if not args[0].is_meta:
        return NotImplemented
    shape = torch.broadcast_shapes(args[0].shape, args[1].shape)
    elements = _selected(mode, args[1], "elements selected by a mask") * (shape.numel() // max(1, args[1].numel()))
    return torch.empty((elements,), dtype=args[0].dtype, device="meta")


def index_by_mask(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    """Implements indexing with masks. Replaces each mask by indices."""
    indices = args[1]
    if not args[0].is_meta or not any(
        one is not None and one.is_meta and one.dtype in (torch.bool, torch.uint8) for one in indices
    ):
        return NotImplemented
    expanded = []
    for one in indices:
        if one is not None and one.is_meta and one.dtype in (torch.bool, torch.uint8):
            elements = _selected(mode, one, "elements selected by a mask")
            positions = torch.empty((elements, one.dim()), dtype=torch.int64, device="meta")
            mode.follow(positions, "nonzero")
            mode.held.append(positions)
            expanded += positions.unbind(1)
        else:
            expanded.append(one)
    return func(args[0], expanded, *args[2:], **kwargs)


def unique(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    first = args[0]
    if not first.is_meta:
        return NotImplemented
    known = mode.values.of(first)
    if known is not None and not known[1]:
        elements = known[0].unique().numel()
    else:
        mode.replacements.add("distinct elements", _RANGE, decides=True)
        elements = mode.choices.number(min(first.numel(), mode.choices.classes_of(first) or first.numel()))
    whole = torch.empty((elements,), dtype=first.dtype, device="meta")
    places = [torch.empty((first.numel(),), dtype=torch.int64, device="meta") for _ in range(2)]
    return whole, places[0].view(first.shape), places[1][:elements]


def repeats(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    repeats = args[0]
    if not repeats.is_meta or kwargs.get("output_size") is not None:
        return NotImplemented
    known = mode.values.of(repeats)
    if known is None or known[1]:
        raise Refusal(
            "the script calls repeat_interleave with numbers that depend on computed values, so its size is unknown. Pass output_size"
        )
    return torch.empty((int(known[0].sum()),), dtype=torch.int64, device="meta")


def bincount(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    if not args[0].is_meta:
        return NotImplemented
    least = args[2] if len(args) > 2 else kwargs.get("minlength", 0)
    known = mode.values.of(args[0])
    if known is not None and not known[1] and known[0].numel() > 0:
        return torch.empty((max(least, int(known[0].max()) + 1),), dtype=torch.int64, device="meta")
    classes = mode.choices.classes_of(args[0])
    if classes is None and least == 0:
        raise Refusal("the script calls bincount with values that are not computed, so its size is unknown. Pass minlength")
    if classes is not None and classes > least:
        mode.replacements.add("number of bins of bincount", _RANGE, decides=True)
    return torch.empty((max(1, least, mode.choices.number(classes or 1)),), dtype=torch.int64, device="meta")
