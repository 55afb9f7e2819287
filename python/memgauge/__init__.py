"""Explains why PyTorch ran out of GPU memory, from its memory snapshots, and predicts the memory of a script
without a GPU. The package needs neither molgauge nor NumPy. Only the prediction needs PyTorch.

>>> import memgauge
>>> print(memgauge.explain("snapshot.pickle"))

Five modules, which load the library and define the errors, are links to the modules of molgauge.
"""

from ._library import load as _load
from .errors import Error, InputError, Interrupted, OverBudgetError, UsageError
from .explanations import (
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
        return str(_load().molgauge_version().decode())
    raise AttributeError(f"module 'memgauge' has no attribute {name!r}")
