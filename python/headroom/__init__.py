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

__version__ = "0.1.0"

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
    # Needs scikit-learn, which most users of the rest do not have loaded.
    if name == "MoleculeTransformer":
        from .estimators import MoleculeTransformer

        return MoleculeTransformer
    raise AttributeError(f"module 'headroom' has no attribute {name!r}")
