"""Predicts the GPU memory of a PyTorch script without a GPU.

The script runs on the CPU. Its tensors on "cuda" become tensors without data, and every allocation and
release is recorded with its Python stack (following.py). Operators use the same kernels as on CUDA
(routes.py), and request the temporary memory of these kernels (temporaries.py). The stream is replayed
through the simulated allocator (answer.py).
"""

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Union

from .. import errors
from .._paths import require_apart
from .cards import CARDS, DEFAULT, Card, card_named
from .sizes import parse_size

if TYPE_CHECKING:
    from .answer import Prediction
    from .catching import Failure
    from .ranks import World
    from .running import Recorded

__all__ = ["CARDS", "predict"]

#: A script that runs out of memory more often does not seem to reach a batch that fits.
_MOST_FAILURES = 16


def predict(
    step: Union[str, "os.PathLike[str]", Callable[..., Any]],
    *,
    capacity: Union[int, str, None] = None,
    gpu: Optional[str] = None,
    torch_version: Optional[str] = None,
    find: Optional[str] = None,
    steps: int = 3,
    seconds: float = 120,
    script_arguments: Optional[List[str]] = None,
    page: Optional[str] = None,
    snapshot: Optional[str] = None,
    ranks: Optional[int] = None,
    **arguments: Any,
) -> "Prediction":
    """Predicts the GPU memory of a training step or of a script, without a GPU and without computing.

    Parameters
    ----------
    step:
        A function that builds tensors on "cuda" and makes one or more optimizer steps, or the path of a Python script.
        A function is called ``steps`` times with ``arguments``.
    capacity:
        Memory of the card, as "24GiB" or in bytes. If None, the memory of ``gpu``, or no limit without ``gpu``. A script that
        catches OutOfMemoryError gets this error where the card would run out of memory, except with ``find`` and ``ranks``.
    gpu:
        Name of a card, such as "h100". It selects kernels and workspaces. If None, an A100.
    torch_version:
        Version of PyTorch on the GPU machine, as "2.6". If None, the installed version.
    find:
        Name of an argument. Finds its largest value that fits. Needs ``capacity`` or ``gpu``.
    steps:
        Number of optimizer steps after which the run stops, at least 2. 0 runs a script to its end.
    seconds:
        Computing time of a thread after which the run stops. Training does not stop before two optimizer steps.
    script_arguments:
        Command-line arguments of a script.
    page:
        HTML page to write.
    snapshot:
        File to write. It contains the predicted stream as a memory snapshot of PyTorch. With ``ranks``, page and snapshot show the
        rank that needs most memory.
    ranks:
        Number of processes, each with one GPU, for scripts that use torch.distributed (DDP, FSDP). The prediction is the one of the
        rank that needs most memory, and ``prediction["ranks"]`` lists the peaks of all ranks.
    arguments:
        Keyword arguments of the function.

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
    >>> predict(lambda batch_size: None, batch_size=32, seconds=-1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    memgauge...errors.UsageError: seconds=-1: a run cannot stop before it starts. Use 0 or more
    """
    if steps == 1 or steps < 0:
        raise errors.UsageError(f"steps={steps}: a prediction needs at least two optimizer steps. Use 2 or more, or 0 for all")
    if seconds < 0:
        raise errors.UsageError(f"seconds={seconds:g}: a run cannot stop before it starts. Use 0 or more")
    require_apart({"page": page, "snapshot": snapshot}, {"the script": None if callable(step) else step})
    card = card_named(gpu or DEFAULT)
    limit = parse_size(capacity, "--capacity") if capacity is not None else card.memory_bytes if gpu else None
    if ranks is not None and ranks < 1:
        raise errors.UsageError(f"ranks={ranks}: a program has at least one process. Use 1 or more")
    if not callable(step) and arguments:
        raise errors.UsageError(
            f"{next(iter(arguments))}: a script takes its arguments as a list. Pass them as script_arguments"
        )
    if callable(step) and script_arguments:
        raise errors.UsageError("script_arguments: a function takes its arguments by name. Pass them as keywords")
    run = _Run(step, card, limit, torch_version, steps, seconds, page, snapshot, ranks)
    if find is None:
        return run.predicted(script_arguments or [], arguments)
    if limit is None:
        raise errors.UsageError(f"--find {find}: a search needs the memory of the card. Set --capacity or --gpu")
    return _found(run, find, limit, script_arguments or [], arguments)


