"""Options of the verbs. scripts/python-options writes this file."""

import os
from typing import Dict, List, Literal, Tuple, TypedDict, Union

#: A text or a path.
Text = Union[str, "os.PathLike[str]"]

#: Bytes, or a text such as "2GiB" or "80%".
Budget = Union[int, str]


Method = Literal["combined", "knn", "tanimoto", "rarity", "coverage", "mahalanobis", "density"]


IntervalMethod = Literal["auto", "constant", "distance", "uncertainty", "both", "mondrian", "quantiles", "opinion"]


class DomainOptions(TypedDict, total=False):
    """Options of ``molgauge domain``."""

    standardize: Literal["none", "parent", "tautomer"]
    keep_isotopes: bool
    borderline_level: float
    model: Text
    as_drawn: bool
    features: Text
    workbook: Text
    sdf: Text
    card: Text
    contributions: bool
    strict: bool
    describe: bool
    store: Text
    weights: Text
    precision: Text
    random_weights: bool
    conformer_fallback: Literal["2d", "fail"]
    conformer_engine: Literal["exact", "fast"]
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
    """Options of ``molgauge encode``."""

    strict: bool
    store: Text
    weights: Text
    batch_atoms: int
    precision: Text
    random_weights: bool
    conformer_fallback: Literal["2d", "fail"]
    conformer_engine: Literal["exact", "fast"]
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
    """Options of ``molgauge predict``."""

    standardize: Literal["none", "parent", "tautomer"]
    check_spellings: bool
    describe: bool
    workbook: Text
    sdf: Text
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
    """Options of ``molgauge score``."""

    encoder: Text
    features: Text
    store: Text
    weights: Text
    conformer_deadline: float
    standardize: Literal["none", "parent", "tautomer"]
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


class SplitOptions(TypedDict, total=False):
    """Options of ``molgauge split``."""

    smiles_column: Text
    label_column: Union[Text, List[str]]
    domain: Literal["scaffold", "size", "assay"]
    shift: Literal["covariate", "concept", "none"]
    algorithm: Literal["good", "drugood"]
    style: Literal["classes", "values"]
    drop_acyclic: bool
    keep_spellings: bool
    assay_column: Text
    relation_column: Text
    subset: Literal["core", "refined", "general"]
    type_column: Text
    measurement_type: Text
    units_column: Text
    confidence_column: Text
    seed: int
    strict: bool
    threads: int


class TrainOptions(TypedDict, total=False):
    """Options of ``molgauge train``."""

    data_path: Text
    ood: Text
    smiles_column: Text
    ood_smiles_column: Text
    ood_similarity: float
    splits_cache: Text
    data_seed: int
    dataset_type: Literal["auto", "drugood", "good"]
    train_size: int
    val_size: int
    test_size: int
    debug_dataset_size: int
    held_out_seed: int
    allow_overlap: bool
    restart: bool
    encoder: Text
    features: Text
    loss: Literal["dpo", "bce", "mse", "hinge"]
    dpo_beta: float
    hinge_margin: float
    hinge_topk: float
    hinge_squared: bool
    lambda_reg: float
    hidden_dim: int
    dropout: float
    epochs: int
    batch_size: int
    eval_batch_size: int
    lr: float
    weight_decay: float
    grad_clip: float
    eval_steps: int
    patience: int
    early_stopping: Literal["plain", "reference"]
    seed: int
    seeds: int
    finetune_encoder: bool
    freeze_layers: Text
    encoder_lr: float
    gradient_accumulation: Literal["auto"]
    checkpoint_activations: Literal["auto", "on", "off"]
    autocast: Literal["off", "bf16", "fp16"]
    optimizer_state: Literal["fp32", "bf16"]
    empty_cache: Literal["auto", "never", "epoch"]
    conformer_fallback: Literal["2d", "fail"]
    conformer_engine: Literal["exact", "fast"]
    conformer_deadline: float
    max_atoms: int
    strict: bool
    spreadsheet_safe: bool
    store: Text
    weights: Text
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


class EvaluateOptions(TypedDict, total=False):
    """Options of ``molgauge evaluate``."""

    encoder: Text
    features: Text
    store: Text
    weights: Text
    conformer_deadline: float
    data: Text
    data_path: Text
    allow_overlap: bool
    out: Text
    spreadsheet_safe: bool
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


