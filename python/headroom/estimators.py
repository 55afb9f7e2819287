"""Molecules in scikit-learn. Importing this module needs scikit-learn."""

from typing import Any, Optional

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from .encoders import Encoder


class MoleculeTransformer(TransformerMixin, BaseEstimator):
    """Turns a column of SMILES into features, as a step of a Pipeline.

    Parameters
    ----------
    encoder:
        "minimol", "ecfp"; ``headroom.encoders()`` lists them.
    on_error:
        "nan" or "raise". A step of a pipeline must keep every row, so rows cannot be dropped here.
    precision, threads, memory_budget, store, weights:
        Options of ``headroom encode``; None: its default.

    Attributes
    ----------
    failed_:
        The molecules of the last ``transform`` that could not be encoded.
    """

    def __init__(
        self,
        encoder: str = "minimol",
        *,
        on_error: str = "nan",
        precision: Optional[str] = None,
        threads: Optional[int] = None,
        memory_budget: Optional[str] = None,
        store: Optional[str] = None,
        weights: Optional[str] = None,
    ) -> None:
        self.encoder = encoder
        self.on_error = on_error
        self.precision = precision
        self.threads = threads
        self.memory_budget = memory_budget
        self.store = store
        self.weights = weights

    def _made_encoder(self) -> Encoder:
        if self.on_error == "drop":
            raise ValueError("a step of a pipeline keeps every row: on_error is 'nan' or 'raise'")
        return Encoder(
            self.encoder,
            on_error=self.on_error,
            precision=self.precision,
            threads=self.threads,
            memory_budget=self.memory_budget,
            store=self.store,
            weights=self.weights,
        )

    def fit(self, X: Any, y: Any = None) -> "MoleculeTransformer":
        """Learns nothing; looks up the width of the features."""
        self.n_features_out_ = self._made_encoder().width
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The features, float32 [n, width], of n SMILES: a list, a column, or a table of one column."""
        encoder = self._made_encoder()
        rows = encoder(X)
        self.failed_ = encoder.failed_
        return rows

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """minimol_0, minimol_1 and so on."""
        return np.asarray([f"{self.encoder}_{i}" for i in range(self._made_encoder().width)], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def _more_tags(self) -> dict:
        return {"X_types": ["string"], "stateless": True, "no_validation": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.no_validation = True
        tags.input_tags.string = True
        return tags
