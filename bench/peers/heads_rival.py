"""Measures the Python side of bench/peers/heads.py. Each process runs one piece of work, which the JSON on
stdin names. The line of JSON on stdout has the wall time and the processor time in milliseconds, the
memory, and a number that depends on the result of the work."""

import json
import pickle
import random
import resource
import sys
import time

import numpy as np

TRAIN, HELD_OUT, WIDTH = 2000, 600, 512
BATCH, HELD_OUT_BATCH = 512, 256
BETA, PENALTY = 0.1, 0.01


def processor_seconds():
    """Processor time of this process and of its ended child processes."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def status(key):
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(key))


def extra_memory(work):
    """Returns the bytes that the work adds to the peak of the resident memory."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = status("VmRSS")
    result = work()
    return status("VmHWM") - before, result


def timed(work, repeats=1, before=lambda: None):
    """Median wall time and processor time in milliseconds, without the preparation before each run."""
    times = []
    for _ in range(repeats):
        before()
        start, processor_start = time.perf_counter(), processor_seconds()
        work()
        times.append((time.perf_counter() - start, processor_seconds() - processor_start))
    wall, processor = (sorted(each)[repeats // 2] for each in zip(*times))
    return {"milliseconds": 1000 * wall, "processor": 1000 * processor}


def pairwise_loss(id_energies, ood_energies):
    import torch.nn.functional as functional

    differences = ood_energies[None, :] - id_energies[:, None]
    penalty = id_energies.square().mean() + ood_energies.square().mean()
    return functional.softplus(-BETA * differences).mean() + PENALTY * penalty


def loss(options):
    import torch

    torch.set_num_threads(options["threads"])
    both = np.fromfile(options["energies"], dtype=np.float32)
    sides = [torch.tensor(side, requires_grad=True) for side in np.split(both, 2)]

    def work():
        for side in sides:
            side.grad = None
        value = pairwise_loss(*sides)
        value.backward()
        return value.item()

    pairwise_loss(*(side[:8] for side in sides)).backward()
    memory, value = extra_memory(work)
    return dict(timed(work, 5), memory=memory, check=value)


def made_up_features(count):
    rows = np.random.default_rng(0).standard_normal((count, WIDTH), dtype=np.float32)
    return {f"[{i % 1000}CH3]CCOc1ccc(cc1)C(=O)N[{i // 1000}CH3]": row.copy() for i, row in enumerate(rows)}


class Pairs:
    """Each item is one OOD molecule and one ID molecule. Training items are drawn at random, held-out items come in
    order.
    """

    def __init__(self, id_molecules, ood_molecules, features, drawn):
        self.id, self.ood, self.features = id_molecules, ood_molecules, features
        self.random = random.Random(38) if drawn else None

    def __len__(self):
        return min(len(self.id), len(self.ood))

    def __getitem__(self, item):
        import torch

        ood = self.random.randrange(len(self.ood)) if self.random else item
        id_ = self.random.randrange(len(self.id)) if self.random else item
        return (torch.from_numpy(self.features[self.id[id_]]), torch.from_numpy(self.features[self.ood[ood]]))


def epochs(options):
    import torch
    from sklearn.metrics import auc, precision_recall_curve, roc_auc_score, roc_curve
    from torch import nn
    from torch.utils.data import DataLoader

    torch.set_num_threads(options["threads"])
    torch.manual_seed(0)
    features = made_up_features(2 * (TRAIN + HELD_OUT))
    names = list(features)
    parts = [names[:TRAIN], names[TRAIN:2 * TRAIN], names[2 * TRAIN:-HELD_OUT], names[-HELD_OUT:]]
    tensors = [torch.from_numpy(np.stack([features[name] for name in part])) for part in parts]
    head = nn.Sequential(nn.Linear(WIDTH, 256), nn.ReLU(), nn.Dropout(0.1), nn.Linear(256, 128), nn.ReLU(),
                         nn.Dropout(0.1), nn.Linear(128, 1))
    optimizer = torch.optim.AdamW(head.parameters(), lr=1e-4, weight_decay=1e-5)

    def loader(part, batch, drawn):
        workers = 8 if options["batches"] == "eight workers" else 0
        return DataLoader(Pairs(*part, features, drawn), batch_size=batch, num_workers=workers)

    def indexed():
        for items in torch.randint(TRAIN, (2, TRAIN)).split(BATCH, dim=1):
            yield tensors[0][items[0]], tensors[1][items[1]]

    if options["batches"] == "indexed tensors":
        training, held_out = indexed, lambda: zip(*(side.split(HELD_OUT_BATCH) for side in tensors[2:]))
    else:
        loaders = loader(parts[:2], BATCH, True), loader(parts[2:], HELD_OUT_BATCH, False)
        training, held_out = (lambda: iter(loaders[0])), (lambda: iter(loaders[1]))

    def train():
        head.train()
        for id_, ood in training():
            optimizer.zero_grad()
            a, b = head(id_).squeeze(1), head(ood).squeeze(1)
            value = pairwise_loss(a, b)
            value.backward()
            nn.utils.clip_grad_norm_(head.parameters(), 1.0)
            optimizer.step()
            with torch.no_grad():
                differences = b[None, :] - a[:, None]
                dynamics = ((differences < 0).float().mean(), (differences.abs() < 0.05).float().mean(),
                            differences.mean(), value, a.mean(), b.mean())
            [number.item() for number in dynamics]

    def evaluate():
        head.eval()
        scores = [[], []]
        with torch.no_grad():
            for id_, ood in held_out():
                energies = head(id_).squeeze(1), head(ood).squeeze(1)
                pairwise_loss(*energies).item()
                for side, energy in zip(scores, energies):
                    side.extend(energy.tolist())
        labels = [0] * len(scores[0]) + [1] * len(scores[1])
        pooled = scores[0] + scores[1]
        precision, recall, _ = precision_recall_curve(labels, pooled)
        return roc_auc_score(labels, pooled), auc(recall, precision), roc_curve(labels, pooled)

    def work(count):
        for _ in range(count):
            train()
            evaluate()

    work(1)
    return timed(lambda: work(options["epochs"]))


def make_cache(options):
    features = made_up_features(options["count"])
    with open(options["cache"], "wb") as file:
        pickle.dump({"features": features, "foundation_model": "minimol"}, file)
    with open(options["texts"], "w") as file:
        file.writelines(name + "\n" for name in features)
    return {}


def unpickle(options):
    last = []

    def work():
        with open(options["cache"], "rb") as file:
            features = pickle.load(file)["features"]
        last.append(np.stack(list(features.values())) if options["matrix"] else features)

    memory, _ = extra_memory(work)
    result = dict(timed(work, 3, before=last.clear), memory=memory)
    if options["matrix"]:
        result["check"] = float(last[0].sum(dtype=np.float64))
    return result


def main():
    options = json.load(sys.stdin)
    work = {"loss": loss, "epochs": epochs, "make_cache": make_cache, "unpickle": unpickle}[options["work"]]
    print(json.dumps(work(options)))


if __name__ == "__main__":
    main()
