"""Estimators for scikit-learn. Importing this module needs scikit-learn."""

from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from sklearn.base import BaseEstimator, OutlierMixin, RegressorMixin, TransformerMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # this was a method before scikit-learn 1.6

    def validate_data(estimator: Any, X: Any, **options: Any) -> Any:
        return estimator._validate_data(X, **options)


from .encoding import Encoder
from .errors import InputError

if TYPE_CHECKING:
    from typing import Literal

    from .encoding import EncoderName


class MoleculeTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Encodes a column of SMILES, as a step of a Pipeline.

    Parameters
    ----------
    encoder:
        The encoder: "minimol", "unimol" or "ecfp". ``molgauge.encoders()`` lists them.
    on_error:
        What to do with a molecule that fails. "raise" raises InputError, which names the molecule. "nan" fills its
        row with NaN, for models that accept missing values. "impute" fills its row with the means of the molecules of
        ``fit``. A step of a pipeline cannot drop rows, because scikit-learn passes ``y`` to the model unchanged. To
        drop molecules, remove them from X and y before the pipeline, as in the second example.
    precision, threads, memory_budget, store, weights:
        Options of ``molgauge encode``. None selects the default.

    Attributes
    ----------
    failed_:
        The molecules of the last ``transform`` that failed.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.pipeline import make_pipeline
    >>> model = make_pipeline(molgauge.MoleculeTransformer("ecfp", on_error="impute"), Ridge())
    >>> smiles, y = np.array(["CO", "CCO", "CCCO", "junk"]), np.array([1.0, 2.0, 3.0, 4.0])
    >>> model.fit(smiles, y).predict(["CCCCO", "more junk"]).shape
    (2,)

    Drop the molecules that fail:

    >>> features = molgauge.encode(smiles, "ecfp")
    >>> is_valid = ~np.isnan(features[:, 0])
    >>> len(smiles[is_valid]), len(y[is_valid])
    (3, 3)
    """

    def __init__(
        self,
        encoder: "EncoderName" = "minimol",
        *,
        on_error: 'Literal["nan", "raise", "impute"]' = "raise",
        precision: Optional[str] = None,
        threads: Optional[int] = None,
        memory_budget: "Union[int, str, None]" = None,
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
        if self.on_error not in ("nan", "raise", "impute"):
            raise ValueError(
                f"on_error is {self.on_error!r}. A step of a pipeline must keep every row. Choose 'raise', 'nan' or "
                "'impute'"
            )
        options: Any = {
            name: value
            for name in ("precision", "threads", "memory_budget", "store", "weights")
            if (value := getattr(self, name)) is not None
        }
        return Encoder(self.encoder, on_error="raise" if self.on_error == "raise" else "nan", **options)

    def fit(self, X: Any, y: Any = None) -> "MoleculeTransformer":
        """Looks up the width of the features. With ``on_error="impute"``, computes the means of the features.

        Parameters
        ----------
        X:
            n SMILES: a list, a column, or a table of one column.
        y:
            Has no effect.

        Returns
        -------
        MoleculeTransformer
            This object.

        Raises
        ------
        InputError
            If means are needed and every molecule fails.
        """
        encoder = self._made_encoder()
        self.n_features_out_ = encoder.width
        if self.on_error == "impute":
            rows = encoder(X)
            known = rows[~np.isnan(rows[:, 0])]
            if len(known) == 0:
                raise InputError("no molecule could be encoded, so there are no means to impute. Give valid molecules")
            self.mean_ = known.mean(axis=0)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Encodes molecules.

        Parameters
        ----------
        X:
            n SMILES: a list, a column, or a table of one column.

        Returns
        -------
        numpy.ndarray
            float32 [n, width].

        Raises
        ------
        InputError
            If a molecule fails and ``on_error`` is "raise".
        """
        if self.on_error == "impute":
            check_is_fitted(self, "mean_")
        encoder = self._made_encoder()
        rows = encoder(X)
        self.failed_ = encoder.failed_
        if self.on_error == "impute":
            rows[np.isnan(rows[:, 0])] = self.mean_
        return rows

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Returns the names of the features: minimol_0, minimol_1 and so on.

        Parameters
        ----------
        input_features:
            Has no effect.

        Returns
        -------
        numpy.ndarray
            object [width].
        """
        return np.asarray([f"{self.encoder}_{i}" for i in range(self._made_encoder().width)], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return self.on_error != "impute" or hasattr(self, "mean_")

    def _more_tags(self) -> "dict[str, Any]":
        return {"X_types": ["string"], "stateless": True, "no_validation": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = self.on_error == "impute"
        tags.no_validation = True
        tags.input_tags.string = True
        return tags


class PropertyRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts numbers with a trained model of chemprop.

    The model is already trained. ``fit`` only checks the task and does not change the model.

    Parameters
    ----------
    model:
        A .pt or .ckpt file of chemprop, a folder of .pt files, or the name of installed models ("admet-ai").
    task:
        The task to predict. If None, all tasks of the model.
    on_error:
        What to do with a molecule that fails. "raise" raises InputError, which names the molecule. "nan" fills its
        row with NaN.
    threads, memory_budget, store, weights:
        Options of ``molgauge predict``. None selects the default.

    Attributes
    ----------
    failed_:
        The molecules of the last ``predict`` that failed.

    Examples
    --------
    >>> molgauge.PropertyRegressor().predict(["CCO"])
    Traceback (most recent call last):
    ValueError: there is no model. Pass model=FILE, a .pt or .ckpt file of chemprop
    """

    def __init__(
        self,
        model: Any = None,
        *,
        task: Optional[str] = None,
        on_error: 'Literal["nan", "raise"]' = "raise",
        threads: Optional[int] = None,
        memory_budget: "Union[int, str, None]" = None,
        store: Optional[str] = None,
        weights: Optional[str] = None,
    ) -> None:
        self.model = model
        self.task = task
        self.on_error = on_error
        self.threads = threads
        self.memory_budget = memory_budget
        self.store = store
        self.weights = weights

    def _table(self, X: Any) -> Any:
        from .predictions import predict

        if self.model is None:
            raise ValueError("there is no model. Pass model=FILE, a .pt or .ckpt file of chemprop")
        if self.on_error not in ("nan", "raise"):
            raise ValueError(f"on_error is {self.on_error!r}. Choose 'raise' or 'nan'")
        options: Any = {
            name: value
            for name in ("threads", "memory_budget", "store", "weights")
            if (value := getattr(self, name)) is not None
        }
        return predict(self.model, X, **options)

    def _columns(self, table: Any) -> "list[str]":
        tasks = table.tasks
        if self.task is not None and self.task not in tasks:
            raise ValueError(f"the model has no task {self.task!r}. Its tasks are {', '.join(tasks)}")
        chosen = list(tasks) if self.task is None else [self.task]
        for task in table.report["tasks"]:
            if task["name"] in chosen and "multiclass" in task["head"]:
                raise ValueError(f"the task {task['name']!r} has classes, not numbers. Use molgauge.predict")
        return [tasks[name][0] for name in chosen]

    def fit(self, X: Any = None, y: Any = None) -> "PropertyRegressor":
        """Reads the model and checks the task.

        Parameters
        ----------
        X:
            Has no effect.
        y:
            Has no effect.

        Returns
        -------
        PropertyRegressor
            This object.
        """
        self.columns_ = self._columns(self._table([]))
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predicts with the model.

        Parameters
        ----------
        X:
            SMILES: a list, a column, or a table of one column.

        Returns
        -------
        numpy.ndarray
            float64 [n] for one task, else [n, tasks]. Binary classification gives the probability of class 1.
        """
        table = self._table(X)
        self.failed_ = table.failed
        if self.on_error == "raise" and self.failed_:
            raise InputError(str(self.failed_[0]))
        numbers = np.column_stack([table.numpy(name) for name in self._columns(table)])
        return numbers[:, 0] if numbers.shape[1] == 1 else numbers

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def _more_tags(self) -> "dict[str, Any]":
        return {"X_types": ["string"], "no_validation": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.no_validation = True
        tags.input_tags.string = True
        return tags


class FeatureDomain(OutlierMixin, BaseEstimator):  # type: ignore[misc]
    """The applicability domain of rows of features, with calibrated p-values.

    Use it for features that you have in memory. ``Domain`` takes molecules and explains its verdicts. The distance of a row
    is the mean Euclidean distance to its ``n_neighbors`` nearest training rows. All columns are standardised. Each training
    row is left out once and gets its distance to the other training rows. With n left-out distances, the p-value of a row at
    distance d is (1 + left-out distances >= d) / (1 + n). This is a conformal p-value, computed by leaving out rows (Barber
    et al., "Predictive inference with the jackknife+", arXiv:1905.02928). Equal training rows count once. The order of the
    training rows has no effect.

    Parameters
    ----------
    n_neighbors:
        The number of neighbours for a distance. If there are fewer other training rows, all of them are used.
    level:
        The largest p-value of a row that is outside.

    Examples
    --------
    >>> rows = np.random.RandomState(0).normal(size=(200, 4))
    >>> domain = molgauge.FeatureDomain().fit(rows)
    >>> domain.predict([[0, 0, 0, 0], [9, 9, 9, 9]])
    array([ 1, -1])
    """

    def __init__(self, n_neighbors: int = 5, *, level: float = 0.05) -> None:
        self.n_neighbors = n_neighbors
        self.level = level

    def fit(self, X: Any, y: Any = None) -> "FeatureDomain":
        """Fits the domain to training rows.

        Parameters
        ----------
        X:
            float [n, features], n >= 2.
        y:
            Has no effect.

        Returns
        -------
        FeatureDomain
            This object.

        Raises
        ------
        ValueError
            If an argument of the constructor is out of range, or if X has NaN or fewer than two different rows.
        """
        if self.n_neighbors < 1:
            raise ValueError(f"n_neighbors is {self.n_neighbors}. Choose 1 or more")
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        rows = np.unique(X, axis=0)
        if len(rows) < 2:
            raise ValueError("X has fewer than two different rows. Add training rows")
        self.mean_ = rows.mean(axis=0)
        deviation = rows.std(axis=0)
        self.deviation_ = np.where(deviation > 0, deviation, 1.0)
        self.neighbors_ = NearestNeighbors(n_neighbors=min(self.n_neighbors, len(rows) - 1))
        self.neighbors_.fit((rows - self.mean_) / self.deviation_)
        self.left_out_distances_ = np.sort(self.neighbors_.kneighbors()[0].mean(axis=1))
        # A row is inside if more than level * (1 + n) - 1 of the n left-out distances are at least its distance.
        rank = int(np.floor(self.level * (1 + len(rows))))
        self.offset_ = -float(self.left_out_distances_[-rank]) if 1 <= rank <= len(rows) else -np.inf
        return self

    def score_samples(self, X: Any) -> np.ndarray:
        """Returns the negative distance of each row.

        Parameters
        ----------
        X:
            float [n, features].

        Returns
        -------
        numpy.ndarray
            float64 [n].
        """
        check_is_fitted(self)
        return -self._distances(validate_data(self, X, dtype=np.float64, reset=False))

    def decision_function(self, X: Any) -> np.ndarray:
        """Returns the distance of the boundary minus the distance of each row.

        With fewer than ``1 / level - 1`` different training rows, no p-value can be as small as the level, and no row is
        outside.

        Parameters
        ----------
        X:
            float [n, features].

        Returns
        -------
        numpy.ndarray
            float64 [n]. Negative for rows outside.
        """
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> np.ndarray:
        """Returns the verdicts.

        Parameters
        ----------
        X:
            float [n, features].

        Returns
        -------
        numpy.ndarray
            int [n]. -1 for rows outside, +1 for rows inside.
        """
        return np.where(self.decision_function(X) < 0, -1, 1)

    def p_values(self, X: Any) -> np.ndarray:
        """Returns the p-value of each row.

        The p-value estimates the probability that a row like the training rows is at least as far away.

        Parameters
        ----------
        X:
            float [n, features].

        Returns
        -------
        numpy.ndarray
            float64 [n] in (0, 1].
        """
        distances = -self.score_samples(X)
        count = len(self.left_out_distances_)
        farther = count - np.searchsorted(self.left_out_distances_, distances, side="left")
        return (1 + farther) / (1 + count)

    def _distances(self, X: np.ndarray) -> np.ndarray:
        distances, _ = self.neighbors_.kneighbors((X - self.mean_) / self.deviation_)
        return np.asarray(distances.mean(axis=1))