class _Run:
    """Predicts a script or a function, with the settings of the constructor."""

    def __init__(
        self,
        step: Any,
        card: Card,
        limit: Optional[int],
        torch_version: Optional[str],
        steps: int,
        seconds: float,
        page: Optional[str],
        snapshot: Optional[str],
        ranks: Optional[int],
    ) -> None:
        try:
            import torch  # noqa: F401
        except ImportError as problem:
            raise errors.UsageError("a prediction runs the script with PyTorch, and PyTorch is not installed. Install it") from problem
        self.step = step
        self.card = card
        self.limit = limit
        self.torch_version = torch_version
        self.steps = steps
        self.seconds = seconds
        self.page = page
        self.snapshot = snapshot
        self.ranks = ranks

    def predicted(
        self, words: List[str], named: Dict[str, Any], writes_files: bool = True, find: Optional[Dict[str, Any]] = None, apart: bool = False
    ) -> "Prediction":
        """Predicts one run. If sizes depend on values that are not computed, a second run gives the upper end. ``apart``: whether
        the script runs in a process of its own, which frees its memory."""
        page = self.page if writes_files else None
        snapshot = self.snapshot if writes_files else None
        if self.ranks is None:
            if apart:
                lower = self._apart(words, named)
                return self._answer(lower, self._upper(lower, words, named), page, snapshot, find)
            lower = self._continued(self._recorded(words, named), words, named)
            upper = self._upper(lower, words, named)
            if upper is not None:
                upper = self._continued(upper, words, named, largest=True)
            return self._answer(lower, upper, page, snapshot, find)
        from . import answer
        from .ranks import World, ranks_to_run

        sent: List[Any] = []
        runs = {}
        for rank in ranks_to_run(self.ranks):
            world = World(rank, self.ranks, sent)
            lower = self._apart(words, named, world)
            sent = lower.sent
            if self.limit is not None and lower.catches_out_of_memory:
                lower.notes.append("The script catches OutOfMemoryError. With --ranks, memory never runs out during the run")
            runs[rank] = lower, self._upper(lower, words, named, world)
        found = {rank: self._answer(*run, None, None, find) for rank, run in runs.items()}
        largest = max(found, key=lambda rank: (found[rank]["peak_reserved_bytes_high"], found[rank]["peak_allocated_bytes"]))
        if page is not None or snapshot is not None:
            found[largest] = self._answer(*runs[largest], page, snapshot, find)
        return answer.of_ranks(found, largest, self.ranks)

    def _answer(
        self, lower: "Recorded", upper: Optional["Recorded"], page: Optional[str], snapshot: Optional[str], find: Optional[Dict[str, Any]]
    ) -> "Prediction":
        from . import answer

        name = getattr(self.step, "__name__", "step") if callable(self.step) else os.path.basename(os.fspath(self.step))
        return answer.answer(lower, name, self.card, self.limit, self.torch_version, page, snapshot, find, upper)

    def _recorded(
        self, words: List[str], named: Dict[str, Any], world: Optional["World"] = None, largest: bool = False, failures: Tuple["Failure", ...] = ()
    ) -> "Recorded":
        from . import running, versions

        version = versions.parse_version(self.torch_version)
        conditions = running.Conditions(
            self.card, self.limit or self.card.memory_bytes, version, self.steps, self.seconds, world, largest, failures
        )
        if callable(self.step):
            return running.run_callable(self.step, named, conditions)
        return running.run_script(os.fspath(self.step), words, conditions)

    def _apart(
        self, words: List[str], named: Dict[str, Any], world: Optional["World"] = None, largest: bool = False, failures: Tuple["Failure", ...] = ()
    ) -> "Recorded":
        from . import search

        return search.in_own_process(lambda: self._recorded(words, named, world, largest, failures))

    def _continued(self, whole: "Recorded", words: List[str], named: Dict[str, Any], largest: bool = False) -> "Recorded":
        """Returns the run of a script that catches OutOfMemoryError, with the errors that it would catch on the card. Returns
        ``whole``, the run without these errors, if memory does not run out or if the script does not continue."""
        from . import answer

        found = whole
        failures: Tuple["Failure", ...] = ()
        while self.limit is not None and whole.catches_out_of_memory:
            failure = answer.first_failure(found, self.card, self.limit)
            if failure is None:
                break
            failures = (*failures, failure)
            try:
                if len(failures) > _MOST_FAILURES:
                    raise errors.Error(f"memory runs out more than {_MOST_FAILURES} times")
                found = self._apart(words, named, None, largest, failures)
                if len(found.caught) < len(failures):
                    raise errors.Error("the script requests other memory when it runs again")
            except errors.Error as problem:
                reason = str(problem).partition(". ")[0]
                whole.notes.append(f"The script catches OutOfMemoryError, but it does not come to its end ({reason}). The figures ignore this error")
                return whole
        return found

    def _upper(
        self, lower: "Recorded", words: List[str], named: Dict[str, Any], world: Optional["World"] = None
    ) -> Optional["Recorded"]:
        """Returns the run in which all sizes that depend on values are as large as possible, or None if there are none."""
        return self._apart(words, named, world, largest=True) if lower.replacements.decide_sizes() else None


def _found(run: _Run, name: str, limit: int, words: List[str], named: Dict[str, Any]) -> "Prediction":
    from . import answer, search

    if callable(run.step):
        start = named.get(name, 1)
        if not isinstance(start, int):
            raise errors.UsageError(f"find={name!r}: {name}={start!r} is not a whole number. Start with a whole number")
    else:
        start = search.value_of(words, name) or 1

    def predict_value(value: int, writes_files: bool = False, find: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        if callable(run.step):
            return run.predicted(words, {**named, name: value}, writes_files, find, apart=True)
        return run.predicted(search.with_argument(words, name, value), named, writes_files, find, apart=True)

    found = search.find_largest(predict_value, name, start, int(limit * (1 - answer.TIGHT_SHARE)))
    value = found["value"] if found["value"] is not None else found["tried"][0]["value"]
    return answer.Prediction(predict_value(value, writes_files=True, find=found), run.page)
