"""Computes the scratch memory of CUDA reductions in which several thread blocks share an output.

The launch configuration follows setReduceConfig and ReduceConfig in aten/src/ATen/native/cuda/Reduce.cuh.
"""

from typing import Any, List, Tuple

import torch

_VECTOR = 4
_WARP = 32
_MOST_THREADS = 512
_LEAST_VALUES = 16
_MOST_VALUES = 256

#: Bytes of the accumulator of a thread, for operators that need more than one fp32 number.
_ACCUMULATED = {"max": 16, "min": 16, "argmax": 16, "argmin": 16, "var": 16, "std": 16, "var_mean": 16, "std_mean": 16}
REDUCTIONS = {
    "sum", "mean", "nansum", "prod", "amax", "amin", "norm", "linalg_vector_norm", "any", "all", "logsumexp", *_ACCUMULATED,
}  # fmt: skip


def _last_power(value: int) -> int:
    return 1 << (max(1, value).bit_length() - 1)


def _up(value: int, by: int) -> int:
    return (value + by - 1) // by


def _reduced_dimensions(source: torch.Tensor, arguments: Tuple[Any, ...]) -> List[int]:
    given = arguments[1] if len(arguments) > 1 else None
    if isinstance(given, bool) or given is None or given == []:
        return list(range(source.dim()))
    if isinstance(given, int):
        return [given % source.dim()] if source.dim() else []
    if isinstance(given, (list, tuple)) and all(isinstance(one, int) for one in given):
        return sorted({one % source.dim() for one in given}) if source.dim() else []
    return list(range(source.dim()))


def threads_per_processor(capability: Tuple[int, int]) -> int:
    return {(7, 5): 1024, (8, 6): 1536, (8, 9): 1536, (12, 0): 1536}.get(capability, 2048)


def scratch_bytes(
    name: str, arguments: Tuple[Any, ...], capability: Tuple[int, int], processors: int
) -> List[int]:
    """Returns the bytes of the buffer and of the semaphores, or an empty list if a single block computes each
    output."""
    source = arguments[0]
    if name in ("norm", "linalg_vector_norm"):
        arguments = (source, *arguments[2:])
    reduced = set(_reduced_dimensions(source, arguments))
    sizes = [size for size in source.shape]
    inputs, outputs = 1, 1
    for i, size in enumerate(sizes):
        if i in reduced:
            inputs *= size
        else:
            outputs *= size
    if inputs * outputs == 0 or inputs == 1:
        return []
    strides = [(stride, i) for i, stride in enumerate(source.stride()) if sizes[i] > 1 and stride > 0]
    fastest_stride, fastest = min(strides) if strides else (1, 0)
    is_fastest_reduced = fastest in reduced or outputs == 1
    width, height = (inputs, outputs) if is_fastest_reduced else (outputs, inputs)
    vector = 1
    if fastest_stride == 1:
        if is_fastest_reduced and width > 128 and outputs == 1:
            width //= _VECTOR
        elif not is_fastest_reduced:
            others = [stride for stride, i in strides if i != fastest]
            while vector < _VECTOR and all(one % (vector * 2) == 0 for one in (sizes[fastest], *others)):
                vector *= 2
            width //= vector
    most = _MOST_THREADS // vector
    width_power = _last_power(width) if width < most else most
    height_power = _last_power(height) if height < most else most
    block_width = min(width_power, _WARP)
    block_height = min(height_power, most // block_width)
    block_width = min(width_power, most // block_height)
    step_input, step_output = 1, 1
    if is_fastest_reduced:
        step_input *= block_width
    else:
        step_output *= block_width
    splits_warps = _up(inputs, step_input) >= min(block_height * _LEAST_VALUES, _MOST_VALUES)
    if not splits_warps:
        return []
    step_input *= block_height
    values = _up(inputs, step_input)
    grid = _up(outputs // vector, step_output)
    target = processors * (threads_per_processor(capability) // (block_width * block_height))
    if values < _MOST_VALUES or grid > target:
        return []
    blocks = max(min(_up(target, grid), _up(values, _LEAST_VALUES)), _up(values, _MOST_VALUES))
    if blocks <= 1:
        return []
    size = _ACCUMULATED.get(name, 8 if source.dtype == torch.float64 else 4) * outputs * blocks
    if not is_fastest_reduced:
        size *= block_width * vector
    return [size, 4 * grid]
