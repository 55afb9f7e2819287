"""The verbs that train and evaluate. They run the program ``headroom``. Its options are taken with underscores."""

import json
import os
from pathlib import Path
from typing import Any, Dict, Union

from ._program import run_program

PathLike = Union[str, "os.PathLike[str]"]


def _json_of(folder: PathLike, name: str) -> Dict[str, Any]:
    content: Dict[str, Any] = json.loads((Path(folder) / name).read_text(encoding="utf-8"))
    return content


def train(data: PathLike, run: PathLike, **options: Any) -> Dict[str, Any]:
    """Trains an energy head on a benchmark (``headroom train``) and returns ``training_stats.json`` of the run folder.

    ``options`` are those of the command line: ``encoder="minimol"``, ``epochs=50``, ``memory_budget="2GiB"``. A stopped
    run goes on with ``resume=True``. ``headroom.Detector.load(run)`` applies the result.
    """
    run_program("train", data, run=run, **options)
    return _json_of(run, "training_stats.json")


def evaluate(run: PathLike, **options: Any) -> Dict[str, Any]:
    """Evaluates a run on its benchmark or on ``data`` (``headroom evaluate``): ``auroc``, ``aupr``, ``fpr95`` and more.

    Returns ``ood_evaluation_results.json`` of the run folder, or of ``out`` where that is given.
    """
    run_program("evaluate", run, **options)
    return _json_of(options.get("out") or run, "ood_evaluation_results.json")


def baseline(data: PathLike, method: str, run: PathLike, **options: Any) -> Dict[str, Any]:
    """Runs a baseline on a benchmark (``headroom baseline``) and returns its ``METHOD_results.json``."""
    run_program("baseline", data, method=method, run=run, **options)
    return _json_of(run, f"{method}_results.json")


def experiment(specification: PathLike, out: PathLike, **options: Any) -> Path:
    """Runs a matrix of benchmarks, encoders, methods and seeds (``headroom experiment``). Returns the folder."""
    run_program("experiment", specification, out=out, **options)
    return Path(out)
