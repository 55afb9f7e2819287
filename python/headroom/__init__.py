"""Headroom: molecules to features under a memory budget, and where a GPU's memory went.

>>> import headroom
>>> features = headroom.Minimol()(["CCO", "c1ccccc1"])   # float32 [2, 512]
"""

from typing import Any

from . import memory, weights
from ._session import show_progress
from .domain import Domain, Verdicts
from .encoders import Encoder, FailedMolecule, Minimol, encode, encoders
from .errors import Error, InputError, Interrupted, OverBudgetError, UsageError

__all__ = [
    "Domain",
    "Encoder",
    "Error",
    "FailedMolecule",
    "InputError",
    "Interrupted",
    "Minimol",
    "MoleculeTransformer",
    "OverBudgetError",
    "UsageError",
    "Verdicts",
    "encode",
    "encoders",
    "memory",
    "show_progress",
    "weights",
]


def __getattr__(name: str) -> Any:
    # The version is that of the library, and the transformer needs scikit-learn: neither is loaded before it is asked for.
    if name == "__version__":
        from ._library import load

        return load().headroom_version().decode()
    if name == "MoleculeTransformer":
        from .estimators import MoleculeTransformer

        return MoleculeTransformer
    raise AttributeError(f"module 'headroom' has no attribute {name!r}")
