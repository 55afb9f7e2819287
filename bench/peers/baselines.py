"""Compares bench_baselines with scikit-learn and PyTorch on arrays of the same sizes, on this machine.

    python bench/peers/baselines.py build/release/bin/bench_baselines [--threads 1 2] [--rounds 5]

Needs numpy and scikit-learn, and torch for the epoch of the classifier. Programs run in turns. The figures are
medians over the rounds. A ratio above 1 means that Molgauge is faster. The ratio of processor time includes all
threads and processes of a program, and is valid on a shared machine. Ledoit-Wolf and the epoch of the classifier take
one thread in Molgauge.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import time


def processor_seconds():
    """Processor time of this process and of its ended child processes."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def milliseconds(work):
    """Returns the wall time and the processor time of the call work(), in milliseconds."""
    start, processor_start = time.perf_counter(), processor_seconds()
    work()
    return 1000 * (time.perf_counter() - start), 1000 * (processor_seconds() - processor_start)


def sklearn_work(thread_counts):
    """Returns a list of (name of the work, name of the Molgauge benchmark, function)."""
    import numpy as np
    from sklearn.covariance import ledoit_wolf
    from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors
    from threadpoolctl import threadpool_limits

    random = np.random.default_rng(0)
    train = random.standard_normal((20000, 64)).astype(np.float32)
    queries = random.standard_normal((5000, 64)).astype(np.float32)

    def neighbours(threads):
        with threadpool_limits(threads):
            NearestNeighbors(n_neighbors=50, n_jobs=threads).fit(train).kneighbors(queries)

    def outlier_factor(threads):
        with threadpool_limits(threads):
            LocalOutlierFactor(n_neighbors=20, novelty=True, n_jobs=threads).fit(train).score_samples(queries)

    def covariance():
        with threadpool_limits(1):
            ledoit_wolf(train, assume_centered=True)

    work = [("Ledoit-Wolf, 1 thread", "covariance", covariance)]
    for threads in thread_counts:
        work += [(f"neighbours, {threads} threads", f"neighbours/threads:{threads}", lambda n=threads: neighbours(n)),
                 (f"outlier factor, {threads} threads", f"outlier_factor/threads:{threads}",
                  lambda n=threads: outlier_factor(n))]
    return work


def torch_work(thread_counts):
    """Trains ten epochs with the usual loop (batches, forward, backward, Adam, validation). Batches come from a
    DataLoader in this process, from a DataLoader with two worker processes as in the scripts of the Python project,
    or from slices of the tensors.
    """
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset

    torch.manual_seed(0)
    features, labels = torch.randn(2000, 512), torch.randint(0, 2, (2000,))
    held_out, held_out_labels = torch.randn(600, 512), torch.randint(0, 2, (600,))
    model = nn.Sequential(nn.Linear(512, 64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 64), nn.BatchNorm1d(64),
                          nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    loss = nn.CrossEntropyLoss()

    def slices():
        for rows in torch.randperm(len(features)).split(32):
            yield features[rows], labels[rows]

    def epochs(threads, batches):
        torch.set_num_threads(threads)
        for _ in range(10):
            model.train()
            for x, y in batches():
                optimizer.zero_grad()
                loss(model(x), y).backward()
                optimizer.step()
            model.eval()
            with torch.no_grad():
                (model(held_out).argmax(1) == held_out_labels).float().mean().item()

    def loader(workers):
        batches = DataLoader(TensorDataset(features, labels), batch_size=32, shuffle=True, num_workers=workers)
        return lambda: batches

    kinds = [("DataLoader, 2 workers", loader(2)), ("DataLoader", loader(0)), ("sliced tensors", slices)]
    return [(f"ten epochs, {name}, {threads} threads", "classifier_epoch",
             lambda n=threads, batches=batches: epochs(n, batches))
            for threads in thread_counts for name, batches in kinds]


def molgauge_times(program):
    output = subprocess.run([program, "--benchmark_format=json", "--benchmark_min_time=0.2"], check=True,
                            capture_output=True, text=True).stdout
    return {run["name"]: (run["real_time"], run["cpu_time"]) for run in json.loads(output)["benchmarks"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], choices=[1, 2])
    parser.add_argument("--peers", nargs="+", default=["sklearn", "torch"], choices=["sklearn", "torch"])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", str(max(options.threads)))
    work = sklearn_work(options.threads) if "sklearn" in options.peers else []
    work += torch_work(options.threads) if "torch" in options.peers else []
    own, peers = {}, {}
    for _ in range(options.rounds):
        for name, found in molgauge_times(options.program).items():
            own.setdefault(name.removesuffix("/process_time/real_time"), []).append(found)
        for name, _, peer in work:
            peers.setdefault(name, []).append(milliseconds(peer))
    print(f"{'':45} {'Molgauge ms':>12} {'peer ms':>10} {'ratio':>6} {'processor ms':>14} {'peer':>8} {'ratio':>6}")
    for name, benchmark, _ in work:
        (wall, processor), (peer_wall, peer_processor) = (
            [statistics.median(times) for times in zip(*found)] for found in (own[benchmark], peers[name]))
        print(f"{name:45} {wall:12.1f} {peer_wall:10.1f} {peer_wall / wall:6.1f} {processor:14.1f} {peer_processor:8.1f} "
              f"{peer_processor / processor:6.1f}")


if __name__ == "__main__":
    main()
