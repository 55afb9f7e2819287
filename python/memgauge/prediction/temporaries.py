"""Computes the temporary memory that CUDA kernels request. Sizes come from PyTorch's sources
(aten/src/ATen/native/cuda)."""

import os
from typing import Any, Callable, Dict, List, Optional, Tuple

import torch

from . import recurrent
from .cards import Card
from .reductions import REDUCTIONS, scratch_bytes, threads_per_processor
from .versions import Version

MIB = 1 << 20

_MATRIX_PRODUCTS = {
    "mm", "bmm", "addmm", "baddbmm", "addmv", "mv", "dot", "vdot", "addbmm", "_addmm_activation", "addr",
    "linalg_solve_triangular", "_scaled_mm",
}  # fmt: skip


def cublas_workspace_bytes(capability: Tuple[int, int]) -> int:
    """Returns the bytes of the workspace that PyTorch gives to a cuBLAS handle. CUBLAS_WORKSPACE_CONFIG can set the
    size."""
    text = os.environ.get("CUBLAS_WORKSPACE_CONFIG", "")
    words = [word for word in text.split(":") if word]
    if len(words) >= 2 and len(words) % 2 == 0 and all(word.isdigit() for word in words):
        return sum(int(words[i]) * int(words[i + 1]) * 1024 for i in range(0, len(words), 2))
    if capability[0] >= 9:
        return 32 * MIB
    return (4096 * 2 + 16 * 8) * 1024


def cublaslt_workspace_bytes() -> int:
    """Returns the bytes of the workspace of a matrix product with a fused bias."""
    text = os.environ.get("CUBLASLT_WORKSPACE_SIZE", "")
    return int(text) * 1024 if text.isdigit() else MIB


def _bytes(tensor: torch.Tensor) -> int:
    return tensor.numel() * tensor.element_size()


class Request:
    """A temporary of an operator. If ``upper_only`` is true, PyTorch does not always request this memory, so only the
    upper estimate contains it. If ``is_first`` is true, PyTorch requests it before the outputs."""

    __slots__ = ("bytes", "workspace", "upper_only", "is_first")

    def __init__(self, bytes: int, workspace: str = "", upper_only: bool = False, is_first: bool = False) -> None:
        self.bytes = bytes
        self.workspace = workspace
        self.upper_only = upper_only
        self.is_first = is_first


Rule = Callable[[Tuple[Any, ...], Any], List[Request]]


