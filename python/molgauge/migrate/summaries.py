"""Writes the summaries of the Python project's experiment programs, from a finished matrix of `molgauge experiment`."""

import csv
import json
import math
import os
import re
from pathlib import Path
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

from ..errors import Error, InputError

_METRICS = ("auroc", "aupr", "fpr95")
_LOSS_METRICS = "_metrics.json"


class _Run(NamedTuple):
    """A row of cells.csv."""

    benchmark: str
    encoder: str
    variant: str  #: "energy-dpo", or "energy-dpo,dpo-beta=0.1" for a point of a grid
    loss: str  #: of an energy head; empty for other methods
    seeds: Tuple[int, int]  #: of the training, and of the data
    figures: Optional[Dict[str, float]]  #: None: the run failed

    @property
    def setting(self) -> Path:
        """The folder with the runs of this benchmark, relative to the folder of the matrix."""
        return Path("runs", self.encoder, self.benchmark)


def _read_specification(folder: Path) -> Dict[str, Any]:
    try:
        import tomllib
    except ImportError:
        raise Error("migrate --summaries reads spec.toml with tomllib. Use Python 3.11 or newer") from None
    try:
        return tomllib.loads((folder / "spec.toml").read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"{folder / 'spec.toml'}: {problem}. Run molgauge experiment again") from problem


def _loss_of(row: Dict[str, str], specification: Dict[str, Any]) -> str:
    if row["kind"] != "energy-head":
        return ""
    of_grid = re.search("(?:^|,)loss=([^,]+)", row["options"])
    if of_grid:
        return of_grid.group(1)
    method: Dict[str, Any] = next((one for one in specification.get("method", []) if one.get("name") == row["method"]), {})
    loss = method.get("loss", specification.get("training", {}).get("loss", "dpo"))
    return str(loss[0] if isinstance(loss, list) else loss)


