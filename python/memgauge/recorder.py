"""Records the CUDA allocator where memory runs out: in the Trainer of transformers, in Lightning, or in a ``with`` block.

Each process writes its own snapshot, so ``python -m memgauge explain FOLDER`` can compare the ranks.
"""

import importlib
import inspect
import os
from typing import Any, Optional

from . import errors
from ._session import logger

__all__ = ["Recorder", "lightning_callback", "trainer_callback"]

#: Environment variables with the number of the process: torchrun and accelerate, Slurm, Open MPI.
_RANKS = ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK")


def is_out_of_memory(problem: Optional[BaseException]) -> bool:
    """Whether the error is PyTorch's error for exhausted memory. It is torch.OutOfMemoryError since PyTorch 2.5, and
    torch.cuda.OutOfMemoryError before."""
    return any(kind.__name__ == "OutOfMemoryError" for kind in type(problem).__mro__)


def add_to_message(problem: BaseException, text: str) -> None:
    first = str(problem.args[0]) if problem.args else ""
    problem.args = (f"{first}\n\n{text}", *problem.args[1:])


def is_recording(torch: Any) -> bool:
    """Whether the program is already recording. PyTorch 2.0 does not have a function for this. In this
    version, a snapshot that contains events shows that the program is recording."""
    is_enabled = getattr(getattr(torch, "_C", None), "_cuda_isHistoryEnabled", None)
    if is_enabled is not None:
        return bool(is_enabled())
    take = getattr(torch.cuda.memory, "_snapshot", None)
    return take is not None and any(take().get("device_traces") or ())


def start_recording(memory: Any, max_entries: int) -> None:
    """Starts the recording. The parameters in PyTorch 2.0 differ from later versions."""
    record = memory._record_memory_history
    if "trace_alloc_max_entries" in inspect.signature(record).parameters:
        record(True, trace_alloc_max_entries=max_entries, trace_alloc_record_context=True)
    else:
        record(max_entries=max_entries)


def stop_recording(memory: Any) -> None:
    record = memory._record_memory_history
    record(False if "trace_alloc_max_entries" in inspect.signature(record).parameters else None)


def _rank() -> int:
    for name in _RANKS:
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    return 0


class Recorder:
    """Records the CUDA allocator, and writes a snapshot of this process each time memory runs out.

    The recording keeps the last ``max_entries`` events, so its memory is bounded. PyTorch calls the recorder at the failed
    request, so the snapshot also exists if the program catches the error. A later failure replaces the snapshot. Without a
    CUDA device, a warning is logged and nothing is recorded. If the program is already recording, its recording continues.

    Parameters
    ----------
    folder:
        The folder for ``rank0.pickle``, ``rank1.pickle`` and so on. Use a new folder for each run. It is made if memory runs
        out.
    max_entries:
        The number of events that the recording keeps.

    Attributes
    ----------
    path:
        The file for the snapshot of this process. The variables RANK, SLURM_PROCID or OMPI_COMM_WORLD_RANK give its number.
    written:
        The number of times that memory ran out and the snapshot was written.

    Raises
    ------
    UsageError
        If ``max_entries`` is less than 1, or if PyTorch is not installed.

    Examples
    --------
    >>> with Recorder("oom"):  # doctest: +SKIP
    ...     train()
    """

    def __init__(self, folder: "os.PathLike[str] | str", *, max_entries: int = 100_000) -> None:
        if max_entries < 1:
            raise errors.UsageError(f"max_entries={max_entries}: a recording needs at least one event. Use 1 or more")
        self.path = os.path.join(os.fspath(folder), f"rank{_rank()}.pickle")
        self.written = 0
        self._max_entries = max_entries
        self._memory: Any = None  # torch.cuda.memory while the recorder is active
        self._is_ours = False
        self._is_observed = False

    def start(self) -> None:
        """Starts the recording. Call it after the process has selected its device.

        Raises
        ------
        UsageError
            If PyTorch is not installed.

        Examples
        --------
        >>> Recorder("oom").start()  # doctest: +SKIP
        """
        try:
            import torch
        except ImportError as problem:
            raise errors.UsageError("the recorder records allocations of PyTorch, but PyTorch is not installed. Install it") from problem
        if not torch.cuda.is_available():
            logger.warning("memory.Recorder: PyTorch found no CUDA device, so nothing is recorded")
            return
        self._memory = torch.cuda.memory
        self._is_ours = not is_recording(torch)
        if self._is_ours:
            start_recording(self._memory, self._max_entries)
        attach = getattr(getattr(torch, "_C", None), "_cuda_attach_out_of_memory_observer", None)
        if attach is not None and not self._is_observed:
            attach(lambda *_: self._write())  # PyTorch has no function that removes an observer
            self._is_observed = True

    def stop(self) -> None:
        """Ends the recording.

        Examples
        --------
        >>> Recorder("oom").stop()
        """
        if self._memory is not None and self._is_ours:
            stop_recording(self._memory)
        self._memory = None

    def failed(self, problem: Optional[BaseException]) -> None:
        """Adds the name of the snapshot to an out-of-memory error. Writes the snapshot if PyTorch did not call the recorder.

        Parameters
        ----------
        problem:
            The exception that ended the recorded code, or None. Other exceptions than out-of-memory errors have no effect.

        Examples
        --------
        >>> Recorder("oom").failed(ValueError("another error"))
        """
        if problem is None or not is_out_of_memory(problem) or self._memory is None:
            return
        if not self._is_observed:
            self._write()
        if self.written:
            add_to_message(problem, f"memgauge: snapshot: {self.path}. Run: python -m memgauge explain {os.path.dirname(self.path) or '.'}")

    def __enter__(self) -> "Recorder":
        self.start()
        return self

    def __exit__(self, kind: Any, problem: Optional[BaseException], trace: Any) -> None:
        self.failed(problem)
        self.stop()

    def _write(self) -> None:
        """Writes the snapshot. A failure must not hide the out-of-memory error, so it is logged."""
        if self._memory is None:
            return
        part = self.path + ".part"
        try:
            os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
            self._memory._dump_snapshot(part)
            os.replace(part, self.path)
            self.written += 1
        except Exception as failure:
            logger.warning("memory.Recorder: the snapshot could not be written to %s: %s", self.path, failure)


