"""Makes benchmarks, and trains and evaluates detectors. All functions except ``split`` run the program ``molgauge``."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Union

from ._option_checks import require_options
from ._program import run_program
from ._session import session

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import BaselineOptions, EvaluateOptions, ExperimentOptions, SplitOptions, TrainOptions

PathLike = Union[str, "os.PathLike[str]"]


def _json_of(folder: PathLike, name: str) -> Dict[str, Any]:
    content: Dict[str, Any] = json.loads((Path(folder) / name).read_text(encoding="utf-8"))
    return content


def split(molecules: PathLike, out: PathLike, **options: "Unpack[SplitOptions]") -> Dict[str, Any]:
    """Makes an out-of-distribution benchmark from a table of molecules (``molgauge split``).

    Parameters
    ----------
    molecules:
        The file with the molecules: .csv, .tsv, .smi, .sdf or DrugOOD JSON.
    out:
        The .json file for the benchmark. ``train`` and ``baseline`` read it.
    options:
        Options of ``molgauge split`` with underscores: ``label_column="active"``, ``domain="size"``, ``seed=1``.

    Returns
    -------
    dict
        The report: the number of molecules in each part, and the failed molecules.

    Raises
    ------
    InputError
        If the file cannot be read, or if it has too few molecules.

    Examples
    --------
    >>> molgauge.split("no-such-file.csv", "benchmark.json")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors.InputError: no-such-file.csv...
    """
    require_options("split", options)
    report: Dict[str, Any] = session().run("split", {"molecules": molecules, "out": out, **options})
    return report


def train(data: PathLike, run: PathLike, **options: "Unpack[TrainOptions]") -> Dict[str, Any]:
    """Trains an energy head on a benchmark (``molgauge train``).

    ``molgauge.Detector.load(run)`` applies the result. This function runs the program ``molgauge``, because the package
    contains no LibTorch. Without the program it raises Error.

    Parameters
    ----------
    data:
        The benchmark: a file or a name, as on the command line.
    run:
        The run folder.
    options:
        Options of ``molgauge train`` with underscores: ``encoder="minimol"``, ``epochs=50``, ``memory_budget="2GiB"``.
        A stopped run is continued. ``restart=True`` starts from scratch.

    Returns
    -------
    dict
        The content of ``training_stats.json`` in the run folder.

    Raises
    ------
    Error
        If the program is missing, or if training fails. The message is the message of the program.

    Examples
    --------
    >>> molgauge.train("no-such-benchmark.json", "run")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors...Error: ...
    """
    require_options("train", options)
    run_program("train", data, run=run, **options)
    return _json_of(run, "training_stats.json")


def evaluate(run: PathLike, **options: "Unpack[EvaluateOptions]") -> Dict[str, Any]:
    """Evaluates a run (``molgauge evaluate``). Runs the program ``molgauge``.

    Parameters
    ----------
    run:
        The run folder.
    options:
        Options of ``molgauge evaluate``: ``data`` names another benchmark, ``out`` another folder for the results.

    Returns
    -------
    dict
        The content of ``ood_evaluation_results.json``: ``auroc``, ``aupr``, ``fpr95`` and more.

    Raises
    ------
    Error
        If the program is missing, or if it fails.

    Examples
    --------
    >>> molgauge.evaluate("no-such-run")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors...Error: ...
    """
    require_options("evaluate", options)
    run_program("evaluate", run, **options)
    return _json_of(options.get("out") or run, "ood_evaluation_results.json")


def baseline(data: PathLike, method: str, run: PathLike, **options: "Unpack[BaselineOptions]") -> Dict[str, Any]:
    """Runs a baseline detector on a benchmark (``molgauge baseline``). Runs the program ``molgauge``.

    Parameters
    ----------
    data:
        The benchmark: a file or a name.
    method:
        The detector, for example "msp" or "knn".
    run:
        The run folder.
    options:
        Options of ``molgauge baseline`` with underscores.

    Returns
    -------
    dict
        The content of ``METHOD_results.json`` in the run folder.

    Raises
    ------
    Error
        If the program is missing, or if it fails.

    Examples
    --------
    >>> molgauge.baseline("no-such-benchmark.json", "msp", "run")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors...Error: ...
    """
    require_options("baseline", options)
    run_program("baseline", data, method=method, run=run, **options)
    return _json_of(run, f"{method}_results.json")


def experiment(specification: PathLike, out: PathLike, **options: "Unpack[ExperimentOptions]") -> Path:
    """Runs a matrix of benchmarks, encoders, methods and seeds (``molgauge experiment``). Runs the program ``molgauge``.

    Parameters
    ----------
    specification:
        The TOML file of the matrix.
    out:
        The folder of the results.
    options:
        Options of ``molgauge experiment`` with underscores.

    Returns
    -------
    pathlib.Path
        The folder.

    Raises
    ------
    Error
        If the program is missing, or if it fails.

    Examples
    --------
    >>> molgauge.experiment("no-such-matrix.toml", "out")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors...Error: ...
    """
    require_options("experiment", options)
    run_program("experiment", specification, out=out, **options)
    return Path(out)
