"""Runs a script or a callable without a GPU and records its stream of allocations."""

import contextlib
import importlib
import importlib.machinery
import os
import re
import runpy
import sys
import threading
import time
import traceback
import weakref
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

import torch

from .. import errors
from . import quantisation
from .cards import Card
from .catching import Failure, Failures, catches_out_of_memory
from .choices import Choices
from .cuda import FakeCuda
from .devices import PLAIN, CudaAsMeta
from .following import Following
from .interface import needs_gpu, unknown_function
from .ranks import Ranks, World, refuse_distributed
from .replaced import Finished, Refusal, Replacements, is_of_script
from .routes import Routes
from .serving import Serving
from .stream import Stream
from .temporaries import Temporaries
from .threads import Threads, pushed
from .versions import Version

_OLDEST = (2, 4)

#: A script that reads this many values in one place, without an optimizer step, seems to wait for one of them.
_READS_OF_A_LOOP = 300

#: Environment variables with the settings of the allocator. If both are set, PyTorch uses the first.
_SETTINGS = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF")


class Conditions(NamedTuple):
    """The machine for which memory is predicted, and the limits after which the run stops."""

    card: Card
    capacity: int
    version: Version
    steps: int
    seconds: float
    world: Optional[World] = None  # one rank of several, or None for a single process
    largest: bool = False  # whether sizes that depend on values are as large as possible, otherwise as small as possible
    failures: Tuple[Failure, ...] = ()  # requests that fail in a script that catches the error


class Recorded:
    """The stream of allocations of a run, and information about the run."""

    def __init__(self, stream: Stream, replacements: Replacements) -> None:
        self.stream = stream
        self.replacements = replacements
        self.optimizer_steps = 0
        self.ended_by = "the script ended"
        self.notes: List[str] = []
        self.attention: Dict[str, int] = {}
        self.setting = ""  # PYTORCH_CUDA_ALLOC_CONF, even if the script sets it
        self.serving: Optional[Dict[str, Any]] = None  # the weights and the cache of a model that runs without gradients
        self.sent: List[Any] = []  # Python objects that this rank sent to others
        self.memory_fraction: Optional[float] = None  # argument of set_per_process_memory_fraction()
        self.has_half_precision = False  # whether the GPU had floating-point tensors of 16 bits
        self.catches_out_of_memory = False
        self.caught: List[Dict[str, Any]] = []  # the errors that the script caught, as in catching.Failures


def require_torch() -> None:
    """Raises UsageError if this PyTorch is too old."""
    version = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if version < _OLDEST:
        raise errors.UsageError(f"PyTorch {torch.__version__} is too old for a prediction. Install PyTorch 2.4 or later")


def _refuse_environment() -> None:
    world = os.environ.get("WORLD_SIZE", "1")
    if world.isdigit() and int(world) > 1:
        raise Refusal(f"WORLD_SIZE shows that several processes run. Predict without torchrun, and with --ranks {world}")


_DEEPSPEED = (
    "the script uses DeepSpeed, which predict does not know. Use FSDP (SHARD_GRAD_OP corresponds to ZeRO-2 and FULL_SHARD to ZeRO-3) "
    "or torch.distributed.optim.ZeroRedundancyOptimizer (ZeRO-1)"
)

#: Packages that cannot be predicted, with the reasons.
_REFUSED_PACKAGES = {
    "deepspeed": _DEEPSPEED,
    "megatron": "the script uses Megatron, which predict does not know. Use DDP or FSDP",
    "horovod": "the script uses Horovod, which predict does not know. Use DDP",
    "colossalai": "the script uses ColossalAI, which predict does not know. Use DDP or FSDP",
}


