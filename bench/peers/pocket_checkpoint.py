"""Checks that an encoder of the Python project gives the same rows in Molgauge. Reads the original files of
that project: graphs pickled by PyTorch Geometric (.pt), a checkpoint (.pt) and config.json. The expected
numbers are in the shared fixtures, which the encoder of the Python project computed.

    VENV/bin/python bench/peers/pocket_checkpoint.py [--build build/release] [--facts ../shared/data/pocket]

VENV has numpy, torch and torch_geometric. The exit code is 1 if a number differs by more than 1e-5.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import torch
from torch_geometric.data import Data

ELEMENTS = np.array([1.0, 6, 7, 8, 15])  # atomic numbers in the fixtures, in the order of their z-scores
TERMS = {"edge": 2, "triple": 3, "quadra": 4, "nonbonded_edge": 2}


def measured_features(x):
    """Returns the means and deviations that turn z-scores back into charges, atomic numbers and masses."""
    scores = np.unique(np.round(x[:, 1], 4))
    deviation, mean = np.polyfit(scores, ELEMENTS, 1)
    return np.array([0.1, mean, 13.0], np.float32), np.array([0.3, deviation, 6.0], np.float32)


def write_graphs(folder, batch):
    first = 0
    for number, atoms in enumerate(batch["in/num_nodes"]):
        last = first + int(atoms)
        fields = {"x": torch.tensor(batch["in/x"][first:last]), "pos": torch.tensor(batch["in/pos"][first:last])}
        for kind in TERMS:
            index = batch[f"in/{kind}_index"]
            own = (index[0] >= first) & (index[0] < last)
            fields[f"{kind}_index"] = torch.tensor(index[:, own] - first)
            fields[f"{kind}_attr"] = torch.tensor(batch[f"in/{kind}_attr"][own])
        torch.save(Data(**fields), folder / f"{number}abc_LIG_model0.pt")
        first = last
    mean, deviation = measured_features(batch["in/x"])
    np.savez(folder / "node_feature_norm_params.npz", mean=mean, std=deviation)


def config_of(model):
    """Returns config.json in the format of the Python project, including options that Molgauge does not have."""
    return {"input_dim": model["input_dim"], "feature_hidden_dim": model["feature_hidden_dim"],
            "hidden_irreps": model["hidden_irreps"], "output_dim": model["output_dim"], "num_layers": model["num_layers"],
            "num_radial_basis": model["num_radial_basis"], "use_multi_hop": model["use_multi_hop"],
            "use_nonbonded": model["use_nonbonded"], "use_gate": model["use_gate"], "use_layer_norm": model["use_layer_norm"],
            "pooling_type": model["pooling_type"], "dropout": model["dropout"], "use_v3_model": False,
            "num_workers": 1, "use_amp": False, "graph_dir": "data/processed/graphs",
            "embeddings_path": "data/processed/ligand_embeddings.h5"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--facts", type=pathlib.Path, default=pathlib.Path("../shared/data/pocket"))
    options = parser.parse_args()
    program = str(options.build / "bin" / "molgauge")
    is_good = True
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "pt").mkdir()
        (folder / "model").mkdir()
        write_graphs(folder / "pt", np.load(options.facts / "batch_small.npz"))
        subprocess.run([program, "pocket", "build", str(folder / "pt"), "--out", str(folder / "graphs"),
                        "--quiet"], check=True)
        for fixture in ("v2_small", "v2_small_noln", "v2_small_mean", "v2_small_max"):
            expected = np.load(options.facts / f"{fixture}.npz")
            state = torch.load(options.facts / "v2_small_state.pt")
            model = json.loads(str(expected["config_json"])) if "config_json" in expected else {}
            torch.save({"epoch": 7, "model_state_dict": state, "train_loss": 0.5, "val_loss": 0.5},
                       folder / "model" / "best_model.pt")
            (folder / "model" / "config.json").write_text(json.dumps(config_of(model)))
            subprocess.run([program, "pocket", "embed", str(folder / "model"), str(folder / "graphs"), "--out",
                            str(folder / "rows.npz"), "--reference-compatible", "--quiet"], check=True)
            rows = np.load(folder / "rows.npz")
            own = np.stack([rows[f"{i}abc_LIG_model0"].reshape(-1) for i in range(len(expected["out"]))])
            largest = float(np.abs(own - expected["out"]).max())
            is_good &= largest <= 1e-5
            print(f"{fixture}: {len(own)} rows of {own.shape[1]} numbers, largest difference {largest:.2e}")
    raise SystemExit(0 if is_good else 1)


if __name__ == "__main__":
    main()
