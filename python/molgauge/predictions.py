"""Predictions of trained models of chemprop."""

import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional

import numpy as np

from ._arrow import Table, counted
from ._molecules import Molecules
from ._option_checks import require_options
from ._session import session

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import PredictOptions


class Predictions(Table):
    """Predictions for a list of molecules. Row i belongs to molecule i.

    The columns are ``smiles``, the columns of ``molgauge predict`` and ``reason``. If a molecule failed, its numbers are
    missing and ``reason`` tells why.

    Examples
    --------
    >>> molgauge.predict("no-such-model.pt", ["CCO"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors...Error: ...
    """

    def __init__(self, stream: Any, index: Any, report: Dict[str, Any]) -> None:
        super().__init__(stream, index)
        #: The report of ``molgauge predict``.
        self.report: Dict[str, Any] = report

    @property
    def tasks(self) -> Dict[str, List[str]]:
        """The columns of each task of the model. The first column of a task holds the prediction."""
        return {task["name"]: task["columns"] for task in self.report["tasks"]}

    def _summary(self) -> str:
        names = list(self.tasks)
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        return f"{super()._summary()}. {counted(len(names), 'task')}: {shown}"


def _descriptor_columns(descriptors: Any, count: int) -> Dict[str, List[float]]:
    """Returns the columns of an array of shape [molecules, descriptors] by their names in the library."""
    numbers = np.asarray(descriptors, dtype=np.float64)
    if numbers.ndim != 2 or numbers.shape[0] != count:
        raise ValueError(
            f"descriptors have the shape {numbers.shape}, expected [{count}, descriptors]. Give one row for each molecule"
        )
    return {f"descriptor_{i + 1}": numbers[:, i].tolist() for i in range(numbers.shape[1])}


def predict(
    model: "os.PathLike[str] | str",
    molecules: Any,
    descriptors: Optional[Any] = None,
    **options: "Unpack[PredictOptions]",
) -> Predictions:
    """Predicts properties with a trained model of chemprop. Predictions are cached in the store.

    Parameters
    ----------
    model:
        A .pt or .ckpt file of chemprop, a folder of .pt files, or the name of installed models ("admet-ai").
    molecules:
        One molecule, a list, or a column of pandas, polars or pyarrow. Each molecule is a SMILES or an RDKit
        molecule.
    descriptors:
        float [molecules, descriptors], for models that take descriptors in addition to the molecule. The columns are in the
        order in which the model was trained on them. "rdkit_2d" computes the descriptors of RDKit as chemprop does.
    options:
        Options of ``molgauge predict``, with underscores: ``threads=4``, ``memory_budget="2GiB"``, ``store=FOLDER``.

    Returns
    -------
    Predictions
        A table that pandas, polars, pyarrow and DuckDB can read. ``failed`` lists the molecules that failed.

    Examples
    --------
    >>> molgauge.predict("no-such-model.pt", ["CCO"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors...Error: ...
    """
    require_options("predict", options, ("model", "molecules", "descriptors"))
    if not isinstance(model, (str, os.PathLike)):
        raise TypeError(f"the model is the path of a file or a folder, not {type(model).__name__}. Pass it before the molecules")
    given = Molecules(molecules)
    request = {name: value for name, value in options.items() if value is not None}
    numbers: Optional[Dict[str, List[float]]] = None
    if isinstance(descriptors, str):
        request["descriptor_columns"] = [descriptors]
    elif descriptors is not None:
        numbers = _descriptor_columns(descriptors, len(given))
        request["descriptor_columns"] = list(numbers)
    stream, report = session().predict({**request, "model": os.fspath(model)}, given.stream(columns=numbers))
    predictions = Predictions(stream, given.index, report)
    predictions.failed.warn(predictions.num_rows)
    return predictions
