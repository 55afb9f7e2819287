"""Molecules as people have them: texts, lists, columns of tables, objects of RDKit."""

import csv
import os
from typing import Any, Dict, List, Optional, Sequence


def _text_of(molecule: Any) -> str:
    """The SMILES of one molecule; empty for a missing value, which then fails by name."""
    if isinstance(molecule, str):
        return molecule
    # pandas.NA has no truth value, and NaN differs from itself.
    if molecule is None or type(molecule).__name__ == "NAType" or molecule != molecule:
        return ""
    if type(molecule).__module__.startswith("rdkit."):
        from rdkit import Chem

        return Chem.MolToSmiles(molecule)
    raise TypeError(
        f"a molecule is a SMILES text or an RDKit molecule, not {type(molecule).__module__}."
        f"{type(molecule).__qualname__}"
    )


def _only_column(table: Any) -> Any:
    """The column of a table of pandas or polars, or of an array of shape [n, 1]."""
    if table.shape[1] != 1:
        raise ValueError(f"molecules are one column of SMILES; this table has {table.shape[1]} columns")
    if hasattr(table, "iloc"):
        return table.iloc[:, 0]
    if hasattr(table, "to_series"):  # polars
        return table.to_series()
    return [row[0] for row in table]


def smiles_of(molecules: Any) -> List[str]:
    """The SMILES of one molecule, or of any iterable of them.

    A column of a table of pandas or polars, an array of shape [n] or [n, 1] and a generator are iterables, too.
    """
    if isinstance(molecules, str) or type(molecules).__module__.startswith("rdkit."):
        molecules = [molecules]
    shape = getattr(molecules, "shape", None)
    if shape is not None and len(shape) == 2:
        molecules = _only_column(molecules)
    return [_text_of(molecule) for molecule in molecules]


def numbers_of(values: Any, name: str, count: int) -> List[float]:
    """One number for each of `count` molecules. None and NaN are missing values."""
    numbers = [float("nan") if value is None or type(value).__name__ == "NAType" else float(value) for value in values]
    if len(numbers) != count:
        raise ValueError(f"{name} has {len(numbers)} values for {count} molecules; give one for each molecule")
    return numbers


def write_molecules(
    path: "os.PathLike[str] | str", smiles: Sequence[str], columns: Optional[Dict[str, List[float]]] = None
) -> None:
    """Writes a .csv that the verbs read, with the columns row and smiles, and columns of numbers.

    A NaN becomes an empty cell.
    """
    further = columns or {}
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["row", "smiles", *further])
        for row, text in enumerate(smiles):
            cells = ["" if column[row] != column[row] else repr(column[row]) for column in further.values()]
            rows.writerow([row, text, *cells])
