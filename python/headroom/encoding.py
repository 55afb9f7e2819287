"""Molecules to features."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, get_args

import numpy as np

from ._molecules import smiles_of
from ._option_checks import require_options
from ._session import logger, session
from .weights import provide
from .errors import InputError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import EncodeOptions

OnError = Literal["nan", "drop", "raise"]
#: The encoders of ``encoders()``, for type checkers.
EncoderName = Literal["minimol", "unimol", "ecfp"]


@dataclass(frozen=True)
class FailedMolecule:
    """A molecule that could not be encoded."""

    row: int  #: position among the molecules that were given, from 0
    text: str
    reason: str

    def __str__(self) -> str:
        return f"row {self.row}: {self.text!r}: {self.reason}"


class FailedMolecules(List[FailedMolecule]):
    """The molecules of a call that could not be encoded, in their order. Jupyter shows a table."""

    def warn(self, total: int) -> None:
        """Logs how many of ``total`` molecules failed, with the first of them. Logs nothing if none failed."""
        if self:
            logger.warning("%d of %d molecules failed. The first is %s", len(self), total, self[0])

    def _repr_html_(self) -> str:
        from ._html import table

        return table(("row", "molecule", "reason"), ((one.row, one.text, one.reason) for one in self))


class Encoder:
    """Encodes molecules; features are kept in a store and never computed twice.

    Parameters
    ----------
    name:
        Encoder: "minimol", "unimol", "ecfp". ``headroom.encoders()`` lists them.
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

    def __init__(
        self, name: "EncoderName" = "minimol", *, on_error: "OnError" = "nan", **options: "Unpack[EncodeOptions]"
    ) -> None:
        if not isinstance(name, str):
            raise TypeError(f"the encoder is {name!r}. Pass a name: headroom.encoders() lists them")
        if on_error not in get_args(OnError):
            raise ValueError(f"on_error is {on_error!r}. Choose 'nan', 'drop' or 'raise'")
        require_options("encode", options, ("name", "on_error"))
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
        self.failed_ = FailedMolecules(
            FailedMolecule(one["row"], one["text"], one["reason"]) for one in self.report_["failed"]
        )
        bad = np.isnan(rows[:, 0])  # a failed row is NaN throughout
        if self.on_error == "raise" and self.failed_:
            raise InputError(str(self.failed_[0]))
        self.failed_.warn(len(smiles))
        return rows[~bad] if self.on_error == "drop" else rows

    def _encode(self, smiles: List[str], rows: np.ndarray) -> Dict[str, Any]:
        provide(self.name, self.options)
        report: Dict[str, Any] = session().encode(smiles, rows, {**self.options, "encoder": self.name})
        return report

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"{type(self).__name__}({self.name!r}, on_error={self.on_error!r}{options})"


class Minimol(Encoder):
    """MiniMol's fingerprints, as the package ``minimol`` computes them: ``Minimol()(smiles)``.

    ``batch_size`` is taken so that scripts of that package run; batches are planned from the memory budget.
    """

    def __init__(
        self, batch_size: Optional[int] = None, *, on_error: "OnError" = "nan", **options: "Unpack[EncodeOptions]"
    ) -> None:
        super().__init__("minimol", on_error=on_error, **options)
        self.batch_size = batch_size

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"Minimol(on_error={self.on_error!r}{options})"


def encode(
    molecules: Any, encoder: "EncoderName" = "minimol", *, on_error: "OnError" = "nan", **options: "Unpack[EncodeOptions]"
) -> np.ndarray:
    """The features of molecules, float32 [n, width]; ``Encoder`` has the options."""
    return Encoder(encoder, on_error=on_error, **options)(molecules)


def encoders() -> List[Dict[str, Any]]:
    """The encoders that there are: name, width, what they do, whether they need weights."""
    found: List[Dict[str, Any]] = session().run("encoders", {})
    return found
