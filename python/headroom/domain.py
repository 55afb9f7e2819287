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
from ._molecules import smiles_of, write_molecules
from ._session import session
from .weights import provide


class Verdicts(Dict[str, List[str]]):
    """The columns of ``headroom domain`` (docs/domain.md), one entry a molecule, in the order of the molecules.

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

    def fit(self, molecules: Any, y: Any = None) -> "Domain":
        """Takes the training molecules and calibrates on some that it holds out; too few are refused."""
        kept = self.folder
        if kept is None:
            kept = self._temporary_folder()
        else:
            kept = os.fspath(kept)
        with tempfile.TemporaryDirectory() as scratch:
            training, probe = Path(scratch) / "training.csv", Path(scratch) / "probe.csv"
            write_molecules(training, smiles_of(molecules))
            write_molecules(probe, ["C"])  # the verb saves beside judging
            self._run(training, probe, Path(scratch) / "probe-domain.csv", encoder=self.encoder, method=self.method,
                      save=kept)
        self._fitted = kept
        return self

    def judge(self, molecules: Any) -> Verdicts:
        """Returns every column of ``headroom domain`` for each molecule.

        Except for ``domain_q_value``, a row depends on its molecule and the training molecules alone.
        """
        if self._fitted is None:
            raise ValueError("this Domain has no training molecules yet; call fit(), or Domain.load(folder)")
        smiles = smiles_of(molecules)
        with tempfile.TemporaryDirectory() as scratch:
            candidates, out = Path(scratch) / "candidates.csv", Path(scratch) / "domain.csv"
            write_molecules(candidates, smiles)
            self._run(self._fitted, candidates, out)
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
