"""Compares Molgauge with PyTorch and a pickled cache: pairwise loss, epochs of training, and reading of
features.

    python bench/peers/heads.py [--build build/release] [--threads 2] [--rounds 3] [--python PYTHON] [--out TABLE.md]

The first call makes the environment --venv (default build/heads-venv) with torch, numpy and scikit-learn from
PyPI. --python names an interpreter that already has them. Both sides use the same energies, features and
threads. Programs run in turns, each in a separate process. The figures are medians over the rounds. Memory is
the amount by which a piece of work increases the peak of the resident memory when it runs for the first time
in its process. The rate of processor time is valid on a shared machine.

The loss is softplus(-beta (b - a)) averaged over all pairs, with the penalty, forward and backward. Molgauge
also counts misranked and boundary pairs in the same pass. PyTorch cannot handle 100,000 a side because the
matrix of pairs alone has 37 GiB. An epoch is 2,000 molecules a side in batches of 512 with all pairs, AdamW,
clipping, and validation on 600 a side with its metrics. The Python loop draws items one by one from a
dictionary of features, as the published programs do. It uses a DataLoader with eight workers, as published,
or a DataLoader without workers. `indexed tensors` is the fastest possible version of that loop.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import struct
import subprocess
import sys
import tempfile

from environment import make_environment, processor

EPOCHS = 10
FEATURES = 100_000

# Runs in the environment of the other programs. Reads its task from stdin and writes a line of JSON to
# stdout.
RIVAL = pathlib.Path(__file__).with_name("heads_rival.py")


def run_rival(python, work, threads, **options):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    result = subprocess.run([python, RIVAL], input=json.dumps({"work": work, "threads": threads, **options}), text=True,
                            env=environment, capture_output=True)
    if result.returncode != 0:
        sys.exit(f"{work} failed:\n{result.stderr[-2000:]}")
    return json.loads(result.stdout.splitlines()[-1])


def run_benchmark(program, name, **environment):
    """Runs a benchmark of Google Benchmark in a separate process."""
    output = subprocess.run([program, "--benchmark_format=json", f"--benchmark_filter=^{name}/"], check=True, text=True,
                            capture_output=True, env=dict(os.environ, **environment)).stdout
    run = json.loads(output)["benchmarks"][0]
    if run.get("error_occurred"):
        sys.exit(f"{name}: {run['error_message']}")
    return {"milliseconds": run["real_time"], "processor": run["cpu_time"], "memory": run.get("extra_bytes"),
            "check": run.get("value", run.get("sum"))}


def per_epoch(run, epochs):
    return dict(run, milliseconds=run["milliseconds"] / epochs, processor=run["processor"] / epochs)


def write_energies(path, count):
    """ID energies around 0, OOD energies around 1."""
    generator = random.Random(1)
    numbers = [generator.gauss(mean, 1) for mean in (0, 1) for _ in range(count)]
    path.write_bytes(struct.pack(f"<{2 * count}f", *numbers))


class Comparison:
    def __init__(self):
        self.runs = {}

    def add(self, work, program, run):
        self.runs.setdefault(work, {}).setdefault(program, []).append(run)
        print(f"{work}, {program}: {run['milliseconds']:.1f} ms, {run['processor']:.1f} ms of processor time",
              file=sys.stderr)

    @staticmethod
    def median(runs, key):
        numbers = [run[key] for run in runs if run.get(key) is not None]
        return statistics.median(numbers) if numbers else None

    def table(self):
        rows = ["| what | program | ms | processor ms | extra memory | Molgauge is faster by | of processor time |",
                "|---|---|---|---|---|---|---|"]
        for work, programs in self.runs.items():
            own = programs["molgauge"]
            for program, runs in programs.items():
                wall, used, memory = (self.median(runs, key) for key in ("milliseconds", "processor", "memory"))
                ratios = ["", ""] if runs is own else [
                    f"{wall / self.median(own, 'milliseconds'):.1f}", f"{used / self.median(own, 'processor'):.1f}"]
                rows.append("| " + " | ".join([work, program, f"{wall:.1f}", f"{used:.1f}",
                                               "" if memory is None else f"{memory / 2**20:.1f} MiB"] + ratios) + " |")
        return "\n".join(rows) + "\n"

    def disagreements(self):
        """Yields the pieces of work for which the programs give different results."""
        for work, programs in self.runs.items():
            checks = [run["check"] for runs in programs.values() for run in runs if run.get("check") is not None]
            if checks and max(checks) - min(checks) > 1e-4 * max(1, abs(max(checks))):
                yield f"{work}: {sorted(set(checks))}"


def run_loss(bench, count, threads, energies):
    sizes = f"n:{count}/threads:{threads}"
    memory = run_benchmark(bench, f"loss_memory/{sizes}", MOLGAUGE_BENCH_ENERGIES=str(energies))["memory"]
    return dict(run_benchmark(bench, f"loss/dpo/{sizes}", MOLGAUGE_BENCH_ENERGIES=str(energies)), memory=memory)


def compare_losses(comparison, options, python, folder):
    bench = options.build / "bin" / "bench_losses"
    for count in (512, 2000, 8192):
        energies = folder / f"energies-{count}"
        write_energies(energies, count)
        comparison.add(f"loss, {count:,} a side", "molgauge", run_loss(bench, count, options.threads, energies))
        comparison.add(f"loss, {count:,} a side", "torch",
                       run_rival(python, "loss", options.threads, energies=str(energies)))
    comparison.add("loss, 100,000 a side", "molgauge", run_loss(bench, 100_000, options.threads, ""))


def compare_epochs(comparison, options, python):
    bench = options.build / "bin" / "bench_losses"
    own = run_benchmark(bench, f"epoch/batch:512/threads:{options.threads}")
    comparison.add("epoch", "molgauge", per_epoch(own, 20))  # bench_losses trains 20 epochs
    for batches in ("eight workers", "no workers", "indexed tensors"):
        run = run_rival(python, "epochs", options.threads, batches=batches, epochs=EPOCHS)
        comparison.add("epoch", f"torch, {batches}", per_epoch(run, EPOCHS))


def make_features(options, python, folder):
    """Makes synthetic features. Writes them as a cache of the Python project and into a store, and writes the SMILES
    of the molecules.
    """
    cache, texts, store = folder / "cache.pkl", folder / "molecules.smi", folder / "store"
    run_rival(python, "make_cache", options.threads, cache=str(cache), texts=str(texts), count=FEATURES)
    subprocess.run([options.build / "bin" / "molgauge", "store", "import", cache, "--name", "peers", "--store", store,
                    "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return cache, texts, store


def compare_reading(comparison, options, python, made):
    cache, texts, store = made
    work = f"{FEATURES:,} features"
    comparison.add(work, "molgauge", run_benchmark(options.build / "bin" / "bench_features", f"read_features/threads:{options.threads}",
                                                   MOLGAUGE_BENCH_STORE=str(store), MOLGAUGE_BENCH_MOLECULES=str(texts)))
    for matrix in (False, True):
        run = run_rival(python, "unpickle", options.threads, cache=str(cache), matrix=matrix)
        comparison.add(work, "unpickled, stacked to a matrix" if matrix else "unpickled to a dictionary", run)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--threads", type=int, default=2, choices=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", nargs="+", default=["losses", "epochs", "reading"],
                        choices=["losses", "epochs", "reading"])
    parser.add_argument("--venv", type=pathlib.Path, default=pathlib.Path("build/heads-venv"))
    parser.add_argument("--python", type=pathlib.Path, help="an interpreter with torch, numpy and scikit-learn")
    parser.add_argument("--out", type=pathlib.Path, help="Markdown file for the table")
    options = parser.parse_args()
    python = options.python or make_environment(options.venv, ["torch", "numpy", "scikit-learn"])
    comparison = Comparison()
    with tempfile.TemporaryDirectory(prefix="molgauge-peers-") as name:
        folder = pathlib.Path(name)
        made = make_features(options, python, folder) if "reading" in options.work else None
        for _ in range(options.rounds):
            if "losses" in options.work:
                compare_losses(comparison, options, python, folder)
            if "epochs" in options.work:
                compare_epochs(comparison, options, python)
            if "reading" in options.work:
                compare_reading(comparison, options, python, made)
    text = f"{processor()}; {options.threads} threads; medians of {options.rounds} rounds\n\n{comparison.table()}"
    print(text)
    if options.out:
        options.out.write_text(text)
    if found := list(comparison.disagreements()):
        sys.exit("results differ: " + "; ".join(found))


if __name__ == "__main__":
    main()
