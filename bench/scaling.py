"""Checks that the cost of `molgauge encode` grows only with the number of molecules. Measures rate and peak
memory for 1,000, for 10,000 and for all molecules of a file, and for a million lines (the file repeated under
other names, with ecfp). Also compares one thread with two.

    bench/scaling.py build/release/bin/molgauge hiv.csv [--encoder minimol] [--rounds 3] [--lines 1000000]

Every encoding fills a new store, and encodings that are compared run in turns. There are two peaks of resident
memory: the highest peak of the phases, which the program reports, and the peak of the process in the kernel. Needs
only Python.
"""

import argparse
import csv
import itertools
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def to_mib(number, unit):
    return float(number) * UNITS[unit] / 2**20


def encode(options, molecules, encoder, threads):
    """Returns the molecules encoded per second, the peak resident memory in MiB, the processor seconds,
    and the line about the stages."""
    with tempfile.TemporaryDirectory(dir=options.work) as store, tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen([options.program, "encode", molecules, "--encoder", encoder, "--store", store,
                                    "--threads", str(threads), "--quiet"], stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        output.seek(0)
        text = output.read()
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(text)
    rate = float(re.search(r"encoded now \(([0-9.]+) molecules/s\)", text).group(1))
    peak = max([to_mib(*found) for found in re.findall(r"peak memory ([0-9.]+) ([KMG]iB)", text)]
               + [usage.ru_maxrss / 1024])
    stages = re.search(r"busiest stage: .*", text)
    return rate, peak, usage.ru_utime + usage.ru_stime, stages.group(0) if stages else ""


def write_first(source, count, target):
    """Writes `count` rows of a CSV. They are spread evenly over the file, so the sizes of the molecules do
    not depend on its order."""
    with open(source, newline="") as file:
        rows = list(csv.reader(file))
    header, body = rows[0], rows[1:]
    chosen = [body[i * len(body) // count] for i in range(min(count, len(body)))]
    with open(target, "w", newline="") as file:
        csv.writer(file).writerows([header] + chosen)
    return len(chosen)


def write_repeated(source, lines, target, distinct):
    """Repeats the SMILES of the source until there are `lines` lines, each with a different name. If `distinct` is
    true, each repetition gets a helium atom whose isotope is the number of the repetition, so all molecules differ.
    """
    with open(source, newline="") as file:
        texts = [row["smiles"] for row in csv.DictReader(file)]
    with open(target, "w") as file:
        for number, text in zip(range(lines), itertools.cycle(texts)):
            atom = f".[{number // len(texts)}He]" if distinct and number >= len(texts) else ""
            file.write(f"{text}{atom} molecule{number}\n")


def table(rows, columns):
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def sizes(options, folder):
    counts = [1000, 10000, 10**9]
    files = []
    for count in counts:
        with open(options.molecules) as file:
            count = min(count, sum(1 for _ in file) - 1)
        path = folder / f"first{count}.csv"
        files.append((write_first(options.molecules, count, path), str(path)))
    results = {count: [] for count, _ in files}
    for _ in range(options.rounds):
        for count, path in files:
            results[count].append(encode(options, path, options.encoder, options.threads))
    largest = max(results)
    base = statistics.median(run[0] for run in results[largest])
    table([[f"{count:,}", f"{(rate := statistics.median(run[0] for run in runs)):.1f}", f"{rate / base:.3f}",
            f"{1000 * statistics.median(run[2] for run in runs) / count:.3f}", f"{max(run[1] for run in runs):.0f}"]
           for count, runs in results.items()],
          [f"molecules ({options.encoder})", "molecules/s", "of the rate of all", "processor ms each, start included",
           "peak MiB"])
    print(results[largest][0][3] + "\n")


def threads(options, folder):
    path = folder / "threads.csv"
    count = write_first(options.molecules, options.thread_count, path)
    results = {1: [], 2: []}
    for _ in range(options.rounds):
        for number in results:
            results[number].append(encode(options, str(path), options.encoder, number))
    one = statistics.median(run[0] for run in results[1])
    table([[str(number), f"{(rate := statistics.median(run[0] for run in runs)):.1f}", f"{rate / one:.2f}",
            f"{max(run[1] for run in runs):.0f}"] for number, runs in results.items()],
          [f"threads ({count:,} molecules, {options.encoder})", "molecules/s", "of one thread", "peak MiB"])


def lines(options, folder):
    rows, stages = [], []
    for distinct in (False, True):
        for count in (options.lines // 10, options.lines):
            path = folder / "lines.smi"
            write_repeated(options.molecules, count, path, distinct)
            begin = time.monotonic()
            _, peak, seconds, stage = encode(options, str(path), "ecfp", options.threads)
            rate = count / (time.monotonic() - begin)
            rows.append([f"{count:,}", "all others" if distinct else "the same again", f"{rate:.0f}",
                         f"{1e6 * seconds / count:.1f}", f"{peak:.0f}"])
            stages.append(stage)
    table(rows, ["lines (ecfp)", "molecules", "lines/s", "processor us a line", "peak MiB"])
    print("\n".join(stages) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("molecules", help="a CSV with a column smiles")
    parser.add_argument("--encoder", default="minimol")
    parser.add_argument("--threads", type=int, default=2, help="of all encodings but those that compare threads")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lines", type=int, default=1000000, help="of the long file")
    parser.add_argument("--thread-count", type=int, default=10000, help="molecules for the comparison of threads")
    parser.add_argument("--only", choices=["sizes", "lines", "threads"])
    parser.add_argument("--work", help="folder for inputs and stores; a million lines need 5 GB")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        for part in (sizes, lines, threads):
            if options.only in (None, part.__name__):
                part(options, pathlib.Path(folder))


if __name__ == "__main__":
    main()
