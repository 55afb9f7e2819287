#!/usr/bin/env python3
"""Compares a long list with a large training set, for docs/results/domain.md. Measures time and memory, kills the
command in the middle and continues it.

    bench/domain_large.py --molgauge build/release/bin/molgauge --molecules FOLDER [--training 100000]
        [--candidates 1000000] [--budget 1GiB] [--training-budget 1.5GiB] [--threads 2] [--kill-at 0.4] [--work FOLDER]

FOLDER holds the public sets of bench/domain_table.py. To make enough distinct molecules, the script puts
groups in front of molecules that begin with a carbon atom. A few molecules have one bond too many and are
unreadable. The script first saves the training set as a domain. It then compares the candidates with the
domain under the budget, kills the command (SIGKILL) once the given share is compared, and repeats it. The
first command encodes the ecfp features. No package is needed.
"""

import argparse
import csv
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time

GROUPS = ["C", "CC", "F", "Cl", "Br", "O", "N", "CO", "CN", "OC", "NC", "CS", "N#C", "OC(=O)", "NC(=O)", "CC(=O)", "CC(=O)N",
          "CS(=O)(=O)", "CC(C)", "CCO", "C1CC1", "C1CCCC1", "c1ccccc1", "c1ccncc1", "c1ccoc1", "c1ccsc1", "C1CCOCC1",
          "C1CCNCC1", "COC(=O)", "CN(C)C", "FC(F)(F)", "O=C", "Cc1ccccc1", "Clc1ccccc1", "Fc1ccccc1", "COc1ccccc1"]


def grown(folder, count, longest_root=None):
    """Makes `count` different SMILES in random order from the SMILES of the sets. Leaves out SMILES with more
    than `longest_root` characters."""
    roots = []
    for path in sorted(folder.glob("*.csv")):
        with open(path, newline="") as file:
            roots += [row["smiles"] for row in csv.DictReader(file)]
    # A group goes before a carbon atom that can lose a hydrogen. This excludes atoms in a double bond or a
    # bracket, and chlorine.
    roots = [text for text in dict.fromkeys(roots) if re.match(r"C[CcNnOo(]", text) and "." not in text]
    roots = [text for text in roots if longest_root is None or len(text) <= longest_root]
    random.Random(0).shuffle(roots)
    found = {}
    for length in itertools.count(1):
        for groups in itertools.product(GROUPS, repeat=length):
            if any(len(group) == 1 and group in "FON" or group in ("Cl", "Br", "N#C", "O=C", "FC(F)(F)")
                   for group in groups[1:]):
                continue  # these groups can only be the first group of a SMILES
            for text in roots:
                found["".join(groups) + text] = None
                if len(found) == count:
                    texts = list(found)
                    random.Random(1).shuffle(texts)
                    return texts


def write(path, texts):
    path.write_text("smiles\n" + "\n".join(texts) + "\n")


class Run:
    """Runs one command. Returns its output, its seconds, and the peak resident memory that its phases print."""

    def __init__(self, command, kill_at=None):
        self.begun = time.time()
        self.told, self.killed = [], False
        process = subprocess.Popen([str(part) for part in command], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   text=True)
        for line in process.stderr:
            self.told.append(line.strip())
            share = re.match(r"compare: (\d+)%", line)
            if kill_at is not None and share and int(share[1]) >= 100 * kill_at:
                process.send_signal(signal.SIGKILL)
                self.killed = True
                kill_at = None
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.clock, self.processor = time.time() - self.begun, used.ru_utime + used.ru_stime
        self.peak = max([used.ru_maxrss / 1024] +
                        [float(peak) for line in self.told for peak in re.findall(r"peak memory ([0-9.]+) MiB", line)])
        if process.returncode != 0 and not self.killed:
            raise SystemExit("\n".join(self.told[-5:]))

    def row(self, title):
        return f"| {title} | {self.clock:.0f} s | {self.processor:.0f} s | {self.peak:.0f} MiB |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--molgauge", required=True, type=pathlib.Path)
    parser.add_argument("--molecules", required=True, type=pathlib.Path)
    parser.add_argument("--training", type=int, default=100_000)
    parser.add_argument("--candidates", type=int, default=1_000_000)
    parser.add_argument("--budget", default="1GiB", help="of the candidates' commands")
    parser.add_argument("--training-budget", default="1.5GiB")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--kill-at", type=float, default=0.4)
    parser.add_argument("--work", type=pathlib.Path, help="a folder for the files, instead of one that is removed")
    arguments = parser.parse_args()
    work = arguments.work or pathlib.Path(tempfile.mkdtemp())
    work.mkdir(parents=True, exist_ok=True)
    texts = grown(arguments.molecules, arguments.training + arguments.candidates)
    write(work / "training.csv", texts[:arguments.training])
    write(work / "candidates.csv", texts[arguments.training:])
    write(work / "first.csv", texts[arguments.training:arguments.training + 1])
    common = ["--store", work / "store", "--threads", arguments.threads, "--memory-budget"]
    print("| step | by the clock | processor time | peak memory |\n|---|---|---|---|", flush=True)
    saving = Run([arguments.molgauge, "domain", work / "training.csv", work / "first.csv", "--encoder", "ecfp", "--out",
                  work / "first-domain.csv", "--save", work / "saved"] + common + [arguments.training_budget])
    print(saving.row(f"{arguments.training:,} training molecules, encoded, described, calibrated, saved"), flush=True)
    command = [arguments.molgauge, "domain", work / "saved", work / "candidates.csv", "--out", work / "domain.csv"] + common
    command.append(arguments.budget)
    killed = Run(command, arguments.kill_at)
    print(killed.row(f"{arguments.candidates:,} candidates, killed in the middle"), flush=True)
    resumed = Run(command)
    print(resumed.row("the same command again, to the end"), flush=True)
    counts = json.loads((work / "domain.json").read_text())["candidates"]
    print("\n" + "\n".join(line for line in resumed.told if "had been compared" in line))
    print(", ".join(f"{counts[name]:,} {name}" for name in ("inside", "borderline", "outside", "unreadable")))
    print(f"{arguments.candidates / (killed.processor + resumed.processor):.0f} candidates a second of processor time")
    if arguments.work is None:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
