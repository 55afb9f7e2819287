"""Measures how the cost of the pocket encoder grows with the number of edges, and how much a second thread
speeds it up.

    python bench/pocket_scaling.py [--build build/release] [--most-pairs 1000000] [--pockets 64]

To measure the cost, the script runs `bench_pocket` in one thread on batches of 1 to 624 pockets. Each pocket
has 100 atoms and 1,603 pairs. The script prints the processor time of a pair, as the median over all rounds
except the first. To measure the speedup, it runs `molgauge pocket train` and `embed` with one thread and with
two on synthetic pockets of 300 to 400 atoms (--pockets sets their number). It prints the wall time of all
epochs except the first. Needs only Python and two free CPUs.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

PAIRS_OF_A_POCKET = 1603


def processor():
    return re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())[1]


def cost(build, most):
    print("| pairs | inference, ms | us a pair | training step, ms | us a pair |\n|---|---|---|---|---|")
    pairs = 1000
    while pairs <= most:
        pockets = max(1, round(pairs / PAIRS_OF_A_POCKET))
        row = [f"{pairs:,}"]
        for mode in ("infer", "train"):
            rounds = 12 if pairs < 100_000 else 3
            output = subprocess.run([build / "bin/bench_pocket", mode, str(rounds), str(pairs), str(pockets)], check=True,
                                    capture_output=True, text=True).stdout
            seconds = statistics.median(json.loads(output.splitlines()[-1])["processor_seconds"][1:])
            row += [f"{seconds * 1e3:.1f}", f"{seconds / pairs * 1e6:.2f}"]
        print("| " + " | ".join(row) + " |", flush=True)
        pairs *= 10


def epoch_seconds(log):
    stamps = []
    for line in log.splitlines():
        found = re.match(r"(\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+),(\d+).* epoch ", line)
        if found:
            *_, hours, minutes, seconds, milli = map(int, found.groups())
            stamps.append(hours * 3600 + minutes * 60 + seconds + milli / 1000)
    return statistics.median(b - a for a, b in zip(stamps, stamps[1:]))


def threads(build, pockets):
    seconds = {"training epoch": [], "embed": []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        subprocess.run([build / "bin/made_up_pockets", folder, str(pockets), "1", "300", "400", "64"], check=True)
        for count in (1, 2):
            run = folder / f"run{count}"
            command = [build / "bin/molgauge", "pocket", "train", folder / "graphs", "--ligands", folder / "ligands.h5",
                       "--run", run, "--epochs", "4", "--num-layers", "3", "--batch-size", "8", "--threads", str(count), "--quiet"]
            subprocess.run(command, check=True, capture_output=True)
            seconds["training epoch"].append(epoch_seconds((run / "training.log").read_text()))
            embed = [build / "bin/molgauge", "pocket", "embed", run, folder / "graphs", "--out", folder / "rows.h5", "--threads",
                     str(count), "--quiet"]
            times = []
            for _ in range(3):
                began = time.monotonic()
                subprocess.run(embed, check=True, capture_output=True)
                times.append(time.monotonic() - began)
            seconds["embed"].append(min(times))
    print(f"\n| {pockets} pockets of 300 to 400 atoms | one thread, s | two threads, s | times as fast |\n|---|---|---|---|")
    for what, (one, two) in seconds.items():
        print(f"| {what} | {one:.2f} | {two:.2f} | {one / two:.2f} |")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    options.add_argument("--most-pairs", type=int, default=1_000_000)
    options.add_argument("--pockets", type=int, default=64, help="of the comparison of threads")
    options.add_argument("--skip-cost", action="store_true")
    options.add_argument("--skip-threads", action="store_true")
    arguments = options.parse_args()
    print(processor() + "\n")
    if not arguments.skip_cost:
        cost(arguments.build, arguments.most_pairs)
    if not arguments.skip_threads:
        threads(arguments.build, arguments.pockets)


if __name__ == "__main__":
    main()
