"""Which molecules lie inside what a model was trained on."""

import csv
import io
import os
import shutil
import tarfile
import tempfile
import weakref
from pathlib import Path
from typing import Any, Dict, List, Optional

import numpy as np

from ._html import frame
from ._molecules import numbers_of, smiles_of, write_molecules
from ._session import session
from .weights import provide


class Verdicts(Dict[str, List[str]]):
    """The columns of ``headroom domain`` (docs/explanation/domain.md), one entry a molecule, in the order of the molecules.

    ``pandas.DataFrame(verdicts)`` makes a table of it. Jupyter shows the page.
    """

    def __init__(self, columns: Dict[str, List[str]], page: str) -> None:
        super().__init__(columns)
        self._page = page

    def numbers(self, column: str) -> np.ndarray:
        """A column as float64 numbers, NaN where it is empty."""
        return np.asarray([float(text) if text else np.nan for text in self[column]])

    def save_page(self, path: "os.PathLike[str] | str") -> None:
        """Writes the page: counts, distances, a map, and each molecule beside its nearest training molecules."""
        Path(path).write_text(self._page, encoding="utf-8")

    def _repr_html_(self) -> str:
        return frame(self._page)


#: Columns of the files for the program.
_MEASURED, _PREDICTION, _UNCERTAINTY = "measured", "prediction", "uncertainty"


def _prediction_columns(count: int, predictions: Any, uncertainties: Any) -> Dict[str, List[float]]:
    columns = {_PREDICTION: numbers_of(predictions, "predictions", count)}
    if uncertainties is not None:
        columns[_UNCERTAINTY] = numbers_of(uncertainties, "uncertainties", count)
    return columns


