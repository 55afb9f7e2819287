"""Makes operators behave as on CUDA. On tensors without data, autocast, dropout and fused attention would
behave differently.

PyTorch casts operands for autocast in kernels of a dispatch key with higher priority than autograd. Tensors on the
device "meta" do not have such a key. Therefore the key of an unused backend, PrivateUse1, is switched on for all
tensors, and the kernels of this module are registered for it. They do nothing for tensors with data.
"""

import contextlib
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import torch

from . import recurrent

_KEY = torch._C.DispatchKey.AutocastPrivateUse1  # type: ignore[attr-defined]
_KEY_SET = torch._C.DispatchKeySet(_KEY)

# The following lists come from "CUDA Op-Specific Behavior" in PyTorch's documentation of torch.amp.

#: Operators that autocast runs in the lower precision.
LOWER = (
    "_convolution conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d.input conv_transpose3d.input "
    "convolution prelu addmm addmv addr matmul einsum mm mv linalg_vecdot linear addbmm baddbmm bmm chain_matmul "
    "linalg_multi_dot lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell"
).split()
#: Operators that autocast runs in fp32.
FP32 = (
    "acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow.Tensor_Scalar "
    "pow.Tensor_Tensor pow.Scalar softplus layer_norm native_layer_norm group_norm frobenius_norm.dim nuclear_norm "
    "nuclear_norm.dim cosine_similarity poisson_nll_loss cosine_embedding_loss nll_loss nll_loss2d "
    "hinge_embedding_loss kl_div l1_loss smooth_l1_loss huber_loss mse_loss margin_ranking_loss multilabel_margin_loss "
    "soft_margin_loss triplet_margin_loss multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist renorm "
    "logsumexp upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_linear1d upsample_bilinear2d "
    "upsample_trilinear3d upsample_bicubic2d"
).split()
#: Operators that autocast runs in fp32 through their argument ``dtype``.
FP32_BY_DTYPE = (
    "prod prod.dim_int softmax.int log_softmax.int cumprod cumsum linalg_vector_norm linalg_matrix_norm sum "
    "sum.dim_IntList norm.Scalar norm.ScalarOpt_dim"
).split()
#: Operators that autocast runs in the widest type of their operands.
WIDEST = "addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put tensordot scatter_add".split()
#: Recurrent layers. On CUDA, cuDNN runs all layers at once.
RECURRENT = tuple(recurrent.MODES)


def _is_ours(tensor: torch.Tensor) -> bool:
    return tensor.is_meta and tensor.is_floating_point() and tensor.dtype != torch.float64


def _linear(input: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor] = None) -> torch.Tensor:
    """Without a dispatch mode, a linear layer adds its bias in place if it cannot use addmm."""
    if bias is None or not input.is_meta or input.dim() <= 2 or input.is_contiguous():
        return torch.ops.aten.linear(input, weight, bias)
    return torch.matmul(input, weight.t()).add_(bias)


@contextlib.contextmanager
def below() -> Iterator[None]:
    """Calls inside this context skip the kernels of this module and reach the kernels with lower priority. PyTorch's
    own autocast kernels do the same."""
    with torch._C.DisableTorchFunction(), torch._C._ExcludeDispatchKeyGuard(_KEY_SET):
        yield


