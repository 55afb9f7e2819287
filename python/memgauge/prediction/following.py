"""Follows the storages of tensors without data, and lets operators run on them."""

import functools
import weakref
from typing import Any, Callable, Dict, List, Optional, Tuple

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import quantisation
from .choices import Choices
from .devices import META, PLAIN, is_plain, target
from .operators import BY_NAME, LIKE_FIRST, MISSING, REPLACED, returns_arguments, unchanged
from .ranks import with_future
from .replaced import Refusal, Replacements
from .routes import below
from .stream import Stream, python_stack
from .temporaries import Request, Temporaries
from .threads import pushed
from .values import Values

_get_dispatch_mode = torch._C._get_dispatch_mode  # type: ignore[attr-defined]
_FAKE = torch._C._TorchDispatchModeKey.FAKE  # type: ignore[attr-defined]

#: Host tensors of at least this size are not filled with random numbers. The operating system then never allocates
#: their pages.
LARGE_HOST_BYTES = 1 << 20

_FILLED = {"normal_", "uniform_", "random_", "exponential_", "log_normal_", "cauchy_", "geometric_", "bernoulli_"}


#: If a dispatch mode is active, the formulas of the backward pass apply these operators to new tensors of zeros.
#: Without a mode, the formulas write into the zeros in place.
_FILLING = {
    "scatter", "scatter_add", "index_add", "index_put", "index_copy", "index_fill", "select_scatter", "slice_scatter",
    "diagonal_scatter", "masked_scatter",
}  # fmt: skip


#: The order in which operators allocate their outputs, if it is not the order of the outputs.
_ORDER = {
    "native_dropout": (1, 0),
    "_scaled_dot_product_flash_attention": (6, 7, 0, 1),
}


class _TemporariesOfCall:
    """Records the temporaries of one call of an operator. start() records the temporaries that come before the outputs."""

    def __init__(self, following: "Following", name: str, args: Any, out: Any, node: Any) -> None:
        self._following = following
        self._name = name
        self._node = node.name() if node is not None else None
        self._kept = following.temporaries.kept(name, args, node is not None, following._current_stream())
        self._needed = following.temporaries.passing(name, args, out)
        self._addresses: List[int] = []

    def _allocate(self, one: Request) -> int:
        return self._following._allocate(one.bytes, self._name, self._node, one.workspace, one.upper_only)

    def start(self) -> None:
        for one in self._needed:
            if one.is_first:
                self._addresses.append(self._allocate(one))

    def finish(self) -> None:
        """Records the temporaries that come after the outputs."""
        while self._kept:
            self._allocate(self._kept[0])
            self._kept.pop(0)
        for one in self._needed:
            if not one.is_first:
                self._addresses.append(self._allocate(one))

    def free(self) -> None:
        """Frees all temporaries, also if memory ran out during the operator."""
        if self._kept:
            self._following.temporaries.forget(self._kept)
        for address in reversed(self._addresses):
            self._following.stream.free(address)


def _references(tensor: torch.Tensor) -> Tuple[int, int]:
    return tensor._use_count(), torch._C._storage_Use_Count(tensor.untyped_storage()._cdata)  # type: ignore[attr-defined]


def _is_dense(tensor: torch.Tensor) -> bool:
    """Whether the elements fill their part of the storage without gaps, in any order of the dimensions."""
    expected = 1
    for size, stride in sorted(zip(tensor.shape, tensor.stride()), key=lambda pair: pair[1]):
        if size == 1:
            continue
        if stride != expected:
            return False
        expected *= size
    return True


@functools.lru_cache(maxsize=None)
def _is_composite(func: Any) -> bool:
    """Whether an operator only calls other operators."""
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd"))


def _name_in_recordings(func: Any) -> str:
    """Returns the name of an operator in the C++ frames of PyTorch, for example "mul_Tensor" for aten.mul.Tensor."""
    overload = func._overloadname
    return func._opname if overload == "default" else f"{func._opname}_{overload}"


