"""Explains the GPU memory of a PyTorch program. This module needs neither NumPy nor PyTorch."""

import contextlib
import os
import pickle
import sys
from html import escape
from typing import Any, Dict, Iterator, List, Optional, Union

from . import errors
from ._html import frame
from ._paths import require_apart
from ._session import logger, session
from .recorder import (
    Recorder,
    add_to_message,
    is_out_of_memory,
    is_recording,
    lightning_callback,
    start_recording,
    stop_recording,
    trainer_callback,
)

__all__ = [
    "Explanation",
    "Recorder",
    "Watch",
    "assert_peak",
    "explain",
    "explain_message",
    "lightning_callback",
    "predict",
    "trainer_callback",
    "watch",
]

Snapshot = Union[str, "os.PathLike[str]", bytes, Dict[str, Any]]


def __dir__() -> List[str]:
    return __all__


class Explanation(Dict[str, Any]):
    """The explanation of a recording, a dict with the content of the JSON of ``molgauge memory explain``
    (docs/reference/formats.md).

    ``print`` shows the verdict in sentences. Jupyter also shows the page, if one was written.

    Attributes
    ----------
    page:
        The file of the page, or None if it was not written.

    Examples
    --------
    >>> found = explain_message("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB "
    ...     "of which 1.71 GiB is free. Of the allocated memory 70.02 GiB is allocated by PyTorch, and 6.21 GiB is reserved "
    ...     "by PyTorch but unallocated.")
    >>> found["verdict"]
    'fragmented'
    """

    def __init__(self, content: Dict[str, Any], page: Optional[str] = None) -> None:
        super().__init__(content)
        self.page = page

    @property
    def verdict(self) -> str:
        """One or two sentences about what happened."""
        return str(self["verdict_text"])

    @property
    def cause(self) -> str:
        """The cause in the program. Empty if it is unknown."""
        return str(self["cause_text"])

    @property
    def cure(self) -> str:
        """The recommended change. Empty if nothing needs to be changed."""
        return str(self["cure_text"])

    @property
    def cures(self) -> List[Dict[str, Any]]:
        """The possible changes, the most useful first. If a change was simulated, the result of the
        simulation is included."""
        return list(self["cures"])

    @property
    def holders(self) -> List[Dict[str, Any]]:
        """The holders of the memory at the explained moment, the largest first."""
        return list(self["holders"])

    def __str__(self) -> str:
        return "\n".join(text for text in (self.verdict, self.cause, self.cure, *self._lines_of_ranks()) if text)

    def _lines_of_ranks(self) -> Iterator[str]:
        """The peak of each rank, if several snapshots were explained."""
        for rank in self.get("ranks", {}).get("ranks", []):
            failed = ", memory ran out" if rank["ran_out"] else ""
            yield f"{os.path.basename(rank['source'])}: {rank['peak_bytes'] / (1 << 20):,.1f} MiB in use at the peak{failed}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        text = "".join(f"<p>{escape(line)}</p>" for line in str(self).splitlines())
        if self.page is None:
            return text
        with open(self.page, encoding="utf-8") as file:
            content = file.read()
        return text + frame(content, height="40em")


