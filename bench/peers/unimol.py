"""Compares Uni-Mol features and their speed in `molgauge encode` and unimol_tools, on the same conformers.

    python bench/peers/unimol.py data/molecules/hiv.csv [--build build/release] [--count 256] [--venv FOLDER]

The first call makes the environment --venv (default build/unimol-venv) with unimol_tools 0.1.6 and torch
2.11.0 from PyPI. Takes the first molecules of the table, in order. `molgauge conformers` generates their
conformers, and both programs read them from its .sdf. Both use the same random weights of the published
sizes. unimol_tools 0.1.6 numbers [PAD], [CLS], [SEP] and [UNK] in another order than the published dictionary
and 0.1.3, so the script reorders the rows of its weights. Without hydrogens unimol_tools uses batches of 32,
its default, and of 8. With hydrogens it uses batches of 32. Molgauge chooses its batches, in fp32 and in the
precision that `--precision fast` finds. Programs run in turns with one thread each, and the best rate of each
counts. For unimol_tools, only get_repr() is measured, after one batch to warm up. For Molgauge, the complete
program is measured. A second figure subtracts the time for the first molecule alone, which is loading and
checking weights. unimol_tools loads its weights before the measurement. Rates per second of processor time
are valid on a shared machine. The script also compares the features of the two programs. Writes the tables
and a description of the machine to --out as Markdown.
"""

import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from environment import make_environment, measured_encode, processor

INSTALLATIONS = (["torch==2.11.0", "unimol_tools==0.1.6"],)

# The symbols of the published dictionary, in the order of their tokens. unimol_tools appends [MASK] itself.
DICTIONARY = ("[PAD] [CLS] [SEP] [UNK] C N O S H Cl F Br I Si P B Na K Al Ca Sn As Hg Fe Zn Cr Se Gd Au Li").split()

# Runs in the environment of unimol_tools with options on stdin. Writes the features to a file and one line of
# JSON to stdout.
RIVAL = '''
import json, os, resource, sys, time
options = json.load(sys.stdin)
import numpy, torch
torch.set_num_threads(options["threads"])
from safetensors.torch import load_file
from unimol_tools import UniMolRepr
from unimol_tools.data.dictionary import Dictionary
checkpoint, symbols = (os.path.join(options["folder"], name) for name in ("weights.pt", "dict.txt"))
dictionary = Dictionary.load(symbols)
dictionary.add_symbol("[MASK]", is_special=True)
published = [line.strip() for line in open(symbols)] + ["[MASK]"]
# The published weights have one row for each symbol in `published`. unimol_tools numbers the symbols in another order.
order = torch.tensor([published.index(symbol) for symbol in dictionary.symbols])
weights = load_file(options["weights"])
weights["embed_tokens.weight"] = weights["embed_tokens.weight"][order]
for name in ("gbf.mul.weight", "gbf.bias.weight"):
    kinds = weights[name].reshape(len(order), len(order))
    weights[name] = kinds[order][:, order].reshape(-1, 1).contiguous()
torch.save({"model": weights}, checkpoint)
data = {"atoms": options["atoms"], "coordinates": [numpy.array(places) for places in options["places"]]}
batch = options["batch"]
model = UniMolRepr(data_type="molecule", remove_hs=options["remove_hydrogens"], batch_size=batch, use_cuda=False,
                   pretrained_model_path=checkpoint, pretrained_dict_path=symbols)
model.get_repr({name: column[:batch] for name, column in data.items()})
start, processor = time.perf_counter(), time.process_time()
rows = model.get_repr(data)
seconds, processor_seconds = time.perf_counter() - start, time.process_time() - processor
numpy.save(options["out"], numpy.array(rows, dtype=numpy.float32))
print(json.dumps({"seconds": seconds, "processor_seconds": processor_seconds,
                  "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
'''

# Compares two files of features. Runs in the environment of unimol_tools because it has NumPy.
COMPARE = '''
import json, sys
import numpy
ours, theirs = (numpy.load(path).astype(numpy.float64) for path in sys.argv[1:3])
cosines = (ours * theirs).sum(1) / numpy.sqrt((ours ** 2).sum(1) * (theirs ** 2).sum(1))
print(json.dumps({"difference": float(abs(ours - theirs).max()), "cosine": float(cosines.min())}))
'''


def read_smiles(path, count):
    with open(path, newline="") as file:
        return [row["smiles"] for _, row in zip(range(count), csv.DictReader(file))]


def read_places(sdf):
    """Returns the symbols and the positions of the atoms of each record."""
    atoms, places = [], []
    for record in pathlib.Path(sdf).read_text().split("$$$$\n")[:-1]:
        lines = record.split("\n")
        count = int(lines[3][:3])
        block = lines[4:4 + count]
        atoms.append([line[31:34].strip() for line in block])
        places.append([[float(line[10 * axis:10 * axis + 10]) for axis in range(3)] for line in block])
    return atoms, places


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{command} failed:\n{result.stderr[-2000:]}")


