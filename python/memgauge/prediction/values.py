"""Follows the values of small tensors that can be computed without large tensors.

Sizes of later tensors depend on lengths, masks and indices. Such integers come from the host and are small, so their
values are also computed on the CPU. A single number that cannot be known, such as a loss, is assumed to be 1. If the
script reads an assumed value, it gets that value, and the replacement is listed.
"""

import functools
import weakref
from typing import Any, Dict, Iterator, List, Optional, Tuple

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


#: Operators that check whether all elements are true. Checks are assumed to pass.
_ALL_TRUE = {"all", "_is_all_true"}

#: Operators that one operand may decide, with the value of this operand.
_DECIDING = {"bitwise_or": True, "logical_or": True, "__or__": True, "__ior__": True,
             "bitwise_and": False, "logical_and": False, "__and__": False, "__iand__": False, "mul": False}  # fmt: skip


@functools.lru_cache(maxsize=None)
def _written(func: Any) -> Tuple[int, ...]:
    """Returns the positions of the arguments that an operator changes."""
    kinds = func._schema.arguments
    return tuple(i for i, kind in enumerate(kinds) if kind.alias_info is not None and kind.alias_info.is_write)


def _flat(values: Any) -> Iterator[torch.Tensor]:
    """Returns the tensors of a tensor, or of a list of tensors and lists."""
    if isinstance(values, torch.Tensor):
        yield values
    elif isinstance(values, (list, tuple)):
        for one in values:
            yield from _flat(one)


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
        entry = self._known.get(key)
        if entry is not None and entry[1].data.dtype == tensor.dtype:  # the tensor may be a part of the storage
            entry[1].data.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).copy_(data)
            entry[1].is_assumed = is_assumed or (entry[1].is_assumed and tensor.numel() < entry[1].data.numel())
            return
        whole = torch.zeros(storage.nbytes() // tensor.element_size(), dtype=tensor.dtype)
        whole.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).copy_(data)

        def gone(_: Any) -> None:
            self._known.pop(key, None)

        self._known[key] = (weakref.ref(storage, gone), Value(whole, is_assumed))

    def _forget(self, tensor: torch.Tensor) -> None:
        self._known.pop(tensor.untyped_storage()._cdata, None)

    def follow(self, func: Any, args: Any, kwargs: Any, out: Any) -> None:
        """Computes the values of the outputs of an operator if the values of its inputs are known. Otherwise, assumes a
        value for each output with a single element. The outputs include the arguments that the operator changes."""
        name = func._opname
        if name in _SKIPPED:
            return
        written = _written(func)
        if written and name.startswith("_foreach_"):
            self._follow_each(func, args, kwargs)
            return
        outputs = [one for one in _flat(out) if one.is_meta]
        changed = [one for i in written for one in _flat(args[i] if i < len(args) else None) if one.is_meta]
        targets = changed or outputs
        if not targets or not any(_is_followed(one) for one in targets):
            return
        is_view = not written and all(one.untyped_storage()._cdata in self._known for one in outputs)
        if is_view:
            return
        computed = self._computed(func, args, kwargs, name, written)
        if computed is None and len(targets) == 1:
            computed = self._decided(name, args, targets[0])
        if computed is not None:
            values, is_assumed = computed
            for one, value in zip(targets, values):
                if _is_followed(one) and isinstance(value, torch.Tensor) and value.shape == one.shape:
                    self._set(one, value, is_assumed)
            return
        for one in targets:
            self._forget(one)
            if one.numel() == 1 and _is_followed(one):
                guess = name in _ALL_TRUE if one.dtype == torch.bool else 1
                self._set(one, torch.full(one.shape, guess, dtype=one.dtype), True)

    def _follow_each(self, func: Any, args: Any, kwargs: Any) -> None:
        """Follows an operator that changes a list of tensors, such as _foreach_add_, one tensor at a time."""
        first = args[0]
        for i, target in enumerate(first):
            if not target.is_meta or not _is_followed(target):
                continue
            own = [[one[i]] if isinstance(one, (list, tuple)) and len(one) == len(first) else one for one in args]
            computed = self._computed(func, own, kwargs, func._opname, (0,))
            if computed is not None:
                self._set(target, computed[0][0], computed[1])
                continue
            self._forget(target)
            if target.numel() == 1:
                self._set(target, torch.ones(target.shape, dtype=target.dtype), True)

    def _decided(self, name: str, args: Any, out: torch.Tensor) -> Optional[Tuple[List[Any], bool]]:
        """Returns the value of "and", "or" or a product if one operand alone decides it."""
        deciding = _DECIDING.get(name.rstrip("_"))
        if deciding is None or out.dtype.is_floating_point:
            return None
        for one in args[:2]:
            found = None
            if isinstance(one, torch.Tensor):
                found = self.of(one) if one.is_meta else (one, False)
            if found is not None and not found[1] and bool((found[0].bool() == deciding).all()):
                if found[0].numel() == out.numel():
                    return [found[0].to(out.dtype).expand(out.shape)], False
        return None

    def _computed(
        self, func: Any, args: Any, kwargs: Any, name: str, written: Tuple[int, ...]
    ) -> Optional[Tuple[List[Any], bool]]:
        """Returns the values of the outputs, or of the changed arguments if there are any, and whether they are assumed. Returns
        None if they are unknown."""
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
        for i in written:
            if i < len(new_args):
                copied = [one.clone() for one in _flat(new_args[i])]
                new_args[i] = copied if isinstance(new_args[i], list) else copied[0] if copied else new_args[i]
        try:
            out = func(*new_args, **new_kwargs)
        except Exception:
            return None  # the operator cannot run on the CPU with these inputs
        values = [one for i in written for one in _flat(new_args[i] if i < len(new_args) else None)] or list(_flat(out))
        return values, any(inputs) or name in _RANDOM