class Routes:
    """Registers the kernels during a prediction. Only one object may be open at a time."""

    def __init__(self, capability: Tuple[int, int]) -> None:
        self._capability = capability
        self._copies: Dict[int, Tuple[torch.Tensor, torch.Tensor]] = {}
        self._libraries: List[Any] = []
        self.attention: Dict[str, int] = {}

    def open(self) -> None:
        fallback = torch._C._dispatch_library("IMPL", "_", "AutocastPrivateUse1")
        fallback.fallback_fallthrough("AutocastPrivateUse1")
        library = torch.library.Library("aten", "IMPL")
        self._libraries = [fallback, library]
        for names, rule in ((LOWER, self._lower), (FP32, self._fp32), (FP32_BY_DTYPE, self._by_dtype), (WIDEST, self._widest)):
            for name in names:
                self._register(library, name, rule)
        for name in RECURRENT:
            self._register(library, name, self._recurrent)
        library.impl("dropout", self._dropout, "AutocastPrivateUse1")
        library.impl("scaled_dot_product_attention", self._attention, "AutocastPrivateUse1")
        self._switch(True)

    @staticmethod
    def _switch(is_on: bool) -> None:
        """Switches the kernels of this module on or off in this thread."""
        torch._C._dispatch_tls_set_dispatch_key_excluded(_KEY, not is_on)
        torch._C._dispatch_tls_set_dispatch_key_included(_KEY, is_on)

    @contextlib.contextmanager
    def in_thread(self) -> Iterator[None]:
        """Switches the kernels on in another thread."""
        self._switch(True)
        try:
            yield
        finally:
            self._switch(False)

    def close(self) -> None:
        self._switch(False)
        self.clear_copies()
        if self._libraries:
            self._libraries[1]._destroy()
            self._libraries[0].reset()
        self._libraries = []

    def clear_copies(self) -> None:
        """Frees the converted weights. PyTorch keeps them until the outermost autocast ends."""
        self._copies.clear()

    @staticmethod
    def _register(library: Any, name: str, rule: Callable[..., Any]) -> None:
        packet, _, overload = name.partition(".")
        operator = getattr(torch.ops.aten, packet, None)
        operator = getattr(operator, overload or "default", None)
        if operator is None:
            return  # this version of PyTorch does not have the operator

        called = _linear if name == "linear" else operator

        def kernel(*arguments: Any, **named: Any) -> Any:
            with below():
                if torch.is_autocast_enabled("cuda") or name in RECURRENT:
                    return rule(called, arguments, named)
                return called(*arguments, **named)

        library.impl(name, kernel, "AutocastPrivateUse1")

    def _cast(self, value: Any, dtype: torch.dtype) -> Any:
        if isinstance(value, torch.Tensor):
            return self._cast_tensor(value, dtype)
        if isinstance(value, (list, tuple)):
            return type(value)(self._cast(one, dtype) for one in value)
        return value

    def _cast_tensor(self, tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        if not _is_ours(tensor) or tensor.dtype == dtype:
            return tensor
        is_weight = (
            dtype == torch.get_autocast_dtype("cuda")
            and tensor.dtype == torch.float32
            and tensor.requires_grad
            and tensor.is_leaf
            and not tensor._is_view()
            and torch.is_autocast_cache_enabled()
            and not torch.is_inference_mode_enabled()
        )
        if not is_weight:
            return tensor.to(dtype)
        kept = self._copies.get(id(tensor))
        if kept is None or kept[0] is not tensor:
            kept = self._copies[id(tensor)] = (tensor, tensor.to(dtype))
        return kept[1]

    def _cast_from_last(self, values: Any, dtype: torch.dtype) -> List[Any]:
        """Converts the last value first, as the compiled code of PyTorch does."""
        return [self._cast(one, dtype) for one in reversed(values)][::-1]

    def _all_cast(self, operator: Any, arguments: Any, named: Any, dtype: torch.dtype) -> Any:
        converted = self._cast_from_last([*arguments, *named.values()], dtype)
        return operator(*converted[: len(arguments)], **dict(zip(named, converted[len(arguments) :])))

    def _lower(self, operator: Any, arguments: Any, named: Any) -> Any:
        return self._all_cast(operator, arguments, named, torch.get_autocast_dtype("cuda"))

    def _fp32(self, operator: Any, arguments: Any, named: Any) -> Any:
        return self._all_cast(operator, arguments, named, torch.float32)

    @staticmethod
    def _by_dtype(operator: Any, arguments: Any, named: Any) -> Any:
        first = arguments[0]
        if not _is_ours(first) or first.dtype == torch.float32:
            return operator(*arguments, **named)
        if any(one.name == "dtype" for one in operator._schema.arguments):
            given = dict(named)
            position = next(i for i, one in enumerate(operator._schema.arguments) if one.name == "dtype")
            if given.get("dtype") is None and len(arguments) <= position:
                given["dtype"] = torch.float32
            elif len(arguments) > position and arguments[position] is None:
                arguments = (*arguments[:position], torch.float32, *arguments[position + 1 :])
            return operator(*arguments, **given)
        return operator(first.float(), *arguments[1:], **named)

    def _widest(self, operator: Any, arguments: Any, named: Any) -> Any:
        types = [one.dtype for one in arguments if isinstance(one, torch.Tensor) and _is_ours(one)]
        widest = torch.float32 if torch.float32 in types else torch.get_autocast_dtype("cuda")
        return self._all_cast(operator, arguments, named, widest) if types else operator(*arguments, **named)

    def _recurrent(self, operator: Any, arguments: Any, named: Any) -> Any:
        if torch.is_autocast_enabled("cuda"):
            arguments = self._cast_from_last(arguments, torch.get_autocast_dtype("cuda"))
        name = f"{operator._opname}.{operator._overloadname}"
        if torch.backends.cudnn.enabled and recurrent.runs_in_cudnn(name, arguments):
            return recurrent.run(name, arguments)
        return operator(*arguments, **named)

    @staticmethod
    def _dropout(input: torch.Tensor, p: float, train: bool) -> torch.Tensor:
        # On CUDA, dropout keeps a mask with one byte for each element.
        with below():
            if input.is_meta and train and 0 < p < 1 and input.numel() > 0:
                return torch.ops.aten.native_dropout(input, p, train)[0]
            return torch.ops.aten.dropout(input, p, train)

    def _attention(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        attn_mask: Optional[torch.Tensor] = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        *,
        scale: Optional[float] = None,
        **more: Any,
    ) -> torch.Tensor:
        with below():
            if torch.is_autocast_enabled("cuda"):
                lower = torch.get_autocast_dtype("cuda")
                query, key, value, attn_mask = self._cast_from_last([query, key, value, attn_mask], lower)
            if not query.is_meta:
                return torch.ops.aten.scaled_dot_product_attention(
                    query, key, value, attn_mask, dropout_p, is_causal, scale=scale, **more
                )
            if more.get("enable_gqa") and query.shape[1] != key.shape[1]:
                groups = query.shape[1] // key.shape[1]
                if self._backend(query, key, value, attn_mask) != "flash":
                    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
            backend = self._backend(query, key, value, attn_mask)
            self.attention[backend] = self.attention.get(backend, 0) + 1
            if backend == "flash":
                return self._flash(query, key, value, dropout_p, is_causal, scale)
            if backend == "efficient":
                return self._efficient(query, key, value, attn_mask, dropout_p, is_causal, scale)
            return torch.ops.aten._scaled_dot_product_attention_math(
                query, key, value, attn_mask, dropout_p, is_causal, scale=scale
            )[0]

    def _backend(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: Optional[torch.Tensor]
    ) -> str:
        """Returns the backend that PyTorch chooses on this card: flash, efficient or math."""
        width = query.shape[-1]
        is_half = query.dtype in (torch.float16, torch.bfloat16)
        if query.dim() != 4 or len({query.dtype, key.dtype, value.dtype}) > 1 or query.shape[-2] == 0:
            return "math"
        switches = torch.backends.cuda
        if (
            switches.flash_sdp_enabled()
            and is_half
            and mask is None
            and self._capability >= (8, 0)
            and width <= 256
            and value.shape[-1] == width
        ):
            return "flash"
        alignment = 8 if is_half else 4
        if (
            switches.mem_efficient_sdp_enabled()
            and (is_half or query.dtype == torch.float32)
            and width % alignment == 0
            and value.shape[-1] % alignment == 0
            and not (query.dtype == torch.bfloat16 and self._capability < (8, 0))
        ):
            return "efficient"
        return "math"

    @staticmethod
    def _flash(
        query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, dropout: float, is_causal: bool, scale: Optional[float]
    ) -> torch.Tensor:
        width = query.shape[-1]
        scale = scale if scale is not None else width**-0.5
        if width % 8:
            query, key, value = (torch.nn.functional.pad(one, (0, 8 - width % 8)) for one in (query, key, value))
        out = torch.ops.aten._scaled_dot_product_flash_attention(
            query, key, value, dropout, is_causal, False, scale=scale
        )[0]
        return out[..., :width] if width % 8 else out

    @staticmethod
    def _efficient(
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        mask: Optional[torch.Tensor],
        dropout: float,
        is_causal: bool,
        scale: Optional[float],
    ) -> torch.Tensor:
        if mask is not None:
            if mask.dtype == torch.bool:
                mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill_(mask.logical_not(), float("-inf"))
            if mask.shape[-1] % 16:
                columns = mask.shape[-1]
                mask = torch.nn.functional.pad(mask, (0, 16 - columns % 16))[..., :columns]
            mask = mask.expand(query.shape[0], query.shape[1], query.shape[-2], key.shape[-2])
        keeps = torch.is_grad_enabled() and any(one.requires_grad for one in (query, key, value))
        return torch.ops.aten._scaled_dot_product_efficient_attention(
            query, key, value, mask, keeps, dropout, is_causal, scale=scale
        )[0]
