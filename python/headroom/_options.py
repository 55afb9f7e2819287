"""Options of the verbs. scripts/python-options writes this file."""

import os
from typing import Dict, Literal, Tuple, TypedDict, Union

#: A text or a path.
Text = Union[str, "os.PathLike[str]"]


Method = Literal["combined", "knn", "tanimoto", "rarity", "coverage", "mahalanobis", "density"]


IntervalMethod = Literal["auto", "constant", "distance", "uncertainty", "both", "mondrian", "quantiles"]


class DomainOptions(TypedDict, total=False):
    """Options of ``headroom domain``."""

    standardize: Literal["none", "parent", "tautomer"]
    borderline_level: float
    seed: int
    model: Text
    features: Text
    strict: bool
    store: Text
    weights: Text
    precision: Text
    random_weights: bool
    conformer_fallback: Literal["2d", "fail"]
    conformer_deadline: float
    max_atoms: int
    device: Text
    threads: int
    memory_budget: Text
    conservative: bool
    host_memory_budget: Text
    cuda_allocator: Text
    memory_trace: Text
    memory_trace_ring: int


class EncodeOptions(TypedDict, total=False):
    """Options of ``headroom encode``."""

    strict: bool
    store: Text
    weights: Text
    batch_atoms: int
    precision: Text
    random_weights: bool
    conformer_fallback: Literal["2d", "fail"]
    conformer_deadline: float
    max_atoms: int
    device: Text
    threads: int
    memory_budget: Text
    conservative: bool
    host_memory_budget: Text
    cuda_allocator: Text
    memory_trace: Text
    memory_trace_ring: int


class ScoreOptions(TypedDict, total=False):
    """Options of ``headroom score``."""

    encoder: Text
    features: Text
    store: Text
    weights: Text
    conformer_deadline: float
    strict: bool
    page_rows: int
    method: Text
    id_recall: float
    threshold: float
    precision: Text
    random_weights: bool
    device: Text
    threads: int
    memory_budget: Text
    conservative: bool
    host_memory_budget: Text
    cuda_allocator: Text
    memory_trace: Text
    memory_trace_ring: int


#: The options of each verb with their choices. Without choices any value is accepted here.
OPTIONS: Dict[str, Dict[str, Tuple[str, ...]]] = {
    "domain": {
        "standardize": ("none", "parent", "tautomer",),
        "borderline_level": (),
        "seed": (),
        "model": (),
        "features": (),
        "strict": (),
        "store": (),
        "weights": (),
        "precision": (),
        "random_weights": (),
        "conformer_fallback": ("2d", "fail",),
        "conformer_deadline": (),
        "max_atoms": (),
        "device": (),
        "threads": (),
        "memory_budget": (),
        "conservative": (),
        "host_memory_budget": (),
        "cuda_allocator": (),
        "memory_trace": (),
        "memory_trace_ring": (),
    },
    "encode": {
        "strict": (),
        "store": (),
        "weights": (),
        "batch_atoms": (),
        "precision": (),
        "random_weights": (),
        "conformer_fallback": ("2d", "fail",),
        "conformer_deadline": (),
        "max_atoms": (),
        "device": (),
        "threads": (),
        "memory_budget": (),
        "conservative": (),
        "host_memory_budget": (),
        "cuda_allocator": (),
        "memory_trace": (),
        "memory_trace_ring": (),
    },
    "score": {
        "encoder": (),
        "features": (),
        "store": (),
        "weights": (),
        "conformer_deadline": (),
        "strict": (),
        "page_rows": (),
        "method": (),
        "id_recall": (),
        "threshold": (),
        "precision": (),
        "random_weights": (),
        "device": (),
        "threads": (),
        "memory_budget": (),
        "conservative": (),
        "host_memory_budget": (),
        "cuda_allocator": (),
        "memory_trace": (),
        "memory_trace_ring": (),
    },
}
