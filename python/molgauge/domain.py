"""Computes applicability domains, which tell whether a molecule is close to the training set of a model."""

import io
import json
import os
import shutil
import tarfile
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, get_args

import numpy as np

from . import errors
from ._arrow import Table, counted
from ._molecules import Molecules, labels_of, numbers_of
from ._option_checks import require_choice, require_encoder, require_options
from ._options import Method
from ._paths import require_apart
from ._session import session
from .encoding import FailedMolecule, FailedMolecules
from .weights import provide

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .encoding import EncoderName
    from ._options import DomainOptions, IntervalMethod


class Verdicts(Table):
    """The result of Domain.judge. It has the columns of ``molgauge domain`` as typed columns. Row i belongs
    to molecule i.

    docs/explanation/domain.md describes the columns. ``verdicts["domain"]`` returns a list,
    ``verdicts.numpy("domain_p_value")`` an array, and ``verdicts.to_pandas()`` a table with the index of the
    molecules. Polars, pyarrow and DuckDB read the object directly. Numbers are not rounded here. In the file
    domain.csv, they have six digits.

    Examples
    --------
    >>> domain = molgauge.Domain("ecfp").fit(ethers)
    >>> verdicts = domain.judge([ethers[20], "[Na+].[Cl-].[Fe]"])
    >>> verdicts["domain"]
    ['inside', 'outside']
    >>> print(verdicts)
    2 molecules against 200 training molecules (ecfp): 1 inside, 0 borderline, 1 outside, 0 unreadable
    """

    def __init__(
        self,
        stream: Any,
        index: Any,
        report: Dict[str, Any],
        labels: Dict[str, Any],
        write: Callable[[str], None],
        folder: str,
    ) -> None:
        super().__init__(stream, index)
        self._report = report
        self._labels = labels
        self._write = write
        self._folder = folder

    @property
    def counts(self) -> Dict[str, int]:
        """The number of molecules for each of the verdicts inside, borderline, outside and unreadable."""
        return {name: self._report["counts"][name] for name in ("inside", "borderline", "outside", "unreadable")}

    def neighbors(self) -> List[List[Dict[str, Any]]]:
        """Returns the nearest training molecules of each molecule, the nearest first.

        Returns
        -------
        list of list of dict
            The keys are index (the label of the training molecule in the index of ``Domain.fit``, or its name if the
            domain was loaded), name, smiles, tanimoto, distance, and value (the measured value or None). The list of
            an unreadable molecule is empty.
        """
        return [
            [{"index": self._labels.get(one["name"], one["name"]), **one} for one in nearest] for nearest in self["nearest"]
        ]

    def numbers(self, column: str) -> np.ndarray:
        """Returns a column of numbers.

        Parameters
        ----------
        column:
            The name of the column.

        Returns
        -------
        numpy.ndarray
            float64 [n]. A missing number is NaN.
        """
        return np.asarray(self.numpy(column), dtype=np.float64)

    def save_page(self, path: "os.PathLike[str] | str") -> None:
        """Judges the molecules again and writes the HTML page of ``molgauge domain``.

        The page contains counts, distances, a map, and each molecule next to its nearest training molecules.

        Parameters
        ----------
        path:
            The file to write.
        """
        own = Path(self._folder)
        require_apart({"path": path}, {f"{file.name} of the domain": file for file in own.iterdir()} if own.is_dir() else {})
        page = Path(path).absolute()
        with tempfile.TemporaryDirectory(dir=page.parent) as scratch:
            self._write(os.path.join(scratch, "domain.csv"))
            os.replace(os.path.join(scratch, "domain.html"), page)

    def _summary(self) -> str:
        counts = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items())
        return (
            f"{counted(self.num_rows, 'molecule')} against {counted(self._report['training_molecules'], 'training molecule')} "
            f"({self._report['encoder']}): {counts}"
        )


#: Names of columns in the tables for the library.
_MEASURED, _PREDICTION, _UNCERTAINTY = "measured", "prediction", "uncertainty"

#: Options whose values are fixed in a saved domain.
_SAVED = ("encoder", "method", "standardize", "keep_isotopes", "features")
#: Options that only affect fitting.
_FITTING = ("standardize", "keep_isotopes", "features", "model", "as_drawn", "conformer_fallback", "conformer_engine", "max_atoms", "strict")


