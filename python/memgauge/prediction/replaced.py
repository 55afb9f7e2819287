"""Collects the values that a script reads although a prediction does not compute them."""

import os
import sys
from typing import Any, Dict, List, Tuple

_TORCH = os.sep + "torch" + os.sep
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}", _TORCH)
_STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep
_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))


class Refusal(BaseException):
    """Raised if a part of the script cannot be predicted. Handlers of Exception in the script do not catch it."""


class Finished(BaseException):
    """Raised when enough optimizer steps have run. Handlers of Exception in the script do not catch it."""


def is_of_script(filename: str) -> bool:
    """Whether a file belongs to the script, and not to an installed package, to Python or to Molgauge."""
    return not filename.startswith(("<", _OWN_FOLDER, _STANDARD_LIBRARY)) and not any(part in filename for part in _INSTALLED)


def _shown_file(filename: str) -> str:
    """Returns the name of a file of the script, or the path of a file of an installed package, as "transformers/trainer.py"."""
    for part in _INSTALLED[:2]:
        if part in filename:
            return filename.rpartition(part)[2]
    return os.path.basename(filename)


def place_in_script() -> str:
    """Returns the innermost frame outside PyTorch and outside this package, as "train.py:12"."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(_OWN_FOLDER) and _TORCH not in name and not name.startswith("<frozen"):
            return f"{_shown_file(name)}:{frame.f_lineno}"
        frame = frame.f_back  # type: ignore[assignment]
    return "?"


class Replacements:
    """Counts the replaced values by their places in the script."""

    def __init__(self) -> None:
        self._counts: Dict[Tuple[str, str, str, bool], int] = {}

    def add(self, what: str, by: str, decides: bool = False) -> None:
        """Counts a value. ``decides``: whether it decides the size of a tensor."""
        key = (what, by, place_in_script(), decides)
        self._counts[key] = self._counts.get(key, 0) + 1

    def listed(self) -> List[Dict[str, Any]]:
        """Lists the values in the order in which they first appeared."""
        return [
            {"value": what, "replaced_by": by, "place": place, "times": times, "decides_size": decides}
            for (what, by, place, decides), times in self._counts.items()
        ]

    def decide_sizes(self) -> List[str]:
        """Returns the places where a value decided the size of a tensor."""
        return sorted({place for (_, _, place, decides) in self._counts if decides})

    def most_read(self) -> Tuple[str, int]:
        """Returns the place that read most values of GPU tensors, and their number."""
        reads = {place: times for (what, _, place, _), times in self._counts.items() if what == "value of a GPU tensor"}
        place = max(reads, key=lambda one: reads[one], default="")
        return place, reads.get(place, 0)
