"""A matrix of ten baselines, two encoders and several seeds: compares `molgauge experiment` with a typical Python
program on the same molecules, cached features and settings, on this machine.

    python bench/peers/matrix.py build/release/bin/molgauge FOLDER_OF_HIV_CSV --work FOLDER [--peer-seeds 1]

The Python program is one process for each cell, like the scripts of the Python project. It loads a pickled
dictionary of features, trains the classifier with PyTorch and a DataLoader, applies one method and writes its
scores. Molgauge has encoded the features. Needs numpy, scikit-learn and torch.

--workers N gives each DataLoader N processes. The scripts use 2 workers. The default here is 0 workers, which
is faster for small data. With --peer-seeds N and --peer-encoders, the Python program computes only a part of
the sixty cells, and its time for all cells is extrapolated from them.
"""

import argparse
import csv
import json
import os
import pickle
import resource
import subprocess
import sys
import time
from pathlib import Path

METHODS = ["msp", "odin", "energy", "mahalanobis", "knn", "lof", "mc_dropout", "conformal", "dam_msp", "dam_energy"]
ENCODERS = ["minimol", "ecfp"]
SEEDS = [1, 2, 3]
EPOCHS, BATCH, EVALUATION_BATCH, PATIENCE = 500, 1024, 64, 30
SIDES = {"train_id": ("train", 5000, 0), "val_id": ("iid_val", 1500, 2), "test_id": ("iid_test", 2000, 4),
         "test_ood": ("ood_test", 2000, 5)}


# The Python program, which computes one cell.

def make_classifier():
    from torch import nn
    return nn.Sequential(nn.Linear(512, 64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 64), nn.BatchNorm1d(64),
                         nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 2))


class AucMargin:
    """The AUC-margin loss and its primal-dual optimizer."""

    def __init__(self, parameters, rate=0.1, momentum=0.9, margin=1.0):
        import torch
        self.a, self.b, self.alpha = (torch.zeros(1, requires_grad=True) for _ in range(3))
        self.primal = [*parameters, self.a, self.b]
        self.reference = [0.01 * torch.randn_like(p) for p in self.primal]
        self.velocity = [None] * len(self.primal)
        self.rate, self.momentum, self.margin = rate, momentum, margin

    def loss(self, scores, labels):
        positive, negative = (labels == 1).float(), (labels == 0).float()
        p = positive.mean()
        return ((1 - p) * ((scores - self.a) ** 2 * positive).mean() + p * ((scores - self.b) ** 2 * negative).mean()
                + 2 * self.alpha * (p * (1 - p) * self.margin
                                    + (p * scores * negative - (1 - p) * scores * positive).mean())
                - p * (1 - p) * self.alpha ** 2).sum()

    def zero_grad(self):
        for parameter in [*self.primal, self.alpha]:
            parameter.grad = None

    def step(self):
        import torch
        with torch.no_grad():
            for i, parameter in enumerate(self.primal):
                slope = (parameter.grad.clamp(-1, 1) + 2e-3 * (parameter - self.reference[i]) + 5e-4 * parameter)
                self.velocity[i] = (slope if self.velocity[i] is None
                                    else (1 - self.momentum) * self.velocity[i] + self.momentum * slope)
                parameter -= self.rate * self.velocity[i]
            dual = self.alpha + self.rate * (2 * (self.margin + self.b - self.a) - 2 * self.alpha)
            self.alpha.copy_(dual.clamp(0, 999))


def train(model, parts, method, workers):
    import torch
    from sklearn.metrics import roc_auc_score
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset
    margin = AucMargin(model.parameters()) if method.startswith("dam") else None
    optimizer = margin or torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    entropy = nn.CrossEntropyLoss()
    batches = DataLoader(TensorDataset(*parts["train_id"]), batch_size=BATCH, shuffle=True, num_workers=workers)
    held_out = DataLoader(TensorDataset(*parts["val_id"]), batch_size=EVALUATION_BATCH, num_workers=workers)
    best, best_state, waited = -1.0, None, 0
    for epoch in range(EPOCHS):
        model.train()
        for x, y in batches:
            optimizer.zero_grad()
            logits = model(x)
            (margin.loss(logits[:, 1], y) if margin else entropy(logits, y)).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            logits, labels = zip(*((model(x), y) for x, y in held_out))
        logits, labels = torch.cat(logits), torch.cat(labels)
        value = (roc_auc_score(labels.numpy(), logits[:, 1].numpy()) if margin
                 else (logits.argmax(1) == labels).float().mean().item())
        if value > best:
            best, waited, best_state = value, 0, {k: v.clone() for k, v in model.state_dict().items()}
        else:
            waited += 1
        if waited >= PATIENCE:
            break
    model.load_state_dict(best_state)
    model.eval()
    return epoch + 1


