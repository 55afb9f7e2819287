"""Compares a training step of the last two layers of Uni-Mol and an energy head in Molgauge with unimol_tools on
PyTorch.

    python bench/peers/unimol_finetune.py data/molecules/hiv.csv [--build build/release] [--threads 1] [--rounds 3]
                                          [--python PYTHON] [--out TABLE.md]

The first call makes the environment --venv (default build/unimol-venv) with torch 2.11.0 and unimol_tools
0.1.6 from PyPI. --python names an interpreter that already has them. `molgauge conformers` generates the
conformers for both sides. The molecules are the first 256 of the list (--molecules) that have a conformer,
without hydrogens. Half of them count as in-distribution. Both sides have random weights of the published
sizes. A step is forward, the loss over all pairs, backward, clipping and AdamW, with the dropouts of
training. Layers 13 and 14 are trained. PyTorch runs all 15 layers on a padded batch in every step, as the
trainer of unimol_tools does. Molgauge computes the outputs of the frozen layers once, before the first step.
Programs run in turns, each in a separate process. The figures are medians over all steps except the first.
The ratio of processor time is valid on a shared machine, best with --threads 1. Memory is the peak resident
memory of the process, weights included.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from environment import make_environment, processor

STEPS = 3

# Runs in the environment of unimol_tools with options on stdin. Writes a line of JSON to stdout.
RIVAL = '''
import json, resource, sys, time
import numpy as np
import torch
options = json.load(sys.stdin)
torch.set_num_threads(options["threads"])
torch.manual_seed(1)
from rdkit import Chem
from unimol_tools.models import UniMolModel

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

model = UniMolModel(output_dim=1, data_type="molecule", pretrained_model_path=options["weights"],
                    pretrained_dict_path=options["dictionary"], remove_hs=True)
head = torch.nn.Sequential(torch.nn.Linear(512, 256), torch.nn.ReLU(), torch.nn.Dropout(0.1), torch.nn.Linear(256, 128),
                           torch.nn.ReLU(), torch.nn.Dropout(0.1), torch.nn.Linear(128, 1))
tuned = []
for name, parameter in model.named_parameters():
    last = name.startswith(("encoder.layers.13.", "encoder.layers.14.", "encoder.final_layer_norm."))
    parameter.requires_grad_(last)
    if last:
        tuned.append(parameter)
optimizer = torch.optim.AdamW([{"params": head.parameters(), "lr": 1e-4}, {"params": tuned, "lr": 5e-6}], weight_decay=1e-5)
model.train()

def sample(molecule):
    places = molecule.GetConformer().GetPositions()
    atoms = [atom for atom in molecule.GetAtoms() if atom.GetSymbol() != "H"]
    places = np.array([places[atom.GetIdx()] for atom in atoms], dtype=np.float32)
    places = places - places.mean(axis=0)
    symbols = ["[CLS]"] + [atom.GetSymbol() for atom in atoms] + ["[SEP]"]
    tokens = np.array([model.dictionary.index(symbol) for symbol in symbols])
    places = np.concatenate([np.zeros((1, 3)), places, np.zeros((1, 3))])
    distance = np.sqrt(((places[:, None] - places[None]) ** 2).sum(-1)).astype(np.float32)
    kind = tokens[:, None] * len(model.dictionary) + tokens[None]
    return {"src_tokens": tokens, "src_distance": distance, "src_coord": places.astype(np.float32),
            "src_edge_type": kind}, 0

molecules = [m for m in Chem.SDMolSupplier(options["conformers"], removeHs=False, sanitize=False) if m is not None]
molecules = [m for m in molecules if m.GetConformer().Is3D()][:options["molecules"]]
batch, _ = model.batch_collate_fn([sample(molecule) for molecule in molecules])
half = len(molecules) // 2
before = peak()
seconds, processor_seconds = [], []
for step in range(options["steps"]):
    start, processor = time.perf_counter(), time.process_time()
    energies = head(model(**batch, return_repr=True)).squeeze(1)
    inside, outside = energies[:half], energies[half:]
    apart = outside[None] - inside[:, None]
    loss = torch.nn.functional.softplus(-0.1 * apart).mean() + 0.01 * ((inside ** 2).mean() + (outside ** 2).mean())
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(list(head.parameters()) + tuned, 1.0)
    optimizer.step()
    seconds.append(time.perf_counter() - start)
    processor_seconds.append(time.process_time() - processor)
lengths = (batch["src_tokens"] != model.padding_idx).sum(1)
print(json.dumps({"step_seconds": seconds, "processor_seconds": processor_seconds, "peak_bytes": peak(), "peak_before_steps": before,
                  "molecules": len(molecules), "tokens": int(lengths.sum()), "pairs": int((lengths ** 2).sum()),
                  "places": batch["src_tokens"].shape[1]}))
'''

# Random weights in the published layout, from a model that unimol_tools makes.
MAKE_WEIGHTS = '''
import sys, torch
from unimol_tools.models.unimol import UniMolModel
UniMolModel.load_pretrained_weights = lambda self, path, strict=False: None
torch.manual_seed(1)
model = UniMolModel(output_dim=1, data_type="molecule", pretrained_model_path="none", pretrained_dict_path=sys.argv[1],
                    remove_hs=True)
torch.save({"model": {name: tensor for name, tensor in model.state_dict().items() if "classification" not in name}},
           sys.argv[2])
'''

DICTIONARY = ("[PAD] [CLS] [SEP] [UNK] C N O S H Cl F Br I Si P B Na K Al Ca Sn As Hg Fe Zn Cr Se Gd Au Li").split()


def run_rival(python, threads, conformers, folder, molecules):
    options = {"threads": threads, "conformers": str(conformers), "weights": str(folder / "weights.pt"),
               "dictionary": str(folder / "dict.txt"), "molecules": molecules, "steps": STEPS}
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    # unimol_tools writes a log into the working folder.
    result = subprocess.run([python, "-c", RIVAL], input=json.dumps(options), text=True, env=environment,
                            capture_output=True, cwd=folder)
    if result.returncode != 0:
        sys.exit(f"unimol_tools failed:\n{result.stderr[-3000:]}")
    return json.loads(result.stdout.splitlines()[-1])


def run_molgauge(build, threads, conformers, molecules, way):
    command = [build / "bin/bench_unimol_tuning", conformers, str(molecules), str(threads), str(STEPS), way]
    return json.loads(subprocess.run(command, check=True, text=True, capture_output=True).stdout)


def median_step(run, clock="step_seconds"):
    return statistics.median(run[clock][1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--molecules", type=int, default=256)
    parser.add_argument("--venv", type=pathlib.Path, default=pathlib.Path("build/unimol-venv"))
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    python = options.python or make_environment(options.venv, ["torch==2.11.0", "unimol_tools==0.1.6"])
    python = pathlib.Path(python).absolute()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "dict.txt").write_text("\n".join(DICTIONARY))
        subprocess.run([python, "-c", MAKE_WEIGHTS, folder / "dict.txt", folder / "weights.pt"], check=True,
                       capture_output=True, cwd=folder)
        lines = options.table.read_text().splitlines()
        few = folder / "molecules.csv"
        few.write_text("\n".join(lines[:1 + options.molecules + options.molecules // 8]) + "\n")
        conformers = folder / "conformers.sdf"
        subprocess.run([options.build / "bin/molgauge", "conformers", few, "--out", conformers, "--store", folder / "store",
                        "--conformer-fallback", "fail"], check=True, capture_output=True)
        runs = {"keep": [], "again": [], "rival": []}
        for _ in range(options.rounds):
            runs["keep"].append(run_molgauge(options.build, options.threads, conformers, options.molecules, "keep"))
            runs["again"].append(run_molgauge(options.build, options.threads, conformers, options.molecules, "again"))
            runs["rival"].append(run_rival(python, options.threads, conformers, folder, options.molecules))
    rival, ours = runs["rival"][0], runs["keep"][0]
    if (rival["tokens"], rival["pairs"]) != (ours["tokens"], ours["pairs"]):
        sys.exit(f"the two sides took other molecules: {rival} {ours}")
    seconds = {name: statistics.median(map(median_step, own)) for name, own in runs.items()}
    processor_seconds = {name: statistics.median(median_step(run, "processor_seconds") for run in own)
                         for name, own in runs.items()}
    peaks = {name: statistics.median(run["peak_bytes"] for run in own) for name, own in runs.items()}
    names = {"keep": "molgauge", "again": "molgauge, activations computed again part by part",
             "rival": "unimol_tools 0.1.6, PyTorch 2.11.0"}
    text = ["| program | seconds a step | processor seconds | times unimol_tools, by processor time | peak memory | "
            "share of unimol_tools' |", "|---|---|---|---|---|---|"]
    for key, label in names.items():
        text.append(f"| {label} | {seconds[key]:.2f} | {processor_seconds[key]:.2f} | "
                    f"{processor_seconds['rival'] / processor_seconds[key]:.1f} | "
                    f"{peaks[key] / 2**20:.0f} MiB | {peaks[key] / peaks['rival']:.2f} |")
    text.append(f"\n{options.molecules} molecules, {ours['tokens']} tokens and {ours['pairs']} pairs without padding, "
                f"{rival['places']} places a molecule with it; {options.threads} thread(s); {processor()}. The frozen layers "
                f"took Molgauge {statistics.median(run['prefix_seconds'] for run in runs['keep']):.1f} s, once.")
    print("\n".join(text))
    if options.out:
        options.out.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