class Domain:
    """Tells which molecules lie inside what a training set covers, with calibrated p-values.

    Larger numbers mean "more inside", as in scikit-learn; PyOD's detectors have the opposite sign.

    Parameters
    ----------
    encoder:
        "minimol", "unimol", "ecfp"; ``headroom.encoders()`` lists them.
    method:
        Distance: "combined", "knn", "tanimoto", "rarity", "coverage", "mahalanobis" or "density".
    level:
        The largest p-value of a molecule that is outside. This share of molecules like the training molecules is
        called outside by mistake.
    folder:
        Where to keep the calibrated training set; None: in a temporary folder, which goes with the object.
    options:
        Further options of ``headroom domain``, with underscores: ``threads=4``, ``memory_budget="2GiB"``,
        ``store=FOLDER``, ``weights=FOLDER``.
    """

    def __init__(
        self,
        encoder: str = "minimol",
        *,
        method: str = "combined",
        level: float = 0.01,
        folder: Optional[str] = None,
        **options: Any,
    ) -> None:
        self.encoder = encoder
        self.method = method
        self.level = level
        self.folder = folder
        self.options = options
        self._fitted: Optional[str] = None

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The arguments, as scikit-learn's ``clone`` and ``set_params`` use them."""
        return {"encoder": self.encoder, "method": self.method, "level": self.level, "folder": self.folder, **self.options}

    def set_params(self, **params: Any) -> "Domain":
        """Changes arguments; a changed encoder or method has an effect on the next ``fit``."""
        for name, value in params.items():
            if name in ("encoder", "method", "level", "folder"):
                setattr(self, name, value)
            else:
                self.options[name] = value
        return self

    @classmethod
    def load(cls, folder: str, **options: Any) -> "Domain":
        """The domain that ``headroom domain --save`` or ``Domain(folder=...)`` kept in a folder."""
        domain = cls(**options)
        domain._fitted = domain.folder = os.fspath(folder)
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
        interval_method: str = "auto",
        out_of_fold: bool = False,
    ) -> "Domain":
        """Takes the training molecules and calibrates on some that it holds out; too few are refused.

        With predictions of your model, ``judge(molecules, predictions=...)`` gives intervals or sets
        (docs/explanation/predictions.md). The model must not have seen the molecules that it predicted.

        Parameters
        ----------
        molecules:
            The training molecules.
        y:
            Measured values of the molecules that were predicted. Without predictions it has no effect, as in
            scikit-learn's pipelines.
        predictions:
            Predictions by a model that did not see the molecules, from cross-validation over scaffolds. For classes
            (all of ``y`` are 0 or 1) the probability of class 1. None and NaN: not predicted.
        uncertainties:
            Uncertainties of the predictions, for regression.
        calibration:
            The molecules that ``y``, ``predictions`` and ``uncertainties`` belong to; None: the training molecules.
        coverage:
            Share of molecules whose measured value lies in its interval or set.
        interval_method:
            "auto", "constant", "distance", "uncertainty", "both" or "mondrian".
        out_of_fold:
            Skips the check for in-sample predictions.
        """
        if predictions is None and (uncertainties is not None or calibration is not None):
            raise ValueError("uncertainties and calibration have no effect without predictions")
        if predictions is not None and y is None:
            raise ValueError("predictions are calibrated with measured values; give them as y")
        kept = self.folder
        if kept is None:
            kept = self._temporary_folder()
        else:
            kept = os.fspath(kept)
        with tempfile.TemporaryDirectory() as scratch:
            training, probe = Path(scratch) / "training.csv", Path(scratch) / "probe.csv"
            smiles = smiles_of(molecules)
            more: Dict[str, Any] = {}
            columns: Dict[str, List[float]] = {}
            probe_columns: Dict[str, List[float]] = {}
            if predictions is not None:
                predicted = smiles if calibration is None else smiles_of(calibration)
                columns = {_MEASURED: numbers_of(y, "y", len(predicted)),
                           **_prediction_columns(len(predicted), predictions, uncertainties)}
                probe_columns = {name: [float("nan")] for name in columns if name != _MEASURED}
                more = {"label_column": _MEASURED, "prediction_column": _PREDICTION, "coverage": coverage}
                if uncertainties is not None:
                    more["uncertainty_column"] = _UNCERTAINTY
                if interval_method != "auto":
                    more["interval_method"] = interval_method
                if out_of_fold:
                    more["out_of_fold"] = True
                if calibration is not None:
                    more["calibration"] = str(Path(scratch) / "calibration.csv")
                    write_molecules(more["calibration"], predicted, columns)
                    columns = {}
            write_molecules(training, smiles, columns)
            write_molecules(probe, ["C"], probe_columns)  # the verb saves beside judging
            self._run(training, probe, Path(scratch) / "probe-domain.csv", encoder=self.encoder, method=self.method,
                      save=kept, **more)
        self._fitted = kept
        return self

    def judge(self, molecules: Any, *, predictions: Any = None, uncertainties: Any = None) -> Verdicts:
        """Returns every column of ``headroom domain`` for each molecule.

        With predictions, and a domain that was fitted with predictions, there are the columns of
        docs/explanation/predictions.md, too. Except for ``domain_q_value``, a row depends on its molecule and the training molecules alone.
        """
        if self._fitted is None:
            raise ValueError("this Domain has no training molecules yet; call fit(), or Domain.load(folder)")
        smiles = smiles_of(molecules)
        with tempfile.TemporaryDirectory() as scratch:
            candidates, out = Path(scratch) / "candidates.csv", Path(scratch) / "domain.csv"
            more = {}
            if predictions is None:
                if uncertainties is not None:
                    raise ValueError("uncertainties have no effect without predictions")
                write_molecules(candidates, smiles)
            else:
                write_molecules(candidates, smiles, _prediction_columns(len(smiles), predictions, uncertainties))
                more["prediction_column"] = _PREDICTION
                if uncertainties is not None:
                    more["uncertainty_column"] = _UNCERTAINTY
            self._run(self._fitted, candidates, out, **more)
            with open(out, newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            page = out.with_suffix(".html").read_text(encoding="utf-8")
        names = [name for name in rows[0] if name != "row"] if rows else []
        return Verdicts({name: [row[name] for row in rows] for name in names}, page)

    def p_values(self, molecules: Any) -> np.ndarray:
        """Returns float64 [n]: the share of molecules like the training molecules that are at least as far away.

        NaN for an unreadable molecule.
        """
        return self.judge(molecules).numbers("domain_p_value")

    def score_samples(self, molecules: Any) -> np.ndarray:
        """float64 [n]: minus the distance from the training set; NaN: unreadable."""
        return -self.judge(molecules).numbers("domain_distance")

    def decision_function(self, molecules: Any) -> np.ndarray:
        """Returns float64 [n]: the p-value minus the level. Negative for molecules outside, NaN for unreadable ones."""
        return self.judge(molecules).numbers("domain_p_value") - np.nextafter(self.level, 1)

    def predict(self, molecules: Any) -> np.ndarray:
        """int [n]: -1 for molecules outside and unreadable ones, +1 for the others."""
        verdicts = self.judge(molecules)["domain"]
        return np.asarray([-1 if verdict in ("outside", "unreadable") else 1 for verdict in verdicts])

    def neighbors(self, molecules: Any) -> List[List[Dict[str, Any]]]:
        """For each molecule its nearest training molecules, the nearest first: name, smiles, tanimoto and distance,
        and value, the measured value from the label column, or None.

        The list of a molecule that is unreadable is empty.
        """
        verdicts = self.judge(molecules)
        places = sorted(int(name.split("_")[1]) for name in verdicts if name.startswith("nearest_") and name.endswith("_smiles"))
        found: List[List[Dict[str, Any]]] = []
        for row in range(len(verdicts["smiles"])):
            nearest = []
            for place in places:
                cells = {key: verdicts[f"nearest_{place}_{key}"][row] for key in ("name", "smiles", "tanimoto", "distance")}
                if cells["smiles"]:
                    value = verdicts[f"nearest_{place}_value"][row] if f"nearest_{place}_value" in verdicts else ""
                    numbers = {"tanimoto": float(cells["tanimoto"]), "distance": float(cells["distance"])}
                    nearest.append({**cells, **numbers, "value": float(value) if value else None})
            found.append(nearest)
        return found

    def save(self, folder: str) -> None:
        """Copies the calibrated training set to a folder."""
        if self._fitted is None:
            raise ValueError("this Domain has no training molecules yet; call fit()")
        shutil.copytree(self._fitted, folder)

    def _temporary_folder(self) -> str:
        """A folder that does not exist yet and goes with this object."""
        temporary = tempfile.mkdtemp(prefix="headroom-domain-")
        weakref.finalize(self, shutil.rmtree, temporary, ignore_errors=True)
        return os.path.join(temporary, "domain")

    # A pickle holds the calibrated training set, so that it can be read on another machine.
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
                    # Only plain files, by their last name: nothing is written outside the folder.
                    if source is not None:
                        Path(self._fitted, os.path.basename(member.name)).write_bytes(source.read())

    def _run(self, train: Any, candidates: Path, out: Path, **more: Any) -> None:
        provide("minimol" if train == self._fitted else self.encoder, self.options)  # a saved one may be of MiniMol
        request = {"train": os.fspath(train), "candidates": str(candidates), "out": str(out), "level": self.level}
        session().run("domain", {**self.options, **request, **more})
