"""Detectors of Molgauge with the signs of PyOD. The package PyOD is not needed."""

from typing import Any

import numpy as np


class PyodDetector:
    """Gives a Domain, a FeatureDomain or a Detector the interface of PyOD.

    In PyOD, a larger number means further out. ``decision_function`` therefore returns the negative of
    ``score_samples`` of the detector. ``predict`` returns 1 if the detector returns -1, else 0.

    Parameters
    ----------
    detector:
        A Domain, a FeatureDomain or a Detector.
    contamination:
        The expected share of outliers among the training rows, in (0, 0.5).

    Attributes
    ----------
    decision_scores_:
        float64 [n]. The scores of the training rows.
    threshold_:
        The score that a share ``1 - contamination`` of the training rows does not exceed.
    labels_:
        int [n]. 1 for the training rows with a score above the threshold, else 0.

    Raises
    ------
    ValueError
        If ``contamination`` is out of range.

    Examples
    --------
    >>> detector = molgauge.pyod.PyodDetector(molgauge.Domain("ecfp")).fit(ethers)
    >>> detector.predict([ethers[20], "[Na+].[Cl-].[Fe]"])
    array([0, 1])
    """

    def __init__(self, detector: Any, contamination: float = 0.1) -> None:
        if not 0 < contamination < 0.5:
            raise ValueError(f"contamination is {contamination}. Choose a share above 0 and below 0.5")
        self.detector = detector
        self.contamination = contamination

    def fit(self, X: Any, y: Any = None) -> "PyodDetector":
        """Fits the detector and scores the training rows. A Detector, which is already trained, is not fitted.

        Parameters
        ----------
        X:
            The training rows: molecules for a Domain or a Detector, float [n, features] for a FeatureDomain.
        y:
            Has no effect.

        Returns
        -------
        PyodDetector
            This object.
        """
        molecules = X if hasattr(X, "shape") or isinstance(X, list) else list(X)
        if hasattr(self.detector, "fit"):
            self.detector.fit(molecules)
        self.decision_scores_ = self.decision_function(molecules)
        self.threshold_ = float(np.nanpercentile(self.decision_scores_, 100 * (1 - self.contamination)))
        self.labels_ = (self.decision_scores_ > self.threshold_).astype(int)
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Returns the outlier scores.

        Parameters
        ----------
        X:
            Rows as in ``fit``.

        Returns
        -------
        numpy.ndarray
            float64 [n]. A larger score is further out. NaN for an unreadable molecule.
        """
        return np.asarray(-self.detector.score_samples(X))

    def predict(self, X: Any) -> np.ndarray:
        """Returns the verdicts. They come from the calibration of the detector, not from ``threshold_``.

        Parameters
        ----------
        X:
            Rows as in ``fit``.

        Returns
        -------
        numpy.ndarray
            int [n]. 1 for rows outside and unreadable molecules, 0 for the others.
        """
        return np.where(np.asarray(self.detector.predict(X)) == -1, 1, 0)