def _index_put(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
    """index_put with accumulation sorts the linear index. The index, its sorted copy and two permutations
    are in memory at the same time."""
    accumulate = arguments[3] if len(arguments) > 3 else False
    indices = [one for one in arguments[1] if one is not None]
    if not accumulate or not indices:
        return []
    elements = 1
    for size in torch.broadcast_shapes(*(one.shape for one in indices)):
        elements *= size
    return [Request(8 * elements) for _ in range(4)]


def _embedding_backward(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
    """Above 3,072 indices, the backward pass of an embedding sorts them. It then sums the rows in segments of at most 10
    indices, in fp32, with the width of a row rounded up to 32."""
    gradient, indices, rows, padding = arguments[:4]
    if indices.numel() <= 3072 and padding < 0:
        return []
    segments = indices.numel() // 10 + min(rows, indices.numel())
    width = (gradient.shape[-1] + 31) // 32 * 32
    sorting = [Request(_bytes(indices), is_first=i < 3) for i in range(6)]
    return [*sorting, Request(8 * segments), Request(4 * segments * width)]


def _embedding(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
    """Indices that are not contiguous are copied."""
    return [] if arguments[1].is_contiguous() else [Request(_bytes(arguments[1]), is_first=True)]


def _contiguous(first: int, end: int) -> Rule:
    """Returns the rule of a kernel that copies the arguments from ``first`` to before ``end`` if they are not contiguous."""

    def copied(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
        return [Request(_bytes(one), is_first=True) for one in arguments[first:end] if not one.is_contiguous()]

    return copied


def _sort(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
    return [Request(_bytes(one)) for one in out if isinstance(one, torch.Tensor)]


def _heads(query: torch.Tensor) -> Tuple[int, int, int, int]:
    batch, heads, length, width = query.shape
    return batch, heads, length, width


def _flash_backward(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
    """Memory for row sums of the softmax, for the gradient of the query in fp32, and for gradients of keys
    and values for each query head."""
    batch, heads, length, width = _heads(arguments[1])
    rounded = (length + 127) // 128 * 128
    padded = (width + 31) // 32 * 32
    needed = [Request(4 * batch * heads * rounded), Request(4 * batch * heads * rounded * padded)]
    if arguments[2].shape[1] != heads:
        expanded = batch * heads * arguments[2].shape[2] * width * arguments[2].element_size()
        needed += [Request(expanded), Request(expanded)]
    return needed


def _efficient_backward(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
    """Memory for row sums, and for gradients that are summed in fp32 if the operands are in half
    precision."""
    batch, heads, length, width = _heads(arguments[1])
    needed = [Request(4 * batch * heads * length)]
    if arguments[1].dtype != torch.float32:
        needed.append(Request(4 * batch * heads * length * width))
    return needed


def _convolution(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
    """cuDNN chooses an algorithm at run time. The upper estimate is a Winograd transform of both sides in fp32."""
    first = out[0] if isinstance(out, (tuple, list)) else out
    tensors = [one for one in arguments[:3] if isinstance(one, torch.Tensor)]
    elements = sum(one.numel() for one in tensors) + (first.numel() if first is not None else 0)
    return [Request(int(4 * 2.25 * elements), "cudnn workspace", upper_only=True)]


def _recurrent(arguments: Tuple[Any, ...], out: Any, in_backward: bool = False) -> List[Request]:
    least, most = recurrent.workspace_bytes(arguments, in_backward)
    return [
        Request(least, "cudnn workspace", is_first=True),
        Request(most - least, "cudnn workspace", upper_only=True, is_first=True),
    ]


def _recurrent_forward(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
    """Input whose first dimension is the batch is copied."""
    input = arguments[0]
    copied = [Request(_bytes(input), is_first=True)] if arguments[10] and min(input.shape[:2]) > 1 else []
    return [*copied, *_recurrent(arguments, out)]


def _recurrent_backward(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
    return _recurrent(arguments, out, in_backward=True)


def _gathered(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
    """NCCL gathers into a flat tensor, which is then copied to a list of tensors."""
    return [Request(sum(_bytes(one) for part in arguments[0] for one in part))]


def _scattered(arguments: Tuple[Any, ...], out: Any) -> List[Request]:
    """NCCL reduces and scatters a flat copy of a list of tensors."""
    return [Request(sum(_bytes(one) for part in arguments[1] for one in part))]


RULES: Dict[str, Rule] = {
    "allgather_": _gathered,
    "reduce_scatter_": _scattered,
    "_cudnn_rnn": _recurrent_forward,
    "_cudnn_rnn_backward": _recurrent_backward,
    "index_put": _index_put,
    "index_put_": _index_put,
    "_index_put_impl_": _index_put,
    "_unsafe_index_put": _index_put,
    "embedding": _embedding,
    "embedding_dense_backward": _embedding_backward,
    # PyTorch up to 2.11 copies the input before this operator.
    "native_group_norm": _contiguous(0, 1),
    "native_group_norm_backward": _contiguous(0, 2),
    "native_layer_norm": _contiguous(0, 1),
    "native_layer_norm_backward": _contiguous(1, 2),
    "sort": _sort,
    "argsort": _sort,
    "_scaled_dot_product_flash_attention_backward": _flash_backward,
    "_scaled_dot_product_efficient_attention_backward": _efficient_backward,
    "convolution": _convolution,
    "convolution_backward": _convolution,
}


#: Losses whose result keeps the memory of all elements. PyTorch computes the element-wise loss first, and then makes the
#: result smaller.
_WHOLE_LOSSES = {"mse_loss", "smooth_l1_loss"}
_NO_REDUCTION = 0


def _reduced_loss(name: str, arguments: Tuple[Any, ...]) -> Optional[torch.Tensor]:
    """Returns a tensor like the element-wise loss if the operator reduces it, otherwise None."""
    if name not in _WHOLE_LOSSES or (len(arguments) > 2 and arguments[2] == _NO_REDUCTION):
        return None
    first, second = arguments[:2]
    shape = torch.broadcast_shapes(first.shape, second.shape)
    return torch.empty(shape, dtype=torch.promote_types(first.dtype, second.dtype), device="meta")


class Temporaries:
    """Finds the temporaries of operators during a prediction. cuBLAS and cublasLt keep a workspace for each thread and
    stream."""

    def __init__(self, card: Card, version: Version) -> None:
        capability = self._capability = card.capability
        self._processors = card.processors
        # Recordings of an H200 with PyTorch 2.11 show the attention of cuDNN. Earlier versions have not been recorded.
        self._has_cudnn_attention = capability in ((9, 0), (10, 0)) and version >= (2, 11)
        self._kept: Dict[Tuple[str, bool, int], Request] = {}
        self._workspace = cublas_workspace_bytes(capability)
        self._lt_workspace = cublaslt_workspace_bytes()
        self._keeps_lt_workspace = version >= (2, 7)
        self._shares_workspace = (
            self._keeps_lt_workspace and os.environ.get("TORCH_CUBLASLT_UNIFIED_WORKSPACE") == "1"
        )

    def output_bytes(self, name: str, arguments: Tuple[Any, ...]) -> Optional[int]:
        """Returns the size of the output if it is larger than its elements, otherwise None."""
        loss = _reduced_loss(name, arguments)
        return None if loss is None else _bytes(loss)

    def kept(self, name: str, arguments: Tuple[Any, ...], in_backward: bool, stream: int) -> List[Request]:
        """Returns the workspaces that stay allocated after the operator, if this operator is the first that needs them.
        On CUDA, the backward pass runs in a separate thread, which has its own workspaces."""
        needed = {}
        if name == "_cudnn_rnn" and arguments[11] > 0 and arguments[12]:
            # 24 bytes for each thread of the card
            threads = self._processors * threads_per_processor(self._capability)
            needed["dropout", False, 0] = Request(24 * threads, "cudnn dropout state")
        if name in _MATRIX_PRODUCTS:
            needed["cublas", in_backward, stream] = Request(self._workspace, "at::cuda::getNewWorkspace()")
            if self._keeps_lt_workspace and not self._shares_workspace and self._uses_cublaslt(name, arguments):
                needed["cublaslt", in_backward, stream] = Request(self._lt_workspace, "at::cuda::getNewCUDABlasLtWorkspace()")
        needed = {key: one for key, one in needed.items() if key not in self._kept}
        self._kept.update(needed)
        return list(needed.values())

    def forget(self, requests: List[Request]) -> None:
        """Forgets workspaces that kept() returned and that were not allocated, because memory ran out."""
        self._kept = {key: one for key, one in self._kept.items() if one not in requests}

    @staticmethod
    def _uses_cublaslt(name: str, arguments: Tuple[Any, ...]) -> bool:
        """Whether the product has a fused bias."""
        return name == "addmm" and arguments[0].dim() == 1 and min(arguments[2].shape) > 1

    def passing(self, name: str, arguments: Tuple[Any, ...], out: Any) -> List[Request]:
        """Returns memory that is released when the operator ends."""
        if not self._keeps_lt_workspace and self._uses_cublaslt(name, arguments):
            return [Request(self._lt_workspace, "at::cuda::CUDABlasLtWorkspace()")]
        loss = _reduced_loss(name, arguments)
        if loss is not None:
            return [Request(_bytes(loss)), *self._scratch("mean", (loss,))]
        if name in REDUCTIONS and isinstance(arguments[0], torch.Tensor):
            return self._scratch(name, arguments)
        rule = RULES.get(name)
        needed = rule(arguments, out) if rule else []
        return self._as_workspace_of_cudnn(name, needed) if self._has_cudnn_attention else needed

    @staticmethod
    def _as_workspace_of_cudnn(name: str, needed: List[Request]) -> List[Request]:
        """The fused attention of cuDNN requests one workspace, with 256 bytes more than the sum of the temporaries of flash
        attention."""
        if not name.startswith("_scaled_dot_product_flash_attention"):
            return needed
        return [Request(sum(one.bytes for one in needed) + 256, "cudnn workspace")]

    def _scratch(self, name: str, arguments: Tuple[Any, ...]) -> List[Request]:
        return [Request(size) for size in scratch_bytes(name, arguments, self._capability, self._processors)]