class BaselineOptions(TypedDict, total=False):
    """Options of ``molgauge baseline``."""

    encoder: Text
    data_path: Text
    restart: bool
    labels: Literal["auto", "class", "one-output", "multi-class", "tasks", "value"]
    hidden_channels: int
    num_layers: int
    dropout: float
    lr: float
    weight_decay: float
    epochs: int
    batch_size: int
    patience: int
    eval_batch_size: int
    odin_temperature: float
    odin_noise: float
    knn_k: int
    lof_neighbors: int
    mc_dropout_samples: int
    mc_dropout_metric: Literal["entropy", "variance"]
    dam_lr: float
    dam_margin: float
    calibration: Literal["held-out", "validation"]
    metrics: Literal["evaluation", "baseline"]
    seed: int
    data_seed: int
    features: Text
    dataset_type: Literal["auto", "drugood", "good"]
    train_size: int
    val_size: int
    test_size: int
    debug_dataset_size: int
    held_out_seed: int
    conformer_fallback: Literal["2d", "fail"]
    conformer_engine: Literal["exact", "fast"]
    conformer_deadline: float
    max_atoms: int
    precision: Text
    allow_overlap: bool
    strict: bool
    spreadsheet_safe: bool
    store: Text
    weights: Text
    random_weights: bool
    device: Text
    threads: int
    memory_budget: Budget
    conservative: bool
    host_memory_budget: Budget
    cuda_allocator: Text
    memory_trace: Text
    memory_trace_ring: int


class ExperimentOptions(TypedDict, total=False):
    """Options of ``molgauge experiment``."""

    data_path: Text
    jobs: int
    plan_only: bool
    store: Text
    weights: Text
    spreadsheet_safe: bool
    precision: Text
    random_weights: bool
    conformer_fallback: Literal["2d", "fail"]
    conformer_engine: Literal["exact", "fast"]
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


class PocketBuildOptions(TypedDict, total=False):
    """Options of ``molgauge pocket build``."""

    from_: Literal["amber", "structures", "graphs"]
    distance_cutoff: float
    ligand: Text
    hariboss_csv: Text
    pocket_cutoff: float
    force_field: Union[Text, List[str]]
    max_complexes: int
    normalization: Text
    reference_compatible: bool
    percentile: float
    max_atoms: int
    max_bonds: int
    max_pairs: int
    max_graph_bytes: int
    conservative: bool
    threads: int


class PocketLigandsOptions(TypedDict, total=False):
    """Options of ``molgauge pocket ligands``."""

    hariboss_csv: Text
    id_column: Text
    smiles_column: Text
    normalize: bool
    encoder: Text
    store: Text
    weights: Text
    precision: Text
    random_weights: bool
    conformer_fallback: Literal["2d", "fail"]
    conformer_engine: Literal["exact", "fast"]
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


class PocketTrainOptions(TypedDict, total=False):
    """Options of ``molgauge pocket train``."""

    restart: bool
    splits: Text
    split_by: Literal["complex", "ligand", "pdb", "model"]
    train_ratio: float
    val_ratio: float
    allow_overlap: bool
    hidden_irreps: Text
    num_layers: int
    feature_hidden_dim: int
    num_radial_basis: int
    no_multi_hop: bool
    no_nonbonded: bool
    no_gate: bool
    no_layer_norm: bool
    pooling: Literal["attention", "mean", "sum", "max", "multihead"]
    dropout: float
    v3: bool
    enhanced_invariants: bool
    improved_layers: bool
    norm: Literal["layer", "rms"]
    attention_heads: int
    angle_weight: float
    dihedral_weight: float
    nonbonded_weight: float
    reference_compatible: bool
    loss: Literal["mse", "cosine", "cosine_mse", "infonce"]
    cosine_weight: float
    mse_weight: float
    temperature: float
    physics_weight: float
    physics_nonbonded: bool
    epochs: int
    patience: int
    batch_size: int
    accumulation_steps: int
    lr: float
    weight_decay: float
    optimizer: Literal["adam", "adamw"]
    scheduler: Literal["plateau", "cosine", "none"]
    grad_clip: float
    monitor_gradients: bool
    checkpoint_activations: Literal["auto", "on", "off"]
    autocast: Literal["off", "bf16", "fp16"]
    loader_threads: int
    process_timeout: int
    save_every: int
    seed: int
    device: Text
    threads: int
    memory_budget: Budget
    conservative: bool
    host_memory_budget: Budget
    cuda_allocator: Text
    memory_trace: Text
    memory_trace_ring: int


class PocketEmbedOptions(TypedDict, total=False):
    """Options of ``molgauge pocket embed``."""

    reference_compatible: bool
    device: Text
    threads: int
    memory_budget: Budget
    conservative: bool
    host_memory_budget: Budget
    cuda_allocator: Text
    memory_trace: Text
    memory_trace_ring: int


class PocketSearchOptions(TypedDict, total=False):
    """Options of ``molgauge pocket search``."""

    reference_compatible: bool
    metric: Literal["cosine", "euclidean"]
    page: Text
    pocket: Union[Text, List[str]]
    top_k: int
    device: Text
    threads: int
    memory_budget: Budget
    conservative: bool
    host_memory_budget: Budget
    cuda_allocator: Text
    memory_trace: Text
    memory_trace_ring: int


