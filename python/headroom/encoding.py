"""Molecules to features."""

from dataclasses import dataclass
from typing import Any, Dict, List, Optional

import numpy as np

from ._molecules import smiles_of
from ._session import session
from .weights import provide
from .errors import InputError

#: The library names as many failed molecules in one report at most.
_NAMED_AT_ONCE = 1000


@dataclass(frozen=True)
class FailedMolecule:
    """A molecule that could not be encoded."""

    row: int  #: position among the molecules that were given, from 0
    text: str
    reason: str


class FailedMolecules(List[FailedMolecule]):
    """The molecules of a call that could not be encoded, in their order. Jupyter shows a table."""

    def _repr_html_(self) -> str:
        from ._html import table

        return table(("row", "molecule", "reason"), ((one.row, one.text, one.reason) for one in self))


class Encoder:
    """Encodes molecules; features are kept in a store and never computed twice.

    Parameters
    ----------
    name:
        Encoder: "minimol", "ecfp". ``headroom.encoders()`` lists them.
    on_error:
        A molecule that cannot be encoded: "nan" fills its row with NaN, "drop" leaves the row out, "raise"
        raises InputError. ``failed_`` lists such molecules in any case.
    options:
        Options of ``headroom encode``, with underscores: ``precision="fast"``, ``memory_budget="2GiB"``,
        ``threads=4``, ``store=FOLDER``, ``weights=FOLDER``.

    Attributes
    ----------
    failed_:
        The molecules of the last call that could not be encoded.
    report_:
        What the last call did: molecules encoded and found in the store, peak memory, seconds.
    """

    def __init__(self, name: str = "minimol", *, on_error: str = "nan", **options: Any) -> None:
        if on_error not in ("nan", "drop", "raise"):
            raise ValueError(f"on_error is {on_error!r}; choose 'nan', 'drop' or 'raise'")
        self.name = name
        self.on_error = on_error
        self.options: Dict[str, Any] = {key: value for key, value in options.items() if value is not None}
        self.failed_ = FailedMolecules()
        self.report_: Optional[Dict[str, Any]] = None

    @property
    def width(self) -> int:
        """Numbers of one molecule's features."""
        return session().width(self.name)

    def __call__(self, molecules: Any) -> np.ndarray:
        """The features, float32 [n, width], of a SMILES, an RDKit molecule, or an iterable of them."""
        smiles = smiles_of(molecules)
        rows = np.full((len(smiles), self.width), np.nan, dtype=np.float32)
        self.failed_, self.report_ = FailedMolecules(), None
        if not smiles:
            return rows
        self.report_ = self._encode(smiles, rows)
        bad = np.isnan(rows[:, 0])  # a failed row is NaN throughout
        self.failed_ = self._named(smiles, np.flatnonzero(bad).tolist(), self.report_)
        if self.on_error == "raise" and bad.any():
            first = self.failed_[0]
            raise InputError(f"row {first.row}: {first.text!r}: {first.reason}")
        return rows[~bad] if self.on_error == "drop" else rows

    def _encode(self, smiles: List[str], rows: np.ndarray) -> Dict[str, Any]:
        request = {**self.options, "encoder": self.name}
        provide(self.name, self.options)
        try:
            return session().encode(smiles, rows, request)
        except InputError:
            if self.options.get("strict"):
                raise
        # The library refuses a list without one molecule. Here its rows are NaN: beside methane, each is named. Where
        # something else was wrong, the same error is raised again.
        beside = np.empty((len(smiles) + 1, rows.shape[1]), dtype=np.float32)
        report = session().encode([*smiles, "C"], beside, request)
        rows[:] = beside[:-1]
        return {**report, "rows": len(smiles)}

    def _named(self, smiles: List[str], failed: List[int], report: Dict[str, Any]) -> FailedMolecules:
        """The reasons of the rows ``failed``. A report names the first; the others fail once more, in parts."""
        named = {one["row"]: FailedMolecule(one["row"], one["text"], one["reason"]) for one in report["failed"]}
        rest = [row for row in failed if row not in named]
        for first in range(0, len(rest), _NAMED_AT_ONCE):
            part = rest[first : first + _NAMED_AT_ONCE]
            rows = np.empty((len(part), self.width), dtype=np.float32)
            for one in self._encode([smiles[row] for row in part], rows)["failed"]:
                row = part[one["row"]]
                named[row] = FailedMolecule(row, one["text"], one["reason"])
        return FailedMolecules(named[row] for row in sorted(named))

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"{type(self).__name__}({self.name!r}, on_error={self.on_error!r}{options})"


class Minimol(Encoder):
    """MiniMol's fingerprints, as the package ``minimol`` computes them: ``Minimol()(smiles)``.

    ``batch_size`` is taken so that scripts of that package run; batches are planned from the memory budget.
    """

    def __init__(self, batch_size: Optional[int] = None, *, on_error: str = "nan", **options: Any) -> None:
        super().__init__("minimol", on_error=on_error, **options)
        self.batch_size = batch_size

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"Minimol(on_error={self.on_error!r}{options})"


def encode(molecules: Any, encoder: str = "minimol", **options: Any) -> np.ndarray:
    """The features of molecules, float32 [n, width]; ``Encoder`` has the options."""
    return Encoder(encoder, **options)(molecules)


def encoders() -> List[Dict[str, Any]]:
    """The encoders that there are: name, width, what they do, whether they need weights."""
    return session().run("encoders", {})
