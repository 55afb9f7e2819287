"""Runs operators that need the values of tensors, and operators that older versions of PyTorch cannot run without data."""

from typing import TYPE_CHECKING, Any, Callable, Dict

import torch

from . import recurrent, selecting

if TYPE_CHECKING:
    from .following import Following

# Operators that need values.


def _item(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    tensor = args[0]
    if not tensor.is_meta:
        return NotImplemented
    known = mode.values.of(tensor)
    if known is not None and not known[1]:
        return known[0].item()
    ends = mode.choices.range_of(tensor)
    if ends is not None:
        mode.replacements.add("integer of a GPU tensor", f"the range of {ends[0]} to {ends[1]}", decides=True)
        return ends[1] if mode.choices.largest else min(max(ends[0], 1), ends[1])
    value = known[0].item() if known is not None else torch.ones((), dtype=tensor.dtype).item()
    mode.replacements.add("value of a GPU tensor", repr(value))
    return value


def _to_host(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    device = kwargs.get("device")
    if not args[0].is_meta or device is None or torch.device(device).type != "cpu":
        return NotImplemented
    known = mode.values.of(args[0])
    if known is not None:
        if known[1]:
            mode.replacements.add("copy of a GPU tensor to the host", "assumed values")
        return known[0].clone().to(kwargs.get("dtype") or args[0].dtype)
    mode.replacements.add("copy of a GPU tensor to the host", "zeros")
    return torch.zeros(args[0].shape, dtype=kwargs.get("dtype") or args[0].dtype, device="cpu")


def _copy(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    if args[0].is_meta or not args[1].is_meta:
        return NotImplemented
    mode.replacements.add("copy of a GPU tensor to the host", "the old values of the target")
    return args[0]


def _equal(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    if not args[0].is_meta and not args[1].is_meta:
        return NotImplemented
    values = [mode.values.of(one) for one in args[:2]]
    if values[0] is not None and values[1] is not None:
        return func(values[0][0], values[1][0], *args[2:], **kwargs)
    mode.replacements.add("comparison of GPU tensors", "True")
    return True


# Operators without a shape function in older versions of PyTorch.


#: Random operators whose output is like their first argument.
LIKE_FIRST = {"_sample_dirichlet", "_standard_gamma", "_standard_gamma_grad", "_dirichlet_grad", "poisson", "binomial"}


def returns_arguments(func: Any) -> bool:
    """Whether the operator changes its arguments and makes no tensor. Fused optimizers have such
    operators."""
    schema = func._schema
    return schema.is_mutable and all(one.alias_info is not None and one.alias_info.is_write for one in schema.returns)


def unchanged(func: Any, args: Any) -> Any:
    written = [one for one, kind in zip(args, func._schema.arguments) if kind.alias_info is not None and kind.alias_info.is_write]
    returned = written[: len(func._schema.returns)]
    return None if not returned else returned[0] if len(returned) == 1 else tuple(returned)


def _attention_output(query: torch.Tensor, width: int) -> torch.Tensor:
    """Returns an empty tensor [batch, heads, length, width] that is stored as [batch, length, heads, width]."""
    batch, heads, length, _ = query.shape
    return torch.empty((batch, length, heads, width), dtype=query.dtype, device="meta").transpose(1, 2)


def _seed() -> torch.Tensor:
    return torch.empty((), dtype=torch.int64, device="meta")


def _flash(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, *_: Any, **__: Any) -> Any:
    sums = torch.empty(query.shape[:3], dtype=torch.float32, device="meta")
    mask = torch.empty((0,), dtype=query.dtype, device="meta")
    out = _attention_output(query, query.shape[3])
    return out, sums, None, None, query.shape[2], key.shape[2], _seed(), _seed(), mask


def _efficient(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, bias: Any, keeps_sums: bool, *_: Any, **__: Any
) -> Any:
    batch, heads, length, _width = query.shape
    rounded = (length + 31) // 32 * 32 if keeps_sums else 0
    sums = torch.empty((batch, heads, rounded), dtype=torch.float32, device="meta")
    return _attention_output(query, value.shape[3]), sums, _seed(), _seed()


def _lengths(mode: "Following", given: Any) -> Any:
    """Returns the longest of the lengths of sequences, or None if the lengths are unknown."""
    if isinstance(given, torch.Tensor):
        known = mode.values.of(given) if given.is_meta else (given, False)
        return None if known is None else int(known[0].max())
    return max(given)


def _ctc_loss(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    """The loss keeps the forward variables of all pairs of time and of 2 * target + 1 states, for each sequence."""
    scores, targets, _, lengths = args[:4]
    if not scores.is_meta:
        return NotImplemented
    longest = _lengths(mode, lengths)
    if longest is None:
        mode.replacements.add("lengths of the targets", "the longest possible")
        longest = targets.shape[-1]
    count = scores.shape[1] if scores.dim() == 3 else 1
    return scores.new_empty((count,)), scores.new_empty((count, scores.shape[0], 2 * longest + 1))


def _ctc_loss_backward(mode: "Following", func: Any, args: Any, kwargs: Any) -> Any:
    if not args[1].is_meta:
        return NotImplemented
    backward = torch.empty_like(args[6])  # the backward variables
    mode.follow(backward, "_ctc_loss_backward")
    mode.held.append(backward)
    return torch.empty_like(args[1])


_aten = torch.ops.aten
MISSING: Dict[Any, Callable[..., Any]] = {
    _aten._scaled_dot_product_flash_attention.default: _flash,
    _aten._scaled_dot_product_efficient_attention.default: _efficient,
}
REPLACED: Dict[Any, Callable[..., Any]] = {
    _aten._local_scalar_dense.default: _item,
    _aten._to_copy.default: _to_host,
    _aten.copy_.default: _copy,
    _aten.equal.default: _equal,
    _aten.allclose.default: _equal,
    _aten.nonzero.default: selecting.nonzero,
    _aten.masked_select.default: selecting.masked_select,
    _aten.index.Tensor: selecting.index_by_mask,
    _aten.index_put.default: selecting.index_by_mask,
    _aten.index_put_.default: selecting.index_by_mask,
    _aten._index_put_impl_.default: selecting.index_by_mask,
    _aten._unique2.default: selecting.unique,
    _aten.unique_consecutive.default: selecting.unique,
    _aten.bincount.default: selecting.bincount,
    _aten._cudnn_rnn.default: recurrent.forward,
    _aten._cudnn_rnn_backward.default: recurrent.backward,
    _aten.repeat_interleave.Tensor: selecting.repeats,
    _aten._ctc_loss.default: _ctc_loss,
    _aten._ctc_loss.Tensor: _ctc_loss,
    _aten._ctc_loss_backward.default: _ctc_loss_backward,
    _aten._ctc_loss_backward.Tensor: _ctc_loss_backward,
}
#: Operators of packages that may not be imported.
BY_NAME: Dict[str, Callable[..., Any]] = {"torchvision::nms": selecting.boxes}
