"""Computes Uni-Mol's representations with the interface of the package ``unimol_tools``."""

import csv
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Set, Tuple, Union

import numpy as np

from ._arrow import Table, stream_of
from ._molecules import smiles_of
from ._session import session
from .encoding import Encoder, FailedMolecule, FailedMolecules
from .errors import InputError, UsageError
from .weights import provide

if TYPE_CHECKING:
    from .encoding import OnError

#: Extensions of files that ``unimol_tools`` accepts instead of a SMILES.
_FILES = (".csv", ".sdf")
#: Options of ``molgauge encode`` that determine the coordinates.
_CONFORMER_OPTIONS = ("conformer_fallback", "conformer_engine", "conformer_deadline", "store", "threads")


class UniMolRepr:
    """Replaces ``unimol_tools.UniMolRepr``. The arguments and the results have the same form.

    Parameters
    ----------
    data_type:
        "molecule". Other types are not supported.
    batch_size, use_cuda, use_ddp, use_gpu:
        Have no effect. Batches are planned from the memory budget, and the package computes on the CPU.
    remove_hs:
        True for the weights of heavy atoms, False for the weights of all atoms. The installed weights must match.
    model_name:
        "unimolv1". Other models are not supported.
    model_size:
        Has no effect.
    smiles_col:
        The column with the SMILES in a table or a .csv file.
    save_path, pretrained_model_path, pretrained_dict_path:
        Not supported.
    max_atoms:
        The largest number of atoms of a molecule. The network gets a random selection of the atoms of a larger molecule.
    on_error:
        What to do with a molecule that fails: "nan" (a row of NaN), "drop" or "raise". ``failed_`` always
        lists the failed molecules.
    options:
        Options of ``molgauge encode`` with underscores: ``memory_budget="2GiB"``, ``store=FOLDER``, ``weights=FOLDER``.

    Raises
    ------
    UsageError
        If an argument is not supported.

    Examples
    --------
    >>> molgauge.UniMolRepr(model_name="unimolv2")
    Traceback (most recent call last):
    molgauge.errors.UsageError: model_name is 'unimolv2'. Only 'unimolv1' is supported
    """

    def __init__(
        self,
        data_type: str = "molecule",
        batch_size: int = 32,
        remove_hs: bool = False,
        model_name: str = "unimolv1",
        model_size: str = "84m",
        smiles_col: str = "SMILES",
        use_cuda: bool = True,
        use_ddp: bool = False,
        use_gpu: str = "all",
        save_path: Optional[str] = None,
        pretrained_model_path: Optional[str] = None,
        pretrained_dict_path: Optional[str] = None,
        max_atoms: int = 256,
        *,
        on_error: "OnError" = "nan",
        **options: Any,
    ) -> None:
        if data_type != "molecule":
            raise UsageError(f"data_type is {data_type!r}. Only 'molecule' is supported")
        if model_name != "unimolv1":
            raise UsageError(f"model_name is {model_name!r}. Only 'unimolv1' is supported")
        if pretrained_model_path is not None or pretrained_dict_path is not None:
            raise UsageError(
                "pretrained_model_path and pretrained_dict_path have no effect. Install the weights once, with "
                "molgauge.weights.install('unimol', FILE)"
            )
        if save_path is not None:
            raise UsageError("save_path has no effect. Save the result of get_repr")
        self.remove_hs = remove_hs
        self.smiles_col = smiles_col
        self.batch_size = batch_size
        self._encoder = Encoder("unimol", on_error=on_error, max_atoms=max_atoms, **options)

    def __repr__(self) -> str:
        return f"UniMolRepr(remove_hs={self.remove_hs!r}, smiles_col={self.smiles_col!r})"

    @property
    def failed_(self) -> FailedMolecules:
        """The molecules of the last call that failed (FailedMolecules)."""
        return self._encoder.failed_

    def get_repr(
        self, data: Any = None, return_atomic_reprs: bool = False, return_tensor: bool = False
    ) -> "Union[List[np.ndarray], Dict[str, List[Any]], Any]":
        """Computes the representations of molecules.

        Parameters
        ----------
        data:
            A SMILES, a list or column of n of them, a table with the column ``smiles_col``, or the path of a .csv file.
        return_atomic_reprs:
            Also returns the representations, coordinates and symbols of the atoms.
        return_tensor:
            Returns a torch tensor.

        Returns
        -------
        list of numpy.ndarray, torch.Tensor or dict
            A list of n arrays, float32 [512] each. With ``return_tensor`` a torch tensor [n, 512]. With
            ``return_atomic_reprs`` a dictionary with n elements under each key: ``cls_repr`` (float32 [512]),
            ``atomic_reprs`` (float32 [atoms, 512]), ``atomic_coords`` (float32 [atoms, 3] in angstrom, centred) and
            ``atomic_symbol`` (a list of texts). A failed molecule has no atoms.

        Raises
        ------
        InputError
            If a molecule fails and ``on_error`` is "raise", or if a file has no such column.
        UsageError
            If the installed weights do not match ``remove_hs``, or if a molecule has more than ``max_atoms`` atoms and
            ``return_atomic_reprs`` is set.
        """
        if return_tensor and return_atomic_reprs:
            raise UsageError("return_tensor has no effect with return_atomic_reprs. Leave one out")
        smiles = self._smiles_of(data)
        self._require_variant()
        if return_atomic_reprs:
            return self._atomic(smiles)
        rows = self._encoder(smiles)
        if return_tensor:
            import torch

            return torch.from_numpy(rows)
        return list(rows)

    def _smiles_of(self, data: Any) -> List[str]:
        if data is None:
            raise UsageError("data is None. Pass SMILES, a table or the path of a .csv")
        if isinstance(data, (str, os.PathLike)) and os.fspath(data).endswith(_FILES):
            return self._smiles_of_file(Path(data))
        if isinstance(data, dict) or (hasattr(data, "columns") and hasattr(data, "__getitem__")):
            if self.smiles_col not in (data if isinstance(data, dict) else list(data.columns)):
                raise UsageError(
                    f"the table has no column {self.smiles_col!r} (smiles_col). Molgauge generates the conformers, so a table needs SMILES"
                )
            data = data[self.smiles_col]
        return smiles_of(data)

    def _smiles_of_file(self, file: Path) -> List[str]:
        if file.suffix == ".sdf":
            raise UsageError(f"{file}: .sdf files are not supported. Run molgauge encode {file} --encoder unimol --atom-features FILE")
        with open(file, newline="", encoding="utf-8") as opened:
            table = csv.DictReader(opened)
            if self.smiles_col not in (table.fieldnames or []):
                raise InputError(f"{file}: no column {self.smiles_col!r} (smiles_col)")
            return [row[self.smiles_col] or "" for row in table]

    def _require_variant(self) -> None:
        """Raises UsageError if the installed weights do not match remove_hs. remove_hs needs weights that were
        trained without hydrogens."""
        import json

        for one in session().run("weights_list", {k: v for k, v in self._encoder.options.items() if k == "weights"}):
            if one["encoder"] == "unimol":
                manifest = json.loads((Path(one["folder"]) / "manifest.json").read_text(encoding="utf-8"))
                wanted = "no_h" if self.remove_hs else "all_h"
                if manifest.get("variant", wanted) != wanted:
                    raise UsageError(
                        f"remove_hs={self.remove_hs} needs weights of the variant {wanted}, but {one['folder']} holds "
                        f"{manifest['variant']}. Set remove_hs={not self.remove_hs}, or install the other weights"
                    )

    def _atomic(self, smiles: List[str]) -> Dict[str, List[Any]]:
        encoder = self._encoder
        provide("unimol", encoder.options)
        request = {**encoder.options, "encoder": "unimol"}
        stream, encoder.report_ = session().atom_features(request, stream_of({"smiles": smiles}))
        table = Table(stream)
        features, of_atoms, reasons = table.numpy("features"), table.numpy("atoms"), table.numpy("reason")
        encoder.failed_ = FailedMolecules(
            FailedMolecule(row, smiles[row], reasons[row]) for row in range(len(smiles)) if reasons[row] is not None
        )
        if encoder.failed_ and encoder.on_error == "raise":
            raise InputError(str(encoder.failed_[0]))
        encoder.failed_.warn(len(smiles))
        missing = {one.row for one in encoder.failed_}
        atoms = self._atoms(smiles, missing)
        result: Dict[str, List[Any]] = {"cls_repr": [], "atomic_reprs": [], "atomic_coords": [], "atomic_symbol": []}
        for row, (symbols, coordinates) in enumerate(atoms):
            if row in missing and encoder.on_error == "drop":
                continue
            if len(of_atoms[row]) != len(symbols):
                raise UsageError(
                    f"row {row}: the molecule has {len(symbols)} atoms, but max_atoms limits the network to "
                    f"{len(of_atoms[row])}. Raise max_atoms"
                )
            result["cls_repr"].append(features[row])
            result["atomic_reprs"].append(of_atoms[row])
            result["atomic_coords"].append(coordinates)
            result["atomic_symbol"].append(symbols)
        return result

    def _atoms(self, smiles: List[str], missing: Set[int]) -> "List[Tuple[List[str], np.ndarray]]":
        """Returns the symbols and the coordinates [atoms, 3] of each molecule, in angstrom relative to their centre.
        Molecules whose index is in ``missing`` have no atoms."""
        options = {key: value for key, value in self._encoder.options.items() if key in _CONFORMER_OPTIONS}
        table = Table(session().conformers(options, stream_of({"smiles": smiles})))
        offsets, fields = table.fields("atoms")
        places = np.stack([fields["x"], fields["y"], fields["z"]], axis=1)
        found = []
        for row in range(len(smiles)):
            own = slice(offsets[row], offsets[row + 1] if row not in missing else offsets[row])
            symbols, coordinates = fields["symbol"][own], places[own]
            if self.remove_hs:
                symbols, coordinates = symbols[symbols != "H"], coordinates[symbols != "H"]
            if len(symbols):
                coordinates = coordinates - coordinates.mean(axis=0)
            found.append((symbols.tolist(), coordinates.astype(np.float32)))
        return found
