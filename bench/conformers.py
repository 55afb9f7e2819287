#!/usr/bin/env python3
"""Compares `molgauge conformers` with RDKit called from C++, on one thread and on two. Also compares the time of
`molgauge encode --encoder unimol` with the times of its stages.

    python bench/conformers.py hiv.csv [--build build/release] [--count 1000] [--rounds 2] [--engine fast]

The script takes the first --count molecules of the file and removes molecules that RDKit cannot embed within
the deadline. The programs therefore do not wait for molecules without a conformer. Programs run in turns, and
the shortest time of each counts. The weights are random and have the published sizes. Needs only Python, and
a machine without other work.
"""

import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time


def run(command):
    """Returns wall time and processor time in seconds, children included, and the output."""
    before, begun = os.times(), time.perf_counter()
    done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    clock, after = time.perf_counter() - begun, os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return clock, processor, done.stdout + done.stderr


def processor_name():
    return re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("molecules", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--engine", choices=("exact", "fast"), default="fast")
    arguments = parser.parse_args()
    molgauge, rdkit = arguments.build / "bin/molgauge", arguments.build / "bin/bench_rdkit_conformers"
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        with open(arguments.molecules, newline="") as file:
            smiles = [row["smiles"] for row in csv.DictReader(file)][:arguments.count]
        (work / "all.smi").write_text("\n".join(smiles) + "\n")
        weights = work / "weights"
        run([molgauge, "weights", "init", "unimol", "--seed", "1", "--weights", weights])

        def conformers(molecules, store, threads):
            return run([molgauge, "conformers", molecules, "--out", work / "out.sdf", "--store", work / store, "--threads",
                        threads, "--conformer-engine", arguments.engine, "--quiet"])

        def encode(molecules, store, threads):
            return run([molgauge, "encode", molecules, "--encoder", "unimol", "--random-weights", "--weights", weights,
                        "--store", work / store, "--out", work / "rows.npy", "--threads", threads, "--conformer-engine", arguments.engine,
                        "--quiet"])

        conformers(work / "all.smi", "first", 2)
        failed = work / "out.failed.csv"
        lost = set()
        if failed.exists():
            with open(failed, newline="") as file:
                lost = {row["smiles"] for row in csv.DictReader(file)}
        placed = list(dict.fromkeys(one for one in smiles if one not in lost))
        molecules = work / "placed.smi"
        molecules.write_text("\n".join(placed) + "\n")

        times = {}

        def keep(name, clock, processor):
            former = times.get(name, (clock, processor))
            times[name] = (min(former[0], clock), min(former[1], processor))

        for turn in range(arguments.rounds):
            clock, _, text = run([rdkit, molecules])
            keep("RDKit from C++, one thread", clock, json.loads(text)["processor_seconds"])
            for threads in (1, 2):
                store = f"conformers-{threads}-{turn}"
                keep(f"molgauge conformers, threads {threads}", *conformers(molecules, store, threads)[:2])
            keep("encode, conformers in the store, threads 2", *encode(molecules, store, 2)[:2])
            keep("encode from SMILES, threads 2", *encode(molecules, f"whole-{turn}", 2)[:2])
            keep("encode again: all from the store", *encode(molecules, f"whole-{turn}", 2)[:2])

        print(f"{len(placed)} molecules; {processor_name()}\n")
        print("| program | s | processor s | molecules a processor second |\n|---|---|---|---|")
        for name, (clock, processor) in times.items():
            print(f"| {name} | {clock:.1f} | {processor:.1f} | {len(placed) / processor:.1f} |")
        one, two = (times[f"molgauge conformers, threads {threads}"] for threads in (1, 2))
        alone, whole = times["RDKit from C++, one thread"], times["encode from SMILES, threads 2"]
        network = times["encode, conformers in the store, threads 2"]
        print(f"\nmolgauge conformers on one thread: {alone[1] / one[1]:.2f} times as fast as RDKit by the processor's time; two threads: "
              f"{one[0] / two[0]:.2f} times one; the whole by the clock over its stages, which share the two processors: "
              f"{whole[0] / (two[0] + network[0]):.2f}, over the work of both on two processors: {whole[0] / ((two[1] + network[1]) / 2):.2f}")


if __name__ == "__main__":
    main()
