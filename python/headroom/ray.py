"""Molecules to features on a Ray cluster. Using this module needs Ray (``pip install 'ray[data]'``)."""

import getpass
import os
import tempfile
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple, Union

import numpy as np

from .encoding import Encoder

if TYPE_CHECKING:
    from .encoding import EncoderName
from .errors import UsageError

PathLike = Union[str, "os.PathLike[str]"]


def node_store() -> str:
    """The store of a node: a folder on its own disk that its actors share. LMDB is unsafe on network file systems."""
    return os.path.join(tempfile.gettempdir(), f"headroom-store-{getpass.getuser()}")


class _EncodingActor:
    """Holds an encoder of one process of the cluster. Ray Data calls it with a batch of columns."""

    def __init__(self, column: str, output: str, encoder: "EncoderName", options: Dict[str, Any]) -> None:
        self._column = column
        self._output = output
        self._encoder = Encoder(encoder, **{"store": node_store(), **options})

    def __call__(self, batch: Dict[str, np.ndarray]) -> Dict[str, np.ndarray]:
        rows = self._encoder(list(batch[self._column]))
        reasons = [""] * len(rows)
        for one in self._encoder.failed_:
            reasons[one.row] = one.reason
        return {**batch, self._output: rows, self._output + "_error": np.asarray(reasons, dtype=object)}


def encode(
    dataset: Any,
    column: str = "smiles",
    *,
    encoder: "EncoderName" = "minimol",
    output: str = "features",
    actors: Union[int, Tuple[int, int], None] = None,
    cpus: int = 1,
    batch_size: int = 1024,
    out: Optional[PathLike] = None,
    **options: Any,
) -> Any:
    """Adds the features of a column of SMILES to a Ray dataset, by a pool of actors.

    Parameters
    ----------
    dataset:
        A ``ray.data.Dataset``, or the path of Parquet files.
    column:
        Column with the SMILES.
    encoder:
        "minimol", "ecfp"; ``headroom.encoders()`` lists them. Weights must be installed on every node
        (``headroom.weights.install``), or in a shared folder that ``weights`` names.
    output:
        Name of the new column: float32 [width] a row, NaN where the molecule failed. The column ``output + "_error"`` has
        the reason, and an empty text where there is none.
    actors:
        Size of the pool, or its least and largest size; None: from 1 to as many as the cluster's CPUs allow.
    cpus:
        CPUs, and threads, of each actor.
    batch_size:
        Rows that an actor encodes at once.
    out:
        Folder to write Parquet files to; None: nothing is computed until the dataset is read.
    options:
        Further options of ``headroom.Encoder``: ``precision="fast"``, ``weights=FOLDER``. ``store`` is a folder of each
        node's own disk. Without it, one in the node's temporary folder.

    Returns the dataset with the two columns. An actor or node that dies is replaced, and its batches are encoded again.
    """
    import ray

    if options.get("on_error", "nan") != "nan":
        raise UsageError("on_error is 'nan' on a cluster: every row is kept. Filter the column of reasons")
    options.pop("on_error", None)
    if isinstance(dataset, (str, os.PathLike)):
        dataset = ray.data.read_parquet(os.fspath(dataset))
    names = dataset.columns()
    if names is not None and column not in names:
        raise UsageError(f"the dataset has no column {column!r}. It has {', '.join(names)}")
    if actors is None:
        most = max(1, int(ray.cluster_resources().get("CPU", 1)) // cpus)
        pool = ray.data.ActorPoolStrategy(min_size=1, max_size=most)
    elif isinstance(actors, int):
        pool = ray.data.ActorPoolStrategy(size=actors)
    else:
        pool = ray.data.ActorPoolStrategy(min_size=actors[0], max_size=actors[1])
    encoded = dataset.map_batches(
        _EncodingActor,
        fn_constructor_args=(column, output, encoder, {"threads": cpus, **options}),
        batch_size=batch_size,
        batch_format="numpy",
        num_cpus=cpus,
        compute=pool,
    )
    if out is None:
        return encoded
    encoded.write_parquet(os.fspath(out))
    return ray.data.read_parquet(os.fspath(out))
