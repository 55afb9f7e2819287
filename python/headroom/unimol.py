"""Uni-Mol's representations, with the arguments and keys of the package ``unimol_tools``."""

import csv
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

import numpy as np

from ._arrow import Table, stream_of
from ._molecules import smiles_of
from ._session import session
from .encoding import Encoder, FailedMolecule, FailedMolecules
from .errors import InputError, UsageError

if TYPE_CHECKING:
    from .encoding import OnError

#: Endings of files that ``unimol_tools`` takes in place of a SMILES.
_FILES = (".csv", ".sdf")


class UniMolRepr:
    """Takes the place of ``unimol_tools.UniMolRepr``: the same arguments, and the same form of the result.

    ``batch_size``, ``use_cuda``, ``use_ddp`` and ``use_gpu`` are taken so that scripts run: batches are planned from the
    memory budget, and the package computes on a CPU.

    Parameters
    ----------
    data_type:
        "molecule"; others are refused.
    remove_hs:
        True: weights of heavy atoms; False: of all atoms. Weights that are installed with the other choice are refused.
    model_name:
        "unimolv1"; others are refused.
    smiles_col:
        Column of a table or .csv that holds the SMILES.
    max_atoms:
        Atoms of a molecule that the network takes; of a larger one, some are drawn.
    on_error:
        A molecule that failed: "nan" (a row of NaN), "drop" or "raise". ``failed_`` lists them in any case.
    options:
        Options of ``headroom encode``, with underscores: ``memory_budget="2GiB"``, ``store=FOLDER``, ``weights=FOLDER``.
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
            raise UsageError(f"data_type is {data_type!r}. Only 'molecule' is computed here")
        if model_name != "unimolv1":
            raise UsageError(f"model_name is {model_name!r}. Only 'unimolv1' is computed here")
        if pretrained_model_path is not None or pretrained_dict_path is not None:
            raise UsageError(
                "pretrained_model_path and pretrained_dict_path have no effect here: install the weights once, with "
                "headroom.weights.install('unimol', FILE)"
            )
        if save_path is not None:
            raise UsageError("save_path has no effect here. Save what get_repr returns")
        self.remove_hs = remove_hs
        self.smiles_col = smiles_col
        self.batch_size = batch_size
        self._encoder = Encoder("unimol", on_error=on_error, max_atoms=max_atoms, **options)

    @property
    def failed_(self) -> FailedMolecules:
        """The molecules of the last call that failed."""
        return self._encoder.failed_

    def get_repr(
        self, data: Any = None, return_atomic_reprs: bool = False, return_tensor: bool = False
    ) -> "Union[List[np.ndarray], Dict[str, List[Any]], Any]":
        """The representations of molecules.

        ``data`` is a SMILES, a list or column of them, a table with the column ``smiles_col``, or the path of a .csv or .sdf.

        Returns a list of float32 arrays [512], one a molecule; with ``return_tensor`` a torch tensor [n, 512]; with
        ``return_atomic_reprs`` a dictionary: ``cls_repr`` (such a list), ``atomic_reprs`` (float32 [atoms, 512] each),
        ``atomic_coords`` (float32 [atoms, 3], in angstrom) and ``atomic_symbol`` (a list of texts each). A molecule that
        failed has no atoms.
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
                    f"the table has no column {self.smiles_col!r} (smiles_col). Conformers of one's own are not taken here"
                )
            data = data[self.smiles_col]
        return smiles_of(data)

    def _smiles_of_file(self, file: Path) -> List[str]:
        if file.suffix == ".sdf":
            raise UsageError(f"{file}: .sdf files are encoded by headroom encode {file} --encoder unimol --atom-features FILE")
        with open(file, newline="", encoding="utf-8") as opened:
            table = csv.DictReader(opened)
            if self.smiles_col not in (table.fieldnames or []):
                raise InputError(f"{file}: no column {self.smiles_col!r} (smiles_col)")
            return [row[self.smiles_col] or "" for row in table]

    def _require_variant(self) -> None:
        """Refuses weights that were trained with hydrogens where remove_hs is set, and the other way round."""
        import json

        for one in session().run("weights_list", {k: v for k, v in self._encoder.options.items() if k == "weights"}):
            if one["encoder"] == "unimol":
                manifest = json.loads((Path(one["folder"]) / "manifest.json").read_text(encoding="utf-8"))
                wanted = "no_h" if self.remove_hs else "all_h"
                if manifest.get("variant", wanted) != wanted:
                    raise UsageError(
                        f"remove_hs={self.remove_hs} needs weights of the variant {wanted}; {one['folder']} holds "
                        f"{manifest['variant']}: set remove_hs={not self.remove_hs}, or install the other weights"
                    )

    def _atomic(self, smiles: List[str]) -> Dict[str, List[Any]]:
        encoder = self._encoder
        with tempfile.TemporaryDirectory() as scratch:
            file, atoms = Path(scratch) / "molecules.csv", Path(scratch) / "atoms.npz"
            with open(file, "w", newline="", encoding="utf-8") as opened:
                csv.writer(opened).writerows([["row", "smiles"], *enumerate(smiles)])
            request = {**encoder.options, "encoder": "unimol"}
            report = session().run("encode", {**request, "molecules": str(file), "atom_features": str(atoms)})
            with np.load(atoms) as archive:
                of_atoms, offsets = archive["features"], archive["offsets"]
        features = np.empty((len(smiles), encoder.width), dtype=np.float32)
        failed = encoder._encode(smiles, features)["failed"]  # from the store
        kept = ("conformer_fallback", "conformer_deadline", "store", "threads")
        made = Table(session().conformers({k: v for k, v in request.items() if k in kept}, stream_of({"smiles": smiles})))
        records = made["mol_block"]
        encoder.report_ = report
        encoder.failed_ = FailedMolecules(FailedMolecule(one["row"], one["text"], one["reason"]) for one in failed)
        if encoder.failed_ and encoder.on_error == "raise":
            raise InputError(str(encoder.failed_[0]))
        encoder.failed_.warn(len(smiles))
        result: Dict[str, List[Any]] = {"cls_repr": [], "atomic_reprs": [], "atomic_coords": [], "atomic_symbol": []}
        missing = {one.row for one in encoder.failed_}
        no_symbols: List[str] = []
        for row in range(len(smiles)):
            if row in missing:
                symbols, coordinates = no_symbols, np.empty((0, 3), dtype=np.float32)
                if encoder.on_error == "drop":
                    continue
            else:
                symbols, coordinates = _atoms_of(records[row], self.remove_hs)
            own = of_atoms[offsets[row] : offsets[row + 1]]
            if len(own) != len(symbols):
                raise UsageError(
                    f"row {row}: the molecule has {len(symbols)} atoms, of which max_atoms lets {len(own)} through. Raise "
                    "max_atoms to have the features of atoms"
                )
            result["cls_repr"].append(features[row])
            result["atomic_reprs"].append(own)
            result["atomic_coords"].append(coordinates)
            result["atomic_symbol"].append(symbols)
        return result


def _atoms_of(record: str, remove_hs: bool) -> "tuple[List[str], np.ndarray]":
    """Symbols, and places [atoms, 3] in angstrom about their centre, of a mol block (version 2000 or 3000)."""
    lines = record.splitlines()
    symbols: List[str] = []
    places: List[List[float]] = []
    if "V3000" in lines[3]:
        begin, end = lines.index("M  V30 BEGIN ATOM") + 1, lines.index("M  V30 END ATOM")
        cells = [line.split()[3:7] for line in lines[begin:end]]
        rows = [(one[0], one[1:4]) for one in cells]
    else:
        count = int(lines[3][:3])
        rows = [(line[31:34].strip(), [line[0:10], line[10:20], line[20:30]]) for line in lines[4 : 4 + count]]
    for symbol, place in rows:
        if remove_hs and symbol == "H":
            continue
        symbols.append(symbol)
        places.append([float(number) for number in place])
    coordinates = np.asarray(places, dtype=np.float64).reshape(-1, 3)
    return symbols, (coordinates - coordinates.mean(axis=0)).astype(np.float32)
