"""bench_baselines against scikit-learn and PyTorch on arrays of the same sizes, on this machine.

    python bench/peers/baselines.py build/release/bin/bench_baselines [--threads 2]

Needs numpy and scikit-learn; torch for the classifier's epoch. Programs run in turns, five times each; the best
time of each counts. A ratio above 1 means that Headroom is faster; the ratio of processor time, which all threads of
a program add to, holds on a machine that others use too.
"""

import argparse
import json
import os
import subprocess
import time


def milliseconds(work):
    """On the clock, and of processor time."""
    start, processor_start = time.perf_counter(), time.process_time()
    work()
    return 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - processor_start)


def sklearn_work(threads):
    import numpy as np
    from sklearn.covariance import ledoit_wolf
    from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors

    random = np.random.default_rng(0)
    train = random.standard_normal((20000, 64)).astype(np.float32)
    queries = random.standard_normal((5000, 64)).astype(np.float32)

    def neighbours():
        NearestNeighbors(n_neighbors=50, n_jobs=threads).fit(train).kneighbors(queries)

    def outlier_factor():
        LocalOutlierFactor(n_neighbors=20, novelty=True, n_jobs=threads).fit(train).score_samples(queries)

    return {
        f"neighbours/threads:{threads}/process_time/real_time": neighbours,
        f"outlier_factor/threads:{threads}/process_time/real_time": outlier_factor,
        "covariance/process_time/real_time": lambda: ledoit_wolf(train, assume_centered=True),
    }


def torch_epoch():
    """Ten epochs of the usual loop: DataLoader, forward, backward, Adam, validation."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    features, labels = torch.randn(2000, 512), torch.randint(0, 2, (2000,))
    held_out, held_out_labels = torch.randn(600, 512), torch.randint(0, 2, (600,))
    model = nn.Sequential(nn.Linear(512, 64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 64), nn.BatchNorm1d(64),
                          nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    loss = nn.CrossEntropyLoss()
    rows = torch.utils.data.TensorDataset(features, labels)
    batches = torch.utils.data.DataLoader(rows, batch_size=32, shuffle=True)

    def epochs():
        for _ in range(10):
            model.train()
            for x, y in batches:
                optimizer.zero_grad()
                loss(model(x), y).backward()
                optimizer.step()
            model.eval()
            with torch.no_grad():
                (model(held_out).argmax(1) == held_out_labels).float().mean().item()

    return epochs


def headroom_times(program):
    output = subprocess.run([program, "--benchmark_format=json", "--benchmark_min_time=0.2"], check=True,
                            capture_output=True, text=True).stdout
    return {run["name"]: (run["real_time"], run["cpu_time"]) for run in json.loads(output)["benchmarks"]}


def best(one, other):
    return tuple(map(min, one, other))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--peers", nargs="+", default=["sklearn", "torch"], choices=["sklearn", "torch"])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", str(options.threads))
    work = sklearn_work(options.threads) if "sklearn" in options.peers else {}
    if "torch" in options.peers:
        work["classifier_epoch/process_time/real_time"] = torch_epoch()
    ours, theirs = {}, {}
    for _ in range(options.rounds):
        for name, found in headroom_times(options.program).items():
            ours[name] = best(found, ours.get(name, found))
        for name, peer in work.items():
            found = milliseconds(peer)
            theirs[name] = best(found, theirs.get(name, found))
    print(f"{'':50} {'Headroom ms':>12} {'peer ms':>12} {'ratio':>6} {'of processor time':>18}")
    for name, peer in theirs.items():
        own = ours[name]
        print(f"{name:50} {own[0]:12.1f} {peer[0]:12.1f} {peer[0] / own[0]:6.1f} {peer[1] / own[1]:18.1f}")


if __name__ == "__main__":
    main()