def in_batches(function, features):
    import torch
    return torch.cat([function(x) for x in features.split(EVALUATION_BATCH)]).numpy()


def make_score(model, parts, method):
    """Returns a function that scores a batch of features."""
    import numpy as np
    import torch
    from sklearn.covariance import ledoit_wolf
    from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors
    features, labels = parts["train_id"]

    def confidence(logits):
        return logits.softmax(1).amax(1)

    def hidden(x):
        with torch.no_grad():
            return model[:-1](x)

    def msp(x):
        with torch.no_grad():
            return 1 - confidence(model(x))

    def energy(x):
        with torch.no_grad():
            return -model(x).logsumexp(1)

    def odin(x):
        x = x.clone().requires_grad_()
        logits = model(x) / 1000
        torch.nn.functional.cross_entropy(logits, logits.argmax(1)).backward()
        with torch.no_grad():
            return 1 - confidence(model(x - 0.0014 * x.grad.sign()) / 1000)

    def mc_dropout(x):
        for module in model:
            module.train(isinstance(module, torch.nn.Dropout))
        with torch.no_grad():
            mean = torch.stack([model(x).softmax(1) for _ in range(20)]).mean(0)
        model.eval()
        return -(mean * (mean + 1e-10).log()).sum(1)

    if method in ("msp", "dam_msp"):
        return msp
    if method in ("energy", "dam_energy"):
        return energy
    if method == "odin":
        return odin
    if method == "mc_dropout":
        return mc_dropout
    if method == "conformal":
        calibration = np.sort(1 - in_batches(msp, parts["val_id"][0]))
        return lambda x: torch.tensor(1 - (1 + np.searchsorted(calibration, 1 - msp(x).numpy(), side="right"))
                                      / (1 + len(calibration)))
    points = in_batches(hidden, features)
    if method == "mahalanobis":
        means = np.stack([points[labels.numpy() == c].mean(0) for c in (0, 1)])
        precision = np.linalg.inv(ledoit_wolf(points - means[labels.numpy()], assume_centered=True)[0])

        def squared(x):
            away = hidden(x).numpy()[:, None] - means
            return torch.tensor(np.einsum("ncd,de,nce->nc", away, precision, away).min(1))
        return squared
    mean, deviation = points.mean(0), points.std(0)
    deviation[deviation < 1e-6] = 1
    points = (points - mean) / deviation
    if method == "knn":
        search = NearestNeighbors(n_neighbors=50).fit(points)
        return lambda x: torch.tensor(search.kneighbors((hidden(x).numpy() - mean) / deviation)[0].mean(1))
    factor = LocalOutlierFactor(n_neighbors=20, novelty=True).fit(points)
    return lambda x: torch.tensor(-factor.score_samples((hidden(x).numpy() - mean) / deviation))


def run_cell(work, encoder, method, seed, workers):
    import numpy as np
    import torch
    from sklearn.metrics import average_precision_score, roc_auc_score
    torch.manual_seed(seed)
    features = pickle.loads((work / f"{encoder}.pkl").read_bytes())["features"]
    sides = json.loads((work / "sides.json").read_text())
    parts = {side: (torch.tensor(np.stack([features[smiles] for smiles, _ in rows])),
                    torch.tensor([label for _, label in rows])) for side, rows in sides.items()}
    model = make_classifier()
    epochs = train(model, parts, method, workers)
    score = make_score(model, parts, method)
    id_scores, ood_scores = (in_batches(score, parts[side][0]) for side in ("test_id", "test_ood"))
    truth, scores = np.repeat([0, 1], [len(id_scores), len(ood_scores)]), np.concatenate([id_scores, ood_scores])
    out = work / "peer" / method / encoder / str(seed)
    out.mkdir(parents=True, exist_ok=True)
    np.savez(out / f"{method}_scores.npz", id_scores=id_scores, ood_scores=ood_scores)
    torch.save({"model_state_dict": model.state_dict()}, out / "best_baseline.pth")
    results = {"auroc": roc_auc_score(truth, scores), "aupr": average_precision_score(truth, scores), "epochs": epochs}
    (out / f"{method}_results.json").write_text(json.dumps(results))


# Molgauge and the Python program both use the code below.

