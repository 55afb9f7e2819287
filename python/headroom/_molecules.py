"""Molecules as people have them: texts, lists, columns of tables, objects of RDKit."""

from typing import Any, List


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


def smiles_of(molecules: Any) -> List[str]:
    """The SMILES of one molecule, or of any iterable of them.

    A column of a pandas table, an array of shape [n] or [n, 1] and a generator are iterables, too.
    """
    if isinstance(molecules, str) or type(molecules).__module__.startswith("rdkit."):
        molecules = [molecules]
    shape = getattr(molecules, "shape", None)
    if shape is not None and len(shape) == 2:
        if shape[1] != 1:
            raise ValueError(f"molecules are one column of SMILES; this table has {shape[1]} columns")
        molecules = molecules.iloc[:, 0] if hasattr(molecules, "iloc") else [row[0] for row in molecules]
    return [_text_of(molecule) for molecule in molecules]
