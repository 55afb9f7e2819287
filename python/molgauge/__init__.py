"""Molgauge computes features of molecules and applicability domains.

>>> import molgauge
>>> features = molgauge.encode(["CCO", "c1ccccc1"], "ecfp")  # float32 [2, 512]

===============================  ==========================================================
encode, Encoder, encoders        features of molecules
Domain, Verdicts                 is a molecule close to the training set of a model?
predict, PropertyRegressor       predictions of trained models of chemprop
MoleculeTransformer,             steps for scikit-learn
FeatureDomain
split, train, evaluate,          benchmarks and detectors of out-of-distribution molecules
baseline, experiment, Detector
pocket                           RNA pockets and their ligands
weights                          weights of pretrained encoders
Minimol, UniMolRepr, pyod, ray   interfaces of other packages
===============================  ==========================================================
"""

import importlib
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from . import pocket, pyod, ray, weights
    from ._session import show_progress
    from .detector import Detector, Scores
    from .domain import Domain, Verdicts
    from .encoding import Encoder, FailedMolecule, FailedMolecules, Minimol, encode, encoders
    from .errors import Error, InputError, Interrupted, OverBudgetError, UsageError
    from .estimators import FeatureDomain, MoleculeTransformer, PropertyRegressor
    from .predictions import Predictions, predict
    from .training import baseline, evaluate, experiment, split, train
    from .unimol import UniMolRepr

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
        "pocket",
        "predict",
        "pyod",
        "ray",
        "show_progress",
        "split",
        "train",
        "weights",
    ]

# The module that defines each public name. A module is loaded when one of its names is used. `import molgauge`
# therefore loads neither NumPy nor the library, and only the estimators need scikit-learn.
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
_MODULES = ("pocket", "pyod", "ray", "weights")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from ._library import load

        return load().molgauge_version().decode()
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name == "__all__":
        return _names()
    if name not in _HOMES:
        raise AttributeError(f"module 'molgauge' has no attribute {name!r}")
    try:
        home = importlib.import_module("." + _HOMES[name], __name__)
    except ModuleNotFoundError as problem:
        if problem.name != "sklearn":
            raise
        raise ImportError(f"molgauge.{name} needs scikit-learn. Install it: pip install scikit-learn") from problem
    found = getattr(home, name)
    globals()[name] = found
    return found


def _names() -> List[str]:
    """The public names. They include the estimators only if scikit-learn is installed."""
    from importlib.util import find_spec

    has_sklearn = find_spec("sklearn") is not None
    return sorted(name for name in (*_HOMES, *_MODULES) if has_sklearn or _HOMES.get(name) != "estimators")


def __dir__() -> List[str]:
    return _names()