class _Extensions:
    """Makes the import of a compiled extension that is linked with CUDA raise Refusal with its name."""

    _ALLOWED = ("torch", "torchvision", "torchaudio", "triton", "functorch")

    def __init__(self) -> None:
        self._original = importlib.machinery.ExtensionFileLoader.create_module
        self._execute = importlib.machinery.SourceFileLoader.exec_module

    def open(self) -> None:
        original = self._original

        def create(loader: Any, spec: Any) -> Any:
            name = spec.name
            if name.split(".")[0] not in self._ALLOWED and _uses_cuda(loader.path):
                raise Refusal(
                    f"the script loads the CUDA extension {name}, whose memory cannot be predicted. Predict without it: "
                    "most packages have an option to use operators of PyTorch"
                )
            return original(loader, spec)

        execute = self._execute

        def execute_known(loader: Any, module: Any) -> None:
            if module.__name__ in _REFUSED_PACKAGES:
                raise Refusal(_REFUSED_PACKAGES[module.__name__])
            execute(loader, module)
            if module.__name__.startswith("bitsandbytes"):
                quantisation.imported(module)

        importlib.machinery.ExtensionFileLoader.create_module = create  # type: ignore[method-assign,assignment]
        importlib.machinery.SourceFileLoader.exec_module = execute_known  # type: ignore[method-assign,assignment]

    def close(self) -> None:
        importlib.machinery.ExtensionFileLoader.create_module = self._original  # type: ignore[method-assign]
        importlib.machinery.SourceFileLoader.exec_module = self._execute  # type: ignore[method-assign]