def _read_runs(folder: Path, specification: Dict[str, Any]) -> List[_Run]:
    """The runs in the order of the matrix."""
    runs = []
    with open(folder / "cells.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            figures = {name: float(row[name]) for name in _METRICS} if row["auroc"] else None
            variant = row["method"] + ("," + row["options"] if row["options"] else "")
            seeds = int(row["seed"]), int(row["data_seed"])
            loss = _loss_of(row, specification)
            runs.append(_Run(row["benchmark"], row["encoder"], variant, loss, seeds, figures))
    return runs


def _mean(values: List[float]) -> float:
    total = 0.0  # added in order, because sum() of Python 3.12 rounds differently
    for value in values:
        total += value
    return total / len(values) if values else 0.0


def _deviation(values: List[float], count: int) -> float:
    """Returns the root of the sum of squared differences from the mean, divided by `count`."""
    mean, squares = _mean(values), 0.0
    for value in values:
        squares += (value - mean) * (value - mean)
    return math.sqrt(squares / count) if count > 0 else 0.0


def _dataset_metrics(runs: List[_Run]) -> Dict[str, Any]:
    """Returns the content of dataset_metrics.json: means and sample deviations over the successful runs."""
    ended = {run.seeds: run.figures for run in runs if run.figures}
    metrics = {}
    for name in _METRICS:
        values = [ended[seeds][name] for seeds in sorted(ended)]
        metrics[name] = {"mean": _mean(values), "std": _deviation(values, len(values) - 1)}
    return {"metrics": metrics, "num_seeds": len(ended)}


def _ablation_metrics(runs: List[_Run]) -> Dict[str, Any]:
    """Returns the metrics in the format of the ablation program, with population deviations. Empty if no run was
    successful."""
    ended = [run.figures for run in runs if run.figures]
    metrics: Dict[str, Any] = {}
    for name in _METRICS if ended else ():
        values = [figures[name] for figures in ended]
        spread = {"min": min(values), "max": max(values), "runs": values}
        metrics[name] = {"mean": _mean(values), "std": _deviation(values, len(values)), **spread}
    return metrics


def _grouped(runs: Iterable[_Run], *fields: str) -> Dict[Tuple[str, ...], List[_Run]]:
    """Groups the runs by the values of these fields. The groups are in the order in which the values first
    appear."""
    groups: Dict[Tuple[str, ...], List[_Run]] = {}
    for run in runs:
        groups.setdefault(tuple(getattr(run, field) for field in fields), []).append(run)
    return groups


def _finite(value: Any) -> Any:
    """Returns the value with None instead of NaN and infinity, because JSON has no such numbers."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _replace(file: Path, content: Any) -> None:
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    temporary.write_text(json.dumps(_finite(content), indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(temporary, file)


def _replace_or_remove(file: Path, content: Any) -> None:
    """Writes the file. If the content is empty, removes the file, because an earlier specification may
    have written it."""
    if content:
        _replace(file, content)
    elif file.exists():
        file.unlink()


def _write_by_encoder(folder: Path, runs: List[_Run]) -> None:
    """Writes dataset_metrics.json next to the runs of each variant, and ENCODER_experiment_results.json
    with all variants."""
    of_encoder: Dict[str, Any] = {}
    for (encoder, benchmark, variant), own in _grouped(runs, "encoder", "benchmark", "variant").items():
        metrics = _dataset_metrics(own)
        _replace(folder / own[0].setting / variant / "dataset_metrics.json", metrics)
        of_encoder.setdefault(encoder, {}).setdefault(benchmark, {})[variant] = metrics
    for encoder, results in of_encoder.items():
        _replace(folder / f"{encoder}_experiment_results.json", results)


def _write_ablation(folder: Path, runs: List[_Run]) -> None:
    groups = _grouped((run for run in runs if run.figures), "benchmark", "encoder", "variant")
    _replace(folder / "ablation_summary.json", {"/".join(names): _ablation_metrics(own) for names, own in groups.items()})


def _write_cross_dataset(folder: Path, runs: List[_Run], specification: Dict[str, Any]) -> None:
    """Writes cross_dataset_metrics.json for each benchmark with a `test`, and cross_dataset_summary.json for all of
    these benchmarks."""
    tested = {one["name"] for one in specification.get("benchmark", []) if one.get("test")}
    whole: Dict[str, Any] = {}
    for (benchmark, encoder, variant), own in _grouped(runs, "benchmark", "encoder", "variant").items():
        metrics = _dataset_metrics(own) if benchmark in tested else {}
        _replace_or_remove(folder / own[0].setting / variant / "cross_dataset_metrics.json", metrics)
        if metrics:
            whole.setdefault(benchmark, {}).setdefault(encoder, {})[variant] = metrics
    _replace_or_remove(folder / "cross_dataset_summary.json", whole)


def _write_losses(folder: Path, runs: List[_Run]) -> None:
    """Writes LOSS_metrics.json for each loss if energy heads have different losses. Skips losses that several
    variants share."""
    for own in _grouped((run for run in runs if run.loss), "setting").values():
        setting = folder / own[0].setting
        for stale in setting.glob("*" + _LOSS_METRICS):
            stale.unlink()
        losses = _grouped(own, "loss")
        for (loss,), of_loss in losses.items():
            if len(losses) > 1 and len({run.variant for run in of_loss}) == 1:
                _replace(setting / (loss + _LOSS_METRICS), _ablation_metrics(of_loss))


def write_summaries(folder: "str | os.PathLike[str]") -> None:
    """Writes the summaries into the folder of a matrix, under the names and keys of the Python project (docs/reference/formats.md).

    Raises InputError if `molgauge experiment` has not finished the matrix.
    """
    place = Path(folder)
    for name in ("cells.csv", "spec.toml"):
        if not (place / name).is_file():
            raise InputError(
                f"{place / name} does not exist, so this is not a finished matrix. Run molgauge experiment first, and name "
                "its --out folder"
            )
    specification = _read_specification(place)
    runs = _read_runs(place, specification)
    _write_by_encoder(place, runs)
    _write_ablation(place, runs)
    _write_cross_dataset(place, runs, specification)
    _write_losses(place, runs)