class Ours:
    def __init__(self, program, folder, threads):
        self.program, self.folder, self.threads = program, folder, threads

    def make_weights(self, variant):
        run([self.program, "weights", "init", "unimol", "--seed", "1", "--variant", variant, "--weights",
             self.folder / variant])
        return next((self.folder / variant).rglob("*.safetensors"))

    def place(self, table):
        sdf = self.folder / "molecules.sdf"
        run([self.program, "conformers", table, "--out", sdf, "--store", self.folder / "places", "--quiet"])
        return sdf

    def start(self, sdf, variant, precision):
        """Measures the encoding of the first molecule alone. Almost all of this time is the start of the
        program."""
        first = self.folder / "first.sdf"
        first.write_text(sdf.read_text().split("$$$$\n")[0] + "$$$$\n")
        return self.encode(first, variant, precision, self.folder / "first.npy")

    def encode(self, sdf, variant, precision, out):
        return measured_encode([self.program, "encode", sdf, "--encoder", "unimol", "--weights", self.folder / variant,
                                "--random-weights", "--threads", str(self.threads), "--precision", precision,
                                "--out", out])


def run_rival(python, folder, weights, atoms, places, remove_hydrogens, batch, threads, out):
    (folder / "dict.txt").write_text("\n".join(DICTIONARY))
    options = {"folder": str(folder), "weights": str(weights), "atoms": atoms, "places": places, "batch": batch,
               "remove_hydrogens": remove_hydrogens, "threads": threads, "out": str(out)}
    result = subprocess.run([python, "-c", RIVAL], input=json.dumps(options), text=True, capture_output=True, cwd=folder,
                            env=dict(os.environ, OMP_NUM_THREADS=str(threads)))
    if result.returncode != 0:
        sys.exit(f"unimol_tools failed:\n{result.stderr[-2000:]}")
    return json.loads(result.stdout.splitlines()[-1])


class Rates:
    """The best rates over several runs of each program. `molecules` is the number of molecules in a run."""

    def __init__(self, molecules):
        self.molecules = molecules
        self.best = {}

    def add(self, name, measured):
        wall, own = (self.molecules / measured[key] for key in ("seconds", "processor_seconds"))
        before = self.best.get(name, (0, 0, 0))
        self.best[name] = (max(before[0], wall), max(before[1], own), max(before[2], measured["memory"]))
        print(f"{name}: {wall:.1f} molecules/s, {own:.1f} per second of processor time", file=sys.stderr)

    def table(self):
        """Returns a Markdown table. Ratios use processor time, because other programs on the machine disturb it
        least.
        """
        rivals = [name for name in self.best if name.startswith("unimol_tools")]
        head = ["program", "molecules/s", "per processor second", "peak memory"] + [f"times {name}" for name in rivals]
        rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
        for name, (wall, own, memory) in self.best.items():
            ratios = [f"{own / self.best[rival][1]:.1f}" for rival in rivals]
            rows.append("| " + " | ".join([name, f"{wall:.1f}", f"{own:.1f}", f"{memory / 2**20:.0f} MiB"] + ratios) + " |")
        return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("molecules", type=pathlib.Path, help="a .csv with a column smiles")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--count", type=int, default=256)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--venv", type=pathlib.Path, default=pathlib.Path("build/unimol-venv"))
    parser.add_argument("--sdf", type=pathlib.Path, help="the molecules, placed by molgauge conformers before")
    parser.add_argument("--out", type=pathlib.Path, help="Markdown file for the tables")
    options = parser.parse_args()
    python = make_environment(options.venv.absolute(), *INSTALLATIONS)

    text = [f"{processor()}; {options.threads} thread each\n"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ours = Ours(options.build / "bin" / "molgauge", folder, options.threads)
        table = folder / "molecules.csv"
        table.write_text("smiles\n" + "\n".join(read_smiles(options.molecules, options.count)) + "\n")
        sdf = options.sdf or ours.place(table)
        atoms, places = read_places(sdf)
        for variant, batches in (("no_h", (32, 8)), ("all_h", (32,))):
            weights = ours.make_weights(variant)
            rates = Rates(len(atoms))
            for _ in range(options.rounds):
                for batch in batches:
                    rates.add(f"unimol_tools, batches of {batch}",
                              run_rival(python, folder, weights, atoms, places, variant == "no_h", batch, options.threads,
                                        folder / "theirs.npy"))
                for precision in ("fp32", "fast"):
                    whole = ours.encode(sdf, variant, precision, folder / f"{precision}.npy")
                    start = ours.start(sdf, variant, precision)
                    rates.add(f"molgauge {precision}, whole program", whole)
                    rates.add(f"molgauge {precision}", dict(whole, seconds=whole["seconds"] - start["seconds"],
                                                            processor_seconds=whole["processor_seconds"]
                                                            - start["processor_seconds"]))
            text.append(f"\n{len(atoms)} molecules, {'heavy atoms' if variant == 'no_h' else 'all atoms'}\n\n{rates.table()}")
            for precision in ("fp32", "fast"):
                compared = json.loads(subprocess.run([python, "-c", COMPARE, folder / f"{precision}.npy", folder / "theirs.npy"],
                                                     check=True, capture_output=True, text=True).stdout)
                text.append(f"\n{precision} differs from unimol_tools by at most {compared['difference']:.1e}, "
                            f"least cosine {compared['cosine']:.7f}\n")
                if precision == "fp32" and compared["difference"] > 1e-4:
                    sys.exit("the two programs do not agree: " + text[-1])
    text = "".join(text)
    print(text)
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
