"""Measures the effect of --precision on results, as the AUROC of detectors on features in fp32, bf16 and int8.

    python bench/precision.py FOLDER_OF_HIV_CSV [--build build/release] [--store FOLDER] [--out TABLE.md]
    python bench/precision.py FOLDER_OF_HIV_CSV --encoder unimol --random-weights --first 5000 ...

Compares the features with the features in the first precision, molecule by molecule. Then it splits hiv.csv
by scaffold and by size (covariate shift) and encodes it once in each precision. It trains and evaluates
Energy-DPO heads with the settings of specs/hiv.toml and three baselines with the settings of
specs/baselines-hiv.toml. The table has the mean over the seeds and its difference from the first precision.
Baselines use a classifier. Its training magnifies even the smallest difference. To see by how much, use
MOLGAUGE_CPU_LEVEL=generic with --precisions fp32 and an empty --store. With random weights, only the
differences between AUROCs are meaningful.
"""

import argparse
import array
import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

PRECISIONS = ("fp32", "bf16", "int8")
SPLITS = ("scaffold", "size")
ENERGY = ["--epochs", "500", "--batch-size", "8192", "--eval-batch-size", "4096", "--eval-steps", "25"]
BASELINES = ("mahalanobis", "knn", "lof")


class Molgauge:
    def __init__(self, options):
        self.program = options.build / "bin" / "molgauge"
        self.encoder = ["--encoder", options.encoder]
        self.common = ["--threads", str(options.threads)]
        for name in ("store", "weights"):
            value = getattr(options, name)
            self.common += [f"--{name}", value] if value else []
        self.common += ["--random-weights"] if options.random_weights else []

    def __call__(self, *arguments, quiet=True):
        command = [self.program, *arguments, *(["--quiet"] if quiet else [])]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}:\n{result.stderr[-2000:]}")

    def energy_auroc(self, benchmark, run, precision, seed):
        self("train", benchmark, "--run", run, "--precision", precision, "--seed", str(seed), "--dataset-type",
             "drugood", *ENERGY, *self.encoder, *self.common)
        self("evaluate", run, *self.common)
        return {"energy-dpo": json.loads((run / "test_metrics.json").read_text())["auroc"]}

    def baseline_aurocs(self, benchmark, run, precision, seed):
        for method in BASELINES:
            self("baseline", benchmark, "--run", run, "--method", method, "--precision", precision, "--seed", str(seed),
                 *self.encoder, *self.common)
        return {method: json.loads((run / f"{method}_results.json").read_text())["auroc"] for method in BASELINES}


    def features(self, molecules, out, precision):
        """Encodes the molecules. Returns a mapping from the position of each molecule that did not fail to its
        row.
        """
        self("encode", molecules, "--out", out, "--precision", precision, *self.encoder, *self.common)
        bytes_of_file = out.read_bytes()
        numbers = array.array("f", bytes_of_file[128:])  # the numbers follow the header
        width = int(bytes_of_file[:128].decode("latin1").split("'shape': (")[1].split(")")[0].split(",")[1])
        rows = {place: numbers[place * width:(place + 1) * width] for place in range(len(numbers) // width)}
        return {place: row for place, row in rows.items() if not math.isnan(row[0])}


def first_molecules(source, count, target):
    """Writes the first `count` rows of the table, or all rows if `count` is 0."""
    with open(source, newline="") as whole, open(target, "w", newline="") as part:
        rows = csv.reader(whole)
        csv.writer(part).writerows(row for number, row in enumerate(rows) if count == 0 or number <= count)


def cosine(one, other):
    return sum(a * b for a, b in zip(one, other)) / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))


def table_of_cosines(molgauge, molecules, folder, precisions):
    exact = molgauge.features(molecules, folder / "exact.npy", precisions[0])
    rows = ["| precision | molecules | least cosine | mean cosine |", "|---|---|---|---|"]
    for precision in precisions[1:]:
        found = molgauge.features(molecules, folder / f"{precision}.npy", precision)
        # A molecule may miss the conformer deadline in one run but not in another.
        for place in sorted(found.keys() ^ exact.keys()):
            print(f"molecule {place + 1} failed in one of {precisions[0]} and {precision}", file=sys.stderr)
        cosines = [cosine(found[place], exact[place]) for place in found.keys() & exact.keys()]
        rows.append(f"| {precision} | {len(cosines)} | {min(cosines):.6f} | {statistics.mean(cosines):.6f} |")
    return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--store", help="feature store; default: Molgauge's own")
    parser.add_argument("--encoder", default="minimol")
    parser.add_argument("--weights", help="folder of installed weights; default: Molgauge's own")
    parser.add_argument("--random-weights", action="store_true")
    parser.add_argument("--without-baselines", action="store_true", help="energy heads alone")
    parser.add_argument("--first", type=int, default=0, help="molecules of hiv.csv; 0: all")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--precisions", nargs="+", default=list(PRECISIONS), choices=PRECISIONS)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    molgauge = Molgauge(options)
    kinds = [molgauge.energy_auroc] + ([] if options.without_baselines else [molgauge.baseline_aurocs])
    found = {}
    with tempfile.TemporaryDirectory(prefix="molgauge-precision-") as name:
        folder = pathlib.Path(name)
        molecules = folder / "hiv.csv"
        first_molecules(options.data / "hiv.csv", options.first, molecules)
        cosines = table_of_cosines(molgauge, molecules, folder, options.precisions)
        for split in SPLITS:
            benchmark = folder / f"{split}.json"
            molgauge("split", molecules, "--label-column", "HIV_active", "--domain", split, "--out",
                     benchmark, quiet=False)
            for precision in options.precisions:
                for seed in options.seeds:
                    for kind in kinds:
                        run = folder / f"{split}-{precision}-{seed}-{kind.__name__}"
                        for method, auroc in kind(benchmark, run, precision, seed).items():
                            found.setdefault((split, method), {}).setdefault(precision, []).append(auroc)
                            print(split, method, precision, seed, auroc, file=sys.stderr)
    compared = options.precisions[1:]
    rows = ["| shift | method | " + " | ".join([*options.precisions,
                                               *(f"{each} - {options.precisions[0]}" for each in compared)]) + " |",
            "|---|---|" + "---|" * (len(options.precisions) + len(compared))]
    for (split, method), aurocs in found.items():
        means = [statistics.mean(aurocs[precision]) for precision in options.precisions]
        cells = [f"{mean:.4f}" for mean in means] + [f"{mean - means[0]:+.4f}" for mean in means[1:]]
        rows.append(f"| {split} | {method} | " + " | ".join(cells) + " |")
    text = cosines + "\n" + "\n".join(rows) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
