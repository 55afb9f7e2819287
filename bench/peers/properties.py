#!/usr/bin/env python3
"""Compares the speed of `molgauge predict`, `chemprop predict` and ADMET-AI, for a table of
docs/results/properties.md.

    python3 -m venv venv && venv/bin/pip install chemprop admet-ai
    venv/bin/python bench/peers/properties.py hiv.csv --molgauge build/release/bin/molgauge
        [--molecules 20000] [--threads 1] [--rounds 2] [--only chemprop|admet] [--work FOLDER] [--markdown FILE]

Trains a model with chemprop's default settings on 2,000 molecules for three epochs, because the speed does
not depend on the weights. Takes the ten models of ADMET-AI from its package. Every measurement starts a new
process, which reads the same CSV file and writes a CSV file. Times and peak memory include the start.
Programs run in turns, and the shortest time of each counts. ADMET-AI runs without physicochemical properties
and percentiles, because Molgauge does not compute them.
"""

import argparse
import csv
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from environment import processor

ADMET_AI = """
import sys, pandas, torch
torch.set_num_threads(int(sys.argv[3]))
from admet_ai import ADMETModel
model = ADMETModel(include_physchem=False, drugbank_path=None, num_workers=0)
model.predict(list(pandas.read_csv(sys.argv[1])["smiles"])).to_csv(sys.argv[2])
"""


def measured(command, threads):
    """Returns the wall seconds, processor seconds and peak bytes of a command. Exits if the command fails."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads))
    clock = os.times()
    process = subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed:\n{errors.decode()[-2000:]}")
    return os.times().elapsed - clock.elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def write_molecules(source, target, count):
    """Writes the first `count` molecules that the RDKit of the peers can read, because chemprop stops at an
    unreadable molecule.
    """
    from rdkit import Chem, RDLogger
    RDLogger.DisableLog("rdApp.*")
    with open(source, newline="") as file:
        readable = (row for row in csv.DictReader(file) if Chem.MolFromSmiles(row["smiles"]) is not None)
        rows = list(itertools.islice(readable, count))
    with open(target, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["smiles", "y"])
        writer.writerows([row["smiles"], len(row["smiles"]) % 7] for row in rows)
    return len(rows)


def chemprop_model(work, source):
    model = work / "model" / "model_0" / "best.pt"
    if not model.exists():
        write_molecules(source, work / "train.csv", 2000)
        command = [pathlib.Path(sys.executable).parent / "chemprop", "train", "-i", work / "train.csv", "-o", work / "model",
                   "--smiles-columns", "smiles", "--target-columns", "y", "--epochs", "3", "--accelerator", "cpu"]
        measured(command, os.cpu_count())
    return model


def programs(options, work, molecules):
    """Yields the name of each comparison with a list of (program, command). The peer comes first."""
    molgauge = [options.molgauge, "predict"]
    rest = [molecules, "--threads", options.threads, "--store", work / "store", "--quiet"]
    if options.only != "admet":
        model = chemprop_model(work, options.source)
        yield "chemprop", [
            ("chemprop", [pathlib.Path(sys.executable).parent / "chemprop", "predict", "-i", molecules, "-o",
                          work / "chemprop.csv", "--model-path", model, "--smiles-columns", "smiles",
                          "--accelerator", "cpu", "--num-workers", "0"]),
            ("Molgauge", [*molgauge, model, *rest, "--out", work / "molgauge.csv"])]
    if options.only != "chemprop":
        weights = work / "weights"
        subprocess.run([options.molgauge, "weights", "install", "admet-ai", "--weights", weights], check=True,
                       stdout=subprocess.DEVNULL)
        yield "ADMET-AI", [
            ("ADMET-AI", [sys.executable, "-c", ADMET_AI, molecules, work / "admet.csv", options.threads]),
            ("Molgauge", [*molgauge, "admet-ai", "--weights", weights, *rest, "--out", work / "molgauge.csv"])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--molgauge", type=pathlib.Path, required=True)
    parser.add_argument("--molecules", type=int, default=20_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", choices=["chemprop", "admet"])
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--markdown", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="molgauge-peers-") as folder:
        work = options.work or pathlib.Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        molecules = work / "molecules.csv"
        count = write_molecules(options.source, molecules, options.molecules)
        lines = [f"{processor()}, {options.threads} thread(s), {count} molecules", "",
                 "| program | models | molecules per second | per second of CPU time | peak memory | speed | memory |",
                 "|---|---|---|---|---|---|---|"]
        for peer, rivals in programs(options, work, molecules):
            best = {}
            for _ in range(options.rounds):
                for name, command in rivals:
                    shutil.rmtree(work / "store", ignore_errors=True)
                    (work / "molgauge.csv").unlink(missing_ok=True)
                    result = measured(command, options.threads)
                    print(peer, name, result, flush=True)
                    best[name] = tuple(map(min, result, best.get(name, result)))
            wall, cpu, memory = best[peer]
            for name, _ in rivals:
                mine = best[name]
                lines.append(f"| {name} | {1 if peer == 'chemprop' else 10} | {count / mine[0]:,.0f} | {count / mine[1]:,.0f} "
                             f"| {mine[2] / 2**20:,.0f} MiB | {wall / mine[0]:.1f} | 1/{memory / mine[2]:.1f} |")
        text = "\n".join(lines) + "\n"
        print(text)
        if options.markdown:
            options.markdown.write_text(text)


if __name__ == "__main__":
    main()