def prepare(program, data, work):
    """Makes the benchmark, draws molecules from it by the rules of GOOD, and writes a pickle of their features for
    each encoder.
    """
    import numpy as np
    benchmark = work / "hiv-scaffold.json"
    if not benchmark.exists():
        subprocess.run([program, "split", data / "hiv.csv", "--label-column", "HIV_active", "--domain", "scaffold",
                        "--out", benchmark], check=True)
    lists = json.loads(benchmark.read_text())["split"]
    sides = {}
    for side, (part, size, k) in SIDES.items():
        chosen = np.random.default_rng(42 + k).choice(len(lists[part]), size, replace=False)
        sides[side] = [(lists[part][i]["smiles"], lists[part][i]["cls_label"]) for i in chosen]
    (work / "sides.json").write_text(json.dumps(sides))
    smiles = [text for rows in sides.values() for text, _ in rows]
    with open(work / "molecules.csv", "w", newline="") as file:
        csv.writer(file).writerows([["smiles"], *([text] for text in smiles)])
    for encoder in ENCODERS:
        table = work / f"{encoder}.npy"
        subprocess.run([program, "encode", work / "molecules.csv", "--encoder", encoder, "--out", table], check=True)
        features = dict(zip(smiles, np.load(table)))
        (work / f"{encoder}.pkl").write_bytes(pickle.dumps({"features": features, "foundation_model": encoder}))


def write_specification(work):
    lines = ["[matrix]", f"encoders = {json.dumps(ENCODERS)}", f"seeds = {SEEDS}",
             "[classifier]", f"epochs = {EPOCHS}", f"batch-size = {BATCH}", f"patience = {PATIENCE}",
             'calibration = "validation"', "[[benchmark]]", 'name = "hiv-scaffold"', 'file = "hiv-scaffold.json"']
    for method in METHODS:
        lines += ["[[method]]", f'name = "{method}"', f'kind = "{method}"']
        lines += ["odin-temperature = 1000"] if method == "odin" else []
    path = work / "matrix.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def seconds_of(command):
    """Returns the wall time and the processor time of a command, in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def aurocs(work, method, encoders, seeds):
    found = [json.loads((work / "peer" / method / encoder / str(seed) / f"{method}_results.json").read_text())
             for encoder in encoders for seed in seeds]
    return [f"{each['auroc']:.3f}" for each in found], [each["epochs"] for each in found]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--peer-seeds", type=int, default=len(SEEDS))
    parser.add_argument("--peer-encoders", nargs="+", default=ENCODERS, choices=ENCODERS)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--cell", nargs=3, metavar=("ENCODER", "METHOD", "SEED"))
    options = parser.parse_args()
    work = options.work
    if options.cell:
        encoder, method, seed = options.cell
        run_cell(work, encoder, method, int(seed), options.workers)
        return
    work.mkdir(parents=True, exist_ok=True)
    data, program = options.data.resolve(), options.program.resolve()
    prepare(program, data, work)
    specification = write_specification(work)
    out = work / f"molgauge-{int(time.time())}"
    own_wall, own_processor = seconds_of([program, "experiment", specification, "--out", out, "--quiet"])
    encoders, seeds = options.peer_encoders, SEEDS[:options.peer_seeds]
    print(f"Molgauge, 60 cells: {own_wall:.1f} s, {own_processor:.1f} s of processor time", flush=True)
    wall = processor = cells = 0
    for method in METHODS:
        method_wall = method_processor = 0
        for encoder in encoders:
            for seed in seeds:
                took = seconds_of([sys.executable, __file__, program, data, "--work", work, "--workers",
                                   str(options.workers), "--cell", encoder, method, str(seed)])
                method_wall, method_processor, cells = method_wall + took[0], method_processor + took[1], cells + 1
        count = len(encoders) * len(seeds)
        print(f"{method:12} {method_wall / count:7.2f} s a cell, {method_processor / count:7.2f} s of processor time, "
              "AUROC and epochs", *aurocs(work, method, encoders, seeds), flush=True)
        wall, processor = wall + method_wall, processor + method_processor
    everything = len(METHODS) * len(ENCODERS) * len(SEEDS)
    wall, processor = wall * everything / cells, processor * everything / cells
    print(f"{everything} cells: Molgauge {own_wall:.1f} s ({own_processor:.1f} s of processor time); Python {wall:.0f} s "
          f"({processor:.0f} s), from {cells} cells; {wall / own_wall:.1f} times on the clock, "
          f"{processor / own_processor:.1f} times of processor time")


if __name__ == "__main__":
    main()
