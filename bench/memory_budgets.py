"""Encodes and trains under several memory budgets in turns. Checks that the process stays within each budget, and
measures the additional time.

    bench/memory_budgets.py build/release/bin/molgauge MOLECULES.csv [--encoder minimol] [--rounds 3]

Peaks are resident memory as the kernel counts it. The program resets the counter before each phase, and
reports the peak of every phase. The script itself can therefore measure only the peak of the last phase.
Needs only Python.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

BUDGETS = ("700MiB", "1228MiB", "3GiB")
UNITS = {"MiB": 2**20, "GiB": 2**30}


def to_bytes(text):
    number, unit = re.fullmatch(r"([0-9.]+) ?([MG]iB)", text).groups()
    return float(number) * UNITS[unit]


def run(arguments):
    """Returns exit code, output, highest resident memory and processor time of one command."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(arguments, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        output.seek(0)
        text = output.read()
    reported = [to_bytes(found) for found in re.findall(r"peak memory ([0-9.]+ [MG]iB)", text)]
    seconds = usage.ru_utime + usage.ru_stime
    return os.waitstatus_to_exitcode(status), text, max(reported + [usage.ru_maxrss * 1024]), seconds


def encode(options, budget, folder):
    code, text, peak, seconds = run([options.program, "encode", options.molecules, "--encoder", options.encoder,
                                     "--store", str(folder / "store"), "--quiet", "--memory-budget", budget])
    if code != 0:
        raise SystemExit(text)
    rate = float(re.search(r"\(([0-9.]+) molecules/s\)", text)[1])
    return peak, rate, seconds


def train(options, budget, folder, benchmark):
    code, text, peak, seconds = run([options.program, "train", str(benchmark), "--run", str(folder / "run"), "--encoder",
                                     options.encoder, "--store", str(folder / "store"), "--quiet", "--epochs", "5",
                                     "--memory-budget", budget])
    if code != 0:
        raise SystemExit(text)
    stats = json.loads((folder / "run" / "training_stats.json").read_text())
    return max(peak, *stats["peak_host_memory_bytes"].values()), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("molecules")
    parser.add_argument("--encoder", default="minimol")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--benchmark", help="also train on this benchmark")
    options = parser.parse_args()
    rates, peaks = {b: [] for b in BUDGETS}, {b: 0 for b in BUDGETS}
    times, train_peaks = {b: [] for b in BUDGETS}, {b: 0 for b in BUDGETS}
    for _ in range(options.rounds):
        for budget in BUDGETS:
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                peak, rate, seconds = encode(options, budget, folder)
                rates[budget].append(rate)
                times[budget].append(seconds)
                peaks[budget] = max(peaks[budget], peak)
            if options.benchmark:
                with tempfile.TemporaryDirectory() as name:
                    peak, _ = train(options, budget, pathlib.Path(name), options.benchmark)
                    train_peaks[budget] = max(train_peaks[budget], peak)
    ample = statistics.median(rates[BUDGETS[-1]])
    print("| budget | peak of encode | peak of train | molecules/s | of the rate at 3 GiB | processor seconds |")
    print("|---|---|---|---|---|---|")
    for budget in BUDGETS:
        rate = statistics.median(rates[budget])
        print(f"| {budget} | {peaks[budget] / 2**20:.0f} MiB | {train_peaks[budget] / 2**20:.0f} MiB | {rate:.0f} | "
              f"{100 * rate / ample:.0f} % | {statistics.median(times[budget]):.1f} |")
    within = all(max(peaks[b], train_peaks[b]) <= to_bytes(b) for b in BUDGETS)
    raise SystemExit(0 if within else "a peak exceeds its budget")


if __name__ == "__main__":
    main()
