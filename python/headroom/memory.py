"""Where the memory of a PyTorch program went.

The packages headroom and headroom_memory both have this module; it needs neither NumPy nor PyTorch.
"""

import contextlib
import inspect
import os
import pickle
import tempfile
from html import escape
from typing import Any, Dict, Iterator, List, Optional, Union

from . import errors
from ._html import frame
from ._session import logger, session

Snapshot = Union[str, "os.PathLike[str]", Dict[str, Any]]


class Explanation(Dict[str, Any]):
    """The explanation of a recording: the JSON of ``headroom memory explain`` (docs/reference/formats.md), with names.

    Printed, it is the verdict in sentences; Jupyter shows it with the page, if one was asked for.
    """

    def __init__(self, content: Dict[str, Any], page: Optional[str] = None) -> None:
        super().__init__(content)
        self.page = page

    @property
    def verdict(self) -> str:
        """What happened, in a sentence or two."""
        return str(self["verdict_text"])

    @property
    def cause(self) -> str:
        """What in the program made it so. Empty where that is not known."""
        return str(self["cause_text"])

    @property
    def cure(self) -> str:
        """What would help. Empty where nothing needs to be changed."""
        return str(self["cure_text"])

    @property
    def cures(self) -> List[Dict[str, Any]]:
        """What was tried in simulation or can be done, the most useful first."""
        return list(self["cures"])

    @property
    def holders(self) -> List[Dict[str, Any]]:
        """Who held the memory at the explained moment, the largest first."""
        return list(self["holders"])

    def __str__(self) -> str:
        return "\n".join(text for text in (self.verdict, self.cause, self.cure) if text)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        text = "".join(f"<p>{escape(line)}</p>" for line in str(self).splitlines())
        if self.page is None:
            return text
        with open(self.page, encoding="utf-8") as file:
            content = file.read()
        return text + frame(content, height="40em")


@contextlib.contextmanager
def _file_of(snapshot: Snapshot) -> Iterator[str]:
    """The snapshot as a file. What torch.cuda.memory._snapshot() returns is written to a temporary one."""
    if not isinstance(snapshot, (dict, list)):
        yield os.fspath(snapshot)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "snapshot.pickle")
        with open(path, "wb") as file:
            pickle.dump(snapshot, file, protocol=4)
        yield path


def explain(
    snapshot: Snapshot,
    *,
    device: Union[int, str, None] = None,
    capacity: Union[int, str, None] = None,
    setting: Optional[str] = None,
    page: Optional[str] = None,
) -> Explanation:
    """Says why memory ran out or was wasted, and what would have cured it.

    Parameters
    ----------
    snapshot:
        A file that ``torch.cuda.memory._dump_snapshot()`` or ``headroom --memory-trace`` wrote, or what
        ``torch.cuda.memory._snapshot()`` returns.
    device:
        Number of a device; None: where memory ran out, else the one that reserved the most.
    capacity:
        Memory of the card, as "24GiB" or in bytes; None: as recorded, else without limit.
    setting:
        Explain the run under this PYTORCH_CUDA_ALLOC_CONF; None: as recorded.
    page:
        Page to write.
    """
    with _file_of(snapshot) as file:
        request: Dict[str, Any] = {"file": file}
        for key, value in {"capacity": capacity, "setting": setting, "page": page}.items():
            if value is not None:
                request[key] = value
        if device is not None:
            request["device"] = str(device)
        return Explanation(session().run("explain", request), page)


def predict(step: Any, **options: Any) -> Any:
    """Predicts the GPU memory of a training step or of a script, without a GPU. See ``prediction.predict``.

    >>> headroom.memory.predict(step, batch_size=32, capacity="24GiB")
    """
    from .prediction import predict as predicted

    return predicted(step, **options)


def explain_message(text: str) -> Explanation:
    """Explains the text of an out-of-memory error of PyTorch alone.

    The answer says whether free memory lay in pieces, whether other processes use the card and which changes could help,
    each with a level of certainty. ``text`` may be the whole output of a program: the last message counts.

    >>> try:
    ...     train()
    ... except torch.OutOfMemoryError as problem:
    ...     print(headroom.memory.explain_message(str(problem)))
    """
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "message.txt")
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        found = session().run("explain", {"message": path})
    found["source"] = "message"
    return Explanation(found)