def explain(
    snapshot: Snapshot,
    *,
    device: Union[int, str, None] = None,
    capacity: Union[int, str, None] = None,
    setting: Optional[str] = None,
    page: Optional[str] = None,
    begin: Union[int, str, None] = None,
    end: Union[int, str, None] = None,
) -> Explanation:
    """Explains why memory ran out or was wasted, and which change would have helped.

    Parameters
    ----------
    snapshot:
        The path of a file that ``torch.cuda.memory._dump_snapshot()`` or ``molgauge --memory-trace`` wrote, the path of a
        folder with a snapshot of each rank, the bytes of such a file, or the result of ``torch.cuda.memory._snapshot()``. Bytes and results are not written to a file.
    device:
        The number of a device. If None, the device that ran out of memory, or the device with the most reserved
        memory.
    capacity:
        The memory of the GPU, as "24GiB" or in bytes. If None, the recorded value, or no limit if it was not
        recorded.
    setting:
        Explains the run under this PYTORCH_CUDA_ALLOC_CONF. If None, under the recorded one.
    page:
        The HTML page to write.
    begin, end:
        The part of the history to explain: the number of an event, or its time after the first event, as "1.5s". The event at
        ``end`` does not belong to the part. Very large snapshots need less memory with these arguments.

    Returns
    -------
    Explanation
        The verdict, its cause and the possible changes.

    Raises
    ------
    InputError
        If the snapshot cannot be read.
    UsageError
        If the snapshot has no such device, or if an option has a wrong value.

    Examples
    --------
    >>> block = {"address": 0, "size": 1 << 20, "requested_size": 1 << 20, "state": "active_allocated"}
    >>> segment = {"device": 0, "address": 0, "total_size": 1 << 20, "stream": 0, "segment_type": "small",
    ...            "allocated_size": 1 << 20, "active_size": 1 << 20, "blocks": [block]}
    >>> found = explain({"segments": [segment], "device_traces": [[]]})
    >>> found["device"]
    0
    """
    request: Dict[str, Any] = {
        key: value for key, value in {"capacity": capacity, "setting": setting, "page": page}.items() if value is not None
    }
    request.update({key: str(value) for key, value in {"device": device, "from": begin, "to": end}.items() if value is not None})
    if isinstance(snapshot, (dict, list)):
        snapshot = pickle.dumps(snapshot, protocol=4)
    if not isinstance(snapshot, (str, os.PathLike, bytes, bytearray, memoryview)):
        raise TypeError(
            "a snapshot is a path, bytes, or the result of torch.cuda.memory._snapshot(), not " + type(snapshot).__name__
        )
    if isinstance(snapshot, (bytes, bytearray, memoryview)):
        return Explanation(session().explain(request, bytes(snapshot)), page)
    return Explanation(session().run("explain", {**request, "file": os.fspath(snapshot)}), page)


def predict(step: Any, **options: Any) -> Any:
    """Predicts the GPU memory of a training step or of a script, without a GPU.

    Parameters
    ----------
    step:
        A function that builds tensors on "cuda" and makes optimizer steps, or the path of a Python script.
    options:
        The arguments of ``prediction.predict``, which describes them.

    Returns
    -------
    Prediction
        The peak memory, the largest holders, and the verdict if a capacity is given.

    Raises
    ------
    UsageError
        If PyTorch is missing or too old, or if a part of the script cannot be predicted.
    Error
        If the script fails.

    Examples
    --------
    >>> predict("no-such-script.py", steps=1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    memgauge...errors.UsageError: steps=1: a prediction needs at least two optimizer steps. Use 2 or more, or 0 for all
    """
    from .prediction import predict as predicted

    return predicted(step, **options)


def assert_peak(step: Any, below: Any, **options: Any) -> Any:
    """Predicts a training step, and raises AssertionError if its peak reserved memory is not below a budget.

    Parameters
    ----------
    step, options:
        As in ``predict``. With ``capacity``, the step must also fit on the card.
    below:
        The budget, as "20GiB" or in bytes. If the prediction is a range, its upper end must be below the budget.

    Returns
    -------
    Prediction
        The prediction.

    Raises
    ------
    AssertionError
        If the step needs more memory. The message names the largest holders.
    UsageError
        If a part of the script cannot be predicted.
    Error
        If the script fails.

    Examples
    --------
    >>> assert_peak("no-such-script.py", below="20GB")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    memgauge...errors.UsageError: below 20GB: invalid size. Write a number with KiB, MiB, GiB or TiB, such as 24GiB
    """
    from .prediction.budget import assert_peak as check

    return check(step, below, **options)


