"""RNA binding pockets: graphs of structures, an encoder of them, and a search for ligands.

``build`` and ``ligands`` prepare files, ``train`` makes an encoder, ``embed`` and ``search`` apply it. Options are those of
``headroom pocket`` with underscores.
"""

import json
import os
from pathlib import Path
from typing import Any, Dict, Union

from ._option_checks import require_options
from ._program import run_program
from ._session import session

PathLike = Union[str, "os.PathLike[str]"]


def _run(verb: str, request: Dict[str, Any], options: Dict[str, Any]) -> Dict[str, Any]:
    require_options(f"pocket {verb}", options)
    plain = {name: os.fspath(value) if isinstance(value, os.PathLike) else value for name, value in options.items()}
    report: Dict[str, Any] = session().run(f"pocket_{verb}", {**request, **plain})
    return report


def build(input: PathLike, out: PathLike, **options: Any) -> Dict[str, Any]:
    """Builds graphs of pockets from structures (``headroom pocket build``).

    Parameters
    ----------
    input:
        Folder or file with structures.
    out:
        Folder for the graphs.
    options:
        Further options, for example ``distance_cutoff=4.0``, in angstrom.

    Returns
    -------
    dict
        The report: pockets, failed pockets with their reasons, atoms and seconds.

    Raises
    ------
    InputError
        If the input cannot be read, or if no pocket has a graph.
    """
    return _run("build", {"input": os.fspath(input), "out": os.fspath(out)}, options)


def ligands(compounds: PathLike, out: PathLike, **options: Any) -> Dict[str, Any]:
    """Encodes the ligands of a table (``headroom pocket ligands``). Returns the report."""
    return _run("ligands", {"compounds": os.fspath(compounds), "out": os.fspath(out)}, options)


def train(graphs: PathLike, ligands: PathLike, run: PathLike, **options: Any) -> Dict[str, Any]:
    """Trains an encoder of pockets with the program ``headroom``. Returns ``config.json`` of the run folder.

    The program must be on ``PATH``, or ``HEADROOM_PROGRAM`` names it, because the package contains no LibTorch.
    """
    require_options("pocket train", options)
    run_program("pocket", "train", graphs, ligands=ligands, run=run, **options)
    config: Dict[str, Any] = json.loads((Path(run) / "config.json").read_text(encoding="utf-8"))
    return config


def embed(encoder: PathLike, graphs: PathLike, out: PathLike, **options: Any) -> Dict[str, Any]:
    """Encodes pockets (``headroom pocket embed``) into a file. Returns the report: pockets, width, seconds."""
    return _run("embed", {"encoder": os.fspath(encoder), "graphs": os.fspath(graphs), "out": os.fspath(out)}, options)


def search(encoder: PathLike, graphs: PathLike, ligands: PathLike, out: PathLike, **options: Any) -> Dict[str, Any]:
    """Finds the ligands nearest to each pocket (``headroom pocket search``).

    Returns
    -------
    dict
        The report. ``report["found"]`` lists the pockets, each with its matches: rank, ligand and distance.
    """
    request = {"encoder": os.fspath(encoder), "graphs": os.fspath(graphs), "ligands": os.fspath(ligands), "out": os.fspath(out)}
    return _run("search", request, options)


def evaluate(encoder: PathLike, graphs: PathLike, ligands: PathLike, out: PathLike, **options: Any) -> Dict[str, Any]:
    """Measures how well the search finds known ligands (``headroom pocket evaluate``). Returns the report."""
    request = {"encoder": os.fspath(encoder), "graphs": os.fspath(graphs), "ligands": os.fspath(ligands), "out": os.fspath(out)}
    return _run("evaluate", request, options)
