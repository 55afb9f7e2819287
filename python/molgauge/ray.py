"""Encodes molecules on a Ray cluster. This module needs Ray (``pip install 'ray[data]'``)."""

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
    """Returns the folder of the feature store of this node.

    The actors of a node share the store. It is on the disk of the node, because LMDB is unsafe on network file systems.

    Returns
    -------
    str
        A folder in the temporary folder of the node.

    Examples
    --------
    >>> "molgauge-store" in molgauge.ray.node_store()
    True
    """
    return os.path.join(tempfile.gettempdir(), f"molgauge-store-{getpass.getuser()}")


class _EncodingActor:
    """An actor with an encoder. Ray Data calls it with batches, which are dictionaries of columns."""

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
    """Adds a column of features to a Ray dataset. A pool of actors encodes the molecules.

    If an actor or a node dies, Ray replaces it and encodes its batches again.

    Parameters
    ----------
    dataset:
        A ``ray.data.Dataset``, or the path of Parquet files.
    column:
        The column with the SMILES.
    encoder:
        The encoder, for example "minimol" or "ecfp". Install its weights on every node (``molgauge.weights.install``), or
        in a shared folder that ``weights`` names.
    output:
        The name of the new column. Each row has float32 [width], NaN if the molecule failed. A second column, for
        example ``features_error``, has the reasons. A reason is an empty text if the molecule did not fail.
    actors:
        The size of the pool, or its smallest and largest size. If None, the pool has from 1 actor to as many as the
        CPUs of the cluster allow.
    cpus:
        The number of CPUs and threads of each actor.
    batch_size:
        The number of rows that an actor encodes at once.
    out:
        The folder for Parquet files. If None, the features are computed when the dataset is read.
    options:
        Further options of ``molgauge.Encoder``: ``precision="fast"``, ``weights=FOLDER``. ``store`` is a folder on the disk
        of each node. The default is ``node_store()``.

    Returns
    -------
    ray.data.Dataset
        The dataset with the two new columns.

    Raises
    ------
    UsageError
        If the dataset has no such column, or if ``on_error`` is not "nan".

    Examples
    --------
    >>> import ray                                                            # doctest: +SKIP
    >>> dataset = ray.data.from_items([{"smiles": "CCO"}])                    # doctest: +SKIP
    >>> molgauge.ray.encode(dataset, encoder="ecfp").take(1)                  # doctest: +SKIP
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
        resources: Any = ray.cluster_resources  # Any, because Ray does not annotate it
        most = max(1, int(resources().get("CPU", 1)) // cpus)
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