def _class_of(name: str, *modules: str) -> Any:
    """The class of the first module that is installed, or None."""
    for module in modules:
        try:
            return getattr(importlib.import_module(module), name)
        except ImportError:
            continue
    return None


def trainer_callback(folder: "os.PathLike[str] | str", *, max_entries: int = 100_000) -> Any:
    """Returns a callback for the Trainer of transformers that records during training.

    The recording begins with the training, when each process has selected its device.

    Parameters
    ----------
    folder, max_entries:
        As in ``Recorder``.

    Returns
    -------
    TrainerCallback
        Its attribute ``recorder`` is the Recorder.

    Raises
    ------
    UsageError
        If transformers is not installed, or if ``max_entries`` is less than 1.

    Examples
    --------
    >>> trainer = Trainer(model, callbacks=[trainer_callback("oom")])  # doctest: +SKIP
    """
    base: Any = _class_of("TrainerCallback", "transformers")
    if base is None:
        raise errors.UsageError("trainer_callback needs transformers, which is not installed. Install it")

    class MemoryCallback(base):  # type: ignore[misc]
        def __init__(self) -> None:
            self.recorder = Recorder(folder, max_entries=max_entries)

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self.recorder.start()

        def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self.recorder.stop()

    return MemoryCallback()


def lightning_callback(folder: "os.PathLike[str] | str", *, max_entries: int = 100_000) -> Any:
    """Returns a callback for the Trainer of Lightning that records during ``fit``.

    Parameters
    ----------
    folder, max_entries:
        As in ``Recorder``.

    Returns
    -------
    Callback
        Its attribute ``recorder`` is the Recorder.

    Raises
    ------
    UsageError
        If Lightning is not installed, or if ``max_entries`` is less than 1.

    Examples
    --------
    >>> trainer = Trainer(callbacks=[lightning_callback("oom")])  # doctest: +SKIP
    """
    base: Any = _class_of("Callback", "lightning.pytorch", "pytorch_lightning")
    if base is None:
        raise errors.UsageError("lightning_callback needs Lightning, which is not installed. Install lightning")

    class MemoryCallback(base):  # type: ignore[misc]
        def __init__(self) -> None:
            self.recorder = Recorder(folder, max_entries=max_entries)

        def on_fit_start(self, trainer: Any, pl_module: Any) -> None:
            self.recorder.start()

        def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
            self.recorder.failed(exception)
            self.recorder.stop()

        def on_fit_end(self, trainer: Any, pl_module: Any) -> None:
            self.recorder.stop()

    return MemoryCallback()
