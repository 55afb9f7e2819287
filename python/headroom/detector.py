"""Trained detectors of out-of-distribution molecules."""

import os
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Optional

import numpy as np

from ._arrow import Table
from ._molecules import Molecules
from ._option_checks import require_options
from ._session import session
from .encoding import FailedMolecules
from .weights import provide

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import ScoreOptions


class Scores(Table):
    """The scores of a list of molecules. Row i belongs to molecule i.

    ``score`` (larger: further out), ``deviation`` and ``disagreement`` (runs over several seeds),
    ``resembles_training_ood`` (energy heads; 0 to 1, how much the molecule resembles the OOD molecules that the head was
    trained on. It is not a probability for other chemistry). ``ood_prediction`` is the verdict, null if it is not known.
    ``reason`` tells why a molecule failed.
    """

    def __init__(self, stream: Any, index: Any = None, page: Optional[str] = None) -> None:
        super().__init__(stream, index)
        self._page = page

    def to_html(self, rows: int = 20) -> str:
        """A table of the first ``rows`` molecules. With ``score(page=True)`` the page in a frame."""
        from ._html import frame

        return frame(self._page) if self._page is not None else super().to_html(rows)


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

    def __init__(self, run: "os.PathLike[str] | str", **options: "Unpack[ScoreOptions]") -> None:
        require_options("score", options)
        self.run = os.fspath(run)
        self.options: Dict[str, Any] = {key: value for key, value in options.items() if value is not None}
        self.failed_ = FailedMolecules()
        self.threshold_: Optional[float] = None
        self.report_: Optional[Dict[str, Any]] = None
        self._warned = False

    @classmethod
    def load(cls, run: "os.PathLike[str] | str", **options: "Unpack[ScoreOptions]") -> "Detector":
        """The detector in a run folder; ``options`` are those of ``headroom score``, with underscores.

        Raises InputError where the folder does not exist. Its files are read when molecules are scored.
        """
        if not Path(run).exists():
            from .errors import InputError

            raise InputError(f"{os.fspath(run)}: no such folder. headroom train and headroom baseline write runs")
        return cls(run, **options)

    def score(self, molecules: Any, *, page: bool = False) -> Scores:
        """Every column of ``headroom score``; ``page`` makes the page that Jupyter shows, too."""
        given = Molecules(molecules)
        request = {**self.options, "run": self.run}
        provide("minimol", self.options)  # which encoder the run was trained on, it knows itself
        content = None
        if page:
            with tempfile.TemporaryDirectory() as scratch:
                html = Path(scratch) / "page.html"
                stream, report = session().score({**request, "page": str(html)}, given.stream())
                content = html.read_text(encoding="utf-8")
        else:
            stream, report = session().score(request, given.stream())
        scores = Scores(stream, given.index, content)
        self.report_ = report
        if report["warning"] and not self._warned:
            self._warned = True
            warnings.warn(f"{self.run}: {report['warning']}", UserWarning, stacklevel=2)
        self.threshold_ = report["threshold"]
        self.failed_ = scores.failed
        self.failed_.warn(scores.num_rows)
        return scores

    def score_samples(self, molecules: Any) -> np.ndarray:
        """float64 [n]: minus the score of ``headroom score``. NaN where the molecule failed."""
        return -self.score(molecules).numpy("score")

    def decision_function(self, molecules: Any) -> np.ndarray:
        """float64 [n]: the threshold minus the score. Negative: out of distribution."""
        scores = self.score(molecules).numpy("score")
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
        options = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"Detector({self.run!r}{options})"
