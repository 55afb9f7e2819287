"""Replaces the functions of torch.cuda by functions that need no GPU and return the values of the chosen card."""

import functools
import sys
from types import FunctionType, SimpleNamespace
from typing import Any, Callable, Dict, Optional

import torch
import torch.utils.checkpoint as checkpointing

from .cards import Card
from .default_devices import patch_default_device, patch_default_type, patch_numbers_of_devices
from .devices import CudaAsMeta, is_cuda, mapped, own_gpu, require_own, shares_type
from .following import Following
from .interface import compiled_answers, guard
from .loading import loader
from .patches import Patches
from .replaced import Refusal, Replacements
from .streams import Streams, patch_streams


def _refuse(what: str, cure: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise Refusal(f"the script uses {what}, which cannot be predicted. {cure}")

    return refuse


class _Properties(SimpleNamespace):
    """Properties of the card. Raises Refusal for an unknown property."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise Refusal(f"this script uses torch.cuda.get_device_properties().{name}, which predict does not know. Leave it out")


class FakeCuda:
    """Replaces functions of torch.cuda, and related functions of PyTorch, during a prediction."""

    def __init__(self, card: Card, capacity: int, following: Following, replacements: Replacements) -> None:
        self._card = card
        self._capacity = capacity
        self._following = following
        self._replacements = replacements
        self.patches = Patches()
        self._streams: Optional[Streams] = None
        self.memory_fraction: Optional[float] = None

    def current_stream(self) -> int:
        return self._streams.current.cuda_stream if self._streams is not None else 0

    def open(self, function_mode: CudaAsMeta, clear_copies: Callable[[], None]) -> None:
        self._streams = patch_streams(self.patches)
        guard(self.patches, compiled_answers(self._current))
        for name, value in self._answers().items():
            self.patches.set_if_there(torch.cuda, name, value)
            self.patches.set_if_there(torch.cuda.memory, name, value)
            self.patches.set_if_there(torch.cuda.graphs, name, value)
        self._patch_random_numbers()
        self._patch_accelerator()
        self._patch_refusals()
        self._patch_torch(function_mode, clear_copies)

    def close(self) -> None:
        self.patches.close()
        if torch.get_default_device().type == "meta":
            torch.set_default_device(None)

    # Answers

    def _allocated(self, *_: Any) -> int:
        return self._following.stream.allocated_bytes

    def _peak(self, *_: Any) -> int:
        return self._following.stream.peak_bytes

    @staticmethod
    def _in_segments(size: int) -> int:
        return (size + (1 << 21) - 1) // (1 << 21) * (1 << 21)

    def _reserved(self, *_: Any) -> int:
        return self._in_segments(self._peak())

    def _statistics(self, *_: Any) -> Dict[str, int]:
        answers: Dict[str, int] = {}
        for what, now, peak in (
            ("allocated_bytes", self._allocated(), self._peak()),
            ("reserved_bytes", self._reserved(), self._reserved()),
            ("active_bytes", self._allocated(), self._peak()),
            ("requested_bytes", self._allocated(), self._peak()),
            ("inactive_split_bytes", 0, 0),
        ):
            for pool in ("all", "small_pool", "large_pool"):
                answers[f"{what}.{pool}.current"] = now if pool == "all" else 0
                answers[f"{what}.{pool}.peak"] = peak if pool == "all" else 0
                answers[f"{what}.{pool}.allocated"] = peak if pool == "all" else 0
                answers[f"{what}.{pool}.freed"] = peak - now if pool == "all" else 0
        answers.update({"num_alloc_retries": 0, "num_ooms": 0})
        return answers

    def _free_and_total(self, *_: Any) -> Any:
        return max(0, self._capacity - self._card.context_bytes - self._reserved()), self._capacity

    def _reset_peak(self, *_: Any) -> None:
        self._following.stream.peak_bytes = self._following.stream.allocated_bytes

    def _set_fraction(self, fraction: float, device: Any = None) -> None:
        self.memory_fraction = fraction

    def _properties(self, *_: Any) -> Any:
        major, minor = self._card.capability
        return _Properties(
            name=self._card.name,
            major=major,
            minor=minor,
            total_memory=self._capacity,
            multi_processor_count=self._card.processors,
            warp_size=32,
            max_threads_per_multi_processor=2048,
            regs_per_multiprocessor=65536,
            shared_memory_per_block=49152,
            is_integrated=False,
            is_multi_gpu_board=False,
            gcnArchName="",
            uuid="00000000-0000-0000-0000-000000000000",
            pci_bus_id=0,
            pci_device_id=0,
            pci_domain_id=0,
        )

    def _current(self, *_: Any) -> Any:
        return self._streams.current if self._streams is not None else None

    def _set_stream(self, stream: Any, *_: Any) -> None:
        if self._streams is not None:
            self._streams.set(stream)

    def _answers(self) -> Dict[str, Any]:
        def nothing(*_: Any, **__: Any) -> None:
            return None

        def first(index: Any = None) -> int:
            require_own(index)
            return own_gpu.index

        def not_written(*_: Any, **__: Any) -> None:
            self._replacements.add("memory snapshot of the script", "not written")

        major, minor = self._card.capability
        return {
            "is_available": lambda: True,
            "is_initialized": lambda: True,
            "_is_compiled": lambda: True,
            "_lazy_init": nothing,
            "init": nothing,
            "device_count": lambda: own_gpu.count,
            "_initialized": True,
            "current_device": lambda: own_gpu.index,
            "set_device": lambda device=0: mapped(device) and None,
            "_exchange_device": first,
            "_maybe_exchange_device": first,
            "get_device_name": lambda *_: self._card.name,
            "get_device_capability": lambda *_: (major, minor),
            "get_device_properties": self._properties,
            "get_arch_list": lambda: [f"sm_{major}{minor}"],
            "is_bf16_supported": lambda *_, **__: self._card.capability >= (8, 0),
            "can_device_access_peer": lambda *_: False,
            "synchronize": nothing,
            "ipc_collect": nothing,
            "empty_cache": self._following.stream.empty_cache,
            "memory_allocated": self._allocated,
            "max_memory_allocated": self._peak,
            "memory_reserved": self._reserved,
            "max_memory_reserved": self._reserved,
            "memory_cached": self._reserved,
            "max_memory_cached": self._reserved,
            "reset_peak_memory_stats": self._reset_peak,
            "reset_max_memory_allocated": self._reset_peak,
            "reset_max_memory_cached": nothing,
            "reset_accumulated_memory_stats": nothing,
            "memory_stats": self._statistics,
            "memory_stats_as_nested_dict": lambda *_: {},
            "memory_summary": lambda *_, **__: "memory statistics of a prediction are in its report",
            "memory_snapshot": lambda *_: [],
            "mem_get_info": self._free_and_total,
            "set_per_process_memory_fraction": self._set_fraction,
            "list_gpu_processes": lambda *_: "",
            "utilization": lambda *_: 0,
            "temperature": lambda *_: 0,
            "power_draw": lambda *_: 0,
            "_record_memory_history": nothing,
            "_dump_snapshot": not_written,
            "_snapshot": lambda *_, **__: {"segments": [], "device_traces": [[]]},
            "current_stream": self._current,
            "default_stream": lambda *_: self._streams.default if self._streams is not None else None,
            "set_stream": self._set_stream,
            "current_blas_handle": lambda: 0,
            "is_current_stream_capturing": lambda: False,
            "_sleep": nothing,
            "_clear_cublas_workspaces": nothing,
        }

    def _patch_random_numbers(self) -> None:
        def nothing(*_: Any, **__: Any) -> None:
            return None

        def state(*_: Any) -> torch.Tensor:
            return torch.zeros(16, dtype=torch.uint8, device="cpu")

        answers = {
            "manual_seed": nothing,
            "manual_seed_all": nothing,
            "seed": nothing,
            "seed_all": nothing,
            "initial_seed": lambda: 0,
            "get_rng_state": state,
            "get_rng_state_all": lambda: [state()],
            "set_rng_state": nothing,
            "set_rng_state_all": nothing,
        }
        for name, value in answers.items():
            for owner in (torch.cuda, torch.cuda.random):
                self.patches.set_if_there(owner, name, value)
        generator = torch.Generator

        class Kind(type):
            def __instancecheck__(cls, one: Any) -> bool:
                return isinstance(one, generator)

        class Generator(metaclass=Kind):
            def __new__(cls, device: Any = "cpu") -> Any:
                return generator("cpu" if is_cuda(device) else device)

        self.patches.set(torch, "Generator", Generator)

    def _patch_accelerator(self) -> None:
        self.patches.set_if_there(torch._C, "_get_accelerator", lambda *_: torch.device("cuda"))
        accelerator = getattr(torch, "accelerator", None)
        if accelerator is None:
            return
        answers = {
            **self._answers(),
            "current_accelerator": lambda *_, **__: torch.device("cuda"),
            "current_device_index": lambda: own_gpu.index,
            "current_device_idx": lambda: own_gpu.index,
            "set_device_index": lambda index=0: mapped(index) and None,
            "set_device_idx": lambda index=0: mapped(index) and None,
            "get_memory_info": self._free_and_total,
        }
        for name, value in answers.items():
            for owner in (accelerator, getattr(accelerator, "memory", None)):
                if owner is not None and not isinstance(getattr(owner, name, None), type):
                    self.patches.set_if_there(owner, name, value)

    # Functions that raise Refusal, because their memory cannot be predicted.

    def _patch_refusals(self) -> None:
        graphs = _refuse("CUDA graphs", "Run the step without the graph, which needs the same tensors")
        self.patches.set(torch.cuda.CUDAGraph, "__new__", staticmethod(graphs))
        self.patches.set(torch.cuda.graph, "__init__", graphs)
        self.patches.set_if_there(torch.cuda, "make_graphed_callables", graphs)

    def _patch_torch(self, function_mode: CudaAsMeta, clear_copies: Callable[[], None]) -> None:
        patches = self.patches
        patches.set(torch.Tensor, "record_stream", lambda tensor, *_: None)
        patches.set(torch, "_has_compatible_shallow_copy_type", shares_type)
        resize = torch.UntypedStorage.resize_

        def resize_and_record(storage: Any, size: int) -> Any:
            resize(storage, size)
            self._following.resize(storage)
            return storage

        patches.set(torch.UntypedStorage, "resize_", resize_and_record)
        patches.set(torch, "load", loader(torch.load))
        patch_default_device(patches)
        patch_default_type(patches)
        clear = torch.clear_autocast_cache

        def clear_both() -> None:
            clear()
            clear_copies()

        patches.set(torch, "clear_autocast_cache", clear_both)

        self._patch_compilers()
        patch_numbers_of_devices(patches)

        # PyTorch leaves the function mode before it calls the autograd engine. The engine also calls code of the
        # script, which needs the mode. The mode is therefore entered again.
        engine = torch.autograd._engine_run_backward

        def run_backward(*arguments: Any, **named: Any) -> Any:
            if any(isinstance(one, CudaAsMeta) for one in torch.overrides._get_current_function_mode_stack()):
                return engine(*arguments, **named)
            with function_mode:
                return engine(*arguments, **named)

        patches.set(torch.autograd, "_engine_run_backward", run_backward)

        grouped = torch._C._group_tensors_by_device_and_dtype

        def group(*arguments: Any, **named: Any) -> Any:
            return {
                (own_gpu.device if device is not None and device.type == "meta" else device, dtype): value
                for (device, dtype), value in grouped(*arguments, **named).items()
            }

        patches.set(torch._C, "_group_tensors_by_device_and_dtype", group)

        # checkpoint() compares recomputed tensors with the originals. The comparison leaves out the device, because
        # hooks see "meta" and the recomputation sees "cuda".
        checks = checkpointing._allowed_determinism_checks_to_fns
        patches.set(
            checkpointing,
            "_allowed_determinism_checks_to_fns",
            {**checks, "default": lambda tensor: {"shape": tensor.shape, "dtype": tensor.dtype}},
        )

        from torch.utils.data import DataLoader

        make = DataLoader.__init__

        def without_pinning(loader: Any, *arguments: Any, **named: Any) -> None:
            named["pin_memory"] = False
            make(loader, *arguments, **named)

        patches.set(DataLoader, "__init__", without_pinning)
        if "triton" in sys.modules:
            self.refuse_triton()

    def _patch_compilers(self) -> None:
        """Makes torch.compile and TorchScript return the code of the script unchanged."""

        by = "eager execution. Compiled code may need less or more memory"

        def as_eager(what: str) -> Callable[..., Any]:
            def unchanged(code: Any = None, *_: Any, **__: Any) -> Any:
                if code is None:
                    return unchanged
                if isinstance(code, FunctionType):
                    return as_eager_when_called(code)
                self._replacements.add(what, by)
                return code

            def as_eager_when_called(function: Any) -> Any:
                # Libraries decorate functions that a script may never call.
                @functools.wraps(function)
                def called(*arguments: Any, **named: Any) -> Any:
                    self._replacements.add(what, by)
                    return function(*arguments, **named)

                return called

            return unchanged

        compile = as_eager("torch.compile")
        self.patches.set(torch, "compile", compile)
        self.patches.set_if_there(torch.nn.Module, "compile", lambda module, *_, **__: compile(module) and None)
        for name in ("script", "trace", "trace_module", "freeze", "optimize_for_inference"):
            self.patches.set(torch.jit, name, as_eager(f"torch.jit.{name}"))
        self.patches.set(torch.jit, "save", lambda *_, **__: self._replacements.add("file of torch.jit.save", "not written"))
        self.patches.set(torch.jit, "load", _refuse("torch.jit.load", "Build the model with Python code"))

    def refuse_triton(self) -> None:
        """Makes every start of a Triton kernel raise Refusal with the name of the kernel. Call it after triton is
        imported."""
        try:
            from triton.runtime.jit import JITFunction
        except ImportError:
            return

        def run(kernel: Any, *_: Any, **__: Any) -> Any:
            name = getattr(kernel, "__name__", None) or getattr(getattr(kernel, "fn", None), "__name__", "?")
            raise Refusal(f"the script starts the Triton kernel {name}, which cannot run without a GPU. Replace it by operators of PyTorch")

        self.patches.set(JITFunction, "run", run)