class Watch:
    """What ``watch`` found: ``explanation`` is there once memory ran out, else None."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.explanation: Optional[Explanation] = None


def _is_out_of_memory(problem: BaseException) -> bool:
    """PyTorch 2.5 and later raise torch.OutOfMemoryError, which was torch.cuda.OutOfMemoryError before."""
    return any(kind.__name__ == "OutOfMemoryError" for kind in type(problem).__mro__)


def _add_to_message(problem: BaseException, text: str) -> None:
    first = str(problem.args[0]) if problem.args else ""
    problem.args = (f"{first}\n\n{text}", *problem.args[1:])


def _is_recording(torch: Any) -> bool:
    """Whether the program records already. PyTorch 2.0 has no question for that, but its snapshot has the events."""
    is_enabled = getattr(getattr(torch, "_C", None), "_cuda_isHistoryEnabled", None)
    if is_enabled is not None:
        return bool(is_enabled())
    take = getattr(torch.cuda.memory, "_snapshot", None)
    return take is not None and any(take().get("device_traces") or ())


def _start_recording(recorder: Any, max_entries: int) -> None:
    """PyTorch 2.0 has other parameters than later versions."""
    record = recorder._record_memory_history
    if "trace_alloc_max_entries" in inspect.signature(record).parameters:
        record(True, trace_alloc_max_entries=max_entries, trace_alloc_record_context=True)
    else:
        record(max_entries=max_entries)


def _stop_recording(recorder: Any) -> None:
    record = recorder._record_memory_history
    record(False if "trace_alloc_max_entries" in inspect.signature(record).parameters else None)


@contextlib.contextmanager
def watch(
    path: "os.PathLike[str] | str",
    *,
    max_entries: int = 100_000,
    device: Union[int, str, None] = None,
    capacity: Union[int, str, None] = None,
    page: Optional[str] = None,
) -> Iterator[Watch]:
    """Records the CUDA allocator within a ``with`` block; says why, if memory runs out in it.

    >>> with headroom.memory.watch("run.pickle"):
    ...     train()

    When PyTorch's OutOfMemoryError leaves the block, the snapshot is written to ``path`` and explained, the verdict is
    added to the error's message, and the error goes on. Where the snapshot cannot be written or explained, the message
    says why not. ``max_entries`` is how many events the recording keeps; ``device``, ``capacity`` and ``page`` are those of
    ``explain``. Without a CUDA device there is nothing to record: a warning says so, and the block runs.

    If the program records already, its recording continues, also after the block, and ``max_entries`` has no effect.
    """
    try:
        import torch
    except ImportError as problem:
        raise errors.UsageError("watch records what PyTorch allocates, and PyTorch is not installed") from problem
    watched = Watch(os.fspath(path))
    if not torch.cuda.is_available():
        logger.warning("memory.watch: PyTorch has no CUDA device here, so nothing is recorded")
        yield watched
        return
    recorder = torch.cuda.memory
    is_ours = not _is_recording(torch)
    if is_ours:
        _start_recording(recorder, max_entries)
    try:
        yield watched
    except BaseException as problem:
        if _is_out_of_memory(problem):
            _explain_into(problem, watched, recorder, {"device": device, "capacity": capacity, "page": page})
        raise
    finally:
        if is_ours:
            _stop_recording(recorder)


def _explain_into(problem: BaseException, watched: Watch, recorder: Any, options: Dict[str, Any]) -> None:
    """Whatever goes wrong here must not hide the error that is being explained."""
    try:
        recorder._dump_snapshot(watched.path)
    except Exception as failure:
        _add_to_message(problem, f"headroom: the snapshot could not be written to {watched.path}: {failure}")
        return
    try:
        watched.explanation = explain(watched.path, **options)
    except Exception as failure:
        _add_to_message(problem, f"headroom: the snapshot {watched.path} could not be explained: {failure}")
        return
    _add_to_message(problem, f"headroom: {watched.explanation}\nsnapshot: {watched.path}")