class Following(TorchDispatchMode):
    """Records the storages that operators make on the device "meta". This device represents the GPU here."""

    def __init__(
        self,
        stream: Stream,
        temporaries: Temporaries,
        replacements: Replacements,
        current_stream: Callable[[], int],
        choices: Choices,
    ) -> None:
        super().__init__()
        self.stream = stream
        self.temporaries = temporaries
        self.replacements = replacements
        self._current_stream = current_stream
        # For each storage: its weak reference, its address and the operator that made it.
        self._live: Dict[int, Tuple[Any, int, str]] = {}
        self._alone: Optional[Tuple[int, int]] = None  # reference counts of a gradient that nothing else uses
        self._untouched: Dict[int, Any] = {}  # host storages that were not filled
        self._names: Dict[Any, str] = {}
        self.values = Values()
        self.choices = choices
        self.held: List[torch.Tensor] = []  # temporary tensors of the current operator
        self.has_half_precision = False
        self._calls = 0
        self._after_operators: Callable[[], None] = lambda: None
        self._check_threads: Callable[[], None] = lambda: None

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # with True, PyTorch would wrap the mode and import the compiler

    def watch_time(self, after_operators: Callable[[], None]) -> None:
        """Sets a function that is called after every few hundred operators. The function may end the run."""
        self._after_operators = after_operators

    def watch_threads(self, check: Callable[[], None]) -> None:
        """Sets a function that is called before every operator. It may raise an exception of another thread."""
        self._check_threads = check

    # Storages

    def follow(
        self, tensor: torch.Tensor, operator: str, node: Optional[str] = None, size: Optional[int] = None
    ) -> None:
        """Records the storage of a tensor on the device "meta", unless the storage is already known. ``size`` replaces
        the size of the storage in bytes."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self._live:
            return
        self.has_half_precision |= tensor.dtype in (torch.float16, torch.bfloat16)
        address = self._allocate(storage.nbytes() if size is None else size, operator, node)

        def gone(_: Any) -> None:
            self.stream.free(self._live.pop(key)[1])

        self._live[key] = (weakref.ref(storage, gone), address, operator)

    def _allocate(
        self, size: int, operator: str, node: Optional[str], workspace: str = "", upper_only: bool = False
    ) -> int:
        if self.stream.is_closed:
            return 0
        stack = (operator, node, workspace, python_stack())
        return self.stream.allocate(size, self._current_stream(), stack, upper_only)

    def resize(self, storage: Any) -> None:
        """Records that the size of a storage has changed. FSDP frees and allocates parameters in this way."""
        known = self._live.get(storage._cdata)
        if known is not None:
            reference, address, operator = known
            self._live[storage._cdata] = (reference, self._allocate(storage.nbytes(), "resize_", None), operator)
            self.stream.free(address)

    def _hand_over(self, old: torch.Tensor, new: torch.Tensor) -> None:
        """Gives the memory of ``old`` to ``new``, because without the mode the operator would write in place."""
        old_key = old.untyped_storage()._cdata
        storage = new.untyped_storage()
        reference, address, operator = self._live[old_key]
        self._live[old_key] = (reference, 0, operator)
        key = storage._cdata

        def gone(_: Any) -> None:
            self.stream.free(self._live.pop(key)[1])

        self._live[key] = (weakref.ref(storage, gone), address, operator)

    # Operators

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if _get_dispatch_mode(_FAKE) is not None:
            return func(*args, **(kwargs or {}))  # DTensor computes shapes with tensors that need no memory
        if any(_splits_operators(one) for one in types):
            return NotImplemented  # the class splits the operator into operators on the tensors that it wraps
        self._calls += 1
        self._check_threads()
        if self._calls % 512 == 0:
            self._after_operators()
        with below():
            return self._dispatch(func, args, kwargs or {})

    def _dispatch(self, func: Any, args: Any, kwargs: Any) -> Any:
        if _is_composite(func):
            # In inference mode and in Python implementations of operators, PyTorch does not split operators such as linear.
            with pushed(self):
                return func.decompose(*args, **kwargs)
        if func.namespace == "bitsandbytes" and any(isinstance(one, torch.Tensor) and one.is_meta for one in args):
            return quantisation.run(self, func, args, kwargs)
        replaced = REPLACED.get(func) or BY_NAME.get(func.name())
        if replaced is not None and not (PLAIN and args and isinstance(args[0], torch.Tensor) and is_plain(args[0])):
            try:
                out = replaced(self, func, args, kwargs)
                if out is not NotImplemented and self._record(func, args, out):
                    self.choices.follow(func._opname, args, out)
            except RuntimeError:  # memory ran out
                self.held.clear()
                raise
            if out is not NotImplemented:
                self.held.clear()
                return out
        if self._leaves_host_memory_untouched(func, args):
            return args[0]
        try:
            out = func(*args, **kwargs)
        except NotImplementedError as problem:
            if func._opname in LIKE_FIRST:
                out = torch.empty_like(args[0])
            elif func in MISSING:
                out = MISSING[func](*args, **kwargs)
            elif func.namespace == "c10d":  # before PyTorch 2.5
                out = (args[0], None) if len(func._schema.returns) == 2 else None
            elif returns_arguments(func):
                out = unchanged(func, args)
            else:
                raise _refusal_of(func, problem) from problem
        except RuntimeError as problem:
            if "on meta tensors" in str(problem) or "operator with meta Tensors" in str(problem):
                raise _refusal_of(func, problem) from problem
            raise
        if func.namespace == "c10d":
            out = with_future(out, func)
        _refuse_sparse(func, out)
        if self._record(func, args, out) or func._schema.is_mutable:
            self.values.follow(func, args, kwargs, out)
            self.choices.follow(func._opname, args, out)
        return out

    def _record(self, func: Any, args: Any, out: Any) -> bool:
        """Records an operator. Returns whether its output is on the GPU."""
        outputs = out if isinstance(out, (tuple, list)) else (out,)
        if (PLAIN or target.device == "meta") and self._is_plain_call(args):
            for one in outputs:
                self._keep_plain(one)
            return False
        is_ours = False
        is_known = True
        for one in outputs:
            if isinstance(one, torch.Tensor) and one.is_meta:
                is_ours = True
                if one.untyped_storage()._cdata not in self._live:
                    is_known = False
            elif isinstance(one, (list, tuple)):
                self._record(func, args, one)
        if not is_ours:
            return False
        name = func._opname
        node = torch._C._current_autograd_node()
        temporaries = _TemporariesOfCall(self, name, args, out, node)
        try:
            temporaries.start()
            if not is_known:
                self._follow_outputs(func, args, out, outputs, node)
            temporaries.finish()
        finally:
            temporaries.free()
        return True

    def _follow_outputs(self, func: Any, args: Any, out: Any, outputs: Any, node: Any) -> None:
        name = func._opname
        operator = self._names.get(func)
        if operator is None:
            operator = self._names[func] = _name_in_recordings(func)
        node_name = node.name() if node is not None else None
        if node is not None and (
            self._is_summed_in_place(args, out) if name == "add" else name in _FILLING and self._is_filled_in_place(args)
        ):
            self._hand_over(args[0], out)
        size = self.temporaries.output_bytes(name, args)
        for index in _ORDER.get(name, range(len(outputs))):
            one = outputs[index]
            if isinstance(one, torch.Tensor) and one.is_meta:
                self.follow(one, operator, node_name, size)

    @staticmethod
    def _is_plain_call(args: Any) -> bool:
        """Whether the outputs of an operator are tensors that the script put on the device "meta"."""
        if target.device:
            return target.device == "meta"
        return any(isinstance(one, torch.Tensor) and is_plain(one) for one in args)

    def _keep_plain(self, one: Any) -> None:
        if isinstance(one, (list, tuple)):
            for part in one:
                self._keep_plain(part)
        elif isinstance(one, torch.Tensor) and one.is_meta and one.layout == torch.strided:
            storage = one.untyped_storage()
            key = storage._cdata
            if key not in self._live and key not in PLAIN:
                PLAIN[key] = weakref.ref(storage, lambda _: PLAIN.pop(key, None))

    def _is_summed_in_place(self, args: Any, out: Any) -> bool:
        """Whether the backward pass would sum two gradients in place if no mode were active.

        This is the case if nothing else refers to the first gradient (InputBuffer::accumulate in PyTorch's
        engine).
        """
        first = args[0]
        if len(args) != 2 or not isinstance(args[1], torch.Tensor) or first.shape != args[1].shape:
            return False
        if first.dtype != out.dtype or not _is_dense(first) or first.untyped_storage()._cdata not in self._live:
            return False
        counts = _references(first)
        if self._alone is None:
            self._alone = counts  # the first sum comes from calibrate()
        return counts == self._alone

    def _is_filled_in_place(self, args: Any) -> bool:
        """Whether a formula of the backward pass would write into its new zeros if no mode were active."""
        known = self._live.get(args[0].untyped_storage()._cdata)
        return known is not None and known[2].startswith(("zeros", "new_zeros"))

    def calibrate(self) -> None:
        """Sums two gradients that nothing else uses, to learn the reference counts of such gradients. Call it while
        the mode is on."""
        leaf = torch.zeros(8, device=META, requires_grad=True)
        (leaf * 2 + leaf * 3).sum().backward()

    def _leaves_host_memory_untouched(self, func: Any, args: Any) -> bool:
        """Whether an operator only fills a large host tensor and can be skipped. The values are not needed, and the
        memory of the tensor then stays unused."""
        schema = func._schema
        if not schema.is_mutable or not args or not isinstance(args[0], torch.Tensor):
            return False
        first = args[0]
        if first.is_meta or first.device.type != "cpu" or not first.is_floating_point():
            return False
        storage = first.untyped_storage()
        key = storage._cdata
        if func._opname in _FILLED and storage.nbytes() >= LARGE_HOST_BYTES and first.numel() * first.element_size() == storage.nbytes():
            if key not in self._untouched:

                def gone(_: Any) -> None:
                    self._untouched.pop(key, None)

                self._untouched[key] = weakref.ref(storage, gone)
                self.replacements.add("random values of large host tensors", "left uninitialised")
            return True
        return key in self._untouched and not any(isinstance(one, torch.Tensor) for one in args[1:])


@functools.lru_cache(maxsize=None)
def _splits_operators(kind: type) -> bool:
    """Whether a class of tensors wraps others and handles operators itself."""
    return getattr(kind, "__torch_dispatch__", None) is not torch._C._disabled_torch_dispatch_impl


def _refuse_sparse(func: Any, out: Any) -> None:
    for one in out if isinstance(out, (tuple, list)) else (out,):
        if isinstance(one, torch.Tensor) and one.layout != torch.strided and one.is_meta:
            raise Refusal(
                f"this script uses a sparse tensor on the GPU ({one.layout}, {func._opname}), which predict does not know. "
                "Use a dense tensor, or gather and scatter_add with the indices"
            )


def _refusal_of(func: Any, problem: Exception) -> BaseException:
    if func.namespace not in ("aten", "prims", "prim"):
        return Refusal(
            f"the custom operator {func.namespace}::{func._opname} lacks a shape function, so its memory cannot be predicted. "
            "Register one with torch.library.register_fake, or replace the operator"
        )
    return Refusal(
        f"PyTorch {torch.__version__} cannot run {func} without data ({str(problem).splitlines()[0][:120]}). "
        "Replace the operator, or use a newer PyTorch"
    )