def _saved_parameters(manifest: Dict[str, Any], folder: str) -> Dict[str, Any]:
    """Returns the constructor arguments of a saved domain. If the domain has a model, ``folder`` contains a copy of
    it."""
    found = {name: manifest[name] for name in (*_SAVED, "level") if name in manifest}
    if manifest.get("predicts_drawing"):
        found["as_drawn"] = True
    has_model = any(file == "tuned_encoder.safetensors" or file.startswith("model_") for file in manifest["sha256"])
    if has_model or found.get("features") == "native":
        found.pop("features", None)
    if has_model:
        found["model"] = folder
    else:
        found.update((name, manifest[name]) for name in ("conformer_fallback", "conformer_engine", "max_atoms") if name in manifest)
    return found


def _prediction_columns(count: int, predictions: Any, uncertainties: Any) -> Dict[str, List[float]]:
    columns = {_PREDICTION: numbers_of(predictions, "predictions", count)}
    if uncertainties is not None:
        columns[_UNCERTAINTY] = numbers_of(uncertainties, "uncertainties", count)
    return columns


def _distinct_names(labels: List[Any]) -> List[str]:
    """Returns the text of each label. Different labels with the same text, such as 1 and "1", get different names."""
    first: Dict[str, Any] = {}
    repeated = {str(label) for label in labels if type(first.setdefault(str(label), label)) is not type(label)}
    return [repr(label) if str(label) in repeated else str(label) for label in labels]


