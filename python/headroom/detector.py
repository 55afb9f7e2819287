"""Trained detectors of out-of-distribution molecules."""

import os
import tempfile
import warnings
from pathlib import Path
from typing import Any, Dict, List, Optional

import numpy as np

from ._molecules import smiles_of, write_molecules
from ._session import session
from .weights import provide
from .encoding import FailedMolecule, FailedMolecules


class Scores(Dict[str, Any]):
    """What a detector says of a list of molecules, one entry a molecule in each column.

    ``smiles``; ``score`` (larger: further out), ``deviation`` and ``disagreement`` (runs over several seeds),
    ``resembles_training_ood`` (energy heads; 0 to 1, how much the molecule resembles the OOD molecules that the head was
    trained on. It is not a probability for other chemistry), float64 with NaN where there is none; ``ood_prediction``, the
    verdict, 1: out of distribution, 0: not, NaN: not known. ``pandas.DataFrame(scores)`` makes a table of it.
    """

    def __init__(self, columns: Dict[str, Any], page: Optional[str]) -> None:
        super().__init__(columns)
        self._page = page

    def _repr_html_(self) -> str:
        from ._html import frame

        return frame(self._page) if self._page is not None else ""


class Detector:
    """Applies a run of ``headroom train`` or ``headroom baseline``, or a domain that was saved.

    Larger numbers mean "more inside", as in scikit-learn, except in the columns of ``score``, which are those of
    ``headroom score``: there, larger is further out.

    Attributes
    ----------
    failed_:
        The molecules of the last call that could not be encoded.
    threshold_:
        A molecule that scores higher is called out of distribution; None where the run has no threshold.
    report_:
        The report of the last call. ``report_["validation_test_gap"]`` holds the AUROC of an energy run on its validation
        and its test molecules, ``report_["warning"]`` a sentence if the gap is large.

    Warns
    -----
    UserWarning
        At the first scores of a run whose validation AUROC is much larger than its test AUROC.
    """

    def __init__(self, run: "os.PathLike[str] | str", **options: Any) -> None:
        self.run = os.fspath(run)
        self.options: Dict[str, Any] = {key: value for key, value in options.items() if value is not None}
        self.failed_: List[FailedMolecule] = FailedMolecules()
        self.threshold_: Optional[float] = None
        self.report_: Optional[Dict[str, Any]] = None
        self._warned = False

    @classmethod
    def load(cls, run: "os.PathLike[str] | str", **options: Any) -> "Detector":
        """The detector in a run folder; ``options`` are those of ``headroom score``, with underscores.

        Raises InputError where the folder does not exist. Its files are read when molecules are scored.
        """
        if not Path(run).exists():
            from .errors import InputError

            raise InputError(f"{os.fspath(run)}: no such folder; headroom train and headroom baseline write runs")
        return cls(run, **options)

    def score(self, molecules: Any, *, page: bool = False) -> Scores:
        """Every column of ``headroom score``; ``page`` makes the page that Jupyter shows, too."""
        smiles = smiles_of(molecules)
        with tempfile.TemporaryDirectory() as scratch:
            file, html = Path(scratch) / "molecules.csv", Path(scratch) / "page.html"
            write_molecules(file, smiles)
            request = {**self.options, "run": self.run, "molecules": str(file)}
            if page:
                request["page"] = str(html)
            provide("minimol", self.options)  # which encoder the run was trained on, it knows itself
            report = session().run("score", request)
            content = html.read_text(encoding="utf-8") if page else None
        self.report_ = report
        if report["warning"] and not self._warned:
            self._warned = True
            warnings.warn(f"{self.run}: {report['warning']}", UserWarning, stacklevel=2)
        self.threshold_ = report["threshold"]
        self.failed_ = FailedMolecules(
            FailedMolecule(one["row"], one["text"], one["reason"]) for one in report["failed"]
        )
        columns: Dict[str, Any] = {"smiles": smiles}
        for name in ("score", "deviation", "disagreement", "resembles_training_ood"):
            columns[name] = np.asarray(
                [np.nan if one[name] is None else one[name] for one in report["molecules"]], dtype=np.float64
            )
        threshold = np.nan if self.threshold_ is None else self.threshold_
        columns["ood_prediction"] = np.where(
            np.isnan(columns["score"]) | np.isnan(threshold), np.nan, columns["score"] > threshold
        )
        return Scores(columns, content)

    def score_samples(self, molecules: Any) -> np.ndarray:
        """float64 [n]: minus the score of ``headroom score``; NaN where the molecule failed."""
        return -self.score(molecules)["score"]

    def decision_function(self, molecules: Any) -> np.ndarray:
        """float64 [n]: the threshold minus the score; negative: out of distribution."""
        scores = self.score(molecules)["score"]
        return self._required_threshold() - scores

    def predict(self, molecules: Any) -> np.ndarray:
        """int [n]: -1 for molecules out of distribution and for those that failed, +1 for the others."""
        inside = self.decision_function(molecules)
        return np.where(inside >= 0, 1, -1)

    def _required_threshold(self) -> float:
        if self.threshold_ is None:
            from .errors import UsageError

            raise UsageError(f"{self.run} has no threshold: pass threshold=NUMBER to Detector.load")
        return self.threshold_

    def __repr__(self) -> str:
        return f"Detector({self.run!r})"
