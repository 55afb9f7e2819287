"""Options of the verbs. scripts/python-options writes this file."""

import os
from typing import Dict, Literal, Tuple, TypedDict, Union

#: A text or a path.
Text = Union[str, "os.PathLike[str]"]

#: Bytes, or a text such as "2GiB" or "80%".
Budget = Union[int, str]


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
    memory_budget: Budget
    conservative: bool
    host_memory_budget: Budget
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
    memory_budget: Budget
    conservative: bool
    host_memory_budget: Budget
    cuda_allocator: Text
    memory_trace: Text
    memory_trace_ring: int


class PredictOptions(TypedDict, total=False):
    """Options of ``headroom predict``."""

    strict: bool
    store: Text
    weights: Text
    device: Text
    threads: int
    memory_budget: Budget
    conservative: bool
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
    memory_budget: Budget
    conservative: bool
    host_memory_budget: Budget
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
    "predict": {
        "strict": (),
        "store": (),
        "weights": (),
        "device": (),
        "threads": (),
        "memory_budget": (),
        "conservative": (),
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
    "pocket build": {
        "from": ("amber", "structures", "graphs",),
        "distance_cutoff": (),
        "ligand": (),
        "hariboss_csv": (),
        "pocket_cutoff": (),
        "force_field": (),
        "max_complexes": (),
        "normalization": (),
        "reference_compatible": (),
        "percentile": (),
        "max_atoms": (),
        "max_bonds": (),
        "max_pairs": (),
        "max_graph_bytes": (),
        "conservative": (),
        "threads": (),
    },
    "pocket ligands": {
        "hariboss_csv": (),
        "id_column": (),
        "smiles_column": (),
        "normalize": (),
        "encoder": (),
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
    "pocket train": {
        "restart": (),
        "splits": (),
        "split_by": ("complex", "ligand", "pdb", "model",),
        "train_ratio": (),
        "val_ratio": (),
        "allow_overlap": (),
        "hidden_irreps": (),
        "num_layers": (),
        "feature_hidden_dim": (),
        "num_radial_basis": (),
        "no_multi_hop": (),
        "no_nonbonded": (),
        "no_gate": (),
        "no_layer_norm": (),
        "pooling": ("attention", "mean", "sum", "max", "multihead",),
        "dropout": (),
        "v3": (),
        "enhanced_invariants": (),
        "improved_layers": (),
        "norm": ("layer", "rms",),
        "attention_heads": (),
        "angle_weight": (),
        "dihedral_weight": (),
        "nonbonded_weight": (),
        "reference_compatible": (),
        "loss": ("mse", "cosine", "cosine_mse", "infonce",),
        "cosine_weight": (),
        "mse_weight": (),
        "temperature": (),
        "physics_weight": (),
        "physics_nonbonded": (),
        "epochs": (),
        "patience": (),
        "batch_size": (),
        "accumulation_steps": (),
        "lr": (),
        "weight_decay": (),
        "optimizer": ("adam", "adamw",),
        "scheduler": ("plateau", "cosine", "none",),
        "grad_clip": (),
        "monitor_gradients": (),
        "checkpoint_activations": ("auto", "on", "off",),
        "autocast": ("off", "bf16", "fp16",),
        "loader_threads": (),
        "process_timeout": (),
        "save_every": (),
        "seed": (),
        "device": (),
        "threads": (),
        "memory_budget": (),
        "conservative": (),
        "host_memory_budget": (),
        "cuda_allocator": (),
        "memory_trace": (),
        "memory_trace_ring": (),
    },
    "pocket embed": {
        "reference_compatible": (),
        "device": (),
        "threads": (),
        "memory_budget": (),
        "conservative": (),
        "host_memory_budget": (),
        "cuda_allocator": (),
        "memory_trace": (),
        "memory_trace_ring": (),
    },
    "pocket search": {
        "reference_compatible": (),
        "metric": ("cosine", "euclidean",),
        "page": (),
        "pocket": (),
        "top_k": (),
        "device": (),
        "threads": (),
        "memory_budget": (),
        "conservative": (),
        "host_memory_budget": (),
        "cuda_allocator": (),
        "memory_trace": (),
        "memory_trace_ring": (),
    },
    "pocket evaluate": {
        "reference_compatible": (),
        "metric": ("cosine", "euclidean",),
        "page": (),
        "splits": (),
        "part": ("train", "val", "test", "all",),
        "recall_k": (),
        "top_percentages": (),
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
