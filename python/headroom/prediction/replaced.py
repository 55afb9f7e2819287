"""Collects the values that a script reads although a prediction does not compute them."""

import os
import sys
from typing import Any, Dict, List, Tuple

_TORCH = os.sep + "torch" + os.sep
_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))


class Refusal(BaseException):
    """Raised if a part of the script cannot be predicted. Handlers of Exception in the script do not catch it."""


class Finished(BaseException):
    """Raised when enough optimizer steps have run. Handlers of Exception in the script do not catch it."""


def place_in_script() -> str:
    """Returns the innermost frame outside PyTorch and outside this package, as "train.py:12"."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(_OWN_FOLDER) and _TORCH not in name and not name.startswith("<frozen"):
            return f"{os.path.basename(name)}:{frame.f_lineno}"
        frame = frame.f_back  # type: ignore[assignment]
    return "?"


class Replacements:
    """Counts the replaced values by their places in the script."""

    def __init__(self) -> None:
        self._counts: Dict[Tuple[str, str, str], int] = {}

    def add(self, what: str, by: str, place: str = "") -> None:
        key = (what, by, place or place_in_script())
        self._counts[key] = self._counts.get(key, 0) + 1

    def listed(self) -> List[Dict[str, Any]]:
        """Lists the values in the order in which they first appeared."""
        return [
            {"value": what, "replaced_by": by, "place": place, "times": times}
            for (what, by, place), times in self._counts.items()
        ]
