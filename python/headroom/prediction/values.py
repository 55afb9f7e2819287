"""Follows the values of small tensors that can be computed without large tensors.

Sizes of later tensors depend on lengths, masks and indices. Such integers come from the host and are small, so their
values are also computed on the CPU. A single number that cannot be known, such as a loss, is assumed to be 1. If the
script reads an assumed value, it gets that value, and the replacement is listed.
"""

import weakref
from typing import Any, Dict, List, Optional, Tuple

import torch

#: The values of an integer tensor are followed if its storage has at most LARGEST_INTEGERS elements. For floating-point
#: tensors, the limit is LARGEST_FLOATS, because the values of larger ones do not determine the sizes of other tensors.
LARGEST_INTEGERS = 1 << 16
LARGEST_FLOATS = 16

#: Operators that make tensors without reading other tensors. The results of the random operators count as assumed.
_FACTORIES = {"full", "zeros", "ones", "arange", "eye", "linspace", "scalar_tensor", "tril_indices", "triu_indices"}
_RANDOM = {"randint", "randperm", "bernoulli_", "random_", "uniform_", "normal_", "multinomial", "rand", "randn"}

#: Operators that change tensors in a way that does not depend on followed values.
_SKIPPED = {"_local_scalar_dense", "_amp_foreach_non_finite_check_and_unscale_", "_amp_update_scale_"}


class Value:
    """The known values of a tensor storage without data. Another tensor, on the CPU, holds the values."""

    __slots__ = ("data", "is_assumed")

    def __init__(self, data: torch.Tensor, is_assumed: bool) -> None:
        self.data = data  # the whole storage, in one dimension
        self.is_assumed = is_assumed


def _is_followed(tensor: torch.Tensor) -> bool:
    if tensor.dtype.is_complex or tensor.layout != torch.strided:
        return False
    elements = tensor.untyped_storage().nbytes() // tensor.element_size()
    return elements <= (LARGEST_FLOATS if tensor.dtype.is_floating_point else LARGEST_INTEGERS)


class Values:
    """Keeps the known values of storages. Call follow() after each operator."""

    def __init__(self) -> None:
        self._known: Dict[int, Tuple[Any, Value]] = {}

    def of(self, tensor: torch.Tensor) -> Optional[Tuple[torch.Tensor, bool]]:
        """Returns the values of a tensor and whether they are assumed, or None."""
        entry = self._known.get(tensor.untyped_storage()._cdata)
        if entry is None or entry[1].data.dtype != tensor.dtype:
            return None
        value = entry[1]
        return value.data.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()), value.is_assumed

    def _set(self, tensor: torch.Tensor, data: torch.Tensor, is_assumed: bool) -> None:
        storage = tensor.untyped_storage()
        key = storage._cdata
        whole = torch.zeros(storage.nbytes() // tensor.element_size(), dtype=tensor.dtype)
        whole.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).copy_(data)

        def gone(_: Any) -> None:
            self._known.pop(key, None)

        self._known[key] = (weakref.ref(storage, gone), Value(whole, is_assumed))

    def _forget(self, tensor: torch.Tensor) -> None:
        self._known.pop(tensor.untyped_storage()._cdata, None)

    def follow(self, func: Any, args: Any, kwargs: Any, out: Any) -> None:
        """Computes the values of the outputs of an operator if the values of its inputs are known. Otherwise, assumes a
        value for each output with a single element."""
        name = func._opname
        if name in _SKIPPED:
            return
        outputs = [one for one in (out if isinstance(out, (tuple, list)) else (out,)) if isinstance(one, torch.Tensor) and one.is_meta]
        if not outputs or not any(_is_followed(one) for one in outputs):
            return
        is_view = not func._schema.is_mutable and all(one.untyped_storage()._cdata in self._known for one in outputs)
        if is_view:
            return
        computed = self._computed(func, args, kwargs, name)
        if computed is not None:
            values, is_assumed = computed
            for one, value in zip(outputs, values):
                if _is_followed(one) and isinstance(value, torch.Tensor) and value.shape == one.shape:
                    self._set(one, value, is_assumed)
            return
        for one in outputs:
            self._forget(one)
            if one.numel() == 1 and _is_followed(one):
                guess = name == "all" if one.dtype == torch.bool else 1
                self._set(one, torch.full(one.shape, guess, dtype=one.dtype), True)

    def _computed(self, func: Any, args: Any, kwargs: Any, name: str) -> Optional[Tuple[List[Any], bool]]:
        inputs: List[bool] = []
        unknown = False

        def exchanged(one: Any) -> Any:
            nonlocal unknown
            if isinstance(one, torch.Tensor):
                if not one.is_meta:
                    unknown = unknown or one.numel() > LARGEST_INTEGERS
                    inputs.append(False)
                    return one
                found = self.of(one)
                if found is None:
                    unknown = True
                    return one
                inputs.append(found[1])
                return found[0]
            if isinstance(one, (list, tuple)):
                return type(one)(exchanged(part) for part in one)
            if isinstance(one, torch.device):
                return torch.device("cpu")
            return one

        new_args = [exchanged(one) for one in args]
        new_kwargs = {key: exchanged(one) for key, one in kwargs.items()}
        if unknown or (not inputs and name not in _FACTORIES and name not in _RANDOM):
            return None
        if func._schema.is_mutable:
            new_args = [one.clone() if isinstance(one, torch.Tensor) else one for one in new_args]
        try:
            out = func(*new_args, **new_kwargs)
        except Exception:
            return None  # the operator cannot run on the CPU with these inputs
        values = list(out) if isinstance(out, (tuple, list)) else [out]
        return values, any(inputs) or name in _RANDOM
