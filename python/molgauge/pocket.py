"""Builds graphs of RNA binding pockets, trains encoders of pockets, and searches ligands for them.

``build`` and ``ligands`` prepare files. ``train`` makes an encoder. ``embed`` and ``search`` apply it. All functions
take the options of ``molgauge pocket`` with underscores.
"""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Union

from ._option_checks import require_options
from ._program import run_program
from ._session import session

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import (
        PocketBuildOptions,
        PocketEmbedOptions,
        PocketEvaluateOptions,
        PocketLigandsOptions,
        PocketSearchOptions,
        PocketTrainOptions,
    )

__all__ = ["build", "embed", "evaluate", "ligands", "search", "train"]

PathLike = Union[str, "os.PathLike[str]"]


def __dir__() -> List[str]:
    return __all__


def _run(verb: str, request: Dict[str, Any], options: Mapping[str, Any]) -> Dict[str, Any]:
    require_options(f"pocket {verb}", options)
    plain = {name.rstrip("_"): value for name, value in options.items()}
    report: Dict[str, Any] = session().run(f"pocket_{verb}", {**request, **plain})
    return report


def build(input: PathLike, out: PathLike, **options: "Unpack[PocketBuildOptions]") -> Dict[str, Any]:
    """Builds graphs of pockets from structures (``molgauge pocket build``).

    Parameters
    ----------
    input:
        The folder or file with structures.
    out:
        The folder for the graphs.
    options:
        Further options of the command with underscores, for example ``distance_cutoff=4.0`` (angstrom).

    Returns
    -------
    dict
        The report: pockets, failed pockets with their reasons, atoms and seconds.

    Raises
    ------
    InputError
        If the input cannot be read, or if no pocket has a graph.

    Examples
    --------
    >>> molgauge.pocket.build("no-such-folder", "graphs")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors.InputError: no-such-folder...
    """
    return _run("build", {"input": os.fspath(input), "out": os.fspath(out)}, options)


def ligands(compounds: PathLike, out: PathLike, **options: "Unpack[PocketLigandsOptions]") -> Dict[str, Any]:
    """Encodes the ligands of a table (``molgauge pocket ligands``).

    Parameters
    ----------
    compounds:
        The file with the ligands.
    out:
        The .npz file for the features.
    options:
        Further options of the command with underscores.

    Returns
    -------
    dict
        The report: ligands, failed ligands with their reasons, and seconds.

    Raises
    ------
    InputError
        If the file cannot be read.

    Examples
    --------
    >>> molgauge.pocket.ligands("no-such-file.csv", "ligands.npz")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors.InputError: no-such-file.csv...
    """
    return _run("ligands", {"compounds": os.fspath(compounds), "out": os.fspath(out)}, options)


def train(graphs: PathLike, ligands: PathLike, run: PathLike, **options: "Unpack[PocketTrainOptions]") -> Dict[str, Any]:
    """Trains an encoder of pockets (``molgauge pocket train``). Runs the program ``molgauge``.

    The package contains no LibTorch, so this function needs the program. The program must be on ``PATH``, or
    the variable ``MOLGAUGE_PROGRAM`` must name it.

    Parameters
    ----------
    graphs:
        The folder that ``build`` wrote.
    ligands:
        The file that ``ligands`` wrote.
    run:
        The run folder.
    options:
        Further options of the command with underscores, for example ``epochs=100``.

    Returns
    -------
    dict
        The content of ``config.json`` in the run folder.

    Raises
    ------
    Error
        If the program is missing, or if training fails.

    Examples
    --------
    >>> molgauge.pocket.train("no-such-folder", "ligands.npz", "run")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors...Error: ...
    """
    require_options("pocket train", options)
    run_program("pocket", "train", graphs, ligands=ligands, run=run, **options)
    config: Dict[str, Any] = json.loads((Path(run) / "config.json").read_text(encoding="utf-8"))
    return config


def embed(encoder: PathLike, graphs: PathLike, out: PathLike, **options: "Unpack[PocketEmbedOptions]") -> Dict[str, Any]:
    """Encodes pockets into a file (``molgauge pocket embed``).

    Parameters
    ----------
    encoder:
        The run folder that ``train`` wrote.
    graphs:
        The folder that ``build`` wrote.
    out:
        The .npz or .h5 file for the rows.
    options:
        Further options of the command with underscores.

    Returns
    -------
    dict
        The report: pockets, width and seconds.

    Raises
    ------
    InputError
        If a file cannot be read.

    Examples
    --------
    >>> molgauge.pocket.embed("no-such-run", "graphs", "pockets.npz")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors.InputError: ...
    """
    return _run("embed", {"encoder": os.fspath(encoder), "graphs": os.fspath(graphs), "out": os.fspath(out)}, options)


def search(encoder: PathLike, graphs: PathLike, ligands: PathLike, out: PathLike, **options: "Unpack[PocketSearchOptions]") -> Dict[str, Any]:
    """Finds the nearest ligands of each pocket (``molgauge pocket search``).

    Parameters
    ----------
    encoder:
        The run folder that ``train`` wrote.
    graphs:
        The folder that ``build`` wrote.
    ligands:
        The file that ``ligands`` wrote.
    out:
        The .json file for the matches.
    options:
        Further options of the command with underscores.

    Returns
    -------
    dict
        The report. ``report["found"]`` lists the pockets, each with its matches: rank, ligand and distance.

    Raises
    ------
    InputError
        If a file cannot be read.

    Examples
    --------
    >>> molgauge.pocket.search("no-such-run", "graphs", "ligands.npz", "found.json")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors.InputError: ...
    """
    request = {"encoder": os.fspath(encoder), "graphs": os.fspath(graphs), "ligands": os.fspath(ligands), "out": os.fspath(out)}
    return _run("search", request, options)


def evaluate(encoder: PathLike, graphs: PathLike, ligands: PathLike, out: PathLike, **options: "Unpack[PocketEvaluateOptions]") -> Dict[str, Any]:
    """Measures how well the search finds known ligands (``molgauge pocket evaluate``).

    Parameters
    ----------
    encoder:
        The run folder that ``train`` wrote.
    graphs:
        The folder that ``build`` wrote.
    ligands:
        The file that ``ligands`` wrote.
    out:
        The .json file for the metrics.
    options:
        Further options of the command with underscores.

    Returns
    -------
    dict
        The report with the metrics.

    Raises
    ------
    InputError
        If a file cannot be read.

    Examples
    --------
    >>> molgauge.pocket.evaluate("no-such-run", "graphs", "ligands.npz", "metrics.json")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors.InputError: ...
    """
    request = {"encoder": os.fspath(encoder), "graphs": os.fspath(graphs), "ligands": os.fspath(ligands), "out": os.fspath(out)}
    return _run("evaluate", request, options)
