"""Computes features of molecules."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, get_args

import numpy as np

from ._arrow import counted
from ._molecules import smiles_of
from ._option_checks import require_encoder, require_options
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
    """A molecule that failed.

    Attributes
    ----------
    row:
        The position among the molecules of the call, from 0.
    text:
        The SMILES.
    reason:
        Why the molecule failed.

    Examples
    --------
    >>> encoder = molgauge.Encoder("ecfp")
    >>> rows = encoder(["CCO", "C1CC"])
    >>> encoder.failed_[0].row, encoder.failed_[0].text
    (1, 'C1CC')
    """

    row: int
    text: str
    reason: str

    def __str__(self) -> str:
        return f"row {self.row}: {self.text!r}: {self.reason}" if self.text else f"row {self.row}: there is no SMILES"


class FailedMolecules(List[FailedMolecule]):
    """The molecules of a call that failed, as a list of FailedMolecule in the order of the call. Jupyter shows a
    table.

    Examples
    --------
    >>> encoder = molgauge.Encoder("ecfp")
    >>> rows = encoder(["CCO", "junk", "C1CC"])
    >>> [one.row for one in encoder.failed_]
    [1, 2]
    """

    def warn(self, total: int) -> None:
        """Logs the number of failures and the first failure. Logs nothing if no molecule failed.

        Parameters
        ----------
        total:
            The number of molecules of the call.
        """
        if self:
            first = ": " if len(self) == 1 else ". The first is "
            logger.warning("%d of %s failed%s%s", len(self), counted(total, "molecule"), first, self[0])

    def _repr_html_(self) -> str:
        from ._html import table

        return table(("row", "molecule", "reason"), ((one.row, one.text, one.reason) for one in self))


class Encoder:
    """Encodes molecules. The features are stored, so later calls read them from the store.

    Parameters
    ----------
    name:
        The encoder: "minimol", "unimol" or "ecfp". ``molgauge.encoders()`` lists them.
    on_error:
        What to do with a molecule that fails. "nan" fills its row with NaN, "drop" omits the row, and "raise"
        raises InputError. ``failed_`` always lists the failed molecules.
    options:
        Options of ``molgauge encode`` with underscores: ``precision="fast"``, ``memory_budget="2GiB"`` (or a number of
        bytes), ``threads=4``, ``store=FOLDER``, ``weights=FOLDER``.

    Attributes
    ----------
    failed_:
        The molecules of the last call that failed.
    report_:
        The report of the last call: counts of molecules, peak memory in bytes, seconds.

    Raises
    ------
    UsageError
        If an option does not exist or has a wrong value.
    ValueError
        If ``on_error`` is not "nan", "drop" or "raise".

    Examples
    --------
    >>> encode = molgauge.Encoder("ecfp", memory_budget=1 << 30)
    >>> features = encode(["CCO", "c1ccccc1", "junk"])
    >>> features.shape, features.dtype
    ((3, 512), dtype('float32'))
    >>> print(encode.failed_[0].text)
    junk
    """

    def __init__(
        self, name: "EncoderName" = "minimol", *, on_error: "OnError" = "nan", **options: "Unpack[EncodeOptions]"
    ) -> None:
        require_encoder(name)
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
        """The number of features of a molecule."""
        return session().width(self.name)

    def __call__(self, molecules: Any) -> np.ndarray:
        """Encodes molecules.

        Parameters
        ----------
        molecules:
            A SMILES, an RDKit molecule, or a list, array or column of n of them.

        Returns
        -------
        numpy.ndarray
            float32 [n, width]. Row i belongs to molecule i. With ``on_error="drop"`` the failed molecules have no row.

        Raises
        ------
        InputError
            If a molecule fails and ``on_error`` is "raise".
        OverBudgetError
            If the memory budget is too small.
        """
        smiles = smiles_of(molecules)
        rows = np.full((len(smiles), self.width), np.nan, dtype=np.float32)
        self.failed_, self.report_ = FailedMolecules(), None
        if not smiles:
            return rows
        self.report_ = self._encode(smiles, rows)
        self.failed_ = FailedMolecules(
            FailedMolecule(one["row"], one["text"], one["reason"]) for one in self.report_["failed"]
        )
        bad = np.isnan(rows[:, 0])  # if a molecule failed, all numbers of its row are NaN
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
    """Computes MiniMol's fingerprints with the interface of the package ``minimol``, as in ``Minimol()(smiles)``.

    The weights must be installed (``molgauge.weights.install("minimol")``).

    Parameters
    ----------
    batch_size:
        Has no effect, because batches are planned from the memory budget. Scripts for the package ``minimol`` pass it.
    on_error:
        As in Encoder.
    options:
        As in Encoder.

    Examples
    --------
    >>> molgauge.Minimol(threads=2).width
    512
    """

    def __init__(
        self, batch_size: Optional[int] = None, *, on_error: "OnError" = "nan", **options: "Unpack[EncodeOptions]"
    ) -> None:
        if batch_size is not None and not isinstance(batch_size, int):
            raise TypeError("batch_size is a number. Pass molecules to the encoder: molgauge.Minimol()(molecules)")
        super().__init__("minimol", on_error=on_error, **options)
        self.batch_size = batch_size

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"Minimol(on_error={self.on_error!r}{options})"


def encode(
    molecules: Any, encoder: "EncoderName" = "minimol", *, on_error: "OnError" = "nan", **options: "Unpack[EncodeOptions]"
) -> np.ndarray:
    """Encodes molecules in one call.

    Parameters
    ----------
    molecules:
        A SMILES, an RDKit molecule, or a list, array or column of n of them.
    encoder:
        The encoder: "minimol", "unimol" or "ecfp".
    on_error:
        As in Encoder.
    options:
        As in Encoder.

    Returns
    -------
    numpy.ndarray
        float32 [n, width]. Row i belongs to molecule i.

    Raises
    ------
    InputError
        If a molecule fails and ``on_error`` is "raise".

    Examples
    --------
    >>> molgauge.encode(["CCO", "CCN"], "ecfp").shape
    (2, 512)
    """
    return Encoder(encoder, on_error=on_error, **options)(molecules)


def encoders() -> List[Dict[str, Any]]:
    """Lists the encoders.

    Returns
    -------
    list of dict
        The name, the width, a description, and whether the encoder needs weights.

    Examples
    --------
    >>> "minimol" in [one["name"] for one in molgauge.encoders()]
    True
    """
    found: List[Dict[str, Any]] = session().run("encoders", {})
    return found