def explain_message(text: str) -> Explanation:
    """Explains the text of an out-of-memory error of PyTorch, without a snapshot.

    The explanation says whether free memory was fragmented, whether other processes use the GPU and which changes
    could help. Each statement has a level of certainty.

    Parameters
    ----------
    text:
        The message, or the whole output of a program. If it contains several messages, the last one is
        explained.

    Returns
    -------
    Explanation
        The verdict, its cause and the possible changes.

    Raises
    ------
    InputError
        If the text contains no such message.

    Examples
    --------
    >>> found = explain_message("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total capacity of 79.15 GiB "
    ...     "of which 1.71 GiB is free. Of the allocated memory 70.02 GiB is allocated by PyTorch, and 6.21 GiB is reserved "
    ...     "by PyTorch but unallocated.")
    >>> found["device"]
    5
    """
    found = session().explain({}, text.encode("utf-8", "replace"))
    found["source"] = "message"
    return Explanation(found)


class Watch:
    """The result of ``watch``.

    Attributes
    ----------
    path:
        The file of the snapshot.
    explanation:
        The Explanation if memory ran out, else None.

    Examples
    --------
    >>> print(Watch("run.pickle").explanation)
    None
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.explanation: Optional[Explanation] = None


@contextlib.contextmanager
def watch(
    path: "os.PathLike[str] | str",
    *,
    max_entries: int = 100_000,
    device: Union[int, str, None] = None,
    capacity: Union[int, str, None] = None,
    page: Optional[str] = None,
) -> Iterator[Watch]:
    """Records the CUDA allocator in a ``with`` block, and explains the cause if memory runs out in the block.

    If PyTorch's OutOfMemoryError leaves the block, the snapshot is written to ``path`` and explained. The verdict is added
    to the message of the error, and the error is raised again. If the snapshot cannot be written or explained, the message
    gives the reason. Without a CUDA device, a warning is logged and nothing is recorded.

    If the program is already recording, its recording continues in the block and after it. Then ``max_entries`` has
    no effect.

    Parameters
    ----------
    path:
        The file for the snapshot.
    max_entries:
        The number of events that the recording keeps.
    device, capacity, page:
        As in ``explain``.

    Yields
    ------
    Watch
        Its ``explanation`` is set if memory runs out.

    Raises
    ------
    UsageError
        If PyTorch is not installed.

    Examples
    --------
    >>> with watch("run.pickle") as watched:  # doctest: +SKIP
    ...     train()
    """
    try:
        import torch
    except ImportError as problem:
        raise errors.UsageError("watch records allocations of PyTorch, but PyTorch is not installed. Install it") from problem
    running = sys.argv[0] if sys.argv and os.path.isfile(sys.argv[0]) else None
    require_apart({"path": path, "page": page}, {"the running script": running})
    watched = Watch(os.fspath(path))
    if not torch.cuda.is_available():
        logger.warning("memory.watch: PyTorch found no CUDA device, so nothing is recorded")
        yield watched
        return
    recorder = torch.cuda.memory
    is_ours = not is_recording(torch)
    if is_ours:
        start_recording(recorder, max_entries)
    try:
        yield watched
    except BaseException as problem:
        if is_out_of_memory(problem):
            _explain_into(problem, watched, recorder, {"device": device, "capacity": capacity, "page": page})
        raise
    finally:
        if is_ours:
            stop_recording(recorder)


def _explain_into(problem: BaseException, watched: Watch, recorder: Any, options: Dict[str, Any]) -> None:
    """Adds the explanation to the error ``problem``. A failure of the explanation must not hide this error."""
    try:
        recorder._dump_snapshot(watched.path)
    except Exception as failure:
        add_to_message(problem, f"memgauge: the snapshot could not be written to {watched.path}: {failure}")
        return
    try:
        watched.explanation = explain(watched.path, **options)
    except Exception as failure:
        add_to_message(problem, f"memgauge: the snapshot {watched.path} could not be explained: {failure}")
        return
    add_to_message(problem, f"memgauge: {watched.explanation}\nsnapshot: {watched.path}")
