"""Predictions of trained models of chemprop."""

import os
from typing import TYPE_CHECKING, Any, Dict, List

from ._arrow import Table, counted
from ._molecules import Molecules
from ._option_checks import require_options
from ._session import session

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import PredictOptions


class Predictions(Table):
    """Predictions for a list of molecules. Row i belongs to molecule i.

    The columns are ``smiles``, the columns of ``headroom predict`` and ``reason``. If a molecule failed, its numbers are
    missing and ``reason`` tells why.

    Examples
    --------
    >>> headroom.predict("no-such-model.pt", ["CCO"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    headroom.errors...Error: ...
    """

    def __init__(self, stream: Any, index: Any, report: Dict[str, Any]) -> None:
        super().__init__(stream, index)
        #: The report of ``headroom predict``.
        self.report: Dict[str, Any] = report

    @property
    def tasks(self) -> Dict[str, List[str]]:
        """The columns of each task of the model. The first column of a task holds the prediction."""
        return {task["name"]: task["columns"] for task in self.report["tasks"]}

    def _summary(self) -> str:
        names = list(self.tasks)
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        return f"{super()._summary()}. {counted(len(names), 'task')}: {shown}"


def predict(model: "os.PathLike[str] | str", molecules: Any, **options: "Unpack[PredictOptions]") -> Predictions:
    """Predicts properties with a trained model of chemprop. Predictions are cached in the store.

    Parameters
    ----------
    model:
        A .pt or .ckpt file of chemprop, a folder of .pt files, or the name of installed models ("admet-ai").
    molecules:
        SMILES or RDKit molecules: one, a list, or a column of pandas, polars or pyarrow.
    options:
        Options of ``headroom predict``, with underscores: ``threads=4``, ``memory_budget="2GiB"``, ``store=FOLDER``.

    Returns
    -------
    Predictions
        A table that pandas, polars, pyarrow and DuckDB can read. ``failed`` lists the molecules that failed.

    Examples
    --------
    >>> headroom.predict("no-such-model.pt", ["CCO"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    headroom.errors...Error: ...
    """
    require_options("predict", options, ("model", "molecules"))
    if not isinstance(model, (str, os.PathLike)):
        raise TypeError(f"the model is the path of a file or a folder, not {type(model).__name__}. Pass it before the molecules")
    given = Molecules(molecules)
    request = {name: value for name, value in options.items() if value is not None}
    stream, report = session().predict({**request, "model": os.fspath(model)}, given.stream())
    predictions = Predictions(stream, given.index, report)
    predictions.failed.warn(predictions.num_rows)
    return predictions
