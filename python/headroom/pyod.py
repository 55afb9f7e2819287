"""Headroom's detectors with the signs of PyOD, for code that expects them. PyOD itself is not needed."""

from typing import Any

import numpy as np


class PyodDetector:
    """Wraps a Domain, a FeatureDomain or a Detector.

    PyOD's numbers grow towards "outside": ``decision_function`` is minus ``score_samples`` of the wrapped detector, and
    ``predict`` is 1 where the wrapped one gives -1, else 0.

    Attributes
    ----------
    decision_scores_, labels_, threshold_:
        Of the training rows, as PyOD has them, after ``fit``. The threshold lets ``1 - contamination`` of them pass.
    """

    def __init__(self, detector: Any, contamination: float = 0.1) -> None:
        if not 0 < contamination < 0.5:
            raise ValueError(f"contamination is {contamination}. Choose a share above 0 and below 0.5")
        self.detector = detector
        self.contamination = contamination

    def fit(self, X: Any, y: Any = None) -> "PyodDetector":
        """Fits the wrapped detector. One that was trained before (Detector) is only applied."""
        molecules = X if hasattr(X, "shape") or isinstance(X, list) else list(X)
        if hasattr(self.detector, "fit"):
            self.detector.fit(molecules)
        self.decision_scores_ = self.decision_function(molecules)
        self.threshold_ = float(np.nanpercentile(self.decision_scores_, 100 * (1 - self.contamination)))
        self.labels_ = (self.decision_scores_ > self.threshold_).astype(int)
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """float64 [n]: larger is further out. NaN: unreadable."""
        return np.asarray(-self.detector.score_samples(X))

    def predict(self, X: Any) -> np.ndarray:
        """int [n]: 1 outside or unreadable, 0 inside, by the wrapped detector's own calibration."""
        return np.where(np.asarray(self.detector.predict(X)) == -1, 1, 0)
