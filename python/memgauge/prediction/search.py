"""Finds the largest value of an argument that fits. Each value is predicted in a separate process."""

import os
import pickle
from typing import Any, Callable, Dict, List, Optional, TypeVar

from .. import errors

#: Values above this are not tried.
LARGEST = 1 << 20

#: The search is exact up to this value. Above it, the result may be too small by up to the fraction 1 / EXACT_UP_TO of
#: its value.
EXACT_UP_TO = 1000

_Result = TypeVar("_Result")

_MOST_TRIALS = 24


class Trials:
    """Caches predictions by value. ``predict(value)`` returns the content of a prediction."""

    def __init__(self, predict: Callable[[int], Dict[str, Any]]) -> None:
        self._predict = predict
        self.done: Dict[int, Dict[str, Any]] = {}

    def fits(self, value: int) -> bool:
        if value not in self.done:
            self.done[value] = self._predict(value)
        return bool(self.done[value]["fits"])

    def needed(self, value: int) -> int:
        return int(self.done[value]["peak_reserved_bytes_high"] + self.done[value]["context_bytes"])


def guess(trials: Trials, low: int, high: Optional[int], capacity: int) -> int:
    """Returns the next value to try above ``low``, from the line through the last two predictions."""
    known = sorted(trials.done)[-2:] if high is None else [low, high]
    value = low * 2
    if len(known) == 2 and trials.needed(known[1]) > trials.needed(known[0]):
        slope = (trials.needed(known[1]) - trials.needed(known[0])) / (known[1] - known[0])
        value = known[0] + int((capacity - trials.needed(known[0])) / slope)
    if high is None:
        return max(low + 1, min(value, low * 16, LARGEST))
    return max(low + 1, min(value, high - 1))


def find_largest(predict: Callable[[int], Dict[str, Any]], name: str, start: int, capacity: int) -> Dict[str, Any]:
    """Finds the largest value that fits, assuming that memory grows with the value. Returns a dict with name, value
    (None if no value fits), too_large (the smallest tried value that does not fit, or None) and tried.

    ``capacity``: the bytes that may be used. It affects only the order of the search, because ``predict`` decides
    what fits.
    """
    trials = Trials(predict)
    low: Optional[int] = None
    high: Optional[int] = None
    value = max(1, start)
    for trial in range(_MOST_TRIALS):
        if trials.fits(value):
            low = value
        else:
            high = value
        if low is not None and (low >= LARGEST or (high is not None and high - low <= max(1, low // EXACT_UP_TO))):
            break
        if low is None:
            if value == 1:
                break
            value = max(1, value // 4)
        else:
            proposed = guess(trials, low, high, capacity)
            # The guesses may approach the result slowly from one side. Every second trial therefore halves the
            # interval.
            value = (low + high) // 2 if high is not None and trial % 2 == 1 else proposed
    return {
        "name": name,
        "value": low,
        "too_large": high,
        "tried": [
            {"value": one, "verdict": done["verdict"], "peak_reserved_bytes_high": done["peak_reserved_bytes_high"]}
            for one, done in sorted(trials.done.items())
        ],
    }


def in_own_process(work: Callable[[], _Result]) -> _Result:
    """Runs ``work`` in a forked process and returns its result. Its models are freed when the process ends. Raises the errors of
    ``work``."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            try:
                outcome: Any = (0, work())
            except errors.Error as problem:
                outcome = (problem.code, str(problem))
            except BaseException as problem:
                outcome = (1, f"{type(problem).__name__}: {problem}")
            with os.fdopen(writing, "wb") as pipe:
                pickle.dump(outcome, pipe)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        content = pipe.read()
    _, status = os.waitpid(child, 0)
    if not content:
        raise errors.Error(f"the process of a prediction ended early (status {status}). It may have run out of host memory")
    code, result = pickle.loads(content)
    if code != 0:
        raise errors.of_status(code, result)
    return result  # type: ignore[no-any-return]


def with_argument(arguments: List[str], name: str, value: int) -> List[str]:
    """Replaces the value of ``name`` in the arguments of a script, in the forms --batch_size 8, --batch-size=8 and
    batch_size=8. Appends the argument if it is missing."""
    spellings = {f"--{name}", f"--{name.replace('_', '-')}", f"--{name.replace('-', '_')}"}
    if len(name) == 1:
        spellings.add(f"-{name}")
    changed = list(arguments)
    for i, word in enumerate(changed):
        if word in spellings and i + 1 < len(changed):
            changed[i + 1] = str(value)
            return changed
        key, equals, _ = word.partition("=")
        if equals and (key in spellings or key == name):
            changed[i] = f"{key}={value}"
            return changed
    return [*changed, f"--{name}", str(value)]


def value_of(arguments: List[str], name: str) -> Optional[int]:
    """Returns the value of ``name`` in the arguments of a script, or None."""
    marked = with_argument(arguments, name, -1)
    if len(marked) != len(arguments):
        return None
    for old, new in zip(arguments, marked):
        if old != new:
            text = old.partition("=")[2] if "=" in old else old
            if not text.isdigit():
                raise errors.UsageError(f"--find {name}: its value {text} is not a whole number. Give the script a whole number")
            return int(text)
    return None
