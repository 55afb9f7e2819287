"""Reads molecules in the forms that users have: texts, lists, columns of tables, objects of RDKit."""

import itertools
import os
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from ._arrow import arrow_stream_of, stream_of
from ._library import ArrowArrayStream


#: Extensions of file names. They reveal a path that was passed instead of a SMILES.
_FILES = (".csv", ".tsv", ".smi", ".sdf", ".txt", ".gz", ".json", ".xlsx", ".parquet", ".mol")


def _text_of(molecule: Any) -> str:
    """Returns the SMILES of one molecule. For a missing value, returns an empty text, which the library
    reports as a failure."""
    if isinstance(molecule, str):
        return molecule
    # pandas.NA cannot be converted to bool. NaN is not equal to itself.
    if molecule is None or type(molecule).__name__ == "NAType" or molecule != molecule:
        return ""
    if type(molecule).__module__.startswith("rdkit."):
        from rdkit import Chem

        return Chem.MolToSmiles(molecule)
    raise TypeError(f"a molecule is a SMILES text or an RDKit molecule, not {_type_name(molecule)}")


def _type_name(value: Any) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _only_column(table: Any) -> Any:
    """Returns the only column of a table of pandas, polars or pyarrow, or of an array of shape [n, 1]."""
    if table.shape[1] != 1:
        names = getattr(table, "columns", None) if not hasattr(table, "column_names") else table.column_names
        own = f" the columns {', '.join(map(str, names))}" if names is not None else f" {table.shape[1]} columns"
        raise ValueError(f"molecules are one column of SMILES. This table has{own}. Pass the column with the SMILES")
    if hasattr(table, "iloc"):
        return table.iloc[:, 0]
    if hasattr(table, "to_series"):  # polars
        return table.to_series()
    if hasattr(table, "column"):  # pyarrow
        return table.column(0)
    return [row[0] for row in table]


def _unread(given: Any) -> Any:
    """Returns a table, or a reader that was not read yet. A reader that was already read looks like an empty table."""
    if not (hasattr(given, "read_next_batch") and hasattr(type(given), "from_batches")):
        return given
    try:
        first = given.read_next_batch()
    except StopIteration:
        raise ValueError(
            "the reader of the molecules has no batches: it was already read, or its table is empty. Pass the table "
            "itself, or a new reader"
        ) from None
    return type(given).from_batches(given.schema, itertools.chain([first], given))


class Molecules:
    """The molecules of a call, in any supported form."""

    def __init__(self, molecules: Any) -> None:
        if isinstance(molecules, str) and molecules.lower().endswith(_FILES):
            raise ValueError(
                f"{molecules!r} is the name of a file, not a SMILES. Read the file, for example with pandas.read_csv, and pass "
                "its column of SMILES"
            )
        if isinstance(molecules, os.PathLike):
            raise TypeError("molecules are SMILES, not the path of a file. Read the file and pass its column of SMILES")
        if isinstance(molecules, str) or type(molecules).__module__.startswith("rdkit."):
            molecules = [molecules]
        elif isinstance(molecules, (bytes, bytearray)):
            raise TypeError("molecules are text, not bytes. Decode them")
        elif isinstance(molecules, Mapping) or not (
            isinstance(molecules, Iterable) or hasattr(molecules, "__arrow_c_stream__") or hasattr(molecules, "__arrow_c_array__")
        ):
            raise TypeError(
                f"molecules are a SMILES text, an RDKit molecule, or a list or column of them, not {_type_name(molecules)}"
            )
        shape = getattr(molecules, "shape", None)
        if shape is not None and len(shape) == 2:
            molecules = _only_column(molecules)
        #: The index of a pandas object. None for other inputs.
        self.index = molecules.index if hasattr(molecules, "iloc") else None
        #: Whether the library can read the column without making Python texts. Columns of polars and pyarrow
        #: allow this.
        self._is_arrow = self.index is None and (
            hasattr(molecules, "__arrow_c_stream__") or hasattr(molecules, "__arrow_c_array__")
        )
        self._given = molecules
        self._smiles: Optional[List[str]] = None

    @property
    def smiles(self) -> List[str]:
        """The SMILES of the molecules. A missing value becomes an empty text, which the library reports as a
        failure."""
        if self._smiles is None:
            given = self._given.to_pylist() if hasattr(self._given, "to_pylist") else self._given
            self._smiles = [_text_of(molecule) for molecule in given]
        return self._smiles

    def __len__(self) -> int:
        return len(self._given) if self._is_arrow and hasattr(self._given, "__len__") else len(self.smiles)

    def labels(self) -> List[Any]:
        """The labels of the index. Without an index, they are 0, 1, 2 and so on."""
        return list(range(len(self))) if self.index is None else list(self.index)

    def stream(
        self,
        names: Optional[Sequence[str]] = None,
        columns: Optional[Mapping[str, Union[Sequence[float], Sequence[str]]]] = None,
    ) -> ArrowArrayStream:
        """Makes the table of molecules for the library, with additional columns of numbers or text."""
        if self._is_arrow and names is None and not columns:
            return arrow_stream_of(_unread(self._given))
        texts: Dict[str, Any] = {"smiles": self.smiles}
        numbers: Dict[str, Any] = {}
        if names is not None:
            texts["name"] = names
        for name, values in (columns or {}).items():
            is_text = len(values) > 0 and isinstance(values[0], str)
            (texts if is_text else numbers)[name] = values
        return stream_of(texts, numbers)


def smiles_of(molecules: Any) -> List[str]:
    """Returns the SMILES of one molecule, or of any iterable of molecules.

    The iterable can also be a column of a table of pandas, polars or pyarrow, an array of shape [n]
    or [n, 1], or a generator.
    """
    return Molecules(molecules).smiles


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)


def labels_of(values: Any, name: str, count: int) -> Union[List[float], List[str]]:
    """Returns one label for each of `count` molecules: numbers, or texts if one of the values is a text. The library
    reads the texts."""
    given = list(values.to_pylist() if hasattr(values, "to_pylist") else values)
    if not any(isinstance(value, str) for value in given):
        return numbers_of(given, name, count)
    _require_count(given, name, count)
    return ["" if _is_missing(value) else str(value) for value in given]


def _require_count(values: Sequence[Any], name: str, count: int) -> None:
    if len(values) != count:
        raise ValueError(f"{name} has {len(values)} values for {count} molecules. Give one for each molecule")


def numbers_of(values: Any, name: str, count: int) -> List[float]:
    """Returns one number for each of `count` molecules. None and NaN are missing values."""
    try:
        numbers = [float("nan") if _is_missing(value) else float(value) for value in values]
    except (TypeError, ValueError) as problem:
        raise type(problem)(f"{name} must be numbers, one for each molecule: {problem}") from problem
    _require_count(numbers, name, count)
    return numbers