def _remove_own(folder: str, owner: int) -> None:
    """Removes a temporary folder. Does nothing in a forked child, because the folder belongs to the parent."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


class Domain:
    """The applicability domain of a training set, with calibrated p-values.

    In the results of ``score_samples`` and ``decision_function``, larger numbers mean further inside, as in
    scikit-learn. The detectors of PyOD have the opposite sign (``molgauge.pyod``).

    Parameters
    ----------
    encoder:
        The encoder: "minimol", "unimol" or "ecfp". ``molgauge.encoders()`` lists them.
    method:
        The distance: "combined", "knn", "tanimoto", "rarity", "coverage", "mahalanobis" or "density".
    level:
        The largest p-value of a molecule that is outside. About this share of the molecules that are similar
        to the training molecules is wrongly reported as outside.
    folder:
        The folder for the calibrated training set. If None, a temporary folder that is deleted with the object.
    options:
        Further options of ``molgauge domain`` with underscores: ``threads=4``, ``memory_budget="2GiB"``,
        ``store=FOLDER``, ``weights=FOLDER``.

    Raises
    ------
    UsageError
        If an option does not exist or has a wrong value.

    Examples
    --------
    >>> domain = molgauge.Domain("ecfp").fit(ethers)
    >>> domain.predict([ethers[20], "[Na+].[Cl-].[Fe]"])
    array([ 1, -1])
    >>> domain.neighbors([ethers[20]])[0][0]["index"]
    20
    """

    def __init__(
        self,
        encoder: "EncoderName" = "minimol",
        *,
        method: Method = "combined",
        level: float = 0.01,
        folder: "os.PathLike[str] | str | None" = None,
        **options: "Unpack[DomainOptions]",
    ) -> None:
        require_options("domain", options, ("encoder", "method", "level", "folder"))
        require_choice("method", method, get_args(Method))
        if "model" not in options:  # a model has its own encoder
            require_encoder(encoder)
        self.encoder = encoder
        self.method = method
        self.level = level
        self.folder = folder
        self.options: Dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        self._fitted: Optional[str] = None
        self._labels: Dict[str, Any] = {}

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """Returns the arguments of the constructor, for scikit-learn's ``clone``.

        Parameters
        ----------
        deep:
            Has no effect.

        Returns
        -------
        dict
            The value of each argument and option.
        """
        return {"encoder": self.encoder, "method": self.method, "level": self.level, "folder": self.folder, **self.options}

    def set_params(self, **params: Any) -> "Domain":
        """Changes arguments of the constructor. A new encoder or method only affects the next ``fit``.

        Parameters
        ----------
        params:
            The new values by name.

        Returns
        -------
        Domain
            This object.

        Raises
        ------
        UsageError
            If there is no such argument.
        """
        for name, value in params.items():
            if name in ("encoder", "method", "level", "folder"):
                setattr(self, name, value)
            else:
                require_options("domain", {name: value}, ("encoder", "method", "level", "folder"))
                self.options[name] = value
        return self

    @classmethod
    def load(cls, folder: "os.PathLike[str] | str", **options: "Unpack[DomainOptions]") -> "Domain":
        """Loads a domain that ``molgauge domain --save`` or ``Domain.save`` wrote.

        The encoder, the method, the level and the model come from the folder, so ``clone`` and ``fit`` keep them. The
        folder contains copies of the files of the model. Keep the folder if you want to fit the domain again.

        Parameters
        ----------
        folder:
            The folder of the domain.
        options:
            Options of ``molgauge domain``, without an encoder and a method.

        Returns
        -------
        Domain
            The fitted domain.

        Raises
        ------
        InputError
            If the folder does not contain a domain.
        UsageError
            If an option has no effect on a saved domain.
        """
        for name in _SAVED:
            if name in options:
                raise errors.UsageError(f"{name} has no effect on the saved domain {os.fspath(folder)}. Leave it out")
        manifest = Path(folder) / "domain-manifest.json"
        if not manifest.is_file():
            raise errors.InputError(
                f"{os.fspath(folder)}: is not a saved domain. Name a folder of molgauge domain --save or Domain.fit"
            )
        saved = json.loads(manifest.read_text(encoding="utf-8"))
        parameters: Any = {**_saved_parameters(saved, os.fspath(folder)), **options}
        domain = cls(**parameters)
        domain._fitted = os.fspath(folder)
        return domain

    def fit(
        self,
        molecules: Any,
        y: Any = None,
        *,
        predictions: Any = None,
        uncertainties: Any = None,
        calibration: Any = None,
        coverage: float = 0.9,
        interval_method: "IntervalMethod" = "auto",
        out_of_fold: bool = False,
        labels_are_numbers: bool = False,
    ) -> "Domain":
        """Fits the domain to training molecules. Each of them is left out once to calibrate the domain.

        With predictions of your model, ``judge(molecules, predictions=...)`` gives intervals or sets
        (docs/explanation/predictions.md). The model must not have seen the molecules that it predicted.

        Parameters
        ----------
        molecules:
            The training molecules.
        y:
            Measured values or two classes [n]: numbers, bool, or texts such as "active" and "inactive"
            (docs/reference/formats-input.md). None and NaN are missing labels. With labels, the verdicts have an
            expected error, and neighbours have their values. If ``predictions`` are given, ``y`` contains the measured
            values of the predicted molecules.
        predictions:
            Predictions by a model that did not see the molecules, for example from cross-validation over scaffolds.
            For classes (all labels are 0 or 1, or names of classes), the probability of class 1. None and NaN mark molecules without a
            prediction.
        uncertainties:
            Uncertainties of the predictions, for regression.
        calibration:
            The molecules of ``y``, ``predictions`` and ``uncertainties``. If None, the training molecules.
        coverage:
            The share of molecules whose measured value lies in its interval or set.
        interval_method:
            "auto", "constant", "distance", "uncertainty", "both" or "mondrian".
        out_of_fold:
            Skips the check for in-sample predictions.
        labels_are_numbers:
            States that labels such as 0, 1, 2 in ``y`` are numbers, for example counts, and not classes.

        Returns
        -------
        Domain
            This object.

        Raises
        ------
        InputError
            If there are too few molecules for the calibration.
        ValueError
            If an argument has another length than the molecules, or if it has no effect.
        """
        if predictions is None and (uncertainties is not None or calibration is not None):
            raise ValueError("uncertainties and calibration have no effect without predictions")
        if predictions is not None and y is None:
            raise ValueError("predictions are calibrated with measured values. Give them as y")
        if self.folder is None:
            kept = self._temporary_folder()
        else:
            kept = os.fspath(self.folder)
        given = Molecules(molecules)
        labels = given.labels()
        names = _distinct_names(labels)
        predicted = given if calibration is None else Molecules(calibration)
        request: Dict[str, Any] = {
            **self.options, "method": self.method, "level": self.level, "save": kept,
        }
        if "model" not in self.options:  # the model contains its encoder
            request["encoder"] = self.encoder
            provide(self.encoder, self.options)
        columns: Dict[str, Any] = {}
        calibrated = None
        if y is not None:
            columns[_MEASURED] = labels_of(y, "y", len(predicted))
            request["label_column"] = _MEASURED
            if labels_are_numbers:
                request["labels_are_numbers"] = True
        elif labels_are_numbers:
            raise ValueError("labels_are_numbers has no effect without y")
        if predictions is not None:
            columns.update(_prediction_columns(len(predicted), predictions, uncertainties))
            request.update(prediction_column=_PREDICTION, coverage=coverage)
            if uncertainties is not None:
                request["uncertainty_column"] = _UNCERTAINTY
            if interval_method != "auto":
                request["interval_method"] = interval_method
            if out_of_fold:
                request["out_of_fold"] = True
            if calibration is not None:
                calibrated = predicted.stream(columns=columns)
                columns = {}
        self.report_ = session().fit_domain(request, given.stream(names, columns), calibrated)
        FailedMolecules(
            FailedMolecule(one["row"], one["text"], one["reason"]) for one in self.report_["failed"]
        ).warn(len(names))
        self._labels = dict(zip(names, labels))
        self._fitted = kept
        return self

    def judge(self, molecules: Any, *, predictions: Any = None, uncertainties: Any = None) -> Verdicts:
        """Judges molecules.

        If the domain was fitted with predictions, pass predictions to also get the columns of
        docs/explanation/predictions.md. A row depends only on its molecule and on the training molecules. The column
        ``domain_q_value`` is an exception, because it depends on all molecules of the call.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.
        predictions:
            Predictions of your model for the molecules, float [n].
        uncertainties:
            Uncertainties of the predictions, float [n].

        Returns
        -------
        Verdicts
            A row for each molecule. The verdict of a molecule that failed is "unreadable".

        Raises
        ------
        ValueError
            If the domain is not fitted, or if an argument has another length than the molecules.
        UsageError
            If the domain was fitted without predictions.
        """
        fitted = self._require_fitted()
        if predictions is None and uncertainties is not None:
            raise ValueError("uncertainties have no effect without predictions")
        if predictions is not None and not self._has_predictions():
            raise errors.UsageError(
                "this domain was fitted without predictions, so it cannot give intervals. Fit it with fit(molecules, y, "
                "predictions=...), or leave out the predictions"
            )
        given = Molecules(molecules)
        request: Dict[str, Any] = {
            **{name: value for name, value in self.options.items() if name not in _FITTING},
            "train": fitted, "level": self.level,
        }
        columns: Dict[str, List[float]] = {}
        if predictions is not None:
            columns = _prediction_columns(len(given), predictions, uncertainties)
            request["prediction_column"] = _PREDICTION
            if uncertainties is not None:
                request["uncertainty_column"] = _UNCERTAINTY
        provide(self.encoder, self.options)
        stream, report = session().judge(request, given.stream(columns=columns))

        def write(out: str) -> None:
            self._require_fitted()  # returns this object, which keeps the temporary folder of the domain alive
            session().write_domain({**request, "out": out}, given.stream(columns=columns))

        verdicts = Verdicts(stream, given.index, report, self._labels, write, fitted)
        if report["counts"]["unreadable"]:
            verdicts.failed.warn(verdicts.num_rows)
        return verdicts

    def p_values(self, molecules: Any) -> np.ndarray:
        """Returns the p-value of each molecule.

        Among molecules that are similar to the training molecules, the p-value estimates the share that is at
        least as far from the training set.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.

        Returns
        -------
        numpy.ndarray
            float64 [n] in (0, 1]. NaN for an unreadable molecule.
        """
        return self.judge(molecules).numpy("domain_p_value")

    def score_samples(self, molecules: Any) -> np.ndarray:
        """Returns the negative distance from the training set.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.

        Returns
        -------
        numpy.ndarray
            float64 [n]. NaN for an unreadable molecule.
        """
        return -self.judge(molecules).numpy("domain_distance")

    def decision_function(self, molecules: Any) -> np.ndarray:
        """Returns the p-value minus the level.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.

        Returns
        -------
        numpy.ndarray
            float64 [n]. Negative for molecules outside, NaN for unreadable ones.
        """
        return np.asarray(self.p_values(molecules) - np.nextafter(self.level, 1))

    def predict(self, molecules: Any) -> np.ndarray:
        """Returns the verdicts in the form of scikit-learn.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.

        Returns
        -------
        numpy.ndarray
            int [n]. -1 for molecules outside and unreadable ones, +1 for the others.
        """
        verdicts = self.judge(molecules)["domain"]
        return np.asarray([-1 if verdict in ("outside", "unreadable") else 1 for verdict in verdicts])

    def neighbors(self, molecules: Any) -> List[List[Dict[str, Any]]]:
        """Returns the nearest training molecules of each molecule.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.

        Returns
        -------
        list of list of dict
            As ``Verdicts.neighbors``.
        """
        return self.judge(molecules).neighbors()

    def save(self, folder: "os.PathLike[str] | str") -> None:
        """Copies the calibrated training set to a folder, for ``Domain.load`` and ``molgauge domain``.

        Parameters
        ----------
        folder:
            The folder to make. It must not exist.

        Raises
        ------
        FileExistsError
            If the folder exists.
        """
        shutil.copytree(self._require_fitted(), folder)

    def _require_fitted(self) -> str:
        if self._fitted is None:
            raise ValueError("this Domain has no training molecules yet. Call fit(), or Domain.load(folder)")
        return self._fitted

    def _has_predictions(self) -> bool:
        manifest = Path(self._require_fitted()) / "domain-manifest.json"
        return "predictions" in json.loads(manifest.read_text(encoding="utf-8"))

    def __repr__(self) -> str:
        # A model has its own encoder.
        hidden = ("encoder",) if "model" in self.options else ()
        words = [f"{name}={value!r}" for name, value in self.get_params().items() if value is not None and name not in hidden]
        return f"{type(self).__name__}({', '.join(words)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type="outlier_detector",
            target_tags=TargetTags(required=False),
            input_tags=InputTags(one_d_array=True, two_d_array=False, string=True),
            no_validation=True,
        )

    def __sklearn_is_fitted__(self) -> bool:
        return self._fitted is not None

    def fit_predict(self, molecules: Any, y: Any = None) -> np.ndarray:
        """Fits the domain and returns the verdicts of the same molecules. Training molecules are inside.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.
        y:
            As in ``fit``.

        Returns
        -------
        numpy.ndarray
            int [n], as ``predict``.
        """
        return self.fit(molecules, y).predict(molecules)

    def _temporary_folder(self) -> str:
        """Returns the path of a folder to create in a new temporary folder, which is removed together with this
        object."""
        temporary = tempfile.mkdtemp(prefix="molgauge-domain-")
        weakref.finalize(self, _remove_own, temporary, os.getpid())
        return os.path.join(temporary, "domain")

    # The pickle contains the calibrated training set, because it may be read on another machine.
    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        if self._fitted is not None:
            packed = io.BytesIO()
            with tarfile.open(fileobj=packed, mode="w") as archive:
                for file in sorted(Path(self._fitted).iterdir()):
                    archive.add(file, arcname=file.name)
            state["_fitted"] = packed.getvalue()
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._fitted is not None:
            packed = io.BytesIO(state["_fitted"])
            self._fitted = self._temporary_folder()
            os.mkdir(self._fitted)
            with tarfile.open(fileobj=packed) as archive:
                for member in archive.getmembers():
                    source = archive.extractfile(member)
                    # For safety, only regular files are written, and only the last part of each name is used. So
                    # nothing is written outside the folder.
                    if source is not None:
                        Path(self._fitted, os.path.basename(member.name)).write_bytes(source.read())
            # Another file may be at the path of the model by now, so the copy in the domain is used.
            if "model" in self.options:
                self.options = {**self.options, "model": self._fitted}
