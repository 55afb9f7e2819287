"""Explains why PyTorch ran out of GPU memory, from its memory snapshots. The package has molgauge.memory
without the rest of Molgauge.

>>> import memgauge
>>> print(memgauge.explain("snapshot.pickle"))

Some modules exist in both packages. When the wheel is built, they are copied from molgauge (packaging/memory).
"""

import os as _os

if not _os.path.exists(_os.path.join(_os.path.dirname(__file__), "memory.py")):  # in a checkout, the modules are in molgauge
    __path__.append(_os.path.join(_os.path.dirname(_os.path.dirname(__file__)), "molgauge"))

from ._library import load as _load
from .errors import Error, InputError, Interrupted, OverBudgetError, UsageError
from .memory import (
    Explanation,
    Recorder,
    Watch,
    assert_peak,
    explain,
    explain_message,
    lightning_callback,
    predict,
    trainer_callback,
    watch,
)

__all__ = [
    "Error",
    "Explanation",
    "InputError",
    "Interrupted",
    "OverBudgetError",
    "Recorder",
    "UsageError",
    "Watch",
    "assert_peak",
    "explain",
    "explain_message",
    "lightning_callback",
    "predict",
    "trainer_callback",
    "watch",
]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return _load().molgauge_version().decode()
    raise AttributeError(f"module 'memgauge' has no attribute {name!r}")
