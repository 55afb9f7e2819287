#!/usr/bin/env python3
"""Measures the cost of a call from Python, compared with the command line and with the work of the encoder itself.

    PYTHONPATH=python MOLGAUGE_LIBRARY=build/release/lib/libmolgauge.so bench/python_call.py data/molecules/hiv.csv
        --molgauge build/release/bin/molgauge [--encoder minimol] [--count 20000] [--rounds 3] [--threads 1] [--weights FOLDER]

For many molecules, `molgauge encode` takes turns with a process that imports molgauge and encodes the same list, each
with an empty store. The lowest processor time of each counts, because other programs on the machine disturb it
little. The rows are compared byte by byte. For one molecule, a process with one thread makes many calls, each with a
new molecule. Then it repeats the calls with the same molecules, which the store now contains. The report of a call
gives the time for featurising and for the network. The rest of the time is the overhead of the call. The figures are
medians over the molecules, in wall time and in processor time. Needs NumPy.
"""

import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import molgauge

CALL = """
import json, sys, numpy, molgauge
options, molecules, out = json.loads(sys.argv[1]), open(sys.argv[2]).read().split("\\n")[1:-1], sys.argv[3]
numpy.save(out, molgauge.Encoder(**options)(molecules))
"""


#: Number of calls with one molecule.
SINGLE = 300
#: The stages of a call in which the encoder works.
OWN = ("featurise", "pack", "encode")


def processor_seconds(command):
    begun = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(errors.decode())
    return used.ru_utime + used.ru_stime, time.perf_counter() - begun


def compare_many(arguments, molecules, work):
    table = work / "molecules.csv"
    table.write_text("smiles\n" + "\n".join(molecules) + "\n")
    options = {"name": arguments.encoder, "threads": arguments.threads}
    command = [arguments.molgauge, "encode", table, "--encoder", arguments.encoder, "--threads", arguments.threads, "--quiet",
               "--out", work / "program.npy"]
    if arguments.weights:
        options["weights"] = str(arguments.weights)
        command += ["--weights", arguments.weights]
    best = {}
    for turn in range(arguments.rounds):
        ways = {"molgauge encode": [*command, "--store", work / f"program-{turn}"],
                "molgauge.Encoder": [sys.executable, "-c", CALL, json.dumps({**options, "store": str(work / f"python-{turn}")}),
                                     table, work / "python.npy"]}
        for name, words in (ways.items() if turn % 2 == 0 else reversed(ways.items())):
            taken = processor_seconds(words)
            best[name] = min(best.get(name, taken), taken)
            print(f"  {name}: processor {taken[0]:.2f} s, clock {taken[1]:.2f} s", file=sys.stderr)
    if np.load(work / "program.npy").tobytes() != np.load(work / "python.npy").tobytes():
        raise SystemExit("the rows differ")
    program, python = (best[name][0] for name in ("molgauge encode", "molgauge.Encoder"))
    print(f"{len(molecules)} molecules, {arguments.encoder}, {arguments.threads} thread(s): molgauge encode {program:.2f} s of "
          f"processor time, molgauge.Encoder {python:.2f} s ({100 * (python / program - 1):+.1f} %); the same bytes")


def measure_one(arguments, molecules, work):
    options = {"weights": str(arguments.weights)} if arguments.weights else {}
    encoder = molgauge.Encoder(arguments.encoder, store=str(work / "one"), threads=1, **options)
    encoder("C")
    for kind in ("new", "stored"):
        clock, processor, own = [], [], []
        for one in molecules:
            begun, begun_on_processor = time.perf_counter(), time.process_time()
            encoder(one)
            clock.append(1e3 * (time.perf_counter() - begun))
            processor.append(1e3 * (time.process_time() - begun_on_processor))
            own.append(1e3 * sum(stage["seconds"] for stage in encoder.report_["stages"] if stage["stage"] in OWN))
        beyond = statistics.median(one - other for one, other in zip(clock, own))
        print(f"one molecule, {kind}: {statistics.median(clock):.2f} ms by the clock, {statistics.median(processor):.2f} ms of processor "
              f"time; the encoder's own {statistics.median(own):.2f} ms, {beyond:.2f} ms beyond it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("molecules", type=pathlib.Path, help="a .csv with a column smiles")
    parser.add_argument("--molgauge", type=pathlib.Path, required=True)
    parser.add_argument("--encoder", default="minimol")
    parser.add_argument("--count", type=int, default=20_000, help="0: one molecule a call alone")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--weights", type=pathlib.Path)
    arguments = parser.parse_args()
    with open(arguments.molecules, newline="") as file:
        molecules = [row["smiles"] for _, row in zip(range(max(arguments.count, SINGLE)), csv.DictReader(file))]
    with tempfile.TemporaryDirectory() as name:
        if arguments.count > 0:
            compare_many(arguments, molecules[:arguments.count], pathlib.Path(name))
        measure_one(arguments, molecules[:SINGLE], pathlib.Path(name))


if __name__ == "__main__":
    main()