class PocketEvaluateOptions(TypedDict, total=False):
    """Options of ``molgauge pocket evaluate``."""

    reference_compatible: bool
    metric: Literal["cosine", "euclidean"]
    page: Text
    splits: Text
    part: Literal["train", "val", "test", "all"]
    recall_k: Text
    top_percentages: Text
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
        "keep_isotopes": (),
        "borderline_level": (),
        "model": (),
        "as_drawn": (),
        "features": (),
        "workbook": (),
        "sdf": (),
        "card": (),
        "contributions": (),
        "strict": (),
        "describe": (),
        "store": (),
        "weights": (),
        "precision": (),
        "random_weights": (),
        "conformer_fallback": ("2d", "fail",),
        "conformer_engine": ("exact", "fast",),
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
        "conformer_engine": ("exact", "fast",),
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
        "standardize": ("none", "parent", "tautomer",),
        "check_spellings": (),
        "describe": (),
        "workbook": (),
        "sdf": (),
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
        "standardize": ("none", "parent", "tautomer",),
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
    "split": {
        "smiles_column": (),
        "label_column": (),
        "domain": ("scaffold", "size", "assay",),
        "shift": ("covariate", "concept", "none",),
        "algorithm": ("good", "drugood",),
        "style": ("classes", "values",),
        "drop_acyclic": (),
        "keep_spellings": (),
        "assay_column": (),
        "relation_column": (),
        "subset": ("core", "refined", "general",),
        "type_column": (),
        "measurement_type": (),
        "units_column": (),
        "confidence_column": (),
        "seed": (),
        "strict": (),
        "threads": (),
    },
    "train": {
        "data_path": (),
        "ood": (),
        "smiles_column": (),
        "ood_smiles_column": (),
        "ood_similarity": (),
        "splits_cache": (),
        "data_seed": (),
        "dataset_type": ("auto", "drugood", "good",),
        "train_size": (),
        "val_size": (),
        "test_size": (),
        "debug_dataset_size": (),
        "held_out_seed": (),
        "allow_overlap": (),
        "restart": (),
        "encoder": (),
        "features": (),
        "loss": ("dpo", "bce", "mse", "hinge",),
        "dpo_beta": (),
        "hinge_margin": (),
        "hinge_topk": (),
        "hinge_squared": (),
        "lambda_reg": (),
        "hidden_dim": (),
        "dropout": (),
        "epochs": (),
        "batch_size": (),
        "eval_batch_size": (),
        "lr": (),
        "weight_decay": (),
        "grad_clip": (),
        "eval_steps": (),
        "patience": (),
        "early_stopping": ("plain", "reference",),
        "seed": (),
        "seeds": (),
        "finetune_encoder": (),
        "freeze_layers": (),
        "encoder_lr": (),
        "gradient_accumulation": ("auto",),
        "checkpoint_activations": ("auto", "on", "off",),
        "autocast": ("off", "bf16", "fp16",),
        "optimizer_state": ("fp32", "bf16",),
        "empty_cache": ("auto", "never", "epoch",),
        "conformer_fallback": ("2d", "fail",),
        "conformer_engine": ("exact", "fast",),
        "conformer_deadline": (),
        "max_atoms": (),
        "strict": (),
        "spreadsheet_safe": (),
        "store": (),
        "weights": (),
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
    "evaluate": {
        "encoder": (),
        "features": (),
        "store": (),
        "weights": (),
        "conformer_deadline": (),
        "data": (),
        "data_path": (),
        "allow_overlap": (),
        "out": (),
        "spreadsheet_safe": (),
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
    "baseline": {
        "encoder": (),
        "data_path": (),
        "restart": (),
        "labels": ("auto", "class", "one-output", "multi-class", "tasks", "value",),
        "hidden_channels": (),
        "num_layers": (),
        "dropout": (),
        "lr": (),
        "weight_decay": (),
        "epochs": (),
        "batch_size": (),
        "patience": (),
        "eval_batch_size": (),
        "odin_temperature": (),
        "odin_noise": (),
        "knn_k": (),
        "lof_neighbors": (),
        "mc_dropout_samples": (),
        "mc_dropout_metric": ("entropy", "variance",),
        "dam_lr": (),
        "dam_margin": (),
        "calibration": ("held-out", "validation",),
        "metrics": ("evaluation", "baseline",),
        "seed": (),
        "data_seed": (),
        "features": (),
        "dataset_type": ("auto", "drugood", "good",),
        "train_size": (),
        "val_size": (),
        "test_size": (),
        "debug_dataset_size": (),
        "held_out_seed": (),
        "conformer_fallback": ("2d", "fail",),
        "conformer_engine": ("exact", "fast",),
        "conformer_deadline": (),
        "max_atoms": (),
        "precision": (),
        "allow_overlap": (),
        "strict": (),
        "spreadsheet_safe": (),
        "store": (),
        "weights": (),
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
    "experiment": {
        "data_path": (),
        "jobs": (),
        "plan_only": (),
        "store": (),
        "weights": (),
        "spreadsheet_safe": (),
        "precision": (),
        "random_weights": (),
        "conformer_fallback": ("2d", "fail",),
        "conformer_engine": ("exact", "fast",),
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
        "conformer_engine": ("exact", "fast",),
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