def _uses_cuda(path: str) -> bool:
    """Whether a library depends on PyTorch's CUDA libraries."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:
        return False
    return b"libc10_cuda" in content or b"libtorch_cuda" in content or b"libcudart" in content


class _Steps:
    """Ends the run after enough optimizer steps, or after a time. The time is the computing time of a thread, so it does not
    depend on other programs."""

    def __init__(self, wanted: int, seconds: float, stream: Stream, replacements: Replacements) -> None:
        self._replacements = replacements
        self._wanted = wanted
        self._stream = stream
        self._thread, self._start = threading.get_ident(), time.thread_time()
        self._by_optimizer: "weakref.WeakKeyDictionary[Any, int]" = weakref.WeakKeyDictionary()
        self._seconds = seconds
        self.is_stopped_by_time = False
        self.most = 0  # number of steps of the optimizer that made the most steps

    def after_operators(self) -> None:
        """After the time limit, ends a run that has made no optimizer step. after_step() ends all other
        runs."""
        if self.most == 0 and self._wanted and self._is_late():
            place, times = self._replacements.most_read()
            if times >= _READS_OF_A_LOOP:
                raise Refusal(
                    f"{place} read {times} values that are not computed within {self._seconds:g} seconds. A loop seems to wait for one "
                    "of them. Give the loop a fixed number of steps"
                )
            self.is_stopped_by_time = True
            raise Finished(f"stopped after {self._seconds:g} seconds of computing without an optimizer step")

    def _is_late(self) -> bool:
        start = self._start if threading.get_ident() == self._thread else 0.0
        return time.thread_time() - start > self._seconds

    @staticmethod
    def _name(optimizer: Any) -> str:
        return f"Optimizer.step#{type(optimizer).__name__}.step"

    def before_step(self, optimizer: Any, *_: Any) -> None:
        self._stream.mark("START", self._name(optimizer))

    def after_step(self, optimizer: Any, *_: Any) -> None:
        self._stream.mark("END", self._name(optimizer))
        steps = self._by_optimizer[optimizer] = self._by_optimizer.get(optimizer, 0) + 1
        self.most = max(self.most, steps)
        if self._wanted and min(self._by_optimizer.values()) >= self._wanted:
            raise Finished(f"stopped after {self._wanted} optimizer steps, later parts of the script were not run")
        if self.most >= 2 and self._is_late():
            self.is_stopped_by_time = True
            raise Finished(f"stopped after {self._seconds:g} seconds of computing, later parts of the script were not run")


@contextlib.contextmanager
def _script_environment(script: str, arguments: List[str]) -> Iterator[None]:
    saved = sys.argv, list(sys.path)
    sys.argv = [script, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        sys.argv, sys.path[:] = saved[0], saved[1]


def _place_of(problem: BaseException) -> str:
    """Returns a text such as " at train.py:12", or an empty text if the traceback has only frames of PyTorch and
    Python."""
    if isinstance(problem, SyntaxError) and problem.filename:
        return f" at {problem.filename}:{problem.lineno}"
    frames = traceback.extract_tb(problem.__traceback__)
    hidden = (os.path.dirname(os.path.abspath(__file__)), os.path.dirname(torch.__file__), "<frozen")
    shown = [one for one in frames if not one.filename.startswith(hidden)]
    if not shown:
        return ""
    own = [one for one in shown if is_of_script(one.filename)]
    place = f" at {shown[-1].filename}:{shown[-1].lineno}"
    if own and own[-1] is not shown[-1]:
        place += f", called at {own[-1].filename}:{own[-1].lineno}"
    return place


def _with_line(reason: str, problem: BaseException) -> str:
    """Returns the reason of a refusal, with the line of the script at its start."""
    frames = traceback.extract_tb(problem.__traceback__)
    own = [one for one in frames if is_of_script(one.filename)]
    return f"{own[-1].filename}:{own[-1].lineno}: {reason}" if own else reason


def _advice(problem: BaseException, replacements: Replacements) -> str:
    """Returns the advice in the error message for a script that failed."""
    if isinstance(problem, SyntaxError):
        return "Correct the script"
    if isinstance(problem, ImportError):
        return "Install the packages of the script for this Python"
    if isinstance(problem, KeyError) and problem.args[:1] in (("RANK",), ("LOCAL_RANK",), ("WORLD_SIZE",)):
        return "torchrun sets this variable. Give the number of processes with --ranks, 1 for a single process"
    replaced = replacements.listed()
    if not replaced:
        return "A prediction runs the script without a GPU. Check that the script works on a GPU"
    last = replaced[-1]
    return (
        "A prediction runs the script without a GPU. If the script works on a GPU, a replaced value may be the reason. The last "
        f"one: {last['place']}: {last['value']} -> {last['replaced_by']}"
    )


def _failure(problem: BaseException, replacements: Replacements) -> errors.Error:
    message = problem.msg if isinstance(problem, SyntaxError) else problem
    return errors.Error(
        f"the script failed{_place_of(problem)}: {type(problem).__name__}: {str(message).rstrip('.')}. {_advice(problem, replacements)}"
    )


def _ended_early(code: Any) -> errors.Error:
    """Returns the error for a script that called sys.exit(). ``code`` is its argument, a number or a message."""
    reason = f"with exit code {code}" if isinstance(code, int) else f"early: {code}"
    return errors.Error(f"the script ended {reason}. Pass the arguments of the script after --, or as script_arguments")


def run(work: Callable[[], Any], conditions: Conditions) -> Recorded:
    """Runs ``work`` with tensors without data on "cuda", and returns the recording.

    Raises UsageError if part of the script cannot be predicted, and Error if the script fails.
    """
    require_torch()
    optimizer_module = importlib.import_module("torch.optim.optimizer")
    importlib.import_module("torch._meta_registrations")  # shapes of operators on tensors without data
    importlib.import_module("torch._dynamo")  # optimizers import it, which must happen before functions are replaced

    card = conditions.card
    stream, replacements = Stream(), Replacements()
    recorded = Recorded(stream, replacements)
    failures = Failures(conditions.failures, conditions.capacity)
    current: List[Callable[[], int]] = [lambda: 0]
    following = Following(stream, Temporaries(card, conditions.version), replacements, lambda: current[0](), Choices(conditions.largest))
    cuda = FakeCuda(card, conditions.capacity, following, replacements)
    current[0] = cuda.current_stream
    routes = Routes(card.capability)
    extensions = _Extensions()
    serving = Serving()
    ranks = Ranks(conditions.world) if conditions.world is not None else None
    limits = _Steps(conditions.steps, conditions.seconds, stream, replacements)
    following.watch_time(limits.after_operators)
    function_mode = CudaAsMeta(conditions.version)
    threads = Threads(lambda: [routes.in_thread(), pushed(following), CudaAsMeta(conditions.version)])
    following.watch_threads(threads.check)
    hooks = [
        optimizer_module.register_optimizer_step_pre_hook(limits.before_step),
        optimizer_module.register_optimizer_step_post_hook(limits.after_step),
    ]
    fast_path = torch.backends.mha.get_fastpath_enabled()
    settings = {name: os.environ.get(name) for name in _SETTINGS}
    try:
        if ranks is None:
            _refuse_environment()
        cuda.open(function_mode, routes.clear_copies)
        refuse_distributed(cuda.patches) if ranks is None else ranks.open()
        torch.backends.mha.set_fastpath_enabled(False)
        routes.open()
        extensions.open()
        serving.open()
        try:
            with following, function_mode:
                following.calibrate()
                stream.restart(failures)
                threads.open()
                try:
                    work()
                    threads.wait()
                except KeyboardInterrupt:
                    threads.check()
                    raise
        finally:
            recorded.serving = serving.found()
            serving.close()
            threads.close()
            stream.close()
    except Finished as end:
        recorded.ended_by = str(end)
    except Refusal as problem:
        raise errors.UsageError(_with_line(str(problem), problem)) from problem.__cause__
    except SystemExit as end:
        if end.code not in (None, 0):
            raise _ended_early(end.code) from end
    except KeyboardInterrupt:
        raise
    except Exception as problem:
        refusal = _refusal_behind(problem)
        if refusal is not None:
            raise errors.UsageError(_with_line(refusal, problem)) from problem
        raise _failure(problem, replacements) from problem
    finally:
        extensions.close()
        routes.close()
        if ranks is not None:
            ranks.close()
            recorded.sent = ranks.sent
        torch.backends.mha.set_fastpath_enabled(fast_path)
        cuda.close()
        recorded.setting = next((os.environ[name] for name in _SETTINGS if os.environ.get(name)), "")
        for name, value in settings.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        for hook in hooks:
            hook.remove()
        PLAIN.clear()
    recorded.optimizer_steps = limits.most
    recorded.attention = routes.attention
    recorded.has_half_precision = following.has_half_precision
    recorded.caught = failures.raised
    if limits.is_stopped_by_time:
        recorded.notes.append(
            "The time limit ended the run, so the figures depend on the speed of this machine. A longer run may need more memory. Set "
            "--seconds"
        )
    recorded.memory_fraction = cuda.memory_fraction
    return recorded


def _refusal_behind(problem: BaseException) -> Optional[str]:
    """Returns the reason to refuse the script if the exception comes from Triton or from the lack of a GPU, else None."""
    for frame in traceback.extract_tb(problem.__traceback__):
        if f"{os.sep}triton{os.sep}" in frame.filename:
            return (
                f"the script starts a Triton kernel, which cannot run without a GPU ({type(problem).__name__}: {problem}). "
                "Replace it by operators of PyTorch"
            )
    if any(f"{os.sep}bitsandbytes{os.sep}" in frame.filename for frame in traceback.extract_tb(problem.__traceback__)):
        return (
            f"bitsandbytes cannot run this part of the script without a GPU ({type(problem).__name__}: {problem}). "
            "Predict without quantisation"
        )
    if isinstance(problem, ImportError) and "deepspeed" in str(problem).lower():
        return _DEEPSPEED
    swapped = re.search(r"Couldn't swap (\S+)", str(problem))
    if swapped is not None:
        return f"this script moves {swapped.group(1)} to the GPU, a class of parameters that predict does not know. Use a plain Parameter"
    higher = re.search(r"HigherOrderOperator (\w+)", str(problem)) if isinstance(problem, NotImplementedError) else None
    if higher is not None:
        return (
            f"this script uses {higher.group(1)}, whose compiled kernel predict does not know. Use operators of PyTorch that run "
            "without torch.compile, such as scaled_dot_product_attention"
        )
    return unknown_function(problem) if needs_gpu(problem) else None


def run_script(script: str, arguments: List[str], conditions: Conditions) -> Recorded:
    """Runs a Python file in the same way as ``python script arguments``. Its output goes to standard
    error."""
    if not os.path.isfile(script):
        raise errors.InputError(f"{script}: the file does not exist. Name the Python script that trains the model")

    def work() -> None:
        with _script_environment(script, arguments):
            runpy.run_path(script, run_name="__main__")

    recorded = run(work, conditions)
    recorded.catches_out_of_memory = catches_out_of_memory(script)
    return recorded


def run_callable(step: Callable[..., Any], arguments: Dict[str, Any], conditions: Conditions) -> Recorded:
    """Calls ``step(**arguments)`` ``steps`` times, or until an optimizer has made this many steps."""

    def work() -> None:
        for _ in range(max(2, conditions.steps)):
            step(**arguments)

    return run(work, conditions)
