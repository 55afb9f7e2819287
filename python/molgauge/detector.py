"""Applies trained detectors of out-of-distribution molecules."""

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
    """The result of Detector.score. Row i belongs to molecule i.

    The columns are ``score`` (a larger score means a greater distance), ``deviation`` and ``disagreement``
    (for runs over several seeds), ``resembles_training_ood`` (for energy heads), ``ood_prediction`` (the
    verdict, null if it is unknown) and ``reason`` (why a molecule failed). ``resembles_training_ood`` is a
    number in [0, 1]. It measures how much the molecule resembles the OOD molecules that the head was trained
    on. For molecules of other chemistry, it is not a probability.

    Examples
    --------
    >>> molgauge.Domain("ecfp").fit(ethers).save("ethers-scored")
    >>> scores = molgauge.Detector.load("ethers-scored").score([ethers[20], "junk"])
    >>> scores["ood_prediction"]
    [False, None]
    """

    def __init__(self, stream: Any, index: Any = None, page: Optional[str] = None) -> None:
        super().__init__(stream, index)
        self._page = page

    def _summary(self) -> str:
        verdicts = self["ood_prediction"]
        outside = sum(verdict is True for verdict in verdicts)
        known = sum(verdict is not None for verdict in verdicts)
        return super()._summary() + (f", {outside} of {known} out of distribution" if known else "")

    def to_html(self, rows: int = 20) -> str:
        """Returns HTML for Jupyter: the first molecules, or the page if ``score`` was called with ``page=True``.

        Parameters
        ----------
        rows:
            The number of molecules that are shown.

        Returns
        -------
        str
            An HTML element.
        """
        from ._html import frame

        return frame(self._page) if self._page is not None else super().to_html(rows)


class Detector:
    """Applies a run of ``molgauge train`` or ``molgauge baseline``, or a saved domain.

    In the results of ``score_samples`` and ``decision_function``, larger numbers mean further inside, as in
    scikit-learn. The table of ``score`` has the columns of ``molgauge score``, in which a larger score means
    further out.

    Parameters
    ----------
    run:
        The folder of the run or of the domain.
    options:
        Options of ``molgauge score`` with underscores: ``threshold=0.5``, ``store=FOLDER``.

    Attributes
    ----------
    failed_:
        The molecules of the last call that failed.
    threshold_:
        A molecule with a larger score is out of distribution. None if the run has no threshold.
    report_:
        The report of the last call. ``report_["validation_test_gap"]`` has the AUROC of an energy run on its validation
        and its test molecules. ``report_["warning"]`` is a sentence if the gap is large.

    Warns
    -----
    UserWarning
        At the first scores of a run whose validation AUROC is much larger than its test AUROC.

    Examples
    --------
    >>> molgauge.Domain("ecfp").fit(ethers).save("ethers")
    >>> detector = molgauge.Detector.load("ethers")
    >>> detector.predict([ethers[20], "[Na+].[Cl-].[Fe]"])
    array([ 1, -1])
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
        """Opens the detector in a folder. Its files are read when molecules are scored.

        Parameters
        ----------
        run:
            The folder of the run or of the domain.
        options:
            As in the constructor.

        Returns
        -------
        Detector
            The detector.

        Raises
        ------
        InputError
            If the folder does not exist.
        """
        if not Path(run).exists():
            from .errors import InputError

            raise InputError(f"{os.fspath(run)}: no such folder. Name a run folder of molgauge train or molgauge baseline")
        return cls(run, **options)

    def score(self, molecules: Any, *, page: bool = False) -> Scores:
        """Scores molecules.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.
        page:
            Also makes the page of ``molgauge score``, which Jupyter then shows.

        Returns
        -------
        Scores
            A row for each molecule. The score of a molecule that failed is null.

        Raises
        ------
        InputError
            If the run cannot be read.
        """
        given = Molecules(molecules)
        request = {**self.options, "run": self.run}
        provide("minimol", self.options)  # the run itself knows which encoder it needs
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
        """Returns the negative score of each molecule.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.

        Returns
        -------
        numpy.ndarray
            float64 [n]. NaN if the molecule failed.
        """
        return -self.score(molecules).numpy("score")

    def decision_function(self, molecules: Any) -> np.ndarray:
        """Returns the threshold minus the score.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.

        Returns
        -------
        numpy.ndarray
            float64 [n]. Negative if the molecule is out of distribution, NaN if it failed.

        Raises
        ------
        UsageError
            If the run has no threshold.
        """
        scores = self.score(molecules).numpy("score")
        return self._required_threshold() - scores

    def predict(self, molecules: Any) -> np.ndarray:
        """Returns the verdicts in the form of scikit-learn.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.

        Returns
        -------
        numpy.ndarray
            int [n]. -1 for molecules that are out of distribution or failed, +1 for the others.

        Raises
        ------
        UsageError
            If the run has no threshold.
        """
        inside = self.decision_function(molecules)
        return np.where(inside >= 0, 1, -1)

    def _required_threshold(self) -> float:
        if self.threshold_ is None:
            from .errors import UsageError

            raise UsageError(f"{self.run} has no threshold. Pass threshold=NUMBER to Detector.load")
        return self.threshold_

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"Detector({self.run!r}{options})"
