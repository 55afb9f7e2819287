"""Headroom computes features of molecules within a memory budget, and explains how the memory of a GPU was
used.

>>> import headroom
>>> features = headroom.Minimol()(["CCO", "c1ccccc1"])   # float32 [2, 512]
"""

import importlib
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from . import memory, pocket, pyod, ray, weights
    from ._session import show_progress
    from .detector import Detector, Scores
    from .domain import Domain, Verdicts
    from .encoding import Encoder, FailedMolecule, FailedMolecules, Minimol, encode, encoders
    from .errors import Error, InputError, Interrupted, OverBudgetError, UsageError
    from .estimators import FeatureDomain, MoleculeTransformer, PropertyRegressor
    from .predictions import Predictions, predict
    from .training import baseline, evaluate, experiment, split, train
    from .unimol import UniMolRepr

# The module of each name. A module is loaded when one of its names is used. `import headroom` alone loads
# neither NumPy nor the library. scikit-learn is loaded only for the names that need it.
_HOMES = {
    "Detector": "detector",
    "Domain": "domain",
    "Encoder": "encoding",
    "Error": "errors",
    "FailedMolecule": "encoding",
    "FailedMolecules": "encoding",
    "FeatureDomain": "estimators",
    "InputError": "errors",
    "Interrupted": "errors",
    "Minimol": "encoding",
    "MoleculeTransformer": "estimators",
    "OverBudgetError": "errors",
    "Predictions": "predictions",
    "PropertyRegressor": "estimators",
    "Scores": "detector",
    "UniMolRepr": "unimol",
    "UsageError": "errors",
    "Verdicts": "domain",
    "baseline": "training",
    "encode": "encoding",
    "encoders": "encoding",
    "evaluate": "training",
    "experiment": "training",
    "predict": "predictions",
    "show_progress": "_session",
    "split": "training",
    "train": "training",
}
_MODULES = ("memory", "pocket", "pyod", "ray", "weights")

__all__ = [
    "Detector",
    "Domain",
    "Encoder",
    "Error",
    "FailedMolecule",
    "FailedMolecules",
    "FeatureDomain",
    "InputError",
    "Interrupted",
    "Minimol",
    "MoleculeTransformer",
    "OverBudgetError",
    "Predictions",
    "PropertyRegressor",
    "Scores",
    "UniMolRepr",
    "UsageError",
    "Verdicts",
    "baseline",
    "encode",
    "encoders",
    "evaluate",
    "experiment",
    "memory",
    "pocket",
    "predict",
    "pyod",
    "ray",
    "show_progress",
    "split",
    "train",
    "weights",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from ._library import load

        return load().headroom_version().decode()
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name not in _HOMES:
        raise AttributeError(f"module 'headroom' has no attribute {name!r}")
    found = getattr(importlib.import_module("." + _HOMES[name], __name__), name)
    globals()[name] = found
    return found


def __dir__() -> List[str]:
    return sorted(__all__)
